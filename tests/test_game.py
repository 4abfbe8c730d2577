"""What the public game does that stands on several parts: documents, forks, undo, hosting, comments."""

from __future__ import annotations

import json

import nbformat
import pytest
from refusals import refused

import nomic_nb as nb


@pytest.fixture
def game() -> nb.Game:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    game.propose("Ann", nb.library.simple_majority().change(203))
    for name in game.players:
        game.vote(name, "for")
    return game


def adopted(game: nb.Game, change: object) -> None:
    player = game.player
    assert player is not None
    game.propose(player, change)
    for name in game.players:
        game.vote(name, "for")
    game.roll(player)


def test_documents_are_written_where_they_are_wanted(game, tmp_path):
    assert (tmp_path / "game.html").exists() is False
    for make, name in ((game.to_html, "game.html"), (game.to_markdown, "game.md"), (game.law_book, "law.html")):
        assert make(tmp_path / name) is None
        assert (tmp_path / name).read_text(encoding="utf-8") == make()
    assert "A simple majority adopts" in game.law_book()
    made = nb.to_notebook(game, tmp_path / "game.ipynb")
    assert json.loads((tmp_path / "game.ipynb").read_text(encoding="utf-8")) == made
    nbformat.validate(nbformat.from_dict(made))


def test_a_throw_that_is_undone_shows_the_same_face_again(game):
    before = game.state
    face = game.roll("Ann")
    game.undo()
    assert game.state.replace(seq=0).digest() == before.replace(seq=0).digest()
    assert game.roll("Ann") == face


def test_undo_goes_back_action_by_action_and_stays_on_record(game):
    events = len(game.history)
    game.undo()
    game.undo()
    assert [one.player for one in game.pending] == ["Ben", "Cleo"]
    assert len(game.history) == events + 2
    assert len(game.ballots) == 1
    game.vote("Ben", "against")
    assert game.proposals[301].ballots == {"Ann": "for", "Ben": "against"}


def test_undo_to_an_event_and_back_again(game):
    end = game.state.seq
    game.undo(to=7)
    assert len(game.proposals) == 0
    game.undo(to=end)
    assert game.proposals[301].outcome == "adopted"
    with refused("inside-a-step", event=3):
        game.undo(to=3)
    for nothing in (0, 10_000, True):
        with refused("nothing-to-undo", last=19):
            game.undo(to=nothing)


def test_what_was_undone_is_loaded_as_it_was(game, tmp_path):
    game.roll("Ann")
    game.undo()
    game.annotate("a slip", "?!")
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert again.state.digest() == game.state.digest()
    assert again.history["what"].tolist() == game.history["what"].tolist()


def test_the_game_as_it_stood_is_looked_at_and_not_played(game):
    then = game.at(9)
    assert then.proposals[301].outcome == "open"
    for attempt in (lambda: then.vote("Ann", "for"), then.undo, lambda: then.host.pause()):
        with refused("game-as-it-stood", event=9):
            attempt()
    with refused("event-unknown", ValueError, last=17):
        game.at(0)


def test_other_times_of_a_game_can_do_what_the_game_can(game):
    for other in (game.at(3), game.fork(), game.forks[0].game):
        assert isinstance(other, nb.Game)
        assert other.law_book().startswith("<!DOCTYPE html>")


def test_a_fork_begins_at_the_end_of_the_step(game):
    fork = game.fork(at=8)
    assert fork.state.seq == 9
    fork.vote("Ann", "against")
    assert game.proposals[301].outcome == "adopted"
    assert [way.at for way in game.forks] == [9]
    assert game.forks[0].game.proposals[301].ballots == {"Ann": "against"}
    assert "Leaves: After event 9" in str(game.forks)
    assert repr(game.forks[0]) == "<branch: forked, leaves after event 9, in turn 1; .game continues it>"


def test_the_law_of_two_moments_side_by_side(game):
    start = 7
    adopted_in = game.state.seq
    game.roll("Ann")
    adopted(game, nb.repeal(210))
    adopted(game, nb.transmute(113))
    frame = game.redline(start).frame
    assert frame["what"].tolist() == ["was 113, was immutable", "was 203, amended", "repealed"]
    assert game.redline(start, adopted_in).frame["number"].tolist() == [301]
    assert str(game.redline(start, start)) == "The rules are the same."


def test_an_absent_player_neither_votes_nor_is_voted_for(game):
    game.roll("Ann")
    game.propose("Ben", nb.enact("Something."))
    game.host.absent("Cleo")
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    assert game.proposals[302].tally.not_voted == ("Cleo",)
    with refused("is-absent", player="Cleo"):
        game.vote("Cleo", "for")
    with refused("already-absent", player="Cleo"):
        game.host.absent("Cleo")
    game.host.present("Cleo")
    game.vote("Cleo", "against")
    assert game.proposals[302].outcome == "adopted"


