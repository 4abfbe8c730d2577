"""The law book, for print."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.play.values import JUDGMENT_STATUS
from nomic_nb.engine.words import count_phrase, upper_first
from nomic_nb.notebook.documents.page import PageAnchors, contents_list, game_anchors, page_section, whole_page
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
    describe_origin,
    draw_notes,
    draw_remarks,
    draw_rule_history,
    enforcement_marks,
    no_clauses_note,
    number_as_shown,
    tier_heading,
)
from nomic_nb.notebook.show.proposals import judgment_paragraphs
from nomic_nb.study.views.enforcement import is_enforced_without_clauses, notes_beside_wording


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
    anchors = game_anchors(game)
    title = f"The law of {game.ruleset.title}"
    turn = f"as it stands in turn {game.turn}" if game.turn else "as it stands before the first turn"
    changed = sum(1 for rule in game.rules if rule.before is not None or rule.how != "initial")
    are = "is" if changed == 1 else "are"
    since = f" {count_phrase(changed, 'rule')} made or changed in play {are} marked with a star."
    judged, source_notes = judgment_section(game, anchors), game.ruleset.source_notes
    entries = [
        build_element(
            "li",
            anchors.link(place, heading),
            item_list(
                ([anchors.link(f"rule-{one.id}", f"{one.number} {one.title}"), _draw_star(one)] for one in rules),
                tag="ol",
            ),
        )
        for place, heading, _, rules in rule_tiers(game)
    ]
    return whole_page(
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
            build_element("li", anchors.link("judgments", "Judgments")) if judged is not None else None,
            build_element("li", anchors.link("source-notes", "Notes on the source")) if source_notes else None,
        ),
        tier_sections(game, anchors),
        page_section(anchors, "judgments", "Judgments", judged) if judged is not None else None,
        page_section(anchors, "source-notes", "Notes on the source", wording_section(source_notes))
        if source_notes
        else None,
        draw_notes(game.rules),
        cls="law-book",
    )


def rule_tiers(game: BaseGame) -> list[tuple[str, str, str, list[Rule]]]:
    """Return the standings that rules have, the strongest first: place, heading, what is to be said of it, rules."""
    tiers = enumerate(game.rules.by_tier().items(), 1)
    return [(f"tier-{at}", *tier_heading(tier), rules) for at, (tier, rules) in tiers]


def tier_sections(game: BaseGame, anchors: PageAnchors, *, redlines: bool = False) -> list[Element]:
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
    for place, heading, about, rules in rule_tiers(game):
        said = f"{count_phrase(len(rules), 'rule')}{f' – {about}' if about else ''}."
        shown = [_rule_section(game, one, anchors, initial.get(one.id)) for one in rules]
        made.append(_tier_section(heading, anchors.id(place), said, shown))
    return made


def repealed_section(game: BaseGame, anchors: PageAnchors) -> Element | None:
    """Return the rules that are in force no more, struck out; None where there are none."""
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
            build_element("p", _describe_repeal(game, rule), cls="history"),
            _rule_history(rule),
            cls="rule made",
        )
        for rule in gone
    ]
    return _tier_section("No longer in force", anchors.id("gone"), "Rules that were repealed.", shown) if gone else None


def _describe_repeal(game: BaseGame, rule: Rule) -> str:
    """Tell how a rule that is in force no more came to its end."""
    events = (one for one in game.timeline.standing if one.kind == "repealed" and one.data.get("rule") == rule.id)
    found = next(events, None)
    if found is None:
        return "Repealed."
    by = "a rule" if found.data["number"] is None else str(found.data["number"])
    return f"Repealed by {by} (turn {found.turn})."


def _tier_section(heading: str, place: str, about: str, shown: list[Element]) -> Element:
    rules = build_element("div", shown, cls="rules")
    return build_element(
        "section",
        build_element("h3", heading, id=place),
        build_element("p", quiet_text(about), cls="about"),
        rules,
        cls="tier",
    )


def _rule_heading(rule: Rule, anchors: PageAnchors, *marks: Child) -> Element:
    reach = quiet_text(" · ", rule.reach) if rule.reach else None
    return build_element(
        "h4",
        number_as_shown(rule),
        " ",
        build_element("span", rule.title, cls="title"),
        reach,
        marks,
        id=anchors.id(f"rule-{rule.id}"),
    )


def _draw_star(rule: Rule) -> Child:
    return (
        [" ", build_element("abbr", "★", title="made or changed in play", cls="star")]
        if describe_origin(rule)
        else None
    )


def _rule_section(game: BaseGame, rule: Rule, anchors: PageAnchors, initial: Rule | None) -> Element:
    void = game.rules.void(rule)
    no_law = None if is_enforced_without_clauses(rule) else no_clauses_note()
    about = f"Against the initial rule {initial.number}" if initial is not None else ""
    return build_element(
        "section",
        _rule_heading(rule, anchors, _draw_star(rule)),
        None if void else build_element("p", enforcement_marks(rule)),
        build_element("p", badge(upper_first(void), cls="void")) if void else None,
        None if void else draw_remarks(notes_beside_wording(rule, game.state)),
        wording_section(rule.wording),
        clause_list(rule.law) if rule.law else no_law,
        redline_elements(initial, rule, subheading(about)) if initial is not None else None,
        [build_element("div", prose_elements(note), cls="note quoted") for note in rule.notes],
        _rule_history(rule),
        _judgment_links(game, rule, anchors),
        cls=f"rule {'is-void' if void else ''} {'made' if describe_origin(rule) else ''}",
    )


def _rule_history(rule: Rule) -> Element | None:
    """Return how a rule came to be what it is, and on demand what each version changed; None for an initial rule."""
    came = describe_origin(rule)
    if not came or rule.before is None:
        return build_element("p", came, cls="history") if came else None
    return draw_rule_history(came, rule)


# -------------------------------------------------------------------------------------------- judgments


def judgment_section(game: BaseGame, anchors: PageAnchors) -> list[Child] | None:
    """Return the judgments of a game, each in one place; None where there are none."""
    made: list[Child] = []
    for one in game.judgments:
        name: list[Child] = [build_element("strong", f"Judgment {one.id}"), " – ", badge(JUDGMENT_STATUS[one.status])]
        heading = build_element("p", name, id=anchors.id(f"judgment-{one.id}"))
        made.append(
            build_element(
                "section", heading, judgment_paragraphs(one, game.judgments.numbers, anchors.link), cls="judgment"
            )
        )
    return made or None


def _judgment_links(game: BaseGame, rule: Rule, anchors: PageAnchors) -> Element | None:
    """Return the judgments that rest on a rule, as links; None where there are none."""
    found: list[Child] = [
        [
            anchors.link(f"judgment-{one.id}", f"Judgment {one.id}"),
            [", ", player_name(one.ruling.judge), ": ", one.ruling.text] if one.ruling is not None else None,
            f" ({JUDGMENT_STATUS[one.status]})",
        ]
        for one in game.judgments.on(rule)
    ]
    return item_list(found, "judged")
