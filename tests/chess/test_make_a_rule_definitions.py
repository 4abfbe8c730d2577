"""Make-A-Rule Chess: what is written down and is no rule; the words turn, phase, amendment."""

import pytest
import refusals
from make_a_rule_helpers import begun, idle, make, moves, name_king, phase
from play_helpers import refused

import nomic_nb as nb
from nomic_nb.engine.law.clauses import SetClause


def law_and_choices(game):
    """What binds, and what is open: nothing else makes a difference to play."""
    return game.state.rules, game.state.law, game.state.position, game.state.turns, str(game.pending)


@pytest.mark.rule("make-a-rule", "C5")
def test_a_definition_costs_no_action_and_binds_nobody(tmp_path):
    game = begun(2)
    before = law_and_choices(game)
    game.define("Ben", "far", "more than five squares away")  # in the phase of somebody else
    game.define("Ann", "far", "more than three squares away")
    game.define("Ann", "<b>leap</b>", "a move over another piece")
    assert law_and_choices(game) == before
    assert "far: more than three squares away (Ann)" in str(game.rules)
    assert "five squares" not in str(game.rules)
    page = game.law_book()
    assert "more than three squares away" in page
    assert "<b>leap" not in page
    phase(game)
    assert game.player == "Ben"
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.rule("make-a-rule", "D5")
def test_a_fix_never_touches_the_running_game():
    game = begun(2)
    before = law_and_choices(game)
    game.suggest_fix("Ben", "R1: a player may pass.")
    game.suggest_fix("Ann", "R1: nobody may pass.")
    assert law_and_choices(game) == before
    assert [(one.name, one.player) for one in game.rules.notes] == [("F1", "Ben"), ("F2", "Ann")]
    assert "F1" not in game.rules


@pytest.mark.parametrize(
    ("word", "meaning", "code", "what"),
    [
        ("", "x", "nothing-written", "word"),
        (" ", "x", "nothing-written", "word"),
        ("x", "\n", "nothing-written", "meaning"),
        ("x" * 61, "x", "text-too-long", "word"),
        ("x", "a\u202eb", "letter-invisible", "meaning"),
    ],
)
def test_what_is_no_definition(word, meaning, code, what):
    game = begun(2)
    before = game.state
    with refusals.refused(code, what=what):
        game.define("Ann", word, meaning)
    assert game.state is before


@pytest.mark.rule("make-a-rule", "C5", "D5")
def test_rules_can_forbid_definitions_and_listen_for_them():
    game = begun(2)
    make(game, 'forbid define when word == "king"\ntrack words per player from 0\n'
               "on defined: put words of player at player.words + 1")  # fmt: skip
    with refused(game, "not-allowed", what="to define this"):
        game.define("Ann", "king", "a pawn")
    game.define("Ann", "pawn", "a king")
    assert game.counters["words"]["Ann"] == 1


@pytest.mark.rule("make-a-rule", "D9", "D10")
def test_a_turn_is_a_phase_of_every_player():
    game = begun(3)
    seen = []
    for _ in range(7):
        seen.append((game.circuit, game.player))
        make(game)
    assert seen == [(1, "Ann"), (1, "Ben"), (1, "Cleo"), (2, "Ann"), (2, "Ben"), (2, "Cleo"), (3, "Ann")]


@pytest.mark.rule("make-a-rule", "D4")
def test_what_all_agree_on_in_the_meta_rules_is_for_this_game_alone_and_no_rule_undoes_it():
    game = begun(2, terms={"royal.capture": "never"})
    make(game, 'set royal.capture to "capture"')
    assert (game.why("royal.capture").value, game.why("royal.capture").rule) == ("never", "M4")
    assert begun(2).why("royal.capture").value == "capture"
    with refused(game, "not-proposable"):
        game.propose(game.player, nb.amend("R3", "The older rule goes first."))


@pytest.mark.rule("make-a-rule", "D8")
def test_conventions_say_how_things_are_done_and_bear_on_nothing_that_is_played():
    game = begun(2)
    conventions = [rule for rule in game.rules if rule.tier == "convention"]
    labelled = [rule for rule in game.rules if str(rule.number).startswith("C")]
    assert conventions == labelled
    every = [one for rule in conventions for one in rule.clauses]
    assert all(isinstance(one, SetClause) for one in every)  # nothing is done, owed or offered by one
    keys = {one.key for one in every}
    assert keys == {
        "turn.sequence",
        "turn.start",
        "turn.overlap",
        "universe.names",
        "may.define",
    }  # order and names: C1
    assert not any(game.state.law.vocabulary.keys[key].is_local for key in keys)  # nothing on the boards
    assert all(one.value.node.value is True for one in every if one.key.startswith("may."))  # nothing is forbidden


@pytest.mark.rule("make-a-rule", "D8")
@pytest.mark.parametrize("tier", ["amendment", "meta-rule", "definition", "rule", "reading"])
def test_whatever_else_says_how_the_game_is_played_goes_before_a_convention(tier):
    order = begun(2).why("precedence.tiers").value
    assert order.index(tier) < order.index("convention")


@pytest.mark.rule("make-a-rule", "D8")
def test_a_rule_of_a_player_goes_before_a_convention():
    game = begun(2)
    assert game.why("turn.overlap").rule == "C1"
    make(game, "set turn.sequence to [p for p in chosen_order if p.playing] + [item(chosen_order, 1)]")
    seen = []
    for _ in range(6):
        seen.append(game.player)
        make(game)
    assert seen.count("Ann") == 2 * seen.count("Ben")


@pytest.mark.rule("make-a-rule", "M1")
def test_whoever_moves_does_so_in_every_universe_where_the_rules_permit_it():
    game = begun(3)
    idle(game)
    make(game, "forbid move", universe="Zaphod:1")
    while game.player != "Ann":
        make(game)
    boards = {one.partition(".")[0] for one in moves(game)}
    assert boards == {"Zaphod:2"}
    game.move("Ann", moves(game)[0])
    assert game.player == "Ben"
    name_king(game)
