"""Clauses and effects as immutable values: what the verbs of the law language say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from nomic_nb.law.nodes import Expression


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that a trigger does.

    `words` is how it was written, and `at` where it begins in its clause, counted from 0.
    """

    words: str
    at: int = field(compare=False)
    #: The kinds of event that it makes, so that circles can be seen before they run.
    makes: ClassVar[tuple[str, ...]] = ()

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions in it."""
        values = (getattr(self, name) for name in self.__slots__)
        return tuple(value for value in values if isinstance(value, Expression))


@dataclass(frozen=True, slots=True)
class Award(Effect):
    """``award EXPR COUNTER to WHO``: add to a counter of one or of each."""

    amount: Expression
    counter: str
    who: Expression
    makes = ("counted",)


@dataclass(frozen=True, slots=True)
class Pay(Effect):
    """``pay EXPR COUNTER from WHO to WHO``: from one to the other, or not at all where the payer has not got it."""

    amount: Expression
    counter: str
    payer: Expression
    who: Expression
    makes = ("counted", "unpaid")


@dataclass(frozen=True, slots=True)
class Put(Effect):
    """``put COUNTER of WHO at EXPR``, or ``put COUNTER at EXPR`` for the game's own."""

    counter: str
    who: Expression | None
    amount: Expression
    makes = ("counted",)


@dataclass(frozen=True, slots=True)
class Roll(Effect):
    """``roll EXPR of EXPR as NAME [by WHO]``: throw so many dice of so many sides and name their sum."""

    dice: Expression
    sides: Expression
    name: str
    by: Expression | None
    makes = ("thrown",)


@dataclass(frozen=True, slots=True)
class Choose(Effect):
    """``let WHO choose NAME from EXPR [or none]``."""

    who: Expression
    name: str
    options: Expression
    optional: bool
    makes = ("chosen",)


@dataclass(frozen=True, slots=True)
class Oblige(Effect):
    """``oblige WHO to ACTION``: the part does not end before it is done."""

    who: Expression
    action: str
    makes = ("obliged",)


@dataclass(frozen=True, slots=True)
class Enter(Effect):
    """``enter player NAME as KIND``: someone new takes part, as ``person`` or ``dummy``."""

    player: Expression
    kind: str
    makes = ("entered",)


@dataclass(frozen=True, slots=True)
class EnterArmy(Effect):
    """``enter army NAME for WHO``: an army with its array, under somebody's control."""

    army: Expression
    who: Expression
    makes = ("army_entered",)


@dataclass(frozen=True, slots=True)
class Promote(Effect):
    """``promote X [to EXPR]``: pieces become the next kind of the ladder, or a kind that is named."""

    pieces: Expression
    kind: Expression | None
    makes = ("promoted",)


@dataclass(frozen=True, slots=True)
class Demote(Effect):
    """``demote X``: pieces become the kind before on the ladder; the lowest vanish."""

    pieces: Expression
    makes = ("demoted", "removed")


@dataclass(frozen=True, slots=True)
class Place(Effect):
    """``place KIND of ARMY at SQUARE``: a new piece."""

    kind: Expression
    army: Expression
    square: Expression
    makes = ("placed",)


@dataclass(frozen=True, slots=True)
class Remove(Effect):
    """``remove X``: pieces leave the boards."""

    pieces: Expression
    makes = ("removed",)


@dataclass(frozen=True, slots=True)
class Move(Effect):
    """``move X to SQUARE``: a piece is carried to an empty square."""

    pieces: Expression
    square: Expression
    makes = ("carried",)


@dataclass(frozen=True, slots=True)
class Shift(Effect):
    """``shift X by [FILES, RANKS]``: pieces go so far on their boards, all at once."""

    pieces: Expression
    step: Expression
    makes = ("carried",)


@dataclass(frozen=True, slots=True)
class Convert(Effect):
    """``convert X to ARMY``: pieces go over to an army."""

    pieces: Expression
    army: Expression
    makes = ("converted",)


@dataclass(frozen=True, slots=True)
class Give(Effect):
    """``give ARMY to WHO``: an army comes under somebody's control."""

    armies: Expression
    who: Expression
    makes = ("army_lost", "army_taken")


@dataclass(frozen=True, slots=True)
class Grow(Effect):
    """``grow BOARD by EXPR``: a board has so many ranks more."""

    boards: Expression
    ranks: Expression
    makes = ("grown",)


@dataclass(frozen=True, slots=True)
class Cast(Effect):
    """``cast EXPR for WHO``: a ballot in the vote at hand."""

    ballot: Expression
    who: Expression
    makes = ("balloted",)


@dataclass(frozen=True, slots=True)
class Eliminate(Effect):
    """``eliminate WHO``: out of the game."""

    who: Expression
    makes = ("eliminated",)


