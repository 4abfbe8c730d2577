"""The players' actions in a game, each as a method."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any

from nomic_nb.engine.arguments import explain_all_argument_errors, unknown_name_error
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import IllegalAction, WrongArgument, refuse_copying
from nomic_nb.engine.law.changes import Change, Renaming
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.declarations import ACTIONS, ActionSpec
from nomic_nb.engine.play.dice import SealOpening, new_opening
from nomic_nb.engine.play.dice import commitment_hash as committed_to
from nomic_nb.engine.play.engine import Moment
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.facts import option_in_words
from nomic_nb.engine.play.permissions import Refusal, check_player_name, refuse
from nomic_nb.engine.play.questions_by_rules import read_answers
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline, as_guarded_act
from nomic_nb.engine.play.vocabulary import subjects_of_play
from nomic_nb.engine.play.waiting import open_rounds
from nomic_nb.engine.subjects.sealed_values import owed_round, secrets_of_player
from nomic_nb.engine.subjects.votes import find_open_vote
from nomic_nb.engine.words import join_words, verb_phrase
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.study.library import LibraryRule
from nomic_nb.study.rounds import unrevealed_round
from nomic_nb.study.views import Proposal, ProposalRemarks, VotedProposal
from nomic_nb.study.views.unheard import UnheardReply, reply_to_unheard_words

#: What represents a change until it is read; a tuple, because a union is slower where every act looks.
_CHANGES_TO_READ = (LibraryRule, Renaming)

# --------------------------------------------------------------------------------------- what players do in a game


def read_change_argument(change: Change | LibraryRule | Renaming, state: State) -> Change:
    """Return a change as it is, or the change that a ready-made rule or a renaming represents."""
    rule_change: object = change
    if isinstance(change, LibraryRule):
        rule_change = change.change()
    elif isinstance(change, Renaming):
        rule_change = change.change(state.rules, state.law.tables, state.law.vocabulary.keys)
    if not isinstance(rule_change, Change):
        raise WrongArgument(
            "change-made-otherwise",
            "a change must be made with enact, amend, repeal or transmute; you gave “{found}”",
            found=str(rule_change)[:40],
        )
    return rule_change


def proposal_remarks(state: State, number: Number) -> ProposalRemarks:
    """Return the remarks that a review makes on the proposal with this number."""
    from nomic_nb.study.review.remarks import remarks_on as found

    return found(state, number)


@as_guarded_act
def cast_ballots(
    timeline: Timeline, named: Sequence[tuple[str, str]], others: str | None, proposal: Number | None
) -> VotedProposal:
    """Cast the named ballots in order, then one for each other player who can still vote: all of them or none.

    They are cast on a copy of the game first. A vote that closes meanwhile leaves the rest out, and the result says so.
    """
    state, names = timeline.state, [player for player, _ in named]
    for player in names:
        check_player_name(state, player, state.players)
    if twice := [player for player in names if names.count(player) > 1]:
        refuse(say("voter-named-twice", "{player} is named twice. Name each player once", player=twice[0]))
    if proposal is None:
        waiting = [one.number for one in state.open_proposals if one.vote and one.vote.silent_voters]
        proposal = waiting[0] if len(waiting) == 1 else None
    proposal = find_open_vote(state, "", proposal)[0].number
    silent = [name for name in find_open_vote(state, "", proposal)[1].silent_voters if name not in names]
    can = {one.player for one in decisions(state) if one.action == "vote" and one.proposal == proposal}
    rest = [name for name in silent if name in can and not state.players[name].absent] if others is not None else []
    trial, cast = timeline.copy_with_events(timeline.moments), []
    ballots = [*named, *((name, str(others)) for name in rest)]
    if not ballots and others is None:
        refuse(say("votes-of-nobody", "say who votes, e.g. against=[“{player}”]", player=next(iter(state.players))))
    if not ballots and silent:  # the reason why the first of them cannot vote is the reason why nobody can
        trial.do(silent[0], "vote", {"ballot": others, "proposal": proposal})
    if not ballots:
        refuse(say("nobody-left-to-vote", "nobody can still vote on proposal {number}", number=proposal))
    for player, ballot in ballots:
        now_open = [one.number for one in trial.state.open_proposals if one.status == "open"]
        if proposal not in now_open:
            break
        which = {"proposal": proposal} if len(now_open) > 1 else {}
        try:
            (done, _), *_ = trial.do(player, "vote", {"ballot": ballot, **which})
        except IllegalAction as refusal:
            message = refusal.message.embed_in("no ballot is cast: {message}") if len(ballots) > 1 else refusal.message
            raise Refusal(message, refusal.rule) from None
        if done.kind != "balloted":
            refuse(
                say(
                    "ballot-asks-first",
                    "no ballot is cast: the rules don’t say whether {player} may vote. Use game.vote for that",
                    player=player,
                )
            )
        cast.append(player)
    start = len(timeline.moments)
    timeline.keep_moments(trial.moments[start:])
    CELL_WATCH.note_act(timeline, start)
    late = [player for player, _ in ballots if player not in cast]
    away = [name for name in silent if name not in rest and state.players[name].absent]
    notes = [
        (late, say("vote-closed-early", "the vote closed before {players} could vote", players=join_words(late))),
        (away, say("voters-away", "{players} away, so nobody votes for them", players=verb_phrase(away, "is", "are"))),
    ]
    told = [note for names, note in notes if names] if others is not None or late else []
    return VotedProposal(timeline, proposal, proposal_remarks, told)


class PlayerActions(Displayed):
    """The actions of players in a game; an action without a method here gets one from its declaration.

    Parameters
    ----------
    timeline : Timeline
        The events of the game.
    """

    __reduce__ = refuse_copying

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline

    def __getattr__(self, name: str) -> Any:
        """Say that a game has nothing of this name; called only then."""
        if name.startswith("_"):  # notebooks look for these
            raise AttributeError(name)
        raise unknown_name_error("a game", name, dir(type(self)))

    def __init_subclass__(cls) -> None:
        explain_all_argument_errors(cls)

    @property
    def timeline(self) -> Timeline:
        """The events of this game with the state after each one; reading it notes that the current cell uses it."""
        if CELL_WATCH.depth:
            CELL_WATCH.note_use(self._timeline)
        return self._timeline

    @property
    def state(self) -> State:
        """The current state of the game, as an immutable value."""
        return self.timeline.state

    def do(self, player: str, action: str, **details: Any) -> None:
        """Do a player's action, such as “vote”, with its details; the methods for actions call this.

        Parameters
        ----------
        player : str
            The player who acts.
        action : str
            Name of the action: ``propose``, ``vote``, ``roll``, ``choose``, ``say`` …; for an unknown name, the
            error lists the known ones.
        **details
            The arguments of the method with the same name.

        Raises
        ------
        IllegalAction
            The action is refused; the error names the rule and the actions that are possible instead.
        LawError
            A clause cannot be read; the error gives its line and column.
        TypeError
            The action does not take these details.
        """
        self._do(player, action, **details)

    def _do(self, player: str, action: str, **details: Any) -> None:
        """Do a player's action, with the arguments of its method, and let machines answer it."""
        self._perform(player, action, **details)
        self._let_machines_answer()

    def _let_machines_answer(self) -> None:
        """Let machines answer what has just happened, if the game has any."""

    def _perform(self, player: str, action: str, **details: Any) -> None:
        """Do a player's action, with the arguments of its method; whoever calls this explains wrong ones."""
        for name, given in details.items():
            if isinstance(given, _CHANGES_TO_READ):
                details[name] = read_change_argument(given, self.state)
            elif isinstance(given, tuple):
                details[name] = list(given)
        if isinstance(details.get("push"), str):
            details["push"] = [board.strip() for board in details["push"].split("+")]
        self.timeline.do(player, action, details)

    def _do_and_return_moments(self, player: str, action: str, **details: Any) -> Sequence[Moment]:
        """Do a player's action; return the events that it caused, each with the state after it."""

        def act() -> Sequence[Moment]:
            before = len(self._timeline.moments)
            self._perform(player, action, **details)
            return self._timeline.moments[before:]

        moments = self.timeline.attempt(act)
        self._let_machines_answer()
        return moments

    def propose(
        self,
        player: str,
        change: Change | LibraryRule | Renaming,
        number: Number | None = None,
        *,
        debate: bool = False,
        rule_number: int | None = None,
    ) -> Proposal:
        """Propose a rule change and return the proposal; with `debate`, the vote opens only when it is called.

        Parameters
        ----------
        player : str
            The player who proposes.
        change : Change, LibraryRule or Renaming
            A change made by `enact`, `amend`, `repeal`, `transmute`, `together`, `reword` or `rename`, or a ready-made
            rule, which is enacted as it is.
        number : int or str, optional
            Number of the proposal; needed only if numbers are assigned from outside.
        debate : bool
            Whether the vote waits for `call_vote` (111).
        rule_number : int, optional
            Number of the new rule, in the replay of a record (``medium="record"``) that numbers rules on their own.

        Returns
        -------
        Proposal

        Raises
        ------
        IllegalAction
            This player cannot propose now, or the change cannot be proposed.
        LawError
            A clause cannot be read.
        """
        details = {"change": change, "number": number, "debate": debate, "rule_number": rule_number}
        done = self._do_and_return_event("proposed", player, "propose", **details)
        return Proposal(self.timeline, done.data["number"], proposal_remarks)

    def _do_and_return_event(self, kind: str, player: str, action: str, **details: Any) -> Event:
        """Do a player's action and return its event of this kind; raise if people must first say that it is allowed."""
        return self._require_event(kind, self._do_and_return_moments(player, action, **details))

    def _require_event(self, kind: str, happened: Sequence[Moment]) -> Event:
        """Return the first event of this kind in `happened`; raise IllegalAction if none exists."""
        for event, _ in happened:
            if event.kind == kind:
                return event
        question = self.state.questions[0].text if self.state.questions else ""
        raise IllegalAction(
            "permission-open-and-asked",
            "the rules don’t say whether this is allowed, so the players are asked: {question} If they allow it, "
            "do it again.",
            question=question,
        )

    def vote(self, player: str, ballot: str, proposal: Number | None = None) -> None:
        """Cast a ballot, ``for`` or ``against``; name the proposal only if several votes are open."""
        self._do(player, "vote", ballot=ballot, proposal=proposal)

    def votes(
        self, others: str | None = "for", *, against: str | Sequence[str] = (), in_favour: str | Sequence[str] = (),
        abstain: str | Sequence[str] = (), proposal: Number | None = None,
    ) -> VotedProposal:  # fmt: skip
        """Cast the ballots of several players at once; everybody who is not named votes `others`, by default “for”.

        Either all ballots are cast or none, and `undo` takes them back together. The named players vote first, in the
        order in which they are given; then everybody else who can vote now and has not voted yet, in seating order.
        Nobody votes for a player who is away. If the vote closes before everyone has voted, because the result is
        certain, the remaining ballots are not cast, and the result says so.

        Parameters
        ----------
        others : str or None
            Ballot of everybody who is not named: ``for``, ``against`` or ``abstain``; None if nobody else votes.
        against, in_favour, abstain : str or sequence of str
            Players who vote this way: a name, or a list of names.
        proposal : int or str, optional
            Number of the proposal; needed only if several votes are open.

        Returns
        -------
        VotedProposal
            The proposal with its ballots, and notes on those that were not cast.

        Raises
        ------
        IllegalAction
            No vote is open, or several are and none is named; a name is unknown or given twice; nobody can still vote;
            or one of the ballots is refused. No ballot is cast then.

        Examples
        --------
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> from nomic_nb.engine.law.changes import repeal
        >>> game = new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
        >>> proposal = game.propose("Ann", repeal(206))
        >>> game.votes(against=["Cleo"]).ballots
        {'Cleo': 'against', 'Ann': 'for', 'Ben': 'for'}
        """
        named = {"against": against, "for": in_favour, "abstain": abstain}
        pairs = [
            (name, ballot)
            for ballot, names in named.items()
            for name in ([names] if isinstance(names, str) else list(names))
        ]
        voted = cast_ballots(self.timeline, pairs, others, proposal)
        self._let_machines_answer()
        return voted

    def roll(self, player: str, value: int | None = None) -> int:
        """Roll the dice and return the number they show: drawn by the game, or the given sum of real dice.

        Parameters
        ----------
        player : str
            The player who rolls.
        value : int, optional
            Sum of all dice, if they are rolled by hand.

        Returns
        -------
        int
            The number that the dice show.
        """
        return int(self._do_and_return_event("thrown", player, "roll", value=value).data["face"])

    def choose(
        self, player: str, option: object, decision: int | None = None, *, agreed: Sequence[str] | None = None
    ) -> None:
        """Choose an option (“none” declines) or answer a question, even on behalf of the players in `agreed`.

        Parameters
        ----------
        player : str
            The player who answers.
        option : object
            The option chosen, or the answer.
        decision : int, optional
            Number of the question, if only this one should be answered.
        agreed : sequence of str, optional
            Other players who are asked as well and give the same answer, so a shared answer is entered only once.
        """
        self._do(player, "choose", option=option, decision=decision, agreed=None if agreed is None else list(agreed))

    def move(self, player: str, text: str, push: Sequence[str] | str | None = None) -> None:
        """Push boards together (`push`, if several pairs are possible) and make the move that `text` names.

        Parameters
        ----------
        player : str
            The player who moves.
        text : str
            The move, such as ``white.e2-white.e4``. Add ``=Q`` for a promotion; write castling as the move of the king.
            Two other forms work as well: the form that `pending` lists, with the boards first; or UCI on the joined
            board (``e2e4``), where the first board of `push` keeps the names of its squares.
        push : sequence of str or str, optional
            Boards to push together, as a list or as ``white+yellow``; not needed if the move goes from one board to
            the other, or if only one pair is possible.

        Raises
        ------
        IllegalAction
            The move is refused; the error names the rule and the legal moves.
        """
        self._do(player, "move", text=text, push=push if push is None or isinstance(push, str) else list(push))

    def say(self, player: str, text: str) -> UnheardReply | None:
        """Say something that rules may react to; if none reacts, return a reply that lists what they listen for.

        Returns
        -------
        UnheardReply or None
            Reply that lists what rules listen for; None if a rule reacts.
        """
        return self._do_and_return_unheard(player, "say", text=text)

    def _do_and_return_unheard(self, player: str, action: str, **details: Any) -> UnheardReply | None:
        """Do an action that rules may react to; return what they listen for if none reacts, else None."""
        done, state = self._do_and_return_moments(player, action, **details)[0]
        return reply_to_unheard_words(self.timeline.after(done.seq - 1), done, state)

    def report(self, player: str, who: str, deed: str) -> UnheardReply | None:
        """Report a deed of the player `who`; if no rule reacts, return a reply that lists what rules listen for."""
        return self._do_and_return_unheard(player, "report", who=who, deed=deed)

    def rule_on(
        self, player: str, ruling: str, reasons: str = "", rests_on: Sequence[Number] = (), orders: str = "",
        judgment: int | None = None,
    ) -> None:  # fmt: skip
        """Give a ruling as the Judge, with reasons, the rules it rests on, and orders in the law language.

        Parameters
        ----------
        player : str
            The Judge.
        ruling, reasons : str
            The decision, and the reasons for it.
        rests_on : sequence of int or str
            Numbers of the rules that the ruling rests on; the law book lists it as depending on them.
        orders : str
            Effects in the law language, one per line, that happen once the ruling is final:
            ``void rule_numbered(305) against rule_numbered(101)``, ``award 5 points to "Ann"``, ``end play``.
        judgment : int, optional
            Number of the judgment; default the first one waiting for this Judge.
        """
        self._do(
            player, "rule_on", ruling=ruling, reasons=reasons, rests_on=list(rests_on), orders=orders, judgment=judgment
        )


