"""Probes of what all four sets say in nearly the same words: rules 101 to 116, by their numbers in three of them."""

from __future__ import annotations

from probes.looks import (
    amending,
    can,
    debated,
    idle,
    leaves,
    mutable_rules,
    new,
    outcome_of,
    own_amendment,
    own_repeal,
    proposes,
    repealing,
    seen,
    standing_after,
    term,
    there,
    transmuting,
    votes,
)
from probes.table import probe

#: More than half are enough: so that a vote against does not decide everything.
MAJORITY = ((203, "set vote.quota to majority(vote.electorate)"),)
ALL = ["Ann", "Ben", "Cleo"]


def void_again(at):
    """Whether another rule that contradicts an immutable one becomes void."""
    proposal = at.turn(at.enact("set vote.electorate to []"))
    return bool(at.game.rules.void_reason(at.game.rules[proposal.number]))


def before_the_vote_ends(at):
    """Whether a rule that is to be repealed is there while the vote is open."""
    at.propose(at.repeal(206))
    at.heed()
    return at.numbered(206) in at.game.rules


def revised_in_the_vote(at):
    proposal = at.propose(idle(at))
    at.game.vote("Cleo", "for", proposal.number)
    return at.does(lambda: at.game.revise(proposal.proponent, at.enact("", "Something else."), proposal.number))


def kept_number(at):
    return at.turn(at.amend(206)).number in at.game.rules


def authors(at):
    """Who has proposed, once Cleo has."""
    at.put(idle(at), player="Cleo")
    return [proposal.proponent for proposal in at.game.proposals]


def ben_proposes(at):
    """Whether Ben is among those who have proposed, two proposals on."""
    at.idle(2)
    return "Ben" in {proposal.proponent for proposal in at.game.proposals}


def someone_else(at, proposal):
    return next(name for name in at.game.players if name != proposal.proponent)


def proponent_calls(at, proposal):
    at.game.call_vote(proposal.proponent, proposal.number)


def proponent_revises(at, proposal):
    at.game.revise(proposal.proponent, at.enact("", "Better."), proposal.number)


def stranger_revises(at, proposal):
    at.game.revise(someone_else(at, proposal), at.enact("", "Worse."), proposal.number)


def stranger_argues(at, proposal):
    at.game.say(someone_else(at, proposal), "This is destructive of play.")


