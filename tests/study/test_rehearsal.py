"""New clauses are played before a vote: what they do next is shown with numbers, and what is odd comes first."""

from __future__ import annotations

import random
import re

import pytest
from panels.pages import Page
from play_helpers import law, sit
from study import planted
from study.warned import codes

import nomic_nb as nb
from nomic_nb.engine.words import number_text
from nomic_nb.notebook.panels.magics import preview_magic
from nomic_nb.study.review.review import review_draft

SIX = nb.enact("Whoever rolls a six gets 5 points.", "on thrown when face == 6: award 5 points to player")


@pytest.mark.parametrize(
    ("clauses", "told"),
    [
        ("on thrown when face == 6: award 5 points to player", "If Ann rolls 6, Ann goes from 0 to 5 points."),
        (
            "on adopted: award 5 points to proponent",
            "If Ann’s proposal of a new rule passes 3–0, Ann goes from 0 to 5 points.",
        ),
        (
            "on enacted when rule == this: award 2 points to playing",
            "As soon as it passes, Ann, Ben and Cleo go from 0 to 2 points.",
        ),
        ("on circuit_ended: award 1 points to playing", "If the round ends, Ann, Ben and Cleo go from 0 to 1 point."),
        ('offer "rest": award -1 points to player', "If Ann uses “rest”, Ann goes from 0 to −1 point."),
        ("on thrown: announce 'It rains.'", "If Ann rolls 1, the game announces “It rains”."),
        ("whenever circuit > 0: announce 'Go.'", "As soon as it passes, the game announces “Go”."),
        (
            "whenever each p in playing when p.points >= 0: award 1 points to p",
            "As soon as it passes, Ann, Ben and Cleo go from 0 to 1 point.",
        ),
        (
            "whenever each p in playing when p.points >= 30: award 5 points to p",
            "If Ann has 30 points, Ann goes from 30 to 35 points.",
        ),
        (
            "on thrown when face == 1: award -1/2 * player.points points to player",
            "If Ann rolls 1 and everyone has 20 points, Ann goes from 20 to 10 points.",
        ),
        (
            "on circuit_ended: pay 2 points from mover to seats",
            (
                "If the round ends and everyone has 20 points, Ann goes from 20 to 16 points and "
                "Ben and Cleo go from 20 to 22 points."
            ),
        ),
        (
            "on adopted: award 5 points to opponents",
            (
                "If Ann’s proposal of a new rule passes 2–1, which is not enough now, Cleo goes from 0 to 5 points; "
                "rule 204 adds 10 points."
            ),
        ),
        (
            "on defeated: award 4 points to proponent",
            "If Ann’s proposal of a new rule fails 0–3, Ann goes from 0 to 4 points; rule 206 takes 10 points.",
        ),
        ("on said: oblige player to say", "If Ann says something, Ann has to say."),
        (
            'on deed when name == "swearing": award -2 points to reporter',
            "If Ben reports Ann for “swearing”, Ben goes from 0 to −2 points.",
        ),
        (
            "on circuit_ended when circuit == 5: award 9 points to playing",
            "If the round ends when it is round 5, Ann, Ben and Cleo go from 0 to 9 points.",
        ),
        (
            "on turn_ended when player.points > 30: award -5 points to player",
            "If Ann’s turn ends when Ann has 31 points, Ann goes from 31 to 26 points.",
        ),
        (
            "track bank per game from 100\non circuit_ended: award -1 bank to game",
            "If the round ends, the bank goes from 100 to 99.",
        ),
        (
            "on said: let player choose foe from seats; award 1 points to foe",
            "If Ann says something, Ann chooses Ben and Ben goes from 0 to 1 point.",
        ),
        (
            "on said: let player choose n from any number; award n points to player",
            "If Ann says something, Ann chooses 1 and Ann goes from 0 to 1 point.",
        ),
        (
            "on said: roll 1 of 6 as luck by player; award luck points to player",
            "If Ann says something, Ann rolls 6 and Ann goes from 0 to 6 points.",
        ),
        (
            "whenever each p in playing when p.points >= 20: let p choose m from [1, 2]; award m points to p",
            "If Ann has 20 points, Ann chooses 1 and Ann goes from 20 to 21 points.",
        ),
        (
            "on forfeited: award 5 points to playing",
            "If Ann leaves the game, Ben and Cleo go from 0 to 5 points.",
        ),
        (
            "on eliminated when player.points > 0: award player.points // 2 points to playing",
            "If Ann is eliminated and everyone has 20 points, Ben and Cleo go from 20 to 30 points.",
        ),
        (
            "on absent: award 5 points to [p for p in seats if p.present]",
            "If Ann is marked as away, Ben and Cleo go from 0 to 5 points.",
        ),
        (
            "on vote_closed when count(supporters) == 1: award 3 points to supporters",
            "If Ann’s proposal of a new rule is voted on 1–2, Ann goes from 0 to 3 points; rule 206 takes 10 points.",
        ),
        (
            (
                "on circuit_ended: award count(q for q in proposals if q.proponent == mover and q.circuit == circuit) "
                "points to mover"
            ),
            "If the round ends and everyone’s proposal has passed, Ann goes from 0 to 1 point.",
        ),
        (
            "whenever each p in playing when p.points >= 50: award 5 points to [q for q in playing if q != p]",
            "If Ann has 50 points, Ben and Cleo go from 0 to 5 points.",
        ),
        (
            "on enacted when rule == this: (after 2 turns: award 5 points to mover; award 1 points to mover)",
            "As soon as it passes, Ann goes from 0 to 1 point and in 2 turns: award 5 points to mover.",
        ),
        (
            "whenever any(p.points < -4 for p in playing): end play",
            "If Ann has −5 points, play can’t continue; the first player who can’t go on is Ann and Ann wins.",
        ),
        (
            "whenever circuit > 2: award 3 points to playing",
            "If it is round 3, Ann, Ben and Cleo go from 0 to 3 points.",
        ),
        (
            'set counter.value to max([otherwise, 0]) while counter == "points"',
            "If Ann has 3 points and loses 5, Ann has 0.",
        ),
    ],
)
def test_a_review_says_with_numbers_what_a_clause_does_next(clauses, told):
    game = sit()
    effects = game.review("Ann", nb.enact("So be it.", clauses)).next_effects
    assert told in effects if told else not effects


