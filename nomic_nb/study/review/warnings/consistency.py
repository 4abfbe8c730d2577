"""Signs that a rule would not do what its words say, or speaks of what there is not."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from string import ascii_uppercase

from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.scopes import armies_in
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.checking import yielded
from nomic_nb.engine.law.clauses import Clause, Draft, Piece, Set, Track
from nomic_nb.engine.law.findings import as_set
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.hints import everyday, suggestions
from nomic_nb.engine.law.nodes import Expression, Node
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import EVERYWHERE, Rule
from nomic_nb.engine.law.slots import Newcomer, Owner, Players
from nomic_nb.engine.law.values import Number, Ref, exact
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import names_of
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.words import cited, listed
from nomic_nb.study.review.cases import of_an_example
from nomic_nb.study.review.queries import comparisons, done_under, in_force, nodes, table_written
from nomic_nb.study.review.renumbering import spoken
from nomic_nb.study.review.seen import Concerned, Seen

_FIGURE = re.compile(r"(?<![\w.])(\d+(?:,\d{3})+|\d+)(?:\.(\d+)|\s*/\s*([1-9]\d*))?(\s*%|\s+per\s?cent\b)?(?!\w)")
_WORD = re.compile(r"[a-z]+")


def figures(wording: str) -> frozenset[Number]:
    """Return the numbers that a wording has, in figures and in English words; the numbers of rules are none.

    Examples
    --------
    >>> sorted(figures("By rule 208, a hundred and five points win, or fifty-five, or 2.5, or two thirds of 10."))
    [Fraction(2, 3), Fraction(5, 2), 10, 55, 105]
    """
    for _, said in spoken(wording):
        wording = wording.replace(said, " ")
    found: set[Number] = set()
    for whole, decimals, parts, percent in _FIGURE.findall(wording):
        value = Fraction(f"{whole.replace(',', '')}{'.' + decimals if decimals else ''}") / int(parts or 1)
        found.add(exact(value / 100 if percent else value))
    return frozenset(found | set(_in_words(_WORD.findall(wording.lower()))))


def _in_words(words: list[str]) -> Iterator[Number]:
    """Yield the numbers that words say: each run of them is one."""
    number: int | None = None
    known, parts = {word: said.removesuffix(" *") for word, said in everyday("numbers").items()}, everyday("parts")
    for word in [*words, ""]:
        value = int(known[word]) if known.get(word, "").isdigit() else None
        if word == "hundred":
            number = 100 * (number or 1)
        elif number and value and number % 10 == 0 and value < (10 if number % 100 else 100):
            number += value
        elif word != "and" or number is None or number < 100:
            if number is not None:
                yield Fraction(number, int(parts[word])) if word in parts else number
            elif word == "half":
                yield Fraction(1, 2)
            number = value


def amounts(clauses: Iterable[Clause]) -> Iterator[tuple[Clause, Number]]:
    """Yield the clauses that set a term to a plain number, each with the number."""
    for clause in clauses:
        if type(clause) is Set and (value := _plain(clause.value.node)) is not None:
            yield clause, value


def _plain(node: Node) -> Number | None:
    """Return the number that an expression plainly is: a constant, its negative, or one over another."""
    value = node.value
    if node.kind == "constant" and isinstance(value, int | Fraction) and not isinstance(value, bool):
        return value
    parts = [_plain(part) for part in node.parts]
    if node.kind == "minus" and parts[0] is not None:
        return exact(-parts[0])
    if node.kind == "reckon" and node.text == "/" and parts[0] is not None and parts[1]:
        return exact(Fraction(parts[0]) / parts[1])
    return None


def constants(clauses: Iterable[Clause]) -> frozenset[Number]:
    """Return all numbers that stand in clauses, in their drafts too, whatever for."""
    found: set[Number] = set()
    for clause in clauses:
        if isinstance(clause, Draft):
            found |= constants(clause.body) | figures(clause.wording)
        found |= {one for node in nodes(clause) if (one := _plain(node)) is not None}
    return frozenset(found)


def apart(wording: str, clauses: tuple[Clause, ...]) -> tuple[tuple[Number, ...], tuple[tuple[Clause, Number], ...]]:
    """Return the numbers of a wording that no clause has, and the clauses that set a number which the wording has not.

    Either is of no account by itself: clauses may reckon otherwise than people say it. A number beside another
    (``turn < 4`` for the first three turns) counts as the same.
    """
    said, meant = figures(wording), constants(clauses)
    near = {sign * one + step for one in meant for sign in (-1, 1) for step in (-1, 0, 1)}
    spare = tuple(sorted(one for one in said if one not in near and one not in (0, 1)))
    return spare, tuple((clause, one) for clause, one in amounts(clauses) if one not in said and -one not in said)


def numbers_apart(seen: Seen) -> Iterator[str]:
    """Say that clauses stay below other words, or that they set a number which the words have not, but another."""
    for one in seen.rules:
        yield from _numbers_apart(one, one.change) if one.change is not None else ()


def _numbers_apart(rule: Concerned, change: Change) -> Iterator[str]:
    old, new = rule.old, rule.new
    if new is None or change.kind not in ("enact", "amend"):
        return
    said, meant = apart(new.wording, new.clauses)
    if said and meant and (old is None or (said, meant) != apart(old.wording, old.clauses)):
        numbers = listed([str(one) for one in said], "or")
        yield f"its wording says {numbers}, but no clause does: {_quoted(clause.words for clause, _ in meant)}"
    elif old is not None and new.law and old.law == new.law and old.wording != new.wording and not change.add:
        yield f"only the wording changes, and the clauses stay as they are: {_quoted(one.words for one in new.clauses)}"


def _quoted(clauses: Iterable[str]) -> str:
    return ", ".join(f"“{one}”" for one in clauses)


def nowhere(seen: Seen) -> Iterator[str]:
    """Say that a clause compares a part of a turn, or a standing, with a text that no rule in force has for one."""
    law = seen.law
    parts = [node.value for one in law.speaking("turn.parts") for node in yielded(as_set(one).value.node)]
    known: dict[str, list[object]] = {"part": [*parts], "tier": [*law.order.tiers, *(rule.tier for rule in law.book)]}
    for clause in seen.fresh:
        for one, other in comparisons(clause):
            words = {str(word): "" for word in known.get(one.text, ())} if one.kind in ("name", "field") else {}
            for text in (part.value for part in (other.parts if other.kind == "list" else (other,))):
                if words and isinstance(text, str) and text not in words:
                    meant = listed([f"“{word}”" for word in suggestions(text, words) or words], "or")
                    yield f"no rule in force has a {one.text} “{text}”: “{clause.words}”; there is {meant}"


def of_nobody(seen: Seen) -> Iterator[str]:
    """Say that a clause on what counters stand at speaks of the player whose it is, of one that is no player's."""
    for clause in seen.of(Set):
        if clause.key != "counter.value" or clause.condition is None:
            continue
        others = [other for one, other in comparisons(clause) if one.text == "counter"]
        named = [part.value for one in others for part in (one, *one.parts) if isinstance(part.value, str)]
        shapes = [seen.law.tables[name] for name in named if name in seen.law.tables]
        speaks = any("player" in one.names for one in clause.expressions)
        if speaks and shapes and not any("player" in one.keys for one in shapes):
            yield (
                f"“{clause.words}” never applies: {named[0]} is kept per {listed(shapes[0].keys, ', ')}, "
                "so there is no player whose it is"
            )


