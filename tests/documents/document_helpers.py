"""Games for the tests of documents, and parsers to look at what is made of them."""

from __future__ import annotations

import contextlib
import random
import re
from html.parser import HTMLParser
from xml.etree.ElementTree import Element, SubElement

import nomic_nb as nb

DUMMY = """on enacted when rule == this: enter player "Dov" as dummy
on vote_opened: roll 1 of 6 as face; cast "for" if face >= 4 else "against" for "Dov\""""
SEALED = 'set vote.ballots to "sealed"'
#: Markup in every shape, which must come out as nothing but text.
NASTY = '<script>alert(1)</script><img src=x onerror=alert(1)> [a](http://evil.example) `x` $y$ \\[z\\] & &lt; *b* "q"'


def ballots(game, against=()):
    """Everyone who may vote does, and says yes except those named."""
    while voters := [one.player for one in game.pending if one.action == "vote"]:
        game.vote(voters[0], "against" if voters[0] in against else "for")


def put(game, change, against=()):
    proposal = game.propose(game.player, change)
    ballots(game, against)
    return proposal


def turn(game, change, against=(), face=1):
    proposal = put(game, change, against)
    if not game.over:
        game.roll(game.player, face)
    return proposal


def everything():
    """Play a game in which everything happens that documents have to show."""
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=3, terms={"win.points": 30})
    turn(game, nb.library.simple_majority().change(203), face=4)
    game.annotate("Majorities make the game lively.\n\nThey always do.", "!", at=8)
    turn(game, nb.enact("Nobody throws any more.", title="No throws"), against=("Ann", "Cleo"), face=2)
    game.annotate("Nobody had asked Ann.", "?!")
    turn(game, nb.transmute(108), face=3)
    turn(
        game,
        nb.amend(303, "Proposals are numbered from 301.\n\n- One by one.\n- Never twice."),
        against=("Ben",),
        face=5,
    )
    turn(game, nb.enact("Dov joins, a dummy who throws for its vote.", law=DUMMY, title="Dov"), face=1)
    game.say("Ann", "Welcome, Dov!")
    game.act("Ben", "pours tea for everyone")
    penalty = nb.library.penalty_for("interrupting", points=2).change()
    asks = (
        f'{penalty.law}\non said when text == "whistling?" and "May I whistle while others think?" != "": '
        "put points of player at 1 / (turn - turn)"
    )
    turn(game, nb.enact(penalty.wording, law=asks, title=penalty.title), face=2)
    game.report("Cleo", "Ben", "interrupting")
    game.fork().propose("Ann", nb.repeal(206))
    game.say("Ben", "whistling?")
    for player in ("Ann", "Ben"):
        game.choose(player, "yes")
    game.choose("Cleo", "no")
    game.undo()
    game.choose("Cleo", "yes")
    put(game, nb.repeal(206))
    game.roll("Ann")
    game.undo()
    game.annotate("The die had rolled off the table.", "□", at=len(game.timeline.events))
    game.roll("Ann", 2)
    game.host.correct('award 2 points to "Ben"', agreed=["Ann", "Ben", "Cleo"], reason="the tea")
    game.apply("Cleo", 210, 'award 1 points to "Ann"')
    game.choose("Ann", "yes")
    game.choose("Ben", "yes")
    game.host.absent("Cleo")
    game.host.present("Cleo")
    judged(game)
    game.propose("Ben", nb.enact("Hm."), debate=True)
    game.revise("Ben", nb.amend(208, law="set win.points to 12", title="A dozen"))
    game.call_vote("Ben")
    ballots(game)
    while not game.over:
        if game.pending[0].action == "choose":
            options = game.pending[0].options
            game.choose(game.pending[0].player, "at once" if "at once" in options else options[0])
        elif game.pending[0].action == "propose":
            put(game, nb.enact("Nothing to see here.", title="Idle"))
        else:
            game.roll(game.player, 6)
    game.annotate("A dozen was too few.", "??")
    return game


def judged(game):
    """Let a question of Ben's turn go to a Judge, who is overruled, and to another, whose ruling stands."""
    game.invoke_judgment("Cleo", "Is tea a move?")
    game.rule_on("Ann", "It is.", "Somebody moved.", rests_on=[306], orders='award 50 points to "Ben"')
    game.overrule("Ben", "for")
    game.overrule("Cleo", "for")
    game.rule_on("Cleo", "It is not.", "No rule speaks of tea.", rests_on=[116, 306], orders='announce "Tea is free."')
    game.overrule("Ann", "against")
    game.consent("Ann")
    game.consent("Ben")


