"""Signs that a clause does nothing, or too late: its time is past, nobody knows the time, or nothing sets it off."""

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
from nomic_nb.engine.play.adoptability import FAR, period
from nomic_nb.engine.play.calendar import EXAMPLE
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.vote_rules import FIXED, behind, hangs_on_more, own_ballots
from nomic_nb.engine.words import cited, listed
from nomic_nb.study.review.cases import of_an_example
from nomic_nb.study.review.queries import could_say, done_under, in_force, inside, table_written
from nomic_nb.study.review.seen import Seen

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
    "vote.quota_when",
)  # fmt: skip
#: What is found of a proposal before the vote on it opens.
WHEN_PROPOSED = (
    "may.propose", "may.revise", "may.call_vote", "proposal.owed", "proposal.label", "debate.ended_by",
    "debate.final_form_by",
)  # fmt: skip
#: On what it hangs whether votes end early.
ENDING_EARLY = ("vote.ends_early", "vote.changeable", "vote.adopted")
#: What happens to a proposal before the vote on it opens.
BEFORE_OPENING = frozenset({"proposed", "revised", "debate_ended"})


def past(seen: Seen) -> Iterator[str]:
    """Yield the new clauses whose condition is about the turn, or the circuit, and is so in none to come."""
    for clause in seen.fresh:
        condition = clause.given if isinstance(clause, Piece) else getattr(clause, "condition", None)
        if not isinstance(clause, Set | On) or condition is None:
            continue
        for part in all_of(condition.node):
            field = _counts(seen.law, part)
            if field and not _comes(seen.adoption.after, seen.law, part, field):
                said = canonical(part)
                said = said[1:-1] if said.startswith("(") else said
                yield f"“{clause.words}” never applies: {said} is so in no {field} from now on"
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


def unheard(seen: Seen) -> Iterator[str]:
    """Yield the new clauses that answer to what no rule brings about, or allows, where it takes one that does."""
    for clause in seen.of(On):
        if not isinstance(clause, Offer) and (why := _never_happens(seen.law, clause.event)):
            yield f"{why}, so “{clause.words}” does nothing"


def _never_happens(law: Law, event: str) -> str:
    """Say why something does not happen under a law, as far as rules alone bring it about; else nothing."""
    done = list(done_under(law))
    if event == "taken":
        return "" if law.offers else "no rule offers anything"
    if any(event in effect.form.makes for effect in done):
        return ""
    for name, action in ACTIONS.items():
        if action.makes == event and action.takes_leave and f"may.{name}" not in law.candidates:
            return f"no rule allows to {action.meaning}"
    obliged = any(effect.form.name == "oblige" and "roll" in (effect.action, effect.other) for effect in done)
    return "no rule has anybody throw" if event == "thrown" and not obliged else ""


def off_boards(seen: Seen) -> Iterator[str]:
    """Yield the new clauses that do something on boards to a piece that has just left them."""
    law = seen.law
    kept = could_say(law, "capture.result", "convert") or "captured" in law.replacements
    for clause in seen.of(On):
        if isinstance(clause, Instead) or clause.event not in LEFT or (clause.event == "captured" and kept):
            continue
        acting = (one for one in clause.every_effect() if acts_on_boards(one.form, law.vocabulary.events))
        done = next((one for one in acting if any(_is_piece(place) for _, place in one.places)), None)
        if done is not None:
            yield f"“{done.words}” does nothing on {clause.event}: the piece {LEFT[clause.event]}"


def _is_piece(place: object) -> bool:
    """Tell whether a place of an effect takes the piece of the event, and nothing else."""
    node = place.node if isinstance(place, Expression) else None
    parts = node.parts if node is not None and node.kind == "list" else (node,)
    return bool(parts) and all(one is not None and (one.kind, one.text) == ("name", "piece") for one in parts)


def nothing_there(seen: Seen) -> Iterator[str]:
    """Yield the effects of new clauses that are not done as things stand, since a list is empty."""
    after, law = seen.adoption.after, seen.law
    env = {"player": Ref("player", next(iter(after.persons), ""))}
    for clause in seen.of(On):
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
                    yield f"“{effect.words}” is not done as things stand: {why}"


def too_early(seen: Seen) -> Iterator[str]:
    """Yield the new clauses that look at ballots before any can be cast."""
    law = seen.law
    opening = any(as_set(one).value.node.value == "opening" for one in law.speaking("vote.quota_when"))
    early = (*AT_OPENING, "vote.quota") if opening else AT_OPENING
    for clause in (two for one in seen.fresh for two in one.whole):
        found = own_ballots(law, _read_early(clause, early))
        if found:
            cure = "; write set vote.quota_when to “closing”" if getattr(clause, "key", "") == "vote.quota" else ""
            yield (
                f"“{clause.words}” comes too early: nobody has voted yet when it reads {listed(found)}"
                f"{_now(seen, clause)}{cure}"
            )


def _read_early(clause: Clause, early: tuple[str, ...]) -> tuple[Expression, ...]:
    """Return what is looked at in a clause before any ballot is cast."""
    if isinstance(clause, Set):
        return tuple(clause.expressions) if clause.key in (*early, *WHEN_PROPOSED) else ()
    if not isinstance(clause, On) or clause.event not in ("proposed", "debate_ended", "vote_opened"):
        return ()
    first = tuple(one for one in (clause.condition, clause.among) if one is not None)
    waits = any(one.form.name in ("let", "after", "roll") for one in clause.every_effect())
    every = first if waits else tuple(clause.expressions)
    return tuple(one for one in every if not (clause.event == "vote_opened" and "not_voted" in one.words))


