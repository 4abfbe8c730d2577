"""Make-A-Rule Chess: kings that come later, whoever is left without one, and who is brought in."""

import pytest
import refusals
from make_a_rule_helpers import begun, make, moves, multiverse, phase
from play_helpers import refused

import nomic_nb as nb

ONE = "Zaphod:1"
NOW = "on enacted when rule == this: "
ANN = 'player_named("Ann")'


def of(game, player):
    """The pieces of a player."""
    position = game.state.position
    return [one for one in position.pieces.values() if position.armies[one.army].controller == player]


def royals(game, player):
    """The squares of the kings of a player that are no dummies."""
    position = game.state.position
    kings = (one for one in of(game, player) if one.royal or (one.royal is None and one.kind == "k"))
    return [position.name(one.board, one.square) for one in kings]


def rules_until(game, player):
    """Phases in which nothing moves go by until it is somebody's."""
    while game.player != player:
        make(game)


def king_taken(law="", count=3):
    """A game with a rule by Ann, whose real king Ben then captures."""
    game = begun(count)
    make(game, law)
    make(game, f'{NOW}remove square_named("{ONE}.e2").piece; '
               f'move square_named("{ONE}.d8").piece to square_named("{ONE}.e3")')  # fmt: skip
    rules_until(game, "Ben")
    game.move("Ben", f"{ONE}.e3-{ONE}.e1")
    assert "Ann" not in game.state.names_of_players
    return game


# ------------------------------------------------------------------------------------------- dummies


@pytest.mark.rule("make-a-rule", "M3")
@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize(
    "law",
    [
        f'place "K" of army_named("white") at square_named("{ONE}.e4")',
        f'promote square_named("{ONE}.d1").piece to "K"',
        f'convert square_named("{ONE}.e8").piece to army_named("white")',
    ],
)
def test_a_king_that_comes_later_is_a_dummy(law, count):
    game = begun(count)
    make(game, NOW + law)
    assert royals(game, "Ann") == [f"{ONE}.e1"]


@pytest.mark.rule("make-a-rule", "M3", "D6")
def test_armies_that_come_later_have_dummies_and_nobody_names_a_king_anew():
    game = begun(3)
    make(game, NOW + "; ".join(
        f'enter army next_colour() for player_named("{name}") on "Zaphod:4"' for name in ("Ann", "Ben")
    ))  # fmt: skip
    make(game, f'{NOW}give army_named("orange") to {ANN}')
    rules_until(game, "Ann")
    assert royals(game, "Ann") == [f"{ONE}.e1"]
    assert not [one for one in game.pending if one.action == "choose"]


@pytest.mark.rule("make-a-rule", "D6", "R16")
@pytest.mark.parametrize("where", [' on "Zaphod:4"', ""])
def test_nobody_has_a_universe_alone(where):
    game = begun(3, restricted=True)
    with refused(game, "not-proposable", evidence="a universe is of two players", rule="R16"):
        game.propose("Ann", nb.enact("Mine.", law=f'{NOW}enter army "azure" for {ANN}{where}'))


@pytest.mark.rule("make-a-rule", "D6", "R16")
def test_whether_somebody_would_have_one_alone_later_others_judge():
    game = begun(3, restricted=True)
    with refusals.refused("permission-open-and-asked", question="would have a universe alone"):
        game.propose("Ann", nb.enact("Mine.", law='on captured: enter army next_colour() for player on "Zaphod:4"'))


