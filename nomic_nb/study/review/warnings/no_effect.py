"""Signs that a change makes no difference: its clauses are defeated, prevented, or looked up by nobody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nomic_nb.chess.play.records import ENTERING
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import Claim, Clause, Offer, On, Set, Track
from nomic_nb.engine.law.findings import Prevailing, as_set
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Rule, Source
from nomic_nb.engine.law.tables import table_ranked
from nomic_nb.engine.law.values import NUMBER, Ref
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.play.lawmaking import surely
from nomic_nb.engine.play.offers import closed_for_good
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import names_of
from nomic_nb.engine.words import cited, listed
from nomic_nb.study.review.cases import of_an_example
from nomic_nb.study.review.queries import always, could_say, done_under, in_force, table_written
from nomic_nb.study.review.seen import Concerned, Seen
from nomic_nb.study.views.redline import Difference


def _no_difference(seen: Seen) -> Iterator[str]:
    for one in seen.rules:
        if one.change is not None:  # what a rule set brings along is meant for another game
            yield from _same_as_before(seen, one, one.change)
    if seen.adoption.in_force:
        yield from seen.unreached


def _same_as_before(seen: Seen, rule: Concerned, change: Change) -> Iterator[str]:
    old, new, state = rule.old, rule.new, seen.adoption.after
    if new is None or change.kind == "transmute":
        if new is not None and old is not None and old.tier == new.tier:
            yield f"rule {old.number} is {old.tier} already"
        return
    if old is not None and Difference(old, new).same_text:
        number = f"; only the number becomes {new.number}" if new.number != old.number else ""
        yield f"rule {old.number} says the same afterwards{number}"
        return
    if not seen.adoption.in_force or new.id not in state.rules.rules:
        return
    why = state.rules.void.get(new.id)
    if why is not None and why.against is not None:
        against = state.rules.rules[why.against].number
        cure = f"leave out what it says of {why.key}, or change rule {against} first"
        yield f"rule {new.number} is void at once: it contradicts rule {against} on {why.key}; {cure}"
        return
    idle = [why for clause in rule.fresh for why in idling(state, new, clause)]
    words = {
        source.clause.words
        for one in seen.turned
        for source in (*one.new.sources, *(set(one.new.possible) - set(one.old.possible)))
    }
    idle += [
        f"“{one.clause.words}” changes nothing in any case that was looked at, even where {one.when}"
        for one in seen.supposed
        if one.rule.id == new.id
        and one.clause.key != "win.winners"  # nobody has won yet, whatever it says
        and one.clause.words not in words
        and not any(never(state.law, Source(new, one.clause)))
    ]
    yield from idle
    plain = all(isinstance(one, Claim) or always(one) for one in rule.clauses)
    same_words = old is None or old.wording == new.wording
    claims = any(isinstance(one, Claim) for one in rule.clauses)  # which may bear on any term
    turned = any(claims or one.key in rule.keys for one in seen.turned)
    if rule.clauses and plain and same_words and not turned and not idle:
        keys = listed(list(dict.fromkeys(one.key for one in rule.clauses if isinstance(one, Set))) or ["precedence"])
        yield f"its clauses change no term in any case that was looked at ({keys})"


def idling(state: State, rule: Rule, clause: Clause) -> Iterator[str]:
    """Say why a clause does nothing: it is defeated, nobody looks it up, it is late, or its effect is prevented."""
    if isinstance(clause, Set):
        yield from never(state.law, Source(rule, clause))
        key = state.law.vocabulary.keys[clause.key]
        if key.reader == ENTERING and key.type == NUMBER and state.position is not None:
            said = f"{clause.key} is looked up {ENTERING}; `grow` changes those"
            yield f"“{clause.words}” changes none of the boards that there are: {said}"
        if (key.by_rules or key.events) and not _looked_up(state.law, key):
            yield f"“{clause.words}” does nothing yet: no rule looks up {clause.key} from now on"
        if key.halves and state.position is not None and not any(one.half for one in state.position.boards.values()):
            yield f"“{clause.words}” does nothing: {clause.key} is about half-boards, and there are none"
        if clause.key == "vote.ended_by" and (duty := of_an_example(state, "vote.duty")).value is True:
            yield f"“{clause.words}” does nothing yet: everybody has to vote{cited(duty.rule)}, as vote.duty says"
        if clause.key == "move.count":
            yield from _too_many_moves(state, rule, clause)
        if clause.key == "change.ready" and not could_say(state.law, "change.effective", "when ready"):
            yield f"“{clause.words}” does nothing yet: change.effective is never “when ready”"
    elif isinstance(clause, On):
        if isinstance(clause, Offer):
            yield from closed_for_good(state, Source(rule, clause))
        if clause.event == "game_started":
            yield f"“{clause.words}” never happens: the game has begun"
        for effect in clause.every_effect():
            yield from _prevented(state, rule, effect)


def _looked_up(law: Law, key: Key) -> bool:
    """Tell whether a rule in force looks a term up, or brings about what it is looked up for; the game has begun."""
    return any(
        any(key.name in law.dependence.keys_of(one) for one in clause.expressions)
        or any({*key.events} & {*one.form.makes[:1]} for one in clause.every_effect())
        for clause in in_force(law)
        if not (isinstance(clause, On) and clause.event == "game_started")
    )


def _too_many_moves(state: State, rule: Rule, clause: Set) -> Iterator[str]:
    """Say that more moves are given than there are boards to play on, where another rule keeps to one on each."""
    sources = [one for one in state.law.candidates.get("move.on_push", ()) if one.rule.id != rule.id]
    limit = next((one for one in sources for said in one.expressions if "pushed" in said.words), None)
    own = any(isinstance(one, Set) and one.key == "move.on_push" for one in rule.clauses)
    if limit is None or own or state.position is None:
        return
    for name, army in state.position.armies.items():
        pieces = state.position.pieces.values()
        boards = {one.board for one in pieces if state.position.armies[one.army].controller == army.controller}
        count = state.find("move.count", army=Ref("army", name))
        if isinstance(count.value, int) and count.value > len(boards) and count.rule == rule.number:
            yield (
                f"“{clause.words}” gives no more moves than there are boards: as rule {limit.rule.number} has it, "
                f"{limit.clause.words}"
            )
            return


def _prevented(state: State, rule: Rule, effect: Effect) -> Iterator[str]:
    """Say why an effect is never done: it passes over what may not be skipped, or votes in a person's place."""
    if effect.form.name == "end" and effect.what != "play":
        skips = state.law.language.read("allow skip")[0].clause
        yield from never(state.law, Source(rule, replace(skips, words=effect.words)))
    elif effect.form.name == "cast":
        try:
            names = names_of(effect.who.run(View(state, {}, state.law)))
        except Undecided:  # whom it is for turns out in the vote
            return
        for name in (one for one in names if one in state.persons):
            found = state.find("vote.automatic", voter=Ref("player", name))
            if found.value is False:
                yield f"“{effect.words}” is not done: rule {found.rule} lets no rule vote for {name}"


