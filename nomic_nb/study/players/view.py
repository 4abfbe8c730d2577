"""What one player sees of a game: plain data for programs, and the same in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any
from weakref import WeakKeyDictionary

from nomic_nb.chess.multiverse.arrangement import write_army
from nomic_nb.chess.multiverse.multiverse import Multiverse, boards_in_plain_text
from nomic_nb.chess.play.setup import pawn_kinds
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law.rules import Number, Rule
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.engine import Moment
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Decision, Proposal
from nomic_nb.engine.play.waiting import wait_holding_up_proposal
from nomic_nb.engine.record.event_sentences import is_omitted_from_history, sentence
from nomic_nb.engine.record.seals import Seals, current_seals
from nomic_nb.engine.words import full_sentence, upper_first
from nomic_nb.study.players.asked import Json, actions_at_any_time, asked_data, decision_key, free_data
from nomic_nb.study.players.standings import scores_by_counter, strength_of_players
from nomic_nb.study.players.statements import statements_for
from nomic_nb.study.review.remarks import quick_remarks, remarks_on
from nomic_nb.study.rounds import unrevealed_round
from nomic_nb.study.views import LawBook
from nomic_nb.study.views.course import (
    WINNING,
    goal_data,
    recorded_time_text,
    result_sentence,
    turn_heading,
    vote_data,
)
from nomic_nb.study.views.explanations import explain
from nomic_nb.study.views.parts import LastUndoing, ReusedParts
from nomic_nb.study.views.tables import is_anything_hidden, secrets_by_player

#: Version of the form of a view.
SCHEMA = 1
#: The parts of a view in their order, but for the rules.
_NAMES = (
    "schema", "you", "step", "game", "aim", "score", "boards", "free", "proposals", "secrets", "asked", "lately",
    "moves", "refused",
)  # fmt: skip
#: Events that are told, and closed proposals that stay in view.
LATEST, CLOSED = 20, 3
#: What only whoever keeps the record does.
CLOCK_ACTION = "time"
#: What is before each further line of what somebody wrote.
MARGIN = "  "
#: Characters of a view in words, unless another limit is given.
MOST_CHARACTERS = 40_000


class View(dict[str, Any]):
    """What a player sees and can do: a dict of plain data, with `text` for the same in words.

    Attributes
    ----------
    size : int
        Characters that it has as JSON.
    state : State or None
        The state of the game, to look ahead from with `nomic_nb.engine.step`; None while something is sealed or
        hidden, and in a view that was read from JSON.
    decisions : mapping of str to Decision
        What is asked, by key.
    winner_by : callable or None
        Takes the number of a proposal, and returns who would win at once by it, as its remarks tell everybody.
    """

    state: State | None = None
    decisions: Mapping[str, Decision] = MappingProxyType({})
    winner_by: Callable[[Number], str] | None = None
    size = 0

    @explain_argument_errors
    def text(self, limit: int = MOST_CHARACTERS, since: int = 0) -> str:
        """Return the view in words: the rules, then the state of the game and the open decisions.

        Parameters
        ----------
        limit : int
            Characters at most. Rules are left out if there is no room for them, the last ones first.
        since : int
            Number of an event, such as the ``step`` of an earlier view; only rules and events after it are told.

        Examples
        --------
        >>> import nomic_nb as nb
        >>> view = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).seat("Ann").view()
        >>> print(view.text(since=view["step"]).splitlines()[0])
        You are Ann. Ann’s turn: proposal. Turn 1, round 1.
        """
        rest = "\n".join(map(_with_margin, self._lines(since)))
        room, told, left = limit - len(rest) - 2, list[str](), list[str]()
        for rule in self["law"]:
            if rule["event"] > since or not since:
                words = rule_in_words(rule)
                fits = not left and len(words) + 1 <= room
                (told if fits else left).append(words if fits else str(rule["number"]))
                room -= len(words) + 1 if fits else 0
        if left:
            note = f"(Left out for want of room: rules {', '.join(left)})"
            while told and room < len(note) + 1:
                room += len(told.pop()) + 1
            told.append(note)
        return "\n".join([*told, *([""] if told else []), rest])[: max(0, limit)]

    def _lines(self, since: int) -> Iterator[str]:
        """Yield everything but the rules in lines; of the events, those after number `since`."""
        game = self["game"]
        yield f"You are {self['you']}. {game['heading']}. Turn {game['turn']}, round {game['circuit']}."
        if self["aim"]:
            yield f"Goal: {self['aim']['target']} {self['aim']['counter']} (rule {self['aim']['rule']})."
        for counter, held in self["score"].items():
            yield f"{upper_first(counter)}: {', '.join(f'{name} {value}' for name, value in held.items())}."
        yield from (f"Only you see: {secret}" for secret in self["secrets"])
        if self["boards"]:
            yield from self["boards"]["text"].split("\n")
        for proposal in self["proposals"]:
            yield f"Proposal {proposal['number']} by {proposal['by']}, {proposal['status']}: {proposal['headline']}"
            change = proposal["change"]
            yield from (
                f"{MARGIN}{change[name]}" for name in ("wording", "law") if change.get(name) and proposal["open"]
            )
            tally = proposal["tally"]
            if tally and tally["for"] is not None:
                yield f"Votes: {tally['for']} for, {tally['against']} against, {tally['quota']} needed."
            yield from (f"Remark: {remark}" for remark in proposal["remarks"])
            yield from (f"{said['by']} says of it: “{said['text']}”" for said in proposal["statements"])
        yield from (f"Event {event}: {text}" for event, text in self["lately"] if event > since)
        for asked in self["asked"]:
            must = "You must answer" if asked["must"] else "You can answer"
            yield f"{must} {asked['key']}, {asked['action']}: {asked['prompt']} {_fields_in_words(asked['fields'])}"
        if self["free"]:
            yield f"You can always: {', '.join(free['action'] for free in self['free'])}."
        if self["refused"]:
            yield f"Your last answer was refused: {self['refused']['why']}"


class _KitView(View):
    """A view of which only some parts are there at first; `whole` makes all of them."""

    whole: Callable[[], View]

    def __missing__(self, name: str) -> Any:
        self.update(self.whole())
        return self[name]


def _with_margin(line: str) -> str:
    """Return a line of a view so that line breaks in what others wrote begin no other line of it."""
    return line.replace("\n", f"\n{MARGIN}")


def rule_in_words(rule: Json) -> str:
    """Return a rule of a view in words, with its clauses below it."""
    void = f" ({rule['void']})" if rule["void"] else ""
    lines = [_with_margin(f"Rule {rule['number']} ({rule['tier']}), {rule['title']}: {rule['wording']}{void}")]
    return "\n".join([*lines, *(f"    {line}" for line in rule["clauses"].splitlines())])


def _fields_in_words(fields: list[Json]) -> str:
    """Return in words what the details of an answer have to be."""
    told = []
    for field in fields:
        options = field.get("options")
        what = " | ".join(map(str, options)) if options else field.get("fits", field["type"])
        told.append(f"{field['name']}: {what}{' (optional)' if field.get('optional') else ''}")
    return f"Details: {'; '.join(told) or 'none'}"


class SeatViews(ReusedParts):
    """Makes the views of a game for its players, each out of what the one before was made of."""

    def __init__(self) -> None:
        super().__init__()
        self._undone = LastUndoing(0)
        #: The moment of the latest events in the view, the seals then, and the sentences, newest first.
        self._lately: tuple[Moment | None, Seals | None, list[tuple[int, str]]] = None, None, []

    def open_decisions(self, state: State) -> tuple[Decision, ...]:
        """Return all open decisions; they are found once for a state."""
        found: tuple[Decision, ...] = self._reuse_part("decisions", partial(decisions, state), state)
        return found

    def decisions_of(self, timeline: Timeline, player: str) -> dict[str, Decision]:
        """Return the open decisions of a player, by key."""
        make = partial(self._find_decisions_of, timeline, player)
        found: dict[str, Decision] = self._reuse_part(("own", player), make, timeline.moments[-1])
        return found

    def _find_decisions_of(self, timeline: Timeline, player: str) -> dict[str, Decision]:
        """Return the open decisions of a player, by key, looked at anew."""
        state, last = timeline.state, timeline.moments[-1][0]
        head, undone = f"{last.seq} {last.kind} {last.actor}", self._undone.value_after(timeline.moments)
        found: dict[str, Decision] = {}
        for decision in self.open_decisions(state):
            own = decision.player in (player, None) and player in state.person_names
            if own and decision.action != CLOCK_ACTION:  # the time is recorded by the host
                found.setdefault(decision_key(decision, state, undone, head), decision)
        return found

    def view(
        self, timeline: Timeline, player: str, asked: dict[str, Decision], *, refused: Json | None, remarks: bool
    ) -> View:
        """Return what a player sees, with the decisions `asked` of them, by key.

        Parameters
        ----------
        timeline : Timeline
            The game.
        player : str
            Who sees it.
        asked : dict of str to Decision
            What the player decides; see `decisions_of`.
        refused : dict or None
            The refusal of the player's last answer.
        remarks : bool
            Whether to look for remarks on open proposals, which takes some hundredths of a second for a new one.
        """
        state, seals = timeline.state, current_seals(timeline)
        person = player in state.person_names and not (state.over or state.paused)
        law, law_size = self._reuse_part("law", partial(self._law, timeline, state), state.rules, state.law)
        game = {
            "title": timeline.setting.ruleset.title,
            "heading": result_sentence(timeline).rstrip(".") or turn_heading(state) + recorded_time_text(state),
            "turn": state.turn, "circuit": state.circuit, "over": state.over, "winners": list(state.winners),
            "players": list(state.person_names),
        }  # fmt: skip
        new = {
            "schema": SCHEMA, "you": player, "step": state.seq, "game": game,
            "secrets": secrets_by_player(state).get(player, []), "asked": list(self._asked(timeline, state, asked)),
            "moves": [move for one in asked.values() if one.action == "move" for move in one.options],
            "refused": refused,
        }  # fmt: skip
        parts = {
            "aim": self._json(
                "aim", partial(goal_data, state), state.find(WINNING), state.law, state.players, state.over
            ),
            "score": self._json("score", partial(scores_by_counter, state), state.players, state.tables),
            "boards": self._json("boards", partial(self._boards, state), state.position, state.law),
            "free": self._json(
                ("free", state.names_of_players), lambda: [free_data(name, state) for name in actions_at_any_time()]
            )
            if person
            else "[]",
            "proposals": f"[{','.join(self._proposals(timeline, state, seals, player, remarks=remarks))}]",
            "lately": self._json(
                "lately", lambda: self._latest(timeline.moments, seals)[::-1], timeline.moments[-1], seals
            ),
        }
        told = ", ".join(f'"{name}": {part}' for name, part in parts.items())
        rest = f"{json.dumps(new)[:-1]}, {told}}}"
        # Read back and copied, so that each view is its own and nothing that a program changes in it reaches the game.
        found = json.loads(rest)
        view = View(zip(_NAMES, map(found.__getitem__, _NAMES), strict=True), law=list(map(dict.copy, law)))
        for rule in view["law"]:
            rule["says"] = rule["says"].copy()
        view.size = len(rest) + law_size
        view.state = None if is_anything_hidden(timeline) else state
        view.decisions, view.winner_by = asked, partial(_winner_by, state)
        return view

    def kit_view(self, timeline: Timeline, player: str, asked: dict[str, Decision], refused: Json | None) -> View:
        """Return what a player of the kit sees, without remarks; parts that it seldom reads are made if it does."""
        state = timeline.state
        view = _KitView(you=player, step=state.seq, refused=refused)
        view["asked"] = list(self._asked(timeline, state, asked))
        view.whole = partial(self.view, timeline, player, asked, refused=refused, remarks=False)
        view.state, view.decisions = None if is_anything_hidden(timeline) else state, asked
        view.winner_by = partial(_winner_by, state)
        return view

    def _json(self, name: object, make: Callable[[], Any], *basis: object) -> str:
        """Return a part as JSON, made anew only if something in its `basis` is another object than before."""
        text: str = self._reuse_part(name, lambda: json.dumps(make()), *basis)
        return text

    def _law(self, timeline: Timeline, state: State) -> tuple[list[Json], int]:
        """Return the rules in the order of the law book, and the characters that they have as JSON."""
        book, size = LawBook(timeline, state), len('{"law": []}')
        found: list[Json] = []
        for rule in (rule for tier in book.rules_by_tier().values() for rule in tier):
            void = book.void_reason(rule)
            data, written = self._reuse_part(("rule", rule.number, void), partial(_rule_data, rule, void), rule)
            size += written + len(", ") * bool(found)
            found.append(data)
        return found, size

    def _boards(self, state: State) -> Json | None:
        """Return the boards in plain text, each army's pieces, and the strength of each player's; None without boards.

        The text of an army is made again only if one of its pieces is another than before.
        """
        position: Multiverse | None = state.position
        if position is None:
            return None
        pawns = pawn_kinds(state)
        pieces = {
            name: self._reuse_part(
                ("army", name, pawns, len(own)), partial(write_army, position, name, pawns),
                position.boards, position.armies, *own,
            )
            for name, own in position.own.items()
        }  # fmt: skip
        return {
            "text": boards_in_plain_text(position), "pieces": pieces, "strength": strength_of_players(state),
        }  # fmt: skip

    def _latest(self, moments: list[Moment], seals: Seals) -> list[tuple[int, str]]:
        """Return the latest events, newest first: the number of each, and a sentence."""
        last, under, before = self._lately
        told: list[tuple[int, str]] = []
        for moment in reversed(moments):
            if moment is last and seals is under:  # what led to it is the same
                told += before
                break
            if sentence := _told(moment[0], seals):
                told.append((moment[0].seq, sentence))
            if len(told) == LATEST:
                break
        self._lately = moments[-1], seals, told[:LATEST]
        return told[:LATEST]

    def _asked(self, timeline: Timeline, state: State, asked: dict[str, Decision]) -> Iterator[Json]:
        """Yield what is asked as plain data; what the player sealed here takes no field to be revealed."""
        for key, decision in asked.items():
            sealing = unrevealed_round(state, decision.player or "") if decision.action == "reveal" else None
            known = sealing is None or sealing.seals[decision.player or ""] in timeline.kept
            yield asked_data(decision, state, key, secret_known=known)

    def _proposals(
        self, timeline: Timeline, state: State, seals: Seals, player: str, *, remarks: bool
    ) -> Iterator[str]:
        """Yield the open proposals, and the last ones that were closed, as JSON."""
        numbers, open_ones = list(state.proposals), {one.number for one in state.open_proposals}
        closed = [number for number in numbers if number not in open_ones][-CLOSED:]
        said = statements_for(timeline, player)
        for number in numbers:
            if number not in open_ones and number not in closed:
                continue
            proposal = state.proposals[number]
            found = quick_remarks(state, number) if remarks and proposal.is_open else None
            held_up = not proposal.is_open and wait_holding_up_proposal(state, number) is not None
            since = not proposal.is_open and state.rules.void, held_up and state.waiting
            basis = (proposal, *since, found, number in seals.proposals)
            part = self._json(("proposal", number), partial(_proposal_data, proposal, timeline, state, found), *basis)
            beside = [{"by": one.by, "text": one.text, "ballot": one.ballot} for one in said.get(str(number), ())]
            statements = json.dumps(beside) if beside else "[]"  # as mostly, which needs no encoder
            yield f'{part[:-1]},"statements":{statements}}}'


def _rule_data(rule: Rule, void: str) -> tuple[Json, int]:
    """Return a rule as plain data, and its characters as JSON. Its `event` gave it its present form.

    `void` says why it is void, if it is; its clauses are also in plain English.
    """
    try:
        says = list(explain(rule).sentences)
    except LawError:  # the language of today cannot read what is void
        says = []
    data = {
        "number": rule.number, "tier": rule.tier, "title": rule.title, "wording": rule.wording, "clauses": rule.law,
        "says": says, "event": rule.event, "void": void,
    }  # fmt: skip
    return data, len(json.dumps(data))


def _proposal_data(proposal: Proposal, timeline: Timeline, state: State, remarks: Any) -> Json:
    """Return a proposal as plain data: who made it, what it would change, how its vote stands, and remarks."""
    return {
        "number": proposal.number, "by": proposal.proponent, "status": proposal.status, "open": proposal.is_open,
        "headline": upper_first(proposal.change.headline), "change": proposal.change.to_json(),
        "tally": vote_data(proposal, timeline, state),
        "remarks": [upper_first(remark.line) for remark in remarks or ()],
    }  # fmt: skip


def _told(event: Event, seals: Seals) -> str:
    """Return an event in a sentence, without what is still secret; empty if latest events leave it out."""
    omitted = is_omitted_from_history(event) or event.seq in seals.after
    return "" if omitted else full_sentence(sentence(event, seals))


def _winner_by(state: State, number: Number) -> str:
    """Return who would win at once if a proposal passed, or by its score; an empty text if nobody would."""
    signs = (sign for remark in remarks_on(state, number).every for sign in remark.signs)
    told = next((sign.evidence.values for sign in signs if sign.code in ("wins-at-once", "wins-by-score")), {})
    return str(told.get("players", told.get("player", "")))


_VIEWS: WeakKeyDictionary[Timeline, SeatViews] = WeakKeyDictionary()


def views_of(timeline: Timeline) -> SeatViews:
    """Return what makes the views of a game; it is shared by all seats."""
    return _VIEWS.setdefault(timeline, SeatViews())
