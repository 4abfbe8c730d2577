"""What is refused: with the rule or the line, with what is open instead, and without a trace."""

import pytest
import refusals
from play_helpers import (
    adopt,
    asked_about,
    asks,
    by_hand,
    idle,
    law,
    majority,
    put,
    refusal_of,
    refused,
    scores,
    sit,
    turn,
    waiting_for,
)

import nomic_nb as nb


def test_an_unknown_player():
    game = sit()
    for deed in (
        lambda: game.propose("Zed", nb.enact("Mine.")),
        lambda: game.roll("Zed"),
        lambda: game.say("Zed", "Hello."),
        lambda: game.act("Zed", "hums"),
        lambda: game.forfeit("Zed"),
        lambda: game.invoke_judgment("Zed", "Who am I?"),
        lambda: game.report("Zed", "Ann", "humming"),
        lambda: game.report("Ann", "Zed", "humming"),
        lambda: game.propose("ann", nb.enact("Small letters.")),
        lambda: game.propose("", nb.enact("Nobody.")),
    ):
        with refused(game, "not-a-player", players="Ann, Ben, Cleo") as caught:
            deed()
        assert caught.value.options


def test_a_player_that_is_no_text():
    game = sit()
    for player in (None, 1, ["Ann"]):
        with refused(game, "not-a-player"):
            game.propose(player, nb.enact("Mine."))


def test_the_wrong_turn():
    game = sit()
    with refused(game, "turn-of-another", whose="Ann", rule=201, opens="Ann: propose"):
        game.propose("Ben", nb.enact("Mine."))
    idle(game)
    with refused(game, "turn-of-another", whose="Ben", rule=201, opens="Ben: propose"):
        game.propose("Ann", nb.enact("Mine again."))


def test_the_wrong_part_of_the_turn():
    game = sit()
    with refused(game, "nothing-to-throw", opens="Ann: propose"):
        game.roll("Ann")
    with refused(game, "no-vote-open", opens="Ann: propose"):
        game.vote("Ann", "for")
    with refused(game, "nothing-to-choose", opens="Ann: propose"):
        game.choose("Ann", 1)
    with refused(game, "nothing-debated", opens="Ann: propose"):
        game.call_vote("Ann")
    with refused(game, "no-vote-open", opens="Ann: propose"):
        game.close_vote("Ann")
    with refused(game, "nothing-debated", opens="Ann: propose"):
        game.revise("Ann", nb.enact("Clear."))


def test_someone_elses_throw():
    game = sit()
    adopt(game, nb.enact("More."))
    with refused(game, "another-does", rule=202, opens="Ann: roll"):
        game.roll("Ben", 3)


def test_a_second_ballot():
    game = sit()
    game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "for")
    with refused(game, "voted-already", player="Ben", rule="K2", opens="Ann: vote"):
        game.vote("Ben", "against")


def test_a_ballot_on_a_vote_that_is_closed():
    game = sit()
    turn(game, nb.enact("More."), against=("Cleo",))
    with refused(game, "vote-not-open", proposal=301, status="defeated", opens="Ben: propose"):
        game.vote("Cleo", "for", proposal=301)
    with refused(game, "no-vote-open", opens="Ben: propose"):
        game.vote("Cleo", "for")


def test_a_ballot_on_a_proposal_that_is_not_there():
    game = sit()
    game.propose("Ann", nb.enact("More."))
    for number in (999, "P4", -1):
        with refused(game, "proposal-unknown", proposal=number, opens="vote"):
            game.vote("Cleo", "for", proposal=number)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("yes", {"code": "not-one-of"}),
        ("For", {"code": "not-one-of"}),
        ("", {"code": "not-one-of"}),
        ("abstain", {"code": "not-one-of"}),
    ],
)
def test_a_ballot_that_is_none(word, said):
    game = sit()
    game.propose("Ann", nb.enact("More."))
    with refused(game, **said) as caught:
        game.vote("Cleo", word)
    assert set(caught.value.options) == {"for", "against"}


