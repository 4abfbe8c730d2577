"""Machines at a table: they answer in cells, are undone with what they answered, and never hold up a game."""

import asyncio
import threading

import pytest
from refusals import refused
from shells import session

import nomic_nb as nb
from nomic_nb.notebook.live.machines import LONGEST_PAUSE, SECONDS, machines_of
from nomic_nb.study.players.kit import KINDS

NAMES = ["Ann", "Ben", "Cleo"]
KIT = {"Ben": "random", "Cleo": "contrary"}
BEGIN = f'game = nb.new_game("discordian-nomic", {NAMES}, seed=7, machines={KIT})'
PROPOSE = 'game.propose("Ann", nb.enact("Tea is at four."))'
VOTE = 'game.vote("Ann", "against")'


def begin(machines=KIT, players=NAMES, **more):
    return nb.new_game("discordian-nomic", players, seed=7, anew=True, machines=machines, **more)


def first_answer(view):
    """Answer as the examples in a view say."""
    asked = next((one for one in view["asked"] if one["must"]), None)
    if asked is not None:
        details = {field["name"]: field["example"] for field in asked["fields"] if not field.get("optional")}
        return {"key": asked["key"], "details": details}
    return None


@pytest.fixture
def notebook():
    with session() as found:
        yield found


def test_machines_answer_an_act_until_a_person_has_to_decide(capsys):
    game = begin()
    game.propose("Ann", nb.enact("Tea is at four."))
    assert set(game.proposals[301].ballots) == {"Ben", "Cleo"}
    assert "Cleo (machine) votes against proposal 301." in capsys.readouterr().out
    game.vote("Ann", "against")
    assert [one.player for one in game.pending if one.must] == ["Ann"]


def test_one_person_plays_alone_in_cells_to_the_end():
    game = begin(dict.fromkeys(["Ben", "Cleo"], first_answer), terms={"win.points": 12})
    ann = game.seat("Ann")
    for _ in range(200):
        if game.over:
            break
        assert ann.act(first_answer(ann.view())).get("done")
    assert game.winner


def test_the_first_player_can_be_a_machine():
    game = begin({"Ann": "contrary"})
    assert game.state.proposals[301].proponent == "Ann"
    assert {one.player for one in game.pending if one.must} == {"Ben", "Cleo"}


def test_a_table_of_machines_waits_for_somebody_to_look():
    game = begin(dict.fromkeys(NAMES, "random"))
    assert len(game.proposals) == 0
    assert nb.play(game, game.machines, until=3, remarks=False).ended == "turn 3"


@pytest.mark.parametrize("system", ["cabinet-nomic", "github-nomic", "nomic-chess", "make-a-rule"])
def test_machines_wait_for_the_person_in_every_system(system):
    game = nb.new_game(system, NAMES, seed=7, anew=True, machines=dict.fromkeys(["Ben", "Cleo"], "random"))
    ann = game.seat("Ann")
    for at in range(8):
        if game.over:
            break
        ann.act(
            nb.players.random(seed=at)(ann.view())
            or first_answer(ann.view())
            or {"action": "say", "details": {"text": "Hm"}}
        )
    assert not game.machines.trouble


def test_the_act_of_a_machine_is_marked_wherever_its_name_stands():
    game = begin()
    game.propose("Ann", nb.enact("Tea is at four."))
    game.vote("Ann", "for")
    assert any(text.startswith("Cleo (machine) votes against") for text in game.latest(20))
    for text in (str(game), game._repr_html_(), game.to_html(), game.to_markdown(), str(game.at(9))):
        assert "Ben (machine)" in text
        assert "Ann (machine)" not in text
    assert "machine" not in game.rule_file()


def test_undo_takes_back_an_act_with_what_machines_answered():
    game = begin()
    game.propose("Ann", nb.enact("Tea is at four."))
    game.undo()
    assert (game.state.proposals, game.player) == ({}, "Ann")
    with refused("nothing-to-undo"):
        game.undo()


