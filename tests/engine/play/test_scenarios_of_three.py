"""Examples of play in the three points games, each with its id in the name."""

from fractions import Fraction
from importlib.resources import files

import pytest
from beginnings import new_game
from github_helpers import numbers, turn, two_turns_each, vote
from play_helpers import (
    adopt,
    ballot,
    by_hand,
    defeat,
    idle,
    law,
    majority,
    put,
    refused,
    scores,
    waiting_for,
)
from play_helpers import turn as round_turn

import nomic_nb as nb

AT_TABLE = ("discordian-nomic", "cabinet-nomic")
ALL = (*AT_TABLE, "github-nomic")
GITHUB = "github-nomic"
CABINET = "cabinet-nomic"
DUMMY = """on enacted when rule == this: enter player "D" as dummy
on vote_opened: roll 1 of 6 as face; cast "for" if face >= 4 else "against" for "D\""""


def sit(system, *players, seed=7, **more):
    return new_game(system, players or ("Ann", "Ben", "Cleo"), seed=seed, **more)


# A


@pytest.mark.rule("cabinet-nomic", 101)
@pytest.mark.rule("github-nomic", -216)
@pytest.mark.parametrize(("system", "immutable", "mutable"), [(CABINET, 16, 13), (GITHUB, 16, 12)])
def test_a1_how_many_rules_there_are(system, immutable, mutable):
    game = sit(system)
    assert (len(numbers(game, "immutable")), len(numbers(game, "mutable"))) == (immutable, mutable)


@pytest.mark.rule("cabinet-nomic", 101)
def test_a3_thirteen_with_an_erratum_or_three():
    game = sit(CABINET)
    assert len(numbers(game, "mutable")) == 13
    assert any("erratum" in note.lower() and "203" in note for note in game.rules[101].notes)
    assert numbers(sit(CABINET, terms={"strict_101": True}), "mutable") == [201, 202, 203]


# B


@pytest.mark.rule("cabinet-nomic", 108)
def test_b1_numbers_of_three_proposals():
    game = sit(CABINET)
    outcomes = [round_turn(game, nb.enact("More."), against).outcome for against in (("Ben",), ("Ann",), ())]
    assert outcomes == ["defeated", "defeated", "adopted"]
    assert list(game.proposals.frame.index) == [301, 302, 303]
    assert game.rules[303].tier == "mutable"


@pytest.mark.rule("cabinet-nomic", 108)
def test_b3_a_rule_amended_twice():
    game = sit(CABINET)
    clauses = game.rules[209].law
    round_turn(game, nb.amend(209, "Still twenty-five.", law=clauses))
    round_turn(game, nb.amend(301, "Twenty-five it is.", law=clauses))
    assert game.rules[302].wording == "Twenty-five it is."
    assert 301 not in game.rules


@pytest.mark.rule("cabinet-nomic", 103, 108)
def test_b5_an_improper_proposal_takes_no_number():
    game = sit(CABINET)
    with refused(game, "not-proposable", rule=103):
        game.propose("Ann", nb.amend(112, "Cake wins."))
    assert waiting_for(game, "propose") == ["Ann"]
    assert adopt(game, nb.enact("Proper.")).number == 301


@pytest.mark.rule("github-nomic", -208)
def test_b7_opening_up_needs_everybody_after_the_switch():
    game = sit(GITHUB)
    number = two_turns_each(game)
    assert turn(game, "Ann", number, nb.transmute(-205), against=("Cleo",)).outcome == "defeated"
    assert game.rules[-205].tier == "immutable"


@pytest.mark.rule("cabinet-nomic", 110)
@pytest.mark.rule("github-nomic", -208)
@pytest.mark.parametrize("system", [CABINET, GITHUB])
def test_b9_no_transmutation_by_the_way(system):
    game = sit(system)
    change = nb.enact("Points are blue. This also makes the right to vote mutable.")
    if system == GITHUB:
        turn(game, "Ann", 1, change)
    else:
        adopt(game, change)
    assert game.rules[-212 if system == GITHUB else 105].tier == "immutable"


@pytest.mark.rule("cabinet-nomic", 107)
def test_b11_nothing_is_retroactive():
    game = sit(CABINET)
    idle(game, face=6)
    law(
        game,
        "set throw.points to 5 while face == 6\nprevails over 202",
        "From the start of the game, every 6 ever rolled gives 5.",
        face=2,
    )
    assert scores(game) == {"Ann": 6, "Ben": 2, "Cleo": 0}
    idle(game, face=6)
    assert scores(game)["Cleo"] == 5


@pytest.mark.rule("cabinet-nomic", 209)
def test_b13_twelve_more_fit():
    game = sit(CABINET, terms={"win.points": 1000})
    outcomes = [round_turn(game, nb.enact(f"Number {n}.")).outcome for n in range(13)]
    assert outcomes == ["adopted"] * 12 + ["without effect"]


