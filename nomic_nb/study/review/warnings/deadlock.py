"""Warnings that a change would wreck play, bring it to a standstill, or leave nobody a way to win."""

from __future__ import annotations

from typing import cast

from nomic_nb.engine.law.clauses import InsteadClause, SetClause, TriggerClause
from nomic_nb.engine.law.findings import Finding, set_clause_of
from nomic_nb.engine.law.nodes import Expression, Undecided
from nomic_nb.engine.law.rules import Number, SourceClause
from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import can_become_owed, find_ban
from nomic_nb.engine.play.permissions import find_permission, is_forbidden
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.turn_order import players_in_order
from nomic_nb.engine.play.values import player_names
from nomic_nb.engine.words import join_words
from nomic_nb.study.review.adoption import closed_kinds
from nomic_nb.study.review.cases import finding_for_example
from nomic_nb.study.review.dry_run import NEEDED_ON_BOARDS, DryRun
from nomic_nb.study.review.queries import (
    can_set_to,
    clauses_in_force,
    effects,
    effects_in_force,
    is_written_freely,
    value_of,
)
from nomic_nb.study.review.terms import answer_and_rule
from nomic_nb.study.review.votes import do_rules_cast
from nomic_nb.study.review.warnings.no_effect import why_never_effective
from nomic_nb.study.review.warnings.registry import Messages, check, cite
from nomic_nb.study.review.warnings.winnability import find_unwinnable

#: Actions that play waits for, and goes on by no other way.
AWAITED_ACTIONS = frozenset({
    "begin_turn", "call_vote", "choose", "close_vote", "consent", "end_turn", "reveal", "roll", "rule_on", "seal",
    "vote",
})  # fmt: skip
#: Names by which a ban on proposals is about some proposals alone.
_PROPOSAL_NAMES = frozenset({"change", "player", "proposal", "proponent", "mover", "movers", "target", "targets"})
#: What of the state stays while play waits, but for the clock, or is no matter of what players do.
_LASTING_FIELDS = frozenset({
    "circuit", "clock", "hand", "players", "position", "rules", "seats", "sequence", "turn", "turns",
})  # fmt: skip
#: What of players is otherwise once somebody is back, or has done something.
_ABSENCE_FIELDS = frozenset({"present", "idle"})


@check("standstill", "destructive", cost="try")
def standstill(run: DryRun) -> Messages:
    """Warn that it forbids what play waits for: to propose, to vote, to roll, to end a turn.

    Give the ban a condition that players can end.

    Example: nb.enact("Hush.", "forbid call_vote when turn > 5")
    """
    after = run.adoption.after
    if not run.adoption.in_force:
        return
    when = {one.clause.words: one.when for one in run.supposed}
    for one in run.supposed:
        if one.clause.key == "may.propose":
            tables = after.law.dependence.looked_at(cast(Expression, one.clause.condition)).tables
            if not is_written_freely(after.law, tables):
                hangs = _is_about_proposal_alone(one.clause)
                yield from _barred_proposers(after if hangs else one.state, one.when, one.rule.number)
    if _dummy_wait_warning(run, after):
        said = say(
            "dummy-without-ballot",
            "play can come to a standstill: it waits for the ballot of a dummy, which no rule casts",
        )
        yield _stuck(after, said)
    bans = ((one.new, clause) for one in run.standing for clause in one.fresh if isinstance(clause, SetClause))
    for rule, clause in bans:
        action = clause.key.removeprefix("may.")
        if rule is None or clause.value.node.value is not False:
            continue
        if action == "propose" and clause.words not in when:
            yield from _barred_proposers(after, "", rule.number)
        surely = (
            action in AWAITED_ACTIONS and _does_play_wait_for(after, action) and not _can_ban_end(after, clause, action)
        )
        if surely and not any(why_never_effective(after.law, SourceClause(rule, clause))):
            banned = say(
                "awaited-forbidden",
                "play can come to a standstill: it waits for somebody to {action}, which is forbidden",
                action=after.law.vocabulary.actions[action].meaning,
            )
            where = when.get(clause.words)
            yield _stuck(after, banned.within("{message} where {when}", when=where) if where is not None else banned)


def _stuck(after: State, said: Message) -> Message:
    """Return a message with who wins where play stands still."""
    rule = after.find("win.when_stuck").rule
    return said if rule is None else said.within("{message}; then rule {wins} says who wins", wins=rule)


