"""Board play of Nomic Chess, scenario by scenario."""

import itertools

import pytest
from board_helpers import arrange, chess, controllers, finish, law, moves, next_turn, nothing, on, turns
from play_helpers import ballot, by_hand, refused, waiting_for

import nomic_nb as nb
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import Law

PAIR = ("white", "yellow")
WAIT = "yellow+green: green.h2-green.h3"


def kings(game):
    """Where the kings stand when white and yellow are pushed together."""
    push = Push(game.state.position, Law(), "white", PAIR)
    return {piece.army: push.geometry.name(at) for at, piece in push.pieces.items() if piece.kind == "k"}


@pytest.mark.rule("nomic-chess", 201)
@pytest.mark.rule("nomic-chess", 215)
def test_g1_a_half_board_and_sixteen_pieces_each():
    game = chess()
    position = game.state.position
    assert list(position.armies) == list(position.boards) == ["white", "yellow", "green"]
    for name, board in position.boards.items():
        assert (board.geometry.files, board.geometry.ranks, board.half) == (8, 4, True)
        kinds = sorted(piece.kind for piece in position.standing[name].values())
        assert kinds == sorted("rnbqkbnr" + "p" * 8)
    assert controllers(game) == {"white": "Ann", "yellow": "Ben", "green": "Cleo"}
    assert len({(army.colour, army.mark) for army in position.armies.values()}) == 3


@pytest.mark.rule("nomic-chess", 216)
def test_g1_the_order_of_armies_stays():
    game = chess()
    order = [str(one.id) for one in game.law["turn.sequence"].value]
    played = []
    for _ in range(6):
        played.append(game.state.current_turn.army)
        finish(game)
    assert played == order * 2 == ["white", "yellow", "green"] * 2


def test_g3_two_players_have_the_array_of_chess():
    assert kings(chess("Ann", "Ben")) == {"white": "e1", "yellow": "e8"}


def test_g3_arrays_that_are_alike():
    alike = {"army.array": ["RNBQKBNR", "PPPPPPPP"]}
    assert kings(chess("Ann", "Ben", terms=alike)) == {"white": "e1", "yellow": "d8"}
    assert kings(chess("Ann", "Ben", terms=alike | {"join.how": "reflect"})) == {"white": "e1", "yellow": "e8"}


@pytest.mark.rule("nomic-chess", 219)
def test_g5_a_half_board_without_a_free_partner_borrows_one():
    game = next_turn(
        chess(), white="Ke1 yellow.Ra3", yellow="Ke1", green="Ke1 Ph2", wait="yellow+green: green.h2-green.h3"
    )
    nothing(game)
    game.move("Ann", "white.e1-white.d1", push=("white", "green"))
    with refused(game, "piece-leaves-own-half-board", rule=219, opens="yellow.a3-yellow.a2"):
        game.move("Ann", "yellow.a3-green.h4", push=("yellow", "green"))
    assert {one.split("-")[1].split(".")[0] for one in moves(game, "yellow.a3")} == {"yellow"}
    assert moves(game, "white") == []
    game.move("Ann", "yellow.a3-yellow.a2", push=("yellow", "green"))
    assert game.player == "Ben"


@pytest.mark.rule("nomic-chess", 219)
def test_pushing_two_boards_with_own_pieces_spends_both():
    game = next_turn(
        chess(), white="Ke1 yellow.Ra3", yellow="Ke1", green="Ke1 Ph2", wait="yellow+green: green.h2-green.h3"
    )
    nothing(game)
    game.move("Ann", "white.e1-white.d1", push=("white", "yellow"))
    assert game.player == "Ben"


@pytest.mark.rule("nomic-chess", 219)
def test_a_board_is_not_pushed_twice_while_another_is_free():
    game = next_turn(
        chess("Ann", "Ben", "Cleo", "Dov"), white="Ke1 yellow.Ra3", yellow="Ke1", green="Ke1", orange="Ke1 Ph2",
        wait="green+orange: orange.h2-orange.h3",
    )  # fmt: skip
    nothing(game)
    game.move("Ann", "white.e1-white.d1", push=("white", "green"))
    assert {one.split(":")[0] for one in moves(game)} == {"yellow+orange"}
    with refused(game, "boards-not-pushed-now", rule=219):
        game.move("Ann", "yellow.a3-yellow.a2", push=("yellow", "green"))


