"""What rules ask several players: who is waited for, what is taken as an answer, and what rules read of it."""

from __future__ import annotations

import pytest
from play_helpers import announced, begun_by_go, idle, law, put, refused, replayed, scores, sit, waiting_for

import nomic_nb as nb
from nomic_nb.engine.play.dice import SealOpening, commitment_hash

ASKS = 'on said when text == "go": let seats choose verdict from ["yes", "no"] asking "Was it funny?"; '
SAYS = 'announce "yes " + ("wins" if most(verdict) == ["yes"] else "does not win")'


def test_all_are_asked_at_once_and_rules_read_the_answers(tmp_path):
    game = begun_by_go(ASKS + SAYS + '; award 2 points to who(verdict, "no")')
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
    game = begun_by_go(ASKS + "when count(most(verdict)) == 2: announce item(most(verdict), 1)", "Ann", "Ben")
    game.choose("Ann", "no")
    game.choose("Ben", "yes")
    assert announced(game) == ["yes"], "in the order of the options"


def test_nobody_answers_for_another_or_twice():
    game = begun_by_go(ASKS + SAYS)
    game.choose("Ann", "yes")
    with refused(game, "another-does", player="Ben"):
        game.choose("Ann", "no")
    with refused(game, "answer-not-an-option", found="perhaps"):
        game.choose("Ben", "perhaps")


def test_whoever_leaves_is_left_out_even_as_the_last(tmp_path):
    game = begun_by_go(ASKS + SAYS)
    game.choose("Ann", "yes")
    game.choose("Ben", "no")
    assert announced(game) == []
    game.forfeit("Cleo")
    assert announced(game) == ["yes does not win"]
    replayed(game, tmp_path)


def test_the_answer_of_whoever_has_left_does_not_count():
    game = begun_by_go(ASKS + SAYS)
    game.choose("Cleo", "no")
    game.forfeit("Cleo")
    game.choose("Ann", "yes")
    game.choose("Ben", "yes")
    assert game.state.polls[1].answers == {"Ann": "yes", "Ben": "yes"}


def test_nobody_waits_for_the_absent():
    game = begun_by_go(ASKS + SAYS)
    game.host.absent("Cleo")
    assert {one.player for one in game.pending if one.must} == {"Ann", "Ben"}
    game.choose("Ann", "yes")
    game.host.absent("Ben")
    assert announced(game) == ["yes wins"]


def test_whoever_is_back_in_time_answers_too():
    game = begun_by_go(ASKS + SAYS)
    game.host.absent("Cleo")
    game.choose("Ann", "no")
    game.host.present("Cleo")
    game.choose("Ben", "yes")
    assert announced(game) == []
    game.choose("Cleo", "no")
    assert announced(game) == ["yes does not win"]


def test_where_all_are_away_it_waits_for_any_of_them():
    game = begun_by_go(ASKS + SAYS)
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
    game = begun_by_go('on said: let [p for p in seats if p.points > 99] choose x from ["a"]; announce "over"')
    assert announced(game) == ["over"]
    assert "nobody has answered x" in list(game.history["what"])


def test_a_poll_of_those_who_have_left_is_one_of_nobody():
    game = sit()
    law(game, 'on said: let [p for p in players if not p.playing] choose x from ["a"]; announce "over"')
    game.forfeit("Cleo")
    game.say("Ann", "go")
    assert not game.state.questions
    assert announced(game) == ["over"]
    assert {"nobody is asked to choose x", "nobody has answered x"} <= set(game.history["what"])


