"""The registry of keys: every term of the law that play looks up.

Nothing else in play may decide what a key here can decide; no key is read but through the resolver.
"""

from __future__ import annotations

from typing import cast

from nomic_nb.law.precedence import CRITERIA
from nomic_nb.law.values import NUMBER, TEXT, TRUTH, Ref, Type, Value, list_of, maybe, shown
from nomic_nb.law.view import View
from nomic_nb.law.vocabulary import Key
from nomic_nb.play.state import State, Vote

PLAYER, RULE, PROPOSAL, CHANGE = Type("player"), Type("rule"), Type("proposal"), Type("change")
JUDGMENT = Type("judgment")
PLAYERS, TEXTS = list_of(PLAYER), list_of(TEXT)

#: The case of a proposal, of a voter in a vote, of a throw.
VOTE = {"proposal": PROPOSAL}
VOTER = {"proposal": PROPOSAL, "voter": PLAYER}
THROW = {"player": PLAYER, "face": NUMBER}
#: The case of a judgment.
JUDGED = {"judgment": JUDGMENT}


def _vote(view: View) -> Vote | None:
    ref = view.env.get("proposal")
    proposal = cast(State, view.state).proposals.get(ref.id) if isinstance(ref, Ref) else None
    return proposal.vote if proposal is not None else None


def _electorate(view: View) -> Value:
    vote = _vote(view)
    return None if vote is None else tuple(Ref("player", name) for name in vote.electorate)


def _weight(view: View) -> Value:
    vote, voter = _vote(view), view.env.get("voter")
    return None if vote is None or not isinstance(voter, Ref) else vote.weights.get(str(voter.id))


def _quota(view: View) -> Value:
    vote = _vote(view)
    return None if vote is None else vote.quota


def _not_whole(value: Value) -> str:
    return "" if isinstance(value, int) else f"it is a whole number, not {shown(value)}"


