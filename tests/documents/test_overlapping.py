"""Turns that overlap and Judgment in documents and data frames."""

from __future__ import annotations

from fractions import Fraction

import pytest
from documents.document_helpers import ids, links, of_class, text, tree
from documents.test_notebook import code, executed, played, same
from markdown_it import MarkdownIt
from overlapping_games import judged, scored, stale, two_open

import nomic_nb as nb
from nomic_nb.notebook.documents import law_book_html, to_html, to_markdown, to_notebook
from nomic_nb.notebook.documents.narrative import tell_story

EVIL = ("<img src=x onerror=alert(1)>", "*[b](http://e.example/)`$\\", "<b>", "</title>")


@pytest.fixture(scope="module")
def game():
    return scored()


def cabinet():
    game = nb.new_game("cabinet-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    game.invoke_judgment("Ben", "May one yawn?")
    game.rule_on("Cleo", "One may.", "Nobody forbids it.", rests_on=[116], orders='award 2 points to "Ben"')
    return game


@pytest.mark.rule("github-nomic", -112)
def test_a_chapter_goes_by_when_a_turn_began_and_what_belongs_to_another_is_marked(game):
    chapters = tell_story(game)
    assert [(one.turn, one.player) for one in chapters] == [(1, "Ann"), (2, "Ben"), (3, "Dee")]
    seqs = [beat.seq for one in chapters for beat in one.beats]
    assert seqs == sorted(seqs)
    second = {beat.text: (beat.turn, beat.player) for beat in chapters[1].beats}
    assert second["Ben’s turn begins."] == (0, "")
    assert second["Ann proposes 5: amend rule -104 (4 numbers left out)."] == (1, "Ann")
    assert second["Ben proposes 7: amend rule -104 (1 number left out)."] == (0, "")
    assert second["Ann’s turn is over."] == (1, "Ann")
    third = {beat.text: beat.turn for beat in chapters[2].beats}
    assert third["Ben: +12 points, now 2."] == 2
    assert third["Dee: +14 points (rounded from 27/2, a tie), now 4."] == 0


def test_answers_stand_with_their_question(game):
    second = tell_story(game)[1]
    asked = next(at for at, beat in enumerate(second.beats) if beat.kind == "asked")
    answers = [beat for beat in second.beats[asked:] if beat.kind in ("answered", "settled")]
    assert len(answers) == 5
    assert {beat.turn for beat in answers} == {1}


def test_turns_one_after_the_other_have_no_marks():
    game = nb.new_game("cabinet-nomic", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.repeal(206))
    for name in game.players:
        game.vote(name, "for")
    game.roll("Ann", 3)
    assert all(not beat.turn for one in tell_story(game) for beat in one.beats)
    assert "*Turn" not in to_markdown(game)
    assert not of_class(tree(to_html(game)), "of-turn")


def test_the_text_names_the_turn_of_what_follows(game):
    said = to_markdown(game)
    third = said[said.index("### Turn 3 · Dee") : said.index("### Still open")]
    order = ["*Turn 2 · Ben*", "**Ben invokes Judgment", "*Turn 3 · Dee*", "#### Dee proposes 9", "*Turn 2 · Ben*",
             "*Vote on 7*", "Ben’s turn is over."]  # fmt: skip
    at = 0
    for one in order:
        at = third.index(one, at) + 1


def test_the_page_leads_to_the_turn_of_what_follows(game):
    page = tree(to_html(game))
    assert {link[1:] for link in links(page)} <= set(ids(page))
    assert [text(one) for one in of_class(page, "of-turn")][:3] == ["Turn 1 · Ann", "Turn 2 · Ben", "Turn 1 · Ann"]
    assert "7 amend rule -104, defeated" in text(of_class(page, "contents")[0])
    open_now = two_open()
    assert "Current turns: Ann (turn 1: proposal); Ben (turn 2: proposal)." in to_markdown(open_now)


@pytest.mark.rule("github-nomic", -102)
def test_a_judgment_is_told_in_one_place(game):
    page = tree(to_html(game))
    said = text(of_class(page, "judgment")[0])
    order = ["Judgment 1", "stands", "Does rule 5 contradict rule -203?", "Asked by Ben in turn 3 (rule -102).",
             "Judge: Ann", "Ruling, overruled, by Cleo", "It does not.", "Thirty is no more than a number.",
             "Rests on rule -203", "Ruling, by Ann", "It does.", "The spirit.", "Rests on rule -203, rule 5",
             "orders void rule_numbered(5) against rule_numbered(-203)", "On overruling it: Ben against"]  # fmt: skip
    at = 0
    for one in order:
        at = said.index(one, at) + 1
    in_text = to_markdown(game)
    told = in_text[in_text.index("**Judgment 1**") : in_text.index("## The law book")]
    for one in ("Does rule 5", "It does not.", "Thirty is", "It does.", "Rests on rule -203, rule 5.", "void rule"):
        assert one in told


@pytest.mark.parametrize("make", [to_html, law_book_html])
def test_rules_have_their_judgments_with_links(game, make):
    page = tree(make(game))
    assert {link[1:] for link in links(page)} <= set(ids(page))
    said = [text(one) for one in of_class(page, "judged")]
    assert said == ["Judgment 1, Ann: It does. (stands)"] * 2
    assert "as the Judge found (rule -207)" in text(page)


def test_a_judgment_on_a_rule_that_is_gone():
    game = cabinet()
    game.overrule("Ann", "against")
    for name in ("Ann", "Ben"):
        game.choose(name, "yes")  # to the points that the Judge orders
    made = game.propose("Ann", nb.transmute(116))
    for name in game.players:
        game.vote(name, "for")
    game.roll("Ann", 1)
    assert made.outcome == "adopted"
    for name in ("Ann", "Cleo"):
        game.consent(name)
    game.propose("Ben", nb.repeal(301))
    for name in game.players:
        game.vote(name, "for")
    for make in (to_html, law_book_html):
        page = tree(make(game))
        assert {link[1:] for link in links(page)} <= set(ids(page))
        assert "Rests on rule 301 (repealed)" in text(page)


@pytest.mark.parametrize("moment", [two_open, stale, judged, scored, cabinet])
def test_a_notebook_plays_it_again(moment):
    game = moment()
    assert same(game, played(to_notebook(game)))


def test_a_notebook_keeps_what_was_agreed_on_the_initial_set():
    game = nb.new_game("cabinet-nomic", ["Ann", "Ben"], seed=7, terms={"strict_101": True})
    for name in game.players:
        game.choose(name, "100")  # no rule says with how many points one wins
    assert 204 not in game.rules
    assert same(game, played(to_notebook(game)))


@pytest.mark.slow
def test_a_kernel_plays_it_again(game, tmp_path):
    book = executed(to_notebook(game), tmp_path)
    last = [cell for cell in book.cells if cell.cell_type == "code"][-1]
    assert last.source == f"assert game.state.digest() == {game.state.digest()!r}"


def test_the_calls_in_the_notebook(game):
    written = "\n".join(cell["source"] for cell in code(to_notebook(game)))
    for line in ("game.begin_turn('Ann')", "number=5", "game.overrule('Ann', 'for')", "rests_on=[-203, 5]",
                 "orders='void rule_numbered(5) against rule_numbered(-203)'"):  # fmt: skip
        assert line in written, line


@pytest.mark.parametrize("moment", [stale, judged, scored])
def test_hostile_names_are_text_in_documents(moment):
    game = moment(EVIL)
    for make in (to_html, law_book_html):
        page = tree(make(game))
        assert not list(page.iter("img"))
        assert not list(page.iter("b"))
        assert {link[1:] for link in links(page)} <= set(ids(page))
    shown = MarkdownIt("commonmark").render(to_markdown(game))
    assert "<img" not in shown
    assert "<a " not in shown
    assert same(game, played(to_notebook(game)))


# ---------------------------------------------------------------------------------------------- frames


def test_the_history_has_the_turn_at_hand(game):
    history = game.history
    assert history.loc[history.what.str.startswith("Cleo votes for proposal 7"), "turn"].tolist() == [2]
    assert history.loc[history.kind == "turn_ended", "turn"].tolist() == [1, 3, 2]
    assert history["turn"].dtype == "int64"


@pytest.mark.rule("github-nomic", -111)
def test_the_ledger_has_what_was_rounded(game):
    frame = game.ledger.frame
    rounded = frame[frame.exact.notna()]
    assert rounded.exact.tolist() == [Fraction(27, 2)]
    assert rounded.amount.tolist() == [14]
    assert frame.tie.dtype == bool
    assert frame.tie.sum() == 1


@pytest.mark.rule("github-nomic", -110)
def test_the_versions_have_what_a_rule_did_by_itself():
    game = nb.new_game("github-nomic", ["Ann", "Ben"], seed=7)
    for number in range(1, 5):
        player = game.players[number % 2]
        game.begin_turn(player)
        game.propose(player, nb.enact("Nothing of weight."), number=number)
        for name in game.players:
            game.vote(name, "for")
    made = game.rules.versions.query("how == 'automatic'")
    assert made.number.tolist() == [-110]
    assert made.proposal.isna().all()
    assert "amended automatically by a rule" in to_markdown(game)