@pytest.mark.rule("nomic-chess", 219)
def test_a_board_reached_in_this_turn_needs_no_move_of_its_own():
    game = next_turn(chess(), white="Ke1 Rb1", yellow="Ka1", green="Ke1 Ph2", wait=WAIT)
    nothing(game)
    game.move("Ann", "white.b1-yellow.g2")
    assert game.player == "Ben"


@pytest.mark.rule("nomic-chess", 217)
def test_g7_a_move_on_one_half_needs_a_partner():
    game = chess()
    nothing(game)
    with refused(game, "move-fits-several-pairs", rule=217, opens="white+green: white.e2-white.e4"):
        game.move("Ann", "white.e2-white.e4")
    with refused(game, "boards-not-pushed-like-this", rule=217):
        game.move("Ann", "white.e2-white.e4", push=("white",))
    with refused(game, "board-pushed-with-itself"):
        game.move("Ann", "white.e2-white.e4", push=("white", "white"))
    game.move("Ann", "white.e2-white.e4", push=("white", "yellow"))
    assert on(game, "white.e4") == "white P"


@pytest.mark.rule("nomic-chess", 217)
def test_any_two_half_boards_can_be_pushed_together():
    game = chess("Ann", "Ben", "Cleo", "Dov")
    nothing(game)
    assert {one.split(":")[0] for one in moves(game)} == {"white+yellow", "white+green", "white+orange"}


@pytest.mark.rule("nomic-chess", 221)
@pytest.mark.rule("nomic-chess", 220)
@pytest.mark.rule("nomic-chess", 202)
def test_g9_whoever_joins_the_boards_gets_the_army():
    game = arrange(chess(), white="Kb1", yellow="Kb1 Pb2", green="Ke1 Pa4")
    finish(game)
    assert game.player == "Ben"
    by_hand(game, "Ann", 'place "R" of army_named("white") at square_named("green.a1")')
    nothing(game)
    game.move("Ben", "yellow.b2-yellow.b3", push=("yellow", "green"))
    assert controllers(game)["green"] == "Ben"
    taken = game.history.query("kind == 'army_taken'")
    assert list(taken["rule"]) == [202]
    assert list(game.history.query("kind == 'mated'")["rule"]) == [221]
    assert "Cleo" not in game.state.names_of_players


def test_g9_the_switch():
    terms = {"mate.captor": "item(checkers, 1).controller"}
    game = arrange(chess(terms=terms), white="Kb1", yellow="Kb1 Pb2", green="Ke1 Pa4")
    finish(game)
    by_hand(game, "Ann", 'place "R" of army_named("white") at square_named("green.a1")')
    nothing(game)
    game.move("Ben", "yellow.b2-yellow.b3", push=("yellow", "green"))
    assert controllers(game)["green"] == "Ann"


@pytest.mark.rule("nomic-chess", 220)
def test_g11_own_armies_do_not_check_each_other():
    game = arrange(chess(), white="Ke1 Ph2", yellow="Ka4 Pb2", green="Kh4 white.Ra1")
    by_hand(game, "Ann", 'give army_named("green") to "Ann"')
    nothing(game)
    assert "white+yellow: white.h2-white.h3" in moves(game)


@pytest.mark.rule("nomic-chess", 221)
def test_own_king_in_check_is_parried():
    game = arrange(chess("Ann", "Ben"), white="Ke1 Ph2", yellow="Ka4 white.Ra1")
    nothing(game)
    with refused(game, "move-does-not-parry-check", move="white.h2-white.h3", rule=221):
        game.move("Ann", "white.h2-white.h3", push=PAIR)
    game.move("Ann", "white.e1-white.e2", push=PAIR)


