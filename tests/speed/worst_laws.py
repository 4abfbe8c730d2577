"""Laws that make one action take as long as the language lets them, as data.

The limits of the language: 8,000 letters and 100 lines a rule, 1,000 letters a clause, 400 letters an expression,
20,000 steps an evaluation, 100 effects in one cascade, lists of 10,000, notations of 120 letters; as many rules,
amendments and players as there are. Steps are not alike: `next_player` among many players takes longer than `1 + 1`.
"""

from __future__ import annotations

from dataclasses import dataclass

NAMES = tuple(f"Player {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXY")
#: True after all the steps that one evaluation has, each of them as dear as a step can be.
LONG = "count(n for n in numbers(1, 6500) if next_player == none) < 9999"
#: False after as many.
LONG_FALSE = "count(n for n in numbers(1, 6500) if next_player == none) > 9999"
#: What most of these laws count.
MUD = "track mud per player from 0"


def lines(*those: str, times: int = 1) -> str:
    """Return clauses, the last of them so many times, each time told apart by a number."""
    *first, last = those
    return "\n".join([*first, *(last.replace("%", str(at)) for at in range(times))])


@dataclass(frozen=True)
class WorstLaw:
    """A law, and how to get to where it hurts.

    Parameters
    ----------
    name : str
    laws : tuple of str
        The clauses of the changes, adopted one after the other by all.
    system : str
        The rule set.
    players : int
    beside : int or None
        The rule that all but the first of the changes amend, each beside the others; None for new rules.
    notes : int
        Proposals without clauses that are adopted before.
    most : int
        Decisions that are answered after the last change was adopted.
    """

    name: str
    laws: tuple[str, ...]
    system: str = "discordian-nomic"
    players: int = 25
    beside: int | None = None
    notes: int = 0
    most: int = 2


#: A hundred effects, in clauses of forty.
_HUNDRED = "; ".join(["award 1 mud to mover"] * 40)
#: The names of parts of a turn, in the last of which something is to be done.
_PARTS = ", ".join([*(f'"{at}"' for at in range(58)), '"proposal"'])
#: Notation that takes long to look through: riders that go on after captures, over pieces and round corners.
_HEAVY = "mRcaibRmBcaibBQNNCCZZAADDHHGGKmcabKpQgQ"

# Seconds of processor time of the slowest action that is played, of a review, and of loading the whole game; before and
# after steps were measured by what they take. Two busy cores; one run each; > was broken off, ? was not reached.
#
#   law                     slowest action        review          loading all
#                           before     after   before  after     before  after
#   costly conditions         3.7       0.2      3.6    0.3        3.1    0.4
#   many recipients         > 20        0.5    > 20     0.4          ?    1.2
#   every move judged         3.2       0.1      3.1    0.6        3.4    0.3
#   heavy notation            0.4       0.3      2.0    0.7        0.3    0.4
#   heavy ballots             3.5       0.1      2.8    0.2        2.8    0.2
#   requirements              3.2       0.1      3.7    0.4        7.1    0.4
#   nobody begins             3.9       0.2      3.7    0.3        4.3    0.3
#   play by itself            3.0       0.6      2.0    0.5        4.7    1.3
#   a long history          < 0.1     < 0.1      1.2    0.2        4.5    3.8   (7,710 events)
#   thousands of clauses      7.2       0.2      7.8    1.3       19.3    3.1   (30 adoptions)
WORST_LAWS = (
    # Each of a hundred effects is answered by eighty clauses, none of which applies in the end.
    WorstLaw(
        "costly conditions",
        (lines(MUD, f"on part_begun: {_HUNDRED}", f"on part_ended: {_HUNDRED}"),
         lines(f"on counted when {LONG_FALSE}: award % mud to mover", times=75)),
    ),
    # One effect reaches thousands, who are all the same player, and every time thirty clauses wait to be judged.
    WorstLaw(
        "many recipients",
        (lines(MUD, "on part_begun: award 1 mud to [mover for n in numbers(1, 6500)]", times=20),
         lines("on counted when amount > %: award 1 mud to mover", times=30).replace("> 0:", "> 30:")),
    ),
    # Whether a move is forbidden is asked for every legal move on every pair of boards.
    WorstLaw(
        "every move judged", (lines(f"forbid move when {LONG_FALSE} or turn < 0",
                                    f"set move.forced to {LONG_FALSE}\nprevails over everything"),),
        system="nomic-chess", players=12, most=3,
    ),
    # No step of evaluation at all: what takes long is how pieces move.
    WorstLaw(
        "heavy notation", ("\n".join([f'piece {kind} moves "{_HEAVY}"' for kind in "PNBRQ"]),),
        system="nomic-chess", players=25, most=3,
    ),
    # What a ballot weighs is asked for every voter, and all of that again for the quota.
    WorstLaw(
        "heavy ballots",
        (lines(f"set vote.weight to (1 if {LONG} else 2) while turn > 0\nprevails over everything"),),
    ),
    # What the law requires of itself is looked at whenever it changes, clause by clause.
    WorstLaw("requirements", (lines(f"require {LONG} or turn < %", times=90),)),
    # Nobody but the last may begin a turn, and everybody is asked again whenever one is passed over.
    WorstLaw(
        "nobody begins", (f"forbid begin_turn when {LONG} and player != item(seats, 25) and player != item(seats, 1)",),
        most=1,
    ),
    # Turns of many parts, in which nobody has anything to do and every event sets off a hundred effects.
    WorstLaw(
        "play by itself",
        (lines(MUD, f"on part_begun: {_HUNDRED}", f"on part_ended: {_HUNDRED}"),
         lines("on counted when count(p for p in seats if p.mud < 0) > %: award 1 mud to mover", times=80),
         f"set turn.parts to [{_PARTS}]\nprevails over everything"),
    ),
    # A long game, in which everything that was ever proposed is looked through at every step.
    WorstLaw(
        "a long history",
        (lines("on balloted when count(n for n in numbers(1, 6500) if count(proposals) == n) > %: announce \"So.\"",
               times=60).replace("> 0:", "> 60:"),),
        players=5, notes=400,
    ),
    # Whether rules contradict stronger ones is looked at for every two clauses on a key, whenever the law changes.
    WorstLaw(
        "thousands of clauses", tuple([lines("set vote.weight to 1", times=99)] * 30), players=2, beside=0, most=1,
    ),
)  # fmt: skip
