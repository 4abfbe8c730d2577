"""The law language: from text to clauses, and the reading of clauses before anyone votes on them."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.checking import OWN_CASE, Checker
from nomic_nb.engine.law.clauses import Effect, Form, terminal_name
from nomic_nb.engine.law.confusables import confusable_form, is_invisible
from nomic_nb.engine.law.expressions import (
    ARITHMETIC,
    COMPARISONS,
    LIST_PATTERN,
    LONGEST_EXPRESSION_LIST,
    NO_SUCH_LETTER,
    USUAL_TEXT,
    compile_with_memo,
    lazy_compilation,
    name_taken_message,
    read_expression,
    too_many_parts_message,
)
from nomic_nb.engine.law.hints import add_hints, clause_examples, everyday_table
from nomic_nb.engine.law.nodes import Expression, ExpressionReads, Node, Run, dotted_field_paths, false_if_absent
from nomic_nb.engine.law.tables import TableShape, table_shapes
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.words import join_words

# ------------------------------------------------------------------------ from the text of one clause to its value


if TYPE_CHECKING:
    from lark import Lark, Tree

    _Tree = Tree[Any]

LONGEST_LINE = 1_000
#: Largest number of parts of an expression whose names are replaced.
MOST_PARTS_WITH_NAMES = 480

#: Marks that begin or end a text, or are meant to.
_QUOTATION_MARKS = "\"'“”„‘’«»"
#: A question without a name for its answer.
_ASK_PATTERN = re.compile(r"""ask\s+(.*?)\s*("[^"]*"|'[^']*')""")


@lru_cache(maxsize=8)
def _lark_parser(grammar: str) -> Lark:
    """Return the Lark parser for a grammar given as text; the latest few are cached."""
    from lark import Lark

    # Lark would take as long again to tell where each tree begins and ends.
    return Lark(grammar, start="clause", parser="lalr")


def grammar_of(forms: Iterable[Form]) -> str:
    """Return the Lark grammar of the law language, as text, with these forms of effects in it."""
    text = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    forms = tuple(forms)
    # One rule with all cases: a rule for each would have the tables of the parser grow by the square of their number.
    written = [form.grammar_rules.partition("\n") for form in forms] or [("_NOTHING", "", "_NOTHING: /(?!)./")]
    effect = "\n    | ".join(case for case, _, _ in written)
    # Words are whole words: `setwin` is none of them.
    known = set(re.findall(r"^_[A-Z]+(?=\.2:)", text, re.MULTILINE))
    words = {terminal_name(word): word for form in forms for word in form.words if terminal_name(word) not in known}
    terminals = [f"{name}.2: /{word}(?![\\w.])/" for name, word in sorted(words.items())]
    signs = "|".join(map(re.escape, sorted({*ARITHMETIC, *COMPARISONS, "=", "**"}, reverse=True))).replace("/", r"\/")
    # Words are taken as such, and `-` has a terminal of its own.
    terminals.append(f"OPERATOR: /(?![a-z-])({signs})/\n")
    return "\n".join([text, f"!effect: {effect}", *(rules for _, _, rules in written), *terminals])


def with_error_position(error: LawError, source: str, offset: int) -> LawError:
    """Return a copy of an error that points at an offset of the source, by its line and column."""
    row = source.count("\n", 0, offset)
    made = error.moved(row + 1 - error.line, source.splitlines()[row] if source else "")
    made.column = offset - source.rfind("\n", 0, offset)
    return made


def tokens_of(tree: Any) -> list[Any]:
    """Return all tokens in a parse tree but brackets and ``in``; an empty list for None, an optional part left out."""
    return [] if tree is None else list(tree.scan_values(lambda part: part.type != "_IN" and part not in "()[]"))


def outer_token(tree: Any, index: int) -> Any:
    """Return the first token (index 0) or the last token (-1) in the parse tree of an effect or an expression."""
    while not isinstance(tree, str):
        tree = [child for child in tree.children if child is not None][index]
    return tree


