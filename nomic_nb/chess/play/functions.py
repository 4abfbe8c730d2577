"""Functions of the law on boards, armies, pieces and squares: what there is, where pieces go, and what they attack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from operator import ne
from typing import Any, cast

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import COLOURS, LIVERIES, BoardNames, Piece
from nomic_nb.chess.multiverse.pushes import Exposes, Push
from nomic_nb.chess.multiverse.rules import ORTHODOX, Terms
from nomic_nb.chess.multiverse.rules import Law as Chess
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.captures import own_king_exposure_test
from nomic_nb.chess.play.records import (
    ARMIES,
    ARMY,
    BOARD,
    KIND_TYPE,
    PIECE,
    PIECES,
    PLAYER,
    PLAYERS,
    SQUARE,
    SQUARES,
    TERMS,
    armies_of,
    current_boards,
    find_army,
    find_board,
    find_piece,
    find_square,
    function,
    is_royal,
    pieces_by_square,
    pieces_of_army,
    referenced_ids,
    royals_among,
)
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import NUMBER, TEXT, ThingRef, Type, Value, optional_type, value_as_expression
from nomic_nb.engine.law.vocabulary import Fact
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.declarations import declare_fact
from nomic_nb.engine.play.state import State, state_of

# --------------------------------------------------------------------------- the terms of chess that the law holds


#: Names of a case that tell single pieces apart.
SINGLE_CASE_NAMES = frozenset({"piece", "square", "board"})
#: The terms of the law on which it depends how pieces move.
_MOVEMENT_KEYS = tuple(sorted(set(TERMS).difference(("capture.from", "check.from")).union(("check.own_on_push",))))


def _answer_for_army(law: Law, state: State, key: str, army: str, boards: BoardNames) -> Any:
    """Return the law's value for a key such as ``check.own_on_push``, asked for an army on boards."""
    case: dict[str, Value] = {"army": army, "push": boards}
    return _settle_for_army(law, law.find(key, state, case), case, army)


def armies_named_by_key(law: Law, state: State, key: str, army: str, boards: BoardNames) -> tuple[str, ...]:
    """Return the armies that the law lists under a key, such as those an army may capture on boards."""
    return referenced_ids(_answer_for_army(law, state, key, army, boards), "army")


def chess_terms(law: Law, state: State, army: str, boards: BoardNames) -> Terms:
    """Return the terms of chess (castling, promotion …) that the law sets for an army on boards.

    Raises
    ------
    Undecided
        The law does not say, or what it says cannot be.
    """

    def read(key: str) -> Any:
        return law.answer(key, state, {"push": boards})

    def kinds(key: str) -> str:
        return "".join(dict.fromkeys("".join(read(key)).lower()))

    try:
        return Terms(
            castling=read("castling.on"),
            castling_rook=kinds("castling.partners"),
            promotion=kinds("promotion.kinds"),
            promotion_ranks=read("promotion.ranks") or None,
            promotion_mandatory=read("promotion.mandatory"),
            initial_ranks=read("pawn.double_step_ranks"),
            en_passant=read("passant.on"),
            pawns=kinds("pawn.kinds"),
            royal=kinds("royal.kinds"),
            kings="all",
            check=_answer_for_army(law, state, "check.own_on_push", army, boards) == "must parry",
        )
    except MultiverseError as error:
        raise Undecided(error.said) from None


def movement_case(piece: Piece, boards: BoardNames, position: Multiverse | None) -> dict[str, Value]:
    """Return the facts for asking the law how a piece moves; without `position`, how its kind moves in its army."""
    of_kind: dict[str, Value] = {"army": piece.army, "kind": piece.kind.upper(), "push": boards}
    if position is None:
        return of_kind
    square = position.name(*piece.place)
    return {**of_kind, "piece": piece.id, "square": square, "board": piece.board}


def tells_pieces_apart(law: Law) -> bool:
    """Tell whether the law can move two pieces of one kind and army differently on the same boards."""
    looked_at = law.dependence.case_names_read("piece.moves")
    return law.has_ruling_on("piece.moves") or not SINGLE_CASE_NAMES.isdisjoint(looked_at)


