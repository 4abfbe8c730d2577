"""A panel for a position alone: you press and play, take moves back, and somebody may answer."""

from __future__ import annotations

import json
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import anywidget
from IPython import get_ipython
from IPython.display import display

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.generator import Move
from nomic_nb.chess.multiverse.positions import Position
from nomic_nb.chess.multiverse.rules import KIND_NAMES
from nomic_nb.engine.errors import WrongArgument, WrongValue
from nomic_nb.engine.messages import say
from nomic_nb.engine.words import group_pairs, join_words, upper_first
from nomic_nb.notebook.markup.tree import build_element, folded_section
from nomic_nb.notebook.panels.forms import Json
from nomic_nb.notebook.panels.session import compact_json
from nomic_nb.notebook.panels.view_boards import static_drawings
from nomic_nb.notebook.panels.widget import STYLES, bundled_modules, front_end_source
from nomic_nb.notebook.show import enclose
from nomic_nb.study.players.loop import failure_text

#: The name of the board, before the names of its squares.
BOARD = "Board"
#: Who plays, if there is an opponent.
YOU = "you"
#: Characters of the longest message that is read.
LONGEST_MESSAGE = 10_000
#: Characters that are shown of what an opponent raises.
LONGEST_TROUBLE = 200
STALE = say("position-changed", "the position has changed meanwhile; look at the board and move again")
OUTDATED_FORM = say("message-unreadable", "the panel sent a message that can’t be read; run the cell again")


class Opponent(Protocol):
    """Whatever finds a move in a position: `nb.multiverse.player(…)`, an engine, an object of your own."""

    def move(self, position: Position) -> str:
        """Return a legal move; the position stays as it is."""


