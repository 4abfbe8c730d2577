"""What rules ask several players: who is waited for, what is taken as an answer, and what rules read of it."""

from __future__ import annotations

import pytest
from panels.pages import Page
from play_helpers import law, put, refused, scores, sit, waiting_for

import nomic_nb as nb

ASKS = 'on said when text == "go": let seats choose verdict from ["yes", "no"] asking "Was it funny?"; '
SAYS = 'announce "yes " + ("wins" if most(verdict) == ["yes"] else "does not win")'


def announced(game):
    return [event.data["text"] for event in game.table.events if event.kind == "announced"]


def begun(clauses, *players):
    """A game in which a rule asks this once somebody says go, and somebody does."""
    game = sit(*players)
    law(game, clauses)
    game.say("Ann", "go")
    return game


def replayed(game, path):
    game.save(path / "game.jsonl")
    assert nb.load(path / "game.jsonl").state.digest() == game.state.digest()


def test_all_are_asked_at_once_and_rules_read_the_answers(tmp_path):
    game = begun(ASKS + SAYS + '; award 2 points to who(verdict, "no")')
    before = scores(game)
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    assert game.pending[0].prompt == "Was it funny?"
    game.choose("Cleo", "no")
    assert waiting_for(game, "choose") == ["Ann", "Ben"]
    assert "So far: Cleo says no." in game.pending[0].prompt
    game.choose("Ann", "yes")
    assert announced(game) == []
    game.choose("Ben", "yes")
    assert announced(game) == ["yes wins"]
    assert scores(game) == {**before, "Cleo": before["Cleo"] + 2}
    assert "the answers to “Was it funny?” are in: Ann and Ben say yes; Cleo says no" in list(game.history["what"])
    replayed(game, tmp_path)


def test_a_tie_is_seen():
    game = begun(ASKS + "when count(most(verdict)) == 2: announce item(most(verdict), 1)", "Ann", "Ben")
    game.choose("Ann", "no")
    game.choose("Ben", "yes")
    assert announced(game) == ["yes"], "in the order of the options"


def test_nobody_answers_for_another_or_twice():
    game = begun(ASKS + SAYS)
    game.choose("Ann", "yes")
    with refused(game, match="it is Ben who chooses"):
        game.choose("Ann", "no")
    with refused(game, match="'perhaps' is not one of the options"):
        game.choose("Ben", "perhaps")


def test_whoever_leaves_is_left_out_even_as_the_last(tmp_path):
    game = begun(ASKS + SAYS)
    game.choose("Ann", "yes")
    game.choose("Ben", "no")
    assert announced(game) == []
    game.forfeit("Cleo")
    assert announced(game) == ["yes does not win"]
    replayed(game, tmp_path)


def test_the_answer_of_whoever_has_left_does_not_count():
    game = begun(ASKS + SAYS)
    game.choose("Cleo", "no")
    game.forfeit("Cleo")
    game.choose("Ann", "yes")
    game.choose("Ben", "yes")
    assert game.state.polls[1].answers == {"Ann": "yes", "Ben": "yes"}


def test_nobody_waits_for_the_absent():
    game = begun(ASKS + SAYS)
    game.host.absent("Cleo")
    assert {one.player for one in game.pending if one.must} == {"Ann", "Ben"}
    game.choose("Ann", "yes")
    game.host.absent("Ben")
    assert announced(game) == ["yes wins"]


def test_whoever_is_back_in_time_answers_too():
    game = begun(ASKS + SAYS)
    game.host.absent("Cleo")
    game.choose("Ann", "no")
    game.host.present("Cleo")
    game.choose("Ben", "yes")
    assert announced(game) == []
    game.choose("Cleo", "no")
    assert announced(game) == ["yes does not win"]


def test_where_all_are_away_it_waits_for_any_of_them():
    game = begun(ASKS + SAYS)
    for name in game.players:
        game.host.absent(name)
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    game.host.present("Ben")
    game.choose("Ben", "yes")
    assert announced(game) == ["yes wins"]


def test_nobody_waits_for_those_who_may_not_answer():
    game = sit()
    law(game, 'forbid choose when player.name == "Cleo"\n' + ASKS + SAYS)
    game.say("Ann", "go")
    game.choose("Ann", "yes")
    game.choose("Ben", "yes")
    assert announced(game) == ["yes wins"]


def test_a_poll_of_nobody_is_over_at_once():
    game = begun('on said: let [p for p in seats if p.points > 99] choose x from ["a"]; announce "over"')
    assert announced(game) == ["over"]
    assert "nobody has answered x" in list(game.history["what"])


