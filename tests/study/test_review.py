"""What a review says: each thing that it tells, in the Discordian game, with its exact content."""

from __future__ import annotations

import math
from itertools import takewhile

import pytest
from play_helpers import adopt, law, majority, open_up, sit, turn
from refusals import refused
from study.warned import told, warned

import nomic_nb as nb
from nomic_nb.study.review.review import Review, review_change

FREE = {"win.points": 10**9}


def reviewed(game, change, player=None) -> Review:
    """Review a change, and see that this left the game alone."""
    before = game.state.digest(), len(game.timeline.events)
    found = review_change(game.timeline, player or game.player, change)
    assert str(found)
    assert (game.state.digest(), len(game.timeline.events)) == before
    return found


def said(found) -> list[str]:
    return [str(one) for one in found]


def the_rule(found: Review) -> list[str]:
    """What the text of a review says of the words of the rule, line by line."""
    lines = str(found).splitlines()
    below = lines[lines.index("The rule") + 1 :]
    return [line.strip() for line in takewhile(lambda line: line.startswith("  "), below)]


@pytest.fixture
def game():
    return sit(terms=FREE)


# ------------------------------------------------------------------------------------------ 1. redline


def test_the_redline_of_an_amendment_is_word_by_word(game):
    found = reviewed(game, nb.amend(204, law="set dissent.points to 12\non adopted: award dissent.points to opponents"))
    assert the_rule(found) == [
        "Clauses", "set dissent.points to [-10-]{+12+}", "on adopted: award dissent.points to opponents",
    ]  # fmt: skip
    assert (found.redline.old.number, found.redline.new.number) == (204, 301)


def test_the_redline_of_a_new_rule_and_of_a_repeal(game):
    new = reviewed(game, nb.enact("Sixes count double.", "set throw.points to face * 2 while face == 6", "Sixes"))
    assert the_rule(new)[:2] == ["Title: {+Sixes+}", "{+Sixes count double.+}"]
    assert new.redline.old is None
    gone = reviewed(game, nb.repeal(207))
    assert the_rule(gone)[-1] == "[-set vote.weight to 1-]"
    assert gone.redline.new is None


def test_the_redline_of_an_amendment_put_beside(game):
    found = reviewed(game, nb.amend(208, "Cheers win too.", 'set win.joint to "joint"', add=True))
    assert the_rule(found)[-4:] == [
        "{+Cheers win too.+}", "Clauses", "set win.points to 1000000000", '{+set win.joint to "joint"+}',
    ]  # fmt: skip


def test_repealing_an_amendment_brings_back_what_it_hid(game):
    number = majority(game)
    found = reviewed(game, nb.repeal(number, part=1))
    assert the_rule(found)[-1] == "set vote.quota to [-majority-]{+unanimity+}(vote.electorate)"
    assert found.turned[0].new.value == 3


def test_a_quota_that_reads_the_ballots_is_compared_in_each_case(game):
    found = reviewed(game, nb.enact("A veto.", law="set vote.quota to (99 if count(opponents) > 0 else otherwise)"))
    cases = "to enact a rule or to amend, repeal or transmute a mutable rule, with 0, 1 or 2 of 3 in favour"
    assert f"vote.quota, {cases}: 3 (rule 203) → 99 (rules 203, 301)" in said(found.turned)
    assert not warned(found, "no-term-changes")


def test_law_that_cannot_be_read_is_in_the_review_and_not_raised(game):
    found = reviewed(game, nb.enact("Weigh twice.", law="set vote.wait to 2"))
    assert isinstance(found.error, nb.LawError)
    assert found.error.line == 1
    assert the_rule(found)[-1] == "{+set vote.wait to 2+}"
    assert told(found, "unclear") == [("clauses-unreadable", {"error": str(found.error).splitlines()[0]})]
    assert "It can’t be proposed: its clauses can’t be read." in str(found)


def test_a_rule_that_is_not_there_is_told(game):
    number = majority(game)
    assert reviewed(game, nb.repeal(203)).missing == f"rule 203 has a new number: it is now rule {number}"
    assert reviewed(game, nb.repeal(204, part=1)).missing == "rule 204 has no amendment 1; it has never been amended"


# ------------------------------------------------------------------------------------ 2. terms that change


