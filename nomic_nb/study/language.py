"""The kit's sentences in another language: the templates of all sentences, in one data file."""

from __future__ import annotations

import ast
import json
import re
import string
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Set
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from nomic_nb.engine import messages
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.errors import WrongArgument
from nomic_nb.engine.messages import TRANSLATIONS, Message, say
from nomic_nb.engine.play.declarations import EVENT_KINDS
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.record.seals import NO_SEALS
from nomic_nb.engine.words import join_words, strip_byte_order_mark
from nomic_nb.study.frames import forget_made, no_collection, visible_data
from nomic_nb.study.views.explanations import explain_clauses
from nomic_nb.study.views.phrases import phrase_tables

__all__ = ["load", "write"]

PACKAGE = Path(__file__).parents[1]
#: What is declared of the law language, by the name of its table in a language file.
_DECLARATIONS = ("keys", "facts", "functions", "records", "events", "actions", "effects")
#: Words that sentences are put together from.
_WORDS = ("and", "or", "nobody")
#: Bytes of a language file; the English one has some 150,000.
LARGEST_FILE = 2_000_000
_HEAD = """\
# The sentences of nomic_nb. Translate the texts on the right of each “=”; keep the names in braces.
# A record holds the texts of its questions, so it can only be opened in the language in which the game was played.
# An event that is not listed in [events] is put together in English; give its kind here to tell it in your own words.
"""


@dataclass(frozen=True)
class Saying:
    """A call of `say` or `embed_in` in the package.

    Parameters
    ----------
    path : Path
        The module.
    line : int
        The line of the call.
    code : str or None
        The code of the message; empty for a template of `embed_in`, None if it is not written out.
    template : str or None
        The English template; None if it is not written out.
    places : frozenset of str
        The names in braces.
    values : frozenset of str
        The names of the values that the call fills in.
    """

    path: Path
    line: int
    code: str | None
    template: str | None
    places: frozenset[str]
    values: frozenset[str]

    @property
    def where(self) -> str:
        """The place of the call, such as “engine/games.py:20”."""
        return f"{self.path.relative_to(PACKAGE).as_posix()}:{self.line}"


@cache
@no_collection()
def modules() -> tuple[tuple[Path, ast.Module], ...]:
    """Return all modules of the package, parsed."""
    return tuple((path, ast.parse(path.read_text(encoding="utf-8"))) for path in sorted(PACKAGE.rglob("*.py")))


@cache
@no_collection()
def _nodes() -> Mapping[type[ast.AST], list[tuple[Path, Any]]]:
    """Return the calls, imports and classes of all modules, by what they are, each with its path."""
    found: dict[type[ast.AST], list[tuple[Path, Any]]] = {ast.Call: [], ast.ImportFrom: [], ast.ClassDef: []}
    for path, module in modules():
        for node in ast.walk(module):
            if type(node) in found:
                found[type(node)].append((path, node))
    return found


@cache
def sayings() -> tuple[Saying, ...]:
    """Return all calls of `say`, of errors that make a message, and of `embed_in`, whose templates have no code."""
    return tuple(_find_sayings())


