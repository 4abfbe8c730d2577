"""Every term of the law on boards is changed by an adopted proposal, and play is another than before."""

from pathlib import Path

import pytest
import refusals
from board_helpers import arrange, chess, controllers, finish, law, moves, next_turn, nothing, on
from play_helpers import ballot, by_hand, refused, waiting_for

import nomic_nb as nb
from nomic_nb.chess.play.records import KEYS
from nomic_nb.engine.law.values import ThingRef

PAIR = ("white", "yellow")
WAIT = "yellow+green: green.h2-green.h3"


def two(**more):
    return chess("Ann", "Ben", **more)


def ends(game, start):
    """Where the piece on a square can go, with the first partner that there is."""
    return sorted({one.split("-")[-1] for one in moves(game, start)})


def test_every_term_of_boards_is_named_here():
    here = Path(__file__).read_text(encoding="utf-8")
    assert [key.name for key in KEYS if f"{key.name} " not in here and f'"{key.name}"' not in here] == []


def test_board_files():
    game = two()
    law(game, 'set board.files to 4\nset army.array to ["RNQK"]\nprevails over 201, 215\n'
        'on enacted when rule == this: enter army "azure" for "Ann"')  # fmt: skip
    geometry = game.state.position.boards["azure"].geometry
    assert (geometry.files, geometry.ranks) == (4, 4)
    assert on(game, "azure.d1") == "azure K"


@pytest.mark.parametrize("key", ["board.files", "board.ranks"])
def test_no_board_has_a_size_that_cannot_be(key):
    for size in ("0", "17", "16 + 16", "1/2"):
        with refusals.refused("value-unfit", why="1 to 16"):
            chess("Ann", "Ben", terms={key: size})
        with refusals.refused("value-unfit", why="1 to 16"):
            two().propose("Ann", nb.enact("Large.", law=f"set {key} to {size}"))


def test_board_ranks():
    game = two()
    law(
        game, 'set board.ranks to 6\nprevails over 201, 215\non enacted when rule == this: enter army "azure" for "Ben"'
    )
    assert game.state.position.boards["azure"].geometry.ranks == 6


def test_universe_names():
    game = nb.new_game("make-a-rule", ["Ann", "Ben"], terms={"universe.names": ["Moon"]})
    assert game.boards == ("Moon",)


def test_royal_named():
    game = nb.new_game("make-a-rule", ["Ann", "Ben", "Cleo"], terms={"royal.named": "sealed"})
    assert [one.action for one in game.pending] == ["seal"]


def test_royal_lost():
    for what, left in (("remove", ""), ("stay", "yellow N")):
        terms, fen = {"royal.lost": what}, "3nk3/8/8/8/8/8/8/4RK2 w - - 0 1"
        game = nb.new_game("make-a-rule", ["Ann", "Ben"], terms=terms, position=fen)
        game.move("Ann", "Zaphod:1.e1-Zaphod:1.e8")
        assert on(game, "Zaphod:1.d8") == left


def test_army_array():
    game = two()
    law(game, 'set army.array to ["R.Q.K.QR", "........"]\non enacted when rule == this: enter army "azure" for "Ben"')
    assert [on(game, f"azure.{file}1") for file in "abc"] == ["azure R", "", "azure Q"]
    assert len(game.state.position.standing["azure"]) == 5
    assert controllers(game)["azure"] == "Ben"


def test_board_wraps():
    game = arrange(two(), white="Ke1 Ra3", yellow="Ke1 white.Ph3 white.Pb3")
    nothing(game)
    assert "white.h3" not in ends(game, "white.a3")
    game = arrange(two(), white="Ke1 Ra3", yellow="Ke1 white.Ph3 white.Pb3")
    law(game, 'set board.wraps to "files"')
    assert "white.h3" in ends(game, "white.a3")  # round the side


