"""Make-A-Rule Chess: kings that are sealed, a commitment for each, and what is proved of them and when."""

import pytest
import refusals
from make_a_rule_helpers import SEALED, make, multiverse, phase, seal
from play_helpers import refused

import nomic_nb as nb
from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.play.dice import SealOpening, commitment_hash

ONE, TWO, THREE = "Zaphod:1", "Zaphod:2", "Zaphod:3"


def sealed(count=3, real=0, **more):
    """Begin a game with sealed kings; Ann has sealed hers."""
    game = multiverse(count, terms=SEALED, **more)
    seal(game, real)
    return game


def kings(game, player):
    """The kings of a player that count, by their squares."""
    position = game.state.position
    return {
        position.name(one.board, one.square): game.state.tables["crown"].value_at((ThingRef("piece", one.id),))
        for one in position.pieces.values()
        if one.kind == "k" and one.royal is not False and position.armies[one.army].controller == player
    }


def royal(game, player):
    return len(kings(game, player))


def captured(game, board, by="d8", king="e1"):
    """Whoever is on turn makes a rule by which a queen comes to stand before a king there, and then takes it."""
    owner = game.player
    make(game, f'on enacted when rule == this: remove square_named("{board}.{king[0]}2").piece; '
               f'move square_named("{board}.{by}").piece to square_named("{board}.{king[0]}3")')  # fmt: skip
    seal(game)
    while game.player != owner:
        make(game)
        seal(game)
    game.move(owner, f"{board}.{king[0]}3-{board}.{king}")


def owed(game, action="reveal"):
    return [one.player for one in game.pending if one.action == action]


@pytest.mark.rule("make-a-rule", "M3")
def test_each_king_is_sealed_by_itself_and_the_record_does_not_tell(tmp_path):
    game = sealed(4)
    assert owed(game, "seal") == []
    committed = game.history[game.history.kind == "committed"]
    assert len(committed) == 3
    assert len({data["commitment"] for data in committed.data}) == 3
    game.save(tmp_path / "game.jsonl")
    text = (tmp_path / "game.jsonl").read_text("utf-8")
    assert '"real"' not in text
    assert '"nonce"' not in text
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()
    for shown in (str(game), str(game.history), game._repr_html_(), str(game.pending), str(game.tables["crown"])):
        assert "dummy" not in shown
    assert royal(game, "Ann") == 3, "as long as they are sealed each counts as the real one"


@pytest.mark.rule("make-a-rule", "M3")
def test_nothing_else_is_done_before_and_nothing_else_is_sealed():
    game = multiverse(3, terms=SEALED)
    assert owed(game, "seal") == ["Ann"]
    assert f"king of white {ONE}.e1" in game.pending[0].prompt
    with refused(game, "somebody-first"):
        game.move("Ann", f"{ONE}.e2-{ONE}.e4")
    with refusals.refused("sealed-for-a-question"):
        game.seal("Ann", "queen")
    with refused(game, "no-seal-due"):
        game.seal("Ben", "real")


@pytest.mark.rule("make-a-rule", "M3", "R7", "R12")
def test_in_check_is_whoever_has_a_king_attacked_that_may_be_the_real_one():
    law = f'on enacted when rule == this: move square_named("{ONE}.a8").piece to square_named("{ONE}.e3")'
    opened = f'on enacted when rule == this: remove square_named("{ONE}.e2").piece'
    game = sealed(3, real=1, kept=("R7",))
    make(game, opened)
    seal(game)
    make(game, law)
    seal(game)
    make(game)
    with refused(game, "not-proposable", evidence="attacks the king of white Zaphod:1.e1", rule="R7"):
        game.propose("Ann", nb.enact("x"))
    game.take("Ann", "open a king")
    game.choose("Ann", f"king of white {ONE}.e1")
    assert owed(game) == ["Ann"]
    game.reveal("Ann")
    assert list(kings(game, "Ann").values()) == ["sealed"], "a dummy is no king"
    game.propose("Ann", nb.enact("x"))


@pytest.mark.rule("make-a-rule", "M3")
def test_whoever_opens_the_real_one_has_no_other():
    game = sealed(4, real=1)
    game.take("Ann", "open a king")
    with refused(game, "offer-under-way", player="Ann", does="has answered"):
        game.take("Ann", "open a king")
    game.choose("Ann", f"king of white2 {TWO}.e1")
    game.reveal("Ann")
    assert list(kings(game, "Ann").values()) == ["real"]
    assert not [one for one in game.pending if one.action == "take" and one.options == ("open a king",)]


@pytest.mark.rule("make-a-rule", "M3", "M4")
@pytest.mark.parametrize("real", [0, 1])
def test_a_king_that_is_captured_is_opened(real, tmp_path):
    game = sealed(3, real)
    make(game)
    seal(game)
    captured(game, ONE)
    assert owed(game) == ["Ann"]
    game.save(tmp_path / "game.jsonl")
    game.reveal("Ann")
    assert ("Ann" in game.state.names_of_players) == (real == 1)
    assert royal(game, "Ann") == real
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.rule("make-a-rule", "M3")
def test_a_cheat_opens_nothing_but_what_was_sealed():
    game = sealed(3)
    make(game)
    seal(game)
    captured(game, ONE)
    known = game.opening("Ann")
    for value, nonce in (("dummy", known.nonce), ("dummy", "00" * 32), ("real", "00" * 32)):
        with refused(game, "revealed-otherwise", player="Ann"):
            game.reveal("Ann", value, nonce)
    with refused(game, "no-seal-due"):
        game.reveal("Ben", known.value, known.nonce)
    with refused(game, "somebody-first"):
        game.move(game.player, f"{ONE}.a2-{ONE}.a3")
    assert owed(game) == ["Ann"]
    game.host.overdue("Ann")
    assert "Ann" not in game.state.names_of_players, "whoever does not open it has lost the real one"


