"""Commands as players: one line of JSON in and out, bounded, and ended with everything that they started."""

import gc
import json
import os
import sys
import threading
import time

import pytest
from refusals import refused

import nomic_nb as nb
from nomic_nb.study.players.commands import CommandError

RANDOM = """
import json, sys
for line in sys.stdin:
    view = json.loads(line)
    must = [one for one in view["asked"] if one["must"]]
    if not must:
        print("null", flush=True)
        continue
    asked = must[0]
    details = {}
    for field in asked["fields"]:
        if not field.get("optional"):
            details[field["name"]] = (field.get("options") or [field.get("example")])[0]
            if field["type"] == "change":
                details["change"] = {"kind": "enact", "wording": "Be kind.", "title": None}
    print(json.dumps({"key": asked["key"], "details": details}), flush=True)
    ONCE
"""


def begin():
    return nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, anew=True)


def written(tmp_path, text, **more):
    path = tmp_path / "player.py"
    path.write_text(text)
    return nb.players.program([sys.executable, "-I", str(path)], **more)


@pytest.mark.parametrize("once", ["", "sys.exit()"])
def test_a_command_plays_line_by_line_and_is_started_again_if_it_ends(tmp_path, once):
    with written(tmp_path, RANDOM.replace("ONCE", once)) as ann:
        played = nb.play(begin(), {"Ann": ann, "Ben": nb.players.random()}, until=2, remarks=False)
    assert played.ended == "turn 2"
    assert played.count("done", "Ann") >= 2
    assert {row["kind"] for row in played.rows if row["seat"] == "Ann"} == {"program"}
    assert json.loads(next(row["reply"] for row in played.rows if row["seat"] == "Ann"))["key"]


BAD = {
    "writes no JSON": ("print('for')", "refused 3 times: A reply must be a JSON object"),
    "ends": ("import sys; sys.exit('no key')", "CommandError: the command ended without a reply (exit code 1)"),
    "raises": ("1 / 0", "without a reply (exit code 1)"),
    "writes 5 MB": ("print('x' * 5_000_000)", "CommandError: the reply is longer than 32768 bytes"),
    "writes 5 MB in no line": ("import sys; sys.stdout.write('x' * 5_000_000)", "longer than 32768 bytes"),
    "complains": ("import sys\nfor _ in range(9999): print('no', file=sys.stderr)", "without a reply (exit code 0)"),
    "never answers": ("import time; time.sleep(99)", "TimeoutError: no reply within 2 seconds"),
    "answers for another": ("print('{\"key\": \"0\", \"player\": \"Ben\"}')", "refused 3 times: A reply has a key"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), BAD.values(), ids=BAD)
@pytest.mark.slow
def test_a_bad_command_ends_play_and_the_game_is_unchanged(tmp_path, capfd, text, said):
    game = begin()
    before = game.fingerprint
    with written(tmp_path, text, seconds=2) as ann:
        played = nb.play(game, {"Ann": ann}, stand_in=None)
    assert said in played.ended
    assert ("ZeroDivisionError" in capfd.readouterr().err) is (text == "1 / 0")
    assert (played.count("refused"), played.count("failed")) in [(3, 0), (0, 1)]
    assert game.fingerprint == before


@pytest.mark.skipif(sys.platform == "win32", reason="processes are looked for by signals of POSIX")
@pytest.mark.parametrize("ended_by", ["close", "time", "garbage"])
def test_everything_that_a_command_started_is_ended(tmp_path, ended_by):
    text = (
        "import subprocess, sys, time\n"
        "child = [sys.executable, '-c', 'import subprocess, sys, time; print(subprocess.Popen([sys.executable,"
        ' "-c", "import time; time.sleep(99)"]).pid, flush=True); time.sleep(99)\']\n'
        "print(subprocess.Popen(child, stdout=subprocess.PIPE, text=True).stdout.readline().strip(), flush=True)\n"
        "time.sleep(99)\n"
    )
    player = written(tmp_path, text, seconds=20)
    grandchild = int(player(begin().seat("Ann").view()))
    os.kill(grandchild, 0)
    if ended_by == "close":
        player.close()
    elif ended_by == "time":
        player.seconds = 0.05
        with pytest.raises(TimeoutError):
            player(begin().seat("Ann").view())
    else:
        del player
        gc.collect()
    for _ in range(100):
        if not _is_running(grandchild):
            return
        time.sleep(0.1)
    pytest.fail("it still runs")


@pytest.mark.parametrize("ended_by", ["close", "time"])
def test_a_command_that_is_ended_while_it_thinks_is_not_started_again(tmp_path, ended_by):
    log, view = tmp_path / "log", begin().seat("Ann").view()
    text = (
        "import sys, time\n"
        f"log = open({str(log)!r}, 'a')\n"
        "print('started', file=log, flush=True)\n"
        "print('null', flush=True)\n"
        "for at, _ in enumerate(sys.stdin):\n"
        "    print(at, file=log, flush=True)\n"
        "    time.sleep(99 * at)\n"
    )
    player, before = written(tmp_path, text, seconds=20), set(threading.enumerate())
    assert player(view) is None
    if ended_by == "time":
        player.seconds = 0.5
        with pytest.raises(TimeoutError):
            player(view)
    else:
        threading.Thread(target=_ask_in_vain, args=(player, view)).start()
        while "1" not in log.read_text():
            time.sleep(0.01)
        player.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
    assert log.read_text().count("started") == 1
    player.close()


def _ask_in_vain(player, view):
    with pytest.raises(CommandError):
        player(view)


def _is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:  # a zombie has ended; only nobody has looked yet
        with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_no_shell_reads_the_command(tmp_path):
    player = nb.players.program([sys.executable, "-c", "import json, sys; print(json.dumps(sys.argv[1]))", "$HOME; ls"])
    with player:
        assert player(begin().seat("Ann").view()) == '"$HOME; ls"'
    with pytest.raises(TypeError, match="command must be a list of texts"):
        nb.players.program("python3 my.py")
    with refused("command-empty"):
        nb.players.program([])
    missing = nb.play(begin(), {"Ann": nb.players.program([str(tmp_path / "nothing")])})
    assert missing.ended.startswith("Ann failed: FileNotFoundError")
    with refused("player-not-callable"):
        nb.play(begin(), {"Ann": ["python3"]})
