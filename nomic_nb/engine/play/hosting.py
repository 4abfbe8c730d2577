"""Keeping the record: absence, pause, correction by consent, and comments with glyphs, arrows and marked squares.

None of it is a move in the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeAlias

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.extension import extension
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.changes import check_text
from nomic_nb.engine.law.view import View
from nomic_nb.engine.play.by_hand import check_changes
from nomic_nb.engine.play.cases import BY, names_of
from nomic_nb.engine.play.declaring import AtEvent, Names, Others, Takes, Words, action, happens
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, value_in
from nomic_nb.engine.play.joining import why_not
from nomic_nb.engine.play.judging import judge_away
from nomic_nb.engine.play.pending import Item
from nomic_nb.engine.play.permission import agreed_by_all, calm, ordered, somebody
from nomic_nb.engine.play.questions import settle_if_agreed
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Comment
from nomic_nb.engine.play.waiting import without_the_absent
from nomic_nb.engine.words import listed

#: Characters that a comment may have.
LONGEST_COMMENT = 4_000
#: Arrows, and marked squares, that a comment may have.
MOST_MARKS = 40
#: Annotation glyphs: good, mistake, brilliant, blunder, interesting, dubious, forced (PGN standard, section 10).
NAGS = ("", "!", "?", "!!", "??", "!?", "?!", "□")
#: What can be done when the game is over or rests.
COMMENTING = frozenset({"annotate", "edit_comment", "withdraw_comment"})

Perhaps: TypeAlias = Annotated[str | None, Takes()]


def _marks(state: State, what: str, count: int, texts: Iterable[object]) -> list[str]:
    """Return arrows or squares as they are recorded; refuse what does not stand on the boards."""
    found = list(texts)
    if len(found) > MOST_MARKS:
        raise IllegalAction(f"a comment has at most {MOST_MARKS} {what}; found {len(found)}")
    for one in found:
        if not isinstance(one, str):
            raise IllegalAction(f"{what} are given as texts; found {str(one)[:40]!r}")
        extension().check_mark(state, one, count)
    return [str(one) for one in found]


def _checked(engine: Engine, comment: Comment) -> dict[str, Any]:
    """Return a comment as its event has it."""
    state = engine.state
    check_text("comment", comment.text, LONGEST_COMMENT)
    if comment.glyph not in NAGS:
        options = [one for one in NAGS if one]
        raise IllegalAction(f"{str(comment.glyph)[:20]!r} is not an annotation glyph", options=options)
    drawn = {
        "arrows": _marks(state, "arrows", 2, comment.arrows), "squares": _marks(state, "squares", 1, comment.squares),
    }  # fmt: skip
    if not (comment.text.strip() or comment.glyph or any(drawn.values())):
        raise IllegalAction("a comment needs some text or a glyph, an arrow or a marked square")
    return {"text": comment.text.strip(), "nag": comment.glyph, "at": comment.at, "data": drawn}


@action("annotated", host=True)
def annotate(
    engine: Engine, text: Words, nag: Words = "", at: AtEvent = None, arrows: Others = None, squares: Others = None
) -> None:
    """Write a comment on an event; the last one, where none is named."""
    seq = engine.state.seq
    at = seq if at is None else at
    if not 1 <= at <= seq:
        raise IllegalAction(f"the game has events 1 to {seq}; found {at}")
    made = Comment(at, text, nag, tuple(arrows or ()), tuple(squares or ()))
    engine.emit("annotated", **_checked(engine, made))


@action("comment_edited", host=True)
def edit_comment(
    engine: Engine, comment: AtEvent, text: Perhaps = None, nag: Perhaps = None, arrows: Others = None,
    squares: Others = None,
) -> None:  # fmt: skip
    """Put a comment in other words; what is not said of it stays."""
    old = _found(engine.state, comment)
    new = Comment(
        old.at,
        old.text if text is None else text.strip(),
        old.glyph if nag is None else nag,
        old.arrows if arrows is None else tuple(arrows),
        old.squares if squares is None else tuple(squares),
    )
    if new == old:
        raise IllegalAction(f"comment {comment} says that already")
    engine.emit("comment_edited", **_checked(engine, new), comment=comment)


@action("comment_withdrawn", host=True)
def withdraw_comment(engine: Engine, comment: AtEvent) -> None:
    """Withdraw a comment; the record keeps that it was there."""
    _found(engine.state, comment)
    engine.emit("comment_withdrawn", comment=comment)


def _found(state: State, number: int | None) -> Comment:
    if number is None or number not in state.comments:
        there = f"there are {', '.join(map(str, [*state.comments][-20:]))}" if state.comments else "there is none"
        raise IllegalAction(f"{number} is the number of no comment; {there}")
    return state.comments[number]


def comment_in(data: Mapping[str, Any]) -> Comment:
    """Return the comment that an event's data hold."""
    return value_in(data, Comment, glyph=data["nag"])


