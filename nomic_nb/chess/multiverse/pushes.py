"""Possible moves of an army on boards of a multiverse: a pair of half-boards pushed together, or a universe."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from copy import copy
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias, cast

from nomic_nb.chess.multiverse.betza import castling_steps
from nomic_nb.chess.multiverse.errors import GeometryError
from nomic_nb.chess.multiverse.generator import CastlingMove, Generator, GeneratorView, MoveChange, PieceClass, Reach
from nomic_nb.chess.multiverse.geometry import each_bit, union_of_bits
from nomic_nb.chess.multiverse.movement_tables import Movement, compile_movement
from nomic_nb.chess.multiverse.multiverse import BoardJoin, Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, BoardNames, Piece, Place
from nomic_nb.chess.multiverse.rules import Law, castling_towards_corner, double_steps

# --------------------------------------------------------------------------------- boards put together for an army


class JoinedBoard:
    """Boards joined for an army, whatever the position.

    Parameters
    ----------
    state : Multiverse
    law : Law
    army : str
    boards : tuple[str, ...]

    Raises
    ------
    GeometryError
        For a half-board with itself, and boards that do not go together.
    """

    def __init__(self, state: Multiverse, law: Law, army: str, boards: BoardNames) -> None:
        self.state = state
        self.law = law
        self.army = state._find_army(army)
        self.boards = tuple(boards)
        #: The board, where the squares of each board lie on it, and of which square of which board each of its own is.
        self.geometry, self.places, self.origin = self._join_boards()
        self.square_names = state.joined_square_names(self.boards)
        #: Whether pieces of the army look down the joined board, by the board on which they stand.
        self._looks = {board: self.turned(army, board) for board in self.boards}
        #: Where its pieces promote, and where parts marked ``i`` hold; None: for pieces that have not moved.
        self.zone, self.initial = self._promotion_zone(), self._initial_ranks()

    def _join_boards(self) -> BoardJoin:
        """Return the joined board, each board's square numbers on it, and (board, square) by number on it."""
        boards = [self.state._find_board(name) for name in self.boards]
        if len(boards) == 2 and self.boards[0] == self.boards[1]:
            raise GeometryError(
                "half-board-pushed-with-itself",
                "half-board {board!r} can’t be pushed together with itself",
                board=self.boards[0],
            )
        if len(boards) != 1 and not (len(boards) == 2 and all(board.half for board in boards)):
            raise GeometryError(
                "push-of-wrong-boards",
                "push two half-boards together, or one board by itself, not {boards}",
                boards=", ".join(self.boards) or "nothing",
            )
        return self.state.joined_geometry(self.boards)

    def local(self, board: str, square: int) -> int:
        """Return the number that a square of one of the boards has on the joined board."""
        return self.places[self.boards.index(board)][square]

    def turned(self, name: str, board: str) -> bool:
        """Tell whether an army's pieces on a board move down the joined board, from its far side.

        On their home half they face away from the home rank; on any other half, towards its back rank.
        """
        army = self.state.armies[name]
        at_home = army.home == board
        if len(self.boards) == 1:
            return not at_home if self.state.boards[board].half else army.far
        return at_home == (board == self.boards[1])

    def _own_rank(self, board: str, rank: int) -> int:
        """Return the bits of a rank, counted from the army's own side of a board."""
        there = self.state.boards[board]
        if board != self.army.home if there.half else self.army.far:
            rank = self.geometry.ranks + 1 - rank
        where = self.places[self.boards.index(board)]
        return sum([1 << where[bit.bit_length() - 1] for bit in each_bit(there.geometry.rank_bits(rank))])

    def _initial_ranks(self) -> int | None:
        """Return the bits of the ranks from which initial moves are made; None if all unmoved pieces can make them."""
        ranks = cast("tuple[int, ...] | None", self.law.terms.initial_ranks)
        if ranks is None:
            return None
        home = self.army.home
        return sum(self._own_rank(home, rank) for rank in ranks) if home in self.boards else 0

    def _promotion_zone(self) -> int:
        """Return the bits of the squares on which the army's pawns promote."""
        ranks, home = cast("tuple[int, ...] | None", self.law.terms.promotion_ranks), self.army.home
        if ranks is not None:
            return union_of_bits(self._own_rank(board, rank) for board in self.boards for rank in ranks)
        abroad = [board for board in self.boards if board != home or not self.state.boards[board].half]
        return union_of_bits(self._own_rank(board, self.geometry.ranks) for board in abroad)

    def _place_of_bit(self, bit: int) -> Place:
        """Return the board and the square that a bit of the joined board stands for."""
        return self.origin[bit.bit_length() - 1]

    def _split_by_board(self, bits: int) -> list[Place]:
        """Split bits of the joined board into (board, bits on it), leaving out boards without any."""
        if len(self.boards) == 1:
            return [(self.boards[0], bits)]
        halves = zip(self.boards, self.places, strict=True)
        by_board = [
            (board, union_of_bits(1 << at for at, here in enumerate(where) if bits >> here & 1))
            for board, where in halves
        ]
        return [(board, there) for board, there in by_board if there]


