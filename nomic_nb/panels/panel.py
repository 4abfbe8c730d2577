"""The plain panel: a game played with ordinary widgets.

A view over what is pending, the rules and the history. It holds nothing of its own but what is being
typed: moves made in cells and in other panels are seen in it, and its own are moves of the same game.
"""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets as w

from nomic_nb.explore.odd import LOOKING, odd, odd_at_once
from nomic_nb.law.rules import Number
from nomic_nb.live.base import BaseGame
from nomic_nb.markup.words import full_sentence
from nomic_nb.panels import fields, said
from nomic_nb.panels.beside import Beside
from nomic_nb.panels.desk import Desk
from nomic_nb.panels.form import Form
from nomic_nb.panels.forms import Button, form_for
from nomic_nb.panels.freely import Freely
from nomic_nb.panels.keyboard import DECISIONS, PANEL, STATUS, Keyboard
from nomic_nb.panels.later import later
from nomic_nb.panels.live import SESSION
from nomic_nb.play.decisions import Decision
from nomic_nb.play.state import State
from nomic_nb.play.table import Table

#: What tells one decision from another while the panel is drawn again.
Sign = tuple[str | None, str, object, int | None, str, tuple[str, ...]]
#: The group of what anyone may decide.
ANYONE = "anyone"


def refresh_all(table: Table) -> None:
    """Let all open panels of a game look at it again."""
    SESSION.look(table)


