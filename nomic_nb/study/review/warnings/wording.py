"""Warnings that clauses and wording part: another sign, player, event or number, or words that no clause has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import pairwise

from nomic_nb.engine.law.clauses import Clause, Effect, OfferClause, SetClause, TrackClause, TriggerClause
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.engine.law.nodes import Expression, Node
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.words import counter_named, number_text
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.warnings.consistency import constant_number, numbers_in_clauses, numbers_in_wording
from nomic_nb.study.review.warnings.registry import Messages, check

_GAIN = (
    r"gets?|gains?|earns?|receives?|scores?|collects?|wins?|awarded|rewarded|given|gives?|credited|bonus|reward|worth|"
    r"brings?|adds?|takes?|draws?"
)
_LOSS = (
    r"loses?|losing|lost|pays?|paying|paid|fined?|penalty|deducted|costs?|forfeits?|minus|subtracted|charged|spends?|"
    r"spending|down|fewer|less|price|tax(?:ed)?|damage|drops?|burns?|fee"
)
#: What may stand between “pays” and a number that is lost; any other word there is the one who is paid.
_PAID_SO = frozenset({"a", "an", "another", "back", "exactly", "just", "only", "the", "to", "up"})
_TOKEN = re.compile(r"[^\W\d_]+|\d+(?:[.,/]\d+)*")
#: Verbs of trades: what is got for something, or given for something. What stands behind “for” is the other side.
_BUYS = re.compile(r"\b(?:buys?|bought|rents?|rented)\b", re.IGNORECASE)
_SELLS = re.compile(r"\b(?:sells?|sold|exchanged?|swaps?|trades?|pays?(?= (?:\w+ ){1,3}for \w+))\b", re.IGNORECASE)
#: Players from whom something is taken, who lose it.
_OTHERS = frozenset({"another", "anybody", "anyone", "everybody", "everyone", "others", "somebody", "someone"})
#: Words near a number that make a gain or a loss of it, and how near they must be.
_BEFORE, _AFTER = 9, 5
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+")
#: Everybody, as the subject of a gain or a loss.
_ALL_GAIN = re.compile(
    rf"\b(?:every ?(?:one|body)(?: else)?|(?:each|every)(?: other)? player|all(?: the)?(?: other)? players)"
    rf"\s+(?:also\s+|then\s+|thus\s+)?(?:{_GAIN}|loses?|pays?)\b",
    re.IGNORECASE,
)
_OF_THEIR_OWN = re.compile(r"\b(?:who|whose|when (?:their|it is)|they|that has|if|own|per|for each)\b", re.IGNORECASE)
_ALL = (
    r"all(?: the)?(?: other)? (?:players|of|who|voters|persons|people|points|scores)|every|each|any|"
    r"all(?= (?:get|gain|receive|lose|pay))|nobody|others?|both|whole|we|us|people|table|class|together|the players|"
    rf"players (?:{_GAIN}|lose|pay|start|begin|have)|remain|(?:those|players?|is|are) left|that player|survivors?"
)
#: Players that a clause names, with the words of which a wording that means them has one.
_WORDS_OF_PLAYERS: Mapping[str, str] = {
    "next_player": (
        r"next|two players|both|left|right[- ]hand|right of|follow|neighbou?r|after|opponent|others?\b|clockwise|order"
    ),
    "playing": _ALL,
    "seats": _ALL,
    "proponent": r"propos|gets a rule|author|maker|suggest|own|their|wr[io]t|whose|made|mover|introduc|adopted|passes",
    "supporters": r"favou?r|support|yes|vot|agree|back",
    "opponents": r"against|oppos|no|vot|dissent",
}
#: What says that a rule is about a certain player, whose name only the clauses have.
_NAMED = re.compile(r"\bnamed player|\b(?:given|certain) (?:name|player)|\bone (?:certain )?player\b", re.IGNORECASE)
#: Events, with the words of which a wording that means them has one.
_WORDS_OF_EVENTS: Mapping[str, str] = {
    "adopted": r"pass|adopt|accept|succe|carri|approv|becom|enact|new rule|favou?r|in force|take effect|vote",
    "defeated": r"fail|defeat|reject|lost|vot\w+ down|not (?:pass|adopt)|turned down|lose",
    "enacted": r"new rule|enact|made|mak|creat|adopt|pass|becom|in force|rule|immediate|at once|now|begin|start",
    "repealed": r"repeal|remov|abolish|delet|scrap|struck|gone|end|no longer",
    "amended": r"amend|chang|edit|alter|rewrit",
    "thrown": r"roll|throw|thrown|die|dice|doubles",
    "turn_begun": (
        r"(?:begin|start)\w*(?: \w+){0,4} turns?|turns?(?: \w+){0,2} (?:begin|start|come)|(?:each|every) (?:\w+ )?turn|"
        r"(?:th|nd|rd|st) turn|has (?:the|a|another) turn"
    ),
    "turn_ended": (
        r"end\w*(?: \w+){0,4} turns?|turns?(?: \w+){0,3} (?:end|over|finish)|after(?: \w+){0,3} turns?|"
        r"(?:each|every) (?:\w+ )?turn|turns"
    ),
    "circuit_ended": r"rounds?\b|circuit|lap|everyone has had",
    "balloted": r"vot|ballot",
    "vote_closed": r"vot|ballot|pass|fail|adopt|propos|unanim|count",
    "forfeited": r"leav|quit|forfeit|resign|drop|gone",
    "entered": r"join|enter|new player|newcomer|arriv",
}  # fmt: skip
#: Phrases that mean an event and no other.
_PHRASES_OF_EVENTS: Mapping[str, str] = {
    "adopted": (
        r"(?<!this )pass(?:es|ed)|(?:is|are|gets|was) (?:adopted|accepted|approved)|succeeds?|"
        r"(?:adopted|accepted|approved|successful) (?:proposal|rule[- ]change)s?"
    ),
    "defeated": (
        r"fail(?:s|ed)?|(?:is|are|was) (?:defeated|rejected|voted down)|does not pass|"
        r"(?:defeated|rejected|unsuccessful) (?:proposal|rule[- ]change)s?"
    ),
    "enacted": r"new rules?|is enacted",
    "repealed": r"repeal(?:s|ed)?|abolish\w*",
    "amended": r"amend(?:s|ed)?",
    "thrown": r"rolls?|throws?|dic?e",
    "turn_begun": r"(?:start|beginning) of (?:\w+ ){0,3}turns?|turns? (?:begins?|starts?)",
    "turn_ended": r"end of (?:\w+ ){0,3}turns?|turns? (?:ends?|is over)",
    "circuit_ended": r"end of (?:\w+ ){0,2}rounds?|rounds? (?:ends?|is over)",
    "entered": r"joins",
    "forfeited": r"leaves the game|quits|forfeits",
}  # fmt: skip
#: Events that are taken for one another.
_RIVALS: Mapping[str, tuple[str, ...]] = {
    "adopted": ("defeated", "repealed", "thrown", "turn_ended", "circuit_ended"),
    "defeated": ("adopted", "thrown"),
    "enacted": ("repealed", "amended", "thrown", "defeated"),
    "repealed": ("enacted", "amended"),
    "amended": ("repealed", "enacted"),
    "thrown": ("adopted", "defeated", "turn_begun", "turn_ended", "circuit_ended"),
    "turn_begun": ("turn_ended", "circuit_ended", "thrown", "adopted", "defeated"),
    "turn_ended": ("turn_begun", "circuit_ended", "thrown", "adopted", "defeated"),
    "circuit_ended": ("turn_begun", "turn_ended", "adopted", "defeated", "thrown"),
    "balloted": ("thrown", "circuit_ended"),
    "vote_closed": ("thrown", "circuit_ended"),
    "forfeited": ("entered",),
    "entered": ("forfeited",),
}
#: What names a single player.
_ONE_PLAYER = frozenset({"player", "proponent", "mover", "next_player"})
#: Events that one player brings about, so that a gain of one player is not one of each.
_ONE_ACTS = frozenset({"thrown", "adopted", "defeated", "enacted", "proposed", "circuit_ended", "deed"})
_NUMBER = rf"(\d+|{'|'.join(word for word, value in everyday_table('numbers').items() if value.isdigit())})"
#: What says that a number itself belongs to what is meant, or to what is not; with the comparisons that say it.
_FROM = re.compile(
    rf"\b(?:at least|no fewer than|no less than|a minimum of|reach(?:es)?)\s+{_NUMBER}\b"
    rf"|\b{_NUMBER}(?:\s+\w+)?\s+(?:or|and) (?:more|above|over|higher|greater|upwards)\b"
    rf"|\b(?:fewer than|less than|below|under|from (?:round|turn))\s+{_NUMBER}\b",
    re.IGNORECASE,
)
_EXACTLY = re.compile(rf"\bexactly\s+{_NUMBER}\b", re.IGNORECASE)
_ABOVE = re.compile(
    rf"\b(?<!no )(?<!not )(?:more than|above|over|greater than|higher than|exceeds?)\s+{_NUMBER}\b"
    rf"|\b{_NUMBER}(?:\s+\w+)?\s+or (?:fewer|less|below|under|lower)\b",
    re.IGNORECASE,
)
#: Events that a rule hears of when it is made.
_ON_MAKING = frozenset({"enacted", "amended"})
#: What says for how long something lasts, up to the moment that is named itself; and how many hours that is.
_LASTING = re.compile(
    rf"\b(?:for|in|after)\s+(?:{_NUMBER}|an?)\s+(?:full\s+|whole\s+)?(turn|round|hour|day|week|month)s?\b"
    rf"|\b{_NUMBER}\s+(turn|round|hour|day|week)s\s+in a row\b",
    re.IGNORECASE,
)
#: What says that something happens each time that more of the time goes by.
_FURTHER = re.compile(r"\b(?:each|every) (?:further|following|additional|more)\b", re.IGNORECASE)
_HOURS = {"hour": 1, "day": 24, "week": 168, "month": 720}
#: What says that a rule does something when it ends.
_ENDS = re.compile(
    r"repeal|remov|abolish|delet|scrap|struck|gone|no longer|undo|void|expire|rule (?:ends|is over)|as long as|while",
    re.IGNORECASE,
)
_UP_TO = re.compile(rf"\b(?:at most|up to|no more than|a maximum of|first)\s+{_NUMBER}\b", re.IGNORECASE)
_AT_ONCE = re.compile(
    r"\b(?:at once|immediately|straight away|right now|as soon as this (?:rule )?(?:passes|is)"
    r"|(?:up)?on (?:its )?adoption|moment of adoption|when this passes"
    r"|when this (?:rule|proposal) (?:is (?:adopted|enacted|passed|made)|passes|takes effect|comes into force))\b",
    re.IGNORECASE,
)


_SOON = ("at once", "immediately", "straight away", "right now")
#: What says that something follows upon something else.
_AFTER_SOMETHING = re.compile(
    r"\b(?:if|when|whenever|who|whoever|that|after|(?<!at )once|each time)\b(?! (?:this|it) )", re.IGNORECASE
)


def _texts(run: DryRun) -> Iterator[tuple[str, tuple[Clause, ...], str, tuple[Clause, ...]]]:
    """Yield wording and clauses of each rule that the change writes, and those it had before (empty if none)."""
    for rule, change in run.changes_with_rules:
        new, old = rule.new, rule.old
        if new is not None and new.clauses and new.wording and change.kind in ("enact", "amend"):
            yield new.wording, new.clauses, old.wording if old else "", old.clauses if old else ()


def newly_found(run: DryRun, find: Callable[[str, tuple[Clause, ...]], Iterator[Message]]) -> Iterator[Message]:
    """Yield what is found in the new texts of rules, and was not to be found in the old ones."""
    for wording, clauses, before, old in _texts(run):
        known = {str(message) for message in find(before, old)} if before and old else set()
        yield from (message for message in find(wording, clauses) if str(message) not in known)


# ------------------------------------------------------------------------------------------------- numbers and signs


@cache
def _spelled_numbers() -> Mapping[str, int]:
    """Return the whole numbers that words stand for."""
    return {word: int(value) for word, value in everyday_table("numbers").items() if value.isdigit()}


def _as_number(word: str) -> int | None:
    """Return the whole number that a word or figure stands for; None if it is none."""
    return int(word.replace(",", "")) if re.fullmatch(r"\d+(,\d{3})*", word) else _spelled_numbers().get(word.lower())


def _signs_in_wording(wording: str, amount: int, counter: str) -> set[int]:
    """Return the signs of an amount in a wording: 1 for a gain, -1 for a loss, 0 if somebody takes it from others."""
    signs, stem = set[int](), counter.rpartition("_")[2].removesuffix("s").lower()
    for part in _SENTENCE.split(wording):
        buys, sells = _BUYS.search(part), _SELLS.search(part)
        words = [word.lower() for word in _TOKEN.findall(part)]
        for at, word in enumerate(words):
            one = word in ("a", "an", "another") and any(near.startswith(stem) for near in words[at + 1 : at + 3])
            if _as_number(word) != amount and not (amount == 1 and one):
                continue
            if words[max(0, at - 1) : at] == ["at"]:  # the price of each
                continue
            if buys or sells:
                given = words[at - 1 : at] in ([["for"], ["spend"], ["spends"]] if buys else [["for"]])
                signs |= {1, -1} if buys and sells else {-1 if given == bool(buys) else 1}
                continue
            if words[max(0, at - 1) : at] == ["for"]:  # what is given in return, or why
                signs |= {1, -1}
                continue
            before = words[max(0, at - _BEFORE) : at][::-1]
            after = words[at + 1 : at + 1 + _AFTER]
            found = next((near for near in (*before, *after) if _sign_of_word(near)), "")
            receives = found.startswith("pay") and not before[0].startswith("pay") and before[0] not in _PAID_SO
            if receives or (found.startswith("take") and "from" in after):  # what one player gains, another loses
                signs |= {1, -1}
            if found.startswith("take") and any(("from", other) in pairwise(after) for other in _OTHERS):
                signs.add(0)
            signs |= {_sign_of_word(found)} - {0}
    return signs


def signs_near(counter: str, wording: str) -> set[int]:
    """Return the signs of the words of gain (1) and of loss (-1) near the name of something counted."""
    words, name = (
        [word.lower() for word in _TOKEN.findall(wording)],
        counter.rpartition("_")[2].removesuffix("s").lower(),
    )
    near = (
        words[place]
        for at, found in enumerate(words)
        if found.startswith(name)
        for place in (*range(max(0, at - 4), at), *range(at + 1, min(at + 4, len(words))))
        if words[place] not in ("less", "fewer", "down")
        # “with less will may pay 3 coins”: coins are paid.
        and not (place > at and len(words) > place + 2 and _as_number(words[place + 1]) is not None)
    )
    return {sign for word in near if (sign := _sign_of_word(word))}


def numbers_up_to(wording: str) -> Iterator[int]:
    """Yield the numbers that a wording names as the most, such as 3 for “at most three”."""
    return _numbers_matched(_UP_TO, wording)


def _sign_of_word(word: str) -> int:
    """Return 1 for a word of gain, -1 for a word of loss, and 0 for any other."""
    return -1 if re.fullmatch(_LOSS, word) else 1 if re.fullmatch(_GAIN, word) else 0


def is_said(counter: str, wording: str) -> bool:
    """Tell whether a wording mentions what is counted under a name."""
    return counter.replace("_", " ").removesuffix("s").lower() in wording.lower()


def _constant_awards(clauses: tuple[Clause, ...]) -> Iterator[tuple[Effect, int]]:
    """Yield the awards of a constant whole number, with that number."""
    for clause in clauses:
        for part in clause.with_inner_clauses:
            for effect in part.all_effects("award", "pay"):
                amount = constant_number(effect.amount.node)
                if type(amount) is int and amount:
                    yield effect, amount


@check("wrong-sign", "mismatch", cost="read")
def warn_of_wrong_sign(run: DryRun) -> Messages:
    """Warn that the wording lets players gain something that a clause takes from them, or the other way round.

    Change the sign in the clause, or the wording.

    Example: nb.enact("Whoever rolls a six gets 5 points.", "on thrown when face == 6: award -5 points to player")
    """
    yield from newly_found(run, _find_wrong_signs)


def _find_wrong_signs(wording: str, clauses: tuple[Clause, ...]) -> Iterator[Message]:
    """Yield messages on awards whose sign is not that of the wording."""
    products = (
        (effect, factor)
        for clause in clauses
        for effect in clause.all_effects("award")
        if effect.amount.node.arithmetic == "*"
        for factor in map(constant_number, effect.amount.node.parts)
        if type(factor) is int and abs(factor) > 1
    )
    awards = [
        (effect, amount)
        for effect, amount in (*_constant_awards(clauses), *products)
        if effect.form.name == "award" and isinstance(effect.who, Expression)
    ]
    only_one = len({effect.counter for effect, _ in awards}) == 1
    only_one &= not any(isinstance(clause, OfferClause) for clause in clauses)  # whose prices have a check of their own
    for effect, amount in awards:
        unmet = amount < 0 and f"+{-amount}" in wording and all(other != -amount for _, other in awards)
        # The wording need not name what “costs ten” is about, if only one thing is counted.
        if not unmet and not is_said(effect.counter, wording) and (abs(amount) == 1 or not only_one):
            continue
        if abs(amount) == 1 and 1 not in _amounts_of(wording, effect.counter):
            continue
        moved = any(other == -amount and one.counter == effect.counter for one, other in awards)
        if moved and _MOVES.search(wording):
            continue
        signs, sign = _signs_in_wording(wording, abs(amount), effect.counter), 1 if amount > 0 else -1
        if signs == {-sign} or (0 in signs and sign > 0 and not moved) or unmet:
            yield say(
                "sign-differs", "its wording lets players {said} {amount}, but “{effect}” lets them {done} {amount}",
                said="lose" if sign > 0 else "gain", done="gain" if sign > 0 else "lose", amount=abs(amount),
                effect=effect.words,
            )  # fmt: skip


@check("other-amount", "mismatch", cost="read")
def warn_of_other_amount(run: DryRun) -> Messages:
    """Warn that a clause awards a different number from the wording, or a number in the wording is in no clause.

    Change the number in one of them, or add the missing clause.

    Example: nb.enact("Whoever rolls a six gets 5 points.", "on thrown when face == 6: award 6 points to player")
    """
    yield from newly_found(run, _find_other_amounts)


def _find_other_amounts(wording: str, clauses: tuple[Clause, ...]) -> Iterator[Message]:
    """Yield messages on amounts that only the clauses have, and on those that only the wording has."""
    known, meant = numbers_in_wording(wording), {abs(number) for number in numbers_in_clauses(clauses)}
    said: dict[str, dict[int, None]] = {}
    for effect, amount in _constant_awards(clauses):
        counter = effect.counter
        numbers = said.setdefault(counter, dict.fromkeys(_amounts_of(wording, counter)))
        if numbers and abs(amount) not in numbers and abs(amount) not in known and abs(amount) != 1:
            yield say(
                "amount-differs", "its wording says {said} {counter}, but “{effect}” says {amount}",
                said=number_text(next(iter(numbers))), counter=counter_named(counter, next(iter(numbers))),
                effect=effect.words, amount=number_text(abs(amount)),
            )  # fmt: skip
            return
    for effect, amount in _constant_awards(clauses):
        for near in sorted({abs(amount) - 1, abs(amount) + 1} & {*known} - meant - {0, 1}):
            if abs(amount) not in known:
                yield say(
                    "amount-beside", "its wording says {said}, but “{effect}” says {amount}",
                    said=near, effect=effect.words, amount=abs(amount),
                )  # fmt: skip
                return
    for counter, numbers in said.items():
        for number in numbers:
            if number > 1 and number not in meant:
                yield say(
                    "amount-in-no-clause", "its wording says {number} {counter}, but no clause has this number",
                    number=number, counter=counter,
                )  # fmt: skip


def _amounts_of(wording: str, counter: str) -> Iterator[int]:
    """Yield the numbers of something counted that a wording says, such as 5 for “five more points”."""
    word = re.escape(counter.removesuffix("s").replace("_", " "))
    for found in re.finditer(
        rf"\b(\d+|[a-z]+)\s+(?:of the\s+|more\s+|extra\s+)?{word}(?:s|es)?\b", wording, re.IGNORECASE
    ):
        number = 1 if found[1].lower() in ("a", "an", "another") else _as_number(found[1])
        if number is not None:
            yield number


@check("other-limit", "mismatch", cost="read")
def warn_of_other_limit(run: DryRun) -> Messages:
    """Warn that a limit in a clause is one too high or one too low for the number in the wording.

    Use `>=` for “at least” and “or more”, and `>` for “more than”.

    Example: nb.enact("Rolls of 5 or more earn 2 points.", "on thrown when face > 5: award 2 points to player")
    """
    yield from newly_found(run, _find_other_limits)


def _find_other_limits(wording: str, clauses: tuple[Clause, ...]) -> Iterator[Message]:
    """Yield messages on comparisons that draw the line beside the number of the wording."""
    limits = [(number, True) for number in _numbers_matched(_FROM, wording)]
    limits += [(number, False) for number in _numbers_matched(_ABOVE, wording)]
    limits += [(number, own) for number in _numbers_matched(_EXACTLY, wording) for own in (True, False)]
    ends = (True, False) if _FURTHER.search(wording) else (True,)
    said, most, lasting = numbers_in_wording(wording), [*numbers_up_to(wording)], {*_durations(wording)}
    counted = {effect.counter for effect, _ in _constant_awards(clauses)}  # how often something has happened yet
    for clause in clauses:
        costs = [-amount for _, amount in _constant_awards((clause,)) if amount < 0]
        for node in clause.walk():
            operator, limit = _limit_of(node)
            known = (
                limits
                or [
                    (number, False)
                    for number in most
                    if isinstance(clause, SetClause) and not any(part.field in counted for part in node.parts)
                ]
                or [(cost, True) for cost in costs]
            )  # who has just enough can pay
            tells = "count(" in node.canonical or any(part.field in counted for part in node.parts)
            if getattr(clause, "key", "").startswith("may.") and tells:
                # Nobody makes more than two: not when there are two already, or not if that would make three.
                most_or_above = dict.fromkeys((*(number for number, _ in limits), *most))
                known = [(number, own) for number in most_or_above for own in (True, False)]
            ranks = {number for number in most if any(part.function == "place" for part in node.parts)}
            closest = ((lasting, ends), (ranks, (False,)))
            exact = [(limit, own) for numbers, some in closest for own in some if limit in numbers]
            near = exact or [
                (number, own)
                for number, own in known
                if limit is not None and (number == limit or (abs(number - limit) == 1 and limit not in said))
            ]
            if not near or any(_draws_line(operator, limit or 0, number, own) for number, own in near):
                continue
            yield say(
                "limit-beside", "its wording draws the line at {number}, but “{condition}” draws it elsewhere",
                number=near[0][0], condition=node.canonical.strip("()"),
            )  # fmt: skip


def _numbers_matched(pattern: re.Pattern[str], wording: str) -> Iterator[int]:
    """Yield the numbers in a wording that a pattern finds."""
    for found in pattern.finditer(wording):
        number = _as_number(next(filter(None, found.groups())))
        if number is not None and number > 1:
            yield number


def _durations(wording: str) -> Iterator[int]:
    """Yield for how many turns, rounds, days or hours something lasts according to a wording."""
    for found in _LASTING.finditer(wording):
        number = _as_number(found[1] or found[3] or "") or 1
        unit = (found[2] or found[4]).lower()
        if number > 1:
            yield number
        if unit in _HOURS and unit != "hour":
            yield number * _HOURS[unit]


def _limit_of(node: Node) -> tuple[str, int | None]:
    """Return the operator and the number of a comparison with a whole number, the number last; None for others."""
    if node.comparison not in ("<", "<=", ">", ">="):
        return "", None
    first, last = map(constant_number, node.parts)
    if type(last) is int and first is None:
        return node.comparison, last
    turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
    return (turned[node.comparison], first) if type(first) is int and last is None else ("", None)


def _draws_line(operator: str, limit: int, number: int, own: bool) -> bool:
    """Tell whether a comparison draws the line just below a number (`own`: it belongs above), or just above it."""
    below = limit if operator in (">=", "<") else limit + 1  # the least number above the line
    return below == (number if own else number + 1)


# --------------------------------------------------------------------------------------------- players and events


@check("other-player", "mismatch", cost="law")
def warn_of_other_player(run: DryRun) -> Messages:
    """Warn that a clause gives something to different players from those in the wording.

    Name the same players in both.

    Example: nb.enact("Whoever rolls a six gets 5 points.", "on thrown when face == 6: award 5 points to next_player")
    """
    names = run.before.names_of_players
    yield from newly_found(run, lambda wording, clauses: _find_other_players(wording, clauses, names))


def _find_other_players(wording: str, clauses: tuple[Clause, ...], names: tuple[str, ...]) -> Iterator[Message]:
    """Yield messages on players who get something and of whom the wording does not speak."""
    owners = [(clause, effect, who) for clause in clauses for effect, who in _owners(clause)]
    for _, effect, who in owners:
        text = who.node.value
        named = isinstance(text, str) and (text.lower() in wording.lower() or _NAMED.search(wording))
        if isinstance(text, str) and text in names and not named:
            yield say("player-unsaid", "“{effect}” names {player}, but its wording doesn’t",
                      effect=effect.words, player=text)  # fmt: skip
        words = _WORDS_OF_PLAYERS.get(who.node.canonical.removeprefix("proposal."))
        if words and not re.search(rf"\b(?:{words})", wording, re.IGNORECASE):
            yield say("players-unsaid", "“{effect}” is for {players}, whom its wording doesn’t mention",
                      effect=effect.words, players=who.text)  # fmt: skip
    single = [(clause, effect) for clause, effect, who in owners if who.node.canonical in _ONE_PLAYER]
    several = len(single) < len(owners) or any(
        clause.each is not None or any(clause.all_effects("each"))
        for clause in clauses
        if isinstance(clause, TriggerClause)
    )
    if single and not several and isinstance(single[0][0], TriggerClause):
        event = single[0][0].event
        said = next((part for part in _SENTENCE.split(wording) if (_ALL_GAIN.search(part))), "")
        if said and not _OF_THEIR_OWN.search(said) and event in _ONE_ACTS:
            yield say("all-said", "its wording is about all players, but “{effect}” is for one",
                      effect=single[0][1].words)  # fmt: skip


def _owners(clause: Clause) -> Iterator[tuple[Effect, Expression]]:
    """Yield the effects of a clause that change what is counted, each with the expression for whose it is."""
    for effect in clause.all_effects("award", "put", "pay"):
        if isinstance(who := getattr(effect, "who", None), Expression):
            yield effect, who


@check("other-event", "mismatch", cost="read")
def warn_of_other_event(run: DryRun) -> Messages:
    """Warn that a clause reacts to a different event from the one in the wording.

    React to the event in the wording; `keys` lists all events.

    Example: nb.enact("At the end of a round, Ann gets 5 points.", 'on turn_begun: award 5 points to "Ann"')
    """
    yield from newly_found(run, _find_other_events)


def _find_other_events(wording: str, clauses: tuple[Clause, ...]) -> Iterator[Message]:
    """Yield messages on clauses whose event is not in the wording, while another one is."""
    for clause in clauses:
        if not isinstance(clause, TriggerClause) or isinstance(clause, OfferClause):
            continue
        own = _WORDS_OF_EVENTS.get(clause.event)
        if _hears_its_end(clause) and not _ENDS.search(wording) and not any(map(_hears_its_making, clauses)):
            yield say("end-unsaid", "“{clause}” acts only when this rule is gone, which its wording doesn’t mention",
                      clause=clause)  # fmt: skip
        if any(clause.all_effects("after")):
            continue
        acts = any(is_said(getattr(effect, "counter", "") or "", wording) for effect in clause.all_effects())
        if own is None or not acts or clause.on_own_rule or re.search(rf"\b(?:{own})", wording, re.IGNORECASE):
            continue
        events = {other.event for other in clauses if isinstance(other, TriggerClause)}
        for rival in _RIVALS[clause.event]:
            found = re.search(rf"\b(?:{_PHRASES_OF_EVENTS[rival]})\b", wording, re.IGNORECASE)
            if found and rival not in events and not re.search(_PHRASES_OF_EVENTS[rival], clause.words):
                yield say("event-differs", "its wording says “{said}”, but a clause reacts to {event}: “{clause}”",
                          said=found[0], event=clause.event, clause=clause)  # fmt: skip
                break


# ------------------------------------------------------------------------------------- what no clause does


#: Phrases that say that something goes from one player to another.
_MOVES = re.compile(r"\b(?:instead|(?:goes|moves|passes) (?:over )?to|of it)\b", re.IGNORECASE)
#: Phrases that say who has the first turn.
_FIRST = re.compile(r"\b(?:go(?:es)?|moves?|plays?|begins?|starts?|comes?|is|are) first\b", re.IGNORECASE)
#: Phrases of wordings, each with what some clause must have if it is to do that.
_NEEDED: Mapping[str, tuple[str, str]] = {
    "fails": (
        r"\b(?:fails|is defeated|is rejected|is voted down)\b",
        r"defeat|fail|vote|oppon|status|adopted|ballot|propos",
    ),
    "rolls": (r"\b(?:rolls?|throws?) (?:a|an|the|two|their)\b", r"throw|face|roll|dice|chance|win\."),
    "round": (r"\bend of (?:each|every|the|a) round\b", r"circuit"),
    "repealed": (r"\bis repealed\b", r"repeal|sunset|void|last"),
    "against": (r"\bvot(?:es?|ed|ing) against\b", r"oppon|against|ballot|dissent|vote|favou?r|quota|adopted"),
    # A ballot that counts as nothing can still be cast, and rules may pay for it.
    "cannot vote": (
        r"\b(?:can(?:not|’t|'t)|may not) vote\b(?! (?:for|against))",
        r"forbid|allow|electorate|choices|opponents",
    ),
    "characters": (r"\b\d+ characters\b", r"character"),
    "counted as": (
        r"\bcount(?:s|ed)? as (?:an? )?(?:vote |votes |voting |having voted |abstain)?(?:for|against|in favou?r|ing)\b",
        r"counts_as|cast |quota|adopted|votes_|set vote\.(?!closes)\w+ to [^:]*not_voted|weight|share",
    ),
    "may not propose": (
        r"\b(?:(?:nobody|no player|no one) may|may not|can(?:not|’t|'t)) propose\b",
        r"forbid|allow|require|turn\.parts|acts\.",
    ),
    "nobody may": (r"\b(?:nobody|no player|no one) may\b", r"forbid|allow|may\.|require|set|instead|when|if|max|min"),
    "wins the game": (r"\bwins the game\b", r"win|won|points|eliminat"),
}  # fmt: skip


@check("words-without-clause", "mismatch", cost="read")
def warn_of_words_without_clause(run: DryRun) -> Messages:
    """Warn that the wording mentions something that no clause covers.

    Add a clause for it; or say in the wording that players apply this part themselves.

    Example: nb.enact("A six or voting against brings 5.", "on thrown when face == 6: award 5 points to player")
    """
    yield from newly_found(run, _find_words_without_clause)


def _find_words_without_clause(wording: str, clauses: tuple[Clause, ...]) -> Iterator[Message]:
    """Yield messages on what a wording mentions and no clause is about."""
    law = " ".join(part.words for clause in clauses for part in clause.with_inner_clauses)
    for phrase, needed in _NEEDED.values():
        found = re.search(phrase, wording, re.IGNORECASE)
        if not found or re.search(needed, law, re.IGNORECASE):
            continue
        if phrase == _NEEDED["cannot vote"][0] and "vote.weight to 0" in law:
            yield say("ballot-for-nothing", "its wording says “{said}”, but a ballot that counts as nothing can still "
                      "be cast, and rules may pay for it", said=found[0])  # fmt: skip
        else:
            yield say("said-in-no-clause", "its wording says “{said}”, but no clause is about that", said=found[0])
    keys = {clause.key for clause in clauses if isinstance(clause, SetClause)}
    if "turn.sequence" in keys and "turn.next" not in keys and (first := _FIRST.search(wording)):
        yield say(
            "goes-on-in-order",
            "its wording says “{said}”, but turn.sequence only sets the order: a new round continues after the last "
            "player. To begin with the first, set turn.next, as in “the player with the fewest points goes first” in "
            "the phrase book",
            said=first[0],
        )


@check("nothing-at-once", "mismatch", cost="read")
def warn_of_nothing_at_once(run: DryRun) -> Messages:
    """Warn that the wording promises something as soon as the proposal passes, and no clause does anything then.

    Let a clause react to `enacted`, with the condition `rule == this`.

    Example: nb.enact("Ann gets 5 points at once.", 'on adopted: award 5 points to "Ann"')
    """
    yield from newly_found(run, _find_nothing_at_once)


def _hears_its_end(clause: Clause) -> bool:
    """Tell whether a clause answers only to the end of its own rule."""
    return isinstance(clause, TriggerClause) and clause.on_own_rule and clause.event not in _ON_MAKING


def _hears_its_making(clause: Clause) -> bool:
    """Tell whether a clause answers to the making of its own rule."""
    return isinstance(clause, TriggerClause) and clause.on_own_rule and clause.event in _ON_MAKING


def _promise_at_once(sentence: str) -> re.Match[str] | None:
    """Return where a sentence promises something for when the rule is made; None if “at once” is after something."""
    found = _AT_ONCE.search(sentence)
    follows = found and (
        (found[0].lower() in _SOON and _AFTER_SOMETHING.search(sentence)) or sentence[: found.start()].endswith("may ")
    )
    return None if follows else found


def _find_nothing_at_once(wording: str, clauses: tuple[Clause, ...]) -> Iterator[Message]:
    """Yield a message if a wording promises something at once, and all clauses wait for something else."""
    said = next((found for part in _SENTENCE.split(wording) if (found := _promise_at_once(part))), None)
    acting = [clause for clause in clauses if not isinstance(clause, TrackClause)]
    triggers = [one for one in acting if isinstance(one, TriggerClause)]
    for clause in triggers if said else ():
        if clause.event in _ON_MAKING and not clause.on_own_rule and clause.condition is None:
            yield say("acts-for-every-rule", "“{clause}” is for every rule that is {event}, not only for this one; "
                      "add `when rule == this`", clause=clause, event=clause.event)  # fmt: skip
    waiting = ((one in triggers and one.event not in _ON_MAKING) or _hears_its_end(one) for one in acting)
    if said and acting and all(waiting):
        yield say("nothing-at-once", "its wording says “{said}”, but no clause does anything when it passes",
                  said=said[0])  # fmt: skip
