"""Rule changes as they are proposed, and the requirements on their form, texts and size."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from textwrap import dedent
from typing import Any

from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import LawError, WrongArgument
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.confusables import find_invisible, find_lookalike
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.engine.law.rules import Number, Rule, RuleBook
from nomic_nb.engine.messages import Message, say

# --------------------------------------------------------------------------------------------------- a rule-change


#: Characters that a title may have.
LONGEST_TITLE = 120
#: The kinds of change of one rule; and all kinds that can be proposed.
CHANGE_KINDS = ("enact", "amend", "repeal", "transmute")
PROPOSABLE_KINDS = (*CHANGE_KINDS, "together", "revise")
#: Characters that a wording, and the law of one rule, may have.
LONGEST_WORDING, LONGEST_LAW = 8_000, 8_000
#: Bytes that a change may take in a record, where letters beyond ASCII take six or twelve.
LARGEST_CHANGE = 60_000
#: Empty lines in a row, and blanks in a row within a line: readers would miss text after more than these.
MOST_EMPTY, MOST_BLANKS = 5, 40
_GAP = re.compile(rf"(?:[^\S\n]*\n){{{MOST_EMPTY + 2},}}|(?<=\S)[^\S\n]{{{MOST_BLANKS + 1},}}(?=\S)")
#: Rules that one change repeals.
MOST_TOGETHER = 500
#: Changes that one proposal makes together.
MOST_PARTS = 50


def default_title(wording: str) -> str:
    r"""Return the title that a rule gets if its author gives none: the first words of its wording.

    Examples
    --------
    >>> default_title("Fifty points are enough to win, whoever has them.")
    'Fifty points are enough to win'
    >>> default_title("# The rules come first\n\nAll players must always obey the rules.")
    'The rules come first'
    >>> default_title("A player who has lost all of the coins is out.")
    'A player who has lost…'
    >>> default_title("Whoever says thank you gets 1 point.")
    'Whoever says thank you gets 1 point'
    """
    if wording.startswith("#") and (heading := wording.partition("\n")[0].strip("# ")):
        return _cut(heading)
    words = wording.split()
    kept = words[:6]
    if len(words) > len(kept) and not kept[-1].endswith(_ENDS):
        at = next((at for at, word in enumerate(words[:8]) if at > 1 and word.endswith(_ENDS)), None)
        if at is None:  # it would end in the middle of a phrase
            while len(kept) > 2 and (kept[-1].lower() in everyday_table("leading") or kept[-1].isdecimal()):
                kept.pop()
            return _cut(" ".join(kept) + "…")
        kept = words[: at + 1]
    title = " ".join(kept).rstrip(".,;: ") or wording
    return _cut(f"{title}…" if title.rpartition(" ")[2].lower() in everyday_table("leading") else title)


def _cut(title: str) -> str:
    """Return a title that has no more letters than a title may have; the last whole word is followed by “…”."""
    if len(title) <= LONGEST_TITLE:
        return title
    return f"{title[: LONGEST_TITLE - 1].rpartition(' ')[0] or title[: LONGEST_TITLE - 1]}…"


#: What a phrase ends with.
_ENDS = (".", ",", ";", ":", "!", "?")


@frozen
class Change(Displayed):
    """A rule change, ready to be proposed.

    Make one with `enact`, `amend`, `repeal`, `transmute`, `together`, `reword` or `rename`.

    Parameters
    ----------
    kind : str
        ``enact``, ``amend``, ``repeal`` or ``transmute``; ``together`` for several changes, and ``revise`` for a new
        version of a proposal.
    target : int or str or None
        Number of the rule to change; None for a new rule.
    wording, law : str or None
        New wording and clauses; None keeps the old ones.
    title : str
        Short name; empty keeps the old one, or takes the first words.
    part : int or None
        Number of the amendment to change, starting from 1; None for the rule itself.
    add : bool
        Whether an amendment is added to the rule instead of replacing its text.
    universe : str
        The only universe that a new rule or a repeal applies to; empty for all.
    standing : str
        Tier requested for a new rule; empty if the rules in force decide it.
    also : tuple of int or str
        Numbers of other rules that are repealed with it.
    parts : tuple of Change
        Changes that are made together; empty for a single change.
    apart : bool
        Whether the changes are submitted together but voted on separately.
    renames : tuple of (str, str) or nothing
        Old and new name of a counter that is renamed.
    revises : int or str or None
        Number of the proposal that gets a new version.
    """

    kind: str
    target: Number | None = None
    wording: str | None = None
    law: str | None = None
    title: str = ""
    part: int | None = None
    add: bool = False
    universe: str = ""
    standing: str = ""
    also: tuple[Number, ...] = ()
    parts: tuple[Change, ...] = ()
    apart: bool = False
    renames: tuple[str, ...] = ()
    revises: Number | None = None

    @property
    def headline(self) -> str:
        """The change in a few words, such as “repeal rule 201”.

        Examples
        --------
        >>> from nomic_nb.engine.law.changes import amend, repeal
        >>> repeal(204).headline
        'repeal rule 204'
        >>> amend(203, "A majority is enough.", part=1).headline
        'amend amendment 1 of rule 203'
        """
        there = f" for {self.universe}" if self.universe else ""
        if self.kind == "together":
            how = "make {} separate changes: {}" if self.apart else "make {} changes together: {}"
            if self.renames:
                how = f"rename {self.renames[0]} to {self.renames[1]}: {{1}}"
            return how.format(len(self.parts), "; ".join(change.headline for change in self.parts))
        if self.kind == "revise":
            part = f"part {self.part} of " if self.part is not None else ""
            return f"revise {part}proposal {self.revises}"
        if self.kind == "enact":
            what = f" as {self.standing}" if self.standing else ""
            return f"enact “{self.title}”{what}{there}"
        where = f"rule {self.target}" if self.part is None else f"amendment {self.part} of rule {self.target}"
        if self.also:
            where = f"rules {', '.join(map(str, (self.target, *self.also)))}"
        return f"{self.kind} {where}{there}"

    @property
    def all_wording(self) -> str:
        """The new wordings, for people, that the change and its parts bring, joined into one text."""
        return "\n\n".join(change.wording for change in self.numbered_changes if change.wording)

    @property
    def all_law(self) -> str:
        """The new machine-readable clauses that the change and its parts bring, as one text."""
        return "\n".join(change.law for change in self.numbered_changes if change.law)

    @property
    def given_title(self) -> str | None:
        """The title that the change's author gave; None if it is just the default, the wording's first words."""
        words = self.wording or ""
        older = " ".join(words.split()[:6])[:LONGEST_TITLE].rstrip(".,;: ")  # as records of before have it
        return self.title if self.title and self.title not in (default_title(words), older) else None

    @property
    def comparison_key(self) -> tuple[object, ...]:
        """A tuple that is equal for two changes with the same content, regardless of titles and capitalization."""
        texts = (" ".join((text or "").casefold().split()) for text in (self.wording, self.law))
        given = (self.wording is not None, self.law is not None)
        parts = tuple(change.comparison_key for change in self.parts)
        own = (self.kind, self.target, self.part, self.add, self.universe, self.standing, self.also, self.revises)
        return (*own, given, *texts, parts)

    @property
    def numbered_changes(self) -> tuple[Change, ...]:
        """The changes that get separate proposal numbers: the parts of a joint change, or this change alone."""
        return self.parts or (self,)

    @property
    def is_wordless(self) -> bool:
        """Whether the change adds no new text, because it only repeals or transmutes rules."""
        return all(change.kind in ("repeal", "transmute") for change in self.numbered_changes)

    @property
    def single_rule_changes(self) -> tuple[Change, ...]:
        """The same change as several ones, each of which enacts, amends, repeals or transmutes one rule."""
        if self.parts:
            return tuple(change for part in self.parts for change in part.single_rule_changes)
        return (
            tuple(replace(self, target=target, also=()) for target in (self.target, *self.also))
            if self.also
            else (self,)
        )

    @property
    def target_numbers(self) -> tuple[Number | None, ...]:
        """The number of each rule that the change amends, repeals or transmutes; None for each new rule."""
        return (
            tuple(target for part in self.parts for target in part.target_numbers)
            if self.parts
            else (self.target, *self.also)
        )

    def to_json(self) -> dict[str, Any]:
        """Return the change as a JSON-ready dict, for the record of a game."""
        data = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in vars(self).items()
            if value or (value is not None and name in ("wording", "law"))  # which may be taken away
        }
        return {**data, "parts": [change.to_json() for change in self.parts]} if self.parts else data

    def __str__(self) -> str:
        sentences = [self.headline]
        if self.wording:
            sentences.append(self.wording)
        if self.law:
            sentences += [f"    {line}" for line in self.law.splitlines()]
        for at, part in enumerate(self.parts, 1):
            first, *more = str(part).splitlines()
            sentences += [f"{at}. {first}", *(f"   {line}" for line in more)]
        return "\n".join(sentences)


def change_from_json(data: dict[str, Any]) -> Change:
    """Return the change that `Change.to_json` stored in a dict; raise `LawError` if it is malformed.

    Raises
    ------
    LawError
        Where a field is unknown or holds something else than it should.
    """
    for name, value in data.items():
        wanted = _TAKES.get(name, ())
        if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
            raise LawError(
                "change-field-unknown",
                "a change has no field {name!r}, or its value is wrong",
                name=name,
                found=repr(value)[:40],
                expected=", ".join(_TAKES),
            )
    if data.get("kind") not in PROPOSABLE_KINDS:
        raise LawError(
            "change-kind-unknown",
            "there is no such kind of change",
            found=repr(data.get("kind")),
            expected=", ".join(PROPOSABLE_KINDS),
        )
    parts = data.get("parts", [])
    if len(parts) > MOST_PARTS or not all(isinstance(part, dict) and "parts" not in part for part in parts):
        raise LawError(
            "too-many-parts",
            "you can combine at most {most} changes, and none of them can have parts of its own",
            most=MOST_PARTS,
            found=f"{len(parts)}",
        )
    return check_form(restore_change(data))


_PLAIN = {"str": (str,), "str | None": (str,), "Number | None": (int, str), "int | None": (int,), "bool": (bool,)}
#: Types of the fields of a change in plain data; a list by default.
_TAKES: Mapping[str, tuple[type, ...]] = {
    field.name: _PLAIN.get(str(field.type), (list, tuple)) for field in fields(Change)
}  # fmt: skip


def restore_change(data: Mapping[str, Any]) -> Change:
    """Return the change that `Change.to_json` stored in a dict, without validating it."""
    lists = {
        name: tuple(map(restore_change, data[name]) if name == "parts" else data[name])
        for name in ("also", "parts", "renames")
        if name in data
    }
    return Change(**{**data, **lists})


def check_form(change: Change) -> Change:
    """Return a change unchanged; raise `LawError` if a field is missing, superfluous, too long or unstorable."""
    if change.kind == "together" or change.parts or change.apart or change.renames:
        _check_joint_parts(change)
    elif (change.kind == "revise") != (change.revises is not None):
        raise LawError(
            "revision-number-misfit",
            "a revision needs the number of a proposal, and other changes can’t have one",
            found=change.kind,
        )
    elif wrong := _target_error(change) or _content_error(change) or _repeal_error(change):
        raise LawError(wrong, found=repr(change.headline))
    for name, text, longest in (
        ("wording", change.wording, LONGEST_WORDING), ("law", change.law, LONGEST_LAW),
        ("title", change.title, LONGEST_TITLE), ("name of a universe", change.universe, LONGEST_TITLE),
        ("standing", change.standing, LONGEST_TITLE),
    ):  # fmt: skip
        check_text_storable(name, text or "", longest)
        check_layout(name, text or "")
    size = len(json.dumps(change.to_json()))
    if size > LARGEST_CHANGE:
        raise LawError(
            "change-too-large",
            "this change takes more than {largest} bytes in the record",
            largest=LARGEST_CHANGE,
            found=f"{size}",
        )
    if change.wording is not None and not change.wording.strip():
        raise LawError(
            "wording-missing", "a rule needs wording", found="nothing", expected="a sentence that people can read"
        )
    return change


def _target_error(change: Change) -> Message | None:
    """Return a message if a change's rule number is missing, or its rule, tier or universe not allowed; else None."""
    kind = change.kind
    if kind in ("enact", "revise"):
        if change.target is not None or change.add or (change.part is not None and kind == "enact"):
            what = "a new rule" if kind == "enact" else "a revision of a proposal"
            return say("target-not-taken", "{what} doesn’t change an existing rule, so don’t name one", what=what)
    elif change.target is None:
        return say("target-needed", "to {kind} a rule, give its number", kind=kind)
    if change.standing and kind != "enact":
        return say("standing-misplaced", "you can only request a tier for a new rule")
    if change.universe and (kind in ("transmute", "revise") or change.part is not None):
        return say("universe-misplaced", "only a new rule or the repeal of a whole rule can be limited to one universe")
    if change.universe and kind == "amend":
        return say("amended-for-all", "an amendment can’t be limited to one universe")
    return None


