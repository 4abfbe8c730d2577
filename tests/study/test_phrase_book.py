"""The phrase book: each phrase is played, its sentence and its clauses agree, and searches find it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from panels.pages import Page
from play_helpers import ballot, evaluated, law, majority, put, sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.study.library.phrase_book import certain_values, phrase_book, suggest

IDLE = nb.enact("Nothing to see here.")
#: Sentences of players with what would serve.
EVERYDAY = tomllib.loads(Path(__file__).with_name("everyday_sentences.toml").read_text("utf-8"))
#: What cannot be told of by an expression: whether something is refused, or which term of a board changes.
VALUED = [phrase for phrase in phrase_book() if not phrase.system]


def step(game, said):
    """Do one step of what a phrase plays."""
    if said in ("pass", "fail", "split"):
        put(game, IDLE, against={"pass": (), "fail": game.players, "split": ("Cleo",)}[said])
    elif said == "majority":
        majority(game)
    elif said.startswith("time "):
        game.host.time(said.removeprefix("time "))
    elif said.startswith("away "):
        game.host.absent(said.removeprefix("away "))
    elif said.startswith("law "):
        law(game, said.removeprefix("law "))
    elif said in ("turn", "round"):
        begun = game.state.circuit
        while True:
            put(game, IDLE)
            game.roll(game.player, 1)
            if said == "turn" or game.state.circuit != begun:
                break
    else:
        name, _, rest = said.partition(".")
        act, _, given = rest.partition(" ")
        act_as(game, name, act, given)


def act_as(game, name, act, given):
    """Do what a step says that a player does."""
    args = [int(one) if re.fullmatch(r"-?\d+", one) else one for one in given.split("|") if given]
    if act == "words":
        game.propose(name, nb.enact(" ".join(["word"] * args[0])))
    elif act in ("repeal", "amend", "transmute", "untitled"):
        change = getattr(nb, act)(args[0], *["An example."][: act == "amend"]) if args else nb.enact("An example.")
        game.propose(name, change)
        ballot(game)
    elif act in ("wording", "clauses"):
        game.propose(name, nb.enact(given) if act == "wording" else nb.enact("An example.", given))
        ballot(game)
    elif act == "open":
        game.propose(name, nb.repeal(args[0]) if args else IDLE)
    elif act == "together":
        game.propose(name, nb.together(IDLE, nb.enact("Nothing to hear here.")))
    elif act == "gain":
        game.say(name, f"gain {args[0]}")
    else:
        getattr(game, act)(name, *args)


def played(phrase, clauses):
    """Play what belongs to a phrase; return the game. What only its rule allows is left out without its clauses."""
    game = sit(terms={"win.points": 10**6})
    for one in dict.fromkeys(re.findall(r"gain (-?\d+)", phrase.play)):
        law(game, f'on said when text == "gain {one}": award {one} points to player')
    while game.player != "Ann":
        law(game, "")
    steps = [*filter(None, map(str.strip, phrase.play.split(";")))]
    if steps and steps[0].startswith("time "):
        step(game, steps.pop(0))
    law(game, clauses, wording=phrase.fill_in()[0])
    for said in steps:
        try:
            step(game, said.removeprefix("*"))
        except (nb.IllegalAction, nb.LawError):
            assert said.startswith("*") if clauses else (".take" in said or not said.startswith("*")), said
        else:
            assert not (said.startswith("*") and clauses), f"not refused: {said}"
    return game


def value(game, text):
    """Return the value of an expression, in which names stand for players; 0 where nothing has the name."""
    try:
        return evaluated(game, re.sub(r"\b(Ann|Ben|Cleo)\.", r'player_named("\1").', text))
    except (nb.LawError, Undecided):
        return 0


@pytest.mark.parametrize("phrase", VALUED, ids=lambda phrase: phrase.name)
@pytest.mark.slow
def test_the_clauses_of_a_phrase_do_what_it_says(phrase):
    with_it, without = played(phrase, phrase.fill_in()[1]), played(phrase, "")
    assert phrase.gives or "*" in phrase.play, "nothing is told of what it does"
    for told in filter(None, map(str.strip, phrase.gives.split(";"))):
        assert not re.search(r" [+-]0$", told), "this cannot fail"
        if change := re.fullmatch(r"(.*) ([+-]\d+)", told):
            difference = value(with_it, change[1]) - value(without, change[1])
            assert difference == int(change[2]), (told, value(with_it, change[1]), value(without, change[1]))
        else:
            assert value(with_it, told) is True, told
            assert value(without, told) is not True, told


@pytest.mark.parametrize(
    "phrase", [one for one in phrase_book() if one.system and one.gives], ids=lambda phrase: phrase.name
)
def test_a_phrase_about_pieces_changes_what_it_is_about(phrase):
    sentence, clauses = phrase.fill_in()
    review = nb.new_game(phrase.system, ["Ann", "Ben"], seed=7).review("Ann", nb.enact(sentence, clauses))
    assert phrase.gives in {changed.key for changed in review.turned}


def board_game(*names):
    """A game with boards in which phrases are rules, with a pawn of Ann's that can capture one of Ben's."""
    game, phrases = sit("Ann", "Ben", system="nomic-chess"), {phrase.name: phrase.fill_in() for phrase in phrase_book()}
    changes = [nb.enact(*phrases[name]) for name in names]
    for change, move in zip(
        [changes[0] if len(changes) == 1 else nb.together(*changes), IDLE, IDLE],
        ["white.e2-white.e4", "yellow.e2-yellow.e4", ""],
        strict=True,
    ):
        player = game.player
        put(game, change)
        if move:
            game.move(player, move)
    return game


def test_a_player_without_pawns_is_out():
    game, phrase = sit("Ann", "Ben", system="nomic-chess"), next(p for p in phrase_book() if p.name == "pawnless_out")
    cleared = 'on said when text == "clear": remove [x for x in pieces_of(player) if x.kind == "P"]'
    put(game, nb.enact(phrase.says, f"{phrase.law}\n{cleared}"))
    assert value(game, "Ben.playing") is True
    game.say("Ben", "clear")
    assert value(game, "Ben.playing") is False


def test_whoever_captures_moves_once_more_and_no_more_than_that():
    game = board_game("capture_again")
    game.move("Ann", "white.e4-yellow.e4")
    assert (game.pending[0].player, game.pending[0].action) == ("Ann", "move")
    game.move("Ann", "white.b1-white.c3")
    assert (game.pending[0].player, game.pending[0].action) == ("Ben", "propose")


def test_pawns_step_back_and_queens_jump_where_phrases_say_so():
    game = board_game("pawn_retreat", "queen_leaps", "late_queens")
    moves = [str(move).split(": ")[-1] for move in game.pending[0].options]
    assert "white.e4-white.e3" in moves
    assert not [move for move in moves if move.startswith("white.d1")]
    game = board_game("queen_leaps")
    assert "white.d1-white.c3" in [str(move).split(": ")[-1] for move in game.pending[0].options]


def test_queens_take_no_pawns_where_a_whole_sentence_says_so_and_move_like_knights_alone():
    for said, clauses in {
        "You may not take a pawn with a queen.": (
            'forbid move when piece.kind == "Q" and any(c.kind == "P" for c in captures)'
        ),
        "The queen moves like a knight.": 'piece Q moves "N"',
    }.items():
        assert suggest(said)[0].law == clauses


def test_gifts_are_for_the_own_turn_where_a_phrase_says_so():
    game = sit()
    law(game, 'on said when text == "gain 9": award 9 points to player')
    law(game, suggest("You may hand points to others on your turn.")[0].law)
    other = next(player for player in game.players if player != game.player)
    for player in (game.player, other):
        game.say(player, "gain 9")
    game.give(game.player, other, 2, "points")
    with refused("gift-without-rule"):
        game.give(other, game.player, 2, "points")


def test_whole_sentences_bring_their_phrase_first_with_its_values():
    for said, filled in {
        "After ten rounds the game is over and the highest score wins.": {"n": 10},
        "If you haven't voted within two days you lose 3 points.": {"n": 2, "m": 3},
        "Whoever has the most points at 18:00 wins.": {"n": 18},
        "Whoever has the most points at 3 o'clock wins.": {},
        "Every proposal must be shorter than 40 words.": {"n": 40},
    }.items():
        assert suggest(said)[0].filled == filled, said


def test_a_number_is_filled_in_both_only_if_it_is_certain_where_it_belongs():
    first = suggest("Everyone gets three points when a round is over.")[0]
    assert (first.wording, first.law) == (
        "Everyone gets 3 points when a round is over.",
        "on circuit_ended: award 3 points to playing",
    )
    assert first.filled == {"n": 3}
    assert not first.left
    unsure = next(
        one for one in suggest("Whoever rolls 4 or 5 or 6 gets points.") if one.name in {p.name for p in phrase_book()}
    )
    assert not unsure.filled
    assert unsure.left


@pytest.mark.parametrize(
    ("wording", "name", "filled"),
    [
        ("Nobody can have more than 50 points.", "ceiling", {"n": 50}),
        ("Nobody can have more than 50 points.", "dear_proposals", {}),
        ("You can pay 5 points to roll again.", "pay_to_roll_again", {"n": 5}),
        ("You can pay 5 points to roll again.", "another_turn", {}),
        ("Everyone has to pay 10 percent of their points as tax every round.", "percent_tax", {"n": 10}),
        ("Everyone has to pay 10 percent of their points as tax every round.", "elected_judge", {}),
        ("If you roll a one, your next turn is skipped.", "skip_turn", {"face": 1}),
        ("The game goes backwards when somebody rolls a 3.", "six_sixes", {}),
        ("Rule 203 should disappear after ten rounds.", "rule_ends_later", {"rule": 203, "n": 10}),
        ("Ann always loses 2 points when Ben rolls.", "roll_costs_other", {"player": "Ben", "other": "Ann", "n": 2}),
        ("Whoever rolls a six or rolls a five misses their next turn.", "skip_turn", {}),
    ],
)
def test_a_value_is_filled_in_where_the_same_is_beside_it_and_the_rest_is_alike(wording, name, filled):
    assert certain_values(name, wording, ["Ann", "Ben"]) == filled


def test_examples_are_named_where_they_stand_in_both_halves_and_can_be_filled_in():
    for wording in ("An office of speaker.", "Whoever rolls a six gets points.", "Knights move like camels.", "A tax."):
        for one in suggest(wording):
            for value in map(str, one.left.values()):
                assert value in one.wording, one.name
                assert value in one.law, one.name
    late = {one.name: one for one in suggest("A player who comes late loses points.")}["late"]
    assert str(late).endswith("Examples to replace in both: 1, with .fill_in(n=1).")
    assert (late.fill_in(n=3).wording, late.fill_in(n=3).left) == ("Whoever comes late loses 3 points.", {})
    with refused("figure-out-of-range", WrongValue):
        late.fill_in(n=10**6)
    assert late.change(number=203) == nb.amend(203, late.wording, late.law)
    with pytest.raises(TypeError, match="number"):
        late.change(3)


@pytest.fixture(scope="module")
def suggested():
    """What is suggested for the everyday sentences without boards."""
    return {said: [one.name for one in suggest(said)] for said in EVERYDAY["without_boards"]}


def test_sentences_without_chess_words_bring_no_rules_about_boards(suggested):
    boards = {phrase.name for phrase in phrase_book() if phrase.system}
    boards |= {entry.name for entry in nb.library.catalogue if entry.on_boards}
    assert {said for said, names in suggested.items() if boards & {*names}} == set()


def test_opposites_come_later():
    for wording, meant in {
        "Nobody's points may rise above 50.": "ceiling", "Nobody's points may fall below 0.": "never_negative",
        "The vote of the player with the fewest points counts double.": "double_vote_of_the_last",
        "The vote of the player with the most points does not count.": "leader_without_vote",
        "Whoever votes for a proposal that passes gets a point.": "for_earns",
        "Whoever votes against a proposal that passes gets a point.": "dissent_earns",
    }.items():  # fmt: skip
        assert suggest(wording)[0].name == meant, wording


@pytest.mark.parametrize(
    ("wording", "first"),
    [
        ("Nobody's allowed to skip two turns in a row.", "oftens/ban/nobody/skip/as_many/row"),
        ("When you bring back a repealed rule you get 3 points.", "happens/revived/they/nobody/points/gain"),
        ("If you skip your turn twice you're out.", "happens/skips_times/they/nobody/points/out"),
        ("Newbies start with as many points as whoever is last.", "newcomer_lowest"),
        ("The guy who's last gets to go first next round.", "happens/every_round/last_one/nobody/points/first_next"),
        ("You lose if you don't have any points left.", "happens/no_points/they/nobody/points/out"),
        ("Odd rolls count, even rolls don't.", "rolls/rolling/nothing/even_not/always"),
        ("Nobody can be boss for more than three turns in a row.", "offices/office-boss/elected/term/points"),
    ],
)
def test_casual_words_bring_what_they_mean_first_and_no_false_friend(wording, first):
    assert suggest(wording)[0].name == first


@pytest.mark.parametrize(
    ("wording", "same"),
    [
        ("Every time somebody rolls a six everybody else has to give them one point.", "all_pay_roller"),
        ("Whoever is in last place gets a free 2 points every round.", "last_place"),
        ("If you roll a one, you miss your next turn.", "skip_turn"),
    ],
)
def test_a_rule_is_suggested_once_even_if_the_phrase_book_has_it_too(wording, same):
    names = [one.name for one in suggest(wording)]
    assert "/" in names[0] or names[0] == same
    assert not ("/" in names[0] and same in names)


@pytest.mark.parametrize(
    "wording",
    [
        "Each officer gets a point at the end of the round.",
        "If you roll higher than the player before you, you gain two points.",
        "Every third proposal is worth double.",
    ],
)
def test_nothing_is_put_together_that_leaves_out_whom_or_what_a_sentence_is_about(wording):
    assert "/" not in suggest(wording)[0].name


def test_every_filling_stands_in_the_sentence_and_in_the_clauses():
    for phrase in phrase_book():
        for place, example in phrase.places.items():
            named = {"player": "Cleo", "other": "Dora", "text": "other words"}
            other = named[place] if place in named else str(int(example) + 1)
            sentence, law = phrase.fill_in({place: other})
            assert re.search(rf"(?<!\d){re.escape(other)}(?!\d)", sentence), phrase.name
            assert re.search(rf"(?<!\d){re.escape(other)}(?!\d)", law), phrase.name


def test_a_game_suggests_nothing_that_would_be_void_at_once():
    wording = "The Speaker may veto any adopted proposal."
    assert "veto_of_office" in {one.name for one in suggest(wording)}
    assert "veto_of_office" not in {one.name for one in sit().suggest(wording)}


def test_a_game_suggests_what_can_be_read_in_it_with_the_name_of_a_player():
    game = sit()
    for wording in ("Knights move like camels.", "The vote of Cleo counts double."):
        for found in game.suggest(wording):
            assert game.review("Ann", found.change()).error is None
    assert "Cleo" in {one.name: one for one in game.suggest("The vote of Cleo counts double.")}["double_vote"].law
    assert "knight_and_camel" not in {one.name for one in game.suggest("Knights move like camels.")}
    board = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    assert board.suggest("Knights may move like camels.")[0].name == "knight_and_camel"


def test_a_quoted_text_that_no_clause_can_have_is_not_filled_in():
    for text in ("a\nset win.points to 1", "a # b", "back\\slash", "x" * 61):
        found = {one.name: one for one in suggest(f"Whoever says the password “{text}” first gets points.")}
        assert "open sesame" in found["password"].law
    found = {one.name: one for one in suggest("Whoever says the password “tea time” first gets points.")}
    assert "“tea time”" in found["password"].wording
    assert '"tea time"' in found["password"].law


@pytest.mark.parametrize("wording", ["", " ", None, 7])
def test_a_search_needs_words(wording):
    with refused("search-without-words", WrongValue):
        suggest(wording)


@pytest.mark.parametrize("wording", ["zzz", "§§§ 🜁", "x" * 100_000, "1 2 3", "(" * 500, "the of and"])
def test_words_that_nothing_has_are_answered_with_a_sentence(wording):
    assert len(suggest(wording)) <= 5
    assert str(suggest(wording))


def test_the_search_finds_what_serves_for_strange_sentences():
    wanted = tomllib.loads(Path(__file__).with_name("yardstick.toml").read_text("utf-8"))
    found = [{*names.split()} & {one.name for one in suggest(said)[:3]} for said, names in wanted.items()]
    assert len(found) == 30
    assert sum(map(bool, found)) >= 24


def found_among_the_first_three(kind, suggested, every=1):
    """The share of everyday sentences for which what would serve is suggested among the first three."""
    rows = list(EVERYDAY[kind].items())[::every]
    return sum(bool({*suggested(said)[:3]} & {*names.split()}) for said, names in rows) / len(rows)


def test_the_search_finds_what_everyday_sentences_mean(suggested):
    assert sum(map(len, EVERYDAY.values())) >= 60
    assert found_among_the_first_three("without_boards", suggested.get) >= 0.9


@pytest.mark.parametrize(
    ("kind", "system", "every"), [("without_boards", "discordian-nomic", 3), ("with_boards", "nomic-chess", 1)]
)
def test_a_game_finds_what_everyday_sentences_mean(kind, system, every):
    game = sit(system=system)
    assert found_among_the_first_three(kind, lambda said: [one.name for one in game.suggest(said)], every) >= 0.8


def test_help_searches_pages_words_of_rules_and_phrases():
    found = nb.help("round")
    assert "circuit_ended" in {name for name, _ in found.terms}
    assert found.sections
    assert found.phrases
    assert "circuit_ended" in str(found)
    assert nb.help("writing").page == "writing"


def test_a_panel_offers_a_phrase_for_a_wording_and_finds_it_in_its_library():
    game = sit()
    page = Page(game, "Ann")
    written = {"kind": "enact", "wording": "Everyone gets 3 points when a round is over.", "title": "", "law": ""}
    near = page.send({"id": "q1", "ask": "change", "details": {"change": written}})["ready"]
    assert (near["round_wage"]["title"], near["round_wage"]["filled"]) == ("Round wage", {"n": 3})
    offered = page.send({"id": "q2", "ask": "ready", "details": {}})["ready"]
    assert "round_wage" in page.send({"id": "q3", "ask": "ready", "details": {"words": "wage round"}})["found"]
    made = page.send({"id": "q4", "ask": "made", "details": {"name": "round_wage", "given": {"n": 1}}})
    assert (made["wording"], made["law"]) == (
        "Everyone gets 1 point when a round is over.",
        "on circuit_ended: award 1 points to playing",
    )
    assert "knight_and_camel" not in offered


def test_no_phrase_has_the_name_of_a_ready_made_rule():
    assert not {phrase.name for phrase in phrase_book()} & {entry.name for entry in nb.library.catalogue}
