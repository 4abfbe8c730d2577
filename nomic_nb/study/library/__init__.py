"""Ready-made rules with wording and clauses, so you can make a first proposal without writing either.

Each function returns a `LibraryRule`; its ``change()`` is a change for `Game.propose`. Parameters are checked when
the rule is made, and have sensible defaults. `catalogue` lists all ready-made rules by subject, and `search` finds
them by everyday words. `Game.library` lists those that have an effect in the current state of a game, each with the
rules that it amends, takes precedence over, or adds to.

A rule about points is refused in a game in which no rule counts points. In games with boards, `points_for_captures`
introduces them; `points_to_win` says how many are needed to win. A rule about boards can be proposed in a game without
boards, and does nothing there.

>>> from nomic_nb import library
>>> rule = library.simple_majority()
>>> print(rule.law)
set vote.quota to majority(vote.electorate)
>>> rule.change(203).headline
'amend rule 203'
>>> "tax" in library.catalogue.frame.index
True
>>> print(library.search("votes in secret"))
secret_ballots() – Secret ballots
"""

from typing import Any

from nomic_nb.engine.arguments import unknown_name_error
from nomic_nb.engine.errors import NoSuchName
from nomic_nb.study.library.ready_made import Catalogue
from nomic_nb.study.library.ready_made import LibraryRule as LibraryRule

#: All ready-made rules, by subject.
catalogue = Catalogue()
search = catalogue.search


def __getattr__(name: str) -> Any:
    """Return what makes a ready-made rule; they are read when the first of them is asked for."""
    if name == "__all__":
        return __dir__()
    for entry in catalogue if not name.startswith("_") else ():
        if entry.name == name:
            return entry.make
    if name.startswith("_"):
        raise AttributeError(name)
    error = unknown_name_error("the library of ready-made rules", name, __dir__())
    if "near" in error.args[0].values:
        raise error
    found = [entry.name for entry in search(name.replace("_", " "))][:3]
    if found:
        raise NoSuchName(error.args[0].embed_in("{message}; did you mean {near}?", near=" or ".join(found)))
    raise NoSuchName(error.args[0].embed_in("{message}; search the library for a word, such as “points”"))


def __dir__() -> list[str]:
    return ["LibraryRule", "catalogue", "search", *sorted(entry.name for entry in catalogue)]
