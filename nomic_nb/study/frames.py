"""Data frames over a game: history, story, rules, versions of rules, proposals, ballots, ledger."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from fractions import Fraction
from functools import cache, wraps
from math import nan
from operator import attrgetter, is_, itemgetter
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary

from nomic_nb.chess.play.records import describe_piece
from nomic_nb.chess.record.moves import commented_event, played_moves
from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.play.calendar import format_minute
from nomic_nb.engine.play.clock import MIDNIGHT_EVENT
from nomic_nb.engine.play.declarations import EVENT_KINDS
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import BALLOTS as CAST
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.record.seals import NO_SEALS, SEALED_TEXT, Seals, current_seals
from nomic_nb.engine.threads import Lock

if TYPE_CHECKING:
    import pandas as pd

    from nomic_nb.engine.law.rules import Number as RuleNumber
    from nomic_nb.engine.law.rules import Rule
    from nomic_nb.engine.law.tables import TableShape
    from nomic_nb.engine.law.values import Number as Amount
    from nomic_nb.engine.law.values import Value
    from nomic_nb.engine.play.state import State
    from nomic_nb.engine.play.table_values import TablePlace
    from nomic_nb.engine.play.values import Vote

#: Numbers from here on have no float beside them.
LARGEST_FLOAT = 10**308
#: Types for which every cell is tested. A tuple takes a tenth of the time of a union.
_NUMBERS, _NESTED = (int, Fraction), (dict, list)
#: A date by the recorded clock.
DATE = "datetime64[s]"
P = ParamSpec("P")
T = TypeVar("T")


# ------------------------------------------------------------------------------ what of an event everybody may see


#: What of an event tells what a hidden table holds.
_OWN_FIELDS = frozenset(("amount", "now", "says", "exact", "tie", "start", "entries", "said"))


def visible_data(event: Event, sealed: Seals) -> Mapping[str, Any]:
    """Return the data of an event; what nobody may see yet is left out, or replaced by the text “sealed”."""
    if event.seq in sealed.after:
        return {}
    telling = event.seq in sealed.telling
    if event.kind == "attempted":
        secret = {"option" if event.do == "choose" else "ballot": SEALED_TEXT} if telling else {}
        return {"did": event.do, "details": {**event.details, **secret}}
    data = event.data
    if data.get("hidden"):  # what only the owner of an entry sees
        data = {name: value for name, value in data.items() if name not in _OWN_FIELDS}
    if not telling:
        return data
    shows = (
        "ballot", "votes_for", "votes_against", "votes_abstained", "votes_cast", "quota", "adopted",
        "option", "answers",
    )  # fmt: skip
    return {name: SEALED_TEXT if name in shows else value for name, value in data.items()}


def _refuse_change(*_: Any, **__: Any) -> Any:
    """Refuse to change what a cell holds, because other looks at the frame have the same cell."""
    raise TypeError("the data of an event can’t be changed; change a copy of it, such as dict(data)")


class LockedDict(dict[str, Any]):
    """A dict in a cell, which nobody can change; a copy of it is an ordinary dict."""

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse_change

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


class LockedList(list[Any]):
    """A list in a cell, which nobody can change; a copy of it is an ordinary list."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = append = clear = extend = insert = pop = _refuse_change
    remove = reverse = sort = _refuse_change

    def __reduce__(self) -> Any:
        return list, (list(self),)


def locked(data: Any) -> Any:
    """Return plain data as what nobody can change."""
    if isinstance(data, dict):
        made = LockedDict(data)
        for name, value in data.items():
            if isinstance(value, _NESTED):
                dict.__setitem__(made, name, locked(value))
        return made
    return LockedList(map(locked, data)) if isinstance(data, list) else data


# ----------------------------------------------------------------------------------------- data frames over a game


