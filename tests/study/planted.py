"""Good laws, and the same with a slip planted in them by lot: what voters are told of each is compared."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache

from corpus.corpus import HERE, corpus
from play_helpers import sit

import nomic_nb as nb
from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.study.library.phrase_book import phrase_book
from nomic_nb.study.library.ready_made import Catalogue
from nomic_nb.study.review.remarks import remarks_if_passed

#: Sentences with clauses, of which the slips are made too; {a} and {b} are numbers, {f} a face, {e} an event.
FRAMES = (
    ("{When} {they} {gain} {a} points.", "on {event}: award {a} points to {who}"),
    ("{When} {they} {lose} {a} points.", "on {event}: award -{a} points to {who}"),
    (
        "{When} {they} {gain} {a} points. Whoever rolls a {f} loses {b} points.",
        "on {event}: award {a} points to {who}\non thrown when face == {f}: award -{b} points to player",
    ),
    (
        "A roll of {f} or more earns {a} extra points.",
        "on thrown when face >= {f}: award {a} points to player",
    ),
    (
        "A roll of less than {f} costs {a} points.",
        "on thrown when face < {f}: award -{a} points to player",
    ),
    (
        "A player with more than {c} points loses {a} points at the end of each round.",
        "on circuit_ended: each p in playing when p.points > {c}: award -{a} points to p",
    ),
    (
        "As soon as this rule is enacted, everyone gets {a} points.",
        "on enacted when rule == this: award {a} points to playing",
    ),
    (
        "A player may pay {a} coins for {b} points.",
        (
            'track coins per player from 20\noffer "buy" when player.coins >= {a}: award -{a} coins to player; '
            "award {b} points to player"
        ),
    ),
    (
        "A proposal passes with {q} votes.",
        "set vote.quota to {q}\nprevails over everything on vote.quota",
    ),
    (
        "If at least {q} players vote against a proposal that fails, its author loses {a} points.",
        "on defeated when votes_against >= {q}: award -{a} points to proponent",
    ),
)  # fmt: skip
#: When something happens, who gets it, and the event and the player that say it.
MOMENTS = (
    ("When a proposal passes, its proposer", "adopted", "proponent"),
    ("If a proposal fails, its author", "defeated", "proponent"),
    ("At the start of their turn a player", "turn_begun", "player"),
    ("When their turn ends a player", "turn_ended", "player"),
    ("Whoever rolls the die", "thrown", "player"),
    ("At the end of each round everyone", "circuit_ended", "playing"),
    ("A player who proposes a change", "proposed", "player"),
)
Law = tuple[str, str]


def framed_laws(seed: int, count: int) -> Iterator[Law]:
    """Yield laws made of the frames by lot."""
    lot = random.Random(seed)
    for _ in range(count):
        said, law = lot.choice(FRAMES)
        moment, event, who = lot.choice(MOMENTS)
        numbers = dict(zip("abc", lot.sample(range(2, 40), 3), strict=True))
        numbers |= {"f": lot.randint(2, 5), "q": 2, "event": event, "who": who}
        said = said.replace("{When} {they}", moment)
        said = said.replace("{gain}", lot.choice(["gets", "gains", "earns", "receives"]))
        said = said.replace("{lose}", lot.choice(["loses", "pays"]))
        yield said.format_map(numbers), law.format_map(numbers)


@cache
def library_laws() -> tuple[Law, ...]:
    """Return the ready-made rules and the phrases that a game without boards can have."""
    entries = [(one.rule.wording, one.rule.law) for one in Catalogue() if not (one.on_boards or one.rule.amends)]
    return (*entries, *(phrase.fill_in() for phrase in phrase_book() if not phrase.system))


#: What only clauses about boards say.
ON_BOARDS = re.compile(r"\b(?:pieces?|army|armies|boards?|captured|moved|squares?|(?:move|capture|castling)\.)")


@cache
def corpus_laws() -> tuple[Law, ...]:
    """Return the rules of real players that the game obeys, each with its sentence."""
    said = {}
    for path in sorted(HERE.glob("rules_*.md")):
        for section in re.split(r"^## ", path.read_text("utf-8"), flags=re.M)[1:]:
            if found := re.match(r"\d+\. (\S+)\n\n\*[^\n]*\*\n\n(.*?)\n\n", section, re.S):
                said[found[1]] = found[2].replace("\n", " ")
    obeyed = [one for one in corpus().values() if one.answer == "Obeyed" and one.clauses.strip()]
    # The game in which they are tried has no boards.
    return tuple(
        (said[one.id], one.clauses.strip()) for one in obeyed if one.id in said and not ON_BOARDS.search(one.clauses)
    )


# ------------------------------------------------------------------------------------------------------ slips


def _replace(pattern: str, made: str | Callable[[re.Match[str]], str]) -> Callable[[str, random.Random], str]:
    """Return a slip: one match of a pattern in the clauses, chosen by lot, becomes something else."""

    def slip(law: str, lot: random.Random) -> str:
        found = [*re.finditer(pattern, law)]
        if not found:
            return law
        one = lot.choice(found)
        return law[: one.start()] + (made(one) if callable(made) else one.expand(made)) + law[one.end() :]

    return slip


_OTHER_EVENT = {
    "adopted": "defeated", "defeated": "adopted", "turn_begun": "turn_ended", "turn_ended": "turn_begun",
    "thrown": "turn_begun", "circuit_ended": "turn_ended",
}  # fmt: skip
_OTHER_PLAYER = {"player": "next_player", "proponent": "playing", "playing": "mover"}


def _other_event(found: re.Match[str]) -> str:
    return f"on {_OTHER_EVENT[found[1]]}{found[2]}"


def _without_a_line(law: str, lot: random.Random) -> str:
    lines = [at for at, line in enumerate(law.split("\n")) if re.match("on .*(award|pay) ", line)]
    if len(lines) < 2:
        return law
    gone = lot.choice(lines)
    return "\n".join(line for at, line in enumerate(law.split("\n")) if at != gone)


def _not_at_once(law: str, _: random.Random) -> str:
    return law.replace("on enacted when rule == this:", "on repealed when rule == this:")


def _twice(law: str, lot: random.Random) -> str:
    lines = [line for line in law.split("\n") if re.match(r"on \w+( when [^:]*)?: (award|pay) ", line)]
    if not lines:
        return law
    line = lot.choice(lines)
    return f"{law}\n{line.replace('on adopted:', 'on vote_closed:')}"


def _never(law: str, _: random.Random) -> str:
    for event, condition in (
        ("thrown", "face > 6"), ("adopted", "votes_against > 3"), ("defeated", "votes_for > 5"),
        ("circuit_ended", "circuit < 1"), ("turn_begun", "turn < 1"), ("turn_ended", "turn < 1"),
        ("proposed", 'change.kind == "new"'), ("counted", 'counter == "pionts"'),
    ):  # fmt: skip
        if re.search(rf"^on {event}( when [^:]*)?:", law, re.M):
            return re.sub(
                rf"^on {event}(?: when ([^:]*))?:",
                lambda found, event=event, condition=condition: (
                    f"on {event} when {f'({found[1]}) and ' if found[1] else ''}{condition}:"
                ),
                law, count=1, flags=re.M,
            )  # fmt: skip
    return law


#: Kinds of slips: each makes other clauses of good ones, or the same if they have nothing that could slip so.
SLIPS: dict[str, Callable[[str, random.Random], str]] = {
    "wrong sign": _replace(r"award (-?)(\d+) ", lambda found: f"award {'' if found[1] else '-'}{found[2]} "),
    "wrong event": _replace(rf"on ({'|'.join(_OTHER_EVENT)})(: award)", _other_event),
    "nobody": _replace(r" to (player|proponent|playing)\b", ' to "Zoe"'),
    "one player": _replace(r" to (player|proponent|playing)\b", ' to "Ben"'),
    "never true": _never,
    "not at once": _not_at_once,
    "twice": _twice,
    "wrong player": _replace(r" (points|coins) to (player|proponent|playing)\b",
                             lambda found: f" {found[1]} to {_OTHER_PLAYER[found[2]]}"),
    "off by one": _replace(r"award (-?)(\d+) (points|coins)",
                           lambda found: f"award {found[1]}{int(found[2]) + 1} {found[3]}"),
    "beside the limit": _replace(r"(>=|<=|>|<) ([2-9]|\d\d+)\b",
                                 lambda found: f"{ {'>=': '>', '<=': '<', '>': '>=', '<': '<='}[found[1]]} {found[2]}"),
    "overridden": _replace(r"\nprevails over everything[^\n]*", ""),
    "half without clause": _without_a_line,
    "free of charge": _replace(r"award -\d+ coins to player; ", ""),
    "no answer": _replace(
        r"on (adopted|defeated): award (-?\d+) ",
        lambda found: f"on {found[1]}: award {found[2]} / votes_{'against' if found[1] == 'adopted' else 'for'} ",
    ),
    "halves the score": _replace(r"^set counter\.value to .*? while ", "set counter.value to otherwise / 2 while "),
}  # fmt: skip


def slipped_laws(laws: tuple[Law, ...], seed: int) -> Iterator[tuple[str, Law, Law]]:
    """Yield for each law and each kind of slip that it can have: the kind, the law, and the law with the slip."""
    lot = random.Random(seed)
    for wording, law in laws:
        for kind, slip in SLIPS.items():
            made = slip(law, lot)
            if made != law:
                yield kind, (wording, law), (wording, made)


# ------------------------------------------------------------------------------------------- what voters are told


@cache
def _game():
    game = sit(terms={"win.points": 10**6})
    game.host.time("2026-11-01 10:00")
    return game


def told(law: Law) -> frozenset[tuple[str, str]] | None:
    """Return the warnings that voters are shown of a new rule, by code and kind of evidence; None if it is refused."""
    try:
        remarks = remarks_if_passed(_game().state, "Ann", nb.enact(*law))
    except (IllegalAction, LawError, LookupError):
        return None
    return frozenset((sign.code, sign.evidence.code) for one in remarks.every for sign in one.signs)
