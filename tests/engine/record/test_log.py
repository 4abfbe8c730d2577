"""Records: what is saved comes back, and what was tampered with is refused with its line."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import refusals
from hypothesis import Phase, given
from hypothesis import strategies as st
from often import examples
from patience import patience
from play_helpers import by_hand

import nomic_nb as nb
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS
from nomic_nb.engine.play.dice import draw_faces
from nomic_nb.engine.record import log

PLAYERS = ["Ann", "Ben", "Zoë"]
#: Under which the one throw that the game below draws shows something else.
OTHER_SEED = next(seed for seed in range(8, 99) if draw_faces(seed, 0, 1, 6) != draw_faces(7, 0, 1, 6))


def everyone(game: nb.Game, ballot: str = "for") -> None:
    for name in game.players:
        game.vote(name, ballot)


BIRDS = """on turn_begun: award 3/2 points to player
on said when text == "Right?": let seats choose answer from any text asking "Is that right?\""""


def played(seed: int = 7) -> nb.Game:
    """A game in which a bit of everything happens."""
    game = nb.new_game("discordian-nomic", PLAYERS, seed=seed, terms={"win.points": 60})
    game.say("Ben", 'A "quoted" é \u2603 <b>text</b>')
    by_hand(game, "Ann", 'award -2 points to "Ben"', 210)
    game.propose("Ann", nb.amend(203, "Most are enough.", "set vote.quota to majority(vote.electorate)"))
    everyone(game)
    game.roll("Ann", 6)
    game.propose("Ben", nb.enact("Early birds.", "on turn_begun: award 1/2 points to player", "Birds"), debate=True)
    game.revise("Ben", nb.enact("Early birds, paid.", BIRDS, "Birds"))
    game.call_vote("Ben")
    game.vote("Ann", "against")
    game.vote("Ben", "for")
    game.vote("Zoë", "for")
    game.roll("Ben")
    game.propose("Zoë", nb.repeal(210))
    everyone(game, "against")
    game.invoke_judgment("Ann", "May one whistle?")
    game.rule_on("Ben", "One may.", "Nobody minds.", [116], 'announce "Whistle on."')
    game.overrule("Ann", "for")
    game.overrule("Zoë", "against")
    for name in PLAYERS:
        game.consent(name)
    game.say("Ann", "Right?")
    for name in PLAYERS:
        game.choose(name, "yes")
    game.act("Ben", "whistles")
    game.report("Ann", "Ben", "whistling")
    game.roll("Zoë", 2)
    game.propose("Ann", nb.enact("A die of eight.", "set dice.sides to 8", "Eight"))
    game.vote("Ann", "for")
    return game


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("saved") / "game.jsonl"
    played().save(path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records")


def load(folder: Path, data: bytes) -> nb.Game:
    path = folder / "game.jsonl"
    path.write_bytes(data)
    return nb.load(path)


def refused(folder: Path, data: bytes) -> nb.RecordError:
    with patience(4), pytest.raises(nb.RecordError) as error:
        load(folder, data)
    return error.value


def lines_of(saved: bytes) -> list[bytes]:
    return saved.split(b"\n")[:-1]


def joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def find(lines: list[bytes], kind: str, which: int = 0) -> int:
    """Return the place of an event of a kind."""
    return [at for at, line in enumerate(lines) if json.loads(line).get("kind") == kind][which]


def canonical(data: Any) -> bytes:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def forged(lines: list[bytes]) -> bytes:
    """Bind the lines to each other again, and count them, as one would who knows how."""
    out = [lines[0]]
    for at, line in enumerate(lines[1:], 1):
        data = json.loads(line)
        data["prev"] = hashlib.sha256(out[-1]).hexdigest()
        if at == len(lines) - 1 and "end" in data:
            data["end"] = len(lines) - 2
        out.append(canonical(data))
    return joined(out)


def with_line(lines: list[bytes], at: int, change: Callable[[dict[str, Any]], object]) -> list[bytes]:
    data = json.loads(lines[at])
    change(data)
    return [*lines[:at], canonical(data), *lines[at + 1 :]]


# --------------------------------------------------------------------------------- there and back


def alike(one: nb.Game, other: nb.Game) -> None:
    assert one.state.digest() == other.state.digest()
    pd.testing.assert_frame_equal(one.history, other.history)
    pd.testing.assert_frame_equal(one.ledger.frame, other.ledger.frame)
    pd.testing.assert_frame_equal(one.ballots, other.ballots)
    pd.testing.assert_frame_equal(one.rules.frame, other.rules.frame)
    assert [str(decision) for decision in one.pending] == [str(decision) for decision in other.pending]
    assert (one.seed, one.players, one.ruleset.text) == (other.seed, other.players, other.ruleset.text)


def test_what_is_saved_comes_back(folder: Path) -> None:
    game = played()
    game.save(folder / "one.jsonl")
    again = nb.load(folder / "one.jsonl")
    alike(game, again)
    again.save(folder / "two.jsonl")
    assert (folder / "two.jsonl").read_bytes() == (folder / "one.jsonl").read_bytes()
    for one in (game, again):
        one.vote("Ben", "for")
        one.vote("Zoë", "for")
        one.roll("Ann")
    alike(game, again)


def test_a_game_comes_back_at_every_moment(folder: Path) -> None:
    moments: list[bytes] = []

    class Watched(nb.Game):
        def do(self, player: str, action: str, **details: Any) -> None:
            super().do(player, action, **details)
            self.save(folder / "now.jsonl")
            moments.append((folder / "now.jsonl").read_bytes())

    game = Watched(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=3).timeline)
    game.propose("Ann", nb.enact("Pay.", "on turn_ended: award 1/3 points to player"))
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    game.roll("Ann")
    game.forfeit("Ben")
    for data in moments:
        again = load(folder, data)
        again.save(folder / "again.jsonl")
        assert (folder / "again.jsonl").read_bytes() == data


