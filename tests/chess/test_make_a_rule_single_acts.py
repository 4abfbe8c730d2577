"""Make-A-Rule Chess: what a rule lets players bring about by one act, the others judge; and when rules end."""

import pytest
from make_a_rule_helpers import asked, begun, make, multiverse
from play_helpers import refused

import nomic_nb as nb
from nomic_nb import library
from nomic_nb.notebook.markup.tree import element_data
from nomic_nb.notebook.show.game import draw_polls

KINGS = "[k for k in royals if k.owner != player]"
TRUCE = "forbid move when count(captures) > 0\non enacted when rule == this: after {}: repeal this"


def taken(game, law):
    """Nobody is asked."""
    return game.propose(game.player, nb.enact("So be it.", law=law)).outcome == "adopted"


def at(fen):
    """A game of two in which this stands on the board, and it is Ann's turn."""
    return multiverse(2, restricted=True, position=f"{fen} w - - 0 1")


@pytest.mark.rule("make-a-rule", "R8", "R12")
@pytest.mark.parametrize(
    "law",
    [
        f'offer "kill": remove {KINGS}; repeal this',
        f'on said when text == "boo": remove {KINGS}',
        f'on deed when name == "boo": each k in {KINGS}: remove k',
        'offer "grab": give [a for a in armies if a.controller != player] to player',
        f'on moved when piece.kind == "N": remove {KINGS}',
        f'on moved when piece.kind == "N": convert {KINGS} to army',
        "on captured: give captured_from to player",
        f'offer "dice": roll 1 of 6 as n; when n == 6: remove {KINGS}',
        'offer "gold": promote [p for p in pieces_of(player) if p.kind == "P"] to "Q"; repeal this',
        f"on turn_ended: let player choose k from {KINGS} or none; remove k",
        f"on turn_ended: roll 1 of 2 as n; when n == 2: remove {KINGS}",
        f'on turn_ended when any(p.moved_this_turn and p.kind == "N" for p in pieces_of(player)): remove {KINGS}',
        "on turn_ended when count(pieces_of(next_player)) < 16: remove royals_of(next_player)",
        f"track won per game from 0\non said: award 1 won to game\non counted when game.won > 0: remove {KINGS}",
        'offer "more": enact more\ndraft more: "More."\n    on turn_ended: remove royals',
    ],
)
def test_what_one_act_could_bring_about_the_others_judge(law):
    assert asked(begun(3, restricted=True), law, "by one act") == ["Ben", "Cleo"]


@pytest.mark.rule("make-a-rule", "R8", "L2")
@pytest.mark.parametrize(
    "law",
    [
        library.say_it_first().law,
        library.absorption().law,
        library.promotion_for_capture().law,
        library.price_of_check().law,
        library.trophies().law,
        'on moved when piece.kind == "P" and circuit % 3 == 0: promote piece',
        "on captured each p in [q for q in mover_army.pieces if q.square == square and not q.royal]: remove p",
        'offer "wave": announce player.name',
    ],
)
def test_what_bears_on_the_piece_itself_or_on_one_that_its_owner_chooses_is_free(law):
    assert taken(begun(3, restricted=True), law)


@pytest.mark.rule("make-a-rule", "R8")
def test_boards_that_grow_on_one_side_the_others_judge():
    game = begun(2, restricted=True)
    assert asked(game, "on enacted when rule == this: grow boards by 1", "players apart by “grow”") == ["Ben"]
    assert taken(begun(2, restricted=True), "on circuit_ended when circuit == 3: grow boards around by 1")


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize(
    "law",
    [
        "set promotion.ranks to [6]",
        'set promotion.kinds to ["N"]',
        'on moved when piece.kind == "P": promote piece to "Q"',
    ],
)
def test_of_promotion_the_others_judge_where_the_maker_has_more_pawns(law):
    assert asked(at("4k3/pppp4/8/8/8/8/PPPPP3/4K3"), law, "unfair advantage") == ["Ben"]
    assert taken(at("4k3/ppppp3/8/8/8/8/PPPPP3/4K3"), law)


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize("law", ['piece R moves "K"', 'piece Q moves "N"', 'piece P moves "mfFcfWimfnA"'])
def test_what_is_stronger_in_part_is_free_where_all_have_as_many(law):
    assert taken(begun(3, restricted=True), law)


