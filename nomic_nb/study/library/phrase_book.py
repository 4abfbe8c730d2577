"""The phrase book: sentences of players beside their clauses, and the search that suggests them for a wording."""

from __future__ import annotations

import itertools
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any, overload

from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import LONGEST_TITLE, Change
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.words import join_words, upper_first
from nomic_nb.study.library.composing import MOST_UNSAID, compose, composed_text, write_long_numbers
from nomic_nb.study.library.ready_made import (
    FILLING_FORMS,
    Catalogue,
    CatalogueEntry,
    LibraryRule,
    ReadyMadeRule,
    ordinal_number,
)
from nomic_nb.study.library.sayings import Saying, SayingSearch
from nomic_nb.study.library.word_search import (
    WordSearch,
    check_search_words,
    share_said,
    stems_alike,
    text_meanings,
    word_stem,
)

#: A place in a phrase: its name and an example, or the name alone.
_PLACE = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
#: Names of places that take a player's name or a quoted text; all others take a number.
PLAYER_PLACES, TEXT_PLACE = ("player", "other"), "text"
#: The words before a rolled number, before the number of a rule, and after any number.
_ROLLED = re.compile(
    r"(?i)(?:\b(?:roll|throw)\w*(?P<sure> of| an?| of an?)?|^(?P<first>an?))(?: \w+,? (?:or|and|to)(?: an?)?)* $"
)
_RULE = re.compile(r"(?i)\b(?:rule|law)s? (?:number )?$")
_BEHIND = re.compile(r"(?:st|nd|rd|th)?\W*(?:(?:more|extra|bonus|whole|always|also|has|must|to)\W+)*([^\W\d_]*)")
_O_CLOCK, _ONE = re.compile(r"(?<=\d):00\b"), re.compile(r"(?i)(?<!toss )(?<!flip )\ban? (?=(?:point|coin)\b)")
_QUOTED = re.compile(r"[“\"„]([^”\"“]{1,60})[”\"]")
#: Nouns that come after numbers, without an s.
_NOUNS = (
    "point|coin|proposal|turn|round|day|hour|minute|word|move|vote|square|letter|time|rule"
    "|star|token|gem|chip|card|badge|medal|ticket|sticker|apple|heart|stamp|diamond|cookie"
)
#: Suggestions that are listed, and the part of a phrase that a sentence must share before it fills places.
MOST_SUGGESTIONS, ALIKE = 5, 0.65
#: How like a saying must be to a sentence: to count like what is put together, and to come after it; of these, so many.
VERY_LIKE, LIKE, MOST_LIKE = 0.8, 0.73, 2
#: By how much a saying counts for more than what is put together.
PREFERRED = 0.05
#: Words of clauses that say nothing by themselves.
_GRAMMAR = frozenset({
    "on", "when", "each", "in", "if", "for", "to", "and", "of", "let", "be", "at", "none", "from", "per", "track",
    "playing", "seats", "players",
})  # fmt: skip
#: Longest wording that is looked at.
LONGEST_WORDING = 1_000


@frozen
class Phrase:
    """A sentence of players beside its clauses.

    Parameters
    ----------
    name, subject : str
        Its name in the phrase book, and what it is about.
    says, law : str
        The sentence and the clauses, with places to fill in.
    system : str
        The rule system in which it makes sense, if that is not any.
    play, gives : str
        What tests play, and what they expect.
    """

    name: str
    subject: str
    says: str
    law: str
    system: str = ""
    play: str = ""
    gives: str = ""

    @property
    def places(self) -> dict[str, str]:
        """The examples that are in the places, by name of the place."""
        return {name: example for name, example in _PLACE.findall(self.says + self.law) if example}

    def fill_in(self, given: Mapping[str, str] | None = None) -> tuple[str, str]:
        """Return the sentence and the clauses with the same values in the same places; examples where none is given."""
        values = {**self.places, **(given or {})}
        sentence, law = (_PLACE.sub(lambda place: values[place[1]], text) for text in (self.says, self.law))
        return _in_grammatical_number(sentence), law


def fill_in_examples(text: str) -> str:
    """Return a text with the examples in its places."""
    return _in_grammatical_number(_PLACE.sub(lambda place: place[2] or "…", text))


