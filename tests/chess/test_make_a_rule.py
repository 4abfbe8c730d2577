"""Make-A-Rule Chess: kings, and rules of the kind that players of it have made."""

import re

import pytest
import refusals
from make_a_rule_helpers import begun, ends, idle, make, moves, name_king, phase, until, without_restrictions
from play_helpers import refused

import nomic_nb as nb

ONE, TWO, THREE = "Zaphod:1", "Zaphod:2", "Zaphod:3"


def at(game, square):
    return game.state.position.at(square)


def without_pawns(game, *squares):
    """A rule takes pieces off these squares, so that others get through."""
    make(game, "\n".join(f'on enacted when rule == this: remove square_named("{one}").piece' for one in squares))


# kings


@pytest.mark.rule("make-a-rule", "M4", "R13")
def test_whoever_loses_the_real_king_is_out_of_all_universes():
    game = begun(3)  # the real king of Ann is in the first universe
    make(game)
    make(game)
    make(game)
    law = f'on enacted when rule == this: move square_named("{ONE}.d8").piece to square_named("{ONE}.e3")'
    make(game, law)
    make(game)
    make(game, f'on enacted when rule == this: remove [square_named("{ONE}.e2").piece]')
    make(game, f'on enacted when rule == this: move square_named("{ONE}.e3").piece to square_named("{ONE}.e4")')

    until(game, "Ben")
    assert f"{ONE}.e1" in ends(game, f"{ONE}.e4")
    phase(game, f"{ONE}.e4-{ONE}.e1")
    assert "Ann" not in game.state.names_of_players
    assert not [piece for piece in game.state.position.pieces.values() if piece.army in ("white", "yellow")]
    assert not game.over
    assert game.player == "Cleo"


@pytest.mark.rule("make-a-rule", "M3", "M4")
def test_a_dummy_is_a_piece_like_any_other():
    game = begun(3)
    without_pawns(game, f"{TWO}.e2")
    make(game, f'on enacted when rule == this: move square_named("{TWO}.d8").piece to square_named("{TWO}.e3")')
    until(game, "Cleo")
    square = next(f"{TWO}.{file}{rank}" for file in "e" for rank in (3,))
    assert at(game, f"{TWO}.e1").royal is False
    before = len(game.state.position.pieces)
    phase(game, f"{square}-{TWO}.e1")
    assert "Ann" in game.state.names_of_players
    assert before - len(game.state.position.pieces) in (1, 2)


@pytest.mark.rule("make-a-rule", "M4", "R13")
def test_the_last_one_left_has_won():
    game = begun(2)
    without_pawns(game, f"{ONE}.e2", f"{ONE}.e7")
    make(game, f'on enacted when rule == this: move square_named("{ONE}.d1").piece to square_named("{ONE}.e4")')
    assert "Ben" in game.state.names_of_players
    game.move("Ann", f"{ONE}.e4-{ONE}.e8")
    assert game.over
    assert game.winner == "Ann"


@pytest.mark.rule("make-a-rule", "M4")
def test_rules_can_say_otherwise_of_whoever_loses_the_king():
    game = begun(2)
    make(game, "instead of captured when piece.royal: remove square.piece")
    assert game.player == "Ben"


# rules of the kind that players have made


@pytest.mark.rule("make-a-rule", "D12")
def test_knights_move_only_in_every_fifth_turn():
    game = begun(2)
    make(game, 'forbid move when piece.kind == "N" and circuit % 5 != 0')
    while game.state.circuit < 7:
        can = bool(ends(game, f"{ONE}.{'b1' if game.player == 'Ann' else 'b8'}"))
        assert can == (game.state.circuit == 5)
        make(game)


@pytest.mark.rule("make-a-rule", "D11")
def test_a_board_grows_by_a_ring():
    game = begun(3)
    make(game, f'on enacted when rule == this: grow board_named("{ONE}") around by 1')
    geometry = {name: board.geometry for name, board in game.state.position.boards.items()}
    assert (geometry[ONE].files, geometry[ONE].ranks, geometry[TWO].files) == (10, 10, 8)
    assert at(game, f"{ONE}.f2").kind == "k"
    assert f"{ONE}.e10" in ends(game, f"{ONE}.f9")
    make(game)
    with refusals.refused("board-would-be-too-large", files=18, ranks=18):
        make(game, "on enacted when rule == this: grow boards around by 4")
    make(game, "on enacted when rule == this: grow boards around by count(players) + 2")
    assert any("16" in one.prompt for one in game.pending), "larger than a board can be: the table is asked"


