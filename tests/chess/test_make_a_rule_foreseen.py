"""Make-A-Rule Chess: R5, R8 and R9 judge what a rule does later by itself like what it does at once."""

import pytest
import refusals
from make_a_rule_helpers import asked, begun, make, multiverse
from play_helpers import refused

import nomic_nb as nb

SAFE = 'draft later: "Kings are safe."\n    forbid move when any(p.kind == "K" for p in captures)\n'
FIFTH = "on circuit_ended when circuit == 5: enact later"
THIRD = "on circuit_ended when circuit == 3: enact later"
ONLY_KINGS = 'on circuit_ended each b in boards when circuit == 3: remove [p for p in b.pieces if p.kind != "K"]'
COUNT = "track n per game from 0\non circuit_ended: put n at game.n + 1\n"
MORE_KNIGHTS = "6nk/pp6/8/8/4P3/8/P7/K4NN1 w - - 0 1"
UNEVEN_PAWNS = "7k/pp6/8/8/4P3/8/P7/K7 w - - 0 1"


def draft(*clauses):
    """A draft with clauses, which the fifth circuit or something else puts in force."""
    return "".join(['draft later: "Later."\n', *(f"    {one}\n" for one in clauses)])


@pytest.mark.rule("make-a-rule", "R5")
@pytest.mark.parametrize(
    "law",
    [
        SAFE + FIFTH,
        SAFE + "on enacted when rule == this: after 5 turns: enact later",
        SAFE + "on enacted when rule == this: after 3 turns: after 3 turns: enact later",
        SAFE + "on enacted when rule == this: after 4 circuits: enact later",
        SAFE + "on circuit_ended when circuit % 5 == 0: enact later",
        SAFE + "on turn_begun when turn == 7: enact later",
        SAFE + "on circuit_ended when circuit == 3: amend this by later",
        SAFE + "on enacted when rule == this: after 5 turns: repeal this\non repealed when rule == this: enact later",
        SAFE + COUNT + "on circuit_ended when game.n == 3: enact later",
        COUNT + 'forbid move when any(p.kind == "K" for p in captures) and game.n > 3',
        draft("set capture.from to []") + FIFTH,
        draft('instead of captured when piece.royal: announce "No."') + THIRD,
        draft("set move.count to 0") + THIRD,
        'piece K moves "mK"\n' + ONLY_KINGS,
        draft('piece K moves "mK"') + ONLY_KINGS + "\non circuit_ended when circuit == 4: enact later",
        "on circuit_ended when circuit == 5: remove royals",
        "on turn_begun when circuit > 2: uncrown royals",
    ],
)
def test_a_king_that_a_rule_makes_safe_later_is_safe_for_good(law):
    game = begun(2, restricted=True)
    with refused(game, "not-proposable", rule="R5"):
        game.propose("Ann", nb.enact("So be it.", law=law))


@pytest.mark.rule("make-a-rule", "R5")
def test_a_refusal_says_after_how_many_turns_the_king_is_safe():
    game = begun(2, restricted=True)
    with refused(
        game,
        "not-proposable",
        evidence="after 10 turns, if it were law, no other player’s piece could ever capture",
        rule="R5",
    ):
        game.propose("Ann", nb.enact("So be it.", law=SAFE + FIFTH))


@pytest.mark.rule("make-a-rule", "R5", "R6")
def test_what_an_older_rule_overrides_only_for_now_is_judged_as_of_then():
    game = begun(2, restricted=True)
    make(game, "set capture.from to army.rivals")
    with refused(game, "not-proposable", evidence="after 2 turns", rule="R5"):
        game.propose("Ben", nb.enact("Truce.", law="set capture.from to []"))


@pytest.mark.rule("make-a-rule", "R5")
def test_what_an_older_rule_will_take_off_the_boards_is_gone_then():
    game = begun(2, restricted=True)
    make(game, ONLY_KINGS)
    with refused(game, "not-proposable", rule="R5"):
        game.propose("Ben", nb.enact("Tame kings.", law='piece K moves "mK"'))
    assert game.propose("Ben", nb.enact("Kings leap.", law='piece K moves otherwise + "N"')).outcome == "adopted"


@pytest.mark.rule("make-a-rule", "R9")
@pytest.mark.parametrize("law", ["forbid move", 'set move.on_push to "none"'])
def test_a_rule_after_which_nothing_can_move_later_is_refused_by_r9(law):
    game = multiverse(2, kept=("R9",))
    with refused(game, "not-proposable", rule="R9"):
        game.propose("Ann", nb.enact("So be it.", law=draft(law) + FIFTH))


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize("when", [FIFTH, "on enacted when rule == this: after 5 turns: enact later"])
def test_a_draft_that_strengthens_what_the_maker_has_more_of_is_refused(when):
    game = multiverse(2, restricted=True, position=MORE_KNIGHTS)
    with refused(game, "not-proposable", evidence="knights (Ann 2, Ben 1): after ", rule="R8"):
        game.propose("Ann", nb.enact("So be it.", law=draft('piece N moves otherwise + "Q"') + when))