def _in_grammatical_number(sentence: str) -> str:
    """Return a sentence with the nouns that fit its numbers: “1 point”, “5 points”, “3rd”, “2nd”."""
    sentence = re.sub(r"\b(\d+)(?:st|nd|rd|th)\b", lambda found: ordinal_number(int(found[1])), sentence)
    sentence = re.sub(rf"(?<![\d−-])\b1 ({_NOUNS})s\b", r"1 \1", sentence)
    return re.sub(rf"\b(\d{{2,}}|[2-9]) (extra )?({_NOUNS})\b", r"\1 \2\3s", sentence)


@cache
def phrase_book() -> tuple[Phrase, ...]:
    """Return all phrases, by subject.

    Examples
    --------
    >>> phrase_book()[0].fill_in({"n": "3"})
    ('Whoever rolls a 6 gets 3 points.', 'on thrown when face == 6: award 3 points to player')
    """
    import tomllib

    told = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))
    return tuple(Phrase(name, subject, **fields) for subject, group in told.items() for name, fields in group.items())


class PhraseRule(ReadyMadeRule):
    """A phrase as a ready-made rule: called with what is filled in, it returns the sentence and its clauses.

    Parameters
    ----------
    phrase : Phrase
        The phrase.

    Examples
    --------
    >>> print(PhraseRule(phrase_book()[0])(face=2, n=1))
    Six earns
    Whoever rolls a 2 gets 1 point.
        on thrown when face == 2: award 1 points to player
    """

    def __init__(self, phrase: Phrase) -> None:
        wording, law = (_PLACE.sub(r"{\1}", text) for text in (phrase.says, phrase.law))
        places = {name: _place_table(name, example) for name, example in phrase.places.items()}
        title = upper_first(phrase.name.replace("_", " "))
        if "/" in phrase.name:
            title = textwrap.shorten(re.split(r"[,.(:]", wording)[0], LONGEST_TITLE, placeholder=" …")
        super().__init__(
            phrase.name,
            {"about": phrase.fill_in()[0], "title": title, "wording": wording, "law": law, "places": places},
        )

    def __call__(self, *args: Any, **named: Any) -> LibraryRule:
        """Fill in, and return the rule."""
        rule = super().__call__(*args, **named)
        return replace(rule, wording=_in_grammatical_number(rule.wording))


def _place_table(name: str, example: str) -> dict[str, Any]:
    """Return what a place of a phrase takes, as files of ready-made rules say it."""
    if name in (*PLAYER_PLACES, TEXT_PLACE):
        return {"text": 60, "default": example, "what": f"the {name}", "about": f"the {name}"}
    least = -1_000 if example.startswith("-") else 0
    return {"number": [least, 1_000], "default": int(example), "what": "the number", "about": "how many"}


@cache
def phrase_entries() -> Mapping[str, CatalogueEntry]:
    """Return the phrases as ready-made rules, by name."""
    return {phrase.name: CatalogueEntry(phrase.name, phrase.subject, PhraseRule(phrase)) for phrase in phrase_book()}


@lru_cache(maxsize=1024)
def composed_entry(name: str) -> CatalogueEntry | None:
    """Return what is put together under a name as a ready-made rule; None if nothing is."""
    made = composed_text(name)
    phrase = made and Phrase(name, made.subject, made.says, made.law)
    return CatalogueEntry(name, phrase.subject, PhraseRule(phrase)) if phrase else None


def find_names(words: str) -> list[str]:
    """Return the names of the phrases and ready-made rules that have words, or others for the same; best first."""
    return _search()[0].find(words[:LONGEST_WORDING])


def rule_entry(name: str) -> CatalogueEntry | None:
    """Return a phrase or a ready-made rule by its name, or what is put together under it; None if there is none."""
    return _search()[1].get(name) or composed_entry(name)


