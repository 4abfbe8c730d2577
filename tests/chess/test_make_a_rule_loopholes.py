"""Make-A-Rule Chess: no wording gets round what rules may not do; what cannot be told, the other players are asked."""

import re
from importlib.resources import files

import pytest
from make_a_rule_helpers import agreed, asked, begun, make, moves, multiverse
from play_helpers import refused

import nomic_nb as nb
from nomic_nb import library

OPEN_FILE = "4k3/7p/8/8/8/8/8/Q3K3"
A1_TO_A8 = 'move square_named("Zaphod:1.a1").piece to square_named("Zaphod:1.a8")'


def at(fen):
    """A game of two in which this stands on the board, and it is Ann's turn."""
    return multiverse(2, restricted=True, position=f"{fen} w - - 0 1")


# ------------------------------------------------------------------------------ what a rule can set


@pytest.mark.rule("make-a-rule", "R10", "R13")
@pytest.mark.parametrize(
    ("law", "rule"),
    [
        ('set turn.start to "at will"', "R10"),
        ("set turn.overlap to true", "R10"),
        ("set vote.quorum to 2", "R10.1"),
        ("set change.ready to false", "R10.1"),
        ("set debate.ended_by to []", "R10.1"),
        ("forbid end_turn", "R10"),
        ("set win.points to 3", "R13"),
        ('set win.replaced to "won"', "R13"),
    ],
)
def test_what_bears_on_the_making_of_rules_or_on_the_aim_is_refused_with_what_it_sets(law, rule):
    key = re.search(r"[a-z]+\.[a-z_]+", law.replace("forbid ", "may."))[0]
    game = begun(2, restricted=True)
    with refused(game, "not-proposable", evidence=f"it sets {key}", rule=rule):
        game.propose("Ann", nb.enact("So be it.", law=law))


@pytest.mark.rule("make-a-rule", "R10")
@pytest.mark.parametrize(
    "law",
    [
        "set counter.value to was", "set judge.consent to false", "forbid forfeit", "set dice.sealed_by to []",
        'set army.stuck to "play cannot continue"', 'set acts.unregulated to "forbidden"',
    ],
)  # fmt: skip
def test_of_any_other_term_the_others_judge(law):
    assert asked(begun(2, restricted=True), law, "whether it keeps anybody from making rules") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R10")
@pytest.mark.parametrize(
    "law",
    ['set board.wraps to "files"', "set dice.sides to 20", 'set vote.ballots to "sealed"', "forbid say", "forbid take"],
)  # fmt: skip
def test_boards_dice_ballots_and_talk_are_free(law):
    assert begun(2, restricted=True).propose("Ann", nb.enact("So be it.", law=law)).outcome == "adopted"


@pytest.mark.rule("make-a-rule", "R10", "R13")
def test_of_all_that_votes_turns_proposals_and_winning_are_nothing_is_left_out():
    page = (files("nomic_nb") / "chess" / "rulesets" / "make-a-rule.md").read_text(encoding="utf-8")
    named = re.findall(r'"([a-z_.]+)"', re.search(r"(?s)### R10 .*?### R14", page)[0])
    about = "vote|turn|proposal|debate|change|enact|transmute|repeal|rule|precedence|win|play"
    keys = begun(2, restricted=True).state.law.vocabulary.keys.values()
    heard = {one.name for one in keys if re.match(rf"({about})\.", one.name) and not one.by_rules}
    assert heard - {*named} == {"change.universes"}, "of which M2 says all there is to say"


@pytest.mark.rule("make-a-rule", "R10")
def test_what_looks_at_proposals_may_put_a_price_on_them():
    law = "on moved when any(p.proponent == player for p in proposals): announce player.name"
    assert asked(begun(2, restricted=True), law, "puts a price on") == ["Ben"]


# ------------------------------------------------------------------------------ fair play


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize(
    "law",
    [
        'on moved when piece.army.name == "yellow": remove piece',
        'on moved when player.name == "Be" + "n": remove piece',
        "on moved when turn % 3 == 1: remove piece",
        'set move.count to otherwise + 1 while army.colour == "white"',
        "forbid move when piece.square.rank == 7",
        'on moved when origin == square_named("Zaphod:1.d8"): remove piece',
        "on circuit_ended when circuit > 3: remove [p for p in pieces_of(next_player) if not p.royal]",
        "on circuit_ended when circuit > 3: roll 1 of 1 as n; each p in pieces_of(item(playing, n)): remove p",
        "on circuit_ended each b in boards: shift b.pieces by [0, 1]",
        'on turn_begun each p in ["Ben"]: oblige p to say',
        'set board.holes to ["Zaphod:1.d8"]',
        'on enacted when rule == this: place "Q" of item(armies, 1) at item(empty_squares(item(boards, 1)), 9)',
        "on circuit_ended: oblige mover to say",
    ],
)
def test_what_can_tell_players_apart_the_others_judge(law):
    assert asked(begun(2, restricted=True), law, "as it tells players apart by “[A-Za-z0-9_:.]+”") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R8")
