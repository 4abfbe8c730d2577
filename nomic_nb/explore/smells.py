"""Warning signs of a proposal, each with what it rests on. They are hints: none of them stops anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from nomic_nb.explore.late import too_late
from nomic_nb.explore.mismatches import mismatches
from nomic_nb.explore.nobody import nobody
from nomic_nb.explore.open_secrets import open_secrets
from nomic_nb.explore.references import spoken
from nomic_nb.explore.seen import Seen, Smell
from nomic_nb.explore.timing import untimed
from nomic_nb.explore.unkept import could_say, unkept
from nomic_nb.explore.unwritten import unwritten
from nomic_nb.law.change import Change
from nomic_nb.law.clauses import Claim, Clause, Offer, On, Set
from nomic_nb.law.findings import Defeated, Finding, as_set
from nomic_nb.law.forms import Effect
from nomic_nb.law.index import adds
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Rule, Source
from nomic_nb.law.values import Ref
from nomic_nb.law.view import ACTION, Undecided, View
from nomic_nb.markup.words import cited, listed
from nomic_nb.play.asking import ask
from nomic_nb.play.offering import closed_for_good
from nomic_nb.play.people import names_of
from nomic_nb.play.possible import supposed, supposed_case
from nomic_nb.play.state import State

#: Words of a wording, and of one sentence, beyond which it is long.
LONG, LONG_SENTENCE = 200, 60
#: Words that leave open how much, when or what.
VAGUE = (
    "adequate", "and so on", "appropriate", "as needed", "etc", "fair", "fairly", "frequently", "generally", "good",
    "many", "normally", "often", "probably", "properly", "rarely", "reasonable", "reasonably", "several", "should",
    "some", "somehow", "sometimes", "soon", "suitable", "usually",
)  # fmt: skip
#: Functions by which things are put in an order in which several can share a place.
RANKED = frozenset({"ordered", "highest", "lowest"})
#: Functions that ask about another case of the term in which they stand.
ASKING_OTHERS = frozenset({"moves_of"})
_VAGUE = re.compile(rf"\b({'|'.join(VAGUE)})\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n\s*\n|\n\s*(?=[-*•]|\d+[.)])")


def smells(seen: Seen) -> tuple[Smell, ...]:
    """Return the warning signs of a change."""
    found = [Smell("unclear", one) for one in _unclear(seen)]
    if seen.error is None:
        for name, look in (
            ("ambiguous", _ambiguous), ("ambiguous", untimed), ("mismatch", mismatches),
            ("no difference", _no_difference), ("no difference", unwritten), ("no difference", unkept),
            ("no difference", nobody),
            ("several changes", _several), ("paradox", _paradox), ("too late", too_late), ("ties", _ties),
            ("seen by all", open_secrets),
        ):  # fmt: skip
            found += [Smell(name, one) for one in look(seen)]
    return tuple(dict.fromkeys(found))


# ---------------------------------------------------------------------------------------------- in words


def _unclear(seen: Seen) -> Iterator[str]:
    if seen.error is not None:
        yield f"its clauses cannot be read: {str(seen.error).splitlines()[0]}"
    new, change = seen.new, seen.change
    if change.kind not in ("enact", "amend"):
        return
    wording = change.wording or ""
    if seen.error is None and new is not None and not new.clauses:
        if seen.old is not None and seen.old.clauses:
            yield "it takes the clauses away, so from then on people apply the rule"
        elif wording:
            yield "it has no clauses, so people apply it"
    words = len(wording.split())
    if words > LONG:
        yield f"its wording is long: {words} words"
    for sentence in _SENTENCE.split(wording):
        if len(sentence.split()) > LONG_SENTENCE:
            yield f"a sentence of {len(sentence.split())} words: “{' '.join(sentence.split()[:6])} …”"
    vague = dict.fromkeys(one.lower() for one in _VAGUE.findall(wording))
    if vague:
        yield f"words that leave much open: {listed([f'“{one}”' for one in vague])}"


def _several(seen: Seen) -> Iterator[str]:
    subjects: dict[str, list[str]] = {}
    for clause in seen.clauses:
        if isinstance(clause, Set):
            keys = subjects.setdefault(clause.key.partition(".")[0], [])
            if clause.key not in keys:
                keys.append(clause.key)
    if len(subjects) > 1:
        yield f"its clauses are about {len(subjects)} subjects: {listed([', '.join(one) for one in subjects.values()])}"
    own = {seen.change.target, seen.new.number if seen.new else None}
    named = [
        tuple(dict.fromkeys(str(number) for number, _ in spoken(sentence) if number not in own))
        for sentence in _SENTENCE.split(seen.change.wording or "")
    ]
    apart = list(dict.fromkeys(one for one in named if one))
    if len(apart) > 1:
        yield "its sentences speak of different rules: " + "; ".join(listed(one) for one in apart)


# ------------------------------------------------------------------------------------------ in the law


def _ambiguous(seen: Seen) -> Iterator[str]:
    silent = {f"no rule says what {one.key} is" for one in seen.turned if one.new.outcome == "silent"}
    reasons = set()
    for one in seen.turned:
        new = one.new
        if new.outcome == "torn" and one.old.outcome != "torn":
            said = "; ".join(f"rule {source.rule.number}: {source.clause.words}" for source in new.sources)
            yield f"the law is torn about {one.where} ({said})"
        elif new.outcome == "undecided" and one.old.outcome != "undecided" and (one.key, new.reason) not in reasons:
            reasons.add((one.key, new.reason))
            if "depends on itself" not in new.reason and not any(why in new.reason for why in silent):
                yield f"the law does not decide {one.where}: {new.reason}"


def _no_difference(seen: Seen) -> Iterator[str]:
    old, new, adoption = seen.old, seen.new, seen.adoption
    if new is None or adoption is None or seen.change.kind == "transmute":
        if new is not None and old is not None and adoption is not None and old.tier == new.tier:
            yield f"rule {old.number} is {old.tier} already"
        return
    if old is not None and (old.title, old.wording, old.law) == (new.title, new.wording, new.law):
        number = f"; only the number becomes {new.number}" if new.number != old.number else ""
        yield f"rule {old.number} says the same afterwards{number}"
        return
    state = adoption.after
    if not adoption.in_force or new.id not in state.rules.rules:
        return
    why = state.rules.void.get(new.id)
    if why is not None and why.against is not None:
        against = state.rules.rules[why.against].number
        cure = f"leave out what it says of {why.key}, or change rule {against} first"
        yield f"rule {new.number} is void at once: it contradicts rule {against} on {why.key}; {cure}"
        return
    idle = [why for clause in seen.fresh for why in idling(state, new, clause)]
    yield from seen.unreached
    words = {source.clause.words for one in seen.turned for source in one.new.sources}
    idle += [
        f"“{one.clause.words}” changes nothing in any case that was looked at, even where {one.when}"
        for one in seen.supposed
        if one.clause.words not in words and not any(never(state.law, Source(new, one.clause)))
    ]
    yield from idle
    plain = all(isinstance(one, Set | Claim) and not getattr(one, "condition", None) for one in seen.clauses)
    same_words = old is None or old.wording == new.wording
    if seen.clauses and plain and same_words and not seen.turned and not idle:
        keys = listed(list(dict.fromkeys(one.key for one in seen.clauses if isinstance(one, Set))) or ["precedence"])
        yield f"its clauses change no term in any case that was looked at ({keys})"


def idling(state: State, rule: Rule, clause: Clause) -> Iterator[str]:
    """Say why a clause does nothing: it is defeated, nobody looks it up, it is late, or its effect is prevented."""
    if isinstance(clause, Set):
        yield from never(state.law, Source(rule, clause))
        if state.law.vocabulary.keys[clause.key].by_rules and state.law.needing(clause.key) is None:
            yield f"“{clause.words}” does nothing yet: no rule looks up {clause.key}"
        duty = _of_an_example(state, "vote.duty") if clause.key == "vote.ended_by" else None
        if duty is not None and duty.value is True:
            yield f"“{clause.words}” does nothing yet: everybody has to vote{cited(duty.rule)}, as vote.duty says"
        if clause.key == "change.ready" and not could_say(state.law, "change.effective", "when ready"):
            yield f"“{clause.words}” does nothing yet: change.effective is never “when ready”"
    elif isinstance(clause, On):
        if isinstance(clause, Offer):
            yield from closed_for_good(state, Source(rule, clause))
        if clause.event == "game_started":
            yield f"“{clause.words}” never happens: the game has begun"
        for effect in clause.every_effect():
            yield from _prevented(state, rule, effect)


def _of_an_example(state: State, key: str) -> Finding:
    """Return what the law says of a term for a new rule that the first of the players proposes."""
    change = Change("enact", None, "An example.")
    return ask(supposed(state, change, state.persons[0]) if state.persons else state, key, supposed_case())


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
            found = state.law.find("vote.automatic", state, {"voter": Ref("player", name)})
            if found.value is False:
                yield f"“{effect.words}” is not done: rule {found.rule} lets no rule vote for {name}"


def never(law: Law, source: Source) -> Iterator[str]:
    """Say why a clause that sets a key never has an effect."""
    clause = as_set(source)
    condition = clause.condition
    if condition is not None and condition.constant:
        try:
            if condition.run(View(None, {}, law)) is not True:
                yield f"“{clause.words}” never applies: {condition.text} is never so"
        except Undecided:
            return
    for other in law.candidates.get(clause.key, ()):
        if other.rule.id == source.rule.id or as_set(other).condition is not None or adds(other):
            continue
        try:
            left, defeated = prevailing(law, source, other)
        except Undecided:
            return
        if source not in left and other in left:
            reason, cure = defeated[0].reason, _cure(law, source, other)
            over = f"rule {other.rule.number} defeats it in every case; {reason}"
            yield f"“{clause.words}” never has an effect: {over}{cure}"
            return


def _cure(law: Law, source: Source, other: Source) -> str:
    """Say what would let a clause prevail over another; nothing where only another change of that rule would."""
    rule, number = source.rule, other.rule.number
    claim = law.language.read(f"prevails over {number}")[0]
    part = replace(rule.parts[0], lines=(*rule.parts[0].lines, claim)) if rule.parts else None
    if part is None or rule.id not in law.book.rules:
        return ""
    claiming = replace(rule, parts=(part, *rule.parts[1:]))
    then = Law(law.book.with_rule(claiming), law.order, law.language)
    left, _ = prevailing(then, Source(claiming, source.clause), other)
    if any(one.rule is claiming for one in left):
        return f"; write prevails over {number} below it"
    return f"; amend rule {number} instead" if other.rule.tier == rule.tier else ""


def prevailing(law: Law, source: Source, other: Source) -> tuple[list[Source], tuple[Defeated, ...]]:
    """Return which of two clauses on a key are left where both speak, and which is defeated."""
    key = as_set(source).key
    if not adds(source):
        return law.precedence.prevailing([source, other], key)
    left, defeated = law.on_top(key, [other], [source])
    return [*left, other], defeated


def _paradox(seen: Seen) -> Iterator[str]:
    for one in seen.turned:
        if "depends on itself" in one.new.reason:
            yield f"{one.where}: {one.new.reason}"
    if seen.adoption is None or seen.new is None:
        return
    for rule in seen.adoption.costly:
        if seen.steps < ACTION:
            yield f"rule {rule} takes a long time: more than {seen.steps:,} steps; beyond {ACTION:,} it is left out"
        else:
            yield f"rule {rule} takes more than the {ACTION:,} steps of one action, and would be left out"
    yield from seen.adoption.endless
    law = seen.adoption.written.law
    for key in dict.fromkeys(one.key for one in seen.fresh if isinstance(one, Set)):
        circle = _circle(law, key)
        if circle:
            yield f"{key} depends on itself: {' → '.join(circle)}"
    for clause in seen.fresh:
        if isinstance(clause, On) and not isinstance(clause, Offer):
            for effect in clause.effects_at_once():  # and not what it does in some turns
                if effect.form.name == "repeal" and effect.rule.node.text == "this":
                    yield f"it repeals itself: “{clause.words}”"
    yield from _contradictions(seen.new)


def _ties(seen: Seen) -> Iterator[str]:
    for clause in seen.fresh:
        for node in (node for expression in clause.expressions for node in expression.walk()):
            if node.text == "item" and node.parts and node.parts[0].text in RANKED:
                yield f"“{clause.words}” breaks a tie: it takes whoever comes first in the list"


def _contradictions(rule: Rule) -> Iterator[str]:
    always: dict[str, Set] = {}
    for clause in rule.clauses:
        if isinstance(clause, Set) and clause.condition is None:
            first = always.setdefault(clause.key, clause)
            if first.value != clause.value:
                yield f"two of its clauses contradict each other: “{first.words}” and “{clause.words}”"
    claims = [one for one in rule.clauses if isinstance(one, Claim)]
    for one in claims:
        for two in claims:
            if one.prevails and not two.prevails and one.key == two.key and set(one.over or ()) & set(two.over or ()):
                yield f"two of its clauses contradict each other: “{one.words}” and “{two.words}”"


def _circle(law: Law, key: str) -> tuple[str, ...]:
    """Return a way from a key over the keys that its clauses look up, back to it; nothing where there is none."""
    waiting: list[tuple[str, ...]] = [(key,)]
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        for source in law.candidates.get(path[-1], ()):
            for expression in source.clause.expressions:
                for inner in law.dependence.keys_of(expression):
                    if inner == key and not (inner not in expression.keys and expression.words & ASKING_OTHERS):
                        return (*path, key)
                    if inner not in seen:
                        seen.add(inner)
                        waiting.append((*path, inner))
    return ()
