"""Make-A-Rule Chess, scenario by scenario: what is done, and exactly what comes of it.

Of the scenarios of its library, those on moves by lot, spaghetti, manicotti and published figures are tested there
(`tests/study/library/test_make_a_rule_library.py`).
"""

import pytest
import refusals
from make_a_rule_helpers import agreed, begun, idle, make, moves, multiverse, phase
from play_helpers import refused

import nomic_nb as nb

ONE = "Zaphod:1"
PAWNS = "4k3/ppppppp1/8/8/8/8/PPPPPPPP/4K3"


def set_up(fen, mover="Ann"):
    """A game of two on one board, under all meta-rules."""
    game = multiverse(2, restricted=True, position=f"{fen} w - - 0 1")
    if game.player != mover:
        make(game)
    return game


def propose(game, law, wording="So be it."):
    return game.propose(game.player, nb.enact(wording, law=law))


@pytest.mark.rule("make-a-rule", "D6", "M3")
@pytest.mark.parametrize(("players", "universes"), [(2, 1), (3, 3), (4, 6), (5, 10), (6, 15)])
def test_h1_universes_armies_and_dummies(players, universes):
    game = multiverse(players)
    assert len(game.state.position.boards) == universes
    assert len(game.state.position.armies) == 2 * universes
    kings = [one for one in game.state.position.pieces.values() if one.kind == "k"]
    for name in game.players:
        own = [one for one in kings if game.state.position.armies[one.army].controller == name]
        assert len(own) == 1 + players - 2, "one is real, and the others are dummies"


@pytest.mark.rule("make-a-rule", "R1.2", "R1.3")
def test_h3_after_a_rule_nothing_moves_where_it_holds():
    game = begun(3)
    game.propose("Ann", nb.enact("So be it."))
    with refused(game, "turn-of-another"):
        game.move("Ann", f"{ONE}.e2-{ONE}.e4")
    game = begun(3)
    game.propose("Ann", nb.enact("So be it.", universe=ONE))
    with refused(game, "board-not-moved-on-now"):
        game.move("Ann", f"{ONE}.e2-{ONE}.e4")
    game.move("Ann", "Zaphod:2.e2-Zaphod:2.e4")
    assert game.player == "Ben"


def binding(game, label, other):
    """In which phases, of turn and player, a rule on knights is in force, from the fifth turn on."""
    seen = []
    while game.circuit < 7:
        rule = game.why("piece.moves", kind="N", army="white").rule
        seen.append((game.circuit, game.player, rule == label))
        if (game.circuit, game.player) == (5, "Ben"):
            other(game)
        else:
            make(game)
    return seen


@pytest.mark.rule("make-a-rule", "R6", "R2")
def test_h5_a_repeal_at_once_works_after_the_next_phase_of_the_maker():
    game = begun(2, kept=("R6",))
    idle(game, 4)
    label = make(game, 'piece N moves "C"')
    seen = binding(game, label, lambda game: game.propose("Ben", nb.repeal(label)))
    assert seen == [(5, "Ben", True), (6, "Ann", True), (6, "Ben", False)]


@pytest.mark.rule("make-a-rule", "R6", "R3")
def test_h7_a_contrary_rule_works_as_late():
    game = begun(2, kept=("R6",))
    idle(game, 4)
    label = make(game, 'piece N moves "C"\npiece R moves "W"')
    seen = binding(game, label, lambda game: make(game, 'piece N moves "K"'))
    assert seen == [(5, "Ben", True), (6, "Ann", True), (6, "Ben", False)]
    assert game.why("piece.moves", kind="R", army="white").rule == label, "only the part that it overrides"


@pytest.mark.rule("make-a-rule", "R12")
def test_h9_no_rule_gives_check_by_itself():
    law = 'piece R moves otherwise + "B"'
    with refused(
        game := set_up("4k2r/8/8/8/R7/8/8/4K3"),
        "not-proposable",
        evidence="Zaphod:1.a4 attacks the king of yellow",
        rule="R12",
    ):
        propose(game, law)
    assert propose(set_up("4k2r/3p4/8/8/R7/8/8/4K3"), law).outcome == "adopted"


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize(
    ("mover", "law", "taken"),
    [
        ("Ann", "stronger", False), ("Ben", "stronger", True), ("Ben", "weaker", False), ("Ann", "weaker", True),
    ],
)  # fmt: skip
def test_h11_eight_pawns_against_seven(mover, law, taken):
    law = 'piece P moves otherwise + "mW"' if law == "stronger" else 'piece P moves "mfWcfF"'
    game = set_up(PAWNS, mover)
    if taken:
        assert propose(game, law).outcome == "adopted"
    else:
        with refused(game, "not-proposable", evidence="pawns (Ann 8, Ben 7)", rule="R8"):
            propose(game, law)
    even = set_up(PAWNS.replace("ppppppp1", "pppppppp"), mover)
    assert propose(even, law).outcome == "adopted"


