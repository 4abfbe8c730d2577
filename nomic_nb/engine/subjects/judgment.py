"""Judgment: a question that players cannot agree on, the Judge who decides it (212), and what stands."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.changes import check_text_storable
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.values import NUMBER, TEXT, TRUTH, ThingRef, make_range_check, optional_type, text_type
from nomic_nb.engine.law.vocabulary import Key, Record
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.agenda_items import Question
from nomic_nb.engine.play.declarations import (
    ChoiceField,
    NumberField,
    NumbersField,
    OptionField,
    ProposalField,
    WordsField,
    action,
    declare_event,
    declare_fields,
)
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, value_from_data
from nomic_nb.engine.play.permissions import (
    LONGEST_SPEECH,
    Refusal,
    already_answered_message,
    check_among_players_of,
    check_among_words,
    check_permission,
    check_short_text,
    check_undisturbed,
    find_permission,
    find_rule_in_force,
    read_ordered_effect,
    refuse,
)
from nomic_nb.engine.play.questions import add_question, read_answer_to_question
from nomic_nb.engine.play.state import Agenda, State, fold_into, state_of
from nomic_nb.engine.play.values import (
    JUDGMENT_CASE,
    PLAYER,
    PLAYER_CASE,
    PLAYERS,
    VOTE_CHOICES,
    Judgment,
    Ruling,
)
from nomic_nb.engine.words import join_words, least_votes


def _describe_ruling(event: Event) -> str:
    """Return the history sentence for a ruling."""
    data, rules = event.data, [f"rule {number}" for number in event.data["numbers"]]
    rests = f" (based on {join_words(rules)})" if rules else ""
    return f"{event.actor} rules in judgment {data['judgment']}: {data['text']}{rests}"


def _overruling_tally_text(event: Event) -> str:
    """Return the tally of a vote on overruling in words, such as “3 of 4, 3 needed (rule 214)”."""
    data = event.data
    needed = f", {least_votes(data['quota'], ())} needed ({data['by']})" if data["by"] else ""
    return f"{data['votes']} of {data['of']} for overruling{needed}"


def _with_judgment(state: State, judgment: Judgment, *, docketed: bool = True) -> State:
    """Return the state with a judgment added or changed; if `docketed`, it can still be decided or overruled."""
    others = tuple(judgment_id for judgment_id in state.docket if judgment_id != judgment.id)
    docket = others if not docketed else state.docket if judgment.id in state.docket else (*others, judgment.id)
    return state.replace(judgments={**state.judgments, judgment.id: judgment}, docket=docket)


#: What an event does to the judgment that it is about.
fold_judgment = fold_into(lambda state, event: state.judgments[event.data["judgment"]], _with_judgment)


@declare_event(
    "judgment_invoked", "a player asks for a ruling on a question", PLAYER_CASE, told="{actor} invokes Judgment: {text}"
)
def _add_judgment(state: State, event: Event) -> State:
    """Return the state with a new judgment, or with a question to all players if no law names a Judge."""
    data = event.data
    if "judgment" not in data:  # no law names a Judge: it is a question to the table
        return add_question(state, event)
    go = state.current_turn
    judgment = Judgment(
        data["judgment"], data["text"], event.actor_name, state.turn, go.player if go else None,
        go.number if go else 0, data.get("rule"), data.get("proposal"),
    )  # fmt: skip
    if "settles" in data:
        judgment = replace(judgment, held=state.questions[0], after=tuple(state.agenda))
        state = state.replace(questions=state.questions[1:], agenda=Agenda())
    return _with_judgment(state, judgment)


def _return_question(state: State, judgment: Judgment) -> tuple[State, Judgment]:
    """Ask the players again the question that a judgment had taken over; return the new state and judgment."""
    question = judgment.held
    if question is None:
        return state, judgment
    who = tuple(name for name in question.who if state.players[name].playing) or state.present_names
    answers = {name: sentence for name, sentence in question.answers.items() if name in who}
    questions = (replace(question, who=who, answers=answers), *state.questions)
    state = state.replace(questions=questions, agenda=state.agenda.with_first(*judgment.after))
    return state, replace(judgment, held=None, after=())


@declare_event("judgment_closed", told="judgment {judgment} is over")
def _close_judgment(state: State, event: Event) -> State:
    """Return the state after a ruling was upheld, no Judge was found, or a judgment is over."""
    state, judgment = _return_question(state, state.judgments[event.data["judgment"]])
    closed = "closed" if judgment.is_pending else judgment.status
    status = {"upheld": "stands", "no_judge": "table"}.get(event.kind, closed)
    return _with_judgment(state, replace(judgment, status=status), docketed=event.kind != "judgment_closed")


@declare_event(
    "judge_named",
    "a player becomes Judge of a question",
    JUDGMENT_CASE | PLAYER_CASE,
    told="{actor} is the Judge in judgment {judgment}",
)
@fold_judgment
def _set_judge(judgment: Judgment, event: Event) -> Judgment:
    """Return a judgment with its Judge named."""
    return replace(judgment, judge=event.actor, status="asked")


@declare_event(
    "overruled",
    "a Judge is overruled",
    JUDGMENT_CASE,
    told=lambda e: f"{e.actor} is overruled in judgment {e.data['judgment']}: {_overruling_tally_text(e)}",
)
@declare_event("judge_gone", told="{actor} is no longer the Judge in judgment {judgment}")
@fold_judgment
def _clear_judge(judgment: Judgment, _: Event) -> Judgment:
    """Return a judgment whose Judge was overruled or has left, so that it waits for another Judge and ruling."""
    judges = (*judgment.judges, judgment.judge) if judgment.judge else judgment.judges
    overruled = (*judgment.overruled, judgment.ruling) if judgment.ruling else judgment.overruled
    return replace(judgment, judge=None, judges=judges, status="asked", ruling=None, overruled=overruled, ballots={})


@declare_event("ruled", "a Judge decides", JUDGMENT_CASE | PLAYER_CASE, told=_describe_ruling)
@fold_judgment
def _record_ruling(judgment: Judgment, event: Event) -> Judgment:
    """Return a judgment with its ruling."""
    ruling = value_from_data(event.data, Ruling, judge=event.actor_name, event=event.seq)
    return replace(judgment, status="ruled", ruling=ruling, ballots={})


@declare_event("overrule_balloted", told="{actor} votes {ballot} overruling the Judge in judgment {judgment}")
@declare_event(
    "consented",
    "a player says whether play may continue after a ruling",
    JUDGMENT_CASE | PLAYER_CASE | {"ballot": text_type(TEXT, VOTE_CHOICES)},
    told="{actor} is {ballot} continuing after judgment {judgment}",
)
@fold_judgment
def _record_judgment_ballot(judgment: Judgment, event: Event) -> Judgment:
    """Return a judgment with a player's ballot, on overruling the Judge or on whether play goes on after the ruling."""
    new_ballot = {event.actor_name: event.data["ballot"]}
    if event.kind == "consented":
        return replace(judgment, consents={**judgment.consents, **new_ballot})
    return replace(judgment, ballots={**judgment.ballots, **new_ballot})


