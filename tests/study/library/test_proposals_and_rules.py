"""Ready-made rules on proposals and on rules, in play."""

import pytest
from refusals import refused
from study.library.playing import SYSTEMS, Playing

import nomic_nb as nb
from nomic_nb import library
from nomic_nb.engine.play.events import number_from_json


def awards(playing, rule, counter="points"):
    """What a rule has brought whom, in order."""
    moments = [event for event, _ in playing.game.timeline.moments]
    return [
        (event.actor, number_from_json(event.data["amount"]))
        for event in moments
        if event.kind == "counted" and event.data["counter"] == counter and event.cause and event.cause.rule == rule
    ]


def adopted(system, rule, **more):
    playing = Playing(system, **more)
    return playing, playing.law(rule).number


@pytest.mark.parametrize("system", SYSTEMS)
def test_dissent_bonus(system):
    playing = Playing(system)
    playing.amended("quota", library.simple_majority())
    number = playing.amended("dissent", library.dissent_bonus(4)).number
    playing.against = {"Cleo"}
    playing.turns()
    assert awards(playing, number) == [("Cleo", 4)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_price_of_defeat(system):
    playing, _ = adopted(system, library.price_of_defeat(3))
    playing.against = {"Cleo"}
    playing.until("vote")
    proponent = playing.game.player or playing.game.proposals[playing.next_number() - 1].as_it_stands.proponent
    before = playing.scores[proponent]
    while not any(event.kind == "defeated" for event, _ in playing.game.timeline.moments):
        playing.step()
    lost = [event for event, _ in playing.game.timeline.moments if event.kind == "counted" and event.actor == proponent]
    assert any(number_from_json(event.data["amount"]) == -3 for event in lost), before


@pytest.mark.parametrize("system", SYSTEMS)
def test_bonus_for_adopted(system):
    playing, number = adopted(system, library.bonus_for_adopted(7))
    playing.turns(2)
    assert [points for _, points in awards(playing, number)][-2:] == [7, 7]
    playing.against = {"Ann"}
    before = len(awards(playing, number))
    playing.turns()
    assert len(awards(playing, number)) == before


@pytest.mark.parametrize("system", SYSTEMS)
def test_milestone(system):
    playing, number = adopted(system, library.milestone(2, 9))
    playing.turns(6)
    assert sorted(awards(playing, number)) == [("Ann", 9), ("Ben", 9), ("Cleo", 9)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_several_proposals(system):
    playing, _ = adopted(system, library.several_proposals(2))
    before = len(playing.game.proposals)
    playing.turns()
    assert len(playing.game.proposals) == before + 3


@pytest.mark.parametrize("system", SYSTEMS)
def test_length_limit(system):
    playing, number = adopted(system, library.length_limit(5, 3))
    playing.changes = [nb.enact("One two three four five."), nb.enact("One two three four five six.")]
    playing.turns(2)
    assert [points for _, points in awards(playing, number)] == [-3]


@pytest.mark.parametrize("system", SYSTEMS)
def test_needed_word(system):
    playing, number = adopted(system, library.needed_word("cheese", 2))
    playing.changes = [nb.enact("More Cheese."), nb.enact("Less."), nb.repeal(number)]
    playing.turns(2)
    assert [points for _, points in awards(playing, number)] == [-2]
    playing.turns()
    assert [points for _, points in awards(playing, number)] == [-2]


@pytest.mark.parametrize("system", SYSTEMS)
def test_ritual(system):
    playing, number = adopted(system, library.ritual("Hear me!", 2))
    playing.until("propose")
    player = playing.game.player
    playing.game.say(player, "Hear us!")
    playing.turns()
    assert awards(playing, number) == [(player, -2)]
    playing.until("propose")
    playing.game.say(playing.game.player, "hear me!")
    playing.turns()
    assert awards(playing, number) == [(player, -2)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_two_rituals_do_not_meet(system):
    playing, one = adopted(system, library.ritual("Hear me!", 2))
    two = playing.law(library.ritual("Hear, me, too!", 1)).number
    seen = len(awards(playing, one))
    playing.until("propose")
    playing.game.say(playing.game.player, "Hear me!")
    playing.turns()
    assert len(awards(playing, one)) == seen
    assert len(awards(playing, two)) == 1


@pytest.mark.parametrize("system", SYSTEMS)
def test_compulsory_debate(system):
    playing, _ = adopted(system, library.compulsory_debate())
    playing.until("say")
    game = playing.game
    proposal = game.proposals[next(reversed(game.state.proposals))]
    proponent = proposal.as_it_stands.proponent
    assert proposal.as_it_stands.status == "debate"
    others = [name for name in game.players if name != proponent]
    with refused("not-allowed", player="Ben"):
        game.call_vote(proponent)
    game.say(others[0], "I like it.")
    with refused("not-allowed", player="Ben"):
        game.call_vote(proponent)
    game.say(others[1], "So do I.")
    game.call_vote(proponent)
    assert proposal.as_it_stands.status == "open"
    playing.turns()
    assert proposal.outcome == "adopted"


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("when", ["turn ended", "circuit ended"])
def test_later_effect(system, when):
    playing, _ = adopted(system, library.later_effect(when))
    playing.changes = [nb.enact("Late.", title="Late")]
    playing.until("vote")
    found = playing.game.proposals[next(reversed(playing.game.state.proposals))]
    while found.outcome == "open":
        playing.step()
        waiting = [one.as_it_stands.status for one in [found]]
        if waiting == ["waiting"]:
            assert "Late" not in [rule.title for rule in playing.game.rules]
    playing.turns(4)
    assert "Late" in [rule.title for rule in playing.game.rules]
    enacted = [event for event, _ in playing.game.timeline.moments if event.kind == "enacted"][-1]
    before = [event.kind for event, _ in playing.game.timeline.moments if event.seq < enacted.seq]
    assert when.replace(" ", "_") in before


# on rules


@pytest.mark.parametrize("system", SYSTEMS)
def test_cap_on_rules(system):
    playing = Playing(system)
    mutable = sum(1 for rule in playing.game.rules if rule.tier == "mutable")
    playing.law(library.cap_on_rules(mutable + 1))
    playing.changes = [nb.enact("One too many.", title="Too many")]
    playing.turns()
    assert playing.outcome == "without effect"


@pytest.mark.parametrize("system", SYSTEMS)
def test_sunset_for_new_rules(system):
    playing, number = adopted(system, library.sunset_for_new_rules(2))
    assert number in [rule.number for rule in playing.game.rules]
    playing.law(nb.enact("Short.", title="Short"))
    playing.until({"github-nomic": "begin_turn"}.get(system, "propose"))
    assert "Short" in [rule.title for rule in playing.game.rules]
    playing.turns()
    playing.until({"github-nomic": "begin_turn"}.get(system, "propose"))
    assert "Short" not in [rule.title for rule in playing.game.rules]
    assert number in [rule.number for rule in playing.game.rules]


@pytest.mark.parametrize("system", SYSTEMS)
def test_ending_after(system):
    playing, number = adopted(system, library.secret_ballots().ending_after(3))
    assert playing.game.law["vote.ballots"].value == "sealed"
    playing.turns(2)
    assert playing.game.law["vote.ballots"].value == "open"
    assert number not in [rule.number for rule in playing.game.rules]


def test_an_amendment_can_end_too():
    playing = Playing()
    number = playing.law(library.simple_majority().ending_after(2).change(203)).number
    assert playing.game.law["vote.quota"].rule == number
    playing.turns()
    assert not playing.game.law["vote.quota"].answered


@pytest.mark.parametrize("system", SYSTEMS)
def test_protected_rule(system):
    playing = Playing(system)
    playing.amended("quota", library.simple_majority())
    target = {"github-nomic": -104}.get(system, 209)
    number = playing.law(library.protected_rule(target)).number
    for change, outcome in (
        (nb.repeal(target), "defeated"),
        (nb.amend(target, "None."), "defeated"),
        (nb.repeal(number), "defeated"),
        (nb.enact("Other."), "adopted"),
    ):
        playing.against = {"Cleo"}
        playing.changes = [change]
        playing.turns()
        assert playing.outcome == outcome
    playing.against = set()
    playing.law(nb.repeal(target))


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_rule_rests(system):
    playing = Playing(system)
    resting = playing.law(nb.enact("Nobody says much.", law="forbid say")).number
    rest = playing.law(library.suspension(resting, 2)).number
    game = playing.game
    assert "suspended" in game.rules.void_reason(game.rules[resting])
    game.say("Ann", "Much.")
    playing.turns(1)
    assert game.rules.void_reason(game.rules[resting]) == ""
    assert game.rules.void_reason(game.rules[rest]) == ""
    with pytest.raises(nb.IllegalAction):
        game.say("Ann", "Much.")


@pytest.mark.parametrize("system", SYSTEMS[:2])  # in the other one, numbers come from outside
def test_many_changes_at_once_have_a_price(system):
    playing, number = adopted(system, library.price_of_bundles(2, 5))
    notes = [nb.enact(f"Note {at}.") for at in (1, 2, 3)]
    playing.changes = [nb.together(*notes[:2]), nb.together(*notes)]
    playing.turns(1)
    assert awards(playing, number) == []
    playing.turns(1)
    assert [points for _, points in awards(playing, number)] == [-5]


@pytest.mark.parametrize("system", SYSTEMS)
def test_cool_down(system):
    playing = Playing(system)
    playing.amended("quota", library.simple_majority())
    playing.law(library.cool_down(2))
    new = playing.law(nb.enact("New.")).number
    old = {"github-nomic": -104}.get(system, 209)
    playing.against = {"Cleo"}
    outcomes = []
    for change in (nb.repeal(new), nb.repeal(old), nb.repeal(new)):
        playing.changes = [change]
        playing.turns()
        outcomes.append(playing.outcome)
    assert outcomes == ["defeated", "adopted", "adopted"]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("rule", [library.newest_prevails(), library.highest_number_prevails()])
def test_which_rule_prevails(system, rule):
    playing = Playing(system)
    playing.law(nb.enact("Ten win.", law="set win.points to 1000"))
    lowest = {"github-nomic": 200}.get(system, 100)
    assert playing.game.law["win.points"].value == lowest
    playing.law(rule)
    assert playing.game.law["win.points"].value == 1000


@pytest.mark.parametrize(
    ("make", "given", "code"),
    [
        (library.dissent_bonus, (1001,), "figure-out-of-range"),
        (library.price_of_defeat, (-1,), "figure-out-of-range"),
        (library.bonus_for_adopted, (0,), "figure-out-of-range"),
        (library.milestone, (1,), "figure-out-of-range"),
        (library.milestone, (2, 0), "figure-out-of-range"),
        (library.several_proposals, (10,), "figure-out-of-range"),
        (library.length_limit, (0,), "figure-out-of-range"),
        (library.needed_word, ("a\\b",), "label-out-of-form"),
        (library.needed_word, ("a", 0), "figure-out-of-range"),
        (library.ritual, ("# remark",), "label-out-of-form"),
        (library.ritual, ("one\ntwo",), "label-out-of-form"),
        (library.later_effect, ("never",), "not-one-of-these"),
        (library.cap_on_rules, (0,), "figure-out-of-range"),
        (library.sunset_for_new_rules, (0,), "figure-out-of-range"),
        (library.protected_rule, ("203",), "figure-out-of-range"),
        (library.cool_down, (501,), "figure-out-of-range"),
        (library.tax().ending_after, (0,), "figure-out-of-range"),
    ],
)
def test_what_they_do_not_take(make, given, code):
    with refused(code, ValueError):
        make(*given)
