"""What a decision asks for, as the fields of its form."""

from __future__ import annotations

import pytest
from board_helpers import arrange, chess, moves, next_turn, nothing, on
from panels.pages import Page
from play_helpers import adopt, agree, defeat, idle, law, sit

import nomic_nb as nb
from nomic_nb.engine.play.dice import SealOpening, commitment_hash
from nomic_nb.engine.play.values import Decision
from nomic_nb.notebook.panels import view_model
from nomic_nb.study.views import pending

NONCE = "5a" * 32


def fields(page, action):
    return {one["name"]: one for one in page.decision(action)["fields"]}


@pytest.mark.parametrize(
    ("source", "asked"), [("seeded", None), ("table", {"optional": False}), ("either", {"optional": True})]
)
def test_dice_as_the_law_has_them(source, asked):
    game = sit("Ann", "Ben", dice=source)
    defeat(game, nb.enact("No."))
    found = fields(Page(game, "Ann"), "roll")
    assert list(found) == ([] if asked is None else ["value"])
    for one in found.values():
        assert (one["min"], one["max"], one["optional"]) == (1, 6, asked["optional"])


def test_what_anyone_may_do_is_done_by_whoever_sits_there(game, monkeypatch):
    anyone = Decision(None, "say", "say something", rule=301)
    for module in (pending, view_model):
        monkeypatch.setattr(module, "decisions", lambda _: (anyone,))
    page, table = Page(game, "Ben"), Page(game)
    page.act("say", text="Hi.")
    assert game.latest(1) == ["Ben says “Hi.”"]
    key = table.decision("say")["key"]
    table.send({"id": "c", "action": "say", "player": "Cleo", "key": key, "details": {"text": "Hello."}})
    assert game.latest(1) == ["Cleo says “Hello.”"]


def test_a_choice_has_its_options_and_no_other_answer(game):
    idle(game)
    law(game, "on adopted: let proponent choose p from [q for q in playing if q != proponent] or none; "
              "award 3 points to p")  # fmt: skip
    adopt(game, nb.enact("Somebody gets three points."))
    cleo = Page(game, "Cleo")
    asked = fields(cleo, "choose")["option"]
    assert [value for value, _, _ in asked["options"]] == ["Ann", "Ben", "none"]
    assert not asked["other"]
    cleo.act("choose", option="Ben")
    assert game.scores["Ben"] == 1 + 3


def test_of_many_options_each_can_be_ticked_and_cells_name_where_the_rest_is():
    game = sit("Ann", "Ben")
    numbers = ", ".join(str(number) for number in range(1, 61))
    law(game, f"on adopted: let proponent choose some n from [{numbers}]; award count(n) points to proponent")
    adopt(game, nb.enact("Numbers."))
    for text in (str(game.pending), game.pending._repr_html_()):
        assert "… and 48 more in game.pending[0].options" in text
    assert "… and 48 more in .options" in str(game.pending[0])
    page = Page(game, "Ben")
    ticks = {one["label"]: name for name, one in fields(page, "choose").items()}
    assert list(ticks) == [str(number) for number in range(1, 61)]
    page.act("choose", **{ticks["1"]: True, ticks["60"]: True})
    assert game.scores["Ben"] == 2


def test_a_question_takes_other_answers_and_one_for_all_only_at_the_table(game):
    law(game, 'on said: let seats choose answer from any text asking "What now?"')
    game.say("Ann", "hm")
    table, ann = Page(game), Page(game, "Ann")
    assert fields(ann, "choose")["option"]["type"] in ("choice", "line")
    assert ann.act("choose", option="yes", agreed=["Ben", "Cleo"])["code"] == "agreed-from-a-seat"
    one = table.decision("choose", player="Ann")
    table.send(
        {"id": "q", "action": "choose", "key": one["key"], "details": {"option": "on we go", "agreed": ["Ben", "Cleo"]}}
    )
    assert not game.state.questions


def test_what_is_owed_in_words(game):
    law(game, 'on part_begun when part == "throw": oblige player to say')
    page = Page(game, game.player)
    assert "there is nothing to say" in page.act("say", text="")["why"].lower()
    assert page.act("say", text="I have spoken.")["said"]


