"""What anybody gets, as rules have it: capped, scaled, rounded, blocked, sent elsewhere (`counter.value`)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from play_helpers import by_hand, law, refused, sit

import nomic_nb as nb

GO = 'on said when text == "go": '


def coins(game):
    return {name: int(has) for name, has in game.counters["coins"].items()}


def withheld(game):
    """By how much less coins changed than they were to."""
    return told(game, "withheld")


def counted(game):
    """By how much coins changed."""
    return told(game, "counted")


def told(game, kind):
    return [
        (event.actor, event.data["amount"]) for event in game.timeline.events
        if event.kind == kind and event.data["counter"] == "coins"
    ]  # fmt: skip


def having(clauses, start=0):
    """A game in which coins are tracked under these clauses."""
    game = sit()
    law(game, f"track coins per player from {start}\n{clauses}")
    return game


@pytest.mark.parametrize(
    ("clause", "gets"),
    [
        ("set counter.value to min([otherwise, 4])", [4, 4, 4]),
        ("set counter.value to was + 2 * amount", [14, 14, 14]),
        ("set counter.value to otherwise + amount", [14, 14, 14]),
        ("set counter.value to was while amount > 0", [0, 0, 0]),
        ('set counter.value to was while player.name == "Ben"', [7, 0, 7]),
        ("set counter.value to rounded(was + amount / 3)", [2, 2, 2]),
        ('set counter.value to otherwise + 1 while counter == "coins"', [8, 8, 8]),
        ('set counter.value to otherwise + 1 while counter == "points"', [7, 7, 7]),
        ("set counter.value to min([otherwise, 10])\nset counter.value to otherwise * 2", [14, 14, 14]),
        ("set counter.value to otherwise * 2\nset counter.value to min([otherwise, 10])", [10, 10, 10]),
    ],
)
def test_what_is_gained_is_what_rules_let_it_be(clause, gets):
    game = having(f"{GO}award 7 coins to seats\n{clause}")
    game.say("Ann", "go")
    assert list(coins(game).values()) == gets
    assert withheld(game) == [(name, 7 - got) for name, got in zip(game.players, gets, strict=True) if got != 7]


def test_what_the_stronger_rule_says_comes_on_top():
    game = having(f"{GO}award 7 coins to seats\nset counter.value to min([otherwise, 5])")
    law(game, 'set counter.value to otherwise + 1 while counter == "coins"')
    game.say("Ann", "go")
    assert set(coins(game).values()) == {5}
    said = str(game.why("counter.value", counter="coins", was=0, amount=7, player="Ann"))
    assert said.index("adds to it: rule 301") < said.index("adds to it: rule 302")


def test_what_is_put_is_judged_as_well_and_a_start_is_not():
    game = having(f"{GO}put coins of seats at 9\nset counter.value to min([otherwise, 3])", start=5)
    assert set(coins(game).values()) == {5}
    game.say("Ann", "go")
    assert set(coins(game).values()) == {3}


def test_what_is_blocked_is_told_and_nobody_answers_to_it():
    game = having(f"{GO}award 7 coins to seats\nset counter.value to was while counter == \"coins\"\n"
                  'on counted when counter == "coins": announce "a gain"')  # fmt: skip
    game.say("Ann", "go")
    assert counted(game) == []
    assert withheld(game) == [("Ann", 7), ("Ben", 7), ("Cleo", 7)]
    assert not [event for event in game.timeline.events if event.kind == "announced"]
    assert "Ann: 7 coins less than otherwise" in game.history["what"].tolist()
    assert {event.cause.rule for event in game.timeline.events if event.kind == "withheld"} == {301}


def test_what_answers_hears_of_what_was_gained_and_not_of_what_was_to_be():
    game = having(f"{GO}award 7 coins to player\nset counter.value to min([otherwise, 4])\n"
                  'on counted when counter == "coins" and amount == 4: announce "four"')  # fmt: skip
    game.say("Ann", "go")
    assert "four" in game.history["what"].tolist() or any("four" in one for one in game.history["what"])


def test_what_goes_beyond_goes_elsewhere():
    game = having(f"track pot per game from 0\n{GO}award 7 coins to player\n"
                  'set counter.value to min([otherwise, 4]) while counter == "coins"\n'
                  'on withheld when counter == "coins": award amount pot to game')  # fmt: skip
    game.say("Ann", "go")
    game.say("Ann", "go")
    assert coins(game)["Ann"] == 4
    assert game.tables["pot"]["value"].tolist() == [3 + 7]


def test_what_one_was_to_get_another_gets():
    game = having(f"{GO}award 7 coins to player\n"
                  'set counter.value to was while counter == "coins" and player.name == "Ann" and amount > 0\n'
                  'on withheld when player.name == "Ann": award amount coins to "Ben"')  # fmt: skip
    game.say("Ann", "go")
    assert coins(game) == {"Ann": 0, "Ben": 7, "Cleo": 0}


def test_any_table_of_numbers_is_judged_by_what_it_is_kept_per():
    game = sit()
    law(game, "track price per text from 0\ntrack weight per rule from 0\ntrack keeper per text as player from none\n"
        f'{GO}award 7 price("rope"); award 7 weight(this); put keeper("rope") at player\n'
        'set counter.value to min([otherwise, 2]) while counter == "price"\n'
        'set counter.value to otherwise + 1 while rule.number == 301')  # fmt: skip
    game.say("Ann", "go")
    assert game.tables["price"]["value"].tolist() == [2]
    assert game.tables["weight"]["value"].tolist() == [8]
    assert game.tables["keeper"]["value"].tolist() == ["Ann"]
    assert not game.state.questions, "what speaks of a rule says nothing of prices"


def test_a_correction_that_all_agree_on_is_what_they_agree_on():
    game = having("set counter.value to min([otherwise, 4])")
    game.host.correct('put coins of "Ann" at 9', agreed=list(game.players), reason="A slip.")
    assert coins(game)["Ann"] == 9


@pytest.mark.parametrize(
    ("clause", "after"),
    [
        ("", (2, 8)),
        ('set counter.value to min([otherwise, 6]) while counter == "coins"', (2, 6)),
        ('set counter.value to was while amount < 0 and counter == "coins"', (5, 5)),
        ('set counter.value to was while amount > 0 and counter == "coins"', (2, 5)),
        ('set counter.value to otherwise + 1 while amount < 0 and counter == "coins"', (3, 7)),
        ('set counter.value to was + 2 * amount while amount < 0 and counter == "coins"', (5, 5)),
    ],
)
def test_what_a_payer_does_not_lose_nobody_gets(clause, after):
    game = having(f'{GO}pay 3 coins from "Ann" to "Ben"\n{clause}', start=5)
    game.say("Cleo", "go")
    assert (coins(game)["Ann"], coins(game)["Ben"]) == after
    if after == (5, 5):
        unpaid = [event for event in game.timeline.events if event.kind == "unpaid"]
        assert [event.actor for event in unpaid] == ["Ann"]


def test_a_value_that_is_open_is_asked_about_and_nothing_is_half_done():
    game = having(f'{GO}award 7 coins to "Ann"; award 7 coins to "Ben"\n'
                  'set counter.value to otherwise + 1 / (amount - 7) while counter == "coins"')  # fmt: skip
    game.say("Ann", "go")
    assert coins(game) == {"Ann": 0, "Ben": 0, "Cleo": 0}
    assert "divided by zero" in str(game.pending)


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ('set counter.value to otherwise while counter == "ponts"', {"code": "never-has-text"}),
        ('track k per text from "a"\nset counter.value to otherwise while counter == "k"', {"code": "never-has-text"}),
        ('set counter.value to "much"', {"code": "kind-needed", "what": "counter.value", "kind": "a number"}),
        ("set counter.value to was while otherwise > 3", {"code": "otherwise-misplaced"}),
        ("set counter.value to counter.value + 1", {"code": "key-set-from-itself"}),
    ],
)
def test_what_could_never_be_obeyed_is_refused(clause, said):
    game = sit()
    with refused(game, **said):
        game.propose("Ann", nb.enact("So be it.", law=clause))


@examples(10)
@given(st.integers(1, 9), st.lists(st.tuples(st.sampled_from("ABC"), st.integers(-6, 6).filter(bool)), max_size=6))
def test_a_cap_is_that_of_a_plain_sum(cap, gains):
    names = dict(zip("ABC", ("Ann", "Ben", "Cleo"), strict=True))
    game = sit()
    law(game, f'track coins per player from 0\nset counter.value to min([otherwise, {cap}]) while counter == "coins"')
    has = dict.fromkeys(names.values(), 0)
    for letter, amount in gains:
        who = names[letter]
        by_hand(game, "Ann", f'award {amount} coins to "{who}"')
        has[who] = min(has[who] + amount, cap)
    assert coins(game) == has
