"""The fields of the view model that pages show as they are: goal, scores, turns, proposals, news, what is awaited."""

from __future__ import annotations

import json

import pytest
from panels.pages import Page
from play_helpers import adopt, ballot, law, open_up, sit

import nomic_nb as nb
from nomic_nb.engine.play.values import Decision
from nomic_nb.notebook.panels.view_model import ViewModels
from nomic_nb.study.views.course import waiting_sentence

FIVE = ("Ann", "Ben", "Cleo", "Dee", "Eve")


def table(game):
    return ViewModels(game).current_view().table


def proposal(game, change, by="Ann"):
    """What the view has of a proposal that has just been made."""
    number = game.propose(by, change).number
    return table(game)["proposals"][str(number)]


# ---------------------------------------------------------------------------------------------------------------- goal


def test_the_goal_is_what_the_rules_in_force_say_and_follows_an_amendment():
    game = sit(*FIVE)
    assert table(game)["goal"] == {"counter": "points", "target": "100", "rule": 208}
    game.propose("Ann", nb.amend(208, "Thirty points win.", "set win.points to 30"))
    ballot(game)
    assert table(game)["goal"] == {"counter": "points", "target": "30", "rule": 301}  # its new number


def test_a_goal_that_is_worked_out_follows_what_it_depends_on():
    game = sit(*FIVE)
    views = ViewModels(game)
    law(game, "track heat per game from 4\non said: award 1 heat to game\n"
              "set win.points to 10 * game.heat\nprevails over 208")  # fmt: skip
    assert views.current_view().table["goal"] == {"counter": "points", "target": "40", "rule": 301}
    assert "At the moment that is 40." in json.dumps(views.current_view().table["aim"])
    game.say("Ben", "Hot!")
    assert views.current_view().table["goal"]["target"] == "50"
    assert "At the moment that is 50." in json.dumps(views.current_view().table["aim"])


def test_the_winning_condition_may_name_the_number_itself():
    game = sit(*FIVE, terms={"win.winners": "[p for p in playing if 7 <= p.points]"})
    goal = table(game)["goal"]
    assert (goal["counter"], goal["target"]) == ("points", "7")


@pytest.mark.parametrize(
    "condition",
    [
        "p.points < 7",
        "p.points == 7",
        "p.points > 49",  # 99/2 is enough
        "p.points >= 5 and circuit > 90",
        "p.points >= 5 and p.turns > 0",
        'player_named("Ann").points >= 5',
        "p.points >= 5 + p.turns",
        "p.points >= 1 / (circuit - 1)",
        "any(q.points >= 5 for q in playing)",
    ],
)
def test_a_number_that_is_not_enough_for_everybody_is_no_goal(condition):
    assert table(sit(*FIVE, terms={"win.winners": f"[p for p in playing if {condition}]"}))["goal"] is None


@pytest.mark.parametrize(
    "winners",
    [
        '[p for p in [player_named("Ann")] if p.points >= 5]',
        "[following(p) for p in playing if p.points >= 5]",
        "[p for p in playing if p.points >= 5] if circuit > 90 else []",
    ],
)
def test_a_number_that_makes_only_others_win_is_no_goal(winners):
    assert table(sit(*FIVE, terms={"win.winners": winners}))["goal"] is None


@pytest.mark.parametrize(
    ("winners", "target"),
    [
        ("[p for p in playing if p.points >= 50 and p.points >= 70]", "70"),
        ("[p for p in playing if p.points >= 70 or p.points >= 50]", "50"),
        ("[p for p in playing if p.points >= 50 or circuit > 90]", "50"),
        ("[p for p in playing if p.points >= 10 * 5]", "50"),
        ("[p for p in playing if p.points >= 101 / 2]", "101/2"),
        ("[p for p in playing if p.person and points(p) >= 50]", "50"),
        ("[p for p in playing if p.points >= 5] if circuit > 90 else [p for p in playing if p.points >= 9]", "9"),
    ],
)
def test_the_goal_is_the_least_number_that_is_enough_for_everybody(winners, target):
    goal = table(sit(*FIVE, terms={"win.winners": winners}))["goal"]
    assert goal == {"counter": "points", "target": target, "rule": 112}


@pytest.mark.parametrize("system", ["nomic-chess", "make-a-rule"])
def test_there_is_no_goal_where_no_number_wins(system):
    assert table(nb.new_game(system, ["Ann", "Ben"], seed=7))["goal"] is None


def test_a_hidden_counter_is_no_score():
    game = sit(*FIVE)
    law(game, "track gold per player from 5 hidden")
    assert set(table(game)["scores"]["Ann"]) == {"points"}
    assert table(game)["goal"]["counter"] == "points"


