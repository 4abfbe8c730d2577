"""Whose ballot decided: each closed vote with every voter, and whether another ballot would have changed the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.play.events import number_from_json
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Vote
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.study.frames import column_types, make_frame
from nomic_nb.study.review.votes import is_adopted_by

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = column_types(
    "object: proposal", "string: voter ballot", "object: weight needed rule", "bool: passed", "boolean: pivotal",
    "int64: turn", "Int64: event",
)  # fmt: skip


def pivots_frame(timeline: Timeline) -> pd.DataFrame:
    """Return each closed vote with every voter, and whether their ballot decided it; none while ballots are sealed.

    Parameters
    ----------
    timeline : Timeline
        The game.

    Returns
    -------
    DataFrame
        One row for each voter of each closed vote: ``proposal`` (object), ``voter``, ``ballot`` (string; missing if the
        voter did not vote), ``weight``, ``needed`` (object: weight in favour that passed it), ``rule`` (object: number
        of the rule that says so), ``passed`` (bool), ``pivotal`` (boolean: whether another ballot of this voter alone
        would have changed the result, under the law of that vote; missing if the law gives no answer), ``turn`` (int64)
        and ``event`` (Int64: number of the event in which the ballot was cast, for `Game.what_if`).
    """
    if current_seals(timeline).votes:
        return make_frame(COLUMNS, [])
    rows, ballots = [], dict[tuple[object, str | None], int]()
    for event in timeline.events_in_effect:
        number = event.data.get("number")
        if event.kind == "balloted":
            ballots[number, event.actor] = event.seq
        if event.kind != "vote_closed" or number is None:
            continue
        state, passed = timeline.after(event.seq - 1), event.data["adopted"]
        proposal = state.proposals[number]
        vote = cast(Vote, proposal.vote)
        for name in vote.electorate:
            others = [choice for choice in vote.choices if choice != vote.ballots.get(name)]
            try:
                found = [is_adopted_by(state, proposal, vote, {**vote.ballots, name: choice}) for choice in others]
                pivotal: bool | None = any(one is not passed for one in found)
            except Undecided:
                pivotal = None
            rows.append((
                number, name, vote.ballots.get(name), vote.weights[name], number_from_json(event.data["quota"]),
                event.data["quota_rule"], passed, pivotal, event.turn, ballots.get((number, name)),
            ))  # fmt: skip
    return make_frame(COLUMNS, rows)
