"""Whether nobody can win any more: proved by trying all cases that a rule on winning can tell apart, or not said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product

from nomic_nb.engine.law.findings import Finding, set_clause_of
from nomic_nb.engine.law.nodes import Expression, Node, Undecided, View, walk_expressions
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number, SourceClause
from nomic_nb.engine.law.values import LARGEST, ThingRef, Value
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Proposal, Vote, player_names
from nomic_nb.engine.words import number_text, rule_citation
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.queries import all_effects, evaluate_or_none
from nomic_nb.study.review.votes import find_needed_votes
from nomic_nb.study.review.warnings.registry import Messages, add_citation, check

# --------------------------------------------------------------------------------- whether nobody can win any more


#: On what it may hang who wins, so that all cases can be tried.
TRIED_FIELDS = frozenset({"players", "tables", "turn", "circuit", "seats", "rules"})
#: Players up to whom all cases are tried, and cases in all.
MOST_PLAYERS, MOST_CASES = 12, 3_000


def finding_that_nobody_can_win(state: State) -> Finding | None:
    """Return what the law says on who wins if provably nobody ever can; None if somebody can or it is unsure."""
    finding = state.find("win.winners")
    if not finding.answered or player_names(finding.value):
        return None
    cases = _distinguishable_states(state, _expressions_on_winning(state.law, finding))
    if cases is None:
        return None
    some = list(islice(cases, MOST_CASES + 1))
    for distinct_state in some:
        then = distinct_state.find("win.winners")
        if not then.answered or player_names(then.value):
            return None
    return finding if len(some) <= MOST_CASES else None


def _expressions_on_winning(law: Law, finding: Finding) -> list[Expression]:
    """Return the expressions that decide who wins, except those of clauses that are always defeated."""
    always = [
        source for source in finding.sources if set_clause_of(source).condition is None and not source.adds_to_key
    ]
    speaking = [
        source
        for source in law.clauses_and_rulings_about("win.winners")
        if not any(_does_defeat(law, two, source) for two in always)
    ]
    own = [expression for source in speaking for expression in source.expressions]
    return own + law.dependence.expressions_behind(*law.dependence.keys_of_expression(*own))


def _does_defeat(law: Law, clause: SourceClause, other: SourceClause) -> bool:
    """Return True if the first of two clauses on who wins surely defeats the `other` when both apply."""
    try:
        return not any(
            source is other for source in law.precedence.prevailing_clauses([clause, other], "win.winners")[0]
        )
    except Undecided:
        return False


def _distinguishable_states(state: State, expressions: Sequence[Expression]) -> Iterator[State] | None:
    """Return an iterator over all states that expressions can tell apart; None if not all can be tried."""
    dependence = state.law.dependence
    reads = frozenset().union(*(dependence.fields_of_expression(expression) for expression in expressions))
    tables = {
        name for expression in expressions for name in dependence.reads_of_expression(expression).tables
    } & state.law.tables.keys()
    if (
        not reads <= TRIED_FIELDS
        or len(state.names_of_players) > MOST_PLAYERS
        or not all(map(_is_simple_expression, expressions))
    ):
        return None
    negated = (node.negated_node.value for node in walk_expressions(expressions) if node.negated_node)
    below = {-value for value in negated if type(value) is int}
    numbers = sorted(below | {number for expression in expressions for number in expression.constant_numbers()})
    around = (
        0,
        *dict.fromkeys(near for number in numbers for near in (number - 1, number, number + 1)),
        LARGEST,
        -LARGEST,
    )
    texts = (*dict.fromkeys(text for expression in expressions for text in expression.constant_texts()), "")
    kinds: dict[str, Sequence[Value]] = {"number": around, "text": texts, "truth": (True, False)}
    shapes = {name: state.law.tables[name] for name in sorted(tables)}
    if any(table.keys not in ((), ("player",)) or table.holds.name not in kinds for table in shapes.values()):
        return None
    clock = tuple(number for number in around if number > 0) if reads & {"turn", "circuit"} else (state.turn,)
    each = [kinds[table.holds.name] for table in shapes.values() for _ in range(1 + (table.keys == ("player",)))]
    return _states_to_try(state, tuple(shapes), clock, each)


def _states_to_try(
    state: State, tables: Sequence[str], clock: Sequence[int], table_values: Sequence[Sequence[Value]]
) -> Iterator[State]:
    """Yield states that combine players still in the game, turn and circuit numbers from `clock`, and table values."""
    for turn, circuit in product(clock, clock):
        for own in state.names_of_players:
            others = [name for name in state.names_of_players if name != own]
            for left in range(len(others) + 1):
                here = {own, *others[:left]}
                players = {name: replace(player, playing=name in here) for name, player in state.players.items()}
                base = state.replace(players=players, turn=turn, circuit=circuit)
                for values in product(*table_values):
                    yield _state_with_values(base, tables, own, values)


def _state_with_values(state: State, tables: Sequence[str], own: str, values: Sequence[Value]) -> State:
    """Return the state with values put in tables: one per table, or player `own`'s and then that of all others."""
    changed_tables, waiting = dict(state.tables), list(values)
    for name in tables:
        if state.law.tables[name].keys == ():
            changed_tables[name] = changed_tables[name].with_entry((), waiting.pop(0))
            continue
        mine, theirs = waiting.pop(0), waiting.pop(0)
        for player in state.players:
            changed_tables[name] = changed_tables[name].with_entry(
                (ThingRef("player", player),), mine if player == own else theirs
            )
    return state.replace(tables=changed_tables)


