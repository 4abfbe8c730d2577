"""How the worst laws are played: proposed, reviewed, voted for by all, lived with, saved and loaded."""

from __future__ import annotations

import signal
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from speed.worst_laws import NAMES, WorstLaw

import nomic_nb as nb

#: So that nobody wins before it hurts.
TERMS = {"discordian-nomic": {"win.points": 10**9}}
#: What changes nothing, and can be broken off while the game goes on.
LOOKING = ("review", "load")


class TooLong(BaseException):
    """An action was broken off."""


@contextmanager
def at_most(seconds: float):
    """Break off what takes longer: nothing in between can catch it."""

    def stop(*_):
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Living:
    """A game under one of the worst laws.

    Parameters
    ----------
    worst : WorstLaw
    around : callable
        Takes the name of an action and what does it; does it, and looks at it as it likes.
    """

    def __init__(self, worst: WorstLaw, around) -> None:
        self.worst, self.around, self.looking = worst, around, LOOKING
        self.game = nb.new_game(worst.system, list(NAMES[: worst.players]), seed=7, terms=TERMS.get(worst.system))

    def play(self) -> None:
        """Adopt the laws, go on for a few decisions, and load what was saved."""
        for _ in range(self.worst.notes):
            self.propose_in_vain()
        first = None
        for law in self.worst.laws:
            if self.worst.beside is None or first is None:
                change = nb.enact("So be it.", law=law)
            else:
                change = nb.amend(first, "And so.", law=law, add=True)
            first = self.adopt(change)
        for _ in range(self.worst.most):
            if self.game.over:
                break
            self.answer(nb.enact("Another note."))
        if "load" not in self.looking:
            return
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.jsonl"
            self.game.save(path)
            self.around("load", lambda: nb.load(path))

    def propose_in_vain(self) -> None:
        """Play a turn in which a note is voted down."""
        game = self.game
        player = game.player
        game.propose(player, nb.enact("A note."))
        for name in game.players:
            game.vote(name, "against")
        game.roll(player)

    def adopt(self, change):
        """Have a change adopted, and return the number that the rule has then."""
        before = len(self.game.state.proposals)
        while True:
            made = list(self.game.state.proposals)[before:]
            if made and not self.game.state.proposals[made[0]].is_open:
                return made[0]
            self.answer(change)

    def answer(self, change) -> None:
        """Answer the first open decision."""
        game = self.game
        found = self.around("what is open", lambda: list(game.pending))
        one = next(one for one in found if one.must)
        match one.action:
            case "propose":
                if change.law and "review" in self.looking:
                    self.around("review", lambda: str(game.review(one.player, change)))
                self.around("propose", lambda: game.propose(one.player, change))
            case "vote":
                self.around("vote", lambda: game.vote(one.player, "for", one.proposal))
            case "choose":
                asked = game.state.questions[0] if game.state.questions else None
                free = '"W"' if asked is not None and asked.key else "we leave it out"
                said = one.options[0] if one.options else free
                self.around("answer", lambda: game.choose(one.player, said, decision=one.id))
            case "move":
                self.around("move", lambda: game.move(one.player, one.options[0]))
            case action:
                self.around(action, lambda: game.do(one.player, action))


def smaller(worst: WorstLaw) -> WorstLaw:
    """The same law in a game that is begun in no time."""
    players = min(worst.players, 2 if worst.system == "nomic-chess" else 4)
    laws = tuple(law.replace("seats, 25)", f"seats, {players})") for law in worst.laws[:4])
    return replace(worst, notes=worst.notes // 20, laws=laws, players=players)


class Times:
    """The seconds that each action took; those that took too long are broken off, and end the game."""

    def __init__(self, most: float) -> None:
        self.most, self.taken = most, {}

    def __call__(self, name, what):
        begun = time.perf_counter()
        try:
            with at_most(self.most):
                return what()
        except TooLong:
            if name not in LOOKING:
                raise
            return None
        finally:
            self.taken[name] = max(self.taken.get(name, 0), time.perf_counter() - begun)


def slowest(worst: WorstLaw, most: float) -> tuple[str, float, dict]:
    """The action that takes longest under a law, its seconds, and those of all."""
    times = Times(most)
    with suppress(TooLong):
        Living(worst, times).play()
    name = max(times.taken, key=times.taken.get)
    return name, times.taken[name], times.taken
