"""A host acts for the record of a game played elsewhere; in a live game, nobody gets anything from that."""

import pytest
from play_helpers import replay_of_a_record

import nomic_nb as nb


@pytest.fixture
def replay():
    return replay_of_a_record(["Ann", "Ben", "Cleo"])


@pytest.fixture
def live():
    return nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)


@pytest.mark.parametrize(
    "act",
    [
        lambda game: game.host.record_report("Ann", "hums"),
        lambda game: game.host.record_proposal("Ben", nb.enact("Hello.")),
        lambda game: game.host.record_outcome(301, True, reason="so"),
        lambda game: game.host.set_aside("so"),
        lambda game: game.host.set_aside("so", agreed=["Ann", "Ben"]),
        lambda game: game.host.correct('put points of "Ann" at 12', reason="so"),
        lambda game: game.propose("Ann", nb.enact("Hello."), 24),
        lambda game: game.propose("Ann", nb.enact("Hello."), rule_number=24),
    ],
)
def test_a_live_game_refuses_what_only_a_record_can_do(live, act):
    before = live.state.digest()
    with pytest.raises(nb.IllegalAction):
        act(live)
    assert live.state.digest() == before


def test_a_record_can_close_a_vote_that_the_law_keeps_open(replay):
    replay.propose("Ann", nb.enact("Hello."))
    replay.vote("Ann", "for")
    replay.host.record_outcome(301, True, reason="as recorded", against=["Cleo"])
    proposal = replay.state.proposals[301]
    assert (proposal.status, proposal.vote.ballots) == ("adopted", {"Ann": "for", "Cleo": "against"})
    assert replay.state.rules.by_number[301].wording == "Hello."
    assert "the record says that proposal 301 passes (as recorded)" in replay.latest(20)


def test_a_record_can_number_rules_and_proposals_apart(replay):
    replay.propose("Ann", nb.enact("Hello."), 101, rule_number=24)  # rule 101 is another one
    replay.host.record_outcome(101, True, reason="as recorded")
    assert replay.state.rules.by_number[24].wording == "Hello."
    assert replay.state.rules.by_number[101].wording != "Hello."


def test_a_rule_of_a_record_takes_no_number_that_another_has(replay):
    with pytest.raises(nb.IllegalAction) as refused:
        replay.propose("Ann", nb.enact("Hello."), rule_number=101)
    assert refused.value.code == "rule-number-unfit"


def test_a_record_can_decide_what_the_law_still_debates(replay):
    replay.propose("Ann", nb.enact("Hello."), debate=True)
    replay.host.record_outcome(301, True, reason="as recorded", in_favour=["Ann", "Ben"])
    proposal = replay.state.proposals[301]
    assert (proposal.status, proposal.vote.ballots) == ("adopted", {"Ann": "for", "Ben": "for"})


def test_what_a_record_reports_is_no_deed_of_a_player(replay):
    replay.host.record_report("Ben", "hums")
    assert replay.latest(1) == ["the record reports Ben: hums"]
    replay.host.correct('put points of "Ann" at 12', reason="the board")
    assert "the record says that Ann has 12 points (the board)" in replay.latest(2)


def test_a_duty_is_dropped_before_its_turn(live):
    live.host.set_aside("Ann is ill", agreed=live.players)
    assert [decision.action for decision in live.pending] == ["roll"]
    live.host.set_aside("no dice", agreed=live.players)
    assert live.player == "Ben"
    assert any("Ann, Ben and Cleo drop Ann’s duty to propose (Ann is ill)" in line for line in live.latest(20))


def test_a_question_that_a_record_cannot_answer_is_dropped(replay):
    replay.propose(
        "Ann", nb.enact("Dip.", law="set vote.quota to 2 while turn > 1\nset vote.quota to 1 while turn > 1")
    )
    replay.host.record_outcome(301, True, reason="as recorded")
    while replay.state.questions:
        replay.host.set_aside("not recorded")
    assert not replay.state.questions


def test_replays_are_saved_and_loaded(replay, tmp_path):
    replay.propose("Ann", nb.enact("Hello."), 7, rule_number=24)
    replay.host.record_outcome(7, False, reason="as recorded", in_favour=["Ben"])
    replay.host.set_aside("the roll is not recorded")
    replay.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == replay.state.digest()


def test_a_rule_that_asks_who_reported_something_is_not_told_a_guess(replay):
    law = "on deed when reporter != player: award 1 points to reporter"
    replay.propose("Ann", nb.enact("Reporters get a point.", law))
    for name in replay.players:
        replay.vote(name, "for")
    with pytest.raises(nb.IllegalAction) as refused:
        replay.host.record_report("Ben", "hums")
    assert refused.value.code == "reporter-unknown"


def test_players_are_not_shown_what_only_a_record_can_do(live):
    view = str(live.seat("Ann").view())
    assert "debate" in view
    assert "rule_number" not in view
    assert "record_" not in view


def test_nobody_begins_a_replay_by_hand():
    with pytest.raises(ValueError, match="replays a record"):
        nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1, medium="record")
