"""Tables of a game: ends of versions, votes with those who did not vote, floats, dates, CSV, and what is made once."""

from __future__ import annotations

import copy
import io
import pickle
from contextlib import suppress
from datetime import datetime
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from documents.document_helpers import NASTY, everything
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

import nomic_nb as nb
from nomic_nb.engine.play.calendar import format_minute
from nomic_nb.study import frames
from nomic_nb.study.game_frame import GameFrame
from nomic_nb.study.playouts import play_out

NAMES = ["Ann", "Ben", "Cleo"]
TABLES = {
    "history": lambda game: game.history, "story": lambda game: game.story, "rules": lambda game: game.rules.frame,
    "versions": lambda game: game.rules.versions, "proposals": lambda game: game.proposals.frame,
    "ballots": lambda game: game.ballots, "votes": lambda game: game.pivots, "ledger": lambda game: game.ledger.frame,
    "moves": lambda game: game.moves, "polls": lambda game: game.polls, "spells": lambda game: game.rules.spells,
}  # fmt: skip


def played(system: str, seed: int = 5) -> nb.Game:
    return nb.Game(play_out(system, NAMES, seed=seed, turns=6).timeline)


@pytest.fixture(scope="module")
def full() -> nb.Game:
    return everything()


def read_back(frame: GameFrame) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(frame.to_csv(index=False)))


# ----------------------------------------------------------------------------------------- ends of versions


@pytest.mark.parametrize("system", ["discordian-nomic", "cabinet-nomic", "github-nomic"])
def test_at_every_moment_the_versions_under_way_are_the_rules_in_force(system: str) -> None:
    game = played(system)
    versions = game.rules.versions
    standing = [event.seq for event in game.timeline.events_in_effect]
    for seq in standing[:: max(1, len(standing) // 12)]:
        then = versions[(versions["event"] <= seq) & ~(versions["until"] <= seq).fillna(False)]
        assert sorted(zip(then["number"], then["wording"], then["law"], strict=True), key=str) == sorted(
            ((rule.number, rule.wording, rule.law) for rule in game.at(seq).rules), key=str
        )


def test_the_end_of_a_version_says_what_ended_it(full: nb.Game) -> None:
    versions = full.rules.versions
    ended = versions.dropna(subset=["until"])
    assert (versions["in_force"] == versions["until"].isna()).all()
    assert {"amended", "repealed", "transmuted"} <= set(ended["ended"])
    for _, row in ended.iterrows():
        event = full.timeline.events[row["until"] - 1]
        assert event.turn == row["until_turn"]
        assert row["ended_by"] == (event.rule if row["ended"] == "by a rule" else event.data["number"])


def test_a_rule_that_a_rule_ends_is_ended_by_it() -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=3)
    game.propose("Ann", nb.enact("This goes.", law="on turn_ended: repeal this", title="Short"))
    game.votes()
    number = game.rules[301].number
    game.roll("Ann")
    row = game.rules.versions.query("title == 'Short'").iloc[0]
    assert (row["ended"], row["ended_by"]) == ("by a rule", number)


def test_the_rules_of_a_rule_set_end_with_the_rule_that_brought_them_in() -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    game.propose("Ann", nb.enact("Chess.", law="incorporate fide-chess"))
    game.votes()
    game.roll("Ann")
    game.propose("Ben", nb.repeal(301))
    game.votes()
    brought = game.rules.versions.query("number in [301, 'N1', 'N17']")
    assert brought[["ended", "ended_by"]].to_numpy().tolist() == [["repealed", 302]] * 3


def test_spells_are_the_times_in_which_rules_are_void_or_suspended() -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    rest = (
        "on turn_begun when turn == 2: void rule_numbered(206)\non turn_begun when turn == 4: revive rule_numbered(206)"
    )
    changes = (
        nb.enact("206 rests.", rest),
        nb.enact("Two.", "set vote.adopted to votes_for >= 2"),
        nb.repeal(302),
        nb.enact("Hi."),
    )
    for turn, change in enumerate(changes):
        game.propose(["Ann", "Ben"][turn % 2], change)
        game.votes()
        game.roll(["Ann", "Ben"][turn % 2])
    spells = game.rules.spells
    assert spells[["number", "what", "by", "key", "turn", "until_turn"]].to_numpy().tolist() == [
        [206, "suspended", 301, "", 2, 4], [302, "voided", 104, "vote.adopted", 2, 3],
    ]  # fmt: skip
    for event in game.timeline.events_in_effect:
        then = spells[(spells["event"] <= event.seq) & ~(spells["until"] <= event.seq).fillna(False)]
        assert set(then["id"]) == set(game.timeline.after(event.seq).rules.void)


# ----------------------------------------------------------------------------------------- votes


def test_every_vote_has_a_row_for_each_voter_even_while_it_is_open(full: nb.Game) -> None:
    votes = full.pivots
    proposals = full.state.proposals
    for number, rows in votes.groupby("proposal", sort=False):
        vote = proposals[number].vote
        last = rows[rows["opened"] == rows["opened"].max()]
        assert last["voter"].tolist() == list(vote.electorate)
        assert last["ballot"].dropna().tolist() == [
            vote.ballots[name] for name in vote.electorate if name in vote.ballots
        ]
    assert set(votes["proposal"]) == {number for number, one in proposals.items() if one.vote is not None}


def test_an_open_vote_says_what_it_needs_and_not_who_decides() -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=3)
    game.propose("Ann", nb.repeal(206))
    game.vote("Ann", "for")
    votes = game.pivots.set_index("voter")
    assert votes["needed"].tolist() == [3] * 3
    assert votes["ballot"].isna().tolist() == [False, True, True]
    assert votes[["passed", "pivotal", "closed", "open_for"]].isna().all().all()