@pytest.mark.rule("github-nomic", -104)
def test_b13_thirteen_more_fit():
    game = sit(GITHUB, terms={"win.points": 10000})
    outcomes = [turn(game, game.players[n % 3], n).outcome for n in range(1, 15)]
    assert outcomes == ["adopted"] * 13 + ["without effect"]


@pytest.mark.rule("cabinet-nomic", 115, 203)
def test_b15_203_is_amended_by_a_vote_under_203():
    game = sit(CABINET)
    proposal = adopt(game, nb.amend(203, "Two.", law="set vote.quota to 2"))
    assert proposal.tally.quota == 3
    game.roll("Ann", 1)
    assert game.propose("Ben", nb.enact("More.")).tally.quota == 2


@pytest.mark.rule("cabinet-nomic", 211)
def test_b19_a_claim_beats_the_lower_number():
    game = sit(CABINET)
    for _ in range(4):
        idle(game)
    assert law(game, "set vote.weight to 2") == 305
    assert game.law["vote.weight"].rule == 207
    round_turn(game, nb.amend(305, law="set vote.weight to 2\nprevails over 207"))
    assert game.law["vote.weight"].rule == 306


@pytest.mark.rule("cabinet-nomic", 211, 108)
def test_b19_both_claim_so_the_number_decides():
    game = sit(CABINET)
    for _ in range(4):
        idle(game)
    assert law(game, "set vote.weight to 2\nprevails over 207") == 305
    idle(game)
    round_turn(game, nb.amend(207, law="set vote.weight to 1\nprevails over 305"))
    assert game.rules[307].all_versions[0].number == 207
    assert game.law["vote.weight"].rule == 305


def stuck_says(game, player, number, claim="", who="item(seats, 1)"):
    """Adopt a rule on who wins when play cannot go on."""
    clauses = f"set win.when_stuck to [{who}]" + (f"\n{claim}" if claim else "")
    return turn(game, player, number, nb.enact("Who wins then.", law=clauses))


@pytest.mark.rule("github-nomic", -103)
def test_b21_new_rules_lose_to_initial_ones_and_among_themselves_by_number():
    game = sit(GITHUB)
    turn(game, "Ann", 9, nb.enact("Ten.", law="set dice.sides to 10"))
    turn(game, "Ben", 5, nb.enact("Eight.", law="set dice.sides to 8"))
    assert game.law["dice.sides"].rule == 5  # lower, though later
    turn(game, "Cleo", 3, nb.enact("Fewer.", law="set win.points to 150\nset vote.weight to 2"))
    assert game.law["win.points"].rule == -105
    assert game.law["vote.weight"].rule == -106


def page(tmp_path, system, *changes):
    """A rule file like that of a system, with some lines changed, as a teacher would write it."""
    text = files("nomic_nb.engine.rulesets").joinpath(f"{system}.md").read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = tmp_path / "own.md"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.rule("github-nomic", -103)
def test_b21_below_zero_lower_is_further_from_zero(tmp_path):
    first, second = "set turn.overlap to true\n", "set win.when_stuck to [first_unable]\n"  # in -112 and in -101
    own = page(tmp_path, GITHUB, (first, f"{first}set dice.sides to 4\n"), (second, f"{second}set dice.sides to 8\n"))
    game = nb.new_game(own, ["Ann", "Ben"], seed=7)
    finding = game.law["dice.sides"]
    assert (finding.rule, finding.value) == (-112, 4)
    assert [one.source.rule.number for one in finding.defeated] == [-101]


@pytest.mark.rule("github-nomic", -103, -101)
def test_b21_a_new_rule_loses_to_an_initial_one_that_claims_or_not():
    game = sit(GITHUB)
    stuck_says(game, "Ann", 7)
    assert game.law["win.when_stuck"].rule == -101
    stuck_says(game, "Ben", 8, "prevails over -101")  # both claim, so the number decides
    assert game.law["win.when_stuck"].rule == -101


@pytest.mark.rule("github-nomic", -103, -209)
def test_b21_an_explicit_claim_and_then_a_mutual_one():
    game = sit(GITHUB)
    turn(game, "Ann", 7, nb.enact("Fewer.", law="set win.points to 150\nprevails over -105"))
    assert game.law["win.points"].rule == 7
    turn(game, "Ben", 9, nb.amend(-105, law="set win.points to 200\nprevails over 7"))
    assert game.law["win.points"].rule == 7  # both claim, and 7 is lower than 9
    turn(game, "Cleo", 12, nb.amend(7, law="set win.points to 150\nprevails over 9"))
    assert game.law["win.points"].rule == 9  # both claim, and 9 is lower than 12


@pytest.mark.rule("discordian-nomic", 211)
@pytest.mark.rule("cabinet-nomic", 211)
@pytest.mark.parametrize("system", AT_TABLE)
def test_who_claims_is_named_in_the_explanation(system):
    game = sit(system)
    law(game, "set win.points to 50")
    law(game, "set win.points to 60\nprevails over 208")
    [reason] = [one.reason for one in game.law["win.points"].defeated if one.source.rule.number == 208]
    assert "302" in reason  # 301 claims nothing
    assert "301 claims" not in reason


