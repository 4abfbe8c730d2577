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
from nomic_nb.engine.law.changes import LONGEST_TITLE, LONGEST_WORDING, check_layout, check_text_storable
from nomic_nb.engine.law.clauses import Clause, SetClause
from nomic_nb.engine.law.hints import suggest_words
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.rules import Number, Rule, RulePart
from nomic_nb.engine.law.tables import table_shapes
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
        The text before the first section.
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
        """The least number of players, from the rule file's about block; 1 if that does not begin with a number."""
        match = re.match(r"\d+", self.players)
        return max(1, int(match[0][:3])) if match else 1

    def is_fact_read(self, fact: str) -> bool:
        """Tell whether any clause in the rule set reads the fact with this name."""
        clauses = (clause for rule in self.rules for clause in rule.clauses)
        return any(fact in clause.names for clause in clauses)

    def is_key_set(self, key: str) -> bool:
        """Tell whether any clause in the rule set sets the key with this name, be it in some cases only."""
        return any(
            isinstance(clause, SetClause) and clause.key == key for rule in self.rules for clause in rule.clauses
        )

    @property
    def source_notes(self) -> str:
        """The rule file's notes about its source; empty if none exist."""
        match = re.search(r"(?ms)^## Notes on the source\s*$(.*?)(?=^## |\Z)", self.text)
        return match[1].strip() if match else ""

    @property
    def digest(self) -> str:
        """The SHA-256 of the rule file's text, as a hexadecimal text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def with_terms(self, terms: Mapping[str, object], language: Language) -> RuleSet:
        """Return the rule set with some keys of the law set to other values, as agreed before play.

        Parameters
        ----------
        terms : mapping of str to object
            By key: a number, a truth value, a text, or an expression of the law language as text.
        language : Language
            Reads what is put in.

        Raises
        ------
        LawError
            The rules give this key a value only in some cases, or none of their subject; or the value does not fit.
        """
        rules = self.rules
        for key, value in terms.items():
            if key not in self.options:
                rules = _replace_term(rules, key, term_as_expression(language, key, value), language)
                continue
            agreed = str(value).lower()
            if agreed not in ("true", "false"):
                raise LawError(
                    say("agreed-not-true-or-false", "{key} is an option, so it can only be true or false", key=key),
                    found=repr(value)[:40],
                    expected="true or false",
                )
            rules = tuple(rule for rule in rules if agreed == "false" or rule.number not in self.options[key])
        return replace(self, rules=rules)


def term_as_expression(language: Language, key: str, value: object) -> str:
    """Return the value agreed for a key of the law, written as an expression in the law language.

    Raises
    ------
    LawError
        It is none.
    """
    declared = language.vocabulary.keys.get(key)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(f'"{item}"' if isinstance(item, str) else str(item) for item in value) + "]"
    if isinstance(value, str) and declared is not None and declared.type.name == "text" and '"' not in value:
        return f'"{value}"'
    return language.expression(str(value)).text


def is_fixed_term(clause: Clause) -> TypeGuard[SetClause]:
    """Tell whether a clause sets a key of the law without a condition; keys that begin “may.” do not count."""
    return isinstance(clause, SetClause) and clause.condition is None and not clause.key.startswith("may.")


def note_on_agreed_term(key: str, value: str) -> str:
    """Return the note that is added to a rule whose key was set to another value before play."""
    return f"Agreed before play: {key} is {value}."


def _replace_term(rules: tuple[Rule, ...], key: str, value: str, language: Language) -> tuple[Rule, ...]:
    """Return the rules with the expression `value` in the clause that sets `key` without a condition."""
    placed = [(clause, at) for at, rule in enumerate(rules) for clause in rule.clauses if isinstance(clause, SetClause)]
    fixed = {clause.key: at for clause, at in reversed(placed) if is_fixed_term(clause)}
    subject = {} if any(clause.key == key for clause, _ in placed) else {
        clause.key.split(".")[0]: at for clause, at in reversed(placed)
    }  # fmt: skip
    # what the rules leave open is agreed on where they settle the rest of its subject
    at = fixed.get(key, subject.get(key.split(".")[0], -1) if key in language.vocabulary.keys else -1)
    if at < 0:
        raise LawError(
            say("key-fixed-by-no-rule", "no rule gives “{key}” a fixed value, so you can’t agree on another", key=key),
            expected=", ".join(suggest_words(key, dict.fromkeys(fixed, "")) or sorted(fixed)),
        )
    rule = rules[at]
    words = [
        f"set {key} to {value}" if is_fixed_term(old) and old.key == key else old.words
        for old in (line.clause for line in rule.parts[0].lines)
    ]
    law = "\n".join(words if key in fixed else [*words, f"set {key} to {value}"])
    read = language.read_clauses(law)
    language.check_clauses(read, table_shapes(rule_clause for each in rules for rule_clause in each.clauses))
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
    """Read a rule set from the text of its file; recent ones are cached.

    Parameters
    ----------
    text : str
        Markdown. A block ``about`` gives name, title, players and source. A section whose heading ends
        in a word in code marks holds the rules of that tier, each under a heading of number and title:
        wording, a block ``law``, notes as block quotes. A block ``wording`` is unchanged wording, where it
        would be read as something else.
    language : Language
        Reads the clauses.

    Raises
    ------
    LawError
        With the line in `text`.
    """
    text = strip_byte_order_mark(text)
    check_text_storable("rule file", text, LONGEST_FILE)
    size = len(json.dumps(text))
    if size > LARGEST_FILE:
        raise LawError(
            say(
                "rule-file-too-large", "a rule file can take at most {largest} bytes in a record", largest=LARGEST_FILE
            ),
            found=str(size),
        )
    return _RuleFileReader(text, language).read_rule_set()


class _RuleFileReader:
    def __init__(self, text: str, language: Language) -> None:
        from markdown_it import MarkdownIt

        self.text, self.language = text, language
        self.lines = text.splitlines()
        # Only blocks are looked at; what stands inside them would be read for nothing, and brackets take long.
        blocks = MarkdownIt("commonmark", {"html": False}).disable(["inline", "text_join"])
        self.tokens = [token for token in blocks.parse(text) if token.level == 0]
        self.about: dict[str, str] = {}

    def source_of_token(self, token: Token) -> str:
        """Return the source text of a Markdown token."""
        start, end = token.map or (0, 0)
        return "\n".join(self.lines[start:end]).strip()

    def line_of_token(self, token: Token) -> int:
        """Return the line number at which a Markdown token begins."""
        return (token.map or (0, 0))[0] + 1

    def read_rule_set(self) -> RuleSet:
        """Read the whole file, and return the rule set."""
        introduction: list[str] = []
        rules: list[_RuleDraft] = []
        tier: str | None = ""  # under which heading it stands; None under one of no tier
        rule: _RuleDraft | None = None  # whose text it is
        for token in self.tokens:
            block = token.info.strip() if token.type == "fence" else None
            if token.type == "heading_open":
                head = self.source_of_token(token).lstrip("# ").strip()
                if token.tag == "h2":
                    match = re.fullmatch(r".*?\s*`([\w -]+)`", head)
                    tier, rule = match[1] if match else None, None
                elif token.tag == "h3" and tier:
                    rule = self.draft_from_heading(token, head, tier)
                    rules.append(rule)
            elif token.type in ("inline", "heading_close") or token.map is None:
                continue
            elif block == "about":
                self.read_about(token)
            elif rule is not None:
                self.add_block_to_rule(rule, token, block)
            elif block == "law":
                raise self.error_at_token(
                    token,
                    say("law-without-rule", "this law block doesn’t belong to any rule"),
                    expected="a heading '### 203 A title'",
                )
            elif tier == "":  # what is under another heading, and above the first rule of a tier, is for readers
                introduction.append(self.source_of_token(token))
        for name in ABOUT_FIELDS[:-1]:
            if not self.about.get(name):
                raise LawError(
                    say("about-incomplete", "the about block doesn’t give the {name}", name=name),
                    expected=f"'{name}: …' in the about block",
                )
        read_rules = self.build_rules(rules)
        name, title, players, source = (self.about[about_field] for about_field in ABOUT_FIELDS[:-1])
        return RuleSet(
            name,
            title,
            players,
            source,
            "\n\n".join(introduction),
            read_rules,
            self.text,
            self.rules_left_out_by_option(read_rules),
            self.is_game_by_itself(),
        )

    def error_at_token(
        self, token: Token, message: Message, found: str | None = None, expected: str = "", further: int = 0
    ) -> LawError:
        """Return the error for a Markdown token; its line number is `further` lines below the token's first line."""
        stands = "" if found is None else repr(found[:40])
        return LawError(message, line=self.line_of_token(token) + further, found=stands, expected=expected)

    def is_game_by_itself(self) -> bool:
        """Tell whether the rule set can be played by itself, as ``alone:`` in the about block says."""
        sentence = self.about.get("alone", "yes")
        if sentence not in ("yes", "no"):
            expected = "'alone: yes' or 'alone: no'"
            raise LawError(
                say("alone-unclear", "“alone” must say whether the rule set can be played by itself"),
                found=repr(sentence)[:40],
                expected=expected,
            )
        return sentence == "yes"

    def rules_left_out_by_option(self, rules: tuple[Rule, ...]) -> dict[str, tuple[Number, ...]]:
        """Return, by name of each option in the about block, the numbers of the rules that it leaves out."""
        numbers_by_option: dict[str, tuple[Number, ...]] = {}
        known = {str(rule.number): rule.number for rule in rules}
        for name, value in self.about.items():
            if name.startswith("option "):
                numbers = [number_text.strip() for number_text in value.removeprefix("without ").split(",")]
                wrong = next((number for number in numbers if number not in known), None)
                if wrong is not None or not value.startswith("without "):
                    message, at_fault = (
                        say("option-unreadable", "“{name}” must list the rules of this file to leave out", name=name),
                        value if wrong is None else wrong,
                    )
                    raise LawError(message, found=repr(at_fault)[:40], expected="without NUMBER, NUMBER")
                numbers_by_option[name.removeprefix("option ").strip()] = tuple(known[number] for number in numbers)
        return numbers_by_option

    def draft_from_heading(self, token: Token, head: str, tier: str) -> _RuleDraft:
        """Return the draft of a rule of a tier from its heading text (`head`), “203 A title”, at a Markdown token."""
        number, _, title = re.sub(r"\\([\\<\[\]])", r"\1", head).partition(" ")
        if not re.fullmatch(r"-?\d+|[A-Z]+\d+(\.\d+)?", number) or not title.strip():
            message = say("heading-unreadable", "a rule’s heading must be its number followed by its title")
            raise self.error_at_token(token, message, head, "'### 203 A title'")
        key: Number = int(number) if re.fullmatch(r"-?\d+", number) else number
        return _RuleDraft(key, title.strip()[:LONGEST_TITLE], tier, self.line_of_token(token))

    def read_about(self, token: Token) -> None:
        """Store the fields of the about block (`token`) in `self.about`, by name."""
        for at, line in enumerate(token.content.splitlines(), 1):
            name, colon, value = line.partition(":")
            if not colon:
                message = say("about-line-unreadable", "each line of the about block must look like “name: value”")
                raise LawError(message, line=self.line_of_token(token) + at, found=repr(line))
            name = name.strip()
            if name not in ABOUT_FIELDS and not name.startswith("option "):
                known = f"{', '.join(ABOUT_FIELDS)} or option NAME"
                raise self.error_at_token(
                    token, say("about-name-unknown", "the about block has no such field"), name, known, at
                )
            self.about[name] = value.strip()

    def add_block_to_rule(self, rule: _RuleDraft, token: Token, block: str | None) -> None:
        """Add a Markdown block, labelled `block`, to a rule's draft as wording, clauses or a note."""
        if block == "law":
            if rule.law_line:
                raise self.error_at_token(
                    token, say("two-law-blocks", "rule {rule} can have only one law block", rule=rule.number)
                )
            rule.law, rule.law_line = token.content.rstrip("\n"), self.line_of_token(token)
        elif block == "wording":
            rule.wording.append(token.content.rstrip("\n"))
        elif block:  # clauses in it would be no law
            raise self.error_at_token(
                token,
                say("block-unknown", "a rule can’t have a block of this kind"),
                block,
                "law, wording, or a block without a name",
            )
        elif token.type == "blockquote_open":
            rule.notes.append("\n".join(line.lstrip("> ") for line in self.source_of_token(token).splitlines()))
        else:
            rule.wording.append(self.source_of_token(token))

    def build_rules(self, drafts: list[_RuleDraft]) -> tuple[Rule, ...]:
        """Build the rules from their drafts, and check their clauses; raise `LawError` if any is unfit."""
        if not drafts or len(drafts) > MOST_RULES:
            raise LawError(
                say("rule-count", "a rule set must have 1 to {most} rules", most=MOST_RULES), found=str(len(drafts))
            )
        rules: list[Rule] = []
        seen: dict[Number, int] = {}
        for id, draft in enumerate(drafts, 1):
            if draft.number in seen:
                message = say("rule-number-twice", "two rules have the number {rule}", rule=draft.number)
                raise LawError(message, line=draft.line, found=f"the first in line {seen[draft.number]}")
            seen[draft.number] = draft.line
            wording = "\n\n".join(draft.wording)
            if not wording:
                raise LawError(
                    say("rule-without-wording", "rule {rule} has no wording", rule=draft.number), line=draft.line
                )
            check_text_storable(f"wording of rule {draft.number}", wording, LONGEST_WORDING)
            check_layout(f"wording of rule {draft.number}", wording)
            check_layout(f"law of rule {draft.number}", draft.law)
            try:
                lines = self.language.read_clauses(draft.law)
            except LawError as error:
                raise error.moved(lines=draft.law_line) from None
            part = RulePart(wording, draft.law, lines, draft.number)
            rules.append(Rule(id, draft.number, draft.title, draft.tier, (part,), notes=tuple(draft.notes)))
        counters = table_shapes(clause for rule in rules for clause in rule.clauses)
        for rule, draft in zip(rules, drafts, strict=True):
            try:
                self.language.check_clauses(rule.parts[0].lines, counters)
            except LawError as error:
                raise error.moved(lines=draft.law_line) from None
        return tuple(rules)


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
    """Return the names of the packaged rule sets."""
    return tuple(sorted(_ruleset_files()))


