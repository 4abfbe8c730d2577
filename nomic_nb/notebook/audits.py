"""Audits of games recorded elsewhere, with the replayed game, a page, and a folder that others can run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from nomic_nb.engine.arguments import explain_all_argument_errors, explain_argument_errors
from nomic_nb.notebook.documents.page import page_html
from nomic_nb.notebook.game import Game
from nomic_nb.notebook.show import draw
from nomic_nb.study.audit.report import AuditReport
from nomic_nb.study.audit.tables import Source


class Audit(AuditReport):
    """What an audit found; `audit` makes one."""

    @property
    def game(self) -> Game:
        """The replayed game, in which the host acts for the record wherever a gap had to be bridged."""
        return Game(self.timeline)

    def to_html(self) -> str:
        """Return the report as a page of its own."""
        return page_html(f"Audit: {self.ruleset.title}", draw(self))


explain_all_argument_errors(Audit)


@explain_argument_errors
def audit(
    law: str | Path,
    proposals: Source,
    ballots: Source | None = None,
    *,
    players: Sequence[str],
    facts: Source | None = None,
    scores: Source | None = None,
    terms: Mapping[str, object] | None = None,
    words: Mapping[str, str] | None = None,
    follow: str = "record",
) -> Audit:
    """Replay a game that was recorded elsewhere under its law, and report where the two differ.

    Each table is a CSV or Markdown file, the text of one, or a data frame. The tables are checked first; then the game
    is played in order of time. Nothing is guessed: what the tables lack is bridged in marked ways.

    Parameters
    ----------
    law : str or Path
        Name of a rule set of the kit, the path of a rule file, or the text of one.
    proposals : str, Path or DataFrame
        Columns ``number`` and ``proponent``; optionally ``kind`` (enact, amend, repeal, transmute; default enact),
        ``target``, ``title``, ``wording``, ``law`` (clauses; without any, an amendment keeps the old ones, and with
        ``none`` it removes them), ``opened``, ``closed``, ``outcome``, ``votes`` (``4/5``
        is 4 of 5, ``4-1`` is 4 for and 1 against), ``for``, ``against``, ``abstain``, ``rule_number``, ``link``.
    ballots : str, Path or DataFrame, optional
        Columns ``proposal``, ``voter`` and ``ballot``; optionally ``at`` and ``weight``. Without times, ballots are
        cast in the order of the rows.
    players : sequence of str
        Names of the players at the beginning, in seating order.
    facts : str, Path or DataFrame, optional
        Columns ``when`` (before, during or after the vote), ``proposal`` and ``what``: ``say Ann: …``,
        ``report Ann: …``, ``join Ann``, ``leave Ann``, ``away Ann``, ``back Ann``, ``set points of Ann: 5``,
        ``throw 5``.
    scores : str, Path or DataFrame, optional
        Columns ``after`` (a proposal), ``player``, ``counter`` (default points) and ``value``; or ``after`` and a
        column for each player.
    terms : mapping of str to object, optional
        Settings agreed before play, as in `new_game`.
    words : mapping of str to str, optional
        What words for ballots and outcomes mean: ``{"fine by me": "for", "tabled": "failed"}``.
    follow : str
        What play goes on from after a difference: ``record`` or ``law``.

    Returns
    -------
    Audit
        The report. It has ``frame``, ``differences``, ``problems``, ``summary()``, ``why(number)``, ``readings(…)`` and
        the replayed ``game``.

    Raises
    ------
    LawError
        There is no such rule set.
    ValueError
        A table is too large or lacks a column, or a name or setting cannot be used.

    Examples
    --------
    >>> proposals = '''number,proponent,wording,outcome
    ... 301,Ann,Everyone says hello.,adopted'''
    >>> ballots = '''proposal,voter,ballot
    ... 301,Ann,yes
    ... 301,Ben,no'''
    >>> print(audit("discordian-nomic", proposals, ballots, players=["Ann", "Ben"]))
    Discordian Nomic: 0 of 1 outcomes alike; 1 difference, 0 problems in the tables.
    301, outcome: the record says adopted, the law failed – Proposal 301 does not pass, 1–1 (2 needed). (rule 203)
    """
    tables = {"proposals": proposals, "ballots": ballots, "facts": facts, "scores": scores}
    return Audit(law, tables, players, terms=terms or {}, words=words or {}, follow=follow)
