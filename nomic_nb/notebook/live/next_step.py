"""The head of a display: what changed since the cell above, and the line of Python that plays on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, pairwise
from typing import Any
from weakref import WeakKeyDictionary

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import enact, repeal, transmute
from nomic_nb.engine.play.decisions import decisions, numbers_are_assigned
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS
from nomic_nb.engine.play.facts import option_in_words
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.play.waiting import open_rounds
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.engine.subjects.sealed_values import owed_round
from nomic_nb.engine.words import full_sentence, join_words, rule_citation
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.live.game_status import GameStatus
from nomic_nb.notebook.live.host import Host
from nomic_nb.notebook.live.python_source import PythonSource, python_method_call
from nomic_nb.study.views.redline import LawRedline
from nomic_nb.study.views.tables import displayed_value, game_tables_in_words, visible_scores

# ------------------------------------------------------------------------------------------------ what changed


#: Most changes that a line names; the rest is counted.
MOST_NAMED = 3


def changes_in_words(timeline: Timeline, since: int) -> list[str]:
    r"""Return a line on the law, the score and the boards each, as far as they changed after event `since`.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> made, before = game.propose("Ann", nb.library.simple_majority().change(203)), game.state.seq
    >>> for name in game.players:
    ...     game.vote(name, "for")
    >>> face = game.roll("Ann", 4)
    >>> print("\n".join(changes_in_words(game.timeline, before)))
    Law: rule 301 “A simple majority adopts” (was 203, amended)
    Score: Ann 0 → 4 points
    """
    moments = timeline.moments
    if not 0 < since < len(moments):
        return []
    then, now = moments[since - 1][1], moments[-1][1]
    law = (
        f"rule {rule.number} “{rule.title}” ({difference.change_summary})"
        for difference in LawRedline(then, now)
        if (rule := difference.new or difference.old) is not None
    )
    seals = current_seals(timeline)
    board = (
        sentence(event, seals)
        for (_, before), (event, after) in pairwise(moments[since - 1 :])
        # the end of a chance to capture en passant shows on no board
        if event.kind != "passed_by" and before.position is not after.position and before.position != after.position
    )
    lines = {"Law": list(law), "Score": list(_score_phrases(then, now)), "Board": list(board)}
    return [f"{subject}: {_name_first(phrases)}" for subject, phrases in lines.items() if phrases]


def _name_first(phrases: list[str]) -> str:
    """Return the first phrases, separated by semicolons, and how many more there are in the history."""
    left = len(phrases) - MOST_NAMED
    return "; ".join(phrases[:MOST_NAMED]) + (f"; and {left} more in game.history" if left > 0 else "")


def _score_phrases(then: State, now: State) -> Iterator[str]:
    """Yield how each counter that everybody may see changed between two states: of players, then of the game."""
    old_scores = visible_scores(then)
    for counter, held in visible_scores(now).items():
        for name, value in held.items():
            before = old_scores.get(counter, {}).get(name)
            if value != before:
                told = "–" if before is None else displayed_value(then, before)
                yield f"{name} {told} → {displayed_value(now, value)} {counter}"
    old_tables = game_tables_in_words(then)
    for counter, told in game_tables_in_words(now).items():
        if told != old_tables.get(counter):
            yield f"{counter} {old_tables.get(counter, '–')} → {told}"


# --------------------------------------------------------------------------------------- what is needed next


#: Examples of a change, or answers, that are tried before a line is given up.
MOST_TRIES = 40
#: Answers to questions that list no options; which of them is one, the game says.
ANSWERS = (
    "yes", "true", "1", "0", 'player_named("{name}")', '[player_named("{name}")]', '["proposal"]', '"mutable"',
    '"X{id}"', "none", "[]",
)  # fmt: skip


@frozen
class NextStep:
    """What play needs next, and an act that does it.

    Parameters
    ----------
    prompt : str
        The players needed, and their tasks.
    player : str or None
        The player who acts; None for the host, and for several players.
    action : str
        The action.
    details : mapping
        Its arguments.
    written : mapping
        Those of them that have a shorter form in Python than python_source gives them.
    """

    prompt: str
    player: str | None
    action: str
    details: Mapping[str, Any]
    written: Mapping[str, PythonSource]

    def python(self, name: str = "game", method: str = "") -> str:
        """Return the line of Python that does it, for a game with this name; or that calls another method so."""
        owner, target = (Host, f"{name}.host") if self.action in HOST_ACTIONS else (GameStatus, name)
        return python_method_call(
            f"{target}.{method or self.action}",
            getattr(owner, self.action),
            list(self._first),
            {**self.details, **self.written},
        )

    @property
    def _first(self) -> tuple[str, ...]:
        """The argument before the details: the player, if it is one player who acts."""
        return () if self.player is None else (self.player,)

    def perform(self, game: GameStatus) -> None:
        """Do it in a game."""
        target = Host(game.timeline) if self.action in HOST_ACTIONS else game
        getattr(target, self.action)(*self._first, **self.details)


#: What was found for a game in this state.
_KNOWN: WeakKeyDictionary[Timeline, tuple[State, NextStep | None]] = WeakKeyDictionary()


def find_next_step(game: GameStatus) -> NextStep | None:
    r"""Return what a game needs next, with an act that the game takes; None if it is over, past or at a loss.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> step = find_next_step(game)
    >>> print(step.prompt, step.python(), sep="\n")
    Ann – propose a rule change (rule 202)
    game.propose('Ann', nb.library.simple_majority().change(203))
    """
    timeline = game.timeline
    with timeline.lock:
        state = timeline.state
        if state.over or timeline.past or CELL_WATCH.hidden_last_event(timeline):
            return None
        known = _KNOWN.get(timeline)
        if known is None or known[0] is not state:
            known = _KNOWN[timeline] = state, next(_possible_steps(game, state), None)
        return known[1]


def name_of_game(timeline: Timeline) -> str:
    """Return the name by which cells know a game; “game” without a name, or if that is one of several."""
    names = getattr(CELL_WATCH.shell, "user_ns", {})
    found = [
        name
        for name, value in names.items()
        if isinstance(value, GameStatus) and not name.startswith("_") and value._timeline is timeline
    ]
    return found[0] if found and "game" not in found else "game"


def _possible_steps(game: GameStatus, state: State) -> Iterator[NextStep]:
    """Yield acts that the game takes now, for what play waits for first."""
    if state.paused:
        yield NextStep("the game is paused", None, "resume", {}, {})
        return
    visible = [decision for decision in decisions(state) if not decision.unseen]
    for decision in sorted(visible, key=lambda one: not one.must):
        alike = [
            one.player or "anyone"
            for one in visible
            if (one.action, one.prompt, one.must) == (decision.action, decision.prompt, decision.must)
        ]
        may = "" if decision.must else ", if they like"
        prompt = f"{join_words(alike)} – {decision.prompt}{may}{rule_citation(decision.rule)}"
        for step in islice(_steps_for_decision(state, decision, prompt), MOST_TRIES):
            if _is_sure(decision, step) or _is_taken(game, step):
                yield step


def _is_sure(decision: Decision, step: NextStep) -> bool:
    """Tell whether the game takes the first answer to a decision, because the law lists or fixes it."""
    return (
        decision.player is not None
        and step.action == decision.action
        and (bool(decision.options) or decision.action == "roll")
    )


def _is_taken(game: GameStatus, step: NextStep) -> bool:
    """Tell whether a game takes an act, by doing it in a copy."""
    copied = game.timeline.copy_with_events(game.timeline.moments)
    copied.kept = dict(copied.kept)
    try:
        step.perform(type(game)(copied))
    except (IllegalAction, LawError, LookupError):
        return False
    finally:
        CELL_WATCH.forget_trial(copied)
    return True


def _steps_for_decision(state: State, decision: Decision, prompt: str) -> Iterator[NextStep]:
    """Yield acts that may answer a decision."""
    if decision.action in HOST_ACTIONS:
        details = {"now": decision.options[-1]} if decision.options else {"who": decision.player}
        yield NextStep(prompt, None, decision.action, details, {})
        return
    if decision.action == "vote" and decision.must:
        yield NextStep(prompt, None, "votes", _fixed_details(state, decision), {})
    for player in [decision.player] if decision.player else state.present_names:
        if decision.action in ("propose", "revise"):
            about = _fixed_details(state, decision)
            for change, written in _example_changes(state):
                yield NextStep(prompt, player, decision.action, {"change": change, **about}, written)
        else:
            for details in _possible_details(state, decision, player):
                yield NextStep(prompt, player, decision.action, details, {})


def _fixed_details(state: State, decision: Decision) -> dict[str, Any]:
    """Return the details that a decision itself settles, such as the number of the proposal."""
    details: dict[str, Any] = {}
    several = sum(other.action == decision.action and other.player == decision.player for other in decisions(state)) > 1
    for name, (spec, _) in ACTIONS[decision.action].fields.items():
        if spec.of == "proposal" and decision.proposal is not None and (several or len(state.open_proposals) > 1):
            details[name] = decision.proposal
        elif spec.of == "rule" and decision.rule is not None:
            details[name] = decision.rule
        elif spec.of == "id" and decision.id is not None and several:
            details[name] = decision.id
        elif spec.of == "assigned" and numbers_are_assigned(state):
            details[name] = max([0, *(number for number in state.proposals if isinstance(number, int))]) + 1
    return details


def _possible_details(state: State, decision: Decision, player: str) -> Iterator[dict[str, Any]]:
    """Yield details of an act that may answer a decision: a listed option, or examples."""
    deed, fixed = ACTIONS[decision.action], _fixed_details(state, decision)
    if decision.action == "seal":
        yield from ({"value": value} if value else {} for value in _sealable_values(state, player))
        return
    field = next((name for name, (spec, _) in deed.fields.items() if spec.of == "option"), "")
    if decision.options:
        parsed = deed.parse_line(decision.options[0]) or {field: decision.options[0]}
        yield fixed | ({field: [decision.options[0]]} if decision.takes == "some" else parsed)
    elif deed.heard:
        yield from (fixed | details for details in deed.possible_details(state, player, ("please",)))
    elif field:
        yield from (fixed | {field: answer.format(name=player, id=decision.id)} for answer in ANSWERS)
    else:
        yield fixed


def _sealable_values(state: State, player: str) -> Iterable[str]:
    """Return what a player can seal now: an answer to a question, or nothing for a random number."""
    owed = owed_round(state, player, "seal")
    asked = next((waiting for waiting, sealing in open_rounds(state) if sealing is owed), None)
    if asked is None or not (asked.poll or asked.secret):
        return [""]
    options = [option_in_words(state, option) for option in asked.options]
    return options[:1] or [answer.format(name=player, id="") for answer in ANSWERS]


def _example_changes(state: State) -> Iterator[tuple[Any, dict[str, PythonSource]]]:
    """Yield changes that fit a game, with their Python: ready-made rules first, then simpler ones."""
    from nomic_nb.study.review.applicable_rules import ApplicableRules

    adopted = {rule.law for rule in state.rules.in_force}
    for applicable in ApplicableRules(state):
        entry, target = applicable.entry, applicable.target
        if entry.rule.law in adopted or "player=" in entry.parameters:  # the example may name somebody who is not there
            continue
        call = f"nb.library.{entry.name}({entry.parameters})"
        if target is None:
            yield entry.rule, {"change": PythonSource(call)}
        else:
            yield entry.rule.change(target), {"change": PythonSource(f"{call}.change({target!r})")}
    yield enact("Players are kind to each other."), {}
    for rule in state.rules.in_force:
        yield repeal(rule.number), {}
        yield transmute(rule.number), {}


def opening_lines(game: GameStatus) -> list[str]:
    """Return the head of a display as lines of text: the changes, the next decision, and its Python."""
    lines = [f"{line}." for line in changes_in_words(game.timeline, CELL_WATCH.told_since(game.timeline))]
    step = find_next_step(game)
    if step is None:
        return lines
    return [*lines, f"Next: {full_sentence(step.prompt)}", f"  {step.python(name_of_game(game.timeline))}"]