def _ruleset_files() -> dict[str, Path]:
    """Return the files of the packaged rule sets, by name of the rule set."""
    folders = [path for path in (Path(__file__).parent, installed_extension().rulesets) if path is not None]
    return {file.stem: file for path in folders for file in _markdown_files_in(path)}


@cache
def _markdown_files_in(folder: Path) -> tuple[Path, ...]:
    """Return the Markdown files in a folder."""
    return tuple(folder.glob("*.md"))


@cache
def _read_packaged_ruleset(name: str, language: Language) -> RuleSet:
    """Read a packaged rule set by name."""
    return read_ruleset(_ruleset_files()[name].read_text(encoding="utf-8"), language)


def find_ruleset(name: str | Path, language: Language) -> RuleSet:
    """Return a packaged rule set by name, or one from a file.

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
        return _read_packaged_ruleset(name, language)
    path = Path(name)
    if path.suffix == ".md" and path.is_file():
        if path.stat().st_size > 4 * LONGEST_FILE:
            raise LawError(
                say("rule-file-too-long", "a rule file can have at most {longest} characters", longest=LONGEST_FILE)
            )
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise LawError(
                say("rule-file-not-unicode", "a rule file must be UTF-8 text"),
                found=f"byte {error.object[error.start]:#x}",
            ) from None
        return read_ruleset(text, language)
    raise LawError(
        say("ruleset-unknown", "there is no rule set called “{name}”", name=str(name)),
        expected=", ".join(known_rulesets()) + ", or the path of a .md file",
    )