@pytest.mark.parametrize("system", ALL)
def test_defeated_is_not_void(system):
    game = sit(system)
    clauses = (
        'set win.points to 50\nset score.half to "even"'
        if system == GITHUB
        else "set win.points to 50\nset dice.sides to 20"
    )
    key, value = ("score.half", "even") if system == GITHUB else ("dice.sides", 20)
    if system == GITHUB:
        number = turn(game, "Ann", 1, nb.enact("Two things.", law=clauses)).number
    else:
        number = law(game, clauses)
    assert game.law["win.points"].value != 50  # defeated on this
    assert game.law[key].value == value  # and in force on that
    assert not game.rules.void_reason(game.rules[number])
    assert not game.rules.frame.loc[number, "void"]


@pytest.mark.rule("discordian-nomic", 108, 211)
@pytest.mark.rule("cabinet-nomic", 108, 211)
@pytest.mark.parametrize("system", AT_TABLE)
def test_an_amendment_costs_a_rule_its_rank(system):
    game = sit(system)
    law(game, "set win.points to 50")
    assert game.law["win.points"].value == 100
    round_turn(game, nb.amend(208, "A hundred points win."))
    assert game.rules[302].all_versions[0].number == 208
    assert (game.law["win.points"].value, game.law["win.points"].rule) == (50, 301)


@pytest.mark.rule("github-nomic", -103, -209)
def test_an_amendment_costs_an_initial_rule_its_rank():
    game = sit(GITHUB)
    turn(game, "Ann", 1, nb.enact("Fewer.", law="set win.points to 150"))
    assert game.law["win.points"].value == 200
    turn(game, "Ben", 2, nb.amend(-105, "Two hundred points win."))
    assert (game.law["win.points"].value, game.law["win.points"].rule) == (150, 1)


@pytest.mark.rule("discordian-nomic", 211)
@pytest.mark.rule("cabinet-nomic", 211)
@pytest.mark.parametrize("system", AT_TABLE)
@pytest.mark.parametrize("order", ["highest number", "newest"])
def test_precedence_itself_is_amended_and_play_follows(system, order):
    game = sit(system)
    law(game, "set dice.sides to 8")
    law(game, "set dice.sides to 10")
    adopt(game, nb.amend(211, "The other way round.", law=f'set precedence.by to ["{order}"]'))
    assert game.law["dice.sides"].value == 10
    assert game.roll("Cleo", 10) == 10


@pytest.mark.rule("github-nomic", -103)
def test_precedence_itself_is_amended_and_the_next_step_follows():
    game = sit(GITHUB, "Ann", "Ben", "Cleo", "Dov")
    turn(game, "Ann", 1, nb.enact("Even.", law='set score.half to "even"'))
    turn(game, "Ben", 2, nb.enact("Down.", law='set score.half to "down"'))
    assert game.law["score.half"].value == "even"
    turn(game, "Cleo", 3, nb.amend(-103, "The highest number.", law='set precedence.by to ["highest number"]'))
    assert game.law["score.half"].value == "down"
    before = scores(game)["Dov"]
    turn(game, "Dov", 21, against=("Ann",))  # 22.5
    assert scores(game)["Dov"] == before + 22 - 10
    game.begin_turn("Ann")
    turn(game, "Ben", 25, against=("Cleo",))  # 25.5: even would be 26
    entries = [entry.amount for entry in game.ledger if entry.player == "Ben"]
    assert entries[-1] == 25


@pytest.mark.rule("github-nomic", -103)
def test_without_an_order_a_conflict_is_a_question():
    game = sit(GITHUB)
    turn(game, "Ann", 1, nb.enact("Fewer.", law="set win.points to 150"))
    turn(game, "Ben", 2, nb.repeal(-103))
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    assert all("win.points" in decision.prompt for decision in game.pending)


@pytest.mark.rule("cabinet-nomic", 110, 112)
def test_b23_the_kind_of_victory_stays():
    game = sit(CABINET)
    law(game, 'set win.winners to [p for p in playing if p.name == "Ann"]', "Whoever made most rules wins.")
    assert not game.over
    reason = game.rules.void_reason(game.rules[301])
    assert "110" in reason
    assert "112" in reason
    assert round_turn(game, nb.amend(208, "Fifty.", law="set win.points to 50")).outcome == "adopted"
    assert game.law["win.points"].value == 50


@pytest.mark.rule("github-nomic", -205, -207)
def test_b23_the_kind_of_victory_stays_on_github():
    game = sit(GITHUB)
    clauses = 'set win.winners to [p for p in playing if p.name == "Ann"]'
    turn(game, "Ann", 1, nb.enact("Whoever made most rules wins.", law=clauses))
    assert not game.over
    reason = game.rules.void_reason(game.rules[1])
    assert "-207" in reason
    assert "-205" in reason
    turn(game, "Ben", 2, nb.amend(-105, "Fifty.", law="set win.points to 50"))
    assert game.law["win.points"].value == 50


