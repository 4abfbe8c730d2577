"""What rules ask several players, and what reviews and documents say of it."""

from __future__ import annotations

from panels.pages import Page
from play_helpers import announced, begun_by_go, law, refused, replayed, scores, sit

import nomic_nb as nb


def test_what_is_answered_in_secret_nobody_sees_before_all_are_in(tmp_path):
    game = sit()
    law(
        game, 'on said when text == "go": let seats choose guess from any text in secret; announce item(most(guess), 1)'
    )
    game.say("Ann", "go")
    pages = {name: Page(game, name) for name in game.players} | {"": Page(game, role="wall"), "all": Page(game)}
    assert pages["Ann"].act("choose", option="xyzzy")["said"]
    with refused(game, "text-too-long"):
        game.choose("Ben", "xyzzy" * 20)
    everywhere = [page.text for name, page in pages.items() if name != "Ann"]
    everywhere += [
        game.history.to_string(),
        game.to_html(),
        game.to_markdown(),
        str(game.pending),
        game.polls.to_string(),
    ]
    assert not [one for one in everywhere if "xyzzy" in one]
    assert "So far: Ann has answered." in pages["Ben"].decision("choose")["prompt"]
    pages["Ben"].act("choose", option="plugh")
    pages["Cleo"].act("choose", option="xyzzy")
    assert announced(game) == ["xyzzy"]
    assert "Ann says xyzzy" in game.history.to_string().replace("Ann and Cleo say xyzzy", "Ann says xyzzy")
    assert "xyzzy" in pages["Ben"].text
    replayed(game, tmp_path)
    game.undo()
    assert "xyzzy" not in game.history.to_string()


def test_two_questions_that_have_their_time_are_told_apart():
    game = sit()
    law(game, 'on said: let seats choose a from ["yes", "no"] asking "First?" within 3 turns; end turn\n'
              'on said: let seats choose b from ["yes", "no"] asking "Second?" within 3 turns; end turn')  # fmt: skip
    game.say("Ann", "go")
    page = Page(game, "Ben")
    mine = [one for one in page.asked.values() if one["action"] == "choose" and one["player"] == "Ben"]
    assert [one["prompt"].split("?")[0] for one in mine] == ["First", "Second"]
    assert len({one["key"] for one in mine}) == 2
    assert page.send({"id": "m1", "action": "choose", "key": mine[1]["key"], "details": {"option": "no"}})["said"]
    assert (game.state.polls[1].answers, game.state.polls[2].answers) == ({}, {"Ben": "no"})


def test_a_form_takes_a_number_a_text_and_some():
    game = begun_by_go(
        "on said: let player choose n from any number; let player choose some friends from playing or none; "
        "award n points to friends"
    )
    page = Page(game, "Ann")
    assert [(one["name"], one["type"]) for one in page.decision("choose")["fields"]] == [("option", "number")]
    assert page.act("choose", option=3)["said"]
    fields = page.decision("choose")["fields"]
    assert [(one["type"], one["label"]) for one in fields] == [("tick", "Ann"), ("tick", "Ben"), ("tick", "Cleo")]
    before = scores(game)
    page.act("choose", **{fields[1]["name"]: True})
    assert scores(game) == {**before, "Ben": before["Ben"] + 3}


def test_the_review_tells_who_is_asked_and_that_it_looks_no_further():
    law = 'on enacted when rule == this: let seats choose verdict from any text asking "Was it good?"; end play'
    found = [str(one) for one in sit().review("Ann", nb.enact("Vote.", law=law)).follows]
    assert found == [
        "Ann, Ben and Cleo are asked “Was it good?” (rule 301)",
        "what happens after Ann, Ben and Cleo answer is not shown (rule 301)",
    ]
