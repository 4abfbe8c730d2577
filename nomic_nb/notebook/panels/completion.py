"""Completions after a magic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from textwrap import dedent
from typing import Any, NamedTuple

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.changes import CHANGE_KINDS, LONGEST_LAW
from nomic_nb.engine.law.clauses import Form, Slot
from nomic_nb.engine.law.expressions import CONSTANT_WORDS
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.engine.law.language import fold_blocks
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.slots import (
    TIME_UNITS,
    AmountSlot,
    CellSlot,
    FlagSlot,
    OwnerSlot,
    PlayersSlot,
    SeveralEffectsSlot,
    SpanSlot,
    WordSlot,
)
from nomic_nb.engine.law.tables import GAME_KEY, HELD, KEYED, TableShape
from nomic_nb.engine.law.values import NUMBER, Type, with_article
from nomic_nb.engine.law.vocabulary import Case, Vocabulary
from nomic_nb.engine.play.choices import proposable_kinds
from nomic_nb.engine.play.decisions import numbers_are_assigned
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import BALLOT, BALLOTS, PLAYER, Vote
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.panels.forms import FORM_WORDS
from nomic_nb.notebook.panels.magic_input import CHANGE_OPTIONS, LAW_STARTS, PART_START, TOGETHER_WORD, split_off_player
from nomic_nb.study import library
from nomic_nb.study.library.word_search import rank_of_name

# -------------------------------------------------------- the names that can stand where a clause is being written


#: What fits at a place, each with its meaning.
Suggestions = Iterator[tuple[str, str]]
#: Words of expressions that are values, or stand before one; the others join values.
VALUE_WORDS = (*CONSTANT_WORDS, "otherwise", "not")
TRACKED_LABEL = "what rules track"

#: Which names a clause binds, by how it begins: what its second word is one of.
_BOUND = re.compile(r"(set|allow|forbid|on|instead of) (\S+)")
#: If a rule tracks something: its name, and for what.
_TRACKS = re.compile(r"^\s*track (\w+) per (\w+)(?:, ?(\w+))?", re.MULTILINE)
#: Where a clause names something by itself: one of a list, an answer, a roll.
_EACH = re.compile(r"\b(?:each|for) (\w+) in ([\w.]+)?")
_CHOSEN = re.compile(r"\bchoose (?:some )?(\w+) from ([\w.]+)?")
_THROWN = re.compile(r"\bas (\w+)")
_NAMED = re.compile(r"\blet (\w+) be ([\w.]+)")


@cache
def words_between() -> Mapping[str, tuple[str, ...]]:
    """Return the words that the grammar has after the first of a clause, by the first.

    Examples
    --------
    >>> words_between()["piece"]
    ('of', 'moves', 'while')
    """
    grammar = language().grammar
    rules = dict(re.findall(r"^(\w+): (.*)$", grammar, re.MULTILINE))

    def words(rule: str) -> Iterator[str]:
        for name in re.findall(r"\b_\w+|\bnamed", rule):
            yield from [name[1:].lower()] if name.isupper() else words(rules[name])

    clauses = re.findall(r"^\w+: (\(.*?\)|_?[A-Z]+) (.*)$", grammar, re.MULTILINE)
    return {
        verb.lower(): tuple(dict.fromkeys(words(rest))) for head, rest in clauses for verb in re.findall("[A-Z]+", head)
    }


@dataclass
class UnfinishedClause:
    """A clause that is being written, and the names that it can use.

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
        """The vocabulary of the game's law: its keys, actions, events, facts, functions and effects."""
        return self.state.law.vocabulary

    @cached_property
    def text_without_quotes(self) -> str:
        """The clause up to the cursor, with all texts in quotation marks removed."""
        return re.sub(r"\"[^\"]*\"", "", self.before)

    @property
    def has_effects(self) -> bool:
        """Whether the clause begins with “on”, “whenever”, “instead of” or “offer”, which are followed by effects."""
        return self.before.startswith(("on ", "whenever ", "instead of ", "offer "))

    @cached_property
    def tables(self) -> Mapping[str, TableShape]:
        """The shapes of the tables that the rules or the unfinished clauses track, by table name."""
        own = {
            name: TableShape(tuple(key_kind for key_kind in (key, other) if key_kind and key_kind != "game"), NUMBER)
            for name, key, other in _TRACKS.findall(self.law)
        }
        return {**own, **self.state.law.tables}

    @cached_property
    def bound_names(self) -> Case:
        """The names that the clause gives a meaning, such as ``p`` in ``each p in players``, with their types."""
        bound = {**self._names_bound_by_verb()}
        for name, among in _EACH.findall(self.text_without_quotes) + _CHOSEN.findall(self.text_without_quotes):
            bound[name] = self._item_type(among)
        for name, value in _NAMED.findall(self.text_without_quotes):
            bound[name] = self.type_of(value) or NUMBER
        for name in _THROWN.findall(self.text_without_quotes.partition(":")[2]):
            bound.setdefault(name, NUMBER)
        return bound

    def _names_bound_by_verb(self) -> Case:
        """Return the names that the start of the clause, such as ``on enacted``, gives a meaning, with their types."""
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

    def _item_type(self, list_name: str) -> Type:
        """Return the type of the items in the list of this name; the type of players if it is no known list."""
        kind = self.type_of(list_name) if list_name else None
        return (kind and kind.item) or PLAYER

    def type_of(self, path: str) -> Type | None:
        """Return the type of a dotted name such as ``player.points``; None if the name is unknown."""
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

    def _typed_names(self) -> Iterator[tuple[str, Type, str]]:
        """Yield each name that the clause can use as a tuple of name, type and meaning in words."""
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
        """Yield each name that represents a player or a list of players, with its meaning."""
        for name, type, meaning in self._typed_names():
            if "player" in (type.name, type.item.name if type.item else ""):
                yield name, meaning

    def counter_suggestions(self) -> Suggestions:
        """Yield each counter and table that an effect can change, with “(” after it if keys must follow."""
        for name, shape in self.tables.items():
            yield (name if shape.keys in ((), ("player",)) else f"{name}("), TRACKED_LABEL

    def name_suggestions(self, partial_word: str) -> Suggestions:
        """Yield what can come next in an expression, with meanings; after a complete operand, only operators."""
        vocabulary, verb = self.vocabulary, self.before.split()[0]
        head, dot, _ = partial_word.rpartition(".")
        between = (*((word, "") for word in words_between().get(verb, ())), *everyday_table("within").items())
        if not partial_word and re.search(r"[\w\])\"] $", self.before) and not self._needs_operand():
            yield from ((word, meaning) for word, meaning in between if word not in VALUE_WORDS)
            return
        if dot:
            yield from self._field_suggestions(head)
        else:
            yield from ((name, meaning) for name, _, meaning in self._typed_names())
            yield from ((f"{name}(", function.meaning) for name, function in vocabulary.functions.items())
            for name, shape in self.tables.items():  # what is tracked of one thing, or of the game, is read as a field
                if len(shape.keys) > 1 or not vocabulary.records.keys() >= {*shape.keys}:
                    yield f"{name}(", TRACKED_LABEL
            yield from between
        yield from ((name, key.meaning) for name, key in vocabulary.keys_but_permissions.items())

    def _needs_operand(self) -> bool:
        """Tell whether the clause ends with a word, such as “and” or “award”, after which a value must follow."""
        words = {*chain(*words_between().values()), *everyday_table("within"), "require", "award", "pay"}
        return self.before.split()[-1] in words.difference(VALUE_WORDS[:-1])

    def _field_suggestions(self, owner: str) -> Suggestions:
        """Yield the fields and counters of what the name `owner` represents, each as ``owner.field``."""
        self.bound_names  # noqa: B018 - so that names of the clause are known
        type = self.type_of(owner)
        record = self.vocabulary.records.get(type.name) if type is not None else None
        kind = record.name if record is not None else owner
        kept = (name for name, shape in self.tables.items() if (shape.keys or ("game",)) == (kind,))
        yield from ((f"{owner}.{name}", TRACKED_LABEL) for name in kept)
        if record is not None:
            yield from ((f"{owner}.{field.name}", field.meaning) for field in record.fields)


