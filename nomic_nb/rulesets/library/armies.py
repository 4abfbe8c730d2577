"""Ready-made rules on armies: new kinds of pieces, reinforcements, promotion and demotion as reward and penalty."""

from __future__ import annotations

from nomic_nb.multiverse.words import sentence
from nomic_nb.rulesets.library.chess import kind_of, many, movement_of, one
from nomic_nb.rulesets.library.making import LibraryRule, every, ordinal, whole

#: The kinds of ordinary chess, which a new kind is not.
ORDINARY = "KQRBNP"


def new_kind(kind: str = "A", moves: str = "BN", ranks: int = 3) -> LibraryRule:
    """Bring a new kind of piece into play, one for every army.

    Parameters
    ----------
    kind : str
        Its capital letter, none of those of ordinary chess.
    moves : str
        In Betza notation, at most 60 letters; the wording says the same in words.
    ranks : int
        It is placed on one of the first so many ranks of the army's half-board, from 1 to 16.

    Examples
    --------
    >>> print(new_kind("C", "RN").wording)
    There is a new kind of piece, with the letter C. How it moves: slides orthogonally; or leaps 2 squares one way and 1
    across (as a knight). When this rule is enacted, each army of a player who is still in the game may get one, which
    its player places on an empty square of the first 3 ranks of the army's own half-board.
    """
    kind, moves = kind_of("a new kind of piece", kind), movement_of(moves)
    if kind in ORDINARY:
        raise ValueError(f"a new kind of piece has a letter of its own, none of {', '.join(ORDINARY)}; found {kind}")
    whole("a count of ranks", ranks, 1, 16)
    said = sentence(moves)
    first = "first rank" if ranks == 1 else f"first {ranks} ranks"
    return LibraryRule(
        f"A new kind of piece: {kind}",
        f"There is a new kind of piece, with the letter {kind}. How it moves: {said[0].lower()}{said[1:]} When this "
        "rule is enacted, each army of a player who is still in the game may get one, which its player places on an "
        f"empty square of the {first} of the army's own half-board.",
        f'piece {kind} moves "{moves}"\n'
        "on enacted each a in [b for b in armies if b.controller.playing] when rule == this: let a.controller choose\n"
        f'    spot from [s for s in empty_squares(a.home) if s.rank <= {ranks}] or none; place "{kind}" of a at spot',
    )


def reinforcements(kind: str = "P", circuits: int = 2, rank: int = 2) -> LibraryRule:
    """Let armies get new pieces now and then.

    Parameters
    ----------
    kind : str
        Its capital letter.
    circuits : int
        After how many circuits each time, from 1 to 100.
    rank : int
        Of the army's half-board, from 1 to 16.

    Examples
    --------
    >>> print(reinforcements("N", 3, 1).title)
    Reinforcements: knights in every 3rd circuit
    """
    kind = kind_of("a kind of piece", kind)
    whole("a count of circuits", circuits, 1, 100)
    whole("a rank", rank, 1, 16)
    return LibraryRule(
        f"Reinforcements: {many(kind)} in {every(circuits, 'circuit')}",
        f"At the end of {every(circuits, 'circuit')} each army of a player who is still in the game may get "
        f"{one(kind)}, which its player places on an empty square of the {ordinal(rank)} rank of the army's own "
        "half-board.",
        f"on circuit_ended each a in [b for b in armies if b.controller.playing] when circuit % {circuits} == 0: let\n"
        f"    a.controller choose spot from [s for s in empty_squares(a.home) if s.rank == {rank}] or none;\n"
        f'    place "{kind}" of a at spot',
    )
