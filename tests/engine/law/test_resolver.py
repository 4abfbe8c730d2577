"""The resolver: what the law says of a key, which rule prevails, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.index import find_contradicted_rules
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.precedence import PrecedenceOrder
from nomic_nb.engine.law.resolver import Law, precedence_order
from nomic_nb.engine.law.rules import Number, Rule, RuleBook, RulePart, VoidReason
from nomic_nb.engine.law.vocabulary import Action, Event, Fact, Function, Key, Vocabulary
from nomic_nb.engine.play import adoptability
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.vocabulary import language

CASE = {"guest": v.NUMBER}
WORDS = Vocabulary.from_declarations(
    keys=[
        Key("a.x", v.NUMBER, "x", "nobody"),
        Key("a.y", v.NUMBER, "y", "nobody"),
        Key("a.z", v.NUMBER, "z", "nobody"),
        Key("a.cased", v.NUMBER, "in a case", "nobody", CASE),
        Key("a.text", v.TEXT, "one of two", "nobody", values=("yes", "no")),
        Key("precedence.tiers", v.list_type(v.TEXT), "tiers", "the resolver"),
        Key("precedence.by", v.list_type(v.TEXT), "criteria", "the resolver"),
    ],
    facts=[
        Fact("day", v.NUMBER, "the day", ("day",), lambda view: view.state.day),
        Fact("hour", v.NUMBER, "the hour", ("hour",), lambda view: view.state.hour),
        Fact("mood", v.TEXT, "the mood", ("mood",), lambda view: view.state.mood),
        Fact("twice", v.NUMBER, "twice the guest", (), lambda view: 2 * view.env["guest"], ("guest",)),
    ],
    functions=[
        Function("sum", (v.list_type(v.NUMBER),), v.NUMBER, "together", lambda _, many: sum(many)),
        Function("y_of", (), v.NUMBER, "looks up y", lambda view: view.value_of_key("a.y"), keys=("a.y",)),
    ],
    records=[],
    events=[Event("dawn", "it dawns"), Event("dusk", "it gets dark")],
    actions=[Action("dance", "dance", CASE), Action("sing", "sing", CASE, gist=frozenset({"guest"}))],
    effects=language().vocabulary.effects.values(),
)
SPEECH = Language(WORDS)
TIERS = ("strong", "weak")
BY = ("claims", "lowest number")
STATE = SimpleNamespace(day=1, hour=1, mood="calm")


def rule(id: int, number: Number, law: str, tier: str = "weak", event: int = 0, answers: str = "") -> Rule:
    lines = SPEECH.read_clauses(law)
    return Rule(
        id, number, f"Rule {number}", tier, (RulePart("Wording.", law, lines, number),), event=event, answers=answers
    )


def law_of(*laws: str | tuple[Number, str] | Rule, by: tuple[str, ...] = BY, tiers: tuple[str, ...] = TIERS) -> Law:
    rules = []
    for id, one in enumerate(laws, 1):
        if isinstance(one, str):
            one = (200 + id, one)
        rules.append(one if isinstance(one, Rule) else rule(id, *one))
    return Law(RuleBook({one.id: one for one in rules}), PrecedenceOrder(tiers, by, 110, 211), SPEECH)


def find(law: Law, key: str = "a.x", state: object = STATE, **case: v.Value) -> Finding:
    return law.find(key, state, case)


# ------------------------------------------------------------------------------------- outcomes


def test_silent() -> None:
    finding = find(law_of("set a.y to 1"))
    assert (finding.outcome, finding.value, finding.answered, finding.rule) == ("silent", None, False, None)
    assert str(finding) == "no rule says what a.x is"


def test_silent_where_no_condition_holds() -> None:
    finding = find(law_of("set a.x to 1 while day > 1"))
    assert finding.outcome == "silent"
    assert dict(finding.facts) == {"day": 1}


def test_decided() -> None:
    finding = find(law_of("set a.x to day + 1"))
    assert (finding.outcome, finding.value, finding.answered, finding.rule) == ("decided", 2, True, 201)
    assert finding.facts == (("day", 1),)
    assert str(finding).splitlines() == [
        "a.x is 2",
        "  prevails: rule 201: set a.x to day + 1",
        "  where day is 1",
    ]


def test_merged() -> None:
    finding = find(law_of("set a.x to 5", "set a.x to 2 + 3", by=()))
    assert (finding.outcome, finding.value, finding.answered) == ("merged", 5, True)
    assert [source.rule.number for source in finding.sources] == [201, 202]
    assert "say the same: rule 202: set a.x to 2 + 3" in str(finding)


def test_torn() -> None:
    law = law_of("set a.x to 5", "set a.x to 6", by=())
    finding = find(law)
    assert (finding.outcome, finding.value, finding.answered) == ("torn", None, False)
    assert [source.rule.number for source in finding.sources] == [201, 202]
    assert str(finding).splitlines()[0] == "the rules conflict about a.x"
    assert "differ: rule 201: set a.x to 5" in str(finding)
    with refused("no-answer") as doubt:
        law.value_or_undecided(finding)
    assert doubt.value.finding is finding


def test_one_rule_that_says_two_things_is_torn() -> None:
    assert find(law_of("set a.x to 5\nset a.x to 6")).outcome == "torn"
    assert find(law_of("set a.x to 5\nset a.x to 6 while day > 1")).value == 5


def test_undecided() -> None:
    finding = find(law_of("set a.x to 1 / (day - 1)"))
    assert (finding.outcome, finding.answered) == ("undecided", False)
    assert "rule 201 gives no answer, because something is divided by zero" in finding.reason
    assert finding.reason in str(finding)
    finding = find(law_of("set a.x to 1 while 1 / (day - 1) > 1"))
    assert finding.outcome == "undecided"
    assert "it’s unclear whether rule 201 applies" in finding.reason


def test_what_is_open_and_weaker_makes_no_doubt() -> None:
    finding = find(law_of("set a.x to 7", "set a.x to 1 while 1 / (day - 1) > 1"))
    assert (finding.outcome, finding.value) == ("decided", 7)
    finding = find(law_of("set a.x to 1 while 1 / (day - 1) > 1", "set a.x to 7"))
    assert finding.outcome == "undecided"


def test_a_value_that_the_key_does_not_have_is_no_answer() -> None:
    assert find(law_of("set a.text to mood"), "a.text").outcome == "undecided"
    assert find(law_of("set a.text to mood"), "a.text", SimpleNamespace(day=1, hour=1, mood="no")).value == "no"


def test_depends() -> None:
    law = law_of("set a.cased to 5", "set a.cased to 6 while guest > 1", by=("claims", "highest number"))
    finding = find(law, "a.cased")
    assert (finding.outcome, finding.value, finding.depends_on) == ("depends", 5, ("guest",))
    assert not finding.answered
    assert "depends on guest" in str(finding)
    assert find(law, "a.cased", guest=2).value == 6
    assert find(law, "a.cased", guest=1).value == 5
    with refused("not-here"):
        law.value_or_undecided(finding)
    assert find(law_of("set a.cased to twice"), "a.cased").depends_on == ("twice",)
    assert find(law_of("set a.cased to twice"), "a.cased", guest=4).value == 8
    assert find(law_of("set a.cased to 1 while guest > 1"), "a.cased").outcome == "depends"


def test_a_key_that_depends_on_itself_is_undecided() -> None:
    for laws in (("set a.x to a.y", "set a.y to a.x"), ("set a.x to y_of()", "set a.y to a.z", "set a.z to a.x")):
        finding = find(law_of(*laws))
        assert finding.outcome == "undecided"
        assert "a.x depends on itself" in str(finding)
    assert find(law_of("set a.x to a.y", "set a.y to a.x while day > 1", "set a.y to 4")).value == 4


def test_ruled() -> None:
    ruling = rule(9, "Q1", "set a.x to 3 while day == 1", "ruling", answers="a.x")
    for laws in ((), ("set a.x to 5\nset a.x to 6",), ("set a.x to 1 / (day - 1)",)):
        finding = find(law_of(*laws, ruling))
        assert (finding.outcome, finding.value, finding.rule) == ("ruled", 3, "Q1")
        assert "settles it: rule Q1" in str(finding)
    assert find(law_of("set a.x to 5", ruling)).value == 5
    assert find(law_of(ruling), state=SimpleNamespace(day=2, hour=1, mood="")).outcome == "silent"
    newer = rule(10, "Q2", "set a.x to 4", "ruling", answers="a.x")
    assert find(law_of(ruling, newer)).value == 4
    assert find(law_of(rule(9, "Q1", "set a.y to 3", "ruling", answers="a.y"))).outcome == "silent"


# ----------------------------------------------------------------------------------- precedence


def numbers(finding: Finding) -> tuple[list[Number], dict[Number, str]]:
    return [one.rule.number for one in finding.sources], {
        one.source.rule.number: one.reason for one in finding.defeated
    }


def test_a_stronger_tier_prevails_whatever_the_weaker_claims() -> None:
    law = law_of(
        rule(1, 101, "set a.x to 1\nprevails over everything"),
        rule(2, 900, "set a.x to 2\ndefers to everything", "strong"),
        rule(3, 50, "set a.x to 3", "unheard of"),
    )
    finding = find(law)
    won, lost = numbers(finding)
    assert (won, finding.value) == ([900], 2)
    assert set(lost) == {101, 50}
    assert "a strong rule beats a weak rule (rule 110)" in lost[101]
    assert "a strong rule beats an unheard of rule (rule 110)" in lost[50]
    assert f"overridden: rule 101: set a.x to 1 — {lost[101]}" in str(finding)


@pytest.mark.parametrize(
    ("by", "winner"),
    [("lowest number", 201), ("highest number", 203), ("newest", 202), ("oldest", 203)],
)
def test_each_criterion_of_its_own(by: str, winner: int) -> None:
    law = law_of(
        rule(1, 201, "set a.x to 201", event=5),
        rule(2, 202, "set a.x to 202", event=9),
        rule(3, 203, "set a.x to 203", event=1),
        by=(by,),
    )
    finding = find(law)
    won, lost = numbers(finding)
    assert (won, finding.value) == ([winner], winner)
    assert set(lost) == {201, 202, 203} - {winner}
    assert all(f"rule {winner} " in reason and "(rule 211)" in reason for reason in lost.values())
    assert [source.rule.number for source in law_of(*law.book, by=(by,)).triggers.get("dawn", ())] == []


def test_the_next_criterion_decides_where_the_first_leaves_several() -> None:
    law = law_of(
        rule(1, 201, "set a.x to 1", event=5), rule(2, 202, "set a.x to 2", event=9),
        rule(3, 203, "set a.x to 3", event=9),
        by=("newest", "highest number"),
    )  # fmt: skip
    won, lost = numbers(find(law))
    assert won == [203]
    assert "newer" in lost[201]
    assert "higher number" in lost[202]


def test_negative_numbers_and_labels() -> None:
    assert find(law_of((-110, "set a.x to 1"), (-109, "set a.x to 2"))).value == 1
    assert find(law_of(("A1", "set a.x to 1"), (900, "set a.x to 2"))).value == 2
    assert find(law_of(("A2", "set a.x to 1"), ("A1", "set a.x to 2"))).value == 2


CLAIMS: list[tuple[str, tuple[str, ...], int]] = [
    ("no claim: the lowest number", ("", "", ""), 201),
    ("one prevails", ("", "prevails over 201", ""), 202),
    ("one prevails over everything", ("", "", "prevails over everything"), 203),
    ("one defers", ("defers to 202", "", ""), 202),
    ("one defers to everything", ("defers to everything", "", ""), 202),
    ("two claim against each other: numbers", ("prevails over 202", "prevails over 201", ""), 201),
    ("two defer to each other: numbers", ("defers to 202", "defers to 201", ""), 201),
    ("all claim everything: numbers", ("prevails over everything",) * 3, 201),
    ("all defer to everything: numbers", ("defers to everything",) * 3, 201),
    ("a circle of three: numbers", ("defers to 203", "defers to 201", "defers to 202"), 201),
    ("a circle of three claims", ("prevails over 202", "prevails over 203", "prevails over 201"), 201),
    ("two prevail over the third: numbers between them", ("", "prevails over 201", "prevails over 201"), 202),
    ("a chain", ("defers to 202", "defers to 203", ""), 203),
    ("a claim and a deferring that agree", ("defers to 203", "", "prevails over 201"), 202),
    ("a claim on this key", ("", "prevails over everything on a.x", ""), 202),
    ("a claim on another key", ("", "prevails over everything on a.y", ""), 201),
    ("a deferring on another key", ("defers to everything on a.y", "", ""), 201),
    ("a deferring on this key", ("defers to 202 on a.x", "", ""), 202),
    ("a claim over a rule that does not speak", ("", "prevails over 999", ""), 201),
    ("a claim over itself", ("", "prevails over 202", ""), 201),
]


@pytest.mark.parametrize(("claims", "winner"), [(one[1], one[2]) for one in CLAIMS], ids=[one[0] for one in CLAIMS])
def test_claims(claims: tuple[str, ...], winner: int) -> None:
    law = law_of(*(f"set a.x to {200 + at}\n{claim}" for at, claim in enumerate(claims, 1)))
    finding = find(law)
    won, lost = numbers(finding)
    assert (won, finding.value, finding.outcome) == ([winner], winner, "decided")
    assert set(lost) == {201, 202, 203} - {winner}


def test_a_deferring_rule_gives_way_to_one_alone_and_not_to_all() -> None:
    # 201 defers to 203 alone; 203 says nothing of 202; so 202 and 203 are left, and the number decides.
    won, lost = numbers(find(law_of("set a.x to 201\ndefers to 203", "set a.x to 202", "set a.x to 203")))
    assert won == [202]
    assert "defers" in lost[201]
    assert "lower number" in lost[203]


def test_claims_count_only_where_the_law_says_so() -> None:
    laws = ("set a.x to 1", "set a.x to 2\nprevails over everything")
    assert find(law_of(*laws)).value == 2
    assert find(law_of(*laws, by=("lowest number",))).value == 1
    assert find(law_of(*laws, by=("lowest number", "claims"))).value == 1


def test_a_criterion_that_means_nothing_is_no_answer() -> None:
    law = law_of("set a.x to 1", "set a.x to 2", by=("by size",))
    with refused("criterion-unknown", criterion="by size"):
        law.value_or_undecided(find(law))


def test_forbid_beats_allow_unless_the_allowing_rule_claims_to_prevail() -> None:
    same = find(law_of("allow dance\nforbid dance"), "may.dance", guest=1)
    assert (same.value, same.outcome) == (False, "decided")
    assert "forbidding beats allowing" in str(same)
    equal = law_of("allow dance", "forbid dance", by=("claims",))
    finding = find(equal, "may.dance", guest=1)
    assert (finding.value, finding.rule) == (False, 202)
    assert numbers(finding)[1] == {201: "forbidding beats allowing"}
    claimed = law_of("allow dance\nprevails over 202", "forbid dance", by=("claims",))
    assert find(claimed, "may.dance", guest=1).value is True
    on_case = law_of("allow dance", "forbid dance when guest > 3", by=("claims",))
    assert find(on_case, "may.dance", guest=4).value is False
    assert find(on_case, "may.dance", guest=3).value is True
    assert find(law_of("allow dance", "allow dance", by=("claims",)), "may.dance", guest=1).outcome == "merged"


def test_forbid_beats_allow_only_where_nothing_else_tells_them_apart() -> None:
    assert find(law_of("allow dance", "forbid dance"), "may.dance", guest=1).value is True
    assert find(law_of("forbid dance", "allow dance"), "may.dance", guest=1).value is False
    assert find(law_of("allow dance", "forbid dance\nprevails over 201"), "may.dance", guest=1).value is False
    assert find(law_of("allow dance", "forbid dance", by=("highest number",)), "may.dance", guest=1).value is False


def test_a_ban_that_looks_at_something_else_limits_a_permission_and_does_not_contradict_it() -> None:
    strong = rule(1, 101, "allow sing", "strong")
    limit = rule(2, 201, "forbid sing when day > 3")
    late, early = (SimpleNamespace(day=day, hour=1, mood="") for day in (4, 3))
    assert find(law_of(strong, limit), "may.sing", late, guest=1).rule == 201
    assert find(law_of(strong, limit), "may.sing", early, guest=1).value is True
    for ban in ("forbid sing", "forbid sing when guest == 1", "forbid sing when guest == 1 and day > 3"):
        law = law_of(strong, rule(2, 201, ban))
        assert find(law, "may.sing", late, guest=1).value is True
        assert find_contradicted_rules(law, ["weak"]) == {2: (1, "may.sing")}
    assert find_contradicted_rules(law_of(strong, limit), ["weak"]) == {}
    lifted = rule(3, 150, "allow sing when day == 4")
    assert find(law_of(strong, limit, lifted), "may.sing", late, guest=1).value is True
    behind = rule(3, 250, "allow sing when day == 4")
    assert find(law_of(strong, limit, behind), "may.sing", late, guest=1).value is False


def test_a_requirement_is_not_asked_for_where_a_rule_with_another_claims_to_prevail() -> None:
    def required(*laws: str | Rule) -> list[Number]:
        return [source.rule.number for source in law_of(*laws).requirements]

    assert required("require day == 1", "require day == 2\nprevails over 201") == [202]
    assert required("require day == 1", "require day == 2") == [201, 202]
    assert required("require day == 1", "set a.x to 1\nprevails over 201") == [201]
    assert required("require day == 1\nprevails over 202", "require day == 2\nprevails over 201") == [201, 202]
    strong = rule(1, 101, "require day == 1", "strong")
    assert required(strong, rule(2, 202, "require day == 2\nprevails over 101")) == [101, 202]


def test_void_rules_say_nothing() -> None:
    law = law_of('set a.x to 1\non dawn: announce "day"\nrequire day == 2\nprevails over everything', "set a.x to 2")
    assert find(law).value == 1
    void = Law(law.book.with_void_rules({1: VoidReason(2, "a.x")}), law.order, SPEECH)
    finding = find(void)
    assert (finding.value, finding.rule, finding.defeated) == (2, 202, ())
    assert void.triggers == {}
    assert void.requirements == ()
    assert 201 in void.book.by_number


def test_which_rules_contradict_a_stronger_one() -> None:
    law = law_of(
        rule(1, 101, "set a.x to 1\nset a.y to 1", "strong"),
        rule(2, 201, "set a.x to 1"),
        rule(3, 202, "set a.x to 2 while day > 1"),
        rule(4, 203, "set a.y to 2"),
        rule(5, 204, "set a.z to 2"),
        rule(6, 205, "set a.x to 1 + 1", "other"),
    )
    assert find_contradicted_rules(law, ["weak"]) == {3: (1, "a.x"), 4: (1, "a.y")}
    assert find_contradicted_rules(law, ["weak", "other"]) == {3: (1, "a.x"), 4: (1, "a.y"), 6: (1, "a.x")}
    assert find_contradicted_rules(law, []) == {}


def test_triggers_go_off_in_order_of_precedence() -> None:
    announce = 'on dawn: announce "x"'
    law = law_of((203, announce), (201, announce), rule(9, 900, announce, "strong"), (202, announce))
    assert [source.rule.number for source in law.triggers["dawn"]] == [900, 201, 202, 203]


def test_precedence_is_law_and_is_read_under_the_order_in_force() -> None:
    book = law_of(
        rule(1, 101, 'set precedence.tiers to ["strong", "weak"]', "strong"),
        rule(2, 201, 'set precedence.by to ["lowest number"]'),
        rule(3, 202, 'set precedence.by to ["highest number"]'),
    ).book
    assert precedence_order(Law(book, PrecedenceOrder((), ("lowest number",)), SPEECH), STATE) == PrecedenceOrder(
        TIERS, ("lowest number",), 101, 201
    )
    assert precedence_order(Law(book, PrecedenceOrder((), ("highest number",)), SPEECH), STATE).by == (
        "highest number",
    )
    with refused("no-answer"):
        precedence_order(Law(book, PrecedenceOrder(), SPEECH), STATE)
    assert precedence_order(law_of("set a.x to 1"), STATE) == PrecedenceOrder()


# ---------------------------------------------------------------------------------------- cache


def test_a_finding_is_remembered_until_what_it_read_changes() -> None:
    law = law_of("set a.x to day * 10", "set a.y to 3")
    state = SimpleNamespace(day=1, hour=1, mood="calm")
    first = find(law, state=state)
    assert find(law, state=SimpleNamespace(day=1, hour=7, mood="bad")) is first
    assert find(law, state=SimpleNamespace(day=2, hour=1, mood="calm")).value == 20
    assert law.dependence.fields_read("a.x") == ("day",)
    assert law.dependence.fields_read("a.y") == ()


PIECES = st.sampled_from(["day", "hour", "a.y", "a.z", "y_of()", "sum([day, hour])", "3", "1 / (day - 2)"])
LAWS = st.lists(
    st.builds(
        lambda key, value, condition, claim: f"set {key} to {value}{condition}\n{claim}",
        st.sampled_from(["a.x", "a.y", "a.z"]),
        PIECES,
        st.sampled_from(
            ["", " while day > 1", " while hour == 2", ' while mood == "bad"', " while 1 / (hour - 1) > 0"]
        ),
        st.sampled_from(["", "prevails over everything", "defers to 201", "prevails over 202 on a.y"]),
    ).filter(lambda law: law.split()[1] not in law.split(" to ", 1)[1]),
    min_size=1,
    max_size=6,
)
STATES = st.builds(
    lambda day, hour, mood: SimpleNamespace(day=day, hour=hour, mood=mood),
    st.integers(1, 3), st.integers(1, 3), st.sampled_from(["calm", "bad"]),
)  # fmt: skip


def same(one: Finding, other: Finding) -> bool:
    return one == other and str(one) == str(other)


@given(
    LAWS, st.lists(STATES, min_size=2, max_size=8), st.sampled_from([BY, ("newest",), (), ("highest number", "claims")])
)
@examples(40)
def test_a_finding_never_goes_stale(laws: list[str], states: list[SimpleNamespace], by: tuple[str, ...]) -> None:
    law = law_of(*laws, by=by)
    for state in (*states, *states):
        for key in ("a.x", "a.y", "a.z"):
            assert same(find(law, key, state), find(Law(law.book, law.order, SPEECH), key, state))


PLAYED = {
    "turns": ("win.points", "set win.points to 50 + turn"),
    "circuits": ("throw.points", "set throw.points to face * circuit"),
    "points": ("defeat.points", "set defeat.points to sum(p.points for p in players)"),
    "players": ("vote.quota", "set vote.quota to count(playing)"),
    "void rules": ("dice.sides", "set dice.sides to 2 + count(r for r in rules if r.void)"),
    "play is stuck": ("win.points", "set win.points to (1 if stuck else 2)"),
    "what could be adopted, by turns": (
        "dissent.points",
        "set dissent.points to (10 if adoption_possible else 20)\nforbid propose when turn > 1",
    ),
    "what could be adopted, by circuits": (
        "dissent.points",
        "set dissent.points to (10 if adoption_possible else 20)\nforbid propose when circuit > 1",
    ),
    "what could be adopted, when stuck": (
        "dissent.points",
        "set dissent.points to (10 if adoption_possible else 20)\nforbid propose when stuck",
    ),
    "the tier of what is proposed": (
        "vote.quota",
        'set enact.tier to ("mutable" if turn < 2 else "odd")\nset vote.quota to 1 while change.tier == "odd"',
    ),
    "a counter named like a field of another record": (
        "defeat.points",
        "track made per player from 0\nset defeat.points to proponent.made",
    ),
}

SET = """\
# Some

