"""The law language: from text to clauses, and the reading of clauses before anyone votes on them."""

from __future__ import annotations

import difflib
import re
import textwrap
import unicodedata
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from nomic_nb.errors import LawError
from nomic_nb.law import clauses as c
from nomic_nb.law.checking import Checker
from nomic_nb.law.expressions import read
from nomic_nb.law.forms import Effect, Form, terminal
from nomic_nb.law.nodes import Expression, Node, Run
from nomic_nb.law.running import closure
from nomic_nb.law.types import Scope
from nomic_nb.law.vocabulary import Case, Vocabulary

if TYPE_CHECKING:
    from lark import Lark, Tree

    _Tree = Tree[Any]

#: Lines of law that one rule, or one amendment, may have.
MOST_LINES = 100
LONGEST_LINE = 1_000

_WHAT = {
    "WORD": "a word", "INT": "a number", "FLOAT": "a number", "STRING": "a text", "LABEL": "a label",
    "OPERATOR": "a sign", "COLON": "':'", "SEMICOLON": "';'", "$END": "the end of the line", "COMMA": "','",
    "LPAR": "'('", "RPAR": "')'", "LSQB": "'['", "RSQB": "']'", "OR_NONE": "or none", "FIELD": "a field",
    "MINUS": "'-'",
}  # fmt: skip
#: Words that stand around expressions, and may be meant where one goes wrong.
_WORDS = ("while", "when", "each", "from", "choose", "turns", "and", "not", "else", "for")
#: Words of clauses that can stand behind an expression, as the grammar calls them.
_ENDING = ("_EACH", "_FROM", "_MOVES", "_OF", "_ON", "_OVER", "_PER", "_TO", "_WHEN", "_WHILE")
#: Marks that begin or end a text, or are meant to.
_QUOTES = "\"'“”„‘’«»"
#: What an expression is made of; said as one thing in messages.
_EXPRESSION = {"_IN", "WORD", "INT", "FLOAT", "STRING", "LABEL", "LPAR", "LSQB", "OPERATOR", "FIELD", "MINUS"}


class Line(NamedTuple):
    """A clause and where it begins in the text that was handed in (lines counted from 1)."""

    clause: c.Clause
    line: int
    source: str


@lru_cache(maxsize=8)
def _parser(grammar: str) -> Lark:
    from lark import Lark

    return Lark(grammar, start="clause", parser="lalr", propagate_positions=True, maybe_placeholders=True)


def _grammar(forms: Iterable[Form]) -> str:
    """Return the grammar of clauses with the forms of effects in it."""
    text = files("nomic_nb.law").joinpath("grammar.lark").read_text(encoding="utf-8")
    forms = tuple(forms)
    rules = [one.grammar for one in forms] or ["effect_none: _NOTHING", "_NOTHING: /(?!)./"]
    names = [one.partition(":")[0] for one in rules if one.startswith("effect")]
    # Words are whole words: `setwin` is none of them.
    known = set(re.findall(r"^_[A-Z]+(?=\.2:)", text, re.MULTILINE))
    words = {terminal(word): word for one in forms for word in one.words if terminal(word) not in known}
    terminals = [f"{name}.2: /{word}(?![\\w.])/" for name, word in sorted(words.items())]
    ending = {terminal(word) for one in forms for word in one.between} | set(_ENDING)
    keywords = " | ".join(sorted(ending))
    return "\n".join([text, f"?effect: {' | '.join(names)}", *rules, *terminals, f"_keyword: {keywords}", ""])


