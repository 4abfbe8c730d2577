"""A warning that the score of a proposal lets its proponent win."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from nomic_nb.engine.law.nodes import Expression, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Proposal, Vote
from nomic_nb.engine.words import number_text, rule_citation
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.queries import all_effects, evaluate_or_none
from nomic_nb.study.review.votes import find_needed_votes
from nomic_nb.study.review.warnings.registry import Messages, add_citation, check


@check("wins-by-score", "destructive", cost="try")
def warn_of_win_by_score(run: DryRun) -> Messages:
    """Warn that its score lets its proponent win, with few votes in favour: a number far ahead can outweigh all votes.

    Propose it under a smaller number, or vote against it.

    Example: github-nomic, as 1000: nb.enact("So be it.")
    """
    base, number, change, player = run.before, run.number, run.change, run.player
    if number is None or not base.law.clauses_about("proposal.score") or "points" not in base.law.tables:
        return
    proposal = Proposal(number, change, player, base.turn, status="defeated", circuit=base.circuit)
    asked = with_proposal(base, proposal)
    vote, win = find_needed_votes(asked, proposal, power=False).vote, asked.find("win.points")
    if vote is None or player not in vote.electorate or not isinstance(win.value, int | Fraction):
        return
    try:
        has = View(asked, {}, asked.law).value_of_field(ThingRef("player", player), "points")
    except Undecided:
        return
    if not isinstance(has, int | Fraction):
        return
    others = [name for name in vote.electorate if name != player]
    best = _score_of_vote(asked, proposal, vote, vote.electorate)
    if best is None or not has < win.value <= has + best[0]:
        return
    for many in range(len(others) + 1):
        outcome = _score_of_vote(asked, proposal, vote, (player, *others[:many]))
        if outcome is None:
            return
        score, lost, rule = outcome
        if has < win.value <= has + score + lost:
            scored = say(
                "score-wins",
                "as {number} it would bring {player} {score} points with {votes} in favour{by}, and so the win: "
                "{points} points win",
                number=number, player=player, score=number_text(score), votes=f"{many + 1} of {len(others) + 1} votes",
                by=rule_citation(rule), points=number_text(win.value)
            )  # fmt: skip
            yield add_citation(scored, win.rule)
            return


def _score_of_vote(
    state: State, proposal: Proposal, vote: Vote, supporters: tuple[str, ...]
) -> tuple[int | Fraction, int | Fraction, Number | None] | None:
    """Return the proposal's score with these supporters, the loss if it fails, and the rule.

    None if the law does not say.
    """
    ballots = {name: "for" if name in supporters else "against" for name in vote.electorate}
    closed = with_proposal(state, replace(proposal, vote=replace(vote, ballots=ballots)))
    finding, adopted, fails = (
        closed.find(key, **proposal.law_case) for key in ("proposal.score", "vote.adopted", "defeat.points")
    )
    lost = fails.value if adopted.value is not True and fails.answered else 0
    awarded = _find_score_award(state.law)
    if awarded is None or not finding.answered:
        return None
    score = evaluate_or_none(awarded, closed, **proposal.law_case)
    if isinstance(score, int | Fraction) and isinstance(lost, int | Fraction):
        return score, lost, finding.rule
    return None


def _find_score_award(law: Law) -> Expression | None:
    """Return the amount that a rule awards for a proposal's score; None if none does."""
    places = (place for effect in all_effects(law.acting_clauses) for _, place in effect.places)
    return next((place for place in places if isinstance(place, Expression) and "proposal.score" in place.keys), None)