def test_what_was_counted_before_can_tell_players_apart():
    game = begun(2, restricted=True)
    make(game, "track wishes per player from 0\non said: award 1 wishes to player")
    game.say("Ben", "Hello")
    assert asked(
        game, "on moved when player.wishes > 0: announce player.name; remove piece", "players apart by “wishes”"
    ) == ["Ann"]


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize(
    "law",
    [
        "on turn_ended when circuit > 4: let chance choose lost from pieces_of(player); remove lost",
        """track lot per player from 0
on turn_ended: roll 1 of 6 as n; put lot of player at n
on captured when player.lot == 1: remove [p for p in pieces_of(player) if p.square == square]""",
    ],
)
def test_what_chance_takes_otherwise_than_by_a_throw_before_it_the_others_judge(law):
    assert asked(begun(2, restricted=True), law, "only if dice are rolled") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R8")
def test_captures_that_come_to_something_else_are_for_people_where_somebody_has_more():
    law = 'instead of captured when piece.kind == "N": announce "It gets away."'
    assert make(begun(2, restricted=True), law) == "P1.1"
    assert asked(at("4k3/ppppppp1/8/8/8/8/PPPPPPPP/4K3"), law, "unfair advantage") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize(
    ("law", "sees"),
    [
        ('piece N moves otherwise + "C" while circuit > 15', False),
        ('piece N moves otherwise + "C" while circuit % 11 == 0', False),
        ('piece N moves otherwise + "C" while circuit > 5 and circuit % 8 == 3', False),
        ('piece N moves otherwise + "C" while count(army.pieces) < 15', False),
        ('piece N moves otherwise + "C" while count(playing) < 2', False),
        (
            'track age per game from 0\non circuit_ended: award 1 age to game\npiece N moves "C" while game.age > 15',
            False,
        ),
        ('piece N moves otherwise + "C" while circuit > 5', True),
        ('piece N moves otherwise + "C" while circuit in [3, 5]', True),
        ('piece N moves otherwise + "C" while circuit % 5 == 0', True),
    ],
)
def test_what_ten_circuits_do_not_show_the_others_judge(law, sees):
    game = begun(2, restricted=True)
    if sees:
        assert game.propose("Ann", nb.enact("So be it.", law=law)).outcome == "adopted"
    else:
        assert asked(game, law, "unfair advantage") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize(
    "law",
    [
        'piece N moves otherwise + "C"',
        'forbid move when piece.kind == "N" and circuit % 2 == 0',
        "on captured when captured_from.controller != player: promote [p for p in promotable(player) if p == piece]",
        'on moved when count(piece.board.pieces) > 31: announce "A full board."',
        "on turn_begun when circuit % 5 == 0: let chance choose lost from pieces_of(player); announce lost.kind",
        "track trophies per player from 0\non captured when player.trophies < 9: award 1 trophies to player",
        "set capture.from to army.rivals",
    ],
)  # fmt: skip
def test_what_bears_on_all_alike_is_no_matter_for_people(law):
    assert begun(3, restricted=True).propose("Ann", nb.enact("So be it.", law=law)).outcome == "adopted"


# ------------------------------------------------------------------------------ kings


@pytest.mark.rule("make-a-rule", "R5")
def test_a_king_that_is_safe_for_longer_than_is_looked_at_is_for_people():
    bans = "forbid move when any(p.royal for p in captures) and circuit < {}"
    assert asked(begun(2, restricted=True), bans.format(100), "in the next 10 rounds, but something could later") == [
        "Ben"
    ]
    game = begun(2, kept=("R5",))
    assert make(game, bans.format(4)) == "P1.1"


@pytest.mark.rule("make-a-rule", "R12")
@pytest.mark.parametrize(
    ("law", "told"),
    [
        (f"on enacted when rule == this: after 2 turns: {A1_TO_A8}", "after 2 turns"),
        (f"on turn_ended: {A1_TO_A8}", "after 1 turn"),
        (f"on part_ended: {A1_TO_A8}", "after 1 turn"),
        ('on circuit_ended: place "N" of army_named("white") at square_named("Zaphod:1.d6")', "after 2 turns"),
    ],
)
def test_no_rule_gives_check_as_time_goes_by(law, told):
    game = at(OPEN_FILE)
    with refused(game, "not-proposable", evidence=told, rule="R12") as caught:
        game.propose("Ann", nb.enact("So be it.", law=law))
    assert "attacks the king of yellow" in caught.value.values["evidence"]


