"""Audits of games recorded elsewhere, with the replayed game, a page, and a folder that others can run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from nomic_nb.engine.arguments import explain_all_argument_errors, explain_argument_errors
from nomic_nb.engine.record.log import replace_file
from nomic_nb.notebook.documents.page import page_html
from nomic_nb.notebook.game import Game
from nomic_nb.notebook.show import draw
from nomic_nb.study.audit.git_tables import from_git
from nomic_nb.study.audit.report import AuditReport
from nomic_nb.study.audit.tables import Source
from nomic_nb.study.frames import make_frame


class Audit(AuditReport):
    """What an audit found; `audit` makes one."""

    @property
    def game(self) -> Game:
        """The replayed game, in which the host acts for the record wherever a gap had to be bridged."""
        return Game(self.timeline)

    def to_html(self) -> str:
        """Return the report as a whole HTML page."""
        return page_html(f"Audit: {self.ruleset.title}", draw(self))

    def save(self, folder: str | Path) -> list[str]:
        """Write a folder with which others can run the audit again, and return the names of its files.

        It has the law, the tables as they were read, the report as a page, as text and as tables, the record of the
        replayed game, and ``audit.py``, which runs the audit again and prints it. In the CSV files, text that a
        spreadsheet would run has an apostrophe, which `audit` leaves out when it reads them.

        Parameters
        ----------
        folder : str or Path
            The folder; it is created if it does not exist. Files that an earlier call wrote there are replaced.

        Returns
        -------
        list of str
            Names of the files.

        Raises
        ------
        RecordError
            The files cannot be written there.
        """
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        read = self.tables_as_read
        tables = {name: make_frame(dict.fromkeys(heads, "string"), [list(row.values()) for row in rows])
                  for name, (heads, rows) in read.items()}  # fmt: skip
        tables |= {"report": self.frame, "differences": self.differences, "problems": self.problems}
        settings = {"players": self.players, "terms": self.terms, "words": self.words, "follow": self.follow}
        texts = {f"{name}.csv": frame.to_csv(index=False) for name, frame in tables.items()} | {
            "law.md": self.ruleset.text, "report.html": self.to_html(), "report.txt": f"{self}\n",
            "settings.json": json.dumps(settings | {"tables": list(read)}, indent=1, ensure_ascii=False, default=str),
            "audit.py": _SCRIPT,
        }  # fmt: skip
        for name, text in texts.items():
            replace_file(place / name, text)
        self.game.save(place / "game.jsonl")
        return sorted([*texts, "game.jsonl"])


#: What runs an audit again; everything of the record itself is in other files.
_SCRIPT = '''"""Run this audit again: python audit.py"""

import json
from pathlib import Path

import nomic_nb as nb

here = Path(__file__).parent
settings = json.loads((here / "settings.json").read_text(encoding="utf-8"))
tables = {name: here / f"{name}.csv" for name in settings.pop("tables")}
audit = nb.audit(here / "law.md", tables.pop("proposals"), tables.pop("ballots", None), **tables, **settings)
print(audit)
'''


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
        Source of the outcome after a difference: ``record`` or ``law``.

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


audit.from_git = from_git  # type: ignore[attr-defined]
