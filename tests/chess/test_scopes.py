"""Rules for one universe, repeals for one, and repeals that are rules of their own."""

import pytest
import refusals
from make_a_rule_helpers import begun, ends, idle, make, moves, name_king, phase, until
from panels.pages import Page
from play_helpers import refused, sit

import nomic_nb as nb
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.functions import tells_pieces_apart
from nomic_nb.engine.law.values import ThingRef
from nomic_nb.notebook.panels import forms

ONE, TWO, THREE = "Zaphod:1", "Zaphod:2", "Zaphod:3"
E4 = 'square_named("Zaphod:1.e4")'
CAMELS = 'piece N moves "C"'


def repeal(game, number, **more):
    """A phase in which a rule is repealed."""
    proposal = game.propose(game.player, nb.repeal(number, **more))
    name_king(game)
    return proposal.number


def at(game, square):
    return multiverse_of(game.state).at(square)


def tail(game, count):
    """So many phases in which a rule without clauses is made."""
    for _ in range(count):
        make(game)


@pytest.mark.rule("make-a-rule", "R1.2", "R1")
def test_a_rule_for_all_ends_the_phase():
    game = begun(3)
    make(game, CAMELS)
    assert game.player == "Ben"
    assert ends(game, f"{ONE}.b8") == {f"{ONE}.a5", f"{ONE}.c5"}
    assert ends(game, f"{THREE}.b1") == {f"{THREE}.a4", f"{THREE}.c4"}


@pytest.mark.rule("make-a-rule", "R1.3", "M2", "D3")
def test_a_rule_for_one_universe_leaves_the_moves_in_the_others():
    game = begun(3)
    number = make(game, CAMELS, universe=ONE)
    assert game.player == "Ann"
    assert not moves(game, ONE)
    with refused(game, "board-not-moved-on-now", board="Zaphod:1", rule="R1"):
        game.move("Ann", f"{ONE}.e2-{ONE}.e4")
    with refused(game, "owes-something-else"):
        game.propose("Ann", nb.enact("And another."))
    assert ends(game, f"{TWO}.b1") == {f"{TWO}.a3", f"{TWO}.c3"}
    phase(game)
    assert game.player == "Ben"
    assert ends(game, f"{ONE}.b8") == {f"{ONE}.a5", f"{ONE}.c5"}
    assert ends(game, f"{THREE}.b1") == {f"{THREE}.a3", f"{THREE}.c3"}
    assert game.rules[number].scope == ONE


@pytest.mark.rule("make-a-rule", "R1.2", "R1.3")
def test_whoever_has_moved_makes_no_rule_in_this_phase():
    game = begun(3)
    game.move("Ann", f"{ONE}.e2-{ONE}.e4")
    for universe in ("", ONE, TWO):
        with refused(game, "not-proposable", rule="R1"):
            game.propose("Ann", nb.enact("So be it.", universe=universe))


@pytest.mark.rule("make-a-rule", "M5")
def test_a_piece_is_under_the_rules_of_where_it_is():
    game = begun(3)
    make(game, CAMELS, universe=ONE)
    phase(game)
    make(game, f'on enacted when rule == this: move square_named("{TWO}.g1").piece to square_named("{ONE}.d4")')
    make(game)
    assert ends(game, f"{ONE}.d4") >= {f"{ONE}.a5", f"{ONE}.g5"}
    assert ends(game, f"{TWO}.a3") == {f"{TWO}.b1", f"{TWO}.b5", f"{TWO}.c4"}


@pytest.mark.rule("make-a-rule", "M2")
def test_a_trigger_answers_to_what_happens_in_its_universe():
    game = begun(3)
    make(game, 'on moved when piece.kind == "P": promote piece to "Q"', universe=ONE)
    phase(game)
    phase(game, f"{ONE}.e7-{ONE}.e5", f"{THREE}.e2-{THREE}.e4")
    assert game.state.position.at(f"{ONE}.e5").kind == "q"
    assert game.state.position.at(f"{THREE}.e4").kind == "p"


