"""Winning: who fulfils its condition, and who only because the law was changed; and how a game begins and ends."""

from __future__ import annotations

from nomic_nb.engine.law.values import NUMBER, TEXT
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.play.declarations import declare_event
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import Agenda, State
from nomic_nb.engine.play.tables import constant_table_starts, with_table_started
from nomic_nb.engine.play.values import PLAYERS, player_names
from nomic_nb.engine.words import join_words, verb_phrase


def players_meeting_win_condition(state: State) -> tuple[str, ...]:
    """Return the names of the players who meet the condition of winning; empty if the law does not say."""
    finding = state.find("win.winners")
    return player_names(finding.value) if finding.answered else ()


def note_winners_by_law_change(before: State, after: State) -> State:
    """Return `after` with those players noted who meet the win condition only by a change of law since `before`."""
    already = players_meeting_win_condition(before)
    risen = {name: False for name in players_meeting_win_condition(after) if name not in already}
    return after.replace(above={**after.above, **risen}) if risen else after


@declare_event("game_started", "play begins", told=lambda e: f"the game begins with {join_words(e.data['players'])}")
def _start_game(state: State, _: Event) -> State:
    """Return the state after the game has begun, with its tables started."""
    for begun in constant_table_starts(state):  # as the rule set says; nothing is to be reckoned
        state = with_table_started(state, begun)
    return state


declare_event(
    "won",
    "someone wins, and play is over",
    {"winners": PLAYERS},
    told=lambda e: f"{verb_phrase(e.data['winners'], 'wins', 'win')}",
    usual="play ends, and they win",
    over=True,
)(lambda state, event: state.replace(winners=tuple(event.data["winners"]), over=True))


declare_event("abandoned", told="the game ends without a winner")(
    lambda state, _: state.replace(over=True, agenda=Agenda(), waiting=(), questions=())
)


KEYS = (
    Key("win.winners", PLAYERS, "the players who have won", "after every step", needed=True),
    Key("win.when_stuck", PLAYERS, "who wins if play cannot continue", "when nobody can continue"),
    Key("win.points", NUMBER, "the score needed to win", "by the rule on winning", by_rules=True),
    Key("win.joint", TEXT,
        "who wins if several players win at once: all of them, or only the player whose turn it is (all of them if "
        "that player is not among them)",
        "when several win at once",
        values=("joint", "on turn")),
    Key("win.replaced", TEXT,
        "whether a player wins after all if a rule has replaced their win with something else but they still meet "
        "the winning condition; not yet: they have to fall short of it first; once allowed: they win as soon as no "
        "rule replaces their win any more",
        "after what replaces winning (`instead of won`) has been done", values=("won", "not yet", "once allowed")),
    Key("win.by_change", TEXT,
        "whether a player who meets the winning condition only because the rules changed, without gaining "
        "anything, wins at once or at their next gain",
        "when the rules have changed, for players who meet the condition only because of that",
        values=("at once", "at the next gain")),
)  # fmt: skip