def test_board_holes():
    game = two()
    law(game, 'set board.holes to ["white.e3", "white.a1"]')
    assert ends(game, "white.e2") == []
    assert on(game, "white.a1") == "white R"  # it becomes a hole once nothing stands on it
    assert 0 not in game.state.position.boards["white"].geometry.holes
    game.move("Ann", "white.d2-white.d3", push=PAIR)
    by_hand(game, "Ann", 'remove square_named("white.a1").piece')
    assert 0 in game.state.position.boards["white"].geometry.holes


def test_join_how():
    game = arrange(two(), white="Ke1 Pd3", yellow="Ke1 Ph1")
    law(game, 'set join.how to "reflect"')
    assert ends(game, "white.d3") == ["white.d4"]
    game.move("Ann", "white.d3-white.d4", push=PAIR)
    assert game.state.position.join == "reflect"
    nothing(game)
    game.move("Ben", "e1d1", push=["yellow", "white"])
    nothing(game)
    game.move("Ann", "white.d4-yellow.d4")  # files keep their side


def stalemate(clauses):
    game = arrange(two(), white="Ka1", yellow="Ke1 white.Qb3")
    game.propose("Ann", nb.enact("So be it.", law=clauses))
    ballot(game)
    return game


def test_army_stuck():
    assert waiting_for(stalemate(""), "choose") == ["Ann", "Ben"]
    assert stalemate('set army.stuck to "skip"').player == "Ben"
    assert stalemate('set army.stuck to "play cannot continue"').winner == "Ann"


def test_to_ask_is_no_answer_of_those_who_are_asked():
    game = stalemate("")
    for said in ("ask", '"ask" if turn > 0 else "skip"'):
        with refused(game, "answer-asks-on", key="army.stuck", opens="skip"):
            game.choose("Ann", said)
    game.choose("Ann", "skip")
    game.choose("Ben", "skip")
    assert game.player == "Ben"


def test_to_ask_is_not_offered_where_the_law_is_torn_about_it():
    game = stalemate('set army.stuck to "ask"\nset army.stuck to "skip"')
    assert [one.options for one in game.pending if one.action == "choose"] == [('"skip"',)] * 2


def test_piece_moves():
    game = arrange(two(), white="Ke1 Na1", yellow="Ke1")
    law(game, 'set piece.moves to "W" while kind == "N"')
    assert ends(game, "white.a1") == ["white.a2", "white.b1"]


def test_piece_moves_of_one_army():
    game = arrange(two(), white="Ke1 Na1", yellow="Ke1 Na1 Pa2")
    law(game, 'piece N of army_named("white") moves "W" while turn < 3')
    assert ends(game, "white.a1") == ["white.a2", "white.b1"]
    finish(game)
    nothing(game)
    assert ends(game, "yellow.a1") == ["yellow.b3", "yellow.c2"]
    finish(game)
    nothing(game)  # in the third turn
    (knight,) = [piece for piece in game.state.position.pieces.values() if (piece.army, piece.kind) == ("white", "n")]
    start = game.state.position.name(knight.board, knight.square)
    assert all(abs(ord(end[-2]) - ord(start[-2])) in (1, 2) for end in ends(game, start))
    assert ends(game, start) != []


def test_royal_kinds():
    game = arrange(two(), white="Ke1 Nb4", yellow="Ke1 white.Ra1 white.Qb1")
    law(game, 'set royal.kinds to ["N"]')
    found = ends(game, "white.e1")
    assert found == []  # the knight is in check now, and the king cannot help
    assert ends(game, "white.b4") != []


