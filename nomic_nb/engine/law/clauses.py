"""Clauses as immutable values: what the verbs of the law language say."""

from __future__ import annotations

from collections.abc import Iterator, KeysView
from functools import cached_property

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.nodes import Expression, Node, Queries, walk_expressions


@frozen
class Clause(Queries):
    """One clause of a rule. `words` is how it was written, on one line."""

    words: str

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """All expressions in the clause, also those in its effects."""
        own = [value for value in vars(self).values() if isinstance(value, Expression)]
        return (*own, *[expression for effect in self.all_effects() for expression in effect.expressions])

    @cached_property
    def with_inner_clauses(self) -> tuple[Clause, ...]:
        """The clause itself, followed by the clauses inside it if it is a draft."""
        return (self,)

    @cached_property
    def names(self) -> KeysView[str]:
        """The facts and bound names that the clause's expressions read."""
        return dict.fromkeys([name for expression in self.expressions for name in expression.names]).keys()

    @property
    def written_condition(self) -> Expression | None:
        """Its condition, without the kind of piece that it is about."""
        expression: Expression | None = getattr(self, "given", getattr(self, "condition", None))
        return expression

    @property
    def asked(self) -> tuple[Expression, ...]:
        """What decides whether it applies, and for whom it goes off."""
        return tuple(filter(None, (getattr(self, "among", None), getattr(self, "condition", None))))

    @cached_property
    def events_made(self) -> frozenset[str]:
        """The kinds of event that the clause's effects make."""
        return frozenset([kind for effect in self.all_effects() for kind in effect.form.makes])

    @property
    def texts_shown_or_compared(self) -> Iterator[str]:
        """Yield the texts in quotation marks that the clause compares, offers or lets players choose."""
        for clause in self.with_inner_clauses:
            yield from clause.constant_texts()
            if isinstance(clause, OfferClause):
                yield clause.name

    def walk(self) -> Iterator[Node]:
        """Yield every node of the clause's expressions."""
        return walk_expressions(self.expressions)

    @cached_property
    def _every_effect(self) -> tuple[Effect, ...]:
        """The effects, those inside others too; what only says something has none."""
        return tuple([one for effect in getattr(self, "effects", ()) for one in effect.with_nested_effects])

    def all_effects(self, *forms: str) -> tuple[Effect, ...]:
        """Yield the clause's effects, or those of these forms, also those nested in others."""
        every = self._every_effect
        return tuple([effect for effect in every if effect.form.name in forms]) if forms else every

    def __str__(self) -> str:
        return self.words


@frozen
class SetClause(Clause):
    """``set KEY to EXPR [while EXPR]``, ``allow ACTION [when EXPR]``, ``forbid ACTION [when EXPR]``: what a term is.

    In the value, ``otherwise`` is what the term would be without the clause. What ``allow`` and ``forbid`` set is
    ``may.ACTION``, true or false.
    """

    example = "set vote.quota to 2 while circuit > 2"

    key: str
    value: Expression
    condition: Expression | None


@frozen
class PieceClause(SetClause):
    """``piece KIND [of EXPR] moves "BETZA" [while EXPR]``: sets ``piece.moves`` for a kind.

    `condition` holds all of it: the kind, the army, and what stands behind ``while``. `army` and `given` are
    those two as they were written, so that each can be read by itself.
    """

    example = 'piece N of army_named("white") moves "NF"'

    kind: str
    army: Expression | None
    given: Expression | None

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """All expressions in the clause, also the army and the limit."""
        return (self.value, *filter(None, (self.condition,)))


@frozen
class IncorporateClause(Clause):
    """``incorporate NAME``: the rules of another rule set are in force while this rule is."""

    example = "incorporate fide-chess"

    name: str


@frozen
class RequireClause(Clause):
    """``require EXPR``: what must hold of the law after every change."""

    example = "require count(rules) <= 40"

    condition: Expression


@frozen
class TriggerClause(Clause):
    """``on EVENT [each NAME in EXPR] [when EXPR]: EFFECT; …``: what is done when something happens."""

    example = "on adopted each p in opponents when p.points < 5: award 5 points to p"

    event: str
    each: str | None
    among: Expression | None
    condition: Expression | None
    effects: tuple[Effect, ...]

    @property
    def on_own_rule(self) -> bool:
        """Whether it asks that it be its own rule that something happens to."""
        return self.condition is not None and any(
            node.is_comparison_of("rule", "this") for node in self.condition.node.conjuncts
        )

    def unconditional_effects(self) -> Iterator[Effect]:
        """Yield the effects that always happen when the trigger fires, at once and without condition."""
        for effect in self.effects:
            yield from effect.immediate_effects()


@frozen
class InsteadClause(TriggerClause):
    """``instead of EVENT [when EXPR]: EFFECT; …``: what comes in place of the usual result."""

    example = "instead of captured: remove piece"


@frozen
class OfferClause(TriggerClause):
    """``offer "WORDS" [to WHO] [when EXPR]: EFFECT; …``: what players may do, each to whom it is open.

    `among` are those to whom it is offered; everybody, where it does not say.
    """

    example = 'offer "rest" when player.points > 9: award -5 points to player'

    name: str


@frozen
class DraftClause(Clause):
    """``draft NAME: "WORDING"``, clauses ``indented below``: a text that effects put in force.

    It says nothing by itself. `body` are its clauses, and `law` is their text.
    """

    example = 'draft soon: "Ten points win."'

    name: str
    wording: str
    law: str
    body: tuple[Clause, ...]

    @property
    def title(self) -> str:
        """The draft's name in words, as the title of its rule."""
        return self.name.replace("_", " ").capitalize()

    @cached_property
    def with_inner_clauses(self) -> tuple[Clause, ...]:
        """The draft clause itself, followed by the clauses inside it."""
        return (self, *self.body)


@frozen
class TrackClause(Clause):
    """``track NAME per KIND[, KIND] [as KIND] from EXPR [hidden]``: a table, with an entry for each, or for the game.

    Kinds of keys are player, army, piece, square, board, rule, proposal, number, text or game; an entry is a number, or
    what ``as`` says: truth, text, or one of these things. `holds` is empty where nothing is said of it.
    """

    example = "track price per text from 3"

    counter: str
    per: tuple[str, ...]
    start: Expression
    holds: str
    hidden: bool


@frozen
class ClaimClause(Clause):
    """``prevails over NUMBER, … | everything [on KEY]``, ``defers to …``: which rule goes before which.

    `over` is None for everything.
    """

    example = "prevails over 203 on win.points"

    prevails: bool
    over: tuple[int | str, ...] | None
    key: str | None
