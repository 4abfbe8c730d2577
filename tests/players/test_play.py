"""The loop in which programs play: who is asked, what is counted, and how it ends."""

import asyncio
import gc
import json
import random
import re
import time
from collections import Counter

import pytest
from refusals import refused

import nomic_nb as nb
from nomic_nb.study import reference

NAMES = ["Ann", "Ben", "Cleo"]


def begin(system="discordian-nomic", players=NAMES, **more):
    return nb.new_game(system, players, seed=7, anew=True, **more)


def programs(names=NAMES, kind=nb.players.random):
    return {name: kind(seed=at) for at, name in enumerate(names)}


def idle(view):
    """Pass whenever that is possible."""


@pytest.mark.parametrize(
    ("system", "players", "turns"),
    [
        ("discordian-nomic", NAMES, 6), ("cabinet-nomic", NAMES, 6), ("github-nomic", NAMES, 6),
        ("nomic-chess", NAMES, 4), ("make-a-rule", ["Ann", "Ben"], 3),
    ],
)  # fmt: skip
def test_random_players_play_every_system(system, players, turns):
    game = begin(system, players)
    played = nb.play(game, programs(players), until=turns, remarks=False)
    assert played.ended in (f"turn {turns}", "over")
    assert len(played.replies) == len(played.rows)
    assert played.count("failed") == 0


def test_the_same_seeds_play_the_same_game():
    first, second = begin(), begin()
    for game in (first, second):
        nb.play(game, programs(), until=5, remarks=False)
    assert first.fingerprint == second.fingerprint


def test_contrary_votes_against_every_proposal():
    game = begin()
    nb.play(game, programs(kind=nb.players.contrary), until=4, remarks=False)
    ballots = [event.data["ballot"] for event in game.timeline.events if event.kind == "balloted"]
    assert set(ballots) == {"against"}


def test_a_seat_without_a_program_ends_the_loop():
    game = begin()
    played = nb.play(game, {"Ben": nb.players.random()})
    assert (played.ended, played.rows) == ("waits for Ann", [])
    game.propose("Ann", nb.enact("Cheer."))
    played = nb.play(game, {"Ben": nb.players.random(), "Cleo": nb.players.random()})
    assert played.ended == "waits for Ann"
    assert [row["seat"] for row in played.rows if row["outcome"] == "done"] == ["Ben", "Cleo"]


def test_play_stops_when_a_function_says_so():
    game = begin()
    assert nb.play(game, programs(), until=lambda game: len(game.proposals) == 1).ended == "as asked"
    assert len(game.proposals) == 1


def test_a_refusal_comes_back_in_the_view_and_is_asked_again_so_often():
    seen = []

    def stubborn(view):
        seen.append(view["refused"])
        return "for"

    played = nb.play(begin(), {"Ann": stubborn}, retries=3)
    assert played.ended.startswith("Ann was refused 4 times: A reply must be a JSON object")
    assert seen[0] is None
    assert [one["code"] for one in seen[1:]] == ["reply-not-json"] * 3
    assert played.count("refused", "Ann") == 4
    assert played.replies["attempt"].tolist() == [1, 2, 3, 4]


@pytest.mark.slow
def test_a_turn_that_programs_never_end_ends_play():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    played = nb.play(game, dict.fromkeys(game.players, lambda view: {"action": "say", "details": {"text": "hm"}}))
    assert played.ended == "turn 1 does not end"
    assert game.pending


def test_a_stand_in_replies_after_the_last_refusal_and_is_counted():
    game = begin()
    played = nb.play(
        game, {"Ann": lambda view: "no"}, stand_in=nb.players.random(), until=lambda game: len(game.proposals) == 1
    )
    assert played.ended == "as asked"
    assert (played.count("refused"), played.count("stood in")) == (3, 1)
    assert played.rows[-1]["kind"] == "random"


def test_nothing_stands_in_for_a_program_that_failed():
    def broken(view):
        raise ConnectionError("the network is gone")

    game = begin()
    played = nb.play(game, {"Ann": broken}, stand_in=nb.players.random())
    assert played.ended == "Ann failed: ConnectionError: the network is gone"
    assert [row["outcome"] for row in played.rows] == ["failed"]
    assert len(game.proposals) == 0


def test_a_program_can_be_asynchronous_also_where_a_loop_runs():
    async def polite(view):
        await asyncio.sleep(0)
        return nb.players.random(seed=3)(view)

    assert nb.play(begin(), dict.fromkeys(NAMES, polite), until=2).ended == "turn 2"

    async def within():
        return nb.play(begin(), dict.fromkeys(NAMES, polite), until=2).ended

    assert asyncio.run(within()) == "turn 2"


