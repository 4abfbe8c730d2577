"""What changes nothing is no event, and no press is offered for it."""

import pytest
from key_helpers import scored
from play_helpers import asks, idle, law, open_up, refused, scores, sit

import nomic_nb as nb

ALL = ["Ann", "Ben", "Cleo"]


def presses(game, action):
    return {one.player: one.options for one in game.pending if one.action == action}


def test_the_same_ballot_is_cast_once():
    game = sit()
    law(game, "set vote.changeable to true\non balloted: award 1 points to player")
    before = scores(game)["Ann"]
    game.propose("Ben", nb.enact("Hats are worn."))
    game.vote("Ann", "for")
    for _ in range(3):
        with refused(game, "voted-so", player="Ann", proposal=302, rule=301):
            game.vote("Ann", "for")
    assert scores(game)["Ann"] == before + 1
    assert presses(game, "vote")["Ann"] == ("against",)
    game.vote("Ann", "against")
    assert presses(game, "vote")["Ann"] == ("for",)


def test_no_press_tells_a_sealed_ballot():
    game = sit()
    law(game, 'set vote.changeable to true\nset vote.ballots to "sealed"')
    game.propose("Ben", nb.enact("Hats are worn."))
    game.vote("Ann", "for")
    assert presses(game, "vote")["Ann"] == ("for", "against")


def test_the_same_form_is_no_revision():
    game = sit()
    game.propose("Ann", nb.enact("Hats are worn."), debate=True)
    with refused(game, "form-unchanged", proposal=301):
        game.revise("Ann", nb.enact("Hats are worn."))
    game.revise("Ann", nb.enact("Caps are worn."))
    assert len(game.state.proposals[301].movers) == 1


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda game: game.define("Ann", "hat", "a cap"), {"code": "defined-already", "word": "hat"}),
        (lambda game: game.suggest_fix("Ann", "Say what a hat is."), {"code": "fix-suggested-already"}),
        (lambda game: game.host.time("2026-11-26 10:00"), {"code": "clock-back", "now": "2026-11-26 10:00"}),
        (lambda game: game.host.absent("Ben"), {"code": "already-absent"}),
        (
            lambda game: game.host.correct('put points of "Ann" at 7', agreed=ALL, reason="So it was."),
            {"code": "nothing-changed"},
        ),
        (lambda game: game.apply("Ann", 301, 'put points of "Ann" at 7'), {"code": "nothing-changed"}),
        (lambda game: game.host.pause(), {"code": "game-paused"}),
    ],
)
def test_an_act_that_is_done_again_is_refused(act, said):
    game = sit()
    idle(game)
    if "301" in said or act.__code__.co_names[0] == "apply":
        game.host.correct('put points of "Ann" at 7', agreed=ALL, reason="So it was.")
    else:
        act(game)
    with refused(game, **said):
        act(game)


def test_an_answer_is_given_once_and_can_be_changed():
    game = sit()
    asks(game, "?")
    game.say("Ann", "ask")
    first, other = (one.player for one in game.pending[:2])
    game.choose(first, "1")
    with refused(game, "answered-that"):
        game.choose(first, "1")
    game.choose(first, "2")
    with refused(game, "answered-that"):
        game.choose(first, "2")
    game.choose(other, "3")


def test_a_rule_that_says_it_already_is_not_amended_by_itself():
    game = sit()
    law(game, 'draft soon: "Soon it is."\n    set throw.points to 3\non thrown: amend rule_numbered(210) by soon')
    for _ in range(3):
        idle(game)
    assert sum(event.kind == "amended" for event in game.timeline.events_in_effect) == 1


def test_the_same_moment_is_not_gone_back_to():
    game = sit()
    idle(game)
    with refused(game, "undone-already"):
        game.undo(game.state.seq)
    game.undo()
    with refused(game, "undone-already"):
        game.undo(game.state.seq)


def test_a_vote_goes_on_as_it_is_when_somebody_leaves_who_does_not_vote_in_it():
    game = sit(*ALL, "Dee")
    open_up(game, 105)
    law(game, 'set vote.electorate to [p for p in playing if p.name != "Dee"]\nprevails over everything')
    game.propose(game.player, nb.enact("Hats are worn."))
    game.forfeit("Dee")
    assert not [one for one in game.timeline.events_in_effect if one.kind == "retallied"]
    game.forfeit(next(name for name in ALL if name != game.player))
    assert [one for one in game.timeline.events_in_effect if one.kind == "retallied"]


def test_of_several_debates_that_somebody_can_end_the_proposal_is_said():
    game = sit(*ALL, system="github-nomic")
    scored(game, "Ann", 1, nb.transmute(-206))
    opened = game.state.rules.find_renumbered(-206).number
    scored(game, "Ann", 2, nb.amend(opened, "Anybody can.", law="set debate.ended_by to playing"))
    for name, number in (("Ben", 5), ("Cleo", 6)):
        game.begin_turn(name)
        game.propose(name, nb.enact("Hats are worn."), number, debate=True)
    with refused(game, "several-debated", proposals="5, 6"):
        game.call_vote("Ann")
    game.call_vote("Ann", 5)
    assert [game.proposals[number].outcome for number in (5, 6)] == ["open", "debate"]
    game.call_vote("Ann")
    assert game.proposals[6].outcome == "open"


def test_a_debate_that_only_one_can_end_needs_no_number():
    game = sit(*ALL, system="github-nomic")
    for name, number in (("Ben", 5), ("Cleo", 6)):
        game.begin_turn(name)
        game.propose(name, nb.enact("Hats are worn."), number, debate=True)
    game.call_vote("Ben")
    assert [game.proposals[number].outcome for number in (5, 6)] == ["open", "debate"]


@pytest.mark.rule("github-nomic", -111)
def test_a_vote_without_a_ballot_scores_nothing_and_asks_nobody():
    game = sit(*ALL, system="github-nomic")
    game.begin_turn("Ann")
    made = game.propose("Ann", nb.enact("Hats are worn."), 5)
    for name in ALL[1:]:
        game.host.absent(name)
    game.close_vote("Ann")
    assert made.outcome == "defeated"
    assert not game.state.questions
    assert scores(game) == {"Ann": -10, "Ben": 0, "Cleo": 0}
    assert "Share of the votes: 0 (rule K7)" in str(made)
