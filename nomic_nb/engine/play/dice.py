"""Chance that can be drawn again: from the seed and the place in the game, or from what players revealed.

A commitment is a hash. It says nothing of what is sealed, and fits nothing else: no other value, no
other seat, no other round, no other game.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import field, replace

from nomic_nb.engine.errors import IllegalAction, WrongArgument
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import check_text_storable
from nomic_nb.engine.play.events import canonical_json

# ---------------------------------------------------------------------------------- chance that can be drawn again


def draw_faces(seed: int, place: int, dice: int, sides: int) -> tuple[int, ...]:
    """Return the faces of `dice` dice, drawn from the game's seed and the number of draws made before (`place`).

    Parameters
    ----------
    seed : int
        The game's.
    place : int
        How many draws there were before.
    dice, sides : int
        How many dice of how many sides.

    Returns
    -------
    tuple of int
        One face a die, each from 1 to `sides`.

    Examples
    --------
    >>> draw_faces(7, 0, 2, 6) == draw_faces(7, 0, 2, 6)
    True
    >>> sorted({draw_faces(7, place, 1, 6)[0] for place in range(60)})
    [1, 2, 3, 4, 5, 6]
    """
    return sample_faces(f"{seed} {place}", dice, sides)


def sample_faces(source: str, dice: int, sides: int) -> tuple[int, ...]:
    """Return a face for each of `dice` dice, derived from a text (`source`), each face being equally likely.

    SHA-256 over the text and the attempt, sampled by rejection, so that every face is equally likely and
    the same on every machine and with every version of Python.

    Parameters
    ----------
    source : str
        From which they follow.
    dice, sides : int
        How many dice of how many sides.
    """
    faces: list[int] = []
    attempt = 0
    bound = 2**64 - 2**64 % sides
    while len(faces) < dice:
        block = hashlib.sha256(f"nomic_nb dice {source} {attempt}".encode()).digest()
        number = int.from_bytes(block[:8], "big")
        attempt += 1
        if number < bound:
            faces.append(number % sides + 1)
    return tuple(faces)


# ----------------------------------------------------------------------------------------------------- commitments


#: What the hashes are for, and the version of their form, so none can represent another.
SEAL, DRAW = "nomic_nb seal 1", "nomic_nb draw 1"
#: Fewer than these are no round, unless the law names fewer: one alone could choose what is drawn.
FEWEST_SIDES = 2
#: Letters of a value; the nonce makes it secret, so it need not be long.
LONGEST_VALUE = 60
#: SHA-256, and a nonce of 32 bytes, as they are written.
HEX_PATTERN = re.compile(r"[0-9a-f]{64}")
#: Values that are drawn where a player names none.
VALUE_COUNT = 1_000_000


@frozen
class SealOpening:
    """The value and nonce that open a commitment. The value stays secret for as long as nobody else has them.

    Parameters
    ----------
    value : str
        Value that was sealed.
    nonce : str
        32 random bytes as 64 hexadecimal digits; without them, the value could be found by trial and error.
    """

    value: str
    nonce: str


@frozen
class SealingRound:
    """One round of sealing: all commit, then all reveal.

    Parameters
    ----------
    number : int
        Sequence number of the event that opened it.
    who : tuple of str
        Who seals; fixed when it opens, and smaller when somebody is left out.
    seals : mapping of str to str
        Commitments, by player.
    reveals : mapping of str to Opening
        What was revealed, by player.
    """

    number: int
    who: tuple[str, ...]
    seals: Mapping[str, str] = field(default_factory=dict)
    reveals: Mapping[str, SealOpening] = field(default_factory=dict)

    @property
    def action_owed(self) -> str:
        """The action due now: “seal” until all have sealed, then “reveal”, and an empty text at the end."""
        if any(name not in self.seals for name in self.who):
            return "seal"
        return "reveal" if any(name not in self.reveals for name in self.who) else ""

    @property
    def players_awaited(self) -> tuple[str, ...]:
        """The names of the players who still have to seal or, once all have sealed, to reveal."""
        done = self.seals if self.action_owed == "seal" else self.reveals
        return tuple(name for name in self.who if name not in done)

    def without_player(self, name: str) -> SealingRound:
        """Return the round without this player, and without what the player sealed or revealed in it."""
        return replace(
            self,
            who=tuple(player for player in self.who if player != name),
            seals={player: seal for player, seal in self.seals.items() if player != name},
            reveals={player: shown for player, shown in self.reveals.items() if player != name},
        )


def _hash_of_fields(**fields: object) -> str:
    """Return the SHA-256 of named values, written as canonical JSON, in hexadecimal digits."""
    return hashlib.sha256(canonical_json(fields).encode("ascii")).hexdigest()


def commitment_hash(game: str, number: int, seat: str, opening: SealOpening) -> str:
    """Return the hash that commits a player (`seat`) to an opening in a round; `game` is the game's digest.

    Parameters
    ----------
    game : str
        Tells the game from others; `GameSetup.digest`.
    number : int
        Of the round.
    seat : str
        The player.
    opening : Opening
        Value and nonce.

    Returns
    -------
    str
        SHA-256 over domain, game, round, seat, nonce and value as canonical JSON, in hexadecimal digits.

    Examples
    --------
    >>> commitment_hash("", 12, "Ann", SealOpening("4", "00" * 32))[:16]
    '18f6629a3f34cb26'
    """
    return _hash_of_fields(domain=SEAL, game=game, round=number, seat=seat, nonce=opening.nonce, value=opening.value)


def draw_from_reveals(game: str, round: SealingRound, dice: int, sides: int) -> tuple[str, tuple[int, ...]]:
    """Return a hash of a round's reveals and of `game`, the game's digest, and the faces of dice drawn from it.

    The reveals are sorted by seat, so the order in which they came makes no difference.

    Examples
    --------
    >>> one = SealOpening("4", "00" * 32)
    >>> draw_from_reveals("", SealingRound(12, ("Ann",), {}, {"Ann": one}), 1, 6)[1]
    (6,)
    """
    reveals = [[seat, opening.nonce, opening.value] for seat, opening in sorted(round.reveals.items())]
    mixed = _hash_of_fields(domain=DRAW, game=game, round=round.number, reveals=reveals)
    return mixed, sample_faces(mixed, dice, sides)


def check_hex(what: str, text: str) -> None:
    """Raise `IllegalAction` if a text, called `what` in the message, is not 64 hexadecimal digits like a hash.

    Raises
    ------
    IllegalAction
        With what it should be.
    """
    if not HEX_PATTERN.fullmatch(text):
        raise IllegalAction(
            "not-hexadecimal",
            "a {what} must be 64 hexadecimal digits in lower case; you gave {found!r}",
            what=what,
            found=text[:20],
        )


def check_sealable_value(value: str) -> None:
    """Raise an error if a value cannot be sealed, because it is empty, too long or has hidden letters.

    Raises
    ------
    IllegalAction, LawError
        It is empty, too long, or has letters that cannot be seen.
    """
    check_text_storable("value", value, LONGEST_VALUE)
    if not value.strip():
        raise IllegalAction("sealed-value-empty", "a sealed value can’t be blank")


def new_opening(value: object = None, source: str = "") -> SealOpening:
    """Return a value with a fresh nonce, ready to be sealed; the value is random if none is given.

    With a text (`source`), value and nonce follow from it, so whoever knows the text can open what is sealed.

    Raises
    ------
    IllegalAction, LawError, TypeError
        It is no value.
    """
    if isinstance(value, bool) or not (value is None or isinstance(value, str | int)):
        raise WrongArgument(
            "sealed-value-kind",
            "a sealed value must be text or a whole number; you gave {found!r}",
            found=str(value)[:40],
        )
    nonce = hashlib.sha256(f"nomic_nb nonce {source}".encode()).hexdigest() if source else secrets.token_hex(32)
    sentence = str(int(nonce, 16) % VALUE_COUNT if value is None else value)
    check_sealable_value(sentence)
    return SealOpening(sentence, nonce)
