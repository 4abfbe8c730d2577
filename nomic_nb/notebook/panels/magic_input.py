"""Reading the line and the body of a magic."""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
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
from nomic_nb.engine.play.values import BALLOTS
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.study import library

#: What may come after the kind of a change and its rule.
CHANGE_OPTIONS = ("part=", "add", "apart", "debate", "number=", 'title="…"')
OPTION_NAMES = tuple(option.partition("=")[0] for option in CHANGE_OPTIONS)
#: The changes that a magic proposes; each function declares what it takes.
TOGETHER_WORD = "together"
CHANGE_MAKERS: Mapping[str, Callable[..., Change | Renaming]] = {
    "enact": enact, "amend": amend, "repeal": repeal, "transmute": transmute, TOGETHER_WORD: together, "rename": rename,
    "reword": reword,
}  # fmt: skip
MAGIC_KINDS = tuple(CHANGE_MAKERS)
#: How many things each of them names: a rule, a proposal, two names.
_NUMBERS_NEEDED = {"enact": 0, TOGETHER_WORD: 0, "rename": 2}

#: How a line names a ready-made rule, with what is filled in: ``another_die(20)``, ``amend 203 simple_majority``.
_READY_MADE = re.compile(
    r"\s*(?:enact\s+|amend\s+(?P<target>[^\s,]+),?\s+)?(?:nb\.)?(?:library\.)?(?P<name>[a-z]\w*)"
    r"(?:\((?P<values>[^()]*)\))?,?(?P<rest>\s.*|)$",
    re.IGNORECASE,
)
#: How each of several changes begins in a cell, and how clauses do.
PART_START = re.compile(r"\s*change:", re.IGNORECASE)
LAW_STARTS = ("law:", "---")
_LAW_START = re.compile(r"\s*(law:|---\s*$)", re.IGNORECASE)
#: The question if a line does not name its subject.
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
    """The body of a cell: wording, and law after a line ``law:`` or ``---``.

    Parameters
    ----------
    wording, law : str or None
        None if nothing is there: what is, is kept.
    line : int
        The line of the cell that comes before the law; the magic's own is the first.
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


#: Quotation marks as phones and word processors type them.
_QUOTES = str.maketrans("“”„‟", '""""')
#: What may follow a name, and signs between words that mean nothing.
_NAME_END = re.compile(r"(?=[\s,;:]|$)[\s,;:]*")


def split_line(line: str) -> list[str]:
    """Return the words of a line, without commas after them; text in quotation marks is one word.

    Raises
    ------
    WordingError
        A quotation mark is not closed.

    Examples
    --------
    >>> split_line("amend 203, title=“A majority”")
    ['amend', '203', 'title=A majority']
    """
    try:
        words = shlex.split(line.translate(_QUOTES))
    except ValueError:
        raise WordingError("quotation-mark-not-closed", "a quotation mark isn’t closed") from None
    return [word.rstrip(",;") or word for word in words if word not in (",", ";")]


def split_off_name(names: Sequence[str], line: str) -> tuple[str, str] | None:
    """Return the name that a line begins with, and the rest; None if it begins with none of these names.

    Capitals do not matter, and the first word of a name is enough if no other name begins with it.

    Raises
    ------
    WordingError
        Several players could be meant.

    Examples
    --------
    >>> split_off_name(["Ann", "Cleo Lee"], "cleo, for 301")
    ('Cleo Lee', 'for 301')
    """
    line = line.translate(_QUOTES).strip()
    firsts = {name: name.split()[0] for name in names if len(name.split()) > 1}
    forms = [(name, form) for name in names for form in (name, f'"{name}"', f"'{name}'")] + list(firsts.items())
    forms = [(name, form.translate(_QUOTES)) for name, form in forms]
    found = [
        (len(form), line[: len(form)] == form, name, line[end.end() :])
        for name, form in forms
        if line[: len(form)].casefold() == form.casefold() and (end := _NAME_END.match(line, len(form)))
    ]
    best = max((one[:2] for one in found), default=None)
    meant = {name: rest.strip() for length, exact, name, rest in found if (length, exact) == best}
    if len(meant) > 1:
        raise WordingError(
            "player-ambiguous",
            "“{found}” could be {players}. Write the whole name, with its capitals",
            found=line[: best[0]] if best else line,
            players=" or ".join(meant),
        )
    return next(iter(meant.items()), None)


