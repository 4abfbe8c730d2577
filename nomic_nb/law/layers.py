"""Clauses that add to what a term would be without them: which of them come on top, and in which order.

Such a clause says ``otherwise`` in its value. It does not contradict the other clauses of its standing, which say all
of what the term is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nomic_nb.law.findings import Defeated, as_set
from nomic_nb.law.index import OTHERWISE, Index
from nomic_nb.law.precedence import LATER
from nomic_nb.law.rules import Rule, Source


def adds(source: Source) -> bool:
    """Tell whether a clause that sets a key adds to what the key would be without it."""
    return OTHERWISE in as_set(source).value.names


def on_top(
    law: Index, key: str, plain: Sequence[Source], layers: Iterable[Source]
) -> tuple[list[Source], tuple[Defeated, ...]]:
    """Return the clauses that come on top of plain ones, the weakest first, and those that plain ones defeat.

    Parameters
    ----------
    law : Index
        Which rules there are, and which of them prevails.
    key : str
        What they set.
    plain, layers : sequence of Source
        The clauses that prevail among those that say all of it, and those that add to it.
    """
    left: list[Source] = []
    defeated: list[Defeated] = []
    for layer in sorted(layers, key=lambda one: law.rank(one.rule), reverse=True):
        over = next((one.rule.number for one in plain if _covers(law, one.rule, layer.rule, key)), None)
        if over is None:
            left.append(layer)
        else:
            defeated.append(Defeated(layer, f"rule {over} says all of it, and goes before it"))
    return left, tuple(defeated)


def _covers(law: Index, one: Rule, layer: Rule, key: str) -> bool:
    """Tell whether a rule that says all of it goes before one that adds: it is stronger, claims to, or came later.

    That it came later counts where the law lets the newest go first, and numbers never do: an addition contradicts no
    rule, and is undone by what is said after it.
    """
    strength = law.order.tier(one) - law.order.tier(layer)
    if strength or one is layer:
        return strength < 0
    for criterion in law.order.by:
        if criterion == "claims":
            forth, back = law.precedence.over(one, layer, key), law.precedence.over(layer, one, key)
            if forth is not back:
                return forth
        elif (came := LATER.get(criterion)) is not None and came(one) != came(layer):
            return came(one) > came(layer)
    return False
