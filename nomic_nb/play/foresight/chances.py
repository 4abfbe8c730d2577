"""What pieces are worth, and what a player must expect to lose by a change at hand that takes pieces by chance."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, cast

from nomic_nb.law.clauses import On
from nomic_nb.law.forms import Effect
from nomic_nb.law.resolver import Law
from nomic_nb.law.running import bounded
from nomic_nb.law.values import NUMBER, Value
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import EVERYTHING, Function, Key
from nomic_nb.play.cases import PLAYER
from nomic_nb.play.chess.keys import KIND
from nomic_nb.play.chess.records import many_refs, one_ref, piece_of
from nomic_nb.play.foresight.supposing import proposal_at_hand
from nomic_nb.play.state import state_of

#: Outcomes of throws that are gone through.
MOST_OUTCOMES = 1_000


def _triggers(view: View) -> Iterator[On]:
    law = cast(Law, view.law)
    for line in law.language.read(proposal_at_hand(view).change.law or ""):
        yield from (one for one in line.clause.whole if isinstance(one, On))


def _expected_loss(view: View, player: Value) -> Value:
    """Return the points that a player loses on average where pieces are removed by throws, exactly."""
    name, loss = one_ref(player, "player").id, Fraction(0)
    for clause in _triggers(view):
        effects = list(clause.every_effect())
        rolls = [one for one in effects if one.form.name == "roll"]
        removals = [one for one in effects if one.form.name == "remove"]
        if rolls and removals:
            if clause.each is not None:
                raise Undecided("what is expected of a throw for each of several is not reckoned here")
            loss += _mean(view, rolls, removals, str(name))
    view.evidence[f"expected_loss {name}"] = f"{name} must expect to lose {loss} points"
    return bounded(loss)


def _mean(view: View, rolls: list[Effect], removals: list[Effect], player: str) -> Fraction:
    """Return the mean value of what a player loses, over all outcomes of throws of one die each."""
    dice: list[Any] = list(rolls)
    if any(one.dice.run(view) != 1 for one in dice):
        raise Undecided("only throws of single dice are reckoned here")
    sides = [cast(int, one.sides.run(view)) for one in dice]
    outcomes = 1
    for one in sides:
        outcomes *= one
    if not 1 <= outcomes <= MOST_OUTCOMES:
        raise Undecided(f"there are {outcomes} outcomes of the throw, and at most {MOST_OUTCOMES} are reckoned")
    total = Fraction(0)
    for faces in product(*(range(1, one + 1) for one in sides)):
        view.spend(1, 5)
        env = {**view.env, **{one.name: face for one, face in zip(dice, faces, strict=True)}}
        then = View(view.state, env, view.law)
        gone = {ref.id for one in removals for ref in many_refs(cast(Any, one).pieces.run(then), "piece")}
        total += sum((_worth(view, cast(int, id), player) for id in gone), start=Fraction(0))
    return total / outcomes


def _worth(view: View, id: int, player: str) -> Fraction:
    state = state_of(view)
    piece = piece_of(state, id)
    if state.multiverse.armies[piece.army].controller != player:
        return Fraction(0)
    return Fraction(cast(int, view.key("piece.worth", kind=piece.kind.upper())))


KEYS = (
    Key("piece.worth", NUMBER, "how many points a kind of piece is worth", "where rules compare what is lost",
        {"kind": KIND}, by_rules=True),
)  # fmt: skip

FUNCTIONS = (
    Function("expected_loss", (PLAYER,), NUMBER, "the points that a player loses on average by the throws in the "
             "change at hand that remove pieces; open where that is not the mean over single dice", _expected_loss,
             reads=EVERYTHING, keys=("piece.worth",)),
)  # fmt: skip
