"""Why a move cannot be made: how players name one, by which rule it is refused, and what can be made instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple, NoReturn, TypeAlias, cast

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.geometry import join_boards
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, BoardNames, Piece, empty_square_message
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.play.boards import TurnMoves, multiverse_of
from nomic_nb.chess.play.captures import blows_up_own_king, describe_hand, kinds_in_hand, make_drop_move
from nomic_nb.chess.play.events import PUSH_ONLY
from nomic_nb.chess.play.functions import movement_case, push_under_law
from nomic_nb.chess.play.legal import (
    MoveOption,
    captures_royal,
    is_forced,
    move_case,
    push_options,
    stays_on_unpushed_board,
)
from nomic_nb.chess.play.records import current_turn_moves, kind_name, referenced_ids
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
    "Write the board with each square, such as {board}.e2-{board}.e4. Add =Q if a pawn becomes a queen. To castle, "
    "move the king, such as {board}.e1-{board}.g1"
)
HOW_DROPPED = ". To drop a knight that army white has in hand, write white.@N-white.c3"
_MOVE_TEXT = re.compile(r"[^\s.=-]+\.(@[a-z]|[a-p]\d{1,2})(-[^\s.=-]+\.[a-p]\d{1,2})+(=[A-Za-z])?", re.IGNORECASE)
_UCI = re.compile(r"([a-p]\d{1,2})([a-p]\d{1,2})([a-z]?)")


class NamedMove(NamedTuple):
    """A move as a player named it: its boards, its text or UCI, and the first board of a UCI move."""

    boards: frozenset[str]
    text: str
    near: str | None


def describe_notation(state: State) -> str:
    """Return a sentence on how players write moves, and drops if a piece is in a hand."""
    written = HOW_WRITTEN.format(board=next(iter(multiverse_of(state).boards), "white"))
    return written + HOW_DROPPED if any(state.hands.values()) else written


def read_move(state: State, player: str, text: str, push: list[str] | None) -> NamedMove:
    """Parse a move that a player typed, in board notation or UCI; `push` are boards given apart from it.

    Raises
    ------
    IllegalAction
        It is not written like a move, or there are no such boards.
    """
    if not text.strip() or len(text) > LONGEST_MOVE:
        refuse(_unreadable_move_message(state, text), only=player)
    position = multiverse_of(state)
    boards, colon, squares = _split_boards(text, position)
    before = [board.strip() for board in boards.split("+")] if colon else []
    names = list(push) if push else before
    for name in (*before, *names):
        if not isinstance(name, str) or name not in position.boards:
            refuse(unknown_board_message(str(name), position), only=player)
    if before and set(before) != set(names):
        two = f"{'+'.join(before)} and {'+'.join(names)}"
        refuse(
            say(
                "move-names-other-boards",
                "{move!r} names boards that don’t match the ones to push: {boards}",
                move=text[:80],
                boards=two,
            ),
            only=player,
        )
    if len(set(names)) != len(names):
        rule = state.find("move.boards_joined", army=next(iter(position.armies))).rule
        message = say("board-pushed-with-itself", "{board} can’t be pushed together with itself", board=names[0])
        refuse(message, rule, only=player)
    move = squares.strip()
    uci = _UCI.fullmatch(move.lower())
    if not (uci or _MOVE_TEXT.fullmatch(move) or move.casefold() == PUSH_ONLY):
        refuse(_unreadable_move_message(state, move), only=player)
    if uci and not names:
        refuse(
            say(
                "move-needs-boards",
                "say which boards {move} is played on. {how}",
                move=move,
                how=describe_notation(state),
            ),
            only=player,
        )
    return NamedMove(frozenset(names), uci[0] if uci else move, names[0] if uci else None)


def _unreadable_move_message(state: State, text: str) -> Message:
    """Return the message that a text is not a move, and how moves are written."""
    return say("not-a-move", "{move!r} isn’t a move. {how}", move=text[:40], how=describe_notation(state))


def unknown_board_message(name: str, position: Multiverse) -> Message:
    """Return the message that there is no board of this name."""
    boards = ", ".join(position.boards)
    return say("board-not-there", "no board is called {board!r}. Choose from {boards}", board=name[:40], boards=boards)


def _split_boards(text: str, position: Multiverse) -> tuple[str, str, str]:
    """Return a typed move as (boards in front, colon, the move itself); the first two are empty if none exist."""
    if any(text.casefold().startswith(f"{name}.".casefold()) for name in (*position.boards, *position.armies)):
        return "", "", text
    boards, colon, sentence = text.rpartition(": ")
    if not colon:
        boards, colon, sentence = text.rpartition(":")
    whole = _MOVE_TEXT.fullmatch(text.strip()) and not any(
        board.strip() in position.boards for board in boards.split("+")
    )
    return ("", "", text) if whole else (boards, colon, sentence)


def matches_named_move(option: MoveOption, named: NamedMove) -> bool:
    """Tell whether an option is the move that a player named."""
    if named.boards and named.boards != frozenset(option.push.boards):
        return False
    if named.near is None:
        # Where it goes from one board to another, it says by itself which boards it needs.
        tells_boards = named.boards or (option.move is not None and option.move.origin[0] != option.move.target[0])
        return bool(tells_boards) and option.said.casefold() == named.text.casefold()
    if option.move is None or option.move.dropped:
        return False
    return (
        option.uci == named.text
        if option.push.boards[0] == named.near
        else _uci_from_second_board(option) == named.text
    )


def _uci_from_second_board(option: MoveOption) -> str:
    """Return a move in UCI as the owner of the second half-board sees it."""
    push, move = option.push, cast(BoardMove, option.move)
    first, second = (push.state.boards[name].geometry for name in push.boards)
    geometry, near, far = join_boards(second, first, push.state.join)
    places = dict(zip(push.boards, (far, near), strict=True))
    squares = [places[board][square] for board, square in option.ends]
    return "".join(geometry.name(square) for square in squares) + move.promotion


def refuse_move(state: State, named: NamedMove, options: tuple[MoveOption, ...]) -> NoReturn:
    """Refuse a move that cannot be made, with the reason and the moves that can be made.

    Raises
    ------
    IllegalAction
        Always: with what stands against it, the rule, and the moves that can be made instead.
    """
    _MoveRefusal(state, named, options).raise_best_reason()


#: How much is said by what stands against a move, the least number most; what it is, and by which rule.
RefusalReason: TypeAlias = tuple[int, Message, Number | None]


class _MoveRefusal:
    """Finder of the reason for which a named move is refused."""

    def __init__(self, state: State, named: NamedMove, options: tuple[MoveOption, ...]) -> None:
        self.state, self.named, self.text = state, named, named.text
        self.position = multiverse_of(state)
        self.march = cast(TurnMoves, current_turn_moves(state))  # a move is owed
        self.army = self.march.armies[0]
        self.boards = tuple(name for name in self.position.boards if name in named.boards)
        self.options = options
        #: What can be made instead.
        self.legal = self.options_on_named_boards(options) or options

    def raise_refusal(
        self, message: Message, rule: Number | None = None, options: Iterable[object] | None = None
    ) -> NoReturn:
        """Raise the refusal of the move, with its rule and `options` (or else the legal moves) to make instead."""
        raise IllegalAction(
            message, rule=rule, options=[str(option) for option in (self.legal if options is None else options)]
        )

    def raise_best_reason(self) -> NoReturn:
        """Raise the refusal of the move with its most telling reason."""
        if self.boards:
            self.check_boards(self.boards)
        if "@" in self.text:
            self.refuse_drop()
        piece = self.piece_to_move()
        self.army = piece.army
        own = tuple(option for option in self.options if option.move is not None and option.move.piece == piece.id)
        self.legal = self.options_on_named_boards(own) or own or self.legal
        reasons = [self.reason(piece, boards) for boards in self.candidate_boards(self.end_boards)]
        if not reasons:
            self.check_universe()
            self.raise_refusal(self.illegal_message)
        _, message, rule = min(reasons, key=lambda reason: reason[0])
        if not own and self.options:
            message = message.embed_in("{message}, and the {kind} has no legal move now", kind=kind_name(piece.kind))
        self.raise_refusal(message, rule)

    @property
    def illegal_message(self) -> Message:
        """The message that the move is not legal."""
        return say("move-not-legal", "{move} isn’t a legal move", move=self.text)

    def options_on_named_boards(self, options: tuple[MoveOption, ...]) -> tuple[MoveOption, ...]:
        """Return the options on exactly the boards that the player named."""
        return tuple(option for option in options if self.named.boards == frozenset(option.push.boards))

    def candidate_boards(self, needed: set[str]) -> list[BoardNames]:
        """Return the boards that the player named, or else all sets of boards open now that include `needed`."""
        pairs = (way.push.boards for way in push_options(self.state))
        return [self.boards] if self.boards else [pair for pair in pairs if needed <= set(pair)]

    def push(self, boards: BoardNames, *, check: bool = True) -> Push:
        """Return boards pushed together for the army under the law, ignoring its own check unless `check`."""
        return push_under_law(self.state.law, self.state, self.army, boards, check=check)

    def check_boards(self, boards: BoardNames) -> None:
        """Raise the refusal if these boards cannot be pushed together, whatever the move."""
        pairs = sorted({option.boards for option in self.options})
        halves = [self.position.boards[board].half for board in boards]
        if any(halves):  # of whole boards the key says nothing, and a table that has no other is not asked for it
            finding = self.state.find("move.boards_joined", army=self.army)
            wanted = self.state.law.value_or_undecided(finding)
            if not all(halves) or len(boards) not in wanted:
                either = "push one half-board by itself, or two together"
                one_way = {(1,): "push one half-board by itself", (2,): "push two half-boards together"}
                words = one_way.get(wanted, either)
                message = say(
                    "boards-not-pushed-like-this",
                    "to move, {boards_joined}, not {boards}",
                    boards_joined=words,
                    boards=" and ".join(boards),
                )
                self.raise_refusal(message, finding.rule, pairs)
        self.check_boards_open_now(boards, pairs)

    def check_boards_open_now(self, boards: BoardNames, options: Iterable[object] | None = None) -> None:
        """Raise the refusal if the army can make no move on these boards now; `options` are offered instead."""
        reach = self.state.find("move.on_push", army=self.army, push=boards)
        if reach.value == "none" or len(self.march.pushes) >= self.state.read("move.count", army=self.army):
            message = self.not_pushed_now_message(boards)
            if len(boards) == 1:
                again = self.march.pushed(boards[0]) and not self.position.boards[boards[0]].half
                message = (
                    say("board-moved-on-already", "a move has already been made on {board} this turn", board=boards[0])
                    if again
                    else say("board-not-moved-on-now", "no move can be made on {board} now", board=boards[0])
                )
            self.raise_refusal(message, reach.rule, options)

    @staticmethod
    def not_pushed_now_message(boards: BoardNames) -> Message:
        """Return the message that boards cannot be pushed together now."""
        return say("boards-not-pushed-now", "{boards} can’t be pushed together now", boards=" and ".join(boards))

    def check_universe(self) -> None:
        """Raise the refusal if the move begins on a universe on which no move can be made now."""
        there, _ = self.position.square(self.squares[0])
        if not self.position.boards[there].half:
            self.check_boards_open_now((there,))

    def piece_to_move(self) -> Piece:
        """Return the piece that is to move, or raise the refusal if there is no such piece."""
        try:
            begin = self.squares[0]
            piece = self.position.at(begin)
            if piece is not None:
                self.position.at(self.squares[-1])
        except MultiverseError as error:
            self.raise_refusal(self.message_about_move(error.said))
        if piece is None:
            self.check_universe()
            self.raise_refusal(empty_square_message(begin))
        if piece.army not in self.march.armies:
            message = say(
                "piece-of-another-army",
                "the piece on {square} belongs to army {army}, not {armies}",
                square=begin,
                army=piece.army,
                armies=join_words(self.march.armies, "or"),
            )
            self.raise_refusal(message, self.state.find("turn.sequence").rule)
        return piece

    def message_about_move(self, message: Message) -> Message:
        """Return a message with the text of the move in front of it."""
        return message.embed_in("{move}: {message}", move=self.text)

    @cached_property
    def squares(self) -> list[str]:
        """The names of the move's squares, with their boards."""
        near = self.named.near
        if near is None:
            return [self.square_name(square.strip()) for square in self.text.partition("=")[0].split("-")]
        push = self.push((near, *(board for board in self.boards if board != near)))
        there = (push.origin[push.geometry.square(square)] for square in re.findall(r"[a-p]\d{1,2}", self.text))
        return [self.position.name(*place) for place in there]

    def square_name(self, square: str) -> str:
        """Return a typed square with the name of its board spelled, in upper and lower case, as in the game."""
        board, dot, name = square.rpartition(".")
        called = (known_board for known_board in self.position.boards if known_board.casefold() == board.casefold())
        return square if name.startswith("@") else f"{next(called, board)}{dot}{name.lower()}"

    @property
    def end_boards(self) -> set[str]:
        """The names of the boards on which the move begins and ends."""
        return {self.position.square(self.squares[at])[0] for at in (0, -1)}

    def refuse_drop(self) -> NoReturn:
        """Raise the refusal of a drop from the hand, with the most telling reason."""
        begin, end = self.squares[0], self.squares[-1]
        army, _, letter = begin.partition(".@")
        id = kinds_in_hand(self.state, army).get(letter.upper())
        if army not in self.march.armies or id is None:
            message = say(
                "piece-not-in-hand",
                "{move}: that piece isn’t in hand. In hand, {army} has {hand}",
                move=self.text,
                army=army,
                hand=describe_hand(self.state, army) or "nothing",
            )
            self.raise_refusal(message, options=self.options)
        self.army, self.legal = army, tuple(option for option in self.legal if option.said.partition("-")[0] == begin)
        try:
            square = self.position.square(end)
        except MultiverseError as error:
            self.raise_refusal(self.message_about_move(error.said))
        if self.position.at(end) is not None:
            self.raise_refusal(
                say(
                    "drop-on-a-piece",
                    "{move}: {square} is occupied, so nothing can be dropped there",
                    move=self.text,
                    square=end,
                )
            )
        reasons = []
        for boards in self.candidate_boards({square[0]}):
            push = self.push(boards)
            if square in push.drops():
                reasons.append(self.forbidden_reason(make_drop_move(self.state, push, id, square), boards))
            else:
                reasons.append(
                    (0, self.own_king_in_check_message(boards), self.rule_number("check.own_on_push", boards))
                )
        _, message, rule = min(reasons, key=lambda reason: reason[0], default=(0, self.illegal_message, None))
        self.raise_refusal(message, rule)

    # ------------------------------------------------------------------------------------- the reasons

    def reason(self, piece: Piece, boards: BoardNames) -> RefusalReason:
        """Return why the move cannot be made on these boards: (rank, 0 first; message; rule number)."""
        push = self.push(boards)
        board_move = self.find_same_move(push)
        if board_move is not None:
            return self.forbidden_reason(board_move, boards)
        board_move = self.find_same_move(self.push(boards, check=False))
        if board_move is None:
            return self.movement_reason(piece, push)
        message, move, army = self.own_king_in_check_message(boards), self.text, self.army
        if push.checkers():
            message = say(
                "move-does-not-parry-check",
                "{move}: {army}’s king is in check on {boards}, and this move leaves it in check",
                move=move,
                army=army,
                boards=" and ".join(boards),
            )
        if board_move.taken and blows_up_own_king(self.state.law, self.state, push.law, board_move):
            message = say("move-blows-up-own-king", "{move} would blow up {army}’s own king", move=move, army=army)
        if board_move.partner is not None:
            message = say(
                "castling-while-in-check",
                "{move}: {army}’s king can’t castle out of, through or into check",
                move=move,
                army=army,
            )
        return 0, message, self.rule_number("check.own_on_push", boards)

    def own_king_in_check_message(self, boards: BoardNames) -> Message:
        """Return the message that the move would leave the army's own king in check."""
        return say(
            "move-leaves-king-in-check",
            "{move} would leave {army}’s king in check on {boards}",
            move=self.text,
            army=self.army,
            boards=" and ".join(boards),
        )

    def find_same_move(self, push: Push) -> BoardMove | None:
        """Return the move of a push that is the one named by the player; None if it has no such move."""
        named = self.named._replace(boards=frozenset(push.boards))
        return next((move for move in push.moves() if matches_named_move(MoveOption(push, move), named)), None)

    def rule_number(self, key: str, boards: BoardNames) -> Number | None:
        """Return the number of the rule that answers a key for the army on these boards; None if none does."""
        return self.state.find(key, push=boards, army=self.army).rule

    def forbidden_reason(self, move: BoardMove, boards: BoardNames) -> RefusalReason:
        """Return why a move that chess allows is forbidden: (rank, 0 first; message; rule number)."""
        reach = self.state.find("move.on_push", army=self.army, push=boards)
        royals = self.state.find("royal.capture", push=boards)
        if reach.value == "none":
            return 2, self.not_pushed_now_message(boards), reach.rule
        if reach.value == "staying" and not stays_on_unpushed_board(self.march, move):
            return (
                1,
                say(
                    "piece-leaves-own-half-board",
                    "{move}: here, pieces may move only within a half-board that has not been pushed yet this turn",
                    move=move.text,
                ),
                reach.rule,
            )
        if royals.value == "never" and captures_royal(self.push(boards), move):
            return (
                0,
                say("move-captures-royal", "{move}: a royal piece can’t be captured", move=move.text),
                royals.rule,
            )
        case = move_case(self.state, move)
        finding = self.state.find("may.move", **case)
        if finding.value is not False and not is_forced(self.state, move):
            forced = self.state.find("move.forced", **case).rule
            return (
                0,
                say("other-move-forced", "{move}: a forced move must be made first", move=move.text),
                forced,
            )
        words = f": {finding.sources[0].clause.words}" if finding.sources else ""
        return 0, say("move-forbidden", "{move} isn’t allowed{clause}", move=move.text, clause=words), finding.rule

    def movement_reason(self, piece: Piece, push: Push) -> RefusalReason:
        """Return why the piece does not move or capture so: (rank, 0 first; message; rule number)."""
        kind, end = kind_name(piece.kind), self.squares[-1]
        kinds = [move.promotion for move in push.moves() if move.text.partition("=")[0] == self.text]
        if kinds:
            letters = ", ".join(f"={promotion.upper()}" for promotion in kinds)
            message = say(
                "move-needs-promotion",
                "{move}: the {kind} becomes another piece there. Add one of these to the move: {letters}",
                move=self.text,
                kind=kind,
                letters=letters,
            )
            return 0, message, self.state.find("promotion.mandatory", push=push.boards).rule
        other = self.position.at(end)
        captures = self.state.find("capture.from", push=push.boards, army=self.army)
        message = say(
            "piece-does-not-move-so",
            "{move}: {by_people}the {kind} can’t move like this on {boards}",
            move=self.text,
            by_people=self.rules_applied_by_people(push),
            kind=kind,
            boards=" and ".join(push.boards),
        )
        if other is not None and other.army == self.army:
            message = say(
                "own-piece-stands-there",
                "{move}: {square} is occupied by a {kind} of the same army",
                move=self.text,
                kind=kind_name(other.kind),
                square=end,
            )
        elif other is not None and other.army not in referenced_ids(captures.value, "army"):
            message = say(
                "army-not-captured",
                "{move}: {by} can’t capture {army}’s pieces",
                move=self.text,
                army=other.army,
                by=self.army,
            )
            return 2, message, captures.rule
        how = self.state.find("piece.moves", **movement_case(piece, push.boards, self.position))
        return 3, message, how.rule

    def rules_applied_by_people(self, push: Push) -> str:
        """Return a phrase that names rules which people apply, as they have no clauses; empty if none exist."""
        proposals, bare = self.state.proposals, list[str]()
        for rule in self.state.rules:
            if rule.how == "initial" or rule.clauses or not any(rule.applies_in(board) for board in push.boards):
                continue
            proposal = proposals.get(rule.number)
            if proposal is None or any(part.kind != "repeal" for part in proposal.change.single_rule_changes):
                bare.append(str(rule.number))
        rules = f"{'rule' if len(bare) == 1 else 'rules'} {join_words(bare)}"
        return f"players apply {rules} themselves, without clauses. By the other rules, " if bare else ""