@pytest.mark.parametrize("thing", [None, 1, True, ["for"]])
def test_a_ballot_that_is_no_text(thing):
    game = sit()
    game.propose("Ann", nb.enact("More."))
    with refused(game, "not-one-of"):
        game.vote("Cleo", thing)


@pytest.mark.parametrize("change", [nb.amend(999, "More."), nb.repeal(999), nb.transmute(999)])
def test_a_rule_that_does_not_exist(change):
    game = sit()
    with refused(game, "rule-unknown", first=101, last=213):
        game.propose("Ann", change)
    with refused(game, "rule-unknown", part=2, last=213):
        game.propose("Ann", nb.together(nb.repeal(204), change))
    with refused(game, "rule-unknown", first="K1"):
        game.propose("Ann", nb.repeal("Z9"))


@pytest.mark.parametrize(
    "change", [nb.amend(112, "Cake wins."), nb.repeal(112), nb.amend(112, law="set win.points to 1")]
)
def test_an_immutable_rule(change):
    game = sit()
    with refused(game, "not-proposable", target=112, tier="immutable", rule=103, opens="transmute"):
        game.propose("Ann", change)


def test_a_ban_that_looks_at_no_tier_is_told_as_it_is():
    game = sit()
    adopt(game, nb.transmute(103))
    game.roll("Ann", 1)
    ban = "forbid propose when any(t.first_circuit >= circuit - 1 for t in targets)"
    law(game, f"{ban}\nprevails over 301")
    with refused(game, "not-proposable", limit=ban):
        game.propose(game.player, nb.repeal(game.state.rules.by_number[302].number))


@pytest.mark.parametrize("change", [nb.amend(203, "Less."), nb.repeal(203), nb.transmute(203)])
def test_a_rule_that_has_another_number_now(change):
    game = sit()
    majority(game)
    with refused(game, "rule-renumbered", rule=203, now=301):
        game.propose("Ben", change)


@pytest.mark.parametrize("change", [nb.amend(206, "Free."), nb.repeal(206), nb.transmute(206)])
def test_a_rule_that_is_gone(change):
    game = sit()
    turn(game, nb.repeal(206))
    with refused(game, "rule-repealed", rule=206):
        game.propose("Ben", change)


@pytest.mark.parametrize("change", [nb.amend("P4", "Ten sides."), nb.repeal("K2"), nb.transmute("K4")])
def test_a_reading_is_not_amended(change):
    game = sit()
    with refused(game, "not-proposable", tier="reading", rule=103):
        game.propose("Ann", change)


@pytest.mark.parametrize("wording", ["", " ", "\n\t\n"])
def test_no_wording(wording):
    with refusals.refused("wording-missing"):
        nb.enact(wording)
    with refusals.refused("wording-missing"):
        nb.amend(210, wording)


@pytest.mark.parametrize("wording", ["a\u200bb", "a\u202eb", "a\x00b", "x" * 9000])
def test_wording_that_cannot_be_read(wording):
    with pytest.raises(nb.LawError):
        nb.enact(wording)


def test_an_amendment_of_nothing():
    with refusals.refused("amendment-without-text"):
        nb.amend(210)


@pytest.mark.parametrize("change", ["repeal 206", None, 206, {"kind": "repeal"}])
def test_a_change_that_is_none(change):
    game = sit()
    with refused(game, "detail-unfit", TypeError, takes='a change, such as nb.enact("Be kind.") in a cell'):
        game.propose("Ann", change)


