"""Loopholes: only three kinds of claim, each one earned; certificates that replay; and holes planted in plain laws."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play_helpers import adopt, law, majority, open_up, sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.play.values import Decision
from nomic_nb.study.search import moves
from nomic_nb.study.search.loopholes import find_loopholes
from nomic_nb.study.search.search import Search

TABLE = {"dice": "table"}


def search(game, who="Ann", others="against", goal="win", **more):
    """What a search from here finds, with time enough."""
    return find_loopholes(game.timeline, who, others, goal, seconds=120, **more)


def played(found):
    """Whether each certificate leads a new game, begun by its cells, to the end that it promises."""
    for one in found.certificates:
        names = {}
        for cell in one.cells:
            exec(cell, names)  # noqa: S102 - the kit wrote it
        assert names["game"].winners == one.timeline.state.winners
    return bool(found.certificates)


# ------------------------------------------------------------------------------------------------ the honest frame


@pytest.mark.parametrize("must", [True, False])
@pytest.mark.parametrize("who", ["Ann", "Ben"])
def test_a_decision_of_an_unknown_kind_makes_the_claim_undecided(monkeypatch, must, who):
    usual = moves.decisions
    unknown = Decision(who, "somersault", "turn over", must=must)
    monkeypatch.setattr(moves, "decisions", lambda state: (*usual(state), unknown))
    found = search(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7), depth=1)
    assert found.claim.startswith("not decided: ")
    assert "the search doesn’t know the action “somersault”" in found.reasons


@pytest.mark.parametrize("others", moves.OTHERS)
@pytest.mark.slow
def test_a_decision_of_an_unknown_kind_makes_the_claim_undecided_however_others_vote(monkeypatch, others):
    usual = moves.decisions
    unknown = Decision("Ann", "somersault", "turn over", must=False)
    monkeypatch.setattr(moves, "decisions", lambda state: (*usual(state), unknown))
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    for goal in ("lock", "gain", "stuck", "turn > 1000"):
        found = search(game, others=others, goal=goal, depth=1)
        assert not found.claim.startswith("none")


def test_an_action_of_an_unknown_kind_makes_the_claim_undecided(monkeypatch):
    monkeypatch.setattr(moves, "KNOWN_ACTIONS", moves.KNOWN_ACTIONS - {"forfeit"})
    assert "the search doesn’t know the action “forfeit”" in search(sit(), depth=1).reasons


def test_used_up_time_makes_the_claim_undecided():
    assert "time is up" in find_loopholes(sit().timeline, "Ann", seconds=0.001).claim


def test_used_up_steps_make_the_claim_undecided_the_same_way_each_time():
    first, second = (search(sit(), steps=300) for _ in range(2))
    assert "the steps are used up" in first.claim
    assert (first.claim, first.counts) == (second.claim, second.counts)


def test_a_search_that_is_stopped_is_undecided(monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Search, "_follow", stop)
    assert search(sit()).claim == "not decided: the search was stopped"


def test_a_question_to_the_players_makes_the_claim_undecided():
    game = sit(**TABLE)
    majority(game)
    law(game, 'on said when text == "ask": put points of player at 1 / (turn - turn)')
    assert "a line ends in a question to the players" in search(game, depth=1).reasons


@pytest.mark.slow
def test_assigned_numbers_make_the_absence_undecided():
    game = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    assert "only some numbers of proposals were tried" in search(game, goal="lock", depth=1).reasons


@pytest.mark.slow
def test_words_that_no_rule_names_make_the_absence_undecided():
    game = sit(**TABLE)
    majority(game)
    law(game, "on said when text != player.name: award 1 points to player")
    assert "only some forms of “say” were tried" in search(game, depth=1).reasons


def test_others_away_make_the_absence_undecided_if_play_waits_for_them():
    found = search(sit(), others="absent", depth=1)
    assert found.certificates or found.reasons


def test_none_names_its_bounds():
    assert search(sit(), depth=1).claim.startswith("none within 1 deed and a round after each, over ")


def test_what_a_search_cannot_use_is_refused():
    with refused("search-bound", ValueError, what="depth"):
        search(sit(), depth=0)
    with refused("not-one-of-these", ValueError, what="others"):
        search(sit(), others="asleep")
    with refused("no-such-goal", ValueError):
        search(sit(), goal="player.hats >")
    with refused("no-such-goal", ValueError):
        search(sit(), goal="hats > 3")
    with refused("search-for-nobody", ValueError):
        search(sit(), who=[])


def test_the_game_stays_as_it_was():
    game = sit()
    digest, events = game.state.digest(), len(game.timeline.moments)
    search(game, depth=1)
    assert (game.state.digest(), len(game.timeline.moments), list(game.forks)) == (digest, events, [])


# --------------------------------------------------------------------------------------- holes in published rules


def test_one_player_wins_github_nomic_against_all_others():
    found = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=7).loopholes("Ann")
    assert found.claim == "found: Ann wins with 1 deed, others against, rolls at their worst"
    assert played(found)
    assert {-111, -105} <= set(found.certificates[0].rules)
    assert found.certificates[0].play().winners == ("Ann",)


def test_the_player_on_turn_wins_with_the_judge_if_nobody_stops_the_order_to_end_play():
    players = ["Ann", "Ben", "Cleo"]
    game = nb.new_game("discordian-nomic", players, seed=7)
    game.invoke_judgment("Ann", "Can play continue?")
    found = game.loopholes([game.judgments[1].judge, "Ann"], "for", depth=1)
    assert found.certificates
    assert "end play" in str(found.certificates[0].deeds[0].details)
    assert found.certificates[0].play().winners == ("Ann",)


# ------------------------------------------------------------------------------------------------- planted laws


def planted(clauses, twin):
    """Two games in which Ann is on turn: one with a rule that has a hole, the other with a rule without it."""
    games = []
    for rule in (clauses, twin):
        game = sit("Ann", "Ben", **TABLE, terms={"win.points": 50})
        law(game, rule, face=2)
        law(game, "", face=2)
        games.append(game)
    return games


PAY, COST = "award 60 points to player", "award -6 points to player"
PAIRS = {  # how many deeds it takes, and a rule; its twin takes where it pays
    "a word": (1, 'on said when text == "please": PAY'),
    "a word of a list": (1, 'on said when text in ["gold", "silver"]: PAY'),
    "any other word": (1, 'on said when text != "please": PAY'),
    "a word in an effect": (1, 'on said: when text == "gold": PAY'),
    "a free act": (1, 'on free_act when text == "dance": PAY'),
    "a definition": (1, 'on defined when word == "gold": PAY'),
    "a suggestion": (1, "on fix_suggested: PAY"),
    "a report of oneself": (1, 'on deed when name == "yawning": PAY'),
    "an offer": (1, 'offer "rest": PAY'),
    "a gift": (1, 'allow give when counter == "points"\non gave: PAY'),
    "a gift of more than one": (1, 'allow give when counter == "points"\non gave when amount > 1: PAY'),
    "own absence": (1, "on returned: PAY"),
    "an appeal": (1, "on judgment_invoked: PAY"),
    "a title": (1, 'on proposed when change.title == "Gold": PAY'),
    "words": (1, 'on proposed when mentions(change, "gold"): PAY'),
    "a kind of change": (1, 'on proposed when change.kind == "transmute": PAY'),
    "a change of a rule with a number": (1, "on proposed when target == rule_numbered(206): PAY"),
    "a change of this rule": (1, "on proposed when target == this: PAY"),
    "own vote": (2, 'on balloted when ballot == "against" and player == proponent: PAY'),
    "the first vote": (2, "on balloted when votes_cast == 1 and player == proponent: PAY"),
    "the last vote": (2, "on balloted when votes_cast == 2 and player == proponent and votes_against == 1: PAY"),
    "later": (2, 'on said when text == "later": after 1 turns: PAY'),
    "a choice": (1, 'on said when text == "ask": let player choose pick from ["a", "b"]\non chosen: PAY'),
    "a gate": (
        2,
        """track gate per player from 0