@pytest.mark.rule("make-a-rule", "M2")
def test_what_replaces_a_result_does_so_in_its_universe():
    game = begun(2)
    make(game, "instead of captured: convert piece to mover_army", universe=ONE)
    phase(game, f"{ONE}.e7-{ONE}.e5")
    law, state = game.state.law, game.state
    there = {
        name: law.replacing_clauses("captured", state, {"push": (ThingRef("board", name),)}) for name in (ONE, TWO)
    }
    assert [len(there[name]) for name in (ONE, TWO)] == [1, 0]


@pytest.mark.rule("make-a-rule", "M2")
def test_what_a_rule_would_do_elsewhere_is_left_undone_and_recorded():
    game = begun(3)
    law = 'on enacted when rule == this: promote pieces_on_rank(item(boards, 2), 2) to "Q"'
    make(game, law, universe=ONE)
    assert game.state.position.at(f"{TWO}.a2").kind == "p"
    assert any("does nothing on Zaphod:2" in one for one in game.history["what"])


@pytest.mark.rule("make-a-rule", "R1.4", "R2")
def test_a_repeal_is_a_rule_and_repealing_it_brings_nothing_back():
    game = begun(3)
    number = make(game, CAMELS)
    repealed = repeal(game, number)
    assert game.player == "Cleo"
    assert repealed == "P2.1"
    assert "“So be it” is repealed" in game.rules[repealed].wording
    assert game.rules[repealed].author == "Ben"
    assert ends(game, f"{TWO}.b8") == {f"{TWO}.a6", f"{TWO}.c6"}
    repeal(game, repealed)
    assert ends(game, f"{ONE}.b1") == {f"{ONE}.a3", f"{ONE}.c3"}


@pytest.mark.rule("make-a-rule", "R2", "D11", "D12")
def test_a_repeal_stops_what_goes_on_and_undoes_nothing():
    game = begun(3)
    number = make(
        game,
        f'on enacted when rule == this: place "Q" of army_named("white") at square_named("{ONE}.d4")\n'
        'on moved when piece.kind == "P": promote piece to "N"',
    )
    phase(game, f"{ONE}.a7-{ONE}.a6")
    repeal(game, number)
    position = game.state.position
    assert position.at(f"{ONE}.d4").kind == "q"
    assert position.at(f"{ONE}.a6").kind == "n"
    phase(game, f"{ONE}.h2-{ONE}.h3")
    assert game.state.position.at(f"{ONE}.h3").kind == "p"


@pytest.mark.rule("make-a-rule", "R1.5")
def test_a_repeal_for_one_universe():
    game = begun(3)
    number = make(game, CAMELS)
    repeal(game, number, universe=ONE)
    assert game.player == "Ben"
    assert not moves(game, ONE)
    assert ends(game, f"{THREE}.b1") == {f"{THREE}.a4", f"{THREE}.c4"}
    phase(game)
    assert ends(game, f"{TWO}.b8") == {f"{TWO}.a5", f"{TWO}.c5"}
    make(game)
    assert ends(game, f"{ONE}.b1") == {f"{ONE}.a3", f"{ONE}.c3"}
    assert game.rules[number].lifted == (ONE,)
    assert game.rules["P2.1"].scope == ONE
    with refused(game, "rule-not-in-force-there", rule="P1.1", universe="Zaphod:1"):
        game.propose("Ann", nb.repeal(number, universe=ONE))


@pytest.mark.rule("make-a-rule", "R1.5")
def test_a_rule_for_one_universe_is_repealed_there_and_gone():
    game = begun(3)
    number = make(game, CAMELS, universe=ONE)
    phase(game)
    with refused(game, "rule-not-in-force-there", rule="P1.1", universe="Zaphod:3", reach="for Zaphod:1"):
        game.propose("Ben", nb.repeal(number, universe=THREE))
    repeal(game, number, universe=ONE)
    assert number not in [rule.number for rule in game.rules]


