"""Draw a sample of the project's English, and count the verdicts that somebody wrote into it.

python tests/words/sample.py draw OUT.tsv --seed 2 --size 40 --kinds docs,messages
python tests/words/sample.py count OUT.tsv

`draw` writes one line for each text: kind, number, place, verdict (empty), text. Fill in the verdict by hand: n for
natural, m for mild, o for odd, x for no English or no text. `count` prints the shares with 95 % Wilson intervals.

A sample depends on its seed and on the texts, not on the order of files. Use a new seed for each round: with an old
one, you would only see texts that somebody has already rewritten.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

if not __package__:  # run as a script: neither the tests nor the package need to be installed
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from words.texts import GROUPS, collect


def draw(
    texts: Mapping[str, Mapping[str, str]], out: Path, *, seed: str, size: int, kinds: Collection[str] = GROUPS
) -> None:
    """Write a sample of each kind of text to the file `out`, with the verdicts left empty."""
    with out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_NONE, escapechar="\\", lineterminator="\n")
        for kind in sorted(kinds):
            order = sorted(texts[kind], key=lambda text: hashlib.sha256(f"{seed}\0{kind}\0{text}".encode()).hexdigest())
            for number, text in enumerate(order[:size], 1):
                writer.writerow([kind, number, texts[kind][text], "", text])


def wilson(hits: int, size: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share."""
    if not size:
        return 0.0, 0.0
    z, share = 1.96, hits / size
    middle = share + z * z / (2 * size)
    spread = z * math.sqrt(share * (1 - share) / size + z * z / (4 * size * size))
    return (middle - spread) / (1 + z * z / size), (middle + spread) / (1 + z * z / size)


def count(path: Path) -> str:
    """Return the table of verdicts in a sample, in Markdown."""
    marks: dict[str, Counter[str]] = defaultdict(Counter)
    with path.open(encoding="utf-8") as file:
        for kind, _, _, verdict, *_ in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE, escapechar="\\"):
            for one in (kind, "all"):
                marks[one][verdict.strip()[:1]] += 1
    lines = ["| Kind | judged | natural | mild | odd | odd, 95 % interval |", "| --- | --- | --- | --- | --- | --- |"]
    for kind in sorted(marks, key=lambda kind: (kind == "all", kind)):
        found = marks[kind]
        size = found["n"] + found["m"] + found["o"]
        low, high = wilson(found["o"], size)
        shares = " | ".join(f"{found[one] / max(1, size):.0%}" for one in "nmo")
        lines.append(
            f"| {kind} | {size} | {shares} | {low:.0%}–{high:.0%} |" if size else f"| {kind} | 0 | – | – | – | – |"
        )
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw a sample, or count the verdicts in one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["draw", "count"])
    parser.add_argument("path", type=Path)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--size", type=int, default=40, help="how many texts of each kind")
    parser.add_argument("--kinds", default=",".join(GROUPS), help=f"some of: {', '.join(GROUPS)}")
    given = parser.parse_args(arguments)
    if given.what == "count":
        sys.stdout.write(count(given.path))
        return 0
    kinds = [one.strip() for one in given.kinds.split(",")]
    if unknown := set(kinds).difference(GROUPS):
        parser.error(f"unknown kinds: {', '.join(sorted(unknown))}; choose from {', '.join(GROUPS)}")
    texts = collect()
    draw(texts, given.path, seed=given.seed, size=given.size, kinds=kinds)
    for kind in kinds:
        sys.stdout.write(f"{kind}: {len(texts[kind])} texts, {sum(len(text.split()) for text in texts[kind])} words\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
