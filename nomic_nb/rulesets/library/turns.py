"""Ready-made rules on turns: in which order, extra ones, missed ones."""

from __future__ import annotations

from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, slug, text, whole

ORDER = "the rule on taking turns"


def reverse_order() -> LibraryRule:
    """Let turns go round the other way.

    Examples
    --------
    >>> print(reverse_order().law)
    set turn.sequence to reversed(seats)
    prevails over everything on turn.sequence
    """
    return LibraryRule(
        "Turns go round the other way",
        f"After each player's turn comes the turn of the player who sits before, and not after. {BEFORE}",
        "set turn.sequence to reversed(seats)\nprevails over everything on turn.sequence",
    )


def there_and_back() -> LibraryRule:
    """Let turns go round one way in one circuit, and the other way in the next.

    Examples
    --------
    >>> print(there_and_back().title)
    Turns change direction with every circuit
    """
    return LibraryRule(
        "Turns change direction with every circuit",
        "In circuits with an odd number turns go round in the order of the seats, in those with an even number the "
        "other way. A circuit goes on from whoever had the last turn, so everyone still has one turn in it. " + BEFORE,
        "set turn.sequence to (reversed(seats) if circuit % 2 == 0 else seats)\n"
        "prevails over everything on turn.sequence",
    )


def random_order() -> LibraryRule:
    """Draw a new order of turns for every circuit.

    Examples
    --------
    >>> print(random_order().law.splitlines()[1])
    set turn.sequence to ordered(seats, [p.lot for p in seats])
    """
    return LibraryRule(
        "Lots for the order of turns",
        "When this rule is enacted, and again at the end of every circuit, a number from 1 to 100 is drawn for each "
        "player. Turns go round from the lowest number to the highest; equal numbers stay in the order of the seats. "
        f"A circuit goes on from whoever had the last turn. {BEFORE}",
        "track lot per player from 0\n"
        "set turn.sequence to ordered(seats, [p.lot for p in seats])\n"
        "prevails over everything on turn.sequence\n"
        "on enacted each p in seats when rule == this: roll 1 of 100 as drawn; put lot of p at drawn\n"
        "on circuit_ended each p in seats: roll 1 of 100 as drawn; put lot of p at drawn",
    )


def extra_turn(face: int = 6) -> LibraryRule:
    """Give whoever throws a certain number another turn. Only where dice are thrown and turns begin by themselves.

    Parameters
    ----------
    face : int
        From 1 to 1000.

    Examples
    --------
    >>> print(extra_turn(5).wording)
    Whoever throws a 5 has another turn as soon as this one is over, before the order of turns goes on. On this point
    it goes before every other rule.
    """
    whole("a face", face, 1, 1000)
    return LibraryRule(
        f"Another turn for a {face}",
        f"Whoever throws a {face} has another turn as soon as this one is over, before the order of turns goes on. "
        + BEFORE,
        "track extra_turns per player from 0\n"
        "set turn.next to [p for p in seats if p.extra_turns > 0]\n"
        "prevails over everything on turn.next\n"
        "on turn_begun when player.extra_turns > 0: award -1 extra_turns to player\n"
        f"on thrown when face == {face} and player != none: award 1 extra_turns to player",
    )


def missed_turn(deed: str = "dawdling") -> LibraryRule:
    """Let whoever is reported for a deed miss a turn.

    Parameters
    ----------
    deed : str
        What is not to be done; at most 60 letters (`Game.report`).

    Examples
    --------
    >>> print(missed_turn("whistling").title)
    A turn lost for whistling
    """
    deed = text("a deed", deed)
    mark = f"missing_{slug(deed)}"
    return LibraryRule(
        f"A turn lost for {deed}",
        f"Each time a player is reported for {deed}, that player's next turn is passed over, once for each report. "
        "Anyone may report it. Where players begin turns when they like, the player may not begin one until somebody "
        "else has begun one, once for each report.",
        f"track {mark} per player from 0\n"
        f'on deed when name == "{deed}": award 1 {mark} to player\n'
        f"forbid begin_turn when player.{mark} > 0\n"
        f"on passed_over when player.{mark} > 0: award -1 {mark} to player\n"
        f'on turn_begun each p in [q for q in seats if q.{mark} > 0] when turn.start == "at will" and p != player: '
        f"award -1 {mark} to p",
    )


def passing() -> LibraryRule:
    """Let players pass over the rest of their turn.

    Examples
    --------
    >>> print(passing().law)
    allow skip
    prevails over everything on may.skip
    """
    return LibraryRule(
        "Passing is allowed",
        f"In their own turn players may pass over what is left of it, as long as no vote is under way. {BEFORE}",
        "allow skip\nprevails over everything on may.skip",
    )