EVERYWHERE = [
    # 101: everyone obeys the rules in force
    probe(101, "a-rule-voids-101", "on enacted when rule == this: void rule_numbered(<101>) against this",
          "refused or defeated",
          "what the initial set says is in effect until it is changed the proper way; no lower rule switches it off",
          there(101)),
    # 102: standing goes by what a rule is, not by its number; any initial rule may be transmuted
    probe(102, "low-numbers-stay", 'forbid propose when change.kind == "transmute" and target.number < <201>',
          "defeated", "initial rules may be transmuted whatever their numbers are", proposes(transmuting(113))),
    probe(102, "transmuting-does-nothing", 'set transmute.tier to "mutable"', "defeated",
          "to transmute is to change from one standing to the other, so a mutable rule becomes immutable",
          standing_after(transmuting(206), "immutable", "mutable")),
    probe(102, "standing-by-number", 'set enact.tier to ("immutable" if proposal.number % 2 == 0 else "mutable")',
          "defeated", "standing has nothing to do with numbers, and what is enacted is mutable (103)",
          standing_after(idle, "mutable", "immutable")),
    # 103: what a rule-change is
    probe(103, "amending-the-immutable", 'allow propose when change.kind == "amend"', "defeated",
          "only mutable rules are amended; a mutable permission does not open an immutable rule",
          proposes(amending(112), False)),
    probe(103, "repealing-the-immutable", 'allow propose when change.kind == "repeal"\nprevails over <103>, <110>',
          "defeated", "only mutable rules are repealed, whatever a mutable rule claims",
          proposes(repealing(112), False)),
    probe(103, "all-changes-allowed", "allow propose", "defeated", "as before, said without a condition",
          proposes(amending(104), False)),
    probe(103, "adding-to-the-immutable", 'allow propose when change.tier == "immutable"', "defeated",
          "an amendment beside the text is an amendment too", proposes(lambda at: _beside(at, 112), False)),
    probe(103, "no-transmuting", 'forbid propose when change.kind == "transmute"', "defeated",
          "transmuting is a kind of rule-change, and to be adopted if all are for it (109)",
          proposes(transmuting(112))),
    probe(103, "new-rules-immutable", 'set enact.tier to "immutable"', "defeated",
          "what can be enacted is a mutable rule", standing_after(idle, "mutable", "immutable")),
    probe(103, "bars-its-own-end", "forbid propose when target == this", "defeated",
          "no rule is immune to change: this one would be, for good", proposes(own_repeal)),
    probe(103, "an-effect-repeals-the-immutable", "on said: repeal rule_numbered(<112>)", "refused or defeated",
          "an immutable rule is not repealed, by no rule of lower standing either",
          seen(lambda at: (at.game.say("Ben", "now"), at.heed(), at.numbered(112) in at.game.rules)[-1], True, False)),
    # 104: proposals are voted on, and adopted if and only if they get the votes
    probe(104, "always-adopted", "set vote.adopted to true", "defeated",
          "without the votes that are needed nothing is adopted", outcome_of(idle, "defeated", "adopted", ALL)),
    probe(104, "a-veto", 'set vote.adopted to not any(p.name == "Ben" for p in opponents)\nprevails over <104>',
          "defeated", "with the votes that are needed it is adopted, whoever is against it",
          outcome_of(idle, "adopted", "defeated", ["Ben"]), before=MAJORITY),
    probe(104, "proposing-ends-the-turn", "on proposed: end turn", "refused or defeated",
          "every proper proposal is voted on", outcome_of(idle, "adopted", "lapsed")),
    probe(104, "never-a-vote", "set debate.ended_by to []", "defeated",
          "every proper proposal is voted on, so its debate can be ended", debated(proponent_calls)),
    # 105: everyone votes
    probe(105, "cleo-has-no-vote", 'forbid vote when player.name == "Cleo"', "defeated", "every player may vote",
          votes("Cleo")),
    probe(105, "only-proponents-vote", "forbid vote when player != proponent\nprevails over everything", "defeated",
          "every player may vote, and no claim of a mutable rule changes that", votes("Cleo")),
    probe(105, "a-small-electorate", "set vote.electorate to [proponent]\nprevails over <105>", "defeated",
          "every player is a voter", term("vote.electorate", ALL, ["Ann"], idle)),
    probe(105, "a-vote-cast-for-her", 'on vote_opened: cast "for" for player_named("Cleo")', "refused or defeated",
          "she is the one who votes; a ballot filled in by a rule takes that from her", votes("Cleo")),
    # 106: written down first, and in force as it was voted on
    probe(106, "revised-while-voting", "allow revise", "defeated",
          "what some have voted on already is the text that all vote on", seen(revised_in_the_vote, False, True)),
    # 107: no effect before the vote is complete
    probe(107, "repealed-on-proposing", 'on proposed when change.kind == "repeal": repeal target',
          "refused or defeated", "no change takes effect before the vote on it is complete",
          seen(before_the_vote_ends, True, False)),
    # 108: a changed rule takes the number of the proposal
    probe(108, "old-numbers-stay", "set rule.takes_number to false\nprevails over <108>", "defeated",
          "a rule that is amended receives the number of the proposal", seen(kept_number, True, False)),
    # 109: to open an immutable rule takes everyone
    probe(109, "one-vote-is-enough", "set vote.quota to 1", "defeated",
          "a low quota is no quota for transmuting what is immutable",
          outcome_of(transmuting(112), "defeated", "adopted", ["Ben"]), amends=203),
    probe(109, "one-vote-opens", 'set vote.quota to 1 while change.kind == "transmute"\nprevails over <109>, <203>',
          "defeated", "it is adopted only if the vote is unanimous",
          outcome_of(transmuting(112), "defeated", "adopted", ["Ben"])),
    probe(109, "a-vote-of-no-weight", 'set vote.weight to 0 while voter.name == "Cleo"\nprevails over <207>',
          "defeated", "Cleo may vote and votes against, so the vote is not unanimous, whatever her ballot weighs",
          outcome_of(transmuting(112), "defeated", "adopted", ["Cleo"])),
    probe(109, "an-effect-opens", "on enacted when rule == this: transmute rule_numbered(<112>)", "refused or defeated",
          "not all were for it", there(112, tier="immutable"), before=MAJORITY, against=("Cleo",)),
    probe(109, "an-effect-opens-later", "on said: transmute rule_numbered(<112>)", "refused or defeated",
          "nobody proposed, in so many words, to transmute it now, and not all were for it",
          seen(lambda at: (at.game.say("Ben", "now"), at.heed(), _standing(at, 112))[-1], "immutable", "mutable"),
          before=MAJORITY, against=("Cleo",)),
    # 110: the immutable prevails, the mutable rule is void altogether
    probe(110, "wholly-void", "set vote.electorate to []\nset vote.weight to 5\nprevails over <207>", "void",
          "a rule with one clause against an immutable rule is void with all of its clauses",
          term("vote.weight", 1, 5, idle)),
    probe(110, "wholly-void-by-a-forbid",
          'forbid vote when player.name == "Cleo"\nset vote.weight to 5\nprevails over <207>', "void",
          "a conflict over one player's right is a conflict: the whole rule is void", term("vote.weight", 1, 5, idle)),
    probe(110, "mutable-first", 'set precedence.tiers to ["mutable", "immutable"]', "defeated",
          "that immutable rules prevail is itself immutable",
          seen(lambda at: at.game.law["precedence.tiers"].value[0], "immutable", "mutable")),
    probe(110, "nothing-is-void", "set precedence.void to []\nprevails over <110>", "defeated",
          "a mutable rule in conflict is void", seen(void_again, True, False)),
    probe(110, "claims-to-prevail", "set vote.electorate to []\nprevails over <105>, <110>", "defeated",
          "no claim lifts a mutable rule over an immutable one", term("vote.electorate", ALL, [], idle)),
    probe(110, "a-rule-voids-105", "on enacted when rule == this: void rule_numbered(<105>) against this",
          "refused or defeated", "the mutable rule is the void one", there(105)),
    # 111: others may argue, the proponent decides the form and ends the debate
    probe(111, "others-decide-the-form", "set debate.final_form_by to [p for p in playing if p != proponent]",
          "defeated", "the proponent decides the final form", debated(proponent_revises)),
    probe(111, "nobody-revises", "forbid revise", "defeated", "the proponent decides the final form",
          debated(proponent_revises)),
    probe(111, "a-stranger-revises", "allow revise", "defeated",
          "the proponent decides the final form, and nobody else", debated(stranger_revises, published=False)),
    probe(111, "others-end-the-debate", "set debate.ended_by to [p for p in playing if p != proponent]", "defeated",
          "the proponent decides when debate ends, as long as no Judge was asked to", debated(proponent_calls)),
    probe(111, "no-call-by-proponents", "forbid call_vote when player == proponent", "defeated",
          "the proponent decides when debate ends", debated(proponent_calls)),
    probe(111, "silence-in-debate", "forbid say when player != mover", "defeated",
          "the others may argue against a proposal before the vote", debated(stranger_argues)),
    # 113: leaving is always possible
    probe(113, "nobody-leaves", "forbid forfeit when turn > 0", "defeated", "a player can always forfeit", leaves()),
    probe(113, "nobody-leaves-it-says", "forbid forfeit\nprevails over everything", "defeated",
          "a player can always forfeit, whatever a mutable rule claims", leaves()),
    probe(113, "no-leaving-from-debts", 'forbid forfeit when player.name == "Cleo" or part == "proposal"', "defeated",
          "a player can forfeit rather than take a penalty, at any moment", leaves()),
    probe(113, "leaving-leads-back", "on forfeited: enter player player.name as person", "refused or defeated or asked",
          "who forfeits has left and need not continue to play; whether a rule may offer a way back is not said",
          leaves()),
    # 114: one mutable rule, and rule-changes that can be adopted
    probe(114, "nobody-proposes", "forbid propose", "refused or defeated", "rule-changes never become impermissible",
          proposes(idle)),
    probe(114, "nobody-proposes-later", "forbid propose when turn > 4", "refused or defeated",
          "neither now nor later: from then on there would be no way back", proposes(idle, after=4)),
    probe(114, "too-many-votes", "set vote.quota to 100\nprevails over <203>", "works",
          "bad, but not complete: immutable rules can still be opened if all are for it (109)",
          outcome_of(idle, "adopted", "defeated")),
    probe(114, "too-many-votes-to-open", "set vote.quota to 100\nprevails over everything", "defeated",
          "that opening stays possible is not for a mutable rule to end",
          outcome_of(transmuting(112), "adopted", "defeated")),
    probe(114, "turns-without-proposals", 'set turn.parts to ["throw"]\nprevails over everything',
          "refused or defeated", "rules are changed only where a rule lets people propose (116), and then none would",
          seen(lambda at: "proposal" in at.game.law["turn.parts"].value, True, False)),
    probe(114, "no-mutable-rule",
          'on enacted each r in [q for q in rules if q.tier == "mutable"] when rule == this: repeal r',
          "refused or defeated or asked",
          "one mutable rule is always left (which, and what of the rest, the text leaves open)",
          seen(lambda at: mutable_rules(at) >= 1, True, False)),
    # 115: rules on rule-changes can be changed like others, and so can a rule by its own authority
    probe(115, "203-is-shut", "forbid propose when target.number == <203>", "defeated",
          "rules needed for rule-changes are changed as freely as others, whatever a rule says",
          proposes(amending(203))),
    probe(115, "no-change-of-quotas", 'forbid propose when "vote.quota" in change.keys', "defeated",
          "the same, where a rule looks at what changes say",
          proposes(new("set vote.quota to 2\nprevails over <203>"))),
    probe(115, "its-own-repeal",
          'forbid propose when target == this and change.kind == "repeal"\nprevails over everything', "defeated",
          "nothing is impermissible only for being about itself", proposes(own_repeal)),
    probe(115, "its-own-amendment", "forbid propose when target == this", "defeated",
          "nothing is impermissible only for being about itself", proposes(own_amendment)),
    probe(115, "115-is-shut", 'forbid propose when target.number == <115>', "defeated",
          "the rule on self-reference can be transmuted like any other", proposes(transmuting(115))),
    # 116: what is not prohibited is permitted, save changing the rules
    probe(116, "all-else-forbidden", 'set acts.unregulated to "forbidden"', "defeated",
          "what no rule speaks of is permitted", can(lambda at: at.game.do("Ann", "act", text="hum a tune"))),
    probe(116, "no-humming", 'forbid act when player.name == "Ann"', "works",
          "a mutable rule may prohibit what was free", can(lambda at: at.game.do("Ann", "act", text="hum a tune"))),
    probe(116, "changes-unregulated", 'set acts.rule_change to "allowed"', "defeated",
          "rules are changed only in the ways that rules permit: an immutable one is not amended",
          proposes(amending(112), False)),
    probe(116, "short-changes-only", "forbid propose when change.length > 6", "works",
          "what a proper proposal looks like mutable rules may say: others can still be made",
          proposes(new("", "This goes on and on and on and on."), True)),
    probe(116, "ben-does-not-propose", 'forbid propose when player.name == "Ben"\nprevails over <201>, <202>', "works",
          "who may propose a mutable rule may limit, if it goes before the rules on turns",
          seen(ben_proposes, True, False)),
]  # fmt: skip


