"""A game as a job of text and numbers that can be played anywhere, and its outcome as a row of plain values."""

from __future__ import annotations

import json
import time
from collections import Counter
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain, count, repeat
from types import SimpleNamespace
from typing import Any

from nomic_nb.chess import extension as with_chess  # noqa: F401 - games can have boards
from nomic_nb.engine.errors import PlainRefusal, RecordError, WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import change_from_json
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS
from nomic_nb.engine.play.dice import commitment_hash, new_opening
from nomic_nb.engine.play.game_setup import GameSetup
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.trial_adoption import adopt_without_effects, calm_state
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.record.log import fingerprint
from nomic_nb.engine.record.rule_file import rule_file_text
from nomic_nb.engine.rulesets.literate import RuleSet, read_ruleset
from nomic_nb.engine.subjects.sealed_values import owed_round
from nomic_nb.engine.words import join_words
from nomic_nb.study.frames import column_types
from nomic_nb.study.players.asked import Json
from nomic_nb.study.players.kit import KINDS
from nomic_nb.study.players.loop import Player, failure_text
from nomic_nb.study.players.loop import play as play_programs
from nomic_nb.study.players.standings import scores_by_counter
from nomic_nb.study.players.view import View, views_of
from nomic_nb.study.playouts import read_rules
from nomic_nb.study.review.cases import number_of_change
from nomic_nb.study.rounds import unrevealed_round
from nomic_nb.study.views.course import goal_data

#: Plain values by column.
Row = dict[str, Any]
#: How often a player is asked again after a refusal.
RETRIES = 6
#: Statuses of proposals that have passed.
PASSED = ("adopted", "waiting", "without effect")
GAMES_COLUMNS = column_types(
    "string: ruleset what; int64: seed; string: kinds; int64: players limit; bool: over; string: winner; "
    "Int64: winner_seat; string: by_rule; int64: turns acts events proposals passed rules_end questions; "
    "int64: refused stood_in; float64: spread; boolean: first_leader_won; string: error fingerprint; float64: cpu_s"
)
#: A row of a game that could not be played.
NOTHING: Row = {name: {"int64": 0, "bool": False, "string": ""}.get(type) for name, type in GAMES_COLUMNS.items()}


@frozen
class Job:
    """A game to be played by players of the kit: text and numbers, so it can be sent to other processes.

    Parameters
    ----------
    ruleset : str
        Name of a rule set, or the whole text of a rule file.
    players : tuple of str
        Names of the players, in seating order.
    kinds : tuple of str
        Kind of each player: ``random``, ``sensible`` or ``contrary``.
    seed : int
        Seed of the dice and of the players.
    turns : int
        Turns after which the game is left unfinished.
    terms : tuple of (str, str)
        Settings agreed before play, each with its value as text.
    changes : tuple of str
        Rule changes made before play, as JSON.
    """

    ruleset: str
    players: tuple[str, ...]
    kinds: tuple[str, ...]
    seed: int
    turns: int
    terms: tuple[tuple[str, str], ...] = ()
    changes: tuple[str, ...] = ()

    def begin(self) -> Timeline:
        """Return the game before anybody has done anything.

        Raises
        ------
        LawError, LookupError, ValueError
            The rules cannot be read, or not be changed in this way, or no game can begin with them.
        """
        rules = _rule_set(self.ruleset, self.players, self.terms, self.changes)
        agreed = {} if self.changes else dict(self.terms)  # after changes, the rules have them already
        timeline = Timeline(GameSetup(rules, self.players, self.seed, agreed))
        timeline.chance = self.seed
        return timeline


@lru_cache(maxsize=64)
def _rule_set(
    text: str, players: tuple[str, ...], terms: tuple[tuple[str, str], ...], changes: tuple[str, ...]
) -> RuleSet:
    """Return a rule set, with changes made before play as if they had passed."""
    rules = read_rules(text)
    if not changes:
        return rules
    timeline = Timeline(GameSetup(rules, players, 0, dict(terms)))
    for told in changes:
        state, change = calm_state(timeline.state), change_from_json(json.loads(told))
        check_change(state, change)
        made = adopt_without_effects(state, change, players[0], number_of_change(state, change, players[0]))
        if not made.made:
            what = change.headline
            raise WrongValue("change-unsaid", "the rules do not say how to make this change: {change}", change=what)
        timeline.moments[-1] = (timeline.moments[-1][0], made.written)
    try:
        return read_ruleset(rule_file_text(timeline, rules.name), language())
    except RecordError as error:
        why = str(error.message.values.get("problem", error.message))
        raise WrongValue("change-before-play", "no game can begin with this change: {why}", why=why) from None


