"""What of a change players could bring about on the boards themselves, where time alone does not; when a rule ends.

It is closed as in `impartial`: what is not known to be harmless people are asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from textwrap import shorten

from nomic_nb.chess.fairplay.fairness import find_tables_begun_equal, names_bound_once
from nomic_nb.chess.fairplay.traits import possibly_has_trait, reads_only_words_with_traits, surely_has_trait
from nomic_nb.chess.play.records import acts_on_boards
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.forms import Effect, Form
from nomic_nb.engine.law.nodes import Expression, Node
from nomic_nb.engine.law.traits import UNKNOWN, Trait, has_trait
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.play.state import State

#: The piece that has moved, or was captured, and the square on which the mover stands then.
EVENT_SQUARE = {"captured": "square", "moved": "target"}
#: Effects that make rules, and those by which somebody has less.
TAKING_EFFECTS = Trait.MAKING | Trait.TAKING
#: Letters of an effect that are told.
MOST_EFFECT_LETTERS = 60


def player_controlled_effects(clauses: Iterable[c.Clause], state: State, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the effects on boards that players could bring about, known harmless ones aside."""
    clauses = list(clauses)
    acting = [trigger for trigger in clauses if isinstance(trigger, c.TriggerClause)]
    begun = find_tables_begun_equal(clauses, state, vocabulary)
    for clause in acting:
        effects = [effect for effect in clause.all_effects() if _acts_on_boards_or_takes(effect.form, vocabulary)]
        if not effects:
            continue
        event = vocabulary.events[clause.event]
        counted = clause.event == "counted"
        if has_trait(event, Trait.BY_MOVE) or (counted and _counts_only_moves(clause, acting, begun, vocabulary)):
            single, condition = _SinglePiece(clause, vocabulary), clause.condition
            if condition is None or _treats_all_alike(condition.node, vocabulary, Trait.OF_MOVE, begun):
                effects = [effect for effect in effects if not single.is_only_target(effect)]
        elif not isinstance(clause, c.OfferClause) and not has_trait(event, Trait.DONE) and not counted:
            single = _SinglePiece(clause, vocabulary)
            taking = [
                effect
                for effect in effects
                if has_trait(effect.form, TAKING_EFFECTS) and not single.is_only_target(effect)
            ]
            others = [effect for effect in effects if not has_trait(effect.form, TAKING_EFFECTS)]
            effects = taking if taking and not _is_foreseeable(clause, taking, vocabulary) else []
            effects += others if others and not _depends_only_on_positions(clause, vocabulary) else []
        yield from (f"“{shorten(effect.words, MOST_EFFECT_LETTERS, placeholder=' …')}”" for effect in effects)


def turns_until_repeal(clauses: Iterable[c.Clause], state: State) -> int | None:
    """Return after how many turns a rule that does nothing else repeals itself, or None."""
    clauses, most = list(clauses), 0
    units = {"turns": 1, "circuits": len(state.names_of_players)}
    for clause in clauses:
        if any(inner_effect.form.name not in ("after", "repeal") for inner_effect in clause.all_effects()):
            return None
        if not (isinstance(clause, c.TriggerClause) and clause.event == "enacted" and clause.on_own_rule):
            continue
        if clause.condition is None or len(clause.condition.node.conjuncts) > 1 or clause.each is not None:
            continue
        for effect in clause.effects:
            inner, many = (effect.effect, effect.span.node.value) if effect.form.name == "after" else (None, None)
            if inner is not None and inner.form.name == "repeal" and type(many) is int and effect.unit in units:
                most = max(most, many * units[effect.unit]) if inner.rule.node.name == "this" else most
    return most or None


def _acts_on_boards_or_takes(form: Form, vocabulary: Vocabulary) -> bool:
    """Tell whether an effect acts on boards, makes rules or takes something away."""
    return has_trait(form, TAKING_EFFECTS) or acts_on_boards(form, vocabulary.events)


def _is_list_filter(node: Node) -> bool:
    """Tell whether a node keeps those items of a list that meet a condition."""
    return node.loop == "list" and node.parts[0].name == node.text


def _counts_only_moves(
    clause: c.TriggerClause, acting: list[c.TriggerClause], begun: Set[str], vocabulary: Vocabulary
) -> bool:
    """Tell whether a clause waits for a count that begins with the change and only moves raise."""
    about = clause.condition.node.conjuncts if clause.condition is not None else ()
    named = {two.value for node in about if node.comparison == "==" for two in node.parts}
    counting = {trigger.event for trigger in acting if "counted" in trigger.events_made}
    moves = (has_trait(vocabulary.events[event], Trait.BY_MOVE) for event in counting - {"counted"})
    return bool(named & begun) and all(moves)


class _SinglePiece:
    """The one piece that a clause acts on: the one that moved, or one that its owner chooses."""

    def __init__(self, clause: c.TriggerClause, vocabulary: Vocabulary) -> None:
        self.square = EVENT_SQUARE.get(clause.event, "")
        self.names = {"piece"} if self.square else set[str]()
        self.names |= {"capturer"} if clause.event == "captured" else set[str]()
        lists = [(clause.each, clause.among), *((effect.name, effect.among) for effect in clause.all_effects("each"))]
        lets = clause.all_effects("let")
        self.names |= {effect.name for effect in lets if not effect.some and _offers_own_pieces(effect, vocabulary)}
        self.names |= {
            name for name, among in lists if name and among is not None and self._means_the_piece(among.node)
        }
        self.names &= names_bound_once(clause) | {"piece", "capturer"}

    def is_only_target(self, effect: Effect) -> bool:
        """Tell whether an effect acts on this piece and on nothing else."""
        pieces = getattr(effect, "pieces", None)
        return isinstance(pieces, Expression) and self._means_the_piece(pieces.node)

    def _means_the_piece(self, node: Node) -> bool:
        """Tell whether a node of the clause stands for this piece."""
        if _is_list_filter(node) and self.square:
            same = ((node.text, "piece"), (f"{node.text}.square", self.square))
            return any(conjunct.is_comparison_of(*two) for conjunct in node.parts[2].conjuncts for two in same)
        return node.name in self.names


