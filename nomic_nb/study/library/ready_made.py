"""What a ready-made rule is, and the checks of what is put into one.

A rule is a table under the name by which it is made, with ``about``, ``title``, ``wording``, ``law``, ``amends``
where it is made to amend a rule, ``words`` by which people look for it, and ``places``: what can be filled in, each
with its ``default``, with ``about`` and ``what`` in words, and with what it takes:

- ``number = [least, most]``; where the most depends on another place, ``"of"`` or ``"sides - 1"``;
- ``text = most letters``, ``counter = true`` (a new word under which something is counted);
- ``one_of = [words]``, or a table of words, each with what it represents in the texts;
- ``chess``: one of the names in `BOARD_PLACES`, such as ``kind`` or ``square``.

In the texts ``{name}`` is what was filled in, and ``{name:word}`` a way of writing it (`FILLING_FORMS`,
`BOARD_PLACES`): of a number, ``{name:turn}`` is so many of something, ``{name:die/dice}`` too, ``{name:every turn}``
how often; of one of several words, ``{name:lot and so on}`` is what comes after ``lot`` where that is
the word, and nothing otherwise. What is there can itself have places to fill in.
"""

from __future__ import annotations

import inspect
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nomic_nb.engine.arguments import describe_misfit
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import WrongArgument, WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change, amend, enact
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.words import count_phrase, upper_first
from nomic_nb.study.library.chess import BOARD_PLACES, WritingWays
from nomic_nb.study.library.word_search import WordSearch, check_search_words

if TYPE_CHECKING:
    import pandas as pd


# --------------------------------------------------------------------------------------- what a ready-made rule is


@frozen
class LibraryRule(Displayed):
    """A ready-made rule that can be proposed without changes.

    Parameters
    ----------
    title, wording, law : str
        Title, wording and clauses of the new rule.
    amends : str
        The existing rule that it is meant to amend, in words; empty if it is meant as a new rule.
    """

    title: str
    wording: str
    law: str
    amends: str = ""

    def change(self, number: Number | None = None, *, add: bool = False) -> Change:
        """Return the change that enacts this rule, or amends rule `number` with it (adding to its text if `add`).

        Parameters
        ----------
        number : int or str, optional
            Number of the rule to amend; default: enact a new rule.
        add : bool
            Whether to add to the text of the amended rule instead of replacing it.
        """
        if number is None:
            return enact(self.wording, self.law, self.title)
        return amend(number, self.wording, self.law, title="" if add else self.title, add=add)

    def ending_after(self, count: int = 6, unit: str = "turns") -> LibraryRule:
        """Return a copy of the rule with a sunset: it repeals itself after `count` turns or rounds (the `unit`).

        Parameters
        ----------
        count : int
            Number of turns or rounds, from 1 to 500.
        unit : str
            ``turns``, each of a single player; or ``rounds``, each with a turn of every player, which is what
            Make-A-Rule Chess calls a turn.

        Examples
        --------
        >>> from nomic_nb.study import library
        >>> print(library.another_die(20).ending_after(4))
        A die with 20 sides, for 4 single turns
        The die that is rolled in a turn has 20 sides, numbered from 1 to 20. This rule repeals itself once
        4 turns of single players have ended after it was made, even if it was amended meanwhile.
            set dice.sides to 20
            on enacted when rule == this: after 4 turns: repeal this
            on amended when rule == this: after 4 turns: repeal this
        >>> library.another_die(20).ending_after(2, "rounds").title
        'A die with 20 sides, for 2 rounds'
        """
        check_whole_number("the number of turns or rounds", count, 1, 500)
        rounds = check_choice("the unit", unit, ("turns", "rounds")) == "rounds"
        title, sentence = (
            (count_phrase(count, "round"),) * 2
            if rounds
            else (count_phrase(count, "single turn"), single_turns_phrase(count))
        )
        ended, law_unit = "has" if count == 1 else "have", "circuits" if rounds else "turns"
        return replace(
            self,
            title=f"{self.title}, for {title}",
            wording=f"{self.wording} This rule repeals itself once {sentence} {ended} ended after it was made, "
            "even if it was amended meanwhile.",
            law=f"{self.law}\non enacted when rule == this: after {count} {law_unit}: repeal this\n"
            f"on amended when rule == this: after {count} {law_unit}: repeal this",
        )

    def __str__(self) -> str:
        return "\n".join([self.title, self.wording, *(f"    {line}" for line in self.law.splitlines())])


