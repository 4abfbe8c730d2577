"""A position with all its rules as a short text, which strangers may send: read with bounds, and never evaluated."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from inspect import signature

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.positions import LINK_PREFIX, Position, position
from nomic_nb.engine.arguments import explain_argument_errors

#: Letters of a link, and of what is in it.
LONGEST_LINK, LONGEST_DEFINITION = 8_000, 20_000


def position_of_definition(fen: object, options: object) -> Position:
    """Return the position of a FEN with options, which may come from a stranger.

    Raises
    ------
    MultiverseError
        An option is unknown or has a value that cannot be used.

    Examples
    --------
    >>> position_of_definition("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", {"pieces": {"n": "NW"}}).count()
    9
    """
    unusable = MultiverseError("definition-unusable", "this isn’t a definition of a position")
    if not (isinstance(options, Mapping) and isinstance(fen, str)):
        raise unusable
    if unknown := set(options) - set(signature(position).parameters) | {"fen"} & set(options):
        raise MultiverseError(
            "definition-of-unknown-option", "a position has no option {name!r}", name=str(min(unknown))[:40]
        )
    try:
        return position(fen, **options)
    except MultiverseError:
        raise
    except (ValueError, TypeError, AttributeError, LookupError):
        raise unusable from None


@explain_argument_errors
def open_link(text: str) -> Position:
    """Return the position that a text from ``position.link()`` describes.

    Raises
    ------
    MultiverseError
        The text is no such link, or is not whole.

    Examples
    --------
    >>> game = position(pieces={"n": "NW"}).push("Nf3")
    >>> open_link(game.link()).fen() == game.fen()
    True
    """
    try:
        if not text.startswith(LINK_PREFIX) or len(text) > LONGEST_LINK:
            raise ValueError
        code = text.removeprefix(LINK_PREFIX).strip()
        packed = base64.b64decode(code + "=" * (-len(code) % 4), "-_", validate=True)
        fen, options = json.loads(zlib.decompressobj().decompress(packed, LONGEST_DEFINITION))
    except (ValueError, TypeError, AttributeError, zlib.error, RecursionError):
        raise MultiverseError(
            "link-unreadable", "this isn’t a whole link to a position. Links begin with {prefix}", prefix=LINK_PREFIX
        ) from None
    return position_of_definition(fen, options)
