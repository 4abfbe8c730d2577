"""What each kind of event does to the state. Nothing else changes what is recorded in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from nomic_nb.law.changes import Change, Making, find_target, make
from nomic_nb.law.incorporation import with_incorporated
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Part, Rule, RuleBook, Void
from nomic_nb.law.values import NUMBER, TEXT, Number, maybe
from nomic_nb.markup.words import listed
from nomic_nb.play.brought_in import library
from nomic_nb.play.chess import events as boards
from nomic_nb.play.commitments import Opening, Round
from nomic_nb.play.declaring import happens
from nomic_nb.play.duties import did, relieved, turn_at, with_turn
from nomic_nb.play.events import Event, number_from_json
from nomic_nb.play.keys import BALLOT, BY, COUNTER, JUDGED, ON_RULE, OWED, PLAYER, RULE, VOTE, YES_NO
from nomic_nb.play.people import with_player
from nomic_nb.play.state import (
    ANSWER,
    Act,
    Duty,
    Judgment,
    Player,
    Proposal,
    Question,
    Ruling,
    State,
    Turn,
    Vote,
    Waiting,
)


def counter_named(counter: str, amount: Number | str) -> str:
    """Return what is counted, as it is called beside a number; counters are named for many.

    Examples
    --------
    >>> counter_named("points", 1), counter_named("points", -2), counter_named("gold", 1), counter_named("classes", 1)
    ('point', 'points', 'gold', 'class')
    """
    if amount not in (1, -1) or not counter.endswith("s") or counter.endswith(("ss", "us", "is", "ves")):
        return counter
    if counter.endswith("ies") and len(counter) > 4:
        return f"{counter[:-3]}y"
    return counter[:-2] if counter.endswith(("sses", "xes", "ches", "shes", "zes")) else counter[:-1]


def _told_change(event: Event, did: str) -> str:
    data = event.data
    change = change_of(data["change"])
    whose = "" if event.actor is None else f" ({event.actor}'s proposal)"
    if change.kind == "enact":
        return f"rule {data['new']} “{change.title}” is enacted{whose}"
    old, new = data["old"], data["new"]
    moved = f"; it is rule {new} now" if new is not None and new != old else ""
    what = f"rule {old}" if change.part is None else f"amendment {change.part} of rule {old}"
    return f"{what} is {did}{moved}{whose}"


def _told_vote_opened(event: Event) -> str:
    data = event.data
    return f"the vote on {data['number']} opens: {listed(data['electorate'])} may vote, {data['quota']} in favour adopt"


def _told_closed(event: Event) -> str:
    data = event.data
    outcome = "adopted" if data["adopted"] else "not adopted"
    return (
        f"the vote on {data['number']} closes: {data['votes_for']} for, {data['votes_against']} against, "
        f"{data['quota']} needed; {outcome}"
    )


def _told_thrown(event: Event) -> str:
    data = event.data
    how = ", entered by hand" if data.get("by_hand") else ", drawn from what was revealed" if "round" in data else ""
    article = "an" if re.match(r"8|1[18]($|000)", str(data["face"])) else "a"  # as the number is read aloud
    return f"{event.actor or 'the game'} rolls {article} {data['face']}{how}"


def _told_counted(event: Event) -> str:
    data = event.data
    owner = event.actor or "the game"
    amount = str(data["amount"])
    change = f"−{amount[1:]}" if amount.startswith("-") else f"+{amount}"
    exact = f" ({data['exact']}{', a tie at one half' if data['tie'] else ''})" if "exact" in data else ""
    return f"{owner}: {change} {counter_named(data['counter'], data['amount'])}{exact}, now {data['now']}"


def _told_proposed(event: Event) -> str:
    left_out = event.data.get("left_out", 0)
    gap = f" ({left_out} number{'s' if left_out > 1 else ''} left out)" if left_out else ""
    return f"{event.actor} proposes {event.data['number']}: {change_of(event.details['change']).headline}{gap}"


def _told_voided(event: Event) -> str:
    rule, against = event.data["numbers"]
    where = f" on {event.data['key']}" if event.data["key"] else ", as the Judge found"
    return f"rule {rule} is void: it contradicts rule {against}{where}"


def _told_ruled(event: Event) -> str:
    data = event.data
    said = f"{event.actor} rules in judgment {data['judgment']}: {data['text']}"
    if data["numbers"]:
        said += f" (rests on {listed([f'rule {number}' for number in data['numbers']])})"
    return said


def _of(event: Event) -> str:
    data = event.data
    needed = f", {data['quota']} needed ({data['by']})" if data["by"] else ""
    return f"{data['votes']} of {data['of']}{needed}"


def with_proposal(state: State, proposal: Proposal) -> State:
    """Return the state with one proposal added or changed."""
    number, unsettled = proposal.number, state.unsettled
    if proposal.open or proposal.status == "waiting":
        unsettled = unsettled if number in unsettled else (*unsettled, number)
    else:
        unsettled = tuple(one for one in unsettled if one != number)
    return state.but(proposals={**state.proposals, number: proposal}, unsettled=unsettled)


def with_vote(state: State, proposal: Proposal, vote: Vote) -> State:
    """Return the state with the vote on a proposal changed."""
    return with_proposal(state, replace(proposal, vote=vote))


def with_book(state: State, book: RuleBook) -> State:
    """Return the state with another rule book, and what it brings in, under the order of precedence in force."""
    language = state.law.language
    book = with_incorporated(book, library(language))
    return state.but(rules=book, law=Law(book, state.law.order, language))


# ---------------------------------------------------------------------------------- players and turns


@happens(
    "entered",
    "a player has joined",
    BY,
    told=lambda e: f"{e.actor} joins" + ("" if e.data["as"] == "person" else f" as a {e.data['as']}"),
)
def _entered(state: State, event: Event) -> State:
    name = str(event.actor)
    counters: dict[str, Number] = {one: number_from_json(value) for one, value in event.data["counters"].items()}
    return with_player(state, Player(name, event.data["as"] == "person", counters=counters))


@happens("turn_begun", "a player's turn has begun", BY, told=lambda e: f"{e.actor}'s turn begins")
def _turn_begun(state: State, event: Event) -> State:
    number = state.turn + 1
    army = event.data.get("army")
    player = str(event.actor)
    turn = Turn(number, player, army=army, march=boards.march_of(state, army, player))
    return _without_rulings(state).but(
        turn=number, hand=number, turns=(*state.turns, turn), sequence=tuple(event.data["sequence"]),
        place=event.data["place"], sequence_of=event.data.get("of", "player"), applied=(),
    )  # fmt: skip


def _without_rulings(state: State) -> State:
    """Return the state in which the rulings are gone: they held for the turn in which they were given."""
    if not any(rule.answers for rule in state.rules):
        return state
    book = state.rules.without(*(rule.id for rule in state.rules if rule.answers))
    return with_book(state, book)


@happens(
    "part_begun", "a part of a turn has begun", {**BY, "part": TEXT}, told=lambda e: f"part begins: {e.data['part']}"
)
def _part_begun(state: State, event: Event) -> State:
    return with_turn(state, replace(turn_at(state, event), part=event.data["part"], duties=()))


@happens(
    "part_ended", "a part of a turn is over", {**BY, "part": TEXT}, told=lambda e: f"part is over: {e.data['part']}"
)
def _part_ended(state: State, event: Event) -> State:
    go = turn_at(state, event)
    return with_turn(state, replace(go, part=None, done=(*go.done, event.data["part"]), duties=()))


@happens("turn_ended", "a player's turn is over", BY, told=lambda e: f"{e.actor}'s turn is over")
def _turn_ended(state: State, event: Event) -> State:
    name = str(event.actor)
    player = state.players[name]
    state = with_player(state, replace(player, turns=player.turns + 1))
    left = tuple(turn for turn in state.turns if turn.number != event.turn)
    place = event.data.get("army", name)
    had = state.had_turn if place in state.had_turn else (*state.had_turn, place)
    mated = {} if state.mated else state.mated
    return state.but(turns=left, ended=state.ended + 1, had_turn=had, mated=mated)


@happens(
    "passed_over",
    "a player's turn came, and the player may not begin one",
    BY,
    told=lambda e: f"{e.actor}'s turn is passed over",
)
def _passed_over(state: State, event: Event) -> State:
    name = event.data.get("army", str(event.actor))
    had = state.had_turn if name in state.had_turn else (*state.had_turn, name)
    return state.but(
        had_turn=had, sequence=tuple(event.data["sequence"]), place=event.data["place"],
        sequence_of=event.data.get("of", "player"),
    )  # fmt: skip


@happens(
    "circuit_ended",
    "everyone has had a turn; `circuit` is the one that ended",
    {"circuit": NUMBER},
    told=lambda e: f"circuit {e.data['circuit']} is complete",
)
def _circuit_ended(state: State, _: Event) -> State:
    return state.but(circuit=state.circuit + 1, had_turn=())


@happens("obliged", told=lambda e: f"{e.actor} is to {e.data['action'].replace('_', ' ')}")
def _obliged(state: State, event: Event) -> State:
    go = turn_at(state, event)
    cause = event.cause.rule if event.cause else None
    return with_turn(state, replace(go, duties=(*go.duties, Duty(str(event.actor), event.data["action"], cause))))


@happens("cut_short", told=lambda e: f"the rest of the {e.data['what']} is let go")
def _cut_short(state: State, event: Event) -> State:
    go = turn_at(state, event)
    return with_turn(state, replace(go, duties=(), over=go.over or event.data["what"] == "turn"))


@happens(
    "skipped",
    "a player has passed over the rest of a turn",
    BY,
    told=lambda e: f"{e.actor} passes over the rest of the turn",
)
@happens("finished", told=lambda e: f"{e.actor} ends the turn")
def _finished(state: State, event: Event) -> State:
    return with_turn(state, replace(turn_at(state, event), duties=(), over=True))


@happens("forfeited", "a player has left the game", BY, told=lambda e: f"{e.actor} forfeits")
@happens("eliminated", "a player was put out of the game", BY, told=lambda e: f"{e.actor} is out of the game")
def _left(state: State, event: Event) -> State:
    name = str(event.actor)
    state = with_player(state, replace(state.players[name], playing=False))
    turns = tuple(
        replace(
            turn,
            duties=tuple(duty for duty in turn.duties if duty.player != name),
            over=turn.over or turn.player == name,
        )
        for turn in state.turns
    )
    questions = tuple(
        replace(
            one,
            who=tuple(who for who in one.who if who != name),
            answers={who: said for who, said in one.answers.items() if who != name},
        )
        for one in state.questions
    )
    asked = tuple(one for one in questions if one.who)
    return state.but(turns=turns, questions=asked)


# ---------------------------------------------------------------------------------- proposals and votes


def change_of(data: Mapping[str, Any]) -> Change:
    """Return the change that an event's data hold; it was checked when it was proposed."""
    return Change(**data)


