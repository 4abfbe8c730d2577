"""The page made from a game, and the printable law book, looked at with a parser for HTML."""

import base64
import hashlib
import re
from itertools import pairwise

import pytest
from documents.document_helpers import NASTY, everything, flat, ids, links, of_class, put, random_game, text, tree, turn

import nomic_nb as nb
from nomic_nb.notebook.documents import law_book_html, to_html
from nomic_nb.notebook.documents import page as pages
from nomic_nb.notebook.documents.page import PageAnchors
from nomic_nb.notebook.markup.tree import ATTRIBUTES, TAGS, build_element


@pytest.fixture(scope="module")
def page(full):
    return tree(to_html(full))


@pytest.fixture(scope="module")
def book(full):
    return tree(law_book_html(full))


def section(page, place):
    """A section by the last part of the id of its heading."""
    for one in page.iter("section"):
        heading = one[0]
        if heading.get("id") == place:
            return one
    raise AssertionError(place)


def beat(page, seq):
    return next(one for one in page.iter("div") if one.get("id") == f"event-{seq}")


def every(full):
    """Every page of one game."""
    return [tree(to_html(full)), tree(law_book_html(full))]


# ------------------------------------------------------------------------------------- one file, safe


@pytest.mark.parametrize("which", ["full", "nasty", "odd", "sealed"])
def test_nothing_runs_nothing_loads(which, request):
    for page in every(request.getfixturevalue(which)):
        policy = next(one for one in page.iter("meta") if one.get("http-equiv") == "Content-Security-Policy")
        ours = base64.b64encode(hashlib.sha256(pages.page_script().encode()).digest()).decode()
        for script in page.iter("script"):  # ours, which the policy names, and no other
            assert (script.text, script.attrib) == (pages.page_script(), {})
            assert policy.get("content").endswith(f"; script-src 'sha256-{ours}'")
        tags = {one.tag for one in page.iter()} - {"root", "script"}
        assert tags <= TAGS
        assert not tags & {"img", "link", "iframe", "object", "embed", "svg", "form", "input", "base"}
        names = {name for one in page.iter() for name in one.attrib}
        assert names <= ATTRIBUTES
        assert not [name for name in names if name.startswith("on")]
        sheet = "".join(one.text for one in page.iter("style"))
        assert "url(" not in sheet
        assert "@import" not in sheet
        assert "http" not in sheet
        assert policy.get("content").startswith("default-src 'none'")
        assert "script-src 'unsafe" not in policy.get("content")


@pytest.mark.parametrize("which", ["full", "nasty", "odd", "sealed"])
def test_every_link_leads_to_a_place_on_the_page(which, request):
    for page in every(request.getfixturevalue(which)):
        places = ids(page)
        assert len(places) == len(set(places))
        assert links(page)
        for link in links(page):
            assert link.startswith("#")
            assert link[1:] in places, link


def test_every_address_still_leads_there_after_a_comment():
    game = everything()
    before = {one.get("id"): text(one) for one in tree(to_html(game)).iter() if one.get("id")}
    game.annotate("A word more.", turn=1)
    game.annotate("And another.", proposal=301)
    after = {one.get("id"): text(one) for one in tree(to_html(game)).iter() if one.get("id")}
    assert before.keys() - after.keys() == set()
    assert {"turn-3", "proposal-303", "rule-301", "event-98"} <= before.keys()
    assert all(after[place].startswith(before[place][:20]) for place in before)


def test_the_same_game_gives_the_same_page(full, tmp_path):
    full.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert law_book_html(again) == law_book_html(full)
    once = re.sub(r"<div class=\"nnb-beat nnb-on-variation\">.*?</ul></div></div></div>", "", to_html(full))
    assert to_html(again) == once  # a saved game has no other ways


def test_an_anchor_is_made_once():
    anchors = PageAnchors("nnb-x")
    assert anchors.add_anchor("turn-1") == "nnb-x-turn-1"
    with pytest.raises(ValueError, match="turn-1"):
        anchors.add_anchor("turn-1")


@pytest.mark.parametrize(
    ("tag", "attributes"),
    [
        ("script", {}),
        ("p", {"onclick": "x"}),
        ("a", {"href": "http://x"}),
        ("a", {"href": "javascript:x"}),
        ("img", {}),
    ],
)
def test_no_other_elements_are_made(tag, attributes):
    with pytest.raises(ValueError, match="here"):
        build_element(tag, **attributes)


def test_a_link_that_leads_nowhere_is_text():
    anchors = PageAnchors("nnb-x")
    made = tree(
        pages.page_html(
            "Tea",
            build_element("h2", "Tea", id=anchors.add_anchor("tea")),
            anchors.link_to("tea", "up"),
            anchors.link_to("gone", "out"),
        )
    )
    assert links(made) == ["#nnb-x-tea"]
    assert "out" in text(made)