on said when text == "open": put gate of player at 1
on said when text == "take" and player.gate == 1: PAY""",
    ),
    "between the ballots": (
        2,
        """track debt per player from 0
on balloted when ballot == "against" and player != proponent: put debt of proponent at 1
on turn_ended: put debt of player at 0
on said when text == "sue" and player.debt == 1: PAY""",
    ),
}
SWAP = """track flag per player from 0
on said when text == "a": put flag of player at 1
on said when text == "b" and player.flag == 1: put flag of player at 0; award {} points to player"""
WORTH = 'on said when text == "{}": award {} points to player'
ALONE = "set vote.ends_early to true\non defeated when votes_cast == 1 and not proponent in opponents"
#: What tells proposals apart after they are made, so that the search cannot follow one for all of them to the end.
APART = {
    "a title at the end": 'on defeated when change.title == "Gold"',
    "a title between the ballots": 'on balloted when change.title == "Gold" and player != proponent',
    "the end of a repeal": 'on defeated when change.kind == "repeal" and target == rule_numbered(206)',
}
HOLES = {name: (deeds, law.replace("PAY", PAY), law.replace("PAY", COST)) for name, (deeds, law) in PAIRS.items()} | {
    "defeat pays": (1, "on defeated: award 60 points to proponent", "on defeated: award -1 points to proponent"),
    "interest at any time": (1, WORTH.format("interest", 2), WORTH.format("interest", -2)),
    "a penny": (1, WORTH.format("penny", 1), WORTH.format("penny", -1)),
    "a loop of two words": (2, SWAP.format(5), SWAP.format(-5)),
    **{name: (1, *(f"{law}: award {by} points to proponent" for by in (60, -6))) for name, law in APART.items()},
    "no vote": (2, *(f"{ALONE}: award {by} points to proponent" for by in (60, -6))),
    "low quota": (1, "set vote.quota to 1\nprevails over everything", "set vote.quota to 2\nprevails over everything"),
    "low quota for a title": (
        1,
        'set vote.quota to 1 while change.title == "Peace"\nprevails over everything',
        'set vote.quota to 2 while change.title == "Peace"\nprevails over everything',
    ),
    "a choice of others": (
        1,
        'on said when text == "ask": let next_player choose pick from ["a", "b"]; award 60 points to player',
        'on said when text == "ask": let next_player choose pick from ["a", "b"]; when pick == "a": ' + PAY,
    ),
}
#: Holes whose twins are searched: whatever is found elsewhere replays, so no twin can have a hole that is none.
TWINS = ("a word", "an offer", "a title", "later", "a gate", "low quota", "a choice of others", "no vote")
#: Holes that only somebody can use who does not vote at once.
WITHHELD = ("the last vote", "no vote")


@pytest.mark.slow
@pytest.mark.parametrize("name", HOLES)
def test_a_planted_hole_is_found_and_its_twin_has_none(name):
    depth, *rules = HOLES[name]
    holed, plain = planted(*rules)
    found = holed.loopholes("Ann", seconds=60, depth=depth)
    assert found.claim.startswith("found: Ann wins"), found.claim
    assert played(found)
    if name in WITHHELD:
        assert "withhold" in {deed.action for deed in found.certificates[0].deeds}
        assert "withholds" in str(found)
    if name in TWINS:
        assert not search(plain, depth=1).certificates


@pytest.mark.slow
@pytest.mark.parametrize(
    "rule",
    [
        "on proposed when change.length > 30: PAY", 'on proposed when change.kind == "together": PAY',
        'on proposed when change.kind == "repeal" and target.number == 206: PAY', "on day_begun: PAY",
        "on said when text == player.name: PAY", "on said: when text == player.name + \"!\": PAY",
        'on said when text == "ask": let player choose pick from any number; when pick > 5000: PAY',
        'on said when text == "ask": let player choose some pick from ["a", "b", "c"]; when count(pick) == 2: PAY',
        "on applied: PAY",
    ],
)  # fmt: skip
def test_a_hole_that_the_search_cannot_reach_is_never_called_none(rule):
    holed, _ = planted(rule.replace("PAY", PAY if "day_begun" not in rule else 'award 60 points to "Ann"'), "")
    assert not search(holed, depth=2 if "ask" in rule else 1, steps=1_500).claim.startswith("none")


@pytest.mark.slow
def test_a_search_on_boards_ends_before_its_bounds_and_is_not_decided():
    found = search(nb.new_game("make-a-rule", ["Ann", "Ben"], seed=7), steps=5_000)
    assert "not every deed was tried at every moment" in found.reasons
    assert not {"time is up", "the steps are used up"}.intersection(found.reasons)


@pytest.mark.slow
def test_a_hole_in_a_game_with_boards_is_found():
    game = nb.new_game("nomic-chess", ["Ann", "Ben", "Cleo"], seed=7)
    game.propose("Ann", nb.enact("x", 'on said when text == "gold": eliminate [p for p in playing if p != player]'))
    game.votes("for")
    assert played(game.loopholes("Ben", depth=1, seconds=60))


def test_what_the_game_rolls_by_itself_is_not_decided():
    game = sit("Ann", "Ben", dice="either", terms={"win.points": 50})
    law(game, 'on said when text == "luck": let chance choose omen from ["owl", "fox"]; when omen == "fox": ' + PAY)
    found = search(game, who=game.player, depth=1)
    assert not found.certificates
    assert "the game itself rolls dice, and only one outcome was tried" in found.reasons


@pytest.mark.parametrize(
    ("goal", "hole", "twin"),
    [
        ("capture", "set vote.quota to 1", "set vote.quota to 2"),
        ("others lose", 'on said when text == "out": eliminate [p for p in playing if p != player]', ""),
        pytest.param(
            "circle",
            'track spin per player from 0\non counted when counter == "spin": award 1 spin to player\n'
            'on said when text == "spin": award 1 spin to player',
            "",
            marks=pytest.mark.slow,
        ),
        ("stuck", 'on said when text == "stop": end play', 'on said when text == "stop": end turn'),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_each_goal_is_found_where_a_rule_opens_it_only(goal, hole, twin):
    holed, plain = planted(f"{hole}\nprevails over everything", f"{twin}\nprevails over everything")
    assert search(holed, goal=goal, depth=1).certificates
    assert not search(plain, goal=goal, depth=1).certificates


@pytest.mark.slow
def test_rules_that_cannot_change_any_more_are_locked():
    rule = """track locked per game from 0
