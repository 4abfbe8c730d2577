"""The phrase book: each phrase is played, its sentence and its clauses agree, and searches find it."""

from __future__ import annotations

import re

import pytest
from play_helpers import ballot, evaluated, law, put, sit

import nomic_nb as nb
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.study.library.phrase_book import phrase_book

IDLE = nb.enact("Nothing to see here.")
#: What cannot be told of by an expression: whether something is refused, or which term of a board changes.
VALUED = [phrase for phrase in phrase_book() if not phrase.system]


def step(game, said):
    """Do one step of what a phrase plays."""
    if said in ("pass", "fail", "split"):
        put(game, IDLE, against={"pass": (), "fail": game.players, "split": ("Cleo",)}[said])
    elif said in ("turn", "round"):
        begun = game.state.circuit
        while True:
            put(game, IDLE)
            game.roll(game.player, 1)
            if said == "turn" or game.state.circuit != begun:
                break
    else:
        name, _, rest = said.partition(".")
        act, _, given = rest.partition(" ")
        args = [int(one) if re.fullmatch(r"-?\d+", one) else one for one in given.split("|") if given]
        if act == "words":
            game.propose(name, nb.enact(" ".join(["word"] * args[0])))
        elif act in ("repeal", "amend", "untitled"):
            change = nb.repeal(args[0]) if act == "repeal" else nb.amend(args[0], "An example.")
            game.propose(name, change if act != "untitled" else nb.enact("An example."))
            ballot(game)
        elif act == "open":
            game.propose(name, IDLE)
        elif act == "gain":
            game.say(name, f"gain {args[0]}")
        else:
            getattr(game, act)(name, *args)


def played(phrase, clauses):
    """Play what belongs to a phrase; return the game. What only its rule allows is left out without its clauses."""
    game = sit(terms={"win.points": 10**6})
    for one in dict.fromkeys(re.findall(r"gain (-?\d+)", phrase.play)):
        law(game, f'on said when text == "gain {one}": award {one} points to player')
    while game.player != "Ann":
        law(game, "")
    law(game, clauses, wording=phrase.fill_in()[0])
    for said in filter(None, map(str.strip, phrase.play.split(";"))):
        try:
            step(game, said.removeprefix("*"))
        except (nb.IllegalAction, nb.LawError):
            assert said.startswith("*") if clauses else (".take" in said or not said.startswith("*")), said
        else:
            assert not (said.startswith("*") and clauses), f"not refused: {said}"
    return game


def value(game, text):
    """Return the value of an expression, in which names stand for players; 0 where nothing has the name."""
    try:
        return evaluated(game, re.sub(r"\b(Ann|Ben|Cleo)\.", r'player_named("\1").', text))
    except (nb.LawError, Undecided):
        return 0


@pytest.mark.parametrize("phrase", VALUED, ids=lambda phrase: phrase.name)
def test_the_clauses_of_a_phrase_do_what_it_says(phrase):
    with_it, without = played(phrase, phrase.fill_in()[1]), played(phrase, "")
    assert phrase.gives or "*" in phrase.play, "nothing is told of what it does"
    for told in filter(None, map(str.strip, phrase.gives.split(";"))):
        assert not re.search(r" [+-]0$", told), "this cannot fail"
        if change := re.fullmatch(r"(.*) ([+-]\d+)", told):
            difference = value(with_it, change[1]) - value(without, change[1])
            assert difference == int(change[2]), (told, value(with_it, change[1]), value(without, change[1]))
        else:
            assert value(with_it, told) is True, told
            assert value(without, told) is not True, told


@pytest.mark.parametrize("phrase", [one for one in phrase_book() if one.system], ids=lambda phrase: phrase.name)
def test_a_phrase_about_pieces_changes_what_it_is_about(phrase):
    sentence, clauses = phrase.fill_in()
    review = nb.new_game(phrase.system, ["Ann", "Ben"], seed=7).review("Ann", nb.enact(sentence, clauses))
    assert phrase.gives in {changed.key for changed in review.turned}
