"""Warnings that a rule names somebody or something that does not exist."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import cache
from string import ascii_uppercase
from types import UnionType

from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.clause_checks import armies_in_universe
from nomic_nb.engine.law.clauses import Clause, Effect, PieceClause, SetClause
from nomic_nb.engine.law.findings import set_clause_of
from nomic_nb.engine.law.hints import suggest_words
from nomic_nb.engine.law.nodes import Expression, Node
from nomic_nb.engine.law.rules import EVERYWHERE_SCOPE, Rule
from nomic_nb.engine.law.slots import NewcomerSlot, OwnerSlot, PlayersSlot
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.words import join_words
from nomic_nb.study.review.cases import all_effects, clauses_in_force
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.warnings.registry import Messages, check


@check("unknown-part", "mismatch", cost="law")
def warn_of_unknown_part(run: DryRun) -> Messages:
    """Warn that the proposal compares a turn's part, or a tier, with a name that no rule in force uses for one.

    Write the part as in `turn.parts`, or the tier as in the rules.

    Example: nb.enact("Stop.", 'on part_begun when part == "thrwo": end part')
    """
    law = run.law
    parts = [
        node.value
        for source in law.clauses_about("turn.parts")
        for node in set_clause_of(source).value.node.possible_constants
    ]
    known: dict[str, list[object]] = {"part": [*parts], "tier": [*law.order.tiers, *(rule.tier for rule in law.book)]}
    for clause in run.new_clauses:
        for left, other in clause.compared_pairs():
            words = {str(word): "" for word in known.get(left.name or left.field, ())}
            for text in (part.value for part in other.list_items_or_self):
                if words and isinstance(text, str) and text not in words:
                    yield say(
                        "part-unknown", "no rule in force has a {kind} “{name}”: “{clause}”. Perhaps you mean {meant}",
                        kind=left.text, name=text, clause=clause,
                        meant=join_words([f"“{word}”" for word in suggest_words(text, words) or words], "or")
                    )  # fmt: skip


@check("no-owner", "mismatch", cost="law")
def warn_of_missing_owner(run: DryRun) -> Messages:
    r"""Warn that a clause of the proposal needs the owner of a counter that is not kept per player.

    Track it per player, or leave the player out.

    Example: nb.enact("X", 'track x per game from 0\nset counter.value to 0 while counter == "x" and player.points < 0')
    """
    for clause in run.new_clauses_of_type(SetClause):
        if clause.key != "counter.value" or clause.condition is None:
            continue
        named = [text for node in clause.nodes_compared_with("counter") for text in _possible_texts(node)]
        shapes = [run.law.tables[name] for name in named if name in run.law.tables]
        if "player" in clause.names and shapes and not any("player" in table.keys for table in shapes):
            yield say(
                "counter-of-nobody",
                "“{clause}” never applies: {counter} is counted per {keys}, so it belongs to no player",
                clause=clause, counter=named[0], keys=join_words(shapes[0].keys, ", ")
            )  # fmt: skip


@check("unknown-player", "no-difference", cost="law")
def warn_of_unknown_player(run: DryRun) -> Messages:
    """Warn that the proposal names somebody who is not a player.

    Spell the player's name exactly.

    Example: nb.enact("Zoe.", 'on adopted: award 5 points to "Zoe"')
    """
    players = {name.lower(): name for name in run.adoption.after.players}
    entering = {name for clause in run.new_clauses for name in _names_in_slots(clause, NewcomerSlot)}
    for clause in run.new_clauses:
        for name in dict.fromkeys(
            (*_names_in_slots(clause, PlayersSlot | OwnerSlot), *_names_looked_up(clause, "player"))
        ):
            if name not in players.values() and name not in entering:
                message = say(
                    "player-unknown", "“{clause}” names {player}, but no player has that name",
                    clause=clause, player=name
                )  # fmt: skip
                near = difflib.get_close_matches(name.lower(), players, 1)
                yield message.embed_in("{message} – did you mean {meant}?", meant=players[near[0]]) if near else message


def _names_in_slots(clause: Clause, slot_class: type | UnionType) -> Iterator[str]:
    """Yield the constant texts in a clause's effects that fill slots of a class, such as `NewcomerSlot`."""
    for effect in clause.all_effects():
        for name, value in effect.places:
            if isinstance(effect.form.places.get(name), slot_class) and isinstance(value, Expression):
                yield from _possible_texts(value.node)