class PositionPanel(anywidget.AnyWidget):
    """A board on which you play a position with the mouse, a finger or the keys; `Position.panel` makes one.

    The panel plays on the position itself: `position.fen()` in a cell has what was pressed, and moves made in cells
    appear in the panel once the cell has run.

    Parameters
    ----------
    position : Position
    opponent : object with a method ``move(position)``, optional
        Who answers; by default, you move for both sides.
    side : str
        Your side if there is an opponent: ``white`` or ``black``.

    Attributes
    ----------
    position : Position
    trouble : str
        Why the opponent did not move; empty if nothing went wrong. You can move for it then.

    Raises
    ------
    TypeError
        The opponent has no method ``move``.
    ValueError
        The side is neither ``white`` nor ``black``.
    """

    _esm = bundled_modules("position")
    _css = "\n".join(map(front_end_source, (*STYLES, "position.css")))

    def __init__(self, position: Position, opponent: Opponent | None = None, side: str = "white") -> None:
        if side not in ("white", "black"):
            raise WrongValue("no-such-side", "side must be 'white' or 'black', not {found!r}", found=side)
        if opponent is not None and not callable(getattr(opponent, "move", None)):
            raise WrongArgument(
                "opponent-without-moves",
                "an opponent needs a method move(position), like that of nb.multiverse.player(position), "
                "which {found} lacks",
                found=type(opponent).__name__,
            )
        super().__init__()
        self.position, self.opponent, self.side, self.trouble = position, opponent, side, ""
        self._thinks, self._step, self._shown = False, 0, ""
        #: Moves so far with their text, and the legal moves by the text that the front end sends.
        self._line: list[tuple[Move, str]] = []
        self._texts: dict[str, Move] = {}
        self._copy: Any = None
        self.on_msg(self._on_message)
        _refresh_after_cells(self)

    # ------------------------------------------------------------------------------------------ what is done in it

    def _on_message(self, _: Any, content: Any, __: Any) -> None:
        """Handle a message from the front end: draw it, answer what it asks, or do what somebody pressed."""
        text = content.get("text") if isinstance(content, dict) else None
        if not isinstance(text, str):
            return None  # it selects a square, which nobody has to know
        message: Any = None
        with suppress(ValueError, RecursionError):
            message = json.loads(text) if len(text) <= LONGEST_MESSAGE else None
        if not isinstance(message, dict):
            return self._tell({"lost": str(OUTDATED_FORM)})
        name = message.get("id")
        if "open" in message:
            self.refresh(anew=True)
            return self._let_opponent_move()
        if "ask" in message:
            return self._tell({"answer": name, "boards": pieces_in_words(self.position)})
        self._note_changes()
        deed = {"move": self._move, "back": self._take_back, "anew": self._start_again, "reply": self._reply}.get(
            str(message.get("action"))
        )
        try:
            if deed is None:
                raise WrongValue(OUTDATED_FORM)
            if message.get("key") != str(self._step):
                raise WrongValue(STALE)
            details = message.get("details")
            deed(details if isinstance(details, dict) else {})
        except (MultiverseError, WrongValue) as refusal:
            self._tell({"refused": name, "why": f"{upper_first(str(refusal))}."})
            return self.refresh(anew=True)
        self._tell({"done": name, "said": ""})
        self.refresh()
        self._let_opponent_move()
        return None

    def _move(self, details: Json) -> None:
        """Make the move that was pressed or typed."""
        text = str(details.get("text", ""))
        if self.position.outcome(draws=True) is not None:
            raise WrongValue("position-over", "the game is over; take a move back, or start again")
        self.position.push(self._texts.get(text, text))

    def _take_back(self, _: Json) -> None:
        """Take back the last move, and that of the opponent, so that you are to move."""
        self.position.pop()
        self.trouble = ""
        while self._is_opponent_to_move() and self.position.last is not None:
            self.position.pop()

    def _start_again(self, _: Json) -> None:
        """Take back all moves."""
        self.trouble = ""
        while self.position.last is not None:
            self.position.pop()

    def _reply(self, _: Json) -> None:
        """Let the opponent move for the side to move."""
        self._ask_opponent()

    def _is_opponent_to_move(self) -> bool:
        """Tell whether it is the opponent's move."""
        return self.opponent is not None and self.position.turn != self.side

    def _let_opponent_move(self) -> None:
        """Have the opponent move if it is its turn."""
        if self._is_opponent_to_move() and not self.trouble and self.position.outcome(draws=True) is None:
            self._ask_opponent()
            self.refresh()

    def _ask_opponent(self) -> None:
        """Make the opponent’s move, while the front end shows that it thinks; note what went wrong."""
        if self.opponent is None or self.position.outcome(draws=True) is not None:
            return
        self._thinks, self.trouble = True, ""
        self.refresh(anew=True)
        try:
            self.position.push(self.opponent.move(self.position.copy()))
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - whatever a program does, the panel goes on
            self.trouble = failure_text(error)[:LONGEST_TROUBLE]
        finally:
            self._thinks = False

    # ------------------------------------------------------------------------------------------------- what it shows

    def _note_changes(self) -> None:
        """Count a step if the position is another than the one shown."""
        shown = f"{len(_moves_so_far(self.position))} {self.position.fen()}"
        if shown != self._shown:
            self._shown = shown
            self._step += 1

    def refresh(self, *, anew: bool = False) -> None:
        """Show the position as it is now, if that differs from what is shown, or if `anew`."""
        before = self._step
        self._note_changes()
        if anew or before != self._step or self.trouble:
            self._tell({"view": {"step": self._step, **self._view()}})
            if self._copy is not None:
                self._copy.update(self._static_data(), raw=True)

    def _tell(self, message: Json) -> None:
        """Send a message to the front end."""
        self.send({"text": compact_json(message)})

    def _view(self) -> Json:
        """Return what the front end shows, as JSON data: the board, the moves so far, and what can be done."""
        position, end = self.position, self.position.outcome(draws=True)
        open_now = end is None and not self._thinks and (not self._is_opponent_to_move() or bool(self.trouble))
        ways = {BOARD: self._way()} if open_now else {}
        player = YOU if self.opponent is not None and position.turn == self.side else position.turn
        decision = {"action": "move", "key": str(self._step), "player": player, "must": True, "prompt": "move"}
        return {
            "table": {
                "chess": self._chess(), "choices": {}, "news": {}, "key": str(self._step), "line": self._pairs(),
                "game": {"turn": self._step}, "said": self._sentence(end), "fen": position.fen(),
                "link": position.link(), "back": position.last is not None and not self._thinks,
                "reply": "" if self.opponent is None else "open" if open_now else "shut",
            },
            "mine": {
                "seat": None if self.opponent is None else YOU, "role": "table", "ways": {"move": ways},
                "decisions": {"move": decision} if open_now else {},
            },
        }  # fmt: skip

    def _sentence(self, end: Any) -> str:
        """Return how the game ended, or why the opponent did not move; empty if it is to be played on as usual."""
        if end is not None:
            return f"{upper_first(end.winner)} wins: {end.reason}." if end.winner else f"A draw: {end.reason}."
        if self._thinks:
            return f"{upper_first(self.position.turn)} is thinking …"
        return f"The opponent did not move ({self.trouble}). Move for {self.position.turn}." if self.trouble else ""

    def _chess(self) -> Json:
        """Return the board, its pieces and the last move as JSON data, as panels of games have them."""
        position, geometry = self.position, self.position.geometry
        names = ("white", "black")
        whose = {name: None if self.opponent is None else YOU if name == self.side else "machine" for name in names}
        board = {"files": geometry.files, "ranks": geometry.ranks, "half": False, "holes": sorted(geometry.holes)}
        return {
            "boards": {BOARD: {**board, "told": [BOARD], "here": ""}},
            "pieces": {
                f"{BOARD}.{geometry.name(square)}": f"{'black' if letter.islower() else 'white'} {letter.lower()}"
                for square, letter in position.board().items()
            },
            "armies": {
                name: {"colour": name, "mark": 0, "home": BOARD, "far": name == "black", "whose": whose[name]}
                for name in names
            },
            "pairs": {}, "drawings": static_drawings(), "lost": hands_in_words(position), "last": self._last(),
        }  # fmt: skip

    def _places(self) -> Json:
        """Return the board as it lies, as JSON data, and the squares of royal pieces in check."""
        position, geometry = self.position, self.position.geometry
        royals = position.terms.royal.upper() if position.turn == "white" else position.terms.royal.lower()
        checked = [at for at, letter in position.board().items() if letter in royals] if position.in_check else []
        return {
            "boards": [BOARD], "files": geometry.files, "ranks": geometry.ranks,
            "places": [list(range(geometry.size))], "army": position.turn,
            "checks": [f"{BOARD}.{geometry.name(at)}" for at in checked],
        }  # fmt: skip

    def _way(self) -> Json:
        """Return the legal moves as JSON data, by the squares or the hand that they start from; note their texts."""
        starts: dict[str, dict[str, list[str]]] = {}
        name, self._texts, promotions = self.position.geometry.name, {}, self.position.terms.promotion
        # What a pawn usually becomes comes first.
        for move in sorted(self.position.moves(), key=lambda move: promotions.find(move.promotion)):
            dropped = "@" in move
            start = f"hand {move.kind}" if dropped else f"{BOARD}.{name(move.origin)}"
            text = f"{move.removesuffix(move.promotion)}={move.promotion}" if move.promotion else str(move)
            self._texts[text] = move
            starts.setdefault(start, {}).setdefault(f"{BOARD}.{name(move.target)}", []).append(text)
        return {**self._places(), "moves": starts, "only": ""}

    def _last(self) -> Json | None:
        """Return the last move as JSON data; None before the first."""
        move, name = self.position.last, self.position.geometry.name
        if move is None:
            return None
        army = "white" if self.position.turn == "black" else "black"
        return {
            **self._places(), "from": "" if "@" in move else f"{BOARD}.{name(move.origin)}",
            "to": f"{BOARD}.{name(move.target)}", "text": str(move), "army": army,
        }  # fmt: skip

    def _pairs(self) -> list[list[str]]:
        """Return the moves so far in algebraic notation, each with the number of its pair of moves."""
        moves = _moves_so_far(self.position)
        alike = 0
        while alike < min(len(moves), len(self._line)) and moves[alike] is self._line[alike][0]:
            alike += 1
        del self._line[alike:]
        before = self.position.copy()
        for _ in moves[alike:]:
            before.pop()
        for move in moves[alike:]:
            self._line.append((move, before.san(move)))
            before.push(move)
        first = self.position.copy()
        while first.last is not None:
            first.pop()
        shift, number = int(first.turn == "black"), int(first.fen().split()[-1])
        texts = ["…"] * shift + [text for _, text in self._line]
        return [[f"{number + at // 2}.", *texts[at : at + 2]] for at in range(0, len(texts), 2) if self._line]

    # ------------------------------------------------------------------------------------------------- displaying

    def _ipython_display_(self) -> None:
        """Display the panel, and below it a picture that a saved notebook keeps."""
        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        self._copy = display(self._static_data(), raw=True, display_id=True)  # type: ignore[no-untyped-call]

    def _repr_mimebundle_(self, **given: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the widget by MIME type, and the metadata."""
        data, metadata = super()._repr_mimebundle_(**given) or ({}, {})
        return {**data, "text/plain": str(self)}, metadata

    def _static_data(self) -> dict[str, str]:
        """Return the position as a picture and as text, by MIME type."""
        picture = self.position.picture(flipped=self.opponent is not None and self.side == "black")
        line = " ".join(text for pair in self._pairs() for text in pair)
        shown = folded_section(
            "Read without a kernel", picture.element(), build_element("p", line or "No move yet."), cls="copy",
            is_open=True,
        )  # fmt: skip
        return {"text/html": enclose(shown), "text/plain": str(self)}

    def __str__(self) -> str:
        return f"Panel of a position\n{self.position}"

    __repr__ = __str__


def _moves_so_far(position: Position) -> list[Move]:
    """Return the moves that led to a position, the first one first."""
    copy, moves = position.copy(), list[Move]()
    while copy.last is not None:
        moves.append(copy.pop())
    return moves[::-1]


def pieces_in_words(position: Position) -> str:
    """Return the pieces on a board in words, and whose move it is.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse import position
    >>> pieces_in_words(position("k7/8/8/8/8/8/8/KR6 b - - 0 1"))
    'Black king a8; white king a1; white rook b1. Black to move.'
    """
    squares_by_piece = group_pairs(
        (_kind_in_words(letter), position.geometry.name(square)) for square, letter in sorted(position.board().items())
    )
    placed = "; ".join(f"{what} {join_words(at)}" for what, at in sorted(squares_by_piece.items()))
    return f"{upper_first(placed) or 'No pieces'}. {upper_first(position.turn)} to move."


def hands_in_words(position: Position) -> str:
    """Return the pieces in hand in words; empty if none exist.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse import position
    >>> hands_in_words(position("4k3/8/8/8/8/8/8/4K3[PPn] w - - 0 1", capture_result="captor's hand"))
    'In hand: black knight; white pawn (2).'
    """
    _, bracket, rest = position.fen().split()[0].partition("[")
    letters = rest.rstrip("]").replace("-", "") if bracket else ""
    held = sorted({(_kind_in_words(letter), letters.count(letter)) for letter in letters})
    words = [what if count == 1 else f"{what} ({count})" for what, count in held]
    return f"In hand: {'; '.join(words)}." if words else ""


def _kind_in_words(letter: str) -> str:
    """Return a piece of a FEN in words, such as “black knight”."""
    return f"{'black' if letter.islower() else 'white'} {KIND_NAMES.get(letter.lower(), letter.upper())}"


def _refresh_after_cells(panel: PositionPanel) -> None:
    """Have a panel show what cells do to its position, for as long as it is there."""
    shell = get_ipython()
    if shell is None:
        return
    seen = weakref.ref(panel)

    def look(*_: object) -> None:
        one = seen()
        if one is None or one.comm is None:
            shell.events.unregister("post_run_cell", look)
        else:
            one.refresh()

    register: Callable[..., None] = shell.events.register
    register("post_run_cell", look)