def _content_error(change: Change) -> Message | None:
    """Return the message that a change lacks text it needs, or has text it must not have; else None."""
    kind, says = change.kind, change.wording is not None or change.law is not None or bool(change.title)
    if kind == "enact":
        return None if change.wording is not None else say("new-rule-without-wording", "a new rule needs wording")
    if kind == "revise":
        return None if says else say("form-says-nothing", "a revision needs new wording, new clauses or a new title")
    if kind != "amend":
        more = says or change.add or (kind == "transmute" and change.part is not None)
        return say("text-not-taken", "you can’t give any text when you {kind} a rule", kind=kind) if more else None
    if not says:
        return say("amendment-says-nothing", "an amendment has to change the wording, the clauses or the title")
    if change.add and (change.wording is None or change.part is not None):
        return say(
            "addition-unfit",
            "an added amendment needs its own wording, and can only be added to the rule itself",
        )
    return None


def _repeal_error(change: Change) -> Message | None:
    """Return the message why a change cannot repeal all the rules that it lists; None if it can."""
    if change.also and (change.kind != "repeal" or change.part is not None):
        return say(
            "whole-rules-only", "a single change can cover several rules only if it repeals each of them completely"
        )
    if len({change.target, *change.also}) <= len(change.also) or len(change.also) >= MOST_TOGETHER:
        return say(
            "repealed-twice-or-too-many",
            "you can repeal at most {most} rules in one change, and list each of them only once",
            most=MOST_TOGETHER,
        )
    if not all(isinstance(target, int | str) and not isinstance(target, bool) for target in change.also):
        return say("rules-by-numbers", "give each rule by its number")
    return None


