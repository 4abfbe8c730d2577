"""Variants as data: the ready-made ones, the format of Fairy-Stockfish, and PGN of altered games."""

import base64
import json
import random
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from refusals import refused

from nomic_nb.chess.multiverse import (
    MultiverseError,
    from_ini,
    open_link,
    position,
    read_pgn,
    to_ini,
    variant,
    variants,
    write_pgn,
)

#: In positions of random games: variant, FEN, counts of another program at depths 1 and 2.
MIDGAMES = json.loads((Path(__file__).parent / "variants.json").read_text())["cases"]


@pytest.mark.parametrize("name", list(variants()))
def test_a_ready_made_variant_has_the_moves_that_another_program_counts(name):
    found = variants()[name]
    game = variant(name)
    assert found.source
    assert found.about
    assert not found.missing
    assert [game.perft(depth) for depth in (1, 2)] == list(found.counts[:2])
    assert position(game.fen(en_passant="fen"), **game.options()) == game


@pytest.mark.slow
@pytest.mark.parametrize("name", list(variants()))
def test_a_ready_made_variant_has_as_many_lines_of_three_plies(name):
    assert variant(name).perft(3) == variants()[name].counts[2]


@pytest.mark.parametrize(("name", "fen", "counts"), MIDGAMES)
def test_midgames_have_the_moves_that_another_program_counts(name, fen, counts):
    game = variants()[name].position(fen)
    assert [game.perft(1), game.perft(2)] == counts


def test_twenty_five_variants_are_ready_made():
    assert len(variants()) >= 25
    with refused("no-such-variant", near="capablanca"):
        variant("capablancas")


@pytest.mark.parametrize("name", ["capablanca", "atomic", "3check", "giveaway", "chigorin", "shogi", "grand"])
def test_a_pgn_of_an_altered_game_brings_the_same_game_back(name):
    chance, game = random.Random(4), variant(name)
    while game.outcome() is None and len(game._past) < 24:
        game.push(chance.choice(game.moves()))
    text = write_pgn(game, {"White": 'Ann "the one"'})
    (again,) = read_pgn(text)
    assert again == game
    assert [move for _, move, _ in again._past] == [move for _, move, _ in game._past]


def test_games_of_chess_and_altered_games_share_a_file():
    altered = position(pieces={"n": "NW"}).push("g1f3").push("g8f6")
    text = f"{write_pgn(position().push('e2e4'))}\n\n{write_pgn(altered)}\n\n{write_pgn(position().push('d2d4'))}\n"
    games = read_pgn(text)
    assert [game.last for game in games] == ["e2e4", "g8f6", "d2d4"]
    assert games[1].pieces["n"] == "NW"


def test_comments_and_variations_of_an_altered_game_are_passed_over():
    text = write_pgn(position(pieces={"n": "NW"}))
    moves = "1. Nf3! $1 {good; 1. Nxx} (1. e4 e5 (1... c5) 2. d4) 1... e5 ; to the end\n2.Nf4 *"
    (game,) = read_pgn(text.rpartition("\n")[0] + "\n" + moves)
    assert [move for _, move, _ in game._past] == ["g1f3", "e7e5", "f3f4"]


@pytest.mark.parametrize(
    ("rules", "moves", "code", "values"),
    [
        ("{", "*", "definition-unusable", {"what": "game 1"}),
        ("[1]", "*", "definition-unusable", {}),
        ('{\\"fen\\": 1}', "*", "definition-of-unknown-option", {"name": "fen"}),
        ('{\\"spells\\": 1}', "*", "definition-of-unknown-option", {"name": "spells"}),
        ('{\\"pieces\\": 5}', "*", "pieces-not-by-kind", {"found": 5}),
        ("[" * 15_000, "*", "definition-unusable", {}),
        ("1" * 30_000, "*", "definition-unusable", {}),
        ('{\\"pieces\\": {\\"n\\": \\"N!\\"}}', "*", "movement-atom-unknown", {}),
        ('{\\"goals\\": [\\"win\\"]}', "*", "goal-unknown", {"goal": "win"}),
        ("{}", "1. e4 e5 2. Ke3 *", "move-neither-uci-nor-algebraic", {"move": "Ke3"}),
    ],
)
def test_pgn_of_altered_games_that_is_refused(rules, moves, code, values):
    with refused(code, **values):
        read_pgn(f'[Event "?"]\n[Rules "{rules}"]\n\n{moves}\n')


