"""Somebody who comes late is let in by consent, without a rule: whoever keeps the record notes that all agree."""

from __future__ import annotations

import pytest
from refusals import refused

import nomic_nb as nb

NAMES = ["Ann", "Ben", "Cleo"]


def late(game, name="Zoe", agreed=NAMES):
    game.host.correct(f'enter player "{name}" as person', agreed=agreed, reason="The bus was late.")


@pytest.mark.parametrize("system", nb.rulesets().index)
def test_who_comes_late_is_let_in_and_the_record_plays_again(system, tmp_path):
    game = nb.new_game(system, NAMES, seed=7)
    before = game.scores.get("Ann")
    late(game)
    assert (game.players[-1], game.scores.get("Zoe")) == ("Zoe", before)
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def test_who_is_let_in_has_no_part_in_a_vote_under_way_and_plays_on_with_the_others():
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    game.propose("Ann", nb.enact("Be kind."))
    late(game)
    assert {one.player for one in game.pending if one.action == "vote"} == set(NAMES)
    for name in NAMES:
        game.vote(name, "for")
    game.roll("Ann", 1)
    for player in ("Ben", "Cleo", "Zoe"):
        assert game.player == player
        game.propose(player, nb.enact("Be kinder."))
        for name in game.players:
            game.vote(name, "for")
        game.roll(player, 1)
    assert game.player == "Ann"


@pytest.mark.parametrize(
    ("name", "agreed", "why"),
    [
        ("Ann", NAMES, {"code": "plays-already", "player": "Ann"}),
        ("Zoe", ["Ann", "Ben"], {"code": "not-all-agree", "players": ["Cleo"]}),
        ("Zoe, Yan", NAMES, {"code": "name-has-comma"}), ("\u0410nn", NAMES, {"code": "word-mixes-alphabets"}),
        ("Cleo", [], {"code": "nobody-agrees"}),
    ],
)  # fmt: skip
def test_nobody_is_let_in_whose_name_is_taken_or_to_whom_somebody_has_not_agreed(name, agreed, why):
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    before = game.state
    with refused(**why):
        late(game, name, agreed)
    assert game.state is before


def test_who_left_by_their_own_will_is_not_let_in_by_others():
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    game.forfeit("Cleo")
    with refused("left-for-good", player="Cleo"):
        late(game, "Cleo", ["Ann", "Ben"])


def test_the_history_says_plainly_who_was_let_in_and_what_was_put_right():
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    late(game)
    game.host.correct('put points of "Ben" at 1', agreed=game.players, reason="It was lost.")
    game.host.correct('award 2 points to "Ben"', agreed=game.players, reason="So.")
    told = list(game.history["what"])
    assert "Ann, Ben and Cleo agree that Zoe joins (The bus was late.)" in told
    assert "Ann, Ben, Cleo and Zoe agree that Ben has 1 point (It was lost.)" in told
    assert 'Ann, Ben, Cleo and Zoe agree: award 2 points to "Ben" (So.)' in told


def test_a_correction_ends_a_turn_but_not_the_game():
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    with refused("correction-cannot", nb.IllegalAction, what="end play"):
        game.host.correct("end  play", agreed=game.players, reason="It is late.")
    assert not game.over
    mover = game.player
    game.host.correct("end turn", agreed=game.players, reason="She left.")
    assert game.player != mover


@pytest.mark.parametrize(
    ("words", "example"),
    [
        ("Finn has 2 points", 'put points of "Finn" at 2'),
        ("Ben: -5", 'put points of "Ben" at -5'),
        ("it is wrong", 'put points of "Ann" at 12'),
    ],
)
def test_a_correction_in_everyday_words_is_refused_with_one_that_can_be_read(words, example):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Finn"], seed=7)
    with refused("correction-unreadable", nb.IllegalAction) as error:
        game.host.correct(words, agreed=game.players, reason="It was lost.")
    assert str(error.value).endswith(f"Write: {example}")
    game.host.correct(example, agreed=game.players, reason="It was lost.")
