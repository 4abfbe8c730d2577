"""Games that nobody plays: players pick at random among their decisions, and propose what the library has.

They are there to find rules under which play breaks down; nothing is learnt from them about good play.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.games import begin
from nomic_nb.engine.law.changes import Change, amend, enact, repeal, transmute
from nomic_nb.engine.law.faults import KitFault
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.declarations import ACTIONS as DEEDS
from nomic_nb.engine.play.declarations import HOST_ACTIONS
from nomic_nb.engine.play.dice import SealOpening, commitment_hash
from nomic_nb.engine.play.facts import option_in_words
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.play.waiting import open_rounds
from nomic_nb.engine.rulesets.literate import RuleSet, find_ruleset, read_ruleset
from nomic_nb.engine.subjects.sealed_values import owed_round
from nomic_nb.study import library
from nomic_nb.study.library import LibraryRule
from nomic_nb.study.rounds import unrevealed_round
from nomic_nb.study.views import LawBook

#: Turns after which a game is left unfinished.
MOST_TURNS = 200
#: Actions in one turn after which a game is held to hang.
MOST_ACTIONS = 1_500
#: Answers that are waited for at once, from which on nothing more is begun.
MOST_PROPOSALS = 3
#: What a ready-made rule wants said before a move; or moves are taken back and made again forever.
EXAMPLE_SPEECH = "I like manicotti"
#: Tries at a proposal that the law takes.
MOST_TRIES = 40


class BrokenGame(Exception):  # noqa: N818 - a finding, not a fault of the caller
    """A game in which something went wrong.

    Parameters
    ----------
    timeline : Timeline
        The game as it was.
    what : str
        What went wrong.
    """

    def __init__(self, timeline: Timeline, what: str) -> None:
        self.timeline, self.what = timeline, what
        super().__init__(what)


@cache
def ready_made_rules(*, boards: bool) -> tuple[LibraryRule, ...]:
    """Return the ready-made rules with default values, in order of name; those for boards only if `boards`.

    Parameters
    ----------
    boards : bool
        With those that are for games with boards only.
    """
    found = sorted(library.catalogue, key=lambda entry: entry.name)
    return tuple(entry.rule for entry in found if boards or not entry.on_boards)


def random_change(timeline: Timeline, dice: random.Random) -> Change:
    """Return a random rule change to propose: a ready-made rule, or a change of a rule in force.

    Parameters
    ----------
    timeline : Timeline
        The game in which it would be proposed; it is not touched.
    dice : random.Random
        Chooses.
    """
    change = _random_change_of_rule(timeline, dice)
    position = timeline.state.position
    universes = [name for name, board in position.boards.items() if not board.half] if position is not None else []
    if universes and change.kind in ("enact", "repeal") and dice.random() < 0.4:
        return replace(change, universe=dice.choice(universes))
    return change


def _rules_in_order(timeline: Timeline) -> list[Rule]:
    """Return the rules in force in the order of the law book."""
    return list(LawBook(timeline, timeline.state))


def _random_change_of_rule(timeline: Timeline, dice: random.Random) -> Change:
    """Return a random rule change: enact a rule, or amend, repeal or transmute one in force."""
    numbers = [rule.number for rule in _rules_in_order(timeline)]
    number = dice.choice(numbers)
    rule = dice.choice(ready_made_rules(boards=timeline.state.position is not None))
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


def read_rules(rules: str | Path) -> RuleSet:
    """Return a rule set by name, or from the path or the text of a rule file.

    Raises
    ------
    LawError
        There is none, or it cannot be read.
    """
    text = str(rules)
    return read_ruleset(text, language()) if "\n" in text else find_ruleset(text, language())


def play_out(
    ruleset: str,
    players: list[str],
    seed: int,
    turns: int = MOST_TURNS,
    wishing: Callable[[Timeline, random.Random], Change] = random_change,
) -> Playout:
    """Play and return a random game, until somebody wins or `turns` are over; `wishing` makes the changes to propose.

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
    BrokenGame
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
        fault = find_misplaced_pieces(timeline.state)
        if fault:
            raise BrokenGame(timeline, fault)
    return playout


def find_misplaced_pieces(state: State) -> str:
    """Return a sentence on pieces that are lost or share a square; empty if all is well."""
    position = state.position
    if position is None:
        return ""
    squares = Counter(piece.place for piece in position.pieces.values())
    twice = [place for place, count in squares.items() if count > 1]
    if twice:
        return f"two pieces stand on {twice[0]}"
    known = set(position.pieces) | set(state.gone)
    if set(position.pieces) & set(state.gone) or known != set(range(1, position.next_id)):
        return "a piece is lost, or stands on a board and is gone as well"
    return ""