declare_event(
    "upheld",
    "a ruling is upheld",
    JUDGMENT_CASE,
    told=lambda e: f"{e.actor}’s ruling in judgment {e.data['judgment']} stands: {_overruling_tally_text(e)}",
)(_close_judgment)


declare_event("no_judge", told="nobody can be the Judge in judgment {judgment}")(_close_judgment)


KEYS = (
    Key("judge.candidates", PLAYERS, "the players who can become Judge of a question, in order",
        "when Judgment is invoked, and when a Judge is overruled", JUDGMENT_CASE),
    Key("judge.chosen_by", optional_type(PLAYER),
    "who chooses the Judge from among the candidates; if nobody does, the first candidate becomes Judge",
        "when a Judge is named", JUDGMENT_CASE),
    Key("judge.open", TRUTH, "whether a Judge is still serving, and can still be overruled",
        "after every step, while that is the case", JUDGMENT_CASE),
    Key("judge.play_waits", TRUTH, "whether play waits until a question has been decided", "while the question is "
        "undecided",
    JUDGMENT_CASE),
    Key("judge.scope", TEXT, "which questions a Judge may settle: all, or only those that players currently "
                             "disagree on and that matter for this turn; in the second case, no answer of a Judge "
                             "lasts longer than the turn",
        "when a Judge decides", values=("all", "this turn")),
    Key("judge.while_away", TEXT, "whether play waits for absent players who are Judge, have to choose a Judge or "
                                  "can vote on overruling one, or continues without them",
                                  "when play waits only for such "
            "players",
        values=("wait", "go on")),
    Key("judge.consent", TRUTH, "whether a player's turn may begin after a ruling", "before a turn begins",
        JUDGMENT_CASE | {"player": PLAYER}),
    Key("judge.overrule_electorate", PLAYERS, "who may vote on overruling a Judge", "when a question is decided",
        JUDGMENT_CASE),
    Key("judge.overrule_quota", NUMBER, "how many votes are needed to overrule a Judge",
                                        "when a question is decided", JUDGMENT_CASE,
        misfit=make_range_check("a quota", 0, whole=False)),
)  # fmt: skip

