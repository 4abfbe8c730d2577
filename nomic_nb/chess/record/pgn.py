"""A game on boards as PGN, for chess programs: for each pair of half-boards, and each universe, the moves made on it.

Between two moves on a pair, moves on other pairs may change what is there; then a new game begins, with the
position that the boards have when they are pushed together. The army that moves is one side, everything else on the
pair the other; in a universe, White is who has the army at home on the near side, whoever moves. Every move has its
number in the whole game as a comment, and in it the rules made in play that hold there, where they are others than
before, what the law has become after the move, what was said about it, and how the game ended. What ordinary chess does
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
from nomic_nb.chess.multiverse.pieces import BoardNames
from nomic_nb.chess.multiverse.python_chess import escape_tag
from nomic_nb.chess.play.boards import multiverse_of, read_mark
from nomic_nb.chess.record.moves import PlayedMove, commented_event, played_moves
from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.law.changes import change_from_json, check_text_storable
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.timeline import Fork, Timeline
from nomic_nb.engine.play.values import Comment
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.record.seals import CLOSES, current_seals
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
    """Return the moves of a game as PGN games, one board or pair of boards after the other, by first move.

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
        check_text_storable(f"PGN tag {name}", value, LONGEST_TAG)
    if not DATE.fullmatch(headers.get("Date", UNKNOWN)):
        raise WrongValue(
            "pgn-date-unreadable",
            "write a date in PGN as 2026.05.01 or 2026.??.??, not {found!r}",
            found=headers["Date"][:20],
        )
    plies = list(played_moves(timeline))
    remarks = _Remarks(timeline, plies)
    pairs = group_pairs((played.move.push, played) for played in plies)
    lines = {pair: _PairGames(pair, many, headers, remarks) for pair, many in pairs.items()}
    games = [game for line in lines.values() for game in line.make_games()]
    games += _add_branches(timeline, lines, headers)
    return "\n\n".join(game.accept(chess.pgn.StringExporter(columns=80)) for game in games) + ("\n" if games else "")


def _add_branches(
    timeline: Timeline, lines: Mapping[BoardNames, _PairGames], headers: Mapping[str, str]
) -> list[chess.pgn.Game]:  # fmt: skip
    """Add the moves of branches as variations to the games of `lines`; return games for moves that fit into none."""
    games: list[chess.pgn.Game] = []
    for fork in sorted(timeline.forks, key=lambda one: one.at):
        way, sealed = fork.timeline, current_seals(fork.timeline)
        if any(event.kind in CLOSES and event.seq in sealed.telling for event in way.events[fork.at :]):
            continue  # its moves would tell the outcome of a sealed vote
        plies = list(played_moves(way))
        remarks, own = _Remarks(way, plies), dict(lines)
        pairs = group_pairs((played.move.push, played) for played in plies if played.event.seq > fork.at)
        for pair, many in pairs.items():
            line = own[pair] = _PairGames(pair, many, headers, remarks)
            line.leave(lines.get(pair), fork)
            games += line.make_games()[line.shared is not None :]
        games += _add_branches(way, own, headers)
    return games


class _Remarks:
    """The remarks beside the moves of a game: changes of the law, comments, the end."""

    def __init__(self, timeline: Timeline, plies: list[PlayedMove]) -> None:
        self.timeline, self.plies = timeline, plies
        self.mates = [event for event in timeline.events_in_effect if event.kind == "mated"]
        #: By ply: what is said there, the glyphs, and the comments that draw.
        self.texts, self.glyphs = defaultdict[int, list[str]](list), defaultdict[int, list[str]](list)
        self.drawn = defaultdict[int, list[Comment]](list)
        laws = ((event.seq, event) for event in timeline.events_in_effect if event.kind in (*LAW_EVENTS, "won"))
        beside: list[tuple[int, Event | Comment]] = [*timeline.state.comments.items(), *laws]
        for seq, remark in sorted(beside, key=lambda pair: pair[0]):
            if isinstance(remark, Event):
                self.texts_at_event(seq).append(_law_remark(remark))
            else:
                self.add_comment(remark)

    def ply_at_event(self, seq: int) -> int:
        """Return the number of the last ply begun by an event (`seq`); 0 before the first move."""
        return max((played.ply for played in self.plies if played.pushed <= seq), default=0)

    def texts_at_event(self, seq: int) -> list[str]:
        """Return the list, to which callers add, of remarks on the last ply begun by an event (`seq`)."""
        return self.texts[self.ply_at_event(seq)]

    def add_comment(self, comment: Comment) -> None:
        """Add the text, glyph and drawings of a player's comment to the remarks on the ply that it is about."""
        about = commented_event(self.timeline.state.comments, comment)
        ply = self.ply_at_event(about)
        on = ply > 0 and self.plies[ply - 1].includes_event(about)
        glyph = [comment.glyph] if comment.glyph else []
        if on:
            self.glyphs[ply] += glyph
            self.drawn[ply].append(comment)
        words = [*([] if on else glyph), comment.text, *([] if on else _describe_marks(comment))]
        self.texts_at_event(about).append(" ".join(filter(None, words)))


