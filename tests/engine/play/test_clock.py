"""Time is what somebody records: midnights and deadlines come one after the other, and never by a hidden clock."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from play_helpers import adopt, evaluated, law, put, refused, scores, sit, waiting_for

import nomic_nb as nb
from nomic_nb.engine.play.calendar import format_minute, parse_minute

START = "2026-11-22 18:00"  # a Sunday


def timed(clauses, start=START, **more):
    """A game with these clauses, in which a time was recorded."""
    game = sit(**more)
    law(game, clauses)
    game.host.time(start)
    return game


def told(game, *kinds):
    """The data of the events of these kinds, as they came."""
    return [event.data for event in game.timeline.events if event.kind in kinds]


def passed(game):
    """The times that were passed, in order."""
    return [one["now"] for one in told(game, "day_begun", "time_passed")]


def test_a_time_that_passes_stops_at_every_midnight_and_at_what_is_due():
    game = timed('offer "wait" to "Ann": after 6 hours: announce "six"; after 2 days: announce "two days"')
    game.take("Ann", "wait")
    game.host.time("2026-11-24 20:30")
    assert passed(game) == ["2026-11-23 00:00", "2026-11-24 00:00", "2026-11-24 18:00", "2026-11-24 20:30"]
    order = [event.data.get("text", event.kind) for event in game.timeline.events
             if event.kind in ("day_begun", "announced")]  # fmt: skip
    assert order == ["day_begun", "six", "day_begun", "two days"]  # six hours from 18:00 is midnight itself


def test_what_day_and_hour_it_is():
    game = timed("on day_begun when now.weekday == \"Monday\": award 3 points to player_named(\"Ben\")\n"
                 "on day_begun when now.week == 2 and now.day == 2: award 10 points to player_named(\"Ben\")\n"
                 "on said when now.hour >= 15 and now.date == \"2026-11-30\": award 100 points to player")  # fmt: skip
    before = scores(game)["Ben"]
    game.host.time("2026-11-23 00:00")
    assert scores(game)["Ben"] == before + 13
    game.host.time("2026-11-30 14:59")
    game.say("Cleo", "Hello.")
    game.host.time("2026-11-30 15:00")
    assert (scores(game)["Ben"], scores(game)["Cleo"]) == (before + 16, 0)
    game.say("Cleo", "Hello.")
    assert scores(game)["Cleo"] == 100
    assert [evaluated(game, f"now.{one}") for one in ("hours", "day", "week", "weekday", "hour", "date")] == [
        189, 9, 3, "Monday", 15, "2026-11-30"
    ]  # fmt: skip


def test_hours_are_exact_and_counted_from_what_happened():
    game = timed("on said: award now.hours points to player")
    game.host.time("2026-11-22 18:30")
    game.say("Cleo", "Well.")
    assert game.scores["Cleo"] == Fraction(1, 2)
    proposal = game.propose(game.player, nb.enact("More."))
    game.host.time("2026-11-24 19:00")
    assert evaluated(game, "item(proposals, 2).hours") == Fraction(97, 2)
    assert evaluated(game, 'player_named("Cleo").idle') == Fraction(97, 2)
    assert evaluated(game, 'player_named("Ann").idle') == 49  # nothing since time is recorded
    for name in game.players:
        game.vote(name, "for")
    assert evaluated(game, f"rule_numbered({proposal.number}).hours") == 0
    game.host.time("2026-11-24 20:00")
    assert evaluated(game, f"rule_numbered({proposal.number}).hours") == 1
    assert evaluated(game, "rule_numbered(101).hours") == 50


def test_each_unit_of_a_span():
    game = timed('on said when text == "go": after 1 turn: announce "turn"; after 1 circuit: announce "circuit"; '
                 'after 1 hour: announce "hour"; after 1 week: announce "week"; '
                 'after 0 hours: announce "now"')  # fmt: skip
    game.say("Ann", "go")

    def said():
        return [one["text"] for one in told(game, "announced")]

    assert said() == ["now"]
    put(game, nb.enact("Nothing."))
    game.roll(game.player, 1)
    assert said() == ["now", "turn"]
    for _ in range(2):
        put(game, nb.enact("Nothing."))
        game.roll(game.player, 1)
    assert said() == ["now", "turn", "circuit"]
    game.host.time("2026-11-29 17:59")
    assert said() == ["now", "turn", "circuit", "hour"]
    game.host.time("2026-11-29 18:00")
    assert said() == ["now", "turn", "circuit", "hour", "week"]


# --------------------------------------------------------------------------------------- no time, wrong times


def test_without_a_time_clauses_that_need_it_are_undecided_and_say_why():
    game = sit()
    adopt(game, nb.enact("Evenings.", law="set win.points to 30 while now.hour > 12\nprevails over 208"))
    assert "nobody has recorded the time" in game.state.questions[0].text
    game.host.time(START)
    assert not game.state.questions or game.state.questions[0].key
    assert game.law["win.points"].value == 30


def test_what_was_asked_for_want_of_the_time_is_done_once_it_is_recorded():
    game = sit()
    law(game, 'on said when text == "later": after 3 hours: award 5 points to player')
    game.say("Cleo", "later")
    assert "nobody has recorded the time" in game.state.questions[0].text
    game.host.time(START)
    assert not game.state.questions
    game.host.time("2026-11-22 21:00")
    assert scores(game)["Cleo"] == 5


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("2026-11-22 17:59", {"code": "clock-back", "now": "2026-11-22 18:00"}),
        (START, {"code": "clock-back", "now": "2026-11-22 18:00"}),
        ("2026-11-31 18:00", {"code": "no-such-day"}),
        ("2026-11-23 24:00", {"code": "no-such-time"}),
        ("2026-11-23", {"code": "time-unreadable", "example": "2026-11-22 18:00"}),
        ("tomorrow", {"code": "time-unreadable"}),
        ("2028-11-22 18:00", {"code": "too-many-days", "most": 400, "first": "2027-12-27 18:00"}),
        ("٢٠٢٦-11-23 18:00", {"code": "time-unreadable"}),
    ],
)
def test_wrong_times_are_refused(said, why):
    game = timed("on day_begun: award 1 points to players")
    with refused(game, **why):
        game.host.time(said)


def test_a_wrong_time_is_taken_back():
    game = timed("on day_begun: award 1 points to players")
    before = scores(game)
    game.host.time("2027-11-22 18:00")
    game.undo()
    assert scores(game) == before
    game.host.time("2026-11-23 18:00")
    assert scores(game) == {name: points + 1 for name, points in before.items()}


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        ("on said: after 3 dayz: end turn", {"code": "unit-missing", "expected": "days"}),
        ("on said: after 3: end turn", {"code": "unit-missing", "expected": "turns, circuits, hours, days, weeks"}),
        ("on said: after days: end turn", {"code": "span-missing"}),
        ("on said: after 1/2 days: end turn", {"code": "value-unfit", "why": "out-of-range"}),
        ("on said: after -1 hours: end turn", {"code": "value-unfit", "why": "out-of-range"}),
        ('on day_begun when now.weekday == "Fri": end turn', {"code": "never-has-text", "expected": "Friday"}),
        ("on day_begin: end turn", {"code": "word-unknown", "expected": "day_begun"}),
        ("on day_begun when now > 3: end turn", {"code": "kind-expected", "found": "a time"}),
        ("on day_begun: award now.minute points to players", {"code": "has-none", "name": "minute"}),
    ],
)
def test_what_can_never_be_is_refused(clauses, said):
    game = sit()
    with refused(game, **said):
        game.propose("Ann", nb.enact("Time.", law=clauses))


def test_a_tick_in_which_rules_never_end_is_refused_and_names_the_time_to_record_first():
    game = timed("track days per game from 0\non day_begun: put days at game.days + 1\n"
                 'on counted when counter == "days" and now.day == 6: put days at game.days + 1')  # fmt: skip
    with refused(game, "too-much-at-once", until="2026-11-27 00:00", why="endless", first="2026-11-26 00:00"):
        game.host.time("2026-12-24 18:00")
    game.host.time("2026-11-26 00:00")
    game.host.time("2026-11-27 00:00")
    assert "triggers itself forever" in game.state.questions[0].text


def test_a_question_on_the_way_stops_the_time_until_it_is_answered():
    doubt = "award 1 / (turn - turn) points to players"
    game = timed(f"on day_begun when now.day == 3: {doubt}\non day_begun: award 1 points to players")
    before = scores(game)["Ben"]
    game.host.time("2026-11-29 18:00")
    assert scores(game)["Ben"] == before + 1
    assert format_minute(game.state.clock.now) == "2026-11-24 00:00"
    for name in game.players:
        game.choose(name, "yes")
    assert scores(game)["Ben"] == before + 7
    assert format_minute(game.state.clock.now) == "2026-11-29 18:00"


# ------------------------------------------------------------------------------------------------ standstill


def test_play_that_waits_for_a_time_is_not_stuck():
    game = timed("forbid call_vote when now.hour < 8 or now.day == 1")
    game.propose(game.player, nb.enact("More."), debate=True)
    if game.state.questions:  # no single midnight brings both
        for name in game.players:
            game.choose(name, "wait")
    assert not game.over
    assert waiting_for(game, "time") == [None]
    game.host.time("2026-11-23 08:00")
    assert waiting_for(game, "call_vote") == ["Ben"]


def test_play_waits_for_what_is_put_off_by_the_clock():
    game = timed('track open per game from 0\noffer "wait": after 30 hours: put open at 1\n'
                 "forbid call_vote when game.open == 0")  # fmt: skip
    game.take("Ann", "wait")
    game.propose(game.player, nb.enact("More."), debate=True)
    assert not game.over
    found = next(one for one in game.pending if one.action == "time")
    assert found.options == ("2026-11-24 00:00",)
    game.host.time("2026-11-24 00:00")
    assert waiting_for(game, "call_vote") == ["Ben"]


def test_a_ban_at_some_hours_does_not_make_rule_changes_impossible():
    game = timed('forbid propose when now.weekday == "Monday"')
    adopt(game, nb.enact("It can be.", law="require adoption_possible"))


# ------------------------------------------------------------------------------------- properties, and the record

STEPS = st.lists(
    st.one_of(
        st.integers(1, 5_000).map(lambda minutes: ("tick", minutes)),
        st.sampled_from(["Ann", "Ben", "Cleo"]).map(lambda name: ("say", name)),
        st.sampled_from(["Ann", "Ben", "Cleo"]).map(lambda name: ("take", name)),
        st.just(("turn", "")),
    ),
    max_size=12,
)
CLAUSES = """track chimes per game from 0
on day_begun when now.weekday in ["Monday", "Thursday"]: award now.day points to [p for p in seats if p.idle < 30]
on day_begun when now.week % 2 == 0: put chimes at game.chimes + 1
on said: after 36 hours: award 1 points to player; after 2 days: put chimes at game.chimes * 2
offer "sleep" when now.hour >= 6: after 1 week: when player.idle > 100: award -3 points to player
set win.points to 100000
prevails over everything on win.points"""


def played(steps, piece=None):
    """Play these steps; a tick at once, or in pieces of so many minutes."""
    game = timed(CLAUSES, seed=11)
    now = parse_minute(START)
    for kind, value in steps:
        if kind == "tick":
            until = now + value
            while now < until:
                now = min(until, now + piece) if piece else until
                game.host.time(format_minute(now))
        elif kind == "say":
            game.say(value, "Hello.")
        elif kind == "take":
            try:
                game.take(value, "sleep")
            except nb.IllegalAction:
                assert now % 1440 < 360
        else:
            put(game, nb.enact("Nothing."))
            game.roll(game.player, 2)
    return game


def gist(game):
    """How a game stands, but for how many events it took."""
    state = game.state
    later = [(one.due.at, one.effect.words) for one in state.later]
    return scores(game), dict(game.state.tables), later, state.clock.now, dict(state.clock.last)


@examples(5)
@given(STEPS, st.integers(7, 3_000))
def test_a_tick_at_once_is_the_same_ticks_in_many_pieces(steps, piece):
    assert gist(played(steps)) == gist(played(steps, piece))


@examples(4)
@given(STEPS)
def test_random_ticks_play_again(tmp_path_factory, steps):
    game = played(steps)
    path = tmp_path_factory.mktemp("clock") / "game.jsonl"
    game.save(path)
    again = nb.load(path)
    assert again.state.digest() == game.state.digest()
    assert passed(again) == passed(game)
    midnights = [one["now"] for one in told(game, "day_begun")]
    begin, end = parse_minute(START), game.state.clock.now
    each_day = list(range(begin // 1440 * 1440 + 1440, end + 1, 1440))
    assert [parse_minute(one) for one in midnights] == each_day  # every midnight, once


@pytest.mark.parametrize(
    "effect", ['after 4000000 days: announce "late"', 'let seats choose x from ["a"] within 99999999999 weeks']
)
def test_the_table_is_asked_about_a_span_beyond_the_calendar(effect):
    game = timed(f"on said: {effect}", "9999-12-31 23:58")
    game.say("Ann", "go")
    assert "the calendar ends (9999-12-31 23:59)" in game.state.questions[0].text
    assert tuple(waiting_for(game, "choose")) == game.players


def test_a_span_may_end_with_the_last_minute_of_the_calendar():
    game = timed(
        'on said: let player choose x from ["a", "b"] within 23 hours else "b"; announce x', "9999-12-31 00:59"
    )
    game.say("Ann", "go")
    assert any("until 9999-12-31 23:59" in one.prompt for one in game.pending)
    game.host.time("9999-12-31 23:59")
    assert [event.data["text"] for event in game.timeline.events if event.kind == "announced"] == ["b"]
