"""What ready-made rules on boards share: kinds of pieces, squares, and their names in words."""

from __future__ import annotations

import re

from nomic_nb.multiverse.betza import parse
from nomic_nb.multiverse.errors import NotationError
from nomic_nb.multiverse.terms import NAMES

#: Letters that a movement may have in a ready-made rule.
LONGEST_MOVEMENT = 60


def kind_of(what: str, letter: str) -> str:
    """Return a kind of piece, or refuse it.

    Raises
    ------
    ValueError
        It is not one capital letter.
    """
    if not isinstance(letter, str) or not re.fullmatch("[A-Z]", letter):
        raise ValueError(f"{what} is one capital letter, such as N for knights; found {str(letter)[:80]!r}")
    return letter


def kinds_of(what: str, letters: str) -> str:
    """Return kinds of pieces, each once, or refuse them.

    Raises
    ------
    ValueError
        They are not one to ten capital letters, or one comes twice.
    """
    if not isinstance(letters, str) or not re.fullmatch("[A-Z]{1,10}", letters) or len(set(letters)) < len(letters):
        raise ValueError(f"{what} are 1 to 10 different capital letters, such as QN; found {str(letters)[:80]!r}")
    return letters


def movement_of(moves: str) -> str:
    """Return a movement in Betza notation, or refuse it.

    Raises
    ------
    ValueError
        It is too long, or it cannot be read; with the place of the letter.
    """
    if not isinstance(moves, str) or not 1 <= len(moves) <= LONGEST_MOVEMENT:
        raise ValueError(f"a movement has 1 to {LONGEST_MOVEMENT} letters of Betza notation; found {str(moves)[:80]!r}")
    try:
        parse(moves)
    except NotationError as error:
        raise ValueError(f"{moves!r} is no movement in Betza notation: {error}") from None
    return moves


def square_of(what: str, name: str) -> tuple[int, int]:
    """Return file and rank of a square such as ``e4``, or refuse it.

    Raises
    ------
    ValueError
        It is none.
    """
    found = re.fullmatch(r"([a-p])([1-9]|1[0-6])", name) if isinstance(name, str) else None
    if found is None:
        raise ValueError(f"{what} is a square of a half-board, such as e4; found {str(name)[:80]!r}")
    return ord(found[1]) - ord("a") + 1, int(found[2])


def named_square(what: str, name: str) -> tuple[str, str]:
    """Return board and name of a square such as ``white.e4``, or refuse it.

    Raises
    ------
    ValueError
        It is none.
    """
    board, dot, square = name.strip().partition(".") if isinstance(name, str) else ("", "", "")
    if not dot or not re.fullmatch("[A-Za-z0-9]{1,20}", board):
        raise ValueError(f"{what} is a half-board with a square, such as white.e4; found {str(name)[:80]!r}")
    square_of(what, square)
    return board, f"{board}.{square}"


def one(kind: str) -> str:
    """Return a kind in words, with the article.

    Examples
    --------
    >>> one("N"), one("A")
    ('a knight', 'a piece of kind A')
    """
    return f"a {NAMES[kind.lower()]}" if kind.lower() in NAMES else f"a piece of kind {kind}"


def many(kind: str) -> str:
    """Return several of a kind in words.

    Examples
    --------
    >>> many("N"), many("A")
    ('knights', 'pieces of kind A')
    """
    return f"{NAMES[kind.lower()]}s" if kind.lower() in NAMES else f"pieces of kind {kind}"


def listed(words: list[str], last: str = "or") -> str:
    """Return words as a list.

    Examples
    --------
    >>> listed(["a queen", "a rook", "a knight"])
    'a queen, a rook or a knight'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def written(kinds: str) -> str:
    """Return kinds as the law writes them.

    Examples
    --------
    >>> written("QN")
    '["Q", "N"]'
    """
    return "[" + ", ".join(f'"{kind}"' for kind in kinds) + "]"


def begun(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[0].upper() + text[1:]
