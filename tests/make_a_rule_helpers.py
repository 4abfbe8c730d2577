"""What the tests of Make-A-Rule Chess do over and over: sit down, name kings, make rules, let phases go by."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from importlib.resources import files
from pathlib import Path

import refusals
from beginnings import new_game, once

import nomic_nb as nb

NAMES = ("Ann", "Ben", "Cleo", "Dov", "Eve", "Fay")
#: Settings of a game in which kings are sealed.
SEALED = {"royal.named": "sealed"}


#: The rules that limit what rules may say and when they fall; tests of anything else play without them.
RESTRICTIONS = (
    *("R4", "R5", "R6", "R7", "R8", "R8.1", "R8.2", "R8.3", "R9", "R10", "R10.1", "R10.2"),
    *("R11", "R12", "R13", "R14", "R16"),
)
#: What has to be said in their place.
INSTEAD = {
    "R6": 'set change.effective to "vote closed"\n',
    "R13": "set win.winners to (playing if count(playing) == 1 and "
    'not any(k.crown == "sealed" and k.born.controller.playing for k in keys(crown)) else [])\n',
    "R14": 'forbid propose when change.tier != "rule"\n',
}


@cache
def without_restrictions(*kept):
    """Return a rule file of the game in which rules may say anything, but for the restrictions that are kept."""
    text = (files("nomic_nb") / "chess" / "rulesets" / "make-a-rule.md").read_text(encoding="utf-8")
    sections = re.split(r"(?m)^(?=### )", text)
    for at, section in enumerate(sections):
        label = section.split()[1].rstrip() if section.startswith("### ") else ""
        if label in RESTRICTIONS and label not in kept:
            law = f"```law\n{INSTEAD[label]}```\n" if label in INSTEAD else ""
            sections[at] = re.sub(r"(?s)```law\n.*?```\n", lambda _, law=law: law, section)
    path = Path(tempfile.mkdtemp()) / "make-a-rule.md"
    path.write_text("".join(sections), encoding="utf-8")
    return path


def multiverse(count=3, *, restricted=False, kept=(), **more):
    """Begin a game of so many, with all restrictions, or those that are kept; nobody has named a king yet."""
    rules = "make-a-rule" if restricted else without_restrictions(*kept)
    return new_game(rules, NAMES[:count], seed=1, **more)


def name_king(game, at=0):
    """Whoever is asked for the real king names one of them, the first one where it is not said which."""
    for one in game.pending:
        if one.action == "choose" and "king" in one.prompt:
            game.choose(one.player, one.options[at])
            return


def seal(game, real=0):
    """Whoever is asked seals their kings; this one of them is real."""
    at = 0
    while asked := [one for one in game.pending if one.action == "seal"]:
        game.seal(asked[0].player, "real" if at == real else "dummy")
        at += 1


def begun(count=3, **more):
    """Begin a game in which the first player has named a king."""

    def begin():
        game = multiverse(count, **more)
        name_king(game)
        return game

    return once(("king named", count, repr(sorted(more.items()))), begin)


def asked(game, law, match):
    """Those who are asked whether a rule may be made: who do not make it; what is asked has this in it."""
    with refusals.refused("permission-open-and-asked") as caught:
        game.propose(game.player, nb.enact("So be it.", law=law))
    assert re.search(match, caught.value.values["question"])
    return [one.player for one in game.pending if one.must]


def moves(game, start=""):
    """The moves that are open, those from a square where one is named."""
    found = [option for one in game.pending if one.action == "move" for option in one.options]
    return [one for one in found if one.startswith(start)]


def ends(game, start):
    """Where the piece on a square can go."""
    return {one.rpartition("-")[2] for one in moves(game, start + "-")}


def phase(game, *texts):
    """A phase of moves: these first, then in each universe that is left the first one there is."""
    player, turn = game.player, game.turn
    for text in texts:
        game.move(player, text)
    while game.turn == turn and not game.over and moves(game):
        game.move(player, moves(game)[0])
    name_king(game)


def make(game, law="", wording="So be it.", **more):
    """A phase in which a rule is made; its label is returned."""
    proposal = game.propose(game.player, nb.enact(wording, law=law, **more))
    name_king(game)
    return proposal.number


def agreed(game, law, wording="So be it.", **more):
    """A rule is made of which the law leaves something open, and those who are asked have nothing against it."""
    change = nb.enact(wording, law=law, **more)
    with refusals.refused("permission-open-and-asked"):
        game.propose(game.player, change)
    for one in [one for one in game.pending if one.must]:
        game.choose(one.player, "true")
    return game.propose(game.player, change).number


def until(game, player):
    """Phases of moves go by until it is somebody's again."""
    while game.player != player:
        phase(game)


def idle(game, circuits=1):
    """Everybody makes a rule without clauses, so that nothing moves."""
    for _ in range(circuits * len(game.players)):
        make(game)
