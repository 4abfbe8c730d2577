"""What the line and the body of a magic ask for."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from textwrap import dedent

from nomic_nb.errors import LawError
from nomic_nb.law.changes import KINDS, LONGEST_LAW, LONGEST_WORDING, Change, amend, enact, repeal, transmute
from nomic_nb.law.rules import Number
from nomic_nb.live.base import BaseGame

#: What may stand behind the kind of a change and its rule.
OPTIONS = ("part=", "add", "debate", "number=", 'title="…"')
#: A body has wording, law, and something between and around them.
LONGEST_BODY = LONGEST_WORDING + LONGEST_LAW + 1_000


class WordingError(ValueError):
    """A line that does not say what a magic needs to know."""


@dataclass(frozen=True)
class Body:
    """The body of a cell: wording, and law behind a line ``law:`` or ``---``.

    Parameters
    ----------
    wording, law : str or None
        None where nothing is there: what is, is kept.
    line : int
        The line of the cell that stands before the law; the magic's own is the first.
    """

    wording: str | None = None
    law: str | None = None
    line: int = 0


@dataclass(frozen=True)
class Asked:
    """A change, as a magic asks for it.

    Parameters
    ----------
    change : Change
        What is proposed.
    debate : bool
        Whether the vote is held back.
    number : int or str or None
        The number of the proposal, where others assign it.
    """

    change: Change
    debate: bool
    number: Number | None = None


def number_of(word: str) -> Number:
    """Return the number of a rule or a proposal as the game has it.

    Examples
    --------
    >>> number_of("203"), number_of("-110"), number_of("R8")
    (203, -110, 'R8')
    """
    return int(word) if re.fullmatch(r"-?\d{1,9}", word) else word


def words_of(line: str) -> list[str]:
    """Return the words of a line; what stands between quotation marks is one.

    Raises
    ------
    WordingError
        A quotation mark is not closed.
    """
    try:
        return shlex.split(line)
    except ValueError:
        raise WordingError("a quotation mark is not closed") from None


def take_player(game: BaseGame, line: str) -> tuple[str, str]:
    """Return the player whose name a line begins with, and the rest of the line.

    A name with blanks needs no quotation marks. A name that nobody has is returned as it stands; the
    game says who was meant.

    Raises
    ------
    WordingError
        There is no name.

    Examples
    --------
    >>> from nomic_nb.begin import new_game
    >>> take_player(new_game("discordian-nomic", ["Ann", "Ann Lee"], seed=7), "Ann Lee for 301")
    ('Ann Lee', 'for 301')
    """
    line = line.strip()
    for name in sorted(game.players, key=len, reverse=True):
        for said in (name, f'"{name}"', f"'{name}'"):
            if line == said or line.startswith(f"{said} "):
                return name, line[len(said) :].strip()
    if not line:
        raise WordingError(f"who does it? The players are {', '.join(game.players)}")
    first, _, rest = line.partition(" ")
    return first, rest.strip()


def split_body(body: str) -> Body:
    r"""Return wording and law of the body of a cell.

    Examples
    --------
    >>> split_body("Thirty points are enough.\nlaw:\nset win.points to 30")
    Body(wording='Thirty points are enough.', law='set win.points to 30', line=3)
    """
    lines = body.splitlines()
    marks = [line.strip().lower() for line in lines]
    at = next((marks.index(mark) for mark in ("law:", "---") if mark in marks), len(lines))
    wording = "\n".join(lines[:at]).strip() or None
    if at == len(lines):
        return Body(wording)
    law = lines[at + 1 :]
    blank = next((count for count, line in enumerate(law) if line.strip()), 0)
    return Body(wording, dedent("\n".join(law[blank:])).strip(), at + 2 + blank)


def read_change(line: str, body: str) -> Asked:
    """Return the change that a line and a body ask for.

    Parameters
    ----------
    line : str
        Such as ``amend 203 part=1 debate title="A majority"``.
    body : str
        Wording, and law behind a line ``law:`` or ``---``.

    Raises
    ------
    WordingError
        A word that has no place there.
    LawError
        A text that cannot be taken.

    Examples
    --------
    >>> read_change("repeal 204", "").change.headline
    'repeal rule 204'
    """
    if len(body) > LONGEST_BODY:
        raise LawError(f"wording and law have at most {LONGEST_BODY} characters together", found=str(len(body)))
    words = words_of(line)
    kind = words.pop(0) if words else ""
    if kind not in KINDS:
        raise WordingError(f"what is proposed is one of {', '.join(KINDS)}; found {kind or 'nothing'!r}")
    number: Number = ""
    if kind != "enact":
        if not words:
            raise WordingError(f"{kind} which rule? Its number comes after {kind}")
        number = number_of(words.pop(0))
    given = dict(_option(word) for word in words)
    text = split_body(body)
    assigned = number_of(given["number"]) if "number" in given else None
    return Asked(_made(kind, number, given, text), "debate" in given, assigned)


def _option(word: str) -> tuple[str, str]:
    name, _, value = word.partition("=")
    valued = ("part", "number", "title")
    if name not in ("add", "debate", *valued) or bool(value) is not (name in valued):
        raise WordingError(f"{word!r} has no place here; there are {', '.join(OPTIONS)}")
    if name == "part" and not value.isdigit():
        raise WordingError(f"part= is the place of an amendment, 1 for the first; found {value!r}")
    return name, value


def _made(kind: str, number: Number, given: dict[str, str], text: Body) -> Change:
    part = int(given["part"]) if "part" in given else None
    title, add = given.get("title", ""), "add" in given
    takes = {"enact": {"title"}, "amend": {"title", "part", "add"}, "repeal": {"part"}, "transmute": set()}[kind]
    wrong = [name for name in given if name not in takes | {"debate", "number"}]
    if wrong:
        raise WordingError(f"{kind} takes no {wrong[0]}")
    if kind in ("repeal", "transmute"):
        if text.wording or text.law:
            raise WordingError(f"{kind} has no wording and no law: it is said in one line")
        return transmute(number) if kind == "transmute" else repeal(number, part=part)
    if kind == "enact":
        return enact(text.wording or "", text.law or "", title)
    return amend(number, text.wording, text.law, title=title, part=part, add=add)


def placed(error: LawError, body: str) -> str:
    """Return what is wrong in a law, with the line of the cell in which it stands.

    Parameters
    ----------
    error : LawError
        With the line of the law.
    body : str
        The body of the cell.
    """
    text = split_body(body) if error.text else Body()
    if text.law is None:
        return str(error)
    said = str(error).partition(": ")
    return f"law, {said[0]} (line {text.line + error.line} of the cell): {said[2]}"
