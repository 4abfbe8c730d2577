"""The static reading of a clause: every key, name and type, before anyone votes on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from nomic_nb.errors import LawError
from nomic_nb.law import clauses as c
from nomic_nb.law import values as v
from nomic_nb.law.everyday import suggestions
from nomic_nb.law.forms import Effect
from nomic_nb.law.happening import Case
from nomic_nb.law.nodes import Expression, Node
from nomic_nb.law.tables import HIGHEST, LOWEST, Shape, per_rule
from nomic_nb.law.tracking import check_track
from nomic_nb.law.types import Scope, expect, such_as, type_of
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import Key, Vocabulary

PLAYER, RULE = v.Type("player"), v.Type("rule")
ARMY = v.Type("army")


class Checker:
    """Types one clause.

    Parameters
    ----------
    vocabulary : Vocabulary
        What it may speak of.
    tables : mapping of str to Shape
        The tables that rules track.
    source : str
        How the clause was written, on one line.
    drafts : frozenset of str
        The names of the drafts that stand beside it.
    """

    def __init__(
        self, vocabulary: Vocabulary, tables: Mapping[str, Shape], source: str, drafts: frozenset[str] = frozenset()
    ) -> None:
        self.vocabulary, self.tables, self.source, self.drafts = vocabulary, tables, source, drafts
        #: Where what is being read begins, and the names that effects have bound so far.
        self.begin = 0
        self.bound: set[str] = set()

    def scope(self, names: Case) -> Scope:
        """Return the scope of a clause: the names of its case, and its own rule as ``this``."""
        return Scope(self.vocabulary, {"this": RULE, **names}, self.tables)

    def word(self, word: str, message: str, *, found: str = "", expected: str = "") -> LawError:
        """Complain of a word that stands in what is being read."""
        place = re.compile(rf"(?<![\w.]){re.escape(word)}(?![\w.])").search(self.source, self.begin)
        offset = place.start() if place else self.begin
        return LawError(message, found=found or repr(word), expected=expected, offset=offset)

    def unknown(self, what: str, word: str, known: Iterable[str]) -> LawError:
        """Complain of a word that names nothing; where what can stand there comes with its meaning, by that too."""
        declared = known if isinstance(known, Mapping) else dict.fromkeys(known)
        meanings = {one: str(getattr(said, "meaning", "")) for one, said in declared.items()}
        near = suggestions(word, meanings) or sorted(meanings)[:8]
        return self.word(word, f"there is no {what} {word}", expected=", ".join(near))

    def expect(self, expression: Expression, scope: Scope, wanted: v.Type, what: str) -> None:
        """Refuse an expression of another type, and one whose value explodes in every case alike."""
        try:
            expect(expression, scope, wanted, what)
            if expression.constant:
                expression.run(View(None, {}, None))  # a constant asks the law nothing
        except LawError as error:
            error.offset = expression.at + error.column - 1
            raise
        except Undecided as error:
            raise LawError(error.reason, found=repr(expression.text), offset=expression.at) from None

    def type_of(self, expression: Expression, scope: Scope) -> v.Type:
        """Return the type of an expression."""
        try:
            return type_of(expression, scope)
        except LawError as error:
            error.offset = expression.at + error.column - 1
            raise

    @staticmethod
    def about(expression: Expression, message: str, found: v.Type, expected: str) -> LawError:
        """Complain of an expression."""
        return LawError(message, found=found.one, expected=expected, offset=expression.at)

    def clause(self, clause: c.Clause) -> None:
        """Read one clause."""
        match clause:
            case c.Set():
                self.set(clause)
            case c.Require():
                self.expect(clause.condition, self.scope({}), v.TRUTH, "a requirement")
            case c.Offer():
                self.offer(clause)
            case c.On():
                self.on(clause)
            case c.Track():
                check_track(self, clause)
            case c.Incorporate() if clause.name not in self.vocabulary.rulesets:
                raise self.unknown("rule set to incorporate called", clause.name, self.vocabulary.rulesets)
            case c.Claim() if clause.key and clause.key not in self.vocabulary.keys:
                raise self.unknown("key", clause.key, self.vocabulary.keys)

    def set(self, clause: c.Set) -> None:
        """Read a clause that sets a key."""
        key = self.vocabulary.keys.get(clause.key)
        if key is None:
            act = clause.key.removeprefix("may.")
            if act != clause.key:
                raise self.unknown("action", act, self.vocabulary.actions)
            raise self.unknown("key", clause.key, self.vocabulary.keys)
        scope = self.scope({**key.case, **key.may_know})
        wanted = key.type
        if (
            key.also is not None
            and "otherwise" not in clause.value.names
            and v.fits(self.type_of(clause.value, scope), key.also)
        ):
            wanted = key.also
        valued = scope.plus(otherwise=wanted) if key.additive else scope
        self.expect(clause.value, valued, wanted, key.name)
        if isinstance(clause, c.Piece):
            self.piece(clause, scope)
        elif clause.condition is not None:
            self.expect(clause.condition, scope, v.TRUTH, "a condition")
        if key.name in clause.value.keys or (clause.condition and key.name in clause.condition.keys):
            self.begin = self.source.find(key.name) + len(key.name)
            raise self.word(
                key.name,
                f"{key.name} cannot be set from itself",
                expected="otherwise, for what it would be without this",
            )
        facts = self.vocabulary.facts
        for name in (name for one in clause.expressions for name in one.names if name in facts):
            if key.name in facts[name].keys:
                said = f"{name} is what {key.name} says, which cannot be set from itself"
                raise self.word(name, said, expected="otherwise, for what it would be without this")
        ranked = per_rule(self.tables) if key.ranks else ()
        by_table = tuple(f"{best} {name}" for name in ranked for best in (HIGHEST, LOWEST))
        self.texts(clause.value, key.name, (*key.values, *by_table))
        if key.reader_of_texts is None:
            self.misfit(clause.value, key.misfit, f"{key.name}: ")
        if key.apart:
            self.apart(clause.value, key)
        if key.reader_of_texts is not None:
            for node in yielded(clause.value.node):
                if isinstance(node.value, str):
                    self.grammar(clause.value, node, key.reader_of_texts)

    @staticmethod
    def misfit(expression: Expression, misfit: Callable[[v.Value], str] | None, what: str = "") -> None:
        """Refuse a constant that means nothing here."""
        if misfit is not None and expression.constant:
            value = expression.run(View(None, {}, None))
            if wrong := misfit(value):
                raise LawError(f"{what}{wrong}", found=v.shown(value), offset=expression.at)

    def apart(self, value: Expression, key: Key) -> None:
        """Refuse a list that surely holds what the key is about."""
        parts = value.node.parts if value.node.kind == "list" else (value.node,)
        for part in parts:
            if part.kind == "name" and part.text in (*key.case, *key.whole):
                raise self.about(value, key.apart, key.type, f"a list without {' and '.join(key.case)}")

    @staticmethod
    def grammar(expression: Expression, node: Node, read: Callable[[str], None]) -> None:
        """Refuse a text that has a grammar of its own and cannot be read by it."""
        try:
            read(str(node.value))
        except LawError as error:  # its column is counted in the text, behind the quotation mark
            error.offset = expression.at + node.column + error.column
            raise

    def piece(self, clause: c.Piece, scope: Scope) -> None:
        """Read a clause that says how a kind moves."""
        if len(clause.kind) != 1:
            raise self.word(clause.kind, "a kind of piece is one capital letter", expected="a letter from A to Z")
        if clause.army is not None:
            found = self.type_of(clause.army, scope)
            if not v.fits(found.item or found, ARMY):
                wanted = f"an army, or armies{such_as(ARMY, found, scope.vocabulary)}"
                raise self.about(clause.army, "a piece is of an army, or of several", found, wanted)
        if clause.given is not None:
            self.expect(clause.given, scope, v.TRUTH, "a condition")

    @staticmethod
    def texts(expression: Expression, name: str, values: tuple[str, ...]) -> None:
        """Refuse texts that a term cannot hold: an empty one, and where there is a list, what is not on it."""
        for node in yielded(expression.node):
            if node.value == "" or (values and node.value not in values):
                known = ", ".join(f'"{one}"' for one in values) or "a text with something in it"
                place = expression.at + node.column
                raise LawError(f"{name} has no such value", found=v.shown(node.value), expected=known, offset=place)

    def on(self, clause: c.On) -> None:
        """Read a trigger."""
        event = self.vocabulary.events.get(clause.event)
        if event is None:
            raise self.unknown("event", clause.event, self.vocabulary.events)
        if isinstance(clause, c.Instead) and not event.usual:
            usual = [one.name for one in self.vocabulary.events.values() if one.usual]
            raise self.unknown("usual result to replace of", clause.event, usual)
        if event.over and not isinstance(clause, c.Instead):
            said = f"nothing answers to {clause.event}: play is over then"
            raise self.word(clause.event, said, expected=f"instead of {clause.event}, for what comes in its place")
        scope = self.scope({**event.binds, **event.may_bind})
        if clause.each is not None and clause.among is not None:
            scope = scope.plus(**{clause.each: self.elements(clause.among, scope, clause.each)})
        if clause.condition is not None:
            self.expect(clause.condition, scope, v.TRUTH, "a condition")
        for effect in clause.effects:
            scope = self.effect(effect, scope)

    def offer(self, clause: c.Offer) -> None:
        """Read what a rule offers: to whom, when, and what is done."""
        if not clause.name or len(clause.name) > v.LONGEST_TEXT:
            said = f"{len(clause.name)} letters" if clause.name else "nothing"
            raise LawError("what is offered has a name", found=said, expected=f"1 to {v.LONGEST_TEXT} letters")
        if clause.among is not None:
            self.player(clause.among, self.scope({}))
        scope = self.scope({"player": PLAYER})
        if clause.condition is not None:
            self.expect(clause.condition, scope, v.TRUTH, "a condition")
        for effect in clause.effects:
            scope = self.effect(effect, scope)

    def elements(self, many: Expression, scope: Scope, name: str) -> v.Type:
        """Return what a list holds, for a name that goes through it."""
        found = self.type_of(many, scope)
        if found.item is None:
            raise self.about(many, "this goes through a list", found, "a list")
        self.fresh(name, scope)
        return found.item

    def fresh(self, name: str, scope: Scope) -> None:
        """Refuse a name that means something already."""
        if "." in name or name == "otherwise" or name in scope.names or name in self.vocabulary.facts:
            raise self.word(name, f"{name} means something already", expected="another name")
        self.bound.add(name)

    def player(self, expression: Expression, scope: Scope) -> None:
        """Refuse what is no player, no players, and no name."""
        found = self.type_of(expression, scope)
        inner = found.item if found.item else found
        if not (v.fits(inner, v.maybe(PLAYER)) or found == v.TEXT):
            wanted = "a player, players, or a name in quotes"
            if found.name == "game":
                wanted += "; what the game keeps is a counter of its own, as in award 1 pot to game"
            raise self.about(expression, "players are needed here", found, wanted)

    def of(self, expression: Expression, scope: Scope, wanted: v.Type, what: str) -> None:
        """Refuse what is not one of a kind, several of it, or none."""
        found = self.type_of(expression, scope)
        if not v.fits(found.item or found, v.maybe(wanted)):
            expected = f"{wanted.one}, or a list{such_as(wanted, found, scope.vocabulary)}"
            raise self.about(expression, what, found, expected)

    def effect(self, effect: Effect, scope: Scope) -> Scope:
        """Read one effect; return the names that the next one sees."""
        self.begin = effect.at
        for name, place in effect.form.places.items():
            scope = place.check(name, self, effect, scope)
        return scope


def yielded(node: Node) -> Iterator[Node]:
    """Yield the constants that an expression may come to, alone or in a list, and not those that it only compares."""
    if node.kind == "constant":
        yield node
    for part in {
        "if": node.parts[::2],
        "list": node.parts,
        "each": node.parts[:1],
        "call": node.parts[:1],
        "reckon": node.parts,
    }.get(node.kind, ()):
        yield from yielded(part)
