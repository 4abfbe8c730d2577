"""The table for Game Cabinet Nomic."""

from __future__ import annotations

from probes.dice import DICE
from probes.everywhere import EVERYWHERE, MUTABLE_MEANS_OPEN, TURN_BY_TURN
from probes.looks import gains, idle, overruled_by_one, seen
from probes.table import probe

CABINET = [
    *EVERYWHERE,
    *TURN_BY_TURN,
    *MUTABLE_MEANS_OPEN,
    *DICE,
    probe(202, "a-one-brings-nothing", "set throw.points to 0 while face == 1", "defeated",
          "the number on the face is added to the score; 202 has the lower number (211)",
          gains(idle, "Ben", 1, 0, whole=True)),
    probe(212, "one-vote-overrules", "set judge.overrule_quota to 1", "defeated",
          "a Judge is overruled only by all of the others; 212 has the lower number (211)",
          seen(overruled_by_one, False, True)),
]  # fmt: skip
