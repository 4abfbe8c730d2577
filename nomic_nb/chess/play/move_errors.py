"""Why a move cannot be made: how players name one, by which rule it is refused, and what can be made instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple, NoReturn, TypeAlias, cast

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.geometry import join_boards
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece, empty_square_error
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.play.boards import TurnMoves, multiverse_of
from nomic_nb.chess.play.captures import blows_up_its_king, describe_hand, drop_as_written, kinds_in_hand
from nomic_nb.chess.play.events import PUSH_ONLY
from nomic_nb.chess.play.functions import movement_case, push_under_law
from nomic_nb.chess.play.legal import MoveOption, is_forced, is_on_one_board, move_case, push_options, takes_royal
from nomic_nb.chess.play.records import board_ids, current_moves, kind_name
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.permissions import refuse
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import join_words

#: Characters that a move may have.
LONGEST_MOVE = 200
#: How players write moves.
HOW_WRITTEN = (
    "A move is written with the boards of its squares, such as {board}.e2-{board}.e4, with =Q after it where a pawn "
    "becomes a queen; castling is the move of the king, such as {board}.e1-{board}.g1"
)
HOW_DROPPED = "; a knight of white is dropped from the hand by white.@N-white.c3"
_MOVE_TEXT = re.compile(r"[^\s.=-]+\.(@[a-z]|[a-p]\d{1,2})(-[^\s.=-]+\.[a-p]\d{1,2})+(=[A-Za-z])?", re.IGNORECASE)
_UCI = re.compile(r"([a-p]\d{1,2})([a-p]\d{1,2})([a-z]?)")


class NamedMove(NamedTuple):
    """A move as a player named it: the boards, where it begins, and its text or its UCI."""

    boards: frozenset[str]
    text: str
    near: str | None


def describe_notation(state: State) -> str:
    """Say how players write moves: drops as well, once something is in a hand."""
    written = HOW_WRITTEN.format(board=next(iter(multiverse_of(state).boards), "white"))
    return written + HOW_DROPPED if any(state.hands.values()) else written


def read_move(state: State, player: str, text: str, push: list[str] | None) -> NamedMove:
    """Read a move: ``white+yellow: white.e2-white.e4``, the same with the boards apart, or UCI with boards.

    Raises
    ------
    IllegalAction
        It is not written like a move, or there are no such boards.
    """
    if not text.strip() or len(text) > LONGEST_MOVE:
        refuse(_unreadable_move(state, text), only=player)
    position = multiverse_of(state)
    boards, colon, squares = _split_boards(text, position)
    before = [one.strip() for one in boards.split("+")] if colon else []
    names = list(push) if push else before
    for name in (*before, *names):
        if not isinstance(name, str) or name not in position.boards:
            refuse(unknown_board_error(str(name), position), only=player)
    if before and set(before) != set(names):
        two = f"{'+'.join(before)} and {'+'.join(names)}"
        refuse(
            say(
                "move-names-other-boards",
                "{move!r} names other boards than those to be pushed: {boards}",
                move=text[:80],
                boards=two,
            ),
            only=player,
        )
    if len(set(names)) != len(names):
        rule = state.find("move.boards_joined", army=next(iter(position.armies))).rule
        said = say("board-pushed-with-itself", "{board} cannot be pushed together with itself", board=names[0])
        refuse(said, rule, only=player)
    move = squares.strip()
    uci = _UCI.fullmatch(move.lower())
    if not (uci or _MOVE_TEXT.fullmatch(move) or move.casefold() == PUSH_ONLY):
        refuse(_unreadable_move(state, move), only=player)
    if uci and not names:
        refuse(
            say(
                "move-needs-boards",
                "{move} needs the boards that it is played on. {how}",
                move=move,
                how=describe_notation(state),
            ),
            only=player,
        )
    return NamedMove(frozenset(names), uci[0] if uci else move, names[0] if uci else None)


def _unreadable_move(state: State, text: str) -> Message:
    return say("not-a-move", "{move!r} is not a move. {how}", move=text[:40], how=describe_notation(state))


def unknown_board_error(name: str, position: Multiverse) -> Message:
    """Return what is said of a board that there is not."""
    boards = ", ".join(position.boards)
    return say("board-not-there", "there is no board {board!r}; there are {boards}", board=name[:40], boards=boards)


def _split_boards(text: str, position: Multiverse) -> tuple[str, str, str]:
    """Return the boards that stand before a move, and the move; the name of a board may itself have a colon."""
    if any(text.casefold().startswith(f"{name}.".casefold()) for name in (*position.boards, *position.armies)):
        return "", "", text
    boards, colon, said = text.rpartition(": ")
    if not colon:
        boards, colon, said = text.rpartition(":")
    whole = _MOVE_TEXT.fullmatch(text.strip()) and not any(one.strip() in position.boards for one in boards.split("+"))
    return ("", "", text) if whole else (boards, colon, said)


def is_named(option: MoveOption, named: NamedMove) -> bool:
    """Tell whether a move is the one that a player named."""
    if named.boards and named.boards != frozenset(option.push.boards):
        return False
    if named.near is None:
        # Where it goes from one board to another, it says by itself which boards it needs.
        said = named.boards or (option.move is not None and option.move.origin[0] != option.move.target[0])
        return bool(said) and option.said.casefold() == named.text.casefold()
    if option.move is None or option.move.dropped:
        return False
    return option.uci == named.text if option.push.boards[0] == named.near else _as_second_player(option) == named.text


def _as_second_player(option: MoveOption) -> str:
    """Return the move on the joined board as the owner of the second half-board sees it."""
    push, move = option.push, cast(BoardMove, option.move)
    first, second = (push.state.boards[name].geometry for name in push.boards)
    geometry, near, far = join_boards(second, first, push.state.join)
    places = dict(zip(push.boards, (far, near), strict=True))
    squares = [places[board][square] for board, square in option.ends]
    return "".join(geometry.name(one) for one in squares) + move.promotion


def refuse_move(state: State, named: NamedMove, options: tuple[MoveOption, ...]) -> NoReturn:
    """Refuse a move that is none of those that can be made.

    Raises
    ------
    IllegalAction
        Always: with what stands against it, the rule, and the moves that can be made instead.
    """
    _MoveRefusal(state, named, options).say()


#: How much is said by what stands against a move, the least number most; what it is, and by which rule.
RefusalReason: TypeAlias = tuple[int, Message, Number | None]


class _MoveRefusal:
    def __init__(self, state: State, named: NamedMove, options: tuple[MoveOption, ...]) -> None:
        self.state, self.named, self.text = state, named, named.text
        self.position = multiverse_of(state)
        self.march = cast(TurnMoves, current_moves(state))  # a move is owed
        self.army = self.march.armies[0]
        self.boards = tuple(name for name in self.position.boards if name in named.boards)
        self.options = options
        #: What can be made instead.
        self.legal = self.on_boards(options) or options

    def give_reason(
        self, said: Message, rule: Number | None = None, options: Iterable[object] | None = None
    ) -> NoReturn:
        raise IllegalAction(said, rule=rule, options=[str(one) for one in (self.legal if options is None else options)])

    def say(self) -> NoReturn:
        if self.boards:
            self.check_boards(self.boards)
        if "@" in self.text:
            self.refuse_drop()
        piece = self.find_piece()
        self.army = piece.army
        own = tuple(one for one in self.options if one.move is not None and one.move.piece == piece.id)
        self.legal = self.on_boards(own) or own or self.legal
        found = [self.reason(piece, boards) for boards in self.tried(self.ends)]
        if not found:
            self.check_universe()
            self.give_reason(self.illegal_message)
        _, said, rule = min(found, key=lambda one: one[0])
        if not own and self.options:
            said = said.within("{message}; the {kind} has no move now", kind=kind_name(piece.kind))
        self.give_reason(said, rule)

    @property
    def illegal_message(self) -> Message:
        return say("move-not-legal", "{move} is not a legal move", move=self.text)

    def on_boards(self, options: tuple[MoveOption, ...]) -> tuple[MoveOption, ...]:
        return tuple(one for one in options if self.named.boards == frozenset(one.push.boards))

    def tried(self, there: set[str]) -> list[tuple[str, ...]]:
        """Return the boards that are named, or else those that can be pushed together and have all of these."""
        pairs = (way.push.boards for way in push_options(self.state))
        return [self.boards] if self.boards else [one for one in pairs if there <= set(one)]

    def push(self, boards: tuple[str, ...], *, check: bool = True) -> Push:
        return push_under_law(self.state.law, self.state, self.army, boards, check=check)

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
                said = say(
                    "boards-not-pushed-like-this",
                    "{boards_joined} for a move, not {boards}",
                    boards_joined=words,
                    boards=" and ".join(boards),
                )
                self.give_reason(said, found.rule, pairs)
        self.check_reach(boards, pairs)

    def check_reach(self, boards: tuple[str, ...], options: Iterable[object] | None = None) -> None:
        reach = self.state.find("move.on_push", army=self.army, push=boards)
        if reach.value == "none" or len(self.march.pushes) >= self.state.read("move.count", army=self.army):
            said = self.refuse_for_now(boards)
            if len(boards) == 1:
                again = self.march.pushed(boards[0]) and not self.position.boards[boards[0]].half
                said = (
                    say("board-moved-on-already", "a move was made on {board} in this turn", board=boards[0])
                    if again
                    else say("board-not-moved-on-now", "no move is made on {board} now", board=boards[0])
                )
            self.give_reason(said, reach.rule, options)

    @staticmethod
    def refuse_for_now(boards: tuple[str, ...]) -> Message:
        return say("boards-not-pushed-now", "{boards} cannot be pushed together now", boards=" and ".join(boards))

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
            self.give_reason(self.refuse_move_text(error.said))
        if piece is None:
            self.check_universe()
            self.give_reason(empty_square_error(begin))
        if piece.army not in self.march.armies:
            said = say(
                "piece-of-another-army",
                "the piece on {square} is of army {army}, not {armies}",
                square=begin,
                army=piece.army,
                armies=join_words(self.march.armies, "or"),
            )
            self.give_reason(said, self.state.find("turn.sequence").rule)
        return piece

    def refuse_move_text(self, said: Message) -> Message:
        return said.within("{move}: {message}", move=self.text)

    @cached_property
    def squares(self) -> list[str]:
        """The squares of the move, with their boards."""
        near = self.named.near
        if near is None:
            return [self.square_name(one.strip()) for one in self.text.partition("=")[0].split("-")]
        push = self.push((near, *(one for one in self.boards if one != near)))
        there = (push.origin[push.geometry.square(one)] for one in re.findall(r"[a-p]\d{1,2}", self.text))
        return [self.position.name(*one) for one in there]

    def square_name(self, square: str) -> str:
        """Return a square as it is called: in what is refused, as in what can be made, capitals do not count."""
        board, dot, name = square.rpartition(".")
        called = (one for one in self.position.boards if one.casefold() == board.casefold())
        return square if name.startswith("@") else f"{next(called, board)}{dot}{name.lower()}"

    @property
    def ends(self) -> set[str]:
        """The boards on which it begins and ends."""
        return {self.position.square(self.squares[at])[0] for at in (0, -1)}

    def refuse_drop(self) -> NoReturn:
        """Refuse a drop."""
        begin, end = self.squares[0], self.squares[-1]
        army, _, letter = begin.partition(".@")
        id = kinds_in_hand(self.state, army).get(letter.upper())
        if army not in self.march.armies or id is None:
            said = say(
                "piece-not-in-hand",
                "{move}: {army} has {hand} in hand",
                move=self.text,
                army=army,
                hand=describe_hand(self.state, army) or "nothing",
            )
            self.give_reason(said, options=self.options)
        self.army, self.legal = army, tuple(one for one in self.legal if one.said.partition("-")[0] == begin)
        try:
            square = self.position.square(end)
        except MultiverseError as error:
            self.give_reason(self.refuse_move_text(error.said))
        if self.position.at(end) is not None:
            self.give_reason(say("drop-on-a-piece", "{move}: {square} is not empty", move=self.text, square=end))
        found: list[RefusalReason] = []
        for boards in self.tried({square[0]}):
            push = self.push(boards)
            if square in push.drops():
                found.append(self.forbidden(drop_as_written(self.state, push, id, square), boards))
            else:
                found.append((0, self.check_own_king(boards), self.rule("check.own_on_push", boards)))
        _, said, rule = min(found, key=lambda one: one[0], default=(0, self.illegal_message, None))
        self.give_reason(said, rule)

    # ------------------------------------------------------------------------------------- the reasons

    def reason(self, piece: Piece, boards: tuple[str, ...]) -> RefusalReason:
        """Return what stands against the move on boards."""
        push = self.push(boards)
        one = self.same(push)
        if one is not None:
            return self.forbidden(one, boards)
        one = self.same(self.push(boards, check=False))
        if one is None:
            return self.movement(piece, push)
        said, move, army = self.check_own_king(boards), self.text, self.army
        if push.checkers():
            said = say(
                "move-does-not-parry-check",
                "{move}: the king of {army} is in check on {boards}, and this does not parry it",
                move=move,
                army=army,
                boards=" and ".join(boards),
            )
        if one.taken and blows_up_its_king(self.state.law, self.state, push.law, one):
            said = say("move-blows-up-own-king", "{move} would blow up the king of {army}", move=move, army=army)
        if one.partner is not None:
            said = say(
                "castling-while-in-check",
                "{move}: the king of {army} does not castle out of check, through it or into it",
                move=move,
                army=army,
            )
        return 0, said, self.rule("check.own_on_push", boards)

    def check_own_king(self, boards: tuple[str, ...]) -> Message:
        return say(
            "move-leaves-king-in-check",
            "{move} would leave the king of {army} in check on {boards}",
            move=self.text,
            army=self.army,
            boards=" and ".join(boards),
        )

    def same(self, push: Push) -> BoardMove | None:
        named = self.named._replace(boards=frozenset(push.boards))
        return next((one for one in push.moves() if is_named(MoveOption(push, one), named)), None)

    def rule(self, key: str, boards: tuple[str, ...]) -> Number | None:
        return self.state.find(key, push=boards, army=self.army).rule

    def forbidden(self, one: BoardMove, boards: tuple[str, ...]) -> RefusalReason:
        """Return which rule forbids a move that is one of chess."""
        reach = self.state.find("move.on_push", army=self.army, push=boards)
        royals = self.state.find("royal.capture", push=boards)
        if reach.value == "none":
            return 2, self.refuse_for_now(boards), reach.rule
        if reach.value == "staying" and not is_on_one_board(self.march, one):
            return (
                1,
                say(
                    "piece-leaves-own-half-board",
                    "{move}: a half-board that was pushed already is only borrowed, and the piece stays on its own",
                    move=one.text,
                ),
                reach.rule,
            )
        if royals.value == "never" and takes_royal(self.push(boards), one):
            return 0, say("move-captures-royal", "{move}: a royal piece cannot be captured", move=one.text), royals.rule
        case = move_case(self.state, one)
        finding = self.state.find("may.move", **case)
        if finding.value is not False and not is_forced(self.state, one):
            forced = self.state.find("move.forced", **case).rule
            return 0, say("other-move-forced", "{move}: another move has to be made first", move=one.text), forced
        words = f": {finding.sources[0].clause.words}" if finding.sources else ""
        return 0, say("move-forbidden", "{move} is not allowed{clause}", move=one.text, clause=words), finding.rule

    def movement(self, piece: Piece, push: Push) -> RefusalReason:
        """Return the rule on how the piece moves, or on what it captures."""
        kind, end = kind_name(piece.kind), self.squares[-1]
        kinds = [move.promotion for move in push.moves() if move.text.partition("=")[0] == self.text]
        if kinds:
            letters = ", ".join(f"={one.upper()}" for one in kinds)
            said = say(
                "move-needs-promotion",
                "{move}: the {kind} becomes another piece there; write {letters} after it",
                move=self.text,
                kind=kind,
                letters=letters,
            )
            return 0, said, self.state.find("promotion.mandatory", push=push.boards).rule
        other = self.position.at(end)
        captures = self.state.find("capture.from", push=push.boards, army=self.army)
        said = say(
            "piece-does-not-move-so",
            "{move}: {by_people}the {kind} does not move like this on {boards}",
            move=self.text,
            by_people=self.describe_people_rules(push),
            kind=kind,
            boards=" and ".join(push.boards),
        )
        if other is not None and other.army == self.army:
            said = say(
                "own-piece-stands-there",
                "{move}: a {kind} of its own army stands on {square}",
                move=self.text,
                kind=kind_name(other.kind),
                square=end,
            )
        elif other is not None and other.army not in board_ids(captures.value, "army"):
            said = say(
                "army-not-captured",
                "{move}: no piece of {army} is captured by {by}",
                move=self.text,
                army=other.army,
                by=self.army,
            )
            return 2, said, captures.rule
        how = self.state.find("piece.moves", **movement_case(piece, push.boards, self.position))
        return 3, said, how.rule

    def describe_people_rules(self, push: Push) -> str:
        """Name the rules made in play, but for repeals, that have no clauses: they may say otherwise."""
        proposals, bare = self.state.proposals, list[str]()
        for one in self.state.rules:
            if one.how == "initial" or one.clauses or not any(one.applies_in(board) for board in push.boards):
                continue
            made = proposals.get(one.number)
            if made is None or any(part.kind != "repeal" for part in made.change.each):
                bare.append(str(one.number))
        return f"it is for people to apply {join_words(bare)}, without clauses; by the other rules " if bare else ""