@happens("proposed", "a rule-change was proposed", {**VOTE, **BY}, told=_told_proposed)
def _proposed(state: State, event: Event) -> State:
    number = event.data["number"]
    change = change_of(event.details["change"])
    proposal = Proposal(number, change, str(event.actor), event.turn, aim=_aim(state, change))
    state = relieved(state, proposal.proponent, "propose")
    return replace(with_proposal(state, proposal), last_number=number)


def _aim(state: State, change: Change) -> tuple[int, str] | None:
    if change.target is None:
        return None
    rule = find_target(state.rules, change)
    return rule.id, rule.tier


@happens(
    "revised",
    "a proposal has a new form",
    {**VOTE, **BY},
    told=lambda e: f"{e.actor} revises {e.data['number']}: {change_of(e.details['change']).headline}",
)
def _revised(state: State, event: Event) -> State:
    proposal, change = state.proposals[event.data["number"]], change_of(event.details["change"])
    return with_proposal(state, replace(proposal, change=change, note="", aim=_aim(state, change)))


@happens("retargeted", told=lambda e: f"{e.data['number']} is now to {change_of(e.data['change']).headline}")
def _retargeted(state: State, event: Event) -> State:
    proposal = state.proposals[event.data["number"]]
    return with_proposal(state, replace(proposal, change=change_of(event.data["change"]), note=""))