REACHED = re.compile(r"If Ann goes from (\S+) to (\S+) points?, Ann goes from 0 to 5 coins?[.]")
COINS_AT_0 = "track coins per player from 0"


@pytest.mark.parametrize("condition", [
    "player.points == 20", "player.points < 0", "player.points < 1", "player.points <= -20", "player.points >= 3",
    "7 < player.points", "-3 >= player.points", "player.points != 0", "not player.points < 12", "amount <= -4",
    "player.points > 9 and amount < 0", "player.points % 10 == 0 and amount > 0", "player.points > 4 or amount > 2",
])  # fmt: skip
def test_an_example_of_a_counter_is_what_the_game_does_when_it_gets_there(condition):
    change = nb.enact(
        "So be it.", f'{COINS_AT_0}\non counted when counter == "points" and ({condition}): award 5 coins to player'
    )
    _check_example(change)


@pytest.mark.fuzz
def test_examples_of_counters_are_true_for_random_conditions():
    chance = random.Random(5)
    for _ in range(60):
        signs = ["<", "<=", ">", ">=", "=="]
        parts = [
            f"{chance.choice(['player.points', 'amount'])} {chance.choice(signs)} {chance.randint(-30, 30)}"
            for _ in range(chance.randint(1, 2))
        ]
        law_text = (
            f'{COINS_AT_0}\non counted when counter == "points" and {" and ".join(parts)}: award 5 coins to player'
        )
        _check_example(nb.enact("So be it.", law_text), required=len(parts) == 1 and parts[0] != "amount == 0")


