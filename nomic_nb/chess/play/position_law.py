"""What a position of two armies has beyond orthodox chess, as clauses for a game in which that is law."""

from __future__ import annotations

import json
from collections.abc import Sequence

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.geometry import UNIVERSE
from nomic_nb.chess.multiverse.positions import Position
from nomic_nb.chess.multiverse.rules import ORTHODOX
from nomic_nb.engine.arguments import explain_argument_errors

#: Settings by option; those of the second table list kinds of piece.
_SETTINGS = {
    "castling": "castling.on", "promotion_ranks": "promotion.ranks", "promotion_mandatory": "promotion.mandatory",
    "initial_ranks": "pawn.double_step_ranks", "en_passant": "passant.on", "capture_result": "capture.result",
}  # fmt: skip
_KINDS = {
    "castling_rook": "castling.partners", "promotion": "promotion.kinds", "pawns": "pawn.kinds", "royal": "royal.kinds"
}  # fmt: skip


@explain_argument_errors
def to_law(position: Position, armies: Sequence[str] = ("white", "yellow")) -> str:
    """Return the pieces and options of a position as clauses, to be proposed in a game of Nomic Chess.

    They say what differs from orthodox chess, not where pieces are.

    Parameters
    ----------
    position : Position
    armies : sequence of str
        The two armies that move like White and Black, if these differ.

    Raises
    ------
    MultiverseError
        Rules have no setting for some option, which the message names.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.positions import position
    >>> print(to_law(position(pieces={"n": "NW"}, castling=False, promotion="qn")))
    piece N moves "NW"
    set castling.on to false
    set promotion.kinds to ["Q", "N"]
    """
    if isinstance(armies, str) or len(armies) != 2:
        raise MultiverseError("armies-not-two", "armies must be two names, of those that move like White and Black")
    clauses, options = list[str](), position.options()
    for kind, texts in ((kind, [army[kind] for army in position.armies]) for kind in position.pieces):
        alike = texts[0] == texts[1]
        for army, text in zip(("",) if alike else armies, texts[: 2 - alike], strict=True):
            if ORTHODOX.get(kind) != text:
                whose = f" of army_named({json.dumps(army)})" if army else ""
                clauses.append(f'piece {kind.upper()}{whose} moves "{text}"')
    board = position.geometry
    lost = (
        []
        if (board.files, board.ranks, board.holes) == (UNIVERSE.files, UNIVERSE.ranks, frozenset())
        else ["the board"]
    )
    for name, value in options.items():
        if name in _KINDS and isinstance(value, str):
            clauses.append(f"set {_KINDS[name]} to {json.dumps([*value.upper()])}")
        elif name in _SETTINGS and value is not None and not isinstance(value, dict):
            clauses.append(f"set {_SETTINGS[name]} to {json.dumps(value)}")
        elif (name, value) == ("wraps", "files"):
            clauses.append('set board.wraps to "files"')
        elif name == "move_forced":
            clauses.append("set move.forced to count(captures) > 0")
        elif name not in ("pieces", "kings"):  # under law, any number of royal pieces is possible
            lost.append(name)
    if lost:
        raise MultiverseError(
            "position-not-in-law",
            "rules have no setting for what this position has for {options}",
            options=", ".join(lost),
        )
    return "\n".join(clauses)