CLAUSES = {
    "no such verb": ("frobnicate the die", 1, 1),
    "an unfinished clause": ("set win.points to", 1, None),
    "a bracket left open": ("set win.points to (1 + 2", 1, None),
    "no such key": ("set win.pints to 5", 1, 5),
    "no such name": ("set win.points to lots", 1, 19),
    "no such function": ("set win.points to heaps(3)", 1, 19),
    "no such event": ("on sneezed: award 1 points to playing", 1, 4),
    "no such effect": ("on adopted: tickle proponent", 1, 13),
    "no such action": ("forbid dance", 1, 8),
    "no such counter": ("on adopted: award 1 carrots to proponent", 1, None),
    "a truth for a number": ("set win.points to true", 1, 19),
    "a text for a number": ('set win.points to "many"', 1, 19),
    "a number for players": ("set vote.electorate to 3", 1, 24),
    "a value that the term does not have": ('set vote.ballots to "whispered"', 1, 21),
    "a number for a condition": ("forbid say when 1", 1, 17),
    "text and number compared": ('forbid say when "a" == 1', 1, None),
    "arithmetic on text": ('set win.points to "a" + "b"', 1, None),
    "power": ("set win.points to 9 ** 9", 1, None),
    "a dunder": ("set win.points to ().__class__", 1, None),
    "an attribute of a number": ("set win.points to win.points.real", 1, None),
    "a lambda": ("set win.points to (lambda: 1)()", 1, None),
    "a call of open": ('set win.points to open("x")', 1, None),
    "a for four deep": (
        "set win.points to sum([sum([sum([count(1 for r in rules) for a in seats]) for b in seats]) for c in seats])",
        1,
        None,
    ),
    "a float": ("set win.points to 2.5", 1, None),
    "the second line": ("set win.points to 5\nset dice.sides to blue", 2, 19),
    "a fact that is not there": ("on turn_begun: award 1 points to proponent", 1, None),
    "an unknown dummy kind": ('on enacted: enter player "D" as robot', 1, None),
    "a deep nest": ("set win.points to " + "(" * 60 + "1" + ")" * 60, 1, None),
    "a long expression": ("set win.points to " + " + ".join(["1"] * 200), 1, None),
    "a claim of nothing": ("prevails over", 1, None),
}


@pytest.mark.parametrize("name", list(CLAUSES))
def test_a_clause_that_cannot_be_read(name):
    clauses, line, column = CLAUSES[name]
    game = sit()
    with refused(game, error=nb.LawError) as caught:
        game.propose("Ann", nb.enact("So be it.", law=clauses))
    assert caught.value.line == line
    assert f"line {line}" in str(caught.value)
    if column is not None:
        assert caught.value.column == column
    assert waiting_for(game, "propose") == ["Ann"]
    assert adopt(game, nb.enact("Proper.")).number == 301


@pytest.mark.parametrize(
    "expected", [{"code": "value-unknown", "expected": "sealed"}, {"code": "value-unknown", "expected": "open"}]
)
def test_a_wrong_value_is_told_the_right_ones(expected):
    game = sit()
    with refused(game, **expected):
        game.propose("Ann", nb.enact("So be it.", law='set vote.ballots to "whispered"'))


@pytest.mark.parametrize("key", ["enact.tier", "transmute.tier"])
def test_a_standing_that_does_not_exist_is_not_taken(key):
    game = sit()
    with refused(game, "tier-unknown", expected="mutable"):
        game.propose("Ann", nb.enact("So be it.", law=f'set {key} to "gaseous"'))
    with refused(game, "tier-unknown"):
        game.propose("Ann", nb.enact("So be it.", law=f'set {key} to "gaseous" if mover.name == "Ann" else "mutable"'))
    game.propose("Ann", nb.enact("So be it.", law=f'set {key} to "immutable" if mover.name == "Ann" else "mutable"'))


@pytest.mark.parametrize(
    "clauses",
    ['set precedence.by to ["luck"]', 'set precedence.tiers to ["gaseous"]', 'set turn.parts to [""]'],
)
def test_a_list_of_words_that_mean_nothing_is_not_taken(clauses):
    game = sit()
    with refused(game, error=nb.LawError):
        game.propose("Ann", nb.enact("So be it.", law=clauses))


