"""Judgments, as players see them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import DisplayedAlike
from nomic_nb.engine.errors import NotThere
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import JUDGMENT_STATUS, Judgment, Ruling
from nomic_nb.study.frames import make_frame

if TYPE_CHECKING:
    import pandas as pd


class Judgments(DisplayedAlike):
    """The judgments of a game, keyed by id; iteration follows their order.

    Parameters
    ----------
    state : State
        State of the game in which to view them.
    """

    def __init__(self, state: State) -> None:
        self.state = state

    @explain_argument_errors
    def __getitem__(self, id: int) -> Judgment:
        """Return one judgment.

        Raises
        ------
        KeyError
            There is none of this number.
        """
        if id not in self.state.judgments:
            raise NotThere(
                "no-such-judgment",
                "there is no judgment {judgment}; this game has {count}",
                judgment=id,
                count=len(self),
            )
        return self.state.judgments[id]

    def __iter__(self) -> Iterator[Judgment]:
        return iter(self.state.judgments.values())

    def __len__(self) -> int:
        return len(self.state.judgments)

    def resting_on(self, rule: Rule) -> tuple[Judgment, ...]:
        """Return the judgments whose ruling rests on a rule."""
        return tuple(
            judgment for judgment in self if judgment.ruling is not None and rule.id in judgment.ruling.rests_on
        )

    def related_rulings(self, judgment: Judgment) -> tuple[tuple[int, Ruling], ...]:
        """Return a judgment's overruled rulings and earlier ones on the same rules, as pairs of judgment id and ruling.

        They do not bind (212); they are those in the same question, and those that rest on the same rules.
        """
        overruled = ((judgment.id, ruling) for ruling in judgment.overruled)
        rests = set(judgment.ruling.rests_on) if judgment.ruling else set()
        older = ((other.id, other.ruling) for other in self if other.id < judgment.id and other.ruling is not None)
        return (*overruled, *((id, ruling) for id, ruling in older if rests & set(ruling.rests_on)))

    def law_book_remarks(self, rule: Rule) -> tuple[str, ...]:
        """Return sentences for the law book, one for each judgment that rests on a rule."""
        return tuple(
            f"Judgment {judgment.id} (turn {judgment.turn}), by {judgment.ruling.judge}: {judgment.ruling.text} "
            f"({JUDGMENT_STATUS[judgment.status]})"
            for judgment in self.resting_on(rule)
            if judgment.ruling is not None
        )

    def current_rule_numbers(self, ruling: Ruling) -> tuple[str, ...]:
        """Return the current numbers of the rules that a ruling rests on, as texts; repealed rules are marked."""
        book = self.state.rules
        named = {rule.id: f"{rule.number} (repealed)" for rule in book.repealed}
        named |= {rule.id: str(rule.number) for rule in book}
        return tuple(named[id] for id in ruling.rests_on)

    @property
    def frame(self) -> pd.DataFrame:
        """The judgments as a DataFrame.

        Indexed by ``judgment`` (int64), with ``turn`` (int64: number of turns begun when the question was asked),
        ``question``, ``by``, ``judge``, ``status``, ``ruling``, ``reasons``, ``rests_on``, ``orders`` (string; missing
        if none exists).
        """
        rows = []
        for judgment in self:
            ruled, told = judgment.ruling, list[str | None]([None] * 4)
            if ruled is not None:
                rests_on = self.current_rule_numbers(ruled)
                told = [ruled.text, ruled.reasons, ", ".join(rests_on), "; ".join(ruled.orders)]
            status = JUDGMENT_STATUS[judgment.status]
            rows.append((judgment.id, judgment.turn, judgment.question, judgment.by, judgment.judge, status, *told))
        names = "int64: judgment turn; string: question by judge status ruling reasons rests_on orders"
        return make_frame(names, rows, "judgment")
