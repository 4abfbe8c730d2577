"""A game as a PettingZoo environment (AEC): an action is the number of an answer in a list, with a mask."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from nomic_nb.study.players.asked import Json
from nomic_nb.study.players.loop import Game
from nomic_nb.study.players.view import CLOCK_ACTION, views_of

#: Answers in the list; acts refused one after another before the game is cut off; the largest number in an observation.
WIDTH, MOST_REFUSED, LARGEST = 512, 50, 1e9


class NomicEnvironment(AECEnv):  # type: ignore[misc]
    """A game as a PettingZoo environment; see `nomic_nb.players.environment`."""

    metadata = {"name": "nomic_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012
    render_mode = "ansi"

    def __init__(self, begin: Callable[[int], Game], turns: int) -> None:
        self._begin, self._turns, self._seed = begin, turns, -1
        self.possible_agents = list(begin(0).timeline.state.person_names)
        size = 3 + 2 * len(self.possible_agents)
        space = gymnasium.spaces.Dict({
            "observation": gymnasium.spaces.Box(-LARGEST, LARGEST, (size,), np.float64),
            "action_mask": gymnasium.spaces.Box(0, 1, (WIDTH,), np.int8),
        })  # fmt: skip
        actions = gymnasium.spaces.Discrete(WIDTH)
        self.observation_space, self.action_space = lambda _: space, lambda _: actions

    def reset(self, seed: int | None = None, options: Json | None = None) -> None:  # noqa: ARG002 - there are none
        """Begin a game, with this seed or with the next one."""
        self._seed = self._seed + 1 if seed is None else seed
        self.game, self.agents = self._begin(self._seed), list(self.possible_agents)
        self.rewards, self._cumulative_rewards, self.terminations, self.truncations = (
            dict.fromkeys(self.agents, value) for value in (0.0, 0.0, False, False)
        )
        self.infos: dict[str, Json] = {name: {} for name in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def _go_on(self) -> None:
        """Let the player whom play waits for choose, or end the game."""
        state, self._barred = self.game.timeline.state, set[int]()
        must = [one for one in views_of(self.game.timeline).open_decisions(state) if one.must]
        awaited = next((one.player or self.agents[0] for one in must if one.action != CLOCK_ACTION), "")
        if state.over:
            self.terminations = dict.fromkeys(self.agents, True)
            share = 1 / len(state.winners) if state.winners else 0.0
            self.rewards = {name: share if name in state.winners else -bool(share) for name in self.agents}
        elif awaited not in self.agents or state.paused or state.turn >= self._turns:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            seat = self.game.seat(awaited)
            self.agent_selection, self._acts = awaited, seat.acts(WIDTH)
            self.infos[awaited] = {"acts": [act["text"] for act in self._acts], "view": seat.view(remarks=False)}

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent observes: turn, round and rules, everyone's score and whose answer play waits for."""
        view, mask = self.game.seat(agent).view(remarks=False), np.zeros(WIDTH, np.int8)
        held = view["score"].get((view["aim"] or {}).get("counter"), {})
        scores = [max(-LARGEST, min(Fraction(held.get(name, 0)), LARGEST)) for name in self.possible_agents]
        awaited = [name == self.agent_selection for name in self.possible_agents]
        numbers = [view["game"]["turn"], view["game"]["circuit"], len(view["law"]), *scores, *awaited]
        if agent == self.agent_selection:
            mask[[at for at in range(len(self._acts)) if at not in self._barred]] = 1
        return {"observation": np.array(numbers, np.float64), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Give the answer with the number of an action; if the rules refuse it, the agent chooses again."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        reply = self._acts[action]["reply"] if 0 <= action < len(self._acts) else None
        if "refused" not in self.game.seat(agent).act(reply):
            self._go_on()
        else:
            self._barred.add(int(action))
            if len(self._barred) in (MOST_REFUSED, len(self._acts)):
                self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def render(self) -> str:
        """Return what the agent who chooses sees, in words."""
        return str(self.game.seat(self.agent_selection).view().text())

    def close(self) -> None:
        """Do nothing: nothing is open."""