@frozen
class Suggestion(Displayed):
    """Clauses for a wording: a phrase of the phrase book, or a ready-made rule, with what is certain filled in.

    Parameters
    ----------
    name : str
        Its name in the phrase book or the library.
    title, wording, law : str
        The title if it has one, the wording and the clauses; they always say the same.
    filled, left : mapping of str to (int or str)
        Values by place: those taken from the searched words, and examples that appear in both wording and clauses.
    entry : CatalogueEntry
        The ready-made rule, or the phrase as one.
    """

    name: str
    title: str
    wording: str
    law: str
    filled: Mapping[str, int | str]
    left: Mapping[str, int | str]
    entry: CatalogueEntry

    @explain_argument_errors
    def change(self, *, number: Number | None = None) -> Change:
        """Return the change that enacts this wording with these clauses, or amends rule `number` with them."""
        return LibraryRule(self.title, self.wording, self.law).change(number)

    def fill_in(self, **given: int | str) -> Suggestion:
        """Return the suggestion with other values in its places, in the wording and in the clauses alike.

        Examples
        --------
        >>> print(suggest("a player who comes late loses points")[0].fill_in(n=3))
        Whoever comes late loses 3 points.
            on deed when name == "coming late": award -3 points to player
        """
        return _suggest_filled(self.entry, {**self.filled, **given})

    def __str__(self) -> str:
        lines = [self.wording, *(f"    {line}" for line in self.law.splitlines())]
        if self.left:
            values = ", ".join(f"{place}={value!r}" for place, value in self.left.items())
            examples = join_words([str(value) for value in self.left.values()])
            lines.append(f"  Examples to replace in both: {examples}, with .fill_in({values}).")
        return "\n".join(lines)


class Suggestions(Displayed):
    """What a search of the phrase book and the library found for a wording, the nearest first.

    Parameters
    ----------
    every : sequence of Suggestion
        The suggestions.
    """

    def __init__(self, every: Sequence[Suggestion]) -> None:
        self.every = tuple(every)

    def __iter__(self) -> Iterator[Suggestion]:
        return iter(self.every)

    def __len__(self) -> int:
        return len(self.every)

    @overload
    def __getitem__(self, at: int) -> Suggestion: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Suggestion, ...]: ...
    def __getitem__(self, at: int | slice) -> Suggestion | tuple[Suggestion, ...]:
        return self.every[at]

    def __str__(self) -> str:
        return "\n".join(map(str, self.every)) or "Nothing like this was found. Try fewer or other words."


@cache
def _search() -> tuple[WordSearch, Mapping[str, CatalogueEntry]]:
    """Return the one search through all phrases and ready-made rules, and what its names stand for."""
    entries = {entry.name: entry for entry in Catalogue()}
    texts = {name: (f"{entry.rule.title} {entry.make.words}", entry.rule.wording) for name, entry in entries.items()}
    texts |= {name: (entry.rule.wording, entry.subject) for name, entry in phrase_entries().items()}
    return WordSearch.through(texts), {**entries, **phrase_entries()}


def find_suggestions(
    wording: str,
    players: Sequence[str] = (),
    *,
    boards: bool = True,
    slips: bool = True,
    least: float = 0,
) -> Iterator[Suggestion]:
    """Yield suggestions for a wording, the nearest first.

    Parameters
    ----------
    wording : str
        A sentence, as players say it.
    players : sequence of str
        The names of the players, one of whom the wording may name.
    boards : bool
        Whether those that are of use only on boards are among them.
    slips : bool
        Whether slips of spelling are overlooked.
    least : float
        How much the words that they share with it must count, as in `WordSearch.rank`.
    """
    words = write_long_numbers(check_search_words(wording)[:LONGEST_WORDING])
    search, known = _search()
    ranked = (
        _suggest_filled(known[name], certain_values(name, words, players))
        for name in search.rank(words, slips, least)
        if boards or not known[name].on_boards
    )
    first = list(islice(ranked, MOST_SUGGESTIONS))
    # If two compositions say as much of a sentence, the later one counts.
    nearest = [(unsaid, name, values) for name, values, unsaid in compose(words) if unsaid <= MOST_UNSAID][::-1]
    counted = {name: values for _, name, values in nearest}
    for at, (saying, like) in enumerate(_saying_search().find(words, LIKE)):
        if like >= VERY_LIKE:
            values = _named_values(saying.name, words) | counted.get(saying.name, {})
            values |= said_values(saying, words, players, sure=True)
            nearest.append((1 - like - PREFERRED, saying.name, values))
        elif at < MOST_LIKE:
            nearest.append((1, saying.name, said_values(saying, words, players)))
    for _, name, values in sorted(nearest, key=itemgetter(0))[::-1]:
        entry = rule_entry(name)
        if entry and (boards or not entry.on_boards):
            made = _suggest_filled(entry, _possible(entry, values))
            same = [one for one in first if _is_same(one, made)]
            first = [same[0].fill_in(**made.filled) if same else made, *(one for one in first if one not in same)]
    shown: set[frozenset[str]] = set()
    for one in itertools.chain(first, ranked):
        if (gist := _law_gist(one.law)) not in shown:
            shown.add(gist)
            yield one