def test_markup_of_players_comes_out_as_text(nasty):
    page, book = every(nasty)
    said = text(page)
    assert said.count(flat(NASTY)) >= 8
    for name in nasty.players:
        assert name in said
    for shown in (
        "<i>*title*</i> [x](http://evil.example)",
        "</title><b>",
        "<b>`deed`</b> [x](http://evil.example)",
        "<b>no</b>",
        "<b>boo</b> [x](http://evil.example)",
        "<b>ask</b> [x](http://evil.example)",
        "<b>heard</b> [x](http://evil.example)",
        'on said when text == "<u>&`": award 1 points to player',
        "# Head",
        "<div>",
    ):
        assert shown in said, shown
    assert flat(NASTY) in text(book)
    for one in page.iter():
        for name, value in one.attrib.items():
            assert "evil" not in value, name
            assert nasty.players[0] not in value


def test_a_page_is_whole(full):
    made = to_html(full)
    assert made.startswith('<!DOCTYPE html>\n<html lang="en">')
    head = next(tree(made).iter("head"))
    assert next(one.get("charset") for one in head.iter("meta")) == "utf-8"
    assert next(head.iter("title")).text == "A game of Discordian Nomic"
    assert next(one for one in head.iter("meta") if one.get("name") == "color-scheme").get("content") == "light dark"
    assert "@page" in next(head.iter("style")).text


@pytest.mark.parametrize("seed", range(4))
def test_any_game_has_a_page(seed):
    for page in every(random_game(seed)):
        assert {link[1:] for link in links(page)} <= set(ids(page))


# ------------------------------------------------------------------------------------------ the content


def test_the_title_page(page, full):
    header = text(next(page.iter("header")))
    for said in ("A game of Discordian Nomic", "Ann, Ben, Cleo", "Ann wins (rule 112).", full.ruleset.source,
                 "Seed of the dice 3", "wins by reaching 30 points.", "8 turns, 3 rounds"):  # fmt: skip
        assert said in header, said
    rows = [text(row) for row in next(page.iter("header")).iter("tr")]
    assert rows[1:] == ["Ann 12 won", "Ben 3", "Cleo 5", "Dov 20 dummy"]


def test_the_contents_name_every_turn_with_its_votes(page, full):
    contents = next(page.iter("nav"))
    lines = [text(one) for one in of_class(contents, "turns")[0]]
    assert len(lines) == full.turn
    assert lines[1] == "Turn 2: Ben 302 enact “No throws”, defeated"
    assert lines[6] == "Turn 7: Ann 307 repeal rule 206, adopted"
    for heading in ("The law book", "Immutable rules", "Mutable rules", "Readings", "No longer in force", "Ledger"):
        assert heading in text(contents)