on said when text == "lock": put locked at 1
set turn.parts to ([] if game.locked == 1 else ["proposal", "throw"])
prevails over everything"""
    for law_text, is_locked in ((rule, True), (rule.replace("at 1", "at 2"), False)):
        game = sit("Ann", "Ben", **TABLE)
        adopt(game, nb.repeal(open_up(game, 114)))  # which keeps rules changeable
        game.roll(game.player, 1)
        law(game, law_text)
        assert bool(search(game, who=game.player, goal="lock", depth=1).certificates) == is_locked


@pytest.mark.parametrize("text", moves.TEMPLATES)
def test_each_template_can_be_proposed(text):
    law_text = text.format(c="points", me='"Ann"')
    assert sit().preview("Ann", nb.enact("A template.", law_text)).refusal == ""


@pytest.mark.parametrize("others", ["silent", "worst"])
def test_a_hole_that_needs_nobody_is_found_however_others_vote(others):
    holed, _ = planted(*HOLES["a word"][1:])
    assert search(holed, others=others).certificates


def test_a_line_that_others_can_stop_is_not_found_at_their_worst(monkeypatch):
    monkeypatch.setattr(moves, "TEMPLATES", ())  # some of them win if they pass
    monkeypatch.setattr(moves, "GAIN", "")
    holed, _ = planted("on adopted: award -1 points to proponent\non defeated: award 60 points to proponent", "")
    found = search(holed, others="worst", depth=1)
    assert not found.certificates
    assert any("only with some rolls or answers" in reason for reason in found.reasons)


def test_a_loop_is_a_gain_again_and_again():
    holed, plain = planted(*HOLES["interest at any time"][1:])
    assert search(holed, goal="gain", depth=1).claim.startswith("found: Ann gains again and again")
    assert not search(plain, goal="gain", depth=1).certificates


def test_a_condition_of_the_language_is_a_goal():
    holed, _ = planted(*HOLES["interest at any time"][1:])
    assert search(holed, goal='player_named("Ann").points > 40', depth=1).certificates


def test_a_certificate_does_nothing_that_it_does_not_need():
    holed, _ = planted(*HOLES["defeat pays"][1:])
    (one,) = search(holed).certificates
    assert len(one.deeds) == 1


def test_what_depends_on_the_dice_is_not_found():
    holed, _ = planted("on thrown when face == 1: award 60 points to player", "")
    found = search(holed, depth=1)
    assert not found.certificates
    assert any("only with some rolls" in reason for reason in found.reasons)


#: Small laws: what sets them off, on which condition, and what they do.
EVENTS = (
    'said when text == "a"',
    'said when text == "b"',
    "defeated",
    "returned",
    "turn_ended",
    "balloted",
    'defeated when change.title == "Gold"',
)
CONDITIONS = ("", 'when player_named("Ann").flag == 1: ', 'when player_named("Ann").points > 20: ')
EFFECTS = tuple(
    f'{effect} "Ann"' for effect in ("award 20 points to", "award -2 points to", "award 1 flag to", "award -1 flag to")
)


@st.composite
def small_laws(draw):
    """A few clauses, which may give points, or let others do so."""
    clauses = st.tuples(*map(st.sampled_from, (EVENTS, CONDITIONS, EFFECTS)))
    lines = (f"on {event}: {given}{effect}" for event, given, effect in draw(st.lists(clauses, min_size=1, max_size=3)))
    return "\n".join(["track flag per player from 0", *lines])


@contextmanager
def few_changes():
    """Only one template is proposed, and no rule in force is changed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moves, "TEMPLATES", moves.TEMPLATES[:1])
        patch.setattr(moves, "SETTINGS", ())
        yield


