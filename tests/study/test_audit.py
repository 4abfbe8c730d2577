"""An audit reports what differs between a record and its law, and nothing else."""

import random
from html.parser import HTMLParser

import pandas as pd
import pytest
from study.recorded_games import audited, frames_of, game_told_by_tables, recorded_game, tables_of

import nomic_nb as nb

SYSTEM = "discordian-nomic"


@pytest.fixture(scope="module")
def game():
    return recorded_game(SYSTEM, 4, 3, 12)


@pytest.fixture
def tables(game):
    return tables_of(game)


def found(audit):
    """Return what an audit found as (proposal, what) pairs."""
    return list(zip(audit.differences["number"], audit.differences["what"], strict=True))


def is_alike(audit):
    counts = audit.summary()
    return (counts["recorded"] == counts["alike"]).all() and audit.differences.empty and audit.problems.empty


# ------------------------------------------------------------------------------------------- games without errors


@pytest.mark.parametrize("system", ["discordian-nomic", "cabinet-nomic", "github-nomic"])
@pytest.mark.parametrize("seed", range(2))
def test_a_game_that_followed_its_law_has_no_differences(system, seed):
    timeline, tables = game_told_by_tables(system, 2 + seed % 3, seed, 8, times=system == "github-nomic")
    audit = audited(system, timeline, tables)
    assert is_alike(audit), str(audit)
    assert len(audit.frame) == len(tables["proposals"])


def test_the_replayed_game_has_the_same_law_and_scores(game, tables):
    replayed = audited(SYSTEM, game, tables).game
    assert [rule.wording for rule in replayed.state.rules] == [rule.wording for rule in game.state.rules]
    assert replayed.timeline.setting.medium == "record"


@pytest.mark.parametrize("form", ["csv", "markdown", "file"])
def test_tables_can_be_text_or_files(game, tables, form, tmp_path):
    frames = frames_of(tables)
    given = {}
    for name, frame in frames.items():
        if form == "markdown":
            plain = (
                frame.astype(object)
                .where(frame.notna(), "")
                .astype(str)
                .replace({r"\|": r"\\|", "\n": "<br>"}, regex=True)
            )
            lines = [list(plain.columns), ["---"] * len(plain.columns), *plain.to_numpy().tolist()]
            given[name] = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        else:
            given[name] = frame.to_csv(index=False)
        if form == "file":
            path = tmp_path / f"{name}.csv"
            path.write_text(given[name], encoding="utf-8")
            given[name] = path
    audit = nb.audit(SYSTEM, given.pop("proposals"), given.pop("ballots"), players=game.setting.players, **given)
    assert is_alike(audit), str(audit)


def test_a_wide_board_says_the_same_as_a_long_one(game, tables):
    long = frames_of(tables)["scores"]
    wide = long.pivot_table(index="after", columns="player", values="value", aggfunc="first").reset_index()
    frames = frames_of(tables)
    audit = nb.audit(
        SYSTEM, frames["proposals"], frames["ballots"], players=game.setting.players, facts=frames["facts"], scores=wide
    )
    assert is_alike(audit), str(audit)
    assert audit.summary()["recorded"]["scores"] == len(long)


# ------------------------------------------------------------------------------------------------- planted errors


def test_a_board_that_goes_wrong_once_is_reported_once(game, tables):
    wrong = tables["proposals"][5]["number"]
    for row in tables["scores"]:
        if row["player"] == "Ben" and row["after"] >= wrong:
            row["value"] = str(int(row["value"]) + 4)
    for follow in ("record", "law"):
        audit = audited(SYSTEM, game, tables, follow=follow)
        assert found(audit) == [(wrong, "points of Ben")]
        assert audit.summary()["alike"]["scores"] == len(tables["scores"]) - 1


def test_a_vote_closed_before_all_have_voted_is_reported(game, tables):
    number = tables["proposals"][-1]["number"]
    tables["ballots"] = [row for row in tables["ballots"] if (row["proposal"], row["voter"]) != (number, "Cleo")]
    audit = audited(SYSTEM, game, tables)
    line = audit.frame.iloc[-1]
    assert (line["closing"], line["law"], line["verdict"]) == ("too early", "open", "differs")
    assert "Cleo" in line["why"]
    assert line["rule"] is not None
    assert found(audit)[0] == (number, "closing")


