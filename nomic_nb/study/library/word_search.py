"""Search by everyday words: each text is found by its own words and by others for the same thing."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Collection, Mapping
from functools import cache, cached_property, lru_cache
from pathlib import Path

from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.hints import everyday_table

#: Of a shorter word than this, nobody can tell what it will mean.
_FEWEST_LETTERS = 3
#: What a word of a query counts: found in the name or the title, or in the text; and the same for a word like it.
_IN_TITLE, _IN_TEXT, _LIKE_TITLE, _LIKE_TEXT = 6, 3, 2, 1
#: By how much a text with the opposite meaning counts for less.
_OPPOSITE = 0.4
#: A word that no text has is taken to be as common as if one text in this many had it.
_UNKNOWN = 6
#: How like a known word one must be to be taken for a slip of it, and how long.
_SLIP, _SLIP_LETTERS = 0.8, 5


def check_search_words(words: str) -> str:
    """Return the words of a search, stripped.

    Raises
    ------
    ValueError
        There are none.
    """
    plain = words.strip() if isinstance(words, str) else ""
    if not plain:
        raise WrongValue("search-without-words", "say what to search for, such as “dice”")
    return plain


@lru_cache(maxsize=4096)
def word_stem(word: str) -> str:
    """Return a word in small letters without its ending, so that “rolls”, “rolled” and “rolling” are the same.

    Examples
    --------
    >>> [word_stem(word) for word in ("Rolls", "rolling", "skip", "skipped", "king", "majorities")]
    ['rol', 'rol', 'skip', 'skip', 'king', 'majorit']
    """
    stem = re.sub(r"(?<=\w{4})(?:ies|y)$|(?<=\w{3})(?:es|s|ed|ing|e)$", "", word.lower())
    return re.sub(r"(?<=\w\w)([b-df-hj-np-tv-z])\1$", r"\1", stem)


def text_stems(text: str) -> list[str]:
    """Return the stems of the words of a text or a dotted name, in order.

    Examples
    --------
    >>> text_stems("vote.quota: what it takes")
    ['vot', 'quota', 'what', 'it', 'tak']
    """
    return [word_stem(word) for word in re.findall(r"[^\W\d_]+", text)]


@cache
def _rows() -> tuple[tuple[str, str, frozenset[str]], ...]:
    """Return the everyday words, each with its stem and the stems that texts have for the same thing."""
    rows = everyday_table("alike").items()
    return tuple((word, word_stem(word), frozenset(map(word_stem, texts.split()))) for word, texts in rows)


@lru_cache(maxsize=1024)
def stems_alike(begun: str, whole: bool = True) -> frozenset[str]:
    """Return the stems that texts and names have for what an everyday word means.

    Parameters
    ----------
    begun : str
        The stem of the word; or its first letters, if it is not `whole`.
    whole : bool
        Whether it is the whole word.

    Examples
    --------
    >>> sorted(stems_alike(word_stem("laps"))), sorted(stems_alike("refe", whole=False))
    (['circuit', 'round'], ['judg', 'magistrat'])
    """
    return frozenset().union(
        *(alike for word, stem, alike in _rows() if (stem == begun if whole else word.startswith(begun)))
    )


@cache
def _meaning_table() -> tuple[dict[str, re.Pattern[str]], list[list[str]]]:
    """Return the pattern of each meaning that sentences have, and which meanings are opposites."""
    import tomllib

    told = tomllib.loads(Path(__file__).with_name("meanings.toml").read_text(encoding="utf-8"))
    return {name: re.compile(pattern) for name, pattern in told["meanings"].items()}, told["opposites"]


@lru_cache(maxsize=1024)
def text_meanings(text: str) -> frozenset[str]:
    """Return what a sentence means, of what is often said in different words.

    Examples
    --------
    >>> text_meanings("Steal from whoever is ahead.") == text_meanings("Rob the leader.") == {"steal", "most points"}
    True
    """
    small = text.lower()
    return frozenset(name for name, pattern in _meaning_table()[0].items() if pattern.search(small))


def opposite_meanings(meant: Collection[str]) -> list[tuple[str, str]]:
    """Return the meanings of a sentence that have opposites, each with the opposite, unless the sentence means both.

    Examples
    --------
    >>> opposite_meanings({"ceiling", "half"}), opposite_meanings({"ceiling", "floor"})
    ([('ceiling', 'floor')], [])
    """
    rows = [pair for row in _meaning_table()[1] for pair in (row, row[::-1])]
    return sorted((one, two) for one, two in rows if one in meant and two not in meant)


def count_opposed(opposites: Collection[tuple[str, str]], meanings: Collection[str]) -> int:
    """Return for how many meanings with their opposites a text has the opposite and not the meaning itself.

    Examples
    --------
    >>> count_opposed([("gain", "loss")], {"loss"}), count_opposed([("gain", "loss")], {"loss", "gain"})
    (1, 0)
    """
    return sum(two in meanings and one not in meanings for one, two in opposites)


def share_said(text: str, words: str) -> float:
    """Return the part of what a text says that a sentence says too.

    Examples
    --------
    >>> share_said("The leader loses a point.", "Whoever is ahead must lose a point.")
    0.8
    """
    told, said = ({*content_stems(one), *text_meanings(one)} for one in (text, words))
    return len(told & said.union(*map(stems_alike, said))) / len(told)


@lru_cache(maxsize=512)
def everyday_words(text: str) -> tuple[str, ...]:
    """Return the everyday words for what a text says, without those that are in it.

    Examples
    --------
    >>> everyday_words("on circuit_ended: repeal this")
    ('round', 'lap', 'delete', 'remove', 'abolish', 'cancel')
    """
    stems = frozenset(text_stems(text))
    return tuple(word for word, stem, alike in _rows() if stem not in stems and not stems.isdisjoint(alike))


def rank_of_name(name: str, begun: str) -> int:
    """Return how well a name fits the first letters of an everyday word: 2 for best, 0 for not at all.

    Examples
    --------
    >>> [rank_of_name(name, "roll") for name in ("thrown", "throw.points", "turn_ended")]
    [2, 2, 0]
    >>> rank_of_name("first_circuit", "round"), rank_of_name("player.points", "player.sco")
    (1, 1)
    """
    begun = begun.lower()
    *before, last = re.split(r"[._]", begun)
    if len(begun) < _FEWEST_LETTERS:
        return 0
    if name in _names_begun(begun):
        return 2
    parts = re.split(r"[._]", name.rstrip("("))
    if not before:
        return int(any(_may_mean(part, last) for part in parts))
    same = all(_may_mean(part, word_stem(word), whole=True) for word, part in zip(before, parts, strict=False))
    return int(same and len(parts) > len(before) and _may_mean(parts[len(before)], last))


@lru_cache(maxsize=1024)
def _names_begun(begun: str) -> frozenset[str]:
    """Return the names for which an everyday word stands that begins with some letters."""
    meant = (names for word, names in everyday_table("names").items() if word.startswith(begun))
    return frozenset(name for names in meant for name in names.split())


def _may_mean(part: str, begun: str, whole: bool = False) -> bool:
    """Tell whether a part of a name is meant by a stem, or by the first letters of a word."""
    stem = word_stem(part)
    return (stem == begun if whole else part.startswith(begun)) or stem in stems_alike(begun, whole)


@frozen
class WordSearch:
    """A search through texts by their words, and by others for the same thing.

    Parameters
    ----------
    titles, texts : mapping of str to set of str
        The stems in the title and in the whole text of what is searched, by its name.
    meanings : mapping of str to (mapping of str to int)
        What each of them means, of what is often said in different words, and what that counts.
    """

    titles: Mapping[str, frozenset[str]]
    texts: Mapping[str, frozenset[str]]
    meanings: Mapping[str, Mapping[str, int]]

    @classmethod
    def through(cls, texts: Mapping[str, tuple[str, str]]) -> WordSearch:
        """Return the search through some texts: of each, by its name, the title and the rest."""
        titles = {name: frozenset(text_stems(f"{name} {title}")) for name, (title, _) in texts.items()}
        stems = {name: titles[name].union(text_stems(rest)) for name, (_, rest) in texts.items()}
        meanings = {
            name: dict.fromkeys(text_meanings(rest), _IN_TEXT) | dict.fromkeys(text_meanings(title), _IN_TITLE)
            for name, (title, rest) in texts.items()
        }
        return cls(titles, stems, meanings)

    def find(self, words: str) -> list[str]:
        """Return the names of the texts that have the words of a query, or others for the same thing; best first.

        Of one word or two, all must be there; of more, at least half of them. Numbers and words such as “the” are
        left out.

        Examples
        --------
        >>> search = WordSearch.through({"dice.sides": ("", "how many sides a die has"), "turn": ("", "whose turn")})
        >>> search.find("throwing"), search.find("banana")
        (['dice.sides'], [])
        """
        columns = [self._weights(stem) for stem in content_stems(words)]
        needed = len(columns) if len(columns) < 3 else (len(columns) + 1) // 2
        scores = {
            name: sum(column.get(name, 0) * self._rarity(column) for column in columns)
            for name in self.texts
            if columns and sum(name in column for column in columns) >= needed
        }
        return sorted(scores, key=lambda name: -scores[name])

    def rank(self, words: str, slips: bool = True, least: float = 0) -> list[str]:
        """Return the names of all texts that share a word with a sentence, or another for the same thing; best first.

        Rare words and meanings count for more, and a text that says much besides, or the opposite, counts for less.

        Parameters
        ----------
        words : str
            The sentence.
        slips : bool
            Whether slips of spelling are overlooked.
        least : float
            What the words and meanings that are there must count together, times the share that this is of what all
            those of the sentence would count in a title.

        Examples
        --------
        >>> search = WordSearch.through({"die": ("How many sides a die has", ""), "turn": ("Whose turn it is", "")})
        >>> search.rank("Whoever throws the die starts."), search.rank("Tea is served.")
        (['die'], [])
        """
        said = content_stems(words)
        stems = [*dict.fromkeys(map(self._spelt, said))] if slips else said
        meant, small = text_meanings(words), frozenset(map(word_stem, everyday_table("small")))
        columns = [self._weights(stem) for stem in stems]
        columns += [{name: had[one] for name, had in self.meanings.items() if one in had} for one in meant]
        scores, most = dict.fromkeys(self.texts, 0.0), 0.0
        for column in columns:
            rarity = self._rarity(column)
            most += rarity * _IN_TITLE
            for name, weight in column.items():
                scores[name] += rarity * weight
        enough = {name for name, score in scores.items() if score and score**2 >= least * most}
        opposites = opposite_meanings(meant)
        for name in enough:
            meanings = self.meanings[name]
            opposed = count_opposed(opposites, meanings)
            more = sum(one not in meant for one, counts in meanings.items() if counts == _IN_TITLE)
            scores[name] *= _OPPOSITE**opposed / math.sqrt(4 + len(self.titles[name] - small) + 2 * more)
        return sorted(enough, key=lambda name: (-scores[name], name))

    def _weights(self, stem: str) -> dict[str, int]:
        """Return what a word counts for each text that has it, or one like it: the most if it is in a title."""
        in_titles, in_texts = self._having
        weights: dict[str, int] = {}
        for stems, having, weight in (
            (stems_alike(stem), in_texts, _LIKE_TEXT),
            (stems_alike(stem), in_titles, _LIKE_TITLE),
            ((stem,), in_texts, _IN_TEXT),
            ((stem,), in_titles, _IN_TITLE),
        ):
            for like in stems:
                weights |= dict.fromkeys(having.get(like, ()), weight)
        return weights

    @cached_property
    def _having(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """The names of the texts that have each stem in their title, and anywhere."""
        found: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
        for having, texts in zip(found, (self.titles, self.texts), strict=True):
            for name, stems in texts.items():
                for stem in stems:
                    having.setdefault(stem, []).append(name)
        return found

    def _rarity(self, column: Mapping[str, int]) -> float:
        """Return by how much a word counts for more because few texts have it; one that none has is common."""
        return math.log(1 + len(self.texts) / (1 + (len(column) or len(self.texts) // _UNKNOWN)))

    def _spelt(self, stem: str) -> str:
        """Return the known stem of which an unknown one seems to be a slip, such as “majorat”; else the stem itself."""
        if stem in self._known_stems or len(stem) < _SLIP_LETTERS:
            return stem
        return next(iter(difflib.get_close_matches(stem, sorted(self._known_stems), 1, _SLIP)), stem)

    @cached_property
    def _known_stems(self) -> frozenset[str]:
        """The stems that are in texts or have a meaning."""
        return frozenset().union(*self.texts.values(), (stem for _, stem, _ in _rows()), everyday_table("small"))


def content_stems(words: str) -> list[str]:
    """Return the stems of the words of a query that say what it is about; of all its words if none of them does.

    Examples
    --------
    >>> content_stems("Whoever rolls a six gets a point"), content_stems("you may")
    (['rol', 'point'], ['you', 'may'])
    """
    said = re.findall(r"[^\W\d_]+", words.lower())
    numbers, small = everyday_table("numbers"), everyday_table("small")
    content = [word for word in said if word not in small and not numbers.get(word, "").isdigit()]
    return list(dict.fromkeys(map(word_stem, content or said)))
