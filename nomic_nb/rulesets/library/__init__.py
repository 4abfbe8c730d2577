"""Ready-made rules, with wording and clauses, so that a first proposal needs neither.

Each function returns a `LibraryRule`; its ``change()`` is what `Game.propose` takes. Parameters are
checked where the rule is made, and have a sensible value where none is given. `catalogue` lists all of
them by subject.

>>> rule = simple_majority()
>>> print(rule.law)
set vote.quota to majority(vote.electorate)
>>> rule.change(203).headline
'amend rule 203'
>>> "tax" in catalogue.frame.index
True
"""

from nomic_nb.rulesets.library.dice import (
    another_die,
    committed_dice,
    double_points,
    more_dice,
    throw_or_take,
    unlucky_face,
)
from nomic_nb.rulesets.library.listing import Catalogue
from nomic_nb.rulesets.library.making import LibraryRule
from nomic_nb.rulesets.library.money import auction, currency, fee_for, points_for_money
from nomic_nb.rulesets.library.people import dummy, elected_judge, late_comer, no_judge, office
from nomic_nb.rulesets.library.points import (
    elimination,
    fine_for,
    first_pays_last,
    gifts,
    handicap,
    lottery,
    most_at_once,
    no_points_below,
    penalty_for,
    reward_for,
    tax,
)
from nomic_nb.rulesets.library.proposals import (
    bonus_for_adopted,
    compulsory_debate,
    dissent_bonus,
    later_effect,
    length_limit,
    milestone,
    needed_word,
    price_of_defeat,
    ritual,
    several_proposals,
)
from nomic_nb.rulesets.library.rules import (
    cap_on_rules,
    cool_down,
    highest_number_prevails,
    newest_prevails,
    protected_rule,
    sunset_for_new_rules,
)
from nomic_nb.rulesets.library.turns import (
    extra_turn,
    missed_turn,
    passing,
    random_order,
    reverse_order,
    there_and_back,
)
from nomic_nb.rulesets.library.votes import (
    changeable_ballots,
    extra_votes_for,
    fraction_adopts,
    proponent_counts_nothing,
    quorum,
    quota_by_circuit,
    secret_ballots,
    simple_majority,
    smaller_electorate,
    two_thirds,
    veto,
    veto_of_office,
    votes_for_points,
    votes_for_the_last,
)
from nomic_nb.rulesets.library.winning import (
    joint_win,
    last_circuit,
    player_on_turn_wins,
    points_to_win,
    second_way_to_win,
    teams,
)

#: All ready-made rules, by subject.
catalogue = Catalogue()

__all__ = [
    "LibraryRule", "another_die", "auction", "bonus_for_adopted", "cap_on_rules", "catalogue", "changeable_ballots",
    "committed_dice",
    "compulsory_debate", "cool_down", "currency", "dissent_bonus", "double_points", "dummy", "elected_judge",
    "elimination", "extra_turn", "extra_votes_for", "fee_for", "fine_for", "first_pays_last", "fraction_adopts",
    "gifts", "handicap", "highest_number_prevails", "joint_win", "last_circuit", "late_comer", "later_effect",
    "length_limit", "lottery", "milestone", "missed_turn", "more_dice", "most_at_once", "needed_word",
    "newest_prevails", "no_judge", "no_points_below", "office", "passing", "penalty_for", "player_on_turn_wins",
    "points_for_money", "points_to_win", "price_of_defeat", "proponent_counts_nothing", "protected_rule", "quorum",
    "quota_by_circuit", "random_order", "reverse_order", "reward_for", "ritual", "second_way_to_win",
    "secret_ballots", "several_proposals", "simple_majority", "smaller_electorate", "sunset_for_new_rules", "tax",
    "teams", "there_and_back", "throw_or_take", "two_thirds", "unlucky_face", "veto", "veto_of_office",
    "votes_for_points", "votes_for_the_last",
]  # fmt: skip
