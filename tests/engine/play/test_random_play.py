"""Whatever players do, the law's requirements hold, play can go on or is over, and the record replays."""

from collections import defaultdict

import pytest
from hypothesis import HealthCheck, Phase, given, note
from hypothesis import strategies as st
from often import examples
from play_helpers import sit

import nomic_nb as nb
from nomic_nb.engine.play.dice import SealOpening, commitment_hash
from nomic_nb.engine.subjects.sealed_values import owed_round

NONCE = "5a" * 32
NAMES = ("Ann", "Ben", "Cleo")
LEAST = 'require count(r for r in rules if r.tier == "mutable") >= 1'
MOST = 'require count(r for r in rules if r.tier == "mutable") <= 25'
SYSTEMS = ("discordian-nomic", "cabinet-nomic", "github-nomic")

DUMMY = """on enacted when rule == this: enter player "Dov" as dummy
on vote_opened: roll 1 of 6 as face; cast "for" if face >= 4 else "against" for "Dov\""""

LAWS = [
    "",
    "set win.points to 40\nprevails over 208",
    "set throw.points to 0 while face == 6",
    "set throw.points to face * face",
    "set throw.points to face / 3",
    "set dice.sides to 12",
    'set dice.source to "committed"',
    'set dice.source to "committed"\nset dice.unrevealed to "without"',
    "set dice.sealed_by to [p for p in seats if p != mover]",
    'on overdue when owed == "reveal": eliminate player',
    "forbid reveal when player.points > 10",
    "set dice.sides to 0",
    "set vote.quota to 1\nprevails over 203",
    "set vote.quota to 1000\nprevails over everything",
    "set vote.duty to false\nset vote.electorate to []",
    "set vote.weight to -1 while voter == proponent\nprevails over 207",
    "set turn.parts to []\nprevails over 202",
    'set turn.parts to ["throw", "proposal", "throw"]\nprevails over 202',
    "set turn.sequence to []\nprevails over 201",
    "set turn.sequence to [p for p in seats if p.points >= 0]\nprevails over 201",
    "set win.winners to [p for p in playing if p.points < 0]\nprevails over everything",
    "set win.when_stuck to seats\nprevails over everything",
    'set win.joint to "joint"',
    "set precedence.by to []\nprevails over everything",
    'set precedence.by to ["highest number"]\nprevails over everything',
    'set precedence.tiers to ["mutable"]',
    'set vote.ballots to "sealed"\nset vote.changeable to true',
    'set change.effective to "circuit ended"\nprevails over 205',
    'set change.effective to "turn ended"\nprevails over 205',
    'set proposal.on_leaving to "lapse"',
    "forbid roll\nprevails over everything",
    "forbid roll when player.points > 10",
    "forbid vote when player == proponent\nprevails over everything",
    'forbid propose when change.kind == "enact"\nprevails over everything',
    "forbid propose when turn > 6\nprevails over everything",
    "allow skip\nprevails over 201",
    "forbid choose",
    DUMMY,
    'on enacted when rule == this: enter player "Eva" as person',
    'on enacted when rule == this: enter player "Fay" as dummy',
    "on turn_begun when turn % 3 == 0: end turn",
    "on part_begun: end part",
    "on thrown when face == 1: eliminate player",
    "on counted when player.points < 1000: award 1 points to player",
    "on defeated: award 50 points to playing",
    "on adopted: repeal this",
    "on thrown each r in rules when r.author == player: repeal r",
    'on enacted each r in rules when r.tier == "mutable": transmute r',
    "on enacted each r in rules: repeal r",
    "on thrown: oblige next_player to propose",
    "on thrown: oblige player to say",
    "on balloted: end turn",
    'on turn_begun: let seats choose answer from any text asking "How are you?"',
    'on said when text == "please": let player choose n from [1, 2, 3]; award n points to player',
    "on thrown: after 2 turns: award 30 points to player",
    "track pot per game from 0\non thrown: put pot at game.pot + face\nset win.points to 100 - game.pot",
    "require count(r for r in rules) <= 40",
    'set turn.start to "at will"\nset turn.overlap to true\nprevails over everything',
    'set turn.start to "automatic"\nprevails over everything',
    'set turn.ended_by to "player"',
    "set turn.next to [item(seats, 1)] while turn % 2 == 0",
    "forbid begin_turn when player.points > 20",
    'set proposal.numbering to "assigned"\nprevails over everything',
    'set proposal.when_stale to "retarget"',
    'set proposal.when_stale to "stand"',
    'set score.half to "even"',
    "set proposal.score to proposal.number / 2\nprevails over everything",
    "set judge.play_waits to false",
    "set judge.candidates to seats\nset judge.chosen_by to judgment.by\nprevails over everything",
    "set judge.overrule_quota to 1",
    "set judge.open to turn <= judgment.turn + 1\nprevails over everything",
    "set judge.consent to count(judgment.consents) > 0\nprevails over everything",
    "set team.mates to [p for p in seats if p != player]",
    "forbid rule_on when player.points < 0",
    "forbid overrule when player.points > 10\nforbid consent when player.points < 0",
    'on said when text == "please": enact soon\ndraft soon: "Soon."\n    on thrown: award 1 points to player',
    'on turn_ended: amend this by soon\ndraft soon: "Soon."\n    set vote.quota to majority(vote.electorate)',
    "on thrown each r in rules when r.made > 0: void r against item(rules, 1)",
    "on said each r in rules when r.void: revive r",
]
CHANGES = [
    *(nb.enact(f"Rule of play {place}.", law=law) for place, law in enumerate(LAWS)),
    nb.library.simple_majority().change(203),
    nb.library.simple_majority().change(),
    nb.library.dissent_bonus(15).change(204),
    nb.library.penalty_for("humming", 3).change(),
    nb.library.cap_on_rules(14).change(209),
    nb.library.cap_on_rules(16).change(),
    nb.library.another_die(20).change(),
    nb.library.committed_dice().change(),
    nb.amend(206, "Defeat is free.", law=""),
    nb.amend(213, "Nobody wins when stuck.", law="set win.when_stuck to []"),
    nb.amend(202, "A turn is a throw.", law="", add=True),
]


