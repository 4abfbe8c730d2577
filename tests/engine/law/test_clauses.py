"""Clauses: what the verbs and effects say, what mistakes are answered with, what is checked before a vote."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import pytest
from refusals import check as check_refusal
from refusals import refused

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.language import LONGEST_LINE, MOST_LINES, Line, find_trigger_circle
from nomic_nb.engine.law.nodes import Node
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.tables import TableShape
from nomic_nb.engine.play.declarations import EVENT_KINDS
from nomic_nb.engine.play.vocabulary import language

KEYS = [one for one in language().vocabulary.keys.values() if not one.name.startswith("may.")]
EVENTS = language().vocabulary.events.values()

PER_PLAYER = TableShape(("player",), v.NUMBER)
COUNTERS = {
    "points": PER_PLAYER, "rounds": TableShape((), v.NUMBER), "price": TableShape(("text",), v.NUMBER),
    "secret": TableShape(("player",), v.NUMBER, hidden=True),
}  # fmt: skip


def check(law: str, counters: dict[str, TableShape] = COUNTERS) -> tuple[Line, ...]:
    speech = language()
    lines = speech.read_clauses(law)
    speech.check_clauses(lines, counters)
    return lines


def one(law: str) -> c.Clause:
    (line,) = check(law)
    return line.clause


def refusal(law: str, counters: dict[str, TableShape] = COUNTERS) -> LawError:
    with pytest.raises(LawError) as caught:
        check(law, counters)
    return caught.value


# ------------------------------------------------------------------------- every verb, every effect

SOON = 'draft soon: "Soon."\n    set win.points to 10'
VERBS = {
    "set win.points to 50": c.SetClause,
    "set win.points to 50 while turn > 3": c.SetClause,
    'set vote.ballots to ("open" if turn > 3 else "sealed")': c.SetClause,
    "allow skip": c.SetClause,
    "forbid skip": c.SetClause,
    "allow skip when player.points > 3": c.SetClause,
    "forbid vote when player == proponent": c.SetClause,
    'require count(r for r in rules if r.tier == "mutable") <= 25': c.RequireClause,
    "on adopted: award 5 points to proponent": c.TriggerClause,
    "on adopted when votes_against > 0: award 5 points to proponent": c.TriggerClause,
    "on adopted each p in opponents: award 5 points to p": c.TriggerClause,
    "on adopted each p in opponents when p.points < 5: award 5 points to p; end turn": c.TriggerClause,
    "whenever circuit > 3: end turn": c.WheneverClause,
    "whenever each p in playing when p.points > 9: award -9 points to p": c.WheneverClause,
    "instead of captured: remove piece": c.InsteadClause,
    'instead of captured when piece.kind != "K": convert piece to mover_army': c.InsteadClause,
    'offer "rest": end part': c.OfferClause,
    'offer "rest" to seats when player.points > 9: award -5 points to player; end part': c.OfferClause,
    'piece N moves "NF"': c.PieceClause,
    'piece N of army_named("white") moves "NF"': c.PieceClause,
    'piece P of armies moves "fW" while turn > 3': c.PieceClause,
    "incorporate fide-chess": c.IncorporateClause,
    "track coins per player from 3": c.TrackClause,
    "track ticks per game from 1/2": c.TrackClause,
    "prevails over 203": c.ClaimClause,
    "prevails over 203, -110, R8": c.ClaimClause,
    "prevails over everything": c.ClaimClause,
    "prevails over everything on win.points": c.ClaimClause,
    "prevails over 203 on win.points": c.ClaimClause,
    "defers to 203, 204": c.ClaimClause,
    "defers to everything": c.ClaimClause,
    "defers to everything on win.winners": c.ClaimClause,
    'draft cheap: "Ten points win."\n    set win.points to 10\n    prevails over 208': c.DraftClause,
}

EFFECTS = {
    "pay 3 points from player to next_player": "pay",
    "pay player.points // 2 points from players to seats": "pay",
    "award 5 points to player": "award",
    "award -5 points to players": "award",
    'award 5 points to "Ann"': "award",
    "award win.points to players": "award",
    "award (player.points // 2) points to player": "award",
    "put points of player at 5": "put",
    "put rounds at 5": "put",
    "roll 2 of 6 as total": "roll",
    "roll 2 of 6 as total by player": "roll",
    "let player choose who from playing": "let",
    "let player choose who from playing or none": "let",
    'let seats choose verdict from ["yes", "no"] asking "Was it good?" in secret within 2 days else "no"': "let",
    "let seats choose some friends from playing or none within turn + 1 turns": "let",
    "let player choose words from any text or none": "let",
    'let chance choose omen from ["owl", "fox"] weighing [3, 1]': "chance",
    "let chance choose p from playing": "chance",
    "oblige player to propose": "oblige",
    'enter player "Dummy" as dummy': "enter",
    'enter player "Zoe" as person': "enter",
    "eliminate player": "eliminate",
    'enter army "azure" for player': "enter_army",
    "promote promotable(player)": "promote",
    'promote promotable(player) to "Q"': "promote",
    "demote demotable(player)": "demote",
    'place "N" of army_named("white") at square_named("white.e4")': "place",
    'shift pieces_on_rank(board_named("white"), 2) around by [1, 0]': "shift",
    "grow boards around by 1": "grow",
    'crown square_named("white.d1").piece': "crown",
    'uncrown square_named("white.e1").piece': "uncrown",
    'enter army "azure" for player on "Zaphod:1"': "enter_army",
    "oblige player to move or propose": "oblige",
    'remove army_named("white").pieces': "remove",
    'move square_named("white.e2").piece to square_named("white.e4")': "move",
    'shift pieces_on_rank(board_named("white"), 2) by [0, 1]': "shift",
    'convert army_named("white").pieces to army_named("yellow")': "convert",
    "give mated_armies to player": "give",
    "grow boards by 1": "grow",
    "repeal this": "repeal",
    "transmute this": "transmute",
    "after 2 turns: award 5 points to player": "after",
    "after 1 turns: after 2 turns: end turn": "after",
    "end part": "end",
    "end turn": "end",
    'announce "It rains."': "announce",
    "enact soon": "enact",
    "amend item(rules, 1) by soon": "amend",
    "void rule_numbered(305) against rule_numbered(101)": "void",
    "revive this": "revive",
    'let players choose answer from any text asking "Who has the ball?"': "let",
    'announce player.name + " is in debt"': "announce",
    "when player.points < 0: eliminate player": "when",
    "when turn > 2: when player.points < 0: (eliminate player; end turn)": "when",
    "each p in playing: award p.points points to p": "each",
    "each p in playing when p.points > 2: each q in playing: pay 1 points from p to q": "each",
    "(end turn)": "together",
    "(let player choose p from playing; award 1 points to p)": "together",
    "after 2 turns: (when player.points < 0: eliminate player; end turn)": "after",
}


@pytest.mark.parametrize(("law", "kind"), VERBS.items())
def test_every_verb_is_read_and_keeps_its_words(law: str, kind: type[c.Clause]) -> None:
    clause = one(law)
    assert type(clause) is kind
    assert clause.words == str(clause) == law
    assert one(clause.words) == clause


#: Every effect as its declaration shows it, and in other ways.
ALL = {one.example: one.name for one in language().vocabulary.effects.values() if one.name != "cast"} | EFFECTS


@pytest.mark.parametrize(("law", "kind"), ALL.items())
def test_every_effect_is_read_and_keeps_its_words(law: str, kind: str) -> None:
    clause = check(f"on turn_begun: {law}\n{SOON}")[0].clause
    assert isinstance(clause, c.TriggerClause)
    (effect,) = clause.effects
    assert effect.form.name == kind
    assert effect.words == law
    again = language().effect(effect.words)
    assert (again.form.name, again.words, again.expressions) == (kind, law, effect.expressions)


def test_the_tables_have_every_verb() -> None:
    def below(kind: type) -> set[type]:
        return {found for _, found in inspect.getmembers(c, inspect.isclass) if issubclass(found, kind)} - {kind}

    assert set(VERBS.values()) == below(c.Clause)
    heads = re.findall(r"^(?:[a-z]\w*:|    \|) _([A-Z]+)", language().grammar, re.MULTILINE)
    examples = [one.example for one in language().vocabulary.effects.values()]  # a game may have brought boards
    words = {law.split()[0] for law in (*VERBS, *ALL, *examples)}
    assert {word.lower() for word in heads} <= words
    assert {"allow", "forbid", "prevails", "defers"} <= words


@pytest.mark.parametrize("form", language().vocabulary.effects.values(), ids=lambda form: form.name)
def test_the_example_of_an_effect_is_one(form) -> None:
    event = "vote_opened" if form.name == "cast" else "balloted"
    clause = check(f"on {event}: {form.example}\n{SOON}", {**COUNTERS, "coins": PER_PLAYER})[0].clause
    assert clause.effects[0].form is form


@pytest.mark.parametrize("kind", [one for one in vars(c).values() if getattr(one, "example", None)])
def test_the_example_of_a_clause_is_one(kind: type[c.Clause]) -> None:
    body = "\n    set win.points to 10" if kind is c.DraftClause else ""
    assert type(one(kind.example + body)) is kind


def test_a_ballot_is_cast_where_a_vote_is_at_hand() -> None:
    clause = one('on vote_opened: cast "for" for "Dummy"')
    assert isinstance(clause, c.TriggerClause)
    assert clause.effects[0].form.name == "cast"


def test_the_parts_of_clauses_are_where_they_belong() -> None:
    on = one("on adopted each p in opponents when p.points < 5: award 1/2 points to p; roll 2 of 6 as n by p; end part")
    assert isinstance(on, c.TriggerClause)
    assert (on.event, on.each) == ("adopted", "p")
    assert on.among is not None
    assert on.among.text == "opponents"
    assert on.condition is not None
    assert on.condition.text == "p.points < 5"
    award, roll, end = on.effects
    assert award.form.name == "award"
    assert (award.amount.text, award.counter, award.who.text) == ("1/2", "points", "p")
    assert roll.form.name == "roll"
    assert (roll.dice.text, roll.sides.text, roll.name, roll.by and roll.by.text) == ("2", "6", "n", "p")
    assert end.form.name == "end"
    assert end.what == "part"
    choose = one("on turn_begun: let player choose who from playing or none; award 1 points to who")
    assert isinstance(choose, c.TriggerClause)
    assert choose.effects[0].form.name == "let"
    assert choose.effects[0].optional
    assert choose.effects[0].options.text == "playing"
    claim = one("prevails over 203, -110, R8 on win.points")
    assert isinstance(claim, c.ClaimClause)
    assert (claim.prevails, claim.over, claim.key) == (True, (203, -110, "R8"), "win.points")
    defers = one("defers to everything")
    assert isinstance(defers, c.ClaimClause)
    assert (defers.prevails, defers.over, defers.key) == (False, None, None)
    forbid = one("forbid vote when player == proponent")
    assert isinstance(forbid, c.SetClause)
    assert (forbid.key, forbid.value.text) == ("may.vote", "false")
    after = one("on turn_begun: after 3 turns: award 1 points to player")
    assert isinstance(after, c.TriggerClause)
    assert [effect.form.name for effect in after.all_effects()] == ["after", "award"]


def test_clauses_are_values() -> None:
    clause = one("set win.points to 50")
    assert clause == one("set   win.points\n   to 50")
    assert hash(clause) == hash(one("set win.points to 50"))
    with pytest.raises(AttributeError):
        clause.key = "win.joint"  # type: ignore[misc, attr-defined]


@pytest.mark.parametrize(
    "word", ["to", "when", "while", "for", "from", "at", "by", "as", "of", "on", "in", "or", "none"]
)
def test_words_of_the_grammar_may_stand_in_texts_and_in_brackets(word: str) -> None:
    assert one(f'on said when text == "{word} x: y; z": end turn')
    on = one(f'on turn_begun: announce "{word}: {word}; {word}"')
    assert isinstance(on, c.TriggerClause)
    assert on.effects[0].form.name == "announce"
    assert on.effects[0].text == f"{word}: {word}; {word}"
    assert one("set win.points to (count(p for p in players) if turn in [1, 2] else 5) while circuit > 1")


def test_lines_are_counted_and_indented_ones_go_on() -> None:
    lines = check(
        "# a remark\nset win.points to\n    50\n\non adopted:\n  award 1 points to proponent;\n"
        "\tend turn\n#\nallow skip"
    )
    assert [(line.line, type(line.clause).__name__) for line in lines] == [
        (2, "SetClause"),
        (5, "TriggerClause"),
        (9, "SetClause"),
    ]
    assert lines[0].clause.words == "set win.points to 50"
    assert check("") == check("\n\n# nothing\n") == ()


# --------------------------------------------------------------------- mistakes, and where they stand

LONG = "\n".join(["set win.points to 50"] * 30)


@pytest.mark.parametrize(
    ("law", "line", "column", "found", "expected"),
    [
        ("set win.points 50", 1, 16, "'50'", "to"),
        ("set", 1, 4, "the end of the line", "a word"),
        ("on adopted: gift 5 points to players", 1, 13, "'gift'", "award"),
        ("on adopted award 1 points to players", 1, 12, "'award'", "':'"),
        ("on adopted:", 1, 12, "the end of the line", "what is done"),
        ("on adopted: end turn;", 1, 22, "the end of the line", "transmute"),
        ("set win.points to", 1, 18, "the end of the line", "an expression"),
        ("set win.points to 5 to 6", 1, 21, "'to'", "the end of the line or while"),
        ("set win.points to 50 # really", 1, 22, "'#'", ""),
        ("set win.points to 1.5", 1, 19, "'1.5'", "1/2"),
        ("set vote.ballots to “open”", 1, 21, "'“'", '" instead of “'),
        ('set vote.ballots to "open', 1, 21, "'\"'", '"…"'),
        ('set vote.ballots to open"', 1, 25, "'\"'", '"…"'),
        ("set vote.quota to majority", 1, 19, "majority", "majority(vote.electorate)"),
        ('set vote.weight to 2 while voter == "Ann"', 1, 28, "", 'player_named("…")'),
        ('set vote.weight to 2 while voter.name = "Ann"', 1, 39, "'='", "=="),
        ('piece Q of "yellow" moves "QN"', 1, 12, "a text", 'army_named("…")'),
        ('on turn_begun: grow "yellow" by 1', 1, 21, "a text", 'board_named("…")'),
        ('on turn_begun: place "N" of army_named("white") at "white.e4"', 1, 52, "a text", 'square_named("…")'),
        ("forbid propos", 1, 8, "'propos'", "propose"),
        ("prevails 203", 1, 10, "'203'", "over"),
        ("prevails over 203 on win.pionts", 1, 22, "'win.pionts'", "win.points"),
        ("track coins from 0", 1, 13, "'from'", "per"),
        ("track coins per team from 0", 1, 17, "'team'", "player"),
        ("award 5 points to players", 1, 1, "'award'", "on"),
        ("set win.points to 5 when stuck", 1, 21, "'when'", "while"),
        ("on turn_begun: announce hello", 1, 25, "hello", '"…"'),
        ("on turn_begun: after 2 trun: end turn", 1, 24, "'trun'", "turns"),
        ("on turn_begun: end game", 1, 20, "'game'", "turn"),
        ("on turn_begun: oblige player to dance", 1, 33, "'dance'", "propose"),
        ('on turn_begun: enter player "X" as robot', 1, 36, "'robot'", "dummy"),
        ("on turn_begun: put coins at 5", 1, 20, "'coins'", "rounds"),
        ("on turn_begun: award 5 pionts to player", 1, 24, "'pionts'", "points"),
        ("on turn_begun: award [1] points to player", 1, 22, "a list of numbers", "a number"),
        ("set vote.ballots to\n  (\"open\" if true\n   else \"hidden\")", 3, 9, '"hidden"', '"sealed"'),
        ("set win.points to\n    (1 -\n     \"a\")", 3, 6, "a text", "a number"),
        ("set win.points to\n  turn +\n    fooo", 3, 5, "fooo", ""),
        ("on turn_begun:\n  award 1 points to player;\n  award 1 pionts to player", 3, 11, "'pionts'", "points"),
        ("on turn_begun:\n  award 1 points to player;\n  gift 2 points to player", 3, 3, "'gift'", "award"),
        (f"{LONG}\n\n# here\nset win.pionts to 1\n{LONG}", 33, 5, "'win.pionts'", "win.points"),
        (f"{LONG}\non adopted:\n  award\n    1 +* 2 points\n    to players\n{LONG}", 33, 8, "'*'", ""),
        (f"{LONG}\nset win.points to [1\n{LONG}", 31, 21, "the end of the line", "']'"),
    ],
)  # fmt: skip
def test_a_mistake_is_answered_with_line_and_column(
    law: str, line: int, column: int, found: str, expected: str
) -> None:
    error = refusal(law)
    assert (error.line, error.column) == (line, column)
    assert error.found == found
    assert expected in error.expected
    assert f"line {line}, column {column}: " in str(error)


@pytest.mark.parametrize(
    ("law", "line", "column"),
    [
        ("on turn_begun: award 1 points to n", 1, 34),
        ("on turn_begun: let player choose turn from [1]", 1, 34),
        ("set win.points to 5 while 5", 1, 27),
        ('on deed when name == "x": award x points to player', 1, 33),
        ("on turn_begun each player in players: end turn", 1, 20),
        ("on turn_begun: award 1 points to player; award 1 points to 1", 1, 60),
        ("on turn_begun: roll 1 of 6 as a; roll a of o as b", 1, 44),
        ("set vote.ballots to \"o\" while \"o\" == \"o\"", 1, 21),
        ("on turn_begun:\n  award 1 points to player;\n  award 1 points to t", 3, 21),
        ("track e per team from e", 1, 13),
        ("on turn_begun: put r at 1", 1, 20),
    ],
)  # fmt: skip
def test_the_column_is_that_of_the_word_at_fault_and_not_of_its_like(law: str, line: int, column: int) -> None:
    error = refusal(law)
    assert (error.line, error.column) == (line, column)


def test_the_mark_stands_under_the_column() -> None:
    error = refusal("on adopted:\n  award 1 points to players;\n  aword 2 points to players")
    _, shown, mark, _ = str(error).splitlines()
    assert mark.index("^") == shown.index("aword")


@pytest.mark.parametrize(
    ("law", "near"),
    [
        ("sett win.points to 50", "set"),
        ("requires stuck", "require"),
        ("prevail over 203", "prevails"),
        ("allows skip", "allow"),
        ("set win.point to 5", "win.points"),
        ("set vote.qouta to 5", "vote.quota"),
        ("allow votes", "vote"),
        ("on adoptd: end turn", "adopted"),
        ("on turn_beginn: end turn", "turn_begun"),
        ("set win.points to trun", "turn"),
        ("set win.points to cuont(rules)", "count"),
        ("set vote.quota to mojority(vote.electorate)", "majority"),
        ("set win.winners to [p for p in players if p.ponts > 3]", "points"),
        ("set win.winners to [p for p in players if p.points > win.pionts]", "win.points"),
        ("on turn_begun: award 1 pionts to player", "points"),
        ("on turn_begun: oblige player to propse", "propose"),
        ("set win.points to 50 whle true", "while"),
    ],
)
def test_what_was_meant_is_offered(law: str, near: str) -> None:
    error = refusal(law)
    told = f"{error.values.get('near')} {error.expected}"
    assert re.search(rf"\b{re.escape(near)}\b", told)


@pytest.mark.parametrize(
    "law",
    [
        "setwin.points to 5", "set win.points to5", "forbidvote", "requirestuck", "onadopted: end turn",
        "on turn_begun: endturn", "on turn_begun: repealthis", "prevails overeverything",
        "track coins perplayer from 0",
        "on turn_begun: oblige player topropose", "defersto 203",
    ],
)  # fmt: skip
def test_words_do_not_run_together(law: str) -> None:
    refusal(law)


def test_what_the_parser_expects_is_said_in_words_of_the_language() -> None:
    for law in ("set win.points to", "require", "forbid vote when", "on turn_begun: award 5 points to"):
        assert refusal(law).expected == "an expression"


# ---------------------------------------------------------------------------- read before any vote


@pytest.mark.parametrize(
    ("law", "said"),
    [
        ('set win.points to "a"', {"code": "kind-needed", "what": "win.points", "kind": "a number"}),
        ("set win.points to true", {"code": "kind-needed", "what": "win.points", "kind": "a number"}),
        ("set win.points to none", {"code": "kind-needed", "what": "win.points", "kind": "a number"}),
        ("set win.points to players", {"code": "kind-needed", "what": "win.points", "kind": "a number"}),
        ("set win.winners to 5", {"code": "kind-needed", "what": "win.winners", "kind": "a list of players"}),
        ('set win.winners to ["Ann"]', {"code": "kind-needed", "what": "win.winners", "kind": "a list of players"}),
        ("set win.winners to [p.points for p in players]",
            {"code": "kind-needed", "what": "win.winners", "kind": "a list of players"}),
        ('set turn.parts to "proposal"', {"code": "kind-needed", "what": "turn.parts", "kind": "a list of texts"}),
        ("set vote.duty to 1", {"code": "kind-needed", "what": "vote.duty", "kind": "a truth"}),
        ("set win.points to 5 while turn", {"code": "kind-needed", "what": "a condition", "kind": "a truth"}),
        ("allow skip when turn", {"code": "kind-needed", "what": "a condition", "kind": "a truth"}),
        ("require 1", {"code": "kind-needed", "what": "a requirement", "kind": "a truth"}),
        ("require player.points > 1", {"code": "name-unknown", "name": "player"}),
        ("set win.points to player.points", {"code": "name-unknown", "name": "player"}),
        ("set win.points to votes_for", {"code": "needs-more", "needs": "proposal"}),
        ('set vote.ballots to "hidden"', {"code": "value-unknown"}),
        ('set vote.ballots to ("open" if turn > 3 else "hidden")', {"code": "value-unknown"}),
        ("set win.joint to \"nobody\"", {"code": "value-unknown"}),
        ("set win.points to win.points", {"code": "key-set-from-itself"}),
        ("set win.points to 1 + win.points", {"code": "key-set-from-itself"}),
        ("set win.points to 5 while win.points > 5", {"code": "key-set-from-itself"}),
        ("set win.points to 1 / 0", {"code": "division-by-zero"}),
        ("set win.points to 1000000000000 * 1000000000000", {"code": "number-too-large"}),
        ("set win.points to 9 ** 9", {"code": "sign-unknown"}),
        ("set win.points to 5 while 1 / 0 == 1", {"code": "division-by-zero"}),
        ("require 1 / 0 == 1", {"code": "division-by-zero"}),
        ("forbid vote when 1000000000000 * 10 > 1", {"code": "number-too-large"}),
        ("on turn_begun when 1 / 0 == 1: end turn", {"code": "division-by-zero"}),
        ("on turn_begun: award 1 / 0 points to player", {"code": "division-by-zero"}),
        ("on turn_begun: put points of player at 1000000000000 + 1", {"code": "number-too-large"}),
        ("on turn_begun: roll 1 / 0 of 6 as n", {"code": "division-by-zero"}),
        ("on turn_begun: after 1 / 0 turns: end turn", {"code": "division-by-zero"}),
        ("track coins per player from 1 / 0", {"code": "division-by-zero"}),
        ('track coins per player as number from "a"', {"code": "kind-needed", "kind": "a number"}),
        ("track name per player from 0", {"code": "name-not-for-counter"}),
        ("track players per game from 0", {"code": "name-not-for-counter"}),
        ("track coin.s per player from 0", {"code": "name-not-for-counter"}),
        ("track not per player from 0", {"code": "name-not-for-counter"}),
        ("track none per player from 0", {"code": "name-not-for-counter"}),
        ("track points per game from 0", {"code": "counter-tracked-otherwise", "per": "player"}),
        ("track coins per game from 0\ntrack coins per player from 0", {"code": "counter-tracked-otherwise"}),
        ("on turn_begun: award 1 coins to player", {"code": "not-tracked-per", "name": "coins"}),
        ("on turn_begun: award 1 rounds to player",
            {"code": "kept-per", "name": "rounds", "per": "game", "kind": "player"}),
        ("on turn_begun: put points at 1", {"code": "kept-per", "name": "points", "per": "player"}),
        ("on turn_begun: award 5 to player", {"code": "counter-missing", "did": "awarded"}),
        ("on turn_begun: award points to player", {"code": "counter-missing", "did": "awarded"}),
        ("on turn_begun: award 5 points to 5", {"code": "players-needed"}),
        ("on turn_begun: award 5 points to rules",
            {"code": "kept-per", "name": "points", "per": "player", "kind": "rule"}),
        ("on turn_begun each p in 3: end turn", {"code": "list-needed"}),
        ("on turn_begun each turn in [1]: end turn", {"code": "means-something"}),
        ("on turn_begun: let player choose x from 5", {"code": "options-not-a-list"}),
        ('on turn_begun: roll "a" of 6 as x', {"code": "kind-needed", "kind": "a number"}),
        ("on turn_begun: roll 1 of 6 as turn", {"code": "means-something"}),
        ("on turn_begun: roll 1 of 6 as this", {"code": "means-something"}),
        ("on turn_begun: end turn; award face points to player", {"code": "name-unknown", "name": "face"}),
        ("on turn_begun: after 1 turns: roll 1 of 6 as n; award n points to player",
            {"code": "name-unknown", "name": "n"}),
        ("on turn_begun: enter player 5 as dummy", {"code": "kind-needed", "kind": "a text"}),
        ("on turn_begun: cast \"for\" for player", {"code": "vote-missing"}),
        ("on turn_begun: repeal 203", {"code": "several-needed"}),
        ("on turn_begun: transmute player", {"code": "kind-needed", "kind": "a rule"}),
        ('on turn_begun: ask "Who?"', {"code": "answer-without-name"}),
        ("on turn_begun: oblige player to vote", {"code": "word-unknown"}),
    ],
)  # fmt: skip
def test_it_is_refused_before_any_vote(law: str, said: dict[str, Any]) -> None:
    check_refusal(refusal(law), **said)


@pytest.mark.parametrize(
    "law",
    [
        "on counted: award 1 points to player",
        "on turn_begun: end turn\non counted: award 1 points to player",
        "on thrown: roll 1 of 6 as n",
        "on chosen: let player choose x from [1]",
        "on repealed: repeal rule",
        "on transmuted: transmute rule",
        'on entered: enter player "X" as dummy',
        'on balloted: cast "for" for playing',
        "on counted: roll 1 of 6 as n by player\non thrown: award 1 points to players",
        "on counted: roll 1 of 6 as n\non thrown: transmute this\non transmuted: put rounds at 1",
        "on counted each p in players: award 1 points to p",
        "on counted: each p in players: award 1 points to p",
        "on counted: (put rounds at 1; (end turn; award 1 points to player))",
        "on thrown: each p in players: each q in players: (end part; roll 1 of 6 as n)",
    ],
)
def test_a_circle_is_seen_before_it_runs(law: str) -> None:
    error = refusal(law)
    check_refusal(error, "clause-circular")
    assert error.expected


@pytest.mark.parametrize(
    "law",
    [
        "on counted when amount > 1: award 1 points to player",
        "on turn_begun: award 1 points to player\non counted: roll 1 of 6 as n",
        "on thrown: award 1 points to players\non counted when player.points > 5: roll 1 of 6 as n",
        "on counted: after 1 turns: award 1 points to player",
        "on counted: after 1 turns: (award 1 points to player; end turn)",
        "on counted: when turn < 3: (award 1 points to player; end turn)",
        "on counted: each p in players when p.points < 3: award 1 points to p",
    ],
)
def test_what_may_stop_by_itself_is_taken(law: str) -> None:
    assert check(law)


@pytest.mark.parametrize(
    ("law", "complaint", "expected"),
    [
        ("on said: each p in 5: end turn", {"code": "list-needed"}, "a list"),
        (
            "on said: each p in playing when p.points: end turn",
            {"code": "kind-needed", "what": "a condition", "kind": "a truth"},
            "a truth",
        ),
        ("on said: each p in playing: award 1 point to p", {"code": "not-tracked-per", "name": "point"}, "points"),
        ("on said: each player in playing: end turn", {"code": "means-something", "name": "player"}, "another name"),
        (
            "on said: each p in playing: each p in playing: end turn",
            {"code": "means-something", "name": "p"},
            "another name",
        ),
        (
            "on said: when player.points: end turn",
            {"code": "kind-needed", "what": "a condition", "kind": "a truth"},
            "a truth",
        ),
        ("on said: (each p in playing: end turn; award 1 points to p)", {"code": "name-unknown", "name": "p"}, ""),
        ("on said: (roll 1 of 6 as n; end turn); award n points to player", {"code": "name-unknown", "name": "n"}, ""),
        (
            "on said: when turn > 1: let player choose p from playing; award 1 points to p",
            {"code": "name-unknown", "name": "p"},
            "",
        ),
        ("on said: announce turn", {"code": "kind-needed", "kind": "a text"}, "a text"),
        (
            'on said: let seats choose v from ["a"]; when v == "a": end turn',
            {"code": "several-answer"},
            'count(who(v, "a"))',
        ),
        (
            'on said: let seats choose v from ["a"]; when "a" in [v]: end turn',
            {"code": "never-contains", "list": "a list of polls"},
            "",
        ),
        ('on said: let seats choose v from ["a", "b"]; each p in v: end turn', {"code": "list-needed"}, "a list"),
        (
            'on said: let seats choose v from ["a"]; award v points to player',
            {"code": "kind-needed", "what": "an award", "kind": "a number"},
            "a number",
        ),
        (
            'on said: let seats choose v from ["a"]; award 1 points to who(v, "c")',
            {"code": "never-has-text", "text": '"c"'},
            "a",
        ),
        (
            'on said: let seats choose v from ["a"]; award 1 points to who(v, 3)',
            {"code": "never-equal", "kind": "a text", "other": "a number"},
            "",
        ),
        ("on said: award 1 points to who(playing, player)", {"code": "answers-of-nothing"}, "a poll"),
        (
            'on said: let player choose v from ["a", "b"]; when v == "c": end turn',
            {"code": "never-has-text", "text": '"c"'},
            "a, b",
        ),
        ("on said: let seats choose v from 5", {"code": "options-not-a-list"}, "any number"),
        ("on said: let seats choose v from []", {"code": "no-options"}, "any number"),
        ('on said: let [] choose v from ["a"]', {"code": "nobody-asked"}, "seats"),
        ('on said: let seats choose v from ["a"] asking " "', {"code": "question-empty"}, "asking"),
        ('on said: let player choose v from ["a"] in secret', {"code": "secret-of-one"}, "several"),
        ("on said: let seats choose some v from any text", {"code": "some-without-list"}, "a list"),
        (
            'on said: let seats choose v from ["a", "b"] within 2 days else "c"',
            {"code": "default-not-an-option"},
            '"a" or "b"',
        ),
        (
            'on said: let seats choose v from ["a"] within 2 days else 3',
            {"code": "kind-needed", "kind": "a text"},
            "text",
        ),
        ('on said: let seats choose v from ["a"] within 2 moons', {"code": "unit-missing"}, ""),
        ('on said: let seats choose v from ["a"] within days else "a"', {"code": "span-missing"}, "2 days"),
        ("on said: let chance choose n from any number", {"code": "chance-without-list"}, "owl"),
        ("on said: let chance choose n from [1, 2] weighing [1]", {"code": "weights-unequal"}, "as many"),
        (
            'on said: let chance choose n from [1, 2] weighing ["a", "b"]',
            {"code": "kind-needed", "kind": "a list of numbers"},
            "numbers",
        ),
        (
            'on said: ask seats "Who?"; end turn',
            {"code": "answer-without-name"},
            'on said: let seats choose answer from any text asking "Who?"; end turn',
        ),
        ("on said: ()", {"code": "misplaced"}, "announce"),
        ("on said: (end turn", {"code": "misplaced"}, "')'"),
        ("when turn > 3: end turn", {"code": "event-missing"}, "on EVENT: when turn > 3: end turn"),
    ],
)
def test_what_effects_hold_is_checked_before_the_vote(law: str, complaint: dict[str, Any], expected: str) -> None:
    error = refusal(law)
    check_refusal(error, **complaint)
    assert expected in error.expected


def test_a_circle_is_given_in_its_order() -> None:
    lines = language().read_clauses(
        "on turn_begun: end turn\non counted: roll 1 of 6 as n\non thrown: award 1 points to players"
    )
    circle = find_trigger_circle([line.clause for line in lines if isinstance(line.clause, c.TriggerClause)])
    assert {clause.event for clause in circle} == {"counted", "thrown"}
    assert find_trigger_circle([]) == ()


def test_size_is_bounded() -> None:
    assert len(check("\n".join(["allow skip"] * MOST_LINES))) == MOST_LINES
    assert refusal("\n".join(["allow skip"] * (MOST_LINES + 1))).line == MOST_LINES + 1
    refusal(f'on turn_begun: announce "{"a" * LONGEST_LINE}"')
    assert len(check("set capture.from to [" + ", ".join(f'army_named("white{n}")' for n in range(90)) + "]")) == 1
    refusal("on turn_begun: " + "after 1 turns: " * 200 + "end turn")


@pytest.mark.parametrize("letter", ["\u200b", "\u202e", "\ufeff", "\x00", "\x1b", "\ud800", "\\", "#"])
def test_characters_that_hide_are_refused_even_in_texts(letter: str) -> None:
    assert refusal(f'on turn_begun: announce "a{letter}b"').column == 27


@pytest.mark.parametrize("number", [203, -110, "R8", "A1"])
def test_numbers_and_labels_of_rules_are_told_apart(number: Number) -> None:
    claim = one(f"prevails over {number}")
    assert isinstance(claim, c.ClaimClause)
    assert claim.over == (number,)


# ------------------------------------------------------- nothing is declared that play does not know


#: The packages that read the law.
READING = (
    ".",
    "engine",
    "engine.law",
    "engine.play",
    "engine.subjects",
    "engine.record",
    "engine.rulesets",
    "chess",
    "chess.play",
    "chess.fairplay",
    "chess.record",
)


@cache
def _sources(*folders: str) -> dict[str, str]:
    found = {}
    for folder in folders:
        package = files("nomic_nb") if folder == "." else files(f"nomic_nb.{folder}")
        for path in package.iterdir():
            if path.name.endswith((".py", ".md")):
                found[f"{folder}/{path.name}"] = path.read_text(encoding="utf-8")
    return found


def test_every_event_happens_somewhere() -> None:
    """Each kind is named somewhere beside its declaration, and nothing is emitted that is not declared."""
    named, emitted = set[str](), set[str]()
    for text in _sources("engine.play", "engine.subjects", "chess.play", "chess.fairplay", "study.audit").values():
        nodes = list(ast.walk(ast.parse(text)))
        calls = [(ast.unparse(one.func), one.args[0]) for one in nodes if isinstance(one, ast.Call) and one.args]
        declared = {first for made, first in calls if made == "happens"}
        words = {one: one.value for one in nodes if isinstance(one, ast.Constant) and isinstance(one.value, str)}
        named |= {word for one, word in words.items() if one not in declared}
        emitted |= {words[first] for made, first in calls if made.endswith(".emit") and first in words}
    assert {event.name for event in EVENTS} | set(EVENT_KINDS) <= named | {"undone"}
    assert emitted <= set(EVENT_KINDS)


@cache
def _read_by_rules() -> set[str]:
    """The keys that clauses of the packaged rule sets look up."""
    speech = language()
    found: set[str] = set()
    for name, text in _sources("engine.rulesets", "chess.rulesets").items():
        if name.endswith(".md"):
            for block in re.findall(r"```law\n(.*?)```", text, re.DOTALL):
                for line in speech.read_clauses(block):
                    found.update(key for expression in line.clause.expressions for key in expression.keys)
    return found


@cache
def _read_by_play() -> set[str]:
    """The keys that play looks up."""
    sources = _sources("engine.play", "engine.subjects", "chess", "chess.play", "chess.fairplay", "engine.law").values()
    text = re.sub(r'\bKey\(\s*"[\w.]+"', "", "\n".join(sources))
    built = {f"{kind}.tier" for kind in ("enact", "transmute") if '{change.kind}.tier"' in text}
    return set(re.findall(r'"([a-z_]+\.[a-z_]+)"', text)) | built


@pytest.mark.parametrize("key", [key.name for key in KEYS])
def test_every_key_is_read(key: str) -> None:
    assert key in _read_by_play() | _read_by_rules()


def test_no_key_is_read_past_the_resolver() -> None:
    """A key's name is only ever handed on: to the resolver, or to what declares that it is looked up there."""
    names = {key.name for key in KEYS}
    for name, text in _sources(*READING).items():
        if not name.endswith(".py") or name == "chess.play/position_law.py":  # which writes clauses, and reads none
            continue
        parents = {below: above for above in ast.walk(ast.parse(text)) for below in ast.iter_child_nodes(above)}
        for node in parents:
            if isinstance(node, ast.Attribute) and node.attr in ("candidates", "rulings"):
                # Who says something of a key, and not what is said: to name the rule in a refusal, or to see
                # whether the clauses are the very same.
                known = ("engine.law/index.py", "engine.law/resolver.py", "engine.law/weighing.py",
                         "engine.play/proposals.py", "engine.play/ledger.py",
                         "chess.fairplay/coming_turns.py")  # fmt: skip
                assert name in known, (name, node.lineno)
            if not (isinstance(node, ast.Constant) and node.value in names):
                continue
            above = parents[node]
            while isinstance(above, ast.Tuple):
                above = parents[above]
            handed = isinstance(above, ast.Call | ast.keyword | ast.For | ast.comprehension)
            called = above.func if isinstance(above, ast.Call) else None
            taken = isinstance(called, ast.Attribute) and called.attr in ("get", "setdefault")
            agreed = isinstance(above, ast.Subscript) and ast.unparse(above.value) == "agreed"
            assert agreed or (handed and not taken), (name, node.lineno, ast.unparse(above)[:80])


