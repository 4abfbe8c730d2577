"""A game as a PettingZoo environment, with the real package."""

import sys

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import nomic_nb as nb

NAMES = ["Ann", "Ben", "Cleo"]


def begin(seed, system="discordian-nomic", **more):
    return nb.new_game(system, NAMES, seed=seed, anew=True, **more)


@pytest.mark.filterwarnings("ignore::UserWarning")  # it has a mask, and players have names
@pytest.mark.slow
def test_the_environment_passes_the_tests_of_the_package():
    api_test(nb.players.environment(begin, turns=4), num_cycles=60)
    seed_test(lambda: nb.players.environment(begin, turns=3), num_cycles=20)


def played(env, seed):
    """Play a game at random to its end; the number of steps, and the rewards."""
    env.reset(seed)
    dice, steps, rewards = np.random.default_rng(seed), 0, {}
    for agent in env.agent_iter():
        observation, reward, ended, cut, info = env.last()
        rewards[agent] = reward
        if ended or cut:
            env.step(None)
            continue
        mask = observation["action_mask"]
        assert mask.sum() <= len(info["acts"]) <= 512
        assert info["view"]["you"] == agent
        env.step(dice.choice(np.flatnonzero(mask)))
        steps += 1
    return steps, rewards


def test_a_game_is_won_and_its_winners_are_rewarded():
    env = nb.players.environment(lambda seed: begin(seed, terms={"win.points": 3}), turns=60)
    _, rewards = played(env, 2)
    assert env.game.over
    winners = env.game.winners
    assert all(rewards[name] == (1 / len(winners) if name in winners else -1) for name in NAMES)


@pytest.mark.parametrize("system", ["cabinet-nomic", "github-nomic", "nomic-chess"])
def test_every_system_can_be_learnt(system):
    steps, _ = played(nb.players.environment(lambda seed: begin(seed, system), turns=3), 1)
    assert steps > 3


def test_a_refused_act_is_masked_and_the_same_player_chooses_again():
    env = nb.players.environment(begin)
    env.reset(1)
    before, agent = env.game.fingerprint, env.agent_selection
    for wrong in (511, -1):
        env.step(wrong)
    assert (env.game.fingerprint, env.agent_selection) == (before, agent)
    seat = env.game.seat(agent)
    refused = next(at for at, act in enumerate(env._acts) if seat.try_out(act["reply"])["refused"])
    env.step(refused)
    assert (env.game.fingerprint, env.agent_selection) == (before, agent)
    mask = env.observe(agent)["action_mask"]
    assert (mask[refused], mask[511], mask.sum()) == (0, 0, len(env._acts) - 1)
    assert env.render().startswith("Rule 101")


def test_without_the_package_it_is_said_how_to_install_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "nomic_nb.study.players.environments", raising=False)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ModuleNotFoundError, match=r'%pip install "pettingzoo>=1.25"'):
        nb.players.environment(begin)
