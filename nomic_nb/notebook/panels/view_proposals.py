"""The proposals in the view model: what each would change, in words and in pictures, and the state of its vote."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nomic_nb.chess.multiverse.drawing import diagram_squares
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.words import upper_first
from nomic_nb.notebook.markup.tree import Child, build_element, element_data
from nomic_nb.notebook.panels.forms import Json
from nomic_nb.notebook.show.proposals import draw_proposed_clauses, draw_proposed_wording, plain_sentences
from nomic_nb.study.review.movement import MovementChange, find_changed_movement
from nomic_nb.study.views import ProposalRemarks
from nomic_nb.study.views.proposals import state_when_proposed
from nomic_nb.study.views.redline import compare_proposal

# ------------------------------------------------------------------------------------------ what is proposed


def change_data(timeline: Timeline, number: Number) -> Json:
    """Return what a proposal would change as JSON data, under the law at the time when it got its present form.

    These are its kind, the rule and its old title, the wording and the clauses as trees, its clauses in plain
    English, and how a kind of piece would move.
    """
    state = state_when_proposed(timeline, number)
    shown = compare_proposal(state, number)
    change, before = shown.change, shown.before
    movement = find_changed_movement(state, change, shown.proponent, number)
    return {
        "kind": "rename" if change.renames else change.kind,
        "rule": change.target,
        "old_title": before.title if before is not None else "",
        "what": trees_of(draw_proposed_wording(shown)),
        "clauses": trees_of(draw_proposed_clauses(shown)),
        "said": plain_sentences(change),
        "moves": None if movement is None else _movement_data(movement),
    }


def trees_of(children: Iterable[Child]) -> list[Any]:
    """Return children as a list of trees, each in a ``div`` of its own; those that are None are left out."""
    return [element_data(build_element("div", child)) for child in children if child not in (None, [])]


# ---------------------------------------------------------------------------------- how a kind of piece would move


def _movement_data(shown: MovementChange) -> Json:
    """Return two movements as JSON data: the squares around the piece, and what is kept, new and lost in words."""
    return {
        "kind": shown.kind.lower(), "name": shown.name,
        "before": _squares_data(shown.before), "after": _squares_data(shown.after), "words": shown.phrases,
    }  # fmt: skip


def _squares_data(notation: str) -> list[list[Any]]:
    """Return the squares that a piece reaches as [files to the right, ranks ahead, what it can do there]."""
    return [[*place, mark] for place, mark in diagram_squares(notation).items()] if notation else []


# ------------------------------------------------------------------------------------------------- remarks


def remarks_data(remarks: ProposalRemarks) -> list[list[str]]:
    """Return the remarks on a proposal as pairs: the remark, and its evidence or an empty text."""
    lines = [[upper_first(remark.line), remark.evidence] for remark in remarks]
    return lines + [[upper_first(line), ""] for line in remarks.closing_lines]
