"""What looks the same is the same, or is refused: words of the law, of players and of rule files."""

from __future__ import annotations

import pytest
from play_helpers import law, scores, sit
from refusals import refused

import nomic_nb as nb

RING = "rіng"  # with a Cyrillic letter
PEACE = "реасе"  # all of it Cyrillic


@pytest.mark.parametrize("empty", ["\u3164", "\u2800", "\u115f", "\u1160", "\uffa0", "\u034f", "\u180e", "\u2065"])
@pytest.mark.parametrize(
    "change",
    [
        lambda text: nb.enact(f"Tea{text} is served."),
        lambda text: nb.enact("Tea.", title=f"Tea{text}"),
        lambda text: nb.enact("Tea.", f'offer "tea{text}": announce "Hm."'),
    ],
)
def test_a_letter_that_shows_nothing_is_refused_wherever_it_stands(change, empty):
    with refused("letter-invisible"):
        change(empty)


def test_a_blank_name_is_no_players_name():
    for empty in "\u3164\u2800\uffa0":
        with refused("name-invisible"):
            sit("Ann", empty)


@pytest.mark.parametrize(
    "change",
    [
        lambda: nb.enact("Wear a rіng."),
        lambda: nb.enact("Ring.", title=RING),
        lambda: nb.enact("Ring.", f'on said when text == "{RING}": award 1 points to player'),
        lambda: nb.enact("Ring.", f'offer "{RING}": award 1 points to player'),
        lambda: nb.enact("Ring.", f'on turn_begun: let seats choose x from ["{RING}", "ring"]'),
        lambda: nb.amend(203, law=f'draft soon: "{RING}"\n  set dissent.points to 3'),
    ],
)
def test_a_word_in_two_alphabets_that_look_the_same_is_refused(change):
    with refused("word-mixes-alphabets", found="rіng with U+0456"):
        change()


@pytest.mark.parametrize("text", ["Кольцо всем.", "Ein Ring für Änne und Kızılay.", "α-particles and µm", "日本語 tea"])
def test_words_of_every_alphabet_are_welcome(text):
    game = sit()
    assert game.propose("Ann", nb.enact(text)).wording == text


def test_words_that_players_type_are_taken_for_what_they_look_like():
    game = sit()
    law(game, 'track stock per text from 0\non said when text == "peace": award 2 stock(text)\n'
        'on deed when name == "peace talks": award 5 points to player')  # fmt: skip
    game.say("Ann", "Peace")
    game.say("Ben", PEACE.upper())
    assert game.history["what"].iloc[-1] == '"Peace": +2 stock, now 4'
    game.report("Ann", "Cleo", f"{PEACE} talks")
    assert scores(game)["Cleo"] == 5


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('offer "peace": award 1 points to player', f'offer "{PEACE}": award -9 points to player'),
        (f'on said when text == "{PEACE}": award 1 points to player', 'offer "peace": award 1 points to player'),
        ('on said when text in ["peace", "war"]: award 1 points to player',
         f'on turn_begun: let seats choose x from ["{PEACE}", "strife"]'),
    ],
)  # fmt: skip
def test_a_text_that_looks_like_another_text_of_the_law_is_refused(old, new):
    game = sit()
    law(game, old)
    with refused("text-looks-like", rule=301):
        game.propose(game.player, nb.enact("So be it.", new))
    both = nb.together(nb.enact("One.", old), nb.enact("Two.", new))
    with refused("text-looks-like"):
        sit().propose("Ann", both)


@pytest.mark.parametrize(
    ("code", "clauses"),
    [
        ("offered-twice", 'offer "all 1": announce "One."\noffer "all l": announce "L."'),
        ("options-look-same", 'on turn_begun: let player choose x from ["l", "1"]; announce x'),
    ],
)
def test_two_buttons_that_look_the_same_are_refused(code, clauses):
    with refused(code, nb.LawError):
        sit().propose("Ann", nb.enact("So be it.", clauses))


@pytest.mark.parametrize(
    "text",
    [
        'offer "tea": announce "Milk?"' + "\n" * 60 + "on turn_begun: award 99 points to player",
        'offer "tea": announce "Milk?"' + "\n  \t" * 30 + "\non turn_begun: award 99 points to player",
        'offer "tea": announce "Milk?";' + " " * 200 + "award 99 points to player",
    ],
)
def test_a_second_clause_far_below_or_far_right_is_refused(text):
    with refused("text-hides-rest") as caught:
        nb.enact("Tea.", text)
    assert caught.value.line == 1
    with refused("text-hides-rest"):
        nb.enact(text)


def test_a_few_empty_lines_are_no_hiding_place():
    game = sit()
    law(game, 'offer "tea": announce "Milk?"\n\n\n\non turn_begun: award 2 points to player', "One.\n\n\n\nTwo.")
    assert len(game.state.rules.by_number[301].clauses) == 2
