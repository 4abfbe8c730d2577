"""What of a change players could bring about on the boards themselves, where time alone does not; when a rule ends.

It is closed as in `impartial`: what is not known to be harmless people are asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from textwrap import shorten

from nomic_nb.chess.fairplay.fairness import names_bound_once, tables_begun_by
from nomic_nb.chess.fairplay.traits import is_known, possibly, surely
from nomic_nb.chess.play.records import acts_on_boards
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.forms import Effect, Form
from nomic_nb.engine.law.nodes import Expression, Node
from nomic_nb.engine.law.traits import UNKNOWN, Trait, has
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.play.state import State

#: The piece that has moved, or was captured, and the square on which the mover stands then.
EVENT_SQUARE = {"captured": "square", "moved": "target"}
#: Effects that make rules, and those by which somebody has less.
TAKING_EFFECTS = Trait.MAKING | Trait.TAKING
#: Letters of an effect that are told.
MOST_TURNS_TO_SUNSET = 60


def player_controlled_effects(clauses: Iterable[c.Clause], state: State, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the effects on boards that players could bring about, as written, but for those known to be harmless."""
    clauses = list(clauses)
    acting = [one for one in clauses if isinstance(one, c.TriggerClause)]
    begun = tables_begun_by(clauses, state, vocabulary)
    for clause in acting:
        effects = [one for one in clause.every_effect() if _touches_boards(one.form, vocabulary)]
        if not effects:
            continue
        event = vocabulary.events[clause.event]
        counted = clause.event == "counted"
        if has(event, Trait.BY_MOVE) or (counted and _counts_only_moves(clause, acting, begun, vocabulary)):
            single, condition = _SinglePiece(clause, vocabulary), clause.condition
            if condition is None or _treats_all_alike(condition.node, vocabulary, Trait.OF_MOVE, begun):
                effects = [one for one in effects if not single.is_only_target(one)]
        elif not isinstance(clause, c.OfferClause) and not has(event, Trait.DONE) and not counted:
            single = _SinglePiece(clause, vocabulary)
            taking = [one for one in effects if has(one.form, TAKING_EFFECTS) and not single.is_only_target(one)]
            others = [one for one in effects if not has(one.form, TAKING_EFFECTS)]
            effects = taking if taking and not _is_foreseen(clause, taking, vocabulary) else []
            effects += others if others and not _applies_to_all(clause, vocabulary) else []
        yield from (f"“{shorten(one.words, MOST_TURNS_TO_SUNSET, placeholder=' …')}”" for one in effects)


def turns_until_sunset(clauses: Iterable[c.Clause], state: State) -> int | None:
    """Return after how many turns a rule ends that does nothing else; None where it does more, or never ends."""
    clauses, most = list(clauses), 0
    units = {"turns": 1, "circuits": len(state.playing)}
    for clause in clauses:
        if any(one.form.name not in ("after", "repeal") for one in clause.every_effect()):
            return None
        if not (isinstance(clause, c.TriggerClause) and clause.event == "enacted" and clause.on_own_rule):
            continue
        if clause.condition is None or len(clause.condition.node.conjuncts) > 1 or clause.each is not None:
            continue
        for one in clause.effects:
            inner, many = (one.effect, one.span.node.value) if one.form.name == "after" else (None, None)
            if inner is not None and inner.form.name == "repeal" and type(many) is int and one.unit in units:
                most = max(most, many * units[one.unit]) if inner.rule.node.name == "this" else most
    return most or None


def _touches_boards(form: Form, vocabulary: Vocabulary) -> bool:
    return has(form, TAKING_EFFECTS) or acts_on_boards(form, vocabulary.events)


def _is_filter(node: Node) -> bool:
    """Tell whether a list has those of another one for which something is so."""
    return node.loop == "list" and node.parts[0].name == node.text


def _counts_only_moves(
    clause: c.TriggerClause, acting: list[c.TriggerClause], begun: Set[str], vocabulary: Vocabulary
) -> bool:
    """Tell whether what is counted is a table that begins with the change, in which moves alone count."""
    about = clause.condition.node.conjuncts if clause.condition is not None else ()
    named = {two.value for one in about if one.comparison == "==" for two in one.parts}
    counting = {one.event for one in acting if "counted" in one.makes}
    moves = (has(vocabulary.events[one], Trait.BY_MOVE) for one in counting - {"counted"})
    return bool(named & begun) and all(moves)


class _SinglePiece:
    """The one piece that a clause bears on: that of the move itself, or one that its owner chooses."""

    def __init__(self, clause: c.TriggerClause, vocabulary: Vocabulary) -> None:
        self.square = EVENT_SQUARE.get(clause.event, "")
        self.names = {"piece"} if self.square else set[str]()
        self.names |= {"capturer"} if clause.event == "captured" else set[str]()
        lists = [(clause.each, clause.among), *((one.name, one.among) for one in clause.every_effect("each"))]
        lets = clause.every_effect("let")
        self.names |= {one.name for one in lets if not one.some and _offers_own_pieces(one, vocabulary)}
        self.names |= {name for name, among in lists if name and among is not None and self._is_the_piece(among.node)}
        self.names &= names_bound_once(clause) | {"piece", "capturer"}

    def is_only_target(self, effect: Effect) -> bool:
        """Tell whether an effect bears on it and on nothing else."""
        pieces = getattr(effect, "pieces", None)
        return isinstance(pieces, Expression) and self._is_the_piece(pieces.node)

    def _is_the_piece(self, node: Node) -> bool:
        if _is_filter(node) and self.square:
            same = ((node.text, "piece"), (f"{node.text}.square", self.square))
            return any(one.equates(*two) for one in node.parts[2].conjuncts for two in same)
        return node.name in self.names