def test_free_acts(game):
    ann = Page(game, "Ann")
    law(game, nb.library.gifts().law, face=6)
    law(game, nb.library.penalty_for("humming").law)
    assert ann.freely("give", receiver="Cleo", amount=4)["said"]
    assert game.scores["Cleo"] == 4
    assert "Ann has only 2 points" in ann.freely("give", receiver="Cleo", amount=3)["why"]
    ann.freely("report", who="Cleo", deed="humming")
    assert game.scores["Cleo"] == 2
    assert ann.freely("apply", rule="210", effect='award 5 points at "Ben"')["law"]["column"]
    before = game.scores["Ben"]
    assert ann.freely("apply", rule="210", effect='award 5 points to "Ben"')["said"]
    agree(game)
    assert game.scores["Ben"] == before + 5
    rules = ann.table["law"]["rules"]
    assert [one for one in ("210", "208") if "bare" in rules[one]] == ["210"], "what people apply is in words alone"
    for number in (one for one, rule in rules.items() if "bare" not in rule):
        assert "why" in ann.freely("apply", rule=number, effect='announce "So."')
    ann.freely("forfeit")
    assert game.state.person_names == ("Ben", "Cleo")
    ann.hub.send_changes()
    assert ann.mine["free"] == {}


def test_a_pause_and_a_look_at_the_past(game):
    page = Page(game, "Ann")
    game.host.pause()
    page.hub.send_changes()
    assert (page.table["game"]["heading"], page.asked, page.mine["free"]) == ("The game is paused", {}, {})
    game.host.resume()
    past = Page(game.at(game.state.seq), "Ann")
    assert past.freely("say", text="Too late.")["code"] == "game-as-it-stood"


def test_what_is_sealed_for_later_is_one_of_the_options():
    game = nb.new_game("make-a-rule", ["Ann", "Ben", "Cleo"], seed=1, terms={"royal.named": "sealed"})
    page = Page(game, "Ann")
    asked = fields(page, "seal")
    assert [one[0] for one in asked["value"]["options"]] == ["real", "dummy"]
    assert page.act("seal", value="queen")["code"] == "sealed-for-a-question"
    page.act("seal", value="dummy")
    page.act("seal", value="real")
    assert not [one for one in page.asked.values() if one["action"] == "seal"]
    assert not any("dummy" in str(part) for part in (page.table["news"], Page(game, "Ben").mine))


def test_what_was_sealed_elsewhere_is_told():
    game = sit("Ann", "Ben", dice="committed")
    defeat(game, nb.enact("No."))
    ann, ben = Page(game, "Ann"), Page(game, "Ben")
    number = game.state.waiting[0].round.number
    assert ben.act("seal", commitment="my word")["code"] == "not-hexadecimal"
    ben.act("seal", commitment=commitment_hash(game.state.game, number, "Ben", SealOpening("blue", NONCE)))
    ann.act("seal")
    assert list(fields(ben, "reveal")) == ["value", "nonce"]
    assert list(fields(ann, "reveal")) == []
    assert ben.act("reveal")["code"] == "sealed-value-unknown"
    assert ben.act("reveal", value="red", nonce=NONCE)["code"] == "revealed-otherwise"
    ben.act("reveal", value="blue", nonce=NONCE)
    ann.act("reveal")
    assert game.player == "Ben"


def sent(page, name="Ann"):
    """All moves that a page was sent."""
    ways = page.mine["ways"][name].values()
    return [text for way in ways for to in way["moves"].values() for texts in to.values() for text in texts]


def test_every_legal_move_is_sent_and_no_other():
    game = chess("Ann", "Ben", "Cleo", "Dov")
    nothing(game)
    ann, ben = Page(game, "Ann"), Page(game, "Ben")
    assert sorted(sent(ann)) == sorted(moves(game))
    assert ben.mine["ways"] == {}
    assert list(ann.mine["ways"]["Ann"]) == ["white+yellow", "white+green", "white+orange"]
    ann.act("move", text=ann.mine["ways"]["Ann"]["white+green"]["moves"]["white.e2"]["white.e4"][0])
    assert on(game, "white.e4") == "white P"
    assert ann.table["chess"]["last"]["boards"] == ["white", "green"]
    assert ann.table["chess"]["pieces"]["white.e4"] == "white p"
    assert ann.table["chess"]["boards"]["white"]["told"] == ["white", "Ann"]  # not spent: another turn has begun