@pytest.mark.rule("cabinet-nomic", 104, 109)
def test_b25_without_203_the_next_ordinary_vote_asks():
    game = sit(CABINET)
    round_turn(game, nb.repeal(203))
    game.propose("Ben", nb.enact("More."))
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    for player in game.players:
        game.choose(player, "2")
    ballot(game, against=("Cleo",))
    assert game.proposals[302].outcome == "adopted"
    game.roll("Ben", 1)
    proposal = put(game, nb.transmute(116), against=("Ben",))
    assert (proposal.tally.quota, proposal.outcome) == (3, "defeated")


@pytest.mark.rule("github-nomic", -213, -208)
def test_b25_without_110_the_next_ordinary_vote_asks():
    game = sit(GITHUB)
    turn(game, "Ann", 1, nb.repeal(-110))
    game.begin_turn("Ben")
    game.propose("Ben", nb.enact("More."), 2)
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    for player in game.players:
        game.choose(player, "2")
    assert vote(game, 2, against=("Cleo",)).outcome == "adopted"
    proposal = turn(game, "Cleo", 3, nb.transmute(-205), against=("Ben",))
    assert (proposal.tally.quota, proposal.outcome) == (3, "defeated")


# C, Game Cabinet


@pytest.mark.rule("cabinet-nomic", 202)
def test_c1_an_adoption_and_a_four():
    game = sit(CABINET, "Ann", "Ben")
    round_turn(game, nb.enact("More."), face=4)
    assert scores(game) == {"Ann": 4, "Ben": 0}
    assert game.player == "Ben"


@pytest.mark.rule("cabinet-nomic", 203)
@pytest.mark.parametrize("circuits", [2, 10])
def test_c3_unanimity_stays(circuits):
    game = sit(CABINET, "Ann", "Ben", terms={"win.points": 1000})
    while game.circuit <= circuits:
        defeat(game, nb.enact("No."))
        game.roll(game.player, 1)
    assert game.law["vote.quota"].value == 2


@pytest.mark.rule("cabinet-nomic", 204, 205)
def test_c5_the_vote_that_ends_the_bonus_still_pays_it():
    game = sit(CABINET)
    majority(game)
    round_turn(game, nb.repeal(204), against=("Cleo",))
    assert scores(game)["Cleo"] == 10
    round_turn(game, nb.enact("More."), against=("Ann",))
    assert scores(game)["Ann"] == 1


@pytest.mark.rule("cabinet-nomic", 208, 204)
def test_c7_dissent_wins_in_another_players_turn():
    game = sit(CABINET)
    majority(game)
    law(game, "set throw.points to 95 while face == 5\nprevails over 202", face=5)
    idle(game)
    put(game, nb.enact("More."), against=("Ben",))
    assert scores(game)["Ben"] == 105
    assert game.winner == "Ben"
    assert waiting_for(game, "roll") == []
    assert scores(game)["Ann"] == 1


@pytest.mark.rule("cabinet-nomic", 208)
def test_c9_more_than_enough_is_enough():
    game = sit(CABINET, "Ann", "Ben")
    law(game, "set throw.points to 97 while face == 1\nprevails over 202", face=1)
    idle(game, face=2)
    adopt(game, nb.enact("More."))
    game.roll("Ann", 6)
    assert scores(game)["Ann"] == 103
    assert game.winner == "Ann"


@pytest.mark.rule("cabinet-nomic", 112)
def test_c9_exactly_enough_can_be_made_the_law():
    game = sit(CABINET, "Ann", "Ben")
    round_turn(game, nb.transmute(112))
    clauses = "set win.winners to [p for p in playing if p.points == win.points]"
    round_turn(game, nb.amend(301, "Exactly n.", law=clauses))
    law(game, 'on enacted when rule == this: award 96 points to "Ann"')
    assert scores(game)["Ann"] == 98
    idle(game)
    round_turn(game, nb.enact("More."), face=6)
    assert scores(game)["Ann"] == 104
    assert not game.over


@pytest.mark.rule("cabinet-nomic", 201)
def test_c11_nobody_is_skipped_and_no_throw_left_out():
    game = sit(CABINET)
    adopt(game, nb.enact("More."))
    with refused(game, "no-skipping", rule=201, opens="Ann: roll"):
        game.skip("Ann")
    with refused(game, "turns-end-by-themselves", opens="Ann: roll"):
        game.end_turn("Ann")
    game.roll("Ann", 1)
    with refused(game, "turn-of-another", opens="Ben: propose"):
        game.propose("Cleo", nb.enact("Ben sleeps."))


@pytest.mark.rule("cabinet-nomic", 202, 205)
def test_c13_sixes_count_zero_at_once_if_202_gives_way():
    game = sit(CABINET)
    law(game, "set throw.points to 0 while face == 6\nprevails over 202", "Sixes count zero.", face=6)
    assert scores(game)["Ann"] == 0
    idle(game, face=5)
    assert scores(game)["Ben"] == 5


# D, Game Cabinet