@pytest.mark.rule("make-a-rule", "R8")
def test_what_is_stronger_in_part_the_others_judge_where_somebody_has_more():
    assert asked(at("7r/5k2/8/8/8/8/4K3/RR6"), 'piece R moves "K"', "unfair advantage") == ["Ben"]
    assert asked(at("rr6/5k2/8/8/8/8/4K3/7R"), 'piece R moves "K"', "unfair advantage") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R5")
def test_a_truce_that_ends_is_none_for_good():
    assert taken(begun(3, restricted=True), TRUCE.format("4 turns"))
    assert begun(3, restricted=True).propose("Ann", library.truce().change()).outcome == "adopted"
    assert asked(begun(3, restricted=True), TRUCE.format("100 circuits"), "safe from capture for good")


@pytest.mark.rule("make-a-rule", "R5")
@pytest.mark.parametrize(
    "law",
    [
        "forbid move when count(captures) > 0",
        "forbid move when count(captures) > 0\non enacted when rule == this: after 0 turns: repeal this",
        TRUCE.format("4 turns") + '\non repealed when rule == this: enact on\ndraft on: "On."\n'
        "    forbid move when count(captures) > 0",
        TRUCE.format("4 turns").replace("rule == this", "rule == this and circuit > 9"),
    ],
)
def test_a_truce_that_may_not_end_is_for_good(law):
    game = begun(3, restricted=True)
    with refused(game, "not-proposable", rule="R5"):
        make(game, law)


@pytest.mark.rule("make-a-rule", "R6")
@pytest.mark.parametrize("effect", ["repeal this", "void this", "(repeal this; repeal this)"])
def test_a_rule_that_ends_itself_stands_for_its_full_turn_too(effect):
    game = begun(3, restricted=True)
    label = make(game, f'on turn_begun: {effect}\npiece N moves otherwise + "C"')
    for _ in range(3):
        assert label in game.rules
        assert game.why("piece.moves", kind="N", army="white").value == "NC"
        make(game)
    make(game)
    assert game.why("piece.moves", kind="N", army="white").value == "N"
    assert (label in game.rules) == (effect == "void this")


@pytest.mark.rule("make-a-rule", "R6")
def test_a_rule_that_is_to_end_is_told_and_ends_once_its_maker_has_had_a_phase():
    game = begun(2, restricted=True)
    label = make(game, 'offer "enough": repeal this')
    game.take("Ben", "enough")
    game.take("Ben", "enough")
    assert label in game.rules
    assert list(game.history["kind"]).count("ends_when_freed") == 1
    assert f"Until rule {label} can be overridden" in str([element_data(one) for one in draw_polls(game.state)])
    make(game)
    assert label in game.rules
    make(game)
    assert label not in game.rules


@pytest.mark.rule("make-a-rule", "R6")
def test_no_rule_changes_itself_while_it_is_guaranteed():
    game = begun(2, restricted=True)
    label = make(
        game, 'on turn_begun: amend this by less\npiece N moves "N"\ndraft less: "Less."\n    piece B moves "B"'
    )
    assert game.rules[label].wording != "Less."
    assert "without_effect" in set(game.history["kind"])


@pytest.mark.rule("make-a-rule", "R6")
def test_a_rule_that_is_to_end_is_the_same_in_the_record(tmp_path):
    game = begun(2, restricted=True)
    label = make(game, "on turn_begun: repeal this")
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert again.state.digest() == game.state.digest()
    for _ in range(2):
        make(again)
    assert label not in again.rules
