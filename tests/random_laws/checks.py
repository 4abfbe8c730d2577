"""What has to be so whatever the law is. Each check knows the law only by what `law.find` says of it."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import contextmanager
from itertools import product

import nomic_nb as nb
from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.findings import set_clause_of
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.play.adoptability import SUPPOSED_LABEL, suppose_proposed
from nomic_nb.engine.play.deadlines import is_due
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import number_from_json
from nomic_nb.engine.play.permissions import find_permission, is_surely_forbidden
from nomic_nb.engine.play.values import player_names

#: Steps that one action may take: what takes too many is begun anew without the worst, with half as many each time.
BUDGET = 2 * 250_000
#: Acts that are tried to keep play from ending.
ACTS = 200


class Fault(AssertionError):  # noqa: N818 - what is looked for
    """Something that no law may bring about: of which kind, and what."""

    def __init__(self, kind, what):
        self.kind, self.what = kind, what
        super().__init__(f"{kind}: {what}")


class Watch:
    """What is seen of the engine at work: the steps of evaluation, and how things stood when play was found stuck."""

    def __init__(self):
        self.steps = 0
        self.ends = []

    def within_budget(self, what):
        """Complain where more steps were taken than one action has, and begin to count anew."""
        steps, self.steps = self.steps, 0
        if steps > BUDGET:
            raise Fault("over the budget", f"{what} takes {steps} steps")


@contextmanager
def watching():
    """Watch the engine while what is inside goes on."""
    watch, spend, emit = Watch(), View.spend_steps, Engine.emit

    def counting(view, steps=1, *more):
        watch.steps += steps
        spend(view, steps, *more)

    def noting(engine, kind, /, *given, **more):
        before = engine.state
        event = emit(engine, kind, *given, **more)
        if kind == "stuck":
            watch.ends.append((event, before))
        return event

    View.spend_steps, Engine.emit = counting, noting
    try:
        yield watch
    finally:
        View.spend_steps, Engine.emit = spend, emit


# ------------------------------------------------------------------- immutable clauses, and torn rules


def examples(state):
    """Changes of every kind, of a rule of each tier, as if the player on turn proposed them."""
    changes = [nb.enact("An example."), nb.enact("Please.", law="set vote.quota to 1")]
    for tier in dict.fromkeys(rule.tier for rule in state.rules):
        number = next(rule.number for rule in state.rules if rule.tier == tier)
        changes += [nb.amend(number, "Otherwise."), nb.repeal(number), nb.transmute(number)]
    return changes


def cases(state, key, dice, most=24):
    """Cases in which a key can be asked about: a state and the names that are bound; few of them, of all kinds."""
    persons = [ThingRef("player", name) for name in state.person_names]
    known = {
        "player": persons, "voter": persons, "receiver": persons, "face": [1, 2, 6], "amount": [1, 10],
        "text": ["please", "so be it"], "name": ["humming"], "counter": ["tally", "points"], "kind": ["P", "N", "K"],
        "army": [ThingRef("army", name) for name in state.position.armies] if state.position else [],
        "rule": [ThingRef("rule", id) for id in state.rules.rules], "judgment": [ThingRef("judgment",
        id) for id in state.docket],
        "proposal": [ThingRef("proposal", SUPPOSED_LABEL)], "place": [1, 2],
    }  # fmt: skip
    names = list(state.law.vocabulary.keys[key].case)
    if any(not known.get(name) for name in names):
        return
    bound = list(product(*(known[name] for name in names)))
    proponent = (state.current_turn.player if state.current_turn else None) or state.person_names[0]
    trials = [suppose_proposed(state, one, proponent) for one in examples(state)] if "proposal" in names else [state]
    both = list(product(trials, bound))
    for trial, values in both if len(both) <= most else dice.sample(both, most):
        yield trial, dict(zip(names, values, strict=True))


def without(law, key, tier):
    """The same law, in which rules of a tier say nothing of a key."""
    other = Law(law.book, law.order, law.language)
    said = {**law.candidates, key: tuple(one for one in law.candidates[key] if one.rule.tier != tier)}
    other.__dict__["candidates"] = said
    return other


#: What a permission is about; a ban on how, when and by whom else it is made use of only limits it.
ABOUT = {"propose": r"target|kind|tier|keys|effects|fingerprint|this", "move": r"player|mover|proponent"}
ABOUT["call_vote"] = ABOUT["move"]


def only_limits(key, found):
    """Whether a permission is narrowed only, or may be, by bans that do not look at what it is about."""
    about = ABOUT.get(key.removeprefix("may."))
    if about is None or not (found.value is False or found.outcome == "undecided"):
        return False
    conditions = [source.clause.words.partition(" when ")[2] for source in found.sources]
    return all(one and not re.search(rf"\b({about})\b", one) for one in conditions)


def immutable_clauses_hold(state, dice):
    """No mutable clause changes an answer that an immutable clause gives."""
    law = state.law
    ranks = law.order.tiers
    if (
        not state.person_names
        or not {"immutable", "mutable"} <= set(ranks)
        or ranks.index("mutable") < ranks.index("immutable")
    ):
        return
    for key, sources in law.candidates.items():
        if not {"immutable", "mutable"} <= {one.rule.tier for one in sources}:
            continue
        bare = without(law, key, "mutable")
        for trial, env in cases(state, key, dice):
            given, wanted = bare.find(key, trial, env), None
            if given.outcome == "silent" and key.startswith("may."):
                # Where immutable clauses say what may be done, and else it is forbidden, nothing more may be.
                otherwise = law.vocabulary.actions[key.removeprefix("may.")].otherwise
                given = bare.find(otherwise, trial, {}) if otherwise else given
                if given.value != "forbidden":
                    continue
                wanted = False
            if not given.answered or not given.sources or {one.rule.tier for one in given.sources} != {"immutable"}:
                continue
            found = law.find(key, trial, env)
            if (wanted is False and found.outcome == "silent") or only_limits(key, found):
                continue
            if found.value != (given.value if wanted is None else wanted):
                change = trial.proposals[SUPPOSED_LABEL].change.headline if SUPPOSED_LABEL in trial.proposals else env
                said = f"{key} for {change} is {given.value} ({given.sources[0].clause.words})"
                raise Fault("immutable overruled", f"{said}; with mutable clauses: {found}")


def torn_rules_are_not_decided(state, dice):
    """Where two clauses of the rule that prevails say different things of one case, nothing is decided."""
    law = state.law
    for key, sources in law.candidates.items():
        if key.startswith("may.") or max(Counter(one.rule.id for one in sources).values()) < 2:
            continue
        for trial, env in cases(state, key, dice):
            found = law.find(key, trial, env)
            if not found.sources or found.outcome not in ("decided", "merged"):
                continue
            said = set()
            for source in sources:
                if source.rule is not found.sources[0].rule:
                    continue
                view = View(trial, {**env, "this": ThingRef("rule", source.rule.id)}, law)
                try:
                    condition = set_clause_of(source).condition
                    if condition is None or condition.run(view):
                        said.add(set_clause_of(source).value.run(view))
                except Undecided:
                    continue
            if len(said) > 1:
                raise Fault("decided where the law is torn", f"rule {found.rule} says of {key}: {said}")


# -------------------------------------------------------------------------- acts, and what the law says


def case_of(state, player, action, details, event):
    """The case in which an act is judged, and the state; None where nobody's leave is asked."""
    if action == "propose":
        return suppose_proposed(state, details["change"], player), {"proposal": ThingRef("proposal", SUPPOSED_LABEL)}
    if action in ("vote", "close_vote", "call_vote", "revise"):
        return state, {"proposal": ThingRef("proposal", event.data["number"])}
    if action in ("say", "act"):
        return state, {"text": event.data["text"]}
    if action == "report":
        return state, {"name": details["deed"]}
    if action == "give":
        return state, {"receiver": ThingRef("player", details["receiver"]), "counter": details["counter"],
                       "amount": details["amount"]}  # fmt: skip
    if action in ("roll", "seal", "reveal", "begin_turn", "end_turn", "skip", "forfeit") or (
        action == "choose" and not state.questions
    ):
        return state, {}
    return None