@pytest.mark.rule("cabinet-nomic", 105, 201)
def test_d1_a_dummy_has_no_turn():
    game = sit(CABINET, "Ann", "Ben")
    law(game, DUMMY)
    order = []
    for _ in range(5):
        order.append(game.player)
        put(game, nb.enact("More."))
        game.roll(game.player, 1)
    assert order == ["Ben", "Ann", "Ben", "Ann", "Ben"]


@pytest.mark.rule("cabinet-nomic", 204)
def test_d3_the_dummy_tips_the_scales():
    outcomes = set()
    for seed in range(12):
        game = sit(CABINET, "Ann", "Ben", seed=seed)
        majority(game)
        law(game, DUMMY)
        before = scores(game)["Ben"]
        proposal = put(game, nb.enact("More."), against=("Ben",))
        yes = proposal.ballots["D"] == "for"
        assert proposal.outcome == ("adopted" if yes else "defeated")
        assert scores(game)["Ben"] - before == (10 if yes else 0)
        outcomes.add(proposal.outcome)
    assert outcomes == {"adopted", "defeated"}


# E


@pytest.mark.rule("github-nomic", -111)
@pytest.mark.parametrize(
    ("number", "in_favour", "voters", "score"),
    [
        (1, 3, 3, 10), (1, 0, 3, 0), (1, 1, 3, 3), (1, 2, 3, 7),  # E1
        (7, 2, 3, 11), (10, 3, 5, 11), (17, 5, 6, 22), (12, 2, 3, 14),  # E5
    ],
)  # fmt: skip
def test_e1_e5_what_a_proposal_scores(number, in_favour, voters, score):
    names = ["Ann", "Ben", "Cleo", "Dov", "Eva", "Fay"][:voters]
    game = sit(GITHUB, *names)
    proposal = turn(game, "Ann", number, against=names[in_favour:])
    [entry] = [one for one in game.ledger if one.rule == -111]
    assert (entry.player, entry.amount) == ("Ann", score)
    penalty = 0 if proposal.outcome == "adopted" else -10
    assert scores(game)["Ann"] == score + penalty


@pytest.mark.rule("github-nomic", -111, -107)
@pytest.mark.parametrize(("half", "total"), [(None, 1), ("even", 0), ("down", 0)])
def test_e3_a_score_that_lies_half_way(half, total):
    game = sit(GITHUB, "Ann", "Ben", "Cleo", "Dov", terms={"score.half": half} if half else None)
    proposal = turn(game, "Ann", 5, against=("Dov",))
    assert proposal.outcome == "defeated"
    assert scores(game)["Ann"] == total
    [counted] = [data for data in game.history["data"] if "exact" in data]
    assert (counted["exact"], counted["tie"]) == ("21/2", True)


@pytest.mark.rule("github-nomic", -111)
def test_e3_where_no_rule_says_how_a_half_is_rounded_the_table_is_asked(tmp_path):
    own = page(tmp_path, GITHUB, ('```law\nset score.half to "up"\n```\n', ""))
    game = nb.new_game(own, ["Ann", "Ben", "Cleo", "Dov"], seed=7)
    turn(game, "Ben", 5, against=("Dov",))
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo", "Dov"]
    agree(game, '"even"')
    assert scores(game)["Ben"] == 10 - 10


@pytest.mark.rule("github-nomic", -111)
@pytest.mark.parametrize(
    ("number", "in_favour", "voters", "exact", "tie"),
    [(10, 3, 5, Fraction(57, 5), False), (41, 3, 4, Fraction(75, 2), True), (7, 2, 3, Fraction(32, 3), False)],
)
def test_e7_sums_are_exact(number, in_favour, voters, exact, tie):
    names = ["Ann", "Ben", "Cleo", "Dov", "Eva"][:voters]
    game = sit(GITHUB, *names)
    turn(game, "Ann", number, against=names[in_favour:])
    [counted] = [data for data in game.history["data"] if "exact" in data]
    assert counted["exact"] == str(exact)
    assert counted.get("tie", False) is tie


@pytest.mark.rule("github-nomic", -110)
def test_e9_the_switch_comes_with_the_last_second_turn():
    game = sit(GITHUB)
    for number, player in enumerate(("Ann", "Ben", "Cleo", "Ann", "Ben"), 1):
        turn(game, player, number)
    assert game.law["vote.quota"].value == 3
    turn(game, "Cleo", 6)
    assert game.law["vote.quota"].value == 2
    rule = game.rules[-110]
    assert rule.how == "automatic"
    assert "vote.quota to majority" in rule.law
    versions = game.rules.versions
    assert list(versions[versions["id"] == rule.id]["how"]) == ["initial", "automatic"]


@pytest.mark.rule("github-nomic", -110, -209)
def test_e11_an_amended_rule_does_not_switch():
    game = sit(GITHUB)
    turn(game, "Ann", 1)
    turn(game, "Ben", 2)
    turn(game, "Cleo", 3, nb.amend(-110, "All must agree, all the same.", law=game.rules[-110].law))
    number = two_turns_each(game, first=4)
    assert game.law["vote.quota"].value == 3
    assert game.law["vote.quota"].rule == 3
    assert game.rules[3].how == "amended"
    assert turn(game, "Ann", number, against=("Ben",)).outcome == "defeated"