def test_undo_takes_back_a_machine_if_nobody_else_has_acted():
    game = begin({"Ann": "contrary"})
    ballots = [event.seq for event in game.timeline.events if event.kind == "balloted"]
    game.undo()
    undone = next(event for event in game.timeline.events if event.kind == "undone")
    assert undone.data["to"] < ballots[0]
    assert game.proposals[301].ballots == {"Ann": "against"}  # it has voted anew


def test_a_cell_that_runs_again_gets_the_same_answers(notebook):
    calls = []
    notebook.shell.user_ns["mine"] = lambda view: (calls.append(1), first_answer(view))[1]
    notebook.run("c0", BEGIN.replace("'contrary'", "mine"))
    notebook.run("c1", PROPOSE)
    notebook.run("c2", VOTE)
    before, asked = notebook.game.fingerprint, len(calls)
    for cell, code in (("c1", PROPOSE), ("c2", VOTE), ("c1", PROPOSE), ("c0", BEGIN.replace("'contrary'", "mine"))):
        notebook.run(cell, code)
        assert (notebook.game.fingerprint, len(calls), len(notebook.game.forks)) == (before, asked, 0)


def test_a_machine_seated_later_does_not_answer_for_cells_above(notebook):
    notebook.run("c0", BEGIN.replace(str(KIT), "{}"))
    notebook.run("c1", PROPOSE)
    notebook.run("c2", 'game.machines["Ben"] = "contrary"')
    assert notebook.game.proposals[301].ballots == {"Ben": "against"}
    before = notebook.game.fingerprint
    notebook.run("c1", PROPOSE)
    notebook.run("c2", 'game.machines["Ben"] = "contrary"')
    assert (notebook.game.fingerprint, len(notebook.game.forks)) == (before, 0)


def test_a_changed_cell_is_answered_anew_and_the_old_course_is_a_branch(notebook):
    notebook.run("c0", BEGIN)
    notebook.run("c1", PROPOSE)
    notebook.run("c1", PROPOSE.replace("four", "five"))
    assert set(notebook.game.proposals[301].ballots) == {"Ben", "Cleo"}
    assert len(notebook.game.forks) == 1


def test_what_machines_answered_to_a_cell_that_fails_is_taken_back(notebook):
    notebook.run("c0", BEGIN)
    before = notebook.game.fingerprint
    assert isinstance(notebook.run("c1", f"{PROPOSE}\n1 / 0"), ZeroDivisionError)
    assert notebook.game.fingerprint == before


def test_the_same_cells_play_the_same_game_in_a_new_session():
    found = []
    for _ in range(2):
        with session() as notebook:
            for cell, code in (("c0", BEGIN), ("c1", PROPOSE), ("c2", VOTE)):
                notebook.run(cell, code)
            found.append(notebook.game.fingerprint)
    assert found[0] == found[1]


def test_a_seat_that_was_taken_over_stays_so_when_its_cell_runs_again(notebook):
    notebook.run("c0", BEGIN)
    notebook.run("c1", 'del game.machines["Ben"]')
    notebook.run("c0", BEGIN)
    assert list(notebook.game.machines) == ["Cleo"]
    notebook.run("c0", BEGIN.replace("'random'", "'contrary'"))
    assert sorted(notebook.game.machines) == ["Ben", "Cleo"]


def broken(view):
    raise ConnectionError("the network is gone")


async def polite(view):
    await asyncio.sleep(0)
    return first_answer(view)


def test_a_machine_that_fails_is_told_of_with_ways_out(capsys):
    game = begin({"Ben": broken, "Cleo": "contrary"})
    game.propose("Ann", nb.enact("Tea is at four."))
    assert game.proposals[301].ballots == {"Cleo": "against"}
    assert "ConnectionError: the network is gone." in game.machines.trouble["Ben"]
    told = capsys.readouterr().out
    assert told.count("Ben’s machine (broken) has given no valid answer") == 1
    assert "game.machines.go_on()" in told
    assert 'del game.machines["Ben"]' in told.replace("'", '"')
    del game.machines["Ben"]
    assert game.machines.trouble == {}
    game.vote("Ben", "for")
    assert game.proposals[301].ballots["Ben"] == "for"


