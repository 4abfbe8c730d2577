"""The law book and its rules, and the law at two moments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from xml.etree.ElementTree import Element

from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.rules import Rule, SourceClause
from nomic_nb.engine.law.values import ThingRef, Value
from nomic_nb.engine.law.values import value_text as in_words
from nomic_nb.engine.play.adoptability import SUPPOSED_LABEL
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.words import count_phrase, upper_first
from nomic_nb.notebook.markup.prose import clause_list, prose_elements, redline_elements, wording_section
from nomic_nb.notebook.markup.tree import (
    Child,
    TableRows,
    badge,
    build_element,
    folded_section,
    heading_with_badge,
    item_list,
    player_name,
    quiet_paragraph,
    quiet_text,
    separated,
    subheading,
    table_element,
)
from nomic_nb.study.views import LawBook, LawInForce
from nomic_nb.study.views.enforcement import enforced_by, is_enforced_without_clauses
from nomic_nb.study.views.explanations import ExplainedClause, Explanation, explain
from nomic_nb.study.views.judgments import Judgments
from nomic_nb.study.views.phrases import wording_table
from nomic_nb.study.views.redline import LawRedline, RuleDifference

# -------------------------------------------------------------------------------------- the law book and its rules


#: What the marks beside rules say.
ENFORCEMENT_LEGEND = "● The game keeps to it; ◐ the game asks people first; ○ people keep to it."


def tier_heading(tier: str) -> tuple[str, str]:
    """Return the heading of a tier, and what is to be said of it."""
    heading, about = wording_table("tiers").get(tier, (f"{upper_first(tier)} rules", ""))
    return heading, about


def draw_law_book(shown: LawBook) -> Element:
    """Return a law book: the tiers in order of strength, their rules folded."""
    sections = [
        build_element(
            "section",
            build_element("h4", f"{title} ({len(rules)})", quiet_text(f" – {about}") if about else None),
            [_folded_rule(shown, shown.remarked(rule)) for rule in rules],
        )
        for tier, rules in shown.by_tier().items()
        for title, about in [tier_heading(tier)]
    ]
    return build_element(
        "article",
        build_element("h3", "Law book"),
        build_element(
            "p", f"{count_phrase(len(shown), 'rule')}, the strongest first. {ENFORCEMENT_LEGEND}", cls="lede"
        ),
        sections,
        draw_notes(shown),
        cls="book",
    )


def draw_remarks(said: Iterable[str]) -> Element | None:
    """Return what is remarked on a rule, as a list; words of players are in it."""
    return item_list((build_element("bdi", upper_first(one)) for one in said), "remarks")


def draw_notes(shown: LawBook) -> Element | None:
    """Return what players wrote down beside the rules; None where it is nothing."""
    found = item_list(
        [build_element("strong", one.name), f": {one.text} ", quiet_text("– ", player_name(one.player))]
        for one in shown.notes
    )
    return (
        build_element("section", build_element("h4", "Written down, and no law"), found) if found is not None else None
    )


def draw_rule(shown: Rule) -> Element:
    """Return one rule by itself."""
    return build_element(
        "article",
        heading_with_badge([number_as_shown(shown), " ", shown.title], f"{shown.tier} {shown.reach}".strip()),
        build_element("p", enforcement_marks(shown)) if shown.kept else None,
        _rule_body(shown, alone=True),
        cls="rule",
    )


def _folded_rule(law: LawBook, shown: Rule) -> Element:
    void = law.void(shown)
    marks: list[Child] = [" ", badge(void, cls="void") if void else enforcement_marks(shown)]
    if shown.reach:
        marks += [" ", quiet_text("· ", shown.reach)]
    if shown.how != "initial":
        marks += [" ", quiet_text("· ", describe_version(shown))]
    judged = Judgments(law.state).remarks(shown)
    if len(shown.remarks) > len(judged) + bool(void):
        marks += [" ", quiet_text("· wording not as in force")]
    if judged:
        marks += [" ", quiet_text("· judged")]
    head: list[Child] = [number_as_shown(shown), " ", build_element("span", shown.title, cls="title"), marks]
    return folded_section(
        head, build_element("div", _rule_body(shown, void=void), cls="body"), cls="entry is-void" if void else "entry"
    )


def number_as_shown(shown: Rule) -> Element:
    """Return the number of a rule, as it stands before its title."""
    return build_element("span", str(shown.number), cls="no")


def enforcement_marks(shown: Rule) -> Element:
    """Return the marks of who keeps a rule."""
    return build_element("span", separated((build_element("span", one) for one in enforced_by(shown)), " "), cls="kept")


def no_clauses_note() -> Element:
    """Return that no clause carries a rule."""
    return quiet_paragraph("No clauses: people apply this rule.")


def draw_explanation(shown: Explanation) -> Element:
    """Return clauses read back, each below how it is written."""
    return build_element("article", [_explained_clause(said) for said in shown.clauses], cls="explained")


def _explained_clause(said: ExplainedClause) -> Child:
    code = build_element("p", build_element("code", said.clause))
    return [
        code,
        build_element("p", build_element("bdi", said.sentence)),
        item_list(map(_explained_clause, said.inside)),
    ]


def sentence_list(found: Iterable[ExplainedClause]) -> Element | None:
    """Return the sentences of clauses as a list."""
    return item_list(([build_element("bdi", one.sentence), sentence_list(one.inside)] for one in found), "explained")


def draw_entry(shown: LawBook, rule: Rule) -> Element:
    """Return what stands in a law book under the number and the title of a rule."""
    return build_element("div", _rule_body(shown.remarked(rule), void=shown.void(rule)), cls="body")


def _rule_body(shown: Rule, *, alone: bool = False, void: str = "") -> Child:
    parts: list[Child] = [draw_remarks(one for one in shown.remarks if one != void), wording_section(shown.wording)]
    if shown.law:
        parts.append(folded_section("Clauses", clause_list(shown.law), is_open=alone))
        parts.append(folded_section("In plain words", sentence_list(explain(shown).clauses)))
    elif not is_enforced_without_clauses(shown):
        parts.append(no_clauses_note())
    before = shown.before
    if before is not None:
        parts.append(_last_change(before, shown, is_open=alone))
    if len(shown.parts) > 1:
        parts.append(_amendment_list(shown))
    if shown.notes:
        about = "Notes" if len(shown.parts) == 1 else "Notes on the original"
        parts.append(
            folded_section(about, [build_element("div", prose_elements(note), cls="note") for note in shown.notes])
        )
    more = len(shown.history) > 1
    parts.append(
        draw_rule_history(_describe_version_event(shown), shown)
        if more
        else build_element("p", _describe_version_event(shown), cls="history")
    )
    return parts


def _last_change(before: Rule, after: Rule, *, is_open: bool) -> Element | None:
    """Return what the last change did to wording and clauses; None where it touched neither."""
    changes = redline_elements(before, after, cls="redline")
    by = "the last change" if after.proposal is None else str(after.proposal)
    return folded_section(f"What {by} changed", changes, is_open=is_open) if changes is not None else None


def _amendment_list(shown: Rule) -> Element:
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
                build_element("strong", f"Amendment {at}, {by}" if at else "The original"),
                f" ({states}{beside})",
                prose_elements(part.wording),
                clause_list(part.law),
            ]
        )
    return folded_section("Original and amendments", item_list(found, "parts"))


def draw_rule_history(summary: Child, shown: Rule) -> Element:
    """Return every version of a rule with what it changed, on demand."""
    versions = (
        [_describe_version_event(one), redline_elements(one.before, one) if one.before is not None else None]
        for one in shown.history
    )
    return build_element("div", folded_section(summary, item_list(versions, tag="ol")), cls="history")


def _describe_version_event(shown: Rule) -> Child:
    """Say how a version came, and what else it changed."""
    before, changed = shown.before, []
    if before is not None:
        sides = [(before.number, shown.number), (before.tier, shown.tier), (f"“{before.title}”", f"“{shown.title}”")]
        changed = [f"; was {was}, now {now}" for was, now in sides if was != now]
    return [describe_version(shown, upper_first), changed, "."]


def describe_version(shown: Rule, begin: Callable[[str], str] = str) -> Child:
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
    author, turn = player_name(shown.author) if shown.author else None, f"turn {shown.turn}" if shown.turn else None
    when: list[Child] = [" (", author, ", " if author is not None and turn else None, turn, ")"]
    return [begin(f"{how} {by}{into}"), when if author is not None or turn else None]


def describe_origin(shown: Rule) -> Child:
    """Tell how a rule came to be what it is; nothing of one that is as it was when play began."""
    if shown.before is None and shown.how == "initial":
        return []
    first, *more = shown.history
    return [describe_version(first, upper_first), [["; ", describe_version(one)] for one in more], "."]


def draw_redline(shown: LawRedline) -> Element:
    """Return the law at two moments, each rule that differs as a redline."""
    if not len(shown):
        return build_element("p", "The law is the same.")
    return build_element(
        "article",
        build_element("h3", "How the law changed"),
        build_element("p", f"{count_phrase(len(shown), 'rule')} differ{'s' if len(shown) == 1 else ''}.", cls="lede"),
        [_draw_difference(one) for one in shown],
    )


def _draw_difference(one: RuleDifference) -> Child:
    rule = one.new or one.old
    if rule is None:
        return None
    title: list[Child] = [number_as_shown(rule), " ", rule.title]
    return build_element(
        "section", heading_with_badge(title, one.what, tag="h4"), redline_elements(one.old, one.new, cls="redline")
    )


# ----------------------------------------------------------------------------------------------- what the law says


def draw_finding(shown: Finding) -> Element:
    """Return a finding: the answer, the clauses for it, those defeated, what was looked up."""
    word = wording_table("prevails").get(shown.outcome, "prevails")
    heads, about = ["Outcome", "Rule", "Clause"], key_meaning(shown.key)
    words = ["on top"] * shown.on_top + [word] * (len(shown.sources) - shown.on_top)
    cls = "go" if shown.answered else ""
    rows = [[badge(said, cls=cls), *_draw_source(one)] for said, one in zip(words, shown.sources, strict=True)]
    rows += [[badge("could apply"), *_draw_source(one)] for one in shown.possible]
    if shown.defeated:
        heads.append("Why")
        rows = [[*row, quiet_text("–")] for row in rows]
        rows += [[badge("defeated", cls="no-go"), *_draw_source(one.source), one.reason] for one in shown.defeated]
    return build_element(
        "article",
        build_element("h3", build_element("code", shown.key)),
        build_element("p", upper_first(about) + ".", cls="lede") if about else None,
        build_element("p", build_element("strong", answer_text(shown), cls="answer"), " ", _draw_outcome(shown)),
        table_element("The rules that speak to it", heads, rows) if rows else None,
        _draw_facts_read(shown),
        cls="finding",
    )


def draw_terms(shown: LawInForce) -> Element:
    """Return the terms of the law, a row each."""
    terms = shown.state.law.vocabulary.terms
    actions = [one for one in map(shown.__getitem__, shown) if one.key not in terms and one.outcome != "silent"]
    return build_element(
        "article",
        build_element("h3", "The law in force"),
        _terms_table("Terms", map(shown.__getitem__, terms)),
        folded_section("What rules say of actions", _terms_table("Actions", actions)) if actions else None,
        cls="terms",
    )


def _terms_table(caption: str, terms: Iterable[Finding]) -> Element:
    rows: TableRows = []
    for one in terms:
        rule = ", ".join(dict.fromkeys(str(source.rule.number) for source in one.sources)) or "–"
        about = key_meaning(one.key)
        name: list[Child] = [build_element("code", one.key), " ", quiet_text(about) if about else None]
        rows.append([name, [answer_text(one), " ", _depends_note(one)], rule])
    return table_element(caption, ["Term", "Value", "Rule"], rows)


def _depends_note(one: Finding) -> Child:
    names = ", ".join(one.depends_on)
    return quiet_text(f"(may depend on {names})" if one.value is not None else f"on {names}") if names else None


def key_meaning(key: str) -> str:
    """Return what a key is, in half a sentence; empty for an action's."""
    known = language().vocabulary.keys.get(key)
    return known.meaning if known is not None else ""


