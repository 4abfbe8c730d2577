"""What public functions and methods say of arguments that they do not take: one sentence, by an error of the kit."""

from __future__ import annotations

import inspect
import json
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from often import examples
from panels.pages import Page
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.errors import PlainRefusal
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS

NAMES = ["Ann", "Ben"]
#: What nobody should give, and a few things that can be right, so that what stands behind them is reached.
JUNK = st.sampled_from(
    [None, 0, -1, 302, 10**30, True, 1.5, float("nan"), "", "Ann", "for", "203", "no such", "a\0b", "\ud800",
     "x" * 5_000, [], ["Ann"], [None], {}, {"a": 1}, (1, 2), {1, 2}, b"x", object(), int,
     nb.enact("Be kind."), nb.library]
)  # fmt: skip
LOOKED_UP = ("rules", "law", "proposals", "judgments", "ledger", "pending", "tables", "forks")
QUIET = examples(40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def methods(owner):
    return [name for name, one in inspect.getmembers(owner, inspect.isfunction) if not name.startswith("_")]


GAME = [name for name in methods(nb.Game) if name != "serve" and not name.endswith("panel")]
PUBLIC = [name for name in nb.__all__ if inspect.isfunction(getattr(nb, name)) and name not in ("serve", "start")]


@pytest.fixture(scope="module")
def table():
    """A game with boards, in which anything may have been done."""
    return nb.new_game("nomic-chess", NAMES, seed=7)


def plainly(act, *given, **named):
    try:
        act(*given, **named)
    except PlainRefusal as error:
        said = str(error)
        assert said
        assert "positional" not in said
        assert "argument" not in said


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@QUIET
@given(data=st.data())
def test_public_functions_say_plainly_what_they_do_not_take(folder, data):
    act = getattr(nb, data.draw(st.sampled_from([*PUBLIC, "open", "help"])))
    given = data.draw(st.lists(JUNK, max_size=len(inspect.signature(act).parameters) + 1))
    plainly(act, *given, **data.draw(st.dictionaries(st.sampled_from(["nonsense", "seed", "law"]), JUNK, max_size=1)))


@QUIET
@given(data=st.data())
def test_methods_of_a_game_say_plainly_what_they_do_not_take(table, folder, data):
    owner, names = data.draw(st.sampled_from([(table, GAME), (table.host, methods(type(table.host)))]))
    act = getattr(owner, data.draw(st.sampled_from(names)))
    given = data.draw(st.lists(JUNK, max_size=len(inspect.signature(act).parameters) + 1))
    if given and "player" in inspect.signature(act).parameters:
        given[0] = data.draw(st.sampled_from(["Ann", given[0]]))
    plainly(act, *given, **data.draw(st.dictionaries(st.sampled_from(["nonsense", "title"]), JUNK, max_size=1)))


@QUIET
@given(name=st.sampled_from(LOOKED_UP), key=JUNK)
def test_what_is_looked_up_and_is_not_there_is_said_plainly(table, name, key):
    plainly(getattr(table, name).__getitem__, key)


@pytest.mark.parametrize(
    ("act", "code", "values"),
    [
        (
            lambda game: game.say("Ann"),
            "wrong-arguments",
            {"name": "say", "takes": "player and text", "found": "text is missing"},
        ),
        (
            lambda game: game.say("Ann", "a", "b"),
            "wrong-arguments",
            {"name": "say", "takes": "player and text", "found": "found 3 without a name"},
        ),
        (
            lambda game: game.say("Ann", "a", text="b"),
            "wrong-arguments",
            {"name": "say", "takes": "player and text", "found": "text was given twice"},
        ),
        (
            lambda game: game.vote("Ann", "for", when=3),
            "wrong-arguments",
            {"name": "vote", "takes": "player, ballot and proposal", "found": "not when"},
        ),
        (lambda game: game.at("then"), "event-unknown", {"last": 8, "found": "then"}),
        (
            lambda game: game.choose("Ann", 1, agreed=5),
            "argument-of-another-kind",
            {"name": "agreed", "kind": "a list of texts", "found": "5"},
        ),
        (
            lambda game: game.pushed("white", "nowhere"),
            "board-not-there",
            {"board": "nowhere", "boards": "white, yellow"},
        ),
        (lambda game: game.pending[9], "no-such-decision", {"place": 9, "known": "there are 1, from [0] to [0]"}),
        (lambda game: game.save("no/such/folder/game.jsonl"), "not-writable", {}),
        (lambda game: game.save("a\0b"), "file-name-unfit", {}),
        (lambda game: game.to_html(nonsense=1), "wrong-arguments", {"name": "Edition", "found": "not nonsense"}),
        (lambda game: nb.load("nowhere.jsonl"), "file-missing", {"path": "'nowhere.jsonl'"}),
        (lambda game: nb.enact(5), "argument-of-another-kind", {"name": "wording", "kind": "a text", "found": "5"}),
        (
            lambda game: nb.library.points_to_win(nonsense=1),
            "wrong-arguments",
            {"name": "points_to_win", "takes": "points", "found": "not nonsense"},
        ),
        (
            lambda game: game.tabel,
            "name-not-there",
            {"what": "a game", "name": "'tabel'", "near": "tables or take or trial"},
        ),
        (
            lambda game: nb.library.points_to_wim,
            "name-not-there",
            {"near": "points_to_win or points_for_money or no_points_below"},
        ),
    ],
)
def test_one_sentence_says_what_would_be_right(folder, act, code, values):
    with refused(code, **values):
        act(nb.new_game("nomic-chess", NAMES, seed=7))


def test_a_fault_of_the_kit_is_not_taken_for_a_wrong_argument(table, monkeypatch):
    monkeypatch.setattr("nomic_nb.engine.play.timeline.Timeline.do", lambda *_: {}["a fault"])
    with pytest.raises(KeyError, match="a fault") as error:
        table.say("Ann", "hello")
    assert not isinstance(error.value, PlainRefusal)


def test_do_takes_a_ready_made_rule_and_another_name_as_propose_does():
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    game.do("Ann", "propose", change=nb.library.points_to_win(50))
    assert game.proposals[301].change.title == "50 points to win"


#: Words of Python's own messages, which nobody at a phone should read.
PYTHON = (
    "positional",
    "argument",
    "NoneType",
    "object has",
    "unhashable",
    "Acts.",
    "supported",
    "went wrong in the program",
)
FIELDS = sorted({name for deed in (*ACTIONS.values(), *HOST_ACTIONS.values()) for name in deed.fields} | {"nonsense"})
GIVEN = [None, 0, True, "", "x", "Ann", [], [None], {}, {"kind": "enact"}, {"kind": "amend", "target": None}]
DETAILS = st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(GIVEN), max_size=3)


