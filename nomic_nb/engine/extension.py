# ruff: noqa: ARG002 - hooks that do nothing use nothing
"""What a game can have beside law and turns, such as boards: the hooks that play calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.vocabulary import refuse_afterwards

if TYPE_CHECKING:
    from nomic_nb.engine.law.changes import Change
    from nomic_nb.engine.law.clauses import Clause, Form
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
    #: Answers to open questions about it, as expressions of the law language.
    examples: tuple[str, ...] = ()
    #: The folder of its rule sets; None if it has none.
    rulesets: Path | None = None

    def change_fields(self) -> Iterable[Field]:
        """Return the fields that the extension adds to a rule change, for rules to read."""
        return ()

    def place_of_case(self, case: CaseNames, state: Any) -> str | None:
        """Return the name of the board where a case (names bound to values) takes place; None if on no one board."""
        return None

    def afterwards(self, view: View, form: str, run: Run) -> Value:
        """Return the result of `run` as if the proposed change were law; `form` is the rule's word for that."""
        return refuse_afterwards(view, form, run)

    def update_after_step(self, engine: Any) -> bool:
        """Adjust what the extension keeps, such as boards, to the law after a step; return True if anything changed."""
        return False

    def advance_turn(self, engine: Any, turn: Any) -> bool:
        """Record the next event in a turn's moves that needs no player; return whether there was one."""
        return False

    def on_turn_begun(self, engine: Any, army: str | None) -> None:
        """React to the beginning of a turn; `army` is the army whose turn it is, None if turns go by player."""

    def before_turn_end(self, engine: Any, army: str | None) -> None:
        """React before a turn ends; `army` is the army whose turn it is, None if turns go by player."""

    def moves_for_new_turn(self, state: Any, army: str | None, player: str) -> Any:
        """Return the empty record of moves for a player's new turn; None if the player has nothing to move."""
        return None

    def open_moves(self, state: Any) -> tuple[str, ...]:
        """Return the moves that can be made now, in the notation that players write."""
        return ()

    def open_boards(self, state: Any) -> frozenset[str]:
        """Return the names of the boards on which a move can be made now."""
        return frozenset()

    def rule_scopes(self, state: Any) -> tuple[str, ...]:
        """Return the names of the universes that can have rules of their own."""
        return ()

    def check_universe_of_change(self, state: Any, change: Change, lines: tuple[Line, ...]) -> None:
        """Raise an error if a change is for a universe that does not exist, or its clauses reach beyond it.

        Raises
        ------
        LawError
            With what would be right.
        """
        if change.universe:
            expected = "a rule for the whole game"
            raise LawError(
                "no-universes", "this game has no universes", found=repr(change.universe[:40]), expected=expected
            )

    def check_clauses_fit_game(self, state: Any, lines: tuple[Line, ...]) -> None:
        """Raise an error for clauses that cannot hold in this game, such as those about boards it does not have."""

    def why_clause_is_idle(self, state: Any, book: RuleBook, clause: Clause) -> Any:
        """Return the reason why a clause can never have an effect in this game; None if it can."""
        return None

    def is_event_implied(self, event: Any) -> bool:
        """Tell whether histories can leave out an event because the sentence of another event already tells it."""
        return False

    def does_effect_act_on_boards(self, form: Form, events: Mapping[str, Kind]) -> bool:
        """Tell whether effects of a form change boards or the like; `events` are the kinds of event by name."""
        return False

    def is_event_about_boards(self, event: Kind) -> bool:
        """Tell whether a kind of event is about boards, or whatever else the extension keeps."""
        return False

    def thing_ids(self, state: Any, kind: str) -> Iterable[int | str]:
        """Return the ids of all things of a kind, such as “piece”; empty for kinds that the extension does not have."""
        return ()

    def owner_of_thing(self, state: Any, ref: ThingRef) -> str | None:
        """Return the name of the player who owns a thing of the extension; None if nobody does."""
        return None

    def thing_in_words(self, state: Any, ref: ThingRef) -> str:
        """Return words for a thing, such as “knight white.b1”; an empty text if the extension has none for it."""
        return ""

    def affects_others_pieces(self, before: Any, after: Any, doer: str, *, own_turn: bool) -> bool:
        """Tell whether others' pieces changed between two states; out of the doer's turn, whether the boards did."""
        return False

    def check_mark(self, state: Any, text: str, squares: int) -> None:
        """Raise an error for a text that names no arrow (`squares` is 2) or marked square (1) on the game's boards.

        Raises
        ------
        IllegalAction
            With what would be right.
        """
        raise IllegalAction("no-boards-to-draw-on", "this game has no boards to draw on")

    def canonical_form(self, value: object) -> Any:
        """Return a value of the extension as plain data for fingerprints; None for any other value."""
        return None


#: The one that is installed; at first one that has nothing.
_INSTALLED = [Extension()]


def installed_extension() -> Extension:
    """Return the installed extension; a plain `Extension`, which has no boards, if none was installed."""
    return _INSTALLED[0]


def install_extension(new: Extension) -> None:
    """Let play use an extension, for all games that begin from now on in this process."""
    _INSTALLED[0] = new
