"""Words and numbers as people write them."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil
from typing import AnyStr, TypeVar

from nomic_nb.engine.messages import TRANSLATIONS

Number = int | Fraction
_What = TypeVar("_What")
_One = TypeVar("_One")
#: What begins with a move, a board, a square or a term of the law.
_NO_WORD = re.compile(r"[^\s\d]*(\d|[.:]\w)")


def strip_byte_order_mark(text: AnyStr) -> AnyStr:
    r"""Return a text or bytes without a byte order mark at the beginning.

    Examples
    --------
    >>> strip_byte_order_mark("\ufeff1. e4 *"), strip_byte_order_mark(b"\xef\xbb\xbf{}")
    ('1. e4 *', b'{}')
    """
    if isinstance(text, bytes):
        return text.removeprefix(BOM_UTF8)
    # The second is the mark of a file that was read as Latin-1, as PGN often is.
    return text.removeprefix("\ufeff").removeprefix(BOM_UTF8.decode("latin-1"))


def count_phrase(count: object, singular: str, many: str = "") -> str:
    """Return a count with its noun, such as “2 rules”; `many` is the plural if it is not `singular` with an s.

    Examples
    --------
    >>> count_phrase(1, "rule"), count_phrase(2, "rule")
    ('1 rule', '2 rules')
    """
    return f"{count} {singular if count in (1, -1) else many or singular + 's'}"


def upper_first(text: str) -> str:
    """Return a text with a capital first letter, unless it begins with a move or a key such as “vote.quota”.

    Examples
    --------
    >>> upper_first("it is so"), upper_first("e2e4 is not a move"), upper_first("vote.quota is 2")
    ('It is so', 'e2e4 is not a move', 'vote.quota is 2')
    """
    return text if _NO_WORD.match(text) else text[:1].upper() + text[1:]


def full_sentence(text: str) -> str:
    """Return a text as a sentence, with a capital and a full stop.

    Examples
    --------
    >>> full_sentence("Ann throws 5"), full_sentence("is it?")
    ('Ann throws 5.', 'Is it?')
    """
    return upper_first(text) + ("" if text[-1:] in ".?!…" else ".")


def number_text(number: Number) -> str:
    """Return a number as text, with a true minus sign (−) if it is negative.

    Examples
    --------
    >>> number_text(-5), number_text(Fraction(21, 2))
    ('−5', '21/2')
    """
    return f"−{-number}" if number < 0 else str(number)


def least_votes(needed: Number | str, weights: Iterable[Number | str]) -> Number:
    """Return the least weight of ballots that reaches a number of votes; a whole one if all weights are whole.

    Examples
    --------
    >>> least_votes("8/3", [1, 1, 1, 1]), least_votes("8/3", [1, "1/2"])
    (3, Fraction(8, 3))
    """
    if isinstance(needed, int):
        return needed
    return Fraction(needed) if any(Fraction(weight).denominator > 1 for weight in weights) else ceil(Fraction(needed))


def signed_number(number: Number) -> str:
    """Return a number as text with its sign, such as “+5”, “−10” or “±0”.

    Examples
    --------
    >>> signed_number(5), signed_number(-10), signed_number(0)
    ('+5', '−10', '±0')
    """
    return f"+{number}" if number > 0 else number_text(number) if number else "±0"


#: Singulars that no ending tells.
_SINGULARS = {
    "movies": "movie", "cookies": "cookie", "zombies": "zombie", "shoes": "shoe", "bonuses": "bonus",
    "quizzes": "quiz",
}  # fmt: skip


def counter_named(counter: str, amount: Number) -> str:
    """Return a counter's name in the singular or plural that fits an amount.

    Examples
    --------
    >>> counter_named("points", 1), counter_named("points", -2), counter_named("gold", 1), counter_named("classes", 1)
    ('point', 'points', 'gold', 'class')
    >>> [counter_named(counter, 1) for counter in ("vetoes", "movies", "bonuses", "potatoes", "ladies")]
    ['veto', 'movie', 'bonus', 'potato', 'lady']
    """
    if amount in (1, -1) and counter in _SINGULARS:
        return _SINGULARS[counter]
    if amount not in (1, -1) or not counter.endswith("s") or counter.endswith(("ss", "us", "is", "ves")):
        return counter
    if counter.endswith("ies") and len(counter) > 4:
        return f"{counter[:-3]}y"
    return counter[:-2] if counter.endswith(("sses", "xes", "ches", "shes", "zzes", "oes")) else counter[:-1]


def counter_change_phrase(counter: str, amount: Number, now: Number, rounded: str = "") -> str:
    """Return words such as “−1 point, now 9” for a counter's change; `rounded` is a note put in brackets.

    Examples
    --------
    >>> counter_change_phrase("points", -1, 9)
    '−1 point, now 9'
    """
    brackets = f" ({rounded})" if rounded else ""
    return f"{signed_number(amount)} {counter_named(counter, amount)}{brackets}, now {number_text(now)}"


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Return words with commas between them and `last` before the last one; “nobody” for none.

    Examples
    --------
    >>> join_words(["Ann", "Ben", "Cleo"]), join_words(["1", "2"], "or"), join_words([])
    ('Ann, Ben and Cleo', '1 or 2', 'nobody')
    """
    if not words:
        return TRANSLATIONS.get("nobody", "nobody")
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {TRANSLATIONS.get(last, last)} {words[-1]}"


def group_pairs(pairs: Iterable[tuple[_What, _One]]) -> dict[_What, list[_One]]:
    """Return a dict from each first item of some pairs to the list of its second items.

    Examples
    --------
    >>> group_pairs([("amend", 203), ("repeal", 201), ("amend", 204)])
    {'amend': [203, 204], 'repeal': [201]}
    """
    groups: dict[_What, list[_One]] = {}
    for what, item in pairs:
        groups.setdefault(what, []).append(item)
    return groups


def verb_phrase(names: Sequence[str], singular: str, many: str) -> str:
    """Return names followed by the right form of a verb (`singular` or `many`), such as “Ann and Ben have”.

    Examples
    --------
    >>> verb_phrase(["Ann"], "has", "have"), verb_phrase(["Ann", "Ben"], "has", "have")
    ('Ann has', 'Ann and Ben have')
    """
    return f"{join_words(names)} {singular if len(names) == 1 else many}"


def rule_citation(rule: object) -> str:
    """Return “ (rule 201)”, with a blank in front, for a rule number; an empty text for None.

    Examples
    --------
    >>> rule_citation(203), rule_citation(None)
    (' (rule 203)', '')
    """
    return "" if rule is None else f" (rule {rule})"
