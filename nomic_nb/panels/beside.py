"""What stands beside the forms: open judgments and votes, and one of the records at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nomic_nb.explore.odd import odd_at_once
from nomic_nb.law.rules import Number
from nomic_nb.panels import fields, said
from nomic_nb.panels.desk import Desk
from nomic_nb.play.judgment import live
from nomic_nb.show import enclosed
from nomic_nb.show.boards import boards
from nomic_nb.views import Proposal

#: Events that are listed.
LATEST = 25
RECORDS = ("Law book", "Ledger", "Last events", "Proposals", "Judgments")
#: What a game with boards shows first.
BOARDS = "Boards"


class Beside:
    """The records of a game, as they show themselves everywhere.

    Parameters
    ----------
    desk : Desk
        Has the game.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.votes = fields.html()
        names = (*([BOARDS] if desk.game.state.position is not None else []), *RECORDS)
        self.which = fields.choice("Show", [(name, name) for name in names], "one of the records of the game")
        self.record = fields.html()
        self.record.layout.flex = "0 0 auto"
        scrolled = fields.column(self.record)
        scrolled.layout.max_height, scrolled.layout.overflow = "44em", "auto"
        self.box = fields.column(self.votes, self.which, scrolled)
        self.shown: tuple[object, ...] = ()
        self.which.observe(desk.looks(self.look), names="value")

    def _proposal(self, number: Number) -> str:
        """Return a proposal with what is odd about it as far as that is known: nobody shall wait for the rest."""
        return Proposal(self.desk.game.table, number, odd_at_once)._repr_html_()

    def look(self) -> None:
        """Look at the game again; only what has changed is written again."""
        game, which = self.desk.game, self.which.value
        state = game.state
        open_now = [one.number for one in state.open_proposals]
        judged = [] if game.over else [one._repr_html_() for one in live(state)]
        fields.put(self.votes, "".join([*judged, *(self._proposal(number) for number in open_now)]))
        shown = (which, state.rules, state.judgments) if which == "Law book" else (which, state)
        if len(self.shown) == len(shown) and all(old is new for old, new in zip(self.shown, shown, strict=True)):
            return
        records: Mapping[str, Callable[[], str]] = {
            BOARDS: lambda: enclosed(boards(game)),
            "Law book": game.rules._repr_html_,
            "Ledger": game.ledger._repr_html_,
            "Last events": lambda: said.listing("Last events", game.latest(LATEST)),
            "Proposals": game.proposals._repr_html_,
            "Judgments": game.judgments._repr_html_,
        }
        fields.put(self.record, records[which]())
        self.shown = shown
