"""The story of a game turn by turn: acts, changes and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from nomic_nb.chess.multiverse.pieces import BoardMove
from nomic_nb.chess.record.moves import played_moves
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.play.events import Event, number_from_json, value_from_data
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import VOTE_CHOICES
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.record.seals import NO_SEALS, SEALED_TEXT, Seals, current_seals
from nomic_nb.engine.words import count_phrase, counter_named, full_sentence, group_pairs, signed_number
from nomic_nb.study import frames
from nomic_nb.study.views.tables import visible_scores

if TYPE_CHECKING:
    import pandas as pd

#: What marks a turn, by the kind of event, and which of the event's data says of which rule or proposal.
MARKED_EVENTS: Mapping[str, tuple[str, Sequence[str]]] = {
    "enacted": ("enacted", ("new",)), "amended": ("amended", ("new", "old")), "transmuted": ("amended", ("new", "old")),
    "repealed": ("repealed", ("old",)), "defeated": ("failed", ("number",)), "lapsed": ("failed", ("number",)),
    "without_effect": ("failed", ("number",)), "ruled": ("ruling", ()), "settled": ("ruling", ()),
    "moved": ("move", ()), "dropped": ("move", ()), "counted": ("score", ()), "undone": ("undo", ()),
    "won": ("end", ()), "abandoned": ("end", ()),
}  # fmt: skip
#: Events that change the law, which the story tells.
LAW_EVENTS = frozenset(("enacted", "amended", "transmuted", "repealed", "voided", "revived", "suspended"))
#: Events that a turn's sentence tells.
_TOLD = frozenset({
    *LAW_EVENTS, "proposed", "vote_closed", "without_effect", "ruled", "settled", "forfeited", "eliminated",
    "came_back", "won", "abandoned",
})  # fmt: skip
#: Letters of a turn's sentence.
MOST_LETTERS = 240


@frozen
class TurnStory:
    """A turn as the story of a game tells it.

    Parameters
    ----------
    number, circuit : int
        Number of the turn, 0 for everything before the first one, and its round.
    player : str or None
        Player whose turn it is.
    begins, ends : int
        Its first and its last event that are in effect.
    state : State
        State of the game after its last event.
    marks : mapping of str to tuple of (int or str)
        The kinds of change in it, such as ``enacted`` or ``score``, with the numbers of the rules or proposals.
    law, moves : tuple of str
        Changes of the law, and moves on boards, in words.
    happened : str
        What happened in it, in words.
    scores : mapping of str to value
        What all may see after it of the players' first counter, by player.
    """

    number: int
    circuit: int
    player: str | None
    begins: int
    ends: int
    state: State
    marks: Mapping[str, tuple[RuleNumber, ...]]
    law: tuple[str, ...]
    moves: tuple[str, ...]
    happened: str
    scores: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The number of the turn, with the player, such as “Turn 3, Ann”."""
        if not self.number:
            return "Before the first turn"
        return f"Turn {self.number}" + (f", {self.player}" if self.player else "")

    @property
    def marks_in_words(self) -> str:
        """The marks of the turn in a few words, such as “failed 303, score”."""
        return (
            ", ".join(" ".join(map(str, (mark, *dict.fromkeys(of)))) for mark, of in self.marks.items())
            or "nothing changed"
        )

    def __str__(self) -> str:
        return f"{self.name}: {full_sentence(self.happened)}"


@frames.made_once_by_head
def tell_turns(timeline: Timeline) -> tuple[TurnStory, ...]:
    """Return the turns of a game that are in effect, by number, without anything that nobody may know yet.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> proposal = game.propose("Ann", nb.repeal(206))
    >>> game.vote("Ann", "for"), game.vote("Ben", "against")
    (None, None)
    >>> print(tell_turns(game.timeline)[1])
    Turn 1, Ann: Ann proposes 301: repeal rule 206; proposal 301 does not pass, 1–1 (2 needed); Ann: −10 points.
    """
    sealed = current_seals(timeline)
    moves = group_pairs((played.event.turn, played.event) for played in played_moves(timeline))
    undone = Counter(event.turn for event in timeline.events if event.kind == "undone")
    standing = (event for event in frames.standing_events(timeline) if event.seq not in sealed.after)
    by_turn = group_pairs((event.turn, event) for event in standing)
    told = []
    for turn, events in sorted(by_turn.items()):
        seals = sealed if sealed.telling and any(event.seq in sealed.telling for event in events) else NO_SEALS
        moved = moves.get(turn, ())
        make = partial(_tell_turn, timeline, turn, events, moved, undone[turn], seals)
        told.append(
            frames.recall_or_make(timeline, (_tell_turn, turn), (seals, undone[turn], *moved, None, *events), make)
        )
    return tuple(told)


