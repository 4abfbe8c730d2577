"""The engine plays by itself: no boards, no data frames, no notebook."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from engine.size import closure

from nomic_nb import engine
from nomic_nb.engine import subjects as subjects_folder
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import find_ruleset
from nomic_nb.study import reference

SYSTEMS = ("discordian-nomic", "cabinet-nomic", "github-nomic")
#: Keeps everything above the engine from being imported.
ALONE = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        above = ("nomic_nb.chess", "nomic_nb.study", "nomic_nb.notebook")
        if name.split(".")[0] in ("chess", "pandas", "IPython", "ipywidgets", "anywidget") or name.startswith(above):
            raise ImportError(f"{name} is not there")

sys.meta_path.insert(0, Blocked())
"""
#: Plays whatever has to be decided; every turn ends with points for somebody.
TO_A_WINNER = """
from nomic_nb import engine

for system in sys.argv[1:]:
    game = engine.begin(system, ["Ann", "Ben", "Cleo"], seed=7)
    assigned = game.state.read("proposal.numbering") == "assigned"
    made = 0
    while not game.state.over:
        open_now = engine.decisions(game.state)
        decision = next((one for one in open_now if one.must), open_now[0])
        details = {
            "propose": lambda: {"change": engine.enact(f"More {made}.", "on turn_ended: award 40 points to player")},
            "vote": lambda: {"ballot": "for", "proposal": decision.proposal},
            "call_vote": lambda: {"proposal": decision.proposal},
            "close_vote": lambda: {"proposal": decision.proposal},
            "agree": lambda: {"answer": "yes", "proposal": decision.proposal},
            "choose": lambda: {"option": decision.options[0], "decision": decision.id},
        }.get(decision.action, dict)()
        if decision.action == "propose":
            made += 1
            details |= {"number": made} if assigned else {}
        game.do(decision.player or game.state.names_of_players[0], decision.action, details)
        assert made < 20
    print(system, game.state.winners[0], game.state.turn)
"""