def was_allowed(state, player, action, details, moments):
    """What was done was not forbidden; and was allowed, where the wording says that only what is allowed is done."""
    event = moments[0][0]
    if event.kind == "attempted":
        return
    if action == "choose" and not state.questions:
        state = state.replace(hand=next((one.turn for one in state.waiting if one.action == "choose"), 0))
    found = case_of(state, player, action, details, event)
    if found is None:
        return
    trial, case = found
    finding = find_permission(trial, action, player, **case)
    if is_surely_forbidden(finding):
        raise Fault("forbidden and done", f"{player} could {action} {details} though {finding}")
    if action in ("skip", "give") and not (finding.outcome != "silent" and finding.value is True and finding.sources):
        raise Fault("done though no rule allows it", f"{player} could {action} {details}")


def what_was_put_off_is_done(state):
    """Once so many turns have ended, what a rule put off till then is done before anybody has to decide anything."""
    overdue = [one.effect.words for one in state.later if is_due(state, one.due)]
    if overdue and not (state.questions or state.judgment_of_question or state.over or state.paused):
        raise Fault("not obeyed", f"put off, due and not done: {overdue}")


def what_is_forbidden_is_refused(timeline, state, acts):
    """Of acts that nobody may wait for now, those that the law forbids are not done, or asked about."""
    for player, action, details in acts:
        case = {"proposal": ThingRef("proposal", details["proposal"])} if "proposal" in details else {}
        case |= {"text": details["text"]} if "text" in details else {}
        if not is_surely_forbidden(find_permission(state, action, player, **case)):
            continue
        try:
            moments = tried(timeline, state, player, action, details)
        except (IllegalAction, LawError):
            continue
        was_allowed(state, player, action, details, moments)


