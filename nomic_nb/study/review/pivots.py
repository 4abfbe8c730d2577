"""Whose ballot decided: each vote with every voter, and whether another ballot would have changed the result."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.play.events import Event, number_from_json
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import BALLOTS
from nomic_nb.engine.record.seals import SEALED_TEXT, current_seals
from nomic_nb.study.frames import (
    column_types,
    frame_by_head,
    make_frame,
    recall_or_make,
    recorded_date,
    standing_events,
)
from nomic_nb.study.review.votes import depends_on_sums_alone, does_each_ballot_matter, is_adopted_by

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = column_types(
    "object: proposal; string: voter ballot; exact: weight needed; object: rule; boolean: passed pivotal; "
    "int64: turn; Int64: event opened closed; datetime64[s]: opened_at closed_at; timedelta64[s]: open_for"
)


@frame_by_head
def pivots_frame(timeline: Timeline) -> pd.DataFrame:
    """Return each vote with every voter, also those who did not vote, and whether their ballot decided it.

    Parameters
    ----------
    timeline : Timeline
        The game.

    Returns
    -------
    DataFrame
        One row for each voter of each vote, in the order in which the votes opened: ``proposal`` (object), ``voter``,
        ``ballot`` (string; missing if the voter did not vote, ``sealed`` if nobody may see it yet), ``weight``,
        ``needed`` (object: weight in favour that passes it; missing while that is open; ``weight_float`` and
        ``needed_float`` are floats), ``rule`` (object: number of the rule that says so), ``passed`` (boolean; missing
        while the vote is open), ``pivotal`` (boolean: whether another ballot of this voter alone would have changed the
        result, under the law of that vote; missing if the law gives no answer, while the vote is open and while any
        ballots are sealed), ``turn`` (int64), ``event`` (Int64: number of the event in which the ballot was cast, for
        `Game.what_if`), ``opened``, ``closed`` (Int64: events in which voting opened and closed), ``opened_at``,
        ``closed_at`` (datetime64[s]: their dates by the recorded clock) and ``open_for`` (timedelta64[s]: the time
        between them).
    """
    sealed, rows, ballots = current_seals(timeline), list[tuple[Any, ...]](), dict[RuleNumber, dict[str, int]]()
    opened, found = dict[RuleNumber, Event](), dict[object, bool | None]()
    for event in standing_events(timeline):
        if event.kind == "vote_opened":
            opened[event.data["number"]] = event
            ballots[event.data["number"]] = {}
        elif event.kind == "balloted":
            ballots[event.data["number"]][event.actor_name] = event.seq
        elif event.kind == "vote_closed" and (number := event.data["number"]) in opened:
            close = None if event.seq in sealed.telling else event
            make = partial(_rows_of_vote, timeline, opened.pop(number), ballots[number], event.seq - 1, close, found)
            fixed = event, close, number in sealed.proposals, not sealed.votes
            rows += recall_or_make(timeline, (_rows_of_vote, event.seq), fixed, make)
    for number, begun in opened.items():
        rows += _rows_of_vote(timeline, begun, ballots[number], timeline.state.seq, None, found)
    rows.sort(key=itemgetter(list(COLUMNS).index("opened")))
    return make_frame(COLUMNS, rows)


def _rows_of_vote(
    timeline: Timeline, begun: Event, ballots: Mapping[str, int], seq: int, close: Event | None,
    found: dict[object, bool | None],
) -> list[tuple[Any, ...]]:  # fmt: skip
    """Return the rows of one vote after event `seq`; `close` is the event that closed it, None while it is open.

    `found` has the results of other ballots that were tried before, also those of votes decided in the same way.
    """
    number, sealed, state = begun.data["number"], current_seals(timeline), timeline.after(seq)
    proposal, secret = state.proposals[number], number in sealed.proposals
    vote = proposal.vote
    if vote is None:  # it lapsed before anybody voted
        return []
    dates = [recorded_date(timeline, event.seq if event else None) for event in (begun, close)]
    needed, rule = (None if secret and vote.late else vote.quota), vote.quota_rule
    passed, rows = None, list[tuple[Any, ...]]()
    if close is not None:
        needed, rule, passed = number_from_json(close.data["quota"]), close.data["quota_rule"], close.data["adopted"]
    by_sums = depends_on_sums_alone(vote)
    by_name = not by_sums and does_each_ballot_matter(vote)
    case = (vote.law, vote.quota, vote.quorum) if by_sums else (begun.seq,)
    sums = {side: vote.weight_of_side(side) for side in BALLOTS}

    def would_pass(name: str, mine: str | None, choice: str) -> bool | None:
        weight = vote.weights[name]
        moved = [total + weight * ((side == choice) - (side == mine)) for side, total in sums.items()]
        same = (*case, name, choice) if by_name else (*case, *moved)
        if same not in found:
            try:
                found[same] = is_adopted_by(state, proposal, vote, {**vote.ballots, name: choice})
            except Undecided:
                found[same] = None
        return found[same]

    for name in vote.electorate:
        mine, pivotal = vote.ballots.get(name), None
        if close is not None and not sealed.votes:
            others = [would_pass(name, mine, choice) for choice in vote.choices if choice != mine]
            pivotal = None if None in others else any(one is not passed for one in others)
        rows.append((
            number, name, mine and (SEALED_TEXT if secret else mine), vote.weights[name], needed, rule, passed,
            pivotal, begun.turn, ballots.get(name), begun.seq, close and close.seq,
            *dates, dates[1] and dates[0] and dates[1] - dates[0],
        ))  # fmt: skip
    return rows
