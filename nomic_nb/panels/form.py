"""What every form of a decision has in common."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as w

from nomic_nb.panels import fields, said
from nomic_nb.panels.desk import Desk
from nomic_nb.play.decisions import Decision


class Form:
    """A decision, as widgets.

    Parameters
    ----------
    desk : Desk
        Where it is answered.
    decision : Decision
        What is asked.
    """

    #: Whether what was typed is kept while play waits for something else.
    keeps = False

    def __init__(self, desk: Desk, decision: Decision) -> None:
        self.desk, self.decision = desk, decision
        self.done = False
        self.prompt = fields.html()
        self.who: w.Dropdown | None = None
        if decision.player is None and desk.seat is None:
            names = [(name, name) for name in desk.game.state.persons]
            self.who = fields.choice("Who", names, "anyone may; say who does")
        self.body = self.build()
        before = [self.prompt] if self.who is None else [self.prompt, self.who]
        self.box = fields.column(*before, *self.body)
        self.box.layout.margin = "0 0 .8em"

    @property
    def player(self) -> str:
        """Who answers."""
        if self.who is not None:
            return str(self.who.value or "")
        return self.decision.player or self.desk.seat or ""

    def build(self) -> list[w.Widget]:
        """Return the widgets below the prompt."""
        raise NotImplementedError

    def look(self, decision: Decision) -> None:
        """Look at the decision again."""
        self.decision = decision
        fields.put(self.prompt, said.asked(decision))

    def answer(self, description: str, about: str, work: Callable[[], object], kind: str = "") -> w.Button:
        """Return a button that answers the decision."""

        def does() -> None:
            work()
            self.done = True

        return fields.button(description, f"{self.decision.player or 'anyone'} {about}", self.desk.does(does), kind)

    def close(self) -> None:
        """Close the widgets."""
        fields.close(self.box)
