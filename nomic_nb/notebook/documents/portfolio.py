"""What is handed out after a lesson: a page for each pupil, a table of the class, and each table's record and rules."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nomic_nb.engine.errors import RecordError
from nomic_nb.engine.law.values import Number
from nomic_nb.engine.play.values import JUDGMENT_STATUS
from nomic_nb.engine.record.log import record_lines, replace_file
from nomic_nb.engine.record.rule_file import rule_file_text
from nomic_nb.engine.record.seals import describe_readable_secrets
from nomic_nb.engine.words import count_phrase, counter_named, join_words, number_text, upper_first
from nomic_nb.notebook.documents.annotated import to_html, write_files
from nomic_nb.notebook.documents.lawbook import law_book_html
from nomic_nb.notebook.documents.page import page_html
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.markup.tree import (
    Child,
    badge,
    build_element,
    item_list,
    number_heading,
    player_name,
    table_element,
)
from nomic_nb.notebook.show.proposals import draw_proposed
from nomic_nb.study.frames import column_types, make_frame
from nomic_nb.study.players.statements import statements_for
from nomic_nb.study.views import Proposal, Tally
from nomic_nb.study.views.phrases import wording_table
from nomic_nb.study.views.proposals import state_when_proposed, title_of_proposed_rule
from nomic_nb.study.views.tables import LedgerEntry, visible_scores

if TYPE_CHECKING:
    import pandas as pd

#: The file that lists the others, by which they are found again.
CONTENTS = "contents.txt"
#: Statuses of a proposal that got the votes it needs, whatever follows from it.
PASSED = frozenset(("adopted", "waiting", "without effect"))
#: Least number of contested votes for saying that somebody is always with the majority.
CONTESTED = 2
#: Letters of a name in a file name; names that Windows keeps for devices.
LONGEST_FILE_NAME = 40
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


# ------------------------------------------------------------------------------------------- what a player did


class Participation(NamedTuple):
    """What a player did at a table, in numbers.

    Parameters
    ----------
    name, table : str
        The player, and where they played.
    turns, proposals, adopted : int
        Number of their turns, of their proposals, and of those that passed.
    cast, late, missed : int
        Number of their ballots, of the times that the host recorded a late one, and of the votes that closed without
        them.
    votes_for, votes_against, against_outcome : int
        Number of their ballots for and against, and of those on the losing side; ballots that are sealed are left out.
    points : int or Fraction or None
        Their number in the first counter of the game that all may see; None without one.
    topics : tuple of str
        What a teacher may want to discuss with them; nothing of it is a mark.
    away : int
        Number of times that they were marked as away.
    came_late : bool
        Whether they entered once play had begun.
    """

    name: str
    table: str
    turns: int
    proposals: int
    adopted: int
    cast: int
    late: int
    missed: int
    votes_for: int
    votes_against: int
    against_outcome: int
    points: Number | None
    topics: tuple[str, ...]
    away: int
    came_late: bool


def participation(game: BaseGame, table: str = "") -> list[Participation]:
    """Return what each person in a game did, in seating order.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> proposal = game.propose("Ann", nb.repeal(206))
    >>> counted = game.votes(against="Ben")
    >>> [(one.name, one.cast, one.against_outcome, one.topics) for one in participation(game)]
    [('Ann', 1, 1, ()), ('Ben', 1, 0, ('has not proposed',))]
    """
    votes = [(proposal, proposal.tally) for proposal in game.proposals]
    did = Counter[tuple[str, str]]()
    # somebody marked as away leaves a vote that was open to them
    voters = defaultdict[Number | str, set[str]](set)
    for event in game.timeline.events_in_effect:
        data = event.data
        if event.kind == "vote_opened":
            voters[data["number"]].update(data["electorate"])
        if event.kind != "overdue" or data["owed"] == "ballot":
            did[event.kind, str(data.get("who", event.actor))] += 1
    points = next(iter(visible_scores(game.state, numbers=True).values()), {})
    made = []
    for name in _persons(game):
        own = [proposal for proposal, _ in votes if proposal.proponent == name]
        cast = [(proposal, tally, tally.ballots[name]) for proposal, tally in votes if tally and name in tally.ballots]
        decided = [(proposal.outcome in PASSED, tally, side) for proposal, tally, side in cast if _is_decided(proposal)]
        with_most = [side == majority for _, tally, side in decided if (majority := _majority(tally))]
        missed = sum(
            _is_decided(proposal) and tally is not None
            and name in voters[proposal.number].union(tally.not_voted).difference(tally.ballots)
            for proposal, tally in votes
        )  # fmt: skip
        topics = {
            "has not proposed": not own, "has never voted": missed > 0 and not cast,
            "always voted with the majority": len(with_most) >= CONTESTED and all(with_most),
        }  # fmt: skip
        held, sides = points.get(name), [side for *_, side in cast]
        held = held if isinstance(held, int | Fraction) else None
        made.append(Participation(
            name, table, did["turn_begun", name], len(own), sum(proposal.outcome in PASSED for proposal in own),
            len(cast), did["overdue", name], missed, sides.count("for"), sides.count("against"),
            sum(side == ("against" if passed else "for") for passed, _, side in decided),
            held, tuple(topic for topic, holds in topics.items() if holds), did["absent", name],
            did["entered", name] > 0,
        ))  # fmt: skip
    return made


def _persons(game: BaseGame) -> list[str]:
    """Return the names of all people who play or played, dummies left out."""
    return [name for name, player in game.state.players.items() if player.person]


def _is_decided(proposal: Proposal) -> bool:
    """Tell whether a proposal has passed or failed."""
    return proposal.outcome in PASSED or proposal.outcome == "defeated"


def _majority(tally: Tally) -> str:
    """Return the side with more votes, if there are ballots on both; empty otherwise, or if nobody may see it."""
    if not tally.votes_for or not tally.votes_against or tally.votes_for == tally.votes_against:
        return ""
    return "for" if tally.votes_for > tally.votes_against else "against"


CLASS_COLUMNS = column_types(
    "string: name table; int64: turns proposals adopted ballots_cast late missed for against against_the_outcome; "
    "object: points; string: to_discuss"
)


def class_frame(games: Mapping[str, BaseGame]) -> pd.DataFrame:
    """Return a data frame with one row for each player of each table.

    Returns
    -------
    DataFrame
        ``name``, ``table`` (string), ``turns``, ``proposals``, ``adopted``, ``ballots_cast``, ``late``, ``missed``,
        ``for``, ``against``, ``against_the_outcome`` (int64), ``points`` (object: int or float; missing if nothing is
        counted), ``to_discuss`` (string; see `Participation.topics`).
    """
    rows = [
        (*one[:11], float(one.points) if isinstance(one.points, Fraction) else one.points, "; ".join(one.topics))
        for table, game in games.items() for one in participation(game, table)
    ]  # fmt: skip
    return make_frame(CLASS_COLUMNS, rows)


def topics_to_discuss(games: Mapping[str, BaseGame]) -> dict[str, list[str]]:
    """Return the names of the players by what a teacher may want to discuss with them."""
    found: dict[str, list[str]] = defaultdict(list)
    for table, game in games.items():
        for one in participation(game, table):
            for topic in one.topics:
                found[topic].append(one.name)
    return dict(found)


# ------------------------------------------------------------------------------------------- the page of a pupil


def pupil_page(name: str, games: Mapping[str, BaseGame]) -> str:
    """Return a page on everything that a player did, to print and hand out, as HTML.

    Parameters
    ----------
    name : str
        The player.
    games : mapping of str to BaseGame
        The games in which they played, keyed by table name.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["<b>", "Ben"], seed=7)
    >>> page = pupil_page("<b>", {"table 1": game})
    >>> page.startswith("<!DOCTYPE html>"), "<b>" in page
    (True, False)
    """
    parts = [_table_section(name, table, game) for table, game in games.items()]
    return page_html(name, build_element("header", build_element("h1", player_name(name))), parts, cls="portfolio")


def _table_section(name: str, table: str, game: BaseGame) -> list[Child]:
    """Return what a player did at one table: a heading, the result, and what there is in each of `SECTIONS`."""
    (own,) = (one for one in participation(game, table) if one.name == name)
    counter = next(iter(visible_scores(game.state, numbers=True)), "")
    held = f"{number_text(own.points)} {counter_named(counter, own.points)}" if own.points is not None else ""
    did = [
        count_phrase(own.turns, "turn") if own.turns else "",
        f"{count_phrase(own.proposals, 'proposal')}, {own.adopted} passed" if own.proposals else "",
        count_phrase(own.cast, "ballot") if own.cast else "",
    ]
    numbers = [
        *(did if any(did) else ["no turn, proposal or ballot yet"]),
        f"{count_phrase(own.missed, 'vote')} missed" if own.missed else "",
        f"late with a ballot {_times(own.late)}" if own.late else "",
        f"marked as away {_times(own.away)}" if own.away else "",
        "came once play had begun" if own.came_late else "",
        held,
    ]
    sections: list[Child] = [
        [build_element("h3", heading), made] for heading, make in SECTIONS if (made := make(game, name))
    ]
    return [
        build_element("h2", f"{upper_first(table)}: {game.ruleset.title}"),
        build_element("p", game.result or f"As of turn {game.turn}.", cls="result"),
        build_element("p", " · ".join(filter(None, numbers))),
        sections,
    ]


def _times(count: int) -> str:
    """Return a number of times, in words."""
    return "once" if count == 1 else count_phrase(count, "time")


def _heading(game: BaseGame, proposal: Proposal) -> str:
    """Return a proposal's number and title, and what it does to an existing rule."""
    change = proposal.change
    title = title_of_proposed_rule(proposal.as_it_stands, state_when_proposed(game.timeline, proposal.number))
    if title and change.kind not in ("enact", "repeal"):
        title = f"{title} ({change.headline})"
    return f"{proposal.number}: {upper_first(title or change.headline)}"


