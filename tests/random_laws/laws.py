"""Laws that nobody thought about: ready-made rules with odd arguments, published clauses with one thing swapped,
and what people write when they mean something else.
"""

from __future__ import annotations

import difflib
import inspect
import re
from functools import cache

import nomic_nb as nb
from nomic_nb.engine.play.vocabulary import language

NAMES = ("Ann", "Ben", "Cleo")
#: What people say, report and do in these games, and what laws listen for.
PHRASES = ("please", "so be it", "I object")
DEEDS = ("humming", "interrupting")

#: Words that may stand for one another: what is swapped stays well typed, mostly.
SWAPS = (
    ("==", "!=", "<", "<=", ">", ">="),
    (" and ", " or "),
    (" in ", " not in "),
    ("+", "-", "*"),
    ("min(", "max("),
    ("any(", "all("),
    ("unanimity(", "majority(", "count("),
    ("playing", "seats", "players", "supporters", "opponents", "not_voted"),
    ("[proponent]", "[mover]", "[judge]", "[next_player]", "[]", "not_voted", "seats"),
    ("proponent", "player", "mover", "next_player"),
    ('"mutable"', '"immutable"', '"reading"'),
    ('"enact"', '"amend"', '"repeal"', '"transmute"'),
    ("allow ", "forbid "),
    ("votes_for", "votes_against"),
    ("p.present", "p.person", "p.playing", "p.in_turn"),
    ("true", "false"),
    ('"proposal"', '"throw"', '"moves"', '"score"', '"takeover"'),
)

#: Conditions; each needs the names that are in braces behind it.
CONDITIONS = (
    ("turn % {n} == {m}", ()), ("turn > {n}", ()), ("circuit > {n}", ()), ("count(seats) > {n}", ()),
    ("all(p.present for p in seats)", ()), ("count(proposals) > {n}", ()), ("mover == player_named({who})", ()),
    ("part == {part}", ()), ("game.heard > {n}", ()), ("any(p.tally > {n} for p in seats)", ("tally",)),
    ("player.name == {who}", ("player",)), ("player.turns > {n}", ("player",)), ("player.tally > {n}", ("player",)),
    ("player == mover", ("player",)), ("player in seats", ("player",)), ("not player.present", ("player",)),
    ("change.kind == {kind}", ("proposal",)), ("change.kind in [{kind}, {kind}]", ("proposal",)),
    ("change.length > {n}", ("proposal",)), ("proposal.turn < turn", ("proposal",)),
    ("count(opponents) > {n}", ("proposal",)), ("votes_for > {n}", ("proposal",)),
    ("mentions(change, {phrase})", ("proposal",)), ("proponent.name == {who}", ("proposal",)),
    ("target.tier == {tier}", ("proposal",)), ("proponent.tally > {n}", ("proposal",)),
    ("text == {phrase}", ("text",)), ("name == {deed}", ("name",)), ("face > {n}", ("face",)),
    ("now.hour > {n}", ()), ("now.day % {n} == {m}", ()), ("player.idle > {n}", ("player",)),
    ("proposal.hours > {n}", ("proposal",)),
    ('ballot == "for"', ("ballot",)), ("amount > {n}", ("amount",)), ("item(seats, {n}) == mover", ()),
)  # fmt: skip
EFFECTS = (
    ("award {z} tally to player", ("player",)), ("award {z} tally to seats", ()),
    ("award {z} tally to proponent", ("proposal",)), ("award {z} tally to [p for p in seats if p.tally > {n}]", ()),
    ("award {z} points to player", ("player",)), ("award {z} points to seats", ()),
    ("put heard at {n}", ()), ("put tally of seats at {n}", ()), ("put heard at game.heard + 1", ()),
    ("pay {n} tally from mover to item(seats, 1)", ()), ("oblige player to say", ("player",)),
    ("oblige player to propose", ("player",)), ("oblige player to act", ("player",)),
    ("let player choose it from numbers(1, {n}); award it tally to player", ("player",)),
    ("let item(seats, 1) choose it from seats or none; award 1 tally to it", ()),
    ("roll 1 of 6 as pips by player; award pips tally to player", ("player",)),
    ("end part", ()), ("end turn", ()), ("eliminate player", ("player",)), ("repeal this", ()),
    ("transmute this", ()), ("repeal rule_numbered({rule})", ()), ("transmute rule_numbered({rule})", ()),
    ("after {n} turns: award {z} tally to seats", ()), ("after {n} days: award {z} tally to seats", ()),
    ("after {n} hours: put heard at {n}", ()), ("after {n} circuits: award {z} points to player", ("player",)),
    ('announce "So it is."', ()),
    ('let seats choose answer from any text asking "Is that so?"', ()), ("void rule_numbered({rule}) against this", ()),
    ("when player.tally > {n}: (award {z} tally to player; end part)", ("player",)),
    ("each p in seats when p.tally < {n}: (award 1 tally to p; when p.tally == 0: award {z} points to p)", ()),
    ("after {n} turns: each p in seats: when p.tally > 0: award -1 tally to p", ()),
    ('let seats choose said from ["yes", "no"] or none; award {z} tally to who(said, "yes")', ()),
    ("let seats choose some said from playing in secret within {n} turns; award 1 tally to most(said)", ()),
    ("let player choose it from any number within {n} turns else 0; put heard at count([it])", ("player",)),
    ("let chance choose it from seats; award {z} tally to it", ()),
)  # fmt: skip

