"""A seat at a game for a program: what it sees, does, reviews and tries out, all of it plain data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import IllegalAction, LawError, PlainRefusal, RecordError
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS
from nomic_nb.engine.play.values import Decision, unknown_player_message
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.player_actions import read_change_argument
from nomic_nb.notebook.panels import forms
from nomic_nb.study.players.asked import Json, actions_at_any_time
from nomic_nb.study.players.statements import keep_statement, read_statement
from nomic_nb.study.players.view import View, views_of
from nomic_nb.study.review.applicable_rules import ApplicableRules
from nomic_nb.study.review.review import Review, review_change
from nomic_nb.study.views.tables import is_anything_hidden

#: The fields of a reply.
REPLY_FIELDS = {"id", "key", "action", "details", "statement"}


class Seat(Displayed):
    """A player's seat at a game, for a program: it sees what this player may see, and does what this player may do.

    Parameters
    ----------
    game : Game
        The game.
    player : str
        The player.

    Raises
    ------
    IllegalAction
        No player has this name.
    """

    def __init__(self, game: BaseGame, player: str) -> None:
        if player not in game.state.players:
            raise IllegalAction(unknown_player_message(player), options=list(game.state.players))
        self.game, self.player = game, player
        self._refused: Json | None = None

    def __str__(self) -> str:
        return f"the seat of {self.player}"

    def view(self, *, remarks: bool = True) -> View:
        """Return what the player sees now, as plain data; ``view().text()`` has it in words.

        Parameters
        ----------
        remarks : bool
            Whether to look for remarks on open proposals, which takes some hundredths of a second for a new one.

        Returns
        -------
        View
            A dict: ``you``, ``step``, ``game``, ``asked`` (what the player decides, each with its key and a JSON Schema
            of the answer), ``free`` (what can be done at any time), ``law``, ``aim``, ``score``, ``proposals``,
            ``boards``, ``moves``, ``lately``, ``secrets`` and ``refused``, the refusal of the last answer. Numbers
            that rules count are texts, so that they stay exact.
        """
        timeline = self.game.timeline
        with timeline.lock:
            views = views_of(timeline)
            asked = views.decisions_of(timeline, self.player)
            return views.view(timeline, self.player, asked, refused=self._refused, remarks=remarks)

    def act(self, reply: object) -> Json:
        """Do what a reply says, if the rules allow it; otherwise nothing happens, and the result says why.

        Parameters
        ----------
        reply : dict or str
            ``{"key": …, "details": {…}}`` answers a decision in the view, and ``{"action": "say", "details": …}`` does
            what can be done at any time. A ``"statement": {"proposal": …, "text": …}``, beside these or alone, is shown
            beside an open proposal. JSON as a text is read, with nothing around it.

        Returns
        -------
        dict
            ``{"done": True, "said": …, "step": …}``, or ``{"refused": True, "why": …, "code": …, "rule": …,
            "options": …}``.

        Examples
        --------
        >>> import nomic_nb as nb
        >>> seat = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).seat("Ann")
        >>> change = {"kind": "repeal", "target": 206}
        >>> seat.act({"key": seat.view()["asked"][0]["key"], "details": {"change": change}})["done"]
        True
        >>> seat.act({"key": "x"})["why"]
        'This decision is not open, or not in this form. Look at the view again.'
        """
        timeline = self.game.timeline
        with timeline.lock:
            before = timeline.state.seq
            try:
                said = self._do(reply)
            except PlainRefusal as error:
                self._refused = refusal_data(error)
                return self._refused
            self._refused = None
            done: Json = {"done": True, "said": said or self._told_since(before), "step": timeline.state.seq}
        self.game._let_machines_answer()
        return done

    def _do(self, reply: object) -> str:
        """Do what a reply says; return a sentence on what is no event of the game.

        Raises
        ------
        IllegalAction, LawError
            It is refused, and nothing happened.
        """
        timeline, given = self.game.timeline, read_reply(reply)
        before, stated = timeline.state.seq, given.get("statement")
        statement = read_statement(timeline, self.player, stated) if stated is not None else None
        if statement is None or any(given.get(name) is not None for name in ("key", "action")):
            try:
                action, details = self._read_reply(given)
                if action in HOST_ACTIONS:  # among decisions where play waits for it
                    timeline.do_as_host(action, {"who": self.player})
                else:
                    self.game._perform(self.player, action, **details)
            except PlainRefusal:
                if timeline.state.seq == before:
                    raise
        if statement is None:
            return ""
        keep_statement(timeline, statement)
        return self._told_since(before) if timeline.state.seq > before else "Your statement is saved."

    def _told_since(self, before: int) -> str:
        """Return in sentences what happened after an event."""
        return full_sentence("; ".join(self.game.latest(4, since=before)))

    def _read_reply(self, given: Json) -> tuple[str, Json]:
        """Return the action that a reply names, and its details as the game takes them.

        Raises
        ------
        IllegalAction, LawError
            It answers what is not open.
        """
        details = given.get("details") or {}
        if "agreed" in details:
            raise IllegalAction(say("agreed-by-a-program", "you can only answer for yourself"))
        action, decision = given.get("action"), None
        if given.get("key") is not None:
            timeline = self.game.timeline
            decision = views_of(timeline).decisions_of(timeline, self.player).get(str(given["key"]))
            if decision is None or action not in (None, decision.action):
                raise IllegalAction(
                    say(
                        "decision-not-open",
                        "this decision is not open, or not in this form. Look at the view again",
                    )
                )
            action = decision.action
        elif action not in actions_at_any_time():
            raise IllegalAction(
                say("reply-without-key", "say which decision you answer, by its key"), options=actions_at_any_time()
            )
        if action in HOST_ACTIONS:
            return str(action), {}
        return str(action), forms.read_details(self.game, str(action), details, decision)

    def review(self, change: Change | Mapping[str, Any]) -> Review:
        """Return a review of what a change would do if the player proposed it; nothing happens.

        Parameters
        ----------
        change : Change or dict
            The change, also as plain data: ``{"kind": "repeal", "target": 206}``.

        Returns
        -------
        Review
        """
        made = forms.read_change_data(dict(change)) if isinstance(change, Mapping) else change
        return review_change(self.game.timeline, self.player, read_change_argument(made, self.game.state))

    def try_out(self, reply: object) -> View:
        """Return what the player would see after a reply, on a trial with other dice; the game does not change.

        If the reply is refused there, the view says so under ``refused``.

        Parameters
        ----------
        reply : dict or str
            As in `act`.

        Raises
        ------
        IllegalAction
            Something is sealed or hidden, and a trial could give it away.
        """
        if is_anything_hidden(self.game.timeline):
            raise IllegalAction(
                say(
                    "trial-would-tell",
                    "you can’t try this out while something is sealed or hidden, because the result could give it away",
                )
            )
        seat = Seat(self.game.trial(), self.player)
        seat.act(reply)
        return seat.view()

    def acts(self, most: int = 200) -> list[Json]:
        """Return complete answers that the player can give now, numbered: each with a text and its reply.

        Proposals among them are examples, each rule in force changed, and the ready-made rules that fit. They are not
        tried, so the rules may refuse some.

        Parameters
        ----------
        most : int
            How many at most.

        Returns
        -------
        list of dict
            ``{"number": 1, "text": "vote: for", "must": True, "reply": {…}}``.
        """
        timeline = self.game.timeline
        with timeline.lock:
            asked = views_of(timeline).decisions_of(timeline, self.player)
            found = (act for key, decision in asked.items() for act in self._acts_for(key, decision, most))
            return [{"number": at} | act for at, act in enumerate(islice(found, most), 1)]

    def _acts_for(self, key: str, decision: Decision, most: int) -> Iterator[Json]:
        """Yield the answers to a decision."""
        filled = {name for name, (takes, _) in ACTIONS[decision.action].fields.items()
                  if takes.of in ("proposal", "id", "rule")} if decision.action in ACTIONS else {"who"}  # fmt: skip
        ways = decision.ways(most)
        if ways and "change" in ways[0]:
            ready = [applicable.entry.rule for applicable in ApplicableRules(self.game.state)]
            ways += [ways[0] | {"change": rule.change()} for rule in ready]
        for way in ways:
            given = {name: value for name, value in way.items() if name not in filled}
            told = [value.headline if isinstance(value, Change) else str(value) for value in given.values()]
            details = {name: value.to_json() if isinstance(value, Change) else value for name, value in given.items()}
            text = f"{decision.action}{': ' if told else ''}{', '.join(told)}"
            yield {"text": text, "must": decision.must, "reply": {"key": key, "details": details}}


def read_reply(reply: object) -> Json:
    """Return a reply as fields; raise `IllegalAction` if it is no JSON object, or has other fields than a reply has.

    Raises
    ------
    IllegalAction
        It is something else, too large, or nested too deep.
    """
    try:
        text = reply if isinstance(reply, str) else json.dumps(reply, allow_nan=False)
        given = forms.read_fields(text)
    except (RecordError, TypeError, ValueError, RecursionError) as error:
        message = say("reply-not-json", "a reply must be a JSON object and nothing else: {error}", error=error)
        raise IllegalAction(message) from None
    named = (given.get(name) or {} for name in ("details", "statement"))
    if not given.keys() <= REPLY_FIELDS or not all(isinstance(fields, dict) for fields in named):
        raise IllegalAction(say("reply-fields", "a reply has a key or an action, and details with named fields"))
    return given


def refusal_data(error: PlainRefusal) -> Json:
    """Return a refusal as plain data: why, its code, the rule behind it, and what is possible instead."""
    message = getattr(error, "message", None)
    why = full_sentence(message if isinstance(message, Message) else str(error))
    options = list(error.options) if isinstance(error, IllegalAction) else []
    data: Json = {
        "refused": True, "why": why, "code": error.code, "rule": getattr(error, "rule", None), "options": options,
    }  # fmt: skip
    if isinstance(error, LawError):
        data["law"] = {"line": error.line, "column": error.column, "found": error.found, "expected": error.expected,
                       "example": error.example}  # fmt: skip
    return data
