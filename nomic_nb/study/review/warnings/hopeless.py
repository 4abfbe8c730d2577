"""Signs that nobody could win, be put out, or get on any more: what the law finds before a change, and after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nomic_nb.chess.play.records import KEYS
from nomic_nb.engine.law.clauses import Instead, On
from nomic_nb.engine.law.findings import Finding, as_set
from nomic_nb.engine.law.values import Ref
from nomic_nb.engine.play.permissions import forbidden, permission
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.turn_order import players_in
from nomic_nb.engine.play.values import names_of
from nomic_nb.engine.words import cited, listed
from nomic_nb.study.review.queries import in_force
from nomic_nb.study.review.seen import Seen
from nomic_nb.study.review.terms import Turned
from nomic_nb.study.review.warnings.winnability import unwinnable

#: Terms without which boards cannot do. What is left out, only rules of other subjects look up, or what an army does
#: that enters.
NEEDED_ON_BOARDS = frozenset(key.name for key in KEYS) - {
    "army.array", "board.files", "board.ranks", "ladder.kinds", "move.spare_partner",
}  # fmt: skip


def hopeless(before: State, seen: Seen) -> Iterator[str]:
    """Yield what nobody could do, or come to, any more; what is so already is not said."""
    after = seen.adoption.after if seen.adoption.in_force else seen.adoption.written
    for look, told in _LOOKS:
        found = look(after)
        if found is not None and look(before) is None:
            yield f"{told}{cited(found.rule)}"
    for one in seen.supposed:
        found = unwinnable(one.state) if one.clause.key == "win.winners" else None
        if found is not None and unwinnable(before) is None:
            yield f"nobody wins any more where {one.when}{cited(found.rule)}"
    if _puts_out(before) and not _puts_out(after) and "players" in after.law.dependence.fields_read("win.winners"):
        won = cited(after.find("win.winners").rule)
        yield f"no rule puts anybody out any more, and who wins depends on who is left{won}"
    yield from _silent(after, seen.turned)
    yield from _passed_over(before, after)
    for clause in seen.of(On):
        ends = any(one.form.name == "end" and one.what != "play" for one in clause.effects_at_once())
        if clause.event in ("turn_begun", "part_begun") and clause.condition is None and clause.among is None and ends:
            yield f"nobody gets to do anything in a turn: “{clause.words}” ends each as it begins"


def _puts_out(state: State) -> bool:
    """Tell whether a rule in force puts players out, and none puts something in place of that whatever happens."""
    clauses = [part for one in in_force(state.law) for part in one.whole]
    if any(isinstance(one, Instead) and one.event == "eliminated" and one.condition is None for one in clauses):
        return False
    return any(effect.form.name == "eliminate" for clause in clauses for effect in clause.every_effect())


def _uncaptured(state: State) -> Finding | None:
    """Return what keeps royal pieces from being captured, whoever would do it."""
    if state.position is None:
        return None
    royals = state.find("royal.capture")
    if royals.value == "never":
        return royals
    found = [state.find("capture.from", army=Ref("army", name)) for name in state.position.armies]
    return found[0] if found and all(one.answered and one.value == () for one in found) else None


def _unmoved(state: State) -> Finding | None:
    """Return what keeps everybody from moving: a ban that looks at nothing, or no moves in a turn."""
    if state.position is None:
        return None
    bans = [permission(state, "move", name) for name in state.playing]
    if bans and all(one.answered and forbidden(one) for one in bans):
        return bans[0]
    counts = [state.find("move.count", army=Ref("army", name)) for name in state.position.armies]
    return counts[0] if counts and all(one.answered and one.value == 0 for one in counts) else None


#: What is looked for, each with what is said where it is so, and was not.
_LOOKS: tuple[tuple[Callable[[State], Finding | None], str], ...] = (
    (unwinnable, "nobody wins any more, neither who is left alone nor who has most"),
    (_uncaptured, "no royal piece can be captured any more"),
    (_unmoved, "nobody may move any more"),
)


def _passed_over(before: State, after: State) -> Iterator[str]:
    """Say who has turns, and would have none any more, where others have them still."""
    then, now = before.find("turn.sequence"), after.find("turn.sequence")
    if then.answered and now.answered and (left := set(players_in(after, now.value))):
        lost = [one for one in after.playing if one in players_in(before, then.value) and one not in left]
        if lost:
            yield f"{listed(lost)} would have no turn any more{cited(now.rule)}"
    extra, next_ones = before.find("turn.next"), after.find("turn.next")
    always = all(as_set(one).condition is None for one in next_ones.sources)
    if next_ones.answered and always and (names := names_of(next_ones.value)) and not names_of(extra.value or ()):
        yield f"whenever a turn ends, the next would be {listed(names, 'and')}’s again{cited(next_ones.rule)}"


def _silent(after: State, turned: tuple[Turned, ...]) -> Iterator[str]:
    silent = [one for one in turned if one.new.outcome == "silent"]
    if not silent:
        return
    expressions = (one for clause in in_force(after.law) for one in clause.expressions)
    looked_up = {key for one in expressions for key in after.law.dependence.keys_of(one)}
    needed = {key.name for key in after.law.vocabulary.keys.values() if key.needed} | looked_up
    needed |= NEEDED_ON_BOARDS if after.position is not None else set()
    gone = [one.where for one in silent if one.key in needed]
    if len(gone) == 1:
        yield f"no rule says what {gone[0]} is any more; play stops there, and the table is asked"
    elif gone:
        yield f"{len(gone)} things that play needs would be laid down by no rule: {'; '.join(gone)}; the table is asked"
