"""Chess variants as data: ready-made ones, and definitions in the format of Fairy-Stockfish's ``variants.ini``.

Source: the options' names and meanings, as Fairy-Stockfish documents them in its wiki and in its own file. No text of
that file is here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Any

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.extra_rules import bare, checks, extinct, lost_all, reach, split_fen
from nomic_nb.chess.multiverse.geometry import FILES, Geometry, each_bit, union_of_bits
from nomic_nb.chess.multiverse.notation import START_FEN, board_of_fen
from nomic_nb.chess.multiverse.positions import Position, position
from nomic_nb.chess.multiverse.rules import Terms, region_bits
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.words import strip_byte_order_mark

#: Letters and definitions of a text that is read.
LONGEST_INI, MOST_DEFINITIONS = 1_000_000, 500
#: Names that mean the same as another.
_SAME = {
    "whiteFlag": "flagRegionWhite", "blackFlag": "flagRegionBlack", "whiteDropRegion": "dropRegionWhite",
    "blackDropRegion": "dropRegionBlack", "castlingRookPiece": "castlingRookPieces",
}  # fmt: skip
#: Options that change no move and no goal: for programs, or about draws that players claim.
_UNUSED = re.compile(
    "pieceValue.*|variantTemplate|pieceToCharTable|pocketSize|nnueAlias|endgameEval|nMoveRule.*|nFold.*|chess960|"
    "countingRule|materialCounting|perpetualCheckIllegal|chasingRule"
)
#: Values with which an option that is not read changes nothing.
_NOTHING = ("false", "none", "-", "", "0")
#: Options that change nothing with another value than these.
_USUAL = {"checking": "true", "dropChecks": "true", "checkmateValue": "loss", "flagPieceCount": "1",
          "dropNoDoubledCount": "1"}  # fmt: skip
SIDES = ("White", "Black")
#: Options that name squares for both sides alike, without ``White`` or ``Black`` behind them.
_REGIONS = ("promotionRegion", "doubleStepRegion", "dropRegion", "flagRegion")
_ABOUT = ("source", "about", "counts")
_HEAD = re.compile(r"\s*\[\s*([^\[\]:]{1,40}?)\s*(?::\s*([^\[\]:]{1,40}?)\s*)?\]\s*")
_PAIR = re.compile(r"\s*(\w{1,60})\s*=\s*(.*?)\s*")
_CUSTOM = re.compile("customPiece[1-9][0-9]?")
_PLACE = re.compile("([a-p*])([0-9]{1,2}|\\*)")
#: Letters of a line of a text that is read.
LONGEST_LINE = 2_000


@frozen
class Variant:
    """A variant of chess as data.

    Parameters
    ----------
    name : str
    fen : str
        Its start.
    options : mapping of str to object
        What :func:`position` is given beside the FEN.
    missing : tuple of str
        Options of the definition that no position can express; with any, it cannot be set up.
    unused : tuple of str
        Options that change no move and no goal, such as those on claiming draws.
    source, about : str
        Where the rules are described, and what the variant is for.
    counts : tuple of int
        Legal sequences of 1, 2 and more plies from the start, as another program counts them.
    """

    name: str
    fen: str
    options: Mapping[str, Any] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    source: str = ""
    about: str = ""
    counts: tuple[int, ...] = ()

    def position(self, fen: str = "") -> Position:
        """Return its start, or another position of it, to play.

        Raises
        ------
        MultiverseError
            It has options that a position cannot express.
        """
        if self.missing:
            raise MultiverseError(
                "variant-not-supported",
                "{name} can’t be set up, because a position has nothing for {missing}",
                name=self.name,
                missing=", ".join(self.missing[:3]),
            )
        return position(fen or self.fen, **self.options)


@cache
def variants() -> Mapping[str, Variant]:
    """Return the ready-made variants by name.

    Examples
    --------
    >>> variants()["capablanca"].counts[:2]
    (28, 784)
    """
    return {name: _Definition(name, raw).variant() for name, raw in _ready_made().items()}


def _ready_made() -> dict[str, dict[str, str]]:
    """Return the options of the ready-made variants by name."""
    return {name: raw for name, raw in _kit().items() if name not in ("movements", "usual")}


@cache
def _kit() -> dict[str, dict[str, str]]:
    """Return the file of the kit by section: tables of movements and of usual values, and the ready-made variants."""
    text = (files(__package__) / "variants.ini").read_text(encoding="utf-8")
    return _read_sections(text, {})


@explain_argument_errors
def variant(name: str) -> Position:
    """Set up a ready-made variant.

    Parameters
    ----------
    name : str
        One of the names in :func:`variants`.

    Raises
    ------
    MultiverseError
        There is none of this name.

    Examples
    --------
    >>> variant("capablanca").perft(2)
    784
    """
    if name not in variants():
        raise MultiverseError(
            "no-such-variant",
            "there is no ready-made variant {name!r}; near that is {near}",
            name=name,
            near=", ".join(get_close_matches(str(name), variants(), 3)) or "none",
        )
    return variants()[name].position()


@explain_argument_errors
def from_ini(text: str) -> dict[str, Variant]:
    r"""Read definitions of variants in the format of Fairy-Stockfish's ``variants.ini``.

    A definition can build on a ready-made variant or on an earlier definition: ``[name:parent]``. If a position cannot
    express it, ``missing`` of the variant names the options.

    Raises
    ------
    MultiverseError
        A line cannot be read, or the text is too long. The message names the line.

    Examples
    --------
    >>> found = from_ini("[nightly:chess]\nknight = -\ncustomPiece1 = n:NN\n[ducks:chess]\nwallingRule = duck")
    >>> found["nightly"].position().pieces["n"], found["ducks"].missing
    ('NN', ('wallingRule = duck',))
    """
    found = {}
    for name, raw in _read_sections(text, _ready_made()).items():
        try:
            found[name] = _Definition(name, raw).variant()
        except MultiverseError as error:
            found[name] = Variant(name, raw.get("startFen", START_FEN), missing=(str(error),))
    return found


def _read_sections(text: str, parents: Mapping[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Return the options of each definition in a text by name, with those of its parent (`parents`: from elsewhere)."""
    if not isinstance(text, str) or len(text) > LONGEST_INI:
        raise MultiverseError(
            "ini-too-long", "definitions must be text of at most {most:,} characters", most=LONGEST_INI
        )
    found: dict[str, dict[str, str]] = {}
    here: dict[str, str] | None = None
    for number, line in enumerate(strip_byte_order_mark(text).splitlines(), 1):
        head, pair = _HEAD.fullmatch(line), _PAIR.fullmatch(line)
        if head and len(found) < MOST_DEFINITIONS:
            name, parent = head.groups()
            above = {**parents, **found}.get(parent or "", {} if parent is None else {"parent": parent})
            here = found[name] = {key: value for key, value in above.items() if key not in _ABOUT}
        elif head:
            raise MultiverseError(
                "ini-of-too-many", "a text can have at most {most} definitions", most=MOST_DEFINITIONS
            )
        elif pair and here is not None and len(line) <= LONGEST_LINE:
            key, value = _SAME.get(pair[1], pair[1]), pair[2]
            if key == "promotedPieceType" and here.get(key):  # for each kind by itself
                value = f"{here[key]} | {value}"
            here[key] = value
        elif line.strip() and line.strip()[0] not in "#;":
            raise MultiverseError(
                "ini-line-unreadable",
                "line {line}: expected [name], [name:parent] or option = value, not {found!r}",
                line=number,
                found=line.strip()[:40],
            )
    return found


