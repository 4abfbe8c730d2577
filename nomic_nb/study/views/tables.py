"""Views of the tables that rules track: points and everything else that is recorded, and each change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, cast

from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import NotThere
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.values import Number, ThingRef, Value
from nomic_nb.engine.play.events import Event, number_from_json
from nomic_nb.engine.play.facts import value_in_words
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.table_values import Table, TablePlace
from nomic_nb.engine.play.tables import HIDDEN_TEXT, entry_owner
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.waiting import open_rounds
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.engine.words import counter_change_phrase, counter_named, number_text
from nomic_nb.study import frames
from nomic_nb.study.views.pending import ListedRow

if TYPE_CHECKING:
    import pandas as pd


def has_hidden_values(state: State) -> bool:
    """Tell whether there is what only some players know: numbers in hidden tables, or what was put under seal."""
    return any(map(state.law.is_table_hidden, state.tables)) or bool(state.secrets)


def is_anything_hidden(timeline: Timeline) -> bool:
    """Tell whether somebody knows what others may not: hidden values, or sealed ballots or answers."""
    return has_hidden_values(timeline.state) or bool(current_seals(timeline).votes or open_rounds(timeline.state))


def displayed_value(state: State, value: Value) -> str:
    """Return a value as displays show it: “yes” or “no”, “–” for none, texts without quotation marks."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return str(value)
    if value is None:
        return "–"
    return value_in_words(state, value) if isinstance(value, ThingRef | tuple) else number_text(value)


def _entry_keys(state: State, table: Table) -> Iterator[TablePlace]:
    """Yield the tuple of keys of each entry in a table; if the table is kept per player, in the order of players."""
    keys = table.shape.keys
    places: Iterable[TablePlace] = table.entries if keys else [()]
    if keys == ("player",):
        places = [(ThingRef("player", name),) for name in state.players]
    return (values for values in places if table.has_entry(values))


def visible_scores(state: State, *, numbers: bool = False) -> dict[str, dict[str, Value]]:
    """Return what all may see in tables kept per player, by table and player; only numeric tables if `numbers`."""
    scores = {
        name: {str(cast(ThingRef, place[0]).id): value for place, value in visible_table_rows(state, table)}
        for name, table in state.tables.items()
        if table.shape.keys == ("player",) and (table.shape.holds_numbers or not numbers)
    }
    return {name: held for name, held in scores.items() if held}


def holdings_in_words(state: State, player: str) -> Iterator[str]:
    """Yield phrases such as “5 points” on what everybody may see that a player has in each table."""
    for name, held in visible_scores(state).items():
        if player in held:
            value = held[player]
            sentence = displayed_value(state, value)
            counts = isinstance(value, int | Fraction) and not isinstance(value, bool)
            yield f"{sentence} {counter_named(name, cast(Number, value))}" if counts else f"{name}: {sentence}"


def game_tables_in_words(state: State) -> dict[str, str]:
    """Return, by table name, the value in words of each table that has a single entry for the whole game."""
    return {
        name: displayed_value(state, value)
        for name, table in state.tables.items()
        if not table.shape.keys
        for _, value in visible_table_rows(state, table)
    }


def secrets_by_player(state: State) -> dict[str, list[str]]:
    """Return for each player, by name, the hidden table entries that are theirs or shown to them, in words."""
    secrets: dict[str, list[str]] = {}
    for name, table in state.tables.items():
        for place in _entry_keys(state, table) if table.shape.hidden else ():
            owner = entry_owner(state, place)
            for seer in filter(None, (owner, *table.players_shown(place)) if table.is_hidden_at(place) else ()):
                of = ", ".join(displayed_value(state, value) for value in place if value != ThingRef("player", seer))
                sentence = displayed_value(state, table.value_at(place)) + " (shown to you)" * (seer != owner)
                secrets.setdefault(seer, []).append(f"{name}{f' of {of}' if of else ''}: {sentence}")
    return secrets


def visible_table_rows(state: State, table: Table) -> Iterator[tuple[TablePlace, Value]]:
    """Yield the keys (a tuple) and value of each entry of a table; a hidden value is masked by a text."""
    for place in _entry_keys(state, table):
        yield place, HIDDEN_TEXT if table.is_hidden_at(place) else table.value_at(place)