@pytest.mark.rule("make-a-rule", "R12")
@pytest.mark.parametrize(
    "when",
    [
        "on enacted when rule == this: after 6 turns:", "on enacted when rule == this: after 60 turns:",
        "on circuit_ended when circuit > 30:", "on day_begun:",
        "track age per game from 0\non turn_ended: award 1 age to game\non counted when game.age == 40:",
    ],
)  # fmt: skip
def test_of_check_that_comes_later_the_others_judge(when):
    game = multiverse(2, kept=("R12",), position=f"{OPEN_FILE} w - - 0 1")
    said = "puts an opponent in check by itself|breaks a meta-rule later than in the next five turns, through"
    assert asked(game, f"{when} {A1_TO_A8}", said) == ["Ben"]


@pytest.mark.rule("make-a-rule", "R12", "L1")
@pytest.mark.parametrize("rule", [library.moves_by_lot, library.moves_by_lot_elsewhere, library.trophies])
def test_what_chance_or_players_bring_about_is_not_done_by_the_rule_itself(rule):
    assert begun(2, kept=("R12",)).propose("Ann", rule().change()).outcome == "adopted"


# ------------------------------------------------------------------------------ a full turn, and no longer


@pytest.mark.rule("make-a-rule", "R6", "R3")
def test_an_addition_stands_for_its_full_turn_too():
    game = begun(2, kept=("R6",))
    make(game, 'piece N moves otherwise + "C"')
    make(game, 'piece N moves "N"')
    assert game.why("piece.moves", kind="N", army="white").value == "NC"
    make(game)
    assert game.why("piece.moves", kind="N", army="white").value == "N"


@pytest.mark.rule("make-a-rule", "R6")
def test_a_rule_that_a_rule_makes_has_its_maker_and_stands_no_longer_than_a_full_turn():
    game = begun(2, restricted=True)
    more = 'draft more: "More."\n    piece N moves otherwise + "C"'
    law = f"on turn_begun when circuit == 2 and count(playing) == 2: enact more\n{more}"
    make(game, law)
    make(game)
    assert (game.state.rules.rule_numbered("E1").maker, game.state.rules.rule_numbered("E1").guarded) == ("Ann", True)
    make(game)
    make(game)
    make(game)
    assert not game.state.rules.rule_numbered("E1").guarded


@pytest.mark.rule("make-a-rule", "R6", "R16")
@pytest.mark.parametrize("effect", ["repeal", "void"])
def test_no_rule_does_away_with_what_is_guaranteed_or_with_a_meta_rule(effect):
    game = begun(2, restricted=True)
    label = make(game, 'piece N moves otherwise + "C"')
    for one in (label, "R5"):
        agreed(game, f'on enacted when rule == this: {effect} rule_labelled("{one}")')
        assert one in game.rules
        assert not game.state.rules.void
    assert game.why("piece.moves", kind="N", army="white").value == "NC"


@pytest.mark.rule("make-a-rule", "R6", "C2")
def test_a_rule_ends_itself_when_it_says_so_and_a_full_turn_is_over():
    for turns, phases in ((1, 4), (6, 6)):
        game = begun(3, restricted=True)
        rule = library.piece_moves().ending_after(turns)
        label = make(game, rule.law, rule.wording)
        for _ in range(phases - 1):
            assert label in game.rules
            make(game)
        assert label not in game.rules


@pytest.mark.rule("make-a-rule", "R6")
@pytest.mark.parametrize("law", ["on turn_begun: guard this", "on turn_begun: free [this]"])
def test_guarantees_are_for_meta_rules(law):
    game = begun(2, restricted=True)
    with refused(game, "not-proposable", evidence="a rule can say of itself that it ends", rule="R6"):
        game.propose("Ann", nb.enact("So be it.", law=law))


@pytest.mark.rule("make-a-rule", "R4", "K1")
def test_what_takes_every_move_back_the_others_judge_and_it_can_be_repealed():
    game = begun(2, restricted=True)
    assert asked(game, "on moved: take back last_moves", "lets no move stand") == ["Ben"]
    game.choose("Ben", "true")
    label = game.propose("Ann", nb.enact("So be it.", law="on moved: take back last_moves")).number
    game.move("Ben", moves(game)[0])
    game.choose("Ben", "none")
    game.propose("Ben", nb.repeal(label))
    assert game.player == "Ann"
