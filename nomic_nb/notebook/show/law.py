"""The law book and its rules, and the law at two moments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from xml.etree.ElementTree import Element

from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.rules import Rule, Source
from nomic_nb.engine.law.values import Ref, Value
from nomic_nb.engine.law.values import shown as in_words
from nomic_nb.engine.play.adoptability import SUPPOSED
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.words import plural, upper_first
from nomic_nb.notebook.markup.prose import changed_text, clauses, prose, worded
from nomic_nb.notebook.markup.tree import (
    Child,
    Rows,
    el,
    fold,
    headed,
    items,
    mark,
    parted,
    quiet,
    soft,
    subhead,
    table,
    who,
)
from nomic_nb.study.views import LawBook, LawInForce
from nomic_nb.study.views.explained import Explained, Said, explain
from nomic_nb.study.views.judgments import Judgments
from nomic_nb.study.views.law import kept_by, kept_without_clauses
from nomic_nb.study.views.phrases import wording
from nomic_nb.study.views.redline import Difference, Redline

# -------------------------------------------------------------------------------------- the law book and its rules


#: What the marks beside rules say.
LEGEND = "● The game keeps to it; ◐ the game asks people first; ○ people keep to it."


def tier_heading(tier: str) -> tuple[str, str]:
    """Return the heading of a tier, and what is to be said of it."""
    heading, about = wording("tiers").get(tier, (f"{upper_first(tier)} rules", ""))
    return heading, about


def book(shown: LawBook) -> Element:
    """Return a law book: the tiers in order of strength, their rules folded."""
    sections = [
        el(
            "section",
            el("h4", f"{title} ({len(rules)})", soft(f" – {about}") if about else None),
            [_folded(shown, shown.remarked(rule)) for rule in rules],
        )
        for tier, rules in shown.by_tier().items()
        for title, about in [tier_heading(tier)]
    ]
    return el(
        "article",
        el("h3", "Law book"),
        el("p", f"{plural(len(shown), 'rule')}, the strongest first. {LEGEND}", cls="lede"),
        sections,
        notes(shown),
        cls="book",
    )


def remarks(said: Iterable[str]) -> Element | None:
    """Return what is remarked on a rule, as a list; words of players are in it."""
    return items((el("bdi", upper_first(one)) for one in said), "remarks")


def notes(shown: LawBook) -> Element | None:
    """Return what players wrote down beside the rules; None where it is nothing."""
    found = items([el("strong", one.name), f": {one.text} ", soft("– ", who(one.player))] for one in shown.notes)
    return el("section", el("h4", "Written down, and no law"), found) if found is not None else None


def rule(shown: Rule) -> Element:
    """Return one rule by itself."""
    return el(
        "article",
        headed([number_of(shown), " ", shown.title], f"{shown.tier} {shown.reach}".strip()),
        el("p", signs(shown)) if shown.kept else None,
        _body(shown, alone=True),
        cls="rule",
    )


def _folded(law: LawBook, shown: Rule) -> Element:
    void = law.void(shown)
    marks: list[Child] = [" ", mark(void, cls="void") if void else signs(shown)]
    if shown.reach:
        marks += [" ", soft("· ", shown.reach)]
    if shown.how != "initial":
        marks += [" ", soft("· ", version(shown))]
    judged = Judgments(law.state).remarks(shown)
    if len(shown.remarks) > len(judged) + bool(void):
        marks += [" ", soft("· wording not as in force")]
    if judged:
        marks += [" ", soft("· judged")]
    head: list[Child] = [number_of(shown), " ", el("span", shown.title, cls="title"), marks]
    return fold(head, el("div", _body(shown, void=void), cls="body"), cls="entry is-void" if void else "entry")


def number_of(shown: Rule) -> Element:
    """Return the number of a rule, as it stands before its title."""
    return el("span", str(shown.number), cls="no")


def signs(shown: Rule) -> Element:
    """Return the marks of who keeps a rule."""
    return el("span", parted((el("span", one) for one in kept_by(shown)), " "), cls="kept")


def no_clauses() -> Element:
    """Return that no clause carries a rule."""
    return quiet("No clauses: people apply this rule.")


def explained(shown: Explained) -> Element:
    """Return clauses read back, each below how it is written."""
    return el("article", [_read_back(said) for said in shown.clauses], cls="explained")


def _read_back(said: Said) -> Child:
    code = el("p", el("code", said.clause))
    return [code, el("p", el("bdi", said.sentence)), items(map(_read_back, said.inside))]


def sentences(found: Iterable[Said]) -> Element | None:
    """Return the sentences of clauses as a list."""
    return items(([el("bdi", one.sentence), sentences(one.inside)] for one in found), "explained")


def entry(shown: LawBook, rule: Rule) -> Element:
    """Return what stands in a law book under the number and the title of a rule."""
    return el("div", _body(shown.remarked(rule), void=shown.void(rule)), cls="body")


def _body(shown: Rule, *, alone: bool = False, void: str = "") -> Child:
    parts: list[Child] = [remarks(one for one in shown.remarks if one != void), worded(shown.wording)]
    if shown.law:
        parts.append(fold("Clauses", clauses(shown.law), is_open=alone))
        parts.append(fold("In plain words", sentences(explain(shown).clauses)))
    elif not kept_without_clauses(shown):
        parts.append(no_clauses())
    before = shown.before
    if before is not None:
        parts.append(_changed(before, shown, is_open=alone))
    if len(shown.parts) > 1:
        parts.append(_parts(shown))
    if shown.notes:
        about = "Notes" if len(shown.parts) == 1 else "Notes on the original"
        parts.append(fold(about, [el("div", prose(note), cls="note") for note in shown.notes]))
    more = len(shown.history) > 1
    parts.append(history(_event(shown), shown) if more else el("p", _event(shown), cls="history"))
    return parts


def _changed(before: Rule, after: Rule, *, is_open: bool) -> Element | None:
    """Return what the last change did to wording and clauses; None where it touched neither."""
    changes = changed_text(before, after, cls="redline")
    by = "the last change" if after.proposal is None else str(after.proposal)
    return fold(f"What {by} changed", changes, is_open=is_open) if changes is not None else None


def _parts(shown: Rule) -> Element:
    """Return the original and the amendments as the list that rules speak of (103)."""
    found: list[Child] = []
    for at, part in enumerate(shown.parts):
        made = next(one for one in shown.history if len(one.parts) > at)
        by = "automatic" if made.how == "automatic" else f"by {part.number}"
        states = (
            "repealed" if part.repealed
            else "in force" if any(part is one for one in shown.standing)
            else "no longer in force"
        )  # fmt: skip
        beside = ", beside what was there" if part.beside else ""
        found.append(
            [
                el("strong", f"Amendment {at}, {by}" if at else "The original"),
                f" ({states}{beside})",
                prose(part.wording),
                clauses(part.law),
            ]
        )
    return fold("Original and amendments", items(found, "parts"))


def history(summary: Child, shown: Rule) -> Element:
    """Return every version of a rule with what it changed, on demand."""
    versions = (
        [_event(one), changed_text(one.before, one) if one.before is not None else None] for one in shown.history
    )
    return el("div", fold(summary, items(versions, tag="ol")), cls="history")


def _event(shown: Rule) -> Child:
    """Say how a version came, and what else it changed."""
    before, changed = shown.before, []
    if before is not None:
        sides = [(before.number, shown.number), (before.tier, shown.tier), (f"“{before.title}”", f"“{shown.title}”")]
        changed = [f"; was {was}, now {now}" for was, now in sides if was != now]
    return [version(shown, upper_first), changed, "."]


def version(shown: Rule, begin: Callable[[str], str] = str) -> Child:
    """Say how a version of a rule came: by what, by whom and when.

    Parameters
    ----------
    shown : Rule
        The version.
    begin : callable, optional
        What becomes of its first words.
    """
    if shown.how == "initial":
        return [begin(f"initial rule {shown.number}")]
    by = "at the table" if shown.how == "settled" else "by a rule" if shown.proposal is None else f"by {shown.proposal}"
    how = {"settled": "agreed", "automatic": "amended automatically"}.get(shown.how, shown.how)
    into = f" and {shown.tier} since" if shown.how == "transmuted" else ""
    author, turn = who(shown.author) if shown.author else None, f"turn {shown.turn}" if shown.turn else None
    when: list[Child] = [" (", author, ", " if author is not None and turn else None, turn, ")"]
    return [begin(f"{how} {by}{into}"), when if author is not None or turn else None]


def pedigree(shown: Rule) -> Child:
    """Tell how a rule came to be what it is; nothing of one that is as it was when play began."""
    if shown.before is None and shown.how == "initial":
        return []
    first, *more = shown.history
    return [version(first, upper_first), [["; ", version(one)] for one in more], "."]


def redline(shown: Redline) -> Element:
    """Return the law at two moments, each rule that differs as a redline."""
    if not len(shown):
        return el("p", "The law is the same.")
    return el(
        "article",
        el("h3", "How the law changed"),
        el("p", f"{plural(len(shown), 'rule')} differ{'s' if len(shown) == 1 else ''}.", cls="lede"),
        [_difference(one) for one in shown],
    )


def _difference(one: Difference) -> Child:
    rule = one.new or one.old
    if rule is None:
        return None
    title: list[Child] = [number_of(rule), " ", rule.title]
    return el("section", headed(title, one.what, tag="h4"), changed_text(one.old, one.new, cls="redline"))


# ----------------------------------------------------------------------------------------------- what the law says


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
