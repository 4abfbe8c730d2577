"""The law book, for print."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from nomic_nb.documents import facts, judged
from nomic_nb.documents.page import Anchors, anchors_of, contents, node, opening, page
from nomic_nb.law.rules import Rule
from nomic_nb.show.law import changed_text
from nomic_nb.show.markup import Child, mark, plural, soft, upper_first
from nomic_nb.show.prose import clauses, prose

if TYPE_CHECKING:
    from nomic_nb.live.base import BaseGame


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
    changed = sum(1 for rule in game.rules if facts.is_amended(rule) or rule.how != "initial")
    since = f" {plural(changed, 'rule')} made or changed in play {'is' if changed == 1 else 'are'} marked with a star."
    header = opening(
        title,
        node("p", f"{plural(len(game.rules), 'rule')}, {turn}.{since if changed else ''}", cls="result"),
        node("p", soft("Source: ", game.ruleset.source, "."), cls="source"),
    )
    judgments: Child = None
    if len(game.judgments):
        heading = node("h2", "Judgments", id=anchors.id("judgments"))
        told = judged.judgments(game, anchors, set(game.state.rules.rules))
        judgments = node("section", heading, told, cls="judgments")
    return page(title, header, listing(game, anchors), tiers(game, anchors), judgments, cls="law-book")


def listing(game: BaseGame, anchors: Anchors) -> Element:
    """Return the table of contents of a law book."""
    parts = []
    for tier, rules in game.rules.by_tier().items():
        parts.append(node("li", anchors.link(_tier_place(tier, game), facts.tier_heading(tier)[0])))
        lines = [node("li", anchors.link(f"rule-{one.id}", f"{one.number} {one.title}"), _star(one)) for one in rules]
        parts[-1].append(node("ol", lines))
    if len(game.judgments):
        parts.append(node("li", anchors.link("judgments", "Judgments")))
    return contents(parts)


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
    initial = facts.initial_rules(game) if redlines else {}
    for tier, rules in game.rules.by_tier().items():
        heading, about = facts.tier_heading(tier)
        made.append(
            node(
                "section",
                node("h3", heading, id=anchors.id(_tier_place(tier, game))),
                node("p", soft(plural(len(rules), "rule"), f" – {about}" if about else "", "."), cls="about"),
                node("div", [_rule(game, one, anchors, initial.get(one.id)) for one in rules], cls="rules"),
                cls="tier",
            )
        )
    return made


def repealed(game: BaseGame, anchors: Anchors) -> list[Element]:
    """Return the rules that are in force no more, struck out."""
    return [
        node(
            "section",
            _heading(rule, anchors),
            node("div", changed_text(rule.wording, "", "", ""), cls="redline"),
            node("p", " ".join(filter(None, [facts.pedigree(rule), facts.repeal_of(game, rule)])), cls="history"),
            cls="rule",
        )
        for rule in game.state.rules.repealed
    ]


def _tier_place(tier: str, game: BaseGame) -> str:
    return f"tier-{list(game.rules.by_tier()).index(tier) + 1}"


def _heading(rule: Rule, anchors: Anchors, *marks: Child) -> Element:
    number = node("span", str(rule.number), cls="no")
    return node("h4", number, " ", node("span", rule.title, cls="title"), marks, id=anchors.id(f"rule-{rule.id}"))


def _star(rule: Rule) -> Child:
    return [" ", node("abbr", "★", title="made or changed in play", cls="star")] if facts.pedigree(rule) else None


def _rule(game: BaseGame, rule: Rule, anchors: Anchors, initial: Rule | None) -> Element:
    void = game.rules.void(rule)
    pedigree = facts.pedigree(rule)
    made: list[Child] = [
        _heading(rule, anchors, _star(rule)),
        node("p", mark(upper_first(void), cls="void")) if void else None,
        node("div", prose(rule.wording), cls="wording"),
    ]
    if rule.law:
        made.append(clauses(rule.law))
    elif facts.for_the_players(rule):
        made.append(node("p", soft("No clauses: people apply this rule."), cls="people"))
    if initial is not None and initial is not rule:
        changes = changed_text(initial.wording, initial.law, rule.wording, rule.law)
        if changes:
            about = node("p", f"Against the initial rule {initial.number}", cls="label")
            made.append(node("div", about, changes, cls="redline"))
    made += [node("div", prose(note), cls="note") for note in rule.notes]
    made.append(node("p", pedigree, cls="history") if pedigree else None)
    made.append(judged.on_rule(game, rule.id, anchors))
    return node("section", made, cls="rule is-void" if void else "rule")
