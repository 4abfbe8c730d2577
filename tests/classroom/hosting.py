"""A host who plays lessons with the ways out, beside pupils who answer on phones, are away, late or lost."""

from __future__ import annotations

import random
from collections import Counter

from panels.pages import Page

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.declarations import HOST_ACTIONS
from nomic_nb.notebook.panels.ways_out import THROUGH_SEALS, about_decision
from nomic_nb.study.players.asked import decision_id
from nomic_nb.study.playouts import random_change

#: Ways that let time pass, and nothing else.
PASTIMES = {"remind", "minute"}
#: Changes that are tried before nobody proposes anything that the rules refuse.
MOST_TRIES = 60
#: What a phone answers with a secret that it keeps, or the host alone.
BY_SEAL = {*THROUGH_SEALS, *HOST_ACTIONS}


class Host:
    """The host of one table, at the page that has its ways out.

    Parameters
    ----------
    game : Game
        What is played there.
    seed : int or str
        What chance of absences, lates and choices hangs on.
    phones : set of str, optional
        Players whose phones are connected; default all.
    """

    def __init__(self, game, seed, phones=None):
        self.game, self.dice = game, random.Random(str(seed))
        self.page = Page(game)
        self.phones = set(game.players) if phones is None else set(phones)
        self.bell, self.presses, self.asked = "", Counter(), Counter()

    @property
    def state(self):
        return self.game.timeline.state

    def waits(self):
        """What the table waits for, with its ways out; every wait has one that leads on."""
        details = {"bell": self.bell, "connected": sorted(self.phones)}
        waits = self.page.send({"id": f"w{self.page.step}", "ask": "ways", "details": details})["waits"]
        assert bool(waits) != self.state.over, (self.state.over, [str(one) for one in decisions(self.state)])
        for wait in waits:
            assert {way["kind"] for way in wait["ways"]} - PASTIMES, f"a wait without a way out: {wait}"
        return waits

    def press(self, wait, way, option=None):
        """Take a way out, as the page does; none that is offered is refused."""
        self.presses[way["kind"]] += 1
        self.page.send({"open": True})
        acts = way["acts"]
        if "signs" in way:
            sign = self.dice.choice(list(way["signs"].values()))
            if way["kind"] in ("form", "drafts"):  # as the player says
                return self.answer(next(one for one in decisions(self.state) if decision_id(one) == sign))
            acts = [{"action": wait["action"], "details": {}, "sign": sign}]
        if way["kind"] == "answer":
            said = option or self.dice.choice(way["options"] or self.examples(wait["about"]))
            acts = [{"action": "hands", "details": {"about": wait["about"], "option": said}}]
        for at, act in enumerate(acts):
            if "class" in act:
                self.bell = "runs" if act["class"] == "bell" else self.bell
                continue
            sign = act.get("sign")
            key = {"key": self.page.asked[sign]["key"]} if sign else {}
            message = {"id": f"p{self.presses.total()}.{at}", "action": act["action"], "details": act["details"], **key}
            answer = self.page.send(message)
            assert "done" in answer, (way, answer, [str(one) for one in decisions(self.state)])
        return None

    def examples(self, about):
        """Answers that fit what is asked without options."""
        asked = next(one for one in decisions(self.state) if about_decision(one) == about)
        return [value for details in asked.ways() for name, value in details.items() if name not in ("id", "decision")]

    def present(self):
        """Players who are not marked as away."""
        return [name for name in self.state.person_names if not self.state.players[name].absent]

    def phone_answers(self):
        """Somebody who is here answers on their phone; tell whether anybody could."""
        here = self.phones & set(self.present())
        asked = [one for one in decisions(self.state) if one.must and one.player in here and one.action not in BY_SEAL]
        if asked:
            self.answer(self.dice.choice(asked))
        return bool(asked)

    def answer(self, decision):
        """A player answers, on a phone or by telling the host."""
        timeline, player = self.game.timeline, decision.player or self.dice.choice(self.state.present_names)
        if decision.action == "propose":
            more = {name: value for name, value in decision.ways(1)[0].items() if name == "number"}
            ways = ({"change": random_change(timeline, self.dice), **more} for _ in range(MOST_TRIES))
        else:
            found = decision.ways(30)
            self.dice.shuffle(found)
            ways = iter(found)
        refused, others = [], [one for one in decisions(self.state) if one.must and one.player == player]
        for details in ways:
            before = self.state
            try:
                if decision.action in THROUGH_SEALS:  # which keeps what is sealed, as a panel does
                    getattr(self.game, decision.action)(player, **details)
                else:
                    timeline.do(player, decision.action, details)
            except (IllegalAction, LawError) as error:
                refused.append(str(error))
                if self.state is before:
                    continue
            return
        # A change that the rules take may be hard to find; then something else can be done instead.
        assert decision.action == "propose", (str(decision), refused[:3])
        assert len(others) > 1, refused[:3]
