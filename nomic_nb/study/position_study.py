"""What games of a player against itself show about pieces and options: who is ahead, how games end, where pieces go.

Each game begins with a few random moves that leave the position as even as it was. Every figure has its number of
games, the player's nodes, the seed and an interval that holds the true value in 95 of 100 studies. With too few games
there is no figure. Games at random, which are quicker, show what pieces do if nobody thinks.
"""

from __future__ import annotations

import math
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from operator import itemgetter
from random import Random
from statistics import fmean, stdev
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.generator import Move
from nomic_nb.chess.multiverse.geometry import FILES
from nomic_nb.chess.multiverse.move_search import MATE, Player, check_count
from nomic_nb.chess.multiverse.notation import pieces_at_home
from nomic_nb.chess.multiverse.piece_values import WORD, mix
from nomic_nb.chess.multiverse.position_state import Outcome
from nomic_nb.chess.multiverse.positions import Position
from nomic_nb.chess.multiverse.random_games import end_of_game, play_at_random
from nomic_nb.chess.multiverse.rules import MAPPED
from nomic_nb.engine.arguments import explain_all_argument_errors, explain_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.words import count_phrase
from nomic_nb.study.frames import column_types, make_frame
from nomic_nb.study.intervals import TOO_FEW, Interval, Z, difference, wilson
from nomic_nb.study.library.ready_made import check_choice

if TYPE_CHECKING:
    import pandas as pd

#: Random moves before each game, tries to find some that are fair, and by how much they may change the value.
OPENING, TRIES, FAIR = 4, 20, 60
#: Plies after which a game is given up as drawn, and the value from which a side is in the lead.
MOST_PLIES, LEAD = 200, 100
#: Games without which there is no figure: for a score, for everything else, and at most.
FOR_SCORE, FOR_OTHERS, MOST_GAMES = 100, 20, 100_000
#: Nodes that the player looks at for each move.
THOUGHT = 500
KINDS = ("player", "random")
SIDES = ("white", "black")
#: A game: how many moves are its opening, all moves, how it ended, whether it began fair, side to move and value before
#: each other move, and how many moves there were to choose from, in all.
_Played = tuple[int, list[Move], Outcome, bool, list[tuple[int, int]], int]
#: Each measure, by the column of a game that it comes from: its name, how it is told, if it is a share, games it needs.
MEASURES: Mapping[str, tuple[str, str, bool, int]] = {
    "score": ("{side}’s score", "{side} scores {value}", True, FOR_SCORE),
    "decided": ("Games won", "{value} of games are won", True, FOR_OTHERS),
    "plies": ("Length", "A game has {value} plies", False, FOR_OTHERS),
    "branching": ("Choice", "There are {value} moves to choose from", False, FOR_OTHERS),
    "captures": ("Captures", "A game has {value} captures", False, FOR_OTHERS),
    "lead_changes": ("Lead", "The lead changes {value} times a game", False, FOR_OTHERS),
}
GAME_COLUMNS = column_types(
    "int64: game; string: side opening result winner reason; float64: score; bool: decided fair; "
    "int64: plies captures lead_changes; float64: branching; string: moves"
)
FIGURE_COLUMNS = column_types("string: measure; float64: value low high; int64: games nodes seed; string: said")
DIFFERENCE_COLUMNS = column_types(
    "string: measure; float64: difference low high; int64: games other_games; string: said"
)


def interval(values: Sequence[float], *, share: bool) -> Interval:
    """Return a mean and the ends of its interval; Wilson’s for a `share`, which is wide enough if draws are part of it.

    Examples
    --------
    >>> [round(end, 2) for end in interval([1, 0, 0.5, 0.5] * 100, share=True)]
    [0.5, 0.45, 0.55]
    """
    mean, games = fmean(values), len(values)
    half = 0.0 if share else Z * stdev(values) / math.sqrt(games)
    return wilson(sum(values), games) if share else Interval(mean, mean - half, mean + half)


def elo(score: float) -> int:
    """Return by how many Elo points a player is better who scores so much.

    Examples
    --------
    >>> elo(0.5), elo(0.68)
    (0, 131)
    """
    return round(-400 * math.log10(1 / min(max(score, 0.001), 0.999) - 1))


