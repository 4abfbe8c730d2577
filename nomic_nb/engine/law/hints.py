"""What helps a writer whose clause is refused: the word that may be meant, and an example of a whole clause."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.vocabulary import Vocabulary


@cache
def everyday_words(what: str) -> Mapping[str, str]:
    """Return what rules say for each of the everyday words of a table in ``everyday.toml``.

    Examples
    --------
    >>> everyday_words("begins")["whenever"]
    'on'
    """
    import tomllib

    told = tomllib.loads(Path(__file__).with_name("everyday.toml").read_text(encoding="utf-8"))
    return {word: meant for words, meant in told[what].items() for word in words.split()}


@cache
def clause_examples() -> Mapping[str, str]:
    """Return an example of a whole clause, by the word or two with which it begins."""
    shown = (one.example for one in vars(c).values() if getattr(one, "example", None))
    return {**{one.split()[0]: one for one in shown}, **everyday_words("examples")}


def names_meant_by(word: str, known: Iterable[str]) -> list[str]:
    """Return the names that an everyday word stands for, of those that are known.

    Examples
    --------
    >>> names_meant_by("Everybody", ["player", "playing"])
    ['playing']
    """
    there = set(known)
    return [one for one in everyday_words("names").get(word.lower(), "").split() if one in there]


def suggest_words(word: str, known: Mapping[str, str]) -> list[str]:
    """Return the words that may be meant: first those whose meaning has it, then those that are spelled like it.

    Parameters
    ----------
    word : str
        One that names nothing.
    known : mapping of str to str
        The words that can stand there, with what they mean.

    Examples
    --------
    >>> suggest_words("everyone", {"playing": "everyone still in the game", "proponent": "who made the proposal"})
    ['playing']
    """
    stems = [re.escape(one.removesuffix("s")) for one in re.split(r"[._]", word) if len(one) > 3]
    said = re.compile(rf"\b({'|'.join(stems)})s?\b")
    meant = [name for name, meaning in known.items() if stems and said.search(meaning)]
    everyday = names_meant_by(word, known)
    return everyday or list(dict.fromkeys((*meant[:3], *difflib.get_close_matches(word, known, 3))))


def add_hints(error: LawError, vocabulary: Vocabulary, tables: Collection[str] = ()) -> LawError:
    """Add to an error what is probably meant, and an example of a whole clause; return it.

    Parameters
    ----------
    error : LawError
        With the line at fault as its text, and the column in it.
    vocabulary : Vocabulary
        What rules can speak of.
    tables : collection of str
        What is tracked.

    Examples
    --------
    >>> from nomic_nb.engine.play.vocabulary import language
    >>> language().read("on adopted: proponent gets 5 points")
    Traceback (most recent call last):
    nomic_nb.engine.errors.LawError: line 1, column 13: this does not belong here; found 'proponent'; expected ...
        on adopted: proponent gets 5 points
                    ^
        such as: on adopted: award 5 points to proponent
    """
    if error.text and not error.example:
        before, at = error.text[: error.column - 1], error.text[error.column - 1 :]
        found = re.match(r"[A-Za-z_][\w.]*|\d+", at)
        word = found[0] if found else ""
        error.expected = (
            _find_typing_mistake(before, at)
            or _find_meant(error, before, word, at, vocabulary, tables)
            or error.expected
        )
        error.example = _find_example(before, word, at, vocabulary)
    return error


def _find_meant(
    error: LawError, before: str, word: str, at: str, vocabulary: Vocabulary, tables: Collection[str]
) -> str:
    """Return what is probably meant; empty where that is not known."""
    last, kind = (before.split() or [""])[-1], error.values.get("kind")
    counted = before.startswith("track ") or re.search(r"\b(award|pay) \S+ $", before)
    if word.lower() != word and (counted or word.lower() in _known_names(vocabulary, tables)):
        return f"{word.lower()}, in small letters"
    if at.strip() in (".", ";"):
        return "nothing: a clause ends without a stop"
    if error.code == "name-unknown" and (meant := _find_meant_name(before, word)):
        return meant
    if word.isdigit() and (kind == "a rule" or last == "rule") and "over" not in before:
        return f"rule_numbered({word})"
    if not before and _piece_letter(word):
        return f"piece {_piece_letter(word)} moves, and a text with the moves"
    if before == "piece " and at[:1] != word[:1].upper():
        named = re.split(r"\W", at.strip("\"'“” "))[0]
        letter = _piece_letter(named) or (named.upper() if len(named) == 1 else "")
        return f"{letter or 'N'}, one capital letter for a kind of piece"
    if word == "if" and "when" in error.expected:
        return "when"
    if error.code == "not-an-expression" and last in everyday_words("idle"):
        return f"{word}, without “{last}” before it"
    joined = re.match(r"([\w.]+) and ([\w.]+)", at)
    if error.code == "kind-expected" and kind == "a truth" and joined:
        return f"[{joined[1]}, {joined[2]}], a list"
    if before.startswith(("prevails over ", "defers to ")):
        return everyday_words("over").get(word, "")
    return ""


def _find_typing_mistake(before: str, at: str) -> str:
    """Return how something is written that word processors and books write otherwise, at or around a place."""
    place, text = len(before), before + at
    for pattern, plain in ((_GROUPED, _without_separators), (_PERCENT, _percent_as_fraction)):
        if found := next((one for one in pattern.finditer(text) if one.start() <= place <= one.end() + 1), None):
            return plain(found[0])
    if before and at[:1] in TYPED_SIGNS:
        sign = TYPED_SIGNS[at[0]]
        return f"an ordinary blank, instead of U+{ord(at[0]):04X}" if sign == " " else f"{sign} instead of {at[0]}"
    return next((f"{TYPED_SIGNS[one]} instead of {one}" for one in at if one in "≤≥≠"), "")


#: What is pasted from other programs, and what rules have for it.
TYPED_SIGNS = {
    **dict.fromkeys("\u00a0\u2007\u2009\u202f\u3000", " "), **dict.fromkeys("−–—‐‑‒", "-"),
    **dict.fromkeys("“”„‟«»", '"'), **dict.fromkeys("‘’‚‛", "'"), "×": "*", "·": "*", "÷": "/", "∕": "/",
    "≤": "<=", "≥": ">=", "≠": "!=", "½": "1/2", "¼": "1/4", "¾": "3/4",
}  # fmt: skip
_GROUPED = re.compile(r"(?<![\w.])\d{1,3}(?:[ ,.'’\u00a0\u2009\u202f]\d{3})+(?!\w)")
_PERCENT = re.compile(r"(?<![\w.])\d{1,9}\s*%")


def _without_separators(number: str) -> str:
    return f"{re.sub(r'[^0-9]', '', number)}, without a sign between its digits"


def _percent_as_fraction(percent: str) -> str:
    share = Fraction(int(re.sub(r"[^0-9]", "", percent)), 100)
    return f"{share} for {''.join(percent.split())}; % is what a division leaves"


def _find_meant_name(before: str, word: str) -> str:
    """Return what is probably meant by a name that is none here; empty where that is not known."""
    if word.partition(".")[0] == "player" and before.startswith("on circuit_ended"):
        return "each p in playing after the event, and p: a circuit is about no player"
    if word in everyday_words("numbers"):
        return everyday_words("numbers")[word]
    if word[:1].isupper():
        return f'"{word}", in quotation marks, for a name'
    if re.search(rf"\b(choose (some )?{word} from|as {word}\b|each {word} in)", before):
        return f"brackets around all effects that speak of {word}: (…; …)"
    return ""


def _piece_letter(word: str) -> str:
    """Return the letter of the kind of piece that an everyday word stands for; empty where it is none."""
    return everyday_words("kinds").get(word.lower().removesuffix("s"), "")


def _known_names(words: Vocabulary, tables: Collection[str]) -> set[str]:
    forms = {word for form in words.effects.values() for word in form.words}
    bound = {name for event in words.events.values() for name in (*event.binds, *event.may_bind)}
    named = {**words.keys, **words.events, **words.facts, **words.functions, **words.actions}
    return {*forms, *bound, *named, *everyday_words("language"), *clause_examples(), *tables}


def _find_example(before: str, word: str, at: str, vocabulary: Vocabulary) -> str:
    """Return an example of a whole clause of the kind that is being written."""
    verb, _, rest = before.partition(" ")
    begins = clause_examples()
    known_of = {one.begins[0]: one.example for one in reversed([*vocabulary.effects.values()]) if one.begins}
    if verb not in begins:
        first = ([*(before + at).split(), ""])[0].lower()
        known = known_of.get(first)
        other = "piece" if _piece_letter(first) else "set"
        return (
            f"on turn_ended: {known}"
            if known
            else begins.get(first) or begins[everyday_words("begins").get(first, other)]
        )
    if verb not in ("on", "instead", "offer") or ":" not in before:
        return begins.get("_".join(before.split()[:2])) or begins[verb]
    said, does = re.split(r"[:;]\s*\(?", before)[-1].strip(), everyday_words("does")
    first = ([*said.split(), word])[0].lower()
    known = known_of.get(first)
    words = [one for one in re.findall(r"[a-z]+", f"{said} {at}".lower()) if one in does]
    effect = does[words[0]] if words and (first in does or not known) else known or "award 5 points to player"
    event = vocabulary.events.get(rest.split()[0].rstrip(":")) if verb == "on" else None
    whole = begins["offer"].partition(":")[0] if verb == "offer" else "on turn_ended"
    if event is not None:
        if "player" not in event.binds and "proposal" in event.binds:
            effect = re.sub(r"\bplayer\b", "proponent", effect)
        if not {"player", "proposal"}.isdisjoint(event.binds):
            whole = f"on {event.name}"
    return f"{whole}: {effect}"