def make_frame(
    names: Mapping[str, str] | str, rows: Iterable[Sequence[Any]], index: str | None = None
) -> pd.DataFrame:  # fmt: skip
    """Return a data frame of rows; `names` maps columns to dtypes, and `index` names the index column, if any.

    `names` can also be a text as `column_types` reads it.

    A column of dtype ``exact`` has exact numbers; beside it stands ``NAME_float`` with the same numbers as floats. One
    of dtype ``whole`` is Int64 if all its numbers are whole or missing, otherwise object.

    Examples
    --------
    >>> [str(make_frame("whole: n", [[1], [cell]])["n"].dtype) for cell in (None, "a hidden number")]
    ['Int64', 'object']
    """
    types = column_types(names) if isinstance(names, str) else names
    return frame_of_columns(types, list(zip(*rows, strict=True)) or [()] * len(types), index)


def frame_of_columns(
    names: Mapping[str, str], columns: Iterable[Sequence[Any]], index: str | None = None
) -> pd.DataFrame:  # fmt: skip
    """Return what `make_frame` returns, from columns instead of rows."""
    import pandas as pd

    from nomic_nb.study.game_frame import GameFrame

    made = {}
    for (name, kind), column in zip(names.items(), columns, strict=True):
        whole = kind == "whole" and all(cell is None or (type(cell) is int and abs(cell) < 2**63) for cell in column)
        dtype = "Int64" if whole else "object" if kind in ("exact", "whole") else kind
        made[name] = pd.Series(column, dtype=dtype)
        if kind == "exact":
            made[f"{name}_float"] = pd.Series(list(map(_as_float, column)), dtype="float64")
    game_frame = GameFrame(made)
    return game_frame.set_index(index) if index else game_frame


def _as_float(value: Any) -> float:
    """Return an exact number as a float; not a number if it is none, or too large for a float."""
    return float(value) if isinstance(value, _NUMBERS) and -LARGEST_FLOAT < value < LARGEST_FLOAT else nan


def column_types(sentence: str) -> dict[str, str]:
    """Return a mapping of column name to dtype, from dtypes with their columns: ``int64: seq turn; string: part``.

    Examples
    --------
    >>> column_types("int64: seq turn; string: part")
    {'seq': 'int64', 'turn': 'int64', 'part': 'string'}
    """
    kinds = (declaration.partition(": ") for declaration in sentence.split("; "))
    return {name: dtype for dtype, _, names in kinds for name in names.split()}


#: Results for each game, by key, with the values from which they were made.
_MADE: WeakKeyDictionary[Timeline, dict[object, tuple[tuple[object, ...], Any]]] = WeakKeyDictionary()
#: Forget it all, because texts have changed.
forget_made = _MADE.clear


