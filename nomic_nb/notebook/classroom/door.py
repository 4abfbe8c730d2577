"""The door of a class: one code for the room, who is let in under which name, and who has to wait for the teacher.

Nothing of it is an act in a game, and nothing of it is in a record.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.confusables import confusable_form, is_invisible
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.players import check_names
from nomic_nb.notebook.classroom.links import LONGEST_LINK, Allowance, hash_secret

#: Digits of the code on the wall; bytes of the key that a QR code has beside it, with which nobody has to wait.
DIGITS, KEY = 6, 9
#: Wrong codes from one address: so many at once, and so many a second afterwards.
WRONG_CODES, WRONG_RATE = 40, 1.0
#: How many come straight in at once, and a second afterwards: a class that scans does not come faster.
STRAIGHT_IN, STRAIGHT_RATE = 40, 2.0
#: How many can wait at the door, and of these from one address; can be in a room.
MOST_WAITING, MOST_WAITING_FROM_ADDRESS, MOST_PUPILS = 40, 20, 100
#: Names from one address that come straight in; once so many phones with passes are connected from it, more do.
MOST_FROM_ADDRESS = 3
#: How often a pupil comes back with their pass at once, and a second afterwards: each time, a new link is stored.
RETURNS, RETURN_RATE = 20, 0.5
#: Letters of a name on a phone; addresses whose wrong codes are remembered.
LONGEST_NICKNAME, MOST_ADDRESSES = 24, 400
#: Names that mean whoever runs the lesson.
TEACHER_NAMES = frozenset(("teacher", "host", "desk", "wall", "class", "nomic"))
#: Signs that quoted texts in rules cannot have: a pupil with one could not enter late or be named in a rule.
UNQUOTABLE = '"\\#'
#: Names shorter than this are too often one letter apart to say so.
SHORTEST_NEAR_NAME = 5
COLOURS = ("red", "blue", "green", "yellow", "orange", "purple", "pink", "brown", "grey", "white", "black", "gold")
ANIMALS = (
    "fox", "owl", "bear", "frog", "cat", "dog", "whale", "bee", "lion", "crab", "duck", "horse", "mouse", "snail",
    "goat", "wolf",
)  # fmt: skip

Json = dict[str, Any]


def folded_name(name: str) -> str:
    """Return a name without what nobody looks at: capitals, accents, blanks and signs, and the alphabet of its letters.

    Examples
    --------
    >>> folded_name("Zoë ") == folded_name("ZOE"), folded_name("Аda") == folded_name("ada")
    (True, True)
    """
    return "".join(letter for letter in confusable_form(confusable_form(name).casefold()) if letter.isalnum())


def is_nearly(name: str, other: str) -> bool:
    """Tell whether two folded names differ by one letter, or by two that have changed places.

    Examples
    --------
    >>> is_nearly("hassan", "hasan"), is_nearly("amelia", "amalia"), is_nearly("nora", "dora")
    (True, True, False)
    """
    if min(len(name), len(other)) < SHORTEST_NEAR_NAME or abs(len(name) - len(other)) > 1:
        return False
    one_less, other_less = (
        {letters, *(letters[:at] + letters[at + 1 :] for at in range(len(letters)))} for letters in (name, other)
    )
    return not one_less.isdisjoint(other_less)


def _fault_of_names(names: list[str]) -> str:
    """Return what is wrong with the names of players; empty if nothing is."""
    try:
        check_names(names)
    except ValueError as error:
        return str(getattr(error, "message", error))
    return ""


def _looks_same(name: str, other: str) -> Message:
    """Return the message that a name looks the same as another."""
    return say("nickname-looks-like", "{name} looks the same as {other}.", name=name, other=other)


def _is_misread(why: str) -> Message:
    """Return the message that a name reads like others, with the reason."""
    return say("name-misread", "{why}.", why=why)


def check_nickname(name: str) -> None:
    """Refuse a name that no pupil can have."""
    if why := _fault_of_names([name]):
        raise IllegalAction("choose-another-name", "choose another name: {why}", why=why)
    if len(name) > LONGEST_NICKNAME:
        raise IllegalAction("nickname-too-long", "a name here can have up to {most} letters", most=LONGEST_NICKNAME)
    if not folded_name(name):
        raise IllegalAction("name-without-letter", "a name needs at least one letter or digit")
    if folded_name(name) in TEACHER_NAMES:
        raise IllegalAction("name-of-the-teacher", "choose another name: your teacher is called that here")
    if sign := next((sign for sign in UNQUOTABLE if sign in name), ""):
        raise IllegalAction("name-not-for-rules", "choose another name: rules can’t use names with “{sign}”", sign=sign)


def check_list(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of a class, tidied; refuse names that no pupil can have, and those that look the same.

    Examples
    --------
    >>> check_list(["Ada ", "", "Ben\u200b"])
    ('Ada', 'Ben')
    """
    listed: dict[str, str] = {}
    for at, text in enumerate(names, 1):
        name = " ".join("".join(letter for letter in text if letter == "\t" or not is_invisible(letter)).split())
        if not name:
            continue
        try:
            check_nickname(name)
            if len(listed) >= MOST_PUPILS:
                raise IllegalAction("list-too-long", "a list can have up to {most} names", most=MOST_PUPILS)
            if other := listed.get(folded_name(name)):
                raise IllegalAction(_looks_same(name, other))
            if why := _fault_of_names([*listed.values(), name]):
                raise IllegalAction(_is_misread(why))
        except IllegalAction as error:
            raise IllegalAction(error.said.embed_in("line {at}, {name}: {message}", at=at, name=name[:40])) from None
        listed[folded_name(name)] = name
    return tuple(listed.values())


