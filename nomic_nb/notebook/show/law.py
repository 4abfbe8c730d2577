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
from nomic_nb.notebook.markup.authors import find_authors
from nomic_nb.notebook.markup.prose import (
    clause_list,
    passage_elements,
    prose_elements,
    redline_elements,
    wording_section,
)
from nomic_nb.notebook.markup.tree import (
    Child,
    TableRows,
    badge,
    build_element,
    folded_section,
    heading_with_badge,
    item_list,
    join_children,
    player_name,
    quiet_paragraph,
    quiet_text,
    subheading,
    table_element,
)
from nomic_nb.study.views import LawBook, LawInForce
from nomic_nb.study.views.enforcement import enforcers_of_rule, is_enforced_without_clauses
from nomic_nb.study.views.explanations import ExplainedClause, Explanation, explain
from nomic_nb.study.views.judgments import Judgments
from nomic_nb.study.views.phrases import wording_table
from nomic_nb.study.views.redline import LawRedline, RuleDifference

# -------------------------------------------------------------------------------------- the law book and its rules


#: What the marks beside rules say.
ENFORCEMENT_LEGEND = "● Enforced by the game; ◐ the game asks people first; ○ enforced by people."


def tier_heading(tier: str) -> tuple[str, str]:
    """Return the heading of a tier of rules, such as “mutable”, and a remark on the tier, often empty."""
    heading, about = wording_table("tiers").get(tier, (f"{upper_first(tier)} rules", ""))
    return heading, about


