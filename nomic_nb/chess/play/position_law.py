"""A position of two armies as clauses for a game in which that is law, and two armies of a game as a position."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import cast

from nomic_nb.chess.multiverse.betza import parse_betza
from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.geometry import FILES, UNIVERSE
from nomic_nb.chess.multiverse.multiverse import no_such_army_message
from nomic_nb.chess.multiverse.notation import write_placement
from nomic_nb.chess.multiverse.pieces import BoardNames
from nomic_nb.chess.multiverse.positions import Position, position
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import ORTHODOX, Terms
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.captures import HAND_RESULTS
from nomic_nb.chess.play.events import new_turn_moves
from nomic_nb.chess.play.functions import chess_terms, push_under_law
from nomic_nb.chess.play.legal import MoveOption, moves_and_drops
from nomic_nb.chess.play.records import TERMS, current_turn_moves, happens_on_boards, referenced_ids
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.clauses import SetClause
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.rules import SourceClause
from nomic_nb.engine.law.values import Value
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Turn

#: Settings by option; those of the second table list kinds of piece.
_SETTINGS = {
    "castling": "castling.on", "promotion_ranks": "promotion.ranks", "promotion_mandatory": "promotion.mandatory",
    "initial_ranks": "pawn.double_step_ranks", "en_passant": "passant.on", "capture_result": "capture.result",
}  # fmt: skip
_KINDS = {
    "castling_rook": "castling.partners", "promotion": "promotion.kinds", "pawns": "pawn.kinds", "royal": "royal.kinds"
}  # fmt: skip


@explain_argument_errors
def to_law(position: Position, armies: Sequence[str] = ("white", "yellow")) -> str:
    """Return the pieces and options of a position as clauses, to be proposed in a game of Nomic Chess.

    They say what differs from orthodox chess, not where pieces are.

    Parameters
    ----------
    position : Position
    armies : sequence of str
        The two armies that move like White and Black, if these differ.

    Raises
    ------
    MultiverseError
        Rules have no setting for some option, which the message names.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.positions import position
    >>> print(to_law(position(pieces={"n": "NW"}, castling=False, promotion="qn")))
    piece N moves "NW"
    set castling.on to false
    set promotion.kinds to ["Q", "N"]
    """
    if isinstance(armies, str) or len(armies) != 2:
        raise MultiverseError("armies-not-two", "armies must be two names: White’s army, then Black’s")
    clauses, options = list[str](), position.options()
    for kind, texts in ((kind, [army[kind] for army in position.armies]) for kind in position.pieces):
        alike = texts[0] == texts[1]
        for army, text in zip(("",) if alike else armies, texts[: 2 - alike], strict=True):
            if ORTHODOX.get(kind) != text:
                whose = f" of army_named({json.dumps(army)})" if army else ""
                clauses.append(f'piece {kind.upper()}{whose} moves "{text}"')
    board = position.geometry
    lost = (
        []
        if (board.files, board.ranks, board.holes) == (UNIVERSE.files, UNIVERSE.ranks, frozenset())
        else ["the board"]
    )
    for name, value in options.items():
        if name in _KINDS and isinstance(value, str):
            clauses.append(f"set {_KINDS[name]} to {json.dumps([*value.upper()])}")
        elif name == "capture_result" or (name in _SETTINGS and isinstance(value, bool | list)):
            clauses.append(f"set {_SETTINGS[name]} to {json.dumps(value)}")
        elif (name, value) == ("wraps", "files"):
            clauses.append('set board.wraps to "files"')
        elif name == "move_forced":
            clauses.append("set move.forced to count(captures) > 0")
        elif name not in ("pieces", "kings"):  # under law, any number of royal pieces is possible
            lost.append(name)
    if lost:
        raise MultiverseError(
            "position-not-in-law",
            "rules have no setting for what this position has for {options}",
            options=", ".join(lost),
        )
    return "\n".join(clauses)


# ----------------------------------------------------------------------------- two armies of a game, as a position

#: Names that clauses may read and still say the same while two armies move in turn.
_STEADY = frozenset((
    "armies", "armies_in", "army", "army_named", "batting_order", "board_named", "boards", "chosen_order", "controller",
    "kind", "moves_of", "otherwise", "players", "playing", "push", "rivals",
))  # fmt: skip
#: Those that clauses about moves may read as well.
_IN_A_TURN = frozenset(("captures", "count", "held", "pushed"))
#: Values of settings that a position always has, and values that it never has.
_ALWAYS = {
    "board.holes": (), "move.on_push": "any", "turn.next": (), "turn.overlap": False, "check.own_on_push": "must parry"
}  # fmt: skip
_NEVER = {"royal.capture": "capture", "mate.tested": "never", "army.stuck": "skip"}
#: Settings that a position has in common with the law, beside the terms of chess.
_COMMON = (
    *sorted(TERMS), "capture.result", "move.forced", "board.wraps", "move.count", "move.boards_joined",
    "move.spare_partner", "turn.sequence", *_ALWAYS, *_NEVER,
)  # fmt: skip
#: Events that moves bring about, and all that happens between two of them.
_HAPPENING = (
    "pushed", "moved", "dropped", "captured", "promoted", "converted", "removed", "in_hand", "checked", "turn_begun",
    "turn_ended", "part_begun", "part_ended", "circuit_ended", "whenever",
)  # fmt: skip
#: What ends a game, and the fact of rules on what follows mate, which is no more part of a position.
_ENDING, _AFTER_MATE = frozenset(("eliminated", "won")), "mated_armies"


def position_under_law(state: State, white: str, black: str) -> Position:
    """Return the position of two armies, if the law in force says only what a position can express.

    The armies move in turn and alone; pieces on other boards are left out.

    Raises
    ------
    IllegalAction
        A rule is in the way, which the message names, or there is no such army.
    """
    try:
        return _Bridge(state, white, black).position()
    except Undecided as doubt:
        raise IllegalAction(doubt.reason) from None
    except MultiverseError as error:
        raise IllegalAction(error.said) from None


class _Bridge:
    """Two armies under law, looked at as White and Black."""

    def __init__(self, state: State, white: str, black: str) -> None:
        self.state, self.law, self.multiverse = state, state.law, multiverse_of(state)
        self.two = white, black
        for name in self.two:
            if name not in self.multiverse.armies:
                raise MultiverseError(no_such_army_message(name, self.multiverse.armies))
        homes = [self.multiverse.armies[name] for name in self.two]
        self.boards: BoardNames = tuple(dict.fromkeys(army.home for army in homes))
        halves = [self.multiverse.boards[board].half for board in self.boards]
        if white == black or halves not in ([True, True], [False]) or (len(self.boards) == 1 and homes[0].far):
            raise MultiverseError(
                "armies-not-face-to-face",
                "a position needs two armies, each on its half-board, or on the near and the far side of a board",
            )

    # What is in the way

    def turn_of(self, army: str, *pushes: BoardNames) -> State:
        """Return the game in a turn of an army that has pushed some boards."""
        player = self.multiverse.armies[army].controller
        march = new_turn_moves(self.state, army, player)
        march = None if march is None else replace(march, pushes=pushes)
        return self.state.replace(turns=(Turn(self.state.turn, player, army=army, march=march),))

    def find(self, key: str, army: str, *pushes: BoardNames, **case: Value) -> Finding:
        """Return what the law says for an army in its turn, at the beginning or when it has pushed some boards."""
        return self.law.find(key, self.turn_of(army, *pushes), {"army": army, "push": self.boards, **case})

    def bar(self, finding: Finding, *, on: bool = True) -> None:
        """Refuse what the law says, naming the rule, if `on`; what it leaves open is refused in any case."""
        self.law.value_or_undecided(finding)
        if on:
            raise _obstacle(finding.sources[0])

    def sources(self, *keys: str) -> Iterator[tuple[str, SourceClause]]:
        """Yield the clauses about some settings that hold on these boards, each with its setting."""
        for key in keys:
            for source in self.law.clauses_and_rulings_about(key):
                if any(map(source.rule.applies_in, self.boards)):
                    yield key, source

    def check(self) -> bool:
        """Refuse what a position cannot express; tell whether captures are forced."""
        for key, source in self.sources(*_COMMON):
            known = _STEADY | {node.text for node in source.clause.walk() if node.loop}
            known |= _IN_A_TURN if key.startswith("move.") else frozenset()
            for one in source.expressions:
                if not {word for word in one.words if "." not in word} <= known or not {*one.keys} <= {*_COMMON}:
                    raise _obstacle(source)
        for key, source in self.sources("may.move", "may.skip"):
            clause = cast(SetClause, source.clause)
            if clause.condition is not None or clause.value.text != str(key == "may.move").lower():
                raise _obstacle(source)
        for _, source in self.sources("win.winners"):
            if any({"position", "gone"} & self.law.dependence.fields_of_expression(one) for one in source.expressions):
                raise _obstacle(source)
        self.check_effects()
        forced, other = (self.check_values(army) for army in self.two)
        self.bar(self.find("move.forced", self.two[0], captures=(0,)), on=forced is not other)
        return forced

    def check_effects(self) -> None:
        """Refuse rules that do something on the boards, or end the game, when pieces move or turns change."""
        events, waiting, seen = self.law.vocabulary.events, [*_HAPPENING], set[str]()

        def disturbs(source: SourceClause) -> bool:
            made = source.clause.events_made
            return bool(made & _ENDING) or any(happens_on_boards(events[kind]) for kind in made if kind in events)

        while waiting:
            kind = waiting.pop(0)
            for source in (*self.law.triggers.get(kind, ()), *self.law.replacements.get(kind, ())):
                if _AFTER_MATE in source.clause.names or kind in seen:
                    continue
                if disturbs(source) or source in self.law.replacements.get(kind, ()):
                    raise _obstacle(source)
                waiting += sorted(source.clause.events_made)
            seen.add(kind)
        for source in (*self.law.replacements.get("mated", ()), *filter(disturbs, self.law.offers)):
            raise _obstacle(source)

    def check_values(self, army: str) -> bool:
        """Refuse values of settings that a position does not have; tell whether an army’s captures are forced."""
        for key, value in _ALWAYS.items():
            finding = self.find(key, army)
            self.bar(finding, on=finding.value != value)
        for key, value in _NEVER.items():
            finding = self.find(key, army)
            self.bar(finding, on=finding.value == value)
        for key in ("capture.from", "check.from"):
            finding = self.find(key, army)
            self.bar(
                finding, on={*self.two}.intersection(referenced_ids(finding.value, "army")) != {*self.two} - {army}
            )
        joined, order = self.find("move.boards_joined", army), self.find("turn.sequence", army)
        self.bar(joined, on=len(self.boards) > 1 and 2 not in (joined.value or ()))
        movers = {*self.two, *(self.multiverse.armies[name].controller for name in self.two)}
        self.bar(order, on=len([one for one in order.value or () if one.id in movers]) != len(self.two))
        count, again = (self.find(key, army, self.boards) for key in ("move.count", "move.on_push"))
        self.bar(count, on=count.value == 0 or (count.value != 1 and again.value != "none"))
        forced = [self.find("move.forced", army, captures=(0,) * many) for many in (0, 1, 2)]
        self.bar(forced[1], on=bool(forced[0].value) or forced[1].value != forced[2].value)
        return bool(forced[1].value)

    # What a position has

    def position(self) -> Position:
        """Return the position."""
        forced = self.check()
        march = current_turn_moves(self.state)
        mover = next((army for army in self.two if march and army in march.armies), self.two[0])
        if march and self.boards in march.pushes:
            mover = self.two[mover == self.two[0]]
        turn = self.turn_of(mover)
        push = push_under_law(self.law, turn, mover, self.boards)
        terms, shape = chess_terms(self.law, turn, mover, self.boards), push.geometry
        for piece in push.pieces.values():
            if piece.army not in self.two or piece.royal is not None:
                raise MultiverseError(
                    "piece-beyond-position",
                    "{piece} is in the way: a position has two armies, and only its kind makes a piece royal",
                    piece=f"{piece.kind.upper()} of {piece.army} on {self.multiverse.name(*piece.place)}",
                )
        movements = [self.movements(army) for army in self.two]
        known = movements[0].keys() & movements[1].keys()
        self.bar(self.find("promotion.kinds", mover), on=bool(terms.pawns and {*terms.promotion} - known))
        finding = self.find("capture.result", mover)
        result = str(self.law.value_or_undecided(finding))
        # In a position, promoted pieces go into a hand as pawns.
        self.bar(finding, on=result in HAND_RESULTS and bool(terms.pawns and terms.promotion))
        rights = "".join(self.castling(push, side, terms, movements[side]) for side in (0, 1))
        letters = {
            at: piece.kind.upper() if piece.army == self.two[0] else piece.kind for at, piece in push.pieces.items()
        }
        hands = [
            (str.lower if side else str.upper)(self.state.gone[id].kind)
            for side, army in enumerate(self.two) for id in self.state.hands.get(army, ())
        ]  # fmt: skip
        passed = next(
            (shape.name(push.local(one.board, one.square)) for one in reversed(self.multiverse.passings)
             if one.board in self.boards and self.multiverse.pieces[one.piece].army not in (mover, None)), "-",
        )  # fmt: skip
        placement = write_placement(letters, shape) + (f"[{''.join(hands)}]" if result in HAND_RESULTS else "")
        lone = all(
            sum(push.law.royal(one) for one in push.pieces.values() if one.army == army) == 1 for army in self.two
        )
        options = {name: getattr(terms, name) for name in _SETTINGS if name != "capture_result"}
        options |= {name: "".join(kind for kind in getattr(terms, name) if kind in known) for name in _KINDS}
        found = position(
            f"{placement} {'wb'[self.two.index(mover)]} {rights or '-'} {passed} 0 1",
            dict(zip(("white", "black"), movements, strict=True)),
            **options | {
                "wraps": shape.wraps, "capture_result": result, "move_forced": forced,
                "promotion_ranks": terms.promotion_ranks or (shape.ranks,),
                "kings": "one" if lone and not terms.changes_royals else "all",
            },
        )  # fmt: skip
        self.compare(found, turn, push, forced=forced)
        return found

    def movements(self, army: str) -> dict[str, str]:
        """Return the movements of all kinds of an army on which the law has a word."""
        found = {kind: self.find("piece.moves", army, kind=kind.upper()) for kind in ascii_lowercase}
        return {
            kind: str(self.law.value_or_undecided(finding)) for kind, finding in found.items()
            if finding.outcome != "silent"
        }  # fmt: skip

    def castling(self, push: Push, side: int, terms: Terms, movements: dict[str, str]) -> str:
        """Return an army’s rights to castle as in a FEN; its king’s movement says by how many steps if need be."""
        files = push.geometry.files
        first = (push.geometry.ranks - 1) * files if side else 0
        still = {
            at - first: piece.kind for at, piece in push.pieces.items()
            if piece.army == self.two[side] and not piece.moved and 0 <= at - first < files
        }  # fmt: skip
        kings = [file for file, kind in still.items() if kind in terms.royal]
        partners = [file for file, kind in still.items() if kind in terms.castling_rook and file not in kings]
        if not (terms.castling and kings and partners):
            return ""
        self.bar(self.find("castling.on", self.two[side]), on=len(kings) > 1)
        home, kind = kings[0], still[kings[0]]
        if (files, home) != (UNIVERSE.files, UNIVERSE.files // 2) and not parse_betza(movements[kind]).castlings:
            movements[kind] += "O2"
        letters = [FILES[file] for file in partners if abs(file - home) > 1]
        return "".join(letter if side else letter.upper() for letter in letters)

    def compare(self, found: Position, turn: State, push: Push, *, forced: bool) -> None:
        """Refuse a position whose moves are not those under law."""
        moves = moves_and_drops(turn, push)
        moves = [move for move in moves if move.taken] if forced and any(move.taken for move in moves) else moves
        here = {MoveOption(push, move).uci for move in moves}
        if differing := sorted(here ^ {*found.moves()}):
            raise MultiverseError(
                "position-moves-differ",
                "a position can’t have exactly the moves of these rules; they differ in {moves}",
                moves=", ".join(differing[:3]),
            )


def _obstacle(source: SourceClause) -> IllegalAction:
    """Return the refusal that names the rule in the way of a position."""
    rule = source.rule
    return IllegalAction(
        say(
            "rule-beyond-position",
            "{title} is in the way: a position can’t express “{clause}”",
            title=f"“{rule.title}”" if rule.title else "a rule",
            clause=source.clause.words,
        ),
        rule=rule.number,
    )
