"""Rules that real players made: each is obeyed, asked of those who know, left to people, or said to be beyond it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from corpus.corpus import DRAFTS, HERE, corpus, drafts, play
from play_helpers import SYSTEM, sit

import nomic_nb as nb
from nomic_nb.engine.play.proposals import change_of_event
from nomic_nb.study.review.remarks import remarks_on

PLAYED = [one for one in corpus().values() if one.answer in ("Obeyed", "Asked")]


def test_all_two_hundred_are_there_in_order():
    headings = [
        int(number)
        for path in sorted(HERE.glob("rules_*.md"))
        for number in re.findall(r"^## (\d+)\. ", path.read_text("utf-8"), re.M)
    ]
    assert headings == list(range(1, 201))
    assert [one.number for one in corpus().values()] == headings, "some say nothing of what becomes of them"


@pytest.mark.parametrize("one", PLAYED, ids=lambda one: one.id)
def test_play_does_what_the_rule_says(one):
    assert one.clauses or one.answer == "Asked"
    assert "assert" in one.check or "refused" in one.check, "this check cannot fail"
    play(one.check, one.clauses, one.id)


@pytest.mark.parametrize("one", [one for one in corpus().values() if one not in PLAYED], ids=lambda one: one.id)
def test_what_cannot_be_said_has_a_reason(one):
    assert len(one.reason) > 20
    assert one.answer != "For people" or one.kept_by != "machine", "a machine could keep this one"


#: What voters are told of clauses that come to nothing, or to something else than they look like.
COMES_TO_NOTHING = (
    "overrides it in every case", "would be void at once", "too late", "is never used", "doesn’t stop",
    "would win at once", "to ask the players", "players would be asked", "does nothing yet",
)  # fmt: skip


def became(draft) -> str:
    """What becomes of a first draft: the same game is played with it."""
    said = corpus()[draft.id]
    if not draft.clauses:
        return "not tried"
    names = {}
    try:
        if not draft.check and not said.check:  # what cannot be said is not said by a draft that is accepted
            names["game"] = sit(
                system="nomic-chess" if "piece" in draft.clauses or "boards" in draft.clauses else SYSTEM
            )
            names["game"].propose(names["game"].player, nb.enact("As drafted.", law=draft.clauses))
            return _told(names, draft)
        play(draft.check or said.check, draft.clauses, f"first draft of {draft.id}", names)
    except nb.LawError:
        return "refused"
    except (Exception, pytest.fail.Exception):  # noqa: BLE001 - the check fails in whatever way, also by what was to be refused
        return _told(names, draft)
    return "obeyed"


def _told(names, draft) -> str:
    """What voters were told of a draft when it was proposed."""
    game = names.get("game")
    for event, state in game.timeline.moments if game is not None else ():
        if event.kind == "proposed" and change_of_event(event).law in (draft.clauses, draft.clauses.strip()):
            lines = [f"{one.line}: {one.evidence}" for one in remarks_on(state, event.data["number"]).shown_remarks]
            if any(sign in line for sign in COMES_TO_NOTHING for line in lines):
                return "warned"
    return "says less"


#: Every third of them; the rest by `pytest -m slow`.
TRIED = [
    pytest.param(draft, marks=pytest.mark.slow if at % 3 else (), id=draft.id)
    for at, draft in enumerate(drafts().values())
]


@pytest.mark.parametrize("draft", TRIED)
def test_what_becomes_of_a_first_draft(draft):
    assert became(draft) == draft.became
    assert (draft.became == "says less") == (len(draft.leaves_out) > 20), "what does it leave out?"


def test_the_figures_are_those_of_the_documents():
    said = (HERE / "README.md").read_text("utf-8")
    rules = Counter((one.kept_by, one.answer) for one in corpus().values())
    for kept_by in ("machine", "prompt", "human"):
        row = [str(rules[kept_by, answer]) for answer in ("Obeyed", "Asked", "For people", "Cannot be said")]
        assert f"| {kept_by} | {' | '.join(row)} |" in said
    first = Counter((corpus()[one.id].kept_by, one.became) for one in drafts().values())
    for kept_by in ("machine", "prompt", "human"):
        row = [str(first[kept_by, became]) for became in DRAFTS]
        assert f"| {kept_by} | {' | '.join(row)} |" in said
