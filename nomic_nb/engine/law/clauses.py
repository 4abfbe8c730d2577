"""Clauses as immutable values: one class for each verb of the law language.

The grammar, the check before a vote, the lists of words and the page of documentation are made from these classes. The
law itself declares no effects; its users pass in the forms in a `Vocabulary`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, KeysView, Mapping
from dataclasses import field
from functools import cache, cached_property
from typing import Any, Protocol

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.nodes import Expression, Node, Queries, walk_expressions
from nomic_nb.engine.law.traits import Traited

# ------------------------------------------------------------------------------------------------ effects as forms


class Slot(Protocol):
    """The kind of content that fits a place of a form."""

    @property
    def symbol(self) -> str:
        """The grammar symbol that parses the content of this slot."""

    def read(self, name: str, reader: Any, tree: Any) -> Mapping[str, Any]:
        """Return the values in the parse tree of the slot `name`, as a dict by field names of the effect."""

    def check(self, value: Any, checker: Any) -> Any:
        """Raise `LawError` if a value does not fit the slot; return the checker to use for the slots after it."""


@frozen(eq=False)
class Form(Traited):
    """How an effect is written and what it does.

    Parameters
    ----------
    name : str
        Name of the effect.
    pattern : str
        Its written form: words, ``{places}``, ``one|another`` and ``[optional parts]``.
    meaning : str
        For players, half a sentence.
    example : str
        An example that can be read.
    makes : tuple of str
        Kinds of event that it causes, needed to find endless circles in advance.
    by : tuple of str
        Those who may order it besides a rule.
    places : mapping of str to Place
        Content of its places.
    perform : callable
        Function that carries it out; the law never calls it.
    costs : int
        Number of effects it counts as, of those that one action may set off; 0 if it only contains others.
    aloud : str
        The pattern in words that read well, if its own do not.
    needs : tuple of str
        Names of the case that it uses, besides those in its places.
    traits : str
        Its traits (see `Trait`), as names in one text.
    """

    name: str
    pattern: str
    meaning: str
    example: str
    makes: tuple[str, ...]
    by: tuple[str, ...]
    places: Mapping[str, Slot]
    perform: Callable[..., Any]
    costs: int
    aloud: str
    needs: tuple[str, ...] = ()
    traits: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """All fixed words of the effect's pattern, without its slots."""
        return _pattern_words(self.pattern)

    @property
    def leading_words(self) -> tuple[str, ...]:
        """The fixed words before the first slot of the effect's pattern."""
        return _pattern_words(self.pattern.partition("{")[0])

    @property
    def grammar_rules(self) -> str:
        """The rules of the Lark grammar, as text, that parse effects of this form."""
        parts = re.findall(r"\{\w+\}|[\w|]+|\S", self.pattern)
        first, *pieces = re.split(r" (?=\[)", " ".join(map(self._grammar_symbol, parts)))
        names = [f"_{self.name}_{at}" for at in range(1, len(pieces) + 1)] + [""]
        rules = (f"\n{name}: {piece} {rest}" for name, piece, rest in zip(names, pieces, names[1:], strict=False))
        return f"{first} {names[0]} -> effect_{self.name}" + "".join(rules)

    def _grammar_symbol(self, part: str) -> str:
        """Return the grammar symbol for one part of a pattern: a slot, a word, alternative words, or a sign."""
        if part.startswith("{"):
            return self.places[part[1:-1]].symbol
        if "|" in part:
            return f"({' | '.join(map(terminal_name, part.split('|')))})"
        return terminal_name(part) if part.isalpha() else part if part in "[]" else f'"{part}"'

    @property
    def readable_pattern(self) -> str:
        """The effect's pattern as people see it, with the slots in capitals."""
        return re.sub(
            r"\{(\w+)\}", lambda match: getattr(self.places[match[1]], "readable_form", match[1].upper()), self.pattern
        )


@cache
def _pattern_words(pattern: str) -> tuple[str, ...]:
    """Return the fixed words of an effect's pattern, leaving out its slots in braces."""
    return tuple(re.findall(r"[a-z]+", re.sub(r"\{\w+\}", " ", pattern)))


def terminal_name(word: str) -> str:
    """Return the name of the grammar terminal for a fixed word, such as ``_TO`` for “to”."""
    return f"_{word.upper()}"