def test_dates_come_from_the_recorded_clock() -> None:
    game = nb.new_game("github-nomic", NAMES, seed=3)
    game.host.time("2026-11-01 10:00")
    game.begin_turn("Ann")
    game.propose("Ann", nb.enact("Be kind."), number=7)
    game.host.time("2026-11-03 12:30")
    game.votes("for", proposal=7)
    row = game.pivots.iloc[0]
    assert (row["opened_at"], row["closed_at"]) == (datetime(2026, 11, 1, 10), datetime(2026, 11, 3, 12, 30))
    assert row["open_for"] == pd.Timedelta(days=2, hours=2, minutes=30)
    assert game.proposals.frame.loc[7, "closed_at"] == row["closed_at"]
    assert game.ballots["clock"].eq(row["closed_at"]).all()
    made = game.rules.versions.query("number == 7").iloc[0]
    assert (made["made_at"], game.history["clock"].isna().sum()) == (row["closed_at"], 4)


def test_the_history_has_the_recorded_time_of_each_moment_even_after_an_undo() -> None:
    game = nb.new_game("github-nomic", NAMES, seed=3)
    end = game.state.seq
    for time in ("2026-11-01 10:00", "2026-11-03 12:30"):
        game.host.time(time)
        assert len(game.history) == game.state.seq
    game.annotate("Late.")
    for to in (end, game.state.seq):
        game.undo(to)
        game.annotate("Again.")
    shown = [
        state.clock and datetime.fromisoformat(format_minute(state.clock.now)) for _, state in game.timeline.moments
    ]
    assert game.history["clock"].astype("object").where(game.history["clock"].notna(), None).tolist() == shown
    assert "day_begun" in set(game.history["kind"])
    assert shown[-1] == datetime(2026, 11, 3, 12, 30)


# ----------------------------------------------------------------------------------------- numbers, CSV, once


def test_floats_stand_beside_exact_numbers() -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.host.correct('award 1 / 3 points to "Ann"', agreed=["Ann", "Ben"], reason="a third")
    row = game.ledger.frame.iloc[-1]
    assert (row["amount"], row["amount_float"]) == (Fraction(1, 3), pytest.approx(1 / 3))
    for frame in (table(everything()) for table in TABLES.values()):
        for name in (name for name in frame if f"{name}_float" in frame):
            numbers = frame[name].map(lambda cell: isinstance(cell, int | Fraction))
            assert (frame[f"{name}_float"].notna() == numbers).all()
            assert frame[f"{name}_float"].dtype == "float64"


@pytest.mark.parametrize("name", TABLES)
def test_a_flat_table_comes_back_from_csv_as_it_was(name: str, full: nb.Game) -> None:
    flat = TABLES[name](full).flat
    assert_frame_equal(read_back(flat), pd.DataFrame(flat))
    assert len(flat) == len(TABLES[name](full))


