"""A game as a text in Markdown, for reading raw and shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from nomic_nb.documents import facts, judged, text
from nomic_nb.documents.chapters import Asked, Beat, Chapter, Comment, Variation
from nomic_nb.documents.proposed import Proposed
from nomic_nb.documents.story import open_votes, story
from nomic_nb.documents.text import inline, start
from nomic_nb.law.rules import Rule
from nomic_nb.record.seals import SEALED
from nomic_nb.show.game import signed
from nomic_nb.show.markup import figure, plural, upper_first
from nomic_nb.show.prose import Passage, blocks, clause_blocks, redline
from nomic_nb.views import Remarks, Tally

if TYPE_CHECKING:
    from nomic_nb.live.base import BaseGame

#: What can be said of a ballot.
BALLOTS = ("for", "against", SEALED)
#: What stands under the title where the text has redlines.
LEGEND = "In a redline, ~~this~~ is struck out and **this** is put in."


def to_markdown(game: BaseGame) -> str:
    """Return a game as Markdown: who played, the result, the record turn by turn, the law book, the ledger.

    Parameters
    ----------
    game : BaseGame
        As it stands, or as it stood.

    Returns
    -------
    str
        CommonMark without HTML. Text of players is escaped in it, and sealed ballots are not in it.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> to_markdown(game).splitlines()[:3]
    ['# A game of Discordian Nomic', '', '**The game goes on. It is the turn of Ann.**']
    """
    lines = [f"# {inline(facts.title(game))}", "", f"**{inline(facts.outcome(game))}**", "", *agreed(game)]
    lines += ["", LEGEND, "", "## How it stands", "", *_standings(game), "", "## The game"]
    for chapter in story(game):
        lines += ["", *_chapter(chapter)]
    if not game.over:
        lines += ["", *_still_open(game)]
    if len(game.judgments):
        lines += ["", "### Judgments", *judged.markdown(game)]
    lines += ["", *_law_book(game), "", *_ledger(game)]
    return text.tidy(lines)


def agreed(game: BaseGame) -> Iterator[str]:
    """Yield what was agreed before play, as a list."""
    yield from (f"- {label}: {inline(said)}" for label, said in facts.facts(game))
    terms = "; ".join(f"{text.code(key)} is {text.code(value)}" for key, value in facts.terms(game))
    yield from ([f"- Agreed before play: {terms}"] if terms else [])


def _standings(game: BaseGame) -> Iterator[str]:
    for one in facts.standings(game):
        counts = ", ".join(f"{count} {counter}" for counter, count in one.counts.items()) or "–"
        marks = f" ({', '.join(one.marks)})" if one.marks else ""
        yield f"- {inline(one.name)}: {inline(counts)}{marks}"
    if facts.counted_for_all(game):
        yield f"- Counted for the game: {inline(facts.counted_for_all(game))}"


# ---------------------------------------------------------------------------------------------- the story


def chapter_heading(chapter: Chapter) -> str:
    """Return the heading of a chapter, without its sign."""
    whose = f": {inline(chapter.player)}" if chapter.player else ""
    return f"{chapter.heading}{whose}{' (taken back)' if chapter.undone else ''}{_glyphs(chapter.comments)}"


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield f"### {chapter_heading(chapter)}"
    yield ""
    yield from comments(chapter.comments)
    for undone, group in groupby(chapter.beats, key=lambda beat: beat.undone):
        lines = [line for run in chapter.runs(group) for line in _run(*run)]
        if undone:
            yield "*Taken back:*"
            yield ""
            lines = text.quoted(lines[:-1] if not lines[-1] else lines)
            lines.append("")
        yield from lines


def _run(turn: int, player: str, beats: list[Beat]) -> Iterator[str]:
    """Yield beats of one turn, behind a line that names it where turns overlap."""
    if turn:
        yield from [of_turn(turn, player), ""]
    yield from _beats(beats)


def of_turn(turn: int, player: str) -> str:
    """Return the line that names the turn of what follows it."""
    return f"*Turn {turn} ({inline(player)}):*"


def _beats(beats: Iterable[Beat]) -> Iterator[str]:
    """Yield beats, each with a blank line behind it; plain ones as a list."""
    for plain, group in groupby(beats, key=lambda beat: beat.made is None):
        for beat in group:
            lines = [line_of(beat)] if plain else list(_told_at_length(beat))
            more = list(comments(beat.comments))
            if plain:
                yield f"- {lines[0]}"
                yield from (["", *(f"  {line}".rstrip() for line in more)] if more else [])
            else:
                yield from [*lines, "", *more]
        if plain:
            yield ""


def line_of(beat: Beat) -> str:
    """Return a beat as one line, with the rule behind it and the glyphs of comments on it."""
    return f"{start(beat.text)}{_rule_behind(beat)}{_glyphs(beat.comments)}"


def _rule_behind(beat: Beat) -> str:
    return f" (rule {beat.cause.rule})" if beat.cause is not None else ""


def _glyphs(found: Iterable[Comment]) -> str:
    return "".join(f" **{inline(one.glyph)}**" for one in found if one.glyph)


def comments(found: Iterable[Comment]) -> Iterator[str]:
    """Yield what comments say, each with a blank line behind it; their glyphs stand elsewhere."""
    for one in found:
        if one.text:
            first, *more = text.wording(one.text)
            plain = blocks(one.text)[0].kind == "p"
            yield from [f"*Comment:* {first}", *more] if plain else ["*Comment:*", "", first, *more]
            yield ""


def _told_at_length(beat: Beat) -> Iterator[str]:
    made = beat.made
    if isinstance(made, Proposed):
        yield f"#### {inline(beat.text.removesuffix('.'))}{_rule_behind(beat)}{_glyphs(beat.comments)}"
        yield ""
        yield from _proposal(made)
    elif isinstance(made, Tally):
        yield from _tally(made, _glyphs(beat.comments))
    elif isinstance(made, Asked):
        yield f"**{inline(beat.text)}**{_glyphs(beat.comments)}"
        more = [f"Rule {made.rule}."] if made.rule is not None else []
        more += [f"Answers at hand: {', '.join(made.options)}."] if made.options else []
        yield from (["", inline(" ".join(more))] if more else [])
    elif isinstance(made, Variation):
        yield from text.quoted(_variation(made))


def _proposal(made: Proposed) -> Iterator[str]:
    change, before, after = made.change, made.before, made.after
    if before is None:
        yield from text.quoted(text.wording(change.wording or ""))
        if change.law:
            yield from ["", *text.fenced(change.law, "text")]
        elif change.kind == "enact":
            yield from ["", "No clauses: people apply this rule."]
    elif change.kind == "transmute":
        yield f"Rule {before.number} is {before.tier}" + (f", and would be {made.tier}." if made.tier else ".")
        yield ""
        yield from text.quoted(text.wording(before.wording))
    else:
        if after is not None and after.title != before.title:
            yield f"Title: ~~{inline(before.title)}~~ **{inline(after.title)}**"
            yield ""
        new_wording, new_law = (after.wording, after.law) if after else ("", "")
        yield from changed(before.wording, before.law, new_wording, new_law)


def changed(old_wording: str, old_law: str, new_wording: str, new_law: str) -> list[str]:
    """Return what a change does to wording and clauses, as lines of Markdown."""
    lines: list[str] = []
    if old_wording == new_wording:
        lines.append("The wording stays as it is.")
    else:
        lines += text.quoted(text.wording_redline(old_wording, new_wording))
    if old_law != new_law:
        signs = {"": " ", "del": "-", "ins": "+"}
        found = redline(clause_blocks(old_law), clause_blocks(new_law))
        diff = [f"{signs[mark]} {line}" for one in found for mark, line in _whole(one)]
        lines += ["", *text.fenced("\n".join(diff), "diff")]
    elif old_law:
        lines += ["", "The clauses stay as they are."]
    return lines


def _whole(passage: Passage) -> list[tuple[str, str]]:
    """Return a clause as it was and as it is, a line each."""
    if all(not mark for mark, _ in passage.runs):
        return [("", passage.block.text)]
    old = "".join(run for mark, run in passage.runs if mark != "ins").strip()
    new = "".join(run for mark, run in passage.runs if mark != "del").strip()
    return [(mark, line) for mark, line in (("del", old), ("ins", new)) if line]


def _tally(made: Tally, glyphs: str) -> Iterator[str]:
    yield f"Vote on {made.number}. **{inline(made.verdict)}**{glyphs}"
    yield ""
    sides = {ballot: [name for name, cast in made.ballots.items() if cast == ballot] for ballot in BALLOTS}
    sides["not voted yet" if made.status == "open" else "did not vote"] = list(made.not_voted)
    said = (f"{upper_first(side)}: {inline(', '.join(names))}." for side, names in sides.items() if names)
    yield " ".join(said)


def _variation(made: Variation) -> Iterator[str]:
    yield f"Another way ({inline(made.why)}), from event {made.at} on:"
    yield ""
    yield from (f"- {start(line)}" for line in made.lines)
    for one in made.inner:
        yield ""
        yield from text.quoted(_variation(one))


def _still_open(game: BaseGame) -> Iterator[str]:
    yield "### Still open"
    yield ""
    for tally in open_votes(game):
        yield from [*_tally(tally, ""), "", *_remarks(game.proposals[tally.number].remarks)]
    for one in game.pending:
        options = f": {', '.join(one.options)}" if one.options else ""
        rule = "" if one.rule is None else f" (rule {one.rule})"
        said = f"{one.player or 'anyone'}: {one.prompt}{options}{rule}"
        yield f"- {start(said)}"


def _remarks(found: Remarks) -> Iterator[str]:
    """Yield what is odd about a proposal, each with what it rests on, and a blank line behind it all."""
    if found:
        yield from ["Worth a thought before the vote:", ""]
        said = (": ".join(filter(None, (one.line, one.evidence))) for one in found)
        yield from (f"- {start(upper_first(one))}" for one in (*said, *found.last))
        yield ""


# ------------------------------------------------------------------------------------------------ the law


def _law_book(game: BaseGame) -> Iterator[str]:
    book, initial = game.rules, facts.initial_rules(game)
    yield "## The law book"
    for tier, rules in book.by_tier().items():
        heading, about = facts.tier_heading(tier)
        yield from ["", f"### {heading}", "", f"{plural(len(rules), 'rule')}{f' – {about}' if about else ''}."]
        for rule in rules:
            yield from ["", *_rule(rule, book.void(rule), initial.get(rule.id))]
            yield from ["", *judged.remarks(game, rule.id)]
    if game.state.rules.repealed:
        yield from ["", "### No longer in force"]
        for rule in game.state.rules.repealed:
            yield from ["", f"#### {rule.number}. {inline(rule.title)}", ""]
            yield inline(" ".join(filter(None, [facts.pedigree(rule), facts.repeal_of(game, rule)])))
            yield ""
            yield from text.quoted(text.wording_redline(rule.wording, ""))


def _rule(rule: Rule, void: str, initial: Rule | None) -> Iterator[str]:
    yield f"#### {rule.number}. {inline(rule.title)}"
    yield ""
    if void:
        yield from [f"**{inline(upper_first(void))}.**", ""]
    yield from text.wording(rule.wording)
    if rule.law:
        yield from ["", *text.fenced(rule.law, "text")]
    elif facts.for_the_players(rule):
        yield from ["", "No clauses: people apply this rule."]
    if facts.pedigree(rule):
        yield from ["", inline(facts.pedigree(rule))]
    if initial is not None and (initial.wording, initial.law) != (rule.wording, rule.law):
        yield from ["", f"Against the initial rule {initial.number}:", ""]
        yield from changed(initial.wording, initial.law, rule.wording, rule.law)


def _ledger(game: BaseGame) -> Iterator[str]:
    yield "## Ledger"
    yield ""
    if not len(game.ledger):
        yield "Nothing has been counted."
    for one in game.ledger:
        rule = f" (rule {one.rule})" if one.rule is not None else f" ({one.why})"
        rounded = f" ({one.rounded})" if one.rounded else ""
        amount = f"{signed(one.amount)} {one.counter}{rounded}"
        line = f"Turn {one.turn}. {one.player or 'The game'}: {amount}, {figure(one.now)} now"
        yield f"- {inline(f'{line}{rule}')}"
