"""What players seal and reveal in a game: the openings that this machine keeps for them."""

from __future__ import annotations

from collections.abc import Sequence

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.play.answers import is_answer
from nomic_nb.engine.play.commitments import Opening, fresh
from nomic_nb.engine.play.commitments import commitment as committed_to
from nomic_nb.engine.play.engine import Moment
from nomic_nb.engine.play.facts import offered
from nomic_nb.engine.play.sealing import of_player, owed, rounds, unopened
from nomic_nb.notebook.live.acts import Acts
from nomic_nb.notebook.live.cells import WATCH


class SealedActs(Acts):
    """What players seal in a game, and how they open it."""

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
        >>> from nomic_nb.notebook.begin import new_game
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
        if commitment is not None and value is not None:
            raise IllegalAction("seal a value, or a commitment that was made elsewhere, not both")

        def act() -> Sequence[Moment]:  # a commitment fits one round, so it is made as the game stands when it is kept
            made = self._commit(player, value) if commitment is None else commitment
            return self._did(player, "seal", commitment=made)

        return str(self._the("committed", self.timeline.attempt(act)).data["commitment"])

    def _commit(self, player: str, value: str | int | None) -> str:
        """Make a commitment and keep what opens it; the one made before, where a cell repeats itself."""
        found, kept = owed(self.state, player, "seal"), self.timeline.kept
        if found is None:
            return ""  # it is refused, with the reason
        was = WATCH.repeats(self.timeline)
        if was is not None and was.kind == "committed" and was.actor == player:
            old = kept.get(was.data["commitment"])
            if old is not None and (value is None or old.value == str(value)):
                return str(was.data["commitment"])
        waiting = next(one for one, round in rounds(self.state) if round is found)
        if (waiting.poll or waiting.secret) and (value is None or not is_answer(self.state, waiting, str(value))):
            options = [offered(self.state, one) for one in waiting.options]
            raise IllegalAction("what is sealed here is an answer to what is asked", rule=waiting.rule, options=options)
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
        found = unopened(self.state, player)
        return None if found is None else self.timeline.kept.get(found.seals[player])

    def openings(self, player: str) -> list[Opening]:
        """Return all that a player sealed here for later and has not opened, in the order in which it was sealed.

        Returns
        -------
        list of Opening
            For the player's eyes only; see `opening`.
        """
        kept = (self.timeline.kept.get(one.round.seals[player]) for one in of_player(self.state, player))
        return [one for one in kept if one is not None]

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

        def act() -> Sequence[Moment]:
            known = self.opening(player) if value is None and nonce is None else None
            said = Opening("" if value is None else str(value), nonce or "") if known is None else known
            if known is None and (value is None or nonce is None) and owed(self.state, player, "reveal") is not None:
                onwards = [f'game.reveal("{player}", value, nonce)']
                raise IllegalAction(f"what {player} sealed is not known here: give value and nonce", options=onwards)
            return self._did(player, "reveal", value=said.value, nonce=said.nonce)

        self._the("revealed", self.timeline.attempt(act))