class Language:
    """The law language over one vocabulary.

    Parameters
    ----------
    vocabulary : Vocabulary
        What its clauses may speak of.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.grammar = _grammar(vocabulary.effects.values())
        self.clause = lru_cache(maxsize=4096)(self._clause)
        self.effect = lru_cache(maxsize=1024)(self._effect)
        self.expression = lru_cache(maxsize=4096)(self._expression)
        self.apart = lru_cache(maxsize=1024)(self._apart)
        #: What expressions look at; the resolver remembers it here, for every body of law alike.
        self.looked_at: dict[Expression, tuple[frozenset[str], tuple[str, ...], frozenset[str]]] = {}
        #: What bodies of law have found: of those that began to remember last, the oldest first.
        self.latest: deque[dict[Any, Any]] = deque()

    # -------------------------------------------------------------------------------------- reading

    def read(self, law: str) -> tuple[Line, ...]:
        """Read the clauses of a rule.

        Parameters
        ----------
        law : str
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
        lines = law.splitlines()
        if len(lines) > MOST_LINES:
            raise LawError(f"a rule has at most {MOST_LINES} lines of law", line=MOST_LINES + 1)
        found: list[Line] = []
        start, gathered = 0, ""
        for number, line in enumerate([*lines, ""], 1):
            goes_on = line[:1] in (" ", "\t") and line.strip() and gathered
            if goes_on:
                gathered += "\n" + line
                continue
            if gathered:
                found.append(self._read_one(gathered, start))
            plain = line.strip()
            gathered, start = ("", 0) if not plain or plain.startswith("#") else (line, number)
        return tuple(found)

    def _read_one(self, source: str, start: int) -> Line:
        head, _, body = source.partition("\n")
        if head.split(" ", 1)[0] == "draft":
            return self._read_draft(head, body, source, start)
        try:
            return Line(self.clause(source), start, source)
        except LawError as error:
            raise error.moved(lines=start - 1) from None

    def _read_draft(self, head: str, body: str, source: str, start: int) -> Line:
        """Read a draft: its first line, and the clauses below as a rule of their own."""
        try:
            clause = self.clause(head)
        except LawError as error:
            raise error.moved(lines=start - 1) from None
        if not isinstance(clause, c.Draft) or not body.strip():
            raise LawError("a draft has clauses, indented below it", line=start, text=head)
        try:
            lines = self.read(textwrap.dedent(body))
        except LawError as error:
            raise _indented(error, body, start) from None
        for line in lines:
            if isinstance(line.clause, c.Draft):
                raise LawError("a draft holds no other draft", line=start + line.line, text=line.source)
        words = "\n".join([clause.words, *(f"    {one}" for line in lines for one in line.clause.words.splitlines())])
        inner = tuple(line.clause for line in lines)
        text = "\n".join(one.words for one in inner)
        return Line(c.Draft(words, clause.name, clause.wording, text, inner), start, source)

    def _expression(self, text: str) -> Expression:
        return read(text, self.vocabulary)

    def _clause(self, source: str) -> c.Clause:
        return _Maker(self, source).clause()

    def _effect(self, source: str) -> Effect:
        """Read one effect on its own, as ``game.apply`` takes it."""
        maker = _Maker(self, source, "on apply: ")
        clause = maker.clause()
        if not isinstance(clause, c.On) or len(clause.effects) != 1:
            raise LawError("one effect at a time", text=source)
        return clause.effects[0]

    def ordered_by(self, whom: str) -> list[str]:
        """Return the effects that somebody may order, by name."""
        return [one.name for one in self.vocabulary.effects.values() if whom in one.by]

    def _apart(self, condition: Expression, name: str) -> tuple[Run, ...]:
        """Return the parts of a condition, joined by ``and``, that do not speak of a name."""
        node = condition.node
        parts = node.parts if node.kind == "and" else (node,)
        return tuple(closure(part, self.vocabulary) for part in parts if not self._speaks_of(part, name))

    def _speaks_of(self, node: Node, name: str) -> bool:
        """Tell whether a part of an expression uses a name, or asks for a key or a fact that may."""
        vocabulary = self.vocabulary
        case = any(name in key.case or name in key.may_know for key in vocabulary.keys.values())
        waiting = [node]
        while waiting:
            one = waiting.pop()
            fact = vocabulary.facts.get(one.text) if one.kind == "name" else None
            if (one.kind, one.text) == ("name", name) or (fact is not None and name in fact.needs):
                return True
            if case and (one.kind in ("key", "call", "field") or (fact is not None and fact.keys)):
                return True
            waiting += one.parts
        return False

    # ------------------------------------------------------------------------------------- checking

    def scope(self, names: Case, counters: Mapping[str, str]) -> Scope:
        """Return the scope of a clause: the names of its case, and its own rule as ``this``."""
        return Checker(self.vocabulary, counters, "").scope(names)

    def check(self, lines: Iterable[Line], counters: Mapping[str, str]) -> None:
        """Read clauses statically: every key, name and type, before anyone votes on them.

        Parameters
        ----------
        lines : iterable of Line
            As `read` returns them.
        counters : mapping of str to str
            Tracked counters and what they are kept for.

        Raises
        ------
        LawError
            With the line and the column.
        """
        lines = list(lines)
        tracked = {**tracks(line.clause for line in lines), **counters}
        drafts = frozenset(line.clause.name for line in lines if isinstance(line.clause, c.Draft))
        read: set[str] = set()
        for line in lines:
            if isinstance(line.clause, c.Draft):
                if line.clause.name in read:
                    raise LawError(
                        f"there is a draft called {line.clause.name} already",
                        line=line.line,
                        expected="another name",
                        text=line.source.splitlines()[0],
                    )
                read.add(line.clause.name)
                self._check_draft(line, line.clause, tracked)
                continue
            try:
                Checker(self.vocabulary, tracked, line.source.replace("\n", " "), drafts).clause(line.clause)
            except LawError as error:
                raise _placed(error, line) from None
        circle = find_circle([line.clause for line in lines if isinstance(line.clause, c.On)])
        if circle:
            place = next(line for line in lines if line.clause is circle[0])
            raise LawError(
                "this clause sets itself off for ever: " + " → ".join(one.event for one in (*circle, circle[0])),
                line=place.line,
                expected="a when that stops it",
                text=place.source.splitlines()[0],
            )

    def _check_draft(self, line: Line, draft: c.Draft, counters: Mapping[str, str]) -> None:
        body = line.source.partition("\n")[2]
        tracked = {**tracks(draft.body), **counters}
        try:
            self.check(self.read(textwrap.dedent(body)), tracked)
        except LawError as error:
            raise _indented(error, body, line.line) from None

    def check_effect(self, effect: Effect, counters: Mapping[str, str]) -> None:
        """Read one effect statically, as ``game.apply`` takes it."""
        try:
            checker = Checker(self.vocabulary, counters, effect.words)
            checker.effect(replace(effect, at=0), checker.scope({}))
        except LawError as error:
            raise _at(effect.words, error.offset or 0, error) from None


