"""Why a move cannot be made: how players name one, by which rule it is refused, and what can be made instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple, NoReturn, TypeAlias, cast

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.geometry import joined
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.play.boards import March, multiverse_of
from nomic_nb.chess.play.captures import blows_up_its_king, drop, hand_in_words, in_hand
from nomic_nb.chess.play.events import ONLY_PUSHED
from nomic_nb.chess.play.functions import case_of, push_of
from nomic_nb.chess.play.legal import Option, case_of_move, is_forced, stays, takes_royal, ways
from nomic_nb.chess.play.records import ids_in, march_at_hand, name_of_kind
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.permissions import refuse
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import listed

#: Characters that a move may have.
LONGEST_MOVE = 200
#: How players write moves.
HOW_WRITTEN = (
    "A move is written with the boards of its squares, such as {board}.e2-{board}.e4, with =Q after it where a pawn "
    "becomes a queen; castling is the move of the king, such as {board}.e1-{board}.g1"
)
HOW_DROPPED = "; a knight of white is dropped from the hand by white.@N-white.c3"
_TEXT = re.compile(r"[^\s.=-]+\.(@[a-z]|[a-p]\d{1,2})(-[^\s.=-]+\.[a-p]\d{1,2})+(=[A-Za-z])?", re.IGNORECASE)
_UCI = re.compile(r"([a-p]\d{1,2})([a-p]\d{1,2})([a-z]?)")


class Named(NamedTuple):
    """A move as a player named it: the boards, where it begins, and its text or its UCI."""

    boards: frozenset[str]
    text: str
    near: str | None


def how_written(state: State) -> str:
    """Say how players write moves: drops as well, once something is in a hand."""
    written = HOW_WRITTEN.format(board=next(iter(multiverse_of(state).boards), "white"))
    return written + HOW_DROPPED if any(state.hands.values()) else written


def read_move(state: State, player: str, text: str, push: list[str] | None) -> Named:
    """Read a move: ``white+yellow: white.e2-white.e4``, the same with the boards apart, or UCI with boards.

    Raises
    ------
    IllegalAction
        It is not written like a move, or there are no such boards.
    """
    if not text.strip() or len(text) > LONGEST_MOVE:
        refuse(f"{text[:40]!r} is not a move. {how_written(state)}", only=player)
    position = multiverse_of(state)
    boards, colon, said = _before_squares(text, position)
    before = [one.strip() for one in boards.split("+")] if colon else []
    names = list(push) if push else before
    for name in (*before, *names):
        if not isinstance(name, str) or name not in position.boards:
            refuse(f"there is no board {str(name)[:40]!r}; there are {', '.join(position.boards)}", only=player)
    if before and set(before) != set(names):
        two = f"{'+'.join(before)} and {'+'.join(names)}"
        refuse(f"{text[:80]!r} names other boards than those to be pushed: {two}", only=player)
    if len(set(names)) != len(names):
        rule = state.find("move.boards_joined", army=next(iter(position.armies))).rule
        refuse(f"{names[0]} cannot be pushed together with itself", rule, only=player)
    said = said.strip()
    uci = _UCI.fullmatch(said.lower())
    if not (uci or _TEXT.fullmatch(said) or said.casefold() == ONLY_PUSHED):
        refuse(f"{said[:40]!r} is not a move. {how_written(state)}", only=player)
    if uci and not names:
        refuse(f"{said} needs the boards that it is played on. {how_written(state)}", only=player)
    return Named(frozenset(names), uci[0] if uci else said, names[0] if uci else None)


def _before_squares(text: str, position: Multiverse) -> tuple[str, str, str]:
    """Return the boards that stand before a move, and the move; the name of a board may itself have a colon."""
    if any(text.casefold().startswith(f"{name}.".casefold()) for name in (*position.boards, *position.armies)):
        return "", "", text
    boards, colon, said = text.rpartition(": ")
    if not colon:
        boards, colon, said = text.rpartition(":")
    whole = _TEXT.fullmatch(text.strip()) and not any(one.strip() in position.boards for one in boards.split("+"))
    return ("", "", text) if whole else (boards, colon, said)


def is_named(option: Option, named: Named) -> bool:
    """Tell whether a move is the one that a player named."""
    if named.boards and named.boards != frozenset(option.push.boards):
        return False
    if named.near is None:
        # Where it goes from one board to another, it says by itself which boards it needs.
        said = named.boards or (option.move is not None and option.move.origin[0] != option.move.target[0])
        return bool(said) and option.said.casefold() == named.text.casefold()
    if option.move is None or option.move.dropped:
        return False
    return option.uci == named.text if option.push.boards[0] == named.near else _turned(option) == named.text


def _turned(option: Option) -> str:
    """Return the move on the joined board as the owner of the second half-board sees it."""
    push, move = option.push, cast(BoardMove, option.move)
    first, second = (push.state.boards[name].geometry for name in push.boards)
    geometry, near, far = joined(second, first, push.state.join)
    places = dict(zip(push.boards, (far, near), strict=True))
    squares = [places[board][square] for board, square in option.ends]
    return "".join(geometry.name(one) for one in squares) + move.promotion


def refuse_move(state: State, named: Named, options: tuple[Option, ...]) -> NoReturn:
    """Refuse a move that is none of those that can be made.

    Raises
    ------
    IllegalAction
        Always: with what stands against it, the rule, and the moves that can be made instead.
    """
    _Refusal(state, named, options).say()


#: How much is said by what stands against a move, the least number most; what it is, and by which rule.
Reason: TypeAlias = tuple[int, str, Number | None]


class _Refusal:
    def __init__(self, state: State, named: Named, options: tuple[Option, ...]) -> None:
        self.state, self.named, self.text = state, named, named.text
        self.position = multiverse_of(state)
        self.march = cast(March, march_at_hand(state))  # a move is owed
        self.army = self.march.armies[0]
        self.boards = tuple(name for name in self.position.boards if name in named.boards)
        self.options = options
        #: What can be made instead.
        self.legal = self.on_boards(options) or options

    def stop(self, said: str, rule: Number | None = None, options: Iterable[object] | None = None) -> NoReturn:
        raise IllegalAction(said, rule=rule, options=[str(one) for one in (self.legal if options is None else options)])

    def say(self) -> NoReturn:
        if self.boards:
            self.check_boards(self.boards)
        if "@" in self.text:
            self.say_of_drop()
        piece = self.find_piece()
        self.army = piece.army
        own = tuple(one for one in self.options if one.move is not None and one.move.piece == piece.id)
        self.legal = self.on_boards(own) or own or self.legal
        found = [self.reason(piece, boards) for boards in self.tried(self.ends)]
        if not found:
            self.check_universe()
            self.stop(f"{self.text} is not a legal move")
        _, said, rule = min(found, key=lambda one: one[0])
        if not own and self.options:
            said += f"; the {name_of_kind(piece.kind)} has no move now"
        self.stop(said, rule)

    def on_boards(self, options: tuple[Option, ...]) -> tuple[Option, ...]:
        return tuple(one for one in options if self.named.boards == frozenset(one.push.boards))

    def tried(self, there: set[str]) -> list[tuple[str, ...]]:
        """Return the boards that are named, or else those that can be pushed together and have all of these."""
        pairs = (way.push.boards for way in ways(self.state))
        return [self.boards] if self.boards else [one for one in pairs if there <= set(one)]

    def push(self, boards: tuple[str, ...], *, check: bool = True) -> Push:
        return push_of(self.state.law, self.state, self.army, boards, check=check)

    def check_boards(self, boards: tuple[str, ...]) -> None:
        """Refuse boards that are not pushed together, whatever would be moved on them."""
        pairs = sorted({one.boards for one in self.options})
        halves = [self.position.boards[one].half for one in boards]
        if any(halves):  # of whole boards the key says nothing, and a table that has no other is not asked for it
            found = self.state.find("move.boards_joined", army=self.army)
            wanted = self.state.law.settled(found)
            if not all(halves) or len(boards) not in wanted:
                either = "one half-board is pushed by itself, or two are pushed together"
                one_way = {(1,): "one half-board is pushed by itself", (2,): "two half-boards are pushed together"}
                words = one_way.get(wanted, either)
                self.stop(f"{words} for a move, not {' and '.join(boards)}", found.rule, pairs)
        self.check_reach(boards, pairs)

    def check_reach(self, boards: tuple[str, ...], options: Iterable[object] | None = None) -> None:
        reach = self.state.find("move.on_push", army=self.army, push=boards)
        if reach.value == "none" or len(self.march.pushes) >= self.state.read("move.count", army=self.army):
            said = f"{' and '.join(boards)} cannot be pushed together now"
            if len(boards) == 1:
                again = self.march.pushed(boards[0]) and not self.position.boards[boards[0]].half
                how, when = ("a move was made", "in this turn") if again else ("no move is made", "now")
                said = f"{how} on {boards[0]} {when}"
            self.stop(said, reach.rule, options)

    def check_universe(self) -> None:
        """Refuse a move on a universe, which says by itself where it is made, where none is made there now."""
        there, _ = self.position.square(self.squares[0])
        if not self.position.boards[there].half:
            self.check_reach((there,))

    def find_piece(self) -> Piece:
        """Return the piece that is to move."""
        try:
            begin = self.squares[0]
            piece = self.position.at(begin)
            if piece is not None:
                self.position.at(self.squares[-1])
        except MultiverseError as error:
            self.stop(f"{self.text}: {error}")
        if piece is None:
            self.check_universe()
            self.stop(f"there is no piece on {begin}")
        if piece.army not in self.march.armies:
            said = f"the piece on {begin} is of army {piece.army}, not {listed(self.march.armies, 'or')}"
            self.stop(said, self.state.find("turn.sequence").rule)
        return piece

    @cached_property
    def squares(self) -> list[str]:
        """The squares of the move, with their boards."""
        near = self.named.near
        if near is None:
            return [self.spelt(one.strip()) for one in self.text.partition("=")[0].split("-")]
        push = self.push((near, *(one for one in self.boards if one != near)))
        there = (push.origin[push.geometry.square(one)] for one in re.findall(r"[a-p]\d{1,2}", self.text))
        return [self.position.name(*one) for one in there]

    def spelt(self, square: str) -> str:
        """Return a square as it is called: in what is refused, as in what can be made, capitals do not count."""
        board, dot, name = square.rpartition(".")
        called = (one for one in self.position.boards if one.casefold() == board.casefold())
        return square if name.startswith("@") else f"{next(called, board)}{dot}{name.lower()}"

    @property
    def ends(self) -> set[str]:
        """The boards on which it begins and ends."""
        return {self.position.square(self.squares[at])[0] for at in (0, -1)}

    def say_of_drop(self) -> NoReturn:
        """Refuse a drop."""
        begin, end = self.squares[0], self.squares[-1]
        army, _, letter = begin.partition(".@")
        id = in_hand(self.state, army).get(letter.upper())
        if army not in self.march.armies or id is None:
            said = f"{army} has {hand_in_words(self.state, army) or 'nothing'} in hand"
            self.stop(f"{self.text}: {said}", options=self.options)
        self.army, self.legal = army, tuple(one for one in self.legal if one.said.partition("-")[0] == begin)
        try:
            square = self.position.square(end)
        except MultiverseError as error:
            self.stop(f"{self.text}: {error}")
        if self.position.at(end) is not None:
            self.stop(f"{self.text}: {end} is not empty")
        found: list[Reason] = []
        for boards in self.tried({square[0]}):
            push = self.push(boards)
            if square in push.drops():
                found.append(self.forbidden(drop(self.state, push, id, square), boards))
            else:
                said = f"{self.text} would leave the king of {army} in check on {' and '.join(boards)}"
                found.append((0, said, self.rule("check.own_on_push", boards)))
        _, said, rule = min(found, key=lambda one: one[0], default=(0, f"{self.text} is not a legal move", None))
        self.stop(said, rule)

    # ------------------------------------------------------------------------------------- the reasons

    def reason(self, piece: Piece, boards: tuple[str, ...]) -> Reason:
        """Return what stands against the move on boards."""
        push = self.push(boards)
        one = self.same(push)
        if one is not None:
            return self.forbidden(one, boards)
        one = self.same(self.push(boards, check=False))
        if one is None:
            return self.movement(piece, push)
        king, where = f"the king of {self.army}", " and ".join(boards)
        said = f"{self.text} would leave {king} in check on {where}"
        if push.checkers():
            said = f"{self.text}: {king} is in check on {where}, and this does not parry it"
        if one.taken and blows_up_its_king(self.state.law, self.state, push.law, one):
            said = f"{self.text} would blow up {king}"
        if one.partner is not None:
            said = f"{self.text}: {king} does not castle out of check, through it or into it"
        return 0, said, self.rule("check.own_on_push", boards)

    def same(self, push: Push) -> BoardMove | None:
        named = self.named._replace(boards=frozenset(push.boards))
        return next((one for one in push.moves() if is_named(Option(push, one), named)), None)

    def rule(self, key: str, boards: tuple[str, ...]) -> Number | None:
        return self.state.find(key, push=boards, army=self.army).rule

    def forbidden(self, one: BoardMove, boards: tuple[str, ...]) -> Reason:
        """Return which rule forbids a move that is one of chess."""
        reach = self.state.find("move.on_push", army=self.army, push=boards)
        royals = self.state.find("royal.capture", push=boards)
        if reach.value == "none":
            return 2, f"{' and '.join(boards)} cannot be pushed together now", reach.rule
        if reach.value == "staying" and not stays(self.march, one):
            said = "a half-board that was pushed already is only borrowed, and the piece stays on its own"
            return 1, f"{one.text}: {said}", reach.rule
        if royals.value == "never" and takes_royal(self.push(boards), one):
            return 0, f"{one.text}: a royal piece cannot be captured", royals.rule
        case = case_of_move(self.state, one)
        finding = self.state.find("may.move", **case)
        if finding.value is not False and not is_forced(self.state, one):
            forced = self.state.find("move.forced", **case).rule
            return 0, f"{one.text}: another move has to be made first", forced
        words = f": {finding.sources[0].clause.words}" if finding.sources else ""
        return 0, f"{one.text} is not allowed{words}", finding.rule

    def movement(self, piece: Piece, push: Push) -> Reason:
        """Return the rule on how the piece moves, or on what it captures."""
        kind, end = name_of_kind(piece.kind), self.squares[-1]
        kinds = [move.promotion for move in push.moves() if move.text.partition("=")[0] == self.text]
        if kinds:
            letters = ", ".join(f"={one.upper()}" for one in kinds)
            said = f"the {kind} becomes another piece there; write {letters} after it"
            return 0, f"{self.text}: {said}", self.state.find("promotion.mandatory", push=push.boards).rule
        other = self.position.at(end)
        captures = self.state.find("capture.from", push=push.boards, army=self.army)
        said = f"{self.for_people(push)}the {kind} does not move like this on {' and '.join(push.boards)}"
        if other is not None and other.army == self.army:
            said = f"a {name_of_kind(other.kind)} of its own army stands on {end}"
        elif other is not None and other.army not in ids_in(captures.value, "army"):
            return 2, f"{self.text}: no piece of {other.army} is captured by {self.army}", captures.rule
        how = self.state.find("piece.moves", **case_of(piece, push.boards, self.position))
        return 3, f"{self.text}: {said}", how.rule

    def for_people(self, push: Push) -> str:
        """Name the rules made in play, but for repeals, that have no clauses: they may say otherwise."""
        proposals, bare = self.state.proposals, list[str]()
        for one in self.state.rules:
            if one.how == "initial" or one.clauses or not any(one.speaks_in(board) for board in push.boards):
                continue
            made = proposals.get(one.number)
            if made is None or any(part.kind != "repeal" for part in made.change.each):
                bare.append(str(one.number))
        return f"it is for people to apply {listed(bare)}, without clauses; by the other rules " if bare else ""
