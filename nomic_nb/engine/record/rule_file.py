"""The law of a game as a rule file, with which the next game begins: read back and compared before it is handed out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from nomic_nb.engine.errors import LawError, RecordError
from nomic_nb.engine.law.new_book import with_incorporated_rulesets
from nomic_nb.engine.law.rules import Rule, RuleBook
from nomic_nb.engine.play.book_in_play import ruleset_finder
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.record.log import fingerprint
from nomic_nb.engine.rulesets.literate import RuleSet, read_ruleset
from nomic_nb.engine.words import join_words

#: Criteria of precedence that look at when a rule was made.
DATE_ORDERS = {"newest", "oldest", "enacted last"}
#: What a reader of Markdown could take for a link, wherever that leads; and what begins or ends one.
_LINK, _BRACKET = re.compile(r"\]\s*[(\[:]|<[^>\s]*:"), re.compile(r"[\\<\[\]]")


def rule_file_text(timeline: Timeline, name: str) -> str:
    """Return the law in force as the text of a rule file for the next game.

    What is not law is not in it: scores, answers that the table gave, the game itself. Rules that another rule
    brings in are left to that rule, but for those that this game has changed.

    Parameters
    ----------
    timeline : Timeline
        The game.
    name : str
        What the rule set is called.

    Raises
    ------
    RecordError
        With the rules that cannot be written so that they are read as they are now.
    """
    book = timeline.state.rules
    rules = _rules_to_write(book)
    text = _file_text(timeline, name, rules)
    try:
        read = read_ruleset(text, language())
    except LawError as error:
        before = "\n".join(text.splitlines()[: error.line])
        numbers = re.findall(r"^### (\S+)", before, re.M)[-1:]
        raise RecordError(
            "law-not-for-a-file",
            "these rules can’t be written as a rule file: {problem}. Pass an amendment first, then write the file",
            problem=": ".join([f"rule {number}" for number in numbers] + [error.message]),
        ) from None
    wrong = [
        f"rule {rule.number}"
        for rule, other in zip(rules, read.rules, strict=False)
        if _comparison_key(rule) != _comparison_key(other)
    ]
    if wrong or len(rules) != len(read.rules):
        raise RecordError(
            "rules-not-for-a-file",
            "a rule file can’t hold {rules} exactly as in this game. Pass an amendment first, then write the file",
            rules=join_words(wrong),
        )
    return text


def _comparison_key(rule: Rule) -> tuple[object, ...]:
    """Return a rule's number, tier, wording and clauses, by which two rules are compared."""
    return rule.number, rule.tier, rule.wording, rule.law


def _rules_to_write(book: RuleBook) -> list[Rule]:
    """Return a book's rules for a rule file: no rulings, and no unchanged rules from incorporated rule sets."""
    own = {rule.id: rule for rule in book if not rule.ruleset and not rule.answers and rule.parts_in_force}
    again = with_incorporated_rulesets(RuleBook(own), ruleset_finder(language()))
    anew = {rule.number: _comparison_key(rule) for rule in again if rule.ruleset}
    here = {rule.number for rule in book}
    gone = [f"rule {number}" for number in anew if number not in here]
    if gone:
        raise RecordError(
            "incorporated-rules-gone",
            "this game repealed or renumbered {rules}, but the next game would bring back the originals, because "
            "another rule brings them in. First put the rule you want instead under each of these numbers",
            rules=join_words(gone),
        )
    changed = {rule.id: rule for rule in book if rule.ruleset and anew.get(rule.number) != _comparison_key(rule)}
    return list({**own, **changed}.values())


def _file_text(timeline: Timeline, name: str, rules: Iterable[Rule]) -> str:
    """Return the text of a rule file with these rules."""
    state, old = timeline.state, timeline.setting.ruleset
    title = old.title if old.title.endswith("as amended") else f"{old.title}, as amended"
    about = {"name": " ".join(name.split()), "title": title, "players": old.players, "source": old.source}
    stood = f"The rules of a game of {old.title} after event {state.seq} (fingerprint {fingerprint(timeline)})."
    out = [
        f"# {_BRACKET.sub(_escape_sign, title)}",
        "```about\n" + "\n".join(f"{key}: {value}" for key, value in about.items()) + "\n```",
        stood,
    ]
    answers = sum(1 for ruling in state.rules if ruling.answers)
    if answers:
        out.append(
            f"Left out: answers that the players gave ({answers}). If the rules do not say, the next game asks again."
        )
    if DATE_ORDERS & set(state.law.order.by):
        out.append("Here precedence depends on when rules were made. All rules of this file start out equally old.")
    tier = None
    for rule in rules:
        if rule.tier != tier:
            tier = rule.tier
            out.append(f"## {tier.capitalize()} rules `{tier}`")
        out += _rule_text(rule, state.rules)
    return "\n\n".join(out) + "\n"


def _rule_text(rule: Rule, book: RuleBook) -> list[str]:
    """Return the Markdown blocks for one rule in a rule file: heading, wording, law, and a note if it is void."""
    title = " ".join(rule.title.lstrip("# ").split()) or "Untitled"
    plain = _is_plain_wording(rule.wording) and not _LINK.search(rule.wording)
    out = [f"### {rule.number} {_BRACKET.sub(_escape_sign, title)}"]
    out.append(rule.wording if plain else _fenced_block("wording", rule.wording))
    if rule.law:
        out.append(_fenced_block("law", rule.law))
    void = book.void.get(rule.id)
    if void is not None:
        next_status = (
            "the next game decides this again when it begins" if void.version is None else "not void in the next game"
        )
        if void.is_suspended:
            out.append("> Suspended when this was written; not suspended in the next game.")
        else:
            out.append(f"> Void when this was written; {next_status}.")
    return out


def _escape_sign(sign: re.Match[str]) -> str:
    """Return the character that a pattern matched, with a backslash before it; for `re.sub`."""
    return f"\\{sign[0]}"


def _fenced_block(kind: str, text: str) -> str:
    """Return a text as a Markdown block, fenced by enough backticks and labelled with its kind."""
    ticks = "`" * max(3, *(len(tick_run) + 1 for tick_run in re.findall(r"^\s*(`+)", text, re.M)), 3)
    return f"{ticks}{kind}\n{text}\n{ticks}"


@lru_cache(1024)
def _is_plain_wording(wording: str) -> bool:
    """Tell whether a wording that is not fenced would be read back unchanged from a rule file."""
    begin = "```about\nname: x\ntitle: x\nplayers: x\nsource: x\n```\n\n## X `x`\n\n### 1 X\n\n"
    try:
        read: RuleSet = read_ruleset(f"{begin}{wording}\n\n### 2 X\n\nx\n", language())
    except LawError:
        return False
    return [(rule.wording, rule.law, rule.notes) for rule in read.rules] == [(wording, "", ()), ("x", "", ())]