@pytest.mark.rule("make-a-rule", "M3")
def test_a_pawn_that_becomes_a_king_is_a_dummy():
    game = multiverse(2, position="4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    make(game, 'set promotion.kinds to ["Q", "K"]')
    make(game)
    game.move("Ann", f"{ONE}.a7-{ONE}.a8=K")
    assert [one.kind for one in of(game, "Ann")] == ["k", "k"]
    assert royals(game, "Ann") == [f"{ONE}.e1"]


# --------------------------------------------------------------------------------- without a real king


@pytest.mark.rule("make-a-rule", "M4")
@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize(
    "what", [f"remove royals_of({ANN})", f"convert royals_of({ANN}) to item(armies, count(armies))"]
)
def test_whoever_has_no_real_king_is_out_when_the_phase_is_over(what, count):
    game = begun(count)
    make(game, f'on turn_begun when player.name == "Ben": {what}')
    assert "Ann" in game.state.names_of_players
    make(game)
    assert "Ann" not in game.state.names_of_players
    assert not of(game, "Ann")
    assert game.winner == ("Ben" if count == 2 else None)


@pytest.mark.rule("make-a-rule", "R5")
@pytest.mark.parametrize(
    "law",
    [
        f"{NOW}remove royals", f'{NOW}promote royals to "Q"', f"{NOW}give armies to {ANN}", "set royal.kinds to []",
        f'{NOW}enter player "Zoe" as person', f'{NOW}enter player "Zoe" as dummy',
    ],
)  # fmt: skip
def test_no_rule_leaves_or_brings_in_anybody_without_a_king(law):
    game = begun(2, restricted=True)
    with refused(game, "not-proposable", evidence="whoever takes part has a real king", rule="R5"):
        game.propose("Ann", nb.enact("Kings go.", law=law))


@pytest.mark.rule("make-a-rule", "R5")
@pytest.mark.parametrize("law", [f"{NOW}after 6 turns: remove royals", "on turn_begun when turn > 7: remove royals"])
def test_no_rule_takes_kings_off_the_boards_by_and_by(law):
    game = begun(2, restricted=True)
    with refused(game, "not-proposable", evidence="a king is lost by capture", rule="R5"):
        game.propose("Ann", nb.enact("Kings go.", law=law))


@pytest.mark.rule("make-a-rule", "R13")
@pytest.mark.parametrize(
    "law",
    [
        "on eliminated: enter player player.name as person", 'offer "back": enter player "Ann" as person',
        "on turn_begun each p in players when not p.playing: enter player p.name as person",
    ],
)  # fmt: skip
def test_whether_whoever_is_out_comes_back_others_judge(law):
    game = begun(2, restricted=True)
    with refusals.refused("permission-open-and-asked", question="whether it changes the aim"):
        game.propose("Ann", nb.enact("Back.", law=law))


@pytest.mark.rule("make-a-rule", "R14", "R16", "D9")
def test_who_is_brought_in_has_phases_and_votes_and_a_dummy_player_has_not(tmp_path):
    game = begun(2, kept=("R14",))
    make(game, f'{NOW}enter player "Zoe" as person; enter player "Rex" as dummy; '
               f'enter army "azure" for player_named("Zoe") on "{ONE}"; '
               f'enter army "pink" for player_named("Rex") on "{ONE}"; '
               f'place "K" of army_named("azure") at square_named("{ONE}.a4"); '
               f'place "K" of army_named("pink") at square_named("{ONE}.h5")')  # fmt: skip
    game.save(tmp_path / "game.jsonl")
    game = nb.load(tmp_path / "game.jsonl")
    rules_until(game, "Zoe")
    assert moves(game, f"{ONE}.a4")
    make(game)
    assert (game.player, royals(game, "Zoe")) == ("Ann", [f"{ONE}.a4"])
    game.propose("Ann", nb.enact("All are kind.", standing="amendment"))
    for name in ("Ben", "Zoe"):
        make(game)
        game.vote(name, "for")
    assert "A1" in game.rules


@pytest.mark.rule("make-a-rule", "R16")
def test_a_dummy_that_is_brought_in_is_not_asked_what_breaks_a_rule():
    game = begun(2, kept=("R16",))
    make(game, f'{NOW}enter player "Rex" as dummy; enter army "pink" for player_named("Rex") on "{ONE}"; '
               f'place "K" of army_named("pink") at square_named("{ONE}.h5")')  # fmt: skip
    game.take("Ben", "challenge a rule")
    game.choose("Ben", "rule P1.1")
    asked = [one for one in game.pending if one.action == "choose"]
    assert [(one.player, one.options) for one in asked] == [("Ann", ("P1.1 may stand", "P1.1 breaks a meta-rule"))]


# ------------------------------------------------------------------------------ pieces of the beaten


@pytest.mark.rule("make-a-rule", "M4")
@pytest.mark.parametrize(
    ("law", "left", "taken"),
    [
        ("", 0, 0),
        ('set royal.lost to "stay"', 30, 0),
        ("on captured when piece.royal: give armies_of(captured_from.controller) to player", 0, 30),
        ("on captured when piece.royal: convert pieces_of(captured_from.controller) to mover_army", 0, 30),
        ("on eliminated: convert pieces_of(player) to item(armies_of(mover), 1)", 0, 30),
    ],
)
def test_rules_say_what_becomes_of_the_pieces_of_whoever_lost_the_king(law, left, taken):
    game = king_taken(law)
    assert (len(of(game, "Ann")), len(of(game, "Ben"))) == (left, 32 + taken)
    assert len(royals(game, "Ben")) == 1
    game.forfeit("Cleo")
    assert game.winner == "Ben"


@pytest.mark.rule("make-a-rule", "M2")
def test_what_becomes_of_them_is_the_same_in_all_universes():
    game = multiverse(3, restricted=True)
    game.choose("Ann", f"king of white {ONE}.e1")
    with refused(game, "term-same-everywhere", term="royal.lost"):
        game.propose("Ann", nb.enact("Stay.", law='set royal.lost to "stay"', universe=ONE))


@pytest.mark.rule("make-a-rule", "M4")
@pytest.mark.parametrize("result", ["explode with royals", "explode"])
def test_a_player_whose_real_king_explodes_is_out(result):
    game = begun(3)
    make(game, f'set capture.result to "{result}"')
    make(game, f'{NOW}move square_named("{ONE}.d8").piece to square_named("{ONE}.d3")')
    rules_until(game, "Ben")
    phase(game, f"{ONE}.d3-{ONE}.d2")
    assert ("Ann" in game.state.names_of_players) is (result == "explode")
