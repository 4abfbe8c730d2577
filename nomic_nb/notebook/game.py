"""A game of Nomic, as players, teachers and authors of records use it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from nomic_nb.engine import display
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import RecordError, WrongValue
from nomic_nb.engine.law.changes import Change, Renaming
from nomic_nb.engine.messages import say
from nomic_nb.engine.record.log import replace_file
from nomic_nb.engine.record.seals import describe_readable_secrets
from nomic_nb.engine.words import count_phrase
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.live.machines import Machines, machines_of
from nomic_nb.notebook.live.player_actions import read_change_argument
from nomic_nb.notebook.store import game_store
from nomic_nb.notebook.store.journal import open_store
from nomic_nb.study import library as library
from nomic_nb.study.library import LibraryRule
from nomic_nb.study.packages import refuse_in_browser
from nomic_nb.study.views.explanations import explain as explain

if TYPE_CHECKING:
    import pandas as pd

    from nomic_nb.notebook.classroom.serve import ServedTables
    from nomic_nb.notebook.documents.edition import EditionOptions
    from nomic_nb.notebook.panels.seat import Seat
    from nomic_nb.notebook.panels.widget import Panel
    from nomic_nb.study.drafting import DraftedRule
    from nomic_nb.study.library.phrase_book import Suggestions
    from nomic_nb.study.plots import Plots
    from nomic_nb.study.review.applicable_rules import ApplicableRules
    from nomic_nb.study.review.preview import ProposalPreview
    from nomic_nb.study.review.review import Review
    from nomic_nb.study.search.dead_ends import DeadEnds
    from nomic_nb.study.search.loopholes import Loopholes
    from nomic_nb.study.what_if import WhatIf


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
    """A game of Nomic, to play, review, show and save.

    `new_game` begins one and `load` reads a saved one. Every method that performs an action calls `do`, which checks
    the action against the rules in force. A refused action leaves the game exactly as it was.

    Parameters
    ----------
    timeline : Timeline
        The events of the game.
    """

    def review(
        self, player: str, change: Change | LibraryRule | Renaming, number: int | None = None, *,
        without: str | Iterable[str] = (), loopholes: bool = False,
    ) -> Review:  # fmt: skip
        """Return a review of what a change would do if a player proposed it; the game does not change.

        Parameters
        ----------
        player : str
            The player who would propose it.
        change : Change or LibraryRule
            The change to review.
        number : int, optional
            Its number, if numbers are assigned from outside. It may affect which rule prevails.
        without : str or iterable of str, optional
            Codes or kinds of warnings to leave out; the page `warnings` lists them.
        loopholes : bool
            Whether to search for what the change would let single players reach against all others. This takes
            seconds.

        Returns
        -------
        Review
        """
        from nomic_nb.study.review.review import review_change

        made = review_change(self.timeline, player, read_change_argument(change, self.state), number, without)
        if not loopholes:
            return made
        from nomic_nb.study.search.opened import sentences_on_loopholes

        return replace(made, loopholes=sentences_on_loopholes(self.timeline, made.adoption))

    def preview(
        self, player: str, change: Change | LibraryRule | Renaming, number: int | None = None
    ) -> ProposalPreview:  # fmt: skip
        """Return what voters would see of a change if a player proposed it; nothing is proposed.

        Parameters
        ----------
        player : str
            The player who would propose it.
        change : Change or LibraryRule
            The change.
        number : int, optional
            Its number, if numbers are assigned from outside.

        Returns
        -------
        ProposalPreview

        Examples
        --------
        >>> from nomic_nb.engine.law.changes import repeal
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> print(game.preview("Ben", repeal(206)).refusal)
        It’s Ann’s turn, not Ben’s (rule 201). Possible now: Ann: propose.
        >>> len(game.proposals)
        0
        """
        from nomic_nb.study.review.preview import preview_change

        return preview_change(self.timeline, player, read_change_argument(change, self.state), number)

    def loopholes(
        self, who: str | Sequence[str], others: str = "against", goal: str = "win", *, depth: int = 2,
        seconds: float = 5, steps: int = 50_000, changes: Sequence[Change] = (),
    ) -> Loopholes:  # fmt: skip
        """Return what some players can reach against the others, whatever the dice show; the game does not change.

        Parameters
        ----------
        who : str or sequence of str
            Players who look for a loophole together.
        others : str
            How all others vote: ``against``, ``for``, ``silent``, ``absent`` or ``worst``.
        goal : str
            ``win``, ``others lose``, ``lock``, ``capture``, ``gain``, ``circle``, ``stuck``, or a condition of the rule
            language.
        depth : int
            Deeds in a line at most; what play waits for is not counted.
        seconds : float
            Processor time at most.
        steps : int
            Acts that are tried at most.
        changes : sequence of Change
            Changes to propose beside those that the search makes.

        Returns
        -------
        Loopholes
            Its ``claim`` says what was found, or *none within* these bounds, or why it is *not decided*.

        Raises
        ------
        ValueError
            A bound, a goal or a way to vote that cannot be used.
        IllegalAction
            Nobody of such a name plays.

        Examples
        --------
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> game = new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=7)
        >>> game.loopholes("Ann").claim
        'found: Ann wins with 1 deed, others against, rolls at their worst'
        """
        from nomic_nb.notebook.documents.notebook import certificate_cells
        from nomic_nb.study.search.loopholes import find_loopholes

        given = [read_change_argument(change, self.state) for change in changes]
        found = find_loopholes(
            self.timeline, who, others, goal, depth=depth, seconds=seconds, steps=steps, changes=given
        )  # fmt: skip
        shown = (
            replace(one, cells=certificate_cells(self, one), kind=type(self)) for one in found.certificates
        )  # fmt: skip
        return replace(found, certificates=tuple(shown))

    def dead_ends(self, seconds: float = 5) -> DeadEnds:
        """Return whether rule changes can still pass, somebody can still win, and play can go on.

        Each dead end is proved, refuted with a witness, or not decided; the game does not change.

        Parameters
        ----------
        seconds : float
            Processor time at most for the search for a win.

        Returns
        -------
        DeadEnds

        Examples
        --------
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> game.dead_ends().changes.verdict
        'refuted'
        """
        from nomic_nb.study.search.dead_ends import find_dead_ends

        return find_dead_ends(self.timeline, seconds)

    def what_if(self, event: int, ballot: str | None = None, roll: int | None = None) -> WhatIf:
        """Return what another ballot or another roll would have changed; the game does not change.

        The acts after it are played again with the same dice, as far as the record still fits.

        Parameters
        ----------
        event : int
            Number of the event in which the ballot was cast or the dice were rolled; `pivots` has those of ballots.
        ballot : str, optional
            The other ballot; default the opposite one.
        roll : int, optional
            Sum that the dice show instead.

        Returns
        -------
        WhatIf
            A sentence. ``verdict`` is ``same end``, ``another winner`` or ``no longer fits``; ``misfit`` is the first
            event that no longer fits, and ``play()`` returns the game as far as it could be played.

        Raises
        ------
        ValueError
            This event has no ballot or roll that can be changed in this way.

        Examples
        --------
        >>> from nomic_nb.engine.law.changes import repeal
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> proposal = game.propose("Ann", repeal(206))
        >>> tally = game.votes("for")
        >>> game.what_if(game.pivots["event"].iloc[1]).verdict
        'same end'
        """
        from nomic_nb.study.what_if import what_if

        return replace(what_if(self.timeline, event, ballot, roll), kind=type(self))

    @property
    def pivots(self) -> pd.DataFrame:
        """Whose ballot decided: one row for each voter of each vote, including those who did not vote.

        Its columns are those of `study.review.pivots.pivots_frame`.
        ``pivotal`` is whether another ballot of this voter alone would have changed the result, by the law of that
        vote; ``needed`` is the weight in favour that passed it, and ``event`` the number for `what_if`.

        Examples
        --------
        >>> from nomic_nb.engine.law.changes import repeal
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> proposal = game.propose("Ann", repeal(206))
        >>> tally = game.votes("for")
        >>> game.pivots["pivotal"].tolist()
        [True, True]
        """
        from nomic_nb.study.review.pivots import pivots_frame

        return pivots_frame(self.timeline)

    @property
    def plots(self) -> Plots:
        """Ready-made plots: ``game.plots.scores`` is a figure with its table in ``data``, and ``svg`` with a package.

        See `study.plots.Plots`: agreement, power, quota, lifelines, survival, tiers, scores, margins and votes.
        """
        from nomic_nb.study.plots import Plots

        return Plots(self.timeline)

    @property
    def library(self) -> ApplicableRules:
        """The ready-made rules that would have an effect in this game, with the rules each one amends."""
        from nomic_nb.study.review.applicable_rules import ApplicableRules

        return ApplicableRules(self.state)

    def suggest(self, wording: str) -> Suggestions:
        """Return the nearest phrases and ready-made rules for a wording that can be read in this game.

        Rules that would be void at once are left out.

        Parameters
        ----------
        wording : str
            A sentence, as players say it. Numbers, and the name of a player, are filled in if their place is certain.

        Examples
        --------
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> game.suggest("everyone gets five points when the round is over")[0].law
        'on circuit_ended: award 5 points to playing'
        """
        from nomic_nb.study.review.fitting import suggest_in_game

        return suggest_in_game(self.state, wording)

    def draft(
        self, wording: str, ask: Callable[[str], str], *, player: str | None = None, tries: int = 3
    ) -> DraftedRule:  # fmt: skip
        """Return clauses for a wording, written by a scribe such as a language model, checked and reviewed.

        Nothing is proposed, and the record keeps none of it.

        Parameters
        ----------
        wording : str
            The wording of the rule.
        ask : callable
            A function that takes a text and returns the answer as text.
        player : str, optional
            Who would propose it; default the player whose turn it is.
        tries : int
            How often the scribe may be asked, from 1 to 5.

        Raises
        ------
        IllegalAction
            The scribe failed, or none of its answers are clauses that can be read in this game.
        """
        from nomic_nb.study.drafting import draft

        return draft(wording, ask, state=self.state, player=player or self.player or "", tries=tries)

    def panel(self, seat: str | None = None) -> Panel:
        """Return a widget for playing the whole game, as the player `seat` or as all players.

        Parameters
        ----------
        seat : str, optional
            Player whose decisions are shown; default all players, who share the panel.
        """
        return self._make_panel(seat, "all")

    def _make_panel(self, seat: str | None, *parts: str) -> Panel:
        """Return a widget with some parts of the panel, for one player or (if None) for all."""
        from nomic_nb.notebook.panels.widget import Panel

        return Panel(self, seat, parts)

    def tally_panel(self, seat: str | None = None) -> Panel:
        """Return a widget for seeing proposals and voting on them, as the player `seat` or as all players.

        Parameters
        ----------
        seat : str, optional
            Player whose ballots can be cast there; default all players.
        """
        return self._make_panel(seat, "vote", "selection")

    def proposal_panel(self, seat: str | None = None) -> Panel:
        """Return a widget with the proposal form and a preview, for `seat` or the player whose turn it is to propose.

        Parameters
        ----------
        seat : str, optional
            Player who proposes there; default the player whose turn it is to propose.
        """
        return self._make_panel(seat, "proposal", "selection")

    def multiverse_panel(self, seat: str | None = None) -> Panel:
        """Return a widget for moving on the boards, as the player `seat` or as all players; empty without boards.

        Parameters
        ----------
        seat : str, optional
            Player whose moves can be made there; default all players.
        """
        return self._make_panel(seat, "boards", "selection")

    def law_panel(self, seat: str | None = None) -> Panel:
        """Return a widget with the law book, search and explanations, in which the player `seat` can propose changes.

        Parameters
        ----------
        seat : str, optional
            Player who proposes there; default the player whose turn it is to propose.
        """
        return self._make_panel(seat, "law")

    def history_panel(self, seat: str | None = None) -> Panel:
        """Return a widget that shows the game after any event; without `seat`, you can also comment and branch.

        Parameters
        ----------
        seat : str, optional
            Player viewing the panel. Without it, you can also write comments and start branches from an event.
        """
        return self._make_panel(seat, "history")

    def host_panel(self) -> Panel:
        """Return the host's widget, for absences, pauses, a show of hands, undo and saving."""
        return self._make_panel(None, "host")

    def judge_panel(self, seat: str | None = None) -> Panel:
        """Return a widget for ruling, overruling and letting play continue, as the player `seat` or as all players.

        Parameters
        ----------
        seat : str, optional
            Player who decides there; default all players.
        """
        return self._make_panel(seat, "judge")

    def score_panel(self, seat: str | None = None) -> Panel:
        """Return a widget with the score, polls, open decisions and latest events, for the player `seat` or for all.

        Parameters
        ----------
        seat : str, optional
            Player viewing the panel; default all players.
        """
        return self._make_panel(seat, "score", "polls", "past")

    def seat(self, player: str) -> Seat:
        """Return the seat of a player, for a program that plays: it sees no more, and can do no more, than the player.

        Parameters
        ----------
        player : str
            The player.

        Returns
        -------
        Seat
            ``view()`` has what the player sees as plain data, ``act(reply)`` answers, and ``try_out(reply)`` shows the
            view after an answer.

        Raises
        ------
        IllegalAction
            No player has this name.

        Examples
        --------
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> seat = new_game("discordian-nomic", ["Ann", "Ben"], seed=7).seat("Ann")
        >>> [asked["action"] for asked in seat.view()["asked"]]
        ['propose']
        """
        from nomic_nb.notebook.panels.seat import Seat

        return Seat(self, player)

    @property
    def machines(self) -> Machines:
        """The machines at the table: ``game.machines["Ben"] = "sensible"`` seats one, and ``del`` takes the seat back.

        A machine plays whenever play waits for its player: in cells at once, in panels and on pages at a pace that
        people can follow. A function that takes a view and returns a reply works as well, and so does a player made by
        `nb.multiverse.player`: it chooses among the moves that the law offers, and a sensible player does the rest.

        Examples
        --------
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> from nomic_nb.engine.law.changes import repeal
        >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> game.machines["Ben"] = "contrary"
        >>> proposal = game.propose("Ann", repeal(206))
        Ben (machine) votes against proposal 301.
        >>> del game.machines["Ben"]
        """
        from nomic_nb.notebook.panels.seat import Seat

        return Machines(self, partial(Seat, self))

    def _let_machines_answer(self) -> None:
        """Let machines answer what has just happened."""
        table = machines_of(self._timeline)
        if table.players or table.acts:
            self.machines.answer()

    def serve(
        self, *, host: str = "127.0.0.1", port: int | None = None, lan: bool = False, names: Sequence[str] = (),
        base: str = "/", hub: bool = False,
    ) -> ServedTables:  # fmt: skip
        """Serve a web page for each player from this process, for phones or other windows; return the server.

        Parameters
        ----------
        host : str
            Address to listen on.
        port : int, optional
            Port; default 8777, or the next free one.
        lan : bool
            Whether other devices on the network, such as phones, can connect.
        names : sequence of str
            Other host names of this machine, or those of the proxy if there is one.
        base : str
            Path prefix, if there is a proxy.
        hub : bool
            Whether devices connect through a JupyterHub or Binder, without a login (see the page *Panels and pages*).

        Returns
        -------
        ServedTables
            The server. It shows the addresses and, for each player, a secret link with its QR code; ``close()``
            stops it.
        """
        return serve(self, host=host, port=port, lan=lan, names=names, base=base, hub=hub)

    def to_html(self, path: str | Path | None = None, **edition: Unpack[EditionOptions]) -> str | None:
        """Return the game as one HTML page to read and print, or write the page to a path and return None.

        The page shows the moves one by one, next to the rules and the score; the record turn by turn, with comments and
        pictures of boards; the law book; and the ledger. It is a single file that loads nothing else.

        Parameters
        ----------
        path : str or Path, optional
            File to write to.
        title, event, date, annotator, introduction : str, optional
            Texts for the title page.
        players : mapping of str to str, optional
            Names to show there, keyed by the players' names in the game.
        chapters : mapping or sequence of str, optional
            Headings, keyed by the place they come before, such as ``{"turn 1": "The opening", "ply 7": "A tube"}``
            (``proposal 303`` and ``event 40`` work as well); or a sequence with one heading per turn.
        fold, tallies, hide, plots, embed : optional
            What is folded, shortened, left out and drawn, and whether the page goes into another one; see the page
            *Records*.
        parts, without : collection of str, optional
            Parts to include, and parts to leave out: contents, moves, game, pictures, comments, side lines, taken
            back, judgments, law, ledger.

        Raises
        ------
        ValueError
            There is no such player, turn, move, proposal, event or part.
        LawError
            A text is not a string, or is too long.
        """
        from nomic_nb.notebook.documents import Edition, to_html

        document_edition = explain_argument_errors(Edition)(**edition)
        return _write_or_return_page(self, lambda game: to_html(game, document_edition), path)

    def to_markdown(self, path: str | Path | None = None, **edition: Unpack[EditionOptions]) -> str | None:
        """Return the game as Markdown without pictures, or write it with pictures to a path and return None.

        Parameters
        ----------
        path : str or Path, optional
            File to write to; the pictures (SVG) go into a folder next to it (``game.md`` and ``game-pictures``).
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
        pictures.write(Path(path))
        replace_file(Path(path), text)
        return None

    def bibtex(self, **edition: Unpack[EditionOptions]) -> str:
        r"""Return a BibTeX entry for the game, with the texts of its title page.

        Parameters
        ----------
        **edition
            As in `to_html`; ``annotator`` is the author, and the first four digits of ``date`` are the year.

        Examples
        --------
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> print(game.bibtex(title="Tea & law", annotator="Cleo", date="2026-05-01"))
        @misc{nomic-7R9LDY55,
          title = {Tea \& law},
          author = {Cleo},
          year = {2026},
          note = {Record of a game of Discordian Nomic, fingerprint 7R9LDY55},
        }
        """
        from nomic_nb.notebook.documents import Edition, bibtex

        return bibtex(self, explain_argument_errors(Edition)(**edition))

    def deposit(self, folder: str | Path, **edition: Unpack[EditionOptions]) -> list[str]:
        """Write all that an archive needs into a folder, and return the names of the files.

        There are the record, the page, tables that read back from CSV, PGN if there were moves on boards,
        ``CITATION.cff`` and a BibTeX entry.

        Parameters
        ----------
        folder : str or Path
            The folder; it is created if it does not exist. Files of an earlier call are replaced.
        **edition
            As in `to_html`.

        Raises
        ------
        RecordError
            The files cannot be written there, or some ballots are still sealed.
        ValueError, LawError
            As in `to_html`.
        """
        from nomic_nb.notebook.documents import Edition, write_deposit

        if secrets := describe_readable_secrets(self.timeline):
            raise RecordError("deposit-with-secrets", "the record would tell secrets: {secrets}", secrets=secrets)
        CELL_WATCH.show_present(self.timeline)
        return write_deposit(self, Path(folder), explain_argument_errors(Edition)(**edition))

    def law_book(self, path: str | Path | None = None) -> str | None:
        """Return the law book as an HTML page for printing, or write the page to a path and return None.

        Parameters
        ----------
        path : str or Path, optional
            File to write to.
        """
        from nomic_nb.notebook.documents import law_book_html

        return _write_or_return_page(self, law_book_html, path)

    def rule_file(self, path: str | Path | None = None) -> str | None:
        """Return the rules in force as a rule file for new games, or write the file to a path and return None.

        The text is read back and compared before the file is written. Rules that are currently void are marked as void.
        Scores and the players' answers are not included. To carry scores over, everyone agrees on them with
        `host.correct`.

        Parameters
        ----------
        path : str or Path, optional
            File to write to, such as ``our-law.md``.

        Raises
        ------
        RecordError
            Some rules cannot be written as they are (the message names them), or the file name does not end in ``.md``.
        """
        from nomic_nb.engine.record.rule_file import rule_file_text

        if path is not None and Path(path).suffix != ".md":
            raise RecordError(
                "rule-file-name-without-md",
                "the name of a rule file must end in .md, or no game can start from it; you gave {path}",
                path=path,
            )
        name = "our-law" if path is None else Path(path).stem
        return _write_or_return_page(self, lambda game: rule_file_text(game.timeline, name), path)

    def keep(self, path: str | Path, name: str | None = None, *, alone: bool = False) -> None:
        """Save the game to a file under a name, now and after every step.

        A file can hold several games. If it already has this game, and the game went further there, play continues from
        there.

        Parameters
        ----------
        path : str or Path
            The file (SQLite, such as ``game.sqlite``); it is created if it does not exist.
        name : str, optional
            Name of the game in the file; default ``game`` if the file has no others.
        alone : bool
            Whether no other process can use the file until this one ends. In a network folder it is always so.

        Raises
        ------
        RecordError
            The file cannot be used, it has another game with this name, or this game is already kept elsewhere. The
            message says what to do.
        """
        CELL_WATCH.show_present(self.timeline)
        if self._timeline.keeper is None and CELL_WATCH.is_rewound(self._timeline):
            raise RecordError(
                "cell-plays-again", "this cell is replaying what it played before. Call game.keep in a separate cell"
            )
        store, before = open_store(path, make=True, alone=alone), self.state.seq
        known = self._timeline.keeper
        kept = game_store.keep_new_game(store, game_store.choose_game_name(store, name), self._timeline, CELL_WATCH)
        if known is None and self.state.seq > before:
            CELL_WATCH.restore_cells(kept)
            CELL_WATCH.print_message(kept.resumed_notice)
        self.machines.keep()


@explain_argument_errors
def serve(
    *games: Game, host: str = "127.0.0.1", port: int | None = None, lan: bool = False, names: Sequence[str] = (),
    base: str = "/", hub: bool = False,
) -> ServedTables:  # fmt: skip
    """Serve web pages for the players of one or more games and return the server; the first game is table 1.

    Raises
    ------
    PackageError
        The packages that serve pages are not installed.
    OSError
        This is a browser, which cannot serve pages.
    ValueError
        No game is given.
    """
    refuse_in_browser("serve pages")
    if not games:
        raise WrongValue("nothing-to-serve", "say which games to serve, e.g. nb.serve(game, other)")
    from nomic_nb.notebook.classroom import missing_package_error

    try:
        from nomic_nb.notebook.classroom.serve import ServedTables as Served
    except ModuleNotFoundError as error:
        raise missing_package_error(error) from None
    tables = {str(at): game for at, game in enumerate(games, 1)}
    return Served(tables, host=host, port=port, lan=lan, names=names, base=base, hub=hub)


@explain_argument_errors
def to_notebook(game: Game, path: str | Path | None = None) -> dict[str, Any]:
    """Return a notebook, as plain data, that replays the game and checks it; if given a path, write it there as well.

    Parameters
    ----------
    game : Game
        The game.
    path : str or Path, optional
        File to write to as well.

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


