"""Pieces and options of a position as clauses: a game in which they are law has the same moves."""

import pytest
from board_helpers import arrange, chess, law, nothing
from refusals import refused

from nomic_nb.chess.multiverse import position, to_law
from nomic_nb.chess.multiverse.notation import write_placement
from nomic_nb.chess.play.legal import move_options

#: White, and Yellow, which moves as Black: with captures, drops and a pawn before the last rank.
WHITE, YELLOW = "Ke1 Ra1 Rh1 Nb1 Pa2 Pe4 yellow.Pa2 Qd3", "Ke1 Ra1 Nb1 Pd2 white.Pd4 white.Pf3 Ph3"
OPTIONS = [
    {},
    {"pieces": {"n": "NW", "r": "RF"}},
    {"pieces": {"white": {"n": "NW"}, "black": {"n": "WFK", "q": "N"}}},
    {"pieces": {"q": "KrO3lO2", "z": "BN"}, "promotion": "zq", "royal": "kq", "kings": "all"},
    {"castling": False, "en_passant": False, "promotion": "n", "promotion_mandatory": False},
    {"castling_rook": "rn", "initial_ranks": (2, 3, 4), "promotion_ranks": (5, 7, 8)},
    {"pawns": "pn", "initial_ranks": ()},
    {"wraps": "files"},
    {"move_forced": True},
    {"capture_result": "explode with royals"},
    {"capture_result": "captor's hand"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_game_under_the_law_of_a_position_has_its_moves(options):
    game = chess("Ann", "Ben")
    if clauses := to_law(position(**options)):
        law(game, clauses)
    else:
        nothing(game)
    arrange(game, white=WHITE, yellow=YELLOW)
    push = game.pushed("white", "yellow")
    placed = {
        at: piece.kind.upper() if piece.army == "white" else piece.kind.lower() for at, piece in push.pieces.items()
    }
    # What was placed by hand can never castle; the position has no right to, either.
    start = position(f"{write_placement(placed, push.geometry)} b - - 0 1", **options)
    assert sorted(option.uci for option in move_options(game.state)) == sorted(start.moves())
    terms = push.law.terms
    for name in ("castling", "castling_rook", "promotion", "promotion_mandatory", "initial_ranks", "en_passant"):
        assert getattr(terms, name) == getattr(start.terms, name)
    assert (set(terms.pawns), set(terms.royal)) == (set(start.terms.pawns), set(start.terms.royal))
    for army, movements in zip(("white", "yellow"), start.armies, strict=True):
        assert push.law.of_army[army].items() <= movements.items()


@pytest.mark.parametrize(
    ("fen", "options", "lost"),
    [
        ("4k3/5/5/5/4K w - - 0 1", {}, "the board"),
        ("", {"goals": ["bare"], "stalemate": "win"}, "goals, stalemate"),
        ("", {"wraps": "both"}, "wraps"),
        ("", {"initial_ranks": None}, "initial_ranks"),
        ("", {"promotion": {"white": "q", "black": "n"}}, "promotion"),
        ("", {"check": False}, "check"),
        ("", {"drops": {"p": "ranks 2-7"}, "regions": {"k": "d1-f3"}}, "drops, regions"),
        ("", {"promotion_within": {"n": "q"}}, "promotion_within"),
    ],
)
def test_what_rules_have_no_setting_for_is_named(fen, options, lost):
    with refused("position-not-in-law", options=lost):
        to_law(position(*filter(None, [fen.replace("4k3", "4k")]), **options))


def test_armies_that_differ_are_two():
    changed = position(pieces={"white": {"n": "NW"}, "black": {"q": "N"}})
    assert to_law(changed, ["red", "blue"]).splitlines() == [
        'piece N of army_named("red") moves "NW"', 'piece Q of army_named("blue") moves "N"',
    ]  # fmt: skip
    for armies in ("ab", ["white"], ()):
        with refused("armies-not-two"):
            to_law(changed, armies)
