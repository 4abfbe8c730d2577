"""What a rule change opens: loopholes that are there after it and were not before."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.trial_adoption import Adoption, calm_state
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.study.search.loopholes import Certificate, Loopholes, find_loopholes

#: Processor time for each search: there are two for each player at most.
SECONDS = 6.0


def sentences_on_loopholes(timeline: Timeline, adoption: Adoption | None) -> tuple[str, ...]:
    """Return sentences on what a change lets single players reach against all others; all voters see the same ones.

    Parameters
    ----------
    timeline : Timeline
        The game before the change.
    adoption : Adoption or None
        The trial adoption of the change.
    """
    if adoption is None or not adoption.in_force:
        return ("Not decided whether it opens a loophole: it did not take effect on trial.",)
    supposed = timeline.trial(0)
    supposed.moments = [*timeline.moments[:-1], (timeline.moments[-1][0], calm_state(adoption.after))]
    return tuple(_sentences(timeline, supposed))


def _sentences(before: Timeline, after: Timeline) -> Iterator[str]:
    """Yield a sentence on each player."""
    if after.state.over:
        yield "The game would be over, so nobody could use a loophole."
        return
    for name in after.state.person_names:
        now = find_loopholes(after, name, seconds=SECONDS)
        if not now.certificates:
            yield f"{name} alone against all others: {now.claim}."
            continue
        one, then = now.certificates[0], None
        if name in before.state.person_names:
            then = find_loopholes(before, name, depth=len(one.deeds), seconds=SECONDS)
        yield f"{name} could win even if all others vote against: {_line(one)}. {_earlier(name, then)}"


def _line(certificate: Certificate) -> str:
    """Return the deeds of a line in words."""
    done = {(deed.player, deed.action) for deed in certificate.deeds}
    deeds = [sentence(event) for event in certificate.events if (event.actor or "", event.do) in done]
    return ", then ".join(deeds)


def _earlier(name: str, then: Loopholes | None) -> str:
    """Return a sentence on whether a player could win before the change."""
    if then is not None and then.certificates:
        return f"{name} can already do so now."
    return "This change opens it." if then is None or not then.reasons else "It is not decided whether this is new."