def test_a_record_is_plain_and_says_what_it_is(saved: bytes) -> None:
    lines = lines_of(saved)
    assert saved.isascii()
    assert b"\r" not in saved
    head, last = json.loads(lines[0]), json.loads(lines[-1])
    assert (head["format"], head["version"]) == (log.FORMAT, log.VERSION)
    assert (head["players"], head["seed"]) == (PLAYERS, 7)
    assert head["terms"] == {"win.points": "60"}
    assert last["end"] == len(lines) - 2
    for at, line in enumerate(lines):
        assert canonical(json.loads(line)) == line
        if at:
            assert json.loads(line)["prev"] == hashlib.sha256(lines[at - 1]).hexdigest()


def test_the_record_of_these_actions_has_them(saved: bytes) -> None:
    kinds = {json.loads(line).get("kind") for line in lines_of(saved)}
    assert {"proposed", "revised", "debate_ended", "balloted", "thrown", "answered", "said", "free_act", "deed",
            "applied", "judgment_invoked", "counted", "defeated", "amended", "enacted"} <= kinds  # fmt: skip


def test_saving_over_a_file_leaves_nothing_else_behind(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir()
    (inner / "game.jsonl").write_text("old")
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    game.save(inner / "game.jsonl")
    game.save(str(inner / "game.jsonl"))
    assert [path.name for path in inner.iterdir()] == ["game.jsonl"]
    assert nb.load(str(inner / "game.jsonl")).players == ("Ann", "Ben")


@pytest.mark.parametrize(
    "terms",
    [
        {}, {"win.points": Fraction(61, 2)}, {"win.points": "60 + 1"}, {"vote.duty": False}, {"turn.parts": ["throw"]},
        {"vote.changeable": True, "vote.ballots": "sealed", "dice.sides": 8},
    ],
)  # fmt: skip
def test_terms_come_back(folder: Path, terms: dict[str, object]) -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1, terms=terms)
    game.save(folder / "one.jsonl")
    alike(game, nb.load(folder / "one.jsonl"))


def test_clauses_taken_away_stay_away(folder: Path) -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    game.propose("Ann", nb.amend(206, "Defeat costs nothing.", law=""))
    everyone(game)
    assert game.rules[301].clauses == ()
    game.save(folder / "one.jsonl")
    alike(game, nb.load(folder / "one.jsonl"))


def test_a_rule_file_in_any_script_comes_back(folder: Path) -> None:
    from nomic_nb.engine.play.vocabulary import language
    from nomic_nb.engine.rulesets.literate import find_ruleset

    text = find_ruleset("discordian-nomic", language()).text
    too_long = text + "\n## Words\n\n" + ("\U0001f600" * 999 + "\n") * 250
    (folder / "mine.md").write_text(too_long, encoding="utf-8")
    with refusals.refused("rule-file-too-large"):
        nb.new_game(folder / "mine.md", ["Ann", "Ben"], seed=1)
    long = text + "\n## Words\n\n" + ("\U0001f600" * 999 + "\n") * 40
    (folder / "mine.md").write_text(long, encoding="utf-8")
    game = nb.new_game(folder / "mine.md", ["Ann", "Ben"], seed=1)
    game.save(folder / "one.jsonl")
    alike(game, nb.load(folder / "one.jsonl"))


def test_a_proposal_that_no_record_could_hold_is_refused(folder: Path) -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    law = "\n".join([f'on turn_begun: announce "{"😀" * 900}"'] * 8)
    with refusals.refused("change-too-large"):
        nb.enact("😀" * 5000, law, "😀" * 120)
    game.propose("Ann", nb.enact("😀" * 3800, title="😀" * 100))
    game.save(folder / "one.jsonl")
    alike(game, nb.load(folder / "one.jsonl"))


@pytest.mark.parametrize("value", [1.5, [1], {"a": {1}}, object(), "six", 10**30, float("nan")])
def test_whatever_was_tried_can_be_saved_and_comes_back(folder: Path, value: object) -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    game.propose("Ann", nb.enact("Nobody knows.", "forbid roll when 1 / (turn - 1) > 1\nprevails over 202"))
    everyone(game)
    with suppress(nb.IllegalAction, TypeError, ValueError):
        game.do("Ann", "roll", value=value)  # what the law does not decide is recorded, and asked about
    game.save(folder / "one.jsonl")
    alike(game, nb.load(folder / "one.jsonl"))


