"""The case cards of the lesson plans: each ready-made rule is adopted as its card has it, and does what it is for."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from docs.test_links import DOCS
from documents.document_helpers import ballots

import nomic_nb as nb
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import find_ruleset
from nomic_nb.notebook.table_settings import agreed_terms

NAMES = ("Ann", "Ben", "Cleo")
PAGE = (DOCS / "lessons.md").read_text(encoding="utf-8")
CARDS: dict[str, Sequence[object]] = {}
for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
    exec(block, {"nb": nb}, CARDS)  # noqa: S102 - our own page


def play(game: nb.Game, change: object, against: Sequence[str] = ()) -> str:
    """Have a change proposed and voted on in a whole turn; return what became of it."""
    proposal = game.propose(game.player, change)
    if proposal.outcome == "debate":
        for name in NAMES:
            if name != proposal.proponent:
                game.say(name, "Well.")
        game.call_vote(proposal.proponent)
    ballots(game, against)
    if not game.over and any(one.action == "roll" for one in game.pending):
        game.roll(game.player, 1)
    return proposal.outcome


def adopted(card: str) -> nb.Game:
    game = nb.new_game("discordian-nomic", NAMES, seed=7, terms={"win.points": 500})
    for change in CARDS[card]:
        assert play(game, change) == "adopted"
    assert not game.state.rules.void
    return game


def test_there_are_seven_cards_each_with_an_article_a_rule_and_a_question():
    cards = re.split(r"^### \d\. ", PAGE.partition("## Seven case cards")[2], flags=re.MULTILINE)[1:]
    assert len(cards) == len(CARDS) == 7
    for card in cards:
        assert re.search(r"\((?:[^()]*(?:Art\.|section) [^()]*(?:\(\d\))?)\)", card), card
        assert card.strip().endswith("?"), card


def test_sunset():
    game = adopted("sunset")
    play(game, nb.enact("We greet each other.", title="Greeting"))
    number = max(game.state.proposals)
    for _ in range(4):
        play(game, nb.enact("Another."))
    assert number not in [rule.number for rule in game.rules]


def test_two_thirds():
    game = adopted("two_thirds")
    assert play(game, nb.enact("Two are enough."), against=("Ann",)) == "adopted"
    assert play(game, nb.enact("One is not."), against=("Ann", "Ben")) == "defeated"


def test_eternity_clause():
    game = adopted("eternity")
    own = max(game.state.proposals)
    assert play(game, nb.enact("A majority is enough."), against=("Ann",)) == "adopted"
    assert play(game, nb.repeal(208), against=("Ann",)) == "defeated"
    assert play(game, nb.repeal(own), against=("Ann",)) == "defeated"


def test_veto():
    game = adopted("veto")
    assert play(game, nb.enact("Ben is against."), against=("Ben",)) == "adopted"
    assert play(game, nb.enact("Ann is against."), against=("Ann",)) == "defeated"


def test_quorum():
    ruleset = find_ruleset("discordian-nomic", language())
    game = nb.new_game(
        "discordian-nomic", NAMES, seed=7, terms=agreed_terms(ruleset, points="", joint="joint", away=True)
    )
    for change in CARDS["quorum"]:
        assert play(game, change) == "adopted"
    game.propose(game.player, nb.enact("Only Cleo is here."))
    for name in ("Ann", "Ben"):
        game.host.absent(name)
    ballots(game)
    assert game.proposals[max(game.state.proposals)].outcome == "defeated"


def test_weights():
    game = adopted("weights")
    game.propose(game.player, nb.enact("Ann counts twice."))
    ballots(game, against=("Ben",))
    assert game.proposals[max(game.state.proposals)].tally.votes_for == 3


def test_filibuster():
    game = adopted("filibuster")
    proposal = game.propose("Ben", nb.enact("Speak first."))
    assert proposal.outcome == "debate"
    with pytest.raises(nb.IllegalAction):
        game.call_vote("Ben")
    game.say("Ann", "Well.")
    with pytest.raises(nb.IllegalAction):
        game.call_vote("Ben")
    game.say("Cleo", "Well.")
    game.call_vote("Ben")
    ballots(game)
    assert proposal.outcome == "adopted"


def test_the_rules_on_one_page_name_rules_that_are_there():
    sheet = PAGE.partition("## Hand-out: the rules on one page")[2].partition("\n## ")[0]
    known = {str(rule.number) for rule in nb.new_game("discordian-nomic", NAMES, seed=7).rules}
    named = set(re.findall(r"\b[12]\d\d\b", sheet))
    assert len(named) > 15
    assert named - known == {"100"}  # points
