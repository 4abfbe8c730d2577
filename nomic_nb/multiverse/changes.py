"""Drawing what a change does to moves: boards as they would stand, with moves gained and lost on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nomic_nb.multiverse.drawing import scene_of_push
from nomic_nb.multiverse.picture import Picture
from nomic_nb.multiverse.pieces import BoardMove
from nomic_nb.multiverse.pushes import Push
from nomic_nb.multiverse.scenes import Drawing


@dataclass(frozen=True)
class Pair:
    """Boards pushed together, and what a change does on them.

    Parameters
    ----------
    push : Push
        The boards as they would stand.
    gained, lost : tuple of BoardMove
        The moves that are painted.
    given, lifted : tuple of int
        Kings that come into check, and out of it, by number.
    framed : tuple of int
        Pieces that are others then.
    words : str
        All of it in words.
    """

    push: Push
    gained: tuple[BoardMove, ...] = ()
    lost: tuple[BoardMove, ...] = ()
    given: tuple[int, ...] = ()
    lifted: tuple[int, ...] = ()
    framed: tuple[int, ...] = ()
    words: str = ""


def draw_changes(pairs: Sequence[Pair], *, columns: int = 2, width: int = 720) -> Picture:
    """Draw pairs of boards side by side, with a legend.

    Moves gained are solid arrows, moves lost are dashed lines that end in a cross. A move whose squares are not
    there any more is not drawn.

    Parameters
    ----------
    pairs : sequence of Pair
        What is drawn.
    columns : int
        Most of them in a row.
    width : int
        Of a full row, in CSS pixels.

    Examples
    --------
    >>> from nomic_nb.multiverse.multiverse import half_boards
    >>> from nomic_nb.multiverse.pushes import Push
    >>> from nomic_nb.multiverse.told import Law
    >>> push = Push(half_boards(["white", "yellow"]), Law(), "white", ("white", "yellow"))
    >>> draw_changes([Pair(push, lost=tuple(push.moves()[:1]), words="white+yellow: 1 lost")]).alt
    'Boards as they would stand. white+yellow: 1 lost.'
    """
    return changes_on(pairs, columns=columns, width=width).picture


def changes_on(pairs: Sequence[Pair], *, columns: int = 2, width: int = 720) -> Drawing:
    """Return pairs of boards as they are to be drawn; see `draw_changes`."""
    scenes = []
    for pair in pairs:
        local = {there: at for at, there in pair.push.origin.items() if pair.push.geometry.full >> at & 1}
        standing = {piece.id: at for at, piece in pair.push.pieces.items()}
        painted: dict[str, list[tuple[int, ...]]] = {}
        for kind, moves in (("gained", pair.gained), ("lost", pair.lost)):
            there = [one for one in moves if one.origin in local and one.target in local]
            painted[kind] = list(dict.fromkeys((local[one.origin], local[one.target]) for one in there))
        for kind, kings in (("given", pair.given), ("lifted", pair.lifted), ("framed", pair.framed)):
            painted[kind] = [(standing[one],) for one in kings if one in standing]
        scenes.append(scene_of_push(pair.push, strokes=painted))
    alt = "Boards as they would stand. " + "".join(f"{one.words}. " for one in pairs).strip()
    return Drawing(tuple(scenes), alt, columns, width * min(columns, len(scenes)) // columns)
