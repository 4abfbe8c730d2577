"""Probes of what Discordian and Game Cabinet Nomic say the same: winning by points (112), and the mutable rules."""

from __future__ import annotations

from probes.everywhere import ALL, MAJORITY
from probes.looks import (
    effective,
    first_judge,
    gains,
    idle,
    insists,
    mutable_rules,
    needs_consent,
    next_to_propose,
    outcome_of,
    over,
    points_of_a_dummy,
    prevailing,
    seen,
    skips,
    term,
    votes_weigh,
)
from probes.table import none, probe

CAP = 'require count(r for r in rules if r.tier == "mutable") <= 40'
MORE = 'on said: enact q\ndraft q: "One more rule."\n    allow say'

DUMMY_SCORES = """on enacted when rule == this: enter player "D" as dummy
on vote_opened: cast "for" for "D"
on said: award 150 points to player_named("D")"""


def talk(at, times=15, cap=25):
    """Whether there are more mutable rules than the cap, once somebody has spoken so often."""
    for _ in range(times):
        at.game.say("Ann", "More.")
        at.heed()
    return mutable_rules(at) > cap


def sixty_by_talk(at):
    at.game.say("Ben", "Sixty, please.")
    at.heed()
    return list(at.game.winners)


def rolls(at):
    """Whether Ben can throw once his proposal was voted on."""
    at.put(idle(at), player="Ben")
    return at.does(lambda: at.game.roll("Ben", 1))


