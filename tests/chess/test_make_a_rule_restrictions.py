"""Make-A-Rule Chess: what rules may not do, and the evidence with which they are refused."""

import re
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from importlib.resources import files

import pytest
import refusals
from make_a_rule_helpers import agreed, begun, make, moves, multiverse, name_king, phase, without_restrictions
from play_helpers import refused

import nomic_nb as nb
from nomic_nb.chess.fairplay import attacks
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.engine.law.nodes import Undecided, View

ONE = "Zaphod:1"
PAWNS = "4k3/ppppppp1/8/8/8/8/PPPPPPPP/4K3"


def played(fen, mover="Ann"):
    """A game of two on one board, set up like this; whoever is named is on turn."""
    game = multiverse(2, restricted=True, position=f"{fen} w - - 0 1")
    while game.player != mover:
        make(game)
    return game


def propose(game, law, wording="So be it.", player=None, **more):
    return game.propose(player or game.player, nb.enact(wording, law=law, **more))


def asked(game, law, match, wording="So be it.", **more):
    """The law leaves it open, and somebody is asked."""
    with refusals.refused("permission-open-and-asked") as caught:
        propose(game, law, wording, **more)
    assert re.search(match, caught.value.values["question"])
    return [one.player for one in game.pending if one.must]


@pytest.mark.rule("make-a-rule", "R4")
def test_what_reaches_back_the_others_see_through():
    game = begun(3, restricted=True)
    law = f'on enacted when rule == this: place "N" of army_named("yellow") at square_named("{ONE}.d5")'
    wording = "The capture of the knight is undone: it never happened."
    assert asked(game, law, "as if it had held before", wording) == ["Ben", "Cleo"], "the maker is not asked"
    for name in ("Ben", "Cleo"):
        game.choose(name, "false")
    with refused(game, "not-proposable"):
        propose(game, law, wording)
    propose(game, 'piece N moves otherwise + "C"', "Knights go further.")


@pytest.mark.rule("make-a-rule", "R5")
def test_no_king_is_made_safe_for_good():
    game = played("4k3/8/8/8/R7/8/8/4K3")
    with refused(
        game, "not-proposable", evidence="no other player’s piece could ever capture the king of white", rule="R5"
    ):
        propose(game, 'forbid move when piece.kind == "K"')
    game = played("4k2r/8/8/8/R7/8/8/4K2R")
    with refused(game, "not-proposable", evidence="could no longer capture", rule="R5"):
        propose(game, "set capture.from to []")


@pytest.mark.rule("make-a-rule", "R5")
@pytest.mark.parametrize(
    "law",
    [
        'forbid move when any(p.kind == "K" for p in captures)',  # whatever stands where
        'forbid move when target in [square_named("Zaphod:1.e1"), square_named("Zaphod:1.e8")]',
        "instead of captured when piece.royal: remove square.piece",
        'instead of captured when piece.royal: announce "No."',
        "set move.count to 0",
        'set move.on_push to "none"',
        "\n".join(f'piece {kind} moves "m{kind}"' for kind in "KQRBN") + '\npiece P moves "mfW"',
    ],
)
def test_no_king_is_made_safe_in_another_way(law):
    game = begun(2, restricted=True)
    with refused(game, "not-proposable", evidence="can be captured", rule="R5"):
        propose(game, law)


@pytest.mark.rule("make-a-rule", "R5")
@pytest.mark.parametrize(
    "law",
    [
        'instead of captured when piece.kind == "P": remove square.piece', "set move.count to otherwise + 1",
        'set royal.kinds to ["K", "Q"]', 'forbid move when any(p.kind == "P" for p in captures)', 'piece N moves "A"',
        'forbid move when piece.kind == "R"', 'piece Q moves "ffN"',
    ],
)  # fmt: skip
def test_what_makes_no_king_safe_is_no_matter_for_people(law):
    game = begun(2, restricted=True)
    with suppress(nb.IllegalAction):
        propose(game, law)
    asked = "".join(one.prompt for one in game.pending)
    assert "safe" not in asked
    assert "positions" not in asked


def hunted(game, *kinds):
    """Look for a line against the king of white by such pieces alone; return it, and how many positions it took."""
    state = game.state
    left = {
        id: one
        for id, one in state.position.pieces.items()
        if (one.army == "yellow" and one.kind in kinds) or (one.army, one.kind) == ("white", "k")
    }
    (king,) = [one for one in left.values() if one.army == "white"]
    alone = state.replace(position=replace(state.position, pieces=left))
    return attacks.find_capturing_line(View(alone, {}, alone.law), alone, king)