def test_a_machine_is_asked_again_when_told_to():
    answers = iter([broken, first_answer])
    game = begin({"Ben": lambda view: next(answers)(view)})
    game.propose("Ann", nb.enact("Tea is at four."))
    assert "Ben" in game.machines.trouble
    game.machines.go_on()
    assert game.machines.trouble == {}
    assert "Ben" in game.proposals[301].ballots


def test_a_machine_whose_answers_are_refused_does_not_hang_the_game():
    asked = []
    game = begin({"Ben": lambda view: asked.append(view["refused"]) or "for"})
    game.propose("Ann", nb.enact("Tea is at four."))
    assert "A reply must be a JSON object" in game.machines.trouble["Ben"]
    assert asked[0] is None
    assert {one["code"] for one in asked[1:]} == {"reply-not-json"}


def test_a_machine_that_never_answers_is_given_up_after_its_time():
    over = threading.Event()
    game = begin({"Ben": lambda view: over.wait(60)})
    assert machines_of(game.timeline).seconds == SECONDS
    machines_of(game.timeline).seconds = 0.05
    game.propose("Ann", nb.enact("Tea is at four."))
    over.set()
    assert "no reply within 0.05 seconds" in game.machines.trouble["Ben"]


def test_showing_a_game_asks_no_machine():
    asked = []
    game = begin({"Ben": lambda view: asked.append(1)})
    assert "Next: Ann" in str(game)
    assert game.pending._repr_html_()
    assert game._repr_html_()
    assert asked == []


def test_a_machine_can_be_asynchronous():
    game = begin({"Ben": polite})
    game.propose("Ann", nb.enact("Tea is at four."))
    assert "Ben" in game.proposals[301].ballots


def test_machines_wait_while_they_are_held_and_answer_step_by_step():
    game = begin()
    game.machines.hold()
    game.propose("Ann", nb.enact("Tea is at four."))
    assert game.proposals[301].ballots == {}
    assert game.machines.step() == "Ben"
    assert set(game.proposals[301].ballots) == {"Ben"}
    game.machines.go_on()
    assert set(game.proposals[301].ballots) == {"Ben", "Cleo"}


def test_a_branch_has_machines_of_its_own_and_a_trial_none():
    game = begin({"Ben": "contrary"})
    game.propose("Ann", nb.enact("Tea is at four."))
    fork = game.fork()
    assert list(fork.machines) == ["Ben"]
    del fork.machines["Ben"]
    assert list(game.machines) == ["Ben"]
    assert "Ben (machine) votes against" in " ".join(fork.latest(20))
    assert list(game.trial().machines) == []


def test_machines_play_again_with_the_same_names():
    game = begin({"Ann": first_answer, "Cleo": "contrary"}, terms={"win.points": 2})
    game.machines.hold()
    nb.play(game, dict.fromkeys(NAMES, first_answer))
    game.machines.go_on()
    again = game.play_again()
    assert repr(again.machines) == repr(game.machines)
    assert again.machines["Ann"] is first_answer
    assert again.machines["Cleo"] is not game.machines["Cleo"]
    assert set(again.proposals[301].ballots) == {"Ann", "Cleo"}


def test_a_saved_game_has_the_machines_of_the_kit_and_says_which_it_has_not(tmp_path, capsys):
    path = tmp_path / "games.sqlite"
    with session() as notebook:
        notebook.shell.user_ns.update(path=path, mine=first_answer)
        kept = BEGIN.replace("'contrary'", "mine").replace("seed=7", "seed=7, file=path")
        notebook.run("c0", kept)
        notebook.run("c1", PROPOSE)
        fingerprint = notebook.game.fingerprint
        assert set(notebook.game.history["hand"].dropna()) == {"cell", "machine random", "machine first_answer"}
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(path.read_bytes())
    capsys.readouterr()
    game = nb.open(copy, "game")
    assert game.fingerprint == fingerprint
    assert repr(game.machines).splitlines()[0] == "Ben: random"
    assert "Cleo was played by first_answer(), which is not saved with the game." in capsys.readouterr().out
    assert any("Ben (machine) votes" in text for text in game.latest(20))
    game.machines["Cleo"] = "contrary"
    del game.machines["Ben"]
    again = tmp_path / "again.sqlite"
    again.write_bytes(copy.read_bytes())
    assert repr(nb.open(again, "game").machines) == "Cleo: contrary"


