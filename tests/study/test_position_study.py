"""Studies of a position: the same seed gives the same games, a stop loses none, and few games give no figure."""

import xml.etree.ElementTree as ET

import pandas as pd
import pytest
from refusals import refused

from nomic_nb.chess.multiverse import position
from nomic_nb.chess.multiverse.habits import Board
from nomic_nb.chess.multiverse.move_search import Player
from nomic_nb.chess.multiverse.piece_values import mix
from nomic_nb.chess.multiverse.random_games import MOST_RANDOM_PLIES
from nomic_nb.study import position_study
from nomic_nb.study.position_study import Study, interval, study

ENDING = "4k3/pp3p2/8/8/8/8/PP3P2/R3K2R w - - 0 1"


def small(games=3, seed=1, **options):
    return study(position(ENDING, castling=False, **options), games=games, nodes=15, seed=seed, progress=False)


def test_the_same_seed_gives_the_same_games():
    first, again, other = small(), small(), small(seed=2)
    assert first.rows == again.rows
    assert first.rows != other.rows
    assert len(first.games) == 3
    for row in first.rows:
        game = position(ENDING, castling=False)
        for move in row["moves"].split():
            game.push(move)
        assert len(row["moves"].split()) == row["plies"]
        assert row["moves"].startswith(row["opening"])
        if row["winner"]:
            assert game.outcome(draws=True).winner == row["winner"]


def test_games_at_random(monkeypatch):
    """They belong to their seed; each move is drawn as the specification says."""
    start = position(ENDING).push("h1g1")
    first, again, other = (study(start, 25, seed=seed, kind="random", progress=False) for seed in (1, 1, 2))
    assert first.rows == again.rows
    assert first.rows != other.rows
    assert "25 games at random, seed 1" in str(first)
    assert first.figures["nodes"].unique().tolist() == [0]
    for number, row in enumerate(first.rows):
        game, seed, choices = start.copy(), mix(mix(1) + number), 0
        for ply, move in enumerate(row["moves"].split()):
            ((*legal,),) = game.packed_moves()
            choices += len(legal)
            game.push(move)
            assert game.last.number == legal[(mix(seed + ply) >> 32) * len(legal) >> 32]
        assert row["plies"] == len(game._past) - 1 <= MOST_RANDOM_PLIES
        assert row["branching"] == choices / row["plies"]
        assert (row["opening"], row["fair"]) == ("", True)
        if row["winner"]:
            assert game.outcome().winner == row["winner"]


def test_changed_pieces_in_games_at_random():
    start = study(position(), 4, kind="random", progress=False)
    other = start.replace("n", "NW")
    assert [row["side"] for row in other.rows] == ["white", "black"] * 2
    assert other.nodes == 0
    with refused("random-with-nodes"):
        study(position(), 4, 100, kind="random")
    with pytest.raises(ValueError, match="kind"):
        study(position(), 4, kind="perfect")


