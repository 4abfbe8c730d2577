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
from nomic_nb.chess.multiverse.extra_rules import bare, checks, extinct, lost_all, race, reach, split_fen, split_goal
from nomic_nb.chess.multiverse.geometry import FILES, Geometry, each_bit, union_of_bits
from nomic_nb.chess.multiverse.notation import START_FEN, board_of_fen
from nomic_nb.chess.multiverse.positions import Position, position
from nomic_nb.chess.multiverse.rules import PYTHON_TERMS, STALEMATES, Rules, Terms, region_bits
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
_USUAL = {"flagPieceCount": "1"}
#: Options that are true or false, or a result, with the terms that say the same.
_FLAGS = {
    "mustCapture": "move_forced", "mandatoryPawnPromotion": "promotion_mandatory", "flyingGeneral": "flying_general",
    "mandatoryPiecePromotion": "promotion_within_mandatory", "dropLoop": "keeps_promotion",
}  # fmt: skip
_RESULTS = {"stalemateValue": "stalemate", "checkmateValue": "checkmate"}
#: Options that list kinds: without those that a definition takes out of its parent, with their new letters otherwise.
_LISTS = re.compile(
    "(promotionPiece|pawn|promotionPawn|extinctionPiece)Types.*|castling(Rook|King)Pieces?|flagPiece.*|dropNo.*"
)
SIDES = ("White", "Black")
#: Options that, without a value, name the kinds of some pieces of the format.
_BY_PIECE = {"pawnTypes": "pawn", "castlingRookPieces": "rook", "castlingKingPiece": "king"}
#: Options that name squares for both sides alike, without ``White`` or ``Black`` behind them.
_REGIONS = ("promotionRegion", "doubleStepRegion", "dropRegion", "flagRegion", "enPassantRegion")
_ABOUT = ("source", "about", "counts")
_HEAD = re.compile(r"\s*\[\s*([^\[\]:]{1,40}?)\s*(?::\s*([^\[\]:]{1,40}?)\s*)?\]\s*")
_PAIR = re.compile(r"\s*(\w{1,60})\s*=\s*(.*?)\s*")
_CUSTOM = re.compile("customPiece[1-9][0-9]?")
_LIMIT = re.compile("[a-z]:[0-9]{1,3}")
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
            "there is no ready-made variant {name!r}; similar names: {near}",
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
    for name, raw in _read_sections(text, _kit()).items():
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
    own: set[str] = set()
    for number, line in enumerate(strip_byte_order_mark(text).splitlines(), 1):
        head, pair = _HEAD.fullmatch(line), _PAIR.fullmatch(line)
        if head and len(found) < MOST_DEFINITIONS:
            name, parent = head.groups()
            above = {**parents, **found}.get(parent or "", {} if parent is None else {"parent": parent})
            here = found[name] = {key: value for key, value in above.items() if key not in _ABOUT}
            own = set()
        elif head:
            raise MultiverseError(
                "ini-of-too-many", "a text can have at most {most} definitions", most=MOST_DEFINITIONS
            )
        elif pair and here is not None and len(line) <= LONGEST_LINE:
            key, value = _SAME.get(pair[1], pair[1]), pair[2]
            if key == "promotedPieceType" and here.get(key):  # for each kind by itself
                value = f"{here[key]} | {value}"
            movements = {**parents, **found}["movements"]
            if here is not movements and _is_piece(key, movements):
                pieces = [name for name in here if _is_piece(name, movements) and name != key]
                _replace_letter(here, own, here.get(key, "")[:1].lower(), value[:1].lower(), pieces)
            here[key] = value
            own.add(key)
        elif line.strip() and line.strip()[0] not in "#;":
            raise MultiverseError(
                "ini-line-unreadable",
                "line {line}: expected [name], [name:parent] or option = value, not {found!r}",
                line=number,
                found=line.strip()[:40],
            )
    return found


def _is_piece(key: str, movements: Mapping[str, str]) -> bool:
    """Tell whether an option is a piece of the format."""
    return key in movements or bool(_CUSTOM.fullmatch(key))