def _told(event: Event) -> str:
    data = event.data
    drawn = [f"{name} {', '.join(data[name])}" for name in ("arrows", "squares") if name in data]
    said = " ".join([one for one in (data["nag"], data["text"]) if one] + [f"({'; '.join(drawn)})" for _ in drawn[:1]])
    about = f"on event {data['at']}" if event.kind == "annotated" else f"comment {data['comment']} now reads"
    return f"{about}: {said}"


@happens("annotated", told=_told)
@happens("comment_edited", told=_told)
def _written(state: State, event: Event) -> State:
    return state.but(comments={**state.comments, event.data.get("comment", event.seq): comment_in(event.data)})


@happens("comment_withdrawn", told="comment {comment} is withdrawn")
def _withdrawn(state: State, event: Event) -> State:
    return state.but(comments={seq: one for seq, one in state.comments.items() if seq != event.data["comment"]})


@action("absent", host=True)
def absent(engine: Engine, who: Words) -> None:
    """Record that a player is not at the table, so that no question waits for them; rules may speak of it."""
    somebody(engine.state, who)
    if engine.state.players[who].absent:
        raise IllegalAction(f"{who} is already recorded as absent")
    engine.emit("absent", who=who)
    engine.state = without_the_absent(engine.state)
    settle_if_agreed(engine)
    judge_away(engine, who)


@action("returned", host=True)
def present(engine: Engine, who: Words) -> None:
    """Record that a player is back."""
    somebody(engine.state, who)
    if not engine.state.players[who].absent:
        raise IllegalAction(f"{who} is not recorded as absent")
    engine.emit("returned", who=who)


@action("paused", host=True)
def pause(engine: Engine) -> None:
    """Let the game rest."""
    if engine.state.paused:
        raise IllegalAction("the game is already paused")
    engine.emit("paused")


@action("resumed", host=True)
def resume(engine: Engine) -> None:
    """Go on after a pause."""
    if not engine.state.paused:
        raise IllegalAction("the game is not paused")
    engine.emit("resumed")


@action("corrected", host=True)
def correct(engine: Engine, effect: Words, agreed: Names, reason: Words) -> None:
    """Put right what the record has wrong, or let somebody in, because everyone at the table agrees."""
    state = engine.state
    calm(state)
    who, why = agreed_by_all(state, agreed, reason, "a correction")
    check_text("effect", effect, v.LONGEST_TEXT * 4)
    parsed = ordered(state, effect, "record")
    if parsed.form.name == "enter":
        for name in names_of(parsed.player.run(View(state, {}, state.law))):
            if reason := why_not(state, name):
                raise IllegalAction(reason)
    item = Item("effects", {}, state.law, None, None, (parsed,), state.hand)
    check_changes(engine, item)
    engine.emit("corrected", effect=parsed.words, agreed=who, reason=why)
    engine.first(item)


@happens("absent", "a player is recorded as not at the table", BY, told="{who} is absent")
@happens("returned", "a player is back at the table", BY, told="{who} is back")
def _absence(state: State, event: Event) -> State:
    return state.with_player(replace(state.players[event.data["who"]], absent=event.kind == "absent"))


happens("paused", told="the game is paused")(lambda state, _: state.but(paused=True))


happens("resumed", told="the game goes on")(lambda state, _: state.but(paused=False))


happens("corrected", told=lambda e: f"{listed(e.data['agreed'])} agree: {e.data['effect']} ({e.data['reason']})")


happens("undone", told="the game goes back to how it stood after event {to}")
