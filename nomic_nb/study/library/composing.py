"""Phrases that are put together for a sentence: of an occasion and an effect, of a kind of piece and a way to move."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from string import digits
from typing import Any

from nomic_nb.chess.multiverse.rules import KIND_NAMES
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.study.library.word_search import content_stems

#: A field of a part, such as {who.law}.
_FIELD = re.compile(r"\{(\w+)\.(\w+)\}")
#: A group of a pattern that fills in a place; several may fill in the same.
_GROUP = re.compile(r"\(\?P<([a-z]+)>")
#: What is left of a condition that has no part, or of the first of several.
_NO_CONDITION = re.compile(r"( when| while) and(?= )|(?: when| while)$", re.MULTILINE)
#: Words that turn the meaning of a sentence: if no part says them, nothing is put together.
_TURNS = re.compile(
    r"\b(?:not|never|nobody|unless|except|only|no|but|\w+n['’]t|forg[eo]t\w*|refus\w+|without|instead|until|highest"
    r"|lowest|first|last|most|fewest|same|twice|ties?|tied|in a row|everything|side|whole|both|otherwise|or|[2-9]|\d\d+"
    r"|teams?|president|king|queen|captain|mayor|chair\w*|boss|speaker|judge|treasurer|minister|referee|neighbours?|loser"
    r"|winner|leader|richest|poorest|picks?|choos\w+|officers?|secretary|dictator|emperor|sheriff|chief|banker"
    r"|miss\w*|higher|lower|than|before|heads|tails|own|cancel\w*"
    r"|(?:to|from) (?:the|an?|your|their|each|every\w*|all|some\w*|any\w*|another))\b"
)
#: Fields that a part may lack: what comes before the main clause, after it, and before its effects.
_MAY_LACK = ("before", "after", "let", "cond", "note")
#: Parts of one kind that are tried together with all others.
_MOST_TRIED = 6


@cache
def _told() -> Mapping[str, Any]:
    """Return what the data file says."""
    import tomllib

    return tomllib.loads(Path(__file__).with_name("compositions.toml").read_text(encoding="utf-8"))


@cache
def _slots() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Return the parts for each slot."""
    macros: dict[str, str] = {}
    for name, pattern in _told()["macros"].items():
        macros[name] = re.sub(r"(?<!P)<(\w+)>", lambda found: macros[found[1]], pattern)
    return {name: dict(_every_part(parts, macros)) for name, parts in _told()["slots"].items()}


@cache
def families() -> Mapping[str, Mapping[str, Any]]:
    """Return what phrases are put together of, by name: the pattern of each family, and the parts for each slot."""
    return {
        name: family | {"slots": {slot: _slots()[slot] for slot in family["slots"].split()}}
        for name, family in _told()["families"].items()
    }