class Panel:
    """The open decisions of a game as forms, with the records beside them.

    Parameters
    ----------
    game : BaseGame
        The game; several panels may show the same one.
    seat : str, optional
        Only what this player decides, with what the others are to do as text; where it is not given,
        all players sit before the same panel.

    Raises
    ------
    ValueError
        Nobody of this name plays.

    Examples
    --------
    >>> from nomic_nb.game import new_game
    >>> panel = Panel(new_game("discordian-nomic", ["Ann", "Ben"], seed=7))
    >>> panel
    Panel of Discordian Nomic, turn 1
    Ann – propose a rule-change (rule 202)  → propose
    >>> panel.close()
    """

    def __init__(self, game: BaseGame, seat: str | None = None) -> None:
        if seat is not None and seat not in game.players:
            raise ValueError(f"nobody called {seat!r} plays here; the players are {', '.join(game.players)}")
        self.game, self.seat = game, seat
        #: The moment that is drawn.
        self.seen: State | None = None
        self.closed = self._trying = False
        self.forms: dict[Sign, Form] = {}
        self.aside: dict[Sign, Form] = {}
        self.groups: dict[str, w.VBox] = {}
        self.desk = Desk(game, seat)
        self.desk.draw = self.refresh
        self.head, self.others = fields.html(), fields.html()
        self.freely, self.beside = Freely(self.desk), Beside(self.desk)
        self.open = fields.column()
        left = fields.column(self.open, self.others, self.freely.box)
        left.layout.flex, left.layout.min_width = "2 1 26em", "20em"
        self.beside.box.layout.flex, self.beside.box.layout.min_width = "3 1 32em", "20em"
        self.box = fields.column(self.head, self.desk.status, fields.row(left, self.beside.box), Keyboard())
        self.box.add_class(PANEL)
        self.open.add_class(DECISIONS)
        self.desk.status.add_class(STATUS)
        self.desk.status.tabbable = False  # by the script alone, where nothing is left to decide
        left.layout.margin = "0 1.2em 0 0"
        self._handles: list[Any] = []
        SESSION.open(game.table, self)
        self.refresh()

    # ------------------------------------------------------------------------------------ drawing

    def refresh(self) -> None:
        """Look at the game again. What is being typed stays."""
        if self.closed or self.desk.busy:
            return
        with self.game.table.lock:
            try:
                self._draw()
            except Exception as error:  # noqa: BLE001 - neither a callback nor a move may fail because of this
                self.desk.status.value = said.refused(error, self.game)

    def _draw(self) -> None:
        state = self.game.state
        moved, self.seen = self.seen is not None and self.seen is not state, state
        fields.put(self.head, said.heading(self.game))
        pending = self.game.pending
        mine = [one for one in pending if self.seat in (None, one.player) or one.player is None]
        self._lay_out(self._signed(mine))
        heard = said.note(escape(full_sentence(pending.listened))) if pending.phrases else ""
        fields.put(self.others, said.others(one for one in pending if one not in mine) + heard)
        self.freely.look()
        self.beside.look()
        if moved:
            text = self.game.latest(1)[0]
            fields.put(self.desk.status, said.status(full_sentence(text)))
        if self._untried and not self._trying:
            self._trying = True
            later(lambda: self.desk.looks(self._try_out)(None))

    @property
    def _untried(self) -> list[Number]:
        """The open proposals of which it is not known yet what they set off."""
        state = self.game.state
        return [one.number for one in state.open_proposals if odd_at_once(state, one.number).untried == LOOKING]

    def _try_out(self) -> None:
        """Find what open proposals set off, and show it."""
        self._trying = False
        if self.closed:
            return
        for number in self._untried:
            odd(self.game.state, number)
        self.refresh()

    @staticmethod
    def _signed(found: list[Decision]) -> dict[Sign, Decision]:
        """Return the decisions by what tells them apart; of several alike, the first is answered first."""
        made: dict[Sign, Decision] = {}
        asked: set[tuple[object, ...]] = set()
        for one in found:
            alike = (one.player, one.action, one.proposal, one.id)
            if alike not in asked:
                asked.add(alike)
                made[*alike, one.prompt, one.options] = one
        return made

    def _lay_out(self, wanted: dict[Sign, Decision]) -> None:
        """Keep the forms of what is still open, and let the others go."""
        gone = [sign for sign in self.forms if sign not in wanted or self.forms[sign].done]
        closing = []
        for sign in gone:
            form = self.forms.pop(sign)
            if form.keeps and not form.done and sign not in wanted:
                self.aside[sign] = form
            else:
                closing.append(form)
        for sign, decision in wanted.items():
            if sign not in self.forms:
                kept = self.aside.pop(sign) if sign in self.aside else None
                self.forms[sign] = kept or form_for(self.desk, decision)
            self.forms[sign].look(decision)
        lost = [sign for sign, form in self.aside.items() if form.lost]
        closing += [self.aside.pop(sign) for sign in lost]
        self._group()
        for form in closing:
            form.close()

    def _group(self) -> None:
        by_player: dict[str, list[w.Widget]] = {}
        # What is done with one press, such as closing a vote, comes after what is to be weighed.
        for sign, form in sorted(self.forms.items(), key=lambda one: isinstance(one[1], Button)):
            by_player.setdefault(sign[0] or ANYONE, []).append(form.box)
        for name in (*self.game.players, ANYONE):
            if name not in self.groups:
                title = fields.html(said.group(name))
                self.groups[name] = fields.column(title)
            group = self.groups[name]
            fields.hold(group, (group.children[0], *by_player.get(name, ())))
            fields.show(group, name in by_player)
        fields.hold(self.open, self.groups.values())

    # ---------------------------------------------------------------------------------- displaying

    def _ipython_display_(self) -> None:
        from IPython.display import display

        handle = display(self._repr_mimebundle_(), raw=True, display_id=True)  # type: ignore[no-untyped-call]
        if handle is not None:
            self._handles.append(handle)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Return the widget, and the game as it stands now for where there are no widgets."""
        bundle: dict[str, Any] = dict(self.box._repr_mimebundle_() or {})
        return {**bundle, "text/plain": str(self), "text/html": self.game._repr_html_()}

    def freeze(self) -> BaseGame:
        """Put the plain record in the place of the widgets, so that a saved notebook shows it; return the game."""
        with self.game.table.lock:
            for handle in self._handles:
                handle.update(self.game)
            self._handles.clear()
            self.close()
        return self.game

    def close(self) -> None:
        """Close the panel; the game goes on without it."""
        if self.closed or self.desk.busy:
            return
        self.closed = True
        SESSION.shut(self.game.table, self)
        for form in self.aside.values():
            form.close()
        fields.close(self.box)

    def __str__(self) -> str:
        game = self.game
        whose = f" for {self.seat}" if self.seat else ""
        lines = [f"Panel of {game.ruleset.title}{whose}, " + (game.result or f"turn {game.turn}")]
        lines += str(game.pending).splitlines() if not game.over else []
        return "\n".join(lines)

    __repr__ = __str__
