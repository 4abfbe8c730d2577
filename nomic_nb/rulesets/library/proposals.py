"""Ready-made rules on proposals: their form, their number, what they bring and cost."""

from __future__ import annotations

from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, every, one_of, slug, text, times, whole


def dissent_bonus(points: int = 10) -> LibraryRule:
    """Pay whoever votes against a proposal that is adopted. Made to amend the rule that pays them already.

    Parameters
    ----------
    points : int
        How many, from -1000 to 1000.

    Examples
    --------
    >>> print(dissent_bonus(5).title)
    5 points for dissent
    """
    whole("a bonus", points, -1000, 1000)
    return LibraryRule(
        f"{times(points, 'point')} for dissent",
        f"Whoever votes against a proposal that is adopted all the same gets {times(points, 'point')} for it.",
        f"set dissent.points to {points}\non adopted: award dissent.points to opponents",
        "the rule on votes against what is adopted",
    )


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


def bonus_for_adopted(points: int = 5) -> LibraryRule:
    """Pay proponents for what is adopted.

    Parameters
    ----------
    points : int
        From 1 to 1000.

    Examples
    --------
    >>> print(bonus_for_adopted(3).law)
    on adopted: award 3 points to proponent
    """
    whole("a bonus", points, 1, 1000)
    return LibraryRule(
        f"{times(points, 'point')} for an adopted proposal",
        f"The proponent of a proposal that is adopted gets {times(points, 'point')}.",
        f"on adopted: award {points} points to proponent",
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


def length_limit(words: int = 60, points: int = 5) -> LibraryRule:
    """Make long proposals cost points.

    Parameters
    ----------
    words : int
        How many are free, from 1 to 1000.
    points : int
        What a longer one costs, from 1 to 1000.

    Examples
    --------
    >>> print(length_limit(40, 3).title)
    At most 40 words, or lose 3 points
    """
    whole("a count of words", words, 1, 1000)
    whole("a penalty", points, 1, 1000)
    return LibraryRule(
        f"At most {times(words, 'word')}, or lose {times(points, 'point')}",
        f"Whoever proposes a rule-change whose wording has more than {times(words, 'word')} loses "
        f"{times(points, 'point')}. The proposal is voted on all the same.",
        f"on proposed when change.length > {words}: award -{points} points to player",
    )


def needed_word(word: str = "please", points: int = 5) -> LibraryRule:
    """Make proposals that lack a word cost points.

    Parameters
    ----------
    word : str
        At most 60 letters; small and capital ones are the same here.
    points : int
        From 1 to 1000.

    Examples
    --------
    >>> print(needed_word("cheese", 2).wording)
    A new or an amended rule is to have “cheese” somewhere in its title or wording. Whoever proposes one without it
    loses 2 points. The proposal is voted on all the same.
    """
    word = text("a word", word)
    whole("a penalty", points, 1, 1000)
    return LibraryRule(
        f"Say “{word}”, or lose {times(points, 'point')}",
        f"A new or an amended rule is to have “{word}” somewhere in its title or wording. Whoever proposes one "
        f"without it loses {times(points, 'point')}. The proposal is voted on all the same.",
        f'on proposed when change.kind in ["enact", "amend"] and not mentions(change, "{word}"): '
        f"award -{points} points to player",
    )


def ritual(phrase: str = "Long live the rules", points: int = 2) -> LibraryRule:
    """Have everyone say something in their turn before they propose, or lose points.

    Parameters
    ----------
    phrase : str
        At most 60 letters; it is to be said exactly as it is (`Game.say`).
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
        f"Whoever makes a proposal without having said “{phrase}” in the same turn, and in just these words, loses "
        f"{times(points, 'point')}. Once said, it is good for the whole turn.",
        f"track {mark} per player from 0\n"
        f"on turn_begun: put {mark} of player at 0\n"
        f'on said when text == "{phrase}": put {mark} of player at 1\n'
        f"on proposed when player.{mark} == 0: award -{points} points to player",
    )


def compulsory_debate() -> LibraryRule:
    """Have everybody else speak about a proposal before the vote on it is called.

    Examples
    --------
    >>> print(compulsory_debate().wording)
    Once a rule-change is proposed, every other player says something on it. Not before all have done so may its
    proponent call the vote.
    """
    return LibraryRule(
        "Debate before every vote",
        "Once a rule-change is proposed, every other player says something on it. Not before all have done so may "
        "its proponent call the vote.",
        "track spoke per player from 0\n"
        "on proposed: put spoke of players at 0; oblige [p for p in seats if p != player] to say\n"
        "on said: put spoke of player at 1\n"
        "forbid call_vote when any(p.spoke == 0 for p in seats if p != proponent)",
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
