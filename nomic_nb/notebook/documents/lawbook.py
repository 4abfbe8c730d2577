"""The law book, for print."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.play.values import JUDGMENT_STATUS
from nomic_nb.engine.words import count_phrase, upper_first
from nomic_nb.notebook.documents.authored import GameAnchors
from nomic_nb.notebook.documents.page import anchored_section, contents_list, page_html
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.markup.prose import (
    clause_list,
    compare_texts,
    passage_elements,
    prose_elements,
    read_blocks,
    redline_elements,
    wording_section,
)
from nomic_nb.notebook.markup.tree import Child, badge, build_element, item_list, player_name, quiet_text, subheading
from nomic_nb.notebook.show.law import (
    ENFORCEMENT_LEGEND,
    authored_wording,
    describe_origin,
    draw_notes,
    draw_remarks,
    draw_rule_history,
    enforcement_marks,
    no_clauses_paragraph,
    rule_number_label,
    tier_heading,
)
from nomic_nb.notebook.show.proposals import judgment_paragraphs
from nomic_nb.study.frames import repeals
from nomic_nb.study.views.enforcement import is_enforced_without_clauses, notes_beside_wording, notes_for_readers


def law_book_html(game: BaseGame) -> str:
    """Return the law book of a game as one page of HTML, to be printed.

    Parameters
    ----------
    game : BaseGame
        As it stands, or as it was.

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
    anchors = GameAnchors(game)
    title = f"The rules of {game.ruleset.title}"
    turn = f"as of turn {game.turn}" if game.turn else "before the first turn"
    changed = sum(1 for rule in game.rules if rule.before is not None or rule.how != "initial")
    are = "is" if changed == 1 else "are"
    since = f" {count_phrase(changed, 'rule')} made or changed in play {are} marked with a star."
    judged, source_notes = judgment_section(game, anchors), game.ruleset.source_notes
    entries = [
        build_element(
            "li",
            anchors.link_to(place, heading),
            item_list(
                (
                    [anchors.link_to(f"rule-{rule.id}", f"{rule.number} {rule.title}"), _changed_in_play_star(rule)]
                    for rule in rules
                ),
                tag="ol",
            ),
        )
        for place, heading, _, rules in rule_tiers(game)
    ]
    return page_html(
        title,
        build_element(
            "header",
            build_element("h1", title),
            build_element(
                "p", f"{count_phrase(len(game.rules), 'rule')}, {turn}.{since if changed else ''}", cls="result"
            ),
            build_element("p", quiet_text("Source: ", game.ruleset.source, "."), cls="source"),
            build_element("p", quiet_text(ENFORCEMENT_LEGEND), cls="source"),
        ),
        contents_list(
            entries,
            build_element("li", anchors.link_to("judgments", "Judgments")) if judged is not None else None,
            build_element("li", anchors.link_to("source-notes", "Notes on the source")) if source_notes else None,
        ),
        tier_sections(game, anchors),
        anchored_section(anchors, "judgments", "Judgments", judged) if judged is not None else None,
        anchored_section(anchors, "source-notes", "Notes on the source", wording_section(source_notes))
        if source_notes
        else None,
        draw_notes(game.rules),
        cls="law-book",
    )


def rule_tiers(game: BaseGame) -> list[tuple[str, str, str, list[Rule]]]:
    """Return the tiers of rules, strongest first, as tuples (HTML anchor, heading, remark, rules)."""
    tiers = enumerate(game.rules.rules_by_tier().items(), 1)
    return [(f"tier-{at}", *tier_heading(tier), rules) for at, (tier, rules) in tiers]


def tier_sections(game: BaseGame, anchors: GameAnchors, *, redlines: bool = False) -> list[Element]:
    """Return the rules in force as one section per tier, on request with redlines against the initial rules.

    Parameters
    ----------
    game : BaseGame
        As it stands.
    anchors : Anchors
        Of the page.
    redlines : bool
        Whether rules are compared with the initial set.
    """
    elements = []
    initial = game.timeline.before.rules.rules if redlines else {}
    for place, heading, about, rules in rule_tiers(game):
        sentence = f"{count_phrase(len(rules), 'rule')}{f' – {about}' if about else ''}."
        shown = [_rule_section(game, rule, anchors, initial.get(rule.id)) for rule in rules]
        elements.append(_tier_section(heading, anchors.add_anchor(place), sentence, shown))
    return elements


def repealed_section(game: BaseGame, anchors: GameAnchors) -> Element | None:
    """Return a section of all repealed rules, struck out, with their history, or None."""
    gone = game.state.rules.repealed
    shown = [
        build_element(
            "section",
            _rule_heading(rule, anchors),
            build_element(
                "div",
                build_element("div", passage_elements(compare_texts(read_blocks(rule.wording), ())), cls="wording"),
                cls="redline quoted",
            ),
            build_element("p", _repeal_sentence(game, rule), cls="history"),
            _rule_history(rule),
            cls="rule made",
        )
        for rule in gone
    ]
    return (
        _tier_section("No longer in force", anchors.add_anchor("gone"), "Rules that were repealed.", shown)
        if gone
        else None
    )