def _full_room() -> Message:
    """Return the message that nobody else has a place in the room."""
    return say("room-full", "All {most} places are taken.", most=MOST_PUPILS)


class Phone(Protocol):
    """A phone that is connected to the door."""

    def tell(self, message: Json) -> None:
        """Send it a message."""

    def end(self) -> None:
        """Tell it that its place is another's, and close its connection."""


@dataclass(eq=False)
class Pupil:
    """Somebody in the room, known by a pass whose secret is kept as a hash only."""

    name: str
    sign: str
    address: str
    pass_hash: str = ""
    table: str = ""
    phones: list[Phone] = field(default_factory=list)
    #: Plays without a phone: by a show of hands, or on a computer that is passed round.
    phoneless: bool = False
    returns: Allowance = field(default_factory=lambda: Allowance(RETURNS, RETURN_RATE))

    def renew_pass(self) -> str:
        """Return a new pass; older ones let nobody in any more."""
        secret = secrets.token_urlsafe(16)
        self.pass_hash = hash_secret(secret)
        return secret


@dataclass(eq=False)
class Arrival:
    """Somebody who waits at the door: under which name and sign, and why they are held."""

    id: str
    name: str
    sign: str
    held: tuple[Message, ...]
    phone: Phone
    address: str
    near: str = ""


