"""Studies of ordinary chess, as lichess writes them: chapters with variations, comments, glyphs and arrows."""

from __future__ import annotations

import io
from pathlib import Path

import chess.pgn

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.python_chess import SilentGameBuilder, find_words_outside_pgn
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.record.log import replace_file
from nomic_nb.engine.words import strip_byte_order_mark

#: Characters of a study at most.
LONGEST_STUDY = 5_000_000


class Study:
    """A chess study.

    Attributes
    ----------
    chapters : tuple of chess.pgn.Game
        The chapters as games of python-chess, with everything that the file had. You can change them.
    """

    def __init__(self, chapters: tuple[chess.pgn.Game, ...]) -> None:
        self.chapters = chapters

    def __repr__(self) -> str:
        return "\n".join(f"{at}. {game.headers.get('Event', '?')}" for at, game in enumerate(self.chapters, 1))

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


@explain_argument_errors
def read_study(pgn: str | Path) -> Study:
    r"""Read a chess study, such as one exported from lichess, with variations, comments, glyphs and arrows.

    Parameters
    ----------
    pgn : str or Path
        The text, or a `Path` to a file.

    Returns
    -------
    Study
        ``chapters`` are games of python-chess, and ``pgn()`` writes the study again without loss.

    Raises
    ------
    ValueError
        There is no game in it, it is too long, or a chapter has a move that cannot be played; the message names the
        chapter.

    Examples
    --------
    >>> study = read_study('[Event "Openings"]\n\n1. e4 e5 (1... c5 {Sharper.}) 2. Nf3 *')
    >>> study
    1. Openings
    >>> study.chapters[0].next().variations[1].comment
    'Sharper.'
    """
    try:
        with pgn.open(encoding="utf-8") if isinstance(pgn, Path) else io.StringIO(pgn) as file:
            text = file.read(LONGEST_STUDY + 1)
    except UnicodeDecodeError:
        raise MultiverseError("study-not-text", "this file isn’t text in UTF-8, so it can’t be a study") from None
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
    if foreign is not None:
        raise MultiverseError("study-text-unknown", "“{found}” isn’t anything that PGN allows", found=foreign[:40])
    if not chapters:
        raise MultiverseError("study-without-chapters", "there is no game in this study")
    return Study(tuple(chapters))
