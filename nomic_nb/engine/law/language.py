"""The law language: from text to clauses, and the reading of clauses before anyone votes on them."""

from __future__ import annotations

import textwrap
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.checking import OWN, Checker
from nomic_nb.engine.law.expressions import read
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.hints import helped
from nomic_nb.engine.law.likeness import likeness
from nomic_nb.engine.law.nodes import Expression, LookedAt, Node, Run
from nomic_nb.engine.law.reading import grammar_of, placed, read_clause
from nomic_nb.engine.law.running import closure
from nomic_nb.engine.law.tables import Shape, tracks
from nomic_nb.engine.law.vocabulary import Vocabulary

#: Lines of law that one rule, or one amendment, may have.
MOST_LINES = 100


class Line(NamedTuple):
    """A clause and where it begins in the text that was handed in (lines counted from 1)."""

    clause: c.Clause
    line: int
    source: str

    def refused(self, message: str, expected: str) -> LawError:
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
        self.effect = lru_cache(maxsize=1024)(self._effect)
        self.expression = lru_cache(maxsize=4096)(lambda text: read(text, vocabulary))
        self.apart = lru_cache(maxsize=1024)(self._apart)
        #: What expressions look at; the resolver remembers it here, for every body of law alike.
        self.looked_at: dict[Expression, LookedAt] = {}
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
            plain = line.strip()
            if gathered and plain and line[0] in " \t":
                gathered += "\n" + line
                continue
            if gathered:
                found.append(self._read_one(gathered, start))
            gathered, start = ("", 0) if not plain or plain.startswith("#") else (line, number)
        return tuple(found)

    def _read_one(self, source: str, start: int) -> Line:
        """Read a clause; of a draft its first line, and the clauses below as a rule of their own."""
        head, _, body = source.partition("\n")
        draft = head.split(" ", 1)[0] == "draft"
        try:
            clause = self.clause(head if draft else source)
        except LawError as error:
            raise helped(error, self.vocabulary).moved(lines=start - 1) from None
        if not draft:
            return Line(clause, start, source)
        if not isinstance(clause, c.Draft) or not body.strip():
            raise LawError("a draft has clauses, indented below it", line=start, text=head)
        with _indented(body, start):
            lines = self.read(textwrap.dedent(body))
        for line in lines:
            if isinstance(line.clause, c.Draft):
                raise LawError("a draft holds no other draft", line=start + line.line, text=line.source)
        words = "\n".join([clause.words, *(f"    {one}" for line in lines for one in line.clause.words.splitlines())])
        inner = tuple(line.clause for line in lines)
        text = "\n".join(one.words for one in inner)
        return Line(c.Draft(words, clause.name, clause.wording, text, inner), start, source)

    def _effect(self, source: str) -> Effect:
        """Read one effect on its own, as ``game.apply`` takes it."""
        clause = read_clause(source, self, "on apply: ")
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

    def check(self, lines: Iterable[Line], tables: Mapping[str, Shape]) -> None:
        """Read clauses statically: every key, name and type, before anyone votes on them.

        Parameters
        ----------
        lines : iterable of Line
            As `read` returns them.
        tables : mapping of str to Shape
            The tables that rules track.

        Raises
        ------
        LawError
            With the line and the column.
        """
        lines = list(lines)
        tracked = {**tracks(line.clause for line in lines), **tables}
        drafts = frozenset(line.clause.name for line in lines if isinstance(line.clause, c.Draft))
        read: set[str] = set()
        for line in lines:
            if isinstance(line.clause, c.Draft):
                if line.clause.name in read:
                    raise line.refused(f"there is a draft called {line.clause.name} already", "another name")
                read.add(line.clause.name)
                body = line.source.partition("\n")[2]
                with _indented(body, line.line):
                    self.check(self.read(textwrap.dedent(body)), {**tracks(line.clause.body), **tracked})
                continue
            flat = line.source.replace("\n", " ")
            try:
                Checker(self.vocabulary, OWN, tracked, set(), flat, drafts).clause(line.clause)
            except LawError as error:
                found = helped(placed(error, line.source, error.offset or 0), self.vocabulary, tracked)
                raise found.moved(lines=line.line - 1) from None
        _check_offers(lines)
        circle = find_circle([line.clause for line in lines if isinstance(line.clause, c.On)])
        if circle:
            place = next(line for line in lines if line.clause is circle[0])
            told = " → ".join(one.event for one in (*circle, circle[0]))
            raise place.refused(f"this clause sets itself off for ever: {told}", "a when that stops it")

    def check_effect(self, effect: Effect, tables: Mapping[str, Shape]) -> None:
        """Read one effect statically, as ``game.apply`` takes it."""
        try:
            Checker(self.vocabulary, OWN, tables, set(), effect.words).effect(replace(effect, at=0))
        except LawError as error:
            raise placed(error, effect.words, error.offset or 0) from None


def _check_offers(lines: Iterable[Line]) -> None:
    """Refuse what a rule offers twice: nobody could say which is meant."""
    seen: set[str] = set()
    for line in lines:
        if isinstance(line.clause, c.Offer):
            name = v.Heard(line.clause.name)
            if likeness(name.folded) in seen:
                raise line.refused(f"this rule offers “{name}” already, or what looks the same", "other words")
            seen.add(likeness(name.folded))


@contextmanager
def _indented(body: str, start: int) -> Iterator[None]:
    """Put errors in the clauses of a draft where they stand below it."""
    try:
        yield
    except LawError as error:
        first = body.splitlines()[0]
        error.column += len(first) - len(textwrap.dedent(body).splitlines()[0])
        raise error.moved(lines=start) from None


def find_circle(triggers: list[c.On]) -> tuple[c.On, ...]:
    """Return triggers without conditions that set one another off for ever, or nothing.

    A trigger with a ``when`` may stop by itself, and so may what stands behind one inside; both are watched in
    play instead.
    """
    free = [one for one in triggers if one.condition is None and not isinstance(one, c.Instead | c.Offer)]
    for first in free:
        seen: set[int] = set()
        paths: list[tuple[c.On, ...]] = [(first,)]
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
