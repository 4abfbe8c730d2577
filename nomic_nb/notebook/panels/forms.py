"""Open decisions as plain data: what is asked, which fields an answer has, and the key that names the decision."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from nomic_nb.chess.play.scopes import universe_names
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE, suppose_proposed
from nomic_nb.engine.play.choices import list_choices
from nomic_nb.engine.play.decisions import numbers_are_assigned
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS, FieldSpec
from nomic_nb.engine.play.events import canonical_json
from nomic_nb.engine.play.facts import option_in_words
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import MOST_OPTIONS_SHOWN, SO_FAR_PREFIX, Decision, list_options
from nomic_nb.engine.play.waiting import open_rounds
from nomic_nb.engine.subjects.sealed_values import owed_round
from nomic_nb.engine.words import full_sentence
from nomic_nb.study.views.pending import why_choice_is_closed

# ------------------------------------------------------------------------------------------------- what panels say


FORM_WORDS: dict[str, dict[str, Any]] = tomllib.loads(
    files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
)


# ------------------------------------------------------------------------------------ open decisions as plain data


Json = dict[str, Any]

#: What players may do at any time, besides all that rules can listen for.
ALWAYS_OPEN = ("invoke_judgment", "ask_again", "forfeit")
#: What whoever keeps the record does at any time; only before the panel of the whole table.
RECORDED_FIELD = "time"
#: How many of the universes for which something is open are looked for; two of them and the last are named.
MOST_UNIVERSES = 4
#: Throws: another event makes another throw of it, so that a press never throws what somebody did not see.
THROW_ACTIONS = ("roll", "seal", "reveal")
#: What the fields are called in which some of the options are ticked, before the place of each.
TICK_PREFIX = "option "


def decision_sign(decision: Decision) -> str:
    """Return an id of an open decision, which stays the same while others come and go."""
    about = (
        f"{decision.rule} {decision.options[0]}"
        if decision.action == "take"
        else decision.id
        if decision.proposal is None
        else decision.proposal
    )
    return f"{decision.action}:{about}:{decision.player or ''}"


def decision_key(decision: Decision, state: State, undone: int, head: str) -> str:
    """Return the key that an answer to a decision must bring; it is new if asked again.

    Parameters
    ----------
    one : Decision
        The decision.
    state : State
        As it stands.
    undone : int
        The event that took the game back last; 0 where none did.
    head : str
        Tells the last event from all others.
    """
    about = state.proposals.get(decision.proposal) if decision.proposal is not None else None
    # What others answer to the same in the meantime makes no other decision of it.
    prompt = decision.prompt if state.questions else decision.prompt.partition(SO_FAR_PREFIX)[0]
    named = {
        "game": state.game, "player": decision.player, "action": decision.action, "proposal": str(decision.proposal),
        "id": decision.id,
        "options": list(decision.options), "prompt": prompt, "turn": about.turn if about else state.turn,
        "undone": undone, "head": head if decision.action in THROW_ACTIONS else "",
    }  # fmt: skip
    return hashlib.sha256(canonical_json(named).encode("ascii")).hexdigest()[:16]


def decision_data(decision: Decision, state: State, *, opening: bool = True, whole: bool = False) -> Json:
    """Return a decision as data for a form, without its key.

    Parameters
    ----------
    one : Decision
        The decision.
    state : State
        As it stands.
    opening : bool
        Whether what the player sealed is known here.
    whole : bool
        Whether all players answer in the same place.
    """
    return _sealing_round_data(decision, state) | {
        "player": decision.player, "action": decision.action, "prompt": full_sentence(decision.prompt),
        "rule": decision.rule,
        "proposal": decision.proposal, "must": decision.must, "send": button_label(decision.action),
        "fields": list(_decision_fields(decision, state, opening=opening, whole=whole)),
    }  # fmt: skip


def _sealing_round_data(decision: Decision, state: State) -> Json:
    """Return what a browser needs to seal a value itself, and to find what it sealed."""
    sealing = (
        owed_round(state, decision.player or "", decision.action) if decision.action in ("seal", "reveal") else None
    )
    if sealing is None:
        return {}
    seal = {"game": state.game, "round": sealing.number, "seat": decision.player}
    return {"seal": seal} if decision.action == "seal" else {"commitment": sealing.seals[decision.player or ""]}


def button_label(action: str) -> str:
    """Return the label of the button that does an action."""
    return str(FORM_WORDS["buttons"].get(action, action.replace("_", " ").capitalize()))


def _decision_fields(decision: Decision, state: State, *, opening: bool, whole: bool) -> Iterator[Json]:
    """Yield the form fields with which a decision is answered."""
    action = decision.action
    if action in HOST_ACTIONS:
        yield from (_field_data(action, name, "line") for name in HOST_ACTIONS[action].fields if name != "who")
        return
    if action == "move":  # the boards have the moves
        yield _field_data(action, "text", "move")
        return
    if action == "seal":
        yield from _sealing_fields(decision, state)
        return
    if action == "reveal":
        for name in () if opening else ("value", "nonce"):
            yield _field_data(action, name, "line")
        return
    left_out = {"push"} if action != "propose" or _is_ever_voted_on(state, decision.player or "") else {"debate"}
    for name, (takes, _) in ACTIONS[action].fields.items():
        if takes.of == "option":
            yield from _option_fields(decision, name, state)
        elif name == "agreed":
            those = state.players_who_must_agree(state.questions[0]) if state.questions else ()
            if whole and decision.must and decision.id is not None and len(those) > 1:
                yield _field_data(action, name, "tick")
        elif name == "value":  # of a throw
            yield from _roll_fields(decision, state)
        elif takes.of == "assigned":
            if numbers_are_assigned(state):
                yield _field_data(action, name, "line")
        elif takes.of not in ("proposal", "id", "rule") and name not in left_out:
            yield _field_for_type(action, name, takes) | _initial_change(decision, state, takes)


def _is_ever_voted_on(state: State, player: str) -> bool:
    """Tell whether new rules are voted on at all; only then a debate makes sense."""
    finding = suppose_proposed(state, Change("enact", None, "An example."), player).find(
        "vote.electorate", **SUPPOSED_CASE
    )
    return not (finding.answered and finding.value == ())


def _initial_change(decision: Decision, state: State, takes: FieldSpec) -> Json:
    """Return the change with which the form starts: the proposal as it stands, to be revised."""
    about = state.proposals.get(decision.proposal) if decision.proposal is not None and Change in takes.types else None
    return {"begun": about.change.to_json()} if about is not None else {}


def _titles_by_rule(state: State) -> dict[str, str]:
    """Return the names of rules as options have them, each with the rule's title added."""
    named = {f"rule {rule.number}": f"rule {rule.number} “{rule.title}”" for rule in state.rules if rule.title}
    labels = {rule.number: rule.title for rule in state.rules if rule.title and isinstance(rule.number, str)}
    return named | {label: f"{label} “{title}”" for label, title in labels.items()}