class Door:
    """The door of a room.

    Parameters
    ----------
    names : sequence of str
        Names to choose from; empty if everybody types their own.
    proxies : sequence of str
        Addresses of proxies, behind which all phones have one address.

    Raises
    ------
    IllegalAction
        One of the names is none that a pupil can have.
    """

    def __init__(self, names: Sequence[str] = (), proxies: Sequence[str] = ()) -> None:
        self.names, self.proxies = check_list(names), frozenset(proxies)
        self.open, self.begun, self.guesses = True, False, 0
        self.pupils: dict[str, Pupil] = {}
        self.arrivals: dict[str, Arrival] = {}
        self.code = self.key = ""
        self._allowed_codes: dict[str, Allowance] = {}
        self._straight_in = Allowance(STRAIGHT_IN, STRAIGHT_RATE)
        #: Called after each change; and, with a function that confirms the place of a pupil, to call it once stored.
        self.on_change: Callable[[], None] = lambda: None
        self.keep: Callable[[Callable[[], None]], None] = lambda then: then()
        self.renew_code()

    # ------------------------------------------------------------------------------------------ the code

    def renew_code(self) -> None:
        """Change the code and the key; whoever is in or waits stays."""
        self.code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
        self.key = secrets.token_urlsafe(KEY)
        self.on_change()

    def check_code(self, said: object, address: str) -> None:
        """Refuse somebody who has neither typed the code nor scanned it with its key, or if the door is closed."""
        text = said if isinstance(said, str) and len(said) <= LONGEST_LINK and said.isascii() else ""
        code, _, key = text.partition(".")
        right = hmac.compare_digest("".join(code.split()), self.code)
        if not (
            right and key and hmac.compare_digest(key, self.key)
        ):  # who has scanned is not held up by others' guesses
            self._count_code(address, right=right and not key)
        self._check_open()

    def _count_code(self, address: str, *, right: bool) -> None:
        """Refuse a typed code that is wrong, or that comes after too many wrong ones from its address."""
        allowed = self._allowed_codes.setdefault(address, Allowance(WRONG_CODES, WRONG_RATE))
        if allowed.seconds_to_next:
            raise IllegalAction(
                "too-many-wrong-codes",
                "too many wrong codes have come from this network. Scan the QR code, or wait a minute",
            )
        if right:
            return
        allowed.try_take()
        self.guesses += 1
        if len(self._allowed_codes) > MOST_ADDRESSES:
            self._allowed_codes = {
                place: allowance for place, allowance in self._allowed_codes.items() if not allowance.is_full
            }
        self.on_change()
        raise IllegalAction("wrong-code", "that’s not the six-digit code on the board")

    def _check_open(self) -> None:
        """Refuse everybody while the door is closed."""
        if not self.open:
            raise IllegalAction("door-closed", "the door is closed. Ask your teacher to open it")

    # ------------------------------------------------------------------------------------------ coming in

    @property
    def _everyone(self) -> list[Pupil | Arrival]:
        """All who are in the room or wait at its door."""
        return [*self.pupils.values(), *self.arrivals.values()]

    @property
    def free_names(self) -> list[str]:
        """The names on the list that nobody has taken."""
        return [name for name in self.names if name not in self.pupils]

    def knock(self, said: object, address: str, phone: Phone) -> Arrival | None:
        """Let somebody in under a name, and return None; if the teacher has to decide, return who waits."""
        self._check_open()
        name = " ".join(said.split()) if isinstance(said, str) else ""
        own = folded_name(name)
        name = next((one for one in self.names if own and folded_name(one) == own), name)  # as it is on the list
        self._check_nickname(name)
        held, near = self._why_held(name)
        if not held and (others := self._names_before(address)):
            held = (
                say(
                    "same-address",
                    "{count} names have come from this network address, so this may be the same phone.",
                    count=others,
                ),
            )
        arrival = Arrival(secrets.token_hex(4), name, self._free_sign(), held, phone, address, near)
        if not held and not self.begun and self._straight_in.try_take():
            self._seat_pupil(arrival, name)
            return None
        waiting = [one.address for one in self.arrivals.values()]
        is_full = address not in self.proxies and waiting.count(address) >= MOST_WAITING_FROM_ADDRESS
        if len(waiting) >= MOST_WAITING or is_full:
            raise IllegalAction("door-crowded", "there’s a crowd at the door. Try again in a minute")
        self.arrivals[arrival.id] = arrival
        teacher = say("waits-for-teacher", "Your teacher can let you in.")
        phone.tell({"waits": arrival.sign, "why": " ".join(map(str, (*held[:1], teacher)))})
        self.on_change()
        return arrival

    def _names_before(self, address: str) -> int:
        """Return how many names have come from an address, if so many that they may be of one phone; 0 otherwise."""
        here = [pupil for pupil in self.pupils.values() if pupil.address == address]
        shared = sum(bool(pupil.phones) for pupil in here) >= MOST_FROM_ADDRESS  # one phone has one pass
        return 0 if address in self.proxies or shared or len(here) < MOST_FROM_ADDRESS else len(here)

    def _check_nickname(self, name: str) -> None:
        """Refuse a name that nobody can have here."""
        if name not in self.pupils:  # those who were let in are known by their names, whatever these are
            check_nickname(name)
        if self.names and name not in self.names and name not in self.pupils:
            raise IllegalAction(
                "name-not-on-list", "this name isn’t on the list. Choose yours, or ask your teacher to add it"
            )

    def _why_held(self, name: str) -> tuple[tuple[Message, ...], str]:
        """Return why the teacher has to decide about a name, and another name that it is nearly the same as."""
        others = dict.fromkeys(one.name for one in self._everyone)
        own, held = folded_name(name), []
        for other in others:
            if other == name:
                held.append(
                    say(
                        "name-on-another-phone",
                        "{name} is already playing on another phone.",
                        name=name,
                    )
                )
            elif folded_name(other) == own:
                held.append(_looks_same(name, other))
        if len(self.pupils) >= MOST_PUPILS:
            held.append(_full_room())
        elif not held and (why := _fault_of_names([*self.pupils, name])):
            held.append(_is_misread(why))
        return tuple(held), next(
            (other for other in others if other != name and is_nearly(own, folded_name(other))), ""
        )

    def _free_sign(self) -> str:
        """Return a sign, such as “pink crab”, that nobody here has if there is one left."""
        taken = {one.sign for one in self._everyone}
        signs = [f"{colour} {animal}" for colour in COLOURS for animal in ANIMALS]
        return secrets.choice([sign for sign in signs if sign not in taken] or signs)

    def _seat_pupil(self, arrival: Arrival, name: str) -> None:
        """Make an arrival a pupil under a name; the phone that had the name before is told and closed."""
        before = self.pupils.get(name)
        pupil = Pupil(
            name, before.sign if before else arrival.sign, arrival.address, table=before.table if before else ""
        )
        self.pupils[name] = pupil
        for phone in before.phones if before else ():
            phone.end()
        pupil.phones.append(arrival.phone)
        told = {"in": name, "sign": pupil.sign, "pass": pupil.renew_pass()}
        self.keep(lambda: arrival.phone.tell(told))
        self.on_change()

    def leave(self, phone: Phone) -> None:
        """Note that a phone is no longer connected: it waits no more, or its pupil is gone for now."""
        self.arrivals = {id: arrival for id, arrival in self.arrivals.items() if arrival.phone is not phone}
        for pupil in self.pupils.values():
            pupil.phones = [other for other in pupil.phones if other is not phone]
        self.on_change()

    def return_with_pass(self, said: object, phone: Phone, address: str = "") -> Pupil:
        """Return the pupil whose pass it is, with this phone added; the time taken does not depend on whose it is."""
        text = said if isinstance(said, str) and len(said) <= LONGEST_LINK and said.isascii() else ""
        hashed = hash_secret(text)
        found = [pupil for pupil in self.pupils.values() if hmac.compare_digest(hashed, pupil.pass_hash)]
        if not found:
            raise IllegalAction("pass-unknown", "this phone isn’t in the class any more. Type the code on the board")
        if not found[0].returns.try_take():
            raise IllegalAction("pass-too-often", "this phone reconnects too often. Wait a moment")
        found[0].phones.append(phone)
        found[0].address = address
        phone.tell({"back": found[0].name, "sign": found[0].sign})
        self.on_change()
        return found[0]

    def add_pupil(self, name: str, table: str) -> None:
        """Add somebody who has a seat in a game already, and no phone here yet."""
        self.pupils[name] = Pupil(name, self._free_sign(), "", table=table)

    def add_phoneless(self, name: str) -> None:
        """Add somebody who plays without a phone; refuse a name that is taken, or that nobody can have here."""
        name = " ".join(name.split())
        self._check_nickname(name)
        if (held := self._why_held(name)[0]) or name in self.pupils:
            raise IllegalAction(held[0])
        self.pupils[name] = Pupil(name, "", "", phoneless=True)
        self.on_change()

    # ------------------------------------------------------------------------------------------ what the teacher does

    def let_in(self, id: str, name: str = "") -> Pupil:
        """Let in somebody who waits, by their own name or another; a pupil who has it moves to this phone."""
        arrival = self.arrivals.get(id)
        if arrival is None:
            raise IllegalAction("nobody-waits", "they’re no longer waiting")
        name = " ".join(name.split()) or arrival.name
        self.check_place(name)
        del self.arrivals[id]
        self._seat_pupil(arrival, name)
        return self.pupils[name]

    def check_place(self, name: str) -> None:
        """Refuse a new pupil for whom there is no place, or whose name nobody could tell from the others'."""
        if name in self.pupils:
            return
        if len(self.pupils) >= MOST_PUPILS:
            raise IllegalAction(_full_room())
        if why := _fault_of_names([*self.pupils, name]):
            raise IllegalAction("let-in-as-another", "{why}. Let them in under another name", why=why)
        check_nickname(name)

    def turn_away(self, ids: Iterable[str]) -> None:
        """Send away those who wait: they can try another name."""
        for id in ids:
            if (arrival := self.arrivals.pop(id, None)) is not None:
                text = say("turned-away", "Your teacher didn’t let you in under this name. Try another one.")
                arrival.phone.tell({"away": str(text)})
        self.on_change()

    def remove(self, name: str) -> None:
        """Take a pupil out of the room; their pass lets nobody in any more."""
        pupil = self.pupils.pop(name, None)
        for phone in pupil.phones if pupil else ():
            phone.end()
        self.on_change()

    @property
    def gone(self) -> list[str]:
        """The names of the pupils who have no phone connected now."""
        return [pupil.name for pupil in self.pupils.values() if not pupil.phones and not pupil.phoneless]

    def to_data(self) -> Json:
        """Return what the teacher sees, as JSON data."""
        return {
            "open": self.open, "begun": self.begun, "guesses": self.guesses, "names": list(self.names),
            "pupils": [
                {"name": pupil.name, "sign": pupil.sign, "here": bool(pupil.phones) or pupil.phoneless,
                 "table": pupil.table}
                for pupil in self.pupils.values()
            ],
            "waiting": [
                {
                    "id": one.id, "name": one.name, "sign": one.sign, "near": one.near,
                    "held": [str(why) for why in one.held],
                }
                for one in self.arrivals.values()
            ],
        }  # fmt: skip
