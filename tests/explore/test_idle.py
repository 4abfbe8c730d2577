"""Rules that would do nothing are remarked upon before they are made, and rules that do something are not."""

import pytest
from make_a_rule_helpers import begun

import nomic_nb as nb

ONE = "Zaphod:1"


def told(law, universe=""):
    """What a review says of a rule that makes no difference."""
    game = begun(3)
    found = game.review("Ann", nb.enact("So be it.", law, universe=universe))
    return [one.evidence for one in found.smells if one.name == "no difference"]


@pytest.mark.parametrize("universe", ["", ONE])
@pytest.mark.parametrize(
    ("law", "why"),
    [
        ('piece N moves "N"', "change no term in any case that was looked at (piece.moves)"),
        ('piece N moves "N" while circuit > 3', "even where circuit > 3"),
        ("set capture.from to army.rivals", "change no term in any case that was looked at (capture.from)"),
        ('piece N moves "NK" while circuit < 1', "never applies: circuit < 1 is so in no circuit from now on"),
        ("set castling.on to false while turn == 0 and circuit > 0", "turn == 0 is so in no turn from now on"),
        ('on moved when turn % 2 == 3: promote piece to "N"', "(turn % 2) == 3 is so in no turn from now on"),
        ('on thrown when face == 7: promote army_named("white").pieces to "N"', "no rule has anybody throw"),
        ('on skipped: promote army_named("white").pieces to "N"', "no rule allows to pass over the rest of one's turn"),
        ('piece Z moves "Q"', "speaks of pieces Z, and there are none"),
        ('forbid move when piece.kind == "Z"', "speaks of pieces Z, and there are none"),
        ('on captured when piece.kind == "Z": convert piece to army_named("white")', "speaks of pieces Z"),
    ],
)
def test_what_does_nothing(law, universe, why):
    assert any(why in one for one in told(law, universe))


@pytest.mark.parametrize("universe", ["", ONE])
@pytest.mark.parametrize(
    "law",
    [
        'piece N moves "NK"',
        'piece N moves otherwise + "C"',
        'piece N moves "NK" while circuit == 150',
        'piece N moves "NK" while circuit % 5 == 0',
        'piece N moves "NK" while army.name == "green"',
        "set castling.on to false",
        "set capture.from to []",
        'forbid move when piece.kind == "N"',
        (
            'on moved when piece.kind == "P": roll 1 of 6 as luck; when luck == 6: promote piece to "N"\n'
            'on thrown when face == 6: promote army_named("white").pieces to "N"'
        ),
        f'on turn_ended: place "Z" of army_named("white") at square_named("{ONE}.e4")\npiece Z moves "Q"',
        'set promotion.kinds to ["Z", "Q"]\npiece Z moves "C"',
    ],
)
def test_what_does_something(law, universe):
    assert told(law, universe) == []
