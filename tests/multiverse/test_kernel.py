"""The compiled kernel finds what Python finds, whatever the pieces and the rules, and refuses what does not fit."""

import copy
import gc
import json
import os
import random
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from multiverse.random_rules import random_positions

import nomic_nb as nb
from nomic_nb.chess import kernel as kernel_files
from nomic_nb.chess.kernel import Kernel, load_library, words
from nomic_nb.chess.multiverse import move_search, position, positions
from nomic_nb.chess.multiverse.kernel_tables import kernel_for, words_of_rules, words_of_state
from nomic_nb.chess.multiverse.move_search import MOST_NODES, player
from nomic_nb.chess.multiverse.random_games import play_at_random

CASES = json.loads((Path(__file__).parent / "perft.json").read_text())["cases"]
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
#: What .ci/run says, where a compiler is there.
NEEDED = "KERNEL_NEEDED"


def searched(game, nodes, monkeypatch, **choice):
    """What a player finds: with the kernel, and by Python alone; None instead of the first without a kernel for it."""
    found = []
    for least in (1, MOST_NODES + 1):
        monkeypatch.setattr(move_search, "KERNEL_NODES", least)
        bot = player(game, nodes=nodes)
        found.append((bot.move(game, **choice), bot.value, bot.depth, bot.searched, list(bot.line)))
        if least == 1 and bot._kernel is None:
            return None, None
    return found


@pytest.fixture(autouse=True)
def kernel():
    """The library; without one the test is skipped, or fails where it has to be there."""
    library, why = load_library()
    if library is None:
        (pytest.fail if os.environ.get(NEEDED) else pytest.skip)(f"no compiled kernel: {why}")
    return library


def counted(game, depth):
    """What the kernel counts; None if it leaves that to Python."""
    found = kernel_for(game.rules)
    return None if isinstance(found, str) else found.count_leaves(words_of_state(game._state, found.width), depth)


def counted_by_python(game, depth, monkeypatch):
    monkeypatch.setattr(positions, "KERNEL_DEPTH", 99)
    return game.perft(depth)


def disagreements(seeds, plies, monkeypatch, most=256):
    """Return (number of positions compared, those where the counts differ)."""
    compared, differ = 0, []
    for seed, game in random_positions(seeds, plies, most):
        depth = 1 if game.count() > 40 else 2
        found = counted(game, depth)
        if found is not None:
            compared += 1
            if found != counted_by_python(game, depth, monkeypatch):
                differ.append((seed, game.fen()))
    return compared, differ


def test_the_counts_of_other_programs(monkeypatch):
    for case in CASES[::6]:
        game = position(case["fen"], pieces=case["betza"], **case["rules"])
        nodes = case["nodes_by_depth"]
        assert [counted(game, depth) for depth in range(1, len(nodes) + 1)] == nodes, case["id"]


@pytest.mark.slow
def test_all_counts_of_other_programs():
    for case in CASES:
        game = position(case["fen"], pieces=case["betza"], **case["rules"])
        deeper = {int(depth): nodes for depth, nodes in case["deeper"].items()}
        for depth, nodes in {**dict(enumerate(case["nodes_by_depth"], 1)), **deeper}.items():
            assert counted(game, depth) == nodes, (case["id"], depth)


def test_random_pieces_and_rules(monkeypatch):
    compared, differ = disagreements(range(30), 2, monkeypatch, most=64)
    assert (compared > 10, differ) == (True, [])


@pytest.mark.slow
def test_many_random_pieces_and_rules(monkeypatch):
    compared, differ = disagreements(range(1000, 1090), 4, monkeypatch)
    assert (compared > 100, differ) == (True, [])


def test_a_position_says_what_counts():
    assert position().backend == "compiled"
    crowned = position(promotion="qk", kings="all", pieces={"k": "KN"})
    assert crowned.backend == "Python: the kernel leaves promotions that make or unmake a royal piece to Python"
    assert crowned.perft(2) > 0


def test_python_counts_where_the_kernel_is_turned_off(monkeypatch):
    monkeypatch.setattr(kernel_files, "turned_off", True)
    assert position().backend == "Python: NOMIC_NB_PURE is set"
    assert position().perft(3) == 8902
    monkeypatch.undo()
    assert position().backend == "compiled"