def test_royal_capture():
    def king_beside_a_rook(clauses):
        game = arrange(two(), white="Ke1 Rd1", yellow="Pa2 Kh1 white.Kd3")
        law(game, 'set check.enemy_on_push to "nothing"\nprevails over 221' + clauses)
        return game

    assert "white.d3" not in ends(king_beside_a_rook(""), "white.d1")
    game = king_beside_a_rook('\nset royal.capture to "capture"')
    game.move("Ann", "white.d1-white.d3", push=PAIR)
    assert controllers(game)["yellow"] == "Ben"
    game = arrange(two(), white="Ke1 Rd1", yellow="Pa2 white.Kd3")
    law(game, 'set check.enemy_on_push to "nothing"\nprevails over 221\nset royal.capture to "mate"')
    game.move("Ann", "white.d1-white.d3", push=PAIR)
    assert game.winner == "Ann"


def test_pawn_kinds():
    game = arrange(two(), white="Ke1 yellow.Ra2 yellow.Ph2", yellow="Ke4")
    law(game, 'set pawn.kinds to ["R"]')
    assert "yellow.h1" in ends(game, "yellow.h2")
    assert "yellow.a1=Q" in ends(game, "yellow.a2")


def test_pawn_double_step_ranks():
    game = arrange(two(), white="Ke1 Pa2 Pc1", yellow="Ke1")
    law(game, "set pawn.double_step_ranks to [1]")
    assert ends(game, "white.a2") == ["white.a3"]
    assert ends(game, "white.c1") == ["white.c2", "white.c3"]


def promoting(clauses):
    game = arrange(two(), white="Ke1 yellow.Pa2 yellow.Pa4", yellow="Ke4")
    law(game, clauses)
    return game


def test_promotion_kinds():
    game = promoting('set promotion.kinds to ["N", "K"]')
    assert ends(game, "yellow.a2") == ["yellow.a1=K", "yellow.a1=N"]


def test_promotion_ranks():
    game = promoting("set promotion.ranks to [6]")
    assert ends(game, "yellow.a2") == ["yellow.a1"]
    assert ends(game, "yellow.a4") == ["yellow.a3=B", "yellow.a3=N", "yellow.a3=Q", "yellow.a3=R"]


def test_promotion_mandatory():
    assert "yellow.a1" in ends(promoting("set promotion.mandatory to false"), "yellow.a2")


def open_castles(clauses):
    game = two()
    by_hand(game, "Ann", 'remove [p for p in army_named("white").pieces if p.kind in ["N", "B", "Q"]]')
    law(game, clauses)
    return {"white.c1", "white.g1"} & set(ends(game, "white.e1"))


def test_castling_on():
    assert open_castles("") == {"white.c1", "white.g1"}
    assert open_castles("set castling.on to false") == set()


def test_castling_partners():
    assert open_castles('set castling.partners to ["P"]') == set()


def test_a_royal_queen_castles_onto_her_partner_since_she_could_also_just_go_there():
    def begun():
        game = two()
        by_hand(game, "Ann", 'remove [p for p in army_named("white").pieces if p.kind in ["N", "B"]]')
        law(game, 'set royal.kinds to ["K", "Q"]')
        return game

    game = begun()
    assert {"white.b1", "white.a1"} <= set(ends(game, "white.d1"))
    game.move("Ann", "white.d1-white.b1", push=PAIR)
    assert (on(game, "white.b1"), on(game, "white.a1"), on(game, "white.c1")) == ("white Q", "white R", "")
    for text in ("white.d1-white.a1", "d1a1"):
        game = begun()
        game.move("Ann", text, push=PAIR)
        assert (on(game, "white.b1"), on(game, "white.a1"), on(game, "white.c1")) == ("white Q", "", "white R")


def passing(clauses, between=0):
    """Ann's pawn has just gone two squares past one of Ben's."""
    game = arrange(chess(), white="Ke1 Pe2", yellow="Ka1 white.Pd4", green="Ka1 white.Pf4 Pa2")
    law(game, clauses)
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    for _ in range(between):
        finish(game)
    nothing(game)
    return {one.split(": ")[1] for one in moves(game)} & {"white.d4-white.e3", "white.f4-white.e3"}


