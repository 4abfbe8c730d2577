"""First drafts of rules that were accepted and did less than they say, or something else: each is warned of."""

import pytest
from play_helpers import adopt, sit
from study.warned import codes, warned

import nomic_nb as nb
from nomic_nb.engine.errors import WrongArgument


def review(law, game=None):
    """Return the review of a rule with these clauses, which Ann would propose."""
    return (game or sit()).review("Ann", nb.enact("A rule.", law=law))


@pytest.mark.parametrize(
    ("whom", "when"),
    [
        ("[p for p in playing if p != player]", 'counter == "points" and amount > 0'),
        ("player", 'counter == "points" and amount > 0'),
        ("next_player", "amount > 0"),
    ],
)
def test_gains_that_bring_others_gains_without_end_are_a_paradox(whom, when):
    assert "paradox" in codes(review(f"on counted when {when}: award 1 points to {whom}"))


def test_a_gain_that_makes_up_for_a_loss_is_no_paradox():
    assert "paradox" not in codes(
        review("on counted when amount < 0: award 1 points to [p for p in playing if p != player]")
    )


@pytest.mark.parametrize(
    "law",
    [
        'on turn_ended each r in rules when r.tier == "mutable" and turn - r.first_made >= 10: transmute r',
        "whenever any(p.points >= 30 for p in playing): repeal rule_numbered(101)",
        "on enacted when rule == this: void rule_numbered(101)",
        "on circuit_ended when circuit > 9: each r in rules: transmute r",
    ],
)
def test_a_change_that_no_rule_may_make_is_warned_of_however_late_it_comes(law):
    assert warned(review(law), "change-refused")


@pytest.mark.parametrize(
    "law",
    [
        'on turn_ended each r in rules when r.tier == "mutable" and turn - r.first_made >= 10: repeal r',
        "on transmuted: repeal rule",
        "on circuit_ended: void rule_numbered(206)",
    ],
)
def test_a_change_that_rules_may_make_of_some_rules_is_not_warned_of(law):
    assert not warned(review(law), "change-refused")


NO_PROPOSAL = "not any(q.proponent == player and q.turn == turn for q in proposals)"


@pytest.mark.parametrize(
    ("law", "code"),
    [
        (f"on turn_ended when {NO_PROPOSAL}: award -10 points to player", "turns-all-propose"),
        ('on balloted when ballot == "abstain": award 1 points to player', "condition-impossible"),
        ("on skipped: award -1 points to player", "action-not-allowed"),
        ("on vote_closed: award -1 points to abstainers", "nobody-abstains"),
        ("on vote_ending: award -10 points to not_voted", "everybody-has-voted"),
        ("on vote_closed each p in not_voted when p.points > 5: award -1 points to p", "everybody-has-voted"),
    ],
)
def test_what_can_never_be_in_this_game_is_warned_of_and_not_forecast(law, code):
    found = review(law)
    assert warned(found, code)
    assert all(effect.startswith("No example was found for “") for effect in found.next_effects)


@pytest.mark.parametrize(
    "law",
    [
        f"on turn_ended when {NO_PROPOSAL}: award -10 points to player\nforbid propose when player.points < 0",
        'on turn_ended when not any(q.status == "adopted" for q in proposals): award -1 points to player',
        "on skipped: award -1 points to player\nallow skip\nprevails over 201",
        "on vote_opened: award 1 points to not_voted",
        'set vote.choices to ["for", "against", "abstain"]\non vote_closed: award -1 points to abstainers',
        'set vote.choices to otherwise + ["abstain"]\non balloted when ballot == "abstain": award 1 points to player',
    ],
)
def test_what_can_be_after_all_is_not_warned_of(law):
    assert {"never-true", "never-happens", "nothing-there"}.isdisjoint(codes(review(law)))


@pytest.mark.parametrize("law", ["forbid move when target.rank == 8", "on moved when target.file == 9: end turn"])
def test_squares_outside_the_boards_are_warned_of(law):
    assert warned(review(law, sit(system="nomic-chess")), "condition-impossible")
    if "rank" in law:
        assert "never-true" not in codes(review(law, sit("Ann", "Ben", system="make-a-rule")))