@pytest.mark.rule("nomic-chess", 222)
@pytest.mark.rule("nomic-chess", 220)
def test_g13_without_an_army_one_is_out():
    game = arrange(chess(), white="Kb1", yellow="Kb1 Pb2", green="Ke1 Pa4")
    finish(game)
    by_hand(game, "Ann", 'place "R" of army_named("yellow") at square_named("green.a1")')
    nothing(game)
    game.move("Ben", "yellow.b2-yellow.b3", push=("yellow", "green"))
    assert game.state.names_of_players == ("Ann", "Ben")
    assert game.player == "Ben"  # with the army that was Cleo's
    assert game.state.current_turn.army == "green"
    game.propose("Ben", nb.enact("Nothing."))
    assert waiting_for(game, "vote") == ["Ann", "Ben"]


@pytest.mark.rule("nomic-chess", 220)
def test_g13_whoever_has_another_army_stays():
    game = arrange(chess(), white="Kb1", yellow="Kb1 Pb2", green="Ke1 Pa4")
    by_hand(game, "Ann", 'give army_named("green") to "Ann"')
    assert game.state.names_of_players == ("Ann", "Ben")
    finish(game)
    by_hand(game, "Ann", 'place "R" of army_named("yellow") at square_named("white.h1")')
    nothing(game)
    game.move("Ben", "yellow.b2-yellow.b3", push=("white", "yellow"))
    assert controllers(game) == {"white": "Ben", "yellow": "Ben", "green": "Ann"}
    assert game.state.names_of_players == ("Ann", "Ben")


@pytest.mark.rule("nomic-chess", 207)
def test_several_armies_have_one_vote_and_a_turn_each():
    game = chess()
    by_hand(game, "Ann", 'give army_named("yellow") to "Ann"')
    assert game.state.names_of_players == ("Ann", "Cleo")
    played = []
    for _ in range(3):
        played.append((game.state.current_turn.army, game.player))
        proposal = nothing(game)
        assert proposal.ballots == {"Ann": "for", "Cleo": "for"}
        finish(game)
    assert played == [("white", "Ann"), ("yellow", "Ann"), ("green", "Cleo")]


@pytest.mark.rule("nomic-chess", 221)
def test_g15_a_pair_that_must_be_pushed_and_mates():
    game = arrange(chess("Ann", "Ben"), white="Kh1", yellow="Kf3 white.Qg2 white.Rg3")
    by_hand(game, "Ann", 'move square_named("yellow.f3").piece to square_named("yellow.a1")')
    nothing(game)
    assert game.winner == "Ben"
    assert list(game.history.query("kind == 'mated'")["rule"]) == [221]
    assert "rule 112" in game.result


@pytest.mark.rule("nomic-chess", 221)
def test_a_pair_on_which_the_king_is_safe_is_a_way_out():
    game = arrange(chess(), white="Ka1", yellow="Ke1 green.Rh1 green.Rg1", green="Ke4")
    nothing(game)
    assert game.player == "Ann"  # mated with green, and not with yellow
    assert {one.split(":")[0] for one in moves(game)} == {"white+yellow"}


@pytest.mark.rule("nomic-chess", 203)
@pytest.mark.rule("nomic-chess", 204)
@pytest.mark.rule("nomic-chess", 206)
def test_g17_unanimity_for_two_circuits_then_a_majority_and_the_ladder_for_dissent():
    game = chess()
    for _ in range(6):
        proposal = nothing(game, against=("Cleo",))
        assert proposal.outcome == "defeated"
        (asked,) = game.pending
        assert (asked.player, asked.action, asked.rule) == (game.player, "choose", 206)
        game.choose(game.player, asked.options[-1])
        finish(game)
    assert game.rules[203].how == "automatic"
    assert game.turn == 7
    proposal = nothing(game, against=("Cleo",))
    assert proposal.outcome == "adopted"
    (asked,) = game.pending
    assert (asked.player, asked.action, asked.rule) == ("Cleo", "choose", 204)
    kinds = {option.split()[0] for option in asked.options}
    assert kinds <= {"pawn", "knight", "bishop", "rook", "none"}
    with refused(game, "answer-not-an-option"):
        game.choose("Cleo", "king green.d1")
    with refused(game, "somebody-first", who="Cleo"):
        game.move("Ann", "white.e2-white.e4", push=PAIR)
    pawn = next(option for option in asked.options if option.startswith("pawn"))
    square = pawn.split()[-1]
    game.choose("Cleo", pawn)
    assert on(game, square) == "green N"
    assert waiting_for(game, "move") == ["Ann"]


