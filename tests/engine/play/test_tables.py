"""Tables: what rules track per anything, how it is read and changed, and what becomes of it."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from play_helpers import adopt, agree, announced, law, refused, scores, sit

import nomic_nb as nb
from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.play.table_values import HASH_PARTS, MOST_TABLE_ENTRIES, TableEntries
from nomic_nb.engine.play.tables import find_table


def value(game, name, *keys):
    """What stands in a place of a table."""
    return find_table(game.state, name).value_at(keys)


def player(name):
    return ThingRef("player", name)


# ------------------------------------------------------------------------------- what can be kept


def test_a_name_has_a_keeper_until_another_one_minds_it():
    game = sit()
    law(game, 'track keeper per text as player from none\n'
        'on said when text == "I mind the lighthouse" and keeper("lighthouse") == none: '
        'put keeper("lighthouse") at player')  # fmt: skip
    game.say("Cleo", "I mind the lighthouse.")
    game.say("Ben", "I mind the lighthouse")
    assert value(game, "keeper", "lighthouse") == player("Cleo")
    frame = game.tables["keeper"]
    assert frame.to_dict("list") == {"text": ["lighthouse"], "value": ["Cleo"]}
    assert dict(frame.dtypes.astype(str)) == {"text": "string", "value": "string"}


def test_debts_between_two_are_paid_at_the_end_of_turns():
    game = sit()
    law(game, "track owes per player, player from 0\n"
        'on said each p in seats when text == "lend" and p != player: '
        "put owes(player, p) at 2; award 1 owes(player, p)\n"
        "on turn_ended: award 10 points to player\n"
        "on turn_ended each p in playing when owes(player, p) > 0: pay owes(player, p) points from player to p",
        face=6)  # fmt: skip
    game.say("Ben", "lend")
    assert value(game, "owes", player("Ben"), player("Ann")) == 3
    before = scores(game)
    law(game, "")  # Ben's turn
    assert scores(game) == {"Ann": before["Ann"] + 3, "Ben": before["Ben"] + 1 + 10 - 6, "Cleo": before["Cleo"] + 3}
    frame = game.tables["owes"]
    assert list(frame.columns) == ["player", "player_2", "value"]
    assert frame["value"].tolist() == [3, 3]


@pytest.mark.parametrize(
    ("start", "holds", "then", "now"),
    [
        ("0", "number", "5", 5),
        ("1 / 2", "number", "3 / 2", Fraction(3, 2)),
        ("false", "truth", "true", True),
        ('"none yet"', "text", '"a hat"', "a hat"),
    ],
)
def test_what_a_table_holds_is_told_by_a_constant_start(start, holds, then, now):
    game = sit()
    law(game, f'track has per text from {start}\non said when text == "go": put has("x") at {then}')
    assert game.state.law.tables["has"].holds.name == holds
    game.say("Ann", "go")
    assert value(game, "has", "x") == now
    assert game.at(game.state.seq).tables["has"]["value"].tolist() == [now]


@pytest.mark.parametrize("kind", ["player", "rule", "proposal", "text", "number"])
def test_any_kind_can_be_kept_and_asked_for(kind):
    keys = {"player": "player", "rule": "this", "proposal": "proposal", "text": '"a"', "number": "7"}
    event = "balloted" if kind == "proposal" else "turn_ended"
    game = sit()
    law(game, f"track ticks per {kind} from 0\non {event}: award 2 ticks({keys[kind]}); "
        f"put ticks({keys[kind]}) at ticks({keys[kind]}) + 1\n"
        f'on {event} when ticks({keys[kind]}) == 3: announce "three"')  # fmt: skip
    law(game, "")
    assert "three" in announced(game)
    assert {int(one) % 3 for one in game.tables["ticks"]["value"]} == {0}


def test_keys_are_those_that_are_not_where_they_start_in_the_order_in_which_they_came():
    game = sit()
    law(game, 'track price per text from 3\n'
        'on said when text == "up": put price("rope") at 5; put price("lamp") at 4; put price("rope") at 6\n'
        'on said when text == "down": put price("rope") at 3\n'
        'on said when text == "again": put price("rope") at 9\n'
        'on said when text == "list" and keys(price) == ["rope", "lamp"]: announce "rope first"\n'
        'on said when text == "list" and keys(price) == ["lamp"]: announce "lamp alone"\n'
        'on said when text == "list" and keys(price) == ["lamp", "rope"]: announce "lamp first"')  # fmt: skip
    for text in ("up", "list", "down", "list", "again", "list"):
        game.say("Ann", text)
    assert announced(game) == ["rope first", "lamp alone", "lamp first"]


def test_what_was_said_is_looked_up_as_people_hear_it():
    game = sit()
    law(game, "track votes per text from 0\non said: award 1 votes(text)")
    for text in ("The owl", "the owl.", " THE OWL", "The fox"):
        game.say("Ben", text)
    assert game.tables["votes"].to_dict("list") == {"text": ["The owl", "The fox"], "value": [3, 1]}


# ------------------------------------------------------------------------------- where they start


def test_a_counter_is_renamed_without_losing_anything():
    game = sit()
    law(game, "", face=5)
    law(game, "track stars per player from player.points", face=1)
    had = scores(game)
    assert dict(game.counters["stars"]) == {**had, "Ben": had["Ben"] - 1}, "the throw came after the start"
    law(game, 'on said when text == "come": enter player "Zoe" as person', face=1)
    game.say("Ann", "come")
    assert game.counters["stars"]["Zoe"] == 0, "whoever comes starts from what holds then"


def test_a_start_that_is_reckoned_is_reckoned_for_whoever_comes():
    game = sit()
    law(game, 'track coins per player from highest_of\n'.replace("highest_of", "max([p.points for p in playing])")
        + 'on said when text == "come": enter player "Zoe" as person', face=4)  # fmt: skip
    assert set(game.counters["coins"]) == {0}
    game.say("Ann", "come")
    assert game.counters["coins"]["Zoe"] == 4


def test_a_start_of_rules_is_reckoned_for_rules_that_come():
    game = sit()
    law(game, "track weight per rule from rule.made + 10")
    number = law(game, "", face=1)
    kept = game.tables["weight"].set_index("rule")["value"]
    assert (kept[203], kept[number]) == (10, 12)


def test_who_has_something_keeps_it_where_the_start_is_changed():
    game = sit()
    number = law(game, "track coins per player from 3\ntrack price per text from 1")
    adopt(game, nb.amend(number, law="track coins per player from 7\ntrack price per text from 2\n"
                         'on said when text == "come": enter player "Zoe" as person'))  # fmt: skip
    game.say("Ann", "come")
    assert dict(game.counters["coins"]) == {"Ann": 3, "Ben": 3, "Cleo": 3, "Zoe": 7}
    assert value(game, "price", "anything") == 2


def test_nobody_who_comes_has_what_no_rule_tracks_any_more():
    game = sit()
    number = law(game, "track coins per player from 3\ntrack price per text from 1")
    law(game, 'on said when text == "come": enter player "Zoe" as person\n'
        'on said when text == "gain": put coins of playing at 9')  # fmt: skip
    adopt(game, nb.repeal(number))
    game.say("Ann", "come")
    assert dict(game.counters["coins"].dropna()) == {"Ann": 3, "Ben": 3, "Cleo": 3}
    game.say("Ann", "gain")
    assert "no rule tracks coins" in str(game.pending)


def test_a_table_of_the_same_name_per_something_else_begins_anew():
    game = sit()
    number = law(game, "track coins per player from 3")
    adopt(game, nb.amend(number, law="track coins per text from 1"))
    assert game.tables["coins"].empty
    assert value(game, "coins", "x") == 1


# ------------------------------------------------------------------------------- what it does to play


def test_the_ledger_and_the_history_tell_of_every_entry():
    game = sit()
    number = law(game, 'track price per text from 2\ntrack keeper per text as player from none\n'
        'on said: award 3 price("rope"); put keeper("rope") at player')  # fmt: skip
    game.say("Ben", "go")
    last = [one for one in game.ledger if one.rule == number]
    assert [(one.counter, one.of, one.amount, one.now) for one in last] == [
        ("price", '"rope"', 3, 5), ("keeper", '"rope"', None, "Ben"),
    ]  # fmt: skip
    told = game.history["what"].tolist()
    assert any("+3 price, now 5" in one and "rope" in one for one in told)
    assert 'keeper of "rope" is now Ben' in told
    frame = game.ledger.frame
    assert frame["of"].tolist()[-2:] == ['"rope"', '"rope"']
    assert frame["amount"].isna().tolist()[-2:] == [False, True]


def test_why_names_the_entry_that_was_read():
    game = sit()
    law(game, 'track price per text from 2\nset win.points to price("rope") * 90\nprevails over 208')
    assert 'price("rope") is 2' in str(game.why("win.points"))


def test_what_answers_to_a_gain_of_players_does_not_hear_of_prices():
    game = sit()
    law(game, 'track price per text from 0\non said: put price("rope") at 5\n'
        'on counted when amount > 1 and counter != "points": announce "something"\n'
        "on counted when player.points > 1000: eliminate player")  # fmt: skip
    game.say("Ann", "go")
    assert announced(game) == ["something"]
    assert not game.state.questions


def test_an_award_of_a_table_comes_once_for_each_of_several():
    game = sit()
    law(game, "track hats per rule from 0\non said: award 2 hats to rules; award 1 hats of this")
    game.say("Ann", "go")
    hats = game.tables["hats"].set_index("rule")["value"]
    assert (hats[203], hats[301]) == (2, 3)
    assert len(hats) == len(game.rules)


def test_the_game_has_what_is_awarded_to_it():
    game = sit()
    law(game, "track pot per game from 1\non said: award 4 pot to game; put pot of game at game.pot * 2")
    game.say("Ann", "go")
    assert game.tables["pot"]["value"].tolist() == [10]


def test_more_entries_than_a_table_has_are_asked_about():
    game = sit()
    number = law(game, "track hits per number from 0\non said: award 1 hits(turn)")
    table = game.state.tables["hits"]
    entries = table.entries
    for at in range(MOST_TABLE_ENTRIES):
        entries = entries.with_entry((at + 1_000,), 1)
    full = game.state.replace(tables={**game.state.tables, "hits": replace(table, entries=entries)})
    game.timeline.moments[-1] = (game.timeline.moments[-1][0], full)
    game.say("Ann", "go")
    assert f"hits would have more than {MOST_TABLE_ENTRIES} entries" in str(game.pending)
    assert f"rule {number}" in str(game.pending).lower()


def test_nobody_changes_alone_by_hand_what_a_table_says():
    game = sit()
    law(game, "track keeper per text as player from none")
    game.apply("Ann", 210, 'put keeper("purse") at player_named("Ann")')
    assert game.state.questions
    assert value(game, "keeper", "purse") is None
    agree(game, "no")
    assert value(game, "keeper", "purse") is None
    game.apply("Ann", 210, 'put keeper("purse") at player_named("Ann")')
    agree(game)
    assert value(game, "keeper", "purse") == player("Ann")


def test_a_correction_reaches_any_entry():
    game = sit()
    law(game, "track price per text from 2")
    game.host.correct('put price("rope") at 9', agreed=["Ann", "Ben", "Cleo"], reason="A slip.")
    assert value(game, "price", "rope") == 9


# ------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("law", "said"),
    [
        ("track mud per square from 0\non said: put mud(player) at 1",
            {"code": "kept-per", "name": "mud", "per": "square", "kind": "player"}),
        ("track mud per square from 0\non said: put mud(player) at 1",
            {"code": "kept-per", "expected": "such as mud(piece.square)"}),
        ("track owes per player, player from 0\nforbid skip when owes(player) > 1",
            {"code": "kept-per", "many": "two", "count": 1}),
        ("track owes per player, player from 0\nforbid skip when owes(player) > 1",
            {"code": "kept-per", "expected": "owes(p, q)"}),
        ("track owes per player, player from 0\non said: put owes of player at 1", {"code": "kept-per"}),
        ("on said: award 1 points", {"code": "owner-missing", "word": "points"}),
        ("on said: award 1 points(player) to player", {"code": "owner-said-twice"}),
        ("track a per player, player, player from 0", {"code": "table-has-too-many-keys", "most": 2}),
        ("track a per game, player from 0", {"code": "game-table-with-keys"}),
        ("track a per hat from 0", {"code": "word-unknown", "word": "hat"}),
        ("track a per player as hat from 0", {"code": "word-unknown", "word": "hat"}),
        ("track a per text from none", {"code": "start-needed", "name": "a"}),
        ("track a per text as player from 0", {"code": "kind-needed", "kind": "a player or none"}),
        ("track max per text from 0", {"code": "name-not-for-counter"}),
        ("track keys per text from 0", {"code": "name-not-for-counter"}),
        ("track a per text from player.points", {"code": "name-unknown", "name": "player"}),
        ("track a per text as player from none\non said: award 1 a(text)", {"code": "not-added-to"}),
        ("track a per text from 0\non said: put a(text) at text", {"code": "kind-needed", "kind": "a number"}),
        ("track a per text from 0\nforbid skip when count(keys(b)) > 0", {"code": "not-tracked", "name": "b"}),
        ("track a per game from 0\nforbid skip when count(keys(a)) > 0", {"code": "table-of-game"}),
        ("forbid skip when keys(points, points) == []", {"code": "table-name-needed"}),
        ("forbid skip when ponts(player) > 0", {"code": "function-unknown", "name": "ponts"}),
        ("track a per text from 0\non said: pay 1 a from player to player",
            {"code": "kept-per", "name": "a", "per": "text"}),
        ("track points per player from 0 hidden",
            {"code": "counter-tracked-otherwise", "per": "player", "hidden": ", and not hidden"}),
        ("track a per text from 0\ntrack a per text from 1", {"code": "started-twice", "start": "0", "other": "1"}),
    ],
)  # fmt: skip
def test_a_table_misused_is_refused_before_the_vote(law, said):
    game = sit()
    with refused(game, **said):
        game.propose("Ann", nb.enact("So be it.", law=law))


# ------------------------------------------------------------------------------- the store itself


places = st.tuples(
    st.sampled_from([ThingRef("player", name) for name in ("Ann", "Ben")]), st.integers(0, 3 * HASH_PARTS)
)


@examples(60)
@given(st.lists(st.tuples(places, st.one_of(st.none(), st.integers(0, 9)))))
def test_entries_are_a_dict_that_never_changes(changes):
    kept, model, before = TableEntries(), {}, []
    for place, now in changes:
        before.append((kept, dict(model)))
        if now is None:
            if place in model:
                kept = kept.without_entry(place)
                del model[place]
        else:
            kept = kept.with_entry(place, now)
            model[place] = now
    for one, as_it_was in [*before, (kept, model)]:
        assert list(one.items()) == list(as_it_was.items())
        assert len(one) == len(as_it_was)


PEOPLE = ("Ann", "Ben", "Cleo")
deeds = st.tuples(
    st.sampled_from(PEOPLE), st.sampled_from(["put", "award"]), st.sampled_from(["rope", "lamp", "Owl"]),
    st.integers(-3, 3),
)  # fmt: skip


@examples(8)
@given(st.lists(deeds, max_size=8))
def test_puts_and_awards_are_those_of_a_dict_and_play_again(tmp_path_factory, acts):
    game = sit()
    law(game, "track price per text from 2\ntrack owns per player, text from 0\n"
        "on counted when counter == \"price\": award 1 owns(player_named(\"Ann\"), \"changes\")")  # fmt: skip
    price, changes = {}, 0
    for who, how, text, amount in acts:
        was = price.get(text, 2)
        price[text] = amount if how == "put" else was + amount
        happens = how == "award" or price[text] != was  # even an award of 0 is one, and a rule answers to it
        changes += happens
        with nullcontext() if happens else refused(game, "nothing-changed"):
            game.host.correct(
                f'put price("{text}") at {amount}' if how == "put" else f'award {amount} price("{text}")',
                agreed=list(PEOPLE), reason=f"{who} says so.",
            )  # fmt: skip
    assert {text: value(game, "price", text) for text in price} == price
    assert value(game, "owns", player("Ann"), "changes") == changes
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    game.save(path)
    again = nb.load(path)
    assert again.state.digest() == game.state.digest()
    assert again.tables["price"].equals(game.tables["price"])


def test_a_fork_keeps_its_own_entries():
    game = sit()
    law(game, "track price per text from 2\non said: award 1 price(text)")
    game.say("Ann", "rope")
    other = game.fork()
    other.say("Ann", "rope")
    game.say("Ann", "lamp")
    assert value(game, "price", "rope") == 3
    assert value(other, "price", "rope") == 4
    assert value(other, "price", "lamp") == 2
