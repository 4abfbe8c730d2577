"""Comments: on what they are, how they are edited and withdrawn, what is refused."""

import pytest
from board_helpers import chess as sit
from board_helpers import nothing
from refusals import refused

import nomic_nb as nb

PAIR = ("white", "yellow")


@pytest.fixture
def game():
    game = sit("Ann", "Ben")
    nothing(game)
    game.move("Ann", "e2e4", push=PAIR)
    return game


def kind(game, comment):
    return game.timeline.events[game.comments.loc[comment, "at"] - 1].kind


def test_a_comment_is_on_a_move_a_proposal_a_turn_or_an_event(game):
    game.annotate("On the move.", "!", ply=1)
    game.annotate("On the proposal.", proposal=301)
    game.annotate("On the same.", proposal="301")
    game.annotate("On the turn.", turn=2)
    game.annotate("On the event.", at=5)
    frame = game.comments
    assert [kind(game, one) for one in frame.index] == [
        "moved", "proposed", "proposed", "turn_begun", "army_entered",
    ]  # fmt: skip
    assert frame["ply"].tolist()[0] == 1
    assert frame["ply"].isna().tolist() == [False, True, True, True, True]
    assert frame["proposal"].tolist() == [None, 301, 301, None, None]
    assert frame["turn"].tolist() == [1, 1, 1, 2, 0]
    assert frame.index.name == "comment"
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == {
        "at": "int64", "turn": "int64", "ply": "Int64", "proposal": "object", "glyph": "string", "text": "string",
        "arrows": "string", "squares": "string",
    }  # fmt: skip


def test_squares_are_those_of_the_boards_that_the_comment_follows(game):
    game.annotate("", ply=1, arrows=["g8-f6", "yellow white.d2-white.d4"], squares="red e5")
    row = game.comments.iloc[0]
    assert (row["arrows"], row["squares"]) == ("yellow.b1-yellow.c3, yellow white.d2-white.d4", "red yellow.d4")


def test_comments_are_edited_and_withdrawn_by_events(game):
    game.annotate("Fine.", "!", ply=1, squares=["e4"])
    (one,) = game.comments.index
    game.edit_comment(one, nag="!!")
    game.edit_comment(game.comments.index[0], "Very fine.", squares=[])
    row = game.comments.loc[one]
    assert (row["text"], row["glyph"], row["squares"]) == ("Very fine.", "!!", "")
    assert game.history["what"].iloc[-1] == f"comment {one} now reads: !! Very fine."
    game.undo()
    assert game.comments.loc[one, "squares"] == "white.e4"
    game.withdraw_comment(one)
    assert len(game.comments) == 0
    assert game.history["what"].iloc[-1] == f"comment {one} is withdrawn"


def test_comments_are_in_the_record_and_in_the_notebook(game, tmp_path):
    game.annotate("Fine.", "!", ply=1, arrows=["e2e4"])
    game.annotate("Hm.")
    game.edit_comment(game.comments.index[0], "Very fine.")
    game.withdraw_comment(game.comments.index[1])
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").comments.equals(game.comments)
    cells = [one["source"] for one in nb.to_notebook(game)["cells"] if one["cell_type"] == "code"]
    names = {}
    for cell in cells:
        exec("".join(cell), names)  # noqa: S102
    assert names["game"].comments.equals(game.comments)


def test_a_game_that_is_over_or_paused_is_commented_on(game):
    game.host.pause()
    game.annotate("A rest.")
    game.edit_comment(game.comments.index[0], "A good rest.")
    game.withdraw_comment(game.comments.index[0])
    assert game.history["kind"].iloc[-1] == "comment_withdrawn"


@pytest.mark.parametrize(
    ("asked", "code", "values"),
    [
        ({"ply": 0}, "comment-on-nothing-there", {"what": "ply", "number": "0", "there": "1 to 1"}),
        ({"ply": 2}, "comment-on-nothing-there", {"what": "ply", "number": "2", "there": "1 to 1"}),
        ({"ply": True}, "comment-on-nothing-there", {"what": "ply", "number": "True"}),
        ({"ply": "x"}, "comment-on-nothing-there", {"what": "ply", "number": "x"}),
        ({"proposal": 302}, "comment-on-nothing-there", {"what": "proposal", "number": "302", "there": "301 to 301"}),
        ({"turn": 9}, "comment-on-nothing-there", {"what": "turn", "number": "9", "there": "1 to 2"}),
        ({"at": 999}, "event-unknown", {}),
        ({"at": 3, "ply": 1}, "comment-on-several-things", {"found": "at, ply"}),
        ({"nag": "#"}, "glyph-unknown", {}),
        ({"arrows": ["e2-e9"]}, "square-without-board", {}),
        ({"arrows": ["e4"]}, "arrow-without-two-squares", {}),
        ({"arrows": ["pink e2-e4"]}, "square-without-board", {}),
        ({"squares": ["black.e4"]}, "no-such-board", {"board": "black"}),
        ({"squares": [4]}, "marks-not-texts", {}),
        ({"squares": ["e4"] * 41}, "too-many-marks", {"most": 40, "what": "squares"}),
    ],
)
def test_a_comment_on_what_is_not_there_is_refused_and_nothing_happens(game, asked, code, values):
    before = game.state.digest()
    with refused(code, **values):
        game.annotate("Hm.", **asked)
    assert game.state.digest() == before


def test_what_was_taken_back_is_not_commented_on(game):
    game.undo()
    with refused("comment-on-nothing-there", what="ply", number="1", there="none yet"):
        game.annotate("Hm.", ply=1)


def test_only_a_comment_that_stands_is_edited_or_withdrawn(game):
    with refused("comment-unknown", comment=5, known="there is none"):
        game.withdraw_comment(5)
    game.annotate("Hm.")
    (one,) = game.comments.index
    with refused("comment-unknown", comment=5, known=f"there are {one}"):
        game.edit_comment(5, "Oh.")
    with refused("comment-unchanged", comment=one):
        game.edit_comment(one, " Hm. ")
    with refused("comment-empty"):
        game.edit_comment(one, "")
    game.withdraw_comment(one)
    with refused("comment-unknown", comment=one):
        game.edit_comment(one, "Oh.")


def test_there_are_no_arrows_where_there_are_no_boards():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    with refused("no-boards-to-draw-on"):
        game.annotate("Hm.", arrows=["a.e2-a.e4"])
    with refused("comment-on-nothing-there", what="ply", number="1", there="none yet"):
        game.annotate("Hm.", ply=1)