class PseudonymousGame(Game):
    """A game whose players have pseudonyms.

    Attributes
    ----------
    lookalikes : DataFrame
        Words that only look like an old name: ``event`` (int64), ``word`` and the ``text`` around it (string).
    """

    lookalikes: pd.DataFrame


@explain_argument_errors
def pseudonyms(game: Game, names: Mapping[str, str]) -> PseudonymousGame:
    """Return a game played again with other names for its players, in acts, wordings, clauses and comments.

    It has its own fingerprint, and a comment says that the names are pseudonyms. The game itself does not change.

    Parameters
    ----------
    game : Game
        The game.
    names : mapping of str to str
        The new names, keyed by the names in the game.

    Returns
    -------
    PseudonymousGame
        A game; ``lookalikes`` lists words that only look like an old name, such as “Anna” for Ann. Read them before
        you publish.

    Raises
    ------
    ValueError
        A name that nobody has, or that two players would have.
    RecordError
        With these names the game would go on differently, or its file would not replay.

    Examples
    --------
    >>> from nomic_nb.engine.law.changes import enact
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> _ = game.propose("Ann", enact("Ann bows to Ben, and Anna to all."))
    >>> other = pseudonyms(game, {"Ann": "North", "Ben": "South"})
    Read `lookalikes` before you publish: 1 word.
    >>> print(other.proposals[301].change.wording, other.lookalikes["word"].tolist())
    North bows to South, and Anna to all. ['Anna']
    """
    from nomic_nb.notebook.documents import with_pseudonyms

    timeline, lookalikes = with_pseudonyms(game, names)
    made = PseudonymousGame(timeline)
    made.lookalikes = lookalikes
    if len(lookalikes):
        count = count_phrase(len(lookalikes), "word")
        CELL_WATCH.print_message(say("words-like-names", "Read `lookalikes` before you publish: {count}.", count=count))
    return made


