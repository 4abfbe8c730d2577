"""The law book, for print."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.play.values import STATUS
from nomic_nb.engine.words import plural, upper_first
from nomic_nb.notebook.documents.page import Anchors, anchors_of, contents, page, part
from nomic_nb.notebook.live.base import BaseGame
from nomic_nb.notebook.markup.prose import blocks, changed_text, clauses, passages, prose, redline, worded
from nomic_nb.notebook.markup.tree import Child, el, items, mark, soft, subhead, who
from nomic_nb.notebook.show.law import (
    LEGEND,
    history,
    no_clauses,
    notes,
    number_of,
    pedigree,
    remarks,
    signs,
    tier_heading,
)
from nomic_nb.notebook.show.proposals import told
from nomic_nb.study.views.law import beside_wording, kept_without_clauses


def law_book_html(game: BaseGame) -> str:
    """Return the law book of a game as one page of HTML, to be printed.

    Parameters
    ----------
    game : BaseGame
        As it stands, or as it stood.

    Returns
    -------
    str
        The rules in force by their standing, the strongest first: wording, clauses, notes, the judgments that
        rest on them; what was changed in play is marked. The page loads nothing and runs nothing.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> made = law_book_html(game)
    >>> made.startswith("<!DOCTYPE html>"), made.count("<h4") == len(game.rules)
    (True, True)
    """
    anchors = anchors_of(game)
    title = f"The law of {game.ruleset.title}"
    turn = f"as it stands in turn {game.turn}" if game.turn else "as it stands before the first turn"
    changed = sum(1 for rule in game.rules if rule.before is not None or rule.how != "initial")
    since = f" {plural(changed, 'rule')} made or changed in play {'is' if changed == 1 else 'are'} marked with a star."
    judged, source_notes = judgments(game, anchors), game.ruleset.source_notes
    entries = [
        el(
            "li",
            anchors.link(place, heading),
            items(
                ([anchors.link(f"rule-{one.id}", f"{one.number} {one.title}"), _star(one)] for one in rules), tag="ol"
            ),
        )
        for place, heading, _, rules in standings(game)
    ]
    return page(
        title,
        el(
            "header",
            el("h1", title),
            el("p", f"{plural(len(game.rules), 'rule')}, {turn}.{since if changed else ''}", cls="result"),
            el("p", soft("Source: ", game.ruleset.source, "."), cls="source"),
            el("p", soft(LEGEND), cls="source"),
        ),
        contents(
            entries,
            el("li", anchors.link("judgments", "Judgments")) if judged is not None else None,
            el("li", anchors.link("source-notes", "Notes on the source")) if source_notes else None,
        ),
        tiers(game, anchors),
        part(anchors, "judgments", "Judgments", judged) if judged is not None else None,
        part(anchors, "source-notes", "Notes on the source", worded(source_notes)) if source_notes else None,
        notes(game.rules),
        cls="law-book",
    )


def standings(game: BaseGame) -> list[tuple[str, str, str, list[Rule]]]:
    """Return the standings that rules have, the strongest first: place, heading, what is to be said of it, rules."""
    tiers = enumerate(game.rules.by_tier().items(), 1)
    return [(f"tier-{at}", *tier_heading(tier), rules) for at, (tier, rules) in tiers]


def tiers(game: BaseGame, anchors: Anchors, *, redlines: bool = False) -> list[Element]:
    """Return the rules in force, a section for each standing.

    Parameters
    ----------
    game : BaseGame
        As it stands.
    anchors : Anchors
        Of the page.
    redlines : bool
        Whether rules are compared with the initial set.
    """
    made = []
    initial = game.timeline.before.rules.rules if redlines else {}
    for place, heading, about, rules in standings(game):
        said = f"{plural(len(rules), 'rule')}{f' – {about}' if about else ''}."
        shown = [_rule(game, one, anchors, initial.get(one.id)) for one in rules]
        made.append(_tier(heading, anchors.id(place), said, shown))
    return made


def repealed(game: BaseGame, anchors: Anchors) -> Element | None:
    """Return the rules that are in force no more, struck out; None where there are none."""
    gone = game.state.rules.repealed
    shown = [
        el(
            "section",
            _heading(rule, anchors),
            el("div", el("div", passages(redline(blocks(rule.wording), ())), cls="wording"), cls="redline quoted"),
            el("p", _repeal(game, rule), cls="history"),
            _history(rule),
            cls="rule made",
        )
        for rule in gone
    ]
    return _tier("No longer in force", anchors.id("gone"), "Rules that were repealed.", shown) if gone else None


def _repeal(game: BaseGame, rule: Rule) -> str:
    """Tell how a rule that is in force no more came to its end."""
    events = (one for one in game.timeline.standing if one.kind == "repealed" and one.data.get("rule") == rule.id)
    found = next(events, None)
    if found is None:
        return "Repealed."
    by = "a rule" if found.data["number"] is None else str(found.data["number"])
    return f"Repealed by {by} (turn {found.turn})."


def _tier(heading: str, place: str, about: str, shown: list[Element]) -> Element:
    rules = el("div", shown, cls="rules")
    return el("section", el("h3", heading, id=place), el("p", soft(about), cls="about"), rules, cls="tier")


def _heading(rule: Rule, anchors: Anchors, *marks: Child) -> Element:
    reach = soft(" · ", rule.reach) if rule.reach else None
    return el(
        "h4", number_of(rule), " ", el("span", rule.title, cls="title"), reach, marks, id=anchors.id(f"rule-{rule.id}")
    )


def _star(rule: Rule) -> Child:
    return [" ", el("abbr", "★", title="made or changed in play", cls="star")] if pedigree(rule) else None


def _rule(game: BaseGame, rule: Rule, anchors: Anchors, initial: Rule | None) -> Element:
    void = game.rules.void(rule)
    no_law = None if kept_without_clauses(rule) else no_clauses()
    about = f"Against the initial rule {initial.number}" if initial is not None else ""
    return el(
        "section",
        _heading(rule, anchors, _star(rule)),
        None if void else el("p", signs(rule)),
        el("p", mark(upper_first(void), cls="void")) if void else None,
        None if void else remarks(beside_wording(rule, game.state)),
        worded(rule.wording),
        clauses(rule.law) if rule.law else no_law,
        changed_text(initial, rule, subhead(about)) if initial is not None else None,
        [el("div", prose(note), cls="note quoted") for note in rule.notes],
        _history(rule),
        _judged(game, rule, anchors),
        cls=f"rule {'is-void' if void else ''} {'made' if pedigree(rule) else ''}",
    )


def _history(rule: Rule) -> Element | None:
    """Return how a rule came to be what it is, and on demand what each version changed; None for an initial rule."""
    came = pedigree(rule)
    if not came or rule.before is None:
        return el("p", came, cls="history") if came else None
    return history(came, rule)


# -------------------------------------------------------------------------------------------- judgments


def judgments(game: BaseGame, anchors: Anchors) -> list[Child] | None:
    """Return the judgments of a game, each in one place; None where there are none."""
    made: list[Child] = []
    for one in game.judgments:
        name: list[Child] = [el("strong", f"Judgment {one.id}"), " – ", mark(STATUS[one.status])]
        heading = el("p", name, id=anchors.id(f"judgment-{one.id}"))
        made.append(el("section", heading, told(one, game.judgments.numbers, anchors.link), cls="judgment"))
    return made or None


def _judged(game: BaseGame, rule: Rule, anchors: Anchors) -> Element | None:
    """Return the judgments that rest on a rule, as links; None where there are none."""
    found: list[Child] = [
        [
            anchors.link(f"judgment-{one.id}", f"Judgment {one.id}"),
            [", ", who(one.ruling.judge), ": ", one.ruling.text] if one.ruling is not None else None,
            f" ({STATUS[one.status]})",
        ]
        for one in game.judgments.on(rule)
    ]
    return items(found, "judged")
