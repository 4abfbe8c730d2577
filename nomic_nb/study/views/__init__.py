"""What players see of a game: the law book, the law, proposals and tallies, the ledger, what is pending.

Views hold no state of their own; each looks at the game it belongs to.
"""

from nomic_nb.study.views.enforcement import LawBook, LawInForce
from nomic_nb.study.views.pending import PendingDecisions, describe_turn
from nomic_nb.study.views.proposals import Proposal, Proposals, ProposalScore, Tally, make_tally, proposal_score
from nomic_nb.study.views.remarks import ProposalRemarks, WarningRemark, WarningSign
from nomic_nb.study.views.tables import Ledger, LedgerEntry

__all__ = [
    "LawBook",
    "LawInForce",
    "Ledger",
    "LedgerEntry",
    "PendingDecisions",
    "Proposal",
    "ProposalRemarks",
    "ProposalScore",
    "Proposals",
    "Tally",
    "WarningRemark",
    "WarningSign",
    "describe_turn",
    "make_tally",
    "proposal_score",
]
