"""Ready-made rules that are text with places: what can be filled in is told, and what does not fit is refused."""

import inspect

import pytest
from refusals import refused

from nomic_nb import library
from nomic_nb.study.library.ready_made import ReadyMadeRule

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
    made = ReadyMadeRule("fee", TOLD)
    assert made().wording == "every turn the 2nd player gets 1 coin by lot."
    assert made("Toll", 3, coins=4, how="vote").wording == "every 3rd turn the 2nd player gets 4 coins by vote."
    assert made("Toll").title == "Toll every so often"


@pytest.mark.parametrize(
    ("given", "code", "values"),
    [
        ({"name": 'a "b"'}, "label-out-of-form", {"what": "a name", "most": 10}),
        ({"each": 0}, "figure-out-of-range", {"what": "a count", "least": 1, "most": 9}),
        ({"each": True}, "figure-out-of-range", {"found": True}),
        ({"unit": "player"}, "word-out-of-form", {"what": "a currency"}),
        ({"how": "war"}, "not-one-of-these", {"what": "a way", "known": "lot, vote"}),
    ],
)
def test_what_does_not_fit_is_refused(given, code, values):
    with refused(code, ValueError, **values):
        ReadyMadeRule("fee", TOLD)(**given)


@pytest.mark.parametrize(
    ("more", "place", "said"),
    [
        ({"title": None}, {}, "the ready-made rule fee needs about, law, title, wording"),
        ({"wordng": "?"}, {}, "can have amends, places, words; it has .*wordng"),
        ({"title": "{name} of {many}"}, {}, "the ready-made rule fee has nothing called many to fill in"),
        ({"wording": "Every so often."}, {}, "no text of the ready-made rule fee has the places each, place"),
        ({}, {"default": None}, "the place each of the ready-made rule fee needs about, default, what"),
        ({}, {"nmber": [1, 2]}, "can have .*number.*; it has .*nmber"),
        ({}, {"number": None}, "the place each of the ready-made rule fee can take one of number, text"),
        ({}, {"number": None, "chess": "knd"}, "for chess, one of kind, "),
    ],
)
def test_a_rule_that_is_not_whole_says_what_it_lacks(more, place, said):
    def changed(table, changes):
        return {name: one for name, one in {**table, **changes}.items() if one is not None}

    each = changed(TOLD["places"]["each"], place)
    told = changed({**TOLD, "places": {**TOLD["places"], "each": each}}, more)
    with pytest.raises(TypeError, match=said):
        ReadyMadeRule("fee", told)()


def test_a_form_can_be_made_of_the_places():
    (tax,) = (one for one in library.catalogue if one.name == "tax")
    (place,) = tax.places
    assert (place.name, place.number, place.default) == ("of_every", (2, 1000), 10)
    assert place.accepted_values_text == "from 2 to 1000"
    assert str(inspect.signature(tax.make)).startswith("(of_every: int = 10)")
    with refused("wrong-arguments", TypeError, found="not points"):
        library.tax(points=3)
    with refused("name-not-there", AttributeError, name="'taxes'", near="tax or teams"):
        _ = library.taxes