def parts_of(tree: Any) -> list[Any]:
    """Return the children of the parse tree of an effect or an expression, without its words and brackets."""
    return [child for child in tree.children if getattr(child, "type", "-")[0] != "_" and child not in (":", "(", ")")]


_QUOTED_TEXT = re.compile(r"""("[^"\n]*"|'[^'\n]*')""")


def join_lines(text: str) -> str:
    """Return a text on one line with single blanks between words; quoted texts stay as they are."""
    if "  " not in text and text.isprintable():
        return text.strip()
    parts = _QUOTED_TEXT.split(text)
    return "".join(part if at % 2 else re.sub(r"\s+", " ", part) for at, part in enumerate(parts)).strip()


class _Block(NamedTuple):
    """A block of indented lines: its indentation, that of the line above it, and which piece is its bracket or 0."""

    indent: int
    above: int
    bracket: int

    def close(self, pieces: list[str], places: list[int]) -> str:
        """Return the bracket that closes the block; if it has only one effect, empty its opening bracket instead.

        A semicolon at the end of the block is dropped.
        """
        pieces[-1] = pieces[-1].rstrip("; ")
        del places[len("".join(pieces)) :]
        if not self.bracket or ";" in "".join(pieces[self.bracket :]):
            return ")" if self.bracket else ""
        pieces[self.bracket] = "  "
        return ""


@lru_cache(maxsize=1024)
def fold_blocks(source: str, *, finished: bool = True) -> tuple[str, Sequence[int]]:
    r"""Return a clause on one line, and for each of its characters the offset in `source`.

    Lines that are indented below a line with a colon at its end become ``(…; …)``. Other indented lines, and those
    inside brackets, go on with the line above. If not `finished`, blocks stay open at the end.

    Raises
    ------
    LawError
        A block has no lines, or a line is indented like none above it.

    Examples
    --------
    >>> fold_blocks("on adopted:\n  when circuit > 2:\n    end turn\n    announce 'Soon.'\n  end play")[0]
    "on adopted: when circuit > 2: (end turn; announce 'Soon.'); end play"
    """
    if "\n" not in source:
        return source.replace("\t", " "), range(len(source) + 1)
    pieces, places, blocks = list[str](), list[int](), list[_Block]()
    above = start = depth = 0
    for line in source.split("\n"):
        words, place = line.strip(" \t").replace("\t", " "), start + len(line) - len(line.lstrip(" \t"))
        indent, joint, closed, opens = len(line[: place - start].expandtabs(4)), " ", None, False
        start += len(line) + 1
        if not words or words[0] == "#":
            continue
        if pieces and not depth:
            opens = pieces[-1].endswith(":")
            while blocks and indent < blocks[-1].indent:
                closed = blocks.pop()
                joint = closed.close(pieces, places) + joint
            if opens and (closed or indent <= (blocks[-1].indent if blocks else 0)):
                raise with_error_position(LawError(EMPTY_BLOCK, expected=_BLOCK_EXPECTED), source, place)
            if opens:  # the colon of the clause itself needs no bracket
                own = _QUOTED_TEXT.sub("", "".join(pieces)).count(":") == 1
                blocks.append(_Block(indent, above, 0 if own else len(pieces)))
                joint = " " if own else " ("
            elif (blocks and indent == blocks[-1].indent) or (closed and indent == closed.above):
                joint = joint.rstrip() + (" " if pieces[-1].endswith(";") else "; ")
            elif closed:
                message = say("indent-unlike", "this line isn’t indented like any line above it")
                expected = "as many spaces as before the line that it belongs below"
                raise with_error_position(LawError(message, expected=expected), source, place)
        if not depth:
            above = indent
        plain = _QUOTED_TEXT.sub("", words)
        depth += sum(map(plain.count, "([")) - sum(map(plain.count, ")]"))
        pieces += [joint, words] if pieces else [words]
        places += [*[place] * (len(joint) if pieces[1:] else 0), *range(place, place + len(words))]
    if finished:
        if pieces[-1].endswith(":"):
            raise with_error_position(LawError(EMPTY_BLOCK, expected=_BLOCK_EXPECTED), source, len(source) - 1)
        pieces += [block.close(pieces, places) for block in blocks[::-1]]
    flat = "".join(pieces)
    return flat, [*places, *[len(source)] * (len(flat) + 1 - len(places))]


