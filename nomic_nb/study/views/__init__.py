"""Views of a game for players: the law book, the law, proposals and tallies, the ledger, and open decisions.

Views do not hold any state themselves; each reads the game it belongs to.
"""

from nomic_nb.study.views.enforcement import LawBook, LawInForce
from nomic_nb.study.views.pending import PendingDecisions, describe_turn, part_of_turn
from nomic_nb.study.views.proposals import (
    Proposal,
    Proposals,
    ProposalScore,
    Tally,
    VotedProposal,
    make_tally,
    proposal_score,
)
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
    "VotedProposal",
    "WarningRemark",
    "WarningSign",
    "describe_turn",
    "make_tally",
    "part_of_turn",
    "proposal_score",
]