def _check_example(change, required=True):
    """Play the example of a change in a game, and compare."""
    game = sit()
    found = [one for effect in game.review("Ann", change).next_effects for one in REACHED.findall(effect)]
    assert len(found) == 1 or not (found or required), change.law
    law(game, change.law)
    for was, now in found:
        for value in (was, now):
            coins = game.counters.coins["Ann"]
            if number_text(game.scores["Ann"]) == value:
                continue
            game.host.correct(
                f'put points of "Ann" at {value.replace("−", "-")}', agreed=["Ann", "Ben", "Cleo"], reason="x"
            )
        assert game.counters.coins["Ann"] == coins + 5, change.law


def test_a_gain_that_rules_take_back_is_no_example():
    game = sit()
    law(game, 'set counter.value to max([otherwise, 0]) while counter == "points"')
    change = nb.enact("So be it.", 'on counted when counter == "points" and amount < 0: announce "Ow."')
    (told,) = game.review("Ann", change).next_effects
    assert "−" not in told


APPLES = """track apples per player from 3
offer "throw an apple" when player.apples > 0:
    let player choose victim from [p for p in playing if p != player]
    pay 1 apples from player to victim
    roll 1 of 6 as hurt
    award -hurt points to victim"""
FINE_OR_TAX = """on turn_begun:
    roll 1 of 6 as luck by player
    when luck == 1: award -5 points to player
    when luck == 6: each p in playing when p != player: pay 2 points from p to player"""
WAGER = """track stake per player from 0
track guess per player as text from "none"
on thrown when player.stake > 0:
    award (player.stake if (face % 2 == 0) == (player.guess == "even") else -player.stake) points to player
    put stake of player at 0
offer "wager" when player.stake == 0:
    put stake of player at 3
    put guess of player at "even\""""
CLOSE_RACE = """instead of won when any(any(p.points > w.points - 10 for p in playing if p != w) for w in winners):
    announce "Too close."
set win.replaced to "once allowed\""""
RESTING = """track resting per player from 0
on adopted: put resting of proponent at 1
on passed_over: put resting of player at 0"""
BRIBE = """track bribe per player from 0
offer "bribe" when any(q.status in ["debate", "open"] for q in proposals): put bribe of players at 2
on balloted when ballot == "against" and player.bribe > 0: award -player.bribe points to player"""

LOAN = """track missing per player from 0
offer "borrow" when player.missing == 0:
    after 2 circuits: (award -12 points to player; put missing of player at 1)
    award 10 points to player
on passed_over when player.missing > 0: put missing of player at 0"""
DEARER = """track failures per player from 0
set defeat.points to 2 * otherwise
on defeated: award 1 failures to proponent"""
DOUBLE = """track double per player from 0
offer "double" when player.double == 0: put double of player at 1
set throw.points to 2 * otherwise while player.double == 1
on thrown: put double of player at 0"""


