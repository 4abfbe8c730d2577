"""What an army may do on the boards of a multiverse: pairs of half-boards pushed together, and universes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from nomic_nb.multiverse.betza import parse
from nomic_nb.multiverse.errors import GeometryError
from nomic_nb.multiverse.generator import Generator
from nomic_nb.multiverse.geometry import Geometry, each, joined, union
from nomic_nb.multiverse.masks import Castle, Change, Force, View
from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pieces import BoardMove, Piece
from nomic_nb.multiverse.rules import castle_between, double_steps
from nomic_nb.multiverse.tables import Movement, compiled
from nomic_nb.multiverse.terms import Law


@lru_cache(maxsize=512)
def _generator(
    geometry: Geometry, forces: tuple[Force, ...], foes: tuple[Movement, ...], castles: tuple[Castle, ...], check: bool
) -> Generator:
    return Generator(geometry, forces, foes, castles, check=check)


class Push:
    """Boards put together for one move of one army.

    Parameters
    ----------
    state : Multiverse
    law : Law
    army : str
        Who moves.
    boards : tuple[str, ...]
        Two different half-boards, one half-board by itself, or one universe.
    captures : iterable of str, optional
        Armies whose pieces it may capture; by default all others, save royal pieces of its own controller's.
    checks : iterable of str, optional
        Armies whose pieces give check; by default those of other controllers.
    exposes : callable, optional
        Tells whether a move that captures leaves a royal piece of the army attacked, where what is captured is not
        just gone; by default it is.

    Raises
    ------
    GeometryError
        For a half-board with itself, and boards that do not go together.

    Examples
    --------
    >>> from nomic_nb.multiverse.multiverse import half_boards
    >>> push = Push(half_boards(["white", "yellow", "green"]), Law(), "white", ("white", "green"))
    >>> len(push.moves()), push.moves()[0].text
    (20, 'white.b1-white.a3')
    """

    def __init__(
        self,
        state: Multiverse,
        law: Law,
        army: str,
        boards: tuple[str, ...],
        *,
        captures: Iterable[str] | None = None,
        checks: Iterable[str] | None = None,
        exposes: Callable[[BoardMove], bool] | None = None,
    ) -> None:
        self.state = state
        self.law = law
        self._exposes = exposes
        self.army = state._army(army)
        self.boards = tuple(boards)
        self.geometry, self.places = self._join()
        controller = self.army.controller
        friends = {one.name for one in state.armies.values() if one.controller == controller}
        self.checks = frozenset(set(state.armies) - friends if checks is None else checks) - {army}
        self.captures = frozenset(set(state.armies) if captures is None else captures) - {army}
        self._spared = friends if captures is None else set()
        #: local square -> piece
        self.pieces: dict[int, Piece] = {}
        #: local square -> (board, square there)
        self.origin: dict[int, tuple[str, int]] = {}
        for name, where in zip(self.boards, self.places, strict=True):
            for square, local in enumerate(where):
                self.origin[local] = (name, square)
            for square, piece in state.standing[name].items():
                self.pieces[where[square]] = piece
        # In the order of squares, so that moves come in one order however the multiverse came about.
        self.pieces = dict(sorted(self.pieces.items()))
        self._set_up()

    def _join(self) -> tuple[Geometry, list[tuple[int, ...]]]:
        found = [self.state._board(name) for name in self.boards]
        if len(found) == 1:
            geometry = found[0].geometry
            return geometry, [tuple(range(geometry.size))]
        if len(found) == 2 and self.boards[0] == self.boards[1]:
            raise GeometryError(f"half-board {self.boards[0]!r} cannot be pushed together with itself")
        if len(found) != 2 or not all(board.half for board in found):
            raise GeometryError(
                f"a push is two half-boards, or one board by itself; not {', '.join(self.boards) or 'nothing'}"
            )
        geometry, near, far = joined(found[0].geometry, found[1].geometry, self.state.join)
        return geometry, [near, far]

    # Setting up masks

    def turned(self, piece: Piece, board: str) -> bool:
        """Tell whether a piece looks down the joined board from where it stands.

        On its home half it looks away from the home rank, on any other towards that half's back rank.
        """
        army = self.state.armies[piece.army]
        at_home = army.home == board
        if len(self.boards) == 1:
            return not at_home if self.state.boards[board].half else army.far
        return at_home == (board == self.boards[1])

    def _class(self, piece: Piece, *, royal: bool) -> tuple[str, bool, bool, str]:
        """Return the class of an own piece: those of one class move alike."""
        return piece.kind, royal, self.turned(piece, piece.board), self.law.of_piece.get(piece.id, "")

    def _set_up(self) -> None:
        law, terms = self.law, self.law.terms
        forces: dict[tuple[str, bool, bool, str], int] = {}
        self._forces: list[Force] = []
        #: Kind, whether royal, whether turned, and a movement of its own, of each class of pieces.
        self._kinds: list[tuple[str, bool, bool, str]] = []
        mine: list[int] = []
        foes: dict[tuple[Movement, str], int] = {}
        own = capturable = royals = unmoved = others = 0
        initial = self._initial()
        for local, piece in self.pieces.items():
            bit = 1 << local
            royal = law.royal(piece)
            if piece.army == self.army.name:
                own |= bit
                key = self._class(piece, royal=royal)
                if key not in forces:
                    forces[key] = len(mine)
                    mine.append(0)
                    self._kinds.append(key)
                mine[forces[key]] |= bit
                if not piece.moved:
                    unmoved |= bit
                continue
            if piece.army in self.captures and not (royal and piece.army in self._spared):
                capturable |= bit
                if royal:
                    royals |= bit
            else:
                own |= bit
            if piece.army in self.checks:
                turned = self.turned(piece, piece.board)
                movement = compiled(law.movement(piece), self.geometry, turned=turned)
                # Only where it matters whose pieces stand in between are classes kept apart by army.
                group = (movement, piece.army if movement.irregular else "")
                foes[group] = foes.get(group, 0) | bit
                if not piece.moved:
                    others |= bit
        zone = self._zone()
        choices = tuple(range(len(terms.promotion)))
        for kind, royal, turned, own_way in self._kinds:
            notation = own_way or law.notation(kind, self.army.name)
            movement = compiled(notation, self.geometry, turned=turned)
            promotes = (zone, choices) if kind in terms.pawns and choices else (0, ())
            self._forces.append(Force(movement, royal, *promotes, terms.promotion_mandatory))
        ordered = sorted(foes, key=lambda group: (group[0].notation.text, group[0].turned, group[1]))
        sides = tuple(
            sum(1 << at for at, piece in self.pieces.items() if piece.army == army) if army else 0
            for _, army in ordered
        )
        castles, rights = self._castles()
        self.generator = _generator(
            self.geometry, tuple(self._forces), tuple(group[0] for group in ordered), castles, terms.check
        )
        self.view = View(
            mine,
            [foes[group] for group in ordered],
            own,
            capturable,
            unmoved if initial is None else initial,
            rights=rights,
            royals=royals,
            others=others,
            sides=sides,
        )

    def _own_rank(self, board: str, rank: int) -> int:
        """Return the bits of a rank as the army counts them when it stands on a board."""
        there = self.state.boards[board]
        files, ranks = there.geometry.files, there.geometry.ranks
        if board != self.army.home if there.half else self.army.far:
            rank = self.geometry.ranks + 1 - rank
        if not 1 <= rank <= ranks:
            return 0
        where = self.places[self.boards.index(board)]
        return sum(1 << where[square] for square in range((rank - 1) * files, rank * files)) & self.geometry.full

    def _initial(self) -> int | None:
        ranks = self.law.terms.initial_ranks
        if ranks is None:
            return None
        home = self.army.home
        return sum(self._own_rank(home, rank) for rank in ranks) if home in self.boards else 0

    def _zone(self) -> int:
        ranks, home = self.law.terms.promotion_ranks, self.army.home
        if ranks is not None:
            return union(self._own_rank(board, rank) for board in self.boards for rank in ranks)
        abroad = [board for board in self.boards if board != home or not self.state.boards[board].half]
        return union(self._own_rank(board, self.geometry.ranks) for board in abroad)

    def _castles(self) -> tuple[tuple[Castle, ...], int]:
        """Return castlings on the home rank between a royal piece and a partner that have not moved."""
        terms, home = self.law.terms, self.army.home
        if not terms.castling or home not in self.boards:
            return (), 0
        files = self.geometry.files
        row = self._own_rank(home, 1)
        first = (row & -row).bit_length() - 1
        first -= first % files
        line = [self.pieces.get(first + file) for file in range(files)]
        still = [piece if piece and piece.army == self.army.name and not piece.moved else None for piece in line]
        found = []
        for file, piece in enumerate(still):
            if piece is None or piece.kind not in terms.royal or not self.law.royal(piece):
                continue
            plans = parse(self.law.movement(piece)).castlings
            for steps, sides in [(plan.steps, plan.sides) for plan in plans] or [(2, "lr")]:
                for toward in (1, -1):
                    # The owner's right is where its files go up, unless it looks from the far side.
                    turned = self.turned(piece, piece.board)
                    mirrored = (turned and self.state.join == "rotate") or (turned and len(self.boards) == 1)
                    if ("r" if (toward > 0) != mirrored else "l") not in sides:
                        continue
                    ends = range(file + toward, files if toward > 0 else -1, toward)
                    corner = next((end for end in ends if line[end] is not None), None)
                    if corner is None or not 0 <= file + toward * steps < files:
                        continue
                    partner = still[corner]
                    if partner is None or partner.kind not in terms.castling_rook or corner == file + toward:
                        continue
                    classes = [
                        self._kinds.index(self._class(one, royal=self.law.royal(one))) for one in (piece, partner)
                    ]
                    found.append(castle_between(first, file, corner, steps, classes[0], (classes[1],)))
        return tuple(found), sum({castle.right for castle in found})

    # Answers

    def checkers(self) -> dict[int, tuple[int, ...]]:
        """Return the army's royal pieces that are attacked, with the pieces that attack them, by number."""
        occupied = sum(1 << local for local in self.pieces)
        found = {}
        for local, piece in self.pieces.items():
            if piece.army == self.army.name and self.law.royal(piece):
                bits = self.generator.attackers(1 << local, self.view, occupied)
                if bits:
                    found[piece.id] = tuple(sorted(self.pieces[bit.bit_length() - 1].id for bit in bits))
        return found

    def moves(self) -> list[BoardMove]:
        """Return all legal moves of the army on these boards."""
        exposes = self._exposes
        if exposes is None or not self.law.terms.check:
            return self._moves()
        # What becomes of captured pieces can lay a king open, or shield him: so all captures are tried.
        bold = replace(self.law, terms=replace(self.law.terms, check=False))
        captures = Push(self.state, bold, self.army.name, self.boards, captures=self.captures, checks=self.checks)
        tried = [move for move in captures._moves() if move.taken and not exposes(move)]
        return [*(move for move in self._moves() if not move.taken), *tried]

    def _moves(self) -> list[BoardMove]:
        reaches, specials = self.generator.legal(self.view)
        found: list[BoardMove] = []
        for index, origin, targets in reaches:
            for target in each(targets):
                taken = target if (target.bit_length() - 1) in self.pieces else 0
                found.extend(self._named(Change(index, origin, target, taken, index)))
        for special in specials:
            found.extend(self._named(special))
        for square, piece in self._passed():
            for special in self.generator.passings(self.view._replace(passed=square, passed_piece=piece)):
                found.extend(self._named(special))
        return found

    def drops(self) -> list[tuple[str, int]]:
        """Return the empty squares on which a piece of the army can be put, its royal pieces not being left attacked.

        Examples
        --------
        >>> from nomic_nb.multiverse.multiverse import half_boards
        >>> len(Push(half_boards(["white", "yellow"]), Law(), "white", ("white", "yellow")).drops())
        32
        """
        occupied = sum(1 << local for local in self.pieces)
        royals = [1 << at for at, one in self.pieces.items() if one.army == self.army.name and self.law.royal(one)]
        royals = royals if self.law.terms.check else []
        free = [at for at in sorted(self.origin) if at not in self.pieces and self.geometry.full >> at & 1]
        return [
            self.origin[at]
            for at in free
            if not any(self.generator.attackers(king, self.view, occupied | 1 << at) for king in royals)
        ]

    def _passed(self) -> Iterator[tuple[int, int]]:
        """Yield squares passed by others' double steps, with the pieces that made them, as bits."""
        if not self.law.terms.en_passant:
            return
        here = {piece.id: local for local, piece in self.pieces.items()}
        for one in self.state.passings:
            piece = self.state.pieces[one.piece]
            if one.board not in self.boards or one.piece not in here or piece.army not in self.captures:
                continue
            local = self.places[self.boards.index(one.board)][one.square]
            if local not in self.pieces:
                yield 1 << local, 1 << here[one.piece]

    def _named(self, special: Change) -> Iterator[BoardMove]:
        a, b = special.origin.bit_length() - 1, special.target.bit_length() - 1
        piece = self.pieces[a]
        origin, target = self.origin[a], self.origin[b]
        taken_at = [bit.bit_length() - 1 for bit in each(special.taken)]
        via = [local for local in taken_at if local != b and not special.passing]
        text = "-".join(self.state.name(*self.origin[local]) for local in (a, *via, b))
        taken = tuple(self.pieces[local].id for local in taken_at)
        partner = None
        if special.partner:
            c = special.partner.bit_length() - 1
            partner = (self.pieces[c].id, self.origin[special.partner_to.bit_length() - 1][1])
            if self._forces[special.mover].movement.passes(special.origin, special.target):
                text = "-".join(self.state.name(*self.origin[local]) for local in (a, c))
        promotions = [""]
        if self._forces[special.mover].zone & special.target:
            promotions = list(self.law.terms.promotion)
            if not self.law.terms.promotion_mandatory:
                promotions.append("")
        for kind in promotions:
            yield BoardMove(
                piece.id,
                piece.army,
                origin,
                target,
                self.boards,
                text + (f"={kind.upper()}" if kind else ""),
                kind,
                taken,
                partner,
                self._double_step(piece, a, b) if not taken else None,
                special.passing,
            )

    def _double_step(self, piece: Piece, a: int, b: int) -> tuple[str, int] | None:
        """Return the square that a pawn passed by a double step."""
        terms = self.law.terms
        if piece.kind not in terms.pawns or not terms.en_passant:
            return None
        over = double_steps(self.geometry, turned=self.turned(piece, piece.board))[1 << a].get(1 << b)
        return None if over is None else self.origin[over.bit_length() - 1]