def _check_joint_parts(change: Change) -> None:
    """Raise `LawError`, naming the faulty part, if the parts of a joint change cannot be made together."""
    own = replace(change, kind="together", parts=(), apart=False, renames=())
    names = all(
        isinstance(counter_name, str) and re.fullmatch(r"[a-z]\w*", counter_name) for counter_name in change.renames
    )
    wrong = None
    if change.kind != "together" or own != Change("together"):
        wrong = say(
            "together-has-own-text",
            "if you propose several changes together, give text and rule numbers only in the parts, not for the whole",
        )
    elif not 2 <= len(change.parts) <= MOST_PARTS and not (change.parts and change.renames):
        wrong = say("parts-out-of-range", "you can combine 2 to {most} changes in one proposal", most=MOST_PARTS)
    elif change.renames and (len(change.renames) != 2 or not names or change.apart):
        wrong = say("rename-unclear", "a renaming needs an old and a new name, and one vote on all its parts")
    if wrong:
        raise LawError(wrong, found=str(len(change.parts)))
    seen: dict[Number, int] = {}
    for at, part in enumerate(change.parts, 1):
        try:
            if part.kind not in CHANGE_KINDS or part.parts:
                raise LawError(
                    "part-not-of-rule", "each part must enact, amend, repeal or transmute a rule", found=part.kind
                )
            check_form(part)
        except LawError as error:
            raise with_part_number(error, at) from None
        for single_change in part.single_rule_changes:
            if (
                single_change.target is not None
                and not change.apart
                and seen.setdefault(single_change.target, at) != at
            ):
                message = say(
                    "rule-changed-twice",
                    "rule {rule} is already changed by part {part}; only one part can change it",
                    rule=single_change.target,
                    part=seen[single_change.target],
                )
                raise with_part_number(LawError(message, found=repr(single_change.headline)), at)