# links


@pytest.mark.parametrize("name", list(variants()))
def test_a_link_reopens_the_same_position(name):
    game = variant(name)
    game.push(game.moves()[0])
    assert open_link(game.link()) == game
    assert len(game.link()) < 400


def packed(data):
    """A link with something else in it."""
    return "position:" + base64.urlsafe_b64encode(zlib.compress(data)).decode()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "link-unreadable"),
        (None, "link-unreadable"),
        ("position:", "link-unreadable"),
        ("position:ä", "link-unreadable"),
        (position().link()[:-9], "link-unreadable"),
        ("position:" + "A" * 9_000, "link-unreadable"),
        (packed(b" " * 10_000_000), "link-unreadable"),
        (packed(b"[" * 15_000), "link-unreadable"),
        (packed(b"[1, 2, 3]"), "link-unreadable"),
        (packed(b"[1, {}]"), "definition-unusable"),
        (packed(b'["", []]'), "definition-unusable"),
        (packed(b'["8/8 w", {"pieces": 3}]'), "pieces-not-by-kind"),
        (packed(b'["8/8 w", {"self": 3}]'), "definition-of-unknown-option"),
        (packed(b'["8/8 w", {}]'), "fen-with-wrong-number-of-kings"),
    ],
)
def test_links_that_are_refused(text, code):
    with refused(code):
        open_link(text)


# the format of Fairy-Stockfish


def test_a_definition_builds_on_others():
    found = from_ini(
        "\ufeff# words\n[base:chess]\nknight = -\ncustomPiece1 = n:NW\n\n[more:base]\ncastling = false\n; words\n"
    )
    assert found["base"].position().pieces["n"] == "NW"
    # A pawn becomes the kinds of the parent that are still there, and no other by the same letter.
    assert found["more"].position().options() == {"pieces": {"n": "NW"}, "castling": False, "promotion": "qrb"}
    assert found["base"].position() == position(pieces={"n": "NW"}, promotion="qrb")


def test_kings_and_queens_behind_directions_are_read_as_three_of_them():
    found = from_ini("[x:chess]\ncustomPiece1 = a:fKbQ\nstartFen = 4k3/8/8/8/3A4/8/8/4K3 w - - 0 1\n")
    targets = {move[2:] for move in found["x"].position().moves("d4")}
    assert targets == {"c5", "d5", "e5", "d3", "d2", "d1", "c3", "b2", "a1", "e3", "f2", "g1"}


@pytest.mark.parametrize(
    "line",
    [
        "wallingRule = duck", "gating = true", "flyingGeneral = sometimes", "promotionLimit = q:many",
        "castlingRank = 2", "promotionLimit = z:1", "extinctionPieceCount = few", "flagPieceCount = 2",
        "flagRegionWhite = z99", "checkmateValue = 3", "connectN = 4", "capturesToHand = true", "somethingNew = yes",
        "blastOnCapture = true\npieceDrops = true\ncapturesToHand = true", "dropNoDoubled = z\npieceDrops = true",
        "mobilityRegionWhiteNobody = *1", "checkCounting = true\nking = -", "maxFile = 9", "janggiCannon = c",
        "castlingKingPiece = \nking = -\ncastlingKingsideFile = f", "immobile = i", "promotionPieceTypes = -",
        "flagMove = true\nflagPiece = q\nflagRegionWhite = *8", "soldier = s\nsoldierPromotionRank = 5",
        "blastOnCapture = true\npawnTypes = pn", "promotionPawnTypesWhite = n\npromotionPawnTypesBlack = p",
        "mustCapture = yes", "checkCounting = 1", "promotionPieceTypes = qz", "pawnTypes = x", "knight = nn",
        "promotedPieceType = n:q:r", "promotedPieceType = n:z", "startFen = ", "maxRank = ", "stalemateValue = ",
        "castlingRookPieces = z", "flagPiece = z\nflagRegion = *4 *5",
    ],
)  # fmt: skip
def test_what_no_position_can_express_is_named(line):
    more = "extinctionValue = loss\n" if line.startswith("extinction") else ""
    (found,) = from_ini(f"[x:chess]\n{more}{line}\n").values()
    assert {*line.split("\n")} & {*found.missing}
    with refused("variant-not-supported", name="x"):
        found.position()


