"""Sayings: other ways in which players say what a phrase, a ready-made rule or one that is put together says."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.study.library.composing import plain_words
from nomic_nb.study.library.word_search import (
    count_opposed,
    opposite_meanings,
    stems_alike,
    text_meanings,
    word_stem,
)

#: A place of a saying, and a number to put there when words are compared.
_PLACE, _EXAMPLE = re.compile(r"\{\w+\}"), "7"
#: The words up to a number, with the one after it.
_UP_TO_NUMBER = re.compile(r".*?\b\d+\b(?: \w+)?")
#: Small words that tell sentences apart, and what all the words for “no” count as.
_TELLING = frozenset(
    ["all", "before", "each", "else", "every", "instead", "more", "must", "new", "only", "other", "out", "over"]
)
_NOES = frozenset({"no", "nobody", "not", "never", "without", "neither", "nor", "none", "t"})
#: The least and the most that a word counts, and how much one counts that no saying has, or one for “no”.
_LEAST, _MOST, _UNKNOWN, _NO = 0.6, 3.0, 1.2, 2.0
#: By how much a saying with the opposite meaning counts for less.
_OPPOSITE = 0.5
#: By how much a saying counts for less for each number that it does not have.
_NUMBER = 0.1


@frozen
class Saying:
    """A way to say what a rule of the phrase book or the library says.

    Parameters
    ----------
    name : str
        The name of the rule.
    says : str
        The sentence, with places of the rule to fill in.
    stems : set of str
        The stems and meanings by which it is found.
    """

    name: str
    says: str
    stems: frozenset[str]


@cache
def told_sayings() -> Mapping[str, Sequence[str]]:
    """Return the sayings of the data file, by the name of what they say."""
    import tomllib

    told = tomllib.loads(Path(__file__).with_name("sayings.toml").read_text(encoding="utf-8"))
    groups = list(told.values())
    return {name: [one for group in groups for one in group.get(name, ())] for group in groups for name in group}


def every_saying(own: Mapping[str, str]) -> list[Saying]:
    """Return all sayings: those of the data file, and the `own` sentence of each phrase by its name."""
    told = [(name, one) for name, says in told_sayings().items() for one in says]
    return [Saying(name, one, _told_stems(_PLACE.sub(_EXAMPLE, one))) for name, one in [*own.items(), *told]]


class SayingSearch:
    """A search for the sayings that are most like a sentence.

    Parameters
    ----------
    own : mapping of str to str
        The sentences of phrases by name, which count as sayings.
    """

    def __init__(self, own: Mapping[str, str]) -> None:
        self._sayings = every_saying(own)
        self._having: dict[str, list[int]] = {}
        for at, one in enumerate(self._sayings):
            for stem in one.stems:
                self._having.setdefault(stem, []).append(at)
        self._all = [sum(map(self._weight, one.stems)) for one in self._sayings]

    def find(self, words: str, least: float) -> list[tuple[Saying, float]]:
        """Return the saying most like a sentence for each rule, with how like it is, from `least` to 1; best first."""
        said, opposites = _told_stems(words), opposite_meanings(text_meanings(words))
        shared: dict[int, float] = defaultdict(float)
        for stem in said:
            weight = self._weight(stem)
            for at in {at for like in {stem, *stems_alike(stem)} for at in self._having.get(like, ())}:
                shared[at] += weight
        for stem in said.union(*map(stems_alike, said)):
            weight = self._weight(stem)
            for at in self._having.get(stem, ()):
                shared[at] += weight
        all_said, numbers = sum(map(self._weight, said)), _count_numbers(words)
        best: dict[str, tuple[Saying, float]] = {}
        for at, found in shared.items():
            one, like = self._sayings[at], found / (all_said + self._all[at])
            if like >= least:
                like -= _NUMBER * max(0, numbers - _count_numbers(_PLACE.sub(_EXAMPLE, one.says)))
            if like >= least and (count_opposed(opposites, text_meanings(one.says)) or _is_crossed(words, one.says)):
                like *= _OPPOSITE
            if like >= least and (one.name not in best or like > best[one.name][1]):
                best[one.name] = one, like
        return sorted(best.values(), key=lambda found: -found[1])

    def _weight(self, stem: str) -> float:
        """Return what a stem counts: the more, the fewer sayings have it."""
        if stem == "not":
            return _NO
        common = len(self._having.get(stem, ()))
        return min(_MOST, max(_LEAST, math.log(len(self._sayings) / common) / 2)) if common else _UNKNOWN


def _count_numbers(text: str) -> int:
    """Return how many numbers other than 1, which may be a pronoun, a text has."""
    return len(re.findall(r"\b(?!1\b)\d+\b", plain_words(text)))


def _is_crossed(words: str, saying: str) -> bool:
    """Tell whether a sentence and a saying with several numbers mean opposites up to one of them."""
    ends = [_UP_TO_NUMBER.findall(plain_words(_PLACE.sub(_EXAMPLE, text))) for text in (words, saying)]
    pairs = zip(*ends, strict=False) if min(map(len, ends)) > 1 else ()
    return any(count_opposed(opposite_meanings(text_meanings(one)), text_meanings(other)) for one, other in pairs)


def _told_stems(text: str) -> frozenset[str]:
    """Return the stems of the words that tell sentences apart, and what they mean besides."""
    small, plain = everyday_table("small"), plain_words(text)
    words = ["not" if word in _NOES else word for word in re.findall(r"\b0\b|[^\W\d_]+", plain)]
    stems = {word_stem(word) for word in words if word not in small or word in _TELLING or word == "not"}
    return frozenset(stems | {f"={one}" for one in text_meanings(plain)})
