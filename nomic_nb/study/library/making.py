"""What a ready-made rule is, and the checks of what is put into one."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change, amend, enact
from nomic_nb.engine.law.hints import everyday
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.shown import Shown
from nomic_nb.engine.words import plural


@frozen
class LibraryRule(Shown):
    """A rule that can be proposed as it is.

    Parameters
    ----------
    title, wording, law : str
        As in the rule that it makes.
    amends : str
        Which rule it is made to amend, in words; empty where it is made to stand as a new one.
    """

    title: str
    wording: str
    law: str
    amends: str = ""

    def change(self, number: Number | None = None, *, add: bool = False) -> Change:
        """Return the proposal that makes this rule.

        Parameters
        ----------
        number : int or str, optional
            Amend this rule with it; None enacts a new one.
        add : bool
            Stand beside what the amended rule says, and not in place of it.
        """
        if number is None:
            return enact(self.wording, self.law, self.title)
        return amend(number, self.wording, self.law, title="" if add else self.title, add=add)

    def ending_after(self, count: int = 6, unit: str = "turns") -> LibraryRule:
        """Return the same rule with a sunset: it repeals itself once so many more turns, or rounds, have ended.

        Parameters
        ----------
        count : int
            From 1 to 500.
        unit : str
            ``turns``, each of a single player; or ``rounds``, each with a turn of every player, which is what
            Make-A-Rule Chess calls a turn.

        Examples
        --------
        >>> from nomic_nb.study import library
        >>> print(library.another_die(20).ending_after(4))
        A die with 20 sides, for 4 single turns
        The die that is thrown in a turn has 20 sides, numbered from 1 to 20. This rule is repealed by itself once
        4 turns of single players have ended after it was made, even if it was amended meanwhile.
            set dice.sides to 20
            on enacted when rule == this: after 4 turns: repeal this
            on amended when rule == this: after 4 turns: repeal this
        >>> library.another_die(20).ending_after(2, "rounds").title
        'A die with 20 sides, for 2 rounds'
        """
        whole("the number of turns or rounds", count, 1, 500)
        rounds = one_of("the unit", unit, ("turns", "rounds")) == "rounds"
        title, said = (plural(count, "round"),) * 2 if rounds else (plural(count, "single turn"), single_turns(count))
        ended, law_unit = "has" if count == 1 else "have", "circuits" if rounds else "turns"
        return replace(
            self,
            title=f"{self.title}, for {title}",
            wording=f"{self.wording} This rule is repealed by itself once {said} {ended} ended after it was made, "
            "even if it was amended meanwhile.",
            law=f"{self.law}\non enacted when rule == this: after {count} {law_unit}: repeal this\n"
            f"on amended when rule == this: after {count} {law_unit}: repeal this",
        )

    def __str__(self) -> str:
        return "\n".join([self.title, self.wording, *(f"    {line}" for line in self.law.splitlines())])


def whole(what: str, number: int, least: int, most: int) -> int:
    """Return a whole number, or refuse it.

    Raises
    ------
    ValueError
        It is none, or not from `least` to `most`.
    """
    if type(number) is not int or not least <= number <= most:
        raise WrongValue(f"{what} is a whole number from {least} to {most}; found {number!r}")
    return number


def text(what: str, said: str, most: int = 60) -> str:
    """Return a text that can stand in a clause, without blanks around it, or refuse it.

    Raises
    ------
    ValueError
        It is empty, too long, or has letters in it that clauses do not take.
    """
    plain = said.strip() if isinstance(said, str) else ""
    odd = any(letter in '"\\#' or unicodedata.category(letter)[0] == "C" for letter in plain)
    if not plain or len(plain) > most or odd:
        raise WrongValue(f"{what} has 1 to {most} letters, without quotation marks, # and \\; found {str(said)[:80]!r}")
    return plain


def counter(what: str, name: str) -> str:
    """Return a word under which something can be counted, or refuse it.

    Raises
    ------
    ValueError
        It is not one small word, or it means something already.
    """
    plain = name.strip() if isinstance(name, str) else ""
    # Of the words that the law keeps for itself, these are refused at once; the others when the rule is proposed.
    if not re.fullmatch(r"[a-z]{2,30}(_[a-z]{1,20})?", plain) or plain in everyday("kept"):
        raise WrongValue(
            f"{what} is a word in small letters that means nothing yet, such as coins; found {str(name)[:80]!r}"
        )
    return plain


def one_of(what: str, said: str, known: tuple[str, ...]) -> str:
    """Return one of several words, or refuse another.

    Raises
    ------
    ValueError
        It is none of them.
    """
    if said not in known:
        raise WrongValue(f"{what} is one of {', '.join(known)}; found {str(said)[:80]!r}")
    return said


def slug(said: str) -> str:
    """Return a word for a counter that goes with a text: equal texts give equal words.

    Examples
    --------
    >>> slug("Long live the rules!")
    'long_live_the_rules'
    """
    plain = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in said.casefold())
    words = "_".join(plain.split())[:40].strip("_")
    rest = "" if said.isascii() else "_" + "_".join(f"{ord(letter):x}" for letter in said if not letter.isascii())[:40]
    return (words or "text") + rest.rstrip("_")


def every(number: int, one: str) -> str:
    """Return how often.

    Examples
    --------
    >>> every(1, "circuit"), every(3, "circuit")
    ('every circuit', 'every 3rd circuit')
    """
    return f"every {one}" if number == 1 else f"every {ordinal(number)} {one}"


def single_turns(number: int) -> str:
    """Return so many turns, each of one player, also where rules call something else a turn.

    Examples
    --------
    >>> single_turns(1), single_turns(4)
    ('1 turn of a single player', '4 turns of single players')
    """
    return "1 turn of a single player" if number == 1 else f"{number} turns of single players"


def ordinal(number: int) -> str:
    """Return a place in a count.

    Examples
    --------
    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 21)]
    ['1st', '2nd', '3rd', '4th', '11th', '21st']
    """
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else endings.get(number % 10, 'th')}"


def money(number: int, name: str) -> str:
    """Return so much of a currency.

    Examples
    --------
    >>> money(1, "coins"), money(5, "coins")
    ('one of the coins', '5 coins')
    """
    return f"one of the {name}" if number == 1 else f"{number} {name}"