#: What the format gives each side or takes over from the parent, with move counts as another program has them.
READ = {
    "[x:chess]\npromotionRegionWhite = *7 *8\npromotionRegionBlack = *2 *1": (
        {"promotion_ranks": [7, 8]},
        (20, 400, 8902),
    ),
    "[x:chess]\npromotionRegionBlack = *1 *2": ({"promotion_ranks": {"white": (8,), "black": (7, 8)}}, (20, 400, 8902)),
    "[y:chess]\npromotedPieceType = n:q\n[x:y]\npromotedPieceType = b:r": (
        {"promotion_within": {"b": "r", "n": "q"}},
        (20, 400, 8902),
    ),
    "[x:chess]\nextinctionValue = loss\nextinctionPieceTypes = q\nextinctionPseudoRoyal = true\nextinctionPieceCount = 64": (  # noqa: E501
        {"royal": "kq", "kings": "all"},
        (20, 400, 8882),
    ),
    "[x]\nmaxRank = 3\nmaxFile = c\nstartFen = ppp/3/PPP w\nflagRegionWhite = *3\nflagRegionBlack = *1\ncustomPiece1 = p:mfWcfF\nstalemateValue = loss":  # noqa: E501
    ({"goals": ["reach p ranks 3-3"], "stalemate": "loss"}, (3, 10, 28)),
    "[x:chess]\nrook = q\nstartFen = 4k3/P7/8/8/8/8/8/Q3K3 w Q - 0 1": (
        {"promotion": "qbn", "castling_rook": "q"},
        (17, 79, 1569),
    ),
}


@pytest.mark.parametrize("text", READ)
def test_options_of_each_side_and_of_the_parent_are_read(text):
    options, counts = READ[text]
    game = from_ini(text)["x"].position()
    assert options.items() <= game.options().items()
    assert tuple(map(game.perft, (1, 2, 3))) == counts


def test_options_without_effect_on_moves_are_listed():
    (found,) = from_ini("[x:chess]\nnMoveRule = 64\npieceValueMg = n:300\nwallingRule = none\n").values()
    assert found.unused == ("nMoveRule = 64", "pieceValueMg = n:300")
    assert found.position() == position()


@pytest.mark.parametrize(
    ("text", "code", "values"),
    [
        ("x" * 10_000_000, "ini-too-long", {"most": 1_000_000}),
        ("[a]\n" * 10 + "".join(f"[v{n}:chess]\n" for n in range(1000)), "ini-of-too-many", {"most": 500}),
        ("knight = n", "ini-line-unreadable", {"line": 1}),
        ("[x:chess]\nknight n", "ini-line-unreadable", {"line": 2}),
        ("[x:chess]\nstartFen = " + "8/" * 2000, "ini-line-unreadable", {"line": 2}),
        (5, "ini-too-long", {}),
    ],
)
def test_texts_that_are_refused(text, code, values):
    with refused(code, **values):
        from_ini(text)


@pytest.mark.parametrize("line", ["startFen = 8/8", "startFen = 99/x", "maxFile = ?", "customPiece1 = n:N!"])
def test_a_definition_that_makes_no_sense_is_refused_alone(line):
    found = from_ini(f"[x:chess]\n{line}\n[y:chess]\nqueen = -\n")
    with pytest.raises(MultiverseError):
        found["x"].position()
    assert "q" not in found["y"].options["pieces"]


def test_a_parent_that_is_not_there_is_named():
    assert from_ini("[x:nowhere]\nqueen = q\n")["x"].missing == ("parent = nowhere",)


