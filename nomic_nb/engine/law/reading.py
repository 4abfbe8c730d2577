"""From the text of one clause to its value."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.expressions import LIST, LISTED
from nomic_nb.engine.law.forms import Effect, Form, terminal
from nomic_nb.engine.law.hints import everyday, examples
from nomic_nb.engine.law.likeness import invisible
from nomic_nb.engine.law.nodes import Expression
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.words import listed

if TYPE_CHECKING:
    from lark import Lark, Tree

    _Tree = Tree[Any]

LONGEST_LINE = 1_000

#: Words of clauses that can stand behind an expression, as the grammar calls them.
_ENDING = ("HIDDEN", "_AS", "_EACH", "_FROM", "_MOVES", "_OF", "_ON", "_OVER", "_PER", "_TO", "_WHEN", "_WHILE")
#: Marks that begin or end a text, or are meant to.
_QUOTES = "\"'“”„‘’«»"
#: A question without a name for its answer.
_ASKED = re.compile(r"""ask\s+(.*?)\s*("[^"]*"|'[^']*')""")
#: What an expression is made of; said as one thing in messages.
_EXPRESSION = {"_IN", "WORD", "INT", "FLOAT", "STRING", "LABEL", "LPAR", "LSQB", "OPERATOR", "FIELD", "MINUS"}


class Speech(Protocol):
    """What a clause is written in, as far as it must be known here: a `Language`."""

    vocabulary: Vocabulary
    grammar: str

    def expression(self, text: str) -> Expression:
        """Read an expression."""


@lru_cache(maxsize=8)
def _parser(grammar: str) -> Lark:
    from lark import Lark

    return Lark(grammar, start="clause", parser="lalr", propagate_positions=True, maybe_placeholders=True)


def grammar_of(forms: Iterable[Form]) -> str:
    """Return the grammar of clauses with the forms of effects in it."""
    text = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    forms = tuple(forms)
    # One rule with all cases: a rule for each would have the tables of the parser grow by the square of their number.
    written = [one.grammar.partition("\n") for one in forms] or [("_NOTHING", "", "_NOTHING: /(?!)./")]
    effect = "\n    | ".join(case for case, _, _ in written)
    # Words are whole words: `setwin` is none of them.
    known = set(re.findall(r"^_[A-Z]+(?=\.2:)", text, re.MULTILINE))
    words = {terminal(word): word for one in forms for word in one.words if terminal(word) not in known}
    terminals = [f"{name}.2: /{word}(?![\\w.])/" for name, word in sorted(words.items())]
    ending = {terminal(word) for one in forms for word in one.between} - {"_IN"} | set(_ENDING)
    keywords = " | ".join(sorted(ending))
    return "\n".join(
        [text, f"effect: {effect}", *(rules for _, _, rules in written), *terminals, f"_keyword: {keywords}", ""]
    )


def placed(error: LawError, source: str, offset: int) -> LawError:
    """Put an error where it stands in a text."""
    row = source.count("\n", 0, offset)
    made = error.moved(row + 1 - error.line, source.splitlines()[row] if source else "")
    made.column = offset - source.rfind("\n", 0, offset)
    return made


def tokens_of(tree: Any) -> list[Any]:
    """Return the words and signs of what was parsed; none where it was left out."""
    return [] if tree is None else list(tree.scan_values(lambda _: True))


def squeezed(text: str) -> str:
    """Return a text on one line, with single blanks; what stands between quotation marks stays as it is."""
    parts = re.split(r"""("[^"\n]*"|'[^'\n]*')""", text)
    return "".join(part if at % 2 else re.sub(r"\s+", " ", part) for at, part in enumerate(parts)).strip()


