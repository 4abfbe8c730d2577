"""The law language: from text to clauses, and the reading of clauses before anyone votes on them."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.checking import OWN_CASE, Checker
from nomic_nb.engine.law.confusables import confusable_form, is_invisible
from nomic_nb.engine.law.expressions import (
    LIST_PATTERN,
    LONGEST_EXPRESSION_LIST,
    NO_SUCH_LETTER,
    compile_node,
    read_expression,
)
from nomic_nb.engine.law.forms import Effect, Form, terminal_name
from nomic_nb.engine.law.hints import add_hints, clause_examples, everyday_words
from nomic_nb.engine.law.nodes import Expression, ExpressionReads, Node, Run, field_paths
from nomic_nb.engine.law.tables import TableShape, tracked_tables
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.words import join_words

# ------------------------------------------------------------------------ from the text of one clause to its value


if TYPE_CHECKING:
    from lark import Lark, Tree

    _Tree = Tree[Any]

LONGEST_LINE = 1_000

#: Words of clauses that can stand behind an expression, as the grammar calls them.
_ENDING_TERMINALS = (
    "HIDDEN",
    "_AS",
    "_EACH",
    "_FROM",
    "_MOVES",
    "_OF",
    "_ON",
    "_OVER",
    "_PER",
    "_TO",
    "_WHEN",
    "_WHILE",
)
#: Marks that begin or end a text, or are meant to.
_QUOTATION_MARKS = "\"'“”„‘’«»"
#: A question without a name for its answer.
_ASK_PATTERN = re.compile(r"""ask\s+(.*?)\s*("[^"]*"|'[^']*')""")
#: What an expression is made of; said as one thing in messages.
_EXPRESSION_TERMINALS = {"_IN", "WORD", "INT", "FLOAT", "STRING", "LABEL", "LPAR", "LSQB", "OPERATOR", "FIELD", "MINUS"}


class ClauseContext(Protocol):
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
    words = {terminal_name(word): word for one in forms for word in one.words if terminal_name(word) not in known}
    terminals = [f"{name}.2: /{word}(?![\\w.])/" for name, word in sorted(words.items())]
    ending = {terminal_name(word) for one in forms for word in one.between} - {"_IN"} | set(_ENDING_TERMINALS)
    keywords = " | ".join(sorted(ending))
    return "\n".join(
        [text, f"effect: {effect}", *(rules for _, _, rules in written), *terminals, f"_keyword: {keywords}", ""]
    )


def place_error(error: LawError, source: str, offset: int) -> LawError:
    """Put an error where it stands in a text."""
    row = source.count("\n", 0, offset)
    made = error.moved(row + 1 - error.line, source.splitlines()[row] if source else "")
    made.column = offset - source.rfind("\n", 0, offset)
    return made


def tokens_of(tree: Any) -> list[Any]:
    """Return the words and signs of what was parsed; none where it was left out."""
    return [] if tree is None else list(tree.scan_values(lambda _: True))


def join_lines(text: str) -> str:
    """Return a text on one line, with single blanks; what stands between quotation marks stays as it is."""
    parts = re.split(r"""("[^"\n]*"|'[^'\n]*')""", text)
    return "".join(part if at % 2 else re.sub(r"\s+", " ", part) for at, part in enumerate(parts)).strip()


