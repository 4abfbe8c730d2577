"""The ways out: what a host can do about each thing that play waits for, and what the rules make of it.

Nothing here happens by itself. A way that chooses between people's wills is done only if they say so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, takewhile

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import SO_FAR_PREFIX, Decision, Vote
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.panels import forms
from nomic_nb.notebook.panels.forms import Json
from nomic_nb.study.players.asked import decision_id

#: The state of a bell whose time is up; and all its states: no bell, running, rung.
RUNG = "rung"
BELLS = ("", "runs", RUNG)
#: Actions on an open vote that count as one wait.
VOTE_ACTIONS = ("vote", "close_vote")
#: Actions that several players can answer in the same way, with a show of hands.
SHOWN_BY_HANDS = ("choose", "overrule", "consent", "agree", "rule_on")
#: The duties in a sealing, from which a late player can be left out.
THROUGH_SEALS = ("seal", "reveal")


def ways_out(timeline: Timeline, *, bell: str = "", connected: Collection[str] | None = None) -> list[Json]:
    """Return what play waits for, each with the ways out that the rules allow, as JSON data; the game stays as it is.

    Parameters
    ----------
    timeline : Timeline
        The game.
    bell : str
        Whether a bell runs or has rung: one of `BELLS`.
    connected : collection of str, optional
        Players who can be reminded; default all.

    Returns
    -------
    list of dict
        For each wait: ``about``, ``action``, ``prompt``, ``rule``, ``proposal``, ``who`` is awaited and here, who is
        ``away``, ``of`` how many, who is recorded as ``late``, and ``ways``. A way has a ``kind``, ``fair`` (whether it
        overrides nobody's will), and the ``acts`` that do it as messages of a page. Where a player answers as they say,
        it has ``signs`` instead: of their decisions, by player.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> (wait,) = ways_out(game.timeline)
    >>> wait["who"], [way["kind"] for way in wait["ways"]]
    (['Ann'], ['drafts', 'form', 'remind', 'away'])
    """
    state = timeline.state
    if state.over:
        return []
    if state.paused:
        resume = _way("resume", _host("resume"), fair=True)
        return [{"about": "paused", "action": "resume", "rule": None, "proposal": None, "prompt": "The game is paused.",
                 "who": [], "away": [], "of": 0, "late": [], "ways": [resume]}]  # fmt: skip
    groups: dict[str, list[Decision]] = {}
    open_now = decisions(state)
    for decision in open_now:
        if decision.must:
            groups.setdefault(about_decision(decision), []).append(decision)
    return [_wait(timeline, group, open_now, bell, connected) for group in groups.values()]


def ways_data(game: BaseGame, given: Json) -> Json:
    """Return the ways out as JSON data; `given` has the ``bell``, and which players are ``connected``.

    Raises
    ------
    IllegalAction
        It has something else.
    """
    bell, connected = given.get("bell", ""), given.get("connected")
    if bell not in BELLS or not isinstance(connected, list | None):
        raise IllegalAction("ways-of-another-bell", "say whether a bell “runs” or has “rung”, and list who is here")
    return {"waits": ways_out(game.timeline, bell=bell, connected=connected)}


def about_decision(decision: Decision) -> str:
    """Return what a decision is about, the same for all players who are asked it."""
    action = "vote" if decision.action in VOTE_ACTIONS else decision.action
    subject = decision_id(replace(decision, action=action, player=None))
    known = decision.proposal is not None or decision.id is not None
    return subject if known else f"{subject}{decision.prompt.partition(SO_FAR_PREFIX)[0]}"


def _way(kind: str, *acts: Json, fair: bool = False, **more: object) -> Json:
    """Return a way out as JSON data."""
    return {"kind": kind, "fair": fair, "acts": list(acts), **more}


def _host(action: str, **details: object) -> Json:
    """Return the message with which the host does something."""
    return {"action": action, "details": details}


def _by_hand_of(decision: Decision) -> Json:
    """Return the message that answers a player's decision, which has no fields."""
    return {"action": decision.action, "details": {}, "sign": decision_id(decision)}


def _wait(
    timeline: Timeline, group: list[Decision], open_now: Sequence[Decision], bell: str,
    connected: Collection[str] | None,
) -> Json:  # fmt: skip
    """Return one thing that play waits for, with its ways out."""
    state, first = timeline.state, group[0]
    proposal = state.proposals[first.proposal] if first.action in VOTE_ACTIONS and first.proposal is not None else None
    vote = proposal.vote if proposal else None
    # If somebody may close a vote, play waits for them; those who have not voted can still do so.
    same = [one for one in open_now if about_decision(one) == about_decision(first)]
    voters = [one for one in same if vote and one.action == "vote" and one.player in vote.silent_voters]
    asked = voters or group
    names = list(dict.fromkeys(one.player for one in asked if one.player))
    here = [name for name in names if not state.players[name].absent]
    away = [name for name in names if name not in here]
    late = _late_voters(timeline, first.proposal) if vote else []
    ways = list(
        _ways_of_vote(timeline, vote, first.proposal, voters, open_now, here, late, bell)
        if vote
        else _ways(timeline, asked, here, bell)
    )
    if here and bell:
        more = {"class": "bell", "details": {"do": "add", "seconds": 60}}
        ways.append(_way("minute", more, fair=bell == RUNG))
    ways += [_way("close", _by_hand_of(one), player=one.player) for one in same if one.action == "close_vote"]
    if here and (connected is None or any(name in connected for name in here)):
        ways.append(_way("remind", {"class": "remind", "details": {}}, fair=bell != RUNG))
    ways += _ways_round(timeline, asked, here, away, open_now)
    ways.sort(key=lambda way: way.get("idle", False))  # what changes nothing comes last
    return {
        "about": about_decision(first), "action": asked[0].action, "rule": first.rule, "proposal": first.proposal,
        "prompt": full_sentence(asked[0].prompt.partition(SO_FAR_PREFIX)[0]), "who": here, "away": away,
        "of": len(vote.electorate) if vote else len(names), "late": [name for name in here if name in late],
        "ways": ways,
    }  # fmt: skip


def _ways_of_vote(
    timeline: Timeline,
    vote: Vote,
    number: Number | None,
    voters: list[Decision],
    open_now: Sequence[Decision],
    here: list[str],
    late: list[str],
    bell: str,
) -> Iterator[Json]:
    """Yield the ways to continue a vote that only need the host: a show of hands, and players who are late."""
    if not here:
        return
    sealed = bool(voters) and vote.sealed
    if sealed:  # hands that are up would be no secret
        yield _way("form", signs={str(one.player): decision_id(one) for one in voters if one.player in here})
    for ballot in voters[0].options if voters and not sealed else ():
        yield _way("hands", _host("votes", proposal=str(number), ballot=ballot), option=ballot, count=len(here))
    agreeing = [one for one in open_now if one.action == "agree" and one.proposal == number and one.player in here]
    if agreeing:
        about = about_decision(agreeing[0])
        yield _way("agree", _host("hands", about=about, option="yes"), count=len(agreeing))
    silent = [name for name in here if name not in late and _owed_ballot(timeline.state, name) == number]
    yield from _way_to_record_late(timeline, silent, bell)


def _way_to_record_late(timeline: Timeline, silent: list[str], bell: str) -> Iterator[Json]:
    """Yield the way to record players as late, with the rules that answer to that, if they owe something."""
    trial = _tried(timeline, lambda trial: trial.do_as_host("overdue", {"who": silent[0]})) if silent else None
    if trial is not None:
        events = [event for event, _ in trial.moments[len(timeline.moments) :]]
        rules = list(dict.fromkeys(str(event.cause.rule) for event in events if event.cause is not None))
        idle = not rules and events[0].data.get("owed") == "ballot"  # whoever owes a sealed value is left out
        acts = [_host("overdue", who=name) for name in silent]
        yield _way("late", *acts, fair=bell == RUNG and not idle, rules=rules, idle=idle, count=len(silent))


def _ways(timeline: Timeline, asked: list[Decision], here: list[str], bell: str) -> Iterator[Json]:
    """Yield the ways to answer what is no vote: by hands, as a player says, by the game’s dice, or as a fact."""
    first, state = asked[0], timeline.state
    if first.action in HOST_ACTIONS:
        now = {"now": first.options[-1]} if first.options else {}
        details = now if first.action == "time" else {"who": first.player}
        yield _way("record", _host(first.action, **details), fair=first.action == "time", player=first.player)
        return
    if first.player and not here:  # nobody acts for a player who is away
        return
    signs = {one.player or "": decision_id(one) for one in asked if one.player in (None, *here)}
    if first.action == "propose":
        yield _way("drafts", signs=signs)
    elif first.action == "roll" and not state.find("dice.source").says("table"):
        yield _way("roll", fair=True, signs=signs)
    elif first.action in SHOWN_BY_HANDS and first.takes != "some":
        options = list(dict.fromkeys(chain.from_iterable(one.options for one in asked)))
        free = first.takes in ("number", "text") or bool(state.questions) or not options
        yield _way("answer", options=options, free=free, count=len(here))
    elif first.player and not ACTIONS[first.action].fields.keys() - {"proposal"}:
        yield _way("for", signs=signs)
        return
    elif first.action in THROUGH_SEALS:
        yield from _way_to_record_late(timeline, here, bell)
    yield _way("form", signs=signs)


def _ways_round(
    timeline: Timeline, asked: list[Decision], here: list[str], away: list[str], open_now: Sequence[Decision]
) -> Iterator[Json]:
    """Yield the ways to go on without somebody, or to have them back, as far as the rules let them help."""
    first = asked[0]
    if len(asked) == 1 and here:
        skip = next((one for one in open_now if one.action == "skip" and one.player == first.player), None)
        if skip is not None:
            yield _way("skip", _by_hand_of(skip), player=first.player)
        trial = _tried(timeline, lambda trial: trial.do_as_host("absent", {"who": first.player}))
        if trial is not None:
            waits = [one for one in decisions(trial.state) if one.must and one.player == first.player]
            yield _way("away", _host("absent", who=first.player), player=first.player, stays=bool(waits))
    yield from _ways_past_turn(timeline, away)
    for name in away:
        yield _way("back", _host("present", who=name), player=name)
    if away and first.action in VOTE_ACTIONS:
        number = first.proposal
        if _tried(timeline, lambda trial: trial.undo(_end_before_proposal(trial, number))) is not None:
            yield _way("take_back", _host("take_back", proposal=str(number)))


def _ways_past_turn(timeline: Timeline, away: list[str]) -> Iterator[Json]:
    """Yield the way to end the turn of a player who is away, by consent, if it is all that play waits for."""
    state = timeline.state
    if state.current_turn is None or away != [state.current_turn.player] or away[0] in state.present_names:
        return
    consent = {"effect": "end turn", "agreed": list(state.present_names), "reason": f"{away[0]} is away"}
    trial = _tried(timeline, lambda trial: trial.do_as_host("correct", consent))
    if trial is not None and not any(one.must and one.player == away[0] for one in decisions(trial.state)):
        yield _way("end_turn", _host("correct", **consent), player=away[0])


def _copy(timeline: Timeline) -> Timeline:
    """Return a copy of a game to try something in."""
    trial = timeline.copy_with_events(timeline.moments)
    trial.kept = dict(trial.kept)
    return trial


def _tried(timeline: Timeline, act: Callable[[Timeline], object]) -> Timeline | None:
    """Return a copy of a game in which something was tried; None if it was refused."""
    trial = _copy(timeline)
    try:
        act(trial)
    except (IllegalAction, LawError, LookupError):
        return None
    return trial


def _late_voters(timeline: Timeline, number: Number | None) -> list[str]:
    """Return who was recorded as late in the vote on a proposal."""
    about = (event for event in timeline.events_backwards() if event.data.get("number") == number)
    events = takewhile(lambda event: event.kind != "vote_opened", about)
    return [event.data["who"] for event in events if event.kind == "overdue"]


def _owed_ballot(state: State, name: str) -> Number | None:
    """Return the number of the vote in which a player would be recorded as late, or None."""
    votes = ((proposal.number, proposal.vote) for proposal in state.open_proposals)
    return next((number for number, vote in votes if vote and vote.duty and name in vote.silent_voters), None)


# --------------------------------------------------------------------------------------------- what the host does


def answer_for_all(game: BaseGame, about: object, option: object) -> None:
    """Record that everybody who is here and asked about something gives the same answer: all of them or nobody.

    Raises
    ------
    IllegalAction
        It is no longer asked, or some player cannot give this answer.
    """
    timeline = game.timeline
    asked = [
        one for one in decisions(timeline.state)
        if one.player and (one.must or one.action == "agree") and about_decision(one) == about
        and not timeline.state.players[one.player].absent
    ]  # fmt: skip
    if not asked or asked[0].action not in SHOWN_BY_HANDS:
        raise IllegalAction("nobody-asked-this", "nobody is asked this any more")
    (field,) = (name for name, (takes, _) in ACTIONS[asked[0].action].fields.items() if takes.of == "option")
    trial = _copy(timeline)
    copied = type(game)(trial)
    others = [one.player for one in asked[1:]] if timeline.state.questions else []
    given = {field: option, **({"agreed": others} if others else {})}
    try:
        for one in asked[:1] if others else asked:
            if decision_id(one) in map(decision_id, decisions(trial.state)):
                getattr(copied, one.action)(one.player, **forms.read_details(copied, one.action, given, one))
    finally:
        CELL_WATCH.forget_trial(trial)
    start = len(timeline.moments)
    timeline.keep_moments(trial.moments[start:])
    CELL_WATCH.note_act(timeline, start)


def _end_before_proposal(timeline: Timeline, number: Number | None) -> int:
    """Return the number of the last event before a proposal was made."""
    events = (event for event in timeline.events_backwards() if event.kind == "proposed")
    seq = next(event.seq for event in events if event.data["number"] == number)
    while not timeline.is_end_of_step(seq - 1):
        seq -= 1
    around = CELL_WATCH.act_around(timeline, seq)
    return around[0] if around else seq - 1


def take_proposal_back(game: BaseGame, number: Number) -> None:
    """Undo everything since a proposal; players who are away stay away.

    Raises
    ------
    IllegalAction
        The proposal is not open.
    """
    timeline = game.timeline
    if number not in [proposal.number for proposal in timeline.state.open_proposals]:
        raise IllegalAction("proposal-not-open", "proposal {number} isn’t open", number=number)
    before = timeline.state
    game.undo(_end_before_proposal(timeline, number))
    for name in timeline.state.person_names:
        if before.players[name].absent and not timeline.state.players[name].absent:
            timeline.do_as_host("absent", {"who": name})
