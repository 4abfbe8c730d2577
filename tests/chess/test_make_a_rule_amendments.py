"""Make-A-Rule Chess: a full turn for each rule, and amendments, on which each votes in a phase of their own."""

import pytest
from make_a_rule_helpers import begun, make, moves, phase, until
from play_helpers import refused

import nomic_nb as nb

ONE = "Zaphod:1"


def knight(game, army="white"):
    return game.why("piece.moves", kind="N", army=army).value


@pytest.mark.rule("make-a-rule", "R6", "R2")
def test_a_repeal_waits_until_the_next_phase_of_the_maker_is_over():
    game = begun(2, kept=("R6",))
    label = make(game, 'piece N moves "C"')
    game.propose("Ben", nb.repeal(label))
    assert (game.player, knight(game)) == ("Ann", "C")
    assert label in game.rules
    make(game)
    assert (game.player, knight(game)) == ("Ben", "N")
    assert label not in game.rules


@pytest.mark.rule("make-a-rule", "R6", "R3")
def test_a_newer_rule_does_not_override_it_before():
    game = begun(2, kept=("R6",))
    make(game, 'piece N moves "C"\npiece R moves "W"')
    make(game, 'piece N moves "K"')
    assert (game.player, knight(game)) == ("Ann", "C")
    make(game)
    assert (game.player, knight(game)) == ("Ben", "K")
    assert game.why("piece.moves", kind="R", army="white").value == "W"


@pytest.mark.rule("make-a-rule", "R6")
def test_a_guarded_permission_holds_against_a_newer_ban():
    game = begun(2, kept=("R6",))
    make(game, 'allow move when piece.kind == "N"')
    make(game, 'forbid move when piece.kind == "N"')
    assert moves(game, f"{ONE}.b1")
    phase(game, f"{ONE}.a2-{ONE}.a3")
    assert not moves(game, f"{ONE}.b8")


@pytest.mark.rule("make-a-rule", "R6")
def test_when_its_maker_leaves_a_rule_is_guaranteed_no_more():
    game = begun(3, kept=("R6",))
    label = make(game, 'piece N moves "C"')
    make(game, 'piece N moves "K"')
    assert knight(game) == "C"
    game.forfeit("Ann")
    assert knight(game) == "K"
    assert game.rules[label].guarded is False


@pytest.mark.rule("make-a-rule", "R14", "D4")
def test_an_amendment_is_voted_on_by_each_in_their_own_phase():
    game = begun(4, restricted=True)
    for _ in range(8):
        make(game)
    assert (game.player, game.circuit) == ("Ann", 3)
    proposal = game.propose("Ann", nb.repeal("R10"))
    assert game.player == "Ann", "it is beside what is owed"
    with refused(game, "may-not-vote", player="Ann"):
        game.vote("Ann", "for")
    with refused(game, "votes-in-own-turn", player="Ben"):
        game.vote("Ben", "for")
    make(game)
    for name in ("Ben", "Cleo"):
        assert game.player == name
        game.vote(name, "for")
        make(game)
    assert "A1" not in game.rules
    game.vote("Dov", "for")
    assert game.rules["A1"].tier == "amendment"
    assert "R10" not in game.rules
    assert proposal.number == "PA1.3"
    game.propose("Dov", nb.enact("There are few rules.", "require count(rules) < 400"))  # R10 is lifted


@pytest.mark.rule("make-a-rule", "R14")
def test_one_no_drops_it_at_once_and_nobody_is_held_up():
    game = begun(4, restricted=True)
    proposal = game.propose("Ann", nb.enact("Three rules are enough.", standing="amendment"))
    make(game)
    game.vote("Ben", "against")
    assert game.state.proposals[proposal.number].status == "defeated"
    make(game)
    assert not [one for one in game.pending if one.action == "vote"]
    assert "A1" not in game.rules


@pytest.mark.rule("make-a-rule", "D4")
def test_what_is_dropped_takes_no_number_and_amendments_are_counted_apart_from_rules():
    game = begun(2, restricted=True)
    game.propose("Ann", nb.enact("Peace.", standing="amendment"))
    make(game)
    game.vote("Ben", "against")
    game.propose("Ben", nb.enact("War.", standing="amendment"))
    assert make(game) == "P2.1"
    game.vote("Ann", "for")
    assert game.rules["A1"].wording == "War."
    assert game.rules["A1"].tier == "amendment"
    assert {one.number for one in game.rules if one.tier == "rule"} == {"P1.1", "P2.1"}