ROLL_ONCE = """track rolled per player from 0
forbid roll when player.rolled >= 1
prevails over 202
on thrown: award 1 rolled to player
"""
NO_ROLL = "forbid roll when player.points < 0\nprevails over 202"
CARDS = """track carded per player from 0
track referee per game as player from none
offer "become referee" when game.referee == none: put referee at player
offer "show a card" to [game.referee] when game.referee != none:
    let player choose victim from [p for p in seats if p != player] asking "To whom?"
    put carded of victim at 1
forbid propose when player.carded == 1
"""


@pytest.mark.parametrize(
    ("law", "code"),
    [(NO_ROLL, "turn-stuck"), (CARDS, "turn-asked")],
)
def test_a_ban_that_stops_play_in_the_turn_of_a_player_whom_it_hits_is_a_standstill(law, code):
    assert warned(review(law), code)


@pytest.mark.parametrize(
    "law",
    [
        f"{ROLL_ONCE}on turn_begun: put rolled of player at 0",
        f"{ROLL_ONCE}on turn_ended: put rolled of player at 0",
        f"{NO_ROLL}\nwhenever each p in playing when p.points < 0: put points of p at 0",
        f'{NO_ROLL}\noffer "get up" when player.points < 0: put points of player at 0',
        "forbid propose when player.points < 0",
    ],
)
def test_a_ban_that_ends_in_time_or_lets_a_duty_go_is_no_standstill(law):
    assert "standstill" not in codes(review(law))


def test_casting_the_votes_of_those_who_have_not_voted_is_warned_of_where_rules_cannot():
    assert warned(review('on vote_opened: after 1 turns: cast "against" for not_voted'), "nobody-votes-for-others")
    law = 'on vote_opened: cast "for" for [p for p in not_voted if not p.present]'
    assert not warned(review(law), "nobody-votes-for-others")


def test_a_guarantee_that_the_order_of_precedence_leaves_out_is_warned_of():
    law = "on enacted when rule == this: guard rule_numbered(208)"
    assert warned(review(law), "guard-ignored")
    ordered = f'{law}\nset precedence.by to ["guarded", "claims", "lowest number"]\nprevails over 211'
    assert not warned(review(ordered), "guard-ignored")


def test_each_setting_of_a_rule_that_changes_nothing_is_named_even_beside_one_that_does():
    closing = "set vote.closes to otherwise or proposal.hours >= 72"
    share = "set vote.share to votes_for / unanimity(vote.electorate)"
    found = review(f"{closing}\n{share}", sit(system="github-nomic"))
    assert warned(found, "no-term-changes", keys="vote.share", below=-111)
    for law in (closing, f"{closing}\n{share}\nprevails over -111"):
        assert not warned(review(law, sit(system="github-nomic")), "no-term-changes")


@pytest.mark.parametrize(
    ("law", "rule"),
    [("on adopted: award 10 points to opponents", 204), ("on defeated: award -10 points to proponent", 206)],
)
def test_what_a_rule_in_force_pays_already_is_warned_of(law, rule):
    assert warned(review(law), "done-already", rule=rule)
    assert "paid-twice" not in codes(review(law.replace("10 points", "9 points")))


def test_a_vote_that_is_bought_too_late_for_the_one_it_is_gone_after_is_warned_of():
    law = """track extra per player from 0
offer "buy a vote" when player.points >= 10{}: award -10 points to player; award 1 extra to player
set vote.weight to otherwise + voter.extra
on vote_closed: put extra of players at 0"""
    assert warned(review(law.format("")), "taken-too-late", table="extra")
    waiting = ' and not any(q.status in ["open", "ending"] for q in proposals)'
    assert not warned(review(law.format(waiting)), "taken-too-late")
    assert not warned(review(law.format("").rpartition("\n")[0]), "taken-too-late")


def test_a_move_that_a_counter_or_a_later_round_gives_is_held_against_the_limit_of_each_board():
    counted = """track bonus per player from 0
on captured when piece.kind == "Q": award 1 bonus to player
set move.count to otherwise + army.controller.bonus"""
    game = sit(system="nomic-chess")
    for law in (counted, "set move.count to otherwise + 1 while circuit > 2"):
        assert warned(review(law, game), "moves-limited")
    pushed = 'set move.on_push to ("any" if army.controller.bonus > 0 else otherwise)'
    assert not warned(review(f"{counted}\n{pushed}", game), "moves-limited")


