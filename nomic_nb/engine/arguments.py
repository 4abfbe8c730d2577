"""What public functions are given, looked at once something went wrong: then a sentence says what they take."""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from nomic_nb.engine.errors import FileMissing, FileUnusable, NoSuchName, PlainRefusal, WrongArgument, WrongValue
from nomic_nb.engine.messages import Message, say

_P = ParamSpec("_P")
_R = TypeVar("_R")
#: What kinds of argument are called; others go by the names of their classes.
_KIND_NAMES: Mapping[Any, str] = {
    str: "a text", int: "a whole number", float: "a number", bool: "true or false", Path: "a path", list: "a list",
    Sequence: "a list", Iterable: "a list", Collection: "a list", tuple: "a list", Mapping: "a mapping by names",
    dict: "a mapping by names", type(None): "None",
}  # fmt: skip
_LISTS = (Sequence, Iterable, Collection)
#: Letters of what was found that are shown.
_SHOWN = 40


def explain_argument_errors(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Let a public function say in a sentence which argument it does not take; arguments that fit cost nothing."""

    @wraps(function)
    def called(*given: _P.args, **named: _P.kwargs) -> _R:
        try:
            return function(*given, **named)
        except PlainRefusal:
            raise
        except (TypeError, ValueError, LookupError, AttributeError, OSError, OverflowError) as error:
            if wrong := describe_misfit(function, given, named):
                raise WrongArgument(wrong) from None
            if (plain := _describe_file_error(error, given, named)) is not None:
                raise plain from None
            raise

    return called


def explain_all_argument_errors(cls: type) -> None:
    """Let every public method of a class do so."""
    for name, one in list(vars(cls).items()):
        if inspect.isfunction(one) and not name.startswith("_"):
            setattr(cls, name, explain_argument_errors(one))


def describe_misfit(function: Callable[..., Any], given: Sequence[Any], named: Mapping[str, Any]) -> Message | None:
    """Say which argument a function does not take; None where it takes them all.

    Examples
    --------
    >>> def say(player: str, text: str, times: int = 1): ...
    >>> describe_misfit(say, ["Ann"], {})
    'say takes player, text and times; text is missing'
    >>> describe_misfit(say, ["Ann", "hello"], {"times": "x"})
    "times is a whole number; found 'x'"
    """
    signature = inspect.signature(function)
    fields = {name: one for name, one in signature.parameters.items() if name != "self"}
    try:
        bound = signature.bind(*given, **named).arguments
    except TypeError:
        return _describe_count(function.__name__, fields, len(given) - ("self" in signature.parameters), named)
    known = _parameter_names(function, fields)
    if known and (wrong := [name for name in named if name not in known]):
        return _unknown_parameter(function.__name__, known, f"not {wrong[0][:_SHOWN]}")
    for name, value in bound.items():
        field = signature.parameters[name]
        if name == "self" or (value is field.default and value is not field.empty):
            continue
        kinds = _accepted_kinds(function, field.annotation)
        values = value if field.kind == field.VAR_POSITIONAL else () if field.kind == field.VAR_KEYWORD else (value,)
        for one in values:
            if not any(_is_of_kind(one, kind) for kind in kinds):
                said = dict.fromkeys(_kind_name(kind) for kind in kinds if kind is not type(None))
                kind = " or ".join(said)
                return say(
                    "argument-of-another-kind",
                    "{name} is {kind}; found {found}",
                    name=name,
                    kind=kind,
                    found=_describe_value(one),
                )
    return None


def unknown_name(what: str, name: str, known: Iterable[str]) -> NoSuchName:
    """Return what is said of a name that is not there, with those that are spelt alike.

    Examples
    --------
    >>> unknown_name("a game", "poropose", ["propose", "vote"])
    NoSuchName("a game has no 'poropose'; did you mean propose?")
    """
    near = get_close_matches(name, sorted(one for one in known if not one.startswith("_")), 3)
    said = say("name-not-there", "{what} has no {name}", what=what, name=_describe_value(name))
    return NoSuchName(said.within("{message}; did you mean {near}?", near=" or ".join(near)) if near else said)


def lazy_names(package: str, homes: Mapping[str, str], what: str = "") -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package whose names are loaded when they are first used.

    Parameters
    ----------
    package : str
        Its name.
    homes : mapping of str to str
        The names in each of its modules, with blanks between them, or modules in each of its packages.
    what : str
        What the package is called where it has no such name; its name by default.
    """

    def find(name: str) -> object:
        here = sys.modules[package]
        home = next((home for home, names in homes.items() if name in names.split()), None)
        if home is None:
            if name.startswith("_"):
                raise AttributeError(name)
            raise unknown_name(what or package, name, {*" ".join(homes.values()).split(), *dir(here)})
        module = import_module(f"{package}.{home}")
        value = getattr(module, name) if hasattr(module, name) else import_module(f"{module.__name__}.{name}")
        setattr(here, name, value)
        return value

    return find


def _parameter_names(function: Callable[..., Any], fields: Mapping[str, inspect.Parameter]) -> list[str]:
    """Return the names that a function takes; none where it takes any."""
    names = [name for name, one in fields.items() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    for one in fields.values():
        if one.kind == one.VAR_KEYWORD:
            (kind,) = _accepted_kinds(function, one.annotation)
            if typing.get_origin(kind) is not typing.Unpack:
                return []
            names += typing.get_args(kind)[0].__annotations__
    return names


def _describe_count(
    called: str, fields: Mapping[str, inspect.Parameter], count: int, named: Mapping[str, Any]
) -> Message:
    """Say what is missing, too much, or given twice."""
    names = [name for name, one in fields.items() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    first = [name for name, one in fields.items() if one.kind == one.POSITIONAL_OR_KEYWORD][:count]
    missing = [one for one in names if fields[one].default is inspect.Parameter.empty and one not in {*first, *named}]
    wrong, twice = [name for name in named if name not in names], [name for name in first if name in named]
    if missing:
        found = f"{missing[0]} is missing"
    elif twice:
        found = f"{twice[0]} was given twice"
    else:
        found = f"not {wrong[0][:_SHOWN]}" if wrong else f"found {count} without a name"
    return _unknown_parameter(called, names, found)


def _unknown_parameter(called: str, names: Sequence[str], found: str) -> Message:
    takes = " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:]))) or "nothing"
    return say("wrong-arguments", "{name} takes {takes}; {found}", name=called, takes=takes, found=found)


def _accepted_kinds(function: Callable[..., Any], annotation: Any) -> tuple[Any, ...]:
    """Return the kinds of value that an annotation lists; one that only a checker can read takes all."""
    if isinstance(annotation, str):
        try:
            annotation = eval(annotation, inspect.unwrap(function).__globals__)  # noqa: S307 - our own signatures
        except NameError:
            return (Any,)
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return tuple(kind for one in typing.get_args(annotation) for kind in _accepted_kinds(function, one))
    return (annotation,)


def _is_of_kind(value: Any, kind: Any) -> bool:
    """Tell whether a value is of a kind; a text is no list, and neither true nor false is a number."""
    origin, inner = typing.get_origin(kind) or kind, typing.get_args(kind)
    if origin is type(None) or origin is None:
        return value is None
    if origin in (int, float) and isinstance(value, bool):
        return False
    if not isinstance(origin, type):
        return True
    if origin in _LISTS and isinstance(value, str | bytes):
        return False
    if not isinstance(value, origin):
        return False
    if origin is str:
        return _is_writable(str(value))
    if origin in _LISTS and inner and isinstance(value, Sequence):
        return all(any(_is_of_kind(one, kind) for kind in _alternatives(inner[0])) for one in value)
    return True


def _alternatives(kind: Any) -> tuple[Any, ...]:
    return typing.get_args(kind) if typing.get_origin(kind) in (typing.Union, types.UnionType) else (kind,)


def _is_writable(text: str) -> bool:
    """Tell whether a text can be written in a file: a half of a letter cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _kind_name(kind: Any) -> str:
    origin = typing.get_origin(kind) or kind
    if origin in _LISTS and typing.get_args(kind) == (str,):
        return "a list of texts"
    return _KIND_NAMES.get(origin, f"a {getattr(origin, '__name__', str(origin))}")


def _describe_value(value: Any) -> str:
    said = repr(value) if isinstance(value, str | int | float | list | tuple | dict | None) else type(value).__name__
    said = "".join(letter if letter.isprintable() else "?" for letter in said)
    return said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…"


def _describe_file_error(error: Exception, given: Sequence[Any], named: Mapping[str, Any]) -> PlainRefusal | None:
    """Return what is said of a file that is not there, cannot be used, or cannot be called so."""
    if isinstance(error, OSError) and error.filename is not None:
        shown = _describe_value(str(error.filename))
        if isinstance(error, FileNotFoundError):
            return FileMissing(say("file-missing", "there is no file or folder {path}", path=shown))
        return FileUnusable(say("file-unusable", "{path} cannot be used: {why}", path=shown, why=error.strerror))
    for one in (*given, *named.values()):
        if isinstance(one, str | Path) and ("\0" in str(one) or "empty name" in str(error)):
            return WrongValue(
                say(
                    "file-name-unfit",
                    "the name of a file has at least one letter, and none that cannot be seen; found {found}",
                    found=_describe_value(str(one)),
                )
            )
    return None
