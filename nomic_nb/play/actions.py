"""What players can do, and when it is refused. Each action is checked, and becomes one event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn, cast

from nomic_nb.errors import IllegalAction
from nomic_nb.law import values as v
from nomic_nb.law.changes import Change, as_number, check_text, find_target, from_json
from nomic_nb.law.clauses import Claim
from nomic_nb.law.findings import Finding
from nomic_nb.law.rules import Number
from nomic_nb.law.values import Ref, Value, shown
from nomic_nb.law.view import Undecided
from nomic_nb.play.answering import answer_to, lasts, settle_if_agreed
from nomic_nb.play.boards.moving import move
from nomic_nb.play.boards.seats import sequence_of
from nomic_nb.play.dice import draw
from nomic_nb.play.effects import leave, put_back, transfer, without_waiting_for
from nomic_nb.play.events import Cause
from nomic_nb.play.facts import names_of, spoken
from nomic_nb.play.judgment import awaited_consent, consent, invoke_judgment, overrule, rule_on, stand
from nomic_nb.play.lawmaking import check_change
from nomic_nb.play.permission import (
    LONGEST_SAID,
    calm,
    check_names,
    check_permission,
    forbidden,
    permission,
    refusal,
    refuse,
    settled,
)
from nomic_nb.play.possible import supposed, supposed_case
from nomic_nb.play.sealing import reveal, seal
from nomic_nb.play.state import Item, Proposal, State, Turn, Vote, Waiting
from nomic_nb.play.turns import begin, parts_over
from nomic_nb.play.voting import case_of

if TYPE_CHECKING:
    from nomic_nb.play.engine import Engine

# ------------------------------------------------------------------------------------------ proposing


def propose(engine: Engine, player: str, change: Change, number: Number | None = None, debate: bool = False) -> None:
    """Propose a rule-change; unless it is to be debated first, the vote opens, if it may be called yet."""
    state = engine.state
    calm(state)
    change = from_json(change.to_json())
    _owed(engine, player, "propose")
    _proper(engine, player, change)
    given, left_out = _numbered(engine, number)
    data: dict[str, Any] = {"number": given, "change": change.to_json(), "debate": bool(debate)}
    if left_out is not None:
        data |= {"assigned": True, "left_out": left_out}
    env: dict[str, Value] = {"proposal": Ref("proposal", given), "player": Ref("player", player)}
    engine.emit("proposed", player, env=env, by_player=True, data=data)
    if not debate:
        engine.schedule("open vote at once", proposal=Ref("proposal", given))


def check_number(state: State, number: Number | None) -> None:
    """Refuse a number that a proposal cannot have.

    Raises
    ------
    IllegalAction
        The law gives numbers here, or it is no whole number from the first one on, or it is taken.
    """
    if number is None:
        return
    numbering, first = (
        state.law.find("proposal.numbering", state, {}),
        state.law.find("proposal.first_number", state, {}),
    )
    if numbering.value == "successive":
        raise IllegalAction(
            "proposals are numbered by the law here, and not by whoever makes them", rule=numbering.rule
        )
    least = first.value if isinstance(first.value, int) else 0
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= v.LARGEST:
        raise IllegalAction(f"a proposal's number here is a whole number from {least} on", rule=numbering.rule)
    if number in state.proposals or number in state.rules.by_number:
        raise IllegalAction(f"number {number} is taken; each number is given once", rule=numbering.rule)


def _numbered(engine: Engine, number: Number | None) -> tuple[int, int | None]:
    """Return the number of a proposal, and how many were left out before it, where others assign them (-209)."""
    state = engine.state
    numbering = state.law.find("proposal.numbering", state, {})
    first = cast(int, engine.read("proposal.first_number"))
    if state.law.settled(numbering) == "successive":
        check_number(state, number)
        last = state.last_number
        given = first if last is None else max(last + 1, first)
        while given in state.rules.by_number or given in state.proposals:  # a number is given once
            given += 1
        return given, None
    if number is None:
        raise IllegalAction("numbers are assigned by others here: say which number it has", rule=numbering.rule)
    check_number(state, number)
    assert isinstance(number, int)  # noqa: S101 - it was checked
    highest = max((one for one in state.proposals if isinstance(one, int)), default=first - 1)
    return number, max(0, number - highest - 1)


def _owed(engine: Engine, player: str, action: str) -> None:
    """Refuse what nobody waits for now."""
    state = engine.state
    go = state.go
    if go is not None and any(duty.player == player and duty.action == action for duty in go.duties):
        return
    finding = state.law.find("turn.sequence", state, {})
    own = state.turn_of(player)
    if own is None and go is not None:
        refuse(state, f"it is {go.player}'s turn, not {player}'s", finding.rule)
    if own is None and state.law.find("turn.start", state, {}).value != "automatic":
        refuse(state, f"{player} has not begun a turn", state.law.find("turn.start", state, {}).rule)
    if state.waiting:
        first = state.waiting[0]
        refuse(state, f"{first.player or 'somebody'} has something to do first", first.rule)
    parts = state.law.find("turn.parts", state, {})
    refuse(state, f"{player} has nothing to {action} now", parts.rule)


def _proper(engine: Engine, player: str, change: Change) -> None:
    """Refuse what is no proper proposal: no such rule, no such clause, or not allowed (103, 116)."""
    state = engine.state
    try:
        check_change(state.law, change)
    except LookupError as error:
        now = state.rules.successor(change.target)
        numbers = sorted((rule.number for rule in state.rules), key=lambda one: (isinstance(one, str), one))
        rules = f"rules {', '.join(str(number) for number in numbers)}" if now is None else f"rule {now.number}"
        raise IllegalAction(str(error.args[0]), options=[rules]) from None
    trial = supposed(state, change, player)
    finding = permission(trial, "propose", player, **supposed_case())
    if not finding.answered:
        settled(trial, finding)
    if not forbidden(finding):
        return
    _improper(trial, player, change, finding)


def _improper(state: State, player: str, change: Change, finding: Finding) -> NoReturn:
    """Refuse a change that the law does not count among rule-changes, and say what it would allow."""
    candidates = state.law.candidates.get("may.propose", ())
    saying = finding.sources if finding.key == "may.propose" else candidates or finding.sources
    rule = saying[0].rule.number if saying else None
    target = "" if change.target is None else f"rule {change.target} is {find_target(state.rules, change).tier}; "
    options = []
    for kind in ("amend", "repeal", "transmute") if change.target is not None else ():
        other = supposed(state, Change(kind, change.target, "…"), player)
        allowed = permission(other, "propose", player, **supposed_case())
        if allowed.answered and not forbidden(allowed):
            options.append(f"{kind} rule {change.target}")
    raise IllegalAction(
        f"{target}to {change.headline} is not a rule-change that can be proposed", rule=rule, options=options
    )


def _debated(engine: Engine, player: str, key: str, action: str, number: Number | None) -> Proposal:
    state = engine.state
    calm(state)
    debated = [one for one in state.open_proposals if one.status == "debate" and number in (None, one.number)]
    if not debated:
        refuse(
            state,
            "no proposal is being debated" if number is None else f"proposal {number} is not being debated",
        )
    proposal = debated[-1]
    finding = state.law.find(key, state, case_of(proposal))
    if player not in names_of(state.law.settled(finding)):
        refuse(state, f"{player} cannot {action.replace('_', ' ')} here", finding.rule)
    check_permission(state, action, player, f"to {action.replace('_', ' ')}", **case_of(proposal))
    return proposal


def revise(engine: Engine, player: str, change: Change, proposal: Number | None = None) -> None:
    """Give a proposal that is being debated another form (111); its number stays."""
    found = _debated(engine, player, "debate.final_form_by", "revise", proposal)
    change = from_json(change.to_json())
    _proper(engine, found.proponent, change)
    env: dict[str, Value] = {**case_of(found), "player": Ref("player", player)}
    engine.take(found.turn)
    engine.emit("revised", player, env=env, by_player=True, number=found.number, change=change.to_json())


def call_vote(engine: Engine, player: str, proposal: Number | None = None) -> None:
    """End the debate; the vote opens (111)."""
    found = _debated(engine, player, "debate.ended_by", "call_vote", proposal)
    engine.take(found.turn)
    engine.emit("debate_ended", player, by_player=True, number=found.number)
    engine.schedule("open vote", **case_of(found))


# --------------------------------------------------------------------------------------------- voting


def vote(engine: Engine, player: str, ballot: object, proposal: Number | None = None) -> None:
    """Cast a ballot."""
    state = engine.state
    calm(state)
    if not isinstance(ballot, str) or ballot not in ("for", "against"):
        raise IllegalAction(f"a ballot is cast for or against, not {str(ballot)[:40]!r}", options=["for", "against"])
    found = _open_vote(state, player, proposal)
    case = case_of(found)
    held = found.vote
    assert held is not None  # noqa: S101 - an open proposal has a vote
    if player not in held.electorate:
        refuse(state, f"{player} may not vote on {found.number}", held.electorate_rule)
    if player in held.ballots:
        finding = state.law.find("vote.changeable", state, case)
        if state.law.settled(finding) is not True:
            refuse(state, f"{player} has voted on {found.number} already, and ballots stand", finding.rule)
    check_permission(state, "vote", player, f"that {player} votes on {found.number}", **case)
    env: dict[str, Value] = {**case, "player": Ref("player", player), "ballot": ballot}
    engine.take(found.turn)
    engine.emit("balloted", player, env=env, by_player=True, number=found.number, ballot=ballot)
    engine.schedule("close vote", **case)


def _open_vote(state: State, player: str, number: Number | None) -> Proposal:
    if number is not None:
        found = state.proposals.get(number)
        if found is None:
            refuse(state, f"there is no proposal {number}")
        if found.status != "open":
            said = {"debate": "is still being debated", "ending": "is over; its result is yet to be found"}.get(
                found.status, f"is closed; it was {found.status}"
            )
            refuse(state, f"the vote on {number} {said}")
        return found
    still_open = [one for one in state.open_proposals if one.status == "open"]
    if not still_open:
        refuse(state, "no vote is open")
    waiting = [one for one in still_open if one.vote is not None and player in one.vote.waiting]
    if len(waiting or still_open) > 1:
        numbers = ", ".join(str(one.number) for one in waiting or still_open)
        refuse(state, f"several votes are open ({numbers}); say which")
    return (waiting or still_open)[0]


def close_vote(engine: Engine, player: str, proposal: Number | None = None) -> None:
    """Close a vote in which not everyone has voted, where the law lets someone."""
    state = engine.state
    calm(state)
    found = _open_vote(state, player, proposal)
    held = found.vote
    assert held is not None  # noqa: S101 - an open proposal has a vote
    case = case_of(found)
    if held.duty and held.waiting:
        duty = held.law.find("vote.duty", state, case)
        refuse(state, f"everyone must vote; {', '.join(held.waiting)} has not", duty.rule)
    finding = state.law.find("vote.ended_by", state, case)
    if player not in names_of(state.law.settled(finding)):
        refuse(state, f"{player} cannot close this vote", finding.rule)
    check_permission(state, "close_vote", player, "to close the vote", **case)
    engine.take(found.turn)
    engine.emit("vote_ended", player, by_player=True, number=found.number)
    engine.schedule("conclude vote", **case)


def agree(engine: Engine, player: str, answer: object = "yes", proposal: Number | None = None) -> None:
    """Say whether a vote may be closed without one's ballot, where a rule has silent voters asked."""
    state = engine.state
    calm(state)
    if not isinstance(answer, str) or answer not in ("yes", "no"):
        raise IllegalAction(f"one agrees or not, yes or no, not {str(answer)[:40]!r}", options=["yes", "no"])
    found = _open_vote(state, player, proposal)
    held, case = cast(Vote, found.vote), case_of(found)
    finding = state.law.find("may.agree", state, {"player": Ref("player", player), **case})
    if player not in held.waiting or finding.outcome == "silent" or state.law.settled(finding) is not True:
        refuse(state, f"{player} is not asked whether the vote on {found.number} may be closed", finding.rule)
    if held.agreed.get(player) in ("yes", answer):
        refuse(state, f"{player} has said so already", finding.rule)
    env: dict[str, Value] = {**case, "player": Ref("player", player), "answer": answer}
    engine.take(found.turn)
    engine.emit("agreed", player, env=env, by_player=True, number=found.number, answer=answer)