@pytest.mark.parametrize(
    ("law", "endless"),
    [
        ("roll 1 of 6 as x; award x points to player", True),
        ("roll 1 of 6 as x by player; award x points to player", True),
        ("award -3 points to player; roll 1 of 6 as x; award x points to player", False),
        ("roll 1 of 6 as x; award x points to player; put used of player at 1", False),
    ],
)
@pytest.mark.parametrize("when", ["player.used == 0", 'part == "throw" and player.used == 0'])
def test_dice_that_are_rolled_again_and_again_for_points_are_a_gain_on_demand(law, endless, when):
    track = "track used per player from 0\non circuit_ended: put used of players at 0\n"
    found = review(f'{track}offer "roll again" to [mover] when {when}: {law}')
    assert ("gain-on-demand" in codes(found)) is endless


def test_a_square_without_its_board_is_named_with_one():
    found = review('forbid move when target.name in ["d4", "white.e4"]', sit(system="nomic-chess"))
    (told,) = [one.evidence for one in found.warnings if one.code == "unknown-thing"]
    assert "the square d4 without its board: it is called white.d4" in told


def test_a_call_of_the_law_names_the_brackets_and_the_search():
    with pytest.raises(WrongArgument, match=r'game\.law\["vote\.quota"\].*search\("quota"\)'):
        sit().law("quota")


@pytest.mark.rule("discordian-nomic", 111)
@pytest.mark.parametrize("law", ["forbid revise", "forbid say when turn > 2", "forbid call_vote when player == mover"])
def test_a_ban_on_what_a_stronger_rule_allows_in_some_cases_is_warned_of(law):
    assert warned(review(law), "defeated-where-allowed", rule=111)


def test_a_ban_beside_what_its_own_rule_allows_is_not_warned_of():
    assert codes(review("allow withdraw\nforbid withdraw when votes_cast > 0")) == []


@pytest.mark.rule("nomic-chess", 220)
def test_kings_that_can_be_captured_while_check_has_to_be_parried_are_warned_of():
    take = 'set royal.capture to "capture"\non captured when piece.kind == "K": eliminate piece.owner'
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    assert warned(review(take, game), "check-stays")
    stay = '\nset check.own_on_push to "may stay"\nprevails over everything on check.own_on_push'
    assert not warned(review(take + stay, game), "check-stays")


@pytest.mark.parametrize(
    ("law", "expected"),
    [("set vote.closes to otherwise or proposal.hours >= 72", True), ('set vote.counts_as to "against"', False)],
)
def test_ballots_that_count_as_others_in_the_wording_alone_are_warned_of(law, expected):
    change = nb.enact("Votes close after three days. Whoever has not voted is counted as voting against.", law=law)
    assert warned(sit().review("Ann", change), "said-in-no-clause") is expected


def test_clauses_on_what_their_own_rule_tracks_are_one_subject():
    card = """track carded per player from 0
on deed when name == "rudeness": put carded of player at 1
forbid propose when player.carded == 1
set turn.parts to ([one for one in otherwise if one != "proposal"] if mover.carded == 1 else otherwise)"""
    assert "several-changes" not in codes(review(card))
    assert "several-changes" in codes(
        review("track x per player from 0\nset win.points to 50\nset dissent.points to 12")
    )


def test_an_order_that_is_to_begin_with_somebody_is_warned_of_where_it_goes_on_from_the_last():
    order = "set turn.sequence to ordered(seats, [p.points for p in seats])\nprevails over 201"
    said = nb.enact("In each round the player with the fewest points goes first.", law=order)
    assert warned(sit().review("Ann", said), "goes-on-in-order", said="goes first")


LEND = """track lent_to per player as player from none
offer "lend my vote" when player.lent_to == none:
    let player choose holder from [p for p in seats if p != player]
    put lent_to of player at holder
on turn_ended: put lent_to of players at none
set vote.weight to (0 if voter.lent_to != none else otherwise) + count(p for p in playing if p.lent_to == voter)"""


def test_a_vote_that_is_lent_too_late_for_the_open_one_and_gone_before_the_next_is_warned_of():
    assert warned(review(LEND), "taken-too-late", key="vote.weight", table="lent_to")


def test_hours_that_go_by_while_a_vote_is_open_are_warned_of_where_it_does_not_see_them():
    game = sit()
    game.host.time("2026-11-01 10:00")
    assert warned(review("set vote.weight to 0 while voter.idle >= 168", game), "hours-too-late", key="vote.weight")


