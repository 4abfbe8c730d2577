"""Looking ahead without a trace: trials, steps on a state, ways to answer, and what is never copied."""

import copy
import pickle
import random
from collections import Counter

import pytest
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine import step
from nomic_nb.engine.games import begin
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.declarations import HOST_ACTIONS
from nomic_nb.study.playouts import Playout, act_at_random

CHANGE = nb.enact("A six is lucky.", law="on thrown when face == 6: award 1 points to player")


def game_before_a_roll(**more):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, anew="file" not in more, **more)
    game.propose("Ann", CHANGE)
    for name in game.players:
        game.vote(name, "for")
    return game


# ------------------------------------------------------------------------------------------------------- trials


def test_two_hundred_looks_leave_no_trace(tmp_path):
    game = game_before_a_roll(file=tmp_path / "game.sqlite")
    before = (tmp_path / "game.sqlite").read_bytes(), game.fingerprint, len(game.timeline.events)
    game.save(tmp_path / "before.jsonl")
    for _ in range(200):
        trial = game.trial()
        trial.roll("Ann")
    trial.propose("Ben", nb.repeal(206))
    game.save(tmp_path / "after.jsonl")
    assert len(game.forks) == 0
    assert ((tmp_path / "game.sqlite").read_bytes(), game.fingerprint, len(game.timeline.events)) == before
    assert (tmp_path / "before.jsonl").read_bytes() == (tmp_path / "after.jsonl").read_bytes()


def test_a_trial_has_other_dice_and_the_same_ones_for_the_same_seed():
    game = game_before_a_roll()
    assert len({game.trial().roll("Ann") for _ in range(50)}) > 2
    assert {game.trial(seed=5).roll("Ann") for _ in range(5)} == {game.trial(seed=5).roll("Ann")}
    assert game.trial(seed=5).seed == 5
    assert game.fork().roll("Ann") == game.roll("Ann")


def test_the_same_seed_seals_the_same_in_a_trial_and_not_what_the_game_seals():
    game = game_before_a_roll(dice="committed", chance=5)
    first, second, other = (game.trial(seed=seed).seal("Ann") for seed in (3, 3, 4))
    assert first == second != other
    assert game.seal("Ann") not in (first, other)


def test_a_branch_of_a_trial_rolls_as_the_trial_does():
    trial = game_before_a_roll().trial()
    branch = trial.fork()
    assert branch.seed == trial.seed
    assert branch.roll("Ann") == trial.roll("Ann")


def test_a_trial_of_a_past_game_can_be_played():
    game = game_before_a_roll()
    trial = game.at(game.timeline.end_of_step(1)).trial()
    trial.propose("Ann", CHANGE)
    assert len(trial.proposals) == 1


def test_what_is_sealed_in_a_trial_stays_there():
    game = game_before_a_roll(dice="committed")
    game.trial().seal("Ann")
    assert game.timeline.kept == {}


def test_a_trial_is_never_saved(tmp_path):
    trial = game_before_a_roll().trial()
    for save in (lambda: trial.save(tmp_path / "x.jsonl"), lambda: trial.keep(tmp_path / "x.sqlite"),
                 lambda: nb.to_notebook(trial)):  # fmt: skip
        with refused("trial-not-saved"):
            save()
    with refused("trial-not-saved"):
        trial.fork().save(tmp_path / "x.jsonl")


@pytest.mark.parametrize("seed", [-1, True, 2**60, "seven"])
def test_the_seed_of_a_trial_is_checked(seed):
    with pytest.raises((TypeError, ValueError), match="seed must be a whole number"):
        game_before_a_roll().trial(seed=seed)
    with pytest.raises((TypeError, ValueError), match=r"seed must be a whole number|chance must be a whole number"):
        game_before_a_roll(chance=seed)


# -------------------------------------------------------------------------------------------------- steps on a state


def test_a_step_does_what_an_action_does_and_touches_nothing():
    game = game_before_a_roll()
    before, rolled = game.state, game.fork()
    after = step(before, game.seed, "Ann", "roll", {})
    rolled.roll("Ann")
    assert after.tables == rolled.state.tables
    assert after.seq == rolled.state.seq
    assert game.state is before
    assert len(game.timeline.events) == before.seq


def test_a_step_refuses_what_the_game_refuses():
    state = game_before_a_roll().state
    with pytest.raises(nb.IllegalAction, match="Ann who rolls"):
        step(state, 1, "Ben", "roll", {})
    with pytest.raises(nb.IllegalAction, match="no action called 'dance'"):
        step(state, 1, "Ann", "dance", {})
    with pytest.raises(TypeError, match="takes value"):
        step(state, 1, "Ann", "roll", {"height": 3})


# ------------------------------------------------------------------------------------------------------ ways


def accepted_way(timeline, decision):
    """Return the first of the ways to answer a decision that a trial accepts, by the public actions; None if none."""
    for way in decision.ways():
        trial = nb.Game(timeline.trial(seed=1))
        try:
            if decision.action in HOST_ACTIONS:
                trial.timeline.do_as_host(decision.action, way)
            else:
                trial.do(decision.player or timeline.state.present_names[0], decision.action, **way)
        except (nb.IllegalAction, nb.LawError):
            continue
        return way
    return None


