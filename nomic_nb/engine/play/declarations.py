"""Declarations of play: kinds of event, actions, and steps of play, each said once beside the function that does it.

What triggers see, what is recorded, how it is told, what an action takes, the words of the law, the line of Python that
does it again: all come from here. Effects are declared in the same way, as `Form`.
"""

from __future__ import annotations

import difflib
import inspect
import re
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
from nomic_nb.engine.law.changes import Change, change_from_json, read_rule_number
from nomic_nb.engine.law.forms import Form, declare_effect, describe_function, docstring_meaning
from nomic_nb.engine.law.nodes import View
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import Type, as_refs, value_text
from nomic_nb.engine.law.vocabulary import Fact, Field
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import EventFold, State
from nomic_nb.engine.play.tables import player_counters

#: A whole number in what is done is not beyond this.
LARGEST = 2**53
#: The default of what has to be said.
REQUIRED = inspect.Parameter.empty
#: Stands for any words, where some are tried.
EXAMPLE_TEXT = "An example."

ActionFunction = TypeVar("ActionFunction", bound=Callable[..., Any])
FoldFunction = TypeVar("FoldFunction", bound=EventFold)

# ------------------------------------------------------------------------------------ facts and fields


def declare_fact(
    name: str, type: Type, meaning: str, get: Callable[[Any], Any] | None = None, *, reads: tuple[str, ...] = (),
    traits: str = "",
) -> Fact:  # fmt: skip
    """Declare something that is so in the state, where things are told by their names and ids.

    Parameters
    ----------
    name, type, meaning, reads, traits
        As in `Fact`; where nothing is said of what it reads, it is the field of its name.
    get : callable, optional
        Finds it in the state; without, it is the field of its name.
    """
    find = get or attrgetter(name)
    return Fact(name, type, meaning, reads or (name,), lambda view: as_refs(type, find(view.state)), traits=traits)