def test_a_ballot_after_the_close_is_late():
    proposals = "number,proponent,wording,outcome,opened,closed\n1,Ann,Hello.,passed,2026-01-01,2026-01-04"
    ballots = "proposal,voter,ballot,at\n1,Ann,yes,2026-01-01\n1,Ben,yes,2026-01-02\n1,Ann,no,2026-01-03"
    audit = nb.audit("github-nomic", proposals, ballots, players=["Ann", "Ben"])
    assert found(audit) == [(1, "closing")]
    line = audit.frame.iloc[0]
    assert (line["verdict"], line["closing"], line["late_ballots"]) == ("same", "too late", 1)
    assert audit.differences["law"].tolist() == ["closed after 2"]


def test_a_wrong_outcome_is_reported_with_the_quota(game, tables):
    row = next(row for row in tables["proposals"] if row["outcome"] == "failed")
    row["outcome"] = "passed"
    tables["scores"] = []
    tables["proposals"] = tables["proposals"][: tables["proposals"].index(row) + 1]
    tables["ballots"] = [one for one in tables["ballots"] if one["proposal"] <= row["number"]]
    tables["facts"] = [one for one in tables["facts"] if one["proposal"] <= row["number"]]
    audit = audited(SYSTEM, game, tables)
    assert found(audit) == [(row["number"], "outcome")]
    line = audit.frame.set_index("number").loc[row["number"]]
    assert (line["recorded"], line["law"], line["verdict"]) == ("adopted", "failed", "differs")
    assert line["bridges"] == "a difference"
    assert "needed" in line["why"]
    assert audit.summary()["differ"]["outcomes"] == 1


def test_play_goes_on_from_the_record_or_from_the_law():
    tables = {
        "proposals": [{"number": 301, "proponent": "Ann", "wording": "Hello.", "outcome": "passed"}],
        "ballots": [
            {"proposal": 301, "voter": name, "ballot": ballot}
            for name, ballot in zip(["Ann", "Ben", "Cleo"], ["yes", "yes", "no"], strict=True)
        ],
    }
    players = ["Ann", "Ben", "Cleo"]
    adopted = {}
    for follow in ("record", "law"):
        audit = nb.audit(SYSTEM, *map(pd.DataFrame, tables.values()), players=players, follow=follow)
        assert found(audit) == [(301, "outcome")]
        adopted[follow] = 301 in audit.game.state.rules.by_number
    assert adopted == {"record": True, "law": False}


def test_a_proposal_out_of_turn_is_reported_and_played(game, tables):
    first, second = tables["proposals"][:2]
    row = dict(second) | {"proponent": "Cleo"}
    assert second["proponent"] == "Ben"
    kept = {name: [one for one in tables[name] if one["proposal"] <= row["number"]] for name in ("ballots", "facts")}
    tables = {"proposals": [first, row], **kept, "scores": []}
    audit = audited(SYSTEM, game, tables)
    assert found(audit) == [(row["number"], "turn")]
    assert audit.frame["turn_by_law"].tolist() == ["", "Ben"]
    assert audit.frame["verdict"].tolist() == ["same", "same"]


def test_a_proposal_that_the_law_refuses_is_reported_with_its_rule():
    proposals = "number,proponent,kind,target,wording,outcome\n301,Ann,amend,101,Play as you like.,passed"
    ballots = "proposal,voter,ballot\n301,Ann,yes\n301,Ben,yes"
    audit = nb.audit(SYSTEM, proposals, ballots, players=["Ann", "Ben"])
    line = audit.frame.iloc[0]
    assert (line["verdict"], line["rule"]) == ("refused", 103)
    assert line["bridges"].startswith("set aside")
    assert audit.summary()["alike"]["outcomes"] == 0
    assert audit.game.state.rules.by_number[301].wording == "Play as you like."


def test_a_ballot_that_may_not_be_cast_is_reported():
    proposals = "number,proponent,wording,outcome\n301,Ann,Hello.,passed"
    ballots = "proposal,voter,ballot\n301,Ann,yes\n301,Ben,abstain\n301,Ben,yes"
    audit = nb.audit(SYSTEM, proposals, ballots.replace("\n301,Ben,yes", ""), players=["Ann", "Ben"])
    assert found(audit) == [(301, "ballot"), (301, "closing")]
    assert audit.frame["refused_ballots"].tolist() == [1]