@pytest.mark.parametrize(
    ("clauses", "told"),
    [
        (LOAN, ["from 0 to 10 points, and after 2 rounds Ann goes from 10 to −2 points and from 0 to 1 missing.",
                "If Ann uses “borrow”, and then after 2 rounds Ann’s turn is skipped, Ann goes from 1 to 0 missing."]),
        (DOUBLE, ["and then Ann rolls 1, Ann goes from 1 to 0 double; rule 202 gives Ann 2 points."]),
        (DEARER, ["fails 0–3, Ann goes from 0 to 1 failure; rule 206 takes 20 points from Ann."]),
        (APPLES, ["Ann chooses Ben, the game rolls 6,", "Ben goes from 3 to 4 apples and from 0 to −6 points."]),
        (FINE_OR_TAX, ["Ann rolls 1 and Ann goes from 0 to −5 points.",
                       "everyone has 20 points, Ann rolls 6, Ben and Cleo go from 20 to 18 points and Ann"]),
        ("on turn_ended: each p in playing: (roll 1 of 6 as got by p; award got points to p)",
         ["Ann rolls 6, Ben 1 and Cleo 4, Ann goes from 0 to 6 points,"]),
        (WAGER, ["If Ann uses “wager”, and then Ann rolls 1, Ann goes from 0 to −3 points",
                 "If Ann uses “wager”, and then Ann rolls 2, Ann goes from 0 to 3 points"]),
        (BRIBE, ["If in a vote Ann uses “bribe”, Ann, Ben and Cleo go from 0 to 2 bribe",
                 "and then Ann votes against, Ann goes from 0 to −2 points."]),
        ("on turn_ended when turn % 10 == 0: let seats choose pick from seats; award 2 points to most(pick)",
         ["If Ann’s turn ends when it is turn 10, Ann, Ben and Cleo choose Ben and Ben goes from 0 to 2 points."]),
        ('on circuit_ended: let seats choose n from [1, 2, 3]; when count(most(n)) == 3: announce "All differ."',
         ["Ann chooses 2, Ben chooses 3, Cleo chooses 1 and the game announces “All differ”."]),
        ("on turn_begun: when turn % 4 == 0: award 3 points to player", ["when it is turn 4, Ann goes from 0 to 3"]),
        ('on proposed: after 3 days: when proposal.status == "open": award -2 points to player',
         ["If Ann proposes a new rule, after 3 days Ann goes from 0 to −2 points."]),
        ("on proposed when change.kind == 'repeal': award -3 points to player", ["If Ann proposes a repeal, Ann goes"]),
        ("on turn_begun when player.points < max([p.points for p in playing]): award 3 points to player",
         ["If Ann has 20 points, Ben has 10 points and Cleo has 5 points, and Ben’s turn begins, Ben goes from 10"]),
        (CLOSE_RACE, ["If Ann has 100 points, Ben has 0 points and Cleo has 0 points, Ann wins.",
                      "If Ann has 120 points, Ben has 100 points and Cleo has 0 points, nobody wins."]),
        (RESTING, ["and then Ann’s turn is skipped, Ann goes from 1 to 0 resting."]),
        ("on defeated when circuit < 0: announce 'A'\non said when circuit < 0: announce 'B'",
         ["No example was found for “on defeated when circuit < 0: announce 'A'” or “on said"]),
    ],
)  # fmt: skip
def test_examples_go_on_to_what_a_clause_is_about(clauses, told):
    effects = sit().review("Ann", nb.enact("So be it.", clauses)).next_effects
    for part in told:
        assert any(part in effect for effect in effects), effects


@pytest.mark.parametrize(
    "clause",
    ["on captured: award 1 stars to player", 'offer "x" when count(pieces_of(player)) < 9: award 1 stars to player'],
)
def test_no_case_is_missed_of_what_happens_on_boards(clause):
    game, never = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7), 'on circuit_ended when circuit < 0: announce "x"'
    change = nb.enact("So be it.", f"track stars per player from 0\n{clause}\n{never}")
    assert game.review("Ann", change).next_effects == (
        f"No example was found for “{never}”; there may be one all the same.",
    )


#: What every turn of a round comes before, and what the ballots of all voters come before.
NOT_ALONE = [
    (
        "on circuit_ended each p in playing when not any(q.proponent == p and q.circuit == circuit "
        "for q in proposals): award -3 points to p"
    ),
    (
        "track final per game as player from none\non balloted: put final at player\n"
        "on vote_closed when game.final in playing: award 1 points to game.final"
    ),
    (
        "track noes per game from 0\non balloted when ballot == 'against': award 1 noes to game\n"
        "on turn_ended when game.noes == 1: award 1 points to player"
    ),
]


