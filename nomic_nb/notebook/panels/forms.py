"""Open decisions as plain data: what is asked, which fields an answer has, and the key that names the decision."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from nomic_nb.chess.play.scopes import universes
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE, suppose_proposed
from nomic_nb.engine.play.choices import list_choices
from nomic_nb.engine.play.decisions import numbers_are_assigned
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS, FieldSpec
from nomic_nb.engine.play.events import canonical_json
from nomic_nb.engine.play.facts import option_in_words
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import MOST_OPTIONS_SHOWN, SO_FAR_PREFIX, Decision, first_options
from nomic_nb.engine.play.waiting import open_rounds
from nomic_nb.engine.subjects.sealed_values import owed_round
from nomic_nb.engine.words import full_sentence
from nomic_nb.study.views.pending import closed_reason

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


def decision_sign(one: Decision) -> str:
    """Return what tells a decision from every other that is open: it stays while others come and go."""
    about = f"{one.rule} {one.options[0]}" if one.action == "take" else one.id if one.proposal is None else one.proposal
    return f"{one.action}:{about}:{one.player or ''}"


def decision_key(one: Decision, state: State, undone: int, head: str) -> str:
    """Return the key that names a decision in an answer: one that was asked before has another.

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
    about = state.proposals.get(one.proposal) if one.proposal is not None else None
    # What others answer to the same in the meantime makes no other decision of it.
    prompt = one.prompt if state.questions else one.prompt.partition(SO_FAR_PREFIX)[0]
    named = {
        "game": state.game, "player": one.player, "action": one.action, "proposal": str(one.proposal), "id": one.id,
        "options": list(one.options), "prompt": prompt, "turn": about.turn if about else state.turn,
        "undone": undone, "head": head if one.action in THROW_ACTIONS else "",
    }  # fmt: skip
    return hashlib.sha256(canonical_json(named).encode("ascii")).hexdigest()[:16]


