"""A game as a notebook that plays it again, a cell a turn."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.record.log import refuse_trial
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.engine.rulesets.literate import find_ruleset, known_rulesets
from nomic_nb.notebook.documents.annotated import result_text, title_section
from nomic_nb.notebook.documents.authored import GameAnchors
from nomic_nb.notebook.documents.narrative import Beat, Chapter, Variation, tell_story
from nomic_nb.notebook.documents.record import RecordTree, comment_blocks
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.python_source import python_event_call, python_literal, python_new_game_call
from nomic_nb.notebook.markup.tree import append_children, badge, build_element, item_list
from nomic_nb.notebook.markup.writer import MarkdownWriter, escape_inline
from nomic_nb.study.search.loopholes import Certificate


def to_notebook(game: BaseGame) -> dict[str, Any]:
    """Return a Jupyter notebook, as a dict, that plays a game again, one cell per turn, and checks the result.

    If some ballots are still sealed, the notebook ends before the first of them.

    Parameters
    ----------
    game : BaseGame
        The game, or a past state of it.

    Returns
    -------
    dict
        The notebook (nbformat 4.5) as plain data, without outputs; ``json.dump`` writes it.

    Raises
    ------
    RecordError
        The game is a trial.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> made = game.propose("Ann", nb.repeal(206))
    >>> [cell["id"] for cell in to_notebook(game)["cells"]]
    ['title', 'game', 'turn-1-story', 'turn-1', 'end-story', 'end']
    """
    refuse_trial(game.timeline)
    again = build_element("p", "Run the cells from top to bottom to replay the game.")
    cells = [_markdown_cell("title", MarkdownWriter().write(title_section(game), again))]
    *rules, begin = _first_cells(game)
    cells += [_code_cell("rules", text) for text in rules]
    cells.append(_code_cell("game", f"{begin}\ngame"))
    end = _first_sealed_event(game)
    record = RecordTree(GameAnchors(game))
    for chapter in tell_story(game):
        actions = [event for event in chapter.actions if event.seq < end]
        told = _chapter_markdown(chapter, end, record)
        if told:
            cells.append(_markdown_cell(f"{chapter.anchor_name}-story", told))
        if actions:
            cells.append(
                _code_cell(chapter.anchor_name, "\n".join([*(python_event_call(event) for event in actions), "game"]))
            )
    cells += _final_cells(game, end)
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def certificate_cells(game: BaseGame, certificate: Certificate) -> tuple[str, ...]:
    """Return Python cells that begin a new game, repeat everything so far, and then play a certificate’s line."""
    past = [event for event in game.timeline.events_in_effect if event.is_action and event.do != "begin"]
    cells = _first_cells(game)
    cells += ["\n".join(map(python_event_call, events)) for events in (past, certificate.events) if events]
    return tuple(cells)


def _markdown_cell(id: str, source: str) -> dict[str, Any]:
    """Return a Markdown cell with an id and a text, as notebook-format data."""
    return {"cell_type": "markdown", "id": id, "metadata": {}, "source": source}


def _code_cell(id: str, source: str) -> dict[str, Any]:
    """Return a code cell with an id and Python source, without outputs, as notebook-format data."""
    return {"cell_type": "code", "execution_count": None, "id": id, "metadata": {}, "outputs": [], "source": source}


def _first_cells(game: BaseGame) -> list[str]:
    """Return the cells that write the rule file, if the rule set is none of the kit's, and begin a game."""
    ruleset, setting = game.ruleset, game.timeline.setting
    if ruleset.name in known_rulesets() and find_ruleset(ruleset.name, language()).digest == ruleset.digest:
        name, write = ruleset.name, list[str]()
    else:
        plain = re.sub(r"[^a-z0-9]+", "-", ruleset.name.lower()).strip("-")[:40] or "rules"
        name, text = f"{plain}-{ruleset.digest[:8]}.md", python_literal(ruleset.text)
        write = [f"from pathlib import Path\n\nPath({name!r}).write_bytes({text}.encode())"]
    return [*write, f"import nomic_nb as nb\n\ngame = {python_new_game_call(setting, name)}"]


def _chapter_markdown(chapter: Chapter, end: int, record: RecordTree) -> str:
    """Return the Markdown of a chapter's beats before event number `end`; empty if there is nothing to tell."""
    shown = [beat for beat in chapter.beats if beat.seq < end]
    runs = [
        [record.turn_line(turn, player), build_element("ul", [_beat_list_item(beat, record) for beat in run])]
        for turn, player, run in chapter.split_by_turn(shown)
    ]
    sentence = MarkdownWriter().write(
        record.chapter_heading("h2", chapter), comment_blocks(chapter.comments, record.anchors), runs
    )
    return sentence if shown or chapter.comments else ""


def _beat_list_item(beat: Beat, record: RecordTree) -> Element:
    """Return a beat (a told event) of the story as a list item, with the comments on it."""
    if isinstance(beat.made, Variation):
        return build_element("li", build_element("p", beat.text), item_list(beat.made.lines))
    line = record.beat_line(beat)
    append_children(line, " ", badge("taken back") if beat.undone else None)
    return build_element("li", line, comment_blocks(beat.comments, record.anchors))


def _first_sealed_event(game: BaseGame) -> int:
    """Return the number of the first action that would reveal a ballot still sealed; last event + 1 if none."""
    sealed = current_seals(game.timeline)
    last = len(game.timeline.moments)
    return next(
        (event.seq for event in game.timeline.events if event.is_action and event.seq in sealed.telling), last + 1
    )


def _final_cells(game: BaseGame, end: int) -> list[dict[str, Any]]:
    """Return the last two cells: how the game ended, or why the notebook stops before event `end`; a state check."""
    last = len(game.timeline.moments)
    if end <= last:
        sentence = (
            "The next ballot is sealed and its vote has not closed, so the notebook ends here. The game continued."
        )
    else:
        sentence = escape_inline(result_text(game))
    digest = game.timeline.after(end - 1).digest()
    # A game that is looked at as it was can stop in the middle of what one action set off.
    state = f"game.at({last}).state" if end > last and game.timeline.past else "game.state"
    check = f"assert {state}.digest() == {digest!r}"
    return [
        _markdown_cell("end-story", f"## The end\n\n{sentence}\n\nThe last cell checks that everything is as it was."),
        _code_cell("end", check),
    ]
