"""Ready-made plots of one game; each is a figure with its table."""

from __future__ import annotations

from itertools import combinations
from numbers import Rational
from typing import TYPE_CHECKING, Any

from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.study.frames import make_frame, versions_frame
from nomic_nb.study.intervals import survival
from nomic_nb.study.review.pivots import pivots_frame
from nomic_nb.study.sweeps.figures import Figure, draw_curves
from nomic_nb.study.views.course import result_sentence
from nomic_nb.study.views.story import story_frame

if TYPE_CHECKING:
    import pandas as pd

#: The plots of a game.
NAMES = ("agreement", "power", "quota", "lifelines", "survival", "tiers", "scores", "margins", "votes")


class Plots:
    """Ready-made plots of a game: ``game.plots.scores`` is a figure, and its ``data`` is the table.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> proposal = game.propose("Ann", nb.repeal(206))
    >>> tally = game.votes("for")
    >>> game.plots.agreement.data.to_dict("records")
    [{'player': 'Ann', 'other': 'Ben', 'agreement': 1.0, 'votes': 1}]
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline

    def __repr__(self) -> str:
        return f"Plots: {', '.join(NAMES)}"

    @property
    def agreement(self) -> Figure:
        """How often two players cast the same ballot, in votes in which both voted."""
        table = self._votes.dropna(subset="ballot").pivot(index="vote", columns="voter", values="ballot")
        rows = []
        for one, other in combinations(table, 2):
            both = table[[one, other]].dropna()
            rows.append((one, other, float((both[one] == both[other]).mean()), len(both)))
        note = "Share of votes in which both cast the same ballot, among those in which both voted."
        return _figure(
            "Agreement of voters", note,
            make_frame("string: player other; float64: agreement; int64: votes", rows), "rect", "other:N", "player:N",
            {"field": "agreement", "type": "quantitative", "scale": {"domain": [0, 1]}},
        )  # fmt: skip

    @property
    def power(self) -> Figure:
        """Each voter's share of the weight in a vote, and how often their ballot could have turned one so far."""
        votes = self._votes
        so_far = (
            votes["pivotal"].astype("Float64").groupby(votes["voter"]).transform(lambda one: one.expanding().mean())
        )
        columns = {"weight": votes["weight_float"] / votes["total"], "power": so_far}
        long = votes[["vote", "turn", "voter"]].assign(**columns).melt(["vote", "turn", "voter"], var_name="what")
        note = "Weight: share of all weight in a vote. Power: share of votes so far that this ballot could have turned."
        return _figure("Power and weight", note, long, "line", "vote:Q", "value:Q", "voter:N", row="what:N")

    @property
    def quota(self) -> Figure:
        """The weight needed to pass a proposal, as a share of all weight, with the rule that says so."""
        votes = self._once.assign(quota=self._once["needed_float"] / self._once["total"])
        note = "Weight needed to pass, as a share of all weight. The colour is the rule that says so."
        shown = votes[["vote", "turn", "proposal", "quota", "rule"]].astype({"rule": "string"})
        return _figure("Quota", note, shown, "bar", "vote:O", "quota:Q", "rule:N")

    @property
    def lifelines(self) -> Figure:
        """The versions of all rules, from the turn that made each to the turn that ended it."""
        found = versions_frame(self.timeline)
        titles = found["title"].where(found["title"] != "", found["number"].map(str))
        shown = found[["number", "tier", "turn"]].astype({"number": "string"}).assign(
            until=found["until_turn"].fillna(self.timeline.state.turn), ended=found["ended"].fillna("in force"),
            rule=found["id"].map(str) + ": " + titles,
        )  # fmt: skip
        note = "A bar for each version of each rule."
        return _figure("Life lines of rules", note, shown, "bar", "turn:Q", _in_order("rule"), "ended:N", x2="until")

    @property
    def survival(self) -> Figure:
        """The share of rule versions made in play that are still in force after so many turns."""
        made = versions_frame(self.timeline).query("turn > 0")
        ages = (made["until_turn"].fillna(self.timeline.state.turn) - made["turn"]).astype(int)
        steps = survival(zip(ages, made["until_turn"].notna(), strict=True))
        rows = [("versions made in play", *step) for step in steps]
        data = make_frame("string: what; int64: turn; float64: going low high; int64: versions ended", rows)
        note = "Kaplan–Meier with 95 % intervals. Versions still in force count up to now."
        return Figure("Survival of rules", note, data, draw_curves)

    @property
    def tiers(self) -> Figure:
        """The number of rules in force after each turn, by tier."""
        found, rows = versions_frame(self.timeline), []
        for turn in range(self.timeline.state.turn + 1):
            then = found[(found["turn"] <= turn) & ~(found["until_turn"] <= turn).fillna(False)]
            rows += [(turn, tier, count) for tier, count in then["tier"].value_counts().items()]
        note = "Rules in force after each turn."
        return _figure(
            "Law by tier",
            note,
            make_frame("int64: turn; string: tier; int64: rules", rows),
            "area",
            "turn:Q",
            "rules:Q",
            "tier:N",
        )

    @property
    def scores(self) -> Figure:
        """Each player's score after each turn, and who won."""
        story = (
            story_frame(self.timeline).filter(like="score_").rename(columns=lambda name: name.removeprefix("score_"))
        )
        rows = [
            (turn, player, float(score)) for player, column in story.items() for turn, score in column.items()
            if isinstance(score, Rational)
        ]  # fmt: skip
        note = result_sentence(self.timeline) or "The game is in progress."
        return _figure(
            "Score",
            note,
            make_frame("int64: turn; string: player; float64: score", rows),
            "line",
            "turn:Q",
            "score:Q",
            "player:N",
        )

    @property
    def margins(self) -> Figure:
        """By how much weight each proposal passed or failed."""
        votes = self._votes
        cast = {str(number): one.vote.sides for number, one in self.timeline.state.proposals.items() if one.vote}
        in_favour = [
            cast[number].get(word, word) == "for"
            for number, word in zip(votes["proposal"], votes["ballot"], strict=True)
        ]
        favour = (votes["weight_float"] * in_favour).groupby(votes["vote"]).sum()
        shown = self._once.assign(margin=self._once["vote"].map(favour) - self._once["needed_float"])
        note = "Weight in favour above or below what was needed."
        shown = shown[["vote", "proposal", "passed", "margin"]]
        return _figure("Margins", note, shown, "bar", _in_order("proposal"), "margin:Q", "passed:N")

    @property
    def votes(self) -> Figure:
        """Each vote from opening to closing, by the recorded clock if there is one, otherwise by events."""
        shown, note, kind = self._once[["proposal", "passed", "opened", "closed"]], "By events.", "Q"
        if len(shown) and self._once["open_for"].notna().all():
            dates = {name: self._once[f"{name}_at"] for name in ("opened", "closed")}
            shown, note, kind = shown.assign(**dates), "By dates.", "T"
        title = "Votes from opening to closing"
        return _figure(title, note, shown, "bar", f"opened:{kind}", _in_order("proposal"), "passed:N", x2="closed")

    @property
    def _votes(self) -> pd.DataFrame:
        """The rows of closed votes, with the number of the vote and the total weight in it."""
        votes = pivots_frame(self.timeline).dropna(subset="closed").astype({"proposal": "string"})
        by_vote = votes.groupby("opened", sort=False)
        return votes.assign(vote=by_vote.ngroup() + 1, total=by_vote["weight_float"].transform("sum"))

    @property
    def _once(self) -> pd.DataFrame:
        """One row for each closed vote."""
        return self._votes.drop_duplicates("vote")


def _in_order(field: str) -> dict[str, object]:
    """Return an axis with the values of a column in the order of its rows."""
    return {"field": field, "type": "nominal", "sort": None}


def _figure(
    title: str, note: str, data: pd.DataFrame, mark: str, x: Any, y: Any, color: Any, **more: str
) -> Figure:  # fmt: skip
    """Return a figure with marks of one kind; resting on a mark shows all columns."""
    step = {"interpolate": "step-after"} if x == "turn:Q" and mark in ("line", "area") else {}

    def draw(alt: Any, data: pd.DataFrame) -> Any:
        marked = getattr(alt.Chart(data), f"mark_{mark}")(**step)
        return marked.encode(x=x, y=y, color=color, tooltip=list(data.columns), **more)

    return Figure(title, note, data, draw)
