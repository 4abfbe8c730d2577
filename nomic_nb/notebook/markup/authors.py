"""Which words of a wording each of its versions wrote."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from nomic_nb.notebook.markup.prose import WORD_PATTERN, ChangedPassage, compare_texts, read_blocks


@lru_cache(maxsize=512)
def find_authors(*versions: str) -> tuple[ChangedPassage, ...]:
    """Return the passages of the last version of a text; each run of words has the version that wrote it, from 0.

    Examples
    --------
    >>> find_authors("All must agree.", "Most must agree.", "Most must agree at once.")[0].runs
    (('1', 'Most'), ('0', ' must agree'), ('2', ' at once'), ('0', '.'))
    """
    blocks = read_blocks(versions[0])
    #: The version that wrote each letter, of all blocks one after the other.
    wrote = [0] * sum(len(block.text) for block in blocks)
    for version, text in enumerate(versions[1:], 1):
        older, blocks = blocks, read_blocks(text)
        letters = iter(wrote)
        wrote = []
        for passage in compare_texts(older, blocks):
            for mark, run in passage.runs:
                if mark == "ins":
                    wrote += [version] * len(run)
                else:
                    kept = [next(letters) for _ in run]
                    wrote += kept if not mark else ()
    left = iter(wrote)
    return tuple(ChangedPassage(block, tuple(_runs(block.text, [next(left) for _ in block.text]))) for block in blocks)


def _runs(text: str, wrote: list[int]) -> Iterator[tuple[str, str]]:
    """Yield a text in runs of words that one version wrote; a word that several wrote is the last one's."""
    words = [(max(wrote[word.start() : word.end()]), word[0]) for word in WORD_PATTERN.finditer(text)]
    for version, group in groupby(words, key=lambda word: word[0]):
        yield str(version), "".join(word for _, word in group)
