"""How positions end, against the slow way: python-chess, and trying every move."""

import re

import chess
from hypothesis import example, given
from hypothesis import strategies as st
from often import examples

from nomic_nb.chess.multiverse import position
from nomic_nb.chess.multiverse.geometry import UNIVERSE
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import Army, Board, army_colour_and_mark
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import ORTHODOX, Law, Terms

#: Few pieces, so that a walk at random comes back to where it was; in some a double step can be answered en passant.
STARTS = (
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
    "k7/8/8/8/8/8/8/K6R b - - 130 90",
    "4k3/8/8/8/3p4/8/4P3/K7 w - - 0 1",
    "3rk3/8/8/8/3p4/8/4P3/3K4 w - - 0 1",
    "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1",
    "k7/1p6/8/P7/8/8/8/K6Q b - - 0 1",
)


def reason(board):
    """How python-chess would have a game end, for the draws that the kit knows."""
    if not any(board.legal_moves):
        return "checkmate" if board.is_check() else "stalemate"
    if board.is_seventyfive_moves():
        return "75 moves"
    if len(board.piece_map()) == 2:
        return "only royal pieces left"
    return "fivefold repetition" if board.is_fivefold_repetition() else None


@examples(15)
@example(STARTS[3], [0])
@example(STARTS[5], [])
@given(st.sampled_from(STARTS), st.lists(st.integers(0, 40), max_size=6))
def test_games_end_as_python_chess_says(start, walk):
    ours, board = position(start), chess.Board(start)

    def go(text):
        ours.push(text)
        board.push_uci(text)
        outcome = ours.outcome(draws=True)
        assert (outcome and outcome.reason) == reason(board), board.fen()
        return outcome is None

    for pick in walk:
        moves = sorted(ours.moves())
        if not moves or not go(moves[pick % len(moves)]):
            return
    # Both sides go to and fro until the game ends: whether the first position counts, they find out.
    there = []
    for _ in range(2):
        loose = [move for move in sorted(ours.moves()) if move.kind != "p" and not move.taken]
        if not loose or not go(loose[0]):
            return
        there.append(loose[0])
    for count in range(40):
        text = there[count % 2]
        text = text[2:4] + text[:2] if count // 2 % 2 == 0 else text
        if text not in ours.moves() or not go(text):
            return


def test_a_position_with_a_capture_en_passant_is_repeated_only_without_it():
    game = position("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1").push("e2e4")
    for text in ["e8d8", "e1d1", "d8e8", "d1e1"] * 4:
        assert game.outcome(draws=True) is None
        game.push(text)
    assert game.outcome(draws=True) is None  # in the first of these five, black could capture en passant
    assert game.push("e8d8").outcome(draws=True).reason == "fivefold repetition"


def test_a_piece_that_has_lost_its_first_move_makes_another_position():
    game = position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", {"r": "WiR"}, castling=False, initial_ranks=None)
    for text in ["a1a2", "e8d8", "a2a1", "d8e8"] * 4:
        game.push(text)
    assert game.outcome(draws=True) is None
    assert game.push("a1a2").outcome(draws=True).reason == "fivefold repetition"


# royal pieces alone

MOVEMENTS = ("K", "W", "F", "N", "D", "QN", "R", "fK", "mWcF", "nD", "gQ", "WiD", "cWmF", "KbN", "pR")
squares = st.integers(0, 63)


def place(pieces, side="w"):
    """Letters by square as FEN."""
    rows = ("".join(pieces.get(8 * rank + file, "1") for file in range(8)) for rank in range(7, -1, -1))
    return f"{'/'.join(re.sub('1+', lambda found: str(len(found[0])), row) for row in rows)} {side} - - 0 1"


def wins(game, depth):
    """Whether somebody is mated after so many moves at most, or captured."""
    end = game.outcome()
    if end is not None:
        return bool(end.winner)
    return depth > 0 and any(wins(game.after(move), depth - 1) for move in game.moves())


def test_a_lone_royal_piece_that_can_mate_is_no_draw():
    game = position("8/8/8/8/8/8/5M2/k7 w - - 0 1", {"m": "QN"}, royal="km")
    assert wins(game, 1)
    assert game.outcome(draws=True) is None


