"""Cells in a real kernel, with the identities that JupyterLab sends along."""

from __future__ import annotations

import kernels
import pytest


@pytest.fixture(scope="module")
def kernel():
    """A kernel that has loaded what a game needs, and does not look through it whenever a test forgets its names."""
    with kernels.kernel() as (_, found):
        found.run(None, f"import gc, nomic_nb as nb\n{BEGIN}\n{PROPOSE}\n{VOTE}\ngame._repr_html_()\ngc.freeze()")
        yield found


@pytest.fixture
def notebook(kernel):
    found = kernel
    found.run(
        None,
        "%reset -f\nimport json, nomic_nb as nb\nfrom nomic_nb.notebook.live.cells import CELL_WATCH\n"
        "CELL_WATCH.begun.clear()",
    )
    return found


BEGIN = 'game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)'
PROPOSE = 'game.propose("Ann", nb.library.simple_majority().change(203))'
VOTE = "for name in game.players: game.vote(name, 'for')"
ROLL = 'game.roll("Ann", 4)'
SAY = "print(json.dumps([game.state.seq, game.state.digest(), len(game.forks)]))"


def play(notebook):
    notebook.run("c1", BEGIN)
    notebook.run("c2", PROPOSE)
    notebook.run("c3", VOTE)
    notebook.run("c4", ROLL)
    return notebook.run("look", SAY)


def test_running_a_cell_again_unchanged_puts_back_what_followed(notebook):
    before = play(notebook)
    for cell, code in (("c2", PROPOSE), ("c3", VOTE), ("c4", ROLL), ("c1", BEGIN)):
        notebook.run(cell, code)
        assert notebook.run("look", SAY) == before


def test_a_game_that_is_set_up_is_the_same_when_its_cell_runs_again(notebook):
    begin = 'game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7, position="{}")'
    ending, other = "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1", "4k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1"
    notebook.run("c1", begin.format(ending))
    notebook.run("c2", 'game.propose("Ann", nb.enact("Tea."))')
    before = notebook.run("look", SAY)
    notebook.run("c1", begin.format(ending))
    assert notebook.run("look", SAY) == before
    notebook.run("c1", begin.format(other))
    assert notebook.run("look", 'print(json.dumps(game.arrangement["white"]))') == "Ke1* Ra1* Rh1"


def test_a_refusal_shows_the_lines_of_the_cell_and_none_of_the_kit(notebook):
    play(notebook)
    code = "def late(name):\n    game.vote(name, 'for')\n\nlate('Cleo')"
    error = notebook.run("c5", code, fails=True)
    lines = error.splitlines()
    assert lines[:2] == ["line 4: late('Cleo')", "line 2 in late: game.vote(name, 'for')"]
    assert lines[2].startswith("IllegalAction: no vote is open. Possible now: Ben: propose")
    assert len(lines) == 3
    for code in ("game.rules[999]", "nb.multiverse.position(pieces={'n': 'NX'})", "nb.load('pyproject.toml')"):
        assert notebook.run("c5", code, fails=True).splitlines()[0] == f"line 1: {code}"


def test_a_second_run_neither_votes_twice_nor_takes_a_second_number(notebook):
    play(notebook)
    notebook.run("c3", VOTE)
    assert notebook.run("look", "print(json.dumps([len(game.proposals), len(game.ballots)]))") == [1, 3]


def test_an_edited_cell_rewinds_and_keeps_the_old_way_as_a_fork(notebook):
    seq, digest, _ = play(notebook)
    notebook.run("c3", "for name in game.players: game.vote(name, 'against')")
    _, now, forks = notebook.run("look", SAY)
    assert now != digest
    assert forks == 1
    shown = notebook.run("look", "print(json.dumps([game.proposals[301].outcome, game.part]))")
    assert shown == ["defeated", "throw"]
    kept = notebook.run("look", "print(json.dumps([game.forks[0].game.state.seq, game.forks[0].game.state.digest()]))")
    assert kept == [seq, digest]