def _option_text(text: str, named: dict[str, str]) -> str:
    """Return the text of an option; a rule at its start gets its title."""
    if text in named:
        return named[text]
    head, blank, rest = text.partition(" ")
    return f"{named.get(head, head)}{blank}{rest}"


def _option_fields(decision: Decision, name: str, state: State) -> Iterator[Json]:
    """Yield the form fields for choosing among a decision's options."""
    if not decision.options:
        yield _field_data(decision.action, name, "number" if decision.takes == "number" else "line")
        return
    named = _titles_by_rule(state)
    if decision.takes == "some" and len(decision.options) <= MOST_OPTIONS_SHOWN:
        for at, text in enumerate(decision.options):
            yield _field_data(decision.action, f"{TICK_PREFIX}{at}", "tick") | {"label": _option_text(text, named)}
        return
    if decision.takes == "some":
        about = f"some of these, with commas between them: {list_options(decision.options)}"
        yield _field_data(decision.action, name, "line") | {"about": about}
        return
    option_labels = FORM_WORDS["options"].get(decision.action, {})
    options = [
        [text, option_labels.get(text) or _option_text(text, named), FORM_WORDS["tones"].get(text, "")]
        for text in decision.options
    ]
    other = decision.action == "choose" and bool(state.questions) and decision.must
    yield _field_data(decision.action, name, "choice") | {"options": options, "other": other}


