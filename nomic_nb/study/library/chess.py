"""What ready-made rules on boards take: kinds of pieces, squares, movements, and how their wording says them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from nomic_nb.chess.multiverse.betza import parse_betza
from nomic_nb.chess.multiverse.errors import NotationError
from nomic_nb.chess.multiverse.movement_sentences import sentence
from nomic_nb.chess.multiverse.rules import KIND_NAMES
from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.values import value_as_expression
from nomic_nb.engine.words import join_words, upper_first

#: Ways of writing something, by their first word: what it is, and the words after that one.
WritingWays = Mapping[str, str | Callable[[Any, str], object]]


def kind_with_article(kind: str) -> str:
    """Return the name of a kind of piece, given by its letter, with an article: “a rook” for “R”.

    Examples
    --------
    >>> kind_with_article("N"), kind_with_article("A")
    ('a knight', 'a piece of kind A')
    """
    return f"a {KIND_NAMES[kind.lower()]}" if kind.lower() in KIND_NAMES else f"a piece of kind {kind}"


def kinds_in_words(kinds: str) -> str:
    """Return the plural names of the kinds of pieces in a string of letters: “rooks and knights” for “RN”.

    Examples
    --------
    >>> kinds_in_words("N"), kinds_in_words("KA")
    ('knights', 'kings and pieces of kind A')
    """
    return join_words(
        [f"{KIND_NAMES[kind]}s" if kind in KIND_NAMES else f"pieces of kind {kind.upper()}" for kind in kinds.lower()]
    )


def _movement_phrase(moves: str) -> str:
    """Return a movement in Betza notation as an English phrase that begins with a small letter."""
    text = sentence(moves)
    return text[0].lower() + text[1:]


@frozen
class BoardFilling:
    """Something on boards that can be filled in.

    Parameters
    ----------
    pattern : str
        A regular expression for it.
    takes : str
        What it is, in words.
    ways : mapping, optional
        Ways of writing it.
    """

    pattern: str
    takes: str
    ways: WritingWays

    def check_value(self, what: str, given: object) -> str:
        """Return a given text, stripped, if it fits this kind of field; else raise an error that calls it `what`.

        Raises
        ------
        ValueError
            It does not fit; `what` is what it is called.
        """
        if not isinstance(given, str) or not re.fullmatch(self.pattern, given.strip()):
            raise WrongValue(
                "place-filled-wrongly",
                "{what} must be {takes}, not {found!r}",
                what=what,
                takes=self.takes,
                found=str(given)[:80],
            )
        if self is BOARD_PLACES["movement"]:
            try:
                parse_betza(given)
            except NotationError as error:
                raise WrongValue(
                    error.said.embed_in("{given!r} isn’t a movement in Betza notation: {message}", given=given)
                ) from None
        return given.strip()


_KIND: WritingWays = {
    "one": lambda kind, _: kind_with_article(kind),
    "bare": lambda kind, _: kind_with_article(kind).removeprefix("a "),
    "many": lambda kinds, _: kinds_in_words(kinds),
    "Many": lambda kinds, _: upper_first(kinds_in_words(kinds)),
    "or": lambda kinds, _: join_words([kind_with_article(kind) for kind in kinds], "or"),
    "law": lambda kinds, _: value_as_expression(tuple(kinds)),
}
_ON = r"[A-Za-z0-9]{1,20}\.[a-p]([1-9]|1[0-6])"
_SQUARES = re.compile(r"[^\s,]+")
#: What can be filled in, by the name that files have for it.
BOARD_PLACES: Mapping[str, BoardFilling] = {
    "kind": BoardFilling("[A-Z]", "one capital letter, such as N for knights", _KIND),
    "new kind": BoardFilling("[AC-JLMOS-Z]", "a capital letter other than K, Q, R, B, N and P", _KIND),
    "kinds": BoardFilling(r"(?!.*(.).*\1)[A-Z]{1,10}", "1 to 10 different capital letters, such as QN", _KIND),
    "square": BoardFilling(
        "[a-p]([1-9]|1[0-6])", "a square of a half-board, such as e4",
        {"file": lambda square, _: ord(square[0]) - ord("a") + 1, "rank": lambda square, _: square[1:]},
    ),
    "board square": BoardFilling(
        _ON, "a square with its half-board, such as white.e4", {"board": lambda name, _: name.partition(".")[0]}
    ),
    "board squares": BoardFilling(
        rf"(?!.*\b([^\s,]+)[\s,]+(.*[\s,])?\1\b){_ON}([\s,]+{_ON}){{0,15}}",
        "1 to 16 different squares with their half-boards, such as white.e4, separated by spaces or commas",
        {
            "and": lambda names, _: join_words(_SQUARES.findall(names)),
            "law": lambda names, _: value_as_expression(tuple(_SQUARES.findall(names))),
        },
    ),
    "movement": BoardFilling(
        '[^"\\\\#]{1,60}', "1 to 60 letters of Betza notation", {"said": lambda moves, _: _movement_phrase(moves)}
    ),
    "army": BoardFilling("[A-Za-z0-9]{0,20}", "a name made of letters and digits, such as white, or empty", {}),
}  # fmt: skip
