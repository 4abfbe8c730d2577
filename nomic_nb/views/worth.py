"""What a proposal is worth to its proponent, where rules score proposals (-111)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from nomic_nb.law.findings import Finding
from nomic_nb.law.rules import Number
from nomic_nb.markup.words import cited
from nomic_nb.play.table import Table
from nomic_nb.record.seals import seals


@dataclass(frozen=True)
class Worth:
    """The score of a proposal, exactly, as the law had it when the turn of the proposal ended.

    Parameters
    ----------
    share, score, half : Finding
        What the law says of the share of the votes, of the score, and of a half.
    """

    share: Finding
    score: Finding
    half: Finding

    @property
    def tie(self) -> bool:
        """Whether the score lies half-way between two whole numbers."""
        return isinstance(self.score.value, Fraction) and self.score.value.denominator == 2

    def __str__(self) -> str:
        said = [f"Share of the votes: {_said(self.share)}. "] if self.share.outcome != "silent" else []
        said.append(f"Score: {_said(self.score)}")
        if self.tie:
            half = "no rule says how it is rounded" if self.half.outcome == "silent" else f"rounded {_said(self.half)}"
            said.append(f", a tie between two whole numbers: {half}")
        return "".join([*said, "."])


def _said(finding: Finding) -> str:
    value = str(finding.value) if finding.answered else f"open, because {finding.reason or finding.outcome}"
    return f"{value}{cited(finding.rule)}"


def worth_of(table: Table, number: Number) -> Worth | None:
    """Return what a proposal is worth; None where no rule says, or where its vote has not closed.

    Parameters
    ----------
    table : Table
        The game.
    number : int or str
        Of the proposal.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo", "Dee"], seed=7)
    >>> game.begin_turn("Ann")
    >>> made = game.propose("Ann", nb.repeal(-107), number=5)
    >>> for name in game.players:
    ...     game.vote(name, "against" if name == "Dee" else "for")
    >>> print(worth_of(game.table, 5))
    Share of the votes: 3/4 (rule -111). Score: 21/2 (rule -111), a tie between two whole numbers: rounded up (rule K6).
    """
    proposal = table.state.proposals[number]
    if proposal.vote is None or proposal.open or proposal.status == "lapsed" or number in seals(table).proposals:
        return None
    ended = (one.seq for one in reversed(table.standing) if one.kind == "turn_ended" and one.turn == proposal.turn)
    seq = next(ended, None)
    state = table.state if seq is None else table.moments[seq - 1][1]
    score = state.find("proposal.score", **proposal.case)
    if score.outcome == "silent":
        return None
    return Worth(state.find("vote.share", **proposal.case), score, state.find("score.half"))
