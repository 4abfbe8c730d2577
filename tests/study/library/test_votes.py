"""Ready-made rules on votes, in play."""

from fractions import Fraction

import pytest
from refusals import refused
from study.library.playing import SYSTEMS, Playing

import nomic_nb as nb
from nomic_nb import library

NOTE = nb.enact("Something else.")


def open_vote(playing):
    """Play until a vote is open; return the proposal."""
    playing.until("vote")
    return playing.game.proposals[next(reversed(playing.game.state.proposals))]


def quota(playing):
    return open_vote(playing).as_it_stands.vote.quota


def weights(playing):
    return dict(open_vote(playing).as_it_stands.vote.weights)


@pytest.mark.parametrize("system", SYSTEMS)
def test_simple_majority(system):
    playing = Playing(system)
    assert quota(playing) == 3
    playing.turns()
    playing.amended("quota", library.simple_majority())
    assert quota(playing) == 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_two_thirds(system):
    playing = Playing(system, ("Ann", "Ben", "Cleo", "Dan"))
    playing.law(library.two_thirds())
    assert quota(playing) == Fraction(8, 3)
    playing.against = {"Ann", "Ben"}
    playing.turns()
    assert playing.outcome == "defeated"
    playing.against = {"Ann"}
    playing.turns()
    assert playing.outcome == "adopted"


def test_a_fraction_amends_too():
    playing = Playing()
    playing.amended("quota", library.fraction_adopts(1, 3))
    playing.against = {"Ann", "Ben"}
    playing.turns()
    assert playing.outcome == "adopted"


@pytest.mark.parametrize("system", SYSTEMS)
def test_quota_by_circuit(system):
    playing = Playing(system)
    playing.law(library.quota_by_circuit(2))
    while playing.game.circuit <= 2:
        assert quota(playing) == 3
        playing.turns()
    assert quota(playing) == 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_secret_ballots(system):
    playing = Playing(system)
    assert not open_vote(playing).as_it_stands.vote.sealed
    playing.turns()
    playing.law(library.secret_ballots())
    number = open_vote(playing).number
    playing.game.vote("Ann", "against")
    shown = playing.game.ballots
    assert "against" not in set(shown[shown["proposal"].astype(str) == str(number)]["ballot"])


@pytest.mark.parametrize("system", SYSTEMS)
def test_changeable_ballots(system):
    playing = Playing(system)
    open_vote(playing)
    playing.game.vote("Ann", "against")
    with refused("voted-already", player="Ann"):
        playing.game.vote("Ann", "for")
    playing.turns()
    playing.law(library.changeable_ballots())
    found = open_vote(playing)
    playing.game.vote("Ann", "against")
    playing.game.vote("Ann", "for")
    playing.turns()
    assert found.outcome == "adopted"


@pytest.mark.parametrize("system", SYSTEMS)
def test_extra_votes_for(system):
    playing = Playing(system)
    playing.law(library.extra_votes_for("Ben", 3))
    assert weights(playing) == {"Ann": 1, "Ben": 3, "Cleo": 1}


def test_a_majority_by_weight():
    playing = Playing()
    playing.law(library.simple_majority().change(203))
    playing.law(library.extra_votes_for("Ben", 3))
    playing.against = {"Ann", "Cleo"}
    found = open_vote(playing)
    playing.turns()
    assert found.outcome == "adopted"