def test_a_program_that_takes_too_long_has_failed():
    played = nb.play(begin(), {"Ann": lambda view: time.sleep(1)}, seconds=0.01)
    assert played.ended == "Ann failed: TimeoutError: no reply within 0.01 seconds"


def test_a_program_is_asked_again_if_the_game_went_on_meanwhile():
    game, seen = begin(), []

    def slow(view):
        seen.append(view["step"])
        if len(seen) == 1:
            game.say("Ben", "hello")
        return nb.players.random()(view)

    played = nb.play(game, {"Ann": slow}, until=lambda game: len(game.proposals) == 1)
    assert played.ended == "as asked"
    assert (played.count("overtaken"), played.count("refused")) == (1, 0)
    assert seen[1] > seen[0]


def test_what_may_be_decided_is_offered_once_a_step():
    game = begin(terms={"vote.changeable": True})
    game.propose("Ann", nb.enact("Cheer."))
    game.vote("Ann", "for")
    steps = []

    def watching(view):
        steps.append(view["step"])

    played = nb.play(game, {"Ann": watching, "Ben": nb.players.random()})
    assert played.ended == "waits for Cleo"
    assert len(steps) == len(set(steps)) > 0
    assert played.count("passed", "Ann") == len(steps)


def test_what_is_no_program_and_who_is_no_player_is_refused():
    with refused("player-not-callable"):
        nb.play(begin(), {"Ann": "random"})
    with refused("nobody-called"):
        nb.play(begin(), {"Zoe": idle})
    for limits in ({"retries": -1}, {"seconds": 0}, {"seconds": -1}):
        with refused("retries-below-zero"):
            nb.play(begin(), {"Ann": idle}, **limits)
    with refused("until-of-wrong-kind"):
        nb.play(begin(), {"Ann": idle}, until="turn 3")
    with pytest.raises(TypeError, match="players must be a mapping by names"):
        nb.play(begin(), ["Ann"])
    with pytest.raises(TypeError, match="game must be a Game"):
        nb.play("a game", {"Ann": idle})


#: Eight sorts of bad replies, each made of a good one.
BAD_REPLIES = [
    lambda reply: "I would rather not.", lambda reply: None, lambda reply: ["for"], lambda reply: {"key": "0" * 16},
    lambda reply: reply | {"details": {"ballott": "for"}}, lambda reply: {"action": "pause", "details": {}},
    lambda reply: reply | {"details": {"for": "x" * 5_000_000}}, lambda reply: f"```json\n{reply}\n```",
]  # fmt: skip
TABLES = [
    ("discordian-nomic", NAMES, 8), ("cabinet-nomic", NAMES, 8), ("github-nomic", NAMES, 6),
    ("nomic-chess", NAMES, 4), ("make-a-rule", ["Ann", "Ben"], 12),
]  # fmt: skip


def check_clumsy_game(system, players, turns, seed):
    """Let players play who reply badly three times in ten; return how often in each way."""
    dice, ways = random.Random(seed), []

    def clumsy(at):
        plays = nb.players.random(seed + at)

        def decide(view):
            reply = plays(view)
            must = any(asked["must"] for asked in view["asked"])
            way = dice.randrange(len(BAD_REPLIES)) if must and dice.random() < 0.3 else None
            ways.append(way)
            return reply if way is None else BAD_REPLIES[way](reply)

        return decide

    game = nb.new_game(system, players, seed=seed, anew=True)
    deciders = {name: clumsy(at) for at, name in enumerate(players)}
    played = nb.play(game, deciders, until=turns, retries=20, remarks=False)
    assert not re.search("failed|refused", played.ended), played.ended
    assert len(played.rows) == len(ways)
    for row, way in zip(played.rows, ways, strict=True):
        assert row["outcome"] == "refused" or way is None
        assert bool(row["why"]) is (row["outcome"] == "refused")
    loaded = nb.Game(game.timeline.fork(len(game.timeline.events)))
    assert loaded.fingerprint == game.fingerprint
    return Counter(way for way in ways if way is not None)


@pytest.mark.parametrize(("system", "players", "turns"), TABLES)
def test_bad_replies_of_eight_sorts_do_no_harm_and_each_is_counted(system, players, turns):
    assert sum(check_clumsy_game(system, players, turns, seed=5).values()) > 2