@pytest.mark.rule("nomic-chess", 204)
def test_g17_declining():
    game = chess()
    turns(game, 6)
    nothing(game, against=("Ben",))
    before = game.state.position
    game.choose("Ben", "none")
    assert game.state.position is before
    assert waiting_for(game, "move") == ["Ann"]


@pytest.mark.rule("nomic-chess", 204)
def test_several_dissenters_choose_in_batting_order():
    game = chess("Ann", "Ben", "Cleo", "Dov", "Eve")
    turns(game, 10)
    game.propose("Ann", nb.enact("Nothing."))
    for name, said in (("Dov", "against"), ("Ben", "against"), ("Ann", "for"), ("Cleo", "for"), ("Eve", "for")):
        game.vote(name, said)
    assert waiting_for(game, "choose") == ["Ben"]
    game.choose("Ben", "none")
    assert waiting_for(game, "choose") == ["Dov"]


@pytest.mark.rule("nomic-chess", 203)
@pytest.mark.rule("nomic-chess", 206)
def test_g19_a_tie_does_not_adopt():
    game = chess("Ann", "Ben", "Cleo", "Dov")
    turns(game, 8)
    proposal = nothing(game, against=("Ann", "Ben"))
    assert proposal.outcome == "defeated"
    assert [(one.player, one.rule) for one in game.pending] == [("Ann", 206)]


@pytest.mark.rule("nomic-chess", 206)
@pytest.mark.parametrize(("kind", "becomes"), [("Q", "R"), ("R", "B"), ("B", "N"), ("N", "P"), ("P", "")])
def test_demotion_goes_one_step_down(kind, becomes):
    game = arrange(chess("Ann", "Ben"), white=f"Ke1 {kind}c3", yellow="Ke1")
    nothing(game, against=("Ben",))
    (asked,) = game.pending
    assert len(asked.options) == 1
    game.choose("Ann", asked.options[0])
    assert on(game, "white.c3") == (f"white {becomes}" if becomes else "")


@pytest.mark.rule("nomic-chess", 206)
def test_only_a_king_left_nothing_is_demoted():
    game = arrange(chess("Ann", "Ben"), white="Ke1", yellow="Ke1")
    nothing(game, against=("Ben",))
    assert waiting_for(game, "move") == ["Ann"]


def test_a_knight_that_becomes_a_pawn_on_the_last_rank_promotes_at_once():
    game = arrange(chess("Ann", "Ben"), white="Ke1 yellow.Na1", yellow="Ke4")
    nothing(game, against=("Ben",))
    game.choose("Ann", "knight of white yellow.a1")
    (asked,) = game.pending
    assert (asked.player, set(asked.options)) == ("Ann", {"Q", "R", "B", "N"})
    game.choose("Ann", "B")
    assert on(game, "yellow.a1") == "white B"


@pytest.mark.rule("nomic-chess", 210)
@pytest.mark.rule("nomic-chess", 218)
def test_g21_players_may_talk():
    game = chess()
    game.say("Cleo", "Let us join against Ann.")
    assert game.latest(1) == ["Cleo says “Let us join against Ann.”"]


@pytest.mark.rule("nomic-chess", 213)
def test_g23_an_army_without_a_legal_move_is_asked_about():
    game = stalemate()
    prompts = {one.prompt for one in game.pending if one.action == "choose"}
    assert len(prompts) == 1
    assert all(number in next(iter(prompts)) for number in ("201", "213", "214"))
    assert not game.over
    for name in game.players:
        game.choose(name, "skip")
    assert game.player == "Ben"


def stalemate(**more):
    """White has no legal move and is not in check."""
    game = arrange(chess("Ann", "Ben", **more), white="Ka1", yellow="Ke1 white.Qb3")
    nothing(game)
    return game


