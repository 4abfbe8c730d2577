"""The boards of a game at a glance: the half-boards, who controls which army, and the pair pushed last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_nb.errors import NotThere
from nomic_nb.markup.tree import Child, Rows, el, mark, number_head, table, who
from nomic_nb.multiverse.drawing import draw_multiverse, draw_push
from nomic_nb.multiverse.pieces import BoardMove
from nomic_nb.play.chess.captures import hand_in_words

if TYPE_CHECKING:
    from nomic_nb.live.base import BaseGame


def boards(shown: BaseGame) -> list[Child]:
    """Return the boards of a game; nothing where it has none."""
    position = shown.state.position
    if position is None:
        return []
    state = shown.state
    last = shown.last_move
    on_turn = {state.go.army} if state.go is not None and not state.over else set()
    rows: Rows = []
    for name, army in position.armies.items():
        marks = [mark("to play", cls="on")] if name in on_turn else []
        marks += [mark("mated")] if name in state.mated else []
        marks += [] if state.players[army.controller].playing else [mark("left")]
        count = len([one for one in position.pieces.values() if one.army == name])
        hand = [hand_in_words(state, name) or "–"] if state.hands else []
        rows.append([name, who(army.controller), str(count), *hand, [[one, " "] for one in marks]])
    in_hand = ["In hand"] if state.hands else []
    armies = table("Armies", ["Army", "Moved by", number_head("Pieces"), *in_hand, ""], rows)
    return [
        el("h4", "Boards"),
        draw_multiverse(position, last=last).element(),
        el("div", armies, el("div", *_pushed(shown, last)), cls="side-by-side"),
    ]


def _pushed(shown: BaseGame, last: BoardMove | None) -> list[Child]:
    """Return the boards that were pushed together last, as they stand now."""
    if last is None or len(last.push) != 2:
        return []
    said = f"Pushed together last: {' and '.join(last.push)}, for {last.army}: {last.text}."
    try:
        push = shown.pushed(*last.push, army=last.army)
    except NotThere as error:  # the law does not say how pieces move now, and so not who is in check
        return [el("p", said), el("p", f"They cannot be drawn so: {error}.")]
    return [el("p", said), draw_push(push, last=last).element()]
