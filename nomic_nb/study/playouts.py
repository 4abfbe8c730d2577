"""Games that nobody plays: players pick at random among their decisions, and propose what the library has.

They are there to find rules under which play breaks down; nothing is learnt from them about good play.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.games import begin
from nomic_nb.engine.law.changes import Change, amend, enact, repeal, transmute
from nomic_nb.engine.law.faults import KitFault
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.declarations import ACTIONS as DEEDS
from nomic_nb.engine.play.declarations import HOST_ACTIONS
from nomic_nb.engine.play.dice import SealOpening, commitment
from nomic_nb.engine.play.facts import option_in_words
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.play.waiting import open_rounds
from nomic_nb.engine.subjects.sealed_values import owed_round, unrevealed_round
from nomic_nb.study import library
from nomic_nb.study.library import LibraryRule
from nomic_nb.study.views import LawBook

#: Turns after which a game is left as it stands.
MOST_TURNS = 200
#: Actions in one turn after which a game is held to hang.
MOST_ACTIONS = 1_500
#: Answers that are waited for at once, from which on nothing more is begun.
MOST_PROPOSALS = 3
#: What a ready-made rule wants said before a move; or moves are taken back and made anew for ever.
EXAMPLE_SPEECH = "I like manicotti"
#: Tries at a proposal that the law takes.
MOST_TRIES = 40


class BrokenGame(Exception):  # noqa: N818 - a finding, not a fault of the caller
    """A game in which something went wrong.

    Parameters
    ----------
    timeline : Timeline
        The game as it stood.
    what : str
        What went wrong.
    """

    def __init__(self, timeline: Timeline, what: str) -> None:
        self.timeline, self.what = timeline, what
        super().__init__(what)


@cache
def ready_made_changes(*, boards: bool) -> tuple[LibraryRule, ...]:
    """Return the ready-made rules of the library as they are by themselves, by name.

    Parameters
    ----------
    boards : bool
        With those that are for games with boards only.
    """
    found = sorted(library.catalogue, key=lambda one: one.name)
    return tuple(one.rule for one in found if boards or not one.on_boards)


def random_change(timeline: Timeline, dice: random.Random) -> Change:
    """Return a change that somebody might propose: out of the library, or something done to a rule.

    Parameters
    ----------
    timeline : Timeline
        The game in which it would be proposed; it is not touched.
    dice : random.Random
        Chooses.
    """
    made = _random_change_of_rule(timeline, dice)
    position = timeline.state.position
    universes = [name for name, board in position.boards.items() if not board.half] if position is not None else []
    if universes and made.kind in ("enact", "repeal") and dice.random() < 0.4:
        return replace(made, universe=dice.choice(universes))
    return made


def _rules_in_order(timeline: Timeline) -> list[Rule]:
    """Return the rules in force in the order of the law book."""
    return list(LawBook(timeline, timeline.state))


def _random_change_of_rule(timeline: Timeline, dice: random.Random) -> Change:
    numbers = [rule.number for rule in _rules_in_order(timeline)]
    number = dice.choice(numbers)
    rule = dice.choice(ready_made_changes(boards=timeline.state.position is not None))
    kind = dice.random()
    if kind < 0.45:
        return rule.change()
    if kind < 0.6:
        return rule.change(number)
    if kind < 0.7:
        return rule.change(number, add=True)
    if kind < 0.78:
        return repeal(number)
    if kind < 0.86:
        return transmute(number)
    if kind < 0.92:
        return amend(number, "As the players understand it.", law="")
    return enact("Everyone is to be kind to everyone.")


@dataclass
class Playout:
    """What came of a game played at random.

    Parameters
    ----------
    timeline : Timeline
        The game as it ended, or was left.
    deeds : Counter of str
        How often each action was done.
    wishing : callable
        What players propose: takes the timeline and what chooses, and returns a change.
    """

    timeline: Timeline
    deeds: Counter[str] = field(default_factory=Counter)
    wishing: Callable[[Timeline, random.Random], Change] = random_change


def play_out(
    ruleset: str,
    players: list[str],
    seed: int,
    turns: int = MOST_TURNS,
    wishing: Callable[[Timeline, random.Random], Change] = random_change,
) -> Playout:
    """Play a game at random, to a winner or for so many turns.

    Parameters
    ----------
    ruleset : str
        Its name, or the path of a rule file.
    players : list of str
        Who plays.
    seed : int
        The same seed gives the same game.
    turns : int
        How many.
    wishing : callable
        What players propose: takes the timeline and what chooses, and returns a change; out of the library by default.

    Returns
    -------
    Playout

    Raises
    ------
    Broken
        An open decision is refused, nobody can go on, or the game does not move.

    Examples
    --------
    >>> done = play_out("discordian-nomic", ["Ann", "Ben"], seed=5, turns=4)
    >>> done.timeline.state.turn <= 5
    True
    """
    timeline = begin(ruleset, players, seed=seed)
    playout = Playout(timeline, wishing=wishing)
    dice = random.Random(seed)  # noqa: S311 - no secret depends on it
    turn, done = timeline.state.turn, 0
    while not timeline.state.over and timeline.state.turn <= turns:
        turn, done = timeline.state.turn, done + 1 if timeline.state.turn == turn else 0
        if done > MOST_ACTIONS:
            raise BrokenGame(timeline, "the game hangs: many actions, and turns do not go on")
        act_at_random(playout, dice)
        fault = misplaced_pieces(timeline.state)
        if fault:
            raise BrokenGame(timeline, fault)
    return playout


def misplaced_pieces(state: State) -> str:
    """Say which pieces are nowhere, or where two stand on one square; empty where all is well."""
    position = state.position
    if position is None:
        return ""
    squares = Counter((piece.board, piece.square) for piece in position.pieces.values())
    twice = [place for place, count in squares.items() if count > 1]
    if twice:
        return f"two pieces stand on {twice[0]}"
    known = set(position.pieces) | set(state.gone)
    if set(position.pieces) & set(state.gone) or known != set(range(1, position.next_id)):
        return "a piece is lost, or stands on a board and is gone as well"
    return ""


def act_at_random(playout: Playout, dice: random.Random) -> None:
    """Let somebody do something that they must decide, or may.

    Raises
    ------
    Broken
        Nobody has anything to decide, or nothing that is open can be done.
    """
    timeline = playout.timeline
    if dice.random() < 0.03 and _act_freely(playout, dice):
        return
    pending = decisions(timeline.state)
    must = [one for one in pending if one.must]
    if not must:
        raise BrokenGame(timeline, "nobody has anything that they must decide, and the game is not over")
    first = dice.random() < 0.5 or len(timeline.state.waiting) > MOST_PROPOSALS
    decision = dice.choice(must if first else pending)
    if not _answer_decision(playout, decision, dice):
        others = [one for one in pending if one is not decision]
        if not any(_answer_decision(playout, one, dice) for one in others):
            raise BrokenGame(timeline, f"no proposal is taken, and nothing else can be done: {decision}")


def _answer_decision(playout: Playout, decision: Decision, dice: random.Random) -> bool:
    """Answer a decision; tell whether it could be. Only a proposal may be refused."""
    timeline = playout.timeline
    player = decision.player or dice.choice(timeline.state.present)
    if decision.action in HOST_ACTIONS:
        timeline.host(decision.action, {"now": decision.options[-1]} if decision.options else {"who": player})
        playout.deeds[decision.action] += 1
        return True
    minded = decision.action in ("move", "choose") and any(
        EXAMPLE_SPEECH in one.law for one in _rules_in_order(timeline)
    )
    said = minded and dice.random() < 0.7 and _try_action(playout, player, "say", {"text": EXAMPLE_SPEECH})
    if said and decision not in decisions(timeline.state):  # what was said has set off something that comes first
        return True
    for details in _possible_details(playout, player, decision, dice):
        try:
            timeline.do(player, decision.action, details)
        except (IllegalAction, LawError) as error:
            _check_fault(timeline, error)
            if decision.action in ("propose", "revise"):
                continue
            if not decision.options and (decision.action in ("choose", "rule_on") or DEEDS[decision.action].heard):
                continue  # an answer in words of the law, of another type than this one; or done to oneself
            raise BrokenGame(timeline, f"{decision} is open and refused: {error}") from error
        playout.deeds[decision.action] += 1
        return True
    return False


def _possible_details(  # noqa: C901 - one branch an action
    playout: Playout, player: str, decision: Decision, dice: random.Random
) -> Iterator[dict[str, object]]:
    """Yield details with which a decision can be answered, for those that can be refused several."""
    timeline, deed = playout.timeline, DEEDS[decision.action]
    match decision.action:
        case "propose":
            for _ in range(MOST_TRIES):
                yield {
                    "change": playout.wishing(timeline, dice),
                    "number": _random_number(timeline, dice),
                    "debate": dice.random() < 0.1,
                }
            for rule in _rules_in_order(timeline):  # where nothing new is taken, what was made may still be repealed
                if rule.how != "initial":
                    yield {"change": repeal(rule.number), "number": _random_number(timeline, dice), "debate": False}
            tried = (
                one
                for one in timeline.events
                if one.kind == "attempted" and one.do == "propose" and one.actor == player
            )
            yield from (
                deed.read(one.details) for one in tried if one.turn == timeline.state.turn
            )  # it may have been allowed since
        case "revise":
            for _ in range(MOST_TRIES):
                yield {"change": playout.wishing(timeline, dice), "proposal": decision.proposal}
        case "call_vote" | "close_vote":
            yield {"proposal": decision.proposal}
        case "move":
            if decision.options:
                yield {"text": dice.choice(decision.options)}
        case "take":
            yield {"text": decision.options[0], "rule": decision.rule}
        case "vote":
            proposal = timeline.state.proposal_numbered(decision.proposal)
            cast = proposal.vote.ballots.get(player) if proposal is not None and proposal.vote is not None else None
            other = [one for one in decision.options if one not in ("for", cast)]
            yes = "for" in decision.options and cast != "for" and (dice.random() < 0.8 or not other)
            yield {"ballot": "for" if yes else dice.choice(other), "proposal": decision.proposal}
        case "agree":
            yield {"answer": dice.choice(decision.options), "proposal": decision.proposal}
        case "roll":
            waiting = next(
                one for one in timeline.state.waiting if one.action == "roll" and one.player in (player, None)
            )
            by_hand = timeline.state.find("dice.source").value == "table"
            yield {"value": dice.randint(waiting.dice, waiting.dice * waiting.sides) if by_hand else None}
        case "choose":
            yield from _possible_answers(timeline, decision, dice)
        case "rule_on":
            rulings: list[object] = [dice.choice(["It is so.", "It is not so."])]
            if timeline.state.held is not None:
                rulings = [one["option"] for one in _possible_answers(timeline, decision, dice)]
            for ruling in rulings:
                yield {
                    "ruling": ruling, "reasons": "By the spirit of the game.", "judgment": decision.id,
                    "rests_on": [dice.choice(_rules_in_order(timeline)).number], "orders": _random_orders(timeline,
                    dice),
                }  # fmt: skip
        case "overrule" | "consent":
            likely = 0.3 if decision.action == "overrule" else 0.9
            ballot = "for" if dice.random() < likely or "against" not in decision.options else "against"
            yield {"ballot": ballot, "judgment": decision.id}
        case "seal":
            yield {"commitment": _seal_value(timeline, player, dice)}
        case "reveal":
            sealed = unrevealed_round(timeline.state, player)
            opening = timeline.kept.get(sealed.seals[player]) if sealed is not None else None
            yield {"value": opening.value, "nonce": opening.nonce} if opening is not None else {}
        case _ if deed.heard:
            said = deed.from_line(dice.choice(decision.options)) if decision.options else {}
            ways = list(deed.ways(timeline.state, player, ("please", "I like spaghetti", "so be it")))
            yield from ({**one, **said} for one in dice.sample(ways, len(ways)))
        case _:
            yield {}


def _seal_value(timeline: Timeline, player: str, dice: random.Random) -> str:
    """Seal with a nonce that follows from the playout's own chance, so that it can be played again."""
    found = owed_round(timeline.state, player, "seal")
    asked = next((waiting for waiting, round in open_rounds(timeline.state) if round is found), None)
    options = [option_in_words(timeline.state, one) for one in asked.options] if asked is not None else []
    value = dice.choice(options) if options else str(dice.randrange(100))
    opening = SealOpening(value, f"{dice.getrandbits(256):064x}")
    made = commitment(timeline.state.game, found.number if found is not None else 0, player, opening)
    timeline.kept[made] = opening
    return made