def test_what_is_read_when_a_vote_opens_can_be_changed_in_the_debate():
    second = """track seconds per proposal from 0
offer "second the proposal" when any(q.status == "debate" for q in proposals): award 1 seconds(item(proposals, 1))
set vote.quota to (otherwise if proposal.seconds > 0 else unanimity(vote.electorate) + 1)"""
    assert not warned(review(second), "written-too-late")


PAY_TENTH = """on circuit_ended:
    let rich be highest(playing, [p.points for p in playing])
    let poor be lowest(playing, [p.points for p in playing])
    when count(rich) == 1 and count(poor) == 1:
        pay item(rich, 1).points // 10 points from item(rich, 1) to item(poor, 1)"""


def test_a_case_in_which_all_are_below_zero_but_not_alike_is_played():
    assert warned(review(PAY_TENTH), "clause-gives-no-answer")


@pytest.mark.parametrize(
    "wording",
    [
        "A square number (1, 4, 9, 16 and so on) earns 5 points.",
        "The second costs 2 points, the third 4 points, and so on.",
        "If several are richest, nothing is paid.",
        "A player loses never so many that they fall below zero.",
        "Players may bid some of their points.",
    ],
)
def test_words_that_the_rest_of_a_sentence_settles_are_not_vague(wording):
    change = nb.enact(wording, law="on thrown when face == 6: award 5 points to player")
    assert "vague" not in codes(sit().review("Ann", change))


def test_what_may_not_be_proposed_but_only_fails_the_vote_is_warned_of():
    fails = (
        "set vote.quota to (unanimity(vote.electorate) + 1 if any(t.first_made > 0 for t in targets) else otherwise)"
    )
    said = nb.enact("Nobody may propose to repeal a rule that players have made.", law=fails)
    assert warned(sit().review("Ann", said), "said-in-no-clause", said="Nobody may propose")


def test_a_clock_that_nobody_has_set_is_told_of_once():
    hourly = "on day_begun: award 1 points to playing\non turn_ended: after 2 hours: award 1 points to playing"
    assert codes(review(hourly)).count("no-clock") == 1


VETO = """track vetoed per proposal from 0
offer "veto" when any(q.status == "open" for q in proposals): put vetoed(item(proposals, 1)) at 1
set vote.quota_when to "closing"
set vote.quota to (unanimity(vote.electorate) + 1 if proposal.vetoed > 0 else otherwise)
set defeat.points to (0 if proposal.vetoed > 0 else otherwise)"""


@pytest.mark.parametrize(
    ("wording", "law", "code"),
    [
        ("Each player may veto a proposal, which then fails at no cost.", VETO, "several-changes"),
        ("When a six is rolled, 1 point of it goes to Ann instead.",
         'on thrown when face == 6 and player.name != "Ann": award -1 points to player; award 1 points to "Ann"',
         "wrong-sign"),
        ("For every third turn a player may at once choose a friend, who gets a point.",
         "on turn_ended when turn % 3 == 0:\n    let player choose pal from seats\n    award 1 points to pal",
         "nothing-at-once"),
        ("Nobody may vote against more than three proposals in a row.",
         """track nays per player from 0
on balloted when ballot == "against": award 1 nays to player
forbid vote when ballot == "against" and player.nays >= 3""",
         "other-limit"),
        ("When one leaves, those left get 2 points each.", "on forfeited: award 2 points to playing", "other-player"),
        ("The remaining players share it.", "on forfeited: award 2 points to playing", "other-player"),
        ("At exactly 21 a player gets 10 points, over 21 they lose 5; either way, drawing is over.",
         """track total per player from 0
offer "draw" when player.total < 21:
    award 9 total to player
    when player.total == 21: award 10 points to player
    when player.total > 21: award -5 points to player""",
         "other-limit"),
        ("Whoever has been dry for three whole rounds loses 2 points at the end of each further round.",
         """track dry per player from 0
on circuit_ended each p in playing: award 1 dry to p; when p.dry > 3: award -2 points to p""",
         "other-limit"),
        ("At the end of a round, the only leader gets 5 points.",
         """on circuit_ended:
    let best be highest(playing, [p.points for p in playing])
    when count(best) == 1: award 5 points to item(best, 1)""",
         "ties"),
    ],
)  # fmt: skip
def test_what_is_right_in_other_words_is_not_warned_of(wording, law, code):
    assert code not in codes(sit().review("Ann", nb.enact(wording, law=law)))


