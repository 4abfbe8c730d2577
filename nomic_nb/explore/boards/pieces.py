"""Pieces, armies and boards that are others at once when a rule-change is adopted: what its own effects do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from nomic_nb.explore.boards.moves import kind_name
from nomic_nb.law.rules import Number
from nomic_nb.markup.words import cited, grouped, listed, plural
from nomic_nb.multiverse.geometry import Geometry
from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pieces import Piece
from nomic_nb.play.events import Event

#: What becomes of a piece, and of several.
Verb = tuple[str, str]
#: Pieces of one group that are named by their squares.
MOST_PIECES = 8
#: Events that are told here, by what they leave.
TOLD = frozenset({
    "promoted", "demoted", "placed", "removed", "carried", "converted", "grown", "reshaped", "army_entered",
    "army_taken", "army_lost",
})  # fmt: skip


@dataclass(frozen=True)
class Changed:
    """Pieces of one army and kind that become others in the same way, or boards or armies that do.

    Parameters
    ----------
    words : str
        What happens, as a sentence.
    rule : int or str or None
        The rule that does it.
    pieces : tuple of int
        The pieces.
    """

    words: str
    rule: Number | None = None
    pieces: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.words}{cited(self.rule)}"


def changed(then: Multiverse, now: Multiverse, events: Iterable[Event]) -> Iterator[Changed]:
    """Yield what is different on the boards when everything is done that an adoption sets off."""
    if then is now:
        return
    causes = dict(_causes(events))
    for name, army in now.armies.items():
        old = then.armies.get(name)
        if old is None:
            yield Changed(f"army {name} enters, controlled by {army.controller}", causes.get(name))
        elif old.controller != army.controller:
            yield Changed(f"army {name} passes from {old.controller} to {army.controller}", causes.get(name))
    if then.join != now.join:
        words = f"half-boards are joined by {now.join}, no longer by {then.join}"
        yield Changed(words, causes.get("reshaped"))
    groups = grouped(
        ((words, causes.get(name, causes.get("reshaped"))), name)
        for name, board in now.boards.items()
        if name in then.boards
        for words in _form(then.boards[name].geometry, board.geometry)
    )
    for (words, rule), names in groups.items():
        yield Changed(f"{'board' if len(names) == 1 else 'boards'} {listed(names)}: {words}", rule)
    yield from _pieces(then, now, causes)


def _causes(events: Iterable[Event]) -> Iterator[tuple[object, Number]]:
    """Yield what an event touched, and the rule behind it; the latest one counts."""
    for event in events:
        if event.kind in TOLD and event.cause is not None:
            data = event.data
            carried = [id for id, _ in data.get("to", ())] if event.kind == "carried" else []
            for one in (data.get("piece"), data.get("army"), data.get("board"), event.kind, *carried):
                yield one, event.cause.rule


def _form(old: Geometry, new: Geometry) -> Iterator[str]:
    if (old.files, old.ranks) != (new.files, new.ranks):
        yield f"{old.files} files of {old.ranks} squares → {new.files} files of {new.ranks}"
    if old.wraps != new.wraps:
        yield "the sides are joined" if new.wraps else "the sides are no longer joined"
    plain = Geometry(new.files, new.ranks)
    for word, squares in (("no longer there", new.holes - old.holes), ("there again", old.holes - new.holes)):
        if squares:
            be = "is" if len(squares) == 1 else "are"
            yield f"{listed([plain.name(one) for one in sorted(squares)])} {be} {word}"


def _pieces(then: Multiverse, now: Multiverse, causes: Mapping[object, Number]) -> Iterator[Changed]:
    groups = grouped(
        ((piece.army, piece.kind, what, causes.get(id)), (id, where))
        for id in sorted({*then.pieces, *now.pieces})
        for what, piece, where in _steps(then, now, then.pieces.get(id), now.pieces.get(id))
    )
    for (army, kind, (one, many), rule), found in groups.items():
        squares = [where for _, where in found[:MOST_PIECES]]
        if len(found) > MOST_PIECES:
            squares.append(f"{len(found) - MOST_PIECES} more")
        said = f"{plural(len(found), kind_name(kind))} of {army} {one if len(found) == 1 else many}"
        yield Changed(f"{said}: {listed(squares)}", rule, tuple(id for id, _ in found))


def _steps(
    then: Multiverse, now: Multiverse, old: Piece | None, new: Piece | None
) -> Iterator[tuple[Verb, Piece, str]]:
    """Yield what became of a piece: in words for one and for several, the piece that it is told of, and where."""
    if new is None:
        if old is not None:
            yield ("leaves the boards", "leave the boards"), old, then.name(old.board, old.square)
        return
    here = now.name(new.board, new.square)
    if old is None:
        # The pieces of an army that enters are told with it.
        if new.army in then.armies:
            yield ("is placed", "are placed"), new, here
        return
    there = then.name(old.board, old.square)
    if old.kind != new.kind:
        yield (f"becomes {kind_name(new.kind)}", f"become {kind_name(new.kind)}s"), old, there
    if old.army != new.army:
        yield (f"goes over to {new.army}", f"go over to {new.army}"), old, there
    # Squares keep their numbers only as long as their boards keep their form.
    if there != here:
        yield ("is carried", "are carried"), old, f"{there} → {here}"