@pytest.mark.parametrize(
    ("options", "moves", "end"),
    [
        ({"pieces": {"n": "iKN"}, "initial_ranks": None}, "Ng1f3 Ng8f6 Nf3g1 Nf6g8", None),
        ({"capture_result": "explode with royals"}, "e4 e5 Qh5 a6 Qxf7", "royal piece captured"),
        ({"check": False}, "e4 f6 Qh5 a6 Qxe8", "royal piece captured"),
        ({"promotion": "k", "promotion_ranks": (3,)}, "e4 d5 a3=K", None),
        ({"goals": ["checks 1"]}, "e4 f6 Qh5", "check 1 given"),
        ({"goals": ["reach p rank 4"]}, "e4", "goal square reached"),
        ({}, "f3 e5 g4 Qh4", "checkmate"),
    ],
)
def test_a_link_and_a_pgn_bring_back_what_happened(options, moves, end):
    game = position(**options)
    for move in moves.split():
        game.push(move)
    outcome = game.outcome()
    assert (outcome and outcome.reason) == end
    for again in (open_link(game.link()), read_pgn(write_pgn(game))[0], position(game.fen(), **game.options())):
        assert sorted(again.moves()) == sorted(game.moves())
        assert again.outcome() == outcome
    assert open_link(game.link()) == game


def test_squares_of_pieces_that_moved_are_named_only_if_that_matters():
    game, again = position(pieces={"n": "iKN"}, initial_ranks=None), position().push("Nf3").push("Nf6")
    for move in ("Ng1f3", "Ng8f6", "Nf3g1", "Nf6g8"):
        game.push(move)
    assert game.options()["moved"] == "g1 g8"
    assert "g1g2" not in game.moves()
    assert again.push("Ng1").push("Ng8").options() == {}
    assert open_link(again.link()) == again
    for options in ({"moved": "g1"}, {"moved": "a4", "pieces": {"n": "iKN"}, "initial_ranks": None}):
        with refused("moved-without-effect"):
            position(**options)


#: Values of options, some of which the format has nothing for.
VALUES = {
    "pieces": [{"n": "NW"}, {"k": "KN"}, {"p": "fmWfceF"}, {"n": "B", "b": "N"}, {"white": {"n": "NW"}, "black": {}}],
    "wraps": ["files"],
    "castling": [False],
    "promotion": ["q", "", "nbrq", {"white": "q", "black": "n"}, "k"],
    "promotion_ranks": [(7, 8), {"white": (8,), "black": (7, 8)}, "a7-h8 a6 / rank 8"],
    "promotion_mandatory": [False, {"white": True, "black": False}],
    "initial_ranks": [(2, 3), None, "rank 2 a1 / ranks 1-2"],
    "en_passant": [False, "rank 6", "-"],
    "pawns": ["pn", ""],
    "kings": ["all"],
    "check": [False],
    "goals": [
        [goal]
        for goal in (
            "reach kq rank 8",
            "reach k d4-e5",
            "lost all",
            "bare",
            "extinct q",
            "extinct rq",
            "race k rank 8",
            "reach k rank 8 / -",
            "extinct all 2",
            "lost q",
            "lost all 3",
        )
    ],
    "stalemate": ["win", "loss"],
    "checkmate": ["win", "draw"],
    "castling_king": ["k", "q"],
    "capture_result": ["captor's hand", "owner's hand", "convert", "explode", "explode with royals"],
    "drops": [{"p": "ranks 2-7"}, {"p": "ranks 1-8"}, {"n": "ranks 1-4"}],
    "move_forced": [True],
    "promotion_within": [{"n": "q"}],
    "regions": [{"q": "ranks 1-4"}, {"q": "ranks 1-4 / a1-d8"}],
    "promotion_within_mandatory": [True],
    "promotion_limit": [{"q": 1}],
    "drop_file_limit": [{"p": 1}, {"p": 1, "n": 2}],
    "drop_without_mate": ["p"],
    "keeps_promotion": [True],
    "flying_general": [True],
    "giving_check": ["by moves", "never"],
}


@examples(60)
@given(
    st.fixed_dictionaries({}, optional={name: st.sampled_from(some) for name, some in VALUES.items()}), st.integers()
)
def test_a_definition_brings_the_same_game_back_or_names_what_it_cannot_say(options, seed):
    try:
        game = position(**dict(list(options.items())[seed % 5 :][:4]))
    except MultiverseError:
        return
    try:
        text = to_ini(game, "x")
    except MultiverseError:
        with refused("position-not-in-ini"):
            to_ini(game, "x")
        return
    again, chance = from_ini(text)["x"].position(), random.Random(seed)
    for _ in range(12):
        assert again.fen() == game.fen()
        assert sorted(again.moves()) == sorted(game.moves())
        assert again.outcome() == game.outcome()
        if game.outcome():
            return
        move = chance.choice(sorted(game.moves()))
        game.push(move)
        again.push(move)


