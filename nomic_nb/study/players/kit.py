"""The kit's own players by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nomic_nb.study.players.kinds import contrary, random
from nomic_nb.study.players.loop import Player
from nomic_nb.study.players.sensible_player import sensible

#: They take a seed; the one to play with first comes first.
KINDS: Mapping[str, Callable[[int], Player]] = {"sensible": sensible, "random": random, "contrary": contrary}