def _indented(error: LawError, body: str, start: int) -> LawError:
    """Put an error that was found in a draft where it stands in the rule."""
    first = body.splitlines()[0]
    error.column += len(first) - len(textwrap.dedent(body).splitlines()[0])
    return error.moved(lines=start)


def _placed(error: LawError, line: Line) -> LawError:
    """Put an error that was found in a clause where it stands in the rule."""
    return _at(line.source, error.offset or 0, error).moved(lines=line.line - 1)


def _at(source: str, offset: int, error: LawError) -> LawError:
    before = source[:offset]
    row = before.count("\n")
    column = offset - (before.rfind("\n") + 1) + 1
    return LawError(
        error.message,
        line=row + 1,
        column=column,
        found=error.found,
        expected=error.expected,
        text=source.splitlines()[row] if source else "",
    )


def tracks(clauses: Iterable[c.Clause]) -> dict[str, str]:
    """Return the counters that clauses track, with what each is kept for; the first clause that says so counts."""
    found: dict[str, str] = {}
    for one in clauses:
        if isinstance(one, c.Track):
            found.setdefault(one.counter, one.per)
    return found


def find_circle(triggers: list[c.On]) -> tuple[c.On, ...]:
    """Return triggers without conditions that set one another off for ever, or nothing.

    A trigger with a ``when`` may stop by itself; it is watched in play instead.
    """
    free = [one for one in triggers if one.condition is None and not isinstance(one, c.Instead)]
    follows = {
        one: [two for two in free if any(two.event in effect.form.makes for effect in one.effects)] for one in free
    }
    for first in free:
        path: list[c.On] = [first]
        seen: set[int] = set()
        if _returns(first, first, follows, path, seen):
            return tuple(path)
    return ()


def _returns(at: c.On, goal: c.On, follows: Mapping[c.On, list[c.On]], path: list[c.On], seen: set[int]) -> bool:
    for step in follows[at]:
        if step is goal:
            return True
        if id(step) not in seen:
            seen.add(id(step))
            path.append(step)
            if _returns(step, goal, follows, path, seen):
                return True
            path.pop()
    return False