def comparable_texts(clause: UnfinishedClause) -> Sequence[str]:
    """Return the texts possible after ``set KEY to`` or a comparison, if the clause ends so; else an empty tuple.

    Parameters
    ----------
    clause : UnfinishedClause
        Words that can follow; the clause ends after ``to`` or after the comparison.
    """
    if (term := re.fullmatch(r"set (\S+) to ", clause.before)) and term[1] in clause.vocabulary.keys:
        return clause.vocabulary.keys[term[1]].values
    match = re.search(r"([\w.]+) (?:==|!=|in \[|not in \[) ?$", clause.before)
    type = clause.type_of(match[1]) if match is not None and clause.bound_names is not None else None
    words = () if type is None else BALLOTS if type is BALLOT else type.words
    return words if isinstance(words, tuple) else ()


# ---------------------------------------------------------------------------- what could stand next after a magic


# --------------------------------------------------------- what could stand next in a clause that is being written


#: Words that are shown at once.
MOST_SUGGESTIONS = 8
#: How clauses begin.
CLAUSE_VERBS: Mapping[str, str] = FORM_WORDS["clauses"]


def next_words(state: State, law: object, cursor: object) -> dict[str, Any]:
    """Return the words possible at the cursor in clauses, with meanings, and how many letters of one are typed.

    Parameters
    ----------
    state : State
        As the game stands: its counters are words of its law.
    law : str
        The clauses, whole or not.
    cursor : int
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
    {'begun': 6, 'words': [['win.points', 'the score needed to win']]}
    """
    if not isinstance(law, str) or len(law) > LONGEST_LAW or type(cursor) is not int:
        raise IllegalAction(
            "completion-request-unreadable", "a request for suggestions must give the clauses and a position in them"
        )
    if not 0 <= cursor <= len(law):
        raise IllegalAction(
            "place-outside-clauses", "the position must be from 0 to {most}, not {found}", most=len(law), found=cursor
        )
    clause = _unfinished_clause(law[:cursor])
    match = re.search(r"[A-Za-z_][\w.]*$|(?<=\s)-?\d+$", clause)
    begun = match[0] if match else ""
    before = clause.removesuffix(begun)
    words: dict[str, str] = {}
    meant: dict[str, str] = {}  # by everyday words
    if before.count('"') % 2 == before.count("'") % 2 == 0 and not before.lstrip().startswith("#"):
        for word, meaning in _suggestions_after(UnfinishedClause(state, law[:cursor], before), begun):
            if word.lower().startswith(begun.lower()):
                words.setdefault(word, meaning)
            elif rank_of_name(word, begun):
                meant.setdefault(word, meaning)
    if words.pop(begun, None) is None:
        words |= {word: meant[word] for word in sorted(meant, key=lambda word: -rank_of_name(word, begun))}
    fitting = list(words.items())[:MOST_SUGGESTIONS]
    return {"begun": len(begun), "words": [[word, meaning] for word, meaning in fitting]}


