"""Another form of a proposal that is not decided yet: what a revision makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nomic_nb.errors import LawError
from nomic_nb.law.changes import Change, in_part, revised
from nomic_nb.play.state import State
from nomic_nb.play.values import Proposal


def open_to_revision(state: State, change: Change) -> Proposal:
    """Return the proposal that a revision is about.

    Raises
    ------
    LookupError
        There is none, or it is decided.
    """
    found = state.proposals.get(change.revises) if change.revises is not None else None
    if found is None:
        raise LookupError(f"there is no proposal {change.revises}")
    if found.status not in ("debate", "open"):
        raise LookupError(f"proposal {found.number} can have no other form any more: it is {found.status}")
    return found


def form_of(state: State, change: Change) -> Change:
    """Return what a revision makes of the proposal that it is about.

    Raises
    ------
    LookupError
        There is no such proposal any more.
    LawError
        It has no text that could be another.
    """
    return revised(open_to_revision(state, change).change, change)


@contextmanager
def naming(change: Change, part: int) -> Iterator[None]:
    """Let what is refused name the part that is at fault, where several changes are made together."""
    try:
        yield
    except LawError as error:
        raise (in_part(error, part) if change.parts else error) from None
    except LookupError as error:
        raise (LookupError(f"part {part}: {error.args[0]}") if change.parts else error) from None
