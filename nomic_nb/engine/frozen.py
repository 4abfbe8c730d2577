"""Values: they are made once, never change, and are the same where all in them is the same.

`dataclass` writes and compiles six functions for each class, and with that goes half the time of an import. Here they
are compiled once for all classes with as many fields, and then get the names of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import cache
from types import CodeType, FunctionType
from typing import Any, dataclass_transform

_put = object.__setattr__
#: From so many fields on, they are set all at once: in half the time, in three times the memory.
MANY_FIELDS = 7


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: Any = None, /, *, eq: bool = True) -> Any:
    """Make a class immutable, with equality by its fields; `dataclasses.replace` works with it.

    What a ``default_factory`` makes is made once, and is the same for all. A field that is not given (``init=False``)
    is a note: it does not count where two are compared.

    Parameters
    ----------
    kind : type
        The class.
    eq : bool
        Whether two are the same if their fields are, which then are shown; otherwise each is only itself.

    Examples
    --------
    >>> @frozen
    ... class Place:
    ...     file: int
    ...     rank: int = 1
    >>> Place(3), Place(3) == Place(3, 1), len({Place(3), Place(3)})
    (Place(file=3, rank=1), True, 1)
    >>> Place(3).rank = 2
    Traceback (most recent call last):
    dataclasses.FrozenInstanceError: a Place can’t be changed, so you can’t set its rank
    """
    if kind is None:
        return lambda kind: frozen(kind, eq=eq)
    own = set(vars(kind))
    dataclass(init=False, repr=False, eq=False)(kind)
    given = [attribute for attribute in fields(kind) if attribute.init]
    compared = [attribute for attribute in given if attribute.compare]
    kind.__init__ = _make_dunder_method("__init__", kind, given)
    kind.__init__.__defaults__ = tuple(_default_values(given))
    kind.__setattr__ = kind.__delattr__ = _refuse_change
    if "__reduce__" not in own:
        kind.__reduce__ = lambda self: (type(self), tuple([getattr(self, attribute.name) for attribute in given]))
    if eq and kind.__repr__ is object.__repr__:
        kind.__repr__ = _repr_of_fields
    if eq and "__eq__" not in own:
        kind.__eq__ = _make_dunder_method("__eq__", kind, compared)
    if eq and "__hash__" not in own:
        kind.__hash__ = _make_dunder_method(
            "__hash__", kind, [attribute for attribute in compared if attribute.hash is not False]
        )
    return kind


def itself(value: Any, *_: object) -> Any:
    """Return a value that never changes as its own copy, even where parts of it cannot be copied."""
    return value


def _default_values(given: list[Field[Any]]) -> Iterator[object]:
    """Yield the defaults of the fields that have one; raise `TypeError` if one is mutable or comes too early."""
    begun = False
    for attribute in given:
        default = attribute.default if attribute.default_factory is MISSING else attribute.default_factory()
        if isinstance(default, list | set):
            raise TypeError(
                f"{attribute.name} would be the same {type(default).__name__} in all values, and can change"
            )
        if default is not MISSING:
            yield default
            begun = True
        elif begun:
            raise TypeError(f"{attribute.name} has to be given, and stands behind what has not")


def _make_dunder_method(which: str, cls: type, used_fields: list[Field[Any]]) -> FunctionType:
    """Return the method `__init__`, `__eq__` or `__hash__` (`which`) of a class, written for these fields."""
    code = _compile_dunder_method(which, len(used_fields), hasattr(cls, "__post_init__"))
    named = {f"field_{at}": attribute.name for at, attribute in enumerate(used_fields)}
    words, names, values = (
        tuple([tuple(map(named.get, word)) if type(word) is tuple else named.get(word, word) for word in all_of])
        for all_of in (code.co_varnames, code.co_names, code.co_consts)
    )
    renamed = code.replace(co_varnames=words, co_names=names, co_consts=values)  # type: ignore[arg-type]  # all texts
    functiontype = FunctionType(renamed, globals())
    functiontype.__qualname__ = f"{cls.__qualname__}.{code.co_name}"
    return functiontype


@cache
def _compile_dunder_method(which: str, count: int, checked: bool) -> CodeType:
    """Return code of `__init__`, `__eq__` or `__hash__` for so many fields; `checked`: it calls `__post_init__`."""
    names = [f"field_{at}" for at in range(count)]
    mine, others = (f"({''.join(f'{whose}.{name},' for name in names)})" for whose in ("self", "other"))
    written = {
        "__init__": [
            f"def __init__({', '.join(['self', *names])}):",
            *(
                (f" _put(self, {name!r}, {name})" for name in names)
                if count < MANY_FIELDS
                else (f" self.__dict__.update({', '.join(f'{name}={name}' for name in names)})",)
            ),
            " self.__post_init__()" if checked else " return",
        ],
        "__eq__": [
            "def __eq__(self, other):",
            f" return {mine} == {others} if other.__class__ is self.__class__ else NotImplemented",
        ],
        "__hash__": ["def __hash__(self):", f" return hash({mine})"],
    }
    code = compile("\n".join(written[which]), __name__, "exec")
    return next(co_const for co_const in code.co_consts if isinstance(co_const, CodeType))


def _refuse_change(self: object, name: str, _value: object = None) -> None:
    """Raise the error for setting a field of an immutable value."""
    raise FrozenInstanceError(f"a {type(self).__name__} can’t be changed, so you can’t set its {name}")


def _repr_of_fields(self: Any) -> str:
    """Return the `repr` of a value: its class and its fields."""
    shown = (f"{attribute.name}={getattr(self, attribute.name)!r}" for attribute in fields(self) if attribute.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"