@pytest.mark.rule("github-nomic", -110)
def test_e13_when_voting_may_be_ended():
    game = sit(GITHUB, "Ann", "Ben", "Cleo", "Dov", "Eva")
    number = two_turns_each(game)
    game.begin_turn("Ann")
    proposal = game.propose("Ann", nb.enact("More."), number)
    for player in ("Ann", "Ben", "Cleo"):
        game.vote(player, "for")
    game.close_vote("Ann")
    assert proposal.outcome == "adopted"
    game.begin_turn("Ann")
    proposal = game.propose("Ann", nb.enact("Even more."), number + 1)
    for player, answer in (("Ann", "for"), ("Ben", "for"), ("Cleo", "against"), ("Dov", "against")):
        game.vote(player, answer)
    with refused(game, "not-allowed", rule=-110, opens="Eva: vote"):
        game.close_vote("Ann")
    game.vote("Eva", "against")
    assert proposal.outcome == "defeated"


@pytest.mark.rule("github-nomic", -109)
def test_e15_each_dissenter_is_paid():
    game = sit(GITHUB, "Ann", "Ben", "Cleo", "Dov", "Eva")
    number = two_turns_each(game)
    before = scores(game)
    assert turn(game, "Ann", number, against=("Dov", "Eva")).outcome == "adopted"
    gains = {name: points - before[name] for name, points in scores(game).items()}
    assert {name: gains[name] for name in ("Ben", "Cleo", "Dov", "Eva")} == {"Ben": 0, "Cleo": 0, "Dov": 10, "Eva": 10}


def two_on_one_rule(first=None):
    """Ann's 8 and Ben's 9 are open together; 8 is adopted, and 9 was about the same rule."""
    game = sit(GITHUB)
    game.begin_turn("Ann")
    game.propose("Ann", first or nb.repeal(-104), 8)
    game.begin_turn("Ben")
    game.propose("Ben", nb.amend(-104, "Thirty.", law=game.rules[-104].law.replace("25", "30")), 9)
    game.vote("Cleo", "for", proposal=9)
    vote(game, 8)
    assert game.proposals[8].outcome == "adopted"
    return game


def agree(game, answer):
    for player in waiting_for(game, "choose"):
        game.choose(player, answer)


@pytest.mark.rule("github-nomic", -112)
def test_e17_a_proposal_whose_rule_is_gone_is_flagged_and_the_table_is_asked():
    game = two_on_one_rule()
    assert game.proposals[9].outcome == "open"
    assert "-104" in str(game.proposals.frame.loc[9, "note"])
    assert "stale" in list(game.history["kind"])
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    with refused(game, "question-open", opens="choose"):
        game.vote("Ann", "for", proposal=9)


@pytest.mark.rule("github-nomic", -112)
def test_e17_it_lapses_if_the_table_says_so():
    game = two_on_one_rule()
    before = scores(game)["Ben"]
    agree(game, '"lapse"')
    assert game.proposals[9].outcome == "lapsed"
    assert scores(game)["Ben"] == before
    assert not game.over
    assert game.pending


@pytest.mark.rule("github-nomic", -112)
def test_e17_the_vote_goes_on_if_the_table_says_so():
    game = two_on_one_rule()
    agree(game, '"stand"')
    vote(game, 9)
    assert game.proposals[9].outcome == "without effect"
    assert 9 not in game.rules
    assert -104 not in game.rules


@pytest.mark.rule("github-nomic", -112)
def test_e17_it_follows_the_rule_to_its_new_number():
    game = two_on_one_rule(nb.amend(-104, "Twenty-five, as ever."))
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    agree(game, '"retarget"')
    vote(game, 9)
    assert game.proposals[9].outcome == "adopted"
    assert game.rules[9].wording == "Thirty."
    assert [version.number for version in game.rules[9].all_versions] == [-104, 8, 9]


@pytest.mark.rule("github-nomic", -112)
def test_e17_a_defeated_rival_leaves_nothing_stale():
    game = sit(GITHUB)
    game.begin_turn("Ann")
    game.propose("Ann", nb.repeal(-104), 8)
    game.begin_turn("Ben")
    game.propose("Ben", nb.amend(-104, "Thirty."), 9)
    vote(game, 8, against=("Cleo",))
    assert waiting_for(game, "choose") == []
    assert "stale" not in list(game.history["kind"])
    assert vote(game, 9).outcome == "adopted"


@pytest.mark.rule("github-nomic", -112)
def test_e17_a_rule_can_say_what_becomes_of_it():
    game = sit(GITHUB)
    turn(game, "Cleo", 1, nb.enact("What is overtaken lapses.", law='set proposal.when_stale to "lapse"'))
    game.begin_turn("Ann")
    game.propose("Ann", nb.repeal(-104), 8)
    game.begin_turn("Ben")
    game.propose("Ben", nb.amend(-104, "Thirty."), 9)
    vote(game, 8)
    assert waiting_for(game, "choose") == []
    assert game.proposals[9].outcome == "lapsed"