@pytest.mark.parametrize("clauses", NOT_ALONE)
def test_no_example_leaves_out_what_players_must_do_before(clauses):
    effects = sit().review("Ann", nb.enact("So be it.", clauses)).next_effects
    assert not [effect for effect in effects if " point" in effect and "No example" not in effect]


def test_what_a_clause_does_next_starts_from_the_scores_of_the_game():
    game = sit()
    law(game, "", face=4)
    assert "If Ann rolls 6, Ann goes from 4 to 9 points." in game.review("Ann", SIX).next_effects


def test_review_preview_proposal_and_panel_say_the_same():
    game = sit()
    told = game.review("Ann", SIX).next_effects
    assert told
    assert game.preview("Ann", SIX).remarks.next_effects == told
    cell = preview_magic(game, "Ann enact", f"{SIX.wording}\nlaw:\n{SIX.law}")
    assert cell.remarks.next_effects == told
    assert all(sentence in str(cell) for sentence in told)
    assert {*told} <= {*review_draft(game.timeline, "Ann", SIX)[0]}
    proposal = game.propose("Ann", SIX)
    assert proposal.remarks.next_effects == told
    assert all(sentence in proposal._repr_html_() for sentence in told)
    assert {*told} <= {*Page(game).table["proposals"]["301"]["said"]}


@pytest.mark.parametrize(
    ("wording", "clauses", "code"),
    [
        ("Everyone gets 5 points.", "on circuit_ended: award -5 points to playing", "wrong-sign"),
        ("A failed proposal costs its author 10.", "on defeated: award 10 points to proponent", "wrong-sign"),
        ("A failed proposal earns its author 5 points.", "on adopted: award 5 points to proponent", "other-event"),
        ("Whoever rolls the die gets 5 points.", "on thrown: award 6 points to player", "other-amount"),
        ("The die earns the roller 5 points.", 'on thrown: award 5 points to "Ben"', "other-player"),
        ("Rolls of 3 or more earn 5 points.", "on thrown when face > 3: award 5 points to player", "other-limit"),
        ("On adoption, all get 5 points.", "on repealed when rule == this: award 5 points to playing",
         "nothing-at-once"),
        ("A share.", "on adopted: award 10 / votes_against points to proponent", "no-answer"),
        ("Dice for points.", "on turn_begun: roll player.points of 6 as x; award x points to player", "no-answer"),
        ("As soon as this rule is enacted, all get 5 points.", "on enacted: award 5 points to playing",
         "nothing-at-once"),
        ("A point for a word.", 'on said when text == "x": award 1 points to player', "gain-on-demand"),
        ("Two at once.", "on thrown when face < 3 and face > 4: award 5 points to player", "never-true"),
        ("Half.", 'set counter.value to otherwise / 2 while counter == "points"', "lower-gain"),
    ],
)  # fmt: skip
def test_voters_are_warned_of_a_clause_that_does_something_else(wording, clauses, code):
    game = sit()
    assert code in codes(game.review("Ann", nb.enact(wording, clauses)))
    assert code in {sign.code for one in game.propose("Ann", nb.enact(wording, clauses)).remarks for sign in one.signs}


@pytest.mark.parametrize(
    "clauses",
    [
        'offer "buy": award -1 points to player; award 1 points to player',
        'track had per player from 0\noffer "x" when player.had == 0: put had of player at 1; award 1 points to player',
        "on deed when reporter != player: award 1 points to player",
    ],
)
def test_a_gain_that_costs_something_or_is_had_once_is_no_gain_on_demand(clauses):
    assert "gain-on-demand" not in codes(sit().review("Ann", nb.enact("So be it.", clauses)))


USED = "track used per game from 0\non circuit_ended: put used at 0\n"
COINS = "track coins per player from 5\n"


