"""What each kind of event does to the state. Nothing else changes what is recorded in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from nomic_nb.law.changes import Change, Making, find_target, make
from nomic_nb.law.incorporation import with_incorporated
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Part, Rule, RuleBook, Void
from nomic_nb.law.values import Number
from nomic_nb.play.agenda import Agenda
from nomic_nb.play.answering import lasts
from nomic_nb.play.boards import fold as boards
from nomic_nb.play.brought_in import library
from nomic_nb.play.commitments import Opening, Round
from nomic_nb.play.events import Event, number_from_json
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

Handler = Callable[[State, Event], State]


def fold(state: State, event: Event) -> State:
    """Return the state after an event."""
    handler = HANDLERS.get(event.kind)
    state = state.but(seq=event.seq, standstill=(), waited=_waited(state, event))
    if event.draw is not None:
        state = state.but(draws=state.draws + 1)
    return state if handler is None else handler(state, event)


def with_player(state: State, player: Player) -> State:
    """Return the state with one player changed."""
    return state.but(players={**state.players, player.name: player})


def with_turn(state: State, turn: Turn) -> State:
    """Return the state with a turn under way changed."""
    return state.but(turns=tuple(turn if one.number == turn.number else one for one in state.turns))


def _turn_at(state: State, event: Event) -> Turn:
    """Return the turn in which an event happened."""
    return next(turn for turn in state.turns if turn.number == event.turn)


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


def _entered(state: State, event: Event) -> State:
    name = str(event.actor)
    counters: dict[str, Number] = {one: number_from_json(value) for one, value in event.data["counters"].items()}
    return with_player(state, Player(name, event.data["as"] == "person", counters=counters))


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
    """Return the state in which the rulings are gone that held for a turn, or of which rules speak now."""
    gone = [rule.id for rule in state.rules if rule.answers and not (lasts(rule) and _is_ruled(state, rule.answers))]
    return with_book(state, state.rules.without(*gone)) if gone else state


def _is_ruled(state: State, key: str) -> bool:
    """Tell whether it is still a ruling that says what a term is."""
    return state.law.find(key, state, {}).outcome == "ruled"


def _asked_again(state: State, event: Event) -> State:
    id = event.data["rule"]
    if state.rules.rules[id].answers:
        return with_book(state, state.rules.without(id))
    return state.but(set_aside=tuple(one for one in state.set_aside if one[1] != id))


def _part_begun(state: State, event: Event) -> State:
    return with_turn(state, replace(_turn_at(state, event), part=event.data["part"], duties=()))


def _part_ended(state: State, event: Event) -> State:
    go = _turn_at(state, event)
    return with_turn(state, replace(go, part=None, done=(*go.done, event.data["part"]), duties=()))


def _turn_ended(state: State, event: Event) -> State:
    name = str(event.actor)
    player = state.players[name]
    state = with_player(state, replace(player, turns=player.turns + 1))
    left = tuple(turn for turn in state.turns if turn.number != event.turn)
    place = event.data.get("army", name)
    had = state.had_turn if place in state.had_turn else (*state.had_turn, place)
    mated = {} if state.mated else state.mated
    return state.but(turns=left, ended=state.ended + 1, had_turn=had, mated=mated)


def _passed_over(state: State, event: Event) -> State:
    name = event.data.get("army", str(event.actor))
    had = state.had_turn if name in state.had_turn else (*state.had_turn, name)
    return state.but(
        had_turn=had, sequence=tuple(event.data["sequence"]), place=event.data["place"],
        sequence_of=event.data.get("of", "player"),
    )  # fmt: skip


def _circuit_ended(state: State, _: Event) -> State:
    return state.but(circuit=state.circuit + 1, had_turn=())


def _obliged(state: State, event: Event) -> State:
    go = _turn_at(state, event)
    cause = event.cause.rule if event.cause else None
    return with_turn(state, replace(go, duties=(*go.duties, Duty(str(event.actor), event.data["action"], cause))))


def relieved(state: State, player: str, action: str) -> State:
    """Return the state in which a player owes one such action less, in the turn at hand if it is owed there."""
    for turn in sorted(state.turns, key=lambda one: one.number != state.hand):
        for at, duty in enumerate(turn.duties):
            if duty.player == player and duty.action == action:
                return with_turn(state, replace(turn, duties=(*turn.duties[:at], *turn.duties[at + 1 :])))
    return state


def _cut_short(state: State, event: Event) -> State:
    go = _turn_at(state, event)
    return with_turn(state, replace(go, duties=(), over=go.over or event.data["what"] == "turn"))


def _finished(state: State, event: Event) -> State:
    return with_turn(state, replace(_turn_at(state, event), duties=(), over=True))


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


def _proposed(state: State, event: Event) -> State:
    number = event.data["number"]
    change = change_of(event.data["change"])
    proposal = Proposal(number, change, str(event.actor), event.turn, aim=_aim(state, change))
    state = relieved(state, proposal.proponent, "propose")
    return replace(with_proposal(state, proposal), last_number=number)


def _aim(state: State, change: Change) -> tuple[int, str] | None:
    if change.target is None:
        return None
    rule = find_target(state.rules, change)
    return rule.id, rule.tier


def _revised(state: State, event: Event) -> State:
    proposal, change = state.proposals[event.data["number"]], change_of(event.data["change"])
    return with_proposal(state, replace(proposal, change=change, note="", aim=_aim(state, change)))


def _retargeted(state: State, event: Event) -> State:
    proposal = state.proposals[event.data["number"]]
    return with_proposal(state, replace(proposal, change=change_of(event.data["change"]), note=""))


def _balloted(state: State, event: Event) -> State:
    proposal = state.proposals[event.data["number"]]
    vote = proposal.vote
    if vote is None:
        return state
    ballots = {name: ballot for name, ballot in vote.ballots.items() if name != event.actor}
    return with_vote(state, proposal, replace(vote, ballots={**ballots, str(event.actor): event.data["ballot"]}))


def _agreed(state: State, event: Event) -> State:
    proposal = state.proposals[event.data["number"]]
    vote = proposal.vote
    if vote is None:
        return state
    return with_vote(state, proposal, replace(vote, agreed={**vote.agreed, str(event.actor): event.data["answer"]}))


def _stale(state: State, event: Event) -> State:
    proposal = state.proposals[event.data["number"]]
    return with_proposal(state, replace(proposal, note=event.data["note"]))


def _status(status: str) -> Handler:
    def handler(state: State, event: Event) -> State:
        proposal = state.proposals.get(event.data["number"])
        if proposal is None:  # an automatic change, which nobody proposed
            return state
        due = event.data.get("due", "")
        return with_proposal(state, replace(proposal, status=status, note=event.data.get("note", ""), due=due))

    return handler


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


def _voided(state: State, event: Event) -> State:
    data = event.data
    version = state.rules.rules[data["rule"]].event if data.get("judged") else None
    void = {**state.rules.void, data["rule"]: Void(data["against"], data["key"], version)}
    return with_book(state, state.rules.with_void(void))


def _revived(state: State, event: Event) -> State:
    void = {id: why for id, why in state.rules.void.items() if id != event.data["rule"]}
    return with_book(state, state.rules.with_void(void))


# ----------------------------------------------------------------------------------- sealing and revealing


def _sealing_opened(state: State, event: Event) -> State:
    place, found = event.data["place"], Round(event.seq, tuple(event.data["who"]))
    due = replace(state.waiting[place], round=found)
    return state.but(waiting=(*state.waiting[:place], due, *state.waiting[place + 1 :]))


def _in_round(change: Callable[[Waiting, Round, Event], Waiting]) -> Handler:
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


def _asked(state: State, event: Event) -> State:
    data = event.data
    question = Question(
        event.seq, data["text"], tuple(data["who"]), data.get("key", ""), tuple(data.get("options", ())),
        data.get("rule"), drops=data.get("drops", False), when=data.get("when", ""),
        general=data.get("general", False),
        set_aside=tuple((why, id, version) for why, id, version in data.get("set_aside", ())),
    )  # fmt: skip
    return state.but(questions=(*state.questions, question))


def _answered(state: State, event: Event) -> State:
    said = dict.fromkeys((str(event.actor), *event.data.get("agreed", ())), event.data["answer"])
    questions = tuple(
        replace(one, answers={**one.answers, **said}) if one.id == event.data["question"] else one
        for one in state.questions
    )
    return state.but(questions=questions)


def _settled(state: State, event: Event) -> State:
    question = next(one for one in state.questions if one.id == event.data["question"])
    state = state.but(questions=tuple(one for one in state.questions if one is not question))
    if question.set_aside:
        state = state.but(set_aside=(*state.set_aside, *question.set_aside))
    if question.consent and state.agenda:
        item, rest = state.agenda.taken()
        answered = replace(item, env={**item.env, ANSWER: event.data["answer"]})
        state = state.but(agenda=rest.first(answered))
    elif question.drops and state.agenda:
        state = state.but(agenda=state.agenda.taken()[1])
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

    agenda = Agenda(replace(item, law=ruled(item.law)) for item in state.agenda)
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
        judgment = replace(judgment, held=state.questions[0], after=tuple(state.agenda))
        state = state.but(questions=state.questions[1:], agenda=Agenda())
    return _with_judgment(state, judgment)


def _given_back(state: State, judgment: Judgment) -> tuple[State, Judgment]:
    """Give the question that a judgment was to settle back to the table, with what goes on behind it."""
    question = judgment.held
    if question is None:
        return state, judgment
    who = tuple(name for name in question.who if state.players[name].playing) or state.present
    answers = {name: said for name, said in question.answers.items() if name in who}
    questions = (replace(question, who=who, answers=answers), *state.questions)
    state = state.but(questions=questions, agenda=state.agenda.first(*judgment.after))
    return state, replace(judgment, held=None, after=())


def _judged(status: str) -> Handler:
    def handler(state: State, event: Event) -> State:
        state, judgment = _given_back(state, state.judgments[event.data["judgment"]])
        return _with_judgment(state, replace(judgment, status=status))

    return handler


def _judgment_closed(state: State, event: Event) -> State:
    state, judgment = _given_back(state, state.judgments[event.data["judgment"]])
    status = "closed" if judgment.unsettled else judgment.status
    return _with_judgment(state, replace(judgment, status=status), docketed=False)


def _judge_named(state: State, event: Event) -> State:
    judgment = state.judgments[event.data["judgment"]]
    return _with_judgment(state, replace(judgment, judge=event.actor, status="asked"))


def _judge_gone(state: State, event: Event) -> State:
    judgment = state.judgments[event.data["judgment"]]
    judges = (*judgment.judges, judgment.judge) if judgment.judge else judgment.judges
    overruled = (*judgment.overruled, judgment.ruling) if judgment.ruling else judgment.overruled
    return _with_judgment(
        state,
        replace(judgment, judge=None, judges=judges, status="asked", ruling=None, overruled=overruled, ballots={}),
    )


def _ruled(state: State, event: Event) -> State:
    data = event.data
    ruling = Ruling(
        str(event.actor), data["text"], data["reasons"], tuple(data["rests_on"]), tuple(data["numbers"]),
        tuple(data["orders"]), event.seq,
    )  # fmt: skip
    judgment = state.judgments[data["judgment"]]
    return _with_judgment(state, replace(judgment, status="ruled", ruling=ruling, ballots={}))


def _overrule_balloted(state: State, event: Event) -> State:
    judgment = state.judgments[event.data["judgment"]]
    ballots = {**judgment.ballots, str(event.actor): event.data["ballot"]}
    return _with_judgment(state, replace(judgment, ballots=ballots))


def _consented(state: State, event: Event) -> State:
    judgment = state.judgments[event.data["judgment"]]
    consents = {**judgment.consents, str(event.actor): event.data["ballot"]}
    return _with_judgment(state, replace(judgment, consents=consents))


def _did(action: str) -> Handler:
    def handler(state: State, event: Event) -> State:
        return relieved(state, str(event.actor), action)

    return handler


def _stuck(state: State, event: Event) -> State:
    return state.but(stuck=True, first_unable=event.actor)


def _waited(state: State, event: Event) -> tuple[int, ...]:
    """Return the acts that have let nothing go on so far."""
    if event.kind == "turn_begun" or (event.action and not state.standstill and not state.questions):
        return ()
    return (*state.waited, event.seq) if event.action and state.standstill else state.waited


def _waits(state: State, event: Event) -> State:
    return state.but(standstill=tuple(Act(**one) for one in event.data["acts"]))


def _let_off(state: State, event: Event) -> State:
    return relieved(state, str(event.actor), event.data["action"])


def _won(state: State, event: Event) -> State:
    return state.but(winners=tuple(event.data["winners"]), over=True)


def _over(state: State, _: Event) -> State:
    return state.but(over=True, agenda=Agenda(), waiting=(), questions=())


def _absence(*, absent: bool) -> Handler:
    def handler(state: State, event: Event) -> State:
        return with_player(state, replace(state.players[event.data["who"]], absent=absent))

    return handler


HANDLERS: Mapping[str, Handler] = {
    "absent": _absence(absent=True),
    "returned": _absence(absent=False),
    "paused": lambda state, _: state.but(paused=True),
    "resumed": lambda state, _: state.but(paused=False),
    "entered": _entered,
    "turn_begun": _turn_begun,
    "part_begun": _part_begun,
    "part_ended": _part_ended,
    "turn_ended": _turn_ended,
    "passed_over": _passed_over,
    "circuit_ended": _circuit_ended,
    "obliged": _obliged,
    "cut_short": _cut_short,
    "skipped": _finished,
    "finished": _finished,
    "forfeited": _left,
    "eliminated": _left,
    "proposed": _proposed,
    "revised": _revised,
    "vote_opened": _vote_opened,
    "retallied": _vote_opened,
    "balloted": _balloted,
    "agreed": _agreed,
    "vote_ending": _status("ending"),
    "adopted": _status("adopted"),
    "put_off": _status("waiting"),
    "without_effect": _status("without effect"),
    "defeated": _status("defeated"),
    "lapsed": _status("lapsed"),
    "stale": _stale,
    "retargeted": _retargeted,
    "enacted": _changed,
    "amended": _changed,
    "repealed": _changed,
    "transmuted": _changed,
    "voided": _voided,
    "revived": _revived,
    "tracked": _tracked,
    "counted": _counted,
    "applied": lambda state, event: state.but(applied=(*state.applied, event.data["rule"])),
    "asked": _asked,
    "judgment_invoked": _judgment_invoked,
    "judge_named": _judge_named,
    "judge_gone": _judge_gone,
    "no_judge": _judged("table"),
    "ruled": _ruled,
    "overrule_balloted": _overrule_balloted,
    "overruled": _judge_gone,
    "upheld": _judged("stands"),
    "consented": _consented,
    "judgment_closed": _judgment_closed,
    "answered": _answered,
    "settled": _settled,
    "asked_again": _asked_again,
    "thrown": _did("roll"),
    "sealing_opened": _sealing_opened,
    "committed": _in_round(_committed),
    "revealed": _in_round(_revealed),
    "left_out": _in_round(_left_out),
    "said": _did("say"),
    "free_act": _did("act"),
    "stuck": _stuck,
    "waits": _waits,
    "let_off": _let_off,
    **boards.HANDLERS,
    "moves_made": _did("move"),
    "won": _won,
    "abandoned": _over,
}
