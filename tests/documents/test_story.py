"""What documents tell of a game, and in which order."""

from beginnings import new_game
from documents.document_helpers import SEALED, ballots, put, turn
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.play.events import Event
from nomic_nb.notebook.documents.narrative import Variation, open_tallies, tell_story
from nomic_nb.study.views import Tally
from nomic_nb.study.views.redline import ProposedRule


def told(game):
    return [beat for chapter in tell_story(game) for beat in chapter.beats]


def texts(game):
    return [beat.text for beat in told(game)]


def begun(*players, **more):
    return new_game("discordian-nomic", players or ("Ann", "Ben"), seed=7, **more)


def comment_places(game):
    found = {}
    for chapter in tell_story(game):
        for one in chapter.comments:
            found[one.text] = chapter.anchor_name
        for beat in chapter.beats:
            for one in beat.comments:
                found[one.text] = beat.text
    return found


def test_a_chapter_for_every_turn(full):
    chapters = tell_story(full)
    assert [one.turn for one in chapters] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [one.player for one in chapters] == ["Ann", "Ben", "Cleo", "Ann", "Ben", "Cleo", "Ann", "Ben"]
    assert [one.circuit for one in chapters] == [1, 1, 1, 2, 2, 2, 3, 3]


def test_what_is_told_comes_in_the_order_in_which_it_happened(full, odd):
    for game in (full, odd):
        numbers = [beat.seq for beat in told(game) if beat.kind != "variation"]
        assert numbers == sorted(numbers)
        assert len(set(numbers)) == len(numbers)


def test_every_action_is_in_one_chapter(full, odd):
    for game in (full, odd):
        done = [event.seq for chapter in tell_story(game) for event in chapter.actions]
        assert done == [event.seq for event in game.timeline.events if event.is_action and event.kind != "game_started"]


def test_a_proposal_stands_beside_the_rule_as_it_was_then(full):
    made = {one.number: one for beat in told(full) if isinstance(one := beat.made, ProposedRule)}
    assert made[301].before.number == 203
    assert made[301].after.wording == full.rules[301].wording
    assert (made[303].before.tier, made[303].tier) == ("immutable", "mutable")
    assert made[304].before.tier == "mutable"
    assert made[305].before is None
    assert (made[307].before.number, made[307].after.wording) == (206, "")
    assert made[308].before.title == "How many points win"  # as it was revised


def test_a_proposal_of_the_same_number_after_undoing_meets_another_rule():
    game = begun()
    turn(game, nb.amend(206, "Defeat is bitter."))
    game.propose("Ben", nb.repeal(301))
    game.undo(8)
    ballots(game, against=game.players)
    game.roll("Ann", 1)
    turn(game, nb.enact("Nothing."))
    last = [beat.made for beat in told(game) if isinstance(beat.made, ProposedRule)][-1]
    assert (last.number, last.before) == (302, None)


def test_a_vote_is_told_once_by_its_tally(full):
    tallies = [beat.made for beat in told(full) if isinstance(beat.made, Tally)]
    assert [one.number for one in tallies] == list(range(301, 309))
    assert [one.status for one in tallies] == ["adopted", "defeated", *["adopted"] * 6]
    assert not [beat for beat in told(full) if beat.kind == "balloted"]


def test_a_ballot_that_was_taken_back_is_told_by_itself():
    game = begun()
    game.propose("Ann", nb.enact("More."))
    game.vote("Ann", "against")
    game.undo()
    ballots(game)
    assert [(beat.text, beat.undone) for beat in told(game) if beat.kind == "balloted"] == [
        ("Ann votes against proposal 301.", True)
    ]


def test_a_ballot_that_was_changed_is_told_by_itself():
    game = begun()
    turn(game, nb.enact("Change your mind.", law="set vote.changeable to true"))
    game.propose("Ben", nb.enact("More."))
    game.vote("Ann", "against")
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    assert [beat.text for beat in told(game) if beat.kind == "balloted"] == ["Ann votes against proposal 302."]


def test_a_question_has_its_answers_behind_it(full):
    beats = told(full)
    at = next(at for at, beat in enumerate(beats) if isinstance(beat.made, Event))
    assert "May I whistle while others think?" in beats[at].text
    assert [(beat.text, beat.undone) for beat in beats[at + 1 : at + 7]] == [
        ("Ann answers yes.", False),
        ("Ben answers yes.", False),
        ("Cleo answers no.", True),
        ("Everything after event 125 is undone.", False),
        ("Cleo answers yes.", False),
        ("The question is settled: yes.", False),
    ]