def _offers_own_pieces(let: Effect, vocabulary: Vocabulary) -> bool:
    """Tell whether a player chooses among pieces of their own, none of them royal."""
    return isinstance(let.options, Expression) and _are_own_pieces(let.options.node, let.who.canonical, vocabulary)


def _are_own_pieces(node: Node, who: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a node lists only pieces of one player, none of them royal."""
    if surely_has_trait(node, vocabulary, Trait.COMMONERS):
        return node.parts[0].canonical == who
    if _is_list_filter(node):
        asked = (conjunct.parts for conjunct in node.parts[2].conjuncts if conjunct.comparison == "in")
        of_it = (many for member, many in asked if member.name == node.text)
        return any(_are_own_pieces(listed, who, vocabulary) for listed in (*of_it, node.parts[1]))
    return False


def _is_foreseeable(clause: c.TriggerClause, effects: list[Effect], vocabulary: Vocabulary) -> bool:
    """Tell whether a forecast shows what a clause takes, since no act of players changes it."""
    if any(has_trait(effect.form, Trait.OPEN) for effect in clause.all_effects()):
        chances = clause.all_effects("chance")
        drawn = {effect.name: effect.options.node for effect in chances if isinstance(effect.options, Expression)}
        drawn |= {effect.name: effect.among.node for effect in clause.all_effects("each")}
        if clause.each is not None and clause.among is not None:
            drawn[clause.each] = clause.among.node
        drawn = {name: node for name, node in drawn.items() if name in names_bound_once(clause)}
        left_out = (
            effect.form.name == "remove" and _leaves_out_royals(effect.pieces.node, drawn, vocabulary)
            for effect in effects
        )
        if not all(left_out) or any(clause.all_effects("let")):
            return False
    elif _acts_at_once(clause):
        return not any(effect.form.name == "give" for effect in effects)  # else it is counted what it takes
    rolled = {id(two) for effect in clause.all_effects("roll") for two in effect.expressions}
    return all(
        _is_unaffected_by_moves(expression.node, vocabulary)
        for expression in clause.expressions
        if id(expression) not in rolled
    )


def _acts_at_once(clause: c.TriggerClause) -> bool:
    """Tell whether a clause acts just once, when its own rule is enacted."""
    own = clause.event == "enacted" and clause.on_own_rule
    return own and not any(clause.all_effects("after"))


def _depends_only_on_positions(clause: c.TriggerClause, vocabulary: Vocabulary) -> bool:
    """Tell whether what a clause does depends on no act of players but where pieces stand."""
    if _acts_at_once(clause):
        return True
    lets = [*clause.all_effects("let")]
    chosen = {id(effect.options) for effect in lets}
    mine = all(_offers_own_pieces(effect, vocabulary) for effect in lets)
    return mine and all(
        _treats_all_alike(expression.node, vocabulary)
        for expression in clause.expressions
        if id(expression) not in chosen
    )


def _treats_all_alike(
    node: Node, vocabulary: Vocabulary, more: Trait = UNKNOWN, tables: Set[str] = frozenset()
) -> bool:
    """Tell whether an expression reads only what all share, and counts nothing players have."""
    known = Trait.STEADY | Trait.PLACE | more
    parts = node.parts
    if node.function == "count":
        if surely_has_trait(parts[0], vocabulary, Trait.EVERYBODY):
            return True
        if not (parts[0].function and surely_has_trait(parts[0], vocabulary, Trait.PLACE)):
            return False
    elif node.comparison and (node.comparison, parts[1].value) in ((">", 0), (">=", 1)):  # whether there is any
        parts = parts[0].parts if parts[0].function == "count" else parts[:1]
    elif node.loop not in ("", "list") or (
        not reads_only_words_with_traits(node, vocabulary, known) and node.text not in tables
    ):
        return False
    return all(_treats_all_alike(part, vocabulary, more, tables) for part in parts)


def _leaves_out_royals(node: Node, drawn: dict[str, Node], vocabulary: Vocabulary) -> bool:
    """Tell whether pieces are named from a list that leaves out the royal ones."""
    if surely_has_trait(node, vocabulary, Trait.COMMONERS):
        return True
    if _is_list_filter(node):
        asked = any(conjunct.canonical == f"not {node.text}.royal" for conjunct in node.parts[2].conjuncts)
        return asked or _leaves_out_royals(node.parts[1], drawn, vocabulary)
    of = node.parts[0] if node.function == "item" else drawn.get(node.name)
    return of is not None and _leaves_out_royals(of, drawn, vocabulary)


def _is_unaffected_by_moves(node: Node, vocabulary: Vocabulary) -> bool:
    """Tell whether no move changes the value of an expression, pieces lost aside."""
    if node.function == "count" and node.parts[0].name == "playing":
        return True
    of_pieces = node.comparison not in ("", "in") and any(
        possibly_has_trait(one, vocabulary, Trait.PIECES) for one in node.walk()
    )
    if of_pieces or node.loop not in ("", "list"):
        return False  # how many pieces there are, moves alter
    return reads_only_words_with_traits(node, vocabulary, Trait.STEADY) and all(
        _is_unaffected_by_moves(part, vocabulary) for part in node.parts
    )
