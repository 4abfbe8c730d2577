"""Games of the kit as tables, as people would have recorded them elsewhere."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import nomic_nb as nb
from nomic_nb.engine.games import begin
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.tables import player_counters
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.study.playouts import Playout, _answer_decision

OUTCOMES = {"adopted": "passed", "waiting": "passed", "without effect": "passed", "defeated": "failed"}
#: Acts that tables can tell; a game with others cannot be written as tables.
TOLD = {"propose", "vote", "roll", "call_vote", "begin_turn", "end_turn", "say", "begin", ""}


class NoTable(Exception):  # noqa: N818 - no fault
    """A game in which something happens that tables do not tell."""


def tables_of(timeline: Timeline, *, times: bool = False) -> dict[str, list[dict[str, Any]]]:
    """Return the four tables of a game; with `times`, each event is a minute after the one before."""
    tables: dict[str, list[dict[str, Any]]] = {"proposals": [], "ballots": [], "facts": [], "scores": []}
    last, open_now, opened = None, False, {}

    def at(name):
        return {name: (datetime(2026, 1, 1) + timedelta(minutes=event.seq)).isoformat(" ", "minutes")} if times else {}

    for event, state in timeline.moments:
        if event.do not in TOLD:
            raise NoTable(event.do)
        if event.kind == "proposed":
            if last is not None and not times:
                tables["scores"] += scores_after(last, timeline.after(event.seq - 1))
            last, open_now = event.data["number"], True
            opened[last] = len(tables["proposals"])
            change = state.proposals[last].change
            law = "none" if change.kind == "amend" and change.law == "" else change.law
            row = {"number": last, "proponent": event.actor, "kind": change.kind, "target": change.target,
                   "title": change.title, "wording": change.wording, "law": law}  # fmt: skip
            if change.parts or change.universe or change.part or change.add:
                raise NoTable(change.headline)
            tables["proposals"].append(row | at("opened"))
        elif event.kind == "vote_closed":
            open_now = False
            row = tables["proposals"][opened[event.data["number"]]]
            row |= {"outcome": "passed" if event.data["adopted"] else "failed"} | at("closed")
            if times:  # while other votes are open
                tables["scores"] += scores_after(row["number"], timeline.after(timeline.end_of_step(event.seq)))
        elif event.kind == "balloted":
            tables["ballots"].append(
                {"proposal": event.data["number"], "voter": event.actor, "ballot": event.data["ballot"]} | at("at")
            )
        elif event.kind == "thrown" or (event.kind == "said" and event.do):
            if last is None:
                raise NoTable("before all proposals")
            what = (
                f"throw {event.data['face']}" if event.kind == "thrown" else f"say {event.actor}: {event.data['text']}"
            )
            tables["facts"].append({"when": "during" if open_now else "after", "proposal": last, "what": what})
        elif event.kind in ("lapsed", "asked", "stale", "attempted", "cut_short") or "chosen" in event.kind:
            raise NoTable(event.kind)
    if last is not None and not open_now and not times:
        tables["scores"] += scores_after(last, timeline.state)
    return tables


def game_told_by_tables(system: str, count: int, seed: int, turns: int, *, times: bool = False):
    """Return a random game that tables can tell, and its tables."""
    for again in range(50):
        try:
            timeline = recorded_game(system, count, seed + 100 * again, turns)
            return timeline, tables_of(timeline, times=times)
        except NoTable:
            continue
    raise AssertionError(f"no game of {system} can be told by tables")


def scores_after(number, state) -> list[dict[str, Any]]:
    return [
        {"after": number, "player": name, "counter": counter, "value": str(value)}
        for name in state.players
        for counter, value in player_counters(state, name).items()
    ]


def plain_change(timeline: Timeline, dice: random.Random):
    """Return a random change that a row can tell."""
    numbers = [rule.number for rule in timeline.state.rules.in_force if rule.how != "initial"] or [101]
    number, many = dice.choice(numbers), dice.randint(-5, 9)
    return dice.choice([
        nb.enact(f"Everyone who proposes gets {many} points.", f"on adopted: award {many} points to proponent"),
        nb.enact("Be kind."), nb.repeal(number), nb.transmute(number), nb.amend(number, "As players understand it."),
        nb.amend(number, "Otherwise.", law=""),
    ])  # fmt: skip


def recorded_game(system: str, count: int, seed: int, turns: int) -> Timeline:
    """Return a game in which players propose, vote and roll at random."""
    timeline = begin(system, ["Ann", "Ben", "Cleo", "Dan", "Eve"][:count], seed=seed)
    dice, playout = random.Random(seed), Playout(timeline, wishing=plain_change)
    while not timeline.state.over and timeline.state.turn <= turns:
        able = [decision for decision in decisions(timeline.state) if decision.action in TOLD]
        must = [decision for decision in able if decision.must] or able
        if not must or not _answer_decision(playout, dice.choice(must), dice):
            raise NoTable("nothing to do")
    return timeline


def frames_of(tables):
    """Return the tables as arguments of `nb.audit`."""
    import pandas as pd

    return {name: pd.DataFrame(rows) for name, rows in tables.items() if rows}


def audited(system, timeline, tables, **more):
    frames = frames_of(tables)
    return nb.audit(
        system, frames["proposals"], frames.get("ballots"), players=timeline.setting.players,
        facts=frames.get("facts"), scores=frames.get("scores"), **more,
    )  # fmt: skip