@pytest.mark.rule("nomic-chess", 213)
def test_g23_the_switches():
    assert stalemate(terms={"army.stuck": "skip"}).player == "Ben"
    stuck = stalemate(terms={"army.stuck": "play cannot continue"})
    assert stuck.winner == "Ann"  # the first who could not complete a turn


@pytest.mark.rule("nomic-chess", 214)
def test_g25_the_double_step_is_for_the_second_rank_at_home():
    game = arrange(chess("Ann", "Ben"), white="Ke1 Pa2 Pb3 Pc1 yellow.Ph3", yellow="Ke4")
    nothing(game)
    assert [one.split("-")[1] for one in moves(game, "white.a2")] == ["white.a3", "white.a4"]
    assert [one.split("-")[1] for one in moves(game, "white.b3")] == ["white.b4"]
    assert [one.split("-")[1] for one in moves(game, "white.c1")] == ["white.c2"]
    assert [one.split("-")[1] for one in moves(game, "yellow.h3")] == ["yellow.h2"]


@pytest.mark.rule("nomic-chess", 214)
def test_g25_promotion_on_the_far_rank():
    game = arrange(chess("Ann", "Ben"), white="Ke1 yellow.Ph2", yellow="Ke4")
    nothing(game)
    assert {one.partition("=")[2] for one in moves(game, "yellow.h2")} == {"Q", "R", "B", "N"}
    game.move("Ann", "yellow.h2-yellow.h1=N")
    assert on(game, "yellow.h1") == "white N"


@pytest.mark.rule("nomic-chess", 214)
def test_g25_castling_with_any_partner():
    game = chess()
    by_hand(game, "Ann", 'remove [p for p in army_named("white").pieces if p.kind in ["N", "B", "Q"]]')
    nothing(game)
    short, long = "white.e1-white.g1", "white.e1-white.c1"
    found = moves(game, "white.e1")
    assert {f"white+{other}: {way}" for other in ("yellow", "green") for way in (short, long)} <= set(found)
    game.move("Ann", long, push=("white", "green"))
    assert (on(game, "white.c1"), on(game, "white.d1")) == ("white K", "white R")


@pytest.mark.rule("nomic-chess", 214)
def test_g25_en_passant_until_the_end_of_the_next_armys_turn():
    game = arrange(chess("Ann", "Ben"), white="Ke1 Pe2", yellow="Ka1 white.Pd4")
    nothing(game)
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    nothing(game)
    assert "white+yellow: white.d4-white.e3" in moves(game)
    game.move("Ben", "white.d4-white.e3", push=PAIR)
    assert on(game, "white.e4") == ""
    assert list(game.history.query("kind == 'captured'")["actor"]) == ["Ben"]


@pytest.mark.rule("nomic-chess", 214)
def test_g25_en_passant_is_over_then():
    game = arrange(chess(), white="Ke1 Pe2", yellow="Ka1", green="Ka1 white.Pd4")
    nothing(game)
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    finish(game)
    nothing(game)
    assert "white.d4-white.e3" not in {one.split(": ")[1] for one in moves(game)}


@pytest.mark.rule("nomic-chess", 214)
def test_fide_chess_comes_and_goes_with_its_rule():
    game = chess("Ann", "Ben")
    assert game.why("piece.moves").outcome == "depends"
    proposal = game.propose("Ann", nb.repeal(214))
    ballot(game)
    assert proposal.outcome == "adopted"
    assert "N8" not in game.rules
    assert [one.action for one in game.pending] == ["choose", "choose"]  # nothing says how pieces move


@pytest.mark.rule("nomic-chess", 202)
def test_parts_come_in_order_and_no_move_before_the_vote():
    game = chess()
    with refused(game, "owes-something-else", rule=202, opens="propose"):
        game.move("Ann", "white.e2-white.e4", push=PAIR)
    with refused(game, "turn-of-another", whose="Ann"):
        game.move("Ben", "yellow.e2-yellow.e4", push=PAIR)
    finish(game)
    parts = [event.data["part"] for event in game.timeline.events if event.kind == "part_begun"]
    assert parts[:3] == ["proposal", "moves", "takeover"]