class _Seat:
    """The seat of a player of the kit, whose replies need no reading: the kit knows their form."""

    def __init__(self, timeline: Timeline, player: str) -> None:
        self._timeline, self._player = timeline, player
        self._refused: Json | None = None

    def view(self, *, remarks: bool = True) -> View:  # noqa: ARG002 - players of the kit read none
        """Return what the player sees."""
        views = views_of(self._timeline)
        asked = views.decisions_of(self._timeline, self._player)
        return views.kit_view(self._timeline, self._player, asked, self._refused)

    def act(self, reply: Any) -> Json:
        """Do what a reply says, or say why not."""
        decision = views_of(self._timeline).decisions_of(self._timeline, self._player)[reply["key"]]
        try:
            self._do(decision, reply.get("details") or {})
        except PlainRefusal as error:
            self._refused = {"refused": True, "why": str(error), "code": error.code}
            return self._refused
        self._refused = None
        return {"done": True, "step": self._timeline.state.seq}

    def _do(self, decision: Decision, given: Json) -> None:
        """Do what answers a decision; raise a refusal if the rules do not allow it."""
        timeline, player, action = self._timeline, self._player, decision.action
        if action in HOST_ACTIONS:
            timeline.do_as_host(action, {"who": player})
        elif action == "seal" and (sealing := owed_round(timeline.state, player, "seal")) is not None:
            game = timeline.state.game
            opening = new_opening(given.get("value"), f"{timeline.chance} {game} {sealing.number} {player}")
            committed = commitment_hash(game, sealing.number, player, opening)
            timeline.kept[committed] = opening
            timeline.do(player, action, {"commitment": committed})
        elif action == "reveal" and (sealing := unrevealed_round(timeline.state, player)) is not None:
            opening = timeline.kept[sealing.seals[player]]
            timeline.do(player, action, {"value": opening.value, "nonce": opening.nonce})
        else:
            deed = ACTIONS[action]
            about = {
                name: getattr(decision, takes.of)
                for name, (takes, _) in deed.fields.items()
                if takes.of in ("proposal", "id", "rule") and getattr(decision, takes.of) is not None
            }
            timeline.do(player, action, deed.from_record(given) | about)


def play_game(job: Job) -> tuple[Timeline, Counter[str], str]:
    """Play a job’s game; return it, how replies came out, and why it did not end or reach its last turn, if so."""
    timeline = job.begin()
    table = SimpleNamespace(timeline=timeline, seat=partial(_Seat, timeline))
    seeds, outcomes = count(job.seed * (len(job.players) + 1)), Counter[str]()
    stand_in, programs, why = KINDS["random"](next(seeds)), dict[str, Player](), ""

    while new := [name for name in timeline.state.person_names if name not in programs]:  # rules can add players
        kinds = chain(job.kinds if not programs else (), repeat(job.kinds[0]))
        programs |= {name: KINDS[kind](next(seeds)) for name, kind in zip(new, kinds, strict=False)}
        played = play_programs(table, programs, job.turns + 1, RETRIES, stand_in, remarks=False)
        why = "" if played.ended in ("over", f"turn {timeline.state.turn}") else played.ended
        outcomes.update(row["outcome"] for row in played.rows)
    return timeline, outcomes, why


def play(job: Job) -> Row:
    """Play a job’s game and return its row; an error that stops it is in the row.

    Parameters
    ----------
    job : Job
        The game to play.

    Returns
    -------
    dict
        Plain values, the same each time but for ``cpu_s``.

    Examples
    --------
    >>> row = play(Job("discordian-nomic", ("Ann", "Ben"), ("random", "random"), seed=1, turns=2))
    >>> row["turns"], row["over"], row["error"]
    (2, False, '')
    """
    start, row = time.process_time(), dict(NOTHING)
    try:
        timeline, outcomes, error = play_game(job)
        row |= _outcome(timeline, job.players, job.turns) | {"ruleset": timeline.setting.ruleset.name, "error": error}
        row |= {"refused": outcomes["refused"], "stood_in": outcomes["stood in"]}
    except Exception as error:  # noqa: BLE001 - a game that cannot be played is a row, too
        row["error"] = failure_text(error)
    alike = len(set(job.kinds)) == 1
    return row | {
        "seed": job.seed, "kinds": job.kinds[0] if alike else ", ".join(job.kinds), "players": len(job.players),
        "limit": job.turns, "cpu_s": round(time.process_time() - start, 3),
    }  # fmt: skip


def _outcome(timeline: Timeline, players: tuple[str, ...], turns: int) -> Row:
    """Return what happened in a game of at most so many turns."""
    state, events = timeline.state, timeline.events
    won = next((event for event in reversed(events) if event.kind == "won"), None)
    winners = state.winners
    scores = _scores(timeline)
    best = [max(held.values()) for held in scores]
    led = (max(held, key=held.__getitem__) for held, top in zip(scores, best, strict=True)
           if list(held.values()).count(top) == 1)  # fmt: skip
    first = next(led, None)
    return {
        "over": state.over, "winner": join_words(winners) if winners else "",
        "winner_seat": players.index(winners[0]) + 1 if len(winners) == 1 and winners[0] in players else None,
        "by_rule": "" if won is None or won.rule is None else str(won.rule),
        "turns": state.turn if state.over else min(state.turn, turns), "events": len(events),
        "acts": sum(event.is_action for event in events),
        "proposals": len(state.proposals), "passed": sum(one.status in PASSED for one in state.proposals.values()),
        "rules_end": sum(1 for _ in state.rules), "questions": sum(event.kind == "asked" for event in events),
        "spread": best[-1] - min(scores[-1].values()) if scores else None,
        "first_leader_won": first in winners if first is not None and winners else None,
        "fingerprint": fingerprint(timeline),
    }  # fmt: skip


def _scores(timeline: Timeline) -> list[dict[str, float]]:
    """Return what each player has of the counter that wins, after each turn; nothing if none exists."""
    goal = goal_data(timeline.moments[0][1])
    ends = [state for event, state in timeline.moments if goal and event.kind in ("turn_ended", "won")]
    found = (scores_by_counter(state).get(goal["counter"], {}) for state in ends if goal)
    return [{name: float(Fraction(value)) for name, value in held.items()} for held in found if held]
