"""What players see of a game: the law book, the law, proposals and tallies, the ledger, what is pending.

Views hold no state of their own; each looks at the game it belongs to.
"""

from nomic_nb.study.views.law import LawBook, LawInForce
from nomic_nb.study.views.pending import Pending, where
from nomic_nb.study.views.proposals import Proposal, Proposals, Tally, Worth, tally_of, worth_of
from nomic_nb.study.views.remarks import Remark, Remarks, WarningSign
from nomic_nb.study.views.tables import Entry, Ledger

__all__ = [
    "Entry",
    "LawBook",
    "LawInForce",
    "Ledger",
    "Pending",
    "Proposal",
    "Proposals",
    "Remark",
    "Remarks",
    "Tally",
    "WarningSign",
    "Worth",
    "tally_of",
    "where",
    "worth_of",
]
