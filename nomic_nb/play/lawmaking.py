"""How a change comes to be law: tried on a copy, checked, then applied whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from nomic_nb.errors import LawError
from nomic_nb.law import values
from nomic_nb.law.changes import Change, Making, find_target, make
from nomic_nb.law.clauses import Require, Set, Track
from nomic_nb.law.findings import Finding, Source
from nomic_nb.law.language import Line, tracks
from nomic_nb.law.resolver import Law, contradicted
from nomic_nb.law.rules import Number, Rule, Void
from nomic_nb.law.values import Ref, Value
from nomic_nb.law.view import Undecided, View
from nomic_nb.play.brought_in import digests
from nomic_nb.play.events import Cause, number_to_json
from nomic_nb.play.fold import with_book, with_counter
from nomic_nb.play.state import Item, Proposal, State

if TYPE_CHECKING:
    from nomic_nb.play.engine import Engine

#: The event that each kind of change makes.
MAKES = {"enact": "enacted", "amend": "amended", "repeal": "repealed", "transmute": "transmuted"}


def check_change(law: Law, change: Change, tier: str = "") -> None:
    """Read a change before anyone votes on it: it parses, it types, its target is there.

    Raises
    ------
    LawError
        A clause cannot be read; line and column are those of the change's law.
    LookupError
        There is no such rule or amendment.
    """
    lines = law.language.read(change.law or "")
    _known_tiers(law, lines)
    book, _ = make(law.book, change, lines, Making(None, 0, 0, None, tier, takes_number=False))
    counters = tracks(clause for rule in book for clause in rule.clauses)
    law.language.check(lines, counters)
    torn = _started_twice(clause for rule in book for clause in rule.clauses if isinstance(clause, Track))
    if torn:
        raise LawError(torn, expected="another counter, or the same start")


def _started_twice(tracked: Iterable[Track]) -> str:
    """Say which counter two clauses let start otherwise, since neither goes before the other; empty where none does."""
    starts: dict[str, str] = {}
    for one in tracked:
        if starts.setdefault(one.counter, one.start.text) != one.start.text:
            return (
                f"{one.counter} starts from {starts[one.counter]} by one clause, and from {one.start.text} by another"
            )
    return ""


def _known_tiers(law: Law, lines: tuple[Line, ...]) -> None:
    """Refuse a tier that the law does not know: no rule of it, no rank for it."""
    known = {*law.order.tiers, *(rule.tier for rule in law.book)}
    for line in lines:
        clause = line.clause
        key = law.vocabulary.keys.get(clause.key) if isinstance(clause, Set) else None
        if key is None or not key.tiers or not isinstance(clause, Set):
            continue
        for node in clause.value.walk():
            if node.kind == "constant" and isinstance(node.value, str) and node.value not in known:
                said = f"the law knows no rules that are {node.value}"
                raise LawError(said, line=line.line, found=repr(node.value), expected=", ".join(sorted(known)))


def _tier(engine: Engine, change: Change, asked: State, case: dict[str, Value]) -> str:
    if change.kind in ("enact", "transmute"):
        return str(engine.law.settled(engine.law.find(f"{change.kind}.tier", asked, case)))
    return ""


def broken_requirement(engine: Engine, state: State, asked: State, case: dict[str, Value]) -> Source | None:
    """Return the first requirement that a law does not meet, judged by that law itself (114, 115, 209).

    Parameters
    ----------
    engine : Engine
        Asks the table's ruling where a requirement is undecided.
    state : State
        As it would be under the changed law.
    asked, case
        The state in which the change is proposed, and the proposal.

    Raises
    ------
    Undecided
        Where a requirement gives no answer and nobody has settled it.
    """
    for source in state.law.requirements:
        view = View(state, {"this": Ref("rule", source.rule.id)}, state.law)
        try:
            view.check_left_out()
            met = cast(Require, source.clause).condition.run(view)
        except Undecided as doubt:
            finding: Finding = engine.law.find("change.stands", asked, case)
            if not finding.answered:
                why = f"whether rule {source.rule.number} is kept to is open, because {doubt.reason}"
                raise Undecided(why, finding) from None
            met = finding.value
        if met is not True:
            return source
    return None


def put_in_force(engine: Engine, proposal: Proposal) -> None:
    """Let an adopted change take effect, or record why it has none."""
    case: dict[str, Value] = {"proposal": Ref("proposal", proposal.number)}
    takes = engine.read("rule.takes_number", **case) is True
    try:
        _same_rule(engine.state, proposal)
        enforce(
            engine,
            proposal.change,
            proposal.number,
            proposal.proponent,
            engine.state,
            case,
            takes_number=takes,
        )
    except LookupError as error:
        engine.emit("without_effect", proposal.proponent, number=proposal.number, note=str(error))


def _same_rule(state: State, proposal: Proposal) -> None:
    """Complain where a change would reach another rule than was voted on, or one that stands otherwise (106)."""
    if proposal.aim is None:
        return
    (id, tier), rule = proposal.aim, find_target(state.rules, proposal.change)
    if rule.id != id:
        raise LookupError(f"rule {rule.number} is another rule than the one it was proposed for")
    if rule.tier != tier:
        raise LookupError(f"rule {rule.number} is {rule.tier} now; when this was proposed, it was {tier}")


def enforce(
    engine: Engine, change: Change, number: Number | None, author: str | None, asked: State, case: dict[str, Value],
    *, takes_number: bool,
) -> None:  # fmt: skip
    """Try a change on a copy, check it against the law that it makes, and apply it whole or not at all.

    Parameters
    ----------
    engine : Engine
        Where it takes effect.
    change : Change
        What is to be done.
    number, author
        The proposal and its proponent; None for an automatic change.
    asked : State
        The state in which the law is asked about the change: one in which it is proposed.
    case : dict
        The proposal, in that state.
    takes_number : bool
        Whether the rule takes the proposal's number.

    Raises
    ------
    LookupError
        There is no such rule or amendment any more.
    """
    state = engine.state
    lines = state.law.language.read(change.law or "")
    tier = _tier(engine, change, asked, case)
    making = Making(number, state.seq + 1, state.turn, author, tier, takes_number)
    book, rule = make(state.rules, change, lines, making)
    trial = with_book(state, book)
    try:
        for track, start in counter_starts(trial):
            trial = with_counter(trial, track.counter, track.per, start)
    except Undecided as doubt:
        engine.emit("without_effect", author, number=number, note=doubt.reason, change=change.to_json())
        return
    broken = broken_requirement(engine, trial, asked, case)
    if broken is not None:
        note = f"rule {broken.rule.number} does not allow it: {broken.clause.words}"
        kept, engine.cause = engine.cause, Cause(broken.rule.id, broken.rule.number, broken.clause.words)
        engine.emit("without_effect", author, number=number, note=note, change=change.to_json())
        engine.cause = kept
        return
    old, new = (digests(one.rules, state.law.language) for one in (state, trial))
    brings = {name: digest for name, digest in new.items() if name not in old}
    engine.emit(
        MAKES[change.kind], author, env={"rule": Ref("rule", rule.id)}, changed=rule.id, number=number,
        heard_as="" if change.part is None else "amended",
        data={"brings": brings} if brings else {},
        change=change.to_json(), tier=tier, takes_number=takes_number, rule=rule.id,
        old=_old_number(rule), new=None if change.kind == "repeal" and change.part is None else rule.number,
    )  # fmt: skip
    start_counters(engine)
    review_void(engine)
    _flag_stale(engine)


def _flag_stale(engine: Engine) -> None:
    """Flag the open proposals whose target is gone, or has another number now."""
    for proposal in engine.state.open_proposals:
        if proposal.note:
            continue
        try:
            make(engine.state.rules, proposal.change, (), Making(None, 0, 0, None))
        except LookupError as error:
            engine.emit("stale", proposal.proponent, number=proposal.number, note=str(error.args[0]))
            engine.schedule("settle stale", proposal=Ref("proposal", proposal.number))


def settle_stale(engine: Engine, item: Item) -> None:
    """Do with a proposal whose target is gone what the law, or the table, says."""
    state = engine.state
    proposal = state.proposals[cast(Ref, item.env["proposal"]).id]
    if not proposal.open or not proposal.note:
        return
    what = engine.read("proposal.when_stale", **item.env)
    if what == "lapse":
        engine.emit("lapsed", proposal.proponent, number=proposal.number, note=proposal.note)
    elif what == "retarget":
        now = state.rules.rules.get(proposal.aim[0]) if proposal.aim else None
        if now is None:
            raise Undecided(f"rule {proposal.change.target} was repealed, and there is nothing else to aim at")
        change = replace(proposal.change, target=now.number)
        engine.emit("retargeted", proposal.proponent, number=proposal.number, change=change.to_json())


def can_be_void(state: State, rule: Rule, against: Rule) -> bool:
    """Tell whether the law lets a rule be void because it contradicts another (110)."""
    finding = state.law.find("precedence.void", state, {})
    tiers = finding.value if isinstance(finding.value, tuple) else ()
    order = state.law.order
    return rule.tier in tiers and order.tier(against) < order.tier(rule)


def _still_void(state: State, id: int, why: Void) -> bool:
    """Tell whether what a Judge found void is that still: the same version, against a stronger rule."""
    rule, against = state.rules.rules[id], state.rules.rules.get(why.against)
    if why.version is None or against is None or rule.event != why.version:
        return False
    return can_be_void(state, rule, against)


def _old_number(rule: Rule) -> Number | None:
    return rule.before.number if rule.before else None


def start_counters(engine: Engine) -> None:
    """Begin to keep the counters that rules track and that nobody has yet."""
    for track, start in counter_starts(engine.state):
        engine.emit("tracked", counter=track.counter, per=track.per, start=number_to_json(start))


def counter_starts(state: State) -> list[tuple[Track, values.Number]]:
    """Return the counters that the law tracks and that nobody has yet, with where they start.

    Raises
    ------
    Undecided
        One does not start from a number.
    """
    torn = _started_twice(state.law.tracks)
    if torn:
        raise Undecided(torn)
    found: dict[str, tuple[Track, values.Number]] = {}
    for track in state.law.tracks:
        kept: Sequence[Mapping[str, object]] = [state.marks]
        if track.per == "game":
            kept = [state.counters]
        elif track.per == "player":
            kept = [one.counters for one in state.players.values()]
        if all(track.counter in one for one in kept) or track.counter in found:
            continue
        start = track.start.run(View(state, {}, state.law))
        if isinstance(start, bool | str | tuple) or start is None:
            raise Undecided(f"{track.counter} does not start from a number")
        found[track.counter] = (track, start)
    return list(found.values())


def review_void(engine: Engine) -> None:
    """Record which rules have become void, and which are void no more (110)."""
    state = engine.state
    finding = state.law.find("precedence.void", state, {})
    tiers = tuple(str(one) for one in finding.value) if isinstance(finding.value, tuple) else ()
    law = Law(replace(state.rules, void={}), state.law.order, state.law.language) if state.rules.void else state.law
    found = contradicted(law, tiers)
    kept = engine.cause
    if finding.sources:
        source = finding.sources[0]
        engine.cause = Cause(source.rule.id, source.rule.number, source.clause.words)
    for id, why in tuple(state.rules.void.items()):
        if id not in found and not _still_void(state, id, why):
            number = state.rules.rules[id].number
            engine.emit("revived", env={"rule": Ref("rule", id)}, rule=id, number=number)
    for id, (against, key) in found.items():
        if id not in state.rules.void:
            numbers = [state.rules.rules[one].number for one in (id, against)]
            engine.emit(
                "voided",
                env={"rule": Ref("rule", id)},
                changed=id,
                rule=id,
                against=against,
                key=key,
                numbers=numbers,
            )
    engine.cause = kept
