"""Changes for one universe: what is refused of them before anyone votes."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.language import Line
from nomic_nb.engine.law.new_book import find_targets
from nomic_nb.engine.law.nodes import Node
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import TEXTS
from nomic_nb.engine.words import join_words, rule_citation

#: Effects that are felt wherever somebody plays, by the words with which they begin.
GLOBAL_EFFECTS = frozenset({"end", "eliminate", "enter player", "oblige"})
#: The fields that are places, and those that have the pieces there beside.
_PLACE_FIELDS = frozenset({"square", "board"})
_PLACED_FIELDS = _PLACE_FIELDS | {"piece", "pieces"}


def universe_names(state: State) -> tuple[str, ...]:
    """Return the names of the universes: the boards that players share."""
    return tuple(name for name, board in multiverse_of(state).boards.items() if not board.half)


def check_change_for_universe(state: State, change: Change, lines: tuple[Line, ...]) -> None:
    """Refuse a change for one universe that names none, or whose clauses reach beyond it.

    Raises
    ------
    LawError
        With the line of the clause.
    LookupError
        There is no such rule to be repealed there.
    """
    if not change.universe:
        return
    law = state.find("change.universes")
    some = law.value if law.answered and isinstance(law.value, tuple) else universe_names(state)
    known = tuple(universe for universe in universe_names(state) if universe in some)
    if change.universe not in known:
        meant = [universe for universe in known if universe.casefold() == change.universe.strip().casefold()] or known
        for_rules = " for which rules can be made" if universe_names(state) else ""
        none = f"no name: there are no universes in this game{for_rules}"
        raise LawError(
            say(
                "no-such-universe-for-rules",
                "a rule is for all universes, or for one of them{by}",
                universe=change.universe,
                by=rule_citation(law.rule),
            ),
            found=repr(change.universe[:40]),
            expected=f"{join_words(meant, 'or')}, or no name where it is for all" if known else none,
        )
    if change.kind == "repeal":
        for target in find_targets(state.rules, change):
            if not target.applies_in(change.universe):
                raise LookupError(
                    say(
                        "rule-not-in-force-there",
                        "rule {rule} is not in force in {universe}: it is {reach}",
                        rule=target.number,
                        universe=change.universe,
                        reach=target.reach_in_words,
                    )
                )
    for line in lines:
        for clause in line.clause.with_inner_clauses:
            _check_clause_for_universe(state, change.universe, clause, line, rule_citation(law.rule))


def _check_clause_for_universe(state: State, universe: str, clause: c.Clause, line: Line, by: str) -> None:
    """Refuse a clause of a rule for one universe if it reaches beyond that universe."""
    keys, offending_text, expected = state.law.vocabulary.keys, clause.words[:60], "a rule for all universes"
    elsewhere, there = next(_find_places_elsewhere(state, universe, clause), None), armies_in_universe(state, universe)
    stranger = next(_find_foreign_armies(state, there, clause), None)
    effects = clause.all_effects() if len(universe_names(state)) > 1 else ()
    felt = next((effect for effect in effects if " ".join(effect.form.leading_words) in GLOBAL_EFFECTS), None)
    if isinstance(clause, c.SetClause) and not keys[clause.key].is_local:
        message = say(
            "term-same-everywhere",
            "{term} is the same everywhere, and a rule for {universe} does not set it",
            term=clause.key,
            universe=universe,
        )
        expected += f", or one of {', '.join(key.name for key in keys.values() if key.is_local)}"
    elif isinstance(clause, c.RequireClause | c.IncorporateClause):
        message = say(
            "holds-everywhere-or-nowhere",
            "this holds everywhere or nowhere, and not in {universe} alone",
            universe=universe,
        )
    elif felt is not None:
        offending_text = felt.words
        message = say(
            "felt-in-all-universes",
            "this is felt in all universes, and a rule for {universe} does not do it",
            universe=universe,
        )
    elif elsewhere is not None:
        offending_text = elsewhere
        message = say(
            "reaches-into-another-universe",
            "a rule for {universe} does not reach into another universe",
            universe=universe,
        )
        expected = f"squares of {universe}, or {expected}"
    elif stranger is None:
        return
    else:
        offending_text = stranger
        message = say(
            "army-of-another-universe",
            "a rule for {universe} does not speak of an army that is in other universes",
            universe=universe,
        )
        expected = f"{join_words(there, 'or')}, or {expected}"
    raise LawError(
        message.embed_in("{message}{by}", by=by), line=line.line, found=repr(offending_text), expected=expected
    )


def _find_places_elsewhere(state: State, universe: str, clause: c.Clause) -> Iterator[str]:
    """Yield the boards and squares outside a universe that a clause names or changes."""
    others = [name for name in multiverse_of(state).boards if name != universe]
    among = getattr(clause, "among", None)
    reached = [
        *(expression for effect in clause.all_effects() for expression in effect.expressions),
        *([among] if among else ()),
    ]
    texts = [text for expression in reached for text in expression.constant_texts()]
    for test in filter(_compares_place, clause.walk()):
        texts += test.constant_texts()
        if test.comparison in ("!=", "not in") and universe in test.constant_texts():
            yield f"{test.comparison} {universe}"
    yield from (text for text in texts if text in others or text.rpartition(".")[0] in others)


def _compares_place(test: Node) -> bool:
    """Tell whether a comparison is about where something is."""
    return any(_may_be_place(node) and other.field in ("", *_PLACED_FIELDS) for node, other in test.pairs_of_sides)


def _may_be_place(node: Node) -> bool:
    """Tell whether a node is, or can be, a board, a square or the name of a board."""
    return bool(node.name) or node.field in _PLACE_FIELDS or (node.field == "name" and _may_be_place(node.parts[0]))


def armies_in_universe(state: State, universe: str) -> tuple[str, ...]:
    """Return the armies that are in a universe or at home there; all if none is named."""
    position = multiverse_of(state)
    there = {piece.army for piece in position.pieces.values() if piece.board == universe}
    return tuple(
        name for name, army in position.armies.items() if not universe or army.home == universe or name in there
    )


def _find_foreign_armies(state: State, there: tuple[str, ...], clause: c.Clause) -> Iterator[str]:
    """Yield the armies of other universes that a clause refers to."""
    for name in (name for expression in clause.expressions for name in _army_names_looked_at(expression.node)):
        if name in multiverse_of(state).armies and name not in there:
            yield name


def _army_names_looked_at(node: Node) -> Iterator[str]:
    """Yield the texts in an expression that name armies which it looks at."""
    for inner in node.walk():
        by_name = any(one.field == "name" and "army" in one.parts[0].text for one, _ in inner.pairs_of_sides)
        if by_name or (inner.function == "army_named" and inner is not node):
            yield from inner.constant_texts()


KEYS = (
    Key("change.universes", TEXTS, "the universes for each of which alone rules can be made and repealed; where no "
        "rule says so, all", "when a change for one universe is proposed"),
)  # fmt: skip