@QUIET
@given(
    action=st.sampled_from([*ACTIONS, *HOST_ACTIONS, "undo", "fork", "nonsense", "save", "__init__"]), details=DETAILS
)
def test_no_message_of_a_seat_is_answered_in_the_words_of_python(table, action, details):
    page = Page(table, "Ann")
    keys = [one["key"] for one in page.mine["decisions"].values() if one["action"] == action]
    for key in [{}, *({"key": one} for one in keys)]:
        got = page.send({"id": f"{action} {len(key)}", "action": action, "details": details, **key})
        said = json.dumps({name: one for name, one in got.items() if name != "code"})
        assert not any(word in said for word in PYTHON), said
    page.hub.remove_viewer(page.viewer)


def test_an_unknown_action_is_not_said_to_have_been_decided_meanwhile(table):
    page = Page(table, "Ann")
    assert page.send({"id": "n", "action": "nonsense", "details": {}})["code"] == "action-unknown"


def test_a_field_that_is_null_is_as_if_it_had_not_been_said():
    page = Page(nb.new_game("discordian-nomic", NAMES, seed=7), "Ann")
    change = {"kind": "enact", "wording": "Be kind.", "law": None, "target": None, "title": None, "part": None}
    assert "done" in page.act("propose", change=change)


def test_numbers_of_a_frame_are_numbers():
    """What pandas or NumPy counts is an integer of its own, and means the same number."""
    number = np.int64
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    proposal = game.propose(game.player, nb.repeal(number(206)))
    end = number(len(game.history))
    game.vote(game.player, "for", proposal=number(proposal.number))
    assert game.at(end).state.digest() == game.fork(at=end).state.digest()
    assert str(game.redline(end)) == str(game.redline(int(end)))
    game.annotate("Well.", proposal=number(proposal.number))
    game.undo(to=end)
    assert [decision.player for decision in game.pending if decision.action == "vote"] == NAMES


@pytest.mark.parametrize("key", [5.5, None, ["vote.quota"]])
def test_a_key_of_the_law_that_is_no_text_is_refused(key):
    law = nb.new_game("discordian-nomic", NAMES, seed=7).law
    with refused("argument-of-another-kind", TypeError, name="key", kind="a text"):
        law[key]


@pytest.mark.parametrize(
    ("name", "where"),
    [("position", "nb.multiverse.position"), ("Board", "nb.multiverse.Board"), ("sensible", "nb.players.sensible"),
     ("propose", "game.propose")],
)  # fmt: skip
def test_a_name_that_is_elsewhere_is_named_there(name, where):
    with refused("name-is-elsewhere", where=where):
        getattr(nb, name)
    assert not hasattr(nb, name)
    for package in ("nomic_nb", "nomic_nb.chess"):
        with pytest.raises(ImportError, match=re.escape(f"{package} has no {name!r}; it is {where}")):
            exec(f"from {package} import {name}", {})  # noqa: S102 - the statement is the test


def test_a_name_that_is_nowhere_gets_no_place():
    with refused("name-not-there"):
        nb.positoin_xyz  # noqa: B018
    with pytest.raises(ImportError, match="has no attribute 'nowhere'"):
        exec("from nomic_nb.chess import nowhere", {})  # noqa: S102
    assert {"from_ini", "player", "position"} <= set(dir(nb.multiverse))