@happens(
    "balloted",
    "a ballot was cast",
    {**VOTE, **BY, "ballot": BALLOT},
    told=lambda e: f"{e.actor} votes {e.data['ballot']} {e.data['number']}",
)
def _balloted(state: State, event: Event) -> State:
    proposal = state.proposals[event.data["number"]]
    vote = proposal.vote
    if vote is None:
        return state
    ballots = {name: ballot for name, ballot in vote.ballots.items() if name != event.actor}
    return with_vote(state, proposal, replace(vote, ballots={**ballots, str(event.actor): event.data["ballot"]}))


@happens(
    "agreed",
    "a voter has said whether the vote may be closed without their ballot",
    {**VOTE, **BY, "answer": YES_NO},
    told=lambda e: (
        f"{e.actor} lets the vote on {e.data['number']} be closed without a ballot of theirs"
        if e.data["answer"] == "yes"
        else f"{e.actor} does not want the vote on {e.data['number']} closed yet"
    ),
)
def _agreed(state: State, event: Event) -> State:
    proposal = state.proposals[event.data["number"]]
    vote = proposal.vote
    if vote is None:
        return state
    return with_vote(state, proposal, replace(vote, agreed={**vote.agreed, str(event.actor): event.data["answer"]}))


@happens("stale", told=lambda e: f"{e.data['number']} is stale: {e.data['note']}")
def _stale(state: State, event: Event) -> State:
    proposal = state.proposals[event.data["number"]]
    return with_proposal(state, replace(proposal, note=event.data["note"]))


