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
    def vocabulary(self) -> Vocabulary:
        """The words of the law."""
        return self.state.law.vocabulary

    @cached_property
    def text_without_quotes(self) -> str:
        """The clause up to the cursor, without what is in quotation marks."""
        return re.sub(r"\"[^\"]*\"", "", self.before)

    @property
    def has_effects(self) -> bool:
        """Whether the clause is of a kind that has effects."""
        return self.before.startswith(("on ", "instead of ", "offer "))

    @cached_property
    def tables(self) -> Mapping[str, TableShape]:
        """The tables that rules of the game and the new clauses track."""
        own = {
            name: TableShape(tuple(key_kind for key_kind in (key, other) if key_kind and key_kind != "game"), NUMBER)
            for name, key, other in _TRACKS.findall(self.law)
        }
        return {**own, **self.state.law.tables}

    @cached_property
    def bound_names(self) -> Case:
        """The names that the clause binds, with their types."""
        bound = {**self._names_bound_by_verb()}
        for name, among in _EACH.findall(self.text_without_quotes) + _CHOSEN.findall(self.text_without_quotes):
            bound[name] = self._item_type(among)
        for name in _THROWN.findall(self.text_without_quotes.partition(":")[2]):
            bound.setdefault(name, NUMBER)
        return bound

    def _names_bound_by_verb(self) -> Case:
        """Return the names that the verb and the key of the clause bind, with their types."""
        vocabulary = self.vocabulary
        if self.before.startswith("offer "):
            return {"player": PLAYER}
        piece = self.before.startswith("piece ")  # which says for some pieces how they move
        match = _BOUND.match("set piece.moves" if piece else self.before)
        if match is None:
            return {}
        verb, name = match[1], match[2].rstrip(":")
        if verb == "set" and (key := vocabulary.keys.get(name)) is not None:
            return {**key.case, **key.may_know}
        if verb in ("allow", "forbid") and (action := vocabulary.actions.get(name)) is not None:
            return action.binds
        event = vocabulary.events.get(name)
        return {**event.binds, **event.may_bind} if event is not None else {}

    def _item_type(self, among: str) -> Type:
        """Return the type of the items of a list; players if the list is no known name."""
        kind = self.type_of(among) if among else None
        return (kind and kind.item) or PLAYER

    def type_of(self, path: str) -> Type | None:
        """Return the type of a name such as ``player.points``; None if it is unknown."""
        vocabulary, (first, *more) = self.vocabulary, path.split(".")
        if path in vocabulary.keys:
            return vocabulary.keys[path].type
        kind = self.bound_names.get(first) if "bound_names" in self.__dict__ else self._names_bound_by_verb().get(first)
        if kind is None and first in vocabulary.facts:
            kind = vocabulary.facts[first].type
        for name in more:
            field = vocabulary.fields.get((kind.name, name)) if kind is not None else None
            kind = field.type if field is not None else None
        return kind

    def _named_things(self) -> Iterator[tuple[str, Type, str]]:
        """Yield the bound names and the facts, each with its type and meaning."""
        facts = self.vocabulary.facts
        for name, type in self.bound_names.items():
            yield name, type, facts[name].meaning if name in facts else with_article(type.name)
        there = [name for name, fact in facts.items() if all(need in self.bound_names for need in fact.needs)]
        own = (name for name in there if facts[name].needs)
        yield from (
            (name, facts[name].type, facts[name].meaning)
            for name in (*own, *FORM_WORDS["first"]["facts"], *there)
            if name in there
        )

    def player_suggestions(self) -> Suggestions:
        """Yield the names that stand for a player or a list of players."""
        for name, type, meaning in self._named_things():
            if "player" in (type.name, type.item.name if type.item else ""):
                yield name, meaning

    def counter_suggestions(self) -> Suggestions:
        """Yield the counters and tables that can be awarded."""
        for name, shape in self.tables.items():
            yield (name if shape.keys in ((), ("player",)) else f"{name}("), TRACKED_LABEL

    def name_suggestions(self, begun: str) -> Suggestions:
        """Yield the names that an expression can use, and the words between two of them."""
        vocabulary, verb = self.vocabulary, self.before.split()[0]
        head, dot, _ = begun.rpartition(".")
        between = (*((word, "") for word in WORDS_BETWEEN.get(verb, ())), *WORDS_WITHIN.items())
        if not begun and re.search(r"[\w\])\"] $", self.before) and not self._needs_operand():
            yield from between  # a whole expression stands there
            return
        if dot:
            yield from self._field_suggestions(head)
        else:
            yield from ((name, meaning) for name, _, meaning in self._named_things())
            yield from ((f"{name}(", function.meaning) for name, function in vocabulary.functions.items())
            for name, shape in self.tables.items():  # what is tracked of one thing, or of the game, is read as a field
                if len(shape.keys) > 1 or not vocabulary.records.keys() >= {*shape.keys}:
                    yield f"{name}(", TRACKED_LABEL
            yield from between
        yield from ((name, key.meaning) for name, key in vocabulary.keys_but_permissions.items())

    def _needs_operand(self) -> bool:
        """Tell whether the last word is an operator that needs something after it."""
        words = {*chain(*WORDS_BETWEEN.values()), *WORDS_WITHIN, "require", "award", "pay"}
        return self.before.split()[-1] in words - {"none", "true", "false", "otherwise"}

    def _field_suggestions(self, head: str) -> Suggestions:
        """Yield the fields and counters of what a name stands for."""
        self.bound_names  # noqa: B018 - so that names of the clause are known
        type = self.type_of(head)
        record = self.vocabulary.records.get(type.name) if type is not None else None
        kind = record.name if record is not None else head
        kept = (name for name, shape in self.tables.items() if (shape.keys or ("game",)) == (kind,))
        yield from ((f"{head}.{name}", TRACKED_LABEL) for name in kept)
        if record is not None:
            yield from ((f"{head}.{field.name}", field.meaning) for field in record.fields)


def comparable_texts(names: NamesInReach) -> Sequence[str]:
    """Return the texts that may come next, if a term holds or is compared with known ones.

    Parameters
    ----------
    names : Names
        What can be spoken of; the clause ends behind ``to``, or behind the comparison.
    """
    if (term := re.fullmatch(r"set (\S+) to ", names.before)) and term[1] in names.vocabulary.keys:
        return names.vocabulary.keys[term[1]].values
    match = re.search(r"([\w.]+) (?:==|!=|in \[|not in \[) ?$", names.before)
    type = names.type_of(match[1]) if match is not None and names.bound_names is not None else None
    return type.words if type is not None and isinstance(type.words, tuple) else ()
