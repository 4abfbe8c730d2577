"""The pages about the kit, and the table of terms, which is made from the registry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from nomic_nb.errors import NotThere
from nomic_nb.law import clauses as c
from nomic_nb.law.happening import Case
from nomic_nb.law.values import with_article
from nomic_nb.play.vocabulary import language

#: The order in which they are read: three doors, what all need who play, what only some need.
_FIRST = ("start", "teacher", "explorer", "author", "writing", "keys", "order", "kernel")


@cache
def pages() -> tuple[str, ...]:
    """Return the names of all pages, in the order in which they are read.

    Examples
    --------
    >>> pages()[:4]
    ('start', 'teacher', 'explorer', 'author')
    """
    found = [one.name.removesuffix(".md") for one in files("nomic_nb.docs").iterdir() if one.name.endswith(".md")]
    return (*_FIRST, *sorted(set(found).difference(_FIRST)))


#: How the page of terms tells of tables.
TABLES = (
    "What `track` keeps is read as `price(text)`, `owes(p, q)`, or `p.points` where there is one key that is a thing, "
    "and `game.pot`; `keys(price)` lists the first keys of the entries that are not where they start, in the order in "
    "which they came. Effects write `points of player`, `price(text)` or `owes(p, q)`, and `award 1 pot to game`."
)


def page(name: str) -> str:
    """Return a page as Markdown.

    Parameters
    ----------
    name : str
        One of `pages`.

    Raises
    ------
    KeyError
        There is no such page.

    Examples
    --------
    >>> page("kernel").splitlines()[0]
    '# The kernel: what no rule can change'
    """
    if name not in pages():
        raise NotThere(f"there is no page {name!r}; there are {', '.join(pages())}")
    return files("nomic_nb.docs").joinpath(f"{name}.md").read_text(encoding="utf-8")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


def _case(case: Case) -> str:
    return ", ".join(f"`{name}`" for name in case) or "–"


def _said(clause: type) -> tuple[str, str]:
    """Return how a clause is written, and what it says: the first line of its docstring."""
    form, _, meaning = (clause.__doc__ or "").partition("\n")[0].rstrip(".").rpartition("``: ")
    return f"{form}``".replace("``", "`"), meaning.replace("``", "`")


def vocabulary_page() -> str:
    """Write the page of everything that rules can speak of, from the registry itself."""
    words = language().vocabulary
    lines = [
        "# What rules can speak of",
        "",
        "Made from the registry by `python -m nomic_nb.docs`; a test keeps it true.",
        "",
        "## Keys: what `set` can set",
        "",
    ]
    keys = [one for one in words.keys.values() if not one.name.startswith("may.")]
    rows = [
        [f"`{one.name}`", str(one.type), one.meaning + (f": {', '.join(one.values)}" if one.values else ""),
         one.reader, _case({**one.case, **one.may_know})]
        for one in keys
    ]  # fmt: skip
    lines += _table(("key", "type", "meaning", "read", "known in its clauses"), rows)
    also = "In the value of `set` and `piece`, `otherwise` is what the term would be without the clause."
    lines += ["## Clauses", "", f"One a line; an indented line goes on with the one before. {also}", ""]
    lines += [TABLES, ""]
    clauses = [[*_said(one), f"`{one.example}`"] for one in vars(c).values() if getattr(one, "example", None)]
    lines += _table(("clause", "what it says", "example"), clauses)
    lines += ["## Effects: what a trigger does", "", "Several stand one after the other, with `;` between them.", ""]
    effects = [[f"`{one.written}`", one.meaning, f"`{one.example}`"] for one in words.effects.values()]
    lines += _table(("effect", "what it does", "example"), effects)
    lines += ["## Actions: what `allow` and `forbid` speak of", ""]
    acts = [
        [f"`{one.name}`", one.meaning, "yes" if one.owed else "–", _case(one.binds)] for one in words.actions.values()
    ]
    lines += _table(("action", "meaning", "can be owed (`oblige`)", "known in its clauses"), acts)
    lines += ["## Events: what `on` answers to", ""]
    lines += _table(
        ("event", "meaning", "known in its clauses"),
        [[f"`{one.name}`", one.meaning, _case(one.binds)] for one in words.events.values()],
    )
    lines += ["## Facts", ""]
    said_alone = {name for record in words.records.values() for name in record.alone}
    facts = [[f"`{one.name}`", str(one.type), one.meaning, ", ".join(f"`{need}`" for need in one.needs) or "–"]
             for one in words.facts.values() if one.name not in said_alone]  # fmt: skip
    lines += _table(("fact", "type", "meaning", "known where there is"), facts)
    for record in words.records.values():
        if not record.fields:
            continue
        lines += [f"### Of {with_article(record.name)}: {record.meaning}", ""]
        if record.alone:
            which = ", ".join(f"`{name}`" for name in record.alone)
            lines += [f"Where `{record.name}` is known, these can be said without it: {which}.", ""]
        lines += _table(
            ("field", "type", "meaning"), [[f"`{one.name}`", str(one.type), one.meaning] for one in record.fields]
        )
    lines += ["## Functions", ""]
    functions = [
        [f"`{one.name}`", ", ".join(str(kind) for kind in one.parameters), one.meaning]
        for one in words.functions.values()
    ]
    lines += _table(("function", "takes", "gives"), functions)
    return "\n".join(lines)
