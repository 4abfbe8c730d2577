"""What each effect of the law language does in play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from nomic_nb.law import clauses as c
from nomic_nb.law.changes import Change
from nomic_nb.law.checking import Checker
from nomic_nb.law.findings import Source
from nomic_nb.law.forms import Effect, Form, declare
from nomic_nb.law.places import Asked, Counted, Flag, Inner, Name, One, Owner, Players, Text, Word
from nomic_nb.law.places import Value as Anything
from nomic_nb.law.rules import Rule
from nomic_nb.law.running import bounded
from nomic_nb.law.types import Scope
from nomic_nb.law.values import NUMBER, TEXT, Number, Ref, Value, shown
from nomic_nb.law.view import Undecided
from nomic_nb.play.boards import effects as on_boards
from nomic_nb.play.dice import draw
from nomic_nb.play.events import number_to_json
from nomic_nb.play.facts import names_of
from nomic_nb.play.keys import RULE
from nomic_nb.play.lawmaking import broken_requirement, can_be_void, enforce
from nomic_nb.play.names import check_names
from nomic_nb.play.possible import supposed, supposed_case
from nomic_nb.play.state import Item, State, Waiting

if TYPE_CHECKING:
    from nomic_nb.law.nodes import Expression
    from nomic_nb.play.engine import Engine

#: Dice in one throw, and sides of one die.
MOST_DICE, MOST_SIDES = 100, 1_000_000

Env = Mapping[str, Value]


#: The effects of play, as forms.
EFFECTS: list[Form] = []
#: What is said of a rule that is to be changed and is none.
CHANGED = "what is repealed, transmuted or revived"
DRAFT = Word("draft called", lambda checker: sorted(checker.drafts), "a draft clause in the same rule")


@dataclass(frozen=True)
class Ballot(One):
    """A ballot, where a vote is at hand."""

    def fit(self, expression: Any, checker: Checker, effect: Effect, scope: Scope) -> None:
        """Refuse what is no ballot, and any where no vote is at hand."""
        super().fit(expression, checker, effect, scope)
        checker.texts(expression, self.what, ("for", "against"))
        if "proposal" not in scope.names:
            raise checker.word("cast", "no vote is at hand here", expected="on vote_opened: before it")


def _owed(checker: Checker) -> list[str]:
    return [one.name for one in checker.vocabulary.actions.values() if one.owed]


def _value(engine: Engine, item: Item, expression: Expression) -> Value:
    return expression.run(engine.view(item.env))


def _number(engine: Engine, item: Item, expression: Expression) -> Number:
    return _a_number(_value(engine, item, expression))


def _a_number(value: Value) -> Number:
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise Undecided("there is no number here")
    return value


def _players(engine: Engine, item: Item, expression: Expression) -> tuple[str, ...]:
    value = _value(engine, item, expression)
    names = () if on_boards.things(value) else names_of(value)
    for name in names:
        if name not in engine.state.players:
            raise Undecided(f"nobody is called {name}")
    return names


def _can_act(engine: Engine, names: tuple[str, ...]) -> None:
    """Say that there is no answer where somebody is to act who cannot: a dummy, or one who has left."""
    for name in names:
        if name not in engine.state.persons:
            raise Undecided(f"{name} is nobody who can act in this game")


def set_counter(engine: Engine, name: str | None, counter: str, now: Number, exactly: Fraction | None = None) -> None:
    """Set a counter, of a player or of the game, and record by how much it changed, and what was rounded."""
    state = engine.state
    kept = state.counters if name is None else state.players[name].counters
    if counter not in kept:
        raise Undecided(f"no rule tracks {counter}")
    before = kept[counter]
    now = bounded(now)
    amount = bounded(now - before)
    env: dict[str, Value] = {"counter": counter, "amount": amount}
    if name is not None:
        env["player"] = Ref("player", name)
    data = {"counter": counter, "amount": number_to_json(amount), "now": number_to_json(now)}
    if exactly is not None:
        data |= {"exact": number_to_json(exactly), "tie": exactly.denominator == 2}
    engine.emit("counted", name, env=env, data=data)


@declare(
    EFFECTS,
    "award {amount} to {who}",
    example="award 5 points to player",
    makes=("counted",),
    ordered_by=("people", "Judge", "record"),
    amount=Counted("an award", "awarded"),
    who=Owner(),
)
def _award(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Add to a counter of one or of each."""
    things, names = on_boards.things(_value(engine, item, effect.who)), _players(engine, item, effect.who)
    view = engine.view(item.env)
    value = effect.amount.run(view) if things or names else None  # reckoned once, before anybody gets it
    if value is None:  # what was declined brings nothing
        return item.env
    amount = _a_number(value)
    for ref in things:
        on_boards.count_thing(engine, ref, effect.counter, amount, add=True)
    for name in names:
        before = engine.state.players[name].counters.get(effect.counter, 0)
        set_counter(engine, name, effect.counter, before + amount, exactly=view.rounded)
    return item.env


