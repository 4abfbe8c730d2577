"""A move on boards as a form: which boards, which piece, where to, with a drawing of what is chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import ipywidgets as w

from nomic_nb.errors import IllegalAction
from nomic_nb.multiverse.drawing import draw_push
from nomic_nb.multiverse.terms import NAMES
from nomic_nb.panels import fields
from nomic_nb.panels.form import Form
from nomic_nb.play.chess.legal import Option
from nomic_nb.play.chess.legal import options as legal_options
from nomic_nb.play.decisions import Decision


class Move(Form):
    """A move: the boards that are pushed together, a piece, and where it goes."""

    def build(self) -> list[w.Widget]:
        """Return three lists, each of which follows the one before, a button, and a drawing of the boards."""
        self.legal: dict[str, Option] = {}
        self.drawn: tuple[object, ...] = ()
        self.boards = fields.choice("Boards", [], "which boards are pushed together")
        self.piece = fields.choice("Piece", [], "which piece moves")
        self.target = fields.choice("To", [], "where it goes")
        for one in (self.boards, self.piece):
            one.observe(self.desk.looks(self.offer), names="value")
        self.drawing = fields.html()
        button = self.answer("Make the move", "moves", self.submit, "primary")
        return [self.boards, self.piece, self.target, button, self.drawing]

    def look(self, decision: Decision) -> None:
        """Look at the boards again."""
        super().look(decision)
        self.legal = {str(one): one for one in legal_options(self.desk.game.state) if str(one) in decision.options}
        self.offer()

    def offer(self) -> None:
        """Offer the pieces that can move on the boards that are chosen, and where the chosen one can go."""
        counts = Counter(one.boards for one in self.legal.values())
        fields.offer(self.boards, [(f"{pair}, {_moves(count)}", pair) for pair, count in counts.items()])
        here = [one for one in self.legal.values() if one.boards == self.boards.value]
        pieces = Counter(_who(one) for one in here)
        offered = [(f"{_piece(self._at(here, id))}, {_moves(count)}", id) for id, count in pieces.items()]
        fields.offer(self.piece, offered)
        its = [one for one in here if _who(one) == self.piece.value]
        labels = Counter(_target(one) for one in its)
        told = {str(one): _target(one) + (f" ({one.said})" if labels[_target(one)] > 1 else "") for one in its}
        fields.offer(self.target, [(label, text) for text, label in told.items()])
        self._draw(its)

    @staticmethod
    def _at(found: Iterable[Option], piece: int) -> Option:
        return next(one for one in found if _who(one) == piece)

    def _draw(self, its: list[Option]) -> None:
        """Draw the boards that are chosen, with the squares that the piece can go to; nothing where that is so now."""
        wanted = (self.desk.game.state.position, self.boards.value, self.piece.value)
        if not its or wanted == self.drawn:
            return
        aims = [one.move.target for one in its if one.move is not None]
        fields.put(self.drawing, draw_push(its[0].push, aims=aims, width=340).to_html())
        self.drawn = wanted

    def submit(self) -> None:
        """Make the move."""
        if self.target.value is None:
            raise IllegalAction("no move is chosen", options=list(self.decision.options))
        self.desk.game.move(self.player, self.target.value)


def _who(option: Option) -> int:
    """Return the piece that moves; 0 where boards are only pushed."""
    return 0 if option.move is None else option.move.piece


def _moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"


def _named(letter: str) -> str:
    return NAMES.get(letter.lower(), letter.upper())


def _piece(option: Option) -> str:
    """Return a piece, and where it stands: ``knight white.b1``."""
    state, move = option.push.state, option.move
    if move is None:
        return "none"
    if move.dropped:
        return f"{_named(option.said.partition('@')[2][0])} in hand"
    return f"{_named(state.pieces[move.piece].kind)} {state.name(*move.origin)}"


def _target(option: Option) -> str:
    """Return where a move goes and what it does there: ``yellow.c3 (f6 as drawn), takes yellow knight``."""
    push, move = option.push, option.move
    if move is None:
        return option.said
    state = push.state
    board, square = move.target
    drawn = push.geometry.name(dict(zip(push.boards, push.places, strict=True))[board][square])
    name = state.name(board, square)
    said = [name if name.endswith(f".{drawn}") else f"{name} ({drawn} as drawn)"]
    taken = [state.pieces[one] for one in move.taken]
    said += [f"takes {one.army} {_named(one.kind)}" + (" en passant" if move.passing else "") for one in taken]
    said += [f"becomes {_named(move.promotion)}"] if move.promotion else []
    said += ["castles"] if move.partner is not None else []
    return ", ".join(said)
