"""Everything that shows itself tells a notebook to typeset none of it; what is copied from it is not altered."""

import pandas as pd
import pytest

import nomic_nb as nb
from nomic_nb.notebook.show import show_html

WORDING = r"Nobody gains$\phantom{, and Ann gets 500 more}$; tea is $5, or $6."
INERT = {"tex2jax_ignore", "mathjax_ignore"}


@pytest.fixture(scope="module")
def game() -> nb.Game:
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    game.say("Ann", WORDING)
    game.propose("Ann", nb.enact(WORDING))
    return game


def outermost(made: str) -> set[str]:
    begins, _, rest = made.partition('class="')
    assert begins == "<div "
    assert made.endswith("</div>")
    return set(rest.partition('"')[0].split())


def test_displays(game: nb.Game) -> None:
    for shown in (game, game.rules, game.rules[203], game.proposals[301], game.pending, game.law, game.ledger):
        assert outermost(show_html(shown)) >= INERT
    assert WORDING in show_html(game.proposals[301])


def test_frames_and_what_is_made_from_them(game: nb.Game) -> None:
    frames = [
        game.history, game.proposals.frame, game.rules.frame, game.rules.versions, game.counters, game.ballots,
        game.judgments.frame, game.ledger.frame, game.moves,
    ]  # fmt: skip
    history = game.history
    frames += [history[["what"]], history.head(), history.query("action"), history.set_index("what"), history.T]
    frames += [history.copy(), pd.concat([history, history]), history.groupby("kind").last()]
    for frame in frames:
        assert outermost(frame._repr_html_()) >= INERT
    assert WORDING in game.proposals.frame.loc[301, "wording"]
    assert isinstance(history["what"], pd.Series)


@pytest.mark.parametrize("page", ["to_html", "law_book"])
def test_pages(game: nb.Game, page: str) -> None:
    main = getattr(game, page)().partition("<main ")[2].partition('class="')[2].partition('"')[0]
    assert set(main.split()) >= INERT
