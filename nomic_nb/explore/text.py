"""A review, and what matters most of it in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from nomic_nb.errors import LawError
from nomic_nb.explore.boards.compare import OnBoards
from nomic_nb.explore.boards.meter import Meter
from nomic_nb.explore.passing import Future, Step
from nomic_nb.explore.references import Dangling
from nomic_nb.explore.seen import Smell
from nomic_nb.explore.standing import Moved, Voided
from nomic_nb.explore.terms import Met, Turned
from nomic_nb.explore.votes import Needed
from nomic_nb.law.changes import Change
from nomic_nb.law.rules import Number
from nomic_nb.markup.words import cited, grouped, listed, upper_first
from nomic_nb.play.trial import Adoption
from nomic_nb.shown import Drawn
from nomic_nb.views.proposed import Proposed
from nomic_nb.views.redline import Difference

#: When a change takes effect, in words.
DUE = {
    "vote closed": "the vote is complete", "turn ended": "the turn is over", "circuit ended": "the circuit is over",
    "when ready": "it is ready, by change.ready", "target is freed": "the rule is no longer guaranteed to stand",
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Review(Drawn):
    """What a rule-change would do. Hints and forecasts: nothing in it stops a proposal.

    Parameters
    ----------
    change : Change
        What is reviewed.
    player : str
        Who would propose it.
    number : int or str or None
        The number that the proposal has, or would take if it came next.
    example : bool
        Whether the number is only an example, because others assign it.
    error : LawError or None
        Why the clauses cannot be read; then only the redline and the signs are there.
    missing : str
        Why there is nothing to be changed: no such rule, or no such amendment.
    proposable : bool or None
        Whether the law lets it be proposed, whoever's turn it is; None where it does not say.
    barred : str
        Why it cannot be proposed.
    redline : Difference or None
        The rule before and after, word by word.
    parts : tuple of Proposed
        The changes that are made together, each beside its rule; none where it is a single one.
    votes : Needed or None
        What adopts it, who votes, and whose ballot decides.
    turned : tuple of Turned
        Terms of the law with another value afterwards.
    met : tuple of Met
        Rules that prevail, or are defeated, where they did not before.
    voided : tuple of Voided
        Rules that become void, or are void no more.
    moved : tuple of Moved
        Rules with another number or another standing.
    dangling : tuple of Dangling
        References that point at nothing, or at another rule.
    on_boards : OnBoards or None
        Moves gained and lost, kings in check, and what is different on the boards; None where nothing is.
    power : Meter or None
        What it makes of the power of each kind of piece of each player; None where no rule looks at that, or it is
        the same.
    follows : tuple of str
        What else the adoption sets off.
    smells : tuple of Smell
        Warning signs, each with its evidence.
    steps : tuple of Step
        What has to come first, and then the change itself; empty where it can be proposed, or no way is known.
    way_round : Step or None
        A new rule that would do the same, where the rule itself cannot be changed.
    adoption : Adoption or None
        What adoption brings.
    future : Future or None
        Whether any rule-change could still be adopted afterwards.
    """

    change: Change
    player: str
    number: Number | None = None
    example: bool = False
    error: LawError | None = None
    missing: str = ""
    proposable: bool | None = None
    barred: str = ""
    redline: Difference | None = None
    parts: tuple[Proposed, ...] = ()
    votes: Needed | None = None
    turned: tuple[Turned, ...] = ()
    met: tuple[Met, ...] = ()
    voided: tuple[Voided, ...] = ()
    moved: tuple[Moved, ...] = ()
    dangling: tuple[Dangling, ...] = ()
    on_boards: OnBoards | None = None
    power: Meter | None = None
    follows: tuple[str, ...] = ()
    smells: tuple[Smell, ...] = ()
    steps: tuple[Step, ...] = ()
    way_round: Step | None = None
    adoption: Adoption | None = field(default=None, repr=False)
    future: Future | None = None

    @property
    def effect(self) -> str:
        """What adoption comes to, in a sentence; empty where the change cannot be made."""
        adoption = self.adoption
        if adoption is None:
            return ""
        if adoption.note:
            return f"It would be adopted without effect: {adoption.note}."
        if not adoption.in_force:
            return "Whether it comes into force is open: " + " ".join(adoption.doubts or ("the law does not say.",))
        due = DUE.get(adoption.due, adoption.due)
        return f"It takes effect as soon as {due}." if due else "When it takes effect is open: the table is asked."

    @property
    def without_effect(self) -> str:
        """Why it would be adopted without effect; empty where it would have one."""
        return self.adoption.note if self.adoption else ""


def verdict(review: Review) -> Iterator[str]:
    """Yield the few sentences that matter most: whether it can be proposed, can pass, and has an effect."""
    if review.error is not None:
        yield f"It cannot be proposed: its clauses cannot be read. {str(review.error).splitlines()[0]}"
        return
    if review.missing:
        yield f"It cannot be proposed: {review.missing}."
        return
    if not review.proposable:
        yield allowed_in_words(review.proposable, review.barred)
    if review.votes is not None:
        if review.proposable is False:
            yield f"If it could be, it would need {review.votes.in_short}."
        else:
            yield from vote_in_words(review.votes)
    yield review.effect


def allowed_in_words(allowed: bool | None, barred: str) -> str:
    """Say whether a change can be proposed now; None where that is open."""
    if allowed is None:
        return f"Whether it can be proposed is open: {barred or 'the law does not say'}."
    return "It can be proposed." if allowed else f"It cannot be proposed now: {barred}."


def vote_in_words(votes: Needed) -> Iterator[str]:
    """Say what adopts it, whether that can be reached, and whose ballot decides."""
    voters = listed([voter.name for voter in votes.voters])
    who = f"{voters} may vote{cited(votes.electorate.rule)}"
    if votes.passes is True:
        yield f"It can pass: {votes.in_short} are needed. {upper_first(who)}."
        if votes.duty is not None and votes.duty.value is False:
            yield f"Nobody has to vote{cited(votes.duty.rule)}; whoever does not is not counted in favour."
    elif votes.passes is False:
        yield f"It cannot pass: {votes.why}. {upper_first(who)}."
    else:
        yield f"Whether it can pass is open: {votes.why}."
    if len({voter.weight for voter in votes.voters}) > 1:
        yield "Weights: " + ", ".join(f"{voter.name} {voter.weight}" for voter in votes.voters) + "."
    said = power_in_words(votes)
    if said:
        yield said


def power_in_words(votes: Needed) -> str:
    """Say whose ballot decides, and in how many of the ways in which the others can vote."""
    if votes.unknown:
        return f"Whose ballot decides is not known: {votes.unknown}."
    if votes.passes is None or not votes.voters:
        return ""
    groups = grouped((voter.decides or 0, voter.name) for voter in votes.voters)
    parts = []
    for decides, names in sorted(groups.items(), reverse=True):
        whose = f"{names[0]}’s vote" if len(names) == 1 else f"the vote of each of {listed(names)}"
        if decides == 0:
            parts.append(f"{whose} never decides the result")
        else:
            ways = f"{decides} of the {votes.ways} ways the others can vote{share(decides, votes.ways)}"
            parts.append(f"{whose} decides the result in {ways}")
    return f"{upper_first('; '.join(parts))}."


def share(part: int, whole: int) -> str:
    """Return a share in percent where the numbers are too large to be read at a glance."""
    return f" ({float(100 * Fraction(part, whole)):.1f} %)" if whole > 64 else ""
