"""What games of a player against itself show about pieces and options: who is ahead, how games end, where pieces go.

Each game begins with a few random moves that leave the position as even as it was. Every figure has its number of
games, the player's nodes, the seed and an interval that holds the true value in 95 of 100 studies. With too few games
there is no figure.
"""

from __future__ import annotations

import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.geometry import FILES
from nomic_nb.chess.multiverse.move_search import Player
from nomic_nb.chess.multiverse.positions import Position
from nomic_nb.engine.arguments import explain_all_argument_errors, explain_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.words import count_phrase
from nomic_nb.study.frames import column_types, make_frame

if TYPE_CHECKING:
    import pandas as pd

#: Random moves before each game, tries to find some that are fair, and by how much they may change the value.
OPENING, TRIES, FAIR = 4, 20, 60
#: Plies after which a game is given up as drawn, and the value from which a side is in the lead.
MOST_PLIES, LEAD = 200, 100
#: Games without which there is no figure: for a score, for everything else, and at most.
FOR_SCORE, FOR_OTHERS, MOST_GAMES = 100, 20, 100_000
#: Standard deviations on either side of a figure.
Z = 1.96


@frozen
class Figure(Displayed):
    """A figure of a study with its interval, or the news that there are too few games.

    Parameters
    ----------
    name : str
        Name of the measure, such as ``plies``.
    value, low, high : float or None
        The figure, and both ends of its interval; None if there are too few games.
    games, nodes, seed : int
        Number of games, of nodes for each move, and the seed.
    said : str
        All of it as a sentence.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    games: int
    nodes: int
    seed: int
    said: str

    def __str__(self) -> str:
        return self.said


#: Each measure: its name, how it is told, from which of a columns of a game it comes, if it is a share, games it needs.
_MEASURES: Mapping[str, tuple[str, str, str, bool, int]] = {
    "score": ("{side}’s score", "{side} scores {value}", "score", True, FOR_SCORE),
    "decided": ("Games won", "{value} of games are won", "decided", True, FOR_OTHERS),
    "plies": ("Length", "A game has {value} plies", "plies", False, FOR_OTHERS),
    "branching": ("Choice", "There are {value} moves to choose from", "branching", False, FOR_OTHERS),
    "captures": ("Captures", "A game has {value} captures", "captures", False, FOR_OTHERS),
    "lead_changes": ("Lead", "The lead changes {value} times a game", "lead_changes", False, FOR_OTHERS),
}
GAME_COLUMNS = column_types(
    "int64: game", "string: side opening result winner reason", "float64: score", "bool: decided fair",
    "int64: plies captures lead_changes", "float64: branching", "string: moves",
)  # fmt: skip


def share_interval(share: float, games: int) -> tuple[float, float]:
    """Return the ends of Wilson's interval for a share, also for one that draws are part of.

    Examples
    --------
    >>> [round(end, 2) for end in share_interval(0.52, 400)]
    [0.47, 0.57]
    """
    scale, middle = 1 + Z * Z / games, share + Z * Z / (2 * games)
    half = Z * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    return (middle - half) / scale, (middle + half) / scale


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Return a mean and the ends of its interval."""
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1)
    half = Z * math.sqrt(variance / len(values))
    return mean, mean - half, mean + half


def elo(score: float) -> int:
    """Return by how many Elo points a player is better who scores so much, more than 0 and less than 1.

    Examples
    --------
    >>> elo(0.5), elo(0.68)
    (0, 131)
    """
    return round(-400 * math.log10(1 / score - 1))