def _is_about_proposal_alone(clause: SetClause) -> bool:
    """Tell whether a ban is about what is proposed, or by whom: others can propose, or something else."""
    return clause.condition is not None and not _PROPOSAL_NAMES.isdisjoint(clause.condition.names)


def _does_play_wait_for(state: State, action: str) -> bool:
    """Tell whether play ever waits for an act under this law, and goes on by no other way."""
    match action:
        case "end_turn":
            return can_set_to(state.law, "turn.ended_by", "player")
        case "close_vote":
            return finding_for_example(state, "vote.duty").value is not True
        case "consent":
            return bool(state.law.clauses_about("judge.consent"))
        case "rule_on":
            return bool(state.law.clauses_about("judge.candidates"))
        case "choose" | "seal" | "reveal":
            sealed = (("dice.source", "committed"), ("secret.kept_by", "players")) if action != "choose" else ()
            asking = any(one.form.begins[0] == "let" for one in effects_in_force(state.law))
            return asking or any(can_set_to(state.law, *one) for one in sealed)
    return True


def _can_ban_end(state: State, clause: SetClause, action: str = "") -> bool:
    """Tell whether something that players can do could end a ban, so that play waits for that, or nothing is sure."""
    condition = clause.condition
    if condition is None:
        return False
    dependence = state.law.dependence
    fields = dependence.read_by(condition) - _LASTING_FIELDS
    if fields - {"tables"} or not condition.words.isdisjoint(_ABSENCE_FIELDS):
        return True
    tables = dependence.looked_at(condition).tables & state.law.tables.keys()
    if is_written_freely(state.law, tables):
        return True
    holds = (value_of(condition, state, player=ThingRef("player", name)) is True for name in state.person_names)
    if action == "begin_turn" and "player" in condition.names:  # the turns of some are only passed over
        return not all(holds)
    return "tables" in fields and not any(holds)


def _dummy_wait_warning(run: DryRun, after: State) -> bool:
    """Tell whether votes would wait for dummies that a clause lets enter later on."""
    some = effects(run.fresh)
    if not any(one.form.name == "enter" and one.kind == "dummy" for one in some) or do_rules_cast(after.law):
        return False
    none_yet = after.person_names and set(after.playing) <= set(after.person_names)
    return bool(none_yet) and finding_for_example(after, "vote.duty").value is True


def _barred_proposers(state: State, when: str, rule: Number) -> Messages:
    """Say who cannot propose anything where a clause holds."""
    out = [name for name in state.person_names if find_ban(state, name, "propose") is not None]
    if out:
        said = say("nobody-can-propose", "nobody can propose")
        if len(out) < len(state.person_names):
            said = say("some-cannot-propose", "{players} cannot propose", players=join_words(out))
        yield cite(
            said.within("{message} while {when}", when=when) if when else said.within("{message} any more"), rule
        )


@check("no-way-to-win", "destructive", cost="law")
def no_way_to_win(run: DryRun) -> Messages:
    r"""Warn that nobody could win any more, capture a royal piece, or move; what is so already is not said.

    Leave a way to win.

    Example: nomic-chess: nb.enact("Still.", "set move.count to 0\nprevails over everything")
    """
    before, after = run.before, run.after
    lost = {
        find_unwinnable: say("nobody-wins", "nobody wins any more, neither who is left alone nor who has most"),
        _why_no_royal_captured: say("no-royal-captured", "no royal piece can be captured any more"),
        _why_nobody_moves: say("nobody-moves", "nobody may move any more"),
    }
    for look, said in lost.items():
        found = look(after)
        if found is not None and look(before) is None:
            yield cite(said, found.rule)
    for one in run.supposed:
        found = find_unwinnable(one.state) if one.clause.key == "win.winners" else None
        if found is not None and find_unwinnable(before) is None:
            yield cite(say("nobody-wins-then", "nobody wins any more where {when}", when=one.when), found.rule)
    if (
        "players" in after.law.dependence.fields_read("win.winners")
        and _can_eliminate(before)
        and not _can_eliminate(after)
    ):
        said = say("nobody-put-out", "no rule puts anybody out any more, and who wins depends on who is left")
        yield cite(said, after.find("win.winners").rule)


def _can_eliminate(state: State) -> bool:
    """Tell whether a rule in force puts players out, and none puts something in place of that whatever happens."""
    clauses = [part for one in clauses_in_force(state.law) for part in one.whole]
    instead = [one for one in clauses if isinstance(one, InsteadClause) and one.event == "eliminated"]
    if any(one.condition is None for one in instead):
        return False
    return bool(effects(clauses, "eliminate"))