def transfer(engine: Engine, payer: str, who: str, amount: Number, counter: str) -> bool:
    """Move some of a counter from one player to another; tell whether the payer had it. Nobody gives what is not there.

    Raises
    ------
    Undecided
        It is less than nothing, or no rule tracks the counter.
    """
    if amount < 0:
        raise Undecided("nobody pays less than nothing")
    has = engine.state.players[payer].counters.get(counter)
    if has is None:
        raise Undecided(f"no rule tracks {counter}")
    if has < amount:
        return False
    if payer != who and amount:
        set_counter(engine, payer, counter, has - amount)
        set_counter(engine, who, counter, engine.state.players[who].counters[counter] + amount)
    return True


@declare(
    EFFECTS,
    "pay {amount} from {payer} to {who}",
    example="pay 3 points from player to next_player",
    makes=("counted", "unpaid"),
    amount=Counted("a payment", "paid"),
    payer=Players(with_counter=True),
    who=Players(),
)
def _pay(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Give from one to the other, or not at all where the payer has not got it."""
    payers, receivers = _players(engine, item, effect.payer), _players(engine, item, effect.who)
    amount = _number(engine, item, effect.amount) if payers and receivers else 0
    for payer in payers:
        for who in receivers:
            if not transfer(engine, payer, who, amount, effect.counter):
                env: dict[str, Value] = {"player": Ref("player", payer), "counter": effect.counter, "amount": amount}
                data = {"counter": effect.counter, "amount": number_to_json(amount), "to": who}
                engine.emit("unpaid", payer, env=env, data=data)
    return item.env


@declare(
    EFFECTS,
    "put {counter} [of {who}] at {amount}",
    example="put points of player at 5",
    makes=("counted",),
    ordered_by=("people", "Judge", "record"),
    counter=Word(),
    who=Owner(),
    amount=One(NUMBER, "a counter"),
)
def _put(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Set a counter of one or of each, or the game's own."""
    things: tuple[Ref, ...] = ()
    names: tuple[str | None, ...] = (None,)  # the game's own
    if effect.who is not None:
        things, names = on_boards.things(_value(engine, item, effect.who)), _players(engine, item, effect.who)
    now = _number(engine, item, effect.amount) if things or names else 0
    for ref in things:
        on_boards.count_thing(engine, ref, effect.counter, now, add=False)
    for name in names:
        kept = engine.state.counters if name is None else engine.state.players[name].counters
        if kept.get(effect.counter) != now:  # or nothing happens
            set_counter(engine, name, effect.counter, now)
    return item.env


@declare(
    EFFECTS,
    "roll {dice} of {sides} as {name} [by {by}]",
    example="roll 2 of 6 as total by player",
    makes=("thrown",),
    dice=One(NUMBER, "a count of dice"),
    sides=One(NUMBER, "a count of sides"),
    name=Name(),
    by=Players(),
)
def _roll(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Throw so many dice of so many sides, and name their sum."""
    dice, sides = _number(engine, item, effect.dice), _number(engine, item, effect.sides)
    if not (isinstance(dice, int) and isinstance(sides, int) and 1 <= dice <= MOST_DICE and 1 <= sides <= MOST_SIDES):
        raise Undecided(f"{dice} dice of {sides} sides cannot be thrown")
    players = _players(engine, item, effect.by) if effect.by is not None else ()
    if effect.by is not None and len(players) != 1:
        raise Undecided("one player throws the dice, no more and no less")
    _can_act(engine, players)
    cause = item.cause.rule if item.cause else None
    if players or engine.read("dice.source") in ("table", "committed"):
        who = players[0] if players else None
        waiting = Waiting("roll", who, effect.name, dice=dice, sides=sides, rule=cause)
        engine.state = engine.state.but(waiting=(*engine.state.waiting, waiting))
        return None
    faces = draw(engine.seed, engine.state.draws, dice, sides)
    total = sum(faces)
    engine.emit("thrown", None, env={"player": None, "face": total}, draw=faces, face=total, sides=sides)
    return {**item.env, effect.name: total}


@declare(
    EFFECTS,
    "let {who} choose {name} from {options} {optional}",
    example="let player choose rival from players",
    makes=("chosen",),
    who=Players(),
    name=Name(of="options", or_none="optional"),
    options=Anything(),
    optional=Flag("or none"),
)
def _let(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Let somebody choose, and name what is chosen."""
    players = _players(engine, item, effect.who)
    if len(players) != 1:
        raise Undecided("one player chooses, no more and no less")
    options = cast(tuple[Value, ...], _value(engine, item, effect.options))
    if effect.optional:
        options = (*options, None)
    if not options:
        raise Undecided("there is nothing to choose from")
    if options == (None,):
        return {**item.env, effect.name: None}
    _can_act(engine, players)
    cause = item.cause.rule if item.cause else None
    waiting = Waiting("choose", players[0], effect.name, options, rule=cause)
    engine.state = engine.state.but(waiting=(*engine.state.waiting, waiting))
    return None


@declare(
    EFFECTS,
    "oblige {who} to {action}",
    example="oblige player to propose",
    makes=("obliged",),
    ordered_by=("people", "Judge"),
    who=Players(),
    action=Word("action that can be owed called", _owed),
)
def _oblige(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Let the part not end before it is done."""
    if engine.state.go is None:
        raise Undecided("no turn is under way in which it could be done")
    for name in _players(engine, item, effect.who):
        if effect.action == "move" and name != engine.state.go.player:
            raise Undecided(f"it is {engine.state.go.player}'s turn, and {name} has no moves in it")
        if name in engine.state.persons:
            engine.emit("obliged", name, action=effect.action)
    return item.env


@declare(
    EFFECTS,
    "enter player {player} as {kind}",
    example='enter player "Zoe" as person',
    makes=("entered",),
    player=One(TEXT, "a new player's name"),
    kind=Word("kind of player called", ("person", "dummy")),
)
def _enter(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Let someone new take part."""
    name = _value(engine, item, effect.player)
    if name in engine.state.players:
        raise Undecided(f"there is a player called {name} already")
    try:
        check_names([*engine.state.players, cast(str, name)])
    except ValueError as error:
        raise Undecided(str(error)) from None
    saved, mark = engine.state, len(engine.moments)
    broken = broken_requirement(engine, saved, saved, {})
    enter(engine, cast(str, name), effect.kind)
    now = broken_requirement(engine, engine.state, saved, {})
    if now is not None and broken is None:  # whoever takes part can make that impossible which the law requires
        engine.state = saved
        del engine.moments[mark:]
        _prevented(engine, effect, now.rule.number)
    return item.env


def enter(engine: Engine, name: str, kind: str) -> None:
    """Let someone new take part, with every counter where it starts."""
    counters = {
        track.counter: number_to_json(cast(Number, track.start.run(engine.view({}))))
        for track in engine.state.law.tracks
        if track.per == "player"
    }
    engine.emit("entered", name, env={"player": Ref("player", name)}, data={"as": kind, "counters": counters})


@declare(
    EFFECTS,
    "cast {ballot} for {who}",
    example='cast "for" for "Dummy"',
    makes=("balloted",),
    ballot=Ballot(TEXT, "a ballot"),
    who=Players(),
)
def _cast(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Cast a ballot in the vote at hand."""
    ballot = _value(engine, item, effect.ballot)
    proposal = engine.state.proposals[cast(Ref, item.env["proposal"]).id]
    vote = proposal.vote
    if vote is None or proposal.status not in ("open", "ending"):
        raise Undecided("no vote is open in which a ballot could be cast")
    if ballot not in ("for", "against"):
        raise Undecided(f"{shown(ballot)} is no ballot")
    for name in _players(engine, item, effect.who):
        if name not in vote.electorate or vote.ballots.get(name) == ballot:
            continue  # who may not vote has no ballot that could be cast, and one that is there is not cast again
        if not _may_be_cast(engine, item, effect, name):
            continue
        if name in vote.ballots and engine.read("vote.changeable", proposal=item.env["proposal"]) is not True:
            raise Undecided(f"{name} has voted already, and ballots stand")
        env: dict[str, Value] = {
            "proposal": item.env["proposal"],
            "player": Ref("player", name),
            "ballot": ballot,
        }
        engine.emit("balloted", name, env=env, number=proposal.number, ballot=ballot)
    engine.schedule("close vote", proposal=item.env["proposal"])
    return item.env


def _may_be_cast(engine: Engine, item: Item, effect: Any, name: str) -> bool:
    """Tell whether the law of a step lets rules cast a voter's ballot; a dummy has no other."""
    if not engine.state.players[name].person:
        return True
    case = {"proposal": item.env["proposal"], "voter": Ref("player", name)}
    finding = engine.law.find("vote.automatic", engine.state, case)
    allowed = engine.law.settled(finding) is True
    if not allowed:
        _prevented(engine, effect, finding.rule, name)
    return allowed


def _prevented(engine: Engine, effect: Any, rule: Any, actor: str | None = None) -> None:
    """Record that a rule does not let another one do something."""
    engine.emit("prevented", actor, effect=effect.words, by=rule)


def leave(engine: Engine, name: str, kind: str, *, by_player: bool = False) -> None:
    """Put a player out of the game: out of the order, out of open votes, and nothing is owed any more."""
    engine.emit(kind, name, env={"player": Ref("player", name)}, by_player=by_player)
    state = engine.state
    engine.state = without_waiting_for(state, name)
    engine.schedule("after leaving", player=Ref("player", name))


@declare(
    EFFECTS,
    "eliminate {who}",
    example="eliminate player",
    makes=("eliminated",),
    ordered_by=("people", "Judge"),
    who=Players(),
)
def _eliminate(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Put somebody out of the game."""
    for name in _players(engine, item, effect.who):
        if engine.state.players[name].playing:
            leave(engine, name, "eliminated")
    return item.env


def _rule_meant(engine: Engine, item: Item, expression: Expression) -> Rule | None:
    """Return the rule that an effect is about, or None where it is gone."""
    ref = _value(engine, item, expression)
    return engine.state.rules.rules.get(cast(int, ref.id)) if isinstance(ref, Ref) else None


@declare(EFFECTS, "repeal {rule}", example="repeal this", makes=("repealed",), rule=One(RULE, CHANGED))
def _repeal(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Repeal a rule by itself."""
    return _automatic("repeal", engine, item, effect)


@declare(EFFECTS, "transmute {rule}", example="transmute this", makes=("transmuted",), rule=One(RULE, CHANGED))
def _transmute(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Give a rule the other standing by itself."""
    return _automatic("transmute", engine, item, effect)


def _automatic(kind: str, engine: Engine, item: Item, effect: Any) -> Env | None:
    rule = _rule_meant(engine, item, effect.rule)
    if rule is not None:  # or it is gone already, and with it what was to be done to it
        enforce_automatic(engine, item, Change(kind, rule.number))
    return item.env


def enforce_automatic(engine: Engine, item: Item, change: Change) -> None:
    """Make a change that a rule makes by itself; the rule keeps its number."""
    trial = supposed(engine.state, change, "")
    case = supposed_case() | ({"rule": Ref("rule", item.cause.id)} if item.cause else {})
    finding = engine.law.find("change.automatic", trial, case)
    if engine.law.settled(finding) is not True:
        note = f"rule {finding.rule} does not let a rule do this by itself"
        engine.emit("without_effect", None, number=None, note=note, change=change.to_json())
        return
    enforce(engine, change, None, None, trial, supposed_case(), takes_number=False)


@declare(
    EFFECTS,
    "after {turns} turns: {effect}",
    example="after 2 turns: award 5 points to player",
    makes=("scheduled",),
    turns=One(NUMBER, "a count of turns"),
    effect=Inner(),
)
def _after(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Do it when so many more turns have ended."""
    turns = _number(engine, item, effect.turns)
    if not isinstance(turns, int) or turns < 0:
        raise Undecided(f"{turns} is no count of turns")
    engine.emit("scheduled", turns=turns, effect=effect.effect.words)
    engine.put_off(turns, effect.effect, item)
    return item.env


@declare(
    EFFECTS,
    "end {what}",
    example="end turn",
    makes=("cut_short", "stuck"),
    ordered_by=("Judge",),
    what=Word("end of a", ("part", "turn", "play")),
)
def _end(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Let go what is still owed in the part or in the turn; or let play end, since nobody can go on."""
    go = engine.state.go
    if effect.what == "play":
        engine.emit("stuck", go.player if go else None)
    elif go is not None and (stronger := _forbids_to_skip(engine, item, go.player)) is not None:
        _prevented(engine, effect, stronger, go.player)
    elif go is not None:
        engine.emit("cut_short", go.player, what=effect.what)
        engine.state = without_waiting_for(engine.state, go.player)
    return item.env


def _forbids_to_skip(engine: Engine, item: Item, player: str) -> Any:
    """Return the number of the rule that forbids to skip what is left of a turn, and prevails over the rule at work."""
    by_rule = item.cause is not None and "this" in item.env  # and not by a Judge's order
    rule = engine.law.book.rules.get(cast(Any, item.cause).id) if by_rule else None
    finding = engine.law.find("may.skip", engine.state, {"player": Ref("player", player)})
    if rule is None or finding.value is not False:
        return None
    left, _ = engine.law.precedence.prevailing([Source(rule, finding.sources[0].clause), *finding.sources], finding.key)
    return None if any(one.rule is rule for one in left) else finding.rule


def _referred(engine: Engine, item: Item, expression: Expression) -> Rule:
    rule = _rule_meant(engine, item, expression)
    if rule is None:
        raise Undecided("there is no such rule any more")
    return rule


@declare(
    EFFECTS,
    "void {rule} against {against}",
    example="void this against rule_numbered(101)",
    makes=("voided",),
    ordered_by=("Judge",),
    rule=One(RULE, "what is void"),
    against=One(RULE, "what it contradicts"),
)
def _void(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Find that a rule contradicts a stronger one."""
    rule, against = _referred(engine, item, effect.rule), _referred(engine, item, effect.against)
    if not can_be_void(engine.state, rule, against):
        _prevented(engine, effect, engine.law.find("precedence.void", engine.state, {}).rule)
    elif rule.id not in engine.state.rules.void:
        engine.emit(
            "voided", env={"rule": Ref("rule", rule.id)}, changed=rule.id, rule=rule.id, against=against.id, key="",
            judged=True, numbers=[rule.number, against.number],
        )  # fmt: skip
    return item.env


@declare(
    EFFECTS,
    "revive {rule}",
    example="revive this",
    makes=("revived",),
    ordered_by=("Judge",),
    rule=One(RULE, CHANGED),
)
def _revive(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Let stand again what a Judge found void."""
    rule = _referred(engine, item, effect.rule)
    why = engine.state.rules.void.get(rule.id)
    if why is not None and why.version is not None:
        engine.emit("revived", env={"rule": Ref("rule", rule.id)}, rule=rule.id, number=rule.number)
    return item.env


def _draft(item: Item, name: str) -> c.Draft:
    """Return a draft of the rule whose clause is at work."""
    rule = item.law.book.rules.get(item.cause.id) if item.cause else None
    parts = [[line.clause for line in part.lines] for part in rule.standing] if rule else []
    # An amendment beside others speaks of its own drafts first.
    for part in sorted(parts, key=lambda clauses: item.clause not in clauses):
        for clause in part:
            if isinstance(clause, c.Draft) and clause.name == name:
                return clause
    raise Undecided(f"the rule has no draft {name}")


@declare(
    EFFECTS,
    "amend {rule} by {draft}",
    example="amend this by soon",
    makes=("amended",),
    rule=One(RULE, "what is amended"),
    draft=DRAFT,
)
def _amend(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Change a rule by itself to what a draft says."""
    rule = _rule_meant(engine, item, effect.rule)
    if rule is not None:
        draft = _draft(item, effect.draft)
        enforce_automatic(engine, item, Change("amend", rule.number, draft.wording, draft.law))
    return item.env


@declare(
    EFFECTS,
    "enact {draft}",
    example="enact soon",
    makes=("enacted",),
    draft=DRAFT,
)
def _enact(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Make a rule by itself of a draft."""
    draft = _draft(item, effect.draft)
    enforce_automatic(engine, item, Change("enact", None, draft.wording, draft.law, draft.title))
    return item.env


@declare(
    EFFECTS,
    "announce {text}",
    example='announce "It rains."',
    makes=("announced",),
    ordered_by=("people", "Judge"),
    text=Text(),
)
def _announce(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Say something to all."""
    engine.emit("announced", text=effect.text)
    return item.env


@declare(
    EFFECTS,
    "ask {who}",
    example='ask players "Who has the ball?"',
    makes=("asked",),
    ordered_by=("people", "Judge"),
    who=Asked(),
)
def _ask(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Ask somebody; play waits for the answer."""
    named = _players(engine, item, effect.who)
    who = tuple(name for name in named if name in engine.state.persons)
    if not who:  # whoever is named, nobody of them could answer
        _can_act(engine, named)
    else:
        engine.ask(effect.text, rule=item.cause.rule if item.cause else None, who=who)
    return item.env


def without_waiting_for(state: State, name: str) -> State:
    """Return the state in which nothing is waited for from a player; what stood behind it goes on.

    A step of play that waits for a choice, as the naming of a Judge does, is taken anew.
    """
    left = tuple(one for one in state.waiting if one.player != name)
    freed = [item for one in state.waiting if one.player == name for item in _going_on(one)]
    return state.but(waiting=left, agenda=state.agenda.then(*freed))


def _going_on(waiting: Waiting) -> tuple[Item, ...]:
    """Return what goes on when nothing is waited for any more: all but the effect that waited."""
    return waiting.agenda[1:] if waiting.agenda[0].kind == "effects" else waiting.agenda


def put_back(state: State, waiting: Waiting, value: Value) -> State:
    """Return the state in which the answer that was waited for is there, and what stood behind it goes on."""
    item = waiting.agenda[0]
    answered = replace(item, env={**item.env, waiting.name: value}, effects=item.effects[1:])
    agenda = waiting.agenda[1:]
    if answered.effects or item.kind != "effects":
        agenda = (answered, *agenda)
    left = tuple(one for one in state.waiting if one is not waiting)
    return state.but(waiting=left, agenda=state.agenda.first(*agenda))
