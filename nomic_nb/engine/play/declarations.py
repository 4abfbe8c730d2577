"""Declarations of play: kinds of event, actions, and steps of play, each declared once beside its function.

They give the values that triggers see, the record, the sentences, the fields of actions, the words of the law, and the
line of Python that repeats an act. Effects are declared in the same way, as `Form`.
"""

from __future__ import annotations

import difflib
import inspect
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from operator import attrgetter
from types import UnionType
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from nomic_nb.engine.errors import IllegalAction, LawError, WrongArgument
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import vocabulary
from nomic_nb.engine.law.changes import Change, change_from_json, parse_rule_number
from nomic_nb.engine.law.clauses import Form, declare_effect, describe_function, docstring_meaning
from nomic_nb.engine.law.nodes import View
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import PLAIN_KINDS, Type, as_refs, value_text
from nomic_nb.engine.law.vocabulary import Fact, Field
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import EventFold, State
from nomic_nb.engine.play.tables import player_counters

#: Largest whole number in the details of an act.
LARGEST = 2**53
#: Default of a required field.
REQUIRED = inspect.Parameter.empty
#: Example words for trying out an action.
EXAMPLE_TEXT = "An example."

ActionFunction = TypeVar("ActionFunction", bound=Callable[..., Any])
FoldFunction = TypeVar("FoldFunction", bound=EventFold)

# ------------------------------------------------------------------------------------ facts and fields


def declare_fact(
    name: str, type: Type, meaning: str, get: Callable[[Any], Any] | None = None, *, reads: tuple[str, ...] = (),
    traits: str = "",
) -> Fact:  # fmt: skip
    """Return a fact, a name by which rules read what `get` finds in the state (by default, the field of that name).

    Parameters
    ----------
    name, type, meaning, reads, traits
        As in `Fact`; by default it reads the field of its name.
    get : callable, optional
        Finds it in the state; by default, it is the field of its name.
    """
    find = get or attrgetter(name)
    return Fact(name, type, meaning, reads or (name,), lambda view: as_refs(type, find(view.state)), traits=traits)


def declare_fields(
    find: Callable[[View, Any], Any], reads: tuple[str, ...], *fields: Field | tuple[Any, ...], traits: str = ""
) -> tuple[Field, ...]:
    """Return the fields of a kind of thing that rules can read, made from tuples; `find` gets a thing by its id.

    Parameters
    ----------
    find : callable
        Finds a thing in a view, by its id.
    reads : tuple of str
        The fields of the state in which it does.
    *fields : tuple
        Name, type and meaning of each, what finds it, given the thing, and its traits; without, it is the thing's own
        field, and has the traits of all. What reads something else is a `Field` already.
    traits : str
        As in `Field`.
    """

    def field(name: str, type: Type, meaning: str, *more: Any) -> Field:
        of: Callable[[Any], Any] = next(filter(callable, more), attrgetter(name))
        sentence = next((extra for extra in more if isinstance(extra, str)), traits)
        if type.item is None and type.name in PLAIN_KINDS:  # there is nothing to refer to
            return Field(name, type, meaning, reads, lambda view, id: of(find(view, id)), traits=sentence)
        return Field(name, type, meaning, reads, lambda view, id: as_refs(type, of(find(view, id))), traits=sentence)

    return tuple(field_spec if isinstance(field_spec, Field) else field(*field_spec) for field_spec in fields)


# ------------------------------------------------------------------------------------- kinds of event


@frozen(eq=False)
class Kind(vocabulary.Event):
    """A kind of event; without a meaning, no rule can react to it.

    Parameters
    ----------
    name, meaning, binds, usual, late, over, may_bind, traits
        As the law has them.
    told : callable
        Describes an event of the kind in words.
    fold : callable or None
        Its effect on the state.
    """

    told: Callable[[Event], str] = str
    fold: EventFold | None = None


#: Every kind of event, by name.
EVENT_KINDS: dict[str, Kind] = {}


def declare_event(
    name: str, meaning: str = "", binds: Mapping[str, Type] | None = None, *, told: Callable[[Event], str] | str,
    **more: Any,
) -> Callable[[FoldFunction], FoldFunction]:  # fmt: skip
    """Return a decorator that declares a kind of event; its function returns the state after such an event.

    Parameters
    ----------
    name, meaning, binds
        As in `Kind`.
    told : callable or str
        The same; a text has its data, and its actor, in braces.
    **more
        Other parameters of `Kind`: `usual`, `late`, `over`, `may_bind` and `traits`.
    """
    words = told if callable(told) else lambda event: told.format(actor=event.actor, **event.data)
    if name in EVENT_KINDS:
        raise TypeError(f"the kind of event {name} is declared twice")
    EVENT_KINDS[name] = Kind(name, meaning, binds or {}, told=words, **more)

    def decorate(fold: FoldFunction) -> FoldFunction:
        EVENT_KINDS[name] = replace(EVENT_KINDS[name], fold=fold)
        return fold

    return decorate