def _is(text):
    return lambda value: value == text


def _vote_opened(state, event):
    case = {"proposal": ThingRef("proposal", event.data["number"])}
    yield "vote.electorate", case, lambda value: list(dict.fromkeys(player_names(value))) == event.data["electorate"]
    yield "vote.duty", case, lambda value: value == event.data["duty"]
    yield "vote.ballots", case, lambda value: (value == "sealed") == event.data["sealed"]
    if event.data["quota"] is not None:  # else it is found when the vote closes
        yield "vote.quota", case, lambda value: value == number_from_json(event.data["quota"])
    for name, weight in event.data["weights"].items():
        yield "vote.weight", {**case, "voter": ThingRef("player", name)}, _is(number_from_json(weight))


def _turn_begun(state, event):
    yield "turn.start", {}, _is("at will" if event.is_action else "automatic")
    first = state.law.find("turn.next", state, {}).value
    if "of" not in event.data and "army" not in event.data and not first:
        yield "turn.sequence", {}, lambda value: event.data["sequence"] == [one.id for one in value]


def _thrown(state, event):
    waiting = [one for one in state.waiting if one.action == "roll" and one.player == event.actor]
    if event.is_action and event.data["by_hand"]:
        yield "dice.source", {}, lambda value: value in ("table", "either")
    elif event.is_action:
        yield "dice.source", {}, lambda value: value in ("seeded", "either") or bool(waiting[0].round)