class Reader:
    """Turns the parser's tree of one clause into a value."""

    def __init__(self, language: Speech, source: str, before: str = "") -> None:
        self.language, self.source, self.before = language, source, before
        self.flat = before + source.replace("\n", " ").replace("\t", " ")

    def clause(self) -> c.Clause:
        """Return the clause."""
        if len(self.source) > LONGEST_LINE < len(LIST.sub("[]", self.source[: 2 * LISTED])):
            raise LawError(f"a clause has at most {LONGEST_LINE} characters", found=f"{len(self.source)}")
        for at, letter in enumerate(self.source):
            if letter in "#\\" or (invisible(letter) and letter not in "\n\t"):
                raise self.refused(at, "this character is not part of the language", repr(letter))
        tree = self.parse()
        return self.made(squeezed(self.source), str(tree.data), [self.read(one) for one in tree.children])

    def refused(self, offset: int, message: str, found: str = "", expected: str = "") -> LawError:
        """Put an error where it stands in the clause."""
        error = LawError(message, found=found, expected=expected)
        return placed(error, self.source, max(0, offset - len(self.before)))

    def parse(self) -> _Tree:
        """Return the clause as the grammar has it."""
        from lark import UnexpectedInput

        try:
            return _parser(self.language.grammar).parse(self.flat)
        except UnexpectedInput as error:
            wanted = set(getattr(error, "expected", None) or getattr(error, "allowed", None) or ())
            token, offset = getattr(error, "token", None), error.pos_in_stream or 0
            if token is None:
                found = repr(self.flat[offset])
                if self.flat[offset] in _QUOTES:
                    said = "this quotation mark neither begins nor ends a text"
                    raise self.refused(offset, said, found, '"…"') from None
            elif token.type == "$END":
                offset, found = len(self.flat), "the end of the line"
            else:
                found = repr(str(token))
            expected = self.meant(offset) or self.expected(wanted)
            raise self.refused(offset, self.complaint(offset), found, expected) from None

    def meant(self, offset: int) -> str:
        """Return what is probably meant: an effect behind its event, an award where something is given."""
        question = _ASKED.match(self.flat, offset)
        if question:
            said = f"let {question[1] or 'players'} choose answer from any text asking {question[2]}"
            return (self.flat[len(self.before) : offset] + said + self.flat[question.end() :]).strip()
        given = re.search(r"\bgive (\S+) (\d+ [a-z_]+)\s*$", self.flat)
        effect = f"award {given[2]} to {given[1]}" if given else ""
        if offset <= len(self.before) and (self.flat.split() or [""])[0] in self.effects:
            return f"on EVENT: {effect or self.flat.strip()}"
        return effect

    @property
    def effects(self) -> set[str]:
        """The words with which effects begin."""
        return {form.words[0] for form in self.language.vocabulary.effects.values() if form.words}

    def complaint(self, offset: int) -> str:
        """Say what is wrong from a place on."""
        first = (self.flat.split() or [""])[0]
        if _ASKED.match(self.flat, offset):
            return "what is asked has an answer, which has a name"
        if offset <= len(self.before) and first in self.effects:
            said = "" if first in ("when", "each") else f"{first} says what is done, and not when: "
            return f"{said}an event stands before it"
        if offset <= len(self.before) and first not in examples():
            near = difflib.get_close_matches(first.lower(), examples(), 1)
            return f"no clause begins with {first!r}" + (f"; did you mean {near[0]!r}?" if near else "")
        return "this does not belong here"

    @staticmethod
    def expected(wanted: set[str]) -> str:
        """Return what could stand there, in words."""
        said: list[str] = []
        if wanted & {"RPAR", "RSQB"}:  # inside brackets words that end an expression mean nothing
            wanted = {one for one in wanted if not one.startswith("_")}
        if {"LPAR", "LSQB", "INT"} <= wanted:
            said.append("an expression" if "OPERATOR" in wanted and "COLON" not in wanted else "a value")
            wanted = wanted - _EXPRESSION
        said += sorted(everyday("signs").get(one, one.lower().lstrip("_")) for one in wanted)
        return listed(said, "or") if said else ""

    # Children come in the order of the grammar; absent optional ones are None.

    def expr(self, tree: _Tree, start: int | None = None, end: int | None = None) -> Expression:
        """Return an expression, or a stretch of one."""
        begin = tree.meta.start_pos if start is None else start
        text = self.flat[begin : tree.meta.end_pos if end is None else end]
        try:
            return replace(self.language.expression(text), at=begin - len(self.before))
        except LawError as error:
            word = error.found.strip("'")
            near = (
                difflib.get_close_matches(word, everyday("around"), 1)
                if word.isidentifier() and not error.expected
                else []
            )
            if re.search(r"\bgive\s+$", self.flat[:begin]) and re.fullmatch(r"\d+ [a-z_]+", text):
                near = [f"award {text} to …, for what is counted"]
            expected = error.expected or "".join(near)
            raise self.refused(begin + error.column - 1, error.message, error.found, expected) from None

    def read(self, part: Any) -> Any:
        """Return what a part of a clause says: an expression, an effect, the number of a rule, or words."""
        if part is None:
            return None
        if isinstance(part, str):
            return str(part)[1:-1] if getattr(part, "type", "") == "STRING" else str(part)
        if part.data == "expr":
            return self.expr(part)
        if part.data != "number":
            return self.effect(part)
        text = "".join(part.children)
        return int(text) if re.fullmatch(r"-?[0-9]+", text) else text

    def made(self, words: str, kind: str, given: list[Any]) -> c.Clause:
        """Return the clause that is made of its parts."""
        match kind, given:
            case "set", [key, value, condition]:
                return c.Set(words, key, value, condition)
            case "permit", [verb, action, condition]:
                value = self.language.expression("true" if verb == "allow" else "false")
                return c.Set(words, f"may.{action}", value, condition)
            case "require", [condition]:
                return c.Require(words, condition)
            case "on", [event, each, among, condition, *effects]:
                return c.On(words, event, each, among, condition, tuple(effects))
            case "instead", [event, condition, *effects]:
                return c.Instead(words, event, None, None, condition, tuple(effects))
            case "offer", [name, who, condition, *effects]:
                return c.Offer(words, "taken", None, who, condition, tuple(effects), name.strip())
            case "track", [counter, *per, holds, start, hidden]:
                kinds = tuple(one for one in per if one != ",")
                return c.Track(words, counter, kinds, start, holds or "", hidden is not None)
            case "piece", [letter, army, value, limit]:
                tests = [f'kind == "{letter}"']
                tests += [f"army in armies_in({army.text})"] if army else []
                tests += [f"({limit.text})"] if limit else []
                condition = self.language.expression(" and ".join(tests))
                return c.Piece(words, "piece.moves", value, condition, letter, army, limit)
            case "claim", [verb, *over, key]:
                return c.Claim(words, verb == "prevails", None if over == ["everything"] else tuple(over), key)
            case "draft", [name, wording]:
                return c.Draft(words, name, wording, "", ())
        return c.Incorporate(words, "".join(given))

    def effect(self, tree: _Tree) -> Effect:
        """Read an effect: its form, with what stands in the places."""
        form = self.language.vocabulary.effects[str(tree.data).removeprefix("effect_")]
        places: dict[str, Any] = {}
        for (name, place), child in zip(form.places.items(), tree.children, strict=True):
            places.update(place.read(name, self, child))
        words = squeezed(self.flat[tree.meta.start_pos : tree.meta.end_pos])
        return Effect(form, words, tree.meta.start_pos - len(self.before), tuple(places.items()))


def read_clause(source: str, speech: Speech, before: str = "") -> c.Clause:
    """Read one clause; `before` is what is thought before it."""
    return Reader(speech, source, before).clause()