# ------------------------------------------------------------------------------------------- actions

#: Message about a value that is not a change.
NOT_FIELDS = say("change-not-fields", "a change must be a set of named fields")


@frozen(eq=False)
class FieldSpec:
    """A field of an action: it takes plain values, so every attempt can be recorded.

    Parameters
    ----------
    of : str
        Part of a decision that fills it: ``option``, ``proposal``, ``rule`` or ``id``; ``kept`` if the game fills it
        itself.
    python : str
        Its placeholder in a line of Python, if no part of a decision fills it.
    example : object
        A value to try.
    among : callable, optional
        Lists the options of a player who acts, with numbers that rules mention.
    said : str
        Its name in refusals.
    types : tuple of type
        Accepted types, from the annotation.
    """

    of: str = ""
    python: str = '"…"'
    example: object = None
    among: Callable[[State, str, Iterable[object]], Iterable[object]] | None = None
    said: str = ""
    types: tuple[type, ...] = ()

    @staticmethod
    def from_annotation(hint: Any) -> FieldSpec:
        """Return the field specification in a parameter's `Annotated` hint, with the hint's value types."""
        type = hint.__origin__
        takes: FieldSpec = hint.__metadata__[0]
        types = tuple(get_origin(arg) or arg for arg in (get_args(type) if isinstance(type, UnionType) else (type,)))
        return replace(takes, types=types, said=takes.said or TYPE_PHRASES[types[0]])

    def accepts(self, value: object) -> bool:
        """Tell whether a value is of a type that the field takes, and no larger a number than `LARGEST`."""
        if isinstance(value, bool) or object in self.types:
            return bool in self.types or object in self.types
        return isinstance(value, self.types) and not (isinstance(value, int) and abs(value) > LARGEST)

    def to_record(self, value: Any) -> Any:
        """Return a value of the field as plain data for the record."""
        if isinstance(value, Change):
            return value.to_json()
        return value_text(value) if object in self.types and (value is None or isinstance(value, bool)) else value

    def from_record(self, value: Any) -> Any:
        """Return the value of the field that was recorded as this plain data."""
        if Change not in self.types:
            return value
        if not isinstance(value, dict):
            raise LawError(NOT_FIELDS, found=repr(value)[:40])
        return change_from_json(value)


def _amount_choices(state: State, player: str, known: Iterable[object]) -> Iterable[object]:
    """Return amounts to try, sorted: 1, what the player has, and the numbers in `known`, which rules mention."""
    numbers = (
        known_value for known_value in known if isinstance(known_value, int) and not isinstance(known_value, bool)
    )
    return sorted(amount for amount in {1, *map(int, player_counters(state, player).values()), *numbers} if amount > 0)


EXAMPLE_CHANGE = Change("enact", None, EXAMPLE_TEXT)
#: Default names of fields in refusals, by type.
TYPE_PHRASES: Mapping[type, str] = {
    Change: 'a change, such as nb.enact("Be kind.") in a cell', str: "a text", bool: "true or false",
    int: "a whole number", object: "something", list: "a list of names",
}  # fmt: skip
#: Types of fields of actions.
ChangeField: TypeAlias = Annotated[Change, FieldSpec(python='nb.enact("…")', example=EXAMPLE_CHANGE)]
WordsField: TypeAlias = Annotated[str, FieldSpec(example=EXAMPLE_TEXT)]
OptionField: TypeAlias = Annotated[str, FieldSpec(of="option", example=EXAMPLE_TEXT)]
EffectField: TypeAlias = Annotated[str, FieldSpec(example='announce "An example."')]
KeptField: TypeAlias = Annotated[str, FieldSpec(of="kept", example="")]
FlagField: TypeAlias = Annotated[bool, FieldSpec()]
CountField: TypeAlias = Annotated[int, FieldSpec(python="…", example=1, among=_amount_choices)]
PlayerField: TypeAlias = Annotated[str, FieldSpec(among=lambda state, *_: state.names_of_players)]
CounterField: TypeAlias = Annotated[str, FieldSpec(among=lambda state, who, _: player_counters(state, who))]
TimeField: TypeAlias = Annotated[str, FieldSpec(python='"2026-11-22 18:00"', example="2026-11-22 18:00")]
RuleField: TypeAlias = Annotated[
    Number, FieldSpec(python="…", among=lambda state, *_: [r.number for r in state.rules.in_force], said="a number")
]
ChoiceField: TypeAlias = Annotated[object, FieldSpec(of="option")]  # the action says what it takes
AssignedNumberField: TypeAlias = Annotated[Number | None, FieldSpec(of="assigned", python="…", said="a number")]
ProposalField: TypeAlias = Annotated[Number | None, FieldSpec(of="proposal", said="a number")]
OfferField: TypeAlias = Annotated[Number | None, FieldSpec(of="rule", said="a number")]
NumberField: TypeAlias = Annotated[int | None, FieldSpec(of="id")]
EventField: TypeAlias = Annotated[int | None, FieldSpec()]
HandField: TypeAlias = Annotated[object, FieldSpec()]
NamesField: TypeAlias = Annotated[list[str], FieldSpec()]
OtherPlayersField: TypeAlias = Annotated[list[str] | None, FieldSpec()]
NumbersField: TypeAlias = Annotated[list[Number] | None, FieldSpec(said="a list of numbers")]