def _status(status: str) -> Callable[[State, Event], State]:
    def handler(state: State, event: Event) -> State:
        proposal = state.proposals.get(event.data["number"])
        if proposal is None:  # an automatic change, which nobody proposed
            return state
        due = event.data.get("due", "")
        return with_proposal(state, replace(proposal, status=status, note=event.data.get("note", ""), due=due))

    return handler


@happens("vote_opened", "ballots can be cast", VOTE, told=_told_vote_opened)
@happens("retallied", told=lambda e: f"the vote on {e.data['number']} goes on among {listed(e.data['electorate'])}")
def _vote_opened(state: State, event: Event) -> State:
    data = event.data
    weights = {name: number_from_json(weight) for name, weight in data["weights"].items()}
    proposal = state.proposals[data["number"]]
    old = proposal.vote
    vote = Vote(
        tuple(data["electorate"]), weights, number_from_json(data["quota"]), data["quota_rule"],
        data["electorate_rule"], data["duty"], data["sealed"], old.law if old else state.law,
        {name: ballot for name, ballot in old.ballots.items() if name in data["electorate"]} if old else {},
        {name: answer for name, answer in old.agreed.items() if name in data["electorate"]} if old else {},
    )  # fmt: skip
    status = proposal.status if proposal.status == "ending" else "open"
    return with_proposal(state, replace(proposal, status=status, vote=vote))


# ------------------------------------------------------------------------------------------- the law


@happens("enacted", "a rule came into being", ON_RULE, told=lambda e: _told_change(e, "enacted"))
@happens(
    "amended",
    "a rule was amended, or an amendment of it",
    ON_RULE,
    told=lambda e: _told_change(e, "amended" if e.data["number"] is not None else "amended automatically"),
)
@happens("repealed", "a rule was repealed", ON_RULE, told=lambda e: _told_change(e, "repealed"))
@happens(
    "transmuted",
    "a rule changed its standing",
    ON_RULE,
    told=lambda e: _told_change(e, f"transmuted and {e.data['tier']} now"),
)
def _changed(state: State, event: Event) -> State:
    data = event.data
    change = change_of(data["change"])
    lines = state.law.language.read(change.law or "")
    making = Making(
        data["number"],
        event.seq,
        state.turn,
        event.actor,
        data.get("tier", ""),
        data.get("takes_number", True),
    )
    book, _ = make(state.rules, change, lines, making)
    proposal = state.proposals.get(data["number"])
    if proposal is not None and proposal.status == "waiting":
        state = with_proposal(state, replace(proposal, status="adopted", due=""))
    return with_book(state, book)


@happens("voided", "a rule became void", ON_RULE, told=_told_voided)
def _voided(state: State, event: Event) -> State:
    data = event.data
    version = state.rules.rules[data["rule"]].event if data.get("judged") else None
    void = {**state.rules.void, data["rule"]: Void(data["against"], data["key"], version)}
    return with_book(state, state.rules.with_void(void))


@happens("revived", "a rule is no longer void", ON_RULE, told=lambda e: f"rule {e.data['number']} is no longer void")
def _revived(state: State, event: Event) -> State:
    void = {id: why for id, why in state.rules.void.items() if id != event.data["rule"]}
    return with_book(state, state.rules.with_void(void))


# ----------------------------------------------------------------------------------- sealing and revealing


@happens(
    "sealing_opened",
    told=lambda e: (
        f"{listed(e.data['who'])} are to seal a throw"
        if len(e.data["who"]) > 1
        else f"{listed(e.data['who'])} is to seal a throw"
    ),
)
def _sealing_opened(state: State, event: Event) -> State:
    place, found = event.data["place"], Round(event.seq, tuple(event.data["who"]))
    due = replace(state.waiting[place], round=found)
    return state.but(waiting=(*state.waiting[:place], due, *state.waiting[place + 1 :]))


