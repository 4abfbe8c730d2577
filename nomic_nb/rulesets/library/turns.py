"""Ready-made rules on turns: in which order, extra ones, missed ones."""

from __future__ import annotations

from nomic_nb.rulesets.library.making import LibraryRule, slug, text


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
        "else has begun one, once for each report. On this point it goes before every other rule.",
        f"track {mark} per player from 0\n"
        f'on deed when name == "{deed}": award 1 {mark} to player\n'
        f"forbid begin_turn when player.{mark} > 0\n"
        "prevails over everything on may.begin_turn\n"
        f"on passed_over when player.{mark} > 0: award -1 {mark} to player\n"
        f'on turn_begun each p in [q for q in seats if q.{mark} > 0] when turn.start == "at will" and p != player: '
        f"award -1 {mark} to p",
    )