def _now(seen: Seen, clause: Clause) -> str:
    """Say what a term of votes comes to in a vote that was just opened."""
    if not isinstance(clause, Set) or clause.key not in ("vote.quota", "vote.quorum"):
        return ""
    found = of_an_example(seen.adoption.after, clause.key)
    own = found.answered and any(one.clause is clause for one in found.sources)
    return f", so {clause.key} is {shown(found.value)}" if own else ""


def never_early(seen: Seen) -> Iterator[str]:
    """Say why votes do not end early although a rule lets them: no result is certain before the last ballot."""
    law, state = seen.law, seen.adoption.after
    if not law.speaking("vote.ends_early") or not any(map(seen.sets, ENDING_EARLY)):
        return
    early, again = of_an_example(state, "vote.ends_early"), of_an_example(state, "vote.changeable")
    if early.says(True) and again.says(True):
        yield f"no vote ends early{cited(early.rule)}: ballots can be changed until the last is cast{cited(again.rule)}"
    found = of_an_example(state, "vote.adopted")
    for source in (found.sources or law.speaking("vote.adopted")) if early.says(True) else ():
        looked = [*source.expressions]
        looked += [two for one in looked for key in law.dependence.keys_of(one) for two in behind(law, key, FIXED)]
        if hangs_on_more(law, looked):
            yield (
                f"no vote ends early{cited(early.rule)}: what “{source.clause.words}” looks at can change "
                f"without a ballot{cited(source.rule.number)}"
            )


def too_late(seen: Seen) -> Iterator[str]:
    """Yield the new clauses that decide something once it is decided."""
    yield from _while_open(seen)
    for clause in seen.fresh:
        if isinstance(clause, On):
            decides = any(effect.form.name in DECIDING for effect in clause.every_effect())
            if decides and (late := seen.law.vocabulary.events[clause.event].late):
                yield f"“{clause.words}” comes too late to decide it: {late}"
            yield from _after_opening(seen.law, clause)
        elif isinstance(clause, Require):
            yield from _after_change(seen.law, clause)


def untimed(seen: Seen) -> Iterator[str]:
    """Yield the new clauses that come to nothing until somebody records what time it is."""
    for clause in seen.fresh if seen.adoption.after.clock is None else ():
        if _needs_time(seen.law, clause):
            yield f"nobody has recorded what time it is: “{clause.words}” needs it; the host records it, as {EXAMPLE}"


def _needs_time(law: Law, clause: Clause) -> bool:
    if isinstance(clause, On) and clause.event == "day_begun":
        return True
    reads = any("clock" in law.dependence.read_by(one) for one in clause.expressions)
    return reads or any(getattr(one, "unit", None) in MINUTES for one in clause.every_effect())


def _after_opening(law: Law, clause: On) -> Iterator[str]:
    """Say that an answer for which no vote waits writes what is read when the vote opens."""
    if clause.event not in ("proposed", "vote_opened"):
        return
    written = set(_written_behind(clause.effects, late=clause.event == "vote_opened"))
    closing = law.speaking("vote.quota_when")
    fixed = AT_OPENING if closing else (*AT_OPENING, "vote.quota")
    for table in sorted(written & law.dependence.tables_read(fixed)):
        key = next(one for one in fixed if table in law.dependence.tables_read((one,)))
        cure = "" if key != "vote.quota" else ', or write set vote.quota_when to "closing"'
        waits = "without within" if clause.event == "proposed" else "on proposed"
        yield (
            f"what “{clause.words}” finds out comes too late for the vote: {key} reads {table} when the vote opens, "
            f"and that does not wait for the answer; ask {waits}{cure}"
        )


def _while_open(seen: Seen) -> Iterator[str]:
    """Say that what is kept of a proposal is written while the vote on it is open, and read when that opens."""
    law = seen.law
    kept = {name for name, shape in law.tables.items() if shape.keys[:1] == ("proposal",)}
    fixed = AT_OPENING if law.speaking("vote.quota_when") else ("vote.quota", *AT_OPENING)
    for key in fixed if kept else ():
        read = kept & law.dependence.tables_read((key,))
        for clause in in_force(law) if read else ():
            if not isinstance(clause, On) or clause.event in BEFORE_OPENING:
                continue
            if seen.sets(key) or clause in seen.fresh:
                cure = '; write set vote.quota_when to "closing"' if key == "vote.quota" else ""
                for table in sorted(read & {table_written(one) for one in clause.every_effect()}):
                    yield (
                        f"what “{clause.words}” writes comes too late for a vote that is open: {key} reads {table} "
                        f"when it opens{cure}"
                    )


def _written_behind(some: tuple[Effect, ...], *, late: bool) -> Iterator[str]:
    """Yield the tables that are written behind an answer which no vote waits for."""
    for effect in some:
        late = late or getattr(effect, "span", None) is not None
        if late and (table := table_written(effect)):
            yield table
        for inner in inside(effect):
            yield from _written_behind(inner, late=late)


def _after_change(law: Law, clause: Require) -> Iterator[str]:
    """Say that a requirement speaks of what play alters, when no requirement is looked at."""
    for expression in clause.expressions:
        tables = sorted(expression.words & law.tables.keys())
        if tables and TABLES in law.dependence.read_by(expression):
            yield (
                f"“{clause.words}” does not stop {tables[0]} from changing: it is looked at when a rule changes, "
                f"before what that sets off; for a limit, write set counter.value to … while counter == “{tables[0]}”"
            )
