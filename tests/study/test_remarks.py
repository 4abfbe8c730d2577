"""What those who vote are told is odd about a proposal: a line each, found once, and in the review too."""

from __future__ import annotations

import pytest
from make_a_rule_helpers import begun, multiverse, name_king
from panels.pages import Page
from play_helpers import law, majority, sit
from study.warned import draft_remarks, told, warned

import nomic_nb as nb
from nomic_nb.engine.law.nodes import STEPS_PER_ACTION
from nomic_nb.engine.play.trial_adoption import calm_state, try_adoption
from nomic_nb.study.review import remarks as module
from nomic_nb.study.review.dry_run import dry_run, try_consequences
from nomic_nb.study.review.remarks import (
    NOT_TRIED,
    STEPS_PER_WARNING_RUN,
    STILL_LOOKING,
    quick_remarks,
    remarks_on,
)
from nomic_nb.study.views.remarks import MOST

FREE = {"win.points": 10**9}


@pytest.fixture
def game():
    return sit(terms=FREE)


def lines(game, change):
    """The lines for voters, and see that the review has each of them."""
    proposal = game.propose(game.player, change)
    found = proposal.remarks
    signs = dict(one.statement_and_reason for one in game.review(game.player, change).warnings)
    assert all(signs[one.line] in one.evidence for one in found)
    assert found.untried == ""
    return [one.line for one in found]


# ------------------------------------------------------------------------------- what counts as odd


@pytest.mark.parametrize(
    ("change", "code", "values"),
    [
        (nb.enact("Twelve.", "set dissent.points to 12"), "always-defeated", {"rule": 204, "below": 204}),
        (nb.enact("No leaving.", "forbid forfeit when turn > 4"), "void-at-once", {"rule": 301, "against": 113}),
        (nb.enact("Nobody has to vote.", "set vote.duty to false"), "void-at-once", {"key": "vote.duty"}),
        (
            nb.enact("As it is.", "set dissent.points to 10 while turn > 5\nprevails over 204"),
            "changes-nothing", {"when": "turn > 5"},
        ),
        (nb.enact("Yes and no.", "allow skip\nforbid skip"), "clauses-contradict", {"other": "forbid skip"}),
        (nb.enact("Ann wins.", f'on enacted: award {10**9} points to "Ann"'), "somebody-wins", {"players": "Ann"}),
        (nb.enact("Hush.", "forbid call_vote when turn > 5"), "awaited-forbidden", {"when": "turn > 5"}),
        (nb.enact("A pet.", 'on enacted when rule == this: enter player "Dum" as dummy'), "change-closed", {}),
        (nb.enact("A dummy.", 'on turn_begun: enter player "Dum" as dummy'), "dummy-without-ballot", {}),
        (nb.enact("Not every turn.", "forbid propose when turn % 3 == 0"), "nobody-can-propose", {"rule": 301}),
        (nb.enact("Stop.", 'on part_begun when part == "thrwo": end part'), "part-unknown", {"name": "thrwo"}),
        (nb.enact("Stop.", 'on said when part in ["throw", "end"]: end part'), "part-unknown", {"name": "end"}),
        (
            nb.enact("None.", 'forbid propose when "imutable" == target.tier'),
            "part-unknown", {"kind": "tier", "name": "imutable"},
        ),
        (nb.repeal(205), "term-missing", {"term": "change.effective"}),
        (
            nb.enact("The last word.", 'on vote_closed: cast "for" for "Ann"'),
            "decided-already", {},
        ),
    ],
)  # fmt: skip
def test_what_voters_are_told(game, change, code, values):
    assert lines(game, change)
    assert warned(game.proposals[301].remarks, code, **values)


@pytest.mark.parametrize(
    "clauses",
    ['on part_begun when part == "throw": end part', 'forbid propose when target.tier in ["immutable", "reading"]',
     'set turn.parts to ["proposal", "throw", "rest"]\non part_begun when part == "rest": end part'],
)  # fmt: skip
def test_a_part_that_the_change_itself_brings_is_not_odd(game, clauses):
    assert not any("no rule in force has" in one for one in lines(game, nb.enact("So be it.", clauses)))


def test_what_is_meant_stands_with_a_part_that_there_is_not(game):
    remarks = game.propose("Ann", nb.enact("Stop.", 'on part_begun when part == "thrwo": end part')).remarks
    assert warned(remarks, "part-unknown", meant="“throw”")