def squeezed(text: str) -> str:
    """Return a text on one line, with single blanks; what stands between quotation marks stays as it is."""
    parts = re.split(r"""("[^"\n]*"|'[^'\n]*')""", text)
    return "".join(part if at % 2 else re.sub(r"\s+", " ", part) for at, part in enumerate(parts)).strip()


class _Maker:
    """Turns the parser's tree of one clause into a value."""

    def __init__(self, language: Language, source: str, before: str = "") -> None:
        self.language, self.source, self.before = language, source, before
        self.flat = before + source.replace("\n", " ").replace("\t", " ")

    def clause(self) -> c.Clause:
        if len(self.source) > LONGEST_LINE:
            raise LawError(f"a clause has at most {LONGEST_LINE} characters", found=f"{len(self.source)}")
        for at, letter in enumerate(self.source):
            if letter in "#\\" or (unicodedata.category(letter) in ("Cc", "Cf", "Cs") and letter not in "\n\t"):
                raise self.place(LawError("this character is not part of the language", found=repr(letter)), at)
        words = squeezed(self.source)
        tree = self.parse()
        make = getattr(self, f"make_{tree.data}")
        made = make(words, *tree.children)
        if not isinstance(made, c.Clause):
            raise LawError("this is an effect, not a clause", found=repr(words[:40]), expected="on EVENT: before it")
        return made

    def place(self, error: LawError, offset: int) -> LawError:
        return _at(self.source, max(0, offset - len(self.before)), error)

    def parse(self) -> _Tree:
        from lark import UnexpectedCharacters, UnexpectedInput

        try:
            return _parser(self.language.grammar).parse(self.flat)
        except UnexpectedInput as error:
            wanted = set(getattr(error, "expected", None) or getattr(error, "allowed", None) or ())
            offset = getattr(error, "pos_in_stream", None)
            token = getattr(error, "token", None)
            if token is not None and token.type == "$END":
                offset, found = len(self.flat), "the end of the line"
            elif isinstance(error, UnexpectedCharacters):
                found = repr(self.flat[offset or 0])
                if self.flat[offset or 0] in _QUOTES:
                    said = "this quotation mark neither begins nor ends a text"
                    raise self.place(LawError(said, found=found, expected='"…"'), offset or 0) from None
            else:
                found = repr(str(token))
            offset = len(self.flat) if offset is None else offset
            expected = self.meant(offset) or self.expected(wanted)
            raise self.place(LawError(self.complaint(offset), found=found, expected=expected), offset) from None

    def meant(self, offset: int) -> str:
        """Return what is probably meant: an effect behind its event, and an award where something is given."""
        given = re.search(r"\bgive (\S+) (\d+ [a-z_]+)\s*$", self.flat)
        effect = f"award {given[2]} to {given[1]}" if given else ""
        if offset <= len(self.before) and (self.flat.split() or [""])[0] in self.effects:
            return f"on EVENT: {effect or self.flat.strip()}"
        return effect

    @property
    def effects(self) -> set[str]:
        """The words with which effects begin."""
        return {form.words[0] for form in self.language.vocabulary.effects.values()}

    def complaint(self, offset: int) -> str:
        verbs = (
            "set", "allow", "forbid", "require", "on", "instead", "track", "piece", "incorporate", "prevails", "defers",
            "draft",
        )  # fmt: skip
        first = (self.flat.split() or [""])[0]
        if offset <= len(self.before) and first in self.effects:
            return f"{first} says what is done, and not when: an event stands before it"
        if offset <= len(self.before) and first not in verbs:
            near = difflib.get_close_matches(first, verbs, 1)
            return f"no clause begins with {first!r}" + (f"; did you mean {near[0]!r}?" if near else "")
        return "this does not belong here"

    @staticmethod
    def expected(wanted: set[str]) -> str:
        said: list[str] = []
        if wanted & {"RPAR", "RSQB"}:  # inside brackets words that end an expression mean nothing
            wanted = {one for one in wanted if not one.startswith("_")}
        if {"LPAR", "LSQB", "INT"} <= wanted:
            said.append("an expression" if "OPERATOR" in wanted and "COLON" not in wanted else "a value")
            wanted = wanted - _EXPRESSION
        said += sorted(_WHAT.get(one, one.lower().lstrip("_")) for one in wanted)
        return said[0] if len(said) == 1 else ", ".join(said[:-1]) + " or " + said[-1] if said else ""

    # Children come in the order of the grammar; absent optional ones are None.

    def expr(self, tree: _Tree, start: int | None = None, end: int | None = None) -> Expression:
        begin = tree.meta.start_pos if start is None else start
        text = self.flat[begin : tree.meta.end_pos if end is None else end]
        try:
            return replace(self.language.expression(text), at=begin - len(self.before))
        except LawError as error:
            word = error.found.strip("'")
            near = difflib.get_close_matches(word, _WORDS, 1) if word.isidentifier() and not error.expected else []
            if re.search(r"\bgive\s+$", self.flat[:begin]) and re.fullmatch(r"\d+ [a-z_]+", text):
                near = [f"award {text} to …, for what is counted"]
            meant = LawError(
                error.message, column=error.column, found=error.found, expected=error.expected or "".join(near)
            )
            raise self.place(meant, begin + error.column - 1) from None

    def maybe(self, tree: _Tree | None) -> Expression | None:
        return None if tree is None else self.expr(tree)

    def words(self, tree: _Tree) -> str:
        return squeezed(self.flat[tree.meta.start_pos : tree.meta.end_pos])

    def make_draft(self, words: str, name: str, wording: str) -> c.Draft:
        return c.Draft(words, str(name), str(wording)[1:-1], "", ())

    def make_set(self, words: str, key: str, value: _Tree, condition: _Tree | None) -> c.Set:
        return c.Set(words, str(key), self.expr(value), self.maybe(condition))

    def make_permit(self, words: str, verb: str, action: str, condition: _Tree | None) -> c.Set:
        value = self.language.expression("true" if verb == "allow" else "false")
        return c.Set(words, f"may.{action}", value, self.maybe(condition))

    def make_require(self, words: str, condition: _Tree) -> c.Require:
        return c.Require(words, self.expr(condition))

    def make_on(self, words: str, event: str, each: str | None, among: Any, condition: Any, *effects: Any) -> c.On:
        made = tuple(self.effect(one) for one in effects)
        return c.On(words, str(event), str(each) if each else None, self.maybe(among), self.maybe(condition), made)

    def make_instead(self, words: str, event: str, condition: Any, *effects: Any) -> c.Instead:
        made = tuple(self.effect(one) for one in effects)
        return c.Instead(words, str(event), None, None, self.maybe(condition), made)

    def make_piece(self, words: str, kind: str, army: Any, value: _Tree, given: Any) -> c.Piece:
        of, limit = self.maybe(army), self.maybe(given)
        tests = [f'kind == "{kind}"']
        tests += [f"army in armies_in({of.text})"] if of else []
        tests += [f"({limit.text})"] if limit else []
        condition = self.language.expression(" and ".join(tests))
        return c.Piece(words, "piece.moves", self.expr(value), condition, str(kind), of, limit)

    @staticmethod
    def make_incorporate(words: str, *name: str) -> c.Incorporate:
        return c.Incorporate(words, "".join(name))

    def make_track(self, words: str, counter: str, per: str, start: _Tree) -> c.Track:
        return c.Track(words, str(counter), str(per), self.expr(start))

    def make_claim(self, words: str, verb: str, *rest: Any) -> c.Claim:
        *over, key = rest
        numbers: tuple[int | str, ...] | None = None
        if getattr(over[0], "type", "") != "EVERYTHING":
            numbers = tuple(self.number("".join(one.children)) for one in over)
        return c.Claim(words, str(verb) == "prevails", numbers, str(key) if key else None)

    @staticmethod
    def number(text: str) -> int | str:
        return int(text) if re.fullmatch(r"-?[0-9]+", text) else text

    def effect(self, tree: _Tree) -> Effect:
        """Read an effect: its form, with what stands in the places."""
        form = self.language.vocabulary.effects[str(tree.data).removeprefix("effect_")]
        places: dict[str, Any] = {}
        for (name, place), child in zip(form.places.items(), tree.children, strict=True):
            places.update(place.read(name, self, child))
        return Effect(form, self.words(tree), tree.meta.start_pos - len(self.before), tuple(places.items()))
