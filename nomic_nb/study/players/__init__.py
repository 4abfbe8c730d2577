"""Seats for programs: what a player sees as plain data, what an answer looks like, and programs that play."""

from nomic_nb.study.players.kinds import contrary, random

__all__ = ["contrary", "random"]
