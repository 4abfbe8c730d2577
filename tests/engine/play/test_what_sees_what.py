"""In which order things happen, and what sees what: as the page on it says."""

from __future__ import annotations

from play_helpers import ballot, law, refused, scores, sit, waiting_for

import nomic_nb as nb
from nomic_nb.engine.law import index
from nomic_nb.engine.law.index import clause_uses_names


def test_what_a_rule_does_before_the_result_counts_in_it():
    game = sit()
    law(game, 'set vote.changeable to true\non vote_ending each p in opponents: cast "for" for p')
    game.propose("Ben", nb.enact("More."))
    game.vote("Cleo", "against")
    game.host.absent("Cleo")  # nobody votes for a player who is there
    ballot(game)
    assert game.proposals[302].outcome == "adopted"
    kinds = [event.kind for event in game.timeline.events]
    ending = kinds.index("vote_ending")
    assert kinds[ending : ending + 4] == ["vote_ending", "balloted", "vote_closed", "adopted"]


def test_a_choice_before_the_result_is_waited_for_and_no_ballot_is_taken_meanwhile():
    game = sit()
    law(
        game,
        "set vote.changeable to true\n"
        'on vote_ending: let proponent choose one from opponents or none; cast "for" for one',
    )
    game.propose("Ben", nb.enact("More."))
    game.vote("Cleo", "against")
    game.host.absent("Cleo")
    ballot(game)
    assert game.proposals[302].outcome == "ending"
    assert waiting_for(game, "choose") == ["Ben"]
    with refused(game, "vote-not-open", proposal=302, status="ending"):
        game.vote("Ann", "against", 302)
    assert "vote is over" in str(game.proposals[302].tally)
    game.choose("Ben", "Cleo")
    assert game.proposals[302].outcome == "adopted"


def test_whoever_leaves_before_the_result_is_not_counted_in_it():
    game = sit()
    law(game, "on vote_ending: let proponent choose one from opponents or none; award 1 points to one")
    game.propose("Ben", nb.enact("More."))
    ballot(game, against=["Cleo"])
    game.forfeit("Cleo")
    assert game.proposals[302].outcome == "ending"
    game.choose("Ben", "none")
    assert game.proposals[302].outcome == "adopted"


def test_the_list_is_gone_through_and_all_conditions_judged_before_any_effect():
    game = sit()
    law(game, 'track marks per player from 0\n'
              'on said each p in playing when text == "go" and p.marks < 1: award 1 marks to playing')  # fmt: skip
    game.say("Cleo", "go")
    assert game.counters["marks"].tolist() == [3, 3, 3]


def test_effects_see_what_those_before_them_did():
    game = sit()
    law(game, 'on said when text == "go": put points of player at 2; award player.points points to player')
    game.say("Cleo", "go")
    assert scores(game)["Cleo"] == 4


def test_equal_ones_stay_as_they_stood_in_an_ordered_list_and_share_the_most():
    game = sit()
    law(
        game,
        'on said when text == "first": award 3 points to item(ordered(playing, [0 for p in playing]), 1)\n'
        'on said when text == "best": award 2 points to highest(playing, [0 for p in playing])',
    )
    before = scores(game)
    game.say("Ben", "first")
    game.say("Ben", "best")
    assert {name: scores(game)[name] - before[name] for name in before} == {"Ann": 5, "Ben": 2, "Cleo": 2}


def test_a_rule_that_is_gone_answers_to_nothing_that_waited_for_somebody():
    for gone in (False, True):
        game = sit()
        law(game, 'track heard per game from 0\non said when text == "go": let player choose many from [1, 2]; '
                  "put heard at many")  # fmt: skip
        law(game, 'on counted when counter == "heard": award 5 points to player_named("Ben")\n'
                  'offer "drop it": repeal this')  # fmt: skip
        before = scores(game)["Ben"]
        game.say("Ann", "go")
        if gone:
            game.take("Cleo", "drop it")
        game.choose("Ann", 2)
        assert scores(game)["Ben"] == before + (0 if gone else 5)


def test_of_whom_a_trigger_speaks_is_found_once_however_often_it_is_heard(monkeypatch):
    game, asked = sit(), []

    def counted(clause, names, vocabulary):
        asked.append(clause)
        return clause_uses_names(clause, names, vocabulary)

    monkeypatch.setattr(index, "clause_uses_names", counted)
    law(game, "\n".join(f"on counted when player.points == -{at}: award 1 points to player" for at in range(1, 9)))
    law(game, "on said: award 1 points to seats; award 1 points to seats")
    before = scores(game)
    game.say("Ann", "Hm.")
    assert len(asked) >= 8
    asked.clear()
    game.say("Ann", "Hm.")
    assert scores(game) == {name: points + 4 for name, points in before.items()}
    assert asked == []


CAP = 'set counter.value to min([otherwise, 50]) while counter == "points"'
GIFT = "on enacted when rule == this: award 80 points to mover"


def test_what_a_rule_does_on_its_own_coming_is_judged_with_it_and_without_what_comes_beside_it():
    game = sit()
    game.propose("Ann", nb.enact("A gift, and at most fifty.", law=f"{GIFT}\n{CAP}"))
    ballot(game)
    assert scores(game)["Ann"] == 50
    game = sit()
    game.propose("Ann", nb.together(nb.enact("A gift.", law=GIFT), nb.enact("At most fifty.", law=CAP)))
    ballot(game)
    assert scores(game)["Ann"] == 80