DICE = [
    # 114: changes that can be adopted
    probe(114, "a-dummy-that-is-always-against",
          'on enacted when rule == this: enter player "D" as dummy\non vote_opened: cast "against" for "D"',
          "refused or defeated or asked",
          "all must be for a change, one never is: nothing is adopted any more (torn: each change is permissible, "
          "and fails)", outcome_of(idle, "adopted", "defeated")),
    # 112: winning is to achieve n points; n and the ways to points can be changed
    probe(112, "ann-wins", 'set win.winners to [player_named("Ann")]', "defeated",
          "to win is to achieve points, and nothing else", over([], ["Ann"])),
    probe(112, "ann-wins-it-says", 'set win.winners to [player_named("Ann")]\nprevails over everything', "defeated",
          "whatever a mutable rule claims", over([], ["Ann"])),
    probe(112, "patience-wins", "set win.winners to [p for p in playing if p.turns >= 2]\nprevails over <208>",
          "defeated", "turns are no points", over([], ["Ann"], after=6)),
    probe(112, "another-n", "set win.points to 30\nprevails over <208>", "works", "the magnitude of n may be changed",
          term("win.points", 100, 30)),
    probe(112, "another-n-in-full",
          "set win.winners to [p for p in playing if p.points >= 50]\non said: award 60 points to player\n"
          "prevails over <208>",
          "works or void",
          "to win by 50 points is to win by n points, in other words than 208 has; yet who wins stands in 112, and a "
          "clause of lower standing that says it anew is one that 112 makes void (n is `win.points`)",
          seen(sixty_by_talk, [], ["Ben"])),
    probe(112, "points-for-talk", "on said: award 120 points to player", "works",
          "the means of earning points may be changed", seen(sixty_by_talk, [], ["Ben"])),
    # 201: clockwise, whole turns, from zero
    probe(201, "backwards", "set turn.sequence to reversed(seats)", "defeated", "201 has the lower number (211)",
          term("turn.sequence", ALL, ALL[::-1])),
    probe(201, "backwards-it-says", "set turn.sequence to reversed(seats)\nprevails over <201>", "works",
          "a mutable rule can go before another if it says so (211)", term("turn.sequence", ALL, ALL[::-1])),
    probe(201, "passing", "allow skip", "defeated", "turns may not be passed; 201 has the lower number",
          seen(skips, False, True)),
    probe(201, "passing-it-says", "allow skip\nprevails over <201>", "works", "it goes before 201, and says so",
          seen(skips, False, True)),
    probe(201, "ann-again", 'set turn.next to [player_named("Ann")]', "defeated",
          "players alternate, one whole turn apiece; 201 has the lower number", seen(next_to_propose, "Ben", "Ann")),
    probe(201, "ben-is-passed-over", 'on turn_begun when player.name == "Ben": end turn', "defeated",
          "turns may not be skipped, nor parts of them left out; 201 has the lower number",
          seen(next_to_propose, "Ben", "Cleo")),
    probe(201, "ann-again-it-says", 'set turn.next to [player_named("Ann")]\nprevails over <201>', "works",
          "it goes before 201, and says so", seen(next_to_propose, "Ben", "Ann")),
    probe(201, "ben-is-passed-over-it-says",
          'on turn_begun when player.name == "Ben": end turn\nprevails over <201>', "works",
          "it goes before 201, and says so", seen(next_to_propose, "Ben", "Cleo")),
    probe(201, "ben-has-no-turn", 'forbid begin_turn when player.name == "Ben"', "defeated",
          "turns may not be skipped; 201 has the lower number", seen(next_to_propose, "Ben", "Cleo")),
    probe(201, "ben-has-no-turn-it-says", 'forbid begin_turn when player.name == "Ben"\nprevails over <201>', "works",
          "it goes before 201, and says so", seen(next_to_propose, "Ben", "Cleo")),
    probe(201, "fifty-to-begin-with", "track points per player from 50", "refused or defeated",
          "all began with zero points, and have begun", seen(lambda at: at.game.scores["Ben"], 0, 50)),
    # 202: a proposal, then a throw
    probe(202, "only-throws", 'set turn.parts to ["throw"]', "defeated",
          "a turn has two parts; 202 has the lower number", term("turn.parts", ["proposal", "throw"], ["throw"])),
    probe(202, "throw-first", 'set turn.parts to ["throw", "proposal"]\nprevails over <202>', "works",
          "it goes before 202, and says so", term("turn.parts", ["proposal", "throw"], ["throw", "proposal"])),
    probe(202, "no-throw-for-ben", 'forbid roll when player.name == "Ben"', "defeated",
          "a turn has its throw, and parts may not be left out; 201 and 202 have lower numbers",
          seen(rolls, True, False)),
    probe(202, "a-one-brings-nothing-it-says", "set throw.points to 0 while face == 1\nprevails over <202>", "works",
          "it goes before 202, and says so", gains(idle, "Ben", 1, 0, whole=True)),
    probe(202, "a-bonus-for-throwing", "on thrown: award 4 points to player", "works",
          "the face is added all the same, and other means of earning points are free (112)",
          gains(idle, "Ben", 1, 5, whole=True)),
    # 203: unanimity
    probe(203, "one-vote", "set vote.quota to 1", "defeated", "203 has the lower number (211)",
          outcome_of(idle, "defeated", "adopted", ["Ann"])),
    probe(203, "one-vote-it-says", "set vote.quota to 1\nprevails over <203>", "works",
          "it goes before 203, and says so", outcome_of(idle, "defeated", "adopted", ["Ann"])),
    probe(203, "one-vote-by-amendment", "set vote.quota to 1", "works", "203 is mutable and can be amended",
          outcome_of(idle, "defeated", "adopted", ["Ann"]), amends=203),
    # 204: ten points for dissent
    probe(204, "dissent-brings-nothing", "set dissent.points to 0", "defeated", "204 has the lower number (211)",
          gains(idle, "Cleo", 10, 0, ["Cleo"]), before=MAJORITY),
    probe(204, "dissent-brings-nothing-it-says", "set dissent.points to 0\nprevails over <204>", "works",
          "it goes before 204, and says so", gains(idle, "Cleo", 10, 0, ["Cleo"]), before=MAJORITY),
    # 205: full effect when the vote is complete
    probe(205, "effect-after-the-turn", 'set change.effective to "turn ended"', "defeated",
          "205 has the lower number (211)", seen(effective, True, False)),
    probe(205, "effect-after-the-turn-it-says", 'set change.effective to "turn ended"\nprevails over <205>', "works",
          "it goes before 205, and says so; 107 only forbids what is earlier", seen(effective, True, False)),
    # 206: defeat costs ten
    probe(206, "defeat-is-free", "set defeat.points to 0", "defeated", "206 has the lower number (211)",
          gains(idle, "Ben", -10, 0, ALL)),
    probe(206, "defeat-is-free-it-says", "set defeat.points to 0\nprevails over <206>", "works",
          "it goes before 206, and says so", gains(idle, "Ben", -10, 0, ALL)),
    # 207: one vote each
    probe(207, "two-votes-for-ann", 'set vote.weight to 2 while voter.name == "Ann"', "defeated",
          "207 has the lower number (211)", votes_weigh("Ann", 1, 2)),
    probe(207, "two-votes-for-ann-it-says", 'set vote.weight to 2 while voter.name == "Ann"\nprevails over <207>',
          "works", "it goes before 207, and says so", votes_weigh("Ann", 1, 2)),
    # 208: a hundred points
    probe(208, "thirty-are-enough", "set win.points to 30", "defeated", "208 has the lower number (211)",
          term("win.points", 100, 30)),
    probe(208, "thirty-by-amendment", "set win.points to 30", "works", "208 is mutable, and 112 lets n be changed",
          term("win.points", 100, 30), amends=208),
    probe(208, "a-dummy-scores", DUMMY_SCORES, "defeated or asked",
          "a dummy is make-believe and votes, no more: it is nobody who wins",
          seen(points_of_a_dummy, [], ["D"])),
    # 209: twenty-five mutable rules
    probe(209, "more-by-an-effect", MORE, "refused or defeated",
          "at no time are there more than 25, wherever they come from", seen(talk, False, True)),
    probe(209, "a-higher-cap", f"{CAP}\n{MORE}", "refused or defeated", "209 has the lower number (211)",
          seen(talk, False, True)),
    probe(209, "a-higher-cap-it-says", f"{CAP}\nprevails over <209>\n{MORE}", "works",
          "it goes before 209, and says so", seen(talk, False, True)),
    # 210
    none(210,
          "binds people and their plans; what clauses can forbid is saying something in the game, which contradicts "
          "nothing here"),
    # 211: the lowest number, unless rules say otherwise of themselves
    probe(211, "highest-first", 'set precedence.by to ["claims", "highest number"]', "defeated",
          "211 itself has the lower number",
          term("precedence.by", ["claims", "lowest number"], ["claims", "highest number"])),
    probe(211, "highest-first-it-says", 'set precedence.by to ["claims", "highest number"]\nprevails over <211>',
          "works", "it goes before 211, and says so",
          term("precedence.by", ["claims", "lowest number"], ["claims", "highest number"])),
    probe(211, "no-claims", 'set precedence.by to ["lowest number"]', "defeated", "211 itself has the lower number",
          term("precedence.by", ["claims", "lowest number"], ["lowest number"])),
    probe(211, "both-claim", 'set win.when_stuck to [player_named("Cleo")]\nprevails over <213>', "defeated",
          "213 says that it goes first, and so does this rule: then numbers decide", prevailing("win.when_stuck", 213)),
    # 212: the player before the mover judges
    probe(212, "cleo-judges", 'set judge.candidates to [player_named("Cleo")]', "defeated",
          "212 has the lower number (211)", seen(first_judge, "Ann", "Cleo")),
    probe(212, "cleo-judges-it-says", 'set judge.candidates to [player_named("Cleo")]\nprevails over <212>', "works",
          "it goes before 212, and says so", seen(first_judge, "Ann", "Cleo")),
    probe(212, "cleo-insists-in-vain", 'forbid invoke_judgment when player.name == "Cleo"', "defeated",
          "any player's insistence is enough; 212 has the lower number", insists()),
    probe(212, "cleo-insists-in-vain-it-says", 'forbid invoke_judgment when player.name == "Cleo"\nprevails over <212>',
          "works", "it goes before 212, and says so", insists()),
    probe(212, "no-consent-needed", "set judge.consent to true", "defeated",
          "the next turn waits for the consent of a majority of the others; 212 has the lower number",
          seen(needs_consent, True, False)),
    # 213: who wins when play cannot go on
    probe(213, "cleo-wins-when-stuck", 'set win.when_stuck to [player_named("Cleo")]', "defeated",
          "213 goes before every other rule on the winner", prevailing("win.when_stuck", 213)),
    probe(213, "cleo-wins-by-amendment", 'set win.when_stuck to [player_named("Cleo")]', "works",
          "213 is mutable, and 112 lets such rules be amended", term("win.when_stuck", [None], ["Cleo"]), amends=213),
]  # fmt: skip
