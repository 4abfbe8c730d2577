"""Facts, records and functions: what is so in a game, as rules may mention it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import floor
from typing import Any, cast

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import EVERYWHERE_SCOPE, Rule, RuleVersionId
from nomic_nb.engine.law.types import unknown_key_message
from nomic_nb.engine.law.values import (
    NUMBER,
    TEXT,
    TRUTH,
    ThingRef,
    Type,
    Value,
    as_refs,
    list_type,
    optional_type,
    text_type,
    value_text,
)
from nomic_nb.engine.law.vocabulary import ALL_FIELDS, Fact, Field, Function, Record
from nomic_nb.engine.play.adoptability import is_adoption_possible
from nomic_nb.engine.play.deadlines import hours_since
from nomic_nb.engine.play.declarations import declare_fact, declare_fields
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.turn_order import next_player, player_at_distance, players_backwards
from nomic_nb.engine.play.values import (
    PLAYER,
    PLAYERS,
    PROPOSAL,
    RECORD_MEDIUM,
    RULE,
    Player,
    id_of_reference,
    player_names,
    player_refs,
    unknown_player_message,
)

# ----------------------------------------------------------------------------------------------------------- facts


GAME = Type("game")


def value_in_words(state: State, value: Value) -> str:
    """Return a value in words for players: a rule by its number, for example, and texts in quotation marks."""
    if isinstance(value, ThingRef) and (sentence := installed_extension().thing_in_words(state, value)):
        return sentence
    kind, id = value if isinstance(value, ThingRef) else ("", None)
    if kind == "rule":
        known: Mapping[Any, Rule] = state.rules.rules
        return f"rule {known[id].number}" if id in known else "a repealed rule"
    if kind == "move":
        move = next((candidate for candidate in state.made if candidate.id == id), None)
        return f"{move.player}'s move {move.text}" if move else "a move that no longer stands"
    return value_text(value)


def option_in_words(state: State, value: Value) -> str:
    """Return an option in words for players, as `value_in_words` does, but texts without quotation marks."""
    return value if isinstance(value, str) and value not in ("", "none") else value_in_words(state, value)


# ---------------------------------------------------------------------------------------------- turns


def _first_player_unable(state: State) -> str | None:
    """Return the name of the first player who could not complete a turn; None if play is not stuck."""
    if state.stuck and state.first_unable is None:
        raise Undecided("no-turn-under-way", "it was nobody’s turn when play could not continue")
    return state.first_unable


_HAND = ("turns", "hand")


FACTS = (
    declare_fact("players", PLAYERS, "everyone who plays or has played, in seating order", traits="alike"),
    declare_fact("playing", PLAYERS, "everyone still in the game", lambda state: state.names_of_players,
         reads=("players",), traits="alike steady everybody"),
    declare_fact("seats", PLAYERS, "the people still in the game, in seating order", lambda state: state.person_names,
         reads=("players",), traits="alike everybody"),
    declare_fact("chosen_order", PLAYERS, "the players who started the game, in the order chosen before play",
         traits="alike"),
    declare_fact("medium", text_type(TEXT, ("computer", "mail", "table", RECORD_MEDIUM)),
    "where the game is played: computer, mail or table; record if it is only replayed",
         traits="alike"),
    declare_fact("turn", NUMBER, "how many turns have begun"),
    declare_fact("circuit", NUMBER, "the number of the current round",
         traits="alike passing steady"),
    declare_fact("own_turn", NUMBER, "the number of the turn in progress, or 0 if there is none",
    lambda state: state.hand, reads=("hand",)),
    declare_fact("part", optional_type(TEXT), "the current part of the turn",
    lambda state: state.current_turn and state.current_turn.part,
    reads=_HAND,
         traits="on_turn"),
    declare_fact("mover", optional_type(PLAYER), "the current player",
    lambda state: state.current_turn and state.current_turn.player,
         reads=_HAND, traits="on_turn"),
    declare_fact("next_player", optional_type(PLAYER), "the player whose turn comes next",
         lambda state: next_player(state) if state.sequence else None,
         reads=("turns", "sequence", "place", "players", "position"), traits="on_turn steady"),
    Fact("rules", list_type(RULE), "the rules in force, including the game's readings of what they leave open",
         ("rules",),
         lambda view: tuple([rule.ref for rule in view.state.rules]), traits="alike passing"),
    Fact("game", GAME, "the game itself, with its counters", (), lambda _: ThingRef("game", 0), traits="alike"),
    declare_fact("stuck", TRUTH, "whether play cannot continue", traits="alike"),
    declare_fact("first_unable", optional_type(PLAYER), "the first player who could not complete a turn",
    _first_player_unable,
         reads=("first_unable", "stuck")),
    Fact("adoption_possible", TRUTH, "whether any rule change could still pass",
         ALL_FIELDS, is_adoption_possible),
    declare_fact("judge", optional_type(PLAYER), "the current Judge",
         lambda state: next((live_judgment.judge for live_judgment in reversed(state.live_judgments)
         if live_judgment.judge is not None), None),
         reads=("docket", "judgments")),
    declare_fact("judges_before", PLAYERS, "the earlier Judges of questions that are still open",
         lambda state: dict.fromkeys(name for live_judgment in state.live_judgments for name in live_judgment.judges),
         reads=("docket", "judgments")),
)  # fmt: skip

# -------------------------------------------------------------------------------------------- records


def _player_of(view: View, id: int | str) -> Player:
    """Return the player with this name (`id`); raise `Undecided` if none exists."""
    player = state_of(view).players.get(str(id))
    if player is None:
        raise Undecided(unknown_player_message(str(id)))
    return player


def _rule_of(view: View, id: Any) -> Rule:
    """Return the rule, even if repealed, with this id, or the version in a `RuleVersionId`; or raise `Undecided`."""
    if isinstance(id, RuleVersionId):
        return id.rule
    book = state_of(view).rules
    known_rule = book.rules.get(id) or next((rule for rule in book.repealed if rule.id == id), None)
    if known_rule is None:
        raise Undecided("rule-missing", "that rule does not exist")
    return known_rule


def _proposal_of_rule(view: View, id: int | str) -> Value:
    """Return a reference to the proposal that last changed the rule with this id; None if no proposal did."""
    proposal = state_of(view).proposal_numbered(_rule_of(view, id).proposal)
    return ThingRef("proposal", proposal.number) if proposal else None


RECORDS = (
    Record("player", "someone who takes part", declare_fields(
        _player_of, ("players",),
        Field("name", TEXT, "their name", (), lambda _, id: id, traits="naming settled"),
        ("playing", TRUTH, "still in the game", "alike steady"),
        ("person", TRUTH, "a person, not a dummy", "alike"),
        ("present", TRUTH, "at the table, not marked as away", lambda player: not player.absent, "alike"),
        Field("in_turn", TRUTH, "whether this player is in the middle of a turn", ("turns",),
              lambda view, id: state_of(view).turn_of(str(id)) is not None, traits="on_turn"),
        ("turns", NUMBER, "how many turns this player has completed"),
        Field("idle", NUMBER,
            "the hours since this player last did something, or since time was first recorded if that was later",
            ("clock",),
              lambda view, id: hours_since(view, "player", id)),
    ), kept=True),
    Record("rule", "a rule", declare_fields(
        _rule_of, ("rules",),
        ("number", optional_type(NUMBER), "its number (the current one); none if it has a label",
         lambda rule: rule.number if isinstance(rule.number, int) else None, "alike"),
        ("tier", TEXT, "its tier", "alike"),
        ("title", TEXT, "its title"),
        ("scope", TEXT, "its scope: everywhere, or the universe it applies to", "text"),
        ("made", NUMBER, "the turn in which it was last changed; 0 for the initial rules", lambda rule: rule.turn),
        ("circuit", NUMBER, "the round in which it was last changed; 0 for the initial rules",
         "passing steady"),
        ("first_made", NUMBER, "the turn in which it was enacted; 0 for the initial rules",
         lambda rule: rule.first_version.turn),
        ("first_circuit", NUMBER, "the round in which it was enacted; 0 for the initial rules",
         lambda rule: rule.first_version.circuit),
        ("author", optional_type(PLAYER), "who last changed it"),
        ("maker", optional_type(PLAYER), ("the player whose proposal enacted it, or enacted the rule that did; "
                                          "none if no proposal did")),
        Field("proposal", optional_type(PROPOSAL), "the proposal that last changed it; none if no proposal did",
              ("rules", "proposals"), _proposal_of_rule),
        Field("hours", NUMBER,
            "the hours since it was last changed, or since time was first recorded if that was later",
                               ("clock",),
              lambda view, id: hours_since(view, "rule", id), traits="alike passing"),
        ("guarded", TRUTH, "whether it is currently guaranteed"),
        ("label", TEXT, "its number or label, as text", lambda rule: str(rule.number), "alike"),
        *declare_fields(
            lambda view, id: state_of(view).rules.void.get(id), ("rules",),
            ("void", TRUTH, "whether it is void or suspended", lambda why: why is not None, "alike"),
            ("suspended", TRUTH, "whether it is suspended by a rule", lambda why: why is not None and why.is_suspended),
        ),
        ("amendments", NUMBER, "how many amendments it has",
         lambda rule: sum(1 for part in rule.amendments.values() if not part.repealed)),
        ("last_amendment", NUMBER, "the number of its latest amendment still in force; 0 if there is none",
         lambda rule: max((at for at, part in rule.amendments.items() if not part.repealed), default=0)),
    ), kept=True),
    Record("game", "the game itself", ()),
)  # fmt: skip

# ------------------------------------------------------------------------------------------ functions


def _order_function(name: str, type: Type, meaning: str, find: Callable[[State, Value, str], Any]) -> Function:
    """Return a function of a player for rules; `find` gets its result from state, turn order and player's name."""

    def from_player(view: View, player: Value) -> Value:
        return as_refs(
            type, find(state_of(view), view.value_of_key("turn.sequence"), id_of_reference(player, "player"))
        )

    reads = ("turns", "hand", "players", "position")
    return Function(
        name, (optional_type(PLAYER),), type, meaning, from_player, reads=reads, keys=("turn.sequence",), traits="alike"
    )