@pytest.mark.parametrize(
    ("cell", "called"),
    [("propose-301", "propose-301"), ("5d1c0f7e-8d0b-4a40-9a4f-0c8c3a3b9e11", "5d1c0f7e")],
    ids=["chosen", "drawn"],
)
def test_a_fork_is_called_after_the_cell(notebook, cell, called):
    notebook.run("begin", BEGIN)
    notebook.run(cell, 'game.propose("Ann", nb.enact("One."))')
    notebook.run(cell, 'game.propose("Ann", nb.enact("Another."))')
    shown = notebook.run("look", "print(json.dumps([way.why for way in game.forks]))")
    assert shown == [f"before cell {called} was edited"]


def test_an_error_keeps_the_old_future(notebook):
    before = play(notebook)
    notebook.run("c3", "game.vote('Ann', 'against')\ngame.vote('Nobody', 'for')", fails=True)
    assert notebook.run("look", SAY) == before


def test_a_cell_that_failed_the_first_time_begins_where_it_began(notebook):
    notebook.run("c1", BEGIN)
    notebook.run("c2", PROPOSE + "\ngame.vote('Nobody', 'for')", fails=True)
    notebook.run("c2", PROPOSE)
    assert notebook.run("look", "print(json.dumps([len(game.proposals), game.proposals[301].outcome]))") == [1, "open"]


def test_a_cell_that_was_run_too_early_begins_where_it_first_acts(notebook):
    notebook.run("c1", BEGIN)
    notebook.run("c3", VOTE, fails=True)
    notebook.run("c2", PROPOSE)
    notebook.run("c3", VOTE)
    assert notebook.run("look", "print(json.dumps(game.proposals[301].outcome))") == "adopted"


def test_what_a_cell_reads_before_it_acts_is_how_it_was(notebook):
    notebook.run("c1", BEGIN)
    code = (
        "player = game.player\ngame.propose(player, nb.enact('Something.'))\n"
        "for n in game.players: game.vote(n, 'for')\ngame.roll(player)"
    )
    notebook.run("c2", code)
    before = notebook.run("look", SAY)
    notebook.run("c2", code)
    assert notebook.run("look", SAY) == before


def test_restart_and_run_all_rebuilds_the_same_game_without_a_seed(notebook):
    begin = 'game = nb.new_game("discordian-nomic", ["Ann", "Ben"])'
    cells = [begin, PROPOSE, VOTE, 'game.roll("Ann")']

    def run_all():
        for at, code in enumerate(cells):
            notebook.run(f"cell-{at}", code)
        return notebook.run("look", "print(json.dumps([game.seed, game.state.digest()]))")

    first = run_all()
    notebook.run(None, "CELL_WATCH.begun.clear(); CELL_WATCH.trails.clear()")
    assert run_all() == first


def test_new_game_in_an_edited_cell_is_another_game(notebook):
    play(notebook)
    notebook.run("c1", BEGIN.replace("seed=7", "seed=8"))
    assert notebook.run("look", "print(json.dumps([game.seed, len(game.proposals)]))") == [8, 0]


def test_two_games_from_one_cell_are_kept_apart(notebook):
    code = BEGIN + "\nother = nb.new_game('discordian-nomic', ['Dora', 'Emil'], seed=1)"
    notebook.run("c1", code)
    notebook.run("c2", PROPOSE)
    notebook.run("c1", code)
    shown = notebook.run("look", "print(json.dumps([list(game.players), len(game.proposals), list(other.players)]))")
    assert shown == [["Ann", "Ben", "Cleo"], 1, ["Dora", "Emil"]]


def test_without_a_cell_identity_actions_simply_act(notebook):
    notebook.run(None, BEGIN)
    notebook.run(None, PROPOSE)
    notebook.run(None, PROPOSE, fails=True)


def test_a_fork_goes_on_by_itself(notebook):
    before = play(notebook)
    shown = notebook.run(
        "c5",
        "fork = game.fork(at=10)\nfork.vote('Ben', 'against')\n"
        "print(json.dumps([game.state.seq, fork.state.seq, fork.proposals[301].ballots]))",
    )
    assert shown == [before[0], 11, {"Ann": "for", "Ben": "against"}]


FORK = "fork = game.fork()\nfork.roll('Ann', 2)"


