"""The view model: everything that a seat may see and do, and nothing that is sealed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from panels.pages import Page
from patching import patched
from play_helpers import ballot, sit

import nomic_nb as nb
from nomic_nb.notebook.markup.tree import OUTPUT_TAGS
from nomic_nb.notebook.panels.session import PanelHub, diff_views
from nomic_nb.notebook.panels.view_model import ViewModels
from nomic_nb.study.playouts import play_out

VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: st.dictionaries(st.text(max_size=2), inner, max_size=4) | st.lists(inner, max_size=2),
    max_leaves=20,
)
MAPPINGS = st.dictionaries(st.text(max_size=2), VALUES, max_size=5)


@examples(100)
@given(MAPPINGS, MAPPINGS)
def test_a_difference_leads_from_one_picture_to_the_other(old, new):
    assert patched(old, list(diff_views(old, new))) == new


@pytest.mark.parametrize("system", nb.rulesets().index)
@pytest.mark.slow
def test_every_picture_of_a_game_is_plain_and_follows_from_the_one_before(system, monkeypatch):
    monkeypatch.setattr(PanelHub, "_start_trials", lambda self: None)  # what is odd comes when it comes
    turns = 3 if system == "make-a-rule" else 5
    played = nb.Game(play_out(system, ["Ann", "Ben", "Cleo"], seed=5, turns=turns).timeline)
    game = nb.new_game(system, ["Ann", "Ben", "Cleo"], seed=5)
    page, kept = Page(game, "Ben"), ViewModels(game)
    seen = []
    for event in played.timeline.events:
        if not event.is_action or event.do == "begin":
            continue
        game.timeline.repeat_event(event)
        page.hub.send_changes()
        made, fresh = kept.current_view(), ViewModels(game).current_view()
        assert made.table == fresh.table == page.table
        assert made.view_for_seat("Ben", "player") == fresh.view_for_seat("Ben", "player") == page.mine
        assert json.loads(json.dumps(made.table)) == made.table  # text keys, no numbers that are not exact
        assert set(made.open) == {sign for found in made.asked.values() for sign in found}
        seen.append(made.step)
    assert len(seen) >= 10


def test_every_open_decision_is_on_its_players_page_and_on_no_other():
    game = sit("Ann", "Ben", "Cleo")
    pages = {name: Page(game, name) for name in game.players}
    game.propose("Ann", nb.enact("Be kind."))
    for page in pages.values():
        page.hub.send_changes()
    for name, page in pages.items():
        wanted = {(one.player, one.action, one.proposal) for one in game.pending.of_player(name)}
        assert {(one["player"], one["action"], one["proposal"]) for one in page.asked.values()} == wanted


def test_keys_tell_decisions_apart_and_stay_while_others_act():
    game = sit("Ann", "Ben", "Cleo")
    page = Page(game, "Cleo")
    game.propose("Ann", nb.enact("Be kind."))
    page.hub.send_changes()
    before = page.decision("vote")["key"]
    game.say("Ben", "hello")
    game.vote("Ann", "for")
    page.hub.send_changes()
    assert page.decision("vote")["key"] == before
    game.undo()
    page.hub.send_changes()
    assert page.decision("vote")["key"] != before


def test_a_throw_is_named_by_the_moment():
    game = sit("Ann", "Ben", "Cleo")
    page = Page(game, "Ann")
    game.propose("Ann", nb.enact("Be kind."))
    ballot(game)
    page.hub.send_changes()
    before = page.decision("roll")["key"]
    game.say("Ben", "a six, please")
    page.hub.send_changes()
    assert page.decision("roll")["key"] != before


def sealed():
    game = sit("Ann", "Ben", "Cleo", terms={"vote.ballots": '"sealed"'})
    everybody = [Page(game, name, hand=name) for name in game.players] + [Page(game), Page(game, role="wall")]
    return game, everybody


def told(ballots, undo):
    """All that reaches anybody in a game with these sealed ballots."""
    game, everybody = sealed()
    game.propose("Ann", nb.enact("Be kind."))
    for page, side in zip(everybody, ballots, strict=False):
        page.send({"open": True})
        page.send({"id": "b", "action": "vote", "key": page.decision("vote")["key"], "details": {"ballot": side}})
    if undo:
        for page in everybody:
            page.got.clear()
        game.undo()
    for page in everybody:
        page.send({"open": True})
        vote = page.table["proposals"]["301"]["vote"]
        assert (vote["for"], vote["against"], vote["cast"]) == (None, None, "2")
        assert vote["ballots"] == {"Ann": "sealed", "Ben": "sealed"}
    return [page.text for page in everybody]


@pytest.mark.parametrize("last", [(), ("against",)], ids=["before the close", "the close taken back"])
def test_nothing_sealed_leaves(last, monkeypatch):
    monkeypatch.setattr(PanelHub, "_start_trials", lambda self: None)  # what is odd comes when it comes
    monkeypatch.setattr(PanelHub, "_send_changes_later", lambda self: None)  # and so does what others see of a cell
    one, other = (told((*ballots, *last), bool(last)) for ballots in (("against", "for"), ("for", "against")))
    assert one == other


def test_ballots_are_shown_once_the_vote_is_closed():
    game, everybody = sealed()
    game.propose("Ann", nb.enact("Be kind."))
    ballot(game, against=("Ann",))
    for page in everybody:
        page.hub.send_changes()
        assert page.table["proposals"]["301"]["vote"]["ballots"]["Ann"] == "against"


def test_what_was_sealed_for_a_throw_stays_where_it_was_sealed():
    game = sit("Ann", "Ben", dice="committed")
    game.propose("Ann", nb.repeal(206))
    ballot(game)
    ann, ben = Page(game, "Ann"), Page(game, "Ben")
    ann.act("seal", value="my secret word")
    ben.act("seal")
    assert "my secret word" not in ann.text + ben.text
    assert game.opening("Ann").nonce not in ann.text + ben.text
    assert ann.decision("reveal")["fields"] == []  # it is known here
    ann.act("reveal")
    ben.act("reveal")
    assert game.player == "Ben"


def test_script_in_every_text_stays_text():
    evil = "<img src=x onerror=alert(1)>"
    game = nb.new_game("discordian-nomic", [evil, "Ben"], seed=7)
    page = Page(game, "Ben")
    game.propose(evil, nb.enact(f"Be {evil}.", title=evil))
    game.say("Ben", evil)
    page.hub.send_changes()

    def trees(value):
        if isinstance(value, list) and len(value) > 1 and isinstance(value[1], dict):
            yield value[0]
            for child in value[2:]:
                yield from trees(child)
        elif isinstance(value, (list, dict)):
            for one in value.values() if isinstance(value, dict) else value:
                yield from trees(one)

    assert {"div", "p"} <= set(trees(page.table)) <= OUTPUT_TAGS - {"style"}
    assert evil in json.dumps(page.table)


def test_before_a_panel_for_all_decisions_that_are_alike_tell_whose_they_are():
    game = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    table, ben = Page(game), Page(game, "Ben")
    told = [one["prompt"] for one in table.asked.values() if one["action"] == "begin_turn"]
    assert told == ["Ann: Begin a turn.", "Ben: Begin a turn.", "Cleo: Begin a turn."]
    assert ben.decision("begin_turn")["prompt"] == "Begin a turn."


def polling():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    game.host.time("2026-11-22 18:00")
    law = (
        'on said when text == "go": let seats choose verdict from ["yes", "no"] asking "Was it funny?" within 2 hours'
        ' else "no"\non said when text == "secret": let seats choose word from any text asking "What is it?" in secret;'
        ' announce "Ha"\non said when text == "later": after 2 days: award 1 points to player'
    )
    game.propose("Ann", nb.enact("We ask.", law))
    for name in game.players:
        game.vote(name, "for")
    return game


def test_a_poll_has_a_tile_for_everybody_with_what_was_answered_and_what_is_put_off_has_its_time():
    game = polling()
    game.host.absent("Cleo")
    for text in ("go", "later"):
        game.say("Ann", text)
    game.choose("Ben", "no")
    for page in (Page(game, "Ann"), Page(game, role="wall")):
        asked, _, later = page.table["polls"]
        text = json.dumps(asked)
        assert asked[2][2] == "Was it funny?"
        assert "yes \\u00b7 no, until 2026-11-22 20:00 (rule 301)" in text
        assert [[name[2], said[2]] for *_, name, said in asked[4][2:]] == [
            ["Ann", "\u2026"], ["Ben", "no"], ["Cleo", "absent"]
        ]  # fmt: skip
        assert later[2][2] == "Until 2026-11-24 18:00: award 1 points to player (rule 301)."


def test_what_is_answered_in_secret_is_on_no_tile():
    game = polling()
    game.say("Ann", "secret")
    game.choose("Ben", "a zebra")
    for page in (Page(game, "Ann"), Page(game, role="wall"), Page(game)):
        assert "answered" in json.dumps(page.table["polls"])
        assert "zebra" not in str(page.got)
