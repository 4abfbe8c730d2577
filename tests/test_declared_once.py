"""An action that is declared and nothing else: games, rules, records, notebooks, playouts and panels know it.

And what is said where a declaration is not whole.
"""

import re
from pathlib import Path

import pytest
from panels.pages import Page
from play_helpers import law, refused, scores, sit, waiting_for

import nomic_nb as nb
from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law.slots import CellSlot, OwnerSlot
from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.play import vocabulary
from nomic_nb.engine.play.declarations import ACTIONS, EFFECTS, EVENT_KINDS, PlayerField, action, declare_event, effect
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.permissions import check_permission, refuse
from nomic_nb.engine.play.turns import fold_duty_done
from nomic_nb.engine.play.values import PLAYER, PLAYER_CASE
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.notebook.live import player_actions
from nomic_nb.notebook.live.python_source import python_event_call
from nomic_nb.notebook.panels.session import PanelHub
from nomic_nb.notebook.show.game import decision_call
from nomic_nb.study import playouts

WHO = {**PLAYER_CASE, "receiver": PLAYER}


@pytest.fixture(autouse=True)
def applause(monkeypatch):
    """Players can applaud one another, as long as a test lasts."""
    for later in ("_start_trials", "_send_changes_later"):  # it would come when the action is gone
        monkeypatch.setattr(PanelHub, later, lambda *given: None)
    actions, kinds, effects = dict(ACTIONS), dict(EVENT_KINDS), list(EFFECTS)
    told = "{0.actor} applauds {0.data[receiver]}".format
    declare_event("applauded", "a player applauded another", WHO, told=told)(fold_duty_done("applaud"))
    action("applauded", WHO, owed=True, otherwise="acts.unregulated", heard="receiver")(applaud)
    monkeypatch.setattr(
        player_actions.PlayerActions, "applaud", player_actions.action_method(ACTIONS["applaud"]), raising=False
    )
    language.cache_clear()
    yield
    for table, known in ((ACTIONS, actions), (EVENT_KINDS, kinds)):
        table.clear()
        table.update(known)
    EFFECTS[:] = effects
    language.cache_clear()


def applaud(engine: Engine, player: str, receiver: PlayerField) -> None:
    """Applaud another player."""
    if receiver == player or receiver not in engine.state.names_of_players:
        refuse(f"{player} cannot applaud {receiver}")
    env = {"player": ThingRef("player", player), "receiver": ThingRef("player", receiver)}
    check_permission(engine.state, "applaud", player, "to applaud", receiver=env["receiver"])
    engine.emit("applauded", player, env=env, receiver=receiver)


def test_rules_order_allow_forbid_and_hear_it(tmp_path):
    game = sit()
    law(game, "on applauded: award 1 points to receiver\nforbid applaud when receiver == following(player)\n"
              "on turn_begun: oblige player to applaud")  # fmt: skip
    assert waiting_for(game, "applaud") == ["Ben"]
    with refused(game, "not-allowed", what="to applaud"):
        game.applaud("Ben", "Cleo")
    before = scores(game)["Ann"]
    game.applaud("Ben", receiver="Ann")
    assert (scores(game)["Ann"], waiting_for(game, "applaud")) == (before + 1, [])
    event = next(one for one, _ in game.timeline.moments if one.kind == "applauded")
    assert "Ben applauds Ann" in game.history["what"].tolist()
    assert python_event_call(event) == "game.applaud('Ben', 'Ann')"
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def test_play_that_waits_for_it_is_not_stuck():
    game = sit()
    law(game, "track claps per game from 0\non applauded: put claps at 1\nforbid call_vote when game.claps == 0")
    game.propose("Ben", nb.enact("More."), debate=True)
    assert {(one.player, one.options) for one in game.pending if one.action == "applaud"} == {
        ("Ann", ("Ben", "Cleo")), ("Ben", ("Ann", "Cleo")), ("Cleo", ("Ann", "Ben")),
    }  # fmt: skip
    assert decision_call(next(one for one in game.pending if one.action == "applaud")) == 'game.applaud("Ann", "Ben")'
    cleo, ann = Page(game, "Cleo"), Page(game, "Ann")
    assert [(one["name"], one["type"]) for one in cleo.decision("applaud")["fields"]] == [("receiver", "player")]
    cleo.act("applaud", receiver="Ben")
    assert waiting_for(game, "call_vote") == ["Ben"]
    assert "applaud" in ann.mine["free"]
    assert ann.freely("applaud", receiver="Cleo")["said"] == "Ann applauds Cleo."