def test_a_throw_that_the_law_does_not_decide_is_no_accident_of_the_kit() -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    game.propose("Ann", nb.enact("Nobody knows.", "forbid roll when 1 / (turn - 1) > 1\nprevails over 202"))
    everyone(game)
    with refusals.refused("permission-open-and-asked"):
        game.roll("Ann")
    assert [decision.action for decision in game.pending] == ["choose", "choose"]


def test_an_effect_applied_while_a_throw_is_awaited_is_done_and_the_throw_stays_one(folder: Path) -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    game.propose("Ann", nb.repeal(210))
    everyone(game, "against")
    by_hand(game, "Ben", 'award -2 points to "Ben"', 210)
    game.roll("Ann", 4)
    assert dict(game.scores) == {"Ann": -6, "Ben": -2}
    assert game.player == "Ben"
    game.save(folder / "one.jsonl")
    alike(game, nb.load(folder / "one.jsonl"))


# ------------------------------------------------------------------------------------- tampering


def _swap(lines: list[bytes]) -> list[bytes]:
    return [*lines[:10], lines[11], lines[10], *lines[12:]]


def _alter(at_kind: str, old: bytes, new: bytes, which: int = 0) -> Callable[[list[bytes]], list[bytes]]:
    def alter(lines: list[bytes]) -> list[bytes]:
        at = find(lines, at_kind, which)
        assert old in lines[at]
        return [*lines[:at], lines[at].replace(old, new), *lines[at + 1 :]]

    return alter


def test_a_line_that_breaks_off(folder: Path, saved: bytes) -> None:
    lines = lines_of(saved)
    for at in (1, 5, len(lines) - 1):
        data = joined(lines[:at]) + lines[at][: len(lines[at]) // 2]
        error = refused(folder, data)
        refusals.check(error, "record-cut-off", line=at + 1)
    error = refused(folder, lines[0][:100])
    refusals.check(error, "line-not-json", line=1)


def test_a_file_that_breaks_off_at_the_end_of_a_line(folder: Path, saved: bytes) -> None:
    lines = lines_of(saved)
    for count in (1, 2, 10, len(lines) - 1):
        error = refused(folder, joined(lines[:count]))
        refusals.check(error, "record-without-end", line=count)


def test_a_file_without_its_last_byte(folder: Path, saved: bytes) -> None:
    refused(folder, saved[:-1])


@pytest.mark.parametrize("at", [1, 2, 10, 30])
def test_a_line_dropped(folder: Path, saved: bytes, at: int) -> None:
    lines = lines_of(saved)
    error = refused(folder, joined([*lines[:at], *lines[at + 1 :]]))
    assert error.line in (at + 1, len(lines) - 1)
    assert error.code in ("lines-missing", "event-count-wrong")


def test_a_line_dropped_and_the_end_made_to_fit(folder: Path, saved: bytes) -> None:
    lines = lines_of(saved)
    kept = with_line([*lines[:10], *lines[11:]], -2 + len(lines), lambda data: data.update(end=len(lines) - 3))
    error = refused(folder, joined(kept))
    refusals.check(error, "lines-missing", event="11", line=11)


def test_lines_swapped(folder: Path, saved: bytes) -> None:
    error = refused(folder, joined(_swap(lines_of(saved))))
    refusals.check(error, "lines-missing", event="11", line=11)


def test_a_line_twice(folder: Path, saved: bytes) -> None:
    lines = lines_of(saved)
    error = refused(folder, joined([*lines[:11], lines[10], *lines[11:]]))
    assert error.line in (12, len(lines) + 1)
    end = with_line([*lines[:11], lines[10], *lines[11:]], len(lines), lambda data: data.update(end=len(lines) - 1))
    assert refused(folder, joined(end)).line == 12


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("balloted", b'"ballot":"for"', b'"ballot":"against"'),
        ("balloted", b'"actor":"Ann"', b'"actor":"Ben"'),
        ("counted", b'"amount":6', b'"amount":7'),
        ("counted", b'"now":6', b'"now":60'),
        ("thrown", b'"face":6', b'"face":5'),
        ("said", b"quoted", b"quated"),
        ("turn_begun", b'"actor":"Ann"', b'"actor":"Ben"'),
        ("vote_opened", b'"quota":3', b'"quota":1'),
        ("amended", b'"number":301', b'"number":302'),
        ("counted", b'"rule":"', b'"rule":"x'),
        ("proposed", b'"turn":1', b'"turn":2'),
        ("proposed", b'"v":1', b'"v":2'),
    ],
)
@pytest.mark.parametrize("careful", [False, True])
def test_an_event_altered(folder: Path, saved: bytes, kind: str, old: bytes, new: bytes, careful: bool) -> None:
    lines = lines_of(saved)
    at = find(lines, kind)
    if careful and kind == "said":
        pytest.skip("what somebody said may have been something else")
    if old not in lines[at]:
        old, new = b'"circuit":1', b'"circuit":2'
    altered = _alter(kind, old, new)(lines)
    error = refused(folder, forged(altered) if careful else joined(altered))
    assert error.line is not None
    assert error.line >= at + 1
    if not careful:
        assert error.line <= at + 2
        assert error.code in ("line-altered", "rules-make-something-else", "event-version-unknown")


