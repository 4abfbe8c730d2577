"""What rules offer: a decision for each to whom it is open, taken by its words, and never a must."""

import pytest
from play_helpers import law, put, refused, scores, sit, waiting_for

import nomic_nb as nb
from nomic_nb.engine.play.offers import MOST_OFFERS

ROPE = """track rope per player from 0
offer "buy rope" when player.points >= 2 and player.rope < 2: award -2 points to player; award 1 rope to player
"""


def offered(game, player):
    """The words of what is offered to a player now."""
    return [one.options[0] for one in game.pending.of_player(player) if one.action == "take"]


def rope(game):
    return {name: int(rope) for name, rope in game.counters["rope"].items()}


def test_an_offer_is_a_decision_for_each_to_whom_it_is_open_and_no_must():
    game = sit()
    number = law(game, ROPE, face=5)
    assert scores(game) == {"Ann": 5, "Ben": 0, "Cleo": 0}
    assert [offered(game, name) for name in game.players] == [["buy rope"], [], []]
    found = next(one for one in game.pending if one.action == "take")
    assert (found.player, found.rule, found.must) == ("Ann", number, False)
    game.take("Ann", "buy rope")
    assert (scores(game)["Ann"], rope(game)) == (3, {"Ann": 1, "Ben": 0, "Cleo": 0})
    game.take("Ann", "Buy rope.")  # as people hear it
    assert rope(game)["Ann"] == 2
    assert offered(game, "Ann") == []


def test_a_refusal_names_what_is_missing():
    game = sit()
    number = law(game, ROPE + 'offer "ring the bell" to player_named("Ben"): award 1 points to player', face=5)
    with refused(game, "offer-needs", needed="player.points >= 2", facts="player.points is 0", rule=number):
        game.take("Cleo", "buy rope")
    for _ in range(2):
        game.take("Ann", "buy rope")
    with refused(
        game,
        "offer-needs",
        needed="player.points >= 2 and player.rope < 2",
        facts="player.points is 1 and player.rope is 2",
    ):
        game.take("Ann", "buy rope")
    with refused(game, "offered-to-others", who="Ben", player="Ann", rule=number, opens="ring the bell"):
        game.take("Ann", "ring the bell")
    with refused(game, "not-offered", offer="ring a bell", near="ring the bell"):
        game.take("Ben", "ring a bell")
    with refused(game, "not-a-player", player="Dov"):
        game.take("Dov", "ring the bell")
    with refused(game, "not-offered-by-rule", rule=101, offer="ring the bell"):
        game.take("Ben", "ring the bell", rule=101)
    game.take("Ben", "ring the bell")
    assert scores(game)["Ben"] == 1


def test_a_refusal_tells_nothing_that_is_hidden():
    game = sit()
    law(game, "track card per player from 0 hidden\n"
        'on said when text == "go": put card of playing at 7; put card of "Cleo" at 9\n'
        'offer "win" when player.card > 8 and sum([p.card for p in playing]) < 99:'
        " award 1 points to player")  # fmt: skip
    game.say("Ann", "go")
    assert offered(game, "Cleo") == ["win"]
    for text in ("win", "nothing"):
        with refused(game) as found:
            game.take("Ben", text)
        said = str(found.value)
        assert "is 7" not in said
        assert "is 23" not in said
        assert "Cleo: take" not in said, "that it is open to Cleo tells what Cleo has"


def test_who_takes_one_of_two_that_are_alike_says_which_rule():
    game = sit()
    one = law(game, 'offer "rest": award 1 points to player')
    two = law(game, 'offer "Rest." when player.name != "Cleo": award 2 points to player')
    before = scores(game)
    with refused(game, "several-offer", rule=one):
        game.take("Ann", "rest")
    game.take("Ann", "rest", rule=two)
    assert scores(game)["Ann"] == before["Ann"] + 2
    game.take("Cleo", "rest")  # to her one is open
    assert scores(game)["Cleo"] == before["Cleo"] + 1


def test_the_offer_itself_is_done_before_what_answers_to_its_being_taken():
    game = sit()
    law(game, 'on taken when text == "rest" and rule == this: award player.points points to player\n'
              'offer "rest": award 3 points to player')  # fmt: skip
    before = scores(game)["Cleo"]
    game.take("Cleo", "rest")
    assert scores(game)["Cleo"] == 2 * (before + 3)


