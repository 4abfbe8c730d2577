"""Ready-made rules, with wording and clauses, so that a first proposal needs neither.

Each function returns a `LibraryRule`; its ``change()`` is what `Game.propose` takes. Parameters are
checked where the rule is made.

>>> rule = simple_majority()
>>> print(rule.law)
set vote.quota to majority(vote.electorate)
>>> rule.change(203).headline
'amend rule 203'
"""

from __future__ import annotations

from dataclasses import dataclass

from nomic_nb.law.changes import Change, amend, enact
from nomic_nb.law.rules import Number
from nomic_nb.shown import Shown


@dataclass(frozen=True)
class LibraryRule(Shown):
    """A rule that can be proposed as it is.

    Parameters
    ----------
    title, wording, law : str
        As in the rule that it makes.
    """

    title: str
    wording: str
    law: str

    def change(self, number: Number | None = None, *, add: bool = False) -> Change:
        """Return the proposal that makes this rule.

        Parameters
        ----------
        number : int or str, optional
            Amend this rule with it; None enacts a new one.
        add : bool
            Stand beside what the amended rule says, and not in place of it.
        """
        if number is None:
            return enact(self.wording, self.law, self.title)
        return amend(number, self.wording, self.law, title="" if add else self.title, add=add)

    def __str__(self) -> str:
        return "\n".join([self.title, self.wording, *(f"    {line}" for line in self.law.splitlines())])


def _whole(what: str, number: int, least: int, most: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise ValueError(f"{what} is a whole number from {least} to {most}; found {number!r}")
    return number


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if abs(number) == 1 else f"{number} {noun}s"


def simple_majority() -> LibraryRule:
    """Let more than half of the voters adopt a rule-change. Made to amend the rule that asks for unanimity."""
    return LibraryRule(
        "A simple majority adopts",
        "A rule-change is adopted if more than half of those who may vote are for it. A tie defeats it.",
        "set vote.quota to majority(vote.electorate)",
    )


def dissent_bonus(points: int = 10) -> LibraryRule:
    """Pay whoever votes against a proposal that is adopted.

    Parameters
    ----------
    points : int
        How many, from -1000 to 1000.
    """
    _whole("a bonus", points, -1000, 1000)
    return LibraryRule(
        f"{_counted(points, 'point')} for dissent",
        f"Whoever votes against a proposal that is adopted all the same gets {_counted(points, 'point')} for it.",
        f"set dissent.points to {points}\non adopted: award dissent.points to opponents",
    )


def penalty_for(deed: str, points: int = 2) -> LibraryRule:
    """Take points from whoever is reported for a deed: the table watches, and `Game.report` tells the game.

    Parameters
    ----------
    deed : str
        What is not to be done, such as ``interrupting``; at most 60 letters.
    points : int
        How many it costs, from 1 to 1000.
    """
    _whole("a penalty", points, 1, 1000)
    deed = deed.strip()
    if not deed or len(deed) > 60 or '"' in deed or "\\" in deed or "#" in deed or "\n" in deed:
        raise ValueError(f"a deed has 1 to 60 letters, without quotation marks, # and \\; found {deed[:80]!r}")
    return LibraryRule(
        f"Penalty for {deed}",
        f"Each time a player is reported for {deed}, that player loses {_counted(points, 'point')}."
        " Anyone may report it.",
        f'on deed when name == "{deed}": award -{points} points to player',
    )


def cap_on_rules(most: int = 30) -> LibraryRule:
    """Allow no more than so many mutable rules; a change that would break the cap has no effect.

    Parameters
    ----------
    most : int
        From 1 to 500.
    """
    _whole("a cap", most, 1, 500)
    return LibraryRule(
        f"At most {_counted(most, 'mutable rule')}",
        f"There are never more than {_counted(most, 'mutable rule')}. A change that would make one more has no effect.",
        f'require count(r for r in rules if r.tier == "mutable") <= {most}',
    )


def committed_dice(penalty: int = 10) -> LibraryRule:
    """Let throws be drawn from what all present seal and reveal, so that nobody has to trust anybody.

    Parameters
    ----------
    penalty : int
        What it costs to seal and not to reveal, from 0 to 1000 points: whoever reveals last knows the throw
        beforehand, and could otherwise have it made again at no cost.
    """
    _whole("a penalty", penalty, 0, 1000)
    costs = f"; it costs that player {penalty} points" if penalty else ""
    law = [
        'set dice.source to "committed"',
        "set dice.sealed_by to [p for p in seats if p.present]",
        'set dice.unrevealed to "again"',
    ]
    if penalty:
        law.append(f'on overdue when owed == "reveal": award -{penalty} points to player')
    return LibraryRule(
        "Dice that need no trust",
        "Every player who is present seals a value for each throw, and reveals it once all have sealed. The throw "
        "is drawn from all that is revealed. If it is recorded that a player who has sealed does not reveal, the "
        f"throw is sealed again, without that player as long as two are left{costs}.",
        "\n".join(law),
    )


def another_die(sides: int = 20) -> LibraryRule:
    """Throw a die with another number of sides.

    Parameters
    ----------
    sides : int
        From 2 to 1000.
    """
    _whole("a die's number of sides", sides, 2, 1000)
    return LibraryRule(
        f"A die of {sides} sides",
        f"The die that is thrown in a turn has {sides} sides, numbered from 1 to {sides}.",
        f"set dice.sides to {sides}",
    )