def _round_number(view: View, number: Any) -> Value:
    """Return the nearest whole number, halves as the law says; note the exact number in the view."""
    value = Fraction(number)
    if value.denominator > 1:
        view.rounded = value
    half = view.value_of_key("score.half") if value.denominator == 2 else "even"
    return round(value) if half == "even" else floor(value) + (half == "up")


def _record_reason(view: View, reason: Value, instead: Value) -> Value:
    """Return True, and note in the view, as evidence, a reason and what would be right `instead`."""
    view.evidence["because"] = f"{reason} ({instead})"
    return True


def _find_rule_numbered(view: View, number: Any) -> Value:
    """Return a reference to the rule with a number or label; raise `Undecided` if none exists."""
    book = state_of(view).rules
    if number not in book.by_number:
        raise Undecided(book.missing_rule_message(number))
    return book.by_number[number].ref


def _find_rules_on(view: View, key: Value) -> Value:
    """Return references to the rules in force that have a clause about a key of the law."""
    law = cast(Law, view.law)
    if key not in law.vocabulary.keys:
        raise Undecided(unknown_key_message(str(key)))
    return tuple(dict.fromkeys(source.rule.ref for source in law.clauses_about(str(key))))


FUNCTIONS = (
    Function("because", (TEXT, TEXT), TRUTH, "whether the reason is this (always true): if a clause refuses "
                                             "something, the refusal states this reason, and what would be right "
                                             "instead", _record_reason, reads=()),
    Function("holds_in", (RULE, TEXT), TRUTH,
        "whether a rule is in force in a universe; always true for “everywhere”",
             lambda view, rule, where: where == EVERYWHERE_SCOPE or _rule_of(view, id_of_reference(rule,
             "rule")).applies_in(where),
             reads=("rules",), traits="alike"),
    _order_function("preceding", PLAYER, "the player before this one in turn order", partial(player_at_distance,
    step=-1)),
    _order_function("following", PLAYER, "the player after this one in turn order", partial(player_at_distance,
    step=1)),
    _order_function("going_back", PLAYERS, "the players before this one in turn order, nearest first, then this player",
              players_backwards),
    Function("allies", (optional_type(PLAYER),), PLAYERS, "the other members of this player's team",
             lambda view, player: () if player is None else view.value_of_key("team.mates", player=player),
             keys=("team.mates",), traits="alike"),
    Function("rounded", (NUMBER,), NUMBER,
        "the whole number nearest to a number; score.half decides how halves are rounded",
    _round_number,
             keys=("score.half",), traits="alike"),
    Function("on_turn", (PLAYERS,), PLAYERS, "those of them whose turn is in progress",
             lambda view,
             many: player_refs(name for name in player_names(many) if state_of(view).turn_of(name) is not None),
             reads=("turns",), traits="on_turn"),
    Function("rule_numbered", (NUMBER,), RULE, "the rule with this number", _find_rule_numbered, reads=("rules",),
             traits="alike"),
    Function("rule_labelled", (TEXT,), RULE, "the rule with this label instead of a number, such as P2.5",
             _find_rule_numbered, reads=("rules",), traits="alike"),
    Function("rules_on", (TEXT,), list_type(RULE),
    "the rules in force that say something about a key, such as win.winners",
             _find_rules_on, reads=("rules",)),
    Function("player_named", (TEXT,), PLAYER, "the player with this name",
             lambda view, name: ThingRef("player", _player_of(view, str(name)).name), reads=("players",),
             traits="naming"),
)  # fmt: skip
