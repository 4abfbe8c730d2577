"""Answers to the queries of a view about the current game; nothing happens in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Set
from typing import cast

from nomic_nb.chess.fairplay.evidence import BoardEvidence
from nomic_nb.chess.multiverse.drawing import draw_line
from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.changes import Change, parse_rule_number
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import could_ever_propose, suppose_proposed
from nomic_nb.engine.play.declarations import HOST_ACTIONS
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record.log import fingerprint, record_lines
from nomic_nb.engine.record.seals import current_seals, describe_readable_secrets
from nomic_nb.engine.words import full_sentence, join_words
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.live.machines import Machines, machine_kind
from nomic_nb.notebook.live.next_step import find_next_step
from nomic_nb.notebook.live.player_actions import read_change_argument
from nomic_nb.notebook.live.python_source import PLAY_AGAIN, python_event_call
from nomic_nb.notebook.markup.tree import build_element, element_data
from nomic_nb.notebook.panels import forms
from nomic_nb.notebook.panels.completion import next_words
from nomic_nb.notebook.panels.forms import FORM_WORDS, RECORDED_FIELD, Json, entry_form, fill_in_rule
from nomic_nb.notebook.panels.history_view import (
    history_marks,
    last_unsealed_event,
    law_redline_since,
    read_event_number,
    view_after_event,
)
from nomic_nb.notebook.panels.remedies import no_effect_data
from nomic_nb.notebook.panels.view_boards import multiverse_in_words
from nomic_nb.notebook.panels.ways_out import answer_for_all, take_proposal_back, ways_data
from nomic_nb.notebook.show import draw
from nomic_nb.notebook.show.law import draw_finding, draw_law_book_entry
from nomic_nb.notebook.show.proposals import draw_proposed as change_drawn
from nomic_nb.notebook.store.game_store import KeptGame
from nomic_nb.study.library.phrase_book import find_names, phrase_entries
from nomic_nb.study.library.ready_made import CatalogueEntry
from nomic_nb.study.library.word_search import check_search_words, everyday_words
from nomic_nb.study.review.applicable_rules import ApplicableRules
from nomic_nb.study.review.fitting import fitting_phrases, suggest_in_game
from nomic_nb.study.review.remarks import draft_warnings, remarks_of_warnings
from nomic_nb.study.review.review import review_draft
from nomic_nb.study.views.enforcement import hidden_tables_behind
from nomic_nb.study.views.explanations import explain
from nomic_nb.study.views.proposals import title_of_proposed_rule
from nomic_nb.study.views.redline import compare_change
from nomic_nb.study.what_if import OPPOSITES, past_ballots, what_if

# ----------------------------------------------------------------- what the host does from a panel


#: What is no action of the game, and done from the panel of the whole table alone; so is everything that the host does.
PANEL_ACTIONS: Mapping[str, Set[str]] = {
    "undo": {"event", "seen"}, "fork": {"event"}, "votes": {"proposal", "ballot"},
    "let_in": {"who", "agreed", "reason"}, "again": frozenset(), "hands": {"about", "option"},
    "take_back": {"proposal"}, "machine": {"who", "kind"}, "machines": {"do"},
}  # fmt: skip
#: Those that are about machines, and what can be done with all of them.
MACHINE_ACTIONS, MACHINE_PACES = ("machine", "machines"), ("hold", "go on", "step")
#: Questions that are answered there alone: a record has sealed ballots in it.
HOST_QUERIES = ("record", "arrangement", "ways")
#: What tells that a session is one of Binder's.
BINDER_VARIABLE = "BINDER_LAUNCH_HOST"


def is_host_action(action: str) -> bool:
    """Tell whether an action belongs to the host, who keeps the record, rather than to players."""
    return action in PANEL_ACTIONS or action in HOST_ACTIONS


def do_host_action(game: BaseGame, action: str, given: Json, undoable: Collection[int]) -> str:
    """Do a host's action, undoing only events in `undoable`; return a sentence on the result, empty if history has it.

    Parameters
    ----------
    game : BaseGame
        The game.
    action : str
        One of `PANEL_ACTIONS`, or an action of the host.
    given : mapping
        Its details, as they came from a browser.
    undoable : collection of int
        The acts that can be taken back.

    Raises
    ------
    IllegalAction
        Refused, or details that it does not take.
    """
    _check_details(action, given)
    if action == "again":
        game.play_again()
        return "A new game with the same names begins"
    if action == "fork":
        return _fork_from_event(game, read_event_number(game.timeline, given["event"]))
    if action == "undo":
        _undo_from_action(game, given, undoable)
    elif action == "votes":
        game.votes(given["ballot"], proposal=parse_rule_number(given["proposal"]))
    elif action == "hands":
        answer_for_all(game, given["about"], given["option"])
    elif action == "take_back":
        take_proposal_back(game, parse_rule_number(given["proposal"]))
    elif action == "let_in":
        who, rest = given["who"], {name: given[name] for name in ("agreed", "reason")}
        if not isinstance(who, str) or '"' in who:
            raise IllegalAction(say("name-with-quotation-marks", "a name must be text without quotation marks"))
        game.timeline.do_as_host("correct", {"effect": f'enter player "{who.strip()}" as person', **rest})
    elif action == "set_up":
        game.timeline.do_as_host(action, {**given, "position": _read_typed_position(given.get("position"))})
    elif action == RECORDED_FIELD:
        game.host.time(given.get("now") or None)
    elif action == "annotate":
        at = read_event_number(game.timeline, given.get("at", game.timeline.state.seq))
        game.annotate(str(given.get("text", "")), str(given.get("nag", "")), at=at)
    else:
        game.timeline.do_as_host(action, given)
    return ""


def do_machine_action(machines: Machines, action: str, given: Json) -> str:
    """Seat a machine or take its seat over, or have the machines wait, go on or answer once; return an empty text.

    Raises
    ------
    IllegalAction
        There is no such player, or details that it does not take.
    ValueError
        The kit has no player of this kind.
    """
    _check_details(action, given)
    if action == "machines":
        if given["do"] not in MACHINE_PACES:
            raise IllegalAction(say("no-such-pace", "machines can {known}", known=", ".join(MACHINE_PACES)))
        {"hold": machines.hold, "go on": machines.go_on, "step": machines.step_later}[given["do"]]()
    elif given["kind"]:
        machines[str(_required_argument(given, "who", str))] = str(_required_argument(given, "kind", str))
    else:
        machines.pop(str(given["who"]), None)
    return ""


def _check_details(action: str, given: Json) -> None:
    """Refuse details that a host's action does not take, and missing ones."""
    wanted = PANEL_ACTIONS[action] if action in PANEL_ACTIONS else HOST_ACTIONS[action].fields.keys()
    if given.keys() - wanted or PANEL_ACTIONS.get(action, set()) - given.keys():
        raise IllegalAction(
            say(
                "question-takes-other-details",
                "“{question}” takes {takes}",
                question=action,
                takes=", ".join(sorted(wanted)) or "nothing else",
            )
        )