@pytest.mark.rule("make-a-rule", "M3")
def test_the_opening_of_one_king_opens_no_other():
    game = sealed(3, real=1)
    make(game)
    seal(game)
    first, second = (one.round for one in game.state.secrets if one.player == "Ann")
    captured(game, ONE)
    shown = game.opening("Ann")
    assert (
        commitment_hash(game.state.game, first.number, "Ann", SealOpening(shown.value, shown.nonce))
        == first.seals["Ann"]
    )
    assert (
        commitment_hash(game.state.game, second.number, "Ann", SealOpening(shown.value, shown.nonce))
        != second.seals["Ann"]
    )
    assert game.openings("Ann")[0].nonce == shown.nonce
    assert len({one.nonce for one in game.openings("Ann")}) == 2


def last_one(*values, count=3):
    """Ann, who has sealed this, is the only one left."""
    game = multiverse(count, terms=SEALED, restricted=True)
    for value in values:
        game.seal("Ann", value)
    for name in ("Ben", "Cleo"):
        assert not game.over
        game.forfeit(name)
    return game


@pytest.mark.rule("make-a-rule", "M3", "R13")
@pytest.mark.parametrize(
    ("values", "winner"),
    [(("real", "dummy"), "Ann"), (("dummy", "dummy"), None), (("real", "real"), None)],
)
def test_whoever_is_left_has_won_once_exactly_one_has_proved_real(values, winner):
    game = last_one(*values)
    assert not game.over
    for _ in values:
        assert owed(game) == ["Ann"]
        game.reveal("Ann")
    assert game.over
    assert game.winner == winner


@pytest.mark.rule("make-a-rule", "M3", "M4")
def test_whoever_takes_the_last_king_of_others_opens_their_own():
    game = sealed(3, kept=("R13",))
    make(game)
    seal(game)
    game.forfeit("Cleo")
    while game.player != "Ben":
        make(game)
    captured(game, ONE)
    game.reveal("Ann")
    assert not game.over, "Ben has not proved yet which of his was real"
    for _ in range(2):
        assert owed(game) == ["Ben"]
        game.reveal("Ben")
    assert game.winner == "Ben"


@pytest.mark.rule("make-a-rule", "M3")
def test_nobody_wins_who_does_not_open_them():
    game = last_one("dummy", "real")
    game.reveal("Ann")
    game.host.overdue("Ann")
    assert game.over
    assert game.winner is None


@pytest.mark.rule("make-a-rule", "M3")
def test_of_two_players_each_has_one_king_and_nothing_is_sealed():
    game = multiverse(2, terms=SEALED)
    assert owed(game, "seal") == []
    phase(game)


@pytest.mark.rule("make-a-rule", "M3")
def test_a_seal_that_does_not_come_counts_as_the_real_one():
    game = multiverse(3, terms=SEALED)
    game.seal("Ann", "dummy")
    game.host.overdue("Ann")
    assert owed(game, "seal") == []
    assert royal(game, "Ann") == 2
    make(game)
    seal(game)
    make(game)
    seal(game)


@pytest.mark.rule("make-a-rule", "M3")
def test_no_rule_keeps_kings_from_being_sealed_or_opened():
    game = sealed(3)
    make(game, "forbid seal\nforbid reveal")
    seal(game)
    assert royal(game, "Ben") == 2
    make(game)
    seal(game)
    game.take("Ann", "open a king")
    game.choose("Ann", f"king of white {ONE}.e1")
    game.reveal("Ann")
    assert list(kings(game, "Ann").values()) == ["real"]


def test_kings_are_said_openly_where_nothing_is_agreed():
    assert multiverse(3).why("royal.named").value == "openly"
    with refusals.refused("value-unknown", expected="openly"):
        multiverse(3, terms={"royal.named": "whispered"})


@pytest.mark.rule("make-a-rule", "M3", "M4")
def test_whoever_sealed_no_real_king_is_out_once_all_are_opened():
    game = multiverse(3, terms=SEALED)
    for _ in range(2):
        game.seal("Ann", "dummy")
    for board in (f"white {ONE}", f"yellow {TWO}"):
        assert "Ann" in game.state.names_of_players
        game.take("Ann", "open a king")
        if owed(game, "choose"):
            game.choose("Ann", f"king of {board}.e1")
        game.reveal("Ann")
    make(game)
    assert "Ann" not in game.state.names_of_players
    assert game.player == "Ben"


@pytest.mark.rule("make-a-rule", "M3", "M4")
@pytest.mark.parametrize("real", [0, 1])
@pytest.mark.parametrize("what", ["remove {}", 'convert {} to army_named("red")'])
def test_a_sealed_king_that_goes_otherwise_is_opened_when_the_phase_is_over(what, real, tmp_path):
    game = sealed(3, real)
    king = f'square_named("{TWO}.e1").piece'
    make(game, f"on enacted when rule == this: {what.format(king)}")
    assert owed(game) == ["Ann"]
    game.reveal("Ann")
    assert ("Ann" in game.state.names_of_players) == (real == 0)
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.rule("make-a-rule", "M3", "M4")
def test_the_kings_of_armies_that_were_taken_over_prove_nothing():
    game = sealed(3, kept=("R13",))
    make(game, "on eliminated: give armies_of(player) to mover")
    seal(game)
    captured(game, ONE)
    game.reveal("Ann")
    assert "Ann" not in game.state.names_of_players
    game.forfeit("Cleo")
    while owed(game):
        game.reveal(owed(game)[0])
    assert game.winner == "Ben"
