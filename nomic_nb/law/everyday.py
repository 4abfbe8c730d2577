"""Everyday words, what rules call what is meant by them, and what else somebody may mean who writes a wrong word."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

#: Everyday words, and what rules call what is meant, the likeliest first. Those that a vocabulary lacks are left out.
EVERYDAY: Mapping[str, tuple[str, ...]] = {
    word: tuple(meant.split())
    for words, meant in (
        ("everyone everybody all anyone anybody they we people users", "playing seats players"),
        ("persons humans", "seats playing"),
        ("me i my myself you your self he she him her member user", "player mover"),
        ("current_player active_player turn_player whose_turn", "mover player"),
        ("player", "voter proponent mover"), ("next", "next_player"), ("author proposer maker", "proponent author"),
        ("winner winners victor", "win.winners winners"), ("goal target_score winning_score", "win.points"),
        ("score scores", "points win.points"), ("dice die sides", "face dice.sides"),
        ("result rolled eyes pips", "face"),
        ("yes yeas ayes in_favour votes_in_favour", "votes_for"), ("no noes nays", "votes_against"),
        ("yes_voters in_favor", "supporters"), ("no_voters", "opponents"), ("voters", "vote.electorate electorate"),
        ("quota majority_needed threshold", "vote.quota quota"), ("quorum", "vote.quorum"),
        ("judges referee arbiter umpire", "judge"), ("round rounds lap", "circuit"), ("turns", "turn"),
        ("time today date day clock", "now"), ("laws", "rules"), ("law", "rule"), ("self_rule this_rule", "this"),
        ("null nil nobody nothing no_one empty", "none"), ("suggestion motion bill", "proposal"),
        ("board", "boards"), ("pieces", "royals"), ("king kings", "royals"), ("color", "colour"),
    )
    for word in words.split()
}  # fmt: skip


def meant_by(word: str, known: Iterable[str]) -> list[str]:
    """Return the names that an everyday word stands for, of those that are known.

    Examples
    --------
    >>> meant_by("Everybody", ["player", "playing"])
    ['playing']
    """
    there = set(known)
    return [one for one in EVERYDAY.get(word.lower(), ()) if one in there]


def suggestions(word: str, known: Mapping[str, str]) -> list[str]:
    """Return the words that may be meant: first those whose meaning has it, then those that are spelled like it.

    Parameters
    ----------
    word : str
        One that names nothing.
    known : mapping of str to str
        The words that can stand there, with what they mean.

    Examples
    --------
    >>> suggestions("everyone", {"playing": "everyone still in the game", "proponent": "who made the proposal"})
    ['playing']
    """
    stems = [re.escape(one.removesuffix("s")) for one in re.split(r"[._]", word) if len(one) > 3]
    said = re.compile(rf"\b({'|'.join(stems)})s?\b")
    meant = [name for name, meaning in known.items() if stems and said.search(meaning)]
    everyday = meant_by(word, known)
    return everyday or list(dict.fromkeys((*meant[:3], *difflib.get_close_matches(word, known, 3))))