class ClauseReader:
    """Turns the parser's tree of one clause into a value."""

    def __init__(self, language: ClauseContext, source: str, before: str = "") -> None:
        self.language, self.source, self.before = language, source, before
        self.flat = before + source.replace("\n", " ").replace("\t", " ")

    def clause(self) -> c.Clause:
        """Return the clause."""
        if len(self.source) > LONGEST_LINE < len(LIST_PATTERN.sub("[]", self.source[: 2 * LONGEST_EXPRESSION_LIST])):
            raise LawError(
                say("clause-too-long", "a clause has at most {longest} characters", longest=LONGEST_LINE),
                found=f"{len(self.source)}",
            )
        for at, letter in enumerate(self.source):
            if letter in "#\\" or (is_invisible(letter) and letter not in "\n\t"):
                raise self.refused(at, NO_SUCH_LETTER, repr(letter))
        tree = self.parse()
        return self.made(join_lines(self.source), str(tree.data), [self.read(one) for one in tree.children])

    def refused(self, offset: int, message: Message, found: str = "", expected: str = "") -> LawError:
        """Put an error where it stands in the clause."""
        error = LawError(message, found=found, expected=expected)
        return place_error(error, self.source, max(0, offset - len(self.before)))

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
                if self.flat[offset] in _QUOTATION_MARKS:
                    said = say("quotation-mark-alone", "this quotation mark neither begins nor ends a text")
                    raise self.refused(offset, said, found, '"…"') from None
            elif token.type == "$END":
                offset, found = len(self.flat), "the end of the line"
            else:
                found = repr(str(token))
            expected = self.meant(offset) or self.expected(wanted)
            raise self.refused(offset, self.complaint(offset), found, expected) from None

    def meant(self, offset: int) -> str:
        """Return what is probably meant: an effect behind its event, an award where something is given."""
        question = _ASK_PATTERN.match(self.flat, offset)
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

    def complaint(self, offset: int) -> Message:
        """Say what is wrong from a place on."""
        first = (self.flat.split() or [""])[0]
        if _ASK_PATTERN.match(self.flat, offset):
            return say("answer-without-name", "what is asked has an answer, which has a name")
        if offset <= len(self.before) and first in self.effects:
            said = say("event-missing", "an event stands before it")
            if first in ("when", "each"):
                return said
            return said.within("{effect} says what is done, and not when: {message}", effect=first)
        if offset <= len(self.before) and first not in clause_examples():
            near = difflib.get_close_matches(first.lower(), clause_examples(), 1)
            said = say("clause-unknown", "no clause begins with {word!r}", word=first)
            return said.within("{message}; did you mean {near!r}?", near=near[0]) if near else said
        return say("misplaced", "this does not belong here")

    @staticmethod
    def expected(wanted: set[str]) -> str:
        """Return what could stand there, in words."""
        said: list[str] = []
        if wanted & {"RPAR", "RSQB"}:  # inside brackets words that end an expression mean nothing
            wanted = {one for one in wanted if not one.startswith("_")}
        if {"LPAR", "LSQB", "INT"} <= wanted:
            said.append("an expression" if "OPERATOR" in wanted and "COLON" not in wanted else "a value")
            wanted = wanted - _EXPRESSION_TERMINALS
        said += sorted(everyday_words("signs").get(one, one.lower().lstrip("_")) for one in wanted)
        return join_words(said, "or") if said else ""

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
                difflib.get_close_matches(word, everyday_words("around"), 1)
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
                return c.SetClause(words, key, value, condition)
            case "permit", [verb, action, condition]:
                value = self.language.expression("true" if verb == "allow" else "false")
                return c.SetClause(words, f"may.{action}", value, condition)
            case "require", [condition]:
                return c.RequireClause(words, condition)
            case "on", [event, each, among, condition, *effects]:
                return c.TriggerClause(words, event, each, among, condition, tuple(effects))
            case "instead", [event, condition, *effects]:
                return c.InsteadClause(words, event, None, None, condition, tuple(effects))
            case "offer", [name, who, condition, *effects]:
                return c.OfferClause(words, "taken", None, who, condition, tuple(effects), name.strip())
            case "track", [counter, *per, holds, start, hidden]:
                kinds = tuple(one for one in per if one != ",")
                return c.TrackClause(words, counter, kinds, start, holds or "", hidden is not None)
            case "piece", [letter, army, value, limit]:
                tests = [f'kind == "{letter}"']
                tests += [f"army in armies_in({army.text})"] if army else []
                tests += [f"({limit.text})"] if limit else []
                condition = self.language.expression(" and ".join(tests))
                return c.PieceClause(words, "piece.moves", value, condition, letter, army, limit)
            case "claim", [verb, *over, key]:
                return c.ClaimClause(words, verb == "prevails", None if over == ["everything"] else tuple(over), key)
            case "draft", [name, wording]:
                return c.DraftClause(words, name, wording, "", ())
        return c.IncorporateClause(words, "".join(given))

    def effect(self, tree: _Tree) -> Effect:
        """Read an effect: its form, with what stands in the places."""
        form = self.language.vocabulary.effects[str(tree.data).removeprefix("effect_")]
        places: dict[str, Any] = {}
        for (name, place), child in zip(form.places.items(), tree.children, strict=True):
            places.update(place.read(name, self, child))
        words = join_lines(self.flat[tree.meta.start_pos : tree.meta.end_pos])
        return Effect(form, words, tree.meta.start_pos - len(self.before), tuple(places.items()))


def read_clause(source: str, speech: ClauseContext, before: str = "") -> c.Clause:
    """Read one clause; `before` is what is thought before it."""
    return ClauseReader(speech, source, before).clause()


# ------------------------------------------------------------------------------------------------ the law language


#: Lines of law that one rule, or one amendment, may have.
MOST_LINES = 100


