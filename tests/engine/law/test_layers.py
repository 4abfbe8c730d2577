"""Clauses that add to what a term would be otherwise, and what goes before them."""

import pytest
from play_helpers import adopt, law, refused, sit

import nomic_nb as nb


def test_a_clause_adds_to_what_another_rule_says():
    game = sit()
    number = game.why("vote.weight", voter="Ann", change=nb.enact("More.")).rule
    law(game, f'set vote.weight to 2 while voter.name == "Ann"\nprevails over {number}')
    law(game, "set vote.weight to otherwise + 1")
    law(game, 'set vote.weight to otherwise * 10 while voter.name == "Ann"')
    finding = game.why("vote.weight", voter="Ann", change=nb.enact("More."))
    assert finding.value == 21
    assert game.why("vote.weight", voter="Ben", change=nb.enact("More.")).value == 2
    said = str(finding)
    assert said.index("adds to it: rule 302") < said.index("adds to it: rule 303") < said.index("prevails: rule 301")


def test_numbers_do_not_decide_between_an_addition_and_the_rest():
    for first, second in (("set win.points to otherwise + 5", "set win.points to 50"),) * 2:
        game = sit()
        law(game, f"{second}\nprevails over 208")
        law(game, first)
        assert game.law["win.points"].value == 55
        game = sit()
        law(game, first)
        law(game, f"{second}\nprevails over 208")
        assert game.law["win.points"].value == 55


def test_where_no_other_rule_speaks_an_addition_says_what_it_says_without_the_others():
    game = sit()
    law(game, "track ruled per game as truth from true\n"
              'on said when text == "enough": put ruled at false\n'
              'set vote.quota_when to ("closing" if game.ruled else otherwise)')  # fmt: skip
    finding = game.why("vote.quota_when")
    assert finding.value == "closing"
    assert "rule 301" in str(finding)
    game.say("Ben", "enough")
    assert not game.why("vote.quota_when").answered  # what nobody says, it does not know either


def test_of_two_additions_the_second_stands_on_the_first_where_no_other_rule_speaks():
    game = sit()
    law(game, 'set vote.quota_when to (otherwise if otherwise == "closing" else "opening")')
    law(game, 'set vote.quota_when to ("closing" if turn > 0 else otherwise)')
    assert game.why("vote.quota_when").value == "closing"


def test_a_stronger_rule_and_one_that_claims_to_prevail_defeat_an_addition():
    game = sit()
    number = law(game, "set win.points to otherwise + 5")
    law(game, f"set win.points to 50\nprevails over 208, {number}")
    finding = game.law["win.points"]
    assert finding.value == 50
    assert f"rule {number + 1} sets the whole value" in str(finding)
    game = sit()
    number = law(game, "set vote.electorate to otherwise + []")
    assert game.state.law.find("vote.electorate", game.state, {}).rule != number


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        ("set win.points to 3 while otherwise > 4", {"code": "otherwise-misplaced"}),
        ("on turn_ended: award otherwise points to player", {"code": "otherwise-misplaced"}),
        ("forbid vote when otherwise", {"code": "otherwise-misplaced"}),
        ("set win.points to win.points + 1", {"code": "key-set-from-itself"}),
        ('set win.points to otherwise + "x"', {"code": "kind-needed", "kind": "a number"}),
        ('set turn.parts to otherwise + "x"', {"code": "kinds-differ", "expected": "one kind"}),
        ("on turn_ended each otherwise in players: award 1 points to otherwise", {"code": "means-something"}),
        ('piece N moves otherwise + "Ñ"', {"code": "movement-atom-unknown"}),
        ('piece N moves otherwise + "q"', {"code": "movement-circular-rider"}),
    ],
)
def test_what_is_no_addition(clauses, said):
    game = sit()
    with refused(game, **said):
        game.propose("Ann", nb.enact("Odd.", law=clauses))


def test_lists_and_texts_are_put_together():
    game = sit()
    law(game, 'set turn.parts to otherwise + ["tea"]')
    assert game.law["turn.parts"].value[-1] == "tea"
    game = sit()
    law(game, 'on said when "so " + text == "so what": award 7 points to player')
    game.say("Ben", "what")
    assert game.scores["Ben"] == 7


def test_where_no_rule_says_the_rest_the_table_is_asked_and_the_answer_is_added_to():
    game = sit()
    adopt(game, nb.enact("Seven more.", law="set win.points to otherwise + 7"))
    game.roll("Ann", 1)
    number = 208
    while game.rules[number].tier == "immutable":
        number = adopt(game, nb.transmute(number)).number
    adopt(game, nb.repeal(number))
    assert game.law["win.points"].outcome == "silent"
