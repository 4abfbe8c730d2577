"""Lessons of 28 from the door to the end, by script: some pupils are away, late or lost, and no table stands still."""

from __future__ import annotations

import asyncio
import random
import re

import pytest
from classroom.hosting import PASTIMES, Host

from nomic_nb.engine.play.decisions import decisions
from nomic_nb.notebook.classroom.door import Door
from nomic_nb.notebook.classroom.lesson import Lesson
from nomic_nb.notebook.panels.ways_out import about_decision

PUPILS = tuple(f"{name} {at}" for at in range(4) for name in ("Ada", "Ben", "Cleo", "Dov", "Esra", "Finn", "Gus"))
#: Turns after which the bell rings for the end; what a table does in a turn before it is held to hang.
TURNS, MOST = 5, 150
#: Answers that players give alike, so that one show of hands is enough; all else is secret, or one player's own.
ALIKE = ("vote", "choose", "overrule", "consent", "agree")


class Phone:
    """A phone at the door."""

    def __init__(self):
        self.told = []

    def tell(self, message):
        self.told.append(message)

    def end(self):
        self.told.append({"ended": True})


def begun(dice, tables, file=None):
    """A lesson whose 28 pupils have come through the door and sit at so many tables."""
    door = Door()
    lesson = Lesson({}, file, door)
    away = dice.random() < 0.5
    lesson.do("open door", {"ruleset": "discordian-nomic", "points": "30", "joint": "joint", "away": away})
    phones = {name: Phone() for name in PUPILS}
    for at, (name, phone) in enumerate(phones.items()):
        if door.knock(name, f"10.0.0.{at}", phone) is not None:  # there was a crowd
            lesson.do("let everybody in", {})
    names = list(PUPILS)
    dice.shuffle(names)
    seating = {f"table {at + 1}": names[at::tables] for at in range(tables)}
    asyncio.run(lesson.do("begin", {"seating": seating}))
    assert all(any("go" in message for message in phone.told) for phone in phones.values())
    return lesson


def plays_to_its_end(game, dice, turns):
    """Play at one table until the game or the time is over; how often each way out was taken."""
    host, turn, done = Host(game, dice.random()), 0, 0
    lost = set(dice.sample(game.players, len(game.players) // 6))  # whose phones never come back
    while not game.over and game.turn <= turns:
        turn, done = (game.turn, done + 1) if game.turn == turn else (game.turn, 0)
        assert done < MOST, f"turn {turn} does not end: {[str(one) for one in decisions(host.state)][:5]}"
        host.phones = {name for name in game.players if name not in lost and dice.random() > 0.1}
        host.bell = dice.choice(["", "runs", "rung"])
        if dice.random() < 0.04 and len(host.present()) > 1:
            game.host.absent(dice.choice(host.present()))
        waits = host.waits()
        for wait in waits:  # nobody asks 28 people the same thing
            sealed = wait["action"] == "vote" and host.state.proposals[wait["proposal"]].vote.sealed
            if wait["action"] in ALIKE and len(wait["who"]) > 1 and not sealed:
                assert any(way.get("count") == len(wait["who"]) for way in wait["ways"]), wait
        if dice.random() < 0.7 and host.phone_answers():
            continue
        wait = dice.choice(waits)
        leading = [way for way in wait["ways"] if way["kind"] not in PASTIMES]
        if wait["away"] and not wait["who"]:  # by the wording of a rule, play waits for somebody who is not here
            leading = [way for way in leading if way["kind"] in ("back", "take_back")]
        else:
            leading = [way for way in leading if way["kind"] not in ("away", "take_back")] or leading
        host.press(wait, dice.choice(leading))
    return host.presses


def takes_its_course(seed, tables, turns):
    dice = random.Random(f"lesson {seed}")
    lesson = begun(dice, tables)
    for room in lesson.rooms.values():
        assert plays_to_its_end(room.game, dice, turns).total() > 0
    return lesson


@pytest.mark.parametrize("tables", [1, 4, 5])
def test_a_lesson_of_28_reaches_its_end(tables):
    takes_its_course(0, tables, turns=2)


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.slow if seed < 4 else pytest.mark.fuzz) for seed in range(1, 51)]
)
def test_fifty_lessons_of_28_reach_their_end(seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lesson = takes_its_course(seed, (1, 4, 5)[seed % 3], TURNS)
    assert lesson.do("save everything", {}).startswith("Saved ")
    for missing in lesson.end.missing:  # a rule needs what no rule sets up any more, such as points
        assert re.search(r"can’t be written as a rule file: rule \w+: .+ has no", missing)
    tables = [room.game.state.players.values() for room in lesson.rooms.values()]
    players = [player.name for at_table in tables for player in at_table if player.person]
    assert set(PUPILS) <= set(players)  # and whoever a rule let in
    assert len(list(tmp_path.glob("class-*/pupil *.html"))) == len(players)
    assert lesson.do("erase", {"sure": True, "keep_rules": False}) == "The class is erased."
    assert list(tmp_path.iterdir()) == []


def test_what_is_the_same_for_all_is_one_wait():
    lesson = begun(random.Random(1), 1)
    (room,) = lesson.rooms.values()
    host = Host(room.game, 1)
    host.press(host.waits()[0], host.waits()[0]["ways"][1])
    asked = [one for one in decisions(host.state) if one.must]
    assert len(asked) == len(PUPILS)
    assert {about_decision(one) for one in asked} == {wait["about"] for wait in host.waits()}
