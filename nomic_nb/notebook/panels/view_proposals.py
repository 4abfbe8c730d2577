"""The proposals in the view model: what each would change, in words and in pictures, and how its vote stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from nomic_nb.chess.multiverse.drawing import diagram_squares
from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.movement_sentences import sentence as movement_sentence
from nomic_nb.chess.multiverse.rules import KIND_NAMES
from nomic_nb.chess.play.functions import movement_notation
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import PieceClause
from nomic_nb.engine.law.nodes import BudgetExceeded, Undecided, limit_steps
from nomic_nb.engine.law.rules import Number, Rule
from nomic_nb.engine.play import values as play
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.engine.words import upper_first
from nomic_nb.notebook.markup.tree import Child, build_element, element_data
from nomic_nb.notebook.panels.forms import Json
from nomic_nb.notebook.show.proposals import draw_proposed_clauses, draw_proposed_wording
from nomic_nb.study.review.dry_run import quick_dry_run
from nomic_nb.study.views import ProposalRemarks
from nomic_nb.study.views.explanations import explain
from nomic_nb.study.views.redline import compare_proposal

#: Steps of the law that finding out how a piece would move may take: some hundredths of a second.
STEPS_FOR_MOVES = 15_000


# ------------------------------------------------------------------------------------------ what is proposed


def change_data(timeline: Timeline, number: Number) -> Json:
    """Return what a proposal would change as JSON data, under the law at the time when it got its present form.

    These are its kind, the rule and its old title, the wording and the clauses as trees, its clauses in plain
    English, and how a kind of piece would move.
    """
    state = _state_when_proposed(timeline, number)
    shown = compare_proposal(state, number)
    change, before = shown.change, shown.before
    return {
        "kind": "rename" if change.renames else change.kind,
        "rule": change.target,
        "old_title": before.title if before is not None else "",
        "what": trees_of(draw_proposed_wording(shown)),
        "clauses": trees_of(draw_proposed_clauses(shown)),
        "said": _sentences_of(change),
        "moves": _moves_data(state, number, change),
    }


def trees_of(children: Iterable[Child]) -> list[Any]:
    """Return children as a list of trees, each in a ``div`` of its own; those that are None are left out."""
    return [element_data(build_element("div", child)) for child in children if child not in (None, [])]


def _state_when_proposed(timeline: Timeline, number: Number) -> State:
    """Return the state in which a proposal was made, or got its present form."""
    return next(
        state
        for event, state in reversed(timeline.moments)  # one that was undone may have had this number
        if event.kind in ("proposed", "revised") and event.data["number"] == number
    )


def _sentences_of(change: Change) -> list[str]:
    """Return the clauses of a change in plain English; empty if the language of today cannot read them."""
    try:
        return list(explain(change).sentences)
    except LawError:
        return []


def title_of_proposed_rule(proposal: play.Proposal, state: State) -> str:
    """Return the title of the rule that a proposal would make or change, or “repeal of” and the title."""
    rule = state.rules.rule_numbered(proposal.change.target)
    title = proposal.change.title or (rule.title if rule is not None else "")
    others = " and others" if proposal.change.also else ""
    return f"repeal of {title or proposal.change.target}{others}" if proposal.change.kind == "repeal" else title


# ---------------------------------------------------------------------------------- how a kind of piece would move


def _moves_data(state: State, number: Number, change: Change) -> Json | None:
    """Return how the first kind of piece whose movement a proposal changes moves, before and after, as JSON data."""
    if state.position is None:
        return None
    rules = [rule for target in change.target_numbers if (rule := state.rules.rule_numbered(target)) is not None]
    kinds = list(dict.fromkeys(_kinds_moved(state, change, rules)))
    if not kinds:
        return None
    proposal = state.proposals[number]
    try:
        with limit_steps(STEPS_FOR_MOVES):
            run = quick_dry_run(calm_state(state), change, proposal.proponent, number, steps=STEPS_FOR_MOVES)
            for kind in kinds:
                before, after = _movement_of_kind(state, kind), _movement_of_kind(run.after, kind)
                if before != after:
                    return _movement_data(kind, before, after)
    except (BudgetExceeded, LawError, LookupError, MultiverseError, Undecided):
        return None
    return None


def _kinds_moved(state: State, change: Change, rules: Iterable[Rule]) -> Iterator[str]:
    """Yield the kinds of pieces, such as “N”, whose movement is set by a change or by the rules that it changes."""
    yield from (line.clause.kind for line in state.law.language.read_clauses(change.all_law)
                if isinstance(line.clause, PieceClause))  # fmt: skip
    yield from (clause.kind for rule in rules for clause in rule.clauses if isinstance(clause, PieceClause))


def _movement_of_kind(state: State, kind: str) -> str:
    """Return how a kind of piece moves by the law in force, in Betza notation; empty if there is none that moves."""
    pieces = (piece for piece in state.position.pieces.values() if piece.kind.upper() == kind)
    piece = next(pieces, None)
    if piece is None:
        finding = state.find("piece.moves", kind=kind)
        return str(finding.value) if finding.answered else ""
    try:
        return movement_notation(state.law, state, piece, (piece.board,))
    except Undecided:
        return ""


def _movement_data(kind: str, before: str, after: str) -> Json:
    """Return two movements as JSON data: the squares around the piece, and what is kept, new and lost in words."""
    old, new = _movement_phrases(before), _movement_phrases(after)
    return {
        "kind": kind.lower(), "name": KIND_NAMES.get(kind.lower(), kind),
        "before": _squares_data(before), "after": _squares_data(after),
        "words": {
            "kept": [phrase for phrase in new if phrase in old],
            "new": [phrase for phrase in new if phrase not in old],
            "lost": [phrase for phrase in old if phrase not in new],
        },
    }  # fmt: skip


def _movement_phrases(notation: str) -> list[str]:
    """Return the ways in which a piece moves, a sentence for each; empty for no movement."""
    ways = movement_sentence(notation).removesuffix(".").split("; or ") if notation else []
    return [f"{upper_first(way)}." for way in ways]


def _squares_data(notation: str) -> list[list[Any]]:
    """Return the squares that a piece reaches as [files to the right, ranks ahead, what it can do there]."""
    return [[*place, mark] for place, mark in diagram_squares(notation).items()] if notation else []


# ------------------------------------------------------------------------------------------------- remarks


def remarks_data(remarks: ProposalRemarks) -> list[list[str]]:
    """Return the remarks on a proposal as pairs: the remark, and its evidence or an empty text."""
    lines = [[upper_first(remark.line), remark.evidence] for remark in remarks]
    return lines + [[upper_first(line), ""] for line in remarks.closing_lines]