def _law_remark(event: Event) -> str:
    """Return the remark on an event that changed the law or ended the game: its sentence, and any new wording."""
    text = upper_first(sentence(event))
    if event.kind not in LAW_EVENTS or event.kind == "repealed":
        return full_sentence(text)
    change = change_from_json(event.data["change"])
    return f"{text}: {change.wording or change.law}" if change.wording or change.law else full_sentence(text)


def _describe_marks(comment: Comment) -> list[str]:
    """Return the arrows and marked squares of a comment in words."""
    return [
        f"({what} {', '.join(marks)})"
        for what, marks in (("arrows", comment.arrows), ("squares", comment.squares))
        if marks
    ]


class _PairGames:
    """The moves on one pair of boards as PGN games; a new one begins if the boards have changed."""

    def __init__(
        self, pair: BoardNames, moves: list[PlayedMove], headers: Mapping[str, str], remarks: _Remarks
    ) -> None:
        self.pair, self.moves, self.headers, self.said = pair, moves, headers, remarks
        self.found: list[chess.pgn.Game] = []
        self.node: chess.pgn.GameNode | None = None
        #: The board after the last move; None where a new game has to begin.
        self.board: chess.Board | None = None
        #: The rules that were said to be in force.
        self.rules: list[str] = []
        #: What is told before the first game.
        self.told: list[str] = []
        #: The game, node and board after each event that changed them; and the game that a branch has in common.
        self.places: list[tuple[int, chess.pgn.Game, chess.pgn.GameNode | None, chess.Board]] = []
        self.shared: chess.pgn.Game | None = None
        self.branch = ""

    def leave(self, main: _PairGames | None, fork: Fork) -> None:
        """Begin where a branch leaves another line of the game."""
        self.branch = f"Branch ({fork.why}) from event {fork.at}, "
        if main is not None and main.places:
            self.places = [place for place in main.places if place[0] <= fork.at] or main.places[:1]
            _, self.shared, self.node, board = self.places[-1]
            self.found, self.board, self.rules = [self.shared], board.copy(), main.rules

    def make_games(self) -> list[chess.pgn.Game]:
        """Add all moves on this pair of boards, and return the PGN games that they make."""
        for played in self.moves:
            self.add_move(played)
        if self.told:
            self.begin_game(chess.Board(), self.moves[0])
        return self.found

    def add_move(self, played: PlayedMove) -> None:
        """Add a move to the current game, or to a new one if the boards have changed."""
        if played.ply == 1 and not self.branch:
            self.add_comment_texts(self.said.texts[0])
        moved, law = f"{self.branch}ply {played.ply}: {played.move.text}", self.rules_in_words(played)
        self.branch = self.branch and "in this branch "
        board = _chess_board_before(played)
        move = None if board is None else _legal_chess_move(board, played.uci)
        if board is None or move is None:
            self.board = None
            beyond = (
                f"{moved}, which ordinary chess does not allow, from FEN {_fen_of_move(played, played.before)}{law}."
            )
            drawn = [text for comment in self.said.drawn[played.ply] for text in _describe_marks(comment)]
            beyond = " ".join([beyond, *self.said.glyphs[played.ply], *drawn])
            self.add_comment_texts([beyond, *self.said.texts[played.ply]])
            return
        now = self.board
        if now is None or (now.board_fen(), now.turn) != (board.board_fen(), board.turn) or not now.is_legal(move):
            self.begin_game(board, played)
            now = board
        self.node = (self.node or self.found[-1]).add_variation(move)
        self.node.nags.update(NAG_GLYPHS.index(glyph) for glyph in self.said.glyphs[played.ply])
        now.push(move)
        self.board = now
        self.add_comment_texts(
            [f"{moved}{law}.", *self.describe_differences(played, now), *self.said.texts[played.ply]]
        )
        marks = _marks_in_pgn(played, self.said.drawn[played.ply], multiverse_of(self.said.timeline.state))
        self.node.comment = marks + self.node.comment
        self.places.append((played.event.seq, self.found[-1], self.node, now.copy()))
        if self.found[-1] is not self.shared:
            self.found[-1].headers["Result"] = self.pgn_result(played, now)

    def rules_in_words(self, played: PlayedMove) -> str:
        """Return words on the rules made in play that hold on these boards; empty if as at the last move."""
        rules = (rule for rule in played.rules if rule.turn and any(rule.applies_in(name) for name in self.pair))
        before, self.rules = self.rules, [f"{rule.number} {rule.title}".strip() for rule in rules]
        return "" if self.rules == before else f"; in force: {'; '.join(self.rules) or 'no rule made during play'}"

    def describe_differences(self, played: PlayedMove, now: chess.Board) -> Iterator[str]:
        """Yield sentences on how a move leaves boards or game otherwise than in ordinary chess (board `now`)."""
        after = multiverse_of(self.said.timeline.after(played.followed[-1].seq))
        if _fen_of_move(played, after).split()[0] != now.board_fen():
            yield f"Under the rules in force, the position is then (FEN): {_fen_of_move(played, after)}."
        lost = any(
            played.pushed < event.seq and event.data["army"] in self.armies_of_other_side(played)
            for event in self.said.mates
        )
        ended = "mate" if now.is_checkmate() and not lost else "stalemate" if now.is_stalemate() else ""
        if ended:
            yield f"In ordinary chess this is {ended}; under the rules in force the game continues."

    def add_comment_texts(self, texts: Iterable[str]) -> None:
        """Add texts to the PGN comment on the last move, or to the one before the first move."""
        words = (" ".join(text.split()).replace("{", "(").replace("}", ")") for text in texts if text)
        sentences = [text if text[-1] in CLOSING_SIGNS else f"{text}." for text in words]
        if self.node is None:
            self.told += sentences
        else:
            self.node.comment = " ".join(filter(None, [self.node.comment, *sentences]))

    def begin_game(self, board: chess.Board, played: PlayedMove) -> None:
        """Begin a new PGN game from a board, with headers for the move that comes first."""
        game = chess.pgn.Game()
        game.setup(board)
        whites = _white_armies(played)
        more = {
            "Round": str(len(self.found) + 1),
            "White": _armies_with_players(played.before, whites),
            "Black": _armies_with_players(played.before, _armies_present(played) - whites),
            "Pair": "+".join(self.pair),
            "Ply": str(played.ply),
        }
        for name, value in {**self.headers, **more}.items():
            game.headers[name] = escape_tag(value)
        game.comment, self.told = " ".join(self.told), []
        self.found.append(game)
        self.node = None
        self.places.append((played.pushed - 1, game, None, board.copy()))

    def armies_of_other_side(self, played: PlayedMove) -> set[str]:
        """Return the armies of the side that did not make this move."""
        whites = _white_armies(played)
        return _armies_present(played) - whites if played.move.army in whites else whites

    def pgn_result(self, played: PlayedMove, now: chess.Board) -> str:
        """Return the PGN result after a move: by the winners if it was the last one, else by ordinary chess."""
        state = self.said.timeline.state
        won, lost = ("1-0", "0-1") if played.move.army in _white_armies(played) else ("0-1", "1-0")
        others = self.armies_of_other_side(played)
        if not state.winners or played.ply != len(self.said.plies):
            return won if now.is_checkmate() else "1/2-1/2" if now.is_stalemate() else "*"
        mine = played.before.armies[played.move.army].controller in state.winners
        theirs = any(played.before.armies[army].controller in state.winners for army in others)
        return {(True, False): won, (False, True): lost, (True, True): "1/2-1/2"}.get((mine, theirs), "*")


