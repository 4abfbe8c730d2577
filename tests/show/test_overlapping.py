"""Turns that overlap, Judgment, numbers from outside and scores, as they are shown."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from overlapping_games import judged, scored, stale, two_open
from play_helpers import agree
from show.reading import read

import nomic_nb as nb

EVIL = ("<img src=x onerror=alert(1)>", "</bdi><script>alert(1)</script>", "&lt;b&gt; <!--", "<b onclick='x'>")


def automatic() -> nb.Game:
    """Play until a rule of GitHub Nomic has changed by itself (-110)."""
    game = nb.new_game("github-nomic", ["Ann", "Ben"], seed=7, terms={"win.points": 1000})
    for number in range(1, 5):
        player = game.players[number % 2]
        game.begin_turn(player)
        game.propose(player, nb.enact("Nothing of weight."), number=number)
        for name in game.players:
            game.vote(name, "for")
    return game


def cabinet(judge_says: str = "One may.") -> nb.Game:
    game = nb.new_game("cabinet-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    game.invoke_judgment("Ben", "May one yawn?")
    game.rule_on("Cleo", judge_says, "Nobody forbids it.", rests_on=[116], orders='award 2 points to "Ben"')
    return game


@pytest.mark.rule("github-nomic", -112)
def test_every_open_turn_is_shown_with_its_part() -> None:
    game = two_open()
    assert game.player is None
    assert [(turn.player, turn.number, turn.part) for turn in game.turns] == [
        ("Ann", 1, "proposal"), ("Ben", 2, "proposal"),
    ]  # fmt: skip
    text = read(game).text
    assert "2 are in progress: Ann, turn 1: proposal; Ben, turn 2: proposal" in text
    assert "Ann 0 in turn 1" in text
    assert "Ben 0 in turn 2" in text
    assert "Cleo 0 in turn" not in text
    lines = str(game).splitlines()
    assert " → Ann: 0 points (turn 1: proposal)" in lines
    assert "   Cleo: 0 points" in lines
    for number in (5, 7):
        assert game.proposals[number].tally.verdict in text


def test_no_turn_under_way_and_a_number_to_be_said() -> None:
    game = nb.new_game("github-nomic", ["Ann", "Ben"], seed=7)
    assert "No turn is in progress" in read(game).text
    assert 'game.begin_turn("Ann")' in read(game.pending).text
    game.begin_turn("Ann")
    assert 'game.propose("Ann", nb.enact("…"), number=…)' in read(game.pending).text
    other = nb.new_game("cabinet-nomic", ["Ann", "Ben"], seed=7)
    assert 'game.propose("Ann", nb.enact("…"))' in read(other.pending).text


@pytest.mark.rule("github-nomic", -209)
def test_a_proposal_that_lost_its_rule_says_so() -> None:
    game = stale()
    why = "rule -104 has a new number: it is now rule 5"
    assert game.proposals[7].stale_reason == why
    assert "stale Rule -104 has a new number: it is now rule 5." in read(game.proposals[7]).text
    assert "open stale" in read(game.proposals).text
    assert "stale Rule -104 has a new number" in read(game).text
    assert f"Stale: {why}." in str(game.proposals[7])
    assert game.proposals[5].stale_reason == ""
    assert scored().proposals[7].stale_reason == ""


@pytest.mark.rule("github-nomic", -111)
def test_what_a_proposal_is_worth_exactly() -> None:
    game = scored()
    worth = game.proposals[9].score
    assert (worth.share.value, worth.score.value, worth.is_tie) == (Fraction(3, 4), Fraction(27, 2), True)
    said = "Share of the votes: 3/4 (rule -111). Score: 27/2 (rule -111), exactly halfway: rounded up"
    assert said in read(game.proposals[9]).text
    assert game.proposals[5].score.score.value == 14
    assert not game.proposals[5].score.is_tie
    assert two_open().proposals[5].score is None
    entry = next(one for one in game.ledger if one.tie)
    assert (entry.amount, entry.exact) == (14, Fraction(27, 2))
    assert "+14 points rounded from 27/2, a tie" in read(game.ledger).text
    assert read(game.ledger).text.count("rounded from") == 1


def test_no_rule_scores_a_proposal_in_cabinet_nomic() -> None:
    game = cabinet()
    game.overrule("Ann", "against")
    agree(game)
    game.propose("Ann", nb.repeal(204))
    for name in game.players:
        game.vote(name, "for")
    assert game.proposals[301].score is None
    assert "Score" not in read(game.proposals[301]).text


@pytest.mark.rule("cabinet-nomic", 212)
def test_open_judgments_are_in_the_game() -> None:
    game = cabinet()
    text = read(game).text
    assert "Judgment 1 – can still be overruled" in text
    assert "May one yawn? Asked by Ben in turn 1 (rule 212). Judge: Cleo. Ruling, by Cleo" in text
    assert "One may. Reasons: Nobody forbids it. Rests on rule 116." in text
    assert 'orders award 2 points to "Ben"' in text
    assert 'game.overrule("Ann", "for", judgment=1)' in text
    game.overrule("Ann", "for")
    assert "On overruling it: Ann for" in read(game).text
    game.overrule("Ben", "for")
    text = read(game).text
    assert "Judgment 1 – to be decided" in text
    assert "Judge: Ben." in text
    assert "Ruling, overruled, by Cleo One may." in text


def test_all_judgments_with_their_rulings_and_those_that_were_overruled() -> None:
    game = judged()
    text = read(game.judgments).text
    assert (
        "Judgment 1 – stands Does rule 5 contradict rule -203? Asked by Ben in turn 3 (rule -102). Judge: Ann." in text
    )
    assert "Ruling, overruled, by Cleo It does not." in text
    assert "Ruling, by Ann It does. Reasons: The spirit. Rests on rule -203, rule 5." in text
    assert str(game.judgments[1]).splitlines()[0] == "Judgment 1 – stands"
    assert "Judgment 1 – stands" in read(game.judgments[1]).text
    assert read(nb.new_game("cabinet-nomic", ["Ann", "Ben"], seed=7).judgments).text == "No judgment was invoked."


def test_a_rule_shows_the_judgments_that_rest_on_it() -> None:
    game = cabinet()
    said = "Judgment 1 (turn 1), by Cleo: One may. (can still be overruled)"
    assert said in read(game.rules[116]).text
    assert said in read(game.rules).text
    assert said in str(game.rules[116])
    assert read(game.rules).text.count(said) == 1
    assert "Judgment 1" not in read(game.rules[115]).text
    assert game.rules[116] == game.state.rules.by_number[116]
    game.overrule("Ann", "against")
    assert "by Cleo: One may. (stands)" in read(game.rules[116]).text


@pytest.mark.rule("github-nomic", -207)
def test_a_rule_that_a_judge_found_void_cites_both() -> None:
    game = judged()
    said = "void: it contradicts rule -203, as the Judge found (rule -207)"
    assert game.rules.void_reason(game.rules[5]) == said
    assert f"5 A limit on mutable rules {said}" in read(game.rules).text
    assert said[1:] in read(game.rules[5]).text


@pytest.mark.rule("github-nomic", -110)
def test_an_automatic_version_and_a_draft_can_be_read() -> None:
    before = read(nb.new_game("github-nomic", ["Ann", "Ben"], seed=7).rules[-110]).text
    assert "draft simple_majority:" in before
    game = automatic()
    rule = game.rules[-110]
    assert rule.how == "automatic"
    text = read(rule).text
    assert "Amended automatically by a rule" in text
    assert "Amendment 1, automatic (in force)" in text
    assert re.search(r"-110 All must agree, at first [●◐○ a-z]*· amended automatically", read(game.rules).text)


@pytest.mark.parametrize("moment", [two_open, stale, judged, scored])
def test_hostile_names_are_text(moment) -> None:
    game = moment(EVIL)
    for shown in (game, game.rules, game.rules[-203], game.judgments, game.pending, game.ledger, game.proposals,
                  *game.judgments, *game.proposals):  # fmt: skip
        read(shown)  # which refuses every element and attribute that is not ours
    assert EVIL[0] in read(game).text


def test_hostile_questions_rulings_and_orders_are_text() -> None:
    evil = "</style></code><script>alert(2)</script>"
    game = nb.new_game("cabinet-nomic", list(EVIL[:3]), seed=7)
    game.invoke_judgment(EVIL[0], evil)
    judge = game.judgments[1].judge
    game.rule_on(judge, evil, evil, rests_on=[101], orders=f'announce "{evil}"')
    for shown in (game, game.rules, game.rules[101], game.judgments, game.judgments[1]):
        assert evil in read(shown).text