def test_passant_on():
    assert passing("") == {"white.d4-white.e3"}
    assert passing("set passant.on to false") == set()


def test_passant_until():
    assert passing('set passant.until to "own next turn"', between=1) == {"white.f4-white.e3"}
    assert passing('set passant.until to "end of next army\'s turn"', between=1) == set()
    assert passing('set passant.until to "next move"') == {"white.d4-white.e3"}
    assert passing('set passant.until to "next move"', between=1) == set()


def test_ladder_kinds():
    game = arrange(two(), white="Ke1 Qc3", yellow="Ke1")
    law(game, 'set ladder.kinds to ["N", "Q"]\nprevails over 204')
    finish(game)
    nothing(game, against=("Ann",))
    finish(game)
    nothing(game, against=("Ben",))
    (asked,) = [one for one in game.pending if one.action == "choose"]
    game.choose("Ann", asked.options[0])
    assert on(game, asked.options[0].split()[-1]) == "white N"


def test_move_count():
    game = chess()
    law(game, 'set move.count to 2\nset move.on_push to "any"\nprevails over 219')
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    assert waiting_for(game, "move") == ["Ann"]
    game.move("Ann", "white.e4-yellow.d4")
    assert game.player == "Ben"


def test_move_boards_joined():
    game = two()
    law(game, "set move.boards_joined to [1]\nprevails over 217")
    with refused(game, "boards-not-pushed-like-this", boards_joined="push one half-board by itself", rule=301):
        game.move("Ann", "white.e2-white.e4", push=PAIR)
    game.move("Ann", "white.e2-white.e4")
    next_turn(game, white="Ke1 Pe2 yellow.Nb1 yellow.Pc2", yellow="Kh1", wait="yellow.h1-yellow.h2")
    nothing(game)
    assert {one.split(":")[0] for one in moves(game)} == {"white", "yellow"}
    assert ends(game, "white.e2") == ["white.e3", "white.e4"]  # a pawn goes as it does on two boards
    assert ends(game, "yellow.c2") == ["yellow.c1=B", "yellow.c1=N", "yellow.c1=Q", "yellow.c1=R"]
    assert ends(game, "yellow.b1") == ["yellow.a3", "yellow.c3", "yellow.d2"]
    game.move("Ann", "white: white.e2-white.e4")
    game.move("Ann", "yellow.b1-yellow.d2")
    assert game.player == "Ben"


def test_move_boards_joined_either_way():
    game = arrange(two(), white="Ke1 Pe2", yellow="Kh1")
    law(game, "set move.boards_joined to [1, 2]\nprevails over 217")
    assert {one.split(":")[0] for one in moves(game)} == {"white", "white+yellow"}
    with refused(game, "move-fits-several-pairs", move="white.e2-white.e4", rule=301):
        game.move("Ann", "white.e2-white.e4")
    game.move("Ann", "white.e2-white.e4", push="white")
    assert game.moves["push"].iloc[-1] == "white"


def test_three_boards_cannot_be_joined():
    game = two()
    law(game, "set move.boards_joined to [circuit + 2]\nprevails over 217")  # three, while it is the first
    (asked,) = game.state.questions
    assert "not 3" in asked.text


def test_move_on_push():
    game = chess()
    law(game, 'set move.on_push to ("any" if count(b for b in push if b.name == "green") > 0 else "none")\n'
        "prevails over 219")  # fmt: skip
    assert {one.split(":")[0] for one in moves(game)} == {"white+green"}
    with refused(game, "boards-not-pushed-now", rule=301):
        game.move("Ann", "white.e2-white.e4", push=PAIR)


def spare(value):
    game = chess()
    law(game, f'set move.spare_partner to "{value}"')
    finish(game)
    finish(game)
    game = next_turn(game, white="Ke1 yellow.Ra3", yellow="Ke1", green="Ke1 Ph2", wait=WAIT)
    nothing(game)
    game.move("Ann", "white.e1-white.d1", push=("white", "green"))
    return [one.split("-")[1].split(".")[0] for one in moves(game, "yellow.a3")] if game.player == "Ann" else None


