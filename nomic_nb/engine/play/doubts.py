"""What the law leaves open, as a question to those who can answer it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Any

from nomic_nb.engine.law.findings import Finding, as_set, at_fault
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import Env, Ref, written
from nomic_nb.engine.law.view import Undecided, View
from nomic_nb.engine.play.cases import names_of
from nomic_nb.engine.play.events import Cause, Event
from nomic_nb.engine.play.pending import Item
from nomic_nb.engine.play.state import State

#: What people say of what would be forbidden if nothing, one thing, or one of several were so: it is, and it is not.
PEOPLE_SAY: tuple[tuple[str, ...], ...] = (
    (),
    ("Yes: it is refused", "No: it may be done"),
    ("Yes to one of these: it is refused", "No to all of these: it may be done"),
)


class Doubting(ABC):
    """The part of an engine that asks; what it works on is told by `Engine`."""

    state: State
    law: Law
    cause: Cause | None

    @abstractmethod
    def emit(self, kind: str, actor: str | None = None, /, **more: Any) -> Event:
        """Record an event."""

    @abstractmethod
    def view(self, env: Env | None = None) -> View:
        """Return a view of the state under the law of the step."""

    def ask_about(self, doubt: Undecided, item: Item | None = None, act: str = "", actor: str | None = None) -> None:
        """Turn a doubt of the law into a question; where an act was tried, it is about that act.

        Whoever the law names for a doubt about an act is asked; the table, where it names nobody.
        """
        finding = at_fault(doubt)
        if finding is not None:
            finding = open_now(self.law, self.state, finding)
        cause = item.cause if item else None
        if finding is None:
            words = f" (“{cause.words}”)" if cause and cause.words else ""
            where = f"rule {cause.rule}{words}" if cause else "the law"
            self.ask(
                f"{where[0].upper()}{where[1:]} gives no answer, because {doubt.reason}. It is left out here; "
                "what do you agree on?",
                rule=cause.rule if cause else None,
                drops=item is not None,
            )
            return
        options: list[str] = []
        for source in finding.sources if finding.outcome == "torn" else ():
            with suppress(Undecided):
                options.append(written(as_set(source).value.run(self.view({}))))
        declared = self.law.vocabulary.keys[finding.key]
        # To ask is no answer, and what the rules have said already has led here.
        offered = [f'"{value}"' for value in declared.values if value != finding.value]
        options = list(dict.fromkeys(options)) or list(doubt.options) or offered
        options = [one for one in options if one != f'"{declared.asks}"']
        kind = (declared.type.item or declared.type).name
        if not options and kind == "player":
            options = [*(["nobody"] if declared.type.item else []), *self.state.playing]
        if not options:
            options = {"truth": ["true", "false"], "list": ["[]"]}.get(declared.type.name, [])
        first = str(finding).split("\n", 1)[0]
        itself = finding is doubt.finding
        reason, when = (doubt.reason, doubt.when) if itself else (first, finding.when)
        where = f" where {when}" if when and not itself else ""
        about = item.env.get("proposal") if item is not None and "proposal" in declared.case else None
        concerned = f" (proposal {about.id})" if isinstance(about, Ref) else ""
        meaning = declared.meaning
        if finding.key.startswith("may."):
            meaning = f"whether {act}" if act else _whether(meaning, finding)
        if declared.apart:  # one answer is for all of them
            meaning += f"; what is agreed on holds for each {' and '.join(declared.case)}, and itself is left out of it"
        text = f"{reason[0].upper()}{reason[1:]}{where}: {meaning}{concerned}."
        # No rule speaks, and it is no matter of the case or of the occasion: the answer holds until one does.
        plain = finding.outcome == "silent" and reason == first
        general = plain and not (declared.case or when or doubt.options)
        who = who_says(self.law, self.state, actor) if actor else ()
        worded = PEOPLE_SAY[min(len(finding.bans), 2)] if who and act else ()
        if worded:
            text = f"Whether {act} is for others to say: {'; or '.join(finding.bans)}."
            options = ["false", "true"]
        self.ask(
            text, rule=self._concerned(finding, cause), key=finding.key, options=options, when=when,
            general=general, who=who, turn=doubt.turn, by=actor if who else None, words=worded,
        )  # fmt: skip

    def _concerned(self, finding: Finding, cause: Cause | None) -> Number | None:
        """Return the rule that a question is about: one that speaks of it, or needs it, or is at work."""
        at_work = cause or self.cause
        rules = (finding.rule, self.law.needing(finding.key), at_work.rule if at_work else None)
        return next((one for one in rules if one is not None), None)

    def ask(
        self,
        text: str,
        *,
        rule: object = None,
        key: str = "",
        options: list[str] | None = None,
        drops: bool = False,
        who: tuple[str, ...] | None = None,
        when: str = "",
        set_aside: tuple[tuple[str, int, int], ...] = (),
        general: bool = False,
        turn: int = 0,
        by: str | None = None,
        words: tuple[str, ...] = (),
    ) -> None:
        """Stop play with a question. Those asked must agree on an answer."""
        case = {
            "when": when, "general": general, "set_aside": set_aside, "turn": turn, "by": by, "words": words,
        }  # fmt: skip
        self.emit(
            "asked", data=case, text=text, who=who or self.state.present, key=key, options=options or [],
            rule=rule, drops=drops,
        )  # fmt: skip


def who_says(law: Law, state: State, actor: str) -> tuple[str, ...]:
    """Return who is asked about what somebody would do, where the law names persons who are there."""
    finding = law.find("question.asked", state, {"player": actor})
    return tuple(name for name in names_of(finding.value) if name in state.present) if finding.answered else ()


def open_now(law: Law, state: State, finding: Finding) -> Finding:
    """Return what is to be asked: the last in a chain of findings, each open for want of the next one.

    A chain that leads into what is to come ends where the law answers already, as play stands: to ask that would be in
    vain.
    """
    root = finding.root
    while root is not None and not law.find(root.key, state, dict(root.case)).answered:
        finding, root = root, root.root
    return finding


def _whether(meaning: str, finding: Finding) -> str:
    """Say whose act a permission is about, as far as the case tells."""
    who = dict(finding.case).get("player")
    return meaning.replace("a player", str(who.id), 1) if isinstance(who, Ref) else meaning