@frozen(eq=False)
class ActionSpec(vocabulary.Action):
    """An act of a player or of the host.

    Parameters
    ----------
    name, meaning, binds, owed, otherwise, takes_leave, gist
        As the law has them.
    makes : str
        The kind of event that it is recorded as.
    fields : mapping of str to (Takes, default)
        Its fields; the default is `REQUIRED` if a value has to be given.
    perform : callable
        Function that carries it out.
    heard : str
        For acts possible at any time: the name that its event binds to the words that rules listen for.
    phrase : str
        For the same acts: a template for typing the fields in a line, with ``{fields}``; if empty, one after the other.
    """

    makes: str = ""
    fields: Mapping[str, tuple[FieldSpec, Any]] = None  # type: ignore[assignment]
    perform: Callable[..., None] = print
    heard: str = ""
    phrase: str = ""

    @property
    def fields_to_choose(self) -> dict[str, FieldSpec]:
        """The fields, by name, that a player has to fill in or can choose from a list."""
        return {name: takes for name, (takes, default) in self.fields.items() if takes.among or default is REQUIRED}

    def possible_details(self, state: State, player: str, known: Sequence[object]) -> Iterator[dict[str, object]]:
        """Yield possible details of the action by field: listed choices, texts in `known`, or examples."""
        words = [known_value for known_value in known if isinstance(known_value, str)] or ["…"]
        lists = (
            takes.among(state, player, known)
            if takes.among
            else words
            if takes.example == EXAMPLE_TEXT
            else [takes.example]
            for takes in self.fields_to_choose.values()
        )
        yield from (dict(zip(self.fields_to_choose, values, strict=True)) for values in product(*lists))

    @property
    def line_template(self) -> str:
        """The template, like “{amount} × {counter}”, for typing the action's details in one line."""
        return self.phrase or ": ".join(f"{{{name}}}" for name in self.fields_to_choose)

    def parse_line(self, line: str) -> dict[str, Any]:
        """Return the details typed in one line by the action's template, by field; empty if it does not fit."""
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(self.line_template))
        match = re.fullmatch(pattern, line, re.DOTALL)
        return {
            name: parse_rule_number(words) if int in self.fields[name][0].types else words
            for name, words in (match.groupdict() if match else {}).items()
        }

    def check_details(self, details: Mapping[str, Any]) -> None:
        """Raise `WrongArgument` if details are missing, are not the action's, or have unfit values.

        Raises
        ------
        TypeError
            With what it takes.
        """
        missing = [name for name, (_, default) in self.fields.items() if default is REQUIRED and name not in details]
        if missing or not details.keys() <= self.fields.keys():
            details_given = ", ".join(details) or "nothing"
            raise WrongArgument(
                "details-unfit",
                "“{action}” takes {takes}; you gave {found}",
                action=self.name,
                takes=", ".join(self.fields) or "nothing more",
                found=details_given,
            )
        for name, value in details.items():
            takes, default = self.fields[name]
            if not takes.accepts(value) and not (value is None and default is None):
                raise WrongArgument(
                    "detail-unfit",
                    "for “{action}”, {field} must be {takes}; you gave {found!r}",
                    action=self.name,
                    takes=takes.said,
                    field=name,
                    found=str(value)[:40],
                )

    def to_record(self, details: Mapping[str, Any]) -> dict[str, Any]:
        """Return the details as plain data for the record, leaving out default values."""
        return {
            name: takes.to_record(details[name])
            for name, (takes, default) in self.fields.items()
            if name in details and (default is REQUIRED or details[name] != default)
        }

    def describe(self, details: Mapping[str, Any]) -> str:
        """Return the action with its details in words, which are the same when a saved game is replayed."""
        recorded = self.from_record(self.to_record(details)).values()
        sentences = [
            detail.headline if isinstance(detail, Change) else str(detail)
            for detail in recorded
            if not isinstance(detail, bool)
        ]
        return self.name.replace("_", " ") + (f" ({', '.join(sentences)})" if sentences else "")

    def from_record(self, details: Mapping[str, Any]) -> dict[str, Any]:
        """Return the details, by field, that were recorded as this plain data.

        Raises
        ------
        LawError
            A change that cannot be read.
        """
        return {
            name: self.fields[name][0].from_record(detail) if name in self.fields else detail
            for name, detail in details.items()
        }


