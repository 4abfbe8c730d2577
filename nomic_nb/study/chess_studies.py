"""Studies of ordinary chess, as lichess writes them: chapters with variations, comments, glyphs and arrows."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess.pgn

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.python_chess import SilentGameBuilder, find_words_outside_pgn
from nomic_nb.engine.record.log import replace_file
from nomic_nb.engine.subjects.host import NAG_GLYPHS
from nomic_nb.engine.words import strip_byte_order_mark
from nomic_nb.study.frames import column_types, make_frame

if TYPE_CHECKING:
    import pandas as pd

#: Characters of a study at most.
LONGEST_STUDY = 5_000_000
MOVE_COLUMNS = column_types("int64: chapter ply depth", "string: san uci glyphs comment arrows squares")


class Study:
    """A chess study.

    Attributes
    ----------
    chapters : tuple of chess.pgn.Game
        The chapters as games of python-chess, with all that the file had. You can change them.
    """

    def __init__(self, chapters: tuple[chess.pgn.Game, ...]) -> None:
        self.chapters = chapters

    def __repr__(self) -> str:
        return "\n".join(f"{at}. {game.headers.get('Event', '?')}" for at, game in enumerate(self.chapters, 1))

    @property
    def frame(self) -> pd.DataFrame:
        """The moves as a DataFrame, one row per move, with variations.

        Returns
        -------
        DataFrame
            ``chapter``, ``ply`` (int64; 0 for the start of a chapter with a comment), ``depth`` (int64; 0 in the main
            line), ``san``, ``uci``, ``glyphs``, ``comment``, ``arrows``, ``squares`` (string; several are separated by
            commas).
        """
        return make_frame(MOVE_COLUMNS, (row for at, game in enumerate(self.chapters, 1) for row in _rows(at, game)))

    def pgn(self, path: str | Path | None = None) -> str | None:
        """Return the study as PGN, or write it to a path and return None; nothing of what was read is lost.

        Parameters
        ----------
        path : str or Path, optional
            File to write to.
        """
        text = "\n\n".join(game.accept(chess.pgn.StringExporter(columns=None)) for game in self.chapters) + "\n"
        if path is None:
            return text
        replace_file(Path(path), text)
        return None


def _rows(chapter: int, game: chess.pgn.Game) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a chapter: its moves with those of variations."""
    waiting: list[tuple[chess.pgn.GameNode, chess.Board, int]] = [(game, game.board(), 0)]
    while waiting:
        node, board, depth = waiting.pop()
        san = uci = ""
        if node.move is not None:
            san, uci, board = board.san(node.move), node.move.uci(), board.copy(stack=False)
            board.push(node.move)
        drawn = [
            ("" if one.color == "green" else f"{one.color} ", *map(chess.square_name, (one.tail, one.head)))
            for one in node.arrows()
        ]
        comment = re.sub(r"\[%\w+ [^\]]*\]", "", f"{node.starting_comment} {node.comment}")
        if san or node.comment:
            yield (
                chapter, node.ply() - game.ply(), depth, san, uci,
                ", ".join(NAG_GLYPHS[nag] if nag < len(NAG_GLYPHS) else f"${nag}" for nag in sorted(node.nags)),
                " ".join(comment.split()),
                ", ".join(f"{colour}{tail}-{head}" for colour, tail, head in drawn if tail != head),
                ", ".join(f"{colour}{tail}" for colour, tail, head in drawn if tail == head),
            )  # fmt: skip
        waiting += [(child, board, depth + (at > 0)) for at, child in reversed([*enumerate(node.variations)])]


def read_study(pgn: str | Path) -> Study:
    r"""Read a chess study, such as one exported from lichess, with variations, comments, glyphs and arrows.

    Parameters
    ----------
    pgn : str or Path
        The text, or a `Path` to a file.

    Returns
    -------
    Study
        ``chapters`` are games of python-chess, ``frame`` has a row for each move, and ``pgn()`` writes the study again
        without loss.

    Raises
    ------
    ValueError
        There is no game in it, it is too long, or a chapter has a move that cannot be played; the message names the
        chapter.

    Examples
    --------
    >>> study = read_study('[Event "Openings"]\n\n1. e4 e5 (1... c5 {Sharper.}) 2. Nf3 *')
    >>> study.frame["san"].tolist()
    ['e4', 'e5', 'Nf3', 'c5']
    """
    try:
        with pgn.open(encoding="utf-8") if isinstance(pgn, Path) else io.StringIO(pgn) as file:
            text = file.read(LONGEST_STUDY + 1)
    except UnicodeDecodeError:
        raise MultiverseError("study-not-utf8", "this file isn’t text in UTF-8, so it can’t be a study") from None
    if len(text) > LONGEST_STUDY:
        raise MultiverseError(
            "study-too-long", "a study can have at most {most:,} characters; this one has more", most=LONGEST_STUDY
        )
    text = "\n".join(map(strip_byte_order_mark, text.split("\n")))
    stream, chapters = io.StringIO(text), list[chess.pgn.Game]()
    while (game := chess.pgn.read_game(stream, Visitor=SilentGameBuilder)) is not None:
        chapters.append(game)
        if game.errors:
            raise MultiverseError(
                "study-move-unreadable", "chapter {chapter}: {error}", chapter=len(chapters), error=game.errors[0]
            )
    foreign = next(find_words_outside_pgn(text), None)
    if foreign is not None or not chapters:
        raise MultiverseError(
            "study-without-chapters", "this isn’t a study in PGN: {found}",
            found=f"{foreign[:40]!r} isn’t a move" if foreign else "there is no game in it",
        )  # fmt: skip
    return Study(tuple(chapters))
