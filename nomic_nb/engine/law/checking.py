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
from nomic_nb.engine.law.clauses import Effect
from nomic_nb.engine.law.confusables import confusable_form
from nomic_nb.engine.law.expressions import LOOP_WORDS, name_taken_message
from nomic_nb.engine.law.hints import everyday_table, suggest_words
from nomic_nb.engine.law.nodes import Expression, Node, Undecided, View
from nomic_nb.engine.law.tables import (
    GAME_KEY,
    HELD,
    HIGHEST,
    KEYED,
    LOWEST,
    MOST_KEYS,
    TableShape,
    example_of_entry,
    table_keys_message,
    table_shape,
    tables_per_rule,
)
from nomic_nb.engine.law.types import Scope, wrong_key_message
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import Message, say

PLAYER, RULE = v.Type("player"), v.Type("rule")
ARMY_TYPE = v.Type("army")
#: Message about a word that is not a kind of piece.
KIND_EXPECTED = say("kind-not-a-capital", "write a kind of piece as one capital letter")
#: Name bound in every clause: its own rule.
OWN_CASE = {"this": RULE}


@frozen(eq=False)
class Checker(Scope):
    """The names that a place in a clause sees, which refuses what does not fit there.

    Parameters
    ----------
    vocabulary, names, tables
        Names it may use: those of the case, and its own rule as ``this``.
    bound : set of str
        The names that effects have bound so far.
    source : str
        How the clause was written, on one line.
    drafts : frozenset of str
        The names of the drafts in the same rule.
    begin : int
        Start of the part that is being read.
    doing : Effect or None
        The effect that is being read.
    """

    bound: set[str]
    source: str = ""
    drafts: frozenset[str] = frozenset()
    begin: int = 0
    doing: Any = None

    # ------------------------------------------------------------------------------------- complaints

    def error_at_word(self, word: str, message: Message, *, found: str = "", expected: str = "") -> LawError:
        """Return a `LawError` that points at a word in the clause, with what was `found` and is `expected` there."""
        place = re.compile(rf"(?<![\w.]){re.escape(word)}(?![\w.])").search(self.source, self.begin)
        offset = place.start() if place else self.begin
        return LawError(message, found=found or repr(word), expected=expected, offset=offset)

    def unknown_word_error(self, what: str, word: str, known: Iterable[str]) -> LawError:
        """Return the error that no `what` (such as “event”) has this name, listing similar `known` words."""
        declared = known if isinstance(known, Mapping) else dict.fromkeys(known)
        meanings = {name: str(getattr(declaration, "meaning", "")) for name, declaration in declared.items()}
        near = suggest_words(word, meanings) or sorted(meanings)[:8]
        return self.error_at_word(
            word, say("word-unknown", "there is no {what} {word}", what=what, word=word), expected=", ".join(near)
        )

    @staticmethod
    def error_in_expression(expression: Expression, message: Message, kind: v.Type, expected: str) -> LawError:
        """Return the error that an expression has the wrong type `kind`, saying what is expected."""
        return LawError(message, found=kind.with_article, expected=expected, offset=expression.at)

    # ------------------------------------------------------------------------------------ expressions

    def check_expression_type(self, expression: Expression, wanted: v.Type, what: str) -> None:
        """Raise `LawError` unless an expression has the wanted type; `what` names it in the message.

        An expression that is constant and fails, such as ``1 / 0``, is refused, too.
        """
        kind = self.checked_type(expression)
        if not v.is_compatible(kind, wanted):
            raise self.error_in_expression(
                expression,
                say("kind-needed", "{what} must be {kind}", what=what, kind=wanted.with_article),
                kind,
                f"{wanted.with_article}{self.conversion_hint(wanted, kind)}",
            )
        try:
            constant_value(expression)
        except Undecided as error:
            raise LawError(error.reason, found=repr(expression.text), offset=expression.at) from None

    def check_condition(self, expression: Expression | None) -> None:
        """Raise `LawError` unless a condition is of the truth type; accept None, which is no condition."""
        if expression is not None:
            self.check_expression_type(expression, v.TRUTH, "a condition")

    @staticmethod
    def check_constant(expression: Expression, misfit: Callable[[v.Value], str] | None, what: str = "") -> None:
        """Raise `LawError` if a constant expression has a value in which the function `misfit` finds a fault.

        `misfit` returns the fault in words, or an empty text; `what` stands before it in the message.
        """
        if misfit is not None and expression.constant:
            value = constant_value(expression)
            if wrong := misfit(value):
                raise LawError(
                    "value-unfit", "{what}{why}", what=what, why=wrong, found=v.value_text(value), offset=expression.at
                )

    @staticmethod
    def check_texts_allowed(expression: Expression, name: str, values: tuple[str, ...]) -> None:
        """Raise `LawError` if a value for the key `name` can be an empty text, or one outside `values` (if any).

        `name` is the key that the text is for. With no `values`, every text with something in it is allowed.
        """
        for node in expression.node.possible_constants:
            if node.value == "" or (values and node.value not in values):
                known = ", ".join(f'"{value}"' for value in values) or "a text that isn’t empty"
                place = expression.at + node.column
                raise LawError(
                    "value-unknown",
                    "{name} can’t have this value",
                    name=name,
                    found=v.value_text(node.value),
                    expected=known,
                    offset=place,
                )

    def check_loop_list(self, loop_list: Expression, name: str) -> v.Type:
        """Bind the loop variable `name` and return its type; raise `LawError` for no list or a name in use."""
        kind = self.checked_type(loop_list)
        if kind.item is None:
            raise self.error_in_expression(loop_list, say("list-needed", "this must be a list"), kind, "a list")
        self.bind_new_name(name)
        return kind.item

    def bind_new_name(self, name: str) -> None:
        """Add a new name to the clause's bound names; raise `LawError` if it already means something."""
        if "." in name or name == "otherwise" or name in self.names or name in self.vocabulary.facts:
            raise self.error_at_word(name, name_taken_message(name), expected="another name")
        self.bound.add(name)

    def check_player_expression(self, expression: Expression) -> None:
        """Raise `LawError` unless an expression yields a player, a list of players, a text, or none."""
        kind = self.checked_type(expression)
        if not (v.is_compatible(kind.item or kind, v.optional_type(PLAYER)) or kind == v.TEXT):
            wanted = "a player, players, or a name in quotes"
            if kind.name == GAME_KEY:
                wanted += "; for the game, use a counter that is tracked per game, as in award 1 pot to game"
            raise self.error_in_expression(expression, PLAYERS_NEEDED, kind, wanted)

    def check_single_or_list(self, expression: Expression, wanted: v.Type, what: str) -> None:
        """Raise `LawError`, saying `what`, unless an expression yields the wanted type, a list of it, or none.

        `what` is the sentence of the error message, which may name the type as ``{kind}``.
        """
        kind = self.checked_type(expression)
        if not v.is_compatible(kind.item or kind, v.optional_type(wanted)):
            expected = f"{wanted.with_article}, or a list{self.conversion_hint(wanted, kind)}"
            raise self.error_in_expression(
                expression, say("several-needed", "{what}", what=what, kind=wanted.with_article), kind, expected
            )

    # ---------------------------------------------------------------------------------------- clauses

    def check_clause(self, clause: c.Clause) -> None:
        """Raise `LawError` if a clause of any kind has unknown words or values of the wrong type."""
        match clause:
            case c.SetClause():
                self.check_set_clause(clause)
            case c.RequireClause():
                self.check_expression_type(clause.condition, v.TRUTH, "a requirement")
            case c.OfferClause():
                self.check_offer(clause)
            case c.WheneverClause(condition=Expression() as condition):
                event = condition.node.name
                if event in self.vocabulary.events and self.type_of_name(event) is None:
                    message = say(
                        "event-as-condition", "{event} is an event, but whenever needs a condition", event=event
                    )
                    raise self.error_at_word(event, message, expected=f"on {event}: …")
                self.check_effects(clause)
            case c.TriggerClause():
                self.check_trigger(clause)
            case c.TrackClause():
                self.check_track_clause(clause)
            case c.IncorporateClause() if clause.name not in self.vocabulary.rulesets:
                raise self.unknown_word_error("rule set to incorporate called", clause.name, self.vocabulary.rulesets)
            case c.ClaimClause() if clause.key and clause.key not in self.vocabulary.keys:
                raise self.unknown_word_error("key", clause.key, self.vocabulary.keys)

    def check_set_clause(self, clause: c.SetClause) -> None:
        """Raise `LawError` if a clause sets an unknown key, or its value or condition does not fit the key."""
        words, value = self.vocabulary, clause.value
        key = words.keys.get(clause.key)
        if key is None:
            act = clause.key.removeprefix("may.")
            if act != clause.key:
                raise self.unknown_word_error("action", act, words.actions)
            raise self.unknown_word_error("key", act, words.keys)
        inner, wanted = self.with_names(**key.case, **key.may_know), key.type
        if (
            key.also is not None
            and "otherwise" not in value.names
            and v.is_compatible(inner.checked_type(value), key.also)
        ):
            wanted = key.also
        valued = inner.with_names(otherwise=wanted) if not key.name.startswith("may.") else inner
        valued.check_expression_type(value, wanted, key.name)
        if isinstance(clause, c.PieceClause):
            inner.check_piece_clause(clause)
        else:
            inner.check_condition(clause.condition)
        self.check_no_circle(clause, key)
        best = (
            f"{best} {name}"
            for name in (tables_per_rule(self.tables) if key.ranks else ())
            for best in (HIGHEST, LOWEST)
        )
        self.check_texts_allowed(value, key.name, (*key.values, *best))
        if key.reader_of_texts is None:
            self.check_constant(value, key.misfit, f"{key.name}: ")
        if key.apart:
            self.check_list_excludes_case(value, key)
        if key.reader_of_texts is not None:
            for node in value.node.possible_constants:
                if isinstance(node.value, str):
                    self.check_text_grammar(value, node, key.reader_of_texts)

    def check_no_circle(self, clause: c.SetClause, key: Key) -> None:
        """Raise `LawError` if a clause sets a key from its own value, or from a fact that depends on it."""
        expected, facts = "otherwise, for the value without this clause", self.vocabulary.facts
        if any(key.name in expression.keys for expression in (clause.value, clause.condition) if expression):
            behind = self.replace(begin=self.source.find(key.name) + len(key.name))
            raise behind.error_at_word(
                key.name,
                say("key-set-from-itself", "{key} can’t be set from its own value", key=key.name),
                expected=expected,
            )
        for name in (one for one in clause.names if one in facts):
            if key.name in facts[name].keys:
                message = say(
                    "key-set-in-circle",
                    "{name} depends on {key}, so you can’t use it to set {key}",
                    name=name,
                    key=key.name,
                )
                raise self.error_at_word(name, message, expected=expected)

    def check_list_excludes_case(self, value: Expression, key: Key) -> None:
        """Raise `LawError` if a key's list names the thing that the key is asked about, or everything of its kind."""
        for part in value.node.list_items_or_self:
            if part.name in (*key.case, *key.whole):
                raise self.error_in_expression(
                    value, cast(Message, key.apart), key.type, f"a list without {' and '.join(key.case)}"
                )

    @staticmethod
    def check_text_grammar(expression: Expression, node: Node, read: Callable[[str], None]) -> None:
        """Raise `LawError` if the parser `read`, such as that of move notation, rejects the constant text in `node`."""
        try:
            read(str(node.value))
        except LawError as error:  # its column is counted in the text, behind the quotation mark
            error.offset = expression.at + node.column + error.column
            raise

    def check_piece_clause(self, clause: c.PieceClause) -> None:
        """Raise `LawError` unless a piece clause has a one-letter kind and a valid condition and army (if any)."""
        if len(clause.kind) != 1:
            raise self.error_at_word(clause.kind, KIND_EXPECTED, expected="a letter from A to Z")
        if clause.army is not None:
            kind = self.checked_type(clause.army)
            if not v.is_compatible(kind.item or kind, ARMY_TYPE):
                wanted = f"an army, or armies{self.conversion_hint(ARMY_TYPE, kind)}"
                raise self.error_in_expression(
                    clause.army, say("piece-without-army", "say which armies the pieces belong to"), kind, wanted
                )
        self.check_condition(clause.given)

    def check_trigger(self, clause: c.TriggerClause) -> None:
        """Raise `LawError` if an ``on`` or ``instead of`` clause has an unknown event, or unfit parts."""
        events, name, replaces = self.vocabulary.events, clause.event, isinstance(clause, c.InsteadClause)
        event = events.get(name)
        if event is None:
            raise self.unknown_word_error("event", name, events)
        if replaces and not event.usual:
            raise self.unknown_word_error(
                "usual result to replace for",
                name,
                [known_event.name for known_event in events.values() if known_event.usual],
            )
        if event.over and not replaces:
            message = say("event-ends-play", "nothing can follow {event}, because the game is over by then", event=name)
            raise self.error_at_word(name, message, expected=f"instead of {name}, to replace it")
        self.with_names(**event.binds, **event.may_bind).check_effects(clause)

    def check_offer(self, clause: c.OfferClause) -> None:
        """Raise `LawError` if an ``offer`` clause has unfit words, players, conditions or effects."""
        if not clause.name or len(clause.name) > v.LONGEST_TEXT:
            sentence = f"{len(clause.name)} letters" if clause.name else "nothing"
            raise LawError(
                "offer-name-length",
                "the name of an offer can’t be empty or too long",
                found=sentence,
                expected=f"1 to {v.LONGEST_TEXT} letters",
            )
        if clause.among is not None:
            self.check_player_expression(clause.among)
        self.with_names(player=PLAYER).check_effects(clause)

    def check_effects(self, clause: c.TriggerClause) -> None:
        """Raise `LawError` if the list or the condition of a trigger or an offer, or one of its effects, is unfit."""
        inner = self
        if clause.each is not None and clause.among is not None:
            inner = inner.with_names(**{clause.each: inner.check_loop_list(clause.among, clause.each)})
        inner.check_condition(clause.condition)
        for effect in clause.effects:
            inner = inner.check_effect(effect)

    def check_effect(self, effect: Effect) -> Checker:
        """Raise `LawError` if an effect is unfit; return a checker that also knows the names the effect binds."""
        inner, values = self.replace(begin=effect.at, doing=effect), dict(effect.places)
        for name, place in effect.form.places.items():
            inner = place.check(values.get(name), inner)
        return inner

    # ----------------------------------------------------------------------------------------- tables

    def check_track_clause(self, clause: c.TrackClause) -> None:
        """Raise `LawError` if a ``track`` clause declares a table that cannot be kept.

        Raises
        ------
        LawError
            It is kept per what has none, called by a word that means something, or of another shape than elsewhere.
        """
        name, per, holds = clause.counter, clause.per, clause.holds
        things = [record.name for record in self.vocabulary.records.values() if record.kept]
        keys = [*things, *KEYED, GAME_KEY]
        for kind in per:
            if kind not in keys:
                raise self.unknown_word_error("owner of counters called", kind, keys)
        whole = GAME_KEY in per
        if len(per) > (1 if whole else MOST_KEYS):
            message = (
                say("game-table-with-keys", "a counter tracked per game can’t also be tracked per anything else")
                if whole
                else say("table-has-too-many-keys", "a table can have at most {most} keys", most=MOST_KEYS)
            )
            raise self.error_at_word(per[1], message, expected=f"track {name} per {per[0]}")
        if holds and holds not in (*things, *HELD):
            raise self.unknown_word_error("kind of value called", holds, [*HELD, *things])
        shape, other = table_shape(clause), self.tables.get(name)
        self.check_table_name(name, shape)
        if other is not None and other != shape:
            held = "" if other.holds == shape.holds else f" as {other.holds.name}"
            hidden = "" if other.hidden == shape.hidden else (", hidden" if other.hidden else ", and not hidden")
            message = say(
                "counter-tracked-otherwise",
                "{name} is already tracked per {per}{kind}{hidden}",
                name=name,
                per=other.kinds_in_words,
                kind=held,
                hidden=hidden,
            )
            raise self.error_at_word(
                name, message, expected=f"per {other.kinds_in_words}{held}{' hidden' if other.hidden else ''}"
            )
        if not holds and clause.start.node.is_constant and clause.start.node.value is None:
            expected = "as KIND before from, e.g. as player from none"
            raise self.error_in_expression(
                clause.start, say("start-needed", "say what kind of value {name} holds", name=name), v.NONE, expected
            )
        what = f"the starting value of {name}" if holds else "the starting value of a counter"
        self.with_names(**shape.names_in_start()).check_expression_type(clause.start, shape.holds, what)

    def check_table_name(self, name: str, shape: TableShape) -> None:
        """Raise `LawError` if a new table's name already means something or looks like another table's."""
        words = self.vocabulary
        fields = {
            field.name: kind for kind in shape.keys if kind in words.records for field in words.records[kind].fields
        }
        taken = iskeyword(name) or name in (
            *words.functions,
            *everyday_table("within"),
            "keys",
            *LOOP_WORDS,
            *fields,
        )
        if taken or "." in name or (not shape.keys and name in words.facts):
            why = f", because each {fields[name]} already has a {name}" if name in fields else ""
            raise self.error_at_word(
                name,
                say("name-not-for-counter", "a counter can’t be called {name}{why}", name=name, why=why),
                expected="a word that isn’t in use yet",
            )
        alike = [table for table in self.tables if table != name and confusable_form(table) == confusable_form(name)]
        if alike:
            raise self.error_at_word(
                name,
                say("name-looks-like", "{name} looks just like {other}", name=name, other=alike[0]),
                expected="another word",
            )

    def check_table_entry(self, name: str, keys: Sequence[Expression] | None, owner: Expression | None) -> None:
        """Raise `LawError` if a named entry's table is unknown, or its bracketed keys or its owner do not fit.

        Parameters
        ----------
        name : str
            The table.
        keys : sequence of Expression, optional
            What stands in brackets behind it.
        owner : Expression, optional
            Whose entry it is: ``of …``, ``to …`` or ``from …``.
        """
        shape = self.tables.get(name)
        owner_type = None if owner is None else self.checked_type(owner)
        given = [self.checked_type(expression) for expression in keys or ()]
        if shape is None:
            kind = None if owner_type is None else (owner_type.item or owner_type).name
            whose = GAME_KEY if kind is None else kind if kind in self.vocabulary.records else "player"
            per = ", ".join(key_type.name for key_type in given) or whose
            known = [table_name for table_name, other in self.tables.items() if other.kinds_in_words == per]
            missing = self.error_at_word(
                name,
                say("not-tracked-per", "no rule tracks {name} per {per}", name=name, per=per),
                expected=", ".join(known) or f"a line track {name} per {per} from 0 before it",
            )
            if not keys and not known:  # an example of the same clause would repeat the fault
                missing.example = f"track {name} per {per} from 0"
            raise missing
        if keys is not None:
            if wrong := self.find_misplaced_key(name, given):
                at, message, expected = wrong
                if at is None:
                    raise self.error_at_word(name, message, expected=expected)
                raise self.error_in_expression(keys[at], message, given[at], expected)
        elif owner is not None and owner_type is not None:
            self.check_entry_owner(name, shape, owner, owner_type)
        elif shape.keys:
            raise self.error_at_word(name, table_keys_message(name, shape), expected=f"{name}({', '.join(shape.keys)})")

    def check_entry_owner(self, name: str, shape: TableShape, owner: Expression, owner_type: v.Type) -> None:
        """Raise `LawError` if `owner`, of type `owner_type`, yields nothing that has an entry in the table `name`."""
        kind, of_player, message = (
            owner_type.item or owner_type,
            shape.keys == ("player",),
            table_keys_message(name, shape),
        )
        if len(shape.keys) == 2:
            raise self.error_at_word(
                name, message.embed_in("{message}, so write both in brackets"), expected=f"{name}(…, …)"
            )
        wanted = shape.type_of_key(0) if shape.keys else v.Type(GAME_KEY)
        if (of_player and owner_type == v.TEXT) or v.is_compatible(kind, v.optional_type(wanted)):
            return
        if of_player and kind.name not in self.vocabulary.records:
            raise self.error_in_expression(owner, PLAYERS_NEEDED, owner_type, "a player, players, or a name in quotes")
        expected = f"{name} of player" if of_player else f"such as {example_of_entry(name, shape)}"
        raise self.error_at_word(name, wrong_key_message(message, kind), expected=expected)


PLAYERS_NEEDED = say("players-needed", "this must be a player or several players")


def constant_value(expression: Expression) -> v.Value:
    """Return the value of a constant expression; None for an expression that is not constant."""
    node = expression.node
    return node.value if node.is_constant or not expression.constant else expression.run(View(None, {}, None))
