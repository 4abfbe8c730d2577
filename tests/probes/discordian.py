"""The table for Discordian Nomic."""

from __future__ import annotations

from probes.dice import DICE
from probes.everywhere import EVERYWHERE, NONE_IS_IMMUNE, TURN_BY_TURN
from probes.looks import gains, idle, overruled_by_one, seen
from probes.table import probe

DISCORDIAN = [
    *EVERYWHERE,
    *TURN_BY_TURN,
    *NONE_IS_IMMUNE,
    *DICE,
    probe(202, "a-one-brings-nothing", "set throw.points to 0 while face == 1", "works",
          "the preamble lets the value of a throw be adjusted by the rules, so 202 counts what they make of it",
          gains(idle, "Ben", 1, 0, whole=True)),
    probe(212, "one-vote-overrules", "set judge.overrule_quota to 1", "works",
          "the sentence on how a Judge is overruled has lost its head: a rule can say what it does not",
          seen(overruled_by_one, False, True)),
]  # fmt: skip