def _random_number(timeline: Timeline, dice: random.Random) -> int | None:
    if timeline.state.find("proposal.numbering").value != "assigned":
        return None
    taken = [one for one in timeline.state.proposals if isinstance(one, int)]
    return max([0, *taken]) + dice.choice([1, 1, 1, 2, 5])


def _possible_answers(timeline: Timeline, decision: Decision, dice: random.Random) -> Iterator[dict[str, object]]:
    """Yield answers; to a question all say the same, so that it comes to an end."""
    if decision.id is not None:
        dice = random.Random(f"{timeline.setting.seed} {decision.id}")  # noqa: S311 - no secret depends on it
    if decision.options:
        option = dice.choice(decision.options)
        some = [one for one in decision.options if one == option or dice.random() < 0.3]
        yield {"option": some if decision.takes == "some" else option, "decision": decision.id}
        return
    name = dice.choice(timeline.state.present)
    wordings = ["we agree", "true", str(dice.randint(0, 9)), f'player_named("{name}")', f'[player_named("{name}")]']
    label = f'"X{decision.id}"' if "is taken" in decision.prompt else '"NW"'
    wordings += ['["proposal"]', '"mutable"', label, "none", "[]"]
    for wording in wordings:
        yield {"option": wording, "decision": decision.id}