def with_part_number(error: LawError, part: int) -> LawError:
    """Return an error whose message also names the faulty part of a joint change, counted from 1."""
    error.message, error.part = error.message.embed_in("part {part}: {message}", part=part), part
    return error


def check_text_storable(what: str, text: str, longest: int) -> None:
    """Raise `LawError` if a text, called `what`, exceeds `longest` characters or has hidden or lookalike letters.

    Raises
    ------
    LawError
        With line and column of the character.
    """
    if not isinstance(text, str):
        raise LawError(
            "text-expected", "the {what} must be text", what=what, found=type(text).__name__, expected="a text"
        )
    if len(text) > longest:
        raise LawError(
            "text-too-long",
            "the {what} can have at most {longest} characters",
            what=what,
            longest=longest,
            found=str(len(text)),
        )
    if (at := find_invisible(text)) is not None:
        raise _error_at(
            say("letter-invisible", "the {what} contains an invisible character", what=what),
            text,
            at,
            f"U+{ord(text[at]):04X}",
        )
    if mixed := find_lookalike(text):
        at, letter, word = mixed
        message = say(
            "word-mixes-alphabets", "a word in the {what} mixes look-alike letters from two alphabets", what=what
        )
        raise _error_at(message, text, at, f"{word} with U+{ord(letter):04X}", "a word in one alphabet")


