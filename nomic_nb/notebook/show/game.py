"""A game at a glance, its boards, its decisions, its polls, its ledger."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from inspect import Parameter
from xml.etree.ElementTree import Element

from nomic_nb.chess.multiverse.drawing import all_boards, draw_push
from nomic_nb.chess.multiverse.pieces import BoardMove
from nomic_nb.chess.play.captures import hand_in_words
from nomic_nb.engine.errors import NotThere
from nomic_nb.engine.law.clauses import Clause
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.play.deadlines import is_due
from nomic_nb.engine.play.declarations import ACTIONS, HOST, Takes
from nomic_nb.engine.play.facts import offered
from nomic_nb.engine.play.pending import Poll
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Decision, few
from nomic_nb.engine.play.waiting import answered, until
from nomic_nb.engine.words import cited, counter_named, figure, full_sentence, plural, signed
from nomic_nb.notebook.live.base import BaseGame
from nomic_nb.notebook.live.cells import WATCH
from nomic_nb.notebook.markup.prose import worded
from nomic_nb.notebook.markup.tree import (
    Child,
    Rows,
    el,
    fold,
    items,
    mark,
    number_head,
    parted,
    quiet,
    soft,
    stressed,
    subhead,
    table,
    who,
)
from nomic_nb.notebook.show import proposals
from nomic_nb.notebook.show.law import number_of, sentences
from nomic_nb.notebook.show.law import remarks as wording_remarks
from nomic_nb.notebook.show.proposals import remarks, stale, tally
from nomic_nb.study.review.warnings.consistency import figures
from nomic_nb.study.views import Entry, Ledger, Pending, tally_of, where
from nomic_nb.study.views.explained import explain
from nomic_nb.study.views.law import beside_wording, changed_alone, sentence
from nomic_nb.study.views.tables import of_the_game, scores, words_of

# ---------------------------------------------------------------------------------------------- a game at a glance


#: Entries of a ledger that are shown; the data frame has them all.
MOST_ENTRIES = 100


def game(shown: BaseGame) -> Element:
    """Return a game: how it stands, what is pending, open judgments and votes, what happened last."""
    state, beyond = shown.state, WATCH.beyond(shown.timeline)
    return el(
        "article",
        el("h3", shown.ruleset.title),
        el("p", _where(shown), cls="lede"),
        quiet(f"As of this cell; the game has gone on, to event {beyond}.") if beyond else None,
        stressed(shown.result, cls="result") if shown.over else None,
        stressed("The game is paused.", cls="result") if state.paused and not shown.over else None,
        el(
            "div",
            standings(shown, "Players"),
            None if shown.over else el("div", pending(shown.pending), _answers(shown)),
            cls="side-by-side",
        ),
        boards(shown),
        proposals.opened(state.live_judgments) if not shown.over else None,
        votes(shown),
        el("h4", "What happened last"),
        items(map(full_sentence, shown.latest()), "latest"),
        cls="game",
    )


def votes(shown: BaseGame, *, remarked: bool = True) -> list[Child]:
    """Return the votes that are open, each with what is odd about the proposal, if that is to be found."""
    return [
        [
            el("h4", f"Proposal {made.number}: {one.change.headline}"),
            stale(one),
            remarks(shown.proposals[made.number].remarks) if remarked else None,
            tally(made),
        ]
        for one in shown.state.open_proposals
        if one.status == "open" and (made := tally_of(one, shown.timeline))
    ]


def _where(shown: BaseGame) -> Child:
    state = shown.state
    turns = shown.turns
    number = turns[0].number if len(turns) == 1 else state.turn
    made: list[Child] = [f"Turn {number}, circuit {state.circuit}"]
    if len(turns) == 1:
        made += [". ", el("strong", who(turns[0].player)), "’s turn"]
        made.append(f": {turns[0].part}" if turns[0].part else None)
    elif turns:
        made = [f"{plural(state.turn, 'turn')} begun, circuit {state.circuit}. {len(turns)} are under way: "]
        made += parted(([el("strong", who(turn.player)), f", {where(turn)}"] for turn in turns), "; ")
    elif not shown.over:
        made.append(". No turn is under way")
    kept = f" {full_sentence(shown.kept)}" if shown.kept else ""
    return [*made, ". ", soft(f"Seed of the dice: {shown.seed}. Fingerprint: {shown.fingerprint}.{kept}")]


def standings(shown: BaseGame, caption: str, *, armies: bool = False) -> Child:
    """Return how every player stands, in seating order, and what rules count for the game as a whole.

    Parameters
    ----------
    shown : BaseGame
        The game.
    caption : str
        What stands above the table.
    armies : bool
        Whether to say whose army is whose, where there are boards.
    """
    state = shown.state
    standing = state.position.armies.values() if armies and state.position is not None else ()
    kept = scores(state)
    rows: Rows = []
    for name, player in state.players.items():
        own = None if shown.over else state.turn_of(name)
        marks = [mark("won", cls="go")] if name in shown.winners else []
        if own is not None:
            marks.append(mark("to play" if len(shown.turns) == 1 else f"in turn {own.number}", cls="on"))
        said = (("dummy", not player.person), ("absent", player.absent), ("out", not player.playing))
        marks += [mark(word) for word, is_so in said if is_so]
        marks += [mark(army.name) for army in standing if army.controller == name]
        counts = [words_of(state, held[name]) if name in held else "–" for held in kept.values()]
        rows.append([who(name), *counts, [[one, " "] for one in marks]])
    counted = ", ".join(f"{counter}: {value}" for counter, value in of_the_game(state).items())
    found = table(caption, ["Player", *map(number_head, kept), ""], rows)
    return [found, el("p", f"Counted for the game: {counted}.") if counted else None]


def _answers(shown: BaseGame) -> Element | None:
    """Return what has been answered to the question that play waits for."""
    asked = shown.state.questions[0] if shown.state.questions else None
    if asked is None or not asked.answers:
        return None
    said = items([who(name), " says: ", asked.told(one)] for name, one in asked.answers.items())
    return el("div", subhead("Answers so far"), said)


# ---------------------------------------------------------------------------------------------- pending


def pending(shown: Pending) -> Element:
    """Return the open decisions, a row each."""
    if not shown.seen:
        made = stressed(shown.ended or "Nothing is pending.")
    else:
        made = _decisions(shown.seen, numbered=shown.numbered)
    more = items(map(full_sentence, (*shown.veiled, *shown.chosen_from)), "soft")
    if more is not None:
        made = el("div", made, more)
    return el("div", made, quiet(full_sentence(shown.listened))) if shown.listened else made


def decision(shown: Decision) -> Element:
    """Return one decision."""
    return _decisions([shown])


def _decisions(found: Iterable[Decision], *, numbered: bool = False) -> Element:
    rows: Rows = [
        [
            ["anyone" if one.player is None else who(one.player), " ", mark("must" if one.must else "may")],
            [one.prompt, el("div", ". ".join(_about(one)), cls="soft")],
            el("code", call(one, numbered=numbered)),
        ]
        for one in found
    ]
    return table("To be decided", ["Who", "What", "In Python"], rows, cls="pending")


def _about(one: Decision) -> list[str]:
    options = [f"Options: {few(one.options)}"] if one.options else []
    if one.action == "roll":  # a decision does not say who makes the throw
        options.append("If it is made by hand, say what it shows as well")
    return options if one.rule is None else [*options, f"Rule {one.rule}"]


def call(one: Decision, *, numbered: bool = False) -> str:
    """Return the line of Python that answers a decision.

    Parameters
    ----------
    one : Decision
        What is to be decided.
    numbered : bool
        Whether players say which number a proposal has.

    Examples
    --------
    >>> call(Decision("Ben", "vote", "vote on 301", ("for", "against"), 105, 301))
    'game.vote("Ben", "for", 301)'
    """
    player = _quoted(one.player or "…")
    if one.action in HOST:
        return f"game.host.{one.action}({_quoted(one.options[0]) if one.options else player})"
    deed = ACTIONS[one.action]
    said = {name: _quoted(value) for name, value in (deed.from_line(one.options[0]) if one.options else {}).items()}
    made = (said.get(name) or _argument(one, name, *field, numbered=numbered) for name, field in deed.fields.items())
    return f"game.{one.action}({', '.join([player, *filter(None, made)])})"


def _argument(one: Decision, name: str, takes: Takes, default: object, *, numbered: bool) -> str:
    """Return one argument of the line that answers a decision; empty where none is needed."""
    match takes.of:
        case "option" if one.options or default is Parameter.empty:
            return _quoted(one.options[0]) if one.options else takes.python
        case "proposal" if one.proposal is not None:
            return _quoted(one.proposal)
        case "rule" if one.rule is not None:
            return f"{name}={_quoted(one.rule)}"
        case "id" if one.id is not None:
            return f"{name}={one.id}"
        case "assigned" if numbered:
            return f"{name}={takes.python}"
        case "" if default is Parameter.empty:
            return takes.python
    return ""


def _quoted(value: int | str) -> str:
    return json.dumps(value, ensure_ascii=False)


# ----------------------------------------------------------------------------------------------- ledger


def ledger(shown: Ledger) -> Element:
    """Return the changes of counters, the latest last."""
    if not len(shown):
        return el("p", "Nothing has been counted yet.")
    left_out = len(shown) - MOST_ENTRIES
    said = f"{plural(left_out, 'earlier entry', 'earlier entries')} not shown; .frame has all."
    return el(
        "article",
        entries("Ledger", shown[-MOST_ENTRIES:]),
        quiet(said) if left_out > 0 else None,
        cls="ledger",
    )


def entries(caption: str, shown: Iterable[Entry]) -> Element:
    """Return changes of counters, a row each."""
    rows: Rows = [
        [
            str(one.turn),
            one.whose if one.player is None else who(one.player),
            [
                one.counter if one.amount is None else f"{signed(one.amount)} {counter_named(one.counter, one.amount)}",
                el("div", soft(one.rounded)) if one.rounded else None,
            ],
            one.now if isinstance(one.now, str) else figure(one.now),
            one.why or "–" if one.rule is None else [f"{one.rule} ", el("code", one.why)],
        ]
        for one in shown
    ]
    change, total = map(number_head, ("Change", "Total"))
    return table(caption, [number_head("Turn"), "Player", change, total, "Rule and clause"], rows)


# ----------------------------------------------------------------------------------------------------------- boards


def boards(shown: BaseGame) -> Child:
    """Return the boards of a game; nothing where it has none."""
    position = shown.state.position
    if position is None:
        return []
    state = shown.state
    last = shown.last_move
    on_turn = {state.go.army} if state.go is not None and not state.over else set()
    rows: Rows = []
    for name, army in position.armies.items():
        marks = [mark("to play", cls="on")] if name in on_turn else []
        marks += [mark("mated")] if name in state.mated else []
        marks += [] if state.players[army.controller].playing else [mark("left")]
        count = len([one for one in position.pieces.values() if one.army == name])
        hand = [hand_in_words(state, name) or "–"] if state.hands else []
        rows.append([name, who(army.controller), str(count), *hand, [[one, " "] for one in marks]])
    in_hand = ["In hand"] if state.hands else []
    armies = table("Armies", ["Army", "Moved by", number_head("Pieces"), *in_hand, ""], rows)
    return [
        el("h4", "Boards"),
        all_boards(position, last=last).element(),
        el("div", armies, el("div", _pushed(shown, last)), cls="side-by-side"),
    ]


def _pushed(shown: BaseGame, last: BoardMove | None) -> Child:
    """Return the boards that were pushed together last, as they stand now."""
    if last is None or len(last.push) != 2:
        return []
    said = f"Pushed together last: {' and '.join(last.push)}, for {last.army}: {last.text}."
    try:
        push = shown.pushed(*last.push, army=last.army)
    except NotThere as error:  # the law does not say how pieces move now, and so not who is in check
        return [el("p", said), el("p", f"They cannot be drawn so: {error}.")]
    return [el("p", said), draw_push(push, last=last).element()]


# ------------------------------------------------------------------------------------------------------------ polls


#: What ends a poll: no effect of the law calls one off.
ENDS = "It ends once all who are asked have answered{}; whoever began it cannot call it off."


def polls(state: State) -> list[Element]:
    """Return each poll that waits for answers, and what is due: nothing where there is nothing."""
    asked = [_poll(state, one) for one in state.polls.values() if one.open and one.several]
    put_off = (
        full_sentence(f"{until(state, one.due)}: {one.effect.words}{cited(one.cause and one.cause.rule)}")
        for one in state.later
        if not is_due(state, one.due)  # it is done as soon as play goes on
    )
    later = items(put_off, "waits")
    return asked if later is None else [*asked, el("h3", "Put off", cls="title"), later]


def _poll(state: State, poll: Poll) -> Element:
    """Return a poll: what is asked, what can be answered, and a tile for everybody who is."""
    options = " · ".join(offered(state, one) for one in poll.options) or poll.free
    close = until(state, poll.due) if poll.due is not None else ""
    about = ", ".join(filter(None, [options, "in secret" if poll.secret else "", close])) + cited(poll.rule)
    return el(
        "section",
        el("h3", poll.text or f"What is {poll.name}?", cls="title"),
        quiet(about),
        el("ul", *(_tile(state, poll, name) for name in poll.who), cls="tiles"),
        quiet(ENDS.format("" if poll.due is None else ", or at that time")),
    )


def _tile(state: State, poll: Poll, name: str) -> Element:
    said = answered(state, poll, name) if name in poll.answers else "…" if name in state.present else "absent"
    return el("li", el("bdi", name, cls="name"), el("span", said, cls="cast"), cls="tile")


# ---------------------------------------------------------------------------------------------------- how one wins


#: The condition of winning; the event by which somebody is out; and what else ends a game, which the line leaves out.
WINNING, OUT, STUCK = "win.winners", "eliminated", "win.when_stuck"


def aims(state: State) -> dict[str, tuple[Rule, ...]]:
    """Return the rules in force on winning, by the term that they settle, those that prevail first.

    Beside them stand those that put players out of the game, by the name of that event.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> found = aims(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state)
    >>> {term: [rule.number for rule in rules] for term, rules in found.items()}
    {'win.winners': [112], 'win.points': [208], 'win.when_stuck': [213]}
    """
    about = (WINNING, *(key for key, _ in state.law.dependence.behind(WINNING) if key.startswith("win.")), STUCK)
    found = {}
    for key in sorted(dict.fromkeys(about), key=lambda one: (one == STUCK, one != WINNING)):
        prevails = state.find(key).rule
        rules = {one.rule.id: one.rule for one in state.law.speaking(key) if one.rule.id not in state.rules.void}
        found[key] = tuple(sorted(rules.values(), key=lambda one: one.number != prevails))
        if key == WINNING:
            found[OUT] = tuple(rule for rule in state.rules.in_force if any(map(_puts_out, rule.clauses)))
    return {key: rules for key, rules in found.items() if rules}


def _puts_out(clause: Clause) -> bool:
    """Tell whether a clause puts somebody out of the game."""
    return any(OUT in one.form.makes for one in clause.every_effect())


def aim(state: State, found: dict[str, tuple[Rule, ...]]) -> Element:
    """Return how one wins, folded.

    Parameters
    ----------
    state : State
        As the game stands.
    found : dict of str to tuple of Rule
        What `aims` found in it.
    """
    told = {rules[0]: key for key, rules in reversed(found.items()) if key != STUCK}  # of two keys the first
    line = [part for rule, key in reversed(told.items()) for part in _in_short(state, rule, key)]
    if not state.find(WINNING).answered:
        line = [" The rules in force do not settle it."]
    every = dict.fromkeys(rule for rules in found.values() for rule in rules)
    body = [part for rule in every for part in _told(state, rule, set(found))]
    return fold([el("strong", "How one wins:"), *line], el("div", *body, cls="body"), cls="entry")


def _in_short(state: State, rule: Rule, key: str) -> list[Child]:
    """Return what a rule says in its first sentence; if something else is in force, that, and then the sentence."""
    first, found = _first(rule), state.find(key) if key != OUT else None
    if found is not None and found.answered and _worded_otherwise(rule, first, found):
        said = " ".join(sentence(one.rule, one.clause) for one in found.sources)
        if _is_number(found.value) and str(found.value) not in said:  # it is reckoned out
            said += f" Now that is {found.value}."
        return [el("strong", f" {said} "), soft(f"(rule {rule.number}; its wording says: “{first}”)")]
    return [f" {first} ", soft(f"(rule {rule.number})")]


def _worded_otherwise(rule: Rule, first: str, found: Finding) -> bool:
    """Tell whether the wording may name another number than is in force, or says less than the clause settles."""
    words = {one.clause.words for one in found.sources if one.rule.id == rule.id}
    if any(clause.words in words for clause, _ in changed_alone(rule)):
        return True
    if not _is_number(found.value):
        return False
    return found.value not in figures(rule.wording) or bool((said := figures(first)) and found.value not in said)


def _is_number(value: object) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _first(rule: Rule) -> str:
    """Return the first sentence of what a rule says."""
    said = " ".join(rule.wording.split()) or rule.title
    return full_sentence(re.split(r"(?<=[.!?])\s", said, maxsplit=1)[0])


def _told(state: State, rule: Rule, keys: set[str]) -> Iterator[Element]:
    """Yield what a rule says of winning, and how the game understands its clauses on it."""
    yield el("h3", number_of(rule), f" {rule.title}")
    if (otherwise := wording_remarks(beside_wording(rule, state))) is not None:
        yield otherwise
    yield worded(rule.wording)
    about = (one for one in rule.clauses if getattr(one, "key", "") in keys or (OUT in keys and _puts_out(one)))
    words = {one.words for one in about}
    if (read := sentences(one for one in explain(rule).clauses if one.clause in words)) is not None:
        yield quiet("The game keeps to this:")
        yield read