# ----------------------------------------------------------------------------------- throws and choices


def roll(engine: Engine, player: str, value: object = None) -> None:
    """Throw the dice that the law waits for: drawn by the game, or made by hand."""
    state = engine.state
    calm(state)
    waiting = _waited_for(state, player, "roll", "there is nothing to throw now", "throws")
    least, most = waiting.dice, waiting.dice * waiting.sides
    whole = isinstance(value, int) and not isinstance(value, bool)
    if value is not None and not (whole and least <= cast(int, value) <= most):
        refuse(state, f"a throw here shows {least} to {most}, not {str(value)[:40]}", waiting.rule)
    check_permission(state, "roll", player, f"that {player} throws")
    finding = state.law.find("dice.source", state, {})
    source = state.law.settled(finding)
    if source == "committed" or waiting.round is not None:
        refuse(state, "nobody makes this throw alone: it is drawn from what is sealed and revealed", finding.rule)
    faces: tuple[int, ...] | None = None
    if value is None:
        if source == "table":
            refuse(state, "the dice are thrown by hand here: say what they show", finding.rule)
        faces = draw(engine.seed, state.draws, waiting.dice, waiting.sides)
        total = sum(faces)
    else:
        if source == "seeded":
            refuse(state, "the game's own dice are thrown here, not one made by hand", finding.rule)
        total = cast(int, value)
    env: dict[str, Value] = {"player": Ref("player", player), "face": total}
    engine.state = put_back(state, waiting, total)
    engine.emit(
        "thrown",
        player,
        env=env,
        by_player=True,
        draw=faces,
        face=total,
        by_hand=faces is None,
        sides=waiting.sides,
    )


