"""Audits of two public games, whose tables are in `public_games`, find what a reader of the sources finds by hand."""

from pathlib import Path

import pytest

import nomic_nb as nb

TABLES = Path(__file__).parent / "public_games"
PEOPLE = [
    "Ash",
    "Birch",
    "Cedar",
    "Elm",
    "Fir",
    "Holly",
    "Ivy",
    "Larch",
    "Maple",
    "Oak",
    "Pine",
    "Rowan",
    "Willow",
    "Yew",
]


def tables(game, *names):
    return {name: TABLES / f"{game}_{name}.csv" for name in names}


@pytest.fixture(scope="module")
def agents():
    law = nb.new_game("discordian-nomic", ["Ann", "Ben"]).rule_file()
    clause = "set vote.quota to unanimity(vote.electorate)\n"
    soon = "set vote.quota to (unanimity(vote.electorate) if circuit <= 2 else majority(vote.electorate))\n"
    law = law.replace(clause, soon).replace("set win.points to 100", "set win.points to 50")
    given = tables("agents", "proposals", "ballots", "facts", "scores")
    return nb.audit(law, **given, players=["Cinder", "Drift", "Vale"])


def test_what_the_players_did_against_their_rules_is_found(agents):
    """They left changed rules their old numbers, and thrice paid for a vote under a rule that this vote had made."""
    found = agents.differences[["number", "what", "record", "law"]].to_numpy().tolist()
    assert found == [
        [302, "points of Drift", "11", "8"],  # three points by rule 302, for adopting it
        [304, "target", "202", "301"],
        [306, "points of Vale", "22", "20"],  # five points instead of three
        [308, "points of Vale", "27", "32"],  # five points instead of ten
        [312, "target", "302", "306"],
        [314, "target", "204", "308"],
        [316, "target", "310", "313"],
        [318, "target", "208", "315"],
    ]
    assert agents.problems.empty


def test_everything_else_is_as_recorded(agents):
    assert agents.summary()["alike"].to_dict() == {"outcomes": 18, "scores": 51, "numbers": 18, "turns": 18}
    assert agents.game.winner == "Vale"


def test_votes_with_strengths_and_indices_come_out_as_the_assessor_said():
    audit = nb.audit(TABLES / "agora_law.md", **tables("agora", "proposals", "ballots", "facts"), players=PEOPLE)
    assert audit.differences.empty, str(audit)
    assert audit.problems.empty
    assert audit.summary()["alike"]["outcomes"] == 19
    majority = {"majority": ["votes_for > votes_against", "votes_for > votes_against and votes_cast >= 21"]}
    assert audit.readings(majority)["differs_on"].tolist() == [[8188, 8189, 8190, 8192, 8195, 8205, 8208], [8205, 8208]]


def test_a_law_with_a_gap_gives_a_report_that_names_it():
    law = (TABLES / "agora_law.md").read_text(encoding="utf-8")
    law = law.replace("set proposal.first_number to 1\n", "").replace("set proposal.owed to false\n", "")
    audit = nb.audit(law, "number,proponent\n8188,Ivy\n8189,Ash", players=PEOPLE)
    assert audit.frame["verdict"].tolist() == ["refused", "refused"]
