"""Signs that a change is hard to read, or that the law does not decide with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import Set
from nomic_nb.engine.words import grouped, listed
from nomic_nb.study.review.queries import nodes
from nomic_nb.study.review.renumbering import spoken
from nomic_nb.study.review.seen import Concerned, Seen, Smell
from nomic_nb.study.review.warnings.consistency import _paradox, _ties, numbers_apart, odd_quota
from nomic_nb.study.review.warnings.names import nobody, nothing, nowhere, of_nobody
from nomic_nb.study.review.warnings.no_effect import _no_difference, unwritten
from nomic_nb.study.review.warnings.secrecy import open_secrets, unkept
from nomic_nb.study.review.warnings.timing import (
    never_early,
    nothing_there,
    off_boards,
    past,
    too_early,
    too_late,
    unheard,
    untimed,
)

#: Words of a wording, and of one sentence, beyond which it is long.
LONG, LONG_SENTENCE = 200, 60
#: Words that leave open how much, when or what.
_VAGUE = re.compile(
    r"\b("
    r"adequate|and so on|appropriate|as needed|etc|fair|fairly|frequently|generally|good|many|normally|often|"
    r"probably|properly|rarely|reasonable|reasonably|several|should|some|somehow|sometimes|soon|suitable|"
    r"usually"
    r")\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n\s*\n|\n\s*(?=[-*•]|\d+[.)])")


def smells(seen: Seen) -> tuple[Smell, ...]:
    """Return the warning signs of a change."""
    looks: Mapping[str, Iterable[Callable[[Seen], Iterator[str]]]] = {
        "unclear": (_bare, _all_unclear), "ambiguous": (_ambiguous, _halves, untimed),
        "mismatch": (numbers_apart, odd_quota, nowhere, of_nobody),
        "no difference": (
            _no_difference, unwritten, unkept, nobody, nothing, off_boards, past, never_early, unheard,
            nothing_there,
        ),
        "several changes": [_several], "paradox": [_paradox], "too early": [too_early], "too late": [too_late],
        "ties": [_ties],
        "seen by all": [open_secrets],
    }  # fmt: skip
    found = (Smell(name, said) for name, some in looks.items() for one in some for said in one(seen))
    return tuple(dict.fromkeys(found))


def unread(change: Change, error: LawError) -> tuple[Smell, ...]:
    """Return the warning signs of a change whose clauses cannot be read."""
    why = f"its clauses cannot be read: {str(error).splitlines()[0]}"
    return tuple(Smell("unclear", one) for one in (why, *_unclear(change)))


def _bare(seen: Seen) -> Iterator[str]:
    for one in seen.rules:
        if one.change is not None and one.change.kind in ("enact", "amend") and one.new and not one.new.clauses:
            if one.old is not None and one.old.clauses:
                yield "it takes the clauses away, so from then on people apply the rule"
            elif one.change.wording:
                yield "it has no clauses, so people apply it"


def _all_unclear(seen: Seen) -> Iterator[str]:
    for one in seen.rules:
        yield from _unclear(one.change) if one.change is not None else ()


def _unclear(change: Change) -> Iterator[str]:
    if change.kind not in ("enact", "amend"):
        return
    wording = change.wording or ""
    words = len(wording.split())
    if words > LONG:
        yield f"its wording is long: {words} words"
    for sentence in _SENTENCE.split(wording):
        if len(sentence.split()) > LONG_SENTENCE:
            yield f"a sentence of {len(sentence.split())} words: “{' '.join(sentence.split()[:6])} …”"
    vague = dict.fromkeys(one.lower() for one in _VAGUE.findall(wording))
    if vague:
        yield f"words that leave much open: {listed([f'“{one}”' for one in vague])}"


def _several(seen: Seen) -> Iterator[str]:
    for one in seen.rules:
        yield from _several_in(one, one.change) if one.change is not None else ()


def _several_in(rule: Concerned, change: Change) -> Iterator[str]:
    keys = dict.fromkeys(one.key for one in rule.clauses if isinstance(one, Set))
    subjects = grouped((key.partition(".")[0], key) for key in keys)
    if len(subjects) > 1:
        yield f"its clauses are about {len(subjects)} subjects: {listed([', '.join(one) for one in subjects.values()])}"
    own = {change.target, rule.new.number if rule.new else None}
    named = [
        tuple(dict.fromkeys(str(number) for number, _ in spoken(sentence) if number not in own))
        for sentence in _SENTENCE.split(change.wording or "")
    ]
    apart = list(dict.fromkeys(one for one in named if one))
    if len(apart) > 1:
        yield "its sentences speak of different rules: " + "; ".join(listed(one) for one in apart)


def _ambiguous(seen: Seen) -> Iterator[str]:
    silent = {f"no rule says what {one.key} is" for one in seen.turned if one.new.outcome == "silent"}
    reasons = set()
    for one in seen.turned:
        new = one.new
        if new.outcome == "torn" and one.old.outcome != "torn":
            said = "; ".join(f"rule {source.rule.number}: {source.clause.words}" for source in new.sources)
            yield f"the law is torn about {one.where} ({said})"
        elif new.outcome == "undecided" and one.old.outcome != "undecided" and (one.key, new.reason) not in reasons:
            reasons.add((one.key, new.reason))
            if "depends on itself" not in new.reason and not any(why in new.reason for why in silent):
                yield f"the law does not decide {one.where}: {new.reason}"


def _halves(seen: Seen) -> Iterator[str]:
    """Say that clauses round, and no rule says what becomes of a half."""
    if not seen.law.silent_on("score.half"):
        return
    for clause in seen.fresh:
        if any(node.kind == "call" and node.text == "rounded" for node in nodes(clause)):
            yield f'no rule says how “{clause.words}” rounds a half: write set score.half to "up", "down" or "even"'