def never(law: Law, source: Source) -> Iterator[str]:
    """Say why a clause that sets a key never has an effect."""
    clause = as_set(source)
    condition = clause.condition
    if condition is not None and surely(law, condition.node) is False:
        yield f"“{clause.words}” never applies: {condition.text} is never so"
    ranked = any(table_ranked(one)[1] in law.ranking for one in law.order.by)  # by what may be otherwise later
    for other in law.speaking(clause.key):
        if other.rule.id == source.rule.id or as_set(other).condition is not None or other.adds:
            continue
        if other.rule.local or (ranked and law.order.tier(other.rule) == law.order.tier(source.rule)):
            continue
        try:
            left, defeated = prevailing(law, source, other)
        except Undecided:
            return
        if source not in left and other in left:
            over = f"rule {other.rule.number} defeats it in every case; {defeated[0].reason}"
            yield f"“{clause.words}” never has an effect: {over}{_cure(law, source, other)}"
            return


def _cure(law: Law, source: Source, other: Source) -> str:
    """Say what would let a clause prevail over another; nothing where only another change of that rule would."""
    rule, number = source.rule, other.rule.number
    if not rule.parts or rule.id not in law.book.rules:
        return ""
    part = replace(rule.parts[0], lines=(*rule.parts[0].lines, *law.language.read(f"prevails over {number}")))
    claiming = replace(rule, parts=(part, *rule.parts[1:]))
    then = Law(law.book.with_rule(claiming), law.order, law.language)
    left, _ = prevailing(then, Source(claiming, source.clause), other)
    if any(one.rule is claiming for one in left):
        return f"; write prevails over {number} below it"
    return f"; amend rule {number} instead" if other.rule.tier == rule.tier else ""


def prevailing(law: Law, source: Source, other: Source) -> Prevailing:
    """Return which of two clauses on a key are left where both speak, and which is defeated."""
    key = as_set(source).key
    if not source.adds:
        return law.precedence.prevailing([source, other], key)
    left, defeated = law.on_top(key, [other], [source])
    return [*left, other], defeated


def unwritten(seen: Seen) -> Iterator[str]:
    """Yield the tables of which new clauses speak and that nothing changes, once the change is law."""
    changed = _written(seen.law)
    for name in seen.law.tables:
        if name in changed:
            continue
        if any(one.counter == name for one in seen.of(Track)):
            yield f"no rule changes {name}, so it stays where it starts"
        elif any(name in expression.words for one in seen.fresh for expression in one.expressions):
            yield f"no rule changes {name}, of which the new clauses speak, so it stays where it is"


def _written(law: Law) -> set[str | None]:
    """Return the tables that rules change, by themselves or by the drafts that they hold ready, or let players give."""
    found = set(map(table_written, done_under(law)))
    given = "may.give" in law.candidates
    return found | ({name for name, shape in law.tables.items() if shape.keys == ("player",)} if given else set())