def test_a_board_with_python_chess_names_has_the_same_study(monkeypatch):
    monkeypatch.setattr(position_study, "OPENING", 0)
    for fen, winner in (("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "white"), ("r6k/8/8/8/8/8/5PPP/6K1 b - - 0 1", "black")):
        here, there = (study(start, games=1, nodes=60, progress=False) for start in (position(fen), Board(fen)))
        assert here.rows[0]["winner"] == winner
        assert there.rows == here.rows
        assert type(there.rows[0]["winner"]) is str
        assert there.openings().equals(here.openings())


def test_a_stopped_study_goes_on_where_it_was(monkeypatch):
    whole, calls, step = small(), [], Study.step

    def stopped(self):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return step(self)

    monkeypatch.setattr(Study, "step", stopped)
    part = small()
    assert len(part.rows) == 1
    assert "2 more are planned" in str(part)
    monkeypatch.undo()
    assert part.run().rows == whole.rows
    assert len(part.run(4).rows) == 4
    assert len(small(1).run(20, seconds=0).rows) == 1


def test_few_games_give_no_figure():
    few = small()
    assert few.figures["value"].isna().all()
    assert few.figures["said"].str.contains("too few games to tell").all()
    assert "too few games to tell anything" in str(few)
    assert (few.compare(few)["said"] == "too few games to tell").all()


def made_up(scores, **more):
    """Return a study whose games were not played."""
    made = study(position(), games=0, progress=False)
    made.rows += [
        {"score": score, "decided": score != 0.5, "plies": 60 + at % 7, "branching": 30.0, "captures": at % 5,
         "lead_changes": 0, "fair": True, "reason": "checkmate", "side": "white", **more}
        for at, score in enumerate(scores)
    ]  # fmt: skip
    made.planned = len(made.rows)
    return made


def figure(of, name):
    """Return a row of the figures."""
    return of.figures.set_index("measure").loc[name]


def test_figures_have_their_intervals():
    score = figure(made_up([1, 0.5, 0.5, 0] * 50), "score")
    assert (score.value, score.games, score.nodes, score.seed) == (0.5, 200, 500, 1)
    assert score.low < 0.5 < score.high
    assert "no advantage is certain" in score.said
    won = figure(made_up([1, 1, 1, 0.5] * 50), "score")
    assert won.low > 0.5
    assert "no advantage" not in won.said
    assert pd.isna(figure(made_up([1] * 99), "score").value)
    assert figure(made_up([1] * 99), "decided").value == 1
    assert 0 < interval([1] * 20, share=True)[1] < 1
    assert figure(made_up([0] * 120), "score").said.startswith("White scores 0 % (0 % to 3 %), -1200 Elo")


def test_studies_are_compared_by_intervals_of_differences():
    even, won = made_up([1, 0.5, 0.5, 0] * 50), made_up([1, 1, 1, 0.5] * 50)
    found = even.compare(won).set_index("measure")
    assert found.loc["score", "said"] == "more"
    assert found.loc["score", "low"] > 0
    assert found.loc["plies", "said"] == "no difference seen"
    assert (even.compare(made_up([1] * 30)).set_index("measure").loc["score", "said"]) == "too few games to tell"
    knights = even.compare(study(position(pieces={"n": "NW"}), games=0)).iloc[-1]
    assert (knights["measure"], knights["said"]) == ("reach of n", "67 % more squares")
    assert found.loc["score", "difference"] == -won.compare(even).set_index("measure").loc["score", "difference"]


def test_one_side_gets_other_pieces_in_turn():
    pairs = small(games=0, pieces={"n": "N"}).replace("r", "RN", games=2)
    assert [row["side"] for row in pairs.rows] == ["white", "black"]
    white, black = (start for start, _ in pairs._starts.values())
    assert white.fen().startswith("4k3/pp3p2/8/8/8/8/PP3P2/Z3K2Z ")
    assert black.fen().startswith(position(ENDING, castling=False).fen().split(" ")[0])
    assert white.pieces["z"] == "RN"
    chess = study(position(), games=0, progress=False)
    assert chess.replace("r", "RN", games=0)._starts["white"][0].perft(2) > 0
    pawns = chess.replace("p", "fmWfceFfmnD", games=0)._starts
    assert pawns["white"][0].perft(2) == position().perft(2)
    assert "z" in pawns["black"][0].terms.pawns
    promoting = study(position("k7/7P/8/8/8/8/7p/K7 w - - 0 1"), games=0).replace("q", "BN", games=0)._starts
    assert [start.moves("h7")[0] for start, _ in promoting.values()] == ["h7h8z", "h7h8q"]
    with refused("kind-not-replaced"):
        chess.replace("k", "N")
    with refused("kind-not-replaced"):
        study(position(promotion_within={"n": "q"}), games=0).replace("q", "N")
    with refused("not-one-of-these"):
        chess.replace("x", "N")


def test_what_names_a_kind_names_the_other_one_as_well():
    start = position(
        "4k3/8/8/8/8/8/N6n/4K3[Nn] w - - 0 1",
        goals=["reach nk d3-d5", "extinct n", "lost all"], drops={"n": "ranks 1-4"}, regions={"n": "ranks 1-5"},
        promotion_within={"n": "q"}, promotion_ranks=(5,),
    )  # fmt: skip
    changed = study(start, games=0, progress=False).replace("n", "N", games=0)._starts["white"][0]
    same = {move.replace("Z", "N") for move in changed.moves()}
    assert same == set(start.moves())
    assert {"N@a4", "a2b4"} <= same
    assert "N@a5" not in same
    reached = study(start, games=0, progress=False).replace("n", "WDN", games=0)._starts["white"][0]
    assert reached.push("Z@d2").push("h2g4").push("d2d4").outcome().reason == "goal square reached"
    moved = position(pieces={"n": "iKN"}, initial_ranks=None, moved="g1")
    other = study(moved, games=0, progress=False).replace("r", "RF", games=0)._starts
    assert all("g1" in start.options()["moved"] for start, _ in other.values())


def test_maps_are_laid_out_like_the_board():
    games = small(games=2)
    heat = games.heat("r")
    moves = sum(position_moves.count("r") for position_moves in ("".join(kinds_moved(row)) for row in games.rows))
    assert round(heat.to_numpy().sum() * 2) == moves
    assert list(heat.columns) == list("abcdefgh")
    assert list(heat.index) == [8, 7, 6, 5, 4, 3, 2, 1]
    reach = games.reach("n")
    assert reach.loc[4, "d"] == reach.loc[5, "e"] > reach.loc[1, "a"] == 2
    with refused("not-one-of-these"):
        games.reach("n", "red")


def kinds_moved(row):
    """Return the kinds that White moved in a game."""
    game = position(ENDING, castling=False)
    for text in row["moves"].split():
        if game.turn == "white":
            yield game.find(text).kind
        game.push(text)


def test_openings_and_mobility_need_no_games():
    bare = study(position("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), games=0, nodes=40, progress=False)
    openings = bare.openings()
    assert openings.loc[0, "move"] == "Ra8#"
    assert len(openings) == len(position("7k/8/6K1/8/8/8/8/R7 w - - 0 1").moves())
    assert isinstance(bare.mobility, pd.DataFrame)
    values = bare.mobility.set_index("kind")["squares"]
    assert values["n"] < values["b"] < values["r"] < values["q"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"games": -1}, "count-out-of-range"),
        ({"games": 1.5}, "count-out-of-range"),
        ({"nodes": 0}, "count-out-of-range"),
    ],
)
def test_a_study_refuses_numbers_out_of_range(arguments, code):
    with refused(code):
        study(position(), progress=False, **arguments)


def test_a_game_that_is_over_cannot_be_studied():
    with refused("no-move-to-choose"):
        study(position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), games=1, progress=False)


