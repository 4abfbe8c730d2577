"""What the tests of play do over and over: sit down, propose, vote, throw."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
import refusals
from beginnings import new_game

import nomic_nb as nb
from nomic_nb.engine.law.nodes import View
from nomic_nb.engine.play.game_setup import GameSetup
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import RECORD_MEDIUM
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import find_ruleset

SYSTEM = "discordian-nomic"


def sit(*players, seed=7, system=SYSTEM, **more):
    """Begin a game; Ann, Ben and Cleo where nobody is named."""
    return new_game(system, players or ("Ann", "Ben", "Cleo"), seed=seed, **more)


def replay_of_a_record(players, system=SYSTEM):
    """A game in which the host acts for a record, as an audit begins it."""
    return nb.Game(Timeline(GameSetup(find_ruleset(system, language()), tuple(players), 7, medium=RECORD_MEDIUM)))


def waiting_for(game, action):
    """Who is asked for an action now, in order."""
    return [decision.player for decision in game.pending if decision.action == action]


def ballot(game, against=()):
    """Everyone who may vote does, and says yes except those named."""
    while voters := waiting_for(game, "vote"):
        game.vote(voters[0], "against" if voters[0] in against else "for")


def put(game, change, against=(), player=None):
    """Propose (as the player on turn) and vote."""
    proposal = game.propose(player or game.player, change)
    ballot(game, against)
    return proposal


def adopt(game, change, against=()):
    """Propose, vote, and see it adopted."""
    proposal = put(game, change, against)
    assert proposal.outcome == "adopted", proposal.outcome
    return proposal


def defeat(game, change):
    """Propose, vote it down, and see it defeated."""
    proposal = game.propose(game.player, change)
    ballot(game, against=game.players)
    assert proposal.outcome == "defeated"
    return proposal


def turn(game, change, against=(), face=1):
    """A whole turn: propose, vote, throw by hand."""
    proposal = put(game, change, against)
    game.roll(game.player, face)
    return proposal


def law(game, clauses, wording="So be it.", face=1):
    """A whole turn in which a rule with these clauses is adopted; its number is returned."""
    proposal = adopt(game, nb.enact(wording, law=clauses))
    game.roll(game.player, face)
    return proposal.number


def idle(game, face=1):
    """A whole turn in which a rule without clauses is adopted."""
    return law(game, "", "Nothing to see here.", face)


def majority(game, face=1):
    """A whole turn in which more than half of the voters come to be enough."""
    proposal = adopt(game, nb.library.simple_majority().change(203))
    game.roll(game.player, face)
    return proposal.number


def open_up(game, number, face=1):
    """A whole turn in which an immutable rule becomes mutable; its new number is returned."""
    proposal = adopt(game, nb.transmute(number))
    game.roll(game.player, face)
    return proposal.number


def asks(game, text, face=1):
    """A whole turn in which a rule comes that gives no answer, so that the table is asked, once somebody says “ask”."""
    return law(
        game, f'on said when text == "ask" and "{text}" != "": put points of player at 1 / (turn - turn)', face=face
    )


def judged(game, ruling="So be it.", judgment=None, **more):
    """The Judge rules, nobody is for overruling, and all let play go on."""
    found = game.judgments[judgment or len(game.judgments)]
    game.rule_on(found.judge, ruling, judgment=found.id, **more)
    while voters := waiting_for(game, "overrule"):
        game.overrule(voters[0], "against", judgment=found.id)
    while found.id in game.state.docket and (silent := waiting_for(game, "consent")):
        game.consent(silent[0], judgment=found.id)
    return game.judgments[found.id]


def by_hand(game, player, effect, rule=None):
    """A rule that only people can read is applied, some rule where none is named; whoever is asked agrees."""
    bare = next(one.number for one in game.rules if not one.law and one.tier in ("immutable", "mutable"))
    game.apply(player, bare if rule is None else rule, effect)
    agree(game)


def agree(game, answer="yes"):
    """The others say this to what is done by hand, as often as they are asked."""
    while game.state.questions and game.state.questions[0].asks_for_consent:
        game.choose(next(one.player for one in game.pending if one.action == "choose"), answer)


def scores(game):
    return {name: int(points) for name, points in game.scores.items()}


@contextmanager
def refused(game, code=None, raised=nb.IllegalAction, match=None, rule=None, opens=None, **values):
    """What happens inside is refused, says why, and leaves everything as it was."""
    digest, moments = game.state.digest(), len(game.timeline.moments)
    if isinstance(code, str):
        values |= {} if rule is None else {"rule": rule}
        kind = Exception if raised is nb.IllegalAction else raised
        with refusals.refused(code, kind, opens=opens, **values) as caught:
            yield caught
    else:
        with pytest.raises(code or values.get("error", raised), match=match) as caught:
            yield caught
        assert rule is None or caught.value.rule == rule
        assert opens is None or any(opens in option for option in caught.value.options), caught.value.options
    assert game.state.digest() == digest
    assert len(game.timeline.moments) == moments


def refusal_of(deed):
    """What a deed is refused with; None where it is done."""
    try:
        deed()
    except (nb.IllegalAction, nb.LawError) as error:
        return error
    return None


def asked_about(game, number):
    """Everyone is asked a question, and it names this rule."""
    asked = [decision for decision in game.pending if decision.action == "choose"]
    return bool(asked) and all(one.rule == number or str(number) in one.prompt for one in asked)


def evaluated(game, text):
    """What an expression comes to now."""
    state = game.state
    return state.law.language.expression(text).run(View(state, {}, state.law))


def announced(game):
    """What rules announced."""
    return [event.data["text"] for event in game.timeline.events if event.kind == "announced"]


def replayed(game, path):
    """Save and load a game; it must stay as it is."""
    game.save(path / "game.jsonl")
    assert nb.load(path / "game.jsonl").state.digest() == game.state.digest()


def begun_by_go(clauses, *players):
    """A game in which a rule asks this once somebody says go, and somebody does."""
    game = sit(*players)
    law(game, clauses)
    game.say("Ann", "go")
    return game


def adopted_by_two(system, clauses):
    """A game with two players in which a rule with these clauses was adopted, by the first of them."""
    game = sit("Ann", "Ben", system=system)
    if system == "github-nomic":
        game.begin_turn("Ann")
    number = 1 if system == "github-nomic" else None
    game.propose("Ann", nb.enact("So be it.", law=clauses), number)
    for name in ("Ann", "Ben"):
        game.vote(name, "for")
    return game


#: A number that only its owner sees.
NUMBER = 73519


def secretive():
    """A game in which Ben has a number that nobody else knows."""
    game = sit()
    law(game, f"track gold per player from 0 hidden\n"
        f'on said when text == "find": award {NUMBER} gold to player\n'
        'on said when text == "show": reveal gold of player\n'
        'on said when text == "spend": award -1 gold to player\n'
        'set dice.sides to 6 + 0 * gold(player_named("Ben"))')  # fmt: skip
    game.say("Ben", "find")
    return game
