"""What players may do at any time: say, act, report, apply a rule, invoke Judgment, leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nomic_nb.errors import IllegalAction, LawError
from nomic_nb.law.rules import Number
from nomic_nb.panels import fields, said
from nomic_nb.panels.desk import Desk

ACTS = (
    ("say something", "say"),
    ("do what no rule speaks of", "act"),
    ("report a deed", "report"),
    ("give somebody something", "give"),
    ("apply a rule that only people can read", "apply"),
    ("invoke Judgment", "invoke_judgment"),
    ("have the table asked again", "ask_again"),
    ("forfeit the game", "forfeit"),
)
#: Stands for a question that is not about ending a debate.
NO_PROPOSAL: tuple[str, Number | None] = ("no debate is to be ended", None)
#: The field that each needs, with its name there, and the label of the button.
LABELS: Mapping[str, tuple[str, str, str]] = {
    "say": ("Words", "what is said", "Say"),
    "act": ("Act", "what is done", "Do"),
    "report": ("Deed", "a name that rules may speak of, such as interrupting", "Report"),
    "give": ("Gift", "how much of what, such as 3 coins", "Give"),
    "apply": ("Effect", 'such as: award -5 points to "Ann"', "Apply"),
    "invoke_judgment": ("Question", "what is to be decided, by a Judge or by the table", "Ask"),
    "ask_again": ("Term", "on which the table agreed, such as win.points", "Ask again"),
    "forfeit": ("", "", "Forfeit"),
}


class Freely:
    """The fields for all that is always open.

    Parameters
    ----------
    desk : Desk
        Where it is done.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.head = fields.html(said.group("At any time"))
        self.who = fields.choice("Who", [("–", "")], "who does it")
        self.what = fields.choice("What", ACTS, "what is done")
        self.whom = fields.choice("Whom", [("–", "")], "who did it, or who is given something")
        self.rule = fields.choice("Rule", [("–", -1)], "the rule that is applied")
        self.proposal = fields.choice("Proposal", [NO_PROPOSAL], "whose debate the Judge is asked to end, if any")
        self.text = fields.line("Words")
        self.note = fields.note()
        self.sure = fields.tick("yes, leave the game for good")
        self.button = fields.button("Say", "do it", desk.does(self.submit))
        self.box = fields.column(
            self.head, self.who, self.what, self.whom, self.rule, self.proposal, self.text, self.note, self.sure,
            self.button,
        )  # fmt: skip
        self.what.observe(desk.looks(self.look), names="value")

    @property
    def player(self) -> str:
        """Who does it."""
        return self.desk.seat or str(self.who.value)

    def look(self) -> None:
        """Look at the game again: who plays, which rules there are."""
        game, what = self.desk.game, self.what.value
        fields.show(self.box, not game.over and not game.state.paused)
        persons = game.state.persons or ("",)
        fields.offer(self.who, [(name, name) for name in persons])
        fields.offer(self.whom, [(name, name) for name in game.players])
        fields.offer(self.rule, [(f"{rule.number} {rule.title}", rule.id) for rule in game.rules])
        fields.show(self.who, self.desk.seat is None)
        fields.show(self.whom, what in ("report", "give"))
        fields.show(self.rule, what == "apply")
        debated = [
            (f"end the debate on {one.number}", one.number)
            for one in game.state.open_proposals
            if one.status == "debate"
        ]
        fields.offer(self.proposal, [NO_PROPOSAL, *debated])
        fields.show(self.proposal, what == "invoke_judgment" and bool(debated))
        fields.show(self.sure, what == "forfeit")
        fields.show(self.text, what != "forfeit")
        fields.show(self.note, what == "apply")
        name, about, label = LABELS[what]
        for trait, value in (("description", name or "Words"), ("placeholder", about), ("tooltip", about or name)):
            if getattr(self.text, trait) != value:
                setattr(self.text, trait, value)
        if self.button.description != label:
            self.button.description, self.button.tooltip = label, {one: words for words, one in ACTS}[what]

    def submit(self) -> object:
        """Do what is chosen; the fields are emptied once it is done. Return the word back, if there is one."""
        game, player, text = self.desk.game, self.player, self.text.value
        does: Mapping[str, Callable[[], object]] = {
            "say": lambda: game.say(player, text),
            "act": lambda: game.act(player, text),
            "report": lambda: game.report(player, self.whom.value, text),
            "give": lambda: self._give(player, text),
            "apply": lambda: self._apply(player, text),
            "invoke_judgment": lambda: game.invoke_judgment(player, text, self.proposal.value),
            "ask_again": lambda: game.ask_again(player, text.strip()),
            "forfeit": lambda: self._forfeit(player),
        }
        word = does[self.what.value]()
        self.text.value, self.sure.value = "", False
        fields.put(self.note, "")
        return word

    def _give(self, player: str, gift: str) -> None:
        amount, _, counter = gift.strip().partition(" ")
        if not (amount.isascii() and amount.isdigit()):
            raise IllegalAction("a gift is so much of something", options=["3 coins"])
        self.desk.game.give(player, str(self.whom.value), int(amount), counter.strip() or "points")

    def _apply(self, player: str, effect: str) -> None:
        game = self.desk.game
        rule = game.state.rules.rules.get(self.rule.value)
        if rule is None:
            raise IllegalAction("no rule is chosen")
        fields.put(self.note, "")
        try:
            game.apply(player, rule.number, effect)
        except LawError as error:
            fields.put(self.note, said.note(said.law_error(error, "Effect")))
            raise

    def _forfeit(self, player: str) -> None:
        if not self.sure.value:
            raise IllegalAction(f"to leave cannot be taken back; tick the box if {player} is sure")
        self.desk.game.forfeit(player)