#: What a Judge may order, sensible or not.
ORDERS = (
    "", "", 'announce "So it is."', 'award 2 points to "Ann"\naward -2 points to seats', "end play",
    'let seats choose answer from any text asking "Is that so?"', "oblige item(seats, 1) to say",
    "void item(rules, count(rules)) against item(rules, 1)",
    "revive item(rules, count(rules))", 'eliminate "Cleo"',
)  # fmt: skip


def known(game):
    return [rule.number for rule in game.rules if rule.tier in ("immutable", "mutable")]


def pick_change(game, dice):
    """Something from the pool, or something done to a rule in force."""
    numbers = known(game)
    kind = dice(8)
    number = numbers[dice(len(numbers))]
    if kind == 0:
        return nb.repeal(number)
    if kind == 1:
        return nb.transmute(number)
    if kind == 2:
        return nb.amend(number, "Otherwise.", law=LAWS[dice(len(LAWS))], add=bool(dice(2)))
    return CHANGES[dice(len(CHANGES))]


def tried(game, deed):
    """Do it if it is allowed; what is refused leaves no trace."""
    before = game.state.digest()
    try:
        deed()
    except (nb.IllegalAction, nb.LawError):
        assert game.state.digest() == before
        return False
    return True


ANSWERS = (
    "yes",
    "2",
    "item(seats, 1)",
    "[]",
    "true",
    "seats",
    '["claims", "lowest number"]',
    '"vote closed"',
    '"mutable"',
)


def propose_something(game, decision, dice):
    player = decision.player
    wished = pick_change(game, dice)
    taken = [number for number in (*game.proposals.frame.index, *known(game)) if isinstance(number, int)]
    given = None  # where others number proposals, any number is as good that nobody has had
    if game.law["proposal.numbering"].value == "assigned":
        first = game.law["proposal.first_number"].value
        given = max([*taken, first if isinstance(first, int) else 1]) + 1 + dice(3)
    if tried(game, lambda: game.propose(player, wished, given, debate=dice(5) == 0)):
        return
    numbers = known(game)
    others = [nb.enact("More."), *CHANGES, *map(nb.transmute, numbers), *map(nb.repeal, numbers)]
    assert any(tried(game, lambda other=other: game.propose(player, other, given)) for other in others), (
        "no proposal is taken"
    )


def answer_something(game, decision, dice, answers):
    """Options are taken as offered; all say the same, so that a question comes to its end."""
    player, mark = decision.player, decision.id
    if decision.options:
        place = answers.setdefault(mark, dice(len(decision.options)))
        game.choose(player, decision.options[place % len(decision.options)], decision=mark)
        return
    for place in range(answers.setdefault(mark, 0), len(ANSWERS)):
        answers[mark] = place
        if tried(game, lambda place=place: game.choose(player, ANSWERS[place], decision=mark)):
            return
    pytest.fail(f"no answer is taken: {decision.prompt}")


def seal_something(game, player):
    """The same nonce each time, so that play can be repeated."""
    game.seal(
        player,
        commitment=commitment_hash(
            game.state.game, owed_round(game.state, player).number, player, SealOpening("4", NONCE)
        ),
    )


def decide(game, decision, dice):
    numbers = known(game)
    rests_on = [numbers[dice(len(numbers))]]
    player, orders = decision.player, ORDERS[dice(len(ORDERS))]
    said = decision.options[dice(len(decision.options))] if decision.options else "So be it."
    if not tried(game, lambda: game.rule_on(player, said, "It is plain.", rests_on, orders, decision.id)):
        game.rule_on(player, said, judgment=decision.id)  # whatever it orders, a ruling can be made


