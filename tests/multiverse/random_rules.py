"""Random pieces, boards and options, drawn so that odd ones come together."""

import random
import re

from nomic_nb.chess.multiverse import position
from nomic_nb.chess.multiverse.errors import MultiverseError

KINDS = "pnbrqka"
PREFIXES = ["", "", "", "m", "c", "mc", "f", "fm", "fc", "b", "v", "s", "i", "n", "j", "p", "g", "md", "t", "e", "fce",
            "ci", "fi", "cp", "mp", "np"]  # fmt: skip
CHAINS = ["mpafc", "gaf", "afs", "ya", "yafs", "caf", "cab", "da", "mpa", "maf", "paf", "avm", "cavm", "mafmaf", "pay",
          "mays", "cafs", "mcaf", "ca"]  # fmt: skip
SIZES = [(8, 8)] * 5 + [(5, 5), (4, 4), (6, 7), (10, 8), (9, 10), (12, 12), (16, 16), (3, 8), (8, 5)]
OPTIONS = [
    (0.3, [{"castling": False}]),
    (0.2, [{"kings": "all"}]),
    (0.1, [{"check": False}]),
    (0.15, [{"royal": royal, "kings": "all"} for royal in ("", "kq", "n", "kr")]),
    (0.2, [{"initial_ranks": ranks} for ranks in (None, (1, 2), (2, 3))]),
    (0.3, [{"promotion": kinds} for kinds in ("q", "nb", "", "qp")]),
    (0.2, [{"promotion_mandatory": False}]),
    (0.2, [{"pawns": kinds} for kinds in ("", "pn", "n")]),
    (0.25, [{"capture_result": result} for result in
            ("convert", "explode", "explode with royals", "captor's hand", "owner's hand")]),
    (0.1, [{"move_forced": True}]),
    (0.2, [{"goals": goals} for goals in
           (["reach k d4-e5"], ["checks 2"], ["lost all"], ["extinct q"], ["bare"], ["checks 3", "reach kn rank 8"])]),
    (0.1, [{"stalemate": result} for result in ("win", "loss")]),
    (0.1, [{"drops": {"p": "ranks 2-4", "n": "a1-c3"}}]),
    (0.1, [{"promotion_within": {"n": "q", "b": "r"}, "promotion_ranks": (3, 4)}]),
    (0.1, [{"regions": {"k": "a1-d3", "b": "ranks 1-4"}}]),
    (0.1, [{"en_passant": "a3-c4"}, {"initial_ranks": "ranks 1-2 / a2-c2"}, {"promotion_ranks": "a3-c3 b4 / rank 3"}]),
    (0.1, [{"royal": "", "castling_king": "k", "castling": True}]),
    (0.3, [{"wraps": joined} for joined in ("files", "ranks", "both")]),
]  # fmt: skip


def random_part(chance):
    if chance.random() < 0.75:
        return chance.choice(PREFIXES) + chance.choice("WFDNAHCLZJGRBQKU") + chance.choice(["", "", "", "2", "3"])
    return chance.choice(["", "f", "s"]) + chance.choice(CHAINS) + chance.choice("WFNRBKQDA")


def random_case(seed):
    """Return a FEN, pieces and options, which `position` may refuse."""
    chance = random.Random(seed)
    pieces = {
        kind: "".join(random_part(chance) for _ in range(chance.choice([1, 1, 2, 3])))
        for kind in KINDS
        if chance.random() < 0.45
    }
    pieces.setdefault("a", "BN")
    options = {}
    for likely, choices in OPTIONS:
        if chance.random() < likely:
            options |= chance.choice(choices)
    files, ranks = chance.choice(SIZES)
    cells = [[" "] * files for _ in range(ranks)]
    squares = [(file, rank) for file in range(files) for rank in range(ranks)]
    chance.shuffle(squares)
    royal, letters = options.get("royal", "k"), list(KINDS)
    put = ["*"] * chance.choice([0, 0, 0, 3]) + [royal[:1] or "k", (royal[:1] or "k").upper()]
    for _ in range(chance.randint(2, min(len(squares) - 6, 26))):
        letter = chance.choice(letters)
        if options.get("kings") == "all" or letter not in royal:
            put.append(chance.choice([letter, letter.upper()]))
    for letter, (file, rank) in zip(put, squares, strict=False):
        cells[rank][file] = letter
    rights = "-"
    if files > 3 and royal == "k" and options.get("castling", True) and chance.random() < 0.3:
        rights = "KQkq"
        for rank, written in ((0, str.upper), (-1, str.lower)):
            cells = [[" " if cell == written("k") else cell for cell in row] for row in cells]
            cells[rank][0], cells[rank][-1], cells[rank][files // 2] = map(written, "rrk")
    rows = [re.sub(" +", lambda gap: str(len(gap[0])), "".join(row)) for row in reversed(cells)]
    held = options.get("drops") or "hand" in options.get("capture_result", "")
    hands = f"[{''.join(chance.choice('PNBpnb') for _ in range(chance.randint(0, 4)))}]" if held else ""
    if chance.random() < 0.15:
        black = {kind: text if chance.random() < 0.5 else random_part(chance) for kind, text in pieces.items()}
        pieces = {"white": pieces, "black": black}
    return f"{'/'.join(rows)}{hands} {chance.choice('wb')} {rights} - 0 1", pieces, options


def random_positions(seeds, plies, most=256):
    """Yield (seed, position) after each of some random moves, of cases with so many squares that are not refused."""
    for seed in seeds:
        fen, pieces, options = random_case(seed)
        try:
            game = position(fen, pieces, **options)
        except MultiverseError:
            continue
        if game.geometry.size > most:
            continue
        chance = random.Random(seed)
        for _ in range(plies):
            yield seed, game
            if not game.moves():
                break
            game.push(chance.choice(game.moves()))