def test_move_spare_partner():
    assert spare("none") is None
    assert set(spare("staying")) == {"yellow"}
    assert set(spare("any")) > {"yellow"}


def test_move_forced():
    game = arrange(two(), white="Ke1 Ra1 Pb4", yellow="Ke1 white.Na3")
    law(game, "set move.forced to count(captures) > 0\nprevails over everything on move.forced")
    assert moves(game) == ["white+yellow: white.a1-white.a3"]
    with refused(game, "other-move-forced", move="white.e1-white.e2", rule=301):
        game.move("Ann", "white.e1-white.e2", push=PAIR)


def test_move_forced_gives_way_to_what_is_forbidden():
    game = arrange(two(), white="Ke1 Ra1 Pb4", yellow="Ke1 white.Na3")
    law(
        game, 'set move.forced to count(captures) > 0\nforbid move when count(p for p in captures if p.kind == "N") > 0'
    )
    assert ends(game, "white.b4") != []


def test_move_forced_for_none_or_for_all_leaves_all():
    game = two()
    law(game, "set move.forced to turn < 2 or piece.moved")
    assert len({one.split(": ")[1] for one in moves(game)}) == 20  # all are
    finish(game)
    nothing(game)
    assert len({one.split(": ")[1] for one in moves(game)}) == 20  # none has moved: no move is forced


def test_check_from():
    game = arrange(two(), white="Ke1 Ph2", yellow="Ke1 white.Ra1")
    law(game, "set check.from to []\nprevails over 220")
    assert "white.h3" in ends(game, "white.h2")


def enemy_in_check(clauses):
    game = arrange(chess(), white="Kb1", yellow="Kb1 Pb2", green="Ke1 Pa4")
    law(game, clauses)
    finish(game)
    by_hand(game, "Ann", 'place "R" of army_named("white") at square_named("green.a1")')
    nothing(game)
    game.move("Ben", "yellow.b2-yellow.b3", push=("yellow", "green"))
    return controllers(game)["green"]


def test_check_enemy_on_push():
    assert enemy_in_check("") == "Ben"
    assert enemy_in_check('set check.enemy_on_push to "nothing"\nprevails over 221') == "Cleo"


def test_mate_captor():
    assert enemy_in_check("set mate.captor to item(checkers, 1).controller\nprevails over 220") == "Ann"


def test_check_own_on_push():
    game = arrange(two(), white="Ke1 Ph2", yellow="Ke1 white.Ra1")
    law(game, 'set check.own_on_push to "may stay"\nprevails over 221')
    assert "white.h3" in ends(game, "white.h2")


def test_mate_tested():
    def back_rank(clauses):
        game = arrange(two(), white="Ke1 Ra1", yellow="Ka1 Pa2 Pb2 Pc2")
        law(game, clauses)
        game.move("Ann", "white.a1-white.d1", push=PAIR)
        nothing(game)
        game.move("Ben", "yellow.c2-yellow.c3", push=PAIR)
        nothing(game)
        game.move("Ann", next(one for one in moves(game, "white.d1") if one.endswith("yellow.e1")))
        return game

    game = back_rank("")
    assert not game.over
    assert game.player == "Ben"  # mate is looked for when he is to move
    assert back_rank('set mate.tested to "after move"').winner == "Ann"


def test_capture_from():
    game = arrange(two(), white="Ke1 Ra1", yellow="Ke1 white.Na3")
    law(game, "set capture.from to []")
    assert "white.a3" not in ends(game, "white.a1")


def taking(clauses):
    game = arrange(two(), white="Ke1 Ra1 Pb4", yellow="Ke1 white.Na3 white.Bb3 white.Pb2")
    law(game, clauses)
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    return game


