"""Whole games are played by pages alone: what a view shows is all that there is to decide."""

from __future__ import annotations

import random

import pytest
from panels.pages import Page

import nomic_nb as nb
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.notebook.panels import session

CHANGES = ("enact", "enact", "amend", "repeal", "transmute")
LAWS = (
    "", "on turn_ended: award 1 points to player",
    "set win.points to 15", "set vote.quota to majority(vote.electorate)",
    "set dice.source to \"table\"", "set dice.sides to 20", "allow skip", "set vote.duty to false",
    "on adopted: let proponent choose p from [q for q in playing if q != proponent] or none; award 1 points to p",
    "on part_begun when part == \"throw\": oblige player to say",
    "on turn_begun: roll 2 of 4 as luck; award luck points to player", "set throw.points to face / (turn - turn)",
    "set vote.ballots to \"sealed\"", "on defeated: let playing choose answer from any text asking \"What now?\"",
)  # fmt: skip


@pytest.fixture
def by_pages_only(monkeypatch):
    """Nothing is done in the game but by the message of a page."""
    done = Timeline.do

    def do(self, player, action, details):
        known = session._HUBS.get(self)
        assert known is not None, action
        assert known()._inside.acting, action
        return done(self, player, action, details)

    monkeypatch.setattr(Timeline, "do", do)


def seats(game, hot=False):
    """A page for each player, or one for all; both answer for a player by name."""
    shared = Page(game) if hot else None
    return {name: Sitting(shared or Page(game, name), name) for name in game.players}


class Sitting:
    """A player at a page, which others may share."""

    def __init__(self, page, name):
        self.page, self.name = page, name

    def does(self, action, proposal=None, **details):
        one = self.page.decision(action, proposal, self.name)
        answer = self.page.send(
            {"id": f"{len(self.page.got)}", "action": action, "key": one["key"], "details": details}
        )
        return answer.get("said") or answer["why"] + " " + answer.get("rule", "")

    def freely(self, action, **details):
        message = {"id": f"{len(self.page.got)}", "action": action, "details": details}
        if self.page.role == "table":
            message["player"] = self.name
        return self.page.send(message)

    def proposes(self, change, **more):
        return self.does("propose", change=change.to_json(), **more)

    @property
    def open(self):
        """The actions that are to be taken by this player."""
        return [one["action"] for one in self.page.asked.values() if one["player"] == self.name]

    def field(self, action, name):
        return next(one for one in self.page.decision(action, player=self.name)["fields"] if one["name"] == name)


def all_vote(people, number, against=()):
    for name, one in people.items():
        one.does("vote", number, ballot="against" if name in against else "for")