def agree(rules, goal, depth):
    """Whether pruned and unpruned searches make the same claim."""
    game = sit("Ann", "Ben", **TABLE, terms={"win.points": 50})
    law(game, "set defeat.points to 0\nprevails over everything")
    law(game, rules)
    if game.state.over or game.state.questions:
        return True
    pruned, whole = (search(game, depth=depth, goal=goal, is_pruned=is_pruned) for is_pruned in (True, False))
    assert pruned.certificates or whole.certificates or pruned.reasons == whole.reasons
    return bool(pruned.certificates) == bool(whole.certificates)


@settings(max_examples=3, deadline=None)
@given(small_laws())
def test_pruned_and_unpruned_searches_agree(rules):
    with few_changes():
        assert agree(rules, "win", 1)


@pytest.mark.fuzz
@settings(max_examples=10, deadline=None)
@given(small_laws(), st.sampled_from(["win", "gain", 'player_named("Ann").flag > 1']))
def test_pruned_and_unpruned_searches_agree_on_two_deeds(rules, goal):
    with few_changes():
        assert agree(rules, goal, 2)


# ----------------------------------------------------------------------------------------------------- displays


@pytest.mark.slow
def test_text_and_html_say_what_was_found_and_what_was_not():
    game = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    found, open_ = game.loopholes("Ann"), game.loopholes("Ann", goal="lock", depth=1)
    assert "Found: Ann wins with 1 deed" in str(found)
    assert "Without any one of these rules it fails:" in str(found)
    assert "Not decided." in str(open_)
    assert "safe" not in str(open_)
    assert found._repr_html_().startswith("<div")
