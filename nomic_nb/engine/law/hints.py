"""Help for a writer whose clause is refused: the word that was probably meant, and an example of a whole clause."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.vocabulary import Vocabulary


@cache
def everyday_table(table_name: str) -> Mapping[str, str]:
    """Return a named table of ``everyday.toml``, which maps everyday words to words of the law language.

    Examples
    --------
    >>> everyday_table("begins")["once"]
    'whenever'
    """
    return {word: meant for words, meant in _everyday_tables()[table_name].items() for word in words.split()}


@cache
def _everyday_tables() -> Mapping[str, Mapping[str, str]]:
    """Return all tables of ``everyday.toml``."""
    import tomllib

    return tomllib.loads(Path(__file__).with_name("everyday.toml").read_text(encoding="utf-8"))


@cache
def clause_examples() -> Mapping[str, str]:
    """Return a mapping from each word that can begin a clause to an example of such a clause."""
    shown = (var.example for var in vars(c).values() if getattr(var, "example", None))
    return {**{example.split()[0]: example for example in shown}, **everyday_table("examples")}


def names_meant_by(word: str, known: Collection[str]) -> list[str]:
    """Return those of the known names that an everyday word such as “everybody” may mean.

    Examples
    --------
    >>> names_meant_by("Everybody", ["player", "playing"])
    ['playing']
    """
    return [name for name in everyday_table("names").get(word.lower(), "").split() if name in known]


def suggest_words(word: str, known: Mapping[str, str]) -> list[str]:
    """Return known words that an unknown word may mean; `known` maps each to its meaning.

    Parameters
    ----------
    word : str
        One that names nothing.
    known : mapping of str to str
        The words possible at that point, with their meanings.

    Examples
    --------
    >>> suggest_words("everyone", {"playing": "everyone still in the game", "proponent": "who made the proposal"})
    ['playing']
    """
    stems = [re.escape(word_part.removesuffix("s")) for word_part in re.split(r"[._]", word) if len(word_part) > 3]
    pattern = re.compile(rf"\b({'|'.join(stems)})s?\b")
    meant = [name for name, meaning in known.items() if stems and pattern.search(meaning)]
    return names_meant_by(word, known) or list(dict.fromkeys((*meant[:3], *difflib.get_close_matches(word, known, 3))))


def add_hints(error: LawError, vocabulary: Vocabulary, tables: Collection[str] = ()) -> LawError:
    """Add the probably intended word and an example of a whole clause to an error, and return it.

    Parameters
    ----------
    error : LawError
        With the line at fault as its text, and the column in it.
    vocabulary : Vocabulary
        Names that rules can use.
    tables : collection of str
        The names of tables.

    Examples
    --------
    >>> from nomic_nb.engine.play.vocabulary import language
    >>> language().read_clauses("on adopted: proponent gets 5 points")
    Traceback (most recent call last):
    nomic_nb.engine.errors.LawError: line 1, column 13: this doesn’t belong here; found 'proponent'; expected ...
        on adopted: proponent gets 5 points
                    ^
        for example: on adopted: award 5 points to proponent
    """
    if error.text:
        before, at = error.text[: error.column - 1], error.text[error.column - 1 :]
        match = re.match(r"[A-Za-z_][\w.]*|\d+", at)
        word = match[0] if match else ""
        error.expected = (
            _find_remedy("remedies", before, at)
            or _find_typing_mistake(before, at)
            or _guess_correction(error, before, word, at, vocabulary, tables)
            or _find_remedy("last_remedies", before, at) * (not error.expected or error.expected.count(",") > 5)
            or error.expected
        )
        error.example = error.example or _find_example(before, word, at, vocabulary)
    return error


def _guess_correction(
    error: LawError, before: str, word: str, tail: str, vocabulary: Vocabulary, tables: Collection[str]
) -> str:
    """Return what was probably meant by `word`, where a line fails between `before` and `tail`; empty if unknown."""
    kind = error.values.get("kind")
    counted = before.startswith("track ") or re.search(r"\b(award|pay) \S+ $", before)
    small = word.lower()
    if small != word and (counted or {small, small.partition(".")[0]} & _known_names(vocabulary, tables)):
        return f"{small}, in small letters"
    if error.code == "name-unknown" and (meant := _guess_meant_name(before, word)):
        return meant
    if word.isdigit() and kind == "a rule" and "over" not in before:
        return f"rule_numbered({word})"
    if not before and _piece_letter(word):
        return f"piece {_piece_letter(word)} moves, and then the moves in quotation marks"
    if before == "piece " and tail[:1] != word[:1].upper():
        named = re.split(r"\W", tail.strip("\"'“” "))[0]
        letter = _piece_letter(named) or (named.upper() if len(named) == 1 else "")
        return f"{letter or 'N'}, one capital letter for a kind of piece"
    if meant_words := names_meant_by(word, re.findall(r"[\w.]+", error.expected)):
        return ", ".join(meant_words)
    joined = error.code == "kind-expected" and kind == "a truth" and re.match(r"([\w.]+) and ([\w.]+)", tail)
    return f"[{joined[1]}, {joined[2]}], a list" if joined else ""


def _find_remedy(table_name: str, before: str, tail: str) -> str:
    """Return the remedy whose pattern comes first among those that fit a fault, marked by ¦; empty if none fits."""
    text = f"{before}¦{tail}"
    found = ((re.search(pattern, text), remedy) for pattern, remedy in everyday_table(table_name).items())
    return next((match.expand(remedy) for match, remedy in found if match), "")


def _find_typing_mistake(before: str, tail: str) -> str:
    """Return a hint to a mistyped sign or number where `before` and `tail` of a line meet; empty if none."""
    place, text = len(before), before + tail
    for match in _GROUPED.finditer(text):
        if match.start() <= place <= match.end() + 1:
            return f"{re.sub(r'[^0-9]', '', match[0])}, without separators between the digits"
    typed = everyday_table("typed")
    sign = " " if tail[:1].strip(" ").isspace() else typed.get(tail[:1])
    if before and sign:
        if sign == "-" and ":" not in before and before.startswith(("on ", "offer ", "instead of ")):
            sign = ":"  # what happens, and then what is done
        return f"an ordinary space instead of U+{ord(tail[0]):04X}" if sign == " " else f"{sign} instead of {tail[0]}"
    return ""


_GROUPED = re.compile(r"(?<![\w.])\d{1,3}(?:[ ,.'’\u00a0\u2009\u202f]\d{3})+(?!\w)")


def _guess_meant_name(before: str, word: str) -> str:
    """Return the probable meaning of an unknown word after the text `before`; empty if it cannot be guessed."""
    if word in everyday_table("numbers"):
        return everyday_table("numbers")[word]
    if word[:1].isupper():
        return f'"{word}", in quotation marks, for a name'
    if re.search(rf"\b(choose (some )?{word} from|as {word}\b|each {word} in)", before):
        return f"brackets around all effects that use {word}: (…; …)"
    return ""


def _piece_letter(word: str) -> str:
    """Return the letter of a chess piece, such as N for “knight”; empty if the word names no piece."""
    return everyday_table("kinds").get(word.lower().removesuffix("s"), "")


def _known_names(words: Vocabulary, tables: Collection[str]) -> set[str]:
    """Return all words of the law language that a vocabulary has, with the names of these tables."""
    forms = {word for form in words.effects.values() for word in form.words}
    bound = {name for event in words.events.values() for name in (*event.binds, *event.may_bind)}
    named = {**words.keys, **words.events, **words.facts, **words.functions, **words.actions}
    return {*forms, *bound, *named, *everyday_table("around"), *everyday_table("within"), *clause_examples(), *tables}


def _find_example(before: str, word: str, tail: str, vocabulary: Vocabulary) -> str:
    """Return an example of the kind of clause that a line begins, which fails at `word` between `before` and `tail`."""
    verb, _, rest = before.partition(" ")
    begins = clause_examples()
    known_of = {
        form.leading_words[0]: form.example for form in reversed([*vocabulary.effects.values()]) if form.leading_words
    }
    if verb not in begins:
        first = [*(before + tail).split(), ""][0].lower()
        known = known_of.get(first)
        other = "piece" if _piece_letter(first) else "set"
        return (
            f"on turn_ended: {known}"
            if known
            else begins.get(first) or begins[everyday_table("begins").get(first, other)]
        )
    if verb not in ("on", "whenever", "instead", "offer") or ":" not in before:
        return begins.get("_".join(before.split()[:2])) or begins[verb]
    effect_text, does = re.split(r"[:;]\s*\(?", before)[-1].strip(), everyday_table("does")
    first = [*effect_text.split(), word][0].lower()
    known = known_of.get(first)
    words = [known_word for known_word in re.findall(r"[a-z]+", f"{effect_text} {tail}".lower()) if known_word in does]
    effect = does[words[0]] if words and (first in does or not known) else known or "award 5 points to player"
    event = vocabulary.events.get(rest.split()[0].rstrip(":")) if verb == "on" else None
    whole = begins["offer"].partition(":")[0] if verb == "offer" else "on turn_ended"
    if event is not None:
        if "player" not in event.binds and "proposal" in event.binds:
            effect = re.sub(r"\bplayer\b", "proponent", effect)
        if not {"player", "proposal"}.isdisjoint(event.binds):
            whole = f"on {event.name}"
    return f"{whole}: {effect}"