def test_a_forger_may_only_make_another_legal_game(folder: Path, saved: bytes) -> None:
    lines = lines_of(saved)
    at = find(lines, "said")
    data = forged(_alter("said", b"quoted", b"quated")(lines))
    game = load(folder, data)
    assert "quated" in json.loads(lines_of(data)[at])["data"]["text"]
    game.save(folder / "own.jsonl")
    assert (folder / "own.jsonl").read_bytes() == as_written(data)


def test_points_cannot_be_forged(folder: Path, saved: bytes) -> None:
    lines = lines_of(saved)
    at = find(lines, "counted")
    error = refused(folder, forged(with_line(lines, at, lambda line: line["data"].update(amount=59, now=59))))
    refusals.check(error, "rules-make-something-else", due="counted", by=" by Ben", line=at + 1)
    extra = json.loads(lines[at])
    error = refused(folder, forged([*lines[: at + 1], canonical(extra), *lines[at + 1 :]]))
    assert error.line == at + 2


def test_a_line_of_another_game(folder: Path, saved: bytes) -> None:
    played(8).save(folder / "other.jsonl")
    other = lines_of((folder / "other.jsonl").read_bytes())
    lines = lines_of(saved)
    for at in (3, 12):
        error = refused(folder, joined([*lines[:at], other[at], *lines[at + 1 :]]))
        assert error.line in (at + 1, at + 2)
        refusals.check(error, "line-altered")
    assert refused(folder, joined([other[0], *lines[1:]])).line == 2
    assert refused(folder, joined([*lines[:-1], other[-1]])).line == len(lines)


@pytest.mark.parametrize(
    ("field", "value", "line", "said"),
    [
        ("players", ["Ann", "Ben", "Eve"], 2, {"code": "line-altered"}),
        ("players", ["Ann", "Ben"], 2, {"code": "line-altered"}),
        ("players", ["Ann", "Ann", "Ben"], 1, {"code": "name-twice"}),
        ("players", [], 1, {"code": "player-count"}),
        ("players", "Ann", 1, {"code": "header-kinds"}),
        ("players", ["Ann", 5], 1, {"code": "name-blank"}),
        ("players", ["Ann\u202e"], 1, {"code": "letter-invisible"}),
        ("seed", 8, 2, {"code": "line-altered"}),
        ("seed", -1, 1, {"code": "seed-unfit"}),
        ("seed", True, 1, {"code": "seed-unfit"}),
        ("seed", "7", 1, {"code": "seed-unfit"}),
        ("seed", None, 1, {"code": "seed-unfit"}),
        ("terms", {}, 2, {"code": "line-altered"}),
        ("terms", {"win.points": "1"}, 2, {"code": "line-altered"}),
        ("terms", {"win.pionts": "1"}, 1, {"code": "key-fixed-by-no-rule"}),
        ("terms", {"win.points": "__import__('os')"}, 1, {"code": "name-unfit"}),
        ("terms", [], 1, {"code": "header-kinds"}),
        ("text", "# Another", 1, {"code": "ruleset-altered"}),
        ("text", 5, 1, {"code": "ruleset-altered"}),
        ("digest", "0" * 64, 1, {"code": "ruleset-altered"}),
        ("version", 1, 1, {"code": "format-version-unknown", "version": "1"}),
        ("version", 2, 1, {"code": "format-version-unknown", "version": "2"}),
        ("version", 3, 1, {"code": "format-version-unknown"}),
        ("version", 4, 1, {"code": "format-version-unknown"}),
        ("version", 6, 1, {"code": "format-version-unknown"}),
        ("version", 999, 1, {"code": "format-version-unknown"}),
        ("version", 0, 1, {"code": "format-version-unknown", "version": "0"}),
        ("version", "1", 1, {"code": "format-version-unknown", "version": "1"}),
        ("version", None, 1, {"code": "format-version-unknown"}),
        ("format", "PGN", 1, {"code": "no-such-format"}),
        ("format", None, 1, {"code": "no-such-format"}),
        ("ruleset", "nomic-chess", 1, {"code": "header-altered"}),
        ("colour", "red", 1, {"code": "header-fields", "odd": "colour"}),
    ],
)
def test_a_header_altered(
    folder: Path, saved: bytes, field: str, value: object, line: int, said: dict[str, Any]
) -> None:
    error = refused(folder, joined(with_line(lines_of(saved), 0, lambda head: head.update({field: value}))))
    refusals.check(error, **said, line=line)


@pytest.mark.parametrize("field", ["players", "seed", "terms", "text", "digest", "version", "format", "ruleset"])
def test_a_field_of_the_header_missing(folder: Path, saved: bytes, field: str) -> None:
    assert refused(folder, joined(with_line(lines_of(saved), 0, lambda head: head.pop(field)))).line == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("ruleset", "nomic-chess"),
        ("ruleset", {"x": 1}),
        ("version", True),
        ("seed", OTHER_SEED),
        ("players", ["Ann", "Eve", "Zoë"]),
    ],
)
def test_a_header_forged(folder: Path, saved: bytes, field: str, value: object) -> None:
    data = forged(with_line(lines_of(saved), 0, lambda head: head.update({field: value})))
    refused(folder, data)