def _armies_with_players(position: Multiverse, armies: Iterable[str]) -> str:
    """Return armies with their players, for a PGN header: “white (Ann)”."""
    return ", ".join(f"{name} ({position.armies[name].controller})" for name in sorted(armies)) or "?"


def _armies_present(played: PlayedMove) -> set[str]:
    """Return the armies that had pieces on the boards of a move before it."""
    return {played.move.army, *played.before.armies_on(played.move.push)}


def _white_armies(played: PlayedMove) -> set[str]:
    """Return the armies that count as White in the PGN of a move.

    On half-boards that is the army that moves, unless it is at home on the far one, and then it is all others. In a
    universe it is the army at home on the near side, with all that its player has there.
    """
    armies, there, last = played.before.armies, _armies_present(played), played.move.push[-1]
    if played.before.boards[last].half:
        return {played.move.army} if armies[played.move.army].home != last else there - {played.move.army}
    near = next((army for army in armies.values() if army.home == last and not army.far), None)
    if near is None:
        return set()
    return {near.name, *(name for name in there if armies[name].controller == near.controller)}


def _fen_of_move(played: PlayedMove, position: Multiverse) -> str:
    """Return the FEN, for boards of any size, of the boards pushed for a move, with the pieces as in `position`."""
    push, whites = replace(played, before=position).joined_boards, _white_armies(played)
    letters = {at: piece.kind.upper() if piece.army in whites else piece.kind for at, piece in push.pieces.items()}
    return f"{write_placement(letters, push.geometry)} {'w' if played.move.army in whites else 'b'} - - 0 1"