def draw_law_book(shown: LawBook) -> Element:
    """Return the law book: the tiers of rules from strongest to weakest, with each rule folded."""
    sections = [
        build_element(
            "section",
            build_element("h4", f"{title} ({len(rules)})", quiet_text(f" – {about}") if about else None),
            [_folded_rule(shown, shown.with_remarks(rule)) for rule in rules],
        )
        for tier, rules in shown.rules_by_tier().items()
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


def draw_remarks(remarks: Iterable[str]) -> Element | None:
    """Return the remarks on a rule as an HTML list, or None."""
    return item_list((build_element("bdi", upper_first(remark)) for remark in remarks), "remarks")


def draw_notes(shown: LawBook) -> Element | None:
    """Return a section of the notes players keep beside the law, which bind nobody, or None."""
    element = item_list(
        [build_element("strong", note.name), f": {note.text} ", quiet_text("– ", player_name(note.player))]
        for note in shown.notes
    )
    return (
        build_element("section", build_element("h4", "Written down, and no law"), element)
        if element is not None
        else None
    )


def draw_rule(shown: Rule) -> Element:
    """Return one rule as an article with heading, text, clauses and history."""
    return build_element(
        "article",
        heading_with_badge(
            [rule_number_label(shown), " ", shown.title], f"{shown.tier} {shown.reach_in_words}".strip()
        ),
        build_element("p", enforcement_marks(shown)) if shown.kept else None,
        _rule_body(shown),
        cls="rule",
    )


def _folded_rule(law: LawBook, shown: Rule) -> Element:
    """Return a rule of the law book, folded below its number, title and marks such as “void”."""
    void = law.void_reason(shown)
    marks: list[Child] = [" ", badge(void, cls="void") if void else enforcement_marks(shown)]
    if shown.reach_in_words:
        marks += [" ", quiet_text("· ", shown.reach_in_words)]
    if shown.how != "initial":
        marks += [" ", quiet_text("· ", describe_version(shown))]
    judged = Judgments(law.state).law_book_remarks(shown)
    if len(shown.remarks) > len(judged) + bool(void):
        marks += [" ", quiet_text("· wording not as in force")]
    if judged:
        marks += [" ", quiet_text("· judged")]
    head: list[Child] = [rule_number_label(shown), " ", build_element("span", shown.title, cls="title"), marks]
    return folded_section(
        head, build_element("div", _rule_body(shown, law), cls="body"), cls="entry is-void" if void else "entry"
    )


def rule_number_label(shown: Rule) -> Element:
    """Return the number of a rule as a label to put before its title."""
    return build_element("span", str(shown.number), cls="no")


def enforcement_marks(shown: Rule) -> Element:
    """Return marks that say who enforces a rule: the game, the game after asking people, or people."""
    return build_element(
        "span", join_children((build_element("span", mark) for mark in enforcers_of_rule(shown)), " "), cls="kept"
    )


def no_clauses_paragraph() -> Element:
    """Return a paragraph that says that a rule has no clauses and people apply it."""
    return quiet_paragraph("No clauses: people apply this rule.")


def draw_explanation(shown: Explanation) -> Element:
    """Return clauses as code, each with its plain-English sentence below it."""
    return build_element(
        "article", [_clause_with_explanation(explained) for explained in shown.clauses], cls="explained"
    )


def _clause_with_explanation(explained: ExplainedClause) -> Child:
    """Return a clause as code with its plain-English sentence, and those inside it as a list below."""
    code = build_element("p", build_element("code", explained.clause))
    return [
        code,
        build_element("p", build_element("bdi", explained.sentence)),
        item_list(map(_clause_with_explanation, explained.inside)),
    ]


def clause_sentence_list(explained_clauses: Iterable[ExplainedClause]) -> Element | None:
    """Return the plain-English sentences of clauses as a nested list; None if there are no clauses."""
    return item_list(
        (
            [build_element("bdi", explained.sentence), clause_sentence_list(explained.inside)]
            for explained in explained_clauses
        ),
        "explained",
    )


def draw_law_book_entry(shown: LawBook, rule: Rule) -> Element:
    """Return what is below a rule's title in the law book: remarks, wording, clauses, history."""
    return build_element("div", _rule_body(shown.with_remarks(rule), shown), cls="body")


def authored_wording(rule: Rule, law: LawBook | None = None) -> Element:
    """Return a rule's wording; in one that was made or changed in play, pressing words shows who wrote them.

    Parameters
    ----------
    rule : Rule
        The rule.
    law : LawBook, optional
        The law book that it is in, which knows the votes.
    """
    versions = rule.all_versions
    if rule.before is None and rule.how == "initial":
        return wording_section(rule.wording)

    def draw_run(version: str, text: str) -> Child:
        wrote = versions[int(version)]
        votes = law.votes_in_words(wrote) if law is not None else ""
        note = build_element("span", " [", describe_version(wrote), f", {votes}" if votes else None, "]", cls="soft")
        return build_element("details", build_element("summary", text), note, cls="wrote")

    passages = find_authors(*(version.wording for version in versions))
    return build_element("div", passage_elements(passages, draw_run, "div"), cls="wording")


def _rule_body(shown: Rule, law: LawBook | None = None) -> Child:
    """Return what is below a rule's title: remarks, wording, clauses (open without `law`, its book), history."""
    alone, void = law is None, "" if law is None else law.void_reason(shown)
    parts: list[Child] = [
        draw_remarks(remark for remark in shown.remarks if remark != void),
        authored_wording(shown, law),
    ]
    if shown.law:
        parts.append(folded_section("Clauses", clause_list(shown.law), is_open=alone))
        parts.append(folded_section("In plain English", clause_sentence_list(explain(shown).clauses)))
    elif not is_enforced_without_clauses(shown):
        parts.append(no_clauses_paragraph())
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
    more = len(shown.all_versions) > 1
    parts.append(
        draw_rule_history(_describe_version_with_changes(shown), shown)
        if more
        else build_element("p", _describe_version_with_changes(shown), cls="history")
    )
    return parts


def _last_change(before: Rule, after: Rule, *, is_open: bool) -> Element | None:
    """Return a folded redline of a rule's last change; None if it left wording and clauses as they were."""
    changes = redline_elements(before, after, cls="redline")
    by = "the last change" if after.proposal is None else str(after.proposal)
    return folded_section(f"What {by} changed", changes, is_open=is_open) if changes is not None else None


def _amendment_list(shown: Rule) -> Element:
    """Return the original and the amendments of a rule, and which are in force, as a folded list."""
    entries: list[Child] = []
    for at, part in enumerate(shown.parts):
        rule = next(version for version in shown.all_versions if len(version.parts) > at)
        by = "automatic" if rule.how == "automatic" else f"by {part.number}"
        states = (
            "repealed" if part.repealed
            else "in force" if any(part is rule_part for rule_part in shown.parts_in_force)
            else "no longer in force"
        )  # fmt: skip
        beside = ", beside what was there" if part.beside else ""
        entries.append(
            [
                build_element("strong", f"Amendment {at}, {by}" if at else "The original"),
                f" ({states}{beside})",
                prose_elements(part.wording),
                clause_list(part.law),
            ]
        )
    return folded_section("Original and amendments", item_list(entries, "parts"))


def draw_rule_history(summary: Child, shown: Rule) -> Element:
    """Return all versions of a rule, with what each changed, folded below a summary."""
    versions = (
        [_describe_version_with_changes(rule), redline_elements(rule.before, rule) if rule.before is not None else None]
        for rule in shown.all_versions
    )
    return build_element("div", folded_section(summary, item_list(versions, tag="ol")), cls="history")


def _describe_version_with_changes(shown: Rule) -> Child:
    """Return how a version of a rule came about, and changes of its number, tier and title."""
    before, changed = shown.before, []
    if before is not None:
        sides = [(before.number, shown.number), (before.tier, shown.tier), (f"“{before.title}”", f"“{shown.title}”")]
        changed = [f"; was {was}, now {now}" for was, now in sides if was != now]
    return [describe_version(shown, upper_first), changed, "."]


def describe_version(shown: Rule, begin: Callable[[str], str] = str) -> Child:
    """Return how a version of a rule came about: by which proposal, by whom, when; `begin` changes the first words.

    Parameters
    ----------
    shown : Rule
        The version.
    begin : callable, optional
        Changes its first words, as `upper_first` does where it begins a sentence.
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
    """Return how a rule was made and changed, as a sentence; empty for an unchanged initial rule."""
    if shown.before is None and shown.how == "initial":
        return []
    first, *more = shown.all_versions
    return [describe_version(first, upper_first), [["; ", describe_version(rule)] for rule in more], "."]


def draw_redline(shown: LawRedline) -> Element:
    """Return the rules that differ between two moments of a game, each with its changes marked."""
    if not len(shown):
        return build_element("p", "The rules are the same.")
    return build_element(
        "article",
        build_element("h3", "How the rules changed"),
        build_element("p", f"{count_phrase(len(shown), 'rule')} differ{'s' if len(shown) == 1 else ''}.", cls="lede"),
        [_draw_difference(difference) for difference in shown],
    )


def _draw_difference(difference: RuleDifference) -> Child:
    """Return a section with one rule's changes marked; None if it is missing at both moments."""
    rule = difference.new or difference.old
    if rule is None:
        return None
    title: list[Child] = [rule_number_label(rule), " ", rule.title]
    return build_element(
        "section",
        heading_with_badge(title, difference.change_summary, tag="h4"),
        redline_elements(difference.old, difference.new, cls="redline"),
    )


# ----------------------------------------------------------------------------------------------- what the law says


def draw_finding(shown: Finding) -> Element:
    """Return the law's answer on a key such as ``win.points``: value, deciding and defeated clauses, and facts."""
    word = wording_table("prevails").get(shown.outcome, "prevails")
    heads, about = ["Outcome", "Rule", "Clause"], term_meaning(shown.key)
    words = ["on top"] * shown.on_top + [word] * (len(shown.sources) - shown.on_top)
    cls = "go" if shown.answered else ""
    rows = [[badge(label, cls=cls), *_source_cells(source)] for label, source in zip(words, shown.sources, strict=True)]
    rows += [[badge("could apply"), *_source_cells(source)] for source in shown.possible]
    if shown.defeated:
        heads.append("Why")
        rows = [[*row, quiet_text("–")] for row in rows]
        rows += [
            [badge("overridden", cls="no-go"), *_source_cells(defeated.source), defeated.reason]
            for defeated in shown.defeated
        ]
    return build_element(
        "article",
        build_element("h3", build_element("code", shown.key)),
        build_element("p", upper_first(about) + ".", cls="lede") if about else None,
        build_element("p", build_element("strong", answer_text(shown), cls="answer"), " ", _outcome_note(shown)),
        table_element("The rules about it", heads, rows) if rows else None,
        _facts_list(shown),
        cls="finding",
    )


def draw_terms(shown: LawInForce) -> Element:
    """Return a table of the law's terms, such as ``win.points``, with value and rule, and a folded one on actions."""
    terms = shown.state.law.vocabulary.keys_but_permissions
    actions = [
        finding for finding in map(shown.__getitem__, shown) if finding.key not in terms and finding.outcome != "silent"
    ]
    return build_element(
        "article",
        build_element("h3", "The law in force"),
        _terms_table("Terms", map(shown.__getitem__, terms)),
        folded_section("What the rules say about actions", _terms_table("Actions", actions)) if actions else None,
        cls="terms",
    )


def _terms_table(caption: str, terms: Iterable[Finding]) -> Element:
    """Return a table with one row per finding: its term and what that means, value in words, rule numbers."""
    rows: TableRows = []
    for finding in terms:
        rule = ", ".join(dict.fromkeys(str(source.rule.number) for source in finding.sources)) or "–"
        about = term_meaning(finding.key)
        name: list[Child] = [build_element("code", finding.key), " ", quiet_text(about) if about else None]
        rows.append([name, [answer_text(finding), " ", _dependence_note(finding)], rule])
    return table_element(caption, ["Term", "Value", "Rule"], rows)


def _dependence_note(finding: Finding) -> Child:
    """Return a note on what a finding's value depends on, such as ``player``; None if it depends on nothing."""
    names = ", ".join(finding.depends_on)
    return quiet_text(f"(may depend on {names})" if finding.value is not None else f"on {names}") if names else None


def term_meaning(key: str) -> str:
    """Return the meaning of a term such as ``win.points`` as a phrase; empty for one such as ``may.propose``."""
    known = language().vocabulary.keys.get(key)
    return known.meaning if known is not None else ""


def _source_cells(source: SourceClause) -> list[Child]:
    """Return two table cells for a clause that a finding rests on: its rule, and the clause as code."""
    return [[f"{source.rule.number} ", quiet_text(source.rule.title)], build_element("code", source.clause.words)]


def plain_value_text(value: Value) -> str:
    """Return a value of the law in words: rules by number, lists without brackets, yes or no.

    Examples
    --------
    >>> plain_value_text((ThingRef("player", "Ann"), ThingRef("player", "Ben"))), plain_value_text(())
    ('Ann, Ben', 'nothing')
    """
    if isinstance(value, ThingRef):  # which is a tuple too, so it is asked first
        if value.kind == "rule":
            return f"rule {value.id}"
        return "the subject of the question" if value.id == SUPPOSED_LABEL else str(value.id)
    if isinstance(value, tuple):
        return ", ".join(plain_value_text(item) for item in value) or "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else in_words(value)


def answer_text(shown: Finding) -> str:
    """Return the value of a finding in words, or a phrase such as “no rule says” if it has none."""
    if shown.answered or (shown.outcome == "depends" and shown.value is not None):
        sentence = plain_value_text(shown.value)
        known = language().vocabulary.keys.get(shown.key)
        of_players = known is not None and "player" in str(known.type)
        return "nobody" if of_players and sentence in ("none", "nothing") else sentence
    return str(wording_table("unanswered").get(shown.outcome, "undecided"))


def _outcome_note(shown: Finding) -> Child:
    """Return a note on how a finding came about or why it has no value; None if there is nothing to say."""
    text = wording_table("found").get(shown.outcome, "")
    if shown.outcome == "depends":
        names = ", ".join(shown.depends_on)
        text = f"on {names}, which you haven’t given."
        if shown.value is not None:
            text = f"This is the general answer; in a particular case it may depend on {names}."
    if shown.outcome == "undecided":
        text = f"The rules don’t decide this: {shown.reason}."
    return quiet_text(text) if text else None


def _facts_list(shown: Finding) -> Child:
    """Return a list of the facts looked up for a finding, or None."""
    element = item_list(
        ([build_element("code", name), " is ", plain_value_text(value)] for name, value in shown.facts), "facts"
    )
    return [subheading("Looked up"), element] if element is not None else None