@pytest.mark.parametrize(
    "expression",
    [
        "1000000000000 * 1000000000000",
        "99999999999999999999",
        "1000000 * 1000000 * 10",
        "-1000000000000 - 1",
        "sum([1000000000000 for p in players])",
        "1 / 0",
        "1 // 0",
        "1 % 0",
    ],
)
def test_a_number_that_explodes_is_refused_or_halts(expression):
    game = sit()
    error = refusal_of(lambda: put(game, nb.enact("So be it.", law=f"set throw.points to {expression}")))
    if error:
        assert error.line == 1
        assert waiting_for(game, "propose") == ["Ann"]
        return
    game.roll("Ann", 2)
    assert asked_about(game, 301)
    assert scores(game)["Ann"] == 0


def test_a_number_that_explodes_in_play():
    game = sit(terms={"win.points": 1000000000000})
    law(game, "track heat per game from 10\non said: put heat at game.heat * game.heat")
    refusals = [refusal_of(lambda: game.say("Ben", "Hotter!")) for _ in range(6)]
    told = [str(error) for error in refusals if error]
    assert asked_about(game, 301) or any("301" in message for message in told)


@pytest.mark.parametrize(
    "clauses",
    [
        "on counted: award 1 points to playing",
        "on counted: award -1 points to player",
        'on announced: announce "again"',
        "on thrown: roll 1 of 6 as face by player",
    ],
)
def test_a_clause_that_triggers_itself_for_ever(clauses):
    game = sit()
    with refused(game, error=nb.LawError) as caught:
        game.propose("Ann", nb.enact("So be it.", law=clauses))
    assert caught.value.line == 1


def test_two_clauses_that_trigger_each_other_for_ever():
    game = sit()
    clauses = """track pot per player from 0
on counted when counter == "pot": award 1 points to playing
on counted: award 1 pot to playing"""
    with refused(game, "clause-circular") as caught:
        game.propose("Ann", nb.enact("So be it.", law=clauses))
    assert caught.value.line in (2, 3)


@pytest.mark.parametrize(
    "clauses",
    [
        "on counted when player.points < 1000000: award 1 points to player",
        "on counted when turn > 0: award 0 points to player",
        "on counted each p in playing when turn > 0: award 1 points to p",
    ],
)
def test_a_loop_in_play_halts_and_names_the_rule(clauses):
    game = sit(terms={"win.points": 1000000000})
    put(game, nb.enact("So be it.", law=clauses))
    digest = game.state.digest()
    error = refusal_of(lambda: game.roll("Ann", 1))
    if error:
        assert "301" in str(error)
        assert game.state.digest() == digest
        return
    assert asked_about(game, 301)
    for player in game.players:
        game.choose(player, "the loop ends here")
    assert game.over or waiting_for(game, "propose") == ["Ben"]


@pytest.mark.parametrize("face", [2.5, "four", "3", True, [3]])
def test_a_throw_that_is_no_number(face):
    game = sit()
    adopt(game, nb.enact("More."))
    with refused(game, "throw-out-of-range"):
        game.roll("Ann", face)


@pytest.mark.parametrize("face", [0, 7, -3, 100])
def test_a_throw_out_of_range(face):
    game = sit()
    adopt(game, nb.enact("More."))
    with refused(game, "throw-out-of-range", least=1, most=6, rule=202, opens="Ann: roll"):
        game.roll("Ann", face)
    assert scores(game)["Ann"] == 0


def test_an_unknown_action():
    game = sit()
    with refused(game, "action-unknown", action="dance") as caught:
        game.do("Ann", "dance")
    assert {"propose", "vote", "roll", "forfeit"} <= set(caught.value.options)


@pytest.mark.parametrize(
    ("action", "details"),
    [
        ("roll", {"bananas": 2}),
        ("vote", {}),
        ("vote", {"ballot": "for", "colour": "red"}),
        ("propose", {}),
        ("choose", {}),
        ("say", {}),
        ("forfeit", {"why": "tired"}),
        ("report", {"who": "Ben"}),
    ],
)
def test_wrong_details(action, details):
    game = sit()
    with refused(game, "details-unfit", TypeError, action=action):
        game.do("Ann", action, **details)