def movement_notation(law: Law, state: State, piece: Piece, boards: BoardNames) -> str:
    """Return how a piece moves on boards by law, in Betza notation.

    Raises
    ------
    Undecided
        The law does not say.
    """
    kind = piece.kind.upper()
    case = movement_case(piece, boards, multiverse_of(state) if tells_pieces_apart(law) else None)
    finding = law.find("piece.moves", state, case)
    when = f'kind == "{kind}"'  # or the answer would hold for other kinds that are as open
    if finding.outcome == "silent":
        usual = (f'"{ORTHODOX[piece.kind]}"',) if piece.kind in ORTHODOX else ()
        about, when = _question_subject(finding, piece.army, kind, when)
        raise Undecided(
            "no-rule-says-how-a-kind-moves",
            "no rule says how {about} moves",
            about=about,
            finding=_finding_with_case(finding, case, when),
            when=when,
            options=usual,
        )
    return str(_settle_for_army(law, finding, case, piece.army, kind, when))


def _finding_with_case(finding: Finding, case: Mapping[str, Value], when: str) -> Finding:
    """Return a finding with its facts and condition (`when`), so that people are asked about this case alone."""
    return replace(finding, case=tuple(case.items()), when=when)


def _question_subject(finding: Finding, army: str, kind: str, when: str) -> tuple[str, str]:
    """Return what a question on movement is about (“N”, “white” or “N of white”), and its case as a condition.

    Each army may be open in a way of its own.
    """
    if not any(name == "army" for name, _ in finding.facts):
        return kind, when
    case = f"army == {value_as_expression(ThingRef('army', army))}"
    return (f"{kind} of {army}" if kind else army), f"{when} and {case}" if when else case


def _settle_for_army(
    law: Law, finding: Finding, case: Mapping[str, Value], army: str, kind: str = "", when: str = ""
) -> Any:
    """Return the value that the law's finding has for an army, or raise the question that it leaves open.

    ``kind`` and ``when`` say what the question is about: a kind of piece, and the case as a condition.

    Raises
    ------
    Undecided
        The law does not say.
    """
    if finding.answered or finding.outcome == "depends":
        return law.value_or_undecided(finding)
    about, when = ("", "") if finding.root is not None else _question_subject(finding, army, kind, when)
    if not about:
        return law.value_or_undecided(_finding_with_case(finding, case, when))
    sentence = str(finding).split("\n", 1)[0]
    raise Undecided(
        say("law-open-about-an-army", "for {about}, {finding}", about=about, finding=sentence),
        finding=_finding_with_case(finding, case, when),
        when=when,
    )


def movement_rules(law: Law, state: State, army: str, boards: BoardNames, *, check: bool = True) -> Chess:
    """Return the movements and terms of chess for an army on boards by law, without own check unless `check`.

    Raises
    ------
    Undecided
        The law does not say.
    """
    position, each = multiverse_of(state), tells_pieces_apart(law)
    pieces = [piece for board in boards for piece in position.standing[board].values()]

    def find() -> Chess:
        by_army: dict[str, dict[str, str]] = {name: {} for name in position.armies}
        apart = {}
        for piece in pieces:
            kinds = by_army[piece.army]
            if piece.kind not in kinds:
                kinds[piece.kind] = movement_notation(law, state, piece, boards)
            elif each and (own := movement_notation(law, state, piece, boards)) != kinds[piece.kind]:
                apart[piece.id] = own
        terms = chess_terms(law, state, army, boards)
        return Chess({}, by_army, terms if check else replace(terms, check=False), apart)

    if each:
        return find()
    # Where pieces stand makes no difference, so the rules are the same after most moves.
    kinds = frozenset([(piece.army, piece.kind) for piece in pieces])
    what = "movement", army, boards, check, tuple(position.armies), kinds
    return cast(Chess, law.find_with_memory(what, _fields_of_movement(law), state, (0, "piece.moves"), find))


@lru_cache(maxsize=16)
def _fields_of_movement(law: Law) -> frozenset[str]:
    """Return the fields of the state on which the movements and terms of chess depend."""
    return frozenset(chain.from_iterable(map(law.dependence.fields_read, _MOVEMENT_KEYS)))


#: The last boards pushed together for each army, as most moves change no more on them than pieces; at most so many.
_LAST_PUSHES: dict[tuple[str, BoardNames, bool], Push] = {}
MOST_LAST_PUSHES = 64


