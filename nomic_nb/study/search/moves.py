"""What a search lets players do: the answers that play waits for, and the deeds that somebody may choose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from nomic_nb.engine.errors import PlainRefusal
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change, amend, enact, repeal, transmute
from nomic_nb.engine.play.decisions import decisions, numbers_are_assigned
from nomic_nb.engine.play.declarations import ACTIONS, EXAMPLE_CHANGE, HOST_ACTIONS, ActionSpec
from nomic_nb.engine.play.dice import draw_faces
from nomic_nb.engine.play.loop import perform_step
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import step
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.play.ways import phrases_heard
from nomic_nb.study.views.course import goal_data

#: Actions that the search knows. Any other one that is open makes its claims undecided.
KNOWN_ACTIONS = frozenset({
    "begin_turn", "end_turn", "skip", "forfeit", "propose", "revise", "call_vote", "vote", "close_vote", "agree",
    "give", "roll", "seal", "reveal", "choose", "ask_again", "invoke_judgment", "rule_on", "overrule", "consent", "say",
    "act", "report", "apply", "define", "suggest_fix", "take", "move", "time", "overdue", "absent", "present",
})  # fmt: skip
#: What others do beside voting is the same for all of these.
OTHERS = ("against", "for", "silent", "absent", "worst")
#: What can be done at any time without a decision, and what nobody tries: it changes no law and no score.
UNHEARD = frozenset({"define", "suggest_fix", "ask_again"})
#: What rules can read of a change without seeing what it says.
PLAIN_FIELDS = frozenset({"kind", "tier", "standing", "adds", "parts", "together", "revises"})
#: Ways to answer a decision that are tried, and how far the numbers of proposals and other numbers lie apart.
MOST_WAYS, NUMBERS_AHEAD, NUMBERS = 60, (0, 200, 1_000), (0, 1, -1, 1_000)
#: Seeds that are tried for a roll, and texts that rules compare with what proposals say.
MOST_SEEDS, MOST_TEXTS = 5_000, 10
#: What a proposal says: `{me}` proposes it, `{c}` is the counter that wins.
TEMPLATES = (
    "set win.winners to [player_named({me})]\nprevails over everything",
    "on enacted when rule == this: award 1000 {c} to player_named({me})",
    "on enacted when rule == this: award -1000 {c} to player_named({me})",
    "on turn_begun: award 100 {c} to player_named({me})",
    "on said: award 100 {c} to player_named({me})",
    "on defeated: award 1000 {c} to proponent",
    "set win.points to 0", "set win.points to -1000", "set win.points to 1000000",
    "set defeat.points to 1000", "set dissent.points to 1000",
    "set vote.electorate to [player_named({me})]", "set vote.quota to 1\nprevails over everything",
    "set vote.quota to 0", "set turn.sequence to [player_named({me})]", "set vote.duty to false",
    "forbid propose", "forbid vote", "forbid begin_turn",
    "on enacted when rule == this: eliminate each p in players where p != player_named({me})",
)  # fmt: skip
#: Settings whose rules are amended, repealed and transmuted.
SETTINGS = ("vote.quota", "vote.electorate", "win.winners", "may.propose")
#: What a Judge of ours orders beside an answer without orders.
ORDERS = ("end play", 'award 1000 {c} to "{me}"', "void rule_numbered({quota})", "void rule_numbered({win})")


@frozen
class Act:
    """Something that a player, or the host, does in a line of play.

    Parameters
    ----------
    player : str
        Who does it; empty for the host.
    action : str
        Name of the action.
    details : mapping
        Arguments of the action.
    is_deed : bool
        Whether it was chosen; otherwise it answers what play waits for.
    face : int or None
        What the dice show.
    """

    player: str
    action: str
    details: Mapping[str, Any]
    is_deed: bool = False
    face: int | None = None

    def seed(self, state: State) -> int | None:
        """Return a seed by which the game rolls this act’s face; 0 if the game does not roll, None if none is found."""
        if self.face is None or not state.find("dice.source").says("seeded"):
            return 0
        dice, sides = dice_of(state, self.player)
        return _seed_for(self.face, state.draws, dice, sides)

    def do(self, state: State) -> State:
        """Return the state after the act.

        Raises
        ------
        PlainRefusal
            The rules refuse it.
        """
        if self.action in HOST_ACTIONS:
            deed, details = HOST_ACTIONS[self.action], dict(self.details)
            deed.check_details(details)
            did = deed.name, deed.to_record(details)
            return perform_step(state, 0, did, lambda engine: deed.perform(engine, **details))[-1][1]
        return step(state, self.seed(state) or 0, self.player, self.action, self.details)


def dice_of(state: State, player: str) -> tuple[int, int]:
    """Return how many dice a player has to roll, and how many sides they have."""
    awaited = (one for one in state.waiting if one.action == "roll" and one.player in (None, player))
    rolled = next(awaited, None)
    return (rolled.dice, rolled.sides) if rolled is not None else (1, 6)


@lru_cache(maxsize=4_096)
def _seed_for(face: int, place: int, dice: int, sides: int) -> int | None:
    """Return the first seed by which dice show a sum; None if none of many does."""
    return next((seed for seed in range(MOST_SEEDS) if sum(draw_faces(seed, place, dice, sides)) == face), None)


class Table:
    """How everybody acts in a search, and what it leaves out.

    Parameters
    ----------
    who : sequence of str
        Players who look for a loophole together.
    others : str
        How all others vote.
    changes : sequence of Change
        Changes to propose beside the ones that the search makes.
    """

    def __init__(self, who: Sequence[str], others: str, changes: Sequence[Change] = ()) -> None:
        self.who, self.others, self.changes = tuple(who), others, tuple(changes)
        #: Reasons why the absence of a loophole would not be decided.
        self.reasons: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.moves: set[str] = set()
        #: Whether one of ours may leave the game for good; who is out of it neither wins nor gains.
        self.may_leave = len(self.who) > 1
        self._decisions: tuple[State | None, tuple[Decision, ...]] = (None, ())
        for name in ACTIONS.keys() - KNOWN_ACTIONS:
            self.note_unknown(name)

    def note(self, reason: str) -> None:
        """Note why the absence of a loophole would not be decided."""
        self.reasons[reason] += 1

    def note_unknown(self, action: str) -> None:
        """Note that the search does not know an action."""
        self.note(f"the search doesn’t know the action “{action}”")

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """Return the open decisions; note those of an unknown kind."""
        if self._decisions[0] is not state:
            self._decisions = state, decisions(state)
            for decision in self._decisions[1]:
                if decision.action not in KNOWN_ACTIONS:
                    self.note_unknown(decision.action)
                elif decision.action in ("seal", "reveal"):
                    self.note("what players seal was not tried")
        return self._decisions[1]

    def after(self, state: State, act: Act) -> State | None:
        """Return the state after an act; None if it is refused."""
        self.counts["steps"] += 1
        try:
            return act.do(state)
        except PlainRefusal:
            return None

    # ------------------------------------------------------------------------------------- what play waits for

    def reply(self, state: State) -> tuple[Act, State] | None:
        """Return the act that play waits for first and the state after it; None if somebody has to choose a deed."""
        if state.over:
            return None
        if state.questions and not state.questions[0].asks_for_consent:
            self.note("a line ends in a question to the players")
            return None
        awaited = [one for one in self.decisions(state) if self._votes(state, one)]
        awaited += [one for one in self.decisions(state) if one.must and one not in awaited]
        own = [one for one in awaited if one.player in self.who and one.action in ("propose", "begin_turn")]
        awaited.sort(key=lambda one: one.player not in self.who or one.action != "begin_turn")
        open_to_others = False
        for decision in awaited:
            if decision.action in ("propose", "begin_turn") and own and decision.player not in self.who:
                continue
            if decision.action == "vote" and decision.player not in self.who and self.others == "silent":
                open_to_others = True
                continue
            act = self.answer(state, decision)
            after = self.after(state, act) if act is not None else None
            if act is not None and after is not None:
                return act, after
            if act is not None:
                self.note(f"an answer to “{decision.action}” was refused")
        if not own and not open_to_others and not awaited:
            self.note("a line ends where nobody has to do anything")
        elif not own and not open_to_others:
            self.note(f"nobody answered “{awaited[0].action}”")
        return None

    def _votes(self, state: State, decision: Decision) -> bool:
        """Tell whether others cast a first ballot by a decision, though they need not."""
        if decision.action != "vote" or decision.player in self.who or self.others == "silent":
            return False
        proposal = state.proposal_numbered(decision.proposal)
        vote = proposal.vote if proposal is not None else None
        return not decision.must and vote is not None and decision.player not in vote.ballots

    def answer(self, state: State, decision: Decision) -> Act | None:
        """Return the answer to a decision that costs no deed; None if the search does not know one."""
        name, mine = decision.player or self.who[0], decision.player in self.who
        if mine and state.players[name].absent:  # ours come back as soon as play waits for them
            return Act("", "present", {"who": name})
        match decision.action:
            case "propose" if mine:
                return None
            case "vote" if decision.proposal is not None:
                ours = state.proposals[decision.proposal].proponent in self.who
                ballot = ("for" if ours else "against") if mine else "for" if self.others == "for" else "against"
                if ballot not in decision.options:
                    return None
                return Act(name, "vote", {"ballot": ballot, "proposal": decision.proposal})
            case "overrule":
                ballot = "against" if mine or self.others == "for" else "for"
                return Act(name, "overrule", {"ballot": ballot, "judgment": decision.id})
            case "choose" if state.questions:
                if not mine and self.others in ("silent", "absent"):
                    return None
                option = "yes" if mine or self.others == "for" else "no"
                return (
                    Act(name, "choose", {"option": option, "decision": decision.id})
                    if option in decision.options
                    else None
                )
            case "roll":
                dice, sides = dice_of(state, name)
                return self.rolled(state, name, dice if mine else dice * sides)
            case "present" if not mine:
                self.note(f"a line waits for {name} to come back")
                return None
            case "seal" | "reveal":
                return None
            case action if action not in KNOWN_ACTIONS:
                return None
        if decision.action in HOST_ACTIONS:
            name = ""
        return next((Act(name, decision.action, way) for way in decision.ways(1)), None)

    def rolled(self, state: State, name: str, face: int) -> Act | None:
        """Return the act of rolling a face; None if the game’s dice cannot be made to show it."""
        value = {} if state.find("dice.source").says("seeded") else {"value": face}
        act = Act(name, "roll", value, face=face)
        if act.seed(state) is None:
            self.note("some rolls could not be tried")
            return None
        return act

    def variants(self, state: State, act: Act) -> list[Act]:
        """Return all ways in which chance, or others at their worst, could answer instead of `act`, itself included."""
        if act.action == "roll":
            dice, sides = dice_of(state, act.player)
            rolls = (self.rolled(state, act.player, face) for face in range(dice, dice * sides + 1))
            return [roll for roll in rolls if roll is not None]
        if self.others == "worst" and act.action == "vote" and act.player not in self.who:
            ballots = ("for", "against")
            return [Act(act.player, "vote", {**act.details, "ballot": ballot}) for ballot in ballots]
        return [act]

    # ------------------------------------------------------------------------------------------------- deeds

    def deeds(self, state: State) -> Iterator[Act]:
        """Yield what ours may choose to do in a state; rules may refuse some of it."""
        if state.over or state.questions:
            return
        for decision in self.decisions(state):
            name = decision.player or self.who[0]
            if name not in self.who or decision.action in ("roll", "seal", "reveal") or decision.action in HOST_ACTIONS:
                continue
            if decision.action not in KNOWN_ACTIONS:
                continue
            for details in self._ways(state, decision, name):
                yield Act(name, decision.action, details, is_deed=True)
        for name in self.who:
            for deed in ACTIONS.values():
                if deed.heard and deed.name not in UNHEARD:
                    yield from self._heard(state, name, deed)
            if name in state.players and not state.players[name].absent:
                yield Act("", "absent", {"who": name}, is_deed=True)
            if self.may_leave:
                yield Act(name, "forfeit", {}, is_deed=True)
            if state.find("judge.candidates").outcome != "silent" and not state.docket:
                yield Act(name, "invoke_judgment", {"question": "Is it so?"}, is_deed=True)

    def _ways(self, state: State, decision: Decision, name: str) -> Iterator[Mapping[str, Any]]:
        """Yield details by which one of ours can answer a decision."""
        ways = decision.ways(MOST_WAYS + 1)
        if decision.action == "revise" and decision.proposal is not None:
            yield from ({"change": change, "proposal": decision.proposal} for change in self._changes(state, name))
            return
        if decision.action == "propose":
            fixed = {key: value for key, value in ways[0].items() if key != "change"}
            for change in self._changes(state, name):
                if not numbers_are_assigned(state):
                    yield {"change": change}
                else:
                    self.note("only some numbers of proposals were tried")
                    yield from ({"change": change, "number": fixed["number"] + ahead} for ahead in NUMBERS_AHEAD)
            yield {"change": EXAMPLE_CHANGE, **fixed, "debate": True}
            return
        if len(ways) > MOST_WAYS:
            self.note(f"only {MOST_WAYS} answers to “{decision.action}” were tried")
        if decision.takes:
            self.note("only some numbers or texts were tried")
        yield from islice(ways, MOST_WAYS)
        if decision.takes == "number":
            yield from ({**ways[0], "option": number} for number in NUMBERS)
        if decision.action == "rule_on" and not decision.options:
            yield from ({**ways[0], "orders": order} for order in self._orders(state, name))

    def _orders(self, state: State, name: str) -> Iterator[str]:
        """Yield what one of ours orders as Judge."""
        goal, quota = goal_data(state), state.find("vote.quota").rule
        values = {"c": goal["counter"] if goal else "points", "me": name, "quota": quota, "win": goal and goal["rule"]}
        yield from (order.format_map(values) for order in ORDERS)

    def _changes(self, state: State, name: str) -> Iterator[Change]:
        """Yield what one of ours proposes."""
        yield EXAMPLE_CHANGE
        yield from self.changes
        for text in islice(dict.fromkeys(self._texts_of_changes(state)), MOST_TEXTS):
            yield from (enact("A template.", title=text), enact(text))
        goal = goal_data(state)
        values = {"c": goal["counter"] if goal else "points", "me": f'"{name}"'}
        for law in TEMPLATES:
            if goal or ("{c}" not in law and ".points" not in law):
                yield enact("A template.", law.format_map(values))
        rules = {finding.rule for finding in map(state.find, SETTINGS)} | {goal["rule"] if goal else None}
        for number in sorted((rule.number for rule in state.rules if rule.number in rules), key=str):
            yield from (repeal(number), transmute(number), amend(number, law="set vote.quota to 1"))

    def _texts_of_changes(self, state: State) -> Iterator[str]:
        """Yield texts with which rules compare what proposals say; note that other texts may do, too."""
        fields = {name for kind, name in state.law.vocabulary.fields if kind == "change"} - PLAIN_FIELDS
        for expression in dict.fromkeys(one for clause in state.law.acting_clauses for one in clause.expressions):
            if fields.intersection(re.findall(r"change\.([a-z_]+)", expression.text)):
                self.note("only some wordings of proposals were tried")
                yield from (text for text in expression.constants() if isinstance(text, str) and text.strip())

    def _heard(self, state: State, name: str, deed: ActionSpec) -> Iterator[Act]:
        """Yield forms of an act that rules listen for or permit."""
        sources = state.law.triggers.get(deed.makes, ())
        if not sources and not (deed.takes_leave and state.law.numbers_of_rules_about(f"may.{deed.name}")):
            return
        conditions = [expression for source in sources for expression in source.clause.asked]
        if any(deed.heard in one.names and not [*one.constants()] for one in conditions):
            self.note(f"only some forms of “{deed.name}” were tried")
        for at, details in enumerate(deed.possible_details(state, name, phrases_heard(state, deed))):
            if at == MOST_WAYS:
                self.note(f"only {MOST_WAYS} forms of “{deed.name}” were tried")
                return
            yield Act(name, deed.name, details, is_deed=True)