def test_a_number_that_the_law_would_not_give_is_reported_and_kept():
    proposals = "number,proponent,wording,outcome\n305,Ann,Hello.,passed"
    ballots = "proposal,voter,ballot\n305,Ann,yes\n305,Ben,yes"
    audit = nb.audit(SYSTEM, proposals, ballots, players=["Ann", "Ben"])
    assert found(audit) == [(305, "number")]
    assert audit.frame["number_by_law"].tolist() == ["301"]
    assert 305 in audit.game.state.rules.by_number


def test_numbers_of_another_series_are_one_difference():
    proposals = (
        "number,proponent,wording,outcome\n1,Ann,Hello.,passed\n2,Ben,Hi.,passed\n3,Ann,Ho.,passed\n7,Ben,Hm.,passed"
    )
    ballots = "proposal,voter,ballot\n" + "\n".join(
        f"{at},{name},yes" for at in (1, 2, 3, 7) for name in ("Ann", "Ben")
    )
    audit = nb.audit(SYSTEM, proposals, ballots, players=["Ann", "Ben"])
    assert found(audit) == [(1, "number"), (7, "number")]
    assert audit.problems["problem"].tolist() == ["4 to 6 missing"]


def test_a_record_can_number_rules_and_proposals_apart():
    proposals = "number,proponent,wording,outcome,rule_number\n301,Ann,Hello.,passed,24"
    ballots = "proposal,voter,ballot\n301,Ann,yes\n301,Ben,yes"
    audit = nb.audit(SYSTEM, proposals, ballots, players=["Ann", "Ben"])
    assert is_alike(audit)
    assert audit.game.state.rules.by_number[24].wording == "Hello."


def test_an_end_that_the_record_overlooked_is_reported_once():
    proposals = "number,proponent,wording,outcome\n" + "\n".join(
        f"{300 + at},{'Ann' if at % 2 else 'Ben'},Hello.,passed" for at in range(1, 5)
    )
    ballots = "proposal,voter,ballot\n" + "\n".join(
        f"{300 + at},{name},yes" for at in range(1, 5) for name in ("Ann", "Ben")
    )
    facts = "when,proposal,what\nafter,301,set points of Ann: 200"
    audit = nb.audit(SYSTEM, proposals, ballots, players=["Ann", "Ben"], facts=facts)
    assert found(audit) == [(302, "end")]
    assert audit.frame["verdict"].tolist() == ["same", "refused", "refused", "refused"]


def test_ballots_that_rules_cast_for_a_dummy_are_as_recorded():
    law = 'on enacted when rule == this: enter player "Dummy" as dummy\non vote_opened: cast "for" for "Dummy"'
    heads = ["number", "proponent", "wording", "law", "outcome"]
    rows = [[301, "Ann", "A dummy.", law, "passed"], [302, "Ben", "Hello.", "", "passed"]]
    ballots = "proposal,voter,ballot\n301,Ann,yes\n301,Ben,yes\n302,Ann,yes\n302,Dummy,yes\n302,Ben,yes"
    facts = "when,proposal,what\nafter,301,throw 3"
    audit = nb.audit(SYSTEM, pd.DataFrame(rows, columns=heads), ballots, players=["Ann", "Ben"], facts=facts)
    assert is_alike(audit), str(audit)


# ------------------------------------------------------------------------------------------------------- bridges


def test_totals_without_names_are_a_bridge():
    rows = "301,Ann,Hello.,passed,3/3\n302,Ben,Hi.,passed,2/3\n303,Cleo,Ho.,failed,2-1"
    proposals = f"number,proponent,wording,outcome,votes\n{rows}"
    audit = nb.audit(SYSTEM, proposals, players=["Ann", "Ben", "Cleo"])
    assert audit.frame["verdict"].tolist() == ["same", "differs", "same"]
    assert audit.frame["bridges"].str.contains("totals without names").all()
    counts = audit.summary().loc["outcomes"].tolist()
    assert counts == [3, 0, 1, 2]


