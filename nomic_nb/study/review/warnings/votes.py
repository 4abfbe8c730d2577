"""Warnings about votes that close too early or too late, or pass with a tie where more votes would not do."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from nomic_nb.engine.law.clauses import OfferClause, SetClause
from nomic_nb.engine.law.nodes import Expression, Undecided
from nomic_nb.engine.law.rules import OTHERWISE
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.adoptability import suppose_proposed
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import calm_state, state_under_vote
from nomic_nb.engine.play.vote_rules import is_adopted
from nomic_nb.study.review.cases import NEW_RULE_EXAMPLE, vote_on_example
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.warnings.registry import Messages, check

#: What decides how a vote closes and whether it passes.
_ENDING_KEYS = ("vote.closes", "vote.quota", "vote.adopted", "vote.quorum", "vote.weight", "vote.electorate")


def _count(
    state: State, player: str, supporters: Collection[str], opponents: Collection[str] = ()
) -> tuple[bool, bool]:
    """Return whether a vote on a new rule, with these ballots, closes, and whether it has passed.

    Raises
    ------
    Undecided
        The law does not say.
    """
    vote = vote_on_example(suppose_proposed(state, NEW_RULE_EXAMPLE, player))
    ballots = dict.fromkeys(supporters, "for") | dict.fromkeys(opponents, "against")
    asked, proposal = state_under_vote(state, NEW_RULE_EXAMPLE, player, None, replace(vote, ballots=ballots))
    closes = not state.law.is_silent_on("vote.closes") and asked.find("vote.closes", **proposal.law_case).value is True
    return closes, is_adopted(state.law, asked, proposal)


def _voters(state: State, player: str) -> tuple[str, ...]:
    """Return the names of those who may vote on a new rule."""
    return vote_on_example(suppose_proposed(state, NEW_RULE_EXAMPLE, player)).electorate


@check("cut-short", "destructive", cost="law")
def warn_of_vote_cut_short(run: DryRun) -> Messages:
    """Warn that a vote would close before enough voters are in favour, and no new rule could pass any more.

    Let it close only when its result is certain: `set vote.ends_early to true`.

    Example: nb.enact("Quick.", "set vote.closes to count(supporters) > 1")
    """
    state = calm_state(run.adoption.after)
    new = run.adoption.in_force and any(map(run.has_new_clause_on, _ENDING_KEYS))
    if state.law.is_silent_on("vote.closes") or not new:
        return
    voters = _voters(state, run.player)
    try:
        for many in range(1, len(voters)):
            closes, passed = _count(state, run.player, voters[:many])
            if closes and not passed and _count(state, run.player, voters)[1]:
                yield say(
                    "closes-before-quota", "a vote would close once {many} of {all} are in favour, which is not enough "
                    "to pass, so no new rule could be made any more",
                    many=many, all=len(voters),
                )  # fmt: skip
            if closes:
                return
    except Undecided:
        return


@check("tie-passes", "mismatch", cost="law")
def warn_of_passing_tie(run: DryRun) -> Messages:
    """Warn that a tied vote would pass where one with more in favour fails.

    Break ties only where most votes decide.

    Example: nb.enact("Ties.", "set vote.quota to (votes_for if votes_for == votes_against else otherwise)")
    """
    state = calm_state(run.adoption.after)
    clauses = [one for one in run.new_clauses_of_type(SetClause) if one.key in ("vote.quota", "vote.adopted")]
    voters = _voters(state, run.player)
    try:
        for clause in _tie_breakers(clauses) if run.adoption.in_force else ():
            many = len(voters) // 2 + 1
            if len(voters) > 1 and not _count(state, run.player, voters[:many], voters[many:])[1]:
                yield say(
                    "tie-passes", "“{clause}” lets a tied vote pass, but {many}–{others} would fail",
                    clause=clause, many=many, others=len(voters) - many,
                )  # fmt: skip
    except Undecided:
        return


def _tie_breakers(clauses: Collection[SetClause]) -> Iterator[SetClause]:
    """Yield those of the clauses on what passes that compare those in favour with those against."""
    for clause in clauses:
        nodes = [node for expression in clause.expressions for node in expression.node.walk() if node.comparison]
        pairs = [pair for node in nodes if node.comparison == "==" for pair in node.pairs_of_sides]
        if any(node.parts[0].name == OTHERWISE for node in nodes):
            continue  # it looks at how many votes are needed
        if any((one.name, other.name) == ("votes_for", "votes_against") for one, other in pairs):
            yield clause


@check("vote-goes-on", "too-late", cost="read")
def warn_of_vote_that_goes_on(run: DryRun) -> Messages:
    r"""Warn that an offer asks which open proposal is meant, and the vote on it can be over before the answer.

    Put the effects below `when NAME.status == "open":`.

    Example: nb.enact("N.", 'offer "n": let mover choose p from [q for q in proposals if q.status == "open"]; pay 1 points from mover to p.proponent')
    """  # noqa: E501
    for clause in run.new_clauses_of_type(OfferClause):
        effects = clause.all_effects()
        for asking in effects if clause.all_effects("award", "pay") else ():  # else it is only in vain
            options = getattr(asking, "options", None)
            if isinstance(options, Expression) and "status" in options.words and "open" in options.constant_texts():
                name = asking.name
                looks = any(
                    node.field == "status" and node.parts[0].name == name
                    for effect in effects for expression in effect.expressions for node in expression.node.walk()
                )  # fmt: skip
                if not looks:
                    yield say(
                        "asked-while-open", "while “{offer}” asks for {name}, the vote continues and can be over "
                        "before the answer. Put what follows below `when {name}.status == \"open\":`",
                        offer=clause.name, name=name,
                    )  # fmt: skip
