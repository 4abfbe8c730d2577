"""The game as it was after an event, for whoever goes back in it; nothing happens there."""

from __future__ import annotations

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.play.events import unknown_event_message
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.machines import mark_machine, marking_machines
from nomic_nb.notebook.markup.tree import build_element, element_data
from nomic_nb.notebook.panels.forms import FORM_WORDS, Json
from nomic_nb.notebook.panels.view_boards import boards_data
from nomic_nb.notebook.show.game import draw_standings
from nomic_nb.notebook.show.law import draw_redline
from nomic_nb.notebook.show.strip import LEGEND, turns_in_words
from nomic_nb.study.views import LawBook
from nomic_nb.study.views.redline import LawRedline


def history_marks(game: BaseGame) -> Json:
    """Return the last event's number, the mark of each notable event, and the latest turns as ticks of a strip."""
    timeline = game.timeline
    hidden, known = current_seals(timeline).after, FORM_WORDS["marks"]
    seen = (event for event in timeline.events if event.kind in known and event.seq not in hidden)
    turns = []
    for turn, said in turns_in_words(game.strip):
        signs = {kind: text[0] for kind, text in LEGEND.items() if kind in turn.marks}
        turns.append({
            "at": turn.ends, "mark": next(iter(signs), ""), "sign": "".join(signs.values()) or "·",
            "said": f"{said} game.at({turn.ends})",
        })  # fmt: skip
    marks = {str(event.seq): known[event.kind] for event in seen}
    return {"last": len(timeline.moments), "marks": marks, "turns": turns}


def view_after_event(game: BaseGame, event: object) -> Json:
    """Return score, boards and rules right after an event, given by its number, and what changed since, as JSON.

    Parameters
    ----------
    game : BaseGame
        As it stands; its lock is held.
    event : int
        The number of the event.

    Raises
    ------
    IllegalAction
        There is no such event.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> found = view_after_event(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7), 1)
    >>> found["said"], found["law"][0]["title"]
    ('The game begins with Ann and Ben.', 'Everyone keeps the rules')
    """
    timeline, seq = game.timeline, read_event_number(game.timeline, event)
    past, hidden = game.at(last_unsealed_event(timeline, event)), current_seals(timeline)
    then, now = past.state, timeline.state
    changed = (
        {}
        if then.rules is now.rules
        else {difference.old.id: difference.change_summary for difference in LawRedline(then, now) if difference.old}
    )
    book = LawBook(past.timeline, then)
    rows = [
        {"number": rule.number, "tier": tier, "title": rule.title, "void": book.void_reason(rule),
         "since": changed.get(rule.id, "")}
        for tier, rules in book.rules_by_tier().items() for rule in rules
    ]  # fmt: skip
    chess = None
    if then.position is not None:
        chess = boards_data(then, past.last_move)
        del chess["drawings"]  # which are there already, and large
    shown = timeline.moments[seq - 1][0]
    with marking_machines(timeline):
        score = element_data(build_element("div", draw_standings(past, "Score then", armies=True)))
    return {
        "event": seq, "last": len(timeline.moments),
        "said": full_sentence(mark_machine(timeline, shown, sentence(shown, hidden))),
        "turn": then.turn, "circuit": then.circuit, "law": rows, "chess": chess,
        "score": score,
        "later": [f"{rule.number} {rule.title}" for rule in now.rules if rule.id not in then.rules.rules],
    }  # fmt: skip


def law_redline_since(game: BaseGame, event: object) -> Json:
    """Return a redline of the law from the given event to now, as JSON data."""
    then = game.timeline.past_game(last_unsealed_event(game.timeline, event)).state
    return {"tree": element_data(draw_redline(LawRedline(then, game.timeline.state)))}


def last_unsealed_event(timeline: Timeline, event: object) -> int:
    """Return the number of the last event, up to the given one, that gives away no ballot still sealed."""
    seq, hidden = read_event_number(timeline, event), current_seals(timeline).after
    while seq in hidden:
        seq -= 1
    return seq


def read_event_number(timeline: Timeline, event: object) -> int:
    """Return an event number sent by a browser; raise IllegalAction if the game has no such event.

    Raises
    ------
    IllegalAction
        There is none of this number.
    """
    last = len(timeline.moments)
    if type(event) is not int or not 1 <= event <= last:
        raise IllegalAction(unknown_event_message(last, str(event)[:40]))
    return event
