"""Keeping the record: absence, pause, correction by consent, and comments with glyphs, arrows and marked squares.

None of it is a move in the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeAlias

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.changes import check_text_storable
from nomic_nb.engine.law.clauses import Effect
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.engine.law.nodes import View
from nomic_nb.engine.law.values import Number
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.agenda_items import ANSWER, AgendaItem
from nomic_nb.engine.play.declarations import (
    EventField,
    FieldSpec,
    NamesField,
    OtherPlayersField,
    WordsField,
    action,
    declare_event,
    declare_step,
)
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, number_from_json, unknown_event_message, value_from_data
from nomic_nb.engine.play.permissions import (
    check_player_name,
    check_unanimity,
    check_undisturbed,
    read_ordered_effect,
    refuse,
    unorderable_effect_message,
)
from nomic_nb.engine.play.players import why_not_admitted
from nomic_nb.engine.play.questions import settle_if_agreed
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import PLAYER_CASE, Comment, Ruling, player_names
from nomic_nb.engine.play.waiting import without_waits_for_absent
from nomic_nb.engine.play.winning import players_meeting_win_condition
from nomic_nb.engine.subjects.judgment_steps import go_on_without_absentee
from nomic_nb.engine.subjects.votes import continue_votes_without_absentee
from nomic_nb.engine.words import counter_named, join_words

# ------------------------------------------------------------------------------------------ what people do by hand


#: What only says something, and gives nobody anything.
SAYING_EFFECTS = ("announce", "let")


def numbers_named(wording: str) -> set[Number]:
    """Return the whole numbers in a wording, in figures or in words.

    Examples
    --------
    >>> sorted(numbers_named("Whoever hums loses two points, and 10 the second time."))
    [2, 10]
    """
    meant = {**everyday_table("numbers"), "no": "0"}
    words = re.findall(r"\d{1,12}|[a-z]+", wording.lower())
    return {int(number) for word in words if (number := meant.get(word, word)).isdigit()}


@declare_step("by hand")
def apply_by_hand(engine: Engine) -> None:
    """Carry out an effect ordered by a player or a Judge; ask the others first if it exceeds the doer's power."""
    item = engine.item
    doer, answer = doer_of(engine.state, item), item.env.get(ANSWER)
    plain = {name: value for name, value in item.env.items() if name != ANSWER}
    cause, what = item.cause, item.effects[0].words
    doubts = (
        [] if answer == "yes" else list(dict.fromkeys(reasons_beyond_power(engine, replace(item, env=plain), doer)))
    )
    others = tuple(name for name in engine.state.present_names if name != doer)
    if doubts and item.effects[0].form.name == "end":  # who let the ruling stand has agreed, and who wins gains by it
        for_it = {
            *_upholders(engine.state, item),
            *engine.winners_after_items(replace(item, kind="effects", env=plain)),
        }
        others = tuple(name for name in others if name not in for_it)
        doubts = doubts if others else []
    if not doubts:
        if answer and cause is not None:
            cause = replace(cause, words=f"agreed, {cause.words}")
        done = replace(item, kind="effects", env=plain, cause=cause)
        engine.put_first(done)
    elif answer or all(engine.state.players[name].absent for name in others):
        engine.emit("disputed", doer, effect=what, why="" if answer else "nobody is there to agree")
    else:
        engine.put_first(item)
        text = f"{cause.words if cause else what} – {'; '.join(doubts)}. Do the others agree to this?"
        rule = cause.rule if cause is not None and cause.rule != "" else None
        engine.ask(f"{text[0].upper()}{text[1:]}", rule=rule, who=others or None, options=["yes", "no"], drops=True)


def check_does_something(engine: Engine, item: AgendaItem) -> None:
    """Raise `IllegalAction` if an effect by hand (`item`) would change nothing.

    Raises
    ------
    IllegalAction
        It does not.
    """
    after, events = engine.result_of_item(replace(item, kind="effects"))
    happens = any(event.kind != "counted" or event.data.get("amount") != 0 for event in events)
    if not (happens or after.questions or after.waiting != engine.state.waiting):
        refuse(say("nothing-changed", "“{effect}” would change nothing now", effect=item.effects[0].words))


def doer_of(state: State, item: AgendaItem) -> str:
    """Return the name of whoever does an effect by hand: the ordering Judge, or the player who applies a rule."""
    ruling = _ordering_ruling(state, item)
    return ruling.judge if ruling else str(item.env["player"].id)


def _ordering_ruling(state: State, item: AgendaItem) -> Ruling | None:
    """Return the ruling that orders an effect (`item`); None if a player applies a rule."""
    judgment = item.env.get("judgment")
    return judgment and state.judgments[judgment.id].ruling


