"""The moves of a game on boards and the comments on it, as data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_nb.chess.record.moves import played, root
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.study.frames import columns, frame_of

if TYPE_CHECKING:
    import pandas as pd

MOVES = columns(
    "int64: ply seq turn circuit", "string: player army piece from to push uci promotion capture check mate",
    "object: rule",
)  # fmt: skip


def frame(timeline: Timeline) -> pd.DataFrame:
    """Return the moves as a data frame, one row a move.

    Returns
    -------
    DataFrame
        Indexed by ``ply`` (int64), with ``seq``, ``turn``, ``circuit`` (int64), ``player``, ``army``,
        ``piece``, ``from``, ``to``, ``push``, ``uci``, ``promotion``, ``capture``, ``check``, ``mate`` (string;
        several are joined by a blank; ``from`` is empty for a piece dropped from a hand) and ``rule`` (object:
        the rule by which it was owed).
    """
    rows = (
        (
            one.ply, one.event.seq, one.event.turn, one.event.circuit, str(one.event.actor), one.move.army, one.kind,
            "" if one.move.dropped else one.before.name(*one.move.origin), one.before.name(*one.move.target),
            "+".join(one.move.push), one.uci, one.move.promotion.upper(),
            " ".join(event.data["kind"] for event in one.of("captured")),
            " ".join(dict.fromkeys(event.data["army"] for event in one.of("checked"))),
            " ".join(event.data["army"] for event in one.of("mated")), one.rule,
        )
        for one in played(timeline)
    )  # fmt: skip
    return frame_of(MOVES, rows, "ply")


COMMENTS = columns(
    "int64: comment at turn", "Int64: ply", "object: proposal", "string: glyph text arrows squares"
)  # fmt: skip


def comments(timeline: Timeline) -> pd.DataFrame:
    """Return one row a comment that stands; what they were before is in the history.

    Returns
    -------
    DataFrame
        Indexed by ``comment`` (int64: the event that wrote it), with ``at``, ``turn`` (int64: the event that it is
        about, and its turn), ``ply`` (Int64: the move that it is about, missing for what is none), ``proposal``
        (object: the proposal that was made there), ``glyph``, ``text``, ``arrows``, ``squares`` (string; several
        are joined by a comma).
    """
    moves = list(played(timeline)) if timeline.state.comments else []
    events, rows = timeline.events, []
    for seq, one in timeline.state.comments.items():
        about = root(timeline.state.comments, one)
        event = events[about - 1]
        ply = next((move.ply for move in moves if move.on(about)), None)
        proposal = event.data["number"] if event.kind == "proposed" else None
        drawn = (", ".join(one.arrows), ", ".join(one.squares))
        rows.append((seq, one.at, event.turn, ply, proposal, one.glyph, one.text, *drawn))
    return frame_of(COMMENTS, rows, "comment")