def test_a_rule_set_forged(folder: Path, saved: bytes) -> None:
    def change(head: dict[str, Any]) -> None:
        head["text"] = head["text"].replace("set defeat.points to -10", "set defeat.points to 10")
        head["digest"] = hashlib.sha256(head["text"].encode()).hexdigest()

    lines = lines_of(saved)
    error = refused(folder, forged(with_line(lines, 0, change)))
    assert error.line is not None
    assert error.line >= find(lines, "defeated")
    refusals.check(error, "rules-make-something-else")


def test_a_newer_kit_is_named(folder: Path, saved: bytes) -> None:
    def newer(head: dict[str, Any]) -> None:
        head.update(version=log.VERSION + 1, universes=[], compressed=True)
        del head["seed"]

    error = refused(folder, joined(with_line(lines_of(saved), 0, newer)))
    refusals.check(error, "format-version-unknown", version=str(log.VERSION + 1))


@pytest.mark.parametrize("field", ["colour", "time", "signature"])
def test_unknown_fields_of_an_event(folder: Path, saved: bytes, field: str) -> None:
    lines = lines_of(saved)
    for kind in ("turn_begun", "proposed", "balloted"):
        at = find(lines, kind)
        error = refused(folder, forged(with_line(lines, at, lambda data: data.update({field: 1}))))
        assert error.line == at + 1
    error = refused(folder, forged(with_line(lines, len(lines) - 1, lambda data: data.update({field: 1}))))
    assert error.line == len(lines)


def test_an_event_that_is_not_written_as_the_kit_writes_it(folder: Path, saved: bytes) -> None:
    lines = lines_of(saved)
    for at in (0, 5, len(lines) - 1):
        spaced = json.dumps(json.loads(lines[at])).encode()
        data = [*lines[:at], spaced]
        for line in lines[at + 1 :]:
            parsed = json.loads(line)
            parsed["prev"] = hashlib.sha256(data[-1]).hexdigest()
            data.append(canonical(parsed))
        refused(folder, joined(data))


NESTED = b"[" * 150_000 + b"]" * 150_000
WRONG = {
    "not JSON": (b"hello", {"code": "line-not-json"}),
    "a list": (b"[]", {"code": "line-not-fields"}),
    "a number": (b"5", {"code": "line-not-fields"}),
    "nothing": (b"", {"code": "line-not-json"}),
    "a field twice": (b'{"v":1,"v":1}', {"code": "field-twice"}),
    "a field twice, deep": (b'{"data":{"a":1,"a":2}}', {"code": "field-twice"}),
    "NaN": (b'{"v":NaN}', {"code": "not-a-whole-number", "found": "NaN"}),
    "infinity": (b'{"v":-Infinity}', {"code": "not-a-whole-number", "found": "-Infinity"}),
    "a float": (b'{"v":1.0}', {"code": "not-a-whole-number", "found": "1.0"}),
    "an exponent": (b'{"v":1e9}', {"code": "not-a-whole-number", "found": "1e9"}),
    "beyond 2**53": (b'{"v":9007199254740993}', {"code": "number-beyond"}),
    "below -2**53": (b'{"v":-9007199254740993}', {"code": "number-beyond"}),
    "a million digits": (b'{"v":' + b"9" * 60_000 + b"}", {"code": "number-beyond"}),
    "very deep": (b'{"v":' + NESTED[:30_000] + b"}", {"code": "data-too-deep"}),
    "150,000 deep": (b'{"v":' + NESTED + b"}", {"code": "line-too-long"}),
    "300 kB": (b'{"v":"' + b"a" * 300_000 + b'"}', {"code": "line-too-long"}),
    "not ASCII": ('{"v":"é"}'.encode(), {"code": "record-not-ascii"}),
    "no text at all": (b"\xff\x00\xfe", {"code": "record-not-ascii"}),
    "a byte order mark": (b'\xef\xbb\xbf{"v":1}', {"code": "record-not-ascii"}),
    "a zero byte": (b'{"v":"\x00"}', {"code": "line-not-json"}),
    "a quote that is not closed": (b'{"v":"', {"code": "line-not-json"}),
    "quotes and no end": (b'"' + b'\\"' * 30_000, {"code": "line-not-json"}),
    "half a surrogate": (b'{"kind":"\\ud800"}', {"code": "event-version-unknown"}),
}


@pytest.mark.parametrize(("line", "said"), WRONG.values(), ids=WRONG)
def test_a_line_that_is_none(folder: Path, saved: bytes, line: bytes, said: dict[str, Any]) -> None:
    lines = lines_of(saved)
    at = find(lines, "proposed")
    error = refused(folder, joined([*lines[:at], line, *lines[at + 1 :]]))
    refusals.check(error, **said, line=at + 1)
    error = refused(folder, joined([line, *lines[1:]]))
    assert error.line in (1, None)
    error = refused(folder, joined([*lines[:-1], line]))
    assert error.line == len(lines) - (not line)  # a blank line at the end is none


def test_a_header_of_quotes_without_end(folder: Path) -> None:
    assert refused(folder, b'"' + b'\\"' * 500_000 + b"\n").line == 1