def test_a_game_that_is_kept_later_keeps_its_machines(tmp_path):
    game = begin({"Ben": "contrary"})
    game.keep(tmp_path / "one.sqlite")
    (tmp_path / "two.sqlite").write_bytes((tmp_path / "one.sqlite").read_bytes())
    assert list(nb.open(tmp_path / "two.sqlite", "game").machines) == ["Ben"]


def test_machines_follow_what_the_host_does():
    game = begin({"Ben": "contrary"})
    game.propose("Ann", nb.enact("Tea is at four."))
    game.vote("Ann", "for")
    game.host.pause()
    game.machines["Cleo"] = "contrary"
    assert "Cleo" not in game.proposals[301].ballots
    game.host.resume()
    assert game.proposals[301].ballots["Cleo"] == "against"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"Zoe": "random"}, "no player"), ({"Ben": "clever"}, "the kit has no player called “clever”. It has sensible"),
        ({"Ben": 5}, "must be a function"), ({"Ben": None}, "must be a function"), ("Ben", "machines must be"),
        (["Ben"], "machines must be"),
    ],
)  # fmt: skip
def test_what_can_be_no_machine_is_refused(given, why):
    with pytest.raises((nb.IllegalAction, ValueError, TypeError), match=why):
        begin(given)


@pytest.mark.parametrize("pause", [-1, LONGEST_PAUSE + 1, float("nan"), True, "slow", None])
def test_a_pause_is_a_number_of_seconds(pause):
    with pytest.raises((ValueError, TypeError), match="pause"):
        begin(pause=pause)


def test_each_player_of_the_kit_can_be_named():
    assert set(KINDS) <= set(nb.players.__all__)
    for kind in KINDS:
        game = begin({"Ben": kind})
        game.propose("Ann", nb.enact("Tea is at four."))
        assert "Ben" in game.proposals[301].ballots


def test_a_machine_that_acts_by_itself_does_not_wait_for_itself():
    game = begin({"Ben": "contrary"})

    def acts(view):
        game.vote("Cleo", "for")

    game.machines["Cleo"] = acts
    game.propose("Ann", nb.enact("Tea is at four."))
    assert game.proposals[301].ballots == {"Ben": "against", "Cleo": "for"}
    assert game.machines.trouble == {}


def test_cells_that_run_again_in_a_new_session_ask_no_machine_twice(tmp_path):
    path, calls, found = tmp_path / "games.sqlite", [], []
    kept = BEGIN.replace("'contrary'", "mine").replace("seed=7", "seed=7, file=path")
    for name in ("games.sqlite", "copy.sqlite"):
        with session() as notebook:
            here = tmp_path / name
            if found:
                here.write_bytes(path.read_bytes())
            notebook.shell.user_ns.update(path=here, mine=lambda view: (calls.append(1), first_answer(view))[1])
            for cell, code in (("c0", kept), ("c1", PROPOSE), ("c2", VOTE)):
                assert not isinstance(notebook.run(cell, code), Exception)
            found.append((notebook.game.fingerprint, len(calls), len(notebook.game.forks)))
            assert sorted(notebook.game.machines) == ["Ben", "Cleo"]
    assert found[0] == found[1]


def test_a_machine_can_be_given_more_time_to_answer():
    game = begin({"Ben": "contrary"})
    game.machines.seconds = 120
    assert game.machines.seconds == 120