@contextmanager
def no_collection() -> Iterator[None]:
    """Collect no garbage meanwhile: that would look at all events and states, or new nodes, again and again."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


#: Objects made before the next search for garbage while programs play.
_SELDOM = 20_000
#: How often garbage was searched for when each of those who want it seldom began.
_OFTEN: list[tuple[int, int, int]] = []
_OFTEN_LOCK = Lock()


@contextmanager
def seldom_collection() -> Iterator[None]:
    """Search for garbage seldom meanwhile, or up to a fifth of the time goes into it; several threads can want that."""
    with _OFTEN_LOCK:
        _OFTEN.append(gc.get_threshold())
        youngest, *older = _OFTEN[0]
        gc.set_threshold(youngest and max(youngest, _SELDOM), *older)
    try:
        yield
    finally:
        with _OFTEN_LOCK:
            often, _ = _OFTEN[0], _OFTEN.pop()
            if not _OFTEN:
                gc.set_threshold(*often)


def recall_or_make(timeline: Timeline, key: object, values: tuple[object, ...], make: Callable[[], T]) -> T:
    """Return what `make` returned for a game and a key; it is called again only if a value is another object now."""
    made = _MADE.setdefault(timeline, {})
    known = made.get(key)
    if known is None or len(known[0]) != len(values) or not all(map(is_, known[0], values)):
        known = made[key] = values, make()
    return cast(T, known[1])


def made_once_by_head(make: Callable[Concatenate[Timeline, P], T]) -> Callable[Concatenate[Timeline, P], T]:
    """Wrap a function of a game to make its result again only if an event, a secret or an argument has changed."""

    @wraps(make)
    def made_by_head(timeline: Timeline, /, *args: P.args, **kwargs: P.kwargs) -> T:
        head = (timeline.moments[-1][0], current_seals(timeline), *args, *kwargs.values())
        return recall_or_make(timeline, make, head, lambda: make(timeline, *args, **kwargs))

    return made_by_head


def frame_by_head(
    make: Callable[Concatenate[Timeline, P], pd.DataFrame],
) -> Callable[Concatenate[Timeline, P], pd.DataFrame]:
    """Wrap a function that makes a frame of a game: it is made once until something happens; each look gets a copy."""
    made_by_head = made_once_by_head(no_collection()(make))
    return wraps(make)(lambda *args, **kwargs: made_by_head(*args, **kwargs).copy())


@made_once_by_head
def standing_events(timeline: Timeline) -> tuple[Event, ...]:
    """Return the events in effect, in order."""
    return tuple(timeline.events_in_effect)


@cache
def _date_of_minute(minute: int) -> datetime:
    """Return a minute of the recorded clock as a date and time."""
    return datetime.fromisoformat(format_minute(minute))


def recorded_date(timeline: Timeline, seq: int | None) -> datetime | None:
    """Return the date and time that the recorded clock shows after an event; None if nobody has recorded a time."""
    clock = timeline.after(seq).clock if seq else None
    return None if clock is None else _date_of_minute(clock.now)


HISTORY_COLUMNS = column_types(
    "int64: seq; string: what actor; bool: action; int64: act turn circuit; string: part kind; object: rule data; "
    f"{DATE}: clock"
)


#: The kinds of event after which the recorded clock can show another time.
_CLOCK_EVENTS = frozenset(("time_told", "time_passed", MIDNIGHT_EVENT, "undone"))


def _visible_history(timeline: Timeline) -> dict[str, Any]:
    """Return the columns of the history without secrets; only events since the last time are read."""
    moments, sealed, rows = timeline.moments, current_seals(timeline), list[tuple[Any, ...]]()
    names = "moment", *HISTORY_COLUMNS
    columns = recall_or_make(timeline, "history", (), lambda: {name: list[Any]() for name in names})
    known, *_ = columns.values()
    at = min(len(known), len(moments))
    while at and known[at - 1] is not moments[at - 1]:
        at -= 1
    act, date = (columns["act"][at - 1], columns["clock"][at - 1]) if at else (0, None)
    for seq, moment in enumerate(moments[at:], at + 1):  # as if nothing were sealed; states that are read take time
        event = moment[0]
        data, kind, cause = event.data, event.kind, event.cause
        act = seq if event.do else act
        if kind in _CLOCK_EVENTS:
            date = recorded_date(timeline, seq)
        if kind == "attempted" or "hidden" in data:
            data = visible_data(event, NO_SEALS)
        rows.append((
            moment, seq, EVENT_KINDS[kind].told(event), event.actor, event.is_action, act, event.turn, event.circuit,
            event.part, kind, cause and cause.rule, locked(data), date,
        ))  # fmt: skip
    for column, cells in zip(columns.values(), list(zip(*rows, strict=True)) or [()] * len(columns), strict=True):
        column[at:] = cells
    shown = {name: columns[name].copy() for name in HISTORY_COLUMNS}
    for seq in sealed.telling.union(sealed.after):
        event = moments[seq - 1][0]
        hidden = {"what": sentence(event, sealed), "data": locked(visible_data(event, sealed))}
        if seq in sealed.after:
            hidden |= {"actor": None, "part": None, "kind": SEALED_TEXT, "rule": None}
        for name, cell in hidden.items():
            shown[name][seq - 1] = cell
    return shown


@frame_by_head
def history_frame(
    timeline: Timeline, hands: Mapping[int, tuple[str, datetime]] | None = None
) -> pd.DataFrame:  # fmt: skip
    """Return the history as a data frame without secrets; `hands` has the source and time of each event.

    Returns
    -------
    DataFrame
        Indexed by ``seq`` (int64, 1 for the first event), with ``what`` (string: the event in words), ``actor``
        (string: who did it, or whom it concerns), ``action`` (bool: true for an act of a player or the host, false for
        what followed from one), ``act`` (int64: number of the act, its own for an act), ``turn`` (int64: number of the
        turn in which it happened, as turns can overlap; for an event outside all turns, the number of turns begun so
        far), ``circuit`` (int64), ``part`` (string: part of that turn), ``kind`` (string), ``rule`` (object: number of
        the rule behind it), ``data`` (object: plain data as a dict that cannot be changed; a copy can), ``clock``
        (datetime64[s]: date and time by the recorded clock; missing before somebody sets it). Anything that would give
        away a sealed ballot is ``sealed``. If the game is kept in a file, ``hand`` (string: ``cell``, ``panel``,
        ``seat``, ``host``, ``machine`` with its kind, or ``script`` if no cell was running) and ``at`` (datetime64[ms,
        UTC]) give the source and time of each event; both are missing for events from before the game was kept.
    """
    columns, types = _visible_history(timeline), HISTORY_COLUMNS
    if hands is not None:
        types = types | column_types("string: hand") | {"at": "datetime64[ms, UTC]"}
        columns["hand"], columns["at"] = zip(*(hands.get(seq, (None, None)) for seq in columns["seq"]), strict=True)
    return frame_of_columns(types, columns.values(), "seq")


RULE_COLUMNS = column_types(
    "object: number; string: title tier wording law how; object: proposal; string: author; int64: turn; string: scope"
)


@frame_by_head
def rules_frame(timeline: Timeline) -> pd.DataFrame:
    """Return a data frame of the rules in force, one row per rule.

    Returns
    -------
    DataFrame
        Indexed by ``number`` (object: int or str), with ``title``, ``tier``, ``wording``, ``law``
        (string), ``void`` (bool), ``how`` (string: initial, enacted, amended, automatic …), ``proposal`` (object),
        ``author`` (string), ``turn`` (int64: turn of the last change; 0 for the initial set).
    """
    book = timeline.state.rules
    frame = make_frame(RULE_COLUMNS, map(attrgetter(*RULE_COLUMNS), book), "number")
    frame.insert(4, "void", [rule.id in book.void for rule in book])
    return frame


VERSION_COLUMNS = column_types(
    "int64: id version; object: number; string: title tier how; object: proposal; string: author; int64: turn event; "
    f"{DATE}: made_at; exact: votes_for votes_against votes_abstained; bool: in_force; Int64: until until_turn; "
    f"{DATE}: ended_at; string: ended; object: ended_by; string: wording law"
)
_VERSION_FIELDS = attrgetter("number", "title", "tier", "how", "proposal", "author", "turn", "event")


def repeals(timeline: Timeline) -> dict[int, Event]:
    """Return the event that ended each former rule, by its id; a rule that another one brought in ends with that."""
    found = dict[int, Event]()
    for event in standing_events(timeline):
        gone = timeline.after(event.seq).rules.repealed
        if len(gone) > len(found):
            found |= {rule.id: event for rule in gone[len(found) :]}
    return found


@frame_by_head
def versions_frame(timeline: Timeline) -> pd.DataFrame:
    """Return a data frame of all versions of all rules, one row per version; vote tallies still sealed are missing.

    Returns
    -------
    DataFrame
        Sorted by ``id`` and ``version`` (int64, 1 for the first); ``number``, ``proposal``, ``votes_for``,
        ``votes_against``, ``votes_abstained`` (object; missing if nobody proposed the version; ``votes_for_float`` …
        are floats), ``title``, ``tier``, ``how`` (string: initial, enacted, amended, transmuted, settled, or automatic
        if a rule made it by itself), ``author``, ``wording``, ``law`` (string), ``turn``, ``event`` (int64: turn and
        event that made the version), ``in_force`` (bool), ``until``, ``until_turn`` (Int64: event and turn that ended
        it; missing while it is in force), ``ended`` (string: amended, transmuted, repealed, or ``by a rule``),
        ``ended_by`` (object: number of the proposal, or of the rule if a rule ended it), ``made_at``, ``ended_at``
        (datetime64[s]: dates by the recorded clock).
    """
    state, sealed, rows = timeline.state, current_seals(timeline), []
    book, gone = state.rules, repeals(timeline)
    for rule in (*book.rules.values(), *book.repealed):
        versions = rule.all_versions
        ends = [*(timeline.events[later.event - 1] for later in versions[1:]), gone.get(rule.id)]
        for at, (old, end) in enumerate(zip(versions, ends, strict=True), 1):
            proposal = state.proposal_numbered(old.proposal)
            cast = _side_weights(proposal.vote if proposal and proposal.number not in sealed.proposals else None)
            ended: Sequence[Any] = (None,) * 5
            if end is not None:
                by = end.data.get("number")
                how = "by a rule" if by is None and end.cause else "repealed" if at == len(ends) else end.kind
                ended = end.seq, end.turn, recorded_date(timeline, end.seq), how, end.rule if by is None else by
            rows.append((
                old.id, at, *_VERSION_FIELDS(old), recorded_date(timeline, old.event), *cast, end is None, *ended,
                old.wording, old.law,
            ))  # fmt: skip
    rows.sort(key=itemgetter(0, 1))
    return make_frame(VERSION_COLUMNS, rows)


SPELL_COLUMNS = column_types(
    f"int64: id; object: number; string: what; object: by; string: key; int64: turn event; {DATE}: began_at; "
    f"Int64: until until_turn; {DATE}: ended_at"
)


@frame_by_head
def spells_frame(timeline: Timeline) -> pd.DataFrame:
    """Return a data frame of the times during which rules were void or suspended, one row per time.

    Returns
    -------
    DataFrame
        In order of play, with ``id`` (int64), ``number`` (object), ``what`` (string: voided or suspended), ``by``
        (object: number of the rule that it contradicts, or that suspended it), ``key`` (string: what they contradict
        each other on), ``turn``, ``event`` (int64: when it began), ``until``, ``until_turn`` (Int64: event and turn in
        which the rule was revived or repealed; missing while it lasts), ``began_at``, ``ended_at`` (datetime64[s]:
        dates by the recorded clock).
    """
    rows, lasting, gone = list[list[Any]](), dict[int, list[Any]](), repeals(timeline)
    for event in standing_events(timeline):
        if event.kind not in ("voided", "suspended", "revived"):
            continue
        data, date = event.data, recorded_date(timeline, event.seq)
        if row := lasting.pop(data["rule"], None):
            row += [event.seq, event.turn, date]
        if event.kind != "revived":
            number, by = data.get("numbers") or (data["number"], event.rule)
            rows.append([data["rule"], number, event.kind, by, data.get("key", ""), event.turn, event.seq, date])
            lasting[data["rule"]] = rows[-1]
    for id, row in lasting.items():
        end = gone.get(id)
        row.extend([end.seq, end.turn, recorded_date(timeline, end.seq)] if end else [None] * 3)
    return make_frame(SPELL_COLUMNS, rows)


def _side_weights(vote: Vote | None) -> list[Amount | None]:
    """Return the total weights of the ballots for, against and abstaining; three times None without a vote."""
    return [vote.weight_of_side(ballot) if vote else None for ballot in CAST]


PROPOSAL_COLUMNS = column_types(
    "object: number; int64: turn; string: proponent kind; object: target; string: title wording law status; "
    "exact: votes_for votes_against votes_abstained quota; object: quota_rule; exact: quorum; string: note; "
    f"Int64: opened closed; {DATE}: opened_at closed_at"
)


@frame_by_head
def proposals_frame(timeline: Timeline) -> pd.DataFrame:
    """Return a data frame of all proposals, one row per proposal; vote tallies still sealed are missing.

    Returns
    -------
    DataFrame
        Indexed by ``number`` (object), with ``turn`` (int64), ``proponent``, ``kind``, ``title``,
        ``wording``, ``law``, ``status``, ``note`` (string), ``target``, ``votes_for``, ``votes_against``,
        ``votes_abstained``, ``quota``, ``quota_rule``, ``quorum`` (object; exact numbers, with ``votes_for_float`` …
        beside them), ``opened``, ``closed`` (Int64: events in which voting opened and closed last), ``opened_at``,
        ``closed_at`` (datetime64[s]: their dates by the recorded clock). Tallies of sealed ballots are missing. A quota
        that is determined only when the vote closes is missing until then.
    """
    rows, state, sealed = [], timeline.state, current_seals(timeline)
    votes: dict[str, dict[RuleNumber, int]] = {"vote_opened": {}, "vote_closed": {}}
    for event in standing_events(timeline):
        if event.kind in votes:
            votes[event.kind][event.data["number"]] = event.seq
    for number, proposal in state.proposals.items():
        span = [seqs.get(number) for seqs in votes.values()]
        change, vote, hidden = proposal.change, proposal.vote, number in sealed.proposals
        wording, law = (change.all_wording, change.all_law) if change.parts else (change.wording, change.law)
        fixed = (None if hidden and vote.late else vote.quota, vote.quota_rule, vote.quorum) if vote else (None,) * 3
        rows.append((
            number, proposal.turn, proposal.proponent, change.kind, change.target, change.title, wording, law,
            proposal.status,
            *_side_weights(None if hidden else vote), *fixed, proposal.note, *span,
            *(recorded_date(timeline, seq) for seq in span),
        ))  # fmt: skip
    return make_frame(PROPOSAL_COLUMNS, rows, "number")


BALLOT_COLUMNS = column_types(
    "object: proposal; string: voter ballot; exact: weight; int64: turn seq; object: rule; bool: counts; "
    f"{DATE}: clock; string: through"
)


@frame_by_head
def ballots_frame(timeline: Timeline) -> pd.DataFrame:
    """Return a data frame of all ballots, in the order cast; a ballot still sealed appears as the text “sealed”.

    Returns
    -------
    DataFrame
        ``proposal``, ``weight`` (object; ``weight_float`` is a float), ``voter``, ``ballot`` (string: for, against,
        another word, or sealed while nobody may see it), ``turn``, ``seq`` (int64), ``rule`` (object: number of the
        rule that cast it, if one did), ``counts`` (bool: false if the ballot was changed later or its voter has left),
        ``clock`` (datetime64[s]: date by the recorded clock), ``through`` (string: who has cast it for the voter).
    """
    events, state, sealed = standing_events(timeline), timeline.state, current_seals(timeline)
    cast = [(event, str(event.actor), event.data["number"]) for event in events if event.kind == "balloted"]
    last = {(number, actor): event for event, actor, number in cast}
    rows = []
    for event, actor, number in cast:
        vote = state.proposals[number].vote
        counted = vote is not None and actor in vote.ballots and last[number, actor] is event
        weight = vote.weights.get(actor) if vote is not None else None
        ballot_text = SEALED_TEXT if event.seq in sealed.telling else event.data["ballot"]
        rows.append((
            number, actor, ballot_text, weight, event.turn, event.seq, event.rule, counted,
            recorded_date(timeline, event.seq), event.data.get("by"),
        ))  # fmt: skip
    return make_frame(BALLOT_COLUMNS, rows)


POLL_COLUMNS = column_types(
    f"int64: poll; string: question player answer; int64: turn seq; object: rule; bool: secret counts; {DATE}: clock"
)


@frame_by_head
def polls_frame(timeline: Timeline) -> pd.DataFrame:
    """Return a data frame of the answers to polls and other questions that rules ask, one row per answer.

    Returns
    -------
    DataFrame
        ``poll`` (int64: number of the poll, starting from 1), ``question`` (string: its text, or the name that the rule
        gives to the answers), ``player`` (string), ``answer`` (string: ``sealed`` while nobody may see it; several
        answers are separated by commas), ``turn``, ``seq`` (int64: turn and event of the answer), ``rule`` (object:
        number of the rule that asks), ``secret`` (bool), ``counts`` (bool: false if the player left before all answers
        were in), ``clock`` (datetime64[s]: date by the recorded clock).
    """
    rows, state, sealed = [], timeline.state, current_seals(timeline)
    for event in standing_events(timeline):
        if event.kind != "chosen" or "poll" not in event.data:
            continue
        poll, option = state.polls[event.data["poll"]], event.data["option"]
        answer = (
            SEALED_TEXT if event.seq in sealed.telling else ", ".join(option) if isinstance(option, list) else option
        )
        rows.append((
            poll.id, poll.text or poll.name, event.actor, answer, event.turn, event.seq, poll.rule, poll.secret,
            event.actor in poll.answers, recorded_date(timeline, event.seq),
        ))  # fmt: skip
    return make_frame(POLL_COLUMNS, rows)


LEDGER_COLUMNS = column_types(
    "int64: seq turn; string: player of counter; exact: amount now; object: rule; string: why; object: exact; "
    f"bool: tie; {DATE}: clock"
)


@frame_by_head
def ledger_frame(timeline: Timeline, entries: Iterable[Any]) -> pd.DataFrame:
    """Return a data frame of counter changes, one row per ledger entry (an object with most columns as attributes).

    Returns
    -------
    DataFrame
        Indexed by ``seq`` (int64), with ``turn`` (int64), ``player`` (string; missing if the counter is not kept per
        player), ``of`` (string: owner of the entry in other cases; empty for a player's or the game's own entry),
        ``counter`` (string), ``amount`` (object: exact change; missing if the counter does not hold numbers), ``now``
        (object: exact new number, or the new value in words; “a hidden number”, without an amount, if it is hidden),
        ``rule`` (object: number of the rule that caused the change), ``why`` (string: its clause, or the players'
        reason for a correction), ``exact`` (object: exact amount before rounding; missing if nothing was rounded),
        ``tie`` (bool: whether that amount was halfway between two whole numbers), ``clock`` (datetime64[s]: date by the
        recorded clock). ``amount_float`` and ``now_float`` are floats, missing if there is no such number.
    """
    fields = attrgetter(*list(LEDGER_COLUMNS)[:-1])
    rows = ((*fields(entry), recorded_date(timeline, entry.seq)) for entry in entries)
    return make_frame(LEDGER_COLUMNS, rows, "seq")


def table_frame(state: State, shape: TableShape, rows: Iterable[tuple[TablePlace, Value]]) -> pd.DataFrame:
    """Return a data frame of a table that rules track; `rows` are its entries, as pairs of a tuple of keys and a value.

    Returns
    -------
    DataFrame
        One column per key, named after its kind (``player``, or ``player_2`` for a second key of that kind). Numbers,
        rules and proposals appear by number (object), pieces by kind and square, and everything else by name (string).
        The last column is ``value``: exact numbers, rules and proposals (object), truth values (``boolean``), or
        anything else by name (string; missing for none). A hidden value is the text “a hidden number”, in a column of
        dtype object.
    """
    names = [f"{kind}_2" if kind in shape.keys[:at] else kind for at, kind in enumerate(shape.keys)]
    kinds = {name: _DTYPES.get(kind, "string") for name, kind in zip(names, shape.keys, strict=True)}
    kinds["value"] = "object" if shape.hidden else _DTYPES.get(shape.holds.name, "string")
    return make_frame(kinds, [[_plain_value(state, cell) for cell in (*place, value)] for place, value in rows])


_DTYPES = {"number": "object", "rule": "object", "proposal": "object", "truth": "boolean"}


def _plain_value(state: State, value: Value) -> Any:
    """Return a table value as plain data: a rule by number (None if repealed), a piece in words, others by name."""
    if not isinstance(value, ThingRef):
        return str(value) if isinstance(value, str) else value
    if value.kind == "rule":
        rule = state.rules.rules.get(cast(int, value.id))
        return rule.number if rule else None
    return describe_piece(state, value.id) if value.kind == "piece" else value.id


DIFFERENCE_COLUMNS = column_types(
    "object: old_number number; string: title what old_tier tier old_wording wording old_law law"
)


def differences_frame(differences: Iterable[tuple[Rule | None, Rule | None, str]]) -> pd.DataFrame:
    """Return a data frame of changed rules, given as triples: old rule, new rule (None for none), what happened.

    Returns
    -------
    DataFrame
        ``old_number``, ``number`` (object; missing if the rule did not exist before, or does not exist now), ``title``,
        ``what`` (string: new, repealed, amended …), ``old_tier``, ``tier``, ``old_wording``, ``wording``, ``old_law``,
        ``law`` (string).
    """
    rows = []
    for old, new, what in differences:
        pairs = ([rule and getattr(rule, name) for rule in (old, new)] for name in ("number", "tier", "wording", "law"))
        number, *others = pairs
        title = next((rule.title for rule in (new, old) if rule), "")
        rows.append((*number, title, what, *(value for both in others for value in both)))
    return make_frame(DIFFERENCE_COLUMNS, rows)


# -------------------------------------------------------------- data frames whose text a notebook shows unchanged


# ------------------------------------------------------------ the moves of a game on boards and the comments on it


MOVE_COLUMNS = column_types(
    "int64: ply seq turn circuit; string: player army piece from to push uci promotion capture check mate; "
    f"object: rule; {DATE}: clock"
)


@frame_by_head
def moves_frame(timeline: Timeline) -> pd.DataFrame:
    """Return a data frame of the moves made on the boards, one row per move.

    Returns
    -------
    DataFrame
        Indexed by ``ply`` (int64), with ``seq``, ``turn``, ``circuit`` (int64), ``player``, ``army``,
        ``piece``, ``from``, ``to``, ``push``, ``uci``, ``promotion``, ``capture``, ``check``, ``mate`` (string; several
        values are separated by a space; ``from`` is empty for a piece dropped from a hand) and ``rule`` (object: number
        of the rule that required the move), ``clock`` (datetime64[s]: date by the recorded clock).
    """
    rows = (
        (
            played.ply, played.event.seq, played.event.turn, played.event.circuit, str(played.event.actor),
            played.move.army, played.kind,
            "" if played.move.dropped else played.before.name(*played.move.origin),
            played.before.name(*played.move.target),
            "+".join(played.move.push), played.uci, played.move.promotion.upper(),
            " ".join(event.data["kind"] for event in played.events_of_kind("captured")),
            " ".join(dict.fromkeys(event.data["army"] for event in played.events_of_kind("checked"))),
            " ".join(event.data["army"] for event in played.events_of_kind("mated")), played.rule,
            recorded_date(timeline, played.event.seq),
        )
        for played in played_moves(timeline)
    )  # fmt: skip
    return make_frame(MOVE_COLUMNS, rows, "ply")


COMMENT_COLUMNS = column_types(
    "int64: comment at turn; Int64: ply; object: proposal; string: glyph text arrows squares"
)


@frame_by_head
def comments_frame(timeline: Timeline) -> pd.DataFrame:
    """Return a data frame of the current comments on moves and other events, one row per comment.

    Returns
    -------
    DataFrame
        Indexed by ``comment`` (int64: event that added the comment), with ``at``, ``turn`` (int64: event that the
        comment is about, and its turn), ``ply`` (Int64: move that it is about; missing if it is not about a move),
        ``proposal`` (object: proposal made in that event, if any), ``glyph``, ``text``, ``arrows``, ``squares``
        (string; several are separated by commas).
    """
    moves = list(played_moves(timeline)) if timeline.state.comments else []
    events, rows = timeline.events, []
    for seq, comment in timeline.state.comments.items():
        about = commented_event(timeline.state.comments, comment)
        event = events[about - 1]
        ply = next((move.ply for move in moves if move.includes_event(about)), None)
        proposal = event.data["number"] if event.kind == "proposed" else None
        drawn = (", ".join(comment.arrows), ", ".join(comment.squares))
        rows.append((seq, comment.at, event.turn, ply, proposal, comment.glyph, comment.text, *drawn))
    return make_frame(COMMENT_COLUMNS, rows, "comment")
