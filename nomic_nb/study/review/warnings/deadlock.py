"""Warnings that a change would wreck play, bring it to a standstill, or leave nobody a way to win."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from typing import cast

from nomic_nb.engine.law.clauses import InsteadClause, SetClause, TriggerClause
from nomic_nb.engine.law.findings import Finding, set_clause_of
from nomic_nb.engine.law.nodes import (
    STEPS_PER_ACTION,
    BudgetExceeded,
    Expression,
    Node,
    StepMeter,
    Undecided,
    View,
    walk_expressions,
)
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number, SourceClause
from nomic_nb.engine.law.values import LARGEST, ThingRef, Value
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import FAR, can_become_owed, is_duty_open
from nomic_nb.engine.play.engine import EndlessClauses
from nomic_nb.engine.play.loop import Loop
from nomic_nb.engine.play.permissions import find_permission, is_surely_forbidden
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import TrialEngine, calm_state
from nomic_nb.engine.play.turn_order import players_in_order
from nomic_nb.engine.play.values import Proposal, Vote, player_names
from nomic_nb.engine.words import join_words, number_text, rule_citation
from nomic_nb.study.review.adoption import messages_on_closed_kinds
from nomic_nb.study.review.cases import (
    all_effects,
    can_be_set_to,
    can_tables_change_any_time,
    clauses_in_force,
    effects_in_force,
    evaluate_or_none,
    finding_for_example,
    table_changed_by,
    without_open_proposals,
)
from nomic_nb.study.review.dry_run import NEEDED_ON_BOARDS, DryRun
from nomic_nb.study.review.rehearsal import occasions_meeting
from nomic_nb.study.review.terms import answer_with_rule
from nomic_nb.study.review.votes import do_rules_cast_ballots, find_needed_votes
from nomic_nb.study.review.warnings.no_effect import why_never_applies
from nomic_nb.study.review.warnings.registry import Messages, add_citation, check

#: Actions that play waits for, and goes on by no other way.
AWAITED_ACTIONS = frozenset({
    "begin_turn", "call_vote", "choose", "close_vote", "consent", "end_turn", "reveal", "roll", "rule_on", "seal",
    "vote",
})  # fmt: skip
#: Those of them that a player owes in a turn, and how many parts of a turn are played on trial.
TURN_ACTIONS, MOST_PARTS = frozenset({"end_turn", "propose", "roll"}), 8
#: Names by which a ban on proposals is about some proposals alone.
_PROPOSAL_NAMES = frozenset({"change", "player", "proposal", "proponent", "mover", "movers", "target", "targets"})
#: What of the state stays while play waits, but for the clock, or is no matter of what players do.
_LASTING_FIELDS = frozenset({
    "circuit", "clock", "hand", "players", "position", "rules", "seats", "sequence", "turn", "turns",
})  # fmt: skip
#: What of players is otherwise once somebody is back, or has done something.
_ABSENCE_FIELDS = frozenset({"present", "idle"})


@check("standstill", "destructive", cost="try")
def warn_of_standstill(run: DryRun) -> Messages:
    """Warn that the change forbids something that play waits for: proposing, voting, rolling or ending a turn.

    Give the ban a condition that players can end.

    Example: nb.enact("Hush.", "forbid call_vote when turn > 5")
    """
    after = run.adoption.after
    if not run.adoption.in_force:
        return
    when = {supposed.clause.words: supposed.condition_text for supposed in run.supposed}
    for hypothesis in run.supposed:
        if hypothesis.clause.key == "may.propose":
            tables = after.law.dependence.reads_of_expression(cast(Expression, hypothesis.clause.condition)).tables
            if not can_tables_change_any_time(after.law, tables):
                hangs = _is_ban_on_some_proposals(hypothesis.clause)
                yield from _barred_proposer_warning(
                    after if hangs else hypothesis.state, hypothesis.condition_text, hypothesis.rule.number
                )
    if _would_wait_for_dummies(run, after):
        message = say(
            "dummy-without-ballot",
            "play can get stuck: it would wait for a dummy’s vote, and no rule casts it",
        )
        yield _with_winner_when_stuck(after, message)
    bans = (
        (changed_rule.new, clause)
        for changed_rule in run.rules_in_force_after
        for clause in changed_rule.new_clauses
        if isinstance(clause, SetClause)
    )
    for rule, clause in bans:
        action = clause.key.removeprefix("may.")
        if rule is None or clause.value.node.value is not False:
            continue
        if action == "propose" and clause.words not in when:
            yield from _barred_proposer_warning(after, "", rule.number)
        surely = (
            action in AWAITED_ACTIONS and _does_play_wait_for(after, action) and not _can_ban_end(after, clause, action)
        )
        where = when.get(clause.words)
        if where is not None and not surely and action in TURN_ACTIONS and (how := _how_turn_stops(after, clause)):
            message = _with_winner_when_stuck(after, how) if how.code == "turn-stuck" else how
            yield message.embed_in("if {when}, {message}", when=where)
        if surely and not any(why_never_applies(after.law, SourceClause(rule, clause))):
            banned = say(
                "awaited-forbidden",
                "play can get stuck: it would wait for somebody to {action}, which is forbidden",
                action=after.law.vocabulary.actions[action].meaning,
            )
            yield _with_winner_when_stuck(
                after, banned.embed_in("{message} if {when}", when=where) if where is not None else banned
            )


def _how_turn_stops(after: State, ban: SetClause) -> Message | None:
    """Return how play stops in a turn of a player for whom a ban's condition on tables is true; None if it does not.

    The turn is played on trial, with all its duties but those that are forbidden.
    """
    law, condition = after.law, cast(Expression, ban.condition)
    tables = law.dependence.reads_of_expression(condition).tables & law.tables.keys()
    if not tables or law.clauses_about("counter.value"):  # which may keep it from coming true
        return None
    idle = without_open_proposals(calm_state(after)).replace(turns=(), hand=0)
    player = next((go.player for go in _played(idle).turns), "")
    for met in occasions_meeting(idle, condition, player) if player else ():
        ended = TrialEngine(met.state, frozenset())
        for name in after.person_names:  # what they did in their own turn, they may have done away with at its end
            if name != player or not can_tables_change_any_time(law, tables):
                ended.simulate_event("turn_ended", {"player": ThingRef("player", name)})
        state = _played(ended.state.replace(turns=()))
        for _ in range(MOST_PARTS):
            act = law.vocabulary.actions[ban.key.removeprefix("may.")].meaning
            if state.stuck:
                return say("turn-stuck", "{player} couldn’t {act}, so play would be stuck", player=player, act=act)
            if any(one.key == "play.standstill" for one in state.questions):
                return say(
                    "turn-asked", "{player} couldn’t {act}, so play would stop to ask the players what happens. Leave "
                    "the step out of turn.parts instead",
                    player=player, act=act,
                )  # fmt: skip
            if [go.player for go in state.turns] != [player]:
                break
            state = _played(state.replace(turns=tuple(replace(go, duties=()) for go in state.turns), waiting=()))
    return None


def _played(state: State) -> State:
    """Return the state after play goes on by itself until somebody has to decide something."""
    engine = Loop(state, 0)
    try:
        with StepMeter(STEPS_PER_ACTION, stops=True).as_current_meter():
            engine.run_until_decision()
    except (EndlessClauses, BudgetExceeded):
        return state
    return engine.state


def _with_winner_when_stuck(after: State, message: Message) -> Message:
    """Return a warning, followed by the number of the rule that says who wins when play is stuck (if there is one)."""
    rule = after.find("win.when_stuck").rule
    return message if rule is None else message.embed_in("{message}. Rule {wins} says who wins in that case", wins=rule)


def _is_ban_on_some_proposals(clause: SetClause) -> bool:
    """Return True if a ban depends on the proposal, so that other proposals may still be made."""
    return clause.condition is not None and not _PROPOSAL_NAMES.isdisjoint(clause.condition.names)


def _does_play_wait_for(state: State, action: str) -> bool:
    """Return True if play may be unable to go on until somebody does an action."""
    match action:
        case "end_turn":
            return can_be_set_to(state.law, "turn.ended_by", "player")
        case "close_vote":
            return finding_for_example(state, "vote.duty").value is not True
        case "consent":
            return bool(state.law.clauses_about("judge.consent"))
        case "rule_on":
            return bool(state.law.clauses_about("judge.candidates"))
        case "choose" | "seal" | "reveal":
            sealed = (("dice.source", "committed"), ("secret.kept_by", "players")) if action != "choose" else ()
            asking = any(effect.form.leading_words[0] == "let" for effect in effects_in_force(state.law))
            return asking or any(can_be_set_to(state.law, *key_value) for key_value in sealed)
    return True


def _can_ban_end(state: State, clause: SetClause, action: str = "") -> bool:
    """Return True if the condition of a ban (a clause that forbids something) can become false as play goes on."""
    condition = clause.condition
    if condition is None:
        return False
    if action == "close_vote" and any(
        node.comparison in ("<", "<=") and node.parts[0].field == "hours" for node in condition.node.conjuncts
    ):
        return True  # time passes, and meanwhile people can vote
    dependence = state.law.dependence
    fields = dependence.fields_of_expression(condition) - _LASTING_FIELDS
    if fields - {"tables"} or not condition.words.isdisjoint(_ABSENCE_FIELDS):
        return True
    tables = dependence.reads_of_expression(condition).tables & state.law.tables.keys()
    if can_tables_change_any_time(state.law, tables):
        return True
    holds = (evaluate_or_none(condition, state, player=ThingRef("player", name)) is True for name in state.person_names)
    if action == "begin_turn" and "player" in condition.names:  # the turns of some are only passed over
        return not all(holds)
    return "tables" in fields and not any(holds)


def _would_wait_for_dummies(run: DryRun, after: State) -> bool:
    """Return True if a change lets dummy players enter for whose ballots votes would wait in vain."""
    some = all_effects(run.new_clauses)
    if not any(effect.form.name == "enter" and effect.kind == "dummy" for effect in some) or do_rules_cast_ballots(
        after.law
    ):
        return False
    none_yet = after.person_names and set(after.names_of_players) <= set(after.person_names)
    return bool(none_yet) and finding_for_example(after, "vote.duty").value is True


def _barred_proposer_warning(state: State, when: str, rule: Number) -> Messages:
    """Yield a warning that names the players whom a rule bars from proposing, and in what case (`when`, or always)."""
    out = [name for name in state.person_names if not is_duty_open(state, name, "propose")]
    if out:
        message = say("nobody-can-propose", "nobody could propose")
        if len(out) < len(state.person_names):
            message = say("some-cannot-propose", "{players} couldn’t propose", players=join_words(out))
        yield add_citation(
            message.embed_in("{message} while {when}", when=when) if when else message.embed_in("{message} any more"),
            rule,
        )


@check("no-way-to-win", "destructive", cost="law")
def warn_of_no_way_to_win(run: DryRun) -> Messages:
    r"""Warn that nobody could win, capture a royal piece or move any more, if somebody could before the change.

    Leave a way to win.

    Example: nomic-chess: nb.enact("Still.", "set move.count to 0\nprevails over everything")
    """
    before, after = run.before, run.after
    lost = {
        finding_that_nobody_can_win: say(
            "nobody-wins", "nobody could win any more, not even the last player left or the leader"
        ),
        _why_no_royal_captured: say("no-royal-captured", "no royal piece could be captured any more"),
        _why_nobody_moves: say("nobody-moves", "nobody could move any more"),
        _limit_below_goal: say("goal-out-of-reach", "no gain could bring anybody the points that it takes to win"),
    }
    for look, message in lost.items():
        finding = look(after)
        if finding is not None and look(before) is None:
            yield add_citation(message, finding.rule)
    for supposed in run.supposed:
        finding = finding_that_nobody_can_win(supposed.state) if supposed.clause.key == "win.winners" else None
        if finding is not None and finding_that_nobody_can_win(before) is None:
            yield add_citation(
                say("nobody-wins-then", "nobody could win any more if {when}", when=supposed.condition_text),
                finding.rule,
            )
    if (
        "players" in after.law.dependence.fields_read("win.winners")
        and not _can_eliminate(after)
        and _can_eliminate(before)
    ):
        message = say("nobody-put-out", "no rule would eliminate players any more, but who wins depends on who is left")
        yield add_citation(message, after.find("win.winners").rule)


def _can_eliminate(state: State) -> bool:
    """Return True if rules in force can put players out of the game."""
    clauses = [part for clause in clauses_in_force(state.law) for part in clause.with_inner_clauses]
    replaced = {one.event for one in clauses if isinstance(one, InsteadClause) and one.condition is None}
    if "mated" in replaced and not can_be_set_to(state.law, "royal.capture", "capture"):
        replaced.add("army_lost")  # as it is lost by a mate
    eliminating = [one for one in clauses if any(one.all_effects("eliminate"))]
    return "eliminated" not in replaced and any(
        isinstance(one, InsteadClause) or getattr(one, "event", "") not in replaced for one in eliminating
    )


def _why_no_royal_captured(state: State) -> Finding | None:
    """Return the finding that keeps royal pieces from being captured; None if there is none."""
    if state.position is None:
        return None
    royals = state.find("royal.capture")
    if royals.value == "never":
        return royals
    armies = (state.find("capture.from", army=ThingRef("army", name)) for name in state.position.armies)
    return _first_if_all(armies, lambda finding: finding.answered and finding.value == ())


def _first_if_all(findings: Iterable[Finding], holds: Callable[[Finding], bool]) -> Finding | None:
    """Return the first of some findings if something holds of all of them; None otherwise, or if there are none."""
    first = None
    for finding in findings:
        if not holds(finding):
            return None
        first = first or finding
    return first


def _limit_below_goal(state: State) -> Finding | None:
    """Return the finding that keeps every counter on which winning depends below the goal; None if there is none."""
    goal, player = state.find("win.points").value, next(iter(state.person_names), "")
    if not isinstance(goal, int | Fraction) or state.law.is_silent_on("counter.value"):
        return None
    case = {"player": ThingRef("player", player), "was": goal - 1}
    found = [
        then.find("counter.value", counter=counter, amount=amount, **case)
        for counter in state.law.dependence.tables_of_keys(("win.winners",))
        for then in (state, state.replace(turn=FAR, circuit=FAR))  # it may be for a time only
        for amount in (1, 10 * goal)  # and only for gains that go too far
    ]
    below = [one for one in found if one.answered and isinstance(one.value, int | Fraction) and one.value < goal]
    return below[0] if below and len(below) == len(found) and not _is_up_to_players(below[0]) else None


def _is_up_to_players(finding: Finding) -> bool:
    """Return True if what a finding rests on holds only for players who have not done something yet, or have."""
    conditions = [set_clause_of(source).condition for source in finding.sources]
    return any(one is not None and {"player", "proposals", "rules"}.intersection(one.names) for one in conditions)


def _why_nobody_moves(state: State) -> Finding | None:
    """Return the finding that keeps everybody from moving; None if somebody can."""
    if state.position is None:
        return None
    bans = (find_permission(state, "move", name) for name in state.names_of_players)
    counts = (state.find("move.count", army=ThingRef("army", name)) for name in state.position.armies)
    return _first_if_all(bans, lambda finding: finding.answered and is_surely_forbidden(finding)) or _first_if_all(
        counts, lambda finding: finding.answered and finding.value == 0
    )


@check("missing-term", "destructive", cost="law")
def warn_of_missing_term(run: DryRun) -> Messages:
    """Warn that after the change, no rule would set a value that play needs.

    Keep the clause, or write it again.

    Example: nb.repeal(205)
    """
    after, silent = run.after, [changed for changed in run.turned if changed.new.outcome == "silent"]
    if not silent:
        return
    needed = {key.name for key in after.law.vocabulary.keys.values() if key.needed}
    for clause in clauses_in_force(after.law):
        needed |= {*after.law.dependence.keys_of_expression(*clause.expressions)}
    needed |= NEEDED_ON_BOARDS if after.position is not None else set()
    gone = [changed.term_and_case for changed in silent if changed.key in needed]
    if len(gone) == 1:
        yield say(
            "term-missing", "there would no longer be a rule for {term}; play would stop there to ask the players",
            term=gone[0]
        )  # fmt: skip
    elif gone:
        yield say(
            "terms-missing",
            "no rule would set {count} things that play needs: {terms}. The players would be asked",
            count=len(gone), terms="; ".join(gone)
        )  # fmt: skip


@check("no-turn", "destructive", cost="law")
def warn_of_lost_turns(run: DryRun) -> Messages:
    """Warn that the change takes all turns from somebody who has them, or leaves nothing to do in any turn.

    Leave everybody a turn.

    Example: nb.enact("No turns.", "on turn_begun: end turn")
    """
    before, after = run.before, run.after
    then, now = before.find("turn.sequence"), after.find("turn.sequence")
    if then.answered and now.answered and (left := set(players_in_order(after, now.value))):
        lost = [
            player
            for player in after.names_of_players
            if player in players_in_order(before, then.value) and player not in left
        ]
        if lost:
            yield add_citation(
                say("turn-lost", "{players} would have no more turns", players=join_words(lost)), now.rule
            )
    extra, next_ones = before.find("turn.next"), after.find("turn.next")
    always = all(set_clause_of(source).condition is None for source in next_ones.sources)
    if (
        next_ones.answered
        and always
        and (names := player_names(next_ones.value))
        and not player_names(extra.value or ())
    ):
        message = say(
            "turn-taken-again", "after every turn, it would be {players}’s turn again", players=join_words(names)
        )
        yield add_citation(message, next_ones.rule)
    for clause in run.new_clauses_of_type(TriggerClause):
        ends = any(effect.form.name == "end" and effect.what != "play" for effect in clause.unconditional_effects())
        if clause.event in ("turn_begun", "part_begun") and clause.condition is None and clause.among is None and ends:
            yield say(
                "turn-ends-at-once", "nobody could do anything in a turn: “{clause}” ends each one as it starts",
                clause=clause
            )  # fmt: skip


@check("broken-requirement", "destructive", cost="try")
def warn_of_broken_requirement(run: DryRun) -> Messages:
    r"""Warn that the change breaks a requirement of the rules, and so would have no effect.

    Change the requirement first, or adapt the change to it.

    Example: nb.enact("Only throws.", 'set turn.parts to ["throw"]\nprevails over 202')
    """
    if run.adoption.stopped_by is not None:
        yield say(
            "requirement-broken", "it breaks a requirement, so it would have no effect: {note}", note=run.adoption.note
        )


@check("no-more-changes", "destructive", cost="try")
def warn_of_no_more_changes(run: DryRun) -> Messages:
    r"""Warn that after the change, no rule change could ever pass, or the rules leave open whether one could.

    Leave a way to change the rules.

    Example: nb.enact("Only throws.", 'set turn.parts to ["throw"]\nprevails over 202')
    """
    possible, reason = run.adoption_future.possible, run.adoption_future.reason
    if possible is False:
        yield say("changes-impossible", "after this, no rule change could ever pass: {reason}", reason=reason)
        return
    if possible is None:
        yield say(
            "changes-undecided",
            "the rules leave open whether any rule change could still pass after this: {reason}",
            reason=reason,
        )
    yield from _no_duty_warning(run, "propose")


@check("nobody-left", "destructive", cost="try")
def warn_of_nobody_left(run: DryRun) -> Messages:
    r"""Warn that after the change, nobody would move, vote, or have a turn any more.

    Leave somebody who can.

    Example: nb.enact("No turns.", "forbid begin_turn\nprevails over everything")
    """
    before, after = run.before, run.after
    if after.position is not None:
        yield from _no_duty_warning(run, "move")
    electorate, then = (finding_for_example(state, "vote.electorate", run.player) for state in (after, before))
    if _is_empty_electorate(electorate) and not _is_empty_electorate(then):
        yield add_citation(say("nobody-votes", "nobody would have a vote any more"), electorate.rule)
    turns = after.find("turn.sequence")
    if turns.answered and not players_in_order(after, turns.value):
        yield add_citation(say("nobody-has-turns", "nobody would have a turn any more"), turns.rule)
    bans = _find_bans_on_turns(after)
    if (
        bans
        and not _find_bans_on_turns(before)
        and not any(_can_ban_end(after, set_clause_of(source)) for source in bans[0].sources)
    ):
        yield add_citation(say("nobody-begins", "nobody could begin a turn any more"), bans[0].rule)


@check("wins-at-once", "destructive", cost="try")
def warn_of_immediate_win(run: DryRun) -> Messages:
    """Warn that somebody would win as soon as the proposal passes.

    Vote against it, unless this is what you want.

    Example: nb.enact("Ann wins.", 'on enacted: award 1000 points to "Ann"')
    """
    if run.adoption.winners:
        won = next((event.rule for event in run.adoption.events if event.kind == "won"), None)
        yield add_citation(
            say("somebody-wins", "{players} would win at once", players=join_words(run.adoption.winners)), won
        )


@check("closed-changes", "destructive", cost="try")
def warn_of_closed_kinds(run: DryRun) -> Messages:
    r"""Warn that a kind of rule change that can pass now could not pass once the proposal has passed.

    Leave a way to make such changes.

    Example: nb.enact("Five of four.", "set vote.quota to 5\nprevails over 203")
    """
    before, after = run.before, run.after
    waits = (
        set(after.names_of_players) - set(after.person_names) - set(before.names_of_players)
    )  # for dummies that have come in
    if waits or any(changed.key.startswith(("vote.", "may.")) for changed in run.turned):
        yield from messages_on_closed_kinds(before, after, run.player)


@check("play-stops", "destructive", cost="try")
def warn_of_stopped_play(run: DryRun) -> Messages:
    """Warn that after the change, an army would have no legal move, or play stops to ask what the rules leave open.

    Settle it in the rule.

    Example: nb.enact("Half.", "on enacted when rule == this: award rounded(5 / 2) points to mover")
    """
    if run.board_effects is not None:
        if run.board_effects.stuck_armies:
            yield say(
                "army-stuck",
                "{armies} would have no legal move left",
                armies=join_words(run.board_effects.stuck_armies),
            )
        if run.board_effects.undecided_reason:
            yield say(
                "moves-undecided", "when an army has to move, play would stop to ask the players: {doubt}",
                doubt=run.board_effects.undecided_reason
            )  # fmt: skip
    for supposed in run.supposed:
        if supposed.clause.key == "move.count" and (still := _armies_kept_still(supposed.state)):
            yield say(
                "moves-none",
                "if {when}, {armies} couldn’t move, and play would stop there. Add `{cure}`",
                when=supposed.condition_text, armies=join_words(still), cure='set army.stuck to "skip"',
            )  # fmt: skip
    stops = run.adoption.after.find("army.stuck").value in (None, "ask")
    for ban in run.new_clauses_of_type(SetClause) if stops else ():
        nodes = ban.condition.node.conjuncts if ban.key == "may.move" and ban.condition is not None else ()
        if any(node.canonical == '(piece.kind == "K")' for node in nodes) and ban.value.node.value is False:
            yield say(
                "king-held",
                "“{clause}” mates nobody: if only this keeps a king from getting out of check, play would stop to ask "
                "the players. Add `{cure}`",
                clause=ban, cure='set army.stuck to "skip"',
            )  # fmt: skip
    scores = run.law.dependence.tables_of_keys(("win.winners",))
    for clause in run.new_clauses_of_type(InsteadClause):
        changed = {table_changed_by(effect) for effect in clause.all_effects()}
        if clause.event != "won" or clause.condition is None or not scores or changed & scores:
            continue
        after = run.after.find("win.replaced")
        if not after.answered:
            yield say(
                "win-asked",
                "play would stop to ask whether somebody wins after all, as “{clause}” doesn’t change who has enough. "
                "Set win.replaced: “once allowed” lets them win as soon as the condition is no longer true",
                clause=clause,
            )
        elif after.value == "not yet":
            yield say(
                "win-put-off",
                "after “{clause}”, “not yet” lasts until they have fallen below what it takes to win. To let them win "
                "as soon as the condition is no longer true, set win.replaced to “once allowed”",
                clause=clause,
            )
    for doubt in run.adoption.doubts:
        yield say("table-asked", "play would stop to ask the players: {doubt}", doubt=doubt)


def _armies_kept_still(state: State) -> list[str]:
    """Return the armies that have no moves in their turn, though rules do not let them skip it."""
    armies = () if state.position is None else state.position.armies
    return [
        name
        for name in armies
        if state.find("move.count", army=ThingRef("army", name)).value == 0
        and state.find("army.stuck", army=ThingRef("army", name)).value != "skip"
    ]


def _find_bans_on_turns(state: State) -> list[Finding]:
    """Return the bans that keep every player from beginning a turn; none if at least one may."""
    idle = state.replace(turns=(), hand=0)
    findings = [find_permission(idle, "begin_turn", name) for name in player_names(idle.find("turn.sequence").value)]
    return findings if findings and all(is_surely_forbidden(finding) for finding in findings) else []


def _is_empty_electorate(electorate: Finding) -> bool:
    """Tell whether a finding on the electorate says that nobody may vote."""
    return electorate.answered and not player_names(electorate.value)


def _no_duty_warning(run: DryRun, action: str) -> Messages:
    """Yield a warning if no rule can oblige anybody any more to do an action (propose or move)."""
    before, after = run.before, run.after
    try:
        if can_become_owed(after.law, after, action) or not can_become_owed(before.law, before, action):
            return
    except Undecided:
        return
    parts = answer_with_rule(after.find("turn.parts"))
    yield say(
        "action-never-owed", "nobody would get to {action} any more; the steps of a turn would be {parts}",
        action=action, parts=parts
    )  # fmt: skip


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
