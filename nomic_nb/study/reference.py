"""The pages about the kit, and what of them is made from the registry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from nomic_nb.engine.errors import NotThere
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.values import with_article
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.words import upper_first

#: Where they are.
DOCS_FOLDER = Path(__file__).parent.parent / "docs"
#: The order in which they are read: three doors, what all need who play, what only some need.
_FIRST_PAGES = ("start", "teacher", "explorer", "author", "writing", "keys", "warnings", "order", "kernel")


@cache
def page_names() -> tuple[str, ...]:
    """Return the names of all pages, in the order in which they are read.

    Examples
    --------
    >>> page_names()[:4]
    ('start', 'teacher', 'explorer', 'author')
    """
    found = [one.stem for one in DOCS_FOLDER.glob("*.md")]
    return (*_FIRST_PAGES, *sorted(set(found).difference(_FIRST_PAGES)))


#: How the page of terms tells of tables.
TABLES_TEXT = (
    "What `track` keeps is read as `price(text)`, `owes(p, q)`, or `p.points` where there is one key that is a thing, "
    "and `game.pot`; `keys(price)` lists the first keys of the entries that are not where they start, in the order in "
    "which they came. Effects write `points of player`, `price(text)` or `owes(p, q)`, and `award 1 pot to game`."
)


#: What stands above the table of warnings.
WARNINGS = """# Warnings of a proposed change

Made from the checks by `nomic-nb docs`; a test keeps it true, and tries each example.

A warning is a hint: it stops nothing. `game.review("Ann", change).warnings` has all that are found, and before a vote
the gravest stand with the proposal, in `game.proposals[301].remarks`. Each has a `code`, a `kind` and its `evidence`,
which has a code and `values` of its own. To switch warnings off, name their codes or kinds:
`game.review("Ann", change, without=["vague", "several-changes"])`, or `game.proposals[301].remarks.without("past")`.