@pytest.mark.parametrize("name", list(variants()))
def test_a_ready_made_variant_can_be_written_and_read(name):
    game = variant(name)
    game.push(game.moves()[0])
    again = from_ini(to_ini(game, name))[name].position()
    assert sorted(again.moves()) == sorted(game.moves())
    assert again.fen() == game.fen()


@pytest.mark.parametrize(
    ("options", "lost"),
    [
        ({"wraps": "files"}, "wraps"),
        ({"pieces": {"white": {"n": "NW"}, "black": {"n": "N"}}}, "pieces"),
        ({"check": False}, "check"),
        ({"capture_result": "convert"}, "capture_result"),
        ({"capture_result": "owner's hand"}, "capture_result"),
        ({"goals": ["lost all", "extinct q"]}, "goals"),
        ({"goals": ["reach k d4", "reach q d5"]}, "goals"),
        ({"initial_ranks": None}, "pieces, initial_ranks"),
        ({"royal": "kq", "kings": "all", "castling": False}, "royal, kings"),
    ],
)
def test_what_a_definition_cannot_say_is_named(options, lost):
    with refused("position-not-in-ini", options=lost):
        to_ini(position(**options))


def test_a_variant_to_be_written_has_a_name_on_one_line():
    with refused("variant-name-unusable", found="x]\n[y"):
        to_ini(position(), "x]\n[y")


def test_pawns_dropped_where_they_could_not_move_are_named():
    text = "[x:crazyhouse]\npromotionZonePawnDrops = true\n"
    assert from_ini(text)["x"].missing == ("promotionZonePawnDrops = true",)
    assert not from_ini(text + "immobilityIllegal = true")["x"].missing


# PGN from strangers

ALTERED = write_pgn(position(pieces={"n": "NW"})) + "\n\n"


@pytest.mark.parametrize("before", ["", ALTERED], ids=["chess", "altered"])
@pytest.mark.parametrize(
    "text", ["\n", " \n", "1", "{", "{\n", "[ ", '[a "', '"]  ', "\ufeff\n", "(", "\n[x \n", "$", "! "]
)
def test_a_hostile_pgn_of_one_sign_is_read_once(before, text):
    """A reader that begins again at each sign needs hours for this."""
    with suppress(MultiverseError):
        assert len(read_pgn(before + text * (150_000 // len(text)))) <= 2


def test_a_tag_of_rules_without_an_end_is_refused():
    with refused("definition-unusable", what="game 1"):
        read_pgn('[Rules "{}\n\n1. e4 *')


def test_variations_are_passed_over_in_all_games():
    (game,) = read_pgn("1. e4 (1. d4 (1. Qh8 d5) 1... d5) 1... e5 {(} (1... c5) 2. Nf3 *")
    assert [move for _, move, _ in game._past] == ["e2e4", "e7e5", "g1f3"]


def test_games_of_a_file_keep_their_order():
    texts = ["1. e4 *\n\n", ALTERED.rstrip().removesuffix("*") + "1. Nf3 *\n\n", '[Event "x"]\n\n1. d4 d5 *\n\n']
    games = read_pgn("".join(texts))
    assert [game.last for game in games] == ["e2e4", "g1f3", "d7d5"]


def test_pawns_of_two_kinds_are_told_apart():
    game = position(
        "4k3/2z5/8/8/8/8/PZ6/4K3 w - - 0 1", {"z": "fmWfceFifmnD"}, pawns="pz", promotion="q", castling=False
    )
    assert {game.san(move) for move in game.moves() if move.kind in "pz"} == {"a3", "a4", "Zb3", "Zb4"}
    fork = position("4k3/8/8/8/8/1n6/P1Z5/4K3 w - - 0 1", {"z": "fmWfceF"}, pawns="pz", castling=False)
    assert {fork.san(move) for move in fork.moves() if move.taken} == {"axb3", "Zxb3"}
    for start in (game, fork):
        for move in start.moves():
            assert start.find(start.san(move)) == move
            (again,) = read_pgn(write_pgn(start.after(move)))
            assert again == start.after(move)