@pytest.mark.fuzz
@pytest.mark.parametrize(("system", "players", "turns"), TABLES)
def test_bad_replies_do_no_harm_in_sixty_games(system, players, turns):
    bad = sum((check_clumsy_game(system, players, turns, seed) for seed in range(60)), Counter())
    assert set(bad) == set(range(len(BAD_REPLIES)))


def test_every_reply_is_a_line_in_the_log(tmp_path):
    log = tmp_path / "replies.jsonl"
    played = nb.play(begin(), programs(), until=2, log=log)
    assert [json.loads(line) for line in log.read_text().splitlines()] == played.rows
    with pytest.raises(OSError, match="no file or folder"):
        nb.play(begin(), programs(), until=2, log=tmp_path / "nowhere" / "replies.jsonl")


def test_a_statement_alone_answers_nothing_and_is_asked_again():
    game = begin()
    game.propose("Ann", nb.enact("Cheer."))
    seen = []

    def talking(view):
        seen.append(view["proposals"][0]["statements"])
        return {"statement": {"proposal": 301, "text": f"Once {len(seen)}."}}

    played = nb.play(game, {"Ann": talking}, retries=1)
    assert played.ended == "Ann was refused 2 times: only a statement"
    assert [row["outcome"] for row in played.rows] == ["refused", "refused"]
    assert seen == [[], [{"by": "Ann", "text": "Once 1.", "ballot": None}]]


def test_a_statement_comes_with_an_answer_from_programs():
    game = begin()
    game.propose("Ann", nb.enact("Cheer."))

    def decide(view):
        key = next(one["key"] for one in view["asked"] if one["action"] == "vote")
        return {"key": key, "details": {"ballot": "for"}, "statement": {"proposal": 301, "text": "Gladly."}}

    played = nb.play(game, {"Ann": decide})
    assert (played.ended, played.count("done")) == ("waits for Ben and Cleo", 1)
    assert game.seat("Ben").view()["proposals"][0]["statements"][0]["text"] == "Gladly."


def test_many_games_are_played_at_once_and_one_that_fails_stops_no_other(tmp_path):
    waiting, most = [], []

    async def slow(view):
        waiting.append(view["you"])
        most.append(len(waiting))
        await asyncio.sleep(0.02)
        waiting.pop()
        return nb.players.random(seed=view["step"])(view)

    def broken(view):
        raise ConnectionError("gone")

    games, log = [nb.new_game("discordian-nomic", NAMES, seed=seed, anew=True) for seed in range(4)], tmp_path / "log"
    jobs = [{"game": game, "players": dict.fromkeys(NAMES, slow), "until": 2, "log": log} for game in games]
    jobs[1]["players"] = dict.fromkeys(NAMES, broken)
    played = nb.play_many(jobs, at_once=3)
    assert [one.ended for one in played] == ["turn 2", "Ann failed: ConnectionError: gone", "turn 2", "turn 2"]
    assert max(most) == 3
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(rows) == sum(len(one.rows) for one in played)
    with refused("player-not-callable"):
        nb.play_many([{"game": games[0], "players": {"Ann": "random"}}])


def test_the_program_on_the_page_plays():
    blocks = re.findall(r"```python\n(?!# client)(.*?)```", reference.read_page("programs"), re.S)
    names = {}
    for block in blocks:
        exec(block, names)  # noqa: S102 - our own page
    assert len(blocks) == 3
    assert names["played"].ended == "turn 10"


def test_a_stretch_of_play_says_in_words_what_came_of_it():
    played = nb.play(begin(), {"Ann": lambda view: "no"}, retries=0)
    assert str(played) == (
        "1 reply (1 refused). Ended: Ann was refused 1 time: A reply must be a JSON object and nothing else: "
        "the line is cut off or isn’t JSON."
    )


@pytest.fixture
def usual_search():
    """Garbage is searched for as often as Python does by itself."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("usual_search")
def test_garbage_is_searched_for_seldom_only_while_somebody_plays():
    seen = []

    def play_another(view):
        if not seen:
            nb.play(begin(), {"Ann": idle})
            seen.append(gc.get_threshold())
        return nb.players.random(1)(view)

    games = [{"game": begin(), "players": programs() | {"Ann": play_another}, "until": 2} for _ in range(3)]
    nb.play_many(games, 3)
    assert seen[0] == (20_000, 10, 10)
    assert gc.get_threshold() == (700, 10, 10)
    seen.clear()
    gc.set_threshold(0)  # somebody wants none
    nb.play(begin(), programs() | {"Ann": play_another}, until=2)
    assert seen[0][0] == gc.get_threshold()[0] == 0
