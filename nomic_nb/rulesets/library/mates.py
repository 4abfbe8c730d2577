"""Ready-made rules on kings: which pieces are royal, what check and mate mean, who gets an army."""

from __future__ import annotations

from nomic_nb.rulesets.library.chess import kinds_of, listed, many, written
from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, times, whole

PUSHED = "the rule on check when boards are pushed together"


def royal_kinds(kinds: str = "KQ") -> LibraryRule:
    """Say which kinds are royal: those that are in check, and mated.

    Parameters
    ----------
    kinds : str
        Their capital letters, from one to ten.

    Examples
    --------
    >>> print(royal_kinds("N").wording)
    Knights are royal, and no other pieces: what the rules say of kings in check and of mate holds for each of them.
    """
    kinds = kinds_of("the royal kinds", kinds)
    names = listed([many(kind) for kind in kinds], "and")
    names = names[0].upper() + names[1:]
    return LibraryRule(
        f"{names} are royal",
        f"{names} are royal, and no other pieces: what the rules say of kings in check and of mate holds for each of "
        "them.",
        f"set royal.kinds to {written(kinds)}",
        "the rule that players made on royal pieces, where there is one",
    )


def kings_are_captured() -> LibraryRule:
    """Do away with check: a king is captured like other pieces, and his army is mated by that.

    Examples
    --------
    >>> print(kings_are_captured().title)
    Kings are captured
    """
    return LibraryRule(
        "Kings are captured",
        "Nobody has to defend a king in check, and a king who is found in check when boards are pushed together is not "
        "mated by that. Royal pieces can be captured like any others, and an army whose last royal piece is captured "
        f"is mated; whoever captures it takes the army over. {BEFORE}",
        'set royal.capture to "mate"\nset check.own_on_push to "may stay"\nset check.enemy_on_push to "nothing"\n'
        "prevails over everything on royal.capture\nprevails over everything on check.own_on_push\n"
        "prevails over everything on check.enemy_on_push",
        PUSHED,
    )


def no_mate_by_pushing() -> LibraryRule:
    """Let a hostile king in check not be mated by pushing boards together.

    Examples
    --------
    >>> print(no_mate_by_pushing().law)
    set check.enemy_on_push to "nothing"
    prevails over everything on check.enemy_on_push
    """
    return LibraryRule(
        "Nobody is mated by pushing boards",
        "If a hostile king is found in check when boards are pushed together, nothing follows from that: his own "
        f"player still has a turn to defend him. {BEFORE}",
        'set check.enemy_on_push to "nothing"\nprevails over everything on check.enemy_on_push',
        PUSHED,
    )


def mate_at_once() -> LibraryRule:
    """Look for mate after every move, on the boards that were pushed together for it.

    Examples
    --------
    >>> print(mate_at_once().law)
    set mate.tested to "after move"
    """
    return LibraryRule(
        "Mate at once",
        "If a move puts a hostile king in check, and his army has no answer on the two half-boards that were pushed "
        "together for it, the army is mated at once. Its own turn is not waited for.",
        'set mate.tested to "after move"',
    )


def mate_goes_to_the_checker() -> LibraryRule:
    """Give a mated army to whoever gives the check.

    Examples
    --------
    >>> print(mate_goes_to_the_checker().law)
    set mate.captor to item(checkers, 1).controller
    """
    return LibraryRule(
        "Armies go to whoever gives check",
        "A mated army goes to the player who controls the piece that gives check, whoever pushed the boards together; "
        "if there are several, to the controller of the army among them that moved last.",
        "set mate.captor to item(checkers, 1).controller",
    )


def checks_count(checks: int = 3) -> LibraryRule:
    """Let an army go to whoever puts it in check for the last time that it can stand.

    Parameters
    ----------
    checks : int
        How often, from 1 to 100.

    Examples
    --------
    >>> print(checks_count(5).title)
    5 checks bring an army
    """
    whole("a count of checks", checks, 1, 100)
    return LibraryRule(
        f"{times(checks, 'check')} bring an army",
        "It is counted how often each army is put in check by moves. With check number "
        f"{checks} it goes over to the player whose move gives it, and its count begins anew.",
        "track checks per army from 0\n"
        "on checked: award 1 checks to army\n"
        f"on checked each p in [mover] when army.checks >= {checks} and army.controller != p: give army to p; "
        "put checks of army at 0",
    )


def price_of_check() -> LibraryRule:
    """Let whoever is put in check make a piece smaller.

    Examples
    --------
    >>> print(price_of_check().title)
    Check costs a step
    """
    can = "[p for p in army.pieces if p in demotable(army.controller)]"
    return LibraryRule(
        "Check costs a step",
        "When a move puts an army in check, its player chooses one of its pieces, which becomes the next weaker one, "
        "by the steps that there are for promotion, or leaves the boards if there is none. Royal pieces cannot be "
        "chosen.",
        f"on checked when army.controller.playing and count({can}) >= 1: let army.controller choose lowered from "
        f"{can}; demote lowered",
    )


def bare_kings_fall(left: int = 1) -> LibraryRule:
    """Let an army that has hardly anything left go to whoever captures from it.

    Parameters
    ----------
    left : int
        Up to so many pieces are too few, from 1 to 15.

    Examples
    --------
    >>> print(bare_kings_fall().wording)
    An army of which a capture leaves at most 1 piece goes over at once to the player who makes the capture.
    """
    whole("a count of pieces", left, 1, 15)
    return LibraryRule(
        f"Armies of {times(left, 'piece')} fall",
        f"An army of which a capture leaves at most {times(left, 'piece')} goes over at once to the player who makes "
        "the capture.",
        f"on captured when count(captured_from.pieces) <= {left} and captured_from.controller != player:\n"
        "    give captured_from to player",
    )
