"""Make-A-Rule Chess: no rule keeps anybody from making rules, or play from going on; what is asked holds."""

import pytest
import refusals
from make_a_rule_helpers import begun, make, phase
from play_helpers import refused

import nomic_nb as nb

ONE = "Zaphod:1"


def begun_with(law, count=2, **more):
    """A game with the restrictions in which the first player has made a rule."""
    game = begun(count, restricted=True)
    make(game, law, **more)
    return game


# ------------------------------------------------------------------------------ what rules oblige to


@pytest.mark.rule("make-a-rule", "R10", "R16")
@pytest.mark.parametrize(
    "law",
    [
        "on turn_begun: oblige player to move",
        "on turn_begun: oblige player to say or move",
        "on moved: oblige next_player to move",
        "on turn_begun: oblige player to move or propose",
    ],
)
def test_no_rule_obliges_to_move_since_rules_come_before_the_moves(law):
    game = begun(2, restricted=True)
    with refused(game, "not-proposable", evidence="no rule obliges anybody to move, or to make one", rule="R16"):
        game.propose("Ann", nb.enact("Forward!", law=law))


@pytest.mark.rule("make-a-rule", "R10")
@pytest.mark.parametrize("action", ["say", "act", "define"])
def test_whether_any_other_duty_keeps_somebody_from_making_rules_the_others_judge(action):
    game = begun(2, restricted=True)
    change = nb.enact("So be it.", law=f"on turn_begun: oblige player to {action}")
    with refusals.refused("permission-open-and-asked", question="whether it keeps anybody from making rules"):
        game.propose("Ann", change)
    assert [one.player for one in game.pending if one.must] == ["Ben"]


@pytest.mark.rule("make-a-rule", "M2")
@pytest.mark.parametrize(
    "effect", ["oblige player to move", "oblige player to say", 'enter player "Zoe" as person', "oblige mover to act"]
)
def test_a_rule_for_one_universe_obliges_nobody_and_brings_nobody_in(effect):
    game = begun(3, restricted=True)
    with refused(
        game, "felt-in-all-universes", universe="Zaphod:1", by=" (rule M2)", expected="a rule for all universes"
    ):
        game.propose("Ann", nb.enact("So be it.", law=f"on turn_begun: {effect}", universe=ONE))


# ------------------------------------------------------------------------------ check and mate


def fools_mate(game):
    """The first player, whose turn has gone by with a rule, is mated."""
    for text in ("e7-e5", "f2-f3", "a7-a6", "g2-g4", "d8-h4"):
        phase(game, "-".join(f"{ONE}.{square}" for square in text.split("-")))
    return game


@pytest.mark.rule("make-a-rule", "M4", "K1")
def test_where_check_is_to_be_parried_whoever_cannot_is_passed_over_and_the_king_is_captured(tmp_path):
    game = fools_mate(begun_with('set check.own_on_push to "must parry"'))
    assert game.player == "Ben"
    assert not [one for one in game.pending if one.action == "choose"]
    game.move("Ben", f"{ONE}.h4-{ONE}.e1")
    assert (game.over, game.winners) == (True, ("Ben",))
    game.save(tmp_path / "game.jsonl")
    assert str(nb.load(tmp_path / "game.jsonl")) == str(game)


@pytest.mark.rule("make-a-rule", "M4", "R16")
@pytest.mark.parametrize(
    ("law", "rule"),
    [
        ('set mate.tested to "after move"', "R16"),
        ('set mate.tested to "own turn"', "R16"),
        ('set check.enemy_on_push to "mate"', "R16"),
        ("set mate.captor to joiner", "R13"),
    ],
)
def test_mate_decides_nothing_whatever_a_rule_says(law, rule):
    game = begun(2, restricted=True)
    with refused(game, "not-proposable", rule=rule):
        game.propose("Ann", nb.enact("Mate!", law=law))


@pytest.mark.rule("make-a-rule", "M4")
@pytest.mark.parametrize(
    "law", ["set check.from to []", "set check.from to armies", 'set check.own_on_push to "may stay"']
)
def test_no_term_of_check_keeps_play_from_going_on(law):
    game = begun(2)
    make(game, law)
    fools_mate(game)
    while game.player == "Ann":
        phase(game)
    game.move("Ben", f"{ONE}.h4-{ONE}.e1")
    assert game.winners == ("Ben",)


# ------------------------------------------------------------------------------ what is chosen for one universe


@pytest.mark.rule("make-a-rule", "M2")
@pytest.mark.parametrize("things", ['[p for p in pieces_of(player) if p.kind == "N"]', "squares", "boards"])
def test_by_a_rule_for_one_universe_players_choose_among_what_is_there(things):
    game = begun(3)
    make(game, f'offer "pick": let player choose one from {things}; announce "So be it."', universe=ONE)
    phase(game)
    game.take("Ben", "pick")
    options = next(one for one in game.pending if one.action == "choose").options
    assert options
    assert all(ONE in one for one in options)