def test_the_kit_asks_with_answers_that_lie_at_hand():
    game = begun("Ann", "Ben", "Cleo")
    turn(game, nb.repeal(203))
    game.propose("Ben", nb.enact("More."))
    asked = next(beat.made for beat in told(game) if isinstance(beat.made, Event))
    assert "vote.quota" in asked.data["text"]


def test_points_with_their_rule(full):
    lines = {(beat.text, beat.cause.rule if beat.cause else None) for beat in told(full) if beat.kind == "counted"}
    assert ("Ann: +4 points, now 4.", 202) in lines
    assert ("Ben: −10 points, now −10.", 206) in lines
    assert ("Ben: +10 points, now 2.", 204) in lines
    assert ("Ben: −2 points, now 1.", 306) in lines
    assert ("Ben: +2 points, now 3.", None) in lines
    assert ("Ann: +1 point, now 12.", 210) in lines


def test_everything_else_is_told(full):
    said = texts(full)
    for line in (
        "Dov joins as a dummy.",
        "The game rolls a 4.",
        "Ann rolls a 4, entered by hand.",
        "Ann says “Welcome, Dov!”",
        "Ben: pours tea for everyone.",
        "Cleo reports Ben: interrupting.",
        'Ann, Ben and Cleo agree: award 2 points to "Ben" (the tea).',
        'Cleo applies rule 210: award 1 points to "Ann".',
        "Cleo is away.",
        "Cleo is back.",
        "Ben revises proposal 308: amend rule 208.",
        "Ben ends the debate on proposal 308.",
        "Ann wins.",
    ):
        assert line in said, line


def test_undone_stretches_are_marked_and_what_stands_is_not(full, odd):
    for game in (full, odd):
        standing = {event.seq for event in game.timeline.events_in_effect}
        for beat in told(game):
            if beat.kind not in ("undone", "variation"):
                assert beat.undone == (beat.seq not in standing), beat.text


def test_undone_and_done_again():
    game = begun()
    game.say("Ann", "one")
    game.say("Ann", "two")
    end = game.state.seq
    game.undo()
    game.undo(end)
    assert [beat.undone for beat in told(game)] == [False, False, False, False]
    assert texts(game)[:2] == ["Ann says “one”.", "Ann says “two”."]


def test_a_turn_that_the_game_goes_back_to_is_told_again(odd):
    chapters = tell_story(odd)
    assert [one.anchor_name for one in chapters] == ["turn-1", "turn-2", "turn-3", "turn-4", "turn-5", "turn-2-2"]
    assert [one.is_undone for one in chapters] == [False, False, True, True, True, False]
    assert chapters[-1].heading == "Turn 2, continued"


def test_a_throw_taken_back_stays_in_its_turn():
    game = begun()
    put(game, nb.enact("More."))
    game.roll("Ann", 1)
    game.undo()
    game.roll("Ann", 2)
    assert [one.turn for one in tell_story(game)] == [1]


def test_comments_stand_where_they_belong(full):
    places = comment_places(full)
    assert places["Majorities make the game lively.\n\nThey always do."] == "Ann proposes 301: amend rule 203."
    assert places["Nobody had asked Ann."] == "Ben: +2 points, now −8."
    assert places["The die had rolled off the table."] == "Everything after event 142 is undone."
    assert places["A dozen was too few."] == "Ann wins."


def test_a_comment_after_a_throw_is_not_about_the_next_turn():
    game = begun()
    put(game, nb.enact("More."))
    game.roll("Ann", 1)
    game.annotate("Well thrown.")
    assert game.turn == 2
    assert comment_places(game)["Well thrown."] == "Ann: +1 point, now 1."


def test_a_comment_on_a_ballot_on_a_turn_and_on_a_comment():
    game = begun()
    game.annotate("Here we go.", at=next(event.seq for event in game.timeline.events if event.kind == "turn_begun"))
    game.propose("Ann", nb.enact("More."))
    game.vote("Ann", "for")
    game.annotate("Of course.")
    game.annotate("Of course!")
    ballots(game)
    places = comment_places(game)
    assert places["Here we go."] == "turn-1"
    assert places["Of course."] == places["Of course!"] == "Ann votes for proposal 301."


def test_a_comment_that_was_taken_back_is_no_comment_any_more():
    game = begun()
    game.say("Ann", "tea")
    game.annotate("Cofee?")
    game.undo()
    game.annotate("Coffee?", at=game.timeline.events[-3].seq)
    assert comment_places(game) == {"Coffee?": "Ann says “tea”."}
    assert "Comment on event 7 (undone): Cofee?" in texts(game)


def test_what_was_undone_is_commented_on_where_it_was_undone():
    game = begun()
    game.say("Ann", "tea")
    at = game.state.seq
    game.undo()
    with refused("comment-on-event-taken-back", event=at):
        game.annotate("She did say it.", at=at)
    game.annotate("She did say it.")
    assert comment_places(game) == {"She did say it.": "Everything after event 6 is undone."}