def check_whole_number(what: str, number: int, least: int, most: int) -> int:
    """Return `number` if it is a whole number from `least` to `most`; else raise an error that calls it `what`.

    Raises
    ------
    ValueError
        It is none, or not from `least` to `most`.
    """
    if type(number) is not int or not least <= number <= most:
        raise WrongValue(
            "figure-out-of-range",
            "{what} must be a whole number from {least} to {most}, not {found!r}",
            what=what,
            least=least,
            most=most,
            found=number,
        )
    return number


def check_clause_text(what: str, sentence: str, most: int = 60) -> str:
    """Return a text stripped if a clause can quote it (up to `most` letters); else raise an error that calls it `what`.

    Raises
    ------
    ValueError
        It is empty, too long, or has letters in it that clauses do not take.
    """
    plain = sentence.strip() if isinstance(sentence, str) else ""
    odd = any(letter in '"\\#' or unicodedata.category(letter)[0] == "C" for letter in plain)
    if not plain or len(plain) > most or odd:
        raise WrongValue(
            "label-out-of-form",
            "{what} must have 1 to {most} letters, without quotation marks, # or \\, not {found!r}",
            what=what,
            most=most,
            found=str(sentence)[:80],
        )
    return plain


def check_counter_word(what: str, name: str) -> str:
    """Return a word, stripped, if it can name a new counter; else raise an error that calls it `what`.

    Raises
    ------
    ValueError
        It is not one small word, or it means something already.
    """
    plain = name.strip() if isinstance(name, str) else ""
    # Of the words that the law keeps for itself, these are refused at once; the others when the rule is proposed.
    if not re.fullmatch(r"[a-z]{2,30}(_[a-z]{1,20})?", plain) or plain in everyday_table("kept"):
        raise WrongValue(
            "word-out-of-form",
            "{what} must be a word in small letters that isn’t in use yet, such as coins, not {found!r}",
            what=what,
            found=str(name)[:80],
        )
    return plain


def check_choice(what: str, sentence: str, known: tuple[str, ...]) -> str:
    """Return a given word if it is one of `known`; else raise an error that calls it `what`.

    Raises
    ------
    ValueError
        It is none of them.
    """
    if sentence not in known:
        raise WrongValue(
            "not-one-of-these",
            "{what} must be one of {known}, not {found!r}",
            what=what,
            known=", ".join(known),
            found=str(sentence)[:80],
        )
    return sentence


def counter_slug(sentence: str) -> str:
    """Return a text turned into a name for a counter, such as “long_live_the_rules”; equal texts give equal names.

    Examples
    --------
    >>> counter_slug("Long live the rules!")
    'long_live_the_rules'
    """
    plain = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in sentence.casefold())
    words = "_".join(plain.split())[:40].strip("_")
    rest = (
        ""
        if sentence.isascii()
        else "_" + "_".join(f"{ord(letter):x}" for letter in sentence if not letter.isascii())[:40]
    )
    return (words or "text") + rest.rstrip("_")


def frequency_phrase(number: int, unit: str) -> str:
    """Return a phrase such as “every turn” (number 1, unit “turn”) or “every 3rd turn” (number 3).

    Examples
    --------
    >>> frequency_phrase(1, "circuit"), frequency_phrase(3, "circuit")
    ('every circuit', 'every 3rd circuit')
    """
    return f"every {unit}" if number == 1 else f"every {ordinal_number(number)} {unit}"


def single_turns_phrase(number: int) -> str:
    """Return a phrase such as “4 turns of single players” for a number of turns.

    Examples
    --------
    >>> single_turns_phrase(1), single_turns_phrase(4)
    ('1 turn of a single player', '4 turns of single players')
    """
    return "1 turn of a single player" if number == 1 else f"{number} turns of single players"


def ordinal_number(number: int) -> str:
    """Return an ordinal number, such as “3rd”.

    Examples
    --------
    >>> [ordinal_number(number) for number in (1, 2, 3, 4, 11, 21)]
    ['1st', '2nd', '3rd', '4th', '11th', '21st']
    """
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else endings.get(number % 10, 'th')}"


def money_amount(number: int, name: str) -> str:
    """Return a number of units of a currency (its name in the plural): “5 coins”, but “one of the coins” for 1.

    Examples
    --------
    >>> money_amount(1, "coins"), money_amount(5, "coins")
    ('one of the coins', '5 coins')
    """
    return f"one of the {name}" if number == 1 else f"{number} {name}"


