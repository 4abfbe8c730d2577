"""Facts, records and functions: what is so in a game, as rules may speak of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import lcm
from typing import cast

from nomic_nb.law import clauses as c
from nomic_nb.law.changes import Change, find_target
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Rule
from nomic_nb.law.running import bounded
from nomic_nb.law.values import (
    LONGEST_LIST,
    NONE,
    NUMBER,
    TEXT,
    TRUTH,
    Number,
    Ref,
    Type,
    Value,
    exact,
    list_of,
    maybe,
    shown,
    worded,
)
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import EVERYTHING, Fact, Field, Function, Record
from nomic_nb.play.boards.records import piece_words
from nomic_nb.play.boards.seats import going_back, neighbour
from nomic_nb.play.events import canonical
from nomic_nb.play.keys import CHANGE, PLAYER, PLAYERS, PROPOSAL, RULE, TEXTS
from nomic_nb.play.possible import SUPPOSED, adoption_possible
from nomic_nb.play.state import Judgment, Player, Proposal, State

GAME = Type("game")
#: What a proposal can be.
STATUS = ("debate", "open", "ending", "adopted", "waiting", "without effect", "defeated", "lapsed")


def _state(view: View) -> State:
    return cast(State, view.state)


def refs(names: Iterable[str]) -> tuple[Value, ...]:
    """Return players as the law points at them."""
    return tuple(Ref("player", name) for name in names)


def names_of(value: Value) -> tuple[str, ...]:
    """Return the names of a player, or of players, that the law points at."""
    if value is None:
        return ()
    if isinstance(value, Ref) and value.kind == "player":
        return (str(value.id),)
    if isinstance(value, str):
        return (value,)
    if isinstance(value, tuple):
        return tuple(name for one in value for name in names_of(one))
    raise Undecided("there are no players here")


def _maybe_ref(name: str | None) -> Value:
    return None if name is None else Ref("player", name)


def spoken(state: State, value: Value) -> str:
    """Write a value as players see it: rules by their numbers."""
    if isinstance(value, Ref) and value.kind == "piece":
        return piece_words(state, value.id)
    if isinstance(value, Ref) and value.kind == "rule":
        rule = state.rules.rules.get(cast(int, value.id))
        return f"rule {rule.number}" if rule else "a rule that was repealed"
    return shown(value)


# ------------------------------------------------------------------------------------------ proposals


def _proposal(view: View) -> Proposal:
    ref = view.env["proposal"]
    if not isinstance(ref, Ref):
        raise Undecided("there is no proposal here")
    return _state(view).proposals[ref.id]


def _change(view: View, id: int | str) -> Change:
    return _state(view).proposals[id].change


def _change_ref(view: View) -> Value:
    return Ref("change", _proposal(view).number)


def _target(view: View, change: Change) -> Rule | None:
    if change.target is None:
        return None
    try:
        return find_target(_state(view).rules, change)
    except LookupError:
        return None


def _target_ref(view: View, id: int | str) -> Value:
    rule = _target(view, _change(view, id))
    return None if rule is None else Ref("rule", rule.id)


def _change_tier(view: View, id: int | str) -> Value:
    rule = _target(view, _change(view, id))
    return view.key("enact.tier", proposal=Ref("proposal", id)) if rule is None else rule.tier


def _change_clauses(view: View, id: int | str) -> list[c.Clause]:
    """Return the clauses of a change, and of the drafts in it: what it lets rules put in force is its own doing."""
    clauses = [line.clause for line in cast(Law, view.law).language.read(_change(view, id).law or "")]
    return [one for clause in clauses for one in (clause, *(clause.body if isinstance(clause, c.Draft) else ()))]


def _wordings(view: View, id: int | str) -> list[str]:
    """Return the wording of a change, and of the drafts in it."""
    drafts = (one for one in _change_clauses(view, id) if isinstance(one, c.Draft))
    return [_change(view, id).wording or "", *(one.wording for one in drafts)]


def _change_keys(view: View, id: int | str) -> Value:
    return tuple(dict.fromkeys(one.key for one in _change_clauses(view, id) if isinstance(one, c.Set)))


def _change_effects(view: View, id: int | str) -> Value:
    found = [
        effect.words.split()[0]
        for one in _change_clauses(view, id)
        if isinstance(one, c.On)
        for effect in one.every_effect()
    ]
    return tuple(dict.fromkeys(found))


def _weight(side: str) -> Fact:
    def get(view: View) -> Value:
        vote = _proposal(view).vote
        return 0 if vote is None else vote.weight(side)

    return Fact(f"votes_{side}", NUMBER, f"weight of the ballots {side} it", ("proposals",), get, ("proposal",))


def _side(name: str, side: str) -> Fact:
    def get(view: View) -> Value:
        vote = _proposal(view).vote
        return () if vote is None else refs(one for one, ballot in vote.ballots.items() if ballot == side)

    return Fact(name, PLAYERS, f"those who voted {side} it", ("proposals",), get, ("proposal",))


def _not_voted(view: View) -> Value:
    vote = _proposal(view).vote
    return () if vote is None else refs(vote.waiting)


def _agreed(view: View) -> Value:
    vote = _proposal(view).vote
    return () if vote is None else refs(name for name, answer in vote.agreed.items() if answer == "yes")


# ---------------------------------------------------------------------------------------------- turns


def _first_unable(view: View) -> Value:
    state = _state(view)
    if state.stuck and state.first_unable is None:
        raise Undecided("nobody's turn was under way when play could not continue")
    return _maybe_ref(state.first_unable)


def _judge(view: View) -> Value:
    state = _state(view)
    serving = [state.judgments[id].judge for id in state.docket if state.judgments[id].judge is not None]
    return _maybe_ref(serving[-1] if serving else None)


def _next_player(view: View) -> Value:
    from nomic_nb.play.turns import next_player

    state = _state(view)
    return _maybe_ref(next_player(state) if state.sequence else None)


FACTS = (
    Fact("players", PLAYERS, "everyone who takes or took part, in seating order", ("players",),
         lambda view: refs(_state(view).players)),
    Fact("playing", PLAYERS, "everyone still in the game", ("players",), lambda view: refs(_state(view).playing)),
    Fact("seats", PLAYERS, "the persons still in the game, in seating order", ("players",),
         lambda view: refs(_state(view).persons)),
    Fact("chosen_order", PLAYERS, "the players who began, in the order that was chosen before play",
         ("chosen_order",), lambda view: refs(_state(view).chosen_order)),
    Fact("medium", worded(TEXT, ("computer", "mail", "table")), "where the game is played: computer, mail or table",
         ("medium",), lambda view: _state(view).medium),
    Fact("turn", NUMBER, "how many turns have begun", ("turn",), lambda view: _state(view).turn),
    Fact("circuit", NUMBER, "the circuit under way, 1 for the first", ("circuit",), lambda view: _state(view).circuit),
    Fact("own_turn", NUMBER, "the number of the turn at hand, 0 for none", ("hand",), lambda view: _state(view).hand),
    Fact("part", maybe(TEXT), "the part of the turn at hand", ("turns", "hand"),
         lambda view: go.part if (go := _state(view).go) else None),
    Fact("mover", maybe(PLAYER), "the player whose turn is at hand", ("turns", "hand"),
         lambda view: _maybe_ref(go.player if (go := _state(view).go) else None)),
    Fact("next_player", maybe(PLAYER), "the player whose turn comes next",
         ("turns", "sequence", "place", "players", "position"), _next_player),
    Fact("rules", list_of(RULE), "the rules in force", ("rules",),
         lambda view: tuple(Ref("rule", rule.id) for rule in _state(view).rules)),
    Fact("game", GAME, "the game itself, with its counters", (), lambda _: Ref("game", 0)),
    Fact("stuck", TRUTH, "whether play cannot continue", ("stuck",), lambda view: _state(view).stuck),
    Fact("first_unable", maybe(PLAYER), "the first player who could not complete a turn", ("first_unable", "stuck"),
         _first_unable),
    Fact("adoption_possible", TRUTH, "whether any rule-change could still be adopted",
         EVERYTHING, adoption_possible),
    Fact("proposals", list_of(PROPOSAL), "everything that was proposed", ("proposals",),
         lambda view: tuple(Ref("proposal", number) for number in _state(view).proposals if number != SUPPOSED)),
    Fact("judge", maybe(PLAYER), "the player who serves as Judge", ("docket", "judgments"), _judge),
    Fact("change", CHANGE, "what is proposed", ("proposals",), _change_ref, ("proposal",)),
    Fact("target", maybe(RULE), "the rule to be changed", ("proposals", "rules"),
         lambda view: _target_ref(view, _proposal(view).number), ("proposal",)),
    Fact("proponent", PLAYER, "who made the proposal", ("proposals",),
         lambda view: Ref("player", _proposal(view).proponent), ("proposal",)),
    _weight("for"),
    _weight("against"),
    _side("supporters", "for"),
    _side("opponents", "against"),
    Fact("not_voted", PLAYERS, "voters without a ballot", ("proposals",), _not_voted, ("proposal",)),
    Fact("agreed", PLAYERS, "voters who say that the vote may be closed without their ballot", ("proposals",), _agreed,
         ("proposal",)),
)  # fmt: skip

# -------------------------------------------------------------------------------------------- records


def _judgment(view: View, id: int | str) -> Judgment:
    return _state(view).judgments[cast(int, id)]


def _judge_asked(view: View, id: int | str) -> Value:
    state = _state(view)
    return any(state.judgments[one].proposal == id for one in state.docket)


def _player(view: View, id: int | str) -> Player:
    found = _state(view).players.get(str(id))
    if found is None:
        raise Undecided(f"nobody is called {id}")
    return found


def _counter(view: View, id: int | str, name: str) -> Value:
    counters = _player(view, id).counters
    if name not in counters:
        raise Undecided(f"no rule ever tracked {name}")
    return counters[name]


def _game_counter(view: View, _: int | str, name: str) -> Value:
    counters = _state(view).counters
    if name not in counters:
        raise Undecided(f"no rule ever tracked {name}")
    return counters[name]


def _rule(view: View, id: int | str) -> Rule:
    book = _state(view).rules
    found = book.rules.get(cast(int, id)) or next((rule for rule in book.repealed if rule.id == id), None)
    if found is None:
        raise Undecided("there is no such rule")
    return found


def _number_of(view: View, id: int | str) -> Value:
    number = _rule(view, id).number
    return None if isinstance(number, str) else number


def _proposal_number(_: View, id: int | str) -> Value:
    if isinstance(id, str):
        raise Undecided(f"{id} is a label and not a number")
    return id


RECORDS = (
    Record("player", "someone who takes part", (
        Field("name", TEXT, "the name", (), lambda _, id: id),
        Field("playing", TRUTH, "still in the game", ("players",), lambda view, id: _player(view, id).playing),
        Field("person", TRUTH, "a person and not a dummy", ("players",), lambda view, id: _player(view, id).person),
        Field("present", TRUTH, "not recorded as absent", ("players",), lambda view, id: not _player(view, id).absent),
        Field("in_turn", TRUTH, "whether a turn of this player is under way", ("turns",),
              lambda view, id: _state(view).turn_of(str(id)) is not None),
        Field("turns", NUMBER, "turns completed", ("players",), lambda view, id: _player(view, id).turns),
    ), _counter, ("players",)),
    Record("rule", "a rule", (
        Field("number", maybe(NUMBER), "its number now; none where it has a label", ("rules",), _number_of),
        Field("tier", TEXT, "its standing", ("rules",), lambda view, id: _rule(view, id).tier),
        Field("title", TEXT, "its short name", ("rules",), lambda view, id: _rule(view, id).title),
        Field("made", NUMBER, "the turn in which it was last changed; 0 for the initial set", ("rules",),
              lambda view, id: _rule(view, id).turn),
        Field("first_made", NUMBER, "the turn in which it was enacted; 0 for the initial set", ("rules",),
              lambda view, id: _rule(view, id).history[0].turn),
        Field("author", maybe(PLAYER), "who last changed it", ("rules",),
              lambda view, id: _maybe_ref(_rule(view, id).author)),
        Field("void", TRUTH, "whether it is void", ("rules",),
              lambda view, id: cast(int, id) in _state(view).rules.void),
        Field("amendments", NUMBER, "how many amendments it has", ("rules",),
              lambda view, id: sum(1 for part in _rule(view, id).amendments.values() if not part.repealed)),
    )),
    Record("proposal", "a proposal", (
        Field("number", NUMBER, "its number", (), _proposal_number),
        Field("turn", NUMBER, "the turn in which it was made", ("proposals",),
              lambda view, id: _state(view).proposals[id].turn),
        Field("change", CHANGE, "what it proposes", (), lambda _, id: Ref("change", id)),
        Field("target", maybe(RULE), "the rule that it is to change", ("proposals", "rules"),
              _target_ref),
        Field("author", PLAYER, "who made it", ("proposals",),
              lambda view, id: Ref("player", _state(view).proposals[id].proponent)),
        Field("status", worded(TEXT, STATUS),
              "debate, open, ending, adopted, waiting, without effect, defeated or lapsed", ("proposals",),
              lambda view, id: _state(view).proposals[id].status),
        Field("judge_asked", TRUTH, "whether the Judge was asked to end its debate", ("docket", "judgments"),
              _judge_asked),
    )),
    Record("change", "a proposed rule-change", (
        Field("kind", worded(TEXT, ("enact", "amend", "repeal", "transmute")), "enact, amend, repeal or transmute",
              ("proposals",), lambda view, id: _change(view, id).kind),
        Field("tier", TEXT, "the standing of the rule concerned, or of the new one", ("proposals", "rules"),
              _change_tier, ("enact.tier",)),
        Field("keys", worded(TEXTS, "key"), "the keys that its clauses and drafts set", ("proposals",), _change_keys),
        Field("effects", TEXTS, "the first words of the effects in it and its drafts", ("proposals",), _change_effects),
        Field("fingerprint", TEXT, "letters that tell it from every other change", ("proposals",),
              lambda view, id: hashlib.sha256(canonical(_change(view, id).to_json()).encode()).hexdigest()[:12]),
        Field("length", NUMBER, "how many words it and its drafts have", ("proposals",),
              lambda view, id: sum(len(one.split()) for one in _wordings(view, id))),
    )),
    Record("judgment", "a question for a Judge", (
        Field("by", PLAYER, "who insists on it", ("judgments",),
              lambda view, id: Ref("player", _judgment(view, id).by)),
        Field("turn", NUMBER, "how many turns had begun when it was put", ("judgments",),
              lambda view, id: _judgment(view, id).turn),
        Field("mover", maybe(PLAYER), "the player whose turn was at hand then", ("judgments",),
              lambda view, id: _maybe_ref(_judgment(view, id).mover)),
        Field("judge", maybe(PLAYER), "who is Judge of it", ("judgments",),
              lambda view, id: _maybe_ref(_judgment(view, id).judge)),
        Field("judges", PLAYERS, "who were Judges of it before", ("judgments",),
              lambda view, id: refs(_judgment(view, id).judges)),
        Field("consents", PLAYERS, "who let play go on after it", ("judgments",),
              lambda view, id: refs(who for who, said in _judgment(view, id).consents.items() if said == "for")),
    )),
    Record("game", "the game itself", (), _game_counter, ("counters",)),
)  # fmt: skip

# ------------------------------------------------------------------------------------------ functions


def _weights(view: View, players: Value) -> list[Number]:
    weights = []
    for name in names_of(players):
        view.spend()
        weight = view.key("vote.weight", voter=Ref("player", name))
        weights.append(cast(Number, weight))
    view.trace.pop("vote.weight", None)
    return weights


def unanimity(view: View, players: Value) -> Value:
    """Return the weight of all ballots together."""
    return bounded(sum(_weights(view, players)))


def majority(view: View, players: Value) -> Value:
    """Return the least weight that is more than half, in the units that the weights are made of."""
    weights = [Fraction(one) for one in _weights(view, players)]
    unit = lcm(1, *(one.denominator for one in weights))
    half = sum(weights) * unit // 2
    return bounded(exact(Fraction(half + 1, unit)))


def _item(_: View, many: Value, place: Value) -> Value:
    if not isinstance(many, tuple) or not isinstance(place, int) or not 1 <= place <= len(many):
        raise Undecided(f"the list has no item {place}")
    return many[place - 1]


def _numbers_in(many: Value) -> list[Number]:
    return [one for one in cast(tuple[Value, ...], many) if isinstance(one, int | Fraction)]


def _least(_: View, many: Value) -> Value:
    if not many:
        raise Undecided("there is no least of nothing")
    return min(_numbers_in(many))


def _most(_: View, many: Value) -> Value:
    if not many:
        raise Undecided("there is no most of nothing")
    return max(_numbers_in(many))


def _preceding(view: View, player: Value) -> Value:
    return _neighbour(view, player, -1)


def _following(view: View, player: Value) -> Value:
    return _neighbour(view, player, 1)


def _neighbour(view: View, player: Value, step: int) -> Value:
    who = names_of(player)
    if not who:
        raise Undecided("there is no player here")
    return Ref("player", neighbour(_state(view), view.key("turn.sequence"), who[0], step))


def _going_back(view: View, player: Value) -> Value:
    """Return the players in the order of turns from the one before a player backwards, that player last."""
    who = names_of(player)
    if not who:
        raise Undecided("there is no player here")
    return refs(going_back(_state(view), view.key("turn.sequence"), who[0]))


def _allies(view: View, player: Value) -> Value:
    return () if player is None else view.key("team.mates", player=player)


def _rounded(view: View, number: Value) -> Value:
    """Round to the nearest whole number, and note what was rounded (-111)."""
    value = Fraction(cast(Number, number))
    if value.denominator == 1:
        return int(value)
    view.rounded = value
    below = value.numerator // value.denominator
    if value.denominator != 2:
        return round(value)
    up = {"up": True, "down": False, "even": below % 2 == 1}[str(view.key("score.half"))]
    return below + 1 if up else below


def _numbers(view: View, least: Value, most: Value) -> Value:
    if not isinstance(least, int) or not isinstance(most, int):
        raise Undecided("numbers are counted from one whole number to another")
    if most - least >= LONGEST_LIST:
        raise Undecided(f"a list grew beyond {LONGEST_LIST}")
    view.spend(max(0, most - least))
    return tuple(range(least, most + 1))


def _paired(view: View, many: Value, by: Value) -> list[tuple[Number, Value]]:
    """Return the members of a list, each with its number."""
    members, found = cast(tuple[Value, ...], many), _numbers_in(by)
    if len(members) != len(found):
        raise Undecided(f"there are {len(members)} to be ordered, and {len(found)} numbers")
    view.spend(len(members))
    return list(zip(found, members, strict=True))


def _ordered(view: View, many: Value, by: Value) -> Value:
    return tuple(member for _, member in sorted(_paired(view, many, by), key=lambda pair: pair[0]))


def _extreme(which: Callable[[Iterable[Number]], Number]) -> Callable[..., Value]:
    def find(view: View, many: Value, by: Value) -> Value:
        pairs = _paired(view, many, by)
        goal = which(number for number, _ in pairs) if pairs else None
        return tuple(member for number, member in pairs if number == goal)

    return find


def _place(_: View, many: Value, one: Value) -> Value:
    if not isinstance(many, tuple) or one not in many:
        raise Undecided(f"{shown(one)} is not in the list")
    return many.index(one) + 1


def _on_turn(view: View, many: Value) -> Value:
    having = {turn.player for turn in _state(view).turns}
    return refs(name for name in names_of(many) if name in having)


def _rule_numbered(view: View, number: Value) -> Value:
    rule = _state(view).rules.by_number.get(cast(int, number))
    if rule is None:
        raise Undecided(_state(view).rules.whereabouts(cast(int, number)))
    return Ref("rule", rule.id)


def _named(view: View, name: Value) -> Value:
    return Ref("player", _player(view, str(name)).name)


def _mentions(view: View, change: Value, text: Value) -> Value:
    id = cast(Ref, change).id
    drafts = (one.title for one in _change_clauses(view, id) if isinstance(one, c.Draft))
    said = " ".join([_change(view, id).title, *drafts, *_wordings(view, id)])
    return str(text).casefold() in said.casefold()


def _element(given: tuple[Type, ...]) -> Type:
    return given[0].item or NONE


ANY = Type("any")
_LIST, _NUMBERS = Type("list"), list_of(NUMBER)

FUNCTIONS = (
    Function("unanimity", (PLAYERS,), NUMBER, "the weight of all their ballots", unanimity,
             keys=("vote.weight",)),
    Function("majority", (PLAYERS,), NUMBER, "the least weight that is more than half of all their ballots", majority,
             keys=("vote.weight",)),
    Function("count", (_LIST,), NUMBER, "how many there are", lambda _, many: len(cast(tuple[Value, ...], many))),
    Function("sum", (_NUMBERS,), NUMBER, "all of them together", lambda _, many: bounded(sum(_numbers_in(many)))),
    Function("min", (_NUMBERS,), NUMBER, "the least of them", _least),
    Function("max", (_NUMBERS,), NUMBER, "the most of them", _most),
    Function("item", (_LIST, NUMBER), _element, "the one at a place, 1 for the first", _item),
    Function("preceding", (maybe(PLAYER),), PLAYER, "the player before this one in the order of turns", _preceding,
             reads=("turns", "hand", "players", "position"), keys=("turn.sequence",)),
    Function("following", (maybe(PLAYER),), PLAYER, "the player after this one in the order of turns", _following,
             reads=("turns", "hand", "players", "position"), keys=("turn.sequence",)),
    Function("going_back", (maybe(PLAYER),), PLAYERS,
             "the players before this one in the order of turns, from the nearest on", _going_back,
             reads=("turns", "hand", "players", "position"), keys=("turn.sequence",)),
    Function("allies", (maybe(PLAYER),), PLAYERS, "who is in this player's team, the player apart", _allies,
             keys=("team.mates",)),
    Function("rounded", (NUMBER,), NUMBER, "the nearest whole number; a half as score.half says", _rounded,
             keys=("score.half",)),
    Function("on_turn", (PLAYERS,), PLAYERS, "those of them whose turn is under way",
             _on_turn,
             reads=("turns",)),
    Function("rule_numbered", (NUMBER,), RULE, "the rule of this number", _rule_numbered, reads=("rules",)),
    Function("player_named", (TEXT,), PLAYER, "the player of this name", _named, reads=("players",)),
    Function("numbers", (NUMBER, NUMBER), list_of(NUMBER), "the whole numbers from one to another", _numbers),
    Function("reversed", (_LIST,), lambda given: given[0], "the same, the last first",
             lambda _, many: cast(tuple[Value, ...], many)[::-1]),
    Function("ordered", (_LIST, _NUMBERS), lambda given: given[0],
             "the same in the order of their numbers, the least first; equal ones stay as they stood", _ordered),
    Function("highest", (_LIST, _NUMBERS), lambda given: given[0],
             "those whose number is the most: all who share it, in a list", _extreme(max)),
    Function("lowest", (_LIST, _NUMBERS), lambda given: given[0],
             "those whose number is the least: all who share it, in a list", _extreme(min)),
    Function("place", (_LIST, ANY), NUMBER, "which place something has in a list, 1 for the first", _place),
    Function("mentions", (CHANGE, TEXT), TRUTH, "whether a change or a draft in it has these letters", _mentions,
             reads=("proposals",)),
)  # fmt: skip

__all__ = ["FACTS", "FUNCTIONS", "PROPOSAL", "RECORDS", "names_of", "refs"]
