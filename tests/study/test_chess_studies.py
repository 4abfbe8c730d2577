"""Studies of chess: what goes in comes out, by python-chess; hostile and broken ones are refused in a sentence."""

from __future__ import annotations

import io
import random

import chess
import chess.pgn
import pytest
from refusals import refused

import nomic_nb as nb

#: As lichess exports one.
CHAPTER = """[Event "Openings: The \\"open\\" games"]
[Site "https://lichess.org/study/abc/def"]
[Result "*"]
[UTCDate "2026.05.01"]
[Annotator "https://lichess.org/@/cleo"]
[ECO "C50"]

{ An introduction. [%csl Ge4,Rd5][%cal Gf1c4,Bd1h5] }
1. e4 $1 { [%clk 0:01:00] Best by test } 1... e5 (1... c5!? { Sharper } 2. Nf3 (2. c3 $5 { Alapin } 2... d5) 2... d6)
2. Nf3 Nc6 $146 3. Bc4 { A <b>bold</b> bishop
on two lines } *
"""


def games_in(text: str) -> list[chess.pgn.Game]:
    stream, found = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        found.append(game)
    return found


def as_data(game: chess.pgn.Game) -> object:
    """Everything that python-chess knows of a game."""

    def tree(node: chess.pgn.GameNode) -> object:
        return (
            node.move, node.comment, node.starting_comment, sorted(node.nags),
            [(one.tail, one.head, one.color) for one in node.arrows()], [tree(child) for child in node.variations],
        )  # fmt: skip

    return dict(game.headers), tree(game)


def made_up(seed: int) -> str:
    """Return a study of twenty chapters with variations, comments, glyphs and arrows at random."""
    dice, chapters = random.Random(seed), []
    for at in range(20):
        game = chess.pgn.Game()
        game.headers["Event"] = f"Study: chapter {at}"
        nodes: list[chess.pgn.GameNode] = [game]
        for _ in range(60):
            node = nodes[-1] if dice.random() < 0.8 else dice.choice(nodes)
            moves = [move for move in node.board().legal_moves if not node.has_variation(move)]
            if not moves:
                continue
            child = node.add_variation(dice.choice(moves))
            child.nags = set(dice.sample(range(1, 20), dice.randrange(3)))
            child.comment = dice.choice(
                ["", "", "Good – or not?", "[%cal Ge2e4,Rd1h5] See there.", "(a) 1. e4 is 50 %"]
            )
            nodes.append(child)
        chapters.append(str(game))
    return "\n\n".join(chapters)


@pytest.mark.parametrize("text", [CHAPTER, f"{CHAPTER}\n\n{CHAPTER}", made_up(1)], ids=["one", "two", "a"])
def test_a_study_comes_out_as_it_went_in(text: str) -> None:
    study = nb.read_study(text)
    again = nb.read_study(study.pgn())
    for one, other, third in zip(games_in(text), study.chapters, again.chapters, strict=True):
        assert as_data(one) == as_data(other) == as_data(third)
    assert study.pgn() == again.pgn()


def test_a_chapter_has_its_variations_comments_glyphs_and_arrows() -> None:
    (game,) = nb.read_study(CHAPTER).chapters
    first = game.next()
    assert [one.move.uci() for one in first.variations] == ["e7e5", "c7c5"]
    assert (first.nags, first.comment) == ({1}, "[%clk 0:01:00] Best by test")
    assert [(one.tail, one.head, one.color) for one in game.arrows()][:2] == [
        (chess.E4, chess.E4, "green"), (chess.D5, chess.D5, "red"),
    ]  # fmt: skip
    assert game.headers["Event"].startswith("Openings")


def test_a_study_is_read_from_a_file_and_written_to_one(tmp_path) -> None:
    path = tmp_path / "study.pgn"
    assert nb.read_study(CHAPTER).pgn(path) is None
    assert nb.read_study(path).pgn() == path.read_text()


@pytest.mark.parametrize(
    ("text", "code", "values"),
    [
        ("", "study-without-chapters", {}), ("hello there", "study-text-unknown", {}),
        (f"{CHAPTER}\n\n[Event \"x\"]\n\n1. e5 *", "study-move-unreadable", {"chapter": 2}),
        ("1. e4 <script>alert(1)</script> *", "study-text-unknown", {}),
        ("x" * 50_000_000, "study-too-long", {"most": 5_000_000}),
    ],
    ids=["empty", "words", "illegal", "script", "50 MB"],
)  # fmt: skip
def test_what_is_no_study_is_refused_in_a_sentence(text: str, code: str, values: dict[str, int]) -> None:
    with refused(code, ValueError, **values):
        nb.read_study(text)


def test_large_files_are_not_read_whole_and_other_encodings_are_refused(tmp_path) -> None:
    large, latin = tmp_path / "large.pgn", tmp_path / "latin.pgn"
    with large.open("wb") as file:
        file.truncate(50_000_000)
    latin.write_bytes("{ Zürich } 1. e4 *".encode("latin-1"))
    with refused("study-too-long", ValueError):
        nb.read_study(large)
    with refused("study-not-text", ValueError):
        nb.read_study(latin)


@pytest.mark.slow
def test_brackets_without_end_are_no_danger() -> None:
    deep = "1. e4 e5 " + "(1... c5 (1... d5 " * 3000 + ")" * 6000 + " *"
    study = nb.read_study(deep)
    assert nb.read_study(study.pgn()).pgn() == study.pgn()
    assert sum(1 for _ in study.chapters[0].next().next().mainline()) == 0
    assert study.pgn().count("c5") == 3000
