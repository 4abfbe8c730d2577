"""What players decide, as forms: one for each kind of decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

import ipywidgets as w

from nomic_nb.errors import IllegalAction, LawError
from nomic_nb.explore.odd import odd_at_once
from nomic_nb.panels import fields, said
from nomic_nb.panels.asked import number_of
from nomic_nb.panels.desk import Desk
from nomic_nb.panels.details import Details, spoken
from nomic_nb.panels.draft import Draft
from nomic_nb.panels.form import Form
from nomic_nb.panels.judging import JudgmentBallot, RuleOn
from nomic_nb.panels.moving import Move
from nomic_nb.panels.sealing import Reveal, Seal
from nomic_nb.play.decisions import Decision, numbers_are_assigned
from nomic_nb.play.declaring import ACTIONS, HOST

#: Options that are buttons; where there are more, they are a list.
MOST_BUTTONS = 8


class Vote(Form):
    """Buttons for and against, and what is odd about the proposal; it stands beside them itself."""

    def build(self) -> list[w.Widget]:
        """Return two buttons, and a place below them."""
        game, number = self.desk.game, self.decision.proposal

        def casts(ballot: str) -> Callable[[], object]:
            return lambda: game.vote(self.player, ballot, number)

        kinds = {"for": "success", "against": "danger"}
        made = [
            self.answer(f"Vote {one}", f"votes {one} {number}", casts(one), kinds.get(one, ""))
            for one in self.decision.options
        ]
        self.odd = fields.html()
        return [fields.row(*made), self.odd]

    def look(self, decision: Decision) -> None:
        """Show what is known by now to be odd."""
        super().look(decision)
        if decision.proposal is not None:
            fields.put(self.odd, said.odd(odd_at_once(self.desk.game.state, decision.proposal)))


class Agree(Form):
    """Buttons to say whether a vote may be closed without one's ballot."""

    def build(self) -> list[w.Widget]:
        """Return a button for each answer."""
        game, number = self.desk.game, self.decision.proposal

        def says(answer: str) -> Callable[[], object]:
            return lambda: game.agree(self.player, answer, number)

        labels = {"yes": "Close it without me", "no": "Not yet"}
        made = [
            self.answer(labels[one], f"says {one} to closing the vote on {number}", says(one))
            for one in self.decision.options
        ]
        return [fields.row(*made)]


class Propose(Form):
    """A rule-change to be written."""

    keeps = True

    def build(self) -> list[w.Widget]:
        """Return the fields of a change, and a button."""
        self.draft = Draft(self.desk, self.decision.player or self.desk.seat or self.desk.game.state.persons[0])
        self.debate = fields.tick("debate first", "hold the vote back until the debate is ended")
        self.number = fields.line("Number", "the number that others gave the proposal")
        return [
            self.draft.box,
            self.number,
            self.debate,
            self.answer("Propose", "proposes this rule-change", self.submit, "primary"),
            self.draft.odd,
        ]

    def look(self, decision: Decision) -> None:
        """Look at the law book again, and whether a proposal is to be given a number."""
        super().look(decision)
        self.draft.look()
        fields.show(self.number, numbers_are_assigned(self.desk.game.state))

    def submit(self) -> None:
        """Propose what is written; a law that cannot be read is shown under its field."""
        change, number = self.draft.change(), self.number.value.strip()
        given = number_of(number) if number and numbers_are_assigned(self.desk.game.state) else None
        try:
            self.desk.game.propose(self.player, change, given, debate=self.debate.value)
        except LawError as error:
            self.draft.complain(error)
            raise


class Revise(Form):
    """A proposal in debate to be given another form."""

    keeps = True

    def build(self) -> list[w.Widget]:
        """Return the fields, filled with what was proposed."""
        number = self.decision.proposal
        self.draft = Draft(self.desk, self.decision.player or self.desk.seat or self.desk.game.state.persons[0])
        if number is not None:
            self.draft.start_from(self.desk.game.state.proposals[number].change)
        return [self.draft.box, self.answer("Revise", f"gives {number} this form", self.submit), self.draft.odd]

    @property
    def lost(self) -> bool:
        """Whether it is debated no more."""
        found = self.desk.game.state.proposals.get(self.decision.proposal or "")
        return found is None or found.status != "debate"

    def look(self, decision: Decision) -> None:
        """Look at the law book again."""
        super().look(decision)
        self.draft.look()

    def submit(self) -> None:
        """Revise the proposal; a law that cannot be read is shown under its field."""
        change = self.draft.change()
        try:
            self.desk.game.revise(self.player, change, self.decision.proposal)
        except LawError as error:
            self.draft.complain(error)
            raise


