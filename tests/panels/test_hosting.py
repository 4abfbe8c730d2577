"""What whoever keeps the record does from a panel: recorded acts, and from no seat."""

from __future__ import annotations

import pytest
from make_a_rule_helpers import begun
from panels.pages import Page

import nomic_nb as nb
from nomic_nb.notebook.panels.queries import BINDER_VARIABLE


@pytest.fixture
def table(game):
    return Page(game)


def test_absence_pause_and_a_comment_are_recorded(game, table):
    for action, details in (("absent", {"who": "Ben"}), ("present", {"who": "Ben"}), ("pause", {}), ("resume", {}),
                            ("annotate", {"text": "A quiet start.", "nag": "!?", "at": 3})):  # fmt: skip
        assert "done" in table.freely(action, **details), action
    assert [event.kind for event in game.timeline.events[-5:]] == [
        "absent",
        "returned",
        "paused",
        "resumed",
        "annotated",
    ]
    assert game.comments["text"].tolist() == ["A quiet start."]


def test_what_the_record_has_wrong_is_put_right_by_consent(game, table):
    refused = table.freely("correct", effect='put points of "Ann" at 12', agreed=["Ann"], reason="forgotten")
    assert refused["code"] == "not-all-agree"
    assert "Ben and Cleo" in refused["why"]
    table.freely("correct", effect='put points of "Ann" at 12', agreed=list(game.players), reason="forgotten")
    assert game.scores["Ann"] == 12


def test_somebody_who_comes_late_is_let_in_by_consent(game, table):
    assert table.freely("let_in", who="Zoe", agreed=["Ann"], reason="late")["code"] == "not-all-agree"
    refused = table.freely("let_in", who='Zoe" as', agreed=list(game.players), reason="late")
    assert refused["code"] == "name-with-quotation-marks"
    table.freely("let_in", who=" Zoe ", agreed=list(game.players), reason="late")
    assert game.players == ("Ann", "Ben", "Cleo", "Zoe")
    assert "Zoe" in table.table["seats"]


def test_boards_are_set_up_by_consent_as_lines_or_as_a_fen():
    game = nb.new_game("nomic-chess", ["Ann", "Ben", "Cleo"], seed=7)
    table, agreed = Page(game), ["Ann", "Ben", "Cleo"]
    written = table.send({"id": "a", "ask": "arrangement"})["position"]
    assert written.startswith("white: Ke1* Qd1*")
    few = "\n".join(f"{line.partition(':')[0]}: Ke1 a2" for line in written.splitlines())
    assert "done" in table.freely("set_up", position=few, agreed=agreed, reason="an ending")
    assert game.arrangement["white"] == "Ke1 a2"
    for wrong in (few + "\nwhite: a3", "white: Ke1\nyellow", "white: Ke9", "", 7, "8/8/8/8/8/8/8/8 w - - 0 1"):
        before = game.state
        assert table.freely("set_up", position=wrong, agreed=agreed, reason="an ending")["why"]
        assert game.state is before
    assert table.freely("set_up", position=few, agreed=["Ann"], reason="an ending")["code"] == "not-all-agree"
    one = begun(2)
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert "done" in Page(one).freely("set_up", position=fen, agreed=["Ann", "Ben"], reason="an ending")
    assert sum(len(pieces.split()) for pieces in one.arrangement.values()) == 3


def test_a_show_of_hands_is_each_ones_own_ballot_and_leaves_out_who_is_away(game, table):
    game.propose("Ann", nb.enact("Be kind."))
    game.vote("Ann", "against")
    game.host.absent("Cleo")
    assert "done" in table.freely("votes", proposal="301", ballot="for")
    assert game.proposals[301].ballots == {"Ann": "against", "Ben": "for"}
    refused = table.freely("votes", proposal="301", ballot="for")
    assert refused["code"] == "is-absent"
    assert "Cleo" in refused["why"]


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
        for about in ("record", "arrangement"):
            assert page.send({"id": "r", "ask": about})["code"] == "only-told-at-the-panel-of-the-table"


@pytest.mark.parametrize(
    ("action", "details"),
    [("absent", {"who": "Ben"}), ("pause", {}), ("annotate", {"text": "x"}), ("fork", {"event": 1}),
     ("votes", {"proposal": "301", "ballot": "for"}), ("correct", {"effect": "x", "agreed": [], "reason": "y"}),
     ("let_in", {"who": "Zoe", "agreed": ["Ann", "Ben", "Cleo"], "reason": "y"}),
     ("set_up", {"position": "x", "agreed": ["Ann", "Ben", "Cleo"], "reason": "y"})],
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
    monkeypatch.setenv(BINDER_VARIABLE, "mybinder.org")
    game.say("Ann", "hello")
    assert "Binder" in Page(game).mine["forgets"]
    assert "forgets" not in Page(game, "Ann").mine


def test_a_correction_without_consent_is_refused_in_plain_words(game, table):
    for agreed in ([], ["Ann"]):
        refused = table.freely("correct", effect='put points of "Ann" at 5', agreed=agreed, reason="a slip")
        assert refused["code"] == ("not-all-agree" if agreed else "nobody-agrees")
        assert not {"=", "[", "'Ann'"}.intersection(refused["why"] + "".join(refused["options"]))
