"""What a review says of boards: moves gained and lost, kings in check, mates, and what changes at once."""

from functools import cache

import pytest
from board_helpers import arrange, chess, controllers, law, on
from play_helpers import ballot, by_hand, sit
from study.warned import told, warned

import nomic_nb as nb
from nomic_nb.chess.play.events import new_turn_moves
from nomic_nb.notebook.show import show_html
from nomic_nb.study.playouts import play_out
from nomic_nb.study.review.boards.compare import MOST_ARROWS, MOST_PAIRS
from nomic_nb.study.review.review import review_change

LAWS = (
    'piece N moves "NN"',
    'piece P moves "fW" while army.name == "white"\npiece Q moves "K"',
    'piece Z moves "W"\nset promotion.kinds to ["Z"]',
    "set castling.on to false",
    'set capture.result to "convert"',
    'set check.own_on_push to "may stay"\nprevails over 221',
    'set check.enemy_on_push to "nothing"\nprevails over 221',
    'set mate.tested to "after move"',
    'set royal.kinds to ["K", "Q"]',
    'set royal.capture to "capture"',
    "set capture.from to []",
    "set move.count to 1\nprevails over 219",
    'set move.on_push to "staying"\nprevails over 219',
    'set turn.parts to ["proposal", "takeover"]\nprevails over 202',
    "set board.ranks to 5\nprevails over 201",
    'set board.holes to ["white.e4", "yellow.a3"]',
    'set board.wraps to "files"',
    'set join.how to "reflect"',
    'forbid move when piece.kind == "N"',
    "forbid move",
    'on enacted: remove army_named("yellow").pieces',
    'on enacted each p in army_named("white").pieces when p.kind in ["N", "B"]: promote p',
    'on enacted: shift army_named("yellow").pieces by [0, 1]',
    'on enacted: convert army_named("yellow").pieces to army_named("white")',
    "on enacted: grow boards by 1",
    'on enacted: give army_named("yellow") to "Ann"',
    'on enacted: let "Ann" choose piece from army_named("white").pieces; remove piece',
    'track gold per army from 0\non enacted: award 2 gold to army_named("white")\nforbid move when army.gold > 1',
    "",
)


def reviewed(game, change):
    """Review a change, and see that this left the game alone."""
    before = game.state.digest(), len(game.timeline.events)
    found = review_change(game.timeline, game.player, change)
    assert str(found)
    assert show_html(found)
    assert (game.state.digest(), len(game.timeline.events)) == before
    return found


def of(game, clauses):
    return reviewed(game, nb.enact("Something on the boards.", clauses)).on_boards


# ----------------------------------------------------------------------------------------------- moves


def test_gained_and_lost_moves_of_every_army_are_counted_and_the_most_telling_told():
    game = arrange(chess(), white="Ke1 Nb1", yellow="Kd1 Pg2", green="Kd1")
    found = of(game, 'piece N moves "F"')
    white = found.moves[0]
    # On two pairs each: the knight had a3, c3 and d2, and has a2 and c2; the king had five moves and keeps them.
    assert (white.army, white.player, white.before, white.after) == ("white", "Ann", 16, 14)
    assert {one.text for one in white.gained} == {"white.b1-white.a2", "white.b1-white.c2"}
    assert {one.text for one in white.lost} == {f"white.b1-white.{to}" for to in ("a3", "c3", "d2")}
    assert (len(white.gained), len(white.lost)) == (4, 6)
    assert [(one.kind, one.before, one.after, one.gained, one.lost) for one in white.kinds] == [("n", 6, 4, 4, 6)]
    assert [one.has_changed for one in found.moves] == [True, False, False]
    assert [found.moves[0].in_short, found.moves[0].changed_move_lines[0]] == [
        "16 moves → 14 moves: 4 gained, 6 lost (knight +4 −6)",
        "gained: white.b1-white.a2 on white+yellow or white+green; white.b1-white.c2 on white+yellow or white+green",
    ]


def test_captures_come_first_and_what_is_left_out_is_counted():
    game = arrange(chess(), white="Ka1 Nd1", yellow="Kd1 Pe2", green="Kd1")
    white = of(game, 'piece N moves "R"').moves[0]
    assert white.gained[0].text == "white.d1-yellow.e2"
    assert white.gained[0].taken
    assert white.changed_move_lines[0].startswith("gained: white.d1-yellow.e2 on white+yellow; ")
    texts = {one.text for one in white.gained}
    assert white.changed_move_lines[0].endswith(f"and {len(texts) - 6} more")


