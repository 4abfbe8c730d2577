"""How a kind of piece would move if a change were adopted: squares as before, new ones and lost ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nomic_nb.chess.multiverse.drawing import movement_change_diagram
from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.movement_sentences import sentence
from nomic_nb.chess.multiverse.pictures import SvgPicture
from nomic_nb.chess.multiverse.rules import KIND_NAMES
from nomic_nb.chess.play.functions import movement_notation
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import PieceClause
from nomic_nb.engine.law.nodes import BudgetExceeded, Undecided, limit_steps
from nomic_nb.engine.law.rules import Number, Rule
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.engine.words import upper_first
from nomic_nb.study.review.dry_run import quick_dry_run

#: Steps of the law that finding out how a piece would move may take: some hundredths of a second.
STEPS_FOR_MOVES = 15_000


@frozen
class MovementChange:
    """How a kind of piece moves before and after a change.

    Parameters
    ----------
    kind : str
        Letter of the kind, such as “N”.
    before, after : str
        Betza notation of how it moves; empty if it does not.
    """

    kind: str
    before: str
    after: str

    @property
    def name(self) -> str:
        """The name of the kind, such as “knight”."""
        return KIND_NAMES.get(self.kind.lower(), self.kind)

    @property
    def phrases(self) -> dict[str, list[str]]:
        """Sentences on the ways to move that are ``kept``, ``new`` and ``lost``."""
        old, new = _movement_phrases(self.before), _movement_phrases(self.after)
        return {
            "kept": [phrase for phrase in new if phrase in old],
            "new": [phrase for phrase in new if phrase not in old],
            "lost": [phrase for phrase in old if phrase not in new],
        }

    @property
    def picture(self) -> SvgPicture:
        """A drawing of the squares around the piece."""
        alt = " ".join(f"{self.name}, {how}: {phrase}" for how, ways in self.phrases.items() for phrase in ways)
        return movement_change_diagram(self.kind, self.before, self.after, alt)


def find_changed_movement(state: State, change: Change, proponent: str, number: Number | None) -> MovementChange | None:
    """Return how the first kind of piece whose movement a change alters moves; None if there is none.

    Parameters
    ----------
    state : State
        How things stood when the change was proposed.
    change : Change
        What is proposed.
    proponent : str
        Who proposes it.
    number : int or str or None
        The proposal's number.
    """
    if state.position is None:
        return None
    rules = [rule for target in change.target_numbers if (rule := state.rules.rule_numbered(target)) is not None]
    try:
        kinds = list(dict.fromkeys(_kinds_moved(state, change, rules)))
        if not kinds:
            return None
        with limit_steps(STEPS_FOR_MOVES):
            run = quick_dry_run(calm_state(state), change, proponent, number, steps=STEPS_FOR_MOVES)
            for kind in kinds:
                before, after = _movement_of_kind(state, kind), _movement_of_kind(run.after, kind)
                if before != after:
                    return MovementChange(kind, before, after)
    except (BudgetExceeded, LawError, LookupError, MultiverseError, Undecided):
        return None
    return None


def _kinds_moved(state: State, change: Change, rules: Iterable[Rule]) -> Iterator[str]:
    """Yield the kinds of pieces, such as “N”, whose movement is set by a change or by the rules that it changes."""
    yield from (line.clause.kind for line in state.law.language.read_clauses(change.all_law)
                if isinstance(line.clause, PieceClause))  # fmt: skip
    yield from (clause.kind for rule in rules for clause in rule.clauses if isinstance(clause, PieceClause))


def _movement_of_kind(state: State, kind: str) -> str:
    """Return how a kind of piece moves by the law in force, in Betza notation; empty if there is none that moves."""
    pieces = () if state.position is None else state.position.pieces.values()
    piece = next((piece for piece in pieces if piece.kind.upper() == kind), None)
    if piece is None:
        finding = state.find("piece.moves", kind=kind)
        return str(finding.value) if finding.answered else ""
    try:
        return movement_notation(state.law, state, piece, (piece.board,))
    except Undecided:
        return ""


def _movement_phrases(notation: str) -> list[str]:
    """Return the ways in which a piece moves, a sentence for each; empty for no movement."""
    ways = sentence(notation).removesuffix(".").split("; or ") if notation else []
    return [f"{upper_first(way)}." for way in ways]
