"""Ready-made rules, with wording and clauses, so that a first proposal needs neither.

Each function returns a `LibraryRule`; its ``change()`` is what `Game.propose` takes. Parameters are
checked where the rule is made, and have a sensible value where none is given. `catalogue` lists all of
them by subject.

What speaks of points is refused in a game in which no rule counts any. In games with boards
`points_for_captures` brings them in; `points_to_win` says for other rules how many are enough. What is about
boards can be proposed in a game without them, and does nothing there.

>>> rule = simple_majority()
>>> print(rule.law)
set vote.quota to majority(vote.electorate)
>>> rule.change(203).headline
'amend rule 203'
>>> "tax" in catalogue.frame.index
True
"""

from nomic_nb.rulesets.library.armies import demotion_for, new_kind, promotion_for_adopted, reinforcements
from nomic_nb.rulesets.library.boards import (
    burning_square,
    gate,
    growing_boards,
    missing_squares,
    promoting_square,
    reflected_boards,
    round_boards,
    sliding_rank,
)
from nomic_nb.rulesets.library.captures import (
    absorption,
    captured_change_sides,
    explosions,
    forced_captures,
    own_pieces_are_safe,
    points_for_captures,
    promotion_for_capture,
    trophies,
    truce,
    untouchable,
)
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
from nomic_nb.rulesets.library.mates import (
    bare_kings_fall,
    checks_count,
    kings_are_captured,
    mate_at_once,
    mate_goes_to_the_checker,
    no_mate_by_pushing,
    price_of_check,
    royal_kinds,
)
from nomic_nb.rulesets.library.money import auction, currency, fee_for, points_for_money
from nomic_nb.rulesets.library.movement import (
    army_without_move,
    castling_with,
    each_piece_once,
    moves_per_turn,
    no_castling,
    piece_moves,
    slow_pieces,
    small_armies_move_more,
)
from nomic_nb.rulesets.library.pawns import (
    en_passant_for_a_circuit,
    no_double_step,
    no_en_passant,
    optional_promotion,
    promotion_rank,
    promotion_to,
)
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
    "LibraryRule", "absorption", "another_die", "army_without_move", "auction", "bare_kings_fall",
    "bonus_for_adopted", "burning_square", "cap_on_rules", "captured_change_sides", "castling_with",
    "catalogue", "changeable_ballots", "checks_count", "committed_dice", "compulsory_debate", "cool_down",
    "currency", "demotion_for", "dissent_bonus", "double_points", "dummy", "each_piece_once", "elected_judge",
    "elimination", "en_passant_for_a_circuit", "explosions", "extra_turn", "extra_votes_for", "fee_for",
    "fine_for", "first_pays_last", "forced_captures", "fraction_adopts", "gate", "gifts", "growing_boards",
    "handicap", "highest_number_prevails", "joint_win", "kings_are_captured", "last_circuit", "late_comer",
    "later_effect", "length_limit", "lottery", "mate_at_once", "mate_goes_to_the_checker", "milestone",
    "missed_turn", "missing_squares", "more_dice", "most_at_once", "moves_per_turn", "needed_word", "new_kind",
    "newest_prevails", "no_castling", "no_double_step", "no_en_passant", "no_judge", "no_mate_by_pushing",
    "no_points_below", "office", "optional_promotion", "own_pieces_are_safe", "passing", "penalty_for",
    "piece_moves", "player_on_turn_wins", "points_for_captures", "points_for_money", "points_to_win",
    "price_of_check", "price_of_defeat", "promoting_square", "promotion_for_adopted", "promotion_for_capture",
    "promotion_rank", "promotion_to", "proponent_counts_nothing", "protected_rule", "quorum",
    "quota_by_circuit", "random_order", "reflected_boards", "reinforcements", "reverse_order", "reward_for",
    "ritual", "round_boards", "royal_kinds", "second_way_to_win", "secret_ballots", "several_proposals",
    "simple_majority", "sliding_rank", "slow_pieces", "small_armies_move_more", "smaller_electorate",
    "sunset_for_new_rules", "tax", "teams", "there_and_back", "throw_or_take", "trophies", "truce",
    "two_thirds", "unlucky_face", "untouchable", "veto", "veto_of_office", "votes_for_points",
    "votes_for_the_last",
]  # fmt: skip
