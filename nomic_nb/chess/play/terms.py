"""The terms of chess that the law holds, as the multiverse is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import Piece
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.terms import ORTHODOX, Terms
from nomic_nb.chess.multiverse.terms import Law as Chess
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.captures import exposing
from nomic_nb.chess.play.records import ids_in
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import Ref, Value, written
from nomic_nb.engine.law.view import Undecided
from nomic_nb.engine.play.state import State

#: Names of a case that tell single pieces apart.
OF_ONE = frozenset({"piece", "square", "board"})
#: The terms on which it hangs which moves there are, own check apart.
TERMS = frozenset((
    "piece.moves", "royal.kinds", "pawn.kinds", "pawn.double_step_ranks", "promotion.kinds", "promotion.ranks",
    "promotion.mandatory", "castling.on", "castling.partners", "passant.on", "capture.from", "check.from",
))  # fmt: skip


def _about(law: Law, state: State, key: str, army: str, boards: tuple[str, ...]) -> Any:
    case: dict[str, Value] = {"army": army, "push": boards}
    return _settled(law, law.find(key, state, case), case, army)


def names(law: Law, state: State, key: str, army: str, boards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the armies that the law names for an army on boards."""
    return ids_in(_about(law, state, key, army, boards), "army")


def terms_of(law: Law, state: State, army: str, boards: tuple[str, ...]) -> Terms:
    """Return the terms of chess for the moves of an army on boards.

    Raises
    ------
    Undecided
        The law does not say, or what it says cannot be.
    """

    def read(key: str) -> Any:
        return law.answer(key, state, {"push": boards})

    def kinds(key: str) -> str:
        return "".join(dict.fromkeys("".join(read(key)).lower()))

    try:
        return Terms(
            castling=read("castling.on"),
            castling_rook=kinds("castling.partners"),
            promotion=kinds("promotion.kinds"),
            promotion_ranks=read("promotion.ranks") or None,
            promotion_mandatory=read("promotion.mandatory"),
            initial_ranks=read("pawn.double_step_ranks"),
            en_passant=read("passant.on"),
            pawns=kinds("pawn.kinds"),
            royal=kinds("royal.kinds"),
            kings="all",
            check=_about(law, state, "check.own_on_push", army, boards) == "must parry",
        )
    except MultiverseError as error:
        raise Undecided(str(error)) from None


def case_of(piece: Piece, boards: tuple[str, ...], position: Multiverse | None) -> dict[str, Value]:
    """Return the case in which the law is asked how a piece moves, or where no position is named, all of its kind."""
    of_kind: dict[str, Value] = {"army": piece.army, "kind": piece.kind.upper(), "push": boards}
    if position is None:
        return of_kind
    square = position.name(piece.board, piece.square)
    return {**of_kind, "piece": piece.id, "square": square, "board": piece.board}


def movement_of(law: Law, state: State, piece: Piece, boards: tuple[str, ...]) -> str:
    """Return how a piece moves on boards, in Betza notation.

    Raises
    ------
    Undecided
        The law does not say.
    """
    kind = piece.kind.upper()
    position = None if OF_ONE.isdisjoint(law.looked_for("piece.moves")) else multiverse_of(state)
    case = case_of(piece, boards, position)
    finding = law.find("piece.moves", state, case)
    when = f'kind == "{kind}"'  # or the answer would hold for other kinds that are as open
    if finding.outcome == "silent":
        usual = (f'"{ORTHODOX[piece.kind]}"',) if piece.kind in ORTHODOX else ()
        about, when = _asked_about(finding, piece.army, kind, when)
        raise Undecided(f"no rule says how {about} moves", _of_case(finding, case, when), when=when, options=usual)
    return str(_settled(law, finding, case, piece.army, kind, when))


def _of_case(finding: Finding, case: Mapping[str, Value], when: str) -> Finding:
    """Return what is open with its case: whoever asks only because of it asks about the same, and of nothing else."""
    return replace(finding, case=tuple(case.items()), when=when)


def _asked_about(finding: Finding, army: str, kind: str, when: str) -> tuple[str, str]:
    """Return what a question is about, and its case: with the army if the law looked at armies.

    Each army may be open in a way of its own.
    """
    if not any(name == "army" for name, _ in finding.facts):
        return kind, when
    case = f"army == {written(Ref('army', army))}"
    return (f"{kind} of {army}" if kind else army), f"{when} and {case}" if when else case


def _settled(law: Law, finding: Finding, case: Mapping[str, Value], army: str, kind: str = "", when: str = "") -> Any:
    """Return the answer about an army; the question where there is none is for that army, if the law looked at armies.

    Raises
    ------
    Undecided
        The law does not say.
    """
    if finding.answered or finding.outcome == "depends":
        return law.settled(finding)
    about, when = ("", "") if finding.root is not None else _asked_about(finding, army, kind, when)
    if not about:
        return law.settled(_of_case(finding, case, when))
    said = str(finding).split("\n", 1)[0]
    raise Undecided(f"for {about}, {said}", _of_case(finding, case, when), when=when)


def chess_of(law: Law, state: State, army: str, boards: tuple[str, ...], *, check: bool = True) -> Chess:
    """Return everything that the multiverse asks of the law about the moves of an army on boards, own check too or not.

    Raises
    ------
    Undecided
        The law does not say.
    """
    position = multiverse_of(state)
    found: dict[str, dict[str, str]] = {name: {} for name in position.armies}
    apart: dict[int, str] = {}
    each = not OF_ONE.isdisjoint(law.looked_for("piece.moves"))
    for board in boards:
        for piece in position.standing[board].values():
            kinds = found[piece.army]
            if piece.kind not in kinds:
                kinds[piece.kind] = movement_of(law, state, piece, boards)
            elif each and (own := movement_of(law, state, piece, boards)) != kinds[piece.kind]:
                apart[piece.id] = own
    terms = terms_of(law, state, army, boards)
    return Chess({}, found, terms if check else replace(terms, check=False), apart)


def push_of(law: Law, state: State, army: str, boards: tuple[str, ...], *, check: bool = True) -> Push:
    """Return boards pushed together for an army, under the law; where its own check does not count, if so asked.

    Raises
    ------
    Undecided
        The law does not say, or what it says cannot be.
    """
    chess = chess_of(law, state, army, boards, check=check)
    captures = names(law, state, "capture.from", army, boards)
    checks = names(law, state, "check.from", army, boards)
    position, exposes = multiverse_of(state), exposing(law, state, chess, boards, checks)
    try:
        return Push(position, chess, army, boards, captures=captures, checks=checks, exposes=exposes)
    except MultiverseError as error:
        raise Undecided(str(error)) from None
