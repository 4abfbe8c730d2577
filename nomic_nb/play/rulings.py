"""What happens to judgments, from the question to what stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from nomic_nb.law.values import NUMBER, TEXT, TRUTH, maybe, within
from nomic_nb.law.view import View
from nomic_nb.law.vocabulary import Key, Record
from nomic_nb.markup.words import listed
from nomic_nb.play.agenda import Agenda
from nomic_nb.play.cases import BALLOT, BY, JUDGED, PLAYER, PLAYERS
from nomic_nb.play.declaring import happens, of_each
from nomic_nb.play.events import Event
from nomic_nb.play.questions import asked
from nomic_nb.play.state import State, state_of
from nomic_nb.play.verdicts import Judgment, Ruling


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


def _with_judgment(state: State, judgment: Judgment, *, docketed: bool = True) -> State:
    docket = tuple(one for one in state.docket if one != judgment.id or docketed)
    if docketed and judgment.id not in docket:
        docket = (*docket, judgment.id)
    return state.but(judgments={**state.judgments, judgment.id: judgment}, docket=docket)


@happens(
    "judgment_invoked",
    "a player insists on a question",
    BY,
    told="{actor} invokes Judgment: {text}",
)
def _judgment_invoked(state: State, event: Event) -> State:
    data = event.data
    if "judgment" not in data:  # no law names a Judge: it is a question to the table
        return asked(state, event)
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


def _judged(status: str) -> Callable[[State, Event], State]:
    def handler(state: State, event: Event) -> State:
        state, judgment = _given_back(state, state.judgments[event.data["judgment"]])
        return _with_judgment(state, replace(judgment, status=status))

    return handler


@happens("judgment_closed", told="judgment {judgment} is over")
def _judgment_closed(state: State, event: Event) -> State:
    state, judgment = _given_back(state, state.judgments[event.data["judgment"]])
    status = "closed" if judgment.unsettled else judgment.status
    return _with_judgment(state, replace(judgment, status=status), docketed=False)


@happens(
    "judge_named",
    "a player is Judge of a question",
    {**JUDGED, **BY},
    told="{actor} is Judge in judgment {judgment}",
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
@happens("judge_gone", told="{actor} is no longer Judge in judgment {judgment}")
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


@happens("overrule_balloted", told="{actor} votes {ballot} overruling the Judge in judgment {judgment}")
@happens(
    "consented",
    "a player has said whether play may go on after a judgment",
    {**JUDGED, **BY, "ballot": BALLOT},
    told="{actor} is {ballot} going on after judgment {judgment}",
)
def _voted(state: State, event: Event) -> State:
    judgment, said = state.judgments[event.data["judgment"]], {str(event.actor): event.data["ballot"]}
    if event.kind == "consented":
        return _with_judgment(state, replace(judgment, consents={**judgment.consents, **said}))
    return _with_judgment(state, replace(judgment, ballots={**judgment.ballots, **said}))


happens(
    "upheld",
    "a ruling stands",
    JUDGED,
    told=lambda e: f"{e.actor}'s ruling in judgment {e.data['judgment']} stands; overruled by {_of(e)}",
)(_judged("stands"))


happens("no_judge", told="nobody can be Judge in judgment {judgment}")(_judged("table"))


def _judgment(view: View, id: int | str) -> Judgment:
    return state_of(view).judgments[cast(int, id)]


KEYS = (
    Key("judge.candidates", PLAYERS, "who can be Judge of a question, the first of them first",
        "when Judgment is invoked, and when a Judge is overruled", JUDGED),
    Key("judge.chosen_by", maybe(PLAYER), "who chooses the Judge among those who can be; none: the first of them is",
        "when a Judge is named", JUDGED),
    Key("judge.open", TRUTH, "whether a Judge still serves, and can still be overruled",
        "after every step, while it is so", JUDGED),
    Key("judge.play_waits", TRUTH, "whether play waits until a question is decided", "while it is not decided", JUDGED),
    Key("judge.scope", TEXT, "which questions a Judge may settle: all, or those alone on which players disagree at "
        "present and which make a difference to this turn; then no answer of a Judge lasts longer",
        "when a Judge decides", values=("all", "this turn")),
    Key("judge.while_away", TEXT, "whether play waits for a Judge, for whoever chooses one, or for votes on overruling "
        "one, of players who are recorded as absent, or goes on without them", "when play waits for such players alone",
        values=("wait", "go on")),
    Key("judge.consent", TRUTH, "whether a player's turn may begin after a judgment", "before a turn begins",
        {**JUDGED, "player": PLAYER}),
    Key("judge.overrule_electorate", PLAYERS, "who has a say in overruling a Judge", "when a question is decided",
        JUDGED),
    Key("judge.overrule_quota", NUMBER, "how many votes overrule a Judge", "when a question is decided", JUDGED,
        misfit=within("a quota", 0, whole=False)),
)  # fmt: skip

RECORDS = (
    Record("judgment", "a question for a Judge", of_each(
        _judgment, ("judgments",),
        ("by", PLAYER, "who insists on it"),
        ("turn", NUMBER, "how many turns had begun when it was put"),
        ("mover", maybe(PLAYER), "the player whose turn was at hand when it was put"),
        ("judge", maybe(PLAYER), "who is Judge of it"),
        ("judges", PLAYERS, "who were Judges of it before"),
        ("consents", PLAYERS, "who let play go on after it",
         lambda judgment: [who for who, said in judgment.consents.items() if said == "for"]),
    )),
)  # fmt: skip
