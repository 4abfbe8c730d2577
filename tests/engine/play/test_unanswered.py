"""Who leaves while rules ask: nobody chooses them any more, and what does not hang on their answer is done."""

from __future__ import annotations

import pytest
from play_helpers import announced, ballot, law, refused, replayed, scores, sit, waiting_for

import nomic_nb as nb

ON_GO = 'on said when text == "go": '


def told(game):
    return list(game.history["what"])


def begun(clauses, *players):
    game = sit(*(players or ("Ann", "Ben", "Cleo", "Dan")))
    law(game, clauses)
    game.say("Ann", "go")
    return game


def test_nobody_elects_who_has_left_and_who_had_is_asked_again(tmp_path):
    game = begun(ON_GO + "let seats choose boss from seats; when count(most(boss)) == 1: "
                 'announce item(most(boss), 1).name + " is boss"')  # fmt: skip
    game.choose("Ann", "Cleo")
    game.choose("Ben", "Ann")
    game.forfeit("Cleo")
    assert waiting_for(game, "choose") == ["Dan", "Ann"]
    with refused(game, "answer-not-an-option", found="Cleo"):
        game.choose("Dan", "Cleo")
    game.choose("Dan", "Ben")
    game.choose("Ann", "Ben")
    assert announced(game) == ["Ben is boss"]
    assert "Cleo can no longer be chosen (boss); Ann is asked again" in told(game)
    replayed(game, tmp_path)


def test_the_last_answer_is_asked_for_again_where_its_choice_leaves():
    game = begun(ON_GO + 'let seats choose boss from seats; announce "done"')
    for name in ("Ann", "Ben", "Dan"):
        game.choose(name, "Cleo")
    game.forfeit("Cleo")
    assert announced(game) == []
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Dan"]


def test_players_who_have_left_stay_where_the_rule_means_them():
    game = begun(ON_GO + "let player choose hero from players; announce hero.name")
    game.forfeit("Cleo")
    game.choose("Ann", "Cleo")
    assert announced(game) == ["Cleo"]


def test_nobody_chooses_where_nobody_is_left_to_be_chosen():
    game = begun(ON_GO + 'let player choose hero from [p for p in seats if p.name == "Cleo"]; announce hero.name')
    game.forfeit("Cleo")
    assert not game.state.questions
    assert "does not happen, because there is nothing to choose from; also left out: “announce hero.name”" in " ".join(
        told(game)
    )


def test_what_does_not_hang_on_the_answer_of_who_leaves_is_done(tmp_path):
    game = begun(
        'on said when text == "go": let player choose omen from ["owl", "fox"]; let player choose friend from seats;'
        ' roll 1 of 1 as one by friend; award one points to "Ben"; award 3 points to "Dan"; announce omen'
    )
    before = scores(game)
    game.forfeit("Ann")
    assert scores(game)["Ben"] == before["Ben"]
    assert scores(game)["Dan"] == before["Dan"] + 3
    assert announced(game) == []
    said = [one for one in told(game) if "nobody is left" in one]
    assert said[0] == "nobody is left to choose omen; left out as a result: “announce omen”"
    assert "roll 1 of 1 as one by friend" in said[1]
    assert not game.state.questions
    replayed(game, tmp_path)


@pytest.mark.parametrize(
    ("more", "said", "counts"),
    [("or none", '("none" if omen == none else omen)', "none"), ('within 2 turns else "fox"', "omen", "fox")],
)
def test_what_counts_for_no_answer_counts_for_who_leaves(more, said, counts):
    game = begun(f'{ON_GO}let player choose omen from ["owl", "fox"] {more}; announce {said}')
    game.forfeit("Ann")
    assert announced(game) == [counts]


def test_each_of_the_players_is_asked_but_not_who_has_left():
    game = sit("Ann", "Ben", "Cleo")
    law(game, ON_GO + 'each p in players: (let p choose omen from ["owl", "fox"]; announce p.name + omen)')
    game.forfeit("Cleo")
    game.say("Ann", "go")
    game.choose("Ann", "owl")
    game.choose("Ben", "fox")
    assert announced(game) == ["Annowl", "Benfox"]
    assert not game.state.questions


# --------------------------------------------------------------------------- an offer whose question waits


def test_an_offer_is_not_taken_twice_while_its_own_question_waits():
    game = sit()
    law(game, "track used per player from 0\n"
        'offer "name a friend" when player.used == 0: let player choose friend from seats; put used of player at 1;'
        " award 4 points to friend")  # fmt: skip
    game.take("Ben", "name a friend")
    with refused(game, "offer-under-way", offer="name a friend", player="Ben"):
        game.take("Ben", "name a friend")
    with refused(game, "offer-under-way", player="Ben"):  # what it has yet to do might close it for all
        game.take("Ann", "name a friend")
    game.choose("Ben", "Ann")
    assert waiting_for(game, "take") == ["Ann", "Cleo"]


# ------------------------------------------------------------------------- a proposal about which rules ask


@pytest.mark.parametrize("debate", [True, False])
def test_no_vote_opens_before_what_rules_ask_about_a_proposal_is_answered(debate):
    game = sit()
    law(game, 'on proposed: let [p for p in seats if p != player] choose fine from ["yes", "no"]')
    proposal = game.propose("Ben", nb.enact("So be it."), debate=debate)
    assert waiting_for(game, "call_vote") == []
    with refused(game, "answers-awaited"):
        game.call_vote("Ben")
    game.choose("Ann", "yes")
    game.choose("Cleo", "no")
    if debate:
        game.call_vote("Ben")
    ballot(game)
    assert proposal.outcome == "adopted"
    assert [event.kind for event in game.timeline.events].count("enacted") == 2
