"""Rule sets as literate Markdown: wording beside its clauses, readable as a page, loaded by the engine."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import LONGEST_TITLE, LONGEST_WORDING, check_layout, check_text
from nomic_nb.engine.law.clauses import Clause, SetClause
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.rules import Number, Rule, RulePart
from nomic_nb.engine.law.tables import tracked_tables
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.words import strip_byte_order_mark

if TYPE_CHECKING:
    from markdown_it.token import Token


# ------------------------------------------------------------------------------------------------------ a rule set


@frozen
class RuleSet:
    """A rule set as its file has it.

    Parameters
    ----------
    name, title, players, source : str
        From the ``about`` block.
    introduction : str
        What stands before the first section.
    rules : tuple of Rule
        In the order of the file.
    text : str
        The file.
    options : mapping of str to tuple of int or str
        Other readings of the source that can be agreed on before play, each with the rules that it leaves out.
    alone : bool
        Whether it is a game by itself; others are only brought in by rules of other sets.
    """

    name: str
    title: str
    players: str
    source: str
    introduction: str
    rules: tuple[Rule, ...]
    text: str = field(repr=False)
    options: Mapping[str, tuple[Number, ...]]
    alone: bool

    @property
    def least_players(self) -> int:
        """The fewest that can play: the number that `players` begins with, or one."""
        found = re.match(r"\d+", self.players)
        return max(1, int(found[0][:3])) if found else 1

    def looks_at(self, fact: str) -> bool:
        """Tell whether a clause of the set looks a fact up."""
        clauses = (one for rule in self.rules for one in rule.clauses)
        return any(fact in one.names for one in clauses)

    def says(self, key: str) -> str:
        """Return what a term is, as a clause of the set without a condition has it; empty where none says so."""
        clauses = (one for rule in self.rules for one in rule.clauses)
        return next((one.value.text for one in clauses if is_fixed_term(one) and one.key == key), "")

    @property
    def source_notes(self) -> str:
        """What the rule file notes on its source; empty if it notes nothing."""
        found = re.search(r"(?ms)^## Notes on the source\s*$(.*?)(?=^## |\Z)", self.text)
        return found[1].strip() if found else ""

    @property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def with_terms(self, terms: Mapping[str, object], language: Language) -> RuleSet:
        """Return the rule set with some of its terms agreed otherwise before play.

        Parameters
        ----------
        terms : mapping of str to object
            By key: a number, a truth value, a text, or an expression of the law language as text.
        language : Language
            Reads what is put in.

        Raises
        ------
        LawError
            No rule of the set fixes this term, or the value does not fit.
        """
        rules = self.rules
        for key, value in terms.items():
            if key not in self.options:
                rules = _replace_term(rules, key, term_as_expression(language, key, value), language)
                continue
            agreed = str(value).lower()
            if agreed not in ("true", "false"):
                raise LawError(
                    say("agreed-not-true-or-false", "{key} is agreed on or not", key=key),
                    found=repr(value)[:40],
                    expected="true or false",
                )
            rules = tuple(rule for rule in rules if agreed == "false" or rule.number not in self.options[key])
        return replace(self, rules=rules)


def term_as_expression(language: Language, key: str, value: object) -> str:
    """Return a term that was agreed on as an expression of the law language.

    Raises
    ------
    LawError
        It is none.
    """
    declared = language.vocabulary.keys.get(key)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(f'"{one}"' if isinstance(one, str) else str(one) for one in value) + "]"
    if isinstance(value, str) and declared is not None and declared.type.name == "text" and '"' not in value:
        return f'"{value}"'
    return language.expression(str(value)).text


def is_fixed_term(clause: Clause) -> TypeGuard[SetClause]:
    """Tell whether a clause says in every case what a key is; what allows or forbids is left out."""
    return isinstance(clause, SetClause) and clause.condition is None and not clause.key.startswith("may.")


def note_on_agreed_term(key: str, value: str) -> str:
    """Return the note on a rule of which a term was agreed otherwise before play."""
    return f"Agreed before play: {key} is {value}."


def _replace_term(rules: tuple[Rule, ...], key: str, value: str, language: Language) -> tuple[Rule, ...]:
    fixed: dict[str, int] = {}
    for at, rule in enumerate(rules):
        for clause in rule.clauses:
            if is_fixed_term(clause):
                fixed.setdefault(clause.key, at)
    if key not in fixed:
        raise LawError(
            say("key-fixed-by-no-rule", "no rule fixes {key!r}, so it cannot be agreed otherwise", key=key),
            expected=", ".join(sorted(fixed)),
        )
    at = fixed[key]
    rule = rules[at]
    clauses = (line.clause for line in rule.parts[0].lines)
    law = "\n".join(f"set {key} to {value}" if is_fixed_term(one) and one.key == key else one.words for one in clauses)
    read = language.read(law)
    language.check(read, tracked_tables(one for each in rules for one in each.clauses))
    part = replace(rule.parts[0], law=law, lines=read)
    changed = replace(rule, parts=(part,), notes=(*rule.notes, note_on_agreed_term(key, value)))
    return (*rules[:at], changed, *rules[at + 1 :])


# ---------------------------------------------------------------------------------- rule sets as literate Markdown


#: Characters of a rule file, and rules in it.
LONGEST_FILE, MOST_RULES = 500_000, 500
#: What it may take in a record, where letters beyond ASCII take six bytes or twelve.
LARGEST_FILE = 1_500_000
#: What the about block says; all but the last must be there.
ABOUT_FIELDS = ("name", "title", "players", "source", "alone")


@lru_cache(maxsize=32)
def read_ruleset(text: str, language: Language) -> RuleSet:
    """Read a rule set; a text that was read is not read again, as many games come back with the same one.

    Parameters
    ----------
    text : str
        Markdown. A block ``about`` gives name, title, players and source. A section whose heading ends
        in a word in code marks holds the rules of that tier, each under a heading of number and title:
        wording, a block ``law``, notes as block quotes. A block ``wording`` is wording as it stands, where it
        would be read as something else.
    language : Language
        Reads the clauses.

    Raises
    ------
    LawError
        With the line in `text`.
    """
    text = strip_byte_order_mark(text)
    check_text("rule file", text, LONGEST_FILE)
    size = len(json.dumps(text))
    if size > LARGEST_FILE:
        raise LawError(
            say("rule-file-too-large", "a rule file takes at most {largest} bytes in a record", largest=LARGEST_FILE),
            found=str(size),
        )
    return _RuleFileReader(text, language).read()


class _RuleFileReader:
    def __init__(self, text: str, language: Language) -> None:
        from markdown_it import MarkdownIt

        self.text, self.language = text, language
        self.lines = text.splitlines()
        # Only blocks are looked at; what stands inside them would be read for nothing, and brackets take long.
        blocks = MarkdownIt("commonmark", {"html": False}).disable(["inline", "text_join"])
        self.tokens = [token for token in blocks.parse(text) if token.level == 0]
        self.about: dict[str, str] = {}

    def span(self, token: Token) -> str:
        start, end = token.map or (0, 0)
        return "\n".join(self.lines[start:end]).strip()

    def line(self, token: Token) -> int:
        return (token.map or (0, 0))[0] + 1

    def read(self) -> RuleSet:
        introduction: list[str] = []
        rules: list[_RuleDraft] = []
        tier: str | None = ""  # under which heading it stands; None under one of no tier
        rule: _RuleDraft | None = None  # whose text it is
        for token in self.tokens:
            block = _block_name(token)
            if token.type == "heading_open":
                head = self.span(token).lstrip("# ").strip()
                if token.tag == "h2":
                    found = re.fullmatch(r".*?\s*`([\w -]+)`", head)
                    tier, rule = found[1] if found else None, None
                elif token.tag == "h3" and tier:
                    rule = self.draft(token, head, tier)
                    rules.append(rule)
            elif token.type in ("inline", "heading_close") or token.map is None:
                continue
            elif block == "about":
                self.read_about(token)
            elif rule is not None:
                self.put(rule, token, block)
            elif block == "law":
                raise self.refuse(
                    token,
                    say("law-without-rule", "this law belongs to no rule"),
                    expected="a heading '### 203 A title'",
                )
            elif tier == "":  # what stands under another heading, and above the first rule of a tier, is for readers
                introduction.append(self.span(token))
        for name in ABOUT_FIELDS[:-1]:
            if not self.about.get(name):
                raise LawError(
                    say("about-incomplete", "the rule file does not say its {name}", name=name),
                    expected=f"'{name}: …' in the about block",
                )
        made = self.made(rules)
        name, title, players, source = (self.about[one] for one in ABOUT_FIELDS[:-1])
        return RuleSet(
            name, title, players, source, "\n\n".join(introduction), made, self.text, self.options(made), self.alone()
        )

    def refuse(
        self, token: Token, message: Message, found: str | None = None, expected: str = "", further: int = 0
    ) -> LawError:
        """Complain of a line."""
        stands = "" if found is None else repr(found[:40])
        return LawError(message, line=self.line(token) + further, found=stands, expected=expected)

    def alone(self) -> bool:
        """Return what ``alone: no`` in the about block says."""
        said = self.about.get("alone", "yes")
        if said not in ("yes", "no"):
            expected = "'alone: yes' or 'alone: no'"
            raise LawError(
                say("alone-unclear", "a rule set is a game by itself or not"), found=repr(said)[:40], expected=expected
            )
        return said == "yes"

    def options(self, rules: tuple[Rule, ...]) -> dict[str, tuple[Number, ...]]:
        """Return what ``option NAME: without NUMBER, …`` in the about block says."""
        found: dict[str, tuple[Number, ...]] = {}
        known = {str(rule.number): rule.number for rule in rules}
        for name, value in self.about.items():
            if name.startswith("option "):
                numbers = [one.strip() for one in value.removeprefix("without ").split(",")]
                wrong = next((one for one in numbers if one not in known), None)
                if wrong is not None or not value.startswith("without "):
                    said, at_fault = (
                        say("option-unreadable", "an {name} leaves out rules of this file", name=name),
                        value if wrong is None else wrong,
                    )
                    raise LawError(said, found=repr(at_fault)[:40], expected="without NUMBER, NUMBER")
                found[name.removeprefix("option ").strip()] = tuple(known[one] for one in numbers)
        return found

    def draft(self, token: Token, head: str, tier: str) -> _RuleDraft:
        number, _, title = re.sub(r"\\([\\<\[\]])", r"\1", head).partition(" ")
        if not re.fullmatch(r"-?\d+|[A-Z]+\d+(\.\d+)?", number) or not title.strip():
            said = say("heading-unreadable", "the heading of a rule is its number and its title")
            raise self.refuse(token, said, head, "'### 203 A title'")
        key: Number = int(number) if re.fullmatch(r"-?\d+", number) else number
        return _RuleDraft(key, title.strip()[:LONGEST_TITLE], tier, self.line(token))

    def read_about(self, token: Token) -> None:
        for at, line in enumerate(token.content.splitlines(), 1):
            name, colon, value = line.partition(":")
            if not colon:
                said = say("about-line-unreadable", "the about block has lines 'name: value'")
                raise LawError(said, line=self.line(token) + at, found=repr(line))
            name = name.strip()
            if name not in ABOUT_FIELDS and not name.startswith("option "):
                known = f"{', '.join(ABOUT_FIELDS)} or option NAME"
                raise self.refuse(token, say("about-name-unknown", "the about block has no such name"), name, known, at)
            self.about[name] = value.strip()

    def put(self, rule: _RuleDraft, token: Token, block: str | None) -> None:
        if block == "law":
            if rule.law_line:
                raise self.refuse(token, say("two-law-blocks", "rule {rule} has two law blocks", rule=rule.number))
            rule.law, rule.law_line = token.content.rstrip("\n"), self.line(token)
        elif block == "wording":
            rule.wording.append(token.content.rstrip("\n"))
        elif block:  # clauses in it would be no law
            raise self.refuse(
                token, say("block-unknown", "there is no such block"), block, "law, wording, or a block without a name"
            )
        elif token.type == "blockquote_open":
            rule.notes.append("\n".join(line.lstrip("> ") for line in self.span(token).splitlines()))
        else:
            rule.wording.append(self.span(token))

    def made(self, drafts: list[_RuleDraft]) -> tuple[Rule, ...]:
        if not drafts or len(drafts) > MOST_RULES:
            raise LawError(
                say("rule-count", "a rule set has 1 to {most} rules", most=MOST_RULES), found=str(len(drafts))
            )
        rules: list[Rule] = []
        seen: dict[Number, int] = {}
        for id, draft in enumerate(drafts, 1):
            if draft.number in seen:
                said = say("rule-number-twice", "there are two rules {rule}", rule=draft.number)
                raise LawError(said, line=draft.line, found=f"the first in line {seen[draft.number]}")
            seen[draft.number] = draft.line
            wording = "\n\n".join(draft.wording)
            if not wording:
                raise LawError(
                    say("rule-without-wording", "rule {rule} has no wording", rule=draft.number), line=draft.line
                )
            check_text(f"wording of rule {draft.number}", wording, LONGEST_WORDING)
            check_layout(f"wording of rule {draft.number}", wording)
            check_layout(f"law of rule {draft.number}", draft.law)
            try:
                lines = self.language.read(draft.law)
            except LawError as error:
                raise error.moved(lines=draft.law_line) from None
            part = RulePart(wording, draft.law, lines, draft.number)
            rules.append(Rule(id, draft.number, draft.title, draft.tier, (part,), notes=tuple(draft.notes)))
        counters = tracked_tables(clause for rule in rules for clause in rule.clauses)
        for rule, draft in zip(rules, drafts, strict=True):
            try:
                self.language.check(rule.parts[0].lines, counters)
            except LawError as error:
                raise error.moved(lines=draft.law_line) from None
        return tuple(rules)


def _block_name(token: Token) -> str | None:
    """Return the name of a fenced block; None for what is none."""
    return token.info.strip() if token.type == "fence" else None


@dataclass
class _RuleDraft:
    number: Number
    title: str
    tier: str
    line: int
    wording: list[str] = field(default_factory=list)
    law: str = ""
    law_line: int = 0
    notes: list[str] = field(default_factory=list)


def known_rulesets() -> tuple[str, ...]:
    """Return the names of the rule sets that come with the kit."""
    return tuple(sorted(_ruleset_files()))


def _ruleset_files() -> dict[str, Path]:
    """Return the files of the rule sets that come with the kit, by name."""
    folders = [one for one in (Path(__file__).parent, installed_extension().rulesets) if one is not None]
    return {file.stem: file for one in folders for file in _files_in(one)}


@cache
def _files_in(folder: Path) -> tuple[Path, ...]:
    return tuple(folder.glob("*.md"))


@cache
def _read_packaged(name: str, language: Language) -> RuleSet:
    return read_ruleset(_ruleset_files()[name].read_text(encoding="utf-8"), language)


def find_ruleset(name: str | Path, language: Language) -> RuleSet:
    """Return a rule set that comes with the kit, or one from a file.

    Parameters
    ----------
    name : str or Path
        A name that `known_rulesets` lists, or the path of a Markdown file.
    language : Language
        Reads the clauses.

    Raises
    ------
    LawError
        There is none of this name, or its file cannot be read.
    """
    if isinstance(name, str) and name in known_rulesets():
        return _read_packaged(name, language)
    path = Path(name)
    if path.suffix == ".md" and path.is_file():
        if path.stat().st_size > 4 * LONGEST_FILE:
            raise LawError(
                say("rule-file-too-long", "a rule file has at most {longest} characters", longest=LONGEST_FILE)
            )
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise LawError(
                say("rule-file-not-unicode", "a rule file is text in UTF-8"),
                found=f"byte {error.object[error.start]:#x}",
            ) from None
        return read_ruleset(text, language)
    raise LawError(
        say("ruleset-unknown", "there is no rule set {name!r}", name=str(name)),
        expected=", ".join(known_rulesets()) + ", or the path of a .md file",
    )
