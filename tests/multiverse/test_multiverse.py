"""Half-boards, universes, armies: what geometry decides, and what never changes about a piece."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from multiverse.reading import read
from multiverse_helpers import attacked, find_move, forget_passings, merge, universe, with_holes
from often import examples
from refusals import refused

from nomic_nb.chess.multiverse import FenError, position
from nomic_nb.chess.multiverse.geometry import HALF_BOARD, Geometry, join_boards
from nomic_nb.chess.multiverse.multiverse import Multiverse, half_boards, write_multiverse
from nomic_nb.chess.multiverse.pieces import Army, Board
from nomic_nb.chess.multiverse.pushes import Push, all_moves, possible_pushes
from nomic_nb.chess.multiverse.rules import ORTHODOX, Law, Terms

NAMES = ["white", "yellow", "green", "orange", "blue", "red", "violet", "brown"]
PAIR = ("white", "yellow")


def empty(count=3):
    """Armies and half-boards without pieces; the next piece is number 1."""
    state = half_boards(NAMES[:count])
    return replace(state.remove(*state.pieces), next_id=1)


def put(state, *pieces):
    """Pieces as 'army kind board.square'; with ! for one that has moved."""
    for text in pieces:
        army, kind, where = text.rstrip("!").split()
        board, square = state.square(where)
        state = state.place(kind, army, board, square, moved=text.endswith("!"))
    return state


def texts(state, army, boards, law=None):
    return {move.text for move in Push(state, law or Law(), army, boards).moves()}


def on_one_board(push):
    """The joined board as FEN placement letters, the near army in upper case."""
    return {at: piece.kind.upper() if piece.army == push.boards[0] else piece.kind for at, piece in push.pieces.items()}


@pytest.mark.rule("nomic-chess", 215, 217)
def test_two_half_boards_make_the_orthodox_array():
    push = Push(half_boards(NAMES[:2]), Law(), "white", PAIR)
    assert on_one_board(push) == position().board()
    kings = {push.geometry.name(at) for at, piece in push.pieces.items() if piece.kind == "k"}
    assert kings == {"e1", "e8"}


@pytest.mark.parametrize(("join", "kings"), [("rotate", {"e1", "d8"}), ("reflect", {"e1", "e8"})])
def test_like_arrays(join, kings):
    push = Push(half_boards(NAMES[:2], join=join, hands="alike"), Law(), "white", PAIR)
    assert {push.geometry.name(at) for at, piece in push.pieces.items() if piece.kind == "k"} == kings


def joined_perft(state, armies, depth):
    army, other = armies
    moves = Push(state, Law(), army, PAIR).moves()
    if depth == 1:
        return len(moves)
    state = forget_passings(state, army)
    return sum(joined_perft(state.play(move), (other, army), depth - 1) for move in moves)


@pytest.mark.rule("nomic-chess", 217)
def test_two_half_boards_play_as_chess_does():
    assert joined_perft(half_boards(NAMES[:2]), PAIR, 3) == 8902


@pytest.mark.rule("nomic-chess", 214, 217)
def test_random_games_on_two_half_boards_are_chess():
    for seed in range(6):
        chance = random.Random(seed)
        state, board, armies = half_boards(NAMES[:2]), position(), PAIR
        for _ in range(60):
            push = Push(state, Law(), armies[0], PAIR)
            local = {where: at for at, where in push.origin.items()}
            ours = {
                push.geometry.name(local[move.origin]) + push.geometry.name(local[move.target]) + move.promotion: move
                for move in push.moves()
            }
            assert sorted(ours) == sorted(board.moves())
            if not ours:
                break
            text = chance.choice(sorted(ours))
            state = forget_passings(state, armies[0]).play(ours[text])
            board.push(text)
            armies = armies[::-1]
            assert on_one_board(Push(state, Law(), "white", PAIR)) == board.board()


@pytest.mark.rule("nomic-chess", 217)
def test_double_step_and_castling_belong_to_the_home_half():
    state = put(empty(), "white k white.e1", "white r white.h1", "white p white.a2", "white p yellow.a2")
    moves = texts(state, "white", PAIR)
    assert {"white.a2-white.a4", "white.e1-white.g1"} <= moves
    # On a foreign half a pawn goes towards that half's back rank.
    assert {text for text in moves if text.startswith("yellow.a2")} == {
        f"yellow.a2-yellow.a1={kind}" for kind in "QRBN"
    }
    moved = put(empty(), "white k white.e1!", "white r white.h1")
    assert "white.e1-white.g1" not in texts(moved, "white", PAIR)


def test_castling_of_the_mirrored_array():
    state = put(empty(), "yellow k yellow.d1", "yellow r yellow.a1", "yellow r yellow.h1")
    moves = texts(state, "yellow", ("yellow", "green"))
    assert {"yellow.d1-yellow.b1", "yellow.d1-yellow.f1"} <= moves
    assert moves >= {"yellow.d1-yellow.b1"}
    after = state.play(find_move(state, Law(), "yellow", "yellow.d1-yellow.b1", ("green", "yellow")))
    assert after.at("yellow.c1").kind == "r"
    assert after.at("yellow.b1").kind == "k"


def test_a_stranger_between_two_halves():
    state = put(empty(), "green p white.c3", "green p yellow.c3")
    assert texts(state, "green", PAIR) == {"white.c3-white.c2", "yellow.c3-yellow.c2"}


def test_en_passant_on_the_movers_home_half_until_forgotten():
    state = put(empty(), "white p white.e2", "yellow p white.d4", "green p white.f4")
    state = state.play(find_move(state, Law(), "white", "white.e2-white.e4", PAIR))
    for army, text, boards in (
        ("yellow", "white.d4-white.e3", PAIR),
        ("green", "white.f4-white.e3", ("white", "green")),
    ):
        move = find_move(state, Law(), army, text, boards)
        assert move.passing
        assert state.play(move).at("white.e4") is None
        assert text not in texts(forget_passings(state, "white"), army, boards)


@pytest.mark.rule("nomic-chess", 220)
def test_armies_of_one_controller_do_not_check_each_other():
    state = put(empty(), "white k white.e1", "green r white.e4", "yellow k yellow.a1")
    assert attacked(state, Law(), PAIR) == {1: (2,)}
    state = state.with_controller("green", "white")
    assert attacked(state, Law(), PAIR) == {}
    assert "green.x" not in texts(state, "green", PAIR)
    assert "white.e4-white.e1" not in texts(state, "green", PAIR)
    assert "white.e1-white.e2" in texts(state, "white", PAIR)


@pytest.mark.rule("nomic-chess", 220)
def test_kings_are_attacked_only_on_the_pushed_pair():
    state = put(empty(), "white k white.e1", "green r yellow.e1")
    assert attacked(state, Law(), ("white", "green")) == {}
    assert len(attacked(put(state, "green r yellow.d1"), Law(), PAIR)) == 1


def test_dummy_and_designated_kings():
    state = put(empty(), "white k white.e1", "white k white.a1", "white q white.h1", "yellow r white.e4")
    assert list(attacked(state, Law(), PAIR)) == [1]
    dummy = state.crown(1, False)
    assert attacked(dummy, Law(), PAIR) == {}
    crowned = put(empty(), "white q white.e1", "yellow r white.e4").crown(1, True)
    assert list(attacked(crowned, Law(), PAIR)) == [1]


def test_capture_of_the_king_instead_of_check():
    law = Law(terms=Terms(promotion_ranks=None, kings="all", check=False))
    state = put(empty(), "white k white.e1", "yellow r white.e4")
    assert "white.e4-white.e1" in texts(state, "yellow", PAIR, law)
    assert "white.e1-white.e2" in texts(state, "white", PAIR, law)


def test_law_of_one_army():
    law = Law(of_army={"white": {"n": "NW"}})
    state = put(empty(), "white n white.b1", "yellow n yellow.b1")
    assert "white.b1-white.b2" in texts(state, "white", PAIR, law)
    assert "yellow.b1-yellow.b2" not in texts(state, "yellow", PAIR, law)


def test_identity_survives_everything():
    state = half_boards(NAMES[:3])
    pawn = state.at("white.e2")
    state = state.play(find_move(state, Law(), "white", "white.e2-white.e4", PAIR))
    state = state.promote(pawn.id, "q").convert(pawn.id, "green").carry_pieces({pawn.id: state.square("yellow.c3")})
    now = state.at("yellow.c3")
    assert (now.id, now.kind, now.army, now.born, now.home, now.moved) == (
        pawn.id,
        "q",
        "green",
        "white",
        "white",
        True,
    )
    assert half_boards(NAMES[:3]).at("white.e2") == pawn


def test_numbers_are_never_used_again():
    state = half_boards(NAMES[:2])
    new = state.next_id
    state = state.place("q", "white", "white", 20).remove(new).place("q", "white", "white", 20)
    assert state.at("white.e3").id == new + 1


def test_all_moves_are_those_of_every_push():
    state = half_boards(NAMES[:4])
    assert len(possible_pushes(state, "green")) == 3
    assert len(all_moves(state, Law(), "green")) == 3 * 20
    both = merge(
        universe("Z:1", Army("a", "Ann", ""), Army("b", "Ben", "", "red")),
        universe("Z:2", Army("c", "Ann", ""), Army("d", "Cleo", "", "blue")),
    )
    assert len(all_moves(both, Law(), "c")) == 20
    assert {move.push for move in all_moves(both, Law(), "d")} == {("Z:2",)}
    assert len(set(both.pieces)) == 64


def test_a_visitor_in_another_universe():
    both = merge(
        universe("Z:1", Army("a", "Ann", ""), Army("b", "Ben", "", "red")),
        universe("Z:2", Army("c", "Ann", ""), Army("d", "Cleo", "", "blue")),
    )
    knight = both.at("Z:1.b1")
    both = both.carry_pieces({knight.id: both.square("Z:2.e5")})
    assert len(possible_pushes(both, "a")) == 2
    assert "Z:2.e5-Z:2.d7" in texts(both, "a", ("Z:2",))
    # Ann's armies are one side here: her knight does not take her king, and may take other pieces of hers.
    assert both.at("Z:2.e5").home == "Z:1"


def test_boards_grow_and_get_holes():
    state = half_boards(NAMES[:2]).grow("white", front=1, left=1)
    assert state.at("white.f1").kind == "k"
    with refused("boards-of-unequal-files", files=9, files_of_other=8):
        texts(state, "white", PAIR)
    grown = half_boards(NAMES[:2]).grow("white", front=2)
    push = Push(grown, Law(), "white", PAIR)
    assert push.geometry.ranks == 10
    holed = half_boards(NAMES[:2]).reshape("white", with_holes(HALF_BOARD, "e3"))
    assert "white.e2-white.e3" not in texts(holed, "white", PAIR)
    assert "white.e2-white.e4" not in texts(holed, "white", PAIR)


def test_cylinder():
    law = Law(pieces=dict(ORTHODOX) | {"r": "R"})
    state = empty()
    for name in PAIR:
        state = state.reshape(name, Geometry(8, 4, "files"))
    state = put(state, "white r white.a3", "white p white.b3")
    assert "white.a3-white.h3" in texts(state, "white", PAIR, law)


@given(st.integers(0, 31), st.sampled_from(["rotate", "reflect"]))
def test_joining_keeps_every_square(square, how):
    _, near, far = join_boards(HALF_BOARD, HALF_BOARD, how)
    assert sorted(near + far) == list(range(64))
    file, rank = square % 8, square // 8
    assert far[square] == (7 - rank) * 8 + (7 - file if how == "rotate" else file)


@examples(15)
@given(st.integers(0, 2**32))
def test_squares_are_those_of_the_moves_and_what_could_move_alone_does(seed):
    chance = random.Random(seed)
    state = half_boards(NAMES[: chance.randint(2, 4)], join=chance.choice(["rotate", "reflect"]))
    ways = {kind: chance.choice([way, "WcaF", "mQcN", "pR", "fmnD"]) for kind, way in ORTHODOX.items()}
    law = Law(ways, terms=Terms(check=False, promotion_ranks=chance.choice([None, (4,)])))
    for _ in range(chance.randint(0, 12)):
        moves = all_moves(state, law, chance.choice(list(state.armies)))
        state = state.play(chance.choice(moves)) if moves else state
    otherwise = replace(law, pieces={**ways, chance.choice("pnbrqk"): chance.choice(["F", "WcaF", "mQcN", "KO2"])})
    moves = all_moves(state, law, chance.choice(list(state.armies)))
    later = state.play(chance.choice(moves)) if moves else state
    for army in state.armies:
        for boards in possible_pushes(state, army):
            push = Push(state, law, army, boards)
            ends = {(one.piece, *one.target, bool(one.taken)) for one in push.moves()}
            found = push.squares().items()
            assert ends == {
                (id, board, at, captures) for (id, board, captures), bits in found for at in range(64) if bits >> at & 1
            }
            for piece in (one for one in push.pieces.values() if one.army == army):
                alone = replace(state, pieces={piece.id: piece}, passings=())
                assert push.could_move_alone(piece) is bool(Push(alone, law, army, boards).moves())
            moved, changed = push.under(otherwise)
            ids = {piece.id for at, piece in push.pieces.items() if changed >> at & 1}
            kept = {key: squares for key, squares in found if key[0] not in ids}
            assert {key[0] for key in moved.squares(changed)} <= ids
            assert kept | moved.squares(changed) == Push(state, otherwise, army, boards).squares()
            for one in (push, moved):
                there = one.elsewhere(later)
                assert there.squares() == Push(later, one.law, army, boards).squares()
                assert {str(move) for move in there.moves()} == {
                    str(move) for move in Push(later, one.law, army, boards).moves()
                }


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_texts_read_back(seed):
    chance = random.Random(seed)
    state = half_boards(NAMES[: chance.randint(2, 5)], join=chance.choice(["rotate", "reflect"]))
    for _ in range(chance.randint(0, 6)):
        army = chance.choice(list(state.armies))
        moves = all_moves(state, Law(), army)
        state = state.play(chance.choice(moves))
    number = chance.choice(list(state.pieces))
    state = state.crown(number, True).convert(number, "white").remove(chance.choice(list(state.pieces)))
    state = state.add_board(Board("a b:1", Geometry(5, 3, "both", frozenset({2}))))
    again = read(write_multiverse(state))
    assert again == state
    assert write_multiverse(again) == write_multiverse(state)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("multiverse 1", "multiverse 2"), "line 1"),
        (("army B", "army C"), "line 3: expected the army code B"),
        (("colour=white", "colour=pink"), "line 2"),
        (("8x4", "8x99"), "line 4"),
        (("holes=none", "holes=z9"), "line 4"),
        (("wraps=none", "wraps=all"), "line 4"),
        (("on white 8/8", "on white 8"), "3 ranks"),
        (("Ar#1", "Xr#1"), "no army X"),
        (("Ar#1,", "Ar#2,"), "used twice"),
        (("Ar#1,", "?,"), "cannot read"),
        (("Ar#1,", "Ar#1,1,"), "too many squares"),
        (("on white", "on green"), "line 5"),
        (("army A", "fleet A"), "expected army, board"),
    ],
)
def test_texts_that_are_refused(change, words):
    with pytest.raises(FenError, match=words):
        read(write_multiverse(half_boards(NAMES[:2])).replace(*change, 1))


def test_pushes_and_moves_that_are_refused():
    state = half_boards(NAMES[:3])
    with refused("half-board-pushed-with-itself", board="white"):
        Push(state, Law(), "white", ("white", "white"))
    with refused("push-of-wrong-boards"):
        Push(state, Law(), "white", ("white", "yellow", "green"))
    with refused("no-such-board", board="pink"):
        Push(state, Law(), "white", ("white", "pink"))
    move = find_move(state, Law(), "white", "white.e2-white.e4", PAIR)
    with refused("moving-piece-gone", move="white.e2-white.e4"):
        state.play(move).play(move)
    with refused("movement-not-in-law", kind="z"):
        Push(state.promote(1, "z"), Law(), "white", PAIR)


@pytest.mark.parametrize(
    ("act", "code", "values"),
    [
        (lambda state: state.place("q", "white", "white", 0), "square-taken", {}),
        (lambda state: state.place("q", "white", "white", 32), "square-not-on-board", {}),
        (lambda state: state.place("Q", "white", "white", 20), "kind-not-a-letter", {}),
        (lambda state: state.place("q", "pink", "white", 20), "no-such-army", {}),
        (lambda state: state.remove(99), "no-piece-with-this-number", {"piece": 99}),
        (lambda state: state.convert(1, "pink"), "no-such-army", {}),
        (lambda state: state.promote(1, "qq"), "kind-not-a-letter", {}),
        (lambda state: state.add_army(Army("white", "x", "white")), "army-name-taken", {}),
        (lambda state: Army("x", "x", "x", colour="pink"), "no-such-colour", {}),
        (lambda state: Army("x", "x", "x", hand="left"), "no-such-hand", {}),
        (lambda state: Army("x", "x", "x", mark=9), "no-such-mark", {}),
        (lambda state: half_boards(["a"]), "half-boards-need-named-armies", {}),
        (lambda state: half_boards(["a", "b"], hands="left"), "no-such-hands", {}),
        (lambda state: state.reshape("white", with_holes(HALF_BOARD, "e1")), "piece-stands-on-new-hole", {}),
    ],
)
def test_placements_that_are_refused(act, code, values):
    with refused(code, **values):
        act(half_boards(NAMES[:2]))


@pytest.mark.parametrize(
    ("act", "code", "values"),
    [
        (lambda: Geometry(17, 8), "board-size-out-of-range", {"most": 16, "side": "files"}),
        (lambda: Geometry(8, 0), "board-size-out-of-range", {"most": 16, "side": "ranks"}),
        (lambda: Geometry(8, 8, "round"), "no-such-wrap", {}),
        (lambda: Geometry(8, 8, "", frozenset({64})), "hole-off-board", {}),
        (lambda: Geometry(1, 1, "", frozenset({0})), "board-of-holes-only", {}),
        (lambda: Geometry(8, 8).square("i1"), "square-not-on-this-board", {"last": "h8"}),
        (lambda: Geometry(8, 8).square("e01"), "square-not-on-this-board", {}),
        (lambda: Geometry(8, 8).name(64), "square-outside-board", {}),
        (lambda: with_holes(Geometry(8, 8), "e4").square("e4"), "square-is-a-hole", {}),
        (lambda: Geometry(8, 8).grow(front=-1), "board-cannot-shrink", {}),
        (lambda: Geometry(8, 16).grow(front=1), "board-size-out-of-range", {"side": "ranks"}),
        (lambda: join_boards(HALF_BOARD, HALF_BOARD, "glue"), "no-such-join", {}),
        (lambda: Multiverse({}, {}, {}).square("e4"), "square-without-board", {}),
        (lambda: Multiverse({}, {}, {}).add_board(Board("a.b", HALF_BOARD)), "board-name-unusable", {}),
    ],
)
def test_geometry_that_is_refused(act, code, values):
    with refused(code, **values):
        act()


@pytest.mark.parametrize("seed", range(3))
def test_boards_made_again_are_those_made_anew(seed):
    dice, state, rules, known = random.Random(seed), half_boards(NAMES[:4]), Law(), {}
    again = 0
    for _ in range(40):
        moves = []
        for army in NAMES[:4]:
            others = {*NAMES[:4]} - {army}
            for boards in possible_pushes(state, army):
                new = Push(state, rules, army, boards, captures=others, checks=others)
                last = known.get((army, boards))
                made = last.made_again(state, others, others, None) if last is not None else None
                if made is not None:
                    assert (made.moves(), made.checkers(), made.state) == (new.moves(), new.checkers(), state)
                    again += 1
                known[army, boards] = made or new
                moves += new.moves()
        state = state.play(dice.choice(moves))
    assert again > 500
