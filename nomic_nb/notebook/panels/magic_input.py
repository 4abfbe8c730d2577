"""What the line and the body of a magic ask for."""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Callable, Mapping
from textwrap import dedent
from typing import Any

from nomic_nb.engine.errors import LawError, PlainRefusal
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import (
    CHANGE_KINDS,
    LONGEST_LAW,
    LONGEST_WORDING,
    MOST_PARTS,
    Change,
    Renaming,
    amend,
    enact,
    parse_rule_number,
    rename,
    repeal,
    reword,
    together,
    transmute,
    with_part_number,
)
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.messages import Message, say
from nomic_nb.notebook.live.base_game import BaseGame

#: What may stand behind the kind of a change and its rule.
CHANGE_OPTIONS = ("part=", "add", "apart", "debate", "number=", 'title="…"')
#: What a magic proposes: a change of one rule, and more; what makes it says what it takes.
TOGETHER_WORD = "together"
CHANGE_MAKERS: Mapping[str, Callable[..., Change | Renaming]] = {
    "enact": enact, "amend": amend, "repeal": repeal, "transmute": transmute, TOGETHER_WORD: together, "rename": rename,
    "reword": reword,
}  # fmt: skip
MAGIC_KINDS = tuple(CHANGE_MAKERS)
#: How many things each of them names: a rule, a proposal, two names.
_NUMBERS_NEEDED = {"enact": 0, TOGETHER_WORD: 0, "rename": 2}

#: How each of several changes begins in a cell, and how clauses do.
PART_START = re.compile(r"\s*change:", re.IGNORECASE)
LAW_STARTS = ("law:", "---")
#: What is asked where a line does not say what it is about.
_NUMBER_NEEDED = {
    "rename": say(
        "names-to-rename-missing",
        "rename what? Give the old name and the new one, e.g. rename coins shells",
    ),
    "reword": say("number-of-proposal-missing", "reword which proposal? Put its number after reword"),
}
#: A body has wording, law, and something between and around them.
LONGEST_BODY = LONGEST_WORDING + LONGEST_LAW + 1_000


class WordingError(PlainRefusal, ValueError):
    """A line that does not say what a magic needs to know."""


@frozen
class CellBody:
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


@frozen
class AskedChange:
    """A change, as a magic asks for it.

    Parameters
    ----------
    change : Change or Renaming
        What is proposed.
    debate : bool
        Whether the vote is held back.
    number : int or str or None
        The number of the proposal, where others assign it.
    """

    change: Change | Renaming
    debate: bool
    number: Number | None = None


def split_line(line: str) -> list[str]:
    """Return the words of a line; text in quotation marks is one word.

    Raises
    ------
    WordingError
        A quotation mark is not closed.
    """
    try:
        return shlex.split(line)
    except ValueError:
        raise WordingError(say("quotation-mark-not-closed", "a quotation mark isn’t closed")) from None


def split_off_player(game: BaseGame, line: str) -> tuple[str, str]:
    """Return the player named at the start of a line, and the rest of the line.

    A name with blanks needs no quotation marks. A name that nobody has is returned as it stands; the
    game says who was meant.

    Raises
    ------
    WordingError
        There is no name.

    Examples
    --------
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> split_off_player(new_game("discordian-nomic", ["Ann", "Ann Lee"], seed=7), "Ann Lee for 301")
    ('Ann Lee', 'for 301')
    """
    line = line.strip()
    for name in sorted(game.players, key=len, reverse=True):
        for sentence in (name, f'"{name}"', f"'{name}'"):
            if line == sentence or line.startswith(f"{sentence} "):
                return name, line[len(sentence) :].strip()
    if not line:
        raise WordingError(
            say(
                "player-missing",
                "start with a player’s name. The players are {players}",
                players=", ".join(game.players),
            )
        )
    first, _, rest = line.partition(" ")
    return first, rest.strip()


def split_body(body: str) -> CellBody:
    r"""Return a cell body's wording and law, each None if missing, and the number of the law's first line in it.

    Examples
    --------
    >>> split_body("Thirty points are enough.\nlaw:\nset win.points to 30")
    CellBody(wording='Thirty points are enough.', law='set win.points to 30', line=3)
    """
    lines = body.splitlines()
    marks = [line.strip().lower() for line in lines]
    at = next((marks.index(mark) for mark in LAW_STARTS if mark in marks), len(lines))
    wording = "\n".join(lines[:at]).strip() or None
    if at == len(lines):
        return CellBody(wording)
    law = lines[at + 1 :]
    blank = next((count for count, line in enumerate(law) if line.strip()), 0)
    return CellBody(wording, dedent("\n".join(law[blank:])).strip(), at + 2 + blank)


