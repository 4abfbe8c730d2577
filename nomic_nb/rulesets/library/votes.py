"""Ready-made rules on who votes, how, and how many votes adopt."""

from __future__ import annotations

from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, counter, text, times, whole

#: Which rules these are made to amend.
QUOTA = "the rule that says how many votes adopt"
ELECTORATE = "the rule that says who may vote, once it is mutable"
ADOPTION = "the rule that says when a proposal is adopted, once it is mutable"


def simple_majority() -> LibraryRule:
    """Let more than half of the voters adopt a rule-change. Made to amend the rule that asks for unanimity.

    Examples
    --------
    >>> print(simple_majority().law)
    set vote.quota to majority(vote.electorate)
    """
    return LibraryRule(
        "A simple majority adopts",
        "A rule-change is adopted if more than half of those who may vote are for it. A tie defeats it.",
        "set vote.quota to majority(vote.electorate)",
        QUOTA,
    )


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


def secret_ballots() -> LibraryRule:
    """Hide all ballots until the vote closes.

    Examples
    --------
    >>> print(secret_ballots().law)
    set vote.ballots to "sealed"
    """
    return LibraryRule(
        "Secret ballots",
        "Nobody sees how anybody votes before the vote closes. Then all ballots are laid open.",
        'set vote.ballots to "sealed"',
    )


def changeable_ballots() -> LibraryRule:
    """Let voters change their minds while the vote is open.

    Examples
    --------
    >>> print(changeable_ballots().law)
    set vote.changeable to true
    """
    return LibraryRule(
        "Ballots can be changed",
        "While a vote is open, whoever has voted may vote again. The last ballot of each voter counts.",
        "set vote.changeable to true",
    )


def extra_votes_for(player: str = "Ann", votes: int = 2) -> LibraryRule:
    """Give a player's ballot another weight.

    Parameters
    ----------
    player : str
        The name. Nothing comes of it while nobody of that name plays.
    votes : int
        What the ballot counts, from 0 to 100.

    Examples
    --------
    >>> print(extra_votes_for("Ben", 3).wording)
    The ballot of Ben counts as 3 votes. On this point it goes before every other rule.
    """
    player = text("a player's name", player, 40)
    whole("a count of votes", votes, 0, 100)
    return LibraryRule(
        f"{times(votes, 'vote')} for {player}",
        f"The ballot of {player} counts as {times(votes, 'vote')}. {BEFORE}",
        f'set vote.weight to {votes} while voter.name == "{player}"\nprevails over everything on vote.weight',
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


def votes_for_the_last(votes: int = 2) -> LibraryRule:
    """Give whoever has the fewest points more votes.

    Parameters
    ----------
    votes : int
        What their ballots count, from 2 to 100.

    Examples
    --------
    >>> print(votes_for_the_last().wording)
    The ballot of whoever has the fewest points when a vote opens counts as 2 votes; so does that of each player who
    shares the last place. On this point it goes before every other rule.
    """
    whole("a count of votes", votes, 2, 100)
    return LibraryRule(
        f"{votes} votes for the last",
        f"The ballot of whoever has the fewest points when a vote opens counts as {votes} votes; so does that of each "
        f"player who shares the last place. {BEFORE}",
        f"set vote.weight to {votes} while voter in lowest(playing, [p.points for p in playing])\n"
        "prevails over everything on vote.weight",
    )


def proponent_counts_nothing() -> LibraryRule:
    """Let a proponent's own ballot weigh nothing.

    Examples
    --------
    >>> print(proponent_counts_nothing().law)
    set vote.weight to 0 while voter == proponent
    prevails over everything on vote.weight
    """
    return LibraryRule(
        "One's own proposal is for others to judge",
        f"The ballot of a proponent on their own proposal counts as no vote, neither for it nor against it. {BEFORE}",
        "set vote.weight to 0 while voter == proponent\nprevails over everything on vote.weight",
    )


def smaller_electorate() -> LibraryRule:
    """Let all but the proponent vote.

    Who may vote stands in an immutable rule of the rule sets: it has to be made mutable first, and amended by this
    one. A mutable rule beside it would be void.

    Examples
    --------
    >>> smaller_electorate().amends
    'the rule that says who may vote, once it is mutable'
    """
    return LibraryRule(
        "All but the proponent vote",
        "On a proposal all players may vote except its proponent. Everyone who may vote has to.",
        "set vote.electorate to [p for p in playing if p != proponent]\nset vote.duty to true\nallow vote",
        ELECTORATE,
    )


def quorum(voters: int = 2) -> LibraryRule:
    """Keep a vote open until enough players have voted. It matters where nobody has to vote.

    Parameters
    ----------
    voters : int
        From 1 to 100.

    Examples
    --------
    >>> print(quorum(3).wording)
    To close a vote before everyone has voted takes the ballots of at least 3 players.
    """
    whole("a count of voters", voters, 1, 100)
    return LibraryRule(
        f"A quorum of {times(voters, 'voter')}",
        f"To close a vote before everyone has voted takes the ballots of at least {times(voters, 'player')}.",
        f"forbid close_vote when count(supporters) + count(opponents) < {voters}",
    )


def veto(player: str = "Ann") -> LibraryRule:
    """Let a player's vote against defeat a proposal.

    When a proposal is adopted stands in an immutable rule of the rule sets: it has to be made mutable first, and
    amended by this one. A mutable rule beside it would be void.

    Parameters
    ----------
    player : str
        The name. Nothing comes of it while nobody of that name votes.

    Examples
    --------
    >>> print(veto("Ben").law)
    set vote.adopted to votes_for >= vote.quota and not any(p.name == "Ben" for p in opponents)
    """
    player = text("a player's name", player, 40)
    return LibraryRule(
        f"Veto of {player}",
        f"A proposal is put to the vote. It is adopted if it gets as many votes as the rules ask for and {player} has "
        "not voted against it, and only then.",
        f'set vote.adopted to votes_for >= vote.quota and not any(p.name == "{player}" for p in opponents)',
        ADOPTION,
    )


def veto_of_office(name: str = "speaker") -> LibraryRule:
    """Let the vote against of whoever holds an office defeat a proposal; see `office`, which says who holds it.

    When a proposal is adopted stands in an immutable rule of the rule sets: it has to be made mutable first, and
    amended by this one. A mutable rule beside it would be void.

    Parameters
    ----------
    name : str
        Of the office. Nothing comes of it while nobody holds it.

    Examples
    --------
    >>> print(veto_of_office("herald").wording)
    A proposal is put to the vote. It is adopted if it gets as many votes as the rules ask for and the herald has not
    voted against it, and only then.
    """
    name = counter("an office", name)
    return LibraryRule(
        f"Veto of the {name}",
        f"A proposal is put to the vote. It is adopted if it gets as many votes as the rules ask for and the {name} "
        "has not voted against it, and only then.",
        f"track {name} per player from 0\n"
        f"set vote.adopted to votes_for >= vote.quota and not any(p.{name} == 1 for p in opponents)",
        ADOPTION,
    )
