"""A game as one page, its annotated record: as HTML for the screen and for print, and as Markdown."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote
from xml.etree.ElementTree import Element

from nomic_nb.chess.multiverse.scenes import Drawing, Picture, Sheet
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.words import plural
from nomic_nb.notebook.documents import lawbook
from nomic_nb.notebook.documents.edition import PLAIN, Edition
from nomic_nb.notebook.documents.move_pictures import Draw, undrawn
from nomic_nb.notebook.documents.page import Anchors, anchors_of, contents, page, part
from nomic_nb.notebook.documents.record import Record, reel, still_open
from nomic_nb.notebook.documents.story import Chapter, story
from nomic_nb.notebook.live.base import BaseGame
from nomic_nb.notebook.markup.prose import prose
from nomic_nb.notebook.markup.tree import Child, el, fold, items, parted, soft, stressed, who
from nomic_nb.notebook.markup.writer import Markdown
from nomic_nb.notebook.show.game import entries, standings
from nomic_nb.study.views import Tally, where


def to_html(game: BaseGame, edition: Edition = PLAIN) -> str:
    """Return a game as one page of HTML: who played, the moves one by one, the record turn by turn, law book, ledger.

    Parameters
    ----------
    game : BaseGame
        As it stands, or as it stood.
    edition : Edition, optional
        Title, chapters, and what is in it.

    Returns
    -------
    str
        The page. It loads nothing, and runs nothing but a script that its policy names by its hash: with it, moves on
        boards are shown one at a time, and without it they are a list. Text of players is escaped, and sealed ballots
        are not in it. In the record, moves that somebody has commented on, that capture, give check or mate, or by
        which an army is taken over, have a picture, and so have changes of law by which pieces move otherwise, and
        proposals that make pieces stronger or weaker, where a rule looks at that.

    Raises
    ------
    ValueError
        The edition speaks of what is not in the game.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> to_html(nb.new_game("discordian-nomic", ["Ann", "<b>"], seed=7)).count("<b>")
    0
    """
    anchors = anchors_of(game)
    sheet = Sheet(f"{anchors.prefix}-drawn")
    parts = _whole(
        game, edition, anchors, lambda _name, one: one.element() if isinstance(one, Picture) else sheet.draw(one)
    )
    return page(title(game, edition), sheet.element, parts, runs=True)


def to_markdown(game: BaseGame, edition: Edition = PLAIN, pictures: Pictures | None = None) -> str:
    """Return a game as Markdown: the same page as `to_html`, without its table of contents.

    Parameters
    ----------
    game : BaseGame
        As it stands, or as it stood.
    edition : Edition, optional
        Title, chapters, and what is in it.
    pictures : Pictures, optional
        Takes in the pictures that the text shows, to be written beside it; it has none, where there is nothing to
        take them in.

    Returns
    -------
    str
        CommonMark with tables and ``~~`` (GitHub Flavored Markdown), without HTML. Text of players is escaped in
        it, and sealed ballots are not in it.

    Raises
    ------
    ValueError
        The edition speaks of what is not in the game.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> to_markdown(game).splitlines()[:5]
    ['# A game of Discordian Nomic', '', 'Ann, Ben', '', '**The game goes on. It is Ann’s turn.**']
    """
    draw = undrawn if pictures is None else pictures.draw
    header, *parts = _whole(game, edition, anchors_of(game), draw)
    legend = el("p", "In a redline, ", el("del", "this"), " is struck out and ", el("ins", "this"), " is put in.")
    return f"{Markdown().write(header, legend, parts)}\n"


class Pictures:
    """The pictures that a text shows, each a file beside it.

    Parameters
    ----------
    folder : str
        The folder with them, as the text names it.

    Attributes
    ----------
    files : dict of str to str
        Names of files, and the drawings in them (SVG).
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.files: dict[str, str] = {}

    def draw(self, name: str, drawing: Drawing | Picture) -> Child:
        """Take in a drawing, and return the image that shows it."""
        picture, file = drawing if isinstance(drawing, Picture) else drawing.picture, f"{name}.svg"
        self.files[file] = picture.sized
        return Element("img", {"alt": picture.alt, "src": quote(f"{self.folder}/{file}")})