def _said(game: BaseGame, proposal: Proposal, name: str = "") -> Child:
    """Return the statements and the reasons on a proposal that all may see, as a list; of one player if named."""
    said = statements_for(game.timeline, None).get(str(proposal.number), ())
    return item_list(
        [player_name(one.by), f" ({one.ballot})" if one.ballot else None, f": “{one.text}”"]
        for one in said
        if name in ("", one.by)
    )


def _outcome(proposal: Proposal) -> str:
    """Return the result of a proposal, in words."""
    return str(wording_table("ended").get(proposal.outcome, "In debate" if proposal.outcome == "debate" else "Open"))


def _own_proposals(game: BaseGame, name: str) -> list[Child]:
    """Return a player's proposals, each with its change and its result."""
    return [
        [
            build_element("h4", f"{_heading(game, proposal)} ", badge(_outcome(proposal))),
            draw_proposed(proposal.proposed_rule),
            build_element("p", proposal.tally.verdict if proposal.tally else "There was no vote on it.", cls="verdict"),
            _said(game, proposal),
        ]
        for proposal in game.proposals
        if proposal.proponent == name
    ]


def _own_ballots(game: BaseGame, name: str) -> Child:
    """Return a table of a player's ballots, those still sealed without what they say."""
    rows: list[list[Child]] = [
        [
            [_heading(game, proposal), _said(game, proposal, name) if proposal.proponent != name else None],
            player_name(proposal.proponent),
            proposal.ballots[name],
            _outcome(proposal),
        ]
        for proposal in game.proposals
        if name in proposal.ballots
    ]
    return table_element("Ballots", ["Proposal", "By", "Ballot", "Result"], rows) if rows else None