def test_the_terms_that_change_with_old_and_new_rule_and_case(game):
    found = reviewed(game, nb.library.simple_majority().change(203))
    cases = "to enact a rule or to amend, repeal or transmute a mutable rule"
    assert said(found.turned) == [
        f"vote.quota, {cases}: 3 (rule 203) → 2 (rule 301)",
        f"vote.adopted, {cases}, with 2 of 3 in favour: no (rule 104) → yes (rule 104)",
    ]


def test_throws_are_told_face_by_face(game):
    found = reviewed(game, nb.enact("High throws count double.", "set throw.points to face * 2 while face > 4"))
    assert said(found.turned) == [
        "throw.points, for a 5: 5 (rule P7) → 10 (rule 301)",
        "throw.points, for a 6: 6 (rule P7) → 12 (rule 301)",
    ]


def test_a_term_that_is_the_same_in_every_case_is_told_without_one(game):
    found = reviewed(game, nb.library.another_die(20).change())
    assert "dice.sides: 6 (rule P4) → 20 (rule 301)" in said(found.turned)


def test_weights_are_told_by_voter(game):
    change = nb.enact("Ann weighs two.", 'set vote.weight to (2 if voter.name == "Ann" else 1)\nprevails over 207')
    found = reviewed(game, change)
    bar_opening = "to enact a rule or to amend, repeal or transmute a mutable rule"  # opening one needs everyone (110)
    assert said(found.turned)[0] == f"vote.weight, {bar_opening}, for Ann: 1 (rule 207) → 2 (rule 301)"
    assert [one.term_and_case for one in found.turned if one.recast] == [f"vote.weight, {bar_opening}, for Ben or Cleo"]


def test_silent_torn_and_undecided_terms_are_told(game):
    silent = reviewed(game, nb.repeal(208))
    assert "win.points: 1000000000 (rule 208) → no rule says" in said(silent.turned)
    assert any(one.startswith("win.winners: none (rule 112) → undecided:") for one in said(silent.turned))
    assert "Before: none (rule 112); After: undecided: rule 112 gives no answer, because" in str(silent)
    turn(game, nb.amend(211, "Nothing decides.", "set precedence.by to []"))
    torn = reviewed(game, nb.enact("Dissent pays twelve.", "set dissent.points to 12"))
    assert said(torn.turned) == ["dissent.points: 10 (rule 204) → rules 204 and 302 conflict"]


def test_actions_fall_back_on_what_holds_of_acts_that_no_rule_speaks_of(game):
    found = reviewed(game, nb.transmute(112))
    assert "may.propose, to amend or repeal this rule: no (rule 103) → yes (rule 103)" in said(found.turned)


# ------------------------------------------------------------------------- 3. void, defeated, renumbered


def test_a_rule_that_becomes_void(game):
    found = reviewed(game, nb.enact("Nobody has to vote.", "set vote.duty to false"))
    assert said(found.voided) == ["rule 301 becomes void: it contradicts rule 105 on vote.duty (rule 110)"]
    assert told(found, "no-difference") == [("void-at-once", {"rule": 301, "against": 105, "key": "vote.duty"})]


def test_a_rule_that_is_revived(game):
    void = law(game, "set vote.duty to false")
    found = reviewed(game, nb.transmute(105))
    assert said(found.voided) == [f"rule {void} is no longer void: nothing it contradicts on vote.duty is left"]
    assert [(one.rule, one.void) for one in found.voided] == [(301, False)]
    assert "vote.duty: yes (rule 105) → no (rule 301)" in said(found.turned)


def test_a_rule_that_is_defeated_and_one_that_prevails(game):
    change = nb.enact(
        "Two are enough for a new rule.", 'set vote.quota to 2 while change.kind == "enact"\nprevails over 203'
    )
    assert said(reviewed(game, change).met) == [
        "rule 301 takes precedence over 203 on vote.quota, to enact a rule",
        (
            "rule 203 is overridden by 301 on vote.quota, to enact a rule: "
            "rule 301 claims precedence, or the other rule defers to it (rule 211)"
        ),
    ]


def test_a_rule_that_prevails_because_another_is_gone(game):
    number = open_up(game, 109)
    found = reviewed(game, nb.repeal(number))
    assert (number, 301) == (301, 301)
    assert [str(one) for one in found.turned if not one.recast] == []
    game = sit(terms=FREE)
    found = reviewed(game, nb.transmute(112))
    assert "rule 203 takes precedence on vote.quota, to transmute this rule" in said(found.met)