def take(game, decision, dice, answers):
    """Answer one decision in some way that is open."""
    player, number = decision.player, decision.proposal
    ways = {
        "propose": lambda: propose_something(game, decision, dice),
        "vote": lambda: game.vote(player, "against" if dice(6) == 0 else "for", proposal=number),
        "roll": lambda: game.roll(player),
        "seal": lambda: seal_something(game, player),
        "reveal": lambda: game.host.overdue(player) if dice(8) == 0 else game.reveal(player, "4", NONCE),
        "choose": lambda: answer_something(game, decision, dice, answers),
        "call_vote": lambda: game.call_vote(player, proposal=number),
        "agree": lambda: game.agree(player, decision.options[dice(len(decision.options))], proposal=number),
        "close_vote": lambda: game.close_vote(player, proposal=number),
        "revise": lambda: tried(game, lambda: game.revise(player, pick_change(game, dice), proposal=number)),
        "say": lambda: game.say(player, (decision.options or ("please",))[0]),
        "act": lambda: game.act(player, (decision.options or ("bows",))[0]),
        "report": lambda: game.report(player, *decision.options[0].split(": ", 1)),
        "apply": lambda: game.apply(player, decision.rule, 'announce "So be it."'),
        "present": lambda: game.host.present(player),
        "overdue": lambda: game.host.overdue(player),
        "skip": lambda: game.skip(player),
        "begin_turn": lambda: game.begin_turn(player),
        "end_turn": lambda: game.end_turn(player),
        "rule_on": lambda: decide(game, decision, dice),
        "overrule": lambda: game.overrule(player, "against" if dice(3) == 0 else "for", judgment=decision.id),
        "consent": lambda: game.consent(player, decision.options[-1] if dice(4) == 0 else "for", judgment=decision.id),
    }
    ways[decision.action]()


def interfere(game, dice):
    """What anybody may do at any time, if the law lets them."""
    player = game.players[dice(len(game.players))]
    kind = dice(14)
    deeds = {
        0: lambda: game.say(player, "please"),
        1: lambda: game.report(player, "Ann", "humming"),
        2: lambda: game.apply(player, 210, 'award 1 points to "Ben"'),
        3: lambda: game.act(player, "hums"),
        4: lambda: game.invoke_judgment(player, "Is that so?"),
        5: lambda: game.forfeit(player) if dice(3) == 0 else None,
        10: lambda: game.host.overdue(player),
        6: lambda: game.begin_turn(player),
        7: lambda: game.consent(player, "against" if dice(3) == 0 else "for"),
        8: lambda: game.overrule(player, "for"),
        9: lambda: game.rule_on(player, "I say so."),
    }
    if kind in deeds:
        tried(game, deeds[kind])


def check(game):
    """What has to be so after every action."""
    pending = list(game.pending)
    if game.over:
        assert pending == []
        assert game.result
    else:
        assert pending, "nobody has anything to do, and the game is not over"
        playing = {decision.player for decision in pending}
        assert playing <= set(game.players)
    rules = list(game.rules)
    assert len({rule.number for rule in rules}) == len(rules)
    in_force = [rule.law for rule in rules if not game.rules.void_reason(rule)]
    mutable = sum(rule.tier == "mutable" for rule in rules)
    if any(LEAST in law for law in in_force):
        assert mutable >= 1
    if any(MOST in law for law in in_force):
        assert mutable <= 25
    totals = defaultdict(int)
    for entry in game.ledger:
        if entry.counter == "points":
            totals[entry.player] += entry.amount
    for player, points in game.scores.items():
        assert totals[player] == points
    check_judgments(game)


def check_judgments(game):
    """Every ruling has its Judge, and what can still be decided is on the docket."""
    for one in game.judgments:
        assert {ruling.judge for ruling in one.overruled} <= set(one.judges)
        assert (one.ruling is not None) or one.status in ("asked", "table", "closed")
        if one.status == "ruled":
            assert one.id in game.state.docket
            assert one.ruling.judge == one.judge
    for id in game.state.docket:
        assert game.judgments[id].status != "closed"


def play(numbers, tell=print, system=None):
    """Play until the numbers run out; they stand in for what players would like."""
    system = SYSTEMS[numbers[0] // 1000 % len(SYSTEMS)] if system is None else system
    game = sit(*NAMES, seed=numbers[0] % 1000, system=system, terms={"win.points": 60})
    answers = {}
    for number in numbers:
        if game.over:
            break
        tell(game.latest(1)[0])
        rest = [number]

        def dice(sides, rest=rest):
            rest[0], face = divmod(rest[0], max(sides, 1))
            return face

        pending = list(game.pending)
        decision = pending[dice(len(pending))]
        if decision.must or dice(2) or len(pending) == 1:
            take(game, decision, dice, answers)
        check(game)
        if not game.over:
            interfere(game, dice)
            check(game)
    return game


@pytest.mark.parametrize("system", SYSTEMS)
@examples(
    3,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(numbers=st.lists(st.integers(0, 10**12), min_size=20, max_size=60))
def test_any_play_keeps_the_law_and_goes_on_or_ends_and_replays(system, numbers, tmp_path_factory):
    game = play(numbers, tell=note, system=system)
    path = tmp_path_factory.mktemp("play") / "game.jsonl"
    game.save(path)
    again = nb.load(path)
    assert again.state.digest() == game.state.digest()
    assert len(again.history) == len(game.history)
    assert list(again.history["what"]) == list(game.history["what"])