@pytest.mark.parametrize(
    ("who", "options", "why"),
    [
        ("seats", "[n for n in numbers(1, 1001)]", "there are more than 1,000 options"),
        ("[q for q in seats if q.points > 99] + seats", "numbers(1, 1000)", ""),
    ],
)
def test_what_is_asked_is_bounded(who, options, why):
    game = begun_by_go(f"on said: let {who} choose x from {options}")
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
        with refused(game, "answer-not-a-number"):
            game.choose("Ann", wrong)
    game.choose("Ann", "-12")
    assert scores(game)["Ann"] == before["Ann"] - 12
    game.say("Ben", "t")
    with refused(game, "text-too-long", longest=80):
        game.choose("Ben", "x" * 81)
    with refused(game, "answer-not-a-text", most=80):
        game.choose("Ben", "  ")
    game.choose("Ben", " so  be it ")
    assert announced(game) == ["so be it!"]
    game.say("Ben", "t")
    game.choose("Ben", None)
    game.say("Cleo", "s")
    with refused(game, "answer-not-an-option"):
        game.choose("Ann", ["Ann", "Zed"])
    before = scores(game)
    game.choose("Ann", ["Ben", "Ann", "Ben"])
    game.choose("Ben", "Cleo, Ann")
    game.choose("Cleo", [])
    assert scores(game) == {"Ann": before["Ann"] + 4, "Ben": before["Ben"] + 1, "Cleo": before["Cleo"]}
    replayed(game, tmp_path)


def test_some_means_one_at_least():
    game = begun_by_go("on said: let player choose some friends from playing; award 1 points to friends")
    with refused(game, "answer-not-an-option"):
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


LATE = (
    'on said when text == "go": let seats choose verdict from ["yes", "no"] within {} else "no"; '
    'announce "yes " + ("wins" if most(verdict) == ["yes"] else "does not win"); award 1 points to who(verdict, "no")'
)


def test_play_goes_on_while_answers_have_their_time_and_who_is_late_counts_as_said(tmp_path):
    game = begun_by_go(LATE.format("2 turns"))
    assert (waiting_for(game, "propose"), waiting_for(game, "choose")) == (["Ben"], ["Ann", "Ben", "Cleo"])
    assert not any(one.must for one in game.pending if one.action == "choose")
    game.choose("Cleo", "yes")
    assert "until 2 more turns have ended" in game.pending[-1].prompt
    idle(game)
    assert announced(game) == []
    before = scores(game)
    idle(game)
    assert announced(game) == ["yes does not win"]
    assert scores(game)["Ann"] == before["Ann"] + 1
    assert "Ann (late) and Ben (late) say no; Cleo says yes" in game.history.to_string()
    assert game.polls["player"].tolist() == ["Cleo"]
    replayed(game, tmp_path)


def test_it_is_over_once_all_have_answered_and_nobody_is_late_where_nothing_is_said_of_it():
    game = begun_by_go(LATE.format("2 circuits"))
    for name in game.players:
        game.choose(name, "yes")
    assert announced(game) == ["yes wins"]
    game = begun_by_go('on said: let seats choose n from any number within 1 turns; announce "in"; '
                 "award 2 points to [p for p in seats if p not in who(n, 7)]")  # fmt: skip
    game.choose("Ben", 7)
    before = scores(game)
    idle(game)
    assert announced(game) == ["in"]
    assert scores(game)["Cleo"] == before["Cleo"] + 2
    assert game.state.polls[1].answers == {"Ben": 7}


def test_whoever_is_away_can_be_back_in_time():
    game = begun_by_go(LATE.format("1 turns"))
    game.host.absent("Cleo")
    game.choose("Ann", "yes")
    game.choose("Ben", "yes")
    assert announced(game) == []
    game.host.present("Cleo")
    game.choose("Cleo", "yes")
    assert announced(game) == ["yes wins"]


def test_one_who_is_late_answers_nothing_or_what_counts():
    clauses = 'on said: let player choose n from [1, 2] within 1 turns{}; announce "none" if n == none else "some"'
    game = begun_by_go(clauses.format(""))
    idle(game)
    assert announced(game) == ["none"]
    game = begun_by_go('on said: let player choose n from [1, 2] within 1 turns else 2; when n == 2: announce "two"')
    idle(game)
    assert announced(game) == ["two"]


def test_a_time_of_the_clock_is_waited_for(tmp_path):
    game = sit()
    game.host.time("2026-11-22 18:00")
    law(game, LATE.format("2 days"))
    game.say("Ann", "go")
    assert "until 2026-11-24 18:00" in game.pending[-1].prompt
    game.choose("Ann", "yes")
    game.host.time("2026-11-24 17:59")
    assert announced(game) == []
    game.host.time("2026-11-30 12:00")
    assert announced(game) == ["yes does not win"]
    assert game.history["what"].tolist().index("it is 2026-11-24 18:00") > 0
    replayed(game, tmp_path)


