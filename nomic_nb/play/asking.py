"""Asking the law on trial: whatever it fails to decide comes back as a finding, and stops nothing."""

from __future__ import annotations

from nomic_nb.law.findings import Finding
from nomic_nb.law.resolver import Law
from nomic_nb.law.values import Env, Value
from nomic_nb.law.view import Undecided
from nomic_nb.play.permission import forbidden, permission
from nomic_nb.play.state import State

__all__ = ["ask", "forbidden", "may"]


def ask(state: State, key: str, case: Env | None = None, law: Law | None = None) -> Finding:
    """Return what the law holds of a key.

    Parameters
    ----------
    state : State
        In which it is asked.
    key : str
        The term.
    case : mapping of str to Value, optional
        The names that are bound.
    law : Law, optional
        The law that is asked; the one in force, where it is not given.
    """
    try:
        return (law or state.law).find(key, state, case or {})
    except Undecided as doubt:
        return Finding(key, None, "undecided", reason=doubt.reason)


def may(state: State, action: str, player: str, **case: Value) -> Finding:
    """Return what the law says of an action of a player."""
    try:
        return permission(state, action, player, **case)
    except Undecided as doubt:
        return Finding(f"may.{action}", None, "undecided", reason=doubt.reason)