@pytest.mark.rule("make-a-rule", "R5")
def test_a_piece_that_never_gets_there_needs_no_search():
    """A bishop of the other colour: what it could capture on the way makes no difference."""
    game = multiverse(2, position="2b1k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert hunted(game, "b") == (None, 0)
    last = hunted(game, "k")[0][-1].text
    assert last in ("Zaphod:1.d2-Zaphod:1.e1", "Zaphod:1.e2-Zaphod:1.e1", "Zaphod:1.f2-Zaphod:1.e1")


@pytest.mark.rule("make-a-rule", "R5")
def test_a_search_plays_no_move_that_it_does_not_look_into(monkeypatch):
    played, play = [], Multiverse.play
    monkeypatch.setattr(Multiverse, "play", lambda position, move: played.append(move.text) or play(position, move))
    line, looked = hunted(multiverse(2, position="2k1r3/8/8/8/8/8/8/2K5 w - - 0 1"), "r")
    assert line is not None
    assert len(played) == looked - 1


@pytest.mark.rule("make-a-rule", "R5")
def test_a_search_ends_at_a_stated_number_of_positions(monkeypatch):
    """A rook that has 4 squares and a king that has 25 make 100 positions; with one square more it is open."""
    text = (files("nomic_nb") / "chess" / "rulesets" / "make-a-rule.md").read_text(encoding="utf-8")
    assert f"looks for such moves in {attacks.MOST_POSITIONS} positions for each army" in text.replace("\n> ", " ")
    monkeypatch.setattr(attacks, "MOST_POSITIONS", 100)
    captures = "forbid move when count(captures) > 0 and piece.square.rank > 0\n"
    king = 'forbid move when piece.kind == "K" and not (target.file <= 5 and target.rank >= 4)\n'
    rook = 'forbid move when piece.kind == "R" and not (target.file == 8 and target.rank >= {})'
    game = multiverse(2, position="2k4r/8/8/8/8/8/8/K7 w - - 0 1")
    label = make(game, captures + king + rook.format(5))
    assert hunted(game, "k", "r") == (None, 100)
    game.propose("Ben", nb.repeal(label))
    make(game, captures + king + rook.format(4))
    with refusals.refused("capture-not-found", Undecided, looked_at=100):
        hunted(game, "k", "r")


@pytest.mark.rule("make-a-rule", "R7")
def test_in_check_nobody_makes_a_rule_or_repeals_one():
    game = played("4k3/8/8/8/4r3/8/8/4K3")
    with refused(
        game,
        "not-proposable",
        evidence="the rook of yellow Zaphod:1.e4 attacks the king of white Zaphod:1.e1",
        rule="R7",
    ):
        propose(game, "")
    game = played("4k3/8/8/8/8/8/8/4K2R")
    agreed(game, 'forbid move when player.name == "Ann" and circuit % 5 != 0')
    game.host.set_up("4k3/8/8/8/4R3/8/8/4K3 b - - 0 1", agreed=["Ann", "Ben"], reason="a problem")
    propose(game, "")  # the rook moves in every fifth turn only, and that is not Ann's next


@pytest.mark.rule("make-a-rule", "R8")
def test_what_one_has_more_of_is_not_made_stronger_and_what_others_have_more_of_not_weaker():
    stronger, weaker = 'piece P moves otherwise + "mW"', 'piece P moves "mfWcfF"'
    game = played(PAWNS)  # Ann has 8 pawns, Ben 7
    with refused(
        game, "not-proposable", evidence="pawns (Ann 8, Ben 7): white’s pawn on Zaphod:1.a2 could go to", rule="R8"
    ):
        propose(game, stronger)
    propose(game, weaker)
    game = played(PAWNS, "Ben")
    with refused(
        game,
        "not-proposable",
        evidence="pawns (Ann 8, Ben 7): white’s pawn on Zaphod:1.a2 could no longer go to",
        rule="R8",
    ):
        propose(game, weaker)
    propose(game, stronger)


@pytest.mark.rule("make-a-rule", "R8")
def test_of_equal_armies_either_may_be_changed():
    for law in (
        'piece N moves otherwise + "K"', 'piece N moves "ffN"', "set pawn.double_step_ranks to []",
        'forbid move when piece.kind == "N" and circuit % 5 != 0',
    ):  # fmt: skip
        propose(begun(2, restricted=True), law)


@pytest.mark.rule("make-a-rule", "R8")
def test_what_is_stronger_in_part_or_bears_on_one_player_the_others_judge():
    propose(begun(3, restricted=True), 'piece N moves "K"')
    game = played("4k3/8/8/8/8/8/8/N3K3")
    assert asked(game, 'piece N moves "K"', "unfair advantage") == ["Ben"]
    game.choose("Ben", "true")
    propose(game, 'piece N moves "K"')
    game = begun(2, restricted=True)
    assert asked(game, 'piece Q of army_named("white") moves otherwise + "N"', "unfair advantage") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R8")
def test_the_meter_looks_at_the_same_positions_whenever_it_is_asked():
    said = set()
    for _ in range(2):
        game = played(PAWNS)
        with pytest.raises(nb.IllegalAction) as caught:
            propose(game, 'piece P moves otherwise + "F"')
        said.add(str(caught.value))
    assert len(said) == 1


@pytest.mark.rule("make-a-rule", "R8")
def test_pieces_taken_by_chance():
    two = '[square_named("Zaphod:1.{}").piece, square_named("Zaphod:1.{}").piece]'
    law = f"on turn_begun when circuit > 4: roll 1 of 2 as x; remove item([p for p in {two} if not p.royal], x)"
    game = played("r3k3/8/8/8/8/8/7P/4K2R")
    with refused(game, "not-proposable", evidence="Ben would lose 5/2 points on average", rule="R8"):
        propose(game, law.format("a8", "h2"))
    propose(game, law.format("a8", "h1"))


@pytest.mark.rule("make-a-rule", "R9")
def test_of_the_kinds_that_both_have_one_keeps_the_right_to_move():
    game = played("4k3/8/8/8/8/8/8/Q3K3")
    game.propose("Ben", nb.repeal("R5"))  # or that rule would refuse it first
    game.vote("Ann", "for")
    with refused(
        game, "not-proposable", evidence="no kind of piece that every army in Zaphod:1 has (K) can move", rule="R9"
    ):
        propose(game, 'forbid move when piece.kind != "Q"')
    propose(game, 'forbid move when not piece.kind in ["Q", "K"]')


@pytest.mark.rule("make-a-rule", "R10")
@pytest.mark.parametrize(
    ("law", "rule"),
    [
        ("forbid propose when turn > 3", "R10"),
        ("require count(rules) < 90", "R10"),
        ("set turn.parts to []", "R10"),
        ("set vote.quota to 3", "R10.1"),
    ],
)
def test_no_rule_takes_the_making_of_rules_away(law, rule):
    game = begun(2, restricted=True)
    with refused(game, "not-proposable", rule=rule):
        propose(game, law)


@pytest.mark.rule("make-a-rule", "R10")
@pytest.mark.parametrize(
    "law",
    [
        "on adopted: end play",
        "track fines per player from 0\non adopted: put fines of proponent at 1",
        "on turn_ended when any(p.proponent == player for p in proposals): eliminate player",
        "on part_begun: end turn",
    ],
)
def test_what_punishes_the_making_of_rules_the_others_judge(law):
    game = begun(2, restricted=True)
    assert asked(game, law, "making of rules|from making rules") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R11")
def test_pieces_go_two_turns_later_at_the_soonest():
    squares = " ".join(f'remove square_named("{ONE}.h{rank}").piece;' for rank in (2, 7)).rstrip(";")
    game = begun(2, restricted=True)
    with refused(
        game,
        "not-proposable",
        evidence="at once it removes the pawn of white Zaphod:1.h2 and the pawn of yellow",
        rule="R11",
    ):
        propose(game, f"on enacted when rule == this: {squares}")
    later = "; ".join(f'after {{}} turns: remove square_named("{ONE}.h{rank}").piece' for rank in (2, 7))
    with refused(game, "not-proposable", evidence="after 3 turns it removes", rule="R11"):
        propose(game, f"on enacted when rule == this: {later.format(3, 3)}")
    with refused(game, "not-proposable", evidence="after 1 turn it removes", rule="R11"):
        propose(game, f'on turn_ended: remove square_named("{ONE}.h2").piece')
    circuit = game.circuit
    agreed(game, f"on enacted when rule == this: {later.format(4, 4)}")
    while game.state.position.at(f"{ONE}.h2"):
        make(game)
    assert (game.circuit, game.player) == (circuit + 2, "Ann")


@pytest.mark.rule("make-a-rule", "R11")
def test_no_piece_goes_once_the_game_is_won_in_a_turn_to_come(tmp_path):
    law = without_restrictions("R11").read_text(encoding="utf-8")
    won = re.sub(r"set win.winners to .*(\n    .*)*", "set win.winners to (seats if turn >= 3 else [])", law)
    for text, goes in ((law, True), (won, False)):
        (tmp_path / "rules.md").write_text(text, encoding="utf-8")
        game = nb.new_game(tmp_path / "rules.md", ["Ann", "Ben"], seed=1)
        name_king(game)
        later = nb.enact("Later.", law='on turn_begun when turn == 4: remove army_named("yellow").pieces')
        with refused(game, "not-proposable", rule="R11") if goes else nullcontext():
            game.propose("Ann", later)


@pytest.mark.rule("make-a-rule", "R11")
def test_what_only_turns_to_come_leave_open_is_asked_about_the_rule_that_is_made():
    game = begun(2, kept=("R11",))
    make(game, "set turn.sequence to ordered(seats, [max([n for n in [1] if turn < 3]) for p in seats])")
    assert asked(game, 'on moved: announce "Hm."', "R11 applies, because .* turn.sequence") == ["Ann"]
    game.choose("Ann", "true")
    name = game.propose(game.player, nb.enact("So be it.", law='on moved: announce "Hm."')).number
    assert name in game.rules


BECOMES = "on enacted each x in squares when rule == this and x.piece != none and x.piece.kind"


def test_what_a_repeal_would_leave_open_is_asked_about_the_repeal_and_the_answer_counts():
    game = begun(2, restricted=True)
    made = propose(game, f'piece A moves "B3"\n{BECOMES} == "B": promote x.piece to "A"').number
    for _ in range(2):
        phase(game)
    maker, other = game.player, next(name for name in game.players if name != game.player)
    with refusals.refused("permission-open-and-asked", question="applies, because no rule says how A moves"):
        game.propose(maker, nb.repeal(made))
    assert [one.player for one in game.pending if one.must] == [other], "the others are asked"
    game.choose(other, "false")
    with refused(game, "not-proposable"):
        game.propose(maker, nb.repeal(made))
    phase(game)
    phase(game)
    with refusals.refused("permission-open-and-asked", question="no rule says how A moves"):
        game.propose(maker, nb.repeal(made))
    game.choose(other, "true")
    game.propose(maker, nb.repeal(made))
    assert made not in game.rules
    assert "no rule says how a moves" in game.pending[0].prompt.lower(), "now it matters, and now it is asked"
    for name in game.players:
        game.choose(name, '"B"')
    assert moves(game)


def test_how_pieces_move_is_asked_of_each_kind_wherever_it_is_needed():
    game = begun(2)
    kinds = f'{BECOMES} in ["B", "N"]: promote x.piece to ("A" if x.piece.kind == "B" else "E")'
    needs = "set move.count to (1 if any(count(reach(x.piece)) > 40 for x in squares if x.piece != none) else 2)"
    propose(game, f"{kinds}\n{needs}")
    for kind in "EA":
        question = game.state.questions[0]
        assert question.key == "piece.moves"
        assert f'when kind == "{kind}"' in question.text
        for name in game.players:
            game.choose(name, '"B"')
    assert not game.state.questions
    assert moves(game)


@pytest.mark.rule("make-a-rule", "R12")
def test_no_rule_puts_an_opponent_in_check():
    law = 'piece R moves otherwise + "B"'
    game = played("4k2r/8/8/8/R7/8/8/4K3")
    with refused(
        game,
        "not-proposable",
        evidence="if it were law, the rook of white Zaphod:1.a4 attacks the king of yellow",
        rule="R12",
    ):
        propose(game, law)
    propose(played("4k2r/3p4/8/8/R7/8/8/4K3"), law)


@pytest.mark.rule("make-a-rule", "R12")
def test_chance_may():
    game = played("4k3/7p/8/8/8/8/8/Q3K3")
    throw = "on enacted when rule == this: roll 1 of 6 as x; "
    agreed(game, throw + f'move square_named("{ONE}.a1").piece to square_named("{ONE}.a8")')
    game = played("4k3/7p/8/8/8/8/8/Q3K3")
    sure = f'on enacted when rule == this: move square_named("{ONE}.a1").piece to square_named("{ONE}.a8")'
    with refused(game, "not-proposable", rule="R12"):
        propose(game, f'{throw}announce "Luck."\n{sure}')


@pytest.mark.rule("make-a-rule", "R13", "R16")
def test_the_aim_stays_and_no_rule_breaks_a_meta_rule():
    game = begun(2, restricted=True)
    with refused(game, "not-proposable", rule="R13"):
        propose(game, 'set win.winners to [player_named("Ann")]')
    with refused(
        game, "not-proposable", evidence="it contradicts rule M4 “The king is lost” on royal.capture", rule="R16"
    ):
        propose(game, 'set royal.capture to "never"')


@pytest.mark.rule("make-a-rule", "R16", "M3")
@pytest.mark.parametrize(
    "law",
    [
        'on turn_begun each k in royals: put crown of k at "dummy"',
        "on turn_begun each r in rules: put presumer of r at none",
        "on turn_ended each r in rules when r.questioned: put questioned of r at false",
    ],
)
def test_no_rule_touches_what_the_meta_rules_keep_count_of(law):
    game = begun(2, restricted=True)
    with refused(game, "not-proposable", rule="R16"):
        propose(game, law)


@pytest.mark.rule("make-a-rule", "R5", "M3")
def test_nobody_is_left_without_a_king_and_of_new_ones_the_others_judge():
    game = begun(2, restricted=True)
    for what in ("uncrown royals", 'convert royals_of(player_named("Ann")) to army_named("yellow")'):
        with refused(game, "not-proposable", rule="R5"):
            propose(game, f"on enacted when rule == this: {what}")
    law = 'on enacted when rule == this: crown [p for p in pieces_of(player_named("Ann")) if p.kind == "Q"]'
    assert asked(game, law, "safe from capture for good") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R16")
def test_what_contradicts_a_meta_rule_is_seen_whatever_somebody_is_to_choose():
    game = begun(2, restricted=True)
    chosen = 'on enacted when rule == this: let playing choose which from [1, 2]; announce "So it is."\n'
    with refused(game, "not-proposable", evidence="it contradicts rule M4", rule="R16"):
        propose(game, chosen + 'set royal.capture to "never"')


@pytest.mark.rule("make-a-rule", "R2", "R12")
def test_a_repeal_is_held_to_what_rules_are():
    game = played("4k2r/8/8/8/R7/8/8/4K3")
    label = propose(game, 'piece R moves "W"').number
    while (game.player, game.circuit) != ("Ben", 3):
        make(game)
    game.host.set_up("4k3/8/8/4R3/8/8/8/4K2r b - - 0 1", agreed=["Ann", "Ben"], reason="a problem")
    with refused(
        game, "not-proposable", evidence="the rook of yellow Zaphod:1.h1 attacks the king of white", rule="R12"
    ):
        game.propose("Ben", nb.repeal(label))


@pytest.mark.rule("make-a-rule", "D11")
def test_what_a_rule_has_made_stays_when_it_is_repealed():
    game = played("4k3/p7/8/8/8/8/P7/4K3")
    law = f'on enacted when rule == this: place "Q" of army_named("white") at square_named("{ONE}.d4")'
    label = agreed(game, law)
    for _ in range(2):
        make(game)
    game.propose(game.player, nb.repeal(label))
    make(game)
    assert label not in game.rules
    assert game.state.position.at(f"{ONE}.d4").kind == "q"


def test_games_with_refusals_and_answers_load_to_the_same_state(tmp_path):
    game = begun(3, restricted=True)
    law = 'piece Q of army_named("white") moves otherwise + "N"'
    asked(game, law, "unfair advantage")
    for name in ("Ben", "Cleo"):
        game.choose(name, "true")
    propose(game, law)
    name_king(game)
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.rule("make-a-rule", "R10", "R13", "R16")
@pytest.mark.parametrize(
    ("law", "rule"),
    [
        ('set turn.sequence to [player_named("Ann")]', "R10"),
        ('instead of won: announce "Never."', "R13"),
        ("forbid choose", "R16"),
        ("set proposal.owed to false", "R10.1"),
        ("set change.automatic to false", "R10.1"),
        ('forbid choose when player == player_named("Ben")', "R16"),
    ],
)
def test_no_rule_shuts_others_out(law, rule):
    game = begun(3, restricted=True)
    with refused(game, "not-proposable", rule=rule):
        game.propose("Ann", nb.enact("Never.", law))


@contextmanager
def at_most_by(rule):
    """Whatever is refused or asked inside is so by this rule alone."""
    try:
        yield
    except nb.IllegalAction as error:
        if not re.search(rf"rule {rule}\b", str(error)):
            raise


@pytest.mark.rule("make-a-rule", "R5")
@pytest.mark.parametrize(
    ("until", "safe"), [("circuit > 3", True), ("circuit > 300", True), ("circuit % 5 > 0", False)]
)
def test_a_king_that_is_safe_from_some_turn_on_is_safe_for_good(until, safe):
    game = begun(2, restricted=True)
    law = f"forbid move when any(c.royal for c in captures) and {until}"
    if safe:
        with refused(game, "not-proposable", evidence="could ever capture the king", rule="R5"):
            game.propose("Ann", nb.enact("Safe.", law))
    else:
        with at_most_by("R8"):  # in the positions that are tried one of them may lose more by it
            assert game.propose("Ann", nb.enact("Safe at times.", law)).number == "P1.1"


@pytest.mark.rule("make-a-rule", "R4", "R8", "R10", "R13")
@pytest.mark.parametrize(
    ("law", "rule", "why"),
    [
        ("set turn.sequence to reversed(seats)", "R10", "whether it keeps anybody from making rules"),
        ("set turn.next to [mover]", "R10", "whether it keeps anybody from making rules"),
        ("set turn.sequence to [p for p in seats if p.playing] while circuit > 4", "R10", "keeps anybody from making"),
        ('instead of eliminated: announce "Never."', "R13", "whether it changes the aim"),
        ("on turn_begun: take back last_moves", "R4", "as if it had held before"),
        ('offer "undo": take back last_moves', "R4", "as if it had held before"),
        ("on repealed when rule == this: each p in playing: remove pieces_of(p)", "R10", "puts a price on"),
        ('on moved: convert piece to army_named("white")', "R8", "unfair advantage"),
        ("on turn_begun when circuit == 5: remove promotable(item(seats, 2))", "R8", "unfair advantage"),
        ('offer "gift": place "Q" of army_named("white") at square_named("Zaphod:1.e4")', "R8", "unfair advantage"),
        ('set move.count to 2 while mover == player_named("Ann")', "R8", "unfair advantage"),
        ("on moved: roll 1 of 6 as luck; when luck > 3: remove piece", "R8", "depends on the piece there at that time"),
    ],
)
def test_what_may_shut_others_out_the_others_judge(law, rule, why):
    game = begun(2, restricted=True)
    with refusals.refused("permission-open-and-asked", question=why) as caught:
        game.propose("Ann", nb.enact("Hm.", law))
    assert f"rule {rule}" in caught.value.values["question"]
    assert [one.player for one in game.pending if one.must] == ["Ben"], "who would not do it"


@pytest.mark.rule("make-a-rule", "R16")
def test_a_ban_on_offers_is_none_on_what_meta_rules_offer():
    game = begun(3, restricted=True)
    make(game, 'forbid take\noffer "sing": announce "La."')
    offered = [one.options for one in game.pending if one.action == "take"]
    assert any("challenge a rule" in one for one in offered)
    assert not any("sing" in one for one in offered)
    game.take("Ben", "challenge a rule")


@pytest.mark.rule("make-a-rule", "R10", "R13")
@pytest.mark.parametrize("system", ["discordian-nomic", "nomic-chess"])
def test_what_a_rule_brings_in_is_its_own_doing(system):
    game = begun(2, restricted=True)
    with refused(game, "not-proposable", rule="R10"):
        game.propose("Ann", nb.enact("All of it.", law=f"incorporate {system}"))
    game.propose("Ann", nb.enact("As it is.", law="incorporate fide-chess"))  # which is in force already


@pytest.mark.rule("make-a-rule", "K1")
def test_a_check_that_only_stands_is_not_given_again():
    game = multiverse(2)
    name_king(game)
    name_king(game)
    game.host.set_up("4k3/7p/8/8/8/8/P7/3QK3 w - - 0 1", agreed=["Ann", "Ben"], reason="a problem")
    given = []
    for player, move in (("Ann", "d1a4"), ("Ben", "h7h6"), ("Ann", "a2a3"), ("Ben", "h6h5"), ("Ann", "a4b5")):
        game.move(player, f"{ONE}.{move[:2]}-{ONE}.{move[2:]}")
        given.append(len([event for event in game.timeline.events if event.kind == "checked"]))
    assert given == [1, 1, 1, 1, 2]  # the queen leaves, and checks from elsewhere