def test_tables_and_positions_that_do_not_fit_are_refused():
    tables = words_of_rules(position().rules)
    for broken in (
        words(),
        tables[:-1],
        tables + words(0),
        words(*([2**63] * 20)),
        words(*tables[:2], 65, *tables[3:]),
    ):
        with pytest.raises(ValueError, match="tables"):
            Kernel(broken)
    state = words_of_state(position()._state, tables[1])
    for broken in (words(), state[:-1], words(*[2**64 - 1] * len(state))):
        with pytest.raises(ValueError, match="position"):
            Kernel(tables).count_leaves(broken, 2)
    with pytest.raises(ValueError, match="position"):
        Kernel(tables).count_leaves(state, 1000)


def test_a_damaged_library_is_not_loaded(tmp_path, monkeypatch):
    """A shorter file would end Python once its missing part is read."""
    whole = kernel_files.LIBRARY.read_bytes()
    checksum = kernel_files.LIBRARY.with_name(kernel_files.LIBRARY.name + kernel_files.CHECKSUM).read_text()
    monkeypatch.setattr(kernel_files, "LIBRARY", tmp_path / "library.so")
    for content, said in ((whole[:-5000], checksum), (whole, "1"), (whole, "?"), (whole, "")):
        kernel_files.LIBRARY.write_bytes(content)
        (tmp_path / "library.so.crc32").write_text(said)
        library, why = kernel_files._open_library.__wrapped__()
        assert (library, "install the kit again" in why) == (None, True)


# Lists of moves


def listed_by_python(game, plies, monkeypatch):
    with monkeypatch.context() as context:
        context.setattr(kernel_files, "turned_off", True)
        return game.packed_moves(plies)


def lists_are_alike(game, monkeypatch):
    """Whether the kernel made the same move objects in the same order as Python; False if it leaves them to Python."""
    with monkeypatch.context() as context:
        context.setattr(game._lists, "_first", 0)
        found = game._lists.legal_moves(game._state)
        context.setattr(game, "_lists", None)
        context.setattr(game, "_moves", None)
        pure = game.moves()
    if found is None:
        return False
    assert found == pure, game.fen()
    for ours, theirs in zip(found, pure, strict=True):
        for name in ("change", "kind", "number", "origin", "partner", "promotion", "taken", "target"):
            assert getattr(ours, name) == getattr(theirs, name), (game.fen(), ours)
    return True


def compare_lists(seeds, monkeypatch):
    """Return how many positions had the same lists, and in how many of them the kernel made move objects as well."""
    same = objects = 0
    for seed, game in random_positions(seeds, 2, most=144):
        if isinstance(kernel_for(game.rules), str):
            continue
        plies = int(game.count() < 12)
        assert game.packed_moves(plies) == listed_by_python(game, plies, monkeypatch), (seed, game.fen())
        same += 1
        objects += lists_are_alike(game, monkeypatch)
    return same, objects


def test_lists_of_random_pieces_and_rules(monkeypatch):
    same, objects = compare_lists(range(40, 60), monkeypatch)
    assert same > 8
    assert objects > 4


@pytest.mark.slow
def test_many_lists_of_random_pieces_and_rules(monkeypatch):
    assert compare_lists(range(4000, 4080), monkeypatch)[0] > 60


def test_the_kernel_lists_moves_in_the_order_of_python(monkeypatch):
    """Pins, checks, castlings, captures en passant and promotions among them."""
    for seed, (pieces, most_left) in enumerate([
        ({}, 0), ({"n": "NW"}, 0), ({"b": "BnD", "n": "NnN"}, 9), ({"p": "fFcfWimfA"}, 0), ({"q": "FyafsF"}, 9),
        ({"r": "mRcpR"}, 40), ({"k": "KnN"}, 0),
    ]):  # fmt: skip
        chance, game, left = random.Random(seed), position(KIWIPETE, pieces), 0
        for _ in range(70):
            left += not lists_are_alike(game, monkeypatch)
            if game.outcome() is not None:
                break
            game.push(chance.choice(game.moves()))
        assert left <= most_left, pieces


