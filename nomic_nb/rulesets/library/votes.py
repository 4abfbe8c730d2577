"""Ready-made rules on who votes, how, and how many votes adopt."""

from __future__ import annotations

from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, times, whole

#: Which rules these are made to amend.
QUOTA = "the rule that says how many votes adopt"


def two_thirds() -> LibraryRule:
    """Let two thirds of the votes adopt a rule-change.

    Examples
    --------
    >>> two_thirds() == fraction_adopts(2, 3)
    True
    """
    return fraction_adopts(2, 3)


def fraction_adopts(votes: int = 3, of: int = 4) -> LibraryRule:
    """Let a fraction of the votes adopt a rule-change.

    Parameters
    ----------
    votes, of : int
        As in 3 of every 4, from 1 to 100; `votes` is at most `of`.

    Examples
    --------
    >>> print(fraction_adopts(3, 5).wording)
    A rule-change is adopted if at least 3 of every 5 votes that may be cast are for it. On this point it goes before
    every other rule.
    """
    whole("the whole", of, 1, 100)
    whole("a part of the votes", votes, 1, of)
    return LibraryRule(
        f"{votes} of {of} votes adopt",
        f"A rule-change is adopted if at least {votes} of every {of} votes that may be cast are for it. {BEFORE}",
        f"set vote.quota to {votes}/{of} * unanimity(vote.electorate)\nprevails over everything on vote.quota",
        QUOTA,
    )


def quota_by_circuit(circuits: int = 2) -> LibraryRule:
    """Ask for unanimity in the first circuits, and for a simple majority from then on.

    Parameters
    ----------
    circuits : int
        How many circuits of unanimity, from 1 to 100.

    Examples
    --------
    >>> print(quota_by_circuit(1).title)
    Unanimity in 1 circuit, then a majority
    """
    whole("a count of circuits", circuits, 1, 100)
    first = "circuit 1" if circuits == 1 else f"circuits 1 to {circuits}"
    return LibraryRule(
        f"Unanimity in {times(circuits, 'circuit')}, then a majority",
        f"In {first} of the game a rule-change is adopted if all who may vote are for it. From circuit {circuits + 1} "
        f"on it is adopted if more than half of them are. {BEFORE}",
        f"set vote.quota to (unanimity(vote.electorate) if circuit <= {circuits} else majority(vote.electorate))\n"
        "prevails over everything on vote.quota",
        QUOTA,
    )


def votes_for_points(per: int = 25) -> LibraryRule:
    """Give players more votes the more points they have.

    Parameters
    ----------
    per : int
        How many points bring one vote more, from 1 to 1000.

    Examples
    --------
    >>> print(votes_for_points(10).title)
    A vote more for every 10 points
    """
    whole("a count of points", per, 1, 1000)
    return LibraryRule(
        f"A vote more for every {f'{per} points' if per > 1 else 'point'}",
        f"A ballot counts as one vote, and as one vote more for each whole {per} of the points that the voter has "
        f"when the vote opens. Points below zero take nothing away. {BEFORE}",
        f"set vote.weight to 1 + max([0, voter.points // {per}])\nprevails over everything on vote.weight",
        "the rule that says how many votes each player has",
    )
