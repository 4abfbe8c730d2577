"""What the tests of ready-made rules share: a game in any rule set, played on by whoever is asked."""

from __future__ import annotations

from functools import cache

from beginnings import new_game

import nomic_nb as nb
from nomic_nb.study.playouts import EXAMPLE_SPEECH

SYSTEMS = ("discordian-nomic", "cabinet-nomic", "github-nomic")
#: The same, and a game with boards.
ALL_SYSTEMS = (*SYSTEMS, "nomic-chess")
#: Rules of each system that ready-made rules are made to amend or need out of the way.
NUMBERS = {
    "discordian-nomic": {"quota": 203, "electorate": 105, "adoption": 104, "dissent": 204},
    "cabinet-nomic": {"quota": 203, "electorate": 105, "adoption": 104, "dissent": 204},
    "github-nomic": {"quota": -110, "electorate": -212, "adoption": -213, "dissent": -109},
}


@cache
def rules():
    """Every ready-made rule as it is by itself, by name."""
    return {one.name: one.rule for one in nb.library.catalogue}


class Playing:
    """A game in which everyone does what is asked, and votes in favour unless told otherwise."""

    def __init__(self, system="discordian-nomic", players=("Ann", "Ben", "Cleo"), **more):
        self.game = new_game(system, players, seed=7, **more)
        self.system = system
        self.numbered = system == "github-nomic"
        self.notes = 0
        #: What is proposed next, the first first; notes where there is nothing.
        self.changes = []
        #: Who votes against, which face is thrown by hand, what is chosen from.
        self.against = set()
        self.face = 2
        self.chosen = {}

    def forked(self):
        """The same game in a fork, with nothing done for it yet."""
        other = Playing.__new__(Playing)
        vars(other).update(vars(self), game=self.game.fork(), changes=[], against=set(), chosen={})
        return other

    def next_number(self):
        numbers = [one for one in self.game.state.proposals if isinstance(one, int)]
        return max([0, *numbers]) + 1

    def propose(self, player, change):
        number = self.next_number() if self.numbered else None
        return self.game.propose(player, change, number=number)

    def answer(self, decision):
        """Do what one decision asks for."""
        game = self.game
        player = decision.player or game.players[0]
        if decision.action in ("move", "choose") and any(EXAMPLE_SPEECH in one.law for one in game.rules):
            game.say(player, EXAMPLE_SPEECH)
        match decision.action:
            case "propose":
                self.notes += 1
                change = self.changes.pop(0) if self.changes else nb.enact(f"Note {self.notes}.")
                self.propose(player, change)
            case "vote":
                game.vote(player, "against" if player in self.against else "for", decision.proposal)
            case "roll":
                sides = game.state.waiting[0].sides
                game.roll(player, min(self.face, sides) if self.face else None)
            case "choose":
                wanted = self.chosen.get(player)
                game.choose(player, wanted if wanted in decision.options else decision.options[0])
            case "move":
                game.move(player, decision.options[0])
            case "say":
                game.say(player, "Well.")
            case "seal":
                game.seal(player, "a word")
            case "begin_turn" | "end_turn" | "skip" | "reveal":
                getattr(game, decision.action)(player)
            case "agree" | "call_vote" | "close_vote":
                game.do(player, decision.action, proposal=decision.proposal)
            case _:
                raise AssertionError(decision)

    @property
    def asked(self):
        """The decisions that play waits for, and first of all the votes, whether anybody must vote or not."""
        found = list(self.game.pending)
        proposals = self.game.state.proposals
        votes = [
            one for one in found if one.action == "vote" and one.player in proposals[one.proposal].vote.silent_voters
        ]
        return votes + [one for one in found if one.must and one not in votes]

    def step(self):
        """Do the first thing that is asked for; with turns at will, players begin them in turn."""
        asked = self.asked
        beginning = [one for one in asked if one.action == "begin_turn"]
        if beginning and len(beginning) == len(asked):
            turns = self.game.state.players
            asked = sorted(beginning, key=lambda one: turns[one.player].turns)
        self.answer(asked[0])

    def turns(self, count=1, most=400):
        """Play until so many more turns have ended."""
        goal = self.game.state.ended + count
        for _ in range(most):
            if self.game.over or self.game.state.ended >= goal:
                return self
            self.step()
        raise AssertionError(f"no end in sight: {list(self.game.pending)}")

    def until(self, action, player=None):
        """Play until somebody is asked for an action."""
        for _ in range(400):
            if any(one.action == action and player in (None, one.player) for one in self.asked):
                return self
            self.step()
        raise AssertionError(f"nobody is asked to {action}")

    def law(self, change):
        """Have a change adopted in the next turn, and play the turn to its end; return the proposal."""
        self.changes.insert(0, change.change() if isinstance(change, nb.library.LibraryRule) else change)
        number = None
        goal = self.game.state.ended + 1
        while self.game.state.ended < goal and not self.game.over:
            self.step()
            if number is None and not self.changes:
                number = next(reversed(self.game.state.proposals))
        proposal = self.game.proposals[number]
        assert proposal.outcome == "adopted", proposal.outcome
        return proposal

    def amended(self, what, rule):
        """Have the rule on something amended by a ready-made one; an immutable one is made mutable first."""
        number = NUMBERS[self.system][what]
        if self.game.rules[number].tier == "immutable":
            number = self.law(nb.transmute(number)).number
        return self.law(rule.change(number))

    @property
    def outcome(self):
        """What became of the last proposal."""
        return self.game.proposals[next(reversed(self.game.state.proposals))].outcome

    @property
    def scores(self):
        return {name: int(points) for name, points in self.game.scores.items()}

    def holder(self, office):
        """Who holds an office."""
        return self.game.tables[office]["value"][0]

    def counted(self, counter):
        return {name: int(held) for name, held in self.game.counters[counter].items()}
