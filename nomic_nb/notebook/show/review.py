"""Display of a review: the effects of a rule change, for the players about to vote on it."""

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
from nomic_nb.notebook.show.law import clause_sentence_list
from nomic_nb.notebook.show.proposals import draw_change_in_group
from nomic_nb.study.review.boards.compare import BoardEffects
from nomic_nb.study.review.boards.meter import FairPlayMeter
from nomic_nb.study.review.boards.moves import ArmyMoves
from nomic_nb.study.review.review import Review, verdict_sentences
from nomic_nb.study.review.terms import ChangedTerm, answer_with_rule
from nomic_nb.study.review.votes import NeededVotes
from nomic_nb.study.views.explanations import explain
from nomic_nb.study.views.redline import RuleDifference

#: Voters beyond which their table is folded.
MOST_LISTED = 12


def draw_review(shown: Review) -> Element:
    """Return a review of a rule change: verdict, steps needed first, warnings, effects, vote."""
    return build_element(
        "article",
        heading_with_badge("Review", *_verdict_badge(shown)),
        build_element(
            "p",
            upper_first(shown.change.headline),
            ". ",
            quiet_text("As ", player_name(shown.player), _proposer_note(shown)),
            cls="lede",
        ),
        [
            build_element("p", build_element("strong", sentence) if at == 0 else sentence)
            for at, sentence in enumerate(verdict_sentences(shown))
        ],
        _steps_section(shown),
        _warnings_section(shown),
        _listed_section("Loopholes", shown.loopholes),
        _listed_section("What it does next", shown.next_effects),
        _redline_section(shown.redline) if shown.redline else None,
        _explanation_section(shown),
        [build_element("h4", "The changes"), [draw_change_in_group(proposed_rule) for proposed_rule in shown.parts]]
        if shown.parts
        else None,
        _terms_section("Settings that change", [changed for changed in shown.turned if not changed.recast]),
        _listed_section(
            "Terms that stay for now, by another clause", [changed for changed in shown.turned if changed.recast]
        ),
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


def _proposer_note(shown: Review) -> str:
    """Return the end of the sentence “As Ann would propose it, as 301”, from “would” on."""
    example = ", for example" if shown.example else ""
    return " would propose it." if shown.number is None else f" would propose it, as {shown.number}{example}."


def _verdict_badge(shown: Review) -> tuple[str, str]:
    """Return the words of the badge that sums up a review, such as “can pass”, and its CSS class."""
    if shown.error is not None:
        return "cannot be read", "no-go"
    if shown.missing or shown.proposable is False:
        return "cannot be proposed now", "no-go"
    if shown.no_effect_reason:
        return "without effect", "no-go"
    if shown.votes is not None and shown.votes.passes is False:
        return "cannot pass", "no-go"
    if shown.proposable is None or shown.votes is None or shown.votes.passes is None:
        return "open", ""
    return "can pass", "go"


def _steps_section(shown: Review) -> Child:
    """Return a section on what to propose before the change, or instead of it; None if there is nothing."""
    if shown.steps:
        steps = build_element(
            "ol",
            [build_element("li", f"{upper_first(str(step))}.", value=at) for at, step in enumerate(shown.steps, 1)],
        )
        return [build_element("h4", "What to propose first"), steps]
    if shown.way_round is not None:
        sentence = "The rule itself can’t be changed, but a new rule could take precedence over it: "
        return [build_element("h4", "What to propose first"), build_element("p", sentence, f"{shown.way_round}.")]
    return None


def _warnings_section(shown: Review) -> Child:
    """Return a section with the review's warnings and their evidence, or None."""
    signs = item_list([badge(sign.kind_in_words), " ", sign.evidence] for sign in shown.warnings)
    hint = quiet_text("hints only; none of them blocks the proposal")
    return [build_element("h4", "Check before you vote ", hint), signs] if signs is not None else None


def _redline_section(shown: RuleDifference) -> Child:
    """Return a section on how the rule's title, wording and clauses change."""
    old, new = shown.old, shown.new
    children: list[Child] = [build_element("h4", "The rule")]
    if shown.has_same_text:
        return [*children, quiet_paragraph("Its text stays the same.")]
    if old is not None and new is None:
        children.append(build_element("p", f"Rule {old.number} “{old.title}” is repealed."))
    elif new is not None and (old is None or old.title != new.title):
        children.append(
            build_element(
                "p", "Title: ", [build_element("del", old.title), " "] if old else None, build_element("ins", new.title)
            )
        )
    return [*children, redline_elements(old, new, cls="redline")]


def _explanation_section(shown: Review) -> Child:
    """Return a section with the new clauses in plain English; None without any, or if unreadable."""
    explaineds = explain(shown.change).clauses if shown.error is None else ()
    return [build_element("h4", "In plain English"), clause_sentence_list(explaineds)] if explaineds else None


def _terms_section(caption: str, changed_terms: list[ChangedTerm]) -> Child:
    """Return a section with a table of terms, each with value before and after, or None."""
    if not changed_terms:
        return None
    rows: TableRows = [
        [
            [build_element("code", changed.key), " ", quiet_text(changed.meaning)],
            changed.case or "in every case",
            _answer_element(changed.old),
            _answer_element(changed.new),
        ]
        for changed in changed_terms
    ]
    return [build_element("h4", caption), table_element("Before and after", ["Term", "Case", "Before", "After"], rows)]


def _answer_element(finding: Finding) -> Element:
    """Return a finding's value in words with its rules; in bold if the law gives no answer."""
    return (
        build_element("span", answer_with_rule(finding))
        if finding.answered
        else build_element("strong", answer_with_rule(finding))
    )


def _listed_section(title: str, items: Iterable[object]) -> Child:
    """Return a section with a heading and the items as a list; None if there are no items."""
    element = item_list(str(item) if isinstance(item, ChangedTerm) else upper_first(str(item)) for item in items)
    return [build_element("h4", title), element] if element is not None else None


def _boards_section(shown: BoardEffects) -> Child:
    """Return a section on what changes on the boards: sentences, a drawing, and moves per army."""
    children: list[Child] = [build_element("h4", "On the boards"), item_list(map(upper_first, shown.summary_lines))]
    if shown.drawing is not None:
        children.append(shown.drawing.element())
    if not shown.has_same_moves:
        counted = map(number_heading, ("Before", "After", "Gained", "Lost"))
        caption = "Legal moves on all boards that could be pushed together, if the army’s turn began now"
        children.append(
            table_element(
                caption,
                ["Army", "Moved by", *counted, "By kind"],
                [_army_row(army_moves) for army_moves in shown.moves],
            )
        )
        told = item_list(f"{army.army}: {line}" for army in shown.moves for line in army.changed_move_lines)
        children.append(folded_section("The most telling moves", told) if told is not None else None)
    return children


def _meter_section(shown: FairPlayMeter) -> Child:
    """Return the fair-play meter: a picture and a table of how the power of each kind of piece changes."""
    rows: TableRows = [
        [kind_name(kind).capitalize(), *(shown.describe_pieces(name, kind) for name in shown.players)]
        for kind in shown.kinds
    ]
    caption = "Number of pieces, and whether they could do more or less: moves gained and lost in the positions tried"
    element = table_element(caption, ["Kind", *map(player_name, shown.players)], rows)
    return [
        build_element("h4", "Fair play"),
        shown.picture.element(),
        element,
        item_list(map(upper_first, shown.evidence_sentences)),
    ]


def _army_row(shown: ArmyMoves) -> list[Child]:
    """Return the cells of a table row on an army: moves before and after, gained and lost, by kind."""
    sentence = ", ".join(str(kind_moves) for kind_moves in shown.kinds)
    if shown.counts[0] != shown.counts[1] and not any(shown.doubts):
        sentence = "; ".join(
            [*([sentence] if sentence else []), f"{shown.counts[1]} per turn instead of {shown.counts[0]}"]
        )
    counts = (shown.before, shown.after, *((len(shown.gained), len(shown.lost)) if shown.kinds else (None, None)))
    plain = ["?" if count is None else str(count) for count in counts[:2]]
    turned = ["" if count is None else str(count) for count in counts[2:]]
    return [shown.army, player_name(shown.player), *plain, *turned, shown.doubts[1] or sentence]


def _votes_section(shown: NeededVotes) -> Child:
    """Return a section with a table of voters: weight, and in how many cases each one's ballot decides."""
    rows: TableRows = [
        [
            player_name(possible_voter.name),
            str(possible_voter.weight),
            "?" if possible_voter.decides is None else f"{possible_voter.decides} of {shown.ways_others_can_vote}",
        ]
        for possible_voter in shown.voters
    ]
    element = table_element("Who may vote", ["Voter", number_heading("Weight"), number_heading("Decides")], rows)
    return [
        build_element("h4", "The vote"),
        folded_section("Voter by voter", element) if len(rows) > MOST_LISTED else element,
    ]