def test_rules_forbid_to_take():
    game = sit()
    law(game, 'offer "rest": award 1 points to player\noffer "run": award 1 points to player')
    number = law(game, 'forbid take when player.name == "Ann" and text == "Rest"')
    assert [offered(game, name) for name in game.players] == [["run"], ["rest", "run"], ["rest", "run"]]
    with refused(game, "not-allowed", rule=number):
        game.take("Ann", "rest")
    assert "may.take" in game.law


def test_what_an_offer_asks_and_throws_is_waited_for():
    game = sit()
    law(game, 'offer "name a friend": let player choose friend from playing; award 4 points to friend')
    before = scores(game)["Cleo"]
    game.take("Ben", "name a friend")
    assert waiting_for(game, "choose") == ["Ben"]
    assert waiting_for(game, "take") == ["Ann", "Cleo"]  # others need not wait for him
    game.choose("Ben", "Cleo")
    assert scores(game)["Cleo"] == before + 4


def test_where_the_law_is_torn_about_it_the_table_is_asked_once_it_is_taken():
    game = sit()
    law(game, 'forbid take when 10 // player.points > 3\noffer "cheer": award 1 points to player')
    assert offered(game, "Cleo") == ["cheer"]
    game.take("Cleo", "cheer")
    assert "something is divided by zero" in game.state.questions[0].text
    for name in game.players:
        game.choose(name, "true")
    game.take("Cleo", "cheer")
    assert scores(game)["Cleo"] == 1


def test_an_offer_whose_condition_comes_to_nothing_is_refused_with_the_reason():
    game = sit()
    law(game, 'offer "cheer" when 10 // player.points > 3: award 1 points to player')
    assert offered(game, "Cleo") == []
    with refused(game, "offer-undecided", why="division-by-zero"):
        game.take("Cleo", "cheer")


def test_nothing_is_taken_while_a_question_is_open_or_by_whoever_is_away():
    game = sit()
    law(
        game,
        'offer "rest": award 1 points to player\non said when text == "ask": put points of player at 1 / (turn - turn)',
    )
    game.host.absent("Ben")
    with refused(game, "is-absent"):
        game.take("Ben", "rest")
    game.say("Ann", "ask")
    assert waiting_for(game, "take") == []
    with refused(game, "question-open"):
        game.take("Ann", "rest")


# --------------------------------------------------------------------------------------------- standstill


def test_play_waits_for_the_offer_that_lets_it_go_on_and_for_no_other():
    game = sit()
    law(game, 'track bells per game from 0\noffer "ring" to player_named("Cleo"): put bells at 1\n'
              'offer "hum" to player_named("Cleo"): announce "Hum."\n'
              "forbid call_vote when game.bells == 0")  # fmt: skip
    game.propose("Ben", nb.enact("More."), debate=True)
    assert not game.over
    must = [one.options[0] for one in game.pending if one.action == "take" and one.must]
    assert must == ["ring"]
    game.take("Cleo", "hum")
    for name in game.players:  # as many acts as let play go on have let nothing go on
        game.choose(name, "wait")
    assert [one.options[0] for one in game.pending if one.action == "take" and one.must] == ["ring"]
    game.take("Cleo", "ring")
    assert waiting_for(game, "call_vote") == ["Ben"]


def test_an_offer_that_obliges_to_propose_keeps_rule_changes_possible():
    game = sit()
    number = law(game, 'offer "propose something": oblige player to propose')
    game.take("Ben", "propose something")
    assert [one.rule for one in game.pending.of_player("Ben") if one.action == "propose"][-1] == number


# ------------------------------------------------------------------------------------------ before the vote


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        ('offer "rest": end turn\noffer "Rest.": end part', {"code": "offered-twice", "offer": "Rest."}),
        ('offer "": end turn', {"code": "offer-name-length"}),
        (f'offer "{"x" * 81}": end turn', {"code": "offer-name-length", "found": "81 letters"}),
        ('offer "rest" to 5: end turn', {"code": "players-needed"}),
        ('offer "rest" when player.points: end turn', {"code": "kind-needed", "what": "a condition"}),
        ('offer "rest" when points > 3: end turn', {"code": "name-unknown", "name": "points"}),
        ('offer "rest" to player: end turn', {"code": "name-unknown", "name": "player"}),
        ('offer "rest": let player choose player from seats', {"code": "means-something", "name": "player"}),
        ('offer rest: end turn', {"code": "misplaced"}),
    ],
)  # fmt: skip
def test_what_nobody_could_take_is_refused(clauses, said):
    game = sit()
    with refused(game, **said) as caught:
        game.propose("Ann", nb.enact("An offer.", law=clauses))
    assert caught.value.line == clauses.count("\n") + 1