@pytest.mark.parametrize(("remainder", "after"), [(0, [8, 40, 40]), (1, [40, 8, 8])])
def test_an_army_is_looked_at_with_what_rules_count_as_its_turn_begins(remainder, after):
    """The turn of the first army has begun already."""
    law = "track outings per player from 0\non turn_begun: award 1 outings to player\n"
    law += f'set move.forced to piece.kind == "N" while player.outings % 2 == {remainder}'
    assert [one.after for one in of(chess(), law).moves] == after


def test_moves_that_are_forbidden_are_lost_and_nobody_left_with_one_is_a_warning():
    game = chess()
    found = reviewed(game, nb.enact("Stand still.", "forbid move\nprevails over 202"))
    assert [(one.before, one.after, one.stuck) for one in found.on_boards.moves] == [(40, 0, True)] * 3
    assert warned(found, "army-stuck", armies="white, yellow and green")


@pytest.mark.rule("nomic-chess", 219)
def test_the_moves_of_a_turn_are_told():
    game = arrange(chess(), white="Ke1 yellow.Na1", yellow="Kd1", green="Kd1")
    found = of(game, "set move.count to 1\nprevails over 219")
    assert [one.counts for one in found.moves] == [(2, 1), (1, 1), (1, 1)]
    assert any(one.in_short.endswith("as before; 1 per turn instead of 2") for one in found.moves)


def test_what_changes_no_move_yet_says_when_it_is_looked_up():
    found = of(chess(), "set castling.on to false")
    assert list(found.summary_lines) == [
        "on the boards as they are now, every army keeps its moves: white 40, yellow 40, green 40",
        "it may have an effect later: castling.on applies whenever pieces move",
    ]
    assert found.picture is None


def test_castling_that_is_lost():
    game = chess()
    for square in ("white.f1", "white.g1"):
        by_hand(game, "Ann", f'remove square_named("{square}").piece')
    found = of(game, "set castling.on to false")
    assert {one.text for one in found.moves[0].lost} == {"white.e1-white.g1"}
    assert len(found.moves[0].lost) == 2


def test_nothing_is_said_where_no_board_is_concerned():
    assert of(chess(), "") is None
    assert of(chess(), "set dice.sides to 6") is None
    assert reviewed(chess(), nb.library.simple_majority().change(203)).on_boards is None
    assert reviewed(sit(), nb.repeal(204)).on_boards is None


@pytest.mark.rule("nomic-chess", 214)
def test_movements_that_no_rule_tells_any_more():
    found = reviewed(chess(), nb.repeal(214))
    assert [one.after for one in found.on_boards.moves] == [None] * 3
    ((_, missing),) = told(found, "missing-term")
    assert missing["terms"].startswith("board.wraps; ")
    (doubt,) = [values["doubt"] for code, values in told(found) if code == "moves-undecided"]
    assert doubt.startswith("it is not clear how white, yellow and green can move: no rule says how")
    assert {"piece.moves, for N", "piece.moves, for K"} <= {one.term_and_case for one in found.turned}
    assert found.future.possible


@pytest.mark.rule("nomic-chess", 202)
@pytest.mark.parametrize(
    ("clauses", "code", "values"),
    [
        ('set turn.parts to ["proposal"]\nprevails over 202',
         "action-never-owed", {"action": "move", "parts": "proposal (rule 301)"}),
        ('set move.on_push to "none"\nprevails over 219', "army-stuck", {"armies": "white, yellow and green"}),
    ],
)  # fmt: skip
def test_play_in_which_nobody_moves_any_more_is_a_warning(clauses, code, values):
    found = reviewed(chess(), nb.enact("Peace.", clauses))
    assert warned(found, code, **values)


TERMS = {
    'set army.array to ["RNBQKBNR"]': "army.array, for place 1 or 3: ",
    'piece N of army_named("white") moves "W"': "piece.moves, for white, for N: N (rule N8) → W (rule 301)",
    'piece Z moves "W"': "piece.moves, for Z: no rule says → W (rule 301)",
    'set capture.result to "explode" while piece.kind == "P"':
        "capture.result: remove (rule N10) → remove or something else, depending on piece (rule N10)",
}  # fmt: skip


@pytest.mark.parametrize(("clauses", "said"), TERMS.items())
def test_terms_of_boards_are_told_by_army_kind_and_place(clauses, said):
    found = reviewed(chess(), nb.enact("Terms.", clauses))
    assert any(str(one).startswith(said) for one in found.turned), [str(one) for one in found.turned]
    assert {code for code, _ in told(found, "no-difference")} <= {"piece-unknown", "key-not-looked-up"}


