"""What whoever keeps the record does from a panel: recorded acts, and from no seat."""

from __future__ import annotations

import pytest
from panels.pages import Page

import nomic_nb as nb
from nomic_nb.panels.hosting import BINDER


@pytest.fixture
def table(game):
    return Page(game)


def test_absence_pause_and_a_comment_are_recorded(game, table):
    for action, details in (("absent", {"who": "Ben"}), ("present", {"who": "Ben"}), ("pause", {}), ("resume", {}),
                            ("annotate", {"text": "A quiet start.", "nag": "!?", "at": 3})):  # fmt: skip
        assert "done" in table.freely(action, **details), action
    assert [event.kind for event in game.table.events[-5:]] == ["absent", "returned", "paused", "resumed", "annotated"]
    assert game.comments["text"].tolist() == ["A quiet start."]


def test_what_the_record_has_wrong_is_put_right_by_consent(game, table):
    refused = table.freely("correct", effect='put points of "Ann" at 12', agreed=["Ann"], reason="forgotten")
    assert "have not agreed" in refused["why"]
    table.freely("correct", effect='put points of "Ann" at 12', agreed=list(game.players), reason="forgotten")
    assert game.scores["Ann"] == 12


def test_a_show_of_hands_is_each_ones_own_ballot_and_leaves_out_who_is_away(game, table):
    game.propose("Ann", nb.enact("Be kind."))
    game.vote("Ann", "against")
    game.host.absent("Cleo")
    assert "done" in table.freely("votes", proposal="301", ballot="for")
    assert game.proposals[301].ballots == {"Ann": "against", "Ben": "for"}
    assert "Nobody who is here" in table.freely("votes", proposal="301", ballot="for")["why"]


def test_another_game_goes_on_from_an_event(game, table):
    game.propose("Ann", nb.enact("Be kind."))
    said = table.freely("fork", event=7)["said"]
    assert "game.forks[0].game" in said
    assert game.forks[0].game.state.open_proposals == ()
    assert len(game.proposals) == 1


def test_the_record_is_handed_out_to_the_desk_alone_and_loads_again(game, table, tmp_path):
    game.propose("Ann", nb.enact("Be kind."))
    got = table.send({"id": "r", "ask": "record"})
    path = tmp_path / got["name"]
    path.write_text(got["text"])
    assert nb.load(path, fingerprint=got["letters"]).state.digest() == game.state.digest()
    for page in (Page(game, "Ann"), Page(game, role="wall")):
        assert "Only the panel of the whole table" in page.send({"id": "r", "ask": "record"})["why"]


@pytest.mark.parametrize(
    ("action", "details"),
    [("absent", {"who": "Ben"}), ("pause", {}), ("annotate", {"text": "x"}), ("fork", {"event": 1}),
     ("votes", {"proposal": "301", "ballot": "for"}), ("correct", {"effect": "x", "agreed": [], "reason": "y"})],
)  # fmt: skip
def test_no_seat_and_no_wall_keeps_the_record(game, action, details):
    before = game.state
    for page in (Page(game, "Ann"), Page(game, role="wall")):
        assert "refused" in page.freely(action, **details)
    assert game.state is before


@pytest.mark.parametrize(
    ("action", "details"),
    [("absent", {}), ("absent", {"who": "Zoe"}), ("absent", {"who": ["Ann"]}), ("absent", {"whom": "Ann"}),
     ("pause", {"now": True}), ("fork", {}), ("fork", {"event": 0}), ("fork", {"event": "1"}),
     ("votes", {"proposal": "999", "ballot": "for"}), ("votes", {"proposal": "301", "ballot": ["for"]}),
     ("annotate", {"text": "", "at": 2}), ("annotate", {"text": "x", "at": 999}),
     ("annotate", {"text": "x", "at": "1"}),
     ("annotate", {"text": "x", "nag": "!!!"}), ("correct", {"effect": 7, "agreed": "Ann", "reason": None})],
)  # fmt: skip
def test_what_the_host_cannot_do_is_refused(game, table, action, details):
    before = game.state
    assert table.freely(action, **details)["why"]
    assert game.state is before


def test_a_session_of_binder_says_that_it_forgets(game, monkeypatch):
    assert Page(game).mine["forgets"] == ""
    monkeypatch.setenv(BINDER, "mybinder.org")
    game.say("Ann", "hello")
    assert "Binder" in Page(game).mine["forgets"]
    assert "forgets" not in Page(game, "Ann").mine