def test_playouts_do_it(monkeypatch):
    game = sit(terms={"win.points": 10**9})
    law(game, "on turn_begun: oblige player to applaud")
    monkeypatch.setattr(playouts, "begin", lambda *_, **__: game.timeline)
    assert playouts.play_out("", [], seed=1, turns=game.turn + 6).deeds["applaud"] >= 3


# ------------------------------------------------------------------------- what is not declared whole


def _double(engine, effect):
    """Double it."""


def bow(engine: Engine, player: str, receiver: PlayerField) -> None:
    """Bow to another player."""


def unsaid(engine, player):
    pass


def plain(engine: Engine, player: str, receiver: str) -> None:
    """Bow to another player."""


def gathered(declare, perform):
    """Declare something, and gather all that is declared."""
    declare(perform)
    return language()


DOUBLE = {"pattern": "double {cell} [of {who}]", "example": "double points of player", "makes": "counted"}
CELL = {"cell": CellSlot(), "who": OwnerSlot()}


@pytest.mark.parametrize(
    ("perform", "wrong", "said"),
    [
        (_double, {"cell": CellSlot()}, "_double in .* does not say what {who} takes"),
        (_double, {"pattern": "double {cell}", **CELL}, "has no {who} in its pattern"),
        (unsaid, CELL, "unsaid in .* has no docstring"),
        (_double, {"makes": "countd", **CELL}, "_double in .* makes countd, and no event"),
        (_double, {"ordered_by": "judge", **CELL}, "is ordered by judge, who is none of .*Judge"),
        (_double, CELL, "_double in .*: the file is not in the folder nomic_nb.engine.subjects"),
    ],
)
def test_an_effect_that_is_not_whole_says_where_and_what_is_missing(monkeypatch, perform, wrong, said):
    if "folder" not in said:
        monkeypatch.setattr(perform, "__module__", "nomic_nb.engine.play.ledger")
    with pytest.raises(TypeError, match=said):
        gathered(effect(**{**DOUBLE, **wrong}), perform)


@pytest.mark.parametrize(
    ("perform", "wrong", "said"),
    [
        (unsaid, {}, "unsaid in .* has no docstring"),
        (plain, {}, r"plain in .* does not say what it takes, such as PlayerField or WordsField, for \['receiver'\]"),
        (applaud, {}, "applaud in .* has the name of an action in .*test_declared_once"),
        (bow, {"makes": "bowed"}, "bow in .* makes bowed, and no event"),
        (bow, {"otherwise": "acts.unregulatd"}, "bow in .*: no key is called acts.unregulatd"),
        (bow, {"heard": "text"}, "rules cannot listen for text, since applauded binds player, receiver"),
    ],
)
def test_an_action_that_is_not_whole_says_where_and_what_is_missing(perform, wrong, said):
    with pytest.raises(TypeError, match=said):
        gathered(action(**{"makes": "applauded", **wrong}), perform)


def test_nothing_is_declared_twice():
    with pytest.raises(TypeError, match="the kind of event said is declared twice"):
        declare_event("said", told="something else")
    EFFECTS.append(EFFECTS[0])
    with pytest.raises(TypeError, match=f"the form {EFFECTS[0].name} is declared twice"):
        language()


def test_an_action_that_emits_nothing_is_no_question_of_steps():
    action("applauded", WHO)(bow)
    game = sit()
    with pytest.raises(TypeError, match="bow has emitted no event"):
        game.do("Ann", "bow", receiver="Ben")


def test_every_file_that_declares_something_is_gathered():
    folder = Path(vocabulary.__file__).parent.parent
    tables = re.compile(r"^(@effect\(|@action\(|(KEYS|FACTS|FUNCTIONS|RECORDS)\b)", re.M)
    declares = {one.stem for one in folder.rglob("*.py") if tables.search(one.read_text("utf-8"))}
    gathered = (*vocabulary.subjects_of_play(), *installed_extension().subjects)
    assert declares <= {one.__name__.rpartition(".")[2] for one in gathered}
