"""What is known of a word is said where it is declared; of what has no trait, people are asked."""

from dataclasses import replace

import pytest
from make_a_rule_helpers import begun

from nomic_nb.chess.fairplay.fairness import (
    find_delayed_effect_words,
    find_delayed_move_words,
    find_words_singling_out,
    player_controlled_effects,
)
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.traits import Trait, has_trait
from nomic_nb.engine.law.values import NUMBER
from nomic_nb.engine.law.vocabulary import Fact, Field, Function, Key, Record
from nomic_nb.engine.play.declarations import EFFECTS, EVENT_KINDS, declare_event, declare_fact, effect
from nomic_nb.engine.play.vocabulary import language

#: Clauses, each with one condition, that bear on all alike, at once, and do no harm; and some that do not.
CLAUSES = [
    'piece N moves otherwise + "C" while circuit > 5{more}',
    "set move.count to 2 while count(boards) > 1{more}",
    'forbid move when piece.kind == "N"{more}',
    "on moved when piece.moved_this_turn{more}: remove piece",
    "on captured when circuit > 3{more}: uncrown capturer",
    "on circuit_ended when circuit > 3{more}: remove royals",
    "on turn_begun when circuit % 2 == 0{more}: each p in promotable(player): promote p",
    'on circuit_ended when circuit == 1{more}: place "N" of item(armies, 1) at item(squares, 1)',
    'instead of captured when piece.kind == "N"{more}: announce "It gets away."',
    "on said when turn > 3{more}: convert pieces_of(player) to item(armies, 1)",
    "on moved when game.age > 3{more}: remove piece\ntrack age per game from 0",
]
#: What is asked of clauses, and how many of those above are beyond doubt until they look at a word without traits.
ASKED = {
    find_words_singling_out: 9,
    find_delayed_move_words: 3,
    find_delayed_effect_words: 3,
    player_controlled_effects: 5,
}


def answers(ask, language, state, law):
    clauses = [line.clause for line in language.read_clauses(law)]
    return list(ask(clauses, state, language.vocabulary))


@pytest.fixture(scope="module")
def state():
    return begun(2).state


@pytest.fixture(scope="module")
def speaking():
    """The language with a fact, a function and a field that nobody gave a trait, one of them beside one that has."""
    words = language().vocabulary
    weather = Fact("weather", NUMBER, "the weather", (), lambda _: 1)
    omen = Function("omen", (NUMBER,), NUMBER, "what is to come", lambda _, number: number)
    ghost = Record("ghost", "a ghost", (Field("owner", NUMBER, "whom it haunts", (), lambda _, __: 1),))
    return Language(
        replace(
            words,
            facts={**words.facts, "weather": weather},
            functions={**words.functions, "omen": omen},
            records={**words.records, "ghost": ghost},
        )
    )


def declared():
    known = language().vocabulary
    kinds = (known.facts, known.functions, known.fields, known.keys, known.events, known.effects)
    return [one for words in kinds for one in words.values()]


def roll_up(engine, effect):
    """Roll up the sky."""


@pytest.mark.parametrize(
    ("word", "declare"),
    [
        ("weather", lambda: declare_fact("weather", NUMBER, "the weather", traits="alike pasing")),
        ("rained", lambda: declare_event("rained", told="it rains", traits="pasing")),
        ("roll_up", lambda: effect("roll up", example="roll up", traits="pasing")(roll_up)),
        ("omen", lambda: Function("omen", (), NUMBER, "what is to come", lambda _: 1, traits="pasing")),
        ("owner", lambda: Field("owner", NUMBER, "whom it haunts", (), lambda _, __: 1, traits="pasing")),
        ("sky.colour", lambda: Key("sky.colour", NUMBER, "the colour", "always", traits="pasing")),
    ],
)
def test_a_misspelt_trait_is_refused_where_it_is_declared(word, declare):
    with pytest.raises(TypeError) as caught:
        declare()
    assert str(caught.value) == f"{word} has the trait 'pasing', and Trait in law/traits.py has none of that name"
    assert word not in {one.name for one in (*EFFECTS, *EVENT_KINDS.values())}


@pytest.mark.parametrize("trait", Trait)
def test_every_trait_is_had_by_a_word(trait):
    assert any(has_trait(one, trait) for one in declared())


@pytest.mark.rule("make-a-rule", "R8", "R12")
@pytest.mark.parametrize("law", CLAUSES)
@pytest.mark.parametrize("word", ["weather", "omen(1)"])
@pytest.mark.parametrize("ask", ASKED)
def test_a_word_without_traits_makes_no_answer_surer(state, speaking, law, word, ask):
    before = answers(ask, speaking, state, law.format(more=""))
    after = answers(ask, speaking, state, law.format(more=f" and {word} == 1"))
    assert {*before} <= {*after}


@pytest.mark.rule("make-a-rule", "R8", "R12")
@pytest.mark.parametrize(("ask", "times"), ASKED.items())
def test_a_word_without_traits_makes_the_game_ask_wherever_it_matters(state, speaking, ask, times):
    sure = [law for law in CLAUSES if not answers(ask, speaking, state, law.format(more=""))]
    doubted = [law for law in sure if answers(ask, speaking, state, law.format(more=" and weather == 1"))]
    assert len(doubted) == times


@pytest.mark.rule("make-a-rule", "R8")
def test_a_field_of_another_thing_without_the_trait_makes_the_game_ask(state, speaking):
    law = 'piece N moves otherwise + "C" while piece.owner == player'
    assert answers(find_delayed_move_words, language(), state, law) == []
    assert answers(find_delayed_move_words, speaking, state, law) == ["“owner”, who controls its army"]
