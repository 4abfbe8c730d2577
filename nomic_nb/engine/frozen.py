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


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: Any = None, /, *, eq: bool = True) -> Any:
    """Make a class one of values; `dataclasses.replace` and `fields` know it.

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
    dataclasses.FrozenInstanceError: a Place does not change, so its rank cannot be set
    """
    if kind is None:
        return lambda kind: frozen(kind, eq=eq)
    own = set(vars(kind))
    dataclass(init=False, repr=False, eq=False)(kind)
    given = [one for one in fields(kind) if one.init]
    compared = [one for one in given if one.compare]
    kind.__init__ = _make_function("__init__", kind, given)
    kind.__init__.__defaults__ = tuple(_default_values(given))
    kind.__setattr__ = kind.__delattr__ = _refuse_change
    kind.__reduce__ = lambda self: (type(self), tuple([getattr(self, one.name) for one in given]))
    if eq and kind.__repr__ is object.__repr__:
        kind.__repr__ = _repr
    if eq and "__eq__" not in own:
        kind.__eq__ = _make_function("__eq__", kind, compared)
    if eq and "__hash__" not in own:
        kind.__hash__ = _make_function("__hash__", kind, [one for one in compared if one.hash is not False])
    return kind


def _default_values(given: list[Field[Any]]) -> Iterator[object]:
    """Yield what fields are that are not given."""
    begun = False
    for one in given:
        made = one.default if one.default_factory is MISSING else one.default_factory()
        if isinstance(made, list | set):
            raise TypeError(f"{one.name} would be the same {type(made).__name__} in all values, and can change")
        if made is not MISSING:
            yield made
            begun = True
        elif begun:
            raise TypeError(f"{one.name} has to be given, and stands behind what has not")


def _make_function(which: str, made: type, over: list[Field[Any]]) -> FunctionType:
    """Return a function of a class, over these fields."""
    code = _compile_function(which, len(over), hasattr(made, "__post_init__"))
    named = {f"field_{at}": one.name for at, one in enumerate(over)}
    words, names, values = (
        tuple([named.get(word, word) for word in all_of])
        for all_of in (code.co_varnames, code.co_names, code.co_consts)
    )
    found = FunctionType(code.replace(co_varnames=words, co_names=names, co_consts=values), globals())
    found.__qualname__ = f"{made.__qualname__}.{code.co_name}"
    return found


@cache
def _compile_function(which: str, count: int, checked: bool) -> CodeType:
    """Compile a function over so many fields, of a class that checks what it is given."""
    names = [f"field_{at}" for at in range(count)]
    mine, others = (f"({''.join(f'{whose}.{name},' for name in names)})" for whose in ("self", "other"))
    written = {
        "__init__": [
            f"def __init__({', '.join(['self', *names])}):",
            *(f" _put(self, {name!r}, {name})" for name in names),
            " self.__post_init__()" if checked else " return",
        ],
        "__eq__": [
            "def __eq__(self, other):",
            f" return {mine} == {others} if other.__class__ is self.__class__ else NotImplemented",
        ],
        "__hash__": ["def __hash__(self):", f" return hash({mine})"],
    }
    code = compile("\n".join(written[which]), __name__, "exec")
    return next(one for one in code.co_consts if isinstance(one, CodeType))


def _refuse_change(self: object, name: str, _value: object = None) -> None:
    raise FrozenInstanceError(f"a {type(self).__name__} does not change, so its {name} cannot be set")


def _repr(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"
