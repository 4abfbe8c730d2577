"""Kings that come into check or out of it by a rule-change, and the mates that would follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nomic_nb.explore.boards.moves import Boards, Look, at_its_turn, joined, kind_name
from nomic_nb.law.rules import Number
from nomic_nb.law.view import Undecided
from nomic_nb.markup.words import cited, grouped, listed
from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.play.chess.terms import names
from nomic_nb.play.state import State


@dataclass(frozen=True)
class Check:
    """A king that comes into check on boards pushed together, or out of it.

    Parameters
    ----------
    army : str
        Whose king it is.
    king : int
        Its number.
    pushes : tuple of tuple of str
        The boards on which it is seen.
    checkers : tuple of int
        The pieces that give it, or gave it.
    given : bool
        Whether it comes into check.
    words : str
        King and pieces in words.
    """

    army: str
    king: int
    pushes: tuple[Boards, ...]
    checkers: tuple[int, ...]
    given: bool
    words: str

    def __str__(self) -> str:
        return f"{self.words} on {listed([joined(one) for one in self.pushes])}"


@dataclass(frozen=True)
class Mate:
    """An army that would be mated, as the boards stand, and is not as things are.

    Parameters
    ----------
    army : str
        Which army.
    pushes : tuple of tuple of str
        The boards that somebody would have to push together; none where it is mated in its own turn.
    by : tuple of str
        The armies that could push them.
    rule : int or str or None
        The rule that says so.
    """

    army: str
    pushes: tuple[Boards, ...] = ()
    by: tuple[str, ...] = ()
    rule: Number | None = None

    def __str__(self) -> str:
        if not self.pushes:
            return f"{self.army} would be mated when it is to move: in check on all boards, with no way out"
        pairs = listed([joined(one) for one in self.pushes], "or")
        return f"{self.army} would be mated as soon as {listed(self.by, 'or')} pushes {pairs}{cited(self.rule)}"


def checks(before: Mapping[str, Look], after: Mapping[str, Look]) -> Iterator[Check]:
    """Yield the checks given and lifted, those given first."""
    known = {army for army in before if army in after and before[army].known and after[army].known}
    for given, looks, others, way in ((True, after, before, "into"), (False, before, after, "out of")):
        there = _seen(others)
        fresh = [(one, checkers) for one, checkers in _seen(looks).items() if one[0] in known and one not in there]
        groups = grouped(((army, king, checkers), boards) for (army, king, boards), checkers in fresh)
        for (army, king, checkers), pushes in groups.items():
            position = looks[army].position
            pieces = listed([name_of(position, one) for one in checkers])
            words = f"the {name_of(position, king)} comes {way} check from the {pieces}"
            yield Check(army, king, tuple(pushes), checkers, given, words)


def name_of(position: Multiverse, id: int) -> str:
    """Return a piece in words: ``king white.e1``, ``rook of green on white.e4``."""
    piece = position.pieces[id]
    where = position.name(piece.board, piece.square)
    owner = f" of {piece.army} on" if piece.army != piece.board else ""
    return f"{kind_name(piece.kind)}{owner} {where}"


def _seen(looks: Mapping[str, Look]) -> dict[tuple[str, int, Boards], tuple[int, ...]]:
    return {
        (army, king, boards): checkers
        for army, look in looks.items()
        for boards, push in look.pushes.items()
        for king, checkers in push.checkers().items()
    }


def mates(before: State, after: State, then: Mapping[str, Look], now: Mapping[str, Look]) -> Iterator[Mate]:
    """Yield the armies that would be mated afterwards and would not be now."""
    for army, look in now.items():
        if army in after.mated or not look.known:
            continue
        was = then.get(army)
        if look.mated and not (was is not None and was.mated):
            yield Mate(army)
        old = {boards: by for boards, by, _ in _pushers(before, army, then)} if was is not None else {}
        found = grouped(
            ((tuple(one for one in by if one not in old.get(boards, ())), rule), boards)
            for boards, by, rule in _pushers(after, army, now)
        )
        for (fresh, rule), pushes in found.items():
            if fresh:
                yield Mate(army, tuple(pushes), fresh, rule)


def _pushers(
    state: State, army: str, looks: Mapping[str, Look]
) -> Iterator[tuple[Boards, tuple[str, ...], Number | None]]:
    """Yield boards on which a king of an army stands in check, who mates it by pushing them, and by which rule."""
    for boards, push in looks[army].pushes.items():
        by: dict[str, Number | None] = {}
        others = [name for name, look in looks.items() if name != army and boards in look.open]
        for other in others if push.checkers() else ():
            asked = at_its_turn(state, other)
            try:
                finding = asked.find("check.enemy_on_push", army=other, push=boards)
                hostile = names(asked.law, asked, "check.from", army, boards)
                if asked.law.settled(finding) == "mate" and other in hostile:
                    by[other] = finding.rule
            except Undecided:
                continue  # whether it mates is for the table to say, when the boards are pushed
        if by:
            yield boards, tuple(by), [*by.values()][-1]


def stands(state: State, army: str) -> bool:
    """Tell whether an army is on the boards and somebody in the game moves it."""
    position = state.multiverse
    return army in position.armies and state.players[position.armies[army].controller].playing