@pytest.mark.rule("github-nomic", -209, -103)
def test_e19_an_amended_rule_ranks_behind_the_initial_ones():
    game = sit(GITHUB)
    turn(game, "Ann", 7, nb.amend(-105, law="set win.points to 200\nset defeat.points to -50"))
    assert -105 not in game.rules
    assert game.rules[7].all_versions[0].number == -105
    assert game.law["win.points"].rule == 7
    assert game.law["defeat.points"].rule == -107


@pytest.mark.rule("github-nomic", -105, -107, -111)
def test_e21_the_penalty_comes_before_the_score():
    game = sit(GITHUB, "Ann", "Ben", "Cleo", "Dov")
    clauses = 'on enacted when rule == this: award 195 points to "Ann"'
    turn(game, "Ben", 1, nb.enact("For Ann.", law=clauses))
    assert scores(game)["Ann"] == 195
    turn(game, "Ann", 5, against=("Dov",))
    assert [entry.now for entry in game.ledger if entry.player == "Ann"] == [195, 185, 196]
    assert not game.over


@pytest.mark.rule("github-nomic", -110, -212)
def test_e23_silence_is_not_unanimity():
    game = sit(GITHUB, "Ann", "Ben", "Cleo", "Dov")
    proposal = turn(game, "Ann", 1, silent=("Dov",))
    assert proposal.tally.not_voted == ("Dov",)
    assert (proposal.tally.votes_for, proposal.tally.quota) == (3, 4)
    assert proposal.outcome == "defeated"


@pytest.mark.rule("github-nomic", -105, -111)
def test_three_who_adopt_everything_in_rotation():
    game = sit(GITHUB)
    for number in range(1, 27):
        assert not game.over
        change = nb.enact("So be it.") if number % 2 else nb.repeal(number - 1)
        assert turn(game, game.players[(number - 1) % 3], number, change).outcome == "adopted"
    assert game.winner == "Ben"
    assert scores(game) == {"Ann": 198, "Ben": 207, "Cleo": 180}


# I


def a_lively_github_game(seed=21):
    game = sit(GITHUB, seed=seed, terms={"win.points": 10000})
    turn(
        game,
        "Ann",
        2,
        nb.enact("Dice, too.", law='on said when text == "luck": roll 1 of 6 as face; award face points to player'),
    )
    game.say("Cleo", "luck")
    game.begin_turn("Ben")
    game.propose("Ben", nb.amend(-104, "Thirty.", law=game.rules[-104].law.replace("25", "30")), 5, debate=True)
    game.begin_turn("Cleo")
    game.propose("Cleo", nb.amend(-104, "Forty."), 6)
    game.revise("Ben", nb.amend(-104, "Thirty-one.", law=game.rules[-104].law.replace("25", "31")))
    vote(game, 6)
    agree(game, '"retarget"')
    game.call_vote("Ben")
    vote(game, 5, silent=("Ann",))
    game.begin_turn("Ann")
    game.invoke_judgment("Ben", "Was that fair?")
    game.choose("Ann", "Cleo")
    game.rule_on("Cleo", "It was.", rests_on=[-104] if -104 in game.rules else [-103], orders='award 3 points to "Ben"')
    while voters := waiting_for(game, "overrule"):
        game.overrule(voters[0], "against")
    agree(game, "yes")
    game.consent("Ann")
    game.consent("Cleo")
    game.propose("Ann", nb.transmute(-204), 9)
    vote(game, 9)
    game.forfeit("Cleo")
    return game


def a_lively_cabinet_game():
    game = sit(CABINET, seed=21, terms={"win.points": 1000})
    majority(game)
    law(game, DUMMY)
    game.propose("Cleo", nb.enact("Hm."), debate=True)
    game.revise("Cleo", nb.enact("A bigger die.", law="set dice.sides to 12\nprevails over everything"))
    game.call_vote("Cleo")
    ballot(game, against=("Ben",))
    game.roll("Cleo")
    game.invoke_judgment("Ben", "Is twelve a lot?")
    [judge] = waiting_for(game, "rule_on")
    game.rule_on(judge, "It is.", orders='award 2 points to "Ben"')
    while voters := waiting_for(game, "overrule"):
        game.overrule(voters[0], "against")
    agree(game, "yes")
    put(game, nb.transmute(113))
    game.roll("Ann")
    return game


LIVELY = {GITHUB: a_lively_github_game, CABINET: a_lively_cabinet_game}


@pytest.mark.rule("cabinet-nomic", 107)
@pytest.mark.rule("github-nomic", -210)
@pytest.mark.parametrize("system", LIVELY)
def test_i1_i6_replay_gives_the_same_everything(system, tmp_path):
    game = LIVELY[system]()
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert again.state.digest() == game.state.digest()
    assert again.history.equals(game.history)
    assert again.rules.frame.equals(game.rules.frame)
    assert list(again.scores.items()) == list(game.scores.items())
    assert again.law["vote.quota"].value == game.law["vote.quota"].value
    again.save(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "game.jsonl").read_bytes()
    assert LIVELY[system]().state.digest() == game.state.digest()