def test_a_move_on_boards_is_told_once():
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.enact("Nothing to see here."))
    ballots(game)
    way = game.fork()
    for one in (game, way):
        one.move("Ann", "e2e4", push=("white", "yellow"))
    moved = "Ann moves white.e2-white.e4 with white and yellow."
    assert [said for said in texts(game) if "white and yellow" in said or "has moved" in said] == [moved]
    (branch,) = [beat.made for beat in told(game) if isinstance(beat.made, Variation)]
    assert branch.lines[0] == moved
    pushed = game.moves.loc[1, "seq"] - 1
    game.annotate("These two.", at=pushed)
    assert comment_places(game) == {"These two.": "Ann pushes white and yellow together for army white."}


def test_a_comment_is_told_as_it_reads_now():
    game = begun()
    game.say("Ann", "tea")
    game.annotate("Cofee?", "?")
    game.annotate("Indeed.", at=game.state.seq - 1)
    first, second = game.comments.index
    game.edit_comment(first, "Coffee?")
    game.withdraw_comment(second)
    assert comment_places(game) == {"Coffee?": "Ann says “tea”."}
    game.annotate("On the comment.", at=first)
    assert comment_places(game)["On the comment."] == "Ann says “tea”."
    game.undo(second)  # both are as they were
    assert comment_places(game) == {"Cofee?": "Ann says “tea”.", "Indeed.": "Ann says “tea”."}


def test_another_way_stands_where_it_parts(full):
    beats = told(full)
    at = next(at for at, beat in enumerate(beats) if isinstance(beat.made, Variation))
    assert beats[at - 1].text == "Ben: −2 points, now 1."
    assert beats[at].made.lines[0] == "Ann proposes 307: repeal rule 206."


def test_ways_that_part_from_another_way():
    game = begun()
    way = game.fork()
    way.say("Ann", "one")
    deeper = way.fork()
    deeper.say("Ann", "two")
    game.fork()  # nothing happens there
    made = [beat.made for beat in told(game)]
    assert len(made) == 1
    assert made[0].lines == ("Ann says “one”.",)
    assert made[0].inner[0].lines == ("Ann says “two”.",)


def test_an_automatic_change_is_told_with_its_rule():
    game = begun()
    turn(game, nb.enact("Soon.", law='on said when text == "go": repeal this'))
    game.say("Ben", "go")
    line = next(beat for beat in told(game) if beat.kind == "repealed")
    assert line.cause.rule == 301
    assert line.made.before.title == "Soon"


def test_a_game_as_it_stood(full):
    then = full.at(30)
    assert told(then)[-1].seq <= 30
    assert [one.number for one in open_tallies(full.at(27))] == [302]


# ------------------------------------------------------------------------------------------------- sealed


def test_sealed_ballots_of_an_open_vote_are_not_told(sealed):
    assert not [text for text in texts(sealed) if "votes" in text]
    tally = open_tallies(sealed)[0]
    assert set(tally.ballots.values()) == {"sealed"}
    assert tally.votes_for is None


def test_nor_where_one_was_taken_back(sealed):
    game = sealed.fork()
    game.undo()
    assert "Cleo votes on 302 (sealed)." in texts(game)
    assert not [text for text in texts(game) if "for 302" in text or "against 302" in text]


def test_nor_where_the_vote_had_closed_before_it_was_opened_again():
    game = begun("Ann", "Ben", "Cleo")
    turn(game, nb.enact("Sealed.", law=SEALED))
    game.propose("Ben", nb.enact("Secret."))
    game.vote("Ben", "for")
    game.vote("Cleo", "against")
    then = game.state.seq
    game.vote("Ann", "for")
    assert "Failed" in "".join(texts(game))
    game.undo(then)
    said = "\n".join(texts(game))
    assert "Failed: 2 for" not in said
    assert "is hidden" in said
    assert "against 302" not in said
    assert not [beat for beat in told(game) if beat.kind == "counted" and "−10" in beat.text]


def test_nor_in_another_way(sealed):
    game = sealed.fork()
    way = game.fork()
    way.vote("Ann", "for")
    lines = next(beat.made.lines for beat in told(game) if beat.kind == "variation")
    assert lines == ("Ann votes on 302 (sealed).", "What came next is hidden while the vote on 302 is open.")


def test_ballots_that_were_sealed_are_told_once_the_vote_has_closed(sealed):
    sealed.vote("Ann", "for")
    tally = [beat.made for beat in told(sealed) if isinstance(beat.made, Tally)][-1]
    assert dict(tally.ballots) == {"Ben": "for", "Cleo": "against", "Ann": "for"}