def test_a_share_where_votes_are_counted(game):
    change = nb.amend(203, "Two thirds of the votes adopt.", "set vote.quota to 2/3")
    assert told(game.propose("Ann", change).remarks) == [("quota-of-one-vote", {"quota": "2/3"})]
    meant = nb.amend(203, "Two thirds of the votes adopt.", "set vote.quota to 2/3 * unanimity(vote.electorate)")
    assert lines(sit(terms=FREE), meant) == []


def test_a_share_that_is_as_much_as_several_ballots_is_not_odd(game):
    law(game, "set vote.weight to 1/3\nprevails over 207")
    assert lines(game, nb.enact("Two of three.", "set vote.quota to 2/3\nprevails over everything")) == []


def test_no_vote_is_needed(game):
    change = nb.amend(203, "Nothing is needed.", "set vote.quota to 0")
    assert lines(game, change)
    assert warned(game.proposals[301].remarks, "quota-nothing", quota=0, rule=301)


def test_words_without_their_clauses(game):
    assert lines(game, nb.amend(208, "Fifty points win.")) == ["its wording says 50, but no clause does"]
    other = sit()
    (one,) = other.propose("Ann", nb.amend(208, "Whoever has 100 points first has won.")).remarks
    assert one.line == "only the wording changes, not the clauses"
    assert one.evidence == "“set win.points to 100”"
    assert lines(sit(), nb.amend(208, title="Winning")) == []


def test_a_clause_without_its_words(game):
    enacted = nb.enact("Fifty points are enough.", "set win.points to 100\nprevails over 208")
    assert lines(game, enacted) == ["its wording says 50, but no clause does"]
    assert lines(sit(), nb.amend(208, law="set win.points to 30")) == ["its wording says 100, but no clause does"]


@pytest.mark.parametrize(
    ("wording", "clauses"),
    [
        ("Fifty points are enough.", "set win.points to 50\nprevails over everything"),
        ("Sixes count double.", "set throw.points to face * 2 while face == 6"),
        ("In the first 3 circuits 50 points win.", "set win.points to 50 while circuit < 4\nprevails over everything"),
        ("By rule 208 one wins; more is needed.", "set win.points to 120\nprevails over everything"),
        ("Dissent costs ten points.", "set dissent.points to -10\nprevails over everything"),
    ],
)
def test_numbers_that_fit(game, wording, clauses):
    assert lines(game, nb.enact(wording, clauses)) == []


def test_vague_words_are_for_the_review(game):
    change = nb.enact("Players should be reasonable, and so on.")
    assert lines(game, change) == []
    assert game.review("Ann", change).warnings


def test_no_more_lines_than_are_read(game):
    many = "\n".join(f"set dissent.points to {at} while turn == {at}" for at in range(20, 30))
    proposal = game.propose("Ann", nb.enact("Much.", many))
    assert (len(proposal.remarks), proposal.remarks.hidden_count) == (MOST, 10 - MOST)
    assert str(proposal).splitlines()[-1] == "Check before you vote: and 5 more in the full review."


# ------------------------------------------------------------------------------ what must be tried

COSTLY = "\n".join(
    ["on thrown when face == 6: award 1 points to playing"]
    + [f"on counted when any(p == -{at} for p in numbers(1, 9900)): award 50 points to player" for at in range(60)]
)


def test_a_rule_that_makes_one_throw_costly_is_seen_before_the_vote(game):
    change = nb.enact("Whoever counts, everyone counts long.", COSTLY)
    assert warned(game.review("Ann", change), "steps-too-many", rule=301, most=STEPS_PER_ACTION)
    remarks = game.propose("Ann", change).remarks
    assert told(remarks) == [("steps-many", {"rule": 301, "steps": STEPS_PER_WARNING_RUN, "most": STEPS_PER_ACTION})]


def test_the_rule_that_takes_long_is_named_whatever_was_looked_at_before():
    game = sit()
    costly = "set win.points to otherwise + 0 * count(n for n in numbers(1, 1500))"
    law(game, f"{costly}\non thrown: award 1 points to player")
    state = calm_state(game.state)
    assert try_consequences(state, "Ann", STEPS_PER_ACTION) == ((), ())  # now it is known what win.points is
    assert try_consequences(state, "Ann", 5_000) == ((), (301,))
    change = nb.enact("More.", "on adopted: award 1 points to mover")
    try_adoption(state, change, "Ann", 302)
    assert try_adoption(state, change, "Ann", 302, steps=2_000).costly == (301,)


def test_what_only_one_face_or_one_player_sets_off_is_tried(game):
    more = "on counted when amount != 0: award 1 points to player"
    for when in ("face == 6", 'player.name == "Cleo"'):
        change = nb.enact("More.", f"on thrown when {when}: award face points to player\n{more}")
        proposal = sit(terms=FREE).propose("Ann", change)
        assert warned(proposal.remarks, "effects-endless", what="rule 301 triggers itself forever")