class Line(NamedTuple):
    """A clause and where it begins in the text that was handed in (lines counted from 1)."""

    clause: c.Clause
    line: int
    source: str

    def refused(self, message: Message, expected: str) -> LawError:
        """Return the error of a clause that cannot stand here as a whole."""
        return LawError(message, line=self.line, expected=expected, text=self.source.splitlines()[0])


class Language:
    """The law language over one vocabulary.

    Parameters
    ----------
    vocabulary : Vocabulary
        What its clauses may speak of.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.grammar = grammar_of(vocabulary.effects.values())
        self.clause = lru_cache(maxsize=4096)(lambda source: read_clause(source, self))
        self.effect = lru_cache(maxsize=1024)(self._read_effect)
        self.expression = lru_cache(maxsize=4096)(lambda text: read_expression(text, vocabulary))
        self.apart = lru_cache(maxsize=1024)(self._parts_without)
        self.beside_words = lru_cache(maxsize=1024)(self._beside_words)
        #: What expressions look at; the resolver remembers it here, for every body of law alike.
        self.looked_at: dict[Expression, ExpressionReads] = {}
        #: What bodies of law have found: of those that began to remember last, the oldest first.
        self.latest: deque[dict[Any, Any]] = deque()

    # -------------------------------------------------------------------------------------- reading

    def read(self, law: str | None) -> tuple[Line, ...]:
        """Read the clauses of a rule.

        Parameters
        ----------
        law : str or None
            One clause a line; an indented line goes on with the one before; ``#`` begins a remark line.

        Returns
        -------
        tuple of Line
            The clauses in order.

        Raises
        ------
        LawError
            With the line and the column in `law`.
        """
        lines = (law or "").splitlines()
        if len(lines) > MOST_LINES:
            raise LawError(
                say("too-many-lines", "a rule has at most {most} lines of law", most=MOST_LINES), line=MOST_LINES + 1
            )
        found: list[Line] = []
        start, gathered = 0, ""
        for number, line in enumerate([*lines, ""], 1):
            plain = line.strip()
            if gathered and plain and line[0] in " \t":
                gathered += "\n" + line
                continue
            if gathered:
                found.append(self._read_clause(gathered, start))
            gathered, start = ("", 0) if not plain or plain.startswith("#") else (line, number)
        return tuple(found)

    def _read_clause(self, source: str, start: int) -> Line:
        """Read a clause; of a draft its first line, and the clauses below as a rule of their own."""
        head, _, body = source.partition("\n")
        draft = head.split(" ", 1)[0] == "draft"
        try:
            clause = self.clause(head if draft else source)
        except LawError as error:
            raise add_hints(error, self.vocabulary).moved(lines=start - 1) from None
        if not draft:
            return Line(clause, start, source)
        if not isinstance(clause, c.DraftClause) or not body.strip():
            raise LawError(say("draft-empty", "a draft has clauses, indented below it"), line=start, text=head)
        with _shift_errors(body, start):
            lines = self.read(textwrap.dedent(body))
        for line in lines:
            if isinstance(line.clause, c.DraftClause):
                raise LawError(
                    say("draft-in-draft", "a draft holds no other draft"), line=start + line.line, text=line.source
                )
        words = "\n".join([clause.words, *(f"    {one}" for line in lines for one in line.clause.words.splitlines())])
        inner = tuple(line.clause for line in lines)
        text = "\n".join(one.words for one in inner)
        return Line(c.DraftClause(words, clause.name, clause.wording, text, inner), start, source)

    def _read_effect(self, source: str) -> Effect:
        """Read one effect on its own, as ``game.apply`` takes it."""
        clause = read_clause(source, self, "on apply: ")
        if not isinstance(clause, c.TriggerClause) or len(clause.effects) != 1:
            raise LawError(say("one-effect-needed", "one effect at a time"), text=source)
        return clause.effects[0]

    def ordered_by(self, whom: str) -> list[str]:
        """Return the effects that somebody may order, by name."""
        return [one.name for one in self.vocabulary.effects.values() if whom in one.by]

    def _parts_without(self, condition: Expression, name: str) -> tuple[Run, ...]:
        """Return the parts of a condition, joined by ``and``, that do not speak of a name."""
        parts = (one for one in condition.node.conjuncts if not self._uses_name(one, name))
        return tuple(compile_node(one, self.vocabulary) for one in parts)

    def _beside_words(self, condition: Expression) -> Expression | None:
        """Return what is left of a condition if there are no words to look at; None where nothing is."""
        node = condition.node
        ways = node.parts if node.connective == "or" else (node,)
        left = tuple(one for one in ways if self.vocabulary.wording.isdisjoint(field_paths(one)))
        if not left or len(left) == len(ways):
            return condition if left else None
        rest = replace(node, parts=left) if len(left) > 1 else left[0]
        return replace(condition, node=rest, canonical=rest.canonical, run=compile_node(rest, self.vocabulary))

    def _uses_name(self, node: Node, name: str) -> bool:
        """Tell whether a part of an expression uses a name, or asks for a key or a fact that may."""
        vocabulary = self.vocabulary
        case = any(name in key.case or name in key.may_know for key in vocabulary.keys.values())
        for one in node.walk():
            fact = vocabulary.facts.get(one.name)
            if one.name == name or (fact is not None and name in fact.needs):
                return True
            if case and (one.key or one.function or one.field or (fact is not None and fact.keys)):
                return True
        return False

    # ------------------------------------------------------------------------------------- checking

    def check(self, lines: Iterable[Line], tables: Mapping[str, TableShape]) -> None:
        """Read clauses statically: every key, name and type, before anyone votes on them.

        Parameters
        ----------
        lines : iterable of Line
            As `read_expression` returns them.
        tables : mapping of str to Shape
            The tables that rules track.

        Raises
        ------
        LawError
            With the line and the column.
        """
        lines = list(lines)
        tracked = {**tracked_tables(line.clause for line in lines), **tables}
        drafts = frozenset(line.clause.name for line in lines if isinstance(line.clause, c.DraftClause))
        read: set[str] = set()
        for line in lines:
            if isinstance(line.clause, c.DraftClause):
                if line.clause.name in read:
                    raise line.refused(
                        say("draft-name-taken", "there is a draft called {draft} already", draft=line.clause.name),
                        "another name",
                    )
                read.add(line.clause.name)
                body = line.source.partition("\n")[2]
                with _shift_errors(body, line.line):
                    self.check(self.read(textwrap.dedent(body)), {**tracked_tables(line.clause.body), **tracked})
                continue
            flat = line.source.replace("\n", " ")
            try:
                Checker(self.vocabulary, OWN_CASE, tracked, set(), flat, drafts).clause(line.clause)
            except LawError as error:
                found = add_hints(place_error(error, line.source, error.offset or 0), self.vocabulary, tracked)
                raise found.moved(lines=line.line - 1) from None
        _check_offers(lines)
        circle = find_circle([line.clause for line in lines if isinstance(line.clause, c.TriggerClause)])
        if circle:
            place = next(line for line in lines if line.clause is circle[0])
            told = " → ".join(one.event for one in (*circle, circle[0]))
            raise place.refused(
                say("clause-circular", "this clause sets itself off for ever: {circle}", circle=told),
                "a when that stops it",
            )

    def check_effect(self, effect: Effect, tables: Mapping[str, TableShape]) -> None:
        """Read one effect statically, as ``game.apply`` takes it."""
        try:
            Checker(self.vocabulary, OWN_CASE, tables, set(), effect.words).effect(replace(effect, at=0))
        except LawError as error:
            raise place_error(error, effect.words, error.offset or 0) from None


def _check_offers(lines: Iterable[Line]) -> None:
    """Refuse what a rule offers twice: nobody could say which is meant."""
    seen: set[str] = set()
    for line in lines:
        if isinstance(line.clause, c.OfferClause):
            name = v.HeardText(line.clause.name)
            if confusable_form(name.folded) in seen:
                raise line.refused(
                    say("offered-twice", "this rule offers “{offer}” already, or what looks the same", offer=name),
                    "other words",
                )
            seen.add(confusable_form(name.folded))


@contextmanager
def _shift_errors(body: str, start: int) -> Iterator[None]:
    """Put errors in the clauses of a draft where they stand below it."""
    try:
        yield
    except LawError as error:
        first = body.splitlines()[0]
        error.column += len(first) - len(textwrap.dedent(body).splitlines()[0])
        raise error.moved(lines=start) from None


def find_circle(triggers: list[c.TriggerClause]) -> tuple[c.TriggerClause, ...]:
    """Return triggers without conditions that set one another off for ever, or nothing.

    A trigger with a ``when`` may stop by itself, and so may what stands behind one inside; both are watched in
    play instead.
    """
    free = [one for one in triggers if one.condition is None and not isinstance(one, c.InsteadClause | c.OfferClause)]
    for first in free:
        seen: set[int] = set()
        paths: list[tuple[c.TriggerClause, ...]] = [(first,)]
        while paths:
            path = paths.pop()
            for step in free:
                if any(step.event in effect.form.makes for effect in path[-1].effects_at_once()):
                    if step is first:
                        return path
                    if id(step) not in seen:
                        seen.add(id(step))
                        paths.append((*path, step))
    return ()
