"""Why a move cannot be made: by which rule, and what can be made instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NoReturn, cast

from nomic_nb.errors import IllegalAction
from nomic_nb.law.findings import Finding
from nomic_nb.law.rules import Number
from nomic_nb.law.values import Ref
from nomic_nb.markup.words import listed
from nomic_nb.multiverse.errors import MultiverseError
from nomic_nb.multiverse.geometry import Geometry
from nomic_nb.multiverse.pieces import BoardMove, Piece
from nomic_nb.multiverse.pushes import Push
from nomic_nb.play.chess.drops import drop, hand_in_words, in_hand
from nomic_nb.play.chess.legal import Option, case_of_move, counts, is_forced, joined_counts, reach_of, stays, ways
from nomic_nb.play.chess.naming import Named, is_named
from nomic_nb.play.chess.records import march_at_hand, name_of_kind
from nomic_nb.play.chess.terms import case_of, chess_of, push_of
from nomic_nb.play.state import State
from nomic_nb.play.values import March


def refuse_move(state: State, player: str, named: Named, options: tuple[Option, ...]) -> NoReturn:
    """Refuse a move that is none of those that can be made.

    Raises
    ------
    IllegalAction
        Always: with what stands against it, the rule, and the moves that can be made instead.
    """
    _Refusal(state, player, named, options).say()


class _Refusal:
    def __init__(self, state: State, player: str, named: Named, options: tuple[Option, ...]) -> None:
        self.state, self.law, self.player, self.named, self.options = state, state.law, player, named, options
        self.position = state.multiverse
        self.march = cast(March, march_at_hand(state))  # a move is owed
        self.army = self.march.armies[0]
        self.boards = tuple(name for name in self.position.boards if name in named.boards)

    def say(self) -> NoReturn:
        if self.boards:
            self.check_boards(self.boards)
        if "@" in self.named.text:
            self.say_of_drop()
        piece = self.find_piece()
        self.army = piece.army
        own = [one for one in self.options if one.move is not None and one.move.piece == piece.id]
        here = self.on_boards(own)
        legal = [str(one) for one in here or own or self.on_boards(self.options) or self.options]
        found = list(self.reasons(piece))
        if not found:
            self.check_universe(legal)
            raise IllegalAction(f"{self.named.text} is not a legal move", options=legal)
        _, said, rule = min(found, key=lambda one: one[0])
        if not own and self.options:
            said += f"; the {name_of_kind(piece.kind)} has no move now"
        raise IllegalAction(said, rule=rule, options=legal)

    def on_boards(self, options: tuple[Option, ...] | list[Option]) -> list[Option]:
        return [one for one in options if self.named.boards == frozenset(one.push.boards)]

    def check_boards(self, boards: tuple[str, ...]) -> None:
        """Refuse boards that are not pushed together, whatever would be moved on them."""
        pairs = sorted({one.boards for one in self.options})
        found, halves = joined_counts(self.state, self.army), [self.position.boards[one].half for one in boards]
        wanted = self.law.settled(found)
        if any(halves) and not (all(halves) and len(boards) in wanted):
            words = "one half-board is pushed by itself, or two are pushed together"
            if len(wanted) == 1:
                words = (
                    "one half-board is pushed by itself" if wanted == (1,) else "two half-boards are pushed together"
                )
            raise IllegalAction(f"{words} for a move, not {' and '.join(boards)}", rule=found.rule, options=pairs)
        self.check_reach(boards, pairs)

    def check_reach(self, boards: tuple[str, ...], pairs: list[str]) -> None:
        reach = reach_of(self.state, self.army, boards)
        if reach.value == "none" or len(self.march.pushes) >= counts(self.state, self.army):
            said = f"{' and '.join(boards)} cannot be pushed together now"
            if len(boards) == 1:
                said = f"no move is made on {boards[0]} now"
            raise IllegalAction(said, rule=reach.rule, options=pairs)

    def check_universe(self, legal: list[str]) -> None:
        """Refuse a move on a universe, which says by itself where it is made, where none is made there now."""
        there = tuple({self.position.square(one)[0] for one in (self.begin(), self.end())})
        if len(there) == 1 and not self.position.boards[there[0]].half:
            self.check_reach(there, legal)

    def find_piece(self) -> Piece:
        """Return the piece that is to move."""
        legal = [str(one) for one in self.on_boards(self.options) or self.options]
        try:
            begin = self.begin()
            piece = self.position.at(begin)
            if piece is not None:
                self.position.at(self.end())
        except MultiverseError as error:
            raise IllegalAction(f"{self.named.text}: {error}", options=legal) from None
        if piece is None:
            raise IllegalAction(f"there is no piece on {begin}", options=legal)
        if piece.army not in self.march.armies:
            rule = self.state.find("turn.sequence").rule
            said = f"the piece on {begin} is of army {piece.army}, not {listed(self.march.armies, 'or')}"
            raise IllegalAction(said, rule=rule, options=legal)
        return piece

    def begin(self) -> str:
        return self.squares()[0]

    def end(self) -> str:
        return self.squares()[-1]

    def squares(self) -> list[str]:
        """Return the squares of the move, with their boards."""
        named = self.named
        if named.near is None:
            return [one.strip() for one in named.text.partition("=")[0].split("-")]
        others = tuple(one for one in self.boards if one != named.near)
        push = push_of(self.law, self.state, chess_of(self.law, self.state, self.army, (named.near, *others)),
                       self.army, (named.near, *others))  # fmt: skip
        found = re.findall(r"[a-p]\d{1,2}", named.text)
        return [_local(push, one) for one in found]

    def say_of_drop(self) -> NoReturn:
        """Refuse a drop."""
        begin, end = self.squares()[0], self.end()
        army, _, letter = begin.partition(".@")
        legal = [
            str(one) for one in self.on_boards(self.options) or self.options if one.said.partition("-")[0] == begin
        ]
        held = hand_in_words(self.state, army)
        id = in_hand(self.state, army).get(letter.upper())
        if army not in self.march.armies or id is None:
            said = f"{army} has {held or 'nothing'} in hand"
            raise IllegalAction(f"{self.named.text}: {said}", options=[str(one) for one in self.options])
        self.army = army
        try:
            square = self.position.square(end)
            there = self.position.at(end)
        except MultiverseError as error:
            raise IllegalAction(f"{self.named.text}: {error}", options=legal) from None
        if there is not None:
            raise IllegalAction(f"{self.named.text}: {end} is not empty", options=legal)
        pairs = [way.push.boards for way in ways(self.state) if square[0] in way.push.boards]
        found: list[tuple[int, str, Number | None]] = []
        for boards in [self.boards] if self.boards else pairs:
            push = push_of(self.law, self.state, chess_of(self.law, self.state, army, boards), army, boards)
            if square in push.drops():
                found.append(self.forbidden(drop(self.state, push, id, square), boards))
            else:
                said = f"{self.named.text} would leave the king of {army} in check on {' and '.join(boards)}"
                found.append((0, said, self.rule("check.own_on_push", boards, army=army)))
        _, said, rule = min(found, key=lambda one: one[0], default=(0, f"{self.named.text} is not a legal move", None))
        raise IllegalAction(said, rule=rule, options=legal)

    # ------------------------------------------------------------------------------------- the reasons

    def reasons(self, piece: Piece) -> Iterator[tuple[int, str, Number | None]]:
        """Yield what stands against the move on each pair of boards, and how much it says: the least number, most."""
        there = {self.position.square(one)[0] for one in (self.begin(), self.end())}
        pairs = [way.push.boards for way in ways(self.state) if there <= set(way.push.boards)]
        for boards in [self.boards] if self.boards else pairs:
            yield self.reason(piece, boards)

    def reason(self, piece: Piece, boards: tuple[str, ...]) -> tuple[int, str, Number | None]:
        chess = chess_of(self.law, self.state, self.army, boards)
        push = push_of(self.law, self.state, chess, self.army, boards)
        one = self.same(push)
        if one is not None:
            return self.forbidden(one, boards)
        free = replace(chess, terms=replace(chess.terms, check=False))
        one = self.same(push_of(self.law, self.state, free, self.army, boards))
        where = " and ".join(boards)
        if one is not None:
            said = f"{self.named.text} would leave the king of {self.army} in check on {where}"
            if push.checkers():
                said = f"{self.named.text}: the king of {self.army} is in check on {where}, and this does not parry it"
            if one.partner is not None:
                said = f"{self.named.text}: the king of {self.army} does not castle out of check, through it or into it"
            return 0, said, self.rule("check.own_on_push", boards, army=self.army)
        return self.movement(piece, push, where)

    def same(self, push: Push) -> BoardMove | None:
        named = self.named._replace(boards=frozenset(push.boards))
        return next((one for one in push.moves() if is_named(Option(push, one), named)), None)

    def rule(self, key: str, boards: tuple[str, ...], **case: Ref | str) -> Number | None:
        return self.state.find(key, push=boards, **case).rule

    def forbidden(self, one: BoardMove, boards: tuple[str, ...]) -> tuple[int, str, Number | None]:
        """Return which rule forbids a move that is one of chess."""
        reach, royals = reach_of(self.state, self.army, boards), self.state.find("royal.capture", push=boards)
        if reach.value == "none":
            return 2, f"{' and '.join(boards)} cannot be pushed together now", reach.rule
        if reach.value == "staying" and not stays(self.march, one):
            said = "a half-board that was pushed already is only borrowed, and the piece stays on its own"
            return 1, f"{one.text}: {said}", reach.rule
        chess = chess_of(self.law, self.state, self.army, boards)
        if royals.value == "never" and any(chess.royal(self.position.pieces[id]) for id in one.taken):
            return 0, f"{one.text}: a royal piece cannot be captured", royals.rule
        case = case_of_move(self.player, one, self.position)
        finding: Finding = self.state.find("may.move", **case)
        if finding.value is not False and not is_forced(self.state, one):
            forced = self.state.find("move.forced", **case).rule
            return 0, f"{one.text}: another move has to be made first", forced
        words = f": {finding.sources[0].clause.words}" if finding.sources else ""
        return 0, f"{one.text} is not allowed{words}", finding.rule

    def movement(self, piece: Piece, push: Push, where: str) -> tuple[int, str, Number | None]:
        """Return the rule on how the piece moves, or on what it captures."""
        kinds = [move.promotion for move in push.moves() if move.text.partition("=")[0] == self.named.text]
        if kinds:
            said = ", ".join(f"={kind.upper()}" for kind in kinds)
            rule = self.rule("promotion.mandatory", push.boards)
            return (
                0,
                f"{self.named.text}: the {name_of_kind(piece.kind)} becomes another piece there; write {said} after it",
                rule,
            )
        end = self.end()
        other = self.position.at(end)
        case = {"army": self.army}
        if other is not None and other.army == self.army:
            said = f"{self.named.text}: a {name_of_kind(other.kind)} of its own army stands on {end}"
            return 3, said, self.state.find("piece.moves", **case_of(piece, push.boards, self.position)).rule
        captures = self.state.find("capture.from", push=push.boards, **case)
        if other is not None and Ref("army", other.army) not in cast("tuple[Ref, ...]", captures.value or ()):
            return 2, f"{self.named.text}: no piece of {other.army} is captured by {self.army}", captures.rule
        said = f"{self.named.text}: the {name_of_kind(piece.kind)} does not move like this on {where}"
        return 3, said, self.state.find("piece.moves", **case_of(piece, push.boards, self.position)).rule


def _local(push: Push, square: str) -> str:
    geometry: Geometry = push.geometry
    board, local = push.origin[geometry.square(square)]
    return push.state.name(board, local)