def test_a_look_that_takes_too_long_is_given_up(game, monkeypatch):
    monkeypatch.setattr(module, "STEPS_PER_WARNING_RUN", 1_600)  # enough to look at it, and not to try it
    proposal = game.propose("Ann", nb.amend(203, "Two thirds.", "set vote.quota to 2/3"))
    assert proposal.remarks.untried == NOT_TRIED
    assert warned(proposal.remarks, "quota-of-one-vote", quota="2/3")


def test_at_once_what_needs_no_trying(game):
    clauses = f'set dissent.points to 12\non enacted: award {10**9} points to "Ann"'
    proposal = game.propose("Ann", nb.enact("Ann wins.", clauses))
    first = quick_remarks(game.state, proposal.number)
    assert [one.line for one in first] == ["“set dissent.points to 12” would have no effect"]
    assert first.untried == STILL_LOOKING
    assert [one.line for one in proposal.remarks] == ["Ann would win at once (rule 112)", *(one.line for one in first)]
    assert quick_remarks(game.state, proposal.number) is proposal.remarks


# --------------------------------------------------------------------------------------- found once


def test_found_once_for_this_form_and_this_law(game, monkeypatch):
    looks = []

    def counted(base, change, *given, **more):
        looks.append(change)
        return dry_run(base, change, *given, **more)

    monkeypatch.setattr(module, "dry_run", counted)
    proposal = game.propose("Ann", nb.enact("Twelve.", "set dissent.points to 12"), debate=True)
    for shown in (str(proposal), str(game), proposal._repr_html_()):
        assert "would have no effect" in shown
    assert len(looks) == 1
    game.revise("Ann", nb.enact("Eleven.", "set dissent.points to 11"))
    assert "set dissent.points to 11" in str(proposal)
    assert len(looks) == 2
    game.call_vote("Ann")
    game.vote("Ann", "for")
    assert "“set dissent.points to 11” would have no effect" in game._repr_html_()
    assert len(looks) == 2


def test_once_the_vote_is_closed_nothing_is_left_to_think_of(game):
    proposal = game.propose("Ann", nb.enact("Twelve.", "set dissent.points to 12"))
    assert proposal.remarks
    for name in game.players:
        game.vote(name, "for")
    assert not proposal.remarks
    assert "Check before you vote" not in str(proposal)


def test_looking_changes_nothing(game):
    majority(game)
    proposal = game.propose("Ben", nb.enact("Sixes.", "on thrown when face == 6: award 6 points to player"))
    before = game.state.digest(), len(game.timeline.events)
    remarks_on(game.state, proposal.number)
    draft_remarks(game.state, "Ben", nb.repeal(204))
    assert (game.state.digest(), len(game.timeline.events)) == before


@pytest.mark.parametrize(
    ("law", "said"),
    [
        ('on adopted: award 5 points to "ann"', {"player": "ann", "meant": "Ann"}),
        ('on adopted: award 5 points to "Zoe"', {"player": "Zoe"}),
        ('on adopted: pay 1 points from "Ben" to "Anne"', {"meant": "Ann"}),
        ('forbid give when player.name == "Cloe"', {"meant": "Cleo"}),
        ('set vote.weight to otherwise + 1 while voter == player_named("Bem")', {"meant": "Ben"}),
        ('on adopted: award 5 points to "Ann"', None),
        ('on enacted when rule == this: enter player "Zoe" as person; award 5 points to "Zoe"', None),
        ('forbid give when player.name == "Ann"', None),
    ],
)
def test_a_name_that_nobody_has_is_remarked_upon(law, said):
    proposal = sit().propose("Ann", nb.enact("As it says.", law=law))
    assert warned(proposal.remarks, "player-unknown", **(said or {})) is (said is not None)


@pytest.mark.parametrize(
    ("law", "said"),
    [
        ('piece N moves "NW" while army.name == "purple"', {"kind": "army", "name": "purple"}),
        ('on moved when piece.army == army_named("purple"): announce "Hm."', {"kind": "army", "name": "purple"}),
        ('on moved when board_named("Zaphod:9").held: announce "Hm."', {"kind": "board", "name": "Zaphod:9"}),
        (
            'on moved when target == square_named("Zaphod:9.e4"): announce "Hm."',
            {"kind": "board", "name": "Zaphod:9"},
        ),
        ('piece Z moves "W"', {"kind": "Z"}),
        ('piece N moves "NW" while army.name == "white"', None),
        ('on enacted when rule == this: enter army "azure" for player\npiece N of army_named("azure") moves "W"', None),
    ],
)
def test_a_name_that_nothing_has_is_remarked_upon(law, said):
    found = draft_remarks(begun(2).state, "Ben", nb.enact("As it says.", law=law))
    unknown = [values for code, values in told(found) if code in ("thing-unknown", "piece-unknown")]
    assert any(said.items() <= values.items() for values in unknown) if said else not unknown


