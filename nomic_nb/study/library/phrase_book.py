"""The phrase book: sentences of players beside their clauses, and the search that suggests them for a wording."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, overload

from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change, amend, enact
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.words import join_words, upper_first
from nomic_nb.study.library.ready_made import (
    Catalogue,
    CatalogueEntry,
    LibraryRule,
    ReadyMadeRule,
    check_clause_text,
    ordinal_number,
)
from nomic_nb.study.library.word_search import WordSearch, check_search_words, stems_alike, word_stem

#: A place in a phrase: its name and an example, or the name alone.
_PLACE = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
#: Names of places that take a player's name, a quoted text, or the number of a rule; all others take a number.
PLAYER_PLACES, TEXT_PLACE, RULE_PLACE = ("player", "other"), "text", "rule"
_WORD = re.compile(r"[^\W\d_]+|\d+")
_QUOTED = re.compile(r"[“\"„]([^”\"“]{1,60})[”\"]")
#: Suggestions that are listed, and the part of the words of a wording that one must share.
MOST_SUGGESTIONS, LEAST = 5, 1.5
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


def _in_grammatical_number(sentence: str) -> str:
    """Return a sentence with the nouns that fit its numbers: “1 point”, “5 points”, “3rd”, “2nd”."""
    sentence = re.sub(r"\b(\d+)(?:st|nd|rd|th)\b", lambda found: ordinal_number(int(found[1])), sentence)
    sentence = re.sub(r"(?<![\d−-])\b1 (point|coin|proposal|turn|round|word|move|vote)s\b", r"1 \1", sentence)
    return re.sub(r"\b(\d{2,}|[2-9]) (extra )?(point|coin|proposal|turn|round|word|move|vote)\b", r"\1 \2\3s", sentence)


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


def find_near_phrases(wording: str, least: float = 0) -> list[str]:
    """Return the names of the phrases that are much like a wording, best first; `least` as in `WordSearch.find`."""
    search, known = _search()
    return [name for name in search.find(wording[:LONGEST_WORDING], least) if isinstance(known[name], Phrase)]


@frozen
class Suggestion(Displayed):
    """Clauses for a wording: a phrase of the phrase book, or a ready-made rule, with what is certain filled in.

    Parameters
    ----------
    name : str
        Its name in the phrase book or the library.
    title, wording, law : str
        The title if it has one, the wording and the clauses; they always say the same.
    filled, left : tuple of str
        Values taken from the searched words, and those that are only examples.
    entry : CatalogueEntry or None
        The ready-made rule; None for a phrase.
    """

    name: str
    title: str
    wording: str
    law: str
    filled: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    entry: CatalogueEntry | None = None

    def change(self, number: Number | None = None) -> Change:
        """Return the change that enacts this wording with these clauses, or amends rule `number` with them."""
        if number is None:
            return enact(self.wording, self.law, self.title)
        return amend(number, self.wording, self.law, title=self.title)

    def __str__(self) -> str:
        lines = [self.wording, *(f"    {line}" for line in self.law.splitlines())]
        if self.left:
            lines.append(f"  Examples to replace in both: {join_words(self.left)}.")
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
def _search() -> tuple[WordSearch, Mapping[str, Phrase | CatalogueEntry]]:
    """Return the one search through all phrases and ready-made rules, and what its names stand for."""
    known: dict[str, Phrase | CatalogueEntry] = {entry.name: entry for entry in Catalogue()}
    texts = {entry.name: (f"{entry.rule.title} {entry.make.words}", entry.rule.wording) for entry in Catalogue()}
    for phrase in phrase_book():
        known[phrase.name] = phrase
        texts[phrase.name] = (phrase.fill_in()[0], phrase.subject)
    return WordSearch.through(texts), known


def find_suggestions(
    wording: str,
    players: Sequence[str] = (),
    fits: Callable[[Phrase | CatalogueEntry], bool] = lambda _: True,
    *,
    slips: bool = True,
) -> Iterator[Suggestion]:
    """Yield suggestions for a wording, the nearest first.

    Parameters
    ----------
    wording : str
        A sentence, as players say it.
    players : sequence of str
        The names of the players, one of whom the wording may name.
    fits : callable
        Whether a phrase or a ready-made rule can be of use at all.
    slips : bool
        Whether slips of spelling are overlooked.
    """
    words = check_search_words(wording)[:LONGEST_WORDING]
    search, known = _search()
    for name in search.rank(words, slips):
        if fits(known[name]):
            found = known[name]
            yield _fill_phrase(found, words, players) if isinstance(found, Phrase) else _fill_entry(found, words)


def _fill_phrase(phrase: Phrase, words: str, players: Sequence[str]) -> Suggestion:
    """Return a phrase as a suggestion, with places filled from a sentence if that is certain."""
    given = _certain_values(phrase, words, players)
    sentence, law = phrase.fill_in(given)
    left = tuple(example for place, example in phrase.places.items() if place not in given)
    return Suggestion(phrase.name, "", sentence, law, tuple(given.values()), left)


def certain_values(name: str, words: str, players: Sequence[str]) -> dict[str, int | str]:
    """Return the values in a sentence for the places of a phrase or a ready-made rule, if they are certain."""
    found = _search()[1][name]
    if isinstance(found, CatalogueEntry):
        return dict(_certain_number(found, words))
    given = _certain_values(found, words[:LONGEST_WORDING], players)
    return {place: value if place in (*PLAYER_PLACES, TEXT_PLACE) else int(value) for place, value in given.items()}


def _certain_values(phrase: Phrase, words: str, players: Sequence[str]) -> dict[str, str]:
    """Return the numbers, the name and the quoted text of a sentence whose place in a phrase is certain."""
    given = _numbers_for_places(phrase, words)
    named = [name for name in players if re.search(rf"\b{re.escape(name)}\b", words)]
    quoted = _QUOTED.findall(words)
    for place, found in ((PLAYER_PLACES[0], named), (TEXT_PLACE, quoted)):
        if place in phrase.places and len(found) == 1:
            with suppress(WrongValue):  # what no clause can quote
                given[place] = check_clause_text(place, found[0])
    return given


def _fill_entry(entry: CatalogueEntry, words: str) -> Suggestion:
    """Return a ready-made rule as a suggestion; its only number is filled from a sentence that has only one."""
    given = _certain_number(entry, words)
    try:
        rule = entry.make(**given)
    except ValueError:
        rule, given = entry.rule, {}
    left = tuple(str(place.default) for place in entry.places if place.name not in given)
    return Suggestion(entry.name, rule.title, rule.wording, rule.law, tuple(map(str, given.values())), left, entry)


def _certain_number(entry: CatalogueEntry, words: str) -> dict[str, int]:
    """Return the only number of a sentence for the only number of a ready-made rule, if it can be there."""
    places = [place for place in entry.places if place.number is not None]
    numbers = [number for number, _ in _numbers_said(words)]
    if len(places) != 1 or len(numbers) != 1:
        return {}
    least, most = places[0].number or (0, 0)
    fits = least <= numbers[0] and (isinstance(most, str) or numbers[0] <= most)
    return {places[0].name: numbers[0]} if fits else {}


def _numbers_said(words: str) -> list[tuple[int, str]]:
    """Return the numbers of a sentence, in figures or words, each with the stem of the word that follows it."""
    said = _WORD.findall(words)
    spelled = {word: int(value) for word, value in everyday_table("numbers").items() if value.isdigit()}
    return [
        (number, word_stem(next((word for word in said[at + 1 :] if word not in ("more", "extra")), "")))
        for at, word in enumerate(said)
        if (number := int(word) if word.isdigit() and len(word) < 7 else spelled.get(word.lower())) is not None
    ]


def _numbers_for_places(phrase: Phrase, words: str) -> dict[str, str]:
    """Return the numbers of a sentence for the places of a phrase: those of which it is certain where they belong."""
    places = [name for name in phrase.places if name not in (*PLAYER_PLACES, TEXT_PLACE)]
    said, free = _numbers_said(words), [*places]
    if len(said) == 1 == len(places) and int(phrase.places[places[0]]) >= 0:
        same = said[0][1] == "" or _stem_behind(phrase, places[0]) in ("", said[0][1], *stems_alike(said[0][1]))
        return {places[0]: str(said[0][0])} if same or not _stem_behind(phrase, places[0]) else {}
    given: dict[str, str] = {}
    for number, stem in said if len(said) <= len(places) else ():
        fit = [name for name in free if stem and _stem_behind(phrase, name) in (stem, *stems_alike(stem))]
        alike = [one for one in said if one[1] == stem]
        if len(fit) == 1 and len(alike) == 1:
            given[fit[0]] = str(number)
    return given


def _stem_behind(phrase: Phrase, place: str) -> str:
    """Return the stem of the word after a place in a phrase."""
    found = re.search(rf"\{{{place}(?::[^{{}}]*)?\}}(?:st|nd|rd|th)?\s*(?:more |extra )?([^\W\d_]*)", phrase.says)
    return word_stem(found[1]) if found else ""


@explain_argument_errors
def suggest(wording: str, players: Sequence[str] = ()) -> Suggestions:
    """Return the nearest phrases and ready-made rules for a wording, with what is certain filled in from it.

    Parameters
    ----------
    wording : str
        A sentence, as players say it.
    players : sequence of str
        The names of the players; the sentence may name one of them.

    Returns
    -------
    Suggestions
        At most five, the nearest first. ``.change()`` of each is a change for `Game.propose`; its wording and its
        clauses always say the same.

    Examples
    --------
    >>> print(suggest("everyone gets three points when the round is over")[0])
    Everyone gets 3 points when a round is over.
        on circuit_ended: award 3 points to playing
    """
    found = find_suggestions(wording, players)
    return Suggestions(list(islice(found, MOST_SUGGESTIONS)))