@dataclass(frozen=True, slots=True)
class Enact(Effect):
    """``enact DRAFT``: an automatic change."""

    draft: str
    makes = ("enacted",)


@dataclass(frozen=True, slots=True)
class Amend(Effect):
    """``amend RULE by DRAFT``: an automatic change."""

    rule: Expression
    draft: str
    makes = ("amended",)


@dataclass(frozen=True, slots=True)
class Void(Effect):
    """``void RULE against RULE``: a Judge finds that a rule contradicts a stronger one (110)."""

    rule: Expression
    against: Expression
    makes = ("voided",)


@dataclass(frozen=True, slots=True)
class Revive(Effect):
    """``revive RULE``: what a Judge found void is void no more."""

    rule: Expression
    makes = ("revived",)


@dataclass(frozen=True, slots=True)
class Repeal(Effect):
    """``repeal RULE``: an automatic change."""

    rule: Expression
    makes = ("repealed",)


@dataclass(frozen=True, slots=True)
class Transmute(Effect):
    """``transmute RULE``: an automatic change."""

    rule: Expression
    makes = ("transmuted",)


@dataclass(frozen=True, slots=True)
class After(Effect):
    """``after EXPR turns: EFFECT``: later, when so many more turns have ended."""

    turns: Expression
    effect: Effect
    makes = ("scheduled",)


@dataclass(frozen=True, slots=True)
class End(Effect):
    """``end part`` or ``end turn``: what is still owed in it is let go. ``end play``: nobody can go on."""

    what: str
    makes = ("cut_short", "stuck")


@dataclass(frozen=True, slots=True)
class Announce(Effect):
    """``announce TEXT``."""

    text: str
    makes = ("announced",)


@dataclass(frozen=True, slots=True)
class Ask(Effect):
    """``ask WHO TEXT``: play waits for the answer."""

    who: Expression
    text: str
    makes = ("asked",)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a rule. `words` is how it was written, on one line."""

    words: str

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions in it, those of its effects too."""
        values = (getattr(self, name) for name in self.__slots__)
        return tuple(value for value in values if isinstance(value, Expression))

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class Set(Clause):
    """``set KEY to EXPR [while EXPR]``; ``allow`` and ``forbid`` set ``may.ACTION`` to true or false."""

    key: str
    value: Expression
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Piece(Set):
    """``piece KIND [of EXPR] moves "BETZA" [while EXPR]``: sets ``piece.moves`` for a kind.

    `condition` holds all of it: the kind, the army, and what stands behind ``while``. `army` and `given` are
    those two as they were written, so that each can be read by itself.
    """

    kind: str
    army: Expression | None
    given: Expression | None

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions in it."""
        return tuple(one for one in (self.value, self.condition) if one is not None)


@dataclass(frozen=True, slots=True)
class Incorporate(Clause):
    """``incorporate NAME``: the rules of another rule set are in force while this rule is."""

    name: str


@dataclass(frozen=True, slots=True)
class Require(Clause):
    """``require EXPR``: what must hold of the law after every change."""

    condition: Expression


@dataclass(frozen=True, slots=True)
class On(Clause):
    """``on EVENT [each NAME in EXPR] [when EXPR]: EFFECT; …``."""

    event: str
    each: str | None
    among: Expression | None
    condition: Expression | None
    effects: tuple[Effect, ...]

    def every_effect(self) -> Iterator[Effect]:
        """Yield the effects, those put off with ``after`` too."""
        for effect in self.effects:
            inner = effect
            yield inner
            while isinstance(inner, After):
                inner = inner.effect
                yield inner

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions in it, those of its effects too."""
        own = (
            self.among,
            self.condition,
            *(one for effect in self.every_effect() for one in effect.expressions),
        )
        return tuple(one for one in own if one is not None)


@dataclass(frozen=True, slots=True)
class Instead(On):
    """``instead of EVENT [when EXPR]: EFFECT; …``: what comes in place of the usual result."""


@dataclass(frozen=True, slots=True)
class Draft(Clause):
    """``draft NAME: "WORDING"`` with clauses indented below: a text that effects put in force.

    It says nothing by itself. `body` are its clauses, and `law` is their text.
    """

    name: str
    wording: str
    law: str
    body: tuple[Clause, ...]

    @property
    def title(self) -> str:
        """Its name in words."""
        return self.name.replace("_", " ").capitalize()

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """None: it is not in force."""
        return ()


@dataclass(frozen=True, slots=True)
class Track(Clause):
    """``track COUNTER per player|army|piece|game from EXPR``: a number that is kept for each, or for the game."""

    counter: str
    per: str
    start: Expression


@dataclass(frozen=True, slots=True)
class Claim(Clause):
    """``prevails over NUMBER, … | everything [on KEY]``, and ``defers to …``.

    `over` is None for everything.
    """

    prevails: bool
    over: tuple[int | str, ...] | None
    key: str | None