def split_off_player(game: BaseGame, line: str) -> tuple[str, str]:
    """Return the player named at the start of a line, and the rest of the line.

    Names with blanks do not need quotation marks. A name that nobody has is returned unchanged; the game says
    who was meant.

    Raises
    ------
    WordingError
        There is no name, or several players could be meant.

    Examples
    --------
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> split_off_player(new_game("discordian-nomic", ["Ann", "Ann Lee"], seed=7), "ann lee, for 301")
    ('Ann Lee', 'for 301')
    """
    line = line.strip(" \t,;")
    if not line:
        raise WordingError(
            "player-missing", "start with a player’s name. The players are {players}", players=", ".join(game.players)
        )
    if found := split_off_name(game.players, line):
        return found
    first, _, rest = line.partition(" ")
    return first.rstrip(",;:") or first, rest.strip()


@frozen
class AskedBallots:
    """The ballots that a line asks for: those of named players, of all others (None: no others), and on what."""

    named: tuple[tuple[str, str], ...]
    others: str | None = None
    proposal: Number | None = None


#: Words for everybody who is not named.
_OTHERS = re.compile(r"((all )?(the )?(others|rest)|every(body|one)( else)?|all)\b", re.IGNORECASE)


def read_ballots(names: Sequence[str], line: str, choices: Collection[str] = BALLOTS) -> AskedBallots:
    """Return the ballots that a line such as ``Cleo against, others for`` asks for; an empty one, that all vote for.

    Raises
    ------
    WordingError
        The line has a name without a ballot, or a word that is no name, no ballot and no number.

    Examples
    --------
    >>> read_ballots(["Ann", "Ben", "Cleo"], "ann and Ben for, Cleo against on 301").named
    (('Ann', 'for'), ('Ben', 'for'), ('Cleo', 'against'))
    """
    named: list[tuple[str, str]] = []
    voters: list[str | None] = []  # None for all others
    others, proposal, rest = None, None, line.strip(" \t,;")
    while rest:
        begun = rest.split()[0]
        word = begun.rstrip(",;:").casefold()
        after, found = rest[len(begun) :], None
        if word not in choices or begun in names:
            found = split_off_name(names, rest)
        if found is not None:
            voters.append(found[0])
            after = found[1]
        elif word in choices:
            others = word if None in voters or not voters else others
            named += [(name, word) for name in voters if name is not None]
            voters = []
        elif stand_in := _OTHERS.match(rest):
            voters.append(None)
            after = rest[stand_in.end() :]
        elif re.fullmatch(r"-?\d+", word):
            proposal = parse_rule_number(word)
        elif word not in ("and", "&", "on", "proposal", "vote", "votes"):
            raise _unreadable_ballots(names, begun)
        rest = after.strip(" \t,;")
    if voters:
        raise _unreadable_ballots(names, str(voters[0] or "the others"))
    return AskedBallots(tuple(named), others or (None if named else "for"), proposal)


def _unreadable_ballots(names: Sequence[str], found: str) -> WordingError:
    """Return the error that a line of ballots cannot be read from the word `found` on."""
    return WordingError(
        "ballots-unreadable",
        "say who votes how, e.g. {player} against, others for; found “{found}”. The players are {players}",
        player=names[-1],
        found=found,
        players=", ".join(names),
    )


def split_body(body: str) -> CellBody:
    r"""Return a cell body's wording and law, each None if missing, and the number of the law's first line in it.

    Examples
    --------
    >>> split_body("Thirty points are enough.\nlaw:\nset win.points to 30")
    CellBody(wording='Thirty points are enough.', law='set win.points to 30', line=3)
    """
    lines = body.splitlines()
    at = next((at for at, line in enumerate(lines) if _LAW_START.match(line)), len(lines))
    wording = "\n".join(lines[:at]).strip() or None
    if at == len(lines):
        return CellBody(wording)
    beside = lines[at].strip().removeprefix("---")[len("law:") :].strip()
    law = [beside, *lines[at + 1 :]] if beside else lines[at + 1 :]
    blank = next((count for count, line in enumerate(law) if line.strip()), 0)
    return CellBody(wording, dedent("\n".join(law[blank:])).strip(), at + (1 if beside else 2) + blank)