def test_lists_longer_than_the_room_kept_for_them(monkeypatch):
    game = position(KIWIPETE, {"q": "KNADcaKmcabK"})
    lists = game.packed_moves(1)
    assert lists == listed_by_python(game, 1, monkeypatch)
    assert len(lists) == game.count()
    assert sum(map(len, lists)) == game.perft(2)
    assert any(number >> 64 for row in lists for number in row)


def test_lists_that_take_too_much_memory_are_refused(monkeypatch):
    monkeypatch.setattr(kernel_files, "MOST_WORDS", 1000)
    with pytest.raises(MemoryError, match="fewer"):
        position().packed_moves(3)


def test_a_position_lists_the_same_moves_once_the_kernel_does_it(monkeypatch):
    game = position(KIWIPETE, capture_result="explode with royals")
    before = game.moves()
    monkeypatch.setattr(game._lists, "_first", 0)
    monkeypatch.setattr(game, "_moves", None)
    assert game.moves() == before
    assert [game.copy().push(move).fen() for move in game.moves()] == [game.after(move).fen() for move in before]


def test_a_finished_game_has_its_result_instead_of_moves(monkeypatch):
    mate = position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    stale = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    lost = position("7k/8/8/8/8/8/1p6/K7 b - - 0 1", goals=["reach q rank 8"]).push("b2b1q")
    kingless = position("8/8/8/8/8/8/8/K6k w - - 0 1".replace("k", "r"), check=False, kings="all")
    for game, result in ((mate, 1), (stale, 0), (lost, 2), (kingless, 1)):
        assert game.packed_moves() == listed_by_python(game, 0, monkeypatch) == [words(result)]
        assert game.packed_moves(1) == listed_by_python(game, 1, monkeypatch) == []


# Looking ahead


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"pieces": {"n": "NW"}},
        {"pieces": {"n": "KNADcaKmcabK", "r": "mRcpR"}},
        {"capture_result": "captor's hand"},
        {"capture_result": "explode with royals"},
        {"check": False, "goals": ["extinct q"]},
        {"goals": ["checks 2"], "stalemate": "loss"},
    ],
    ids=str,
)
def test_the_kernel_plays_the_same_move_after_the_same_nodes(options, monkeypatch):
    compiled, pure = searched(position(KIWIPETE, **options), 700, monkeypatch)
    assert compiled == pure
    assert compiled[3] > 50


def test_a_choice_of_moves_and_repetitions(monkeypatch):
    game = position(KIWIPETE)
    for move in ["e1d1", "e8d8", "d1e1", "d8e8", "e1d1", "e8d8"]:
        game.push(move)
    compiled, pure = searched(game, 500, monkeypatch)
    assert compiled == pure
    compiled, pure = searched(game, 500, monkeypatch, among=["d1e1", "a2a3"])
    assert compiled == pure


@pytest.mark.slow
def test_searches_of_random_pieces_and_rules(monkeypatch):
    compared = 0
    for seed, game in random_positions(range(2000, 2060), 2, most=64):
        if game.outcome() is None:
            compiled, pure = searched(game, 250, monkeypatch)
            compared += compiled is not None
            assert compiled == pure, (seed, game.fen())
    assert compared > 15


def random_game(game, seed):
    """A game at random: moves, end and choices."""
    played = play_at_random(player(game, nodes=1), game, seed)
    return [move for _, move, _ in played.board._past], played.end, played.choices, played.board.fen()


def compare_random_games(seeds, monkeypatch):
    """Return how many games at random, each under other rules, went the same with the kernel and by Python alone."""
    same = 0
    for seed, game in random_positions(seeds, 1, most=64):
        if not isinstance(kernel_for(game.rules), str):
            compiled = random_game(game, seed)
            with monkeypatch.context() as context:
                context.setattr(kernel_files, "turned_off", True)
                assert compiled == random_game(game, seed), (seed, game.fen())
            same += 1
    return same