def read_magic_change(line: str, body: str) -> AskedChange:
    r"""Return the rule-change that a magic's line and cell body ask for, with its debate and number options.

    Parameters
    ----------
    line : str
        Such as ``amend 203 part=1 debate title="A majority"``, ``together``, ``rename coins shells``.
    body : str
        Wording, and law behind a line ``law:`` or ``---``. Of several changes together, each begins with a line such as
        ``change: repeal 204``.

    Raises
    ------
    WordingError
        A word that has no place there.
    LawError
        A text that cannot be taken.

    Examples
    --------
    >>> read_magic_change("repeal 204", "").change.headline
    'repeal rule 204'
    >>> parts = "change: repeal 204\nchange: amend 208\nlaw:\nset win.points to 50"
    >>> read_magic_change("together", parts).change.headline
    'make 2 changes together: repeal rule 204; amend rule 208'
    """
    words = split_line(line)
    kind = words.pop(0).lower() if words else ""
    if kind not in MAGIC_KINDS:
        raise WordingError(
            say(
                "no-such-kind-of-change",
                "a proposal must be one of {known}; found “{found}”",
                known=", ".join(MAGIC_KINDS),
                found=kind or "nothing",
            )
        )
    longest = LONGEST_BODY if kind != TOGETHER_WORD else MOST_PARTS * LONGEST_BODY
    if len(body) > longest:
        raise LawError(
            say("cell-too-long", "wording and clauses together can have at most {most} characters", most=longest),
            found=str(len(body)),
        )
    count = _NUMBERS_NEEDED.get(kind, 1)
    named, words = words[:count], words[count:]
    if len(named) < count:
        raise WordingError(
            _NUMBER_NEEDED.get(
                kind, say("number-of-rule-missing", "{kind} which rule? Put its number after {kind}", kind=kind)
            )
        )
    given = dict(_read_option(word) for word in words)
    takes = inspect.signature(CHANGE_MAKERS[kind]).parameters
    if wrong := [name for name in given if name not in (*takes, "debate", "number")]:
        raise WordingError(
            say("change-takes-no-such-option", "“{kind}” doesn’t take “{option}”", kind=kind, option=wrong[0])
        )
    assigned = parse_rule_number(given["number"]) if "number" in given else None
    if kind == TOGETHER_WORD:
        return AskedChange(_read_changes_together(given, body), "debate" in given, assigned)
    text = split_body(body)
    arguments: dict[str, Any] = {name: value for name, value in given.items() if name in takes and name != "number"}
    if "part" in arguments:
        arguments["part"] = int(arguments["part"])
    if "add" in arguments:
        arguments["add"] = True
    if "wording" in takes:
        arguments |= {"wording": text.wording, "law": text.law}
    elif text.wording or text.law:
        raise WordingError(
            say("change-said-in-one-line", "“{kind}” takes a single line, without wording or clauses", kind=kind)
        )
    return AskedChange(CHANGE_MAKERS[kind](*named, **arguments), "debate" in given, assigned)


def _read_option(word: str) -> tuple[str, str]:
    """Return the name and value of an option such as ``part=1``; the value of ``add`` is empty."""
    name, _, value = word.partition("=")
    valued = ("part", "number", "title")
    if name not in ("add", "apart", "debate", *valued) or bool(value) is not (name in valued):
        raise WordingError(
            say(
                "option-out-of-place",
                "“{found}” can’t be used here. You can use {known}",
                found=word,
                known=", ".join(CHANGE_OPTIONS),
            )
        )
    if name == "part" and not value.isdigit():
        raise WordingError(
            say(
                "part-not-a-place",
                "part= must be the number of an amendment, 1 for the first; found “{found}”",
                found=value,
            )
        )
    return name, value


@frozen
class CellPart:
    """One of several changes in a cell: what stands behind ``change:``, its body, and the lines above that."""

    line: str
    body: str
    before: int


def split_changes(body: str) -> list[CellPart]:
    """Return the parts of a cell body, one for each of several changes to be made together.

    Raises
    ------
    WordingError
        Something stands before the first of them.
    """
    lines = body.splitlines()
    begins = [at for at, line in enumerate(lines) if PART_START.match(line)]
    if "".join(lines[: begins[0] if begins else None]).strip() or not begins:
        raise WordingError(
            say(
                "parts-begin-with-change",
                "each change must start with a line such as `change: repeal 204` or `change: enact`",
            )
        )
    return [
        CellPart(lines[at].partition(":")[2], "\n".join(lines[at + 1 : end]), at + 1)
        for at, end in zip(begins, [*begins[1:], len(lines)], strict=True)
    ]


def _read_changes_together(options: dict[str, str], body: str) -> Change:
    """Return one change that makes all changes in a cell body, separately voted if “apart” is in `options`."""
    changes = []
    for at, part in enumerate(split_changes(body), 1):
        try:
            asked = read_magic_change(part.line, part.body)
            if not isinstance(asked.change, Change) or asked.change.kind not in CHANGE_KINDS:
                raise WordingError(
                    say(
                        "part-of-unknown-kind",
                        "a change made together with others must be one of {known}",
                        known=", ".join(CHANGE_KINDS),
                    )
                )
            if asked.debate or asked.number is not None:
                raise WordingError(
                    say(
                        "debate-inside-a-part",
                        "put debate and number= after together, not after one of its changes",
                    )
                )
            changes.append(asked.change)
        except WordingError as error:
            raise WordingError(error.said.embed_in("part {part}: {message}", part=at)) from None
        except LawError as error:
            raise with_part_number(error, at) from None
    return together(*changes, apart="apart" in options)


def error_in_cell(error: LawError, body: str) -> Message:
    """Return the message of an error in clauses, with the number of the cell's line in which it is.

    Parameters
    ----------
    error : LawError
        With the line of the law, and which of several changes it is in.
    body : str
        The body of the cell.
    """
    before = 0
    if error.part is not None and error.text:
        part = split_changes(body)[error.part - 1]
        body, before = part.body, part.before
    text = split_body(body) if error.text else CellBody()
    if text.law is None:
        return error.said
    return error.message.embed_in(
        "law, line {line}, column {column} (line {of_cell} of the cell): {message}{more}",
        line=error.line,
        column=error.column,
        of_cell=before + text.line + error.line,
        more=str(error).partition(error.message)[2],
    )
