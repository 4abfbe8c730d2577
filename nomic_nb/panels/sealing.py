"""Sealing and revealing, as forms."""

from __future__ import annotations

import ipywidgets as w

from nomic_nb.panels import fields
from nomic_nb.panels.form import Form
from nomic_nb.play.decisions import Decision


class Seal(Form):
    """A value to be sealed: of one's own, by chance, or sealed on another machine."""

    def build(self) -> list[w.Widget]:
        """Return a field for a value, one for a commitment made elsewhere, and a button."""
        self.value = w.Password(
            description="Value", placeholder="any; empty for one by chance", tooltip="what is sealed, any text",
            style=fields.DESCRIBED, layout=w.Layout(width="99%"), continuous_update=False,
        )  # fmt: skip
        self.ready = fields.line("Commitment", "only where it was sealed on another machine")
        return [self.value, self.ready, self.answer("Seal", "seals this", self.submit, "primary")]

    def submit(self) -> None:
        """Seal it."""
        self.desk.game.seal(self.player, self.value.value or None, commitment=self.ready.value.strip() or None)


class Reveal(Form):
    """What was sealed, to be revealed: known here, or told."""

    def build(self) -> list[w.Widget]:
        """Return fields for what was sealed elsewhere, and a button."""
        self.value = fields.line("Value", "what was sealed")
        self.nonce = fields.line("Nonce", "the 64 digits that were drawn with it")
        return [self.value, self.nonce, self.answer("Reveal", "reveals what was sealed", self.submit, "primary")]

    def look(self, decision: Decision) -> None:
        """Ask for value and nonce only where they are not known here."""
        super().look(decision)
        told = self.desk.game.opening(self.player) is None
        fields.show(self.value, told)
        fields.show(self.nonce, told)

    def submit(self) -> None:
        """Reveal it."""
        told = self.value.value.strip(), self.nonce.value.strip()
        self.desk.game.reveal(self.player, *(one or None for one in told))