@pytest.mark.rule("make-a-rule", "R1.6")
def test_all_rules_made_before_the_turn_before_this_one_are_repealed_together():
    game = begun(3)
    make(game, CAMELS)
    make(game, 'piece B moves "R"')
    tail(game, 1)
    make(game, 'piece R moves "B"')
    tail(game, 2)
    assert game.state.circuit == 3
    with refused(game, "not-proposable", rule="R1"):
        game.propose("Ann", nb.repeal(["P1.1", "P2.1"]))
    with refused(game, "not-proposable", rule="R1"):
        game.propose("Ann", nb.repeal(["P1.1", "P2.1", "P3.1", "P1.2"]))
    repeal(game, ["P1.1", "P2.1", "P3.1"])
    assert {rule.number for rule in game.rules if rule.tier == "rule"} == {"P1.2", "P2.2", "P3.2", "P1.3"}
    assert game.player == "Ben"
    assert ends(game, f"{ONE}.b8") == {f"{ONE}.a6", f"{ONE}.c6"}


@pytest.mark.rule("make-a-rule", "R1.7")
def test_the_same_for_one_universe():
    game = begun(3)
    make(game, CAMELS)
    tail(game, 5)
    repeal(game, ["P1.1", "P2.1", "P3.1"], universe=ONE)
    assert game.player == "Ann"
    assert not moves(game, ONE)
    assert ends(game, f"{TWO}.b1") == {f"{TWO}.a4", f"{TWO}.c4"}
    phase(game)
    assert ends(game, f"{ONE}.b8") == {f"{ONE}.a6", f"{ONE}.c6"}


@pytest.mark.rule("make-a-rule", "R1.4", "D2")
def test_what_is_no_rule_of_a_player_is_neither_repealed_nor_amended():
    game = begun(3)
    number = make(game, CAMELS)
    for change in (nb.repeal("R1"), nb.repeal("K1"), nb.amend(number, "Otherwise."), nb.transmute(number)):
        with refused(game, "not-proposable"):
            game.propose("Ben", change)


@pytest.mark.rule("make-a-rule", "D3", "C4")
def test_rules_are_numbered_by_maker_and_turn():
    game = begun(3)
    assert [make(game), make(game), make(game), make(game)] == ["P1.1", "P2.1", "P3.1", "P1.2"]
    until(game, "Ann")
    assert make(game) == "P1.3"
    assert game.rules["P2.1"].author == "Ben"
    assert game.rules["P1.3"].turn == 7


@pytest.mark.rule("make-a-rule", "D3")
def test_no_two_rules_have_one_label_when_players_leave_or_make_more_than_one():
    game = begun(3)
    make(game)
    make(game)
    make(game)
    game.forfeit("Ann")
    make(game, "on adopted when proponent.name == \"Cleo\" and count(p for p in proposals if p.turn == turn) == 1:\n"
               "    oblige proponent to propose")  # fmt: skip
    assert [game.propose("Cleo", nb.enact("So be it.")).number for _ in range(2)] == ["P3.2", "P3.2.2"]
    assert game.player == "Ben"


@pytest.mark.rule("make-a-rule", "M2")
@pytest.mark.parametrize(
    "effect", ["end turn", "end play", "eliminate player", "when circuit > 2: end part", "after 3 turns: end turn"]
)
def test_a_rule_for_a_universe_does_nothing_that_is_felt_in_all(effect):
    game = begun(3)
    with refused(game, "felt-in-all-universes", universe="Zaphod:1", by=" (rule M2)"):
        game.propose("Ann", nb.enact("Enough.", f"on turn_begun: {effect}", universe=ONE))
    alone = begun(2)
    make(alone, f"on turn_ended: {effect}", universe=ONE)  # there is no other universe


@pytest.mark.rule("make-a-rule", "D3")
def test_no_two_rules_have_one_label_where_somebody_makes_them_in_phases_of_others():
    game = begun(3)
    make(game, "on turn_begun: oblige item([p for p in playing if p != player], 1) to propose")
    made = [game.propose(one.player, nb.enact("So be it.")).number for one in owing(game, 6)]
    assert made == ["P1.1.2", "P2.1", "P1.1.3", "P3.1", "P2.2", "P1.2"]


