"""The game as it stood after an event, for whoever goes back in it; nothing happens there."""

from __future__ import annotations

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.play.events import unknown_event_message
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record.seals import open_seals
from nomic_nb.engine.record.sentences import sentence
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.markup.tree import build_element, element_data
from nomic_nb.notebook.panels.forms import FORM_WORDS, Json
from nomic_nb.notebook.panels.view_boards import boards_data
from nomic_nb.notebook.show.game import draw_standings
from nomic_nb.notebook.show.law import draw_redline
from nomic_nb.study.views import LawBook
from nomic_nb.study.views.redline import LawRedline


def event_marks(timeline: Timeline) -> Json:
    """Return what stands out in a game, by event."""
    hidden, known = open_seals(timeline).after, FORM_WORDS["marks"]
    seen = (event for event in timeline.events if event.kind in known and event.seq not in hidden)
    return {"last": len(timeline.moments), "marks": {str(event.seq): known[event.kind] for event in seen}}


def past_view(game: BaseGame, event: object) -> Json:
    """Return how a game stood right after an event: score, law and boards, and how the law differs from now.

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
    >>> found = past_view(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7), 1)
    >>> found["said"], found["law"][0]["title"]
    ('The game begins, with Ann and Ben.', 'Everyone keeps the rules')
    """
    timeline, seq = game.timeline, check_event(game.timeline, event)
    past, hidden = game.at(last_visible_event(timeline, event)), open_seals(timeline)
    then, now = past.state, timeline.state
    changed = {} if then.rules is now.rules else {one.old.id: one.what for one in LawRedline(then, now) if one.old}
    book = LawBook(past.timeline, then)
    rows = [
        {"number": rule.number, "tier": tier, "title": rule.title, "void": book.void(rule),
         "since": changed.get(rule.id, "")}
        for tier, rules in book.by_tier().items() for rule in rules
    ]  # fmt: skip
    chess = None
    if then.position is not None:
        chess = boards_data(then, past.last_move)
        del chess["drawings"]  # which are there already, and large
    return {
        "event": seq, "last": len(timeline.moments),
        "said": full_sentence(sentence(timeline.moments[seq - 1][0], hidden)),
        "turn": then.turn, "circuit": then.circuit, "law": rows, "chess": chess,
        "score": element_data(build_element("div", draw_standings(past, "Score then", armies=True))),
        "later": [f"{rule.number} {rule.title}" for rule in now.rules if rule.id not in then.rules.rules],
    }  # fmt: skip


def law_redline_since(game: BaseGame, event: object) -> Json:
    """Return how the law has changed since an event, as a redline."""
    then = game.timeline.at(last_visible_event(game.timeline, event)).state
    return {"tree": element_data(draw_redline(LawRedline(then, game.timeline.state)))}


def last_visible_event(timeline: Timeline, event: object) -> int:
    """Return the last event up to one whose outcome may be seen: what sealed ballots brought about is not shown."""
    seq, hidden = check_event(timeline, event), open_seals(timeline).after
    while seq in hidden:
        seq -= 1
    return seq


def check_event(timeline: Timeline, event: object) -> int:
    """Return the number of an event.

    Raises
    ------
    IllegalAction
        There is none of this number.
    """
    last = len(timeline.moments)
    if type(event) is not int or not 1 <= event <= last:
        raise IllegalAction(unknown_event_message(last, str(event)[:40]))
    return event