def test_totals_above_the_number_of_voters_are_impossible():
    proposals = "number,proponent,wording,outcome,votes\n301,Ann,Hello.,passed,5-0"
    audit = nb.audit(SYSTEM, proposals, players=["Ann", "Ben"])
    assert found(audit) == [(301, "totals")]


def test_scores_after_an_unrecorded_roll_do_not_count(game, tables):
    tables["facts"] = [fact for fact in tables["facts"] if fact["proposal"] != tables["proposals"][0]["number"]]
    audit = audited(SYSTEM, game, tables)
    counts = audit.summary().loc["scores"]
    assert counts["bridged"] == 4
    assert counts["alike"] == counts["recorded"] - 4
    assert all("set aside" in bridges for bridges in audit.differences["bridges"])


def test_no_ballot_is_invented_for_totals():
    proposals = "number,proponent,wording,outcome,votes\n301,Ann,Hello.,passed,2/2"
    audit = nb.audit(SYSTEM, proposals, players=["Ann", "Ben"])
    assert not any(event.kind == "balloted" for event in audit.timeline.events)
    assert any("the record says" in line for line in audit.game.latest(20))


# ------------------------------------------------------------------------------------------------------ the report


def test_why_shows_both_sums(game, tables):
    number = tables["proposals"][4]["number"]
    why = audited(SYSTEM, game, tables).why(number).set_index("what")
    for row in tables["scores"]:
        if row["after"] == number:
            both = why.loc[f"points of {row['player']}"]
            assert both["record"] == both["law"] == row["value"].replace("-", "−")
    with pytest.raises(KeyError):
        audited(SYSTEM, game, tables).why(999)


def test_remarks_are_those_of_a_review_before_the_vote():
    law = "on adopted: award 10 points to proponent"
    proposals = f"number,proponent,wording,law,outcome\n301,Ann,Nobody gets anything.,{law},passed"
    audit = nb.audit(SYSTEM, proposals, "proposal,voter,ballot\n301,Ann,yes\n301,Ben,yes", players=["Ann", "Ben"])
    live = nb.new_game(SYSTEM, ["Ann", "Ben"], seed=0)
    assert str(audit.remarks(301)) == str(live.propose("Ann", nb.enact("Nobody gets anything.", law)).remarks) != ""


def test_frames_have_the_documented_types_when_they_are_empty():
    audit = nb.audit(SYSTEM, "number,proponent\n", players=["Ann", "Ben"])
    assert len(audit.frame) == len(audit.differences) == len(audit.problems) == 0
    assert audit.frame.dtypes["refused_ballots"] == "int64"
    assert audit.differences.dtypes["event"] == "int64"
    assert audit.problems.dtypes["row"] == "Int64"


def test_rival_readings_are_told_apart_by_proposals():
    names = ["Ann", "Ben", "Cleo"]
    proposals = "number,proponent,wording,outcome\n301,Ann,Hello.,passed\n302,Ben,Hi.,passed\n303,Cleo,Ho.,failed"
    cast = {301: "yyy", 302: "yyn", 303: "nny"}
    ballots = "proposal,voter,ballot\n" + "\n".join(
        f"{number},{name},{ballot}" for number, all in cast.items() for name, ballot in zip(names, all, strict=True)
    )
    audit = nb.audit(SYSTEM, proposals, ballots, players=names)
    readings = audit.readings({
        "majority": ["votes_for > votes_against", "votes_against == 0"],
        "vote.quota": ["2", "3"],
    })  # fmt: skip
    assert readings["alike"].tolist() == [3, 2, 3, 2]
    assert readings["best"].tolist() == [True, False, True, False]
    assert readings["differs_on"].tolist() == [[], [302], [], [302]]


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)


def test_scripts_in_every_cell_stay_text():
    bad = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    proposals = pd.DataFrame({
        "number": ["301", bad, "302"], "proponent": ["Ann", bad, bad], "wording": [bad] * 3, "title": [bad] * 3,
        "outcome": [bad, "passed", "passed"], "link": [bad] * 3, bad: [bad] * 3,
    })  # fmt: skip
    ballots = pd.DataFrame({"proposal": [bad, "301"], "voter": ["Ann", bad], "ballot": [bad, "yes"]})
    facts = pd.DataFrame({"when": [bad, "before"], "proposal": ["301", "301"], "what": [f"say Ann: {bad}", bad]})
    audit = nb.audit(
        SYSTEM, proposals, ballots, players=["Ann", "Ben"], facts=facts, scores=pd.DataFrame({"after": [bad]})
    )
    for page in (audit._repr_html_(), audit.to_html()):
        tags = Tags()
        tags.feed(page)
        assert not tags.tags & {"script", "img"}
    assert len(audit.problems) >= 8


