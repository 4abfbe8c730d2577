"""Make-A-Rule Chess: how an unclear rule is meant, what is challenged, and moves that are taken back for it."""

from functools import cache

import pytest
import refusals
from make_a_rule_helpers import begun, make, moves, name_king, phase
from play_helpers import refused

import nomic_nb as nb
from nomic_nb.study.review.review import review_draft

ONE, THREE = "Zaphod:1", "Zaphod:3"
CAMELS, DABBABAS = 'piece N moves otherwise + "C"', 'piece N moves otherwise + "D"'
JUMP = f"{ONE}.b8-{ONE}.b6"
DENY = "deny what is presumed"


@cache
def _made(count, law, medium):
    game = begun(count, kept=("R6", "R16"), medium=medium)
    return game, make(game, law)


@cache
def _presumed(count, medium):
    game, label = made(count, medium=medium)
    game.propose("Ben", nb.amend(label, "And like dabbabas.", law=DABBABAS, add=True))
    return game, label


def made(count=2, law=CAMELS, medium="computer"):
    """A game in which Ann has made a rule, and Ben is on turn."""
    game, label = _made(count, law, medium)
    return game.fork(), label


def presumed(count=2, medium="computer"):
    """Ben presumes, too, that knights go like dabbabas."""
    game, label = _presumed(count, medium)
    return game.fork(), label


def knight(game):
    return game.why("piece.moves", kind="N", army="green" if len(game.players) > 2 else "yellow").value


def open_to(game, action):
    return {(one.player, *one.options) for one in game.pending if one.action == action}


def deny(game, player, label):
    game.take(player, DENY)
    game.choose(player, f"rule {label}")


def standing(game, board=ONE):
    pieces = game.state.position.pieces.values()
    return {(one.kind, one.army, one.square, one.moved) for one in pieces if one.board == board}


@pytest.mark.rule("make-a-rule", "R17")
def test_what_is_presumed_holds_at_once_and_silence_makes_it_part_of_the_rule():
    game, label = presumed(3)
    assert game.player == "Ben", "it is beside what is owed"
    assert knight(game) == "NCD"
    assert game.rules[label].wording.endswith("And like dabbabas.")
    assert open_to(game, "take") >= {("Ann", DENY)}
    phase(game, JUMP)
    make(game)
    assert open_to(game, "take") >= {("Ann", DENY)}, "her phase has begun, and Ben's has not"
    make(game)
    assert (game.player, knight(game)) == ("Ben", "NCD")
    with refused(game, "offered-to-others", who="nobody now"):
        game.take("Ann", DENY)


@pytest.mark.rule("make-a-rule", "R17")
@pytest.mark.parametrize("count", [2, 3])
def test_what_rests_on_it_is_made_anew_when_the_author_denies_it(count):
    game, label = presumed(count)
    before = standing(game)
    phase(game, JUMP)
    player, elsewhere = game.player, standing(game, THREE) if count > 2 else None
    deny(game, "Ann", label)
    assert standing(game) == before
    assert game.rules[label].wording == "So be it."
    (asked,) = [one for one in game.pending if one.action == "choose"]
    assert asked.player == "Ben"
    assert JUMP not in asked.options
    assert f"{ONE}.b8-{ONE}.c5" in asked.options, "the rule itself stands"
    assert all(one.startswith(ONE) for one in asked.options if one != "none")
    game.choose("Ben", f"{ONE}.d7-{ONE}.d5")
    assert game.state.position.at(f"{ONE}.d5").kind == "p"
    assert game.player == player, "play goes on where it stood"
    assert count == 2 or standing(game, THREE) == elsewhere


@pytest.mark.rule("make-a-rule", "R17")
@pytest.mark.parametrize("other", [f"{ONE}.d7-{ONE}.d5", f"{ONE}.d7-{ONE}.d1", "no idea"])
def test_another_move_can_be_named_beforehand(other):
    game, label = presumed()
    game.take("Ben", "name another move")
    game.choose("Ben", other)
    phase(game, JUMP)
    deny(game, "Ann", label)
    asked = [one.player for one in game.pending if one.action == "choose"]
    if other.endswith("d5"):
        assert (game.state.position.at(f"{ONE}.d5").kind, asked) == ("p", [])
        assert game.player == "Ann"
    else:
        assert asked == ["Ben"]


