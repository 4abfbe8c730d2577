"""Ready-made rules, with wording and clauses, so that a first proposal needs neither.

Each is made by a call that returns a `LibraryRule`; its ``change()`` is what `Game.propose` takes. Parameters are
checked where the rule is made, and have a sensible value where none is given. `catalogue` lists all of
them by subject.

What speaks of points is refused in a game in which no rule counts any. In games with boards
`points_for_captures` brings them in; `points_to_win` says for other rules how many are enough. What is about
boards can be proposed in a game without them, and does nothing there.

>>> from nomic_nb import library
>>> rule = library.simple_majority()
>>> print(rule.law)
set vote.quota to majority(vote.electorate)
>>> rule.change(203).headline
'amend rule 203'
>>> "tax" in library.catalogue.frame.index
True
"""

from nomic_nb.rulesets.library.listing import Catalogue, Maker
from nomic_nb.rulesets.library.making import LibraryRule

#: All ready-made rules, by subject.
catalogue = Catalogue()
_MAKERS = {one.name: one.make for one in catalogue}

__all__ = ["LibraryRule", "catalogue", *sorted(_MAKERS)]  # noqa: PLE0604 - the names of the rules are texts


def __getattr__(name: str) -> Maker:
    """Return what makes a ready-made rule."""
    try:
        return _MAKERS[name]
    except KeyError:
        raise AttributeError(f"no ready-made rule is called {name}") from None


def __dir__() -> list[str]:
    return __all__
