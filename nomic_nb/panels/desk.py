"""Where the forms of a panel act: one game, one place for what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nomic_nb.live.base import BaseGame
from nomic_nb.live.hands import by_hand
from nomic_nb.markup.words import full_sentence
from nomic_nb.panels import fields, said
from nomic_nb.panels.live import SESSION
from nomic_nb.play.listening import Unheard


class Desk:
    """Does what a form asks for, under the game's lock, and says what became of it.

    Exceptions that leave a widget's callback are lost; so none does.

    Parameters
    ----------
    game : BaseGame
        The game that is played.
    seat : str or None
        Whose panel it is; None where all sit before the same one.
    """

    def __init__(self, game: BaseGame, seat: str | None) -> None:
        self.game, self.seat = game, seat
        self.status = fields.says()
        #: Whether something is being done here just now.
        self.busy = False
        #: Looks at the game again; the panel says how.
        self.draw: Callable[[], None] = lambda: None

    def act(self, work: Callable[[], object]) -> bool:
        """Do something in the game; tell whether it was done.

        Parameters
        ----------
        work : callable
            What raises is shown, and nothing is lost from the fields.
        """
        with self.game.table.lock:
            before, outer = self.game.state.seq, getattr(SESSION.clicks, "under_way", False)
            SESSION.clicks.under_way = self.busy = True
            try:
                with by_hand("panel"):
                    word = work()
            except Exception as error:  # noqa: BLE001 - it would vanish in the callback
                self.status.value = said.refused(error, self.game)
                return False
            finally:
                SESSION.clicks.under_way, self.busy = outer, False
                self.draw()
            self.tell(before, f". {word}" if isinstance(word, Unheard) else "")
            return True

    def tell(self, before: int, word: str = "") -> None:
        """Say what has happened since an event, with the word back to what was said."""
        count = self.game.state.seq - before
        if count:
            new = self.game.latest(count, since=before) if count > 0 else ["the game was taken back"]
            text = "; ".join(new[:1] + (["…"] if len(new) > 4 else []) + new[1:][-3:]) + word
            fields.put(self.status, said.status(full_sentence(text)) if text else "")

    def does(self, work: Callable[[], object]) -> Callable[[Any], None]:
        """Return a callback that does something in the game."""

        def called(_: Any) -> None:
            self.act(work)

        return called

    def looks(self, work: Callable[[], object]) -> Callable[[Any], None]:
        """Return a callback that changes nothing in the game, such as filling a field."""

        def called(_: Any) -> None:
            with self.game.table.lock:
                try:
                    work()
                except Exception as error:  # noqa: BLE001 - it would vanish in the callback
                    self.status.value = said.refused(error, self.game)

        return called