RECORDS = (
    Record("judgment", "a question for a Judge", declare_fields(
        lambda view, id: state_of(view).judgments[cast(int, id)], ("judgments",),
        ("by", PLAYER, "who asked for it"),
        ("turn", NUMBER, "how many turns had begun when it was asked for"),
        ("mover", optional_type(PLAYER), "the player whose turn it was when it was asked for", "on_turn"),
        ("judge", optional_type(PLAYER), "its Judge"),
        ("judges", PLAYERS, "its previous Judges"),
        ("consents", PLAYERS, "the players who have let play continue after it",
         lambda judgment: [who for who, ballot in judgment.consents.items() if ballot == "for"]),
    )),
)  # fmt: skip

#: Orders of one ruling.
MOST_ORDERS = 20


@action("judgment_invoked", PLAYER_CASE)
def invoke_judgment(engine: Engine, player: str, question: WordsField, proposal: ProposalField = None) -> None:
    """Ask for a ruling on a question.

    The rules select a Judge; if they name nobody, everyone at the table must agree on an answer. While a question to
    the players is open, the Judge settles that question.
    """
    state = engine.state
    candidates = state.find("judge.candidates")
    asked = _question_for_judge(state, candidates)
    if asked is None:
        check_undisturbed(state, judging=True)
    text = check_short_text("question", question, say("question-needed", "you need to ask a question"))
    check_permission(state, "invoke_judgment", player, "to invoke Judgment")
    rule = find_permission(state, "invoke_judgment", player).rule
    if proposal is not None:
        open_proposal = state.proposals.get(proposal)
        if open_proposal is None or not open_proposal.is_open:
            refuse(
                say(
                    "no-debate-to-end",
                    "proposal {proposal} isn’t open, so no Judge can end its debate",
                    proposal=proposal,
                )
            )
        engine.make_turn_current(open_proposal.turn)
    if candidates.outcome == "silent":
        engine.emit("judgment_invoked", player, text=text, who=state.present_names, options=[], rule=rule)
        return
    id = len(state.judgments) + 1
    engine.emit(
        "judgment_invoked", player,
        text=text, judgment=id, rule=rule, proposal=proposal, data={"settles": asked and asked.id},
    )  # fmt: skip
    engine.schedule("name judge", judgment=ThingRef("judgment", id))


def _question_for_judge(state: State, candidates: Finding) -> Question | None:
    """Return the question now put to the players if a Judge (found by `candidates`) can settle it; else None."""
    question = state.questions[0] if state.questions else None
    if (
        question is None
        or question.asks_for_consent
        or candidates.outcome == "silent"
        or question.key.startswith("judge.")
    ):
        return None
    return question


def _find_judgment(state: State, id: int | None, wanted_status: str, act: str) -> Judgment:
    """Return the first live judgment with `wanted_status` (and this `id`, if given), or refuse the act called `act`."""
    if id is not None and id not in state.judgments:
        refuse(say("judgment-unknown", "there is no judgment {judgment}", judgment=id))
    candidates = [
        live_judgment
        for live_judgment in state.live_judgments
        if live_judgment.status == wanted_status and id in (None, live_judgment.id)
    ]
    if candidates:
        return candidates[0]
    if id is None and not state.judgments:
        refuse(say("no-judgment", "nobody has invoked Judgment"))
    judgment = state.judgments[id if id is not None else len(state.judgments)]
    rule = state.find("judge.open", **judgment.law_case).rule
    if judgment.id not in state.docket:
        refuse(
            say(
                "judgment-too-late",
                "it’s too late to {act} judgment {judgment}, because the next turn has begun",
                act=act,
                judgment=judgment.id,
            ),
            rule,
        )
    status_texts = {"asked": "it is not decided yet", "ruled": "it is decided", "stands": "the ruling stands"}
    raise Refusal(
        say(
            "judgment-otherwise",
            "that isn’t possible in judgment {judgment}: {why}",
            judgment=judgment.id,
            why=status_texts.get(judgment.status, "the players decide it"),
        ),
        rule,
    )