def check_layout(what: str, text: str) -> None:
    """Raise `LawError` if a text, named `what` in the message, hides words after a lot of blank space.

    Raises
    ------
    LawError
        With line and column of what is empty.
    """
    if match := _GAP.search(text):
        lines = match[0].count("\n") - 1
        blanks = f"{lines} empty lines in a row" if lines > 0 else f"{len(match[0])} blanks in a row"
        most = f"at most {MOST_EMPTY} empty lines, or {MOST_BLANKS} blanks, in a row"
        raise _error_at(
            say("text-hides-rest", "in the {what}, {blanks} hide the text after them", what=what, blanks=blanks),
            text,
            match.start(),
            blanks,
            most,
        )


def _error_at(message: Message, text: str, offset: int, found: str, expected: str = "") -> LawError:
    """Return a `LawError` at an offset in a text, with what was `found` and what is `expected` there."""
    before = text[:offset]
    line, column = before.count("\n") + 1, offset - before.rfind("\n")
    return LawError(message, line=line, column=column, found=found, expected=expected)


# ---------------------------------------------------------------------------------------------------- rule-changes


def parse_rule_number(number: Number) -> Number:
    """Return a rule number as an int if it is digits in a text; return a label such as ``R8`` unchanged."""
    return int(number) if isinstance(number, str) and re.fullmatch(r"-?[0-9]{1,15}", number) else number


def _clean_text(text: str | None) -> str | None:
    """Return a text without common indentation and trailing blanks; return None unchanged."""
    return None if text is None else "\n".join(line.rstrip() for line in dedent(text).strip().splitlines())


@explain_argument_errors
def enact(wording: str, law: str = "", title: str = "", *, universe: str = "", standing: str = "") -> Change:
    """Return a change, ready to be proposed, that enacts a new rule with this wording and these clauses (`law`).

    Parameters
    ----------
    wording : str
        Text of the rule for people; at most 8,000 characters.
    law : str
        Clauses, one per line; without any, people apply the rule themselves.
    title : str
        Short name; by default, the first words of the wording.
    universe : str
        The only universe that the rule applies to; default all of them.
    standing : str
        Tier to request for the rule, such as ``amendment``, if the rules let a proponent request one.

    Raises
    ------
    LawError
        There is no wording, or it has invisible characters.

    Examples
    --------
    >>> print(enact("Fifty points are enough to win.", law="set win.points to 50", title="Fifty"))
    enact “Fifty”
    Fifty points are enough to win.
        set win.points to 50
    """
    wording = _clean_text(wording) or ""
    named = title.strip() or default_title(wording)
    return check_form(
        Change("enact", None, wording, _clean_text(law) or None, named, universe=universe, standing=standing)
    )