def test_a_ballot_is_changed_in_a_phase_of_ones_own_alone():
    game = begun(3, restricted=True)
    make(game, "set vote.changeable to true")
    game.propose("Ben", nb.enact("Peace.", standing="amendment"))
    make(game)
    game.vote("Cleo", "for")
    assert [one.player for one in game.pending if one.action == "vote"] == ["Cleo"]
    make(game)
    assert game.player == "Ann"
    assert [one.player for one in game.pending if one.action == "vote"] == ["Ann"]


@pytest.mark.rule("make-a-rule", "R14")
def test_a_phase_does_not_end_without_the_ballot():
    game = begun(2, restricted=True)
    game.propose("Ann", nb.enact("Peace.", standing="amendment"))
    make(game)
    make(game)
    assert game.player == "Ben"
    assert [(one.player, one.action) for one in game.pending if one.must] == [("Ben", "vote")]
    game.vote("Ben", "for")
    assert game.player == "Ann"
    assert game.rules["A1"].wording == "Peace."


@pytest.mark.rule("make-a-rule", "R14")
def test_once_a_turn_and_of_meta_rules_alone():
    game = begun(2, restricted=True)
    game.propose("Ann", nb.repeal("R9"))
    with refused(game, "not-proposable", rule="R14"):
        game.propose("Ann", nb.repeal("R8"))
    with refused(game, "not-proposable"):
        game.propose("Ben", nb.repeal("N1"))
    with refused(game, "tier-not-open", asked="royal decree"):
        game.propose("Ann", nb.enact("So be it.", standing="royal decree"))


@pytest.mark.rule("make-a-rule", "R14", "R13")
def test_an_amendment_changes_the_aim_and_rules_are_looked_at_for_it():
    game = begun(2, restricted=True)
    e4 = f'square_named("{ONE}.e4").piece'
    law = f"set win.winners to [p for p in playing if {e4} != none and {e4}.owner == p]"
    game.propose("Ann", nb.enact("Whoever stands on e4 has won.", law, standing="amendment"))
    make(game)
    game.vote("Ben", "for")
    with refused(game, "not-proposable", evidence="Ann could win with Zaphod:1.e2-Zaphod:1.e4", rule="R7"):
        game.propose("Ben", nb.enact("So be it."))
    until(game, "Ann")
    phase(game, f"{ONE}.e2-{ONE}.e4")
    assert game.winner == "Ann"


@pytest.mark.rule("make-a-rule", "R15")
def test_a_rule_says_what_becomes_of_it_when_another_falls():
    game = begun(2, kept=("R6",))
    base = make(game, 'piece N moves "C"')
    make(game, f'piece R moves "C"\non repealed when rule.label == "{base}": repeal this')
    make(game)
    make(game)
    game.propose("Ann", nb.repeal(base))
    assert game.why("piece.moves", kind="R", army="white").value == "R"


@pytest.mark.rule("make-a-rule", "R15", "R2")
def test_where_a_rule_says_nothing_chess_comes_back_as_the_others_have_it():
    game = begun(2, kept=("R6",))
    other = make(game, 'piece N moves otherwise + "C"')
    base = make(game, 'piece N moves "W"\npiece R moves "W"')
    assert (knight(game), game.why("piece.moves", kind="R", army="white").value) == ("WC", "W"), "guaranteed for now"
    make(game)
    assert knight(game) == "W"
    make(game)
    game.propose("Ann", nb.repeal(base))
    assert (knight(game), game.why("piece.moves", kind="R", army="white").value) == ("NC", "R")
    make(game)
    game.propose("Ann", nb.repeal(other))
    assert knight(game) == "N"


@pytest.mark.rule("make-a-rule", "R15")
def test_a_rule_that_depends_on_another_says_what_it_is_without_it():
    game = begun(2, kept=("R6",))
    base = make(game, 'piece R moves "N"')
    law = (
        f'piece N moves moves_of(army, "R") + "W" while rule_labelled("{base}").number == none\n'
        f'on repealed when rule.label == "{base}": amend this by alone\n'
        'draft alone: "Knights go one step straight."\n    piece N moves "W"'
    )
    label = make(game, law)
    assert knight(game) == "NW"
    make(game)
    make(game)
    game.propose("Ann", nb.repeal(base))
    assert (game.rules[label].wording, knight(game)) == ("Knights go one step straight.", "W")