def test_line_ends_of_another_system_are_no_part_of_a_line(folder: Path, saved: bytes) -> None:
    lines = lines_of(saved)
    out = [lines[0] + b"\r"]
    for line in lines[1:]:
        data = json.loads(line)
        data["prev"] = hashlib.sha256(out[-1]).hexdigest()
        out.append(canonical(data) + b"\r")
    refused(folder, joined(out))


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"\n\n\n", b"\x00" * 100, bytes(range(256)) * 40, b"PK\x03\x04", b"\x1f\x8b\x08",
    b"{}", b"{}\n{}\n", b"[]", b"null"],
    ids=lambda data: ascii(data[:8]),
)  # fmt: skip
def test_a_file_that_is_no_record(folder: Path, data: bytes) -> None:
    assert refused(folder, data).line in (1, None)


def test_an_empty_file_is_said_to_be_empty(folder: Path) -> None:
    refusals.check(refused(folder, b""), "file-empty")


def test_a_file_that_is_too_long(folder: Path, monkeypatch: pytest.MonkeyPatch, saved: bytes) -> None:
    monkeypatch.setattr(log, "LARGEST_FILE", len(saved) - 1)
    refusals.check(refused(folder, saved), "record-too-large", size=len(saved))
    monkeypatch.setattr(log, "LARGEST_FILE", len(saved))
    assert load(folder, saved)


# -------------------------------------------------------------------------------- forged actions

JUNK: list[object] = [None, True, -1, 0, 2**53, "", "x", "Ann", "for", [], [1], {}, {"kind": "repeal"}, [[]]]


@pytest.fixture(scope="module")
def in_debate(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.enact("Anything."), debate=True)
    path = tmp_path_factory.mktemp("debate") / "game.jsonl"
    game.save(path)
    return lines_of(path.read_bytes())


def event(do: str, details: object, actor: object = "Ann") -> bytes:
    place = {"v": 1, "seq": 1, "turn": 1, "circuit": 1, "part": None}
    return canonical({**place, "actor": actor, "kind": "said", "data": {}, "do": do, "details": details})


FIELDS = (
    "change", "debate", "number", "ballot", "value", "option", "answer", "question", "text", "who", "deed", "effect",
    "decision", "at", "to",
)  # fmt: skip


def test_an_action_made_up(in_debate: list[bytes], folder: Path) -> None:
    @given(
        st.sampled_from([*ACTIONS, *HOST_ACTIONS, "undo", "won", "begin", "nothing"]),
        st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(JUNK), max_size=6),
        st.sampled_from(["Ann", "Ben", "Eve", "", None, 5]),
    )
    @examples(20)
    def run(do: str, details: dict[str, object], actor: object) -> None:
        made = forged([*in_debate[:-1], event(do, details, actor), in_debate[-1]])
        # Ben may say something, or leave: then what follows from it is missing.
        assert refused(folder, made).line is not None

    run()


@pytest.mark.parametrize("junk", [None, 2**53, "x", [1], {"kind": "repeal"}], ids=repr)
@pytest.mark.parametrize(
    ("did", "fields"),
    [
        ("revise", ["change"]), ("propose", ["change"]), ("call_vote", ["proposal"]), ("vote", ["ballot"]),
        ("say", ["text"]), ("act", ["text"]), ("report", ["who", "deed"]), ("apply", ["rule", "effect"]),
        ("roll", ["value"]), ("choose", ["option", "decision"]), ("invoke_judgment", ["question"]), ("skip", []),
        ("rule_on", ["ruling", "rests_on", "orders"]), ("overrule", ["ballot"]), ("consent", ["judgment"]),
        ("begin_turn", []), ("end_turn", []),
    ],
)  # fmt: skip
def test_an_attempt_made_up(in_debate: list[bytes], folder: Path, did: str, fields: list[str], junk: object) -> None:
    details = dict.fromkeys(fields, junk)
    made = forged([*in_debate[:-1], event(did, details), in_debate[-1]])
    assert refused(folder, made).line is not None


def test_a_rule_without_wording_cannot_be_made_up(in_debate: list[bytes], folder: Path) -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    before = game.state.digest()
    with refusals.refused("new-rule-without-wording"):
        game.propose("Ann", type(nb.repeal(1))("enact"))
    assert game.state.digest() == before


# ------------------------------------------------------------------------- nothing else is run

WATCHED = ("exec", "os.", "subprocess.", "socket.", "shutil.", "ctypes.", "pickle.", "code.", "import", "sys._getframe")
heard: list[tuple[str, str]] = []
listening = False


def _listen(name: str, args: tuple[object, ...]) -> None:
    if listening and (name.startswith(WATCHED) or name == "open"):
        heard.append((name, str(args[0]) if args else ""))


def test_loading_runs_nothing_but_the_law_language(folder: Path, saved: bytes) -> None:
    global listening
    load(folder, saved)  # whatever is imported on first use
    sys.addaudithook(_listen)
    heard.clear()
    listening = True
    try:
        nb.load(folder / "game.jsonl")
    finally:
        listening = False
    assert heard == [("open", str(folder / "game.jsonl"))]