def test_a_cell_that_makes_a_fork_makes_no_second_one_when_it_runs_again(notebook):
    notebook.run("c1", BEGIN)
    notebook.run("c2", PROPOSE)
    notebook.run("c3", VOTE)
    notebook.run("c5", FORK)
    notebook.run("c4", ROLL)
    same = "[way.timeline is fork.timeline for way in game.forks]"
    say = f"print(json.dumps([game.state.digest(), {same}, fork.state.seq]))"
    before = notebook.run("look", say)
    assert before[1] == [True]
    for _ in range(2):
        notebook.run("c5", FORK)
        assert notebook.run("look", say) == before


def test_a_fork_that_is_played_on_in_later_cells_comes_back_with_what_followed(notebook):
    before = play(notebook)
    notebook.run("c5", "fork = game.fork(at=10)\nother = game.fork(at=10)")
    notebook.run("c6", "fork.vote('Ben', 'against')")
    notebook.run("c5", "fork = game.fork(at=10)\nother = game.fork(at=10)")
    shown = notebook.run("look", "print(json.dumps([fork.state.seq, other.state.seq, len(game.forks)]))")
    assert shown == [11, 10, 2]
    assert notebook.run("look", SAY)[:2] == before[:2]


def test_a_fork_that_an_edited_cell_makes_no_more_goes_where_nothing_happened_in_it(notebook):
    play(notebook)
    notebook.run("c5", "forks = [game.fork(at=at) for at in (9, 10)]\nforks[1].vote('Ben', 'against')")
    notebook.run("c5", "forks = [game.fork(at=11)]")
    shown = notebook.run("look", "print(json.dumps([[way.at, way.event_count] for way in game.forks]))")
    assert shown == [[10, 11], [11, 11]]


def test_an_edited_cell_that_plays_and_forks_keeps_both_ways(notebook):
    play(notebook)
    notebook.run("c3", VOTE + "\nfork = game.fork()")
    first = notebook.run(
        "look", "print(json.dumps([[way.depth, way.at, way.event_count] for way in game.forks.all_branches()]))"
    )
    assert [one[0] for one in first] == [0, 1]
    assert first[1][1] == first[1][2] < first[0][2]
    notebook.run("c3", VOTE.replace("'for')", "'against')") + "\nfork = game.fork()")
    ways = notebook.run(
        "look",
        "print(json.dumps([[way.depth, way.at, way.why, way.timeline is fork.timeline]"
        " for way in game.forks.all_branches()]))",
    )
    own = notebook.run("look", "print(json.dumps(len(game.timeline.moments)))")
    assert [1, own, "forked", True] in ways


def test_a_run_that_never_ended_keeps_the_old_future(notebook):
    before = play(notebook)
    notebook.run(None, "CELL_WATCH.start_cell('c3'); CELL_WATCH.depth += 1; game.vote('Ann', 'against')")
    assert notebook.run("look", SAY) == before
    notebook.run("c3", VOTE)
    assert notebook.run("look", SAY) == before


def test_an_interrupt_keeps_the_old_future(notebook):
    before = play(notebook)
    notebook.run("c3", "game.vote('Ann', 'against')\nraise KeyboardInterrupt", fails=True)
    assert notebook.run("look", SAY) == before
    code = "import asyncio\ngame.vote('Ann', 'against')\nawait asyncio.sleep(0)\nraise asyncio.CancelledError"
    notebook.run("c3", code, fails=True)
    assert notebook.run("look", SAY) == before


def test_a_run_within_a_cell_is_part_of_it(notebook):
    notebook.run("c1", BEGIN)
    notebook.run("c2", PROPOSE)
    notebook.run("c3", "%%capture\n" + VOTE)
    notebook.run("c4", ROLL)
    before = notebook.run("look", SAY)
    notebook.run("c3", "%%capture\n" + VOTE)
    assert notebook.run("look", SAY) == before


def test_what_another_thread_does_meanwhile_is_not_the_cells(notebook):
    notebook.run("c1", BEGIN)
    click = (
        "import threading\nclick = threading.Thread(target=lambda: game.propose('Ann', nb.repeal(211)))\n"
        "click.start(); click.join()"
    )
    notebook.run("c9", click)
    notebook.run("c9", "pass")
    assert notebook.run("look", "print(json.dumps([game.proposals[301].outcome, len(game.forks)]))") == ["open", 0]