#: What people write when they mean something else.
SLIPS = (
    "forbid call_vote when game.heard == 0\non said when text == {phrase}: put heard at 1",
    "forbid call_vote when proponent.tally < {n}\non said: award 1 tally to player",
    "forbid begin_turn when player.tally < {n}\non deed: award 1 tally to player",
    "forbid roll when game.heard == 0\non free_act: put heard at 1",
    "forbid propose when game.heard < {n}\non said when text == {phrase}: put heard at game.heard + 1",
    "forbid vote when player.tally > 0\nallow give\non proposed: award 1 tally to player",
    "allow propose when change.kind in [{kind}, {kind}]", "allow propose", "forbid propose when turn % {n} == 0",
    "forbid propose when player.name == {who}", "forbid propose when change.length < {n}",
    "forbid propose when not mentions(change, {phrase})", "forbid call_vote when game.heard == 0",
    "forbid call_vote when proposal.turn == turn", "forbid begin_turn when not all(p.present for p in seats)",
    "forbid begin_turn when player.tally == 0", "forbid begin_turn when turn > {n}", "forbid vote when player != mover",
    "forbid vote when player.name == {who}", "forbid roll when game.heard == 0", "forbid choose", "forbid close_vote",
    "forbid say when text != {phrase}", "forbid forfeit", "forbid end_turn when game.heard == 0",
    "allow skip when player.tally > {n}", "allow skip", "allow give when amount < {n}", "forbid move when turn > {n}",
    "set vote.quota to {n}", "set vote.quota to count(seats) + 1", "set vote.quota to 1\nset vote.quota to 2",
    "set vote.quota to 2/3", "set vote.weight to (2 if voter == proponent else 1)", "set vote.weight to {n}",
    "set vote.weight to voter.tally", "set vote.duty to false\nset vote.ended_by to []", "set vote.duty to false",
    "set vote.electorate to [p for p in seats if p != proponent]", "set vote.electorate to []",
    "set vote.changeable to true", 'set vote.ballots to "sealed"', "set vote.adopted to votes_for > votes_against",
    "set debate.ended_by to []", "set debate.ended_by to [p for p in seats if p.tally > {n}]",
    "set turn.parts to [{part}]", "set turn.parts to []", "set turn.parts to [{part}, {part}]",
    "set turn.sequence to reversed(seats)", "set turn.sequence to [p for p in seats if p.tally == 0]",
    "set turn.sequence to []", 'set turn.start to "at will"', 'set turn.ended_by to "player"',
    "set turn.overlap to true", "set turn.next to [item(seats, {n})]", "set turn.next to [player_named({who})]",
    "set dice.sides to {n}", "set dice.sides to 6\nset dice.sides to 8", 'set dice.source to "table"',
    'set dice.source to "seeded"', "set win.winners to [p for p in seats if p.tally >= {n}]\nprevails over everything",
    "set win.winners to [player_named({who})] while turn > 0\nprevails over everything", "set win.points to {n}",
    "set win.points to 1000", "set change.effective to {when}", "set enact.tier to {tier} while turn > 0",
    "set precedence.by to []", 'set precedence.by to ["newest"]', 'set precedence.tiers to ["mutable", "immutable"]',
    "set precedence.tiers to [{tier}, {tier}] while turn > 0\nprevails over everything", "set precedence.void to []",
    'set acts.unregulated to "forbidden"', "set rule.takes_number to false", "set win.when_stuck to seats",
    "set win.when_stuck to []\nprevails over everything", "set judge.play_waits to false", "set judge.candidates to []",
    "set proposal.first_number to {n}", "require count(rules) > {n}", "require turn < {n}",
    "on said when text == {phrase}: put heard at game.heard + 1", "on deed: award 1 tally to player",
    "on turn_ended each p in seats: award 1 tally to p", "on circuit_ended: award 1 tally to seats",
    "on adopted each p in supporters: award 2 tally to p", "on defeated each p in opponents: award 2 tally to p",
    "on turn_begun: let player choose it from [1, 2, 3]; award it tally to player",
    "on turn_begun: let item(seats, count(seats)) choose it from seats; award 1 tally to it",
    "on adopted each p in seats: let p choose it from [1, 2]; award it tally to p",
    "on vote_opened: cast \"for\" for proponent", "on thrown when face > {n}: eliminate player",
    "on adopted when turn > {n}: eliminate proponent", "on counted: award 1 tally to seats",
    "on part_ended each p in [q for q in seats if q != player]: award 1 tally to p",
    "on vote_closed each p in players: award 1 tally to p", "on balloted each p in seats: award 1 tally to p",
    "instead of captured when turn > {n}: remove piece", "instead of won: put points of winners at 0",
    'instead of won when turn > {n}: announce "Not yet."', "instead of eliminated: award -1 points to player",
    "instead of defeated when votes_for > {m}: award 1 tally to proponent",
    "offer {phrase}: award {z} tally to player", "offer {phrase} when player.tally < {n}: award {z} tally to player",
    "offer {phrase} to {who}: oblige player to propose", "offer {phrase}: eliminate player",
    "forbid call_vote when game.heard == 0\noffer {phrase}: put heard at 1",
    "forbid roll when game.heard < {n}\noffer {phrase} when player.tally < {n}: put heard at game.heard + 1",
    "offer {phrase}: let player choose it from seats; award 1 tally to it",
    "on taken: award 1 tally to player\noffer {phrase}: after {n} hours: put heard at 1", "forbid take when turn > {n}",
    "forbid roll when now.hour < 12", "on day_begun: award 1 tally to seats", "forbid propose when now.day % 2 == 0",
    "forbid call_vote when proposal.hours < {n}", "forbid vote when now.weekday == \"Sunday\"",
    "on proposed: after {n} hours: put heard at 1\nforbid call_vote when game.heard == 0",
    "on adopted: after {n} turns: award {z} tally to seats",
    "forbid roll when player.name == {who}\nprevails over everything",
    "forbid roll when game.heard == 0\non said when text == {phrase}: put heard at 1\nprevails over everything",
    "on turn_begun: roll 1 of 6 as pips by player; award pips tally to player\nforbid roll when player.tally > {n}",
    "track heed per text from 0\non said: award 1 heed(text)\non said when heed(text) > {n}: put heed(text) at 0",
    "track owes per player, player from 0\non turn_ended each p in seats: award 1 owes(player, p)",
    "track owes per player, player from 1\non turn_ended each p in seats: pay owes(player, p) tally from player to p",
    "track weight per rule from rule.made\non enacted: award {n} weight(rule); put weight(this) at {n}",
    "track ward per player as player from none\non said: put ward(player) at mover; award 1 tally to ward(player)",
    "track gold per player from {n} hidden\non said: award 1 gold to player; reveal gold of player",
    'set counter.value to min([otherwise, {n}]) while counter == "tally"', "set counter.value to was + 2 * amount",
    "set counter.value to was while amount < 0 and player.name == {who}", "set counter.value to otherwise / {n}",
    "set counter.value to max([otherwise, {n}])\non withheld: award amount tally to player",
)  # fmt: skip