def make_push(
    position: Multiverse, chess: Chess, army: str, boards: BoardNames, captures: tuple[str, ...],
    checks: tuple[str, ...], exposes: Exposes | None = None,
) -> Push:  # fmt: skip
    """Return boards pushed together, as `Push` makes them, from the last such boards where it can."""
    at = army, boards, chess.terms.check
    known = _LAST_PUSHES.get(at)
    again = known.made_again(position, captures, checks, exposes) if known is not None and known.law is chess else None
    if len(_LAST_PUSHES) >= MOST_LAST_PUSHES:
        _LAST_PUSHES.clear()
    _LAST_PUSHES[at] = push = again or Push(
        position, chess, army, boards, captures=captures, checks=checks, exposes=exposes
    )
    return push


def push_under_law(law: Law, state: State, army: str, boards: BoardNames, *, check: bool = True) -> Push:
    """Return boards pushed together for an army under the law, ignoring check to its own king unless `check`.

    Raises
    ------
    Undecided
        The law does not say, or what it says cannot be.
    """
    chess = movement_rules(law, state, army, boards, check=check)
    captures = armies_named_by_key(law, state, "capture.from", army, boards)
    checks = armies_named_by_key(law, state, "check.from", army, boards)
    position, exposes = multiverse_of(state), own_king_exposure_test(law, state, chess, boards, checks)
    try:
        return make_push(position, chess, army, boards, captures, checks, exposes)
    except MultiverseError as error:
        raise Undecided(error.said) from None


# ---------------------------------------------------------------------------------- functions of the law on boards


_BOARD_FIELDS = ("position",)
#: The terms of the law that are looked up for what pieces attack.
_READ_KEYS = tuple(sorted(set(_MOVEMENT_KEYS).union(("capture.from",))))
_of_boards = partial(function, reads=_BOARD_FIELDS)


@_of_boards(
    "the armies that a player controls",
    PLAYER,
    gives=ARMIES,
    traits="alike steady settled pieces",
)
def _armies_of(view: View, player: str) -> tuple[str, ...]:
    return armies_of(state_of(view), player)


@function("an army, or armies, as a list", Type("any"), gives=ARMIES, reads=(), traits="alike settled")
def _armies_in(_: View, armies: Value) -> Value:
    return referenced_ids(armies, "army")


@function(
    "these players in the order of the armies they control",
    PLAYERS,
    gives=PLAYERS,
    reads=("position", "players"),
    traits="alike settled",
)
def _in_batting_order(view: View, players: list[str]) -> Iterator[str]:
    state = state_of(view)
    order = dict.fromkeys([*(army.controller for army in multiverse_of(state).armies.values()), *state.players])
    return (name for name in order if name in players)


@_of_boards("an army's royal pieces", ARMY, gives=PIECES, keys=("royal.kinds",), traits="alike")
def _kings_of(view: View, army: str) -> list[int]:
    return [id for id in pieces_of_army(view, army) if is_royal(view, current_boards(view).pieces[id])]


def _pieces_controlled(view: View, player: str) -> list[Piece]:
    """Return a player's pieces: those on the boards of all armies that the player controls."""
    own = current_boards(view).own
    return [piece for army in _armies_of(view, player) for piece in own[army]]


@_of_boards("a player's pieces on the boards", PLAYER, gives=PIECES, traits="alike steady pieces")
def _pieces_of(view: View, player: str) -> list[int]:
    return sorted(piece.id for piece in _pieces_controlled(view, player))


@_of_boards("a player's royal pieces", PLAYER, gives=PIECES, keys=("royal.kinds",), traits="alike")
def _royals_of(view: View, player: str) -> Value:
    return royals_among(view, _pieces_controlled(view, player))


def promotion_ladder(view: View) -> tuple[str, ...]:
    """Return the kinds of pieces on the promotion ladder, the lowest first."""
    return cast("tuple[str, ...]", view.value_of_key("ladder.kinds"))


def _pieces_on_ladder(view: View, player: str, above: int) -> list[int]:
    """Return the numbers of a player's non-royal pieces with at least `above` higher kinds on the ladder."""
    if not _armies_of(view, player):
        return []
    kinds = promotion_ladder(view)
    able = kinds[: len(kinds) - above]
    return sorted(
        piece.id
        for piece in _pieces_controlled(view, player)
        if piece.kind.upper() in able and not is_royal(view, piece)
    )


_on_the_ladder = partial(
    _of_boards, gives=PIECES, keys=("ladder.kinds", "royal.kinds"),
    traits="alike steady pieces commoners",
)  # fmt: skip


