"""Games in which players adopt random laws, do what is asked of them, and try what nobody asked."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from random_laws import checks
from random_laws.checks import Fault
from random_laws.laws import COUNTED, DEEDS, NAMES, PHRASES, random_law

import nomic_nb as nb
from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.play.calendar import format_minute, parse_minute
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.dice import SealOpening, commitment_hash
from nomic_nb.engine.play.tables import player_counters
from nomic_nb.engine.subjects.sealed_values import owed_round

SYSTEMS = ("discordian-nomic", "github-nomic", "cabinet-nomic", "nomic-chess")
#: Actions in one turn after which nobody is held to get anywhere.
MOST = 150
NONCE = "ab" * 32


@dataclass
class Playing:
    """One game. With `laws`, these are proposed, one after the other, and nothing but notes behind them."""

    system: str
    seed: int
    laws: list | None = None
    players: int = 3
    turns: int = 7
    #: Beside a game in which everybody only does what is asked.
    unruly: bool = True
    adopted: list = field(default_factory=list)
    #: What was done, as a program.
    script: list = field(default_factory=list)

    def __post_init__(self):
        self.dice = random.Random(f"{self.system} {self.seed}")
        self.game = nb.new_game(self.system, players=list(NAMES[: self.players]), seed=self.seed)
        self.timeline = self.game.timeline
        self.plan = [nb.enact("We count.", law=COUNTED)] if self.laws is None else list(self.laws)
        self.checked = None

    def play(self):
        """Play the game to its end; raise a `Fault` where something is so that no law may bring about."""
        with checks.watching() as self.watch:
            busy, turn = 0, 0
            # Else each act that hangs on the time is a question of its own to the table.
            self.do(None, "time", {"now": "2026-11-22 18:00"})
            while not self.game.over and self.game.turn <= self.turns:
                busy, turn = (busy + 1, turn) if self.game.turn == turn else (0, self.game.turn)
                if busy > MOST and self.owes_ever_more():
                    return self
                if busy > MOST:
                    raise Fault("a wait that nobody can end", f"turn {turn} does not end; open: {self.pending()}")
                self.standing()
                if self.unruly and busy < MOST / 3 and self.dice.random() < 0.3:
                    self.do(*self.dice.choice(self.freely(self.state)))
                else:
                    self.decide()
        return self

    def owes_ever_more(self):
        """Whether rules answer to what people do with more that they owe: such a turn has no end, and no wait."""
        latest = self.timeline.events[-40:]
        if any(event.kind == "chosen" for event in latest):
            return True
        last = [event for event in latest if event.kind == "obliged" and event.cause is not None]
        return any(not event.cause.words.startswith("on part_begun") for event in last)

    @property
    def state(self):
        return self.timeline.state

    def pending(self):
        return ", ".join(str(one) for one in decisions(self.state))[:300]

    # ------------------------------------------------------------------------------------ acts, checked

    def do(self, player, action, details):
        """Do something, if it is not refused, and look at what came of it."""
        before = self.state
        self.watch.steps = 0
        try:
            timeline = self.timeline
            moments = timeline.do_as_host(action, details) if player is None else timeline.do(player, action, details)
        except (IllegalAction, LawError) as refused:
            self.watch.within_budget(action)
            self.refused = refused
            return False
        self.script.append((player, action, details))
        self.watch.within_budget(action)
        self.watched(before, moments, player, action, details)
        return True

    def watched(self, before, moments, player, action, details):
        self.adopted += [self.state.proposals[event.data["number"]].change for event, _ in moments
                         if event.kind == "adopted"]  # fmt: skip
        if player is not None and action != "apply":
            checks.was_allowed(before, player, action, details, moments)
        checks.events_rest_on_the_law(before, moments)
        checks.awards_reach_everybody(before, moments)
        checks.ends_could_not_be_averted(self.timeline, self.watch, moments, self.acts)
        checks.whoever_has_won_wins(self.state)

    def standing(self):
        """What has to be so while everybody thinks."""
        law = self.state.law
        if law is not self.checked:
            self.checked = law
            checks.immutable_clauses_hold(self.state, self.dice)
            checks.torn_rules_are_not_decided(self.state, self.dice)
        checks.what_was_put_off_is_done(self.state)
        checks.what_is_forbidden_is_refused(self.timeline, self.state, self.regulated(self.state))
        self.watch.steps = 0
        decisions(self.state)
        self.watch.within_budget("to say what is open")

    def decide(self):
        """Answer one open decision: what play waits for can be done by somebody."""
        found = list(decisions(self.state))
        must = [one for one in found if one.must]
        if not must:
            raise Fault("a wait that nobody can end", "nobody has anything that they must decide")
        first = self.dice.choice(must if self.dice.random() < 0.7 else found)
        for one in (first, *(one for one in must if one is not first)):
            if any(self.do(*way) for way in self.ways(self.state, one)):
                return
        if all(self.state.players[one.player].absent for one in must if one.player):
            if self.state.questions and self.state.present_names:
                raise Fault("a wait that nobody can end", f"a question waits for who is away: {self.pending()}")
            back = next(name for name in self.state.person_names if self.state.players[name].absent)
            self.do(None, "present", {"who": back})
            return
        raise Fault("a wait that nobody can end", f"all is refused of: {self.pending()}; {self.refused}")

    # ------------------------------------------------------------------------------------- what to do

    def change(self):
        if self.plan:
            return self.plan.pop(0)
        return nb.enact("Nothing to see here.") if self.laws is not None else random_law(self.game, self.dice)

    def changes(self, state, decision, proposing):
        """Changes to propose: those that are wanted, then of each kind what the law might still let pass."""
        for _ in range(12 if proposing else 3):
            yield self.change()
        yield from checks.examples(state)
        for rule in state.rules:
            yield from (nb.repeal(rule.number), nb.amend(rule.number, "Please."), nb.transmute(rule.number))

    def ways(self, state, decision):  # noqa: C901 - one branch an action
        """Ways to answer a decision, the likeliest first."""
        dice, action = self.dice, decision.action
        player = decision.player or dice.choice(list(state.present_names) or list(state.person_names))
        answers = {
            "vote": lambda: {
                "ballot": "for" if dice.random() < 0.97 or self.game.turn == 1 else "against",
                "proposal": decision.proposal,
            },
            "call_vote": lambda: {"proposal": decision.proposal},
            "close_vote": lambda: {"proposal": decision.proposal},
            "move": lambda: {"text": dice.choice(decision.options)},
            "overrule": lambda: {"ballot": dice.choice(("for", "against")), "judgment": decision.id},
            "consent": lambda: {"ballot": "for", "judgment": decision.id},
        }
        if action == "propose":
            numbered = state.law.find("proposal.numbering", state, {}).value == "assigned"
            taken = [one for one in (*state.proposals, *state.rules.by_number) if isinstance(one, int)]
            first = state.law.find("proposal.first_number", state, {}).value
            highest = max([0, first if isinstance(first, int) else 0, *taken])
            for change in self.changes(state, decision, proposing=True):
                number = highest + 1 if numbered else None
                yield player, "propose", {"change": change, "number": number, "debate": dice.random() < 0.15}
        elif action == "revise":
            for change in self.changes(state, decision, proposing=False):
                yield player, "revise", {"change": change, "proposal": decision.proposal}
        elif action == "choose":
            for option in self.options(decision):
                yield player, "choose", {"option": option, "decision": decision.id}
        elif action == "rule_on":
            rulings = self.options(decision) if state.judgments[decision.id].held else ["So be it."]
            for ruling in rulings:
                yield player, "rule_on", {"ruling": ruling, "judgment": decision.id}
        elif action == "roll":
            waiting = next(one for one in state.waiting if one.action == "roll" and one.player in (player, None))
            by_hand = state.law.find("dice.source", state, {}).value == "table"
            value = dice.randint(waiting.dice, waiting.dice * waiting.sides) if by_hand else None
            yield player, "roll", {"value": value}
        elif action == "seal":
            number = getattr(owed_round(state, player, "seal"), "number", 0)
            sealed = commitment_hash(state.game, number, player, SealOpening("4", NONCE))
            yield player, "seal", {"commitment": sealed}
        elif action == "reveal":
            yield player, "reveal", {"value": "4", "nonce": NONCE}
        elif action in ("say", "act"):
            for text in (*decision.options, *PHRASES):
                yield player, action, {"text": text}
        elif action == "take":
            yield player, "take", {"text": decision.options[0], "rule": decision.rule}
        elif action == "time":
            for now in reversed(decision.options):
                yield None, "time", {"now": now}
        elif action in ("present", "overdue"):
            yield None, action, {"who": player}
        elif action in ("report", "give", "apply"):
            for who, deed in (option.split(": ", 1) for option in decision.options if action == "report"):
                yield player, action, {"who": who, "deed": deed}
            yield from (act for act in self.acts_of(state, player) if act[1] == action)
        else:
            yield player, action, answers[action]() if action in answers else {}

    @staticmethod
    def minute(state):
        """What time it is, or was when the first game began."""
        return state.clock.now if state.clock is not None else parse_minute("2026-11-22 18:00")

    def options(self, decision):
        """Answers; to a question all say the same, so that it comes to an end."""
        dice = random.Random(f"{self.seed} {decision.id}") if decision.id is not None else self.dice
        if decision.options:
            return dice.sample(decision.options, len(decision.options))
        return ["we agree", "true", "2", "seats", "[]", '["proposal"]', '"mutable"', '["immutable", "mutable"]',
                "item(seats, 1)", "none", '["claims"]', '"NW"']  # fmt: skip

    def freely(self, state):
        """What anybody may try at any time, whether or not it is open to them."""
        names = list(state.person_names)
        one, other = self.dice.choice(names), self.dice.choice(names)
        found = [
            (one, "say", {"text": text}) for text in PHRASES
        ] + [
            (one, "act", {"text": PHRASES[0]}),
            (one, "report", {"who": other, "deed": self.dice.choice(DEEDS)}),
            (one, "give", {"receiver": other, "amount": 1, "counter": self.dice.choice(("tally", "points"))}),
            (one, "skip", {}), (one, "end_turn", {}), (one, "begin_turn", {}), (one, "roll", {"value": None}),
            (one, "invoke_judgment", {"question": "Is this right?"}),
            (one, "take", {"text": self.dice.choice(PHRASES)}),
            (None, "time", {"now": format_minute(self.minute(state) + self.dice.choice((40, 600, 3_000, 30_000)))}),
            (one, "propose", {"change": nb.enact("Out of turn."), "number": None, "debate": False}),
        ]  # fmt: skip
        for proposal in state.open_proposals:
            for action in ("vote", "call_vote", "close_vote"):
                more = {"ballot": self.dice.choice(("for", "for", "against"))} if action == "vote" else {}
                found.append((one, action, {"proposal": proposal.number, **more}))
        away = [name for name in names if state.players[name].absent]
        found += [(None, "present", {"who": name}) for name in away for _ in range(4)]
        if not away and len(names) > 1 and self.dice.random() < 0.2:
            found.append((None, "absent", {"who": one}))
        if len(names) > 2 and self.dice.random() < 0.15:
            found += [(one, "forfeit", {})] * 3
        law = state.law  # what new rules allow and forbid is tried most
        new = {key for key, sources in law.candidates.items() if any(one.rule.event for one in sources)}
        return [act for act in found for _ in range(4 if f"may.{act[1]}" in new else 1)]

    @staticmethod
    def regulated(state):
        """Acts of kinds that rules have come to speak of, also throws and ballots that play waits for."""
        found = [(one, action, {}) for one in state.present_names for action in ("skip", "end_turn", "begin_turn")]
        found += [(one, "say", {"text": text}) for one in state.present_names for text in PHRASES]
        for waiting in (one for one in state.waiting if one.action == "roll"):
            by_hand = state.law.find("dice.source", state, {}).value == "table"
            value = {"value": waiting.dice} if by_hand else {}
            found += [(one, "roll", value) for one in state.present_names if waiting.player in (one, None)]
        for proposal in state.open_proposals:
            for action, more in (("vote", {"ballot": "for"}), ("call_vote", {}), ("close_vote", {})):
                found += [(one, action, {"proposal": proposal.number, **more}) for one in state.present_names]
        said = state.law.candidates
        return [act for act in found if any(one.rule.event for one in said.get(f"may.{act[1]}", ()))]

    def acts(self, state):
        """What could be done to keep play going: what is open, what is said, reported and given, and coming back."""
        found = [(None, "present", {"who": name}) for name in state.person_names if state.players[name].absent]
        for decision in decisions(state):
            if decision.action != "revise" and (decision.options or decision.action != "move"):
                found += list(self.ways(state, decision))
                continue
            for change in (nb.enact("Please."), nb.enact("Please, so be it, if all of us like it so."),
                           nb.enact("Otherwise.", law="set vote.quota to 1")):  # fmt: skip
                found.append((decision.player, "revise", {"change": change, "proposal": decision.proposal}))
        for one in state.person_names:
            found += [] if state.players[one].absent else self.acts_of(state, one)
        return found

    @staticmethod
    def acts_of(state, one):
        """What somebody can do beside what is asked."""
        found = [(one, "say", {"text": text}) for text in PHRASES] + [(one, "act", {"text": PHRASES[0]})]
        found += [(one, action, {}) for action in ("end_turn", "begin_turn", "skip")]
        found += [(one, "report", {"who": other, "deed": deed}) for other in state.person_names for deed in DEEDS]
        for other in (name for name in state.person_names if name != one):
            for counter, has in player_counters(state, one).items():
                amounts = {1, int(has)} if has >= 1 else ()
                found += [(one, "give", {"receiver": other, "amount": much, "counter": counter}) for much in amounts]
        found += [(one, "apply", {"rule": rule.number, "effect": 'announce "So it is."'}) for rule in state.rules]
        return found


def smallest(playing, fault):
    """The same fault with as few laws and players as it takes."""
    laws, best = list(playing.adopted), None

    def broken(tried, unruly=True):
        one = Playing(playing.system, playing.seed, tried, playing.players, playing.turns, unruly)
        try:
            one.play()
        except Fault as found:
            return (one, found) if found.kind == fault.kind else None
        return None

    for seed in range(playing.seed, playing.seed + 10):
        playing = Playing(playing.system, seed, laws, playing.players, playing.turns)
        best = broken(laws)
        if best:
            break
    at = 0
    while best and at < len(laws):
        fewer = broken(laws[:at] + laws[at + 1 :])
        if fewer:
            laws, best = laws[:at] + laws[at + 1 :], fewer
        else:
            at += 1
    return (best and broken(laws, unruly=False)) or best or (playing, fault)