@settings(max_examples=15, deadline=None)
@example(["\r0"])
@given(
    st.lists(
        st.one_of(st.none(), st.text(max_size=6), st.sampled_from(["NA", "=1", "'", NASTY, "1", "True"])), min_size=1
    )
)
def test_any_text_in_a_flat_table_comes_back(cells: list[str | None]) -> None:
    flat = GameFrame({"n": range(len(cells)), "text": pd.Series(cells, dtype="object")}).flat
    assert_frame_equal(read_back(flat), pd.DataFrame(flat))
    assert [pd.isna(cell) for cell in flat["text"]] == [cell in (None, "") for cell in cells]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_made_once_until_something_happens(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=3)
    first = TABLES[name](game)
    with monkeypatch.context() as patched:
        patched.setattr("nomic_nb.study.frames.frame_of_columns", None)
        again = TABLES[name](game)
    assert_frame_equal(again, first)
    game.propose("Ann", nb.enact("Be kind."))
    game.votes()
    assert name in ("moves", "polls", "spells", "story", "ledger") or len(TABLES[name](game)) > len(first)


# ----------------------------------------------------------------------------------------- what is kept of a frame

CHANGES = [nb.enact("Be kind."), nb.repeal(206), nb.amend(203, "Two votes are enough.", "set vote.quota to 2")]
DEEDS = {
    "propose": lambda game, at: game.propose(NAMES[at % 3], CHANGES[at % len(CHANGES)]),
    "vote": lambda game, at: game.vote(NAMES[at % 3], ("for", "against")[at // 3 % 2]),
    "votes": lambda game, at: game.votes(),
    "roll": lambda game, at: game.roll(NAMES[at % 3]),
    "note": lambda game, at: game.annotate(f"Note {at}."),
    "time": lambda game, at: game.host.time("2026-11-01 10:00"),
    "undo": lambda game, at: game.undo(game.timeline.end_of_step(1 + at % game.state.seq)),
    "spoil": lambda game, at: spoil(TABLES[[*TABLES][at % len(TABLES)]](game)),
    "look": lambda game, at: [table(game) for table in TABLES.values()],
}


def spoil(frame: pd.DataFrame) -> None:
    """Alter a frame in every way in which pandas allows it."""
    for name in frame:
        if len(frame):
            frame[name].array[0] = frame[name].array[-1]
            frame[name] = frame[name].to_numpy()[::-1]
    frame.index.name, frame.columns.name, frame.attrs["mine"] = "mine", "mine", 1
    frame.insert(0, "mine", 1)
    del frame["mine"]


@settings(max_examples=6, deadline=None)
@example(
    [("propose", 0), ("vote", 0), ("look", 0), ("votes", 0), ("look", 0), ("undo", 9), ("spoil", 0), ("fork", 11)], True
)
@example([("vote", 1), ("look", 0), ("restart", 20), ("note", 1), ("note", 2), ("note", 3)], False)
@given(
    st.lists(st.tuples(st.sampled_from([*DEEDS, "fork", "restart"]), st.integers(0, 99)), min_size=3, max_size=14),
    st.booleans(),
)
def test_a_table_that_was_kept_equals_one_made_from_nothing(deeds: list[tuple[str, int]], sealed: bool) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=3, terms={"vote.ballots": "sealed" if sealed else "open"})
    for deed, at in [("propose", 0), ("votes", 0), ("roll", 0), ("look", 0), *deeds]:
        end = game.timeline.end_of_step(1 + at % game.state.seq)
        if deed == "fork":
            game = game.fork(end)
        elif deed == "restart":  # as a cell does that runs again
            del game.timeline.moments[end:]
        else:
            with suppress(nb.IllegalAction):
                DEEDS[deed](game, at)
    kept = {name: table(game) for name, table in TABLES.items()}
    frames.forget_made()
    for name, table in TABLES.items():
        assert_frame_equal(kept[name], table(game))
        assert (kept[name].attrs, kept[name].columns.name) == ({}, None)


def test_nobody_alters_the_data_of_events_by_way_of_the_history() -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=3)
    game.propose("Ann", nb.enact("Be kind."))
    opened = opened_vote(game)
    before = copy.deepcopy(opened)
    for change in (
        lambda: opened.update(quota=0),
        lambda: opened.pop("quota"),
        lambda: opened["weights"].clear(),
        lambda: opened["electorate"].append("Dan"),
        lambda: opened["electorate"].__setitem__(0, "Dan"),
    ):
        with pytest.raises(TypeError, match="can’t be changed"):
            change()
    assert {type(before), type(before["electorate"])} == {dict, list}
    before["electorate"].append("Dan")
    assert opened_vote(game) == opened == pickle.loads(pickle.dumps(opened)) != before  # noqa: S301 - our own


def opened_vote(game: nb.Game) -> dict[str, Any]:
    return game.history.query("kind == 'vote_opened'")["data"].iloc[0]
