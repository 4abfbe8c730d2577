"""Phrases that are put together: every part can be read in a game, does what it says, and is found by a sentence."""

from __future__ import annotations

import random
import re
import tomllib
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from play_helpers import law, sit
from refusals import refused
from study.test_phrase_book import played, value

import nomic_nb as nb
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.study.library.composing import composed_text, families
from nomic_nb.study.library.phrase_book import composed_entry, suggest

#: What is played for a phrase, and what differs then from a game without it, by the name of the phrase.
PLAYED = tomllib.loads(Path(__file__).with_name("composed.toml").read_text("utf-8"))


@cache
def state(on_boards):
    return sit(system="nomic-chess" if on_boards else "discordian-nomic").state


def parts(name):
    """The parts that have a share in a phrase, as pairs of slot and part."""
    halves = [half.split("/") for half in re.split("[+&]", name)]
    pairs = (pair for family, *chosen in halves for pair in zip(families()[family]["slots"], chosen, strict=True))
    return {pair for pair in pairs if pair[0] in composed_text(name).slots}


def names_with_each_part(count):
    """The names of phrases with each part of each family, so many for each, drawn at random."""
    chance = random.Random(7)
    for family, told in families().items():
        for slot, every in told["slots"].items():
            for part in every:
                rows = [[part] if other == slot else list(parts) for other, parts in told["slots"].items()]
                yield from ("/".join([family, *map(chance.choice, rows)]) for _ in range(count))


def check_all(names):
    """Check that what is put together under names can be read; return the parts that were in it."""
    seen = set()
    for name in filter(composed_text, names):
        entry = composed_entry(name)
        check_change(state(entry.on_boards), entry.rule.change())
        assert not re.search(r"(?:when|while)(?: and|$|:)|\{", entry.rule.law, re.MULTILINE)
        seen |= parts(name)
    return seen


def test_what_is_put_together_can_be_read_in_a_game():
    assert check_all(names_with_each_part(1))


@pytest.mark.slow
def test_every_part_can_be_read_in_a_game():
    every = {(slot, part) for told in families().values() for slot, parts in told["slots"].items() for part in parts}
    assert every - check_all([*PLAYED, *names_with_each_part(24)]) == {
        ("to", "nobody"),
        ("time", "always"),
        ("state", "always"),
    }


@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.slow
def test_what_is_put_together_does_what_it_says(name):
    rule, (play, gives) = composed_entry(name).rule, map(str.strip, PLAYED[name].rsplit("|", 1))
    phrase = SimpleNamespace(play=play, fill_in=lambda: (rule.wording, rule.law))
    with_it, without = played(phrase, rule.law), played(phrase, "")
    assert gives or "*" in play, "nothing is told of what it does"
    for told in filter(None, map(str.strip, gives.split(";"))):
        if change := re.fullmatch(r"(.*) ([+-]\d+)", told):
            difference = value(with_it, change[1]) - value(without, change[1])
            assert difference == int(change[2]), (told, value(with_it, change[1]), value(without, change[1]))
        else:
            assert value(with_it, told) is True, told
            assert value(without, told) is not True, told


def test_a_missed_turn_is_over_once_somebody_else_begins_one_where_turns_begin_at_will():
    game = sit(terms={"turn.start": "at will"})
    game.begin_turn("Ann")
    law(game, suggest("If you interrupt somebody you miss a turn.")[0].law)
    game.report("Ben", "Cleo", "interrupting")
    with refused("not-allowed"):
        game.begin_turn("Cleo")
    game.begin_turn("Ben")
    assert value(game, 'player_named("Cleo").missed') == 0


def test_players_elect_somebody_to_an_office_that_nobody_holds_and_again_once_it_is_vacant():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo", "Dan"], seed=7)
    game.propose("Ann", game.suggest("The banker gets a point every time somebody else rolls a 1.")[0].change())
    game.votes()

    def elect(*named):
        for name, chosen in zip(game.players, named, strict=False):
            game.choose(name, chosen)

    elect("Ben", "Cleo", "Cleo", "Ben")
    assert value(game, 'game.banker == player_named("Ben")') is True  # as many for each: Ben sits first
    game.roll("Ann", 1)
    assert value(game, "Ben.points") == 1
    game.forfeit("Ben")
    while value(game, 'game.banker == player_named("Dan")') is not True:
        if game.pending[0].action == "choose":
            game.choose(game.pending[0].player, "Dan")
        else:
            player = game.player
            game.propose(player, nb.enact(f"Tea at {game.state.turn}."))
            game.votes()
            game.roll(player, 2)
    assert game.state.circuit == 1


