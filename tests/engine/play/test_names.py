"""Names can be told apart on a page, and honest names of the world's scripts are taken."""

import unicodedata

import pytest
from refusals import refused

import nomic_nb as nb

HONEST = (
    "Ann", "ann", "Änne", "Zoë", "O'Brien", "Jean-Luc", "Ana Lucía", "Ñusta", "Łukasz", "Søren", "Þóra", "İpek",
    "Đặng Thị",
    "Дмитрий", "Анна", "Ольга Ивановна", "Ґанна", "Αλέξανδρος", "Έλλη", "Հայկ", "ნინო", "משה", "מִרְיָם", "محمد", "عائشة",
    "فاطمه", "अनन्या", "தமிழ்", "ສົມ", "สมชาย", "山田太郎", "さくら", "ユキ", "김민준", "李小龍",
    "ᏣᎳᎩ", "ኃይለ", "🐸", "Bot 2", "J. R. R.", "Ann (7b)",
)  # fmt: skip


def begin(*names: str) -> nb.Game:
    return nb.new_game("discordian-nomic", names, seed=7)


def test_honest_names_of_the_worlds_scripts() -> None:
    assert begin(*HONEST).players == HONEST
    for name in HONEST:
        assert begin(unicodedata.normalize("NFD", name), "Ben").player == unicodedata.normalize("NFD", name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "Аnn"), ("CAX", "САХ"), ("Zoë", unicodedata.normalize("NFD", "Zoë")), ("Ann", "\uff21nn"),
        ("Ann", "Ann\u3164"),
        ("Ann Lee", "Ann\u00a0Lee"), ("Ann Lee", "Ann\u2003Lee"), ("Ann Lee", "Ann  Lee"), ("Al", "AI"), ("Bo", "Bο"),
        ("Ann", "A\ufe0fnn"), ("Ann", "𝐀nn"), ("Ann", "A\u034fnn"), ("O'Brien", "O’Brien"), ("JO", "J0"),
        ("Jean-Luc", "Jean‐Luc"), ("Ann", "Ann\u2800"),
    ],
    ids=ascii,
)  # fmt: skip
def test_of_names_that_look_the_same_one_is_refused(one: str, other: str) -> None:
    begin(one, "Ben")
    for names in ((one, other), (other, one), (one, "Ben", other)):
        with refused("names-look-same", ValueError) as caught:
            begin(*names)
        assert {caught.value.values["other"], caught.value.values["name"]} == {one, other}


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "\u0301", "\uffa0\u115f"], ids=ascii)
def test_a_name_shows_something(name: str) -> None:
    with refused("name-invisible", ValueError):
        begin(name, "Ben")


@pytest.mark.parametrize("name", ["nobody", "Nobody", "NONE", "the game", "Everyone", "nоbody", "anyone"])
def test_what_is_said_of_nobody_in_particular_is_no_name(name: str) -> None:
    with refused("name-of-nobody", ValueError):
        begin("Ann", name)


@pytest.mark.parametrize("name", ["Ann, Ben", "Ann，Ben", "آن، بن", "Cleo, Dan"])
def test_a_name_has_no_comma(name: str) -> None:
    with refused("name-has-comma", ValueError):
        begin("Ann", "Ben", name)


def test_a_name_that_names_other_players_is_refused_and_a_pair_is_none() -> None:
    for names in (("Ann", "Ben", "Ann and Ben"), ("Аnn & Cleo", "Ann")):
        with refused("name-reads-like-several", ValueError):
            begin(*names)
    assert begin("Ann and Ben", "Cleo and Dan").player == "Ann and Ben"


@pytest.mark.parametrize("name", ["nobody", "Dov, Eve", "Ann and Ben"], ids=ascii)
def test_nobody_enters_by_a_rule_under_such_a_name(name: str) -> None:
    game = begin("Ann", "Ben")
    law = f'on said when text == "come": enter player "{name}" as dummy'
    game.propose("Ann", nb.enact("Come.", law=law))
    for one in ("Ann", "Ben"):
        game.vote(one, "for")
    game.say("Ann", "come")
    assert game.players == ("Ann", "Ben")
    assert not game.state.questions
    assert "does not happen, because" in game.latest(1)[-1]
    assert repr(name) in game.latest(1)[-1]


@pytest.mark.parametrize(("name", "code"), [("Аnn", "word-mixes-alphabets"), ("\u3164", "letter-invisible")], ids=ascii)
def test_no_clause_names_somebody_in_letters_that_hide(name: str, code: str) -> None:
    with refused(code, nb.LawError):
        nb.enact("Come.", law=f'on said when text == "come": enter player "{name}" as dummy')


def test_a_name_with_an_invisible_character_is_told_from_the_others() -> None:
    with refused("letter-invisible", nb.LawError, what="name of player 2"):
        begin("Ann", "👩\u200d👧", "Ben")


def test_counters_that_look_the_same() -> None:
    game = begin("Ann", "Ben")
    with refused("name-looks-like", name="gold", other="go1d"):
        game.propose("Ann", nb.enact("Two.", law="track gold per player from 0\ntrack go1d per player from 0"))
    game.propose("Ann", nb.enact("Two.", law="track gold per player from 0\ntrack cold per player from 0"))


def test_a_name_in_the_order_of_a_list_is_turned_round_in_the_refusal():
    with refused("name-has-comma", ValueError, instead="Ann Archer"):
        nb.new_game("discordian-nomic", ["Archer, Ann", "Ben"])