@_on_the_ladder("a player's pieces that can go up the ladder", PLAYER)
def _promotable(view: View, player: str) -> list[int]:
    return _pieces_on_ladder(view, player, 1)


@_on_the_ladder("a player's pieces that can go down the ladder", PLAYER)
def _demotable(view: View, player: str) -> list[int]:
    return _pieces_on_ladder(view, player, 0)


@function("who gets an army when it is mated", ARMY, gives=PLAYER, reads=("mated",))
def _captor(view: View, army: str) -> str:
    captor = state_of(view).mated.get(army)
    if captor is None:
        raise Undecided("army-not-mated", "this army isn’t mated")
    return captor


def _first_unused_army_name(view: View, names: Iterable[str]) -> str:
    """Return the first of these names that no army has."""
    armies = multiverse_of(state_of(view)).armies
    for name in names:
        if name not in armies:
            return name
    raise Undecided("no-colours-left", "no colour is left for another army")


@_of_boards("the name of the next army: a colour that no army has yet", gives=TEXT)
def _next_colour(view: View) -> str:
    return _first_unused_army_name(view, LIVERIES)


@_of_boards(
    "the name of the next army in the colour at this place, 1 for the first: white, white2, white3", NUMBER, gives=TEXT
)
def _next_mark(view: View, place: Value) -> str:
    if not isinstance(place, int) or not 1 <= place <= len(COLOURS):
        raise Undecided(
            "no-such-place-among-colours",
            "a colour’s place must be a whole number from 1 to {most}",
            most=len(COLOURS),
        )
    return _first_unused_army_name(
        view, (name for name, (colour, _) in LIVERIES.items() if colour == COLOURS[place - 1])
    )


