"""Positions and games from python-chess, and to and from PGN, where pieces move as in orthodox chess."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from textwrap import fill

import chess
import chess.pgn

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.links import LONGEST_DEFINITION, position_of_definition
from nomic_nb.chess.multiverse.notation import START_FEN
from nomic_nb.chess.multiverse.positions import Position
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.words import strip_byte_order_mark

#: Characters of PGN that are read at once.
LONGEST_PGN = 10_000_000
#: What the tag ``Variant`` says of orthodox chess.
STANDARD_VARIANTS = frozenset({"", "chess", "standard", "normal", "orthodox", "from position"})
# Each of these reads a text once: blanks never go over the end of a line, and what has no end goes to that of the text.
_TAG = re.compile(r'^[^\S\n]*\[[^\S\n]*(\w+)[^\S\n]+"([^\n]*)"[^\S\n]*\][^\S\n]*$', re.MULTILINE)
_RULES = re.compile(r'^[^\S\n]*\[[^\S\n]*Rules[^\S\n]+"', re.MULTILINE)
_COMMENT = re.compile(r"\{[^}]*(?:\}|\Z)|;[^\n]*|^%[^\n]*", re.MULTILINE)
#: What stands beside moves: comments, lines that are passed over, tags, numbers, brackets and signs.
_BESIDE = re.compile(rf"{_COMMENT.pattern}|{_TAG.pattern}|\$\d+|(?<!\d)\d+\.+|[()]|[+#!?]+|\be\.p\.", re.MULTILINE)
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def from_chess(board: chess.Board) -> Position:
    """Return a python-chess board as a position, with the moves that led there.

    Raises
    ------
    MultiverseError
        For the boards of variants and for Chess960.

    Examples
    --------
    >>> from_chess(chess.Board()).perft(1)
    20
    """
    if type(board) is not chess.Board or board.chess960:
        raise MultiverseError("pgn-needs-orthodox-chess", "only boards of orthodox chess can be converted")
    return _position_after_moves(board.root().fen(en_passant="fen"), board.move_stack)


def escape_tag(value: object) -> str:
    """Return a value as text for a PGN tag: quotes and backslashes escaped, line ends replaced by blanks."""
    return " ".join(str(value).split()).replace("\\", "\\\\").replace('"', '\\"')


@explain_argument_errors
def write_pgn(position: Position, headers: Mapping[str, str] | None = None) -> str:
    """Return the moves that led to a position as PGN, with `headers` as tags.

    In a game with other pieces, options or boards, the tag ``Rules`` has all of them, so that `read_pgn` finds the
    same game. Other programs ignore the tag.

    Parameters
    ----------
    position : Position
    headers : mapping of str to str, optional
        Tags, such as ``White``.

    Raises
    ------
    MultiverseError

    Examples
    --------
    >>> print(write_pgn(Position().push("e2e4").push("e7e5"), {"White": "Ann"}).splitlines()[-1])
    1. e4 e5 *
    """
    game = chess.pgn.Game.from_board(position.to_chess()) if position.is_orthodox else chess.pgn.Game()
    for name, value in (headers or {}).items():
        if not (name.isascii() and name.replace("_", "").isalnum()):
            raise MultiverseError(
                "pgn-tag-name-unusable", "a PGN tag can’t be called {tag!r}: use letters, digits and '_'", tag=name
            )
        game.headers[name] = escape_tag(value)
    outcome = position.outcome()
    if outcome is not None:
        game.headers["Result"] = outcome.result
    if position.is_orthodox:
        return str(game)
    start = position.copy()
    words: list[str] = []
    while start.last is not None:
        start.pop()
    game.headers.update(Variant="Altered", SetUp="1", FEN=start.fen(en_passant="fen"))
    game.headers["Rules"] = escape_tag(json.dumps(start.options()))
    number, black, moves = start.fen().split()[-1], start.turn == "black", [move for _, move, _ in position._past]
    for ply, move in enumerate(moves, int(black)):
        if ply % 2 == 0 or not words:
            words.append(f"{int(number) + ply // 2}.{'..' * (ply % 2)}")
        words.append(start.san(move))
        start.push(move)
    tags = "\n".join(f'[{name} "{value}"]' for name, value in game.headers.items())
    return f"{tags}\n\n{fill(' '.join([*words, game.headers['Result']]), 80)}"


@explain_argument_errors
def read_pgn(text: str) -> list[Position]:
    """Read the games in a PGN text, each as the position after its last move.

    Games with other rules than chess need the tag ``Rules``, as `write_pgn` writes it. Variations are ignored.

    Raises
    ------
    MultiverseError
        There is no game, a move or a position in a game is not legal, or a game is a chess variant. The message names
        the game, and no games are returned.

    Examples
    --------
    >>> [game.fen() for game in read_pgn("1. e4 e5 *")]
    ['rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2']
    """
    if len(text) > LONGEST_PGN:
        raise MultiverseError(
            "pgn-too-long",
            "a PGN can have at most {most:,} characters; this one has {found:,}",
            most=LONGEST_PGN,
            found=len(text),
        )
    text = "\n".join(map(strip_byte_order_mark, text.split("\n")))  # files that are joined have a mark before each game
    if _RULES.search(text):
        return [
            position
            for number, game in enumerate(_split_games(text), 1)
            for position in ([_read_altered(game, f"game {number}")] if _RULES.search(game) else read_pgn(game))
        ]
    stream = io.StringIO(text)
    positions: list[Position] = []
    while (game := chess.pgn.read_game(stream, Visitor=_GameBuilder)) is not None:
        what, variant = f"game {len(positions) + 1}", game.headers.get("Variant", "")
        if variant.lower() not in STANDARD_VARIANTS:
            raise MultiverseError(
                "pgn-of-a-variant",
                "{what}: {variant!r} is a variant, but only orthodox chess can be read",
                what=what,
                variant=variant[:40],
            )
        if game.errors:
            # python-chess would silently keep the moves before the first that it cannot read.
            raise MultiverseError("pgn-move-unreadable", "{what}: {error}", what=what, error=game.errors[0])
        try:
            positions.append(_position_after_moves(game.headers.get("FEN", START_FEN), game.mainline_moves()))
        except MultiverseError as error:
            raise MultiverseError(error.said.embed_in("{what}: {message}", what=what)) from None
    foreign = next(find_words_outside_pgn(text), None)
    if foreign is not None:  # python-chess would pass it over
        raise MultiverseError(
            "pgn-text-unknown", "{found!r} isn’t a move or anything else that PGN allows", found=foreign[:40]
        )
    if not positions:
        raise MultiverseError("pgn-without-game", "there is no game in this PGN")
    return positions


def _split_games(text: str) -> list[str]:
    """Return the games of a text; each but the first begins with a tag after an empty line."""
    games: list[list[str]] = [[]]
    before = "."
    for line in text.split("\n"):
        if line.strip() and not before.strip() and _TAG.match(line):
            games.append([])
        games[-1].append(line)
        before = line
    return [game for game in map("\n".join, games) if game.strip()]


def _read_altered(text: str, what: str) -> Position:
    """Return the position after the main line of a game whose tag says its rules; `what` names it in refusals."""
    tags = {name: value.replace('\\"', '"').replace("\\\\", "\\") for name, value in _TAG.findall(text)}
    try:
        rules = json.loads(tags.get("Rules", "")[: LONGEST_DEFINITION + 1])
    except (ValueError, RecursionError):
        rules = None
    try:
        game = position_of_definition(tags.get("FEN", START_FEN), rules)
    except MultiverseError as error:
        raise MultiverseError(error.said.embed_in("{what}: {message}", what=what)) from None
    depth = 0
    for word in re.findall(r"[()]|[^\s()]+", _COMMENT.sub(" ", _TAG.sub(" ", text))):
        depth += {"(": 1, ")": -1}.get(word, 0)
        san = re.sub(r"^\d+\.+", "", word)
        if depth or not san or san in "()" or san.startswith("$") or san in _RESULTS:
            continue
        try:
            game.push(san)
        except MultiverseError as error:
            raise MultiverseError(error.said.embed_in("{what}: {message}", what=what)) from None
    return game


def find_words_outside_pgn(text: str) -> Iterator[str]:
    """Yield the words of a PGN text that are neither moves nor anything else in PGN."""
    for word in _BESIDE.sub(" ", text).split():
        if any(letter.isalpha() for letter in word) and not chess.pgn.MOVETEXT_REGEX.fullmatch(word):
            yield word


class SilentGameBuilder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Builder of python-chess games that leaves errors to the reader."""

    def handle_error(self, error: Exception) -> None:
        """Keep an error with the game instead of logging it."""
        self.game.errors.append(error)


class _GameBuilder(SilentGameBuilder):
    """Builder that also leaves variations out."""

    def begin_variation(self) -> chess.pgn.SkipType:  # type: ignore[override]
        """Pass a variation over: each would begin with a copy of all moves so far."""
        return chess.pgn.SKIP

    def end_variation(self) -> None:
        """Do nothing; it was not begun."""


def _position_after_moves(fen: str, moves: Iterable[chess.Move]) -> Position:
    """Return the position after moves from a FEN."""
    position = Position(fen)
    for move in moves:
        position.push(move.uci())
    return position
