"""Count and search with a kernel that watches every access: random rules, then tables with words that are wrong.

`python fuzz_kernel.py LIBRARY CASES MUTATIONS` runs under the sanitizers; test_sanitized_kernel.py builds the library.
"""

import random
import sys
from array import array
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))  # as pytest does
from multiverse.random_rules import random_positions

from nomic_nb.chess import kernel
from nomic_nb.chess.multiverse import kernel_tables as tables


def mutated(row, chance):
    """Return words with some of them changed, left out or doubled."""
    changed = list(row)
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        at = chance.randrange(len(changed))
        kind = chance.randrange(6)
        if kind == 0:
            changed[at] ^= 1 << chance.randrange(64)
        elif kind == 1:
            changed[at] = chance.choice([0, 1, 2, 63, 64, 255, 256, 2**16, 2**32 - 1, 2**63, 2**64 - 1])
        elif kind == 2:
            changed[at] = chance.getrandbits(8)
        elif kind == 3 and len(changed) > 1:
            del changed[at]
        elif kind == 4:
            changed.insert(at, chance.choice(changed))
        else:
            changed[at] = chance.choice(changed)
    return array("Q", changed)


def some_values(rules, chance):
    """Return what pieces are worth by chance, as words."""
    kinds, size = len(rules.kinds), rules.geometry.size
    worth = [2**20 + chance.randrange(-900, 900) for _ in range(2 * kinds + 4 * kinds * size)]
    return array("Q", [*range(kinds), 0, 0, *worth])


def tried(words, values, state, nodes):
    """Use tables, values and a position as far as the kernel takes them; return how far that was."""
    kinds = words[4] if len(words) > 4 and words[4] <= 26 else 0
    try:
        found = kernel.Kernel(words)
        found.count_leaves(state, 1)
        found.count_leaves(state, 2)
        found.list_moves(state, 1)
        found.list_moves(state, 0)
        found.list_one(state, 1)
        player = kernel.KernelPlayer(found, values)
        player.search(state, nodes, 0, 3, [1, 2], [])
        player.play_at_random(state, nodes, 20, [0] * kinds)
    except ValueError as error:
        return str(error).rpartition(" ")[2]
    return "used"


def main():
    """Print how many were used and how many refused."""
    kernel.LIBRARY = Path(sys.argv[1])
    chance, counts = random.Random(sys.argv[3]), {}
    rows = {}
    for seed, game in random_positions(range(int(sys.argv[2])), 1, most=144):
        try:
            words = tables.words_of_rules(game.rules)
            rows[seed] = (words, some_values(game.rules, chance), tables.words_of_state(game._state, words[1]))
        except tables.Unsupported:
            continue
        told = tried(*rows[seed], 100)
        assert told == "used", (seed, told)
    every = sorted(rows.items(), key=lambda row: len(row[1][0]))[: len(rows) // 2]
    for _ in range(int(sys.argv[3])):
        _, row = chance.choice(every)
        which = chance.choice([0, 0, 0, 1, 2])
        told = tried(*(mutated(words, chance) if at == which else words for at, words in enumerate(row)), 30)
        counts[told] = counts.get(told, 0) + 1
    sys.stdout.write(f"{len(rows)} {sorted(counts.items())}\n")


if __name__ == "__main__":
    main()