def _unfinished_clause(text: str) -> str:
    """Return the last clause of a text as one line, the lines that are indented below it included."""
    lines = f"{text}…".split("\n")  # so a line that is still empty counts
    start = len(lines) - 1
    while start and lines[start][:1] in ("", " ", "\t"):
        start -= 1
    if start < len(lines) - 1 and lines[start].startswith("draft "):  # its own clauses are indented
        return _unfinished_clause(dedent("\n".join(lines[start + 1 :]))[:-1])
    try:
        clause, _ = fold_blocks("\n".join(lines[start:]).lstrip(), finished=False)
    except LawError:
        clause = " ".join(lines[start:]).lstrip()
    return clause[:-1]


def _suggestions_after(clause: UnfinishedClause, partial_word: str) -> Suggestions:
    """Yield the words that can come next in an unfinished clause, with meanings, likeliest first."""
    vocabulary, before = clause.vocabulary, clause.before
    sentences = before.split()
    if not sentences:
        yield from CLAUSE_VERBS.items()
    elif clause.has_effects and ":" in clause.text_without_quotes:
        yield from _suggestions_in_effects(clause, partial_word)
    elif before in ("set ", "on ", "instead of ", "allow ", "forbid "):
        yield from _suggestions_after_verb(vocabulary, sentences[0])
    elif re.fullmatch(r"(prevails over|defers to)( \S+,)* ", before):
        yield "everything", "all other rules"
        yield from ((str(rule.number), rule.title) for rule in clause.state.rules)
    elif re.fullmatch(r"(prevails over|defers to) .+ on ", before):
        yield from _suggestions_after_verb(vocabulary, "set")
    elif before == "incorporate ":
        yield from ((name, "a rule set") for name in vocabulary.rulesets)
    elif sentences[0] == "track":
        yield from _suggestions_in_track(clause, partial_word)
    elif not partial_word and (values := comparable_texts(clause)):
        yield from ((f'"{value}"', "") for value in values)
    elif sentences[0] == "offer" and clause.text_without_quotes.strip() == "offer":
        yield from FORM_WORDS["offering"].items()
    elif before == "instead ":
        yield "of", ""
    else:
        yield from clause.name_suggestions(partial_word)