def _in_round(change: Callable[[Waiting, Round, Event], Waiting]) -> Callable[[State, Event], State]:
    def handler(state: State, event: Event) -> State:
        changed = (
            change(one, one.round, event) if one.round is not None and one.round.number == event.data["round"] else one
            for one in state.waiting
        )
        return state.but(waiting=tuple(changed))

    return handler


def _committed(waiting: Waiting, round: Round, event: Event) -> Waiting:
    seals = {**round.seals, str(event.actor): event.data["commitment"]}
    return replace(waiting, round=replace(round, seals=seals))


def _revealed(waiting: Waiting, round: Round, event: Event) -> Waiting:
    reveals = {**round.reveals, str(event.actor): Opening(event.data["value"], event.data["nonce"])}
    return replace(waiting, round=replace(round, reveals=reveals))


def _left_out(waiting: Waiting, round: Round, event: Event) -> Waiting:
    name = str(event.actor)
    going_on = None if event.data["again"] else round.without(name)
    return replace(waiting, round=going_on, left_out=(*waiting.left_out, name))


# ------------------------------------------------------------------------------------------- the rest


@happens(
    "counted",
    "a counter of a player, or of the game, changed; `player` is known where it is one's",
    {**BY, "counter": COUNTER, "amount": NUMBER},
    told=_told_counted,
)
def _counted(state: State, event: Event) -> State:
    now = number_from_json(event.data["now"])
    counter = event.data["counter"]
    if event.actor is None:
        return state.but(counters={**state.counters, counter: now})
    player = state.players[event.actor]
    if event.actor in state.above and now > player.counters[counter] and counter in _wins_by(state):
        state = state.but(above={name: held for name, held in state.above.items() if name != event.actor})
    return with_player(state, replace(player, counters={**player.counters, counter: now}))


def _wins_by(state: State) -> set[str]:
    """Return the counters that the condition of winning looks at; all of them where it names none."""
    law = state.law
    named = {one for one in law.counters if law.dependence.looks_at("win.winners", frozenset({one}))}
    return named or set(law.counters)


@happens("tracked", told=lambda e: f"{e.data['counter']} are counted per {e.data['per']}, from {e.data['start']}")
def _tracked(state: State, event: Event) -> State:
    return with_counter(state, event.data["counter"], event.data["per"], number_from_json(event.data["start"]))


def with_counter(state: State, counter: str, per: str, start: Number) -> State:
    """Return the state in which a counter is kept by everyone who has none yet, or by the game."""
    if per in ("army", "piece"):
        return boards.with_marks(state, counter, per, start)
    if per == "game":
        return state.but(counters=_kept(state.counters, counter, start))
    players = {
        name: replace(player, counters=_kept(player.counters, counter, start)) for name, player in state.players.items()
    }
    return state.but(players=players)


def _kept(counters: Mapping[str, Number], counter: str, start: Number) -> Mapping[str, Number]:
    return counters if counter in counters else {**counters, counter: start}


@happens("asked", told=lambda e: f"the table is asked: {e.data['text']}")
def _asked(state: State, event: Event) -> State:
    data = event.data
    question = Question(
        event.seq, data["text"], tuple(data["who"]), data.get("key", ""), tuple(data.get("options", ())),
        data.get("rule"), drops=data.get("drops", False), when=data.get("when", ""),
    )  # fmt: skip
    return state.but(questions=(*state.questions, question))


@happens("answered", told=lambda e: f"{e.actor} answers {e.data['answer']}")
def _answered(state: State, event: Event) -> State:
    questions = tuple(
        replace(one, answers={**one.answers, str(event.actor): event.data["answer"]})
        if one.id == event.data["question"]
        else one
        for one in state.questions
    )
    return state.but(questions=questions)


@happens("settled", told=lambda e: f"{'the others say' if 'consent' in e.data else 'it is agreed:'} {e.data['answer']}")
def _settled(state: State, event: Event) -> State:
    question = next(one for one in state.questions if one.id == event.data["question"])
    state = state.but(questions=tuple(one for one in state.questions if one is not question))
    if question.consent and state.agenda:
        item = state.agenda[0]
        answered = replace(item, env={**item.env, ANSWER: event.data["answer"]})
        state = state.but(agenda=(answered, *state.agenda[1:]))
    elif question.drops and state.agenda:
        state = state.but(agenda=state.agenda[1:])
    law = event.data.get("law")
    if law is None:
        return state
    wording = f"{question.text} Those asked agreed: {event.data['answer']}"
    count = sum(1 for rule in (*state.rules, *state.rules.repealed) if rule.answers) + 1
    while f"Q{count}" in state.rules.by_number:
        count += 1
    number = f"Q{count}"
    part = Part(wording, law, state.law.language.read(law), number)
    rule = Rule(
        state.rules.next_id, number, f"Answer on {question.key}", "ruling", (part,), "settled", None, event.seq,
        state.turn, answers=question.key,
    )  # fmt: skip
    return _heard(with_book(state, state.rules.with_rule(rule)), rule)


