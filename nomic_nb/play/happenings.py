"""What happens in play: events that rules may answer to, and actions that rules may allow and forbid."""

from __future__ import annotations

from nomic_nb.law.values import NUMBER, TEXT, maybe, worded
from nomic_nb.law.vocabulary import Action, Event
from nomic_nb.play.keys import JUDGED, PLAYER, PROPOSAL, RULE, VOTE

_BY = {"player": PLAYER}
#: Texts that are one of a few words.
BALLOT, ANSWER = worded(TEXT, ("for", "against")), worded(TEXT, ("yes", "no"))
OWED, COUNTER = worded(TEXT, ("seal", "reveal")), worded(TEXT, "counter")
_ON_RULE = {"rule": RULE}
#: What is changed: who proposes it, when, and how it is worded is another matter.
WHAT = frozenset({"target", "kind", "tier", "keys", "effects", "fingerprint", "this"})
#: Who does it: how it is done, and what goes before it, is another matter.
WHO = frozenset({"player", "proponent", "mover"})

EVENTS = (
    Event("game_started", "play begins"),
    Event("entered", "a player has joined", _BY),
    Event("turn_begun", "a player's turn has begun", _BY),
    Event("part_begun", "a part of a turn has begun", {**_BY, "part": TEXT}),
    Event("part_ended", "a part of a turn is over", {**_BY, "part": TEXT}),
    Event("turn_ended", "a player's turn is over", _BY),
    Event("circuit_ended", "everyone has had a turn; `circuit` is the one that ended", {"circuit": NUMBER}),
    Event("passed_over", "a player's turn came, and the player may not begin one", _BY),
    Event("skipped", "a player has passed over the rest of a turn", _BY),
    Event("proposed", "a rule-change was proposed", {**VOTE, **_BY}),
    Event("revised", "a proposal has a new form", {**VOTE, **_BY}),
    Event("vote_opened", "ballots can be cast", VOTE),
    Event("balloted", "a ballot was cast", {**VOTE, **_BY, "ballot": BALLOT}),
    Event("agreed", "a voter has said whether the vote may be closed without their ballot",
          {**VOTE, **_BY, "answer": ANSWER}),
    Event("vote_ending", "no more ballots, and no result yet: what this sets off is done before it is found", VOTE),
    Event("vote_closed", "the result of a vote is found", VOTE,
          late="the result is found by then; what comes before it is done on vote_ending"),
    Event("adopted", "a proposal was adopted", VOTE),
    Event("defeated", "a proposal was defeated", VOTE),
    Event("enacted", "a rule came into being", _ON_RULE),
    Event("amended", "a rule was amended, or an amendment of it", _ON_RULE),
    Event("repealed", "a rule was repealed", _ON_RULE),
    Event("transmuted", "a rule changed its standing", _ON_RULE),
    Event("voided", "a rule became void", _ON_RULE),
    Event("revived", "a rule is no longer void", _ON_RULE),
    Event("thrown", "dice were thrown", {"player": maybe(PLAYER), "face": NUMBER}),
    Event(
        "overdue",
        "somebody recorded that a player does not give what is owed: a seal or a reveal",
        {**_BY, "owed": OWED},
    ),
    Event("counted", "a counter of a player, or of the game, changed; `player` is known where it is one's",
          {**_BY, "counter": COUNTER, "amount": NUMBER}),
    Event("gave", "a player gave another something that is counted",
          {**_BY, "receiver": PLAYER, "counter": COUNTER, "amount": NUMBER}),
    Event("unpaid", "a player was to pay and had not got it", {**_BY, "counter": COUNTER, "amount": NUMBER}),
    Event("chosen", "a player has chosen what a rule let them choose", _BY),
    Event("said", "a player said something", {**_BY, "text": TEXT}),
    Event("deed", "someone reported what a player did", {**_BY, "reporter": PLAYER, "name": TEXT}),
    Event("free_act", "a player did something that no rule speaks of", {**_BY, "text": TEXT}),
    Event("applied", "someone applied a rule that only people can read", {**_BY, "rule": RULE}),
    Event("judgment_invoked", "a player insists on a question", _BY),
    Event("judge_named", "a player is Judge of a question", {**JUDGED, **_BY}),
    Event("ruled", "a Judge has decided", {**JUDGED, **_BY}),
    Event("overruled", "a Judge was overruled", JUDGED),
    Event("upheld", "a ruling stands", JUDGED),
    Event("consented", "a player has said whether play may go on after a judgment",
          {**JUDGED, **_BY, "ballot": BALLOT}),
    Event("absent", "a player is recorded as not at the table", _BY),
    Event("returned", "a player is back at the table", _BY),
    Event("forfeited", "a player has left the game", _BY),
    Event("eliminated", "a player was put out of the game", _BY),
)  # fmt: skip

ACTIONS = (
    Action("propose", "propose a rule-change", {**VOTE, **_BY}, owed=True, otherwise="acts.rule_change", gist=WHAT),
    Action("revise", "give a proposal another form before the vote", {**VOTE, **_BY}),
    Action("call_vote", "end the debate and open the vote", {**VOTE, **_BY}, gist=WHO),
    Action("vote", "cast a ballot", {**VOTE, **_BY}),
    Action("agree", "say whether a vote may be closed without one's ballot, where a rule lets voters be asked",
           {**VOTE, **_BY}, takes_leave=True),
    Action("close_vote", "close a vote in which not everyone has voted", {**VOTE, **_BY}),
    Action("roll", "throw the dice", _BY),
    Action("seal", "commit to a value that is revealed later", _BY),
    Action("reveal", "reveal what one has sealed", _BY),
    Action("choose", "choose what a rule offers, or answer a question", _BY),
    Action("ask_again", "have the table asked anew about a term on which it agreed", _BY),
    Action("begin_turn", "begin a turn", _BY),
    Action("end_turn", "end one's turn", _BY),
    Action("skip", "pass over the rest of one's turn", _BY, takes_leave=True),
    Action("say", "say something", {**_BY, "text": TEXT}, owed=True, otherwise="acts.unregulated"),
    Action("act", "do what no rule speaks of", {**_BY, "text": TEXT}, owed=True, otherwise="acts.unregulated"),
    Action("give", "give another player something that is counted, where a rule allows it",
           {**_BY, "receiver": PLAYER, "counter": COUNTER, "amount": NUMBER}, takes_leave=True),
    Action("report", "report a deed that rules may speak of", {**_BY, "name": TEXT}, otherwise="acts.unregulated"),
    Action("apply", "apply a rule that only people can read", {**_BY, "rule": RULE}),
    Action("invoke_judgment", "insist on a question", _BY),
    Action("rule_on", "decide a question as its Judge", {**JUDGED, **_BY}),
    Action("overrule", "vote on overruling a Judge", {**JUDGED, **_BY}),
    Action("consent", "say whether play may go on after a judgment", {**JUDGED, **_BY}),
    Action("forfeit", "leave the game", _BY, otherwise="acts.unregulated"),
)  # fmt: skip

__all__ = ["ACTIONS", "EVENTS", "PLAYER", "PROPOSAL", "RULE"]
