"""A game as one page, its annotated record: as HTML for the screen and for print, and as Markdown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from nomic_nb.documents import lawbook
from nomic_nb.documents.chapters import Chapter
from nomic_nb.documents.page import Anchors, anchors_of, contents, page
from nomic_nb.documents.record import Record, still_open
from nomic_nb.documents.story import story
from nomic_nb.law.rules import Number
from nomic_nb.markup.markdown import Markdown
from nomic_nb.markup.tree import Child, el, soft, who
from nomic_nb.markup.words import plural
from nomic_nb.show.game import entries, standings
from nomic_nb.views import Tally, where

if TYPE_CHECKING:
    from nomic_nb.live.base import BaseGame


def to_html(game: BaseGame) -> str:
    """Return a game as one page of HTML: who played, the result, the record turn by turn, the law book, the ledger.

    Parameters
    ----------
    game : BaseGame
        As it stands, or as it stood.

    Returns
    -------
    str
        The page. Moves on boards that somebody has commented on, that capture, give check or mate, or by which an
        army is taken over, have a picture, with arrows and marked squares. It loads nothing and runs nothing, text
        of players is escaped in it, and sealed ballots are not in it.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> to_html(nb.new_game("discordian-nomic", ["Ann", "<b>"], seed=7)).count("<b>")
    0
    """
    return page(title(game), _whole(game))


def to_markdown(game: BaseGame) -> str:
    """Return a game as Markdown: the same page as `to_html`, without its table of contents.

    Parameters
    ----------
    game : BaseGame
        As it stands, or as it stood.

    Returns
    -------
    str
        CommonMark with tables and ``~~`` (GitHub Flavored Markdown), without HTML. Text of players is escaped in
        it, and sealed ballots are not in it.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> to_markdown(game).splitlines()[:5]
    ['# A game of Discordian Nomic', '', 'Ann, Ben', '', '**The game goes on. It is Ann’s turn.**']
    """
    header, *parts = _whole(game)
    legend = el("p", "In a redline, ", el("del", "this"), " is struck out and ", el("ins", "this"), " is put in.")
    return f"{Markdown().write(header, legend, parts)}\n"


def title(game: BaseGame) -> str:
    """Return the title of a document.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> title(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7))
    'A game of Discordian Nomic'
    """
    return f"A game of {game.ruleset.title}"


def outcome(game: BaseGame) -> str:
    """Return the result, or how the game stands.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> outcome(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7))
    'The game goes on. It is Ann’s turn.'
    """
    if game.over:
        return game.result
    turns = [f"{turn.player} ({where(turn)})" for turn in game.turns]
    whose = f" It is {game.turns[0].player}’s turn." if len(turns) == 1 else ""
    whose = f" Turns are under way: {'; '.join(turns)}." if len(turns) > 1 else whose
    return f"The game goes on.{whose}" + (" It is paused." if game.state.paused else "")


def opening(game: BaseGame, *more: Child) -> Element:
    """Return what stands before the record: who, the result, what was agreed, how long the game has gone on."""
    setting, state = game.table.setting, game.state
    names = [[", " if at else None, who(one)] for at, one in enumerate(setting.players)]
    said: dict[str, Child] = {
        "Rule set": setting.ruleset.title,
        "Source": setting.ruleset.source,
        "Seed of the dice": str(setting.seed),
        "Length": f"{plural(state.turn, 'turn')}, {plural(state.circuit, 'circuit')}, {plural(state.seq, 'event')}",
        "Fingerprint": game.fingerprint,
    }
    agreed = {**setting.terms, "order": ", ".join(setting.order), "medium": setting.medium}
    terms: list[Child] = []
    for key, value in agreed.items():
        terms += ["; " if terms else None, el("code", key), " is ", el("code", value)] if value else []
    said |= {"Agreed before play": terms} if terms else {}
    pairs = el("dl", [[el("dt", one), el("dd", said[one])] for one in said], cls="facts")
    return el(
        "header",
        el("h1", title(game)),
        el("p", names, cls="players"),
        el("p", el("strong", outcome(game)), cls="result"),
        el("div", pairs, *more, cls="side-by-side"),
    )


def _whole(game: BaseGame) -> list[Element]:
    anchors, chapters = anchors_of(game), story(game)
    record = Record(anchors)
    told = [*map(record.chapter, chapters), None if game.over else still_open(game)]
    law = [lawbook.tiers(game, anchors, redlines=True), lawbook.repealed(game, anchors)]
    counted = entries(plural(len(game.ledger), "entry", "entries"), game.ledger) if len(game.ledger) else None
    parts = [
        _part(anchors, "record", "The game", told),
        lawbook.judgments(game, anchors),
        _part(anchors, "law", "The law book", law),
        _part(anchors, "ledger", "Ledger", counted or el("p", "Nothing has been counted.")),
    ]
    entry = _entries(chapters, anchors.link)
    tiers = [link for link, _ in lawbook.standings(game, anchors)]
    tiers += [anchors.link("gone", "No longer in force")] if game.state.rules.repealed else []
    return [
        opening(game, standings(game, "How they stand")),
        contents(
            el("li", anchors.link("record", "The game"), el("ol", entry, cls="turns") if entry else None),
            el("li", anchors.link("judgments", "Judgments")) if len(game.judgments) else None,
            el("li", anchors.link("law", "The law book"), el("ol", [el("li", link) for link in tiers])),
            el("li", anchors.link("ledger", "Ledger")),
        ),
        *(one for one in parts if one is not None),
    ]


def _part(anchors: Anchors, place: str, title: str, *children: Child) -> Element:
    return el("section", el("h2", title, id=anchors.id(place)), *children, cls=place)


def _entries(chapters: list[Chapter], link: Callable[..., Element]) -> list[Element]:
    """Return the turns for the contents, each with what was voted on.

    Where turns overlap, the vote can have closed in a later one.
    """
    outcomes: dict[Number | None, str] = {
        one.number: one.status
        for chapter in chapters
        for beat in chapter.beats
        if isinstance(one := beat.made, Tally) and not beat.undone
    }
    made = []
    for chapter in chapters:
        said = []
        for one, status in chapter.votes:
            became = status or (outcomes.get(one.number, "") if not chapter.undone else "")
            said.append(f"{one.number} {one.change.headline}" + (f", {became}" if became else ""))
        said += ["taken back"] if chapter.undone else []
        whose = [": ", who(chapter.player)] if chapter.player else None
        made.append(
            el("li", link(chapter.name, chapter.heading, whose), [" ", soft("; ".join(said))] if said else None)
        )
    return made
