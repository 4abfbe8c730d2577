"""Records to be deposited: pseudonyms, the files of a deposit, citations."""

import json
import re

import chess.pgn
import pandas as pd
import pytest
from documents.document_helpers import NASTY, everything, sealed_game
from refusals import refused

import nomic_nb as nb
from nomic_nb.study.playouts import play_out

SYSTEMS = nb.rulesets().index
NAMES = {"Ann": "North", "Ben": "East Wind", "Cleo": "Süd"}


def played(system, seed=5):
    return nb.Game(play_out(system, list(NAMES), seed=seed, turns=5).timeline)


def words(game):
    return "\n".join(json.dumps(event.to_json(), ensure_ascii=False) for event in game.timeline.events)


# ----------------------------------------------------------------------------------------- pseudonyms


@pytest.mark.parametrize(
    "system", [pytest.param(name, marks=[pytest.mark.slow] * ("chess" in name or "make" in name)) for name in SYSTEMS]
)
def test_a_game_with_pseudonyms_is_the_same_game_under_other_names(system, tmp_path):
    game = played(system)
    other = nb.pseudonyms(game, NAMES)
    assert [event.kind for event in other.timeline.events[:-1]] == [event.kind for event in game.timeline.events]
    assert not re.search(r"\b(Ann|Ben|Cleo)\b", words(other))
    assert not re.search(r"\b(Ann|Ben|Cleo)\b", other.to_html())
    assert list(other.scores) == list(game.scores)
    assert other.fingerprint != game.fingerprint
    assert "pseudonyms" in other.comments["text"].iloc[-1]
    other.save(tmp_path / "other.jsonl")
    assert nb.load(tmp_path / "other.jsonl").fingerprint == other.fingerprint
    back = nb.pseudonyms(other.at(len(game.timeline.events)), {new: old for old, new in NAMES.items()})
    assert back.at(len(game.timeline.events)).fingerprint == game.fingerprint


def test_names_can_be_exchanged_and_undone_play_is_renamed_too():
    game = everything()
    other = nb.pseudonyms(game, {"Ann": "Ben", "Ben": "Ann", "Dov": "Eve"})
    assert other.players == ("Ben", "Ann", "Cleo", "Eve")
    assert [event.kind for event in other.timeline.events[:-1]] == [event.kind for event in game.timeline.events]
    assert "Dov" not in words(other)


def test_words_that_only_look_like_a_name_are_listed_and_left_alone(capsys):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.enact("Ann and Annabel say BEN, Banner and Ben’s."))
    other = nb.pseudonyms(game, {"Ann": "North", "Ben": "South"})
    assert other.proposals[301].change.wording == "North and Annabel say BEN, Banner and South’s."
    assert other.lookalikes["word"].tolist() == ["Annabel", "BEN"]
    assert other.lookalikes["event"].unique().tolist() == [
        event.seq for event in game.timeline.events if event.do == "propose"
    ]
    assert "2 words" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ({}, "pseudonym-for-nobody"), ({"Zoe": "X"}, "pseudonym-for-nobody"), ({"Ann": "Ben"}, "pseudonyms-alike"),
        ({"Ann": "ben"}, "pseudonyms-alike"), ({"Ann": "a, b"}, None), ({"Ann": ""}, None),
    ],
)  # fmt: skip
def test_names_that_cannot_be_are_refused(names, code):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    if code is None:
        with pytest.raises((nb.RecordError, nb.LawError, ValueError)):
            nb.pseudonyms(game, names)
    else:
        with refused(code, ValueError):
            nb.pseudonyms(game, names)


def test_clauses_that_name_a_player_name_the_pseudonym():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.propose(
        "Ann",
        nb.enact("Lucky A.", law='on turn_ended when player == player_named("Ann"): award 1 points to player'),
    )
    game.votes()
    other = nb.pseudonyms(game, {"Ann": "Zoe"})
    assert 'player_named("Zoe")' in other.rules[301].law


# ----------------------------------------------------------------------------------------- deposit and citation


def test_a_deposit_has_record_page_tables_moves_and_citation(tmp_path):
    game = played("nomic-chess")
    names = game.deposit(tmp_path / "deposit", title=f"Tea: {NASTY}", annotator="Cleo O'Neil", date="2026-05-01")
    there = {path.name: path for path in (tmp_path / "deposit").iterdir()}
    assert sorted(there) == names
    assert nb.load(there["game.jsonl"]).fingerprint == game.fingerprint
    assert there["game.html"].read_text().startswith("<!DOCTYPE html>")
    assert len(pd.read_csv(there["history.csv"])) == len(game.history)
    with there["game.pgn"].open() as file:
        assert not chess.pgn.read_game(file).errors
    facts = dict(line.split(": ", 1) for line in there["CITATION.cff"].read_text().splitlines())
    assert {"cff-version", "message", "title", "authors", "version", "date-released"} <= set(facts)
    assert json.loads(facts["authors"]) == [{"name": "Cleo O'Neil"}]
    assert json.loads(facts["title"]) == f"Tea: {NASTY}"
    assert "Colin M. L. Burnett" in there["game.html"].read_text()


def test_without_an_annotator_the_players_are_cited_and_an_odd_date_is_left_out(tmp_path):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.deposit(tmp_path / "d", date="May 2026")
    said = (tmp_path / "d" / "CITATION.cff").read_text()
    assert '[{"name": "Ann"}, {"name": "Ben"}]' in said
    assert "date-released" not in said
    assert not (tmp_path / "d" / "game.pgn").exists()


def test_a_deposit_tells_no_sealed_ballots(tmp_path):
    with refused("deposit-with-secrets", nb.RecordError):
        sealed_game().deposit(tmp_path / "d")
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize("text", ["}", "{", "\\input{x}", "a & b % c $ d # e _ f", "~^", "\n\n@misc{x,"])
def test_nothing_in_a_title_leaves_its_field(text):
    entry = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).bibtex(title=f"T{text}", annotator=f"A{text}")
    depth = 0
    for at, sign in enumerate(entry):
        depth += (sign == "{") - (sign == "}")
        assert depth > 0 or at >= entry.rindex("}") or at < entry.index("{")
    assert entry.count("@") == 1 + 2 * text.count("@")
    assert not re.search(r"(?<!\\)[&%$#_]", entry)


def test_names_in_emphasis_are_replaced_and_parts_of_long_names_listed():
    game = nb.new_game("discordian-nomic", ["Ann Jones", "Ben"], seed=7)
    game.propose("Ann Jones", nb.enact("_Ann Jones_ wins; MacJones and jones don’t."))
    other = nb.pseudonyms(game, {"Ann Jones": "North"})
    assert other.proposals[301].change.wording == "_North_ wins; MacJones and jones don’t."
    assert other.lookalikes["word"].tolist() == ["MacJones", "jones"]