def _undo_from_action(game: BaseGame, given: Json, undoable: Collection[int]) -> None:
    """Undo the action that `given` names and all after it; refuse if not in `undoable`, or if events came meanwhile."""
    if given["seen"] != game.timeline.state.seq:
        raise IllegalAction(
            say("undo-request-outdated", "something else has happened since. Check the list again before you undo")
        )
    if given["event"] not in undoable:
        raise IllegalAction(
            say(
                "no-act-to-take-back",
                "you can’t undo this: it isn’t an action that is still in effect, or it happened too long ago",
            )
        )
    around = CELL_WATCH.act_around(game.timeline, given["event"])
    game.undo(around[0] if around is not None else given["event"] - 1)


def _fork_from_event(game: BaseGame, event: int) -> str:
    """Fork the game after an event and return a sentence on where to find the fork."""
    fork = game.fork(at=event)
    places = [at for at, branch_of_game in enumerate(game.forks) if branch_of_game.game.timeline is fork.timeline]
    return (
        f"There is now a branch from here. If you started the game from a form, the form lists it with the branches;"
        f" in a cell it is game.forks[{places[0]}].game"
    )


def _read_typed_position(written: object) -> object:
    """Return a typed position as a dict of pieces by army; a FEN, without army names, as it is."""
    lines = [line.strip() for line in written.splitlines() if line.strip()] if isinstance(written, str) else []
    if not lines or ":" not in lines[0]:
        return written
    pieces_by_army: dict[str, str] = {}
    for line in lines:
        army, colon, pieces = line.partition(":")
        if not colon or army.strip() in pieces_by_army:
            raise IllegalAction(
                say(
                    "army-line-unreadable",
                    "give each army one line, e.g. white: Ke1 a2; found “{found}”",
                    found=line[:40],
                )
            )
        pieces_by_army[army.strip()] = pieces.strip()
    return pieces_by_army


