"""The vocabulary of the law: keys, facts, functions, events, actions, records.

The law itself declares none of them. Its users pass in a `Vocabulary`, so the same
language works for points and dice, or for boards and armies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.clauses import Form
from nomic_nb.engine.law.nodes import AbsentName, Run, Undecided, View, nothing_here_message
from nomic_nb.engine.law.traits import Trait, Traited, has_trait
from nomic_nb.engine.law.values import TRUTH, CaseNames, ThingRef, Type, Value
from nomic_nb.engine.messages import Message, say

# ------------------------------------------------------------------------ what happens in play and what players do


#: Names that are bound where something is judged, with their types.
Case = Mapping[str, Type]


@frozen(eq=False)
class Event(Traited):
    """Something that happens in play, to which rules can react with ``on``.

    Parameters
    ----------
    name, meaning : str
        Name used in rules, and half a sentence for players.
    binds : mapping of str to Type
        Names that are bound for the clauses that react.
    usual : str
        Its usual result, which ``instead of`` can replace; empty if nothing can be replaced.
    late : str
        Outcome already decided at this point, for which a choice or a ballot comes too late; empty without one.
    over : bool
        Whether play is over at this point, so nothing reacts to the event and it can only be replaced.
    may_bind : mapping of str to Type
        Names that are bound only if the event has them; a trigger that uses one hears only such events.
    traits : str
        Its traits (see `Trait`), as names in one text.
    """

    name: str
    meaning: str
    binds: Case = field(default_factory=dict)
    usual: str = ""
    late: str = ""
    over: bool = False
    may_bind: Case = field(default_factory=dict)
    traits: str = ""


@frozen(eq=False)
class Action:
    """Something that a player does, which rules may ``allow`` and ``forbid``.

    Parameters
    ----------
    name : str
        As rules and `game.do` write it.
    meaning : str
        For players, half a sentence.
    binds : mapping of str to Type
        Names that are bound while its legality is judged.
    owed : bool
        Whether rules can oblige someone to do it.
    otherwise : str
        The key that decides if no rule allows or forbids it; empty if rules create the action.
    takes_leave : bool
        Whether nobody does it unless a rule allows it.
    gist : frozenset of str
        Subject of a permission: who may do it, or which changes it may make. A ban that uses none of these names and
        fields limits the permission without contradicting it. Empty if every ban contradicts it.
    """

    name: str
    meaning: str
    binds: Case = field(default_factory=dict)
    owed: bool = False
    otherwise: str = ""
    takes_leave: bool = False
    gist: frozenset[str] = frozenset()


# ------------------------------------------------------------------------------------------- words that rules can use


#: The `reads` of a fact whose dependencies cannot be listed.
ALL_FIELDS = ("*",)


def untracked_message(name: str) -> Message:
    """Return the message that no rule tracks a table of this name."""
    return say("not-tracked", "no rule tracks {name}", name=name)


def refuse_tables(_: View, name: str, *__: object) -> Value:
    """Raise `Undecided`, saying that no rule tracks the table `name`: the default reader of tables."""
    raise Undecided(untracked_message(name))


PlaceFinder = Callable[[CaseNames, object], str | None]
#: Finds a value as if the current change were adopted, and the law used; a text chooses one of two forms.
ChangeEvaluator = Callable[[View, str, Run], Value]


def never_wordless(_: CaseNames, __: object) -> bool:
    """Return False: by default, every rule change in a case has a text."""
    return False


def no_universe(_: CaseNames, __: object) -> None:
    """Return None: by default, a case belongs to no particular universe."""


def refuse_afterwards(_: View, form: str, __: Run) -> Value:
    """Raise `Undecided`: there is no proposed change that a call `form`, such as ``afterwards``, could suppose."""
    raise Undecided("change-missing", "there is no proposed change here for {form} to use", form=form)


@frozen(eq=False)
class Key(Traited):
    """A setting that rules can set and that play looks up.

    Parameters
    ----------
    name : str
        Dotted, such as ``vote.quota``.
    type : Type
        Type of its value.
    meaning : str
        For players, half a sentence.
    reader : str
        Who looks it up, and when.
    case : mapping of str to Type
        Names that are bound when it is read.
    may_know : mapping of str to Type
        Names that are bound if play reads it, but not always if rules do.
    usual : callable, optional
        Finds its value if no rule sets all of it; a clause that uses an unbound name is ignored.
    plus : callable, optional
        Adds one text to another, for keys whose texts are not simply concatenated.
    values : tuple of str
        The texts it may hold; empty if any text will do.
    ranks : bool
        Whether its texts can also be ``highest NAME`` and ``lowest NAME``, of a number that rules track per rule.
    tiers : bool
        Whether its texts name tiers, which only the law itself can check.
    held : callable, optional
        Finds a value that was fixed earlier for the case and is not looked up again; None without one.
    reads : tuple of str
        The fields of the state that `held` depends on.
    reader_of_texts : callable, optional
        Reads a text with its own grammar, and raises `LawError` with the column of the fault if it cannot.
    also : Type, optional
        Another type that it may hold instead of `type`.
    apart : str
        Why its list cannot hold the subject of the key; empty if it can.
    whole : tuple of str
        The facts that list everything of the kind.
    misfit : callable, optional
        Returns the reason why a value of the right type is meaningless; empty for a meaningful value.
    by_rules : bool
        Whether only rules look it up; if none does, it has no effect.
    events : tuple of str
        The only kinds of event for which it is looked up; if no rule causes them, it has no effect.
    halves : bool
        Whether it is about half-boards, and means nothing without them.
    needed : bool
        Whether play always looks it up at some point, and stops if no rule sets it.
    asks : str
        The value with which a rule asks the players, who cannot give it as an answer; empty without one.
    traits : str
        Its traits (see `Trait`), as names in one text.
    """

    name: str
    type: Type
    meaning: str
    reader: str
    case: Case = field(default_factory=dict)
    values: tuple[str, ...] = ()
    tiers: bool = False
    held: Callable[[Any, CaseNames], Value] | None = None
    reads: tuple[str, ...] = ()
    reader_of_texts: Callable[[str], None] | None = None
    also: Type | None = None
    misfit: Callable[[Value], str] | None = None
    apart: Message | None = None
    whole: tuple[str, ...] = ()
    by_rules: bool = False
    events: tuple[str, ...] = ()
    halves: bool = False
    needed: bool = False
    ranks: bool = False
    may_know: Case = field(default_factory=dict)
    plus: Callable[[str, str], str] | None = None
    usual: Callable[[View], Value] | None = None
    asks: str = ""
    traits: str = ""

    @property
    def is_local(self) -> bool:
        """Whether the key can have different values in different universes."""
        return not {"push", "board"}.isdisjoint({*self.case, *self.may_know})


@frozen(eq=False)
class Fact(Traited):
    """A named fact about the game.

    Parameters
    ----------
    name : str
        As rules write it.
    type : Type
        Type of its value.
    meaning : str
        For players, half a sentence.
    reads : tuple of str
        The fields of the state that it depends on: nothing else makes it change. `ALL_FIELDS` if they cannot
        be listed; then nothing that depends on it is remembered.
    get : callable
        Finds its value, given a `View`.
    needs : tuple of str
        Names that must be bound for it to exist.
    keys : tuple of str
        The keys of the law that it looks up.
    traits : str
        Its traits (see `Trait`), as names in one text.
    """

    name: str
    type: Type
    meaning: str
    reads: tuple[str, ...]
    get: Callable[[View], Value]
    needs: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    traits: str = ""


@frozen(eq=False)
class Function(Traited):
    """A pure function that expressions may call.

    Parameters
    ----------
    name : str
        As rules write it.
    parameters : tuple of Type
        Types of its parameters.
    result : Type or callable
        Type of its result; a callable finds it from the types of the arguments.
    meaning : str
        For players, half a sentence.
    call : callable
        Takes a `View` and the arguments.
    reads : tuple of str
        The fields of the state that it depends on.
    keys : tuple of str
        The keys of the law that it looks up.
    variadic : bool
        Whether the last parameter may be repeated.
    holds : callable, optional
        Takes the type of the first argument, and returns the type and texts of the values compared with the last.
    traits : str
        Its traits (see `Trait`), as names in one text.
    """

    name: str
    parameters: tuple[Type, ...]
    result: Type | Callable[[tuple[Type, ...]], Type]
    meaning: str
    call: Callable[..., Value]
    reads: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    variadic: bool = False
    holds: Callable[[Type], Type] | None = None
    traits: str = ""


@frozen(eq=False)
class Field(Traited):
    """A field of a record; `reads`, `keys` and `traits` as in `Fact`."""

    name: str
    type: Type
    meaning: str
    reads: tuple[str, ...]
    get: Callable[[View, int | str], Value]
    keys: tuple[str, ...] = ()
    traits: str = ""


@frozen(eq=False)
class Record:
    """A kind of thing with fields, such as a player or a rule.

    Parameters
    ----------
    name : str
        The kind, as `ThingRef.kind` has it.
    meaning : str
        For players, half a sentence.
    fields : tuple of Field
        Its fields.
    alone : tuple of str
        The fields that rules can write without naming the thing, if one is bound under the name of its kind.
    kept : bool
        Whether tables can be kept per such things, and hold them.
    """

    name: str
    meaning: str
    fields: tuple[Field, ...]
    alone: tuple[str, ...] = ()
    kept: bool = False

    @property
    def fields_as_facts(self) -> tuple[Fact, ...]:
        """The fields that rules can also name without the thing, as facts about the thing in the case."""
        return tuple(
            _field_as_fact(self.name, record_field) for record_field in self.fields if record_field.name in self.alone
        )


def _field_as_fact(kind: str, field: Field) -> Fact:
    """Return a field of a kind of thing as a fact, about the thing bound under the name of that kind."""

    def get(view: View) -> Value:
        bound = view.env[kind]
        if not isinstance(bound, ThingRef):
            raise Undecided(nothing_here_message(kind))
        return field.get(view, bound.id)

    return Fact(field.name, field.type, field.meaning, field.reads, get, (kind,), field.keys, field.traits)


@frozen(eq=False)
class Vocabulary:
    """All words that a body of law may use.

    Raises
    ------
    ValueError
        If one dotted name could be read in two ways.
    """

    keys: Mapping[str, Key] = field(default_factory=dict)
    facts: Mapping[str, Fact] = field(default_factory=dict)
    functions: Mapping[str, Function] = field(default_factory=dict)
    records: Mapping[str, Record] = field(default_factory=dict)
    events: Mapping[str, Event] = field(default_factory=dict)
    actions: Mapping[str, Action] = field(default_factory=dict)
    #: Names of the rule sets that a rule can import.
    rulesets: tuple[str, ...] = ()
    effects: Mapping[str, Form] = field(default_factory=dict)
    #: Reads an entry of a table, and the first keys of one, in the state of a view.
    entry: Callable[[View, str, tuple[Value, ...]], Value] = refuse_tables
    keys_of: Callable[[View, str], Value] = refuse_tables
    #: Finds the universe of a case in a state; None if it is in no universe, or in several.
    where: PlaceFinder = no_universe
    #: Finds a value as if the change of a case were adopted.
    afterwards: ChangeEvaluator = refuse_afterwards
    #: Facts about wording, as `paths` write them, and whether the subject of a case has no wording, so bans on words
    #: do not apply to it.
    wording: frozenset[str] = frozenset()
    wordless: Callable[[CaseNames, Any], bool] = never_wordless

    def __post_init__(self) -> None:
        for name in self.keys:
            first, _, rest = name.partition(".")
            fact = self.facts.get(first)
            record = self.records.get(fact.type.name) if fact else None
            if record and any(record_field.name == rest for record_field in record.fields):
                raise ValueError(f"{name} is both a key and a field of {first}")

    @cached_property
    def keys_but_permissions(self) -> Mapping[str, Key]:
        """The keys, by name, without the ``may.`` permissions of actions."""
        return {name: key for name, key in self.keys.items() if not name.startswith("may.")}

    @cached_property
    def _fact_cache(self) -> list[tuple[object, dict[str, Value]]]:
        """A list of one pair: the game state that was read last, and the values of facts already found in it."""
        return [(None, {})]

    @cached_property
    def fields(self) -> Mapping[tuple[str, str], Field]:
        """All fields of all kinds of thing, by pairs of kind and field name such as ``("rule", "title")``."""
        return {
            (kind, record_field.name): record_field
            for kind, record in self.records.items()
            for record_field in record.fields
        }

    @cached_property
    def words_reading_wording(self) -> frozenset[str]:
        """The names of the functions and fields that read the text of a rule change.

        A field is written with its record, unless several records have it.
        """
        text = Trait.TEXT | Trait.WORDING
        fields = [of for of, declaration in self.fields.items() if has_trait(declaration, text)]
        often = Counter(name for _, name in fields)
        sentences = (name if often[name] > 1 else f"{kind}.{name}" for kind, name in fields)
        return frozenset(
            (*sentences, *(name for name, declaration in self.functions.items() if has_trait(declaration, text)))
        )

    def fact_of(self, name: str, view: View) -> Value:
        """Return the value of a named fact, such as ``circuit``, in the state and case of a view.

        Raises
        ------
        AbsentName
            No fact has this name, or a name that it needs is not bound.
        """
        fact = self.facts.get(name)
        if fact is None:
            raise AbsentName(name)
        for need in fact.needs:
            if need not in view.env:
                raise AbsentName(name)
        view.spend_steps()
        if fact.needs or fact.keys or fact.reads == ALL_FIELDS:
            return fact.get(view)
        state, known = self._fact_cache[0]
        if state is not view.state:
            state, known = self._fact_cache[0] = (view.state, {})
        if name not in known:
            known[name] = fact.get(view)
        return known[name]

    def field_of(self, thing: ThingRef, name: str, view: View) -> Value:
        """Return the value of a field of a thing, or of the entry for the thing in the table of that name."""
        record_field = self.fields.get((thing.kind, name))
        if record_field is not None:
            return record_field.get(view, thing.id)
        return self.entry(view, name, () if thing.kind == "game" else (thing,))

    @staticmethod
    def from_declarations(
        keys: Iterable[Key],
        facts: Iterable[Fact],
        functions: Iterable[Function],
        records: Iterable[Record],
        events: Iterable[Event],
        actions: Iterable[Action],
        effects: Iterable[Form] = (),
        **reading: Any,
    ) -> Vocabulary:
        """Build a vocabulary from declarations; `reading` gives its other fields, such as `entry`, by name.

        Every action adds the key ``may.NAME`` that ``allow`` and ``forbid`` set.
        """
        acts, kinds = _index_by_name(actions), _index_by_name(records)
        may = (
            Key(f"may.{name}", TRUTH, f"whether a player may {act.meaning}", "every such action", act.binds)
            for name, act in acts.items()
        )
        said_alone = (fact for kind in kinds.values() for fact in kind.fields_as_facts)
        return Vocabulary(
            _index_by_name((*keys, *may)), _index_by_name((*facts, *said_alone)), _index_by_name(functions), kinds,
            _index_by_name(events), acts,
            effects=_index_by_name(effects), **reading,
        )  # fmt: skip


def _index_by_name(declarations: Iterable[Any]) -> dict[str, Any]:
    """Return declarations as a dict by their names; raise `TypeError` if two have the same name."""
    by_name: dict[str, Any] = {}
    for declaration in declarations:
        if declaration.name in by_name:
            raise TypeError(f"the {type(declaration).__name__.lower()} {declaration.name} is declared twice")
        by_name[declaration.name] = declaration
    return by_name
