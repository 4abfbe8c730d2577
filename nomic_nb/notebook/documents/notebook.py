"""A game as a notebook that plays it again, a cell a turn."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.record.seals import seals
from nomic_nb.engine.rulesets.literate import RuleSet, find_ruleset, known
from nomic_nb.notebook.documents.annotated import opening, outcome
from nomic_nb.notebook.documents.page import Anchors
from nomic_nb.notebook.documents.record import Record, comments
from nomic_nb.notebook.documents.story import Beat, Chapter, Variation, story
from nomic_nb.notebook.live.base import BaseGame
from nomic_nb.notebook.live.calls import event_call, literal, new_game_call
from nomic_nb.notebook.markup.tree import el, items, mark, put
from nomic_nb.notebook.markup.writer import Markdown, inline


def to_notebook(game: BaseGame) -> dict[str, Any]:
    """Return a notebook that plays a game again: a cell a turn, and one that checks that all is the same.

    Where there are ballots that are sealed still, the notebook ends before the first of them.

    Parameters
    ----------
    game : BaseGame
        As it stands, or as it stood.

    Returns
    -------
    dict
        The notebook (nbformat 4.5) as plain data, without outputs; ``json.dump`` writes it.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> made = game.propose("Ann", nb.repeal(206))
    >>> [cell["id"] for cell in to_notebook(game)["cells"]]
    ['title', 'game', 'turn-1-story', 'turn-1', 'end-story', 'end']
    """
    again = el("p", "Run the cells from top to bottom to play the game again.")
    cells = [_markdown("title", Markdown().write(opening(game), again))]
    name, file = _ruleset(game.ruleset)
    if file:
        cells.append(_code("rules", f"from pathlib import Path\n\nPath({name!r}).write_bytes({file}.encode())"))
    begin = new_game_call(game.timeline.setting, name)
    cells.append(_code("game", f"import nomic_nb as nb\n\ngame = {begin}\ngame"))
    end = _first_secret(game)
    record = Record(Anchors("nnb"))
    for chapter in story(game):
        actions = [event for event in chapter.actions if event.seq < end]
        told = _told(chapter, end, record)
        if told:
            cells.append(_markdown(f"{chapter.name}-story", told))
        if actions:
            cells.append(_code(chapter.name, "\n".join([*(event_call(event) for event in actions), "game"])))
    cells += _end(game, end)
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _markdown(id: str, source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": id, "metadata": {}, "source": source}


def _code(id: str, source: str) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "id": id, "metadata": {}, "outputs": [], "source": source}


def _ruleset(ruleset: RuleSet) -> tuple[str, str]:
    """Return how a rule set is called, and its text as a literal where it does not come with the kit."""
    if ruleset.name in known() and find_ruleset(ruleset.name, language()).digest == ruleset.digest:
        return ruleset.name, ""
    plain = re.sub(r"[^a-z0-9]+", "-", ruleset.name.lower()).strip("-")[:40] or "rules"
    text = literal(ruleset.text)
    return f"{plain}-{ruleset.digest[:8]}.md", text


def _told(chapter: Chapter, end: int, record: Record) -> str:
    shown = [beat for beat in chapter.beats if beat.seq < end]
    runs = [
        [record.of_turn(turn, player), el("ul", [_item(beat, record) for beat in run])]
        for turn, player, run in chapter.runs(shown)
    ]
    said = Markdown().write(record.heading("h2", chapter), comments(chapter.comments), runs)
    return said if shown or chapter.comments else ""


def _item(beat: Beat, record: Record) -> Element:
    if isinstance(beat.made, Variation):
        return el("li", el("p", beat.text), items(beat.made.lines))
    line = record.line(beat)
    put(line, " ", mark("taken back") if beat.undone else None)
    return el("li", line, comments(beat.comments))


def _first_secret(game: BaseGame) -> int:
    """Return the number of the first action that tells a sealed ballot."""
    sealed = seals(game.timeline)
    last = len(game.timeline.moments)
    return next((event.seq for event in game.timeline.events if event.action and event.seq in sealed.telling), last + 1)


def _end(game: BaseGame, end: int) -> list[dict[str, Any]]:
    last = len(game.timeline.moments)
    if end <= last:
        said = "The next ballot is sealed, and its vote is not closed. So the notebook ends here; the game went on."
    else:
        said = inline(outcome(game))
    digest = game.timeline.after(end - 1).digest()
    # A game that is looked at as it stood can stop in the middle of what one action set off.
    state = f"game.at({last}).state" if end > last and game.timeline.past else "game.state"
    check = f"assert {state}.digest() == {digest!r}"
    return [
        _markdown("end-story", f"## The end\n\n{said}\n\nThe last cell checks that everything is as it was."),
        _code("end", check),
    ]
