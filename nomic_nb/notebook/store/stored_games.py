"""The games of a store: begun, opened again, found where they were left, listed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from nomic_nb.engine.errors import RecordError, WrongValue
from nomic_nb.engine.law.changes import check_text_storable
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.dice import SealOpening
from nomic_nb.engine.play.events import canonical_json
from nomic_nb.engine.play.game_setup import GameSetup
from nomic_nb.engine.play.record_limits import LARGEST_HEADER, hash_of_line, read_record_line
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record.log import RecordReader, record_lines
from nomic_nb.notebook.store.file import StepConflict
from nomic_nb.notebook.store.game_store import KeptGame, StoreSession, openings_of_commitments, revealed_commitments
from nomic_nb.notebook.store.journal import MAIN_BRANCH, GameStore, StoredBranch
from nomic_nb.study.frames import column_types, make_frame

if TYPE_CHECKING:
    import pandas as pd

#: What a game is called where nobody says, and letters of a name.
NAME, LONGEST_NAME = "game", 60


def choose_game_name(store: GameStore, name: str | None) -> str:
    """Return the name under which a game is kept in a store: the given or the default one.

    Raises
    ------
    LawError, ValueError
        This is no name.
    RecordError
        Nobody says which, and there are others.
    """
    if name is not None:
        check_text_storable("name of a game", name, LONGEST_NAME)
        if not name.strip():
            raise WrongValue(say("game-name-without-letters", "the name of a game has at least one letter or digit"))
        return name
    games = store.game_names()
    if games and NAME not in games:
        raise RecordError(
            say(
                "store-has-other-games",
                "{path} has {games}: name=… begins another game beside, nb.open({path!r}, name) goes on with one",
                path=str(store.path),
                games=_quote_names(games),
            )
        )
    return NAME


def _quote_names(games: list[str]) -> str:
    return ", ".join(f"“{game}”" for game in games[:12]) + (" …" if len(games) > 12 else "")


def keep_new_game(store: GameStore, game: str, timeline: Timeline, session: StoreSession) -> KeptGame:
    """Keep a game and its forks in a store from now on.

    Raises
    ------
    RecordError
        There is another one of this name, it is kept elsewhere, or it is only looked at.
    """
    keeper = timeline.keeper
    if timeline.past:
        raise RecordError(
            say("past-game-not-kept", "this is the game as it stood: keep the game itself, or a fork of it")
        )
    if isinstance(keeper, KeptGame):
        if keeper.store is store and keeper.game == game:
            return keeper
        raise RecordError(
            say(
                "game-kept-already",
                "this game is {where} already; game.save(path) writes a copy",
                where=keeper.location_text,
            )
        )
    with timeline.lock:
        lines = list(record_lines(timeline))[:-1]
        heads = [hash_of_line(line) for line in lines]
        try:
            gone, openings = (
                revealed_commitments(timeline.events, timeline),
                openings_of_commitments(timeline.events, timeline),
            )
            store.add_branch(
                game,
                StoredBranch(MAIN_BRANCH, "", 0),
                "",
                lines,
                {commitment: openings[commitment] for commitment in openings if commitment not in gone},
            )
        except StepConflict:
            return _resume_game(store, game, timeline, heads, session)
        kept = _make_kept_game(store, game, timeline, heads, session)
        _store_forks(kept, timeline)
    return kept


def _make_kept_game(
    store: GameStore, game: str, timeline: Timeline, heads: list[str], session: StoreSession
) -> KeptGame:
    """Open a kept game in its store under its main branch."""
    kept = store.open[game] = KeptGame(
        store, game, StoredBranch(MAIN_BRANCH, heads[-1], 0), timeline, heads, session, {}
    )
    return kept


def _resume_game(store: GameStore, game: str, timeline: Timeline, heads: list[str], session: StoreSession) -> KeptGame:
    """Continue a stored game that began as this one did, as when a notebook is run again."""
    if game in store.open:
        raise RecordError(
            say(
                "game-open-already",
                "“{game}” in {path} is open here already; nb.open gives it, name=… begins another",
                game=game,
                path=store.path,
            )
        )
    base, _ = store.lines_leading_to(store.last_line_hash(game), set(heads))
    if base != heads[-1]:
        raise RecordError(
            say(
                "game-went-on-otherwise",
                "{path} has another game “{game}”, which is not how this one went on: name=… keeps this one "
                "beside it, nb.open({path!r}, {game!r}) goes on with that one",
                path=str(store.path),
                game=game,
            )
        )
    forks, timeline.forks = timeline.forks, []
    kept = _make_kept_game(store, game, timeline, heads, session)
    kept.follow()
    _restore_openings(kept)
    stored = [kept_game.timeline.events for kept_game in kept.known_branches]
    timeline.forks += [fork for fork in forks if fork.timeline.events not in stored]
    _store_forks(kept, timeline)
    return kept


def _store_forks(kept: KeptGame, timeline: Timeline) -> None:
    for fork in timeline.forks:
        if fork.timeline.keeper is None:
            kept.keep_branch(fork.timeline, fork.at, fork.why)
        if isinstance(fork.timeline.keeper, KeptGame):
            _store_forks(fork.timeline.keeper, fork.timeline)


def open_game(store: GameStore, game: str, session: StoreSession) -> KeptGame:
    """Open a stored game with its branches; the same object each time.

    Raises
    ------
    RecordError
        There is none of this name, or it is not what the rules make of it.
    """
    known = store.open.get(game)
    if isinstance(known, KeptGame):
        known.follow()
        return known
    games = store.game_names()
    if game not in games:
        sentence = f"it has {_quote_names(games)}" if games else "it is empty"
        raise RecordError(
            say(
                "store-has-no-such-game",
                "{path} has no game “{game}”; {there}",
                path=store.path,
                game=game,
                there=sentence,
            )
        )
    head = store.last_line_hash(game)
    _, lines = store.lines_leading_to(head)
    end = canonical_json({"end": len(lines) - 1, "prev": head})
    try:
        timeline = RecordReader([line.encode("ascii") for line in [*lines, end]]).read_game()
    except RecordError as error:
        raise RecordError(error.said.embed_in("{path}, “{game}”: {message}", path=store.path, game=game)) from None
    kept = _make_kept_game(store, game, timeline, [hash_of_line(line) for line in lines], session)
    kept.load_branches()
    _restore_openings(kept)
    return kept


def _restore_openings(kept: KeptGame) -> None:
    """Restore the openings of sealed values from the store and the record."""
    known = kept.timeline.kept
    known |= kept.store.unrevealed_openings(kept.game)
    for kept_game in kept.known_branches:
        commitments: dict[tuple[object, object], str] = {}
        for event in kept_game.timeline.events:
            if event.kind == "committed":
                commitments[event.data["round"], event.actor] = event.data["commitment"]
            elif event.kind == "revealed":
                known[commitments[event.data["round"], event.actor]] = SealOpening(
                    event.data["value"], event.data["nonce"]
                )


def check_same_setup(kept: KeptGame, asked: GameSetup, seed: int | None, position: object) -> None:
    """Refuse to continue a stored game with another setup than the one asked for.

    Raises
    ------
    RecordError
        With both.
    """
    there, again = kept.timeline.setting, seed is not None
    texts = there.ruleset.digest == asked.ruleset.digest
    first = next((event for event in kept.timeline.events if event.is_action and event.do != "begin"), None)
    stands = first.details.get("position") if first is not None and first.do == "set_up" else None
    if position is not None and stands != position:
        wrong, another = ", and its boards were not set up so", ":"
    elif texts and _setup_text(there, again) == _setup_text(asked, again):
        return
    else:
        wanted = f"{_setup_text(asked, again)}{'' if texts else ', with another text of the rules'}"
        wrong, another = f": {_setup_text(there, seed=True)}. Asked for: {wanted}", "."
    raise RecordError(
        say(
            "game-agreed-otherwise",
            "{path} has “{game}” already{wrong}{another} name=… begins another game beside it, "
            "nb.open({path!r}, {game!r}) goes on with that one",
            path=str(kept.store.path),
            game=kept.game,
            wrong=wrong,
            another=another,
        )
    )


def _setup_text(setting: GameSetup, seed: bool) -> str:
    """Return the setup of a game as text: rule set, players, seed, terms."""
    sentences = [setting.ruleset.name, ", ".join(setting.players)]
    sentences += [f"seed {setting.seed}"] if seed else []
    sentences += [f"{key} is {value}" for key, value in sorted(setting.terms.items())]
    sentences += [f"order {', '.join(setting.order)}"] if setting.order else []
    sentences += [f"medium {setting.medium}"] if setting.medium else []
    return "; ".join(sentences)


GAME_COLUMNS = {
    **column_types("string: name ruleset players", "int64: seed events turn ways"),
    "changed": "datetime64[ms, UTC]",
}


def games_frame(store: GameStore) -> pd.DataFrame:
    """Return a data frame of the games in a store, one row a game.

    Returns
    -------
    DataFrame
        Indexed by ``name`` (string), with ``ruleset``, ``players`` (string), ``seed``, ``events``, ``turn``, ``ways``
        (int64: the game and its forks), ``changed`` (datetime64[ms, UTC]; missing where nothing was done since it is
        kept).
    """
    rows = []
    for game in store.game_names():
        _, lines = store.lines_leading_to(store.last_line_hash(game))
        head, last = (read_record_line(lines[at], LARGEST_HEADER) for at in (0, -1))
        when = max((step.at for step in store.steps(game)), default=None)
        changed = None if when is None else datetime.fromtimestamp(when / 1000, UTC)
        try:
            players = ", ".join(head["players"])
            about = (head["ruleset"], players, head["seed"], last["seq"], last["turn"])
        except (KeyError, TypeError):
            raise RecordError(
                say(
                    "store-line-is-no-record",
                    "{path}, “{game}”: this is not a record of a game",
                    path=store.path,
                    game=game,
                )
            ) from None
        rows.append((game, *about, len(store.branches(game)), changed))
    return make_frame(GAME_COLUMNS, rows, "name")
