"""Engines that speak UCI: one that plays by the same rules plays; one that hangs, lies or dies is refused, by name."""

import gc
import subprocess
import sys
import time
from pathlib import Path

import pytest
from patience import patience
from refusals import refused

from nomic_nb.chess.multiverse import from_ini, player, position
from nomic_nb.chess.multiverse.move_search import MATE
from nomic_nb.study.uci_engine import EngineError, engine

ENDING = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
#: An engine that counts as the kit does, and moves as it is told.
HONEST = """
import sys
counts, move = {counts}, {move!r}
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        print("id name Made-up 1\\nuciok")
    elif words == ["isready"]:
        print("readyok")
    elif words[:2] == ["go", "perft"]:
        print("Nodes searched: " + str(counts[int(words[2]) - 1]))
    elif words[:1] == ["go"]:
        {before}
        print("info depth 3 score cp 120 pv " + move + " h8g8")
        print("bestmove " + move)
    sys.stdout.flush()
"""


@pytest.fixture(autouse=True)
def no_process_is_left(monkeypatch):
    """Assert that whatever a test starts has ended."""
    started, start = [], subprocess.Popen

    def noticed(*args, **options):
        started.append(start(*args, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", noticed)
    yield started
    assert all(process.returncode is not None for process in started)


def runs(number):
    """Tell whether a process runs; one that has ended may stay in the list until somebody asks for it."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def made_up(tmp_path, *, counts=None, move="a1a8", before="pass", text=None):
    path = tmp_path / "engine.py"
    counts = counts or [position(ENDING).perft(depth) for depth in (1, 2, 3)]
    path.write_text(text or HONEST.format(counts=counts, move=move, before=before), encoding="utf-8")
    return [sys.executable, str(path)]


def test_an_engine_that_counts_the_same_plays(tmp_path):
    with engine(made_up(tmp_path), position(ENDING), nodes=100) as bot:
        assert repr(bot) == "<engine 'Made-up 1' with nodes=100>"
        assert bot.move(position(ENDING)) == "a1a8"
        assert (bot.value, bot.line) == (120, ["a1a8", "h8g8"])
        with refused("engine-of-other-pieces"):
            bot.move(position(pieces={"n": "NW"}))
        with refused("no-move-for-engine"):
            bot.move(position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"))


def test_an_engine_is_told_all_options_or_the_position_is_refused(tmp_path):
    told, game = tmp_path / "told.ini", position(ENDING, pieces={"r": "RF"}, stalemate="win", goals=["reach k d4-e5"])
    counts = [game.perft(depth) for depth in (1, 2, 3)]
    loop = "for line in sys.stdin:"
    copied = f"if 'VariantPath' in line: open({str(told)!r}, 'w').write(open(line.split()[-1]).read())"
    text = HONEST.format(counts=counts, move="a1a8", before="pass").replace(loop, f"{loop}\n    {copied}")
    with engine(made_up(tmp_path, text=text), game):
        assert from_ini(told.read_text(encoding="ascii"))["kit"].options["goals"] == ["reach k d4 e4 d5 e5"]
        assert "stalemateValue = win" in told.read_text(encoding="ascii")
    for options, lost in (({"wraps": "files"}, "wraps"), ({"capture_result": "convert"}, "capture_result")):
        with refused("position-not-in-ini", options=lost):
            engine("no-such-engine", position(**options))


def test_an_engine_that_counts_otherwise_is_refused(tmp_path):
    with refused("engine-counts-otherwise", EngineError, theirs="8902", depth=3, name="Made-up 1"):
        counts = [position(ENDING).perft(depth) for depth in (1, 2)]
        engine(made_up(tmp_path, counts=[*counts, 8902]), position(ENDING))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("import time; time.sleep(60)", "engine-too-slow"),
        ("raise SystemExit(3)", "engine-answer-unusable"),
        ("print('x' * 100_000)", "engine-answer-unusable"),
        ("for _ in range(50_000): print('info')", "engine-answer-unusable"),
    ],
)
def test_an_engine_that_hangs_floods_or_dies_is_ended(tmp_path, text, code):
    with refused(code, EngineError):
        engine(made_up(tmp_path, text=text), position(ENDING), seconds=0.5 if "slow" in code else 20)


def test_an_engine_that_lies_about_a_move_is_ended(tmp_path):
    bot = engine(made_up(tmp_path, move="a1h8"), position(ENDING))
    with refused("engine-move-not-legal", move="a1h8"):
        bot.move(position(ENDING))
    with refused("engine-answer-unusable"):
        bot.move(position(ENDING))


@pytest.mark.parametrize(
    ("score", "value"),
    [("cp -35", -35), ("mate 2", MATE - 3), ("mate -2", 4 - MATE), ("mate 0", -MATE), ("cp 12 lowerbound", 12)],
)
def test_a_value_of_an_engine_reads_like_that_of_the_player(tmp_path, score, value):
    text = HONEST.replace("score cp 120", f"score {score}")
    text = text.format(counts=[position(ENDING).perft(depth) for depth in (1, 2, 3)], move="a1a8", before="pass")
    with engine(made_up(tmp_path, text=text), position(ENDING)) as bot:
        bot.move(position(ENDING))
        assert (bot.value, bot.line) == (value, ["a1a8", "h8g8"])
    mate = position("7k/8/6K1/8/8/8/8/R7 w - - 0 1")
    own = player(mate)
    own.move(mate)
    assert own.value == MATE - 1


def test_an_engine_writes_a_promotion_within_a_zone_as_a_sign(tmp_path):
    game = position("7k/8/8/8/8/6K1/N7/8 w - - 0 1", promotion_within={"n": "q"}, promotion_ranks=(3,), castling=False)
    counts = [game.perft(depth) for depth in (1, 2, 3)]
    with engine(made_up(tmp_path, counts=counts, move="a2c3+"), game) as bot:
        assert bot.move(game) == "a2c3q"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"command": []}, "engine-without-command"),
        ({"command": ""}, "engine-without-command"),
        ({"nodes": -5}, "count-out-of-range"),
        ({"nodes": 0}, "count-out-of-range"),
        ({"nodes": 2.5}, "count-out-of-range"),
        ({"seconds": 0}, "seconds-not-positive"),
        ({"seconds": float("nan")}, "seconds-not-positive"),
        ({"seconds": "long"}, "argument-of-another-kind"),
        ({"command": 5}, "argument-of-another-kind"),
    ],
)
def test_arguments_that_no_engine_is_started_with(options, code, no_process_is_left):
    with refused(code):
        engine(**{"command": "no-such-engine", "position": position(), **options})
    assert not no_process_is_left


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_an_engine_ends_with_what_it_started_and_when_it_is_forgotten(tmp_path, no_process_is_left):
    child = tmp_path / "child"
    before = f'import subprocess; open({str(child)!r}, "w").write(str(subprocess.Popen(["sleep", "60"]).pid))'
    bot = engine(made_up(tmp_path, before=before), position(ENDING))
    bot.move(position(ENDING))
    assert runs(child.read_text())
    del bot
    gc.collect()
    assert no_process_is_left[0].returncode == -9
    with patience(20):
        while runs(child.read_text()):
            time.sleep(0.01)


def test_an_engine_that_hangs_in_a_game_is_ended(tmp_path):
    bot = engine(made_up(tmp_path, before="import time; time.sleep(60)"), position(ENDING), seconds=3)
    bot.seconds = 0.3
    with refused("engine-too-slow", asked="go nodes 2000"):
        bot.move(position(ENDING))


def test_a_program_that_is_not_there_is_named():
    with refused("engine-not-started", command="no-such-engine"):
        engine("no-such-engine", position())
