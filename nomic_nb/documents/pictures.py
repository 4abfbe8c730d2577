"""The boards behind moves that are commented on, or on which something hangs, as pictures with what is marked there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from nomic_nb.multiverse.drawing import scene_of_push
from nomic_nb.multiverse.picture import Picture
from nomic_nb.multiverse.scenes import draw
from nomic_nb.play.comments import mark
from nomic_nb.play.table import Table
from nomic_nb.play.values import Comment
from nomic_nb.record.comments import root
from nomic_nb.record.moves import Played, played

#: What a move brings about that is worth a picture.
CRITICAL = frozenset({"army_taken", "captured", "checked", "mated"})


def pictures(table: Table) -> dict[int, Picture]:
    """Return pictures of the boards as moves left them, by the event that is the move.

    Only moves that count, on which somebody has written a comment, or that capture, give check or mate, or bring
    about that an army is taken over.
    """
    known = table.state.comments
    found = {}
    for one in played(table.moments, table.standing):
        on = [comment for comment in known.values() if one.on(root(known, comment))]
        if on or any(event.kind in CRITICAL for event in one.followed):
            found[one.event.seq] = _picture(table, one, on)
    return found


def _picture(table: Table, one: Played, comments: Iterable[Comment]) -> Picture:
    after = table.moments[one.followed[-1].seq - 1][1].multiverse
    push = replace(one, before=after).joined
    local = {place: at for at, place in push.origin.items()}
    drawn = [
        mark(table.state.multiverse, text, count)
        for comment in comments
        for texts, count in ((comment.squares, 1), (comment.arrows, 2))
        for text in texts
    ]
    strokes: dict[str, list[tuple[int, ...]]] = {}
    for stroke in drawn:
        if local.keys() >= set(stroke.squares):
            strokes.setdefault(stroke.colour, []).append(tuple(local[place] for place in stroke.squares))
    kings = {event.data["king"] for event in one.of("checked")}
    scene = scene_of_push(
        push,
        last=tuple(local[end] for end in (one.move.origin, one.move.target) if end in local),
        checks=tuple(at for at, piece in push.pieces.items() if piece.id in kings),
        strokes=strokes,
    )
    return draw([scene], f"{' and '.join(one.move.push)} pushed together, after {one.move.text}", width=300)