def test_a_draft_where_the_law_supposes_its_adoption_meets_no_fault(caplog):
    caplog.set_level("DEBUG", "nomic_nb")
    game = multiverse(restricted=True)
    name_king(game)
    draft_remarks(game.state, game.player, nb.repeal("R10"))
    assert [one.getMessage() for one in caplog.records if "fault" in one.getMessage()] == []


def test_a_draft_that_takes_too_many_steps_says_that_it_was_not_looked_at_to_the_end():
    game, law = sit(), "set vote.quota to count(n for n in numbers(1, 3000) if n < 4)"
    assert draft_remarks(game.state, "Ann", nb.amend(203, law="set vote.quota to 2")).untried == ""
    found = draft_remarks(game.state, "Ann", nb.amend(203, law=law))
    assert (list(found), found.untried) == ([], module.NOT_SEEN)
    sent = {"kind": "amend", "target": 203, "law": law}
    told = Page(game, "Ann").send({"id": "1", "ask": "change", "details": {"change": sent}})
    assert told["odd"] == [[module.NOT_SEEN, ""]]


HEARD = 'track heard per player from 0\non said when text == "aye": put heard of player at 1\n'


@pytest.mark.parametrize(
    "clauses",
    [
        "forbid propose when change.length > 40",
        "forbid propose when change.title == none",
        'forbid propose when not mentions(change, "please")',
        "forbid propose when player.points < 0",
        "forbid propose when change.together == 1",
        f"{HEARD}forbid rule_on when player.heard == 0\nprevails over everything",
        f"{HEARD}forbid call_vote when player.heard == 0",
        f"{HEARD}forbid roll when player.heard == 0\nprevails over everything",
        f"{HEARD}forbid begin_turn when player.heard == 0\nprevails over everything",
        f"{HEARD}forbid propose when all(p.heard == 0 for p in playing)",
        "forbid overrule when turn > 1",
        "forbid end_turn when turn > 1",
        "forbid close_vote when turn > 1",
        "forbid begin_turn when not player.present\nprevails over 201 on may.begin_turn",
        (
            'track office per text as text from "Ann"\n'
            'on said when text == "me" and player.name == office("secretary"): '
            'award 1 points to player; put office("treasurer") at player.name'
        ),
        (
            "track free per player as truth from false\n"
            'offer "free us" when not player.free: put free of player at true\n'
            "set vote.quota to (otherwise if any(p.free for p in playing) else 9)"
        ),
        'set counter.value to min([otherwise, win.points - 1]) while counter == "points"',
    ],
)
def test_nothing_is_said_against_a_ban_that_leaves_a_way_to_go_on(game, clauses):
    found = lines(game, nb.enact("So be it.", clauses))
    alarms = ("nobody could propose", "play can get stuck", "no longer be possible", "no player has that name",
              "changes nothing", "nobody could begin")  # fmt: skip
    assert not [one for one in found if any(alarm in one for alarm in alarms)]
    found = [str(one) for one in game.review("Ann", nb.enact("So be it.", clauses)).warnings]
    assert not [one for one in found if any(alarm in one for alarm in alarms)]


@pytest.mark.parametrize(
    ("clauses", "alarm"),
    [
        ("forbid propose when player.points < 50", "nobody could propose while player.points < 50"),
        ("forbid propose when change.together >= 1", "nobody could propose while change.together >= 1"),
        ("forbid roll when turn > 1\nprevails over everything", "play can get stuck"),
        ("track heard per player from 0\nforbid call_vote when player.heard == 0", "where rule 111 allows it"),
        ('forbid rule_on when player.name == "Cleo"', "play can get stuck"),
        ('on said: award 1 points to "Bob"', "names Bob, but no player has that name"),
        (
            'on said when player.name in ["Ann", "Bob"]: award 1 points to player',
            "names Bob, but no player has that name",
        ),
    ],
)
def test_a_ban_that_leaves_no_way_to_go_on_is_told_before_the_vote(game, clauses, alarm):
    assert any(alarm in str(one) for one in game.review("Ann", nb.enact("So be it.", clauses)).warnings)
