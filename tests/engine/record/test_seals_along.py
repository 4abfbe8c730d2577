"""What nobody may see yet is found along the game as it grows; it is what the whole game, looked through anew, says."""

from __future__ import annotations

import random

import pytest

import nomic_nb as nb
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record.seals import (
    CLOSES,
    NO_SEALS,
    OPENS,
    TELLING_EVENTS,
    Seals,
    _subject_of_vote,
    count_shared_moments,
    current_seals,
)


def looked_through(timeline: Timeline) -> Seals:
    """What nobody may see yet, found in all events from the first to the last."""
    events = timeline.events
    opened = {event.seq for event in events if event.kind in OPENS and event.data["sealed"]}
    if not opened:
        return NO_SEALS
    telling: dict[int, int] = {}
    held: list[dict[object, int]] = [{}]
    for event in events:
        now = held[event.data["to"] if event.kind == "undone" else -1]
        vote = None
        if event.kind in OPENS:
            now = {number: one for number, one in now.items() if number != _subject_of_vote(event)}
            now |= {_subject_of_vote(event): event.seq} if event.data["sealed"] else {}
        elif event.kind in TELLING_EVENTS:
            vote = now.get(_subject_of_vote(event))
        elif event.kind == "attempted" and event.do in ("vote", "choose"):
            vote = now.get(event.details.get("proposal", ""), max(now.values(), default=None))
        if vote is not None:
            telling[event.seq] = vote
        held.append(now)
    standing = {event.seq for event in timeline.events_in_effect}
    closes = {event.seq for event in events if event.kind in CLOSES and event.seq in telling}
    closed = {telling[seq] for seq in closes & standing}
    shared, other = 0, NO_SEALS
    if timeline.origin is not None:
        shared = count_shared_moments(timeline.moments, timeline.origin.moments)
        other = looked_through(timeline.origin)
    votes = {one for one in opened if one not in closed or (one <= shared and one in other.votes)}
    after = {seq: number for seq, number in other.after.items() if seq <= shared}
    back: list[object] = [None]
    for event in events:
        before = back[event.data["to"] if event.kind == "undone" else event.seq - 1]
        if before is not None and event.seq not in standing:
            after[event.seq] = before  # type: ignore[assignment]
        back.append(_subject_of_vote(event) if event.seq in closes and telling[event.seq] in votes else before)
    told = frozenset(seq for seq, vote in telling.items() if vote in votes)
    numbers = frozenset(number for number, one in held[-1].items() if one in votes)
    return Seals(frozenset(votes), told, after, numbers)  # type: ignore[arg-type]


def act(game: nb.Game, dice: random.Random) -> None:
    """Do one thing that is open, or take the game back, to any event."""
    if dice.random() < 0.2:
        line, now = game.timeline, next(game.timeline.events_backwards())
        ends = [
            one
            for one in range(8, game.state.seq + 1)
            if line.is_end_of_step(one) and next(line.events_backwards(one)) is not now
        ]
        if ends:
            game.undo(dice.choice(ends))
        return
    due = [one for one in game.pending if one.must]
    if not due:
        return
    one = dice.choice(due)
    player = one.player or ""
    match one.action:
        case "propose":
            there = [one for one in (201, 206) if one in game.state.rules.by_number]
            game.propose(
                player, nb.repeal(dice.choice(there)) if there and dice.random() < 0.3 else nb.enact("A note.")
            )
        case "vote":
            game.vote(player, dice.choice(["for", "against"]), one.proposal)
        case "choose":
            game.choose(player, one.options[0], decision=one.id)
        case _:
            game.do(player, one.action)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_found_along_a_game_is_what_looking_through_it_finds(seed: int) -> None:
    dice, ballots = random.Random(seed), "sealed" if seed % 4 else "open"
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=seed, terms={"vote.ballots": ballots})
    games, found = [game], 0
    for _ in range(60):
        if dice.random() < 0.06 and len(games) < 4:
            one = dice.choice(games)
            games.append(one.fork(at=dice.randint(1, one.state.seq)))
        act(dice.choice(games), dice)
        for one in games:
            known = current_seals(one.timeline)
            assert known == looked_through(one.timeline)
            found += bool(known.after)
    assert found or ballots == "open"


def test_a_game_that_goes_another_way_forgets_what_was_sealed_in_the_old_one() -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1, terms={"vote.ballots": "sealed"})
    game.propose("Ann", nb.enact("A note."))
    game.vote("Ann", "for")
    timeline, dice = game.timeline, random.Random(2)
    assert current_seals(timeline).telling
    del timeline.moments[7:]  # as a cell that runs again does
    assert current_seals(timeline) == looked_through(timeline) == NO_SEALS
    for _ in range(20):
        act(game, dice)
        assert current_seals(timeline) == looked_through(timeline)