def test_numbers_and_what_they_do_to_precedence(game):
    (amended,) = reviewed(game, nb.amend(208, law="set win.points to 50")).moved
    assert (amended.old, amended.new) == (208, 301)
    assert amended.gives_way == (209, 210, 211, 212, 213)
    assert amended.prevails == ()
    assert str(amended) == (
        "rule 208 becomes 301; in a conflict it now yields to 209–213, which yielded to it before "
        "(claims, then lowest number, by rule 211)"
    )
    (opened,) = reviewed(game, nb.transmute(112)).moved
    assert (opened.old_tier, opened.new_tier) == ("immutable", "mutable")
    assert opened.gives_way == (113, 114, 115, 116, *range(201, 214))
    (raised,) = reviewed(game, nb.transmute(213)).moved
    assert raised.prevails == tuple(range(201, 213))


# ------------------------------------------------------------------------------------- 4. references


def test_wordings_that_name_a_number_which_no_rule_has(game):
    found = reviewed(game, nb.transmute(116))
    assert said(found.dangling) == [
        "rule 101 says “Rules 101 to 116”, but rule 116 has a new number: it is now rule 301"
    ]
    gone = reviewed(game, nb.repeal(213))
    assert said(gone.dangling) == ["rule 101 says “Rules 201 to 213”, but rule 213 was repealed"]


def test_claims_and_conditions_that_name_a_number(game):
    law(game, "set vote.weight to 2\nprevails over 207")
    law(game, "set vote.changeable to true while target.number == 207")
    found = reviewed(game, nb.amend(207, "One each."))
    assert said(found.dangling) == [
        (
            "rule 301 says “prevails over 207” in a clause, but rule 207 has a new number: it is now rule 303; "
            "the clause still refers to the original rule"
        ),
        (
            "rule 302 says “set vote.changeable to true while target.number == 207” in a clause, but "
            "rule 207 has a new number: it is now rule 303"
        ),
    ]
    assert [one.holds for one in found.dangling] == [True, False]


def test_a_new_rule_that_names_what_is_not_there(game):
    found = reviewed(game, nb.enact("This goes before rule 250, and before rule 203.", "prevails over 250"))
    assert [(one.number, one.clause) for one in found.dangling] == [(250, False), (250, True)]


# ------------------------------------------------------------------------------------------ 5. the vote


def test_what_it_needs_and_whose_ballot_decides(game):
    found = reviewed(game, nb.transmute(112))
    votes = found.votes
    assert (votes.quota.value, votes.total_weight, votes.quota.rule, votes.electorate.rule) == (3, 3, 109, 105)
    assert votes.passes is True
    assert [(one.name, one.weight, one.decides) for one in votes.voters] == [
        ("Ann", 1, 1),
        ("Ben", 1, 1),
        ("Cleo", 1, 1),
    ]
    assert votes.ways_others_can_vote == 4
    assert "It can’t pass unless all three vote for it." in str(found)


def test_weights_decide_more_or_less(game):
    majority(game)
    law(game, 'set vote.weight to (2 if voter.name == "Ann" else 1)\nprevails over 207')
    votes = reviewed(game, nb.enact("Something.")).votes
    assert (votes.quota.value, votes.total_weight) == (3, 4)
    assert [(one.name, one.decides) for one in votes.voters] == [("Ann", 3), ("Ben", 1), ("Cleo", 1)]


@pytest.mark.parametrize("first", [True, False])
def test_changes_made_together_need_the_most_votes_that_one_of_them_needs(game, first):
    majority(game)
    changes = [nb.transmute(112), nb.enact("Tea.")]
    votes = reviewed(game, nb.together(*(changes if first else reversed(changes)))).votes
    assert (votes.quota.value, votes.quota.rule) == (3, 109)


def test_many_voters_are_counted_exactly():
    game = sit(*[f"P{at}" for at in range(30)], terms=FREE)
    majority(game)
    votes = reviewed(game, nb.enact("Something.")).votes
    assert votes.quota.value == 16
    assert {one.decides for one in votes.voters} == {math.comb(29, 15)}