def _suggestions_after_verb(vocabulary: Vocabulary, verb: str) -> Suggestions:
    """Yield what can follow a verb: keys after “set”, actions after “allow” or “forbid”, events otherwise."""
    if verb == "set":
        yield from ((name, key.meaning) for name, key in vocabulary.keys_but_permissions.items())
    elif verb in ("allow", "forbid"):
        yield from ((name, action.meaning) for name, action in vocabulary.actions.items())
    else:
        yield from (
            (name, event.meaning)
            for name, event in vocabulary.events.items()
            if event.usual or (verb == "on" and name not in CLAUSE_VERBS)
        )


def _suggestions_in_track(clause: UnfinishedClause, partial_word: str) -> Suggestions:
    """Yield the words, with meanings, that can come next in a ``track`` clause once it names its table."""
    before = clause.before
    if re.fullmatch(r"track \w+ ", before):
        yield "per", "for each of these, one value"
    elif re.fullmatch(r"track \w+ per (\w+, ?)?", before):
        yield from ((name, record.meaning) for name, record in clause.vocabulary.records.items() if record.kept)
        yield from ((name, with_article(name)) for name in KEYED)
        yield GAME_KEY, "one value for the whole game"
    elif re.fullmatch(r"track \w+ per [\w, ]+? as ", before):
        yield from ((name, "the kind of value") for name in HELD)
    elif re.search(r" from ", before):
        yield from clause.name_suggestions(partial_word)
        yield "hidden", "only the owner sees the value"
    elif re.search(r" per ", before):
        yield from FORM_WORDS["tracking"].items()


# ---------------------------------------------------------------------------------------------- effects


def _suggestions_in_effects(clause: UnfinishedClause, partial_word: str) -> Suggestions:
    """Yield the words that can come next in the effects of a clause, with meanings."""
    sentences = re.split(r"[:;]", clause.text_without_quotes)[-1].lstrip(" (").split()
    forms = [
        effect
        for effect in clause.vocabulary.effects.values()
        if not isinstance(next(iter(effect.places.values())), SeveralEffectsSlot)
    ]
    if not sentences:
        yield from sorted((" ".join(effect_form.leading_words), effect_form.meaning) for effect_form in forms)
        return
    fitting = [
        effect_form
        for effect_form in forms
        if tuple(sentences[: len(effect_form.leading_words)]) == effect_form.leading_words
    ]
    for form in fitting:
        yield from _suggestions_in_form(form, sentences, clause)
    for form in forms:  # such as `enter` before `army`
        if len(sentences) < len(form.leading_words) and tuple(sentences) == form.leading_words[: len(sentences)]:
            yield form.leading_words[len(sentences)], form.meaning
    if not partial_word and (values := comparable_texts(clause)):
        yield from ((f'"{value}"', "") for value in values)
    yield from clause.name_suggestions(partial_word)


class _FormPart(NamedTuple):
    """A part of a form: words that are there, or a place; whether it can be left out."""

    words: tuple[str, ...]
    place: Slot | None
    free: bool


def _split_form(form: Form) -> Iterator[_FormPart]:
    """Yield the parts of an effect's pattern in order: each is a slot, or fixed words, perhaps optional."""
    free = False
    for part in re.findall(r"\{\w+\}|[\w|]+|[\[\]]", form.pattern):
        if part in ("[", "]"):
            free = part == "["
        elif not part.startswith("{"):
            yield _FormPart(tuple(part.split("|")), None, free)
        else:
            place = form.places[part[1:-1]]
            yield _FormPart((place.words,), None, True) if isinstance(place, FlagSlot) else _FormPart((), place, free)


