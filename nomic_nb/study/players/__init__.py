"""Seats for programs: what a player sees as plain data, what an answer looks like, and programs that play."""

from nomic_nb.study.players.kinds import contrary, random
from nomic_nb.study.players.prospects import prospects
from nomic_nb.study.players.sensible import sensible

__all__ = ["contrary", "prospects", "random", "sensible"]