def test_a_rule_that_adopts_by_who_votes(game):
    number = open_up(game, 104)
    turn(game, nb.amend(number, "Ann decides.", 'set vote.adopted to "Ann" in [p.name for p in supporters]'))
    votes = reviewed(game, nb.enact("Something.")).votes
    assert [(one.name, one.decides) for one in votes.voters] == [("Ann", 4), ("Ben", 0), ("Cleo", 0)]


def test_what_can_never_pass(game):
    law(game, 'set vote.quota to 4 while change.kind == "enact"\nprevails over 203')
    found = reviewed(game, nb.enact("Something."))
    assert found.votes.passes is False
    assert found.votes.why == "it needs 4 in favour (rule 301), but all votes add up to 3"
    assert (
        str(found)
        .splitlines()[2]
        .startswith("  It can’t pass: it needs 4 in favour (rule 301), but all votes add up to 3")
    )


def test_a_vote_that_waits_for_a_ballot_that_never_comes(game):
    law(game, 'on enacted: enter player "Dummy" as dummy')
    found = reviewed(game, nb.enact("Something."))
    assert found.votes.passes is False
    assert found.votes.why == "the vote would wait for Dummy, and no rule casts their ballot (rule 105)"


# ------------------------------------------------------------------------------------- 6. warning signs


def test_unclear(game):
    found = reviewed(game, nb.enact("Players should be reasonable, and so on."))
    assert told(found, "unclear") == [
        ("without-clauses", {}),
        ("words-vague", {"words": "“should”, “reasonable” and “and so on”"}),
    ]
    assert told(reviewed(game, nb.amend(207, law="")), "unclear") == [("clauses-taken-away", {})]
    long = told(reviewed(game, nb.enact("word " * 250)), "unclear")
    assert [code for code, _ in long] == ["without-clauses", "wording-long", "sentence-long"]
    assert [values["words"] for _, values in long[1:]] == [250, 250]


def test_ambiguous(game):
    turn(game, nb.amend(211, "Nothing decides.", "set precedence.by to []"))
    found = reviewed(game, nb.enact("Dissent pays twelve.", "set dissent.points to 12"))
    assert told(found, "ambiguous") == [
        (
            "law-torn",
            {
                "where": "dissent.points",
                "rules": "rule 204: set dissent.points to 10; rule 302: set dissent.points to 12",
            },
        )
    ]


def test_no_difference(game):
    rule = game.rules[207]
    assert told(reviewed(game, nb.amend(207, rule.wording, rule.law)), "no-difference") == [
        ("rule-same", {"rule": 207, "number": 301})
    ]
    assert (
        told(reviewed(game, nb.amend(207, law="set vote.weight to 2 - 1\nset vote.weight to 1")), "no-difference") == []
    )
    defeated = reviewed(game, nb.enact("Twelve.", "set dissent.points to 12"))
    assert told(defeated, "no-difference") == [
        (
            "always-defeated",
            {
                "clause": "set dissent.points to 12",
                "rule": 204,
                "reason": "rule 204 has the lower number (rule 211)",
                "below": 204,
            },
        )
    ]
    never = reviewed(game, nb.enact("Never.", "set throw.points to 0 while 1 == 2\nset dissent.points to 9"))
    assert ("condition-never-so", {"clause": "set throw.points to 0 while 1 == 2", "condition": "1 == 2"}) in told(
        never, "no-difference"
    )


def test_several_changes_in_one(game):
    found = reviewed(game, nb.enact("A die of ten, and fifty win.", "set dice.sides to 10\nset win.points to 50"))
    assert told(found, "several-changes") == [
        ("subjects-several", {"count": 2, "subjects": "dice.sides and win.points"})
    ]
    found = reviewed(game, nb.enact("Rule 204 is doubled. Rule 206 is halved."))
    assert told(found, "several-changes") == [("sentences-of-different-rules", {"rules": "204; 206"})]
    one = reviewed(game, nb.amend(201, law=game.rules[201].law.replace("seats", "[p for p in seats]")))
    assert told(one, "several-changes") == []