def test_headings_go_down_one_step_at_a_time(page, book):
    for one in (page, book):
        levels = [int(tag.tag[1]) for tag in one.iter() if re.fullmatch(r"h\d", tag.tag)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(b - a <= 1 for a, b in pairwise(levels))


def test_a_proposal_has_a_redline_of_wording_and_clauses(page, full):
    shown = beat(page, 8)
    assert text(shown).startswith("8 Ann proposes 301: amend rule 203 !")
    old, new = full.timeline.before.rules.by_number[203], full.rules[301]
    struck, added = (" ".join(text(one) for one in shown.iter(tag)) for tag in ("del", "ins"))
    assert flat(old.wording) in struck
    assert flat(new.wording) in added
    assert "unanimity" in struck
    assert "majority" in added
    assert new.title in added


def test_what_is_enacted_stands_with_its_clauses(page, full):
    shown = next(one for one in of_class(page, "on-proposed") if "enact “Dov”" in text(one))
    assert full.rules[305].wording in text(shown)
    assert [text(one) for one in of_class(shown, "clauses")[0]] == full.rules[305].law.splitlines()
    other = next(one for one in of_class(page, "on-proposed") if "No throws" in text(one))
    assert "No clauses: people apply this rule." in text(other)


def test_a_transmutation_says_from_what_to_what(page):
    shown = next(one for one in of_class(page, "on-proposed") if "transmute rule 108" in text(one))
    assert [text(one) for one in shown.iter("del")] == ["immutable"]
    assert [text(one) for one in shown.iter("ins")] == ["mutable"]


def test_a_repeal_strikes_the_rule_out(page):
    shown = next(one for one in of_class(page, "on-proposed") if "repeal rule 206" in text(one))
    assert next(text(one) for one in shown.iter("del")) == "A proponent whose rule-change is defeated loses 10 points."
    assert not list(shown.iter("ins"))


def test_every_vote_has_its_tally_and_verdict(page, full):
    shown = of_class(page, "on-vote-closed")
    assert len(shown) == 8
    for one, proposal in zip(shown, full.proposals, strict=True):
        assert proposal.tally.verdict in text(one)
    assert "Ann and Cleo" in text(shown[1])
    assert "Dov" in text(shown[6])


def test_points_and_throws_with_a_link_to_their_rule(page, full):
    line = next(one for one in of_class(page, "on-counted") if "−10 points" in text(one))
    assert text(line).endswith("Ben: −10 points, now −10. (rule 206)")
    target = links(line)[1]
    struck = next(one for one in page.iter("h4") if one.get("id") == target[1:])
    assert text(struck) == "206 The price of defeat"
    throws = [text(one) for one in of_class(page, "on-thrown")]
    assert any(one.endswith("Ann rolls a 4, entered by hand.") for one in throws)


def test_comments_and_glyphs(page):
    comments = {text(one): one for one in of_class(page, "comment")}
    assert "Majorities make the game lively. They always do." in comments
    assert [text(one) for one in comments["Majorities make the game lively. They always do."]] == [
        "Majorities make the game lively.",
        "They always do.",
    ]
    assert comments["Nobody had asked Ann."] in list(beat(page, 37).iter())
    glyphs = [(text(one), one.get("title")) for one in of_class(page, "glyph")]
    assert glyphs == [("!", "good"), ("?!", "dubious"), ("□", "forced"), ("??", "a blunder")]


def test_what_was_taken_back_is_shown_as_that(page):
    stretches = [text(one) for one in of_class(page, "taken-back")]
    assert stretches == [
        "Taken back 126 Cleo answers no.",
        "Taken back 143 Ann rolls a 2. 144 Ann: +2 points, now 11. (rule 202)",
    ]


def test_questions_ways_and_the_rest(page):
    said = text(section(page, "record"))
    for one in (
        "Ben says “whistling?”",
        "May I whistle while others think?",
        "Ann answers yes.",
        "The question is settled: yes.",
        "Cleo invokes Judgment: Is tea a move?",
        "Ann rules in judgment 1: It is. (based on rule 306).",
        "Ann is overruled in judgment 1: 2 of 2 for overruling, 2 needed (rule K7: Overruling a Judge (imported)).",
        "Cleo’s ruling in judgment 1 stands: 0 of 2 for overruling, 2 needed (rule K7: Overruling a Judge (imported)).",
        "Tea is free.",
        "Branch (forked), from event 121 onwards Ann proposes 307: repeal rule 206.",
        "Cleo reports Ben",
        "Ann, Ben and Cleo agree: award 2 points",
        "Ben: pours tea for everyone.",
        "Ann wins. (rule 112)",
    ):
        assert one in said, one


def test_turns_come_in_order(page):
    headings = [text(one) for one in section(page, "record").iter("h3")]
    assert [one.split(" ·")[0] for one in headings] == [f"Turn {n}" for n in range(1, 9)]


def test_the_law_book_of_the_page_compares_with_the_initial_set(page, full):
    law = section(page, "law")
    rules = {text(one[0]).split()[0]: one for one in of_class(law, "rule")}
    assert set(rules) == {str(rule.number) for rule in full.rules} | {"206"}
    for rule in full.rules:
        assert flat(rule.wording)[:30] in text(rules[str(rule.number)])
    assert "Against the initial rule 203" in text(rules["301"])
    assert list(rules["301"].iter("del"))
    assert list(rules["301"].iter("ins"))
    assert "Against the initial rule 208" in text(rules["308"])
    assert "Initial rule 108; transmuted by 303 and mutable since (Cleo, turn 3); amended by 304" in text(rules["304"])
    assert not list(rules["101"].iter("del"))
    assert "A proponent whose" in text(next(rules["206"].iter("del")))
    assert "Repealed by 307 (turn 7)." in text(rules["206"])


def test_the_ledger_has_every_entry(page, full):
    rows = [text(row) for row in section(page, "ledger").iter("tr")][1:]
    assert len(rows) == len(full.ledger)
    assert rows[1].startswith("2 Ben −10 points −10 206 on defeated")
    assert rows[-3] == "8 Ben +2 points 3 agreed by the players: the tea"


def test_a_long_ledger_is_whole():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, terms={"win.points": 10_000})
    turn(game, nb.enact("Tea.", law='on said when text == "tea": award 1 points to player'))
    for _ in range(120):
        game.say("Ann", "tea")
    assert len(list(section(tree(to_html(game)), "ledger").iter("tr"))) == 1 + 121


def test_a_game_that_goes_on(full):
    page = tree(to_html(full.at(27)))
    assert "The game is in progress. It is Ben’s turn." in text(page)
    still = text(next(one for one in page.iter("section") if text(one[0]) == "Still open"))
    assert "Ann, Ben and Cleo have not voted" in still
    assert re.search(r"Ann: vote on proposal 302.*: for, against \(rule 105\)", still)


