"""The view model: everything that may be seen and done at a game, as plain JSON.

The table is the same for everybody and is made once for each head of the game; each seat has its own cut beside it.
Things that change singly are in a mapping with stable keys, so each change is one entry of a difference.
A part is kept while it was made of the same objects, because states share everything unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number, Rule
from nomic_nb.engine.play.choices import proposable_kinds
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.record.event_sentences import is_omitted_from_history
from nomic_nb.engine.record.log import fingerprint
from nomic_nb.engine.record.seals import NO_SEALS, Seals, current_seals
from nomic_nb.engine.words import full_sentence, upper_first
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.machines import (
    is_machine_act,
    machine_kind,
    machines_of,
    mark_machine,
    mark_name,
    marking_machines,
    seat_name,
)
from nomic_nb.notebook.markup.tree import build_element, element_data
from nomic_nb.notebook.panels.forms import (
    RECORDED_FIELD,
    Json,
    choices_by_player,
    decision_data,
    free_actions,
    requestable_tiers,
)
from nomic_nb.notebook.panels.queries import forgetting_notice
from nomic_nb.notebook.panels.view_boards import boards_data, push_options_data
from nomic_nb.notebook.panels.view_proposals import change_data, remarks_data
from nomic_nb.notebook.show import draw
from nomic_nb.notebook.show.game import (
    OUT,
    draw_polls,
    draw_rules_on_winning,
    draw_standings,
    rules_on_winning,
)
from nomic_nb.study.players.asked import decision_id, decision_key
from nomic_nb.study.players.kit import KINDS
from nomic_nb.study.review.remarks import known_remarks, quick_remarks
from nomic_nb.study.views import LawBook, ProposalRemarks
from nomic_nb.study.views.course import (
    WINNING,
    basis_of_turn,
    event_news,
    goal_data,
    recorded_time_text,
    scores_data,
    turn_data,
    turn_heading,
    vote_data,
    waiting_sentence,
)
from nomic_nb.study.views.enforcement import enforcers_of_rule
from nomic_nb.study.views.parts import LastUndoing, ReusedParts
from nomic_nb.study.views.proposals import title_of_proposed_rule
from nomic_nb.study.views.tables import secrets_by_player
from nomic_nb.study.views.unheard import heard_phrases

#: Events that are told, and closed proposals that stay in view.
LATEST, CLOSED = 20, 3
#: Open proposals that are looked at before a picture is sent; if there are more, nobody waits for that.
MOST_REMARKS_AT_ONCE = 3
#: Decisions that a tally shows already.
TALLY_ACTIONS = ("vote", "agree")


@frozen
class ViewModel:
    """A game at one head.

    Parameters
    ----------
    state : State
        What it shows.
    step : int
        The number of the last event.
    table : dict
        What everybody sees.
    open : mapping of str to Decision
        The decisions by what tells them apart.
    asked : mapping of (str or None) to dict
        The same as plain data with their keys, by player; None for what anyone may decide.
    ways : mapping of str to dict
        The moves on boards that can be made, by player.
    free : dict
        Actions that are always possible.
    secrets : mapping of str to list of str
        What each player alone sees of hidden tables, in words.
    acts : mapping of str to int
        Acts that can be taken back, by their first event shown.
    machines : mapping of str to str
        The kinds of the machines that play, by player; nobody else decides for those.
    version : int
        Tells what is known about them from what was known before.
    """

    state: State
    step: int
    table: Json
    open: Mapping[str, Decision]
    asked: Mapping[str | None, Json]
    ways: Mapping[str, Json]
    free: Json
    acts: Mapping[str, int]
    secrets: Mapping[str, list[str]]
    machines: Mapping[str, str]
    version: int

    def view_for_seat(self, seat: str | None, role: str) -> Json:
        """Return what only one seat sees in a role (player, table or wall), as JSON data: decisions, secrets, moves.

        Parameters
        ----------
        seat : str or None
            The player; None where all sit before the same panel.
        role : str
            ``player``, ``table`` (all players decide here) or ``wall`` (which looks on).
        """
        mine: Json = {"seat": seat, "role": role, "decisions": {}, "ways": {}, "free": {}, "undo": {}, "secrets": []}
        if role == "wall":
            return mine
        names = (name for name in ((seat, None) if seat is not None else self.asked) if name not in self.machines)
        for name in names if seat not in self.machines else ():
            own = self.asked.get(name, {})
            if seat is None and name is not None:  # before a panel for all, those that are the same tell whose they are
                own = {sign: data | {"prompt": f"{name}: {data['prompt']}"} for sign, data in own.items()}
            mine["decisions"].update(own)
        mine["ways"] = {
            name: data for name, data in self.ways.items() if seat in (None, name) and name not in self.machines
        }
        mine["secrets"] = self.secrets.get(seat or "", [])
        mine["free"] = self.free if seat is None or seat in self.state.person_names else {}
        if role == "table":
            mine |= {"undo": dict(self.acts), "forgets": forgetting_notice(), "kinds": list(KINDS)}
            numbers = [proposal.number for proposal in self.state.open_proposals]
            mine["bounds"] = {str(number): list(known_remarks(self.state, number).bounds) for number in numbers}
        else:  # what time it is, is recorded by the host
            mine["free"] = {action: data for action, data in mine["free"].items() if action != RECORDED_FIELD}
            mine["decisions"] = {
                sign: data for sign, data in mine["decisions"].items() if data["action"] != RECORDED_FIELD
            }
        return mine


class ViewModels(ReusedParts):
    """Makes the pictures of a game, each out of what the one before was made of.

    Parameters
    ----------
    game : BaseGame
        The game.
    """

    def __init__(self, game: BaseGame) -> None:
        super().__init__()
        self.game = game
        self.last: ViewModel | None = None
        self._asked: dict[tuple[object, ...], Json] = {}
        self._news: dict[int, tuple[Event, bool, Json]] = {}
        self._undone = LastUndoing(0)
        self._machines: Mapping[str, str] = {}

    def current_view(self) -> ViewModel:
        """Return the view of the game as it is now; the same object while the state is the same."""
        timeline = self.game.timeline
        state, version = timeline.state, machines_of(timeline).version
        if self.last is None or self.last.state is not state or self.last.version != version:
            self.last = self._make_view(timeline, state)
        return self.last

    def rebuild_view(self) -> ViewModel:
        """Return the view of the game made again, with any remarks on proposals found since the last one."""
        self.last = None
        return self.current_view()

    # ------------------------------------------------------------------------------------------ making

    def _make_view(self, timeline: Timeline, state: State) -> ViewModel:
        """Return the view of a state: what everybody sees, and the decisions, moves and secrets of each player."""
        seals, table = current_seals(timeline), machines_of(timeline)
        version, kinds = table.version, {name: machine_kind(timeline, name) for name in tuple(table.players)}
        open, by_player = self._decisions_data(timeline, state)
        if kinds != self._machines:
            self._machines = kinds
        with marking_machines(timeline):
            parts = {
                name: self._reuse_part(
                    name, partial(make, self.game, state), self._machines, *map(partial(getattr, state), fields.split())
                )
                for name, (fields, make) in VIEW_PARTS.items()
                if name != "chess" or state.position is not None
            }
        free, secrets = parts.pop("free"), parts.pop("secrets")
        news = self._news_data(timeline, seals)
        shown: Json = {
            **parts,
            "game": self._game_data(timeline, state, seals),
            "seats": {
                name: {"here": not player.absent, "person": player.person and player.playing}
                | ({"machine": kinds[name]} if name in kinds else {})
                for name, player in state.players.items()
            },
            "proposals": self._proposals_data(timeline, state, seals),
            "tiers": self._tiers_data(state, open.values()),
            "aim": self._winning_data(state),
            "goal": self._reuse_part(
                "goal", lambda: goal_data(state), state.find(WINNING), state.law, state.players, state.over
            ),
            "turn": self._reuse_part("turn", lambda: turn_data(state), *basis_of_turn(state)),
            "news": news,
            "waits": {
                sign: {"player": seat_name(timeline, decision.player), "prompt": full_sentence(decision.prompt)}
                for sign, decision in open.items()
                if decision.must
                and decision.player is not None
                and decision.action not in TALLY_ACTIONS
                and not decision.unseen
            },
            "waiting": waiting_sentence(
                replace(decision, player=decision.player and seat_name(timeline, decision.player))
                for decision in open.values()
            ),
        }
        if kinds or table.trouble:
            trouble = dict(table.trouble)
            shown["machines"] = {"held": table.held, "trouble": list(map(str, trouble.values()))}
            failed = (str(why) for name, why in trouble.items() if name in kinds)
            shown["waiting"] = " ".join([shown["waiting"], *failed]).strip()
        moves = {
            decision.player: push_options_data(state, decision)
            for decision in open.values()
            if decision.action == "move" and decision.player
        }
        acts = _undoable_actions(timeline, news)
        return ViewModel(state, state.seq, shown, open, by_player, moves, free, acts, secrets, kinds, version)

    def _decisions_data(self, timeline: Timeline, state: State) -> tuple[dict[str, Decision], dict[str | None, Json]]:
        """Return the open decisions by id, and for each player (None: anyone) their form data by id."""
        last = timeline.moments[-1][0]
        head = f"{last.seq} {last.kind} {last.actor}"  # nothing of a ballot, which may be sealed
        undone = self._undone.value_after(timeline.moments)
        open: dict[str, Decision] = {}
        by_player: dict[str | None, Json] = {}
        kept: dict[tuple[object, ...], Json] = {}
        for decision in decisions(state):
            sign = decision_id(decision)
            if sign in open:
                continue  # of several alike, the first is answered first
            open[sign] = decision
            # Actions that are not tallied need more than the decision: fields depend on the law, rolls on the head.
            basis = (
                (decision, undone, state.turn)
                if decision.action in TALLY_ACTIONS
                else (decision, undone, state.turn, head)
            )
            asked = self._asked.get(basis)
            if asked is None:
                known = decision.action != "reveal" or self.game.opening(decision.player or "") is not None
                asked = decision_data(decision, state, secret_known=known, shared=True) | {
                    "key": decision_key(decision, state, undone, head)
                }
            kept[basis] = asked
            by_player.setdefault(decision.player, {})[sign] = asked
        self._asked = kept
        return open, by_player

    # ----------------------------------------------------------------------------------- what all see

    def _game_data(self, timeline: Timeline, state: State, seals: Seals) -> Json:
        """Return the heading of a game as JSON data: title, turn, whether over or paused, fingerprint."""
        heading = self.game.result or (turn_heading(state) + recorded_time_text(state))
        name = self.game.winner if state.over else self.game.player
        return {
            "id": state.game[:12], "title": timeline.setting.ruleset.title,
            "heading": mark_name(name or "", heading) if machine_kind(timeline, name) else heading,
            "turn": state.turn, "circuit": state.circuit, "over": state.over, "paused": state.paused,
            # With a secret in it, the letters would have to be reckoned from the beginning each time.
            "fingerprint": fingerprint(timeline) if seals is NO_SEALS else "",
        }  # fmt: skip

    def _tiers_data(self, state: State, open: Iterable[Decision]) -> Json:
        """Return, by player who can propose now, the tiers that they can ask for."""
        able = {decision.player for decision in open if decision.action in ("propose", "revise")}
        basis = state.law, state.players, state.turns, state.tables, state.circuit
        return {
            name: self._reuse_part(f"tiers {name}", partial(requestable_tiers, state, name), *basis)
            for name in state.person_names
            if name in able or None in able
        }

    def _winning_data(self, state: State) -> list[Any]:
        """Return the drawn rules on winning as JSON data; an empty list once the game is over."""
        if state.over:
            return []
        rules_by_term = rules_on_winning(state)
        values = (state.find(key) for key in rules_by_term if key not in (WINNING, OUT))
        cached_part: list[Any] = self._reuse_part(
            "aim", lambda: [element_data(draw_rules_on_winning(state, rules_by_term))], state.law, state.rules,
            *(rules[0] for rules in rules_by_term.values()),
            *values,
        )  # fmt: skip
        return cached_part

    def _news_data(self, timeline: Timeline, seals: Seals) -> Json:
        """Return the latest events as JSON data by event number, newest first, as far as they are not secret."""
        told = (
            (event, state)
            for event, state in reversed(timeline.moments)
            if not is_omitted_from_history(event) and event.seq not in seals.after
        )
        known, self._news = self._news, {}
        for event, state in islice(told, LATEST):
            sealed = event.seq in seals.telling
            kept = known.get(event.seq)
            if kept is None or kept[0] is not event or kept[1] is not sealed:
                kept = event, sealed, event_news(event, state, seals)
                kept[2]["text"] = mark_machine(timeline, event, kept[2]["text"])
            self._news[event.seq] = kept
        return {str(seq): news for seq, (_, _, news) in self._news.items()}

    def _proposals_data(self, timeline: Timeline, state: State, seals: Seals) -> Json:
        """Return all open proposals and the last few closed ones as JSON data, by number."""
        open = {proposal.number for proposal in state.open_proposals}
        numbers = list(state.proposals)
        closed = set(islice((number for number in reversed(numbers) if number not in open), CLOSED))
        shown = sorted(open | closed, key=numbers.index)
        for name in [name for name in self._parts if isinstance(name, tuple) and name[1] not in shown]:
            del self._parts[name]
        return {str(number): self._proposal_data(timeline, state, number, seals) for number in shown}

    def _proposal_data(self, timeline: Timeline, state: State, number: Number, seals: Seals) -> Json:
        """Return a proposal as JSON data: proponent, status, redline, state of the vote, and remarks."""
        proposal = state.proposals[number]
        look = quick_remarks if len(state.open_proposals) <= MOST_REMARKS_AT_ONCE else known_remarks
        odd = look(state, number) if proposal.is_open else ProposalRemarks()
        what: Json = self._reuse_part(("what", number), lambda: change_data(timeline, number), proposal.change)
        since = (None, None) if proposal.is_open else (state.rules.void, state.waiting)
        vote = self._reuse_part(
            ("vote", number), lambda: vote_data(proposal, timeline, state), proposal, *since, number in seals.proposals
        )
        remarks = self._reuse_part(("odd", number), lambda: remarks_data(odd), odd)
        if odd.next_effects:
            what = {**what, "said": [*what["said"], *odd.next_effects]}
        return {
            "by": seat_name(timeline, proposal.proponent), "turn": proposal.turn, "status": proposal.status,
            "open": proposal.is_open,
            "headline": upper_first(proposal.change.headline), "title": title_of_proposed_rule(proposal, state), **what,
            "note": upper_first(proposal.note), "vote": vote, "odd": remarks,
        }  # fmt: skip


def _law_data(game: BaseGame, state: State) -> Json:
    """Return the law book as JSON data: its tiers, its rules by number, and their order."""
    book = LawBook(game.timeline, state)
    tiers = book.rules_by_tier()
    rules = {str(rule.number): _rule_data(book, rule) for tier_rules in tiers.values() for rule in tier_rules}
    return {"tiers": list(tiers), "rules": rules, "order": {number: at for at, number in enumerate(rules)}}


#: The parts of the view: the fields of the state that each depends on, and the function that makes it.
VIEW_PARTS: Mapping[str, tuple[str, Callable[[BaseGame, State], Any]]] = {
    "score": (
        "players tables turns over position winners",
        lambda game, _: element_data(build_element("div", draw_standings(game, "Score", armies=True))),
    ),
    "scores": ("players tables", lambda _, state: scores_data(state)),
    "judgments": (
        "judgments docket over",
        lambda _, state: {} if state.over
        else {str(judgment.id): element_data(draw(judgment)) for judgment in state.live_judgments},
    ),
    "polls": ("polls later players clock ended circuit rules", lambda _, state: list(map(element_data,
    draw_polls(state)))),
    "law": ("rules judgments law", _law_data),
    "listens": (
        "law over questions",
        lambda _, state: [] if state.over or state.questions else [
            [phrase.action, phrase.words, str(phrase)] for phrase in heard_phrases(state)
        ],
    ),
    "chess": ("position law hands mated turns", lambda game, state: boards_data(state, game.last_move)),
    "choices": (
        "law turns waiting proposals position questions standstill", lambda _, state: choices_by_player(state),
    ),
    "kinds": ("law players", lambda _, state: list(proposable_kinds(state))),
    "free": ("law over paused", lambda _, state: free_actions(state)),
    "secrets": ("tables players", lambda _, state: secrets_by_player(state)),
}  # fmt: skip


def _undoable_actions(timeline: Timeline, history: Json) -> dict[str, int]:
    """Return the undoable actions: a dict from the first event of each shown in `history` to the action's number."""
    last = timeline.moments[-1][0]
    first = min(map(int, history), default=last.seq)
    recent = [last] if last.kind == "undone" else []
    for event in timeline.events_backwards():
        recent.append(event)
        if event.is_action and event.seq <= first:  # nothing before it is shown
            break
    seq_by_act: dict[int, str] = {}
    act = 0
    for event in reversed(recent):
        act = event.seq if event.is_action else act
        if act > 1 and str(event.seq) in history and not is_machine_act(timeline, timeline.moments[act - 1][0]):
            seq_by_act.setdefault(act, str(event.seq))
    return {seq: act for act, seq in seq_by_act.items()}


def _rule_data(book: LawBook, rule: Rule) -> Json:
    """Return a rule as JSON data: number, title, wording, law, amendments, and why it is void if it is."""
    parts = {str(at): [part.wording, part.law] for at, part in rule.amendments.items() if not part.repealed}
    void = book.void_reason(rule)
    flags = {"void": void, "parts": parts, "made": rule.proposal is not None, "bare": rule.has_words_only and not void}
    return {
        "number": rule.number, "tier": rule.tier, "title": rule.title, "wording": rule.wording, "law": rule.law,
        "kept": list(enforcers_of_rule(rule)), **{name: value for name, value in flags.items() if value},
    }  # fmt: skip
