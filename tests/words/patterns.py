"""Count phrases of translated English in every group of texts: `python tests/words/patterns.py` prints the table.

--show NAME lists hits of one pattern, or of all. --keep lowers the numbers in `hits.toml` to those of today.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

if not __package__:  # run as a script: neither the tests nor the package need to be installed
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from words.texts import GROUPS, collect

HERE = Path(__file__).parent
KEPT = HERE / "hits.toml"
HEADING = """\
# Hits of the patterns per 1,000 words in each group: no group may have more.
# `python tests/words/patterns.py --keep` lowers these numbers, and raises none.
"""


@dataclass(frozen=True)
class Pattern:
    """A phrase that translators write and English editors change.

    Parameters
    ----------
    name : str
        A short name.
    regex : re.Pattern
        What it matches, in texts with a line each.
    better : str
        What to write instead.
    """

    name: str
    regex: re.Pattern[str]
    better: str

    def find(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches in a text."""
        edge = self.regex.pattern.removeprefix(r"\b")
        if edge == self.regex.pattern or _has_alternatives(edge):
            yield from self.regex.finditer(text)
            return
        # Python looks for letters much faster than for the start of a word, so that is checked afterwards.
        regex, at = re.compile(edge, re.MULTILINE), 0
        while found := regex.search(text, at):
            start, end = found.span()
            if start and _is_in_word(text[start - 1]) == _is_in_word(text[start]):
                at = start + 1
            else:
                yield found
                at = end


@dataclass(frozen=True)
class Hit:
    """A place where a pattern matches a text.

    Parameters
    ----------
    pattern, group, where, text : str
        The pattern's name, the group, the place of the text, and the text.
    start, end : int
        The part of the text that the pattern matches.
    """

    pattern: str
    group: str
    where: str
    text: str
    start: int
    end: int

    def excerpt(self) -> str:
        """Return the match in brackets, with some of the text around it."""
        before, after = self.text[max(0, self.start - 45) : self.start], self.text[self.end : self.end + 35]
        return f"…{before}[{self.text[self.start : self.end][:70]}]{after}"


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _has_alternatives(regex: str) -> bool:
    """Tell whether a regular expression has a bar outside of all brackets."""
    bare = re.sub(r"\\.|\[[^\]]*\]", "", regex)
    while (inner := re.sub(r"\([^()]*\)", "", bare)) != bare:
        bare = inner
    return "|" in bare