def _heard(state: State, ruling: Rule) -> State:
    """Let a ruling be heard too where an earlier law still judges: on the agenda, and in open votes."""
    laws: dict[int, Law] = {}

    def ruled(law: Law) -> Law:
        if id(law) not in laws:
            laws[id(law)] = Law(law.book.with_rule(ruling), law.order, law.language)
        return laws[id(law)]

    agenda = tuple(replace(item, law=ruled(item.law)) for item in state.agenda)
    waiting = tuple(
        replace(one, agenda=tuple(replace(item, law=ruled(item.law)) for item in one.agenda)) for one in state.waiting
    )
    proposals = {
        number: replace(one, vote=replace(one.vote, law=ruled(one.vote.law))) if one.open and one.vote else one
        for number, one in state.proposals.items()
    }
    return state.but(agenda=agenda, waiting=waiting, proposals=proposals)


# ------------------------------------------------------------------------------------------ Judgment


def _with_judgment(state: State, judgment: Judgment, *, docketed: bool = True) -> State:
    docket = tuple(one for one in state.docket if one != judgment.id or docketed)
    if docketed and judgment.id not in docket:
        docket = (*docket, judgment.id)
    return state.but(judgments={**state.judgments, judgment.id: judgment}, docket=docket)


@happens(
    "judgment_invoked",
    "a player insists on a question",
    BY,
    told=lambda e: f"{e.actor} invokes Judgment: {e.data['text']}",
)
def _judgment_invoked(state: State, event: Event) -> State:
    data = event.data
    if "judgment" not in data:  # no law names a Judge: it is a question to the table
        return _asked(state, event)
    go = state.go
    judgment = Judgment(
        data["judgment"], data["text"], str(event.actor), state.turn, go.player if go else None,
        go.number if go else 0, data.get("rule"), data.get("proposal"),
    )  # fmt: skip
    if "settles" in data:
        judgment = replace(judgment, held=state.questions[0], after=state.agenda)
        state = state.but(questions=state.questions[1:], agenda=())
    return _with_judgment(state, judgment)


def _given_back(state: State, judgment: Judgment) -> tuple[State, Judgment]:
    """Give the question that a judgment was to settle back to the table, with what goes on behind it."""
    question = judgment.held
    if question is None:
        return state, judgment
    who = tuple(name for name in question.who if state.players[name].playing) or state.present
    answers = {name: said for name, said in question.answers.items() if name in who}
    questions = (replace(question, who=who, answers=answers), *state.questions)
    state = state.but(questions=questions, agenda=(*judgment.after, *state.agenda))
    return state, replace(judgment, held=None, after=())


def _judged(status: str) -> Callable[[State, Event], State]:
    def handler(state: State, event: Event) -> State:
        state, judgment = _given_back(state, state.judgments[event.data["judgment"]])
        return _with_judgment(state, replace(judgment, status=status))

    return handler


@happens("judgment_closed", told=lambda e: f"judgment {e.data['judgment']} is over")
def _judgment_closed(state: State, event: Event) -> State:
    state, judgment = _given_back(state, state.judgments[event.data["judgment"]])
    status = "closed" if judgment.unsettled else judgment.status
    return _with_judgment(state, replace(judgment, status=status), docketed=False)


@happens(
    "judge_named",
    "a player is Judge of a question",
    {**JUDGED, **BY},
    told=lambda e: f"{e.actor} is Judge in judgment {e.data['judgment']}",
)
def _judge_named(state: State, event: Event) -> State:
    judgment = state.judgments[event.data["judgment"]]
    return _with_judgment(state, replace(judgment, judge=event.actor, status="asked"))


