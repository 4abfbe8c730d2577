"""A review: what a rule-change would do, for those who are about to vote on it."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from nomic_nb.chess.play.records import kind_name
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.words import upper_first
from nomic_nb.notebook.markup.prose import redline_elements
from nomic_nb.notebook.markup.tree import (
    Child,
    TableRows,
    badge,
    build_element,
    folded_section,
    heading_with_badge,
    item_list,
    number_heading,
    player_name,
    quiet_paragraph,
    quiet_text,
    table_element,
)
from nomic_nb.notebook.show.law import sentence_list
from nomic_nb.notebook.show.proposals import draw_part
from nomic_nb.study.review.boards.compare import BoardEffects
from nomic_nb.study.review.boards.meter import FairPlayMeter
from nomic_nb.study.review.boards.moves import ArmyMoves
from nomic_nb.study.review.review import Review, verdict
from nomic_nb.study.review.terms import ChangedTerm, answer_and_rule
from nomic_nb.study.review.votes import NeededVotes
from nomic_nb.study.views.explanations import explain
from nomic_nb.study.views.redline import RuleDifference

#: Voters beyond which their table is folded.
MOST_LISTED = 12


def draw_review(shown: Review) -> Element:
    """Return a review: the verdict first, then what changes, then the warning signs."""
    return build_element(
        "article",
        heading_with_badge("Review", *_renumbering_section(shown)),
        build_element(
            "p",
            upper_first(shown.change.headline),
            ". ",
            quiet_text("As ", player_name(shown.player), _number_note(shown)),
            cls="lede",
        ),
        [build_element("p", build_element("strong", one) if at == 0 else one) for at, one in enumerate(verdict(shown))],
        _steps_section(shown),
        _warnings(shown),
        _redline_section(shown.redline) if shown.redline else None,
        _explanation_section(shown),
        [build_element("h4", "The changes"), [draw_part(one) for one in shown.parts]] if shown.parts else None,
        _terms_section("Terms that change", [one for one in shown.turned if not one.recast]),
        _listed_section("Terms that stay for now, by another clause", [one for one in shown.turned if one.recast]),
        _listed_section("Void and revived", shown.voided),
        _listed_section("Which rule prevails", shown.met),
        _listed_section("Numbers and standing", shown.moved),
        _listed_section("References left behind", shown.dangling),
        _boards_section(shown.on_boards) if shown.on_boards else None,
        _meter_section(shown.power) if shown.power else None,
        _listed_section("What else it sets off", shown.follows),
        _listed_section("Could rules still change afterwards?", [shown.future] if shown.future else []),
        _votes_section(shown.votes) if shown.votes and shown.votes.voters else None,
        cls="review",
    )


def _number_note(shown: Review) -> str:
    example = ", for example" if shown.example else ""
    return " would propose it." if shown.number is None else f" would propose it, as {shown.number}{example}."


def _renumbering_section(shown: Review) -> tuple[str, str]:
    if shown.error is not None:
        return "cannot be read", "no-go"
    if shown.missing or shown.proposable is False:
        return "cannot be proposed now", "no-go"
    if shown.without_effect:
        return "without effect", "no-go"
    if shown.votes is not None and shown.votes.passes is False:
        return "cannot pass", "no-go"
    if shown.proposable is None or shown.votes is None or shown.votes.passes is None:
        return "open", ""
    return "can pass", "go"


def _steps_section(shown: Review) -> Child:
    if shown.steps:
        steps = build_element(
            "ol",
            [build_element("li", f"{upper_first(str(step))}.", value=at) for at, step in enumerate(shown.steps, 1)],
        )
        return [build_element("h4", "What has to come first"), steps]
    if shown.way_round is not None:
        said = "The rule itself cannot be changed; a new rule could prevail over it: "
        return [build_element("h4", "What has to come first"), build_element("p", said, f"{shown.way_round}.")]
    return None


def _warnings(shown: Review) -> Child:
    signs = item_list([badge(one.name), " ", one.evidence] for one in shown.warnings)
    hint = quiet_text("hints; none of them stops anything")
    return [build_element("h4", "Worth a thought before the vote ", hint), signs] if signs is not None else None


def _redline_section(shown: RuleDifference) -> Child:
    old, new = shown.old, shown.new
    made: list[Child] = [build_element("h4", "The rule")]
    if shown.same_text:
        return [*made, quiet_paragraph("Its text stays as it is.")]
    if old is not None and new is None:
        made.append(build_element("p", f"Rule {old.number} “{old.title}” is struck out whole."))
    elif new is not None and (old is None or old.title != new.title):
        made.append(
            build_element(
                "p", "Title: ", [build_element("del", old.title), " "] if old else None, build_element("ins", new.title)
            )
        )
    return [*made, redline_elements(old, new, cls="redline")]


def _explanation_section(shown: Review) -> Child:
    """Return what the clauses say, as the machine understood them; nothing where they cannot be read."""
    found = explain(shown.change).clauses if shown.error is None else ()
    return [build_element("h4", "The clauses in plain words"), sentence_list(found)] if found else None


def _terms_section(caption: str, turned: list[ChangedTerm]) -> Child:
    if not turned:
        return None
    rows: TableRows = [
        [
            [build_element("code", one.key), " ", quiet_text(one.meaning)],
            one.case or "in every case",
            _answer_cell(one.old),
            _answer_cell(one.new),
        ]
        for one in turned
    ]
    return [build_element("h4", caption), table_element("Before and after", ["Term", "Case", "Before", "After"], rows)]


def _answer_cell(found: Finding) -> Element:
    return (
        build_element("span", answer_and_rule(found))
        if found.answered
        else build_element("strong", answer_and_rule(found))
    )


def _listed_section(title: str, found: Iterable[object]) -> Child:
    made = item_list(str(one) if isinstance(one, ChangedTerm) else upper_first(str(one)) for one in found)
    return [build_element("h4", title), made] if made is not None else None


def _boards_section(shown: BoardEffects) -> Child:
    """Return what changes on the boards: in sentences, painted, and army by army."""
    made: list[Child] = [build_element("h4", "On the boards"), item_list(map(upper_first, shown.in_lines))]
    if shown.drawing is not None:
        made.append(shown.drawing.element())
    if not shown.same_moves:
        counted = map(number_heading, ("Before", "After", "Gained", "Lost"))
        caption = "Legal moves over all pushes, if the army’s turn began now"
        made.append(
            table_element(
                caption, ["Army", "Moved by", *counted, "By kind"], [_army_section(one) for one in shown.moves]
            )
        )
        told = item_list(f"{army.army}: {line}" for army in shown.moves for line in army.told)
        made.append(folded_section("The most telling moves", told) if told is not None else None)
    return made


def _meter_section(shown: FairPlayMeter) -> Child:
    """Return what becomes of the power of each kind of piece, player by player."""
    rows: TableRows = [
        [kind_name(kind).capitalize(), *(shown.said(name, kind) for name in shown.players)] for kind in shown.kinds
    ]
    caption = "How many pieces, and whether they could do more or less: moves that come and go, in the positions tried"
    found = table_element(caption, ["Kind", *map(player_name, shown.players)], rows)
    return [build_element("h4", "Fair play"), shown.picture.element(), found, item_list(map(upper_first, shown.told))]


def _army_section(shown: ArmyMoves) -> list[Child]:
    said = ", ".join(str(one) for one in shown.kinds)
    if shown.counts[0] != shown.counts[1] and not any(shown.doubts):
        said = "; ".join([*([said] if said else []), f"{shown.counts[1]} in a turn, not {shown.counts[0]}"])
    counts = (shown.before, shown.after, *((len(shown.gained), len(shown.lost)) if shown.kinds else (None, None)))
    plain = ["?" if one is None else str(one) for one in counts[:2]]
    turned = ["" if one is None else str(one) for one in counts[2:]]
    return [shown.army, player_name(shown.player), *plain, *turned, shown.doubts[1] or said]


def _votes_section(shown: NeededVotes) -> Child:
    rows: TableRows = [
        [player_name(one.name), str(one.weight), "?" if one.decides is None else f"{one.decides} of {shown.ways}"]
        for one in shown.voters
    ]
    found = table_element("Who may vote", ["Voter", number_heading("Weight"), number_heading("Decides")], rows)
    return [
        build_element("h4", "The vote"),
        folded_section("Voter by voter", found) if len(rows) > MOST_LISTED else found,
    ]