def _is_simple_expression(expression: Expression) -> bool:
    """Return True if an expression only compares values in simple ways, so that few states need trying."""
    inner = [node.loop for node in expression.walk() if node.loop]
    quantifiers = [one for one in inner if one in ("any", "all")]
    # More of them could ask for several others who differ from one another.
    few = len(inner) - len(quantifiers) <= 1 and len(quantifiers) <= 1
    return few and all(map(_is_simple_node, expression.walk()))


def _is_simple_node(node: Node) -> bool:
    """Return True if a node is a plain constant, name, comparison, look-up, loop or count."""
    if node.function:
        return node.function == "count" and node.parts[0].name != ""
    if node.comparison in ("<", "<=", ">", ">="):
        # Two that both vary have values between which there are none that are tried.
        return any(part.is_constant or part.key or part.negated_node for part in node.parts)
    if node.negated_node:
        return node.negated_node.is_constant
    # A closed list: a part of a kind that is not on it proves nothing.
    words = node.name or node.key or node.field or node.loop or node.connective or node.comparison
    return bool(words or node.parts_of_choice) or node.is_constant or node.list_items is not None


# --------------------------------------------------- a warning that the score of a proposal lets its proponent win


@check("wins-by-score", "destructive", cost="try")
def warn_of_win_by_score(run: DryRun) -> Messages:
    """Warn that the proposal's score makes its proponent win with few votes: a very high number can outweigh all votes.

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
                "as {number}, it would give {player} {score} points with {votes} in favour{by}, which is "
"enough to win: {points} points win",
                number=number, player=player, score=number_text(score), votes=f"{many + 1} of {len(others) + 1} votes",
                by=rule_citation(rule), points=number_text(win.value)
            )  # fmt: skip
            yield add_citation(scored, win.rule)
            return


def _score_of_vote(
    state: State, proposal: Proposal, vote: Vote, supporters: tuple[str, ...]
) -> tuple[int | Fraction, int | Fraction, Number | None] | None:
    """Return a proposal's score with given supporters, points lost if it fails, and the rule's number; None if open.

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
    """Return the expression by which a rule awards a proposal's score; None if no rule does."""
    places = (place for effect in all_effects(law.acting_clauses) for _, place in effect.places)
    return next((place for place in places if isinstance(place, Expression) and "proposal.score" in place.keys), None)