@pytest.mark.parametrize(
    "clauses",
    [
        "set win.points to max([p.gold for p in playing])\nprevails over 208",
        "set win.points to 30 while any(p.gold > 3 for p in playing)\nprevails over 208",
    ],
)
def test_a_number_that_depends_on_a_hidden_counter_is_no_goal(clauses):
    game = sit(*FIVE)
    law(game, f"track gold per player from 5 hidden\n{clauses}")
    assert table(game)["goal"] is None


def test_a_hidden_counter_that_wins_is_no_goal():
    game = sit(*FIVE, terms={"win.winners": "[p for p in playing if p.points >= 50]"})
    assert table(game)["goal"]["target"] == "50"
    number = open_up(game, 112)
    law(game, "track gold per player from 5 hidden")
    adopt(game, nb.amend(number, law="set win.winners to [p for p in playing if p.gold >= 50]"))
    assert table(game)["goal"] is None


def test_scores_are_numbers_as_text_for_every_player():
    game = sit(*FIVE)
    law(game, 'on said when text == "half": award 1 / 2 points to player\n'
              'on said when text == "lose": award -3 points to player\ntrack rope per player from 2')  # fmt: skip
    game.say("Ben", "lose")
    scores = table(game)["scores"]
    assert list(scores) == list(FIVE)
    assert scores["Ben"]["points"] == str(game.scores["Ben"])
    assert scores["Ben"]["points"].startswith("-")  # a plain minus sign, which a page can read
    assert scores["Cleo"]["rope"] == "2"


# --------------------------------------------------------------------------------------------------------------- turns


def test_the_turn_names_the_player_the_part_and_who_comes_next():
    game = sit(*FIVE)
    assert table(game)["turn"] == {"player": "Ann", "part": "proposal", "next": ["Ben", "Cleo", "Dee", "Eve"]}


def test_at_most_eight_players_come_next():
    game = nb.new_game("discordian-nomic", [f"P{at}" for at in range(12)], seed=7)
    assert table(game)["turn"]["next"] == [f"P{at}" for at in range(1, 9)]


def test_whoever_may_not_begin_a_turn_does_not_come_next():
    game = sit(*FIVE)
    law(game, 'forbid begin_turn when player == player_named("Cleo")\nprevails over 201')
    assert "Cleo" not in table(game)["turn"]["next"]


def test_everybody_comes_next_during_an_extra_turn():
    game = sit("Ann", "Ben", "Cleo", "Dee")
    adopt(game, nb.enact("Cleo goes next.", 'set turn.next to [player_named("Cleo")]\nprevails over 201'))
    assert table(game)["turn"] == {"player": "Ann", "part": "throw", "next": ["Cleo", "Ben", "Cleo", "Dee"]}
    game.roll("Ann", 1)
    assert table(game)["turn"] == {"player": "Cleo", "part": "proposal", "next": ["Cleo", "Ben", "Cleo", "Dee", "Ann"]}


def test_nobody_comes_next_where_players_begin_turns_at_will():
    game = nb.new_game("github-nomic", FIVE, seed=7)
    assert table(game)["turn"] == {"player": None, "part": "", "next": []}


def test_the_order_of_armies_names_their_players():
    game = nb.new_game("nomic-chess", ["Ann", "Ben", "Cleo"], seed=7)
    assert table(game)["turn"]["next"] == ["Ben", "Cleo"]


# ----------------------------------------------------------------------------------------------------------- proposals


def test_a_proposal_names_its_kind_the_rule_and_its_old_title():
    made = proposal(sit(*FIVE), nb.amend(208, "Thirty points win.", "set win.points to 30", title="Thirty"))
    assert (made["kind"], made["rule"], made["old_title"], made["title"]) == (
        "amend", 208, "How many points win", "Thirty",
    )  # fmt: skip
    assert made["said"] == ["A player wins by reaching 30 points."]


@pytest.mark.parametrize(
    ("change", "kind", "rule"),
    [
        (nb.enact("Be kind."), "enact", None),
        (nb.repeal(206), "repeal", 206),
        (nb.transmute(112), "transmute", 112),
        (nb.together(nb.repeal(206), nb.enact("Be kind.")), "together", None),
    ],
)
def test_every_kind_of_proposal_has_its_name(change, kind, rule):
    made = proposal(sit(*FIVE), change)
    assert (made["kind"], made["rule"], bool(made["old_title"])) == (kind, rule, rule is not None)