def test_capture_result():
    game = taking("")
    assert (on(game, "white.a3"), on(game, "white.a1")) == ("white R", "")
    game = taking('set capture.result to "convert"')
    assert (on(game, "white.a3"), on(game, "white.a1")) == ("white R", "white N")
    game = taking('set capture.result to "explode"')
    assert [on(game, f"white.{at}") for at in ("a3", "b3", "b2", "b4")] == ["", "", "yellow P", "white P"]


def test_may_move():
    game = chess()
    assert game.law["may.move"].rule == 202
    law(game, 'forbid move when piece.kind == "N"')
    assert moves(game, "white.b1") == []
    with refused(game, "move-forbidden", move="white.b1-white.c3", rule=301):
        game.move("Ann", "white.b1-white.c3", push=PAIR)


def test_turn_sequence_of_armies():
    game = chess()
    law(game, 'set turn.sequence to [a for a in batting_order if a.name != "yellow"]\nprevails over 201, 216')
    finish(game)
    assert game.player == "Cleo"


# ten proposals that change chess at once


@pytest.mark.parametrize(
    ("clauses", "start", "end"),
    [
        ('piece N moves "NF"', "white.b1", "white.a2"),
        ('piece P moves "fmRfcF"', "white.e2", "white.e4"),
        ('piece R moves "D"', "white.a1", "white.a3"),
        ('piece K moves "A"', "white.e1", "white.c3"),
        ('piece B moves "BG"', "white.c1", "white.f4"),
    ],
)
def test_a_movement_changes_at_once(clauses, start, end):
    game = chess()
    if clauses.startswith("piece N"):
        by_hand(game, "Ann", f'remove square_named("{end}").piece')
    law(game, clauses)
    assert end in ends(game, start)
    kind = clauses.split()[1]
    finding = game.state.law.find("piece.moves", game.state, {"kind": kind, "army": ThingRef("army", "white")})
    assert finding.rule == 301
    assert finding.defeated[0].source.rule.tier == "normal"


def test_instead_of_being_captured_a_piece_changes_sides():
    game = taking('instead of captured when piece.kind != "K": convert piece to mover_army')
    assert (on(game, "white.a3"), on(game, "white.a1")) == ("white R", "white N")
    assert list(game.history.query("kind == 'converted'")["rule"]) == [301]


def test_squares_that_burn():
    game = chess()
    law(game, 'on moved when target.name == "white.e4": remove piece')
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    assert on(game, "white.e4") == ""
    assert list(game.history.query("kind == 'removed'")["rule"]) == [301]


def test_a_gate_leads_elsewhere():
    game = chess()
    law(game, 'on moved when target.name == "white.e4": move piece to square_named("green.e4")')
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    assert (on(game, "white.e4"), on(game, "green.e4")) == ("", "white P")


def test_knights_rest_but_on_every_second_turn():
    game = chess()
    law(game, 'forbid move when piece.kind == "N" and turn % 2 == 1')
    assert moves(game, "white.b1") == []
    finish(game)
    nothing(game)
    assert moves(game, "yellow.b1") != []


def test_a_board_grows():
    game = chess()
    law(game, 'on turn_ended when turn == 1: grow board_named("white") by 1')
    finish(game)
    assert game.state.position.boards["white"].geometry.ranks == 5


def test_ranks_shift_all_at_once():
    game = chess()
    law(game, 'on turn_ended when turn == 1: shift pieces_on_rank(board_named("yellow"), 2) by [0, 1]')
    finish(game)
    assert [on(game, f"yellow.{file}3") for file in "abcdefgh"] == ["yellow P"] * 8