def read_patterns() -> tuple[Pattern, ...]:
    """Return the patterns in `patterns.tsv`."""
    lines = (HERE / "patterns.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    # A text is one line among others, so nothing may match beyond its end.
    return tuple(
        Pattern(name, re.compile(regex.replace("[^", r"[^\n"), re.MULTILINE), better) for name, regex, better in rows
    )


def find_hits(texts: Mapping[str, Mapping[str, str]], patterns: Iterable[Pattern] | None = None) -> list[Hit]:
    """Return all hits of the patterns; code between backticks is left out.

    Parameters
    ----------
    texts : mapping
        The texts of each group, with their places, as `collect` returns them.
    patterns : iterable of Pattern, optional
        The patterns to look for; those in `patterns.tsv` by default.
    """
    hits: list[Hit] = []
    patterns = read_patterns() if patterns is None else tuple(patterns)
    for group, places in texts.items():
        # Searching all texts of a group at once is faster than searching each.
        whole = re.sub(r"`[^`\n]*`", "`…`", "\n".join(places))
        lines, wheres = whole.split("\n"), list(places.values())
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        for pattern in patterns:
            number = 0
            for found in pattern.find(whole):
                while starts[number + 1] <= found.start():
                    number += 1
                start = found.start() - starts[number]
                end = found.end() - starts[number]
                hits.append(Hit(pattern.name, group, wheres[number], lines[number], start, end))
    return hits


def measure(texts: Mapping[str, Mapping[str, str]], hits: Iterable[Hit]) -> dict[str, float]:
    """Return the hits per 1,000 words of each group."""
    found = Counter(hit.group for hit in hits)
    words = {group: sum(len(text.split()) for text in places) for group, places in texts.items()}
    return {group: 1000 * found[group] / max(1, words[group]) for group in texts}


def read_kept(path: Path = KEPT) -> dict[str, float]:
    """Return the numbers in `hits.toml`."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def is_higher(measured: float, kept: float) -> bool:
    """Tell whether a group has more hits than it may have."""
    return measured > kept


def is_clearly_lower(measured: float, kept: float) -> bool:
    """Tell whether a group has so few hits that its number should be lowered: a tenth less, and half a hit."""
    return kept - measured > max(0.5, kept / 10)


def _toml_key(group: str) -> str:
    return group if group.isalnum() else f'"{group}"'


def lower(measured: Mapping[str, float], path: Path = KEPT) -> list[str]:
    """Lower the numbers in a file to those measured, and return the groups that would need a higher one.

    Parameters
    ----------
    measured : mapping of str to float
        The hits per 1,000 words of each group.
    path : Path
        The file; its groups stay as they are.
    """
    kept = read_kept(path)
    lowered = {group: min(number, math.ceil(10 * measured.get(group, number)) / 10) for group, number in kept.items()}
    lines = (f"{_toml_key(group)} = {number:.1f}\n" for group, number in lowered.items())
    path.write_text(HEADING + "".join(lines), encoding="utf-8")
    return [group for group in measured if group not in kept or is_higher(measured[group], kept[group])]


def table(texts: Mapping[str, Mapping[str, str]], hits: Sequence[Hit]) -> str:
    """Return the table of hits by pattern and group, in Markdown."""
    count = Counter((hit.pattern, hit.group) for hit in hits)
    lines = ["| Pattern | all | " + " | ".join(GROUPS) + " |", "|" + " --- |" * (len(GROUPS) + 2)]
    for pattern in read_patterns():
        row = [count[pattern.name, group] for group in GROUPS]
        lines.append(f"| {pattern.name} | {sum(row)} | " + " | ".join(str(n) if n else "·" for n in row) + " |")
    sums = Counter(hit.group for hit in hits)
    lines.append(f"| **all** | {len(hits)} | " + " | ".join(str(sums[group]) for group in GROUPS) + " |")
    whole = 1000 * len(hits) / max(1, sum(len(text.split()) for places in texts.values() for text in places))
    measured = measure(texts, hits)
    lines.append(
        f"| per 1,000 words | {whole:.1f} | " + " | ".join(f"{measured[group]:.1f}" for group in GROUPS) + " |"
    )
    return "\n".join(lines) + "\n"


def show(hits: Iterable[Hit], name: str, most: int, group: str | None = None) -> str:
    """Return some hits of the pattern `name`, or of each if it is ``all``; those shown change only with the texts."""
    found = [hit for hit in hits if group in (None, hit.group)]
    lines = []
    for pattern in read_patterns():
        if name in ("all", pattern.name):
            own = [hit for hit in found if hit.pattern == pattern.name]
            own.sort(key=lambda hit: hashlib.sha256(hit.text.encode()).hexdigest())
            lines.append(f"## {pattern.name}: {len(own)}. Write instead: {pattern.better}")
            lines += [f"   {hit.where}  {hit.excerpt()}" for hit in own[:most]]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None, kept: Path = KEPT) -> int:
    """Print the table or some hits, or lower the numbers in the file `kept`."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--show", metavar="NAME", choices=["all", *(one.name for one in read_patterns())])
    parser.add_argument("--hits", type=int, default=6, help="how many hits of a pattern to show")
    parser.add_argument("--group", choices=GROUPS, help="show hits in this group only")
    parser.add_argument("--keep", action="store_true", help=f"lower the numbers in {KEPT.name}")
    given = parser.parse_args(arguments)
    texts = collect()
    hits = find_hits(texts)
    if given.keep:
        refused = lower(measure(texts, hits), kept)
        for group in refused:
            sys.stdout.write(
                f"{group}: its number was not raised. Rewrite the new texts; --show all --group lists hits.\n"
            )
        return 1 if refused else 0
    sys.stdout.write(show(hits, given.show, given.hits, given.group) if given.show else table(texts, hits))
    return 0


if __name__ == "__main__":
    sys.exit(main())