```about
name: some
title: Some
players: any
source: none
```

## Rules `mutable`

### 201 All

Words.

```law
set turn.sequence to seats
set turn.parts to ["proposal"]
on part_begun: oblige player to propose
allow propose
track points per player from 0
set vote.electorate to playing
set vote.weight to 1
set vote.quota to unanimity(vote.electorate)
set vote.adopted to votes_for >= vote.quota
set acts.rule_change to "forbidden"
set acts.unregulated to "allowed"
set win.winners to []
set proposal.first_number to 1
set precedence.by to ["claims", "highest number"]
```

### 202 More

Words.

```law
{law}```
"""


def changed(state: object, step: str) -> object:
    """Return a state of play in which one thing is otherwise."""
    players: Mapping = state.players  # type: ignore[attr-defined]
    ann = players["Ann"]
    place = (v.ThingRef("player", "Ann"),)
    book = state.rules  # type: ignore[attr-defined]
    steps = {
        "turn": lambda: {"turn": state.turn + 1},  # type: ignore[attr-defined]
        "circuit": lambda: {"circuit": state.circuit + 1},  # type: ignore[attr-defined]
        "points": lambda: {
            "tables": {name: one.with_entry(place, one.value_at(place) + 1) for name, one in state.tables.items()}  # type: ignore[attr-defined]
        },
        "leaves": lambda: {"players": {**players, "Ann": replace(ann, playing=not ann.playing)}},
        "stuck": lambda: {"stuck": not state.stuck},  # type: ignore[attr-defined]
        "void": lambda: {"rules": book.with_void_rules({} if book.void else {2: VoidReason(1, "win.points")})},
    }
    return replace(state, **steps[step]())  # type: ignore[type-var]


@pytest.mark.parametrize(("key", "law"), PLAYED.values(), ids=PLAYED)
def test_no_finding_of_play_goes_stale(tmp_path: Path, key: str, law: str) -> None:
    path = tmp_path / "some.md"
    path.write_text(SET.replace("{law}", f"{law}\n"), encoding="utf-8")
    start = nb.new_game(path, ["Ann", "Ben"], seed=1).state
    start = adoptability.suppose_proposed(start, nb.enact("Anything."), "Ann")
    case = {
        "proposal": v.ThingRef("proposal", adoptability.SUPPOSED_LABEL),
        "player": v.ThingRef("player", "Ann"),
        "face": 3,
    }

    @given(st.lists(st.sampled_from(["turn", "circuit", "points", "leaves", "stuck", "void"]), max_size=6))
    @examples(8)
    def run(steps: list[str]) -> None:
        held = Law(start.rules, start.law.order, start.law.language)
        state: object = start
        for step in ("", *steps):
            state = changed(state, step) if step else state
            fresh = Law(held.book, held.order, held.language)
            assert same(held.find(key, state, case), fresh.find(key, state, case))

    run()


# ------------------------------------------------------------------------------------------ why


def test_why_names_what_prevails_and_what_is_defeated_and_why() -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    said = str(game.why("vote.quota", nb.transmute(112)))
    assert said.splitlines()[0] == "vote.quota is 2"
    assert "prevails: rule 109: " in said
    assert (
        "overridden: rule 203: set vote.quota to unanimity(vote.electorate) — an immutable rule beats a mutable rule"
        in said
    )
    assert "(rule 110)" in said
    with refused("no-such-term", KeyError, hint="vote.quota"):
        game.why("vote.qouta")
    with refused("rule-unknown", LookupError):
        check_change(game.state, nb.repeal(999))


def test_a_sure_forbid_decides_before_a_doubtful_one_asks() -> None:
    doubtful = "forbid dance when guest / 0 > 1"
    finding = find(law_of("forbid dance when guest > 3", doubtful), "may.dance", guest=4)
    assert (finding.value, finding.outcome, finding.rule) == (False, "decided", 201)
    assert find(law_of("forbid dance when guest > 3", doubtful), "may.dance", guest=3).outcome == "undecided"
    # Not where what is open would prevail over it.
    claims = law_of("forbid dance", "allow dance when guest / 0 > 1\nprevails over everything", by=("claims",))
    assert find(claims, "may.dance", guest=1).outcome == "undecided"
    stronger = Law(
        RuleBook({1: rule(1, 101, "allow dance when guest / 0 > 1", "strong"), 2: rule(2, 202, "forbid dance")}),
        PrecedenceOrder(TIERS, BY, 110, 211),
        SPEECH,
    )
    assert find(stronger, "may.dance", guest=1).outcome == "undecided"