@pytest.mark.parametrize(
    "options", [{}, {"pieces": {"n": "KNADcaKmcabK"}}, {"capture_result": "captor's hand"}], ids=str
)
def test_games_at_random_are_the_same_move_for_move(options, monkeypatch):
    game = position(KIWIPETE, **options)
    compiled = [random_game(game, seed) for seed in range(3)]
    monkeypatch.setattr(kernel_files, "turned_off", True)
    assert compiled == [random_game(game, seed) for seed in range(3)]


def test_games_at_random_end_as_studies_do(monkeypatch):
    """By bare royal pieces, repetition, 50 moves and length, and at once."""
    ends = set()
    for fen in ("7k/8/8/8/8/8/8/K6R w - - 0 1", "7k/8/8/8/8/8/8/K6N w - - 90 1", "k1K5/8/8/8/8/8/8/8 w - - 0 1",
                "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "bk6/1p6/1P6/8/8/8/8/KB6 w - - 0 1"):  # fmt: skip
        for seed in range(6):
            compiled = random_game(position(fen), seed)
            with monkeypatch.context() as context:
                context.setattr(kernel_files, "turned_off", True)
                assert compiled == random_game(position(fen), seed)
            ends.add(compiled[1].reason)
    assert ends >= {"only royal pieces left", "threefold repetition", "50 moves", "checkmate"}


@pytest.mark.slow
def test_many_games_at_random(monkeypatch):
    assert compare_random_games(range(5000, 5060), monkeypatch) > 15


def test_games_of_a_study_are_the_same(monkeypatch):
    games = []
    for least in (1, MOST_NODES + 1):
        monkeypatch.setattr(move_search, "KERNEL_NODES", least)
        study = nb.multiverse.study(position("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1"), games=1, nodes=30)
        games.append(study.rows)
    assert games[0] == games[1]


def test_a_search_ends_when_time_is_up_or_somebody_presses_stop(monkeypatch):
    bot = player(position(KIWIPETE), seconds=0.05)
    assert bot.move(position(KIWIPETE)) in position(KIWIPETE).moves()
    assert bot.searched > 1000
    bot = player(position(KIWIPETE), nodes=10_000_000)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever other tests have left
    try:
        for work in (lambda: bot.move(position(KIWIPETE)), lambda: position(KIWIPETE).perft(6)):
            threading.Timer(0.1, lambda: signal.raise_signal(signal.SIGINT)).start()
            with pytest.raises(KeyboardInterrupt):
                work()
    finally:
        signal.signal(signal.SIGINT, before)
    assert player(position(KIWIPETE), nodes=500).move(position(KIWIPETE)) in position(KIWIPETE).moves()


def test_threads_count_and_search_at_once_with_the_same_tables():
    game, bot = position(KIWIPETE), player(position(KIWIPETE), nodes=3000)
    expected = bot.move(game)
    with ThreadPoolExecutor(4) as pool:
        counts = [pool.submit(position(KIWIPETE).perft, 4) for _ in range(4)]
        moves = [pool.submit(player(game, nodes=3000).move, game.copy()) for _ in range(4)]
        assert {count.result() for count in counts} == {4085603}
        assert {move.result() for move in moves} == {expected}


def test_a_copied_player_goes_on_after_the_first_is_gone():
    bot = player(position(KIWIPETE), nodes=300)
    expected = bot.move(position(KIWIPETE))
    again = copy.copy(bot)
    del bot
    gc.collect()
    assert again.move(position(KIWIPETE)) == expected


def test_what_a_handler_of_signals_raises_is_raised_and_one_that_returns_stops_nothing():
    def late(*_):
        raise TimeoutError("late")

    seen = []
    before = [signal.signal(signal.SIGTERM, late), signal.signal(signal.SIGINT, lambda *_: seen.append(1))]
    try:
        threading.Timer(0.1, lambda: signal.raise_signal(signal.SIGTERM)).start()
        with pytest.raises(TimeoutError, match="late"):
            position().perft(9)
        threading.Timer(0.1, lambda: signal.raise_signal(signal.SIGINT)).start()
        assert position().perft(6) == 119060324
    finally:
        signal.signal(signal.SIGTERM, before[0])
        signal.signal(signal.SIGINT, before[1])
    assert seen == [1]
