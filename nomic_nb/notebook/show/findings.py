"""What the law says, and why."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.rules import Source
from nomic_nb.engine.law.values import Ref, Value
from nomic_nb.engine.law.values import shown as in_words
from nomic_nb.engine.play.possible import SUPPOSED
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.words import upper_first
from nomic_nb.notebook.markup.tree import Child, Rows, el, fold, items, mark, soft, subhead, table
from nomic_nb.study.views import LawInForce
from nomic_nb.study.views.wording import wording


def finding(shown: Finding) -> Element:
    """Return a finding: the answer, the clauses for it, those defeated, what was looked up."""
    word = wording("prevails").get(shown.outcome, "prevails")
    heads, about = ["Outcome", "Rule", "Clause"], meaning(shown.key)
    words = ["on top"] * shown.on_top + [word] * (len(shown.sources) - shown.on_top)
    cls = "go" if shown.answered else ""
    rows = [[mark(said, cls=cls), *_source(one)] for said, one in zip(words, shown.sources, strict=True)]
    rows += [[mark("could apply"), *_source(one)] for one in shown.possible]
    if shown.defeated:
        heads.append("Why")
        rows = [[*row, soft("–")] for row in rows]
        rows += [[mark("defeated", cls="no-go"), *_source(one.source), one.reason] for one in shown.defeated]
    return el(
        "article",
        el("h3", el("code", shown.key)),
        el("p", upper_first(about) + ".", cls="lede") if about else None,
        el("p", el("strong", answer(shown), cls="answer"), " ", _outcome(shown)),
        table("The rules that speak to it", heads, rows) if rows else None,
        _looked_up(shown),
        cls="finding",
    )


def law_in_force(shown: LawInForce) -> Element:
    """Return the terms of the law, a row each."""
    terms = shown.state.law.vocabulary.terms
    actions = [one for one in map(shown.__getitem__, shown) if one.key not in terms and one.outcome != "silent"]
    return el(
        "article",
        el("h3", "The law in force"),
        _terms("Terms", map(shown.__getitem__, terms)),
        fold("What rules say of actions", _terms("Actions", actions)) if actions else None,
        cls="terms",
    )


def _terms(caption: str, terms: Iterable[Finding]) -> Element:
    rows: Rows = []
    for one in terms:
        rule = ", ".join(dict.fromkeys(str(source.rule.number) for source in one.sources)) or "–"
        about = meaning(one.key)
        name: list[Child] = [el("code", one.key), " ", soft(about) if about else None]
        rows.append([name, [answer(one), " ", _depends(one)], rule])
    return table(caption, ["Term", "Value", "Rule"], rows)


def _depends(one: Finding) -> Child:
    names = ", ".join(one.depends_on)
    return soft(f"(may depend on {names})" if one.value is not None else f"on {names}") if names else None


def meaning(key: str) -> str:
    """Return what a key is, in half a sentence; empty for an action's."""
    known = language().vocabulary.keys.get(key)
    return known.meaning if known is not None else ""


def _source(source: Source) -> list[Child]:
    return [[f"{source.rule.number} ", soft(source.rule.title)], el("code", source.clause.words)]


def value_in_words(value: Value) -> str:
    """Write a value for people: a rule by its number, and names without brackets.

    Examples
    --------
    >>> value_in_words((Ref("player", "Ann"), Ref("player", "Ben"))), value_in_words(())
    ('Ann, Ben', 'nothing')
    """
    if isinstance(value, Ref):  # which is a tuple too, so it is asked first
        if value.kind == "rule":
            return f"rule {value.id}"
        return "what is asked about" if value.id == SUPPOSED else str(value.id)
    if isinstance(value, tuple):
        return ", ".join(value_in_words(one) for one in value) or "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else in_words(value)


def answer(shown: Finding) -> str:
    """Return the value that the law gives, or a word for its having none."""
    if shown.answered or (shown.outcome == "depends" and shown.value is not None):
        said = value_in_words(shown.value)
        known = language().vocabulary.keys.get(shown.key)
        of_players = known is not None and "player" in str(known.type)
        return "nobody" if of_players and said in ("none", "nothing") else said
    return str(wording("unanswered").get(shown.outcome, "undecided"))


def _outcome(shown: Finding) -> Child:
    said = wording("found").get(shown.outcome, "")
    if shown.outcome == "depends":
        names = ", ".join(shown.depends_on)
        said = f"on {names}, and none is given here."
        if shown.value is not None:
            said = f"This is so in general; in a given case it may depend on {names}."
    if shown.outcome == "undecided":
        said = f"The law does not decide this: {shown.reason}."
    return soft(said) if said else None


def _looked_up(shown: Finding) -> Child:
    found = items(([el("code", name), " is ", value_in_words(value)] for name, value in shown.facts), "facts")
    return [subhead("Looked up"), found] if found is not None else None
