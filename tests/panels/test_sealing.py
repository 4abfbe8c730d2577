"""Sealing and revealing in the panel."""

from __future__ import annotations

import ipywidgets as w
import pytest
from panels.hands import Hand, hand_of, seats
from play_helpers import defeat, sit

import nomic_nb as nb
from nomic_nb.panels.panel import Panel
from nomic_nb.play.commitments import Opening, commitment

NONCE = "5a" * 32


@pytest.fixture
def game():
    game = sit("Ann", "Ben", dice="committed")
    defeat(game, nb.enact("No."))
    return game


@pytest.mark.parametrize("hot", [True, False])
def test_a_throw_is_sealed_and_revealed_by_clicks(game, hot):
    hands = seats(game, hot)
    hands["Ann"].set(Value="blue")
    for name in ("Ben", "Ann"):
        assert not hands[name].sees("Throw")
        hands[name].press("Seal")
    assert game.opening("Ann").value == "blue"
    for name in ("Ann", "Ben"):
        assert not hands[name].sees("Nonce")
        hands[name].press("Reveal")
    assert game.player == "Ben"
    for hand in {id(one.panel): one for one in hands.values()}.values():
        hand.panel.close()


def test_a_value_is_hidden_while_it_is_typed(game):
    ann = Hand(Panel(game), "Ann")
    assert isinstance(ann.find("Value"), w.Password)
    ann.panel.close()


def test_what_was_sealed_elsewhere_is_told(game):
    ann = Hand(Panel(game), "Ann")
    number = game.state.waiting[0].round.number
    ready = commitment(game.state.game, number, "Ben", Opening("blue", NONCE))
    ben = hand_of(ann, "Ben")
    ben.set(Commitment=ready)
    ben.press("Seal")
    ann.press("Seal")
    ben.press("Reveal")
    assert "not known here" in ben.status
    ben.set(Value="red", Nonce=NONCE)
    ben.press("Reveal")
    assert "not what Ben sealed" in ben.status
    ben.set(Value="blue")
    ben.press("Reveal")
    assert "as the last you can know beforehand" in ann.text
    ann.press("Reveal")
    assert game.player == "Ben"
    ann.panel.close()


def test_what_is_no_commitment_stays_in_its_field(game):
    ann = Hand(Panel(game), "Ann")
    ann.set(Commitment="my word")
    ann.press("Seal")
    assert "64 hexadecimal digits" in ann.status
    assert ann.find("Commitment").value == "my word"
    ann.panel.close()