def _waited_for(state: State, player: str, action: str, nothing: str, does: str) -> Waiting:
    """Return what is waited for from a player, or refuse."""
    known = [one for one in state.waiting if one.action == action]
    if not known:
        refuse(state, nothing)
    for waiting in known:
        if waiting.player in (None, player):
            return waiting
    raise refusal(state, f"it is {known[0].player} who {does}", known[0].rule)


def choose(
    engine: Engine, player: str, option: object, decision: int | None = None, agreed: list[str] | None = None
) -> None:
    """Answer a question, for others too who agree; or choose what a rule offers."""
    state = engine.state
    if state.questions:
        _answer(engine, player, option, decision, agreed or [])
        return
    if agreed:
        raise IllegalAction("what a rule offers is chosen by one alone")
    first = _waited_for(state, player, "choose", "there is nothing to choose now", "chooses")
    # One player may have several things to choose: it is the first of them where this is offered.
    several = [one for one in state.waiting if one.action == "choose" and one.player in (None, player)]
    waiting = next((one for one in several if _offered(state, one, option) is not None), first)
    said = _offered(state, waiting, option)
    offered = {spoken(state, one): one for one in waiting.options}
    if said is None:
        raise IllegalAction(f"{str(option)[:40]!r} is not offered", rule=waiting.rule, options=list(offered))
    check_permission(state, "choose", player, f"that {player} chooses")
    engine.take(waiting.turn)
    engine.state = put_back(engine.state, waiting, offered[said])
    engine.emit("chosen", player, env={"player": Ref("player", player)}, by_player=True, option=said)


