"""Whatever players write is text, and what is sealed stays so."""

from __future__ import annotations

from functools import cache

import pytest
from show.games import begun, everything, moments, pass_change
from show.reading import read

import nomic_nb as nb
from nomic_nb.notebook.markup.tree import build_element
from nomic_nb.notebook.show import show_html

EVIL = "<img src=x onerror=alert(1)>"
WORDS = "</style></code><script>alert(2)</script><b onclick='x'>&amp; <!-- ]]> “\"’"
NAMES = [EVIL, "</bdi><script>alert(1)</script>", "&lt;b&gt; <!--"]


@cache
def among_strangers() -> dict[str, nb.Game]:
    return dict(moments(NAMES))


@pytest.mark.parametrize("moment", dict(moments()))
def test_names(moment: str) -> None:
    game = among_strangers()[moment]
    for shown in everything(game):
        read(shown)  # which refuses every element and attribute that is not ours
    assert EVIL in read(game).text


def test_wording_titles_and_texts() -> None:
    game = begun(NAMES)
    first, second, third = NAMES
    pass_change(game, nb.enact(f"- {WORDS}\n- 1. {EVIL}\n\n{WORDS}", title=WORDS))
    pass_change(game, nb.amend(301, f"{EVIL} {WORDS} <ins>x</ins>", title=EVIL))
    pass_change(game, nb.library.penalty_for(EVIL).change())
    game.say(first, WORDS)
    game.act(second, WORDS)
    game.report(first, third, EVIL)
    game.invoke_judgment(third, WORDS)
    judge = game.judgments[1].judge
    game.rule_on(judge, WORDS, EVIL, rests_on=[302])
    game.overrule(next(name for name in NAMES if name != judge), "against")
    for shown in everything(game):
        read(shown)
    for name in NAMES:
        game.consent(name)
    pass_change(game, nb.repeal(210))
    pass_change(game, nb.repeal(212))  # without it the table is asked
    game.invoke_judgment(third, WORDS)
    game.choose(first, WORDS)
    game.choose(second, EVIL)
    for shown in everything(game):
        read(shown)
    assert f"says: {WORDS}" in read(game).text
    assert WORDS in read(game.rules).text
    assert WORDS in read(game.proposals[301]).text
    assert EVIL in read(game.proposals[302]).without("del")
    assert read(game.ledger).text.count(EVIL) >= 2
    assert WORDS in read(nb.enact(WORDS, title=WORDS)).text


def test_names_of_the_other_direction_are_kept_apart() -> None:
    assert "<bdi>אנה</bdi>" in show_html(begun(["אנה", "Ben"]))


@pytest.mark.parametrize(("tag", "attributes"), [("script", {}), ("img", {}), ("p", {"onclick": "x"})])
def test_the_builder_makes_nothing_that_runs(tag: str, attributes: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="no element"):
        build_element(tag, **attributes)


def sealed(first: str, second: str) -> nb.Game:
    game = begun(vote__ballots="sealed")
    game.propose("Ann", nb.library.simple_majority().change(203))
    game.vote("Ann", first)
    game.vote("Ben", second)
    return game


def test_sealed_ballots_leave_no_trace() -> None:
    games = [sealed(one, two) for one in ("for", "against") for two in ("for", "against")]
    forms = [[show_html(shown) for shown in everything(game)] for game in games]
    assert all(one == forms[0] for one in forms)
    texts = [[str(shown) for shown in everything(game)] for game in games]
    assert all(one == texts[0] for one in texts)
    text = read(games[0].proposals[301].tally).text
    assert "■ sealed ? Ann and Ben" in text
    assert "not voted yet ? Cleo" in text
    assert "Ann votes on 301 (sealed)" in read(games[0]).text


def test_sealed_ballots_are_opened_when_the_vote_closes() -> None:
    game = sealed("for", "against")
    game.vote("Cleo", "for")
    assert "− against 1 of 3 (33 %) Ben" in read(game.proposals[301].tally).text