def owing(game, count):
    """So many times, who is to propose next."""
    for _ in range(count):
        name_king(game)
        yield next(one for one in game.pending if one.action == "propose")


@pytest.mark.rule("make-a-rule", "R3", "D1")
def test_the_later_rule_goes_first_and_rules_go_before_chess():
    game = begun(3)
    make(game, 'forbid move when piece.kind == "N"')
    assert not ends(game, f"{ONE}.b8")
    make(game, 'allow move when piece.kind == "N"')
    assert ends(game, f"{TWO}.b8") == {f"{TWO}.a6", f"{TWO}.c6"}
    make(game, CAMELS)
    make(game, 'piece N moves "N"', universe=TWO)
    phase(game)
    assert ends(game, f"{ONE}.b8") == {f"{ONE}.a5", f"{ONE}.c5"}
    until(game, "Cleo")
    assert ends(game, f"{TWO}.b8") == {f"{TWO}.a6", f"{TWO}.c6"}


@pytest.mark.rule("make-a-rule", "R13", "R16", "M4")
@pytest.mark.parametrize(
    "law", ["set win.winners to playing", 'set royal.capture to "never"', 'set turn.parts to ["move"]']
)
def test_a_rule_against_a_meta_rule_is_void(law):
    game = begun(3)
    number = make(game, law)
    assert any(rule.number == number for rule in game.rules)
    assert game.state.rules.by_number[number].id in game.state.rules.void
    assert not game.over


@pytest.mark.parametrize(
    ("change", "code", "found"),
    [
        (nb.enact("Far.", universe="Zaphod:9"), "no-such-universe-for-rules", "'Zaphod:9'"),
        (
            nb.enact("Order.", law="set turn.sequence to reversed(seats)", universe=ONE),
            "term-same-everywhere",
            "turn.sequence",
        ),
        (nb.enact("Few.", law="require count(rules) < 100", universe=ONE), "holds-everywhere-or-nowhere", "require"),
        (
            nb.enact("There.", law=f'on moved: remove square_named("{TWO}.a2").piece', universe=ONE),
            "reaches-into-another-universe",
            TWO,
        ),
        (
            nb.enact("Never.", law=f'forbid move when target == square_named("{TWO}.e4")', universe=ONE),
            "reaches-into-another-universe",
            f"'{TWO}.e4'",
        ),
        (nb.repeal("P1.1", universe="Zaphod:9"), "no-such-universe-for-rules", "'Zaphod:9'"),
    ],
)
def test_what_cannot_be_for_one_universe(change, code, found):
    game = begun(3)
    make(game, CAMELS)
    with refused(game, code, found=found):
        game.propose("Ben", change)


@pytest.mark.parametrize(
    "law",
    [
        'piece N of army_named("orange") moves "NC"',
        'forbid move when army.name == "orange"',
        'set castling.on to false while army in [army_named("white"), army_named("orange")]',
        'on turn_ended: remove army_named("orange").pieces',
    ],
)
def test_a_rule_for_a_universe_is_for_the_armies_there(law):
    game = begun(3)
    with refused(
        game,
        "army-of-another-universe",
        universe="Zaphod:1",
        by=" (rule M2)",
        found="'orange'",
        expected="white or green, or a rule for all",
    ):
        game.propose("Ann", nb.enact("Strangers.", law, universe=ONE))
    make(game, law)  # for all universes
    make(game, law.replace('army_named("white"), ', ""), universe=THREE)  # for the one where orange is


@pytest.mark.rule("make-a-rule", "M2")
@pytest.mark.parametrize(
    ("universe", "meant"),
    [
        ("zaphod:1", ONE),
        (" ZAPHOD:2 ", TWO),
        ("universe 1", f"{ONE}, {TWO} or {THREE}"),
        ("Zaphod:4", f"{ONE}, {TWO} or {THREE}"),
        ("everywhere", f"{ONE}, {TWO} or {THREE}"),
        (f"{ONE}.e4", f"{ONE}, {TWO} or {THREE}"),
    ],
)
def test_a_scope_that_names_no_universe_is_told_the_rule_and_what_would_be_right(universe, meant):
    game = begun(3)
    with refused(
        game, "no-such-universe-for-rules", by=" (rule M2)", found=repr(universe), expected=f"{meant}, or no name"
    ):
        game.propose("Ann", nb.enact("Here.", CAMELS, universe=universe))
    sent = {"kind": "enact", "wording": "Here.", "law": CAMELS, "universe": universe}
    told = Page(game, "Ann").send({"id": "1", "ask": "change", "details": {"change": sent}})
    assert "(rule M2)" in told["law"]["message"], "what a form sends is refused with the same words"


