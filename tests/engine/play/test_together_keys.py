"""Changes made together: whole, or not at all; each judged by itself; the strictest of what they need."""

import pytest
import refusals
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from play_helpers import adopt, ballot, law, majority, open_up, refused, scores, sit, turn

import nomic_nb as nb

HATS, CAPS = nb.enact("Hats are worn."), nb.enact("Caps are worn.")


def test_the_first_has_the_number_of_the_proposal_and_the_others_those_behind_it():
    game = sit()
    made = adopt(game, nb.together(HATS, nb.amend(208, law="set win.points to 50"), CAPS))
    assert made.number == 301
    assert [game.rules[number].wording for number in (301, 303)] == ["Hats are worn.", "Caps are worn."]
    assert game.rules[302].law == "set win.points to 50"
    assert {rule.proposal for rule in (game.rules[301], game.rules[302], game.rules[303])} == {301, 302, 303}
    game.roll(game.player, 1)
    assert adopt(game, HATS).number == 304


def test_a_rule_knows_the_proposal_of_its_part():
    game = sit()
    law(game, "on enacted when rule.proposal != none and rule != this: award 3 points to rule.proposal.proponent")
    proposer, before = game.player, scores(game)
    adopt(game, nb.together(HATS, CAPS))
    assert scores(game)[proposer] - before[proposer] >= 6


def test_an_improper_part_is_named_and_nothing_is_proposed():
    game = sit()
    before = game.state.digest()
    with refused(game, "not-proposable", part=2, target=104, tier="immutable", change="amend rule 104", rule=103):
        game.propose(game.player, nb.together(HATS, nb.amend(104, "No.")))
    with refusals.refused("word-unknown", part=2, what="key", word="vote.crowd") as caught:
        game.propose(game.player, nb.together(HATS, nb.enact("So.", law="set vote.crowd to 2")))
    assert (caught.value.line, caught.value.column) == (1, 5)
    with refused(game, "rule-unknown", part=1, rule=999):
        game.propose(game.player, nb.together(nb.repeal(999), HATS))
    with refusals.refused("rule-changed-twice", part=2, rule=208):
        nb.together(nb.amend(208, "So."), nb.repeal(208))
    with refusals.refused("parts-out-of-range", most=50):
        nb.together(HATS)
    with refusals.refused("part-not-of-rule", part=1):
        nb.together(nb.together(HATS, CAPS), HATS)
    with refusals.refused("part-not-a-change", TypeError, part=2):
        nb.together(HATS, "Caps")
    assert game.state.digest() == before
    assert game.proposals.frame.empty


def test_a_part_may_use_what_another_one_tracks():
    game = sit()
    adopt(game, nb.together(
        nb.enact("Coins.", law="track coins per player from 3"),
        nb.enact("Pay.", law="on turn_ended: award 1 coins to player"),
    ))  # fmt: skip
    game.roll(game.player, 1)
    assert sorted(game.counters["coins"]) == [3, 3, 4]


def test_the_strictest_of_the_parts_is_needed():
    game = sit("Ann", "Ben", "Cleo", "Dee")
    majority(game)
    made = game.propose(game.player, nb.together(HATS, nb.transmute(112)))
    assert made.tally.quota == 4
    ballot(game, against=["Dee"])
    assert made.outcome == "defeated"
    assert game.rules[112].tier == "immutable"
    game.roll(game.player, 1)
    made = adopt(game, nb.together(HATS, CAPS), against=["Dee"])
    assert made.tally.quota == 3


def test_together_or_without_effect_together():
    game = sit()
    law(game, "require count(rules) <= 43")
    known = {rule.number for rule in game.rules}
    room = 43 - len(known)
    many = [nb.enact(f"Rule {at}.") for at in range(room + 1)]
    made = game.propose(game.player, nb.together(*many))
    ballot(game)
    assert made.outcome == "without effect"
    assert {rule.number for rule in game.rules} == known
    game.roll(game.player, 1)
    # In between, a part may break what the whole keeps to.
    assert adopt(game, nb.together(*many, nb.repeal(301 if 301 in game.rules else 210))).outcome == "adopted"


