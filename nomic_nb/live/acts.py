"""What players do in a game: every move as a method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nomic_nb.errors import IllegalAction
from nomic_nb.law.changes import Change
from nomic_nb.law.rules import Number
from nomic_nb.live.cells import WATCH
from nomic_nb.play.commitments import Opening, fresh
from nomic_nb.play.commitments import commitment as committed_to
from nomic_nb.play.listening import Unheard, unheard
from nomic_nb.play.sealing import owed, rounds
from nomic_nb.play.state import State
from nomic_nb.play.table import Table
from nomic_nb.rulesets.library import LibraryRule
from nomic_nb.shown import Shown
from nomic_nb.views import Proposal, Remarks


def as_change(change: Change | LibraryRule) -> Change:
    """Return a change; a ready-made rule is enacted as it is."""
    made = change.change() if isinstance(change, LibraryRule) else change
    if not isinstance(made, Change):
        raise TypeError(f"a change is made by enact, amend, repeal or transmute; found {str(made)[:40]!r}")
    return made


def odd(state: State, number: Number) -> Remarks:
    """Say what is odd about a proposal; what finds it is loaded when it is first looked for."""
    from nomic_nb.explore.odd import odd as found

    return found(state, number)


class Acts(Shown):
    """What players can do in a game.

    Parameters
    ----------
    table : Table
        The game under way.
    """

    def __init__(self, table: Table) -> None:
        self._table = table

    @property
    def table(self) -> Table:
        """The game under way, as a list of what happened."""
        if WATCH.cell is not None:
            WATCH.touching(self._table)
        return self._table

    @property
    def state(self) -> State:
        """Everything that is so now, as one value that never changes."""
        return self.table.state

    def do(self, player: str, action: str, **details: Any) -> None:
        """Do an action; every other method calls this one.

        Parameters
        ----------
        player : str
            Who does it.
        action : str
            ``propose``, ``vote``, ``roll``, ``choose``, ``say`` …; an unknown one is refused, and the known
            ones are listed.
        **details
            As the method of the same name takes them.

        Raises
        ------
        IllegalAction
            Refused: with the rule, and what is open instead.
        LawError
            A clause that cannot be read, with line and column.
        TypeError
            Details that the action does not take.
        """
        self.table.do(player, action, details)

    def propose(
        self, player: str, change: Change | LibraryRule, number: Number | None = None, *, debate: bool = False
    ) -> Proposal:
        """Propose a rule-change; the vote opens at once, or after a debate.

        Parameters
        ----------
        player : str
            Who proposes.
        change : Change or LibraryRule
            Made by `enact`, `amend`, `repeal` or `transmute`; a ready-made rule is enacted as it is.
        number : int or str, optional
            Only where others number proposals.
        debate : bool
            Hold the vote back until `call_vote` (111).

        Returns
        -------
        Proposal

        Raises
        ------
        IllegalAction
            Not this player's to do now, or no proper rule-change.
        LawError
            A clause that cannot be read.
        """
        if isinstance(change, LibraryRule):
            change = change.change()
        before = self.state.seq
        self.do(player, "propose", change=change, number=number, debate=debate)
        done = self.table.moments[before][0]
        if done.kind != "proposed":
            raise IllegalAction(f"the law does not say whether this is allowed; the table is asked: {self._question}")
        return Proposal(self.table, done.data["number"], odd)

    @property
    def _question(self) -> str:
        return self.state.questions[0].text if self.state.questions else ""

    def revise(self, player: str, change: Change, proposal: Number | None = None) -> None:
        """Give a proposal that is being debated another form; its number stays (111)."""
        self.do(player, "revise", change=change, proposal=proposal)

    def call_vote(self, player: str, proposal: Number | None = None) -> None:
        """End the debate on a proposal, and open the vote (111)."""
        self.do(player, "call_vote", proposal=proposal)

    def vote(self, player: str, ballot: str, proposal: Number | None = None) -> None:
        """Cast a ballot, ``for`` or ``against``; `proposal` is needed only where several votes are open."""
        self.do(player, "vote", ballot=ballot, proposal=proposal)

    def agree(self, player: str, answer: str = "yes", proposal: Number | None = None) -> None:
        """Say, ``yes`` or ``no``, whether a vote may be closed without one's ballot, where a rule has voters asked."""
        self.do(player, "agree", answer=answer, proposal=proposal)

    def close_vote(self, player: str, proposal: Number | None = None) -> None:
        """Close a vote in which not everyone has voted, where the law lets someone."""
        self.do(player, "close_vote", proposal=proposal)

    def roll(self, player: str, value: int | None = None) -> int:
        """Throw the dice: drawn by the game, or made by hand and told.

        Parameters
        ----------
        player : str
            Who throws.
        value : int, optional
            What a throw made by hand shows, the sum of the dice.

        Returns
        -------
        int
            What the throw shows.
        """
        before = self.state.seq
        self.do(player, "roll", value=value)
        thrown = next((event for event, _ in self.table.moments[before:] if event.kind == "thrown"), None)
        if thrown is None:
            raise IllegalAction(f"the law does not say whether this is allowed; the table is asked: {self._question}")
        return int(thrown.data["face"])

    def seal(self, player: str, value: str | int | None = None, *, commitment: str | None = None) -> str:
        """Commit to a value for a throw that all seal and reveal; only the commitment goes on record.

        Value and nonce stay in this process, for `reveal`; `opening` gives them to whoever wants to write
        them down. A cell that is run again and does the same as before seals the same again.

        Parameters
        ----------
        player : str
            Who seals.
        value : str or int, optional
            Any; one is drawn by chance where none is given. The nonce is always drawn by chance.
        commitment : str, optional
            One that the player made on another machine, in place of a value.

        Returns
        -------
        str
            The commitment.

        Raises
        ------
        IllegalAction
            Nothing is to be sealed by this player now, or both a value and a commitment are given.

        Examples
        --------
        >>> from nomic_nb.game import new_game
        >>> from nomic_nb.law.changes import repeal
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
        if commitment is not None and value is not None:
            raise IllegalAction("seal a value, or a commitment that was made elsewhere, not both")
        with self.table.lock:
            made = self._commit(player, value) if commitment is None else commitment
            before = self.state.seq
            self.do(player, "seal", commitment=made)
            self._see(before, "committed")
        return made

    def _commit(self, player: str, value: str | int | None) -> str:
        """Make a commitment and keep what opens it; the one made before, where a cell repeats itself."""
        found, kept = owed(self.state, player, "seal"), self.table.kept
        if found is None:
            return ""  # it is refused, with the reason
        was = WATCH.repeats(self.table)
        if was is not None and was.kind == "committed" and was.actor == player:
            old = kept.get(was.data["commitment"])
            if old is not None and (value is None or old.value == str(value)):
                return str(was.data["commitment"])
        opening = fresh(value)
        made = committed_to(self.state.game, found.number, player, opening)
        kept[made] = opening
        return made

    def opening(self, player: str) -> Opening | None:
        """Return what a player sealed here and has not revealed: value and nonce, for the player's eyes only.

        Whoever may lose this session before revealing, or reveals on another machine, writes both down.

        Returns
        -------
        Opening or None
            With ``value`` and ``nonce``; None where nothing is sealed, or it was sealed elsewhere.
        """
        sealed = (one for _, one in rounds(self.state) if player in one.seals and player not in one.reveals)
        found = owed(self.state, player, "reveal") or next(sealed, None)
        return None if found is None else self.table.kept.get(found.seals[player])

    def reveal(self, player: str, value: str | int | None = None, nonce: str | None = None) -> None:
        """Reveal what was sealed, once all have sealed; after the last one the throw is drawn.

        Parameters
        ----------
        player : str
            Who reveals.
        value, nonce : str, optional
            What was sealed on another machine; what was sealed here is known.

        Raises
        ------
        IllegalAction
            Not everyone has sealed, this is not what was sealed, or what was sealed is not known here.
        """
        with self.table.lock:
            kept = self.opening(player) if value is None and nonce is None else None
            if kept is not None:
                value, nonce = kept.value, kept.nonce
            elif (value is None or nonce is None) and owed(self.state, player, "reveal") is not None:
                onwards = [f'game.reveal("{player}", value, nonce)']
                raise IllegalAction(f"what {player} sealed is not known here: say value and nonce", options=onwards)
            before = self.state.seq
            self.do(player, "reveal", value="" if value is None else str(value), nonce=nonce or "")
            self._see(before, "revealed")

    def _see(self, before: int, kind: str) -> None:
        """Complain where the law does not say whether an action is allowed, and the table is asked."""
        if self.table.moments[before][0].kind != kind:
            raise IllegalAction(f"the law does not say whether this is allowed; the table is asked: {self._question}")

    def choose(
        self, player: str, option: object, decision: int | None = None, *, agreed: Sequence[str] | None = None
    ) -> None:
        """Choose what a rule offers (``"none"`` declines), or answer the question that play waits for.

        Parameters
        ----------
        player : str
            Who answers.
        option : object
            What is chosen, or the answer.
        decision : int, optional
            The question, where it is to be this one and no other.
        agreed : sequence of str, optional
            Others who are asked and say the same, so that an answer on which all agree is given once.
        """
        self.do(player, "choose", option=option, decision=decision, agreed=None if agreed is None else list(agreed))

    def ask_again(self, player: str, key: str) -> None:
        """Have the table asked anew about what it agreed on: ``win.points``, or ``rule 301``, which is left out."""
        self.do(player, "ask_again", key=key)

    def move(self, player: str, text: str, push: Sequence[str] | str | None = None) -> None:
        """Push two half-boards together and move a piece on them.

        Parameters
        ----------
        player : str
            Who moves.
        text : str
            The move, such as ``white.e2-white.e4``, with ``=Q`` behind it for a promotion, castling as the move of the
            king; as `pending` lists it, with the boards before it; or UCI on the joined board (``e2e4``), where
            the first board of `push` keeps the names of its squares.
        push : sequence of str or str, optional
            The boards that are pushed together, as a list or as ``white+yellow``; not needed where the move
            goes from one to the other, or where only one pair is open for it.

        Raises
        ------
        IllegalAction
            Refused: with the rule, and the moves that are legal instead.
        """
        boards = [one.strip() for one in push.split("+")] if isinstance(push, str) else push
        self.do(player, "move", text=text, push=None if boards is None else list(boards))

    def skip(self, player: str) -> None:
        """Pass over the rest of one's turn, where a rule allows it."""
        self.do(player, "skip")

    def say(self, player: str, text: str) -> Unheard | None:
        """Say something that rules may listen for; capitals, outer blanks and an end stop do not count.

        Returns
        -------
        Unheard or None
            What rules listen for, where none answers.
        """
        return self._answered(player, "say", text=text)

    def _answered(self, player: str, action: str, **details: Any) -> Unheard | None:
        """Do something that rules may answer; return the word back where none does."""
        with self.table.lock:
            before = self.state
            self.do(player, action, **details)
            return unheard(before, *self.table.moments[before.seq])

    def act(self, player: str, text: str) -> None:
        """Do what no rule speaks of (116); it is recorded, and changes nothing by itself."""
        self.do(player, "act", text=text)

    def report(self, player: str, who: str, deed: str) -> Unheard | None:
        """Report what someone did, by a name that rules may speak of; answered as `say` is."""
        return self._answered(player, "report", who=who, deed=deed)

    def give(self, player: str, receiver: str, amount: int, counter: str = "points") -> None:
        """Give another player something that is counted, where a rule allows it.

        Parameters
        ----------
        player : str
            Who gives; nobody gives what they have not got.
        receiver : str
            Who gets it.
        amount : int
            How much, from 1 on.
        counter : str
            What is given: points, or what another rule counts per player.
        """
        self.do(player, "give", receiver=receiver, amount=amount, counter=counter)

    def apply(self, player: str, rule: Number, effect: str) -> None:
        """Apply a rule that only people can read; recorded as that, and open to dispute.

        In one's own turn, what the rule names is done at once; out of turn, where it is not to one's own good.
        For anything more the others who are present are asked first, and one of them can say no.

        Parameters
        ----------
        player : str
            Who applies it.
        rule : int or str
            Its number.
        effect : str
            One effect of the law language: ``award -5 points to "Ben"``.
        """
        self.do(player, "apply", rule=rule, effect=effect)

    def begin_turn(self, player: str) -> None:
        """Begin a turn, where turns are begun at will."""
        self.do(player, "begin_turn")

    def end_turn(self, player: str) -> None:
        """End one's turn, where players end their turns themselves."""
        self.do(player, "end_turn")

    def invoke_judgment(self, player: str, question: str, proposal: Number | None = None) -> None:
        """Insist on a question: the law finds a Judge, or all at the table must give the same answer (`choose`).

        Parameters
        ----------
        player : str
            Who insists.
        question : str
            What it is about.
        proposal : int or str, optional
            Ask the Judge to end the debate on this one.
        """
        self.do(player, "invoke_judgment", question=question, proposal=proposal)

    def rule_on(
        self, player: str, ruling: str, reasons: str = "", rests_on: Sequence[Number] = (), orders: str = "",
        judgment: int | None = None,
    ) -> None:  # fmt: skip
        """Decide a question as its Judge.

        Parameters
        ----------
        player : str
            The Judge.
        ruling, reasons : str
            What is decided, and why.
        rests_on : sequence of int or str
            The rules that it rests on; it hangs on them in the law book.
        orders : str
            Effects of the law language, one a line, that are done once the ruling stands:
            ``void rule_numbered(305) against rule_numbered(101)``, ``award 5 points to "Ann"``, ``end play``.
        judgment : int, optional
            Which one; the first that waits for this Judge, where it is not given.
        """
        self.do(
            player, "rule_on", ruling=ruling, reasons=reasons, rests_on=list(rests_on), orders=orders, judgment=judgment
        )

    def overrule(self, player: str, ballot: str, judgment: int | None = None) -> None:
        """Vote ``for`` or ``against`` overruling the Judge."""
        self.do(player, "overrule", ballot=ballot, judgment=judgment)

    def consent(self, player: str, ballot: str = "for", judgment: int | None = None) -> None:
        """Say whether play may go on after a judgment."""
        self.do(player, "consent", ballot=ballot, judgment=judgment)

    def forfeit(self, player: str) -> None:
        """Leave the game; it is never refused while a rule allows it (113)."""
        self.do(player, "forfeit")