def action_method(deed: ActionSpec) -> Callable[..., None]:
    """Return a new method of a game that does this action; its parameters are the action's fields."""
    kind, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    fields = [("self", empty, empty), ("player", empty, str)]
    fields += [(name, default, reduce(or_, takes.types)) for name, (takes, default) in deed.fields.items()]
    signature = inspect.Signature(
        [inspect.Parameter(field_name, kind, default=by, annotation=of) for field_name, by, of in fields]
    )

    def method(self: PlayerActions, player: str, *args: Any, **named: Any) -> None:
        arguments = signature.bind(self, player, *args, **named).arguments
        self._do(player, deed.name, **{name: arguments[name] for name in deed.fields if name in arguments})

    method.__name__, method.__doc__ = deed.name, deed.perform.__doc__
    method.__signature__ = signature  # type: ignore[attr-defined]
    return method


subjects_of_play()  # they declare what can be done
for _deed in ACTIONS.values():
    if not hasattr(PlayerActions, _deed.name):
        setattr(PlayerActions, _deed.name, action_method(_deed))
explain_all_argument_errors(PlayerActions)


# -------------------------------------------------------------------------- what players seal and reveal in a game


class SealedActions(PlayerActions):
    """Actions for sealing values, such as numbers for a roll, and revealing them later."""

    def seal(self, player: str, value: str | int | None = None, *, commitment: str | None = None) -> str:
        """Seal a value (random if None) or a commitment made elsewhere; return the recorded commitment.

        The value and nonce stay in this process for `reveal`; call `opening` if you want to write them down. A cell
        that runs again and does the same as before makes the same seal again.

        Parameters
        ----------
        player : str
            The player who seals.
        value : str or int, optional
            Value to seal; default a random one. The nonce is always random.
        commitment : str, optional
            A commitment that the player made on another machine, instead of a value.

        Returns
        -------
        str
            The commitment.

        Raises
        ------
        IllegalAction
            This player has nothing to seal now, or both a value and a commitment are given.

        Examples
        --------
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> from nomic_nb.engine.law.changes import repeal
        >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7, dice="committed")
        >>> proposal = game.propose("Ann", repeal(206))
        >>> for name in game.players:
        ...     game.vote(name, "for")
        >>> for name in game.players:
        ...     commitment = game.seal(name)
        >>> for name in game.players:
        ...     game.reveal(name)
        >>> game.player
        'Ben'
        """
        done = self._do_and_return_event("committed", player, "seal", value=value, commitment=commitment)
        return str(done.data["commitment"])

    def _perform(self, player: str, action: str, **details: Any) -> None:
        """Do a player's action; what is sealed or revealed here is filled in, from the current state of a kept game."""
        fill = {"seal": self._sealing_details, "reveal": self._revealing_details}.get(action)
        if fill is None:
            super()._perform(player, action, **details)
        else:
            self.timeline.attempt(
                lambda: super(SealedActions, self)._perform(player, action, **fill(player, **details))
            )

    def _sealing_details(
        self, player: str, value: str | int | None = None, commitment: str | None = None
    ) -> dict[str, Any]:
        """Return the details by which a player seals a value, or a commitment made elsewhere."""
        if commitment is not None and value is not None:
            raise IllegalAction(
                "value-and-commitment-sealed", "seal either a value or a commitment made elsewhere, not both"
            )
        return {"commitment": self._make_commitment(player, value) if commitment is None else commitment}

    def _revealing_details(
        self, player: str, value: str | int | None = None, nonce: str | None = None
    ) -> dict[str, Any]:
        """Return the details by which a player reveals the value given or, if none is, the one sealed here."""
        known = self.opening(player) if value is None and nonce is None else None
        opening = SealOpening("" if value is None else str(value), nonce or "") if known is None else known
        if known is None and (value is None or nonce is None) and owed_round(self.state, player, "reveal") is not None:
            onwards = [f'game.reveal("{player}", value, nonce)']
            raise IllegalAction(
                "sealed-value-unknown",
                "the value that {player} sealed isn’t known here. Give value and nonce",
                player=player,
                options=onwards,
            )
        return {"value": opening.value, "nonce": opening.nonce}

    def _make_commitment(self, player: str, value: str | int | None) -> str:
        """Return a commitment to a value and keep value and nonce; a cell that runs again gets its old one."""
        sealing, kept = owed_round(self.state, player, "seal"), self.timeline.kept
        if sealing is None:
            return ""  # it is refused, with the reason
        was = CELL_WATCH.repeated_event(self.timeline)
        if was is not None and was.kind == "committed" and was.actor == player:
            old = kept.get(was.data["commitment"])
            if old is not None and (value is None or old.value == str(value)):
                return str(was.data["commitment"])
        waiting = next(waiting_for for waiting_for, round in open_rounds(self.state) if round is sealing)
        if (waiting.poll or waiting.secret) and (value is None or not [*read_answers(self.state, waiting, str(value))]):
            options = [option_in_words(self.state, option) for option in waiting.options]
            raise IllegalAction(
                "sealed-for-a-question",
                "what you seal here must be an answer to the question",
                rule=waiting.rule,
                options=options,
            )
        chance, game = self.timeline.chance, self.state.game
        opening = new_opening(value, "" if chance is None else f"{chance} {game} {sealing.number} {player}")
        committed = committed_to(self.state.game, sealing.number, player, opening)
        kept[committed] = opening
        return committed

    def opening(self, player: str) -> SealOpening | None:
        """Return the value and nonce that a player sealed here and has not revealed yet; otherwise None.

        Write both down if you might lose this session before revealing, or will reveal on another machine.

        Returns
        -------
        SealOpening or None
            The ``value`` and ``nonce``; None if nothing is sealed, or it was sealed elsewhere.
        """
        sealing = unrevealed_round(self.state, player)
        return None if sealing is None else self.timeline.kept.get(sealing.seals[player])

    def openings(self, player: str) -> list[SealOpening]:
        """Return the value and nonce of everything a player sealed for later and has not revealed, oldest first.

        Returns
        -------
        list of SealOpening
            Values and nonces for this player's eyes only; see `opening`.
        """
        kept = (self.timeline.kept.get(secret.round.seals[player]) for secret in secrets_of_player(self.state, player))
        return [opening for opening in kept if opening is not None]

    def reveal(self, player: str, value: str | int | None = None, nonce: str | None = None) -> None:
        """Reveal the sealed value once everyone has sealed; give value and nonce only if it was sealed elsewhere.

        Parameters
        ----------
        player : str
            The player who reveals.
        value, nonce : str, optional
            Value and nonce that were sealed on another machine; not needed for a value sealed here.

        Raises
        ------
        IllegalAction
            Not everyone has sealed yet, the value is not the sealed one, or the sealed value is not known here.
        """
        self._do_and_return_event("revealed", player, "reveal", value=value, nonce=nonce)
