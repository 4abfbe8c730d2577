"""What a search lets players do: the answers that play waits for, and the deeds that somebody may choose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.legal import move_options
from nomic_nb.engine.errors import PlainRefusal
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change, amend, enact, repeal, transmute
from nomic_nb.engine.law.clauses import Clause
from nomic_nb.engine.law.nodes import Expression
from nomic_nb.engine.law.rules import Number, RuleBook
from nomic_nb.engine.law.values import NUMBER, TEXT
from nomic_nb.engine.play.decisions import decisions, numbers_are_assigned
from nomic_nb.engine.play.declarations import ACTIONS, EXAMPLE_CHANGE, HOST_ACTIONS, ActionSpec
from nomic_nb.engine.play.loop import perform_step
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import step
from nomic_nb.engine.play.values import Decision, PlayerNote, Proposal
from nomic_nb.study.views.course import goal_data
from nomic_nb.study.what_if import dice_to_roll, find_seed

#: Actions that the search knows. Any other one that is open makes its claims undecided.
KNOWN_ACTIONS = frozenset({
    "begin_turn", "end_turn", "skip", "forfeit", "propose", "revise", "call_vote", "vote", "close_vote", "agree",
    "withdraw", "vote_for_other", "give", "roll", "seal", "reveal", "choose", "ask_again", "invoke_judgment",
    "rule_on", "overrule", "consent", "say", "act", "report", "apply", "define", "suggest_fix", "take", "move", "time",
    "overdue", "absent", "present",
})  # fmt: skip
#: The deed of not voting as long as play can go on without this ballot. Only the search knows of it, by a note.
WITHHOLD = "withhold"
#: What others do beside voting is the same for all of these.
OTHERS = ("against", "for", "silent", "absent", "worst")
#: What the proposals that are tried vary of a change and of its rule, and kinds of change that nobody tries.
VARIED, UNTRIED_KINDS = frozenset({"change.kind", "change.tier", "target.tier"}), frozenset({"together", "revise"})
#: Words by which rules look at time.
TIMES = re.compile(r"\b(now|day_begun|hours?|days?|weeks?)\b")
#: Ways to answer a decision that are tried, and how far the numbers of proposals and other numbers lie apart.
MOST_WAYS, NUMBERS_AHEAD, NUMBERS = 60, (0, 200, 1_000), (0, 1, -1, 1_000)
#: Texts that are tried of those that rules compare with what proposals say.
MOST_TEXTS = 10
#: A gain for whoever changes a rule, and what else a proposal says: `{me}` proposes it, `{c}` is the counter that wins.
GAIN = "".join(
    f"on {event} when rule == this: award 1000 {{c}} to player_named({{me}})\n" for event in ("enacted", "amended")
)
TEMPLATES = (
    "set win.winners to [player_named({me})]\nprevails over everything",
    GAIN,
    "on enacted when rule == this: award -1000 {c} to player_named({me})",
    "on turn_begun: award 100 {c} to player_named({me})",
    "on said: award 100 {c} to player_named({me})",
    "on defeated: award 1000 {c} to proponent",
    "set win.points to 0", "set win.points to -1000", "set win.points to 1000000",
    "set defeat.points to 1000", "set dissent.points to 1000",
    "set vote.electorate to [player_named({me})]", "set vote.quota to 1\nprevails over everything",
    "set vote.quota to 0", "set turn.sequence to [player_named({me})]", "set vote.duty to false",
    "forbid propose", "forbid vote", "forbid begin_turn",
    "on enacted when rule == this: eliminate [p for p in playing if p != player_named({me})]",
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
        return find_seed(self.face, state.draws, *dice_to_roll(state, self.player))

    def do(self, state: State) -> State:
        """Return the state after the act.

        Raises
        ------
        PlainRefusal
            The rules refuse it.
        """
        if self.action == WITHHOLD:
            note = PlayerNote(WITHHOLD, str(self.details["proposal"]), "", self.player)
            return state.replace(notes=(*state.notes, note))
        if self.action in HOST_ACTIONS:
            deed, details = HOST_ACTIONS[self.action], dict(self.details)
            deed.check_details(details)
            did = deed.name, deed.to_record(details)
            return perform_step(state, 0, did, lambda engine: deed.perform(engine, **details))[-1][1]
        return step(state, self.seed(state) or 0, self.player, self.action, self.details)


def is_left_to_chance(state: State, act: Act, after: State) -> bool:
    """Tell whether the game drew more than the roll that an act chose."""
    return after.draws - state.draws > (act.action == "roll" and "value" not in act.details)


class Veiled(Change):
    """A change that represents several ones until something asks for what they do not share, which it notes.

    Parameters
    ----------
    forms : sequence of (Act, Proposal)
        How each of them is proposed, and the proposal that this makes.
    asked : set of Veiled
        Where it adds itself when something asks.
    """

    __slots__ = ("_asked", "_hidden", "forms")  # apart from its fields, which it writes as data
    forms: Sequence[tuple[Act, Proposal]]

    def __init__(self, forms: Sequence[tuple[Act, Proposal]], asked: set[Veiled]) -> None:
        first, *others = [vars(made.change) for _, made in forms]
        hidden = {name for name in first if any(other[name] != first[name] for other in others)} | {"__dict__"}
        for name, value in {**first, "forms": forms, "_asked": asked, "_hidden": hidden}.items():
            object.__setattr__(self, name, value)

    def __getattribute__(self, name: str) -> Any:
        own = object.__getattribute__
        if name in own(self, "_hidden"):
            own(self, "_asked").add(self)
        return own(self, name)

    @property
    def headline(self) -> str:
        """The headline of one of them; only people read it."""
        return self.forms[0][1].change.headline

    def __eq__(self, other: object) -> bool:
        self._asked.add(self)
        return self is other or self.forms[0][1].change == other

    __hash__ = object.__hash__


def is_withheld(state: State, decision: Decision) -> bool:
    """Tell whether a decision is to cast a ballot that one of ours withholds."""
    note = PlayerNote(WITHHOLD, str(decision.proposal), "", decision.player or "")
    return decision.action == "vote" and note in state.notes


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
        #: Changes of which something asked for more than what they share.
        self.asked: set[Veiled] = set()
        self._decisions: tuple[State | None, tuple[Decision, ...]] = (None, ())
        self._asked: dict[int, tuple[RuleBook, tuple[str, ...], frozenset[Number]]] = {}
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
            after = act.do(state)
        except PlainRefusal as refusal:
            if refusal.code == "kit-fails":
                self.note("nomic_nb itself failed at an act")
            return None
        if is_left_to_chance(state, act, after):
            self.note("the game itself rolls dice, and only one outcome was tried")
        if after.rules is not state.rules and self._is_ours_adopted(state, after):
            self.note("only some of the changes that could pass were tried")
        return after

    def _is_ours_adopted(self, state: State, after: State) -> bool:
        """Tell whether a proposal of ours was adopted between two states."""
        adopted = (one for one in after.proposals.values() if one.status == "adopted" and one.proponent in self.who)
        return any(state.proposals.get(one.number) != one for one in adopted)

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
        awaited.sort(
            key=lambda one: (is_withheld(state, one), one.player not in self.who or one.action != "begin_turn")
        )
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
                dice, sides = dice_to_roll(state, name)
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
            dice, sides = dice_to_roll(state, act.player)
            rolls = (self.rolled(state, act.player, face) for face in range(dice, dice * sides + 1))
            return [roll for roll in rolls if roll is not None]
        chosen = (act.action == "choose" and not state.questions) or (self.others == "worst" and act.action == "vote")
        if not chosen or act.player in self.who:
            return [act]
        about = act.details.get("proposal")
        same = (one for one in self.decisions(state) if (one.player, one.action) == (act.player, act.action))
        decision = next(one for one in same if about in (None, one.proposal))
        return [Act(act.player, act.action, way) for way in decision.ways(MOST_WAYS)]

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
            others = (one for one in self.decisions(state) if one.player != name and (one.must or one.action == "vote"))
            if decision.action == "vote" and decision.must and any(others) and not is_withheld(state, decision):
                yield Act(name, WITHHOLD, {"proposal": decision.proposal}, is_deed=True)
        if state.law.triggers.get("balloted"):
            self.note("only some orders of ballots were tried")
        if state.law.clauses_about("proposal.owed"):
            self.note("only proposals that are due were tried")
        for name in self.who:
            for deed in ACTIONS.values():
                if deed.heard:
                    yield from self._heard(state, name, deed)
            yield Act("", "present" if state.players[name].absent else "absent", {"who": name}, is_deed=True)
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
            self.note("only some orders of a Judge were tried")
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
        texts, asked = self._asked_of_changes(state)
        goal = goal_data(state)
        values = {"c": goal["counter"] if goal else "points", "me": f'"{name}"'}
        gain = GAIN.format_map(values) if goal else ""
        for text in texts[:MOST_TEXTS]:
            yield from (enact("A template.", title=text), enact(text), enact(f"A template: {text}", gain, text))
        for law in TEMPLATES:
            if goal or ("{c}" not in law and ".points" not in law):
                yield enact("A template.", law.format_map(values))
        rules = {finding.rule for finding in map(state.find, SETTINGS)} | {goal["rule"] if goal else None} | asked
        for number in sorted((rule.number for rule in state.rules if rule.number in rules), key=str):
            yield from (repeal(number), transmute(number), amend(number, law="set vote.quota to 1"))
            yield amend(number, law=gain)

    def _asked_of_changes(self, state: State) -> tuple[tuple[str, ...], frozenset[Number]]:
        """Return texts that clauses ask proposals for, and numbers of rules that they must be about.

        What else clauses can tell proposals, or moments, apart by is noted.
        """
        book = state.rules
        if id(book) not in self._asked:
            texts, rules = dict[str, None](), set[Number]()
            for rule in book.in_force:
                for clause in (two for one in rule.clauses for two in one.with_inner_clauses):
                    words = {word for expression in clause.expressions for word in expression.words}
                    about = {word for word in words if word.startswith("change.")} - VARIED
                    if about or ("change.kind" in words and UNTRIED_KINDS.intersection(clause.constant_texts())):
                        self.note("only some wordings of proposals were tried")
                        if "not " in clause.words or not clause.words.startswith("forbid "):  # a ban asks for no text
                            texts |= dict.fromkeys(text for one in clause.expressions for text in _texts_asked_for(one))
                    if "targets" in words or any(word.startswith("target.") for word in words - VARIED):
                        self.note("only changes of some rules were tried")
                    if "target" in words:
                        called = (number for call in clause.calls("rule_numbered") for number in call.constants())
                        rules |= {number for number in called if isinstance(number, (int, str))}
                        rules |= {rule.number} if "this" in clause.names else set()
                    if TIMES.search(clause.words):
                        self.note("time that passes was not tried")
            self._asked[id(book)] = book, tuple(texts), frozenset(rules)
        return self._asked[id(book)][1:]

    def _heard(self, state: State, name: str, deed: ActionSpec) -> Iterator[Act]:
        """Yield forms of an act that rules listen for or permit."""
        law = state.law
        sources = (*law.triggers.get(deed.makes, ()), *law.replacements.get(deed.makes, ()))
        if not sources and not (deed.takes_leave and law.numbers_of_rules_about(f"may.{deed.name}")):
            return
        sources = (*sources, *law.clauses_about(f"may.{deed.name}"))
        free = {name for name, type in deed.binds.items() if type in (TEXT, NUMBER)}
        if any(_is_used_freely(source.clause, free) for source in sources):
            self.note(f"only some forms of “{deed.name}” were tried")
        known = [value for source in sources for value in source.clause.constants()]
        known += [one + by for one in known if type(one) is int for by in (1, -1)]  # what is more or less than it, too
        for at, details in enumerate(deed.possible_details(state, name, list(dict.fromkeys([*known, "…"])))):
            if at == MOST_WAYS:
                self.note(f"only {MOST_WAYS} forms of “{deed.name}” were tried")
                return
            yield Act(name, deed.name, details, is_deed=True)


def kinds_of_moves(state: State) -> dict[str, object]:
    """Return what each move on boards shares with moves that do the same to others, with a piece of the same kind."""
    pieces, kinds = multiverse_of(state).pieces, dict[str, object]()
    for option in move_options(state):
        if (made := option.move) is not None:
            moved = (piece.kind, piece.royal) if (piece := pieces.get(made.piece)) is not None else made.piece
            kinds[str(option)] = moved, made.army, made.push, made.promotion, made.taken, made.dropped
    return kinds


def _texts_asked_for(expression: Expression) -> Iterator[str]:
    """Yield texts that an expression compares with a title or a wording, or looks for in them."""
    if not expression.words & {"change.title", "change.wording", "change.mentions"}:
        return
    told = [node for call in expression.calls("because", "for_people") for node in call.walk()]
    told += [
        node
        for one, other in expression.compared_pairs()
        if {"title", "wording"}.isdisjoint(part.text for part in one.walk())
        for node in other.walk()
    ]
    for node in expression.walk():
        if node.is_constant and isinstance(node.value, str) and node.value.strip() and node not in told:
            yield node.value


def _is_used_freely(clause: Clause, names: set[str]) -> bool:
    """Tell whether a clause does more with these names than to compare them with constants."""
    compared = 0
    for node in clause.walk():
        if node.comparison:
            left, right = node.parts
            other = right if left.name in names else left if right.name in names and node.comparison != "in" else node
            compared += all(item.is_constant for item in other.list_items_or_self)
    return sum(node.name in names for node in clause.walk()) > compared