def _own_moves(game: BaseGame, name: str) -> Child:
    """Return a list of a player's moves on the boards, as sentences."""
    moves, history = game.moves, game.history
    return item_list(str(history.loc[seq, "what"]) for seq in moves[moves["player"] == name]["seq"])


def _own_rulings(game: BaseGame, name: str) -> Child:
    """Return a list of a player's rulings as Judge, each with its question and its status."""
    return item_list(
        [
            build_element("p", "“", judgment.question, "”"),
            build_element("p", ruling.text, f" ({JUDGMENT_STATUS[judgment.status]})"),
        ]
        for judgment in game.judgments
        for ruling in (*judgment.overruled, judgment.ruling)
        if ruling is not None and ruling.judge == name
    )


def _own_points(game: BaseGame, name: str) -> Child:
    """Return a table of what changed a player's counters: by rule, how often and by how much in all."""
    found: dict[tuple[str, str], list[LedgerEntry]] = defaultdict(list)
    for entry in game.ledger:
        if entry.player == name:
            found[entry.counter, entry.why if entry.rule is None else f"rule {entry.rule}"].append(entry)
    rows: list[list[Child]] = []
    for (counter, by), entries in found.items():
        amounts = [entry.amount for entry in entries if entry.amount is not None]
        rows.append([
            upper_first(by or "set by the game"), counter, str(len(entries)),
            number_text(sum(amounts, start=Fraction(0))) if amounts else "–",
        ])  # fmt: skip
    heads: list[Child] = ["Rule", "Counter", number_heading("Times"), number_heading("In all")]
    return table_element("Points", heads, rows) if rows else None


#: The sections of a page, each with its heading and what makes it; one without content is left out.
SECTIONS: tuple[tuple[str, Callable[[BaseGame, str], Child]], ...] = (
    ("Proposals and their results", _own_proposals),
    ("Ballots", _own_ballots),
    ("Moves", _own_moves),
    ("Rulings as Judge", _own_rulings),
    ("Points, rule by rule", _own_points),
)


# ------------------------------------------------------------------------------------------- the folder