def nasty():
    """Play a game in which every text that people write has markup in it."""
    name = "<img src=x onerror=alert(1)>"
    other = "*[b](http://e.example/)`$\\"
    game = nb.new_game("discordian-nomic", [name, other], seed=5)
    game.say(name, NASTY)
    game.act(other, NASTY)
    game.report(name, other, "<b>`deed`</b> [x](http://evil.example)")
    put(
        game,
        nb.enact(
            NASTY,
            title="<i>*title*</i> [x](http://evil.example)",
            law=f'on said when text == "{"<u>&`"}": award 1 points to player\n'
            'on said when text == "ask" and "<b>ask</b> [x](http://evil.example)" != "": '
            "put points of player at 1 / (turn - turn)",
        ),
    )
    game.roll(name, 1)
    put(
        game,
        nb.amend(
            203,
            f"{NASTY}\n\n# Head\n\n- - {NASTY}\n1. > {NASTY}\n\n<div>\n\n    code\n\n---\n\n[x]: http://evil.example",
            title="</title><b>",
        ),
    )
    game.annotate(NASTY, "!?")
    game.annotate(f"{NASTY}\n\n# Head\n\n[x]: http://evil.example\n\n```\n<b>", "", at=1)
    game.roll(other, 1)
    game.annotate(NASTY)
    game.undo()
    game.invoke_judgment(name, NASTY)
    game.rule_on(other, NASTY, NASTY, rests_on=[301], orders='announce "<b>heard</b> [x](http://evil.example)"')
    game.overrule(name, "against")
    game.say(other, "ask")
    game.choose(name, NASTY)
    game.choose(other, "<b>no</b>")
    fork = game.fork()
    fork.choose(other, NASTY)
    game.choose(other, NASTY)
    game.host.correct(f'award 1 points to "{name}"', agreed=[name, other], reason=NASTY)
    game.apply(name, 210, 'announce "<b>boo</b> [x](http://evil.example)"')
    return game


ODD = "1 // (turn - turn) > 0"


def odd_game():
    """Play a game with choices, skipping, attempts that the law does not decide, a pause, and somebody who leaves."""
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo", "Dee"], seed=11)
    gift = 'on said when text == "gift": let player choose n from [1, 2, 3] or none; award n points to player'
    turn(game, nb.enact("Say gift and choose.", law=gift))
    turn(game, nb.enact("Skip if you like.", law="allow skip\nprevails over 201"))
    game.say("Dee", "gift")
    game.choose("Dee", 2)
    game.skip("Cleo")
    forbids = (
        f'forbid say when text == "odd" and {ODD}\nforbid roll when player.name == "Ann" and {ODD}\nprevails over 202'
    )
    turn(game, nb.enact("Odd.", law=forbids))
    game.say("Ann", "odd")
    settle(game, "false")
    game.host.pause()
    game.annotate("A rest.", at=1)
    game.host.resume()
    put(game, nb.amend(204, "Beside it.", add=True), against=("Dee",))
    with contextlib.suppress(nb.IllegalAction, StopIteration):  # the table is asked, which is what is wanted
        game.roll("Ann", 2)
    settle(game, "true")
    game.undo(game.timeline.end_of_step(30))
    game.act("Ben", "starts anew")
    game.forfeit("Dee")
    return game


def settle(game, answer):
    while game.state.questions:
        asked = game.state.questions[0]
        game.choose(next(name for name in asked.who if name not in asked.answers), answer)


def sealed_game():
    """Play until a vote is open in which ballots are sealed, and one is cast."""
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=5)
    turn(game, nb.enact("Ballots are sealed.", law=SEALED))
    game.propose("Ben", nb.enact("Secret."))
    game.vote("Ben", "for")
    game.vote("Cleo", "against")
    return game


def random_game(seed, steps=60):
    """Play at random whatever is pending, with talk, hosts, comments and undoing in between."""
    chance = random.Random(seed)
    names = ["Ann", "Ben", "Cleo", "Dee"][: chance.randint(2, 4)]
    game = nb.new_game("discordian-nomic", names, seed=seed)
    for _ in range(steps):
        if game.over:
            break
        try:
            _step(game, chance)
        except (nb.IllegalAction, nb.LawError):
            continue
    return game


