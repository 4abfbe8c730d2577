"""A review: what a rule-change would do, for those who are about to vote on it."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from nomic_nb.chess.multiverse.rules import NAMES
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.words import upper_first
from nomic_nb.notebook.markup.prose import changed_text
from nomic_nb.notebook.markup.tree import (
    Child,
    Rows,
    el,
    fold,
    headed,
    items,
    mark,
    number_head,
    quiet,
    soft,
    table,
    who,
)
from nomic_nb.notebook.show.law import sentences
from nomic_nb.notebook.show.proposals import part
from nomic_nb.study.review.boards.compare import OnBoards
from nomic_nb.study.review.boards.meter import Meter
from nomic_nb.study.review.boards.moves import ArmyMoves
from nomic_nb.study.review.review import Review, verdict
from nomic_nb.study.review.terms import Turned, answer_and_rule
from nomic_nb.study.review.votes import Needed
from nomic_nb.study.views.explained import explain
from nomic_nb.study.views.redline import Difference

#: Voters beyond which their table is folded.
MANY = 12


def review(shown: Review) -> Element:
    """Return a review: the verdict first, then what changes, then the warning signs."""
    return el(
        "article",
        headed("Review", *_standing(shown)),
        el("p", upper_first(shown.change.headline), ". ", soft("As ", who(shown.player), _number(shown)), cls="lede"),
        [el("p", el("strong", one) if at == 0 else one) for at, one in enumerate(verdict(shown))],
        _steps(shown),
        _warnings(shown),
        _redline(shown.redline) if shown.redline else None,
        _explained(shown),
        [el("h4", "The changes"), [part(one) for one in shown.parts]] if shown.parts else None,
        _terms("Terms that change", [one for one in shown.turned if not one.recast]),
        _listed("Terms that stay for now, by another clause", [one for one in shown.turned if one.recast]),
        _listed("Void and revived", shown.voided),
        _listed("Which rule prevails", shown.met),
        _listed("Numbers and standing", shown.moved),
        _listed("References left behind", shown.dangling),
        _boards(shown.on_boards) if shown.on_boards else None,
        _meter(shown.power) if shown.power else None,
        _listed("What else it sets off", shown.follows),
        _listed("Could rules still change afterwards?", [shown.future] if shown.future else []),
        _votes(shown.votes) if shown.votes and shown.votes.voters else None,
        cls="review",
    )


def _number(shown: Review) -> str:
    example = ", for example" if shown.example else ""
    return " would propose it." if shown.number is None else f" would propose it, as {shown.number}{example}."


def _standing(shown: Review) -> tuple[str, str]:
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


def _steps(shown: Review) -> Child:
    if shown.steps:
        steps = el("ol", [el("li", f"{upper_first(str(step))}.", value=at) for at, step in enumerate(shown.steps, 1)])
        return [el("h4", "What has to come first"), steps]
    if shown.way_round is not None:
        said = "The rule itself cannot be changed; a new rule could prevail over it: "
        return [el("h4", "What has to come first"), el("p", said, f"{shown.way_round}.")]
    return None


def _warnings(shown: Review) -> Child:
    signs = items([mark(one.name), " ", one.evidence] for one in shown.warnings)
    hint = soft("hints; none of them stops anything")
    return [el("h4", "Worth a thought before the vote ", hint), signs] if signs is not None else None


def _redline(shown: Difference) -> Child:
    old, new = shown.old, shown.new
    made: list[Child] = [el("h4", "The rule")]
    if shown.same_text:
        return [*made, quiet("Its text stays as it is.")]
    if old is not None and new is None:
        made.append(el("p", f"Rule {old.number} “{old.title}” is struck out whole."))
    elif new is not None and (old is None or old.title != new.title):
        made.append(el("p", "Title: ", [el("del", old.title), " "] if old else None, el("ins", new.title)))
    return [*made, changed_text(old, new, cls="redline")]


def _explained(shown: Review) -> Child:
    """Return what the clauses say, as the machine understood them; nothing where they cannot be read."""
    found = explain(shown.change).clauses if shown.error is None else ()
    return [el("h4", "The clauses in plain words"), sentences(found)] if found else None


def _terms(caption: str, turned: list[Turned]) -> Child:
    if not turned:
        return None
    rows: Rows = [
        [
            [el("code", one.key), " ", soft(one.meaning)],
            one.case or "in every case",
            _answer(one.old),
            _answer(one.new),
        ]
        for one in turned
    ]
    return [el("h4", caption), table("Before and after", ["Term", "Case", "Before", "After"], rows)]


def _answer(found: Finding) -> Element:
    return el("span", answer_and_rule(found)) if found.answered else el("strong", answer_and_rule(found))


def _listed(title: str, found: Iterable[object]) -> Child:
    made = items(str(one) if isinstance(one, Turned) else upper_first(str(one)) for one in found)
    return [el("h4", title), made] if made is not None else None


def _boards(shown: OnBoards) -> Child:
    """Return what changes on the boards: in sentences, painted, and army by army."""
    made: list[Child] = [el("h4", "On the boards"), items(map(upper_first, shown.in_lines))]
    if shown.drawing is not None:
        made.append(shown.drawing.element())
    if not shown.same_moves:
        counted = map(number_head, ("Before", "After", "Gained", "Lost"))
        caption = "Legal moves over all pushes, if the army’s turn began now"
        made.append(table(caption, ["Army", "Moved by", *counted, "By kind"], [_army(one) for one in shown.moves]))
        told = items(f"{army.army}: {line}" for army in shown.moves for line in army.told)
        made.append(fold("The most telling moves", told) if told is not None else None)
    return made


def _meter(shown: Meter) -> Child:
    """Return what becomes of the power of each kind of piece, player by player."""
    rows: Rows = [
        [NAMES.get(kind.lower(), kind).capitalize(), *(shown.said(name, kind) for name in shown.players)]
        for kind in shown.kinds
    ]
    caption = "How many pieces, and whether they could do more or less: moves that come and go, in the positions tried"
    found = table(caption, ["Kind", *map(who, shown.players)], rows)
    return [el("h4", "Fair play"), shown.picture.element(), found, items(map(upper_first, shown.told))]


def _army(shown: ArmyMoves) -> list[Child]:
    said = ", ".join(str(one) for one in shown.kinds)
    if shown.counts[0] != shown.counts[1] and not any(shown.doubts):
        said = "; ".join([*([said] if said else []), f"{shown.counts[1]} in a turn, not {shown.counts[0]}"])
    counts = (shown.before, shown.after, *((len(shown.gained), len(shown.lost)) if shown.kinds else (None, None)))
    plain = ["?" if one is None else str(one) for one in counts[:2]]
    turned = ["" if one is None else str(one) for one in counts[2:]]
    return [shown.army, who(shown.player), *plain, *turned, shown.doubts[1] or said]


def _votes(shown: Needed) -> Child:
    rows: Rows = [
        [who(one.name), str(one.weight), "?" if one.decides is None else f"{one.decides} of {shown.ways}"]
        for one in shown.voters
    ]
    found = table("Who may vote", ["Voter", number_head("Weight"), number_head("Decides")], rows)
    return [el("h4", "The vote"), fold("Voter by voter", found) if len(rows) > MANY else found]