def _draw_source(source: SourceClause) -> list[Child]:
    return [[f"{source.rule.number} ", quiet_text(source.rule.title)], build_element("code", source.clause.words)]


def value_for_people(value: Value) -> str:
    """Write a value for people: a rule by its number, and names without brackets.

    Examples
    --------
    >>> value_for_people((ThingRef("player", "Ann"), ThingRef("player", "Ben"))), value_for_people(())
    ('Ann, Ben', 'nothing')
    """
    if isinstance(value, ThingRef):  # which is a tuple too, so it is asked first
        if value.kind == "rule":
            return f"rule {value.id}"
        return "what is asked about" if value.id == SUPPOSED_LABEL else str(value.id)
    if isinstance(value, tuple):
        return ", ".join(value_for_people(one) for one in value) or "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else in_words(value)


def answer_text(shown: Finding) -> str:
    """Return the value that the law gives, or a word for its having none."""
    if shown.answered or (shown.outcome == "depends" and shown.value is not None):
        said = value_for_people(shown.value)
        known = language().vocabulary.keys.get(shown.key)
        of_players = known is not None and "player" in str(known.type)
        return "nobody" if of_players and said in ("none", "nothing") else said
    return str(wording_table("unanswered").get(shown.outcome, "undecided"))


def _draw_outcome(shown: Finding) -> Child:
    said = wording_table("found").get(shown.outcome, "")
    if shown.outcome == "depends":
        names = ", ".join(shown.depends_on)
        said = f"on {names}, and none is given here."
        if shown.value is not None:
            said = f"This is so in general; in a given case it may depend on {names}."
    if shown.outcome == "undecided":
        said = f"The law does not decide this: {shown.reason}."
    return quiet_text(said) if said else None


def _draw_facts_read(shown: Finding) -> Child:
    found = item_list(
        ([build_element("code", name), " is ", value_for_people(value)] for name, value in shown.facts), "facts"
    )
    return [subheading("Looked up"), found] if found is not None else None