@explain_argument_errors
def amend(
    number: Number, wording: str | None = None, law: str | None = None, *, title: str = "", part: int | None = None,
    add: bool = False,
) -> Change:  # fmt: skip
    """Return a change that amends a rule or, with `part`, its amendment; with `add`, the new text adds to the old one.

    Parameters
    ----------
    number : int or str
        Number of the rule.
    wording, law : str, optional
        New wording and clauses; None keeps the old ones. ``law=""`` removes the clauses.
    title : str
        New short name.
    part : int, optional
        Number of the amendment to amend, starting from 1 (103).
    add : bool
        Whether the new text is added to the rule instead of replacing its text.

    Raises
    ------
    LawError
        Nothing would change, or a text cannot be used.

    Examples
    --------
    >>> amend(208, law="set win.points to 50").headline
    'amend rule 208'
    """
    if wording is None and law is None and not title:
        raise LawError(
            "amendment-without-text",
            "an amendment needs new wording or new clauses",
            found="neither",
            expected="wording, law or both",
        )
    return check_form(
        Change("amend", parse_rule_number(number), _clean_text(wording), _clean_text(law), title.strip(), part, add)
    )


@explain_argument_errors
def repeal(number: Number | Sequence[Number], *, part: int | None = None, universe: str = "") -> Change:
    """Return a change that repeals a rule, several rules, or amendment `part` of a rule, everywhere or in one universe.

    Parameters
    ----------
    number : int or str, or a list of them
        Number of the rule, or the numbers of several.
    part : int, optional
        Number of the amendment, starting from 1 (103).
    universe : str
        The only universe in which the rule is repealed; elsewhere it stays in force.

    Examples
    --------
    >>> repeal(305, part=2).headline
    'repeal amendment 2 of rule 305'
    """
    numbers = list(number) if isinstance(number, Sequence) and not isinstance(number, str) else [number]
    if not numbers:
        raise LawError("repeal-without-rule", "say which rule to repeal", found="an empty list")
    first, *also = map(parse_rule_number, numbers)
    return check_form(Change("repeal", first, part=part, universe=universe, also=tuple(also)))


@explain_argument_errors
def together(*changes: Change, apart: bool = False) -> Change:
    """Return one change that makes several: all pass or none does; with `apart`, each is voted on separately.

    The first change gets the number of the proposal, and the others get the numbers after it. Each is judged as a
    separate change, and the highest number of votes that any of them needs applies to all. They take effect together or
    not at all.

    Parameters
    ----------
    *changes : Change
        From 2 to 50 changes; no two of them can change the same rule.
    apart : bool
        Whether the changes are submitted together but voted on separately.

    Raises
    ------
    LawError
        The changes cannot be made together; the message names the part.

    Examples
    --------
    >>> together(repeal(305), amend(208, law="set win.points to 50")).headline
    'make 2 changes together: repeal rule 305; amend rule 208'
    """
    for at, change in enumerate(changes, 1):
        if not isinstance(change, Change):
            raise WrongArgument(
                "part-not-a-change",
                "part {part} is not a change; make one with enact, amend, repeal or transmute",
                part=at,
            )
    return check_form(Change("together", parts=tuple(changes), apart=apart))