def decision_data(one: Decision, state: State, *, opening: bool = True, whole: bool = False) -> Json:
    """Return a decision as plain data, without its key.

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
    return _round_data(one, state) | {
        "player": one.player, "action": one.action, "prompt": full_sentence(one.prompt), "rule": one.rule,
        "proposal": one.proposal, "must": one.must, "send": button_label(one.action),
        "fields": list(_decision_fields(one, state, opening=opening, whole=whole)),
    }  # fmt: skip


def _round_data(one: Decision, state: State) -> Json:
    """Return what a device needs to seal a value by itself, and to find what it sealed."""
    found = owed_round(state, one.player or "", one.action) if one.action in ("seal", "reveal") else None
    if found is None:
        return {}
    seal = {"game": state.game, "round": found.number, "seat": one.player}
    return {"seal": seal} if one.action == "seal" else {"commitment": found.seals[one.player or ""]}


def button_label(action: str) -> str:
    """Return what stands on the button that does an action."""
    return str(FORM_WORDS["buttons"].get(action, action.replace("_", " ").capitalize()))


def _decision_fields(one: Decision, state: State, *, opening: bool, whole: bool) -> Iterator[Json]:
    action = one.action
    if action in HOST_ACTIONS:
        yield from (_field_data(action, name, "line") for name in HOST_ACTIONS[action].fields if name != "who")
        return
    if action == "move":  # the boards have the moves
        yield _field_data(action, "text", "move")
        return
    if action == "seal":
        yield from _sealing_fields(one, state)
        return
    if action == "reveal":
        for name in () if opening else ("value", "nonce"):
            yield _field_data(action, name, "line")
        return
    left_out = {"push"} if action != "propose" or _is_ever_voted_on(state, one.player or "") else {"debate"}
    for name, (takes, _) in ACTIONS[action].fields.items():
        if takes.of == "option":
            yield from _option_data(one, name, state)
        elif name == "agreed":
            those = state.asked(state.questions[0]) if state.questions else ()
            if whole and one.must and one.id is not None and len(those) > 1:
                yield _field_data(action, name, "tick")
        elif name == "value":  # of a throw
            yield from _throw_fields(one, state)
        elif takes.of == "assigned":
            if numbers_are_assigned(state):
                yield _field_data(action, name, "line")
        elif takes.of not in ("proposal", "id", "rule") and name not in left_out:
            yield _plain_field(action, name, takes) | _initial_change(one, state, takes)


def _is_ever_voted_on(state: State, player: str) -> bool:
    """Tell whether anybody votes on a new rule: where nobody does, there is nothing to be debated before."""
    finding = suppose_proposed(state, Change("enact", None, "An example."), player).find(
        "vote.electorate", **SUPPOSED_CASE
    )
    return not (finding.answered and finding.value == ())


def _initial_change(one: Decision, state: State, takes: FieldSpec) -> Json:
    """Return what a change is begun with: the form that the proposal has."""
    about = state.proposals.get(one.proposal) if one.proposal is not None and Change in takes.types else None
    return {"begun": about.change.to_json()} if about is not None else {}


def _rule_titler(state: State) -> dict[str, str]:
    """Return how a rule is told at the head of an option: with its title, which people know it by."""
    named = {f"rule {rule.number}": f"rule {rule.number} “{rule.title}”" for rule in state.rules if rule.title}
    labels = {rule.number: rule.title for rule in state.rules if rule.title and isinstance(rule.number, str)}
    return named | {label: f"{label} “{title}”" for label, title in labels.items()}


def _option_text(text: str, named: dict[str, str]) -> str:
    """Return an option, and where a rule stands at its head, the rule with its title."""
    if text in named:
        return named[text]
    head, blank, rest = text.partition(" ")
    return f"{named.get(head, head)}{blank}{rest}"


def _option_data(one: Decision, name: str, state: State) -> Iterator[Json]:
    if not one.options:
        yield _field_data(one.action, name, "number" if one.takes == "number" else "line")
        return
    named = _rule_titler(state)
    if one.takes == "some" and len(one.options) <= MOST_OPTIONS_SHOWN:
        for at, text in enumerate(one.options):
            yield _field_data(one.action, f"{TICK_PREFIX}{at}", "tick") | {"label": _option_text(text, named)}
        return
    if one.takes == "some":
        about = f"some of these, with commas between them: {first_options(one.options)}"
        yield _field_data(one.action, name, "line") | {"about": about}
        return
    said = FORM_WORDS["options"].get(one.action, {})
    options = [
        [text, said.get(text) or _option_text(text, named), FORM_WORDS["tones"].get(text, "")] for text in one.options
    ]
    other = one.action == "choose" and bool(state.questions) and one.must
    yield _field_data(one.action, name, "choice") | {"options": options, "other": other}


def _sealing_fields(one: Decision, state: State) -> Iterator[Json]:
    """Yield the fields of what is sealed: one of the options, where there are some; nothing else would be an answer."""
    found = owed_round(state, one.player or "", one.action)
    waiting = next(waiting for waiting, round in open_rounds(state) if round is found)
    poll = state.polls.get(waiting.poll)
    if waiting.options and not (poll is not None and poll.some):
        said = [option_in_words(state, option) for option in waiting.options] + ["none"] * (
            poll is not None and poll.optional
        )
        yield _field_data(one.action, "value", "choice") | {"options": [[text, text, ""] for text in said]}
        return
    yield _field_data(one.action, "value", "secret") | ({"about": "what you answer"} if poll is not None else {})
    yield _field_data(one.action, "commitment", "line")


def _throw_fields(one: Decision, state: State) -> Iterator[Json]:
    finding = state.find("dice.source")
    source = finding.value if finding.answered else "either"
    waiting = next((w for w in state.waiting if w.action == "roll" and w.player == one.player), None)
    if source != "seeded":
        span = {"min": waiting.dice, "max": waiting.dice * waiting.sides} if waiting else {}
        yield _field_data(one.action, "value", "number") | span | {"optional": source != "table"}


def _plain_field(action: str, name: str, takes: FieldSpec) -> Json:
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
    """Return, for each player to whom a rule leaves it what to do, what is open, and why the rest is not."""
    made: Json = {}
    joined: dict[tuple[str, str, str], list[str]] = {}
    many = len(universes(state)) > MOST_UNIVERSES
    for one in list_choices(state, MOST_UNIVERSES):
        if one.why or one.beside:  # what is not open for the same reason is said once
            why = f" – {closed_reason(one)}" if one.why else ""
            joined.setdefault((one.player, one.action, why), []).append(one.what)
            continue
        where = [*one.where[:2], "…", one.where[-1]] if many and len(one.where) >= MOST_UNIVERSES else one.where
        said = f"Open: {one.told(where)}"
        made.setdefault(one.player, []).append({"said": said, "action": one.action, "beside": False})
    for (player, action, why), whats in sorted(joined.items(), key=lambda one: one[0][2] == ""):
        how = "Not open" if why else "Open besides, for rules of another standing; this is to be done all the same"
        said = f"{how}: {'; '.join(whats)}{why}"
        made.setdefault(player, []).append({"said": said, "action": action, "beside": not why})
    return made


def actions_at_any_time() -> list[str]:
    """Return what players may do without being asked: all that rules can listen for, and the rest."""
    heard = sorted((one for one in ACTIONS.values() if one.heard), key=lambda one: not one.owed)
    return [*(one.name for one in heard), *ALWAYS_OPEN]


def free_actions(state: State) -> Json:
    """Return what players may do at any time, by the action: what it is called, and which fields it has."""
    if state.over or state.paused:
        return {}
    return {
        action: {
            "what": deed.meaning.partition(";")[0], "send": button_label(action),
            "fields": [
                _field_data(action, name, "line") if takes.of == "proposal" else _plain_field(action, name, takes)
                for name, (takes, _) in deed.fields.items()
            ],
            "sure": action == "forfeit",
        }
        for action, deed in [*((one, ACTIONS[one]) for one in actions_at_any_time()), (RECORDED_FIELD,
        HOST_ACTIONS[RECORDED_FIELD])]
    }  # fmt: skip