@pytest.mark.rule("nomic-chess", 201)
def test_a_turn_is_not_skipped():
    game = chess()
    with refused(game, "no-skipping", rule=201):
        game.skip("Ann")
    nothing(game)
    with refused(game, "no-skipping", rule=201):
        game.skip("Ann")


@pytest.mark.rule("nomic-chess", 112)
def test_b_the_kind_of_winning_stays():
    game = chess("Ann", "Ben")
    proposal = game.propose("Ann", nb.enact("Ann wins.", law="set win.winners to [item(seats, 1)]"))
    ballot(game)
    assert proposal.outcome == "adopted"
    assert not game.over
    assert game.rules.void_reason(game.rules[301])


@pytest.mark.rule("nomic-chess", 109)
def test_b7_a_majority_does_not_transmute():
    game = chess()
    turns(game, 6)
    proposal = game.propose("Ann", nb.transmute(112))
    ballot(game, against=("Cleo",))
    assert proposal.outcome == "defeated"


@pytest.mark.rule("nomic-chess", 209)
def test_b13_thirteen_more_mutable_rules_fit():
    game = chess("Ann", "Ben")
    assert sum(rule.tier == "mutable" for rule in game.rules) == 22
    assert sum(rule.tier == "immutable" for rule in game.rules) == 16
    for number in range(1, 14):
        assert nothing(game).outcome == "adopted", number
        finish(game)
    assert nothing(game).outcome == "without effect"


@pytest.mark.rule("nomic-chess", 203)
def test_b25_without_203_the_quota_is_asked_for():
    game = chess("Ann", "Ben")
    proposal = game.propose("Ann", nb.repeal(203))
    ballot(game)
    assert proposal.outcome == "adopted"
    finish(game)
    game.propose("Ben", nb.enact("Nothing."))
    assert [one.action for one in game.pending] == ["choose", "choose"]
    assert "vote.quota" in game.pending[0].prompt


@pytest.mark.rule("nomic-chess", 113)
@pytest.mark.rule("nomic-chess", 222)
def test_forfeited_armies_stay_and_the_last_player_wins():
    game = chess()
    game.forfeit("Ben")
    assert on(game, "yellow.d1") == "yellow K"
    finish(game)
    assert game.player == "Cleo"
    game.forfeit("Ann")
    assert game.winner == "Cleo"


def test_names_of_moves():
    game = chess("Ann", "Ben")
    nothing(game)
    game.move("Ann", "e2e4", push=["white", "yellow"])
    assert on(game, "white.e4") == "white P"
    nothing(game)
    game.move("Ben", "e2e3", push=["yellow", "white"])
    assert on(game, "yellow.e3") == "yellow P"
    nothing(game)
    game.move("Ann", "white+yellow: white.d2-white.d4")
    nothing(game)
    with refused(game, "no-piece-on-square", square="yellow.e4"):
        game.move("Ben", "yellow.e4-yellow.e5")
    with refused(game, "move-needs-boards", move="e2e4"):
        game.move("Ben", "e2e4")
    with refused(game, "board-not-there", board="black"):
        game.move("Ben", "yellow.d2-yellow.d4", push=["black", "yellow"])
    with refused(game, "piece-of-another-army", army="white"):
        game.move("Ben", "white.a2-white.a3", push=PAIR)


def test_every_pair_is_offered_once():
    game = chess("Ann", "Ben", "Cleo", "Dov")
    nothing(game)
    pairs = [one.split(":")[0] for one in moves(game)]
    assert {tuple(pair.split("+")) for pair in pairs} <= set(itertools.combinations(game.state.position.boards, 2))
    assert len(moves(game)) == len(set(moves(game))) == 60


def test_a_law_of_a_piece_is_typed_before_the_vote():
    game = chess()
    with refused(game, "movement-extended-atom", column=17) as caught:
        game.propose("Ann", nb.enact("Odd.", law='piece N moves "NX"'))
    assert (caught.value.line, caught.value.column) == (1, 17)
    law(game, 'piece N moves "NF"')
    assert game.why("piece.moves").outcome == "depends"
