"""Trees as plain text."""

from __future__ import annotations

from textwrap import dedent
from types import MappingProxyType

from nomic_nb.markup.tree import Child, el
from nomic_nb.markup.writer import Run, Writer

#: Letters of a table, beyond which its rows would be broken.
WIDEST = 100


class PlainText(Writer):
    """Writes a tree as plain text: headings at the margin, ``[-struck out-]`` and ``{+put in+}``.

    Examples
    --------
    >>> print(PlainText().write(el("h4", "The rule"), el("p", el("del", "All"), el("ins", "Most"), " agree.")))
    The rule
      [-All-] {+Most+} agree.
    """

    signs = MappingProxyType({"ins": ("{+", "+}"), "del": ("[-", "-]")})

    def write(self, *shown: Child) -> str:
        """Write trees, what stands below a heading a little to the right."""
        blocks = self.blocks(el("div", *shown))
        return dedent(
            "\n".join(f"{'' if kind == 'heading' else '  '}{line}" for kind, lines in blocks for line in lines)
        )

    def clauses(self, lines: list[list[Run]]) -> list[str]:
        """Write clauses with the signs of what changes."""
        around = {"": ("", ""), **self.signs}
        return ["".join(f"{around[mark][0]}{text}{around[mark][1]}" for mark, text in line) for line in lines]

    def table(self, names: list[str], numbers: list[bool], rows: list[list[str]]) -> list[str]:
        """Write a table, its columns below each other; as a list where they are too wide for that."""
        wide = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
        if sum(wide) > WIDEST:
            named = ([f"{name}: {one}" for name, one in zip(names, row, strict=True) if one] for row in rows)
            return [f"- {'; '.join(row)}" for row in named]
        forms = [f"{'>' if one else '<'}{width}" for one, width in zip(numbers, wide, strict=True)]
        return ["  ".join(map(format, row, forms)).rstrip() for row in (names, *rows)]
