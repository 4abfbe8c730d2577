"""Warnings that what is hidden is seen by all: a sealed ballot, and what goes into a hidden table."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.engine.law.clauses import Clause, Effect, SetClause, TriggerClause
from nomic_nb.engine.law.nodes import Expression, Node
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.vote_rules import BALLOT_FIELDS
from nomic_nb.study.review.cases import (
    can_be_set_to,
    clauses_in_force,
    effects_in_slots,
    table_changed_by,
)
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.warnings.registry import Messages, check

#: Events on which rules look at a vote that is over, or at what came of it; all others can happen while one is open.
CLOSING_EVENTS = frozenset({"vote_ending", "vote_closed", "adopted", "defeated", "enacted", "amended", "repealed",
                         "transmuted", "won", "game_started"})  # fmt: skip
#: What tells how somebody has voted; who has not voted yet, or how many have, everyone may know.
TELLING_FIELDS = BALLOT_FIELDS - {"not_voted", "votes_cast"}
#: What a proposal is while its vote is open.
OPEN_STATUS_NAMES = frozenset({"open", "ending"})
#: What is looked at once no more ballots can be cast.
LATE_KEYS = frozenset(
    {"vote.quota", "vote.quorum", "vote.adopted", "dissent.points", "defeat.points", "change.effective"}
)
#: Effects that name what is then told to all: an answer, or a throw.
REVEALING_EVENTS = {"let": "chosen", "chance": "drawn", "roll": "thrown"}


@check("open-ballots", "no-difference", cost="law")
def warn_of_visible_ballots(run: DryRun) -> Messages:
    r"""Warn that after the change, a clause reveals sealed ballots to everyone.

    Read ballots only after the vote has closed.

    Example: nb.enact("S.", 'set vote.ballots to "sealed"\non balloted when ballot == "for": award 1 points to player')
    """
    if not can_be_set_to(run.law, "vote.ballots", "sealed"):
        return
    for clause in clauses_in_force(run.law) if run.has_new_clause_on("vote.ballots") else run.new_clauses:
        if isinstance(clause, TriggerClause) and clause.event == "balloted" and "ballot" in clause.names:
            yield say(
                "ballot-told", "ballots are sealed, but “{clause}” gives each one away as soon as it is cast",
                clause=clause
            )  # fmt: skip
        elif _reads_ballots_early(clause):
            yield say(
                "ballots-looked-at",
                "ballots are sealed, but “{clause}” reads them while the vote is open, and gives them away",
                clause=clause,
            )


def _reads_ballots_early(clause: Clause) -> bool:
    """Return True if a clause reads the ballots of a vote before its result is known."""
    if isinstance(clause, TriggerClause) and clause.event in CLOSING_EVENTS:
        return False
    if isinstance(clause, SetClause) and clause.key in LATE_KEYS:
        return False
    used = {word.rpartition(".")[2] for expression in clause.expressions for word in expression.words}
    of_proposals = {"who", "most"} & used and {"proposal", "proposals"} & clause.names
    return bool(used & TELLING_FIELDS or of_proposals) and not _reads_closed_only(clause)


def _reads_closed_only(clause: Clause) -> bool:
    """Return True if a clause looks only at proposals whose status says that their vote is not open."""
    asked = [node for node in clause.walk() if any(part.text == "status" for part, _ in node.pairs_of_sides)]
    negated = (node for node in clause.walk() if node.connective == "not")
    turned = any(part.text == "status" for node in negated for part in node.walk())
    return bool(asked) and not turned and all(map(_excludes_open_votes, asked))


def _excludes_open_votes(compared: Node) -> bool:
    """Return True if a comparison of a proposal's status leaves out proposals whose vote is open."""
    texts = {*compared.constants()}
    return bool(texts) and (not texts & OPEN_STATUS_NAMES if compared.comparison in ("==", "in") else "open" in texts)


@check("seen-by-all", cost="read")
def warn_of_visible_hidden_values(run: DryRun) -> Messages:
    r"""Warn that the proposed rule puts values into a hidden table that everyone can read in the history.

    Let players seal the value (`let … seal`), or choose from values that everyone knows.

    Example: nb.enact("H.", "track h per player from 0 hidden\non turn_begun: roll 1 of 6 as x; award x h to player")
    """
    for clause in run.new_clauses_of_type(TriggerClause):
        for effect in clause.all_effects("let"):
            for node in effect.options.walk() if isinstance(effect.options, Expression) else ():
                if run.law.is_table_hidden(node.table):
                    yield say(
                        "options-seen",
                        "{table} is hidden, but the options for {name} come from it: everyone sees them",
                        table=node.table, name=effect.name
                    )  # fmt: skip
        for name, told, table in _revealed_hidden_values(run.law, clause.effects, {}, frozenset()):
            message = say(
                "value-told",
                "{table} is hidden, but the value {told} as {name} is not: everyone sees it in the history",
                table=table, told=told, name=name
            )  # fmt: skip
            yield message.embed_in("{message} once everyone has answered") if told == "answered" else message


def _revealed_hidden_values(
    law: Law, effects: tuple[Effect, ...], known: dict[str, tuple[str, str]], behind: frozenset[str]
) -> Iterator[tuple[str, str, str]]:
    """Yield values put in hidden tables though revealed: name, how revealed, table; `known` has the revealed names.

    `known` are the names of what is told, and of what is picked from it; `behind` are those of them on which it hangs
    whether these effects are done.
    """
    known = dict(known)
    for effect in effects:
        read = {name for expression in effect.expressions for name in expression.names if name in known}
        if effect.form.name in REVEALING_EVENTS:
            told = "answered" if getattr(effect, "secret", None) else REVEALING_EVENTS[effect.form.name]
            known[effect.name] = (effect.name, told)
        elif (table := table_changed_by(effect)) and law.is_table_hidden(table) and "revealed" not in effect.form.makes:
            yield from dict.fromkeys((*known[name], table) for name in sorted(read | behind))
        inner = known
        if effect.form.name == "each" and read:
            inner = {**known, effect.name: known[min(read)]}
        for each in effects_in_slots(effect):
            yield from _revealed_hidden_values(law, each, inner, behind | read)