@pytest.mark.rule("nomic-chess", 114)
@pytest.mark.parametrize(
    "clauses",
    [
        'set vote.quota to (2 if square_named("white.e1").piece.kind == "K" else 1)\nprevails over 203',
        'forbid propose when square_named("white.e1").piece.kind == "K"',
        'set vote.weight to count(army_named("white").pieces)\nprevails over 207',
    ],
)
def test_votes_that_hang_on_the_boards_are_still_judged(clauses):
    found = reviewed(chess(), nb.enact("Votes and boards.", clauses))
    assert found.future.possible is True
    assert found.adoption.in_force
    banned = [("nobody-can-propose", {"when": clauses[20:], "rule": 301})] if "forbid" in clauses else []
    assert told(found, "ambiguous") + told(found, "destructive") == banned
    assert len(found.turned) < 5


# -------------------------------------------------------------------------------------- checks and mates


@pytest.mark.rule("nomic-chess", 221)
def test_a_king_comes_into_check_and_would_be_mated_by_a_push():
    game = arrange(chess(), white="Ke1 Ph2", yellow="Ka1 Bd1", green="Ka1")
    change = 'piece B moves "R"'
    found = of(game, change)
    assert [(one.army, one.given, one.pushes) for one in found.checks] == [("white", True, (("white", "yellow"),))]
    assert "the king white.e1 comes into check from the bishop yellow.d1 on white+yellow" in found.summary_lines
    assert [(one.army, one.pushes, one.by, one.rule) for one in found.mates] == [
        ("white", (("white", "yellow"),), ("yellow",), 221)
    ]
    law(game, change)
    game.move("Ann", "white+green: white.h2-white.h3")
    law(game, "")
    game.move("Ben", "white+yellow: yellow.a1-yellow.a2")
    assert controllers(game)["white"] == "Ben"


def test_a_king_comes_out_of_check():
    game = arrange(chess(), white="Ke1", yellow="Ka1 Bd1", green="Ka1")
    law(game, 'piece B moves "R"')
    found = of(game, 'piece B moves "B"\nprevails over everything')
    assert [(one.army, one.given) for one in found.checks] == [("white", False)]
    assert "comes out of check from the bishop yellow.d1" in str(found.checks[0])
    assert not found.mates


@pytest.mark.rule("nomic-chess", 221)
def test_an_army_that_would_be_mated_when_it_is_to_move():
    game = arrange(chess(), white="Ka1", yellow="Kd3 Bh1 Bg1", green="Kd3 Bh1 Bg1")
    change = 'piece B moves "R"'
    found = of(game, change)
    assert [(one.army, one.pushes) for one in found.mates if not one.pushes] == [("white", ())]
    assert "white would be mated when it has to move: in check on all boards, with no way out" in found.summary_lines
    assert not found.stuck_armies
    law(game, change)
    assert any(event.kind == "mated" and event.data["army"] == "white" for event, _ in game.timeline.moments)


def test_an_attack_that_the_law_makes_harmless_mates_nobody():
    game = arrange(chess(), white="Ke1", yellow="Ka1 Bd1", green="Ka1")
    clauses = 'piece B moves "R"\nset check.enemy_on_push to "nothing"\nprevails over 221'
    found = of(game, clauses)
    assert found.checks
    assert not found.mates


# ------------------------------------------------------------------------------------- what changes at once

AT_ONCE = {
    'on enacted: promote army_named("white").pieces to "Q"': "1 knight of white becomes queen: white.b1 (rule 301)",
    'on enacted: demote square_named("yellow.a2").piece': "1 pawn of yellow leaves the boards: yellow.a2 (rule 301)",
    'on enacted: convert square_named("yellow.a2").piece to army_named("white")':
        "1 pawn of yellow goes over to white: yellow.a2 (rule 301)",
    'on enacted: place "R" of army_named("white") at square_named("white.h4")':
        "1 rook of white is placed: white.h4 (rule 301)",
    'on enacted: move square_named("white.b1").piece to square_named("green.h4")':
        "1 knight of white is carried: white.b1 → green.h4 (rule 301)",
    'on enacted each p in army_named("yellow").pieces when p.kind == "P": promote p':
        "2 pawns of yellow become knights: yellow.a2 and yellow.b2 (rule 301)",
    'on enacted: give army_named("yellow") to "Ann"': "army yellow passes from Ben to Ann (rule 301)",
    "on enacted: grow boards by 1": "boards white, yellow and green: 8 files of 4 squares → 8 files of 5 (rule 301)",
    'set board.holes to ["white.e4"]': "board white: e4 is no longer there (rule 301)",
    'set board.wraps to "files"': "boards white, yellow and green: the sides are joined (rule 301)",
    'set join.how to "reflect"': "half-boards are joined by reflect, no longer by rotate (rule 301)",
}  # fmt: skip


@pytest.mark.parametrize(("clauses", "said"), AT_ONCE.items())
def test_what_is_different_at_once_is_told_once_with_its_rule(clauses, said):
    game = arrange(chess(), white="Ke1 Nb1", yellow="Kd1 Pa2 Pb2", green="Kd1")
    found = reviewed(game, nb.enact("At once.", clauses))
    assert said in found.on_boards.summary_lines
    assert not [one for one in found.follows if "piece" in one or "takes over" in one or "joined" in one]


