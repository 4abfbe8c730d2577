"""What is done to see which of two rules prevails, as a `Look`: what is seen by the published one and by the other."""

from __future__ import annotations

from play_helpers import waiting_for
from probes.table import ASKED, Look

import nomic_nb as nb


def plain(value):
    """A value of the law with names for things; an outcome that is no answer is a question."""
    if hasattr(value, "id"):
        return value.id
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return value


def term(key, published, otherwise, change=None, **case):
    """What a term of the law is, of an empty change or of this one."""

    def see(at):
        finding = at.game.why(key, change(at) if change else None, **case)
        return plain(finding.value) if finding.answered else ASKED

    return Look(see, published, otherwise)


def can(deed, published=True):
    """Whether a deed of the sitting can be done."""
    return Look(lambda at: at.does(lambda: deed(at)), published, not published)


def seen(see, published, otherwise):
    """Anything else."""
    return Look(see, published, otherwise)


# Proposing


def proposes(change, published=True, player=None, after=0):
    """Whether a change can be proposed, after some turns."""

    def see(at):
        at.idle(after)
        at.begin(player)
        return at.does(lambda: at.propose(change(at), player))

    return Look(see, published, not published)


def outcome_of(change, published, otherwise, against=(), after=0):
    """What comes of the next proposal."""

    def see(at):
        at.idle(after)
        return at.put(change(at), against).outcome

    return Look(see, published, otherwise)


def idle(at):
    return at.enact("", "Nothing to see here.")


def new(clauses, wording="So it is."):
    return lambda at: at.enact(clauses, wording)


def amending(number, clauses=""):
    return lambda at: at.amend(number, clauses)


def repealing(number):
    return lambda at: at.repeal(number)


def transmuting(number):
    return lambda at: at.transmute(number)


def own_repeal(at):
    """The repeal of the hostile rule itself."""
    return nb.repeal(at.probe.number)


def own_amendment(at):
    """An amendment of the hostile rule itself."""
    return nb.amend(at.probe.number, "Otherwise.")


def debated(deed, published=True):
    """Whether a deed can be done in a debate; it is given the sitting and the proposal."""

    def see(at):
        proposal = at.propose(idle(at), debate=True)
        return at.does(lambda: deed(at, proposal))

    return Look(see, published, not published)


# Voting


def votes(player, published=True):
    """Whether a player can vote on what another proposes."""

    def see(at):
        proposal = at.propose(idle(at), next(one for one in ("Ben", "Ann") if one != player))
        return at.does(lambda: at.game.vote(player, "for", proposal.number))

    return Look(see, published, not published)


# The law book


def standing(number, published, otherwise):
    """The standing of a rule."""
    return Look(lambda at: at.game.rules[at.numbered(number)].tier, published, otherwise)


def standing_after(change, published, otherwise):
    """The standing of a rule that a change has made."""

    def see(at):
        proposal = at.turn(change(at))
        at.heed()
        return at.game.rules[proposal.number].tier if proposal.number in at.game.rules else "nowhere"

    return Look(see, published, otherwise)


def there(number, published=True, tier=None):
    """Whether a rule of this number, and this standing, is in force and not void."""

    def see(at):
        number_here, rules = at.numbered(number), at.game.rules
        if number_here not in rules:
            return False
        rule = rules[number_here]
        return not rules.void_reason(rule) and tier in (None, rule.tier)

    return Look(see, published, not published)


def mutable_rules(at):
    return sum(rule.tier == "mutable" for rule in at.game.rules)


# People


def leaves(player="Cleo", published=True):
    """Whether a player can forfeit, and is out of the game then."""

    def see(at):
        done = at.does(lambda: at.game.forfeit(player))
        return done and not at.game.state.players[player].playing

    return Look(see, published, not published)


def insists(player="Cleo", published=True):
    """Whether a player can invoke Judgment in Ben's turn."""

    def see(at):
        at.begin("Ben")
        return at.does(lambda: at.game.invoke_judgment(player, "Is that so?"))

    return Look(see, published, not published)


def over(published, otherwise, after=0):
    """Who has won, after some turns."""

    def see(at):
        for _ in range(after):
            if not at.game.over:
                at.idle()
                at.heed()
        return list(at.game.winners)

    return Look(see, published, otherwise)


def gains(change, player, published, otherwise, against=(), whole=False, by=None):
    """What a player gains by a vote, or by a whole turn, with such a change of this proponent."""

    def see(at):
        by_now = at.begin(by)
        before = at.game.scores[player]
        (at.turn if whole else at.put)(change(at), against, by_now)
        return int(at.game.scores[player] - before)

    return Look(see, published, otherwise)


def prevailing(key, number):
    """Which rule prevails on a term: the published one of this number, or the hostile one."""

    def see(at):
        finding = at.game.why(key)
        if not finding.answered:
            return ASKED
        return {at.numbered(number): "published", at.probe.number: "new"}.get(finding.rule, finding.rule)

    return Look(see, "published", "new")


def votes_weigh(player, published, otherwise):
    """What a player's ballot weighs in the next vote."""

    def see(at):
        number = at.put(idle(at), [name for name in at.game.players if name != player]).number
        ballots = at.game.ballots
        return int(ballots[(ballots.proposal == number) & (ballots.voter == player)].weight.iloc[0])

    return Look(see, published, otherwise)


# Turns and judgments


def next_to_propose(at):
    """Who is the next to propose."""
    return at.begin()


def first_judge(at):
    """Who is Judge of a question that Cleo insists on while Ben's proposal is debated."""
    at.propose(idle(at), "Ben", debate=True)
    at.game.invoke_judgment("Cleo", "Is that so?")
    at.heed()
    return next(iter(at.game.judgments)).judge


def decided(at):
    """A question of Cleo's in Ben's turn, decided and not overruled; its judgment."""
    at.propose(idle(at), "Ben")
    at.game.invoke_judgment("Cleo", "Is that so?")
    at.heed()
    found = next(iter(at.game.judgments))
    at.game.rule_on(found.judge, "So it is.", judgment=found.id)
    while voters := waiting_for(at.game, "overrule"):
        at.game.overrule(voters[0], "against", judgment=found.id)
    at.heed()
    return at.game.judgments[found.id]


def needs_consent(at):
    """Whether somebody's consent is asked for before the next turn."""
    decided(at)
    at.vote(at.game.proposals[list(at.game.state.proposals)[-1]])
    at.finish()
    return bool(waiting_for(at.game, "consent"))


def effective(at):
    """Whether a rule is in force as soon as the vote on it is complete."""
    return at.put(idle(at)).number in at.game.rules


def skips(at):
    """Whether the one whose turn it is can pass over it."""
    player = at.begin()
    return at.does(lambda: at.game.do(player, "skip"))


def overruled_by_one(at):
    """Whether Judge Ann is overruled where Cleo is for it, and Ben is not."""
    at.propose(idle(at), "Ben")
    at.game.invoke_judgment("Cleo", "Is that so?")
    at.game.rule_on("Ann", "So it is.")
    at.game.overrule("Cleo", "for")
    if "Ben" in waiting_for(at.game, "overrule"):
        at.game.overrule("Ben", "against")
    at.heed()
    return "overruled" in set(at.game.history.kind)


def points_of_a_dummy(at):
    """Who has won once a dummy has a hundred and fifty points."""
    at.game.say("Ben", "Points for the dummy.")
    at.heed()
    return list(at.game.winners)
