"""Ready-made rules on half-boards and squares: how they fit, grow, burn, and lead elsewhere."""

from __future__ import annotations

from nomic_nb.rulesets.library.chess import listed, named_square, square_of
from nomic_nb.rulesets.library.making import LibraryRule, one_of, ordinal, times, whole


def missing_squares(squares: str = "white.e4") -> LibraryRule:
    """Let squares be no more.

    Parameters
    ----------
    squares : str
        From 1 to 16, with their half-boards, such as ``white.e4``, with blanks or commas between them.

    Examples
    --------
    >>> print(missing_squares("white.e4, yellow.d3").law)
    set board.holes to ["white.e4", "yellow.d3"]
    """
    named = squares.replace(",", " ").split() if isinstance(squares, str) else []
    if not 1 <= len(named) <= 16 or len(set(named)) < len(named):
        raise ValueError(f"1 to 16 different squares, such as white.e4, can be missing; found {str(squares)[:80]!r}")
    names = [named_square("a square", one)[1] for one in named]
    said = listed(names, "and")
    return LibraryRule(
        f"{times(len(names), 'hole')}: {said}",
        ("A square is" if len(names) == 1 else "Squares are")
        + f" no more, as soon as nothing stands there: {said}. Nothing goes to such a place, and only leaps go over "
        "it.",
        "set board.holes to [" + ", ".join(f'"{one}"' for one in names) + "]",
        "the rule that players made on missing squares, where there is one",
    )


def burning_square(square: str = "e4") -> LibraryRule:
    """Let a square of every half-board burn.

    Parameters
    ----------
    square : str
        Such as ``e4``.

    Examples
    --------
    >>> print(burning_square("d3").law)
    on moved when target.file == 4 and target.rank == 3 and not piece.royal: remove piece
    """
    file, rank = square_of("a square", square)
    return LibraryRule(
        f"Fire on {square}",
        f"On every half-board {square} burns: a piece that ends its move there leaves the boards. Royal pieces are "
        "not harmed.",
        f"on moved when target.file == {file} and target.rank == {rank} and not piece.royal: remove piece",
    )


def promoting_square(square: str = "d4") -> LibraryRule:
    """Let a square of every half-board make pieces stronger or weaker.

    Parameters
    ----------
    square : str
        Such as ``d4``.

    Examples
    --------
    >>> print(promoting_square("e3").title)
    Promotion on e3
    """
    file, rank = square_of("a square", square)
    return LibraryRule(
        f"Promotion on {square}",
        f"On every half-board {square} makes pieces stronger: a piece that ends its move there becomes the next "
        "stronger one, by the steps that there are for promotion. The strongest and royal pieces stay what they are.",
        f"on moved each p in [q for q in promotable(player) if q == piece] when target.file == {file} and target.rank "
        f"== {rank}: promote p",
    )


def gate(first: str = "white.e4", second: str = "yellow.e4") -> LibraryRule:
    """Let two squares lead to each other.

    Parameters
    ----------
    first, second : str
        With their half-boards, such as ``white.e4``.

    Examples
    --------
    >>> print(gate("white.a3", "green.h3").wording)
    A piece that ends its move on white.a3 comes out on green.h3, and the other way round, if nothing stands there.
    """
    (one_board, one), (other_board, other) = named_square("a gate", first), named_square("a gate", second)
    if one == other:
        raise ValueError(f"a gate leads from one square to another; found {one} twice")

    def way(start: str, end: str, board: str) -> str:
        there = f'"{board}" in [b.name for b in boards] and square_named("{end}").piece == none'
        return f'on moved when target.name == "{start}" and {there}: move piece to square_named("{end}")'

    return LibraryRule(
        f"A gate from {one} to {other}",
        f"A piece that ends its move on {one} comes out on {other}, and the other way round, if nothing stands there.",
        f"{way(one, other, other_board)}\n{way(other, one, one_board)}",
    )


def sliding_rank(rank: int = 4, to: str = "right") -> LibraryRule:
    """Let a rank of every half-board carry what stands on it, at the end of each circuit.

    Parameters
    ----------
    rank : int
        Counted from the owner's side, from 1 to 16.
    to : str
        ``right`` or ``left``, as the half-board's owner sees it.

    Examples
    --------
    >>> print(sliding_rank(3, "left").wording)
    At the end of every circuit all pieces on the 3rd rank of each half-board are carried one square to the left, as its
    owner sees it. A piece at the edge stays, and so does one behind a piece that stays.
    """
    whole("a rank", rank, 1, 16)
    one_of("a side", to, ("right", "left"))
    return LibraryRule(
        f"The {ordinal(rank)} rank slides",
        f"At the end of every circuit all pieces on the {ordinal(rank)} rank of each half-board are carried one square "
        f"to the {to}, as its owner sees it. A piece at the edge stays, and so does one behind a piece that stays.",
        f"on circuit_ended each b in [c for c in boards if c.ranks >= {rank}]: shift pieces_on_rank(b, {rank}) by "
        f"[{1 if to == 'right' else '-1'}, 0]",
    )