@pytest.mark.parametrize(
    "law", ["set win.points to __import__('os').getpid()", "set win.points to open('x')", "require exec('1') == 1"]
)
def test_a_record_with_other_code_in_it_is_refused(folder: Path, saved: bytes, law: str) -> None:
    def change(head: dict[str, Any]) -> None:
        head["text"] = head["text"].replace("set win.points to 100", law)
        head["digest"] = hashlib.sha256(head["text"].encode()).hexdigest()

    lines = lines_of(saved)
    assert refused(folder, forged(with_line(lines, 0, change))).line == 1
    at = find(lines, "proposed")
    error = refused(folder, forged(with_line(lines, at, lambda data: data["details"]["change"].update(law=law))))
    assert error.line == at + 1


# ---------------------------------------------------------------------------- whatever is done to it


def _mutated(data: bytes, how: str, at: int, other: int, byte: int) -> bytes:
    at %= len(data)
    lines = data.split(b"\n")
    one, two = at % len(lines), other % len(lines)
    match how:
        case "change":
            return data[:at] + bytes([byte]) + data[at + 1 :]
        case "insert":
            return data[:at] + bytes([byte]) + data[at:]
        case "delete":
            return data[:at] + data[at + 1 :]
        case "cut":
            return data[:at]
        case "drop":
            return b"\n".join([*lines[:one], *lines[one + 1 :]])
        case "double":
            return b"\n".join([*lines[:one], lines[one], *lines[one:]])
        case "swap":
            lines[one], lines[two] = lines[two], lines[one]
            return b"\n".join(lines)
        case "tail":  # near the end, where no later line vouches for this one
            place = len(data) - 1 - other % 120
            return data[:place] + bytes([byte]) + data[place:]
    return b"\n".join([*lines[:one], bytes([byte]), *lines[one:]])


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.enact("Pay.", "on turn_ended: award 1/3 points to player"))
    everyone(game)
    game.roll("Ann")
    path = tmp_path_factory.mktemp("small") / "game.jsonl"
    game.save(path)
    return path.read_bytes()


MUTATIONS = st.lists(
    st.tuples(
        st.sampled_from(["change", "insert", "delete", "cut", "drop", "double", "swap", "line", "tail"]),
        st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from(list(b' \n\r\t"{}[],:0179aef\\x\x00\xff')),
    ),
    min_size=1,
    max_size=3,
)  # fmt: skip


def as_written(data: bytes) -> bytes:
    """Without what machines and editors may have changed: how lines end, and blank lines behind the last."""
    *lines, last = data.replace(b"\r\n", b"\n").split(b"\n")
    while not last.strip() and lines and not lines[-1].strip():
        lines.pop()
    return b"\n".join([*lines, last if last.strip() else b""])


def same_or_refused(folder: Path, data: bytes) -> None:
    try:
        with patience(10):
            game = load(folder, data)
    except nb.RecordError:
        return
    game.save(folder / "own.jsonl")
    assert (folder / "own.jsonl").read_bytes() == as_written(data)


def test_a_mutated_record_is_refused_or_is_a_record(small: bytes, folder: Path) -> None:
    @given(MUTATIONS)
    @examples(50, phases=[Phase.explicit, Phase.generate])
    def run(steps: list[tuple[str, int, int, int]]) -> None:
        data = small
        for step in steps:
            if data:
                data = _mutated(data, *step)
        same_or_refused(folder, data)

    run()


@pytest.mark.parametrize(
    ("end", "changed"), [(b"\n\n", b"\n"), (b"\n \n\t", b"\n"), (b"\r\n", b"\n"), (b"", b""), (b" \n", b" \n")]
)
def test_what_may_have_been_changed_behind_a_record_is_no_more_than_blank_lines(end: bytes, changed: bytes) -> None:
    assert as_written(b"{}\n{}" + end) == b"{}\n{}" + changed


def test_a_mutated_record_that_is_bound_anew_is_refused_or_is_a_record(small: bytes, folder: Path) -> None:
    head, rest = small.split(b"\n", 1)

    @given(MUTATIONS.map(lambda steps: steps[0]))
    @examples(40, phases=[Phase.explicit, Phase.generate])
    def run(step: tuple[str, int, int, int]) -> None:
        body = _mutated(rest, *step)
        try:
            data = forged([head, *[line for line in body.split(b"\n") if line]])
        except (ValueError, TypeError):
            return  # it cannot even be bound
        same_or_refused(folder, data)

    run()


