"""Play in which nobody has to decide anything: it waits for what somebody can do, or is stuck."""

import pytest
from play_helpers import adopt, ballot, law, open_up, put, refused, scores, sit, turn, waiting_for

import nomic_nb as nb

SYSTEMS = ["discordian-nomic", "cabinet-nomic"]
AYE = 'track heard per game from 0\non said when text == "aye": put heard at game.heard + 1\n'


def debated(game, clauses, player="Ben"):
    law(game, clauses)
    return game.propose(player, nb.enact("More."), debate=True)


def asked(game):
    """Whether the table is asked if play can go on."""
    return any("would let play continue" in one.prompt for one in game.pending)


def agree(game, answer):
    for name in list(game.players):
        game.choose(name, answer)


@pytest.mark.rule("discordian-nomic", 213)
def test_play_that_waits_for_words_is_not_stuck():
    game = sit()
    debated(game, AYE + "forbid call_vote when game.heard == 0")
    assert not game.over
    assert waiting_for(game, "say") == ["Ann", "Ben", "Cleo"]
    assert {one.options for one in game.pending if one.action == "say"} == {("aye",)}
    game.say("Cleo", "well")
    assert waiting_for(game, "say") == ["Ann", "Ben", "Cleo"]
    game.say("Cleo", "aye")
    assert waiting_for(game, "call_vote") == ["Ben"]
    assert waiting_for(game, "say") == []


def test_play_that_waits_for_a_deed_or_a_gift_is_not_stuck():
    game = sit()
    debated(game, 'track bows per game from 0\non deed when name == "bowing": put bows at 1\n'
                  "forbid call_vote when game.bows == 0")  # fmt: skip
    assert "Ann: bowing" in next(one.options for one in game.pending if one.action == "report")
    game.report("Ann", "Cleo", "bowing")
    assert waiting_for(game, "call_vote") == ["Ben"]
    game = sit()
    debated(game, "allow give\nforbid call_vote when all(p.points < 3 for p in playing)")
    law_points = scores(game)["Ann"]
    assert law_points == 1  # she cannot give three
    assert asked(game)
    agree(game, "cannot continue")
    assert game.winner == "Ben"


def test_what_one_act_does_not_settle_the_table_is_asked():
    game = sit()
    debated(game, AYE + "forbid call_vote when game.heard < 2")
    assert asked(game)
    agree(game, "wait")
    game.say("Ann", "aye")
    assert waiting_for(game, "say") == ["Ann", "Ben", "Cleo"]  # and nobody is asked twice in a turn
    game.say("Ben", "aye")
    assert waiting_for(game, "call_vote") == ["Ben"]


@pytest.mark.rule("discordian-nomic", 213)
def test_what_nobody_can_change_is_stuck():
    game = sit()
    put(game, nb.enact("No throws.", law=AYE + "forbid roll\nprevails over 202"))
    assert game.winner == "Ann"
    game = sit()
    law(game, AYE + 'on enacted when rule == this: enter player "Dov" as dummy')
    put(game, nb.enact("More."))
    assert game.winner == "Ben"  # no word brings the dummy's ballot