def safe_file_name(name: str) -> str:
    """Return a name that every system takes as a file name: no path, no name of a device, nothing hidden.

    Examples
    --------
    >>> safe_file_name("../Ada/b"), safe_file_name("con"), safe_file_name("Zoë")
    ('Ada-b', 'con-', 'Zoë')
    >>> safe_file_name("क्षमा")
    'क्षमा'
    """
    normal = unicodedata.normalize("NFC", name)
    letters = (letter if unicodedata.category(letter)[0] in "LMN" or letter in " _" else "-" for letter in normal)
    made = re.sub("-+", "-", "".join(letters)).strip("- ")[:LONGEST_FILE_NAME].strip() or "-"
    return f"{made}-" if DEVICES.match(made) else made


def _compared(name: str) -> str:
    """Return a file name as file systems compare it that see no capitals, or take letters apart."""
    return unicodedata.normalize("NFKC", name).casefold()


def written_before(folder: Path) -> list[str]:
    """Return the names of the files that `write_portfolios` has written into a folder, by its list of contents."""
    try:
        listed = (folder / CONTENTS).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    return [name for name in listed if name not in ("", ".", "..") and not set("/\\:\0") & set(name)]


def write_portfolios(games: Mapping[str, BaseGame], folder: Path) -> tuple[list[str], list[str]]:
    """Write everything about some games into a folder; return the names of the files, and what could not be written.

    What an earlier call has written there and is no longer there is deleted.

    Parameters
    ----------
    games : mapping of str to BaseGame
        The games, keyed by table name.
    folder : Path
        The folder; it is created if it does not exist.

    Raises
    ------
    RecordError
        The files cannot be written there.
    """
    before = written_before(folder)
    made, missing = {_compared(CONTENTS): CONTENTS}, list[str]()

    def write(name: str, ending: str, text: str) -> None:
        stem = safe_file_name(name)
        names = (f"{stem}{f' {at}' if at > 1 else ''}{ending}" for at in count(1))
        free = next(name for name in names if _compared(name) not in made)
        replace_file(folder / free, text)
        made[_compared(free)] = free

    write_files(folder, {CONTENTS: "".join(f"{name}\n" for name in before)})
    with _unchanged(games.values()):
        rows = class_frame(games).rename(columns=lambda name: name.replace("_", " "))
        rules, faults = rule_files(games)
    # a byte order mark, without which spreadsheets misread letters that are not English
    write("class", ".csv", "\ufeff" + str(rows.to_csv(index=False, lineterminator="\r\n")))
    for name in dict.fromkeys(name for game in games.values() for name in _persons(game)):
        own = {table: game for table, game in games.items() if name in _persons(game)}
        with _unchanged(own.values()):
            page = pupil_page(name, own)
        write(f"pupil {name}", ".html", page)
    for table, game in games.items():
        with game.timeline.lock:
            pages = {"record": to_html(game), "law book": law_book_html(game)}
            lines, secrets = list(record_lines(game.timeline)), describe_readable_secrets(game.timeline)
        for kind, page in pages.items():
            write(f"{table} {kind}", ".html", page)
        if secrets:
            missing.append(f"{upper_first(table)}: the record isn’t saved as a file, because secrets in it are sealed.")
        else:
            write(f"{table} record", ".jsonl", "".join(f"{line}\n" for line in lines))
    for name, text in rules:
        write(name, ".md", text)
    _, *written = made.values()
    replace_file(folder / CONTENTS, "".join(f"{name}\n" for name in written))
    delete_files(folder, (name for name in before if name not in written))
    return [*written, CONTENTS], [*missing, *faults]


def rule_files(games: Mapping[str, BaseGame]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the law of each table as a rule file's name and text, and why a table has none."""
    made, faults = list[tuple[str, str]](), list[str]()
    for table, game in games.items():
        name = f"our law {table}".strip()
        try:
            made.append((name, rule_file_text(game.timeline, safe_file_name(name).replace(" ", "-"))))
        except RecordError as error:
            faults.append(f"{upper_first(table)}: {error}.")
    return made, faults


@contextmanager
def _unchanged(games: Iterable[BaseGame]) -> Iterator[None]:
    """Let nobody act in some games during the block; it is short, so nobody waits for all files."""
    with ExitStack() as held:
        for game in games:
            held.enter_context(game.timeline.lock)
        yield


def delete_files(folder: Path, names: Iterable[str]) -> None:
    """Delete files in a folder.

    Raises
    ------
    RecordError
        Some cannot be deleted, perhaps because another program has them open; with their names.
    """
    if kept := list(_not_deleted(folder, names)):
        raise RecordError(
            "files-not-deleted",
            "can’t delete {files} in {folder}. Close them in other programs, then try again",
            files=join_words(kept),
            folder=folder,
        )


def _not_deleted(folder: Path, names: Iterable[str]) -> Iterator[str]:
    """Delete files in a folder; yield the names of those that stay."""
    for name in names:
        try:
            (folder / name).unlink(missing_ok=True)
        except OSError:
            yield name