#: Who may compare the kinds of nodes: where they are, are read and evaluated, have types, and are put into words.
ON_KINDS = {
    "engine/law/nodes.py", "engine/law/expressions.py", "engine/law/types.py",
    "study/views/explanations.py", "study/views/phrase_parts.py", "study/views/phrases.py",
}  # fmt: skip


@pytest.mark.slow
def test_only_the_evaluator_and_the_readings_compare_kinds_of_nodes() -> None:
    """Everybody else asks a node by a name: ``node.function == "count"``, ``clause.calls("count")``."""
    kinds = {*re.findall(r"``(\w+)``", cast(str, Node.__doc__).partition("kind : str")[2].partition("column : int")[0])}
    assert {"constant", "call", "each"} <= kinds
    package = Path(str(files("nomic_nb")))
    found = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            asked = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            asked += [node.subject, *(case.pattern for case in node.cases)] if isinstance(node, ast.Match) else []
            inner = [below for one in asked for below in ast.walk(one)]
            of_node = any(isinstance(one, ast.Attribute) and ast.unparse(one) == "node.kind" for one in inner)
            of_kind = any(isinstance(one, ast.Attribute) and one.attr == "kind" for one in inner)
            if of_node or (of_kind and kinds & {one.value for one in inner if isinstance(one, ast.Constant)}):
                found.add(path.relative_to(package).as_posix())
    assert found == ON_KINDS


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("award 5 points to player", {"code": "event-missing", "expected": "on EVENT: award 5 points to player"}),
        ("on adopted: give player 5 points", {"code": "misplaced", "expected": "award 5 points to player"}),
        ("on adopted: give 5 points to player", {"code": "not-an-expression", "expected": "award 5 points to …"}),
        ("on adopted: award 5 points to everyone", {"code": "name-unknown", "expected": "playing, seats, players"}),
        ("on adopted: award 5 points to voters", {"code": "name-unknown", "expected": "vote.electorate"}),
        ("on day_begin: end turn", {"code": "word-unknown", "expected": "part_begun"}),
    ],
)
def test_what_is_probably_meant_is_said(written, said):
    speech = language()
    with pytest.raises(LawError) as caught:
        speech.check_clauses(speech.read_clauses(written), {"points": PER_PLAYER})
    check_refusal(caught.value, **said)