def test_paradox(game):
    circle = nb.enact("Round.", "set win.points to dice.sides\nset dice.sides to win.points\nprevails over everything")
    assert ("key-circular", {"key": "win.points", "circle": "win.points → dice.sides → win.points"}) in told(
        reviewed(game, circle), "paradox"
    )
    itself = reviewed(game, nb.enact("This rule is repealed by itself.", "on enacted: repeal this"))
    assert told(itself, "paradox") == [("repeals-itself", {"clause": "on enacted: repeal this"})]
    assert itself.follows == ("rule 301 is repealed (rule 301)",)
    two = reviewed(game, nb.enact("Yes and no.", "allow skip\nforbid skip"))
    assert told(two, "paradox") == [("clauses-contradict", {"one": "allow skip", "other": "forbid skip"})]


def test_endless(game):
    change = nb.enact("Every gain brings another.", "on counted when amount > 0: award 1 points to player")
    turn(game, change)
    found = reviewed(game, nb.enact("A gift.", 'on enacted: award 1 points to "Ann"'))
    assert told(found, "paradox") == [("effects-endless", {"what": "rule 301 triggers itself forever"})]


def test_destructive(game):
    parts = reviewed(game, nb.enact("Only throws.", 'set turn.parts to ["throw"]\nprevails over 202'))
    assert told(parts, "destructive") == [
        ("requirement-broken", {"note": "rule 114 does not allow it: require adoption_possible"}),
        (
            "changes-impossible",
            {"reason": "no rule calls on a player to propose; the steps of a turn are throw (rule 301)"},
        ),
    ]
    gone = reviewed(game, nb.repeal(202))
    reason = "no rule calls on a player to propose; no rule says what the steps of a turn are"
    assert ("changes-impossible", {"reason": reason}) in told(gone, "destructive")
    wins = reviewed(game, nb.enact("Ann wins.", f'on enacted: award {10**9} points to "Ann"'))
    assert told(wins, "destructive") == [("somebody-wins", {"players": "Ann", "rule": 112})]
    assert wins.follows == ("Ann: +1000000000 points, now 1000000000 (rule 301)",)
    silent = reviewed(game, nb.repeal(205))
    assert told(silent, "destructive") == [("term-missing", {"term": "change.effective"})]
    few = reviewed(game, nb.enact("Five of three.", "set vote.quota to 5\nprevails over 203"))
    assert told(few, "destructive") == [
        (
            "change-closed",
            {
                "kinds": "to enact a rule or to amend, repeal or transmute a mutable rule",
                "how": "would no longer be possible",
                "why": "it needs 5 in favour (rule 301), but all votes add up to 3",
            },
        )
    ]


def test_nobody_may_vote(game):
    number = open_up(game, 105)
    found = reviewed(game, nb.amend(number, "Nobody votes.", "set vote.electorate to []\nset vote.duty to true"))
    assert ("nobody-votes", {"rule": 302}) in told(found, "destructive")


def test_a_review_counts_only_the_ballots_that_the_rules_allow():
    game = sit()
    open_up(game, 105)
    clauses = 'forbid vote when ballot == "for"\nprevails over everything on may.vote'
    closed = reviewed(game, nb.enact("Nobody is for it.", clauses)).effect_sentence
    assert closed == "It would pass without effect: rule 114 does not allow it: require adoption_possible."
    turn(game, nb.repeal(open_up(game, 114)))
    fails = "it fails because Ann, Ben and Cleo may not vote for it (rule 304)"
    warned_of = dict(told(reviewed(game, nb.enact("Nobody is for it.", clauses)), "destructive"))
    assert warned_of["change-closed"]["why"] == fails
    law(game, clauses)
    found = reviewed(game, nb.enact("Be kind."))
    assert found.votes.passes is False
    assert found.votes.why == fails


def test_a_vote_passes_without_the_one_voter_who_may_not_be_for_it():
    game = sit()
    open_up(game, 105)
    turn(game, nb.repeal(open_up(game, 114)))
    law(game, 'forbid vote when ballot == "for" and player.name == "Ann"\nprevails over everything on may.vote')
    found = game.review(game.player, nb.enact("Be kind."))
    assert found.votes.vote.ballots == {"Ben": "for", "Cleo": "for"}
    assert {voter.decides for voter in found.votes.voters} <= {None, 0}