@cache
def makers():
    """The functions that make ready-made rules, with their parameters."""
    return [(one.make, tuple(inspect.signature(one.make).parameters.values())) for one in nb.library.catalogue]


def ready_made(dice):
    """A ready-made rule with arguments near those that it has by itself, or far from them."""
    while True:
        make, parameters = dice.choice(makers())
        given = {}
        for one in parameters:
            if dice.random() < 0.5:
                continue
            if isinstance(one.default, bool):
                given[one.name] = not one.default
            elif isinstance(one.default, int):
                given[one.name] = dice.choice((0, 1, 2, 3, one.default + 1, one.default * 2, -one.default, 203, 1000))
            elif isinstance(one.default, str):
                given[one.name] = dice.choice((one.default, "please", "stars", "Ann", "turn ended", "K", "Q", "WF"))
        try:
            return make(**given)
        except (ValueError, TypeError, nb.LawError):
            continue


def filled(form, dice, numbers=(203,)):
    """Put something into the braces of a form."""

    def put(found):
        match found[1]:
            case "n":
                return str(dice.choice((1, 1, 2, 2, 3, 4, 7)))
            case "m":
                return str(dice.choice((0, 0, 1)))
            case "z":
                return str(dice.choice((1, 2, 3, -1, 5)))
            case "who":
                return f'"{dice.choice(NAMES)}"'
            case "phrase":
                return f'"{dice.choice(PHRASES)}"'
            case "deed":
                return f'"{dice.choice(DEEDS)}"'
            case "kind":
                return dice.choice(('"enact"', '"amend"', '"repeal"', '"transmute"'))
            case "tier":
                return dice.choice(('"mutable"', '"immutable"', '"reading"'))
            case "part":
                return dice.choice(('"proposal"', '"throw"', '"score"', '"moves"'))
            case "when":
                return dice.choice(('"turn ended"', '"circuit ended"', '"vote closed"'))
            case "rule":
                return str(dice.choice(numbers))
        raise KeyError(found[1])

    return re.sub(r"\{(\w+)\}", put, form)