def _upholders(state: State, item: AgendaItem) -> tuple[str, ...]:
    """Return the players who voted against overruling the ruling that orders an effect (`item`)."""
    judgment = state.judgments[item.env["judgment"].id]
    return tuple(name for name, ballot in judgment.ballots.items() if ballot == "against")


def _numbers_in_cited_rules(state: State, item: AgendaItem) -> set[Number]:
    """Return the numbers in the wording of the rule that is applied, or of those on which a ruling rests."""
    ruling = _ordering_ruling(state, item)
    ids = ruling.rests_on if ruling else (item.env["this"].id,)
    rules = (state.rules.rules[id] for id in ids if id in state.rules.rules)
    return {number for rule in rules for number in numbers_named(rule.wording)}


def reasons_beyond_power(engine: Engine, item: AgendaItem, doer: str) -> Iterator[str]:
    """Yield reasons, as sentences, why an effect by hand is more than its doer may do alone; none if it is not."""
    effect, before = item.effects[0], engine.state
    after, events = engine.result_of_item(replace(item, kind="effects"))
    for name in (player for player in before.names_of_players if not after.players[player].playing):
        yield f"it would put {name} out of the game"
    at_once = engine.winners_after_items(replace(item, kind="effects"))
    gaining = (
        name
        for name in players_meeting_win_condition(after)
        if name not in players_meeting_win_condition(before) and name not in after.above
    )
    for name in dict.fromkeys((*gaining, *(at_once if at_once != engine.winners_after_items() else ()))):
        yield f"it would make {name} win"
    if effect.form.name in (*SAYING_EFFECTS, "end"):  # that play ends, and what becomes of it, stands in the law
        return
    direct = [event for event in events if event.cause == item.cause]
    named = _numbers_in_cited_rules(before, item)
    for event in direct:
        if event.kind == "counted" and "amount" not in event.data:
            yield f"{event.data['counter']} of {event.data.get('of', event.actor or 'the game')} would change"
        elif event.kind == "counted" and not _changes_by_named_number(event, named):
            yield f"no rule concerned mentions {abs(number_from_json(event.data['amount']))} {event.data['counter']}"
    if "judgment" in item.env:
        return
    if direct and before.applied.count(item.env["this"].id) > 1:
        yield "the rule has already been applied in this turn"
    own = before.turn_of(doer) is not None
    for event in direct if not own else ():
        if event.kind == "obliged" or (event.kind == "counted" and _is_favourable(event, doer)):
            yield f"it is not {doer}’s turn"
            break
    others = installed_extension().affects_others_pieces(before, after, doer, own_turn=own)
    if effect.form.name in ("give", "grow") or others:
        yield f"it affects more than {doer}’s own pieces in their own turn"


def _changes_by_named_number(event: Event, named: set[Number]) -> bool:
    """Tell whether an event changes a counter by, or to, one of the numbers in `named`; also if it changes it by 0."""
    amount, now = (number_from_json(event.data[field_name]) for field_name in ("amount", "now"))
    return amount == 0 or abs(amount) in named or now in named


def _is_favourable(event: Event, doer: str) -> bool:
    """Tell whether a counter's change favours the doer: more for them or the game, less for another player."""
    more = number_from_json(event.data.get("amount", 1)) > 0
    return more if event.actor in (doer, None) else not more


# ---------------------------------------------------------------------------------------------- keeping the record


#: Characters that a comment may have.
LONGEST_COMMENT = 4_000
#: Arrows, and marked squares, that a comment may have.
MOST_MARKS = 40
#: Annotation glyphs: good, mistake, brilliant, blunder, interesting, dubious, forced (PGN standard, section 10).
NAG_GLYPHS = ("", "!", "?", "!!", "??", "!?", "?!", "□")

OptionalText: TypeAlias = Annotated[str | None, FieldSpec()]


def _check_marks(state: State, what: str, squares_each: int, texts: Iterable[object]) -> list[str]:
    """Check marks, and return them as texts; `what` is “arrows” (2 `squares_each`) or “squares” (1)."""
    marks = list(texts)
    if len(marks) > MOST_MARKS:
        raise IllegalAction(
            "too-many-marks",
            "a comment can have at most {most} {what}; you gave {count}",
            most=MOST_MARKS,
            what=what,
            count=len(marks),
        )
    for mark in marks:
        if not isinstance(mark, str):
            raise IllegalAction(
                "marks-not-texts", "{what} must be text; you gave {found!r}", what=what, found=str(mark)[:40]
            )
        installed_extension().check_mark(state, mark, squares_each)
    return [str(one) for one in marks]