@pytest.mark.parametrize("law", ["SET win.points to 50", "Set win.points to 50"])
def test_a_clause_in_capitals_is_told_the_word_in_small_letters(law):
    with refused("clause-unknown", near="set"):
        language().read_clauses(law)


def test_a_clause_says_what_stands_in_it() -> None:
    clause = one(
        "on adopted each p in [q for q in playing if q.points > 5] "
        'when count(playing) in [2, 3] or mover == player_named("Ann"): '
        "award min([p.points, 4]) points to p; roll 1 of 6 as x"
    )
    assert [node.function for node in clause.calls("count", "min")] == ["count", "min"]
    assert [*clause.constant_texts()] == ["Ann"]
    assert [*clause.constant_numbers()] == [5, 2, 3, 4, 1, 6]
    assert [*clause.names] == ["playing", "mover", "p"]
    assert [node.function for node in clause.nodes_compared_with("mover")] == ["player_named"]
    assert [len(other.list_items_or_self) for part, other in clause.compared_pairs() if part.function == "count"] == [2]
    assert [effect.form.name for effect in clause.all_effects("roll", "cast")] == ["roll"]
    assert clause.events_made == {"counted", "thrown"}


def test_a_condition_is_taken_apart_however_it_is_bracketed() -> None:
    clause = one("set win.points to 9 while (turn > 1 and circuit > 2) and not (turn > 5 and turn < 9)")
    assert isinstance(clause, c.SetClause)
    (condition,) = clause.asked
    assert [part.canonical for part in condition.node.conjuncts] == [
        "(turn > 1)", "(circuit > 2)", "not ((turn > 5) and (turn < 9))",
    ]  # fmt: skip
    assert condition.node.conjuncts[0].is_comparison_of("turn", "1") is False
    assert one("set win.points to 9 while 3 == turn").asked[0].node.is_comparison_of("turn", "3")
