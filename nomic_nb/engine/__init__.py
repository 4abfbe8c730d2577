"""The engine: law, play, rule sets and records, with no boards and no notebook.

Everything that a program needs for a game is here; each name is loaded when it is first used.

>>> from nomic_nb import engine
>>> game = engine.begin("discordian-nomic", ["Ann", "Ben"], seed=7)
>>> change = engine.enact("A six brings a point more.", "on thrown when face == 6: award 1 points to player")
>>> _ = game.do("Ann", "propose", {"change": change})
>>> [str(one) for one in engine.decisions(game.state)]
['Ann: vote on 301 (for, against)', 'Ben: vote on 301 (for, against)']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_nb.engine.arguments import lazy_names

if TYPE_CHECKING:
    from nomic_nb.engine.errors import IllegalAction, LawError, RecordError
    from nomic_nb.engine.games import begin
    from nomic_nb.engine.law.changes import Change, amend, enact, rename, repeal, reword, together, transmute
    from nomic_nb.engine.law.findings import Finding
    from nomic_nb.engine.play.decisions import decisions
    from nomic_nb.engine.play.events import Event
    from nomic_nb.engine.play.state import State
    from nomic_nb.engine.play.timeline import Timeline, step
    from nomic_nb.engine.play.values import Decision
    from nomic_nb.engine.record.event_sentences import sentence
    from nomic_nb.engine.record.log import fingerprint, load, save

__all__ = [
    "Change",
    "Decision",
    "Event",
    "Finding",
    "IllegalAction",
    "LawError",
    "RecordError",
    "State",
    "Timeline",
    "amend",
    "begin",
    "decisions",
    "enact",
    "fingerprint",
    "load",
    "rename",
    "repeal",
    "reword",
    "save",
    "sentence",
    "step",
    "together",
    "transmute",
]

__getattr__ = lazy_names(
    __name__,
    {
        "games": "begin",
        "errors": "IllegalAction LawError RecordError",
        "law.changes": "Change amend enact rename repeal reword together transmute",
        "law.findings": "Finding",
        "play.values": "Decision",
        "play.decisions": "decisions",
        "play.events": "Event",
        "play.state": "State",
        "play.timeline": "Timeline step",
        "record.log": "fingerprint load save",
        "record.event_sentences": "sentence",
    },
)


def __dir__() -> list[str]:
    return sorted(__all__)
