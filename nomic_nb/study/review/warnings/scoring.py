"""What a proposal is worth to its proponent, where that lets them win: a number far ahead can outweigh all votes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.nodes import Expression, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import Ref
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Proposal, Vote
from nomic_nb.engine.words import cited, figure
from nomic_nb.study.review.votes import needed_for


def wins_by_its_score(base: State, change: Change, player: str, number: Number | None) -> Iterator[str]:
    """Say with how few votes in favour the score of a proposal lets its proponent win.

    Parameters
    ----------
    base : State
        A calm one.
    change, player, number
        What is proposed, by whom, and its number.
    """
    if number is None or not base.law.speaking("proposal.score") or "points" not in base.law.tables:
        return
    proposal = Proposal(number, change, player, base.turn, status="defeated", circuit=base.circuit)
    asked = with_proposal(base, proposal)
    vote, win = needed_for(asked, proposal, power=False).vote, asked.find("win.points")
    if vote is None or player not in vote.electorate or not isinstance(win.value, int | Fraction):
        return
    try:
        has = View(asked, {}, asked.law).field(Ref("player", player), "points")
    except Undecided:
        return
    if not isinstance(has, int | Fraction):
        return
    others = [name for name in vote.electorate if name != player]
    best = _scored(asked, proposal, vote, vote.electorate)
    if best is None or not has < win.value <= has + best[0]:
        return
    for many in range(len(others) + 1):
        scored = _scored(asked, proposal, vote, (player, *others[:many]))
        if scored is None:
            return
        score, lost, rule = scored
        if has < win.value <= has + score + lost:
            votes = f"{many + 1} of {len(others) + 1} votes in favour"
            yield (
                f"as {number} it would bring {player} {figure(score)} points with {votes}{cited(rule)}, "
                f"and so the win: {figure(win.value)} points win{cited(win.rule)}"
            )
            return


def _scored(
    state: State, proposal: Proposal, vote: Vote, supporters: tuple[str, ...]
) -> tuple[int | Fraction, int | Fraction, Number | None] | None:
    """Return what a proposal is worth if these voters alone are for it, what it costs if it fails then, and the rule.

    None if the law does not say.
    """
    ballots = {name: "for" if name in supporters else "against" for name in vote.electorate}
    closed = with_proposal(state, replace(proposal, vote=replace(vote, ballots=ballots)))
    found, adopted, fails = (
        closed.find(key, **proposal.case) for key in ("proposal.score", "vote.adopted", "defeat.points")
    )
    lost = fails.value if adopted.value is not True and fails.answered else 0
    awarded = _awarded(state.law)
    if awarded is None or not found.answered:
        return None
    try:
        score = awarded.run(View(closed, proposal.case, closed.law))
    except Undecided:
        return None
    if isinstance(score, int | Fraction) and isinstance(lost, int | Fraction):
        return score, lost, found.rule
    return None


def _awarded(law: Law) -> Expression | None:
    """Return what some rule awards for the score of a proposal, which may be rounded."""
    places = (place for clause in law.acting for effect in clause.every_effect() for _, place in effect.places)
    return next((one for one in places if isinstance(one, Expression) and "proposal.score" in one.keys), None)
