"""A clause that is refused, on boards."""

from __future__ import annotations

import pytest
from make_a_rule_helpers import begun
from play_helpers import sit

import nomic_nb as nb
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.play.lawmaking import check_change


@pytest.fixture(scope="module")
def state():
    return sit().state


def refused(state, law):
    with pytest.raises(LawError) as found:
        check_change(state, nb.enact("A rule.", law=law))
    return found.value


@pytest.mark.parametrize(
    ("law", "expected", "example"),
    [
        ("set\u00a0win.points to 50", "an ordinary space instead of U+00A0", "set vote.quota"),
        ("set win.points to −50", "- instead of −", "set vote.quota"),
        ("set win.points to 5 × 3", "* instead of ×", "set vote.quota"),
        ("set vote.quota to 1 while turn ≥ 3", ">= instead of ≥", "set vote.quota"),
        ("set win.points to 1,000", "1000, without separators between the digits", "set vote.quota"),
        ("set win.points to 1\u202f000\u202f000", "1000000, without separators", "set vote.quota"),
        ("set win.points to 1 000", "1000, without separators", "set vote.quota"),
        ("set vote.quota to 50%", "majority(vote.electorate) for more than half", "set vote.quota"),
        ("set vote.quota to 66 % * 3", "66/100 for 66%", "set vote.quota"),
        ("on turn_begun: announce “hello”", '" instead of “', 'on turn_begun: announce'),
        ("Set win.points to 50", "set, in small letters", "set vote.quota"),
        ("set Win.Points to 50", "win.points, in small letters", "set vote.quota"),
        ("on Adopted: award 5 points to proponent", "adopted, in small letters", "on thrown when"),
        ("on adopted: Award 5 points to proponent", "award, in small letters", "on adopted: award 5 points"),
        ("on adopted: award 5 Points to proponent", "points, in small letters", "on adopted: award"),
        ("on adopted: award 5 points to Proponent", "proponent, in small letters", "on adopted: award"),
        ("on adopted: award 5 points to Anne", '"Anne", in quotation marks', "on adopted: award"),
        ("on adopted: award five points to proponent", "5", "on adopted: award 5 points to proponent"),
        ("on adopted: proponent gets 5 points", "award", "on adopted: award 5 points to proponent"),
        ("on turn_begun: lose 1 points", "award", "on turn_begun: award -5 points to player"),
        ("on turn_begun: player wins", "put points of player", "on turn_begun: put points of player at win.points"),
        ("on turn_begun: award 1 points to all players", "playing, for everyone", "on turn_begun: award"),
        ("on turn_begun: award 1 points to player and mover", "[player, mover], a list", "on turn_begun: award"),
        ("on thrown: if face == 6: award 1 points to player", "when", "on thrown: when player.points > 9"),
        ("on thrown if face == 6: award 1 points to player", "when", "on thrown when face == 6"),
        ("on turn_ended: when turn > 3: let player choose foe from players; award -1 points to foe",
         "brackets around all effects that use foe", "on turn_ended: award"),
        ("on turn_ended: repeal rule 203", "rule_numbered(203)", "on turn_ended: repeal"),
        ("on turn_ended: repeal 203", "rule_numbered(203)", "on turn_ended: repeal"),
        ("set throw.points to max(0, face)", "a list, in square brackets: max([…, …])", "set vote.quota"),
        ("set dice.sides to 8.", "nothing, because a clause has no punctuation at the end", "set vote.quota"),
        ("set dice.sides to 8;", "nothing, because a clause has no punctuation at the end", "set vote.quota"),
        ("prevails over rule 203", "the number alone, such as 203", "prevails over 203"),
        ("prevails over all", "everything", "prevails over 203"),
        ("track Coins per player from 0", "coins, in small letters", "track coins per player from 0"),
        ("nobody may talk", "forbid", "forbid propose"),
        ("everybody may rest", "offer", 'offer "rest"'),
        ("forbid move when piece == queen", "", 'forbid move when piece.kind == "K"'),
        ("Knights jump twice as far", "piece N moves", 'piece N moves otherwise + "C"'),
        ("award 5 points to player", "on EVENT", "on turn_ended: award"),
        ("set dice.sides to 8\n    while circuit > 2\non Adopted: end turn", "adopted, in small letters", "on thrown"),
        ('draft soon: "Soon."\n    Set dice.sides to 8', "set, in small letters", "set vote.quota"),
    ],
)  # fmt: skip
def test_what_is_meant_is_said_with_an_example(state, law, expected, example):
    if "piece" in example:
        state = sit(system="nomic-chess").state
    error = refused(state, law)
    assert expected in error.expected
    assert error.example.startswith(example)
    assert str(error).endswith(f"\n    for example: {error.example}")


def test_where_nothing_is_tracked_the_example_tracks_it():
    with pytest.raises(LawError) as found:
        check_change(begun(3).state, nb.enact("A rule.", law="on captured: award 1 points to player"))
    assert found.value.example == "track points per player from 0"
    check_change(
        begun(3).state, nb.enact("A rule.", law=f"{found.value.example}\non captured: award 1 points to player")
    )