# ------------------------------------------------------------------- what an army may do on boards of a multiverse


#: Tells whether a capturing move leaves a royal piece of the army attacked.
Exposes: TypeAlias = Callable[[BoardMove], bool]
#: Boards on which pieces stand otherwise have the same generator.
_generator = lru_cache(maxsize=512)(Generator)


class Push(JoinedBoard):
    """Boards joined for one move of one army, with the pieces on them.

    Parameters
    ----------
    state : Multiverse
    law : Law
    army : str
        Army that moves.
    boards : tuple[str, ...]
        Two different half-boards, one half-board on its own, or one universe.
    captures : iterable of str, optional
        Armies whose pieces it may capture; default all others, except royal pieces of the same controller.
    checks : iterable of str, optional
        Armies whose pieces give check; default those of other controllers.
    exposes : callable, optional
        Function that tells whether a capturing move leaves a royal piece of the army attacked; needed if the captured
        piece does not simply disappear, or if other pieces disappear with it.

    Raises
    ------
    GeometryError
        A half-board is joined with itself, or the boards cannot be joined.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> push = Push(half_boards(["white", "yellow", "green"]), Law(), "white", ("white", "green"))
    >>> len(push.moves()), push.moves()[0].text
    (20, 'white.b1-white.a3')
    """

    def __init__(
        self,
        state: Multiverse,
        law: Law,
        army: str,
        boards: BoardNames,
        *,
        captures: Iterable[str] | None = None,
        checks: Iterable[str] | None = None,
        exposes: Exposes | None = None,
    ) -> None:
        super().__init__(state, law, army, boards)
        self._exposes = exposes
        controller = self.army.controller
        friends = {other_army.name for other_army in state.armies.values() if other_army.controller == controller}
        self.checks = frozenset(set(state.armies) - friends if checks is None else checks) - {army}
        self.captures = frozenset(set(state.armies) if captures is None else captures) - {army}
        self._spared = friends if captures is None else set()
        #: The kind of each class of pieces, whether it is royal, whether it is turned, and its special movement.
        self._kinds: tuple[tuple[str, bool, bool, str], ...] = ()
        #: What they are to the generator, under each law by which the same boards are looked at.
        self._made: dict[tuple[int, object], tuple[Law, tuple[PieceClass, ...]]] = {}
        self._compute_masks()

    # Setting up masks

    def _class_of(self, piece: Piece) -> tuple[str, bool, bool, str]:
        """Return a piece's class: (kind, whether royal, whether it moves from the far side, movement of its own)."""
        return piece.kind, self.law.royal(piece), self._looks[piece.board], self.law.of_piece.get(piece.id, "")

    def _compute_masks(self) -> None:
        """Set the bitboards and the move generator from where the pieces stand."""
        law, standing = self.law, self.state.standing
        placed = [
            (where[square], piece)
            for name, where in zip(self.boards, self.places, strict=True)
            for square, piece in standing[name].items()
        ]
        #: By square, and in the order of squares, so that moves come in one order however the multiverse came about.
        self.pieces = dict(sorted(placed))
        mine = dict.fromkeys(self._kinds, 0)
        foes: dict[tuple[Movement, str], int] = {}
        groups: dict[object, tuple[Movement, str]] = {}
        own = capturable = royals = unmoved = others = 0
        for local, piece in self.pieces.items():
            bit = 1 << local
            if piece.army == self.army.name:
                own |= bit
                key = self._class_of(piece)
                mine[key] = mine.get(key, 0) | bit
                if not piece.moved:
                    unmoved |= bit
                continue
            royal = law.royal(piece)
            if piece.army in self.captures and not (royal and piece.army in self._spared):
                capturable |= bit
                if royal:
                    royals |= bit
            else:
                own |= bit
            if piece.army in self.checks:
                alike = piece.army, piece.board, piece.kind, law.of_piece.get(piece.id)
                if alike not in groups:
                    turned = self.turned(piece.army, piece.board)
                    movement = compile_movement(law.movement(piece), self.geometry, turned=turned)
                    # Only where it matters whose pieces stand in between are classes kept apart by army.
                    groups[alike] = movement, piece.army if movement.irregular else ""
                group = groups[alike]
                foes[group] = foes.get(group, 0) | bit
                if not piece.moved:
                    others |= bit
        ordered = sorted(foes, key=lambda group: (group[0].notation.text, group[0].turned, group[1]))
        sides = tuple(
            sum([1 << at for at, piece in self.pieces.items() if piece.army == army]) if army else 0
            for _, army in ordered
        )
        self._kinds = tuple(mine)
        self._occupied = own | capturable
        castles, rights = self._castlings()
        self.view = GeneratorView(
            list(mine.values()),
            [foes[group] for group in ordered],
            own,
            capturable,
            unmoved if self.initial is None else self.initial,
            rights=rights,
            royals=royals,
            others=others,
            sides=sides,
        )
        against = tuple(movement for movement, _ in ordered)
        self.generator = _generator(self.geometry, self._piece_classes(), against, castles, check=law.terms.check)

    def _piece_classes(self) -> tuple[PieceClass, ...]:
        """Return the classes of the army's pieces for the generator, from a cache."""
        known = self._made.get((id(self.law), self._kinds))
        if known is not None:
            return known[1]
        law, terms, choices = self.law, self.law.terms, tuple(range(len(self.law.terms.promotion)))
        forces = []
        for kind, royal, turned, own_way in self._kinds:
            movement = compile_movement(own_way or law.notation(kind, self.army.name), self.geometry, turned=turned)
            promotes = (self.zone, choices) if kind in terms.pawns and choices else (0, ())
            forces.append(PieceClass(movement, royal, *promotes, terms.promotion_mandatory))
        entry = self._made[id(law), self._kinds] = law, tuple(forces)
        return entry[1]

    def elsewhere(self, state: Multiverse) -> Push:
        """Return the same boards with the pieces as they are in another multiverse."""
        other = copy(self)
        other.state = state
        other._compute_masks()
        return other

    def made_again(
        self, state: Multiverse, captures: Collection[str], checks: Collection[str], exposes: Exposes | None
    ) -> Push | None:
        """Return what `Push` makes for a later multiverse under the same law; None if more than its pieces differ."""
        before = self.state
        same = before.boards is state.boards and before.armies is state.armies and before.join == state.join
        if not same or self.captures != {*captures} - {self.army.name} or self.checks != {*checks} - {self.army.name}:
            return None
        other = copy(self)
        other.state, other._exposes = state, exposes
        if all(before.standing[board] == state.standing[board] for board in self.boards):
            return other
        other._kinds = ()
        return other.elsewhere(state)

    def under(self, law: Law) -> tuple[Push, int]:
        """Return these boards under another law, and the bits of the army's pieces that move differently under it.

        Returns
        -------
        tuple of (Push, int)
            The boards, and the bits of the squares whose pieces move differently; the others have the same moves.
        """
        other = copy(self)
        other.law = law
        forces = other._piece_classes()
        both = zip(self.view.mine, self.generator.forces, forces, strict=True)
        changed = union_of_bits(mine for mine, piece_class, another in both if piece_class != another)
        if changed:
            known = self.generator
            castles, rights = known.castles, self.view.rights
            if changed & known.royals(self.view):
                castles, rights = other._castlings()
            other.generator = _generator(self.geometry, forces, known.foes, castles, check=known.check)
            other.view = self.view._replace(rights=rights)
        return other, changed

    def _castlings(self) -> tuple[tuple[CastlingMove, ...], int]:
        """Return the castlings that unmoved kings and partners still have, and their rights as bits."""
        terms, home = self.law.terms, self.army.home
        if not terms.castling or home not in self.boards:
            return (), 0
        files, row = self.geometry.files, self._own_rank(home, 1)
        first = (row & -row).bit_length() - 1
        first -= first % files
        line = [self.pieces.get(first + file) for file in range(files)]
        still = [piece if piece and piece.army == self.army.name and not piece.moved else None for piece in line]
        castling_moves = []
        for file, piece in enumerate(still):
            if piece is None or piece.kind not in terms.royal or not self.law.royal(piece):
                continue
            # The owner's right is where its files go up, unless it looks from the far side.
            mirrored = self._looks[home] and (self.state.join == "rotate" or len(self.boards) == 1)
            for steps, toward in castling_steps(self.law.movement(piece), mirrored=mirrored):
                ends = range(file + toward, files if toward > 0 else -1, toward)
                corner = next((end for end in ends if line[end] is not None), file)
                partner = still[corner]
                if abs(corner - file) < 2 or partner is None or partner.kind not in terms.castling_rook:
                    continue
                if 0 <= file + toward * steps < files:
                    king, other = (
                        self._kinds.index(self._class_of(castling_piece)) for castling_piece in (piece, partner)
                    )
                    castling_moves.append(castling_towards_corner(first, file, corner, steps, king, (other,)))
        return tuple(castling_moves), sum({castle.right for castle in castling_moves})

    # Answers

    def checkers(self) -> dict[int, tuple[int, ...]]:
        """Return, for the number of each royal piece of the army in check, the numbers of the pieces giving check."""
        attackers_by_king = {}
        for king in each_bit(self.generator.royals(self.view)):
            attackers = self.generator.attackers(king, self.view, self._occupied)
            if attackers:
                attackers_by_king[self._piece_at(king).id] = tuple(sorted(self._piece_at(bit).id for bit in attackers))
        return attackers_by_king

    def _piece_at(self, bit: int) -> Piece:
        """Return the piece at a bit of the joined board."""
        return self.pieces[bit.bit_length() - 1]

    def moves(self) -> list[BoardMove]:
        """Return all legal moves of the army on these boards."""
        terms, exposes = self.law.terms, self._exposes
        crowning = terms.changes_royals and any(piece.kind in terms.pawns for piece in self.pieces.values())
        if not terms.check or (exposes is None and not crowning):
            return self._moves_found_by_masks()
        # Captures that are not ordinary can lay a king open, or shield him, and so can promotion: these are tried.
        bold = replace(self.law, terms=replace(terms, check=False))
        every = Push(self.state, bold, self.army.name, self.boards, captures=self.captures, checks=self.checks)
        tried = [
            move
            for move in every._moves_found_by_masks()
            if self._must_be_tried(move) and not (exposes or self._leaves_king_attacked)(move)
        ]
        return [*(move for move in self._moves_found_by_masks() if not self._must_be_tried(move)), *tried]

    def _must_be_tried(self, move: BoardMove) -> bool:
        """Tell whether a move must be tried out, as its capture or promotion may expose or shield a royal piece."""
        if move.taken and self._exposes is not None:
            return True
        piece = self.state.pieces[move.piece]
        return bool(move.promotion) and self.law.royal(piece) != self.law.royal(replace(piece, kind=move.promotion))

    def _leaves_king_attacked(self, move: BoardMove) -> bool:
        """Tell whether a royal piece of the army is attacked after a move."""
        multiverse = self.state.play(move)
        return bool(
            Push(multiverse, self.law.hollow, self.army.name, self.boards, captures=(), checks=self.checks).checkers()
        )

    def _moves_found_by_masks(self, taking: Piece | None = None) -> list[BoardMove]:
        """Return the moves that the generator finds by masks; with `taking`, at least those that capture it."""
        reaches, specials = self._legal_moves_in_bits()
        moves: list[BoardMove] = []
        onto = -1 if taking is None else 1 << self.local(*taking.place)
        for mover, origin, targets in reaches:
            if targets & onto:
                moves.extend(self._moves_to_squares(mover, origin, targets & onto))
        for special in specials:
            moves.extend(self._as_board_moves(special))
        return moves

    def _moves_to_squares(self, mover: int, origin: int, targets: int) -> Iterator[BoardMove]:
        """Yield the moves of the piece at a bit to each of `targets`, as board moves; `mover` is its class."""
        piece, place, names = self._piece_at(origin), self._place_of_bit(origin), self.square_names
        start, doubles = names[origin.bit_length() - 1] + "-", self._double_steps(piece).get(origin, {})
        for target in each_bit(targets):
            to = target.bit_length() - 1
            captured = self.pieces.get(to)
            passed = self._place_of_bit(doubles[target]) if captured is None and target in doubles else None
            taken = () if captured is None else (captured.id,)
            for kind in self._promotions(mover, target):
                text = start + names[to] + (f"={kind.upper()}" if kind else "")
                yield BoardMove(
                    piece.id, piece.army, place, self.origin[to], self.boards, text, kind, taken, None, passed
                )

    def _double_steps(self, piece: Piece) -> dict[int, dict[int, int]]:
        """Return, by origin and target, the squares passed by double steps that can be captured en passant."""
        terms = self.law.terms
        if piece.kind not in terms.pawns or not terms.en_passant:
            return {}
        return double_steps(self.geometry, turned=self.turned(piece.army, piece.board))

    def _promotions(self, mover: int, target: int) -> list[str]:
        """Return the kinds to which a class of pieces can promote on a square; an empty text if it need not."""
        force = self.generator.forces[mover]
        if not force.zone & target:
            return [""]
        return [*self.law.terms.promotion, *([] if force.mandatory else [""])]

    def _legal_moves_in_bits(self, origins: int = -1) -> tuple[list[Reach], list[MoveChange]]:
        """Return the squares that pieces on `origins` (-1: all) reach legally, and all special moves."""
        reaches, specials = self.generator.legal(self.view, origins)
        for square, piece in self._passed_squares():
            specials = [
                *specials,
                *self.generator.en_passant_moves(self.view._replace(passed=square, passed_piece=piece)),
            ]
        return reaches, specials

    def squares(self, origins: int = -1) -> dict[tuple[int, str, bool], int]:
        """Return the squares that pieces on `origins` reach, by (piece number, board, whether they capture).

        Parameters
        ----------
        origins : int
            Squares of the pieces to look at, in bits of the joined board; default all.

        Returns
        -------
        dict of (int, str, bool) to int
            Squares of a board, in bits, by piece number, board, and whether they are reached by capturing.

        Examples
        --------
        >>> from nomic_nb.chess.multiverse.multiverse import half_boards
        >>> found = Push(half_boards(["white", "yellow"]), Law(), "white", ("white", "yellow")).squares()
        >>> sum(squares.bit_count() for squares in found.values())
        20
        """
        reaches, specials = self._legal_moves_in_bits(origins)
        taken = self._occupied
        ends = [(origin, False, targets & ~taken) for _, origin, targets in reaches if targets & ~taken]
        ends += [(origin, True, targets & taken) for _, origin, targets in reaches if targets & taken]
        ends += [
            (move_change.origin, bool(move_change.taken), move_change.target)
            for move_change in specials
            if move_change.origin & origins
        ]
        reached: dict[tuple[int, str, bool], int] = {}
        for origin, captures, targets in ends:
            id = self._piece_at(origin).id
            for board, there in self._split_by_board(targets):
                key = id, board, captures
                reached[key] = reached.get(key, 0) | there
        return reached

    def could_move_alone(self, piece: Piece) -> bool:
        """Tell whether a piece of the army could move if it stood alone on the boards.

        Examples
        --------
        >>> from nomic_nb.chess.multiverse.multiverse import half_boards
        >>> push = Push(half_boards(["white", "yellow"]), Law(), "white", ("white", "yellow"))
        >>> [push.could_move_alone(one) for one in push.pieces.values() if one.army == "white"] == [True] * 16
        True
        """
        bit = 1 << self.local(*piece.place)
        mine = [bits & bit for bits in self.view.mine]
        theirs = [0] * len(self.view.theirs)
        alone = self.view._replace(mine=mine, theirs=theirs, own=bit, capturable=0, rights=0, royals=0, others=0)
        return any(self.generator.legal(alone))

    def drops(self) -> list[Place]:
        """Return the empty squares, as (board, square), on which a dropped piece leaves the army out of check.

        Examples
        --------
        >>> from nomic_nb.chess.multiverse.multiverse import half_boards
        >>> len(Push(half_boards(["white", "yellow"]), Law(), "white", ("white", "yellow")).drops())
        32
        """
        royals = list(each_bit(self.generator.royals(self.view))) if self.law.terms.check else []
        return [
            self._place_of_bit(bit)
            for bit in each_bit(self.geometry.full & ~self._occupied)
            if not any(self.generator.attackers(king, self.view, self._occupied | bit) for king in royals)
        ]

    def _passed_squares(self) -> Iterator[tuple[int, int]]:
        """Yield (square passed, piece that passed it), as bits, for other armies' double steps just made."""
        if not self.law.terms.en_passant or not self.state.passings:
            return
        here = {piece.id: local for local, piece in self.pieces.items()}
        for passing in self.state.passings:
            piece = self.state.pieces[passing.piece]
            if passing.board not in self.boards or passing.piece not in here or piece.army not in self.captures:
                continue
            local = self.local(passing.board, passing.square)
            if local not in self.pieces:
                yield 1 << local, 1 << here[passing.piece]

    def _as_board_moves(self, special: MoveChange) -> Iterator[BoardMove]:
        """Yield a move of the generator as board moves, one for each promotion choice."""
        movement = self.generator.forces[special.mover].movement
        piece, captured = self._piece_at(special.origin), list(each_bit(special.taken))
        via = [bit for bit in captured if bit != special.target and not special.passing]
        stops = [special.origin, *via, special.target]
        partner = passed = None
        if special.partner:
            partner = (self._piece_at(special.partner).id, self._place_of_bit(special.partner_to)[1])
            if movement.can_reach_alone(special.origin, special.target):
                stops = [special.origin, special.partner]
        text = "-".join([self.square_names[bit.bit_length() - 1] for bit in stops])
        if not captured:
            over = self._double_steps(piece).get(special.origin, {}).get(special.target)
            passed = self._place_of_bit(over) if over else None
        for kind in self._promotions(special.mover, special.target):
            yield BoardMove(
                piece.id,
                piece.army,
                self._place_of_bit(special.origin),
                self._place_of_bit(special.target),
                self.boards,
                text + (f"={kind.upper()}" if kind else ""),
                kind,
                tuple([self._piece_at(bit).id for bit in captured]),
                partner,
                passed,
                special.passing,
            )


# ------------------------------------------------------------------------ what an army may play on in a multiverse


def possible_pushes(state: Multiverse, army: str, halves: Collection[int] = (2,)) -> list[BoardNames]:
    """Return the sets of boards on which an army could play: one whole board, or as many half-boards as in `halves`.

    Parameters
    ----------
    state : Multiverse
    army : str
    halves : collection of int
        How many half-boards are pushed together: two, one by itself, or either.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> possible_pushes(half_boards(["white", "yellow", "green"]), "yellow")
    [('white', 'yellow'), ('yellow', 'green')]
    """
    there = {piece.board for piece in state.pieces.values() if piece.army == army}
    names = [name for name, board in state.boards.items() if board.half]
    sets = [
        boards for count in (1, 2) if count in halves for boards in combinations(names, count) if there & set(boards)
    ]
    return [*sets, *((name,) for name, board in state.boards.items() if not board.half and name in there)]


def all_moves(state: Multiverse, law: Law, army: str) -> list[BoardMove]:
    """Return the legal moves of an army on all sets of boards that it could push together.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> len(all_moves(half_boards(["white", "yellow", "green"]), Law(), "white"))
    40
    """
    return [move for boards in possible_pushes(state, army) for move in Push(state, law, army, boards).moves()]
