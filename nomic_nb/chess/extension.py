"""Chess as an extension of play: boards, armies and moves under law, and what referees ask about them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from nomic_nb.chess.fairplay import attacks, coming_turns, fairness, hypotheticals, power_meter
from nomic_nb.chess.multiverse.multiverse import Multiverse, write_multiverse
from nomic_nb.chess.play import boards, clause_checks, effects, events, functions, legal, moving, records, setup
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.engine.extension import Extension, install_extension
from nomic_nb.engine.law.language import Line
from nomic_nb.engine.law.values import NUMBER, ThingRef, optional_type
from nomic_nb.engine.law.vocabulary import Field
from nomic_nb.engine.play.declarations import declare_fields
from nomic_nb.engine.play.standstill import can_players_bring_about
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.values import TEXTS
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.subjects.proposal_facts import seen_change


class Chess(Extension):
    """Boards and what happens on them; each hook says in `Extension` what it is for."""

    subjects = (
        hypotheticals, clause_checks, setup, records, functions, attacks, power_meter, coming_turns, effects, events,
        moving,
    )  # fmt: skip
    functions = records.DECLARED_FUNCTIONS
    examples = ('"N"',)
    rulesets = Path(__file__).parent / "rulesets"
    keys = frozenset((*(key.name for key in records.KEYS), "may.move"))

    # Hooks that one function of chess answers.
    place_of_case = staticmethod(records.universe_of_case)
    afterwards = staticmethod(coming_turns.evaluate_after_change)
    update_after_step = staticmethod(moving.reshape_by_law)
    advance_turn = staticmethod(partial(moving.end_moves_if_none_left, can_bring_about=can_players_bring_about))
    on_turn_begun = staticmethod(partial(moving.expire_passings_at_turn, begins=True))
    before_turn_end = staticmethod(partial(moving.expire_passings_at_turn, begins=False))
    moves_for_new_turn = staticmethod(events.new_turn_moves)
    rule_scopes = staticmethod(clause_checks.universe_names)
    check_universe_of_change = staticmethod(clause_checks.check_change_for_universe)
    why_clause_is_idle = staticmethod(clause_checks.why_piece_clause_is_idle)
    is_event_implied = staticmethod(events.is_told_elsewhere)
    does_effect_act_on_boards = staticmethod(records.acts_on_boards)
    is_event_about_boards = staticmethod(records.happens_on_boards)

    def change_fields(self) -> Iterable[Field]:
        """Return the fields in which rules can ask what a change does to boards."""
        return declare_fields(
            seen_change, ("proposals", "rules", "position", "players", "circuit", "tables"),
            ("singles_out", TEXTS, ("the words in its clauses that could affect one player but not another: all "
                                    "except those known to affect everyone equally"),
             lambda seen: seen.words_found_in_clauses(fairness.find_words_singling_out)),
            ("put_off", TEXTS, ("the words in its clauses about moves whose full effect may not show in the next "
                                "ten rounds"),
                                lambda seen: seen.words_found_in_clauses(fairness.find_delayed_move_words)),
            ("later", TEXTS, ("the words in it that could let it do something on the boards by itself after the "
                              "next five rounds"),
                              lambda seen: seen.words_found_in_clauses(fairness.find_delayed_effect_words)),
            ("at_will", TEXTS, ("its effects on boards that players could trigger at will, or on more than one "
                                "piece with a single move; effects that take something away count even if they "
                                "depend on things that moves change"),
             lambda seen: seen.words_found_in_clauses(fairness.player_controlled_effects)),
            ("ends", optional_type(NUMBER),
            ("after how many turns a new rule ends by itself, if that is fixed and repealing itself is its only "
             "effect; none for any other change"), _turns_until_repeal),
            traits="wording",
        )  # fmt: skip

    def open_moves(self, state: State) -> tuple[str, ...]:
        """Return the moves that can be made now, as players write them."""
        return tuple(map(str, legal.move_options(state)))

    def open_boards(self, state: State) -> frozenset[str]:
        """Return the names of the boards on which a move can be made now."""
        return frozenset(board for option in legal.move_options(state) for board in option.push.boards)

    def check_clauses_fit_game(self, state: State, lines: tuple[Line, ...]) -> None:
        """Raise `LawError` for clauses that let boards grow too large or name an army or board that does not exist."""
        clause_checks.check_growth(state, lines)
        clause_checks.check_names_exist(state, lines)

    def thing_ids(self, state: State, kind: str) -> Iterable[int | str]:
        """Return the ids of all things of a kind (army, board, piece or square) in the game."""
        position = multiverse_of(state)
        match kind:
            case "army":
                return position.armies
            case "board":
                return position.boards
            case "piece":
                return (*position.pieces, *state.gone)
            case "square":
                sizes = {name: board.geometry.files * board.geometry.ranks for name, board in position.boards.items()}
                return (position.name(board, at) for board, size in sizes.items() for at in range(size))
        return ()

    def owner_of_thing(self, state: State, ref: ThingRef) -> str | None:
        """Return the player who controls an army or a piece; None for other things or if nobody does."""
        position, army = multiverse_of(state), ref.id if ref.kind == "army" else None
        if ref.kind == "piece" and (piece := position.pieces.get(ref.id) or state.gone.get(ref.id)):  # type: ignore[arg-type]
            army = piece.army
        return position.armies[army].controller if army in position.armies else None  # type: ignore[index]

    def thing_in_words(self, state: State, ref: ThingRef) -> str:
        """Return the words for a piece, such as “knight white.b1”; empty for other things."""
        return records.describe_piece(state, ref.id) if ref.kind == "piece" else ""

    def affects_others_pieces(self, before: State, after: State, doer: str, *, own_turn: bool) -> bool:
        """Tell whether others' pieces changed between two states; out of the doer's turn, whether the boards did."""
        if before.position is after.position:
            return False
        old, new = multiverse_of(before), multiverse_of(after)
        changed = {id for id in {*old.pieces, *new.pieces} if old.pieces.get(id) != new.pieces.get(id)}
        pieces = [piece for id in changed for multiverse in (old, new) if (piece := multiverse.pieces.get(id))]
        return not own_turn or any(
            self.owner_of_thing(before, ThingRef("army", changed_piece.army)) != doer for changed_piece in pieces
        )

    def check_mark(self, state: State, text: str, squares: int) -> None:
        """Raise an error for a text that names no arrow (`squares` is 2) or marked square (1) on the game's boards."""
        if state.position is None:
            super().check_mark(state, text, squares)
        boards.read_mark(multiverse_of(state), text, squares)

    def canonical_form(self, value: object) -> Any:
        """Return a multiverse as text, for a fingerprint; None for any other value."""
        return write_multiverse(value) if isinstance(value, Multiverse) else None


def _turns_until_repeal(seen: Any) -> int | None:
    """Return after how many turns a new rule that does nothing else repeals itself; None for any other change."""
    own = [line.clause for line in seen.law.language.read_clauses(seen.change.law)]
    return fairness.turns_until_repeal(own, state_of(seen.view)) if seen.change.kind == "enact" else None


install_extension(Chess())
language.cache_clear()  # a game without boards may have begun before
