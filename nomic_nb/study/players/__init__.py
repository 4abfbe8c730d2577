"""Seats for programs: what a player sees as plain data, what an answer looks like, and programs that play."""

from nomic_nb.study.players.kinds import contrary, random
from nomic_nb.study.players.sensible_player import sensible
from nomic_nb.study.players.standings import prospects

__all__ = ["contrary", "prospects", "random", "sensible"]