def odd_quota(seen: Seen) -> Iterator[str]:
    """Say that a share was written where weight is counted, so that next to nothing adopts."""
    for one in seen.turned:
        value = one.new.value
        if one.key != "vote.quota" or not one.new.answered or not isinstance(value, int | Fraction):
            continue
        if value <= 0:
            yield f"the quota would be {value}{cited(one.new.rule)}: no vote in favour is needed"
        elif value < 1 and _one_is_enough(seen.adoption.after, value):
            yield (
                f"the quota would be {value} of one vote, so one vote in favour would adopt, whatever the others say; "
                f"for a share of all votes, write set vote.quota to {value} * unanimity(vote.electorate)"
            )


def _one_is_enough(state: State, quota: Number) -> bool:
    """Tell whether there are several voters, and each alone has as much as is needed."""
    electorate = of_an_example(state, "vote.electorate")
    names = names_of(electorate.value) if state.persons and electorate.answered else ()
    weights = [of_an_example(state, "vote.weight", voter=Ref("player", name)).value for name in names]
    return len(names) > 1 and all(isinstance(one, int | Fraction) and one >= quota for one in weights)


def nobody(seen: Seen) -> Iterator[str]:
    """Yield the names in new clauses that nobody has; who is brought in by them may have any."""
    players = {name.lower(): name for name in seen.adoption.after.players}
    entering = {name for clause in seen.fresh for name in _placed(clause, Newcomer)}
    for clause in seen.fresh:
        for name in dict.fromkeys((*_placed(clause, Players), *_placed(clause, Owner), *_called(clause, "player"))):
            if name not in players.values() and name not in entering:
                near = difflib.get_close_matches(name.lower(), players, 1)
                meant = f" – did you mean {players[near[0]]}?" if near else ""
                yield f"“{clause.words}” speaks of {name}, and nobody of this name plays{meant}"


