"""A sign that a change needs the time, where nobody has recorded any."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.explore.seen import Seen
from nomic_nb.law.choosing import MINUTES
from nomic_nb.law.clauses import Clause, On
from nomic_nb.law.resolver import Law
from nomic_nb.play.calendar import EXAMPLE


def untimed(seen: Seen) -> Iterator[str]:
    """Yield the new clauses that come to nothing until somebody records what time it is."""
    if seen.adoption is None or seen.adoption.after.clock is not None:
        return
    for clause in seen.fresh:
        if _needs_time(seen.adoption.written.law, clause):
            yield f"nobody has recorded what time it is: “{clause.words}” needs it, as in game.host.time(“{EXAMPLE}”)"


def _needs_time(law: Law, clause: Clause) -> bool:
    if any("clock" in law.dependence.read_by(one) for one in clause.expressions):
        return True
    if not isinstance(clause, On):
        return False
    return clause.event == "day_begun" or any(dict(one.places).get("unit") in MINUTES for one in clause.every_effect())