@pytest.mark.parametrize("hot", [True, False], ids=["one panel", "three pages"])
@pytest.mark.usefixtures("by_pages_only")
def test_a_whole_game(hot):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=3)
    people = seats(game, hot)
    ann, ben, cleo = people.values()

    # A refusal with its rule; a proposal that is defeated; a throw.
    assert "Rule 103, “" in ann.proposes(nb.amend(112, "To win is to be liked."))
    ann.proposes(nb.enact("Ann gets more.", 'on turn_ended: award 1 points to "Ann"', "More"))
    assert ben.open == ["vote"]
    all_vote(people, 301, against=("Ben", "Cleo"))
    assert game.proposals[301].outcome == "defeated"
    ann.does("roll")
    assert game.player == "Ben"

    # A transmutation; a throw by hand that cannot be, and one that can.
    ben.proposes(nb.transmute(112))
    all_vote(people, 302)
    assert game.rules[302].tier == "mutable"
    assert "this roll must be a whole number from 1 to 6, not 9" in ben.does("roll", value=9).lower()
    ben.does("roll", value=6)
    assert game.scores["Ben"] == 6

    # A law that cannot be read, and one that can; debated, said something to, revised, adopted.
    assert (
        "there is no key win.point"
        in cleo.proposes(nb.Game and nb.amend(208, "Forty win.", "set win.points to 40\nset win.point to 40")).lower()
    )
    assert game.player == "Cleo"
    cleo.proposes(nb.amend(208, "Whoever is first to have 40 points wins.", "set win.points to 40"), debate=True)
    assert game.proposals[303].outcome == "debate"
    assert ben.freely("say", text="40 is too many.")["said"]
    assert cleo.field("revise", "change")["begun"]["law"] == "set win.points to 40"
    asks = (
        'set win.points to 18\non said when text == "ask" and "May Ann say that?" != "": '
        "put points of player at 1 / (turn - turn)"
    )
    cleo.does("revise", change=nb.amend(208, "Whoever is first to have 18 points wins.", asks).to_json())
    cleo.does("call_vote")
    all_vote(people, 303)
    assert game.law["win.points"].value == 18
    cleo.does("roll", value=5)

    # A question: all must come to the same.
    ben.freely("say", text="ask")
    assert ann.open == ["choose"]
    for one, said in ((ann, "yes"), (ben, "no"), (cleo, "no"), (ann, "no")):
        one.does("choose", option=said)
    ann.proposes(nb.library.simple_majority().change(203))
    all_vote(people, 304)
    ann.does("roll", value=1)

    # A rule that has no answer for a throw: the table is asked for a value, and what cannot be read says where.
    ben.proposes(nb.enact("A throw is divided by nothing.", "set throw.points to face / (turn - turn)"))
    all_vote(people, 305, against=("Ann",))
    ben.does("roll", value=3)
    assert ben.open == ["choose"]
    assert ben.page.send({"id": "x", "action": "choose", "key": ben.page.decision("choose", player="Ben")["key"],
                          "details": {"option": "fase"}})["law"]["column"]  # fmt: skip
    for one in people.values():
        one.does("choose", option="face")
    cleo.proposes(nb.repeal(305))
    all_vote(people, 306)
    cleo.does("roll", value=6)
    while not game.over:
        name = game.player
        number = 301 + len(game.proposals)
        people[name].proposes(nb.enact(f"A rule of no moment, by {name}."))
        for one in people.values():
            if "vote" in one.open:
                one.does("vote", number, ballot="for")
        people[name].does("roll", value=6)
    for one in people.values():
        assert one.open == []
        assert f"{game.winner} wins" in one.page.table["game"]["heading"]


@pytest.mark.rule("github-nomic", -112)
@pytest.mark.usefixtures("by_pages_only")
@pytest.mark.parametrize("hot", [True, False], ids=["one panel", "three pages"])
def test_turns_that_overlap_numbers_from_outside_and_judgment(hot):
    game = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms={"win.points": 40})
    people = seats(game, hot)
    ann, ben, cleo = people.values()
    ann.does("begin_turn")
    ben.does("begin_turn")
    assert (ann.open, ben.open, cleo.open) == (["propose"], ["propose"], ["begin_turn"])
    assert ann.page.table["game"]["heading"] == "Ann, turn 1: proposal; Ben, turn 2: proposal"

    sixty = nb.amend(-105, "Sixty points win.", "set win.points to 60")
    assert "Rule -209" in ann.proposes(sixty)
    assert "a whole number, 1 or higher" in ann.proposes(sixty, number="five")
    ann.proposes(sixty, number="5")
    assert "Number 5 is already taken" in ben.proposes(nb.amend(-105, "Fifty points win."), number="5")
    ben.proposes(nb.amend(-105, "Fifty points win.", "set win.points to 50"), number="7")

    cleo.does("vote", 7, ballot="for")
    all_vote(people, 5)
    assert game.rules[5].wording == "Sixty points win."
    assert cleo.page.table["proposals"]["7"]["note"]  # its rule is gone
    for one in people.values():
        one.does("choose", option='"lapse"')
    assert game.proposals[7].outcome == "lapsed"

    cleo.does("begin_turn")
    ben.freely("invoke_judgment", question="May Cleo take so long?")
    cleo.does("choose", option="Ann")
    assert "May Cleo take so long?" in str(ben.page.table["judgments"])
    ruling = {"ruling": "She may not.", "reasons": "It is late.", "rests_on": "-112, 5"}
    assert "pints" in ann.does("rule_on", **ruling, orders='award 3 pints to "Ben"')
    ann.does("rule_on", **ruling, orders='award 3 points to "Ben"')
    assert game.judgments[1].ruling.numbers == (-112, 5)
    ben.does("overrule", ballot="for")
    cleo.does("overrule", ballot="for")
    ann.does("choose", option="Ben")
    ben.does("rule_on", ruling="She may.")
    ann.does("overrule", ballot="against")
    assert game.scores["Ben"] == 0
    cleo.proposes(nb.enact("Half written."), number=9)
    all_vote(people, 9, against=("Ann",))
    assert game.proposals[9].outcome == "defeated"
    assert "begin_turn" not in ben.open
    for one in (ann, cleo):
        one.does("consent", ballot="for")
    assert "begin_turn" in ben.open


