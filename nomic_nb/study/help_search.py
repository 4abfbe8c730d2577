"""The search through everything that helps: pages, the words of rules, and the phrase book."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice

from nomic_nb.engine.display import Displayed
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.study.library.phrase_book import LONGEST_WORDING, Suggestion, find_suggestions
from nomic_nb.study.library.word_search import WordSearch, check_search_words
from nomic_nb.study.reference import page_names, read_page

#: What is shown of each kind.
MOST_PAGES, MOST_WORDS, MOST_PHRASES = 5, 8, 4
_WORDS = re.compile(r"[’' -]*\w[\w’' ?!,-]*")
_HEADING = re.compile(r"^#{1,3} (.+)$", re.MULTILINE)


class HelpFindings(Displayed):
    """What a search for everyday words found in the pages, in the words of rules, and in the phrase book.

    Parameters
    ----------
    words : str
        What was searched for.
    """

    def __init__(self, words: str) -> None:
        self.words = check_search_words(words)

    @property
    def sections(self) -> list[tuple[str, str]]:
        """The sections of pages that were found, best first: page and heading."""
        return [_sections()[name] for name in _section_search().rank(self.words, slips=False)[:MOST_PAGES]]

    @property
    def terms(self) -> list[tuple[str, str]]:
        """The words of rules that were found, best first: the word and its meaning."""
        found = _term_search().rank(self.words, slips=False)[:MOST_WORDS]
        return [(name, _terms()[name]) for name in found]

    @property
    def phrases(self) -> list[Suggestion]:
        """The phrases and ready-made rules that were found, best first."""
        return list(islice(find_suggestions(self.words, slips=False), MOST_PHRASES))

    def __bool__(self) -> bool:
        return bool(self.sections or self.terms or self.phrases)

    def __str__(self) -> str:
        return "\n".join(self._lines) or "Nothing was found. Try other words."

    @property
    def _lines(self) -> Iterator[str]:
        """The lines of plain text."""
        yield from (f'Page: “{heading}”, nb.help("{page}")' for page, heading in self.sections)
        yield from (f"Word of rules: {name} – {meaning}" for name, meaning in self.terms)
        for suggestion in self.phrases:
            yield f"Rule: {suggestion.wording}"
            yield from (f"    {line}" for line in suggestion.law.splitlines())


def find_help(words: object) -> HelpFindings | None:
    """Return what a search for everyday words finds in the help; None if that is nothing, or these are no words.

    Examples
    --------
    >>> "circuit_ended" in dict(find_help("round").terms)
    True
    """
    if not isinstance(words, str) or not _WORDS.fullmatch(words.strip()):
        return None
    return HelpFindings(words[:LONGEST_WORDING]) or None


@cache
def _sections() -> Mapping[str, tuple[str, str]]:
    """Return the page and the heading of every section of the pages, by a name for both."""
    return {f"{page} {heading}": (page, heading) for page, heading, _ in _every_section()}


def _every_section() -> Iterator[tuple[str, str, str]]:
    """Yield page, heading and text of every section of the pages."""
    for page in page_names():
        parts = _HEADING.split(read_page(page))
        yield from (
            (page, heading.replace("`", ""), text) for heading, text in zip(parts[1::2], parts[2::2], strict=True)
        )


@cache
def _section_search() -> WordSearch:
    """Return the search through the sections of all pages."""
    return WordSearch.through({f"{page} {heading}": (heading, text) for page, heading, text in _every_section()})


@cache
def _terms() -> Mapping[str, str]:
    """Return the meanings of keys, events, facts, functions and actions, by the word that rules have."""
    words = language().vocabulary
    kinds = (words.keys_but_permissions, words.events, words.facts, words.functions, words.actions)
    return {name: one.meaning for kind in kinds for name, one in kind.items() if one.meaning}


@cache
def _term_search() -> WordSearch:
    """Return the search through the words of rules."""
    return WordSearch.through({name: ("", meaning) for name, meaning in _terms().items()})