# ----------------------------------------------------------------------------- the listing of all ready-made rules


#: What rules are about; a file of this name has them.
LIBRARY_SUBJECTS = (
    "votes", "proposals", "rules", "turns", "dice", "points", "money", "winning", "people", "movement", "pawns",
    "captures", "mates", "boards", "armies",
)  # fmt: skip
#: The subjects that there are only in games with boards; the last one is that of phrases.
BOARD_SUBJECTS = frozenset(("movement", "pawns", "captures", "mates", "boards", "armies", "pieces"))


@frozen
class CatalogueEntry:
    """A ready-made rule in the listing.

    Parameters
    ----------
    name : str
        The name by which it is made.
    subject : str
        What it is about.
    make : ReadyMadeRule
        What makes it.
    """

    name: str
    subject: str
    make: ReadyMadeRule

    @property
    def rule(self) -> LibraryRule:
        """The ready-made rule with default values."""
        return self.make()

    @property
    def places(self) -> tuple[RulePlace, ...]:
        """The fields of the rule that can be filled in."""
        return self.make.places

    @property
    def on_boards(self) -> bool:
        """Whether the rule is only for games with boards."""
        return self.subject in BOARD_SUBJECTS

    @property
    def parameters(self) -> str:
        """The parameters with their default values, as Python writes them."""
        values_view = inspect.signature(self.make).parameters.values()
        return ", ".join(f"{parameter.name}={parameter.default!r}" for parameter in values_view)


class Catalogue(Displayed):
    """All ready-made rules by subject, or those that a search found; displayed as a table to choose from.

    Parameters
    ----------
    words : str
        Words to search for; empty for all ready-made rules.
    """

    def __init__(self, words: str = "") -> None:
        self.words = words

    def __iter__(self) -> Iterator[CatalogueEntry]:
        if self.words:
            entries = {entry.name: entry for entry in Catalogue()}
            yield from (entries[name] for name in find_rule_names(self.words))
            return
        for about in LIBRARY_SUBJECTS:
            for name, make in rules_of_subject(about).items():
                yield CatalogueEntry(name, about, make)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def search(self, words: str) -> Catalogue:
        """Return the ready-made rules on something, best first, in whatever everyday words it is said.

        Parameters
        ----------
        words : str
            A word or a sentence, such as ``"dice"`` or ``"Everyone must agree."``

        Examples
        --------
        >>> [entry.name for entry in Catalogue().search("referee")]
        ['no_judge', 'elected_judge']
        """
        return Catalogue(check_search_words(words))

    @property
    def frame(self) -> pd.DataFrame:
        """The listing as a DataFrame.

        Returns
        -------
        DataFrame
            Indexed by ``name``, with ``subject``, ``title``, ``wording``, ``parameters``,
            ``amends`` (the rule that it is meant to amend; empty for none) and ``law``, all strings.

        Examples
        --------
        >>> Catalogue().frame.loc["tax", ["subject", "parameters"]].tolist()
        ['points', 'of_every=10']
        """
        import pandas as pd

        columns = ["name", "subject", "rule.title", "rule.wording", "parameters", "rule.amends", "rule.law"]
        rows = map(attrgetter(*columns), self)
        return pd.DataFrame(rows, columns=[column.removeprefix("rule.") for column in columns]).set_index("name")

    def __str__(self) -> str:
        lines = [f"{entry.name}({entry.parameters}) – {entry.rule.title}" for entry in self]
        return "\n".join(lines) or NOTHING_FOUND


#: What an empty search shows.
NOTHING_FOUND = "No ready-made rule found."
#: What wordings say that is not about their subject: precedence over other rules, and “round” for a direction.
_ASIDE = re.compile(r"On this point, this rule takes precedence over all others\.|\bother way round\b")


def find_rule_names(words: str) -> list[str]:
    """Return the names of the ready-made rules that have words, or others for the same thing; best first."""
    return _library_search().find(words)


@cache
def _library_search() -> WordSearch:
    """Return the search through the titles, words and wordings of all ready-made rules."""
    return WordSearch.through(
        {
            entry.name: (f"{_ASIDE.sub('', entry.rule.title)} {entry.make.words}", _ASIDE.sub("", entry.rule.wording))
            for entry in Catalogue()
        }
    )


# ----------------------------------------------------------- ready-made rules that are text with places to fill in