@action("ruled", JUDGMENT_CASE | PLAYER_CASE)
def rule_on(
    engine: Engine, player: str, ruling: OptionField, reasons: WordsField = "", rests_on: NumbersField = None,
    orders: WordsField = "",
    judgment: NumberField = None,
) -> None:  # fmt: skip
    """Decide a question as its Judge."""
    state = engine.state
    check_undisturbed(state, judging=True)
    mine = [one.id for one in state.live_judgments if one.judge == player and one.status == "asked"]
    live_judgment = _find_judgment(
        state, judgment if judgment is not None else (mine[0] if mine else None), "asked", "rule on"
    )
    if live_judgment.judge != player:
        who = f"{live_judgment.judge} is Judge of it" if live_judgment.judge else "its Judge is not named yet"
        refuse(
            say(
                "not-the-judge",
                "{player} can’t decide judgment {judgment}; {who}",
                player=player,
                judgment=live_judgment.id,
                who=who,
                judge=live_judgment.judge,
            ),
            live_judgment.rule,
        )
    ruling = check_short_text("ruling", ruling, say("ruling-empty", "a ruling needs some text"), LONGEST_SPEECH * 4)
    check_text_storable("reasons", reasons, LONGEST_SPEECH * 4)
    if live_judgment.held is not None:
        ruling = read_answer_to_question(state, live_judgment.held, ruling)
    for number in rests_on or ():
        if isinstance(number, bool) or not isinstance(number, int | str):
            raise IllegalAction(
                "ruling-rests-on-no-number",
                "a ruling must be based on rule numbers, not on {found!r}",
                found=str(number)[:40],
            )
    ids = [find_rule_in_force(state, number).id for number in rests_on or ()]
    check_permission(state, "rule_on", player, "to rule on this", **live_judgment.law_case)
    done = read_orders(state, orders)
    engine.make_turn_current(live_judgment.go)
    engine.emit(
        "ruled", player, judgment=live_judgment.id, text=ruling, reasons=reasons.strip(),
        rests_on=ids, numbers=[state.rules.rules[id].number for id in ids], orders=done,
    )  # fmt: skip
    engine.schedule("count overruling", **live_judgment.law_case)


def read_orders(state: State, orders: str) -> list[str]:
    """Return the effects that a ruling orders, one a line, as a list of texts in the law language.

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
    check_text_storable("orders", orders, LONGEST_SPEECH * 4)
    lines = [(at, line.strip()) for at, line in enumerate(orders.splitlines()) if line.strip()]
    if len(lines) > MOST_ORDERS:
        raise IllegalAction("too-many-orders", "a ruling can order at most {most} effects", most=MOST_ORDERS)
    effects = []
    for at, line in lines:
        try:
            effect = read_ordered_effect(state, line, "Judge")
        except LawError as error:
            raise error.moved(lines=at, text=line) from None
        for expression in effect.expressions if effect.form.name in ("void", "revive") else ():
            try:
                state.law.evaluate(expression, state, {})
            except Undecided as error:  # there is no such rule
                raise Refusal(say("order-fails", "{effect}: {why}", effect=effect.words, why=error.reason)) from None
        effects.append(effect.words)
    return effects


@action("overrule_balloted", JUDGMENT_CASE | PLAYER_CASE)
def overrule(engine: Engine, player: str, ballot: ChoiceField, judgment: NumberField = None) -> None:
    """Vote on overruling a Judge.

    The ballot is ``for`` or ``against``.
    """
    state = engine.state
    check_undisturbed(state, judging=True)
    sentence = check_among_words(VOTE_CHOICES, ballot, "vote for or against")
    live_judgment = _find_judgment(state, judgment, "ruled", "overrule")
    no_say = say(
        "no-say-in-overruling", "{player} has no vote on overruling {judge}", player=player, judge=live_judgment.judge
    )
    check_among_players_of(state, "judge.overrule_electorate", player, no_say, **live_judgment.law_case)
    if player in live_judgment.ballots:
        rule = state.find("judge.overrule_electorate", **live_judgment.law_case).rule
        refuse(
            say(
                "overruling-voted",
                "{player} has already voted on overruling {judge}, and that vote can’t be changed",
                player=player,
                judge=live_judgment.judge,
            ),
            rule,
        )
    check_permission(state, "overrule", player, "to overrule this", **live_judgment.law_case)
    engine.make_turn_current(live_judgment.go)
    engine.emit("overrule_balloted", player, judgment=live_judgment.id, ballot=sentence)
    engine.schedule("count overruling", **live_judgment.law_case)


@action("consented", JUDGMENT_CASE | PLAYER_CASE)
def consent(engine: Engine, player: str, ballot: ChoiceField = "for", judgment: NumberField = None) -> None:
    """Say whether play may continue after a ruling.

    The ballot is ``for`` or ``against``.
    """
    state = engine.state
    check_undisturbed(state, judging=True)
    sentence = check_among_words(VOTE_CHOICES, ballot, "answer for or against")
    open_ones = [one for one in state.live_judgments if judgment in (None, one.id)]
    if not open_ones:
        refuse(say("no-consent-awaited", "no judgment is waiting for anyone’s consent"))
    live_judgment = next((candidate for candidate in open_ones if candidate.consents.get(player) != sentence), None)
    if live_judgment is None:
        refuse(already_answered_message(player))
    check_permission(state, "consent", player, "to consent", **live_judgment.law_case)
    engine.emit("consented", player, judgment=live_judgment.id, ballot=sentence)