@pytest.mark.parametrize("seconds", [0, -1, "long"])
def test_a_machine_has_some_time_to_answer(seconds):
    with pytest.raises((ValueError, TypeError), match="seconds"):
        begin({"Ben": "contrary"}).machines.seconds = seconds


def test_a_function_called_like_a_player_of_the_kit_is_none(tmp_path):
    def random(view):
        return first_answer(view)

    game = begin({"Ben": random})
    game.keep(tmp_path / "one.sqlite")
    (tmp_path / "two.sqlite").write_bytes((tmp_path / "one.sqlite").read_bytes())
    assert list(nb.open(tmp_path / "two.sqlite", "game").machines) == []
    assert game.fork().machines["Ben"] is random


def test_a_cell_answered_by_a_machine_that_has_left_runs_again_unchanged(notebook):
    notebook.run("c0", BEGIN.replace(str(KIT), "{'Ben': 'contrary'}"))
    notebook.run("c1", PROPOSE)
    notebook.run("c2", 'del game.machines["Ben"]')
    before = notebook.game.fingerprint
    notebook.run("c1", PROPOSE)
    assert (notebook.game.fingerprint, len(notebook.game.forks)) == (before, 0)


def test_machines_added_to_the_cell_of_a_game_are_seated(notebook):
    notebook.run("c0", BEGIN.replace(f", machines={KIT}", ""))
    notebook.run("c1", 'game.machines["Ben"] = "random"')
    notebook.run("c0", BEGIN.replace(str(KIT), "{'Cleo': 'contrary'}"))
    assert repr(notebook.game.machines) == "Ben: random\nCleo: contrary"


def test_a_machine_that_exits_is_told_of_like_any_other():
    game = begin({"Ben": lambda view: exit()})
    game.propose("Ann", nb.enact("Tea is at four."))
    assert "SystemExit" in game.machines.trouble["Ben"]


def test_a_seat_without_a_machine_cannot_be_given_back():
    game = begin()
    with pytest.raises(LookupError, match="no machine plays for “Ann”"):
        del game.machines["Ann"]
    assert game.machines.get("Ann") is None


@pytest.mark.slow
def test_a_game_with_the_kit_ends_while_a_person_does_the_least():
    game = begin(dict.fromkeys(["Ben", "Cleo"], "sensible"))
    ann = game.seat("Ann")
    for _ in range(200):
        if game.over:
            break
        ann.act(first_answer(ann.view()))
    assert game.over
    assert game.machines.trouble == {}


def test_a_machine_that_only_makes_statements_gives_no_answer():
    asked = []

    def talking(view):
        asked.append(view["step"])
        return {"statement": {"proposal": 301, "text": "Hm."}}

    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, anew=True, machines={"Ben": talking})
    game.propose("Ann", nb.enact("Cheer."))
    assert "only made a statement" in str(game.machines.trouble["Ben"])
    assert len(asked) == 5
    assert [one["text"] for one in game.seat("Ann").view()["proposals"][0]["statements"]] == ["Hm."]


def test_a_move_of_a_machine_is_marked_also_from_a_file(tmp_path, capsys):
    game = nb.new_game("make-a-rule", ["Ann", "Ben"], seed=7, anew=True, machines={"Ben": "sensible"})
    game.keep(tmp_path / "games.sqlite", "Friday")
    game.move("Ann", game.seat("Ann").view()["moves"][0])
    assert "Ben (machine) moves" in capsys.readouterr().out
    again = nb.open(tmp_path / "games.sqlite", "Friday")
    assert any(text.startswith("Ben (machine) moves") for text in again.latest(20))


def test_when_the_last_person_leaves_the_cell_says_how_the_machines_go_on(capsys):
    game = begin({"Ben": "random", "Cleo": "random"})
    game.forfeit("Ann")
    assert capsys.readouterr().out.count("run nb.play(game, game.machines)") == 1
    nb.play(game, game.machines, until=game.turn + 2)
    assert "nb.play" not in capsys.readouterr().out
    begin(dict.fromkeys(NAMES, "random"))
    assert "run nb.play(game, game.machines)" in capsys.readouterr().out
