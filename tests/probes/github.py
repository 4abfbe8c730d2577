"""The table for GitHub Nomic."""

from __future__ import annotations

from probes.dice import talk
from probes.everywhere import ALL, EVERYWHERE, MAJORITY, MUTABLE_MEANS_OPEN
from probes.looks import (
    effective,
    gains,
    idle,
    insists,
    outcome_of,
    over,
    prevailing,
    seen,
    term,
    votes_weigh,
)
from probes.table import probe


def both_begin(at):
    """Whether Ben can begin a turn in Ann's."""
    at.game.begin_turn("Ann")
    at.heed()
    return at.does(lambda: at.game.begin_turn("Ben"))


def begins_twice(at):
    at.game.begin_turn("Ann")
    return at.does(lambda: at.game.begin_turn("Ann"))


def closed_early(at):
    """Whether the proponent can close a vote in which somebody has voted against."""
    proposal = at.propose(idle(at), "Ben")
    at.game.vote("Ann", "against", proposal.number)
    at.heed()
    return at.does(lambda: at.game.close_vote("Ben", proposal.number))


def closed_by_another(at):
    proposal = at.propose(idle(at), "Ben")
    at.game.vote("Ann", "against", proposal.number)
    at.heed()
    return at.does(lambda: at.game.close_vote("Cleo", proposal.number))


def closed_at_once(at):
    proposal = at.propose(idle(at), "Ben")
    at.game.vote("Ben", "for", proposal.number)
    at.heed()
    return at.does(lambda: at.game.close_vote("Cleo", proposal.number))


def quota_after_two_turns_each(at):
    at.idle(5)
    at.begin()
    return int(at.game.why("vote.quota", idle(at)).value)


def choice_of_judge(at):
    """Who chooses the Judge of a question of Cleo's in Ben's turn, and among whom."""
    at.propose(idle(at), "Ben", debate=True)
    at.game.invoke_judgment("Cleo", "Is that so?")
    at.heed()
    asked = next((one for one in at.game.pending if one.action == "choose"), None)
    return [asked.player, *asked.options] if asked else ["nobody", next(iter(at.game.judgments)).judge]