@pytest.mark.rule("make-a-rule", "D11")
def test_a_row_shifts_and_comes_in_again():
    game = begun(2)
    make(game, f'on enacted when rule == this: shift pieces_on_rank(board_named("{ONE}"), 1) around by [1, 0]')
    assert [at(game, f"{ONE}.{file}1").kind for file in "abcdefgh"] == list("rrnbqkbn")


@pytest.mark.rule("make-a-rule", "D12")
def test_a_capture_converts():
    game = begun(2)
    make(game, 'set capture.result to "convert"')
    phase(game, f"{ONE}.d7-{ONE}.d5")
    phase(game, f"{ONE}.e2-{ONE}.e4")
    phase(game, f"{ONE}.d5-{ONE}.e4")
    assert at(game, f"{ONE}.e4").army == "yellow"
    assert at(game, f"{ONE}.d5").army == "yellow"


@pytest.mark.rule("make-a-rule", "R16", "D3")
def test_a_rule_brings_in_a_player_with_a_kind_of_piece_of_their_own():
    game = begun(2)
    make(
        game,
        'piece A moves "QN"\n'
        'on enacted when rule == this: enter player "Borg" as person; '
        f'enter army next_colour() for "Borg" on "{ONE}"; '
        f'place "A" of army_named("green") at square_named("{ONE}.d4"); '
        f'place "K" of army_named("green") at square_named("{ONE}.a5")',
    )
    assert "Borg" in game.players
    until(game, "Borg")
    assert {f"{ONE}.e6", f"{ONE}.d6"} <= ends(game, f"{ONE}.d4")
    assert make(game) == "P3.1"


@pytest.mark.rule("make-a-rule", "D12")
def test_an_extra_move_is_earned_by_a_deed_two_turns_before():
    game = begun(2)
    make(
        game,
        "track earned per player from 0\n"
        "on captured: after 4 turns: put earned of player at 1\n"
        "on turn_ended when player.earned == 1: put earned of player at 0\n"
        "set move.count to otherwise + 1 while army.controller.earned == 1\n"
        'set move.on_push to "any" while army.controller.earned == 1',
    )
    phase(game, f"{ONE}.d7-{ONE}.d5")
    phase(game, f"{ONE}.e2-{ONE}.e4")
    phase(game, f"{ONE}.d5-{ONE}.e4")  # Ben earns it
    counted = []
    while len(counted) < 6:
        player, count = game.player, 0
        turn = game.turn
        while game.turn == turn:
            game.move(player, next(one for one in moves(game) if ".a" in one or ".h" in one or ".b" in one))
            count += 1
        counted.append((player, count))
    assert [count for player, count in counted if player == "Ann"] == [1, 1, 1]
    assert [count for player, count in counted if player == "Ben"].count(2) == 1


@pytest.mark.rule("make-a-rule", "L2")
def test_spaghetti():
    game = begun(2)
    make(
        game,
        "track spoke per player from 0\n"
        'on said when text == "I like spaghetti": put spoke of player at 1\n'
        "on moved when player.spoke == 0: remove piece\n"
        "on moved: put spoke of player at 0",
    )
    game.say("Ben", "I like spaghetti")
    phase(game, f"{ONE}.d7-{ONE}.d5")
    assert at(game, f"{ONE}.d5").kind == "p"
    phase(game, f"{ONE}.e2-{ONE}.e4")
    assert at(game, f"{ONE}.e4") is None


@pytest.mark.rule("make-a-rule", "R15")
def test_a_rule_says_what_its_repeal_brings():
    game = begun(2)
    number = make(
        game,
        'piece N moves "K"\non repealed when rule == this: enact slower\n'
        'draft slower: "Knights go one step straight."\n    piece N moves "W"',
    )
    game.propose("Ben", nb.repeal(number))
    assert game.why("piece.moves", kind="N", army="white").value == "W"