def position_text_data(game: BaseGame) -> Json:
    """Return the pieces on the boards as text to edit, one line for each army, as JSON data."""
    return {"position": "\n".join(f"{army}: {pieces}" for army, pieces in game.arrangement.items())}


def record_for_download(game: BaseGame) -> Json:
    """Return the record as JSON data: file name, text, fingerprint, and a note on secrets in it."""
    text, letters = "".join(f"{line}\n" for line in record_lines(game.timeline)), fingerprint(game.timeline)
    return {
        "name": f"{game.ruleset.name}.jsonl",
        "text": text,
        "letters": letters,
        "said": describe_readable_secrets(game.timeline),
    }


def forgetting_notice() -> str:
    """Return a warning that the server forgets games, if it is one of Binder's; else an empty text."""
    if BINDER_VARIABLE not in os.environ:
        return ""
    return "This runs on Binder, which forgets everything after a few minutes without activity. Save often."


# ------------------------------------------------------------------------------------------------ what a view asks


#: Letters of a search.
LONGEST_SEARCH = 200
#: How much the words that a suggestion shares with a wording must count, as in `WordSearch.rank`.
NEAR_ENOUGH = 20
#: Kinds of change that a rule in force can have.
CHANGES_OF_RULES = ("amend", "repeal", "transmute")
#: The questions that take long; they are answered when nobody waits.
LONG_QUERIES = ("review", "what_if")

#: What is asked beside play, about the past and for the record, each of a game and an event.
DESK_QUERIES: Mapping[str, Callable[[BaseGame, object], Json]] = {
    "marks": lambda game, _: history_marks(game),
    "terms": lambda game, _: {"terms": list(game.timeline.state.law.vocabulary.keys_but_permissions)},
    "past": view_after_event,
    "since": law_redline_since,
    "judgments": lambda game, _: {"tree": element_data(draw(game.judgments))},
    "record": lambda game, _: record_for_download(game),
    "arrangement": lambda game, _: position_text_data(game),
}
#: Pictures that are sent with a refusal.
MOST_PICTURES = 3
#: The next action that the game needs, and the place of its line of Python.
NEXT = "next"
NOTHING_DONE = "# Everything so far was done in cells."
SEALED_NOTICE = "# What comes next would reveal a sealed ballot. It appears here once that vote is closed."


def answer_query(game: BaseGame, seat: str | None, message: Json, *, again: bool = False) -> Json:
    """Return the answer to the question in `message` as JSON data; `seat` asks it.

    Parameters
    ----------
    game : BaseGame
        The game; its lock is held.
    seat : str or None
        Who asks; where all sit at one panel, the message may name who.
    message : dict
        The question.
    again : bool
        Whether the game was begun from a view, with the names of the one before.

    Raises
    ------
    IllegalAction
        There is no such question, or it does not say what it is about.
    """
    given, state = message.get("details", {}), game.timeline.state
    match message["ask"]:
        case "change":
            return _draft_preview(game, _find_proposer(state, seat, message), given.get("change"))
        case "ready":
            player = _find_proposer(state, seat, message)
            if "words" in given:
                return _found_rules(state, str(_required_argument(given, "words")))
            return _ready_made_rules(state, player)
        case "made":
            return fill_in_rule(state, given.get("name"), given.get("given"))
        case "calls":
            step = find_next_step(game)
            own = step is not None and seat in (None, step.player) and not machine_kind(game.timeline, step.player)
            due = step.python() if step is not None and own else ""
            calls = [*([PLAY_AGAIN] if again else []), *_calls_outside_cells(game)]
            return {"calls": "\n".join(calls) or NOTHING_DONE, NEXT: due}
        case "boards" if state.position is not None:
            return {"boards": multiverse_in_words(state.position)}
        case "rule":
            at = game.at(last_unsealed_event(game.timeline, given["event"])) if "event" in given else game
            return {"tree": element_data(draw_law_book_entry(at.rules, at.rules[_required_argument(given, "rule")]))}
        case "why":
            return {"tree": element_data(draw_finding(_explain_term(game, str(_required_argument(given, "term")))))}
        case "alike":
            texts = {str(rule.number): f"{rule.title} {rule.wording} {rule.law}" for rule in game.rules}
            return {"alike": {number: " ".join(everyday_words(text)) for number, text in texts.items()}}
        case "ballots":
            return {"ballots": _ballots_to_reverse(state, game.timeline)}
        case "ways":
            return ways_data(game, given)
        case "words":
            return next_words(state, given.get("law"), given.get("at"))
        case about if about in DESK_QUERIES:
            return DESK_QUERIES[about](game, given.get("event"))
    raise IllegalAction(
        say(
            "no-such-question",
            "there is no such question. You can ask about {known}",
            known=join_words(FORM_WORDS["asked"]["about"]),
        )
    )


