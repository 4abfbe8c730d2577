"""Armies and boards that there are not, where a clause comes to nothing without them: refused before the vote."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from string import ascii_uppercase

from nomic_nb.chess.multiverse.geometry import MAX_SIZE
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.effects import NOT_A_RING
from nomic_nb.chess.play.records import board_ids
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
    """Refuse terms, and effects at once, that need an army or a board that there is not, unless a rule can bring it in.

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
        for node in (one for clause in line.clause.whole for one in _find_named_calls(clause)):
            kind, name = NAME_FUNCTIONS[node.text], str(node.parts[0].value)
            if node.text == "square_named":
                name, dot, square = name.rpartition(".")
                if not dot:
                    there = ", ".join(f"{board}.{square}" for board in position.boards)
                    said = say("square-named-without-board", "a square is called by its board, too")
                    raise LawError(said, line=line.line, found=repr(square), expected=there)
            if name not in known[kind] and name not in _army_names_to_enter(state):
                there = f"{join_words(tuple(known[kind]), 'or')}, or a rule that lets it enter first"
                said = say("clause-names-nothing-there", "there is no {kind} {name}", kind=kind, name=name)
                raise LawError(said, line=line.line, found=repr(name), expected=there)


def _find_named_calls(clause: c.Clause) -> Iterator[Node]:
    """Yield the calls by which a clause finds something by a name that is written in it, and without which it fails."""
    expressions = list(clause.expressions) if isinstance(clause, c.SetClause) else []
    if isinstance(clause, c.TriggerClause) and clause.event == "enacted":
        expressions += [one for effect in clause.effects_at_once() for one in effect.expressions]
    calls = (node for one in expressions for node in one.calls(*NAME_FUNCTIONS))
    return (node for node in calls if node.parts[0].is_constant)


def _entering_effects(clauses: Iterable[c.Clause]) -> Iterator[Effect]:
    """Yield the effects by which armies enter."""
    some = (one for clause in clauses for one in clause.whole if isinstance(one, c.TriggerClause))
    return (effect for one in some for effect in one.every_effect("enter_army"))


def _army_names_to_enter(state: State) -> set[str]:
    """Return the texts in effects of rules in force by which armies enter."""
    effects = _entering_effects(clause for rule in state.rules.in_force for clause in rule.clauses)
    return {text for effect in effects for one in effect.expressions for text in one.texts()}


# -------------------------------------------------------------------------------- boards that would grow too large


def check_growth(state: State, lines: tuple[Line, ...]) -> None:
    """Refuse effects that would let boards grow beyond what boards can be, already as they are now.

    Raises
    ------
    LawError
        With the line of the clause.
    """
    for line in lines:
        for effect in (one for each in line.clause.whole for one in each.every_effect("grow")):
            _check_growing_effect(state, effect, line)


def _check_growing_effect(state: State, effect: Effect, line: Line) -> None:
    view = View(state, {}, state.law)
    around, said = effect.around, effect.ranks
    try:
        named, by = effect.boards.run(view), said.run(view) if said.constant else None
    except Undecided:  # it depends on what happens then
        return
    if not isinstance(by, int):
        return
    boards, grown = multiverse_of(state).boards, board_ids(named, "board")
    more = {name: by if name in grown else 0 for name in boards}
    sizes = {
        name: (one.geometry.files + 2 * around * more[name], one.geometry.ranks + (1 + around) * more[name])
        for name, one in boards.items()
    }
    halves = sorted((sizes[name][1] for name, one in boards.items() if one.half), reverse=True)
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
    """Return why a movement can never be made; None if it can, or if the clause is none."""
    if not isinstance(clause, c.PieceClause) or state.position is None or _is_on_board(state, clause.kind):
        return None
    kinds = _possible_kinds(state, book)
    if clause.kind in kinds:
        return None
    said = say("kind-of-nobody", "no army has pieces {kind}, and no rule brings any", kind=clause.kind)
    return IdleReason(
        said, clause.words[:60], f"{join_words(sorted(kinds), 'or')}, or a clause beside it that places one"
    )


def _is_on_board(state: State, kind: str) -> bool:
    return any(one.kind.upper() == kind for one in multiverse_of(state).pieces.values())


def _possible_kinds(state: State, book: RuleBook) -> frozenset[str]:
    """Return the kinds that there are or were, that rules can bring or let others move like; all, where one may say."""
    gone = state.gone.values()
    kinds = {one.kind.upper() for one in (*multiverse_of(state).pieces.values(), *gone)}
    for clause in (one for rule in book.in_force for each in rule.clauses for one in each.whole):
        effects = [one for one in clause.every_effect() if KIND_BRINGING_EVENTS & {*one.form.makes}]
        kinds |= {str(part.value) for node in clause.calls("moves_of") for part in node.parts}
        if not effects and getattr(clause, "key", "") not in KIND_BRINGING_KEYS:
            continue
        named = frozenset(_kind_letters(clause.expressions))
        said = [one for one in (getattr(each, "kind", None) for each in effects) if isinstance(one, Expression)]
        if any(not _kind_letters([one]) and one.node.field != "kind" for one in said):
            return frozenset(ascii_uppercase)
        kinds |= named
    return frozenset(kinds)


def _kind_letters(expressions: Iterable[Expression]) -> set[str]:
    """Return the letters of the texts in expressions that can be kinds, or a row of them."""
    texts = (text for one in expressions for text in one.texts())
    return {letter for text in texts if text.isupper() and text.replace(".", "").isalpha() for letter in text} - {"."}