@pytest.mark.parametrize("system", ["discordian-nomic", "github-nomic"])
def test_votes_for_points(system):
    playing = Playing(system)
    playing.law(library.votes_for_points(2))
    scores = playing.scores
    assert any(scores.values())
    assert weights(playing) == {name: 1 + max(0, points) // 2 for name, points in scores.items()}


@pytest.mark.parametrize("system", ["discordian-nomic", "github-nomic"])
def test_votes_for_the_last(system):
    playing = Playing(system)
    playing.law(library.votes_for_the_last(5))
    scores = playing.scores
    least = min(scores.values())
    assert weights(playing) == {name: 5 if points == least else 1 for name, points in scores.items()}
    assert set(weights(playing).values()) == {1, 5}


@pytest.mark.parametrize("system", SYSTEMS)
def test_proponent_counts_nothing(system):
    playing = Playing(system)
    playing.law(library.proponent_counts_nothing())
    found = open_vote(playing)
    assert found.as_it_stands.vote.weights[found.as_it_stands.proponent] == 0
    assert found.as_it_stands.vote.quota == 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_smaller_electorate(system):
    playing = Playing(system)
    playing.amended("electorate", library.smaller_electorate())
    found = open_vote(playing)
    assert set(found.as_it_stands.vote.electorate) == {"Ann", "Ben", "Cleo"} - {found.as_it_stands.proponent}


def test_quorum_where_nobody_has_to_vote():
    playing = Playing("github-nomic")
    playing.amended("quota", library.majority_of_votes_cast())
    playing.law(library.quorum(2))
    for voters, outcome in ((["Ann"], "defeated"), (["Ann", "Ben"], "adopted")):
        found = open_vote(playing)
        for name in voters:
            playing.game.vote(name, "for")
        for one in [one for one in playing.game.pending if one.action == "agree"]:
            playing.game.agree(one.player)
        playing.game.close_vote(found.as_it_stands.proponent)
        assert found.outcome == outcome
        playing.turns()


def test_quorum_where_everyone_has_to_vote_anyway():
    playing = Playing()
    playing.law(library.quorum(2))
    found = open_vote(playing)
    playing.turns()
    assert found.outcome == "adopted"


@pytest.mark.parametrize("system", SYSTEMS)
def test_whoever_abstains_has_voted_and_counts_for_neither_side(system):
    playing = Playing(system)
    playing.law(library.abstention())
    playing.amended("quota", library.majority_of_votes_cast())
    game, found = playing.game, open_vote(playing)
    for name, ballot in (("Ann", "for"), ("Ben", "abstain"), ("Cleo", "abstain")):
        game.vote(name, ballot)
    assert found.outcome == "adopted"
    playing.turns()
    found = open_vote(playing)
    for name, ballot in (("Ann", "for"), ("Ben", "against"), ("Cleo", "abstain")):
        game.vote(name, ballot)
    assert found.outcome == "defeated"


@pytest.mark.parametrize("system", SYSTEMS)
def test_veto(system):
    playing = Playing(system)
    playing.amended("quota", library.simple_majority())
    playing.amended("adoption", library.veto("Ben"))
    playing.against = {"Ben"}
    found = open_vote(playing)
    playing.turns()
    assert found.outcome == "defeated"
    playing.against = {"Ann"}
    found = open_vote(playing)
    playing.turns()
    assert found.outcome == "adopted"


@pytest.mark.parametrize("system", SYSTEMS)
def test_veto_ballot(system):
    playing = Playing(system)
    playing.amended("quota", library.simple_majority())
    playing.amended("adoption", library.veto_ballot(4))
    found = open_vote(playing)
    voter = found.as_it_stands.vote.electorate[-1]
    before = playing.scores[voter]
    playing.game.vote(voter, "veto", proposal=found.number)
    assert playing.scores[voter] == before - 4
    playing.turns()
    assert found.outcome == "defeated"


@pytest.mark.parametrize("system", SYSTEMS)
def test_proxies(system):
    playing = Playing(system)
    playing.law(library.proxies())
    game = playing.game
    game.take("Cleo", "name a proxy")
    game.choose("Cleo", "Ann")
    found = open_vote(playing)
    game.vote_for_other("Ann", "Cleo: for", proposal=found.number)
    assert found.as_it_stands.vote.proxies == {"Cleo": "Ann"}
    playing.turns()
    assert found.outcome == "adopted"


@pytest.mark.parametrize("system", SYSTEMS)
def test_withdrawal(system):
    playing = Playing(system)
    playing.law(library.withdrawal())
    found = open_vote(playing)
    playing.game.withdraw(found.proponent, found.number)
    assert found.outcome == "lapsed"


@pytest.mark.parametrize("system", SYSTEMS)
def test_veto_of_office(system):
    playing = Playing(system)
    playing.amended("quota", library.simple_majority())
    playing.amended("adoption", library.veto_of_office("herald"))
    playing.against = {"Ben"}
    found = open_vote(playing)
    playing.turns()
    assert found.outcome == "adopted"  # nobody holds the office
    playing.against = set()
    playing.law(library.office("herald", "choice", circuits=100, votes=1))
    held = [playing.holder("herald")]
    playing.against = set(held)
    found = open_vote(playing)
    playing.turns()
    assert found.outcome == "defeated"
    playing.against = {next(name for name in playing.game.players if name not in held)}
    found = open_vote(playing)
    playing.turns()
    assert found.outcome == "adopted"


@pytest.mark.parametrize(
    ("make", "given", "code"),
    [
        (library.fraction_adopts, (3, 2), "figure-out-of-range"),
        (library.fraction_adopts, (0, 2), "figure-out-of-range"),
        (library.fraction_adopts, (1, 0), "figure-out-of-range"),
        (library.quota_by_circuit, (0,), "figure-out-of-range"),
        (library.quota_by_circuit, (1.5,), "figure-out-of-range"),
        (library.extra_votes_for, ("", 2), "label-out-of-form"),
        (library.extra_votes_for, ('Ann" or true', 2), "label-out-of-form"),
        (library.extra_votes_for, ("Ann", -1), "figure-out-of-range"),
        (library.votes_for_points, (0,), "figure-out-of-range"),
        (library.votes_for_the_last, (1,), "figure-out-of-range"),
        (library.quorum, (0,), "figure-out-of-range"),
        (library.quorum, (True,), "figure-out-of-range"),
        (library.veto, ("x" * 41,), "label-out-of-form"),
        (library.veto, (7,), "label-out-of-form"),
        (library.veto_of_office, ("The King",), "word-out-of-form"),
    ],
)
def test_what_they_do_not_take(make, given, code):
    with refused(code, ValueError):
        make(*given)
