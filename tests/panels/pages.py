"""A page as a test sees it: the pictures that it was sent, put together, and messages that it sends."""

from __future__ import annotations

import json
from itertools import count

from patching import patched

from nomic_nb.notebook.panels.session import PanelViewer, hub_of_game

_IDS = count(1)


class Page:
    """A seat's page, the wall (role), or a panel for the whole table (no seat)."""

    def __init__(self, game, seat=None, role=None, hand=None):
        self.got, self.table, self.mine, self.step = [], {}, {}, -1
        self.role = role or ("player" if seat else "table")
        self.hub = hub_of_game(game)
        self.viewer = self.hub.add_viewer(PanelViewer(self.hear, hand or f"hand {next(_IDS)}", seat, self.role))
        self.send({"open": True})

    def hear(self, text):
        message = json.loads(text)
        self.got.append(message)
        if view := message.get("view"):
            self.table, self.mine, self.step = view["table"], view["mine"], view["step"]
        elif diff := message.get("diff"):
            assert diff["from"] == self.step
            self.table, self.mine = patched(self.table, diff["table"]), patched(self.mine, diff["mine"])
            self.step = diff["step"]

    def send(self, message):
        """Send a message, and return the answer to it, whatever is painted meanwhile."""
        before = len(self.got)
        self.hub.receive(self.viewer, message if isinstance(message, str) else json.dumps(message))
        answers = [one for one in self.got[before:] if "diff" not in one]
        return (answers or self.got)[-1]

    @property
    def asked(self):
        return self.mine["decisions"]

    def decision(self, action, proposal=None, player=None):
        """The first decision of this kind."""
        found = [
            one
            for one in self.asked.values()
            if one["action"] == action and proposal in (None, one["proposal"]) and player in (None, one["player"])
        ]
        assert found, f"no {action} among {list(self.asked)}"
        return found[0]

    def act(self, action, player=None, proposal=None, **details):
        """Answer the first decision of this kind, and return the answer."""
        one = self.decision(action, proposal, player)
        return self.send({"id": f"m{next(_IDS)}", "action": action, "key": one["key"], "details": details})

    def freely(self, action, **details):
        return self.send({"id": f"m{next(_IDS)}", "action": action, "details": details})

    @property
    def text(self):
        """Everything that has reached this page."""
        return json.dumps(self.got, ensure_ascii=False)