@pytest.mark.rule("make-a-rule", "R9")
def test_h13_queens_alone_where_one_has_none():
    """R9 by itself: R5 would see as well that kings which never move cannot be captured."""
    game = multiverse(2, kept=("R9",), position="4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")
    with refused(
        game, "not-proposable", evidence="no kind of piece that every army in Zaphod:1 has (K) can move", rule="R9"
    ):
        propose(game, 'forbid move when piece.kind != "Q"')
    assert propose(game, 'forbid move when piece.kind != "K"').outcome == "adopted"


@pytest.mark.rule("make-a-rule", "R11")
def test_h15_pieces_go_in_the_seventh_turn_and_not_in_the_fifth():
    game = begun(2, restricted=True)
    idle(game, 4)
    removed = '[p for p in pieces_on_rank(board_named("Zaphod:1"), {}) if p.square.file == 8]'
    now = "; ".join(f"remove {removed.format(rank)}" for rank in (2, 7))
    with refused(
        game,
        "not-proposable",
        evidence="at once it removes the pawn of white Zaphod:1.h2 and the pawn of yellow",
        rule="R11",
    ):
        propose(game, f"on enacted when rule == this: {now}")
    assert game.circuit == 5
    later = "; ".join(f"after 2 * count(playing) turns: remove {removed.format(rank)}" for rank in (2, 7))
    agreed(game, f"on enacted when rule == this: {later}")
    seen = {}
    while game.circuit < 8:
        seen[game.circuit, game.player] = game.state.position.at(f"{ONE}.h7") is not None
        make(game)
    assert [where for where, there in seen.items() if there][-1] == (6, "Ben")
    assert not seen[7, "Ann"]


@pytest.mark.rule("make-a-rule", "D11", "R2")
def test_h17_what_a_rule_made_stays_once_it_is_repealed():
    game = set_up("4k3/p7/8/8/8/8/P7/4K3")
    idle(game, 2)
    made = agreed(game, f'on enacted when rule == this: place "Q" of army_named("white") at square_named("{ONE}.d4")')
    assert (made, game.circuit) == ("P1.3", 3)
    while (game.player, game.circuit) != ("Ann", 6):
        make(game)
    game.propose("Ann", nb.repeal("P1.3"))
    assert "P1.3" not in game.rules
    assert game.state.position.at(f"{ONE}.d4").kind == "q"


@pytest.mark.rule("make-a-rule", "R14", "D4")
@pytest.mark.parametrize("last", ["for", "against"])
def test_h19_a_change_of_the_meta_rules_takes_all_others(last):
    game = begun(4, restricted=True)
    idle(game, 2)
    assert (game.player, game.circuit) == ("Ann", 3)
    game.propose("Ann", nb.enact("Whoever makes a rule says what it is for.", standing="amendment"))
    make(game)
    for name, ballot in (("Ben", "for"), ("Cleo", "for"), ("Dov", last)):
        assert game.player == name
        with refused(game, "may-not-vote"):
            game.vote("Ann", "for")
        assert "A1" not in game.rules
        game.vote(name, ballot)
        if name != "Dov":
            make(game)
    assert ("A1" in game.rules) == (last == "for")
    proposal = game.proposals["PA1.3"]
    assert proposal.outcome == ("adopted" if last == "for" else "defeated")
    assert "Ann" not in game.ballots.query("proposal == 'PA1.3'")["voter"].tolist()


@pytest.mark.rule("make-a-rule", "C5")
def test_h29_a_definition_takes_no_action():
    game = begun(2, restricted=True)
    before = [(one.player, one.action) for one in game.pending], game.turn
    game.define("Ann", "far", "more than five squares away")
    assert ([(one.player, one.action) for one in game.pending], game.turn) == before
    phase(game, moves(game)[0])
    assert game.player == "Ben"


@pytest.mark.rule("make-a-rule", "R4")
def test_h31_nothing_undoes_an_earlier_capture():
    game = set_up("4k3/8/8/3p4/4P3/8/8/4K3")
    game.move("Ann", f"{ONE}.e4-{ONE}.d5")
    law = f'on enacted when rule == this: place "P" of army_named("yellow") at square_named("{ONE}.c6")'
    wording = "The capture of the pawn is undone."
    with refusals.refused("permission-open-and-asked", question="as if it had held before"):
        propose(game, law, wording)
    assert [one.player for one in game.pending if one.must] == ["Ann"], "the maker is not asked"
    game.choose("Ann", "false")
    with refused(game, "not-proposable"):
        propose(game, law, wording)