@pytest.mark.rule("make-a-rule", "M2")
@pytest.mark.parametrize("weighing", ["", " weighing [b.files for b in boards]"])
def test_by_a_rule_for_one_universe_chance_draws_from_what_is_there(weighing):
    game = begun(3)
    law = f'offer "draw": let chance choose one from boards{weighing}; announce one.name'
    make(game, law, universe=ONE)
    phase(game)
    for _ in range(5):
        game.take("Ben", "draw")
        assert game.history["what"].iloc[-1] == ONE


# ------------------------------------------------------------------------------ what a rule could never do


@pytest.mark.rule("make-a-rule", "C1", "K6")
@pytest.mark.parametrize(
    ("law", "why"),
    [
        ('set universe.names to ["A", "B", "C"]', "from now on, no rule uses universe.names"),
        ('set army.array to ["RR"]', "from now on, no rule uses army.array"),
        ('set ladder.kinds to ["P", "Q"]', "from now on, no rule uses ladder.kinds"),
        ('set join.how to "reflect"', "join.how is about half-boards, and this game has none"),
        ("set move.boards_joined to [2]", "move.boards_joined is about half-boards, and this game has none"),
    ],
)
def test_of_what_is_looked_up_no_more_the_review_says_so(law, why):
    game = begun(2, restricted=True)
    assert why in str(game.review("Ann", nb.enact("So be it.", law=law)))


def test_what_a_rule_looks_up_in_its_own_effects_does_something():
    game = begun(2, restricted=True)
    law = 'set ladder.kinds to ["P", "Q"]\non captured: promote promotable(player)'
    assert "no rule uses" not in str(game.review("Ann", nb.enact("So be it.", law=law)))


def test_ready_made_rules_on_half_boards_and_mates_are_not_offered_where_they_do_nothing():
    offered = begun(2, restricted=True).library.frame.index
    assert offered.intersection(["reflected_boards", "no_mate_by_pushing", "mate_at_once"]).empty


# ------------------------------------------------------------------------------ what is asked, and in which words


@pytest.mark.rule("make-a-rule", "R4")
@pytest.mark.parametrize(
    "wording",
    [
        "Knights also go like kings, and this has held since Ann's first move; moves against it do not count.",
        "Bishops also go like knights, as if it had been so from the start.",
        "This holds retroactively.",
        "All moves of the last turn are taken back.",
        "The capture of the knight is undone.",
        "Moves that were already made against it are void.",
    ],
)
def test_what_sounds_as_if_it_reached_back_the_others_judge(wording):
    game = begun(2, restricted=True, kept=("R4",))
    with refusals.refused("permission-open-and-asked", question="as if it had held before"):
        game.propose("Ann", nb.enact(wording, law='set board.wraps to "files"'))


@pytest.mark.rule("make-a-rule", "R4")
@pytest.mark.parametrize(
    "wording",
    [
        "Knights also move as if they were kings.",
        "Pawns may step back, from the start square too.",
        "A piece that was taken back home may rest.",
    ],
)
def test_what_only_has_some_of_these_words_is_no_matter_for_people(wording):
    game = begun(2, restricted=True)
    assert game.propose("Ann", nb.enact(wording, law='set board.wraps to "files"')).outcome == "adopted"


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize(
    ("law", "said"),
    [
        (
            'on circuit_ended: place "P" of item(armies, 1) at square_at(item(boards, 1), 1, 4)',
            "as it tells players apart by “item”, the item at this place in a list",
        ),
        ("on moved when player.turns > 3: remove piece", "“turns”, how many turns this player has completed"),
        ('on moved when army_named("white") == piece.army: remove piece', "“army_named”, the army with this name"),
        (
            (
                "track gold per player from 0\non captured: award 1 gold to player\n"
                'piece N moves otherwise + "K" while piece.owner.gold > 0'
            ),
            "as time goes by, through “gold”",
        ),
    ],
)
def test_by_what_players_are_told_apart_is_said_with_what_it_means(law, said):
    game = begun(2, restricted=True)
    with refusals.refused("permission-open-and-asked", question=said):
        game.propose("Ann", nb.enact("So be it.", law=law))


def test_where_something_else_is_owed_first_its_rule_is_the_reason():
    game = begun(2)
    make(game, "on turn_begun: oblige player to say")
    with refused(game, "owes-something-else", player="Ben", owed="say", action="propose", rule="P1.1"):
        game.propose("Ben", nb.repeal("P1.1"))
    with refused(game, "owes-something-else", player="Ben", owed="say", action="move", rule="P1.1"):
        game.move("Ben", f"{ONE}.a7-{ONE}.a6")


def test_what_is_called_rule_already_is_not_called_so_twice():
    game = begun(2, restricted=True)
    review = str(game.review("Ann", nb.enact("So be it.", law='set join.how to "reflect"')))
    assert "a rule beats a reading rule" in review