def _explain_term(game: BaseGame, term: str) -> Finding:
    """Return the finding on a key of the law; raise IllegalAction if it depends on a hidden table."""
    finding = game.why(term)
    if hidden := hidden_tables_behind(game.timeline.state.law, term):
        raise IllegalAction(
            say(
                "term-rests-on-what-is-hidden",
                "{term} depends on {hidden}, where each player sees only their own entries",
                term=term,
                hidden=join_words(hidden),
            )
        )
    return finding


def _required_argument(given: Json, name: str, *kinds: type) -> str | int:
    """Return an argument of a query, of one of these types (default: a number or a text); refuse if it is missing."""
    word = given.get(name)
    if isinstance(word, bool) or not isinstance(word, kinds or (str, int)):
        raise IllegalAction(say("query-without-a-name", "say which {what} you mean", what=name))
    return cast("str | int", word)


def long_query(timeline: Timeline, seat: str | None, message: Json) -> Json:
    """Return the answer to a question that takes long (see `LONG_QUERIES`) as JSON data; takes no lock.

    Raises
    ------
    IllegalAction, LawError, ValueError
        The question makes no sense, or it is not the time for it.
    """
    if message["ask"] == "review":
        return review_query(timeline, seat, message)
    if not timeline.state.over:  # else players could try how their sealed and hidden values would turn out
        raise IllegalAction(say("what-if-before-the-end", "you can ask this once the game is over"))
    return {"said": str(what_if(timeline, int(_required_argument(message.get("details", {}), "event", int))))}


def _ballots_to_reverse(state: State, timeline: Timeline) -> Json:
    """Return the closed votes with their ballots, by proposal number, as JSON data: title, and event by player."""
    votes: Json = {}
    for past in past_ballots(timeline) if state.over else ():
        proposal = state.proposals[past.proposal]
        title = title_of_proposed_rule(proposal, state) or proposal.change.headline
        vote = votes.setdefault(str(past.proposal), {"title": title, "ballots": {}})
        vote["ballots"][past.player] = [past.event, OPPOSITES[past.ballot]]
    return votes


def review_query(timeline: Timeline, seat: str | None, message: Json) -> Json:
    """Return a review of the change in `message` as JSON data: sentences, perhaps a fair-play meter; takes no lock.

    Raises
    ------
    IllegalAction, LawError
        It is no change, or nobody's.
    """
    player = _find_proposer(timeline.state, seat, message)
    change = read_change_argument(forms.read_change_data(message.get("details", {}).get("change")), timeline.state)
    sentences, power = review_draft(timeline, player, change)
    return {"review": sentences} | ({"meter": power.picture.element().attrib} if power is not None else {})


def _find_proposer(state: State, seat: str | None, message: Json) -> str:
    """Return who would propose a change: the seat's player, the one named in the message, or the first."""
    player = seat or message.get("player") or next(iter(state.person_names), "")
    if not isinstance(player, str) or player not in state.person_names:
        raise IllegalAction(say("proponent-missing", "say who would propose this"))
    return player


def _ready_made_rules(state: State, player: str) -> Json:
    """Return the ready-made rules that fit, with wording, and for each rule in force the kinds of change it can have.

    Where a ready-made rule names a player, it names the one who would propose it.
    """
    ready: Json = {}
    applicable = [one.entry for one in ApplicableRules(state)]
    for entry in (*applicable, *(phrase_entries()[name] for name in fitting_phrases(state))):
        ready[entry.name] = _ready_form(state, player, entry)
    changes = {
        str(rule.number): [kind for kind in CHANGES_OF_RULES if _can_change_rule(state, player, kind, rule.number)]
        for rule in state.rules
    }
    return {"ready": ready, "changes": changes}


def _ready_form(state: State, player: str, entry: CatalogueEntry) -> Json:
    """Return the form of a ready-made rule, with its title and wording."""
    form = entry_form(entry)
    fields = [_place_field(field, state, player) for field in form["fields"]]
    rule = entry.make(player=player) if any("options" in field for field in fields) else entry.rule
    return form | {"fields": fields, "title": rule.title, "wording": rule.wording}