@pytest.mark.parametrize(
    ("wording", "clauses", "evidence"),
    [
        ("At most 3 closings a round.", USED + 'offer "close" when game.used < 3: award -1 used to game',
         "counter-only-falls"),
        ("At most 3 closings a round.", USED + 'offer "close" when game.used < 3: award 1 used to game', ""),
        ("Whoever is late loses a used.", USED + "on turn_begun: award -1 used to game", ""),
        ("A lamp costs two.", COINS + 'offer "a lamp" when player.coins >= 2: award 2 coins to player', "price-added"),
        ("A lamp costs two.", COINS + 'offer "a lamp" when player.coins >= 2: award -2 coins to player', ""),
        ("A player with 2 coins gets 2 coins.", COINS + 'offer "more" when player.coins > 1: award 2 coins to player',
         ""),
        ("At most 3 closings a round.", USED + 'offer "close" when game.used <= 3: award 1 used to game',
         "allowed-once-more"),
        ("At most 3 times a round anyone may speak.", USED + "on said: award 1 used to game\nforbid say when "
         "game.used > 3", "allowed-once-more"),
        ("At most 3 times a round anyone may speak.", USED + "on said: award 1 used to game\nforbid say when "
         "game.used >= 3", ""),
        ("Everyone gets 5 points.", "on repealed when rule == this: award 5 points to playing", "end-unsaid"),
        ("When this rule is repealed, all get 5 points.", "on repealed when rule == this: award 5 points to playing",
         ""),
        ("An accepted proposal earns its author 5 points.", "on defeated: award 5 points to proponent",
         "event-differs"),
        ("A player who was silent for 2 turns may leave.", 'offer "leave" when player.idle > 2: end turn',
         "limit-beside"),
        ("A rule that is two days old may end.", 'offer "end it" when this.hours > 48: repeal this', ""),
        ("After 2 days anyone may end this rule.", 'offer "end it" when this.hours > 48: repeal this', "limit-beside"),
        ("Whoever votes for a proposal that passes gets 1 point.", "on adopted: award -1 points to supporters",
         "sign-differs"),
        ("From round 3 on all get 2 points.", "on turn_begun when circuit > 3: award 2 points to playing",
         "limit-beside"),
        ("One named player gets 5 points.", 'on circuit_ended: award 5 points to "Ben"', ""),
        ("A player who rolls a six wins at once.", "on thrown when face == 6: put points of player at win.points", ""),
        ("If your roll is right, you get 5 points.", "on thrown: award 5 points to next_player", "players-unsaid"),
        ("Each hour brings its author 10 points.", "on day_begun: award -10 * now.day points to this.author",
         "sign-differs"),
    ],
)  # fmt: skip
def test_what_clauses_count_is_compared_with_the_wording(wording, clauses, evidence):
    codes_found = {sign.evidence.code for sign in sit().review("Ann", nb.enact(wording, clauses)).warnings}
    known = {"counter-only-falls", "price-added", "allowed-once-more", "end-unsaid", "event-differs", "limit-beside",
             "player-unsaid", "nothing-at-once", "players-unsaid", "sign-differs"}  # fmt: skip
    assert codes_found & known == ({evidence} if evidence else set())


@pytest.mark.parametrize(
    ("clauses", "when"),
    [
        ("set win.points to 50 while turn % 2 == 0\nset win.points to 60 while turn % 3 == 0", "in turn 6"),
        ("set throw.points to 1 while player.points > 10\nset throw.points to 2 while player.points > 20", "if both"),
        ("allow skip when circuit % 2 == 0\nforbid skip when circuit > 3", "in round 4"),
        ("set win.points to 50 while turn % 2 == 0\nset win.points to 60 while turn % 2 == 1", ""),
        ("set throw.points to 1 while player.points > 20\nset throw.points to 2 while player.points < 10", ""),
        ("set win.points to 50 while turn % 2 == 0\nset win.points to otherwise + 9 while turn % 3 == 0", ""),
    ],
)
def test_clauses_of_one_rule_that_meet_now_and_then_are_told_of(clauses, when):
    signs = sit().review("Ann", nb.enact("So be it.", clauses + "\nprevails over everything")).warnings
    told = [str(sign.evidence) for sign in signs if sign.code == "clauses-meet"]
    assert bool(told) is bool(when)
    assert all(when in one for one in told)