def _why_no_royal_captured(state: State) -> Finding | None:
    """Return what keeps royal pieces from being captured, whoever would do it."""
    if state.position is None:
        return None
    royals = state.find("royal.capture")
    if royals.value == "never":
        return royals
    found = [state.find("capture.from", army=ThingRef("army", name)) for name in state.position.armies]
    return found[0] if found and all(one.answered and one.value == () for one in found) else None


def _why_nobody_moves(state: State) -> Finding | None:
    """Return what keeps everybody from moving: a ban that looks at nothing, or no moves in a turn."""
    if state.position is None:
        return None
    bans = [find_permission(state, "move", name) for name in state.playing]
    if bans and all(one.answered and is_forbidden(one) for one in bans):
        return bans[0]
    counts = [state.find("move.count", army=ThingRef("army", name)) for name in state.position.armies]
    return counts[0] if counts and all(one.answered and one.value == 0 for one in counts) else None


@check("missing-term", "destructive", cost="law")
def missing_term(run: DryRun) -> Messages:
    """Warn that no rule says any more what play needs to know.

    Keep the clause, or say it anew.

    Example: nb.repeal(205)
    """
    after, silent = run.after, [one for one in run.turned if one.new.outcome == "silent"]
    if not silent:
        return
    needed = {key.name for key in after.law.vocabulary.keys.values() if key.needed}
    for clause in clauses_in_force(after.law):
        needed |= {*after.law.dependence.keys_of(*clause.expressions)}
    needed |= NEEDED_ON_BOARDS if after.position is not None else set()
    gone = [one.where for one in silent if one.key in needed]
    if len(gone) == 1:
        yield say(
            "term-missing", "no rule says what {term} is any more; play stops there, and the table is asked",
            term=gone[0]
        )  # fmt: skip
    elif gone:
        yield say(
            "terms-missing",
            "{count} things that play needs would be laid down by no rule: {terms}; the table is asked",
            count=len(gone), terms="; ".join(gone)
        )  # fmt: skip


@check("no-turn", "destructive", cost="law")
def no_turn(run: DryRun) -> Messages:
    """Warn that somebody who has turns would have none, or nobody could do anything in theirs.

    Leave everybody a turn.

    Example: nb.enact("No turns.", "on turn_begun: end turn")
    """
    before, after = run.before, run.after
    then, now = before.find("turn.sequence"), after.find("turn.sequence")
    if then.answered and now.answered and (left := set(players_in_order(after, now.value))):
        lost = [one for one in after.playing if one in players_in_order(before, then.value) and one not in left]
        if lost:
            yield cite(say("turn-lost", "{players} would have no turn any more", players=join_words(lost)), now.rule)
    extra, next_ones = before.find("turn.next"), after.find("turn.next")
    always = all(set_clause_of(one).condition is None for one in next_ones.sources)
    if (
        next_ones.answered
        and always
        and (names := player_names(next_ones.value))
        and not player_names(extra.value or ())
    ):
        said = say(
            "turn-taken-again", "whenever a turn ends, the next would be {players}’s again", players=join_words(names)
        )
        yield cite(said, next_ones.rule)
    for clause in run.of(TriggerClause):
        ends = any(one.form.name == "end" and one.what != "play" for one in clause.effects_at_once())
        if clause.event in ("turn_begun", "part_begun") and clause.condition is None and clause.among is None and ends:
            yield say(
                "turn-ends-at-once", "nobody gets to do anything in a turn: “{clause}” ends each as it begins",
                clause=clause
            )  # fmt: skip


@check("broken-requirement", "destructive", cost="try")
def broken_requirement(run: DryRun) -> Messages:
    r"""Warn that it breaks a requirement of the rules, and would have no effect.

    Change the requirement first, or fit the change to it.

    Example: nb.enact("Only throws.", 'set turn.parts to ["throw"]\nprevails over 202')
    """
    if run.adoption.stopped_by is not None:
        yield say(
            "requirement-broken", "it breaks a requirement, and would have no effect: {note}", note=run.adoption.note
        )


