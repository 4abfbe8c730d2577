"""The names that can stand where a clause is being written: of the game's law, of the clause, of the rule itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from nomic_nb.engine.law.tables import TableShape
from nomic_nb.engine.law.values import NUMBER, Type, with_article
from nomic_nb.engine.law.vocabulary import Case, Vocabulary
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import PLAYER
from nomic_nb.notebook.panels.forms import FORM_WORDS

#: What fits at a place, each with its meaning.
Suggestions = Iterator[tuple[str, str]]
#: Words between expressions, by how a clause begins, and words within expressions.
WORDS_BETWEEN: Mapping[str, Sequence[str]] = FORM_WORDS["between"]
WORDS_WITHIN: Mapping[str, str] = FORM_WORDS["within"]
TRACKED_LABEL = "what rules track"

#: Which names a clause binds, by how it begins: what its second word is one of.
_BOUND = re.compile(r"(set|allow|forbid|on|instead of) (\S+)")
#: Where a rule tracks something: its name, and for what.
_TRACKS = re.compile(r"^\s*track (\w+) per (\w+)(?:, ?(\w+))?", re.MULTILINE)
#: Where a clause names something by itself: one of a list, an answer, a throw.
_EACH = re.compile(r"\b(?:each|for) (\w+) in ([\w.]+)?")
_CHOSEN = re.compile(r"\bchoose (?:some )?(\w+) from ([\w.]+)?")
_THROWN = re.compile(r"\bas (\w+)")


@dataclass
class NamesInReach:
    """What a clause that is being written can speak of.

    Parameters
    ----------
    state : State
        As the game stands.
    law : str
        The clauses up to the place.
    before : str
        Its own clause up to the word that is begun.
    """

    state: State
    law: str
    before: str

    @property
    def known(self) -> Vocabulary:
        """The words of the law."""
        return self.state.law.vocabulary

    @cached_property
    def bare(self) -> str:
        """The clause up to the word, without what stands in quotation marks."""
        return re.sub(r"\"[^\"]*\"", "", self.before)

    @property
    def answers(self) -> bool:
        """Whether it is a clause with effects."""
        return self.before.startswith(("on ", "instead of ", "offer "))

    @cached_property
    def tables(self) -> Mapping[str, TableShape]:
        """What is tracked: by rules of the game, and by the clauses themselves."""
        own = {
            name: TableShape(tuple(one for one in (key, other) if one and one != "game"), NUMBER)
            for name, key, other in _TRACKS.findall(self.law)
        }
        return {**own, **self.state.law.tables}

    @cached_property
    def case(self) -> Case:
        """The names that the clause binds, with their types."""
        bound = {**self._clause_begun()}
        for name, among in _EACH.findall(self.bare) + _CHOSEN.findall(self.bare):
            bound[name] = self._item_type(among)
        for name in _THROWN.findall(self.bare.partition(":")[2]):
            bound.setdefault(name, NUMBER)
        return bound

    def _clause_begun(self) -> Case:
        known = self.known
        if self.before.startswith("offer "):
            return {"player": PLAYER}
        piece = self.before.startswith("piece ")  # which says for some pieces how they move
        found = _BOUND.match("set piece.moves" if piece else self.before)
        if found is None:
            return {}
        verb, name = found[1], found[2].rstrip(":")
        if verb == "set" and (key := known.keys.get(name)) is not None:
            return {**key.case, **key.may_know}
        if verb in ("allow", "forbid") and (action := known.actions.get(name)) is not None:
            return action.binds
        event = known.events.get(name)
        return {**event.binds, **event.may_bind} if event is not None else {}

    def _item_type(self, among: str) -> Type:
        """Return what a list holds; players, where it is not a name."""
        found = self.type(among) if among else None
        return (found and found.item) or PLAYER

    def type(self, path: str) -> Type | None:
        """Return the type of a name, or of a field of one; None where it is none."""
        known, (first, *more) = self.known, path.split(".")
        if path in known.keys:
            return known.keys[path].type
        found = self.case.get(first) if "case" in self.__dict__ else self._clause_begun().get(first)
        if found is None and first in known.facts:
            found = known.facts[first].type
        for name in more:
            field = known.fields.get((found.name, name)) if found is not None else None
            found = field.type if field is not None else None
        return found

    def _named_things(self) -> Iterator[tuple[str, Type, str]]:
        """Yield the names that the clause binds, and the facts, each with its type and its meaning."""
        facts = self.known.facts
        for name, type in self.case.items():
            yield name, type, facts[name].meaning if name in facts else with_article(type.name)
        there = [name for name, one in facts.items() if all(need in self.case for need in one.needs)]
        own = (name for name in there if facts[name].needs)
        yield from (
            (name, facts[name].type, facts[name].meaning)
            for name in (*own, *FORM_WORDS["first"]["facts"], *there)
            if name in there
        )

    def people(self) -> Suggestions:
        """Yield the names of players and of lists of them."""
        for name, type, meaning in self._named_things():
            if "player" in (type.name, type.item.name if type.item else ""):
                yield name, meaning

    def counters(self) -> Suggestions:
        """Yield what can be awarded: counters, and tables with brackets behind them."""
        for name, shape in self.tables.items():
            yield (name if shape.keys in ((), ("player",)) else f"{name}("), TRACKED_LABEL

    def named(self, begun: str) -> Suggestions:
        """Yield the names that can stand in an expression, and the words between two of them."""
        known, verb = self.known, self.before.split()[0]
        head, dot, _ = begun.rpartition(".")
        between = (*((word, "") for word in WORDS_BETWEEN.get(verb, ())), *WORDS_WITHIN.items())
        if not begun and re.search(r"[\w\])\"] $", self.before) and not self._wants_more():
            yield from between  # a whole expression stands there
            return
        if dot:
            yield from self._fields(head)
        else:
            yield from ((name, meaning) for name, _, meaning in self._named_things())
            yield from ((f"{name}(", one.meaning) for name, one in known.functions.items())
            for name, shape in self.tables.items():  # what is tracked of one thing, or of the game, is read as a field
                if len(shape.keys) > 1 or not known.records.keys() >= {*shape.keys}:
                    yield f"{name}(", TRACKED_LABEL
            yield from between
        yield from ((name, one.meaning) for name, one in known.terms.items())

    def _wants_more(self) -> bool:
        """Tell whether the last word wants something behind it."""
        words = {*chain(*WORDS_BETWEEN.values()), *WORDS_WITHIN, "require", "award", "pay"}
        return self.before.split()[-1] in words - {"none", "true", "false", "otherwise"}

    def _fields(self, head: str) -> Suggestions:
        """Yield the fields and counters of what a name, or a field of one, stands for."""
        self.case  # noqa: B018 - so that names of the clause are known
        type = self.type(head)
        record = self.known.records.get(type.name) if type is not None else None
        kind = record.name if record is not None else head
        kept = (name for name, shape in self.tables.items() if (shape.keys or ("game",)) == (kind,))
        yield from ((f"{head}.{name}", TRACKED_LABEL) for name in kept)
        if record is not None:
            yield from ((f"{head}.{one.name}", one.meaning) for one in record.fields)


def comparable_texts(names: NamesInReach) -> Sequence[str]:
    """Return the texts that may stand there, where they are known: what a term may hold, or is compared with.

    Parameters
    ----------
    names : Names
        What can be spoken of; the clause ends behind ``to``, or behind the comparison.
    """
    if (term := re.fullmatch(r"set (\S+) to ", names.before)) and term[1] in names.known.keys:
        return names.known.keys[term[1]].values
    found = re.search(r"([\w.]+) (?:==|!=|in \[|not in \[) ?$", names.before)
    type = names.type(found[1]) if found is not None and names.case is not None else None
    return type.words if type is not None and isinstance(type.words, tuple) else ()
