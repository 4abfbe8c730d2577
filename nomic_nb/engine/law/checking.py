"""The static reading of a clause: every key, name and type, before anyone votes on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from keyword import iskeyword
from typing import Any, cast

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.confusables import confusable_form
from nomic_nb.engine.law.expressions import CONSTANT_WORDS, LOOP_WORDS, name_taken
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.hints import suggest_words
from nomic_nb.engine.law.nodes import Expression, Node, Undecided, View
from nomic_nb.engine.law.tables import (
    GAME_KEY,
    HELD,
    HIGHEST,
    KEYED,
    LOWEST,
    MOST_KEYS,
    TableShape,
    describe_keys,
    entry_as_written,
    table_shape,
    tables_per_rule,
)
from nomic_nb.engine.law.types import Scope, wrong_key_message
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import Message, say

PLAYER, RULE = v.Type("player"), v.Type("rule")
ARMY_TYPE = v.Type("army")
#: What is said of a word that is no kind of piece.
KIND_EXPECTED = say("kind-not-a-capital", "a kind of piece is one capital letter")
#: What every clause sees: its own rule.
OWN_CASE = {"this": RULE}


@frozen(eq=False)
class Checker(Scope):
    """The names that a place in a clause sees, which refuses what does not fit there.

    Parameters
    ----------
    vocabulary, names, tables
        What it may speak of: the names of the case, and its own rule as ``this``.
    bound : set of str
        The names that effects have bound so far.
    source : str
        How the clause was written, on one line.
    drafts : frozenset of str
        The names of the drafts that stand beside it.
    begin : int
        Where what is being read begins.
    doing : Effect or None
        The effect that is being read.
    """

    bound: set[str]
    source: str = ""
    drafts: frozenset[str] = frozenset()
    begin: int = 0
    doing: Any = None

    # ------------------------------------------------------------------------------------- complaints

    def word(self, word: str, message: Message, *, found: str = "", expected: str = "") -> LawError:
        """Complain of a word that stands in what is being read."""
        place = re.compile(rf"(?<![\w.]){re.escape(word)}(?![\w.])").search(self.source, self.begin)
        offset = place.start() if place else self.begin
        return LawError(message, found=found or repr(word), expected=expected, offset=offset)

    def unknown(self, what: str, word: str, known: Iterable[str]) -> LawError:
        """Complain of a word that names nothing; where what can stand there comes with its meaning, by that too."""
        declared = known if isinstance(known, Mapping) else dict.fromkeys(known)
        meanings = {one: str(getattr(said, "meaning", "")) for one, said in declared.items()}
        near = suggest_words(word, meanings) or sorted(meanings)[:8]
        return self.word(
            word, say("word-unknown", "there is no {what} {word}", what=what, word=word), expected=", ".join(near)
        )

    @staticmethod
    def about(expression: Expression, message: Message, found: v.Type, expected: str) -> LawError:
        """Complain of an expression."""
        return LawError(message, found=found.one, expected=expected, offset=expression.at)

    # ------------------------------------------------------------------------------------ expressions

    def expect(self, expression: Expression, wanted: v.Type, what: str) -> None:
        """Refuse an expression of another type, and one whose value explodes in every case alike."""
        found = self.type_of(expression)
        if not v.is_compatible(found, wanted):
            raise self.about(
                expression,
                say("kind-needed", "{what} is {kind}", what=what, kind=wanted.one),
                found,
                f"{wanted.one}{self.functions_finding(wanted, found)}",
            )
        try:
            constant_value(expression)
        except Undecided as error:
            raise LawError(error.reason, found=repr(expression.text), offset=expression.at) from None

    def condition(self, expression: Expression | None) -> None:
        """Refuse what is no condition, where there is one."""
        if expression is not None:
            self.expect(expression, v.TRUTH, "a condition")

    @staticmethod
    def misfit(expression: Expression, misfit: Callable[[v.Value], str] | None, what: str = "") -> None:
        """Refuse a constant that means nothing here."""
        if misfit is not None and expression.constant:
            value = constant_value(expression)
            if wrong := misfit(value):
                raise LawError(
                    say("value-unfit", "{what}{why}", what=what, why=wrong),
                    found=v.value_text(value),
                    offset=expression.at,
                )

    @staticmethod
    def texts(expression: Expression, name: str, values: tuple[str, ...]) -> None:
        """Refuse texts that a term cannot hold: an empty one, and where there is a list, what is not on it."""
        for node in expression.node.possible_constants:
            if node.value == "" or (values and node.value not in values):
                known = ", ".join(f'"{one}"' for one in values) or "a text with something in it"
                place = expression.at + node.column
                raise LawError(
                    say("value-unknown", "{name} has no such value", name=name),
                    found=v.value_text(node.value),
                    expected=known,
                    offset=place,
                )

    def elements(self, many: Expression, name: str) -> v.Type:
        """Return what a list holds, for a name that goes through it."""
        found = self.type_of(many)
        if found.item is None:
            raise self.about(many, say("list-needed", "this goes through a list"), found, "a list")
        self.fresh(name)
        return found.item

    def fresh(self, name: str) -> None:
        """Refuse a name that means something already."""
        if "." in name or name == "otherwise" or name in self.names or name in self.vocabulary.facts:
            raise self.word(name, name_taken(name), expected="another name")
        self.bound.add(name)

    def player(self, expression: Expression) -> None:
        """Refuse what is no player, no players, and no name."""
        found = self.type_of(expression)
        if not (v.is_compatible(found.item or found, v.optional_type(PLAYER)) or found == v.TEXT):
            wanted = "a player, players, or a name in quotes"
            if found.name == GAME_KEY:
                wanted += "; what the game keeps is a counter of its own, as in award 1 pot to game"
            raise self.about(expression, PLAYERS_NEEDED, found, wanted)

    def of(self, expression: Expression, wanted: v.Type, what: str) -> None:
        """Refuse what is not one of a kind, several of it, or none."""
        found = self.type_of(expression)
        if not v.is_compatible(found.item or found, v.optional_type(wanted)):
            expected = f"{wanted.one}, or a list{self.functions_finding(wanted, found)}"
            raise self.about(expression, say("several-needed", "{what}", what=what, kind=wanted.one), found, expected)

    # ---------------------------------------------------------------------------------------- clauses

    def clause(self, clause: c.Clause) -> None:
        """Read one clause."""
        match clause:
            case c.SetClause():
                self.set(clause)
            case c.RequireClause():
                self.expect(clause.condition, v.TRUTH, "a requirement")
            case c.OfferClause():
                self.offer(clause)
            case c.TriggerClause():
                self.on(clause)
            case c.TrackClause():
                self.track(clause)
            case c.IncorporateClause() if clause.name not in self.vocabulary.rulesets:
                raise self.unknown("rule set to incorporate called", clause.name, self.vocabulary.rulesets)
            case c.ClaimClause() if clause.key and clause.key not in self.vocabulary.keys:
                raise self.unknown("key", clause.key, self.vocabulary.keys)

    def set(self, clause: c.SetClause) -> None:
        """Read a clause that sets a key."""
        words, value = self.vocabulary, clause.value
        key = words.keys.get(clause.key)
        if key is None:
            act = clause.key.removeprefix("may.")
            if act != clause.key:
                raise self.unknown("action", act, words.actions)
            raise self.unknown("key", act, words.keys)
        inner, wanted = self.plus(**key.case, **key.may_know), key.type
        if key.also is not None and "otherwise" not in value.names and v.is_compatible(inner.type_of(value), key.also):
            wanted = key.also
        valued = inner.plus(otherwise=wanted) if key.additive else inner
        valued.expect(value, wanted, key.name)
        if isinstance(clause, c.PieceClause):
            inner.piece(clause)
        else:
            inner.condition(clause.condition)
        self.circle(clause, key)
        best = (
            f"{best} {name}"
            for name in (tables_per_rule(self.tables) if key.ranks else ())
            for best in (HIGHEST, LOWEST)
        )
        self.texts(value, key.name, (*key.values, *best))
        if key.reader_of_texts is None:
            self.misfit(value, key.misfit, f"{key.name}: ")
        if key.apart:
            self.apart(value, key)
        if key.reader_of_texts is not None:
            for node in value.node.possible_constants:
                if isinstance(node.value, str):
                    self.grammar(value, node, key.reader_of_texts)

    def circle(self, clause: c.SetClause, key: Key) -> None:
        """Refuse to set a key from itself, or from a fact that it says."""
        expected, facts = "otherwise, for what it would be without this", self.vocabulary.facts
        if any(key.name in one.keys for one in (clause.value, clause.condition) if one):
            behind = self.replace(begin=self.source.find(key.name) + len(key.name))
            raise behind.word(
                key.name, say("key-set-from-itself", "{key} cannot be set from itself", key=key.name), expected=expected
            )
        for name in (one for one in clause.names if one in facts):
            if key.name in facts[name].keys:
                said = say(
                    "key-set-in-circle",
                    "{name} is what {key} says, which cannot be set from itself",
                    name=name,
                    key=key.name,
                )
                raise self.word(name, said, expected=expected)

    def apart(self, value: Expression, key: Key) -> None:
        """Refuse a list that surely holds what the key is about."""
        for part in value.node.members:
            if part.name in (*key.case, *key.whole):
                raise self.about(value, cast(Message, key.apart), key.type, f"a list without {' and '.join(key.case)}")

    @staticmethod
    def grammar(expression: Expression, node: Node, read: Callable[[str], None]) -> None:
        """Refuse a text that has a grammar of its own and cannot be read by it."""
        try:
            read(str(node.value))
        except LawError as error:  # its column is counted in the text, behind the quotation mark
            error.offset = expression.at + node.column + error.column
            raise

    def piece(self, clause: c.PieceClause) -> None:
        """Read a clause that says how a kind moves."""
        if len(clause.kind) != 1:
            raise self.word(
                clause.kind,
                KIND_EXPECTED,
                expected="a letter from A to Z",
            )
        if clause.army is not None:
            found = self.type_of(clause.army)
            if not v.is_compatible(found.item or found, ARMY_TYPE):
                wanted = f"an army, or armies{self.functions_finding(ARMY_TYPE, found)}"
                raise self.about(
                    clause.army, say("piece-without-army", "a piece is of an army, or of several"), found, wanted
                )
        self.condition(clause.given)

    def on(self, clause: c.TriggerClause) -> None:
        """Read a trigger."""
        events, name, replaces = self.vocabulary.events, clause.event, isinstance(clause, c.InsteadClause)
        event = events.get(name)
        if event is None:
            raise self.unknown("event", name, events)
        if replaces and not event.usual:
            raise self.unknown("usual result to replace of", name, [one.name for one in events.values() if one.usual])
        if event.over and not replaces:
            said = say("event-ends-play", "nothing answers to {event}: play is over then", event=name)
            raise self.word(name, said, expected=f"instead of {name}, for what comes in its place")
        inner = self.plus(**event.binds, **event.may_bind)
        if clause.each is not None and clause.among is not None:
            inner = inner.plus(**{clause.each: inner.elements(clause.among, clause.each)})
        inner.effects(clause)

    def offer(self, clause: c.OfferClause) -> None:
        """Read what a rule offers: to whom, when, and what is done."""
        if not clause.name or len(clause.name) > v.LONGEST_TEXT:
            said = f"{len(clause.name)} letters" if clause.name else "nothing"
            raise LawError(
                say("offer-name-length", "what is offered has a name"),
                found=said,
                expected=f"1 to {v.LONGEST_TEXT} letters",
            )
        if clause.among is not None:
            self.player(clause.among)
        self.plus(player=PLAYER).effects(clause)

    def effects(self, clause: c.TriggerClause) -> None:
        """Read when something is done, and what."""
        self.condition(clause.condition)
        inner = self
        for effect in clause.effects:
            inner = inner.effect(effect)

    def effect(self, effect: Effect) -> Checker:
        """Read one effect; return the names that the next one sees."""
        inner, values = self.replace(begin=effect.at, doing=effect), dict(effect.places)
        for name, place in effect.form.places.items():
            inner = place.check(values.get(name), inner)
        return inner

    # ----------------------------------------------------------------------------------------- tables

    def track(self, clause: c.TrackClause) -> None:
        """Refuse a table that cannot be kept.

        Raises
        ------
        LawError
            It is kept per what has none, called by a word that means something, or of another shape than elsewhere.
        """
        name, per, holds = clause.counter, clause.per, clause.holds
        things = [one.name for one in self.vocabulary.records.values() if one.kept]
        keys = [*things, *KEYED, GAME_KEY]
        for kind in per:
            if kind not in keys:
                raise self.unknown("owner of counters called", kind, keys)
        whole = GAME_KEY in per
        if len(per) > (1 if whole else MOST_KEYS):
            said = (
                say("game-table-with-keys", "what is kept per game has no other key")
                if whole
                else say("table-has-too-many-keys", "a table has {most} keys at most", most=MOST_KEYS)
            )
            raise self.word(per[1], said, expected=f"track {name} per {per[0]}")
        if holds and holds not in (*things, *HELD):
            raise self.unknown("kind of value called", holds, [*HELD, *things])
        shape, other = table_shape(clause), self.tables.get(name)
        self.counter(name, shape)
        if other is not None and other != shape:
            held = "" if other.holds == shape.holds else f" as {other.holds.name}"
            hidden = "" if other.hidden == shape.hidden else (", hidden" if other.hidden else ", and not hidden")
            said = say(
                "counter-tracked-otherwise",
                "{name} is kept per {per}{kind} already{hidden}",
                name=name,
                per=other.per,
                kind=held,
                hidden=hidden,
            )
            raise self.word(name, said, expected=f"per {other.per}{held}{' hidden' if other.hidden else ''}")
        if not holds and clause.start.node.is_constant and clause.start.node.value is None:
            expected = "as KIND before from, such as: as player from none"
            raise self.about(
                clause.start, say("start-needed", "what {name} holds is not said", name=name), v.NONE, expected
            )
        what = f"where {name} starts" if holds else "where a counter starts"
        self.plus(**shape.bound()).expect(clause.start, shape.holds, what)

    def counter(self, name: str, shape: TableShape) -> None:
        """Refuse a name that cannot be that of a table: one that means something, or looks the same as another one."""
        words = self.vocabulary
        fields = {one.name: kind for kind in shape.keys if kind in words.records for one in words.records[kind].fields}
        taken = iskeyword(name) or name in (
            *words.functions,
            *CONSTANT_WORDS,
            "keys",
            "otherwise",
            *LOOP_WORDS,
            *fields,
        )
        if taken or "." in name or (not shape.keys and name in words.facts):
            why = f", since each {fields[name]} has a {name} already" if name in fields else ""
            raise self.word(
                name,
                say("name-not-for-counter", "{name} cannot name a counter{why}", name=name, why=why),
                expected="a word not yet in use",
            )
        alike = [one for one in self.tables if one != name and confusable_form(one) == confusable_form(name)]
        if alike:
            raise self.word(
                name,
                say("name-looks-like", "{name} looks the same as {other}", name=name, other=alike[0]),
                expected="another word",
            )

    def cell(self, name: str, keys: Sequence[Expression] | None, who: Expression | None) -> None:
        """Refuse a place of a table that there is not.

        Parameters
        ----------
        name : str
            The table.
        keys : sequence of Expression, optional
            What stands in brackets behind it.
        who : Expression, optional
            Whose entry it is: ``of …``, ``to …`` or ``from …``.
        """
        shape = self.tables.get(name)
        found = None if who is None else self.type_of(who)
        given = [self.type_of(one) for one in keys or ()]
        if shape is None:
            kind = None if found is None else (found.item or found).name
            whose = GAME_KEY if kind is None else kind if kind in self.vocabulary.records else "player"
            per = ", ".join(one.name for one in given) or whose
            known = [one for one, other in self.tables.items() if other.per == per]
            missing = self.word(
                name,
                say("not-tracked-per", "no rule tracks {name} per {per}", name=name, per=per),
                expected=", ".join(known) or "a track clause",
            )
            if not keys and not known:  # an example of the same clause would repeat the fault
                missing.example = f"track {name} per {per} from 0"
            raise missing
        if keys is not None:
            if wrong := self.find_misplaced_key(name, given):
                at, said, expected = wrong
                if at is None:
                    raise self.word(name, said, expected=expected)
                raise self.about(keys[at], said, given[at], expected)
        elif who is not None and found is not None:
            self.owner(name, shape, who, found)
        elif shape.keys:
            raise self.word(name, describe_keys(name, shape), expected=f"{name}({', '.join(shape.keys)})")

    def owner(self, name: str, shape: TableShape, who: Expression, found: v.Type) -> None:
        """Refuse an entry of somebody, or something, for whom a table has none."""
        kind, of_player, said = found.item or found, shape.keys == ("player",), describe_keys(name, shape)
        if len(shape.keys) == 2:
            raise self.word(name, said.within("{message}: two in brackets"), expected=f"{name}(…, …)")
        wanted = shape.type_of_key(0) if shape.keys else v.Type(GAME_KEY)
        if (of_player and found == v.TEXT) or v.is_compatible(kind, v.optional_type(wanted)):
            return
        if of_player and kind.name not in self.vocabulary.records:
            raise self.about(who, PLAYERS_NEEDED, found, "a player, players, or a name in quotes")
        expected = f"{name} of player" if of_player else f"such as {entry_as_written(name, shape)}"
        raise self.word(name, wrong_key_message(said, kind), expected=expected)


PLAYERS_NEEDED = say("players-needed", "players are needed here")


def constant_value(expression: Expression) -> v.Value:
    """Return what an expression is in every case; None where that depends. A constant asks the law nothing."""
    return expression.run(View(None, {}, None)) if expression.constant else None
