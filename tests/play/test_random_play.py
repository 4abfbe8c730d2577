"""Whatever players do, the law's requirements hold, play can go on or is over, and the record replays."""

from collections import defaultdict

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st
from play_helpers import sit

import nomic_nb as nb
from nomic_nb.play.commitments import Opening, commitment
from nomic_nb.play.sealing import owed

NONCE = "5a" * 32
NAMES = ("Ann", "Ben", "Cleo")
LEAST = 'require count(r for r in rules if r.tier == "mutable") >= 1'
MOST = 'require count(r for r in rules if r.tier == "mutable") <= 25'

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
    'on turn_begun: ask seats "How are you?"',
    'on said when text == "please": let player choose n from [1, 2, 3]; award n points to player',
    "on thrown: after 2 turns: award 30 points to player",
    "track pot per game from 0\non thrown: put pot at game.pot + face\nset win.points to 100 - game.pot",
    "require count(r for r in rules) <= 40",
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


ANSWERS = ("yes", "2", "[]", "true", "seats", '["claims", "lowest number"]', '"vote closed"', '"mutable"')


def propose_something(game, decision, dice):
    player = decision.player
    wished = pick_change(game, dice)
    if tried(game, lambda: game.propose(player, wished, debate=dice(5) == 0)):
        return
    numbers = known(game)
    others = [nb.enact("More."), *CHANGES, *map(nb.transmute, numbers), *map(nb.repeal, numbers)]
    assert any(tried(game, lambda other=other: game.propose(player, other)) for other in others), "no proposal is taken"


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
        player, commitment=commitment(game.state.game, owed(game.state, player).number, player, Opening("4", NONCE))
    )


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
        "close_vote": lambda: game.close_vote(player, proposal=number),
        "revise": lambda: tried(game, lambda: game.revise(player, pick_change(game, dice), proposal=number)),
        "say": lambda: game.say(player, "please"),
        "act": lambda: game.act(player, "bows"),
        "skip": lambda: game.skip(player),
    }
    ways[decision.action]()


def interfere(game, dice):
    """What anybody may do at any time, if the law lets them."""
    player = game.players[dice(len(game.players))]
    kind = dice(12)
    deeds = {
        0: lambda: game.say(player, "please"),
        1: lambda: game.report(player, "Ann", "humming"),
        2: lambda: game.apply(player, 210, 'award 1 points to "Ben"'),
        3: lambda: game.act(player, "hums"),
        4: lambda: game.invoke_judgment(player, "Is that so?"),
        5: lambda: game.forfeit(player) if dice(3) == 0 else None,
        6: lambda: game.host.overdue(player),
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
    in_force = [rule.law for rule in rules if not game.rules.void(rule)]
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


def play(numbers, tell=print):
    """Play until the numbers run out; they stand in for what players would like."""
    game = sit(*NAMES, seed=numbers[0] % 1000, terms={"win.points": 60})
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


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(numbers=st.lists(st.integers(0, 10**12), min_size=20, max_size=60))
def test_any_play_keeps_the_law_and_goes_on_or_ends_and_replays(numbers, tmp_path_factory):
    game = play(numbers, tell=note)
    path = tmp_path_factory.mktemp("play") / "game.jsonl"
    game.save(path)
    again = nb.load(path)
    assert again.state.digest() == game.state.digest()
    assert len(again.history) == len(game.history)
    assert list(again.history["what"]) == list(game.history["what"])
