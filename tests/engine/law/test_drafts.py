"""Drafts: the text of a rule that another rule makes by itself, read and checked before anyone votes."""

from __future__ import annotations

from typing import Any

import pytest
import refusals
from hypothesis import assume, given
from hypothesis import strategies as st
from often import examples
from play_helpers import adopt, idle, law, put, refused, sit, turn

import nomic_nb as nb
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.language import MOST_LINES, Line
from nomic_nb.engine.law.tables import TableShape
from nomic_nb.engine.law.values import NUMBER
from nomic_nb.engine.play.vocabulary import language

COUNTERS = {"points": TableShape(("player",), NUMBER)}
DRAFT = """draft cheap: "Ten points win."
    set win.points to 10
    prevails over 208"""


def check(law: str) -> tuple[Line, ...]:
    lines = language().read_clauses(law)
    language().check_clauses(lines, COUNTERS)
    return lines


def draft(law: str) -> c.DraftClause:
    (clause,) = [line.clause for line in check(law) if isinstance(line.clause, c.DraftClause)]
    return clause


def refusal(law: str) -> LawError:
    with pytest.raises(LawError) as caught:
        check(law)
    return caught.value


def place(law: str, word: str) -> tuple[int, int]:
    """Return line and column at which a word first stands."""
    for number, line in enumerate(law.splitlines(), 1):
        if word in line:
            return number, line.index(word) + 1
    raise AssertionError(word)


# --------------------------------------------------------------------------------------- reading


def test_a_draft_has_a_name_a_wording_and_clauses() -> None:
    found = draft(DRAFT)
    assert (found.name, found.wording) == ("cheap", "Ten points win.")
    assert found.law == "set win.points to 10\nprevails over 208"
    assert [type(one) for one in found.body] == [c.SetClause, c.ClaimClause]
    assert str(found) == DRAFT


def test_what_stands_in_a_draft_is_not_law_yet() -> None:
    (line,) = check(DRAFT)
    assert not isinstance(line.clause, c.SetClause)
    game = sit()
    law(game, DRAFT)
    assert game.law["win.points"].value == 100


def test_clauses_around_a_draft_keep_their_lines() -> None:
    lines = check(f"set win.points to 90\n\n{DRAFT}\n# a remark\nset vote.duty to true")
    assert [(line.line, type(line.clause)) for line in lines] == [
        (1, c.SetClause),
        (3, c.DraftClause),
        (7, c.SetClause),
    ]


def test_clauses_of_a_draft_can_go_on_below() -> None:
    found = draft('draft long: "Long."\n    set win.points to\n        10 +\n        5\n    set vote.duty to true')
    assert [one.words for one in found.body] == ["set win.points to 10 + 5", "set vote.duty to true"]


def test_a_draft_can_track_a_counter_of_its_own() -> None:
    body = draft(
        'draft coins: "Coins."\n    track coins per player from 0\n    on thrown: award 1 coins to player'
    ).body
    assert [type(one) for one in body] == [c.TrackClause, c.TriggerClause]


def test_several_drafts_stand_in_one_rule() -> None:
    lines = check(f'{DRAFT}\ndraft dear: "A thousand."\n    set win.points to 1000\n'
                  "on thrown when face == 1: enact cheap; enact dear")  # fmt: skip
    assert [line.clause.name for line in lines if isinstance(line.clause, c.DraftClause)] == ["cheap", "dear"]


# ---------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("law", "word", "said"),
    [
        ('draft a: "A."\n    set win.point to 10', "win.point",
            {"code": "word-unknown", "what": "key", "word": "win.point"}),
        ('allow skip\ndraft a: "A."\n    allow skip\n    set win.points to "ten"', '"ten"',
            {"code": "kind-needed", "what": "win.points"}),
        ('draft a: "A."\n  set win.points to 10 while fase > 3', "fase", {"code": "name-unknown", "name": "fase"}),
        ('draft a: "A."\n    on thrown: award 1 coins to player', "coins",
            {"code": "not-tracked-per", "name": "coins"}),
        ('draft a: "A."\n    st win.points to 10', "st win", {"code": "clause-unknown"}),
        ('draft a: "A."\n    set win.points to\n        10 + mood', "mood", {"code": "name-unknown", "name": "mood"}),
        ('\n# remark\ndraft a: "A."\n\tset win.points to 1 +* 2', "* 2", {"code": "not-an-expression"}),
        ('draft a: "A."\n    on thrown: enact b', "b", {"code": "word-unknown", "what": "draft called", "word": "b"}),
    ],
)  # fmt: skip
def test_an_error_in_a_draft_has_its_line_and_column_in_the_rule(law: str, word: str, said: dict[str, Any]) -> None:
    error = refusal(law)
    number, column = place(law, word)
    if word == "b":
        column = law.splitlines()[number := 1].index(" b") + 2
        number += 1
    refusals.check(error, **said, line=number, column=column)


