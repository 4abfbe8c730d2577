"""What could stand next in a clause that is being written: words of the language, with what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from nomic_nb.errors import IllegalAction
from nomic_nb.law.changes import LONGEST_LAW
from nomic_nb.law.forms import Form
from nomic_nb.law.happening import Case
from nomic_nb.law.tables import GAME, KEYED
from nomic_nb.law.vocabulary import Vocabulary
from nomic_nb.play.state import State

#: Words that are shown at once.
SHOWN = 8
#: How clauses begin.
VERBS: Mapping[str, str] = {
    "set": "say what a term is", "allow": "let players do something", "forbid": "keep players from something",
    "require": "what every rule-change must leave so", "on": "what happens by itself",
    "instead of": "what happens in place of something", "track": "count something",
    "prevails over": "stand above other rules", "defers to": "stand below other rules", "piece": "how a piece moves",
    "incorporate": "bring in another rule set", "draft": "hold a rule ready",
}  # fmt: skip
#: Words between expressions, by how a clause begins.
BETWEEN: Mapping[str, tuple[str, ...]] = {
    "set": ("to", "while"), "allow": ("when",), "forbid": ("when",), "on": ("when", "each"), "instead": ("when",),
    "track": ("per", "from"), "piece": ("of", "moves", "while"),
}  # fmt: skip
#: Words within expressions.
WITHIN: Mapping[str, str] = {
    "and": "both are so", "or": "at least one is so", "not": "it is not so", "in": "is one of", "if": "where it is so",
    "else": "where it is not", "for": "each of a list", "otherwise": "what it would be without this rule",
    "none": "nothing, nobody", "true": "it is so", "false": "it is not so",
}  # fmt: skip
#: Which names a clause binds, by how it begins: what its second word is one of.
_BOUND = re.compile(r"(set|allow|forbid|on|instead of) (\S+)")


def next_words(state: State, law: object, at: object) -> dict[str, Any]:
    """Return what could stand at a place in clauses.

    Parameters
    ----------
    state : State
        As the game stands: its counters are words of its law.
    law : str
        The clauses, whole or not.
    at : int
        The place, in characters from the beginning.

    Returns
    -------
    dict
        ``begun``, how many characters of the word are there already, and ``words``, each with its meaning.

    Raises
    ------
    IllegalAction
        These are no clauses, or the place is not in them.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> state = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state
    >>> next_words(state, "set win.po", 10)
    {'begun': 6, 'words': [['win.points', 'the score that wins']]}
    """
    if not isinstance(law, str) or len(law) > LONGEST_LAW or isinstance(at, bool) or not isinstance(at, int):
        raise IllegalAction("what is asked about are clauses and a place in them")
    if not 0 <= at <= len(law):
        raise IllegalAction(f"the place is from 0 to {len(law)}; found {at}")
    clause = _clause(law[:at])
    begun = "" if (found := re.search(r"[A-Za-z_][\w.]*$", clause)) is None else found[0]
    before = clause[: len(clause) - len(begun)]
    words: dict[str, str] = {}
    if not _quoted(before) and not before.lstrip().startswith("#"):
        for word, meaning in _fitting(state, before, begun):
            if word != begun and word.lower().startswith(begun.lower()):
                words.setdefault(word, meaning)
    return {"begun": len(begun), "words": [[word, meaning] for word, meaning in words.items()][:SHOWN]}


def _clause(text: str) -> str:
    """Return the clause that is being written: lines that are indented go on with the one before."""
    lines = text.split("\n")
    start = len(lines) - 1
    while start and lines[start][:1] in (" ", "\t"):
        start -= 1
    if start < len(lines) - 1 and lines[start].startswith("draft "):  # its own clauses are indented
        return lines[-1].lstrip()
    return " ".join(lines[start:]).lstrip()


def _quoted(text: str) -> bool:
    return text.count('"') % 2 == 1 or text.count("'") % 2 == 1


def _fitting(state: State, before: str, begun: str) -> Iterator[tuple[str, str]]:
    """Yield what fits behind a part of a clause, the likeliest first."""
    known = state.law.vocabulary
    said = before.split()
    if not said:
        yield from VERBS.items()
    elif re.search(r"[:;]\s*$", before) and said[0] in ("on", "instead"):
        yield from sorted((_begins(form), form.meaning) for form in known.effects.values())
    elif before in ("set ", "on ", "instead of ", "allow ", "forbid "):
        yield from _second(known, said[0])
    elif not begun and (values := _values(known, before)):
        yield from ((f'"{value}"', "") for value in values)
    elif before == "incorporate ":
        yield from ((name, "a rule set") for name in known.rulesets)
    elif re.fullmatch(r"(prevails over|defers to) ", before):
        yield "everything", "all other rules"
    elif re.fullmatch(r"track \w+ ", before):
        yield "per", "of each of what it is counted"
    elif re.fullmatch(r"track \w+ per ", before):
        yield from ((name, record.meaning) for name, record in known.records.items() if record.kept)
        yield from ((name, f"a {name}") for name in KEYED)
        yield GAME, "one for the game as a whole"
    elif begun or re.search(r"\s(to|when|while|from|require) $", f" {before}"):
        yield from _named(state, before, begun)


def _second(known: Vocabulary, verb: str) -> Iterator[tuple[str, str]]:
    if verb == "set":
        yield from ((name, key.meaning) for name, key in known.keys.items() if not name.startswith("may."))
    elif verb in ("allow", "forbid"):
        yield from ((name, action.meaning) for name, action in known.actions.items())
    else:
        yield from ((name, event.meaning) for name, event in known.events.items() if verb == "on" or event.usual)


def _values(known: Vocabulary, before: str) -> tuple[str, ...]:
    """Return the texts that a term may hold, where it is just to be said which."""
    found = re.fullmatch(r"set (\S+) to ", before)
    key = known.keys.get(found[1]) if found is not None else None
    return key.values if key is not None else ()


def _begins(form: Form) -> str:
    """Return the words with which an effect begins."""
    return re.split(r"\s*[\[{]", form.pattern)[0].strip()


def _named(state: State, before: str, begun: str) -> Iterator[tuple[str, str]]:
    """Yield the names that can stand in an expression, and the words between two of them."""
    known, case = state.law.vocabulary, _case(state.law.vocabulary, before)
    head, dot, _ = begun.rpartition(".")
    if dot:
        yield from _fields(state, case, head)
    else:
        yield from ((name, f"a {type.name}") for name, type in case.items())
        yield from ((name, one.meaning) for name, one in known.facts.items() if all(need in case for need in one.needs))
        yield from ((f"{name}(", one.meaning) for name, one in known.functions.items())
        yield from ((f"{name}(", "what rules track") for name, shape in state.law.tables.items() if shape.keys)
        yield from ((word, "") for word in BETWEEN.get(before.split()[0], ()))
        yield from WITHIN.items()
        if before.split()[0] in ("on", "instead"):
            yield from ((word, "") for form in known.effects.values() for word in form.between)
    yield from ((name, one.meaning) for name, one in known.keys.items() if not name.startswith("may."))


def _case(known: Vocabulary, before: str) -> Case:
    """Return the names that the beginning of a clause binds."""
    found = _BOUND.match(before)
    if found is None:
        return {}
    verb, name = found[1], found[2].rstrip(":")
    if verb == "set" and (key := known.keys.get(name)) is not None:
        return {**key.case, **key.may_know}
    if verb in ("allow", "forbid") and (action := known.actions.get(name)) is not None:
        return action.binds
    event = known.events.get(name)
    return {**event.binds, **event.may_bind} if event is not None else {}


def _fields(state: State, case: Case, head: str) -> Iterator[tuple[str, str]]:
    """Yield the fields and counters of what a name, or a field of one, stands for."""
    known = state.law.vocabulary
    first, *more = head.split(".")
    fact = known.facts.get(first)
    type = case.get(first) or (fact.type if fact is not None else None)
    for name in more:
        field = known.fields.get((type.name, name)) if type is not None else None
        type = field.type if field is not None else None
    record = known.records.get(type.name) if type is not None else None
    if record is None:
        return
    yield from ((f"{head}.{one.name}", one.meaning) for one in record.fields)
    kept = (name for name, shape in state.law.tables.items() if shape.per == record.name)
    yield from ((f"{head}.{name}", "what rules track") for name in kept)