def _offers_own_pieces(let: Effect, vocabulary: Vocabulary) -> bool:
    """Tell whether somebody chooses out of pieces of their own, none of them royal."""
    return isinstance(let.options, Expression) and _are_own_pieces(let.options.node, let.who.canonical, vocabulary)


def _are_own_pieces(node: Node, who: str, vocabulary: Vocabulary) -> bool:
    if surely(node, vocabulary, Trait.COMMONERS):
        return node.parts[0].canonical == who
    if _is_filter(node):
        asked = (one.parts for one in node.parts[2].conjuncts if one.comparison == "in")
        of_it = (many for one, many in asked if one.name == node.text)
        return any(_are_own_pieces(one, who, vocabulary) for one in (*of_it, node.parts[1]))
    return False


def _is_foreseen(clause: c.TriggerClause, effects: list[Effect], vocabulary: Vocabulary) -> bool:
    """Tell whether what time takes by a clause is seen by letting time pass: it hangs on nothing that players do."""
    if any(has(one.form, Trait.OPEN) for one in clause.every_effect()):
        chances = clause.every_effect("chance")
        drawn = {one.name: one.options.node for one in chances if isinstance(one.options, Expression)}
        drawn |= {one.name: one.among.node for one in clause.every_effect("each")}
        if clause.each is not None and clause.among is not None:
            drawn[clause.each] = clause.among.node
        drawn = {name: node for name, node in drawn.items() if name in names_bound_once(clause)}
        left_out = (
            one.form.name == "remove" and _leaves_out_royals(one.pieces.node, drawn, vocabulary) for one in effects
        )
        if not all(left_out) or any(clause.every_effect("let")):
            return False
    elif _acts_at_once(clause):
        return not any(one.form.name == "give" for one in effects)  # else it is counted what it takes
    rolled = {id(two) for one in clause.every_effect("roll") for two in one.expressions}
    return all(_is_unmoved_by_play(one.node, vocabulary) for one in clause.expressions if id(one) not in rolled)


def _acts_at_once(clause: c.TriggerClause) -> bool:
    own = clause.event == "enacted" and clause.on_own_rule
    return own and not any(clause.every_effect("after"))


def _applies_to_all(clause: c.TriggerClause, vocabulary: Vocabulary) -> bool:
    """Tell whether what time brings on boards hangs on nothing that players do, but by where their pieces stand."""
    if _acts_at_once(clause):
        return True
    lets = [*clause.every_effect("let")]
    chosen = {id(one.options) for one in lets}
    mine = all(_offers_own_pieces(one, vocabulary) for one in lets)
    return mine and all(_treats_all_alike(one.node, vocabulary) for one in clause.expressions if id(one) not in chosen)


def _treats_all_alike(
    node: Node, vocabulary: Vocabulary, more: Trait = UNKNOWN, tables: Set[str] = frozenset()
) -> bool:
    """Tell whether an expression speaks of what all have, of places and of more, and counts nothing players have."""
    known = Trait.STEADY | Trait.PLACE | more
    parts = node.parts
    if node.function == "count":
        if surely(parts[0], vocabulary, Trait.EVERYBODY):
            return True
        if not (parts[0].function and surely(parts[0], vocabulary, Trait.PLACE)):
            return False
    elif node.comparison and (node.comparison, parts[1].value) in ((">", 0), (">=", 1)):  # whether there is any
        parts = parts[0].parts if parts[0].function == "count" else parts[:1]
    elif node.loop not in ("", "list") or (not is_known(node, vocabulary, known) and node.text not in tables):
        return False
    return all(_treats_all_alike(one, vocabulary, more, tables) for one in parts)


def _leaves_out_royals(node: Node, drawn: dict[str, Node], vocabulary: Vocabulary) -> bool:
    """Tell whether pieces are named out of a list that leaves out the royal ones."""
    if surely(node, vocabulary, Trait.COMMONERS):
        return True
    if _is_filter(node):
        asked = any(one.canonical == f"not {node.text}.royal" for one in node.parts[2].conjuncts)
        return asked or _leaves_out_royals(node.parts[1], drawn, vocabulary)
    of = node.parts[0] if node.function == "item" else drawn.get(node.name)
    return of is not None and _leaves_out_royals(of, drawn, vocabulary)


def _is_unmoved_by_play(node: Node, vocabulary: Vocabulary) -> bool:
    """Tell whether no move alters what an expression comes to, but by pieces that are no more."""
    if node.function == "count" and node.parts[0].name == "playing":
        return True
    of_pieces = node.comparison not in ("", "in") and any(
        possibly(one, vocabulary, Trait.PIECES) for one in node.walk()
    )
    if of_pieces or node.loop not in ("", "list"):
        return False  # how many pieces there are, moves alter
    return is_known(node, vocabulary, Trait.STEADY) and all(_is_unmoved_by_play(one, vocabulary) for one in node.parts)