@pytest.mark.parametrize(
    ("clauses", "never"),
    [
        ("on thrown when player.points > 5: award -9 points to player; when player.points < 0: end turn", False),
        ("on thrown when player.points > 5: let x be 1; when player.points < 0: end turn", True),
        ("on thrown when face > 5: end turn; when face < 2: end turn", True),
        ("on turn_begun when player.points > 5: after 3 turns: when player.points < 2: end play", False),
        ("on thrown: each p in playing when player.points > 5: (when player.points < 2: award 1 points to p)", False),
        ("on thrown: each p in playing when p.points > 5 and p.points < 2: award 1 points to p", True),
        ("on thrown when player.points > 0 and player.points < 1: award 1 points to player", False),
        ("on turn_begun when turn > 8 and turn < 9: award 1 points to player", True),
    ],
)
def test_a_clause_never_applies_only_if_its_conditions_hold_at_one_moment(clauses, never):
    assert ("never-true" in codes(sit().review("Ann", nb.enact("So be it.", clauses)))) is never


def test_an_empty_list_behind_a_condition_that_is_not_true_yet_is_no_fault():
    rich = "[p for p in playing if p.points > 1000]"
    choice = f"let player choose pick from {rich}; award 1 points to pick"
    assert "nothing-there" in codes(sit().review("Ann", nb.enact("So be it.", f"on turn_begun: {choice}")))
    guarded = f"on turn_begun when count({rich}) > 0: {choice}"
    assert "nothing-there" not in codes(sit().review("Ann", nb.enact("So be it.", guarded)))


def test_the_trial_of_clauses_leaves_the_game_as_it_was_and_is_bounded():
    game = sit()
    before = game.state.digest()
    many = "\n".join(
        f"on thrown when face != {at}: each p in playing: each q in numbers(1, 900): award 0 points to p"
        for at in range(1, 40)
    )
    assert len(game.review("Ann", nb.enact("So be it.", many)).next_effects) <= 6
    assert game.state.digest() == before


def test_a_choice_of_which_the_law_does_not_say_whether_it_may_be_made_is_left_open():
    game = sit()
    law(game, "forbid choose when now.hours > 5")
    change = nb.enact("So be it.", "on said: let player choose foe from seats; award 1 points to foe")
    assert game.review("Ben", change).next_effects == ("If Ben says something, Ben chooses foe.",)


def test_slips_planted_in_good_laws_are_reported_and_good_laws_are_not():
    tried = [planted.told(bad) for _, _, bad in planted.slipped_laws(tuple(planted.framed_laws(5, 2)), 5)]
    assert len(tried) > 8
    assert sum(map(bool, tried)) >= len(tried) - 1
    assert not any(planted.told(law) for law in planted.framed_laws(6, 5))


@pytest.mark.slow
def test_nine_of_ten_slips_planted_in_rules_of_real_players_are_reported():
    """Where the good law is silent, as it mostly is."""
    slips = [
        planted.told(bad) for _, law, bad in planted.slipped_laws(planted.corpus_laws(), 7) if not planted.told(law)
    ]
    tried = [told for told in slips if told is not None]
    assert len(tried) > 150
    assert sum(map(bool, tried)) / len(tried) >= 0.9


@pytest.mark.slow
def test_nine_of_ten_planted_slips_are_reported_and_hardly_a_good_law():
    slips = [planted.told(bad) for _, _, bad in planted.slipped_laws(tuple(planted.framed_laws(7, 8)), 7)]
    tried = [told for told in slips if told is not None]
    assert len(tried) > 40
    assert sum(map(bool, tried)) / len(tried) >= 0.9
    good = [planted.told(law) for law in (*planted.framed_laws(8, 20), *planted.library_laws()[::3])]
    assert sum(map(bool, good)) / len(good) <= 0.03


