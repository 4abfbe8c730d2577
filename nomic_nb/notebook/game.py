"""A game of Nomic, as players, teachers and authors of records use it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from nomic_nb.engine import display
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import RecordError, WrongValue
from nomic_nb.engine.law.changes import Change, Renaming
from nomic_nb.engine.messages import say
from nomic_nb.engine.record.log import replace_file, write_files_beside
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.live.player_actions import read_change_argument
from nomic_nb.notebook.store import game_store
from nomic_nb.notebook.store.journal import open_store
from nomic_nb.study.library import LibraryRule

if TYPE_CHECKING:
    from nomic_nb.notebook.classroom.serve import ServedTables
    from nomic_nb.notebook.documents.edition import EditionOptions
    from nomic_nb.notebook.panels.widget import Panel
    from nomic_nb.study.review.applicable_rules import ApplicableRules
    from nomic_nb.study.review.review import Review


@display.html_of.register
def _show_html(displayed: Displayed) -> str:
    """Return the HTML by which a notebook shows an object, as `show.show_html` makes it."""
    from nomic_nb.notebook.show import show_html

    return show_html(displayed)


def _write_or_return_page(game: Game, make: Callable[[Game], str], path: str | Path | None) -> str | None:
    """Write the page that `make` makes of a game to a path and return None; return the page without a path."""
    if path is None:
        return make(game)
    CELL_WATCH.show_present(
        game.timeline
    )  # no cell that is run again writes an earlier state of the game over a later one
    replace_file(Path(path), make(game))
    return None


@display.text_of.register
def _show_text(displayed_alike: display.DisplayedAlike) -> str:
    """Return the plain text by which an object is printed, as `show.show_text` makes it."""
    from nomic_nb.notebook.show import show_text

    return show_text(displayed_alike)


class Game(BaseGame):
    """A game of Nomic, with everything that can be made of it: reviews, panels, pages.

    Begun by `new_game`, brought back by `load`. Every method that does something calls `do`, which
    checks the action against the law in force; what is refused leaves the game exactly as it was.

    Parameters
    ----------
    timeline : Timeline
        The game under way.
    """

    def review(
        self, player: str, change: Change | LibraryRule | Renaming, number: int | None = None, *,
        without: str | Iterable[str] = (),
    ) -> Review:  # fmt: skip
        """Return a review of what a change would do if a player proposed it; the game stays as it is.

        Parameters
        ----------
        player : str
            Who would propose it.
        change : Change or LibraryRule
            What would be proposed.
        number : int, optional
            Its number, where others assign numbers: which rule prevails may depend on it.
        without : str or iterable of str, optional
            Codes, or kinds, of warnings that are not looked for; the page `warnings` lists them.

        Returns
        -------
        Review
        """
        from nomic_nb.study.review.review import review_change

        return review_change(self.timeline, player, read_change_argument(change, self.state), number, without)

    @property
    def library(self) -> ApplicableRules:
        """The ready-made rules that would have an effect in this game, with the rules that each amends."""
        from nomic_nb.study.review.applicable_rules import ApplicableRules

        return ApplicableRules(self.state)

    def panel(self, seat: str | None = None) -> Panel:
        """Return a widget to play the whole game with, for the player `seat` or for all.

        Parameters
        ----------
        seat : str, optional
            Show only what this player decides; all players before the same panel, where it is not given.
        """
        return self._make_panel(seat, "all")

    def _make_panel(self, seat: str | None, *parts: str) -> Panel:
        """Return a widget with some parts of the panel, for one player or (if None) for all."""
        from nomic_nb.notebook.panels.widget import Panel

        return Panel(self, seat, parts)

    def tally_panel(self, seat: str | None = None) -> Panel:
        """Return a widget of the proposals and their votes, to vote for the player `seat` or for all.

        Parameters
        ----------
        seat : str, optional
            Whose ballots are cast there; everybody's, where it is not given.
        """
        return self._make_panel(seat, "vote")

    def proposal_panel(self, seat: str | None = None) -> Panel:
        """Return a widget with the proposal form and a preview, for the player `seat` or whoever is to propose.

        Parameters
        ----------
        seat : str, optional
            Who proposes there; whoever is to, where it is not given.
        """
        return self._make_panel(seat, "proposal")

    def multiverse_panel(self, seat: str | None = None) -> Panel:
        """Return a widget of the boards, to move for the player `seat` or for all; empty without boards.

        Parameters
        ----------
        seat : str, optional
            Whose moves are made there; everybody's, where it is not given.
        """
        return self._make_panel(seat, "boards")

    def law_panel(self, seat: str | None = None) -> Panel:
        """Return a widget of the law book, with search and explanations, where the player `seat` can propose.

        Parameters
        ----------
        seat : str, optional
            Who proposes there; whoever is to, where it is not given.
        """
        return self._make_panel(seat, "law")

    def history_panel(self, seat: str | None = None) -> Panel:
        """Return a widget that shows the game after any event; without `seat`, also to comment on it and to fork.

        Parameters
        ----------
        seat : str, optional
            Who looks; where it is not given, comments can be written there, and other games go on from an event.
        """
        return self._make_panel(seat, "history")

    def host_panel(self) -> Panel:
        """Return the host's widget: record who is absent, pause, count a show of hands, undo, save."""
        return self._make_panel(None, "host")

    def judge_panel(self, seat: str | None = None) -> Panel:
        """Return a widget of the judgments, to rule, overrule or let play go on for the player `seat` or all.

        Parameters
        ----------
        seat : str, optional
            Who decides there; everybody, where it is not given.
        """
        return self._make_panel(seat, "judge")

    def score_panel(self, seat: str | None = None) -> Panel:
        """Return a widget of score, polls, open decisions and latest events, for the player `seat` or for all.

        Parameters
        ----------
        seat : str, optional
            Who looks.
        """
        return self._make_panel(seat, "score", "polls", "past")

    def serve(
        self, *, host: str = "127.0.0.1", port: int | None = None, lan: bool = False, names: Sequence[str] = (),
        base: str = "/",
    ) -> ServedTables:  # fmt: skip
        """Serve a web page for every seat from this process, for phones or other windows; return the server.

        Parameters
        ----------
        host : str
            The address to listen at.
        port : int, optional
            The port; 8777, or the next one that is free, where it is not given.
        lan : bool
            Let other machines on the network in, such as phones.
        names : sequence of str
            Other names that this machine goes by; behind a proxy, the proxy's.
        base : str
            What stands before the path, behind a proxy.

        Returns
        -------
        ServedTables
            Shows addresses, and a secret link for every seat with its code; ``close()`` ends it.
        """
        return serve(self, host=host, port=port, lan=lan, names=names, base=base)

    def to_html(self, path: str | Path | None = None, **edition: Unpack[EditionOptions]) -> str | None:
        """Return the game as one HTML page to read and print; or write it to a path and return None.

        In it are the moves one by one with law and score beside them, the record turn by turn with comments and
        pictures of boards, law book and ledger. It is one file that loads nothing.

        Parameters
        ----------
        path : str or Path, optional
            Write it to this file, and return nothing.
        title, event, date, annotator, introduction : str, optional
            What the title page says.
        players : mapping of str to str, optional
            What players are called there, by their names in the game.
        chapters : mapping or sequence of str, optional
            Headings, by what they stand before (``{"turn 1": "The opening", "ply 7": "A tube"}``; ``proposal 303`` and
            ``event 40`` too), or one for each turn.
        parts, without : collection of str, optional
            What is in it, and what is not: contents, moves, game, pictures, comments, side lines, taken back,
            judgments, law, ledger.

        Raises
        ------
        ValueError
            There is no such player, turn, move, proposal, event or part.
        LawError
            A text that is none, or too long.
        """
        from nomic_nb.notebook.documents import Edition, to_html

        document_edition = explain_argument_errors(Edition)(**edition)
        return _write_or_return_page(self, lambda game: to_html(game, document_edition), path)

    def to_markdown(self, path: str | Path | None = None, **edition: Unpack[EditionOptions]) -> str | None:
        """Return the game as Markdown without pictures; or write it with pictures to a path and return None.

        Parameters
        ----------
        path : str or Path, optional
            Write it to this file, with its pictures (SVG) in a folder beside it (``game.md`` and ``game-pictures``),
            and return nothing.
        **edition
            As in `to_html`.

        Raises
        ------
        ValueError, LawError
            As in `to_html`.
        """
        from nomic_nb.notebook.documents import Edition, PictureFiles, to_markdown

        document_edition = explain_argument_errors(Edition)(**edition)
        if path is None:
            return to_markdown(self, document_edition)
        pictures = PictureFiles(f"{Path(path).stem}-pictures")
        CELL_WATCH.show_present(self.timeline)
        text = to_markdown(self, document_edition, pictures)
        write_files_beside(Path(path), pictures.folder, pictures.files)
        replace_file(Path(path), text)
        return None

    def law_book(self, path: str | Path | None = None) -> str | None:
        """Return the law book as an HTML page for printing; or write it to a path and return None.

        Parameters
        ----------
        path : str or Path, optional
            Write it to this file, and return nothing.
        """
        from nomic_nb.notebook.documents import law_book_html

        return _write_or_return_page(self, law_book_html, path)

    def rule_file(self, path: str | Path | None = None) -> str | None:
        """Return the law in force as a rule file to begin games with; or write it to a path and return None.

        It is read back and compared before it is written. Rules that are void now say so; scores and what the
        table answered are not in it: where scores are to go on, all agree on them with `host.correct`.

        Parameters
        ----------
        path : str or Path, optional
            Write it to this file (``our-law.md``), and return nothing.

        Raises
        ------
        RecordError
            With the rules that cannot be written as they stand; or the name of the file does not end in ``.md``.
        """
        from nomic_nb.engine.record.rule_file import rule_file_text

        if path is not None and Path(path).suffix != ".md":
            raise RecordError(
                say(
                    "rule-file-name-without-md",
                    "the name of a rule file must end in .md, or no game can start from it; you gave {path}",
                    path=path,
                )
            )
        name = "our-law" if path is None else Path(path).stem
        return _write_or_return_page(self, lambda game: rule_file_text(game.timeline, name), path)

    def keep(self, path: str | Path, name: str | None = None) -> None:
        """Keep the game in a store file from now on, under a name; each step is saved at once.

        The file keeps several games. Where it has this one already, and it has gone on there, it goes on here too.

        Parameters
        ----------
        path : str or Path
            The file (SQLite, ``game.sqlite``), on a disk of this machine; it is made where there is none.
        name : str, optional
            What the game is called there; ``game``, where nothing is said and there are no others.

        Raises
        ------
        RecordError
            The file cannot be used, has another game of this name, or this one is kept elsewhere; with what to do.
        """
        CELL_WATCH.show_present(self.timeline)
        if self._timeline.keeper is None and CELL_WATCH.is_rewound(self._timeline):
            raise RecordError(
                say(
                    "cell-plays-again",
                    "this cell is replaying what it played before. Keep the game in a separate cell",
                )
            )
        store, before = open_store(path, make=True), self.state.seq
        known = self._timeline.keeper
        kept = game_store.keep_new_game(store, game_store.choose_game_name(store, name), self._timeline, CELL_WATCH)
        if known is None and self.state.seq > before:
            CELL_WATCH.restore_cells(kept)
            CELL_WATCH.print_message(kept.resumed_notice)