@explain_argument_errors
def reword(
    proposal: Number, wording: str | None = None, law: str | None = None, *, title: str = "", part: int | None = None
) -> Change:
    """Return a change, ready to be proposed, that gives an undecided proposal a new text or title.

    It is voted on like any proposal. `vote.on_revision` says what happens to ballots already cast on the old version.

    Parameters
    ----------
    proposal : int or str
        Number of the proposal that gets a new version.
    wording, law : str, optional
        New wording and clauses; None keeps the old ones. ``law=""`` removes the clauses.
    title : str
        New short name.
    part : int, optional
        Number of the change, starting from 1, if the proposal makes several changes.

    Raises
    ------
    LawError
        Nothing would change, or a text cannot be used.

    Examples
    --------
    >>> reword(301, "Hats are worn on Mondays.").headline
    'revise proposal 301'
    """
    text = (_clean_text(wording), _clean_text(law), title.strip())
    return check_form(Change("revise", None, *text, part, revises=parse_rule_number(proposal)))


def apply_revision(old: Change, revision: Change) -> Change:
    """Return a proposed change with the new wording, clauses or title that a revision (see `reword`) gives it.

    Raises
    ------
    LawError
        It has no text that could be another, or it is not said which of several changes is meant.
    """
    if old.parts:
        if revision.part is None or not 1 <= revision.part <= len(old.parts):
            raise LawError(
                "part-needed",
                "proposal {proposal} makes {count} changes, so say which part to revise",
                proposal=revision.revises,
                count=len(old.parts),
                found=repr(revision.part),
            )
        parts = list(old.parts)
        parts[revision.part - 1] = apply_revision(parts[revision.part - 1], replace(revision, part=None))
        return check_form(replace(old, parts=tuple(parts)))
    if revision.part is not None:
        raise LawError(
            "proposal-has-no-parts",
            "proposal {proposal} makes only one change, so it has no parts",
            proposal=revision.revises,
            found=f"part {revision.part}",
        )
    if old.kind not in ("enact", "amend"):
        raise LawError(
            "change-has-no-text", "“{headline}” has no text to revise", headline=old.headline, found=old.kind
        )
    wording = old.wording if revision.wording is None else revision.wording
    named = revision.title or (old.given_title or default_title(wording or "") if old.kind == "enact" else old.title)
    law = old.law if revision.law is None else revision.law
    return check_form(replace(old, wording=wording, law=law or None if old.kind == "enact" else law, title=named))


def renumber_targets(change: Change, new_numbers: Mapping[Number, Number]) -> Change:
    """Return a change aimed at the same rules under their new numbers, given a mapping of old to new."""
    return replace(
        change,
        target=change.target if change.target is None else new_numbers.get(change.target, change.target),
        also=tuple(new_numbers.get(target, target) for target in change.also),
        parts=tuple(renumber_targets(part, new_numbers) for part in change.parts),
    )


@explain_argument_errors
def transmute(number: Number) -> Change:
    """Return a change, ready to be proposed, that makes an immutable rule mutable, or a mutable one immutable.

    Parameters
    ----------
    number : int or str
        Number of the rule.

    Examples
    --------
    >>> transmute(112).headline
    'transmute rule 112'
    """
    return Change("transmute", parse_rule_number(number))


#: A name of the language, with the parts before and after its dots; or a text in quotation marks.
_WORD = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