#: Actions of players, and actions of the host; the latter are not moves in the game.
ACTIONS: dict[str, ActionSpec] = {}
HOST_ACTIONS: dict[str, ActionSpec] = {}
#: Actions possible when the game is over or paused.
COMMENT_ACTIONS = frozenset({"annotate", "edit_comment", "withdraw_comment"})


def action(
    makes: str, binds: Mapping[str, Type] | None = None, *, host: bool = False, **more: Any
) -> Callable[[ActionFunction], ActionFunction]:
    """Return a decorator that declares a function as an action, which is recorded as an event of the kind `makes`.

    The function performs it, and its docstring says what it does.

    Its fields are the function's parameters after the engine and the player; the host's functions have no player.

    Parameters
    ----------
    makes, binds
        As in `ActionSpec`.
    host : bool
        Whether the host does it, and not a player.
    **more
        Other parameters of `ActionSpec`: `owed`, `otherwise`, `takes_leave`, `gist`, `heard` and `phrase`.
    """

    def decorate(perform: ActionFunction) -> ActionFunction:
        hints = get_type_hints(perform, include_extras=True)
        taken = list(inspect.signature(perform).parameters.values())[1 if host else 2 :]
        if plain := [parameter.name for parameter in taken if get_origin(hints.get(parameter.name)) is not Annotated]:
            raise TypeError(
                f"{describe_function(perform)} does not say what it takes, "
                f"such as PlayerField or WordsField, for {plain}"
            )
        fields = {
            parameter.name: (FieldSpec.from_annotation(hints[parameter.name]), parameter.default) for parameter in taken
        }
        known, name = HOST_ACTIONS if host else ACTIONS, perform.__name__
        if name in known:
            raise TypeError(
                f"{describe_function(perform)} has the name of an action in {known[name].perform.__module__}"
            )
        known[name] = ActionSpec(
            name, docstring_meaning(perform), binds or {}, makes=makes, fields=fields, perform=perform, **more
        )
        return perform

    return decorate


def unknown_action_message(action: str) -> Message:
    """Return the message that no action has this name."""
    return say("action-unknown", "there is no action called {action!r}", action=action)


def find_action(action: str) -> ActionSpec:
    """Return the declaration of the player's action that has this name.

    Raises
    ------
    IllegalAction
        There is no such action; the known ones are listed.
    """
    known = ACTIONS.get(action)
    if known is None:
        near = difflib.get_close_matches(str(action), ACTIONS, 1)
        message = unknown_action_message(str(action)[:40])
        message = message.embed_in("{message}; did you mean {near}?", near=near[0]) if near else message
        raise IllegalAction(message, options=list(ACTIONS))
    return known


# ------------------------------------------------------------------------------ effects and steps of play

#: The effects of play, as forms.
EFFECTS: list[Form] = []
effect = partial(declare_effect, EFFECTS)
#: Steps of play that wait on the agenda, by name.
STEP_FUNCTIONS: dict[str, Callable[..., None]] = {}


#: What brings play on by itself, by when it does: before or after boards take the form that the law gives them, or
#: before a turn begins. Each tells whether it did.
SETTLERS: dict[str, list[Callable[..., bool]]] = defaultdict(list)


def declare_settler(when: str) -> Callable[[ActionFunction], ActionFunction]:
    """Return a decorator that registers a function which brings play on, if it can, and returns whether it did."""

    def decorate(settle: ActionFunction) -> ActionFunction:
        SETTLERS[when].append(settle)
        return settle

    return decorate


def settle(engine: Any, when: str) -> bool:
    """Let the first settler of this time that can bring play on do so; return whether one did."""
    return any(settler(engine) for settler in SETTLERS[when])


def declare_step(name: str) -> Callable[[ActionFunction], ActionFunction]:
    """Return a decorator; the function then runs when the agenda comes to the step of play with this name."""

    def decorate(take: ActionFunction) -> ActionFunction:
        STEP_FUNCTIONS[name] = take
        return take

    return decorate
