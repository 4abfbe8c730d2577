"""The text made from a game, read as Markdown and then as HTML."""

import re
from copy import deepcopy

import pytest
from documents.document_helpers import NASTY, flat, links, of_class, random_game, text, tree, turn
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import nomic_nb as nb
from nomic_nb.notebook.documents import to_html, to_markdown
from nomic_nb.notebook.markup.prose import clause_blocks, compare_texts, passage_elements, prose_elements, read_blocks
from nomic_nb.notebook.markup.tree import build_element, table_element
from nomic_nb.notebook.markup.writer import MarkdownWriter, code_block, code_span

READERS = {
    "commonmark": MarkdownIt("commonmark"),
    "with tables and strikethrough": MarkdownIt("commonmark").enable(["table", "strikethrough"]),
}
#: All that the text is made of.
ELEMENTS = {
    "h1", "h2", "h3", "h4", "p", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "s", "root",
    "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
TABLES = READERS["with tables and strikethrough"]


@pytest.fixture(params=READERS, ids=str)
def reader(request):
    return READERS[request.param]


def read(reader, markdown):
    return tree(reader.render(markdown))


def headings(page, tag):
    return [text(one) for one in page.iter(tag)]


# ------------------------------------------------------------------------------------------------- escaping


@pytest.mark.parametrize("which", ["full", "nasty", "odd", "sealed"])
def test_nothing_that_players_wrote_becomes_an_element_or_a_link(which, reader, request):
    page = read(reader, to_markdown(request.getfixturevalue(which)))
    assert {one.tag for one in page.iter()} <= ELEMENTS
    assert not links(page)
    assert {name for one in page.iter() for name in one.attrib} <= {"class", "start", "style"}
    assert {one.get("style") for one in page.iter()} <= {None, "text-align:right"}


def test_markup_of_players_comes_out_as_text(nasty, reader):
    page = read(reader, to_markdown(nasty))
    said = text(page)
    assert said.count(flat(NASTY)) >= 8
    for name in nasty.players:
        assert name in said
    for shown in (
        "<i>*title*</i> [x](http://evil.example)",
        "<b>`deed`</b> [x](http://evil.example)",
        "<b>no</b>",
        'on said when text == "<u>&`": award 1 points to player',
        "# Head",
        "<div>",
        "[x]: http://evil.example",
    ):
        assert shown in said, shown
    assert "Head" not in headings(page, "h1")
    assert headings(page, "h1") == ["A game of Discordian Nomic"]


SCHEMES = """[x](javascript:alert(1)), <javascript:alert(2)> and ![i](data:text/html,x), [r] and [s][r].

[r]: vbscript:alert(3)

mailto:a@b.cc file:///etc \\[y](javascript:alert(4)) `[c](javascript:alert(5))` $[d](javascript:alert(6))$"""


@pytest.mark.parametrize("reader", READERS)
def test_links_with_other_schemes_lead_nowhere(reader):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    game.annotate(SCHEMES, turn=1)
    game.propose("Ann", nb.enact(SCHEMES, title="[t](javascript:alert(0))"))
    lenient = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    lenient.validateLink = lambda _: True  # this one would let them through
    written = game.to_markdown(title="[t](javascript:t)", introduction=SCHEMES, chapters=["[c](javascript:c)"])
    notes = [cell["source"] for cell in nb.to_notebook(game)["cells"] if cell["cell_type"] == "markdown"]
    for one in (written, *notes):
        for page in (read(lenient, one), read(READERS[reader], one)):
            assert not links(page)
            assert not list(page.iter("img"))
    assert flat(SCHEMES).replace("`", "") in text(read(lenient, written)).replace("`", "")
    shown = tree(game.to_html(introduction=SCHEMES))
    assert all(link.startswith("#") for link in links(shown))


def test_raw_html_is_never_in_the_text(nasty):
    assert not re.search(r"<[a-zA-Z/!]", re.sub(r"```.*?```", "", to_markdown(nasty), flags=re.DOTALL))


LETTERS = [*"ab1 .)-+*_`~#<>&[]()!\\$|:/@=\n\t\"'", "http://a.com", "www.a.com", "<b>", "&lt;", "---", "```"]
TEXTS = st.lists(st.sampled_from(LETTERS), max_size=20).map("".join)


@given(TEXTS)
@example("\\")
@example("`` ` ``")
@example("1. one")
@example("a\\\\$`")
@example("--- ")
@example("![x](http://a.com)")
@example("a_b_ *c* __d__")
def test_any_text_comes_out_as_it_is(said):
    shown = build_element("p", said), build_element("ul", build_element("li", said)), build_element("h1", said)
    for reader in READERS.values():
        for page in (read(reader, MarkdownWriter().write(one)) for one in shown):
            assert text(page) == flat(said)
            assert {one.tag for one in page.iter()} <= {"root", "p", "ul", "li", "h1", "code"}
            assert all(set(one.text) <= set("\\$") for one in page.iter("code"))


@given(TEXTS, TEXTS.map(lambda text: text.replace("\\", "")))
def test_any_text_comes_out_as_it_is_in_a_table(said, clause):
    shown = table_element(
        "Clauses", ["Rule", "Clause"], [[build_element("th", said), build_element("td", build_element("code", clause))]]
    )
    page = read(TABLES, MarkdownWriter().write(shown))
    assert [text(one) for one in page.iter("td")] == [flat(said), flat(clause)]
    assert {one.tag for one in page.iter()} <= ELEMENTS


@given(TEXTS.filter(str.strip))
def test_any_clause_comes_out_as_it_is(said):
    lines = [line for line in said.split("\n") if line.strip()] or ["x"]
    page = read(READERS["commonmark"], "\n".join(code_block("\n".join(lines), "text")))
    assert [one.tag for one in page.iter()] == ["root", "pre", "code"]
    assert page[0][0].text.split("\n")[:-1] == lines
    assert flat(text(read(READERS["commonmark"], code_span(said)))) == flat(said)


def reworded(old, new):
    return MarkdownWriter().write(passage_elements(compare_texts(read_blocks(old), read_blocks(new))))


@given(TEXTS, TEXTS)
@example("All must agree, and so on", "Most must agree (and) so on")
@example("one two", "one, two")
def test_a_redline_makes_nothing_but_marks(old, new):
    if any(
        one.kind == "row" for one in (*read_blocks(old), *read_blocks(new))
    ):  # of columns, which are a block of code
        return
    page = read(TABLES, reworded(old, new))
    assert {one.tag for one in page.iter()} <= {"root", "p", "ul", "ol", "li", "code", "strong", "s"}
    if "Before:" in text(page):  # a passage whose marks would not be read as such
        return
    for said, other in ((old, "strong"), (new, "s")):
        kept = text(without(deepcopy(page), other))
        words = "".join(block.text for block in read_blocks(said))
        assert re.sub(r"\s", "", kept) == re.sub(r"\s", "", words)


def without(page, tag):
    """The page, without what is in one kind of element."""
    for one in page.iter():
        for inner in list(one):
            if inner.tag == tag:
                inner.text = ""
                for more in list(inner):
                    inner.remove(more)
    return page


def test_a_redline_reads_well():
    assert reworded("All must agree to it.", "Most must agree to it.") == "~~All~~ **Most** must agree to it."
    assert reworded("One.\n\n- Two.", "One.\n\n- Three.") == "One.\n\n- ~~Two~~ **Three**."


def test_marks_that_would_not_be_read_as_such_are_not_made():
    assert MarkdownWriter().write_runs([("", "a"), ("ins", "(b)"), ("", "c")]) == ["Before: ac", "After: a(b)c"]
    page = read(TABLES, reworded("It is a vote", "It is a (re)vote"))
    assert "**" not in text(page)
    assert "~~" not in text(page)


def test_a_wording_keeps_its_lists():
    assert (
        MarkdownWriter().write(prose_elements("Two:\n\n1. a\n2. b\n\nand\n- c")) == "Two:\n\n1. a\n2. b\n\nand\n\n- c"
    )


def test_clauses_that_change_are_told_whole():
    found = compare_texts(clause_blocks("set a to 1\nallow b"), clause_blocks("set a to 2\nallow b\n    when c"))
    lines = ["```diff", "- set a to 1", "+ set a to 2", "  allow b", "+     when c", "```"]
    assert MarkdownWriter().write(passage_elements(found)).splitlines() == lines


# -------------------------------------------------------------------------------------------------- content


def rows(page):
    return [[text(cell) for cell in row] for row in page.iter("tr")]


def test_the_record(full):
    page = read(TABLES, to_markdown(full))
    assert headings(page, "h2") == ["The game", "Judgments", "The law book", "Ledger"]
    turns = [one for one in headings(page, "h3") if one.startswith("Turn")]
    assert turns == [
        "Turn 1 · Ann round 1", "Turn 2 · Ben round 1", "Turn 3 · Cleo round 1", "Turn 4 · Ann round 2",
        "Turn 5 · Ben round 2", "Turn 6 · Cleo round 2", "Turn 7 · Ann round 3", "Turn 8 · Ben round 3",
    ]  # fmt: skip
    for row in (
        ["Ann", "12", "won"], ["Dov", "20", "dummy"], ["+ for", "1 of 3 (33 %)", "Ben"],
        ["− against", "2 of 3 (67 %)", "Ann and Cleo"],
    ):  # fmt: skip
        assert row in rows(page), row
    assert ["2", "Ben", "−10 points", "−10"] in [row[:4] for row in rows(page)]
    said = text(page)
    for one in (
        "Ann wins (rule 112).", "Ann, Ben, Cleo", full.ruleset.source, "Seed of the dice: 3",
        "Agreed before play: A player wins by reaching 30 points.", "Ann proposes 301: amend rule 203 !",
        "Majorities make the game lively.", "They always do.",
        "Failed: 1 for, 2 against; 2 of 3 in favour are needed (rule 301). Vote on 302",
        "Ben: −10 points, now −10. (rule 206)", "Nobody had asked Ann.",
        "Rule 108, Numbers, its standing: immutable mutable", "Dov joins as a dummy. (rule 305)",
        "May I whistle while others think?", "The question is settled: yes.",
        "Cleo invokes Judgment: Is tea a move?", "Ann rules in judgment 1: It is. (based on rule 306).",
        "Cleo’s ruling in judgment 1 stands: 0 of 2 for overruling, 2 needed (rule K7: Overruling a Judge (imported)).",
        "Taken back Cleo answers no.",
        "Branch (forked), from event 121 onwards Ann proposes 307: repeal rule 206.",
        "Ben: pours tea for everyone.", "Cleo reports Ben: interrupting.", "Cleo is away.", "Ann wins. (rule 112) ??",
        "A dozen was too few.", "Against the initial rule 208", "No longer in force", "Repealed by 307 (turn 7).",
        "Initial rule 203; amended by 301 (Ann, turn 1).",
    ):  # fmt: skip
        assert one in said, one


def test_it_says_what_the_page_says(full, nasty, odd, sealed):
    """Line by line: whatever is in one is in the other, but for the contents and the numbers of events."""
    for game in (full, nasty, odd, sealed):
        page = tree(to_html(game))
        for one in [one for one in page.iter() if of_class(one, "contents")]:
            for inner in of_class(one, "contents"):
                if inner in list(one):
                    one.remove(inner)
        said = text(read(TABLES, to_markdown(game)))
        lines = [one for one in page.iter() if one.tag in ("p", "h2", "h3", "h4", "td", "caption")]
        for line in lines:
            plain = not list(line.iter("del")) and not list(line.iter("ins"))
            assert not plain or text(line) in said, text(line)


def test_the_text_reads_well_raw(full):
    raw = to_markdown(full)
    assert "\n\n\n" not in raw
    assert raw.endswith("\n")
    assert "- Ann rolls a 4, entered by hand.\n" in raw
    assert "> ```diff\n> - set win.points to 30\n> + set win.points to 12\n> ```" in raw
    assert "> ~~A proponent whose rule-change is defeated loses 10 points.~~" in raw
    assert "\n- Ann: +4 points, now 4. (rule 202)\n" in raw


def test_comments_follow_what_they_are_about(full):
    said = text(read(READERS["commonmark"], to_markdown(full)))
    assert re.search(r"Ann proposes 301.*Comment: Majorities make.*Passed: 3 for", said)
    assert "Ben: +2 points, now −8. (rule 202) ?! Comment: Nobody had asked Ann." in said
    assert "after event 142 is undone. □ Comment: The die had rolled off the table." in said


def test_every_rule_in_force_is_there(full):
    page = read(READERS["commonmark"], to_markdown(full))
    shown = headings(page, "h4")
    for rule in full.rules:
        assert f"{rule.number} {rule.title}" in [one.removesuffix(" ★") for one in shown]
    assert "206 The price of defeat" in shown


def test_a_comment_can_begin_with_a_list():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.say("Ann", "tea")
    game.annotate("- one\n- two")
    page = read(READERS["commonmark"], to_markdown(game))
    assert ["one", "two"] in [[text(item) for item in one] for one in page.iter("ul")]


def test_a_game_that_goes_on(full):
    page = read(TABLES, to_markdown(full.at(27)))
    said = text(page)
    assert "The game is in progress. It is Ben’s turn." in said
    assert ["· not voted yet", "3 of 3 (100 %)", "Ann, Ben and Cleo"] in rows(page)
    assert re.search(r"Still open .*Ann: vote on proposal 302", said)


def test_whoever_votes_by_a_document_is_told_what_is_odd():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.amend(208, "Fifty *points* win.", "set win.points to 100"))
    page = to_markdown(game)
    assert "- Its wording says 50, but no clause does\n\n  “set win.points to 100”" in page
    still = text(read(READERS["commonmark"], page)).split("Still open")[1]
    assert "Check before you vote (hints only; none of them blocks the proposal) Its wording says 50" in still
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    assert "Check before you vote" not in to_markdown(game)


def test_void_rules_say_so():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    turn(game, nb.enact("Players need not obey.", law="set vote.adopted to true"))
    assert "**Void: it contradicts rule 104 on vote.adopted (rule 110)**" in to_markdown(game)


def test_sealed_ballots_are_not_in_the_text(sealed):
    page = read(TABLES, to_markdown(sealed))
    assert ["■ sealed", "?", "Ben and Cleo"] in rows(page)
    assert ["· not voted yet", "?", "Ann"] in rows(page)
    assert not re.search(r"votes (for|against) proposal 302|[+] for|− against", text(page).split("Still open")[1])


@pytest.mark.parametrize("seed", range(6))
def test_any_game_has_a_text(seed):
    page = read(READERS["commonmark"], to_markdown(random_game(seed)))
    assert {one.tag for one in page.iter()} <= ELEMENTS
    assert not links(page)