FILLING_FORMS: WritingWays = {
    "those": lambda number, noun: noun if number == 1 else count_phrase(number, noun),
    "single_turns": lambda number, _: single_turns_phrase(number),
    "ordinal": lambda number, _: ordinal_number(number),
    "every": frequency_phrase,
    "Every": lambda number, noun: upper_first(frequency_phrase(number, noun)),
    "plus": lambda number, more: number + int(more),
    "money": money_amount,
    "if": lambda given, text: text if given else "",
    "unless_one": lambda number, text: "" if number == 1 else text,
    "repeat": lambda number, text: "; ".join([text] * number),
    "slug": lambda text, _: counter_slug(text),
    "begun": lambda text, _: upper_first(text),
}


@frozen(eq=False)
class _FilledValue:
    """What was filled in, which writes itself in several ways."""

    given: int | str
    ways: WritingWays

    def __format__(self, spec: str) -> str:
        how, _, rest = spec.partition(" ")
        if how in self.ways:
            way = self.ways[how]
            return way if isinstance(way, str) else str(way(self.given, rest))
        return count_phrase(self.given, *spec.split("/")) if isinstance(self.given, int) and spec else str(self.given)


@frozen(eq=False)
class RulePlace:
    """A place in a ready-made rule that can be filled in.

    Parameters
    ----------
    name, about, what : str
        Name of the parameter; half a sentence about it; its name in error messages.
    default : int or str
        Default value.
    number : tuple of (int, int or str), optional
        Smallest and largest number allowed.
    text : int, optional
        Maximum number of letters in a text.
    counter : bool
        Whether it is a new name for a counter.
    one_of : mapping of str to (mapping of str to str)
        The words allowed, each with its replacements in the texts.
    chess : str
        What it is on boards.
    not_like : str
        The place that must have something else in it.
    """

    name: str
    about: str
    what: str
    default: int | str
    number: tuple[int, int | str] | None = None
    text: int | None = None
    counter: bool = False
    one_of: Mapping[str, Mapping[str, str]] | None = None
    chess: str = ""
    not_like: str = ""

    def fill_in(self, given: Any, others: Mapping[str, Any]) -> _FilledValue:
        """Return a given value, checked, to fill this field of a library rule; `others` has the values of all fields.

        Parameters
        ----------
        given : int or str
            Value for this place.
        others : mapping
            Values for all places.

        Raises
        ------
        ValueError
            The value is not allowed; the message says what is allowed.
        """
        if self.number is not None:
            least, most = self.number
            if isinstance(most, str):
                other, _, less = most.partition(" - ")
                most = others[other] - int(less or 0) if isinstance(others[other], int) else least
            return _FilledValue(check_whole_number(self.what, given, least, most), FILLING_FORMS)
        if self.one_of is not None:
            chosen = check_choice(self.what, given, tuple(self.one_of))
            others_left_out = dict.fromkeys(self.one_of, "")
            return _FilledValue(given, {**others_left_out, chosen: lambda _, sentence: sentence, **self.one_of[chosen]})
        if self.not_like and given == others[self.not_like]:
            raise WrongValue(
                "ends-alike",
                "{what} must have two different ends; both were {found!r}",
                what=self.what,
                found=given,
            )
        if self.chess:
            on_boards = BOARD_PLACES[self.chess]
            return _FilledValue(on_boards.check_value(self.what, given), {**FILLING_FORMS, **on_boards.ways})
        plain = check_clause_text(self.what, given, self.text) if self.text else check_counter_word(self.what, given)
        return _FilledValue(plain, FILLING_FORMS)

    @property
    def accepted_values_text(self) -> str:
        """The values that the field accepts, in words."""
        if self.number is not None:
            return f"from {self.number[0]} to {self.number[1]}"
        if self.text is not None:
            return f"at most {self.text} letters"
        if self.one_of is not None:
            return f"one of {', '.join(self.one_of)}"
        return BOARD_PLACES[self.chess].takes if self.chess else "a word that is not in use yet"


#: What a place takes: one of these is said about it.
PLACE_KINDS = ("number", "text", "counter", "one_of", "chess")
#: What has to be said about a rule, and of a place; and what can be said besides.
RULE_FIELDS = ({"about", "title", "wording", "law"}, {"amends", "places", "words"})
PLACE_FIELDS = ({"default", "about", "what"}, {*PLACE_KINDS, "not_like"})


