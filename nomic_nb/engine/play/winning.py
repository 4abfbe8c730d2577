"""Winning: who fulfils its condition, and who only because the law was changed; and how a game begins and ends."""

from __future__ import annotations

from nomic_nb.engine.law.values import NUMBER, TEXT
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.play.declarations import happens
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import Agenda, State
from nomic_nb.engine.play.tables import plain_starts, with_start
from nomic_nb.engine.play.values import PLAYERS, names_of
from nomic_nb.engine.words import doing, listed


def fulfilling(state: State) -> tuple[str, ...]:
    """Return who fulfils the condition of winning; nobody where the law does not say."""
    finding = state.find("win.winners")
    return names_of(finding.value) if finding.answered else ()


def after_change_of_law(before: State, after: State) -> State:
    """Return the state after a change of law, in which it is noted who fulfils the condition by that alone."""
    already = fulfilling(before)
    risen = {name: False for name in fulfilling(after) if name not in already}
    return after.but(above={**after.above, **risen}) if risen else after


@happens("game_started", "play begins", told=lambda e: f"the game begins, with {listed(e.data['players'])}")
def _started(state: State, _: Event) -> State:
    for begun in plain_starts(state):  # as the rule set says; nothing is to be reckoned
        state = with_start(state, begun)
    return state


@happens(
    "won",
    "somebody has won, and play is over",
    {"winners": PLAYERS},
    told=lambda e: f"{doing(e.data['winners'], 'wins', 'win')}",
    usual="play ends, and they have won",
    over=True,
)
def _won(state: State, event: Event) -> State:
    return state.but(winners=tuple(event.data["winners"]), over=True)


@happens("abandoned", told="the game ends, and nobody has won")
def _over(state: State, _: Event) -> State:
    return state.but(over=True, agenda=Agenda(), waiting=(), questions=())


KEYS = (
    Key("win.winners", PLAYERS, "who has won", "after every step", needed=True),
    Key("win.when_stuck", PLAYERS, "who wins when play cannot continue", "when nobody can go on"),
    Key("win.points", NUMBER, "the score that wins", "by the rule on winning", by_rules=True),
    Key("win.joint", TEXT,
        "who wins when several do at once: all, or the player on turn alone (all where that is none of them)",
        "when several win at once",
        values=("joint", "on turn")),
    Key("win.replaced", TEXT,
        "whether those have won in whose place a rule has put something, where they still fulfil the condition",
        "after what comes in place of winning (`instead of won`) was done", values=("won", "not yet")),
    Key("win.by_change", TEXT,
        "whether someone who fulfils the condition of winning by a change of law alone, and by no gain, wins at "
        "once, or at the next gain",
        "when the law has changed, for those who fulfil the condition by that alone",
        values=("at once", "at the next gain")),
)  # fmt: skip