@check("unknown-thing", "no-difference", cost="law")
def warn_of_unknown_thing(run: DryRun) -> Messages:
    """Warn that the proposal names an army, a board or a kind of piece that does not exist.

    Spell the name exactly as on the boards.

    Example: nomic-chess: nb.enact("Z.", 'piece Z moves "W"')
    """
    after = run.adoption.after
    if after.position is None:
        return
    boards, armies = list(after.position.boards), list(after.position.armies)
    entering = {text for effect in all_effects(run.new_clauses) for text in _texts_in_slot(effect, "army")}
    for rule in run.rules:
        for clause in rule.new_clauses:
            squares = [*_names_looked_up(clause, "square")]
            on_boards = (*_names_looked_up(clause, "board"), *(name.rpartition(".")[0] for name in squares))
            for name in dict.fromkeys(squares):
                if "." not in name:
                    yield say(
                        "square-lacks-board", "“{clause}” names the square {name} without its board: "
                        "it is called {board}.{name}", clause=clause, name=name, board=boards[0]
                    )  # fmt: skip
            for kind, names, called in (
                ("army", armies, _names_looked_up(clause, "army")),
                ("board", boards, on_boards),
            ):
                for name in dict.fromkeys(called):
                    if name and name not in names and name not in entering:
                        yield say(
                            "thing-unknown", "“{clause}” names the {kind} {name}, but there is only {names}",
                            clause=clause, kind=kind, name=name, names=join_words(names)
                        )  # fmt: skip
            for kind in dict.fromkeys(
                [clause.kind] if isinstance(clause, PieceClause) else _kinds_compared_with(clause)
            ):
                place, letters = _known_piece_letters(run, rule.new, after)
                if kind not in letters:
                    yield say(
                        "piece-unknown", "“{clause}” names pieces of kind {kind}, but there are none{place}",
                        clause=clause, kind=kind, place=place
                    )  # fmt: skip


def _known_piece_letters(run: DryRun, rule: Rule | None, after: State) -> tuple[str, set[str]]:
    """Return “ in ” with the board to which a rule is limited (or empty), and letters of the kinds of piece there."""
    scope = rule.scope if rule is not None else EVERYWHERE_SCOPE
    armies = armies_in_universe(after, scope if scope != EVERYWHERE_SCOPE else "")
    pieces = (*multiverse_of(after).pieces.values(), *after.gone.values())
    here = {piece.kind.upper() for piece in pieces if piece.army in armies}
    brought = all_effects((*clauses_in_force(run.law), *run.new_clauses))
    may_be = {text for effect in brought for text in _texts_in_slot(effect, "kind")}
    may_be |= {
        text
        for source in run.law.clauses_about("promotion.kinds")
        for text in source.clause.constant_texts()
        if text in ascii_uppercase
    }
    return f" in {scope}" if scope != EVERYWHERE_SCOPE else "", here | may_be


def _kinds_compared_with(clause: Clause) -> Iterator[str]:
    """Yield the letters of kinds of piece with which a clause compares a piece."""
    for node, other in clause.compared_pairs():
        if node.field == "kind" and node.parts[0].text in _names_for_kind("piece"):
            yield from (text for text in _possible_texts(other) if text in ascii_uppercase)


def _texts_in_slot(effect: Effect, place: str) -> Iterator[str]:
    """Yield the constant texts that can fill the slot called `place` of an effect."""
    value = getattr(effect, place, None)
    return _possible_texts(value.node) if isinstance(value, Expression) else iter(())


def _names_looked_up(clause: Clause, kind: str) -> Iterator[str]:
    """Yield the names by which a clause refers to things of a kind, such as “player” or “army”."""
    for node in clause.calls(f"{kind}_named"):
        yield from _possible_texts(node.parts[0])
    for left, other in clause.compared_pairs():
        if left.field == "name" and left.parts[0].text in _names_for_kind(kind):
            yield from _possible_texts(other)


@cache
def _names_for_kind(kind: str) -> frozenset[str]:
    """Return the variables and facts of the law language that stand for things of a kind, such as “army”."""
    vocabulary = language().vocabulary
    cases = [
        *(event.binds for event in vocabulary.events.values()),
        *(action.binds for action in vocabulary.actions.values()),
    ]
    cases += [key.case for key in vocabulary.keys.values()]
    bound = {name for case in cases for name, type in case.items() if type.name == kind}
    return frozenset(bound | {name for name, fact in vocabulary.facts.items() if fact.type.name == kind})


def _possible_texts(node: Node) -> Iterator[str]:
    """Yield the constant texts that a node's value can be or contain, also through the branches of an ``if``."""
    return (
        inner.value
        for inner in node.walk(lambda inner: inner.list_items or inner.parts_of_choice[::2])
        if isinstance(inner.value, str)
    )