@cache
def _saying_search() -> SayingSearch:
    """Return the one search through all sayings."""
    return SayingSearch({phrase.name: _PLACE.sub(r"{\1}", phrase.says) for phrase in phrase_book()})


def _named_values(name: str, words: str) -> dict[str, int | str]:
    """Return the numbers of a sentence that have the same word beside them as places in the wording of a rule."""
    entry = rule_entry(name)
    places = [place.name for place in entry.places if place.number] if entry else []
    return _beside_values(entry.make.wording, places, _said_numbers(words)) if entry else {}


def said_values(saying: Saying, words: str, players: Sequence[str], *, sure: bool = False) -> dict[str, int | str]:
    """Return the values in a sentence for the places of a saying; those left over in order, if it is `sure` to fit."""
    words = _ONE.sub("1 ", _O_CLOCK.sub("", words))
    places = [place for place, _ in _PLACE.findall(saying.says)]
    people, named = [place for place in places if place in PLAYER_PLACES], _said_beside(words, players)
    given: dict[str, int | str] = {people[0]: named[0][0]} if len(people) == len(named) == 1 else {}
    fixed = _said_numbers(_PLACE.sub("", saying.says))
    numbers = [number for number in _said_numbers(words) if number not in fixed]
    given |= _beside_values(saying.says, [place for place in places if place not in people], numbers)
    left = [place for place in places if place not in given]
    others = [value for value, beside in numbers if value not in given.values() and (beside or value > 1)]
    return given | (dict(zip(left, others, strict=True)) if sure and len(left) == len(others) else {})


@lru_cache(maxsize=4096)
def _law_gist(law: str) -> frozenset[str]:
    """Return what clauses have in common with others for the same rule, whatever numbers and names these have."""
    tracked = "|".join(re.findall(r"^track (\w+)", law, re.MULTILINE)) or "-"
    plain = re.sub(
        rf'\b(?:(?:award -?\d+|put) )?(?:\w+\.)?(?:{tracked})\b|(?:offer|asking) "[^"]*"|prevails .*', "", law
    )
    # Who pays whom tells apart rules of the same words.
    return frozenset(re.findall(r'-(?=\d)|[<>=%]+|"[^"]*"|from [a-z_]{2,}|[a-z_]{2,}', plain)) - _GRAMMAR


def _is_same(one: Suggestion, made: Suggestion) -> bool:
    """Tell whether a suggestion has the same clauses as another, once the same values are filled in."""
    if not {*made.filled} <= {place.name for place in one.entry.places}:
        return False
    with suppress(WrongValue):
        return one.fill_in(**made.filled).law == made.law
    return False


def _suggest_filled(entry: CatalogueEntry, given: Mapping[str, int | str]) -> Suggestion:
    """Return a phrase or a ready-made rule as a suggestion, with values in its places."""
    rule = entry.make(**given)
    left = {
        place.name: place.default
        for place in entry.places
        if place.name not in given and all(_contains(text, place.default) for text in (rule.wording, rule.law))
    }
    title = "" if isinstance(entry.make, PhraseRule) else rule.title
    return Suggestion(entry.name, title, rule.wording, rule.law, given, left, entry)


def _contains(text: str, value: int | str) -> bool:
    """Tell whether a text contains a value as a whole word or number."""
    return re.search(rf"(?<!\w){re.escape(str(value))}(?:st|nd|rd|th)?(?!\w)", text) is not None


def certain_values(name: str, words: str, players: Sequence[str]) -> dict[str, int | str]:
    """Return the values in a sentence for the places of a phrase or a ready-made rule, if they are certain.

    Numbers and names are certain if the phrase is much like the sentence, and the same word is beside both; a quoted
    text, if there is only one.
    """
    entry, words = _search()[1][name], words[:LONGEST_WORDING]
    given: dict[str, int | str] = {}
    if share_said(entry.rule.wording if name in phrase_entries() else entry.rule.title, words) >= ALIKE:
        numbers = _said_numbers(words)
        given = _beside_values(entry.make.wording, [place.name for place in entry.places if place.number], numbers)
        people = [place.name for place in entry.places if place.name in PLAYER_PLACES]
        named = _said_beside(words, players)
        alone = len(people) == len(named) == 1
        given |= {people[0]: named[0][0]} if alone else _beside_values(entry.make.wording, people, named)
    quoted = _QUOTED.findall(words)
    if len(quoted) == 1 and any(place.name == TEXT_PLACE for place in entry.places):
        given[TEXT_PLACE] = quoted[0]
    return _possible(entry, given)