def _random_orders(timeline: Timeline, dice: random.Random) -> str:
    name = dice.choice(timeline.state.playing)
    weak = [
        rule.number for rule in _rules_in_order(timeline) if rule.tier == "mutable" and isinstance(rule.number, int)
    ]
    strong = [
        rule.number for rule in _rules_in_order(timeline) if rule.tier == "immutable" and isinstance(rule.number, int)
    ]
    orders = ["", "", "", f'award 3 points to "{name}"', 'announce "So ordered."']
    if weak and strong:
        orders.append(f"void rule_numbered({dice.choice(weak)}) against rule_numbered({dice.choice(strong)})")
    if dice.random() < 0.05:
        orders.append("end play")
    order = dice.choice(orders)
    points = timeline.state.law.tables.get("points")
    return order if "points" not in order or (points is not None and points.keys == ("player",)) else ""


def _act_freely(playout: Playout, dice: random.Random) -> bool:
    """Do something that nobody waits for; tell whether it was allowed."""
    timeline = playout.timeline
    player = dice.choice(timeline.state.present)
    other = dice.choice(timeline.state.playing)
    deeds: list[tuple[str, dict[str, object]]] = [
        ("say", {"text": "I like spaghetti"}),
        ("act", {"text": "hums"}),
        ("report", {"who": other, "deed": dice.choice(["interrupting", "humming"])}),
        ("invoke_judgment", {"question": "Is this right?"}),
    ]
    if dice.random() < 0.02:
        deeds = [("forfeit", {})]
    action, details = dice.choice(deeds)
    return _try_action(playout, player, action, details)


def _try_action(playout: Playout, player: str, action: str, details: dict[str, object]) -> bool:
    """Do what may be refused; tell whether it was done."""
    try:
        playout.timeline.do(player, action, details)
    except (IllegalAction, LawError) as error:
        _check_fault(playout.timeline, error)
        return False
    playout.deeds[action] += 1
    return True


def _check_fault(timeline: Timeline, error: Exception) -> None:
    """Stop where something is refused because the kit itself fails at it."""
    if isinstance(error.__cause__, KitFault):
        raise BrokenGame(timeline, str(error)) from error