def _changed(state, event):
    if event.data.get("number") is None:
        return
    case = {"proposal": ThingRef("proposal", event.data["number"])}
    tier = {"enacted": "enact.tier", "transmuted": "transmute.tier"}.get(event.kind)
    if tier is not None:
        yield tier, case, _is(event.data["tier"])
    if not state.proposals[event.data["number"]].due:  # when it takes effect was decided as it was adopted
        waits = state.law.find("change.effective", state, case).value == "when ready"
        yield ("change.ready", case, _is(True)) if waits else ("change.effective", case, _is("vote closed"))
    yield "rule.takes_number", case, _is(event.data["takes_number"])


#: What an event rests on: the keys that must be answered before it, and what their answers must be.
RESTS_ON = {
    "turn_begun": _turn_begun,
    "part_begun": lambda state, event: [("turn.parts", {}, lambda value: event.data["part"] in value)],
    "proposed": lambda state, event: [
        ("proposal.first_number", {}, lambda value: event.data["number"] >= value),
        ("proposal.numbering", {}, lambda value: (value == "assigned") == ("left_out" in event.data)),
    ],
    "vote_opened": _vote_opened,
    "put_off": lambda state, event: [
        ("change.effective", {"proposal": ThingRef("proposal", event.data["number"])}, _is(event.data["due"]))
    ],
    "thrown": _thrown,
    "enacted": _changed,
    "amended": _changed,
    "repealed": _changed,
    "transmuted": _changed,
}


def events_rest_on_the_law(before, moments):
    """What happens is what the law says; where it does not say, it does not happen."""
    for at, (event, after) in enumerate(moments):
        state = moments[at - 1][1] if at else before
        for key, case, fits in RESTS_ON[event.kind](state, event) if event.kind in RESTS_ON else ():
            laws = [state.law] if state.law is before.law else [state.law, before.law]
            if after.law.book is state.law.book:  # what the law says of its own order is judged by the order till now
                laws.append(after.law)
            findings = [law.find(key, state, case) for law in laws]
            answered = [one for one in findings if one.answered]
            if not answered:
                raise Fault("decided where the law is silent", f"{event.kind} {dict(event.data)}, but {findings[0]}")
            if not any(fits(one.value) for one in answered):
                raise Fault("not obeyed", f"{event.kind} {dict(event.data)}, but {answered[0]}")
        if event.kind == "vote_closed":
            proposal = state.proposals[event.data["number"]]
            found = proposal.vote.law.find("vote.adopted", state, {"proposal": ThingRef("proposal", proposal.number)})
            if not found.answered or found.value != event.data["adopted"]:
                raise Fault("not obeyed", f"{event.data}, but {found}")


def whoever_has_won_wins(state):
    """A calm game in which the law names winners is over."""
    judged = any(state.judgments[id].held is not None for id in state.docket)  # a question, maybe who wins
    if state.over or state.questions or state.paused or judged:
        return
    found = state.law.find("win.winners", state, {})
    if found.answered and any(not state.above.get(name) for name in player_names(found.value)):  # some are held back
        raise Fault("not obeyed", f"the game goes on, but {found}")


def _bound(event, names):
    """The names that an event binds for those who answer to it; None where they cannot be told from its data."""
    data, env = event.data, {}
    for name in names:
        if name == "player" and event.actor is not None:
            env[name] = ThingRef("player", data["who"] if event.kind == "deed" else event.actor)
        elif name == "proposal" and "number" in data:
            env[name] = ThingRef("proposal", data["number"])
        elif name == "reporter":
            env[name] = ThingRef("player", event.actor)
        elif name in ("part", "ballot", "text", "name", "face", "circuit") and name in data:
            env[name] = data[name]
        else:
            return None
    return env


def _awarded(clause, source, state, env):
    """Who gets something by a clause that only awards; None where that cannot be told."""
    many = [None] if clause.among is None else clause.among.run(View(state, env, state.law))
    names = []
    for one in many:
        inner = {**env, clause.each: one} if clause.each else env
        if clause.condition is not None and not clause.condition.run(View(state, inner, state.law)):
            continue
        for effect in clause.effects:
            if effect.amount.run(View(state, inner, state.law)):
                names += player_names(effect.who.run(View(state, inner, state.law)))
    return sorted(names)


