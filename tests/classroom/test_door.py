"""The door of a class: codes, names, who waits and why."""

from __future__ import annotations

import string
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from refusals import refused

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.notebook.classroom import door as doors
from nomic_nb.notebook.classroom import links
from nomic_nb.notebook.classroom.door import Door, folded_name, is_nearly


class Phone:
    """A phone at the door, and what it was told."""

    def __init__(self):
        self.told, self.ended = [], False

    def tell(self, message):
        self.told.append(message)

    def end(self):
        self.ended = True


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is set forward."""

    class Clock:
        now = 1000.0

        def monotonic(self):
            return self.now

    made = Clock()
    monkeypatch.setattr(links, "time", made)
    return made


@pytest.fixture
def door(clock):
    return Door()


def join(door, name, address="10.0.0.1", fresh=True):
    """Knock under a name, each from a phone with an address of its own; return the phone and who waits."""
    phone = Phone()
    address = f"10.0.1.{len(door.pupils) + len(door.arrivals)}" if fresh else address
    return phone, door.knock(name, address, phone)


def other_code(door):
    return f"{(int(door.code) + 1) % 10**doors.DIGITS:0{doors.DIGITS}}"


def test_the_code_on_the_wall_and_the_scanned_one_open_the_door(door):
    for said in (door.code, f"{door.code[:3]} {door.code[3:]}", f"{door.code}.{door.key}"):
        door.check_code(said, "10.0.0.1")
    assert door.guesses == 0


@pytest.mark.parametrize("said", [None, 482913, "", "12345", "x" * 10_000, "４８２９１３", {"code": 1}, "............"])
def test_nothing_else_does(door, said):
    with refused("wrong-code", IllegalAction):
        door.check_code(said, "10.0.0.1")


def test_a_right_code_with_a_wrong_key_is_a_guess(door):
    with refused("wrong-code"):
        door.check_code(f"{door.code}.{'A' * len(door.key)}", "10.0.0.1")
    assert door.guesses == 1


def test_guessing_is_bounded_by_address_and_hinders_nobody_who_scans(door, clock):
    for _ in range(doors.WRONG_CODES):
        with refused("wrong-code"):
            door.check_code(other_code(door), "10.0.0.9")
    for said in (other_code(door), door.code):  # the right one, too: or trying on would pay
        with refused("too-many-wrong-codes"):
            door.check_code(said, "10.0.0.9")
    door.check_code(f"{door.code}.{door.key}", "10.0.0.9")
    door.check_code(door.code, "10.0.0.1")
    clock.now += 10
    for _ in range(10):
        with refused("wrong-code"):
            door.check_code(other_code(door), "10.0.0.9")
    with refused("too-many-wrong-codes"):
        door.check_code(other_code(door), "10.0.0.9")
    assert door.guesses == doors.WRONG_CODES + 10


def test_addresses_of_guessers_are_not_kept_for_ever(door, clock):
    for at in range(3 * doors.MOST_ADDRESSES):
        clock.now += 2
        with refused("wrong-code"):
            door.check_code("000000" if door.code != "000000" else "1", f"10.{at // 256}.{at % 256}.1")
    assert len(door._allowed_codes) <= doors.MOST_ADDRESSES + 1


def test_a_new_code_ends_the_old_one_and_disconnects_nobody(door):
    code, key = door.code, door.key
    phone, _ = join(door, "Ada")
    while door.code == code:
        door.renew_code()
    for said in (code, f"{code}.{key}"):
        with refused("wrong-code"):
            door.check_code(said, "10.0.0.1")
    assert not phone.ended
    assert "Ada" in door.pupils


def test_a_closed_door_lets_nobody_in_and_tells_only_who_has_the_code(door):
    door.open = False
    with refused("door-closed"):
        door.check_code(door.code, "10.0.0.1")
    with refused("wrong-code"):
        door.check_code(other_code(door), "10.0.0.1")
    with refused("door-closed"):
        join(door, "Ada")


def test_a_name_that_stands_out_goes_straight_in(door):
    phone, waits = join(door, "  Ada   Lovelace ")
    (told,) = phone.told
    assert waits is None
    assert told["in"] == "Ada Lovelace"
    assert told["sign"] == door.pupils["Ada Lovelace"].sign
    assert len(told["sign"].split()) == 2
    assert told["pass"] not in str(vars(door.pupils["Ada Lovelace"]))  # only its hash is kept


@pytest.mark.parametrize("name", ["Ada", "ada", "ADA", "A d a", "АԁА", "ａｄａ", "Ada.", "Adá"])
def test_a_name_that_looks_the_same_waits_for_the_teacher(door, name):
    join(door, "Ada")
    phone, waits = join(door, name)
    assert waits is not None
    assert phone.told == [{"waits": waits.sign, "why": f"{waits.held[0]} Your teacher can let you in."}]
    door.let_in(waits.id, "Ada B")
    assert phone.told[-1]["in"] == "Ada B"
    assert set(door.pupils) == {"Ada", "Ada B"}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "choose-another-name"),
        ("   ", "choose-another-name"),
        (None, "choose-another-name"),
        (["Ada"], "choose-another-name"),
        ("nobody", "choose-another-name"),
        ("a,b", "choose-another-name"),
        ("A\u200bda", "choose-another-name"),
        ("\u3164", "choose-another-name"),
        ("x" * 25, "nickname-too-long"),
        ("x" * 5000, "choose-another-name"),
        ("Teacher", "name-of-the-teacher"),
        ("HOST", "name-of-the-teacher"),
        ("Ｔｅａｃｈｅｒ", "name-of-the-teacher"),
        ("!!!", "name-without-letter"),
        ("🦊", "name-without-letter"),
    ],
)
def test_a_name_that_nobody_can_have_is_refused(door, name, code):
    with refused(code, IllegalAction):
        join(door, name)
    assert not door.pupils
    assert not door.arrivals


@examples(60)
@given(st.one_of(st.text(), st.integers(), st.lists(st.text()), st.none(), st.binary()))
def test_whatever_strangers_say_is_refused_or_a_name(said):
    door = Door()
    for ask in (lambda: door.check_code(said, "10.0.0.1"), lambda: door.knock(said, "10.0.0.1", Phone())):
        with suppress(IllegalAction):
            ask()
    for name in door.pupils:
        assert name == " ".join(name.split())
        assert 0 < len(name) <= doors.LONGEST_NICKNAME


def test_names_one_letter_apart_are_let_in_and_marked_only_for_the_teacher(door):
    join(door, "Hassan")
    phone, waits = join(door, "Hasan")
    assert waits is None
    assert phone.told[0]["in"] == "Hasan"


@examples(100)
@given(st.text(string.ascii_lowercase, min_size=5, max_size=12), st.data())
def test_one_slip_of_the_finger_is_nearly_the_same(name, data):
    at = data.draw(st.integers(0, len(name) - 1))
    letter = data.draw(st.sampled_from(string.ascii_lowercase))
    swapped = name[:at] + name[at : at + 2][::-1] + name[at + 2 :]
    for slip in (name[:at] + letter + name[at + 1 :], name[:at] + letter + name[at:], swapped):
        assert is_nearly(name, slip)
        assert is_nearly(slip, name)
    assert not is_nearly(name, name + "qz")


def test_thirty_ordinary_names_hold_nobody_up(door):
    names = "Nora Ben Ada Mia Noah Liam Emma Olga Ivan Lea Kim Tom Tim Jan Jana Anna Hannah Max Ella Elli Sara Sarah"
    names = [*names.split(), "Leo", "Lena", "Paul", "Paula", "Finn", "Ida", "Hugo", "Zoe"]
    assert [join(door, name)[1] for name in names] == [None] * 30
    assert len({pupil.sign for pupil in door.pupils.values()}) == 30


def test_more_than_a_class_scanning_waits(door, clock):
    held = [join(door, f"Bot {at}")[1] for at in range(doors.STRAIGHT_IN + 5)]
    assert [waits is None for waits in held] == [True] * doors.STRAIGHT_IN + [False] * 5
    clock.now += 1
    assert join(door, "Nora")[1] is None


def test_the_door_holds_so_many_and_no_more(door):
    door.begun = True  # now everybody waits for the teacher
    for at in range(doors.MOST_WAITING):
        assert join(door, f"Bot {at}")[1] is not None
    with refused("door-crowded"):
        join(door, "Nora")
    door.turn_away(list(door.arrivals))
    assert join(door, "Nora")[1] is not None


def test_a_room_has_so_many_places(door, monkeypatch):
    monkeypatch.setattr(doors, "MOST_PUPILS", 2)
    join(door, "Ada")
    join(door, "Ben")
    _, waits = join(door, "Cleo")
    assert "2 places" in str(waits.held[0])
    with refused("room-full"):
        door.let_in(waits.id)
    door.remove("Ada")
    assert door.let_in(waits.id).name == "Cleo"


def test_a_phone_that_may_have_three_names_waits_with_a_fourth_unless_a_proxy_stands_before_it(clock):
    door = Door(proxies=["10.0.0.1"])
    for at in range(doors.MOST_FROM_ADDRESS):
        phone, _ = join(door, f"Ada {at}", "10.0.0.2", fresh=False)
        door.leave(phone)
    phone, waits = join(door, "Ada 3", "10.0.0.2", fresh=False)
    assert waits.held[0].code == "same-address"
    assert phone.told[-1]["why"].startswith("3 names have come from this network address")
    assert door.let_in(waits.id).name == "Ada 3"
    for at in range(doors.MOST_FROM_ADDRESS + 2):
        join(door, f"Ben {at}", "10.0.0.1", fresh=False)


def test_a_class_behind_one_address_is_let_in_once_several_phones_are_connected_from_there(door):
    phones = [join(door, f"Ada {at}", fresh=False)[0] for at in range(30)]
    assert len(door.pupils) == 30
    for phone in phones[2:]:
        door.leave(phone)
    assert join(door, "Ben", fresh=False)[1] is not None
    door.return_with_pass(phones[5].told[0]["pass"], Phone(), "10.0.0.1")
    assert join(door, "Cleo", fresh=False)[1] is None


def test_phones_that_come_back_by_a_pass_after_a_restart_tell_that_an_address_is_shared(door):
    passes = [join(door, f"Ada {at}")[0].told[0]["pass"] for at in range(3)]
    for pupil in door.pupils.values():
        pupil.phones, pupil.address = [], ""
    for one in passes:
        door.return_with_pass(one, Phone(), "10.0.0.1")
    assert join(door, "Ben", fresh=False)[1] is None


def test_one_address_cannot_fill_the_door(door):
    door.begun = True
    for at in range(doors.MOST_WAITING_FROM_ADDRESS):
        assert join(door, f"Bot {at}", fresh=False)[1] is not None
    with refused("door-crowded"):
        join(door, "Bot", fresh=False)
    assert join(door, "Nora")[1] is not None


def test_a_list_of_names_offers_those_that_are_free(clock):
    door = Door(names=["Ada", "Ben"])
    with refused("name-not-on-list"):
        join(door, "Cleo")
    join(door, "Ada")
    assert door.free_names == ["Ben"]


def test_a_pass_brings_a_phone_back_and_a_new_one_ends_it(door):
    first, _ = join(door, "Ada")
    door.leave(first)
    assert door.gone == ["Ada"]
    again = Phone()
    assert door.return_with_pass(first.told[0]["pass"], again).name == "Ada"
    assert door.gone == []
    second, waits = join(door, "Ada")
    sign = door.pupils["Ada"].sign
    door.let_in(waits.id)
    assert again.ended
    assert second.told[-1] | {"pass": ""} == {"in": "Ada", "sign": sign, "pass": ""}
    with refused("pass-unknown"):
        door.return_with_pass(first.told[0]["pass"], Phone())
    door.return_with_pass(second.told[-1]["pass"], Phone())


@pytest.mark.parametrize("said", [None, "", "x", "é" * 20, "x" * 10_000, 7])
def test_a_forged_pass_opens_nothing(door, said):
    join(door, "Ada")
    with refused("pass-unknown"):
        door.return_with_pass(said, Phone())


def test_whoever_is_removed_is_told_and_has_no_pass_any_more(door):
    phone, _ = join(door, "Ada")
    door.remove("Ada")
    door.remove("Ada")
    assert phone.ended
    with refused("pass-unknown"):
        door.return_with_pass(phone.told[0]["pass"], Phone())


def test_who_stops_waiting_is_waited_for_no_more(door):
    door.begun = True
    phone, waits = join(door, "Ada")
    door.leave(phone)
    with refused("nobody-waits"):
        door.let_in(waits.id)


def test_a_name_that_looks_the_same_is_not_given_by_the_teacher_either(door):
    join(door, "Ada")
    _, waits = join(door, "ada")
    with refused("let-in-as-another"):
        door.let_in(waits.id, "Аda")
    assert waits.id in door.arrivals


@pytest.mark.parametrize("names", [("Ada", "Ada & Bo"), ("Ada & Bo", "Ada"), ("Bo", "Cleo and Bo")])
def test_a_name_that_reads_like_several_pupils_waits_so_that_play_can_begin(door, names):
    """Otherwise one pupil could keep all the others from beginning."""
    join(door, names[0])
    _, waits = join(door, names[1])
    assert "several" in str(waits.held[0])
    with refused("let-in-as-another"):
        door.let_in(waits.id)
    assert set(door.pupils) == {names[0]}


def test_a_lesson_with_more_players_than_signs_goes_on(door):
    for at in range(len(doors.COLOURS) * len(doors.ANIMALS) + 3):
        door.add_pupil(f"Kid {at}", "table 1")
    assert all(pupil.sign for pupil in door.pupils.values())


def test_the_teacher_sees_why_somebody_waits(door):
    join(door, "Hassan")
    join(door, "Hassan")
    door.begun = True
    join(door, "Hasan")
    seen = door.to_data()
    assert [(one["name"], one["near"]) for one in seen["waiting"]] == [("Hassan", ""), ("Hasan", "Hassan")]
    assert "another phone" in seen["waiting"][0]["held"][0]
    assert seen["pupils"][0]["here"]


@examples(60)
@given(st.text(max_size=12))
def test_folding_twice_changes_nothing(name):
    assert folded_name(folded_name(name)) == folded_name(name)


def test_a_pass_that_is_shown_again_and_again_has_to_wait(door, clock):
    ada, ben = (join(door, name)[0].told[-1]["pass"] for name in ("Ada", "Ben"))
    for _ in range(doors.RETURNS):
        door.return_with_pass(ada, Phone())
    with refused("pass-too-often"):
        door.return_with_pass(ada, Phone())
    assert door.return_with_pass(ben, Phone()).name == "Ben"
    clock.now += 1 / doors.RETURN_RATE
    assert door.return_with_pass(ada, Phone()).name == "Ada"