def act_at_random(playout: Playout, dice: random.Random) -> None:
    """Do one random action that some player must or may do now; raise `BrokenGame` if play cannot go on.

    Raises
    ------
    BrokenGame
        Nobody has anything to decide, or nothing that is open can be done.
    """
    timeline = playout.timeline
    if dice.random() < 0.03 and _do_random_free_action(playout, dice):
        return
    pending = decisions(timeline.state)
    must = [candidate for candidate in pending if candidate.must]
    if not must:
        raise BrokenGame(timeline, "nobody has anything that they must decide, and the game is not over")
    first = dice.random() < 0.5 or len(timeline.state.waiting) > MOST_PROPOSALS
    decision = dice.choice(must if first else pending)
    if not _answer_decision(playout, decision, dice):
        others = [candidate for candidate in pending if candidate is not decision]
        if not any(_answer_decision(playout, other, dice) for other in others):
            raise BrokenGame(timeline, f"no proposal is taken, and nothing else can be done: {decision}")


def _answer_decision(playout: Playout, decision: Decision, dice: random.Random) -> bool:
    """Answer a decision with a random action; return False if the law refused all that were tried."""
    timeline = playout.timeline
    player = decision.player or dice.choice(timeline.state.present_names)
    if decision.action in HOST_ACTIONS:
        timeline.do_as_host(decision.action, {"now": decision.options[-1]} if decision.options else {"who": player})
        playout.deeds[decision.action] += 1
        return True
    minded = decision.action in ("move", "choose") and any(
        EXAMPLE_SPEECH in rule.law for rule in _rules_in_order(timeline)
    )
    has_spoken = minded and dice.random() < 0.7 and _try_action(playout, player, "say", {"text": EXAMPLE_SPEECH})
    if has_spoken and decision not in decisions(timeline.state):  # what was said has set off something that comes first
        return True
    for details in _possible_details(playout, player, decision, dice):
        try:
            timeline.do(player, decision.action, details)
        except (IllegalAction, LawError) as error:
            _raise_if_kit_failed(timeline, error)
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
    """Yield random arguments, as dicts to be tried in turn, for the action that answers a player's decision."""
    timeline, deed = playout.timeline, DEEDS[decision.action]
    match decision.action:
        case "propose":
            for _ in range(MOST_TRIES):
                yield {
                    "change": playout.wishing(timeline, dice),
                    "number": _random_proposal_number(timeline, dice),
                    "debate": dice.random() < 0.1,
                }
            for rule in _rules_in_order(timeline):  # where nothing new is taken, what was made may still be repealed
                if rule.how != "initial":
                    yield {
                        "change": repeal(rule.number),
                        "number": _random_proposal_number(timeline, dice),
                        "debate": False,
                    }
            tried = (
                event
                for event in timeline.events
                if event.kind == "attempted" and event.do == "propose" and event.actor == player
            )
            yield from (
                deed.from_record(event.details) for event in tried if event.turn == timeline.state.turn
            )  # it may have been allowed since
        case "revise":
            for _ in range(MOST_TRIES):
                yield {"change": playout.wishing(timeline, dice), "proposal": decision.proposal}
        case "call_vote" | "close_vote" | "withdraw":
            yield {"proposal": decision.proposal}
        case "move":
            if decision.options:
                yield {"text": dice.choice(decision.options)}
        case "take":
            yield {"text": decision.options[0], "rule": decision.rule}
        case "vote":
            proposal = timeline.state.proposal_numbered(decision.proposal)
            cast = proposal.vote.ballots.get(player) if proposal is not None and proposal.vote is not None else None
            other = [option for option in decision.options if option not in ("for", cast)]
            yes = "for" in decision.options and cast != "for" and (dice.random() < 0.8 or not other)
            yield {"ballot": "for" if yes else dice.choice(other), "proposal": decision.proposal}
        case "vote_for_other":
            yield {"ballot": dice.choice(decision.options), "proposal": decision.proposal}
        case "agree":
            yield {"answer": dice.choice(decision.options), "proposal": decision.proposal}
        case "roll":
            waiting = next(
                awaited
                for awaited in timeline.state.waiting
                if awaited.action == "roll" and awaited.player in (player, None)
            )
            by_hand = timeline.state.find("dice.source").value == "table"
            yield {"value": dice.randint(waiting.dice, waiting.dice * waiting.sides) if by_hand else None}
        case "choose":
            yield from _possible_answers(timeline, decision, dice)
        case "rule_on":
            rulings: list[object] = [dice.choice(["It is so.", "It is not so."])]
            if timeline.state.judgment_of_question is not None:
                rulings = [possible_answer["option"] for possible_answer in _possible_answers(timeline, decision, dice)]
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
            option_details = deed.parse_line(dice.choice(decision.options)) if decision.options else {}
            ways = list(deed.possible_details(timeline.state, player, ("please", "I like spaghetti", "so be it")))
            yield from ({**details, **option_details} for details in dice.sample(ways, len(ways)))
        case _:
            yield {}


