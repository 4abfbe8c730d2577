"""Whatever players and hosts do is written into a notebook as it was done, under every rule system."""

import ast
import inspect

import pytest
from documents.test_notebook import played, same

import nomic_nb as nb
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Decision
from nomic_nb.notebook.documents import to_notebook
from nomic_nb.notebook.live.python_source import python_event_call
from nomic_nb.notebook.show.game import decision_call
from nomic_nb.study.playouts import play_out

#: The details of actions, each other than what is taken where nothing is said; of any other, an example.
DETAILS = {
    "propose": {"number": 9, "change": nb.repeal(2), "debate": True, "rule_number": 4},
    "revise": {"proposal": 301, "change": nb.repeal(2)},
    "call_vote": {"proposal": 301},
    "vote": {"proposal": 301, "ballot": "against"},
    "agree": {"proposal": 301, "answer": "no"},
    "close_vote": {"proposal": 301},
    "roll": {"value": 4},
    "seal": {"commitment": "c0ffee"},
    "reveal": {"value": "7", "nonce": "ab"},
    "choose": {"option": "yes", "decision": 12, "agreed": ["Ben"]},
    "ask_again": {"key": "win.points"},
    "give": {"receiver": "Ben", "amount": 2, "counter": "gold"},
    "apply": {"rule": 210, "effect": "end play"},
    "invoke_judgment": {"question": "Is it?", "proposal": 301},
    "rule_on": {"ruling": "It is.", "reasons": "So.", "rests_on": [116], "orders": "end play", "judgment": 3},
    "overrule": {"ballot": "against", "judgment": 3},
    "consent": {"ballot": "against", "judgment": 3},
    "move": {"text": "white.e2-white.e4", "push": ["white", "yellow"]},
    "annotate": {"text": "Well.", "nag": "!", "at": 5},
    "set_up": {"position": {"white": "Ke1*"}, "agreed": ["Ann", "Ben"], "reason": "so"},
    "correct": {"effect": "end play", "agreed": ["Ann", "Ben"], "reason": "so"},
    "set_aside": {"reason": "so", "agreed": ["Ann", "Ben"]},
    "record_proposal": {"who": "Ben", "change": nb.enact("Hello."), "number": 9, "rule_number": 4},
    "record_outcome": {
        "proposal": 301,
        "adopted": True,
        "reason": "so",
        "in_favour": ["Ann"],
        "against": ["Ben"],
        "abstained": ["Cy"],
    },
}
SYSTEMS = ("nomic-chess", "discordian-nomic", "cabinet-nomic", "github-nomic", "make-a-rule")


class Asked(Exception):  # noqa: N818 - no fault
    """What a call came to."""


@pytest.mark.parametrize("action", [*ACTIONS, *HOST_ACTIONS])
def test_a_call_asks_for_all_that_was_done(action, monkeypatch):
    def do(_, *asked):
        raise Asked(*asked)

    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    deed, host = {**ACTIONS, **HOST_ACTIONS}[action], action in HOST_ACTIONS
    details = DETAILS.get(action, {name: takes.example or "Ben" for name, takes in deed.fields_to_choose.items()})
    monkeypatch.setattr(Timeline, "do", do)
    monkeypatch.setattr(Timeline, "do_as_host", do)
    event = Event(9, 1, 1, None, None if host else "Ann", deed.makes, do=action, details=deed.to_record(details))
    with pytest.raises(Asked) as asked:
        eval(python_event_call(event), {"nb": nb, "game": game})  # noqa: S307
    *who, done, given = asked.value.args
    assert (who, done) == ([] if host else ["Ann"], action)
    assert {name: given[name] for name in details} == details
    assert not any(value for name, value in given.items() if name not in details)


@pytest.mark.parametrize("action", [*ACTIONS])
def test_the_line_that_answers_a_decision_calls_what_there_is(action):
    taken = inspect.signature(getattr(nb.Game, action)).parameters
    said = decision_call(Decision("Ann", action, "?", (), None, 301, 3))
    made = ast.parse(said.replace("…", "0"), mode="eval").body
    assert made.func.attr == action
    needed = [one.name for one in taken.values() if one.default is one.empty][1:]
    given = {*list(taken)[1 : len(made.args) + 1], *(one.arg for one in made.keywords)}
    assert set(needed) <= given <= set(taken)


@pytest.mark.parametrize("ruleset", SYSTEMS)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.slow
def test_games_of_every_system_are_played_again(ruleset, seed):
    turns = 3 if ruleset == "make-a-rule" else 6
    game = nb.Game(play_out(ruleset, ["Ann", "Ben", "Cleo"][: 2 + seed % 2], seed, turns=turns).timeline)
    assert same(game, played(to_notebook(game)))


@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_comments_of_every_system_are_kept(ruleset):
    game = nb.Game(play_out(ruleset, ["Ann", "Ben"], 1, turns=4).timeline)
    game.annotate("Well, “well”:\n\n- it's\n- \\(so\\)", "!?", turn=1)
    game.annotate("Gone.", at=3)
    game.withdraw_comment(game.comments.index[1])
    game.edit_comment(game.comments.index[0], "Otherwise.", "□")
    if game.state.position is not None and len(game.moves):
        square = game.moves.iloc[0]["to"]
        game.annotate("", "!", ply=1, squares=[f"red {square}"], arrows=[f"{square}-{square}"])
    game.undo()
    game.annotate("Here it goes on.")
    again = played(to_notebook(game))
    assert same(game, again)
    assert again.fingerprint == game.fingerprint
    assert again.comments.equals(game.comments)


def test_a_chess_move_is_in_the_notebook():
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.enact("Hello."))
    for name in game.players:
        game.vote(name, "for")
    game.move("Ann", "white.e2-white.e4", push="white+yellow")
    again = played(to_notebook(game))
    assert same(game, again)
    assert again.player == "Ben"


def test_sealed_and_revealed_throws_are_played_again():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, dice="committed")
    game.propose("Ann", nb.repeal(206))
    for name in game.players:
        game.vote(name, "for")
    for name in game.players:
        game.seal(name)
    game.reveal("Ann")
    game.host.overdue("Ben")
    assert same(game, played(to_notebook(game)))