class Study(Displayed):
    """Games of a player against itself, and what they show; `study` makes one.

    Parameters
    ----------
    positions : mapping of str to Position
        The positions that games begin with in turn, by the side whose score counts there.
    games, nodes, seed : int
        See `study`; 0 nodes for games at random.
    progress : bool
        See `study`.

    Attributes
    ----------
    rows : list of dict
        The games that were played, as plain data.
    """

    def __init__(self, positions: Mapping[str, Position], games: int, nodes: int, seed: int, *, progress: bool) -> None:
        self.planned, self.nodes, self.seed, self.progress = games, check_count("nodes", nodes, 0), seed, progress
        self.rows: list[dict[str, Any]] = []
        #: Position and player by side.
        self._starts: dict[str, tuple[Position, Player]] = {
            side: (start._copy_as(Position), Player(start, nodes or THOUGHT, None, None))
            for side, start in positions.items()
        }
        self._start, self._bot = next(iter(self._starts.values()))

    # Playing

    def run(self, games: int | None = None, seconds: float | None = None) -> Study:
        """Play the games that are missing, and return the study; pressing Stop keeps those that are finished.

        Parameters
        ----------
        games : int, optional
            How many there should be in all; default those that were planned.
        seconds : float, optional
            After how long to stop.
        """
        self.planned = check_count("games", self.planned if games is None else games, 0, MOST_GAMES)
        began, shown = time.monotonic(), 0.0
        try:
            while len(self.rows) < self.planned and (seconds is None or time.monotonic() - began <= seconds):
                if self.progress and time.monotonic() - began > shown + 1:
                    shown = time.monotonic() - began
                    sys.stdout.write(f"\r{len(self.rows)} of {self.planned} games")
                    sys.stdout.flush()
                self.step()
        except KeyboardInterrupt:
            shown = max(shown, 1)
        if self.progress and shown:
            sys.stdout.write(f"\r{len(self.rows)} of {self.planned} games.\n")
        return self

    def step(self) -> dict[str, Any]:
        """Play the next game and return its row; the same study always has the same games."""
        number = len(self.rows)
        side = list(self._starts)[number % len(self._starts)]
        start, bot = self._starts[side]
        pair = number // len(self._starts)
        if self.nodes:
            played = self._think(start, bot, Random(f"{self.seed} {pair}"))  # noqa: S311
        else:
            played = self._roll(start, bot, mix(mix(self.seed & WORD) + pair))
        opening, moves, end, fair, values, choices = played
        leads = [SIDES[bool(mover) == (value > 0)] for mover, value in values if abs(value) >= LEAD]
        row = {
            "game": number + 1, "side": side, "opening": " ".join(moves[:opening]),
            "result": end.result, "winner": end.winner, "reason": end.reason,
            "score": float(end.winner == side) if end.winner else 0.5, "decided": bool(end.winner), "fair": fair,
            "plies": len(moves), "captures": sum(bool(move.taken) for move in moves),
            "lead_changes": sum(one != two for one, two in pairwise(leads)),
            "branching": choices / len(values) if values else 0.0, "moves": " ".join(moves),
        }  # fmt: skip
        self.rows.append(row)
        return row

    def _think(self, start: Position, bot: Player, dice: Random) -> _Played:
        """Let the player play against itself."""
        game, fair = self._opening(start, bot, dice)
        before, opening = len(start._past), len(game._past)
        values, choices, seen = list[tuple[int, int]](), 0, Counter[int]()
        while True:
            key = bot.look(game)[1]
            seen[key] += 1
            if end := end_of_game(game, seen[key], len(values), MOST_PLIES):
                moves = [move for _, move, _ in game._past[before:]]
                return opening - before, moves, end, fair, values, choices
            choices += game.count()
            move = bot.move(game)
            values.append((game._state.side, bot.value))
            game.push(move)

    def _roll(self, start: Position, bot: Player, seed: int) -> _Played:
        """Play a game at random; who is ahead is what the player sees at a glance."""
        board, end, choices = play_at_random(bot, start, seed)
        values = [(state.side, bot._look(state)[0]) for state, *_ in board._past]
        return 0, [move for _, move, _ in board._past], end, True, values, choices

    def _opening(self, start: Position, bot: Player, dice: Random) -> tuple[Position, bool]:
        """Return a position after random moves, and whether these are fair."""

        def value(game: Position) -> int:
            bot.move(game)
            return -bot.value if game.turn == "black" else bot.value

        game, even = start, value(start)
        for _ in range(TRIES):
            game = start.copy()
            for _ in range(OPENING):
                if game.outcome(draws=True) is None:
                    game.push(dice.choice(sorted(game.moves())))
            if game.outcome(draws=True) is None and abs(value(game) - even) <= FAIR:
                return game, True
        return game, False

    # Figures

    @property
    def games(self) -> pd.DataFrame:
        """The games as a data frame, one row a game."""
        return make_frame(GAME_COLUMNS, map(itemgetter(*GAME_COLUMNS), self.rows))

    @property
    def figures(self) -> pd.DataFrame:
        """All figures as a data frame: value, interval, games, nodes, seed and sentence; empty with too few games."""
        return make_frame(FIGURE_COLUMNS, [self._figure(name) for name in MEASURES])

    def _figure(self, name: str) -> tuple[Any, ...]:
        """Return one row of `figures`."""
        noun, told, share, needed = MEASURES[name]
        side, games = "The changed side" if len(self._starts) > 1 else "White", len(self.rows)
        ends: Sequence[float | None] = (None,) * 3
        said = f"{noun.format(side=side)}: too few games to tell ({games} of at least {needed})"
        if games >= needed:
            ends = mean, low, high = interval([row[name] for row in self.rows], share=share)
            value, *bounds = (f"{100 * end:.0f} %" if share else f"{end:.1f}" for end in ends)
            said = f"{told.format(side=side, value=value)} ({' to '.join(bounds)})"
            if name == "score":
                said += f", {elo(mean):+d} Elo ({elo(low):+d} to {elo(high):+d})"
                said += "; no advantage is certain" * (low <= 0.5 <= high)
        return name, *ends, games, self.nodes, self.seed, f"{said}."

    @property
    def reasons(self) -> pd.DataFrame:
        """How games ended, as a data frame: how many, and their share with its interval."""
        found = [row["reason"] for row in self.rows]
        rows = [
            (reason, count, *interval([one == reason for one in found], share=True))
            for reason, count in Counter(found).most_common()
        ]
        return make_frame("string: reason; int64: games; float64: share low high", rows)

    @property
    def enough(self) -> bool:
        """Whether there are enough games for any figure."""
        return len(self.rows) >= FOR_OTHERS

    def compare(self, other: Study) -> pd.DataFrame:
        """Return the differences between this study and another, each with its interval, as a data frame.

        Parameters
        ----------
        other : Study
        """
        rows: list[tuple[Any, ...]] = []
        for name, (_, _, share, needed) in MEASURES.items():
            games = len(self.rows), len(other.rows)
            if min(games) < needed:
                rows.append((name, None, None, None, *games, TOO_FEW))
                continue
            found = difference(*(interval([row[name] for row in each.rows], share=share) for each in (self, other)))
            said = "no difference seen" if found.low <= 0 <= found.high else found.verdict
            rows.append((name, *found, *games, said))
        reached = [dict(zip(each.mobility["kind"], each.mobility["squares"], strict=True)) for each in (self, other)]
        for kind in reached[0].keys() & reached[1].keys():
            change = reached[1][kind] - reached[0][kind]
            if change:
                more = f"{abs(100 * change / reached[0][kind]):.0f} % {'more' if change > 0 else 'fewer'} squares"
                rows.append((f"reach of {kind}", change, None, None, 0, 0, more))
        return make_frame(DIFFERENCE_COLUMNS, rows)

    # Pieces

    @property
    def mobility(self) -> pd.DataFrame:
        """What White’s kinds reach on average on boards filled at random, and their values; no game is needed."""
        tables = self._bot.tables
        rows = [
            (kind, fmean(reached.values()) / tables.boards, worth)
            for kind, reached, worth in zip(self._bot.rules.kinds, tables.reached[0], tables.worth[0], strict=True)
        ]
        return make_frame("string: kind; float64: squares; int64: value", rows)

    def reach(self, kind: str, side: str = "white") -> pd.DataFrame:
        """Return a map of how many squares a kind reaches from each square, on boards filled at random.

        Parameters
        ----------
        kind : str
            Letter of the kind.
        side : str
            ``white`` or ``black``.
        """
        return self._map(self._reach(kind, side))

    def _reach(self, kind: str, side: str) -> dict[int, float]:
        """Return how many squares a kind reaches, by square."""
        at, tables = self._start.rules.classes[self._kind(kind, side)], self._bot.tables
        reached = tables.reached[SIDES.index(side)][at]
        return {bit.bit_length() - 1: number / tables.boards for bit, number in sorted(reached.items())}

    def heat(self, kind: str, side: str = "white") -> pd.DataFrame:
        """Return a map of how often in a game a kind moves to each square.

        Parameters
        ----------
        kind : str
            Letter of the kind.
        side : str
            ``white`` or ``black``.
        """
        return self._map(self._heat(kind, side))

    def _heat(self, kind: str, side: str) -> dict[int, float]:
        """Return how often in a game a kind moves to each square."""
        self._kind(kind, side)
        counts = Counter[int]()
        for row in self.rows:
            game = self._starts[row["side"]][0].copy()
            for text in row["moves"].split():
                move = game.find(text)
                counts[move.target] += (move.kind, game.turn) == (kind, side)
                game.push(move)
        return {at: counts[at] / max(len(self.rows), 1) for at in sorted(self._start.geometry.squares)}

    def _kind(self, kind: str, side: str = "white") -> str:
        """Return the letter of a kind; refuse one that is not there, and any side but both."""
        check_choice("the side", side, SIDES)
        return check_choice("the kind", kind, self._start.rules.kinds)

    def _map(self, values: Mapping[int, float]) -> pd.DataFrame:
        """Return values by square as a data frame laid out like the board, seen by White."""
        geometry = self._start.geometry
        names = {"rank": "int64", **dict.fromkeys(FILES[: geometry.files], "float64")}
        rows = [(row[0] // geometry.files + 1, *map(values.get, row)) for row in geometry.rows]
        return make_frame(names, rows, "rank")

    def openings(self) -> pd.DataFrame:
        """Return the first moves, the best one first, with the value and the line that the player expects."""
        return make_frame("string: move; int64: value; string: line; int64: nodes", self._openings(self._start))

    def _openings(self, start: Position) -> list[tuple[str, int, str, int]]:
        """Return the rows of `openings` for a position."""
        rows = []
        for move in start.moves():
            after, line, value = start.after(move), list[str](), 0
            if (end := after.outcome()) is None:
                self._bot.move(after)
                value, line = -self._bot.value, list(self._bot.line)
            elif end.winner:
                value = MATE if end.winner == start.turn else -MATE
            rows.append((start.san(move), value, " ".join([move, *line]), self.nodes or THOUGHT))
        return sorted(rows, key=lambda row: (-row[1], row[0]))

    @property
    def plots(self) -> Any:
        """Plots as SVG, each with its table and a sentence: ``balance``, ``mobility("n")`` and others."""
        return import_module("nomic_nb.study.study_plots").StudyPlots(self)  # what stands above brings plots

    def replace(self, kind: str, notation: str, games: int | None = None) -> Study:
        """Return a study in which one side's pieces of a kind move otherwise, White's and Black's in turn.

        Its score is that of the side with the changed pieces, so it says what they are worth.

        Parameters
        ----------
        kind : str
            Letter of the kind.
        notation : str
            The other movement, in Betza notation.
        games : int, optional
            How many; default as many as in this study.
        """
        positions = {side: _with_other_pieces(self._start, self._kind(kind), notation, side) for side in SIDES}
        planned = self.planned if games is None else games
        return Study(positions, planned, self.nodes, self.seed, progress=self.progress).run()

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        """Yield the study in sentences."""
        how = f"at {self.nodes} nodes a move" if self.nodes else "at random"
        yield f"Study of {count_phrase(len(self.rows), 'game')} {how}, seed {self.seed}."
        if len(self.rows) < self.planned:
            yield f"{self.planned - len(self.rows)} more are planned; run() plays them."
        if not self.enough:
            yield f"There are too few games to tell anything; at least {FOR_OTHERS} are needed."
            return
        yield from (self._figure(name)[-1] for name in MEASURES)
        if unfair := sum(not row["fair"] for row in self.rows):
            yield f"No even opening was found for {count_phrase(unfair, 'game')}."


explain_all_argument_errors(Study)


def _with_other_pieces(start: Position, kind: str, notation: str, side: str) -> Position:
    """Return a position in which one side has another kind for one of its kinds."""
    terms, letter = start.terms, next((one for one in reversed(ascii_lowercase) if one not in start.pieces), None)
    white_moves, black_moves = (
        [force.movement.notation.text for force in generator.forces] for generator in start.rules.generators
    )
    becomes = {end for _, end in terms.promotion_within}
    if {kind} & {*terms.royal, *becomes} or letter is None or white_moves != black_moves or start.geometry.wraps:
        raise MultiverseError(
            "kind-not-replaced",
            "{kind!r} can’t be replaced. It must be neither royal nor what others become within the zone, there must "
            "be fewer than 26 kinds, both armies must move the same way, and the board must not wrap",
            kind=kind,
        )
    # Whatever names the kind names the other one as well.
    goals = tuple(re.sub(f"^((?:reach|extinct) [a-z]*{kind})", rf"\1{letter}", goal) for goal in terms.goals)
    limits: dict[str, Any] = {
        name: [*pairs, *((letter, text) for one, text in pairs if one == kind)]
        for name, pairs in ((name, getattr(terms, name)) for name in MAPPED)
    }
    terms = replace(terms, goals=goals, **limits)
    white, black = terms, terms.black or replace(terms, castling_rook="", pawns="", royal="")
    own = white if side == "white" else black
    promotion = own.promotion.replace(kind, letter)
    same = {name: getattr(terms, name) + letter for name in ("pawns", "castling_rook") if kind in getattr(terms, name)}
    if side == "white":
        terms = replace(white, promotion=promotion, black=black, **same)
    else:
        terms = replace(white, black=replace(black, promotion=promotion), **same)
    placement, *rest = start.fen().split(" ")
    swapped = placement.replace(*((kind.upper(), letter.upper()) if side == "white" else (kind, letter)))
    found = Position(" ".join([swapped, *rest]), {**start.pieces, letter: notation}, terms)
    moved = pieces_at_home(start._state.sides, start.rules) & ~start._state.unmoved
    found._state = found._state._replace(unmoved=found._state.unmoved & ~moved)
    return found


@explain_argument_errors
def study(
    position: Position,
    games: int = 100,
    nodes: int | None = None,
    seed: int = 1,
    *,
    kind: str = "player",
    progress: bool = True,
) -> Study:
    """Let a player play games against itself from a position, and return what they show.

    Each game begins with four random moves after which the position is about as even as before. You can stop the cell;
    ``study.run()`` plays the rest. Games of the kind ``random`` have only random moves, at most 500 of them.

    Parameters
    ----------
    position : Position
        With any pieces and options. No game is played on it.
    games : int
        How many games; 0 to play none yet.
    nodes : int, optional
        How far the player looks ahead, see `player`; default 500.
    seed : int
        Seed of the openings, or of all moves at random: the same seed gives the same games.
    kind : str
        ``player``, or ``random`` for games at random, thousands of which take a minute.
    progress : bool
        Whether to show the number of games played so far.

    Returns
    -------
    Study

    Examples
    --------
    >>> import nomic_nb as nb
    >>> mates = nb.multiverse.position("7k/8/8/8/8/8/R7/K6R w - - 0 1")
    >>> print(nb.multiverse.study(mates, games=2, nodes=50, progress=False))
    Study of 2 games at 50 nodes a move, seed 1.
    There are too few games to tell anything; at least 20 are needed.
    """
    thinks = check_choice("kind", kind, KINDS) == "player"
    if nodes is not None and not thinks:
        raise MultiverseError(
            "random-with-nodes", "only games of the kind 'player' take nodes, not those of the kind 'random'"
        )
    count = check_count("nodes", THOUGHT if nodes is None else nodes, 1) if thinks else 0
    return Study({"white": position}, games, count, seed, progress=progress).run()
