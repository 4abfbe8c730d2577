"""How a judgment goes on: who is named Judge, whether a ruling stands, and what becomes of it when somebody leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.play.agenda_items import AgendaItem, WaitingFor
from nomic_nb.engine.play.declarations import declare_settler, declare_step
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Cause
from nomic_nb.engine.play.permissions import is_permitted
from nomic_nb.engine.play.questions import settle_question
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Judgment, player_names


def _current_judgment(engine: Engine) -> Judgment:
    """Return the judgment that the agenda item at work is about."""
    return engine.state.judgments[engine.item.env["judgment"].id]


@declare_step("name judge")
def name_judge(engine: Engine) -> None:
    """Appoint a judgment's Judge: the first candidate or, if the law names a player to choose, whom they choose."""
    judgment = _current_judgment(engine)
    case = judgment.law_case
    if judgment.judge is not None or judgment.status != "asked":
        return
    _withdraw_judge_choices(engine, judgment)
    persons = engine.state.person_names
    chosen = engine.item.env.get("judge")
    if isinstance(chosen, ThingRef) and chosen.id in persons:
        _appoint_judge(engine, judgment, str(chosen.id))
        return
    by = player_names(engine.read("judge.chosen_by", **case))
    names = [
        name for name in engine.players_by_law("judge.candidates", **case) if _can_judge(engine.state, judgment, name)
    ]
    if not names or (by and by[0] not in persons):
        _ask_table_without_judge(engine, judgment)
        return
    if not by:
        _appoint_judge(engine, judgment, names[0])
        return
    rule = engine.find("judge.chosen_by", **case).rule
    options = tuple(ThingRef("player", name) for name in names)
    asked = replace(engine.item, env=case)
    engine.wait_for(WaitingFor("choose", by[0], "judge", options, rule=rule, agenda=(asked,), turn=asked.turn))


def _can_judge(state: State, judgment: Judgment, name: str) -> bool:
    """Tell whether a player, a person, can be Judge; if players were asked first, only one present and allowed."""
    if judgment.held is None:
        return name in state.person_names
    return name in state.present_names and is_permitted(state, "rule_on", name, **judgment.law_case)


def _judge_choice_waits(state: State, judgment: Judgment) -> tuple[WaitingFor, ...]:
    """Return the waits (`WaitingFor`) for a player's choice of the Judge of a judgment."""
    case = judgment.law_case
    return tuple(
        waiting for waiting in state.waiting if (waiting.agenda[0].kind, waiting.agenda[0].env) == ("name judge", case)
    )


def _withdraw_judge_choices(engine: Engine, judgment: Judgment) -> None:
    """Withdraw the open choices in which a player is to name the Judge of a judgment."""
    gone = _judge_choice_waits(engine.state, judgment)
    engine.state = engine.state.replace(
        waiting=tuple(waiting for waiting in engine.state.waiting if waiting not in gone)
    )


def _appoint_judge(engine: Engine, judgment: Judgment, name: str) -> None:
    """Record that a player is now the Judge of a judgment."""
    engine.cause = engine.cause_by_key("judge.candidates", **judgment.law_case)
    engine.emit("judge_named", name, judgment=judgment.id)


def _ask_table_without_judge(engine: Engine, judgment: Judgment) -> None:
    """Record that nobody can be Judge, and ask the players, unless the judgment began as a question to them."""
    rule = engine.find("judge.candidates", **judgment.law_case).rule
    engine.emit("no_judge", judgment=judgment.id)
    if judgment.held is not None:  # the table has its question back
        return
    text = f"Nobody is left to judge this: {judgment.question} What do you all agree on?"
    engine.ask(text, rule=rule)


@declare_step("count overruling")
def count_overruling_ballots(engine: Engine) -> None:
    """Overrule or uphold the current judgment's ruling as soon as the ballots on overruling it decide that."""
    judgment = _current_judgment(engine)
    if judgment.status != "ruled":
        return
    case = judgment.law_case
    electorate = _overruling_electorate(engine, judgment)
    quota = engine.read("judge.overrule_quota", **case)
    favour = [judgment.ballots.get(name) for name in electorate].count("for")
    still = [
        name
        for name in electorate
        if name not in judgment.ballots
        and is_permitted(engine.state, "overrule", name, **case)
        and (judgment.held is None or name in engine.state.present_names)
    ]
    engine.cause = engine.cause_by_key("judge.overrule_quota", **case)
    if favour and favour >= quota:
        engine.emit("overruled", judgment.judge, **_overruling_event_data(engine, judgment, favour))
        engine.schedule("name judge", **case)
    elif not still or favour + len(still) < quota:
        uphold_ruling(engine, judgment, favour)