def test_a_skip_that_no_rule_allows():
    game = sit()
    with refused(game, "no-skipping", rule=201, opens="Ann: propose"):
        game.skip("Ann")


@pytest.mark.parametrize(
    "effect", ["", "make it so", "award points", 'award 5 points to "Zed"', 'award 5 carrots to "Ben"']
)
def test_an_applied_effect_that_cannot_be_read(effect):
    game = sit()
    with refused(game, error=(nb.LawError, nb.IllegalAction)):
        game.apply("Ann", 210, effect)


@pytest.mark.parametrize("number", [999, 301, "Z9"])
def test_applying_a_rule_that_does_not_exist(number):
    game = sit()
    with refused(game, "rule-unknown", rule=number):
        game.apply("Ann", number, 'award -5 points to "Ben"')


def test_a_choice_that_is_not_offered():
    game = sit()
    law(game, 'on said when text == "gift": let player choose n from [1, 2, 3]; award n points to player')
    game.say("Cleo", "gift")
    for option in (4, 0, "all", None, [1]):
        with refused(game, "answer-not-an-option"):
            game.choose("Cleo", option)
    with refused(game, "answer-not-an-option", rule=301) as caught:
        game.choose("Cleo", 4)
    assert [str(one) for one in caught.value.options] == ["1", "2", "3"]
    with refused(game, "another-does", opens="Cleo: choose"):
        game.choose("Ben", 1)
    game.choose("Cleo", 3)
    assert scores(game)["Cleo"] == 3


def test_an_optional_choice_can_be_declined():
    game = sit()
    law(game, 'on said when text == "gift": let player choose n from [1, 2, 3] or none; award n points to player')
    game.say("Cleo", "gift")
    game.choose("Cleo", "none")
    assert scores(game)["Cleo"] == 0
    assert waiting_for(game, "propose") == ["Ben"]


def test_an_empty_question_is_no_question():
    game = sit()
    with refused(game, "question-needed"):
        game.invoke_judgment("Ann", "")


@pytest.mark.parametrize("terms", [{"win.pints": 5}, {"win.points": "many"}, {"vote.ballots": "whispered"}])
def test_terms_that_the_rules_do_not_have(terms):
    with pytest.raises(nb.LawError):
        sit(terms=terms)


def test_a_rule_set_that_does_not_exist():
    with refusals.refused("ruleset-unknown", expected="discordian-nomic"):
        nb.new_game("no-such-nomic", players=["Ann", "Ben"], seed=1)


def test_effects_on_nobody_are_not_done_and_no_crash():
    game = sit()
    law_of_zed = nb.enact("So be it.", law='on enacted when rule == this: award 5 points to "Zed"')
    put(game, law_of_zed)
    assert "does not happen, because no player is called Zed" in " ".join(game.history["what"])
    assert scores(game) == {"Ann": 0, "Ben": 0, "Cleo": 0}


@pytest.mark.parametrize("sides", ["turn - 1", "turn - 6", "turn + 5 / 2"])
def test_a_die_that_cannot_be_thrown_is_a_question(sides):
    game = sit()
    put(game, nb.enact("So be it.", law=f"set dice.sides to {sides}"))
    assert waiting_for(game, "choose") or game.over
    assert scores(game)["Ann"] == 0


@pytest.mark.parametrize("moment", ["throw", "choice"])
def test_applying_a_rule_meanwhile_disturbs_nothing(moment):
    game = sit()
    law(game, 'on said when text == "gift": let player choose n from [1, 2, 3]; award n points to player')
    if moment == "throw":
        adopt(game, nb.enact("More."))
    else:
        game.say("Cleo", "gift")
    by_hand(game, "Ann", 'award -5 points to "Ann"', 210)
    if moment == "throw":
        game.roll("Ben", 6)
        assert scores(game) == {"Ann": 1 - 5, "Ben": 6, "Cleo": 0}
        assert waiting_for(game, "propose") == ["Cleo"]
    else:
        game.choose("Cleo", 2)
        assert scores(game) == {"Ann": 1 - 5, "Ben": 0, "Cleo": 2}
        assert waiting_for(game, "propose") == ["Ben"]