@pytest.mark.rule("nomic-chess", 219)
@pytest.mark.parametrize(("more", "expected"), [("", True), ('\nset army.stuck to "skip"', False)])
def test_rounds_without_moves_in_which_play_would_stop_are_warned_of(more, expected):
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=3)
    rest = "set move.count to 0 while circuit == 2\nprevails over everything"
    assert warned(review(rest + more, game), "moves-none") is expected


@pytest.mark.rule("discordian-nomic", 208)
@pytest.mark.parametrize(
    ("most", "when", "expected"),
    [("50", "", True), ("was + 10", "", False), ("150", "", False), ("50", " and circuit <= 4", False),
     ("50", " and player.turns < 3", False)],
)  # fmt: skip
def test_a_limit_below_the_points_that_win_is_warned_of_unless_it_ends(most, when, expected):
    law = f'set counter.value to min([otherwise, {most}]) while counter == "points"{when}'
    assert warned(review(law), "goal-out-of-reach") is expected


@pytest.mark.rule("discordian-nomic", 208)
def test_a_goal_that_must_be_reached_exactly_is_within_reach():
    law = 'set counter.value to (was if otherwise > 100 and amount > 0 else otherwise) while counter == "points"'
    assert not warned(review(law), "goal-out-of-reach")


@pytest.mark.rule("discordian-nomic", 105)
def test_votes_cast_one_after_the_other_for_those_who_are_here_are_warned_of():
    assert warned(review('on vote_ending: each p in not_voted: cast "for" for p'), "nobody-votes-for-others")
    away = 'on vote_opened: each p in not_voted when not p.present: cast "for" for p'
    assert not warned(review(away), "nobody-votes-for-others")


DEBT = """track debt per player from 0
on said: award 5 debt to player
instead of won when any(w.debt > 0 for w in winners): announce "First pay your debts."
"""


@pytest.mark.parametrize(
    ("law", "code"),
    [
        (DEBT, "win-asked"),
        (DEBT + 'set win.replaced to "not yet"', "win-put-off"),
        (DEBT + 'set win.replaced to "once allowed"', ""),
        (DEBT.replace('announce "First pay your debts."', "award -50 points to winners"), ""),
    ],
)
def test_a_win_that_is_replaced_and_then_asked_about_or_put_off_for_long_is_warned_of(law, code):
    made = review(law)
    assert [one for one in ("win-asked", "win-put-off") if warned(made, one)] == [code] * bool(code)


def test_a_quota_that_asks_for_all_parts_of_a_proposal_is_told_to_see_each_alone():
    repeals = 'count(c for c in change.parts if c.kind == "repeal") > 1'
    assert warned(review(f"set vote.quota to (2 if {repeals} else otherwise)"), "parts-apart")


def test_a_length_in_characters_that_only_letters_count_for_is_warned_of():
    said = nb.enact(
        "A title may not be longer than 40 characters.", law="forbid propose when letters(change.title) > 40"
    )
    assert warned(sit().review("Ann", said), "said-in-no-clause", said="40 characters")


def test_who_cannot_vote_but_has_a_ballot_that_counts_as_nothing_is_warned_of():
    fresh = """track fresh per player from 0
on entered: put fresh of player at 1
set vote.weight to 0 while voter.fresh == 1"""
    said = nb.enact("New players cannot vote.", law=fresh)
    assert warned(sit().review("Ann", said), "ballot-for-nothing", said="cannot vote")


def test_a_limit_that_lifts_whoever_is_below_it_already_is_warned_of():
    limit = 'set counter.value to max([otherwise, {}]) while counter == "points"'
    game = sit()
    assert not warned(review(limit.format(0), game), "loss-lifts")
    game.host.correct('put points of "Cleo" at -9', agreed=list(game.players), reason="To try it.")
    assert warned(review(limit.format(0), game), "loss-lifts", was="−9", now="0")
    assert not warned(review(limit.format("min([was, 0])"), game), "loss-lifts")


def test_a_turn_passed_over_is_never_heard_of_where_turns_begin_at_will():
    law = "track out per player from 0\non passed_over: put out of player at 0"
    assert warned(review(law, sit(system="github-nomic")), "nobody-passed-over", rule=-112)
    assert not warned(review(law), "nobody-passed-over")