@_of_boards("the pieces on a rank of a board", BOARD, NUMBER, gives=PIECES, traits="naming")
def _pieces_on_rank(view: View, board: str, rank: Value) -> list[int]:
    files = find_board(view, board).geometry.files
    if not isinstance(rank, int):
        raise Undecided("rank-not-whole-number", "a rank must be a whole number")
    return [piece.id for square, piece in pieces_by_square(view, board) if square // files + 1 == rank]


@_of_boards(
    "the empty squares of a board",
    BOARD,
    gives=SQUARES,
    traits="alike place",
)
def _empty_squares(view: View, board: str) -> list[str]:
    position, squares = current_boards(view), find_board(view, board).geometry.squares
    return [position.name(board, at) for at in squares if at not in position.standing[board]]


@_of_boards(
    "the square on a file and a rank of a board, both counted from 1; none if there is no such square",
    BOARD, NUMBER, NUMBER, gives=optional_type(SQUARE), traits="naming place",
)  # fmt: skip
def _square_at(view: View, board: str, file: Value, rank: Value) -> str | None:
    shape = find_board(view, board).geometry
    if not isinstance(file, int) or not isinstance(rank, int):
        raise Undecided("files-or-ranks-not-whole-numbers", "files and ranks must be whole numbers")
    at = (rank - 1) * shape.files + file - 1
    if not (1 <= file <= shape.files and 1 <= rank <= shape.ranks) or at in shape.holes:
        return None
    return current_boards(view).name(board, at)


@_of_boards("the squares around a square, on the same board", SQUARE, gives=SQUARES, traits="alike moved place")
def _neighbours(view: View, square: str) -> list[str]:
    position = current_boards(view)
    board, at = find_square(position, square)
    around = position.boards[board].geometry.around(at)
    return [position.name(board, neighbour) for neighbour in sorted(around) if neighbour != at]


@_of_boards("the army with this name", TEXT, gives=ARMY, traits="naming settled")
def _army_named(view: View, name: Value) -> str:
    return find_army(view, name).name


@_of_boards("the board with this name", TEXT, gives=BOARD, traits="naming settled")
def _board_named(view: View, name: Value) -> str:
    return find_board(view, name).name


@_of_boards("the square with this name, such as white.e4", TEXT, gives=SQUARE, traits="naming steady settled")
def _square_named(view: View, name: Value) -> str:
    position = current_boards(view)
    return position.name(*find_square(position, name))


FACTS = (
    Fact("royals", PIECES, "the royal pieces on the boards", _BOARD_FIELDS,
         lambda view: royals_among(view, current_boards(view).pieces.values()), keys=("royal.kinds",),
         traits="alike steady pieces"),
    declare_fact("squares", SQUARES, "all squares, board by board", lambda state: [
        state.position.name(name, at)
        for name, board in multiverse_of(state).boards.items() for at in board.geometry.squares
    ], reads=_BOARD_FIELDS, traits="alike place"),
)  # fmt: skip

# --------------------------------------------------------------------------- where pieces go, what they attack

#: Steps that it is worth to set up boards for an army, and for each piece on them.
BOARDS_COST, PIECE_COST = 40, 4


def _played_boards(view: View, board: str) -> BoardNames:
    """Return the boards being played on if this board is one of them; else this board alone."""
    names = referenced_ids(view.env.get("push"), "board")
    return names if board in names else (board,)


def _circularity_message(what: str) -> Message:
    """Return the message that `what`, such as a key of the law, depends on itself."""
    return say("depends-on-itself", "{what} depends on itself", what=what)


def _push_without_own_check(view: View, army: str, boards: BoardNames, checks: Iterable[str] | None = None) -> Push:
    """Return boards pushed together for an army, ignoring check to its king; armies in `checks`, if given, check."""
    open_ones = [key for key in _READ_KEYS if key in view.open_keys]
    if open_ones:
        raise Undecided(_circularity_message(open_ones[0]))
    state, position = state_of(view), current_boards(view)
    view.spend_steps(BOARDS_COST + PIECE_COST * len(position.pieces))
    law = cast(Law, view.law)
    chess = movement_rules(law, state, army, boards, check=False)
    captures = referenced_ids(law.answer("capture.from", state, {"army": army, "push": boards}), "army")
    try:
        return Push(position, chess, army, boards, captures=captures, checks=checks)
    except MultiverseError as error:
        raise Undecided(error.said) from None


@function(
    "the squares that a piece could move to, on the boards being played on or otherwise on its own board, no "
    "matter whose turn it is and whether kings are safe",
    PIECE, gives=SQUARES, reads=_BOARD_FIELDS, keys=_READ_KEYS, traits="alike",
)  # fmt: skip
def _reach(view: View, piece: int) -> list[str]:
    position, moving_piece = current_boards(view), find_piece(state_of(view), piece)
    if moving_piece.id not in position.pieces:
        raise Undecided("piece-not-on-boards", "this piece isn’t on any board")
    push = _push_without_own_check(view, moving_piece.army, _played_boards(view, moving_piece.board))
    return [
        position.name(*at) for at in sorted({move.target for move in push.moves() if move.piece == moving_piece.id})
    ]


@_of_boards(
    "the pieces of any army that could capture on a square, including those that guard their own army's piece there",
    SQUARE, gives=PIECES, keys=_READ_KEYS, traits="alike",
)  # fmt: skip
def _covering(view: View, square: str) -> list[int]:
    position = current_boards(view)
    board, at = find_square(position, square)
    boards = _played_boards(view, board)
    there = sorted(position.armies_on(boards))
    covering = []
    # Each army sees the others; so two looks find all.
    for army, others in zip(there[:2], (there[1:], there[:1]), strict=False):
        push = _push_without_own_check(view, army, boards, others)
        target = 1 << push.local(board, at)
        occupied = sum(1 << local for local in push.pieces)
        covering += [
            push.pieces[bit.bit_length() - 1].id for bit in push.generator.attackers(target, push.view, occupied)
        ]
    if len(there) == 1:
        push = _push_without_own_check(view, there[0], boards)
        covering += [move.piece for move in push.moves() if move.target == (board, at)]
    return sorted(set(covering))


@_of_boards(
    "how a kind of piece moves in an army, in Betza notation",
    ARMY,
    KIND_TYPE,
    gives=TEXT,
    keys=("piece.moves",),
    traits="alike",
)
def _moves_of(view: View, army: str, kind: Value) -> Value:
    before, mark = view.open_keys, f"how {kind} of {army} moves"
    if mark in before:
        raise Undecided(_circularity_message(mark))
    case = {"army": ThingRef("army", army), "kind": kind}
    if "push" in view.env:
        case["push"] = view.env["push"]
    # The term can be asked about another case inside itself, and about the same one no more.
    view.open_keys = (*filter(partial(ne, "piece.moves"), before), mark)
    try:
        return view.law.answer("piece.moves", view.state, case, view)
    finally:
        view.open_keys = before