def test_what_counts_for_the_late_and_is_no_option_now_is_asked_about():
    late = 'let seats choose p from [q for q in seats if q.points > 0] within 1 turns else player_named("Cleo")'
    game = begun_by_go(f"on said: {late}")
    assert "the answer that counts for late players, Cleo, is not one of the options" in game.state.questions[0].text


def test_chance_chooses_as_options_weigh_and_is_recorded_like_a_throw(tmp_path):
    game = sit()
    law(game, 'on said: let chance choose omen from ["owl", "fox", "eel"] weighing [3, 0, 1]; announce omen')
    for _ in range(40):
        game.say("Ann", "go")
    assert set(announced(game)) == {"owl", "eel"}
    assert 20 <= announced(game).count("owl") <= 39
    thrown = [event for event in game.timeline.events if event.kind == "thrown" and "chosen" in event.data]
    assert all((event.data["face"] == 4) == (event.data["chosen"] == "eel") for event in thrown)
    assert any("rolls a 4: eel" in one for one in game.history["what"])
    replayed(game, tmp_path)


def test_where_the_table_throws_its_dice_it_throws_for_chance_too():
    game = sit(terms={"dice.source": '"table"'})
    law(game, 'on said: let chance choose omen from ["owl", "fox"] weighing [3, 1]; announce omen')
    game.say("Ann", "go")
    assert 'a die with 4 sides (1 to 3: "owl"; 4: "fox")' in game.pending[0].prompt
    game.roll("Ben", 4)
    assert announced(game) == ["fox"]


@pytest.mark.parametrize("weights", ["[1, 1 - turn]", "[1, turn, 2]", "[1000000, 1000000]"])
def test_weights_that_are_none_are_asked_about(weights):
    game = begun_by_go(f"on said: let chance choose n from numbers(1, 2) weighing {weights}")
    assert "wei" in game.state.questions[0].text


def sealed(clauses="", who=("Ann", "Ben", "Cleo")):
    """A game in which players keep for themselves what they answer in secret, asked how good a joke was."""
    game = sit(*who)
    law(game, 'set secret.kept_by to "players"\n'
              'on said when text == "go": let seats choose guess from ["owl", "fox"] asking "Which?" in secret'
              f'{clauses}; announce "fox " + ("wins" if most(guess) == ["fox"] else "does not win")')  # fmt: skip
    game.say("Ann", "go")
    return game


def test_players_seal_and_reveal_what_they_answer_where_the_law_does_not_trust_the_game(tmp_path):
    game = sealed()
    assert waiting_for(game, "seal") == ["Ann", "Ben", "Cleo"]
    assert game.pending[0].prompt == "seal your answer: Which? (shown when all answers are in): owl, fox"
    with refused(game, "answer-sealed-first"):
        game.choose("Ann", "owl")
    with refused(game, "sealed-for-a-question"):
        game.seal("Ann", "bear")
    with refused(game, "sealed-for-a-question"):
        game.seal("Ann")
    for name, guess in (("Ann", "fox"), ("Ben", "owl")):
        game.seal(name, guess)
    game.save(tmp_path / "early.jsonl")
    said = [line for line in (tmp_path / "early.jsonl").read_text().splitlines() if '"committed"' in line]
    assert len(said) == 2
    assert not any("fox" in line or "owl" in line for line in said), "not even the record has it"
    game.seal("Cleo", "fox")
    for name in game.players:
        assert announced(game) == []
        game.reveal(name)
    assert announced(game) == ["fox wins"]
    assert game.polls["answer"].tolist() == ["fox", "owl", "fox"]
    replayed(game, tmp_path)


def test_whoever_does_not_seal_or_reveal_or_leaves_is_left_out_of_a_sealed_question(tmp_path):
    game = sealed(who=("Ann", "Ben", "Cleo", "Dov"))
    game.seal("Ann", "fox")
    game.forfeit("Dov")
    game.host.overdue("Cleo")
    game.seal("Ben", "owl")
    game.reveal("Ann")
    assert announced(game) == []
    game.host.overdue("Ben")
    assert announced(game) == ["fox wins"]
    assert game.state.polls[1].answers == {"Ann": "fox"}
    assert "the answers count without Ben" in list(game.history["what"])
    replayed(game, tmp_path)


