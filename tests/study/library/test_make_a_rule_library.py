"""What Make-A-Rule Chess keeps in its library: moves by lot, words to be said before a move, published figures."""

from dataclasses import replace
from fractions import Fraction

import pytest
import refusals
from board_helpers import chess
from make_a_rule_helpers import agreed, begun, make, moves, multiverse, name_king
from play_helpers import ballot, refused

import nomic_nb as nb
from nomic_nb import library
from nomic_nb.chess.play.events import new_turn_moves
from nomic_nb.engine.law.nodes import View
from nomic_nb.engine.law.values import ThingRef

ONE, TWO = "Zaphod:1", "Zaphod:2"
PHRASE = "I like manicotti"
KINGS = "4k3/8/8/8/8/8/8/K6R w - - 0 1"


def kind_on(game, square):
    """What stands on a square, and whose it is; empty where nothing does."""
    piece = game.state.position.at(square)
    return f"{piece.army} {piece.kind}" if piece else ""


@pytest.mark.rule("make-a-rule", "L1.1", "C2")
def test_moves_by_lot():
    """H21: of the king's three moves each has one chance in six, of the rook's thirteen one in twenty-six."""
    game = multiverse(2, position=KINGS)
    game.propose("Ann", library.moves_by_lot(2).change())
    state = game.state
    board, player = ThingRef("board", "Zaphod:1"), ThingRef("player", "Ann")
    asked = state.replace(turns=(replace(state.turns[0], player="Ann", march=new_turn_moves(state, None, "Ann")),))
    view = View(asked, {"player": player, "b": board}, asked.law)
    movable = asked.law.language.expression("movable(player, b)").run(view)
    counts = [
        asked.law.language.expression("count(moves_with(p))").run(View(asked, {"p": p}, asked.law)) for p in movable
    ]
    assert sorted(Fraction(1, len(movable) * count) for count in counts) == [Fraction(1, 26), Fraction(1, 6)]
    make(game)
    assert (game.player, game.circuit) == ("Ann", 3), "both have moved by lot in the second circuit"
    assert set(game.history.query("kind == 'thrown'")["rule"]) == {"P1.1"}


@pytest.mark.rule("make-a-rule", "L2", "C2")
def test_say_it_first():
    """H25: whoever moves a piece without the phrase loses it."""
    game = multiverse(2, position=KINGS)
    game.propose("Ann", library.say_it_first().change())
    game.say("Ben", "i like spaghetti.")
    game.move("Ben", "Zaphod:1.e8-Zaphod:1.e7")
    assert game.state.position.at("Zaphod:1.e7").kind == "k"
    game.move("Ann", "Zaphod:1.h1-Zaphod:1.h2")
    assert game.state.position.at("Zaphod:1.h2") is None


@pytest.mark.rule("make-a-rule", "C3")
def test_drawing_lots():
    """Players throw dice and trust each other, or the game throws; what each outcome means stands in the clause."""
    game = multiverse(2)
    assert game.why("dice.source").value == "either"
    game.propose("Ann", nb.enact("A lot.", "on turn_begun: roll 1 of 6 as face by player"))
    game.roll("Ben", 5)
    assert game.player == "Ben"


@pytest.mark.rule("make-a-rule", "C3")
def test_published_figures():
    """H27: in a letter of the 3rd a figure of the 4th is refused, and one of the 5th is taken."""
    game = begun(2, restricted=True)
    game.propose("Ann", library.published_figure().change())
    game.host.time("1996-09-03 12:00")
    game.take("Ben", "draw a lot from a published figure")
    game.choose("Ben", "IBM, shares sold, as the Times has it")
    game.choose("Ben", "up to 50 heads, above tails")
    with refused(game, "answer-not-an-option", found="1", what="one of the options"):
        game.choose("Ben", 1)
    game.choose("Ben", 2)
    game.host.time("1996-09-05 11:59")
    assert not [one for one in game.pending if one.action == "roll"]
    game.host.time("1996-09-05 12:00")
    with refused(game, "throw-by-hand", rule="P1.1"):
        game.roll("Ben")
    game.roll("Ben", 58)
    assert game.tables["lot"]["value"][0] == 58
    assert game.why("dice.source").value == "either", "other throws are made as before"
    said = [one.data["text"] for one in game.timeline.events if one.kind == "announced"]
    assert said[0] == "Named on 1996-09-03:"
    assert said[1:3] == said[3:] == ["IBM, shares sold, as the Times has it", "up to 50 heads, above tails"]


# --------------------------------------------------------------------------------------------------- moves by lot


def by_lot_elsewhere():
    """Ann's first moves by lot, thrown by hand: one of her knights stands on e4, where nothing stands in the others."""
    game = begun(3)
    make(game, 'set dice.source to "table"')
    make(game, f'on enacted when rule == this: move square_named("{ONE}.b1").piece to square_named("{ONE}.e4")')
    game.propose("Cleo", library.moves_by_lot_elsewhere(2).change())
    return game


