"""Ready-made rules on dice: which are thrown, how many, what they bring."""

from __future__ import annotations

from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, every, times, whole


def committed_dice(penalty: int = 10) -> LibraryRule:
    """Let throws be drawn from what all present seal and reveal, so that nobody has to trust anybody.

    Parameters
    ----------
    penalty : int
        What it costs to seal and not to reveal, from 0 to 1000 points: whoever reveals last knows the throw
        beforehand, and could otherwise have it made again at no cost.

    Examples
    --------
    >>> print(committed_dice(0).title)
    Dice that need no trust
    """
    whole("a penalty", penalty, 0, 1000)
    costs = f"; it costs that player {times(penalty, 'point')}" if penalty else ""
    law = [
        'set dice.source to "committed"',
        "set dice.sealed_by to [p for p in seats if p.present]",
        'set dice.unrevealed to "again"',
    ]
    if penalty:
        law.append(f'on overdue when owed == "reveal": award -{penalty} points to player')
    return LibraryRule(
        "Dice that need no trust",
        "Every player who is present seals a value for each throw, and reveals it once all have sealed. The throw "
        "is drawn from all that is revealed. If it is recorded that a player who has sealed does not reveal, the "
        f"throw is sealed again, without that player as long as two are left{costs}.",
        "\n".join(law),
    )


def more_dice(dice: int = 1) -> LibraryRule:
    """Throw more dice in every turn.

    Parameters
    ----------
    dice : int
        How many more, from 1 to 20.

    Examples
    --------
    >>> print(more_dice(2).title)
    2 dice more
    """
    whole("a count of dice", dice, 1, 20)
    said = "1 die" if dice == 1 else f"{dice} dice"
    return LibraryRule(
        f"{said} more",
        f"In the part of a turn in which dice are thrown, the player throws {said} more, in one throw of its own. It "
        "brings what any throw brings.",
        'on part_begun when part == "throw": '
        f"roll {dice} of dice.sides as face by player; award throw.points to player",
    )


def unlucky_face(face: int = 1, points: int = 5) -> LibraryRule:
    """Let a throw of a certain number cost points.

    Parameters
    ----------
    face : int
        From 1 to 1000.
    points : int
        From 0 to 1000.

    Examples
    --------
    >>> print(unlucky_face(6, 0).wording)
    A throw that shows 6 brings nothing and costs 0 points. On this point it goes before every other rule.
    """
    whole("a face", face, 1, 1000)
    whole("a price", points, 0, 1000)
    return LibraryRule(
        f"A {face} costs {times(points, 'point')}",
        f"A throw that shows {face} brings nothing and costs {times(points, 'point')}. {BEFORE}",
        f"set throw.points to {-points} while face == {face}\nprevails over everything on throw.points",
    )


def double_points(often: int = 3) -> LibraryRule:
    """Double what throws and scores bring, every so many circuits.

    Parameters
    ----------
    often : int
        In every circuit that this number divides, from 2 to 100.

    Examples
    --------
    >>> print(double_points(5).title)
    Double points in every 5th circuit
    """
    whole("a count of circuits", often, 2, 100)
    when = every(often, "circuit")
    return LibraryRule(
        f"Double points in {when}",
        f"In {when} of the game, a throw brings twice what the dice show. Where proposals are scored, what a proposal "
        f"scores then is added twice. {BEFORE}",
        f"set throw.points to 2 * face while circuit % {often} == 0\nprevails over everything on throw.points\n"
        'on part_begun each proposal in [q for q in proposals if q.turn == own_turn and q.status != "lapsed"]\n'
        f'    when part == "score" and circuit % {often} == 0: '
        "award rounded(proposal.score) points to player",
    )
