"""Eight letters tell a record from any other, and what reviews and documents say of it."""

import re

import nomic_nb as nb
from nomic_nb.notebook.show import show_html


def played(words: str = "hello", seed: int = 7) -> nb.Game:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=seed)
    game.say("Ann", words)
    game.propose("Ann", nb.enact("Anything."))
    return game


def test_it_stands_under_the_game_and_in_every_document() -> None:
    game = played()
    letters = game.fingerprint
    assert re.fullmatch("[A-HJ-NP-Z2-9]{8}", letters)
    title = nb.to_notebook(game)["cells"][0]["source"]
    for shown in (str(game), show_html(game), game.to_html(), game.to_markdown(), title):
        assert shown is not None
        assert letters in shown