@pytest.mark.parametrize("system", ["discordian-nomic", "github-nomic"])
def test_a_vote_that_closes_before_enough_are_in_favour_is_warned_of(system):
    closing = "set vote.closes to otherwise or count(supporters) > count(playing) / 2"
    assert warned(review(closing, sit(system=system)), "closes-before-quota", many=2, all=3)
    majority = "\nset vote.quota to majority(vote.electorate)\nprevails over everything"
    assert not warned(review(closing + majority, sit(system=system)), "closes-before-quota")
    assert not warned(review("set vote.closes to otherwise or count(opponents) > 0"), "closes-before-quota")


def test_a_tied_vote_that_passes_where_most_votes_do_not_is_warned_of():
    tie = 'set vote.quota to (votes_for if votes_for == votes_against else {})\nset vote.quota_when to "closing"'
    assert warned(review(tie.format("otherwise")), "tie-passes", many=2, others=1)
    most = f"{tie.format('majority(vote.electorate)')}\nprevails over 203"
    assert not warned(review(most), "tie-passes")


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        ("track pope per game as player from none\non said when game.pope != none: put pope at player", True),
        ("track pope per game as player from none\non said when game.pope == none: put pope at player", False),
        ("track hats per player from 0\non said when player.hats > 0: award 1 hats to player", True),
        ("track hats per player from 0\non said when player.hats >= 1: award 1 hats to player", True),
        ("track hats per player from 1\non said when player.hats > 0: award 1 hats to player", False),
        ("track hats per player from 0\non said when player.points > 0: award 1 hats to player", False),
    ],
)
def test_a_table_that_changes_only_where_it_has_changed_already_is_warned_of(law, expected):
    assert warned(review(law), "table-barred") is expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("player.points >= 1: pay 1 points from player to mover", "player.points < 1: award -5 points to player", True),
        ("player.points < 1: award 5 points to player", "player.points >= 1: award -1 points to player", True),
        ("player.points >= 1: award 1 points to player", "player.points < 1: award -5 points to player", False),
        ("player.stage == 0: put stage of player at 1", "player.stage == 1: put stage of player at 2", True),
        ("player.stage == 1: put stage of player at 2", "player.stage == 0: put stage of player at 1", False),
        ("player.points > 2: award -1 points to player", "not player.points > 2: award 2 points to player", True),
        ("player.stage > 2: award -1 points to player", "player.stage <= 2: award 2 points to player", False),
    ],
)
def test_two_cases_of_which_the_first_brings_about_the_second_are_warned_of(first, second, expected):
    law = f"track stage per player from 0\non said:\n    when {first}\n    when {second}"
    assert warned(review(law), "first-leads-to-second") is expected


CHEER = 'offer "cheer" when turn > 0: announce "Hurrah"'
COUNTED = """track cheers per player from 0
offer "cheer" when player.cheers == 0: (announce "Hurrah"; put cheers of player at 1)
on turn_begun: put cheers of players at 0"""


@pytest.mark.parametrize(
    ("wording", "law", "expected"),
    [
        ("Once per turn a player may cheer.", CHEER, True),
        ("A player may cheer only once in their own turn.", CHEER, True),
        ("On their turn a player may give one cheer.", CHEER, True),
        ("Once per turn a player may cheer.", COUNTED, False),
        ("A player may cheer at any time.", CHEER, False),
    ],
)
def test_an_offer_that_is_open_more_often_than_its_wording_says_is_warned_of(wording, law, expected):
    assert warned(sit().review("Ann", nb.enact(wording, law=law)), "open-again") is expected


def test_late_ballots_that_count_only_in_the_wording_are_warned_of():
    law = """set vote.closes to otherwise or proposal.hours >= 72
on proposed: after 3 days: when proposal.status == "open": award -2 points to proposal.not_voted"""
    change = nb.enact("Whoever has not voted in time is counted as having voted against, and loses 2 points.", law=law)
    assert warned(sit().review("Ann", change), "said-in-no-clause")
    counting = f"set vote.quota to otherwise + count(proposal.not_voted)\n{law}"
    assert not warned(sit().review("Ann", nb.enact(change.wording, law=counting)), "said-in-no-clause")


def test_a_question_about_an_open_proposal_that_may_come_too_late_is_warned_of():
    veto = """offer "veto": let player choose gone from [q for q in proposals if q.status == "open"]; {}"""
    fee = "award -5 points to player"
    assert warned(review(veto.format(fee)), "asked-while-open", name="gone")
    assert not warned(review(veto.format(f'when gone.status == "open": {fee}')), "asked-while-open")