@pytest.mark.parametrize(
    ("law", "line", "said"),
    [
        ('draft a: "A."', 1, {"code": "draft-empty"}),
        ('draft a: "A."\nset win.points to 10', 1, {"code": "draft-empty"}),
        ('draft a: "A."\n    allow skip\n    draft b: "B."\n        allow skip', 3, {"code": "draft-in-draft"}),
        ("draft a:\n    set win.points to 10", 1, {"code": "misplaced"}),
        ('draft: "A."\n    set win.points to 10', 1, {"code": "misplaced"}),
        ('set vote.duty to true\ndrafts a: "A."\n    set win.points to 10', 2,
            {"code": "clause-unknown", "near": "draft"}),
    ],
)  # fmt: skip
def test_what_is_no_draft_is_refused(law: str, line: int, said: dict[str, Any]) -> None:
    error = refusal(law)
    refusals.check(error, **said, line=line)


@pytest.mark.parametrize("effect", ["enact dear", "amend this by dear", "amend rule_numbered(208) by dear"])
def test_an_unknown_draft_is_refused_and_the_known_are_named(effect: str) -> None:
    law = f"on thrown: {effect}\n{DRAFT}"
    error = refusal(law)
    assert (error.line, error.column) == place(law, "dear")
    refusals.check(error, "word-unknown", what="draft called", word="dear", expected="cheap")
    assert "a draft clause" in refusal(f"on thrown: {effect}").expected


def test_two_drafts_have_two_names() -> None:
    again = 'draft cheap: "Twenty points win."\n    set win.points to 20'
    error = refusal(f"{DRAFT}\n{again}\non thrown: enact cheap")
    refusals.check(error, "draft-name-taken", draft="cheap", line=4)


def test_what_is_amended_is_a_rule() -> None:
    error = refusal(f"on thrown: amend player by cheap\n{DRAFT}")
    assert (error.line, error.column) == (1, 18)


def test_lines_of_drafts_are_lines_of_the_rule() -> None:
    body = "\n".join(["    set win.points to 10"] * MOST_LINES)
    assert refusal(f'draft a: "A."\n{body}').line == MOST_LINES + 1


# ------------------------------------------------------------------------------------- round trip

INNER = (
    "set win.points to 10", "set win.points to 10 while turn > 3", "prevails over 208", "forbid skip",
    "on thrown when face == 6: award 2 points to player; end turn", "require count(rules) < 90",
    'on said when text == "a  b": announce "It  rains."', "track coins per player from 1/2",
)  # fmt: skip
OUTER = (*INNER, "on turn_ended when turn > 4: amend this by first", "on adopted: enact first")


@examples(20)
@given(
    st.lists(st.lists(st.sampled_from(INNER), min_size=1, max_size=4), min_size=1, max_size=3),
    st.lists(st.sampled_from(OUTER), max_size=4),
    st.integers(1, 8),
    st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs"), exclude_characters='"#\\'), max_size=30),
)
def test_a_rule_with_drafts_comes_back_from_its_own_words(
    drafts: list[list[str]], around: list[str], indent: int, wording: str
) -> None:
    assume(len([one for one in around if one.startswith("track")]) < 2)
    names = ("first", "second", "third")
    made = [
        "\n".join([f'draft {name}: "{wording}"', *(" " * indent + one for one in body)])
        for name, body in zip(names, drafts, strict=False)
    ]
    text = "\n".join([*made, *around])
    lines = language().read_clauses(text)
    written = "\n".join(line.clause.words for line in lines)
    again = language().read_clauses(written)
    assert [line.clause for line in again] == [line.clause for line in lines]
    assert "\n".join(line.clause.words for line in again) == written
    read = [line.clause for line in lines if isinstance(line.clause, c.DraftClause)]
    for found, body in zip(read, drafts, strict=True):
        assert found.wording == wording
        assert [one.words for one in found.body] == body
        assert [line.clause for line in language().read_clauses(found.law)] == list(found.body)


# ---------------------------------------------------------------------------------------- in play


