"""Armies and boards that there are not, where a clause comes to nothing without them: refused before the vote."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from string import ascii_uppercase

from nomic_nb.chess.multiverse.geometry import MAX_SIZE
from nomic_nb.chess.multiverse.pieces import BoardNames
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.effects import NOT_A_RING
from nomic_nb.chess.play.records import referenced_ids
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import Effect
from nomic_nb.engine.law.language import Line
from nomic_nb.engine.law.new_book import find_targets
from nomic_nb.engine.law.nodes import Expression, Node, Undecided, View
from nomic_nb.engine.law.rules import RuleBook
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.lawmaking import IdleReason
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import TEXTS
from nomic_nb.engine.words import join_words, rule_citation

# ---------------------------------------------------------------------------- armies and boards that there are not


# ---------------------------------------------------------------------------- armies and boards that there are not


#: The functions that find something on the boards by its name, and what that is.
NAME_FUNCTIONS = {"army_named": "army", "board_named": "board", "square_named": "board"}


def check_names_exist(state: State, lines: tuple[Line, ...]) -> None:
    """Refuse clauses that need an army or a board which neither exists nor can enter the game.

    What is done later is remarked upon: it may be there by then.

    Raises
    ------
    LawError
        With the line of the clause.
    """
    position = state.position
    if position is None or any(_entering_effects(line.clause for line in lines)):
        return  # what enters by it may be called anything
    known: dict[str, Collection[str]] = {"army": position.armies, "board": position.boards}
    for line in lines:
        for node in (call for clause in line.clause.with_inner_clauses for call in _find_named_calls(clause)):
            kind, name = NAME_FUNCTIONS[node.text], str(node.parts[0].value)
            if node.text == "square_named":
                name, dot, square = name.rpartition(".")
                if not dot:
                    there = ", ".join(f"{board}.{square}" for board in position.boards)
                    raise LawError(
                        "square-named-without-board",
                        "a square needs the name of its board",
                        line=line.line,
                        found=repr(square),
                        expected=there,
                    )
            if name not in known[kind] and name not in _army_names_to_enter(state):
                there = f"{join_words(tuple(known[kind]), 'or')}, or a rule that lets it enter the game first"
                raise LawError(
                    "clause-names-nothing-there",
                    "there is no {kind} called {name}",
                    kind=kind,
                    name=name,
                    line=line.line,
                    found=repr(name),
                    expected=there,
                )


def _find_named_calls(clause: c.Clause) -> Iterator[Node]:
    """Yield the calls in a clause that find an army, board or square by a name written out as text."""
    expressions = list(clause.expressions) if isinstance(clause, c.SetClause) else []
    if isinstance(clause, c.TriggerClause) and clause.event == "enacted":
        expressions += [expression for effect in clause.unconditional_effects() for expression in effect.expressions]
    calls = (node for expression in expressions for node in expression.calls(*NAME_FUNCTIONS))
    return (node for node in calls if node.parts[0].is_constant)


def _entering_effects(clauses: Iterable[c.Clause]) -> Iterator[Effect]:
    """Yield the effects in clauses that bring armies into the game."""
    some = (
        inner_clause
        for clause in clauses
        for inner_clause in clause.with_inner_clauses
        if isinstance(inner_clause, c.TriggerClause)
    )
    return (effect for trigger in some for effect in trigger.all_effects("enter_army"))


def _army_names_to_enter(state: State) -> set[str]:
    """Return the names that rules in force give to armies which may enter."""
    effects = _entering_effects(clause for rule in state.rules.in_force for clause in rule.clauses)
    return {text for effect in effects for expression in effect.expressions for text in expression.constant_texts()}


# -------------------------------------------------------------------------------- boards that would grow too large


def check_growth(state: State, lines: tuple[Line, ...]) -> None:
    """Refuse effects that would let boards grow beyond the largest size.

    Raises
    ------
    LawError
        With the line of the clause.
    """
    for line in lines:
        for effect in (
            inner_effect for each in line.clause.with_inner_clauses for inner_effect in each.all_effects("grow")
        ):
            _check_growing_effect(state, effect, line)


def _check_growing_effect(state: State, effect: Effect, line: Line) -> None:
    """Refuse one effect if it would let boards grow beyond the largest size."""
    view = View(state, {}, state.law)
    around, growth_expression = effect.around, effect.ranks
    try:
        named, by = effect.boards.run(view), growth_expression.run(view) if growth_expression.constant else None
    except Undecided:  # it depends on what happens then
        return
    if not isinstance(by, int):
        return
    boards, grown = multiverse_of(state).boards, referenced_ids(named, "board")
    more = {name: by if name in grown else 0 for name in boards}
    sizes = {
        name: (board.geometry.files + 2 * around * more[name], board.geometry.ranks + (1 + around) * more[name])
        for name, board in boards.items()
    }
    halves = sorted((sizes[name][1] for name, board in boards.items() if board.half), reverse=True)
    large = next((name for name, size in sizes.items() if max(size) > MAX_SIZE), None)
    wrong = NOT_A_RING(by) if around else ""
    if not wrong and large is not None:
        files, ranks = sizes[large]
        wrong = say(
            "board-would-be-too-large",
            "{board} would have {files} files and {ranks} ranks",
            board=large,
            files=files,
            ranks=ranks,
        )
    if not wrong and sum(halves[:2]) > MAX_SIZE and len(halves) > 1 and grown:
        wrong = say(
            "half-boards-would-be-too-deep",
            "two half-boards pushed together would have {ranks} ranks",
            ranks=sum(halves[:2]),
        )
    if wrong:
        raise LawError(
            wrong, line=line.line, found=repr(effect.words[:60]), expected=f"boards of at most {MAX_SIZE} by {MAX_SIZE}"
        )


# ------------------------------------------------ movements for kinds of pieces that nobody has and no rule brings


#: The terms that say what pieces come to be, and the events by which they come to be it.
KIND_BRINGING_KEYS = frozenset(("army.array", "ladder.kinds", "promotion.kinds"))
KIND_BRINGING_EVENTS = frozenset({"placed", "promoted"})


def why_piece_clause_is_idle(state: State, book: RuleBook, clause: c.Clause) -> IdleReason | None:
    """Return why a clause on how a kind of piece moves can never apply; None if it can."""
    if not isinstance(clause, c.PieceClause) or state.position is None or _is_kind_on_boards(state, clause.kind):
        return None
    kinds = _possible_kinds(state, book)
    if clause.kind in kinds:
        return None
    message = say(
        "kind-of-nobody", "no army has a piece of kind {kind}, and no rule brings one into play", kind=clause.kind
    )
    return IdleReason(
        message, clause.words[:60], f"{join_words(sorted(kinds), 'or')}, or another clause that places one"
    )


def _is_kind_on_boards(state: State, kind: str) -> bool:
    """Tell whether a piece of this kind is on any board."""
    return any(piece.kind.upper() == kind for piece in multiverse_of(state).pieces.values())


def _possible_kinds(state: State, book: RuleBook) -> frozenset[str]:
    """Return the kinds of pieces that exist, have existed, or can be brought by rules."""
    gone = state.gone.values()
    kinds = {piece.kind.upper() for piece in (*multiverse_of(state).pieces.values(), *gone)}
    for clause in (
        inner_clause for rule in book.in_force for each in rule.clauses for inner_clause in each.with_inner_clauses
    ):
        effects = [effect for effect in clause.all_effects() if KIND_BRINGING_EVENTS & {*effect.form.makes}]
        kinds |= {str(part.value) for node in clause.calls("moves_of") for part in node.parts}
        if not effects and getattr(clause, "key", "") not in KIND_BRINGING_KEYS:
            continue
        named = frozenset(_kind_letters(clause.expressions))
        expressions = [one for one in (getattr(each, "kind", None) for each in effects) if isinstance(one, Expression)]
        if any(not _kind_letters([expression]) and expression.node.field != "kind" for expression in expressions):
            return frozenset(ascii_uppercase)
        kinds |= named
    return frozenset(kinds)


def _kind_letters(expressions: Iterable[Expression]) -> set[str]:
    """Return the letters in the texts of expressions that can mean kinds of pieces."""
    texts = (text for expression in expressions for text in expression.constant_texts())
    return {letter for text in texts if text.isupper() and text.replace(".", "").isalpha() for letter in text} - {"."}


# ---------------------------------------------------------------------------------------- changes for one universe


#: Effects that are felt wherever somebody plays, by the words with which they begin.
GLOBAL_EFFECTS = frozenset({"end", "eliminate", "enter player", "oblige"})
#: The fields that are places, and those that have the pieces there beside.
_PLACE_FIELDS = frozenset({"square", "board"})
_PLACED_FIELDS = _PLACE_FIELDS | {"piece", "pieces"}


def universe_names(state: State) -> BoardNames:
    """Return the names of the universes: all boards that are not half-boards."""
    return tuple(name for name, board in multiverse_of(state).boards.items() if not board.half)


def check_change_for_universe(state: State, change: Change, lines: tuple[Line, ...]) -> None:
    """Refuse a change for a universe that can have no rules of its own, or whose clauses reach beyond it.

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
        for_rules = " that can have its own rules" if universe_names(state) else ""
        none = f"no name, because this game has no universes{for_rules}"
        raise LawError(
            "no-such-universe-for-rules",
            "a rule must be for all universes or for one of them{by}",
            universe=change.universe,
            by=rule_citation(law.rule),
            found=repr(change.universe[:40]),
            expected=f"{join_words(meant, 'or')}, or no name for all universes" if known else none,
        )
    if change.kind == "repeal":
        for target in find_targets(state.rules, change):
            if not target.applies_in(change.universe):
                raise LookupError(
                    say(
                        "rule-not-in-force-there",
                        "rule {rule} isn’t in force in {universe}: it is {reach}",
                        rule=target.number,
                        universe=change.universe,
                        reach=target.reach_in_words,
                    )
                )
    for line in lines:
        for clause in line.clause.with_inner_clauses:
            _check_clause_for_universe(state, change.universe, clause, line, rule_citation(law.rule))