def run(code: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def played():
    """The winner and the last turn of a game of each system, all of them played in one process."""
    return {system: rest for system, *rest in map(str.split, run(ALONE + TO_A_WINNER, *SYSTEMS).splitlines())}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_nomic_is_played_to_a_winner_without_boards_frames_or_notebook(played, system):
    winner, turn = played[system]
    assert winner in ("Ann", "Ben", "Cleo")
    assert int(turn) < 20


def test_importing_the_engine_loads_no_game_and_no_board_and_nothing_above_it():
    code = "import sys, nomic_nb.engine\nprint(*sys.modules)\nfrom nomic_nb.engine import *\nprint(*sys.modules)"
    loaded, whole = map(str.split, run(code).splitlines())
    assert "nomic_nb.engine.play.timeline" in whole
    assert not [one for one in whole if one.startswith(("nomic_nb.chess", "nomic_nb.study", "nomic_nb.notebook"))]
    assert not {"chess", "pandas", "IPython", "ipywidgets", "anywidget", "lark"} & set(loaded)


def test_a_game_loads_no_data_frames_and_no_widgets_before_they_are_needed():
    loaded = run(
        "import sys, nomic_nb as nb\ngame = nb.new_game('discordian-nomic', ['Ann', 'Ben'])\nprint(*sys.modules)"
    )
    assert not {"pandas", "IPython", "ipywidgets", "anywidget"} & set(loaded.split())


def test_the_surface_of_the_engine_is_small_and_every_name_is_there():
    assert len(engine.__all__) <= 25
    for name in engine.__all__:
        assert getattr(engine, name) is not None
    with pytest.raises(AttributeError, match="has no 'Game'"):
        _ = engine.Game


def test_the_game_on_the_page_is_played_to_a_winner():
    block = re.search(r"```python\n(.*?)```", reference.read_page("engine"), re.S)[1]
    assert len(block.strip().splitlines()) <= 21
    last = run(ALONE + block).strip().splitlines()[-1]
    assert re.fullmatch(r"\('(Ann|Ben|Cleo)',\)", last)


def test_a_rule_for_one_universe_is_refused_where_there_are_none():
    code = ALONE + (
        "from dataclasses import replace\nfrom nomic_nb import engine\n"
        "game = engine.begin('discordian-nomic', ['Ann', 'Ben'])\n"
        "change = replace(engine.enact('Here only.', 'set throw.points to 0'), universe='Zaphod:1')\n"
        "try:\n    game.do('Ann', 'propose', {'change': change})\nexcept engine.LawError as error:\n    print(error)\n"
    )
    assert "this game has no universes" in run(code)


def test_two_games_one_without_boards_and_one_with_live_side_by_side():
    code = (
        "from nomic_nb import engine\nfirst = engine.begin('discordian-nomic', ['Ann', 'Ben'])\n"
        "import nomic_nb as nb\nsecond = nb.new_game('nomic-chess', ['Cleo', 'Dan'], seed=3)\n"
        "first.do('Ann', 'propose', {'change': engine.enact('Cheer.', 'set throw.points to 7')})\n"
        "print(len(engine.decisions(first.state)), len(second.timeline.events))"
    )
    assert [int(one) > 0 for one in run(code).split()] == [True, True]


#: Leaves subjects out, as if their files were not in the folder.
WITHOUT = """
from nomic_nb.engine.play import vocabulary

found = vocabulary.iter_modules
LEFT_OUT = sys.argv.pop().split()
vocabulary.iter_modules = lambda path: [one for one in found(path) if one.name not in LEFT_OUT]
"""


def test_the_kernel_plays_to_a_winner_without_judgment_dice_and_speech(tmp_path):
    """The rule file has every clause of Discordian Nomic that says nothing of them."""
    left_out = "judgment speech throws sealing"
    text = find_ruleset("discordian-nomic", language()).text
    blocks = re.findall(r"```law\n(.*?)```", text, re.S)
    clauses = [line for block in blocks for line in re.split(r"\n(?! )", block.strip())]
    words = r"judg|rul(ed|ing)|dice|throw|roll|report|allow say|defin|deed|fix|free_act|reveal|seal"
    kept = [one for one in clauses if not re.search(words, one)]
    kept += ['set turn.parts to ["proposal"]', "allow call_vote when player == proponent"]  # each had a word of them
    assert len(kept) > 20
    about = "```about\nname: kernel\ntitle: Kernel\nplayers: any\nsource: none\n```\n"
    path = tmp_path / "kernel.md"
    path.write_text(f"# Kernel\n\n{about}\n## Rules `immutable`\n\n### 101 All of it\n\nAll.\n\n```law\n"
                    + "\n".join(kept) + "\n```\n", encoding="utf-8")  # fmt: skip
    *_, winner, _turn = run(ALONE + WITHOUT + TO_A_WINNER, str(path), left_out).split()
    assert winner in ("Ann", "Ben", "Cleo")


def test_a_file_in_the_folder_of_subjects_declares_words_of_the_law(tmp_path):
    (tmp_path / "weather.py").write_text(
        "from nomic_nb.engine.law.values import TEXT\nfrom nomic_nb.engine.play.declarations import declare_fact\n"
        "FACTS = (declare_fact('weather', TEXT, 'what it is like outside', lambda state: 'rain', reads=()),)\n"
    )
    code = (
        "import sys\nfrom nomic_nb.engine import begin, enact, subjects\nsubjects.__path__.append(sys.argv[1])\n"
        "game = begin('discordian-nomic', ['Ann', 'Ben'])\n"
        "law = 'on turn_begun when weather == \"rain\": award 5 points to player'\n"
        "game.do('Ann', 'propose', {'change': enact('Rain is welcome.', law)})\nprint(game.state.proposals[301].number)"
    )
    assert run(code, str(tmp_path)).strip() == "301"


def test_the_engine_stays_small():
    """Tokens of all modules that the engine's public names bring in, comments and docstrings left out.

    Subjects are found in their folder and brought in by name; they are counted beside the kernel, which imports none.
    """
    root = Path(engine.__file__).parents[2]
    kernel = closure(root, "nomic_nb.engine")
    subjects = {name: tokens for one in Path(subjects_folder.__file__).parent.glob("*.py")
                for name, tokens in closure(root, f"nomic_nb.engine.subjects.{one.stem}").items()}  # fmt: skip
    assert not [one for one in kernel if one.startswith("nomic_nb.engine.subjects")]
    assert sum(kernel.values()) <= 150_000
    assert sum((kernel | subjects).values()) <= 181_700