# ------------------------------------------------------------------------------------- throws that are committed


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The lines of a game with one throw that was sealed and revealed."""
    game = nb.new_game("discordian-nomic", PLAYERS, seed=7, dice="committed")
    game.propose("Ann", nb.enact("No."))
    everyone(game, "against")
    for name in PLAYERS:
        game.seal(name)
    for name in PLAYERS:
        game.reveal(name)
    path = tmp_path_factory.mktemp("committed") / "game.jsonl"
    game.save(path)
    return lines_of(path.read_bytes())


def test_a_committed_throw_comes_back(committed: list[bytes], folder: Path) -> None:
    game = load(folder, joined(committed))
    thrown = next(event for event in game.timeline.events if event.kind == "thrown")
    assert not thrown.is_action
    assert thrown.data["face"] == game.scores["Ann"] + 10


def _altered(details: dict[str, str], field: str) -> None:
    details[field] = details[field][::-1] + "0"


@pytest.mark.parametrize("field", ["value", "nonce"])
def test_a_reveal_that_was_altered_is_refused(committed: list[bytes], folder: Path, field: str) -> None:
    at = find(committed, "revealed", 1)
    tampered = with_line(
        committed, at, lambda data: data["details"].update({field: data["details"][field][::-1] + "0"})
    )
    if field == "nonce":
        tampered = with_line(committed, at, lambda data: data["details"].update(nonce="0" * 64))
    error = refused(folder, forged(tampered))
    refusals.check(error, "cannot-happen-here", error="revealed-otherwise", line=at + 1)


def test_a_commitment_that_was_altered_is_refused_where_it_is_opened(committed: list[bytes], folder: Path) -> None:
    at = find(committed, "committed", 2)
    made = with_line(committed, at, lambda data: [data[one].update(commitment="0" * 64) for one in ("data", "details")])
    error = refused(folder, forged(made))
    at = find(committed, "revealed", 2)
    refusals.check(error, "cannot-happen-here", error="revealed-otherwise", line=at + 1)


@pytest.mark.parametrize("commitment", ["", "0" * 63, 7, None, ["0" * 64]])
def test_what_is_no_commitment_is_refused_in_a_record(committed: list[bytes], folder: Path, commitment: object) -> None:
    at = find(committed, "committed")
    error = refused(
        folder, forged(with_line(committed, at, lambda data: data["details"].update(commitment=commitment)))
    )
    assert error.line == at + 1


def test_other_faces_than_follow_are_refused(committed: list[bytes], folder: Path) -> None:
    at = find(committed, "thrown")
    face = json.loads(committed[at])["data"]["face"] % 6 + 1

    def turn(data: dict[str, Any]) -> None:
        data["draw"], data["data"]["face"] = [face], face

    error = refused(folder, forged(with_line(committed, at, turn)))
    refusals.check(error, "rules-make-something-else", line=at + 1)


def test_who_seals_is_not_altered(committed: list[bytes], folder: Path) -> None:
    at = find(committed, "sealing_opened")
    error = refused(folder, forged(with_line(committed, at, lambda data: data["data"].update(who=["Ann", "Ben"]))))
    assert error.line == at + 1


def test_commitments_do_not_fit_another_game(committed: list[bytes], folder: Path) -> None:
    """The seed, which no committed throw is drawn from, tells games with the same players apart."""
    other = with_line(committed, 0, lambda data: data.update(seed=8))
    opened = find(committed, "sealing_opened")
    assert refused(folder, forged(other)).line == opened + 1
    game = nb.new_game("discordian-nomic", PLAYERS, seed=8, dice="committed").state.game
    other = with_line(other, opened, lambda data: data["data"].update(game=game))
    error = refused(folder, forged(other))
    at = find(committed, "revealed")
    refusals.check(error, "cannot-happen-here", error="revealed-otherwise", line=at + 1)


def test_what_was_revealed_before_all_sealed_is_refused(committed: list[bytes], folder: Path) -> None:
    seal, shown = find(committed, "committed", 2), find(committed, "revealed", 0)
    lines = list(committed)
    lines[seal], lines[shown] = lines[shown], lines[seal]
    lines = with_line(lines, seal, lambda data: data.update(seq=seal))
    error = refused(folder, forged(with_line(lines, shown, lambda data: data.update(seq=shown))))
    refusals.check(error, "cannot-happen-here", error="seals-awaited", line=seal + 1)


def test_what_is_no_file_is_refused_at_once(folder: Path) -> None:
    (folder / "here").mkdir()
    with refusals.refused("not-a-file", path="here"):
        nb.load(folder / "here")
    with refusals.refused("file-missing", FileNotFoundError):
        nb.load(folder / "nowhere.jsonl")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_is_refused_at_once(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with patience(10), refusals.refused("not-a-file", path="pipe"):
        nb.load(folder / "pipe")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("blank", [b"", b"\n", b"\r\n  \n\n", b" "])
def test_a_record_with_other_line_ends_a_mark_before_it_and_blank_lines_behind_it_is_the_same(
    tmp_path: Path, mark: bytes, end: bytes, blank: bytes
) -> None:
    game = nb.new_game("discordian-nomic", PLAYERS, seed=7)
    game.propose("Ann", nb.repeal(206))
    said = game.save(tmp_path / "game.jsonl")
    other = tmp_path / "other.jsonl"
    other.write_bytes(mark + (tmp_path / "game.jsonl").read_bytes().replace(b"\n", end) + blank)
    assert nb.load(other, fingerprint=said).fingerprint == said


@pytest.mark.parametrize("more", [b"\n", b"\n\n  \n", b"\r\n\r\n", b"   "])
def test_blank_lines_at_the_end_of_a_record_do_not_matter(folder: Path, more: bytes) -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    game.save(folder / "one.jsonl")
    (folder / "two.jsonl").write_bytes((folder / "one.jsonl").read_bytes() + more)
    alike(game, nb.load(folder / "two.jsonl"))
