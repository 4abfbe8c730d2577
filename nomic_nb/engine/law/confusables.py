"""Which names look the same, whatever letters they are written in."""

from __future__ import annotations

import re
import unicodedata

#: A Latin letter or a sign, followed by the letters of other alphabets and the signs that look like it.
_LOOKALIKES = (
    "AАΑᎪ BВΒᏴ CСᏟϹ EЕΕᎬ GԌᏀ HНΗᎻ JЈᎫ KКΚᏦ MМΜᎷ NΝ OОΟՕ0 PРΡᏢ QԚ SЅՏᏚ "
    "TТΤᎢ UՍՄ VᏙ WᎳԜ XХΧ YҮΥ ZΖᏃ aаαɑ bЬ cсϲ dԁ eе gɡց hһհ "
    "iіιı jјϳ nոո oоοօ pрρ qԛզ sѕ uսυ vνѵ wԝա xх yуγү lIІΙӀӏ1|Ꮮ '’‘ʼʹ′`´ -‐‑‒–—−"
)
_LATIN = str.maketrans({other: word[0] for word in _LOOKALIKES.split() for other in word[1:]})
#: The same without signs of ASCII: what is said with capitals or small letters, l or 1, stays what it is.
_FOREIGN = {letter: plain for letter, plain in _LATIN.items() if letter > 127}
#: Characters that are invisible in a text, besides control and format characters.
_EMPTY = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\uffa0\ufff0-\ufff8\U0001d159"
_UNSEEN = re.compile(f"[{_EMPTY}\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_INVISIBLE = re.compile(f"[{_EMPTY}]")
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_WORD = re.compile(r"[^\W\d_]+")


def confusable_form(name: str) -> str:
    """Return a normalised name; two names that look the same on a page get the same one.

    Letters in other forms (full width, composed or not) are taken for the plain ones, letters of other alphabets
    for the Latin ones that look the same, every blank for one, and what shows nothing is left out.

    Examples
    --------
    >>> confusable_form("Аnn") == confusable_form("Ann"), confusable_form("Änne") == confusable_form("Anne")
    (True, False)
    """
    return _replace_lookalikes(name, _LATIN)


def spoken_form(text: str) -> str:
    """Return a text as spoken texts are compared: in lower case, with lookalike letters made Latin.

    Examples
    --------
    >>> spoken_form("Rіng") == "ring", spoken_form("1") == spoken_form("l")
    (True, False)
    """
    folded = text.casefold()
    return " ".join(folded.split()) if folded.isascii() else _replace_lookalikes(folded, _FOREIGN)


def _replace_lookalikes(text: str, letters: dict[int, str]) -> str:
    """Return a text with letters replaced as the table `letters` says, and invisible ones dropped."""
    plain = unicodedata.normalize("NFKD", text).translate(letters)
    return " ".join(_UNSEEN.sub("", plain).split())


def is_invisible(letter: str) -> bool:
    """Tell whether a character shows nothing: a control or format character, or an empty filler."""
    if letter.isascii():
        return not letter.isprintable()
    return unicodedata.category(letter) in _INVISIBLE_CATEGORIES or _INVISIBLE.match(letter) is not None


def find_invisible(text: str) -> int | None:
    """Return the index of the first invisible character in a text; None if all are visible."""
    if text.replace("\n", "").replace("\t", "").isprintable() and (text.isascii() or not _INVISIBLE.search(text)):
        return None  # as it mostly is
    return next((at for at, letter in enumerate(text) if letter not in "\n\t" and is_invisible(letter)), None)


def find_lookalike(text: str) -> tuple[int, str, str] | None:
    """Return index, letter and word of the first foreign lookalike letter in a Latin word; else None.

    Returns
    -------
    tuple of (int, str, str) or None
        Its position, the letter, and the word.

    Examples
    --------
    >>> find_lookalike("a rіng, кольцо"), find_lookalike("ring")
    ((3, 'і', 'rіng'), None)
    """
    if text.isascii():
        return None
    for word in _WORD.finditer(text):
        if not word[0].isascii() and any(_is_latin(char) for char in word[0]):
            for at, letter in enumerate(word[0], word.start()):
                if ord(letter) in _FOREIGN and not _is_latin(letter):
                    return at, letter, word[0]
    return None


def _is_latin(letter: str) -> bool:
    """Tell whether a letter belongs to the Latin alphabet or to ASCII."""
    return letter.isascii() or "LATIN" in unicodedata.name(letter, "")