EMPTY_BLOCK = say("block-empty", "this line ends in a colon, but no line below it is indented further")
_BLOCK_EXPECTED = "an effect on each line below it, indented"


class ClauseReader:
    """Turns the parser's tree of one clause into a value."""

    def __init__(self, language: Language, source: str, before: str = "") -> None:
        self.language, self.source, self.before = language, source, before
        flat, self.places = fold_blocks(source)
        self.flat = before + flat

    def read_clause(self) -> c.Clause:
        """Parse the reader's text and return its clause; raise `LawError` if it is not one."""
        if len(self.flat) > LONGEST_LINE < len(LIST_PATTERN.sub("[]", self.flat[: 2 * LONGEST_EXPRESSION_LIST])):
            raise LawError(
                "clause-too-long",
                "a clause can have at most {longest} characters",
                longest=LONGEST_LINE,
                found=f"{len(self.flat)}",
            )
        for at, letter in enumerate("" if USUAL_TEXT.fullmatch(self.flat) else self.flat):
            if letter in "#\\" or is_invisible(letter):
                raise self.error_at_offset(at, NO_SUCH_LETTER, repr(letter))
        tree = self.parse_tree()
        words = join_lines(self.flat[len(self.before) :])
        return self.build_clause(words, str(tree.data), [self.read_part(child) for child in tree.children])

    def error_at_offset(self, offset: int, message: Message, found: str = "", expected: str = "") -> LawError:
        """Return a `LawError` at an offset of the clause's text, with what was `found` and what is `expected` there."""
        error = LawError(message, found=found, expected=expected)
        return with_error_position(error, self.source, self.places[max(0, offset - len(self.before))])

    def parse_tree(self) -> _Tree:
        """Return the Lark parse tree of the clause; raise `LawError`, with a hint, if it cannot be parsed."""
        from lark import UnexpectedInput

        try:
            return _lark_parser(self.language.grammar).parse(self.flat)
        except UnexpectedInput as error:
            wanted = set(getattr(error, "expected", None) or getattr(error, "allowed", None) or ())
            token, offset = getattr(error, "token", None), error.pos_in_stream or 0
            if token is None:
                unexpected = repr(self.flat[offset])
                if self.flat[offset] in _QUOTATION_MARKS:
                    message = say("quotation-mark-alone", "this quotation mark doesn’t start or end a text")
                    raise self.error_at_offset(offset, message, unexpected, '"…"') from None
            elif token.type == "$END":
                offset, unexpected = len(self.flat), "the end of the line"
            else:
                unexpected = repr(str(token))
            if re.fullmatch(r"set \S+ to\s*", self.flat[:offset]):  # where names for values could begin
                wanted.discard("COLON")
            expected = self.guess_correction(offset) or self.describe_expected(wanted)
            raise self.error_at_offset(offset, self.syntax_error_message(offset), unexpected, expected) from None

    def guess_correction(self, offset: int) -> str:
        """Return what was probably meant at an offset, such as “on EVENT: …”; empty if unknown."""
        question = _ASK_PATTERN.match(self.flat, offset)
        if question:
            sentence = f"let {question[1] or 'players'} choose answer from any text asking {question[2]}"
            return (self.flat[len(self.before) : offset] + sentence + self.flat[question.end() :]).strip()
        given = re.search(r"\bgive (\S+) (\d+ [a-z_]+)\s*$", self.flat)
        effect = f"award {given[2]} to {given[1]}" if given else ""
        if offset <= len(self.before) and (self.flat.split() or [""])[0] in self.first_words_of_effects:
            return f"on EVENT: {effect or self.flat.strip()}"
        return effect

    @property
    def first_words_of_effects(self) -> set[str]:
        """The words that effects of the vocabulary begin with, such as “award”."""
        return {form.words[0] for form in self.language.vocabulary.effects.values() if form.words}

    def syntax_error_message(self, offset: int) -> Message:
        """Return the message about what is wrong at the offset where parsing the clause failed."""
        first = (self.flat.split() or [""])[0]
        if _ASK_PATTERN.match(self.flat, offset):
            return say("answer-without-name", "the answer to a question needs a name")
        if offset <= len(self.before) and first in self.first_words_of_effects:
            message = say("event-missing", "put an event before it")
            if first in ("when", "each"):
                return message
            return message.embed_in("{effect} says what happens, but not when: {message}", effect=first)
        if offset <= len(self.before) and first not in clause_examples():
            near = difflib.get_close_matches(first.lower(), clause_examples(), 1, 0.81)
            message = say("clause-unknown", "a clause can’t start with {word!r}", word=first)
            return message.embed_in("{message}; did you mean {near!r}?", near=near[0]) if near else message
        return say("misplaced", "this doesn’t belong here")

    @staticmethod
    def describe_expected(wanted: set[str]) -> str:
        """Return in words the possible content of a place, given the grammar terminals that the parser wants there."""
        sentences = []
        if {"LPAR", "LSQB", "INT"} <= wanted:
            sentences.append("an expression" if "OPERATOR" in wanted and "COLON" not in wanted else "a value")
            wanted = wanted - everyday_table("expression").keys()
        sentences += sorted(everyday_table("signs").get(terminal, terminal.lower().lstrip("_")) for terminal in wanted)
        return join_words(sentences, "or") if sentences else ""

    # Children come in the order of the grammar; absent optional ones are None.

    def read_expression_in(self, tree: _Tree, start: int | None = None, end: int | None = None) -> Expression:
        """Read the expression in a parse tree, or in the clause's text from offset `start` to `end`."""
        begin = outer_token(tree, 0).start_pos if start is None else start
        text = self.flat[begin : outer_token(tree, -1).end_pos if end is None else end]
        try:
            found = self.language.expression(text)
            return Expression(found.text, found.node, found.compile, begin - len(self.before))
        except LawError as error:
            word = error.found.strip("'")
            known = {*everyday_table("around"), *everyday_table("within")}
            near = difflib.get_close_matches(word, known, 1) if word not in known and not error.expected else []
            expected = error.expected or "".join(near)
            raise self.error_at_offset(begin + error.column - 1, error.message, error.found, expected) from None

    def read_part(self, child: Any) -> Any:
        """Return a child of the parse tree as an expression, effect, number or text; None if it was left out."""
        if child is None:
            return None
        if isinstance(child, str):
            return child[1:-1] if getattr(child, "type", "") == "STRING" else str(child)
        if child.data == "expr":
            return self.read_expression_in(child)
        if child.data == "named":
            return child.children[0], self.read_expression_in(child.children[1])
        if child.data != "number":
            return self.read_effect(child)
        text = "".join(child.children)
        return int(text) if re.fullmatch(r"-?[0-9]+", text) else text

    def build_clause(self, words: str, kind: str, parts: list[Any]) -> c.Clause:
        """Build a clause from its grammar rule `kind`, such as “set”, its whole text, and its parsed parts."""
        match kind, parts:
            case "set", [key, *named, value, condition]:
                words_of = self.language.vocabulary
                known = words_of.keys.get(key)
                taken = {
                    *words_of.facts,
                    *everyday_table("within"),
                    *([*known.case, *known.may_know] if known else ()),
                }
                for at, (name, given) in reversed([*enumerate(named)]):
                    used = taken.union(other for other, _ in named[:at])
                    before = value, condition
                    value, condition = (self.with_name(one, used, name, given) for one in before)
                    if not any(one and name in one.names for one in before):
                        message = say("name-unused", "nothing uses this name")
                        raise self.error_at_offset(name.start_pos, message, name, "a value with it")
                return c.SetClause(words, key, value, condition)
            case "permit", [verb, action, condition]:
                value = self.language.expression("true" if verb == "allow" else "false")
                return c.SetClause(words, f"may.{action}", value, condition)
            case "require", [condition]:
                return c.RequireClause(words, condition)
            case "on", [event, each, among, condition, *effects]:
                return c.TriggerClause(words, event, each, among, condition, tuple(effects))
            case "whenever", [name, among, condition, *effects]:
                judged = replace(condition, compile=lambda: false_if_absent(condition.run))
                return c.WheneverClause(words, "whenever", name, among, judged, tuple(effects))
            case "instead", [event, condition, *effects]:
                return c.InsteadClause(words, event, None, None, condition, tuple(effects))
            case "offer", [name, who, condition, *effects]:
                return c.OfferClause(words, "taken", None, who, condition, tuple(effects), name.strip())
            case "track", [counter, *per, holds, start, hidden]:
                kinds = tuple(kind_name for kind_name in per if kind_name != ",")
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
        return c.IncorporateClause(words, "".join(parts))

    def with_name(self, expression: Expression | None, taken: Collection[str], name: Any, given: Expression) -> Any:
        """Return an expression with a name replaced by another expression; None for None.

        Raises
        ------
        LawError
            The name is taken, what it stands for uses a name of a loop, or the expression gets too large.
        """
        loops = {node.text for node in expression.walk() if node.loop} if expression is not None else set()
        if "." in name or name in taken or name in loops:
            raise self.error_at_offset(name.start_pos, name_taken_message(name), repr(str(name)), "another name")
        for lost in loops.intersection(given.names):
            message = say("name-of-loop", "{name} has a meaning only in the loop below it", name=lost)
            raise self.error_at_offset(given.at + len(self.before), message, lost)
        if expression is None:
            return None
        node = expression.node.with_name(name, given.node, given.at - expression.at)
        if node.size > MOST_PARTS_WITH_NAMES:
            message = too_many_parts_message(MOST_PARTS_WITH_NAMES)
            raise self.error_at_offset(expression.at + len(self.before), message, f"{node.size}")
        compile_it = lazy_compilation(node, self.language.vocabulary)
        return replace(expression, node=node, compile=compile_it)

    def read_effect(self, tree: _Tree) -> Effect:
        """Return the effect in a parse tree, with the values in its slots."""
        form = self.language.vocabulary.effects[str(tree.data).removeprefix("effect_")]
        places: dict[str, Any] = {}
        for (name, place), child in zip(form.places.items(), parts_of(tree), strict=True):
            places.update(place.read(name, self, child))
        begin = outer_token(tree, 0).start_pos
        words = join_lines(self.flat[begin : outer_token(tree, -1).end_pos])
        return Effect(form, words, begin - len(self.before), tuple(places.items()))


