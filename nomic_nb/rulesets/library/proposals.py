"""Ready-made rules on proposals: their form, their number, what they bring and cost."""

from __future__ import annotations

from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, every, one_of, slug, text, times, whole


def price_of_defeat(points: int = 5) -> LibraryRule:
    """Change what a defeated proposal costs its proponent.

    Parameters
    ----------
    points : int
        From 0 to 1000.

    Examples
    --------
    >>> print(price_of_defeat(3).law)
    set defeat.points to -3
    prevails over everything on defeat.points
    """
    whole("a price", points, 0, 1000)
    return LibraryRule(
        f"A defeat costs {times(points, 'point')}",
        f"What a proponent loses when a proposal is defeated is {times(points, 'point')}. {BEFORE}",
        f"set defeat.points to {-points}\nprevails over everything on defeat.points",
    )


def milestone(proposals: int = 3, points: int = 20) -> LibraryRule:
    """Pay players for every so many of their proposals that were adopted.

    Parameters
    ----------
    proposals : int
        From 2 to 100.
    points : int
        From 1 to 1000.

    Examples
    --------
    >>> print(milestone(2, 9).wording)
    Every 2nd proposal of the same proponent that is adopted brings the proponent 9 points. Those of the whole game
    count.
    """
    whole("a count of proposals", proposals, 2, 100)
    whole("a bonus", points, 1, 1000)
    often = every(proposals, "proposal")
    return LibraryRule(
        f"{times(points, 'point')} for {often} adopted",
        f"{often[0].upper()}{often[1:]} of the same proponent that is adopted brings the proponent "
        f"{times(points, 'point')}. Those of the whole game count.",
        'on adopted when count(q for q in proposals if q.author == proponent and q.status in ["adopted", "waiting", '
        f'"without effect"]) % {proposals} == 0: award {points} points to proponent',
    )


def several_proposals(more: int = 1) -> LibraryRule:
    """Have everyone make more than one proposal in a turn.

    Parameters
    ----------
    more : int
        How many beyond the first, from 1 to 9.

    Examples
    --------
    >>> print(several_proposals().law)
    on part_begun when part == "proposal": oblige player to propose
    """
    whole("a count of proposals", more, 1, 9)
    return LibraryRule(
        f"{times(more, 'proposal')} more in a turn",
        f"In each turn the player makes {times(more, 'rule-change proposal')} more than before, each with a vote of "
        "its own, before the next part of the turn begins.",
        'on part_begun when part == "proposal": ' + "; ".join(["oblige player to propose"] * more),
    )


def ritual(phrase: str = "Long live the rules", points: int = 2) -> LibraryRule:
    """Have everyone say something in their turn before they propose, or lose points.

    Parameters
    ----------
    phrase : str
        At most 60 letters; it is to be said in these words (`Game.say`), capitals and an end stop aside.
    points : int
        From 1 to 1000.

    Examples
    --------
    >>> print(ritual("Hear me", 1).law)
    track said_hear_me per player from 0
    on turn_begun: put said_hear_me of player at 0
    on said when text == "Hear me": put said_hear_me of player at 1
    on proposed when player.said_hear_me == 0: award -1 points to player
    """
    phrase = text("a phrase", phrase)
    whole("a penalty", points, 1, 1000)
    mark = f"said_{slug(phrase)}"
    return LibraryRule(
        f"Say “{phrase}” first",
        f"Whoever makes a proposal without having said “{phrase}” in the same turn, and in these words, loses "
        f"{times(points, 'point')}. Once said, it is good for the whole turn.",
        f"track {mark} per player from 0\n"
        f"on turn_begun: put {mark} of player at 0\n"
        f'on said when text == "{phrase}": put {mark} of player at 1\n'
        f"on proposed when player.{mark} == 0: award -{points} points to player",
    )


def later_effect(when: str = "turn ended") -> LibraryRule:
    """Let adopted changes take effect later.

    Parameters
    ----------
    when : str
        ``turn ended`` or ``circuit ended``.

    Examples
    --------
    >>> print(later_effect("circuit ended").title)
    In effect once the circuit is over
    """
    one_of("the time at which changes take effect", when, ("turn ended", "circuit ended"))
    what = when.partition(" ")[0]
    return LibraryRule(
        f"In effect once the {what} is over",
        f"A rule-change that is adopted takes effect at the end of the {what}, and not before. {BEFORE}",
        f'set change.effective to "{when}"\nprevails over everything on change.effective',
        "the rule that says when changes take effect",
    )