def called_name(call: ast.Call) -> str:
    """Return the name of the function or method that is called."""
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def literal(node: ast.expr | None) -> str | None:
    """Return the text that a node holds, or None if it holds no text."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


@cache
def error_names() -> frozenset[str]:
    """Return the names of the classes of errors that people read, which take a code and a template as `say` does."""
    classes = [node for _, node in _nodes()[ast.ClassDef]]
    found = {"PlainRefusal", "Undecided"}
    while more := {one.name for one in classes if {getattr(base, "id", "") for base in one.bases} & found} - found:
        found |= more
    return frozenset(found)


def _find_sayings() -> Iterator[Saying]:
    names = {
        (path, one.asname or one.name)
        for path, node in _nodes()[ast.ImportFrom]
        if node.module == "nomic_nb.engine.messages"
        for one in node.names
        if one.name == "say"
    }
    for path, node in _nodes()[ast.Call]:
        called = called_name(node)
        longer = called == "embed_in" and "{message}" in (literal(next(iter(node.args), None)) or "")
        made = called in error_names() and len(node.args) == 2 and any(map(literal, node.args))
        if not longer and not made and (path, getattr(node.func, "id", "")) not in names:
            continue
        first = [*([ast.Constant("")] if longer else []), *node.args]
        code, template = (literal(one) for one in (*first, None, None)[:2])
        values = {word.arg for word in node.keywords if word.arg} | ({"message"} if longer else set())
        yield Saying(path, node.lineno, code, template, places(template or ""), frozenset(values))


def places(template: str) -> frozenset[str]:
    """Return the names in the braces of a template.

    Examples
    --------
    >>> sorted(places("rule {number} of {player.name}"))
    ['number', 'player']
    """
    return frozenset(re.split(r"[.[]", name)[0] for name, _, _ in _fields(template))


@cache
def english() -> Mapping[str, Any]:
    """Return all templates in English, as tables of a language file.

    Returns
    -------
    mapping
        ``messages`` by their code; ``texts``, which have no code, by themselves; ``events`` by their kind, if one
        template tells them; ``meanings`` by what is declared and its name; ``readings`` and ``wording``, the tables
        from which clauses are read back.
    """
    found = {one.code: one.template for one in sayings() if one.code and one.template}
    texts = {one.template: one.template for one in sayings() if one.code == "" and one.template}
    texts |= {word: word for word in _WORDS}
    events: dict[str, str] = {}
    for _, node in _nodes()[ast.Call]:
        if called_name(node) == "declare_event" and node.args and (kind := literal(node.args[0])):
            told = next((literal(word.value) for word in node.keywords if word.arg == "told"), None)
            events |= {kind: told} if told else {}
        elif called_name(node) == "_make_event_teller" and node.args and (told := literal(node.args[0])):
            texts[told] = told
    meanings = {
        kind: {name: one.meaning for name, one in _declared(kind).items() if one.meaning} for kind in _DECLARATIONS
    }
    modules.cache_clear()  # what they hold is found by now
    _nodes.cache_clear()
    return {
        "messages": dict(sorted(found.items())), "texts": dict(sorted(texts.items())),
        "events": dict(sorted(events.items())), "meanings": meanings,
        **{name: deepcopy(phrase_tables(f"{name}.toml")) for name in ("readings", "wording")},
    }  # fmt: skip


def _declared(kind: str) -> Mapping[str, Any]:
    """Return what is declared of one kind, by name, with fields of records for records: ``rule.number``."""
    vocabulary = language().vocabulary
    found = dict(getattr(vocabulary, kind))
    if kind == "records":
        found |= {f"{name}.{field.name}": field for name, record in list(found.items()) for field in record.fields}
    return found


def write(path: str | Path) -> Path:
    """Write all English templates to a language file, for somebody to translate.

    Parameters
    ----------
    path : str or Path
        The new file, such as ``"deutsch.toml"``.

    Returns
    -------
    Path
        The file.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> print(write(mkdtemp() + "/esperanto.toml").name)
    esperanto.toml
    """
    path = Path(path)
    path.write_text(_HEAD + dump(english()), encoding="utf-8")
    return path


def dump(tables: Mapping[str, Any]) -> str:
    """Return the text of a language file with these tables, as `english` returns them."""
    return "".join(_toml(tables, ()))


def _toml(table: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[str]:
    plain = {name: value for name, value in table.items() if not isinstance(value, Mapping)}
    if plain:
        yield f"\n[{'.'.join(json.dumps(name, ensure_ascii=False) for name in at)}]\n"
        for name, value in plain.items():
            yield f"{json.dumps(name, ensure_ascii=False)} = {json.dumps(value, ensure_ascii=False)}\n"
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _toml(value, (*at, name))


@explain_argument_errors
def load(path: str | Path | None) -> None:
    """Load a language file: from now on the kit speaks that language.

    It covers messages, questions, the history, remarks of reviews, meanings of the words of the law language, and
    clauses read back. The law language itself, rule texts and the labels of panels stay as they are. Texts that
    the file does not have are in English, whatever was loaded before.

    A record holds the texts of its questions, so a game in which players were asked something can only be opened in
    the language in which it was played.

    Parameters
    ----------
    path : str, Path or None
        A file in the form that `write` writes; None for English.

    Raises
    ------
    WrongArgument
        The file is too large or no TOML, or a text in it is used by nothing, is of the wrong kind, or has a name in
        braces that is not filled in there. The language stays as it was. Where a function tells an event in English,
        any name is allowed, and one that the event does not have is left out.

    Examples
    --------
    >>> load(None)
    """
    usual, tables = english(), {} if path is None else _read_tables(path)
    if problem := next(_problems(tables, usual, ()), None):
        raise WrongArgument(problem)
    tellers = _english_tellers()
    TRANSLATIONS.clear()
    TRANSLATIONS.update(tables.get("messages", {}) | tables.get("texts", {}))
    for kind, told in tellers.items():
        template = tables.get("events", {}).get(kind)
        EVENT_KINDS[kind] = replace(EVENT_KINDS[kind], told=told if template is None else _make_teller(template))
    for kind, meanings in usual["meanings"].items():
        for name, meaning in (meanings | tables.get("meanings", {}).get(kind, {})).items():
            object.__setattr__(_declared(kind)[name], "meaning", meaning)  # one vocabulary serves all games
    for name in ("readings", "wording"):
        for table in (usual[name], tables.get(name, {})):
            _overwrite(phrase_tables(f"{name}.toml"), table)
    explain_clauses.cache_clear()
    forget_made()
    for module in [
        module for name, module in sys.modules.items() if name.partition(".")[0] == __package__.partition(".")[0]
    ]:
        _renew_messages(vars(module))


def _read_tables(path: str | Path) -> dict[str, Any]:
    """Return the tables of a language file."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise ValueError(f"it has more than {LARGEST_FILE} bytes")
        return tomllib.loads(strip_byte_order_mark(data).decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise WrongArgument(
            "language-unreadable", "the language file {path} can’t be read: {error}", path=path, error=error
        ) from error


@cache
def _english_tellers() -> Mapping[str, Callable[[Event], str]]:
    """Return how each kind of event is told in English; called before any language is loaded."""
    return {kind: declared.told for kind, declared in EVENT_KINDS.items()}


def _renew_messages(kept: MutableMapping[Any, Any]) -> None:
    """Say the messages again that a module keeps, as they were said when it was imported."""
    templates = english()["messages"]
    for name, value in list(kept.items()):
        if isinstance(value, Message) and value.code in templates:
            kept[name] = messages.say(value.code, templates[value.code], **value.values)
        elif type(value) is dict and any(isinstance(one, Message) for one in value.values()):
            _renew_messages(value)


def _problems(found: Mapping[str, Any], known: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[Message]:
    """Yield what is wrong in the tables of a language file, compared with those in English."""
    for name, value in found.items():
        where = ".".join((*at, name))
        if at == ("events",) and name in EVENT_KINDS and isinstance(value, str):
            usual = known.get(name)
            names = None if usual is None else {"actor", *EVENT_KINDS[name].binds}
            yield from _place_problems(value, usual or "", where, names)
            continue
        if name not in known:
            yield say("language-unknown", "the language file has “{where}”, which nothing uses", where=where)
        elif type(value) is not type(known[name]) or (
            isinstance(value, list) and list(map(type, value)) != list(map(type, known[name]))
        ):
            yield say("language-misfit", "“{where}” must be {english}, as in English",
                      where=where, english=_kind_of(known[name]))  # fmt: skip
        elif isinstance(value, dict):
            yield from _problems(value, known[name], (*at, name))
        else:
            pairs = zip(value, known[name], strict=True) if isinstance(value, list) else [(value, known[name])]
            for one, usual in pairs:
                yield from _place_problems(one, usual, where) if isinstance(one, str) else ()


def _kind_of(value: object) -> str:
    return (
        "a table"
        if isinstance(value, Mapping)
        else f"a list of {len(value)} texts"
        if isinstance(value, list)
        else "a text"
    )


def _place_problems(text: str, usual: str, where: str, names: Set[str] | None = frozenset()) -> Iterator[Message]:
    """Yield what is wrong with the braces of a template.

    Files come from strangers, so no template may look into a value, or fill it up to a width, unless the English does.

    Parameters
    ----------
    text, usual : str
        The template, and the English one.
    where : str
        Its place in the file.
    names : set of str or None
        Further names that are filled in there; None for any, if a function tells the event in English.
    """
    try:
        fields = _fields(text)
    except ValueError as error:
        yield say("language-braces", "the braces in “{where}” don’t match: {error}", where=where, error=error)
        return
    known = {name for name, _, _ in fields if name.isidentifier()} if names is None else places(usual) | names
    if more := fields - _fields(usual) - {(name, "", None) for name in known}:
        yield say("language-place-unknown", "“{where}” has {{{name}}}, which isn’t filled in there",
                  where=where, name=min(name for name, _, _ in more))  # fmt: skip


def _fields(template: str) -> set[tuple[str, str | None, str | None]]:
    """Return what is in the braces of a template: names, widths and conversions."""
    parts = string.Formatter().parse(template)
    return {(name, spec, conversion) for _, name, spec, conversion in parts if name is not None}


def _make_teller(template: str) -> Any:
    """Return a function that tells an event by a template, with lists as people say them."""

    def told(event: Event) -> str:
        data = {
            name: join_words(list(map(str, value))) if isinstance(value, list | tuple) else value
            for name, value in visible_data(event, NO_SEALS).items()  # nothing that only the owner of an entry sees
        }
        return template.format_map(_Filled(data | {"actor": event.actor}))

    return told


class _Filled(dict[str, Any]):
    """Values of a template; one that this event does not have is left empty."""

    def __missing__(self, name: str) -> str:
        return ""


def _overwrite(tables: MutableMapping[str, Any], new: Mapping[str, Any]) -> None:
    for name, value in new.items():
        if isinstance(value, Mapping):
            _overwrite(tables[name], value)
        else:
            tables[name] = value