def _check_comment(engine: Engine, comment: Comment) -> dict[str, Any]:
    """Return the event data of a comment; raise an error if it is empty, too long or marks what is not there."""
    state = engine.state
    check_text_storable("comment", comment.text, LONGEST_COMMENT)
    if comment.glyph not in NAG_GLYPHS:
        options = [nag_glyph for nag_glyph in NAG_GLYPHS if nag_glyph]
        raise IllegalAction(
            "glyph-unknown", "{glyph!r} isn’t an annotation symbol", glyph=str(comment.glyph)[:20], options=options
        )
    drawn = {
        "arrows": _check_marks(state, "arrows", 2, comment.arrows), "squares": _check_marks(state, "squares", 1,
        comment.squares),
    }  # fmt: skip
    if not (comment.text.strip() or comment.glyph or any(drawn.values())):
        raise IllegalAction("comment-empty", "a comment needs some text, a symbol, an arrow or a marked square")
    return {"text": comment.text.strip(), "nag": comment.glyph, "at": comment.at, "data": drawn}


@action("annotated", host=True)
def annotate(
    engine: Engine,
    text: WordsField,
    nag: WordsField = "",
    at: EventField = None,
    arrows: OtherPlayersField = None,
    squares: OtherPlayersField = None,
) -> None:
    """Write a comment on an event; by default, the last one."""
    seq = engine.state.seq
    at = seq if at is None else at
    if not 1 <= at <= seq:
        raise IllegalAction(unknown_event_message(seq, at))
    comment = Comment(at, text, nag, tuple(arrows or ()), tuple(squares or ()))
    engine.emit("annotated", **_check_comment(engine, comment))


@action("comment_edited", host=True)
def edit_comment(
    engine: Engine, comment: EventField, text: OptionalText = None, nag: OptionalText = None,
    arrows: OtherPlayersField = None,
    squares: OtherPlayersField = None,
) -> None:  # fmt: skip
    """Change a comment; anything not given stays the same."""
    old = _find_comment(engine.state, comment)
    new = Comment(
        old.at,
        old.text if text is None else text.strip(),
        old.glyph if nag is None else nag,
        old.arrows if arrows is None else tuple(arrows),
        old.squares if squares is None else tuple(squares),
    )
    if new == old:
        raise IllegalAction("comment-unchanged", "comment {comment} already says that", comment=comment)
    engine.emit("comment_edited", **_check_comment(engine, new), comment=comment)


@action("comment_withdrawn", host=True)
def withdraw_comment(engine: Engine, comment: EventField) -> None:
    """Withdraw a comment; the record still shows that it was made."""
    _find_comment(engine.state, comment)
    engine.emit("comment_withdrawn", comment=comment)


def _find_comment(state: State, number: int | None) -> Comment:
    """Return the comment with this number; raise `IllegalAction` if there is none or the number is None."""
    if number is None or number not in state.comments:
        there = f"there are {', '.join(map(str, [*state.comments][-20:]))}" if state.comments else "there is none"
        raise IllegalAction(
            "comment-unknown", "no comment has the number {comment}; {known}", comment=number, known=there
        )
    return state.comments[number]


def comment_from_data(data: Mapping[str, Any]) -> Comment:
    """Return the comment that the data of an event describes."""
    return value_from_data(data, Comment, glyph=data["nag"])


def _describe_comment(event: Event) -> str:
    """Return the history sentence for a comment."""
    data = event.data
    drawn = [f"{name} {', '.join(data[name])}" for name in ("arrows", "squares") if name in data]
    sentence = " ".join(
        [part for part in (data["nag"], data["text"]) if part] + [f"({'; '.join(drawn)})" for _ in drawn[:1]]
    )
    about = f"on event {data['at']}" if event.kind == "annotated" else f"comment {data['comment']} now reads"
    return f"{about}: {sentence}"


@declare_event("annotated", told=_describe_comment)
@declare_event("comment_edited", told=_describe_comment)
def _write_comment(state: State, event: Event) -> State:
    """Return the state with a comment added or edited."""
    return state.replace(
        comments={**state.comments, event.data.get("comment", event.seq): comment_from_data(event.data)}
    )


declare_event("comment_withdrawn", told="comment {comment} is withdrawn")(
    lambda state, event: state.replace(
        comments={seq: comment for seq, comment in state.comments.items() if seq != event.data["comment"]}
    )
)