def _suggestions_in_form(form: Form, words: list[str], clause: UnfinishedClause) -> Suggestions:
    """Yield what can follow the words so far of an effect: values for its next slot, or the words of its form."""
    parts, at, behind = list(_split_form(form)), 0, len(words)
    for count, part in enumerate(parts, 1):
        there = next(
            (index for index, word in enumerate(words) if len(words) - index <= behind and word in part.words),
            None,
        )
        if there is not None:
            at, behind = count, len(words) - there - 1
    rest = parts[at:]
    if rest and (place := rest[0].place) is not None:
        if not behind:
            yield from _suggestions_for_slot(place, clause)
            return
        yield from _suggestions_after_slot(place, clause)
    for part in rest:
        yield from ((word, form.meaning) for word in part.words)
        if part.words and not part.free:
            return


def _suggestions_for_slot(slot: Slot, clause: UnfinishedClause) -> Suggestions:
    """Yield the known values that fit a slot of an effect: players, counters, tables or fixed words."""
    if isinstance(slot, PlayersSlot | OwnerSlot):
        yield from clause.player_suggestions()
    elif isinstance(slot, CellSlot):
        yield from clause.counter_suggestions()
    elif isinstance(slot, WordSlot):
        words: Iterable[str] = re.findall(r"^\s*draft (\w+)", clause.law, re.MULTILINE)
        if isinstance(slot.known, tuple):
            words = slot.known
        elif slot.what.startswith("action"):
            words = (name for name, action in clause.vocabulary.actions.items() if action.owed)
        yield from ((word, "") for word in words)


def _suggestions_after_slot(slot: Slot, clause: UnfinishedClause) -> Suggestions:
    """Yield what follows the number in a slot: counters after an amount, units after a span of time."""
    if isinstance(slot, AmountSlot):
        yield from clause.counter_suggestions()
    elif isinstance(slot, SpanSlot):
        yield from ((unit, "") for unit in TIME_UNITS)


# ---------------------------------------------------------------------------- what could stand next after a magic


def complete_line(game: BaseGame, magic: str, line: str, symbol: str) -> list[str]:
    """Return the completions of `symbol`, the word begun at the end of a magic's line, likeliest first.

    Parameters
    ----------
    game : BaseGame
        The game that the magic is about.
    magic : str
        ``propose``, ``preview``, ``vote``, ``votes``, ``roll``, ``law`` or ``why``.
    line : str
        What comes after it, up to the cursor.
    symbol : str
        The word that is begun at its end; may be empty.

    Returns
    -------
    list of str
        The likeliest first.

    Examples
    --------
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> complete_line(game, "propose", "Ann trans", "trans")
    ['transmute']
    """
    before = line.removesuffix(symbol).strip()
    whole = (before.rpartition(",")[2] if magic == "votes" else before).strip()
    names = [name for name in game.state.person_names if " " in name]
    begun = f"{whole} {symbol}".strip().lower()
    if whole and (
        rest := [name[len(whole) + 1 :] for name in names if name.lower().startswith(begun) and name.lower() != begun]
    ):
        return rest  # the second word of a name
    if magic == "votes":
        found = _complete_ballots(game, before)
    elif magic in ("law", "why"):
        found = _complete_law(game, magic, before)
    else:
        found = _complete_action(game, magic, before)
    return [suggestion for suggestion in found if suggestion.lower().startswith(symbol.lower())]


def complete_in_cell(game: BaseGame, body: str) -> tuple[str, list[tuple[str, str]]]:
    r"""Return the word begun at the cursor in a ``%%propose`` cell, and its completions with meanings.

    Parameters
    ----------
    game : BaseGame
        The game that it is about.
    body : str
        The body up to the cursor.

    Returns
    -------
    tuple of (str, list)
        What is begun there, and the words that go on with it, each with its meaning; none in a wording.

    Examples
    --------
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> complete_in_cell(new_game("discordian-nomic", ["Ann", "Ben"], seed=7), "Soon over.\nlaw:\nset win.po")
    ('win.po', [('win.points', 'the score needed to win')])
    """
    lines = body.split("\n")
    if part := PART_START.match(lines[-1]):
        *words, begun = lines[-1][part.end() :].lstrip().split(" ")
        return begun, [
            (suggestion, "")
            for suggestion in _complete_change(game, " ".join(words).split())
            if suggestion.lower().startswith(begun.lower())
        ]
    begins = [at for at, line in enumerate(lines) if line.strip().lower() in LAW_STARTS or PART_START.match(line)]
    if not begins or PART_START.match(lines[begins[-1]]):
        return "", []
    law = dedent("\n".join(lines[begins[-1] + 1 :]))
    completion = next_words(game.state, law, len(law))
    return law[len(law) - completion["begun"] :], [(word, meaning) for word, meaning in completion["words"]]


