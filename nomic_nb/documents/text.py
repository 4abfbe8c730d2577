"""Plain text as Markdown: whatever strangers wrote can only become text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from nomic_nb.show.prose import Passage, blocks, redline

#: A dollar sign or a backslash can begin a formula where Markdown is shown with mathematics; in a code span it cannot.
_FORMULA = re.compile(r"[\\$]+")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "`": "&#96;"}
_ESCAPED = frozenset("*_[]#~|@")
#: What a reader could take for an address, and make a link of; keys such as ``win.points`` are none.
_DOMAINS = "aero|asia|biz|com|coop|edu|gov|info|museum|name|net|org|pro|shop|web|xxx"
_ADDRESS = re.compile(rf":(?=//)|(?<=\bwww)\.|(?<=\w)\.(?=(?:{_DOMAINS}|xn--\w+|[^\W\d]{{2}})\b)", re.IGNORECASE)
#: What would begin a list, a heading or a line across.
_START = re.compile(r"(\d{1,9})([.)])|([-+=])")


def inline(text: str) -> str:
    r"""Write a text on one line, so that Markdown shows it as it is.

    Examples
    --------
    >>> inline("*Ann* <b>"), inline("[x](http://y)")
    ('\\*Ann\\* &lt;b&gt;', '\\[x\\](http\\://y)')
    """
    found, at = [], 0
    flat = " ".join(text.split())
    for formula in _FORMULA.finditer(flat):
        found += [_escaped(flat[at : formula.start()]), f"`{formula[0]}`"]
        at = formula.end()
    return "".join([*found, _escaped(flat[at:])])


def _escaped(text: str) -> str:
    text = _ADDRESS.sub(lambda found: f"\\{found[0]}", text)
    return "".join(_ENTITIES.get(one) or (f"\\{one}" if one in _ESCAPED else one) for one in text)


def start(text: str) -> str:
    r"""Write a text so that it can begin a line too.

    Examples
    --------
    >>> start("1. April"), start("- no")
    ('1\\. April', '\\- no')
    """
    written = inline(text)
    found = _START.match(written)
    if found is None:
        return written
    return f"{found[1]}\\{written[found.end(1) :]}" if found[1] else f"\\{written}"


def code(text: str) -> str:
    """Return a text as a span of code, behind a fence longer than any in it.

    Examples
    --------
    >>> code("win.points"), code("a`b")
    ('`win.points`', '`` a`b ``')
    """
    flat = " ".join(text.split())
    if "`" not in flat:
        return f"`{flat}`"
    fence = "`" * (max(len(run) for run in re.findall(r"`+", flat)) + 1)
    return f"{fence} {flat} {fence}"


def fenced(text: str, kind: str = "") -> list[str]:
    """Return a text as lines of a block of code, behind a fence longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{kind}", *text.splitlines(), fence]


def quoted(lines: Iterable[str]) -> list[str]:
    """Return lines as a quotation."""
    return [f"> {line}".rstrip() for line in lines]


def wording(text: str) -> list[str]:
    """Return a wording as lines of Markdown: its paragraphs and its lists.

    Examples
    --------
    >>> wording("Two parts: 1. a vote.")
    ['Two parts: 1. a vote.']
    """
    return passages([Passage(one, (("", one.text),)) for one in blocks(text)])


def wording_redline(old: str, new: str) -> list[str]:
    """Return what a change does to a wording, as lines of Markdown."""
    return passages(redline(blocks(old), blocks(new)))


def passages(found: Sequence[Passage]) -> list[str]:
    """Return passages as lines, what is struck out between ``~~`` and what is put in between ``**``."""
    lines: list[str] = []
    before = ""
    for one in found:
        kind, made = one.block.kind, _runs(one.runs)
        if lines and not (kind == before and kind in ("ul", "ol")):
            lines.append("")
        mark = {"ul": "- ", "ol": f"{one.block.number}. "}.get(kind, "")
        lines.append(f"{mark}{made[0]}")
        for more in made[1:]:
            lines += ["", f"{' ' * len(mark)}{more}"]
        before = kind
    return lines


def _runs(runs: Sequence[tuple[str, str]]) -> list[str]:
    """Return a passage with its marks; as the old one and the new one where marks would not be read as such."""
    marks = {"": "", "del": "~~", "ins": "**"}
    text = ""
    fits = True
    for at, (mark, run) in enumerate(runs):
        core = inline(run)
        if not core:
            continue
        if at and (run[:1].isspace() or runs[at - 1][1][-1:].isspace() or (mark and runs[at - 1][0])):
            text = f"{text.rstrip()} "
        sign = marks[mark]
        after = next((inline(next_run)[:1] for _, next_run in runs[at + 1 :] if inline(next_run)), "")
        spaced = run[-1:].isspace() or (at + 1 < len(runs) and (runs[at + 1][1][:1].isspace() or bool(runs[at + 1][0])))
        if sign:
            fits &= _flanks(text[-1:], core[0]) and _flanks("" if spaced else after, core[-1])
        text += f"{sign}{core}{sign}" if text or sign else start(run)
    if fits:
        return [text]
    old = " ".join("".join(run for mark, run in runs if mark != "ins").split())
    new = " ".join("".join(run for mark, run in runs if mark != "del").split())
    return [f"Before: {inline(old)}", f"After: {inline(new)}"]


def _flanks(outside: str, inside: str) -> bool:
    """Tell whether a mark between the two is read as one (CommonMark, left- and right-flanking)."""
    if inside.isspace():
        return False
    return not _is_sign(inside) or not outside or outside.isspace() or _is_sign(outside)


def _is_sign(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "PS"


def tidy(lines: Iterable[str]) -> str:
    """Join lines, and leave one blank line where there were several; blocks of code stay as they are."""
    kept: list[str] = []
    fence = ""
    for line in lines:
        found = re.match(r"[> ]*(`{3,})", line)
        if found and (not fence or line.endswith(fence)):
            fence = "" if fence else found[1]
        if line.strip() or fence or (kept and kept[-1].strip()):
            kept.append(line)
    return "\n".join(kept).strip("\n") + "\n"
