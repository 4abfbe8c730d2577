"""Ways to start and reopen games: from scratch, from a file that keeps them, or from a record."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, overload

from nomic_nb.chess import extension as with_chess  # noqa: F401 - games can have boards
from nomic_nb.chess.multiverse.positions import Position
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.play.events import canonical_json
from nomic_nb.engine.play.game_setup import GameSetup, check_seed
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import RECORD_MEDIUM
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.record import log
from nomic_nb.engine.record.log import check_fingerprint
from nomic_nb.engine.rulesets.literate import find_ruleset, known_rulesets, term_as_expression
from nomic_nb.notebook.game import Game
from nomic_nb.notebook.live.cells import CELL_WATCH, setup_key
from nomic_nb.notebook.live.host import position_as_recorded
from nomic_nb.notebook.live.machines import PAUSE, Machine
from nomic_nb.notebook.store import game_store
from nomic_nb.notebook.store.game_store import KeptGame
from nomic_nb.notebook.store.journal import open_store
from nomic_nb.notebook.store.journal import salvage_store as salvaged

if TYPE_CHECKING:
    import pandas as pd

#: What `new_game` takes for the source of rolls.
DICE_SOURCES = ("seeded", "table", "either", "committed")
#: Why boards are set up that `new_game` is given a position for.
AS_AGREED = "as agreed before play"


@explain_argument_errors
def rulesets() -> pd.DataFrame:
    """Return a table of the rule sets in the kit that are complete games, indexed by name.

    Returns
    -------
    DataFrame
        The rule sets, indexed by ``name`` (string), with columns ``title``, ``players``, ``source`` (string) and
        ``rules`` (int64).

    Examples
    --------
    >>> rulesets().loc["discordian-nomic", "title"]
    'Discordian Nomic'
    """
    import pandas as pd

    rule_sets = [ruleset for name in known_rulesets() if (ruleset := find_ruleset(name, language())).alone]
    rows = [
        {
            "name": rule_set.name,
            "title": rule_set.title,
            "players": rule_set.players,
            "rules": len(rule_set.rules),
            "source": rule_set.source,
        }
        for rule_set in rule_sets
    ]
    return pd.DataFrame(rows).set_index("name")


def _agreed_terms(terms: Mapping[str, object], dice: str | None, medium: str | None) -> dict[str, object]:
    """Return the settings agreed before play, with the source of the dice; refuse what cannot be agreed on."""
    agreed = dict(terms)
    if medium == RECORD_MEDIUM:  # in which the host decides what the law leaves to players
        raise WrongValue("replay-begun", "only nb.audit replays a record; a game of your own has another medium")
    if dice is not None:
        if dice not in DICE_SOURCES:
            raise WrongValue(
                "no-such-dice",
                "dice must be one of {known}; you gave {dice!r}",
                known=", ".join(DICE_SOURCES),
                dice=dice,
            )
        agreed["dice.source"] = dice
    return agreed


@explain_argument_errors
def new_game(
    ruleset: str | Path,
    players: Sequence[str],
    *,
    seed: int | None = None,
    terms: Mapping[str, object] | None = None,
    dice: str | None = None,
    order: Sequence[str] | None = None,
    medium: str | None = None,
    anew: bool = False,
    file: str | Path | None = None,
    name: str | None = None,
    position: str | Mapping[str, str] | Position | None = None,
    chance: int | None = None,
    machines: Mapping[str, Machine] | None = None,
    pause: float = PAUSE,
) -> Game:
    """Start a game with a rule set, or return the same game again if this cell or the file has already begun it.

    Parameters
    ----------
    ruleset : str or Path
        The name of a rule set that comes with the kit (see `rulesets`), or the path of a rule file.
    players : sequence of str
        Names of the players, in seating order.
    seed : int, optional
        Seed of the dice that the game rolls. By default the game chooses one and shows it. In a notebook it is
        derived from the cell, so running the cell again gives the same game; elsewhere it is random.
    terms : mapping of str to object, optional
        Settings agreed before play that differ from the rule set, by key: ``{"win.points": 30}``. A text can be a
        whole expression of the law language: ``{"win.points": "20 * count(playing)"}``.
    dice : str, optional
        Source of the dice: ``seeded`` (the game rolls), ``table`` (people roll real dice), ``either``, or
        ``committed`` (everyone seals and reveals a value, and the roll is made from all of them, so nobody has to trust
        anyone else). Default: as in the rule set.
    order : sequence of str, optional
        Names of the players in the order chosen before play. The rules can use it for the batting order of the armies,
        or for anything else. Default: seating order.
    medium : str, optional
        Medium in which the game is played, for rules that depend on it: ``computer`` (default), ``mail`` or
        ``table``. With ``record``, the game was played elsewhere and is only replayed: the host acts for its record.
    anew : bool
        Whether to begin another game each time the cell runs. The cell's earlier game is dropped, and the cells
        below play in the new one. Otherwise the cell returns the game it began, so running it again loses nothing.
    file : str or Path, optional
        File to save the game to (see `Game.keep`). If the file already has this game, with the same settings, it
        continues where it left off, and a printed line says so.
    name : str, optional
        Name of the game in the file; default ``game`` if the file has no others.
    position : str, mapping of str to str or Position, optional
        Starting position that everyone has agreed on: a FEN, or the pieces of each army. It is recorded like a call of
        `Host.set_up`; see there for the format.
    chance : int, optional
        Seed for what players seal, for programs that play many games and repeat them exactly. Anyone who knows it can
        open what is sealed. It is not saved with the game. Default: what players seal is random.
    machines : mapping of str to str or callable, optional
        Machines by player: the name of a player of the kit (``sensible``, ``random`` or ``contrary``), a function
        that takes a view and returns a reply, or a player made by `nb.multiverse.player`. See `Game.machines`.
    pause : float
        Seconds between two answers of machines in a panel or on a page.

    Returns
    -------
    Game

    Raises
    ------
    IllegalAction
        The position is impossible; the message names the field of the FEN, or the army and its piece.
    LawError
        There is no such rule set, or it does not have one of the settings.
    ValueError
        Two names look the same, the seed is not valid, the order does not list these players, or the rules do not use
        an order or a medium.
    RecordError
        The file cannot be used, or has another game with this name; the message says what to do.

    Examples
    --------
    >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> game.pending
    Ann – propose a rule change (rule 202)  → propose
    """
    agreed = _agreed_terms(terms or {}, dice, medium)
    CELL_WATCH.attach()
    for what, given in (("order", order or ()), ("players", players)):
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise WrongValue(
                "names-not-a-list", "{argument} must be a list of names, not {found!r}", argument=what, found=given
            )
    plain = {key: term_as_expression(language(), key, value) for key, value in agreed.items()}
    setting = GameSetup(
        find_ruleset(ruleset, language()), tuple(players), seed or 0, plain, tuple(order or ()), medium or ""
    )
    if file is None and name is not None:
        raise WrongValue(
            "game-name-without-file", "name=… is what the game is called in a file. Say which file with file=…"
        )
    if file is not None and anew:
        raise WrongValue(
            "anew-with-file",
            "anew=True starts a new game, but file=… continues the one in the file. To keep both, use "
            "name=… instead of anew=True",
        )
    stands = position_as_recorded(position)
    asked = setup_key(setting, seed) + (() if file is None else (Path(file).absolute(), name))
    asked += () if stands is None else (canonical_json({"position": stands}),)
    known_table = None if anew else CELL_WATCH.find_same_game(asked)
    if known_table is not None:
        return _seat_machines(Game(known_table), machines, pause)
    if file is not None:
        store = open_store(file, make=True)
        called = game_store.choose_game_name(store, name)
        if called in store.game_names():
            kept = game_store.open_game(store, called, CELL_WATCH)
            game_store.check_same_setup(kept, setting, seed, stands)
            return _tell_of_machines(_seat_machines(_resume_kept_game(kept, asked), machines, pause))
    if seed is None:
        drawn = None if anew else CELL_WATCH.seed_for_cell(asked)
        setting = replace(setting, seed=secrets.randbelow(1_000_000) if drawn is None else drawn)
    if chance is not None:
        check_seed(chance)
    timeline = Timeline(setting)
    timeline.chance = chance
    if stands is not None:
        timeline.do_as_host("set_up", {"position": stands, "agreed": list(setting.players), "reason": AS_AGREED})
    if file is not None:
        game_store.keep_new_game(store, called, timeline, CELL_WATCH)
    CELL_WATCH.note_new_game(asked, timeline)
    return _seat_machines(Game(timeline), machines, pause)


def _seat_machines(game: Game, machines: Mapping[str, Machine] | None, pause: float) -> Game:
    """Seat the machines that a game is begun with, let them answer, and return the game."""
    if machines is not None:
        game.machines.seat_as_given(machines, pause)
    game._let_machines_answer()
    return game


def _tell_of_machines(game: Game) -> Game:
    """Say which machines of a game from a file are missing; return the game."""
    for why in game.machines.trouble.values():
        CELL_WATCH.print_message(why)
    return game


def _resume_kept_game(kept: KeptGame, setup: tuple[object, ...]) -> Game:
    """Return a game reopened from its file, noted as the one that the running cell began with this setup."""
    CELL_WATCH.restore_cells(kept)
    CELL_WATCH.print_message(kept.resumed_notice)
    CELL_WATCH.note_new_game(setup, kept.timeline)
    return Game(kept.timeline)


@overload
def open(path: str | Path, name: str, *, alone: bool = False) -> Game: ...


@overload
def open(path: str | Path, name: None = None, *, alone: bool = False) -> pd.DataFrame: ...


@explain_argument_errors
def open(path: str | Path, name: str | None = None, *, alone: bool = False) -> Game | pd.DataFrame:
    """Return a game from a file, ready to continue; without a name, a table of the games in the file.

    Parameters
    ----------
    path : str or Path
        File created by ``new_game(…, file=…)`` or `Game.keep`.
    name : str, optional
        Name of the game in the file.
    alone : bool
        Whether no other process can use the file until this one ends. In a network folder it is always so.

    Returns
    -------
    Game or DataFrame
        The current game, with its forks; without a name, a table with one row per game (see
        `store.game_store.games_frame`).

    Raises
    ------
    RecordError
        The file is of another kind, has no game with this name, or does not match a replay under the rules.
    """
    store = open_store(path, alone=alone)
    if name is None:
        return game_store.games_frame(store)
    CELL_WATCH.attach()
    kept = game_store.open_game(store, name, CELL_WATCH)
    CELL_WATCH.restore_cells(kept)
    return _tell_of_machines(Game(kept.timeline))


@explain_argument_errors
def salvage(path: str | Path, to: str | Path) -> pd.DataFrame:
    """Copy everything that can be proved from a damaged file to a new file; return a table of the results.

    Each game is saved up to the point where the first event is missing or altered.

    Parameters
    ----------
    path : str or Path
        The damaged file.
    to : str or Path
        Path of the new file, which `open` can read.

    Returns
    -------
    DataFrame
        One row for each game and fork, with what was saved and what was lost; see `store.journal.salvage_store`.

    Raises
    ------
    RecordError
        There is no such file, the new file already exists, or nothing in the old one can be proved.
    """
    return salvaged(Path(path), Path(to))


@explain_argument_errors
def load(path: str | Path, *, fingerprint: str | None = None) -> Game:
    """Load a game saved by `Game.save`: replay it as a check, and compare its fingerprint if one is given.

    Parameters
    ----------
    path : str or Path
        File written by `Game.save`.
    fingerprint : str, optional
        Fingerprint returned by `Game.save` and shown under the game. A record with any other fingerprint is refused,
        even if the rules allow it. Case, spaces and hyphens do not matter.

    Returns
    -------
    Game

    Raises
    ------
    RecordError
        The record cannot be loaded (the message names the line), or it has a different fingerprint (the message gives
        it).
    ValueError
        The text is not a fingerprint.
    """
    timeline = log.load(Path(path))
    if fingerprint is not None:
        check_fingerprint(timeline, fingerprint)
    return Game(timeline)