def test_captures_bring_more_moves_and_points_for_armies():
    game = arrange(two(), white="Ke1 Ra1", yellow="Ke1 white.Na3")
    law(game, "track prey per army from 0\non captured: award 1 prey to mover_army\n"
        "track wear per piece from 3\non moved: award -1 wear to piece")  # fmt: skip
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    kept = game.state.tables
    assert dict(kept["prey"].entries) == {(ThingRef("army", "white"),): 1}
    rook = game.state.position.at("white.a3").id
    assert dict(kept["wear"].entries) == {(ThingRef("piece", rook),): 2}
    law(game, 'set move.count to 1 + item(armies, 1).prey\nset move.on_push to "any"\nprevails over 219')
    game.move("Ben", moves(game)[0])
    assert waiting_for(game, "move") == ["Ben"]


def test_promotion_and_demotion_by_rule():
    game = chess()
    law(game, 'on enacted when rule == this: promote square_named("white.a2").piece to "Q"; '
        'demote square_named("yellow.a1").piece; demote square_named("yellow.b2").piece')  # fmt: skip
    assert (on(game, "white.a2"), on(game, "yellow.a1"), on(game, "yellow.b2")) == ("white Q", "yellow B", "")


@pytest.mark.parametrize(
    ("queens", "rooks", "whose"),
    [
        ('piece Q moves "QN"\npiece Q moves "QA"', 'piece R moves "RN"\npiece R moves "RA"', [""]),
        (
            'piece Q of army_named("pi" + "nk") moves "QN"', 'piece R of army_named("pi" + "nk") moves "RN"',
            [" of white", " of yellow", " of green"],
        ),
    ],
)  # fmt: skip
def test_an_answer_on_how_a_kind_moves_is_for_that_kind_alone(queens, rooks, whose):
    game = chess()
    law(game, f"{queens}\n{rooks}")
    answers = {f"For {kind}{army}": text for kind, text in (("Q", '"Q"'), ("R", '"RN"')) for army in whose}
    while game.pending[0].action == "choose":
        prompt = game.pending[0].prompt
        answer = answers.pop(prompt.split(",")[0])
        with refused(game, "name-unknown", key="piece.moves") as caught:
            game.choose("Ann", answer.strip('"'))
        assert (caught.value.column, caught.value.text) == (1, answer.strip('"'))
        for name in game.players:
            game.choose(name, answer)
    assert not answers
    assert moves(game, "white.a1-white.b3")
    assert not moves(game, "white.d1-white.c3")


def test_two_armies_torn_in_two_ways_are_two_questions():
    game = chess()
    clauses = 'piece Q of army_named("{}") moves "{}"\npiece Q of army_named("{}") moves "{}"\n'
    law(game, clauses.format("white", "QN", "white", "QA") + clauses.format("yellow", "QD", "yellow", "QH"))
    for options in (('"QN"', '"QA"'), ('"QD"', '"QH"')):
        assert game.pending[0].options == options
        for name in game.players:
            game.choose(name, options[0])
    assert [game.why("piece.moves", kind="Q", army=army).value for army in ("white", "yellow", "green")] == [
        "QN", "QD", "Q",
    ]  # fmt: skip


def test_a_text_in_a_condition_is_not_read_as_a_movement():
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    rule = 'set piece.moves to ("KN" if army.name == "white" else "K") while kind == "K"'
    assert game.review("Ann", nb.enact("A strong king.", law=rule)).error is None
    wrong = 'set piece.moves to ("KN" if army.name == "white" else "Kwhite") while kind == "K"'
    assert game.review("Ann", nb.enact("A strong king.", law=wrong)).error is not None


@pytest.mark.rule("fide-chess", 3)
@pytest.mark.parametrize("value", ["armies", "[army]"])
def test_own_pieces_are_captured_by_how_they_move(value):
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    found = game.review("Ann", nb.enact("Everything is prey.", law=f"set capture.from to {value}"))
    assert "add d, as in" in str(found.error)
    some = 'set capture.from to [a for a in armies if a.name != "nobody"]\nprevails over everything'
    found = game.review("Ann", nb.enact("Everything is prey.", law=some))
    assert found.error is None