def _place_field(field: Json, state: State, player: str) -> Json:
    """Return the form field of a place in a ready-made rule, with its label; a player is chosen from those who play."""
    label = FORM_WORDS["places"].get(field["name"], field["label"])
    if field["name"] != "player":
        return field | {"label": label}
    return field | {"label": label, "default": player, "options": list(state.person_names)}


def _can_change_rule(state: State, player: str, kind: str, number: Number) -> bool:
    """Tell whether a player can ever propose a change of this kind for a rule in force."""
    change = Change(kind, number, "An example." if kind == "amend" else None)
    return could_ever_propose(state.law, suppose_proposed(state, change, player), player)


def _found_rules(state: State, words: str) -> Json:
    """Return the names of the ready-made rules that everyday words find, best first, as JSON data."""
    fitting = {*(one.entry.name for one in ApplicableRules(state)), *fitting_phrases(state)}
    return {"found": [name for name in find_names(check_search_words(words)[:LONGEST_SEARCH]) if name in fitting]}


def _draft_preview(game: BaseGame, player: str, written: object) -> Json:
    """Return a preview of a change being written: redline, explanation and remarks, or what is wrong."""
    state = game.timeline.state
    try:
        change = read_change_argument(forms.read_change_data(written), state)
        check_change(state, change)
    except LawError as error:
        return {"law": law_error_data(error)}
    except (IllegalAction, LookupError) as error:
        return {"why": full_sentence(str(error.args[0])), **error_code_data(error)}
    proposed_rule = compare_change(state, change, None, player, "")
    what = [element_data(build_element("div", part)) for part in change_drawn(proposed_rule) if part is not None]
    sentences = list(explain(change).sentences)
    ready: Json = {}
    if change.kind == "enact" and not change.law:
        near = suggest_in_game(state, change.wording or change.title or "", NEAR_ENOUGH)
        ready = {
            one.name: _ready_form(state, player, one.entry) | {"wording": one.wording, "filled": one.filled}
            for one in near
        }
    signs, untried = draft_warnings(state, player, change)
    remarks = remarks_of_warnings(signs, untried)
    odd = [[remark.line, remark.evidence] for remark in remarks] + ([[remarks.untried, ""]] if remarks.untried else [])
    return {"ready": ready, "what": what, "said": sentences, "odd": odd} | no_effect_data(state, player, change, signs)


def _calls_outside_cells(game: BaseGame) -> Iterator[str]:
    """Yield a Python call for each action that no cell did, up to the first that shows a sealed ballot."""
    timeline = game.timeline
    keeper, hidden = timeline.keeper, current_seals(timeline)
    hands = {seq: hand for seq, (hand, _) in keeper.hands_by_event().items()} if isinstance(keeper, KeptGame) else {}
    for event, _ in timeline.moments:
        if event.do in ("", "begin") or CELL_WATCH.is_played_by_cell(timeline, event, hands):
            continue
        if event.seq in hidden.telling:
            yield SEALED_NOTICE
            return
        yield python_event_call(event)


def error_code_data(error: Exception) -> Json:
    """Return ``{"code": …}`` with the code of an error's message; an empty dict if it has none."""
    message = next(
        (candidate for candidate in (getattr(error, "message", ""), *error.args) if isinstance(candidate, Message)),
        None,
    )
    return {"code": message.code} if message is not None and message.code else {}


def evidence_data(error: Exception) -> Json:
    """Return ``{"shown": …}`` with pictures of an error's evidence on boards; an empty dict if boards show nothing."""
    shown = error.values.get("shown") if isinstance(error, IllegalAction) else None
    found = [text for text in shown if isinstance(text, BoardEvidence)] if isinstance(shown, tuple) else []
    # A king that nothing attacks is shown only where nothing else is.
    found = [text for text in found if text.moves] or [text for text in found if text.squares]
    pictures = []
    for text in found[:MOST_PICTURES]:
        image = draw_line(text.position, text.moves, text.squares).element().attrib
        pictures.append({"said": full_sentence(text), **{name: image[name] for name in ("src", "alt", "width")}})
    return {"shown": pictures} if pictures else {}


def law_error_data(error: LawError) -> Json:
    """Return an error in clauses as JSON data: its message, line and column, and an example."""
    return {
        **error_code_data(error), "message": error.message, "line": error.line, "column": error.column,
        "found": error.found,
        "expected": error.expected, "text": error.text, "example": error.example,
    }  # fmt: skip