@pytest.mark.rule("make-a-rule", "M2")
@pytest.mark.parametrize(
    "law",
    [
        f'piece N moves "NK" while board.name == "{TWO}"',
        f'forbid move when piece.board == board_named("{TWO}")',
        f'set castling.on to false while any(one.board.name == "{TWO}" for one in army.pieces)',
        f'on moved when piece.square in [square_named("{TWO}.e4")]: promote piece to "N"',
        f'on turn_begun each p in board_named("{TWO}").pieces: promote p to "Q"',
        f'on turn_begun each b in boards when b.name == "{TWO}": promote b.pieces to "Q"',
        f'on turn_begun: each p in pieces_of(player) when p in board_named("{TWO}").pieces: promote p to "Q"',
        f'on turn_begun each p in pieces_of(player) when p.board.name != "{ONE}": promote p to "Q"',
        f'forbid move when not piece.board.name in ["{TWO}"]',
    ],
)
def test_a_clause_that_is_about_another_universe_is_refused(law):
    game = begun(3)
    with refused(game, "reaches-into-another-universe", by=" (rule M2)", found=f"!= {ONE}" if "!=" in law else TWO):
        game.propose("Ann", nb.enact("There.", law, universe=ONE))


@pytest.mark.rule("make-a-rule", "M2")
def test_a_rule_for_one_universe_can_look_elsewhere_and_the_ledger_tells_what_it_leaves_undone():
    game = begun(3)
    law = (
        f'forbid move when square_named("{TWO}.e4").piece != none and target != square_named("{ONE}.a6")\n'
        'on turn_ended: promote [p for p in pieces_of(player) if p.kind == "B"] to "N"'
    )
    number = make(game, law, universe=ONE)
    phase(game, f"{TWO}.e2-{TWO}.e4")
    assert ends(game, f"{ONE}.a7") == {f"{ONE}.a6"}
    assert f"rule {number} is for {ONE}, so it does nothing on {TWO}" in list(game.history["what"])
    assert [at(game, f"{one}.c1").kind.upper() for one in (ONE, TWO)] == ["N", "B"]


def test_a_rule_for_a_universe_can_bring_in_pieces_of_another_army():
    game = begun(3)
    idle(game)
    law = f'on enacted when rule == this: place "N" of army_named("orange") at square_named("{ONE}.e4")'
    make(game, law, universe=ONE)
    assert multiverse_of(game.state).at(f"{ONE}.e4").army == "orange"
    phase(game)
    make(game, 'piece N of army_named("orange") moves "NC"', universe=ONE)  # it is there now


@pytest.mark.parametrize("universe", ["", ONE])
@pytest.mark.parametrize(
    ("law", "code"),
    [
        ("set castling.on to false while 1 == 2", "never-so"),
        ("on moved when false: remove piece", "never-so"),
        ('piece N moves "C" while 3 < 1', "never-so"),
        ("set castling.on to false while circuit > 1 and not (1 == 1 or circuit > 2)", "never-so"),
        ("on moved: (when circuit > 1 and false: remove piece)", "never-so"),
        ("piece N moves otherwise", "holds-anyway"),
        ('piece X moves "N"', "kind-of-nobody"),
    ],
)
def test_a_rule_without_effect_anywhere_is_refused_with_its_line(law, code, universe):
    game = begun(3)
    with refused(game, code, found="'", expected="or no clauses"):
        game.propose("Ann", nb.enact("Nothing.", law, universe=universe))
    make(game, f"{law}\nset castling.on to false")  # something of it holds


