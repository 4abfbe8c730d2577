"""The law book and its rules."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from nomic_nb.law.rules import Rule
from nomic_nb.show.markup import Child, el, fold, headed, mark, plural, soft, upper_first, who
from nomic_nb.show.prose import blocks, clause_blocks, clauses, is_changed, passages, prose, redline
from nomic_nb.views import LawBook

#: Headings of the tiers that the kit knows, and what is to be said of them.
TIERS = {
    "immutable": ("Immutable rules", ""),
    "mutable": ("Mutable rules", ""),
    "reading": ("Readings", "how the kit reads what the rules leave open; any rule overrides them"),
    "ruling": ("Answers", "what the table agreed where the law was silent or torn"),
}
#: How a version came to be, by `Rule.how`; of others, the proposal follows "by".
HOW = {"initial": "Initial rule", "settled": "Agreed at the table", "automatic": "Amended automatically, by a rule"}
#: Notes of a rule set begin so where the program itself keeps to a rule that has no clauses.
KEPT_BY_THE_KIT = "Kept by the kit itself"


def book(shown: LawBook) -> Element:
    """Return a law book: the tiers in order of strength, their rules folded."""
    tiers = shown.by_tier()
    sections = []
    for tier, rules in tiers.items():
        title, about = TIERS.get(tier, (f"{upper_first(tier)} rules", ""))
        sections.append(
            el(
                "section",
                el("h4", f"{title} ({len(rules)})", soft(f" – {about}") if about else None),
                [_folded(shown.remarked(rule), shown.void(rule)) for rule in rules],
            )
        )
    return el(
        "article",
        el("h3", "Law book"),
        el("p", f"{plural(len(shown), 'rule')}, the strongest first.", cls="lede"),
        sections,
        cls="book",
    )


def rule(shown: Rule) -> Element:
    """Return one rule by itself."""
    return el(
        "article",
        headed([el("span", str(shown.number), cls="no"), " ", shown.title], shown.tier),
        _body(shown, alone=True),
        cls="rule",
    )


def _folded(shown: Rule, void: str) -> Element:
    marks: list[Child] = []
    if void:
        marks += [" ", mark(void, cls="void")]
    if shown.how != "initial":
        marks += [" ", soft("· ", _short(shown))]
    if not shown.law and not _kept(shown):
        marks += [" ", soft("· for the players")]
    if len(shown.remarks) > (1 if void else 0):
        marks += [" ", soft("· judged")]
    head: list[Child] = [el("span", str(shown.number), cls="no"), " ", el("span", shown.title, cls="title"), marks]
    return fold(head, el("div", _body(shown, void=void), cls="body"), cls="entry is-void" if void else "entry")


def _kept(shown: Rule) -> bool:
    return len(shown.parts) == 1 and any(note.startswith(KEPT_BY_THE_KIT) for note in shown.notes)


def _short(shown: Rule) -> str:
    by = "" if shown.proposal is None else f" by {shown.proposal}"
    how = {"settled": "agreed", "automatic": "amended automatically"}.get(shown.how, shown.how)
    return f"{how}{by}" if by or shown.how in HOW else f"{how} by a rule"


def _remarks(found: Iterable[str]) -> Element | None:
    """Return what is remarked on a rule; each remark may have words of players in it."""
    items = [el("li", el("bdi", upper_first(one))) for one in found]
    return el("ul", items, cls="remarks") if items else None


def _body(shown: Rule, *, alone: bool = False, void: str = "") -> list[Child]:
    parts: list[Child] = [_remarks(one for one in shown.remarks if one != void)]
    parts.append(el("div", prose(shown.wording), cls="wording"))
    if shown.law:
        parts.append(fold("Clauses", clauses(shown.law), is_open=alone))
    elif not _kept(shown):
        parts.append(el("p", "No clauses: people apply this rule.", cls="soft"))
    before = shown.before
    if before is not None:
        parts.append(_changed(before, shown, is_open=alone))
    if len(shown.parts) > 1:
        parts.append(_parts(shown))
    if shown.notes:
        about = "Notes" if len(shown.parts) == 1 else "Notes on the original"
        parts.append(fold(about, [el("div", prose(note), cls="note") for note in shown.notes]))
    parts.append(_history(shown))
    return parts


def _changed(before: Rule, after: Rule, *, is_open: bool) -> Element | None:
    """Return what the last change did to wording and clauses; None where it touched neither."""
    changes = changed_text(before.wording, before.law, after.wording, after.law)
    by = "the last change" if after.proposal is None else str(after.proposal)
    return fold(f"What {by} changed", el("div", changes, cls="redline"), is_open=is_open) if changes else None


def changed_text(old_wording: str, old_law: str, new_wording: str, new_law: str) -> list[Child]:
    """Return redlines of wording and clauses, of each only where it changes."""
    made: list[Child] = []
    wording = redline(blocks(old_wording), blocks(new_wording))
    law = redline(clause_blocks(old_law), clause_blocks(new_law))
    if is_changed(wording):
        made.append(el("div", passages(wording), cls="wording"))
    if is_changed(law):
        made += [el("p", "Clauses", cls="label"), passages(law)]
    return made


def _parts(shown: Rule) -> Element:
    """Return the original and the amendments as the list that rules speak of (103)."""
    items = []
    for at, part in enumerate(shown.parts):
        name = "The original" if at == 0 else f"Amendment {at}, {_amended_by(shown, at)}"
        states = (
            "repealed" if part.repealed
            else "in force" if any(part is one for one in shown.standing)
            else "no longer in force"
        )  # fmt: skip
        beside = ", beside what was there" if part.beside else ""
        items.append(el("li", el("strong", name), f" ({states}{beside})", prose(part.wording), clauses(part.law)))
    return fold("Original and amendments", el("ul", items, cls="parts"))


def _amended_by(shown: Rule, at: int) -> str:
    """Say what made an amendment: a proposal, or a rule by itself."""
    made = next(one for one in shown.history if len(one.parts) > at)
    return "automatic" if made.how == "automatic" else f"by {shown.parts[at].number}"


def _history(shown: Rule) -> Element:
    versions = shown.history
    if len(versions) == 1:
        return el("p", _event(versions[0]), cls="history")
    return el("div", fold(_event(shown), el("ol", [el("li", _event(one)) for one in versions])), cls="history")


def _event(version: Rule) -> list[Child]:
    """Say how and by whom a version came."""
    made: list[Child] = [HOW.get(version.how) or upper_first(version.how)]
    before = version.before
    if version.how not in HOW:
        made.append(" by a rule" if version.proposal is None else f" by {version.proposal}")
    when = f"turn {version.turn}" if version.turn else ""
    if version.author and version.how != "initial":
        made += [" (", who(version.author), f", {when}" if when else None, ")"]
    elif when:
        made.append(f" ({when})")
    if before is not None:
        was = [
            f"number {before.number}" if before.number != version.number else "",
            before.tier if before.tier != version.tier else "",
            f"“{before.title}”" if before.title != version.title else "",
        ]
        is_now = [
            str(version.number) if was[0] else "",
            version.tier if was[1] else "",
            f"“{version.title}”" if was[2] else "",
        ]
        if any(was):
            made.append("; was " + ", ".join(filter(None, was)) + "; now " + ", ".join(filter(None, is_now)))
    return [*made, "."]
