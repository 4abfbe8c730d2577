"""Legal moves found the slow way: walk every line, make every move, look whether a king hangs.

It shares no code with the package and reads no notation: movements are given as lists of steps.
"""

ORTHOGONAL = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
KNIGHT = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
CAMEL = [(a, b) for a in (-3, -1, 1, 3) for b in (-3, -1, 1, 3) if abs(a) != abs(b)]
DABBABA = [(2 * a, 2 * b) for a, b in ORTHOGONAL]

#: kind: (notation, [(may move, may capture, steps, manner, reach)])
KINDS = {
    "k": ("K", [(1, 1, ORTHOGONAL + DIAGONAL, "slide", 1)]),
    "q": ("Q", [(1, 1, ORTHOGONAL + DIAGONAL, "slide", 99)]),
    "r": ("R3", [(1, 1, ORTHOGONAL, "slide", 3)]),
    "b": ("B", [(1, 1, DIAGONAL, "slide", 99)]),
    "n": ("N", [(1, 1, KNIGHT, "slide", 1)]),
    "p": ("fmWfcF", [(1, 0, [(0, 1)], "slide", 1), (0, 1, [(1, 1), (-1, 1)], "slide", 1)]),
    "c": ("mRcpR", [(1, 0, ORTHOGONAL, "slide", 99), (0, 1, ORTHOGONAL, "cannon", 99)]),
    "g": ("gQ", [(1, 1, ORTHOGONAL + DIAGONAL, "grasshopper", 99)]),
    "h": ("nN", [(1, 1, KNIGHT, "lame", 1)]),
    "d": ("nDF", [(1, 1, DABBABA, "lame", 1), (1, 1, DIAGONAL, "slide", 1)]),
    "x": ("mNcB", [(1, 0, KNIGHT, "slide", 1), (0, 1, DIAGONAL, "slide", 99)]),
    "y": ("NN", [(1, 1, KNIGHT, "slide", 99)]),
    "z": ("fC", [(1, 1, [(1, 3), (-1, 3)], "slide", 1)]),
    "s": ("fsN", [(1, 1, [(2, 1), (-2, 1)], "slide", 1)]),
    "j": ("jAjR", [(1, 1, [(2 * a, 2 * b) for a, b in DIAGONAL], "jump", 1), (1, 1, ORTHOGONAL, "ski", 99)]),
    "u": ("dW", [(0, 2, ORTHOGONAL, "slide", 1)]),
}


class Slow:
    """A board: size, holes, edges, and (file, rank) -> (army, kind)."""

    def __init__(self, files, ranks, holes, cylinder, pieces, far, teams):
        self.files, self.ranks, self.holes, self.cylinder = files, ranks, holes, cylinder
        self.pieces, self.far, self.teams = pieces, far, teams

    def on(self, file, rank):
        if self.cylinder:
            file %= self.files
        inside = 0 <= file < self.files and 0 <= rank < self.ranks
        return (file, rank) if inside and (file, rank) not in self.holes else None

    def line(self, start, step, reach):
        at, found = start, []
        while len(found) < reach:
            at = self.on(at[0] + step[0], at[1] + step[1])
            if at is None or at == start:
                return found
            found.append(at)
        return found

    def landings(self, start, step, manner, reach):
        """Return squares reached; all but perhaps the last of a slide are empty."""
        squares = self.line(start, step, reach)
        if manner in ("lame", "jump"):
            half = [int(part / 2) for part in step]
            between = self.on(start[0] + half[0], start[1] + half[1])
            blocked = between in self.pieces
            return squares if between and blocked == (manner == "jump") else []
        if manner == "ski":
            squares = squares[1:]
        if manner in ("slide", "ski"):
            found = []
            for square in squares:
                found.append(square)
                if square in self.pieces:
                    break
            return found
        hurdle = next((i for i, square in enumerate(squares) if square in self.pieces), None)
        if hurdle is None:
            return []
        beyond = squares[hurdle + 1 :]
        if manner == "grasshopper":
            return beyond[:1]
        found = []
        for square in beyond:
            found.append(square)
            if square in self.pieces:
                break
        return found

    def steps(self, start):
        army, kind = self.pieces[start]
        for moves, takes, steps, manner, reach in KINDS[kind][1]:
            for a, b in steps:
                step = (-a, -b) if self.far[army] else (a, b)
                for end in self.landings(start, step, manner, reach):
                    yield end, moves, takes

    def attacked(self, target, army):
        """Tell whether a piece of an army of another team could capture on a square."""
        for start, (other, _) in self.pieces.items():
            if self.teams[other] != self.teams[army] and any(
                end == target and takes == 1 for end, _, takes in self.steps(start)
            ):
                return True
        return False

    def legal(self, army):
        found = set()
        for start, (owner, kind) in list(self.pieces.items()):
            if owner != army:
                continue
            for end, moves, takes in self.steps(start):
                there = self.pieces.get(end)
                if there is None:
                    fine = moves
                elif there[0] == army:
                    fine = takes == 2 and there[1] != "k"
                else:
                    fine = takes == 1 and not (there[1] == "k" and self.teams[there[0]] == self.teams[army])
                if not fine:
                    continue
                before = dict(self.pieces)
                del self.pieces[start]
                self.pieces[end] = (army, kind)
                kings = [square for square, piece in self.pieces.items() if piece == (army, "k")]
                if not any(self.attacked(king, army) for king in kings):
                    found.add((start, end))
                self.pieces = before
        return found
