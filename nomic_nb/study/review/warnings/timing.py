"""Warnings that a clause does nothing, or too late: its time is past, nobody knows the time, or nothing sets it off."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from nomic_nb.chess.play.records import acts_on_boards
from nomic_nb.engine.law.clauses import Clause, Instead, Offer, On, Piece, Require, Set
from nomic_nb.engine.law.findings import as_set
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.index import TABLES
from nomic_nb.engine.law.nodes import Expression, Node, NotDone, Undecided, View, all_of, canonical
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.slots import MINUTES
from nomic_nb.engine.law.values import Ref, shown
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import FAR, period
from nomic_nb.engine.play.calendar import EXAMPLE
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.vote_rules import FIXED, behind, hangs_on_more, own_ballots
from nomic_nb.engine.words import listed
from nomic_nb.study.review.cases import of_an_example
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.queries import could_say, does, done_under, in_force, inside, table_written
from nomic_nb.study.review.warnings.registry import Messages, check, cite

#: The events after which a piece is on no board, with where it is, and what would be right.
LEFT = {
    "captured": "has left the boards by then; write `instead of captured`, or set capture.result",
    "removed": "has left the boards by then; `place` puts a new one there",
    "in_hand": "is in a hand by then; it comes back when it is dropped",
}
#: How many turns, and circuits, are gone through at least.
NEXT = 200
#: What is counted on, so that what has gone by does not come again.
COUNTED = ("turn", "circuit")
#: What there is now and then, so that a list of it is empty for a time.
COME_AND_GO = frozenset({"proposals", "judgments", "questions", "polls", "turns", "waiting"})
#: Effects by which something is decided.
DECIDING = frozenset({"let", "cast"})
#: What is found when a vote opens; the quota too, unless `vote.quota_when` says otherwise.
AT_OPENING = (
    "vote.electorate", "vote.weight", "vote.choices", "vote.quorum", "vote.duty", "vote.ballots", "vote.when",
    "vote.quota_when"
)  # fmt: skip
#: What is found of a proposal before the vote on it opens.
WHEN_PROPOSED = (
    "may.propose", "may.revise", "may.call_vote", "proposal.owed", "proposal.label", "debate.ended_by",
    "debate.final_form_by"
)  # fmt: skip
#: On what it hangs whether votes end early.
ENDING_EARLY = ("vote.ends_early", "vote.changeable", "vote.adopted")
#: What happens to a proposal before the vote on it opens.
BEFORE_OPENING = frozenset({"proposed", "revised", "debate_ended"})


@check("off-boards", "no-difference", cost="law")
def off_boards(run: DryRun) -> Messages:
    """Warn that it does something on boards to a piece that has just left them.

    Answer to another event, or put something else in its place.

    Example: nomic-chess: nb.enact("Back.", "on captured: remove piece")
    """
    law = run.law
    kept = could_say(law, "capture.result", "convert") or "captured" in law.replacements
    for clause in run.of(On):
        if isinstance(clause, Instead) or clause.event not in LEFT or (clause.event == "captured" and kept):
            continue
        acting = (one for one in clause.every_effect() if acts_on_boards(one.form, law.vocabulary.events))
        done = next((one for one in acting if any(_is_piece(place) for _, place in one.places)), None)
        if done is not None:
            yield say(
                "piece-off-boards", "“{effect}” does nothing on {event}: the piece {where}",
                effect=done.words, event=clause.event, where=LEFT[clause.event]
            )  # fmt: skip


def _is_piece(place: object) -> bool:
    """Tell whether a place of an effect takes the piece of the event, and nothing else."""
    node = place.node if isinstance(place, Expression) else None
    parts = node.parts if node is not None and node.kind == "list" else (node,)
    return bool(parts) and all(one is not None and (one.kind, one.text) == ("name", "piece") for one in parts)


@check("past", "no-difference", cost="law")
def past(run: DryRun) -> Messages:
    r"""Warn that a clause is about turns, or rounds, that are over.

    Write a turn, or a circuit, that is still to come.

    Example: nb.enact("At first.", "set throw.points to 9 while turn < 1\nprevails over everything")
    """
    for clause in run.fresh:
        condition = clause.given if isinstance(clause, Piece) else getattr(clause, "condition", None)
        if not isinstance(clause, Set | On) or condition is None:
            continue
        for part in all_of(condition.node):
            field = _counts(run.law, part)
            if field and not _comes(run.adoption.after, run.law, part, field):
                said = canonical(part)
                yield say(
                    "time-past", "“{clause}” never applies: {condition} is so in no {field} from now on",
                    clause=clause, condition=said[1:-1] if said.startswith("(") else said, field=field
                )  # fmt: skip
                break


def _counts(law: Law, part: Node) -> str:
    """Return the one of what is counted on that a condition depends on, where it depends on nothing else."""
    expression = law.language.expression(canonical(part))
    read = law.dependence.read_by(expression)
    closed = law.vocabulary.facts.keys() >= set(expression.names)
    return next(iter(read)) if closed and len(read) == 1 and read <= {*COUNTED} else ""


def _comes(state: State, law: Law, part: Node, field: str) -> bool:
    """Tell whether a condition holds now, or in one of the turns, or circuits, to come, or may."""
    condition, now = law.language.expression(canonical(part)), int(getattr(state, field))
    nodes = list(part.walk())
    many = period(nodes)
    if many is None or any(one.kind == "call" or _shifts(one) for one in nodes):
        return True  # it cannot be told which of those to come have to be tried
    near = (one.value + step for one in nodes if type(one.value) is int for step in range(-many, many + 1))
    for at in chain(range(now, now + max(NEXT, many)), (one for one in near if one > now), range(FAR, FAR + many)):
        then = state.but(turn=at) if field == "turn" else state.but(circuit=at)
        try:
            if condition.run(View(then, {}, law)) is not False:
                return True
        except Undecided:
            return True
    return False


def _shifts(node: Node) -> bool:
    """Tell whether something is calculated by which a number in a condition is not the turn that it is about."""
    return node.kind in ("minus", "reckon") and node.text != "%"


@check("no-early-end", "no-difference", cost="law")
def no_early_end(run: DryRun) -> Messages:
    r"""Warn that a rule lets votes end early, and no result is certain before the last ballot.

    Let no ballot change, and look at ballots only in what adopts.

    Example: nb.enact("Early.", "set vote.ends_early to true\nset vote.changeable to true\nprevails over everything")
    """
    law, state = run.law, run.adoption.after
    if not law.speaking("vote.ends_early") or not any(map(run.sets, ENDING_EARLY)):
        return
    early, again = of_an_example(state, "vote.ends_early"), of_an_example(state, "vote.changeable")
    if not early.says(True):
        return
    late = cite(say("vote-ends-late", "no vote ends early"), early.rule)
    if again.says(True):
        yield cite(late.within("{message}: ballots can be changed until the last is cast"), again.rule)
    found = of_an_example(state, "vote.adopted")
    for source in found.sources or law.speaking("vote.adopted"):
        looked = [*source.expressions]
        looked += [one for read in looked for key in law.dependence.keys_of(read) for one in behind(law, key, FIXED)]
        if hangs_on_more(law, looked):
            more = "{message}: what “{clause}” looks at can change without a ballot"
            yield cite(late.within(more, clause=source.clause), source.rule.number)


@check("never-happens", "no-difference", cost="law")
def never_happens(run: DryRun) -> Messages:
    """Warn that it answers to what no rule brings about, or allows.

    Add a clause that brings it about, or allows it.

    Example: nb.enact("Offers.", "on taken: award 1 points to player")
    """
    for clause in run.of(On):
        if not isinstance(clause, Offer) and (why := _never_happens(run.law, clause.event)):
            yield why.within("{message}, so “{clause}” does nothing", clause=clause)


def _never_happens(law: Law, event: str) -> Message | None:
    """Say why something does not happen under a law, as far as rules alone bring it about; else nothing."""
    done = done_under(law)
    if event == "taken":
        return None if law.offers else say("nothing-offered", "no rule offers anything")
    if any(event in effect.form.makes for effect in done):
        return None
    for name, action in ACTIONS.items():
        if action.makes == event and action.takes_leave and f"may.{name}" not in law.candidates:
            return say("action-not-allowed", "no rule allows to {action}", action=action.meaning)
    obliged = any(effect.form.name == "oblige" and "roll" in (effect.action, effect.other) for effect in done)
    return say("nobody-rolls", "no rule has anybody throw") if event == "thrown" and not obliged else None


@check("nothing-there", "no-difference", cost="law")
def nothing_there(run: DryRun) -> Messages:
    """Warn that what it does is not done as things stand, because a list is empty.

    Wait until there is something, or give the clause a condition.

    Example: nb.enact("Nobody.", "on turn_begun: let player choose pick from [p for p in playing if p.points > 1000]")
    """
    after, law = run.adoption.after, run.law
    env = {"player": Ref("player", next(iter(after.persons), ""))}
    for clause in run.of(On):
        for effect in () if isinstance(clause, Offer) else clause.every_effect():
            optional = dict(effect.places).get("optional")
            for one in effect.expressions:
                if law.dependence.read_by(one) & COME_AND_GO:
                    continue
                options, why = one is dict(effect.places).get("options") and not optional, ""
                try:
                    if one.run(View(after, env, law)) == () and options:
                        why = f"{one.text.strip()} has nothing in it"
                except NotDone as doubt:
                    why = doubt.reason
                except Undecided:
                    continue
                if why:
                    yield say(
                        "not-done-now", "“{effect}” is not done as things stand: {why}", effect=effect.words, why=why
                    )


@check("too-early", cost="law")
def too_early(run: DryRun) -> Messages:
    """Warn that it looks at ballots before any can be cast.

    Set `vote.quota_when` to "closing", or answer to `vote_closed`.

    Example: nb.enact("A quorum.", "set vote.quorum to votes_for + 1")
    """
    law = run.law
    opening = any(as_set(one).value.node.value == "opening" for one in law.speaking("vote.quota_when"))
    early = (*AT_OPENING, "vote.quota") if opening else AT_OPENING
    for clause in (part for one in run.fresh for part in one.whole):
        if found := own_ballots(law, _read_early(clause, early)):
            said = say(
                "ballots-too-early", "“{clause}” comes too early: nobody has voted yet when it reads {read}",
                clause=clause, read=listed(found)
            )  # fmt: skip
            if (value := _now(run, clause)) is not None:
                said = said.within("{message}, so {key} is {value}", key=getattr(clause, "key", ""), value=value)
            cure = getattr(clause, "key", "") == "vote.quota"
            yield said.within("{message}; write set vote.quota_when to “closing”") if cure else said


def _read_early(clause: Clause, early: tuple[str, ...]) -> tuple[Expression, ...]:
    """Return what is looked at in a clause before any ballot is cast."""
    if isinstance(clause, Set):
        return tuple(clause.expressions) if clause.key in (*early, *WHEN_PROPOSED) else ()
    if not isinstance(clause, On) or clause.event not in ("proposed", "debate_ended", "vote_opened"):
        return ()
    first = tuple(one for one in (clause.condition, clause.among) if one is not None)
    every = first if does([clause], "let", "after", "roll") else tuple(clause.expressions)
    return tuple(one for one in every if not (clause.event == "vote_opened" and "not_voted" in one.words))


def _now(run: DryRun, clause: Clause) -> str | None:
    """Return what a term of votes comes to in a vote that was just opened; None where the clause does not say."""
    if not isinstance(clause, Set) or clause.key not in ("vote.quota", "vote.quorum"):
        return None
    found = of_an_example(run.adoption.after, clause.key)
    own = found.answered and any(one.clause is clause for one in found.sources)
    return shown(found.value) if own else None


@check("too-late", cost="law")
def too_late(run: DryRun) -> Messages:
    """Warn that it decides something once it is decided.

    Answer to an earlier event, or put something else in its place.

    Example: nb.enact("The last word.", 'on vote_closed: cast "for" for "Ann"')
    """
    yield from _while_open(run)
    for clause in run.fresh:
        if isinstance(clause, On):
            if does([clause], *DECIDING) and (late := run.law.vocabulary.events[clause.event].late):
                yield say("decided-already", "“{clause}” comes too late to decide it: {why}", clause=clause, why=late)
            yield from _after_opening(run.law, clause)
        elif isinstance(clause, Require):
            yield from _after_change(run.law, clause)


def _after_opening(law: Law, clause: On) -> Messages:
    """Say that an answer for which no vote waits writes what is read when the vote opens."""
    if clause.event not in ("proposed", "vote_opened"):
        return
    written = set(_written_behind(clause.effects, late=clause.event == "vote_opened"))
    closing = law.speaking("vote.quota_when")
    fixed = AT_OPENING if closing else (*AT_OPENING, "vote.quota")
    for table in sorted(written & law.dependence.tables_read(fixed)):
        key = next(one for one in fixed if table in law.dependence.tables_read((one,)))
        said = say(
            "answer-too-late",
            "what “{clause}” finds out comes too late for the vote: {key} reads {table} when the vote opens, "
            "and that does not wait for the answer; ask {instead}",
            clause=clause, key=key, table=table,
            instead="without within" if clause.event == "proposed" else "on proposed"
        )  # fmt: skip
        cure = '{message}, or write set vote.quota_when to "closing"'
        yield said.within(cure) if key == "vote.quota" else said


def _while_open(run: DryRun) -> Messages:
    """Say that what is kept of a proposal is written while the vote on it is open, and read when that opens."""
    law = run.law
    kept = {name for name, shape in law.tables.items() if shape.keys[:1] == ("proposal",)}
    fixed = AT_OPENING if law.speaking("vote.quota_when") else ("vote.quota", *AT_OPENING)
    for key in fixed if kept else ():
        read = kept & law.dependence.tables_read((key,))
        for clause in in_force(law) if read else ():
            if not isinstance(clause, On) or clause.event in BEFORE_OPENING:
                continue
            if run.sets(key) or clause in run.fresh:
                cure = '{message}; write set vote.quota_when to "closing"'
                for table in sorted(read & {table_written(one) for one in clause.every_effect()}):
                    said = say(
                        "written-too-late",
                        "what “{clause}” writes comes too late for a vote that is open: {key} reads {table} "
                        "when it opens",
                        clause=clause, key=key, table=table
                    )  # fmt: skip
                    yield said.within(cure) if key == "vote.quota" else said


def _written_behind(some: tuple[Effect, ...], *, late: bool) -> Iterator[str]:
    """Yield the tables that are written behind an answer which no vote waits for."""
    for effect in some:
        late = late or getattr(effect, "span", None) is not None
        if late and (table := table_written(effect)):
            yield table
        for inner in inside(effect):
            yield from _written_behind(inner, late=late)


def _after_change(law: Law, clause: Require) -> Messages:
    """Say that a requirement speaks of what play alters, when no requirement is looked at."""
    for expression in clause.expressions:
        tables = sorted(expression.words & law.tables.keys())
        if tables and TABLES in law.dependence.read_by(expression):
            yield say(
                "requirement-too-late",
                "“{clause}” does not stop {table} from changing: it is looked at when a rule changes, "
                "before what that sets off; for a limit, write set counter.value to … while counter == “{table}”",
                clause=clause, table=tables[0]
            )  # fmt: skip


@check("no-clock", "ambiguous", cost="read")
def no_clock(run: DryRun) -> Messages:
    """Warn that it needs the time of day, and nobody has recorded what time it is.

    The host records it.

    Example: nb.enact("Days.", "on day_begun: award 1 points to playing")
    """
    for clause in run.fresh if run.adoption.after.clock is None else ():
        if _needs_time(run.law, clause):
            yield say(
                "clock-unset",
                "nobody has recorded what time it is: “{clause}” needs it; the host records it, as {example}",
                clause=clause, example=EXAMPLE
            )  # fmt: skip


def _needs_time(law: Law, clause: Clause) -> bool:
    if isinstance(clause, On) and clause.event == "day_begun":
        return True
    reads = any("clock" in law.dependence.read_by(one) for one in clause.expressions)
    return reads or any(getattr(one, "unit", None) in MINUTES for one in clause.every_effect())