def _repeal_sentence(game: BaseGame, rule: Rule) -> str:
    """Return a sentence on what repealed a rule (a proposal, by number, or another rule) and in which turn."""
    event = repeals(game.timeline)[rule.id]
    number = event.data.get("number")
    return f"Repealed by {'a rule' if number is None else number} (turn {event.turn})."


def _tier_section(heading: str, html_id: str, remark: str, rule_elements: list[Element]) -> Element:
    """Return the section of one tier: a heading with its HTML id, a remark on the tier, and its rules."""
    rules = build_element("div", rule_elements, cls="rules")
    return build_element(
        "section",
        build_element("h3", heading, id=html_id),
        build_element("p", quiet_text(remark), cls="about"),
        rules,
        cls="tier",
    )


def _rule_heading(rule: Rule, anchors: GameAnchors, *marks: Child) -> Element:
    """Return a rule's heading, which links can lead to: number, title, where it applies, then `marks`."""
    reach = quiet_text(" · ", rule.reach_in_words) if rule.reach_in_words else None
    return build_element(
        "h4",
        rule_number_label(rule),
        " ",
        build_element("span", rule.title, cls="title"),
        reach,
        marks,
        anchors.other_numbers(rule),
        anchors.copy_link(f"rule-{rule.id}"),
        id=anchors.add_anchor(f"rule-{rule.id}"),
    )


def _changed_in_play_star(rule: Rule) -> Child:
    """Return a star if a rule was made or changed in play; None for an unchanged initial rule."""
    return (
        [" ", build_element("abbr", "★", title="made or changed in play", cls="star")]
        if describe_origin(rule)
        else None
    )


def _rule_section(game: BaseGame, rule: Rule, anchors: GameAnchors, initial: Rule | None) -> Element:
    """Return a rule for print: text, notes, history, judgments; a redline if its `initial` form is given."""
    void = game.rules.void_reason(rule)
    no_law = None if is_enforced_without_clauses(rule) else no_clauses_paragraph()
    about = f"Against the initial rule {initial.number}" if initial is not None else ""
    return build_element(
        "section",
        _rule_heading(rule, anchors, _changed_in_play_star(rule)),
        None if void else build_element("p", enforcement_marks(rule)),
        build_element("p", badge(upper_first(void), cls="void")) if void else None,
        None if void else draw_remarks(notes_beside_wording(rule, game.state)),
        authored_wording(rule, game.rules),
        clause_list(rule.law) if rule.law else no_law,
        redline_elements(initial, rule, subheading(about)) if initial is not None else None,
        [build_element("div", prose_elements(note), cls="note quoted") for note in notes_for_readers(rule)],
        _rule_history(rule),
        _judgment_links(game, rule, anchors),
        cls=f"rule {'is-void' if void else ''} {'made' if describe_origin(rule) else ''}",
    )


def _rule_history(rule: Rule) -> Element | None:
    """Return how a rule came about, earlier versions folded; None for an unchanged initial rule."""
    came = describe_origin(rule)
    if not came or rule.before is None:
        return build_element("p", came, cls="history") if came else None
    return draw_rule_history(came, rule)


# -------------------------------------------------------------------------------------------- judgments


def judgment_section(game: BaseGame, anchors: GameAnchors) -> list[Child] | None:
    """Return the judgments of a game as sections that links can lead to, or None."""
    sections: list[Child] = []
    for judgment in game.judgments:
        name: list[Child] = [
            build_element("strong", f"Judgment {judgment.id}"),
            " – ",
            badge(JUDGMENT_STATUS[judgment.status]),
        ]
        heading = build_element("p", name, id=anchors.add_anchor(f"judgment-{judgment.id}"))
        sections.append(
            build_element(
                "section",
                heading,
                judgment_paragraphs(judgment, game.judgments.current_rule_numbers, anchors.link_to),
                cls="judgment",
            )
        )
    return sections or None


def _judgment_links(game: BaseGame, rule: Rule, anchors: GameAnchors) -> Element | None:
    """Return a list of links to the judgments whose rulings rest on a rule, or None."""
    links: list[Child] = [
        [
            anchors.link_to(f"judgment-{judgment.id}", f"Judgment {judgment.id}"),
            [", ", player_name(judgment.ruling.judge), ": ", judgment.ruling.text]
            if judgment.ruling is not None
            else None,
            f" ({JUDGMENT_STATUS[judgment.status]})",
        ]
        for judgment in game.judgments.resting_on(rule)
    ]
    return item_list(links, "judged")