class _Definition:
    """One definition, turned into the options of a position."""

    def __init__(self, name: str, raw: Mapping[str, str]) -> None:
        self.name, self.raw, self.usual = name, raw, _kit()["usual"]
        self.missing: list[str] = []
        self.kinds = self._kinds()
        # Fields may be left out before the two numbers.
        fields = raw.get("startFen", START_FEN).split()
        if not fields:
            self._miss("startFen")
            fields = START_FEN.split()
        numbers = [field for field in fields[1:] if field.isdecimal()]
        fields = fields[: len(fields) - len(numbers)]
        fen = " ".join([*fields, *("w", "-", "-")[len(fields) - 1 :], *numbers])
        self.given = split_fen(fen)
        self.board = board_of_fen(self.given.plain)
        self.fen = fen

    def __getitem__(self, option: str) -> str:
        return self.raw.get(option, self.usual[option])

    def _miss(self, *options: str) -> None:
        """Note options that a position cannot express, each with its value."""
        said = [(option, self.raw.get(option, self.usual.get(option, ""))) for option in options]
        self.missing += [f"{option} = {value}" for option, value in said if value or option in self.raw]

    def _is(self, option: str) -> bool:
        if self[option] not in ("true", "false"):
            self._miss(option)
        return self[option] == "true"

    def variant(self) -> Variant:
        """Return the definition as a variant."""
        options: dict[str, Any] = {}
        for write in (self._write_pawns, self._write_castling, self._write_hands, self._write_goals):
            options |= write()
        self._look_for_others()
        options["pieces"] = self._movements()
        about = {name: self.raw.get(name, "") for name in _ABOUT[:2]}
        counts = tuple(map(int, re.findall(r"\b[0-9]{1,12}\b", self.raw.get("counts", ""))))
        unused = tuple(f"{key} = {value}" for key, value in self.raw.items() if _UNUSED.fullmatch(key))
        missing = tuple(dict.fromkeys(self.missing))
        return Variant(self.name, self.fen, options, missing, unused, **about, counts=counts)

    def _look_for_others(self) -> None:
        """Note the options that are not read, unless their values change nothing."""
        for option, real in (("maxFile", self.board.files), ("maxRank", self.board.ranks)):
            if self[option] not in (str(real), FILES[real - 1]):
                self._miss(option)
        for key, value in self.raw.items():
            known = {*self.usual, *_kit()["movements"], *_ABOUT, *_REGIONS, *self._regions}
            usual = value == _USUAL[key] if key in _USUAL else value in _NOTHING
            if not (key in known or _CUSTOM.fullmatch(key) or _UNUSED.fullmatch(key) or usual):
                self._miss(key)

    # Pieces

    def _kinds(self) -> dict[str, str]:
        """Return the movement of each letter."""
        found: dict[str, str] = {}
        letters: dict[str, str] = {}
        movements = _kit()["movements"]
        for key, value in self.raw.items():
            if key not in movements and not _CUSTOM.fullmatch(key):
                continue
            found.pop(letters.pop(key, ""), None)
            letter, _, movement = value.partition(":")
            if letter.isascii() and letter.isalpha() and len(letter) == 1:
                letters = {name: old for name, old in letters.items() if old != letter.lower()}
                letters[key] = letter.lower()
                found[letter.lower()] = _expand(movement.strip() or movements.get(key, ""))
            elif value != "-":
                self._miss(key)
        self.letters = letters
        return found

    def _movements(self) -> dict[str, Any]:
        """Return the movements as a position takes them."""
        white, black = dict(self.kinds), dict(self.kinds)
        for side, kinds in enumerate((white, black)):
            kinds.update({kind: kinds[kind] + text for kind, text in self.steps[side].items()})
        return white if white == black else {"white": white, "black": black}

    def _letters(self, option: str) -> str:
        """Return the letters that an option names, those of all kinds for ``*``."""
        text = self[option].replace(" ", "").lower()
        if option in self.raw and not set(text) <= {*self.kinds, *"*-"}:
            self._miss(option)
        return "".join(self.kinds) if "*" in text else "".join(kind for kind in self.kinds if kind in text)

    def _region(self, option: str) -> set[int] | None:
        """Return the squares that an option names; None if it is not there."""
        both = self.raw.get(option.removesuffix("White").removesuffix("Black"), self.usual.get(option, ""))
        text = self.raw.get(option, both)
        files, ranks = self.board.files, self.board.ranks
        found = set()
        for word in set(text.replace("-", "").split()):
            match = _PLACE.fullmatch(word)
            if match is None:
                self._miss(option)
                return None
            columns = range(files) if match[1] == "*" else [FILES.index(match[1])]
            rows = range(ranks) if match[2] == "*" else [int(match[2]) - 1]
            found |= {row * files + file for row in rows for file in columns if file < files and 0 <= row < ranks}
        return found if text else None

    def _both(self, stem: str, rest: str = "") -> set[int] | None:
        """Return White's squares of an option with one for each side; Black's must mirror them."""
        white, black = (self._region(f"{stem}{side}{rest}") for side in SIDES)
        files, ranks = self.board.files, self.board.ranks
        mirrored = {(ranks - 1 - at // files) * files + at % files for at in white or ()}
        if (white, black) != (None, None) and black != mirrored:
            self._miss(f"{stem}White{rest}", f"{stem}Black{rest}")
        return white

    def _squares(self, region: Iterable[int]) -> str:
        """Return squares as a text, by ranks if they fill some."""
        rows = sorted({at // self.board.files + 1 for at in region})
        if rows and len(set(region)) == self.board.files * (rows[-1] - rows[0] + 1):
            return f"ranks {rows[0]}-{rows[-1]}"
        if not rows:
            return "-"
        return " ".join(map(Geometry(self.board.files, self.board.ranks).name, sorted(region)))

    def _ranks(self, stem: str, region: set[int], side: int = 0) -> list[int]:
        """Return the ranks that squares fill, seen from a side; note the option if they do not."""
        files, ranks = self.board.files, self.board.ranks
        found = sorted({ranks - at // files if side else at // files + 1 for at in region})
        if len(region) != len(found) * files:
            self._miss(f"{stem}{SIDES[side]}")
        return found

    def _is_pair(self, word: str) -> bool:
        """Tell whether a word says that one kind becomes another, such as ``s:g``."""
        return bool(re.fullmatch("[a-z]:[a-z]", word)) and {word[0], word[2]} <= set(self.kinds)

    def _write_pawns(self) -> dict[str, Any]:
        """Return the options on pawns and promotion."""
        pawns = self._letters("promotionPawnTypes" if self["promotionPawnTypes"] else "pawnTypes")
        sides = [self._letters(f"promotionPieceTypes{side}") if pawns else "" for side in (*SIDES, "")]
        inherited, _, own = self["promotedPieceType"].lower().replace("-", " ").rpartition("|")
        pairs = {side: [word for word in text.split() if word != "|"] for side, text in ((0, inherited), (1, own))}
        known = [word for words in pairs.values() for word in words if self._is_pair(word)]
        if not set(pairs[1]) <= set(known):
            self._miss("promotedPieceType")
        within = {word[0]: word[2:] for word in known}
        zones = [(self._region(f"promotionRegion{side}") if any(sides) or within else None) or set() for side in SIDES]
        if within and not all(zones):
            self._miss("promotionRegionWhite", "promotionRegionBlack")
        fresh = (pawns and self.letters.get("pawn")) or any("i" in movement for movement in self.kinds.values())
        double = (self._both("doubleStepRegion") if fresh and self._is("doubleStep") else None) or set()
        en_passant = self["enPassantRegion"]
        if en_passant not in ("", "-"):
            self._miss("enPassantRegion")
        self.steps: list[dict[str, str]] = [{}, {}]
        for kind in self.kinds:
            if self.letters.get("pawn") == kind and double:
                self.kinds[kind] += "ifmnD"
        either = sides.pop()
        # In the order in which they are offered as a rule.
        white, black = (
            "".join(sorted((own or either) if zone else "", key="qrbn".find))
            for own, zone in zip(sides, zones, strict=True)
        )
        ranks = [self._ranks("promotionRegion", zone, side) or [self.board.ranks] for side, zone in enumerate(zones)]
        options: dict[str, Any] = {
            "pawns": pawns,
            "promotion": white if white == black else {"white": white, "black": black},
            "promotion_ranks": ranks[0] if ranks[0] == ranks[1] else dict(zip(("white", "black"), ranks, strict=True)),
            "promotion_mandatory": self._is("mandatoryPawnPromotion"),
            "initial_ranks": self._ranks("doubleStepRegion", double),
            "en_passant": en_passant != "-",
        }
        regions = {}
        self._regions = [key for key in self.raw if key.startswith("mobilityRegion")]
        for key in self._regions:
            piece = key[19:20].lower() + key[20:]
            if key[14:19] not in ("White", "Black") or not (piece in _kit()["movements"] or _CUSTOM.fullmatch(piece)):
                self._miss(key)
            elif piece in self.letters:
                region = self._both(key[:14], key[19:])
                regions[self.letters[piece]] = self._squares(region or set())
        more = {"promotion_within": within, "regions": regions}
        return options | {key: value for key, value in more.items() if value}

    def _write_castling(self) -> dict[str, Any]:
        """Return the options on royal pieces and castling."""
        pseudo = self._pseudo_royals()
        king = self.letters.get("king", "") or (pseudo if self._are_lone(pseudo) else "")
        rooks = self._letters("castlingRookPieces")
        rights = self.given.plain.split()[2:3] != ["-"]
        on = self._is("castling") and bool(rooks) and rights
        self.royal = "".join(dict.fromkeys(king + pseudo))
        if on and self["castlingRank"] not in ("", "1"):
            self._miss("castlingRank")
        if on and not (king and self["castlingKingPiece"] == king):
            self._miss("castlingKingPiece")
        ends = [FILES.find(self[f"castling{side}sideFile"][:1]) for side in ("King", "Queen")]
        if on and king and ends != [self.board.files - 2, 2]:
            for side, row in ((0, -1), (1, 0)):
                letter = king if side else king.upper()
                placement = self.given.plain.split()[0].split("/")[row]
                before = placement.partition(letter)[0]
                home = sum(int(one) if one.isdigit() else 1 for one in re.findall("[0-9]+|.", before))
                right, left = ends[0] - home, home - ends[1]
                if min(right, left) < 1 or letter not in placement:
                    self._miss("castlingKingsideFile", "castlingQueensideFile")
                    break
                self.steps[side][king] = f"rO{left}lO{right}" if side else f"rO{right}lO{left}"
        return {"royal": self.royal, "castling": on} | ({"castling_rook": rooks} if on else {})

    def _write_hands(self) -> dict[str, Any]:
        """Return the options on captures and drops."""
        options: dict[str, Any] = {"move_forced": True} if self._is("mustCapture") else {}
        if self._is("blastOnCapture"):
            options["capture_result"] = "explode with royals"
        if self._is("capturesToHand"):
            if options.get("capture_result"):
                self._miss("blastOnCapture")
            options["capture_result"] = "captor's hand"
        if self._is("pieceDrops"):
            zone = self._both("dropRegion")
            every = set(range(self.board.size))
            pawn = set(zone or every)
            files = self.board.files
            if not self._is("firstRankPawnDrops"):
                pawn -= set(range(files))
            if not self._letters("pawnTypes"):
                pawn = set()
            elif not self._is("promotionZonePawnDrops"):
                pawn -= self._both("promotionRegion") or set()
            elif not self._is("immobilityIllegal"):  # a pawn is never dropped where it could not move
                self._miss("promotionZonePawnDrops")
            zones = dict.fromkeys(self.kinds, zone or every) | dict.fromkeys(self._letters("pawnTypes"), pawn)
            limits = {kind: self._squares(squares) for kind, squares in zones.items() if squares != every}
            options["drops"] = limits or dict.fromkeys(list(zones)[:1], self._squares(every))  # or there would be none
        elif self._is("capturesToHand"):
            self._miss("capturesToHand")
        return options

    def _write_goals(self) -> dict[str, Any]:
        """Return the goals, and what else ends a game."""
        goals: list[str] = []
        flag = self._both("flagRegion")
        if flag:
            goals.append(reach(self._letters("flagPiece"), self._squares(flag)))
        if self._is("checkCounting"):
            goals.append(checks(max(self.given.checks or (1,))))
            if not self.royal:
                self._miss("checkCounting")
        kinds, value = self._letters("extinctionPieceTypes"), self["extinctionValue"]
        counts = [self[f"extinction{name}"] for name in ("PieceCount", "OpponentPieceCount", "Claim", "PseudoRoyal")]
        every = "*" in self["extinctionPieceTypes"]
        if value == "win" and every and counts == ["0", "0", "false", "false"]:
            goals.append(lost_all())
        elif value == "loss" and every and counts == ["1", "2", "true", "false"]:
            goals.append(bare())
        elif value == "loss" and counts == ["0", "0", "false", "false"]:
            goals += [extinct(kinds)] if every else map(extinct, kinds)
        elif value != "none" and not self._pseudo_royals():
            self._miss(*(key for key in self.raw if key.startswith("extinction")))
        if self["stalemateValue"] not in ("draw", "win", "loss"):
            self._miss("stalemateValue")
        kings = {} if self.royal and self._are_lone(self.royal) else {"kings": "all"}
        return (
            kings
            | {key: value for key, value in {"goals": goals}.items() if value}
            | ({} if self["stalemateValue"] == "draw" else {"stalemate": self["stalemateValue"]})
        )

    def _pseudo_royals(self) -> str:
        """Return the kinds of which no piece may be lost, if that is so for the whole game."""
        kinds, most = self._letters("extinctionPieceTypes"), self["extinctionPieceCount"]
        others = [self[f"extinction{name}"] for name in ("Value", "OpponentPieceCount", "Claim", "PseudoRoyal")]
        if others != ["loss", "0", "false", "true"] or not most.isdecimal():
            return ""
        made = "".join(
            map(self._letters, ("promotionPieceTypes", "promotionPieceTypesWhite", "promotionPieceTypesBlack"))
        )
        made += "".join(word[2:] for word in self["promotedPieceType"].lower().split() if word[1:2] == ":")
        placed = self.given.plain.split()[0]
        few = all(placed.count(one) <= int(most) + 1 for kind in kinds for one in (kind, kind.upper()))
        return kinds if int(most) >= self.board.size or (few and not {*kinds} & {*made}) else ""

    def _are_lone(self, kinds: str) -> bool:
        """Tell whether each side starts with one piece of a single kind."""
        placement = self.given.plain.split()[0]
        return len(kinds) == 1 and placement.count(kinds) == placement.count(kinds.upper()) == 1


def _expand(movement: str) -> str:
    """Return a movement with K and Q behind directions as both their parts, as the format reads them."""
    return re.sub(
        "([a-z]*[fblrsv][a-z]*)([KQ])",
        lambda found: "".join(found[1] + atom for atom in ("WF" if found[2] == "K" else "RB")),
        movement,
    )


# ------------------------------------------------------------------------------------------------------- writing

_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,39}", re.ASCII)
_CASTLING_STEPS = re.compile("[a-z]*O[0-9]*")


@explain_argument_errors
def to_ini(position: Position, name: str = "altered") -> str:
    r"""Return a position with all its rules as a definition in the format of ``variants.ini``; `from_ini` reads it.

    Parameters
    ----------
    position : Position
    name : str
        Name of the variant, in brackets above its options.

    Raises
    ------
    MultiverseError
        The format has nothing for some option, which the message names.

    Examples
    --------
    >>> text = to_ini(position(pieces={"n": "NW"}), "nightly")
    >>> text.splitlines()[0], "customPiece1 = n:NW" in text, from_ini(text)["nightly"].position().perft(2)
    ('[nightly]', True, 400)
    """
    if not _NAME.fullmatch(name):
        raise MultiverseError(
            "variant-name-unusable",
            "the name of a variant can have up to 40 letters, digits, '-', '_' and '.', not {found!r}",
            found=name[:60],
        )
    text = "".join([f"[{name}]\n", *(f"{key} = {value}\n" for key, value in _options_in_ini(position).items())])
    found = from_ini(text)[name]
    told = _meaning(replace(found, missing=()).position())
    # What the definition does not bring back, it cannot say.
    lost = [option for option, value in _meaning(position).items() if value != told[option]] or found.missing
    if lost:
        raise MultiverseError(
            "position-not-in-ini",
            "the format of variants.ini can’t express what this position has for {options}",
            options=", ".join(lost),
        )
    return text


def _meaning(game: Position) -> dict[str, object]:
    """Return what each option of a position comes to, so that options which say the same are equal."""
    terms, board, rules, extra, state = game.terms, game.geometry, game.rules, game._extra, game._state
    sides, promotes = (terms, terms.black or terms), bool(terms.pawns)
    lone = len(terms.royal) == 1 and all(rules.royals(boards).bit_count() == 1 for boards in state.sides)
    goals: list[object] = []
    for word, _, rest in (goal.partition(" ") for goal in terms.goals):
        kinds, _, squares = rest.partition(" ")
        named = word in ("reach", "extinct")
        goals.append((word, named and set(kinds), named and squares and _squares_by_side(squares, board)))
    return {
        "pieces": [{kind: _without_castling(kind, text, terms) for kind, text in army.items()} for army in game.armies],
        "wraps": board.wraps,
        "castling": [
            replace(castle, partner_classes=tuple(sorted(castle.partner_classes)))
            for castle in (*rules.castles[0], *rules.castles[1])
            if castle.right & state.rights
        ],
        "promotion": [promotes and set(one.promotion) for one in sides],
        "promotion_ranks": (promotes or terms.promotion_within) and [rules.promotion_zone(side) for side in (0, 1)],
        "promotion_mandatory": promotes and [one.promotion_mandatory for one in sides],
        "initial_ranks": bool(rules.fresh) and rules.regions,
        "en_passant": terms.en_passant,
        "pawns": set(terms.pawns),
        "royal": terms.royal,
        # The format has one king a side: any other number is never the same.
        "kings": (lone and not terms.changes_royals) or not terms.royal or object(),
        "check": terms.check or not terms.royal,
        "goals": goals,
        "stalemate": terms.stalemate,
        "capture_result": terms.capture_result,
        "drops": extra.drop_zones if extra and extra.has_hands else None,
        "move_forced": terms.move_forced,
        "promotion_within": terms.promotion_within,
        "regions": {kind: _squares_by_side(text, board) for kind, text in terms.regions},
    }


def _without_castling(kind: str, movement: str, terms: Terms) -> str:
    """Return a movement without castling, which a definition says in options of its own."""
    return _CASTLING_STEPS.sub("", movement) if kind in terms.royal else movement


def _squares_by_side(text: str, board: Geometry) -> list[int]:
    """Return the squares that a text names, as White sees them and as Black does."""
    return [region_bits(text, board, side) for side in (0, 1)]


def _region_options(stem: str, sides: Iterable[int], board: Geometry) -> dict[str, str]:
    """Return an option that names squares, for White and for Black."""
    found = {}
    for side, bits in zip(("White", "Black"), sides, strict=True):
        ranks = [rank for rank in range(1, board.ranks + 1) if not board.rank_bits(rank) & ~bits]
        rest = each_bit(bits & ~union_of_bits(map(board.rank_bits, ranks)))
        words = [*(f"*{rank}" for rank in ranks), *(board.name(bit.bit_length() - 1) for bit in rest)]
        found[stem.replace("Region", f"Region{side}")] = " ".join(words) or "-"
    return found


def _options_in_ini(game: Position) -> dict[str, str]:
    """Return the options of a definition that says as much of a position as the format can."""
    terms, board, rules, extra = game.terms, game.geometry, game.rules, game._extra
    raw: dict[str, object] = {"maxFile": board.files, "maxRank": board.ranks, "startFen": game.fen(en_passant="fen")}
    movements, blast = _kit()["movements"], terms.capture_result == "explode with royals"
    names = {text: name for name, text in reversed(movements.items()) if name not in ("pawn", "king")}
    double = bool(rules.regions and rules.fresh)
    names[movements["pawn"] + "ifmnD" * double] = "pawn"
    if double:
        raw |= _region_options("doubleStepRegion", rules.regions or (), board)
    numbers = count(1)
    for kind, movement in game.pieces.items():
        text = _without_castling(kind, movement, terms)
        name = "king" if kind == terms.royal[:1] and not blast else names.pop(text, "")
        name = name or f"customPiece{next(numbers)}"
        raw[name] = kind if movements.get(name) == text or name == "pawn" else f"{kind}:{text}"
        if region := dict(terms.regions).get(kind):
            stem = f"mobilityRegion{name[0].upper()}{name[1:]}"
            raw |= _region_options(stem, _squares_by_side(region, board), board)
    white, black = terms.promotion or "-", (terms.black or terms).promotion or "-"
    raw |= {"promotionPieceTypes": white} if white == black else {
        "promotionPieceTypes": "-", "promotionPieceTypesWhite": white, "promotionPieceTypesBlack": black,
    }  # fmt: skip
    raw |= _region_options("promotionRegion", map(rules.promotion_zone, (0, 1)), board)
    raw |= {
        "pawnTypes": terms.pawns or "-", "mandatoryPawnPromotion": terms.promotion_mandatory, "doubleStep": double,
        "enPassantRegion": "" if terms.en_passant else "-", "mustCapture": terms.move_forced,
        "stalemateValue": terms.stalemate, "promotedPieceType": " ".join(map(":".join, terms.promotion_within)),
        "castling": bool(game._state.rights), "blastOnCapture": blast,
    }  # fmt: skip
    if game._state.rights:
        raw |= {"castlingRookPieces": terms.castling_rook, "castlingKingPiece": terms.royal}
        for castle in rules.castles[0]:
            end = FILES[(castle.king_to.bit_length() - 1) % board.files]
            raw[f"castling{'King' if castle.king_to > castle.king else 'Queen'}sideFile"] = end
    if extra and extra.has_hands:
        zones = [dict(zip(rules.kinds, zones, strict=True)) for zones in extra.drop_zones]
        pawn = zones[0][(terms.pawns or rules.kinds[0])[0]]
        other = next((kind for kind in rules.kinds if kind not in terms.pawns), terms.pawns[:1])
        raw |= _region_options("dropRegion", (zone[other] for zone in zones), board)
        raw |= {
            "pieceDrops": True, "capturesToHand": extra.in_hand == 0,
            "firstRankPawnDrops": bool(pawn & board.rank_bits(1)),
            "promotionZonePawnDrops": bool(pawn & rules.promotion_zone(0)), "immobilityIllegal": True,
        }  # fmt: skip
    if blast:
        raw |= {"extinctionValue": "loss", "extinctionPieceTypes": terms.royal, "extinctionPseudoRoyal": True}
    raw |= _goal_options(terms.goals, board)
    said = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in raw.items()}
    # Options about kinds always: what other programs take for usual goes by kinds of their own.
    usual = {key: value for key, value in _kit()["usual"].items() if not (value and re.search("Piece|pawn", key))}
    return {key: value for key, value in said.items() if value != usual.get(key)}


def _goal_options(goals: Iterable[str], board: Geometry) -> dict[str, object]:
    """Return the options of goals."""
    raw: dict[str, object] = {}
    for word, _, rest in (goal.partition(" ") for goal in goals):
        kinds, _, squares = rest.partition(" ")
        if word == "reach":
            raw |= {"flagPiece": kinds, **_region_options("flagRegion", _squares_by_side(squares, board), board)}
        elif word == "checks":
            raw["checkCounting"] = True
        else:
            gone = f"{raw.get('extinctionPieceTypes', '')}{kinds}" if word == "extinct" else "*"
            raw |= {"extinctionValue": "win" if word == "lost" else "loss", "extinctionPieceTypes": gone}
            if word == "bare":
                raw |= {"extinctionPieceCount": 1, "extinctionOpponentPieceCount": 2, "extinctionClaim": True}
    return raw
