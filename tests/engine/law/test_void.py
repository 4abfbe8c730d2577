"""What a Judge finds void, what revives it, and how a ruling ends play (110, 212, 213)."""

from __future__ import annotations

import pytest
from play_helpers import adopt, agree, idle, judged, law, refused, sit, turn, waiting_for

import nomic_nb as nb

SIXES = "set throw.points to 6"


def found_void(against: int = 101) -> tuple[nb.Game, int]:
    """A game in which a Judge has found a rule void, in Ben's turn."""
    game = sit()
    number = law(game, SIXES, "Whoever throws has thrown a six.")
    game.invoke_judgment("Cleo", "Is that so?")
    order = f"void rule_numbered({number}) against rule_numbered({against})"
    judged(game, "It is not.", rests_on=[against, number], orders=order)
    return game, number


def says_nothing(game: nb.Game, number: int) -> bool:
    return game.law["throw.points"].rule != number


def test_what_a_judge_finds_void_says_nothing_any_more() -> None:
    game, number = found_void()
    assert says_nothing(game, number)
    assert number in game.rules  # it stays on the list
    idle(game, face=2)
    assert game.scores["Ben"] == 2
    with refused(game, "rule-not-of-people", kind="void", rule=number):
        game.apply("Ben", number, 'award 4 points to "Ben"')


def test_what_a_judge_found_void_survives_other_changes_and_a_save(tmp_path) -> None:  # type: ignore[no-untyped-def]
    game, number = found_void()
    idle(game)
    turn(game, nb.amend(206, "Defeat is free.", law=""))
    turn(game, nb.transmute(113))
    assert says_nothing(game, number)
    assert "101" in game.rules.void_reason(game.rules[number])
    assert "revived" not in list(game.history["kind"])
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert says_nothing(again, number)
    assert again.state.digest() == game.state.digest()


def test_another_version_of_the_rule_is_not_what_the_judge_found_void() -> None:
    game, number = found_void()
    proposal = adopt(game, nb.amend(number, "Whoever throws counts six.", law=SIXES))
    assert not game.rules.void_reason(game.rules[proposal.number])
    assert game.law["throw.points"].rule == proposal.number
    assert "revived" in list(game.history["kind"])


def test_it_works_again_once_the_other_rule_is_not_stronger_any_more() -> None:
    game, number = found_void()
    adopt(game, nb.transmute(101))
    assert game.rules[302].tier == "mutable"
    assert not game.rules.void_reason(game.rules[number])
    assert game.law["throw.points"].rule == number


def test_it_works_again_once_rules_are_not_void_for_a_conflict() -> None:
    game, number = found_void()
    idle(game)
    assert says_nothing(game, number)
    turn(game, nb.transmute(110))
    nothing_void = 'set precedence.tiers to ["immutable", "mutable", "reading"]\nset precedence.void to []'
    proposal = adopt(game, nb.amend(303, "Nothing is void.", law=nothing_void))
    assert proposal.outcome == "adopted"
    assert game.law["throw.points"].rule == number


def test_a_void_rule_can_be_repealed() -> None:
    game, number = found_void()
    adopt(game, nb.repeal(number))
    assert number not in game.rules
    assert game.state.rules.void == {}


def test_a_later_judge_revives_what_an_earlier_one_found_void() -> None:
    game, number = found_void()
    idle(game)
    game.invoke_judgment("Ann", "Is it void?")
    assert judged(game, "It is not.", orders=f"revive rule_numbered({number})").judge == "Ben"
    assert not game.rules.void_reason(game.rules[number])
    assert game.law["throw.points"].rule == number


def test_a_judge_does_not_revive_what_contradicts_by_the_machines_own_finding() -> None:
    game = sit()
    number = law(game, "set vote.duty to false")
    assert game.rules.void_reason(game.rules[number])
    game.invoke_judgment("Ann", "Is it void?")
    judged(game, "It is not.", orders=f"revive rule_numbered({number})")
    assert game.rules.void_reason(game.rules[number])


@pytest.mark.parametrize(("rule", "against"), [(301, 203), (101, 301), (301, 301)])
def test_only_a_weaker_rule_is_void_and_only_against_a_stronger_one(rule: int, against: int) -> None:
    game = sit()
    law(game, SIXES)
    game.invoke_judgment("Cleo", "Is that so?")
    judged(game, orders=f"void rule_numbered({rule}) against rule_numbered({against})")
    assert game.state.rules.void == {}
    order = f"void rule_numbered({rule}) against rule_numbered({against})"
    assert f"“{order}” does not happen: rule 110 does not allow it" in list(game.history["what"])
    assert waiting_for(game, "propose") == ["Ben"]


def test_a_rule_can_find_another_void_too() -> None:
    game = sit()
    law(game, SIXES)
    law(game, 'on said when text == "void": void rule_numbered(301) against rule_numbered(101)\n'
              'on said when text == "revive": revive rule_numbered(301)')  # fmt: skip
    game.say("Ann", "void")
    assert says_nothing(game, 301)
    game.say("Ann", "revive")
    assert game.law["throw.points"].rule == 301


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("void 301 against rule_numbered(101)", {"code": "kind-needed"}),
        ("void rule_numbered(301) against 101", {"code": "kind-needed"}),
        ("void rule_numbered(301)", {"code": "judge-cannot"}),
        ("revive 301", {"code": "kind-needed"}),
        ("end game", {"code": "word-unknown", "word": "game"}),
        ("repeal rule_numbered(301)", {"code": "judge-cannot", "what": "repeal"}),
        ("enact soon", {"code": "judge-cannot", "what": "enact"}),
        ("amend rule_numbered(301) by soon", {"code": "judge-cannot", "what": "amend"}),
        ("transmute rule_numbered(301)", {"code": "judge-cannot", "what": "transmute"}),
        ('award 1 coins to "Ann"', {"code": "not-tracked-per", "name": "coins"}),
        ('award 1 points to "Zed"', {"code": "effect-on-nobody", "who": '"Zed"'}),
        ("set win.points to 1", {"code": "misplaced"}),
    ],
)
def test_an_order_that_is_none_is_refused_before_it_is_recorded(order: str, said: str) -> None:
    game = sit()
    law(game, SIXES)
    game.invoke_judgment("Cleo", "Is that so?")
    with refused(game, **said):
        game.rule_on("Ann", "It is not.", orders=f'announce "First."\n{order}')


def test_orders_are_done_once_the_ruling_stands_and_not_before() -> None:
    game = sit()
    game.invoke_judgment("Ben", "Who pays?")
    game.rule_on("Cleo", "All do.", orders="award -1 points to seats\naward 3 points to item(seats, 1)")
    assert list(game.scores) == [0, 0, 0]
    game.overrule("Ann", "for")
    assert list(game.scores) == [0, 0, 0]
    game.overrule("Ben", "against")
    assert list(game.scores) == [0, 0, 0]  # no rule at hand names so much: the others are asked
    agree(game)
    assert list(game.scores) == [2, -1, -1]


def test_end_play_stops_the_game_and_213_says_who_wins() -> None:
    game = sit()
    law(game, 'on said when text == "stop": end play')
    game.say("Ann", "stop")
    assert game.over
    assert game.winner == "Ben"  # whose turn it was
    assert "213" in game.result


def test_end_play_where_another_rule_says_who_wins_then() -> None:
    game = sit()
    turn(game, nb.amend(213, "Nobody wins.", law="set win.when_stuck to []"))
    law(game, 'on said when text == "stop": end play')
    game.say("Ann", "stop")
    assert game.over
    assert game.winners == ()