@explain_argument_errors
def portfolios(games: Game | Sequence[Game] | Mapping[str, Game], folder: str | Path) -> list[str]:
    """Write everything about one or more games into a folder, to hand out after a lesson; return the file names.

    There is a page to print for each player, a table of the class (``class.csv``), and for each game its record, its
    law book and a rule file from which the next game can begin. Ballots that are still sealed are in none of them.

    Parameters
    ----------
    games : Game, sequence of Game or mapping of str to Game
        The games; in a mapping, the keys are the names of the tables. Otherwise these are ``table 1``, ``table 2`` …
    folder : str or Path
        The folder; it is created if it does not exist. Files that an earlier call wrote there are replaced.

    Returns
    -------
    list of str
        The names of the files. A printed line says what could not be written, such as the record of a game with sealed
        ballots.

    Raises
    ------
    RecordError
        The files cannot be written there.
    ValueError
        No game is given.
    """
    from nomic_nb.notebook.documents.portfolio import write_portfolios

    if isinstance(games, Game):
        games = [games]
    tables = games if isinstance(games, Mapping) else {f"table {at}": game for at, game in enumerate(games, 1)}
    tables = {str(name): game for name, game in tables.items()}
    if not tables:
        raise WrongValue("no-game-given", "say which games, e.g. nb.portfolios([game, other], folder)")
    for game in tables.values():
        CELL_WATCH.show_present(game.timeline)
    written, missing = write_portfolios(tables, Path(folder))
    for sentence in missing:
        CELL_WATCH.print_message(sentence)
    return written