def test_the_table_is_asked_where_nobody_of_those_named_is_here():
    game = sit()
    law(game, 'on said: let [p for p in players if not p.playing] choose x from ["a"]')
    game.forfeit("Cleo")
    game.say("Ann", "go")
    assert "nobody called Cleo can act" in game.state.questions[0].text


@pytest.mark.parametrize(
    ("who", "options", "why"),
    [
        ("seats", "[n for n in numbers(1, 1001)]", "there are more than 1,000 options"),
        ("seats", "[p for p in seats if p.points > 99]", "there is nothing to choose from"),
        ("[q for q in seats if q.points > 99] + seats", "numbers(1, 1000)", ""),
    ],
)
def test_what_is_asked_is_bounded(who, options, why):
    game = begun(f"on said: let {who} choose x from {options}")
    assert (why in game.state.questions[0].text) if why else waiting_for(game, "choose")


def test_a_number_a_text_and_some_are_taken_as_what_they_are(tmp_path):
    game = sit()
    law(game, 'on said when text == "n": let player choose n from any number asking "How many?"; '
              "award n points to player\n"
              'on said when text == "t": let player choose words from any text or none; '
              'when words != none: announce words + "!"\n'
              'on said when text == "s": let seats choose some friends from playing or none; '
              'award 3 points to most(friends); award 1 points to who(friends, player_named("Ann"))')  # fmt: skip
    before = scores(game)
    game.say("Ann", "n")
    assert (game.pending[0].prompt, game.pending[0].takes) == ("How many? (a number)", "number")
    for wrong in ("twelve", "1.5", "1/0", "9" * 20, None, True, ["1"]):
        with refused(game, match="a number is asked for"):
            game.choose("Ann", wrong)
    game.choose("Ann", "-12")
    assert scores(game)["Ann"] == before["Ann"] - 12
    game.say("Ben", "t")
    with refused(game, error=nb.LawError, match="at most 80 characters"):
        game.choose("Ben", "x" * 81)
    with refused(game, match="a text of at most 80 letters"):
        game.choose("Ben", "  ")
    game.choose("Ben", " so  be it ")
    assert announced(game) == ["so be it!"]
    game.say("Ben", "t")
    game.choose("Ben", None)
    game.say("Cleo", "s")
    with refused(game, match="is not a list of some of the options"):
        game.choose("Ann", ["Ann", "Zed"])
    before = scores(game)
    game.choose("Ann", ["Ben", "Ann"])
    game.choose("Ben", "Cleo, Ann")
    game.choose("Cleo", [])
    assert scores(game) == {"Ann": before["Ann"] + 4, "Ben": before["Ben"] + 1, "Cleo": before["Cleo"]}
    replayed(game, tmp_path)


def test_some_means_one_at_least():
    game = begun("on said: let player choose some friends from playing; award 1 points to friends")
    with refused(game, match="is not a list of some"):
        game.choose("Ann", [])
    before = scores(game)
    game.choose("Ann", "Ben")
    assert scores(game)["Ben"] == before["Ben"] + 1


def test_who_and_most_look_into_the_ballots_on_a_proposal_too():
    game = sit()
    law(game, 'on vote_closed: award 2 points to who(proposal, "against"); announce item(most(proposal), 1)')
    before = scores(game)
    put(game, nb.enact("More."), against=["Cleo"])
    assert announced(game) == ["for"]
    assert scores(game)["Cleo"] >= before["Cleo"] + 2


def test_what_is_answered_in_secret_nobody_sees_before_all_are_in(tmp_path):
    game = sit()
    law(
        game, 'on said when text == "go": let seats choose guess from any text in secret; announce item(most(guess), 1)'
    )
    game.say("Ann", "go")
    pages = {name: Page(game, name) for name in game.players} | {"": Page(game, role="wall"), "all": Page(game)}
    assert pages["Ann"].act("choose", option="xyzzy")["said"]
    with refused(game, error=nb.LawError):
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


def test_a_form_takes_a_number_a_text_and_some():
    game = begun('on said: let player choose n from any number; let player choose some friends from playing or none; '
                 "award n points to friends")  # fmt: skip
    page = Page(game, "Ann")
    assert [(one["name"], one["type"]) for one in page.decision("choose")["fields"]] == [("option", "number")]
    assert page.act("choose", option=3)["said"]
    fields = page.decision("choose")["fields"]
    assert [(one["type"], one["label"]) for one in fields] == [("tick", "Ann"), ("tick", "Ben"), ("tick", "Cleo")]
    before = scores(game)
    page.act("choose", **{fields[1]["name"]: True})
    assert scores(game) == {**before, "Ben": before["Ben"] + 3}