@action("absent", host=True)
def absent(engine: Engine, who: WordsField) -> None:
    """Record that a player is away, so no question waits for them; rules can take this into account."""
    check_player_name(engine.state, who)
    if engine.state.players[who].absent:
        raise IllegalAction("already-absent", "{player} is already marked as away", player=who)
    engine.emit("absent", who=who)
    engine.state = without_waits_for_absent(engine.state)
    settle_if_agreed(engine)
    go_on_without_absentee(engine, who)
    continue_votes_without_absentee(engine, who)


@action("returned", host=True)
def present(engine: Engine, who: WordsField) -> None:
    """Record that a player is back."""
    check_player_name(engine.state, who)
    if not engine.state.players[who].absent:
        raise IllegalAction("not-absent", "{player} isn’t marked as away", player=who)
    engine.emit("returned", who=who)


@action("paused", host=True)
def pause(engine: Engine) -> None:
    """Pause the game."""
    if engine.state.paused:
        raise IllegalAction("already-paused", "the game is already paused")
    engine.emit("paused")


@action("resumed", host=True)
def resume(engine: Engine) -> None:
    """Resume a paused game."""
    if not engine.state.paused:
        raise IllegalAction("not-paused", "the game isn’t paused")
    engine.emit("resumed")


@action("corrected", host=True)
def correct(engine: Engine, effect: WordsField, agreed: NamesField, reason: WordsField) -> None:
    """Correct a mistake in the record, or let a player join, because everyone at the table agrees."""
    state = engine.state
    check_undisturbed(state)
    who, why = check_unanimity(state, agreed, reason, "a correction")
    check_text_storable("effect", effect, v.LONGEST_TEXT * 4)
    parsed = _read_correction(state, effect)
    if parsed.form.name == "enter":
        for name in player_names(parsed.player.run(View(state, {}, state.law))):
            if barred := why_not_admitted(state, name):
                raise IllegalAction(barred)
    item = AgendaItem("effects", {}, state.law, None, None, (parsed,), state.hand)
    check_does_something(engine, item)
    engine.emit("corrected", effect=parsed.words, agreed=who, reason=why)
    engine.put_first(item)


def _read_correction(state: State, sentence: str) -> Effect:
    """Read the effect of a correction; refuse other words by one that fits this game, with the names in them."""
    try:
        effect = read_ordered_effect(state, sentence, "record")
        if getattr(effect, "what", "") == "play":
            raise IllegalAction(unorderable_effect_message("record", effect.words))
        return effect
    except LawError as error:
        if error.message.code != "misplaced":
            raise
        number = next(iter(re.findall(r"-?\d+", sentence)), "12")
        words = re.findall(r"\w+", sentence)
        named = max((name for name in state.players if name in sentence), key=len, default=next(iter(state.players)))
        tables = [
            name for name, table in state.tables.items()
            if table.shape.keys == ("player",) and table.shape.holds_numbers and table.tracked
        ]  # fmt: skip
        if not tables:
            raise
        counter = next((name for name in tables if {name, name.removesuffix("s")} & {*words}), tables[0])
        raise IllegalAction(
            "correction-unreadable", "the game can’t read that as a correction. Write: {example}",
            example=f'put {counter} of "{named}" at {number}',
        ) from None  # fmt: skip


@declare_event("absent", "a player is marked as away", PLAYER_CASE, told="{who} is away")
@declare_event("returned", "a player is marked as back", PLAYER_CASE, told="{who} is back")
def _set_absence(state: State, event: Event) -> State:
    """Return the state in which a player is recorded as absent or back."""
    return state.with_player(replace(state.players[event.data["who"]], absent=event.kind == "absent"))


declare_event("paused", told="the game is paused")(lambda state, _: state.replace(paused=True))


declare_event("resumed", told="the game continues")(lambda state, _: state.replace(paused=False))


#: The commonest corrections, as they are written.
_PLAIN_CORRECTION = re.compile(
    r'(?:enter player|put (?P<counter>\w+) of) "(?P<who>[^"]*)" (?:as person|at (?P<at>-?\d+))'
)


def _describe_correction(event: Event) -> str:
    """Return what players agreed on, in plain words if it is one of the commonest corrections."""
    what = f": {event.data['effect']}"
    if plain := _PLAIN_CORRECTION.fullmatch(event.data["effect"]):
        counter, at = plain["counter"], plain["at"]
        what = f" that {plain['who']} " + (f"has {at} {counter_named(counter, int(at))}" if at else "joins")
    agreed = event.data["agreed"]
    return f"{f'{join_words(agreed)} agree' if agreed else 'the record says'}{what} ({event.data['reason']})"


declare_event("corrected", told=_describe_correction)


declare_event("undone", told="everything after event {to} is undone")
