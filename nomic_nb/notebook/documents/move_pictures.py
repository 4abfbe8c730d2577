"""The boards behind moves, as drawings with what is marked there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from nomic_nb.chess.multiverse.drawing import drawing_of_all_boards, drawing_of_changes, push_scene
from nomic_nb.chess.multiverse.pictures import Drawing, SvgPicture
from nomic_nb.chess.play.boards import multiverse_of, read_mark
from nomic_nb.chess.record.moves import PlayedMove, commented_event
from nomic_nb.engine.play.adoptability import suppose_proposed
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.engine.play.values import Comment
from nomic_nb.engine.words import group_pairs
from nomic_nb.notebook.markup.tree import Child
from nomic_nb.study.review.boards.compare import find_boards_with_changed_moves
from nomic_nb.study.review.boards.meter import measure_power_change

#: What a move brings about that is worth a picture.
CRITICAL_EVENTS = frozenset({"army_taken", "captured", "checked", "mated"})
#: How wide a picture is on the page, in CSS pixels.
PICTURE_WIDTH = 300

#: Shows a drawing on a page, by its name; nothing where the page has no pictures.
PictureWriter = Callable[[str, Drawing | SvgPicture], Child]


def draw_no_picture(_name: str, _drawing: Drawing | SvgPicture) -> Child:
    """Return None whatever the name and drawing: the `PictureWriter` for documents without pictures."""
    return None


def comments_on_move(timeline: Timeline, played: PlayedMove) -> list[Comment]:
    """Return the comments on a move made on the boards, and those on the events that it caused."""
    known = timeline.state.comments
    return [comment for comment in known.values() if played.includes_event(commented_event(known, comment))]


def is_critical(played: PlayedMove) -> bool:
    """Tell whether a move captures, gives check or mate, or takes over an army."""
    return any(event.kind in CRITICAL_EVENTS for event in played.followed)


def draw_all_boards_after(timeline: Timeline, seq: int) -> Drawing:
    """Draw all boards as they were after event number `seq`."""
    position = multiverse_of(timeline.after(seq))
    return drawing_of_all_boards(position, width=min(PICTURE_WIDTH * len(position.boards), 2 * PICTURE_WIDTH))


def draw_changed_moves(timeline: Timeline, seq: int) -> Drawing | None:
    """Draw the moves that the law change in event number `seq` adds and removes; None if it changes none."""
    pairs = find_boards_with_changed_moves(timeline.after(seq - 1), timeline.after(timeline.end_of_step(seq)))
    return drawing_of_changes(pairs, width=2 * PICTURE_WIDTH) if pairs else None


def draw_fair_play(timeline: Timeline, seq: int) -> SvgPicture | None:
    """Draw the pieces' power before and after the proposal in event `seq`; None if no rule reads it or none changes."""
    event, before = timeline.events[seq - 1], timeline.after(seq - 1)
    proposal = timeline.after(seq).proposals[event.data["number"]]
    found = measure_power_change(suppose_proposed(calm_state(before), proposal.change, str(event.actor)))
    return found.picture if found is not None else None


def draw_after_move(timeline: Timeline, played: PlayedMove, comments: Iterable[Comment] = ()) -> Drawing:
    """Draw the board or joined boards of a move after it, with the arrows and squares of its comments."""
    position = multiverse_of(timeline.after(played.followed[-1].seq))
    push = replace(played, before=position).joined_boards
    local = {place: at for at, place in push.origin.items()}
    drawn = (
        read_mark(multiverse_of(timeline.state), text, count)
        for comment in comments
        for texts, count in ((comment.squares, 1), (comment.arrows, 2))
        for text in texts
    )
    strokes = group_pairs(
        (stroke.colour, tuple(local[place] for place in stroke.squares))
        for stroke in drawn
        if local.keys() >= set(stroke.squares)
    )
    kings = {event.data["king"] for event in played.events_of_kind("checked")}
    scene = push_scene(
        push,
        last=tuple(local[end] for end in (played.move.origin, played.move.target) if end in local),
        checks=tuple(at for at, piece in push.pieces.items() if piece.id in kings),
        strokes=strokes,
    )
    boards = f"{' and '.join(played.move.push)} pushed together" if len(played.move.push) > 1 else played.move.push[0]
    return Drawing((scene,), f"{boards}, after {played.move.text}", width=PICTURE_WIDTH)
