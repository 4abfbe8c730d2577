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
from nomic_nb.study.review.boards.compare import boards_with_other_moves
from nomic_nb.study.review.boards.meter import measure_change

#: What a move brings about that is worth a picture.
CRITICAL_EVENTS = frozenset({"army_taken", "captured", "checked", "mated"})
#: How wide a picture is on the page, in CSS pixels.
PICTURE_WIDTH = 300

#: Shows a drawing on a page, by its name; nothing where the page has no pictures.
PictureWriter = Callable[[str, Drawing | SvgPicture], Child]


def draw_nothing(_name: str, _drawing: Drawing | SvgPicture) -> Child:
    """Show nothing."""
    return None


def comments_on_move(timeline: Timeline, one: PlayedMove) -> list[Comment]:
    """Return the comments on a move, or on what it brought about."""
    known = timeline.state.comments
    return [comment for comment in known.values() if one.on(commented_event(known, comment))]


def is_critical(one: PlayedMove) -> bool:
    """Tell whether a move captures, gives check or mate, or brings about that an army is taken over."""
    return any(event.kind in CRITICAL_EVENTS for event in one.followed)


def draw_set_up(timeline: Timeline, seq: int) -> Drawing:
    """Draw all boards as they stand after an event."""
    position = multiverse_of(timeline.after(seq))
    return drawing_of_all_boards(position, width=min(PICTURE_WIDTH * len(position.boards), 2 * PICTURE_WIDTH))


def draw_changed_moves(timeline: Timeline, seq: int) -> Drawing | None:
    """Draw the moves that armies gain and lose by a change of law; None where all keep theirs."""
    pairs = boards_with_other_moves(timeline.after(seq - 1), timeline.after(timeline.step_end(seq)))
    return drawing_of_changes(pairs, width=2 * PICTURE_WIDTH) if pairs else None


def draw_fair_play(timeline: Timeline, seq: int) -> SvgPicture | None:
    """Draw what a proposal makes of each kind of piece of each player; None where no rule looks at that."""
    event, before = timeline.events[seq - 1], timeline.after(seq - 1)
    proposal = timeline.after(seq).proposals[event.data["number"]]
    found = measure_change(suppose_proposed(calm_state(before), proposal.change, str(event.actor)))
    return found.picture if found is not None else None


def draw_after_move(timeline: Timeline, one: PlayedMove, comments: Iterable[Comment] = ()) -> Drawing:
    """Draw the boards that were pushed together as a move left them, with what comments mark there."""
    position = multiverse_of(timeline.after(one.followed[-1].seq))
    push = replace(one, before=position).joined
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
    kings = {event.data["king"] for event in one.of("checked")}
    scene = push_scene(
        push,
        last=tuple(local[end] for end in (one.move.origin, one.move.target) if end in local),
        checks=tuple(at for at, piece in push.pieces.items() if piece.id in kings),
        strokes=strokes,
    )
    boards = f"{' and '.join(one.move.push)} pushed together" if len(one.move.push) > 1 else one.move.push[0]
    return Drawing((scene,), f"{boards}, after {one.move.text}", width=PICTURE_WIDTH)