def read_magic_change(line: str, body: str) -> AskedChange:
    r"""Return the rule change that a magic's line and cell body ask for, with its debate and number options.

    Parameters
    ----------
    line : str
        Such as ``amend 203 part=1 debate title="A majority"``, ``together``, ``rename coins shells``.
    body : str
        Wording, and law after a line ``law:`` or ``---``. Of several changes together, each begins with a line such as
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
    if ready := _read_ready_made(line, body):
        return ready
    words = split_line(line)
    if not words or words[0].partition("=")[0] in OPTION_NAMES:  # nothing said: a new rule, or several changes
        words.insert(0, TOGETHER_WORD if PART_START.match(body.lstrip()) else "enact")
    kind = words.pop(0).lower()
    if kind not in MAGIC_KINDS:
        near = get_close_matches(kind, MAGIC_KINDS, 1)
        message = say(
            "no-such-kind-of-change",
            "a proposal must be one of {known}, or the name of a ready-made rule; found “{found}”",
            known=", ".join(MAGIC_KINDS),
            found=kind,
        )
        raise WordingError(
            message.embed_in("{message}. Did you mean {near}?", near=near[0])
            if near
            else message.embed_in("{message}. The wording of a new rule belongs on the lines below %%propose")
        )
    longest = LONGEST_BODY if kind != TOGETHER_WORD else MOST_PARTS * LONGEST_BODY
    if len(body) > longest:
        raise LawError(
            "cell-too-long",
            "wording and clauses together can have at most {most} characters",
            most=longest,
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
    _check_options(kind, given, takes)
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
            "change-said-in-one-line", "“{kind}” takes a single line, without wording or clauses", kind=kind
        )
    return AskedChange(CHANGE_MAKERS[kind](*named, **arguments), "debate" in given, assigned)


def _read_ready_made(line: str, body: str) -> AskedChange | None:
    """Return the change that names a ready-made rule, such as ``amend 203 simple_majority``; None if it names none."""
    match = _READY_MADE.match(line)
    entry = next((one for one in library.catalogue if match is not None and one.name == match["name"].lower()), None)
    if match is None or entry is None:
        return None
    if body.strip():
        raise WordingError(
            "ready-made-with-text",
            "{name} is ready made, so it takes no wording or clauses. Leave out the lines below, or the name",
            name=entry.name,
        )
    given = dict(map(_read_option, split_line(match["rest"])))
    _check_options(entry.name, given, ["add"])
    values: list[int | str] = []
    named: dict[str, int | str] = {}
    for argument in filter(None, split_line((match["values"] or "").replace(",", " "))):
        name, equals, value = argument.rpartition("=")
        read = int(value) if re.fullmatch(r"-?\d+", value) else value
        named |= {name: read} if equals else {}
        values += [] if equals else [read]
    rule = entry.make(*values, **named)
    target = None if match["target"] is None else parse_rule_number(match["target"])
    number = parse_rule_number(given["number"]) if "number" in given else None
    return AskedChange(rule.change(target, add="add" in given), "debate" in given, number)


def _check_options(kind: str, given: Iterable[str], takes: Collection[str]) -> None:
    """Refuse an option that a kind of change, or a ready-made rule, does not take."""
    if wrong := [name for name in given if name not in (*takes, "debate", "number")]:
        raise WordingError(
            "change-takes-no-such-option", "“{kind}” doesn’t take “{option}”", kind=kind, option=wrong[0]
        )


def _read_option(word: str) -> tuple[str, str]:
    """Return the name and value of an option such as ``part=1``; the value of ``add`` is empty."""
    name, _, value = word.partition("=")
    valued = ("part", "number", "title")
    if name not in ("add", "apart", "debate", *valued) or bool(value) is not (name in valued):
        raise WordingError(
            "option-out-of-place",
            "“{found}” can’t be used here. You can use {known}",
            found=word,
            known=", ".join(CHANGE_OPTIONS),
        )
    if name == "part" and not re.fullmatch("[0-9]{1,9}", value):
        raise WordingError(
            "part-not-a-place",
            "part= must be the number of an amendment, 1 for the first; found “{found}”",
            found=value,
        )
    return name, value


@frozen
class CellPart:
    """One of several changes in a cell: what comes after ``change:``, its body, and the lines above that."""

    line: str
    body: str
    before: int


def split_changes(body: str) -> list[CellPart]:
    """Return the parts of a cell body, one for each of several changes to be made together.

    Raises
    ------
    WordingError
        Something comes before the first of them.
    """
    lines = body.splitlines()
    begins = [at for at, line in enumerate(lines) if PART_START.match(line)]
    if "".join(lines[: begins[0] if begins else None]).strip() or not begins:
        raise WordingError(
            "parts-begin-with-change",
            "each change must start with a line such as `change: repeal 204` or `change: enact`",
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
                    "part-of-unknown-kind",
                    "a change made together with others must be one of {known}",
                    known=", ".join(CHANGE_KINDS),
                )
            if asked.debate or asked.number is not None:
                raise WordingError(
                    "debate-inside-a-part", "put debate and number= after together, not after one of its changes"
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
    if error.code == "wording-missing" and error.part is None:
        return error.message.embed_in("{message}. Write it below the line with the player’s name")
    if text.law is None:
        return error.said
    return error.message.embed_in(
        "law, line {line}, column {column} (line {of_cell} of the cell): {message}{more}",
        line=error.line,
        column=error.column,
        of_cell=before + text.line + error.line,
        more=str(error).partition(error.message)[2],
    )