def test_a_promotion_is_chosen_from_what_is_sent():
    game = next_turn(
        chess(), wait="white+green: green.h3-green.h4", white="Ke1 yellow.Pb2", yellow="Ke1 Na1", green="Ke1 Rh3"
    )
    nothing(game)
    ann = Page(game, "Ann")
    texts = ann.mine["ways"]["Ann"]["white+yellow"]["moves"]["yellow.b2"]["yellow.a1"]
    assert [text.partition("=")[2] for text in texts] == ["Q", "R", "B", "N"]
    assert ann.act("move", text="b7a8=Q", push=["white", "yellow"])["why"]  # no move, as it is written
    ann.act("move", text=texts[-1])
    assert on(game, "yellow.a1") == "white N"


@pytest.mark.slow
def test_every_ready_made_rule_that_fits_can_be_had_and_read(game):
    page = Page(game, "Ann")
    shelf = page.send({"id": "r", "ask": "ready"})["ready"]
    assert {one["subject"] for one in shelf.values()}.isdisjoint({"movement", "boards"})
    assert "movement" in {
        one["subject"] for one in Page(chess(), "Ann").send({"id": "r", "ask": "ready"})["ready"].values()
    }
    for name, one in shelf.items():
        given = {field["name"]: field["default"] for field in one["fields"]}
        made = page.send({"id": f"m {name}"[:40], "ask": "made", "details": {"name": name, "given": given}})
        change = {"kind": "enact", **{part: made[part] for part in ("title", "wording", "law")}}
        looked = page.send({"id": f"l {name}"[:40], "ask": "change", "details": {"change": change}})
        assert "what" in looked, (name, looked)
    bad = page.send({"id": "b", "ask": "made", "details": {"name": "dissent_bonus", "given": {"points": 5000}}})
    assert bad["code"] == "figure-out-of-range"
    assert "-1000 to 1000" in bad["why"]
    for given in ({"points": "5"}, {"more": 1}, {"points": True}, 7):
        assert page.send({"id": "b", "ask": "made", "details": {"name": "dissent_bonus", "given": given}})["why"]


@pytest.mark.parametrize(
    ("name", "given", "target"),
    [
        ("simple_majority", {}, 203), ("points_to_win", {}, 208), ("newest_prevails", {}, 211),
        ("later_effect", {}, 205), ("another_die", {}, None),
    ],
)  # fmt: skip
def test_a_ready_made_rule_names_the_rule_that_it_amends(game, name, given, target):
    found = Page(game, "Ann").send({"id": "a", "ask": "made", "details": {"name": name, "given": given}})
    assert found["target"] == target


def test_a_ready_made_rule_amends_what_players_made_of_the_same_kind():
    game = chess()
    page = Page(game, "Ann")

    def target(kind):
        given = {"kind": kind, "moves": "NW"}
        return page.send(
            {"id": f"{kind}{game.turn}", "ask": "made", "details": {"name": "piece_moves", "given": given}}
        )

    assert target("N")["target"] is None
    number = adopt(game, nb.enact("Knights.", 'piece N moves "NZ"')).number
    assert (target("N")["target"], target("B")["target"]) == (number, None)


def test_a_repeal_of_several_rules_comes_as_it_is_written(game):
    page = Page(game, "Ann")
    page.act("propose", change={"kind": "repeal", "target": 204, "also": ["205", 206]})
    assert game.proposals[301].change == nb.repeal([204, 205, 206])
    assert hash(game.proposals[301].change)


@pytest.mark.rule("make-a-rule", "M3")
def test_which_king_is_the_real_one_is_seen_on_the_boards_and_told():
    game = sit(system="make-a-rule")
    ann = Page(game, "Ann")
    ann.act("choose", option="king of yellow Zaphod:2.e1")
    pieces = ann.table["chess"]["pieces"]
    assert (pieces["Zaphod:2.e1"], pieces["Zaphod:1.e1"]) == ("yellow k royal", "white k")
    told = ann.send({"id": "b", "ask": "boards"})["boards"].splitlines()
    assert "yellow royal king e1" in told[1]
    assert "royal" not in told[0]


