"""Chance that can be drawn again: from the seed and the place in the game, or from what players revealed."""

from __future__ import annotations

import hashlib


def draw(seed: int, place: int, dice: int, sides: int) -> tuple[int, ...]:
    """Return the faces of a throw of the game's own dice.

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
    >>> draw(7, 0, 2, 6) == draw(7, 0, 2, 6)
    True
    >>> sorted({draw(7, place, 1, 6)[0] for place in range(60)})
    [1, 2, 3, 4, 5, 6]
    """
    return sample(f"{seed} {place}", dice, sides)


def sample(source: str, dice: int, sides: int) -> tuple[int, ...]:
    """Return faces that follow from a text and nothing else.

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
