# ruff: noqa: ARG002 - hooks that do nothing use nothing
"""What a game can have beside law and turns, such as boards: the hooks that play calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.vocabulary import refuse_afterwards
from nomic_nb.engine.messages import say

if TYPE_CHECKING:
    from nomic_nb.engine.law.changes import Change
    from nomic_nb.engine.law.clauses import Clause
    from nomic_nb.engine.law.forms import Form
    from nomic_nb.engine.law.language import Line
    from nomic_nb.engine.law.nodes import Run, View
    from nomic_nb.engine.law.rules import RuleBook
    from nomic_nb.engine.law.values import CaseNames, ThingRef, Value
    from nomic_nb.engine.law.vocabulary import Event as Kind
    from nomic_nb.engine.law.vocabulary import Field, Function


class Extension:
    """The hooks of an extension of play. A game without one has no boards, and every hook answers so.

    States, engines, turns and events are `Any` here, because their modules stand above this one.
    """

    #: The modules that declare its words of the law, in the order in which pages list them.
    subjects: tuple[ModuleType, ...] = ()
    #: The functions that these modules declare, by module.
    functions: Mapping[str, Iterable[Function]] = {}
    #: The names of the keys that are about what the extension has.
    keys: frozenset[str] = frozenset()
    #: The folder of its rule sets; None if it has none.
    rulesets: Path | None = None

    def change_fields(self) -> Iterable[Field]:
        """Return what rules can ask of a change, beside what they can ask in every game."""
        return ()

    def place(self, case: CaseNames, state: Any) -> str | None:
        """Return the place that a case is in, where a rule can be for one place alone."""
        return None

    def afterwards(self, view: View, form: str, run: Run) -> Value:
        """Return what something comes to if the change at hand is adopted."""
        return refuse_afterwards(view, form, run)

    def settle(self, engine: Any) -> bool:
        """Bring things into the form that the law gives them; tell whether anything changed."""
        return False

    def advance(self, engine: Any, turn: Any) -> bool:
        """Let a turn go on by one event; tell whether it did."""
        return False

    def turn_begins(self, engine: Any, army: str | None) -> None:
        """Do what is due when a turn has begun."""

    def turn_ends(self, engine: Any, army: str | None) -> None:
        """Do what is due before a turn ends."""

    def moves_of(self, state: Any, army: str | None, player: str) -> Any:
        """Return the moves of a turn that begins; None if it has none."""
        return None

    def moves_open(self, state: Any) -> tuple[str, ...]:
        """Return the moves that can be made now, as players write them."""
        return ()

    def boards_open(self, state: Any) -> frozenset[str]:
        """Return the boards on which a move can be made now."""
        return frozenset()

    def scopes(self, state: Any) -> tuple[str, ...]:
        """Return the places for each of which alone a rule can be made."""
        return ()

    def check_scope(self, state: Any, change: Change, lines: tuple[Line, ...]) -> None:
        """Refuse a change for one place: if there is none, or if its clauses reach beyond it.

        Raises
        ------
        LawError
            With what would be right.
        """
        if change.universe:
            expected = "a rule for the whole game"
            raise LawError(
                say("no-universes", "this game has no universes"), found=repr(change.universe[:40]), expected=expected
            )

    def check_clauses(self, state: Any, lines: tuple[Line, ...]) -> None:
        """Refuse clauses that cannot hold in this game."""

    def why_idle(self, state: Any, book: RuleBook, clause: Clause) -> Any:
        """Return why a clause can never have an effect here; None if it can."""
        return None

    def is_implied(self, event: Any) -> bool:
        """Tell whether another event says what this one would."""
        return False

    def acts(self, form: Form, events: Mapping[str, Kind]) -> bool:
        """Tell whether an effect does something to what the extension has."""
        return False

    def is_about(self, event: Kind) -> bool:
        """Tell whether an event is about what the extension has."""
        return False

    def things(self, state: Any, kind: str) -> Iterable[int | str]:
        """Return the ids of all things of a kind, that tables can be kept per."""
        return ()

    def owner(self, state: Any, ref: ThingRef) -> str | None:
        """Return the player whose thing this is."""
        return None

    def words(self, state: Any, ref: ThingRef) -> str:
        """Return what players call one of its things."""
        return ""

    def touches_others(self, before: Any, after: Any, doer: str, *, own_turn: bool) -> bool:
        """Tell whether something changed that is not the doer's own, or not in the doer's own turn."""
        return False

    def check_mark(self, state: Any, text: str, squares: int) -> None:
        """Refuse an arrow (two squares) or a marked square (one) that cannot be drawn.

        Raises
        ------
        IllegalAction
            With what would be right.
        """
        raise IllegalAction(say("no-boards-to-draw-on", "there are no boards in this game to draw on"))

    def plain(self, value: object) -> Any:
        """Return one of its values in the plain form that a fingerprint is made of; None if it is not its own."""
        return None


#: The one that is installed; at first one that has nothing.
_INSTALLED = [Extension()]


def installed_extension() -> Extension:
    """Return the extension that is installed."""
    return _INSTALLED[0]


def install_extension(new: Extension) -> None:
    """Let play use an extension, for all games that begin from now on in this process."""
    _INSTALLED[0] = new
