"""A review changes nothing, and what it foretells happens when everyone votes for the change."""

from __future__ import annotations

from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from often import examples
from play_helpers import ballot, sit

import nomic_nb as nb
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.study.review.cases import ReviewCases
from nomic_nb.study.review.review import review_change
from nomic_nb.study.review.terms import compare_terms

LAWS = (
    "",
    "set vote.quota to majority(vote.electorate)",
    "set vote.quota to 5\nprevails over everything",
    'set vote.quota to 2 while change.kind == "enact"\nprevails over 203',
    'set vote.weight to (2 if voter.name == "Ann" else 1)\nprevails over 207',
    "set vote.weight to 1/3\nprevails over 207",
    "set vote.duty to false",
    "set vote.adopted to votes_for > votes_against",
    'set vote.adopted to "Ann" in [p.name for p in supporters]',
    "set vote.electorate to []\nprevails over 105",
    'forbid vote when player.name == "Ben"',
    'set turn.parts to ["throw"]\nprevails over 202',
    "set turn.sequence to [p for p in seats if p.points >= 0]\nprevails over 201",
    'set change.effective to "turn ended"\nprevails over 205',
    "set precedence.by to []\nprevails over 211",
    'set precedence.by to ["newest"]\nprevails over everything',
    'set precedence.tiers to ["mutable", "immutable"]',
    "set precedence.void to []",
    "set throw.points to face * 2 while face > 3",
    "set dissent.points to 12",
    "set win.points to 5\nprevails over 208",
    "track gold per player from 3\nset win.points to 3",
    'require count(r for r in rules if r.tier == "mutable") <= 14',
    "on enacted: repeal this",
    'on enacted when rule == this: award 100 points to "Ann"',
    'on enacted when rule == this: enter player "Dov" as dummy\non vote_opened: cast "for" for "Dov"',
    'on amended: eliminate "Cleo"',
    "on adopted: award 2 points to proponent",
    "on voided: award 3 points to playing",
)  # fmt: skip
KINDS = ("enact", "enact", "amend", "beside", "repeal", "transmute", "amend part", "repeal part")


@st.composite
def plans(draw):
    """Yield what is tried in a game: kinds of change, law, and which rule by its place in the book."""
    step = st.tuples(st.sampled_from(KINDS), st.sampled_from(LAWS), st.integers(0, 200))
    return draw(st.lists(step, min_size=1, max_size=6))


def change_of(game, kind, law, place):
    """Return a change of this kind, or None where there is nothing to make it of."""
    rules = list(game.rules)
    rule = rules[place % len(rules)]
    if kind.endswith("part"):
        with_parts = [one for one in rules if any(not part.repealed for part in one.amendments.values())]
        if not with_parts:
            return None
        rule = with_parts[place % len(with_parts)]
        part = next(at for at, one in rule.amendments.items() if not one.repealed)
        return nb.repeal(rule.number, part=part) if kind[0] == "r" else nb.amend(rule.number, "So.", law, part=part)
    if kind == "enact":
        return nb.enact(f"Goes before rule {rule.number}.", law)
    if kind in ("amend", "beside"):
        return nb.amend(rule.number, "Other words.", law, add=kind == "beside")
    return nb.repeal(rule.number) if kind == "repeal" else nb.transmute(rule.number)


def book(state):
    void = state.rules.void
    return sorted((one.id, str(one.number), one.tier, one.wording, one.law, one.id in void) for one in state.rules)


def terms(state):
    """Return what the law says of every term outside any case, with the rules that say so."""
    found = {}
    for key in state.law.vocabulary.keys:
        try:
            finding = state.law.find(key, state, {})
            found[key] = (finding.outcome, finding.value, [str(source) for source in finding.sources])
        except Undecided as doubt:
            found[key] = doubt.reason
    return found


@examples(8, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans(), st.integers(0, 2**20))
def test_nothing_changes_and_what_is_foretold_happens(plan, seed):
    game = sit(seed=seed, terms={"win.points": 60})
    for kind, law, place in plan:
        change = change_of(game, kind, law, place)
        if change is None or game.player is None:
            continue
        player, before = game.player, (game.state.digest(), len(game.timeline.events))
        found = review_change(game.timeline, player, change)
        assert str(found)
        assert (game.state.digest(), len(game.timeline.events)) == before
        nothing_is_passed_over(game, change, found)
        if found.error is not None or found.missing or found.proposable is not True:
            assert refused(game, player, change)
            continue
        if not happened(game, player, change, found):
            return


class Every(ReviewCases):
    """Cases that ask for every term, also those that cannot have changed."""

    def touched(self, keys):
        return dict.fromkeys(keys, True)


def nothing_is_passed_over(game, change, found):
    """See that the terms which a review does not ask for are the same."""
    if found.adoption is None or not found.adoption.in_force:
        return
    target = game.state.rules.by_number.get(change.target)
    changed = frozenset({target.id if target else found.adoption.single_rule.id})
    turned, met = compare_terms(Every(calm_state(game.state), calm_state(found.adoption.after), found.player, changed))
    assert [str(one) for one in turned] == [str(one) for one in found.turned]
    assert [str(one) for one in met] == [str(one) for one in found.met]


def refused(game, player, change) -> bool:
    """Tell whether a change is refused, or a question to the table."""
    events = len(game.timeline.events)
    try:
        game.propose(player, change)
    except (nb.IllegalAction, nb.LawError):
        return len(game.timeline.events) == events or bool(game.state.questions)
    return False


def happened(game, player, change, found) -> bool:
    """Adopt a change, compare it with what was foretold, and tell whether the game goes on."""
    try:
        proposal = game.propose(player, change)
    except nb.IllegalAction:  # the law has no answer on the number: the table is asked
        assert game.state.questions
        return False
    assert proposal.number == found.number
    if proposal.tally is not None:
        assert proposal.tally.quota == found.votes.quota.value
        assert proposal.tally.quota_rule == found.votes.quota.rule
    ballot(game)
    if found.votes.passes is not True:
        assert proposal.outcome != "adopted"
        return False
    if proposal.outcome == "waiting":
        assert found.adoption.due != "vote closed"
        return False
    if found.adoption.doubts or found.adoption.throwing:
        return False
    if proposal.outcome == "open" and game.state.questions:
        return False  # what rules do while a vote goes on is no part of a review
    assert proposal.outcome == ("without effect" if found.no_effect_reason else "adopted")
    assert proposal.as_it_stands.note == found.no_effect_reason
    assert book(game.state) == book(found.adoption.after)
    for one in found.moved:
        assert game.rules[one.new].all_versions[-2].number == one.old or game.rules[one.new].tier == one.new_tier
    for one in found.voided:
        assert bool(game.rules.void_reason(game.rules[one.rule])) is one.void
    for one in found.dangling:
        assert one.number not in game.rules or one.became.endswith("would be a different rule")
    assert game.winners == found.adoption.winners
    now = terms(game.state)
    assert now == terms(found.adoption.after)
    plain = [one for one in found.turned if not one.case and not found.adoption.after.law.vocabulary.keys[one.key].case]
    for one in plain:
        assert now[one.key][:2] == (one.new.outcome, one.new.value)
    if game.over or game.state.questions:
        return False
    if any(one.action == "roll" for one in game.pending):
        game.roll(game.player, 1)
    return any(one.action == "propose" for one in game.pending)