def test_rounds_counted_by_players_where_armies_have_the_turns_are_warned_of():
    law = "track peace per game from 0\non moved: after {} turns: put peace at 0"
    chess = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    assert warned(review(law.format("2 * count(seats)"), chess), "round-of-armies")
    assert not warned(review(law.format("2 * count(turn.sequence)"), chess), "round-of-armies")
    assert not warned(review("on said: after count(seats) turns: award 1 points to player"), "round-of-armies")


@pytest.mark.parametrize(
    ("law", "system"),
    [
        ("set vote.closes to otherwise or turn > 9\nforbid close_vote when votes_for < 2", "github-nomic"),
        ('set capture.result to "explode"\nforbid move when any(p.kind == "Q" for p in captures)', "nomic-chess"),
    ],
)
def test_a_ban_on_an_act_and_what_decides_on_it_are_one_subject(law, system):
    assert "several-changes" not in codes(review(law, nb.new_game(system, ["Ann", "Ben", "Cleo"], seed=7)))


@pytest.mark.parametrize(("until", "expected"), [("proposal.hours < 24", False), ("proposal.hours > 24", True)])
def test_a_vote_that_stays_open_for_some_hours_is_no_standstill(until, expected):
    law = f"set vote.closes to false\nforbid close_vote when {until}\nprevails over everything on may.close_vote"
    assert ("standstill" in codes(review(law, sit(system="github-nomic")))) is expected


@pytest.mark.parametrize(
    ("options", "before", "expected"),
    [("any number", "", True), ("any number", "when n > 0: ", False), ("numbers(1, player.points)", "", False)],
)
def test_a_number_below_zero_that_somebody_may_choose_to_pay_is_warned_of(options, before, expected):
    law = f'offer "give": let player choose n from {options}; {before}pay n points from player to mover'
    assert warned(review(law), "answer-below-zero", name="n") is expected


def test_a_tie_that_the_wording_breaks_is_not_warned_of():
    law = "on circuit_ended: award 1 points to item(highest(playing, [p.points for p in playing]), 1)"
    best = "At the end of each round the player with the most points gets 1 point"
    for more, expected in ((".", True), ("; in a tie, the one who joined first.", False)):
        assert ("ties" in codes(sit().review("Ann", nb.enact(best + more, law=law)))) is expected


def test_a_win_put_off_for_all_because_of_one_of_them_is_warned_of():
    replaced = 'set win.replaced to "once allowed"\ninstead of won when {}: announce "Not yet."'
    assert warned(review(replaced.format("any(w.points > 200 for w in winners)")), "winners-together")
    assert warned(review(replaced.format("not any(w.points > 200 for w in winners)")), "winners-together")
    assert not warned(review(replaced.format("circuit < 5")), "winners-together")


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        ('instead of mated: announce "Play goes on."', True),
        ("instead of mated: remove pieces_of(army.controller)", True),
        ("instead of mated: eliminate army.controller", False),
        ('instead of mated when circuit < 3: announce "Too early."', False),
    ],
)
def test_mates_that_put_nobody_out_are_warned_of_where_the_last_one_left_wins(law, expected):
    chess = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    assert warned(review(law, chess), "nobody-put-out") is expected


def test_a_table_that_a_clause_in_place_of_an_event_changes_is_not_barred():
    law = (
        "track held per player from 0\ninstead of won when all(w.held == 0 for w in winners): put held of winners at 1"
    )
    assert not warned(review(law), "table-barred")


@pytest.mark.parametrize(
    ("quota", "expected"),
    [
        ("otherwise - count(p for p in playing if p.idle > 48)", True),
        ("max([1, otherwise - count(p for p in playing if p.idle > 48)])", False),
        ("otherwise - 1", False),
        ("otherwise - count(proposal.not_voted)", False),
    ],
)
def test_a_quota_that_can_sink_to_nothing_is_warned_of(quota, expected):
    assert warned(review(f"set vote.quota to {quota}"), "quota-sinks") is expected


def test_a_tie_that_is_broken_only_where_most_votes_decide_is_not_warned_of():
    tied = "votes_for == votes_against and otherwise <= majority(vote.electorate)"
    law = f'set vote.quota to (votes_for if {tied} else otherwise)\nset vote.quota_when to "closing"'
    assert not warned(review(law), "tie-passes")