def test_where_nobody_ever_votes_no_change_is_said_to_end_voting():
    game = sit(system="make-a-rule")
    assert told(game.review("Ann", nb.enact("Be kind.")), "destructive") == []


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        ('on turn_begun when player.name == "Ben": end turn', "rule 201 overrides it in every case"),
        ('on vote_opened: cast "for" for player_named("Ann")', "rule 105 doesn’t let rules cast the vote of Ann"),
        ('forbid invoke_judgment when player.name == "Ann"', "rule 212 has the lower number"),
        ('forbid vote when player.name == "Ann"', "void at once: it contradicts rule 105"),
    ],
)
def test_what_a_published_rule_keeps_from_working_is_said_before_the_vote(game, clauses, said):
    assert said in str(game.review("Ann", nb.enact("So be it.", law=clauses)))


def test_signs_never_stop_anything(game):
    change = nb.enact("Players should be reasonable.", "allow skip\nforbid skip")
    assert reviewed(game, change).warnings
    adopt(game, change)


# --------------------------------------------------------------------------------------- 7. steps first


def test_the_steps_that_have_to_come_first(game):
    found = reviewed(game, nb.amend(112, "Win at once."))
    assert found.proposable is False
    assert found.barred == ("rule 112 is immutable; a proposal to amend rule 112 is not allowed (rule 103)")
    assert said(found.steps) == [
        "transmute rule 112: 3 of 3 in favour (rule 109)",
        "amend rule 301: 3 of 3 in favour (rule 203)",
    ]
    assert [step.number for step in found.steps] == [301, 302]


def test_a_way_round_where_the_rule_itself_cannot_be_changed(game):
    found = reviewed(game, nb.amend("P4", "Ten sides.", "set dice.sides to 10"))
    assert found.steps == ()
    assert found.way_round.change.law == "set dice.sides to 10"
    assert found.way_round.needed.in_short == "3 of 3 in favour (rule 203)"
    assert reviewed(game, nb.repeal("P4")).way_round is None


def test_whose_turn_it_is_does_not_matter(game):
    assert game.player == "Ann"
    assert reviewed(game, nb.repeal(204), "Cleo").proposable is True
    with pytest.raises(nb.IllegalAction, match="Did you mean Cleo"):
        review_change(game.timeline, "Cloe", nb.repeal(204))


# --------------------------------------------------------------------------------------- 8. afterwards


def test_whether_anything_could_still_pass(game):
    assert str(reviewed(game, nb.repeal(204)).future) == "yes: for example to enact a rule: 3 of 3 in favour (rule 203)"
    no = reviewed(game, nb.enact("Only throws.", 'set turn.parts to ["throw"]\nprevails over 202'))
    assert no.future.possible is False
    assert no.adoption.stopped_by == 114
    assert no.effect_sentence == "It would pass without effect: rule 114 does not allow it: require adoption_possible."
    number = open_up(game, 105)
    open_ = reviewed(game, nb.repeal(number))
    assert open_.future.possible is True  # nobody forbids it; who may vote, the table says
    assert str(open_.future) == "yes: later in the game, but not at the moment"
    assert open_.adoption.in_force


def test_a_requirement_that_would_stop_it(game):
    for _ in range(12):
        law(game, "")
    found = reviewed(game, nb.enact("One too many."))
    assert found.no_effect_reason.startswith("rule 209 does not allow it: require count(")
    assert found.adoption.stopped_by == 209
    assert found.future.possible is True
    assert found.turned == found.moved == found.voided == ()


def test_when_it_takes_effect(game):
    law(game, 'set change.effective to "turn ended"\nprevails over 205')
    found = reviewed(game, nb.repeal(204))
    assert found.effect_sentence == "It takes effect as soon as the turn is over."
    turn(game, nb.repeal(301), face=2)
    game = sit(terms=FREE)
    turn(game, nb.repeal(205))
    found = reviewed(game, nb.repeal(204))
    assert found.effect_sentence == "Can’t tell yet when it takes effect: the players are asked."
    assert found.adoption.doubts == ("the rules do not say when a change that passes takes effect (silent)",)


# ---------------------------------------------------------------------------------------- how it is shown


def test_a_proposal_in_debate_is_reviewed_under_its_own_number(game):
    change = nb.repeal(204)
    proposal = game.propose("Ann", change, debate=True)
    assert reviewed(game, change, "Ann").number == proposal.number == 301
    assert reviewed(game, nb.repeal(206), "Ben").number == 302


def test_dice_are_not_told_beforehand(game):
    found = reviewed(game, nb.enact("Luck.", "on enacted: roll 1 of 6 as luck; award luck points to playing"))
    assert found.follows == ("what rule 301 does then depends on a roll",)


