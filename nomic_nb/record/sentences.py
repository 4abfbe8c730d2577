"""What happened, in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from nomic_nb.law.values import Number
from nomic_nb.markup.words import listed
from nomic_nb.play.events import Event
from nomic_nb.play.fold import change_of
from nomic_nb.record.board_sentences import SENTENCES as BOARD_SENTENCES
from nomic_nb.record.seals import NOTHING, SEALED, Seals


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


def reasons(events: Iterable[Event]) -> Iterator[tuple[Event, str]]:
    """Yield the changes of counters, each with why: the clause, or what the table agreed on."""
    agreed = ""
    for event in events:
        if event.action:
            agreed = f"agreed by the table: {event.data['reason']}" if event.kind == "corrected" else ""
        if event.kind == "counted":
            yield event, event.cause.words if event.cause else agreed


def _change(event: Event, did: str) -> str:
    data = event.data
    change = change_of(data["change"])
    whose = "" if event.actor is None else f" ({event.actor}'s proposal)"
    if change.kind == "enact":
        return f"rule {data['new']} “{change.title}” is enacted{whose}"
    old, new = data["old"], data["new"]
    moved = f"; it is rule {new} now" if new is not None and new != old else ""
    what = f"rule {old}" if change.part is None else f"amendment {change.part} of rule {old}"
    return f"{what} is {did}{moved}{whose}"


def _vote_opened(event: Event) -> str:
    data = event.data
    return f"the vote on {data['number']} opens: {listed(data['electorate'])} may vote, {data['quota']} in favour adopt"


def _closed(event: Event) -> str:
    data = event.data
    outcome = "adopted" if data["adopted"] else "not adopted"
    return (
        f"the vote on {data['number']} closes: {data['votes_for']} for, {data['votes_against']} against, "
        f"{data['quota']} needed; {outcome}"
    )


def _thrown(event: Event) -> str:
    data = event.data
    how = ", entered by hand" if data.get("by_hand") else ", drawn from what was revealed" if "round" in data else ""
    article = "an" if re.match(r"8|1[18]($|000)", str(data["face"])) else "a"  # as the number is read aloud
    return f"{event.actor or 'the game'} rolls {article} {data['face']}{how}"


def _counted(event: Event) -> str:
    data = event.data
    owner = event.actor or "the game"
    amount = str(data["amount"])
    change = f"−{amount[1:]}" if amount.startswith("-") else f"+{amount}"
    exact = f" ({data['exact']}{', a tie at one half' if data['tie'] else ''})" if "exact" in data else ""
    return f"{owner}: {change} {counter_named(data['counter'], data['amount'])}{exact}, now {data['now']}"


def _proposed(event: Event) -> str:
    left_out = event.data.get("left_out", 0)
    gap = f" ({left_out} number{'s' if left_out > 1 else ''} left out)" if left_out else ""
    return f"{event.actor} proposes {event.data['number']}: {change_of(event.data['change']).headline}{gap}"


def _voided(event: Event) -> str:
    rule, against = event.data["numbers"]
    where = f" on {event.data['key']}" if event.data["key"] else ", as the Judge found"
    return f"rule {rule} is void: it contradicts rule {against}{where}"


def _ruled(event: Event) -> str:
    data = event.data
    said = f"{event.actor} rules in judgment {data['judgment']}: {data['text']}"
    if data["numbers"]:
        said += f" (rests on {listed([f'rule {number}' for number in data['numbers']])})"
    return said


def _of(event: Event) -> str:
    data = event.data
    needed = f", {data['quota']} needed ({data['by']})" if data["by"] else ""
    return f"{data['votes']} of {data['of']}{needed}"


_SAY: Mapping[str, Callable[[Event], str]] = {
    "game_started": lambda e: f"the game begins, with {listed(e.data['players'])}",
    "entered": lambda e: f"{e.actor} joins" + ("" if e.data["as"] == "person" else f" as a {e.data['as']}"),
    "turn_begun": lambda e: f"{e.actor}'s turn begins",
    "part_begun": lambda e: f"part begins: {e.data['part']}",
    "part_ended": lambda e: f"part is over: {e.data['part']}",
    "turn_ended": lambda e: f"{e.actor}'s turn is over",
    "circuit_ended": lambda e: f"circuit {e.data['circuit']} is complete",
    "obliged": lambda e: f"{e.actor} is to {e.data['action'].replace('_', ' ')}",
    "cut_short": lambda e: f"the rest of the {e.data['what']} is let go",
    "passed_over": lambda e: f"{e.actor}'s turn is passed over",
    "skipped": lambda e: f"{e.actor} passes over the rest of the turn",
    "proposed": _proposed,
    "revised": lambda e: f"{e.actor} revises {e.data['number']}: {change_of(e.data['change']).headline}",
    "debate_ended": lambda e: f"{e.actor} ends the debate on {e.data['number']}",
    "vote_opened": _vote_opened,
    "retallied": lambda e: f"the vote on {e.data['number']} goes on among {listed(e.data['electorate'])}",
    "balloted": lambda e: f"{e.actor} votes {e.data['ballot']} {e.data['number']}",
    "agreed": lambda e: (
        f"{e.actor} lets the vote on {e.data['number']} be closed without a ballot of theirs"
        if e.data["answer"] == "yes"
        else f"{e.actor} does not want the vote on {e.data['number']} closed yet"
    ),
    "vote_ended": lambda e: f"{e.actor} closes the vote on {e.data['number']}",
    "vote_ending": lambda e: f"no more ballots can be cast on {e.data['number']}",
    "vote_closed": _closed,
    "adopted": lambda e: f"{e.data['number']} is adopted",
    "defeated": lambda e: f"{e.data['number']} is defeated",
    "lapsed": lambda e: f"{e.data['number']} lapses: {e.data['note']}",
    "put_off": lambda e: f"{e.data['number']} takes effect once the next {e.data['due']}",
    "without_effect": lambda e: f"{e.data['number'] or 'the change'} has no effect: {e.data['note']}",
    "enacted": lambda e: _change(e, "enacted"),
    "amended": lambda e: _change(e, "amended" if e.data["number"] is not None else "amended automatically"),
    "repealed": lambda e: _change(e, "repealed"),
    "transmuted": lambda e: _change(e, f"transmuted and {e.data['tier']} now"),
    "voided": _voided,
    "revived": lambda e: f"rule {e.data['number']} is no longer void",
    "tracked": lambda e: f"{e.data['counter']} are counted per {e.data['per']}, from {e.data['start']}",
    "thrown": _thrown,
    "sealing_opened": lambda e: (
        f"{listed(e.data['who'])} are to seal a throw"
        if len(e.data["who"]) > 1
        else f"{listed(e.data['who'])} is to seal a throw"
    ),
    "committed": lambda e: f"{e.actor} seals a value",
    "revealed": lambda e: f"{e.actor} reveals {e.data['value']}",
    "overdue": lambda e: f"{e.data['who']} does not {e.data['owed']} in time",
    "left_out": lambda e: (
        f"without {e.actor}, nothing that was sealed counts"
        if e.data["again"]
        else f"the throw is made without {e.actor}"
    ),
    "counted": _counted,
    "gave": lambda e: f"{e.actor} gives {e.data['receiver']} {e.data['amount']} {e.data['counter']}",
    "unpaid": lambda e: f"{e.actor} has not got the {e.data['amount']} {e.data['counter']} to pay {e.data['to']}",
    "chosen": lambda e: f"{e.actor} chooses {e.data['option']}",
    "scheduled": lambda e: f"in {e.data['turns']} turns: {e.data['effect']}",
    "announced": lambda e: e.data["text"],
    "prevented": lambda e: f"“{e.data['effect']}” is not done: rule {e.data['by']} does not allow it",
    "said": lambda e: f"{e.actor} says “{e.data['text']}”",
    "free_act": lambda e: f"{e.actor}: {e.data['text']}",
    "deed": lambda e: f"{e.actor} reports {e.data['who']}: {e.data['name']}",
    "applied": lambda e: f"{e.actor} applies rule {e.data['number']}: {e.data['effect']}",
    "disputed": lambda e: (
        f"{e.data['effect']}: {e.actor} does not get the others' consent, and it is not done"
        + (f" ({e.data['why']})" if e.data["why"] else "")
    ),
    "asked": lambda e: f"the table is asked: {e.data['text']}",
    "judgment_invoked": lambda e: f"{e.actor} invokes Judgment: {e.data['text']}",
    "judge_named": lambda e: f"{e.actor} is Judge in judgment {e.data['judgment']}",
    "judge_gone": lambda e: f"{e.actor} is no longer Judge in judgment {e.data['judgment']}",
    "no_judge": lambda e: f"nobody can be Judge in judgment {e.data['judgment']}",
    "ruled": _ruled,
    "overrule_balloted": lambda e: (
        f"{e.actor} votes {e.data['ballot']} overruling the Judge in judgment {e.data['judgment']}"
    ),
    "overruled": lambda e: f"{e.actor} is overruled in judgment {e.data['judgment']}, by {_of(e)}",
    "upheld": lambda e: f"{e.actor}'s ruling in judgment {e.data['judgment']} stands; overruled by {_of(e)}",
    "consented": lambda e: f"{e.actor} is {e.data['ballot']} going on after judgment {e.data['judgment']}",
    "judgment_closed": lambda e: f"judgment {e.data['judgment']} is over",
    "finished": lambda e: f"{e.actor} ends the turn",
    "stale": lambda e: f"{e.data['number']} is stale: {e.data['note']}",
    "retargeted": lambda e: f"{e.data['number']} is now to {change_of(e.data['change']).headline}",
    "answered": lambda e: (
        f"{e.actor} answers {e.data['answer']}" + (f"; so do {listed(e.data['agreed'])}" if "agreed" in e.data else "")
    ),
    "set_aside": lambda e: (
        f"what {listed([f'rule {one}' for one in e.data['rules']])} says is left out again, as agreed: "
        f"it {e.data['note']}"
    ),
    "asked_again": lambda e: f"{e.actor} wants the table to be asked again about {e.data['key']}",
    "settled": lambda e: f"{'the others say' if 'consent' in e.data else 'it is agreed:'} {e.data['answer']}",
    "attempted": lambda e: f"{e.actor} tries to {e.data['did'].replace('_', ' ')}",
    "forfeited": lambda e: f"{e.actor} forfeits",
    "eliminated": lambda e: f"{e.actor} is out of the game",
    **BOARD_SENTENCES,
    "stuck": lambda e: f"play cannot continue; the first who cannot go on is {e.actor or 'nobody'}",
    "waits": lambda e: f"play waits for {listed(list(dict.fromkeys(one['player'] for one in e.data['acts'])))}",
    "let_off": lambda e: f"{e.actor} need not {e.data['action'].replace('_', ' ')}, because it is forbidden",
    "absent": lambda e: f"{e.data['who']} is absent",
    "returned": lambda e: f"{e.data['who']} is back",
    "paused": lambda _: "the game is paused",
    "resumed": lambda _: "the game goes on",
    "corrected": lambda e: f"{listed(e.data['agreed'])} agree: {e.data['effect']} ({e.data['reason']})",
    "annotated": lambda e: f"on event {e.data['at']}: {e.data['nag']} {e.data['text']}".replace(":  ", ": "),
    "undone": lambda e: f"the game goes back to how it stood after event {e.data['to']}",
    "won": lambda e: f"{listed(e.data['winners'])} {'wins' if len(e.data['winners']) == 1 else 'win'}",
    "abandoned": lambda _: "the game ends, and nobody has won",
}


def sentence(event: Event, sealed: Seals = NOTHING) -> str:
    """Say what an event was.

    Parameters
    ----------
    event : Event
        What happened.
    sealed : Seals
        What nobody may see yet.
    """
    if event.seq in sealed.after:
        return f"not shown before the vote on {sealed.after[event.seq]} is closed"
    if event.seq in sealed.telling and event.kind != "attempted":
        did = f"{event.actor} votes on" if event.kind == "balloted" else "the vote closes on"
        return f"{did} {event.data['number']} ({SEALED})"
    return _SAY[event.kind](event)


def data_shown(event: Event, sealed: Seals) -> dict[str, Any]:
    """Return the data of an event, without what nobody may see yet."""
    if event.seq in sealed.after:
        return {}
    data = dict(event.data)
    if event.seq not in sealed.telling:
        return data
    if event.kind == "attempted":
        return {**data, "details": {**data["details"], "ballot": SEALED}}
    shows = ("ballot", "votes_for", "votes_against", "adopted")
    return {name: SEALED if name in shows else value for name, value in data.items()}