def declare_fields(
    find: Callable[[View, Any], Any], reads: tuple[str, ...], *fields: Field | tuple[Any, ...], traits: str = ""
) -> tuple[Field, ...]:
    """Declare fields of a kind of thing, which have things by their names and ids.

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
        of = next(filter(callable, more), attrgetter(name))
        said = next((one for one in more if isinstance(one, str)), traits)
        return Field(name, type, meaning, reads, lambda view, id: as_refs(type, of(find(view, id))), traits=said)

    return tuple(one if isinstance(one, Field) else field(*one) for one in fields)


# ------------------------------------------------------------------------------------- kinds of event


@frozen(eq=False)
class Kind(vocabulary.Event):
    """A kind of event; where it has no meaning, no rule can answer to it.

    Parameters
    ----------
    name, meaning, binds, usual, late, over, may_bind, traits
        As the law has them.
    told : callable
        Says an event of the kind in words.
    fold : callable or None
        What it does to the state.
    """

    told: Callable[[Event], str] = str
    fold: EventFold | None = None


#: Every kind of event, by name.
EVENT_KINDS: dict[str, Kind] = {}


def declare_event(
    name: str, meaning: str = "", binds: Mapping[str, Type] | None = None, *, told: Callable[[Event], str] | str,
    usual: str = "", late: str = "", over: bool = False, may_bind: Mapping[str, Type] | None = None,
    traits: str = "",
) -> Callable[[FoldFunction], FoldFunction]:  # fmt: skip
    """Declare a kind of event; a function that it decorates is what it does to the state.

    Parameters
    ----------
    name, meaning, binds, usual, late, over, may_bind, traits
        As in `Kind`.
    told : callable or str
        The same; a text has its data, and its actor, in braces.
    """
    words = told if callable(told) else lambda event: told.format(actor=event.actor, **event.data)
    if name in EVENT_KINDS:
        raise TypeError(f"the kind of event {name} is declared twice")
    EVENT_KINDS[name] = Kind(name, meaning, binds or {}, usual, late, over, may_bind or {}, traits, words)

    def decorate(fold: FoldFunction) -> FoldFunction:
        EVENT_KINDS[name] = replace(EVENT_KINDS[name], fold=fold)
        return fold

    return decorate


# ------------------------------------------------------------------------------------------- actions

#: What is said of a change that is none.
NOT_FIELDS = say("change-not-fields", "a change is a set of fields")


@frozen(eq=False)
class FieldSpec:
    """What an action takes in one of its fields: plain values, so that every attempt can be recorded.

    Parameters
    ----------
    of : str
        What of a decision answers it: ``option``, ``proposal``, ``rule`` or ``id``; ``kept`` where the game knows it
        itself.
    python : str
        What stands for it in a line of Python, where nothing of a decision answers it.
    example : object
        One that may be tried.
    among : callable, optional
        Lists what there is to choose from, for a player who does it; there may be numbers that rules speak of.
    said : str
        What it is, where it is refused.
    types : tuple of type
        Of which it can be; an annotation says it.
    """

    of: str = ""
    python: str = '"…"'
    example: object = None
    among: Callable[[State, str, Iterable[object]], Iterable[object]] | None = None
    said: str = ""
    types: tuple[type, ...] = ()

    @staticmethod
    def annotated(hint: Any) -> FieldSpec:
        """Return what an annotation says."""
        type = hint.__origin__
        takes: FieldSpec = hint.__metadata__[0]
        types = tuple(get_origin(one) or one for one in (get_args(type) if isinstance(type, UnionType) else (type,)))
        return replace(takes, types=types, said=takes.said or TYPE_PHRASES[types[0]])

    def check(self, value: object) -> bool:
        """Tell whether a value is what it takes."""
        if isinstance(value, bool) or object in self.types:
            return bool in self.types or object in self.types
        return isinstance(value, self.types) and not (isinstance(value, int) and abs(value) > LARGEST)

    def plain(self, value: Any) -> Any:
        """Return a value as the record has it."""
        if isinstance(value, Change):
            return value.to_json()
        return value_text(value) if object in self.types and (value is None or isinstance(value, bool)) else value

    def read(self, value: Any) -> Any:
        """Return what `plain` was made of."""
        if Change not in self.types:
            return value
        if not isinstance(value, dict):
            raise LawError(NOT_FIELDS, found=repr(value)[:40])
        return change_from_json(value)


def _amount_choices(state: State, player: str, known: Iterable[object]) -> Iterable[object]:
    """Return one, all that a player has of something, and the numbers that rules speak of."""
    said = (one for one in known if isinstance(one, int) and not isinstance(one, bool))
    return sorted(one for one in {1, *map(int, player_counters(state, player).values()), *said} if one > 0)


_EXAMPLE_CHANGE = Change("enact", None, "An example.")
#: What is taken, by its type, where nothing else is said of it.
TYPE_PHRASES: Mapping[type, str] = {
    Change: "a change made by enact, amend, repeal or transmute", str: "a text", bool: "true or false",
    int: "a whole number", object: "something", list: "a list of names",
}  # fmt: skip
#: What actions take.
ChangeField: TypeAlias = Annotated[Change, FieldSpec(python="nb.enact(…)", example=_EXAMPLE_CHANGE)]
WordsField: TypeAlias = Annotated[str, FieldSpec(example=EXAMPLE_TEXT)]
OptionField: TypeAlias = Annotated[str, FieldSpec(of="option", example=EXAMPLE_TEXT)]
EffectField: TypeAlias = Annotated[str, FieldSpec(example='announce "An example."')]
KeptField: TypeAlias = Annotated[str, FieldSpec(of="kept", example="")]
FlagField: TypeAlias = Annotated[bool, FieldSpec()]
CountField: TypeAlias = Annotated[int, FieldSpec(python="…", example=1, among=_amount_choices)]
PlayerField: TypeAlias = Annotated[str, FieldSpec(among=lambda state, *_: state.playing)]
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
    """Something that a player does, or whoever keeps the record.

    Parameters
    ----------
    name, meaning, binds, owed, otherwise, takes_leave, gist
        As the law has them.
    makes : str
        The kind of event that it is recorded as.
    fields : mapping of str to (Takes, default)
        What it takes; the default is `REQUIRED` where it has to be said.
    perform : callable
        What it does.
    heard : str
        For what can be done at any time: the name that its event binds to what rules listen for.
    phrase : str
        For the same: how what it takes is said in a line, with ``{fields}``; one after the other where it is empty.
    """

    makes: str = ""
    fields: Mapping[str, tuple[FieldSpec, Any]] = None  # type: ignore[assignment]
    perform: Callable[..., None] = print
    heard: str = ""
    phrase: str = ""

    @property
    def chosen(self) -> dict[str, FieldSpec]:
        """What has to be said, or can be chosen from a list."""
        return {name: takes for name, (takes, default) in self.fields.items() if takes.among or default is REQUIRED}

    def ways(self, state: State, player: str, known: Sequence[object]) -> Iterator[dict[str, object]]:
        """Yield what a player can say in it: all that there is to choose from, the known words, or any."""
        words = [one for one in known if isinstance(one, str)] or ["…"]
        lists = (
            takes.among(state, player, known)
            if takes.among
            else words
            if takes.example == EXAMPLE_TEXT
            else [takes.example]
            for takes in self.chosen.values()
        )
        yield from (dict(zip(self.chosen, values, strict=True)) for values in product(*lists))

    @property
    def line(self) -> str:
        """How what it takes is said in a line."""
        return self.phrase or ": ".join(f"{{{name}}}" for name in self.chosen)

    def from_line(self, line: str) -> dict[str, Any]:
        """Return what is said in such a line."""
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(self.line))
        found = re.fullmatch(pattern, line, re.DOTALL)
        return {
            name: read_rule_number(words) if int in self.fields[name][0].types else words
            for name, words in (found.groupdict() if found else {}).items()
        }

    def check(self, details: Mapping[str, Any]) -> None:
        """Refuse details that it does not take.

        Raises
        ------
        TypeError
            With what it takes.
        """
        missing = [name for name, (_, default) in self.fields.items() if default is REQUIRED and name not in details]
        if missing or not details.keys() <= self.fields.keys():
            found = ", ".join(details) or "nothing"
            raise WrongArgument(
                say(
                    "details-unfit",
                    "{action} takes {takes}; found {found}",
                    action=self.name,
                    takes=", ".join(self.fields) or "nothing more",
                    found=found,
                )
            )
        for name, value in details.items():
            takes, default = self.fields[name]
            if not takes.check(value) and not (value is None and default is None):
                raise WrongArgument(
                    say(
                        "detail-unfit",
                        "{action} takes {takes} for {field}; found {found!r}",
                        action=self.name,
                        takes=takes.said,
                        field=name,
                        found=str(value)[:40],
                    )
                )

    def plain(self, details: Mapping[str, Any]) -> dict[str, Any]:
        """Return details as the record has them: what is as if it had not been said is left out."""
        return {
            name: takes.plain(details[name])
            for name, (takes, default) in self.fields.items()
            if name in details and (default is REQUIRED or details[name] != default)
        }

    def told(self, details: Mapping[str, Any]) -> str:
        """Say what is done, in the words that a record would have, so that it is the same when it is played again."""
        recorded = self.read(self.plain(details)).values()
        said = [one.headline if isinstance(one, Change) else str(one) for one in recorded if not isinstance(one, bool)]
        return self.name.replace("_", " ") + (f" ({', '.join(said)})" if said else "")

    def read(self, details: Mapping[str, Any]) -> dict[str, Any]:
        """Return the details that a record has.

        Raises
        ------
        LawError
            A change that cannot be read.
        """
        return {name: self.fields[name][0].read(one) if name in self.fields else one for name, one in details.items()}


#: What players can do, and what whoever keeps the record can; none of the latter is a move in the game.
ACTIONS: dict[str, ActionSpec] = {}
HOST_ACTIONS: dict[str, ActionSpec] = {}
#: What can be done when the game is over or rests.
COMMENT_ACTIONS = frozenset({"annotate", "edit_comment", "withdraw_comment"})


def action(
    makes: str, binds: Mapping[str, Type] | None = None, *, owed: bool = False, otherwise: str = "",
    takes_leave: bool = False, gist: frozenset[str] = frozenset(), heard: str = "", phrase: str = "",
    host: bool = False,
) -> Callable[[ActionFunction], ActionFunction]:  # fmt: skip
    """Declare an action: the function that it decorates does it, and says in its first line what that is.

    Its fields are the function's parameters behind the engine and the player; whoever keeps the record is no player.

    Parameters
    ----------
    makes, binds, owed, otherwise, takes_leave, gist, heard, phrase
        As in `ActionSpec`.
    host : bool
        Whether it is done by whoever keeps the record.
    """

    def decorate(perform: ActionFunction) -> ActionFunction:
        hints = get_type_hints(perform, include_extras=True)
        taken = list(inspect.signature(perform).parameters.values())[1 if host else 2 :]
        if plain := [one.name for one in taken if get_origin(hints.get(one.name)) is not Annotated]:
            raise TypeError(
                f"{describe_function(perform)} does not say what it takes, "
                f"such as PlayerField or WordsField, for {plain}"
            )
        fields = {one.name: (FieldSpec.annotated(hints[one.name]), one.default) for one in taken}
        known, name = HOST_ACTIONS if host else ACTIONS, perform.__name__
        if name in known:
            raise TypeError(
                f"{describe_function(perform)} has the name of an action in {known[name].perform.__module__}"
            )
        known[name] = ActionSpec(
            name, docstring_meaning(perform), binds or {}, owed, otherwise, takes_leave, gist, makes, fields, perform,
            heard, phrase,
        )  # fmt: skip
        return perform

    return decorate


def no_action(action: str) -> Message:
    """Say that there is no such action."""
    return say("action-unknown", "there is no action {action!r}", action=action)


def find_action(action: str) -> ActionSpec:
    """Return an action by its name.

    Raises
    ------
    IllegalAction
        There is no such action; the known ones are listed.
    """
    known = ACTIONS.get(action)
    if known is None:
        near = difflib.get_close_matches(str(action), ACTIONS, 1)
        said = no_action(str(action)[:40])
        said = said.within("{message}; did you mean {near}?", near=near[0]) if near else said
        raise IllegalAction(said, options=list(ACTIONS))
    return known


# ------------------------------------------------------------------------------ effects and steps of play

#: The effects of play, as forms.
EFFECTS: list[Form] = []
effect = partial(declare_effect, EFFECTS)
#: Steps of play that wait on the agenda, by name.
STEP_FUNCTIONS: dict[str, Callable[..., None]] = {}


#: What brings play on by itself before turns go on, one after the other; each tells whether it did.
SETTLERS: list[Callable[..., bool]] = []


def declare_settler(settle: Callable[..., bool]) -> Callable[..., bool]:
    """Declare what brings play on by itself before turns go on."""
    SETTLERS.append(settle)
    return settle


def declare_step(name: str) -> Callable[[ActionFunction], ActionFunction]:
    """Declare a step of play: the function that it decorates takes it, once its turn has come on the agenda."""

    def decorate(take: ActionFunction) -> ActionFunction:
        STEP_FUNCTIONS[name] = take
        return take

    return decorate