def test_of_an_office_that_may_not_win_or_gets_its_share_the_holder_is_meant():
    for said, name in {
        "The boss can't win while they are the boss.": "offices/office-boss/named/no_win/points",
        "The banker gets one point every time someone else scores.": "offices/office-banker/named/others_gain/points",
        "The Speaker's vote breaks ties.": "offices/office-speaker/named/ties/points",
        "The president can veto one proposal per game.": "offices/office-president/named/veto_game/points",
        "Every five turns we elect a judge, never the same one twice in a row.": (
            "offices/judge/elected_turns_other/holds/points"
        ),
        "Each turn we elect a Speaker, who breaks any tie.": "offices/office-speaker/elected_turn/ties/points",
    }.items():
        assert suggest(said)[0].name == name


@pytest.mark.parametrize(
    ("said", "name", "filled"),
    [
        (
            "If your proposal is voted down you lose 5 points, and everyone who voted against it gets 2.",
            "happens/fails/they/nobody/points/lose+happens/fails/opponents/nobody/points/gain",
            {"n": 5, "n2": 2},
        ),
        (
            "A roll of six earns 4 points; a roll of one costs 3 points.",
            "happens/rolls_some/they/nobody/points/gain&happens/rolls_some/they/nobody/points/lose",
            {"face": 6, "n": 4, "face2": 1, "n2": 3},
        ),
        (
            "Roll a 1 and you lose 3 points, but the next player gets 2 points.",
            "happens/rolls_some/they/nobody/points/lose+happens/rolls_some/next/nobody/points/gain",
            {"face": 1, "n": 3, "n2": 2},
        ),
    ],
)
def test_two_halves_of_a_sentence_are_put_together_each_with_its_own_numbers(said, name, filled):
    first = suggest(said)[0]
    assert (first.name, first.filled) == (name, filled)


@pytest.mark.parametrize("name", ["a+b+c", "+", "&", "happens/fails+", "happens/rolls/they/nobody/points/gain+x&y"])
def test_nothing_is_put_together_under_a_name_that_is_not_of_two_halves(name):
    assert composed_text(name) is None
    assert composed_entry(name) is None


def test_the_youngest_begins_each_round_and_has_no_extra_turn():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    game.propose("Ann", game.suggest("The youngest player goes first.")[0].change())
    game.votes()
    for name in game.players:
        game.choose(name, "Cleo")
    game.roll("Ann", 3)
    turns = []
    for at in range(8):
        player = game.player
        turns.append(player)
        game.propose(player, nb.enact(f"Tea at {at}."))
        game.votes()
        game.roll(player, 2)
    assert turns == ["Ben", "Cleo", "Cleo", "Ann", "Ben", "Cleo", "Ann", "Ben"]


def test_players_choose_who_holds_an_office_and_again_once_the_holder_leaves():
    game = sit("Ann", "Ben", "Cleo", "Dan")
    game.propose("Ann", suggest("The boss may not win while they are the boss.")[0].change())
    game.votes()
    for name in game.players:
        game.choose(name, "Cleo")
    game.roll("Ann", 3)
    assert value(game, 'game.boss == player_named("Cleo")') is True
    game.forfeit("Cleo")
    assert {one.player for one in game.pending} == {"Ann", "Ben", "Dan"}
    assert game.pending[0].options == ("Ann", "Ben", "Dan")


def test_an_office_named_twice_in_a_sentence_is_the_same_one():
    for said, name in {
        "We elect a boss every five turns, and the boss breaks ties.": "offices/office-boss/elected_turns/ties/points",
        "The treasurer may not vote while they are treasurer.": "offices/office-treasurer/named/no_vote/points",
        "The banker takes a point from every other player.": "offices/office-banker/named/tax/points",
    }.items():
        assert suggest(said)[0].name == name