@pytest.mark.rule("make-a-rule", "R17")
def test_a_move_that_could_have_been_made_anyway_stands():
    game, label = presumed()
    phase(game, f"{ONE}.b8-{ONE}.c6")
    deny(game, "Ann", label)
    assert game.state.position.at(f"{ONE}.c6").kind == "n"
    assert not open_to(game, "choose")


@pytest.mark.rule("make-a-rule", "R17")
def test_a_move_to_which_the_other_has_moved_since_stands():
    game, label = presumed(3)
    phase(game, JUMP)
    make(game)
    game.move("Ann", f"{ONE}.a2-{ONE}.a3")
    deny(game, "Ann", label)
    assert game.state.position.at(f"{ONE}.b6").kind == "n"


@pytest.mark.rule("make-a-rule", "R17", "R3", "R6")
def test_the_rule_stays_as_old_as_it_is_and_keeps_its_label():
    game, label = made(law='piece N moves "C"')
    other = make(game, 'piece N moves "K"\npiece R moves "W"')
    make(game)
    make(game)
    game.propose("Ann", nb.amend(other, "Rooks too.", law='piece B moves "F"', add=True))
    game.propose("Ann", nb.enact("Bishops.", law='piece B moves "C"'))
    assert game.why("piece.moves", kind="B", army="white").value == "C", "what came later goes first"
    assert game.rules["P1.3"].proposal == "P1.3", "what is presumed takes no number of a rule"
    game.propose("Ben", nb.amend(label, "Slowly.", add=True))
    assert (label in game.rules, knight(game)) == (True, "K")


@pytest.mark.rule("make-a-rule", "R17")
@pytest.mark.parametrize("medium", ["mail", "computer", "table"])
def test_at_a_table_one_asks(medium):
    game, label = made(medium=medium)
    change = nb.amend(label, "And like dabbabas.", add=True)
    if medium == "table":
        with refused(game, "not-proposable", rule="R17"):
            game.propose("Ben", change)
    else:
        game.propose("Ben", change)


@pytest.mark.rule("make-a-rule", "R17")
def test_what_is_no_presumption():
    game, label = made(3)
    more = nb.amend(label, "And like dabbabas.", add=True)
    for player, change in (("Ben", nb.amend(label, "Something else.")), ("Ann", more), ("Cleo", more)):
        with refused(game, "not-proposable", rule="R17"):
            game.propose(player, change)
    game.propose("Ben", more)
    with refused(game, "not-proposable", rule="R17"):
        game.propose("Ben", more)


@pytest.mark.rule("make-a-rule", "R17", "R8", "R10")
def test_what_is_presumed_is_held_to_what_rules_are():
    game = begun(2, restricted=True)
    label = make(game)
    with refused(game, "not-proposable", rule="R10"):
        game.propose("Ben", nb.amend(label, "x", law="forbid propose", add=True))
    with refusals.refused("permission-open-and-asked", question="unfair advantage"):
        game.propose("Ben", nb.amend(label, "x", law='piece Q of army_named("white") moves "N"', add=True))
    assert [one.player for one in game.pending if one.must] == ["Ann"]


@pytest.mark.rule("make-a-rule", "R17")
def test_nobody_else_denies_it_and_nobody_twice():
    game, label = made(3)
    game.propose("Ben", nb.amend(label, "And like dabbabas.", law=DABBABAS, add=True))
    for _ in range(3):
        make(game)
    game.propose("Ben", nb.amend(label, "And like zebras.", law='piece N moves otherwise + "Z"', add=True))
    for name in ("Ben", "Cleo"):
        with refused(game, "offered-to-others", who="Ann", player=name):
            game.take(name, DENY)
    game.take("Ann", DENY)
    for name, code in (("Ann", "offer-under-way"), ("Cleo", "offered-to-others")):
        with refused(game, code):
            game.take(name, DENY)
    with refused(game, "another-does"):
        game.choose("Cleo", f"rule {label}")
    game.choose("Ann", f"rule {label}")
    assert knight(game) == "NCD", "what was part of the rule already stays"


@pytest.mark.rule("make-a-rule", "R17")
def test_where_the_author_is_out_another_denies_it():
    game, label = made(3)
    game.forfeit("Ann")
    name_king(game)
    game.propose("Ben", nb.amend(label, "And like dabbabas.", law=DABBABAS, add=True))
    with refused(game, "offered-to-others", player="Ben"):
        game.take("Ben", DENY)
    deny(game, "Cleo", label)
    assert knight(game) == "NC"