class Tables(Mapping[str, "pd.DataFrame"], Displayed):
    """The tables that rules track or once tracked, by name, each as a DataFrame (see `study.frames.table_frame`)."""

    def __init__(self, state: State) -> None:
        self.state = state

    @explain_argument_errors
    def __getitem__(self, name: str) -> pd.DataFrame:
        table = self.state.tables.get(name)
        if table is None:
            raise NotThere(
                "no-such-table",
                "no rule tracks “{table}”; there are {tables}",
                table=name,
                tables=", ".join(self.state.tables) or "no tables",
            )
        return frames.table_frame(self.state, table.shape, visible_table_rows(self.state, table))

    def __iter__(self) -> Iterator[str]:
        return iter(self.state.tables)

    def __len__(self) -> int:
        return len(self.state.tables)

    def __str__(self) -> str:
        lines = (
            f"{name}, {table.shape.holds.with_article} per {table.shape.kinds_in_words}: "
            f"{len(table.entries)} written down" + ("" if table.tracked else ", no longer tracked")
            for name, table in self.state.tables.items()
        )
        return "\n".join(lines) or "no rule tracks anything"


@frozen
class LedgerEntry:
    """A single change to a counter, or to another entry of a table.

    Parameters
    ----------
    seq, turn : int
        When.
    player : str or None
        Player who owns it; None if it is not kept per player.
    counter : str
        Name of the counter.
    amount : int, Fraction or None
        Exact change; None if the counter does not hold numbers or is hidden.
    now : int, Fraction or str
        New value; in words if the counter does not hold numbers or is hidden.
    rule : int or str or None
        The rule that says so.
    why : str
        The rule's clause, or the players' reason for a correction.
    exact : int or Fraction or None
        Exact amount before rounding; None if nothing was rounded.
    of : str
        Owner of the entry, in words; empty if a player or the game owns it.
    """

    seq: int
    turn: int
    player: str | None
    counter: str
    amount: Number | None
    now: Number | str
    rule: RuleNumber | None
    why: str
    exact: Number | None = None
    of: str = ""

    @property
    def tie(self) -> bool:
        """Whether the amount was rounded from halfway between two whole numbers."""
        return isinstance(self.exact, Fraction) and self.exact.denominator == 2

    @property
    def rounding_note(self) -> str:
        """A note on what was rounded; empty if nothing was."""
        return "" if self.exact is None else f"rounded from {self.exact}" + (", a tie" if self.tie else "")

    @property
    def owner_in_words(self) -> str:
        """The owner of the entry in words; “the game” if it is nobody's."""
        return self.of or self.player or "the game"

    def __str__(self) -> str:
        rule = self.why if self.rule is None else f"rule {self.rule}"
        if self.amount is None or isinstance(self.now, str):
            sentence = f"{self.counter} is {self.now} now"
        else:
            sentence = counter_change_phrase(self.counter, self.amount, self.now, self.rounding_note)
        return f"turn {self.turn}: {self.owner_in_words} {sentence} ({rule})"

    __repr__ = __str__


def _make_ledger_entry(event: Event, why: str) -> LedgerEntry:
    """Return the ledger entry of an event that changed a counter or table, with the reason (`why`) for it."""
    data, rule = event.data, event.rule
    head, of = (event.seq, event.turn, event.actor, data["counter"]), data.get("of", "")
    if data.get("hidden") or "amount" not in data:
        return LedgerEntry(*head, None, HIDDEN_TEXT if data.get("hidden") else data["says"], rule, why, of=of)
    exact = number_from_json(data["exact"]) if "exact" in data else None
    return LedgerEntry(*head, number_from_json(data["amount"]), number_from_json(data["now"]), rule, why, exact, of)


@frames.made_once_by_head
def _ledger_entries(timeline: Timeline) -> tuple[LedgerEntry, ...]:
    """Return the entries of a game's ledger, each with its reason: a clause, the players' agreement or nothing."""
    entries, agreed = list[LedgerEntry](), ""
    for event in frames.standing_events(timeline):
        if event.is_action:
            agreed = f"agreed by the players: {event.data['reason']}" if event.kind == "corrected" else ""
        if event.kind == "counted":
            entries.append(_make_ledger_entry(event, event.cause.words if event.cause else agreed))
    return tuple(entries)


class Ledger(ListedRow[LedgerEntry]):
    """Every change to a counter or another table entry that has not been undone, with its rule."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        super().__init__(_ledger_entries(timeline))

    @property
    def frame(self) -> pd.DataFrame:
        """The ledger as a DataFrame; see `study.frames.ledger_frame` for its columns."""
        return frames.ledger_frame(self.timeline, self.row)

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "nothing has been counted so far"
