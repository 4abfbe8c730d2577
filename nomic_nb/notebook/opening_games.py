"""How games begin and come back: anew, out of a file that keeps them, from a record."""

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
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.events import canonical_json
from nomic_nb.engine.play.game_setup import GameSetup
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.record import log
from nomic_nb.engine.record.log import check_fingerprint
from nomic_nb.engine.rulesets.literate import find_ruleset, known_rulesets, term_as_expression
from nomic_nb.notebook.game import Game
from nomic_nb.notebook.live.cells import CELL_WATCH, setup_key
from nomic_nb.notebook.live.host import position_as_recorded
from nomic_nb.notebook.store import game_store
from nomic_nb.notebook.store.game_store import KeptGame
from nomic_nb.notebook.store.journal import open_store
from nomic_nb.notebook.store.journal import salvage_store as salvaged

if TYPE_CHECKING:
    import pandas as pd

#: What `new_game` takes for the source of throws.
DICE_SOURCES = ("seeded", "table", "either", "committed")
#: Why boards are set up that `new_game` is given a position for.
AS_AGREED = "as agreed before play"


@explain_argument_errors
def rulesets() -> pd.DataFrame:
    """Return a table of the rule sets that come with the kit and are complete games, by name.

    Returns
    -------
    DataFrame
        Indexed by ``name`` (string), with ``title``, ``players``, ``source`` (string) and ``rules`` (int64).

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
) -> Game:
    """Return a new game by a rule set, or the same game again if this cell or the file has begun it.

    Parameters
    ----------
    ruleset : str or Path
        The name of a rule set that comes with the kit (see `rulesets`), or the path of a rule file.
    players : sequence of str
        Their names, in seating order.
    seed : int, optional
        From which the game's own dice are drawn. Where it is not given, one is drawn, and shown: from the
        cell in a notebook, so that running it again gives the same game; by chance elsewhere.
    terms : mapping of str to object, optional
        Terms agreed otherwise than the rule set has them, by key: ``{"win.points": 30}``. A text can be a whole
        expression of the law language: ``{"win.points": "20 * count(playing)"}``.
    dice : str, optional
        ``seeded`` (only the game's own dice), ``table`` (only dice thrown by hand), ``either``, or
        ``committed`` (drawn from what all seal and reveal, so that none need trust another); what the
        rule set says where it is not given.
    order : sequence of str, optional
        The players in the order in which their armies shall bat, or whatever else the rules do in the order
        that was chosen before play; their seating order, where it is not given.
    medium : str, optional
        Where the game is played, for rules that differ by it: ``computer`` (where it is not given),
        ``mail`` or ``table``.
    anew : bool
        Begin another game whenever the cell runs, and drop the one that it began before; the cells below play in
        the new one. Otherwise the cell gives the game that it began, so that running it again loses nothing.
    file : str or Path, optional
        Keep the game in this file (see `Game.keep`). Where it has the game already, agreed in the same way, the
        game goes on where it was left, and a line says so.
    name : str, optional
        What it is called in the file; ``game``, where nothing is said and there are no others.
    position : str, mapping of str to str or Position, optional
        How the boards stand when play begins, as all have agreed: a FEN, or the pieces of every army; see
        `Host.set_up`, as which it is recorded.

    Returns
    -------
    Game

    Raises
    ------
    IllegalAction
        The boards cannot stand so, with the field of the FEN, or the army and its piece.
    LawError
        There is no such rule set, or a term that it does not have.
    ValueError
        Names that cannot be told apart, a seed that is none, an order that is not one of these players, or
        an order or a medium that the rules do not look at.
    RecordError
        The file cannot be used, or has another game of this name; with what to do.

    Examples
    --------
    >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> game.pending
    Ann – propose a rule change (rule 202)  → propose
    """
    agreed = dict(terms or {})
    if dice is not None:
        if dice not in DICE_SOURCES:
            raise WrongValue(
                say("no-such-dice", "dice are {known}; found {dice!r}", known=", ".join(DICE_SOURCES), dice=dice)
            )
        agreed["dice.source"] = dice
    CELL_WATCH.attach()
    for what, given in (("order", order or ()), ("players", players)):
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise WrongValue(
                say("names-not-a-list", "{argument} is a list of names; found {found!r}", argument=what, found=given)
            )
    plain = {key: term_as_expression(language(), key, value) for key, value in agreed.items()}
    setting = GameSetup(
        find_ruleset(ruleset, language()), tuple(players), seed or 0, plain, tuple(order or ()), medium or ""
    )
    if file is None and name is not None:
        raise WrongValue(
            say("game-name-without-file", "a name is what a game is called in a file: file=… says in which")
        )
    if file is not None and anew:
        raise WrongValue(
            say(
                "anew-with-file",
                "anew=True begins another game, file=… goes on with the one that is there: name=… keeps both",
            )
        )
    stands = position_as_recorded(position)
    asked = setup_key(setting, seed) + (() if file is None else (Path(file).absolute(), name))
    asked += () if stands is None else (canonical_json({"position": stands}),)
    known_table = None if anew else CELL_WATCH.find_same_game(asked)
    if known_table is not None:
        return Game(known_table)
    if file is not None:
        store = open_store(file, make=True)
        called = game_store.choose_game_name(store, name)
        if called in store.game_names():
            kept = game_store.open_game(store, called, CELL_WATCH)
            game_store.check_same_setup(kept, setting, seed, stands)
            return _resume_kept_game(kept, asked)
    if seed is None:
        drawn = None if anew else CELL_WATCH.seed_for_cell(asked)
        setting = replace(setting, seed=secrets.randbelow(1_000_000) if drawn is None else drawn)
    timeline = Timeline(setting)
    if stands is not None:
        timeline.do_as_host("set_up", {"position": stands, "agreed": list(setting.players), "reason": AS_AGREED})
    if file is not None:
        game_store.keep_new_game(store, called, timeline, CELL_WATCH)
    CELL_WATCH.note_new_game(asked, timeline)
    return Game(timeline)


def _resume_kept_game(kept: KeptGame, setup: tuple[object, ...]) -> Game:
    """Return a game reopened from its file, noted as the one that the running cell began with this setup."""
    CELL_WATCH.restore_cells(kept)
    CELL_WATCH.print_message(kept.resumed_notice)
    CELL_WATCH.note_new_game(setup, kept.timeline)
    return Game(kept.timeline)


@overload
def open(path: str | Path, name: str) -> Game: ...


@overload
def open(path: str | Path, name: None = None) -> pd.DataFrame: ...


@explain_argument_errors
def open(path: str | Path, name: str | None = None) -> Game | pd.DataFrame:
    """Return the game of this name in a file, to play on; a table of the file's games if no name is given.

    Parameters
    ----------
    path : str or Path
        A file that ``new_game(…, file=…)`` or `Game.keep` made.
    name : str, optional
        What the game is called there.

    Returns
    -------
    Game or DataFrame
        The game as it stands, with its forks; without a name, one row a game, see `store.games.frame`.

    Raises
    ------
    RecordError
        It is no such file, has no game of this name, or what is in it is not what the rules make of it.
    """
    store = open_store(path)
    if name is None:
        return game_store.games_frame(store)
    CELL_WATCH.attach()
    kept = game_store.open_game(store, name, CELL_WATCH)
    CELL_WATCH.restore_cells(kept)
    return Game(kept.timeline)


@explain_argument_errors
def salvage(path: str | Path, to: str | Path) -> pd.DataFrame:
    """Copy what is provable of each game in a damaged file to a new file `to`; return a table of what is saved.

    Each game is saved up to the last event before which nothing is missing or altered.

    Parameters
    ----------
    path : str or Path
        The damaged file.
    to : str or Path
        The path of a new file, which `open` opens.

    Returns
    -------
    DataFrame
        A row for each game and fork, with what is saved and what is lost; see `store.salvage.salvage`.

    Raises
    ------
    RecordError
        There is no such file, the new one is there already, or nothing can be proved.
    """
    return salvaged(Path(path), Path(to))


@explain_argument_errors
def load(path: str | Path, *, fingerprint: str | None = None) -> Game:
    """Return a game saved by `Game.save` after checking it by a replay, and its fingerprint if one is given.

    Parameters
    ----------
    path : str or Path
        A file that `Game.save` wrote.
    fingerprint : str, optional
        What `Game.save` returned, and what stood under the game: another record is refused, even one that the
        rules allow. Small letters, blanks and hyphens do not matter.

    Returns
    -------
    Game

    Raises
    ------
    RecordError
        With the line that is at fault, or with the fingerprint of the record that it is.
    ValueError
        The fingerprint is none.
    """
    timeline = log.load(Path(path))
    if fingerprint is not None:
        check_fingerprint(timeline, fingerprint)
    return Game(timeline)
