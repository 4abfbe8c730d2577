"""How long a clause takes to be read and checked: `PYTHONPATH=tests python tests/tools/clause_times.py`.

It takes each distinct clause of the shipped rule sets, the library, the phrase book and the corpus, with nothing cached
of an earlier one, and prints the median, the mean and the 90th percentile in milliseconds of the processor. Each
clause counts with the median of seven runs. Another copy of the package is measured if it is first in `PYTHONPATH`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from statistics import fmean, median, quantiles
from typing import Any

from corpus.corpus import corpus, drafts

import nomic_nb as nb
from nomic_nb.engine.law.language import Language, fold_blocks
from nomic_nb.engine.law.tables import TableShape, table_shapes
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import find_ruleset, known_rulesets
from nomic_nb.study.library.phrase_book import phrase_book
from nomic_nb.study.library.ready_made import Catalogue

RUNS = 7
Tables = Mapping[str, TableShape]


def laws() -> Iterator[tuple[str, Tables]]:
    """Yield each text of clauses, and the tables that its rule set or the rule set of new games tracks."""
    shapes = {}
    for name in known_rulesets():
        rules = find_ruleset(name, language()).rules
        shapes[name] = table_shapes(clause for rule in rules for clause in rule.clauses)
        yield from ((rule.law, shapes[name]) for rule in rules)
    usual = {**shapes["nomic-chess"], **shapes["discordian-nomic"]}
    texts = [entry.rule.law for entry in Catalogue()]
    texts += [phrase.fill_in()[1] for phrase in phrase_book()]
    texts += [one.clauses for one in (*corpus().values(), *drafts().values())]
    yield from ((text, usual) for text in texts)


def clauses() -> dict[str, Tables]:
    """Return the source of each distinct clause that is accepted by itself, with the tables of its law."""
    found: dict[str, Tables] = {}
    for law, tables in laws():
        with suppress(nb.LawError):
            lines = language().read_clauses(law)
            own = {**tables, **table_shapes(line.clause for line in lines)}
            for line in lines:
                with suppress(nb.LawError):  # it puts a draft of its rule in force
                    language().check_clauses([line], own)
                    found.setdefault(line.source, own)
    return found


def forget(speech: Language) -> None:
    """Empty what reading and checking remember of clauses."""
    for cached in (speech.clause, speech.effect, speech.expression, fold_blocks):
        cached.cache_clear()


def time_to_read(source: str, tables: Tables) -> tuple[float, float]:
    """Return the milliseconds that it takes to read a clause, and to check it."""
    speech: Any = language()
    forget(speech)
    begun = time.process_time()
    lines = speech.read_clauses(source)
    read = time.process_time()
    speech.check_clauses(lines, tables)
    return 1_000 * (read - begun), 1_000 * (time.process_time() - read)


def main() -> None:
    """Measure and print."""
    found = clauses()
    runs = [[time_to_read(*one) for one in found.items()] for _ in range(RUNS)]
    reading, checking = ([median(run[at][part] for run in runs) for at in range(len(found))] for part in (0, 1))
    for name, times in (
        ("read", reading),
        ("check", checking),
        ("both", [sum(both) for both in zip(reading, checking, strict=True)]),
    ):
        figures = f"median {median(times):.3f}, mean {fmean(times):.3f}, 90 % {quantiles(times, n=10)[-1]:.3f}"
        sys.stdout.write(f"{name}: {figures} ms, {len(found)} clauses\n")


if __name__ == "__main__":
    main()