def _replace_letter(here: dict[str, str], own: set[str], old: str, letter: str, pieces: Iterable[str]) -> None:
    """Replace the letter of a piece in the lists of a parent; of other `pieces`, one that has it already goes."""
    here |= {name: "-" for name in pieces if letter.isalpha() and here[name][:1].lower() == letter}
    for option in [name for name in here if name not in own and _LISTS.fullmatch(name)]:
        kinds = here[option].lower()
        if letter.isalpha() and letter != old:
            kinds = kinds.replace(letter, "")
        if old.isalpha():
            kinds = kinds.replace(old, letter if letter.isalpha() else "")
        here[option] = kinds or "-"


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
        numbers = [field for field in fields[1:] if re.fullmatch("[0-9+]+", field)]
        fields = fields[: len(fields) - len(numbers)]
        fen = " ".join([*fields, *("w", "-", "-")[len(fields) - 1 :], *numbers])
        self.given = split_fen(fen)
        self.board = board_of_fen(self.given.plain)
        self.fen, self.every = fen, {*range(self.board.size)}
        self.own_rank = {*range(self.board.files)}

    def __getitem__(self, option: str) -> str:
        usual = self.letters.get(_BY_PIECE[option], "") if option in _BY_PIECE else self.usual[option]
        return self.raw.get(option, usual)

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
        options: dict[str, Any] = {name: self._is(key) for key, name in _FLAGS.items()}
        options |= {name: self[key] for key, name in _RESULTS.items()}
        self._miss(*(key for key in _RESULTS if self[key] not in STALEMATES))
        for write in (self._write_pawns, self._write_castling, self._write_hands, self._write_goals):
            options |= write()
        self._look_for_others()
        options = {
            name: value
            for name, value in options.items()
            if (usual := getattr(Terms, name)) != value and (value or usual)
        }
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
            if not _is_piece(key, movements):
                continue
            letter, _, movement = value.partition(":")
            if letter.isascii() and letter.isalpha() and len(letter) == 1:
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

    def _sides(self, stem: str, rest: str = "", usual: Iterable[int] = ()) -> list[set[int]]:
        """Return the squares of an option for White and for Black, each as that side sees them; or the usual ones."""
        white, black = (self._region(f"{stem}{side}{rest}") for side in SIDES)
        files, ranks = self.board.files, self.board.ranks
        mirrored = None if black is None else {(ranks - 1 - at // files) * files + at % files for at in black}
        return [set(usual) if found is None else found for found in (white, mirrored)]

    def _squares(self, sides: list[set[int]]) -> str:
        """Return squares of both sides as a text, by ranks if they fill some."""
        texts = []
        for region in sides:
            rows = sorted({at // self.board.files + 1 for at in region})
            if rows and len(region) == self.board.files * (rows[-1] - rows[0] + 1):
                texts.append(f"ranks {rows[0]}-{rows[-1]}")
            else:
                names = map(Geometry(self.board.files, self.board.ranks).name, sorted(region - self.board.holes))
                texts.append(" ".join(names) or "-")
        return " / ".join(texts if texts[0] != texts[1] else texts[:1])

    def _ranks(self, sides: list[set[int]], *, apart: bool) -> Any:
        """Return the ranks that both sides' squares fill, by side if they differ and can be `apart`; or the squares."""
        rows = [sorted({at // self.board.files + 1 for at in region}) for region in sides]
        even = all(len(region) == len(row) * self.board.files for row, region in zip(rows, sides, strict=True))
        if even and rows[0] == rows[1]:
            return rows[0]
        return dict(zip(("white", "black"), rows, strict=True)) if even and apart else self._squares(sides)

    def _is_pair(self, word: str) -> bool:
        """Tell whether a word says that one kind becomes another, such as ``s:g``."""
        return bool(re.fullmatch("[a-z]:[a-z]", word)) and {word[0], word[2]} <= set(self.kinds)

    def _write_pawns(self) -> dict[str, Any]:
        """Return the options on pawns and promotion."""
        pawns = self._letters("promotionPawnTypes" if self["promotionPawnTypes"] else "pawnTypes")
        own = [self._letters(f"promotionPawnTypes{side}") or pawns for side in SIDES]
        pawns = "".join(dict.fromkeys(own[0] + own[1]))
        if own[0] != own[1] and any(kind in self._placed(side) for side in (0, 1) for kind in {*pawns} - {*own[side]}):
            self._miss("promotionPawnTypesWhite", "promotionPawnTypesBlack")
        sides = [self._letters(f"promotionPieceTypes{side}") if pawns else "" for side in (*SIDES, "")]
        inherited, _, last = self["promotedPieceType"].lower().replace("-", " ").rpartition("|")
        pairs = {side: [word for word in text.split() if word != "|"] for side, text in ((0, inherited), (1, last))}
        known = [word for words in pairs.values() for word in words if self._is_pair(word)]
        if not set(pairs[1]) <= set(known):
            self._miss("promotedPieceType")
        within = {word[0]: word[2:] for word in known}
        zones = self._sides("promotionRegion") if any(sides) or within else [set(), set()]
        if within and not all(zones):
            self._miss("promotionRegionWhite", "promotionRegionBlack")
        fresh = (pawns and self.letters.get("pawn")) or any("i" in movement for movement in self.kinds.values())
        double = self._sides("doubleStepRegion") if fresh and self._is("doubleStep") else [set(), set()]
        self.steps: list[dict[str, str]] = [{}, {}]
        if any(double) and (pawn := self.letters.get("pawn")):
            self.kinds[pawn] += "ifmnD"
        if (rank := self["soldierPromotionRank"]) != "1" and (soldier := self.letters.get("soldier")):
            if any(double) or not rank.isdecimal():
                self._miss("soldierPromotionRank")
            else:  # as a soldier, sideways where it is across
                self.kinds[soldier] = "fWisW"
                double = [set(range(self.board.files * (int(rank) - 1), self.board.size))] * 2
        en_passant: bool | str = self["enPassantRegion"] != "-"
        passed = self._sides("enPassantRegion", usual=self.every)
        if en_passant and passed != [self.every, self.every]:
            en_passant = self._squares(passed)
        either = sides.pop()
        # In the order in which they are offered as a rule.
        white, black = (
            "".join(sorted((some or either) if zone else "", key="qrbn".find))
            for some, zone in zip(sides, zones, strict=True)
        )
        end = {at for at in self.every if at + self.board.files not in self.every}
        if (
            self.letters.get("pawn", "-") in pawns
            and not (white or black or within)
            and self._is("mandatoryPawnPromotion")
        ):
            self._miss("promotionPieceTypes")  # such pawns never get there
        options = {
            "pawns": pawns,
            "promotion": white if white == black else {"white": white, "black": black},
            "promotion_ranks": self._ranks([zone or end for zone in zones], apart=True),
            "initial_ranks": self._ranks(double, apart=False),
            "en_passant": en_passant,
        }
        regions = {}
        self._regions = [key for key in self.raw if key.startswith("mobilityRegion")]
        for key in self._regions:
            piece = key[19:20].lower() + key[20:]
            if key[14:19] not in ("White", "Black") or not (piece in _kit()["movements"] or _CUSTOM.fullmatch(piece)):
                self._miss(key)
            elif piece in self.letters:
                regions[self.letters[piece]] = self._squares(self._sides(key[:14], key[19:], self.every))
        limits = {word[0]: int(word[2:]) for word in self["promotionLimit"].lower().split() if _LIMIT.fullmatch(word)}
        if not {*limits} <= {*self.kinds} or len(limits) != len(self["promotionLimit"].split()):
            self._miss("promotionLimit")
        return options | {"promotion_within": within, "regions": regions, "promotion_limit": limits}

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
        castler = self["castlingKingPiece"].lower()
        if on and (castler not in self.kinds or (king and castler != king)):
            self._miss("castlingKingPiece")
        other = castler if on and not king else ""
        king = king or castler
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
        return {"royal": self.royal, "castling": on, "castling_rook": rooks if on else "r", "castling_king": other}

    def _write_hands(self) -> dict[str, Any]:
        """Return the options on captures and drops."""
        options: dict[str, Any] = {}
        if self._is("blastOnCapture"):
            options["capture_result"] = "explode with royals"
            if self._letters("pawnTypes") != self.letters.get("pawn", ""):
                self._miss("blastOnCapture")  # spares no others
        if self._is("capturesToHand"):
            if options.get("capture_result"):
                self._miss("blastOnCapture")
            options["capture_result"] = "captor's hand"
        if self._is("pieceDrops"):
            zone = self._sides("dropRegion", usual=self.every)
            first = set() if self._is("firstRankPawnDrops") else self.own_rank
            last = [set(), set()] if self._is("promotionZonePawnDrops") else self._sides("promotionRegion")
            # A pawn is never dropped where it could not move.
            if self._letters("pawnTypes") and last == [set(), set()] and not self._is("immobilityIllegal"):
                self._miss("promotionZonePawnDrops")
            pawn = [squares - first - far for squares, far in zip(zone, last, strict=True)]
            zones = dict.fromkeys(self.kinds, zone) | dict.fromkeys(self._letters("pawnTypes"), pawn)
            limits = {kind: self._squares(sides) for kind, sides in zones.items() if sides != [self.every] * 2}
            # Or there would be none.
            options["drops"] = limits or dict.fromkeys(list(zones)[:1], self._squares([self.every] * 2))
            if not (most := self["dropNoDoubledCount"]).isdecimal():
                self._miss("dropNoDoubledCount")
            elif doubled := self._letters("dropNoDoubled"):
                options["drop_file_limit"] = dict.fromkeys(doubled, int(most))
            if self._is("shogiPawnDropMateIllegal"):
                options["drop_without_mate"] = self.letters.get("shogiPawn", "")
        elif self._is("capturesToHand"):
            self._miss("capturesToHand")
        return options

    def _write_goals(self) -> dict[str, Any]:
        """Return the goals, and what else ends a game."""
        goals: list[str] = []
        flag, own = self._sides("flagRegion"), [self._letters(f"flagPiece{side}") for side in SIDES]
        white, black = (kinds or self._letters("flagPiece") for kinds in own)
        arrive = race if self._is("flagMove") else reach
        if any(flag) and white == black:
            goals.append(arrive(white, self._squares(flag)))
        else:
            pairs = ((white, [flag[0], set()]), (black, [set(), flag[1]]))
            goals += [arrive(kinds, self._squares(sides)) for kinds, sides in pairs if any(sides)]
        if arrive is race and not {*white, *black} <= {*self.royal}:
            self._miss("flagMove")
        if self._is("checkCounting"):
            goals.append(checks(max(self.given.checks or (1,))))
            if not self.royal:
                self._miss("checkCounting")
        kinds, value = self._letters("extinctionPieceTypes"), self["extinctionValue"]
        counts = [self[f"extinction{name}"] for name in ("PieceCount", "OpponentPieceCount", "Claim", "PseudoRoyal")]
        every = "*" in self["extinctionPieceTypes"]
        if value == "loss" and every and counts == ["1", "2", "true", "false"]:
            goals.append(bare())
        elif value in ("win", "loss") and counts[0].isdecimal() and counts[1:] == ["0", "false", "false"]:
            gone, total = (lost_all, "all") if value == "win" else (extinct, kinds)
            goals += [gone(kind, int(counts[0])) for kind in ([total] if every else kinds)]
        elif value != "none" and not self._pseudo_royals():
            self._miss(*(key for key in self.raw if key.startswith("extinction")))
        checking = "any" if self._is("dropChecks") else "by moves"
        return {
            "giving_check": checking if self._is("checking") else "never",
            "goals": goals,
            "kings": "one" if self.royal and self._are_lone(self.royal) else "all",
        }

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

    def _placed(self, side: int) -> str:
        """Return the letters of a side's pieces at the start, in lower case."""
        return "".join(one for one in self.given.plain.split()[0] if one.islower() == bool(side)).lower()

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
    lone = len(terms.royal) == 1 and all(rules.royals(boards).bit_count() <= 1 for boards in state.sides)
    goals: list[object] = []
    for word, kinds, rest in map(split_goal, terms.goals):
        goals.append((word, set(kinds), _squares_by_side(rest, board) if word in ("reach", "race") else rest))
    return {
        "pieces": [{kind: _own_movement(kind, text, rules) for kind, text in army.items()} for army in game.armies],
        "wraps": board.wraps,
        "castling": [
            replace(castle, partner_classes=tuple(sorted(castle.partner_classes)))
            for castle in (*rules.castles[0], *rules.castles[1])
            if castle.right & state.rights
        ],
        "promotion": [promotes and set(one.promotion) for one in sides],
        "promotion_ranks": (promotes or terms.promotion_within) and [rules.promotion_zone(side) for side in (0, 1)],
        "promotion_mandatory": promotes and [one.promotion_mandatory for one in sides],
        "initial_ranks": bool(rules.fresh) and rules.regions != (0, 0) and rules.regions,
        "en_passant": _squares_by_side(passant, board) if isinstance(passant := terms.en_passant, str) else passant,
        "pawns": set(terms.pawns),
        "royal": terms.royal,
        # The format has one king a side: any other number is never the same.
        "kings": (lone and not terms.changes_royals) or not terms.royal or object(),
        "check": terms.check or not terms.royal,
        "goals": goals,
        "drops": extra.drop_zones if extra and extra.has_hands else None,
        **{name: getattr(terms, name) for name in ("stalemate", "capture_result", "move_forced", "promotion_within")},
        **{name: getattr(terms, name) for name in PYTHON_TERMS},
        "regions": {kind: _squares_by_side(text, board) for kind, text in terms.regions},
    }


def _own_movement(kind: str, movement: str, rules: Rules) -> str:
    """Return a movement without castling and double steps, which a definition says in options of its own."""
    text = _CASTLING_STEPS.sub("", movement) if kind in rules.terms.castling_kings else movement
    return text if any(rules.regions or (1,)) else text.replace("ifmnD", "")


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
    double = bool(any(rules.regions or ()) and rules.fresh)
    names[movements["pawn"] + "ifmnD" * double] = "pawn"
    across = board.ranks - (rules.regions or (0,))[0].bit_count() // board.files + 1
    if "fWisW" in game.pieces.values() and rules.regions == tuple(
        rules._zone(side, range(across, board.ranks + 1)) for side in (0, 1)
    ):
        names["fWisW"], raw["soldierPromotionRank"], double = "soldier", across, False
    if double:
        raw |= _region_options("doubleStepRegion", rules.regions or (), board)
    numbers = count(1)
    for kind, movement in game.pieces.items():
        text = _own_movement(kind, movement, rules)
        name = "king" if kind == terms.royal[:1] and not blast else names.pop(text, "")
        name = name or f"customPiece{next(numbers)}"
        raw[name] = kind if movements.get(name) == text or name in ("pawn", "soldier") else f"{kind}:{text}"
        if region := dict(terms.regions).get(kind):
            stem = f"mobilityRegion{name[0].upper()}{name[1:]}"
            raw |= _region_options(stem, _squares_by_side(region, board), board)
    white, black = terms.promotion or "-", (terms.black or terms).promotion or "-"
    raw |= {"promotionPieceTypes": white} if white == black else {
        "promotionPieceTypes": "-", "promotionPieceTypesWhite": white, "promotionPieceTypesBlack": black,
    }  # fmt: skip
    raw |= _region_options("promotionRegion", map(rules.promotion_zone, (0, 1)), board)
    raw |= {
        **{key: getattr(terms, name) for key, name in (_FLAGS | _RESULTS).items()},
        "pawnTypes": terms.pawns or "-", "doubleStep": double, "enPassantRegion": "" if terms.en_passant else "-",
        "promotedPieceType": " ".join(map(":".join, terms.promotion_within)),
        "promotionLimit": " ".join(f"{kind}:{most}" for kind, most in terms.promotion_limit),
        "castling": bool(game._state.rights), "blastOnCapture": blast,
        "checking": terms.giving_check != "never", "dropChecks": terms.giving_check == "any",
    }  # fmt: skip
    if isinstance(terms.en_passant, str) and terms.en_passant:
        raw |= _region_options("enPassantRegion", _squares_by_side(terms.en_passant, board), board)
    if game._state.rights:
        raw |= {"castlingRookPieces": terms.castling_rook, "castlingKingPiece": terms.castling_kings}
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
            "shogiPawnDropMateIllegal": bool(terms.drop_without_mate),
            "dropNoDoubled": "".join(kind for kind, _ in terms.drop_file_limit) or "-",
            "dropNoDoubledCount": max((most for _, most in terms.drop_file_limit), default=1),
        }  # fmt: skip
    if blast and terms.royal:
        raw |= {"extinctionValue": "loss", "extinctionPieceTypes": terms.royal, "extinctionPseudoRoyal": True}
    raw |= _goal_options(terms.goals, game)
    said = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in raw.items()}
    # Options about kinds always: what other programs take for usual goes by kinds of their own.
    usual = {key: value for key, value in _kit()["usual"].items() if not (value and re.search("Piece|pawn", key))}
    return {key: value for key, value in said.items() if value != usual.get(key)}


def _goal_options(goals: Iterable[str], game: Position) -> dict[str, object]:
    """Return the options of goals."""
    raw: dict[str, object] = {}
    for word, kinds, rest in map(split_goal, goals):
        if word in ("reach", "race"):
            raw |= _region_options("flagRegion", _squares_by_side(rest, game.geometry), game.geometry)
            raw |= {"flagPiece": kinds, "flagMove": word == "race"}
        elif word == "checks":
            raw["checkCounting"] = True
        else:
            every = word == "bare" or kinds == "all" or {*kinds} == {*game.pieces}
            gone = "*" if every else f"{raw.get('extinctionPieceTypes', '')}{kinds}"
            raw |= {"extinctionValue": "win" if word == "lost" else "loss", "extinctionPieceTypes": gone}
            raw["extinctionPieceCount"] = rest or 0
            if word == "bare":
                raw |= {"extinctionPieceCount": 1, "extinctionOpponentPieceCount": 2, "extinctionClaim": True}
    return raw