The cost says what a check needs: `read` looks only at the change, `law` asks the law with the change in it, and `try`
adopts it on trial. While you write, only the first two are made. An example is proposed by Ann in a new game of
Discordian Nomic, unless another system stands before it.
"""


def read_page(name: str) -> str:
    """Return a page as Markdown.

    Parameters
    ----------
    name : str
        One of `page_names`.

    Raises
    ------
    KeyError
        There is no such page.

    Examples
    --------
    >>> read_page("kernel").splitlines()[0]
    '# The kernel: what no rule can change'
    """
    if name not in page_names():
        raise NotThere(
            say(
                "no-such-page", "there is no page {page!r}; there are {pages}", page=name, pages=", ".join(page_names())
            )
        )
    return Path(DOCS_FOLDER, f"{name}.md").read_text(encoding="utf-8")


def _markdown_table(head: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    columns = head.split(", ")
    yield f"| {' | '.join(columns)} |"
    yield "|" + " --- |" * len(columns)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "–"


def _clause_and_meaning(clause: type) -> tuple[str, str]:
    """Return how a clause is written, and what it says: the first line of its docstring."""
    form, _, meaning = (clause.__doc__ or "").partition("\n")[0].rstrip(".").rpartition("``: ")
    return f"{form}``".replace("``", "`"), meaning.replace("``", "`")


def writing_page() -> str:
    """Return the page on writing rules with all effects: those that are new on it stand there as they are declared.

    An effect is new where no line of the grammar on the page has the words with which it begins. It gets a line there,
    and a row with its example at the end of the table of effects; both can be worded better by hand.
    """
    text = read_page("writing")
    grammar, rows = (text.partition(one)[2].partition("\n\n")[0] for one in ("\nEFFECTS", "\n| effect |"))
    known = [f" {' '.join(re.findall('[a-z]+', one))} " for one in re.split(r"\n|   +", grammar)]
    new = [
        one
        for one in language().vocabulary.effects.values()
        if not any(f" {' '.join(one.begins)} " in words for words in known)
    ]
    lines = "".join(f"\n  {one.written}" for one in new)
    table = "".join(f"\n| `{' '.join(one.begins)}` | {one.meaning} | `{one.example}` |" for one in new)
    return text.replace(grammar, grammar + lines).replace(rows, rows + table)


def warnings_page() -> str:
    """Write the page of all warnings of a proposed change, from the checks themselves."""
    from nomic_nb.study.review.checks import CHECKS

    parts = ((one, (one.find.__doc__ or "").split("\n\n")) for one in CHECKS)
    rows = (
        (
            f"`{one.code}`", one.kind,
            upper_first(" ".join(about.split()).removeprefix("Warn that ")), " ".join(cure.split()),
            f"`{' '.join(example.split()).removeprefix('Example: ')}`", one.cost,
        )
        for one, (about, cure, example) in parts
    )  # fmt: skip
    return "\n".join([WARNINGS, *_markdown_table("code, kind, it warns that, what to do, example, cost", rows)])


def vocabulary_page() -> str:
    """Write the page of everything that rules can speak of, from the registry itself."""
    words = language().vocabulary
    said_alone = {name for record in words.records.values() for name in record.alone}
    also = "In the value of `set` and `piece`, `otherwise` is what the term would be without the clause."
    sections: list[tuple[str, str, str, Iterable[Sequence[str]]]] = [
        ("Keys: what `set` can set", "", "key, type, meaning, read, known in its clauses", (
            (f"`{one.name}`", str(one.type), one.meaning + (f": {', '.join(one.values)}" if one.values else ""),
             one.reader, _join_names({**one.case, **one.may_know}))
            for one in words.terms.values()
        )),
        ("Clauses", f"One a line; an indented line goes on with the one before. {also}\n\n{TABLES_TEXT}",
         "clause, what it says, example", (
            (*_clause_and_meaning(one), f"`{one.example}`") for one in vars(c).values() if getattr(one, "example", None)
        )),
        ("Effects: what a trigger does", "Several stand one after the other, with `;` between them.",
         "effect, what it does, example", (
            (f"`{one.written}`", one.meaning, f"`{one.example}`") for one in words.effects.values()
        )),
        ("Actions: what `allow` and `forbid` speak of", "",
         "action, meaning, can be owed (`oblige`), known in its clauses", (
            (f"`{one.name}`", one.meaning, "yes" if one.owed else "–", _join_names(one.binds))
            for one in words.actions.values()
        )),
        ("Events: what `on` answers to", "", "event, meaning, known in its clauses", (
            (f"`{one.name}`", one.meaning, _join_names(one.binds)) for one in words.events.values()
        )),
        ("Facts", "", "fact, type, meaning, known where there is", (
            (f"`{one.name}`", str(one.type), one.meaning, _join_names(one.needs))
            for one in words.facts.values() if one.name not in said_alone
        )),
    ]  # fmt: skip
    made = "Made from the registry by `nomic-nb docs`; a test keeps it true."
    lines = ["# What rules can speak of", "", made, ""]
    for title, said, head, rows in sections:
        lines += [f"## {title}", "", *([said, ""] if said else []), *_markdown_table(head, rows)]
    for record in (one for one in words.records.values() if one.fields):
        lines += [f"### Of {with_article(record.name)}: {record.meaning}", ""]
        if record.alone:
            lines += [f"Where `{record.name}` is known, these can be said without it: {_join_names(record.alone)}.", ""]
        fields = ((f"`{one.name}`", str(one.type), one.meaning) for one in record.fields)
        lines += _markdown_table("field, type, meaning", fields)
    functions = words.functions.values()
    calls = ((f"`{one.name}`", ", ".join(map(str, one.parameters)), one.meaning) for one in functions)
    lines += ["## Functions", "", *_markdown_table("function, takes, gives", calls)]
    return "\n".join(lines)