def test_renaming_is_a_kind_of_its_own():
    game = sit(*FIVE)
    law(game, "track rope per player from 2")
    assert proposal(game, nb.rename("rope", "string"), "Ben")["kind"] == "rename"


@pytest.mark.parametrize(
    ("change", "words", "clause"),
    [
        (nb.enact("Twelve.", "set dissent.points to 12"), "Twelve.", "set dissent.points to 12"),
        (nb.amend(208, "Thirty points win.", "set win.points to 30"), "Thirty points win.", "set win.points to "),
        (nb.together(nb.repeal(206), nb.enact("Twelve.", "set dissent.points to 12")), "Twelve.", "to 12"),
        (nb.repeal(208), "Whoever is first", "set win.points"),
    ],
)
def test_clauses_stand_apart_from_the_wording(change, words, clause):
    made = proposal(sit(*FIVE), change)
    what, clauses = json.dumps(made["what"]), json.dumps(made["clauses"])
    assert words in what
    assert words not in clauses
    assert clause in clauses
    assert clause not in what


@pytest.mark.parametrize("change", [nb.enact("Be kind."), nb.amend(208, "Points win."), nb.transmute(112)])
def test_a_proposal_that_leaves_the_clauses_alone_has_none(change):
    assert proposal(sit(*FIVE), change)["clauses"] == []


def moves(change):
    return proposal(nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7), change)["moves"]


def test_a_change_of_how_a_piece_moves_has_the_squares_before_and_after():
    found = moves(nb.enact("Knights also step.", 'piece N moves otherwise + "W"'))
    assert (found["kind"], found["name"]) == ("n", "knight")
    assert {(x, y) for x, y, _ in found["after"]} - {(x, y) for x, y, _ in found["before"]} == {
        (0, 1), (1, 0), (0, -1), (-1, 0),
    }  # fmt: skip
    assert found["words"] == {
        "kept": ["Leaps 2 squares one way and 1 across (as a knight)."],
        "new": ["Steps 1 square orthogonally."],
        "lost": [],
    }


def test_a_movement_that_replaces_another_loses_it():
    found = moves(nb.enact("Knights step.", 'piece N moves "W"\nprevails over everything on piece.moves'))
    assert found["words"]["lost"] == ["Leaps 2 squares one way and 1 across (as a knight)."]


@pytest.mark.parametrize("change", [nb.enact("Be kind."), nb.repeal(206)])
def test_other_changes_have_no_movement(change):
    assert moves(change) is None


def test_without_boards_no_piece_moves():
    assert proposal(sit(*FIVE), nb.enact("Be kind."))["moves"] is None


# --------------------------------------------------------------------------------------------------------------- votes


def test_missing_voters_are_named_in_seating_order():
    game = sit(*FIVE)
    game.propose("Ann", nb.enact("Be kind."))
    game.vote("Cleo", "for")
    vote = table(game)["proposals"]["301"]["vote"]
    assert vote["missing"] == ["Ann", "Ben", "Dee", "Eve"]
    assert vote["unanimous"] is True  # in the first rounds all of them are needed


def test_a_majority_is_not_unanimous():
    game = sit(*FIVE, terms={"vote.quota": "3"})
    game.propose("Ann", nb.enact("Be kind."))
    assert table(game)["proposals"]["301"]["vote"]["unanimous"] is False


def test_of_sealed_ballots_it_is_told_who_has_cast_one():
    game = sit(*FIVE, terms={"vote.ballots": '"sealed"'})
    game.propose("Ann", nb.enact("Be kind."))
    game.vote("Ben", "against")
    shown = table(game)
    assert shown["proposals"]["301"]["vote"]["missing"] == ["Ann", "Cleo", "Dee", "Eve"]
    news = next(one for one in shown["news"].values() if one["kind"] == "balloted")
    assert (news["who"], news["tone"]) == ("Ben", None)
    assert "against" not in news["text"]


# ---------------------------------------------------------------------------------------------------------------- news


def test_news_are_the_events_of_the_history():
    game = sit(*FIVE)
    game.propose("Ann", nb.amend(208, "Thirty points win.", "set win.points to 30"))
    ballot(game)
    shown = table(game)
    assert all(one["text"].endswith(".") for one in shown["news"].values())
    by_kind = {one["kind"]: one for one in shown["news"].values()}
    assert by_kind["amended"] | {"text": ""} == {
        "kind": "amended", "text": "", "who": "Ann", "rule": by_kind["amended"]["rule"],
        "tone": "yes",
    }  # fmt: skip
    assert by_kind["amended"]["rule"] == next(rule.number for rule in game.rules if "Thirty" in rule.wording)
    assert by_kind["balloted"]["tone"] == "yes"
    assert by_kind["vote_closed"]["tone"] == "yes"