KEYS = (
    Key("win.winners", PLAYERS, "who has won", "after every step"),
    Key("win.when_stuck", PLAYERS, "who wins when play cannot continue", "when nobody can go on"),
    Key("win.points", NUMBER, "the magnitude that wins", "by the rule on winning", by_rules=True),
    Key("win.joint", TEXT,
        "who wins when several do at once: all, or the player on turn alone (all where that is none of them)",
        "when several win at once",
        values=("joint", "on turn")),
    Key("win.by_change", TEXT,
        "whether someone who fulfils the condition of winning by a change of law alone, and by no gain, wins at "
        "once, or at the next gain",
        "when the law has changed, for those who fulfil the condition by that alone",
        values=("at once", "at the next gain")),
    Key("play.in_circles", TEXT, "what becomes of play that goes round and round with nobody having anything to do",
        "after 200 steps without a decision", values=("go on", "cannot continue")),
    Key("play.standstill", TEXT, "whether play waits, goes on without what is owed and forbidden, or cannot continue",
        "when nobody has to decide anything, and it is open whether something that players can do lets play go on",
        values=("wait", "go on", "cannot continue")),
    Key("turn.sequence", PLAYERS, "who has turns, in order: players, or armies", "when a turn begins",
        also=list_of(Type("army"))),
    Key("turn.next", PLAYERS, "who has turns before the order goes on, the first of them next",
        "when a turn begins by itself", also=list_of(Type("army"))),
    Key("turn.start", TEXT, "whether turns begin by themselves, or whenever a player begins one",
        "when no turn is under way, and when a player begins one", values=("automatic", "at will")),
    Key("turn.overlap", TRUTH, "whether a turn can be begun at will while another is under way",
        "when a player begins a turn"),
    Key("turn.ended_by", TEXT, "whether a turn ends by itself once its parts are over, or when its player ends it",
        "when the parts of a turn are over", values=("automatic", "player")),
    Key("turn.parts", TEXTS, "the parts of a turn, in order", "when a part begins"),
    Key("proposal.numbering", TEXT, "whether proposals are numbered one after the other, or by others",
        "when a proposal is made", values=("successive", "assigned")),
    Key("proposal.first_number", NUMBER, "the number of the first proposal; the least one, where others assign them",
        "when a proposal is made", misfit=_not_whole),
    Key("proposal.when_stale", TEXT, "what becomes of an open proposal whose rule was repealed or has another number",
        "when a rule changes that an open proposal is about", VOTE, ("lapse", "stand", "retarget")),
    Key("vote.share", NUMBER, "the share of favourable votes that a proposal received", "when it is scored", VOTE,
        by_rules=True),
    Key("proposal.score", NUMBER, "what a proposal is worth to its proponent, exactly", "when it is scored", VOTE,
        by_rules=True),
    Key("score.half", TEXT, "how a half is rounded", "when a number is rounded", values=("up", "even", "down")),
    Key("proposal.on_leaving", TEXT, "what becomes of the open proposal of a player who leaves",
        "when a player leaves", VOTE, ("lapse", "stand")),
    Key("rule.takes_number", TRUTH, "whether a changed rule takes the number of the proposal",
        "when a change takes effect", VOTE),
    Key("enact.tier", TEXT, "the standing of a new rule", "when a rule is enacted", VOTE, tiers=True),
    Key("transmute.tier", TEXT, "the standing of a rule once it is transmuted", "when a rule is transmuted", VOTE,
        tiers=True),
    Key("change.effective", TEXT, "when an adopted change takes effect", "when a proposal is adopted", VOTE,
        ("vote closed", "turn ended", "circuit ended")),
    Key("change.automatic", TRUTH, "whether a rule, named `rule`, may make this change by itself, without a vote",
        "when a rule makes a change", {**VOTE, "rule": RULE}),
    Key("change.stands", TRUTH, "whether a change stands whose effect on a requirement is in doubt",
        "when a requirement is undecided", VOTE),
    Key("debate.ended_by", PLAYERS, "who calls the vote", "while a proposal is debated", VOTE),
    Key("debate.final_form_by", PLAYERS, "who may revise a proposal before the vote",
        "while a proposal is debated", VOTE),
    Key("vote.electorate", PLAYERS, "the voters: who may vote", "when a vote opens; then it is fixed", VOTE,
        held=_electorate, reads=("proposals",)),
    Key("vote.weight", NUMBER, "what a ballot weighs", "when a vote opens; then it is fixed", VOTER,
        held=_weight, reads=("proposals",)),
    Key("vote.automatic", TRUTH, "whether a rule may cast a voter's ballot", "when a rule casts one", VOTER),
    Key("vote.quota", NUMBER, "how many votes in favour adopt, counted by weight",
        "when a vote opens, and when a voter leaves; between, it is fixed",
        VOTE,
        held=_quota, reads=("proposals",)),
    Key("vote.adopted", TRUTH, "whether the proposal is adopted", "when a vote closes", VOTE),
    Key("vote.duty", TRUTH, "whether everyone who may vote must", "when a vote opens", VOTE),
    Key("vote.ended_by", PLAYERS, "who may close a vote in which not everyone has voted",
        "while a vote is open without a duty to vote", VOTE),
    Key("vote.ballots", TEXT, "whether ballots are seen before the vote closes", "when a vote opens", VOTE,
        ("open", "sealed")),
    Key("vote.changeable", TRUTH, "whether a ballot can be changed while the vote is open", "when a ballot is cast",
        VOTE),
    Key("dissent.points", NUMBER, "what a vote against an adopted proposal brings", "when a proposal is adopted",
        VOTE, by_rules=True),
    Key("defeat.points", NUMBER, "what a defeated proposal brings its proponent", "when a proposal is defeated",
        VOTE, by_rules=True),
    Key("throw.points", NUMBER, "what a throw brings", "when a throw is counted", THROW, by_rules=True),
    Key("dice.sides", NUMBER, "how many sides a die has", "when a die is thrown", by_rules=True),
    Key("dice.source", TEXT, "who makes a throw: the game's dice, a hand at the table, either, or all who seal and "
        "reveal", "when a die is thrown", values=("seeded", "table", "either", "committed")),
    Key("dice.sealed_by", PLAYERS, "who seals and reveals a throw that is committed",
        "when such a throw is due; then it is fixed"),
    Key("dice.unrevealed", TEXT, "whether a throw is made without a player who has sealed and does not reveal, or "
        "sealed again without that player", "when it is recorded that a player does not reveal, or that player leaves",
        {"player": PLAYER}, ("without", "again")),
    Key("team.mates", PLAYERS, "who is in a player's team, that player apart", "when rules speak of team-mates",
        {"player": PLAYER}),
    Key("judge.candidates", PLAYERS, "who can be Judge of a question, the first of them first",
        "when Judgment is invoked, and when a Judge is overruled", JUDGED),
    Key("judge.chosen_by", maybe(PLAYER), "who chooses the Judge among those who can be; none: the first of them is",
        "when a Judge is named", JUDGED),
    Key("judge.open", TRUTH, "whether a Judge still serves, and can still be overruled",
        "after every step, while it is so", JUDGED),
    Key("judge.play_waits", TRUTH, "whether play waits until a question is decided", "while it is not decided", JUDGED),
    Key("judge.consent", TRUTH, "whether a player's turn may begin after a judgment", "before a turn begins",
        {**JUDGED, "player": PLAYER}),
    Key("judge.overrule_electorate", PLAYERS, "who has a say in overruling a Judge", "when a question is decided",
        JUDGED),
    Key("judge.overrule_quota", NUMBER, "how many votes overrule a Judge", "when a question is decided", JUDGED),
    Key("precedence.tiers", TEXTS, "the tiers of rules, the strongest first", "whenever rules meet", tiers=True),
    Key("precedence.by", TEXTS, "what decides between rules of one tier, first things first",
        "whenever rules meet", values=("claims", *CRITERIA)),
    Key("precedence.void", TEXTS, "the tiers whose rules are void where they contradict a stronger one in every case",
        "when the rules have changed", tiers=True),
    Key("acts.unregulated", TEXT, "what no rule speaks of", "when a player does something",
        values=("allowed", "forbidden")),
    Key("acts.rule_change", TEXT, "changing the rules where no rule allows or forbids it", "when a change is proposed",
        values=("allowed", "forbidden")),
)  # fmt: skip