def test_the_price_of_each_is_no_gain():
    law = """track apples per player from 10
offer "buy a point" when player.apples >= 2: award -2 apples to player; award 1 points to player"""
    change = nb.enact("On their turn a player may buy points at 2 apples a point.", law=law)
    assert "wrong-sign" not in codes(sit().review("Ann", change))


BEST = """on circuit_ended:
    let best be highest(playing, [p.points for p in playing])
    {}award 5 points to item(best, 1)"""


@pytest.mark.parametrize(("when", "expected"), [("", True), ("when count(best) > 0: ", True),
                                                ("when count(best) == 1: ", False)])  # fmt: skip
def test_a_tie_in_a_list_that_has_a_name_is_warned_of(when, expected):
    assert warned(review(BEST.format(when)), "tie-broken-by-order") is expected


PASSED_ON = """set counter.value to min([otherwise, max([was, 30])]) while counter == "points"
on withheld when counter == "points" and amount > 0{}:
    let poor be lowest(playing, [p.points for p in playing])
    award amount // count(poor) points to poor"""


@pytest.mark.parametrize(("when", "expected"), [("", True), (" and any(p.points < 30 for p in playing)", False)])
def test_a_limit_that_passes_on_what_nobody_can_take_is_warned_of(when, expected):
    told = {"what": "rule 301 triggers itself forever once players can’t have more"}
    assert warned(review(PASSED_ON.format(when)), "effects-endless", **told) is expected


@pytest.mark.rule("nomic-chess", 219)
@pytest.mark.parametrize(("kind", "expected"), [("K", True), ("R", False)])
def test_a_king_that_may_not_leave_a_check_is_warned_of(kind, expected):
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=3)
    rest = f'forbid move when piece.kind == "{kind}" and circuit > 3\nprevails over 202'
    assert warned(review(rest, game), "king-held") is expected
    assert not warned(review(f'{rest}\nset army.stuck to "skip"', game), "king-held")
    assert not warned(review(rest.partition("\n")[0], nb.new_game("make-a-rule", ["Ann", "Ben"], seed=3)), "king-held")


LATE = """set vote.closes to otherwise or {} >= 72
on vote_ending when {} >= 72: award -2 points to not_voted"""
OPENED = "track debated per proposal from 0\non vote_opened: put debated(proposal) at proposal.hours\n"


@pytest.mark.rule("discordian-nomic", 111)
@pytest.mark.parametrize("debated", [False, True])
def test_a_vote_that_is_over_when_a_long_debate_ends_is_warned_of(debated):
    game = sit()
    game.host.time("2026-11-02 12:00")
    hours = "proposal.hours - proposal.debated" if debated else "proposal.hours"
    law = (OPENED if debated else "") + LATE.format(hours, hours)
    assert warned(review(law, game), "debate-counted") is not debated
    adopt(game, nb.enact("Late votes cost.", law=law))
    game.roll("Ann", 1)
    game.propose(game.player, nb.enact("Tea."), debate=True)
    proponent = game.player
    game.host.time("2026-11-06 12:00")
    game.call_vote(proponent)
    assert (game.proposals[302].outcome == "open") is debated


@pytest.mark.parametrize(
    ("wording", "law", "told"),
    [
        (
            "Knights that capture earn a point.",
            'on captured when capturer.kind == "N": announce "so"',
            "counts as a knight",
        ),
        (
            "Pawns that capture earn a point.",
            'on captured: when capturer.kind == "P": announce "so"',
            "doesn’t count as a pawn",
        ),
        ("Pawns that promote count as knights.", 'on captured when capturer.kind == "N": announce "so"', None),
        ("So be it.", 'on captured when capturer.kind == "K": announce "so"', None),
        ("So be it.", 'on moved when piece.kind == "N": announce "so"', None),
        ("So be it.", 'instead of captured when capturer.kind == "P": convert piece to mover_army', None),
        ("So be it.", 'on captured when capturer.kind == "N": announce "so"\non promoted: announce "so"', None),
    ],
)
def test_voters_are_told_that_a_pawn_may_capture_as_what_it_becomes(wording, law, told):
    found = [
        str(sign.evidence)
        for sign in sit("Ann", "Ben", system="nomic-chess").review("Ann", nb.enact(wording, law)).warnings
        if sign.code == "promoted-capturer"
    ]
    assert [told in one for one in found] == ([True] if told else [])
