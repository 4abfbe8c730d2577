"""A table at which any of the rule sets is played the same way: propose, vote, finish the turn."""

from __future__ import annotations

import re
from copy import copy

from beginnings import new_game
from play_helpers import refusal_of, waiting_for

import nomic_nb as nb

#: How many numbers lower a rule of GitHub Nomic is than its counterpart in the others.
LOWER = {range(101, 117): 317, range(201, 210): 313, range(211, 214): 314}

LIMIT = 400


class Waits(Exception):  # noqa: N818
    """Play waits for the table's answer."""


def numbered(system, number):
    """The number that the counterpart of a rule has in a set."""
    if system != "github-nomic":
        return number
    return next((number - less for which, less in LOWER.items() if number in which), number)


class Sitting:
    """A game under way, and what people do in it over and over."""

    def __init__(self, system, players=("Ann", "Ben", "Cleo"), **more):
        self.system = system
        self.game = new_game(system, players, seed=7, **more)
        self.probe = None  # the proposal by which the hostile rule came in
        self._turn = 0  # the one in which was proposed last

    def fork(self):
        """A sitting that goes on from here; this one stays as it is."""
        other = copy(self)
        other.game = self.game.fork()
        return other

    def numbered(self, number):
        return numbered(self.system, number)

    def says(self, clauses):
        """Clauses with <203> made the number that this rule has here."""
        return re.sub(r"<(\d+)>", lambda found: str(self.numbered(int(found[1]))), clauses)

    # Changes, with the numbers of the other sets

    def enact(self, clauses="", wording="So be it."):
        return nb.enact(wording, law=self.says(clauses))

    def amend(self, number, clauses="", wording="So it shall be."):
        return nb.amend(self.numbered(number), wording, law=self.says(clauses))

    def repeal(self, number):
        return nb.repeal(self.numbered(number))

    def transmute(self, number):
        return nb.transmute(self.numbered(number))

    # Turns

    @property
    def asked(self):
        """Whether the table is asked something."""
        return bool(self.game.state.questions)

    def heed(self):
        if self.asked:
            raise Waits(self.game.state.questions[0].text)

    def begin(self, player=None):
        """Go on until somebody is to propose (this player, where one is named); who it is."""
        for _ in range(LIMIT):
            self.heed()
            assert not self.game.over, self.game.result
            proposing = waiting_for(self.game, "propose")
            if proposing and player in (None, *proposing):
                return player or proposing[0]
            starting = waiting_for(self.game, "begin_turn")
            if starting and player in (None, *starting):
                self.game.begin_turn(player or min(starting, key=lambda one: self.game.state.players[one].turns))
            else:
                self._go_on()
        raise AssertionError(f"nobody comes to propose: {self.game.pending}")

    def _go_on(self):
        """Do the first thing that is owed, in a way that changes little."""
        game = self.game
        owed = next((one for one in game.pending if one.must), None)
        assert owed is not None, f"nothing is owed: {game.pending}"
        if owed.action == "propose":
            game.propose(owed.player, self.enact(), number=self._next())
        elif owed.action == "vote":
            game.vote(owed.player, "for", owed.proposal)
        elif owed.action == "roll":
            game.roll(owed.player, 1)
        elif owed.action == "move":
            game.move(owed.player, owed.options[0])
        else:
            game.choose(owed.player, owed.options[-1], owed.id)

    def _next(self):
        """The number to give, where others number proposals."""
        if self.game.law["proposal.numbering"].value != "assigned":
            return None
        return 1 + max((one for one in self.game.state.proposals if isinstance(one, int)), default=0)

    def propose(self, change, player=None, **more):
        """Propose, once it is somebody's turn to."""
        who = self.begin(player)
        self._turn = next(turn.number for turn in self.game.turns if turn.player == who)
        return self.game.propose(who, change, number=self._next(), **more)

    def vote(self, proposal, against=()):
        """Everyone who may vote does; the proponent closes what is still open then."""
        self.heed()
        while proposal.outcome == "open" and (
            voters := [one for one in self.game.pending if one.action == "vote" and one.proposal == proposal.number]
        ):
            self.game.vote(voters[0].player, "against" if voters[0].player in against else "for", proposal.number)
            self.heed()
        if proposal.outcome == "open":
            self.game.close_vote(proposal.proponent, proposal.number)
        return proposal

    def put(self, change, against=(), player=None):
        """Propose and vote."""
        return self.vote(self.propose(change, player), against)

    def finish(self):
        """Go on until the turn in which was proposed last is over."""
        for _ in range(LIMIT):
            if self.asked or self.game.over or all(turn.number != self._turn for turn in self.game.turns):
                return
            self._go_on()
        raise AssertionError(f"the turn does not end: {self.game.pending}")

    def turn(self, change, against=(), player=None):
        """A whole turn."""
        proposal = self.put(change, against, player)
        self.finish()
        return proposal

    def idle(self, count=1, against=()):
        """So many turns in which nothing much happens."""
        for _ in range(count):
            self.turn(self.enact("", "Nothing to see here."), against)

    def does(self, deed):
        """Whether a deed is done and not refused."""
        refusal = refusal_of(deed)
        self.heed()
        return refusal is None
