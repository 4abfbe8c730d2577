"""Values: made once, never changed, and the same where all in them is the same."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, field, replace

import pytest

from nomic_nb.engine.frozen import frozen


@frozen
class Place:
    file: int
    rank: int = 1
    why: str = field(default="", compare=False)
    marks: Mapping[str, int] = field(default_factory=dict, hash=False)


@frozen
class Square(Place):
    colour: str = "white"


@frozen(eq=False)
class Thing:
    name: str


def test_two_are_the_same_where_what_counts_in_them_is():
    assert Place(1) == Place(1, 1, "else") != Place(1, 2)
    assert hash(Place(1)) == hash(Place(1, 1, "else", {"a": 1}))
    assert Place(1) != Place(1, marks={"a": 1})
    assert Square(1) != Place(1)
    assert Thing("hat") != Thing("hat")
    assert "hat" not in repr(Thing("hat"))


def test_none_changes_but_another_can_be_made():
    place = Square(1, colour="black")
    with pytest.raises(FrozenInstanceError, match="a Square can’t be changed"):
        place.rank = 2
    with pytest.raises(FrozenInstanceError, match="a Square can’t be changed"):
        del place.rank
    assert replace(place, rank=2) == Square(1, 2, colour="black")


def test_what_is_missing_is_told_by_its_name():
    with pytest.raises(TypeError, match=r"Place.__init__\(\) missing 1 required positional argument: 'file'"):
        Place()


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy])
def test_a_copy_is_the_same(again):
    assert again(Square(1, 2, "here", {"a": 1}, "black")) == Square(1, 2, "here", {"a": 1}, "black")


def test_what_can_be_changed_is_not_shared_by_all():
    with pytest.raises(TypeError, match="seen would be the same list in all values"):

        @frozen
        class Seen:
            seen: list[int] = field(default_factory=list)


def test_what_has_to_be_given_stands_first():
    with pytest.raises(TypeError, match="second has to be given, and stands behind what has not"):

        @frozen
        class Pair:
            first: int = 1
            second: int


def test_a_copy_of_a_class_made_of_it_is_of_that_class():
    class Edge(Square):
        pass

    assert type(copy.copy(Edge(1))) is Edge