def _step(game, chance):
    if chance.random() < 0.2:
        _aside(game, chance)
        return
    pending = [one for one in game.pending if one.must] or list(game.pending)
    one = chance.choice(pending)
    player = one.player or chance.choice(game.state.person_names)
    if one.action == "propose":
        game.propose(player, _change(game, chance), debate=chance.random() < 0.15)
    elif one.action == "vote":
        game.vote(player, "for" if chance.random() < 0.8 else "against", one.proposal)
    elif one.action == "roll":
        game.roll(player, *([] if chance.random() < 0.5 else [chance.randint(1, 6)]))
    elif one.action == "choose":
        game.choose(player, one.options[0] if one.options else chance.choice(["yes", "2", "true", "[]"]))
    elif one.action == "rule_on":
        game.rule_on(
            player, "So be it.", "It's said.", [chance.choice(list(game.rules)).number], _orders(chance), one.id
        )
    elif one.action in ("overrule", "consent"):
        game.do(player, one.action, ballot=chance.choice(one.options), judgment=one.id)
    elif one.action == "revise":
        game.revise(player, _change(game, chance))
    elif one.action == "call_vote":
        game.call_vote(player)
    else:
        game.do(player, one.action)


def _orders(chance):
    return chance.choice(["", "", 'announce "So it is."', 'award 1 points to "Ann"\naward 1 points to "Ben"'])


def _change(game, chance):
    rules = list(game.rules)
    rule = chance.choice(rules)
    n = len(game.proposals)
    return chance.choice([
        nb.enact(f"Number {n} it is.\n\n- \"One\"\n- 'two'"),
        nb.enact("Sealed.", law=SEALED),
        nb.enact("Half.", law="set vote.quota to majority(vote.electorate)", title="Half"),
        nb.enact("Tea.", law='on said when text == "tea": award 1 points to player'),
        nb.library.penalty_for("yawning").change(),
        nb.repeal(rule.number),
        nb.transmute(rule.number),
        nb.amend(rule.number, f"Rule {n}, in other words: \\n is no line."),
        nb.amend(rule.number, "Beside it.", add=True),
        nb.library.simple_majority().change(203 if 203 in game.rules else None),
    ])  # fmt: skip


def _aside(game, chance):
    names = list(game.state.person_names)
    one = chance.choice(names)
    chance.choice([
        lambda: game.say(one, "tea"),
        lambda: game.say(one, "It's \"tea\"\nand \\more"),
        lambda: game.act(one, "waves"),
        lambda: game.report(one, chance.choice(names), "yawning"),
        lambda: game.annotate("Well, 'well'.", chance.choice(["", "!", "??"]), chance.choice([None, 1, 5])),
        lambda: game.undo(),
        lambda: game.undo(game.timeline.end_of_step(chance.randint(5, game.state.seq))),
        lambda: game.invoke_judgment(one, "Why?"),
        lambda: game.host.absent(one),
        lambda: game.host.present(one),
        lambda: game.host.correct(f'award 1 points to "{one}"', agreed=names, reason="so it is"),
        lambda: game.host.pause(),
        lambda: game.host.resume(),
        lambda: game.apply(one, next(iter(game.rules)).number, f'award -1 points to "{one}"'),
    ])()  # fmt: skip
    if game.state.paused:
        game.host.resume()


# -------------------------------------------------------------------------------------------- looking at it


VOID = ("meta", "br", "hr", "img", "input", "link")


class _Builder(HTMLParser):
    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.root = Element("root")
        self.open = [self.root]
        self.feed(page)
        self.close()
        assert self.open == [self.root], [one.tag for one in self.open]

    def handle_starttag(self, tag, attrs):
        made = SubElement(self.open[-1], tag, {name: value or "" for name, value in attrs})
        if tag not in VOID:
            self.open.append(made)

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag

    def handle_data(self, data):
        parent = self.open[-1]
        if len(parent):
            parent[-1].tail = (parent[-1].tail or "") + data
        else:
            parent.text = (parent.text or "") + data


def tree(page):
    """A page as a parser for HTML sees it; every element must be closed where it should be."""
    return _Builder(page).root


def text(element):
    """The text of an element, blocks kept apart, with single blanks."""
    found = []

    def walk(one):
        if one.tag == "style":
            return
        if one.tag in ("p", "li", "td", "th", "div", "h1", "h2", "h3", "h4", "dt", "dd", "caption", "pre"):
            found.append(" ")
        found.append(one.text or "")
        for inner in one:
            walk(inner)
            found.append(inner.tail or "")
        if one.tag in ("p", "li", "td", "th", "div", "h1", "h2", "h3", "h4", "pre"):
            found.append(" ")

    walk(element)
    return re.sub(r"\s+", " ", "".join(found)).strip()


def flat(wording):
    return " ".join(wording.split())


def of_class(element, name):
    """Everything below an element that has a class."""
    return [one for one in element.iter() if f"nnb-{name}" in (one.get("class") or "").split()]


def links(element):
    return [one.get("href") for one in element.iter("a")]


def ids(element):
    return [one.get("id") for one in element.iter() if one.get("id")]