class Study(Displayed):
    """Games of a player against itself, and what they show; `study` makes one.

    Parameters
    ----------
    positions : mapping of str to Position
        The positions that games begin with in turn, by the side whose score counts there.
    games, nodes, seed : int
        See `study`.
    progress : bool
        See `study`.

    Attributes
    ----------
    rows : list of dict
        The games that were played, as plain data.
    """

    def __init__(self, positions: Mapping[str, Position], games: int, nodes: int, seed: int, *, progress: bool) -> None:
        self.positions = {side: position.copy() for side, position in positions.items()}
        self.planned, self.nodes, self.seed, self.progress = games, nodes, seed, progress
        self.rows: list[dict[str, Any]] = []
        self._players = {side: Player(position, nodes, None, None) for side, position in self.positions.items()}
        self._values: dict[str, int] = {}

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
        self.planned = _checked("games", games, 0, MOST_GAMES) if games is not None else self.planned
        began, first, shown = time.monotonic(), len(self.rows), 0.0
        try:
            while len(self.rows) < self.planned:
                spent = time.monotonic() - began
                if seconds is not None and spent > seconds:
                    break
                if self.progress and spent - shown > 1:
                    shown, played = spent, len(self.rows) - first
                    left = spent / played * (self.planned - len(self.rows)) if played else 0
                    about = f", about {left:.0f} s left" if played else ""
                    _tell(f"\r{len(self.rows)} of {self.planned} games{about}   ")
                self.step()
        except KeyboardInterrupt:
            if self.progress:
                _tell("\rStopped; run() continues.\n")
        if shown:
            _tell(f"\r{len(self.rows)} of {self.planned} games.{' ' * 24}\n")
        return self

    def step(self) -> dict[str, Any]:
        """Play the next game and return its row; the same study always has the same games."""
        number = len(self.rows)
        side = list(self.positions)[number % len(self.positions)]
        bot, game, fair = self._opening(side, Random(f"{self.seed} {number // len(self.positions)}"))  # noqa: S311
        before, leader = len(self.positions[side]._past), ""
        opening = [move for _, move, *_ in game._past[before:]]
        choices: list[int] = []
        captures = changes = 0
        seen: Counter[int] = Counter()
        while (end := self._end(game, bot, seen, len(choices))) is None:
            choices.append(game.count())
            move = bot.move(game)
            ahead = game.turn if bot.value >= LEAD else ("black", "white")[game.turn == "black"]
            if abs(bot.value) >= LEAD:
                changes += leader not in ("", ahead)
                leader = ahead
            captures += bool(move.taken)
            game.push(move)
        reason, winner = end
        score = 0.5 if not winner else float(winner == side)
        row = {
            "game": number + 1, "side": side, "opening": " ".join(opening),
            "result": {"white": "1-0", "black": "0-1"}.get(winner, "1/2-1/2"), "winner": winner, "reason": reason,
            "score": score, "decided": bool(winner), "fair": fair, "plies": len(opening) + len(choices),
            "captures": captures, "lead_changes": changes,
            "branching": sum(choices) / len(choices) if choices else 0.0,
            "moves": " ".join(move for _, move, *_ in game._past[before:]),
        }  # fmt: skip
        self.rows.append(row)
        return row

    def _opening(self, side: str, dice: Random) -> tuple[Player, Position, bool]:
        """Return a player, a position after random moves, and whether these are fair."""
        bot, start = self._players[side], self.positions[side]
        if start.outcome(draws=True) is not None:
            raise MultiverseError("study-of-ended-game", "the game is over in this position, so nothing can be played")
        if side not in self._values:
            bot.move(start)
            self._values[side] = bot.value * (-1 if start.turn == "black" else 1)
        game = start.copy()
        for _ in range(TRIES):
            game = start.copy()
            for _ in range(OPENING):
                if game.outcome(draws=True) is None:
                    game.push(dice.choice(sorted(game.moves())))
            if game.outcome(draws=True) is None:
                bot.move(game)
                if abs(bot.value * (-1 if game.turn == "black" else 1) - self._values[side]) <= FAIR:
                    return bot, game, True
        return bot, game, False

    def _end(self, game: Position, bot: Player, seen: Counter[int], plies: int) -> tuple[str, str] | None:
        """Return why a game is over, and who has won; None if it goes on. Players claim each draw that they can."""
        end = game.outcome(draws=True)
        if end is not None:
            return end.reason, end.winner
        key = bot.look(game)[1]
        seen[key] += 1
        if seen[key] == 3:
            return "threefold repetition", ""
        if game._state.halfmoves >= 100:
            return "50 moves", ""
        return (f"{MOST_PLIES} plies", "") if plies >= MOST_PLIES else None

    # Figures

    @property
    def games(self) -> pd.DataFrame:
        """The games as a data frame, one row a game."""
        return make_frame(GAME_COLUMNS, [[row[name] for name in GAME_COLUMNS] for row in self.rows])

    def figure(self, name: str) -> Figure:
        """Return one figure: ``score``, ``decided``, ``plies``, ``branching``, ``captures`` or ``lead_changes``."""
        if name not in _MEASURES:
            raise MultiverseError(
                "no-such-measure", "a study measures {known}, not {name!r}", known=", ".join(_MEASURES), name=name
            )
        noun, told, _, share, needed = _MEASURES[name]
        values, games = self._column(name), len(self.rows)
        side = next(iter(self.positions)).capitalize() if len(self.positions) == 1 else "The changed side"
        if games < needed:
            said = f"{noun.format(side=side)}: too few games to tell ({games} of at least {needed})."
            return Figure(name, None, None, None, games, self.nodes, self.seed, said)
        mean, low, high = mean_interval(values)
        if share:
            low, high = share_interval(mean, games)
        form: Callable[[float], str] = (lambda x: f"{100 * x:.0f} %") if share else (lambda x: f"{x:.1f}")
        said = f"{told.format(side=side, value=form(mean))} ({form(low)} to {form(high)})"
        if name == "score":
            said += f", {elo(min(max(mean, 0.001), 0.999)):+d} Elo ({elo(low):+d} to {elo(high):+d})"
            said += "; no advantage is certain" if low <= 0.5 <= high else ""
        return Figure(name, mean, low, high, games, self.nodes, self.seed, f"{said}.")

    def _column(self, name: str) -> list[float]:
        """Return a measure of each game."""
        return [float(row[_MEASURES[name][2]]) for row in self.rows]

    @property
    def figures(self) -> pd.DataFrame:
        """All figures as a data frame: value, interval, games, nodes, seed and sentence."""
        names = column_types("string: measure", "float64: value low high", "int64: games nodes seed", "string: said")
        found = [self.figure(name) for name in _MEASURES]
        return make_frame(
            names, [(one.name, one.value, one.low, one.high, one.games, one.nodes, one.seed, one.said) for one in found]
        )

    @property
    def reasons(self) -> pd.DataFrame:
        """How games ended, as a data frame: how many, and their share with its interval."""
        counts = Counter(row["reason"] for row in self.rows)
        rows = [
            (reason, count, count / len(self.rows), *share_interval(count / len(self.rows), len(self.rows)))
            for reason, count in counts.most_common()
        ]
        return make_frame(column_types("string: reason", "int64: games", "float64: share low high"), rows)

    def compare(self, other: Study) -> pd.DataFrame:
        """Return the differences between this study and another, each with its interval, as a data frame.

        Parameters
        ----------
        other : Study
        """
        rows: list[tuple[Any, ...]] = []
        for name, (_, _, _, share, needed) in _MEASURES.items():
            mine, theirs = self._column(name), other._column(name)
            games = min(len(mine), len(theirs))
            if games < needed:
                rows.append((name, None, None, None, len(mine), len(theirs), "too few games to tell"))
                continue
            one, two = mean_interval(mine), mean_interval(theirs)
            difference, half = two[0] - one[0], math.hypot(one[2] - one[0], two[2] - two[0])
            if share:
                ends, others = share_interval(one[0], len(mine)), share_interval(two[0], len(theirs))
                half = math.hypot((ends[1] - ends[0]) / 2, (others[1] - others[0]) / 2)
            low, high = difference - half, difference + half
            said = "no difference seen" if low <= 0 <= high else "more" if difference > 0 else "less"
            rows.append((name, difference, low, high, len(mine), len(theirs), said))
        before, after = (
            study.mobility.query("side == 'white'").set_index("kind")["squares"] for study in (self, other)
        )
        for kind in before.index.intersection(after.index):
            change = after[kind] - before[kind]
            if change:
                more = f"{abs(100 * change / before[kind]):.0f} % {'more' if change > 0 else 'fewer'} squares"
                rows.append((f"reach of {kind}", change, None, None, 0, 0, more))
        names = column_types(
            "string: measure", "float64: difference low high", "int64: games other_games", "string: said"
        )
        return make_frame(names, rows)

    # Pieces

    @property
    def mobility(self) -> pd.DataFrame:
        """What each kind reaches on average on boards filled at random, and its value; no game is needed."""
        rows, bot = [], next(iter(self._players.values()))
        for kind, at in bot.rules.classes.items():
            for side, name in enumerate(("white", "black")):
                reached = bot.tables.reached[side][at]
                squares = sum(reached.values()) / (len(reached) * bot.tables.boards)
                rows.append((kind, name, squares, bot.tables.worth[side][at]))
        return make_frame(column_types("string: kind side", "float64: squares", "int64: value"), rows)

    def reach(self, kind: str, side: str = "white") -> pd.DataFrame:
        """Return a map of how many squares a kind reaches from each square, on boards filled at random.

        Parameters
        ----------
        kind : str
            Letter of the kind.
        side : str
            ``white`` or ``black``.
        """
        bot = next(iter(self._players.values()))
        reached = bot.tables.reached[self._side(side)][self._class(kind)]
        return self._map({bit.bit_length() - 1: number / bot.tables.boards for bit, number in reached.items()})

    def heat(self, kind: str, side: str = "white") -> pd.DataFrame:
        """Return a map of how often in a game a kind moves to each square.

        Parameters
        ----------
        kind : str
            Letter of the kind.
        side : str
            ``white`` or ``black``.
        """
        self._class(kind)
        turn, counts = ("white", "black")[self._side(side)], Counter[int]()
        for row in self.rows:
            game = self.positions[row["side"]].copy()
            for text in row["moves"].split():
                if game.turn == turn and (move := game.find(text)).kind == kind:
                    counts[move.target] += 1
                game.push(text)
        squares = next(iter(self.positions.values())).geometry.squares
        return self._map({square: counts[square] / max(len(self.rows), 1) for square in squares})

    def _class(self, kind: str) -> int:
        """Return the class of a kind, or refuse its letter."""
        classes = next(iter(self.positions.values())).rules.classes
        if kind not in classes:
            raise MultiverseError(
                "no-such-kind-here", "there is no kind {kind!r} here; the kinds are {known}",
                kind=kind, known=", ".join(classes),
            )  # fmt: skip
        return classes[kind]

    @staticmethod
    def _side(side: str) -> int:
        """Return 0 for White and 1 for Black, or refuse anything else."""
        if side not in ("white", "black"):
            raise MultiverseError("no-such-side", "the side must be 'white' or 'black', not {side!r}", side=side)
        return int(side == "black")

    def _map(self, values: Mapping[int, float]) -> pd.DataFrame:
        """Return values by square as a data frame laid out like the board, seen by White."""
        geometry = next(iter(self.positions.values())).geometry
        names = {"rank": "int64", **dict.fromkeys(FILES[: geometry.files], "float64")}
        rows = [(row[0] // geometry.files + 1, *(values.get(square) for square in row)) for row in geometry.rows]
        return make_frame(names, rows, "rank")

    def openings(self) -> pd.DataFrame:
        """Return the first moves, the best one first, with the value and the line that the player expects."""
        start, rows = next(iter(self.positions.values())), []
        bot = next(iter(self._players.values()))
        for move in start.moves():
            after = start.after(move)
            if after.outcome() is None:
                bot.move(after)
            won = after.outcome()
            value, line = (0 if won and not won.winner else 1_000_000, []) if won else (-bot.value, bot.line)
            rows.append((start.san(move), value, " ".join([move, *line]), self.nodes))
        rows.sort(key=lambda row: (-row[1], row[0]))
        return make_frame(column_types("string: move", "int64: value", "string: line", "int64: nodes"), rows)

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
        self._class(kind)
        start = next(iter(self.positions.values()))
        positions = {side: _with_other_pieces(start, kind, notation, side) for side in ("white", "black")}
        many = self.planned if games is None else _checked("games", games, 0, MOST_GAMES)
        return Study(positions, many, self.nodes, self.seed, progress=self.progress).run()

    def _lines(self) -> Iterator[str]:
        """Yield the study in sentences."""
        played = count_phrase(len(self.rows), "game")
        yield f"Study of {played} at {self.nodes} nodes a move, seed {self.seed}."
        if len(self.rows) < self.planned:
            yield f"{self.planned - len(self.rows)} more are planned; run() plays them."
        if len(self.rows) < FOR_OTHERS:
            yield f"There are too few games to tell anything; at least {FOR_OTHERS} are needed."
            return
        yield from (str(self.figure(name)) for name in _MEASURES)
        unfair = sum(not row["fair"] for row in self.rows)
        if unfair:
            yield f"No even opening was found for {count_phrase(unfair, 'game')}."

    def __str__(self) -> str:
        return "\n".join(self._lines())


explain_all_argument_errors(Study)


def _with_other_pieces(start: Position, kind: str, notation: str, side: str) -> Position:
    """Return a position in which one side has another kind for one of its kinds."""
    if kind in start.terms.royal:
        raise MultiverseError("royal-kind-not-replaced", "{kind!r} is royal, so it can’t be replaced", kind=kind)
    letter = next((one for one in reversed(ascii_lowercase) if one not in start.pieces), None)
    if letter is None:
        raise MultiverseError("no-letter-left", "all 26 letters are used for kinds, so there is none for another one")
    old, new = (kind.upper(), letter.upper()) if side == "white" else (kind, letter)
    fields = start.fen().split(" ")
    terms, own = start.terms, start.terms if side == "white" else start.terms.black or start.terms
    promotion = own.promotion.replace(kind, letter)
    black = terms.black or replace(terms, castling_rook="", pawns="", royal="", black=None)
    if side == "white":
        terms = replace(terms, promotion=promotion, black=black)
    else:
        terms = replace(terms, black=replace(black, promotion=promotion))
    same = {name: getattr(terms, name) + letter for name in ("pawns", "castling_rook") if kind in getattr(terms, name)}
    placement = fields[0].replace(old, new)
    return Position(" ".join([placement, *fields[1:]]), {**start.pieces, letter: notation}, replace(terms, **same))


def _tell(text: str) -> None:
    """Write how far a study is, over what was told before."""
    sys.stdout.write(text)
    sys.stdout.flush()


def _checked(name: str, number: object, least: int, most: int) -> int:
    """Return a number of games or nodes, or refuse one that is out of range."""
    if type(number) is not int or not least <= number <= most:
        raise MultiverseError(
            "study-number-out-of-range", "{name} must be a whole number from {least} to {most}, not {found!r}",
            name=name, least=least, most=most, found=number,
        )  # fmt: skip
    return number


@explain_argument_errors
def study(position: Position, games: int = 100, nodes: int = 500, seed: int = 1, *, progress: bool = True) -> Study:
    """Let a player play games against itself from a position, and return what they show.

    Each game begins with four random moves after which the position is about as even as before. A study can be stopped
    as any cell, and goes on with ``study.run()``.

    Parameters
    ----------
    position : Position
        With any pieces and options. No game is played on it.
    games : int
        How many games; 0 to play none yet.
    nodes : int
        How far the player looks ahead, see `player`.
    seed : int
        Seed of the openings: the same seed gives the same games.
    progress : bool
        Whether a line tells how far the study is.

    Returns
    -------
    Study

    Examples
    --------
    >>> import nomic_nb as nb
    >>> mates = nb.multiverse.position("7k/8/8/8/8/8/R7/K6R w - - 0 1")
    >>> print(nb.multiverse.study(mates, games=2, nodes=50, progress=False).figure("plies"))
    Length: too few games to tell (2 of at least 20).
    """
    if not isinstance(position, Position):
        raise MultiverseError("study-of-no-position", "a study needs a position, not {found!r}", found=position)
    games, nodes = _checked("games", games, 0, MOST_GAMES), _checked("nodes", nodes, 1, 10**7)
    side = "white"
    return Study({side: position}, games, nodes, seed, progress=progress).run()