def test_a_review_paints_what_is_gained_and_lost_in_each_universe():
    game = begun(3)
    idle(game)
    for universe, painted in ((ONE, {ONE}), ("", {ONE, TWO, THREE})):
        review = game.review("Ann", nb.enact("Camels.", law='piece N moves "C"', universe=universe))
        assert review.number == "P1.2"
        assert "may vote" not in str(review.warnings)
        found = review.on_boards
        assert {pair.push.boards[0] for pair in found.pairs} == painted
        counts = {one.army: (len(one.gained), len(one.lost)) for one in found.moves}
        here = {"white", "green"} if universe else {"white", "yellow", "green", "orange", "blue", "red"}
        assert counts == {army: (4, 4) if army in here else (0, 0) for army in counts}
        for pair in found.pairs:
            board = pair.push.boards[0]
            for some, rank in ((pair.lost, 3), (pair.gained, 4)):
                texts = {one.text for one in some if "b1" in one.text}
                assert texts == {f"{board}.b1-{board}.{to}{rank}" for to in "ac"}
            assert f"{board}: 8 gained" in found.picture.alt
    with refused(game, "piece-does-not-move-so"):
        game.move("Ann", f"{ONE}.b1-{ONE}.a4")


def test_a_review_tells_what_the_rule_does_and_not_what_its_being_made_does():
    game = begun(3)
    seen = game.review("Ann", nb.enact("Camels.", law='piece N moves "C"', universe=ONE))
    assert "piece.moves" in str(seen)
    assert "move.on_push" not in str(seen)


def test_a_review_says_which_universes_it_does_not_paint():
    found = begun(5).review("Ann", nb.enact("Camels.", law='piece N moves "C"')).on_boards
    painted = {pair.push.boards[0] for pair in found.pairs}
    names = [f"Zaphod:{one}" for one in range(1, 11)]
    left = [name for name in names if name not in painted]
    assert len(painted) == 6
    every, unpainted = found.lines_by_board
    assert every.endswith("Zaphod:10: 8 and 8")
    assert all(name in every for name in names)
    assert unpainted == f"4 more boards changed but not drawn: {', '.join(left[:-1])} and {left[-1]}"
    assert unpainted in found.summary_lines


@pytest.mark.rule("make-a-rule", "M3", "R16")
def test_no_rule_keeps_a_player_from_naming_the_real_king():
    game = begun(3)
    game.propose("Ann", nb.enact("Nobody chooses anything.", "forbid choose"))
    assert not game.over
    name_king(game)
    assert [piece.royal for piece in game.state.position.pieces.values()].count(False) == 2


@pytest.mark.rule("make-a-rule", "M3")
def test_a_king_is_named_once():
    game = begun(3)
    with refused(game, "nothing-to-choose", last="Ann chooses king of white Zaphod:1.e1", rule="M3"):
        game.choose("Ann", "king of white Zaphod:1.e1")


@pytest.mark.rule("make-a-rule", "R1")
def test_whoever_has_moved_is_told_what_is_open_instead_of_a_rule():
    game = begun(3)
    game.move("Ann", moves(game, ONE)[0])
    with refused(
        game,
        "not-proposable",
        evidence="a rule is made before the moves of a phase (make it in your next one)",
        rule="R1",
        opens="Ann: move",
    ):
        game.propose("Ann", nb.enact("So be it."))


@pytest.mark.rule("make-a-rule", "R1", "R14")
@pytest.mark.parametrize("apart", [False, True])
def test_several_changes_at_once_are_refused_and_one_rule_has_all_clauses(apart):
    game = begun(2, restricted=True)
    camels, wizards = nb.enact("Camels.", law='piece N moves "NZ"'), nb.enact("Wizards.", law='piece B moves "BN"')
    amendments = [nb.enact(text, standing="amendment") for text in ("Hats.", "Caps.")]
    for some in ((camels, wizards), amendments, (camels, amendments[0])):
        with refused(
            game,
            "not-proposable",
            evidence="one change is made at a time (make one that has the clauses of all",
            rule="R1",
        ):
            game.propose("Ann", nb.together(*some, apart=apart))
    assert game.review("Ann", nb.together(camels, wizards)).proposable is False
    make(game, f"{camels.law}\n{wizards.law}")
    assert game.player == "Ben"


def test_where_a_table_lets_several_be_made_at_once_each_has_a_label_of_its_own(tmp_path):
    text = without_restrictions().read_text(encoding="utf-8")
    path = tmp_path / "make-a-rule.md"
    path.write_text(re.sub(r"forbid propose when change.together > 1 and\n.*\n", "", text), encoding="utf-8")
    game = nb.new_game(path, ["Ann", "Ben"])
    game.propose("Ann", nb.together(nb.enact("Hats."), nb.enact("Caps.")))
    assert [game.rules[label].tier for label in ("P1.1", "P1.1.2")] == ["rule", "rule"]
    assert game.player == "Ben"
