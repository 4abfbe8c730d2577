"""What public functions are given, looked at once something went wrong: then a sentence says what they take."""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache, wraps
from importlib import import_module
from numbers import Integral
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


@lru_cache(maxsize=256)
def _is_foreign_int(kind: Any) -> bool:
    """Tell whether a type is one of whole numbers of another library, such as those of frames."""
    return issubclass(kind, Integral) and not issubclass(kind, int)


def _as_python_int(value: Any) -> Any:
    """Return a whole number of another library as a Python int; anything else unchanged."""
    kind: Any = type(value)
    return int(value) if _is_foreign_int(kind) else value


def explain_argument_errors(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorate a public function, so a wrong argument raises an error that explains it."""

    @wraps(function)
    def called(*given: _P.args, **named: _P.kwargs) -> _R:
        if any(map(_is_foreign_int, map(type, (*given, *named.values())))):
            numbers: Any = {name: _as_python_int(value) for name, value in named.items()}
            return called(*map(_as_python_int, given), **numbers)
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
    """Decorate every public method of a class with `explain_argument_errors`."""
    for name, member in list(vars(cls).items()):
        if inspect.isfunction(member) and not name.startswith("_"):
            setattr(cls, name, explain_argument_errors(member))


def describe_misfit(function: Callable[..., Any], given: Sequence[Any], named: Mapping[str, Any]) -> Message | None:
    """Return a message about the first positional or keyword argument that a function rejects; None if all fit.

    Examples
    --------
    >>> def say(player: str, text: str, times: int = 1): ...
    >>> describe_misfit(say, ["Ann"], {})
    'say takes player, text and times (text is missing)'
    >>> describe_misfit(say, ["Ann", "hello"], {"times": "x"})
    "times must be a whole number, not 'x'"
    """
    signature = inspect.signature(function)
    fields = {
        name: parameter
        for name, parameter in signature.parameters.items()
        if name != "self" and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }
    try:
        bound = signature.bind(*given, **named).arguments
    except TypeError:
        return _describe_wrong_arguments(
            function.__name__, fields, len(given) - ("self" in signature.parameters), named
        )
    known = _parameter_names(function, signature, fields)
    if known and (wrong := [name for name in named if name not in known]):
        return _wrong_arguments_message(function.__name__, known, f"not {wrong[0][:_SHOWN]}")
    for name, value in bound.items():
        field = signature.parameters[name]
        if name == "self" or (value is field.default and value is not field.empty):
            continue
        kinds = _accepted_types(function, field.annotation)
        values = value if field.kind == field.VAR_POSITIONAL else () if field.kind == field.VAR_KEYWORD else (value,)
        for argument in values:
            if not any(_matches_type(argument, kind) for kind in kinds):
                kind_names = dict.fromkeys(_type_name(kind) for kind in kinds if kind is not type(None))
                return say(
                    "argument-of-another-kind",
                    "{name} must be {kind}, not {found}",
                    name=name,
                    kind=" or ".join(kind_names),
                    found=_describe_value(argument),
                )
    return None


def unknown_name_error(what: str, name: str, known: Iterable[str]) -> NoSuchName:
    """Return the error that `what`, such as “a game”, has no such name; it suggests similar `known` names.

    Examples
    --------
    >>> unknown_name_error("a game", "poropose", ["propose", "vote"])
    NoSuchName("a game has no 'poropose'; did you mean propose?")
    """
    near = get_close_matches(name, sorted(known_name for known_name in known if not known_name.startswith("_")), 3)
    message = say("name-not-there", "{what} has no {name}", what=what, name=_describe_value(name))
    return NoSuchName(message.embed_in("{message}; did you mean {near}?", near=" or ".join(near)) if near else message)


def lazy_names(package: str, homes: Mapping[str, str], what: str = "") -> Callable[[str], object]:
    """Return a `__getattr__` that imports a package's public names from their modules (`homes`) at first use.

    Parameters
    ----------
    package : str
        Its name.
    homes : mapping of str to str
        The names in each of its modules, with blanks between them, or modules in each of its packages. More dots lead
        to a package around it.
    what : str
        What the package is called where it has no such name; its name by default.
    """

    def find(name: str) -> object:
        here = sys.modules[package]
        home = next((home for home, names in homes.items() if name in names.split()), None)
        if home is None:
            if name.startswith("_"):
                raise AttributeError(name)
            raise unknown_name_error(what or package, name, {*" ".join(homes.values()).split(), *dir(here)})
        module = import_module(f".{home}", package)
        value = getattr(module, name, None) or import_module(f"{module.__name__}.{name}")
        setattr(here, name, value)
        return value

    return find


def _parameter_names(
    function: Callable[..., Any], signature: inspect.Signature, fields: Mapping[str, inspect.Parameter]
) -> list[str]:
    """Return the names of a function's parameters (`fields`); an empty list if it takes any keyword argument."""
    names = [*fields]
    for parameter in signature.parameters.values():
        if parameter.kind == parameter.VAR_KEYWORD:
            (kind,) = _accepted_types(function, parameter.annotation)
            if typing.get_origin(kind) is not typing.Unpack:
                return []
            names += typing.get_args(kind)[0].__annotations__
    return names


def _describe_wrong_arguments(
    function_name: str, fields: Mapping[str, inspect.Parameter], count: int, named: Mapping[str, Any]
) -> Message:
    """Return the message about a missing, unexpected or repeated argument in a call with `count` positional ones."""
    names = [*fields]
    first = [name for name, parameter in fields.items() if parameter.kind == parameter.POSITIONAL_OR_KEYWORD][:count]
    missing = [
        name for name in names if fields[name].default is inspect.Parameter.empty and name not in {*first, *named}
    ]
    wrong, twice = [name for name in named if name not in names], [name for name in first if name in named]
    if missing:
        problem = f"{missing[0]} is missing"
    elif twice:
        problem = f"{twice[0]} was given twice"
    else:
        problem = f"not {wrong[0][:_SHOWN]}" if wrong else f"found {count} without a name"
    return _wrong_arguments_message(function_name, names, problem)


def _wrong_arguments_message(function_name: str, names: Sequence[str], problem: str) -> Message:
    """Return the message that lists the parameters of a function and what is wrong in the call."""
    takes = " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:]))) or "nothing"
    return say("wrong-arguments", "{name} takes {takes} ({found})", name=function_name, takes=takes, found=problem)


def _accepted_types(function: Callable[..., Any], annotation: Any) -> tuple[Any, ...]:
    """Return the types that a parameter's annotation accepts; `Any` alone if it cannot be evaluated."""
    if isinstance(annotation, str):
        try:
            annotation = eval(annotation, inspect.unwrap(function).__globals__)  # noqa: S307 - our own signatures
        except NameError:
            return (Any,)
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return tuple(kind for arg in typing.get_args(annotation) for kind in _accepted_types(function, arg))
    return (annotation,)


def _matches_type(value: Any, kind: Any) -> bool:
    """Tell whether a value is of a type (`kind`); a `str` does not count as a list, nor a `bool` as a number."""
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
        return all(any(_matches_type(element, kind) for kind in _union_members(inner[0])) for element in value)
    return True


def _union_members(kind: Any) -> tuple[Any, ...]:
    """Return the members of a union type, or the type itself if it is no union."""
    return typing.get_args(kind) if typing.get_origin(kind) in (typing.Union, types.UnionType) else (kind,)


def _is_writable(text: str) -> bool:
    """Tell whether a text can be written in UTF-8; a lone half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _type_name(kind: Any) -> str:
    """Return what error messages call a type, such as “a whole number” for `int`."""
    origin = typing.get_origin(kind) or kind
    if origin in _LISTS and typing.get_args(kind) == (str,):
        return "a list of texts"
    return _KIND_NAMES.get(origin, f"a {getattr(origin, '__name__', str(origin))}")


def _describe_value(value: Any) -> str:
    """Return a short printable form of a value for an error message."""
    known = isinstance(value, str | int | float | list | tuple | dict | None)
    sentence = repr(value) if known else type(value).__name__
    sentence = "".join(letter if letter.isprintable() else "?" for letter in sentence)
    return sentence if len(sentence) <= _SHOWN else f"{sentence[:_SHOWN]}…"


def _describe_file_error(error: Exception, given: Sequence[Any], named: Mapping[str, Any]) -> PlainRefusal | None:
    """Return a readable error for a failed call if a file is missing, unusable or badly named; else None."""
    if isinstance(error, OSError) and error.filename is not None:
        shown = _describe_value(str(error.filename))
        if isinstance(error, FileNotFoundError):
            return FileMissing("file-missing", "there is no file or folder {path}", path=shown)
        return FileUnusable("file-unusable", "{path} can’t be used: {why}", path=shown, why=error.strerror)
    for argument in (*given, *named.values()):
        if isinstance(argument, str | Path) and ("\0" in str(argument) or "empty name" in str(error)):
            return WrongValue(
                "file-name-unfit",
                "a file name can’t be empty or contain invisible characters; found {found}",
                found=_describe_value(str(argument)),
            )
    return None