# ------------------------------------------------------------------------------------------------------- bad input


def problems_of(proposals, ballots=None, **more):
    audit = nb.audit(SYSTEM, proposals, ballots, players=["Ann", "Ben"], **more)
    return [(row.table, None if pd.isna(row.row) else row.row, row.column) for row in audit.problems.itertuples()]


ONE = "number,proponent,wording,outcome,votes,opened,closed\n301,Ann,Hello.,passed,2/2,2026-01-01,2026-01-02"


@pytest.mark.parametrize(
    ("proposals", "ballots", "where"),
    [
        (ONE, "proposal,voter,ballot\n301,Ann,yes\n301,Ann,yes\n301,Ben,yes", ("ballots", 2, "voter")),
        (ONE, "proposal,voter,ballot\n301,Ann,yes\n301,Ben,no\n301,Ben,yes", ("ballots", 3, "voter")),
        (ONE, "proposal,voter,ballot\n301,Ann,yes\n301, Ben,yes", ("ballots", 2, "voter")),
        (ONE, "proposal,voter,ballot\n301,Ann,yes\n301,ben,yes", ("ballots", 2, "voter")),
        (ONE, "proposal,voter,ballot\n301,Ann,yes\n301,Zoe,yes", ("ballots", 2, "voter")),
        (ONE, "proposal,voter,ballot\n301,Ann,yes\n301,Ben,perhaps", ("ballots", 2, "ballot")),
        (ONE, "proposal,voter,ballot\n301,Ann,yes\n300,Ben,yes", ("ballots", 2, "proposal")),
        (ONE, "proposal,voter,ballot\n301,Ann,yes", ("proposals", 1, "votes")),
        (ONE + "\n301,Ben,Hi.,passed,,,", None, ("proposals", 2, "number")),
        (ONE + "\n303,Ben,Hi.,failed,1-1,2026-01-03,2026-01-04", None, ("proposals", None, "number")),
        (ONE + "\n302,Ben,Hi.,passed,,2026-01-03,2026-01-04", None, ("proposals", 2, "outcome")),
        (ONE + "\n302,Ben,Hi.,tabled,1-1,2026-01-03,2026-01-04", None, ("proposals", 2, "outcome")),
        (ONE + "\n302,Ben,Hi.,failed,1-1,2026-01-05,2026-01-04", None, ("proposals", 2, "closed")),
        (ONE + "\n302,Ben,Hi.,failed,1-1,3/4/2026,2026-01-04", None, ("proposals", 2, "opened")),
        (ONE + "\n302,Ben,Hi.,failed,1-1,2026-01-03 10:00Z,2026-01-04", None, ("proposals", 2, "opened")),
        (ONE + "\n302,Ben,Hi.,failed,some,2026-01-03,2026-01-04", None, ("proposals", 2, "votes")),
        (ONE + "\n302,Ben,Hi.,failed,5/4,2026-01-03,2026-01-04", None, ("proposals", 2, "votes")),
    ],
)
def test_a_problem_in_a_table_is_named_by_row_and_column(proposals, ballots, where):
    assert where in problems_of(proposals, ballots)


def test_columns_that_are_not_known_are_not_read():
    table = "number,proponent,wording,row,kind2,__class__\n301,Ann,Hello.,first,x,y"
    assert problems_of(table) == [("proposals", None, name) for name in ("row", "kind2", "__class__")]


def test_words_can_be_given_a_meaning():
    proposals = "number,proponent,wording,outcome\n301,Ann,Hello.,tabled"
    ballots = "proposal,voter,ballot\n301,Ann,fine by me\n301,Ben,No"
    assert problems_of(proposals, ballots, words={"Fine by me": "for", "tabled": "failed"}) == []
    with pytest.raises(ValueError, match="can mean"):
        problems_of(proposals, ballots, words={"tabled": "perhaps"})