@explain_argument_errors
def serve(
    *games: Game, host: str = "127.0.0.1", port: int | None = None, lan: bool = False, names: Sequence[str] = (),
    base: str = "/",
) -> ServedTables:  # fmt: skip
    """Serve web pages for the seats of one game or several and return the server; the first game is table 1.

    Raises
    ------
    PackageError
        What serves pages is not installed.
    ValueError
        No game is named.
    """
    if not games:
        raise WrongValue(say("nothing-to-serve", "say which games to serve, e.g. nb.serve(game, other)"))
    from nomic_nb.notebook.classroom import missing_package_error

    try:
        from nomic_nb.notebook.classroom.serve import ServedTables as Served
    except ModuleNotFoundError as error:
        raise missing_package_error(error) from None
    tables = {str(at): game for at, game in enumerate(games, 1)}
    return Served(tables, host=host, port=port, lan=lan, names=names, base=base)


@explain_argument_errors
def to_notebook(game: Game, path: str | Path | None = None) -> dict[str, Any]:
    """Return a notebook, as plain data, that replays the game and checks it; also write it if a path is given.

    Parameters
    ----------
    game : Game
        The game.
    path : str or Path, optional
        Write it to this file too.

    Returns
    -------
    dict
        Jupyter's notebook format, version 4.5, as plain data.
    """
    from nomic_nb.notebook.documents import to_notebook as make

    if path is not None:
        CELL_WATCH.show_present(game.timeline)
    notebook_data = make(game)
    if path is not None:
        replace_file(Path(path), json.dumps(notebook_data, ensure_ascii=False, indent=1) + "\n")
    return notebook_data
