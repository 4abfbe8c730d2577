"""Sweeps: the same rows however they are played, rows that can be played again, and games that stay if one stops."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import find_ruleset
from nomic_nb.study.players import loop
from nomic_nb.study.sweeps.jobs import Job, play
from nomic_nb.study.sweeps.runs import rows_of

SMALL = {"players": 2, "games": 3, "turns": 3, "progress": False}


@pytest.fixture(scope="module")
def small():
    return nb.sweep("discordian-nomic", **SMALL)


def plain(rows):
    """Rows in order, without processor time."""
    kept = [{name: value for name, value in row.items() if name not in ("cpu_s", "what")} for row in rows]
    return sorted(kept, key=lambda row: row["seed"])


def test_a_job_is_text_and_numbers_and_a_row_is_plain(small):
    job = small.jobs[0]
    assert pickle.loads(pickle.dumps(job)) == job  # noqa: S301 - our own
    assert len(pickle.dumps(job)) < 300
    assert {type(value) for row in small.rows for value in row.values()} <= {str, int, float, bool, type(None)}


@pytest.mark.parametrize("kinds", ["random", ["contrary", "random"]])
def test_a_row_is_played_again_to_the_same_fingerprint(kinds):
    found = nb.sweep("discordian-nomic", **SMALL | {"games": 2, "kinds": kinds}, seed=5)
    for _, row in found.games.iterrows():
        game = nb.Game(found.replay(row["seed"]))
        assert game.fingerprint == row["fingerprint"]
        assert game.turn >= row["turns"]


def test_a_played_game_can_be_saved_and_loaded(small, tmp_path):
    game = nb.Game(small.replay(1))
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").fingerprint == game.fingerprint


def test_a_map_of_the_caller_gives_the_same_rows_in_any_order(small):
    backwards = small.with_(map=lambda play, jobs: map(play, reversed(jobs)))
    assert plain(backwards.rows) == plain(small.rows)


@pytest.mark.slow
def test_two_processes_give_the_same_rows(small):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert plain(small.with_(map=pool.map).rows) == plain(small.rows)


@pytest.mark.slow
def test_joblib_gives_the_same_rows(small):
    pytest.importorskip("joblib", reason="joblib is not installed (extra plots)")
    assert plain(small.with_(n_jobs=2).rows) == plain(small.rows)


@pytest.mark.slow
def test_dask_gives_the_same_rows(small):
    distributed = pytest.importorskip("distributed", reason="dask and distributed are not installed")

    def over_dask(play, jobs):
        for _, row in distributed.as_completed(client.map(play, jobs, pure=False), with_results=True):
            yield row

    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        assert plain(small.with_(map=over_dask).rows) == plain(small.rows)


def test_without_joblib_a_sentence_says_how_to_install_it(small, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "joblib", None)
    with refused("package-missing", ModuleNotFoundError, needed='"joblib>=1.4"'):
        small.with_(n_jobs=2)
    with refused("map-and-processes", ValueError):
        small.with_(n_jobs=2, map=map)


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), OSError("the cluster is gone")])
def test_a_sweep_that_is_stopped_keeps_its_games_and_goes_on(small, stop):
    given = []

    def broken(play, jobs):
        given.append([job.seed for job in jobs])
        yield play(jobs[0])
        if len(given) == 1:
            raise stop
        yield from map(play, jobs[1:])

    found = small.with_(map=broken)
    assert found.games["seed"].tolist() == [0]
    assert "1 of 3 games played" in str(found)
    assert found.stopped in ("stopped by hand", "OSError: the cluster is gone")
    assert found.go_on() is found
    assert (found.stopped, given) == ("", [[0, 1, 2], [1, 2]])
    assert plain(found.rows) == plain(small.rows)


def test_a_map_that_loses_rows_is_not_taken_for_complete(small):
    found = small.with_(map=lambda play, jobs: [play(jobs[0])])
    assert (len(found.games), found.stopped) == (1, "the map returned too few rows")
    for other in (lambda play, job: play(job), lambda play, job: play(job) | {"seed": 99}):
        repeated = small.with_(map=lambda play, jobs: [play(jobs[0]), *(other(play, jobs[0]) for _ in jobs)])  # noqa: B023
        assert (len(repeated.games), repeated.stopped) == (1, "the map returned too few rows")


def test_a_progress_bar_says_how_many_games_are_played(small, capsys):
    small.with_(progress=True)
    assert "3 of 3 games done" in capsys.readouterr().err


def test_a_game_that_fails_is_a_row_with_its_error():
    jobs = [Job("no-such-game", ("Ann", "Ben"), ("random", "random"), seed, 3) for seed in (1, 2)]
    rows = list(rows_of(play, jobs))
    assert [(row["seed"], row["turns"]) for row in rows] == [(1, 0), (2, 0)]
    assert all("no rule set called “no-such-game”" in row["error"] for row in rows)


def test_a_player_that_fails_ends_its_game_with_an_error(small, monkeypatch):
    from nomic_nb.study.sweeps import jobs

    def failing(seed):
        def decide(view):
            raise ZeroDivisionError("oh")

        return decide

    monkeypatch.setattr(jobs, "KINDS", {"random": failing})
    found = small.with_(games=1)
    assert found.wrong["error"].tolist() == ["Ann failed: ZeroDivisionError: oh"]
    assert "1 with an error" in str(found)


@pytest.mark.parametrize(
    ("kinds", "terms"),
    [("random", {"dice.source": "committed"}), pytest.param("sensible", {}, marks=pytest.mark.slow)],
)
def test_sealed_rolls_and_players_that_look_ahead_are_the_same_each_time(kinds, terms):
    found = nb.sweep("discordian-nomic", players=2, games=1, turns=1, kinds=kinds, terms=terms, progress=False)
    assert found.games["error"].tolist() == [""]
    again = found.replay(0)
    assert nb.Game(again).fingerprint == found.games["fingerprint"].iloc[0]
    assert {event.kind for event in again.events} >= ({"committed", "revealed", "thrown"} if terms else {"thrown"})


def test_whoever_joins_a_game_is_played_for():
    rule = nb.enact("Somebody joins.", 'on turn_ended when count(players) == 2: enter player "Newcomer" as person')
    found = nb.sweep("github-nomic", players=2, games=1, turns=6, change=rule, progress=False)
    assert found.games["error"].tolist() == [""]
    assert "Newcomer" in {event.actor for event in found.replay(0).events if event.is_action}


def test_a_turn_that_does_not_end_is_an_error(small, monkeypatch):
    monkeypatch.setattr(loop, "MOST_EVENTS", 3)
    assert small.with_(games=1).wrong["error"].tolist() == ["turn 1 does not end"]


def test_terms_and_changes_made_before_play_are_law_from_the_first_turn(small):
    terms = small.with_(games=1, terms={"win.points": 1})
    assert terms.replay(0).moments[0][1].find("win.points").value == 1
    without = small.with_(games=1, change=nb.repeal(203))
    assert 203 not in without.replay(0).before.rules.by_number
    changes = [nb.repeal(206), nb.enact("Be kind.", title="Kindness")]
    both = small.with_(games=1, change=changes, terms={"win.points": 1})
    assert both.games["error"].tolist() == [""]
    first = both.replay(0)
    assert first.moments[0][1].find("win.points").value == 1
    assert "Kindness" in [rule.title for rule in first.before.rules]
    assert both.what.startswith("discordian-nomic, win.points = 1, repeal rule 206, ")


def test_a_rule_file_is_read_once_and_travels_as_text(small, tmp_path):
    file = tmp_path / "ours.md"
    file.write_text(find_ruleset("discordian-nomic", language()).text.replace("name: discordian-nomic", "name: ours"))
    found = nb.sweep(file, **SMALL)
    file.unlink()
    assert found.games["ruleset"].unique().tolist() == ["ours"]
    assert len(found.with_(games=1).games) == 1


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"players": 0}, "sweep-out-of-range"), ({"games": 0}, "sweep-out-of-range"),
        ({"turns": 0}, "sweep-out-of-range"), ({"turns": 2.5}, "sweep-out-of-range"),
        ({"games": 2.0}, "sweep-out-of-range"), ({"players": True}, "sweep-out-of-range"),
        ({"n_jobs": 1.5}, "no-processes"),
        ({"players": 1}, "player-count"), ({"seed": -1}, "seed-unfit"), ({"kinds": "clever"}, "not-one-of-these"),
        ({"kinds": ["random"]}, "kinds-of-players"), ({"n_jobs": 0}, "no-processes"),
        ({"terms": {"win.point": 3}}, "key-fixed-by-no-rule"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_before_any_game_is_played(given, code):
    with refused(code, ValueError):
        nb.sweep("discordian-nomic", **SMALL | given)


def test_a_change_that_cannot_be_made_is_refused_before_any_game_is_played():
    with pytest.raises((LookupError, ValueError), match="999"):
        nb.sweep("discordian-nomic", **SMALL, change=nb.repeal(999))
    with pytest.raises(KeyError, match="0 to 2"):
        nb.sweep("discordian-nomic", **SMALL).replay(9)


def made_up(small, turns_over, what="made up"):
    """A sweep with rows that were never played: turns, whether over, and the seat that won."""
    found = small.with_(map=lambda play, jobs: [])
    found.what, row = what, small.rows[0]
    for seed, (turns, over, seat) in enumerate(turns_over):
        won = {"winner_seat": seat, "winner": "Ann" if seat else "", "by_rule": "208" if seat else ""}
        found._rows[seed] = row | won | {"seed": seed, "turns": turns, "over": over}
    return found


def test_a_comparison_finds_a_difference_and_says_when_there_are_too_few_games(small):
    short = made_up(small, [(1, True, 1)] * 30)
    long = made_up(small, [(3, False, None)] * 15 + [(3, True, 2)] * 15)
    found = nb.compare(short, long).data.set_index("measure")
    assert found.loc["mean turns, of 3", ["first_figure", "second_figure", "verdict"]].tolist() == [1.0, 3.0, "more"]
    assert found.loc["over by turn 3", "verdict"] == "less"
    assert found.loc["games won by seat 1", "verdict"] == "too few games to tell"
    assert found.loc["games won by seat 1", ["first_figure", "low", "high"]].isna().all()


def test_ablation_leaves_out_each_rule_that_can_be_repealed(small):
    found = small.with_(games=1, turns=1).ablate()
    assert "without 201 Taking turns: no game can begin with this change" in found.note
    assert {int(what.split()[1]) for what in found.data["second"]} == set(range(202, 214))
    assert set(small.with_(games=1, turns=1).ablate([203]).data["second"]) == {"without 203 All must agree"}
    with refused("no-rule-to-leave-out", KeyError, number=999):
        small.ablate([999])


def test_ablation_stops_when_it_is_stopped(small):
    def stop(play, jobs):
        raise KeyboardInterrupt
        yield

    whole = small.with_(games=1, turns=1)
    whole._given["map"] = stop
    assert whole.ablate().data["second"].nunique() == 1


# ---------------------------------------------------------------------------------------------------- figures


def test_figures_name_games_players_and_interval(small):
    found = made_up(small, [(turn % 3 + 1, True, turn % 2 + 1) for turn in range(40)])
    for figure in (found.how_long, found.how_fair, found.which_decides):
        assert "40 of 3 games played" in figure.note
        assert "2 players (random)" in figure.note
        assert "95 % intervals" in figure.note
        assert figure.title in str(figure)
        assert figure.note.splitlines()[-1] in str(figure)
    assert found.how_fair.data[["share", "verdict"]].to_numpy().tolist() == [[0.5, "may be chance"]] * 2
    assert found.which_decides.data[["by", "wins", "share"]].to_numpy().tolist() == [["208", 40, 1.0]]
    assert "half are over by turn 2" in found.how_long.note


def test_too_few_games_give_no_figure(small):
    assert small.how_fair.data["share"].isna().all()
    assert set(small.how_fair.data["verdict"]) == {"too few games to tell"}
    assert "too few games to tell" in small.how_long.note


def charts(small):
    """Every kind of figure of two sweeps."""
    rows = [(turn % 3 + 1, turn % 4 > 0, turn % 2 + 1 if turn % 4 else None) for turn in range(40)]
    a, b = (made_up(small, rows, what) for what in ("as published", "<b>altered</b>"))
    without = small.with_(games=1, turns=1).ablate([203])
    both = nb.compare(a, b)
    return [both.how_long, both.how_fair, a.which_decides, without]


@pytest.mark.slow
def test_charts_are_drawn_by_jupyterlab_and_need_no_colour(small):
    pytest.importorskip("altair", reason="altair is not installed (extra plots)")
    for figure in charts(small):
        shown = figure._repr_mimebundle_()
        assert set(shown) == {"application/vnd.vegalite.v5+json", "text/plain"}
        spec = shown["application/vnd.vegalite.v5+json"]
        assert spec["title"]["text"] == figure.title
        assert "vega-lite/v5" in spec["$schema"]
        encodings = str(spec)
        assert "'color'" not in encodings or "'strokeDash'" in encodings


def test_without_altair_the_table_is_shown_and_a_sentence_says_what_is_missing(small, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "altair", None)
    for figure in charts(small):
        shown = figure._repr_mimebundle_()
        assert set(shown) == {"text/html", "text/plain"}
        assert "%pip install &quot;altair&gt;=5.5,&lt;6&quot;" in shown["text/html"]
        assert "<b>altered" not in shown["text/html"]
        assert figure.title in shown["text/plain"]
        with refused("package-missing", ModuleNotFoundError):
            figure.chart  # noqa: B018 - asking for it raises
