"""Ready-made rules about rules: how many, for how long, how safe, which of them prevails."""

from __future__ import annotations

from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, ordinal, times, whole


def cap_on_rules(most: int = 30) -> LibraryRule:
    """Allow no more than so many mutable rules; a change that would break the cap has no effect.

    Parameters
    ----------
    most : int
        From 1 to 500.

    Examples
    --------
    >>> print(cap_on_rules(20).wording)
    There are never more than 20 mutable rules. A change that would make one more has no effect.
    """
    whole("a cap", most, 1, 500)
    return LibraryRule(
        f"At most {times(most, 'mutable rule')}",
        f"There are never more than {times(most, 'mutable rule')}. A change that would make one more has no effect.",
        f'require count(r for r in rules if r.tier == "mutable") <= {most}',
    )


def sunset_for_new_rules(turns: int = 6) -> LibraryRule:
    """Let every new rule end by itself; see `LibraryRule.ending_after` for a single one.

    Parameters
    ----------
    turns : int
        After how many turns, from 1 to 500.

    Examples
    --------
    >>> print(sunset_for_new_rules(4).law)
    on enacted: after 4 turns: repeal rule
    """
    whole("a count of turns", turns, 1, 500)
    return LibraryRule(
        f"New rules last {times(turns, 'turn')}",
        f"A rule that is enacted while this rule is in force is repealed by itself at the end of the {ordinal(turns)} "
        "turn that ends after that, even if it was amended. This rule itself is no exception.",
        f"on enacted: after {turns} turns: repeal rule",
    )


def protected_rule(number: int = 208) -> LibraryRule:
    """Ask for unanimity where a rule is to be changed, or this one.

    Parameters
    ----------
    number : int
        The protected rule's, from -999 to 99999; the protection ends when the rule has another number.

    Examples
    --------
    >>> print(protected_rule(201).wording)
    To change rule 201, for as long as a rule has that number, or to change this rule, takes the votes of all who may
    vote. On this point it goes before every other rule.
    """
    whole("a rule's number", number, -999, 99999)
    return LibraryRule(
        f"Rule {number} is protected",
        f"To change rule {number}, for as long as a rule has that number, or to change this rule, takes the votes of "
        f"all who may vote. {BEFORE}",
        f"set vote.quota to unanimity(vote.electorate) while target != none and (target.number == {number} or "
        "target == this)\nprevails over everything on vote.quota",
    )


def cool_down(turns: int = 3) -> LibraryRule:
    """Protect rules from repeal while they are new.

    Parameters
    ----------
    turns : int
        For how many turns, from 1 to 500.

    Examples
    --------
    >>> print(cool_down(2).title)
    No easy repeal for 2 turns
    """
    whole("a count of turns", turns, 1, 500)
    before = "the turn" if turns == 1 else f"one of the {turns} turns"
    return LibraryRule(
        f"No easy repeal for {times(turns, 'turn')}",
        "A proposal to repeal a rule takes the votes of all who may vote if the rule was made or changed in the same "
        f"turn or in {before} before. Rules in force since the beginning are not meant. {BEFORE}",
        'set vote.quota to unanimity(vote.electorate) while change.kind == "repeal" and target.made > 0 and '
        f"turn - target.made <= {turns}\nprevails over everything on vote.quota",
    )


def newest_prevails() -> LibraryRule:
    """Let the newer of two conflicting rules prevail.

    Examples
    --------
    >>> print(newest_prevails().law)
    set precedence.by to ["claims", "newest"]
    prevails over everything on precedence.by
    """
    return LibraryRule(
        "The newest rule prevails",
        "Where rules of one standing conflict, what they say of themselves about going first decides; where that "
        f"does not decide, the rule that was made or changed last prevails. {BEFORE}",
        'set precedence.by to ["claims", "newest"]\nprevails over everything on precedence.by',
        "the rule on rules that conflict",
    )


def highest_number_prevails() -> LibraryRule:
    """Let the rule with the higher number prevail.

    Examples
    --------
    >>> print(highest_number_prevails().title)
    The highest number prevails
    """
    return LibraryRule(
        "The highest number prevails",
        "Where rules of one standing conflict, what they say of themselves about going first decides; where that "
        f"does not decide, the rule with the highest number prevails. {BEFORE}",
        'set precedence.by to ["claims", "highest number"]\nprevails over everything on precedence.by',
        "the rule on rules that conflict",
    )
