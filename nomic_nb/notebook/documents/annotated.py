"""A game as one page, its annotated record: as HTML for the screen and for print, and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote
from xml.etree.ElementTree import Element

from nomic_nb.chess.multiverse.pictures import Drawing, SharedSheet, SvgPicture
from nomic_nb.engine.errors import RecordError
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.record.log import replace_file
from nomic_nb.engine.rulesets.literate import is_fixed_term
from nomic_nb.engine.words import count_phrase, upper_first
from nomic_nb.notebook.documents import lawbook
from nomic_nb.notebook.documents.authored import GameAnchors, edition_fingerprint, play_fingerprint
from nomic_nb.notebook.documents.edition import PLAIN_EDITION, Edition
from nomic_nb.notebook.documents.move_pictures import PictureWriter, draw_no_picture
from nomic_nb.notebook.documents.narrative import Chapter, tell_story
from nomic_nb.notebook.documents.page import anchored_section, contents_list, page_html
from nomic_nb.notebook.documents.record import RecordTree, move_list, open_matters, searches
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.machines import marking_machines
from nomic_nb.notebook.markup.tree import (
    Child,
    build_element,
    folded_section,
    item_list,
    join_children,
    player_name,
    quiet_paragraph,
    quiet_text,
    strong_paragraph,
    table_element,
)
from nomic_nb.notebook.markup.writer import MarkdownWriter
from nomic_nb.notebook.show.game import draw_ledger_entries, draw_standings
from nomic_nb.study.packages import PackageError
from nomic_nb.study.plots import Plots
from nomic_nb.study.sweeps.figures import Figure
from nomic_nb.study.views import Tally, describe_turn
from nomic_nb.study.views.enforcement import clause_sentence

PIECES = "Outlines by Colin M. L. Burnett, as in python-chess (GFDL, BSD and GPL)"


def to_html(game: BaseGame, edition: Edition = PLAIN_EDITION) -> str:
    """Return a game as one HTML page: players and result, moves one by one, record by turn, law book, ledger.

    Parameters
    ----------
    game : BaseGame
        The game, or a past state of it.
    edition : Edition, optional
        Title, chapters and contents of the page.

    Returns
    -------
    str
        The page. It loads nothing, and runs nothing but a script whose hash its policy names. With the script,
        moves on boards are shown one at a time; without it, they are a list. Text by players is escaped, and sealed
        ballots are left out. In the record, a move has a picture if somebody has commented on it, if it captures, gives
        check or mates, or if an army is taken over by it. Changes of the law that make pieces move differently have
        pictures as well, and so do proposals that make pieces stronger or weaker, if a rule takes that into account.

    Raises
    ------
    ValueError
        The edition refers to something that is not in the game.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> to_html(nb.new_game("discordian-nomic", ["Ann", "<b>"], seed=7)).count("<b>")
    0
    """
    anchors = GameAnchors(game)
    sheet = SharedSheet("drawn")
    with marking_machines(game.timeline):
        parts = _record_sections(
            game,
            edition,
            anchors,
            lambda _name, picture: picture.element() if isinstance(picture, SvgPicture) else sheet.draw(picture),
        )
    meta = {"author": edition.annotator, "og:title": document_title(game, edition), "og:type": "article"}
    about = [build_element("meta", name=name, content=said) for name, said in meta.items() if said.strip()]
    cls = "embedded" if edition.embed else ""
    return page_html(document_title(game, edition), sheet.element, parts, cls=cls, with_script=True, about=about)


def to_markdown(game: BaseGame, edition: Edition = PLAIN_EDITION, pictures: PictureFiles | None = None) -> str:
    """Return a game as Markdown: the same page as `to_html`, without its table of contents.

    Parameters
    ----------
    game : BaseGame
        The game, or a past state of it.
    edition : Edition, optional
        Title, chapters and contents of the page.
    pictures : Pictures, optional
        Collection for the pictures in the text, which are written next to it; without one, the text has no pictures.

    Returns
    -------
    str
        CommonMark with tables and ``~~`` (GitHub Flavored Markdown), without HTML. Text by players is escaped, and
        sealed ballots are left out.

    Raises
    ------
    ValueError
        The edition refers to something that is not in the game.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> to_markdown(game).splitlines()[:5]
    ['# A game of Discordian Nomic', '', 'Ann, Ben', '', '**The game is in progress. It is Ann’s turn.**']
    """
    draw = draw_no_picture if pictures is None else pictures.add_picture
    with marking_machines(game.timeline):
        header, *parts = _record_sections(game, replace(edition, embed=False), GameAnchors(game), draw)
    legend = build_element(
        "p",
        "In a redline, ",
        build_element("del", "this"),
        " is removed and ",
        build_element("ins", "this"),
        " is added.",
    )
    return f"{MarkdownWriter().write(header, legend, parts)}\n"


class PictureFiles:
    """The pictures of a Markdown document, each an SVG file in a folder beside it.

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

    def add_picture(self, name: str, drawing: Drawing | SvgPicture) -> Child:
        """Add a drawing as the file ``name.svg``, and return the image element that shows it."""
        picture, file = drawing if isinstance(drawing, SvgPicture) else drawing.picture, f"{name}.svg"
        self.files[file] = picture.svg_for_file
        return Element("img", {"alt": picture.alt, "src": quote(f"{self.folder}/{file}")})

    def write(self, beside: Path) -> None:
        """Write the pictures into their folder next to a file (`beside`); do nothing without pictures.

        Raises
        ------
        RecordError
            They cannot be written there.
        """
        if self.files:
            write_files(beside.parent / self.folder, self.files)


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write texts, given by file name, into a folder, which is made if it is not there.

    Raises
    ------
    RecordError
        They cannot be written there.
    """
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise RecordError(
            "folder-not-made", "can’t create the folder {path}: {why}", path=folder, why=error.strerror or error
        ) from None
    for name, text in texts.items():
        replace_file(folder / name, text)


def document_title(game: BaseGame, edition: Edition) -> str:
    """Return the title that an edition gives the document, or else “A game of” and the rule set’s title.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> document_title(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7), Edition())
    'A game of Discordian Nomic'
    """
    return edition.title.strip() or f"A game of {game.ruleset.title}"


def result_text(game: BaseGame) -> str:
    """Return the result of a finished game, or a sentence that it is still going and whose turn it is.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> result_text(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7))
    'The game is in progress. It is Ann’s turn.'
    """
    if game.over:
        return game.result
    turns = [f"{turn.player} ({describe_turn(turn)})" for turn in game.turns]
    whose = f" It is {game.turns[0].player}’s turn." if len(turns) == 1 else ""
    whose = f" Current turns: {'; '.join(turns)}." if len(turns) > 1 else whose
    return f"The game is in progress.{whose}" + (" It is paused." if game.state.paused else "")


def title_section(game: BaseGame, edition: Edition = PLAIN_EDITION, *more: Child) -> Element:
    """Return the title block: title, players, result, facts such as the seed, and then the `more` elements."""
    setting, state = game.timeline.setting, game.state
    names = join_children(
        [
            called if called != name and name in called else player_name(called),
            None if name in called else [" (", player_name(name), ")"],  # as in the game
        ]
        for name, called in edition.title_page_names(game).items()
    )
    facts: dict[str, Child] = {
        "Annotated by": edition.annotator.strip(),
        "Rule set": setting.ruleset.title,
        "Source": setting.ruleset.source,
        "Seed of the dice": str(setting.seed),
        "Length": ", ".join(
            count_phrase(count, what)
            for count, what in ((state.turn, "turn"), (state.circuit, "round"), (state.seq, "event"))
        ),
        "Fingerprint of the play": play_fingerprint(game),
        "Fingerprint of this edition": edition_fingerprint(game, edition),
        "Pieces": PIECES if state.position is not None else "",
        "Left out": f"event {', '.join(map(str, sorted(edition.hide)))}" if edition.hide else "",
    }
    rules = game.timeline.before.rules.in_force
    read = {
        clause.key: clause_sentence(rule, clause) for rule in rules for clause in rule.clauses if is_fixed_term(clause)
    }
    agreed = {key: read.get(key, f"{key} is {value}.") for key, value in setting.terms.items() if value}
    also = {"order": ", ".join(setting.order), "medium": setting.medium}
    terms = " ".join([*agreed.values(), *(f"{upper_first(key)}: {value}." for key, value in also.items() if value)])
    facts |= {"Agreed before play": terms} if terms else {}
    pairs = build_element(
        "dl",
        [[build_element("dt", label), build_element("dd", facts[label])] for label in facts if facts[label]],
        cls="facts",
    )
    played = ", ".join(filter(None, (edition.event.strip(), edition.date.strip())))
    return build_element(
        "header",
        build_element("h1", document_title(game, edition)),
        build_element("p", played, cls="event") if played else None,
        build_element("p", names, cls="players"),
        strong_paragraph(result_text(game), cls="result"),
        build_element("div", GameAnchors(game).author_prose(edition.introduction), cls="introduction")
        if edition.introduction.strip()
        else None,
        build_element("div", pairs, *more, cls="side-by-side"),
    )


def _record_sections(game: BaseGame, edition: Edition, anchors: GameAnchors, draw: PictureWriter) -> list[Element]:
    """Return title block, contents and the sections that an edition includes; `draw` turns drawings into elements."""
    has, drawn = edition.has_part, draw if edition.has_part("pictures") else draw_no_picture
    chapters = _drop_unwanted_parts(tell_story(game, pictured=drawn is not draw_no_picture), edition)
    record = RecordTree(anchors, drawn, edition.chapter_headings(game.timeline), edition)
    moves = move_list(game.timeline, anchors, draw, commented=has("comments")) if has("moves") else None
    last = (searches(game), None if game.over else open_matters(game))
    told = [*record.chapter_elements(chapters), *last] if has("game") else []
    counted = has("ledger") and (game.state.tables or len(game.ledger))
    entry = _contents_items(chapters, record, anchors.link_to) if told else []
    tiers = [anchors.link_to(place, heading) for place, heading, *_ in lawbook.rule_tiers(game)]
    tiers += [anchors.link_to("gone", "No longer in force")] if game.state.rules.repealed else []
    sections = [
        ("moves", "The moves", moves, None),
        ("record", "The game", told or None, build_element("ol", entry, cls="turns") if entry else None),
        ("judgments", "Judgments", lawbook.judgment_section(game, anchors) if has("judgments") else None, None),
        ("law", "The law book", _law_section(game, anchors) if has("law") else None, item_list(tiers, tag="ol")),
        ("plots", "Plots", [_plot(game, name, draw) for name in edition.plots] or None, None),
        ("ledger", "Ledger", _ledger_section(game) if counted else None, None),
    ]
    listed = [
        build_element("li", anchors.link_to(place, name), inner)
        for place, name, content, inner in sections
        if content is not None
    ]
    return [
        *([] if edition.embed else [title_section(game, edition, draw_standings(game, "Standings"))]),
        *([contents_list(listed)] if has("contents") and listed and not edition.embed else []),
        *(
            anchored_section(anchors, place, name, content)
            for place, name, content, _ in sections
            if content is not None
        ),
    ]


def _drop_unwanted_parts(chapters: list[Chapter], edition: Edition) -> list[Chapter]:
    """Remove, in place, the comments, variations and undone events an edition excludes; return the chapters."""
    for chapter in chapters:
        chapter.beats = [beat for beat in chapter.beats if beat.seq not in edition.hide]
        if not edition.has_part("comments"):
            chapter.comments = []
            for beat in chapter.beats:
                beat.comments = []
        if not edition.has_part("side lines"):
            chapter.beats = [beat for beat in chapter.beats if beat.kind != "variation"]
        if not edition.has_part("taken back"):
            chapter.beats = [beat for beat in chapter.beats if not beat.undone and beat.kind != "undone"]
    return chapters


def _law_section(game: BaseGame, anchors: GameAnchors) -> Element:
    """Return the law book of a game, with redlines, folded below a heading that counts the rules."""
    changed = sum(1 for rule in game.rules if rule.before is not None or rule.how != "initial")
    since = f", {changed} of them made or changed in play" if changed else ""
    law = [lawbook.tier_sections(game, anchors, redlines=True), lawbook.repealed_section(game, anchors)]
    return folded_section([count_phrase(len(game.rules), "rule"), since], law, cls="on-demand")


def _plot(game: BaseGame, name: str, draw: PictureWriter) -> list[Child]:
    """Return a plot as a picture, or a sentence on what is missing to draw it, with its table folded."""
    figure: Figure = getattr(Plots(game.timeline), name)
    try:
        svg = figure.svg
        wide = min(620, int(float(svg.partition('width="')[2].partition('"')[0])))
        picture = draw(f"plot-{name}", SvgPicture(svg, f"{figure.title}. {figure.note}", wide))
    except PackageError as error:
        picture = quiet_paragraph(str(error))
    cells = figure.data.round(3).astype("string").fillna("")
    rows = cells.itertuples(index=False, name=None)
    table = folded_section("Table", table_element(figure.title, map(str, figure.data), rows))
    return [build_element("h3", figure.title), quiet_paragraph(figure.note), picture, table]


def _ledger_section(game: BaseGame) -> Element:
    """Return a table of all counter changes, folded below a line with their count; a sentence if none exist."""
    if not len(game.ledger):
        return build_element("p", "Nothing has been counted.")
    count = count_phrase(len(game.ledger), "entry", "entries")
    return folded_section(count, draw_ledger_entries(count, game.ledger), cls="on-demand")


def _contents_items(chapters: list[Chapter], record: RecordTree, make_link: Callable[..., Element]) -> list[Element]:
    """Return list items for the contents: headings and turns, as links that `make_link` makes, with proposals.

    Where turns overlap, the vote can have closed in a later one.
    """
    outcomes: dict[Number | None, str] = {
        vote_item.number: vote_item.status
        for chapter in chapters
        for beat in chapter.beats
        if isinstance(vote_item := beat.made, Tally) and not beat.undone
    }
    elements = []
    for chapter in chapters:
        elements += record.entries.get(chapter.anchor_name, [])
        sentences = []
        for vote_item, status in chapter.proposals_with_outcomes:
            became = status or (outcomes.get(vote_item.number, "") if not chapter.is_undone else "")
            sentences.append(f"{vote_item.number} {vote_item.change.headline}" + (f", {became}" if became else ""))
        sentences += ["taken back"] if chapter.is_undone else []
        whose = [": ", player_name(chapter.player)] if chapter.player else None
        elements.append(
            build_element(
                "li",
                make_link(chapter.anchor_name, chapter.heading, whose),
                [" ", quiet_text("; ".join(sentences))] if sentences else None,
            )
        )
    return elements