GITHUB = [
    *EVERYWHERE,
    *MUTABLE_MEANS_OPEN,
    # -212: everyone may vote; nobody has to
    probe(-212, "voting-is-a-duty", "set vote.duty to true", "works",
          "that all may vote does not say that they need not; a mutable rule can oblige them",
          term("vote.duty", False, True, idle)),
    # -209: GitHub numbers
    probe(-209, "own-numbers", 'set proposal.numbering to "successive"\nprevails over -209', "defeated",
          "the numbers are those that GitHub assigns", term("proposal.numbering", "assigned", "successive")),
    # -206: the proponent calls the vote
    probe(-206, "others-end-the-vote", "set vote.ended_by to seats\nallow close_vote", "works",
          "the proponent ends the debate and calls the vote; who ends the voting -110 leaves open (by another "
          "reading of -206 it is the proponent too)", seen(closed_by_another, False, True)),
    # -205: winning is by points
    probe(-205, "ann-wins", 'set win.winners to [player_named("Ann")]\nprevails over everything', "defeated",
          "to win is to achieve points, and nothing else", over([], ["Ann"])),
    probe(-205, "patience-wins", "set win.winners to [p for p in playing if p.turns >= 2]\nprevails over -105",
          "defeated", "turns are no points", over([], ["Ann"], after=6)),
    probe(-205, "another-n", "set win.points to 30\nprevails over -105", "works", "the magnitude of n may be changed",
          term("win.points", 200, 30)),
    # -112: turns begin at will, and overlap
    probe(-112, "one-at-a-time", "set turn.overlap to false", "defeated",
          "turns may overlap; -112 has the lower number (-103)", seen(both_begin, True, False)),
    probe(-112, "one-at-a-time-it-says", "set turn.overlap to false\nprevails over -112", "works",
          "it goes before -112, and says so", seen(both_begin, True, False)),
    probe(-112, "ben-never-begins", 'forbid begin_turn when player.name == "Ben"', "defeated",
          "a player may begin at any time; -112 has the lower number", seen(both_begin, True, False)),
    probe(-112, "ben-never-begins-it-says", 'forbid begin_turn when player.name == "Ben"\nprevails over -112', "works",
          "it goes before -112, and says so", seen(both_begin, True, False)),
    probe(-112, "two-turns-at-once", "allow begin_turn", "defeated",
          "nobody begins a turn before their own turns have ended; -112 has the lower number",
          seen(begins_twice, False, True)),
    probe(-112, "turns-come-by-themselves", 'set turn.start to "automatic"', "defeated",
          "players begin turns when it suits them; -112 has the lower number",
          term("turn.start", "at will", "automatic")),
    probe(-112, "fifty-to-begin-with", "track points per player from 50", "refused or defeated",
          "all began with zero points, and have begun", seen(lambda at: at.game.scores["Ben"], 0, 50)),
    # -111: a proposal, then its score
    probe(-111, "no-score", "set proposal.score to 0", "defeated", "-111 has the lower number (-103)",
          gains(idle, "Ben", 11, 0, by="Ben")),
    probe(-111, "no-score-it-says", "set proposal.score to 0\nprevails over -111", "works",
          "it goes before -111, and says so", gains(idle, "Ben", 11, 0, by="Ben")),
    probe(-111, "the-whole-share", "set vote.share to 1", "defeated",
          "the fraction is that of the favourable votes received; -111 has the lower number",
          gains(idle, "Ben", -3, 1, ["Cleo"], by="Ben")),
    probe(-111, "halves-to-even", 'set score.half to "even"', "works",
          "the nearest integer to a half is not said, so a rule can say it", term("score.half", "up", "even")),
    probe(-111, "only-proposals", 'set turn.parts to ["proposal"]', "defeated",
          "a turn has two parts; -111 has the lower number", term("turn.parts", ["proposal", "score"], ["proposal"])),
    # -110: unanimity, and a majority later
    probe(-110, "one-vote", "set vote.quota to 1", "defeated", "-110 has the lower number (-103)",
          outcome_of(idle, "defeated", "adopted", ["Ann"])),
    probe(-110, "one-vote-it-says", "set vote.quota to 1\nprevails over -110", "works",
          "it goes before -110, and says so", outcome_of(idle, "defeated", "adopted", ["Ann"])),
    probe(-110, "one-vote-by-amendment", "set vote.quota to 1", "works", "-110 is mutable and can be amended",
          outcome_of(idle, "defeated", "adopted", ["Ann"]), amends=-110),
    probe(-110, "no-change-by-itself", "set change.automatic to false", "defeated",
          "it changes by itself once each player has had two turns; -110 has the lower number",
          seen(quota_after_two_turns_each, 2, 3)),
    probe(-110, "unanimity-for-ever", "set vote.quota to unanimity(vote.electorate)", "defeated",
          "the changed -110 has the lower number still", seen(quota_after_two_turns_each, 2, 3)),
    probe(-110, "votes-run-to-the-end", "forbid close_vote", "defeated",
          "a vote may end as soon as one against is counted, and the proponent decides (-206)",
          seen(closed_early, True, False)),
    probe(-110, "ended-before-anybody-is-against", "set vote.ended_by to seats\nallow close_vote", "defeated",
          "while all must be for it, voting ends early only once a vote against is counted",
          seen(closed_at_once, False, True)),
    # -109 to -104
    probe(-109, "dissent-brings-nothing", "set dissent.points to 0", "defeated", "-109 has the lower number (-103)",
          gains(idle, "Cleo", 10, 0, ["Cleo"], by="Ben"), before=MAJORITY),
    probe(-109, "dissent-brings-nothing-it-says", "set dissent.points to 0\nprevails over -109", "works",
          "it goes before -109, and says so", gains(idle, "Cleo", 10, 0, ["Cleo"], by="Ben"), before=MAJORITY),
    probe(-108, "effect-after-the-turn", 'set change.effective to "circuit ended"', "defeated",
          "-108 has the lower number (-103)", seen(effective, True, False)),
    probe(-107, "defeat-is-free", "set defeat.points to 0", "defeated", "-107 has the lower number (-103)",
          gains(idle, "Ben", -10, 0, ALL, by="Ben")),
    probe(-107, "defeat-is-free-it-says", "set defeat.points to 0\nprevails over -107", "works",
          "it goes before -107, and says so", gains(idle, "Ben", -10, 0, ALL, by="Ben")),
    probe(-106, "two-votes-for-ann", 'set vote.weight to 2 while voter.name == "Ann"', "defeated",
          "-106 has the lower number (-103)", votes_weigh("Ann", 1, 2)),
    probe(-106, "two-votes-for-ann-it-says", 'set vote.weight to 2 while voter.name == "Ann"\nprevails over -106',
          "works", "it goes before -106, and says so", votes_weigh("Ann", 1, 2)),
    probe(-105, "thirty-are-enough", "set win.points to 30", "defeated", "-105 has the lower number (-103)",
          term("win.points", 200, 30)),
    probe(-105, "thirty-by-amendment", "set win.points to 30", "works", "-105 is mutable, and -205 lets n be changed",
          term("win.points", 200, 30), amends=-105),
    probe(-104, "more-by-an-effect", 'on said: enact q\ndraft q: "One more rule."\n    allow say',
          "refused or defeated", "at no time are there more than 25, wherever they come from", seen(talk, False, True)),
    # -103: the lowest number, unless rules say otherwise of themselves
    probe(-103, "highest-first", 'set precedence.by to ["claims", "highest number"]', "defeated",
          "-103 itself has the lower number",
          term("precedence.by", ["claims", "lowest number"], ["claims", "highest number"])),
    probe(-103, "highest-first-it-says", 'set precedence.by to ["claims", "highest number"]\nprevails over -103',
          "works", "it goes before -103, and says so",
          term("precedence.by", ["claims", "lowest number"], ["claims", "highest number"])),
    probe(-103, "both-claim", 'set win.when_stuck to [player_named("Cleo")]\nprevails over -101', "defeated",
          "-101 says that it goes first, and so does this rule: then numbers decide",
          prevailing("win.when_stuck", -101)),
    # -102: the mover asks somebody to judge
    probe(-102, "cleo-judges", 'set judge.candidates to [player_named("Cleo")]', "defeated",
          "the moving player may ask any other player; -102 has the lower number",
          seen(choice_of_judge, ["Ben", "Ann", "Cleo"], ["Ben", "Cleo"])),
    probe(-102, "cleo-judges-it-says", 'set judge.candidates to [player_named("Cleo")]\nprevails over -102', "works",
          "it goes before -102, and says so", seen(choice_of_judge, ["Ben", "Ann", "Cleo"], ["Ben", "Cleo"])),
    probe(-102, "ann-chooses", 'set judge.chosen_by to player_named("Ann")', "defeated",
          "the moving player asks; -102 has the lower number",
          seen(choice_of_judge, ["Ben", "Ann", "Cleo"], ["Ann", "Ann", "Cleo"])),
    probe(-102, "cleo-insists-in-vain", 'forbid invoke_judgment when player.name == "Cleo"', "defeated",
          "any player's insistence is enough; -102 has the lower number", insists()),
    # -101: who wins when play cannot go on
    probe(-101, "cleo-wins-when-stuck", 'set win.when_stuck to [player_named("Cleo")]', "defeated",
          "-101 goes before every other rule on the winner", prevailing("win.when_stuck", -101)),
    probe(-101, "cleo-wins-by-amendment", 'set win.when_stuck to [player_named("Cleo")]', "works",
          "-101 is mutable, and -205 lets such rules be amended", term("win.when_stuck", [None], ["Cleo"]),
          amends=-101),
]  # fmt: skip