def _possible(entry: CatalogueEntry, given: Mapping[str, int | str]) -> dict[str, int | str]:
    """Return those of some values that a phrase or a ready-made rule can take."""
    taken: dict[str, int | str] = {}
    for place, value in given.items():
        with suppress(ValueError):  # too large or too small, or what no clause can quote
            entry.make(**{place: value})
            taken[place] = value
    return taken


def _said_beside(words: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names that are in a sentence, each with its kind (see `_beside`)."""
    return _find_beside(words, "|".join(map(re.escape, names))) if names else []


def _find_beside(words: str, pattern: str) -> list[tuple[str, str]]:
    """Return the matches of a pattern in a sentence, each with its kind (see `_beside`)."""
    found = re.finditer(rf"(?<!\w)(?:{pattern})(?=(?:st|nd|rd|th)?(?!\w))", words)
    return [(one[0], _beside(words, *one.span())) for one in found]


def _said_numbers(words: str) -> list[tuple[int, str]]:
    """Return the numbers in a sentence, each with its kind (see `_beside`)."""
    figures = {word: value for word, value in everyday_table("numbers").items() if value.isdigit()}
    said = _find_beside(words, rf"(?i:{'|'.join(figures)})|\d{{1,6}}")
    return [(int(figures.get(word.lower(), word)), beside) for word, beside in said]


def _beside_values(template: str, places: Sequence[str], said: Sequence[tuple[Any, str]]) -> dict[str, Any]:
    """Return a value for each place that has the same word beside it as just one value, and no other place."""
    beside = {}
    for place in places:
        if found := re.search(rf"\{{{place}(?::([^{{}}]*))?\}}", template):
            noun = (found[1] or "").split("/")[0].split(" ")[-1]
            named = noun and noun not in FILLING_FORMS
            beside[place] = place if place == "face" else word_stem(noun) if named else _beside(template, *found.span())
    given = {}
    for place, stem in beside.items():
        fitting = [value for value, other in said if _alike(stem, other)]
        if len(fitting) == 1 and sum(_alike(stem, other) for other in beside.values()) == 1:
            given[place] = fitting[0]
    return given


def _alike(stem: str, other: str) -> bool:
    """Tell whether two stems are the same, or for the same thing."""
    return len(stem) > 1 and (stem == other or stem in stems_alike(other) or other in stems_alike(stem))


def _beside(text: str, start: int, end: int) -> str:
    """Return the kind of a part of a text: “face” if it is rolled, “rule”, or the stem of the next word."""
    if _RULE.search(text[:start]):
        return "rule"
    rolled, behind = _ROLLED.search(text[:start]), _BEHIND.match(text[end:])
    if rolled and (rolled["sure"] or rolled["first"] or text[start].isdigit()):
        return "face"
    return word_stem(behind[1]) if behind else ""


@explain_argument_errors
def suggest(wording: str, players: Sequence[str] = ()) -> Suggestions:
    """Return the nearest phrases and ready-made rules for a wording, with what is certain filled in from it.

    Phrases put together for the wording come first, such as an occasion and an effect.

    Parameters
    ----------
    wording : str
        A sentence, as players say it.
    players : sequence of str
        The names of the players; the sentence may name one of them.

    Returns
    -------
    Suggestions
        At most five, the nearest first; those about boards only if the sentence has words of chess. ``.change()`` of
        each is a change for `Game.propose`; its wording and its clauses always say the same.

    Examples
    --------
    >>> print(suggest("everyone gets three points when the round is over")[0])
    Everyone gets 3 points when a round is over.
        on circuit_ended: award 3 points to playing
    """
    found = find_suggestions(wording, players, boards="chess" in text_meanings(check_search_words(wording)))
    return Suggestions(list(islice(found, MOST_SUGGESTIONS)))
