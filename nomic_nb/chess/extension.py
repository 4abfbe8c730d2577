"""Chess as an extension of play: boards, armies and moves under law, and what referees ask about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from nomic_nb.chess.fairplay import (
    attacks,
    coming_turns,
    fairness,
    forecasts,
    hypotheticals,
    king_hunt,
    player_controlled,
    power_meter,
)
from nomic_nb.chess.multiverse.multiverse import Multiverse, write_multiverse
from nomic_nb.chess.play import boards, clause_checks, effects, events, functions, legal, moving, records, scopes, setup
from nomic_nb.chess.play.boards import TurnMoves, multiverse_of
from nomic_nb.engine.extension import Extension, install_extension
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.forms import Form
from nomic_nb.engine.law.language import Line
from nomic_nb.engine.law.nodes import Run, View
from nomic_nb.engine.law.rules import RuleBook
from nomic_nb.engine.law.values import NUMBER, CaseNames, ThingRef, Value, optional_type
from nomic_nb.engine.law.vocabulary import Event as Kind
from nomic_nb.engine.law.vocabulary import Field
from nomic_nb.engine.play.declarations import declare_fields
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.lawmaking import IdleReason
from nomic_nb.engine.play.standstill import can_players_bring_about
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.values import TEXTS, Turn
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.subjects.proposal_facts import seen_change


class Chess(Extension):
    """Boards and what happens on them; each hook says in `Extension` what it is for."""

    subjects = (
        hypotheticals, scopes, setup, records, functions, attacks, king_hunt, power_meter, forecasts, effects, events,
        moving,
    )  # fmt: skip
    functions = records.DECLARED_FUNCTIONS
    rulesets = Path(__file__).parent / "rulesets"
    keys = frozenset((*(one.name for one in records.KEYS), "may.move"))

    def change_fields(self) -> Iterable[Field]:
        """Return what rules can ask of a change that bears on boards."""
        return declare_fields(
            seen_change, ("proposals", "rules", "position", "players", "circuit", "tables"),
            ("singles_out", TEXTS, ("the words in its clauses that could bear on one player and not on another: all "
             "but those that are known to bear on all alike"), lambda seen: seen.found(fairness.find_singling_words)),
            ("put_off", TEXTS, ("the words in what it says of moves that could come to more than the next ten circuits "
             "show"), lambda seen: seen.found(fairness.find_delayed_move_words)),
            ("later", TEXTS, ("the words by which it could do something on the boards by itself, later than in the "
             "next five circuits"), lambda seen: seen.found(fairness.find_delayed_effect_words)),
            ("at_will", TEXTS, ("the effects in it on boards that players could bring about as they like, "
             "or by a move on more than one piece, and of those that take something by what moves alter"),
             lambda seen: seen.found(player_controlled.player_controlled_effects)),
            ("ends", optional_type(NUMBER),
            ("after how many turns a new rule ends by itself, at a fixed time, that does "
             "nothing else; none for every other change"), _find_sunset),
            traits="wording",
        )  # fmt: skip

    def place(self, case: CaseNames, state: Any) -> str | None:
        """Return the universe that a case is in."""
        return records.universe_of_case(case, state)

    def afterwards(self, view: View, form: str, run: Run) -> Value:
        """Return what something comes to if the change at hand is adopted."""
        return coming_turns.evaluate_after_change(view, form, run)

    def settle(self, engine: Engine) -> bool:
        """Give boards the form that the law gives them."""
        return moving.reshape(engine)

    def advance(self, engine: Engine, turn: Turn) -> bool:
        """Let the moves of a turn go on."""
        return moving.continue_moves(engine, turn, can_players_bring_about)

    def turn_begins(self, engine: Engine, army: str | None) -> None:
        """Do what is due on boards when a turn has begun."""
        moving.forget_passings_at_turn(engine, army, begins=True)

    def turn_ends(self, engine: Engine, army: str | None) -> None:
        """Do what is due on boards before a turn ends."""
        moving.forget_passings_at_turn(engine, army, begins=False)

    def moves_of(self, state: State, army: str | None, player: str) -> TurnMoves | None:
        """Return the moves of a turn that begins."""
        return events.moves_of_turn(state, army, player)

    def moves_open(self, state: State) -> tuple[str, ...]:
        """Return the moves that can be made now."""
        return tuple(map(str, legal.move_options(state)))

    def boards_open(self, state: State) -> frozenset[str]:
        """Return the boards on which a move can be made now."""
        return frozenset(board for one in legal.move_options(state) for board in one.push.boards)

    def scopes(self, state: State) -> tuple[str, ...]:
        """Return the universes."""
        return scopes.universes(state)

    def check_scope(self, state: State, change: Change, lines: tuple[Line, ...]) -> None:
        """Refuse a change for one universe that reaches beyond it."""
        scopes.check_scope(state, change, lines)

    def check_clauses(self, state: State, lines: tuple[Line, ...]) -> None:
        """Refuse boards that grow without end, and names that no army or board has."""
        clause_checks.check_growth(state, lines)
        clause_checks.check_names_exist(state, lines)

    def why_idle(self, state: State, book: RuleBook, clause: c.Clause) -> IdleReason | None:
        """Return why a movement can never be made."""
        return clause_checks.why_piece_never_moves(state, book, clause)

    def is_implied(self, event: Event) -> bool:
        """Tell whether a move says it."""
        return events.is_told_elsewhere(event)

    def acts(self, form: Form, events: Mapping[str, Kind]) -> bool:
        """Tell whether an effect does something on boards."""
        return records.acts_on_boards(form, events)

    def is_about(self, event: Kind) -> bool:
        """Tell whether an event happens on boards."""
        return records.is_on_boards(event)

    def things(self, state: State, kind: str) -> Iterable[int | str]:
        """Return the names of armies, boards and squares, the ids of pieces."""
        position = multiverse_of(state)
        match kind:
            case "army":
                return position.armies
            case "board":
                return position.boards
            case "piece":
                return (*position.pieces, *state.gone)
            case "square":
                sizes = {name: one.geometry.files * one.geometry.ranks for name, one in position.boards.items()}
                return (position.name(board, at) for board, size in sizes.items() for at in range(size))
        return ()

    def owner(self, state: State, ref: ThingRef) -> str | None:
        """Return who moves an army, or a piece."""
        position, army = multiverse_of(state), ref.id if ref.kind == "army" else None
        if ref.kind == "piece" and (piece := position.pieces.get(ref.id) or state.gone.get(ref.id)):  # type: ignore[arg-type]
            army = piece.army
        return position.armies[army].controller if army in position.armies else None  # type: ignore[index]

    def words(self, state: State, ref: ThingRef) -> str:
        """Return what players call a piece."""
        return records.describe_piece(state, ref.id) if ref.kind == "piece" else ""

    def touches_others(self, before: State, after: State, doer: str, *, own_turn: bool) -> bool:
        """Tell whether a piece changed that is not the doer's own, or not in the doer's own turn."""
        if before.position is after.position:
            return False
        old, new = multiverse_of(before), multiverse_of(after)
        changed = {id for id in {*old.pieces, *new.pieces} if old.pieces.get(id) != new.pieces.get(id)}
        pieces = [piece for id in changed for one in (old, new) if (piece := one.pieces.get(id))]
        return not own_turn or any(self.owner(before, ThingRef("army", one.army)) != doer for one in pieces)

    def check_mark(self, state: State, text: str, squares: int) -> None:
        """Refuse an arrow or a marked square that is on none of the boards."""
        if state.position is None:
            super().check_mark(state, text, squares)
        boards.read_mark(multiverse_of(state), text, squares)

    def plain(self, value: object) -> Any:
        """Return boards in plain form."""
        return write_multiverse(value) if isinstance(value, Multiverse) else None


def _find_sunset(seen: Any) -> int | None:
    """Return when a new rule ends by itself; what is only amended was enacted before, and a draft may never be."""
    own = [line.clause for line in seen.law.language.read(seen.change.law)]
    return player_controlled.turns_until_sunset(own, state_of(seen.view)) if seen.change.kind == "enact" else None


install_extension(Chess())
language.cache_clear()  # a game without boards may have begun before