def test_another_form_in_the_debate_makes_as_many_changes():
    game = sit()
    made = game.propose(game.player, nb.together(HATS, CAPS), debate=True)
    for other in (HATS, nb.together(HATS, CAPS, apart=True), nb.together(HATS, CAPS, nb.repeal(208))):
        with refused(game, "form-of-other-parts", many=2):
            game.revise(made.proponent, other)
    game.revise(made.proponent, nb.together(HATS, nb.repeal(208)))
    game.call_vote(made.proponent)
    ballot(game)
    assert made.outcome == "adopted"
    assert 208 not in game.rules


def test_apart_they_are_voted_on_one_by_one():
    game = sit("Ann", "Ben", "Cleo")
    first = game.propose(game.player, nb.together(HATS, CAPS, apart=True))
    second = game.proposals[302]
    assert (first.number, str(first.change.headline), second.outcome) == (301, "enact “Hats are worn”", "open")
    for name in game.players:
        game.vote(name, "for", 301)
        game.vote(name, "against", 302)
    assert (first.outcome, second.outcome) == ("adopted", "defeated")


def test_limits_see_into_the_parts():
    game = sit()
    open_up(game, 103)
    number = law(game, 'forbid propose when "win.points" in change.keys\nprevails over everything')
    with refused(game, "not-proposable", part=2, rule=number):
        game.propose(game.player, nb.together(HATS, nb.amend(208, law="set win.points to 5")))


def test_what_rules_see_of_changes_together():
    game = sit()
    law(
        game,
        'on proposed when change.kind == "together" and count(change.parts) == 2 and count(targets) == 1 '
        'and any(one.kind == "amend" for one in change.parts) and mentions(change, "hats"): award 7 points to player',
    )
    before, proposer = scores(game), game.player
    game.propose(proposer, nb.together(HATS, nb.amend(208, "So.")))
    assert scores(game)[proposer] - before[proposer] == 7


def test_a_proposal_shows_its_parts():
    game = sit()
    change = nb.together(HATS, nb.amend(208, "Fifty win.", law="set win.points to 50"))
    found = game.review(game.player, change)
    assert found.proposable is True
    assert found.votes.passes is True
    assert "win.points" in {one.key for one in found.turned}
    made = game.propose(game.player, change)
    for text in (str(made), game.to_html(), game.to_markdown(), str(found)):
        assert "Hats are worn" in text
        assert "Fifty win" in text
    ballot(game)
    assert "rule 208 is amended and is now rule 302" in " ".join(game.history["what"])


PARTS = st.lists(
    st.sampled_from([
        HATS, CAPS, nb.enact("Rich.", law="set win.points to 80"), nb.amend(208, "So.", law="set win.points to 70"),
        nb.repeal(210), nb.transmute(205), nb.amend(203, law="set vote.quota to majority(vote.electorate)"),
        nb.repeal([206, 207]), nb.enact("Few.", law="require count(rules) < 35"), nb.transmute(111),
    ]), min_size=2, max_size=5, unique_by=lambda one: one.headline,
)  # fmt: skip


@examples(8)
@given(PARTS, st.booleans(), st.booleans())
def test_records_of_changes_together_play_again(tmp_path_factory, parts, apart, debate):
    game = sit("Ann", "Ben", seed=3)
    before = {rule.id: rule for rule in game.state.rules}
    made = game.propose(game.player, nb.together(*parts, apart=apart), debate=debate)
    while calls := [one for one in game.pending if one.action == "call_vote"]:
        game.call_vote(calls[0].player, proposal=calls[0].proposal)
    while voters := [one for one in game.pending if one.action == "vote"]:
        game.vote(voters[0].player, "for", voters[0].proposal)
    if not apart and made.outcome != "adopted":  # nothing half done
        assert made.outcome == "without effect"
        assert {rule.id: rule for rule in game.state.rules} == before
    path = tmp_path_factory.mktemp("bundles") / "game.jsonl"
    game.save(path)
    assert nb.load(path).state.digest() == game.state.digest()
    assert nb.engine.law.changes.change_from_json(nb.together(*parts, apart=apart).to_json()) == nb.together(
        *parts, apart=apart
    )