def _seal_value(timeline: Timeline, player: str, dice: random.Random) -> str:
    """Seal a random value for a player and return its commitment hash; the timeline keeps the value."""
    sealing = owed_round(timeline.state, player, "seal")
    asked = next((waiting for waiting, round in open_rounds(timeline.state) if round is sealing), None)
    options = [option_in_words(timeline.state, option) for option in asked.options] if asked is not None else []
    value = dice.choice(options) if options else str(dice.randrange(100))
    opening = SealOpening(value, f"{dice.getrandbits(256):064x}")
    commitment_text = commitment_hash(
        timeline.state.game, sealing.number if sealing is not None else 0, player, opening
    )
    timeline.kept[commitment_text] = opening
    return commitment_text


def _random_proposal_number(timeline: Timeline, dice: random.Random) -> int | None:
    """Return a random number not yet taken by a proposal; None if players do not choose the numbers."""
    if timeline.state.find("proposal.numbering").value != "assigned":
        return None
    taken = [proposal for proposal in timeline.state.proposals if isinstance(proposal, int)]
    return max([0, *taken]) + dice.choice([1, 1, 1, 2, 5])


def _possible_answers(timeline: Timeline, decision: Decision, dice: random.Random) -> Iterator[dict[str, object]]:
    """Yield random arguments that answer a question, as dicts to be tried in turn; the same for all players asked."""
    if decision.id is not None:
        dice = random.Random(f"{timeline.setting.seed} {decision.id}")  # noqa: S311 - no secret depends on it
    if decision.options:
        option = dice.choice(decision.options)
        some = [other for other in decision.options if other == option or dice.random() < 0.3]
        yield {"option": some if decision.takes == "some" else option, "decision": decision.id}
        return
    name = dice.choice(timeline.state.present_names)
    wordings = ["we agree", "true", str(dice.randint(0, 9)), f'player_named("{name}")', f'[player_named("{name}")]']
    label = f'"X{decision.id}"' if "is taken" in decision.prompt else '"NW"'
    wordings += ['["proposal"]', '"mutable"', label, "none", "[]"]
    for wording in wordings:
        yield {"option": wording, "decision": decision.id}


def _random_orders(timeline: Timeline, dice: random.Random) -> str:
    """Return a random effect, as text in the law language, that a judge may order with a ruling; empty for no order."""
    name = dice.choice(timeline.state.names_of_players)
    weak, strong = (
        [rule.number for rule in _rules_in_order(timeline) if rule.tier == tier and isinstance(rule.number, int)]
        for tier in ("mutable", "immutable")
    )
    orders = ["", "", "", f'award 3 points to "{name}"', 'announce "So ordered."']
    if weak and strong:
        orders.append(f"void rule_numbered({dice.choice(weak)}) against rule_numbered({dice.choice(strong)})")
    if dice.random() < 0.05:
        orders.append("end play")
    order = dice.choice(orders)
    points = timeline.state.law.tables.get("points")
    return order if "points" not in order or (points is not None and points.keys == ("player",)) else ""


def _do_random_free_action(playout: Playout, dice: random.Random) -> bool:
    """Do a random action that no decision asks for, such as to speak; return True if the law allowed it."""
    timeline = playout.timeline
    player = dice.choice(timeline.state.present_names)
    other = dice.choice(timeline.state.names_of_players)
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
    """Let a player do an action that may be refused; return True if it was done, False if it was refused."""
    try:
        playout.timeline.do(player, action, details)
    except (IllegalAction, LawError) as error:
        _raise_if_kit_failed(playout.timeline, error)
        return False
    playout.deeds[action] += 1
    return True


def _raise_if_kit_failed(timeline: Timeline, error: Exception) -> None:
    """Raise `BrokenGame` if an action was refused because the kit itself failed, not the law."""
    if isinstance(error.__cause__, KitFault):
        raise BrokenGame(timeline, str(error)) from error