def _check_clause_for_universe(state: State, universe: str, clause: c.Clause, line: Line, by: str) -> None:
    """Refuse a clause of a rule for one universe if it reaches beyond it; `by` cites the rule on this."""
    keys, offending_text, expected = state.law.vocabulary.keys, clause.words[:60], "a rule for all universes"
    elsewhere, there = next(_find_places_elsewhere(state, universe, clause), None), armies_in_universe(state, universe)
    stranger = next(_find_foreign_armies(state, there, clause), None)
    effects = clause.all_effects() if len(universe_names(state)) > 1 else ()
    felt = next((effect for effect in effects if " ".join(effect.form.leading_words) in GLOBAL_EFFECTS), None)
    if isinstance(clause, c.SetClause) and not keys[clause.key].is_local:
        message = say(
            "term-same-everywhere",
            "{term} is the same everywhere, so a rule for {universe} can’t set it",
            term=clause.key,
            universe=universe,
        )
        expected += f", or one of {', '.join(key.name for key in keys.values() if key.is_local)}"
    elif isinstance(clause, c.RequireClause | c.IncorporateClause):
        message = say(
            "holds-everywhere-or-nowhere",
            "this can’t apply in {universe} alone: it applies everywhere or nowhere",
            universe=universe,
        )
    elif felt is not None:
        offending_text = felt.words
        message = say(
            "felt-in-all-universes",
            "this affects all universes, so a rule for {universe} can’t do it",
            universe=universe,
        )
    elif elsewhere is not None:
        offending_text = elsewhere
        message = say(
            "reaches-into-another-universe",
            "a rule for {universe} can’t affect another universe",
            universe=universe,
        )
        expected = f"squares of {universe}, or {expected}"
    elif stranger is None:
        return
    else:
        offending_text = stranger
        message = say(
            "army-of-another-universe",
            "a rule for {universe} can’t refer to an army in other universes",
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
    """Return the armies that are in a universe or at home there; all armies if `universe` is empty."""
    position = multiverse_of(state)
    there = {piece.army for piece in position.pieces.values() if piece.board == universe}
    return tuple(
        name for name, army in position.armies.items() if not universe or army.home == universe or name in there
    )


def _find_foreign_armies(state: State, there: tuple[str, ...], clause: c.Clause) -> Iterator[str]:
    """Yield the names of the armies that a clause refers to and that are not in `there`."""
    for name in (name for expression in clause.expressions for name in _army_names_looked_at(expression.node)):
        if name in multiverse_of(state).armies and name not in there:
            yield name


def _army_names_looked_at(node: Node) -> Iterator[str]:
    """Yield the texts in an expression that name an army to be found or compared."""
    for inner in node.walk():
        by_name = any(one.field == "name" and "army" in one.parts[0].text for one, _ in inner.pairs_of_sides)
        if by_name or (inner.function == "army_named" and inner is not node):
            yield from inner.constant_texts()


KEYS = (
    Key("change.universes", TEXTS, "the universes for which separate rules can be made and repealed; by default all",
                                   "when a change for one universe is proposed"),
)  # fmt: skip