def test_whoever_votes_by_a_page_is_told_what_is_odd():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.amend(208, "<b>Fifty</b> points win."))
    page = to_html(game)
    assert "<details><summary>Its wording says 50, but no clause does</summary>“set win.points to 100”" in page
    assert "<b>" not in page


def test_a_game_that_has_just_begun():
    page = tree(to_html(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)))
    assert "Nothing has been counted." in text(page)


def test_sealed_ballots_are_not_on_the_page(sealed):
    for page in every(sealed):
        assert not re.search(r"votes (for|against) 302", text(page))
        for one in of_class(page, "tally"):
            if "sealed" in text(one):
                assert "1 for" not in text(one)
    still = text(next(one for one in tree(to_html(sealed)).iter("section") if text(one[0]) == "Still open"))
    assert "Open, ballots sealed: Ann has not voted" in still
    assert "■ sealed ? Ben and Cleo" in still


def test_the_ids_of_a_page_do_not_tell_sealed_ballots():
    games = []
    for ballot in ("for", "against"):
        game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=5)
        turn(game, nb.enact("Ballots are sealed.", law='set vote.ballots to "sealed"'))
        game.propose("Ben", nb.enact("Secret."))
        game.vote("Ann", ballot)
        games.append(game)
    assert to_html(games[0]) == to_html(games[1])


# ----------------------------------------------------------------------------------------- the law book


def test_the_law_book_has_every_rule_in_force(book, full):
    rules = {text(one[0]): one for one in of_class(book, "rule")}
    assert len(rules) == len(full.rules)
    for rule in full.rules:
        heading = f"{rule.number} {rule.title}"
        shown = next(one for name, one in rules.items() if name.removesuffix(" ★") == heading)
        assert all(flat(line) in text(shown) for line in rule.wording.split("\n\n") if "\n" not in line)
        folded = [one for history in shown.iter("details") for one in of_class(history, "clauses")]
        assert [text(line) for one in of_class(shown, "clauses") if one not in folded for line in one] == [
            line.strip() for line in rule.law.splitlines()
        ]
        for note in rule.notes:
            assert flat(note)[:60] in text(shown)


def test_the_law_book_marks_what_was_made_or_changed(book, full):
    marked = {text(one).split()[0] for one in book.iter("h4") if "★" in text(one)}
    assert marked == {"301", "304", "305", "306", "308", "Q1"}
    assert "6 rules made or changed in play are marked with a star." in text(book)
    assert "Initial rule 203; amended by 301 (Ann, turn 1)." in text(book)


def test_the_history_of_a_rule_stands_below_it_on_demand(book, full):
    shown = next(one for one in of_class(book, "rule") if text(one[0]).startswith("308 "))
    (history,) = [one for one in of_class(shown, "history") if list(one.iter("details"))]
    versions = [one for one in history.iter("li") if one in list(next(history.iter("ol")))]
    assert len(versions) == len(full.rules[308].all_versions) == 2
    assert text(versions[0]) == "Initial rule 208."
    assert "30" in " ".join(text(one) for one in versions[1].iter("del"))
    assert "12" in " ".join(text(one) for one in versions[1].iter("ins"))


def test_the_law_book_goes_by_standing(book):
    assert [text(one) for one in book.iter("h3")] == ["Immutable rules", "Mutable rules", "Readings", "Answers"]
    folded = [one for history in book.iter("details") for one in history.iter("del")]
    assert list(book.iter("del")) == folded


def test_void_rules_and_agreed_terms_are_in_the_law_book():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, terms={"win.points": 30})
    put(game, nb.enact("Players need not obey.", law="set vote.adopted to true"))
    book = tree(law_book_html(game))
    assert "Void: it contradicts rule 104 on vote.adopted (rule 110)" in text(book)
    assert "Agreed before play: A player wins by reaching 30 points." in text(book)


def test_what_was_agreed_is_told_in_words_on_the_record_page():
    terms = {"turn.sequence": "[p for p in seats if p.present]", "win.joint": "joint"}
    page = text(tree(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, terms=terms).to_html()))
    agreed = "Turns go to the people still in the game who are at the table. If several players win at once, they win"
    assert f"Agreed before play {agreed} together." in page
    assert "turn.sequence is" not in page


def test_the_law_before_play():
    book = tree(law_book_html(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1).at(1)))
    assert "before the first turn." in text(book)
    assert "★" not in text(book)


@pytest.mark.parametrize("system", ["make-a-rule", "discordian-nomic"])
def test_the_law_book_has_the_notes_of_the_rule_set_on_its_source(system):
    game = nb.new_game(system, ["Ann", "Ben"], seed=7)
    notes = section(tree(law_book_html(game)), "source-notes")
    first = re.sub(r"\W+", " ", game.ruleset.source_notes.partition(".")[0]).strip()
    assert first in re.sub(r"\W+", " ", text(notes))