def _tell_turn(
    timeline: Timeline, number: int, events: Sequence[Event], moved: Sequence[Event], undone: int, sealed: Seals
) -> TurnStory:
    """Return the story of one turn, from its events, its moves, and how often play went back to it."""
    moves = tuple(f"{move.army}: {move.text}" for move in (value_from_data(event.data, BoardMove) for event in moved))
    marks: dict[str, tuple[RuleNumber, ...]] = {}
    scores: Counter[tuple[str, str]] = Counter()
    told: list[str] = []
    for event in events:
        mark, sources = MARKED_EVENTS.get(event.kind, ("", ()))
        if event.kind == "counted" and not event.data.get("hidden") and event.actor and "amount" in event.data:
            scores[event.actor, event.data["counter"]] += number_from_json(event.data["amount"])  # type: ignore[assignment]
        if mark:
            numbers = (event.data[source] for source in sources if event.data.get(source) is not None)
            marks[mark] = (*marks.get(mark, ()), *list(numbers)[:1])
        if event.kind in _TOLD:
            told.append(sentence(event, sealed))
    if undone:
        marks["undo"] = ()
        told.append(f"play went back to this turn {'once' if undone == 1 else count_phrase(undone, 'time')}")
    told += [f"moves {', '.join(moves)}"] if moves else []
    told += [
        f"{player}: {signed_number(amount)} {counter_named(counter, amount)}"
        for (player, counter), amount in scores.items()
        if amount
    ]
    happened = "; ".join(told) or "nothing changed"
    law = tuple(sentence(event, sealed) for event in events if event.kind in LAW_EVENTS)
    player = next((event.actor for event in events if event.kind == "turn_begun"), None)
    state = timeline.after(events[-1].seq)
    return TurnStory(
        number, events[0].circuit, player, events[0].seq, events[-1].seq, state, marks, law, moves,
        happened if len(happened) <= MOST_LETTERS else f"{happened[: MOST_LETTERS - 1].rstrip()}…",
        next(iter(visible_scores(state, numbers=True).values()), {}),
    )  # fmt: skip


STORY_COLUMNS = frames.column_types(
    "int64: turn; string: who; object: proposal; string: what; whole: votes_for votes_against; "
    "string: outcome moves law; int64: rules"
)


@frames.frame_by_head
def story_frame(timeline: Timeline) -> pd.DataFrame:
    """Return the story of a game as a data frame, one row per turn.

    Returns
    -------
    DataFrame
        Indexed by ``turn`` (int64; 0 for everything before the first turn), with ``who`` (string: the player whose turn
        it is; missing for 0), ``proposal`` (object: number of the turn's last proposal; missing without one), ``what``
        (string: all the turn's proposed changes in words), ``votes_for``, ``votes_against`` (on the last proposal;
        missing without a vote, and while ballots are sealed), ``outcome`` (string: the status of each now, such as
        ``open``, ``adopted`` or ``defeated``; ``sealed`` if nobody may know yet), ``moves``
        (string: the moves on the boards, separated by commas), ``law`` (string: the turn's changes of the law in
        words), ``rules`` (int64: number of rules in force after the turn), ``score_NAME`` for each player (the score
        after the turn, from the first of the game's counters; missing without one), ``circuit``, ``begins``, ``ends``
        (int64: the turn's round, first event and last event). Votes and scores are Int64 if all are whole numbers, and
        otherwise object (int, Fraction, or “a hidden number”). Turns that were undone are left out.
    """
    state, sealed = timeline.state, current_seals(timeline)
    proposals = group_pairs((proposal.turn, proposal) for proposal in state.proposals.values())
    rows: list[Sequence[Any]] = []
    turns = tell_turns(timeline)
    names = [who for who in state.players if any(who in turn.scores for turn in turns)]
    for turn in turns:
        made, facts = proposals.get(turn.number, ()), list[Any]([None] * 5)
        if made:
            hidden = [one.number in sealed.proposals for one in made]
            vote = None if hidden[-1] else made[-1].vote
            told = [
                SEALED_TEXT if secret and not one.is_open else one.status
                for one, secret in zip(made, hidden, strict=True)
            ]
            facts = [
                made[-1].number, "; ".join(one.change.headline for one in made),
                *(vote and vote.weight_of_side(side) for side in VOTE_CHOICES), "; ".join(told),
            ]  # fmt: skip
        rows.append((
            turn.number, turn.player, *facts, ", ".join(turn.moves), "; ".join(turn.law), len(turn.state.rules.rules),
            *map(turn.scores.get, names), turn.circuit, turn.begins, turn.ends,
        ))  # fmt: skip
    scores = {f"score_{who}": "whole" for who in names}
    types = STORY_COLUMNS | scores | frames.column_types("int64: circuit begins ends")
    return frames.make_frame(types, rows, "turn")
