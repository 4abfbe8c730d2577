"""The listing of all ready-made rules, to choose from."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.shown import Shown
from nomic_nb.study.library.making import LibraryRule

if TYPE_CHECKING:
    import pandas as pd

    from nomic_nb.study.library.filling import Place, ReadyMade

#: What rules are about; a file of this name has them.
SUBJECTS = (
    "votes", "proposals", "rules", "turns", "dice", "points", "money", "winning", "people", "movement", "pawns",
    "captures", "mates", "boards", "armies",
)  # fmt: skip
#: The subjects that there are only in games with boards.
ON_BOARDS = frozenset(("movement", "pawns", "captures", "mates", "boards", "armies"))


@frozen
class Entry:
    """A ready-made rule in the listing.

    Parameters
    ----------
    name : str
        The name by which it is made.
    subject : str
        What it is about.
    make : ReadyMade
        What makes it.
    """

    name: str
    subject: str
    make: ReadyMade

    @property
    def rule(self) -> LibraryRule:
        """The rule as it is by itself."""
        return self.make()

    @property
    def places(self) -> tuple[Place, ...]:
        """What can be filled in."""
        return self.make.places

    @property
    def on_boards(self) -> bool:
        """Whether it is for games with boards only."""
        return self.subject in ON_BOARDS

    @property
    def parameters(self) -> str:
        """The parameters and what they are by themselves, as Python writes them."""
        found = inspect.signature(self.make).parameters.values()
        return ", ".join(f"{one.name}={one.default!r}" for one in found)


class Catalogue(Shown):
    """All ready-made rules, by subject; it shows itself as a table to choose from."""

    def __iter__(self) -> Iterator[Entry]:
        from nomic_nb.study.library.filling import subject

        for about in SUBJECTS:
            for name, make in subject(about).items():
                yield Entry(name, about, make)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def frame(self) -> pd.DataFrame:
        """The listing as a DataFrame.

        Returns
        -------
        DataFrame
            Indexed by ``name``, with ``subject``, ``title``, ``wording``, ``parameters``,
            ``amends`` (the rule that it is made to amend; empty for none) and ``law``, all strings.

        Examples
        --------
        >>> Catalogue().frame.loc["tax", ["subject", "parameters"]].tolist()
        ['points', 'of_every=10']
        """
        import pandas as pd

        columns = ["name", "subject", "rule.title", "rule.wording", "parameters", "rule.amends", "rule.law"]
        rows = map(attrgetter(*columns), self)
        return pd.DataFrame(rows, columns=[one.removeprefix("rule.") for one in columns]).set_index("name")

    def __str__(self) -> str:
        return "\n".join(f"{one.name}({one.parameters}) – {one.rule.title}" for one in self)
