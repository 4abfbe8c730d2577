"""The story of a game, a row per turn, and its history, in which acts stand apart from what followed."""

from __future__ import annotations

import csv
import io
import json

import pandas as pd
import pytest
from overlapping_games import judged
from show.games import all_vote, begun, pass_change, two_changes

import nomic_nb as nb
from nomic_nb.study.playouts import play_out

NAMES = ["Ann", "Ben", "Cleo"]
COLUMNS = {
    "who": "string", "proposal": "object", "what": "string", "votes_for": "Int64", "votes_against": "Int64",
    "outcome": "string", "moves": "string", "law": "string", "rules": "int64", "circuit": "int64", "begins": "int64",
    "ends": "int64",
}  # fmt: skip


def played(system: str) -> nb.Game:
    return nb.Game(play_out(system, NAMES, seed=5, turns=6).timeline)


def dtypes(frame: pd.DataFrame) -> dict[str, str]:
    return {name: str(dtype) for name, dtype in frame.dtypes.items()}


@pytest.mark.parametrize("system", nb.rulesets().index)
def test_each_turn_has_a_row_that_agrees_with_the_game_at_its_end(system: str) -> None:
    game = played(system)
    story, standing = game.story, game.timeline.events_in_effect
    begun = {event.turn: event.actor for event in standing if event.kind == "turn_begun"}
    assert list(story.index) == sorted({event.turn for event in standing})
    assert {turn: who for turn, who in story["who"].items() if turn} == begun
    assert pd.isna(story.loc[0, "who"])
    for turn, row in story.iterrows():
        own = [event.seq for event in standing if event.turn == turn]
        assert (row["begins"], row["ends"]) == (own[0], own[-1])
        then = game.at(row["ends"])
        assert row["rules"] == len(then.rules)
        assert {name: row[f"score_{name}"] for name in then.scores.index} == dict(then.scores)
        moves = game.moves[game.moves["turn"] == turn]
        assert len([move for move in row["moves"].split(", ") if move]) == len(moves)
        changed = {event.kind for event in standing if event.turn == turn} & {"enacted", "amended", "repealed"}
        assert bool(row["law"]) >= bool(changed)
    proposals = game.proposals.frame
    for _, row in story.dropna(subset=["proposal"]).iterrows():
        of = proposals.loc[row["proposal"]]
        assert of["status"] in row["outcome"].split("; ")
        assert (row["who"] or of["proponent"]) == row["who"]
        for side in ("votes_for", "votes_against"):
            assert pd.isna(row[side]) if of[side] is None else row[side] == of[side]


@pytest.mark.parametrize("system", nb.rulesets().index)
def test_the_columns_are_those_of_the_documentation(system: str) -> None:
    found = dtypes(played(system).story)
    assert {name: dtype for name, dtype in found.items() if not name.startswith("score_")} == COLUMNS
    assert set(found) - set(COLUMNS) <= {f"score_{name}" for name in NAMES}


def test_votes_and_scores_are_numbers() -> None:
    story = two_changes().story
    assert story["votes_for"].sum() == 5
    assert story.filter(like="score_").iloc[-1].tolist() == [15, 2, 0]
    assert story.loc[2, ["who", "proposal", "what", "votes_for", "votes_against", "outcome", "law"]].tolist() == [
        "Ben", 302, "amend rule 208", 2, 1, "adopted", "rule 208 is amended and is now rule 302 (Ben’s proposal)",
    ]  # fmt: skip


def test_the_story_before_the_first_turn_and_in_turns_that_overlap() -> None:
    game = nb.new_game("github-nomic", NAMES, seed=7)
    assert list(game.story.index) == [0]
    story = judged().story
    assert story.index.is_unique
    assert story.loc[1, "ends"] > story.loc[2, "begins"]
    assert story.loc[[1, 2], "proposal"].tolist() == [5, 7]


def test_what_was_undone_is_in_the_history_and_not_in_the_story() -> None:
    game = begun()
    pass_change(game, nb.enact("Be kind."))
    there = game.state.seq
    pass_change(game, nb.enact("Be quiet."))
    game.undo(there)
    assert 302 not in game.story["proposal"].tolist()
    assert "undone" in game.history["kind"].tolist()


def test_scores_that_are_fractions_are_exact() -> None:
    game = begun()
    pass_change(game, nb.enact("Half.", "on thrown: award 1/2 points to player"))
    game.propose("Ben", nb.enact("Be kind."))
    all_vote(game)
    game.roll("Ben")
    column = game.story["score_Ben"]
    assert str(column.dtype) == "object"
    assert column.iloc[-1] == game.scores["Ben"]
    assert column.iloc[-1].denominator == 2


def test_a_sealed_vote_is_not_told() -> None:
    game = begun(vote__ballots="sealed")
    game.propose("Ann", nb.enact("Be kind."))
    game.vote("Ann", "for")
    assert game.story.loc[1, ["votes_for", "votes_against"]].isna().all()
    game.vote("Ben", "against")
    before = game.state.seq
    game.vote("Cleo", "for")
    fork = game.fork()
    game.undo(before)
    assert game.story.loc[1, ["votes_for", "votes_against"]].isna().all()
    assert fork.story.loc[1, "outcome"] == "sealed"
    assert fork.story.loc[1, ["votes_for", "votes_against"]].isna().all()