@pytest.mark.parametrize("system", LIVELY)
def test_i1_replayed_at_every_step(system, tmp_path):
    game = LIVELY[system]()
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    for seq in game.history.index:
        assert again.at(seq).state.digest() == game.at(seq).state.digest()


@pytest.mark.rule("github-nomic", -209)
def test_i2_the_history_of_a_rule_says_how_it_came_about():
    game = sit(GITHUB)
    turn(game, "Ann", 1)
    turn(game, "Ben", 2, nb.amend(1, "Something to see."))
    turn(game, "Cleo", 3, nb.transmute(2))
    number = two_turns_each(game, first=4)
    versions = game.rules.versions
    mine = versions[versions["id"] == game.rules[3].id]
    assert list(mine["number"]) == [1, 2, 3]
    assert list(mine["how"]) == ["enacted", "amended", "transmuted"]
    assert list(mine["proposal"]) == [1, 2, 3]
    assert list(mine["author"]) == ["Ann", "Ben", "Cleo"]
    assert list(mine["votes_for"]) == [3, 3, 3]
    switched = versions[versions["id"] == game.rules[-110].id]
    assert list(switched["how"]) == ["initial", "automatic"]
    assert switched["proposal"].isna().all()
    assert list(mine["event"]) == sorted(mine["event"])
    assert number == 10


@pytest.mark.rule("cabinet-nomic", 116)
@pytest.mark.rule("github-nomic", -201)
@pytest.mark.parametrize("system", [CABINET, GITHUB])
def test_i3_nothing_but_a_proposal_changes_a_rule(system):
    game = sit(system)
    book = [(rule.number, rule.wording, rule.law) for rule in game.rules]
    if system == GITHUB:
        game.begin_turn("Ann")
    game.act("Ann", "crosses out a rule")
    game.say("Ben", "Rule 206 is gone.")
    game.report("Cleo", "Ben", "crossing out")
    game.invoke_judgment("Ben", "Is it gone?")
    if waiting_for(game, "choose"):
        game.choose("Ann", "Cleo")
    mutable = -107 if system == GITHUB else 206
    game.rule_on("Cleo", "It is.")
    while voters := waiting_for(game, "overrule"):
        game.overrule(voters[0], "against")
    with refused(game, "rule-has-clauses"):
        game.apply("Ann", mutable, f"repeal rule_numbered({mutable})")
    frame = game.rules.frame
    frame.loc[mutable, "wording"] = "Defeat is free."
    assert [(rule.number, rule.wording, rule.law) for rule in game.rules] == book


@pytest.mark.rule("cabinet-nomic", 116)
@pytest.mark.rule("github-nomic", -201)
@pytest.mark.parametrize("system", ALL)
@pytest.mark.parametrize("effect", ["repeal", "transmute"])
def test_i3_not_even_a_judge_changes_a_rule(system, effect):
    game = sit(system)
    if system == GITHUB:
        game.begin_turn("Ann")
    game.invoke_judgment("Ben", "Is it gone?")
    if waiting_for(game, "choose"):
        game.choose("Ann", "Cleo")
    number = -107 if system == GITHUB else 206
    try:
        game.rule_on("Cleo", "It is.", orders=f"{effect} rule_numbered({number})")
    except (nb.IllegalAction, nb.LawError):
        pass
    else:
        while voters := waiting_for(game, "overrule"):
            game.overrule(voters[0], "against")
    assert number in game.rules
    assert game.rules[number].tier == "mutable"


@pytest.mark.parametrize("system", [CABINET, GITHUB])
def test_i5_a_rule_only_people_can_keep(system):
    game = sit(system)
    change = nb.enact("Players smile while voting.")
    number = turn(game, "Ann", 1, change).number if system == GITHUB else adopt(game, change).number
    shown = game.rules[number]._repr_html_()
    assert "Players smile while voting." in shown
    assert "people apply this rule" in shown
    by_hand(game, "Ben", 'award -5 points to "Cleo"', number)
    entry = list(game.ledger)[-1]
    assert (entry.player, entry.amount, entry.rule) == ("Cleo", -5, number)


@pytest.mark.rule("github-nomic", -111)
def test_i6_a_game_loaded_in_the_middle_of_two_turns_goes_on_alike(tmp_path):
    game = sit(GITHUB, "Ann", "Ben", "Cleo", "Dov")
    game.begin_turn("Ann")
    game.propose("Ann", nb.enact("More."), 5)
    game.vote("Dov", "against")
    game.begin_turn("Ben")
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    for one in (game, again):
        one.propose("Ben", nb.enact("And more."), 9)
        vote(one, 9)
        vote(one, 5)
    assert scores(again) == scores(game) == {"Ann": 1, "Ben": 18, "Cleo": 0, "Dov": 0}
    assert again.state.digest() == game.state.digest()
