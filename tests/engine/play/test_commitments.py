"""Commitments: bound to what they are for, and throws that follow from all reveals alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.play.dice import (
    LONGEST_VALUE,
    SealingRound,
    SealOpening,
    check_hex,
    check_sealable_value,
    commitment_hash,
    draw_from_reveals,
    new_opening,
)

nonces = st.binary(min_size=32, max_size=32).map(bytes.hex)
openings = st.builds(SealOpening, st.text(min_size=1, max_size=LONGEST_VALUE), nonces)
names = st.text(min_size=1, max_size=20)
digests = st.binary(min_size=32, max_size=32).map(bytes.hex)
tables = st.dictionaries(names, openings, min_size=1, max_size=6)


def fixed(number: int) -> SealOpening:
    return SealOpening("4", f"{number:064x}")


@examples(30)
@given(game=digests, number=st.integers(1, 2**40), seat=names, one=openings, other=openings, more=names)
def test_a_commitment_fits_one_value_in_one_place(game, number, seat, one, other, more):
    made = commitment_hash(game, number, seat, one)
    check_hex("commitment", made)
    assert (commitment_hash(game, number, seat, other) == made) is (one == other)
    assert (commitment_hash(game, number, more, one) == made) is (more == seat)
    assert commitment_hash(game, number + 1, seat, one) != made
    assert commitment_hash(made, number, seat, one) != made
    assert (commitment_hash(game, number, seat, replace(one, nonce=other.nonce)) == made) is (one.nonce == other.nonce)
    assert (commitment_hash(game, number, seat, replace(one, value=other.value)) == made) is (one.value == other.value)


@examples(30)
@given(
    game=digests,
    reveals=tables,
    dice=st.integers(1, 4),
    sides=st.integers(1, 1000),
    random=st.randoms(),
    other=openings,
)
def test_the_order_of_reveals_makes_no_difference_and_each_of_them_does(game, reveals, dice, sides, random, other):
    first = draw_from_reveals(game, SealingRound(9, tuple(reveals), {}, reveals), dice, sides)
    order = list(reveals)
    random.shuffle(order)
    assert (
        draw_from_reveals(game, SealingRound(9, tuple(order), {}, {name: reveals[name] for name in order}), dice, sides)
        == first
    )
    assert len(first[1]) == dice
    assert all(1 <= face <= sides for face in first[1])
    for name, one in reveals.items():
        changed = draw_from_reveals(game, SealingRound(9, tuple(reveals), {}, {**reveals, name: other}), dice, sides)
        assert (changed[0] == first[0]) is (one == other)
    assert draw_from_reveals(game, SealingRound(10, tuple(reveals), {}, reveals), dice, sides)[0] != first[0]


@pytest.mark.parametrize("sides", [2, 3, 6, 20])
def test_whatever_the_others_reveal_the_faces_of_one_fresh_nonce_are_even(sides):
    """Chi-square of 6,000 throws, of which one player's nonce differs; the bound is passed once in 100,000."""
    count = 6_000
    held = {"Ann": SealOpening("6", "0" * 64), "Cleo": SealOpening("6", "f" * 64)}
    faces = Counter(
        draw_from_reveals("", SealingRound(1, (), {}, {**held, "Ben": fixed(at)}), 1, sides)[1][0]
        for at in range(count)
    )
    chance = count / sides
    unlikely = {2: 19.5, 3: 23.0, 6: 30.9, 20: 58.7}[sides]
    assert sum((faces[face] - chance) ** 2 / chance for face in range(1, sides + 1)) < unlikely
    assert set(faces) == set(range(1, sides + 1))


def test_who_owes_what_in_a_round():
    round = SealingRound(3, ("Ann", "Ben"))
    assert (round.action_owed, round.players_awaited) == ("seal", ("Ann", "Ben"))
    round = replace(round, seals={"Ben": "b"})
    assert (round.action_owed, round.players_awaited) == ("seal", ("Ann",))
    round = replace(round, seals={"Ben": "b", "Ann": "a"})
    assert (round.action_owed, round.players_awaited) == ("reveal", ("Ann", "Ben"))
    assert round.without_player("Ann") == SealingRound(3, ("Ben",), {"Ben": "b"})
    round = replace(round, reveals={"Ann": fixed(1), "Ben": fixed(2)})
    assert (round.action_owed, round.players_awaited) == ("", ())


def test_nonces_are_drawn_anew_and_values_where_none_are_given():
    made = [new_opening() for _ in range(20)]
    assert len({one.nonce for one in made}) == 20
    assert len({one.value for one in made}) > 1
    assert new_opening(4).value == "4"
    assert new_opening("blue").value == "blue"


@pytest.mark.parametrize("value", ["", "  ", "x" * (LONGEST_VALUE + 1), "a\u200bb"])
def test_values_that_cannot_be_sealed(value):
    with pytest.raises((nb.IllegalAction, nb.LawError)):
        check_sealable_value(value)
    with pytest.raises((nb.IllegalAction, nb.LawError)):
        new_opening(value)


@pytest.mark.parametrize("value", [True, 1.5, ["4"], b"4"])
def test_values_are_texts_or_whole_numbers(value):
    with refused("sealed-value-kind", TypeError):
        new_opening(value)


@pytest.mark.parametrize("text", ["", "ab", "g" * 64, "A" * 64, "a" * 65, "a" * 64 + "\n"])
def test_what_is_no_hash(text):
    with refused("not-hexadecimal"):
        check_hex("nonce", text)
