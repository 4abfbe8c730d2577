"""Positions as clauses and armies under law as positions: a game in which they are law has the same moves."""

import pytest
from beginnings import new_game
from board_helpers import arrange, chess, law, nothing
from refusals import refused

from nomic_nb.chess.multiverse import position, to_law, variants
from nomic_nb.chess.multiverse.errors import MultiverseError
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
    if options.get("capture_result") == "captor's hand":  # promoted pieces stay what they are, in hand
        with refused("rule-beyond-position"):
            game.position("white", "yellow")
    else:
        found = game.position("white", "yellow")
        assert (found.turn, sorted(found.moves()), found.perft(2)) == ("black", sorted(start.moves()), start.perft(2))
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


def writable():
    """The ready-made variants that can be written as law, by name."""
    for name, variant in variants().items():
        try:
            to_law(variant.position())
        except MultiverseError:
            continue
        yield name


@pytest.mark.parametrize("name", [*writable()])
def test_a_variant_as_law_comes_back_as_the_same_position(name):
    start, game = variants()[name].position(), chess("Ann", "Ben")
    law(game, to_law(start) or 'set vote.ballots to "open"')
    game.host.set_up(start.fen(), agreed=["Ann", "Ben"], reason="a trial")
    found = game.position("white", "yellow")
    assert (found, found.options().keys()) == (start, start.options().keys())
    assert found.perft(3) == start.perft(3)
    for _ in range(2):
        move = sorted(start.moves())[7]
        game.move(game.player, next(str(option) for option in move_options(game.state) if option.uci == move))
        start.push(move)
        nothing(game)
        found = game.position("white", "yellow")
        assert (found.turn, found.board(), sorted(found.moves())) == (start.turn, start.board(), sorted(start.moves()))


@pytest.mark.parametrize(
    ("clauses", "named"),
    [
        ("forbid move when count(captures) > 0", "forbid move when"),
        ('set promotion.kinds to ["Q"] while turn > 3', "while turn > 3"),
        ('piece N moves "NW" while count(royals) > 1', "piece N moves"),
        ('set capture.result to "convert" while piece.kind == "P"', "capture.result"),
        ('set capture.result to "captor\'s hand"', "captor's hand"),
        ("on captured: remove capturer", "on captured"),
        (
            "track n per player from 0\non captured: award 1 n to player\nwhenever each p in playing when p.n > 2: eliminate p",  # noqa: E501
            "whenever",
        ),
        ("on turn_begun: demote demotable(player)", "on turn_begun"),
        ("instead of captured: remove capturer", "instead of captured"),
        ('offer "swap": remove item(royals, 1)', "offer"),
        ('set army.stuck to "skip"', "skip"),
        ("set move.forced to count(captures) > 1", "move.forced"),
        ('set move.on_push to "staying"\nprevails over 219', "staying"),
        ("set turn.sequence to batting_order + batting_order\nprevails over 216\nprevails over 201", "turn.sequence"),
        ('set check.own_on_push to "may stay"\nprevails over 221', "may stay"),
        ('set royal.capture to "capture"', "royal.capture"),
        ('set board.holes to ["white.a1"]', "board.holes"),
    ],
)
def test_the_rule_that_a_position_cannot_express_is_named(clauses, named):
    game = chess("Ann", "Ben")
    proposal = law(game, clauses)
    with refused("rule-beyond-position") as caught:
        game.position("white", "yellow")
    assert named in caught.value.values["clause"]
    assert caught.value.rule == proposal.number


def test_a_position_needs_two_armies_face_to_face():
    game = chess()
    assert game.position("green", "white").perft(1) == 20
    with refused("armies-not-face-to-face"):
        game.position("white", "white")
    with refused("no-such-army"):
        game.position("white", "red")
    universe = new_game("make-a-rule", ["Ann", "Ben"], seed=7)
    with refused("rule-beyond-position", rule="R1"):
        universe.position("white", "yellow")
