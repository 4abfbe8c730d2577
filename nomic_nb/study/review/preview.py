"""What voters would see of a change if somebody proposed it; nothing is proposed."""

from __future__ import annotations

from nomic_nb.engine.display import DisplayedAlike
from nomic_nb.engine.errors import IllegalAction, LawError, NotThere
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.decisions import numbers_are_assigned
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.engine.words import full_sentence, join_words
from nomic_nb.study.review.cases import number_of_change
from nomic_nb.study.review.movement import MovementChange, find_changed_movement
from nomic_nb.study.review.remarks import remarks_if_passed
from nomic_nb.study.views.redline import ProposedRule, compare_change
from nomic_nb.study.views.remarks import ProposalRemarks


@frozen
class ProposalPreview(DisplayedAlike):
    """What voters would see of a change.

    Parameters
    ----------
    proposed_rule : ProposedRule
        The change, next to the rule that it changes.
    movement : MovementChange or None
        How a kind of piece would move, if the change alters that.
    remarks : ProposalRemarks
        What to check before voting, and what the clauses would do next.
    refusal : str
        Why the player cannot propose it now; empty if they can.
    asks : str
        The question that somebody will be asked first; empty if it is proposed at once.
    """

    proposed_rule: ProposedRule
    movement: MovementChange | None
    remarks: ProposalRemarks
    refusal: str
    asks: str = ""


def preview_change(timeline: Timeline, player: str, change: Change, number: Number | None) -> ProposalPreview:
    """Return what voters would see if a player proposed a change, with this number if others assign numbers.

    Raises
    ------
    IllegalAction, LawError
        The change cannot be made, or cannot be read.
    KeyError
        There is no such rule.
    """
    state, refusal, asks = timeline.state, "", ""
    try:
        check_change(state, change)
    except LookupError as error:
        raise NotThere(error.args[0]) from None
    if number is None:
        number = number_of_change(calm_state(state), change, player)
    trial = timeline.copy_with_events(timeline.moments)
    given = {"change": change, "number": number if numbers_are_assigned(state) else None, "debate": False}
    try:
        if all(event.kind != "proposed" for event, _ in trial.do(player, "propose", given)):
            question = trial.state.questions[0]
            asks = f"{join_words(question.who)} will be asked. {question.text}"
    except (IllegalAction, LawError) as error:
        refusal = full_sentence(str(error))
    remarks = remarks_if_passed(state, player, change)
    return ProposalPreview(
        compare_change(state, change, None, player, ""),
        find_changed_movement(state, change, player, number),
        remarks,
        refusal,
        asks,
    )
