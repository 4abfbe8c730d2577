"""Boards that would grow too large: refused before anybody votes on it."""

from __future__ import annotations

from nomic_nb.chess.multiverse.geometry import MAX_SIZE
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.effects import NOT_A_RING
from nomic_nb.chess.play.records import ids_in
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.language import Line
from nomic_nb.engine.law.view import Undecided, View
from nomic_nb.engine.play.state import State


def check_growth(state: State, lines: tuple[Line, ...]) -> None:
    """Refuse effects that would let boards grow beyond what boards can be, already as they are now.

    Raises
    ------
    LawError
        With the line of the clause.
    """
    for line in lines:
        for effect in (one for each in line.clause.whole for one in each.every_effect()):
            if effect.form.name == "grow":
                _check(state, effect, line)


def _check(state: State, effect: Effect, line: Line) -> None:
    view = View(state, {}, state.law)
    around, said = effect.around, effect.ranks
    try:
        named, by = effect.boards.run(view), said.run(view) if said.constant else None
    except Undecided:  # it depends on what happens then
        return
    if not isinstance(by, int):
        return
    boards, grown = multiverse_of(state).boards, ids_in(named, "board")
    more = {name: by if name in grown else 0 for name in boards}
    sizes = {
        name: (one.geometry.files + 2 * around * more[name], one.geometry.ranks + (1 + around) * more[name])
        for name, one in boards.items()
    }
    halves = sorted((sizes[name][1] for name, one in boards.items() if one.half), reverse=True)
    large = next((name for name, size in sizes.items() if max(size) > MAX_SIZE), None)
    wrong = NOT_A_RING(by) if around else ""
    if not wrong and large is not None:
        wrong = f"{large} would have {sizes[large][0]} files and {sizes[large][1]} ranks"
    if not wrong and sum(halves[:2]) > MAX_SIZE and len(halves) > 1 and grown:
        wrong = f"two half-boards pushed together would have {sum(halves[:2])} ranks"
    if wrong:
        raise LawError(
            wrong, line=line.line, found=repr(effect.words[:60]), expected=f"boards of at most {MAX_SIZE} by {MAX_SIZE}"
        )