def _chess_board_before(played: PlayedMove) -> chess.Board | None:
    """Return the boards before a move as a python-chess board; None if chess has no such position."""
    push = played.joined_boards
    if (push.geometry.files, push.geometry.ranks) != (8, 8) or push.geometry.holes or push.geometry.wraps:
        return None
    if any(piece.kind not in "pnbrqk" for piece in push.pieces.values()):
        return None
    board = chess.Board(_fen_of_move(played, played.before))
    for king, rook in ((4, 0), (4, 7), (60, 56), (60, 63)):
        royal, tower = push.pieces.get(king), push.pieces.get(rook)
        if royal and tower and (royal.kind, tower.kind) == ("k", "r") and royal.army == tower.army:
            board.castling_rights |= 0 if royal.moved or tower.moved else 1 << rook
    board.castling_rights = board.clean_castling_rights()
    if played.move.passing:
        board.ep_square = chess.parse_square(played.uci[2:4])
    return board if board.is_valid() else None


def _legal_chess_move(board: chess.Board, uci: str) -> chess.Move | None:
    """Return the move that a UCI text names if it is legal on a python-chess board; else None."""
    try:
        return board.parse_uci(uci)
    except ValueError:
        return None


def _marks_in_pgn(played: PlayedMove, comments: Iterable[Comment], now: Multiverse) -> str:
    """Return comments' arrows and marked squares as PGN commands; those on other boards than the move's in words."""
    local = {place: played.joined_boards.geometry.name(at) for at, place in played.joined_boards.origin.items()}
    drawn_marks: dict[str, list[str]] = {"csl": [], "cal": []}
    elsewhere = []
    for comment in comments:
        for name, texts, count in (("csl", comment.squares, 1), ("cal", comment.arrows, 2)):
            for text in texts:
                drawn = read_mark(now, text, count)
                if local.keys() >= set(drawn.squares):
                    drawn_marks[name].append(drawn.colour[0].upper() + "".join(local[place] for place in drawn.squares))
                else:
                    elsewhere.append(text)
    sentences = [f"[%{name} {','.join(marks)}]" for name, marks in drawn_marks.items() if marks]
    sentences += [f"(on other boards: {', '.join(elsewhere)})"] if elsewhere else []
    return " ".join(sentences) + " " if sentences else ""
