"""Playing many jobs: one after another, in several processes, or by the map of somebody’s cluster."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from nomic_nb.engine.errors import WrongValue
from nomic_nb.study.packages import missing_package_error, refuse_in_browser
from nomic_nb.study.players.loop import failure_text

JobType = TypeVar("JobType")
#: Takes a function and jobs, and returns the rows in any order.
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
#: Seconds between two drawings of a progress bar, and its width.
PAUSE, WIDTH = 0.25, 24


def rows_of(
    play: Callable[[JobType], dict[str, Any]], jobs: Sequence[JobType], *, map: Map | None = None, n_jobs: int = 1
) -> Iterator[dict[str, Any]]:
    """Yield the row of each job as soon as it is played.

    Parameters
    ----------
    play : callable
        Takes a job and returns its row; other processes have to be able to import it.
    jobs : sequence
        The jobs.
    map : callable, optional
        Plays the jobs instead: takes `play` and the jobs and returns the rows, in any order.
    n_jobs : int
        Processes; more than one need the package joblib, and −1 uses all cores.

    Raises
    ------
    ModuleNotFoundError
        Several processes are asked for, and joblib is missing.
    ValueError
        There is a map and a number of processes, or the number is 0.
    """
    if map is not None and n_jobs != 1:
        raise WrongValue("map-and-processes", "give map=… or n_jobs=…, not both")
    if type(n_jobs) is not int or n_jobs == 0:
        raise WrongValue("no-processes", "n_jobs must be the number of processes, or −1 for one for each core")
    if map is not None:
        return iter(map(play, jobs))
    if n_jobs == 1:
        return (play(job) for job in jobs)
    refuse_in_browser("play games in several processes")
    try:
        from joblib import Parallel, delayed
    except ModuleNotFoundError as error:
        raise missing_package_error(error, "Several processes", "joblib>=1.4") from None
    rows: Iterator[dict[str, Any]] = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(
        delayed(play)(job) for job in jobs
    )
    return rows


def play_all(rows: Iterator[dict[str, Any]], keep: Callable[[dict[str, Any]], bool], count: int, *, bar: bool) -> str:
    """Keep each row as it comes, and draw a progress bar; return why this stopped early, or an empty text.

    Whatever stops it, rows that were kept stay.

    Parameters
    ----------
    rows : iterator of dict
        The rows.
    keep : callable
        Takes a row, and tells whether it is one that was missing; a map may return some twice.
    count : int
        Rows that should come.
    bar : bool
        Whether a progress bar is drawn on the error output.
    """
    done, drawn, why = 0, time.monotonic(), ""
    try:
        for row in rows:
            done += keep(row)
            if bar and time.monotonic() - drawn > PAUSE:
                drawn = time.monotonic()
                _draw_bar(done, count)
    except KeyboardInterrupt:
        why = "stopped by hand"
    except Exception as error:  # noqa: BLE001 - a cluster may lose its workers; what has been played is kept
        why = failure_text(error)
    finally:
        close = getattr(rows, "close", None)
        if close is not None:
            close()  # or processes would play on
    if bar:
        _draw_bar(done, count, f"{why or 'done'}\n")
    return why or ("" if done == count else "the map returned too few rows")


def _draw_bar(done: int, count: int, end: str = "") -> None:
    """Draw a progress bar over the one before."""
    filled = WIDTH * done // max(count, 1)
    sys.stderr.write(f"\r[{'█' * filled}{'·' * (WIDTH - filled)}] {done} of {count} games {end}")
    sys.stderr.flush()