def test_a_cell_that_another_thread_runs_meanwhile_ends_nothing(notebook):
    before = play(notebook)
    other = "(CELL_WATCH.start_cell('c1'), CELL_WATCH.finish_cell(failed=False))"
    code = f"import threading\none = threading.Thread(target=lambda: {other})\none.start(); one.join()\n{VOTE}"
    notebook.run("c3", code)
    assert notebook.run("look", SAY) == before


SEALED = BEGIN.replace("seed=7", "seed=7, dice='committed'")
SEAL = "for name in game.players: game.seal(name)"
REVEAL = "for name in game.players: game.reveal(name)"


def play_sealed(notebook):
    for cell, code in (("c1", SEALED), ("c2", PROPOSE), ("c3", VOTE), ("c4", SEAL), ("c5", REVEAL)):
        notebook.run(cell, code)
    return notebook.run("look", SAY)


def test_a_cell_that_seals_gives_the_same_game_when_it_is_run_again(notebook):
    before = play_sealed(notebook)
    for cell, code in (("c4", SEAL), ("c5", REVEAL), ("c3", VOTE), ("c1", SEALED), ("c4", SEAL)):
        notebook.run(cell, code)
        assert notebook.run("look", SAY) == before


def test_a_cell_that_seals_and_reveals_gives_the_same_game(notebook):
    for cell, code in (("c1", SEALED), ("c2", PROPOSE), ("c3", VOTE), ("c4", f"{SEAL}\n{REVEAL}")):
        notebook.run(cell, code)
    before = notebook.run("look", SAY)
    notebook.run("c4", f"{SEAL}\n{REVEAL}")
    assert notebook.run("look", SAY) == before


def test_an_edited_cell_seals_anew(notebook):
    play_sealed(notebook)
    seals = (
        "print(json.dumps([event.data['commitment'] for event in game.timeline.events if event.kind == 'committed']))"
    )
    before = notebook.run("look", seals)
    notebook.run("c3", "for name in game.players: game.vote(name, 'against')")
    notebook.run("c4", SEAL)
    after = notebook.run("look", seals)
    assert len(after) == 3
    assert not set(after) & set(before)
    notebook.run("c4", "game.seal('Ann')\ngame.seal('Ben', 4)\ngame.seal('Cleo')")
    again = notebook.run("look", seals)
    assert again[0] == after[0]  # the same so far
    assert not {again[1], again[2]} & set(after)


# --------------------------------------------------------------------------------- cells that only look


def run_all(notebook, cells):
    return [notebook.run(cell, code) for cell, code in cells.items()]


STANDS = "print(json.dumps([game.state.seq, game.part, len(game.proposals), game.over]))"
REFUSED = """
try:
    game.vote("Ann", "for")
    print(json.dumps("taken"))
except nb.IllegalAction as error:
    print(json.dumps(str(error)))
"""
WHOLE = {
    "a1": "import nomic_nb as nb, json\n" + BEGIN + "\n" + STANDS,
    "a2": STANDS,
    "a3": REFUSED,
    "a4": PROPOSE + "\n" + STANDS,
    "a5": "assert game.part == 'proposal'\n" + STANDS,
    "a6": "old = game.fork()\nold.vote('Ben', 'against')\nprint(json.dumps([old.state.seq, game.state.seq]))",
    "a7": VOTE,
    "a8": "assert game.proposals[301].outcome == 'adopted'\n" + REFUSED,
    "a9": ROLL,
    "a10": STANDS,
}


def test_all_cells_run_twice_in_one_kernel_see_the_same(notebook):
    first = run_all(notebook, WHOLE)
    for _ in range(2):
        assert run_all(notebook, WHOLE) == first
    assert notebook.run(None, SAY)[0] == first[-1][0]


