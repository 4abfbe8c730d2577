"""What happens in play and what players do, as far as rules can speak of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.values import Type

#: Names that are bound where something is judged, with their types.
Case = Mapping[str, Type]


@frozen(eq=False)
class Event:
    """Something that happens in play and that rules may answer to with ``on``.

    Parameters
    ----------
    name, meaning : str
        As rules write it; for players, half a sentence.
    binds : mapping of str to Type
        Names that are bound for those who answer.
    usual : str
        Its usual result, which ``instead of`` can replace; empty where there is none to replace.
    late : str
        What is decided by then, so that a choice or a ballot comes too late for it; empty where nothing is.
    over : bool
        Whether play is over then, so that nothing answers to it, and it can only be replaced.
    may_bind : mapping of str to Type
        Names that are bound where the event has them: a trigger that speaks of one hears only such events.
    """

    name: str
    meaning: str
    binds: Case = field(default_factory=dict)
    usual: str = ""
    late: str = ""
    over: bool = False
    may_bind: Case = field(default_factory=dict)


@frozen(eq=False)
class Action:
    """Something that a player does, which rules may ``allow`` and ``forbid``.

    Parameters
    ----------
    name : str
        As rules and `game.do` write it.
    meaning : str
        For players, half a sentence.
    binds : mapping of str to Type
        Names that are bound while its legality is judged.
    owed : bool
        Whether rules can oblige someone to do it.
    otherwise : str
        The key that decides where no rule allows or forbids it; empty where rules bring the action about.
    takes_leave : bool
        Whether nobody does it unless a rule allows it.
    gist : frozenset of str
        What a permission is about: who may do it, or what may be done. A ban that looks at none of these names and
        fields limits it, and does not contradict it. Empty where every ban contradicts.
    """

    name: str
    meaning: str
    binds: Case = field(default_factory=dict)
    owed: bool = False
    otherwise: str = ""
    takes_leave: bool = False
    gist: frozenset[str] = frozenset()