def title(game: BaseGame, edition: Edition) -> str:
    """Return the title of a document.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> title(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7), Edition())
    'A game of Discordian Nomic'
    """
    return edition.title.strip() or f"A game of {game.ruleset.title}"


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


def opening(game: BaseGame, edition: Edition = PLAIN, *more: Child) -> Element:
    """Return what stands before the record: who, the result, what was agreed, how long the game has gone on."""
    setting, state = game.timeline.setting, game.state
    names = parted(
        [
            called if called != name and name in called else who(called),
            None if name in called else [" (", who(name), ")"],  # as in the game
        ]
        for name, called in edition.called(game).items()
    )
    said: dict[str, Child] = {
        "Annotated by": edition.annotator.strip(),
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
    pairs = el("dl", [[el("dt", one), el("dd", said[one])] for one in said if said[one]], cls="facts")
    played = ", ".join(filter(None, (edition.event.strip(), edition.date.strip())))
    return el(
        "header",
        el("h1", title(game, edition)),
        el("p", played, cls="event") if played else None,
        el("p", names, cls="players"),
        stressed(outcome(game), cls="result"),
        el("div", prose(edition.introduction), cls="introduction") if edition.introduction.strip() else None,
        el("div", pairs, *more, cls="side-by-side"),
    )


def _whole(game: BaseGame, edition: Edition, anchors: Anchors, draw: Draw) -> list[Element]:
    has, drawn = edition.has, draw if edition.has("pictures") else undrawn
    chapters = _chosen(story(game, pictured=drawn is not undrawn), edition)
    record = Record(anchors, drawn, edition.headings(game.timeline))
    moves = reel(game, anchors, draw, commented=has("comments")) if has("moves") else None
    told = [*record.whole(chapters), None if game.over else still_open(game)] if has("game") else []
    counted = has("ledger") and (game.state.tables or len(game.ledger))
    entry = _entries(chapters, record, anchors.link) if told else []
    tiers = [anchors.link(place, heading) for place, heading, *_ in lawbook.standings(game)]
    tiers += [anchors.link("gone", "No longer in force")] if game.state.rules.repealed else []
    sections: list[tuple[str, str, Child, Child]] = [
        ("moves", "The moves", moves, None),
        ("record", "The game", told or None, el("ol", entry, cls="turns") if entry else None),
        ("judgments", "Judgments", lawbook.judgments(game, anchors) if has("judgments") else None, None),
        ("law", "The law book", _law(game, anchors) if has("law") else None, items(tiers, tag="ol")),
        ("ledger", "Ledger", _ledger(game) if counted else None, None),
    ]
    listed = [el("li", anchors.link(place, name), inner) for place, name, made, inner in sections if made is not None]
    return [
        opening(game, edition, standings(game, "How they stand")),
        *([contents(listed)] if has("contents") and listed else []),
        *(part(anchors, place, name, made) for place, name, made, _ in sections if made is not None),
    ]


def _chosen(chapters: list[Chapter], edition: Edition) -> list[Chapter]:
    """Return chapters with what an edition has of them."""
    for one in chapters:
        if not edition.has("comments"):
            one.comments = []
            for beat in one.beats:
                beat.comments = []
        if not edition.has("side lines"):
            one.beats = [beat for beat in one.beats if beat.kind != "variation"]
        if not edition.has("taken back"):
            one.beats = [beat for beat in one.beats if not beat.undone and beat.kind != "undone"]
    return chapters


def _law(game: BaseGame, anchors: Anchors) -> Element:
    """Return the law book, on demand."""
    changed = sum(1 for rule in game.rules if rule.before is not None or rule.how != "initial")
    since = f", {changed} of them made or changed in play" if changed else ""
    law = [lawbook.tiers(game, anchors, redlines=True), lawbook.repealed(game, anchors)]
    return fold([plural(len(game.rules), "rule"), since], law, cls="on-demand")


def _ledger(game: BaseGame) -> Element:
    """Return the ledger, on demand."""
    if not len(game.ledger):
        return el("p", "Nothing has been counted.")
    count = plural(len(game.ledger), "entry", "entries")
    return fold(count, entries(count, game.ledger), cls="on-demand")


def _entries(chapters: list[Chapter], record: Record, link: Callable[..., Element]) -> list[Element]:
    """Return chapters of the author's and turns for the contents, each turn with what was voted on.

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
        made += record.entries.get(chapter.name, [])
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