def _overruling_event_data(engine: Engine, judgment: Judgment, favour: int) -> dict[str, Any]:
    """Return event data on a vote to overrule: ballots in favour, voters, the quota and its rule."""
    finding = engine.find("judge.overrule_quota", **judgment.law_case)
    by = f"rule {finding.rule}: {finding.sources[0].rule.title}" if finding.sources else ""
    of, quota = len(_overruling_electorate(engine, judgment)), finding.value if finding.answered else None
    return {"judgment": judgment.id, "votes": favour, "of": of, "quota": quota, "by": by}


def _overruling_electorate(engine: Engine, judgment: Judgment) -> tuple[str, ...]:
    """Return the names of the players in the game who may vote on overruling a Judge."""
    names = engine.players_by_law("judge.overrule_electorate", **judgment.law_case)
    return tuple(name for name in names if name in engine.state.person_names)


def uphold_ruling(engine: Engine, judgment: Judgment, favour: int | None = None) -> None:
    """Let a ruling stand and schedule the effects it orders; `favour` ballots (None: as cast) were for overruling."""
    votes = list(judgment.ballots.values()).count("for") if favour is None else favour
    engine.emit("upheld", judgment.judge, **_overruling_event_data(engine, judgment, votes))
    ruling = judgment.ruling
    if judgment.held is not None and ruling is not None:
        beyond = engine.find("judge.scope").value != "this turn"
        settle_question(engine, replace(judgment.held, general=judgment.held.general and beyond), ruling.text)
    rule = engine.state.rules.by_number.get(judgment.rule) if judgment.rule is not None else None
    for order in ruling.orders if ruling else ():
        effect = engine.state.law.language.effect(order)
        words = f"ordered by {judgment.judge} in judgment {judgment.id}: {order}"
        cause = Cause(rule.id if rule else 0, judgment.rule if judgment.rule is not None else "", words)
        item = AgendaItem("by hand", judgment.law_case, engine.law, cause, None, (effect,), judgment.go)
        engine.put_last(item)


@declare_settler("before turn")
def uphold_next_ruling(engine: Engine) -> bool:
    """Uphold the first ruling that has been neither upheld nor overruled; return whether there was one."""
    for judgment in engine.state.live_judgments:
        if judgment.status == "ruled":
            uphold_ruling(engine, judgment)
            return True
    return False


@declare_settler("before boards")
def close_next_judgment(engine: Engine) -> bool:
    """Close the first judgment that the law no longer keeps open; return whether there was one."""
    for judgment in engine.state.live_judgments:
        if engine.read("judge.open", **judgment.law_case) is not True:
            engine.cause = engine.cause_by_key("judge.open", **judgment.law_case)
            engine.emit("judgment_closed", judgment=judgment.id)
            return True
    return False


def _replace_judge(engine: Engine, judgment: Judgment) -> None:
    """Record that a Judge is no longer Judge, and schedule the naming of another one."""
    engine.emit("judge_gone", judgment.judge, judgment=judgment.id)
    engine.schedule("name judge", **judgment.law_case)


def go_on_without_absentee(engine: Engine, name: str) -> None:
    """Replace an absent player as the awaited Judge, or have ballots on overruling counted without them."""
    judgment = engine.state.judgment_of_question
    if judgment is None:
        return
    if judgment.judge == name and judgment.status == "asked":
        _replace_judge(engine, judgment)
    elif judgment.status == "ruled":
        engine.schedule("count overruling", **judgment.law_case)


@declare_settler("before boards")
def go_on_without_absent_judges(engine: Engine) -> bool:
    """Go on with the awaited judgment if all it waits for are absent and the law allows that; return whether it did.

    Raises
    ------
    Undecided
        It says nothing of that.
    """
    state = engine.state
    judgment = state.awaited_judgment
    if judgment is None:
        return False
    if judgment.status == "asked":
        awaited = (
            {judgment.judge} if judgment.judge else {waiting.player for waiting in _judge_choice_waits(state, judgment)}
        )
    else:
        awaited = {voter for voter in _overruling_electorate(engine, judgment) if voter not in judgment.ballots}
    if (
        not awaited
        or any(player in state.present_names for player in awaited)
        or engine.read("judge.while_away") == "wait"
    ):
        return False
    if judgment.status == "ruled":
        uphold_ruling(engine, judgment)
    elif judgment.judge is not None:
        _replace_judge(engine, judgment)
    else:
        _withdraw_judge_choices(engine, judgment)
        _ask_table_without_judge(engine, judgment)
    return True


def settle_leaver_judgments(engine: Engine, name: str) -> None:
    """Have judgments go on without a player who left: name another Judge, or count the ballots again."""
    for judgment in engine.state.live_judgments:
        if judgment.judge == name and judgment.is_pending:
            _replace_judge(engine, judgment)
        elif judgment.judge is None and judgment.status == "asked":
            engine.schedule("name judge", **judgment.law_case)
        elif judgment.status == "ruled":
            engine.schedule("count overruling", **judgment.law_case)
