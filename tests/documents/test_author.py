"""What an author writes and chooses: markup and references in their prose, folding, hiding, fingerprints."""

import pytest
from documents.document_helpers import NASTY, everything, links, of_class, text, tree
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

import nomic_nb as nb
from nomic_nb.notebook.markup.tree import ATTRIBUTES, TAGS

PROSE = """This is a **short** game, and rule 203 was *changed* at once by 301 (see turn 1, event 98).

- It is [well known](https://example.org/a?b=1&c=2).[^1] In 2026 there were 4 players.

[^1]: Not to everybody: rule 999 is none, and so is proposal 999."""


@pytest.fixture(scope="module")
def page(full):
    return tree(full.to_html(introduction=PROSE, chapters={"turn 2": "Second\n\nAfter rule 203, a vote."}))


def intro(page, at=0):
    return of_class(page, "introduction")[at]


def test_the_prose_of_an_author_has_emphasis_links_and_footnotes(page):
    prose = intro(page)
    assert [(one.tag, text(one)) for one in prose.iter() if one.tag in ("strong", "em")] == [
        ("strong", "short"), ("em", "changed"),
    ]  # fmt: skip
    (out,) = [one for one in prose.iter("a") if one.get("rel")]
    assert (out.get("href"), out.get("rel"), text(out)) == (
        "https://example.org/a?b=1&c=2", "nofollow noopener", "well known",
    )  # fmt: skip
    note, place = (one for one in prose.iter() if "nnb-note-mark" in (one.get("class") or ""))
    assert note.get("href") == f"#{place.get('id')}"


def test_references_lead_to_what_they_name_and_say_what_it_was(page, full):
    inside = {text(one): one for one in intro(page).iter("a") if not one.get("rel")}
    assert {words: one.get("href") for words, one in inside.items() if words != "[1]"} == {
        "rule 203": f"#rule-{full.rules[301].number}", "301": "#proposal-301", "turn 1": "#turn-1",
        "event 98": "#event-98",
    }  # fmt: skip
    assert full.rules[301].wording[:30] in inside["rule 203"].get("title")
    (then,) = intro(page, 1).iter("a")
    assert then.get("title").startswith("301 ")
    assert {"203", "301"} <= {str(number) for number in full.rules[301].all_numbers}


def test_a_reference_in_a_comment_is_a_link_to_the_version_of_that_moment():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.amend(206, "Later."))
    game.annotate("Rule 206 is *still* the [old](http://x.example) one.", at=2)
    game.votes()
    (comment,) = of_class(tree(game.to_html()), "comment")
    (link,) = comment.iter("a")
    assert link.get("title").startswith("206 ")
    assert "Later" not in link.get("title")
    assert text(comment) == "Rule 206 is *still* the [old](http://x.example) one."  # a comment has no other markup


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from([*"*[]()^:1 a\n", NASTY, "**", "[^1]", "](https://a.b/", "rule 203", "javascript:x"])))
def test_any_prose_is_elements_that_run_nothing(parts):
    page = tree(everything_once().to_html(introduction="x" + "".join(parts), parts=["law"]))
    prose = intro(page)
    assert {one.tag for one in prose.iter()} <= TAGS
    assert {name for one in prose.iter() for name in one.attrib} <= ATTRIBUTES
    assert all(link.startswith(("#", "https://", "http://")) for link in links(prose))
    bare = str.maketrans("", "", "*[]()^: \n")
    said = "".join(part for part in ("".join(parts)).translate(bare))
    assert len(text(prose).translate(bare)) <= len(said) + 1


def everything_once(made=[]):  # noqa: B006 - one game for all examples
    made += [] if made else [nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)]
    return made[0]


@pytest.mark.parametrize("sign", ["*", "[", "[^", "**a", "[a](https://", "rule "])
def test_long_prose_of_nothing_but_signs_stays_text(sign):
    said = (sign * 20_000)[:20_000]
    assert len(text(intro(tree(everything_once().to_html(introduction=said, parts=["law"]))))) >= 6_000


def test_markdown_has_emphasis_and_addresses(full):
    said = full.to_markdown(introduction=PROSE)
    assert "**short**" in said
    assert "*changed*" in said
    assert r"example\.org/a" in said


def test_folding_makes_one_line_of_a_run(full):
    page = tree(full.to_html(fold=["points", "say"]))
    folded = of_class(page, "folded")
    assert folded
    assert text(folded[0][0]).startswith("1 event: points")
    assert len(of_class(page, "beat")) == len(of_class(tree(full.to_html()), "beat"))
    assert not any(one.get("open") for one in folded)


def test_short_tallies_are_a_line_each(full):
    page = tree(full.to_html(tallies="short", parts=["game"]))
    assert not of_class(page, "tally")
    assert "Vote on 301. Passed: 3 for, 0 against" in text(page)


def test_what_is_hidden_is_gone_and_the_title_page_says_so(full):
    said = next(event.seq for event in full.timeline.events if event.kind == "said")
    page = tree(full.to_html(hide=[said]))
    assert "Welcome, Dov!" not in text(page)
    assert f"Left out event {said}" in text(next(page.iter("header")))


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"hide": [0]}, "hides-no-event"), ({"hide": ["3"]}, "hides-no-event"), ({"hide": [10**6]}, "hides-no-event"),
        ({"fold": "points"}, "parts-not-a-list"), ({"tallies": "long"}, "no-such-tallies"),
        ({"chapters": {1: "A\n" + "x" * 20_001}}, "text-too-long"),
    ],
)  # fmt: skip
def test_choices_that_mean_nothing_are_refused(full, given, code):
    with refused(code, Exception):
        full.to_html(**given)


def test_an_embedded_page_has_its_parts_alone_and_names_its_author(full):
    page = tree(full.to_html(parts=["ledger"], embed=True, annotator="<Cleo>", title="Tea"))
    assert not list(page.iter("header"))
    assert not list(page.iter("nav"))
    assert [text(one) for one in page.iter("h2")] == ["Ledger"]
    assert {one.get("name"): one.get("content") for one in page.iter("meta")}["author"] == "<Cleo>"


def test_play_and_edition_have_fingerprints_of_their_own():
    game = everything()

    def fingerprints(**edition):
        shown = text(next(tree(game.to_html(**edition)).iter("dl")))
        return [shown.partition(f"Fingerprint of {what} ")[2][:8] for what in ("the play", "this edition")]

    plain, titled = fingerprints(), fingerprints(title="Tea")
    assert plain[0] == titled[0]
    assert plain[1] != titled[1]
    game.annotate("One more.", turn=1)
    assert fingerprints()[0] == plain[0]
    assert fingerprints()[1] != plain[1]
    bare = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    assert f"Fingerprint of the play {bare.fingerprint}" in text(tree(bare.to_html()))