@happens(
    "overruled",
    "a Judge was overruled",
    JUDGED,
    told=lambda e: f"{e.actor} is overruled in judgment {e.data['judgment']}, by {_of(e)}",
)
@happens("judge_gone", told=lambda e: f"{e.actor} is no longer Judge in judgment {e.data['judgment']}")
def _judge_gone(state: State, event: Event) -> State:
    judgment = state.judgments[event.data["judgment"]]
    judges = (*judgment.judges, judgment.judge) if judgment.judge else judgment.judges
    overruled = (*judgment.overruled, judgment.ruling) if judgment.ruling else judgment.overruled
    return _with_judgment(
        state,
        replace(judgment, judge=None, judges=judges, status="asked", ruling=None, overruled=overruled, ballots={}),
    )


@happens("ruled", "a Judge has decided", {**JUDGED, **BY}, told=_told_ruled)
def _ruled(state: State, event: Event) -> State:
    data = event.data
    ruling = Ruling(
        str(event.actor), data["text"], data["reasons"], tuple(data["rests_on"]), tuple(data["numbers"]),
        tuple(data["orders"]), event.seq,
    )  # fmt: skip
    judgment = state.judgments[data["judgment"]]
    return _with_judgment(state, replace(judgment, status="ruled", ruling=ruling, ballots={}))


@happens(
    "overrule_balloted",
    told=lambda e: f"{e.actor} votes {e.data['ballot']} overruling the Judge in judgment {e.data['judgment']}",
)
def _overrule_balloted(state: State, event: Event) -> State:
    judgment = state.judgments[event.data["judgment"]]
    ballots = {**judgment.ballots, str(event.actor): event.data["ballot"]}
    return _with_judgment(state, replace(judgment, ballots=ballots))


@happens(
    "consented",
    "a player has said whether play may go on after a judgment",
    {**JUDGED, **BY, "ballot": BALLOT},
    told=lambda e: f"{e.actor} is {e.data['ballot']} going on after judgment {e.data['judgment']}",
)
def _consented(state: State, event: Event) -> State:
    judgment = state.judgments[event.data["judgment"]]
    consents = {**judgment.consents, str(event.actor): event.data["ballot"]}
    return _with_judgment(state, replace(judgment, consents=consents))


@happens("stuck", told=lambda e: f"play cannot continue; the first who cannot go on is {e.actor or 'nobody'}")
def _stuck(state: State, event: Event) -> State:
    return state.but(stuck=True, first_unable=event.actor)


@happens(
    "waits", told=lambda e: f"play waits for {listed(list(dict.fromkeys(one['player'] for one in e.data['acts'])))}"
)
def _waits(state: State, event: Event) -> State:
    return state.but(standstill=tuple(Act(**one) for one in event.data["acts"]))


@happens("let_off", told=lambda e: f"{e.actor} need not {e.data['action'].replace('_', ' ')}, because it is forbidden")
def _let_off(state: State, event: Event) -> State:
    return relieved(state, str(event.actor), event.data["action"])


@happens("won", told=lambda e: f"{listed(e.data['winners'])} {'wins' if len(e.data['winners']) == 1 else 'win'}")
def _won(state: State, event: Event) -> State:
    return state.but(winners=tuple(event.data["winners"]), over=True)


@happens("abandoned", told=lambda _: "the game ends, and nobody has won")
def _over(state: State, _: Event) -> State:
    return state.but(over=True, agenda=(), waiting=(), questions=())


def _absence(*, absent: bool) -> Callable[[State, Event], State]:
    def handler(state: State, event: Event) -> State:
        return with_player(state, replace(state.players[event.data["who"]], absent=absent))

    return handler


happens("game_started", "play begins", told=lambda e: f"the game begins, with {listed(e.data['players'])}")

happens(
    "vote_ending",
    "no more ballots, and no result yet: what this sets off is done before it is found",
    VOTE,
    told=lambda e: f"no more ballots can be cast on {e.data['number']}",
)(_status("ending"))

happens(
    "vote_closed",
    "the result of a vote is found",
    VOTE,
    told=_told_closed,
    late="the result is found by then; what comes before it is done on vote_ending",
)

happens("adopted", "a proposal was adopted", VOTE, told=lambda e: f"{e.data['number']} is adopted")(_status("adopted"))

happens("defeated", "a proposal was defeated", VOTE, told=lambda e: f"{e.data['number']} is defeated")(
    _status("defeated")
)

happens("thrown", "dice were thrown", {"player": maybe(PLAYER), "face": NUMBER}, told=_told_thrown)(did("roll"))

