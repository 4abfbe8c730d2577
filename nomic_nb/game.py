"""A game of Nomic, as players, teachers and authors of records use it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nomic_nb.cells import WATCH, asked_for
from nomic_nb.errors import IllegalAction, NotThere
from nomic_nb.host import Host
from nomic_nb.judgments import Judgments
from nomic_nb.law.changes import Change
from nomic_nb.law.resolver import Finding
from nomic_nb.law.rules import Number
from nomic_nb.law.view import Undecided
from nomic_nb.multiverse.drawing import draw_multiverse, draw_push
from nomic_nb.multiverse.multiverse import BoardMove
from nomic_nb.multiverse.picture import Picture
from nomic_nb.multiverse.pushes import Push
from nomic_nb.play import possible
from nomic_nb.play.boards.chess import chess_of, push_of
from nomic_nb.play.decisions import decisions
from nomic_nb.play.lawmaking import check_change
from nomic_nb.play.state import State
from nomic_nb.play.table import Past, Setting, Table
from nomic_nb.play.vocabulary import language
from nomic_nb.record import frames, log, moves
from nomic_nb.record.sentences import sealed_now, sentence
from nomic_nb.rulesets.library import LibraryRule
from nomic_nb.rulesets.literate import RuleSet, find_ruleset, known, written_term
from nomic_nb.shown import Shown
from nomic_nb.times import Forks, Redline
from nomic_nb.views import LawBook, LawInForce, Ledger, Pending, Proposal, Proposals

if TYPE_CHECKING:
    import pandas as pd

    from nomic_nb.explore.review import Review
    from nomic_nb.panels.panel import Panel

#: Events that go without saying.
BY_THE_WAY = frozenset({"part_begun", "part_ended", "turn_ended", "obliged"})
#: What `new_game` takes for the source of throws.
DICE = ("seeded", "table", "either")


def rulesets() -> pd.DataFrame:
    """List the rule sets that come with the kit.

    Returns
    -------
    DataFrame
        Indexed by ``name`` (string), with ``title``, ``players``, ``source`` (string) and ``rules`` (int64).

    Examples
    --------
    >>> rulesets().loc["discordian-nomic", "title"]
    'Discordian Nomic'
    """
    import pandas as pd

    found = [find_ruleset(name, language()) for name in known()]
    columns: dict[str, list[object]] = {
        "name": [one.name for one in found],
        "title": [one.title for one in found],
        "players": [one.players for one in found],
        "rules": [len(one.rules) for one in found],
        "source": [one.source for one in found],
    }
    return pd.DataFrame(columns).set_index("name")


def new_game(
    ruleset: str | Path,
    players: Sequence[str],
    *,
    seed: int | None = None,
    terms: Mapping[str, object] | None = None,
    dice: str | None = None,
) -> Game:
    """Begin a game.

    Parameters
    ----------
    ruleset : str or Path
        The name of a rule set that comes with the kit (see `rulesets`), or the path of a rule file.
    players : sequence of str
        Their names, in seating order.
    seed : int, optional
        From which the game's own dice are drawn. Where it is not given, one is drawn, and shown: from the
        cell in a notebook, so that running it again gives the same game; by chance elsewhere.
    terms : mapping of str to object, optional
        Terms agreed otherwise than the rule set has them, by key: ``{"win.points": 30}``.
    dice : str, optional
        ``seeded`` (only the game's own dice), ``table`` (only dice thrown by hand) or ``either``; what
        the rule set says where it is not given.

    Returns
    -------
    Game

    Raises
    ------
    LawError
        There is no such rule set, or a term that it does not have.
    ValueError
        Names that cannot be told apart, or a seed that is none.

    Examples
    --------
    >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> game.pending
    Ann – propose a rule-change (rule 202)  → propose
    """
    agreed = dict(terms or {})
    if dice is not None:
        if dice not in DICE:
            raise ValueError(f"dice are {', '.join(DICE)}; found {dice!r}")
        agreed["dice.source"] = dice
    if isinstance(players, str):
        raise ValueError(f"players are a list of names; found the text {players!r}")
    WATCH.attach()
    plain = {key: written_term(language(), key, value) for key, value in agreed.items()}
    setting = Setting(find_ruleset(ruleset, language()), tuple(players), seed or 0, plain)
    asked = asked_for(setting, seed)
    known_game = WATCH.same(asked)
    if known_game is not None:
        return known_game
    if seed is None:
        drawn = WATCH.seed(asked)
        setting = replace(setting, seed=secrets.randbelow(1_000_000) if drawn is None else drawn)
    game = Game(Table(setting))
    WATCH.began(asked, game)
    return game


def load(path: str | Path) -> Game:
    """Load a game that was saved, and play it again to see that it is what the rules make of it.

    Parameters
    ----------
    path : str or Path
        A file that `Game.save` wrote.

    Returns
    -------
    Game

    Raises
    ------
    RecordError
        With the line that is at fault.
    """
    return Game(log.load(Path(path)))


def to_notebook(game: Game, path: str | Path | None = None) -> dict[str, Any]:
    """Return a notebook that plays the game again, a cell a turn, and checks that it comes out the same.

    Parameters
    ----------
    game : Game
        The game.
    path : str or Path, optional
        Write it to this file too.

    Returns
    -------
    dict
        Jupyter's notebook format, version 4.5, as plain data.
    """
    from nomic_nb.documents import to_notebook as make

    made = make(game)
    _written(json.dumps(made, ensure_ascii=False, indent=1) + "\n", path)
    return made


def _written(text: str, path: str | Path | None) -> str | None:
    """Write a page where it is wanted, so that a notebook does not fill with it; return it otherwise."""
    if path is None:
        return text
    Path(path).write_text(text, encoding="utf-8")
    return None


class Game(Shown):
    """A game of Nomic.

    Begun by `new_game`, brought back by `load`. Every method that does something calls `do`, which
    checks the action against the law in force; what is refused leaves the game exactly as it was.

    Parameters
    ----------
    table : Table
        The game under way.
    """

    def __init__(self, table: Table) -> None:
        self.table = table

    # --------------------------------------------------------------------------------- how things stand

    @property
    def state(self) -> State:
        """Everything that is so now, as one value that never changes."""
        return self.table.state

    @property
    def ruleset(self) -> RuleSet:
        """The rule set that the game began with."""
        return self.table.setting.ruleset

    @property
    def seed(self) -> int:
        """The seed of the game's own dice."""
        return self.table.setting.seed

    @property
    def players(self) -> tuple[str, ...]:
        """Names of everyone who takes or took part, in seating order."""
        return tuple(self.state.players)

    @property
    def player(self) -> str | None:
        """The player whose turn it is; None where no turn is under way."""
        go = self.state.go
        return go.player if go and not self.state.over else None

    @property
    def part(self) -> str | None:
        """The part of the turn under way."""
        go = self.state.go
        return go.part if go and not self.state.over else None

    @property
    def turn(self) -> int:
        """How many turns have begun."""
        return self.state.turn

    @property
    def circuit(self) -> int:
        """The circuit under way, 1 for the first."""
        return self.state.circuit

    @property
    def pending(self) -> Pending:
        """The open decisions."""
        return Pending(decisions(self.state), "the game is paused" if self.state.paused else self.result)

    @property
    def rules(self) -> LawBook:
        """The law book: ``game.rules[203]``, ``game.rules.frame``, ``game.rules.versions``."""
        return LawBook(self.table, self.state)

    @property
    def law(self) -> LawInForce:
        """The terms of the law: ``game.law["vote.quota"]`` is a `Finding`."""
        return LawInForce(self.state)

    @property
    def proposals(self) -> Proposals:
        """All proposals: ``game.proposals[301]``, ``game.proposals.frame``."""
        return Proposals(self.table, self.state)

    @property
    def scores(self) -> pd.Series:
        """What players have, of the counter that the rules tracked first: exact numbers, by player.

        Returns
        -------
        Series
            Indexed by player; dtype object: int or Fraction.
        """
        import pandas as pd

        players = self.state.players
        counter = next((name for player in players.values() for name in player.counters), "points")
        values = [player.counters.get(counter) for player in players.values()]
        return pd.Series(values, index=pd.Index(list(players), name="player"), name=counter, dtype="object")

    @property
    def counters(self) -> pd.DataFrame:
        """Everything that is counted, by player: a column a counter, exact numbers (dtype object)."""
        import pandas as pd

        rows = {name: dict(player.counters) for name, player in self.state.players.items()}
        return pd.DataFrame.from_dict(rows, orient="index", dtype="object").rename_axis("player")

    @property
    def ledger(self) -> Ledger:
        """Every change of a counter, with its rule; ``game.ledger.frame`` is a DataFrame."""
        return Ledger(self.table)

    @property
    def ballots(self) -> pd.DataFrame:
        """Every ballot as a DataFrame; see `record.frames.ballots` for its columns."""
        return frames.ballots(self.table.standing, self.state)

    @property
    def history(self) -> pd.DataFrame:
        """What happened, one row an event; see `record.frames.history` for its columns."""
        return frames.history(self.table.events, self.state)

    @property
    def moves(self) -> pd.DataFrame:
        """The moves on the boards, one row a move; see `record.moves.frame` for its columns."""
        return moves.frame(self.table.moments, self.table.standing)

    @property
    def last_move(self) -> BoardMove | None:
        """The move made last; None where there is none."""
        found = [one.move for one in moves.played(self.table.moments, self.table.standing)]
        return found[-1] if found else None

    def pushed(self, *boards: str, army: str | None = None) -> Push:
        """Return boards pushed together, to be looked at; nothing happens in the game.

        Parameters
        ----------
        *boards : str
            Two half-boards, or one universe.
        army : str, optional
            For whose moves; the army on turn, where it is not given.

        Raises
        ------
        NotThere
            There are no boards in this game, no such board or army, or boards that do not go together.
        """
        state = self.state
        go = state.go
        mine = army if army is not None else go.army if go is not None else None
        if state.position is None or (mine is not None and mine not in state.position.armies):
            raise NotThere(
                "there are no boards in this game" if state.position is None else f"no army is called {mine}"
            )
        name = mine if mine is not None else next(iter(state.position.armies))
        try:
            return push_of(state.law, state, chess_of(state.law, state, name), name, boards)
        except Undecided as doubt:
            raise NotThere(doubt.reason) from None

    def draw(self, *boards: str, targets: str | None = None) -> Picture:
        """Draw all boards, or those that are named, pushed together.

        Parameters
        ----------
        *boards : str
            Two half-boards, or one universe; all boards, where none is named.
        targets : str, optional
            A square such as ``white.e2``; where its piece may go is marked, on boards that are named.

        Raises
        ------
        NotThere
            There are no boards in this game, or none that go together so.
        """
        if boards:
            return draw_push(self.pushed(*boards), targets=targets)
        if self.state.position is None:
            raise NotThere("there are no boards in this game")
        return draw_multiverse(self.state.position, last=self.last_move)

    def pgn(self, path: str | Path | None = None) -> str | None:
        """Return the moves as PGN, for each pair of half-boards; every move has its number in the whole game.

        Parameters
        ----------
        path : str or Path, optional
            Write it to this file, and return nothing.
        """
        from nomic_nb.record import pgn

        about = {"Event": self.ruleset.title, "Site": "?", "Date": "????.??.??"}
        return _written(pgn.write(moves.played(self.table.moments, self.table.standing), about), path)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.over

    @property
    def winners(self) -> tuple[str, ...]:
        """Names of all who have won."""
        return self.state.winners

    @property
    def winner(self) -> str | None:
        """The winner; None where nobody has won, or several have."""
        return self.winners[0] if len(self.winners) == 1 else None

    @property
    def result(self) -> str:
        """How the game ended; empty while it goes on."""
        if not self.over:
            return ""
        last = next(event for event in reversed(self.table.events) if event.kind in ("won", "abandoned"))
        rule = f" (rule {last.cause.rule})" if last.cause and last.kind == "won" else ""
        return f"{sentence(last)[0].upper()}{sentence(last)[1:]}{rule}."

    def why(self, key: str, change: Change | LibraryRule | None = None) -> Finding:
        """Explain a term of the law: which rule prevails, which are defeated, and why.

        Parameters
        ----------
        key : str
            Such as ``vote.quota``.
        change : Change, optional
            Ask as if this were proposed by the player on turn.

        Returns
        -------
        Finding

        Raises
        ------
        KeyError
            There is no such key.

        Examples
        --------
        >>> from nomic_nb.law.changes import transmute
        >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> finding = game.why("vote.quota", transmute(112))
        >>> finding.value, finding.rule
        (2, 109)
        >>> print(finding.defeated[0].source.rule.number, "–", finding.defeated[0].reason)
        203 – a rule of tier immutable prevails over mutable (rule 110)
        """
        finding = self.law[key]
        if change is None:
            return finding
        change = change.change() if isinstance(change, LibraryRule) else change
        try:
            check_change(self.state.law, change)
        except LookupError as error:
            raise NotThere(str(error.args[0])) from None
        proponent = self.player or next(iter(self.state.persons), "")
        trial = possible.supposed(self.state, change, proponent)
        return trial.law.find(key, trial, possible.supposed_case())

    def review(self, player: str, change: Change | LibraryRule) -> Review:
        """Say what a change would do, before anyone proposes it or votes on it; the game stays as it is.

        Parameters
        ----------
        player : str
            Who would propose it.
        change : Change or LibraryRule
            What would be proposed.

        Returns
        -------
        Review
        """
        from nomic_nb.explore.review import review

        return review(self.table, player, change.change() if isinstance(change, LibraryRule) else change)

    def panel(self, seat: str | None = None) -> Panel:
        """Return a live panel: the open decisions as buttons and fields, with law book and tally beside them.

        Parameters
        ----------
        seat : str, optional
            Show only what this player decides; everyone in turn, where it is not given.
        """
        from nomic_nb.panels.panel import Panel

        return Panel(self, seat)

    # ----------------------------------------------------------------------------------- doing something

    def do(self, player: str, action: str, **details: Any) -> None:
        """Do an action; every other method calls this one.

        Parameters
        ----------
        player : str
            Who does it.
        action : str
            ``propose``, ``vote``, ``roll``, ``choose``, ``say`` …; an unknown one is refused, and the known
            ones are listed.
        **details
            As the method of the same name takes them.

        Raises
        ------
        IllegalAction
            Refused: with the rule, and what is open instead.
        LawError
            A clause that cannot be read, with line and column.
        TypeError
            Details that the action does not take.
        """
        WATCH.acting(self.table)
        self.table.do(player, action, details)

    def propose(
        self, player: str, change: Change | LibraryRule, number: Number | None = None, *, debate: bool = False
    ) -> Proposal:
        """Propose a rule-change; the vote opens at once, or after a debate.

        Parameters
        ----------
        player : str
            Who proposes.
        change : Change or LibraryRule
            Made by `enact`, `amend`, `repeal` or `transmute`; a ready-made rule is enacted as it is.
        number : int or str, optional
            Only where others number proposals.
        debate : bool
            Hold the vote back until `call_vote` (111).

        Returns
        -------
        Proposal

        Raises
        ------
        IllegalAction
            Not this player's to do now, or no proper rule-change.
        LawError
            A clause that cannot be read.
        """
        if isinstance(change, LibraryRule):
            change = change.change()
        before = self.state.seq
        self.do(player, "propose", change=change, number=number, debate=debate)
        done = self.table.moments[before][0]
        if done.kind != "proposed":
            raise IllegalAction(f"the law does not say whether this is allowed; the table is asked: {self._question}")
        return Proposal(self.table, done.data["number"])

    @property
    def _question(self) -> str:
        return self.state.questions[0].text if self.state.questions else ""

    def revise(self, player: str, change: Change, proposal: Number | None = None) -> None:
        """Give a proposal that is being debated another form; its number stays (111)."""
        self.do(player, "revise", change=change, proposal=proposal)

    def call_vote(self, player: str, proposal: Number | None = None) -> None:
        """End the debate on a proposal, and open the vote (111)."""
        self.do(player, "call_vote", proposal=proposal)

    def vote(self, player: str, ballot: str, proposal: Number | None = None) -> None:
        """Cast a ballot, ``for`` or ``against``; `proposal` is needed only where several votes are open."""
        self.do(player, "vote", ballot=ballot, proposal=proposal)

    def close_vote(self, player: str, proposal: Number | None = None) -> None:
        """Close a vote in which not everyone has voted, where the law lets someone."""
        self.do(player, "close_vote", proposal=proposal)

    def roll(self, player: str, value: int | None = None) -> int:
        """Throw the dice: drawn by the game, or made by hand and told.

        Parameters
        ----------
        player : str
            Who throws.
        value : int, optional
            What a throw made by hand shows, the sum of the dice.

        Returns
        -------
        int
            What the throw shows.
        """
        before = self.state.seq
        self.do(player, "roll", value=value)
        thrown = next((event for event, _ in self.table.moments[before:] if event.kind == "thrown"), None)
        if thrown is None:
            raise IllegalAction(f"the law does not say whether this is allowed; the table is asked: {self._question}")
        return int(thrown.data["face"])

    def choose(self, player: str, option: object, decision: int | None = None) -> None:
        """Choose what a rule offers (``"none"`` declines), or answer the question that play waits for."""
        self.do(player, "choose", option=option, decision=decision)

    def move(self, player: str, move: str, push: Sequence[str] | None = None) -> None:
        """Push two half-boards together and move a piece on them.

        Parameters
        ----------
        player : str
            Who moves.
        move : str
            Such as ``white.e2-white.e4``, with ``=Q`` behind it for a promotion; as `pending` lists it, with
            the boards before it; or UCI on the joined board (``e2e4``), where the first board of `push` keeps
            the names of its squares.
        push : sequence of str, optional
            The boards that are pushed together; not needed where the move goes from one to the other, or
            where only one pair is open for it.

        Raises
        ------
        IllegalAction
            Refused: with the rule, and the moves that are legal instead.
        """
        self.do(player, "move", text=move, push=None if push is None else list(push))

    def skip(self, player: str) -> None:
        """Pass over the rest of one's turn, where a rule allows it."""
        self.do(player, "skip")

    def say(self, player: str, text: str) -> None:
        """Say something that rules may listen for."""
        self.do(player, "say", text=text)

    def act(self, player: str, text: str) -> None:
        """Do what no rule speaks of (116); it is recorded, and changes nothing by itself."""
        self.do(player, "act", text=text)

    def report(self, player: str, who: str, deed: str) -> None:
        """Report what someone did, by a name that rules may speak of."""
        self.do(player, "report", who=who, deed=deed)

    def apply(self, player: str, rule: Number, effect: str) -> None:
        """Apply a rule that only people can read; recorded as that, and open to dispute.

        Parameters
        ----------
        player : str
            Who applies it.
        rule : int or str
            Its number.
        effect : str
            One effect of the law language: ``award -5 points to "Ben"``.
        """
        self.do(player, "apply", rule=rule, effect=effect)

    def begin_turn(self, player: str) -> None:
        """Begin a turn, where turns are begun at will."""
        self.do(player, "begin_turn")

    def end_turn(self, player: str) -> None:
        """End one's turn, where players end their turns themselves."""
        self.do(player, "end_turn")

    def invoke_judgment(self, player: str, question: str, proposal: Number | None = None) -> None:
        """Insist on a question: the law finds a Judge, or all at the table must give the same answer (`choose`).

        Parameters
        ----------
        player : str
            Who insists.
        question : str
            What it is about.
        proposal : int or str, optional
            Ask the Judge to end the debate on this one.
        """
        self.do(player, "invoke_judgment", question=question, proposal=proposal)

    def rule_on(
        self, player: str, ruling: str, reasons: str = "", rests_on: Sequence[Number] = (), orders: str = "",
        judgment: int | None = None,
    ) -> None:  # fmt: skip
        """Decide a question as its Judge.

        Parameters
        ----------
        player : str
            The Judge.
        ruling, reasons : str
            What is decided, and why.
        rests_on : sequence of int or str
            The rules that it rests on; it hangs on them in the law book.
        orders : str
            Effects of the law language, one a line, that are done once the ruling stands:
            ``void rule_numbered(305) against rule_numbered(101)``, ``award 5 points to "Ann"``, ``end play``.
        judgment : int, optional
            Which one; the first that waits for this Judge, where it is not given.
        """
        self.do(
            player, "rule_on", ruling=ruling, reasons=reasons, rests_on=list(rests_on), orders=orders, judgment=judgment
        )

    def overrule(self, player: str, ballot: str, judgment: int | None = None) -> None:
        """Vote ``for`` or ``against`` overruling the Judge."""
        self.do(player, "overrule", ballot=ballot, judgment=judgment)

    def consent(self, player: str, ballot: str = "for", judgment: int | None = None) -> None:
        """Say whether play may go on after a judgment."""
        self.do(player, "consent", ballot=ballot, judgment=judgment)

    @property
    def judgments(self) -> Judgments:
        """Every judgment of the game: question, Judge, ruling, what it rests on and what came of it."""
        return Judgments(self.state)

    def forfeit(self, player: str) -> None:
        """Leave the game; it is never refused while a rule allows it (113)."""
        self.do(player, "forfeit")

    # -------------------------------------------------------------------------------------- other times

    def at(self, event: int) -> Game:
        """Return the game as it stood right after an event, to be looked at; it refuses every action.

        Parameters
        ----------
        event : int
            Its number in `history`, 1 for the first.

        Raises
        ------
        ValueError
            There is no such event.
        """
        return Game(self.table.at(event))

    def fork(self, at: int | None = None) -> Game:
        """Return a game that goes on from an earlier moment; this one stays as it is.

        Parameters
        ----------
        at : int, optional
            An event; the fork begins where everything that belongs to it is done. Now, where it is not
            given.

        Raises
        ------
        ValueError
            There is no such event.
        """
        return Game(self.table.fork(self.state.seq if at is None else at))

    @property
    def forks(self) -> Forks:
        """The other ways that this game went, as a tree; ``game.forks[0].game`` is the first of them."""
        return Forks(self.table)

    def undo(self, to: int | None = None) -> None:
        """Take the game back, as an event: what happened stays on record.

        Parameters
        ----------
        to : int, optional
            The event after which it shall stand; before the last action, where it is not given.

        Raises
        ------
        IllegalAction
            There is nothing to undo, or the event is in the middle of a step.
        """
        WATCH.acting(self.table)
        self.table.undo(to)

    def redline(self, start: int, end: int | None = None) -> Redline:
        """Return how the law differs between two moments.

        Parameters
        ----------
        start, end : int
            Events; `end` is now where it is not given.

        Raises
        ------
        ValueError
            There is no such event.
        """
        then, now = self.table.at(start), self.table.at(self.state.seq if end is None else end)
        return Redline(then.state, now.state)

    def annotate(self, text: str, nag: str = "", at: int | None = None) -> None:
        """Write a comment into the record; the documents made from the game show it.

        Parameters
        ----------
        text : str
            The comment; may be empty where there is a glyph.
        nag : str
            A glyph: ``!``, ``?``, ``!!``, ``??``, ``!?``, ``?!`` or ``□`` (PGN standard, section 10).
        at : int, optional
            The event it is about; the last one, where it is not given.

        Raises
        ------
        IllegalAction
            There is no such event, or no such glyph.
        """
        WATCH.acting(self.table)
        self.table.host("annotate", {"text": text, "nag": nag, "at": at})

    @property
    def host(self) -> Host:
        """Whoever keeps the record: absence, pause, correction by consent."""
        return Host(self.table)

    # ------------------------------------------------------------------------------------------ records

    def save(self, path: str | Path) -> None:
        """Write the game to a file (JSON Lines) that `load` reads.

        Raises
        ------
        IllegalAction
            This is the game as it stood: save the game itself, or a fork.
        """
        if isinstance(self.table, Past):
            onwards = [f"game.fork(at={self.state.seq}).save(…)"]
            raise IllegalAction("this is the game as it stood, perhaps in the middle of a step", options=onwards)
        log.save(self.table, Path(path))

    def to_html(self, path: str | Path | None = None) -> str | None:
        """Return the game as one page to read and to print: the record turn by turn, law book, ledger, comments.

        Parameters
        ----------
        path : str or Path, optional
            Write it to this file, and return nothing.
        """
        from nomic_nb.documents import to_html

        return _written(to_html(self), path)

    def to_markdown(self, path: str | Path | None = None) -> str | None:
        """Return the game as Markdown: the record turn by turn with its comments.

        Parameters
        ----------
        path : str or Path, optional
            Write it to this file, and return nothing.
        """
        from nomic_nb.documents import to_markdown

        return _written(to_markdown(self), path)

    def law_book(self, path: str | Path | None = None) -> str | None:
        """Return the law book as one page of HTML, made to be printed.

        Parameters
        ----------
        path : str or Path, optional
            Write it to this file, and return nothing.
        """
        from nomic_nb.documents import law_book_html

        return _written(law_book_html(self), path)

    def __str__(self) -> str:
        state = self.state
        lines = [
            f"{self.ruleset.title} – {self.result or f'turn {state.turn}, circuit {state.circuit}'} (seed {self.seed})"
        ]
        for name, player in state.players.items():
            marks = [f"{value} {counter}" for counter, value in player.counters.items()]
            marks += [] if player.person else ["dummy"]
            marks += [] if player.playing else ["out"]
            on = "→" if name == self.player else " "
            lines.append(f" {on} {name}: {', '.join(marks) or '–'}")
        lines.append(str(self.pending))
        return "\n".join(lines)

    __repr__ = __str__

    def latest(self, count: int = 8) -> list[str]:
        """Return the last events in words; what begins and ends by itself is left out."""
        sealed = sealed_now(self.state)
        found: list[str] = []
        for event, _ in reversed(self.table.moments):
            if len(found) == count:
                break
            if event.kind not in BY_THE_WAY:
                found.append(sentence(event, sealed))
        return found[::-1]