def answer(page, one, chance):
    """Fill the fields of a decision as somebody would who knows nothing but what the page shows."""
    numbers = list(page.table["law"]["rules"].values())
    details = {}
    for field in one["fields"]:
        match field["type"]:
            case "choice":
                details[field["name"]] = chance.choice(field["options"])[0]
            case "move":
                ways = page.mine["ways"][one["player"]]
                texts = [
                    text
                    for way in ways.values()
                    for to in way["moves"].values()
                    for some in to.values()
                    for text in some
                ]
                details[field["name"]] = chance.choice(texts or [way["only"] for way in ways.values()])
            case "change":
                kind = chance.choice(CHANGES)
                change = (
                    {"kind": kind} if kind == "enact" else {"kind": kind, "target": chance.choice(numbers)["number"]}
                )
                if kind in ("enact", "amend"):
                    change |= {"wording": f"Rule of step {page.step}.", "law": chance.choice(LAWS)}
                details[field["name"]] = change
            case "number":
                if not field.get("optional"):
                    details[field["name"]] = chance.randint(field.get("min", 1), field.get("max", 6))
            case "line" | "text":
                if one["action"] in ("rule_on", "seal"):
                    details |= {"ruling": "So be it."} if one["action"] == "rule_on" else {}
                else:
                    details[field["name"]] = (
                        str(page.step) if field["name"] == "number" else chance.choice(["1", "no", "0"])
                    )
    return details


@pytest.mark.parametrize(
    ("system", "seed", "steps"),
    [
        *((system, 0, 60) for system in nb.rulesets().index),
        *(pytest.param(system, 1, 90, marks=pytest.mark.fuzz) for system in nb.rulesets().index),
    ],
)
@pytest.mark.usefixtures("by_pages_only")
@pytest.mark.slow
def test_somebody_can_always_go_on(system, seed, steps):
    """Whatever the law has become: while a game is not over, some page has a form that brings it on."""
    chance = random.Random(seed)
    game = nb.new_game(system, ["Ann", "Ben", "Cleo"], seed=seed)
    pages = {name: Page(game, name) for name in game.players}
    done = 0
    for step in range(steps):
        if game.over:
            break
        open_now = [(page, one) for page in pages.values() for one in page.asked.values()]
        chance.shuffle(open_now)
        assert any(one["must"] for _, one in open_now), str(game.pending)
        for page, one in sorted(open_now, key=lambda pair: not pair[1]["must"]):
            message = {"id": f"{step} {one['key']}", "action": one["action"], "key": one["key"]}
            got = page.send(message | {"details": answer(page, one, chance)})
            if "done" in got:
                done += 1
                break
            assert one["action"] in ("propose", "revise", "choose", "say", "act", "reveal"), (one, got)
    assert done > steps * 0.6 or game.over
