"""All examples of clauses that people are shown: on pages, in lists of words, in refusals and in notes of rule sets."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from beginnings import new_game
from docs.guide import SYSTEM, blocks, is_clause, rows

import nomic_nb as nb
from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.hints import clause_examples, everyday_table
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.study import playouts

#: What examples take for granted: tables that other clauses track, a draft, and other names for whom an event is about.
TAKEN_FOR_GRANTED = {
    "coins": "track coins per player from 0",
    "bidding": "track bidding per player from 0",
    "pot": "track pot per game from 0",
    "keeper": "track keeper per text as player from none",
    "office": "track office per text as player from none",
    "stock": "track stock per text from 0",
    "owes": "track owes per player, player from 0",
    "mud": "track mud per square from 0",
    "card": "track card per player from 0 hidden",
    "hand": "track hand per player, text from 0 hidden",
    "price": "track price per text from 3",
    "secret": 'track secret per player as text from "none" hidden',
    "Dummy": 'on enacted when rule == this: enter player "Dummy" as dummy',
    "soon": 'draft soon: "Soon."\n    set dice.sides to 8',
}
#: Words by which an example needs boards.
BOARDS = re.compile(
    r"\bpieces?\b|square|_named\(\"(white|yellow|Zaphod)|promot|demot|\bboards?\b|\barmy\b|captur|may\.move"
    r"|\bon moved\b|\broyal|\bmove\b|\bmated?\b|checked|\bgrow\b|\bdrop"
)
#: What needs the time, which the page has the host record.
TIMED = re.compile(r"\bnow\b|\b(days?|hours?|weeks?)\b|day_begun")
#: What is a pattern, or a part of a clause, and no clause.
PATTERN = re.compile(r"…|\b[A-Z]{3,}\b|^(on|instead of) \w+:?$|^draft [^\n]*$")
NAMES = ("Ann", "Ben", "Cleo")


class Example(NamedTuple):
    """An example: where it stands, in which system it is played, and its law."""

    where: str
    system: str
    law: str


def within(example: str) -> str:
    """Return an example as the law of a rule: an effect in a clause, with what it takes for granted."""
    event = "vote_opened" if example.startswith("cast") else "turn_begun"
    law = example if is_clause(example) else f"on {event}: {example}"
    kept = [
        line
        for word, line in TAKEN_FOR_GRANTED.items()
        if re.search(rf"\b{word}\b", law) and not re.search(rf"\b(track|draft) {word}\b", law)
    ]
    return "\n".join([*kept, law])


def _system(example: str) -> str:
    return "nomic-chess" if BOARDS.search(example) else SYSTEM


def _noted() -> Iterator[str]:
    """Yield the clauses that pages and the notes of rule sets quote inside a line."""
    folders = (Path(nb.__file__).parent / one for one in ("docs", "rulesets"))
    for page in (path for folder in folders for path in sorted(folder.glob("*.md")) if path.stem != "writing"):
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        yield from (one for one in re.findall(r"`([a-z][^`\n]*)`", text) if is_clause(one) and not PATTERN.search(one))


def _found() -> Iterator[Example]:
    for block in blocks():
        yield Example(f"writing: {block.heading}", block.system, block.law)
    for column in ("example", "right"):
        for row in rows(column):
            for code in row.code[column]:
                if (is_clause(code) and not code.startswith(("prevails", "defers"))) or column == "example":
                    yield Example(f"writing: {column}", _system(code), within(code))
    for code in _noted():
        yield Example("a note", _system(code), within(code))
    for form in language().vocabulary.effects.values():
        yield Example("keys: effects", _system(form.example), within(form.example))
    for one in {**clause_examples(), **everyday_table("examples")}.values():
        yield Example("refusals: clauses", _system(one), within(one))
    for one in everyday_table("does").values():
        yield Example("refusals: effects", _system(one), within(one))


@cache
def found() -> tuple[Example, ...]:
    """Return all examples, each law once."""
    return tuple({(one.system, one.law): one for one in _found()}.values())


def adopted(example: Example) -> nb.Game:
    """Return a game in which an example is law."""
    game = new_game(example.system, NAMES, seed=7)
    if TIMED.search(example.law):
        game.host.time("2026-11-22 18:00")
    game.propose(game.player or "Ann", nb.enact("As the page says.", law=example.law))
    for name in game.players:
        game.vote(name, "for")
    return game


def played(game: nb.Game, turns: int = 2) -> str:
    """Set off what an example listens for, and play some turns; return what play stopped at, nothing if it went on."""
    playout = playouts.Playout(game.timeline, wishing=_tea)
    dice = random.Random(7)
    last, said = game.turn + turns, set[str]()
    for _ in range(60):
        if game.over or game.turn > last:
            break
        if game.state.questions:
            return game.state.questions[0].text
        for text in _texts(game) - said:
            said.add(text)
            _try(game, "say", text=text)
            _try(game, "report", who=NAMES[1], deed=text)
        for one in [one for one in game.pending if one.action == "take"]:
            if one.options and f"{one.player} {one.options[0]}" not in said:
                said.add(f"{one.player} {one.options[0]}")
                _try(game, "take", player=one.player, text=one.options[0], rule=one.rule)
        if game.state.questions or game.over:
            continue
        playouts.act_at_random(playout, dice)
    return ""


def _tea(game: Timeline, _: random.Random) -> nb.Change:
    return nb.enact(f"Tea for {game.state.turn}, please.", title="Tea")


def _texts(game: nb.Game) -> set[str]:
    made = [rule for rule in game.rules if rule.how != "initial"]
    return {text for rule in made for text in rule.constant_texts if text.strip()}


def _try(game: nb.Game, action: str, player: str = "Ann", **details: object) -> None:
    """Do what may be refused."""
    try:
        game.do(player, action, **details)
    except (IllegalAction, LawError):
        return