def test_rules_may_speak_of_who_is_there(game):
    game.roll("Ann")
    adopted(game, nb.enact("Whoever comes back pays.", law="on returned: award -1 points to player"))
    game.host.absent("Ann")
    before = game.scores["Ann"]
    game.host.present("Ann")
    assert game.scores["Ann"] == before - 1


def test_a_paused_game_rests(game):
    game.host.pause()
    assert str(game.pending) == "the game is paused"
    with refused("game-paused"):
        game.roll("Ann")
    game.annotate("tea")
    game.host.resume()
    game.roll("Ann")
    with refused("not-paused"):
        game.host.resume()


def test_a_correction_needs_everyone_and_says_why(game):
    digest = game.state.digest()
    for agreed, reason, effect, code in (
        (["Ann", "Ben"], "a slip", 'put points of "Ann" at 9', "not-all-agree"),
        (game.players, "  ", 'put points of "Ann" at 9', "reason-needed"),
        (game.players, "a slip", 'eliminate "Ann"', "correction-cannot"),
        ([*game.players, "Zed"], "a slip", 'put points of "Ann" at 9', "not-a-player"),
    ):
        with refused(code):
            game.host.correct(effect, agreed=agreed, reason=reason)
    with refused("not-tracked-per", name="pionts"):
        game.host.correct('put pionts of "Ann" at 9', agreed=game.players, reason="a slip")
    assert game.state.digest() == digest
    game.host.correct('put points of "Ann" at 9', agreed=game.players, reason="a slip")
    assert game.scores["Ann"] == 9
    assert game.ledger[-1].why == "agreed by the players: a slip"
    assert game.ledger.frame["why"].iloc[-1] == "agreed by the players: a slip"
    game.undo()
    assert "a slip" not in " ".join(game.ledger.frame["why"])


def test_comments_have_glyphs_and_events(game):
    with refused("glyph-unknown", glyph="#"):
        game.annotate("hm", "#")
    with refused("event-unknown", last=17):
        game.annotate("hm", at=999)
    with refused("comment-empty"):
        game.annotate(" ")
    game.annotate("bold", "!?", at=8)
    assert game.history["what"].iloc[-1] == "on event 8: !? bold"


def test_a_latecomer_joins_by_an_adopted_rule(game):
    game.roll("Ann")
    adopted(game, nb.enact("Dora joins.", law='on enacted when rule == this: enter player "Dora" as person'))
    assert game.players[-1] == "Dora"
    adopted(game, nb.enact("Nothing."))
    assert game.player == "Dora"
    assert game.proposals[303].tally.eligible == 4


def test_a_shorter_game_is_agreed_before_it_begins():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, terms={"win.points": 5})
    game.propose("Ann", nb.enact("Something."))
    for name in game.players:
        game.vote(name, "for")
    game.roll("Ann", 6)
    assert game.winner == "Ann"
    assert "Agreed before play: win.points is 5." in game.rules[208].notes


def test_a_ready_made_rule_can_be_proposed_as_it_is(game):
    game.roll("Ann")
    assert game.propose("Ben", nb.library.another_die(8)).law == "set dice.sides to 8"


def test_what_is_supposed_is_a_change(game):
    for asked in (lambda: game.why("vote.quota", "x"), lambda: game.review("Ann", "x")):
        with refused("change-made-otherwise", TypeError, found="x"):
            asked()


def test_one_point_is_a_point(game):
    game.host.correct('award 1 points to "Ann"', agreed=game.players, reason="a slip")
    game.host.correct('award -1 points to "Ben"', agreed=game.players, reason="a slip")
    game.host.correct('award 2 points to "Ben"', agreed=game.players, reason="a slip")
    said = [text for text in game.history["what"] if ", now " in text]
    assert said[-3:] == ["Ann: +1 point, now 1", "Ben: −1 point, now −1", "Ben: +2 points, now 1"]
    assert "Ann: +1 point, now 1." in game.to_markdown()
    assert nb.library.dissent_bonus(1).wording.endswith("gets 1 point if it passes all the same.")
    assert "loses 1 point." in nb.library.penalty_for("yawning", 1).wording
    assert nb.library.cap_on_rules(1).title == "At most 1 mutable rule"


def test_rules_are_gone_through_in_order_and_boards_and_armies_are_listed():
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=1)
    numbers = [rule.number for rule in game.rules if rule.tier == "mutable"]
    assert numbers == sorted(numbers)
    tiers = list(dict.fromkeys(rule.tier for rule in game.rules))
    assert tiers == list(game.rules.rules_by_tier())
    assert set(game.armies.values()) == {"Ann", "Ben"}
    assert len(game.boards) == len(game.armies)
    assert nb.new_game("discordian-nomic", ["Ann", "Ben"]).boards == ()
    assert nb.new_game("discordian-nomic", ["Ann", "Ben"]).armies == {}


def test_terms_take_whole_expressions():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], terms={"win.points": "20 * count(playing)"})
    assert game.law["win.points"].value == 40
