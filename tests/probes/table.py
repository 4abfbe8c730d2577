"""What a probe is, and what comes of one.

A probe is a hostile rule, and what must come of it by the *wording* of the published rule that it clashes with:

``defeated``   the published rule prevails: play goes on as it says
``void``       the same, and the whole new rule is without effect
``asked``      the table is asked
``refused``    the change cannot be proposed, cannot be adopted, or has no effect once it is adopted
``works``      play goes on as the new rule says

Several of them, where the wording is content with each: ``refused or defeated``. In clauses <203> is the rule that has
this number in three of the sets, whatever it has in the fourth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from probes.sitting import Sitting, Waits

import nomic_nb as nb

ASKED = "the table is asked"


@dataclass(frozen=True)
class Look:
    """How one sees which rule prevails.

    Parameters
    ----------
    see : callable
        Does in a sitting what shows it, and returns what was seen.
    published, otherwise : object
        What is seen where the published rule prevails, and where the new one does.
    """

    see: Callable[[Sitting], object]
    published: object
    otherwise: object


@dataclass(frozen=True)
class Probe:
    """A row of the table: the rule, the name of the row, the clauses, what must come of them, why, how it is seen.

    `look` is none where no clause can clash with the rule; `why` says why not. `amends` is the rule that is amended by
    the clauses, where they are not a rule of their own; `before` is adopted first; `against` vote against the clauses.
    """

    rule: int
    name: str
    clauses: str | None
    expected: str
    why: str
    look: Look | None
    amends: int | None = None
    before: tuple[tuple[int | None, str], ...] = ()
    against: tuple[str, ...] = ()
    players: tuple[str, ...] = ("Ann", "Ben", "Cleo")
    terms: tuple[tuple[str, object], ...] = ()


def probe(rule, name, clauses, expected, why, look, **more):
    """A row of the table."""
    return Probe(rule, name, clauses, expected, why, look, **more)


def none(rule, why):
    """A row for a rule that no clause can clash with."""
    return Probe(rule, "none", None, "", why, None)


def outcome(system, row):
    """Play a probe; what came of it, in the words above or in others where it is neither."""
    sitting = _begun(system, row.players, row.terms, row.before).fork()
    try:
        proposal = _turn(sitting, row.amends, row.clauses, row.against)
        if proposal is None or proposal.outcome in ("without effect", "defeated"):
            return "refused"
        sitting.heed()
        sitting.probe = proposal
        seen = row.look.see(sitting)
        sitting.heed()
    except Waits:
        return "asked"
    if seen == ASKED:
        return "asked"
    if seen == row.look.published:
        return "void" if _void(sitting.game, proposal) else "defeated"
    return "works" if seen == row.look.otherwise else f"neither: {seen!r}"


def seen_without(system, row):
    """What is seen where a rule without clauses came in, in place of the hostile one."""
    sitting = _begun(system, row.players, row.terms, row.before, idle=True, against=row.against).fork()
    try:
        return row.look.see(sitting)
    except Waits:
        return ASKED


@cache
def _begun(system, players, terms, before, *, idle=False, against=()):
    """A sitting in which a few changes were adopted, and where `idle` a rule without clauses, to be forked."""
    sitting = Sitting(system, players, terms=dict(terms))
    for amended, clauses in before:
        _turn(sitting, amended, clauses)
    if idle:
        sitting.probe = _turn(sitting, None, "", against)
    return sitting


def _void(game, proposal):
    """Whether the rule that a proposal made is there and void."""
    return proposal.number in game.rules and bool(game.rules.void_reason(game.rules[proposal.number]))


def _turn(sitting, amended, clauses, against=()):
    """A whole turn with such a change; none where it cannot be proposed."""
    change = sitting.enact(clauses) if amended is None else sitting.amend(amended, clauses)
    sitting.begin()
    try:
        proposal = sitting.propose(change)
    except (nb.IllegalAction, nb.LawError):
        return None
    sitting.vote(proposal, against)
    sitting.finish()
    return proposal


def fits(expected, came):
    """Whether what came of a probe is what must; a rule that is wholly void is defeated too."""
    wanted = expected.split(" or ")
    return came in wanted or (came == "void" and "defeated" in wanted)
