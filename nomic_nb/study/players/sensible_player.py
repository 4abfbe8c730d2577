"""A player that tries out what it could do, on a state that nobody keeps, and takes what leaves it best off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from nomic_nb.engine.errors import PlainRefusal
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.play.decisions import first_awaited_decision
from nomic_nb.engine.play.declarations import ACTIONS, EXAMPLE_CHANGE
from nomic_nb.engine.play.game_setup import LARGEST_SEED
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import step
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.words import full_sentence
from nomic_nb.study.library.ready_made import check_choice
from nomic_nb.study.players.asked import Json
from nomic_nb.study.players.boards_ahead import outlook_on_boards, promising_moves
from nomic_nb.study.players.ideas import changes_to_propose, family_of, subject_of
from nomic_nb.study.players.kinds import ChancePlayer, answer_for_all
from nomic_nb.study.players.standings import STRENGTH, capturing_moves, prospects, standing
from nomic_nb.study.players.view import View

LEVELS = ("fair", "sharp")
#: What a fair player gives up for the sake of peace, and what it thinks that others give up.
TOLERANCE = 0.012
#: By how much the prospects of a proponent are better for whom a fair player does no favours.
AHEAD = 0.1
#: What a proposal must gain for each one of its sort that somebody made before, for each of its subject that the player
#: made, and more if it changes rules in force.
USED, SUBJECT, OF_RULES_IN_FORCE = 0.012, 0.004, 0.01
#: Acts after which a look ahead ends, ways to answer that are tried, and proposals whose vote is tried out.
MOST_STEPS, MOST_WAYS, MOST_VOTES = 80, 400, 6
#: How many rules, times turns, a look ahead has to do with at most: every act takes longer under more rules.
MOST_RULES = 130
#: Moves that are tried, captures first.
MOST_MOVES = 16
#: Where a look ahead ends: at a move, since there are too many, and at what the host does.
ENDS = frozenset(("move", "time", "present", "overdue", "absent"))
#: With these, what follows from a vote is over.
BREAKS = frozenset(("propose", "begin_turn", "roll", "seal", "end_turn", "revise"))
#: What is not tried out: what is sealed is drawn elsewhere.
UNTRIED = frozenset(("seal", "reveal"))
#: What a player does only if play waits for it.
ONLY_IF_NEEDED = frozenset(
    ("revise", "vote", "agree", "close_vote", "withdraw", "skip", "overrule", "consent", "choose")
)
PASSED = frozenset(("adopted", "waiting"))


class _Outlook:
    """How a game could go on for a player, with other dice than the game's; all others are taken to act plainly.

    Parameters
    ----------
    state : State
        The state of the game.
    player : str
        The player who looks ahead.
    seed : int
        Seed of the dice.
    """

    def __init__(self, state: State, player: str, seed: int) -> None:
        self.state, self.player, self.seed = state, player, seed
        #: Whether players had to be asked what the rules leave open.
        self.asks = False

    def after(self, state: State, player: str, action: str, details: Mapping[str, Any]) -> State | None:
        """Return the state after an act; None if it is refused."""
        try:
            return step(state, self.seed, player, action, details)
        except PlainRefusal:
            return None

    def go_on(self, state: State | None, ballots: Mapping[str, str], turns: int = 0) -> State | None:
        """Return the state so many turns later, or once nothing but chance and proposals is ahead; None if it is stuck.

        Parameters
        ----------
        state : State or None
            Where play goes on.
        ballots : mapping of str to str
            How players vote; those who are not named vote for.
        turns : int
            How many turns are played plainly.
        """
        last = state.turn + turns if state is not None else 0
        for _ in range(MOST_STEPS):
            if state is None or state.over:
                break
            decision = first_awaited_decision(state)
            if decision is None:
                return None
            if decision.action in ENDS or (decision.action in BREAKS and state.turn >= last):
                break
            state = self._act_plainly(state, decision, ballots)
        return state

    def _act_plainly(self, state: State, decision: Decision, ballots: Mapping[str, str]) -> State | None:
        """Return the state after a decision is answered in the first way that is accepted."""
        player = decision.player or self.player
        best = ballots.get(player, "for") if decision.action == "vote" else None
        if state.questions and decision.options:
            best, self.asks = answer_for_all(full_sentence(decision.prompt), decision.options), True
        for most in (1, MOST_WAYS) if best is None else (MOST_WAYS,):  # mostly the first one will do
            ways = decision.ways(most)
            ways.sort(key=lambda way: best is not None and best not in way.values())
            for way in ways:
                after = self.after(state, player, decision.action, way)
                if after is not None:
                    return after
        return None

    def values(self, now: State | None) -> dict[str, float]:
        """Return the mean prospects of each player now and at both ends of the own next turn; nothing if play is stuck.

        Until then all act plainly. The own turn counts by half, or what a turn brings or costs would count for others
        alone. Under many rules, an earlier turn is taken instead.
        """
        around = max(min(len(self.state.person_names), MOST_RULES // (1 + sum(1 for _ in self.state.rules))), 1)
        before = self.go_on(now, {}, around)
        after = self.go_on(before, {}, 1)
        if now is None or before is None or after is None:
            return {}
        seen = [standing(state) for state in (now, before, after)]
        return {name: sum(prospects(view, name) for view in seen) / len(seen) for name in self.state.person_names}

    def worth(self, now: State | None) -> float:
        """Return what `values` says for the player who looks ahead; 0 if play is stuck."""
        return self.values(now).get(self.player, 0.0)

    def is_lost(self, state: State) -> bool:
        """Tell whether others have won, alone or with the player."""
        return any(name != self.player for name in state.winners)


class SensiblePlayer(ChancePlayer):
    """A player who plays for itself as a fair beginner would: it tries things out where nothing is hidden.

    Parameters
    ----------
    seed : int
        Seed of its choices.
    level : str
        ``fair`` or ``sharp``.
    """

    def __init__(self, seed: int, level: str) -> None:
        super().__init__("sensible", seed, lambda _, options: "for" if "for" in options else options[0])
        self.level = check_choice("the level", level, LEVELS)
        self._game = ""
        #: What was proposed in this game, and how often a reply was refused since the last act, by the reason.
        self._proposed: list[Json] = []
        self._refusals: Counter[str] = Counter()

    def __repr__(self) -> str:
        return f"nb.players.sensible({self.seed}, {self.level!r})"

    def __call__(self, view: View) -> Json | None:
        """Return a reply to a view; None, to pass, if nothing must be answered and nothing gains anything."""
        outlook = self._outlook(view)
        if view["refused"] is None:
            self._refusals.clear()
        else:
            self._refusals[view["refused"]["code"] or ""] += 1
        asked = next((one for one in view["asked"] if one["must"] or self._is_first_ballot(view, one)), None)
        if asked is not None:
            return {"key": asked["key"], "details": self._details(view, asked, outlook)}
        return next(self._gains(view, outlook), None)

    def _outlook(self, view: View) -> _Outlook | None:
        """Return what the player can look ahead with; None if something is hidden, or the view comes from afar."""
        state = getattr(view, "state", None)
        if state is None:
            return None
        if state.game != self._game:  # or the player would play all games alike
            self._game, self._proposed, self._refusals = state.game, [], Counter()
            self._dice.seed(f"{self.seed} {view['you']} {state.game}")
        return _Outlook(state, view["you"], self._dice.randrange(LARGEST_SEED))

    def _is_first_ballot(self, view: View, asked: Json) -> bool:
        """Tell whether somebody who need not vote has not voted yet."""
        state = getattr(view, "state", None)
        if asked["action"] != "vote" or state is None:
            return False
        vote = state.proposals[asked["proposal"]].vote
        return vote is not None and view["you"] not in vote.ballots

    def _gains(self, view: View, outlook: _Outlook | None) -> Iterator[Json]:
        """Yield replies to what need not be decided that leave the player better off; a turn is always begun."""
        for asked in view["asked"]:
            if asked["action"] == "begin_turn":
                yield {"key": asked["key"]}
            elif outlook is not None and asked["action"] not in ONLY_IF_NEEDED and asked["action"] in ACTIONS:
                gain, way = self._best_way(outlook, view.decisions[asked["key"]])
                if way is not None and gain > prospects(view, view["you"]) + TOLERANCE / 10:
                    yield {"key": asked["key"], "details": way}

    def _details(self, view: View, asked: Json, outlook: _Outlook | None) -> Json:
        """Return the details of an answer that must be given."""
        decision = getattr(view, "decisions", {}).get(asked["key"])
        match asked["action"]:
            case "vote":
                return {"ballot": self._ballot_on(view, asked, outlook)}
            case "propose":
                return self._proposal(view, asked, outlook, decision)
            case "choose" if " So far: " in asked["prompt"]:
                return self._agreeing(view, asked)
        of_all = any(field.get("other") for field in asked["fields"])
        untried = of_all or asked["action"] not in ACTIONS or asked["action"] in UNTRIED
        way = None if untried or outlook is None or decision is None else self._best_way(outlook, decision)[1]
        return self.plain_details(view, asked) if way is None else way

    def _best_way(self, outlook: _Outlook, decision: Decision) -> tuple[float, Json | None]:
        """Return the prospects after the best way to answer a decision, and its details; of equal ones, any."""
        tried, ways, moving = [], decision.ways(MOST_WAYS), decision.action == "move"
        if moving:
            capturing = capturing_moves(outlook.state)
            self._dice.shuffle(ways)
            promising = promising_moves(outlook.state)
            ways.sort(key=lambda way: (way["text"] not in promising, way["text"] not in capturing))
            ways = ways[:MOST_MOVES]
        for way in ways:
            after = outlook.go_on(outlook.after(outlook.state, outlook.player, decision.action, way), {})
            if after is not None:
                soon = STRENGTH * outlook_on_boards(after, outlook.player) if moving and not after.over else 0
                tried.append((prospects(standing(after), outlook.player) + soon, self._dice.random(), way))
        value, _, best = max(tried, key=lambda one: one[:2], default=(0.0, 0.0, None))
        return value, _details_of(decision, best) if best is not None else None

    def _agreeing(self, view: View, asked: Json) -> Json:
        """Return the answer to a question to all players that most others have given so far."""
        details, so_far = self.plain_details(view, asked), asked["prompt"].partition(" So far: ")[2]
        options: list[str] = next((one.get("options", []) for one in asked["fields"] if one["name"] == "option"), [])
        said = {option: so_far.count(f" says {option}") for option in options}
        if any(said.values()):
            return details | {"option": max(said, key=lambda option: said[option])}
        told = so_far.partition(" The answers differ")[0].rstrip(".").split("; ")
        others = [text.partition(" says ")[2] for text in told if not text.startswith(f"{view['you']} says ")]
        return details | ({"option": others[0]} if others and not options else {})

    # ------------------------------------------------------------------------------------------------------- votes

    def _ballot_on(self, view: View, asked: Json, outlook: _Outlook | None) -> str:
        """Return the ballot that leaves the player better off, if all who have not voted do the same."""
        options, number = asked["fields"][0]["options"], asked["proposal"]
        yes, no = "for" if "for" in options else options[0], "against" if "against" in options else options[-1]
        if outlook is None:
            winner_by = getattr(view, "winner_by", None)
            return no if winner_by is not None and winner_by(number) not in ("", view["you"]) else yes
        state = outlook.state
        passed, failed = (self._after_vote(outlook, state, number, ballot) for ballot in (yes, no))
        if passed is None or outlook.is_lost(passed):
            return no
        value, status = outlook.worth(passed), passed.proposals[number].status
        decided = failed is not None and failed.proposals[number].status == status
        far = {name: prospects(view, name) for name in (state.proposals[number].proponent, outlook.player)}
        ahead = far[state.proposals[number].proponent] > far[outlook.player] + AHEAD
        if self.level == "fair" and not decided and not ahead:
            # What any proposal brings its proponent is not held against it.
            plain = with_proposal(state, replace(state.proposals[number], change=EXAMPLE_CHANGE))
            if value >= outlook.worth(self._after_vote(outlook, plain, number, yes)) - TOLERANCE:
                return yes
        return yes if value >= outlook.worth(failed) else no

    def _after_vote(self, outlook: _Outlook, state: State, number: Any, ballot: str) -> State | None:
        """Return the state after the vote on a proposal in which all who have not voted cast the same ballot."""
        after = outlook.after(state, outlook.player, "vote", {"ballot": ballot, "proposal": number})
        return outlook.go_on(after, dict.fromkeys(state.players, ballot))

    # --------------------------------------------------------------------------------------------------- proposals

    def _proposal(self, view: View, asked: Json, outlook: _Outlook | None, decision: Decision | None) -> Json:
        """Return the details of the best proposal that can pass; nothing is proposed twice."""
        details = self.plain_details(view, asked)
        if max(self._refusals.values(), default=0) > 1:  # what most rules allow
            details["change"] = EXAMPLE_CHANGE.to_json()
        elif outlook is not None and decision is not None:
            fixed = {name: value for name, value in decision.ways(1)[0].items() if name != "change"}
            fitting = changes_to_propose(outlook.state, outlook.player, self._dice)
            unused = (one for one in fitting if one.to_json() not in self._proposed)
            change = self._best_change(outlook, fixed) or next(unused, None)
            if change is not None:
                details = _details_of(decision, {"change": change, **fixed})
        self._proposed.append(details["change"])
        return details

    def _best_change(self, outlook: _Outlook, fixed: Json) -> Change | None:
        """Return the change that gains the player most among those that can pass; None if none is allowed."""
        state, me = outlook.state, outlook.player
        others = [name for name in state.person_names if name != me]
        plain = self._adopted(outlook, EXAMPLE_CHANGE, fixed, {})
        before, asks = outlook.values(plain), outlook.asks
        known = [one.change.to_json() for one in state.proposals.values()] + self._proposed
        used = Counter(family_of(one.change) for one in state.proposals.values())
        subjects = Counter(subject_of(one.change) for one in state.proposals.values() if one.proponent == me)
        found = []
        for change in changes_to_propose(state, me, self._dice):
            outlook.asks = False
            after = self._adopted(outlook, change, fixed, {}) if change.to_json() not in known else None
            if after is not None and after.winners == (me,) and self.level == "sharp":
                return change
            if after is None or after.over:
                continue
            values = outlook.values(after)
            if not values or outlook.asks > asks or after.person_names != state.person_names:
                continue  # people would have to decide
            gains = {name: value - before.get(name, 0) for name, value in values.items()}
            gain = gains[me] - max([0, *(gains[name] for name in others)]) / 2 - USED * used[family_of(change)]
            gain -= SUBJECT * subjects[subject_of(change)] + OF_RULES_IN_FORCE * (
                change.kind in ("repeal", "transmute")
            )
            unwilling = [name for name in others if gains[name] < -TOLERANCE]
            found.append((round(gain, 3), self._dice.random(), change, unwilling))
        found.sort(key=lambda one: one[:2], reverse=True)
        for _, _, change, unwilling in found[:MOST_VOTES]:
            if not unwilling or self._adopted(outlook, change, fixed, dict.fromkeys(unwilling, "against")) is not None:
                return change
        return next((change for _, _, change, unwilling in found if not unwilling), found[0][2] if found else None)

    def _adopted(self, outlook: _Outlook, change: Change, fixed: Json, ballots: Mapping[str, str]) -> State | None:
        """Return the state once a change was proposed and has passed with these ballots; None if it does not pass."""
        known = outlook.state.proposals
        after = outlook.after(outlook.state, outlook.player, "propose", {"change": change, **fixed})
        after = outlook.go_on(after, ballots)
        made = [one for number, one in after.proposals.items() if number not in known] if after is not None else []
        return after if made and made[0].status in PASSED else None


def _details_of(decision: Decision, way: Mapping[str, Any]) -> Json:
    """Return a way to answer a decision as plain data, without what its key says."""
    fields = ACTIONS[decision.action].fields
    return {
        name: value.to_json() if isinstance(value, Change) else value
        for name, value in way.items()
        if fields[name][0].of not in ("proposal", "id", "rule")
    }


def sensible(seed: int = 0, level: str = "fair") -> SensiblePlayer:
    """Return a player who plays for itself as a fair beginner would.

    It tries both ballots before it votes, and proposes what gains it most and can pass, nothing twice in a game. On
    boards it looks two moves ahead. While something is sealed or hidden it tries nothing out, and plays by what it
    sees.

    Parameters
    ----------
    seed : int
        Seed of its choices: the same seed gives the same replies.
    level : str
        ``fair``, or ``sharp``: this player also proposes what lets it win at once, and votes against whatever does not
        help it.

    Raises
    ------
    ValueError
        There is no such level.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> played = nb.play(game, {"Ann": nb.players.sensible(seed=1), "Ben": nb.players.random(seed=2)}, until=2)
    >>> played.ended, len(game.proposals)
    ('turn 2', 1)
    """
    return SensiblePlayer(seed, level)
