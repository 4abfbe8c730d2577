"""Engines that speak UCI: one that plays by the same rules plays; one that hangs, lies or dies is refused, by name."""

import sys

import pytest
from refusals import refused

from nomic_nb.chess.multiverse import from_ini, position
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


def test_an_engine_that_hangs_in_a_game_is_ended(tmp_path):
    bot = engine(made_up(tmp_path, before="import time; time.sleep(60)"), position(ENDING), seconds=3)
    bot.seconds = 0.3
    with refused("engine-too-slow", asked="go nodes 2000"):
        bot.move(position(ENDING))


def test_a_program_that_is_not_there_is_named():
    with refused("engine-not-started", command="no-such-engine"):
        engine("no-such-engine", position())
