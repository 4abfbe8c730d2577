"""Traits: known properties of words of the law, listed with each declaration, so no other list repeats the names.

A word of which nothing is said is taken for one that could be anything: then the game asks people.
"""

from __future__ import annotations

from enum import Flag
from functools import cache


class Trait(Flag):
    """A trait of a fact, a field, a function, a key, a kind of event or an effect; a word can have several."""

    (
        # For facts, fields and functions: the players and things that they are about.
        ALIKE,  # all players equally, or some player by circumstance
        ON_TURN,  # the player whose turn it is: equal for all if everyone has turns
        NAMING,  # one player, army, board or place by its name
        # When their value is known.
        SHOWN,  # at once: it is fixed, or the current boards and the pieces that move there show it
        MOVED,  # also at once, but moves alter it
        PASSING,  # it passes, or is counted: it may be something else each time
        # The effect of moves on them.
        STEADY,  # none, as far as the set of pieces matters
        SETTLED,  # none: they do not depend on where the pieces are
        PIECES,  # they are pieces or armies, which captures make fewer
        COMMONERS,  # they are pieces of a player, none of them royal
        PLACE,  # they are places, or the pieces there
        OF_MOVE,  # they are about a move, or the pieces in it
        EVERYBODY,  # nobody alters how many they are
        # The part of a change that they read: something that distinguishes it from others of its kind, or its words.
        TEXT,
        WORDING,  # changes without words are not concerned
        # For keys: the possible moves depend on them, or whether and how many moves are made.
        MOVEMENT,
        HOW_OFTEN,
        # For kinds of event: caused by time, by players, or by a move, of which a turn has a limited number.
        TIMED,
        DONE,
        BY_MOVE,
        # Of effects: they make rules, take something away, leave something open until it is answered, give a value a
        # name, or only speak.
        MAKING,
        TAKING,
        OPEN,
        CALLING,
        SAYING,
    ) = (1 << at for at in range(25))


#: No known property.
UNKNOWN = Trait(0)


@cache
def parse_traits(text: str) -> Trait:
    """Return the `Trait` flags that a text such as “alike timed” names.

    Examples
    --------
    >>> parse_traits("alike passing")
    <Trait.ALIKE|PASSING: 33>
    """
    trait = UNKNOWN
    for name in text.split():
        trait |= Trait[name.upper()]
    return trait


class Traited:
    """Something declared by name, together with its traits."""

    name: str
    traits: str

    def __post_init__(self) -> None:
        try:
            parse_traits(self.traits)
        except KeyError as error:
            sentence = (
                f"{self.name} has the trait {str(error).lower()}, and Trait in law/traits.py has none of that name"
            )
            raise TypeError(sentence) from None


def has_trait(word: Traited, traits: Trait) -> bool:
    """Tell whether a declared word of the law has at least one of these traits."""
    return bool(parse_traits(word.traits).value & traits.value)