def _offered(state: State, waiting: Waiting, option: object) -> str | None:
    """Return an option as it is written where it is offered, or None where it is not."""
    offered = {spoken(state, one) for one in waiting.options}
    if str(option) in offered:
        return str(option)
    said = shown(option) if isinstance(option, str | int | Fraction | None) else ""
    return said if said in offered else None


def _answer(engine: Engine, player: str, option: object, decision: int | None, agreed: list[str]) -> None:
    state = engine.state
    question = state.questions[0]
    if decision is not None and decision != question.id:
        refuse(state, f"question {decision} is not open; question {question.id} is")
    if player not in question.who:
        refuse(state, f"{player} is not asked here", question.rule)
    asked = state.asked(question)
    if not all(isinstance(name, str) and name in asked for name in agreed):
        raise IllegalAction("those who agree are a list of names of those who are asked", options=list(asked))
    answer = answer_to(state, question, option)
    others = [name for name in dict.fromkeys(agreed) if name != player]
    said = {"agreed": others} if others else {}
    engine.emit("answered", player, by_player=True, data=said, question=question.id, answer=answer)
    settle_if_agreed(engine)


def ask_again(engine: Engine, player: str, key: str) -> None:
    """Let the table be asked anew about a term on which it agreed, or about a rule that is left out of steps."""
    state = engine.state
    calm(state)
    held = {rule.answers: rule.id for rule in state.rules if rule.answers and lasts(rule)}
    aside = {id for _, id, _ in state.set_aside}
    held |= {f"rule {rule.number}": rule.id for rule in state.rules if rule.id in aside}
    if key not in held:
        said = f"the table has agreed on nothing that holds about {str(key)[:40]!r}"
        raise IllegalAction(said, options=list(held))
    check_permission(state, "ask_again", player, f"that {player} asks again")
    engine.emit("asked_again", player, by_player=True, key=key, rule=held[key])