def test_what_is_revealed_and_is_no_answer_is_none():
    game = sealed(who=("Ann", "Ben"))
    number = game.state.waiting[0].round.number
    game.seal("Ann", commitment=commitment_hash(game.state.game, number, "Ann", SealOpening("bear", "0" * 64)))
    game.seal("Ben", "fox")
    game.reveal("Ann", "bear", "0" * 64)
    game.reveal("Ben")
    assert (announced(game), game.state.polls[1].answers) == (["fox wins"], {"Ben": "fox"})


def test_a_sealed_question_has_its_time_too():
    game = sealed(' within 1 turns else "owl"')
    game.seal("Ann", "fox")
    idle(game)
    assert announced(game) == ["fox does not win"]
    assert waiting_for(game, "seal") == []


def test_people_and_judges_can_have_several_asked():
    game = sit()
    idle(game)
    game.apply("Cleo", 210, 'let seats choose answer from any text asking "Is it late?"')
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    for name in game.players:
        game.choose(name, "It is.")
    assert "the answers to “Is it late?” are in: Ann, Ben and Cleo say It is." in list(game.history["what"])
    with refused(game, "people-cannot"):
        game.apply("Cleo", 210, "when turn > 1: award 1 points to player")


# -------------------------------------------------------------------------------- questions without end

#: Laws that ask whoever says go, and by the answer again, as long as they like.
WITHOUT_END = {
    "a choice": 'on said when text == "go": let player choose a from [1, 2]\n'
    'on chosen when player.playing: let player choose b from [1, 2] asking "Again?"',
    "what counts": "track t per player from 0\n"
    'on said when text == "go": award 1 t to player\n'
    'on counted when counter == "t": let player choose a from [1, 2]; award 1 t to player',
    "a throw": 'on said when text == "go": roll 1 of 6 as a by player\n'
    "on thrown when face == 3: roll 1 of 6 as b by player",
    "put off by nothing": 'on said when text == "go": let player choose a from [1, 2]\n'
    'on chosen when player.playing: after 0 turns: let "Ann" choose b from [1, 2]',
    "several": 'on said when text == "go": let seats choose a from [1, 2]\n'
    'on chosen when player.name == "Cleo": let seats choose b from [1, 2]',
}


@pytest.mark.parametrize("clauses", WITHOUT_END.values(), ids=WITHOUT_END)
def test_rules_that_ask_again_for_ever_are_stopped_and_the_table_is_asked(clauses, tmp_path):
    game = sit()
    rule = law(game, clauses)
    for times in range(2):
        game.say("Ann", "go")
        for _ in range(300):
            if game.state.questions or not game.state.waiting:
                break
            if asked := waiting_for(game, "choose"):
                game.choose(asked[0], "1")
            else:
                game.roll("Ann", 3)
        if not times:
            assert f"Rule {rule} triggers itself forever" in game.state.questions[0].text
            for name in game.players:
                game.choose(name, "it stops there")
        assert not game.state.waiting, "what the table agreed on holds: it is not asked again"
    replayed(game, tmp_path)


def test_rules_that_ask_again_a_few_times_are_asked_out():
    game = sit()
    law(game, "track t per player from 0\n"
              'on said when text == "go": let player choose a from [1, 2]\n'
              "on chosen when player.t < 25: award 1 t to player; let player choose b from [1, 2]")  # fmt: skip
    game.say("Ann", "go")
    for _ in range(26):
        assert waiting_for(game, "choose") == ["Ann"]
        game.choose("Ann", "1")
    assert waiting_for(game, "choose") == []
    assert not game.state.questions


def test_what_is_asked_while_play_goes_on_holds_up_nothing_and_can_go_on_for_ever():
    game = sit()
    law(game, 'on said when text == "go": let player choose a from [1, 2] within 9 turns\n'
              "on chosen when player.playing: let player choose b from [1, 2] within 9 turns")  # fmt: skip
    game.say("Ann", "go")
    for _ in range(120):
        game.choose("Ann", "1")
    assert not game.state.questions
    assert waiting_for(game, "propose"), "play goes on beside it"
