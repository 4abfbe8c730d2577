"""What players see of what is under way: turns, of which several can overlap, and what is to be decided."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeVar, overload

from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import OutOfRange
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.choices import ActChoice, list_choices
from nomic_nb.engine.play.decisions import decisions, numbers_are_assigned
from nomic_nb.engine.play.offers import veiled_offer_lines
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Decision, Turn, first_options
from nomic_nb.engine.subjects.speech import heard_phrases, list_phrases
from nomic_nb.engine.words import rule_citation
from nomic_nb.study.views.explanations import describe_ban

# ------------------------------------------------------------------------------------- what players see one by one


_One = TypeVar("_One")


class ListedRow(Displayed, Sequence[_One]):
    """What is shown one by one.

    Parameters
    ----------
    row : tuple
        All of it.
    """

    def __init__(self, row: tuple[_One, ...]) -> None:
        self.row = row

    @overload
    def __getitem__(self, at: int) -> _One: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[_One, ...]: ...
    @explain_argument_errors
    def __getitem__(self, at: int | slice) -> _One | tuple[_One, ...]:
        try:
            return self.row[at]
        except IndexError:
            there = f"there are {len(self)}, [0] to [{len(self) - 1}]" if self.row else "there is nothing here"
            raise OutOfRange(say("no-such-decision", "there is no [{place}]; {known}", place=at, known=there)) from None

    def __len__(self) -> int:
        return len(self.row)


# --------------------------------------------------------------------------- what players see of what is under way


def describe_turn(turn: Turn) -> str:
    """Say which turn it is, and how far it has come.

    Examples
    --------
    >>> describe_turn(Turn(2, "Ben", "proposal"))
    'turn 2: proposal'
    """
    return f"turn {turn.number}" + (f": {turn.part}" if turn.part else "")


def closed_reason(choice: ActChoice) -> str:
    """Return in plain words why something is not open: what the rule says of the game as it stands, or which it is."""
    stands = describe_ban(choice.clause, choice.player) if choice.clause is not None else ""
    return f"{stands or choice.why}{rule_citation(choice.rule)}"


class PendingDecisions(ListedRow[Decision]):
    """The open decisions: who must or may decide what, by which rule.

    Parameters
    ----------
    state : State
        As the game stands.
    ended : str
        Why nothing is open; empty where something can be.
    """

    def __init__(self, state: State, ended: str) -> None:
        super().__init__(decisions(state))
        self.state, self.ended = state, ended

    @property
    def numbered(self) -> bool:
        """Whether players say which number a proposal has."""
        return numbers_are_assigned(self.state)

    @property
    def veiled(self) -> tuple[str, ...]:
        """What is told of offers in place of those to whom they are open, where only these see that."""
        return veiled_offer_lines(self.state)

    @cached_property
    def choices(self) -> tuple[ActChoice, ...]:
        """What players can choose among where a rule leaves it to them, and what they cannot."""
        return list_choices(self.state)

    @property
    def seen(self) -> tuple[Decision, ...]:
        """The decisions that everybody may see."""
        return tuple(one for one in self if not one.unseen)

    @property
    def chosen_from(self) -> tuple[str, ...]:
        """What players can choose among, and what they cannot and why, as lines."""
        return tuple(
            f"{one.player} cannot {one.what}: {closed_reason(one)}" if one.why
            else f"{one.player} can {'beside this ' if one.beside else ''}{one}"
            for one in self.choices
        )  # fmt: skip

    @property
    def listened(self) -> str:
        """What rules listen for, as a line; empty where they listen for nothing."""
        heard = () if self.ended or self.state.questions else heard_phrases(self.state)
        return f"rules listen for: {list_phrases(heard)}" if heard else ""

    def of(self, player: str) -> tuple[Decision, ...]:
        """Return what one player must or may decide."""
        return tuple(one for one in self if one.player in (player, None))

    def __str__(self) -> str:
        lines = []
        for one in self.seen:
            ends = one.prompt.endswith(("?", "!", "."))
            options = f"{'' if ends else ':'} {first_options(one.options)}" if one.options else ""
            may = "" if one.must else ", if they like"
            lines.append(
                f"{one.player or 'anyone'} – {one.prompt}{options}{may}{rule_citation(one.rule)}  → {one.action}"
            )
        lines = lines or [self.ended or "nothing is pending"]
        return "\n".join([*lines, *self.veiled, *self.chosen_from, *filter(None, [self.listened])])
