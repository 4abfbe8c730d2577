"""Facts, records and functions: what is so in a game, as rules may speak of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import floor
from typing import Any, cast

from nomic_nb.engine.extension import extension
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import EVERYWHERE, AsItWas, Rule, Void
from nomic_nb.engine.law.types import no_key
from nomic_nb.engine.law.values import (
    NUMBER,
    TEXT,
    TRUTH,
    Ref,
    Type,
    Value,
    list_of,
    maybe,
    pointed,
    shown,
    worded,
)
from nomic_nb.engine.law.vocabulary import EVERYTHING, Fact, Field, Function, Record
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.adoptability import adoption_possible
from nomic_nb.engine.play.deadlines import hours_since
from nomic_nb.engine.play.declarations import fact, of_each
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.turn_order import going_back, neighbour, next_player
from nomic_nb.engine.play.values import PLAYER, PLAYERS, PROPOSAL, RULE, Player, id_in, names_of, nobody_called, refs

# ----------------------------------------------------------------------------------------------------------- facts


GAME = Type("game")


def spoken(state: State, value: Value) -> str:
    """Write a value as players see it: rules by their numbers."""
    if isinstance(value, Ref) and (said := extension().words(state, value)):
        return said
    kind, id = value if isinstance(value, Ref) else ("", None)
    if kind == "rule":
        known: Mapping[Any, Rule] = state.rules.rules
        return f"rule {known[id].number}" if id in known else "a rule that was repealed"
    if kind == "move":
        made = next((one for one in state.made if one.id == id), None)
        return f"{made.player}'s move {made.text}" if made else "a move that stands no more"
    return shown(value)


def offered(state: State, value: Value) -> str:
    """Write what can be chosen as players see it: a text without quotation marks."""
    return value if isinstance(value, str) and value not in ("", "none") else spoken(state, value)


# ---------------------------------------------------------------------------------------------- turns


def _first_unable(state: State) -> str | None:
    if state.stuck and state.first_unable is None:
        raise Undecided(say("no-turn-under-way", "nobody's turn was under way when play could not continue"))
    return state.first_unable


_HAND = ("turns", "hand")


FACTS = (
    fact("players", PLAYERS, "everyone who takes or took part, in seating order", traits="alike"),
    fact("playing", PLAYERS, "everyone still in the game", reads=("players",),
         traits="alike steady everybody"),
    fact("seats", PLAYERS, "the persons still in the game, in seating order", lambda state: state.persons,
         reads=("players",), traits="alike everybody"),
    fact("chosen_order", PLAYERS, "the players who began, in the order that was chosen before play",
         traits="alike"),
    fact("medium", worded(TEXT, ("computer", "mail", "table")), "where the game is played: computer, mail or table",
         traits="alike"),
    fact("turn", NUMBER, "how many turns have begun"),
    fact("circuit", NUMBER, "the circuit under way, 1 for the first",
         traits="alike passing steady"),
    fact("own_turn", NUMBER, "the number of the turn at hand, 0 for none", lambda state: state.hand, reads=("hand",)),
    fact("part", maybe(TEXT), "the part of the turn at hand", lambda state: state.go and state.go.part, reads=_HAND,
         traits="on_turn"),
    fact("mover", maybe(PLAYER), "the player whose turn is at hand", lambda state: state.go and state.go.player,
         reads=_HAND, traits="on_turn"),
    fact("next_player", maybe(PLAYER), "the player whose turn comes next",
         lambda state: next_player(state) if state.sequence else None,
         reads=("turns", "sequence", "place", "players", "position"), traits="on_turn steady"),
    fact("rules", list_of(RULE), "the rules in force, readings of the kit among them",
         lambda state: [rule.id for rule in state.rules], traits="alike passing"),
    Fact("game", GAME, "the game itself, with its counters", (), lambda _: Ref("game", 0), traits="alike"),
    fact("stuck", TRUTH, "whether play cannot continue", traits="alike"),
    fact("first_unable", maybe(PLAYER), "the first player who could not complete a turn", _first_unable,
         reads=("first_unable", "stuck")),
    Fact("adoption_possible", TRUTH, "whether any rule-change could still be adopted",
         EVERYTHING, adoption_possible),
    fact("judge", maybe(PLAYER), "the player who serves as Judge",
         lambda state: next((one.judge for one in reversed(state.live_judgments) if one.judge is not None), None),
         reads=("docket", "judgments")),
    fact("judges_before", PLAYERS, "those who served as Judge before, on questions that are not closed yet",
         lambda state: dict.fromkeys(name for one in state.live_judgments for name in one.judges),
         reads=("docket", "judgments")),
)  # fmt: skip

# -------------------------------------------------------------------------------------------- records


def _player(view: View, id: int | str) -> Player:
    found = state_of(view).players.get(str(id))
    if found is None:
        raise Undecided(nobody_called(str(id)))
    return found


def _rule(view: View, id: Any) -> Rule:
    if isinstance(id, AsItWas):
        return id.rule
    book = state_of(view).rules
    found = book.rules.get(id) or next((rule for rule in book.repealed if rule.id == id), None)
    if found is None:
        raise Undecided(say("rule-missing", "there is no such rule"))
    return found


def _made_by(view: View, id: int | str) -> Value:
    made = state_of(view).proposal_numbered(_rule(view, id).proposal)
    return Ref("proposal", made.number) if made else None


def _void(view: View, id: Any) -> Void | None:
    return state_of(view).rules.void.get(id)


RECORDS = (
    Record("player", "someone who takes part", of_each(
        _player, ("players",),
        Field("name", TEXT, "the name", (), lambda _, id: id, traits="naming settled"),
        ("playing", TRUTH, "still in the game", "alike steady"),
        ("person", TRUTH, "a person, and not a dummy", "alike"),
        ("present", TRUTH, "at the table: not recorded as absent", lambda player: not player.absent, "alike"),
        Field("in_turn", TRUTH, "whether a turn of this player is under way", ("turns",),
              lambda view, id: state_of(view).turn_of(str(id)) is not None, traits="on_turn"),
        ("turns", NUMBER, "how many turns this player has completed"),
        Field("idle", NUMBER, "hours since this player did something; at most since time is recorded", ("clock",),
              lambda view, id: hours_since(view, "player", id)),
    ), kept=True),
    Record("rule", "a rule", of_each(
        _rule, ("rules",),
        ("number", maybe(NUMBER), "its number, as it is now; none where it has a label",
         lambda rule: rule.number if isinstance(rule.number, int) else None, "alike"),
        ("tier", TEXT, "its standing", "alike"),
        ("title", TEXT, "its short name"),
        ("scope", TEXT, "everywhere, or the universe that it is for", "text"),
        ("made", NUMBER, "the turn in which it was last changed; 0 for the initial set", lambda rule: rule.turn),
        ("circuit", NUMBER, "the circuit in which it was last changed; 0 for the initial set",
         "passing steady"),
        ("first_made", NUMBER, "the turn in which it was enacted; 0 for the initial set",
         lambda rule: rule.first.turn),
        ("first_circuit", NUMBER, "the circuit in which it was enacted; 0 for the initial set",
         lambda rule: rule.first.circuit),
        ("author", maybe(PLAYER), "who last changed it"),
        ("maker", maybe(PLAYER), "whose proposal enacted it, or the rule that did; none where no proposal did"),
        Field("proposal", maybe(PROPOSAL), "the proposal that last changed it; none where no proposal did",
              ("rules", "proposals"), _made_by),
        Field("hours", NUMBER, "hours since it was last changed; at most since time is recorded", ("clock",),
              lambda view, id: hours_since(view, "rule", id), traits="alike passing"),
        ("guarded", TRUTH, "whether it is guaranteed to stand for now"),
        ("label", TEXT, "its number or label, as a text", lambda rule: str(rule.number), "alike"),
        *of_each(
            _void, ("rules",),
            ("void", TRUTH, "whether it is void, or suspended", lambda why: why is not None, "alike"),
            ("suspended", TRUTH, "whether a rule suspends it", lambda why: why is not None and why.suspended),
        ),
        ("amendments", NUMBER, "how many amendments it has",
         lambda rule: sum(1 for part in rule.amendments.values() if not part.repealed)),
        ("last_amendment", NUMBER, "the number of its last amendment that stands; 0 where none does",
         lambda rule: max((at for at, part in rule.amendments.items() if not part.repealed), default=0)),
    ), kept=True),
    Record("game", "the game itself", ()),
)  # fmt: skip

# ------------------------------------------------------------------------------------------ functions


def _in_order(name: str, type: Type, meaning: str, find: Callable[[State, Value, str], Any]) -> Function:
    """Declare what is found in the order of turns, given a player: alike for all."""

    def from_player(view: View, player: Value) -> Value:
        return pointed(type, find(state_of(view), view.key("turn.sequence"), id_in(player, "player")))

    reads = ("turns", "hand", "players", "position")
    return Function(
        name, (maybe(PLAYER),), type, meaning, from_player, reads=reads, keys=("turn.sequence",), traits="alike"
    )


def _rounded(view: View, number: Any) -> Value:
    """Round to the nearest whole number, and note what was rounded (-111)."""
    value = Fraction(number)
    if value.denominator > 1:
        view.rounded = value
    half = view.key("score.half") if value.denominator == 2 else "even"
    return round(value) if half == "even" else floor(value) + (half == "up")


def _because(view: View, reason: Value, instead: Value) -> Value:
    """Leave a reason, and what would be right, as what is shown by a condition."""
    view.evidence["because"] = f"{reason} ({instead})"
    return True


def _rule_numbered(view: View, number: Any) -> Value:
    book = state_of(view).rules
    if number not in book.by_number:
        raise Undecided(book.whereabouts(number))
    return book.by_number[number].ref


def _rules_on(view: View, key: Value) -> Value:
    law = cast(Law, view.law)
    if key not in law.vocabulary.keys:
        raise Undecided(no_key(str(key)))
    return tuple(dict.fromkeys(source.rule.ref for source in law.speaking(str(key))))


FUNCTIONS = (
    Function("because", (TEXT, TEXT), TRUTH, "whether the reason is this, which is always so: where a clause refuses "
             "something, the refusal has its reason, and what would be right instead", _because, reads=()),
    Function("holds_in", (RULE, TEXT), TRUTH, "whether a rule is in force in a universe; anywhere, for everywhere",
             lambda view, rule, where: where == EVERYWHERE or _rule(view, id_in(rule, "rule")).speaks_in(where),
             reads=("rules",), traits="alike"),
    _in_order("preceding", PLAYER, "the player before this one in the order of turns", partial(neighbour, step=-1)),
    _in_order("following", PLAYER, "the player after this one in the order of turns", partial(neighbour, step=1)),
    _in_order("going_back", PLAYERS, "the players before this one in the order of turns, from the nearest on",
              going_back),
    Function("allies", (maybe(PLAYER),), PLAYERS, "who is in this player's team, the player apart",
             lambda view, player: () if player is None else view.key("team.mates", player=player),
             keys=("team.mates",), traits="alike"),
    Function("rounded", (NUMBER,), NUMBER, "the whole number nearest to a number; a half as score.half says", _rounded,
             keys=("score.half",), traits="alike"),
    Function("on_turn", (PLAYERS,), PLAYERS, "those of them whose turn is under way",
             lambda view, many: refs(name for name in names_of(many) if state_of(view).turn_of(name) is not None),
             reads=("turns",), traits="on_turn"),
    Function("rule_numbered", (NUMBER,), RULE, "the rule of this number", _rule_numbered, reads=("rules",),
             traits="alike"),
    Function("rule_labelled", (TEXT,), RULE, "the rule that has this label in place of a number, such as P2.5",
             _rule_numbered, reads=("rules",), traits="alike"),
    Function("rules_on", (TEXT,), list_of(RULE), "the rules in force that say something of a key, such as win.winners",
             _rules_on, reads=("rules",)),
    Function("player_named", (TEXT,), PLAYER, "the player of this name",
             lambda view, name: Ref("player", _player(view, str(name)).name), reads=("players",), traits="naming"),
)  # fmt: skip