# ------------------------------------------------------------------------------------------------ the law language


#: Lines of law that one rule, or one amendment, may have.
MOST_LINES = 100


class Line(NamedTuple):
    """A clause and its first line in the whole text (lines counted from 1)."""

    clause: c.Clause
    line: int
    source: str

    def error_for_line(self, message: Message, expected: str) -> LawError:
        """Return an error about this whole clause, pointing at its line and saying what is expected instead."""
        return LawError(message, line=self.line, expected=expected, text=self.source.splitlines()[0])


class Language:
    """The law language over one vocabulary.

    Parameters
    ----------
    vocabulary : Vocabulary
        Words that its clauses may use.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.grammar = grammar_of(vocabulary.effects.values())
        self.clause = lru_cache(maxsize=4096)(lambda source: ClauseReader(self, source).read_clause())
        self.effect = lru_cache(maxsize=1024)(self._read_effect)
        self.expression = lru_cache(maxsize=4096)(lambda text: read_expression(text, vocabulary))
        self.apart = lru_cache(maxsize=1024)(self._parts_without_name)
        self.beside_words = lru_cache(maxsize=1024)(self._condition_without_wording)
        #: Dependencies of expressions; the resolver remembers them here for all bodies of law.
        self.looked_at: dict[Expression, ExpressionReads] = {}
        #: Findings of the latest bodies of law, the oldest first.
        self.latest: deque[dict[Any, Any]] = deque()

    # -------------------------------------------------------------------------------------- reading

    def read_clauses(self, law: str | None) -> tuple[Line, ...]:
        """Parse a rule's machine-readable text, with one clause a line, into clauses with line numbers.

        Parameters
        ----------
        law : str or None
            One clause a line, with what is indented below it; ``#`` begins a remark line.

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
                "too-many-lines",
                "a rule can have at most {most} lines of clauses",
                most=MOST_LINES,
                line=MOST_LINES + 1,
            )
        clause_lines = []
        start, gathered = 0, ""
        for number, line in enumerate([*("" if line.lstrip().startswith("#") else line for line in lines), ""], 1):
            if gathered and number <= len(lines) and (not line.strip() or line[0] in " \t"):
                gathered += "\n" + line
                continue
            if gathered:
                clause_lines.append(self._read_clause(gathered.rstrip(), start))
            gathered, start = (line, number) if line.strip() else ("", 0)
        return tuple(clause_lines)

    def _read_clause(self, source: str, start: int) -> Line:
        """Read one clause, or a draft with its indented clauses, that begins at line `start` of the rule."""
        head, _, body = source.partition("\n")
        draft = head.split(" ", 1)[0] == "draft"
        try:
            clause = self.clause(head if draft else source)
        except LawError as error:
            raise add_hints(error, self.vocabulary).moved(lines=start - 1) from None
        if not draft:
            return Line(clause, start, source)
        if not isinstance(clause, c.DraftClause) or not body.strip():
            raise LawError("draft-empty", "a draft needs clauses, indented below it", line=start, text=head)
        with _shift_errors(body, start):
            lines = self.read_clauses(textwrap.dedent(body))
        for line in lines:
            if isinstance(line.clause, c.DraftClause):
                raise LawError(
                    "draft-in-draft", "a draft can’t contain a draft", line=start + line.line, text=line.source
                )
        inner = tuple(line.clause for line in lines)
        text = "\n".join(line.source for line in lines)
        words = f"{clause.words}\n{textwrap.indent(text, '    ')}"
        return Line(c.DraftClause(words, clause.name, clause.wording, text, inner), start, source)

    def _read_effect(self, source: str) -> Effect:
        """Parse a text as a single effect, such as ``award 5 points to player``; raise `LawError` if it is not one."""
        clause = ClauseReader(self, source, "on apply: ").read_clause()
        if not isinstance(clause, c.TriggerClause) or len(clause.effects) != 1:
            raise LawError("one-effect-needed", "give exactly one effect", text=source)
        return clause.effects[0]

    def _parts_without_name(self, condition: Expression, name: str) -> tuple[Run, ...]:
        """Return, compiled to functions, those conditions joined by ``and`` that do not use the bound name `name`."""
        parts = (node for node in condition.node.conjuncts if not self._uses_name(node, name))
        return tuple(compile_with_memo(node, self.vocabulary) for node in parts)

    def _condition_without_wording(self, condition: Expression) -> Expression | None:
        """Return a condition without the ``or`` branches that read a change's wording; None if none is left."""
        node = condition.node
        ways = node.parts if node.connective == "or" else (node,)
        left = tuple(way for way in ways if self.vocabulary.wording.isdisjoint(dotted_field_paths(way)))
        if not left or len(left) == len(ways):
            return condition if left else None
        rest = replace(node, parts=left) if len(left) > 1 else left[0]
        return replace(condition, node=rest, compile=lazy_compilation(rest, self.vocabulary))

    def _uses_name(self, node: Node, name: str) -> bool:
        """Tell whether a syntax node may use a bound name, also through a key, a fact, a field or a function."""
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

    def check_clauses(self, lines: Iterable[Line], tables: Mapping[str, TableShape]) -> None:
        """Raise `LawError` if a clause has unknown words or wrong types, or if triggers fire one another forever.

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
        tracked = {**table_shapes(line.clause for line in lines), **tables}
        drafts = frozenset(line.clause.name for line in lines if isinstance(line.clause, c.DraftClause))
        read = set()
        for line in lines:
            if isinstance(line.clause, c.DraftClause):
                if line.clause.name in read:
                    raise line.error_for_line(
                        say("draft-name-taken", "there is already a draft called {draft}", draft=line.clause.name),
                        "another name",
                    )
                read.add(line.clause.name)
                body = line.source.partition("\n")[2]
                with _shift_errors(body, line.line):
                    self.check_clauses(
                        self.read_clauses(textwrap.dedent(body)), {**table_shapes(line.clause.body), **tracked}
                    )
                continue
            flat, places = fold_blocks(line.source)
            try:
                Checker(self.vocabulary, OWN_CASE, tracked, set(), flat, drafts).check_clause(line.clause)
            except LawError as error:
                placed = with_error_position(error, line.source, places[error.offset or 0])
                raise add_hints(placed, self.vocabulary, tracked).moved(lines=line.line - 1) from None
        _check_offers_distinct(lines)
        circle = find_trigger_circle([line.clause for line in lines if isinstance(line.clause, c.TriggerClause)])
        if circle:
            place = next(line for line in lines if line.clause is circle[0])
            told = " → ".join(trigger.event for trigger in (*circle, circle[0]))
            raise place.error_for_line(
                say("clause-circular", "this clause triggers itself forever: {circle}", circle=told),
                "a when condition that stops it",
            )

    def check_effect(self, effect: Effect, tables: Mapping[str, TableShape]) -> None:
        """Raise `LawError` if an effect has an unknown name or a wrong type, given the tables that rules track."""
        try:
            Checker(self.vocabulary, OWN_CASE, tables, set(), effect.words).check_effect(replace(effect, at=0))
        except LawError as error:
            raise with_error_position(error, effect.words, error.offset or 0) from None


def _check_offers_distinct(lines: Iterable[Line]) -> None:
    """Raise `LawError` if a rule makes two offers whose words are the same or look the same."""
    seen = set()
    for line in lines:
        if isinstance(line.clause, c.OfferClause):
            name = v.HeardText(line.clause.name)
            if confusable_form(name.compared_form) in seen:
                raise line.error_for_line(
                    say("offered-twice", "this rule already offers “{offer}”, or one that looks like it", offer=name),
                    "other words",
                )
            seen.add(confusable_form(name.compared_form))


@contextmanager
def _shift_errors(body: str, start: int) -> Iterator[None]:
    """Return a context that corrects line and column of errors in a draft's body to those in the whole rule."""
    try:
        yield
    except LawError as error:
        first = body.splitlines()[0]
        error.column += len(first) - len(textwrap.dedent(body).splitlines()[0])
        raise error.moved(lines=start) from None


def find_trigger_circle(triggers: list[c.TriggerClause]) -> tuple[c.TriggerClause, ...]:
    """Return unconditional triggers that fire one another in an endless circle; empty without any.

    A trigger with a ``when`` may stop by itself, and so may effects after a nested one; both are watched in
    play instead.
    """
    free = [
        trigger
        for trigger in triggers
        if trigger.condition is None and not isinstance(trigger, c.InsteadClause | c.OfferClause)
    ]
    for first in free:
        seen = set()
        paths: list[tuple[c.TriggerClause, ...]] = [(first,)]
        while paths:
            path = paths.pop()
            for step in free:
                if any(step.event in effect.form.makes for effect in path[-1].unconditional_effects()):
                    if step is first:
                        return path
                    if id(step) not in seen:
                        seen.add(id(step))
                        paths.append((*path, step))
    return ()