def thrown(game, wanted):
    """Throw what chooses this out of what chance chooses from, or a number; return how many sides the die had."""
    waiting = game.state.waiting[0]
    face = wanted if isinstance(wanted, int) else [str(one) for one in waiting.options].index(str(wanted)) + 1
    game.roll("Ann", face)
    return waiting.sides


@pytest.mark.rule("make-a-rule", "L1.2", "C2")
def test_nothing_changes_universe_without_a_rule_for_it():
    """H23: under the rules of chess a piece does not go to another universe."""
    game = begun(3)
    with refused(game, "move-not-legal"):
        game.move("Ann", f"{ONE}.b1-{TWO}.b1")
    assert all(one.startswith((f"{ONE}.", f"{TWO}.")) and one[:8] == one.partition("-")[2][:8] for one in moves(game))


@pytest.mark.rule("make-a-rule", "L1.2", "C2", "M5")
def test_moves_by_lot_elsewhere():
    """H23: one time in four a piece changes to another universe, each as likely as the others, and moves there."""
    game = by_lot_elsewhere()
    knight = ThingRef("piece", game.state.position.at(f"{ONE}.e4").id)
    assert thrown(game, knight) == 11, "ten pieces can move in chess, and the other knight's neighbours do not count"
    assert thrown(game, 1) == 4
    assert [one.id for one in game.state.waiting[0].options] == ["Zaphod:2", "Zaphod:3"]
    assert thrown(game, ThingRef("board", "Zaphod:3")) == 2
    assert kind_on(game, "Zaphod:3.e4") == "white n"
    assert {one.partition("-")[0] for one in game.state.waiting[0].options} == {"Zaphod:3.e4"}
    thrown(game, "Zaphod:3.e4-Zaphod:3.d6")
    assert kind_on(game, "Zaphod:3.d6") == "white n"
    assert game.state.position.at("Zaphod:3.d6").home == "Zaphod:1"
    assert (game.player, game.circuit) == ("Ann", 2), "her other universe is drawn as well"
    while game.player == "Ann":
        thrown(game, 2)
    assert [one.data["text"][:8] for one in game.timeline.events if one.kind == "moved"] == ["Zaphod:3", "Zaphod:2"]


@pytest.mark.rule("make-a-rule", "L1.2", "C2")
def test_three_times_in_four_it_moves_where_it_is():
    game = by_lot_elsewhere()
    thrown(game, ThingRef("piece", game.state.position.at(f"{ONE}.e4").id))
    thrown(game, 2)
    assert {one.partition("-")[0] for one in game.state.waiting[0].options} == {f"{ONE}.e4"}


@pytest.mark.rule("make-a-rule", "L1.2", "C2")
def test_where_it_cannot_go_it_stays_and_nothing_moves():
    game = by_lot_elsewhere()
    thrown(game, ThingRef("piece", game.state.position.at(f"{ONE}.g1").id))
    thrown(game, 1)
    thrown(game, ThingRef("board", TWO))
    assert kind_on(game, f"{ONE}.g1") == "white n", "something stands on g1 there"
    while game.player == "Ann":
        thrown(game, 2)
    assert [one.data["text"][:8] for one in game.timeline.events if one.kind == "moved"] == ["Zaphod:2"]


# --------------------------------------------------------------------------------------------------- manicotti


def manicotti(count=2, **more):
    game = begun(count, **more)
    game.propose("Ann", library.say_it_or_others_move().change())
    name_king(game)
    return game


@pytest.mark.rule("make-a-rule", "L3", "C2")
def test_say_it_or_others_move():
    """H25: who forgets has the piece moved by the opponent, and gets it back where that one forgets as well."""
    game = manicotti()
    game.say("Ben", PHRASE)
    game.move("Ben", f"{ONE}.a7-{ONE}.a6")
    assert game.player == "Ann", "who says it, moves"

    game.move("Ann", f"{ONE}.e2-{ONE}.e4")
    assert kind_on(game, f"{ONE}.e4") == "", "it is taken back"
    (asked,) = [one for one in game.pending if one.action == "choose"]
    assert (asked.player, set(asked.options)) == ("Ben", {f"{ONE}.e2-{ONE}.e3", f"{ONE}.e2-{ONE}.e4"})
    game.say("Ben", PHRASE)
    game.choose("Ben", f"{ONE}.e2-{ONE}.e3")
    assert kind_on(game, f"{ONE}.e3") == "white p"
    assert game.player == "Ben"


