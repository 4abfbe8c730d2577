"""The ready-made rules that fit a game: those that would have an effect in it, with what they do to rules in force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import ClaimClause, Clause, PieceClause, SetClause, TrackClause
from nomic_nb.engine.law.findings import set_clause_of
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number, Rule
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import adopt_without_effects, calm_state
from nomic_nb.engine.words import join_words
from nomic_nb.study.library.ready_made import (
    NOTHING_FOUND,
    Catalogue,
    CatalogueEntry,
    LibraryRule,
)
from nomic_nb.study.library.word_search import check_search_words
from nomic_nb.study.review.cases import number_of_change
from nomic_nb.study.review.warnings.no_effect import compare_two_clauses, why_clause_does_nothing

if TYPE_CHECKING:
    import pandas as pd


#: What was found for a body of law, by name and whether there are boards: it is asked for again and again.
_KNOWN: WeakKeyDictionary[Law, dict[tuple[str, bool], ApplicableRule | None]] = WeakKeyDictionary()


@frozen
class ApplicableRule:
    """A ready-made rule as it would apply in a game.

    Parameters
    ----------
    entry : CatalogueEntry
        It, in the catalogue.
    target : int or str or None
        The rule that it would amend; None if it would be a new rule.
    amends : str
        Sentences on its effects on rules in force.
    """

    entry: CatalogueEntry
    target: Number | None
    amends: str

    def __str__(self) -> str:
        return f"{self.entry.name}({self.entry.parameters}) – {self.entry.rule.title}. {self.amends}"


class ApplicableRules(Displayed):
    """The ready-made rules that have an effect in the current state of a game, by subject; found on first use.

    Parameters
    ----------
    state : State
        Current state of the game.
    words : str
        Words to search for; empty for all of them.
    """

    def __init__(self, state: State, words: str = "") -> None:
        self.state, self.words = state, words

    def search(self, words: str) -> ApplicableRules:
        """Return the ready-made rules on something that have an effect in this game, best first.

        Parameters
        ----------
        words : str
            A word or a sentence, such as ``"dice"`` or ``"Everyone must agree."``

        Examples
        --------
        >>> import nomic_nb as nb
        >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> [one.entry.name for one in game.library.search("the game ends after ten laps")][0]
        'last_circuit'
        """
        return ApplicableRules(self.state, check_search_words(words))

    def __iter__(self) -> Iterator[ApplicableRule]:
        return _find_applicable_rules(self.state, Catalogue(self.words))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def frame(self) -> pd.DataFrame:
        """The listing as a DataFrame.

        Returns
        -------
        DataFrame
            Indexed by ``name``, with ``subject``, ``title``, ``parameters`` and ``amends`` (its effects on rules in
            force), all strings.

        Examples
        --------
        >>> import nomic_nb as nb
        >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> game.library.frame.loc["points_to_win", "amends"]
        'Amends rule 208 “How many points win”.'
        """
        import pandas as pd

        rows = map(attrgetter("entry.name", "entry.subject", "entry.rule.title", "entry.parameters", "amends"), self)
        return pd.DataFrame(rows, columns=["name", "subject", "title", "parameters", "amends"]).set_index("name")

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or NOTHING_FOUND


def _find_applicable_rules(state: State, entries: Iterable[CatalogueEntry]) -> Iterator[ApplicableRule]:
    """Yield those ready-made rules that have an effect in a game; each is looked up once while the law is the same."""
    known, boards, base = _KNOWN.setdefault(state.law, {}), state.position is not None, calm_state(state)
    for entry in entries:
        sign = entry.name, boards
        if sign not in known:
            known[sign] = find_applicable_rule(base, entry)
        if (applicable := known[sign]) is not None:
            yield applicable


def find_applicable_rule(state: State, entry: CatalogueEntry) -> ApplicableRule | None:
    """Return a ready-made rule with what it would do in this game; None if it would have no effect.

    Parameters
    ----------
    state : State
        A calm one.
    entry : CatalogueEntry
        The rule, as it is by itself.
    """
    if entry.on_boards and state.position is None:
        return None
    target = find_rule_to_amend(state, entry.rule)
    try:
        sentence = effect_on_rules_in_words(state, entry.rule, target)
    except LawError:  # it speaks of what there is not, such as points where none are counted
        return None
    return None if sentence is None else ApplicableRule(entry, target, sentence)


def effect_on_rules_in_words(state: State, rule: LibraryRule, target: Number | None) -> str | None:
    """Return in words what a library rule, amending `target` if given, does to the rules; None if it has no effect.

    Parameters
    ----------
    state : State
        A calm one.
    rule : LibraryRule
        With its places filled in.
    target : int or str or None
        The rule that it amends.

    Raises
    ------
    LawError
        Its clauses speak of what there is not.
    """
    change = rule.change(target) if target is not None else rule.change()
    check_change(state, change)
    new, after = _put_change_in_force(state, change)
    if new is None or new.id in after.rules.void:
        return None
    doing = [clause for clause in new.clauses if not isinstance(clause, ClaimClause | TrackClause)]
    if doing and all(any(why_clause_does_nothing(after, new, clause)) for clause in doing):
        return None
    sentences = []
    if target is not None:
        old, tier = state.rules.by_number[target], state.find("enact.tier")  # which may hang on the rule
        standing = f", which is {old.tier}" if old.tier != (tier.value if tier.answered else "") else ""
        sentences = [f"Amends {_quote_rule(old)}{standing}."]
    over, beside = _rules_overridden(after, new)
    sentences += (
        [f"Takes precedence over {join_words([_quote_rule(other_rule) for other_rule in over])}."] if over else []
    )
    sentences += [f"Adds to {join_words([_quote_rule(other_rule) for other_rule in beside])}."] if beside else []
    return " ".join(sentences) or "Changes no rule in force."


def _quote_rule(rule: Rule) -> str:
    """Return a rule as text: its number, and its title in quotation marks."""
    return f"rule {rule.number} “{rule.title}”"


def _put_change_in_force(state: State, change: Change) -> tuple[Rule | None, State]:
    """Return the rule that a change makes (None if it cannot take effect), and the state after its adoption."""
    player = next(iter(state.person_names), "")
    adoption = adopt_without_effects(state, change, player, number_of_change(state, change, player))
    return (adoption.single_rule if adoption.in_force else None), calm_state(adoption.after)


def _rules_overridden(after: State, new: Rule) -> tuple[list[Rule], list[Rule]]:
    """Return two lists: the rules that a new rule prevails over, and those to whose clauses it only adds."""
    over: dict[int, Rule] = {}
    beside: dict[int, Rule] = {}
    for source in (new_source for new_source in new.sources if isinstance(new_source.clause, SetClause)):
        for other in after.law.clauses_about(set_clause_of(source).key):
            kinds = {each.clause.kind for each in (source, other) if isinstance(each.clause, PieceClause)}
            if other.rule.id == new.id or len(kinds) > 1:
                continue
            try:
                left, defeated = compare_two_clauses(after.law, source, other)
            except Undecided:
                continue
            if source in left and (source.adds_to_key or any(defeat.source is other for defeat in defeated)):
                (beside if source.adds_to_key else over)[other.rule.id] = other.rule
    return list(over.values()), [rule for id, rule in beside.items() if id not in over]


def find_rule_to_amend(state: State, rule: LibraryRule) -> Number | None:
    """Return the number of the rule in force that a library rule should amend; None to enact it as a new rule.

    None where there is none, or several, and where most of what the other says would be lost. Rules that are weaker
    than a new one, and those that were brought in with another rule set, are overridden and not amended.
    """
    if not rule.amends:
        return None
    try:
        new, after = _put_change_in_force(state, rule.change())
    except LawError:
        return None
    if new is None:
        return None
    anew, order = _terms_set_by_clauses(new.clauses), after.law.order
    shared = {}
    for candidate in state.rules:
        terms = _terms_set_by_clauses(candidate.clauses)
        count = len(anew & terms)
        weaker = order.tier_rank(candidate) > order.tier_rank(new)
        if count and count * 2 >= len(terms) and not (weaker or candidate.ruleset or candidate.id in state.rules.void):
            shared[candidate.number] = count
    most = [number for number, count in shared.items() if count == max(shared.values())]
    return most[0] if len(most) == 1 else None


def _terms_set_by_clauses(clauses: Iterable[Clause]) -> set[tuple[str, str, bool]]:
    """Return what clauses set, as triples: key of the term, kind of piece (or empty), and whether on a condition."""
    return {
        (clause.key, clause.kind, clause.given is not None or clause.army is not None)
        if isinstance(clause, PieceClause)
        else (clause.key, "", clause.condition is not None)
        for clause in clauses
        if isinstance(clause, SetClause)
    }