def test_kings_that_may_be_captured_are_no_draw():
    game = position("8/8/8/8/8/8/1k6/K7 w - - 0 1", check=False)
    assert wins(game, 1)
    assert game.outcome(draws=True) is None
    assert position("8/8/8/8/8/8/1k6/8 w - - 0 1", check=False).outcome().winner == "black"
    assert position("8/8/8/8/8/8/1r6/R7 w - - 0 1", check=False).outcome() is None  # neither side has lost a king


def test_a_royal_pawn_may_become_more():
    game = position("8/4P3/8/8/8/8/8/k7 w - - 0 1", royal="kp", kings="all")
    assert game.outcome(draws=True) is None


@examples(20)
@given(
    st.tuples(st.sampled_from(MOVEMENTS), st.sampled_from(MOVEMENTS)),
    st.lists(squares, min_size=2, max_size=3, unique=True), st.booleans(), st.booleans(),
)  # fmt: skip
def test_nobody_wins_after_a_draw_of_royal_pieces(ways, at, near, check):
    letters = ("M", "x", "m") if near else ("M", "x", "X")
    ranks = [square % 8 + 8 * (square // 8 % 3) for square in at]  # near one another, where mates are
    if len(set(ranks)) < len(ranks):
        return
    fen = place(dict(zip(ranks, letters, strict=False)))
    game = position(fen, {"m": ways[0], "x": ways[1]}, royal="mx", kings="all", pawns="", promotion="", check=check)
    end = game.outcome(draws=True)
    if end is not None and end.reason == "only royal pieces left":
        assert not wins(game, 2)


def test_two_kings_are_drawn_wherever_they_are():
    for at in range(64):
        if chess.square_distance(at, chess.D4) > 1:
            end = position(place({at: "K", chess.D4: "k"})).outcome(draws=True)
            assert end.reason == "only royal pieces left"


# royal pieces that come or go by promotion


def by_trying(fen, options):
    """The legal moves, by whether the other side could capture a royal piece then."""
    bold, found = position(fen, check=False, **options), []
    for move in bold.moves():
        after = bold.after(move)
        own = str.isupper if bold.turn == "white" else str.islower
        royal = {at for at, kind in after.board().items() if own(kind) and kind.lower() in options["royal"]}
        if not any(royal & set(reply.taken) for reply in after.moves()):
            found.append(move)
    return sorted(found)


@examples(15)
@given(
    st.dictionaries(squares, st.sampled_from("KRNP"), min_size=1, max_size=3),
    st.dictionaries(squares, st.sampled_from("krnq"), min_size=1, max_size=3),
    st.integers(48, 55), st.sampled_from([("qk", "k", "p"), ("qn", "p", "p"), ("q", "k", "pk"), ("kr", "kr", "p")]),
    st.booleans(),
)  # fmt: skip
def test_no_promotion_leaves_a_royal_piece_attacked(white, black, pawn, terms, mandatory):
    options = {"promotion": terms[0], "royal": terms[1], "pawns": terms[2], "promotion_mandatory": mandatory,
               "kings": "all", "castling": False, "en_passant": False}  # fmt: skip
    pieces = {**black, **white, pawn: "P"}
    fen = place({at: kind for at, kind in pieces.items() if kind.lower() != "p" or 8 <= at < 56})
    game = position(fen, **options)
    expected = by_trying(fen, options)
    assert sorted(game.moves()) == expected
    assert game.count() == game.perft(1) == len(expected)
    assert game.perft(2) == sum(game.after(move).count() for move in game.moves())
    state = Multiverse({}, {}, {}).add_board(Board("board", UNIVERSE))
    for at, name in enumerate(("white", "black")):
        state = state.add_army(Army(name, name, "board", *army_colour_and_mark(at), far=bool(at)), array=False)
    for at, kind in game.board().items():
        state = state.place(kind.lower(), "white" if kind.isupper() else "black", "board", at, moved=True)
    push = Push(state, Law(ORTHODOX, terms=Terms(**options)), "white", ("board",))
    found = [
        push.geometry.name(move.origin[1]) + push.geometry.name(move.target[1]) + move.promotion
        for move in push.moves()
    ]
    assert sorted(found) == expected
