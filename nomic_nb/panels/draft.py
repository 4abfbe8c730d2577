"""The fields in which a rule-change is written, and what is wrong with it while it is written."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from nomic_nb.errors import IllegalAction, LawError
from nomic_nb.explore.odd import odd_draft
from nomic_nb.law.changes import Change, amend, enact, repeal, transmute
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Number, Rule
from nomic_nb.panels import fields, said
from nomic_nb.panels.desk import Desk
from nomic_nb.panels.ready import Ready
from nomic_nb.play.lawmaking import check_change
from nomic_nb.play.permission import forbidden, permission
from nomic_nb.play.possible import supposed, supposed_case

KINDS = (
    ("enact a new rule", "enact"),
    ("amend a rule", "amend"),
    ("repeal a rule", "repeal"),
    ("transmute a rule", "transmute"),
    ("propose a ready-made rule", "ready"),
)
#: What stands for no rule in the list of rules.
NEW = -1


class Texts(NamedTuple):
    """Title, wording and law, as they stand in the fields."""

    title: str = ""
    wording: str = ""
    law: str = ""


class Draft:
    """The fields of a rule-change.

    They are filled with what is to be amended; what somebody has typed is never overwritten.

    Parameters
    ----------
    desk : Desk
        Where it will be proposed.
    player : str
        Who will propose it.
    """

    def __init__(self, desk: Desk, player: str) -> None:
        self.desk, self.player = desk, player
        self.quiet = True
        changed = desk.looks(self._changed)
        self.kind = fields.choice("Kind", KINDS, "what kind of rule-change it is")
        self.ready = Ready(changed)
        self.target = fields.choice("Rule", [("a new rule", NEW)], "the rule that is to be changed")
        self.part = fields.choice("Part", [("the rule itself", 0)], "the rule, or one of its amendments")
        self.beside = fields.tick(
            "beside what is there", "an amendment that stands beside what is there, not in its place"
        )
        self.where = fields.choice("Where", [], "for which universes it is")
        self.title = fields.line("Title", "a short name")
        self.wording = fields.lines("Wording", "what people read", rows=5)
        self.law = fields.lines("Law", "clauses for the machine, one a line; may be empty", rows=4)
        self.law_note = fields.note()
        #: What is odd about it; whoever shows the box puts it below the button, which shall not move.
        self.odd = fields.html()
        self.checked: tuple[Law, Change] | None = None
        self.box = fields.column(
            self.kind, self.ready.box, self.target, self.part, self.beside, self.where, self.title, self.wording,
            self.law,
            self.law_note,
        )  # fmt: skip
        self.filled = Texts()
        for one in (self.kind, self.target, self.part, self.beside, self.where):
            one.observe(changed, names="value")
        self.law.observe(changed, names="value")
        self.wording.observe(desk.looks(self.warn), names="value")
        self.look()

    # ------------------------------------------------------------------------------ what is chosen

    @property
    def rule(self) -> Rule | None:
        """The rule that is chosen; None for a new one."""
        return self.desk.game.state.rules.rules.get(self.target.value)

    @property
    def amends(self) -> bool:
        """Whether a rule is amended, by hand or with a ready-made one."""
        return self.kind.value == "amend" or (self.kind.value == "ready" and self.rule is not None)

    @property
    def place(self) -> int | None:
        """The amendment that is chosen; None for the rule itself."""
        return self.part.value or None

    def _standing(self) -> Texts:
        """Return what is to be amended, as it stands."""
        rule = self.rule
        if rule is None or not self.amends or self.beside.value:
            return Texts()
        part = rule.parts[self.place] if self.place else None
        return Texts(rule.title, part.wording if part else rule.wording, part.law if part else rule.law)

    # ------------------------------------------------------------------------------------ drawing

    def look(self) -> None:
        """Look at the law book again, and at what is chosen."""
        self.quiet = True
        try:
            self._offer()
            self._show()
            self._fill()
        finally:
            self.quiet = False
        self.check()

    def _changed(self) -> None:
        if not self.quiet:
            self.look()

    def _offer(self) -> None:
        kind = self.kind.value
        rules = [
            (f"{rule.number} {rule.title} ({rule.tier})", rule.id)
            for rule in sorted(self._rules(), key=lambda one: not self._is_open(kind, one))
        ]
        fields.offer(self.target, [("a new rule", NEW), *rules] if kind in ("ready", "enact") else rules)
        rule = self.rule
        parts = [
            (f"amendment {at}: {' '.join(part.wording.split()[:6])}", at)
            for at, part in (rule.amendments.items() if rule else ())
            if not part.repealed
        ]
        fields.offer(self.part, [("the rule itself", 0), *(parts if kind in ("amend", "repeal") else [])])
        if not self.amends or self.part.value:
            self.beside.value = False
        position = self.desk.game.state.position
        universes = [name for name, board in position.boards.items() if not board.half] if position else []
        one_only = not self.amends and not self.part.value and kind != "transmute"
        fields.offer(self.where, [("all universes", ""), *((one, one) for one in universes if one_only)])

    def _rules(self) -> list[Rule]:
        return [rule for found in self.desk.game.rules.by_tier().values() for rule in found]

    def _is_open(self, kind: str, rule: Rule) -> bool:
        """Tell whether the law lets such a change be proposed; rules that it does not are listed last."""
        change = Change("amend" if kind in ("enact", "ready") else kind, rule.number, "…")
        trial = supposed(self.desk.game.state, change, self.player)
        return not forbidden(permission(trial, "propose", self.player, **supposed_case()))

    def _show(self) -> None:
        kind = self.kind.value
        writes = kind in ("enact", "amend", "ready")
        fields.show(self.ready.box, kind == "ready")
        self.ready.look()
        fields.show(self.target, kind != "enact")
        fields.show(self.part, len(self.part.options) > 1)
        fields.show(self.beside, self.amends and not self.part.value)
        fields.show(self.where, len(self.where.options) > 1)
        for one in (self.title, self.wording, self.law, self.law_note):
            fields.show(one, writes)

    def _fill(self) -> None:
        wanted = self._standing()
        if self.kind.value == "ready":
            try:
                ready = self.ready.rule()
            except ValueError as error:
                self.desk.status.value = said.status(f"{error}", bad=True)
            else:
                wanted = Texts("" if self.beside.value else ready.title, ready.wording, ready.law)
        for field, before, now in zip((self.title, self.wording, self.law), self.filled, wanted, strict=True):
            if field.value == before:
                fields.put(field, now)
        self.filled = wanted

    def start_from(self, change: Change) -> None:
        """Begin with a change that was proposed before."""
        self.quiet = True
        rule = self.desk.game.state.rules.by_number.get(change.target) if change.target is not None else None
        self.kind.value = change.kind
        self._offer()
        if rule is not None:
            self.target.value = rule.id
            self._offer()
        if change.part is not None:
            self.part.value = change.part
        self.beside.value = change.add
        self.where.value = change.universe
        self._fill()
        if change.wording is not None:
            self.wording.value = change.wording
        if change.law is not None or change.kind == "enact":
            self.law.value = change.law or ""
        if change.title:
            self.title.value = change.title
        self.look()

    # ----------------------------------------------------------------------------- what is written

    def change(self) -> Change:
        """Return the change as it is written.

        Raises
        ------
        IllegalAction
            No rule is chosen.
        LawError
            A text that cannot be taken.
        """
        kind, rule = self.kind.value, self.rule
        title, wording, law = self.title.value, self.wording.value, self.law.value
        if kind == "enact" or (kind == "ready" and rule is None):
            return enact(wording, law, title, universe=self.where.value or "")
        if rule is None:
            raise IllegalAction("no rule is chosen")
        number: Number = rule.number
        if kind == "transmute":
            return transmute(number)
        if kind == "repeal":
            return repeal(number, part=self.place, universe=self.where.value or "")
        if self.beside.value:
            return amend(number, wording, law or None, title=title, add=True)
        old = self._standing()
        return amend(
            number,
            None if wording == old.wording else wording,
            None if law == old.law else law,
            title="" if title == old.title else title,
            part=self.place,
        )

    def warn(self) -> None:
        """Say what is odd about the change as it is written; nothing where it is none yet."""
        state = self.desk.game.state
        try:
            change = self.change()
            if self.checked == (state.law, change):
                return
            check_change(state, change)
        except (LawError, IllegalAction, LookupError):
            self.checked = None
            fields.put(self.odd, "")
        else:
            self.checked = state.law, change
            fields.put(self.odd, said.odd(odd_draft(state, self.player, change)))

    def check(self) -> None:
        """Read the law as it is written, and show under the field what is wrong with it."""
        self.warn()
        law = self.law.value
        if not law.strip() or self.kind.value in ("repeal", "transmute"):
            fields.put(self.law_note, "")
            return
        try:
            change = self.change()
        except (LawError, IllegalAction):
            change = Change("enact", None, "…", law)
        try:
            check_change(self.desk.game.state, change)
        except LawError as error:
            self.complain(error)
        except LookupError as error:
            fields.put(self.law_note, said.note(escape(str(error.args[0]))))
        else:
            fields.put(self.law_note, said.note("✓ The law can be read."))

    def complain(self, error: LawError) -> None:
        """Show under the law what is wrong with it."""
        fields.put(self.law_note, said.note(said.law_error(error, "Law")))