@check("no-more-changes", "destructive", cost="try")
def no_more_changes(run: DryRun) -> Messages:
    r"""Warn that no rule-change could be adopted afterwards, or it is open whether one could.

    Leave a way to change the rules.

    Example: nb.enact("Only throws.", 'set turn.parts to ["throw"]\nprevails over 202')
    """
    possible, reason = run.future.possible, run.future.reason
    if possible is False:
        yield say("changes-impossible", "no rule-change could be adopted afterwards: {reason}", reason=reason)
        return
    if possible is None:
        yield say(
            "changes-undecided", "whether any rule-change could be adopted afterwards is open: {reason}", reason=reason
        )
    yield from _no_duty_warning(run, "propose")


@check("nobody-left", "destructive", cost="try")
def nobody_left(run: DryRun) -> Messages:
    r"""Warn that nobody would move, vote, or have a turn any more.

    Leave somebody who can.

    Example: nb.enact("No turns.", "forbid begin_turn\nprevails over everything")
    """
    before, after = run.before, run.after
    if after.position is not None:
        yield from _no_duty_warning(run, "move")
    electorate, then = (finding_for_example(one, "vote.electorate", run.player) for one in (after, before))
    if _is_empty_electorate(electorate) and not _is_empty_electorate(then):
        yield cite(say("nobody-votes", "nobody may vote any more"), electorate.rule)
    turns = after.find("turn.sequence")
    if turns.answered and not players_in_order(after, turns.value):
        yield cite(say("nobody-has-turns", "nobody has a turn any more"), turns.rule)
    bans = _bans_on_turns(after)
    if (
        bans
        and not _bans_on_turns(before)
        and not any(_can_ban_end(after, set_clause_of(one)) for one in bans[0].sources)
    ):
        yield cite(say("nobody-begins", "nobody may begin a turn any more"), bans[0].rule)


@check("wins-at-once", "destructive", cost="try")
def wins_at_once(run: DryRun) -> Messages:
    """Warn that somebody would win as soon as it is adopted.

    Vote against it, unless it is meant.

    Example: nb.enact("Ann wins.", 'on enacted: award 1000 points to "Ann"')
    """
    if run.adoption.winners:
        won = next((event.rule for event in run.adoption.events if event.kind == "won"), None)
        yield cite(say("somebody-wins", "{players} would win at once", players=join_words(run.adoption.winners)), won)


@check("closed-changes", "destructive", cost="try")
def closed_changes(run: DryRun) -> Messages:
    r"""Warn that a kind of change that could pass before cannot afterwards.

    Leave a way to make such changes.

    Example: nb.enact("Five of four.", "set vote.quota to 5\nprevails over 203")
    """
    before, after = run.before, run.after
    waits = set(after.playing) - set(after.person_names) - set(before.playing)  # for dummies that have come in
    if waits or any(one.key.startswith(("vote.", "may.")) for one in run.turned):
        yield from closed_kinds(before, after, run.player)


@check("play-stops", "destructive", cost="try")
def play_stops(run: DryRun) -> Messages:
    """Warn that no legal move would be left to somebody, or the players are asked what the law leaves open.

    Say it in the rule.

    Example: nb.enact("Half.", "on enacted when rule == this: award rounded(5 / 2) points to mover")
    """
    if run.boards is not None:
        if run.boards.stuck:
            yield say("army-stuck", "no legal move would be left to {armies}", armies=join_words(run.boards.stuck))
        if run.boards.undecided:
            yield say(
                "moves-undecided", "play stops when an army is to move, and the table is asked: {doubt}",
                doubt=run.boards.undecided
            )  # fmt: skip
    for doubt in run.adoption.doubts:
        yield say("table-asked", "play stops, and the table is asked: {doubt}", doubt=doubt)


def _bans_on_turns(state: State) -> list[Finding]:
    """Return why nobody may begin a turn, once those under way are over; nothing where somebody may."""
    idle = state.replace(turns=(), hand=0)
    found = [find_permission(idle, "begin_turn", name) for name in player_names(idle.find("turn.sequence").value)]
    return found if found and all(is_forbidden(one) for one in found) else []


def _is_empty_electorate(electorate: Finding) -> bool:
    return electorate.answered and not player_names(electorate.value)


def _no_duty_warning(run: DryRun, action: str) -> Messages:
    """Say that no rule brings anybody to propose, or to move, any more."""
    before, after = run.before, run.after
    try:
        if can_become_owed(after.law, after, action) or not can_become_owed(before.law, before, action):
            return
    except Undecided:
        return
    parts = answer_and_rule(after.find("turn.parts"))
    yield say(
        "action-never-owed", "nobody gets to {action} any more; the parts of a turn are {parts}",
        action=action, parts=parts
    )  # fmt: skip
