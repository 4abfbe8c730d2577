"""One budget of steps for an action, and what reviews and documents say of it."""

from __future__ import annotations

from play_helpers import sit
from study.warned import told, warned

import nomic_nb as nb

LONG = "any(p == -{} for p in numbers(1, 9900))"
COSTLY = "\n".join(
    ["on thrown: " + "; ".join(["award 1 points to playing"] * 4)]
    + [f"on counted when {LONG.format(at)}: award 50 points to player" for at in range(60)]
)


def test_the_review_says_so_before_the_vote():
    game = sit()
    long = game.review("Ann", nb.enact("Whoever counts, counts long.", law=COSTLY))
    assert told(long, "paradox") == [("steps-too-many", {"rule": 301, "most": 250_000})]
    fewer = COSTLY.replace("9900", "5")
    assert told(game.review("Ann", nb.enact("Short.", law=fewer)), "paradox") == []


def test_the_review_tries_once_what_would_set_itself_off_for_ever():
    game = sit()
    more = "on thrown: award 1 points to player\non counted when amount != 0: award 1 points to player"
    found = game.review("Ann", nb.enact("More and more.", law=more))
    assert warned(found, "effects-endless", what="rule 301 triggers itself forever")