def condition(bound, dice):
    """A condition that speaks of names that are bound."""
    return filled(dice.choice([form for form, needs in CONDITIONS if set(needs) <= bound]), dice)


def clause(dice, numbers):
    """A clause put together by its form: an action, a term or an event, and a condition."""
    vocabulary = language().vocabulary
    kind = dice.random()
    if kind < 0.4:
        action = dice.choice(list(vocabulary.actions.values()))
        verb = dice.choice(("forbid", "forbid", "allow"))
        bound = set(action.binds) | {"game", "tally"}
        return f"{verb} {action.name} when {condition(bound, dice)}"
    event = dice.choice([one for one in vocabulary.events.values() if not one.usual and one.name != "whenever"])
    bound = set(event.binds) | {"game", "tally"}
    effect = filled(dice.choice([form for form, needs in EFFECTS if set(needs) <= bound]), dice, numbers)
    when = f" when {condition(bound, dice)}" if dice.random() < 0.7 else ""
    return f"on {event.name}{when}: {effect}"


def mutated(law, dice):
    """The clauses of a rule with one thing swapped: an operator, a number, an event, a tier, a name."""
    found = [(at, many) for many in SWAPS for at in many if at in law]
    ways = ["number", "event", "when", *["swap"] * 3]
    match dice.choice(ways):
        case "number" if numbers := list(re.finditer(r"(?<![\w.])\d+(?![\w.])", law)):
            at = dice.choice(numbers)
            one = int(at[0])
            return law[: at.start()] + str(dice.choice((one + 1, max(0, one - 1), 0, one * 10))) + law[at.end() :]
        case "event" if events := list(re.finditer(r"\bon (\w+)", law)):
            known = list(language().vocabulary.events)
            at = dice.choice(events)
            near = difflib.get_close_matches(at[1], known, 4, 0)
            return law[: at.start(1)] + dice.choice([*near, dice.choice(known)]) + law[at.end(1) :]
        case "when" if law and not re.search(r"\n\s", law):
            lines = law.splitlines()
            at = dice.randrange(len(lines))
            word = {"set": "while", "allow": "when", "forbid": "when"}.get(lines[at].split()[0])
            if word and f" {word} " not in lines[at]:
                bound = {"proposal", "player"} if "may." in lines[at] or word == "when" else set()
                lines[at] += f" {word} {condition(bound, dice)}"
            return "\n".join(lines)
    if not found:
        return law
    one, many = dice.choice(found)
    at = dice.choice([place.start() for place in re.finditer(re.escape(one), law)])
    return law[:at] + dice.choice([two for two in many if two != one]) + law[at + len(one) :]


#: What the laws of these games count, so that they can speak of it.
COUNTED = "track tally per player from 0\ntrack heard per game from 0"


def random_law(game, dice):
    """A change that somebody might propose in a game."""
    rules = [rule for rule in game.rules if rule.tier in ("mutable", "immutable")]
    numbers = [rule.number for rule in rules]
    amendable = [rule.number for rule in rules if rule.tier == "mutable"] or numbers
    kind = dice.random()
    if kind < 0.22:
        made = ready_made(dice)
        where = dice.choice((None, None, dice.choice(amendable)))
        return made.change(where, add=where is not None and dice.random() < 0.3)
    if kind < 0.32:
        return dice.choice((nb.repeal, nb.transmute))(dice.choice(numbers))
    if kind < 0.55:
        rule = dice.choice([one for one in rules if one.law] or rules)
        law = mutated(rule.law, dice)
        if rule.tier == "mutable" and dice.random() < 0.6:
            return nb.amend(rule.number, "The same, but otherwise.", law=law)
    else:
        law = "\n".join(
            filled(dice.choice(SLIPS), dice, numbers) if dice.random() < 0.6 else clause(dice, numbers)
            for _ in range(dice.choice((1, 1, 2, 3)))
        )
    if dice.random() < 0.15 and "prevails" not in law:
        law += "\nprevails over everything"
    if dice.random() < 0.2:
        return nb.amend(dice.choice(amendable), "And this.", law=law, add=dice.random() < 0.7)
    return nb.enact("So be it.", law=law)