def _sealing_fields(decision: Decision, state: State) -> Iterator[Json]:
    """Yield the fields for a value to seal: a choice if there are options."""
    sealing = owed_round(state, decision.player or "", decision.action)
    waiting = next(waiting for waiting, round in open_rounds(state) if round is sealing)
    poll = state.polls.get(waiting.poll)
    if waiting.options and not (poll is not None and poll.some):
        sentences = [option_in_words(state, option) for option in waiting.options] + ["none"] * (
            poll is not None and poll.optional
        )
        yield _field_data(decision.action, "value", "choice") | {"options": [[text, text, ""] for text in sentences]}
        return
    yield _field_data(decision.action, "value", "secret") | ({"about": "what you answer"} if poll is not None else {})
    yield _field_data(decision.action, "commitment", "line")


def _roll_fields(decision: Decision, state: State) -> Iterator[Json]:
    """Yield the form field for a die rolled by hand, if that is allowed."""
    finding = state.find("dice.source")
    source = finding.value if finding.answered else "either"
    waiting = next((w for w in state.waiting if w.action == "roll" and w.player == decision.player), None)
    if source != "seeded":
        span = {"min": waiting.dice, "max": waiting.dice * waiting.sides} if waiting else {}
        yield _field_data(decision.action, "value", "number") | span | {"optional": source != "table"}


def _field_for_type(action: str, name: str, takes: FieldSpec) -> Json:
    """Return the form field that fits the type of an action's field."""
    if Change in takes.types:
        return _field_data(action, name, "change")
    if bool in takes.types:
        return _field_data(action, name, "tick")
    if takes.among is not None and takes.types != (int,):  # chosen from what the page has a list of
        return _field_data(action, name, {"counter": "line", "rule": "rule"}.get(name, "player"))
    if int in takes.types:
        return _field_data(action, name, "number" if str not in takes.types else "line")
    rows = FORM_WORDS["lines"].get(name)
    return _field_data(action, name, "text") | {"rows": rows} if rows else _field_data(action, name, "line")


def _field_data(action: str, name: str, type: str) -> Json:
    label, about = FORM_WORDS["fields"].get(action, {}).get(name, (name.replace("_", " ").capitalize(), ""))
    return {"name": name, "type": type, "label": label, "about": about}


def choices_by_player(state: State) -> Json:
    """Return for each player what rules let them choose, and why the rest is closed."""
    by_player: Json = {}
    joined: dict[tuple[str, str, str], list[str]] = {}
    many = len(universe_names(state)) > MOST_UNIVERSES
    for act_choice in list_choices(state, MOST_UNIVERSES):
        if act_choice.why or act_choice.beside:  # what is not open for the same reason is said once
            why = f" – {why_choice_is_closed(act_choice)}" if act_choice.why else ""
            joined.setdefault((act_choice.player, act_choice.action, why), []).append(act_choice.what)
            continue
        where = (
            [*act_choice.where[:2], "…", act_choice.where[-1]]
            if many and len(act_choice.where) >= MOST_UNIVERSES
            else act_choice.where
        )
        sentence = f"Open: {act_choice.describe(where)}"
        by_player.setdefault(act_choice.player, []).append(
            {"said": sentence, "action": act_choice.action, "beside": False}
        )
    for (player, action, why), whats in sorted(joined.items(), key=lambda entry: entry[0][2] == ""):
        how = "Not open" if why else "Open besides, for rules of another standing; this is to be done all the same"
        sentence = f"{how}: {'; '.join(whats)}{why}"
        by_player.setdefault(player, []).append({"said": sentence, "action": action, "beside": not why})
    return by_player


def actions_at_any_time() -> list[str]:
    """Return the actions that players may do without being asked."""
    heard = sorted((action for action in ACTIONS.values() if action.heard), key=lambda action: not action.owed)
    return [*(action.name for action in heard), *ALWAYS_OPEN]


def free_actions(state: State) -> Json:
    """Return the actions that players may do at any time, with label and fields."""
    if state.over or state.paused:
        return {}
    return {
        action: {
            "what": deed.meaning.partition(";")[0], "send": button_label(action),
            "fields": [
                _field_data(action, name, "line") if takes.of == "proposal" else _field_for_type(action, name, takes)
                for name, (takes, _) in deed.fields.items()
            ],
            "sure": action == "forfeit",
        }
        for action, deed in [*((action, ACTIONS[action]) for action in actions_at_any_time()), (RECORDED_FIELD,
        HOST_ACTIONS[RECORDED_FIELD])]
    }  # fmt: skip