def _every_part(
    parts: Mapping[str, Mapping[str, str]], macros: Mapping[str, str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each part by name, with its pattern; a part for `each` of several words stands for one of each word."""
    for name, part in parts.items():
        for word in part.get("each", "").split() or [""]:
            letter = next((kind.upper() for kind, piece in KIND_NAMES.items() if piece == word), "")
            told = {field: text.replace("{word}", word).replace("{letter}", letter) for field, text in part.items()}
            pattern, count = re.sub(r"(?<!P)<(\w+)>", lambda found: macros[found[1]], told["when"]), itertools.count()
            single = _GROUP.sub(lambda found: f"(?P<{found[1]}{next(count)}>", pattern)  # noqa: B023 (used at once)
            yield f"{name}-{word}".strip("-"), told | {"pattern": re.compile(single)}


def told_parts(parts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return what the parts for a slot say, each once, with a “…” for what others say in them."""
    return list(dict.fromkeys(_FIELD.sub("…", part["says"]).strip() for part in parts.values() if part.get("says")))


def compose(words: str) -> Iterator[tuple[str, dict[str, int | str], float]]:
    """Yield the phrases for a sentence, put together or whole: name, the values said, and the share left unsaid."""
    said = plain_words(words)
    stems = frozenset(content_stems(said))
    for name, family in families().items():
        found = [
            [(part, match) for part, told in parts.items() if (match := told["pattern"].search(said))][:_MOST_TRIED]
            for parts in family["slots"].values()
        ]
        best: tuple[str, dict[str, int | str], float, int] | None = None
        for chosen in itertools.islice(itertools.product(*found), _MOST_TRIED**3):
            whole = "/".join([name, *(part for part, _ in chosen)])
            if made := composed_text(whole):
                matches = [
                    match for slot, (_, match) in zip(family["slots"], chosen, strict=True) if slot in made.slots
                ]
                left = said
                for start, end in (match.span() for match in matches):
                    left = left[:start] + " " * (end - start) + left[end:]
                values = _said_values(matches)
                turns = _TURNS.search(left) or re.search(family.get("leaves", r"(?!)"), left)
                if turns or not all(f"{{{place}" in made.says for place in values):
                    continue
                twice = len({*range(*matches[0].span())} & {*range(*matches[-1].span())})
                least = min(len(matches[at][0]) for at in ((0, -1) if "occasion" in made.slots else (-1,)))
                inside = len(matches) > 1 and 0 < twice == least
                if inside or ("who" in made.slots and _is_in(matches[1], matches[0])):
                    continue
                unsaid = len(stems.intersection(content_stems(left))) / len(stems) if stems else 1
                if best is None or (unsaid, twice) < best[2:]:
                    best = whole, values, unsaid, twice
        if best:
            yield best[:3]
    for name, told in _slots()["whole"].items():
        if match := told["pattern"].search(said):
            yield name, _said_values([match]), 0


def _is_in(one: re.Match[str], other: re.Match[str]) -> bool:
    """Tell whether the words that a pattern found are among those of another."""
    return bool(one[0]) and other.start() <= one.start() and one.end() <= other.end()


def _said_values(matches: Iterable[re.Match[str]]) -> dict[str, int | str]:
    """Return the values for places that patterns found."""
    places = [place for match in matches for place in match.groupdict().items() if place[1]]
    return {place.rstrip(digits): int(one) if one.isdigit() else one for place, one in places}


def plain_words(words: str) -> str:
    """Return a sentence in small letters, with figures for its numbers and no marks that only part its words."""
    figures = {word: value for word, value in everyday_table("numbers").items() if value.isdigit()}
    small = re.sub(r"\bno[ -]one\b", "nobody", words.lower())
    small = re.sub(rf"\b(?:{'|'.join(figures)})\b", lambda found: figures[found[0]], small)
    small = re.sub(rf"\b({'|'.join(figures)})e?s\b", lambda found: figures[found[1]] + "s", small)
    ordinals = _told()["ordinals"]
    nth = rf"\b(every|each) ({'|'.join(ordinals)})\b"
    small = re.sub(nth, lambda found: f"{found[1]} {ordinals[found[2]]}", small)
    small = re.sub(r"\b(?:an?|another) (?=(?:extra |bonus |free )?(?:point|coin|vote|cookie)\b)", "1 ", small)
    for pattern, put in _casual():
        small = pattern.sub(put, small)
    return re.sub(r" {2,}", " ", small)


@cache
def _casual() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what else people say for words of the parts, each with what is put for it."""
    return tuple((re.compile(pattern), put) for pattern, put in _told()["casual"].items())


@frozen
class ComposedText:
    """A sentence and its clauses, put together.

    Parameters
    ----------
    says, law, subject : str
        The sentence and the clauses, with places to fill in, and what they are about.
    slots : set of str
        Those whose parts are in them.
    """

    says: str
    law: str
    subject: str
    slots: frozenset[str]


@cache
def composed_text(name: str) -> ComposedText | None:
    """Return what is put together under a name; None if its parts do not fit each other."""
    family, *names = name.split("/")
    slots: set[str] = set()
    try:
        table = families()[family]
        parts = {slot: one[part] for (slot, one), part in zip(table["slots"].items(), names, strict=True)}
        says, law = (_put_together(table[field], parts, slots) for field in ("says", "law"))
    except (KeyError, ValueError):
        return None
    subject = next((one["subject"] for one in parts.values() if "subject" in one), table["subject"])
    lines = "\n".join(dict.fromkeys(filter(None, _NO_CONDITION.sub(lambda found: found[1] or "", law).splitlines())))
    return ComposedText(says[0].upper() + says[1:], lines, subject, frozenset(slots))


def _put_together(text: str, parts: Mapping[str, Mapping[str, Any]], slots: set[str]) -> str:
    """Return a text with the fields of parts put in, which may have fields of others in turn; note their `slots`."""
    while found := _FIELD.search(text):
        slot, field = found.groups()
        put = parts[slot].get(field, "") if field in _MAY_LACK else parts[slot][field]
        text = text[: found.start()] + put + text[found.end() :]
        slots |= {slot} if put else set()
    return text