# other forms of proposals


def in_motion(on_revision="keep", votes=("for", "for", None, None), change=None, system="discordian-nomic"):
    """Four at a table that lets proposals be revised; Ann's is under vote, and a motion on it waits to be made."""
    game = sit("Ann", "Ben", "Cleo", "Dee", system=system)
    open_up(game, 103)
    majority(game)
    law(game, 'allow propose when change.kind == "revise"\nprevails over everything\n'
        f'set vote.on_revision to "{on_revision}"\n'
        'on proposed when change.kind != "revise": oblige following(player) to propose')  # fmt: skip
    return game


def test_nobody_gives_a_proposal_another_form_where_the_law_does_not_let_them():
    game = sit()
    first = game.propose(game.player, HATS, debate=True)
    with refused(game, "turn-of-another"):
        game.propose("Ben", nb.reword(first.number, "Wigs are worn."))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (nb.reword(999, "Wigs."), {"code": "proposal-unknown", "proposal": 999}),
        (nb.reword(301, "Wigs."), {"code": "proposal-decided", "status": "adopted"}),
    ],
)
def test_a_revision_is_of_a_proposal_that_is_open(change, said):
    game = in_motion()
    with refused(game, **said):
        game.propose(game.player, change)


def revised_in_vote(on_revision, wording="Wigs are worn.", title="", system="discordian-nomic"):
    """A vote in which two have voted for it, when a proposal gives it another form."""
    game = in_motion(on_revision, system=system)
    first = game.propose(game.player, HATS)
    voters = list(game.players)
    for name in voters[:2]:
        game.vote(name, "for", first.number)
    mover = next(one.player for one in game.pending if one.action == "propose")
    second = game.propose(mover, nb.reword(first.number, wording, title=title))
    for name in voters:
        if second.outcome == "open" and name not in second.ballots:
            game.vote(name, "for", second.number)
    assert second.outcome == "adopted"
    return game, first, mover


def test_vote_on_revision_keep():
    game, first, mover = revised_in_vote("keep")
    assert (first.wording, first.number, list(first.ballots)) == ("Wigs are worn.", first.number, ["Ann", "Ben"])
    assert first.as_it_stands.movers[-1] == mover
    ballot(game)
    assert game.rules[first.number].wording == "Wigs are worn."


def test_vote_on_revision_void():
    game, first, _ = revised_in_vote("void")
    assert (first.outcome, dict(first.ballots)) == ("open", {})
    ballot(game)
    assert first.outcome == "adopted"


def test_vote_on_revision_keep_if_the_same():
    _, first, _ = revised_in_vote("keep if the same")
    assert dict(first.ballots) == {}
    _, first, _ = revised_in_vote("keep if the same", "hats are  WORN.", title="Heads")
    assert list(first.ballots) == ["Ann", "Ben"]


def test_a_form_that_cannot_be_is_refused_and_another_needs_what_its_kind_needs(tmp_path):
    game, first, mover = revised_in_vote("keep")
    assert "no key vote.crowd" in str(game.review(mover, nb.reword(first.number, law="set vote.crowd to 2")).error)
    assert "Revise proposal" in str(game.review(mover, nb.reword(first.number, "Veils are worn.")))
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


# another name for what is counted