@pytest.mark.rule("make-a-rule", "R17", "R16")
def test_it_loads_to_the_same_state(tmp_path):
    game, label = presumed(3, medium="mail")
    phase(game, JUMP)
    deny(game, "Ann", label)
    game.choose("Ben", f"{ONE}.g8-{ONE}.f6")
    game.take("Cleo", "challenge a move")
    game.choose("Cleo", f"Ben's move {ONE}.g8-{ONE}.f6")
    game.choose("Ann", f"{ONE}.g8-{ONE}.f6 is taken back")
    game.choose("Ben", f"{ONE}.a7-{ONE}.a6")
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


# moves that are taken back


@pytest.mark.parametrize(
    ("fen", "move", "more"),
    [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - -", f"{ONE}.e4-{ONE}.d5", None),
        ("4k3/8/8/8/8/8/8/4K2R w K -", f"{ONE}.e1-{ONE}.g1", None),
        ("4k3/P7/8/8/8/8/8/4K3 w - -", f"{ONE}.a7-{ONE}.a8=Q", None),
        ("4k3/3p4/8/4P3/8/8/8/4K3 w - -", f"{ONE}.e5-{ONE}.d6", f"{ONE}.d7-{ONE}.d5"),
    ],
)
def test_the_boards_are_as_they_were(fen, move, more):
    game = begun(2, kept=("R16",), position=f"{fen} 0 1")
    if more:
        make(game)
        phase(game, more)
    before, passings = standing(game), game.state.position.passings
    phase(game, move)
    assert standing(game) != before
    game.take("Ben", "challenge a move")
    game.choose("Ben", f"Ann's move {move}")
    game.choose("Ann", f"{move} is taken back")
    assert standing(game) == before
    assert game.state.position.passings == passings
    assert not set(game.state.gone) & set(game.state.position.pieces)
    (asked,) = [one for one in game.pending if one.action == "choose"]
    assert move in asked.options
    game.choose("Ann", move)
    assert standing(game) != before
    assert game.player == "Ben"
    assert list(game.moves.player).count("Ann") == 1, "what was taken back is no move"