class Roll(Form):
    """A throw: drawn by the game, or made by hand and told."""

    def build(self) -> list[w.Widget]:
        """Return a button, and a field for a throw made by hand."""
        thrown = (one for one in self.desk.game.state.waiting if one.action == "roll")
        waiting = next((one for one in thrown if one.player == self.decision.player), None)
        span = f"{waiting.dice} to {waiting.dice * waiting.sides}" if waiting else "what it shows"
        self.throw = self.answer("Throw", "throws", lambda: self.desk.game.do(self.player, "roll"), "primary")
        self.face = fields.number("By hand", f"what a throw made by hand shows, {span}")
        self.tell = self.answer("Enter this throw", "tells what a throw made by hand shows", self.submit)
        self.by_hand = fields.row(self.face, self.tell, fields.html(escape(span)))
        return [self.throw, self.by_hand]

    def look(self, decision: Decision) -> None:
        """Show what the law allows here."""
        super().look(decision)
        state = self.desk.game.state
        finding = state.law.find("dice.source", state, {})
        source = finding.value if finding.answered else "either"
        fields.show(self.throw, source != "table")
        fields.show(self.by_hand, source != "seeded")

    def submit(self) -> None:
        """Tell what a throw made by hand shows."""
        self.desk.game.do(self.player, "roll", value=self.face.value)


class Choose(Form):
    """Options of a rule, or a question with answers that lie at hand and room for others."""

    def build(self) -> list[w.Widget]:
        """Return the options, a field where the answer is free, and a place for what is wrong with it."""
        options = self.decision.options
        made: list[w.Widget] = []
        if len(options) > MOST_BUTTONS:
            self.list = fields.choice("Option", [(one, one) for one in options])
            made += [self.list, self.answer("Choose", "chooses this", lambda: self.choose(self.list.value))]
        elif options:
            made.append(fields.row(*(self._option(one) for one in options)))
        self.note = fields.note()
        if self.decision.id is not None:
            self.text = fields.line("Answer", "an answer of your own")
            made += [self.text, self.note, self.answer("Answer", "answers this", lambda: self.choose(self.text.value))]
        self.all = fields.tick("all who are asked say the same")
        made += [self.all] if self.decision.id is not None else []
        self.so_far = fields.html()
        return [*made, self.so_far]

    def _option(self, option: str) -> w.Button:
        return self.answer(option, f"chooses {option}", lambda: self.choose(option))

    def look(self, decision: Decision) -> None:
        """Show what others have answered."""
        super().look(decision)
        questions = self.desk.game.state.questions
        answers = questions[0].answers if questions else {}
        seated = self.desk.seat is not None  # one's own panel answers for nobody else
        fields.show(self.all, not seated and bool(questions) and len(self.desk.game.state.asked(questions[0])) > 1)
        items = "".join(f"<li>{escape(name)} says: {escape(one)}</li>" for name, one in answers.items())
        fields.put(self.so_far, f"<div>Answers so far; play goes on when all say the same.</div><ul>{items}</ul>"
                   if items else "")  # fmt: skip

    def choose(self, option: str) -> None:
        """Choose, or answer; a text that cannot be read is shown under its field."""
        fields.put(self.note, "")
        try:
            state = self.desk.game.state
            agreed = state.asked(state.questions[0]) if self.all.value and state.questions else None
            self.desk.game.choose(self.player, option, self.decision.id, agreed=agreed)
        except LawError as error:
            fields.put(self.note, said.note(said.law_error(error, "Answer")))
            raise


class Tell(Form):
    """Something that takes more than a press: its fields are those that its declaration has."""

    keeps = True

    def build(self) -> list[w.Widget]:
        """Return the fields and a button."""
        name = spoken(self.decision.action)
        self.details = Details(self.decision.action, self.decision.prompt)
        return [self.details.box, self.answer(name, f"is to {name.lower()}", self.submit, "primary")]

    def look(self, decision: Decision) -> None:
        """Look again at what there is to choose from."""
        super().look(decision)
        self.details.look(self.desk.game, self.player)

    def submit(self) -> object:
        """Do it."""
        return self.details.submit(self.desk.game, self.player)


class Button(Form):
    """A decision that needs nothing but to be taken: to end a debate, to close a vote, to begin or end a turn."""

    LABELS: Mapping[str, str] = {
        "call_vote": "End the debate, open the vote",
        "close_vote": "Close the vote",
        "skip": "Pass over the rest",
        "begin_turn": "Begin a turn",
        "end_turn": "End the turn",
        "present": "Back at the table",
        "overdue": "Record as overdue",
    }

    def build(self) -> list[w.Widget]:
        """Return a button."""
        action = self.decision.action
        label = self.LABELS.get(action, spoken(action))
        return [self.answer(label, self.decision.prompt, self.submit)]

    def submit(self) -> None:
        """Take the decision."""
        game, action, number = self.desk.game, self.decision.action, self.decision.proposal
        if not self.player:
            raise IllegalAction("say who does it")
        if action in HOST:  # whoever keeps the record notes it
            game.table.host(action, {"who": self.player})
            return
        game.do(self.player, action, **({} if number is None else {"proposal": number}))


FORMS: Mapping[str, type[Form]] = {
    "propose": Propose,
    "revise": Revise,
    "vote": Vote,
    "agree": Agree,
    "roll": Roll,
    "seal": Seal,
    "reveal": Reveal,
    "choose": Choose,
    "rule_on": RuleOn,
    "overrule": JudgmentBallot,
    "consent": JudgmentBallot,
    "move": Move,
}


def form_for(desk: Desk, decision: Decision) -> Form:
    """Return the form of a decision."""
    deed = ACTIONS.get(decision.action)
    return FORMS.get(decision.action, Tell if deed is not None and deed.chosen else Button)(desk, decision)
