"""Phrases that are put together for a sentence: of an occasion and an effect, of a kind of piece and a way to move."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from operator import itemgetter
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
    r"|miss\w*|else|at random|randomly|higher|lower|than|before|heads|tails|own|cancel\w*"
    r"|(?:to|from) (?:the|an?|your|their|each|every\w*|all|some\w*|any\w*|another))\b"
)
#: The beginning of a place to fill in.
_PLACE = re.compile(r"\{(\w+)")
#: What parts the halves of a sentence, what a half with an occasion of its own begins with, and words that say nothing.
_JOINTS = re.compile(r"\s*[;.,:]?\s+(?:and|but)(?: also| then)?\s+|[;.]\s+(?=\w)|,\s+(?=\w)")
_OCCASION = re.compile(
    r"(?:if|when|whenever|whoever|every time|each time|at the (?:start|end)|a player who|anyone who)\b"
)
#: A number of several words: how many hundreds, and the tens, ones or teens.
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_LONG_NUMBER = re.compile(
    rf"(?i)\b(?:(an?|{_ONES}|\d) hundred(?: and (?:({_TENS})(?:[- ]({_ONES}))?|({_ONES}|ten|eleven|twelve|\d+)))?"
    rf"|({_TENS})[- ]({_ONES}))\b"
)
#: Verbs for filling an office.
_ELECT = re.compile(r"\b(?:elect|pick|choos|chos)\w*")
_NOTHING = next(re.finditer("", ""))
#: Fields that a part may lack: what comes before the main clause, after it, and before its effects.
_MAY_LACK = ("before", "after", "let", "cond", "note")
#: The part of a sentence that what is put together for it may leave unsaid.
MOST_UNSAID = 0.35
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


#: A name put together for a sentence, the values said for its places, and the share left unsaid.
Composed = tuple[str, dict[str, int | str], float]


def compose(words: str) -> Iterator[Composed]:
    """Yield the phrases for a sentence, put together: name, the values said, and the share left unsaid.

    Two of them, for the two halves of the sentence, have a plus between their names if the second says what else
    happens then, and an “and” sign if it has an occasion of its own.
    """
    said = plain_words(words)
    for joint in _JOINTS.finditer(said):
        if made := _compose_halves(said[: joint.start()], said[joint.end() :]):
            yield made
    yield from _compose_each(said)


def _compose_halves(first: str, second: str) -> Composed | None:
    """Return what is put together for two halves of a sentence; None if they do not say two things."""
    if not (one := _best_half(_compose_each(first))):
        return None
    family, occasion, *_ = one[0].split("/")
    then = _compose_each(second, occasion) if family == "happens" and not _OCCASION.match(second) else ()
    found = [(_best_half(then), "+"), (_best_half(_compose_each(second)), "&")]
    other, sign = min(found, key=lambda half: half[0][2] if half[0] else 1)
    if not other or not composed_text(name := f"{one[0]}{sign}{other[0]}"):
        return None
    renamed = _renamed_places(name)
    return name, one[1] | {renamed.get(place, place): value for place, value in other[1].items()}, max(one[2], other[2])


def _best_half(made: Iterable[Composed]) -> Composed | None:
    """Return what says most of half a sentence, of what may come with more and leaves little unsaid."""
    fitting = [one for one in made if one[2] <= MOST_UNSAID and families()[one[0].partition("/")[0]].get("halves")]
    return min(fitting, key=itemgetter(2), default=None)


@lru_cache(maxsize=512)
def _parts_said(slot: str, said: str) -> tuple[tuple[str, re.Match[str]], ...]:
    """Return the first parts for a slot that a sentence means, each with where."""
    parts = _slots()[slot].items()
    every = ((part, match) for part, told in parts if (match := told["pattern"].search(said)))
    return tuple(itertools.islice(every, _MOST_TRIED))


def _compose_each(said: str, occasion: str = "") -> Iterator[Composed]:
    """Yield the phrase of each family for a sentence, as `compose` does; or only what happens on a known `occasion`."""
    stems = frozenset(content_stems(said))
    known = {"occasion": ((occasion, _NOTHING),)} if occasion else {}
    for name, family in families().items():
        found = [*itertools.takewhile(bool, (known.get(slot) or _parts_said(slot, said) for slot in family["slots"]))]
        if len(found) < len(family["slots"]) or not family["slots"].keys() >= known.keys():
            continue
        best: tuple[str, dict[str, int | str], float, int] | None = None
        for chosen in itertools.islice(itertools.product(*found), _MOST_TRIED**3):
            whole = "/".join([name, *(part for part, _ in chosen)])
            if made := composed_text(whole):
                pairs = [
                    (slot, match)
                    for slot, (_, match) in zip(family["slots"], chosen, strict=True)
                    if slot in made.slots
                ]
                matches, spans = [match for _, match in pairs], [_said_span(*pair) for pair in pairs]
                left = said
                for start, end in spans:
                    left = left[:start] + " " * (end - start) + left[end:]
                if "office" in made.slots:  # named again, as in “and the speaker breaks ties”
                    left = _slots()["office"][chosen[0][0]]["pattern"].sub(" ", left)
                    left = _ELECT.sub(" ", left) if chosen[1][0].startswith("elected") else left
                values = _said_values(matches)
                turns = _TURNS.search(left) or re.search(family.get("leaves", r"(?!)"), left)
                if turns or not all(f"{{{place}" in made.says for place in values):
                    continue
                twice = len({*range(*spans[0])} & {*range(*spans[-1])})
                least = min(len(matches[at][0]) for at in ((0, -1) if "occasion" in made.slots else (-1,)))
                inside = len(matches) > 1 and 0 < twice == least
                if inside or ("who" in made.slots and _is_in(matches[1], matches[0])):
                    continue
                unsaid = len(stems.intersection(content_stems(left))) / len(stems) if stems else 1
                if best is None or (unsaid, twice) < best[2:]:
                    best = whole, values, unsaid, twice
        if best:
            yield best[:3]


def _said_span(slot: str, match: re.Match[str]) -> tuple[int, int]:
    """Return where a sentence says a part; of a kind of piece, its last word, as words before it may say more."""
    return match.start() + match[0].rfind(" ") + 1 if slot == "kind" else match.start(), match.end()


def _is_in(one: re.Match[str], other: re.Match[str]) -> bool:
    """Tell whether the words that a pattern found are among those of another."""
    return bool(one[0]) and other.start() <= one.start() and one.end() <= other.end()


def _said_values(matches: Iterable[re.Match[str]]) -> dict[str, int | str]:
    """Return the values for places that patterns found."""
    places = [place for match in matches for place in match.groupdict().items() if place[1]]
    return {place.rstrip(digits): int(one) if one.isdigit() else one for place, one in places}


def write_long_numbers(words: str) -> str:
    """Return a sentence with figures for its numbers of several words, up to some hundreds.

    Examples
    --------
    >>> write_long_numbers("Two hundred wins, not a hundred and twenty-five; thirty-one is out.")
    '200 wins, not 125; 31 is out.'
    """
    return _LONG_NUMBER.sub(lambda found: str(_long_number(found)), words)


def _long_number(found: re.Match[str]) -> int:
    """Return a number of hundreds, tens and ones."""
    values = {word: int(value) for word, value in everyday_table("numbers").items() if value.isdigit()}
    hundreds, *rest = (part.lower() if part else "" for part in found.groups())
    count = 0 if not hundreds else 1 if hundreds in ("a", "an") else int(values.get(hundreds, hundreds))
    return 100 * count + sum(int(values.get(part, part or 0)) for part in rest)


@lru_cache(maxsize=64)
def plain_words(words: str) -> str:
    """Return a sentence in small letters, with figures for its numbers and no marks that only part its words."""
    figures = {word: value for word, value in everyday_table("numbers").items() if value.isdigit()}
    small = re.sub(r"\bno[ -]one\b", "nobody", words.lower())
    small = re.sub(rf"\b(?:{'|'.join(figures)})\b", lambda found: figures[found[0]], small)
    small = re.sub(rf"\b({'|'.join(figures)})e?s\b", lambda found: figures[found[1]] + "s", small)
    ordinals = _told()["ordinals"]
    nth = rf"\b(every|each) ({'|'.join(ordinals)})\b(?! (?:players?|person|people)\b)"
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


@lru_cache(maxsize=8192)
def composed_text(name: str) -> ComposedText | None:
    """Return what is put together under a name; None if its parts do not fit each other."""
    if halves := len(re.split("[+&]", name)) - 1:
        return _joined_text(name) if halves == 1 else None
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


def _joined_text(name: str) -> ComposedText | None:
    """Return what is put together under two names, as one; the second sentence does not say the same occasion again."""
    one, then = map(composed_text, re.split("[+&]", name))
    renamed = _renamed_places(name)
    if not one or not then or "text" in renamed:
        return None
    says, law = (
        _PLACE.sub(lambda found: f"{{{renamed.get(found[1], found[1])}", text) for text in (then.says, then.law)
    )
    if begun := _shared_occasion(name):
        says = f"Then {says[len(begun) :]}"
    # A clause is a line with those that are set in under it.
    clauses = dict.fromkeys(re.split(r"\n(?! )", f"{one.law}\n{law}"))
    told = [part for part in re.split(r"(?<=\.) ", says) if part not in one.says]
    return ComposedText(" ".join([one.says, *told]), "\n".join(clauses), one.subject, one.slots | then.slots)


@lru_cache(maxsize=512)
def _renamed_places(name: str) -> Mapping[str, str]:
    """Return new names for those places of the second of two phrases that are in the first, too."""
    one, then = map(composed_text, re.split("[+&]", name))
    if not one or not then:
        return {}
    both = {*_PLACE.findall(one.says)} & {*_PLACE.findall(then.says)}
    return {place: f"{place}2" for place in both - {*_PLACE.findall(_shared_occasion(name))}}


def _shared_occasion(name: str) -> str:
    """Return the words for the occasion with which the sentences of two phrases begin, if it is the same."""
    one, then = map(composed_text, re.split("[+&]", name))
    if not one or not then or "+" not in name:
        return ""
    pairs = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one.says, then.says, strict=False))
    begun = "".join(letter for letter, _ in pairs)
    return begun[: begun.rfind(", ") + 2] if ", " in begun else ""
