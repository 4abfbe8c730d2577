"""What rules ask of several at once, with a tile for each of them, and what they have put off."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from nomic_nb.markup.tree import el, items, soft
from nomic_nb.markup.words import cited, full_sentence
from nomic_nb.play.facts import offered
from nomic_nb.play.pending import Later, Poll
from nomic_nb.play.state import State
from nomic_nb.play.waits import answered, until


def polls(state: State) -> list[Element]:
    """Return each poll that waits for answers, and what is due: nothing where there is nothing."""
    asked = [_poll(state, one) for one in state.polls.values() if one.open and one.several]
    later = items((_put_off(state, one) for one in state.later), "waits")
    return asked if later is None else [*asked, el("h3", "Put off", cls="title"), later]


def _put_off(state: State, one: Later) -> str:
    rule = cited(one.cause.rule) if one.cause is not None else ""
    return full_sentence(f"{until(state, one.due)}: {one.effect.words}{rule}")


def _poll(state: State, poll: Poll) -> Element:
    """Return a poll: what is asked, what can be answered, and a tile for everybody who is."""
    options = " · ".join(offered(state, one) for one in poll.options) or poll.free
    close = until(state, poll.due) if poll.due is not None else ""
    about = ", ".join(filter(None, [options, "in secret" if poll.secret else "", close])) + cited(poll.rule)
    return el(
        "section",
        el("h3", poll.text or f"What is {poll.name}?", cls="title"),
        el("p", soft(about)),
        el("ul", *(_tile(state, poll, name) for name in poll.who), cls="tiles"),
    )


def _tile(state: State, poll: Poll, name: str) -> Element:
    said = answered(state, poll, name) if name in poll.answers else "…" if name in state.present else "absent"
    return el("li", el("bdi", name, cls="name"), el("span", said, cls="cast"), cls="tile")
