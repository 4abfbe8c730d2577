"""Ready-made rules that are text with places: what can be filled in is told, and what does not fit is refused."""

import inspect

import pytest

from nomic_nb import library
from nomic_nb.study.library.ready_made import ReadyMade

TOLD = {
    "about": "Pay for a word.",
    "title": "{name} every so often",
    "wording": "{each:every turn} the {place:ordinal} player gets {coins:coin} by {how}.",
    "law": "track {unit} per player from 0",
    "places": {
        "name": {"text": 10, "default": "A fee", "what": "a name", "about": "its name"},
        "each": {"number": [1, 9], "default": 1, "what": "a count", "about": "how often"},
        "place": {"number": [1, 9], "default": 2, "what": "a place", "about": "whose"},
        "coins": {"number": [1, 9], "default": 1, "what": "a sum", "about": "how much"},
        "unit": {"counter": True, "default": "shells", "what": "a currency", "about": "in what"},
        "how": {"one_of": ["lot", "vote"], "default": "lot", "what": "a way", "about": "how it is found"},
    },
}


def test_places_are_written_with_their_nouns():
    made = ReadyMade("fee", TOLD)
    assert made().wording == "every turn the 2nd player gets 1 coin by lot."
    assert made("Toll", 3, coins=4, how="vote").wording == "every 3rd turn the 2nd player gets 4 coins by vote."
    assert made("Toll").title == "Toll every so often"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": 'a "b"'}, "a name has 1 to 10 letters"),
        ({"each": 0}, "a count is a whole number from 1 to 9"),
        ({"each": True}, "found True"),
        ({"unit": "player"}, "a currency is a word in small letters that means nothing yet"),
        ({"how": "war"}, "a way is one of lot, vote"),
    ],
)
def test_what_does_not_fit_is_refused(given, said):
    with pytest.raises(ValueError, match=said):
        ReadyMade("fee", TOLD)(**given)


@pytest.mark.parametrize(
    ("more", "place", "said"),
    [
        ({"title": None}, {}, "the ready-made rule fee needs about, law, title, wording"),
        ({"wordng": "?"}, {}, "can have amends, places; it has .*wordng"),
        ({"title": "{name} of {many}"}, {}, "the ready-made rule fee has no place many"),
        ({"wording": "Every so often."}, {}, "no text of the ready-made rule fee has the places each, place"),
        ({}, {"default": None}, "the place each of the ready-made rule fee needs about, default, what"),
        ({}, {"nmber": [1, 2]}, "can have .*number.*; it has .*nmber"),
        ({}, {"number": None}, "the place each of the ready-made rule fee takes one of number, text"),
        ({}, {"number": None, "chess": "knd"}, "of chess, one of kind, "),
    ],
)
def test_a_rule_that_is_not_whole_says_what_it_lacks(more, place, said):
    def changed(table, changes):
        return {name: one for name, one in {**table, **changes}.items() if one is not None}

    each = changed(TOLD["places"]["each"], place)
    told = changed({**TOLD, "places": {**TOLD["places"], "each": each}}, more)
    with pytest.raises(TypeError, match=said):
        ReadyMade("fee", told)()


def test_a_form_can_be_made_of_the_places():
    (tax,) = (one for one in library.catalogue if one.name == "tax")
    (place,) = tax.places
    assert (place.name, place.number, place.default) == ("of_every", (2, 1000), 10)
    assert place.takes == "from 2 to 1000"
    assert str(inspect.signature(tax.make)).startswith("(of_every: int = 10)")
    with pytest.raises(TypeError, match="points"):
        library.tax(points=3)
    with pytest.raises(AttributeError, match="has no 'taxes'; did you mean tax"):
        _ = library.taxes