happens(
    "overdue",
    "somebody recorded that a player does not give what is owed: a seal or a reveal",
    {**BY, "owed": OWED},
    told=lambda e: f"{e.data['who']} does not {e.data['owed']} in time",
)

happens(
    "gave",
    "a player gave another something that is counted",
    {**BY, "receiver": PLAYER, "counter": COUNTER, "amount": NUMBER},
    told=lambda e: f"{e.actor} gives {e.data['receiver']} {e.data['amount']} {e.data['counter']}",
)

happens(
    "unpaid",
    "a player was to pay and had not got it",
    {**BY, "counter": COUNTER, "amount": NUMBER},
    told=lambda e: f"{e.actor} has not got the {e.data['amount']} {e.data['counter']} to pay {e.data['to']}",
)

happens(
    "chosen",
    "a player has chosen what a rule let them choose",
    BY,
    told=lambda e: f"{e.actor} chooses {e.data['option']}",
)

happens("said", "a player said something", {**BY, "text": TEXT}, told=lambda e: f"{e.actor} says “{e.data['text']}”")(
    did("say")
)

happens(
    "deed",
    "someone reported what a player did",
    {**BY, "reporter": PLAYER, "name": TEXT},
    told=lambda e: f"{e.actor} reports {e.data['who']}: {e.data['name']}",
)

happens(
    "free_act",
    "a player did something that no rule speaks of",
    {**BY, "text": TEXT},
    told=lambda e: f"{e.actor}: {e.data['text']}",
)(did("act"))

happens(
    "applied",
    "someone applied a rule that only people can read",
    {**BY, "rule": RULE},
    told=lambda e: f"{e.actor} applies rule {e.data['number']}: {e.data['effect']}",
)(lambda state, event: state.but(applied=(*state.applied, event.data["rule"])))

happens(
    "upheld",
    "a ruling stands",
    JUDGED,
    told=lambda e: f"{e.actor}'s ruling in judgment {e.data['judgment']} stands; overruled by {_of(e)}",
)(_judged("stands"))

happens("absent", "a player is recorded as not at the table", BY, told=lambda e: f"{e.data['who']} is absent")(
    _absence(absent=True)
)

happens("returned", "a player is back at the table", BY, told=lambda e: f"{e.data['who']} is back")(
    _absence(absent=False)
)

happens("paused", told=lambda _: "the game is paused")(lambda state, _: state.but(paused=True))

happens("resumed", told=lambda _: "the game goes on")(lambda state, _: state.but(paused=False))

happens("put_off", told=lambda e: f"{e.data['number']} takes effect once the next {e.data['due']}")(_status("waiting"))

happens("without_effect", told=lambda e: f"{e.data['number'] or 'the change'} has no effect: {e.data['note']}")(
    _status("without effect")
)

happens("lapsed", told=lambda e: f"{e.data['number']} lapses: {e.data['note']}")(_status("lapsed"))

happens("no_judge", told=lambda e: f"nobody can be Judge in judgment {e.data['judgment']}")(_judged("table"))

happens("committed", told=lambda e: f"{e.actor} seals a value")(_in_round(_committed))

happens("revealed", told=lambda e: f"{e.actor} reveals {e.data['value']}")(_in_round(_revealed))

happens(
    "left_out",
    told=lambda e: (
        f"without {e.actor}, nothing that was sealed counts"
        if e.data["again"]
        else f"the throw is made without {e.actor}"
    ),
)(_in_round(_left_out))

happens("debate_ended", told=lambda e: f"{e.actor} ends the debate on {e.data['number']}")

happens("vote_ended", told=lambda e: f"{e.actor} closes the vote on {e.data['number']}")

happens("scheduled", told=lambda e: f"in {e.data['turns']} turns: {e.data['effect']}")

happens("announced", told=lambda e: e.data["text"])

happens(
    "disputed",
    told=lambda e: (
        f"{e.data['effect']}: {e.actor} does not get the others' consent, and it is not done"
        + (f" ({e.data['why']})" if e.data["why"] else "")
    ),
)

happens("attempted", told=lambda e: f"{e.actor} tries to {e.do.replace('_', ' ')}")

happens("corrected", told=lambda e: f"{listed(e.data['agreed'])} agree: {e.data['effect']} ({e.data['reason']})")

happens("annotated", told=lambda e: f"on event {e.data['at']}: {e.data['nag']} {e.data['text']}".replace(":  ", ": "))

happens("undone", told=lambda e: f"the game goes back to how it stood after event {e.data['to']}")