def _placed(clause: Clause, kind: type) -> Iterator[str]:
    """Yield the names that stand in places of effects."""
    for effect in clause.every_effect():
        for name, found in effect.places:
            if isinstance(effect.form.places.get(name), kind) and isinstance(found, Expression):
                yield from _texts(found.node)


def _texts(node: Node) -> Iterator[str]:
    """Yield the texts that something can be: itself, or what a list or a choice between two has; no keys of tables."""
    if node.kind == "constant" and isinstance(node.value, str):
        yield node.value
    parts = {"list": node.parts, "if": (node.parts[0], node.parts[-1]) if node.parts else ()}
    for part in parts.get(node.kind, ()):
        yield from _texts(part)


def nothing(seen: Seen) -> Iterator[str]:
    """Yield the names of armies and boards, and letters of pieces, in new clauses that nothing has by then."""
    after = seen.adoption.after
    if after.position is None:
        return
    boards, armies = list(after.position.boards), list(after.position.armies)
    entering = {text for clause in seen.fresh for one in clause.every_effect() for text in _names_in(one, "army")}
    for rule in seen.rules:
        place, letters = _letters(seen, rule.new, after)
        for clause in rule.fresh:
            yield from _not_there(clause, boards, armies, entering, place, letters)


def _not_there(
    clause: Clause, boards: list[str], armies: list[str], entering: set[str], place: str, letters: set[str]
) -> Iterator[str]:
    """Yield the names of armies and boards, and letters of pieces, in a clause that nothing has."""
    places = (name.rpartition(".")[0] for name in _called(clause, "square"))
    known = (("army", armies, _called(clause, "army")), ("board", boards, (*_called(clause, "board"), *places)))
    for kind, names, called in known:
        for name in dict.fromkeys(called):
            if name not in names and name not in entering:
                yield f"“{clause.words}” speaks of the {kind} {name}, and there is only {listed(names)}"
    for kind in dict.fromkeys([clause.kind] if isinstance(clause, Piece) else _kinds(clause)):
        if kind not in letters:
            yield f"“{clause.words}” speaks of pieces {kind}, and there are none{place}"


def _letters(seen: Seen, rule: Rule | None, after: State) -> tuple[str, set[str]]:
    """Return where a rule is for, and the letters of pieces that are or were there, or that clauses can bring."""
    scope = rule.scope if rule is not None else EVERYWHERE
    armies = armies_in(after, scope if scope != EVERYWHERE else "")
    pieces = (*multiverse_of(after).pieces.values(), *after.gone.values())
    here = {one.kind.upper() for one in pieces if one.army in armies}
    brought = (effect for clause in (*in_force(seen.law), *seen.fresh) for effect in clause.every_effect())
    may_be = {text for effect in brought for text in _names_in(effect, "kind")}
    may_be |= {text for source in seen.law.speaking("promotion.kinds") for text in _capitals(source.clause)}
    return f" in {scope}" if scope != EVERYWHERE else "", here | may_be


def _capitals(clause: Clause) -> Iterator[str]:
    """Yield the capital letters that stand alone in a clause."""
    return (one.value for one in nodes(clause) if isinstance(one.value, str) and one.value in ascii_uppercase)


def _kinds(clause: Clause) -> Iterator[str]:
    """Yield the kinds of piece with which the kinds of others are compared."""
    for one, other in comparisons(clause):
        if one.kind == "field" and one.text == "kind" and one.parts[0].text in _standing_for("piece"):
            yield from (text for text in _texts(other) if text in ascii_uppercase)


def _names_in(effect: Effect, place: str) -> Iterator[str]:
    """Yield the texts that stand in a place of an effect."""
    found = getattr(effect, place, None)
    yield from _texts(found.node) if isinstance(found, Expression) else ()


def _called(clause: Clause, kind: str) -> Iterator[str]:
    """Yield the names by which things of a kind are found, and those with which their names are compared."""
    for node in nodes(clause):
        if node.kind == "call" and node.text == f"{kind}_named":
            yield from _texts(node.parts[0])
    for one, other in comparisons(clause):
        if (one.kind, one.text) == ("field", "name") and one.parts[0].text in _standing_for(kind):
            yield from _texts(other)


@cache
def _standing_for(kind: str) -> frozenset[str]:
    """Return the names that stand for something of a kind, wherever they are known."""
    known = language().vocabulary
    cases = [*(one.binds for one in known.events.values()), *(one.binds for one in known.actions.values())]
    cases += [one.case for one in known.keys.values()]
    bound = {name for case in cases for name, type in case.items() if type.name == kind}
    return frozenset(bound | {name for name, one in known.facts.items() if one.type.name == kind})


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
