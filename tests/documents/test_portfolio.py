"""What is handed out after a lesson: a page for each pupil, a table of the class, records and rules."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from board_helpers import chess as sit
from board_helpers import nothing
from documents.document_helpers import NASTY, SEALED, ballots, everything, put, turn
from refusals import refused

import nomic_nb as nb
from nomic_nb.notebook.documents.portfolio import (
    CONTENTS,
    participation,
    pupil_page,
    safe_file_name,
    topics_to_discuss,
    written_before,
)
from nomic_nb.study.players.statements import keep_statement, read_statement


def class_rows(folder: Path) -> list[dict[str, str]]:
    text = (folder / "class.csv").read_bytes().decode("utf-8-sig")
    return list(csv.DictReader(text.splitlines()))


@pytest.fixture
def played() -> nb.Game:
    """Three turns by majority: Cleo is the only one against 302, and alone for 303."""
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo", "Dov"], seed=7)
    turn(game, nb.library.simple_majority().change(203))
    turn(game, nb.enact("We greet each other.", title="Greeting"), against=("Cleo",), face=3)
    turn(game, nb.enact("Cleo wins.", title="Crown"), against=("Ann", "Ben", "Dov"), face=1)
    return game


def test_everything_is_in_one_folder_and_is_listed(tmp_path, played):
    listed = nb.portfolios(played, tmp_path / "class")
    folder = tmp_path / "class"
    assert sorted(listed) == sorted(path.name for path in folder.iterdir())
    assert {"class.csv", "pupil Ann.html", "table 1 law book.html", CONTENTS} <= set(listed)
    assert nb.load(folder / "table 1 record.jsonl").fingerprint == played.fingerprint
    again = nb.new_game(folder / "our law table 1.md", ["Eve", "Fay"], seed=1)
    assert [rule.wording for rule in again.rules] == [rule.wording for rule in played.rules]


def test_the_table_of_the_class_counts_what_each_did(tmp_path, played):
    put(played, nb.enact("Open.", title="Open"))
    played.undo()  # the last ballot is missing, and the vote is open
    nb.portfolios(played, tmp_path)
    rows = {row["name"]: row for row in class_rows(tmp_path)}
    assert list(next(iter(rows.values()))) == [
        "name", "table", "turns", "proposals", "adopted", "ballots cast", "late", "missed", "for", "against",
        "against the outcome", "points", "to discuss",
    ]  # fmt: skip
    cleo = rows["Cleo"]
    assert (cleo["turns"], cleo["proposals"], cleo["adopted"]) == ("1", "1", "0")
    assert (cleo["ballots cast"], cleo["for"], cleo["against"]) == ("4", "3", "1")
    assert (cleo["against the outcome"], cleo["missed"]) == ("2", "0")
    assert rows["Ann"]["against the outcome"] == "0"
    assert [int(rows[name]["points"]) for name in rows] == [played.scores[name] for name in rows]


def test_a_late_ballot_is_counted_and_a_vote_that_closes_without_one_is_missed():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms={"win.points": 500})
    turn(game, nb.library.simple_majority().change(203))
    turn(game, nb.transmute(105))
    game.propose("Cleo", nb.enact("We greet each other."))
    game.host.overdue("Ann")
    ballots(game)
    game.roll("Cleo", 1)
    law = "set vote.electorate to playing\nset vote.duty to false\nset vote.ends_early to true"
    turn(game, nb.amend(302, "Nobody has to vote.", law=law))
    game.propose("Ben", nb.enact("We wait for each other."))
    for name in ("Ann", "Ben"):
        game.vote(name, "for")
    assert [(one.late, one.cast, one.missed) for one in participation(game)] == [(1, 5, 0), (0, 5, 0), (0, 4, 1)]


def test_a_negative_score_stays_a_number_and_a_fraction_becomes_one(tmp_path):
    game = nb.new_game("discordian-nomic", ["=Ann", "Ben"], seed=7)
    agreed = {"agreed": ["=Ann", "Ben"], "reason": "so"}
    game.host.correct('award -5 points to "=Ann"', **agreed)
    nb.portfolios({"+table": game}, tmp_path)
    ann, _ = class_rows(tmp_path)
    assert (ann["name"], ann["table"], ann["points"]) == ("'=Ann", "'+table", "-5")


def test_a_teacher_sees_what_to_discuss(played):
    assert topics_to_discuss({"table 1": played}) == {
        "always voted with the majority": ["Ann", "Ben", "Dov"],
        "has not proposed": ["Dov"],
    }
    silent = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    assert topics_to_discuss({"": silent}) == {
        "has not proposed": ["Ann", "Ben"],
    }


def marked_away() -> nb.Game:
    """A vote that Gus is late for; then he is marked as away, and it closes without him."""
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Gus"], seed=7)
    law = "set vote.electorate to [p for p in playing if p.present]"
    turn(game, nb.transmute(105))
    turn(game, nb.enact("Who is here votes.", law=f"{law}\nprevails over everything on vote.electorate"))
    game.propose(game.player, nb.enact("We greet each other.", title="Greeting"))
    game.host.overdue("Gus")
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    game.host.absent("Gus")
    assert not game.proposals[max(game.state.proposals)].as_it_stands.is_open
    return game


def test_a_vote_that_closes_without_somebody_who_is_away_is_missed():
    gus = participation(marked_away())[2]
    assert (gus.late, gus.cast, gus.missed, gus.away) == (1, 2, 1, 1)


def test_a_page_says_who_was_late_and_away_and_has_no_noughts():
    assert "1 vote missed · late with a ballot once · marked as away once" in pupil_page("Gus", {"": marked_away()})
    quiet = pupil_page("Ben", {"": nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)})
    assert "no turn, proposal or ballot yet" in quiet
    assert "0 turns" not in quiet


def test_a_latecomer_who_had_no_vote_is_not_said_to_have_never_voted(played):
    played.host.correct('enter player "Zoe" as person', agreed=["Ann", "Ben", "Cleo", "Dov"], reason="came late")
    zoe = participation(played)[4]
    assert (zoe.came_late, zoe.missed) == (True, 0)
    assert "has never voted" not in zoe.topics
    assert "came once play had begun" in pupil_page("Zoe", {"": played})


def test_a_page_shows_reasons_and_statements_beside_proposals(played):
    put(played, nb.enact("No laughing.", title="Silence"))
    played.undo()
    timeline, number = played.timeline, max(played.state.proposals)
    voter = next(iter(played.proposals[number].ballots))
    other = next(name for name in played.players if name != voter)
    for name, words, reason in (
        (voter, "Laughing is fine, but not <here>.", True),
        (other, "It is for lessons.", False),
    ):
        told = {"proposal": number, "text": words}
        keep_statement(timeline, read_statement(timeline, name, told, reason=reason))
    proponent = played.proposals[number].proponent
    page = pupil_page(proponent, {"": played})
    assert "(for): “Laughing is fine, but not &lt;here&gt;.”" in page
    assert "It is for lessons." in page
    assert "Laughing is fine" in pupil_page(voter, {"": played})


def test_a_page_shows_what_its_pupil_did(played):
    page = pupil_page("Cleo", {"table 1": played})
    for words in (
        "Table 1: Discordian Nomic",
        "303: Crown",
        "Failed",
        "302: Greeting",
        "301: A simple majority adopts (amend rule 203)",
        "Points, rule by",
    ):
        assert words in page, words
    assert "Rulings as Judge" not in page
    assert "Moves" not in page
    assert "<script" not in page
    both = pupil_page("Ann", {"table 1": played, "table 2": everything()})
    assert both.count("<h2") == 2


def test_a_page_names_what_is_counted():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    agreed = {"agreed": ["Ann", "Ben"], "reason": "so"}
    game.host.correct('award 1 points to "Ann"', **agreed)
    assert "· 1 point<" in pupil_page("Ann", {"": game})
    assert "· 0 points<" in pupil_page("Ben", {"": game})


def test_moves_and_rulings_are_on_the_page():
    game = sit("Ann", "Ben")
    nothing(game)
    game.move("Ann", "e2e4", push="white+yellow")
    assert "Ann moves" in pupil_page("Ann", {"": game})
    assert "<h3>Moves" not in pupil_page("Ben", {"": game})
    cabinet = nb.new_game("cabinet-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    cabinet.invoke_judgment("Ben", "May one yawn?")
    cabinet.rule_on("Cleo", "One may.", "Nobody forbids it.", rests_on=[116])
    page = pupil_page("Cleo", {"": cabinet})
    assert "May one yawn?" in page
    assert "One may." in page


def test_text_of_players_is_text(tmp_path):
    name = "<img src=x onerror=alert(1)>"
    game = nb.new_game("discordian-nomic", [name, "Ben"], seed=7)
    put(game, nb.enact(NASTY, title="<b>"))
    nb.portfolios({"<i>": game}, tmp_path)
    for path in tmp_path.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "<img" not in text
        assert "<i>" not in text
        assert "<b>" not in text
        assert "<script>alert" not in text


def test_sealed_ballots_are_in_no_file(tmp_path, capsys):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    turn(game, nb.transmute(105))
    turn(game, nb.enact("Secret.", law=SEALED, title="Secret ballots"))
    assert game.state.find("vote.ballots").value == "sealed"
    game.propose(game.player, nb.enact("Quiet.", title="Quiet"))
    game.vote("Ann", "against")
    listed = nb.portfolios(game, tmp_path)
    assert "table 1 record.jsonl" not in listed
    assert "the record isn’t saved" in capsys.readouterr().out
    number = max(game.state.proposals)
    assert game.proposals[number].ballots["Ann"] == "sealed"
    row = class_rows(tmp_path)[0]
    assert (row["ballots cast"], row["against"]) == ("3", "0")
    assert "sealed" in (tmp_path / "pupil Ann.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "C:\\x",
        "CON",
        "com1.txt",
        "...",
        ".hidden",
        "a/b",
        "a\0b",
        "-rf",
        "nul",
        "x" * 300,
        "👑",
        "",
    ],
)
def test_a_file_name_leads_nowhere_else(name):
    made = safe_file_name(name)
    assert made
    assert len(made) <= 41
    assert not set(made) & set('/\\:*?"<>|\0.')
    assert made.casefold() not in {"con", "nul", "com1"}
    assert made[0] not in " ."


def test_names_that_differ_in_no_file_name_get_files_of_their_own(tmp_path):
    games = [nb.new_game("discordian-nomic", names, seed=7) for names in (("a/b", "Ben"), ("a:b", "A?B"))]
    listed = nb.portfolios(games, tmp_path)
    pages = [name for name in listed if name.startswith("pupil")]
    assert pages == ["pupil a-b.html", "pupil Ben.html", "pupil a-b 2.html", "pupil A-B 3.html"]
    assert len(list(tmp_path.iterdir())) == len(listed)


def test_a_pupil_at_two_tables_has_one_page_and_two_rows(tmp_path, played):
    nb.portfolios([played, everything()], tmp_path)
    assert [row["table"] for row in class_rows(tmp_path) if row["name"] == "Ann"] == ["table 1", "table 2"]
    assert "Table 2" in (tmp_path / "pupil Ann.html").read_text(encoding="utf-8")
    assert "Table 2" not in (tmp_path / "pupil Dov.html").read_text(encoding="utf-8")


def test_saving_again_replaces_what_was_saved_and_nothing_else(tmp_path, played):
    nb.portfolios(played, tmp_path)
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    other = nb.new_game("discordian-nomic", ["Eve", "Fay"], seed=7)
    nb.portfolios(other, tmp_path)
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "mine"
    assert {path.name for path in tmp_path.glob("pupil*")} == {"pupil Eve.html", "pupil Fay.html"}


def test_a_list_of_contents_names_no_file_elsewhere(tmp_path):
    (tmp_path / CONTENTS).write_text("a.html\n../b\n/c\n..\nd\\e\n\nf.csv\n", encoding="utf-8")
    assert written_before(tmp_path) == ["a.html", "f.csv"]
    (tmp_path / CONTENTS).write_bytes(b"\xff\xfe")
    assert written_before(tmp_path) == []


def test_a_law_that_fits_no_file_is_said_and_all_else_is_written(tmp_path, played, monkeypatch, capsys):
    from nomic_nb.engine.errors import RecordError
    from nomic_nb.notebook.documents import portfolio

    def refuse(*_: Any) -> str:
        raise RecordError("rules-not-for-a-file", "a rule file can’t hold {rules}", rules="rule 9")

    monkeypatch.setattr(portfolio, "rule_file_text", refuse)
    listed = nb.portfolios(played, tmp_path)
    assert "Table 1: a rule file can’t hold rule 9." in capsys.readouterr().out
    assert "class.csv" in listed
    assert not any(name.endswith(".md") for name in listed)


def test_what_cannot_be_written_is_refused(tmp_path, played):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with refused("folder-not-made", nb.RecordError):
        nb.portfolios(played, tmp_path / "file")
    with refused("no-game-given", ValueError):
        nb.portfolios([], tmp_path)


def test_a_table_can_be_named_by_a_number(tmp_path, played):
    assert "1 record.html" in nb.portfolios({1: played}, tmp_path)


def test_a_dummy_is_no_pupil(tmp_path):
    listed = nb.portfolios(everything(), tmp_path)
    assert "pupil Dov.html" not in listed
    assert json.loads((tmp_path / "table 1 record.jsonl").read_text(encoding="utf-8").splitlines()[0])["format"]