def test_progress_is_told(monkeypatch, capsys):
    clock = iter(range(0, 1_000, 2))
    monkeypatch.setattr("nomic_nb.study.position_study.time.monotonic", lambda: next(clock))
    monkeypatch.setattr(Player, "move", lambda self, game, among=None: sorted(game.moves())[0])
    study(position(ENDING, castling=False), games=3, nodes=40)
    told = capsys.readouterr().out
    assert "1 of 3 games" in told
    assert "3 of 3 games." in told


def test_each_plot_is_svg_with_its_table_and_a_sentence():
    few, other = small(2, stalemate="win"), small(2, pieces={"r": "RF"})
    plots = few.plots
    for figure in (plots.balance, plots.reasons, plots.openings, plots.mobility("r"), plots.heat("k", "black"),
                   plots.compare(other)):  # fmt: skip
        root = ET.fromstring(figure.svg)  # noqa: S314 - our own
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert figure.note
        assert list(figure.data.columns)
        shown = figure._repr_mimebundle_()
        assert "data:image/svg+xml" in shown["text/html"]
        assert figure.note.split("\n")[0] in shown["text/plain"]
    assert "oo few games to tell" in plots.balance.note + plots.reasons.note
    assert "circle" not in plots.reasons.svg + plots.balance.svg  # a figure of two games would say nothing
    reached = plots.mobility("r").data
    assert len(reached) == 64
    first = plots.openings.data.iloc[0]
    assert (first["move"], first["reply"], first["value"]) == (
        few.openings()["move"][0],
        "",
        few.openings()["value"][0],
    )


def test_a_hole_has_no_square_on_a_map():
    start = position("4k/5/2*2/5/K4 w - - 0 1")
    assert len(study(start, games=0).plots.mobility("k").data) == 24