def test_all_cells_run_again_after_one_was_edited(notebook):
    first = run_all(notebook, WHOLE)
    edited = {**WHOLE, "a9": 'game.roll("Ann", 2)'}
    assert run_all(notebook, edited) == first
    assert run_all(notebook, edited) == first
    assert notebook.run(None, "print(json.dumps(int(game.scores['Ann'])))") == 2


def test_a_cell_that_only_looks_says_that_the_game_has_gone_on(notebook):
    notebook.run("c1", BEGIN)
    looks = {"a": "game", "b": "game.pending", "c": "game.rules[203]", "d": "print(game.story)"}
    then = notebook.run(None, "print(json.dumps(game.state.seq))")
    for cell, look in looks.items():
        notebook.run(cell, look)
        assert "This cell" not in notebook.printed
    notebook.run("idle", "1 + 1")
    notebook.run("c3", PROPOSE)
    last = notebook.run(None, "print(json.dumps(game.state.seq))")
    for cell, look in looks.items():
        notebook.run(cell, look)
        assert f"as it was at event {then}. It has continued to event {last}." in notebook.printed
        notebook.run(cell, f"{look} ")
        assert "This cell" not in notebook.printed
    for cell, source in {"idle": "1 + 1", "c1": BEGIN, "c3": PROPOSE}.items():
        notebook.run(cell, source)
        assert "This cell" not in notebook.printed


def test_decisions_in_a_fork_call_it_by_its_own_name(notebook):
    notebook.run("c1", BEGIN)
    lines = notebook.run("c2", "other = game.fork()\nprint(json.dumps(other.pending._repr_html_()))")
    assert "other.propose(" in lines
    assert "game.propose(" not in lines
    notebook.run("c3", PROPOSE.replace("game", "other"))
    lines = notebook.run("c4", "print(json.dumps(other.pending._repr_html_()))")
    assert "other.votes()" in lines
    assert "game." not in lines


def test_a_cell_that_looks_sees_the_present_where_no_cell_below_has_played(notebook):
    before = play(notebook)
    click = "import threading\none = threading.Thread(target=lambda: game.say('Ann', 'x'))\none.start(); one.join()"
    notebook.run(None, click)
    assert notebook.run("look", SAY)[0] > before[0]


def test_an_edited_cell_that_looks_sees_the_present_and_acts_in_it(notebook):
    notebook.run("c1", BEGIN)
    notebook.run("look", SAY)
    notebook.run("c2", PROPOSE)
    now = notebook.run(None, SAY)
    assert notebook.run("look", SAY + "  # edited") == now
    notebook.run("look", "game.vote('Ann', 'for')")
    assert notebook.run(None, "print(json.dumps([game.proposals[301].ballots, len(game.forks)]))") == [
        {"Ann": "for"},
        0,
    ]


def test_a_cell_that_writes_a_file_writes_the_game_as_it_stands_now(notebook, tmp_path):
    notebook.run("c1", BEGIN)
    save = f"game.save({str(tmp_path / 'x.jsonl')!r})\ngame.to_markdown({str(tmp_path / 'x.md')!r})"
    notebook.run("c2", save)
    notebook.run("c3", PROPOSE)
    notebook.run("c2", save)
    assert "Ann proposes 301" in (tmp_path / "x.md").read_text()
    loaded = f"print(json.dumps(nb.load({str(tmp_path / 'x.jsonl')!r}).state.seq == game.state.seq))"
    assert notebook.run(None, loaded) is True


def test_a_game_is_begun_anew_without_restarting_the_kernel(notebook):
    anew = BEGIN.replace("seed=7", "seed=7, anew=True")
    cells = {"c1": anew, "c2": PROPOSE, "c3": VOTE, "c4": STANDS}
    first = run_all(notebook, cells)
    notebook.run(None, "old = game")
    assert notebook.run("c1", anew + "\n" + STANDS)[2] == 0
    assert run_all(notebook, cells) == first
    assert notebook.run(None, "print(json.dumps([old is game, old.state.digest() == game.state.digest()]))") == [
        False,
        True,
    ]
    seeds = [
        notebook.run("c9", "g = nb.new_game('discordian-nomic', ['A', 'B'], anew=True); print(g.seed)") for _ in "123"
    ]
    assert len(set(seeds)) > 1