@pytest.mark.parametrize(
    ("system", "players", "turns", "needs"),
    [
        ("discordian-nomic", ["Ann", "Ben", "Cleo"], 15, {"vote", "roll"}),
        ("cabinet-nomic", ["Ann", "Ben", "Cleo"], 15, {"vote", "roll"}),
        ("github-nomic", ["Ann", "Ben", "Cleo"], 12, {"vote", "agree", "close_vote", "begin_turn"}),
        ("nomic-chess", ["Ann", "Ben", "Cleo"], 5, {"vote", "move"}),
        ("make-a-rule", ["Ann", "Ben"], 3, {"move"}),
    ],
)
@pytest.mark.slow
def test_every_open_decision_has_a_way_that_is_accepted(system, players, turns, needs):
    timeline, dice = begin(system, players, seed=3), random.Random(3)
    playout, tried, open_before = Playout(timeline), Counter(), set()
    while not timeline.state.over and timeline.state.turn <= turns:
        open_now = {one for one in decisions(timeline.state) if one.action not in ("propose", "revise")}
        for decision in open_now - open_before:
            assert accepted_way(timeline, decision) is not None, decision
            tried[decision.action] += 1
        open_before = open_now
        act_at_random(playout, dice)
    assert needs <= tried.keys()


@pytest.mark.parametrize(
    ("law", "takes", "way"),
    [
        ("on enacted when rule == this: let mover choose x from any number", "number", {"option": 1}),
        ("on enacted when rule == this: let mover choose x from any text", "text", {"option": "An example."}),
        ('on enacted when rule == this: let mover choose some x from ["a", "b"]', "some", {"option": ["a"]}),
    ],
)
def test_open_answers_are_named_by_an_example(law, takes, way):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, anew=True)
    game.propose("Ann", nb.enact("It asks.", law=law))
    for name in game.players:
        game.vote(name, "for")
    asked = next(one for one in game.pending if one.action == "choose")
    assert asked.takes == takes
    assert asked.ways()[0] == way
    game.do(asked.player, "choose", **way)


def test_a_question_about_a_setting_has_a_way_that_fits_its_type():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, anew=True)
    game.propose("Ann", nb.repeal(208))
    for name in game.players:
        game.vote(name, "for")
    seen = 0
    while game.state.questions and seen < 6:
        asked = next(one for one in game.pending if one.action == "choose" and one.must)
        game.do(asked.player, "choose", **asked.ways()[0])
        seen += 1
    assert seen > 0
    assert not game.state.questions


def test_dice_on_the_table_have_a_way_for_each_number():
    game = game_before_a_roll(dice="table")
    roll = next(one for one in game.pending if one.action == "roll")
    assert [way["value"] for way in roll.ways()] == [1, 2, 3, 4, 5, 6]
    assert len(roll.ways(2)) == 2


def test_a_decision_out_of_its_game_has_no_ways():
    decision = pickle.loads(pickle.dumps(game_before_a_roll().pending[0]))  # noqa: S301 - our own
    with refused("decision-out-of-game"):
        decision.ways()


# ------------------------------------------------------------------------------------------ do, seals and copies


def test_do_takes_what_the_methods_take():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, dice="committed", anew=True)
    game.do("Ann", "propose", change=nb.library.simple_majority())
    for name in game.players:
        game.do(name, "vote", ballot="for")
    for name in game.players:
        game.do(name, "seal", value=4)
    for name in game.players:
        game.do(name, "reveal")
    assert game.player == "Ben"
    boards = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7, anew=True)
    boards.do("Ann", "propose", change=nb.enact("Cheer."))
    for name in boards.players:
        boards.do(name, "vote", ballot="for")
    move = next(one for one in boards.pending if one.action == "move").options[0]
    pair, _, text = move.rpartition(" ")
    boards.do(boards.player, "move", text=text, push=pair.strip("():") or None)
    assert boards.last_move is not None


def test_what_players_seal_repeats_with_a_seed_for_chance():
    def rolled(chance, seed=7):
        game = nb.new_game(
            "discordian-nomic", ["Ann", "Ben", "Cleo"], seed=seed, dice="committed", chance=chance, anew=True
        )
        game.propose("Ann", CHANGE)
        for name in game.players:
            game.vote(name, "for")
        for action in ("seal", "reveal"):
            for name in game.players:
                game.do(name, action)
        return game.fingerprint

    assert rolled(5) == rolled(5)
    assert rolled(5) != rolled(6)
    assert rolled(None) != rolled(None)


@pytest.mark.parametrize("do", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_game_says_that_it_cannot_be_pickled_or_copied(do):
    with refused("not-copied", kind="Game"):
        do(game_before_a_roll())


@pytest.mark.parametrize(
    "part", [lambda game: game.state, lambda game: game.rules, lambda game: game.ruleset, lambda game: game.pending]
)
def test_what_holds_rules_says_that_it_cannot_be_pickled(part):
    with refused("not-copied"):
        pickle.dumps(part(game_before_a_roll()))


def test_a_state_is_its_own_copy():
    state = game_before_a_roll().state
    assert copy.copy(state) is state
    assert copy.deepcopy(state) is state


def test_boards_events_and_decisions_can_be_pickled():
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7, anew=True)
    for one in (game.state.position, game.timeline.events[2], game.pending[0], CHANGE):
        assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - our own
