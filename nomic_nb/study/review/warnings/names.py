"""Warnings that a rule speaks of what there is not: nobody and nothing has the name."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import cache
from string import ascii_uppercase
from types import UnionType

from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.scopes import armies_in
from nomic_nb.engine.law.checking import yielded
from nomic_nb.engine.law.clauses import Clause, Piece, Set
from nomic_nb.engine.law.findings import as_set
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.hints import suggestions
from nomic_nb.engine.law.nodes import Expression, Node
from nomic_nb.engine.law.rules import EVERYWHERE, Rule
from nomic_nb.engine.law.slots import Newcomer, Owner, Players
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.words import listed
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.queries import comparisons, effects, in_force, names_in, nodes
from nomic_nb.study.review.warnings.registry import Messages, check


@check("unknown-part", "mismatch", cost="law")
def unknown_part(run: DryRun) -> Messages:
    """Warn that it compares a part of a turn, or a tier, with a text that no rule in force has for one.

    Write the part as `turn.parts` has it, or the tier as rules have it.

    Example: nb.enact("Stop.", 'on part_begun when part == "thrwo": end part')
    """
    law = run.law
    parts = [node.value for one in law.speaking("turn.parts") for node in yielded(as_set(one).value.node)]
    known: dict[str, list[object]] = {"part": [*parts], "tier": [*law.order.tiers, *(rule.tier for rule in law.book)]}
    for clause in run.fresh:
        for one, other in comparisons(clause):
            words = {str(word): "" for word in known.get(one.text, ())} if one.kind in ("name", "field") else {}
            for text in (part.value for part in (other.parts if other.kind == "list" else (other,))):
                if words and isinstance(text, str) and text not in words:
                    yield say(
                        "part-unknown", "no rule in force has a {kind} “{name}”: “{clause}”; there is {meant}",
                        kind=one.text, name=text, clause=clause,
                        meant=listed([f"“{word}”" for word in suggestions(text, words) or words], "or")
                    )  # fmt: skip


@check("no-owner", "mismatch", cost="law")
def no_owner(run: DryRun) -> Messages:
    r"""Warn that a clause on a counter speaks of the player whose it is, and the counter is no player's.

    Track it per player, or leave the player out.

    Example: nb.enact("X", 'track x per game from 0\nset counter.value to 0 while counter == "x" and player.points < 0')
    """
    for clause in run.of(Set):
        if clause.key != "counter.value" or clause.condition is None:
            continue
        others = [other for one, other in comparisons(clause) if one.text == "counter"]
        named = [part.value for one in others for part in (one, *one.parts) if isinstance(part.value, str)]
        shapes = [run.law.tables[name] for name in named if name in run.law.tables]
        if "player" in names_in(clause) and shapes and not any("player" in one.keys for one in shapes):
            yield say(
                "counter-of-nobody",
                "“{clause}” never applies: {counter} is kept per {keys}, so there is no player whose it is",
                clause=clause, counter=named[0], keys=listed(shapes[0].keys, ", ")
            )  # fmt: skip


@check("unknown-player", "no-difference", cost="law")
def unknown_player(run: DryRun) -> Messages:
    """Warn that it names a player, and nobody of this name plays.

    Write the name as the player has it.

    Example: nb.enact("Zoe.", 'on adopted: award 5 points to "Zoe"')
    """
    players = {name.lower(): name for name in run.adoption.after.players}
    entering = {name for clause in run.fresh for name in _placed(clause, Newcomer)}
    for clause in run.fresh:
        for name in dict.fromkeys((*_placed(clause, Players | Owner), *_called(clause, "player"))):
            if name not in players.values() and name not in entering:
                said = say(
                    "player-unknown", "“{clause}” speaks of {player}, and nobody of this name plays",
                    clause=clause, player=name
                )  # fmt: skip
                near = difflib.get_close_matches(name.lower(), players, 1)
                yield said.within("{message} – did you mean {meant}?", meant=players[near[0]]) if near else said


def _placed(clause: Clause, kind: type | UnionType) -> Iterator[str]:
    """Yield the names that stand in places of effects."""
    for effect in clause.every_effect():
        for name, found in effect.places:
            if isinstance(effect.form.places.get(name), kind) and isinstance(found, Expression):
                yield from _texts(found.node)


def _texts(node: Node) -> Iterator[str]:
    """Yield the texts that something can be: itself, or what a list or a choice between two has; no keys of tables."""
    if node.kind == "constant" and isinstance(node.value, str):
        yield node.value
    parts = {"list": node.parts, "if": (node.parts[0], node.parts[-1]) if node.parts else ()}
    for part in parts.get(node.kind, ()):
        yield from _texts(part)


@check("unknown-thing", "no-difference", cost="law")
def unknown_thing(run: DryRun) -> Messages:
    """Warn that it names an army, a board or a kind of piece that there is not.

    Write the name as the boards have it.

    Example: nomic-chess: nb.enact("Z.", 'piece Z moves "W"')
    """
    after = run.adoption.after
    if after.position is None:
        return
    boards, armies = list(after.position.boards), list(after.position.armies)
    entering = {text for one in effects(run.fresh) for text in _names_in(one, "army")}
    for rule in run.rules:
        place, letters = _letters(run, rule.new, after)
        for clause in rule.fresh:
            places = (name.rpartition(".")[0] for name in _called(clause, "square"))
            on_boards = (*_called(clause, "board"), *places)
            for kind, names, called in (("army", armies, _called(clause, "army")), ("board", boards, on_boards)):
                for name in dict.fromkeys(called):
                    if name not in names and name not in entering:
                        yield say(
                            "thing-unknown", "“{clause}” speaks of the {kind} {name}, and there is only {names}",
                            clause=clause, kind=kind, name=name, names=listed(names)
                        )  # fmt: skip
            for kind in dict.fromkeys([clause.kind] if isinstance(clause, Piece) else _kinds(clause)):
                if kind not in letters:
                    yield say(
                        "piece-unknown", "“{clause}” speaks of pieces {kind}, and there are none{place}",
                        clause=clause, kind=kind, place=place
                    )  # fmt: skip


def _letters(run: DryRun, rule: Rule | None, after: State) -> tuple[str, set[str]]:
    """Return where a rule is for, and the letters of pieces that are or were there, or that clauses can bring."""
    scope = rule.scope if rule is not None else EVERYWHERE
    armies = armies_in(after, scope if scope != EVERYWHERE else "")
    pieces = (*multiverse_of(after).pieces.values(), *after.gone.values())
    here = {one.kind.upper() for one in pieces if one.army in armies}
    brought = effects((*in_force(run.law), *run.fresh))
    may_be = {text for effect in brought for text in _names_in(effect, "kind")}
    may_be |= {text for source in run.law.speaking("promotion.kinds") for text in _capitals(source.clause)}
    return f" in {scope}" if scope != EVERYWHERE else "", here | may_be


def _capitals(clause: Clause) -> Iterator[str]:
    """Yield the capital letters that stand alone in a clause."""
    return (one.value for one in nodes(clause) if isinstance(one.value, str) and one.value in ascii_uppercase)


def _kinds(clause: Clause) -> Iterator[str]:
    """Yield the kinds of piece with which the kinds of others are compared."""
    for one, other in comparisons(clause):
        if one.kind == "field" and one.text == "kind" and one.parts[0].text in _standing_for("piece"):
            yield from (text for text in _texts(other) if text in ascii_uppercase)


def _names_in(effect: Effect, place: str) -> Iterator[str]:
    """Yield the texts that stand in a place of an effect."""
    found = getattr(effect, place, None)
    yield from _texts(found.node) if isinstance(found, Expression) else ()


def _called(clause: Clause, kind: str) -> Iterator[str]:
    """Yield the names by which things of a kind are found, and those with which their names are compared."""
    for node in nodes(clause):
        if node.kind == "call" and node.text == f"{kind}_named":
            yield from _texts(node.parts[0])
    for one, other in comparisons(clause):
        if (one.kind, one.text) == ("field", "name") and one.parts[0].text in _standing_for(kind):
            yield from _texts(other)


@cache
def _standing_for(kind: str) -> frozenset[str]:
    """Return the names that stand for something of a kind, wherever they are known."""
    known = language().vocabulary
    cases = [*(one.binds for one in known.events.values()), *(one.binds for one in known.actions.values())]
    cases += [one.case for one in known.keys.values()]
    bound = {name for case in cases for name, type in case.items() if type.name == kind}
    return frozenset(bound | {name for name, one in known.facts.items() if one.type.name == kind})