@pytest.mark.rule("make-a-rule", "R8")
def test_players_judge_what_a_rule_gives_later_to_some_and_not_to_others():
    game = multiverse(2, restricted=True, position=MORE_KNIGHTS)
    law = 'on circuit_ended each b in boards when circuit == 3: promote [p for p in b.pieces if p.kind == "N"] to "B"'
    assert asked(game, law, "unfair advantage") == ["Ben"]
    assert "other numbers of B (rule R8.3): after 6 turns it gives or takes" in game.pending[0].prompt


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize(
    "law",
    [
        SAFE + 'on moved when piece.kind == "K": enact later',
        SAFE + "on captured: enact later",
        SAFE + 'track n per game from 0\non moved when piece.kind == "K": put n at game.n + 1\n'
        'on counted when counter == "n" and game.n == 3: enact later',
        SAFE + "on circuit_ended when circuit == 6: enact later",
        SAFE + "on enacted when rule == this: after 5 circuits: enact later",
    ],
)
def test_players_judge_what_they_bring_into_force_themselves_or_later_than_is_looked_at(law):
    assert asked(begun(2, restricted=True), law, "one act of theirs|later than in the next five turns") == ["Ben"]


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize(
    "law",
    [
        draft('piece N moves otherwise + "W"') + FIFTH,
        draft('piece Q moves "R"') + "on enacted when rule == this: after 4 turns: enact later",
        draft('piece N moves otherwise + "W"')
        + 'draft then: "Then."\n    piece B moves otherwise + "W"\n'
        + "on circuit_ended when circuit == 2: enact later\non circuit_ended when circuit == 3: enact then",
        'on circuit_ended each b in boards when circuit == 3: remove [p for p in b.pieces if p.kind == "N"]',
        'on circuit_ended each b in boards when circuit == 3: promote [p for p in b.pieces if p.kind == "P"] to "N"',
        'piece P moves otherwise + "W" while circuit % 2 == 0',
        'on circuit_ended when circuit == 5: announce "Five."',
        "track n per player from 0\non moved: award 1 n to player",
    ],
)
@pytest.mark.slow
def test_what_is_fair_now_and_later_needs_nobody(law, count):
    assert begun(count, restricted=True).propose("Ann", nb.enact("So be it.", law=law)).outcome == "adopted"


# --------------------------------------------------------------------------- the boards as they stand


@pytest.mark.rule("make-a-rule", "R8")
def test_players_judge_what_lets_only_the_makers_pieces_gain_on_the_boards_as_they_stand():
    game = multiverse(2, restricted=True, position=UNEVEN_PAWNS)
    alone = "while not any(n.piece != none for n in neighbours(piece.square))"
    said = "makes no difference to Ben’s pawns; pawns .Ann 2, Ben 2.: white’s pawn on Zaphod:1.e4 could go to"
    assert asked(game, f'piece P moves otherwise + "Q" {alone}', said) == ["Ben"]


@pytest.mark.rule("make-a-rule", "R8")
def test_players_judge_what_lets_only_pieces_of_others_lose_on_the_boards_as_they_stand():
    game = multiverse(2, restricted=True, position="7k/1p6/8/8/4P3/8/8/K7 w - - 0 1")
    law = 'forbid move when piece.kind == "P" and not piece.moved and count(neighbours(piece.square)) > 0'
    game.move("Ann", "Zaphod:1.e4-Zaphod:1.e5")
    game.move("Ben", "Zaphod:1.h8-Zaphod:1.h7")
    assert asked(game, law, "in the current position") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize("law", ['piece P moves otherwise + "Q"', 'piece K moves otherwise + "N"'])
def test_what_both_gain_on_the_boards_as_they_stand_needs_nobody(law):
    game = multiverse(2, restricted=True, position=UNEVEN_PAWNS)
    assert game.propose("Ann", nb.enact("So be it.", law=law)).outcome == "adopted"


@pytest.mark.rule("make-a-rule", "R8")
def test_evidence_names_players_who_have_none_of_a_kind():
    game = multiverse(2, restricted=True, position="7k/8/8/8/8/8/8/KNN5 w - - 0 1")
    with refused(game, "not-proposable", evidence="knights (Ann 2, Ben none)", rule="R8"):
        game.propose("Ann", nb.enact("So be it.", law='piece N moves otherwise + "Q"'))


# --------------------------------------------------------------------------- the word itself


@pytest.mark.parametrize(
    ("law", "code", "values"),
    [
        ("forbid propose when in_time(count(rules)) == 1", "kind-expected", {"kind": "a truth"}),
        ("set win.points to (1 if in_time(true) else 2)", "no-change-at-hand", {}),
        ("forbid propose when in_time(afterwards(true))", "supposition-nested", {}),
    ],
)
def test_in_time_takes_one_condition_of_a_change(law, code, values):
    with refusals.refused(code, **values):
        begun(2).propose("Ann", nb.enact("So be it.", law=law))


@pytest.mark.rule("make-a-rule", "R9")
def test_a_refusal_by_r9_says_what_can_no_longer_move_and_nothing_else():
    game = multiverse(2, kept=("R9",))
    with refused(
        game, "not-proposable", evidence="no kind of piece that every army in Zaphod:1 has", rule="R9"
    ) as refusal:
        game.propose("Ann", nb.enact("So be it.", law="forbid move"))
    assert "without it" not in refusal.value.values["evidence"]