def _complete_law(game: BaseGame, magic: str, before: str) -> list[str]:
    """Return the words that can follow the text before the cursor in a line of ``%law`` or ``%why``."""
    if before:
        return _complete_change(game, before.split()[1:]) if magic == "why" else []
    keys = list(game.state.law.vocabulary.keys_but_permissions)
    return keys if magic == "why" else [*_suggest_rule_numbers(game), *keys]


def _complete_action(game: BaseGame, magic: str, before: str) -> list[str]:
    """Return the words that can follow the text before the cursor in ``%vote``, ``%roll`` or a proposal’s magic."""
    action = "propose" if magic == "preview" else magic
    asked = [decision.player for decision in game.pending if decision.action == action and decision.player]
    if not before:
        return list(dict.fromkeys([*asked, *game.state.person_names]))
    player, rest = split_off_player(game, before)
    words = rest.split()
    if player not in game.players:
        return []
    if magic == "vote":
        votes = _open_votes(game)
        return [_ballots_of(votes.values()), list(map(str, votes)), []][min(len(words), 2)]
    return _complete_change(game, words) if action == "propose" else []


def _open_votes(game: BaseGame) -> dict[Number, Vote]:
    """Return the open votes by the numbers of their proposals."""
    proposals = game.state.open_proposals
    return {proposal.number: proposal.vote for proposal in proposals if proposal.status == "open" and proposal.vote}


def _ballots_of(votes: Iterable[Vote]) -> list[str]:
    """Return the ballots that can be cast in any of these votes."""
    return list(dict.fromkeys(ballot for vote in votes for ballot in vote.choices))


def _complete_ballots(game: BaseGame, before: str) -> list[str]:
    """Return the words that can follow the text before the cursor in a line of ``%votes``."""
    votes = _open_votes(game).values()
    ballots = _ballots_of(votes)
    last = before.rstrip(", ").rpartition(",")[2].split()
    if last and last[-1].lower() not in ballots and not before.endswith(","):
        return [*ballots, "and"]
    silent = dict.fromkeys(name for vote in votes for name in vote.silent_voters) or game.state.person_names
    return [*(name for name in silent if name.lower() not in before.lower()), "others", *([] if before else ballots)]


def _suggest_ready_made(game: BaseGame) -> list[str]:
    """Return the names of the ready-made rules; those for boards only in a game with boards."""
    boards = game.state.position is not None
    return [entry.name for entry in library.catalogue if boards or not entry.on_boards]


def _suggest_rule_numbers(game: BaseGame) -> list[str]:
    """Return the numbers of the rules in force, as texts."""
    return [str(rule.number) for rule in game.rules]


def _complete_change(game: BaseGame, words: list[str]) -> list[str]:
    """Return the words that can follow the first words of a change, such as rule numbers after “amend”."""
    if not words:
        reword = ["reword"] if game.state.open_proposals else []
        return [*proposable_kinds(game.state), *reword, *_suggest_ready_made(game)]
    words = [words[0].lower(), *words[1:]]
    if words[0] == "rename":
        return list(game.state.law.tables) if len(words) == 1 else []
    if words[0] == "reword" and len(words) == 1:
        return [str(proposal.number) for proposal in game.state.open_proposals]
    if words[0] not in ("enact", TOGETHER_WORD) and len(words) == 1:
        return _suggest_rule_numbers(game) if words[0] in CHANGE_KINDS else []
    taken = {word.split("=")[0] for word in words} | ({"number"} if not numbers_are_assigned(game.state) else set())
    options = [
        change_option.removesuffix('"…"')
        for change_option in CHANGE_OPTIONS
        if change_option.split("=")[0] not in taken
    ]
    ready = (words[0] == "enact" and len(words) == 1) or (words[0] == "amend" and len(words) == 2)
    return [*options, *(_suggest_ready_made(game) if ready else [])]