def test_a_choice_that_follows_is_told_and_left_open():
    game = arrange(chess(), white="Ke1 Nb1", yellow="Kd1", green="Kd1")
    clauses = 'on enacted: let "Ann" choose piece from army_named("white").pieces; remove piece'
    found = reviewed(game, nb.enact("Give one.", clauses))
    assert "Ann chooses piece, one of 2 (rule 301); what happens then is not shown" in found.follows
    assert found.on_boards is None


# ------------------------------------------------------------------------------------------- the painting


def test_the_painting_tells_gained_from_lost_by_form_and_is_described():
    game = arrange(chess(), white="Ke1 Nb1", yellow="Ka1 Bd1 Pb2", green="Kd1")
    found = of(game, 'piece N moves "F"\npiece B moves "R"\non enacted: promote square_named("yellow.b2").piece')
    picture = found.picture
    for name in ("move gained: solid arrow", "move lost: dashed line, cross", "king in check then: double ring",
                 "piece changed: dotted frame"):  # fmt: skip
        assert name in picture.svg
    assert "king in check no more" not in picture.svg
    assert picture.svg.count("stroke-dasharray") >= 2
    assert "gained: yellow.d1-white.e2; " in picture.alt
    assert "comes into check from the bishop yellow.d1" in picture.alt
    assert picture.element().get("src").startswith("data:image/svg+xml;base64,")


def test_no_more_is_painted_than_can_be_read():
    armies = dict.fromkeys(("white", "yellow", "green", "orange"), "Kd1 Nb3 Ng3")
    game = arrange(chess("Ann", "Ben", "Cleo", "Dov"), **armies)
    found = of(game, 'piece N moves "Q"')
    assert len(found.pairs) == MOST_PAIRS
    assert {frozenset(one.push.boards) for one in found.pairs} == {
        frozenset(("white", "yellow")), frozenset(("green", "orange"))
    }  # fmt: skip
    for one in found.pairs:
        assert len(one.gained) == len(one.lost) == MOST_ARROWS
        assert {move.army for move in one.gained} == set(one.push.boards)
        assert f"({MOST_ARROWS} drawn)" in one.words


@pytest.mark.parametrize("clauses", LAWS)
@pytest.mark.slow
def test_every_review_is_small(clauses):
    found = of(chess("Ann", "Ben", "Cleo", "Dov"), clauses)
    if found is not None and found.picture is not None:
        assert len(found.picture.to_html()) < 40_000


# ------------------------------------------------------------- nothing changes, and what is foretold happens


@cache
def at_random(seed):
    """A game that several laws are tried in, each in a fork of it."""
    return nb.Game(play_out("nomic-chess", ["Ann", "Ben", "Cleo"][: 2 + seed % 2], seed, turns=2 * seed + 1).timeline)


def open_moves(game):
    return {one for decision in game.pending if decision.action == "move" for one in decision.options}


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
@pytest.mark.parametrize("clauses", LAWS)
@pytest.mark.slow
def test_the_game_stays_as_it_is_and_what_is_foretold_happens(clauses, seed):
    game = at_random(seed).fork()
    if not any(one.action == "propose" for one in game.pending):
        return
    army, change = game.state.current_turn.army, nb.enact("Goes first.", clauses)
    found = reviewed(game, change)
    boards = found.on_boards
    proposal = game.propose(game.player, change)
    ballot(game)
    if proposal.outcome != "adopted" or game.over:
        assert found.votes.passes is not True or found.no_effect_reason or game.over
        return
    after = found.adoption.after
    if not after.waiting:
        assert dict(game.state.position.pieces) == dict(after.position.pieces)
        assert dict(game.state.position.boards) == dict(after.position.boards)
    if boards is None or after.waiting or game.state.questions or game.part != "moves":
        return
    mine = next((one for one in boards.moves if one.army == army), None)
    if mine is None or mine.after is None or game.state.current_turn.army != army:
        return
    # What an army may push depends on where it stood when its turn began, which was before the proposal.
    if game.state.current_turn.march == new_turn_moves(game.state, army, game.player):
        assert len(open_moves(game)) == mine.after


def test_what_was_removed_is_gone_as_foretold():
    game = arrange(chess(), white="Ke1 Nb1", yellow="Kd1", green="Kd1")
    found = of(game, 'on enacted: remove square_named("white.b1").piece')
    assert found.summary_lines[0] == "1 knight of white leaves the boards: white.b1 (rule 301)"
    law(game, 'on enacted: remove square_named("white.b1").piece')
    assert on(game, "white.b1") == ""
