"""Ready-made rules as a panel offers them: every function of the library, with fields for what it takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import ipywidgets as w

from nomic_nb.panels import fields
from nomic_nb.rulesets import library
from nomic_nb.rulesets.library import LibraryRule


def makers() -> dict[str, Callable[..., LibraryRule]]:
    """Return the functions that make a ready-made rule, by a name for people.

    Examples
    --------
    >>> list(makers())[:2]
    ['Simple majority', 'Secret ballots']
    """
    return {one.name.replace("_", " ").capitalize(): one.make for one in library.catalogue}


class Ready:
    """The choice of a ready-made rule, and the fields for what it takes.

    Parameters
    ----------
    changed : callable
        Called when another rule is chosen, or another figure.
    """

    def __init__(self, changed: Callable[[object], None]) -> None:
        self.makers, self.changed = makers(), changed
        self.which = fields.choice("Ready made", [(name, name) for name in self.makers], "a rule from the library")
        self.which.observe(changed, names="value")
        #: The fields of the rules that were chosen so far: to make those of all would take a browser half a second.
        self.given: dict[str, dict[str, w.Widget]] = {}
        self.box = fields.column(self.which)

    @staticmethod
    def _fields(made: Callable[..., LibraryRule]) -> dict[str, w.Widget]:
        found: dict[str, w.Widget] = {}
        for one in inspect.signature(made).parameters.values():
            label = one.name.replace("_", " ").capitalize()
            if isinstance(one.default, int):
                found[one.name] = fields.number(label, f"{one.name}, a whole number", one.default)
            else:
                found[one.name] = fields.line(label, f"{one.name}, in a few words", one.default)
        return found

    def look(self) -> None:
        """Show the fields of the rule that is chosen, and no others."""
        chosen = self.which.value
        if chosen not in self.given:
            self.given[chosen] = self._fields(self.makers[chosen])
            for one in self.given[chosen].values():
                one.observe(self.changed, names="value")
            fields.hold(self.box, (*self.box.children, *self.given[chosen].values()))
        for name, given in self.given.items():
            for one in given.values():
                fields.show(one, name == self.which.value)

    def rule(self) -> LibraryRule:
        """Return the rule as the fields have it.

        Raises
        ------
        ValueError
            A figure that it does not take.
        """
        name = self.which.value
        return self.makers[name](**{one: field.value for one, field in self.given[name].items()})