@pytest.mark.parametrize(
    "law",
    [
        f'on enacted when rule == this: place "X" of army_named("white") at {E4}',
        'set promotion.kinds to ["X", "Q"]',
        f'offer "more": let player choose kind from any text; place kind of army_named("white") at {E4}',
        'draft later: "Later."\n  set promotion.kinds to ["X"]',
        'piece N moves moves_of(army, "X")',
    ],
)
def test_a_kind_that_there_is_not_yet_can_be_said_to_move_where_a_rule_can_bring_it(law):
    make(begun(2), f'piece X moves "N"\n{law}')


def test_to_put_nothing_in_place_of_something_is_an_effect():
    make(begun(2), 'instead of captured when piece.kind == "P": (when 1 == 2: remove piece)')


def test_a_move_where_one_has_moved_names_the_universe_and_the_moves_that_are_left():
    game = begun(3)
    game.move("Ann", f"{ONE}.a2-{ONE}.a3")
    for again in (f"{ONE}.b2-{ONE}.b3", f"{ONE}.a2-{ONE}.a3", f"{ONE.upper()}.A3-{ONE}.a4"):
        with refused(game, "board-moved-on-already", board="Zaphod:1", rule="K1"):
            game.move("Ann", again)
    assert {one.partition(".")[0] for one in moves(game)} == {TWO}
    with refused(game, "no-such-board", board="Zaphod:7"):
        game.move("Ann", "Zaphod:7.b2-Zaphod:7.b3")
    with refused(game, "not-a-move", how="such as Zaphod:1.e2-Zaphod:1.e4"):
        game.move("Ann", "b2-b3")
    with refused(game, "piece-of-another-army", army="orange", armies="white or yellow"):
        game.move("Ann", f"{THREE}.d2-{THREE}.d4")


def test_changes_that_make_no_sense():
    with refusals.refused("repealed-twice-or-too-many"):
        nb.repeal([301, 301])
    with refusals.refused("repeal-without-rule", found="empty list"):
        nb.repeal([])
    with refusals.refused("whole-rules-only"):
        nb.repeal([301, 302], part=1)
    with refusals.refused("universe-misplaced"):
        nb.repeal(301, part=1, universe=ONE)


def test_where_there_are_no_universes_a_rule_is_for_none():
    game = sit()
    with refused(game, "no-such-universe-for-rules", expected="this game has no universes"):
        game.propose(game.player, nb.enact("Here.", universe=ONE))


def test_records_with_scopes_load_to_the_same_state(tmp_path):
    game = begun(3)
    make(game, CAMELS)
    repeal(game, "P1.1", universe=ONE)
    phase(game)
    make(game, 'piece B moves "R"', universe=TWO)
    phase(game)
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert again.state.digest() == game.state.digest()
    assert again.rules["P1.1"].lifted == (ONE,)
    idle(again)


def test_law_book_frame_and_rule_say_where_a_rule_holds():
    game = begun(3)
    make(game, CAMELS, title="Camels", universe=ONE)
    phase(game)
    make(game, 'piece B moves "R"', title="Bishops")
    repeal(game, "P2.1", universe=TWO)
    assert f"for {ONE}" in str(game.rules["P1.1"])
    assert f"repealed for {TWO}" in str(game.rules["P2.1"])
    for page in (game.to_html(), game.law_book()):
        assert f"for {ONE}" in page
        assert f"repealed for {TWO}" in page
    assert game.rules.frame.loc["P1.1", "scope"] == ONE


def test_a_change_from_a_browser_keeps_where_it_is_for():
    for change in (nb.enact("Camels.", CAMELS, "Camels", universe=ONE), nb.repeal(["P1.1", "P2.1"], universe=ONE)):
        assert forms.read_change_data(change.to_json()) == change


def test_only_a_rule_that_looks_at_pieces_tells_those_of_a_kind_apart():
    game = begun(2)
    make(game, CAMELS, universe=ONE)
    assert not tells_pieces_apart(game.state.law)
    make(game, 'piece N moves "C" while square.rank > 2')
    assert tells_pieces_apart(game.state.law)
