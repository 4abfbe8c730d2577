"""Which names look the same, whatever letters they are written in."""

from __future__ import annotations

import re
import unicodedata

#: A Latin letter or a sign, and behind it letters of other alphabets, and signs, that are taken for it.
_SEEN = (
    "AАΑᎪ BВΒᏴ CСᏟϹ EЕΕᎬ GԌᏀ HНΗᎻ JЈᎫ KКΚᏦ MМΜᎷ NΝ OОΟՕ0 PРΡᏢ QԚ SЅՏᏚ "
    "TТΤᎢ UՍՄ VᏙ WᎳԜ XХΧ YҮΥ ZΖᏃ aаαɑ bЬ cсϲ dԁ eе gɡց hһհ "
    "iіιı jјϳ nոո oоοօ pрρ qԛզ sѕ uսυ vνѵ wԝա xх yуγү lIІΙӀӏ1|Ꮮ '’‘ʼʹ′`´ -‐‑‒–—−"
)
_LATIN = str.maketrans({other: word[0] for word in _SEEN.split() for other in word[1:]})
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