@pytest.mark.rule("make-a-rule", "L3", "C2")
def test_who_moves_for_others_says_it_too():
    game = manicotti()
    game.move("Ben", f"{ONE}.a7-{ONE}.a6")
    game.choose("Ann", f"{ONE}.a7-{ONE}.a5")
    assert kind_on(game, f"{ONE}.a5") == ""
    (asked,) = [one for one in game.pending if one.action == "choose"]
    assert asked.player == "Ben", "it is for the owner again"
    game.say("Ben", PHRASE)
    game.choose("Ben", f"{ONE}.b7-{ONE}.b6")
    assert kind_on(game, f"{ONE}.b6") == "yellow p"
    assert game.player == "Ann"
    game.move("Ann", f"{ONE}.e2-{ONE}.e4")
    assert [one.player for one in game.pending if one.action == "choose"] == ["Ben"], "saying it holds for one move"


@pytest.mark.rule("make-a-rule", "L3", "C2")
def test_whoever_objects_within_a_turn_makes_it_a_pass():
    game = manicotti()
    game.move("Ben", f"{ONE}.a7-{ONE}.a6")
    game.choose("Ann", f"{ONE}.a7-{ONE}.a5")
    game.choose("Ben", f"{ONE}.a7-{ONE}.a6")
    game.take("Ann", "object to having to say it")
    assert "P1.1" not in game.rules
    game = manicotti()
    for name in ("Ben", "Ann"):
        assert game.player == name
        game.say(name, PHRASE)
        game.move(name, moves(game)[0])
    with refused(game, "offer-needs", offer="object to having to say it"):
        game.take("Ben", "object to having to say it")
    assert "P1.1" in game.rules


@pytest.mark.rule("make-a-rule", "L3", "M4")
def test_a_king_that_was_taken_without_a_word_comes_back():
    game = multiverse(2, position="4k3/8/8/8/8/8/4R3/4K3 w - - 0 1")
    game.propose("Ann", library.say_it_or_others_move().change())
    game.move("Ben", f"{ONE}.e8-{ONE}.f8")
    game.say("Ann", PHRASE)
    game.choose("Ann", f"{ONE}.e8-{ONE}.e7")
    game.move("Ann", f"{ONE}.e2-{ONE}.e7")
    assert not game.over
    assert kind_on(game, f"{ONE}.e7") == "yellow k"
    game.say("Ben", PHRASE)
    game.choose("Ben", f"{ONE}.e2-{ONE}.e3")
    assert game.player == "Ben"


@pytest.mark.parametrize("rule", [library.moves_by_lot, library.say_it_first, library.published_figure])
def test_what_is_kept_breaks_no_meta_rule(rule, tmp_path):
    game = begun(3, restricted=True)
    proposal = game.propose("Ann", rule().change())
    assert proposal.outcome == "adopted"
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.parametrize("rule", [library.say_it_or_others_move, library.moves_by_lot_elsewhere])
@pytest.mark.slow
def test_of_what_takes_moves_back_or_has_some_stay_the_others_judge(rule):
    game = begun(3, restricted=True)
    assert agreed(game, rule().law, rule().wording) in game.rules


def test_other_games_with_boards_can_have_it():
    """An army of two boards pushed together is asked in Nomic Chess as well."""
    game = chess("Ann", "Ben")
    adopt = game.propose(game.player, library.say_it_or_others_move().change())
    ballot(game)
    assert adopt.number == 301
    game.move("Ann", "white.e2-white.e4", push=("white", "yellow"))
    (asked,) = [one for one in game.pending if one.action == "choose"]
    assert asked.player == "Ben"
    game.say("Ben", PHRASE)
    game.choose("Ben", next(one for one in asked.options if one.endswith("e3")))
    assert kind_on(game, "white.e3") == "white p"


# --------------------------------------------------------------------------------------------------- lengths


@pytest.mark.rule("make-a-rule", "D9", "C2")
@pytest.mark.parametrize(
    ("unit", "title", "phases"), [("turns", "for 4 single turns", 4), ("rounds", "for 2 rounds", 6)]
)
def test_a_sunset_says_how_many_phases_or_turns_it_lasts(unit, title, phases):
    game = begun(3)
    rule = library.piece_moves().ending_after(4 if unit == "turns" else 2, unit)
    assert rule.title.endswith(title)
    label = make(game, rule.law, rule.wording)
    for _ in range(phases - 1):
        assert label in game.rules
        make(game)
    assert label not in game.rules


@pytest.mark.rule("make-a-rule", "D9")
@pytest.mark.parametrize("name", ["truce", "sunset_for_new_rules", "cool_down", "suspension"])
def test_a_length_in_a_ready_made_rule_is_in_turns_of_single_players(name):
    rule = getattr(library, name)()
    assert "single turns" in rule.title
    assert "turns of single players" in rule.wording


def test_a_sunset_takes_turns_or_rounds():
    with refusals.refused("not-one-of-these", ValueError, what="the unit", known="turns, rounds"):
        library.piece_moves().ending_after(4, "weeks")