@frozen
class Renaming(Displayed):
    """A new name for a counter; the game finds the rules that use it.

    Parameters
    ----------
    old, new : str
        The names.
    """

    old: str
    new: str

    def __str__(self) -> str:
        return f"rename {self.old} to {self.new} in every rule that uses it"

    def change(self, book: RuleBook, counters: Collection[str], keys: Collection[str]) -> Change:
        """Return the joint change that renames the counter in all rules, given all `counters` and the law's `keys`.

        Parameters
        ----------
        book : RuleBook
            The current rules.
        counters : collection of str
            What is counted.
        keys : collection of str
            Keys of settings, whose names do not change.

        Raises
        ------
        LawError
            Nothing of this name is counted, or the new name is taken.
        """
        if self.old not in counters:
            known = ", ".join(sorted(counters)) or "a counter, but no rule tracks one"
            raise LawError(
                "counter-unknown",
                "there is no counter called {counter}",
                counter=self.old,
                found=repr(self.old),
                expected=known,
            )
        if self.new in counters or not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", self.new):
            raise LawError(
                "counter-name-unfit",
                "choose an unused name: a small letter, then small letters, digits or single underscores",
                found=repr(self.new),
            )
        parts = tuple(
            change for rule in book if not rule.ruleset and (change := self._amend_rule(rule, keys)) is not None
        )
        return check_form(Change("together", parts=parts, renames=(self.old, self.new)))

    def _amend_rule(self, rule: Rule, keys: Collection[str]) -> Change | None:
        """Return the amendment that renames the counter in a rule; None if the rule does not use it."""
        law, wording, title = (
            self.rename_in_clauses(rule.law, keys),
            self.rename_in_wording(rule.wording),
            self.rename_in_wording(rule.title),
        )
        named = re.search(rf"(?<!\w){re.escape(self.old.replace('_', ' '))}(?!\w)", rule.wording, re.I)
        if law == rule.law and (named is None or wording == rule.wording):
            return None  # one of it alone may be another word: “the point where play ends”
        return amend(
            rule.number, None if wording == rule.wording else wording, None if law == rule.law else law,
            title=title if title != rule.title else "",
        )  # fmt: skip

    def rename_in_clauses(self, law: str, keys: Collection[str]) -> str:
        """Return clauses with the counter renamed, except inside the law's own `keys`, such as ``win.points``.

        Examples
        --------
        >>> stars = Renaming("points", "stars")
        >>> stars.rename_in_clauses("award win.points points to [p for p in playing]", {"win.points"})
        'award win.points stars to [p for p in playing]'
        >>> print(stars.rename_in_clauses('on counted when counter == "points": announce "points"', ()))
        on counted when counter == "stars": announce "stars"
        >>> stars.rename_in_clauses("on defeated: award defeat.points to proponent", {"defeat.points"})
        'on defeated: award defeat.points stars to proponent'
        """

        def other(match: re.Match[str]) -> str:
            word = match[0]
            line = law[law.rfind("\n", 0, match.start()) + 1 : match.start()]
            if word[0] in "\"'" and re.fullmatch(r"draft\s+\w+\s*:\s*", line):  # the wording of a draft
                return self.rename_in_wording(word)
            if word[0] in "\"'":
                return f"{word[0]}{self.new}{word[0]}" if word[1:-1] == self.old else word
            if word in keys:
                return word
            return ".".join(self.new if name_part == self.old else name_part for name_part in word.split("."))

        implied = re.compile(rf"(\b(?:award|pay)\s+[\w.]+\.{re.escape(self.old)})(?=\s+(?:to|from)\b)")
        return implied.sub(rf"\1 {self.new}", _WORD.sub(other, law))

    def rename_in_wording(self, text: str) -> str:
        """Return a wording with the counter renamed, also in the singular and with a capital.

        Examples
        --------
        >>> Renaming("points", "stars").rename_in_wording("Points are good; a point is enough, and pointless is not.")
        'Stars are good; a star is enough, and pointless is not.'
        """
        pairs = {self.old: self.new}
        if self.old.endswith("s") and self.new.endswith("s"):
            pairs[self.old[:-1]] = self.new[:-1]
        pairs = {one.replace("_", " "): other.replace("_", " ") for one, other in pairs.items()}
        for old_form, other in pairs.items():
            for old, new in ((old_form, other), (old_form.capitalize(), other.capitalize())):
                text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, text)
        return text


@explain_argument_errors
def rename(old: str, new: str) -> Renaming:
    """Return a renaming of a counter, such as ``points``, in all rules that use it, ready to be proposed.

    The game turns it into amendments that are made together, each judged as a separate change. Everyone keeps the
    amount they have. A rule uses the counter if its clauses contain it, or if its wording contains the exact name; the
    singular does not count, because it may be another word, as in “the point where play ends”. If one of these rules
    cannot be amended, the whole renaming is refused, and the message names the rule. For example, you must first make
    an immutable rule mutable if it says that points win.

    Parameters
    ----------
    old, new : str
        Old name of the counter, such as ``points``, and its new name.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("github-nomic", ["Ann", "Ben"], seed=7)
    >>> print(nb.rename("coins", "shells"))
    rename coins to shells in every rule that uses it
    """
    return Renaming(old, new)
