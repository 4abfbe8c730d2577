"""What is odd about a proposal stands in the panel: with the vote, and below the draft while it is written."""

from __future__ import annotations

import asyncio

import ipywidgets as w
from panels.hands import Hand, visible, words

import nomic_nb as nb
from nomic_nb.explore.odd import LOOKING
from nomic_nb.panels.later import SOON
from nomic_nb.panels.panel import Panel

TWELVE = nb.enact("Twelve.", 'set dissent.points to 12\non enacted: award 1000 points to "Ann"')
NEVER, WINS = "“set dissent.points to 12” never has an effect", "Ann would win at once (rule 112)"


def test_whoever_votes_sees_what_is_odd(game, ann):
    game.propose("Ann", TWELVE)
    ben = Hand(ann.panel, "Ben")
    for text in (ann.text, ben.text, words(ann.panel.beside.votes.value)):
        assert NEVER in text
        assert WINS in text
        assert "rule 204 defeats it in every case" in text  # below the line
    assert LOOKING not in ben.text
    assert "<details><summary>“set" in ann.panel.beside.votes.value


def test_what_must_be_tried_comes_later_and_keeps_no_vote_waiting(game):
    async def play():
        panel = Panel(game)
        ben = Hand(panel, "Ben")
        game.propose("Ann", TWELVE)
        assert NEVER in ben.text
        assert LOOKING in ben.text.lower()
        assert WINS not in ben.text
        ben.press("Vote for")
        assert game.ballots["ballot"].tolist() == ["for"]
        await asyncio.sleep(2 * SOON)
        assert WINS in Hand(panel, "Cleo").text
        assert LOOKING not in Hand(panel, "Cleo").text.lower()
        panel.close()

    asyncio.run(play())


def test_a_panel_that_is_closed_looks_no_more(game):
    async def play():
        panel = Panel(game)
        game.propose("Ann", TWELVE)
        before = panel.beside.votes.value
        panel.close()
        await asyncio.sleep(2 * SOON)
        assert panel.beside.votes.value == before

    asyncio.run(play())


def test_the_draft_says_what_is_odd_below_the_button(game, ann):
    ann.set(Kind="amend", Rule="208")
    ann.set(Wording="Fifty points win.")
    assert "Its wording says 50, but no clause does" in ann.text
    shown = list(visible(ann.panel.groups["Ann"]))
    last = [one for one in shown if isinstance(one, w.HTML) and "Its wording says 50" in one.value]
    assert shown.index(last[0]) > shown.index(ann.find("Propose", button=True))
    ann.set(Law="set win.points to 50")
    assert "Worth a thought" not in ann.text
    ann.set(Law="set win.point to 50")
    assert "Worth a thought" not in ann.text


def test_odd_clauses_of_strangers_are_text(game, ann):
    game.propose("Ann", nb.amend(208, "<script>50</script> <b>bold</b>"))
    assert "<script>" not in ann.panel.beside.votes.value
    assert "<b>" not in ann.panel.beside.votes.value