def declare_effect(
    forms: list[Form],
    pattern: str,
    *,
    example: str,
    makes: str = "",
    ordered_by: str = "",
    costs: int = 1,
    aloud: str = "",
    needs: str = "",
    traits: str = "",
    **places: Slot,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
    """Return a decorator that declares a function as an effect, written in rules as `pattern`, and adds it to `forms`.

    Parameters
    ----------
    forms : list of Form
        List to which it is added.
    pattern, example, **places
        As in `Form`.
    makes, ordered_by : str
        Its `makes` and `by`, each in a single text.
    costs : int
        As in `Form`.
    aloud, needs : str
        As in `Form`; names are given in a single string.
    traits : str
        As in `Form`.

    Raises
    ------
    TypeError
        The pattern has an undeclared place, or lacks a declared one, or there is no docstring.
    """

    def decorate(perform: Callable[..., Any]) -> Callable[..., Any]:
        name, kinds, by = perform.__name__.strip("_"), tuple(makes.split()), tuple(ordered_by.split())
        wanted = re.findall(r"\{(\w+)\}", pattern)
        for place_name in sorted({*wanted} ^ {*places}):
            sentence = (
                f"has no {{{place_name}}} in its pattern"
                if place_name in places
                else f"does not say what {{{place_name}}} takes"
            )
            raise TypeError(f"{describe_function(perform)} {sentence}: {pattern}")
        meaning, names = docstring_meaning(perform), tuple(needs.split())
        forms.append(Form(name, pattern, meaning, example, kinds, by, places, perform, costs, aloud, names, traits))
        return perform

    return decorate


def describe_function(perform: Callable[..., Any]) -> str:
    """Return the name and module of a function, as messages about a faulty declaration show them."""
    return f"{perform.__name__} in {perform.__module__}"


def docstring_meaning(perform: Callable[..., Any]) -> str:
    """Return the first line of a function's docstring without its initial capital and its full stop.

    Raises
    ------
    TypeError
        It has no docstring.
    """
    meaning = inspect.cleandoc(perform.__doc__ or "").partition("\n")[0].rstrip(".")
    if not meaning:
        raise TypeError(f"{describe_function(perform)} has no docstring; its first line is what players read")
    return meaning[0].lower() + meaning[1:]


@frozen
class Effect:
    """An effect of a trigger: a form with its places filled.

    Parameters
    ----------
    form : Form
        Form of the effect.
    words : str
        Its text as written.
    at : int
        Its start in the clause, counted from 0.
    places : tuple of (str, object)
        Content of its places: expressions, words, an effect; each can be read as a field.
    """

    form: Form
    words: str
    at: int = field(compare=False)
    places: tuple[tuple[str, Any], ...]

    def __getattr__(self, name: str) -> Any:
        for place_name, value in object.__getattribute__(self, "places"):
            if place_name == name:
                return value
        raise AttributeError(f"the effect {self.form.name} has no place {name}")

    @property
    def _slot_values(self) -> list[tuple[str, Any]]:
        """Pairs of slot name and value for all slots of the effect; a tuple gives a pair for each item."""
        return [(name, part) for name, each in self.places for part in (each if isinstance(each, tuple) else (each,))]

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions in the effect's own slots, without those of nested effects."""
        return tuple([part for _, part in self._slot_values if isinstance(part, Expression)])

    @property
    def inner(self) -> tuple[Effect, ...]:
        """The effects directly inside this effect, one level deep."""
        return tuple([one for _, one in self._slot_values if isinstance(one, Effect)])

    @cached_property
    def with_nested_effects(self) -> tuple[Effect, ...]:
        """The effect itself, followed by all effects nested in it at any depth."""
        return (self, *[two for effect in self.inner for two in effect.with_nested_effects])

    def immediate_effects(self) -> Iterator[Effect]:
        """Yield this effect and those nested in it that happen at once and unconditionally."""
        yield self
        if getattr(self, "condition", None) is None:
            for name, part in self._slot_values:
                if isinstance(part, Effect) and not getattr(self.form.places.get(name), "later", False):
                    yield from part.immediate_effects()


# ------------------------------------------------------------------------------------- clauses as immutable values


@frozen
class Clause(Queries):
    """One clause of a rule. `words` is its text as written, on one line."""

    words: str

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """All expressions in the clause, those in its effects included."""
        own = [value for value in vars(self).values() if isinstance(value, Expression)]
        return (*own, *[expression for effect in self.all_effects() for expression in effect.expressions])

    @cached_property
    def with_inner_clauses(self) -> tuple[Clause, ...]:
        """The clause itself, followed by the clauses that it encloses; only a draft has any."""
        return (self,)

    @cached_property
    def names(self) -> KeysView[str]:
        """The names, of facts and of bound variables, that the clause's expressions read."""
        return dict.fromkeys([name for expression in self.expressions for name in expression.names]).keys()

    @property
    def written_condition(self) -> Expression | None:
        """The condition as its author wrote it; None without one.

        For a piece clause, it is only the part after ``while``.
        """
        expression: Expression | None = getattr(self, "given", getattr(self, "condition", None))
        return expression

    @property
    def asked(self) -> tuple[Expression, ...]:
        """The expressions that decide whether the clause acts, and for which things: its list and its condition."""
        return tuple(filter(None, (getattr(self, "among", None), getattr(self, "condition", None))))

    @cached_property
    def events_made(self) -> frozenset[str]:
        """The names of the kinds of event that the clause's effects cause."""
        return frozenset([kind for effect in self.all_effects() for kind in effect.form.makes])

    @property
    def texts_shown_or_compared(self) -> Iterator[str]:
        """Every quoted text in the clause and in those it encloses, with the words of offers."""
        for clause in self.with_inner_clauses:
            yield from clause.constant_texts()
            if isinstance(clause, OfferClause):
                yield clause.name

    def walk(self) -> Iterator[Node]:
        """Yield every node of the syntax trees of the clause's expressions."""
        return walk_expressions(self.expressions)

    @cached_property
    def _every_effect(self) -> tuple[Effect, ...]:
        """All effects of the clause, nested ones included; empty for a clause without effects."""
        return tuple([one for effect in getattr(self, "effects", ()) for one in effect.with_nested_effects])

    def all_effects(self, *forms: str) -> tuple[Effect, ...]:
        """Return all effects of the clause, nested ones included; with `forms`, only effects of these names."""
        every = self._every_effect
        return tuple([effect for effect in every if effect.form.name in forms]) if forms else every

    def __str__(self) -> str:
        return self.words


@frozen
class SetClause(Clause):
    """``set KEY to EXPR [while EXPR]``, ``allow ACTION [when EXPR]``, ``forbid ACTION [when EXPR]``: a setting's value.

    In the value, ``otherwise`` is the value of the setting without the clause. ``allow`` and ``forbid`` set
    ``may.ACTION`` to true or false.
    """

    example = "set vote.quota to 2 while circuit > 2"

    key: str
    value: Expression
    condition: Expression | None


@frozen
class PieceClause(SetClause):
    """``piece KIND [of EXPR] moves "BETZA" [while EXPR]``: sets ``piece.moves`` for a kind.

    `condition` combines the kind, the army, and the part after ``while``. `army` and `given` are the last
    two as written, to be read separately.
    """

    example = 'piece N of army_named("white") moves "NF"'

    kind: str
    army: Expression | None
    given: Expression | None

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions for the moves and the whole condition, which also covers kind and army."""
        return (self.value, *filter(None, (self.condition,)))


@frozen
class IncorporateClause(Clause):
    """``incorporate NAME``: the rules of another rule set are in force while this rule is."""

    example = "incorporate fide-chess"

    name: str


@frozen
class RequireClause(Clause):
    """``require EXPR``: a condition that the rules must meet after every change."""

    example = "require count(rules) <= 40"

    condition: Expression


@frozen
class TriggerClause(Clause):
    """``on EVENT [each NAME in EXPR] [when EXPR]: EFFECT; …``: effects of an event."""

    example = "on adopted each p in opponents when p.points < 5: award 5 points to p"

    event: str
    each: str | None
    among: Expression | None
    condition: Expression | None
    effects: tuple[Effect, ...]

    @property
    def on_own_rule(self) -> bool:
        """Whether the trigger's condition demands that the event concern the trigger's own rule."""
        return self.condition is not None and any(
            node.is_comparison_of("rule", "this") for node in self.condition.node.conjuncts
        )

    def unconditional_effects(self) -> Iterator[Effect]:
        """Yield the effects that happen whenever the trigger fires, at once and unconditionally."""
        for effect in self.effects:
            yield from effect.immediate_effects()


@frozen
class InsteadClause(TriggerClause):
    """``instead of EVENT [when EXPR]: EFFECT; …``: effects instead of the usual result of an event."""

    example = "instead of captured: remove piece"


@frozen
class WheneverClause(TriggerClause):
    """``whenever [each NAME in EXPR when] EXPR: EFFECT; …``: effects each time a condition becomes true."""

    example = "whenever each p in playing when p.points < 0: award 5 points to p"


@frozen
class OfferClause(TriggerClause):
    """``offer "WORDS" [to WHO] [when EXPR]: EFFECT; …``: something that players may choose to do.

    `among` lists the players to whom it is offered; without it, everybody.
    """

    example = 'offer "rest" when player.points > 9: award -5 points to player'

    name: str


@frozen
class DraftClause(Clause):
    """``draft NAME: "WORDING"``, clauses ``indented below``: a text that effects can put in force.

    It has no effect by itself. `body` are its clauses, and `law` is their text.
    """

    example = 'draft soon: "Ten points win."'

    name: str
    wording: str
    law: str
    body: tuple[Clause, ...]

    @property
    def title(self) -> str:
        """The title of the rule that the draft becomes: its name in words."""
        return self.name.replace("_", " ").capitalize()

    @cached_property
    def with_inner_clauses(self) -> tuple[Clause, ...]:
        """The draft clause itself, followed by the clauses that it encloses."""
        return (self, *self.body)


@frozen
class TrackClause(Clause):
    """``track NAME per KIND[, KIND] [as KIND] from EXPR [hidden]``: a table: an entry for each, or one for the game.

    Kinds of keys are player, army, piece, square, board, rule, proposal, number, text or game; an entry is a number, or
    what ``as`` says: truth, text, or one of these things. `holds` is empty without ``as``.
    """

    example = "track price per text from 3"

    counter: str
    per: tuple[str, ...]
    start: Expression
    holds: str
    hidden: bool


@frozen
class ClaimClause(Clause):
    """``prevails over NUMBER, … | everything [on KEY]``, ``defers to …``: which rule takes precedence.

    `over` is None for everything.
    """

    example = "prevails over 203 on win.points"

    prevails: bool
    over: tuple[int | str, ...] | None
    key: str | None
