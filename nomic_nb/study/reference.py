"""The pages about the kit, and what of them is made from the registry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from nomic_nb.engine.errors import NotThere
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.values import with_article
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import known_rulesets
from nomic_nb.engine.words import upper_first

#: Where they are.
DOCS_FOLDER = Path(__file__).parent.parent / "docs"
#: The order in which they are read: three doors, what all need who play, what only some need.
_FIRST_PAGES = ("start", "teacher", "explorer", "author", "cells", "writing", "keys", "warnings", "order", "kernel")


@cache
def page_names() -> tuple[str, ...]:
    """Return the names of all documentation pages, in reading order.

    Examples
    --------
    >>> page_names()[:4]
    ('start', 'teacher', 'explorer', 'author')
    """
    stems = [path.stem for path in DOCS_FOLDER.glob("*.md")]
    return (*_FIRST_PAGES, *sorted(set(stems).difference(_FIRST_PAGES)))


#: How the page of terms tells of tables.
TABLES_TEXT = (
    "A table made by `track` is read as `price(text)`, `owes(p, q)`, or `p.points` if it has one key that is a thing, "
    "and `game.pot`. `keys(price)` lists the first keys of the entries that no longer have their starting value, "
    "in the order in which they were added. In effects, write `points of player`, `price(text)` or `owes(p, q)`, "
    "and `award 1 pot to game`."
)


#: What stands above the table of warnings.
WARNINGS = """# Warnings of a proposed change

Generated from the checks by `nomic-nb docs`; a test keeps it up to date, and tries each example.

A warning is a hint: it blocks nothing. `game.review("Ann", change).warnings` lists everything found. Before a vote the
most serious warnings are shown with the proposal, in `game.proposals[301].remarks`. Each has a `code`, a `kind` and its
`evidence`, which has its own code and `values`. To switch warnings off, name their codes or kinds:
`game.review("Ann", change, without=["vague", "several-changes"])`, or `game.proposals[301].remarks.without("past")`.
`loophole` is no check, so it is not in the table: a search found it. See [Loopholes and dead ends](loopholes.md).

The cost says what a check needs: `read` looks only at the change, `law` looks up the rules with the change in them, and
`try` adopts the change on trial. While you write, only the first two kinds are run. Each example is proposed by Ann in
a new game of Discordian Nomic, unless the name of another system comes before it.
"""


def read_page(name: str) -> str:
    """Return a documentation page, or the rules of a game that comes with the kit, as Markdown.

    Parameters
    ----------
    name : str
        One of `page_names`, or the name of a rule set.

    Raises
    ------
    KeyError
        There is no such page.

    Examples
    --------
    >>> read_page("kernel").splitlines()[0]
    '# The kernel: what no rule can change'
    """
    if name in known_rulesets():
        return next(DOCS_FOLDER.parent.glob(f"*/rulesets/{name}.md")).read_text(encoding="utf-8")
    if name not in page_names():
        raise NotThere(
            "no-such-page", "there is no page {page!r}; there are {pages}", page=name, pages=", ".join(page_names())
        )
    return Path(DOCS_FOLDER, f"{name}.md").read_text(encoding="utf-8")


def _markdown_table(head: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table, and an empty one; `head` has the column names, joined by commas."""
    columns = head.split(", ")
    yield f"| {' | '.join(columns)} |"
    yield "|" + " --- |" * len(columns)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


def _join_code_names(names: Iterable[str]) -> str:
    """Return names in backticks, joined by commas; a dash if there are none."""
    return ", ".join(f"`{name}`" for name in names) or "–"


def _clause_and_meaning(clause: type) -> tuple[str, str]:
    """Return the syntax and the meaning of a kind of clause, both from the first docstring line of its class."""
    form, _, meaning = (clause.__doc__ or "").partition("\n")[0].rstrip(".").rpartition("``: ")
    return f"{form}``".replace("``", "`"), meaning.replace("``", "`")