def test_words_that_end_the_wait_for_a_ballot_let_play_go_on():
    game = sit()
    law(game, 'on enacted when rule == this: enter player "Dov" as dummy\n'
              'on said when text == "Dov is out": eliminate "Dov"')  # fmt: skip
    put(game, nb.enact("More."))
    assert waiting_for(game, "say") == ["Ann", "Ben", "Cleo"]
    game.say("Ann", "Dov is out")
    assert waiting_for(game, "roll") == ["Ben"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_absent_player_does_not_win_by_staying_away(system):
    game = sit(system=system)
    law(game, "forbid begin_turn when count(p for p in playing if not p.present) > 0\nprevails over 201")
    adopt(game, nb.enact("More."))
    game.host.absent("Cleo")
    game.roll("Ben", 2)
    assert not game.over
    assert [(one.player, one.action) for one in game.pending] == [("Cleo", "present")]
    game.host.present("Cleo")
    assert waiting_for(game, "propose") == ["Cleo"]


@pytest.mark.rule("discordian-nomic", 202)
def test_a_duty_that_is_forbidden_lapses():
    game = sit()
    law(game, "forbid propose when turn % 3 == 0")
    turn(game, nb.enact("More."))
    assert game.turn == 3
    assert waiting_for(game, "roll") == ["Cleo"]
    assert "Cleo doesn’t have to propose, because it is forbidden" in list(game.history["what"])
    with refused(game, "somebody-first"):
        game.propose("Cleo", nb.enact("All the same."))
    game.roll("Cleo", 4)
    assert waiting_for(game, "propose") == ["Ann"]


def test_a_duty_that_words_can_free_does_not_lapse():
    game = sit()
    law(game, AYE + "forbid propose when game.heard == 0")
    assert waiting_for(game, "say") == ["Ann", "Ben", "Cleo"]
    game.say("Ann", "aye")
    assert waiting_for(game, "propose") == ["Ben"]


@pytest.mark.parametrize(
    "limit",
    [
        'not mentions(change, "spaghetti")', 'not mentions(change, "s[a-q]ag*tti")', "change.length < 40",
        'change.length != 3 or not mentions(change, "the law")', "change.title == none or change.length < 9",
    ],
)  # fmt: skip
def test_words_that_rules_ask_for_can_be_found_and_nobody_is_asked(limit):
    game = sit()
    law(game, f"forbid propose when {limit}")
    assert waiting_for(game, "propose") == ["Ben"]
    assert not game.state.questions


#: Nothing but what has words can be proposed.
ONLY_WORDS = 'forbid propose when change.kind in ["repeal", "transmute"]\nprevails over everything\n'


def worded(limit, *players):
    """A game in which only changes with words can be proposed, and those within a limit."""
    game = sit(*players)
    open_up(game, 103)
    law(game, ONLY_WORDS)
    number = law(game, f"forbid propose when {limit}\nprevails over everything")
    return game, number


@pytest.mark.parametrize(
    "limit",
    [
        'not any(mentions(change, one) for one in ["tea", "milk"])', 'not mentions(change, "please ")',
        'not mentions(change, " please ")', 'not mentions(change, "tea") or mentions(change, "example")',
        'mentions(change, "e")', "change.length != 250", "change.length % 7 != 3",
        'change.length != 2 or not mentions(change, "please tea now")',
        'not (mentions(change, "tea") and not mentions(change, "milk"))',
        'change.title != none or not mentions(change, "tea")', "not mentions(change, proponent.name)",
        'count([one for one in ["a", "b", "c"] if mentions(change, one)]) != 2',
    ],
)  # fmt: skip
def test_a_wording_that_rules_allow_is_found_and_nobody_is_asked(limit):
    game, number = worded(limit)
    assert not game.over
    assert waiting_for(game, "propose") == ["Ann"]
    with refused(game, "not-proposable"):
        game.propose("Ann", nb.repeal(number))


def test_if_no_wording_is_found_the_table_is_asked():
    game, _ = worded("change.length < 1000")
    assert asked(game)
    agree(game, "wait")
    game.propose("Ann", nb.enact(" ".join(["so"] * 1000)))
    ballot(game)
    game.roll("Ann", 1)
    assert asked(game)
    agree(game, "go on")
    assert waiting_for(game, "roll") == ["Ben"]


@pytest.mark.parametrize("clauses", [
    'forbid propose when not mentions(change, "please") or player.points < 4',
    'forbid propose when not mentions(change, "please")\nforbid propose when player.points < 4',
])  # fmt: skip
def test_a_ban_that_holds_however_a_change_is_worded_lets_the_duty_lapse(clauses):
    game = sit()
    number = law(game, clauses)
    assert not asked(game)
    assert "Ben doesn’t have to propose, because it is forbidden" in list(game.history["what"])
    with refused(game, "somebody-first"):
        game.propose("Ben", nb.repeal(number))


@pytest.mark.rule("github-nomic", -112)
def test_overlapping_turns_wait_for_those_who_can_begin_one():
    game = sit(system="github-nomic")
    game.begin_turn("Ann")
    game.propose("Ann", nb.enact("Not Ann.", law='forbid propose when player.name == "Ann"'), 1)
    ballot(game)
    game.begin_turn("Ann")
    assert waiting_for(game, "propose") == []
    assert waiting_for(game, "begin_turn") == ["Ben", "Cleo"]
    assert all(one.must for one in game.pending)
    game.begin_turn("Ben")
    assert waiting_for(game, "propose") == ["Ben"]


def test_a_record_with_a_standstill_is_played_again(tmp_path):
    game = sit()
    debated(game, AYE + "forbid call_vote when game.heard == 0")
    game.say("Ann", "no")
    path = tmp_path / "game.jsonl"
    game.save(path)
    assert nb.load(path).state.digest() == game.state.digest()


def test_a_wait_that_was_agreed_on_is_asked_about_again_once_all_was_done_in_vain():
    game = sit()
    debated(game, AYE + "forbid call_vote when game.heard < 9")
    for form in ("More and more.", "Most of all."):
        agree(game, "wait")
        game.revise("Ben", nb.enact(form))
        for name in ("Ann", "Ben"):
            game.say(name, "aye")
            assert not asked(game)
            assert waiting_for(game, "say") == ["Ann", "Ben", "Cleo"]
        game.say("Cleo", "aye")
        assert asked(game)
    agree(game, "cannot continue")
    assert game.over


def test_where_no_rule_says_any_more_who_has_turns_the_table_is_asked():
    game = sit(system="github-nomic")
    game.begin_turn("Ann")
    game.propose("Ann", nb.amend(-112, "Turns begin at will.", law='set turn.start to "at will"'), 1)
    ballot(game)
    assert "turn.sequence" in game.state.questions[0].text


def test_an_offer_that_helps_nobody_is_not_waited_for_again_and_again():
    game = sit()
    law(game, 'offer "back a player": let player choose newcomer from ["Ann"]; enter player newcomer as person\n'
              "forbid propose when count(players) < 9")  # fmt: skip
    for _ in range(20):
        if game.state.questions or game.over:
            break
        game.take("Ann", "back a player")
        game.choose("Ann", "Ann")
        agree(game, "so be it")
    assert game.over or asked(game)


def test_what_cannot_be_tried_is_not_listed_where_the_law_refuses_it(monkeypatch):
    monkeypatch.setattr("nomic_nb.engine.play.standstill._does_act_lead_on", lambda *_, **__: None)
    game = sit()
    debated(game, 'track coins per player from 2\nallow give when counter == "coins"\n'
                  "forbid call_vote when all(p.points < 9 for p in playing)")  # fmt: skip
    agree(game, "wait")
    options = [option for one in game.pending if one.action == "give" for option in one.options]
    assert options
    assert all("coins" in one for one in options)


def test_play_waits_all_the_same_where_a_rule_is_left_out_again():
    """What is agreed on is noted behind the wait, and does not end it."""
    game = sit()
    again = 'track bells per game from 0\non counted when counter == "bells": put bells at game.bells + 1\n'
    debated(
        game,
        AYE + again + 'on said when text == "ring": put bells at game.bells + 1\nforbid call_vote when game.heard == 0',
    )
    for _ in range(2):
        game.say("Cleo", "ring")
        if game.state.questions:
            agree(game, "leave it")
        assert waiting_for(game, "say") == ["Ann", "Ben", "Cleo"]
    assert game.timeline.events[-1].kind == "set_aside"
    game.say("Cleo", "aye")
    assert waiting_for(game, "call_vote") == ["Ben"]


PAY = "track paid per player from 0\non turn_begun: put paid of player at 0\n"
OFFER = 'offer "pay" when player.paid == 0: put paid of player at 1\n'


def test_what_must_be_done_before_a_proposal_or_a_roll_is_waited_for():
    for action in ("propose", "roll"):
        game = sit()
        claim = "" if action == "propose" else "\nprevails over everything"
        adopt(game, nb.enact("Pay first.", law=PAY + OFFER + f"forbid {action} when player.paid == 0{claim}"))
        if action == "propose":
            game.roll("Ann", 2)
        who = game.player
        assert [(one.player, one.action) for one in game.pending if one.must] == [(who, "take")]
        game.take(who, "pay")
        assert waiting_for(game, action) == [who]
