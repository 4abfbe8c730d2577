"""Going back in a game from a panel: it is shown as it stood, and nothing happens."""

from __future__ import annotations

import json

import pytest
from play_helpers import ballot, sit

import nomic_nb as nb
from nomic_nb.notebook.panels.history_view import history_marks, law_redline_since, view_after_event
from nomic_nb.study.playouts import play_out


def ask(page, about, **details):
    return page.send({"id": "q", "ask": about, "details": details})


@pytest.fixture
def amended(game):
    game.propose("Ann", nb.amend(208, "Fifty points win.", "set win.points to 50"))
    ballot(game)
    game.roll("Ann", 4)
    return game


def test_law_and_score_are_as_they_stood(amended):
    before, now = view_after_event(amended, 8), view_after_event(amended, len(amended.timeline.moments))
    was = next(one for one in before["law"] if one["number"] == 208)
    assert (was["since"], before["later"]) == ("was 208, amended", [])
    assert 208 not in {one["number"] for one in now["law"]}
    assert {one["since"] for one in now["law"]} == {""}
    assert json.dumps(before["score"]) != json.dumps(now["score"])
    assert before["turn"] == 1


def test_what_a_rule_said_then_and_what_changed_since(amended, game_page):
    text = json.dumps(ask(game_page, "rule", rule=208, event=8)["tree"])
    assert "100" in text
    assert "Fifty" not in text
    assert "Fifty points win." in json.dumps(law_redline_since(amended, 8)["tree"])
    assert "The rules are the same." in json.dumps(law_redline_since(amended, len(amended.timeline.moments))["tree"])
    assert "why" in ask(game_page, "rule", rule=208)


def test_what_stands_out_is_marked(amended):
    found = history_marks(amended)
    assert found["last"] == len(amended.timeline.moments)
    assert sorted(set(found["marks"].values())) == ["law", "proposal"]
    amended.annotate("Well done.")
    amended.undo()
    assert {"comment", "undone"} <= set(history_marks(amended)["marks"].values())


@pytest.mark.parametrize("system", nb.rulesets().index)
def test_every_moment_of_a_game_is_plain_and_the_last_one_is_now(system):
    game = nb.Game(play_out(system, ["Ann", "Ben", "Cleo"], seed=5, turns=4).timeline)
    state = game.state
    for event in range(1, len(game.timeline.moments) + 1, 3):
        made = view_after_event(game, event)
        assert json.loads(json.dumps(made)) == made
        assert (made["chess"] is None) is (game.at(event).state.position is None)
    assert game.state is state
    last = view_after_event(game, len(game.timeline.moments))
    assert [one["number"] for one in last["law"]] == [rule.number for rule in game.rules]
    assert last["later"] == []


@pytest.mark.parametrize("event", [0, -1, 10_000, "3", True, None])
def test_what_is_no_event_is_refused(game, game_page, event):
    for about in ("past", "since"):
        assert ask(game_page, about, event=event)["code"] == "event-unknown"


@pytest.mark.parametrize("last", [(), ("against",)], ids=["before the close", "the close taken back"])
def test_nothing_sealed_is_told_of_the_past(last):
    texts = []
    for ballots in (("against", "for"), ("for", "against")):
        game = sit("Ann", "Ben", "Cleo", terms={"vote.ballots": '"sealed"', "dissent.points": 10})
        game.propose("Ann", nb.enact("Be kind."))
        for name, cast in zip(game.players, (*ballots, *last), strict=False):
            game.vote(name, cast)
        if last:
            game.undo()
        told = [
            (view_after_event(game, event), law_redline_since(game, event))
            for event in range(1, len(game.timeline.moments) + 1)
        ]
        texts.append(json.dumps([told, history_marks(game)]))
    assert texts[0] == texts[1]
