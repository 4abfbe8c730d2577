"""The comments of a game as a data frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from nomic_nb.play.timeline import Timeline
from nomic_nb.play.values import Comment
from nomic_nb.record.frames import columns, frame_of
from nomic_nb.record.moves import played

if TYPE_CHECKING:
    import pandas as pd

COMMENTS = columns(
    "int64: comment at turn", "Int64: ply", "object: proposal", "string: glyph text arrows squares"
)  # fmt: skip


def root(comments: Mapping[int, Comment], one: Comment) -> int:
    """Return the event that a comment is about in the end, where it is on another comment."""
    while one.at in comments:
        one = comments[one.at]
    return one.at


def frame(timeline: Timeline) -> pd.DataFrame:
    """Return one row a comment that stands; what they were before is in the history.

    Returns
    -------
    DataFrame
        Indexed by ``comment`` (int64: the event that wrote it), with ``at``, ``turn`` (int64: the event that it is
        about, and its turn), ``ply`` (Int64: the move that it is about, missing for what is none), ``proposal``
        (object: the proposal that was made there), ``glyph``, ``text``, ``arrows``, ``squares`` (string; several
        are joined by a comma).
    """
    moves = list(played(timeline.moments, timeline.standing)) if timeline.state.comments else []
    events, rows = timeline.events, []
    for seq, one in timeline.state.comments.items():
        about = root(timeline.state.comments, one)
        event = events[about - 1]
        ply = next((move.ply for move in moves if move.on(about)), None)
        proposal = event.data["number"] if event.kind == "proposed" else None
        drawn = (", ".join(one.arrows), ", ".join(one.squares))
        rows.append((seq, one.at, event.turn, ply, proposal, one.glyph, one.text, *drawn))
    return frame_of(COMMENTS, rows, "comment")
