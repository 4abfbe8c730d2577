"""What players may do at any time: say, act, report, apply a rule, invoke Judgment, leave."""

from __future__ import annotations

from nomic_nb.errors import IllegalAction
from nomic_nb.law.rules import Number
from nomic_nb.panels import fields, said
from nomic_nb.panels.desk import Desk
from nomic_nb.panels.details import Details, spoken
from nomic_nb.play.declaring import ACTIONS

#: What is always open, besides all that rules can listen for.
ALWAYS = ("invoke_judgment", "ask_again", "forfeit")
#: Stands for a question that is not about ending a debate.
NO_PROPOSAL: tuple[str, Number | None] = ("no debate is to be ended", None)


class Freely:
    """The fields for all that is always open.

    Parameters
    ----------
    desk : Desk
        Where it is done.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        acts = [deed for deed in ACTIONS.values() if deed.heard or deed.name in ALWAYS]
        acts.sort(key=lambda deed: (deed.name in ALWAYS, not deed.owed))
        self.details = {deed.name: Details(deed.name) for deed in acts}
        self.head = fields.html(said.group("At any time"))
        self.who = fields.choice("Who", [("–", "")], "who does it")
        self.what = fields.choice("What", [(deed.meaning, deed.name) for deed in acts], "what is done")
        self.proposal = fields.choice("Proposal", [NO_PROPOSAL], "whose debate the Judge is asked to end, if any")
        self.sure = fields.tick("yes, leave the game for good")
        self.button = fields.button("Say", "do it", desk.does(self.submit))
        self.box = fields.column(
            self.head, self.who, self.what, *(one.box for one in self.details.values()), self.proposal, self.sure,
            self.button,
        )  # fmt: skip
        for one in (self.who, self.what):
            one.observe(desk.looks(self.look), names="value")

    @property
    def player(self) -> str:
        """Who does it."""
        return self.desk.seat or str(self.who.value)

    def look(self) -> None:
        """Look at the game again: who plays, which rules there are."""
        game, what = self.desk.game, self.what.value
        fields.show(self.box, not game.over and not game.state.paused)
        fields.offer(self.who, [(name, name) for name in game.state.persons or ("",)])
        fields.show(self.who, self.desk.seat is None)
        self.details[what].look(game, self.player)
        for name, one in self.details.items():
            fields.show(one.box, name == what)
        debated = [
            (f"end the debate on {one.number}", one.number)
            for one in game.state.open_proposals
            if one.status == "debate"
        ]
        fields.offer(self.proposal, [NO_PROPOSAL, *debated])
        fields.show(self.proposal, what == "invoke_judgment" and bool(debated))
        fields.show(self.sure, what == "forfeit")
        if self.button.description != spoken(what):
            self.button.description, self.button.tooltip = spoken(what), ACTIONS[what].meaning

    def submit(self) -> object:
        """Do what is chosen; the fields are emptied once it is done. Return the word back, if there is one."""
        what = self.what.value
        if what == "forfeit" and not self.sure.value:
            raise IllegalAction(f"to leave cannot be taken back; tick the box if {self.player} is sure")
        more = {"proposal": self.proposal.value} if what == "invoke_judgment" else {}
        word = self.details[what].submit(self.desk.game, self.player, **more)
        self.sure.value = False
        return word