# ------------------------------------------------------------------------------------------- the rest


def begin_turn(engine: Engine, player: str) -> None:
    """Begin a turn, where turns are begun at will (-112)."""
    state = engine.state
    calm(state)
    start = state.law.find("turn.start", state, {})
    if state.law.settled(start) != "at will":
        refuse(state, "turns begin by themselves here", start.rule)
    finding = state.law.find("turn.sequence", state, {})
    order = sequence_of(state.law.settled(finding))
    places = [at for at, name in enumerate(order.names) if order.holder(state, name) == player]
    if not places:
        refuse(state, f"{player} has no turns", finding.rule)
    overlap = state.law.find("turn.overlap", state, {})
    if state.turns and state.law.settled(overlap) is not True:
        refuse(state, f"{state.turns[0].player}'s turn is not over", overlap.rule)
    check_permission(state, "begin_turn", player, f"that {player} begins a turn")
    judgment = awaited_consent(state.law, state, player)
    if judgment is not None:
        rule = state.law.find("judge.consent", state, {"judgment": Ref("judgment", judgment.id)}).rule
        refuse(state, f"no turn begins after judgment {judgment.id} without the consent that it takes", rule)
    # Where turns belong to armies, that of the player's first army that had none in this circuit.
    place = next((at for at in places if order.names[at] not in state.had_turn), places[0])
    begin(engine, order, place, player, order.names[place] if order.of == "army" else None, by_player=True)
    while stand(engine):  # what nobody has overruled by now
        pass


def _own_turn(engine: Engine, player: str) -> Turn:
    go = engine.state.turn_of(player)
    if go is None:
        refuse(engine.state, f"it is not {player}'s turn")
    if any(one.turn == go.number for one in engine.state.open_proposals):
        refuse(engine.state, "what is begun in this turn is to be finished first")
    engine.take(go.number)
    return go


