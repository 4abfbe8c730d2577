"""Whatever players and hosts do is written into a notebook as it was done, under every rule system."""

import pytest
from documents.test_notebook import played, same

import nomic_nb as nb
from nomic_nb.documents import to_notebook
from nomic_nb.documents.calls import event_call
from nomic_nb.play.events import Event
from nomic_nb.play.table import HOST_REPEAT, REPEAT, Table
from nomic_nb.playouts.playouts import play_out

#: What an event of each kind holds, every detail other than what is taken where nothing is said.
DATA = {
    "proposed": {"number": 9, "assigned": True, "change": nb.repeal(2).to_json(), "debate": True},
    "revised": {"number": 301, "change": nb.repeal(2).to_json()},
    "debate_ended": {"number": 301},
    "balloted": {"number": 301, "ballot": "against"},
    "vote_ended": {"number": 301},
    "thrown": {"face": 4, "by_hand": True},
    "committed": {"commitment": "c0ffee"},
    "revealed": {"value": "7", "nonce": "ab"},
    "chosen": {"option": "white"},
    "answered": {"answer": "yes", "question": 12},
    "asked_again": {"key": "win.points"},
    "said": {"text": "please"},
    "free_act": {"text": "hums"},
    "deed": {"who": "Ben", "name": "humming"},
    "gave": {"receiver": "Ben", "amount": 2, "counter": "gold"},
    "applied": {"number": 210, "effect": "end play"},
    "judgment_invoked": {"text": "Is it?", "proposal": 301},
    "ruled": {"text": "It is.", "reasons": "So.", "numbers": [116], "orders": ["end play"], "judgment": 3},
    "overrule_balloted": {"ballot": "against", "judgment": 3},
    "consented": {"ballot": "against", "judgment": 3},
    "agreed": {"answer": "no", "number": 301},
    "attempted": {"did": "vote", "details": {"ballot": "for", "proposal": 301}},
    "pushed": {"text": "white.e2-white.e4", "push": ["white", "yellow"]},
    "absent": {"who": "Ben"},
    "returned": {"who": "Ben"},
    "overdue": {"who": "Ben"},
    "annotated": {"text": "Well.", "nag": "!", "at": 5},
    "corrected": {"effect": "end play", "agreed": ["Ann", "Ben"], "reason": "so"},
}
WITHOUT_DATA = {"turn_begun", "finished", "skipped", "forfeited", "paused", "resumed"}
SYSTEMS = ("nomic-chess", "discordian-nomic", "cabinet-nomic", "github-nomic")


def test_a_sample_of_every_kind():
    assert set(DATA) | WITHOUT_DATA == set(REPEAT) | set(HOST_REPEAT)


class Asked(Exception):  # noqa: N818 - no fault
    """What a call came to."""


@pytest.mark.parametrize("kind", sorted(set(REPEAT) | set(HOST_REPEAT)))
def test_a_call_asks_for_all_that_was_done(kind, monkeypatch):
    def do(_, *asked):
        raise Asked(*asked)

    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    data, host = DATA.get(kind, {}), kind in HOST_REPEAT
    action, details = (HOST_REPEAT if host else REPEAT)[kind](data)
    monkeypatch.setattr(Table, "do", do)
    monkeypatch.setattr(Table, "host", do)
    event = Event(9, 1, 1, None, None if host else "Ann", kind, data, action=True)
    with pytest.raises(Asked) as asked:
        eval(event_call(event), {"nb": nb, "game": game})  # noqa: S307
    *who, done, given = asked.value.args
    assert (who, done) == ([] if host else ["Ann"], action)
    assert {name: given[name] for name in details} == details
    assert not any(value for name, value in given.items() if name not in details)


@pytest.mark.parametrize("ruleset", SYSTEMS)
@pytest.mark.parametrize("seed", range(4))
def test_games_of_every_system_are_played_again(ruleset, seed):
    game = play_out(ruleset, ["Ann", "Ben", "Cleo"][: 2 + seed % 2], seed, turns=6).game
    assert same(game, played(to_notebook(game)))


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