def _check_field_names(what: str, table: Mapping[str, Any], needed: set[str], optional: set[str]) -> None:
    """Raise a TypeError, which calls the TOML table `what`, if it lacks a needed field or has an unknown one."""
    if table.keys() - needed - optional or needed - table.keys():
        field_list = f"it has {', '.join(table)}"
        raise TypeError(
            f"{what} needs {', '.join(sorted(needed))}, and can have {', '.join(sorted(optional))}; {field_list}"
        )


def _make_place(rule: str, name: str, entry: Mapping[str, Any]) -> RulePlace:
    """Return the field `name` of a ready-made rule, made from its entry in a TOML file."""
    what = f"the place {name} of the ready-made rule {rule}"
    _check_field_names(what, entry, *PLACE_FIELDS)
    if sum(place_kind in entry for place_kind in PLACE_KINDS) != 1 or entry.get("chess", "") not in {"", *BOARD_PLACES}:
        raise WrongArgument(
            "kind-of-place-unknown",
            "{what} can take one of {takes}; for chess, one of {places}",
            what=what,
            takes=", ".join(PLACE_KINDS),
            places=", ".join(BOARD_PLACES),
        )
    words, number = entry.get("one_of"), entry.get("number")
    lists = {"one_of": {word: {} for word in words} if isinstance(words, list) else words}
    return RulePlace(name, **{**entry, **lists, "number": number and tuple(number)})


class ReadyMadeRule:
    """A ready-made rule with places; called with what is filled in, it returns the rule.

    Parameters
    ----------
    name : str
        The name by which it is made.
    told : mapping
        Its table in the file.

    Raises
    ------
    TypeError
        The table lacks something, or has what nothing reads; the message says what belongs there.

    Examples
    --------
    >>> print(rules_of_subject("points")["penalty_for"]("humming", 1))
    Penalty for humming
    Each time a player is reported for humming, that player loses 1 point. Anyone may report it.
        on deed when name == "humming": award -1 points to player
    >>> rules_of_subject("points")["tax"](1)
    Traceback (most recent call last):
    nomic_nb.engine.errors.WrongValue: the number of points must be a whole number from 2 to 1000, not 1
    """

    def __init__(self, name: str, told: Mapping[str, Any]) -> None:
        self.__name__ = name
        _check_field_names(f"the ready-made rule {name}", told, *RULE_FIELDS)
        self.title, self.wording, self.law = (str(told[field]) for field in ("title", "wording", "law"))
        self.amends: str = told.get("amends", "")
        self.words: str = told.get("words", "")
        self.places = tuple(
            _make_place(name, place_name, place) for place_name, place in told.get("places", {}).items()
        )
        texts = self.title + self.wording + self.law
        if idle := [place.name for place in self.places if f"{{{place.name}" not in texts]:
            raise TypeError(f"no text of the ready-made rule {name} has the places {', '.join(idle)}")
        self.__signature__ = inspect.Signature(
            [
                inspect.Parameter(
                    place.name,
                    inspect.Parameter.POSITIONAL_OR_KEYWORD,
                    default=place.default,
                    annotation=type(place.default),
                )
                for place in self.places
            ],
            return_annotation=LibraryRule,
        )
        lines = [
            f"{place.name} : {type(place.default).__name__}\n    {place.about}; {place.accepted_values_text}."
            for place in self.places
        ]
        self.__doc__ = "\n".join([told["about"], *(["", "Parameters", "----------", *lines] if lines else [])])

    def __call__(self, *args: Any, **named: Any) -> LibraryRule:
        """Fill in, and return the rule."""
        try:
            bound = self.__signature__.bind(*args, **named)
        except TypeError:
            raise WrongArgument(describe_misfit(self, args, named) or "") from None
        bound.apply_defaults()
        filled = {place.name: place.fill_in(bound.arguments[place.name], bound.arguments) for place in self.places}
        try:
            title, wording, law = (template.format_map(filled) for template in (self.title, self.wording, self.law))
        except KeyError as error:
            raise WrongArgument(
                "ready-made-rule-without-place",
                "the ready-made rule {name} has nothing called {place} to fill in",
                name=self.__name__,
                place=error.args[0],
            ) from None
        return LibraryRule(title, wording, law, self.amends)


@cache
def rules_of_subject(name: str) -> dict[str, ReadyMadeRule]:
    """Return the ready-made rules on a subject, such as “votes”, by name, in the order of the subject's file."""
    import tomllib

    told = tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
    return {rule: ReadyMadeRule(rule, fields) for rule, fields in told.items()}
