"""An action that is declared and nothing else: games, rules, records, notebooks, playouts and panels know it."""

import pytest
from panels.pages import Page
from play_helpers import law, refused, scores, sit, waiting_for

import nomic_nb as nb
from nomic_nb.law.values import Ref
from nomic_nb.live import acts
from nomic_nb.live.calls import event_call
from nomic_nb.panels.hub import Hub
from nomic_nb.play.cases import BY, PLAYER
from nomic_nb.play.declaring import ACTIONS, KINDS, Somebody, action, happens
from nomic_nb.play.duties import did
from nomic_nb.play.engine import Engine
from nomic_nb.play.permission import check_permission, refuse
from nomic_nb.play.vocabulary import language
from nomic_nb.playouts import playouts
from nomic_nb.show.game import call

WHO = {**BY, "receiver": PLAYER}


@pytest.fixture(autouse=True)
def applause(monkeypatch):
    """Players can applaud one another, as long as a test lasts."""
    for later in ("_try_out", "_soon"):  # it would come when the action is gone
        monkeypatch.setattr(Hub, later, lambda *given: None)
    actions, kinds = dict(ACTIONS), dict(KINDS)
    told = "{0.actor} applauds {0.data[receiver]}".format
    happens("applauded", "a player applauded another", WHO, told=told)(did("applaud"))
    action("applauded", WHO, owed=True, otherwise="acts.unregulated", heard="receiver")(applaud)
    monkeypatch.setattr(acts.Acts, "applaud", acts.as_method(ACTIONS["applaud"]), raising=False)
    language.cache_clear()
    yield
    for table, known in ((ACTIONS, actions), (KINDS, kinds)):
        table.clear()
        table.update(known)
    language.cache_clear()


def applaud(engine: Engine, player: str, receiver: Somebody) -> None:
    """Applaud another player."""
    if receiver == player or receiver not in engine.state.playing:
        refuse(f"{player} cannot applaud {receiver}")
    env = {"player": Ref("player", player), "receiver": Ref("player", receiver)}
    check_permission(engine.state, "applaud", player, "to applaud", receiver=env["receiver"])
    engine.emit("applauded", player, env=env, receiver=receiver)


def test_rules_order_allow_forbid_and_hear_it(tmp_path):
    game = sit()
    law(game, "on applauded: award 1 points to receiver\nforbid applaud when receiver == following(player)\n"
              "on turn_begun: oblige player to applaud")  # fmt: skip
    assert waiting_for(game, "applaud") == ["Ben"]
    with refused(game, match="is not allowed to applaud"):
        game.applaud("Ben", "Cleo")
    before = scores(game)["Ann"]
    game.applaud("Ben", receiver="Ann")
    assert (scores(game)["Ann"], waiting_for(game, "applaud")) == (before + 1, [])
    event = next(one for one, _ in game.timeline.moments if one.kind == "applauded")
    assert "Ben applauds Ann" in game.history["what"].tolist()
    assert event_call(event) == "game.applaud('Ben', 'Ann')"
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def test_play_that_waits_for_it_is_not_stuck():
    game = sit()
    law(game, "track claps per game from 0\non applauded: put claps at 1\nforbid call_vote when game.claps == 0")
    game.propose("Ben", nb.enact("More."), debate=True)
    assert {(one.player, one.options) for one in game.pending if one.action == "applaud"} == {
        ("Ann", ("Ben", "Cleo")), ("Ben", ("Ann", "Cleo")), ("Cleo", ("Ann", "Ben")),
    }  # fmt: skip
    assert call(next(one for one in game.pending if one.action == "applaud")) == 'game.applaud("Ann", "Ben")'
    cleo, ann = Page(game, "Cleo"), Page(game, "Ann")
    assert [(one["name"], one["type"]) for one in cleo.decision("applaud")["fields"]] == [("receiver", "player")]
    cleo.act("applaud", receiver="Ben")
    assert waiting_for(game, "call_vote") == ["Ben"]
    assert "applaud" in ann.mine["free"]
    assert ann.freely("applaud", receiver="Cleo")["said"] == "Ann applauds Cleo."


def test_playouts_do_it(monkeypatch):
    game = sit(terms={"win.points": 10**9})
    law(game, "on turn_begun: oblige player to applaud")
    monkeypatch.setattr(playouts, "new_game", lambda *_, **__: game)
    assert playouts.play_out("", [], seed=1, turns=game.turn + 6).deeds["applaud"] >= 3
