"""Sweeps: the same game many times, as a frame with one row per game, and what differs between two sweeps."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nomic_nb.chess import extension as with_chess  # noqa: F401 - rule sets with boards are known
from nomic_nb.engine.arguments import explain_all_argument_errors, explain_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import NotThere, PlainRefusal, WrongValue
from nomic_nb.engine.law.changes import Change, repeal
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.adoptability import find_permission_for_kind
from nomic_nb.engine.play.game_setup import MOST_PLAYERS, check_seed
from nomic_nb.engine.play.permissions import is_surely_forbidden
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import known_rulesets, term_as_expression
from nomic_nb.engine.words import count_phrase
from nomic_nb.study.frames import column_types, make_frame
from nomic_nb.study.intervals import (
    FEW,
    TOO_FEW,
    Interval,
    Step,
    difference,
    mean_turns,
    median_turns,
    survival,
    wilson,
)
from nomic_nb.study.library import LibraryRule
from nomic_nb.study.library.ready_made import check_choice
from nomic_nb.study.players.kit import KINDS
from nomic_nb.study.playouts import read_rules
from nomic_nb.study.sweeps.figures import Figure, draw_curves, draw_dots
from nomic_nb.study.sweeps.jobs import GAMES_COLUMNS, Job, Row, play, play_game
from nomic_nb.study.sweeps.runs import Map, play_all, rows_of

if TYPE_CHECKING:
    import pandas as pd

#: Names of players; more are called by their numbers.
NAMES = ("Ann", "Ben", "Cleo", "Dov", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")
#: Games in a sweep, and turns of a game.
MOST_GAMES, MOST_TURNS = 1_000_000, 10_000
#: What each figure says about small numbers.
BELOW = f"Below {FEW} games: {TOO_FEW}."
SHARE_COLUMNS = column_types("string: what by; float64: share low high line; int64: wins games; string: verdict")
LONG_COLUMNS = column_types("string: what; int64: turn; float64: going low high; int64: games ended")
CHANGE_COLUMNS = column_types(
    "string: measure second; float64: difference low high line first_figure second_figure; "
    "int64: first_games second_games; string: verdict"
)


class Sweeps(Displayed):
    """Sweeps of which figures are made."""

    sweeps: Sequence[Sweep]

    @property
    def how_long(self) -> Figure:
        """A figure of the share of games that still go on after each turn; unfinished games are censored."""
        told = "Kaplan–Meier with 95 % intervals. Unfinished games count up to their last turn."
        medians = [f"{one.what}: {_half_over(one.survival)}." for one in self.sweeps]
        data = make_frame(LONG_COLUMNS, [[one.what, *step] for one in self.sweeps for step in one.survival])
        return Figure(
            "Share of games still going", "\n".join([*map(str, self.sweeps), *medians, told]), data, draw_curves
        )

    @property
    def how_fair(self) -> Figure:
        """A figure of the share of wins by seat, among games with one winner."""
        tallies = []
        for one in self.sweeps:
            won, kinds = Counter(row["winner_seat"] for row in one.rows), one.jobs[0].kinds
            wins = {f"seat {seat} ({kind})": won[seat] for seat, kind in enumerate(kinds, 1)}
            tallies.append((one.what, wins, 1 / len(kinds)))
        return self._shares("Wins by seat", "Games with one winner; the dashed line is an equal share.", tallies)

    @property
    def which_decides(self) -> Figure:
        """A figure of the rules by which games were won; `Sweep.ablate` shows what each rule changes."""
        won = (Counter(row["by_rule"] or "no rule" for row in one.rows if row["winner"]) for one in self.sweeps)
        tallies = [(one.what, dict(wins.most_common()), None) for one, wins in zip(self.sweeps, won, strict=True)]
        return self._shares("Rules by which games are won", "Games that were won.", tallies)

    def _shares(self, title: str, told: str, tallies: Iterable[tuple[str, Mapping[str, int], float | None]]) -> Figure:
        """Return a figure of shares of wins, which are compared with an equal share if there is one."""
        rows = []
        for what, wins, line in tallies:
            games = sum(wins.values())
            for by, hits in wins.items():
                found, verdict = wilson(hits, games), ""
                if line is not None:
                    verdict = difference(Interval(line, line, line), found).verdict
                shown = (*found, line, hits, games, verdict)
                rows.append([what, by, *(shown if games >= FEW else (None, None, None, line, hits, games, TOO_FEW))])
        note = "\n".join([*map(str, self.sweeps), f"{told} Wilson’s 95 % intervals. {BELOW}"])
        return Figure(title, note, make_frame(SHARE_COLUMNS, rows), draw_dots)


def _half_over(steps: Sequence[Step]) -> str:
    """Return in words after which turn half of the games are over."""
    median = median_turns(steps)
    if steps[0].games < FEW:
        return TOO_FEW
    return "more than half still go on at the end" if median is None else f"half are over by turn {median}"


class Sweep(Sweeps):
    """Many games of one kind, each from another seed; `nb.sweep` plays one.

    Attributes
    ----------
    jobs : tuple of Job
        The games to play.
    what : str
        The rule set and what differs from it, for tables and figures.
    stopped : str
        Why not all games were played; empty if they were.
    """

    def __init__(self, jobs: Iterable[Job], what: str, given: Mapping[str, Any]) -> None:
        self.jobs, self.what, self.stopped = tuple(jobs), what, ""
        self.sweeps, self._given, self._rows = (self,), dict(given), dict[int, Row]()

    def go_on(self) -> Sweep:
        """Play the games that have not been played yet, and return the sweep."""
        left = [job for job in self.jobs if job.seed not in self._rows]
        rows = rows_of(play, left, map=self._given["map"], n_jobs=self._given["n_jobs"])
        self.stopped = play_all(rows, self._keep, len(left), bar=self._given["progress"])
        return self

    def _keep(self, row: Row) -> bool:
        """Keep the row of a game that was missing, and tell whether it was."""
        missing = row["seed"] not in self._rows and self.jobs[0].seed <= row["seed"] <= self.jobs[-1].seed
        if missing:
            self._rows[row["seed"]] = row
        return missing

    @property
    def rows(self) -> list[Row]:
        """The rows of the games that were played, by seed."""
        return [self._rows[seed] | {"what": self.what} for seed in sorted(self._rows)]

    @property
    def games(self) -> pd.DataFrame:
        """One row per game that was played, also of those that went wrong (see `wrong`).

        ``ruleset``, ``what`` (what differs from it), ``seed``, ``kinds`` (of players), ``players``, ``limit`` (turns
        after which a game is left), ``over``, ``winner``, ``winner_seat`` (1 for the first; missing if there is not
        one winner), ``by_rule`` (number of the rule that let them win), ``turns``, ``acts``, ``events``,
        ``proposals``, ``passed``, ``rules_end`` (rules in force at the end), ``questions`` (to all players),
        ``refused`` and ``stood_in`` (replies that were refused or replaced), ``spread`` (between the first and the
        last at the end), ``first_leader_won``, ``error``, ``fingerprint`` and ``cpu_s`` (processor seconds).
        """
        return make_frame(GAMES_COLUMNS, map(itemgetter(*GAMES_COLUMNS), self.rows))

    @property
    def wrong(self) -> pd.DataFrame:
        """The rows of `games` that ended in an error."""
        games = self.games
        return games[games["error"] != ""]

    def replay(self, seed: int) -> Timeline:
        """Play the game with a seed again, and return its events; ``nb.Game(sweep.replay(3))`` is the game.

        Parameters
        ----------
        seed : int
            A seed in `games`.

        Raises
        ------
        KeyError
            No game of the sweep has this seed.
        """
        jobs = {job.seed: job for job in self.jobs}
        if seed not in jobs:
            raise NotThere(
                "no-such-seed", "this sweep has the seeds {first} to {last}", first=min(jobs), last=max(jobs)
            )
        return play_game(jobs[seed])[0]

    def with_(self, **changed: Any) -> Sweep:
        """Return another sweep, played with the same arguments but for those given here.

        Parameters
        ----------
        **changed
            Arguments of `nb.sweep`, such as ``terms={"win.points": 50}``.
        """
        return sweep(**{**self._given, **changed})

    def ablate(self, rules: Sequence[Number] | None = None) -> Comparison:
        """Play the same games without each rule that players could repeal, and return what differs.

        Parameters
        ----------
        rules : sequence of int or str, optional
            Numbers of rules to leave out, one at a time; default every rule that could be repealed at the beginning.
        """
        state = self.jobs[0].begin().state
        if rules is None:
            who = self.jobs[0].players[0]
            rules = [
                rule.number
                for rule in state.rules
                if not is_surely_forbidden(find_permission_for_kind(state, repeal(rule.number), who))
            ]
        others, refusals = dict[str, Sweep](), list[str]()
        for number in rules:
            rule = state.rules.rule_numbered(number)
            if rule is None:
                raise NotThere("no-rule-to-leave-out", "there is no rule {number} to leave out", number=number)
            title = f"without {number} {rule.title}"
            try:
                others[title] = self.with_(change=[*self._given["change"], repeal(number)])
            except PlainRefusal as error:  # no game can begin without it
                refusals.append(f"{title}: {error}")
            else:
                if others[title].stopped:
                    break
        return Comparison(self, others, refusals)

    def __str__(self) -> str:
        rows, job = self.rows, self.jobs[0]
        over, wrong = sum(row["over"] for row in rows), sum(row["error"] != "" for row in rows)
        kinds = job.kinds[0] if len(set(job.kinds)) == 1 else ", ".join(job.kinds)
        told = f"{self.what}: {len(job.players)} players ({kinds}), at most {count_phrase(job.turns, 'turn')}. "
        told += f"{len(rows)} of {count_phrase(len(self.jobs), 'game')} played, {over} over, {wrong} with an error."
        return f"{told} Stopped: {self.stopped}. Go on with .go_on()." if self.stopped else told

    @property
    def survival(self) -> list[Step]:
        """The share of games still going after each turn; games with an error are censored where they failed."""
        return survival((row["turns"], row["over"]) for row in self.rows if row["turns"])


class Comparison(Sweeps, Figure):
    """What differs between a sweep and others, with 95 % intervals: a figure with its table, `data`.

    Parameters
    ----------
    first : Sweep
        The sweep with which the others are compared.
    others : mapping of str to Sweep
        The other sweeps, by what the table calls them.
    refusals : sequence of str
        Sentences on sweeps that could not be played.
    """

    def __init__(self, first: Sweep, others: Mapping[str, Sweep], refusals: Sequence[str] = ()) -> None:
        self.sweeps = (first, *others.values())
        rows = [row for what, other in others.items() for row in _differences(what, first, other)]
        told = [str(one) for one in self.sweeps]
        if len(others) > 1:
            wrong = [row["error"] != "" for other in others.values() for row in other.rows]
            told[1:] = [f"{len(others)} others with {len(wrong)} games in all, {sum(wrong)} of them with an error."]
        note = (
            "Each difference is the second figure minus the first, with its 95 % interval (Newcombe for shares, "
            f"Greenwood for turns). About one interval in twenty leaves out 0 by chance alone. {BELOW}"
        )
        note = "\n".join([*told, *refusals, note])
        Figure.__init__(self, "What differs", note, make_frame(CHANGE_COLUMNS, rows), draw_dots)


def _differences(what: str, *sweeps: Sweep) -> Iterator[list[Any]]:
    """Yield each measure of two sweeps, with their difference, its interval, both figures, games and the verdict."""
    until, steps = min(one.jobs[0].turns for one in sweeps), [one.survival for one in sweeps]
    begun = [[row for row in one.rows if row["turns"]] for one in sweeps]
    over = [[row for row in rows if row["over"] and row["turns"] <= until] for rows in begun]
    measures = {
        f"mean turns, of {until}": ([mean_turns(one, until) for one in steps], begun),
        f"over by turn {until}": (list(map(wilson, map(len, over), map(len, begun))), begun),
    }
    for seat in range(1, 1 + min(len(one.jobs[0].players) for one in sweeps)):
        won = [sum(row["winner_seat"] == seat for row in rows) for rows in over]
        measures[f"games won by seat {seat}"] = list(map(wilson, won, map(len, over))), over
    for measure, ((first, second), rows) in measures.items():
        found, games = difference(first, second), [len(some) for some in rows]
        shown = [*found, 0, first.value, second.value, *games, found.verdict]
        yield [measure, what, *(shown if min(games) >= FEW else [None, None, None, 0, None, None, *games, TOO_FEW])]


@explain_argument_errors
def compare(first: Sweep, second: Sweep) -> Comparison:
    """Return how two sweeps differ: length, games that end, and wins by seat, with 95 % intervals.

    Parameters
    ----------
    first, second : Sweep
        The sweeps. A difference is the second’s figure minus the first’s.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> a = nb.sweep("discordian-nomic", players=2, games=2, turns=2, progress=False)
    >>> b = a.with_(terms={"win.points": 20})
    >>> nb.compare(a, b).data["verdict"].unique().tolist()
    ['too few games to tell']
    """
    return Comparison(first, {second.what: second})


@explain_argument_errors
def sweep(
    ruleset: str | Path, players: int = 3, kinds: str | Sequence[str] = "random", games: int = 100, turns: int = 60,
    terms: Mapping[str, object] | None = None, change: Change | LibraryRule | Sequence[Change | LibraryRule] = (), *,
    seed: int = 0, map: Map | None = None, n_jobs: int = 1, progress: bool = True,
) -> Sweep:  # fmt: skip
    """Let players of the kit play a game many times, each time from another seed, and return the results.

    If you stop it, it keeps the games that are finished, and `Sweep.go_on` plays the rest.

    Parameters
    ----------
    ruleset : str or Path
        Name of a rule set, or the path or the text of a rule file.
    players : int
        Number of players.
    kinds : str or list of str
        Kind of all players, or of each: ``random``, ``sensible`` or ``contrary``.
    games : int
        Number of games.
    turns : int
        Turns after which a game is left unfinished.
    terms : mapping, optional
        Settings agreed before play, as in `new_game`.
    change : Change, LibraryRule or a list of them, optional
        Rule changes made before play, as if they had passed.
    seed : int
        Seed of the first game; the next game has the next seed.
    map : callable, optional
        Plays the games, for example on a cluster: takes a function and the jobs, and returns the rows in any order.
    n_jobs : int
        Number of processes; more than one need the package joblib, and −1 means one for each core.
    progress : bool
        Whether to draw a progress bar.

    Returns
    -------
    Sweep

    Raises
    ------
    LawError
        There is no such rule set or setting, or a rule file cannot be read.
    ModuleNotFoundError
        joblib is missing; the message says how to install it.
    ValueError
        A number is out of range, a kind of player does not exist, or a change cannot be made.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> found = nb.sweep("discordian-nomic", players=2, games=3, turns=2, progress=False)
    >>> found
    discordian-nomic: 2 players (random), at most 2 turns. 3 of 3 games played, 0 over, 0 with an error.
    >>> found.games["seed"].tolist()
    [0, 1, 2]
    """
    bounds = {"players": (players, MOST_PLAYERS), "games": (games, MOST_GAMES), "turns": (turns, MOST_TURNS)}
    for name, (value, most) in bounds.items():
        if type(value) is not int or not 1 <= value <= most:
            raise WrongValue(
                "sweep-out-of-range", "{name} must be a whole number from 1 to {most}", name=name, most=most
            )
    check_seed(seed)
    check_seed(seed + games)
    each = [kinds] * players if isinstance(kinds, str) else list(kinds)
    if len(each) != players:
        raise WrongValue("kinds-of-players", "give one kind of player, or one for each of the {count}", count=players)
    for kind in each:
        check_choice("kinds", kind, tuple(KINDS))
    found = read_rules(ruleset)
    text = found.name if str(ruleset) in known_rulesets() else found.text
    several = [change] if isinstance(change, Change | LibraryRule) else change
    changes = [one.change() if isinstance(one, LibraryRule) else one for one in several]
    agreed = {key: term_as_expression(language(), key, value) for key, value in (terms or {}).items()}
    names = tuple(NAMES[at] if at < len(NAMES) else f"Player {at + 1}" for at in range(players))
    fixed = tuple(agreed.items()), tuple(json.dumps(one.to_json()) for one in changes)
    jobs = [Job(text, names, tuple(each), at, turns, *fixed) for at in range(seed, seed + games)]
    jobs[0].begin()  # or each game would be refused for the same reason
    altered = [*(f"{key} = {value}" for key, value in agreed.items()), *(one.headline for one in changes)]
    given = {
        "ruleset": text, "players": players, "kinds": kinds, "games": games, "turns": turns, "terms": terms,
        "change": changes, "seed": seed, "map": map, "n_jobs": n_jobs, "progress": progress,
    }  # fmt: skip
    return Sweep(jobs, ", ".join([found.name, *altered]), given).go_on()


explain_all_argument_errors(Sweep)
