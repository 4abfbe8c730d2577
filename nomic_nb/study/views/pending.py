"""Views of the current play: turns, several of which can overlap, and open decisions."""

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
from nomic_nb.engine.play.offers import depends_on_hidden_entries, offer_words
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Decision, Turn, list_options
from nomic_nb.engine.words import rule_citation
from nomic_nb.study.views.explanations import ban_condition_phrase
from nomic_nb.study.views.unheard import heard_phrases, list_phrases

# ------------------------------------------------------------------------------------- what players see one by one


_One = TypeVar("_One")


class ListedRow(Displayed, Sequence[_One]):
    """A row whose parts are shown one by one.

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
            there = f"there are {len(self)}, from [0] to [{len(self) - 1}]" if self.row else "the list is empty"
            raise OutOfRange(
                "no-such-decision", "there is no entry [{place}]; {known}", place=at, known=there
            ) from None

    def __len__(self) -> int:
        return len(self.row)


# ------------------------------------------------------------------------------ the current turn as players see it


def earlier_moment_note(timeline: Timeline | None, state: State) -> str:
    """Return a sentence on the moment that a value comes from; empty if the game is still as it was then."""
    if timeline is None or timeline.state is state:
        return ""
    return say(
        "seen-earlier",
        "This is from after event {event}. The game is now at event {now}.",
        event=state.seq,
        now=timeline.state.seq,
    )


def part_of_turn(turn: Turn) -> str:
    """Return a colon and the part that a turn is in, or an empty text; rules call the roll of the dice a throw.

    Examples
    --------
    >>> part_of_turn(Turn(2, "Ben", "throw")), part_of_turn(Turn(2, "Ben", None))
    (': roll', '')
    """
    return f": {'roll' if turn.part == 'throw' else turn.part}" if turn.part else ""


def describe_turn(turn: Turn) -> str:
    """Return the number and part of a turn as text, such as “turn 2: proposal”.

    Examples
    --------
    >>> describe_turn(Turn(2, "Ben", "proposal"))
    'turn 2: proposal'
    """
    return f"turn {turn.number}{part_of_turn(turn)}"


def why_choice_is_closed(choice: ActChoice) -> str:
    """Return in words why a player cannot take a choice now, with the number of the rule that says so."""
    stands = ban_condition_phrase(choice.clause, choice.player) if choice.clause is not None else ""
    return f"{stands or choice.why}{rule_citation(choice.rule)}"


class PendingDecisions(ListedRow[Decision]):
    """The open decisions: who must or may decide, about what, and under which rule.

    Parameters
    ----------
    state : State
        Current state of the game.
    ended : str
        Reason why nothing can be open; empty if something can.
    timeline : Timeline, optional
        The game, which tells whether it is still in this state.
    """

    def __init__(self, state: State, ended: str, timeline: Timeline | None = None) -> None:
        super().__init__(decisions(state))
        self.state, self.ended, self.timeline = state, ended, timeline

    @property
    def moment_note(self) -> str:
        """A sentence on the moment that the decisions come from; empty if the game is still as it was then."""
        return earlier_moment_note(self.timeline, self.state)

    @property
    def are_numbers_assigned(self) -> bool:
        """Whether players must give a number when they propose."""
        return numbers_are_assigned(self.state)

    @property
    def hidden_offer_lines(self) -> tuple[str, ...]:
        """Lines that tell everybody about the existence of offers which only some players see."""
        return tuple(
            f"who can take “{offer_words(source)}” depends on values only their owner can see (rule "
            f"{source.rule.number})"
            for source in (self.state.law.offers if not self.state.over else ())
            if depends_on_hidden_entries(self.state, source)
        )

    @cached_property
    def act_choices(self) -> tuple[ActChoice, ...]:
        """The choices that rules leave to players, including those that they cannot take now."""
        return list_choices(self.state)

    @property
    def visible_decisions(self) -> tuple[Decision, ...]:
        """The decisions that everybody may see."""
        return tuple(decision for decision in self if not decision.unseen)

    @property
    def choice_lines(self) -> tuple[str, ...]:
        """Lines on what players can choose, and what they cannot and why."""
        return tuple(
            f"{act_choice.player} can’t {act_choice.what}: {why_choice_is_closed(act_choice)}" if act_choice.why
            else f"{act_choice.player} can {'also ' if act_choice.beside else ''}{act_choice}"
            for act_choice in self.act_choices
        )  # fmt: skip

    @property
    def listening_line(self) -> str:
        """A line on the phrases that rules listen for; empty if they listen for none."""
        heard = () if self.ended or self.state.questions else heard_phrases(self.state)
        return f"rules listen for: {list_phrases(heard)}" if heard else ""

    def of_player(self, player: str) -> tuple[Decision, ...]:
        """Return the decisions that one player must or may make."""
        return tuple(decision for decision in self if decision.player in (player, None))

    def __str__(self) -> str:
        lines = []
        for decision in self.visible_decisions:
            ends = decision.prompt.endswith(("?", "!", "."))
            options = list_options(decision.options, f"game.pending[{self.index(decision)}].options")
            options = f"{'' if ends else ':'} {options}" if options else ""
            may = "" if decision.must else ", if they like"
            lines.append(
                f"{decision.player or 'anyone'} – {decision.prompt}{options}{may}{rule_citation(decision.rule)}"
                f"  → {decision.action}"
            )
        lines = lines or [self.ended or "nothing to decide at the moment"]
        more = filter(None, [self.listening_line, self.moment_note])
        return "\n".join([*lines, *self.hidden_offer_lines, *self.choice_lines, *more])