def test_a_defeat_is_bad_news():
    game = sit(*FIVE)
    game.propose("Ann", nb.enact("Be kind."))
    ballot(game, against=FIVE)
    tones = {one["kind"]: one["tone"] for one in table(game)["news"].values()}
    assert (tones["balloted"], tones["vote_closed"], tones["defeated"]) == ("no", "no", "no")


@pytest.mark.parametrize(
    ("amount", "tone"), [("1 / 2", "yes"), ("-1 / 2", "no"), ("1", "yes"), ("-1", "no"), ("3 / 2", "yes")]
)
def test_a_gain_is_good_news_and_a_loss_is_bad_news_in_whole_numbers_and_in_fractions(amount, tone):
    game = sit(*FIVE)
    law(game, f"track rope per player from 2\non said: award {amount} rope to player")
    game.say("Ben", "Now!")
    news = next(one for one in table(game)["news"].values() if one["kind"] == "counted" and "rope" in one["text"])
    assert news["tone"] == tone


def test_a_move_has_its_squares():
    game = nb.Game(nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7).timeline)
    game.propose("Ann", nb.enact("Be kind."))
    ballot(game)
    decision = next(one for one in game.pending if one.action == "move")
    game.move("Ann", decision.options[0])
    news = next(one for one in table(game)["news"].values() if one["kind"] == "moved")
    assert news["from"].startswith("white.")
    assert news["to"].startswith(("white.", "yellow."))
    assert news["who"] == "Ann"


# ------------------------------------------------------------------------------------------------------ what is awaited


def waiting(*names, action="vote", prompt="vote on proposal 301: repeal rule 201"):
    return waiting_sentence(Decision(name, action, prompt) for name in names)


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (FIVE[:1], "Waiting for Ann to vote on proposal 301."),
        (FIVE[:3], "Waiting for Ann, Ben and Cleo to vote on proposal 301."),
        (FIVE, "Waiting for Ann, Ben and 3 others to vote on proposal 301."),
    ],
)
def test_up_to_three_are_named_of_those_who_are_awaited(names, sentence):
    assert waiting(*names) == sentence


def test_different_acts_are_told_apart_and_each_player_stands_once():
    decisions = [
        Decision("Ann", "propose", "propose a rule change"), Decision("Ben", "roll", "roll"),
        Decision("Ben", "vote", "vote on proposal 301: repeal rule 201"), Decision("Cleo", "end_turn", "end the turn"),
    ]  # fmt: skip
    assert waiting_sentence(decisions) == (
        "Waiting for Ann to propose, and for Ben to roll the die, and for 1 more player."
    )


@pytest.mark.parametrize("change", [{"must": False}, {"unseen": True}])
def test_what_may_be_left_or_is_a_secret_is_not_awaited(change):
    assert waiting_sentence([Decision("Ann", "take", "take it", **change)]) == ""


def test_the_sentence_follows_the_game_and_ends_with_it():
    game = sit(*FIVE)
    assert table(game)["waiting"] == "Waiting for Ann to propose."
    game.propose("Ann", nb.enact("Be kind."))
    game.vote("Ann", "for")
    assert table(game)["waiting"] == "Waiting for Ben, Cleo and 2 others to vote on proposal 301."
    for name in FIVE[1:]:
        game.vote(name, "for")
    assert table(game)["waiting"] == "Waiting for Ann to roll the die."
    game.host.pause()
    assert table(game)["waiting"] == ""


def test_a_question_is_answered():
    game = nb.new_game("make-a-rule", ["Ann", "Ben", "Cleo"], seed=7)
    assert table(game)["waiting"] == "Waiting for Ann to answer."


def test_a_question_in_a_title_leaves_a_vote_a_vote():
    assert waiting("Ann", prompt="vote on proposal 301: enact “Who? Me?”") == "Waiting for Ann to vote on proposal 301."


def test_what_a_rule_lets_somebody_choose_is_named_in_words():
    assert (
        waiting("Ann", action="choose", prompt="choose next_magistrate: a or b")
        == "Waiting for Ann to choose the next magistrate."
    )


def test_what_can_be_done_instead_is_told_too():
    game = nb.new_game("make-a-rule", ["Ann", "Ben"], seed=7)
    assert table(game)["waiting"] == "Waiting for Ann to make a move on the boards or propose a rule change."


def test_a_page_gets_the_same_fields():
    game = sit(*FIVE)
    page = Page(game, "Ben")
    game.propose("Ann", nb.enact("Be kind."))
    page.hub.send_changes()
    assert page.table == table(game)
