"""Armies and boards that there are not, where a clause comes to nothing without them: refused before the vote."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from string import ascii_uppercase

from nomic_nb.chess.multiverse.geometry import MAX_SIZE
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.effects import NOT_A_RING
from nomic_nb.chess.play.records import referenced_ids
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.language import Line
from nomic_nb.engine.law.nodes import Expression, Node, Undecided, View
from nomic_nb.engine.law.rules import RuleBook
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.lawmaking import IdleReason
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import join_words

# ---------------------------------------------------------------------------- armies and boards that there are not


#: The functions that find something on the boards by its name, and what that is.
NAME_FUNCTIONS = {"army_named": "army", "board_named": "board", "square_named": "board"}


def check_names_exist(state: State, lines: tuple[Line, ...]) -> None:
    """Refuse clauses that need an army or a board which neither exists nor can enter.

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
                    message = say("square-named-without-board", "a square is called by its board, too")
                    raise LawError(message, line=line.line, found=repr(square), expected=there)
            if name not in known[kind] and name not in _army_names_to_enter(state):
                there = f"{join_words(tuple(known[kind]), 'or')}, or a rule that lets it enter first"
                message = say("clause-names-nothing-there", "there is no {kind} {name}", kind=kind, name=name)
                raise LawError(message, line=line.line, found=repr(name), expected=there)


def _find_named_calls(clause: c.Clause) -> Iterator[Node]:
    """Yield the calls in a clause that find an army, board or square by a written name."""
    expressions = list(clause.expressions) if isinstance(clause, c.SetClause) else []
    if isinstance(clause, c.TriggerClause) and clause.event == "enacted":
        expressions += [expression for effect in clause.unconditional_effects() for expression in effect.expressions]
    calls = (node for expression in expressions for node in expression.calls(*NAME_FUNCTIONS))
    return (node for node in calls if node.parts[0].is_constant)


def _entering_effects(clauses: Iterable[c.Clause]) -> Iterator[Effect]:
    """Yield the effects in clauses by which armies enter."""
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


def why_piece_never_moves(state: State, book: RuleBook, clause: c.Clause) -> IdleReason | None:
    """Return why a clause on how a kind moves can never apply; None if it can."""
    if not isinstance(clause, c.PieceClause) or state.position is None or _is_kind_on_boards(state, clause.kind):
        return None
    kinds = _possible_kinds(state, book)
    if clause.kind in kinds:
        return None
    message = say("kind-of-nobody", "no army has pieces {kind}, and no rule brings any", kind=clause.kind)
    return IdleReason(
        message, clause.words[:60], f"{join_words(sorted(kinds), 'or')}, or a clause beside it that places one"
    )


def _is_kind_on_boards(state: State, kind: str) -> bool:
    """Tell whether a piece of this kind stands on any board."""
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
