"""Which names look the same, whatever letters they are written in."""

from __future__ import annotations

import re
import unicodedata

#: Letters of other alphabets, and signs, beside the Latin letter for which they are taken.
_SEEN = {
    "АΑᎪ": "A", "ВΒᏴ": "B", "СᏟϹ": "C", "ЕΕᎬ": "E", "ԌᏀ": "G", "НΗᎻ": "H", "ЈᎫ": "J", "КΚᏦ": "K", "МΜᎷ": "M",
    "Ν": "N", "ОΟՕ0": "O", "РΡᏢ": "P", "Ԛ": "Q", "ЅՏᏚ": "S", "ТΤᎢ": "T", "ՍՄ": "U", "Ꮩ": "V", "ᎳԜ": "W", "ХΧ": "X",
    "ҮΥ": "Y", "ΖᏃ": "Z", "аαɑ": "a", "Ь": "b", "сϲ": "c", "ԁ": "d", "е": "e", "ɡց": "g", "һհ": "h", "іιı": "i",
    "јϳ": "j", "ոո": "n", "оοօ": "o", "рρ": "p", "ԛզ": "q", "ѕ": "s", "սυ": "u", "νѵ": "v", "ԝա": "w", "х": "x",
    "уγү": "y", "IІΙӀӏ1|Ꮮ": "l", "’‘ʼʹ′`´": "'", "‐‑‒–—−": "-",
}  # fmt: skip
_LATIN = str.maketrans({letter: latin for letters, latin in _SEEN.items() for letter in letters})
#: What takes a place in a text and shows nothing there.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def likeness(name: str) -> str:
    """Return what a name looks like; names with the same likeness cannot be told apart on a page.

    Letters in other forms (full width, composed or not) are taken for the plain ones, letters of other alphabets
    for the Latin ones that look the same, every blank for one, and what shows nothing is left out.

    Examples
    --------
    >>> likeness("Аnn") == likeness("Ann"), likeness("Änne") == likeness("Anne")
    (True, False)
    """
    plain = unicodedata.normalize("NFKD", name).translate(_LATIN)
    return " ".join(_UNSEEN.sub("", plain).split())