@pytest.mark.rule("make-a-rule", "R15", "R6")
def test_what_a_repeal_brings_comes_when_the_repeal_does():
    game = begun(2, kept=("R6",))
    base = make(game, 'piece N moves "C"\non repealed when rule == this: enact slower\n'
                      'draft slower: "Knights go one step straight."\n    piece N moves "W"')  # fmt: skip
    game.propose("Ben", nb.repeal(base))
    assert knight(game) == "C", "it stands a full turn"
    make(game)
    assert (knight(game), base in game.rules) == ("W", False)


@pytest.mark.rule("make-a-rule", "R15", "R1.5")
def test_a_repeal_for_one_universe_does_not_touch_what_depends_on_the_rule_elsewhere():
    game = begun(3, kept=("R6",))
    base = make(game, 'piece N moves "C"')
    label = make(game, f'piece R moves "C"\non repealed when rule.label == "{base}" and not rule in rules: repeal this')
    for _ in range(4):
        make(game)
    game.propose("Ann", nb.repeal(base, universe=ONE))
    assert label in game.rules
    assert game.why("piece.moves", kind="N", army="white").value == "C"


@pytest.mark.rule("make-a-rule", "R1.5", "R6")
def test_two_repeals_for_one_universe_that_wait_come_to_one():
    game = begun(3, kept=("R6",))
    label = make(game, 'piece N moves "C"')
    for name in ("Ben", "Cleo"):
        game.propose(name, nb.repeal(label, universe=ONE))
        phase(game)
    make(game)
    assert game.state.rules.by_number[label].reach_in_words == f"repealed for {ONE}"


@pytest.mark.rule("make-a-rule", "R15", "R1.5")
def test_what_a_repeal_for_one_universe_brings_it_brings_there():
    game = begun(3, kept=("R6",))
    base = make(game, 'piece N moves "C"\non repealed when rule == this: enact slower\n'
                      'draft slower: "Knights go one step straight."\n    piece N moves "W"')  # fmt: skip
    other = make(
        game, f'piece R moves "C"\non repealed when rule.label == "{base}" and board.name == "{ONE}": repeal this'
    )
    for _ in range(4):
        make(game)
    game.propose("Ann", nb.repeal(base, universe=ONE))
    moved = {army: game.why("piece.moves", kind="N", army=army, push=[board]).value
             for army, board in (("white", ONE), ("yellow", "Zaphod:2"), ("orange", "Zaphod:3"))}  # fmt: skip
    assert moved == {"white": "W", "yellow": "C", "orange": "C"}
    assert other not in game.rules


@pytest.mark.rule("make-a-rule", "R3", "R1.5")
def test_a_rule_that_was_repealed_for_one_universe_is_no_newer_elsewhere():
    game = begun(3, kept=("R6",))
    first = make(game, 'piece N moves "C"')
    make(game, 'piece N moves "K"')
    for _ in range(4):
        make(game)
    game.propose("Ann", nb.repeal(first, universe=ONE))
    phase(game)
    assert game.why("piece.moves", kind="N", army="orange").value == "K", "what was made later goes first"


def test_amendments_load_to_the_same_state(tmp_path):
    game = begun(2, restricted=True)
    game.propose("Ben", nb.repeal("R9"))
    game.vote("Ann", "for")
    make(game, 'piece N moves otherwise + "C"')
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.rule("make-a-rule", "R14", "R5")
def test_whoever_amends_what_a_phase_is_for_leaves_the_other_meta_rules_as_they_are():
    game = begun(2, restricted=True)
    game.propose("Ann", nb.amend("R1", "In a phase a player does one thing, and no more."))
    make(game)
    game.vote("Ben", "for")
    with refused(game, "not-proposable", rule="R5"):
        game.propose("Ben", nb.enact("All go.", law="on turn_ended: remove pieces_of(player)"))


@pytest.mark.rule("make-a-rule", "R8", "R10", "R14")
@pytest.mark.parametrize("rule", ["R8", "R10"])
def test_what_the_kit_adds_to_a_meta_rule_goes_with_it(rule):
    game = begun(2, restricted=True)
    added = [one.number for one in game.rules if str(one.number).startswith(f"{rule}.")]
    game.propose("Ann", nb.repeal(rule))
    make(game)
    game.vote("Ben", "for")
    assert added
    assert not {rule, *added} & {one.number for one in game.rules}