@pytest.mark.parametrize(("result", "lost"), [("remove", 3), ("captor's hand", 2)])
def test_boards_and_what_is_lost_are_told_in_words(result, lost):
    game = arrange(chess("Ann", "Ben"), white="Kh1 Ra1", yellow="Kc1 Pc2 white.Nd1")
    adopt(game, nb.enact("Captures.", f'set capture.result to "{result}"'))
    page = Page(game, "Ann")
    assert "2 knights" in page.table["chess"]["lost"].partition("Yellow has lost: ")[2]  # put aside before

    def told():
        return page.send({"id": f"b{page.step}", "ask": "boards"})["boards"].splitlines()

    assert told() == [
        "white: white king h1; white rook a1; yellow knight d1.",
        "yellow: yellow king c1; yellow pawn c2.",
    ]
    game.move("Ann", "white.a1-white.d1", push=["white", "yellow"])
    page.hub.send_changes()
    assert told()[0] == "white: white king h1; white rook d1."
    assert f"{lost} knights" in page.table["chess"]["lost"].partition("Yellow has lost: ")[2]
    assert Page(sit(), "Ann").send({"id": "b", "ask": "boards"})["why"]


def test_what_is_offered_is_a_button_with_its_words_and_each_offer_has_its_own(game):
    number = law(game, 'offer "ring the bell": award 1 points to player\noffer "hum": announce "Hum."\n'
                       'offer "rest" to "Ann": award 1 points to player')  # fmt: skip
    ben = Page(game, "Ben")
    found = [one for one in ben.mine["decisions"].values() if one["action"] == "take"]
    assert [[field["options"] for field in one["fields"]] for one in found] == [
        [[["ring the bell", "ring the bell", ""]]], [[["hum", "hum", ""]]]
    ]  # fmt: skip
    assert {(one["rule"], one["must"]) for one in found} == {(number, False)}
    before = game.scores["Ben"]
    ben.act("take", text="ring the bell")
    assert game.scores["Ben"] == before + 1
    assert any("offered by rule" in line for line in [one["text"] for one in ben.table["news"].values()])


def test_the_time_is_recorded_before_the_panel_of_the_whole_table_and_at_no_seat(game, monkeypatch):
    monkeypatch.setattr("nomic_nb.notebook.live.host.machine_time", lambda: "2026-11-22 18:00")
    table, ben = Page(game), Page(game, "Ben")
    assert "time" in table.mine["free"]
    assert "time" not in ben.mine["free"]
    table.send({"id": "a", "action": "time", "player": "Ann", "details": {}})
    assert game.latest(1) == ["the clock is set to 2026-11-22 18:00"]
    assert table.table["game"]["heading"].endswith(" – Sunday, 2026-11-22 18:00")
    table.send({"id": "b", "action": "time", "player": "Ann", "details": {"now": "2026-11-23 06:30"}})
    assert table.table["game"]["heading"].endswith(" – Monday, 2026-11-23 06:30")
    said = table.send({"id": "c", "action": "time", "player": "Ann", "details": {"now": "2026-11-22 06:30"}})
    assert said["code"] == "clock-back"
    said = ben.send({"id": "d", "action": "time", "details": {"now": "2026-11-24 06:30"}})
    assert said["code"] == "only-at-the-panel-of-the-table"


def test_each_player_is_offered_the_tiers_that_they_can_ask_for():
    game = sit("Ann", "Ben", "Cleo")
    number = adopt(game, nb.transmute(103)).number
    game.roll("Ann", 1)
    asks = 'change.standing == "immutable" and mover == proponent'
    clauses = f'allow propose\nset enact.tier to "immutable" if {asks} else "mutable"'
    adopt(game, nb.amend(number, "Whoever is at turn may ask for an immutable rule.", law=clauses))
    for _ in range(3):
        game.roll(game.player, 1)
        assert Page(game, "Ann").table["tiers"] == {game.player: ["mutable", "immutable"]}
        game.propose(game.player, nb.enact("Be kind."))
        assert Page(game, "Ann").table["tiers"] == {}
        game.votes()
