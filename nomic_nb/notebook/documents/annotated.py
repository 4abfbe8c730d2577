"""A game as one page, its annotated record: as HTML for the screen and for print, and as Markdown."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote
from xml.etree.ElementTree import Element

from nomic_nb.chess.multiverse.pictures import Drawing, SharedSheet, SvgPicture
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.words import count_phrase
from nomic_nb.notebook.documents import lawbook
from nomic_nb.notebook.documents.edition import PLAIN_EDITION, Edition
from nomic_nb.notebook.documents.move_pictures import PictureWriter, draw_nothing
from nomic_nb.notebook.documents.narrative import Chapter, tell_story
from nomic_nb.notebook.documents.page import PageAnchors, contents_list, game_anchors, page_section, whole_page
from nomic_nb.notebook.documents.record import RecordTree, move_list, open_section
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.markup.prose import prose_elements
from nomic_nb.notebook.markup.tree import (
    Child,
    build_element,
    folded_section,
    item_list,
    player_name,
    quiet_text,
    separated,
    stressed_paragraph,
)
from nomic_nb.notebook.markup.writer import MarkdownWriter
from nomic_nb.notebook.show.game import draw_entries, draw_standings
from nomic_nb.study.views import Tally, describe_turn


def to_html(game: BaseGame, edition: Edition = PLAIN_EDITION) -> str:
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
    anchors = game_anchors(game)
    sheet = SharedSheet(f"{anchors.prefix}-drawn")
    parts = _whole_record(
        game, edition, anchors, lambda _name, one: one.element() if isinstance(one, SvgPicture) else sheet.draw(one)
    )
    return whole_page(document_title(game, edition), sheet.element, parts, runs=True)


def to_markdown(game: BaseGame, edition: Edition = PLAIN_EDITION, pictures: PictureFiles | None = None) -> str:
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
    draw = draw_nothing if pictures is None else pictures.draw
    header, *parts = _whole_record(game, edition, game_anchors(game), draw)
    legend = build_element(
        "p",
        "In a redline, ",
        build_element("del", "this"),
        " is struck out and ",
        build_element("ins", "this"),
        " is put in.",
    )
    return f"{MarkdownWriter().write(header, legend, parts)}\n"


class PictureFiles:
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

    def draw(self, name: str, drawing: Drawing | SvgPicture) -> Child:
        """Take in a drawing, and return the image that shows it."""
        picture, file = drawing if isinstance(drawing, SvgPicture) else drawing.picture, f"{name}.svg"
        self.files[file] = picture.as_file
        return Element("img", {"alt": picture.alt, "src": quote(f"{self.folder}/{file}")})


def document_title(game: BaseGame, edition: Edition) -> str:
    """Return the title of a document.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> document_title(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7), Edition())
    'A game of Discordian Nomic'
    """
    return edition.title.strip() or f"A game of {game.ruleset.title}"


def result_section(game: BaseGame) -> str:
    """Return the result, or how the game stands.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> result_section(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7))
    'The game goes on. It is Ann’s turn.'
    """
    if game.over:
        return game.result
    turns = [f"{turn.player} ({describe_turn(turn)})" for turn in game.turns]
    whose = f" It is {game.turns[0].player}’s turn." if len(turns) == 1 else ""
    whose = f" Turns are under way: {'; '.join(turns)}." if len(turns) > 1 else whose
    return f"The game goes on.{whose}" + (" It is paused." if game.state.paused else "")


def title_section(game: BaseGame, edition: Edition = PLAIN_EDITION, *more: Child) -> Element:
    """Return what stands before the record: who, the result, what was agreed, how long the game has gone on."""
    setting, state = game.timeline.setting, game.state
    names = separated(
        [
            called if called != name and name in called else player_name(called),
            None if name in called else [" (", player_name(name), ")"],  # as in the game
        ]
        for name, called in edition.called(game).items()
    )
    said: dict[str, Child] = {
        "Annotated by": edition.annotator.strip(),
        "Rule set": setting.ruleset.title,
        "Source": setting.ruleset.source,
        "Seed of the dice": str(setting.seed),
        "Length": ", ".join(
            count_phrase(count, what)
            for count, what in ((state.turn, "turn"), (state.circuit, "circuit"), (state.seq, "event"))
        ),
        "Fingerprint": game.fingerprint,
    }
    agreed = {**setting.terms, "order": ", ".join(setting.order), "medium": setting.medium}
    terms: list[Child] = []
    for key, value in agreed.items():
        terms += (
            ["; " if terms else None, build_element("code", key), " is ", build_element("code", value)] if value else []
        )
    said |= {"Agreed before play": terms} if terms else {}
    pairs = build_element(
        "dl", [[build_element("dt", one), build_element("dd", said[one])] for one in said if said[one]], cls="facts"
    )
    played = ", ".join(filter(None, (edition.event.strip(), edition.date.strip())))
    return build_element(
        "header",
        build_element("h1", document_title(game, edition)),
        build_element("p", played, cls="event") if played else None,
        build_element("p", names, cls="players"),
        stressed_paragraph(result_section(game), cls="result"),
        build_element("div", prose_elements(edition.introduction), cls="introduction")
        if edition.introduction.strip()
        else None,
        build_element("div", pairs, *more, cls="side-by-side"),
    )


def _whole_record(game: BaseGame, edition: Edition, anchors: PageAnchors, draw: PictureWriter) -> list[Element]:
    has, drawn = edition.has, draw if edition.has("pictures") else draw_nothing
    chapters = _select_parts(tell_story(game, pictured=drawn is not draw_nothing), edition)
    record = RecordTree(anchors, drawn, edition.headings(game.timeline))
    moves = move_list(game, anchors, draw, commented=has("comments")) if has("moves") else None
    told = [*record.whole(chapters), None if game.over else open_section(game)] if has("game") else []
    counted = has("ledger") and (game.state.tables or len(game.ledger))
    entry = _contents_entries(chapters, record, anchors.link) if told else []
    tiers = [anchors.link(place, heading) for place, heading, *_ in lawbook.rule_tiers(game)]
    tiers += [anchors.link("gone", "No longer in force")] if game.state.rules.repealed else []
    sections: list[tuple[str, str, Child, Child]] = [
        ("moves", "The moves", moves, None),
        ("record", "The game", told or None, build_element("ol", entry, cls="turns") if entry else None),
        ("judgments", "Judgments", lawbook.judgment_section(game, anchors) if has("judgments") else None, None),
        ("law", "The law book", _law_section(game, anchors) if has("law") else None, item_list(tiers, tag="ol")),
        ("ledger", "Ledger", _ledger_section(game) if counted else None, None),
    ]
    listed = [
        build_element("li", anchors.link(place, name), inner)
        for place, name, made, inner in sections
        if made is not None
    ]
    return [
        title_section(game, edition, draw_standings(game, "How they stand")),
        *([contents_list(listed)] if has("contents") and listed else []),
        *(page_section(anchors, place, name, made) for place, name, made, _ in sections if made is not None),
    ]


def _select_parts(chapters: list[Chapter], edition: Edition) -> list[Chapter]:
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


def _law_section(game: BaseGame, anchors: PageAnchors) -> Element:
    """Return the law book, on demand."""
    changed = sum(1 for rule in game.rules if rule.before is not None or rule.how != "initial")
    since = f", {changed} of them made or changed in play" if changed else ""
    law = [lawbook.tier_sections(game, anchors, redlines=True), lawbook.repealed_section(game, anchors)]
    return folded_section([count_phrase(len(game.rules), "rule"), since], law, cls="on-demand")


def _ledger_section(game: BaseGame) -> Element:
    """Return the ledger, on demand."""
    if not len(game.ledger):
        return build_element("p", "Nothing has been counted.")
    count = count_phrase(len(game.ledger), "entry", "entries")
    return folded_section(count, draw_entries(count, game.ledger), cls="on-demand")


def _contents_entries(chapters: list[Chapter], record: RecordTree, link: Callable[..., Element]) -> list[Element]:
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
        whose = [": ", player_name(chapter.player)] if chapter.player else None
        made.append(
            build_element(
                "li", link(chapter.name, chapter.heading, whose), [" ", quiet_text("; ".join(said))] if said else None
            )
        )
    return made