def test_a_counter_is_called_otherwise_and_nothing_is_lost():
    game = sit()
    number = law(game, "track coins per player from 3\ntrack pot per game from 1\n"
                 'on said when text == "please" and player.coins < win.points: award 1 coins to player\n'
                 'on counted when counter == "coins": put pot at game.pot + 1',
                 "A player who says please gets a coin. Coins count.")  # fmt: skip
    game.say("Ben", "please")
    before = list(game.counters["coins"])
    change = nb.rename("coins", "pearls")
    assert "pearls" in str(game.review(game.player, change))
    made = game.propose(game.player, change)
    ballot(game)
    assert made.outcome == "adopted"
    rule = game.rules[made.number]
    assert number not in [one.number for one in game.rules]
    assert list(game.counters["pearls"]) == before
    assert "coins" not in game.counters
    assert "award 1 pearls to player" in rule.law
    assert 'counter == "pearls"' in rule.law
    assert "player.pearls < win.points" in rule.law
    assert rule.wording == "A player who says please gets a pearl. Pearls count."
    game.say("Cleo", "please")
    assert sorted(game.counters["pearls"]) == sorted([*before[:2], before[2] + 1])


def test_points_are_called_otherwise_with_all_that_brings_them():
    game = sit()
    open_up(game, 112)
    made = adopt(game, nb.rename("points", "eggs"))  # “the point where”, in an immutable rule, is another word
    assert any("award throw.points eggs to player" in one.law for one in game.rules)
    assert made.outcome == "adopted"
    game.roll("Ben", 5)
    assert list(game.counters["eggs"]) == [1, 5, 0]


def test_a_name_that_cannot_be_is_refused():
    game = sit()
    with refusals.refused("counter-unknown", counter="coins"):
        game.propose(game.player, nb.rename("coins", "pearls"))
    law(game, "track coins per player from 3")
    for name in ("points", "Pearls", "a.b", "x__y"):
        with refusals.refused("counter-name-unfit"):
            game.propose(game.player, nb.rename("coins", name))
    with refusals.refused("name-not-for-counter"):
        game.propose(game.player, nb.rename("coins", "name"))
    with refused(game, "not-proposable", part=1, target=112, tier="immutable"):
        game.propose(game.player, nb.rename("points", "stars"))


def test_an_effect_repeals_several():
    game = sit()
    law(game, 'on said when text == "away with them": repeal [r for r in rules if r.title == "Hats"]')
    turn(game, nb.enact("Hats.", title="Hats"))
    turn(game, nb.enact("Big hats.", title="Hats"))
    game.say("Ann", "away with them")
    assert "Hats" not in [rule.title for rule in game.rules]


RENAMED_MEANWHILE = """track coins per player from 10
on adopted: award 1 coins to proponent
set counter.value to min([otherwise, 12]) while counter == "coins"
on said when text == "later": after 1 turns: each p in playing when p.coins > 9: award -p.coins + 2 coins to p
on said when text == "pay": after 1 turns: pay 2 coins from player to next_player
on said when text == "ask": let player choose n from numbers(1, player.coins) within 3 turns else 1;
    put coins of player at n
"""


def renamed_while(said):
    """A game in which coins come to be called stars while something of coins has begun and is not done."""
    game = sit()
    law(game, RENAMED_MEANWHILE)
    game.say("Cleo", said)
    adopt(game, nb.rename("coins", "stars"))
    return game


def test_what_the_renaming_sets_off_counts_what_is_renamed():
    game = renamed_while("nothing")
    assert not game.state.questions
    assert game.counters["stars"].tolist() == [10, 11, 10]


def test_what_was_put_off_counts_what_is_renamed_meanwhile(tmp_path):
    game = renamed_while("later")
    game.roll(game.player, 1)
    assert game.counters["stars"].tolist() == [2, 2, 2]
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def test_what_is_still_to_be_paid_and_to_be_answered_counts_what_is_renamed_meanwhile():
    game = renamed_while("pay")
    game.roll(game.player, 1)
    assert sum(game.counters["stars"]) == 31
    other = renamed_while("ask")
    other.choose("Cleo", 4)
    assert other.counters["stars"]["Cleo"] == 4


def test_what_rules_said_of_a_counter_holds_in_the_step_in_which_it_is_renamed():
    game = sit()
    law(game, RENAMED_MEANWHILE + "on adopted: award 5 coins to proponent")
    adopt(game, nb.rename("coins", "stars"))
    assert game.counters["stars"].tolist() == [10, 12, 10]