def end_turn(engine: Engine, player: str) -> None:
    """End one's turn once all that is owed in it is done, where players end their turns themselves."""
    state = engine.state
    calm(state)
    finding = state.law.find("turn.ended_by", state, {})
    if state.law.settled(finding) != "player":
        refuse(state, "turns end by themselves here", finding.rule)
    go = _own_turn(engine, player)
    if not parts_over(state, go):
        refuse(state, f"{player} has something to do in this turn first", finding.rule, only=player)
    check_permission(state, "end_turn", player, "to end the turn")
    engine.emit("finished", player, by_player=True)


def skip(engine: Engine, player: str) -> None:
    """Pass over the rest of one's turn, where the law allows it."""
    state = engine.state
    calm(state)
    finding = state.law.find("may.skip", state, {"player": Ref("player", player)})
    if state.turn_of(player) is None:
        refuse(state, f"it is not {player}'s turn")
    if not (finding.answered and finding.value is True):
        refuse(state, "turns are not skipped, and no part of one is left out", finding.rule)
    _own_turn(engine, player)
    engine.state = without_waiting_for(engine.state, player)
    engine.emit("skipped", player, env={"player": Ref("player", player)}, by_player=True)


def _said(state: State, player: str, action: str, text: str) -> str:
    check_text("text", text, LONGEST_SAID)
    text = v.Heard(text.strip())
    if not text:
        raise IllegalAction("there is nothing in it")
    check_permission(state, action, player, f"to {action} this", text=text)
    return text


def say(engine: Engine, player: str, text: str) -> None:
    """Say something that rules may listen for."""
    text = _said(engine.state, player, "say", text)
    engine.emit("said", player, env={"player": Ref("player", player), "text": text}, by_player=True, text=str(text))


def act(engine: Engine, player: str, text: str) -> None:
    """Do what no rule speaks of (116)."""
    text = _said(engine.state, player, "act", text)
    engine.emit("free_act", player, env={"player": Ref("player", player), "text": text}, by_player=True, text=str(text))


def report(engine: Engine, player: str, who: str, deed: str) -> None:
    """Report a deed that rules may speak of."""
    state = engine.state
    calm(state)
    if who not in state.players:
        refuse(state, f"nobody called {str(who)[:40]!r} plays here; the players are {', '.join(state.players)}")
    check_text("deed", deed, v.LONGEST_TEXT)
    deed = v.Heard(deed.strip())
    if not deed:
        raise IllegalAction("a deed needs a name")
    check_permission(state, "report", player, "to report this", name=deed)
    env: dict[str, Value] = {"player": Ref("player", who), "reporter": Ref("player", player), "name": deed}
    engine.emit("deed", player, env=env, by_player=True, who=who, name=str(deed))


def give(engine: Engine, player: str, receiver: str, amount: int, counter: str = "points") -> None:
    """Give another player something that is counted, where a rule allows it; nobody gives what they have not got."""
    state = engine.state
    calm(state)
    if receiver not in state.playing or receiver == player:
        others = ", ".join(name for name in state.playing if name != player)
        refuse(state, f"{player} can give something to {others or 'nobody'}, not to {str(receiver)[:40]!r}")
    has = state.players[player].counters.get(counter)
    if has is None:
        known = ", ".join(state.players[player].counters) or "nothing"
        refuse(state, f"nobody has {str(counter)[:40]!r}; what players have is {known}")
    if isinstance(amount, bool) or not isinstance(amount, int) or not 1 <= amount <= v.LARGEST:
        refuse(state, f"what is given is a whole number from 1 on, not {str(amount)[:40]}")
    env: dict[str, Value] = {
        "player": Ref("player", player), "receiver": Ref("player", receiver), "counter": counter, "amount": amount,
    }  # fmt: skip
    finding = state.law.find("may.give", state, env)
    if finding.outcome == "silent":
        saying = state.law.candidates.get("may.give", ())
        said = f"no rule lets {player} give {receiver} {amount} {counter}"
        refuse(state, said, saying[0].rule.number if saying else None)
    if settled(state, finding) is not True:
        refuse(state, f"to give this is not allowed: {finding.sources[0].clause.words}", finding.rule)
    if has < amount:
        refuse(state, f"{player} has {has} {counter}, and not the {amount} to be given away", finding.rule)
    engine.emit("gave", player, env=env, by_player=True, receiver=receiver, counter=counter, amount=amount)
    source = finding.sources[0]
    engine.cause = Cause(source.rule.id, source.rule.number, source.clause.words)
    transfer(engine, player, receiver, amount, counter)


