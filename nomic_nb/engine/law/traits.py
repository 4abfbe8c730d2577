"""What is known of a word of the law, said where the word is declared, so that no list repeats its name elsewhere.

A word of which nothing is said is taken for one that could be anything: then the game asks people.
"""

from __future__ import annotations

from enum import Flag
from functools import cache


class Trait(Flag):
    """A trait of a fact, a field, a function, a key, a kind of event or an effect; a word can have several."""

    (
        # Of facts, fields and functions: whom they are about.
        ALIKE,  # all alike, or whoever it happens to be
        ON_TURN,  # whoever is on turn: alike where everyone comes to be that
        NAMING,  # one player, army, board or place by its name
        # When it is known what they come to.
        SHOWN,  # at once: it is fixed, or the boards at hand and the pieces that move there show it
        MOVED,  # at once, too, but moves alter it
        PASSING,  # it passes, or is counted: it may be something else each time
        # What moves do to them.
        STEADY,  # nothing, as far as it matters which pieces there are
        SETTLED,  # nothing: it is the same wherever pieces stand
        PIECES,  # they are pieces or armies, which captures make fewer
        COMMONERS,  # they are pieces of a player, none of them royal
        PLACE,  # they are places, or what stands there
        OF_MOVE,  # they are about a move, or the pieces in it
        EVERYBODY,  # nobody alters how many they are
        # What of a change they look at: something that tells it from others of its kind, or its very words.
        TEXT,
        WORDING,  # so that what has none is not meant
        # Of keys: which moves there are depends on them, or whether there are any, and how many.
        MOVEMENT,
        HOW_OFTEN,
        # Of kinds of event: time brings them, players do, or a move does, of which a turn has only so many.
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


#: Nothing is known of a word.
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
    """Something that is declared by its name, and says with it what is known of it."""

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
