"""The forms of Judgment: a Judge rules, the others overrule or let it stand, and say whether play goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

import ipywidgets as w

from nomic_nb.errors import IllegalAction, LawError
from nomic_nb.law.rules import Number
from nomic_nb.panels import fields, said
from nomic_nb.panels.asked import number_of
from nomic_nb.panels.form import Form
from nomic_nb.play.decisions import Decision
from nomic_nb.play.judgment import read_orders


class RuleOn(Form):
    """A question to be decided by its Judge: the ruling, why, the rules that it rests on, what it orders."""

    keeps = True

    def build(self) -> list[w.Widget]:
        """Return the fields of a ruling, and a button."""
        checks = self.desk.looks(self.check)
        self.ruling = fields.lines("Ruling", "what is decided", rows=2)
        self.reasons = fields.lines("Reasons", "why; may be empty", rows=3)
        self.rests_on = fields.line("Rests on", "numbers of rules, with commas between them; may be empty")
        self.rests_note = fields.note()
        self.orders = fields.lines("Orders", 'effects, one a line, such as: award 5 points to "Ann"; may be empty', 2)
        self.orders_note = fields.note()
        self.rests_on.observe(checks, names="value")
        self.orders.observe(checks, names="value")
        return [
            self.ruling, self.reasons, self.rests_on, self.rests_note, self.orders, self.orders_note,
            self.answer("Rule", "rules on this", self.submit, "primary"),
        ]  # fmt: skip

    @property
    def lost(self) -> bool:
        """Whether somebody else is Judge of it now, or it is settled."""
        state, id = self.desk.game.state, self.decision.id
        return id not in state.docket or state.judgments[id].judge != self.decision.player

    @property
    def numbers(self) -> list[Number]:
        """The numbers of the rules that it rests on."""
        return [number_of(word) for word in self.rests_on.value.replace(",", " ").split()]

    def look(self, decision: Decision) -> None:
        """Look at the law book again."""
        super().look(decision)
        self.check()

    def check(self) -> None:
        """Show which rules are meant, and under the orders what is wrong with them."""
        game = self.desk.game
        named = [
            f"{one} {game.rules[one].title}" if one in game.rules else game.state.rules.whereabouts(one)
            for one in self.numbers
        ]
        fields.put(self.rests_note, said.note(escape("; ".join(named))))
        fields.put(self.orders_note, "")
        try:
            orders = read_orders(game.state, self.orders.value)
        except LawError as error:
            fields.put(self.orders_note, said.note(said.law_error(error, "Orders")))
        except IllegalAction as error:
            fields.put(self.orders_note, said.note(escape(str(error))))
        else:
            fields.put(self.orders_note, said.note("✓ The orders can be read." if orders else ""))

    def submit(self) -> None:
        """Rule on it."""
        id = self.decision.id
        self.desk.game.rule_on(
            self.player, self.ruling.value, self.reasons.value, self.numbers, self.orders.value, judgment=id
        )


class JudgmentBallot(Form):
    """Buttons to vote on overruling a Judge, or to say whether play goes on after a judgment."""

    LABELS: Mapping[tuple[str, str], str] = {
        ("overrule", "for"): "Overrule",
        ("overrule", "against"): "Let it stand",
        ("consent", "for"): "Let play go on",
        ("consent", "against"): "Not yet",
    }

    def build(self) -> list[w.Widget]:
        """Return a button for each ballot."""
        game, action, id = self.desk.game, self.decision.action, self.decision.id

        def casts(ballot: str) -> Callable[[], object]:
            return lambda: game.do(self.player, action, ballot=ballot, judgment=id)

        made = [
            self.answer(self.LABELS[action, one], f"says so in judgment {id}", casts(one))
            for one in self.decision.options
        ]
        return [fields.row(*made)]