def awards_reach_everybody(before, moments):
    """A clause that only awards gives to all whom it names, once for each time that what it answers to happens."""
    last = moments[-1][1]
    if last.questions or last.over or any(event.kind in ("asked", "attempted") for event, _ in moments):
        return
    if before.law.numbers_of_rules_about("counter.value"):  # rules say what of it they get
        return
    events = before.law.vocabulary.events
    held = [item for one in (before, *before.waiting, *last.waiting) for item in one.agenda]
    wanted = {item.cause.words: None for item in (*held, *before.later) if item.cause is not None}
    given = {}
    for event, state in moments:
        if event.kind == "counted" and event.cause is not None and event.data.get("amount", 0) != 0:
            given.setdefault(event.cause.words, []).append(event.actor)
        for source in before.law.triggers.get(event.kind, ()):
            if source.rule.id not in last.rules.rules or last.rules.rules[source.rule.id].law != source.rule.law:
                continue
            if event.kind in MAKES_LAW or not all(map(_to_players, source.clause.effects)):
                continue
            env = _bound(event, events[event.kind].binds)
            if env is None:
                wanted[source.clause.words] = None
                continue
            env["this"] = ThingRef("rule", source.rule.id)
            try:
                found = [_awarded(source.clause, source, one, env) for one in (state, last)]
            except Undecided:
                found = [None, ()]
            so_far = wanted.get(source.clause.words, [])
            stable = found[0] == found[1] and so_far is not None
            wanted[source.clause.words] = so_far + found[0] if stable else None
    for words, names in wanted.items():
        if names is not None and before.law is last.law and sorted(names) != sorted(given.get(words, [])):
            raise Fault("not obeyed", f"“{words}” is for {names}; {given.get(words, [])} got something")


def _to_players(effect):
    """Whether an effect awards something to players, and does nothing else."""
    return effect.form.name == "award" and effect.keys is None and effect.who is not None


MAKES_LAW = frozenset(("enacted", "amended", "repealed", "transmuted", "voided", "revived", "counted"))


# ----------------------------------------------------------------------------------- ends of play


def plain_end(event):
    """Whether play ended because nobody could go on, and not because a clause says that it ends."""
    return event.kind == "stuck" and not (event.cause and "end play" in event.cause.words)


def averting(timeline, state, acts):
    """The first act in a state that keeps play going: something must be decided then, and it is no question."""
    for player, action, details in acts:
        try:
            moments = tried(timeline, state, player, action, details)
        except (IllegalAction, LawError):
            continue
        after = moments[-1][1]
        if after.over or after.stuck or after.questions:
            continue
        if any(one.must and one.id is None for one in decisions(after)):
            return player, action, details
    return None


def tried(timeline, state, player, action, details):
    """What follows from an act in a state, on a fork of the table that nobody keeps."""
    fork = timeline.copy_with_events([(timeline.moments[-1][0], state)])
    return fork.host(action, details) if player is None else fork.do(player, action, details)


def ends_could_not_be_averted(timeline, watch, moments, acts):
    """Play does not end by standstill where one open act, or the return of somebody absent, keeps it going."""
    ends, watch.ends = watch.ends, []
    for event, _ in moments:
        state = next((state for end, state in ends if end is event), None)
        if state is None or not plain_end(event) or not state.person_names or state.over:
            continue
        if "play.standstill" in state.law.rulings:  # the table was asked whether play can go on
            continue
        found = averting(timeline, state, acts(state)[:ACTS])
        if found is not None:
            player, action, details = found
            winners = ", ".join(moments[-1][0].data.get("winners", ())) or "nobody"
            raise Fault("ended too soon", f"{winners} wins though {player or 'the host'} could {action} {details}")