def test_who_is_paid_gains():
    clauses = "on circuit_ended: each r in rules when r.author != none: award 1 points to r.author"
    change = nb.enact("Rules made by a player pay the player 1 point each round.", clauses)
    assert "wrong-sign" not in codes(sit().review("Ann", change))
    assert "wrong-sign" in codes(sit().review("Ann", nb.enact("Each player pays 1 point each round.", clauses)))


#: Wordings with clauses that say the same, and with clauses that slip in one place; and what only these are warned of.
ALIKE_AND_NOT = {
    "a count before the deed": (
        "Nobody makes more than two proposals in a turn.",
        "forbid propose when count(q for q in proposals if q.proponent == player and q.turn == turn) >= 2",
        "forbid propose when count(q for q in proposals if q.proponent == player and q.turn == turn) >= 1",
        "other-limit",
    ),
    "an end that a rule provides for": (
        "This rule repeals itself when any player reaches 50 points.",
        "whenever any(p.points >= 50 for p in playing): repeal this",
        "on enacted: repeal this",
        "paradox",
    ),
    "a vote that is opened": (
        "Whoever is absent is in favour.",
        'on vote_opened: cast "for" for [p for p in not_voted if not p.present]',
        'on vote_closed: cast "for" for [p for p in not_voted if not p.present]',
        "no-answer",
    ),
    "the first of equal numbers": (
        "Ten more than the least score wins.",
        "set win.points to 10 + item(ordered([p.points for p in playing], [p.points for p in playing]), 1)",
        "on turn_ended: award 1 points to item(ordered(playing, [p.points for p in playing]), 1)",
        "ties",
    ),
    "ballots of an earlier vote": (
        "Amended rules need what their opponents were.",
        "set vote.quorum to count(target.proposal.opponents) if target != none else 1",
        "set vote.quorum to count(proposal.opponents)",
        "too-early",
    ),
    "what is good for something": (
        "A token is good for one roll.",
        "track tokens per player from 0",
        "",
        "vague",
    ),
}


@pytest.mark.parametrize(("wording", "good", "bad", "code"), ALIKE_AND_NOT.values(), ids=ALIKE_AND_NOT)
def test_what_says_the_same_is_not_warned_of_and_what_slips_is(wording, good, bad, code):
    assert code not in codes(sit().review("Ann", nb.enact(wording, good)))
    if bad:
        assert code in codes(sit().review("Ann", nb.enact(wording, bad)))
    else:
        assert code in codes(sit().review("Ann", nb.enact(wording.replace("good for", "a good"), good)))


@pytest.mark.parametrize(
    ("wording", "good", "bad", "code"),
    [
        (
            "Whoever rolls a six takes 20 points from another.",
            'on thrown when face == 6: award 20 points to player; award -20 points to "Ben"',
            'on thrown when face == 6: award 20 points to "Ben"',
            "wrong-sign",
        ),
        (
            "At the end of a round, those who can pay 5 gold for a feast.",
            "track gold per player from 9\non circuit_ended: each p in playing when p.gold >= 5: award -5 gold to p",
            "track gold per player from 9\non circuit_ended: each p in playing when p.gold > 5: award -5 gold to p",
            "other-limit",
        ),
        (
            "A feast costs 7 of any treasure.",
            "track gold per player from 9\non said: award -7 gold to player",
            "track gold per player from 9\non said: award -8 gold to player",
            "other-amount",
        ),
    ],
)
def test_one_more_or_less_and_gain_for_loss_are_warned_of(wording, good, bad, code):
    assert code not in codes(sit().review("Ann", nb.enact(wording, good)))
    assert code in codes(sit().review("Ann", nb.enact(wording, bad)))