def test_amend_by_a_draft_keeps_the_number_and_is_called_automatic() -> None:
    game = sit()
    number = law(
        game, f"set win.points to 90\nprevails over 208\non turn_ended when turn > 1: amend this by cheap\n{DRAFT}"
    )
    assert game.law["win.points"].value == 90
    idle(game)
    rule = game.rules[number]
    assert game.law["win.points"].value == 10
    assert (rule.number, rule.wording) == (number, "Ten points win.")
    assert rule.law == "set win.points to 10\nprevails over 208"
    last = game.rules.versions[game.rules.versions["id"] == rule.id].iloc[-1]
    assert (last["how"], last["number"]) == ("automatic", number)
    events = len(game.history)
    idle(game)  # the clause that amended is gone
    assert "amended" not in list(game.history["kind"])[events:]


def test_enact_a_draft_makes_rules_of_their_own() -> None:
    game = sit()
    law(game, f'on said when text == "now": enact cheap\n{DRAFT}')
    game.say("Ann", "now")
    assert game.rules["E1"].wording == "Ten points win."
    assert game.rules["E1"].tier == "mutable"
    assert game.law["win.points"].rule == "E1"
    game.say("Ann", "now")
    assert game.rules["E2"].law == game.rules["E1"].law
    turn(game, nb.repeal("E1"))
    game.say("Ann", "now")
    assert {"E2", "E3"} <= {rule.number for rule in game.rules}
    assert "E1" not in game.rules  # a number is not given twice


def test_an_automatic_change_is_checked_like_any_other() -> None:
    game = sit()
    count = sum(rule.tier == "mutable" for rule in game.rules)
    clauses = f'require count(r for r in rules if r.tier == "mutable") <= {count + 1}'
    law(game, f'{clauses}\non said when text == "now": enact cheap\n{DRAFT}')
    game.say("Ann", "now")
    assert "E1" not in game.rules
    assert "without_effect" in list(game.history["kind"])


def test_where_the_law_does_not_let_rules_change_rules_nothing_changes() -> None:
    game = sit()
    law(game, f'on said when text == "now": amend rule_numbered(101) by cheap\n{DRAFT}')
    before = game.rules[101].wording
    game.say("Ann", "now")
    assert game.rules[101].wording == before  # an immutable rule is not amended (110)
    assert "without_effect" in list(game.history["kind"])


def test_a_proposal_with_an_error_in_a_draft_is_refused() -> None:
    game = sit()
    with refused(game, "word-unknown", line=3, column=9):
        game.propose("Ann", nb.enact("Soon.", law='on thrown: enact a\ndraft a: "A."\n    set win.point to 10'))


def test_a_draft_is_shown_whole_and_saved(tmp_path) -> None:  # type: ignore[no-untyped-def]
    game = sit()
    number = law(game, f'on said when text == "now": amend this by cheap\n{DRAFT}')
    assert game.rules[number].law.endswith(DRAFT)
    game.say("Ann", "now")
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.rule("github-nomic", -110)
def test_the_automatic_change_of_github_comes_once_everybody_had_two_turns() -> None:
    game = sit(system="github-nomic")
    number = 0

    def has_turn(player: str) -> None:
        nonlocal number
        number += 1
        game.begin_turn(player)
        game.propose(player, nb.enact("More."), number)
        for voter in game.players:
            game.vote(voter, "for", proposal=number)

    for player in ("Ann", "Ann", "Ben", "Cleo", "Ben"):
        has_turn(player)
    assert game.law["vote.quota"].value == 3
    has_turn("Cleo")
    assert game.law["vote.quota"].value == 2
    rule = game.rules[-110]
    assert rule.number == -110
    assert game.rules.versions[game.rules.versions["id"] == rule.id].iloc[-1]["how"] == "automatic"


@pytest.mark.rule("github-nomic", -110)
def test_the_automatic_change_of_github_does_not_come_after_an_amendment() -> None:
    game = sit(system="github-nomic")
    number = 2
    for player in ("Ann", "Ben", "Cleo", "Ann", "Ben", "Cleo"):
        number += 1
        change = nb.amend(-110, "All must agree, always.") if number == 3 else nb.enact("More.")
        game.begin_turn(player)
        game.propose(player, change, number)
        for voter in game.players:
            game.vote(voter, "for", proposal=number)
    assert game.law["vote.quota"].value == 3
    assert game.rules[3].wording == "All must agree, always."
    assert -110 not in game.rules


def test_an_adopted_draft_rule_can_be_amended_by_vote() -> None:
    game = sit()
    law(game, f'on said when text == "now": enact cheap\n{DRAFT}')
    game.say("Ann", "now")
    proposal = adopt(game, nb.amend("E1", law="set win.points to 20\nprevails over 208"))
    assert game.rules[proposal.number].all_versions[0].number == "E1"
    assert game.law["win.points"].value == 20
    game.roll("Ben", 1)
    assert put(game, nb.enact("More.")).outcome == "adopted"
