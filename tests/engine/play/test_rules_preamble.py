"""What stands before the rules: players, paper, die, clockwise play, the dummy, the cards."""

import pytest
import refusals
from play_helpers import adopt, ballot, defeat, idle, law, majority, put, refused, scores, sit, waiting_for

import nomic_nb as nb

SYSTEM = "discordian-nomic"

DUMMY = """on enacted when rule == this: enter player "D" as dummy
on vote_opened: roll 1 of 6 as face; cast "for" if face >= 4 else "against" for "D\""""


@pytest.mark.rule("discordian-nomic", "P1")
@pytest.mark.parametrize("names", [("Ann", "Ben"), ("Ann", "Ben", "Cleo"), ("Ann", "Ben", "Cleo", "Dov", "Eva")])
def test_two_or_more_can_play(names):
    game = sit(*names)
    seen = []
    for _ in names:
        seen.append(game.player)
        idle(game)
    assert tuple(seen) == names
    assert game.circuit == 2


@pytest.mark.rule("discordian-nomic", "P1")
@pytest.mark.parametrize("names", [(), ("Ann",)])
def test_fewer_than_two_cannot_play(names):
    with refusals.refused("player-count", ValueError):
        nb.new_game(SYSTEM, players=list(names), seed=7)


@pytest.mark.rule("discordian-nomic", "P1")
def test_two_players_of_one_name_are_refused():
    with refusals.refused("name-twice", ValueError, names="Ann, Ann"):
        nb.new_game(SYSTEM, players=["Ann", "Ann"], seed=7)


@pytest.mark.rule("discordian-nomic", "P2")
def test_a_proposal_is_written_down(tmp_path):
    game = sit()
    wording = "Whoever sneezes is owed a blessing."
    adopt(game, nb.enact(wording))
    assert game.proposals[301].wording == wording
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").rules[301].wording == wording


@pytest.mark.rule("discordian-nomic", "P3")
def test_the_rules_can_be_printed_for_each_player():
    game = sit()
    for rule in game.rules:
        printed = str(rule)
        assert rule.wording in printed
        assert rule.title in printed
        assert str(rule.number) in printed
        assert str(rule.number) in str(game.rules)


@pytest.mark.rule("discordian-nomic", "P4")
def test_there_is_one_six_sided_die():
    game = sit(seed=1)
    faces = []
    for _ in range(30):
        defeat(game, nb.enact("No."))
        faces.append(game.roll(game.player))
    assert set(faces) == {1, 2, 3, 4, 5, 6}


@pytest.mark.rule("discordian-nomic", "P4", "P7")
def test_a_face_the_die_does_not_have_is_refused():
    game = sit()
    adopt(game, nb.enact("Fine."))
    for face in (0, 7, -1):
        with refused(game, "throw-out-of-range", found=str(face)) as caught:
            game.roll("Ann", face)
        assert "Ann: roll" in caught.value.options


@pytest.mark.rule("discordian-nomic", "P5")
def test_snacks_are_free():
    game = sit()
    rules, points, pending = list(game.rules), scores(game), str(game.pending)
    game.act("Cleo", "passes the snacks")
    assert list(game.rules) == rules
    assert scores(game) == points
    assert str(game.pending) == pending
    assert "passes the snacks" in game.history.iloc[-1]["what"]


@pytest.mark.rule("discordian-nomic", "P6")
def test_play_passes_clockwise():
    game = sit("Cleo", "Ann", "Ben")
    order = []
    for _ in range(7):
        order.append(game.player)
        idle(game)
    assert order == ["Cleo", "Ann", "Ben", "Cleo", "Ann", "Ben", "Cleo"]


@pytest.mark.rule("discordian-nomic", "P7")
def test_the_die_is_adjusted_by_the_rules():
    game = sit()
    law(game, "set throw.points to face * 2 while face % 2 == 0", face=4)
    idle(game, face=3)
    assert scores(game) == {"Ann": 8, "Ben": 3, "Cleo": 0}


