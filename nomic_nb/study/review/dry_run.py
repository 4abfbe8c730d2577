"""A look at a change: what comes of it, tried once before the vote, and the signs of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice, product
from typing import cast

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import On
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.new_book import find_target
from nomic_nb.engine.law.nodes import ACTION, Meter, Part, Spent
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number, Rule, Source
from nomic_nb.engine.law.values import Ref, Type, Value
from nomic_nb.engine.play.engine import Endless
from nomic_nb.engine.play.events import Cause
from nomic_nb.engine.play.lawmaking import form_of, open_to_revision
from nomic_nb.engine.play.loop import numbers_of
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial import Adoption, Trial, adopt, calm, put_into
from nomic_nb.engine.play.values import PLAYER, Vote
from nomic_nb.study.review.adoption import Future, future_of
from nomic_nb.study.review.boards.compare import OnBoards, on_boards
from nomic_nb.study.review.cases import MOST_FACES, Cases, reads
from nomic_nb.study.review.seen import Concerned, Seen, Smell
from nomic_nb.study.review.terms import compare, suppositions, tried, unreached
from nomic_nb.study.review.warnings.clarity import smells
from nomic_nb.study.review.warnings.deadlock import NEEDED_ON_BOARDS, hopeless, standing_still, wrecks
from nomic_nb.study.review.warnings.scoring import wins_by_its_score

#: Players to whom something is let happen where rules tell them apart.
MOST_TRIED = 6
#: Events by which the law changes.
LAWMAKING = frozenset({"enacted", "amended", "repealed", "transmuted", "suspended", "voided", "revived"})
#: Changes that new rules make later and that are looked at, and how many of them in a row.
MOST_LATER, DEPTH = 6, 2


def try_out(state: State, player: str, steps: int) -> tuple[tuple[str, ...], tuple[int | str, ...]]:
    """Let everything happen once that rules listen for.

    Parameters
    ----------
    state : State
        A calm one; it is not touched.
    player : str
        To whom it happens, where rules do not tell players apart.
    steps : int
        How many one of these may take; all of them together take twice as many at most.

    Returns
    -------
    tuple
        What is to be said of rules that set themselves off for ever, and the numbers of those that take too many steps.
    """
    endless: frozenset[Cause] = frozenset()
    told: tuple[str, ...] = ()
    costly: frozenset[Part] = frozenset()
    left = steps  # of them all together
    for begin in _everything(state, player):
        for anew in (False, True):  # whose the steps were must not depend on what was looked at before
            engine, meter = Trial(calm(state), endless), Meter(steps, stops=True, anew=anew)
            try:
                with meter.running():
                    begin(engine)
            except Endless as found:
                endless |= found.causes
                told += found.told
            except Spent:
                costly = meter.costly(1)
                continue
            break
        left -= steps - meter.left
        if left < 0 or costly:
            break
    return tuple(dict.fromkeys(told)), numbers_of(state, costly)


def _everything(state: State, player: str) -> Iterator[Callable[[Trial], None]]:
    """Yield all that can set rules off: each event that they listen for, and each offer.

    An event for each part of a turn and each counter, and for one of everything else that it binds; for each face of
    a die, and each player, where what rules answer to it depends on that.
    """
    for event in state.law.triggers:
        binds, told_apart = state.law.vocabulary.events[event].binds, _told_apart(state.law, event)
        values = [_values(state, name, kind, player, every=name in told_apart) for name, kind in binds.items()]
        for one in product(*values):
            yield partial(Trial.happen, event=event, env=dict(zip(binds, one, strict=True)))
    for source in state.law.offers:
        names = {name for one in source.clause.expressions for name in one.names}
        for name in _values(state, "player", Type("player"), player, every="player" in names):
            yield partial(Trial.taking, offer=source, player=str(cast(Ref, name).id))


def _told_apart(law: Law, event: str) -> frozenset[str]:
    """Return the names on which hangs whether rules answer to an event, and faces also where a term depends on them."""
    found: set[str] = set()
    for source in law.triggers[event]:
        clause = cast(On, source.clause)
        found |= {name for one in (clause.condition, clause.among) if one is not None for name in one.names}
        for one in clause.expressions:
            found |= {"face"} & {*one.names, *(name for key in law.dependence.keys_of(one) for name in reads(law, key))}
    return frozenset(found)


def _values(state: State, name: str, kind: Type, player: str, *, every: bool) -> tuple[Value, ...]:
    if kind.name == "number":
        sides = state.find("dice.sides").value if name == "face" and every else 1
        return tuple(range(1, min(sides, MOST_FACES) + 1)) if isinstance(sides, int) else (1,)
    if kind.name == "player":
        others = [one for one in state.playing if one != player] if every else []
        return tuple(Ref("player", one) for one in [player, *others[: MOST_TRIED - 1]])
    if name == "part":
        found = state.find("turn.parts")
        return cast(tuple[Value, ...], found.value) if found.answered else ()
    if name == "counter":
        return tuple(one for one, shape in state.law.tables.items() if shape.keys == ("player",))
    if kind.name == "text":
        return ("for",)
    boards = state.position
    there: dict[str, Iterable[int | str]] = {
        "rule": state.rules.rules, "proposal": state.proposals, "judgment": state.judgments,
        "piece": boards.pieces if boards is not None else (), "army": boards.armies if boards is not None else (),
    }  # fmt: skip
    return tuple(Ref(kind.name, id) for id in [*there.get(kind.name, ())][-1:])


@frozen
class Look:
    """What a change comes to.

    Parameters
    ----------
    seen : Seen
        The rule before and after, what adoption brings, the terms that change, and rules that meet.
    boards : OnBoards or None
        What is different on the boards.
    future : Future
        Whether any rule-change could still be adopted afterwards.
    signs : tuple of Smell
        Warning signs.
    """

    seen: Seen
    boards: OnBoards | None
    future: Future
    signs: tuple[Smell, ...]


def look(
    base: State, change: Change, player: str, number: Number | None, vote: Vote | None, *,
    steps: int = ACTION, whole: bool = True,
) -> Look:  # fmt: skip
    """Adopt a change on trial, try what it sets off, and compare the law before and after.

    Parameters
    ----------
    base : State
        A calm one; it is not touched.
    change, player, number, vote
        As `adopt` takes them.
    steps : int
        How many steps one thing may take that is tried.
    whole : bool
        Whether to look at all terms and at the boards, which takes long, and not only at the terms that the rule sets.
    """
    adoption = adopt(base, change, player, number, vote, steps=steps)
    if adoption.in_force and not (adoption.endless or adoption.costly):
        endless, costly = try_out(calm(adoption.after), player, steps)
        adoption = replace(adoption, endless=endless, costly=costly)
    seen = _seen(base, change, player, adoption, steps, whole=whole)
    painted, now = None, adoption.written
    if adoption.in_force:
        now = calm(adoption.after)
        keys = tuple(one.key for one in seen.turned)
        painted = on_boards(Cases(base, now, player, seen.changed), adoption, keys) if whole else None
    future = future_of(now)
    if change.apart:  # each stands or falls by itself
        each = [
            look(base, one, player, called, vote, steps=steps, whole=False) for one, called in _apart(change, number)
        ]
        return Look(seen, painted, future, tuple(dict.fromkeys(sign for one in each for sign in one.signs)))
    scored = (Smell("destructive", one) for one in wins_by_its_score(base, change, player, number))
    return Look(seen, painted, future, (*smells(seen), *_wrecked(base, seen, player, future, painted), *scored))


def look_at_once(
    base: State, change: Change, player: str, number: Number | None, *, steps: int
) -> tuple[Seen, tuple[Smell, ...]]:
    """Return the signs that can be seen without trying anything out: parameters are those of `look`."""
    seen = _seen(base, change, player, put_into(base, change, player, number), steps)
    if change.apart:
        each = (look_at_once(base, one, player, called, steps=steps)[1] for one, called in _apart(change, number))
        return seen, tuple(dict.fromkeys(sign for signs in each for sign in signs))
    return seen, (*smells(seen), *(Smell("destructive", one) for one in hopeless(base, seen)))


def look_further(base: State, seen: Seen, player: str, depth: int = DEPTH) -> Iterator[Smell]:
    """Yield the signs of what a change brings later: changes that its rules make then, and a proposal's other form.

    Parameters
    ----------
    base : State
        As it was before the change.
    seen : Seen
        What is seen of the change itself.
    player : str
        The proponent.
    depth : int
        How many changes in a row that rules make are looked at.
    """
    if seen.change.kind == "revise":
        target, form = open_to_revision(base, seen.change), form_of(base, seen.change)
        then = _seen(base, form, target.proponent, put_into(base, form, target.proponent, target.number), seen.steps)
        found = [(f"if proposal {target.number} is adopted in this form", base, then)]
    else:
        after = calm(seen.adoption.after)
        found = [
            (f"once “{effect.words}” is done", after, _seen(after, seen.change, player, adoption, seen.steps))
            for effect, adoption in islice(_later(after, seen, player), MOST_LATER)
        ]
    for when, before, then in found:
        further = look_further(before, then, player, depth - 1) if depth > 1 else ()
        signs = chain(smells(then), further, _wrecked(before, then, player))  # what takes longest comes last
        yield from (Smell(sign.name, f"{when}, {sign.evidence}") for sign in signs)


def _apart(change: Change, number: Number | None) -> list[tuple[Change, Number | None]]:
    """Return changes that are voted on one by one, each with the number of its proposal."""
    return [(one, number + at if isinstance(number, int) else None) for at, one in enumerate(change.parts)]


def _wrecked(
    before: State, seen: Seen, player: str, future: Future | None = None, boards: OnBoards | None = None
) -> Iterator[Smell]:
    """Yield the signs that a change wrecks play."""
    for one in chain(standing_still(seen), hopeless(before, seen)):
        yield Smell("destructive", one)
    after = seen.adoption.after if seen.adoption.in_force else seen.adoption.written
    for one in wrecks(before, seen, future or future_of(calm(after)), player, boards):
        yield Smell("destructive", one)


def _later(after: State, seen: Seen, player: str) -> Iterator[tuple[Effect, Adoption]]:
    """Yield the changes of the law that new clauses make by themselves later: each done on trial, whatever its time."""
    by_rule = {
        (one.cause.id, one.cause.words, one.kind)
        for one in seen.adoption.events
        if one.cause is not None and one.data.get("number") is None
    }
    for rule, clauses in ((one.new, one.fresh) for one in seen.standing if one.new is not None):
        for clause in clauses:
            for effect in clause.every_effect():
                makes = LAWMAKING & {*effect.form.makes}
                if makes and not any((rule.id, clause.words, kind) in by_rule for kind in makes):
                    then = _done_alone(after, Source(rule, clause), effect, player, seen.steps)
                    if then.rules is not after.rules:
                        asked = tuple(question.text for question in then.questions)
                        yield effect, Adoption(None, (), then, then, in_force=True, doubts=asked)


def _done_alone(after: State, source: Source, effect: Effect, player: str, steps: int) -> State:
    """Return how things stand once an effect is done, whatever it waits for; as before, if that takes too long."""
    clause = cast(On, source.clause)
    always = replace(clause, each=None, among=None, condition=None, effects=(effect,))
    binds = {"player": PLAYER, **after.law.vocabulary.events[clause.event].binds}
    env = {name: one[0] for name, kind in binds.items() if (one := _values(after, name, kind, player, every=False))}
    engine = Trial(calm(after), frozenset())
    try:
        with Meter(steps, stops=True).running():
            engine.set_off(Source(source.rule, always), env)
            engine.finish()
    except (Endless, Spent):
        return after
    return engine.state


def _seen(
    base: State, change: Change, player: str, adoption: Adoption, steps: int = ACTION, *, whole: bool = False
) -> Seen:
    """Return what is seen of a change: terms that change, also where new clauses come to hold; and rules that meet."""
    seen = Seen(change, _concerned(base, change, adoption), adoption, steps=steps)
    if not adoption.in_force:
        return seen
    after = calm(adoption.after)
    cases = Cases(base, after, player, seen.changed)
    turned, met = compare(cases, None if whole else _looked_at(cases, seen))
    supposed = tuple(then for one in seen.standing if one.new for then in suppositions(after, one.new, one.old))
    then, meets = tried(cases, turned, supposed)
    turned, met = (*turned, *then), tuple(dict.fromkeys((*met, *meets)))
    lost = tuple(unreached(cases, seen.fresh))
    return replace(seen, turned=turned, met=met, supposed=supposed, unreached=lost)


def _concerned(base: State, change: Change, adoption: Adoption) -> tuple[Concerned, ...]:
    """Return all rules that a change concerns: those that it changes, then those that rules change because of it."""
    book = (adoption.after if adoption.in_force else adoption.written).rules
    now, found = book.rules, dict[int, Concerned]()
    made = adoption.made or [(one, None) for one in change.numbered if one.kind != "revise" and not adoption.in_force]
    for part, rule in made:
        old = find_target(base.rules, part) if part.target is not None else None
        one = Concerned(part, old, rule if rule is None else now.get(rule.id, rule))
        found[-1 if one.id is None else one.id] = one
    for id in sorted({*base.rules.rules, *now}):
        old, new = (None if id in one.void else one.rules.get(id) for one in (base.rules, book))
        if id not in found and _says(old) != _says(new):
            found[id] = Concerned(_made_by_rule(old, new), old, new)
    return tuple(found.values())


def _says(rule: Rule | None) -> object:
    """Return what makes one version of a rule another than the last: not that it is guaranteed to stand for now."""
    return rule and (rule.number, rule.tier, rule.parts, rule.scope, rule.lifted)


def _made_by_rule(old: Rule | None, new: Rule | None) -> Change | None:
    """Return the change that made a rule what it is, if no vote did; None for a rule of a rule set brought in."""
    if new is None or old is None:
        rule = new or old
        if rule is None or rule.ruleset:
            return None
        return Change("enact", None, rule.wording, rule.law) if new else Change("repeal", rule.number)
    same = (old.wording, old.law) == (new.wording, new.law)
    return Change("transmute", old.number) if same else Change("amend", old.number, new.wording, new.law)


def _looked_at(cases: Cases, seen: Seen) -> tuple[str, ...]:
    """Return the terms that the rule sets; where rules rank otherwise, those without which play stops, too."""
    if cases.before.law.order == cases.after.law.order:
        return seen.keys
    needed = (one.name for one in seen.law.vocabulary.keys.values() if one.needed or one.name in NEEDED_ON_BOARDS)
    return tuple(dict.fromkeys((*seen.keys, *needed)))
