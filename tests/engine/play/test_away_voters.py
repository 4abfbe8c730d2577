"""Voters who are away, and ballots that are late."""

import pytest
from play_helpers import sit
from refusals import refused

import nomic_nb as nb

NAMES = ("Ann", "Ben", "Cleo", "Dov")
#: Players who are away have no vote.
PRESENT = {"vote.electorate": "[p for p in playing if p.present]"}
FINE = 'on overdue when owed == "ballot": award -2 points to player'


def voting(*for_it, terms=None, names=NAMES):
    game = sit(*names, terms=terms)
    game.propose("Ann", nb.enact("Be kind."))
    for name in for_it:
        game.vote(name, "for")
    return game


@pytest.mark.rule("discordian-nomic", 203)
def test_a_vote_ends_without_an_absent_player_who_would_have_no_vote():
    game = voting("Ann", "Ben", "Cleo", terms=PRESENT)
    game.host.absent("Dov")
    assert game.proposals[301].outcome == "adopted"
    assert game.proposals[301].ballots == dict.fromkeys(NAMES[:3], "for")


@pytest.mark.rule("discordian-nomic", 105)
def test_a_vote_waits_for_an_absent_player_whom_the_rules_give_a_vote():
    game = voting("Ann", "Ben", "Cleo")
    game.host.absent("Dov")
    assert game.proposals[301].outcome != "adopted"
    assert [(one.player, one.action) for one in game.pending] == [("Dov", "vote")]
    game.host.present("Dov")
    game.vote("Dov", "for")
    assert game.proposals[301].outcome == "adopted"


def test_the_votes_needed_are_those_of_the_voters_who_remain():
    game = voting("Ann", terms={**PRESENT, "vote.quota": "majority(vote.electorate)"})
    before = game.proposals[301].tally.quota
    game.host.absent("Dov")
    game.host.absent("Cleo")
    assert (before, game.proposals[301].tally.quota) == (3, 2)


def test_a_ballot_that_was_cast_stands_and_nobody_comes_back_into_a_vote():
    game = voting("Dov", terms=PRESENT)
    game.host.absent("Dov")
    game.host.absent("Cleo")
    game.host.present("Cleo")
    with refused("may-not-vote"):
        game.vote("Cleo", "for")
    for name in ("Ann", "Ben"):
        game.vote(name, "for")
    assert game.proposals[301].ballots == {"Dov": "for", "Ann": "for", "Ben": "for"}
    assert game.proposals[301].outcome == "adopted"


def test_the_last_voter_stays():
    game = voting(terms=PRESENT)
    for name in NAMES:
        game.host.absent(name)
    assert [(one.player, one.action) for one in game.pending] == [("Dov", "vote")]


def test_a_rule_can_fine_late_ballots():
    game = sit(*NAMES)
    game.propose("Ann", nb.enact("Late voters lose 2 points.", law=FINE))
    for name in NAMES:
        game.vote(name, "for")
    game.roll("Ann")
    game.propose("Ben", nb.enact("Be kind."))
    game.vote("Ben", "for")
    before = game.scores["Cleo"]
    game.host.overdue("Cleo")
    assert game.scores["Cleo"] == before - 2
    assert game.proposals[302].outcome != "adopted"
    game.vote("Cleo", "for")  # late, and it counts
    for name in ("Ben", "Cleo"):
        with refused("owes-no-seal", who=name):
            game.host.overdue(name)


def test_no_ballot_is_late_where_nobody_has_to_vote():
    game = voting(terms={"vote.duty": False})
    with refused("owes-no-seal", who="Ben"):
        game.host.overdue("Ben")


def test_a_record_with_voters_away_and_late_ballots_plays_again(tmp_path):
    game = voting("Ann", terms=PRESENT)
    game.host.overdue("Ben")
    game.host.absent("Ben")
    for name in ("Cleo", "Dov"):
        game.vote(name, "for")
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").fingerprint == game.fingerprint


@pytest.mark.rule("discordian-nomic", 112)
@pytest.mark.parametrize(("how", "winners"), [("joint", ("Ann", "Ben", "Cleo")), ("on turn", ("Ann",))])
def test_what_the_rules_leave_open_can_be_agreed_before_play(how, winners):
    game = sit("Ann", "Ben", "Cleo", terms={"win.joint": how, "win.points": 50})
    game.propose("Ann", nb.enact("Hurrah!", law='on said when text == "hurrah": award 50 points to playing'))
    for name in ("Ann", "Ben", "Cleo"):
        game.vote(name, "for")
    game.say("Cleo", "hurrah")
    assert game.winners == winners
    assert not game.state.questions


def test_what_was_not_agreed_before_play_is_asked():
    game = sit("Ann", "Ben", "Cleo", terms={"win.points": 50})
    game.propose("Ann", nb.enact("Hurrah!", law='on said when text == "hurrah": award 50 points to playing'))
    for name in ("Ann", "Ben", "Cleo"):
        game.vote(name, "for")
    game.say("Cleo", "hurrah")
    assert not game.over
    assert game.state.questions


@pytest.mark.parametrize("key", ["no.such_key", "may.propose", "piece.moves"])
def test_only_what_the_rules_speak_of_can_be_agreed_before_play(key):
    with refused("key-fixed-by-no-rule", key=key):
        sit("Ann", "Ben", terms={key: "true"})
