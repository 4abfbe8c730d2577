"""The moves of an army in one position after another, own check apart; the law is read once where it can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import cast

from nomic_nb.law.clauses import Instead
from nomic_nb.law.nodes import Expression
from nomic_nb.law.resolver import Law
from nomic_nb.law.view import View
from nomic_nb.multiverse.pieces import BoardMove
from nomic_nb.multiverse.pushes import Push
from nomic_nb.multiverse.terms import Law as Chess
from nomic_nb.play.chess.legal import counts, is_forbidden, reach_of
from nomic_nb.play.chess.terms import OF_ONE, TERMS, chess_of, movement_of, names
from nomic_nb.play.state import State

#: Steps that it is worth to find all moves on boards that are pushed together.
MOVES = 60
#: What is read from the boards, and is the same wherever the pieces stand.
SETTLED = frozenset((
    "armies", "batting_order", "boards", "armies_of", "armies_in", "army_named", "board_named", "square_named",
    "in_batting_order", "name", "controller", "home", "colour", "files", "ranks",
))  # fmt: skip

#: What stays as it is with a piece that goes from square to square; what pawns become is looked at apart.
OWN = frozenset(("kind", "army", "royal"))


def _looks_at_pieces(law: Law, expressions: Iterable[Expression]) -> bool:
    """Tell whether it depends on where pieces stand what clauses come to."""
    vocabulary = law.vocabulary
    for node in (node for one in expressions for node in one.walk()):
        if node.text in SETTLED:
            continue
        if node.kind == "afterwards":
            return True
        if node.kind == "name" and "position" in getattr(vocabulary.facts.get(node.text), "reads", ()):
            return True
        if node.kind == "call" and "position" in vocabulary.functions[node.text].reads:
            return True
        if node.kind == "field" and node.text not in OWN:
            declared = (one for (_, name), one in vocabulary.fields.items() if name == node.text)
            if any("position" in one.reads for one in declared):
                return True
    return False


def _behind(law: Law, *keys: str) -> Iterator[Expression]:
    return (one for _, sources in law.dependence.behind(*keys) for source in sources for one in source.expressions)


def _settled_captures(law: Law) -> bool:
    """Tell whether rules that forbid captures, or replace them, look at nothing but what captures and is captured."""
    conditions = (cast(Instead, source.clause).condition for source in law.replacements.get("captured", ()))
    replaced = [one for one in conditions if one is not None]
    asked = _behind(law, "may.move", *(key for one in replaced for key in law.dependence.keys_of(one)))
    return not _looks_at_pieces(law, (*replaced, *asked))


class Mover:
    """An army on boards pushed together, own check apart.

    Parameters
    ----------
    view : View
        The evaluation that asks; its budget is used.
    state : State
        With a turn of the army at hand.
    army : str
        Who moves.
    boards : tuple of str
        Those that are played on.
    """

    def __init__(self, view: View, state: State, army: str, boards: tuple[str, ...]) -> None:
        law = state.law
        self.view, self.law, self.army, self.boards = view, law, army, boards
        self.open = str(law.settled(reach_of(state, army, boards))) != "none" and counts(state, army) > 0
        self.asks = bool(law.speaking_of("may.move"))
        # In which universe a piece stands, the boards at hand say; a rule for one of them does not tell pieces apart.
        by_kind = OF_ONE.isdisjoint(law.dependence.names_of("piece.moves")) and not law.ruled("piece.moves")
        self.settled = by_kind and not _looks_at_pieces(law, _behind(law, *TERMS))
        self.settled_captures = _settled_captures(law)
        self._terms: tuple[Chess, tuple[str, ...], tuple[str, ...]] | None = None

    def push(self, state: State) -> Push:
        """Return the boards pushed together in a position, for an army that need not mind its own check."""
        position = state.multiverse
        if self._terms is None or not self.settled:
            chess = chess_of(self.law, state, self.army, self.boards)
            chess = replace(chess, terms=replace(chess.terms, check=False))
            captures = names(self.law, state, "capture.from", self.army, self.boards)
            checks = names(self.law, state, "check.from", self.army, self.boards)
            self._terms = chess, captures, checks
        chess, captures, checks = self._terms
        for board in self.boards:
            for piece in position.standing[board].values():
                known = chess.of_army.get(piece.army, {})
                if piece.kind not in known:  # it has become another kind, or has just come here
                    found = {**known, piece.kind: movement_of(self.law, state, piece, self.boards)}
                    chess = replace(chess, of_army={**chess.of_army, piece.army: found})
        self._terms = chess, captures, checks
        return Push(position, chess, self.army, self.boards, captures=captures, checks=checks)

    def moves_like(self, other: Mover) -> bool:
        """Tell whether another one, of the same army on the same boards, has the same moves in each position."""
        return self.settled and self.open == other.open and self._terms == other._terms

    def any_moves(self, state: State) -> list[BoardMove]:
        """Return the moves in a position; some a rule may yet forbid."""
        self.view.spend(1, MOVES)
        return self.push(state).moves() if self.open else []

    def permits(self, state: State, move: BoardMove) -> bool:
        """Tell whether no rule forbids a move."""
        return not self.asks or not is_forbidden(state, state.multiverse, move)

    def moves(self, state: State) -> Iterator[BoardMove]:
        """Yield the moves in a position that no rule forbids."""
        return (move for move in self.any_moves(state) if self.permits(state, move))