def test_more_offers_than_can_be_kept_in_view_are_refused():
    game = sit()
    lines = "\n".join(f'offer "thing {at}": end part' for at in range(60))
    law(game, lines)
    with refused(game, "too-many-offers", most=MOST_OFFERS):
        game.propose("Ben", nb.enact("Sixty more.", law=lines.replace("thing", "thought")))


def test_the_same_offer_twice_in_the_parts_of_a_rule_is_refused():
    game = sit()
    number = law(game, 'offer "rest": award 1 points to player')
    with refused(game, "offered-alike"):
        game.propose("Ben", nb.amend(number, "Rest more.", law='offer "Rest": award 2 points to player', add=True))


def test_what_never_ends_is_left_out_and_asked_about():
    game = sit()
    put(game, nb.enact("Start.", law='offer "start": award 1 points to player\n'
                                     "on counted when amount == 1: award 1 points to player"))  # fmt: skip
    if game.state.questions:
        pytest.skip("the throw has set it off")
    game.take("Cleo", "start")
    assert "triggers itself forever" in game.state.questions[0].text


# --------------------------------------------------------------------------------------------- the record


def test_what_was_taken_plays_again_and_is_told(tmp_path):
    game = sit()
    law(game, ROPE, face=5)
    game.take("Ann", "BUY ROPE")
    game.save(tmp_path / "rope.jsonl")
    again = nb.load(tmp_path / "rope.jsonl")
    assert again.state.digest() == game.state.digest()
    event = next(one for one in game.timeline.events if one.kind == "taken")
    assert (event.do, event.details, event.data["text"]) == ("take", {"text": "BUY ROPE"}, "buy rope")
    assert "buy rope" in game.to_html()
    ledger = game.ledger.frame
    assert list(ledger[ledger.counter == "rope"].why)[-1].startswith('offer "buy rope"')


def test_an_adopted_draft_can_make_offers():
    game = sit()
    law(game, 'draft shop: "A shop."\n    offer "buy": award -1 points to player\n'
              'offer "open the shop": enact shop')  # fmt: skip
    game.take("Ben", "open the shop")
    assert offered(game, "Cleo") == ["buy", "open the shop"] or offered(game, "Cleo") == ["open the shop", "buy"]
    before = scores(game)["Cleo"]
    game.take("Cleo", "buy")
    assert scores(game)["Cleo"] == before - 1


def test_to_whom_an_offer_is_open_is_not_told_where_only_they_see_why():
    game = sit()
    number = law(game, "track owls per player from 0 hidden\n"
        'on said when text == "go": put owls of "Cleo" at 2\n'
        'offer "show two owls" when player.owls >= 2: award 5 points to player')  # fmt: skip
    line = f"who can take “show two owls” depends on values only their owner can see (rule {number})"
    for shown in (str(game.pending), game._repr_html_(), game.to_html()):
        assert "– take" not in shown
    assert line in str(game.pending)
    game.say("Ann", "go")
    assert [one.player for one in game.pending if one.action == "take"] == ["Cleo"]
    for shown in (str(game.pending), game._repr_html_(), game.to_html()):
        assert "Cleo – take" not in shown
    assert line in str(game.pending)
    game.take("Cleo", "show two owls")
    assert scores(game)["Cleo"] == 5


def test_an_offer_in_which_there_is_nothing_to_choose_is_not_open():
    game = sit()
    law(
        game,
        """track party per player as text from none
offer "found the Greens": put party of player at "Greens"
offer "join a party": award 0 points to player;
    let player choose wanted from [p.party for p in seats if p.party != none and p != player];
    put party of player at wanted""",
    )
    assert offered(game, "Ann") == ["found the Greens"]
    with refused(game, "offer-without-choice", offer="join a party", player="Ann"):
        game.take("Ann", "join a party")
    game.take("Ben", "found the Greens")
    assert offered(game, "Ann") == ["found the Greens", "join a party"]
    assert offered(game, "Ben") == ["found the Greens"]
    game.take("Ann", "join a party")
    game.choose("Ann", "Greens")
    assert not game.state.questions
