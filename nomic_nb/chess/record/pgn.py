"""A game on boards as PGN, for chess programs: for each pair of half-boards, and each universe, the moves made on it.

Between two moves on a pair, moves on other pairs may change what stands there; then a new game begins, with the
position that the boards have when they are pushed together. The army that moves is one side, everything else on the
pair the other; in a universe, White is who has the army at home on the near side, whoever moves. Every move has its
number in the whole game as a comment, and in it the rules made in play that hold there, where they are others than
before, what the law has become behind the move, what was said of it, and how the game ended. What ordinary chess does
not know, a move or a position, is told with its FEN in a comment of the game that it follows, or of the next one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import chess
import chess.pgn

from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.notation import write_placement
from nomic_nb.chess.multiverse.pgn import escape_tag
from nomic_nb.chess.play.boards import multiverse_of, read_mark
from nomic_nb.chess.record.moves import PlayedMove, commented_event, played_moves
from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.law.changes import change_from_json, check_text
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Comment
from nomic_nb.engine.record.sentences import sentence
from nomic_nb.engine.subjects.host import NAG_GLYPHS
from nomic_nb.engine.words import full_sentence, group_pairs, upper_first

#: Letters of a tag (PGN standard, section 7: a text has at most 255).
LONGEST_TAG = 255
#: A date, and one that is not known (section 8.1.1.3).
DATE, UNKNOWN = re.compile(r"(\d{4}|\?{4})\.(0[1-9]|1[0-2]|\?\?)\.(0[1-9]|[12]\d|3[01]|\?\?)", re.ASCII), "????.??.??"
#: Events that change the law.
LAW_EVENTS = frozenset({"amended", "enacted", "repealed", "transmuted"})
#: What a sentence can end with.
CLOSING_SIGNS = frozenset('.,:;!?…)]”’"□')


def write_game_pgn(timeline: Timeline, headers: Mapping[str, str]) -> str:
    """Return the moves of a game as PGN, pair by pair in the order in which they were first pushed.

    Parameters
    ----------
    timeline : Timeline
        The game.
    headers : mapping of str to str
        For every game in it: ``Event``, ``Site``, ``Date`` …

    Raises
    ------
    ValueError
        The date is none.
    LawError
        A tag that is no text, or too long.
    """
    for name, value in headers.items():
        check_text(f"PGN tag {name}", value, LONGEST_TAG)
    if not DATE.fullmatch(headers.get("Date", UNKNOWN)):
        raise WrongValue(
            say(
                "pgn-date-unreadable",
                "a date in PGN is written 2026.05.01 or 2026.??.??; found {found!r}",
                found=headers["Date"][:20],
            )
        )
    plies = list(played_moves(timeline))
    said = _Remarks(timeline, plies)
    pairs = group_pairs((one.move.push, one) for one in plies)
    games = [game for pair, many in pairs.items() for game in _PairGames(pair, many, headers, said).games()]
    return "\n\n".join(game.accept(chess.pgn.StringExporter(columns=80)) for game in games) + ("\n" if games else "")


class _Remarks:
    """What is said beside the moves of a game: law, comments, how it ended."""

    def __init__(self, timeline: Timeline, plies: list[PlayedMove]) -> None:
        self.timeline, self.plies = timeline, plies
        self.mates = [event for event in timeline.standing if event.kind == "mated"]
        #: By ply: what is said there, the glyphs, and the comments that draw.
        self.texts, self.glyphs = defaultdict[int, list[str]](list), defaultdict[int, list[str]](list)
        self.drawn = defaultdict[int, list[Comment]](list)
        laws = ((event.seq, event) for event in timeline.standing if event.kind in (*LAW_EVENTS, "won"))
        beside: list[tuple[int, Event | Comment]] = [*timeline.state.comments.items(), *laws]
        for seq, one in sorted(beside, key=lambda pair: pair[0]):
            if isinstance(one, Event):
                self.at(seq).append(_law_remark(one))
            else:
                self.comment(one)

    def ply(self, seq: int) -> int:
        """Return the number of the move that an event follows; 0 before the first."""
        return max((one.ply for one in self.plies if one.pushed <= seq), default=0)

    def at(self, seq: int) -> list[str]:
        return self.texts[self.ply(seq)]

    def comment(self, one: Comment) -> None:
        about = commented_event(self.timeline.state.comments, one)
        ply = self.ply(about)
        on = ply > 0 and self.plies[ply - 1].on(about)
        glyph = [one.glyph] if one.glyph else []
        if on:
            self.glyphs[ply] += glyph
            self.drawn[ply].append(one)
        words = [*([] if on else glyph), one.text, *([] if on else _describe_marks(one))]
        self.at(about).append(" ".join(filter(None, words)))


def _law_remark(event: Event) -> str:
    """Return what an event has made of the law, or of the game."""
    said = upper_first(sentence(event))
    if event.kind not in LAW_EVENTS or event.kind == "repealed":
        return full_sentence(said)
    change = change_from_json(event.data["change"])
    return f"{said}: {change.wording or change.law}" if change.wording or change.law else full_sentence(said)


def _describe_marks(one: Comment) -> list[str]:
    """Return arrows and marked squares in words."""
    return [
        f"({what} {', '.join(found)})" for what, found in (("arrows", one.arrows), ("squares", one.squares)) if found
    ]


class _PairGames:
    """The moves on a pair as games: a new one begins where the boards have changed in between."""

    def __init__(
        self, pair: tuple[str, ...], moves: list[PlayedMove], headers: Mapping[str, str], said: _Remarks
    ) -> None:
        self.pair, self.moves, self.headers, self.said = pair, moves, headers, said
        self.found: list[chess.pgn.Game] = []
        self.node: chess.pgn.GameNode | None = None
        #: The board behind the last move; None where a new game has to begin.
        self.board: chess.Board | None = None
        #: The rules that were said to be in force.
        self.rules: list[str] = []
        #: What is told before the first game.
        self.told: list[str] = []

    def games(self) -> list[chess.pgn.Game]:
        for one in self.moves:
            self.add(one)
        if self.told:
            self.begin(chess.Board(), self.moves[0])
        return self.found

    def add(self, one: PlayedMove) -> None:
        if one.ply == 1:
            self.tell(self.said.texts[0])
        moved, law = f"ply {one.ply}: {one.move.text}", self.law(one)
        board = _board_before(one)
        move = None if board is None else _read_move(board, one.uci)
        if board is None or move is None:
            self.board = None
            beyond = f"{moved}, which ordinary chess does not know, from FEN {_fen_of_move(one, one.before)}{law}."
            drawn = [text for comment in self.said.drawn[one.ply] for text in _describe_marks(comment)]
            beyond = " ".join([beyond, *self.said.glyphs[one.ply], *drawn])
            self.tell([beyond, *self.said.texts[one.ply]])
            return
        now = self.board
        if now is None or (now.board_fen(), now.turn) != (board.board_fen(), board.turn) or not now.is_legal(move):
            self.begin(board, one)
            now = board
        self.node = (self.node or self.found[-1]).add_variation(move)
        self.node.nags.update(NAG_GLYPHS.index(glyph) for glyph in self.said.glyphs[one.ply])
        now.push(move)
        self.board = now
        self.tell([f"{moved}{law}.", *self.describe_position(one, now), *self.said.texts[one.ply]])
        marks = _pgn_marks(one, self.said.drawn[one.ply], multiverse_of(self.said.timeline.state))
        self.node.comment = marks + self.node.comment
        self.found[-1].headers["Result"] = self.result(one, now)

    def law(self, one: PlayedMove) -> str:
        """Say which rules made in play hold on the boards of a move, where that was not said before."""
        made = (rule for rule in one.rules if rule.turn and any(rule.applies_in(name) for name in self.pair))
        before, self.rules = self.rules, [f"{rule.number} {rule.title}".strip() for rule in made]
        return "" if self.rules == before else f"; in force: {'; '.join(self.rules) or 'no rule made in play'}"

    def describe_position(self, one: PlayedMove, now: chess.Board) -> Iterator[str]:
        """Tell how the boards stand behind a move, where ordinary chess would have them otherwise."""
        after = multiverse_of(self.said.timeline.after(one.followed[-1].seq))
        if _fen_of_move(one, after).split()[0] != now.board_fen():
            yield f"The law has it that the boards then stand as FEN {_fen_of_move(one, after)}."
        lost = any(one.pushed < event.seq and event.data["army"] in self.others(one) for event in self.said.mates)
        ended = "mate" if now.is_checkmate() and not lost else "stalemate" if now.is_stalemate() else ""
        if ended:
            yield f"Ordinary chess has {ended} here; by the law the game goes on."

    def tell(self, texts: Iterable[str]) -> None:
        """Say something behind the last move, or before the first game."""
        words = (" ".join(text.split()).replace("{", "(").replace("}", ")") for text in texts if text)
        said = [text if text[-1] in CLOSING_SIGNS else f"{text}." for text in words]
        if self.node is None:
            self.told += said
        else:
            self.node.comment = " ".join(filter(None, [self.node.comment, *said]))

    def begin(self, board: chess.Board, one: PlayedMove) -> None:
        game = chess.pgn.Game()
        game.setup(board)
        whites = _white_armies(one)
        more = {
            "Round": str(len(self.found) + 1),
            "White": _player_names(one.before, whites),
            "Black": _player_names(one.before, _armies_present(one) - whites),
            "Pair": "+".join(self.pair),
            "Ply": str(one.ply),
        }
        for name, value in {**self.headers, **more}.items():
            game.headers[name] = escape_tag(value)
        game.comment, self.told = " ".join(self.told), []
        self.found.append(game)
        self.node = None

    def others(self, one: PlayedMove) -> set[str]:
        """Return the armies of the side that does not move."""
        whites = _white_armies(one)
        return _armies_present(one) - whites if one.move.army in whites else whites

    def result(self, one: PlayedMove, now: chess.Board) -> str:
        """Return the result of a game of which a move is the last: of the whole, or what ordinary chess has."""
        state = self.said.timeline.state
        won, lost = ("1-0", "0-1") if one.move.army in _white_armies(one) else ("0-1", "1-0")
        others = self.others(one)
        if not state.winners or one.ply != len(self.said.plies):
            return won if now.is_checkmate() else "1/2-1/2" if now.is_stalemate() else "*"
        mine = one.before.armies[one.move.army].controller in state.winners
        theirs = any(one.before.armies[army].controller in state.winners for army in others)
        return {(True, False): won, (False, True): lost, (True, True): "1/2-1/2"}.get((mine, theirs), "*")


def _player_names(position: Multiverse, armies: Iterable[str]) -> str:
    return ", ".join(f"{name} ({position.armies[name].controller})" for name in sorted(armies)) or "?"


def _armies_present(one: PlayedMove) -> set[str]:
    """Return the armies with pieces on the boards of a move, before it."""
    return {one.move.army, *one.before.armies_on(one.move.push)}


def _white_armies(one: PlayedMove) -> set[str]:
    """Return the armies that are White.

    On half-boards that is the army that moves, unless it is at home on the far one, and then it is all others. In a
    universe it is the army at home on the near side, with all that its player has there.
    """
    armies, there, last = one.before.armies, _armies_present(one), one.move.push[-1]
    if one.before.boards[last].half:
        return {one.move.army} if armies[one.move.army].home != last else there - {one.move.army}
    near = next((army for army in armies.values() if army.home == last and not army.far), None)
    if near is None:
        return set()
    return {near.name, *(name for name in there if armies[name].controller == near.controller)}


def _fen_of_move(one: PlayedMove, position: Multiverse) -> str:
    """Return the boards of a move as FEN, whatever stands on them; they may be larger than those of chess."""
    push, whites = replace(one, before=position).joined, _white_armies(one)
    letters = {at: piece.kind.upper() if piece.army in whites else piece.kind for at, piece in push.pieces.items()}
    return f"{write_placement(letters, push.geometry)} {'w' if one.move.army in whites else 'b'} - - 0 1"


def _board_before(one: PlayedMove) -> chess.Board | None:
    """Return the boards as they stood when they were pushed together, or None where chess has no such position."""
    push = one.joined
    if (push.geometry.files, push.geometry.ranks) != (8, 8) or push.geometry.holes or push.geometry.wraps:
        return None
    if any(piece.kind not in "pnbrqk" for piece in push.pieces.values()):
        return None
    board = chess.Board(_fen_of_move(one, one.before))
    for king, rook in ((4, 0), (4, 7), (60, 56), (60, 63)):
        royal, tower = push.pieces.get(king), push.pieces.get(rook)
        if royal and tower and (royal.kind, tower.kind) == ("k", "r") and royal.army == tower.army:
            board.castling_rights |= 0 if royal.moved or tower.moved else 1 << rook
    board.castling_rights = board.clean_castling_rights()
    if one.move.passing:
        board.ep_square = chess.parse_square(one.uci[2:4])
    return board if board.is_valid() else None


def _read_move(board: chess.Board, uci: str) -> chess.Move | None:
    try:
        return board.parse_uci(uci)
    except ValueError:
        return None


def _pgn_marks(one: PlayedMove, comments: Iterable[Comment], now: Multiverse) -> str:
    """Return arrows and squares as chess programs draw them; those on other boards in words."""
    local = {place: one.joined.geometry.name(at) for at, place in one.joined.origin.items()}
    found: dict[str, list[str]] = {"csl": [], "cal": []}
    elsewhere = []
    for comment in comments:
        for name, texts, count in (("csl", comment.squares, 1), ("cal", comment.arrows, 2)):
            for text in texts:
                drawn = read_mark(now, text, count)
                if local.keys() >= set(drawn.squares):
                    found[name].append(drawn.colour[0].upper() + "".join(local[place] for place in drawn.squares))
                else:
                    elsewhere.append(text)
    said = [f"[%{name} {','.join(marks)}]" for name, marks in found.items() if marks]
    said += [f"(on other boards: {', '.join(elsewhere)})"] if elsewhere else []
    return " ".join(said) + " " if said else ""