def test_a_deed_reported_meanwhile_disturbs_nothing():
    game = sit()
    adopt(game, nb.library.penalty_for("humming", 2).change())
    game.report("Cleo", "Ben", "humming")
    game.roll("Ann", 6)
    assert scores(game) == {"Ann": 6, "Ben": -2, "Cleo": 0}
    assert waiting_for(game, "propose") == ["Ben"]


@pytest.mark.parametrize("action", ["say", "act", "propose"])
def test_what_is_owed_can_be_done(action):
    game = sit()
    game.propose("Ann", nb.enact("Cleo owes.", law=f'on enacted when rule == this: oblige "Cleo" to {action}'))
    for player in game.players:
        game.vote(player, "for")
    assert waiting_for(game, action) == ["Cleo"]
    if action == "propose":
        put(game, nb.enact("Owed."), player="Cleo")
    else:
        game.do("Cleo", action, text="Here you are.")
    game.roll("Ann", 3)
    assert waiting_for(game, "propose") == ["Ben"]


def test_a_rule_is_found_by_its_number_though_others_have_labels():
    game = sit()
    adopt(game, nb.enact("209 goes.", law="on enacted each r in rules when rule == this and r.number == 209: repeal r"))
    assert waiting_for(game, "choose") == []
    assert 209 not in game.rules


def test_rule_changes_now_and_then_are_not_called_impossible():
    game = sit()
    turn(game, nb.transmute(103))
    proposal = put(
        game, nb.amend(301, "Every fifth turn.", law='allow propose when turn % 5 == 0\nset enact.tier to "mutable"')
    )
    assert proposal.outcome == "adopted" or waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]


def test_whoever_leaves_owes_no_choice():
    game = sit()
    law(game, 'on said when text == "gift": let player choose n from [1, 2, 3]; award n points to player')
    adopt(game, nb.enact("More."))
    game.say("Cleo", "gift")
    game.forfeit("Cleo")
    game.roll("Ben", 1)
    assert {decision.player for decision in game.pending} == {"Ann"}
    assert waiting_for(game, "propose") == ["Ann"]


def test_when_the_last_leave_in_the_middle_of_a_question_it_is_over():
    game = sit("Ann", "Ben")
    asks(game, "Why?")
    game.say("Ann", "ask")
    game.forfeit("Ben")
    game.forfeit("Ann")
    assert game.over
    assert not game.pending


def test_when_all_leave_it_is_over():
    game = sit("Ann", "Ben")
    for player in ("Ann", "Ben"):
        game.forfeit(player)
    assert game.over
    assert game.winners == ()
    assert game.result


def test_a_delayed_change_comes_into_force_once():
    game = sit("Ann", "Ben")
    turn(game, nb.repeal(205))
    put(game, nb.enact("Later."))
    for player in ("Ann", "Ben"):
        game.choose(player, '"circuit ended"')
    game.roll("Ben", 1)
    numbers = [rule.number for rule in game.rules]
    assert numbers.count(302) == 1


def test_play_that_runs_in_circles_is_a_question():
    game = sit()
    put(game, nb.enact("No time.", law="on turn_begun: end turn\nprevails over 201"))
    game.roll("Ann", 1)
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    assert all("play.in_circles" in one.prompt and one.rule == 301 for one in game.pending)


@pytest.mark.parametrize("moment", ["debate", "vote", "throw"])
def test_when_the_last_leave_in_the_middle_of_a_turn_it_is_over(moment):
    game = sit("Ann", "Ben")
    game.forfeit("Ben")
    game.choose("Ann", "I am alone.")
    if moment == "debate":
        game.propose("Ann", nb.enact("More."), debate=True)
    elif moment == "vote":
        game.propose("Ann", nb.enact("More."))
    else:
        put(game, nb.enact("No die.", law="set dice.sides to turn - turn"))
    game.forfeit("Ann")
    assert game.over
    assert not game.pending
    assert game.winners == ()
