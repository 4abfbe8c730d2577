"""What is agreed before play: the rule set and its terms, who plays, and from which seed dice are drawn."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.new_book import with_incorporated_rulesets
from nomic_nb.engine.law.rules import RuleBook
from nomic_nb.engine.play.book_in_play import ruleset_digests, ruleset_finder
from nomic_nb.engine.play.events import canonical_json
from nomic_nb.engine.play.players import check_names
from nomic_nb.engine.play.values import RECORD_MEDIUM
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import RuleSet

#: Players at a table.
MOST_PLAYERS = 100
LARGEST_SEED = 2**53
#: Where a game is played, for rules that differ by it; the first is meant where nothing is said.
MEDIA_KINDS = ("computer", "mail", "table")


def check_seed(seed: object) -> None:
    """Raise `WrongValue` unless a value can be the seed of dice.

    Raises
    ------
    ValueError
        It is no whole number, or out of range.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < LARGEST_SEED:
        raise WrongValue(
            "seed-unfit", "a seed must be a whole number from 0 to 9,007,199,254,740,991; you gave {seed!r}", seed=seed
        )


@frozen
class GameSetup:
    """What is agreed before play.

    Parameters
    ----------
    ruleset : RuleSet
        The initial set, as it was published.
    players : tuple of str
        In seating order.
    seed : int
        From which the game's own dice are drawn.
    terms : mapping of str to str
        Terms agreed otherwise than the rule set has them, as expressions of the law language.
    order : tuple of str
        The players in the order that was chosen before play; empty where they said nothing.
    medium : str
        Where the game is played; empty where they said nothing.
    """

    ruleset: RuleSet
    players: tuple[str, ...]
    seed: int
    terms: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    medium: str = ""

    def __post_init__(self) -> None:
        check_names(self.players)
        least = self.ruleset.least_players
        if not least <= len(self.players) <= MOST_PLAYERS:
            raise WrongValue(
                "player-count",
                "{ruleset} needs {least} to {most} players; you gave {count}",
                least=least,
                most=MOST_PLAYERS,
                ruleset=self.ruleset.name,
                count=len(self.players),
            )
        check_seed(self.seed)
        if not self.ruleset.alone:
            raise WrongValue(
                "not-a-game",
                "{ruleset} can’t be played on its own; it is there for other rule sets to import",
                ruleset=self.ruleset.name,
            )
        if self.order and sorted(self.order) != sorted(self.players):
            raise WrongValue(
                "order-unfit",
                "the order must name every player exactly once; you gave {str}",
                str=", ".join(map(str, self.order)),
            )
        if self.medium not in ("", RECORD_MEDIUM, *MEDIA_KINDS):
            raise WrongValue(
                "medium-unknown",
                "the medium must be one of {media}; you gave {medium!r}",
                media=", ".join(MEDIA_KINDS),
                medium=self.medium,
            )
        for name, fact in (("order", "chosen_order"), ("medium", "medium")):
            if getattr(self, name) not in ("", (), RECORD_MEDIUM) and not self.ruleset.is_fact_read(fact):
                raise WrongValue(
                    "setting-without-effect",
                    "no rule in {ruleset} uses the {name}, so setting it would make no difference",
                    ruleset=self.ruleset.name,
                    name=name,
                )

    @cached_property
    def book(self) -> RuleBook:
        """The rule book with which play begins, including the rules of incorporated rule sets."""
        rules = self.ruleset.with_terms(self.terms, language()).rules
        return with_incorporated_rulesets(RuleBook({rule.id: rule for rule in rules}), ruleset_finder(language()))

    @property
    def digests_of_incorporated(self) -> dict[str, str]:
        """The digest of each rule set that the game's rule set incorporates, by name."""
        return ruleset_digests(self.book, language())

    def to_json(self) -> dict[str, Any]:
        """Return everything that was agreed before play as a dictionary of plain data."""
        return {
            "ruleset": self.ruleset.name, "digest": self.ruleset.digest, "text": self.ruleset.text,
            "players": list(self.players), "seed": self.seed, "terms": dict(self.terms), "order": list(self.order),
            "medium": self.medium, "incorporated": self.digests_of_incorporated,
        }  # fmt: skip

    @property
    def digest(self) -> str:
        """The SHA-256, in hexadecimal digits, of everything that was agreed before play."""
        agreed = {
            name: value for name, value in self.to_json().items() if name not in ("ruleset", "text", "incorporated")
        }
        return hashlib.sha256(canonical_json(agreed).encode("ascii")).hexdigest()