@pytest.mark.rule("discordian-nomic", "P7")
def test_a_throw_is_what_it_was_even_where_it_counts_for_nothing():
    game = sit()
    law(game, "set throw.points to 0 while face == 6")
    adopt(game, nb.enact("Fine."))
    assert game.roll("Ben", 6) == 6
    assert scores(game)["Ben"] == 0


@pytest.mark.rule("discordian-nomic", "P8")
def test_there_is_no_dummy_at_the_start():
    assert tuple(sit("Ann", "Ben").players) == ("Ann", "Ben")


@pytest.mark.rule("discordian-nomic", "P8")
def test_a_dummy_comes_by_an_adopted_rule_and_votes_by_the_die():
    game = sit("Ann", "Ben", seed=3)
    law(game, DUMMY)
    ballots = []
    for _ in range(8):
        proposal = put(game, nb.enact("Another."))
        ballots.append(proposal.ballots["D"])
        assert (proposal.outcome == "adopted") == (ballots[-1] == "for")
        game.roll(game.player, 1)
    assert set(ballots) == {"for", "against"}


@pytest.mark.rule("discordian-nomic", "P8")
def test_a_defeated_rule_brings_no_dummy():
    game = sit("Ann", "Ben")
    defeat(game, nb.enact("A dummy.", law=DUMMY))
    assert "D" not in game.players


@pytest.mark.rule("discordian-nomic", "P8")
def test_a_dummy_can_do_nothing_of_its_own():
    game = sit("Ann", "Ben")
    law(game, DUMMY)
    with refused(game, "is-dummy"):
        game.propose("D", nb.enact("I, too."))
    game.propose("Ben", nb.enact("Another."))
    with refused(game, "is-dummy"):
        game.vote("D", "against")
    assert waiting_for(game, "vote") == ["Ann", "Ben"]


@pytest.mark.rule("discordian-nomic", "P8")
def test_a_dummy_cannot_win():
    game = sit("Ann", "Ben", terms={"win.points": 30})
    law(game, DUMMY + '\non adopted: award 50 points to "D"')
    law_is_adopted = False
    for _ in range(12):
        proposal = put(game, nb.enact("Another."))
        law_is_adopted |= proposal.outcome == "adopted"
        game.roll(game.player, 1)
    assert law_is_adopted
    assert scores(game)["D"] >= 50
    assert not game.over


@pytest.mark.rule("discordian-nomic", "P9")
def test_the_cards_lie_in_two_rows():
    game = sit()
    rows = game.rules.rules_by_tier()
    assert [rule.number for rule in rows["immutable"]] == list(range(101, 117))
    assert [rule.number for rule in rows["mutable"]] == list(range(201, 214))
    idle(game)
    assert [rule.number for rule in game.rules.rules_by_tier()["mutable"]] == [*range(201, 214), 301]
    adopt(game, nb.transmute(116))
    rows = game.rules.rules_by_tier()
    assert 116 not in [rule.number for rule in rows["immutable"]]
    assert 302 in [rule.number for rule in rows["mutable"]]


@pytest.mark.rule("discordian-nomic", "P9")
def test_the_cards_say_which_row_they_belong_to():
    frame = sit().rules.frame
    assert frame.loc[101, "tier"] == "immutable"
    assert frame.loc[213, "tier"] == "mutable"
    assert (frame["tier"] == "immutable").sum() == 16
    assert (frame["tier"] == "mutable").sum() == 13


@pytest.mark.rule("discordian-nomic", "P8", 105)
def test_a_dummy_counts_among_the_voters():
    game = sit("Ann", "Ben", seed=3)
    majority(game)
    law(game, DUMMY)
    proposal = game.propose("Ann", nb.enact("Another."))
    assert proposal.tally.eligible == 3
    assert proposal.tally.quota == 2
    ballot(game)
    assert waiting_for(game, "roll") == ["Ann"]
