"""What a view asks: answers about the game as it stands, in which nothing happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record.seals import seals
from nomic_nb.engine.words import full_sentence, listed
from nomic_nb.notebook.live.acts import as_change
from nomic_nb.notebook.live.base import BaseGame
from nomic_nb.notebook.live.calls import event_call
from nomic_nb.notebook.markup.tree import el, plain
from nomic_nb.notebook.panels import reading
from nomic_nb.notebook.panels.asking import Json
from nomic_nb.notebook.panels.boards import in_words
from nomic_nb.notebook.panels.hosting import record, stands
from nomic_nb.notebook.panels.next_words import next_words
from nomic_nb.notebook.panels.offered import made, offered
from nomic_nb.notebook.panels.past import marks, seen_at, since, stood
from nomic_nb.notebook.panels.words import WORDS
from nomic_nb.notebook.show import drawn
from nomic_nb.notebook.show.findings import finding
from nomic_nb.notebook.show.law import entry
from nomic_nb.notebook.show.proposals import proposed as change_drawn
from nomic_nb.study.review.odd import odd_draft
from nomic_nb.study.review.review import in_short
from nomic_nb.study.review.shelf import like
from nomic_nb.study.views.explained import explain
from nomic_nb.study.views.redline import beside

#: The question that takes long; it is answered when nobody waits.
LONG = "review"

#: What is asked beside play, about the past and for the record, each of a game and an event.
DESK: Mapping[str, Callable[[BaseGame, object], Json]] = {
    "marks": lambda game, _: marks(game.timeline),
    "past": stood,
    "since": since,
    "judgments": lambda game, _: {"tree": plain(drawn(game.judgments))},
    "record": lambda game, _: record(game),
    "arrangement": lambda game, _: stands(game),
}
NOTHING = "# Nothing was done in a panel or on a page yet."
SEALED = "# What comes next tells of a sealed ballot; it is written here once its vote is closed."


def answer(game: BaseGame, seat: str | None, message: Json, clicked: Sequence[Event]) -> Json:
    """Answer a question.

    Parameters
    ----------
    game : BaseGame
        About which it is; its lock is held.
    seat : str or None
        Who asks; where all sit at one panel, the message may name who.
    message : dict
        The question.
    clicked : sequence of Event
        What was done from views.

    Raises
    ------
    IllegalAction
        There is no such question, or it does not say what it is about.
    """
    given, state = message.get("details", {}), game.timeline.state
    match message["ask"]:
        case "change":
            return _looked_at(game, _writer(state, seat, message), given.get("change"))
        case "ready":
            return {"ready": offered(state)}
        case "made":
            return made(state, given.get("name"), given.get("given"))
        case "calls":
            return {"calls": "\n".join(_calls(game, clicked)) or NOTHING}
        case "boards" if state.position is not None:
            return {"boards": in_words(state.position)}
        case "rule":
            at = game.at(seen_at(game.timeline, given["event"])) if "event" in given else game
            return {"tree": plain(entry(at.rules, at.rules[_word(given, "rule")]))}
        case "why":
            return {"tree": plain(finding(_why(game, str(_word(given, "term")))))}
        case "terms":
            return {"terms": list(state.law.vocabulary.terms)}
        case "words":
            return next_words(state, given.get("law"), given.get("at"))
        case about if about in DESK:
            return DESK[about](game, given.get("event"))
    raise IllegalAction(f"what can be asked about is {listed(WORDS['asked']['about'])}")


def _why(game: BaseGame, term: str) -> Finding:
    """Explain a term; one that rests on what is hidden would tell it to all."""
    found, law = game.why(term), game.timeline.state.law
    hidden = sorted(name for name in law.dependence.tables_read([term]) if law.tables[name].hidden)
    if hidden:
        raise IllegalAction(f"{term} rests on {listed(hidden)}, of which each sees only what is their own")
    return found


def _word(given: Json, name: str) -> str | int:
    """Return what is asked about, where it can be a number or a name."""
    found = given.get(name)
    if isinstance(found, bool) or not isinstance(found, (str, int)):
        raise IllegalAction(f"say which {name}")
    return found


def review(timeline: Timeline, seat: str | None, message: Json) -> Json:
    """Say what a change would come to, of a game as it stands; nothing is locked.

    Raises
    ------
    IllegalAction, LawError
        It is no change, or nobody's.
    """
    player = _writer(timeline.state, seat, message)
    change = as_change(reading.change(message.get("details", {}).get("change")), timeline.state)
    said, power = in_short(timeline, player, change)
    return {LONG: said} | ({"meter": power.picture.element().attrib} if power is not None else {})


def _writer(state: State, seat: str | None, message: Json) -> str:
    """Return who would propose a change; where all sit at one panel and nobody is named, the first of them."""
    player = seat or message.get("player") or next(iter(state.persons), "")
    if not isinstance(player, str) or player not in state.persons:
        raise IllegalAction("say who would propose it")
    return player


def _looked_at(game: BaseGame, player: str, written: object) -> Json:
    """Say what a change comes to that is being written: its redline, and what is odd about it."""
    state = game.timeline.state
    try:
        change = as_change(reading.change(written), state)
        check_change(state, change)
    except LawError as error:
        return {"law": law_error(error)}
    except (IllegalAction, LookupError) as error:
        return {"why": full_sentence(str(error.args[0]))}
    found = beside(state, change, None, player, "")
    what = [plain(el("div", part)) for part in change_drawn(found) if part is not None]
    said = list(explain(change).sentences)
    near = like(state, f"{change.title} {change.wording}") if change.kind == "enact" and not change.law else []
    ready = [[one.entry.name, one.entry.rule.title] for one in near]
    remarks = odd_draft(state, player, change)
    odd = [[one.line, one.evidence] for one in remarks] + ([[remarks.untried, ""]] if remarks.untried else [])
    return {"ready": ready, "what": what, "said": said, "odd": odd}


def _calls(game: BaseGame, clicked: Sequence[Event]) -> Iterator[str]:
    """Yield the Python of what was done and is on record, up to what nobody may see yet."""
    moments, hidden = game.timeline.moments, seals(game.timeline)
    for event in clicked:
        if event.seq in hidden.telling:
            yield SEALED
            return
        if event.seq <= len(moments) and moments[event.seq - 1][0] == event:
            yield event_call(event)


def law_error(error: LawError) -> Json:
    """Return what is wrong with clauses, and where."""
    return {
        "message": error.message, "line": error.line, "column": error.column, "found": error.found,
        "expected": error.expected, "text": error.text, "example": error.example,
    }  # fmt: skip