#: Where turns come one after the other, and proposals are numbered in the same way.
TURN_BY_TURN = [
    probe(105, "voting-is-free", "set vote.duty to false\nprevails over <105>", "defeated",
          "every voter must take part in every vote", term("vote.duty", True, False, idle)),
    probe(108, "numbers-jump", "set proposal.first_number to 900\nprevails over <108>", "defeated",
          "each proper proposal receives the next number", seen(lambda at: at.propose(idle(at)).number, 302, 900)),
    probe(108, "numbers-from-outside", 'set proposal.numbering to "assigned"', "defeated",
          "each proper proposal receives the next number", term("proposal.numbering", "successive", "assigned")),
    probe(116, "play-goes-on-without-ben", 'forbid propose when player.name == "Ben"\nprevails over <201>, <202>',
          "works", "and then the turn of the one who may not propose passes: nobody waits, nobody has won",
          seen(authors, ["Ann", "Ben", "Cleo"], ["Ann", "Cleo"])),
    probe(116, "limited-each-third-turn", "forbid propose when turn % 3 == 2\nprevails over <201>, <202>", "works",
          "a limit on when to propose leaves other turns open", seen(ben_proposes, True, False)),
]  # fmt: skip

#: Where the note in 103 says that mutable rules may be amended and repealed as long as they are mutable.
MUTABLE_MEANS_OPEN = [
    probe(103, "206-is-shut", "forbid propose when target.number == <206>", "defeated",
          "mutable rules, as long as they are mutable, may be amended or repealed", proposes(amending(206))),
]  # fmt: skip

#: Where 103 only says that no rule is absolutely immune.
NONE_IS_IMMUNE = [
    probe(103, "206-is-shut", "forbid propose when target.number == <206>", "works or defeated",
          "the note says only that no rule is absolutely immune: this rule can be repealed, and then 206 changed; yet 103 "
          "has it that to amend a mutable rule is a rule-change, and as long as this stands, 206 is immune",
          proposes(amending(206))),
]  # fmt: skip


def _beside(at, number):
    import nomic_nb as nb

    return nb.amend(at.numbered(number), "And cake.", add=True)


def _standing(at, number):
    number = at.numbered(number)
    return at.game.rules[number].tier if number in at.game.rules else "mutable"