@pytest.mark.parametrize(
    ("proposals", "told"),
    [
        ("number,wording\n301,Hello.", "proponent"),
        ("number,proponent\n301,Ann,Ben", "row 1: 3 cells"),
        ("number,number,proponent\n301,301,Ann", "twice"),
        ("number,Number,proponent\n301,302,Ann", "twice"),
        (",".join(f"column{at}" for at in range(10_000)) + "\n", "10000 columns"),
        ('number,proponent\n"301,Ann', "CSV"),
        (f"number,proponent\n301,{'x' * 30_000}", "row 1, column proponent"),
        (pd.DataFrame({f"column{at}": [1] for at in range(10_000)}), "10000 columns and 1 rows"),
        (7, "data frame"),
    ],
)
def test_a_table_of_another_form_is_refused_with_its_place(proposals, told):
    with pytest.raises((ValueError, TypeError), match=told):
        nb.audit(SYSTEM, proposals, players=["Ann", "Ben"])


@pytest.mark.parametrize("name", [" Ben", "BEN", "Be\u200bn", "Вen", "Ben\u00a0"])
def test_a_name_that_looks_like_a_players_is_reported_with_that_players_name(name: str) -> None:
    audit = nb.audit(SYSTEM, ONE, f"proposal,voter,ballot\n301,{name},yes", players=["Ann", "Ben"])
    assert "differs from “Ben” only in" in audit.problems["problem"][0]


@pytest.mark.parametrize("gap", ["\n", ",,\n", "\n\r\n"])
def test_rows_are_counted_with_the_blank_ones(gap: str) -> None:
    assert ("ballots", gap.count("\n") + 2, "voter") in problems_of(
        ONE, f"proposal,voter,ballot\n301,Ann,yes\n{gap}301,Dan,yes\n\n"
    )


def test_a_huge_file_is_not_read(tmp_path):
    path = tmp_path / "proposals.csv"
    with path.open("wb") as file:
        file.truncate(50 * 2**20)
    with pytest.raises(ValueError, match="bytes"):
        nb.audit(SYSTEM, path, players=["Ann", "Ben"])


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file"):
        nb.audit(SYSTEM, tmp_path / "nothing.csv", players=["Ann", "Ben"])


def test_clauses_that_cannot_be_read_are_reported_and_not_run():
    proposals = "number,proponent,wording,law,outcome\n301,Ann,Hello.,__import__('os'),passed"
    audit = nb.audit(SYSTEM, proposals, "proposal,voter,ballot\n301,Ann,yes\n301,Ben,yes", players=["Ann", "Ben"])
    assert audit.frame["verdict"].tolist() == ["unreadable"]
    assert audit.frame["unread_ballots"].tolist() == [2]
    assert found(audit) == [(301, "proposal")]


@pytest.mark.fuzz
@pytest.mark.parametrize("system", ["discordian-nomic", "cabinet-nomic", "github-nomic"])
@pytest.mark.parametrize("seed", range(10, 60))
def test_no_game_that_followed_its_law_has_differences(system, seed):
    timeline, tables = game_told_by_tables(system, 2 + seed % 4, seed, 14, times=system == "github-nomic")
    assert is_alike(audited(system, timeline, tables))


@pytest.mark.fuzz
def test_any_cells_give_a_report_or_one_sentence():
    dice = random.Random(4)
    words = "301 302 Ann Ben yes no -1 4/5 2026-01-01 “ after passed amend 101 \0 \u202e =1+1"
    told = ["", "9" * 40, "throw 5", "set points of Ann: 3/4", "| a |", "join Zoe", "leave Ann", "away Ben"]
    cells = [*words.split(" "), *told]
    heads = {
        "proposals": "number proponent kind target wording law outcome votes opened closed rule_number",
        "ballots": "proposal voter ballot at weight",
        "facts": "when proposal what",
        "scores": "after player counter value",
    }
    for _ in range(300):
        made = {
            name: pd.DataFrame([[dice.choice(cells) for _ in names.split()] for _ in range(6)], columns=names.split())
            for name, names in heads.items()
        }
        audit = nb.audit(SYSTEM, made.pop("proposals"), made.pop("ballots"), players=["Ann", "Ben"], **made)
        assert str(audit)
        assert audit._repr_html_()
