"""Ready-made plots of a game: their tables against the game, SVG, and what is missing."""

from __future__ import annotations

import sys
from itertools import combinations
from xml.etree import ElementTree as ET

import pandas as pd
import pytest
from documents.document_helpers import NASTY, everything, links, sealed_game, tree
from refusals import refused

import nomic_nb as nb
from nomic_nb.study.packages import PackageError
from nomic_nb.study.plots import NAMES


@pytest.fixture(scope="module")
def full() -> nb.Game:
    return everything()


@pytest.mark.parametrize("name", [*NAMES[:2], *(pytest.param(name, marks=pytest.mark.slow) for name in NAMES[2:])])
def test_every_plot_has_a_table_and_a_chart_even_of_a_game_that_has_just_begun(name: str, full: nb.Game) -> None:
    pytest.importorskip("altair", reason="altair is not installed (extra plots)")
    for game in (full, nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7), sealed_game()):
        figure = getattr(game.plots, name)
        assert figure.chart.to_dict()
        assert str(figure).startswith(figure.title)
    assert len(getattr(full.plots, name).data)


def test_agreement_counts_the_votes_in_which_both_voted(full: nb.Game) -> None:
    rows = {(row.player, row.other): row for row in full.plots.agreement.data.itertuples()}
    votes = [one.vote.ballots for one in full.state.proposals.values() if one.vote is not None and not one.is_open]
    for one, other in combinations(["Ann", "Ben", "Cleo"], 2):
        both = [vote[one] == vote[other] for vote in votes if {one, other} <= set(vote)]
        row = rows.get((one, other)) or rows[other, one]
        assert (row.votes, row.agreement) == (len(both), pytest.approx(sum(both) / len(both)))


def test_scores_and_law_are_those_of_the_game_at_the_end_of_each_turn(full: nb.Game) -> None:
    scores, tiers = full.plots.scores.data, full.plots.tiers.data
    for turn, ends in full.story["ends"].items():
        then = full.at(ends)
        mine = scores[scores["turn"] == turn].set_index("player")["score"].to_dict()
        assert mine == {name: float(score) for name, score in then.scores.items() if name in mine}
        assert tiers.loc[tiers["turn"] == turn, "rules"].sum() == len(then.rules)
    assert "Ann wins" in full.plots.scores.note


def test_margins_quota_and_power_come_from_the_votes(full: nb.Game) -> None:
    margins, quota = full.plots.margins.data, full.plots.quota.data
    assert ((margins["margin"] >= 0) == margins["passed"]).all()
    assert quota["quota"].between(0, 1).all()
    weight = full.plots.power.data.query("what == 'weight'").groupby("vote")["value"].sum()
    assert weight.round(9).eq(1).all()


def test_survival_falls_with_each_version_that_ends(full: nb.Game) -> None:
    going = full.plots.survival.data["going"]
    assert going.iloc[0] == 1
    assert going.is_monotonic_decreasing


def test_votes_are_shown_by_dates_where_there_is_a_clock() -> None:
    game = nb.new_game("github-nomic", ["Ann", "Ben"], seed=3)
    game.host.time("2026-11-01 10:00")
    game.begin_turn("Ann")
    game.propose("Ann", nb.enact("Be kind."), number=7)
    game.host.time("2026-11-03 12:30")
    game.votes("for", proposal=7)
    assert game.plots.votes.data["closed"].tolist() == [pd.Timestamp("2026-11-03 12:30")]


@pytest.mark.slow
def test_a_page_shows_plots_with_their_tables_and_no_name_as_markup() -> None:
    pytest.importorskip("vl_convert", reason="vl-convert-python is not installed (extra plots)")
    game = nb.new_game("discordian-nomic", ["<img src=x onerror=alert(1)>", "Ben"], seed=7)
    game.propose(game.player, nb.enact(NASTY, title=NASTY))
    game.votes()
    ET.fromstring(game.plots.lifelines.svg)  # noqa: S314 - ours
    page = tree(game.to_html(plots=["scores", "lifelines"], parts=["contents"]))
    pictures = list(page.iter("img"))
    assert [one.get("src").partition(",")[0] for one in pictures] == ["data:image/svg+xml;base64"] * 2
    assert len(list(page.iter("table"))) == 3  # with the standings
    assert all(link.startswith("#") for link in links(page))


def test_without_the_package_a_page_says_in_a_sentence_what_is_missing(monkeypatch, full: nb.Game) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    pytest.importorskip("altair", reason="altair is not installed (extra plots)")
    with pytest.raises(PackageError, match="vl-convert-python"):
        _ = full.plots.scores.svg
    page = full.to_html(plots=["scores"], parts=["contents"])
    assert "Charts as SVG need the package vl_convert" in page


def test_a_plot_that_there_is_not_is_refused(full: nb.Game) -> None:
    with refused("no-such-part-of-a-record", ValueError, kind="plot", part="pie"):
        full.to_html(plots=["pie"])