def writing_page() -> str:
    """Return the Markdown page on writing rules, with a line and a table row added for each effect that the page lacks.

    An effect is new where no line of the grammar on the page has the words with which it begins. It gets a line there,
    and a row with its example at the end of the table of effects; both can be worded better by hand.
    """
    text = read_page("writing")
    grammar, rows = (text.partition(heading)[2].partition("\n\n")[0] for heading in ("\nEFFECTS", "\n| effect |"))
    known = [f" {' '.join(re.findall('[a-z]+', line))} " for line in re.split(r"\n|   +", grammar)]
    new = [
        form
        for form in language().vocabulary.effects.values()
        if not any(f" {' '.join(form.leading_words)} " in words for words in known)
    ]
    lines = "".join(f"\n  {form.readable_pattern}" for form in new)
    table = "".join(f"\n| `{' '.join(form.leading_words)}` | {form.meaning} | `{form.example}` |" for form in new)
    return text.replace(grammar, grammar + lines).replace(rows, rows + table)


def warnings_page() -> str:
    """Return the Markdown page that lists all warnings, made from the docstrings of the checks."""
    from nomic_nb.study.review.checks import CHECKS

    parts = ((check, (check.find.__doc__ or "").split("\n\n")) for check in CHECKS)
    rows = (
        (
            f"`{check.code}`", check.kind,
            upper_first(" ".join(about.split()).removeprefix("Warn that ")), " ".join(cure.split()),
            f"`{' '.join(example.split()).removeprefix('Example: ')}`", check.cost,
        )
        for check, (about, cure, example) in parts
    )  # fmt: skip
    return "\n".join([WARNINGS, *_markdown_table("code, kind, it warns that, what to do, example, cost", rows)])


def vocabulary_page() -> str:
    """Return the Markdown page of all keys, clauses, effects, actions, events and facts of the law language."""
    words = language().vocabulary
    said_alone = {name for record in words.records.values() for name in record.alone}
    also = "In the value of `set` and `piece`, `otherwise` is what the setting would be without the clause."
    sections = [
        ("Keys: what `set` can set", "", "key, type, meaning, read, known in its clauses", (
            (f"`{key.name}`", str(key.type), key.meaning + (f": {', '.join(key.values)}" if key.values else ""),
             key.reader, _join_code_names({**key.case, **key.may_know}))
            for key in words.keys_but_permissions.values()
        )),
        ("Clauses", f"One clause per line; an indented line continues the one before. {also}\n\n{TABLES_TEXT}",
         "clause, what it says, example", (
            (*_clause_and_meaning(var), f"`{var.example}`") for var in vars(c).values() if getattr(var, "example", None)
        )),
        ("Effects: what a trigger does", "Several effects can follow each other, separated by `;`.",
         "effect, what it does, example", (
            (f"`{form.readable_pattern}`", form.meaning, f"`{form.example}`") for form in words.effects.values()
        )),
        ("Actions: what `allow` and `forbid` speak of", "",
         "action, meaning, can be owed (`oblige`), known in its clauses", (
            (f"`{action.name}`", action.meaning, "yes" if action.owed else "–", _join_code_names(action.binds))
            for action in words.actions.values()
        )),
        ("Events: what `on` answers to", "", "event, meaning, known in its clauses", (
            (f"`{event.name}`", event.meaning, _join_code_names(event.binds)) for event in words.events.values()
        )),
        ("Facts", "", "fact, type, meaning, known where there is", (
            (f"`{fact.name}`", str(fact.type), fact.meaning, _join_code_names(fact.needs))
            for fact in words.facts.values() if fact.name not in said_alone
        )),
    ]  # fmt: skip
    note = "Generated from the registry by `nomic-nb docs`; a test keeps it up to date."
    lines = ["# What rules can speak of", "", note, ""]
    for title, sentence, head, rows in sections:
        lines += [f"## {title}", "", *([sentence, ""] if sentence else []), *_markdown_table(head, rows)]
    for record in (candidate for candidate in words.records.values() if candidate.fields):
        lines += [f"### Of {with_article(record.name)}: {record.meaning}", ""]
        if record.alone:
            lines += [
                f"If `{record.name}` is known, these can be written without it: {_join_code_names(record.alone)}.",
                "",
            ]
        fields = ((f"`{field.name}`", str(field.type), field.meaning) for field in record.fields)
        lines += _markdown_table("field, type, meaning", fields)
    functions = words.functions.values()
    calls = (
        (f"`{function.name}`", ", ".join(map(str, function.parameters)), function.meaning) for function in functions
    )
    lines += ["## Functions", "", *_markdown_table("function, takes, gives", calls)]
    return "\n".join(lines)