def apply(engine: Engine, player: str, rule: Number, effect: str) -> None:
    """Apply a rule that only people can read; where that goes too far for one alone, the others are asked first."""
    state = engine.state
    calm(state)
    found = state.rules.by_number.get(as_number(rule))
    if found is None:
        refuse(state, state.rules.whereabouts(rule))
    if found.id in state.rules.void:
        refuse(state, f"rule {rule} is void", rule)
    if any(not isinstance(one, Claim) for one in found.clauses):
        bare = [str(one.number) for one in state.rules if not one.clauses and one.tier != "reading"]
        raise IllegalAction(
            f"rule {rule} has clauses, and the game keeps to them itself; people apply rules that have none",
            rule=rule, options=bare,
        )  # fmt: skip
    check_text("effect", effect, v.LONGEST_TEXT * 4)
    language = state.law.language
    parsed = language.effect(effect.strip())
    if "people" not in parsed.form.by:
        kinds = ", ".join(language.ordered_by("people"))
        raise IllegalAction(f"people do not {parsed.words.split()[0]} by applying a rule", options=[kinds])
    language.check_effect(parsed, state.law.counters)
    check_names(state, parsed)
    check_permission(state, "apply", player, f"to apply rule {rule}", rule=Ref("rule", found.id))
    ref = Ref("rule", found.id)
    engine.emit(
        "applied", player, env={"player": Ref("player", player), "rule": ref}, by_player=True, rule=found.id,
        number=found.number, effect=parsed.words,
    )  # fmt: skip
    engine.applied_by = player
    cause = Cause(found.id, found.number, f"applied by {player}: {parsed.words}")
    env: dict[str, Value] = {"this": ref, "player": Ref("player", player)}
    item = Item("by hand", env, state.law, cause, None, (parsed,), state.hand)
    engine.state = engine.state.but(agenda=engine.state.agenda.first(item))


def forfeit(engine: Engine, player: str) -> None:
    """Leave the game, at any time (113)."""
    state = engine.state
    check_permission(state, "forfeit", player, "to forfeit")
    leave(engine, player, "forfeited", by_player=True)
    settle_if_agreed(engine)


def attempt(engine: Engine, player: str, action: str, details: Mapping[str, Any], doubt: Undecided) -> None:
    """Record that an action was tried which the law does not decide, and ask."""
    plain = {
        name: one.to_json() if isinstance(one, Change) else one for name, one in details.items() if one is not None
    }
    engine.emit("attempted", player, by_player=True, did=action, details=plain)
    told = [
        one.headline if isinstance(one, Change) else str(one) for one in details.values() if one not in (None, False)
    ]
    engine.ask_about(doubt, act=f"{player} may {action.replace('_', ' ')}" + (f" ({', '.join(told)})" if told else ""))


ACTIONS: Mapping[str, Callable[..., None]] = {
    "propose": propose,
    "revise": revise,
    "call_vote": call_vote,
    "vote": vote,
    "agree": agree,
    "close_vote": close_vote,
    "roll": roll,
    "seal": seal,
    "reveal": reveal,
    "choose": choose,
    "ask_again": ask_again,
    "begin_turn": begin_turn,
    "end_turn": end_turn,
    "skip": skip,
    "say": say,
    "act": act,
    "report": report,
    "give": give,
    "apply": apply,
    "invoke_judgment": invoke_judgment,
    "rule_on": rule_on,
    "overrule": overrule,
    "consent": consent,
    "forfeit": forfeit,
    "move": move,
}
