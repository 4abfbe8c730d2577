"""Judgment: a question of law or fact that players cannot agree on, and the Judge who decides it (212)."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from nomic_nb.errors import IllegalAction, LawError
from nomic_nb.law.changes import as_number, check_text
from nomic_nb.law.findings import Finding
from nomic_nb.law.forms import Effect
from nomic_nb.law.rules import Number
from nomic_nb.law.values import Ref, Value
from nomic_nb.law.view import Undecided, View
from nomic_nb.play.cases import BY, JUDGED
from nomic_nb.play.declaring import Numbers, OneOf, OnProposal, Said, Which, Words, action, step
from nomic_nb.play.docket import case_of, live, waited_for
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Cause, number_to_json
from nomic_nb.play.pending import Item, Question, Waiting
from nomic_nb.play.people import names_of
from nomic_nb.play.permission import (
    LONGEST_SAID,
    Refusal,
    calm,
    check_names,
    check_permission,
    forbidden,
    permission,
    refuse,
)
from nomic_nb.play.questions import answer_to, settle
from nomic_nb.play.state import State
from nomic_nb.play.verdicts import Judgment

#: Orders of one ruling.
MOST_ORDERS = 20


def play_waits(engine: Engine) -> bool:
    """Tell whether play waits for a judgment, as the law says.

    Raises
    ------
    Undecided
        Where the law does not say.
    """
    unsettled = (one for one in live(engine.state) if one.unsettled)
    return any(engine.read("judge.play_waits", **case_of(one)) is True for one in unsettled)


# --------------------------------------------------------------------------------------- steps of play


def _judgment(engine: Engine, item: Item) -> Judgment:
    return engine.state.judgments[cast(int, cast(Ref, item.env["judgment"]).id)]


@step("name judge")
def name_judge(engine: Engine, item: Item) -> None:
    """Name the Judge of a question: the first who can be, or whom somebody chooses."""
    judgment = _judgment(engine, item)
    case = case_of(judgment)
    if judgment.judge is not None or judgment.status != "asked":
        return
    _forget_choice(engine, judgment)
    persons = engine.state.persons
    chosen = item.env.get("judge")
    if isinstance(chosen, Ref) and chosen.id in persons:
        _named(engine, judgment, str(chosen.id))
        return
    by = names_of(engine.read("judge.chosen_by", **case))
    names = [name for name in engine.players("judge.candidates", **case) if _can_judge(engine.state, judgment, name)]
    if not names or (by and by[0] not in persons):
        _without_judge(engine, judgment)
        return
    if not by:
        _named(engine, judgment, names[0])
        return
    rule = engine.find("judge.chosen_by", **case).rule
    options = tuple(Ref("player", name) for name in names)
    asked = replace(item, env=case)
    waiting = Waiting("choose", by[0], "judge", options, rule=rule, agenda=(asked,), turn=item.turn)
    engine.state = engine.state.but(waiting=(*engine.state.waiting, waiting))


def _can_judge(state: State, judgment: Judgment, name: str) -> bool:
    """Tell whether somebody can be Judge; a question to the table waits for nobody who is away or may not rule."""
    if judgment.held is None:
        return name in state.persons
    return name in state.present and not forbidden(permission(state, "rule_on", name, **case_of(judgment)))


def _choices(state: State, judgment: Judgment) -> tuple[Waiting, ...]:
    """Return the open choices of the Judge of a question."""
    case = case_of(judgment)
    return tuple(one for one in state.waiting if (one.agenda[0].kind, one.agenda[0].env) == ("name judge", case))


def _forget_choice(engine: Engine, judgment: Judgment) -> None:
    """Take back an open choice of the Judge of a question: whoever could be chosen may have left by now."""
    gone = _choices(engine.state, judgment)
    engine.state = engine.state.but(waiting=tuple(one for one in engine.state.waiting if one not in gone))


def _named(engine: Engine, judgment: Judgment, name: str) -> None:
    engine.cause = engine.cite("judge.candidates", **case_of(judgment))
    engine.emit("judge_named", name, env={**case_of(judgment), "player": Ref("player", name)}, judgment=judgment.id)


def _without_judge(engine: Engine, judgment: Judgment) -> None:
    rule = engine.find("judge.candidates", **case_of(judgment)).rule
    engine.emit("no_judge", None, judgment=judgment.id)
    if judgment.held is not None:  # the table has its question back
        return
    text = f"Nobody is left who could be Judge of this: {judgment.question} What do you agree on?"
    engine.ask(text, rule=rule)


@step("count overruling")
def count_ballots(engine: Engine, item: Item) -> None:
    """See whether a ruling is overruled, or can be overruled no more and stands."""
    judgment = _judgment(engine, item)
    if judgment.status != "ruled":
        return
    case = case_of(judgment)
    electorate = _electorate(engine, judgment)
    quota = cast(int, engine.read("judge.overrule_quota", **case))
    votes = [judgment.ballots.get(name) for name in electorate]
    favour = votes.count("for")
    still = [
        name
        for name in electorate
        if name not in judgment.ballots
        and not forbidden(permission(engine.state, "overrule", name, **case))
        and (judgment.held is None or name in engine.state.present)
    ]
    engine.cause = engine.cite("judge.overrule_quota", **case_of(judgment))
    if favour and favour >= quota:
        data = _counted(engine, judgment, favour)
        engine.emit("overruled", judgment.judge, env=case, data=data)
        engine.schedule("name judge", **case)
    elif not still or favour + len(still) < quota:
        uphold(engine, judgment, favour)


def _counted(engine: Engine, judgment: Judgment, favour: int) -> dict[str, object]:
    """Return what the record says of a vote on overruling: the count, the quota, and the rule that it comes from."""
    finding = engine.find("judge.overrule_quota", **case_of(judgment))
    by = f"rule {finding.rule}: {finding.sources[0].rule.title}" if finding.sources else ""
    quota = number_to_json(cast(int, finding.value)) if finding.answered else None
    of = len(_electorate(engine, judgment))
    return {"judgment": judgment.id, "votes": favour, "of": of, "quota": quota, "by": by}


def _electorate(engine: Engine, judgment: Judgment) -> tuple[str, ...]:
    names = engine.players("judge.overrule_electorate", **case_of(judgment))
    return tuple(name for name in names if name in engine.state.persons)


def uphold(engine: Engine, judgment: Judgment, favour: int) -> None:
    """Let a ruling stand, and do what it orders, where the others need not agree to that first."""
    engine.emit("upheld", judgment.judge, env=case_of(judgment), data=_counted(engine, judgment, favour))
    ruling = judgment.ruling
    if judgment.held is not None and ruling is not None:
        settle(engine, judgment.held, ruling.text)
    rule = engine.state.rules.by_number.get(judgment.rule) if judgment.rule is not None else None
    for order in ruling.orders if ruling else ():
        effect = engine.state.law.language.effect(order)
        words = f"ordered by {judgment.judge} in judgment {judgment.id}: {order}"
        cause = Cause(rule.id if rule else 0, judgment.rule if judgment.rule is not None else "", words)
        item = Item("by hand", case_of(judgment), engine.law, cause, None, (effect,), judgment.go)
        engine.state = engine.state.but(agenda=engine.state.agenda.then(item))


def stand(engine: Engine) -> bool:
    """Let rulings stand that nobody has overruled when play goes on; tell whether there was one."""
    for judgment in live(engine.state):
        if judgment.status == "ruled":
            votes = list(judgment.ballots.values())
            uphold(engine, judgment, votes.count("for"))
            return True
    return False


def close_judgments(engine: Engine) -> bool:
    """Close the judgments whose time is over, as the law says; tell whether there was one."""
    for judgment in live(engine.state):
        if engine.read("judge.open", **case_of(judgment)) is not True:
            engine.cause = engine.cite("judge.open", **case_of(judgment))
            engine.emit("judgment_closed", None, judgment=judgment.id)
            return True
    return False


def judge_away(engine: Engine, name: str) -> None:
    """Let no question to the table wait for somebody who is recorded as absent."""
    judgment = engine.state.held
    if judgment is None:
        return
    if judgment.judge == name and judgment.status == "asked":
        engine.emit("judge_gone", name, judgment=judgment.id)
        engine.schedule("name judge", **case_of(judgment))
    elif judgment.status == "ruled":
        engine.schedule("count overruling", **case_of(judgment))


def go_on_without(engine: Engine) -> bool:
    """Let a judgment go on without those who are away, where the law or the table says so; tell whether it did.

    Raises
    ------
    Undecided
        It says nothing of that.
    """
    state = engine.state
    judgment = waited_for(state)
    if judgment is None:
        return False
    case = case_of(judgment)
    if judgment.status == "asked":
        awaited = {judgment.judge} if judgment.judge else {one.player for one in _choices(state, judgment)}
    else:
        awaited = {one for one in _electorate(engine, judgment) if one not in judgment.ballots}
    if not awaited or any(one in state.present for one in awaited) or engine.read("judge.while_away") == "wait":
        return False
    if judgment.status == "ruled":
        uphold(engine, judgment, list(judgment.ballots.values()).count("for"))
    elif judgment.judge is not None:
        engine.emit("judge_gone", judgment.judge, judgment=judgment.id)
        engine.schedule("name judge", **case)
    else:
        _forget_choice(engine, judgment)
        _without_judge(engine, judgment)
    return True


def judge_left(engine: Engine, name: str) -> None:
    """Settle what a player who left has left open in judgments."""
    for judgment in live(engine.state):
        if judgment.judge == name and judgment.unsettled:
            engine.emit("judge_gone", name, judgment=judgment.id)
            engine.schedule("name judge", **case_of(judgment))
        elif judgment.judge is None and judgment.status == "asked":
            engine.schedule("name judge", **case_of(judgment))
        elif judgment.status == "ruled":
            engine.schedule("count overruling", **case_of(judgment))


# --------------------------------------------------------------------------------------------- actions


@action("judgment_invoked", BY)
def invoke_judgment(engine: Engine, player: str, question: Words, proposal: OnProposal = None) -> None:
    """Insist on a question.

    The law finds a Judge; where it has none, all at the table must agree on an answer. While the table is asked
    something, it is that which the Judge settles.
    """
    state = engine.state
    candidates = state.find("judge.candidates")
    asked = _for_a_judge(state, candidates)
    if asked is None:
        calm(state, judging=True)
    check_text("question", question, LONGEST_SAID)
    text = question.strip()
    if not text:
        raise IllegalAction("a question is needed")
    check_permission(state, "invoke_judgment", player, "to invoke Judgment")
    rule = permission(state, "invoke_judgment", player).rule
    if proposal is not None:
        found = state.proposals.get(proposal)
        if found is None or not found.open:
            refuse(f"proposal {proposal} is not open, so no Judge can end its debate")
        engine.take(found.turn)
    if candidates.outcome == "silent":
        engine.emit("judgment_invoked", player, text=text, who=list(state.present), options=[], rule=rule)
        return
    id = len(state.judgments) + 1
    engine.emit(
        "judgment_invoked", player, env={"judgment": Ref("judgment", id), "player": Ref("player", player)},
        text=text, judgment=id, rule=rule, proposal=proposal, data={} if asked is None else {"settles": asked.id},
    )  # fmt: skip
    engine.schedule("name judge", judgment=Ref("judgment", id))


def _for_a_judge(state: State, candidates: Finding) -> Question | None:
    """Return the open question, where rules have a Judge who can settle it and it is not about judging itself."""
    question = state.questions[0] if state.questions else None
    if question is None or question.consent or candidates.outcome == "silent" or question.key.startswith("judge."):
        return None
    return question


def _found(state: State, id: int | None, wanted: str, of: str) -> Judgment:
    """Return the judgment that an action is about, or refuse."""
    if id is not None and id not in state.judgments:
        refuse(f"there is no judgment {id}")
    candidates = [one for one in live(state) if one.status == wanted and id in (None, one.id)]
    if candidates:
        return candidates[0]
    if id is None and not state.judgments:
        refuse("no judgment was invoked")
    judgment = state.judgments[id if id is not None else len(state.judgments)]
    rule = state.find("judge.open", **case_of(judgment)).rule
    if judgment.id not in state.docket:
        refuse(f"it is too late to {of} judgment {judgment.id}: the next turn has begun", rule)
    said = {"asked": "it is not decided yet", "ruled": "it is decided", "stands": "the ruling stands"}
    raise Refusal(f"judgment {judgment.id}: {said.get(judgment.status, 'the table decides it')}", rule)


@action("ruled", {**JUDGED, **BY})
def rule_on(
    engine: Engine,
    player: str,
    ruling: Said,
    reasons: Words = "",
    rests_on: Numbers = None,
    orders: Words = "",
    judgment: Which = None,
) -> None:
    """Decide a question as its Judge."""
    state = engine.state
    calm(state, judging=True)
    mine = [one.id for one in live(state) if one.judge == player and one.status == "asked"]
    found = _found(state, judgment if judgment is not None else (mine[0] if mine else None), "asked", "rule on")
    if found.judge != player:
        who = f"{found.judge} is Judge of it" if found.judge else "its Judge is not named yet"
        refuse(f"{player} does not decide judgment {found.id}; {who}", found.rule)
    for name, text in (("ruling", ruling), ("reasons", reasons)):
        check_text(name, text, LONGEST_SAID * 4)
    if not ruling.strip():
        raise IllegalAction("a ruling says something")
    if found.held is not None:
        ruling = answer_to(state, found.held, ruling)
    ids = [_rule(state, number) for number in rests_on or []]
    check_permission(state, "rule_on", player, "to rule on this", **case_of(found))
    done = read_orders(state, orders)
    env: dict[str, Value] = {**case_of(found), "player": Ref("player", player)}
    engine.take(found.go)
    engine.emit(
        "ruled", player, env=env, judgment=found.id, text=ruling.strip(), reasons=reasons.strip(),
        rests_on=ids, numbers=[state.rules.rules[id].number for id in ids], orders=done,
    )  # fmt: skip
    engine.schedule("count overruling", **case_of(found))


def _rule(state: State, number: Number) -> int:
    if isinstance(number, bool) or not isinstance(number, int | str):
        raise IllegalAction(f"a ruling rests on numbers of rules, not on {str(number)[:40]!r}")
    rule = state.rules.by_number.get(as_number(number))
    if rule is None:
        refuse(state.rules.whereabouts(number))
    return rule.id


def read_orders(state: State, orders: str) -> list[str]:
    """Return the effects that a ruling is to order, each as the law language writes it.

    Parameters
    ----------
    state : State
        As it stands.
    orders : str
        One effect a line.

    Raises
    ------
    IllegalAction
        Something that no Judge orders, or too much.
    LawError
        An effect that cannot be read, with its line.
    """
    check_text("orders", orders, LONGEST_SAID * 4)
    lines = [(at, line.strip()) for at, line in enumerate(orders.splitlines()) if line.strip()]
    if len(lines) > MOST_ORDERS:
        raise IllegalAction(f"a ruling orders at most {MOST_ORDERS} effects")
    language = state.law.language
    found = []
    for at, line in lines:
        try:
            effect = language.effect(line)
            if "Judge" in effect.form.by:
                language.check_effect(effect, state.law.counters)
        except LawError as error:
            raise error.moved(lines=at, text=line) from None
        if "Judge" not in effect.form.by:
            kinds = ", ".join(language.ordered_by("Judge"))
            raise IllegalAction(f"a Judge does not order to {effect.words.split()[0]}", options=[kinds])
        check_names(state, effect)
        if effect.form.name in ("void", "revive"):
            _check_rules(state, effect)
        found.append(effect.words)
    return found


def _check_rules(state: State, effect: Effect) -> None:
    """Refuse an order about a rule that is not there."""
    for expression in effect.expressions:
        try:
            expression.run(View(state, {}, state.law))
        except Undecided as error:
            raise Refusal(f"{effect.words}: {error.reason}") from None


def _ballot(ballot: object) -> str:
    if not isinstance(ballot, str) or ballot not in ("for", "against"):
        raise IllegalAction(f"one is for or against it, not {str(ballot)[:40]!r}", options=["for", "against"])
    return ballot


@action("overrule_balloted", {**JUDGED, **BY})
def overrule(engine: Engine, player: str, ballot: OneOf, judgment: Which = None) -> None:
    """Vote on overruling a Judge."""
    state = engine.state
    calm(state, judging=True)
    said = _ballot(ballot)
    found = _found(state, judgment, "ruled", "overrule")
    finding = state.find("judge.overrule_electorate", **case_of(found))
    if player not in names_of(state.law.settled(finding)):
        refuse(f"{player} has no say in overruling {found.judge}", finding.rule)
    if player in found.ballots:
        refuse(f"{player} has voted on overruling {found.judge} already, and that stands", finding.rule)
    check_permission(state, "overrule", player, "to overrule this", **case_of(found))
    env: dict[str, Value] = {**case_of(found), "player": Ref("player", player), "ballot": said}
    engine.take(found.go)
    engine.emit("overrule_balloted", player, env=env, judgment=found.id, ballot=said)
    engine.schedule("count overruling", **case_of(found))


@action("consented", {**JUDGED, **BY})
def consent(engine: Engine, player: str, ballot: OneOf = "for", judgment: Which = None) -> None:
    """Say whether play may go on after a judgment."""
    state = engine.state
    calm(state, judging=True)
    said = _ballot(ballot)
    open_ones = [one for one in live(state) if judgment in (None, one.id)]
    if not open_ones:
        refuse("no judgment is open after which play would wait for consent")
    found = next((one for one in open_ones if one.consents.get(player) != said), None)
    if found is None:
        refuse(f"{player} has said so already")
    check_permission(state, "consent", player, "to consent", **case_of(found))
    env: dict[str, Value] = {**case_of(found), "player": Ref("player", player), "ballot": said}
    engine.emit("consented", player, env=env, judgment=found.id, ballot=said)