def test_what_has_changed_since_is_not_taken_back():
    game = begun(2, kept=("R16",), position="4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    game.propose("Ann", nb.enact("Captures convert.", law='set capture.result to "convert"'))
    make(game)
    phase(game, f"{ONE}.e4-{ONE}.d5")
    game.take("Ben", "challenge a move")
    game.choose("Ben", f"Ann's move {ONE}.e4-{ONE}.d5")
    before = standing(game)
    game.choose("Ann", f"{ONE}.e4-{ONE}.d5 is taken back")
    assert standing(game) == before
    assert "not_taken_back" in list(game.history.kind)


# doubts


IN_DOUBT = nb.enact("Boards grow every round.", law="on circuit_ended: grow [b for b in boards if b.ranks < 6] by 1")


def test_what_is_in_doubt_is_asked_or_stands_until_it_is_challenged(tmp_path):
    asked = nb.new_game("make-a-rule", ["Ann", "Ben"], seed=3)
    stands = nb.new_game("make-a-rule", ["Ann", "Ben"], seed=3, terms={"question.doubt": "challenge"})
    assert "Ben will be asked" in str(asked.preview("Ann", IN_DOUBT)), "before anything is pressed"
    assert any("Ben will be asked" in one for one in review_draft(asked.timeline, "Ann", IN_DOUBT)[0])
    assert "will be asked" not in str(stands.preview("Ann", IN_DOUBT))
    assert any("unless it is challenged" in one for one in review_draft(stands.timeline, "Ann", IN_DOUBT)[0])
    with refusals.refused("permission-open-and-asked"):
        asked.propose("Ann", IN_DOUBT)
    assert [one.who for one in asked.state.questions] == [("Ben",)]
    stands.propose("Ann", IN_DOUBT)
    assert not stands.state.questions
    label = "P1.1"
    assert label in stands.rules
    told = list(stands.history["what"])
    (doubt,) = [one for one in told if "The question is whether" in one]
    assert doubt.startswith("Ann may propose")
    assert "the question is settled: “it stands unless it is challenged”" in told
    assert challenge(stands, "Ben", "rule").keys() == {"Ann"}
    stands.choose("Ann", f"{label} breaks a meta-rule")
    assert label not in stands.rules
    stands.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == stands.state.digest()


# challenges


def challenge(game, player, what):
    game.take(player, f"challenge a {what}")
    (asked,) = [one for one in game.pending if one.action == "choose"]
    game.choose(player, asked.options[0])
    return {one.player: one.options for one in game.pending if one.action == "choose"}


@pytest.mark.rule("make-a-rule", "R16")
def test_the_others_say_whether_a_rule_breaks_a_meta_rule():
    game, label = made(4)
    phase(game, JUMP.replace("b6", "c6"))
    asked = challenge(game, "Ben", "rule")
    assert asked.keys() == {"Cleo", "Dov"}, "neither the maker nor the challenger"
    game.choose("Cleo", f"{label} breaks a meta-rule")
    game.choose("Dov", f"{label} breaks a meta-rule")
    assert label not in game.rules, "guaranteed or not"
    assert knight(game) == "N"
    assert game.state.position.at(f"{ONE}.c6").kind == "n", "what could be done without it stands"


@pytest.mark.rule("make-a-rule", "R16")
def test_they_have_to_agree_and_a_rule_is_challenged_once():
    game, label = made(4)
    challenge(game, "Ben", "rule")
    game.choose("Cleo", f"{label} breaks a meta-rule")
    game.choose("Dov", f"{label} may stand")
    assert label in game.rules
    assert ("Dov", "challenge a rule") not in open_to(game, "take")
    assert not [one for one in open_to(game, "take") if one[0] == "Ann"], "nobody challenges their own"


@pytest.mark.rule("make-a-rule", "R16", "R17")
@pytest.mark.parametrize("what", ["challenge a rule", "challenge a move", "deny what is presumed"])
def test_what_names_nothing_yet_is_called_off(what, tmp_path):
    game, label = presumed(3) if "deny" in what else made(3)
    player = "Ann" if "deny" in what else "Cleo"
    phase(game, JUMP if "deny" in what else JUMP.replace("b6", "c6"))
    before = knight(game), moves(game)
    game.take(player, what)
    game.choose(player, "none")
    assert (knight(game), moves(game), label in game.rules) == (*before, True)
    assert not game.state.questions
    assert (player, what) in open_to(game, "take"), "nothing is used up"
    game.take(player, what)
    (asked,) = [one for one in game.pending if one.action == "choose"]
    game.choose(player, asked.options[0])
    assert (player, what) not in open_to(game, "take")
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.rule("make-a-rule", "R16")
def test_moves_by_a_rule_that_falls_are_made_anew():
    game, label = made(3)
    phase(game, f"{ONE}.b8-{ONE}.c5")
    challenge(game, "Cleo", "rule")
    game.choose("Ben", f"{label} breaks a meta-rule")
    assert game.state.position.at(f"{ONE}.b8").kind == "n"
    (asked,) = [one for one in game.pending if one.action == "choose"]
    assert (asked.player, f"{ONE}.b8-{ONE}.c5" in asked.options) == ("Ben", False)


@pytest.mark.rule("make-a-rule", "R16")
def test_of_two_players_the_other_has_to_admit_it():
    game, label = made()
    assert challenge(game, "Ben", "rule").keys() == {"Ann"}
    game.choose("Ann", f"{label} may stand")
    assert label in game.rules


@pytest.mark.rule("make-a-rule", "R16")
def test_a_move_stands_that_nobody_has_challenged_for_a_full_turn():
    game, _ = made(3, law="")
    phase(game, f"{ONE}.b8-{ONE}.c6")
    for _ in range(3):
        assert ("Cleo", "challenge a move") in open_to(game, "take")
        make(game)
    assert game.player == "Cleo", "the next phase of whoever made it is over"
    assert ("Cleo", "challenge a move") not in open_to(game, "take")
    with refused(game, "offer-needs", player="Cleo"):
        game.take("Cleo", "challenge a move")
    assert moves(game)


@pytest.mark.rule("make-a-rule", "R17", "R1.3")
def test_a_rule_for_the_universe_in_the_phase_of_another_is_no_bar():
    game, label = presumed(3)
    phase(game, JUMP)
    make(game)
    make(game, universe=ONE)
    deny(game, "Ann", label)
    (asked,) = [one for one in game.pending if one.action == "choose"]
    assert (asked.player, f"{ONE}.a7-{ONE}.a6" in asked.options) == ("Ben", True)
    game.choose("Ben", f"{ONE}.a7-{ONE}.a6")
    assert {one.partition(".")[0] for one in moves(game)} == {"Zaphod:2"}, "Ann still moves where she has made no rule"