def test_the_text(game):
    assert str(reviewed(game, nb.transmute(112))).splitlines()[:7] == [
        "Review – can pass",
        "  Transmute rule 112. As Ann would propose it, as 301.",
        "  It can pass: it needs 3 of 3 in favour (rule 109). Ann, Ben and Cleo may vote (rule 105).",
        "  It can’t pass unless all three vote for it.",
        "  It takes effect as soon as the vote is complete.",
        "The rule",
        "  Its text stays the same.",
    ]


@pytest.mark.parametrize(
    "change",
    [
        nb.enact("<b>", "set vote.wait to 1", "<i>"), nb.enact("<b>bold</b>", title="<i>"), nb.repeal(9),
        nb.repeal(112),
        nb.amend(203, "<script>", title="<i>"), nb.transmute(112), nb.repeal(203),
    ],
)  # fmt: skip
def test_the_page_escapes_what_strangers_write(change):
    from nomic_nb.notebook.markup.tree import element_html
    from nomic_nb.notebook.show.review import draw_review as shown

    page = element_html(shown(reviewed(sit("<b>", "Ben"), change)))
    assert page.startswith("<article")
    for tag in ("<b>", "<i>", "<script>"):
        assert tag not in page


@pytest.mark.rule("github-nomic", -209)
def test_the_number_that_others_assign():
    game = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    change = nb.enact("Half is enough.", "set vote.quota to 2")
    assert game.review("Ann", change).example
    found = game.review("Ann", change, number=150)
    assert (found.number, found.example) == (150, False)
    with refused("number-unfit", least=1):
        game.review("Ann", change, number=-101)
    with refused("numbers-by-law"):
        nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"]).review("Ann", change, number=400)


# --------------------------------------------------------------------------- where a condition can hold


def test_a_clause_is_tried_where_its_condition_can_hold(game):
    found = reviewed(game, nb.enact("Not every turn.", "forbid propose when turn % 3 == 0"))
    assert any(
        one.key == "may.propose" and one.case.endswith("if turn % 3 == 0") and one.new.value is False
        for one in found.turned
    )
    assert told(found, "destructive") == [("nobody-can-propose", {"when": "turn % 3 == 0", "rule": 301})]
    assert found.future.possible is True
    part = reviewed(game, nb.enact("Not later.", 'forbid propose when player.name == "Ann" and turn > 4'))
    (turned,) = part.turned
    assert turned.term_and_case.endswith(', for Ann, if player.name == "Ann" and turn > 4')
    one = reviewed(game, nb.enact("Not Ann.", 'forbid propose when player.name == "Ann"'))
    assert told(one, "destructive") == [("some-cannot-propose", {"players": "Ann", "rule": 301})]


@pytest.mark.rule("discordian-nomic", 213)
def test_the_danger_that_play_stands_still_is_named(game):
    found = reviewed(game, nb.enact("Hush.", "forbid call_vote when turn > 5"))
    assert told(found, "destructive") == [
        ("awaited-forbidden", {"action": "end the debate and open the vote", "when": "turn > 5", "wins": 213})
    ]
    for clauses in ("forbid vote when turn > 4", 'forbid vote when player.name == "Cleo"'):
        never = reviewed(game, nb.enact("No vote.", clauses))
        assert told(never, "destructive") == []  # 105 grants it
        assert told(never, "no-difference") == [("void-at-once", {"rule": 301, "against": 105, "key": "may.vote"})]


def test_a_clause_that_changes_nothing_even_where_it_holds(game):
    found = reviewed(game, nb.enact("As it is.", "set dissent.points to 10 while turn > 5\nprevails over 204"))
    assert warned(found, "changes-nothing", when="turn > 5")


def test_how_often_a_vote_decides_is_said_only_if_voters_differ():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo", "Dov", "Eve"], seed=7)
    turn(game, nb.library.simple_majority().change(203))
    assert "decisive" not in str(game.review("Ben", nb.enact("We greet each other.")))
    turn(game, nb.transmute(105))
    turn(game, nb.library.extra_votes_for("Ann", 4).change())
    assert "Ann’s vote is decisive in 15 of the 16 ways" in str(game.review("Cleo", nb.enact("We greet each other.")))