def test_a_hidden_table_is_not_told() -> None:
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.enact("Luck.", "track luck per player from 3 hidden"))
    all_vote(game)
    assert "luck" in game.tables
    assert set(game.story["score_Ann"].dropna()) == {"a hidden number"}


# ------------------------------------------------------------------------------------------------------- history


def test_the_history_begins_with_the_sentence_and_tells_acts_from_what_followed() -> None:
    game = two_changes()
    history = game.history
    assert history.columns[0] == "what"
    for seq, row in history.iterrows():
        assert (row["act"] == seq) == row["action"]
        assert not history.loc[row["act"] + 1 : seq, "action"].iloc[:-1].any()
    assert game.acts.index.tolist() == history.index[history["action"]].tolist()
    assert dtypes(game.acts) == dtypes(history)
    assert "Ann rolls a 5" in game.acts["what"].tolist()
    assert "Ann’s turn begins" not in game.acts["what"].tolist()


def test_exports_have_the_sentence_first() -> None:
    game = two_changes()
    header, first, *_ = csv.reader(io.StringIO(game.history.to_csv()))
    assert header[:5] == ["seq", "what", "actor", "action", "act"]
    assert first[:2] == ["1", "the game begins with Ann, Ben and Cleo"]
    assert next(iter(json.loads(game.history.to_json(orient="records"))[0])) == "what"
    assert next(csv.reader(io.StringIO(game.story.to_csv())))[:3] == ["turn", "who", "proposal"]


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r"])
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(sign: str) -> None:
    name = f"{sign.strip()}1+1 Ann"
    game = nb.new_game("discordian-nomic", [name, "Ben"], seed=7)
    game.propose(name, nb.enact(f"{sign.strip()}2+2", title="So"))
    frame = game.proposals.frame
    frame["note"] = [f"{sign}3+3"]
    (row,) = csv.DictReader(io.StringIO(frame.to_csv(lineterminator="\r\n"), newline=""))
    expected = f"'{name}" if sign.strip() else name
    assert row["proponent"] == expected
    assert row["note"] == f"'{sign}3+3"
    assert row["wording"] == (f"'{sign}2+2" if sign.strip() else "2+2")
    assert next(csv.DictReader(io.StringIO(game.scores.to_csv())))["player"] == expected
    assert next(csv.DictReader(io.StringIO(game.counters.to_csv(None, sep=";")), delimiter=";"))["player"] == expected
    assert frame["proponent"].tolist() == [name]  # what is written changes nothing in the table


def test_numbers_stay_numbers_in_a_spreadsheet() -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.host.correct('award -5 points to "Ann"', agreed=["Ann", "Ben"], reason="-2 for each word")
    assert game.scores.to_csv().split() == ["player,points", "Ann,-5", "Ben,0"]
    (row,) = csv.DictReader(io.StringIO(game.ledger.frame.to_csv()))
    assert (row["amount"], row["now"], row["why"][:1]) == ("-5", "-5", "a")


def test_tables_without_rows_and_labels_in_levels_are_written() -> None:
    game = nb.new_game("discordian-nomic", ["=Ann", "Ben"], seed=7)
    assert game.ballots.to_csv(index=False).strip() == ",".join(game.ballots.columns)
    levels = game.history.groupby(["kind", "actor"])[["turn"]].count().to_csv()
    assert "entered,'=Ann,1" in levels


@pytest.mark.parametrize("name", ["history", "story"])
def test_a_second_look_makes_nothing_again_and_gives_a_frame_of_its_own(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = two_changes()
    first = getattr(game, name)
    with monkeypatch.context() as patched:
        patched.setattr("nomic_nb.study.frames.make_frame", None)
        second = getattr(game, name)
    assert second.equals(first)
    second.iloc[0, 0] = "forged"
    assert getattr(game, name).equals(first)
    pass_change(game, nb.enact("Be kind."))
    assert len(getattr(game, name)) > len(first)


def test_a_game_that_is_kept_from_now_on_says_by_whose_hand(tmp_path) -> None:
    game = two_changes()
    assert "hand" not in game.history
    game.keep(tmp_path / "games.sqlite", "Friday")
    assert "hand" in game.history


def test_the_story_tells_who_leaves() -> None:
    game = nb.new_game("make-a-rule", ["Ann", "Ben", "Cleo"], seed=7)
    game.forfeit("Ann")
    game.forfeit("Ben")
    told = str(game.strip)
    assert "Turn 1, Ann: Ann forfeits." in told
    assert "Turn 2, Ben: Ben forfeits; Cleo wins." in told


def test_the_story_has_all_proposals_of_a_turn() -> None:
    game = begun(turn__parts=["proposal", "proposal", "throw"])
    game.propose("Ann", nb.enact("Be kind."))
    all_vote(game)
    game.propose("Ann", nb.repeal(206))
    row = game.story.loc[1]
    assert (row["proposal"], row["outcome"]) == (302, "adopted; open")
    assert [proposal.change.headline for proposal in game.state.proposals.values()] == row["what"].split("; ")
