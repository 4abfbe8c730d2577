"""Signs of time: what a clause brings about comes too late for what it is to decide, or nobody knows the time."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.explore.reading import effects, in_force, inside, table_written
from nomic_nb.explore.seen import Seen
from nomic_nb.law.choosing import MINUTES
from nomic_nb.law.clauses import Clause, On, Require
from nomic_nb.law.dependence import TABLES
from nomic_nb.law.forms import Effect
from nomic_nb.law.resolver import Law
from nomic_nb.play.calendar import EXAMPLE

#: Effects by which something is decided.
DECIDING = frozenset({"let", "cast"})
#: What is fixed when a vote opens; the quota too, unless `vote.quota_when` says otherwise.
AT_OPENING = ("vote.electorate", "vote.weight", "vote.choices", "vote.quorum", "vote.duty", "vote.ballots")
#: What happens to a proposal before the vote on it opens.
BEFORE_OPENING = frozenset({"proposed", "revised", "debate_ended"})


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
            yield f"nobody has recorded what time it is: “{clause.words}” needs it, as in game.host.time(“{EXAMPLE}”)"


def _needs_time(law: Law, clause: Clause) -> bool:
    if isinstance(clause, On) and clause.event == "day_begun":
        return True
    reads = any("clock" in law.dependence.read_by(one) for one in clause.expressions)
    return reads or any(dict(one.places).get("unit") in MINUTES for one in effects(clause))


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
    if seen.sets("vote.quota_when") or "vote.quota_when" in law.candidates:
        return
    kept = {name for name, shape in law.tables.items() if shape.keys[:1] == ("proposal",)}
    read = kept & law.dependence.tables_read(("vote.quota",))
    for clause in in_force(law) if read else ():
        if not isinstance(clause, On) or clause.event in BEFORE_OPENING:
            continue
        if seen.sets("vote.quota") or clause in seen.fresh:
            for table in sorted(read & {table_written(one) for one in clause.every_effect()}):
                yield (
                    f"what “{clause.words}” writes comes too late for a vote that is open: vote.quota reads {table} "
                    'when it opens; write set vote.quota_when to "closing"'
                )


def _written_behind(some: tuple[Effect, ...], *, late: bool) -> Iterator[str]:
    """Yield the tables that are written behind an answer which no vote waits for."""
    for effect in some:
        late = late or dict(effect.places).get("span") is not None
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
