"""Functions on texts: what was said, a ruling, a title, a wording; compared as people hear them."""

from __future__ import annotations

from unicodedata import normalize

from nomic_nb.engine.law.confusables import spoken_form
from nomic_nb.engine.law.nodes import View
from nomic_nb.engine.law.values import NUMBER, TEXT, TRUTH, HeardText, Value, value_text
from nomic_nb.engine.law.vocabulary import Function


def _spoken(view: View, text: Value) -> str:
    """Return a text as it is compared with others, empty for none; a long one takes steps."""
    sentence = "" if text is None else str(text)
    view.spend_steps(0, len(sentence) // 8)
    return spoken_form(sentence)


def _part(view: View, text: Value) -> str:
    """Return a text that is looked for in others, with a space wherever it begins or ends with spaces."""
    return _spoken(view, f"x{text or ''}x")[1:-1]


def _count_letters(view: View, text: Value) -> Value:
    """Return how many letters a text has, spaces, digits and signs left out."""
    sentence = str(text or "")
    view.spend_steps(0, len(sentence) // 8)
    return sum(map(str.isalpha, normalize("NFC", sentence)))


def _ends_with(view: View, text: Value, other: Value) -> Value:
    """Tell whether a text ends with another one, with or without its full stop."""
    end, spoken = _part(view, other), _spoken(view, text)
    return spoken.endswith(end) or HeardText(spoken).compared_form.endswith(end)


FUNCTIONS = (
    Function("text", (NUMBER,), TEXT, "a number as text", lambda _, number: value_text(number), traits="alike settled"),
    Function("letters", (TEXT,), NUMBER, "how many letters a text has, without spaces, digits and signs",
             _count_letters, traits="alike settled"),
    Function("begins", (TEXT, TEXT), TRUTH, "whether a text begins with another one, whatever the capitals",
             lambda view, text, other: _spoken(view, text).startswith(_part(view, other)),
             traits="alike settled"),
    Function("ends", (TEXT, TEXT), TRUTH, "whether a text ends with another one, whatever the capitals",
             _ends_with, traits="alike settled"),
    Function("contains", (TEXT, TEXT), TRUTH, "whether a text has another one in it, whatever the capitals",
             lambda view, text, other: _part(view, other) in _spoken(view, text),
             traits="alike settled"),
)  # fmt: skip
