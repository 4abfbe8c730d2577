"""Ready-made plots of one game; each is a figure with its table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from numbers import Rational
from typing import TYPE_CHECKING, Any

from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.study.frames import column_types, make_frame, versions_frame
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
    """Ready-made plots of a game: ``game.plots.scores`` is a figure, and its ``data`` the table behind it.

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
        by_vote = self._closed.dropna(subset=["ballot"]).groupby(["opened", "voter"], sort=False)["ballot"].first()
        table, rows = by_vote.unstack(), list[Sequence[Any]]()
        for one, other in combinations(table.columns, 2):
            both = table[[one, other]].dropna()
            rows.append((one, other, (both[one] == both[other]).mean() if len(both) else None, len(both)))
        data = make_frame(column_types("string: player other", "float64: agreement", "int64: votes"), rows)

        def draw(alt: Any, data: pd.DataFrame) -> Any:
            base = _chart(alt, data, "other:N", "player:N")
            colour = alt.Color("agreement:Q", scale=alt.Scale(domain=[0, 1]))
            text = alt.Text("agreement:Q", format=".0%")
            both = base.mark_rect(opacity=0.6).encode(color=colour) + base.mark_text().encode(text=text)
            return both.properties(width={"step": 70}, height={"step": 40})

        return Figure("Agreement of voters", "Share of votes in which both cast the same ballot.", data, draw)

    @property
    def power(self) -> Figure:
        """Each voter's share of the weight in a vote, and how often their ballot has decided so far."""
        votes, rows, decided = self._closed, list[Sequence[Any]](), dict[str, list[bool]]()
        for number, (_, vote) in enumerate(votes.groupby("opened", sort=False), 1):
            total = vote["weight_float"].sum()
            for _, row in vote.iterrows():
                so_far = decided.setdefault(row["voter"], [])
                so_far += [] if row.isna()["pivotal"] else [bool(row["pivotal"])]
                share = row["weight_float"] / total if total else None
                known = sum(so_far) / len(so_far) if so_far else None
                rows += [
                    (number, row["turn"], row["voter"], what, value)
                    for what, value in (("weight", share), ("power", known))
                ]
        data = make_frame(column_types("int64: vote turn", "string: player what", "float64: share"), rows)
        note = "Weight: share of all weight in a vote. Power: share of votes so far that this ballot could have turned."
        return Figure("Power and weight", note, data, lambda alt, data: (
            _chart(alt, data, "vote:Q", "share:Q", "player:N").mark_line(point=True).facet("what:N", columns=1)
        ))  # fmt: skip

    @property
    def quota(self) -> Figure:
        """The weight needed to pass a proposal, as a share of all weight, with the rule that says so."""
        votes = self._by_vote(lambda number, vote: (
            number, vote["turn"].iloc[0], str(vote["proposal"].iloc[0]),
            vote["needed_float"].iloc[0] / (vote["weight_float"].sum() or 1), str(vote["rule"].iloc[0]),
        ))  # fmt: skip
        data = make_frame(column_types("int64: vote turn", "string: proposal", "float64: quota", "string: rule"), votes)

        def draw(alt: Any, data: pd.DataFrame) -> Any:
            base = _chart(alt, data, "vote:Q", alt.Y("quota:Q", scale=alt.Scale(domain=[0, 1])))
            points = base.mark_point(filled=True, size=60).encode(color="rule:N")
            return base.mark_line(interpolate="step-after") + points

        note = "Weight needed to pass, as a share of all weight. The colour is the rule that says so."
        return Figure("Quota", note, data, draw)

    @property
    def lifelines(self) -> Figure:
        """The versions of all rules, from the turn that made each to the turn that ended it."""
        found, last = self._versions, self.timeline.state.turn
        titles = found["title"].where(found["title"] != "", found["number"].map(str))
        rows = zip(
            found["id"].map(str) + ": " + titles, found["number"].map(str), found["tier"], found["turn"],
            found["until_turn"].fillna(last),
            found["ended"].fillna("in force"), strict=True,
        )  # fmt: skip
        data = make_frame(column_types("string: rule number tier", "int64: turn until", "string: ended"), rows)
        return Figure("Life lines of rules", "A bar for each version of each rule.", data, lambda alt, data: (
            _chart(alt, data, "turn:Q", alt.Y("rule:N", sort=None), "ended:N").mark_bar().encode(x2="until")
        ))  # fmt: skip

    @property
    def survival(self) -> Figure:
        """The share of rule versions made in play that are still in force after so many turns."""
        made = self._versions[self._versions["turn"] > 0]
        ages = (made["until_turn"].fillna(self.timeline.state.turn) - made["turn"]).astype(int)
        steps = survival(zip(ages, made["until_turn"].notna(), strict=True))
        data = make_frame(
            column_types("string: what", "int64: turn", "float64: going low high", "int64: versions ended"),
            [("versions made in play", *step) for step in steps],
        )
        note = "Kaplan–Meier with 95 % intervals. Versions still in force count up to now."
        return Figure("Survival of rules", note, data, draw_curves)

    @property
    def tiers(self) -> Figure:
        """The number of rules in force after each turn, by tier."""
        found, rows = self._versions, list[Sequence[Any]]()
        for turn in range(self.timeline.state.turn + 1):
            then = found[(found["turn"] <= turn) & ~(found["until_turn"] <= turn).fillna(False)]
            rows += [(turn, tier, count) for tier, count in then.groupby("tier").size().items()]
        data = make_frame(column_types("int64: turn", "string: tier", "int64: rules"), rows)
        return Figure("Law by tier", "Rules in force after each turn.", data, lambda alt, data: (
            _chart(alt, data, "turn:Q", "rules:Q", "tier:N").mark_area(interpolate="step-after")
        ))  # fmt: skip

    @property
    def scores(self) -> Figure:
        """Each player's score after each turn, and who won."""
        story = story_frame(self.timeline).filter(like="score_")
        rows = [
            (turn, str(name).removeprefix("score_"), float(score))
            for name, column in story.items() for turn, score in column.items()
            if isinstance(score, Rational)
        ]  # fmt: skip
        data = make_frame(column_types("int64: turn", "string: player", "float64: score"), rows)
        note = result_sentence(self.timeline) or "The game is in progress."
        return Figure("Score", note, data, lambda alt, data: (
            _chart(alt, data, "turn:Q", "score:Q", "player:N").mark_line(interpolate="step-after", point=True)
        ))  # fmt: skip

    @property
    def margins(self) -> Figure:
        """By how much weight each proposal passed or failed."""
        rows = self._by_vote(lambda number, vote: (
            number, str(vote["proposal"].iloc[0]), bool(vote["passed"].iloc[0]),
            vote.loc[vote["ballot"] == "for", "weight_float"].sum() - vote["needed_float"].iloc[0],
        ))  # fmt: skip
        data = make_frame(column_types("int64: vote", "string: proposal", "bool: passed", "float64: margin"), rows)
        return Figure("Margins", "Weight in favour above or below what was needed.", data, lambda alt, data: (
            _chart(alt, data, alt.X("proposal:N", sort=None), "margin:Q", "passed:N").mark_bar()
        ))  # fmt: skip

    @property
    def votes(self) -> Figure:
        """Each vote from opening to closing, by the recorded clock if there is one, otherwise by events."""
        votes = self._closed.drop_duplicates("opened")
        dated = bool(len(votes)) and votes["open_for"].notna().all()
        begins, ends = (votes[f"{name}_at" if dated else name] for name in ("opened", "closed"))
        kind = "datetime64[s]" if dated else "int64"
        data = make_frame(
            {"proposal": "string", "opened": kind, "closed": kind, "passed": "boolean"},
            zip(votes["proposal"].map(str), begins, ends, votes["passed"], strict=True),
        )
        opened, note = ("opened:T", "By dates.") if dated else ("opened:Q", "By events.")
        return Figure("Votes from opening to closing", note, data, lambda alt, data: (
            _chart(alt, data, opened, alt.Y("proposal:N", sort=None), "passed:N").mark_bar().encode(x2="closed")
        ))  # fmt: skip

    @property
    def _versions(self) -> pd.DataFrame:
        """The versions of all rules."""
        return versions_frame(self.timeline)

    @property
    def _closed(self) -> pd.DataFrame:
        """The rows of votes that have closed and that everybody may see."""
        votes = pivots_frame(self.timeline)
        return votes[votes["closed"].notna()]

    def _by_vote(self, make: Any) -> Iterable[Sequence[Any]]:
        """Yield a row for each closed vote, as `make` makes it of its number and its table."""
        return (make(number, vote) for number, (_, vote) in enumerate(self._closed.groupby("opened", sort=False), 1))


def _chart(alt: Any, data: pd.DataFrame, x: Any, y: Any, colour: str | None = None) -> Any:
    """Return a chart without marks; resting on a mark shows all columns."""
    more = {"color": colour} if colour else {}
    return alt.Chart(data).encode(x=x, y=y, tooltip=list(data.columns), **more)
