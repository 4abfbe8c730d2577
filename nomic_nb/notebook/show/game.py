"""A game at a glance, its boards, its decisions, its polls, its ledger."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from inspect import Parameter
from xml.etree.ElementTree import Element

from nomic_nb.chess.multiverse.drawing import draw_push, drawing_of_all_boards
from nomic_nb.chess.multiverse.pieces import BoardMove
from nomic_nb.chess.play.captures import describe_hand
from nomic_nb.engine.errors import NotThere
from nomic_nb.engine.law.clauses import Clause
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.play.agenda_items import Poll
from nomic_nb.engine.play.deadlines import is_due
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS, FieldSpec
from nomic_nb.engine.play.facts import option_in_words
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Decision, first_options
from nomic_nb.engine.play.waiting import answer_in_words, describe_deadline
from nomic_nb.engine.words import count_phrase, counter_named, full_sentence, number_text, rule_citation, signed_number
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.markup.prose import wording_section
from nomic_nb.notebook.markup.tree import (
    Child,
    TableRows,
    badge,
    build_element,
    folded_section,
    item_list,
    number_heading,
    player_name,
    quiet_paragraph,
    quiet_text,
    separated,
    stressed_paragraph,
    subheading,
    table_element,
)
from nomic_nb.notebook.show import proposals
from nomic_nb.notebook.show.law import draw_remarks as wording_remarks
from nomic_nb.notebook.show.law import number_as_shown, sentence_list
from nomic_nb.notebook.show.proposals import draw_tally, draw_warnings, stale_note
from nomic_nb.study.review.warnings.consistency import numbers_in_wording
from nomic_nb.study.views import Ledger, LedgerEntry, PendingDecisions, describe_turn, make_tally
from nomic_nb.study.views.enforcement import changed_clauses, clause_sentence, notes_beside_wording
from nomic_nb.study.views.explanations import explain
from nomic_nb.study.views.tables import displayed_value, game_tables_in_words, visible_scores

# ---------------------------------------------------------------------------------------------- a game at a glance


#: Entries of a ledger that are shown; the data frame has them all.
MOST_ENTRIES = 100


def draw_game(shown: BaseGame) -> Element:
    """Return a game: how it stands, what is pending, open judgments and votes, what happened last."""
    state, beyond = shown.state, CELL_WATCH.beyond(shown.timeline)
    return build_element(
        "article",
        build_element("h3", shown.ruleset.title),
        build_element("p", _turn_line(shown), cls="lede"),
        quiet_paragraph(f"As of this cell; the game has gone on, to event {beyond}.") if beyond else None,
        stressed_paragraph(shown.result, cls="result") if shown.over else None,
        stressed_paragraph("The game is paused.", cls="result") if state.paused and not shown.over else None,
        build_element(
            "div",
            draw_standings(shown, "Players"),
            None if shown.over else build_element("div", draw_pending(shown.pending), _draw_answers(shown)),
            cls="side-by-side",
        ),
        draw_boards(shown),
        proposals.draw_open_judgments(state.live_judgments) if not shown.over else None,
        draw_open_votes(shown),
        build_element("h4", "What happened last"),
        item_list(map(full_sentence, shown.latest()), "latest"),
        cls="game",
    )


def draw_open_votes(shown: BaseGame, *, remarked: bool = True) -> list[Child]:
    """Return the votes that are open, each with what is odd about the proposal, if that is to be found."""
    return [
        [
            build_element("h4", f"Proposal {made.number}: {one.change.headline}"),
            stale_note(one),
            draw_warnings(shown.proposals[made.number].remarks) if remarked else None,
            draw_tally(made),
        ]
        for one in shown.state.open_proposals
        if one.status == "open" and (made := make_tally(one, shown.timeline))
    ]


def _turn_line(shown: BaseGame) -> Child:
    state = shown.state
    turns = shown.turns
    number = turns[0].number if len(turns) == 1 else state.turn
    made: list[Child] = [f"Turn {number}, circuit {state.circuit}"]
    if len(turns) == 1:
        made += [". ", build_element("strong", player_name(turns[0].player)), "’s turn"]
        made.append(f": {turns[0].part}" if turns[0].part else None)
    elif turns:
        made = [f"{count_phrase(state.turn, 'turn')} begun, circuit {state.circuit}. {len(turns)} are under way: "]
        made += separated(
            ([build_element("strong", player_name(turn.player)), f", {describe_turn(turn)}"] for turn in turns), "; "
        )
    elif not shown.over:
        made.append(". No turn is under way")
    kept = f" {full_sentence(shown.kept)}" if shown.kept else ""
    return [*made, ". ", quiet_text(f"Seed of the dice: {shown.seed}. Fingerprint: {shown.fingerprint}.{kept}")]


def draw_standings(shown: BaseGame, caption: str, *, armies: bool = False) -> Child:
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
    kept = visible_scores(state)
    rows: TableRows = []
    for name, player in state.players.items():
        own = None if shown.over else state.turn_of(name)
        marks = [badge("won", cls="go")] if name in shown.winners else []
        if own is not None:
            marks.append(badge("to play" if len(shown.turns) == 1 else f"in turn {own.number}", cls="on"))
        said = (("dummy", not player.person), ("absent", player.absent), ("out", not player.playing))
        marks += [badge(word) for word, is_so in said if is_so]
        marks += [badge(army.name) for army in standing if army.controller == name]
        counts = [displayed_value(state, held[name]) if name in held else "–" for held in kept.values()]
        rows.append([player_name(name), *counts, [[one, " "] for one in marks]])
    counted = ", ".join(f"{counter}: {value}" for counter, value in game_tables_in_words(state).items())
    found = table_element(caption, ["Player", *map(number_heading, kept), ""], rows)
    return [found, build_element("p", f"Counted for the game: {counted}.") if counted else None]


def _draw_answers(shown: BaseGame) -> Element | None:
    """Return what has been answered to the question that play waits for."""
    asked = shown.state.questions[0] if shown.state.questions else None
    if asked is None or not asked.answers:
        return None
    said = item_list([player_name(name), " says: ", asked.told(one)] for name, one in asked.answers.items())
    return build_element("div", subheading("Answers so far"), said)


# ---------------------------------------------------------------------------------------------- pending


def draw_pending(shown: PendingDecisions) -> Element:
    """Return the open decisions, a row each."""
    if not shown.seen:
        made = stressed_paragraph(shown.ended or "Nothing is pending.")
    else:
        made = _decision_table(shown.seen, numbered=shown.numbered)
    more = item_list(map(full_sentence, (*shown.veiled, *shown.chosen_from)), "soft")
    if more is not None:
        made = build_element("div", made, more)
    return build_element("div", made, quiet_paragraph(full_sentence(shown.listened))) if shown.listened else made


def draw_decision(shown: Decision) -> Element:
    """Return one decision."""
    return _decision_table([shown])


def _decision_table(found: Iterable[Decision], *, numbered: bool = False) -> Element:
    rows: TableRows = [
        [
            ["anyone" if one.player is None else player_name(one.player), " ", badge("must" if one.must else "may")],
            [one.prompt, build_element("div", ". ".join(_decision_text(one)), cls="soft")],
            build_element("code", decision_call(one, numbered=numbered)),
        ]
        for one in found
    ]
    return table_element("To be decided", ["Who", "What", "In Python"], rows, cls="pending")


def _decision_text(one: Decision) -> list[str]:
    options = [f"Options: {first_options(one.options)}"] if one.options else []
    if one.action == "roll":  # a decision does not say who makes the throw
        options.append("If it is made by hand, say what it shows as well")
    return options if one.rule is None else [*options, f"Rule {one.rule}"]


def decision_call(one: Decision, *, numbered: bool = False) -> str:
    """Return the line of Python that answers a decision.

    Parameters
    ----------
    one : Decision
        What is to be decided.
    numbered : bool
        Whether players say which number a proposal has.

    Examples
    --------
    >>> decision_call(Decision("Ben", "vote", "vote on 301", ("for", "against"), 105, 301))
    'game.vote("Ben", "for", 301)'
    """
    player = _quote_value(one.player or "…")
    if one.action in HOST_ACTIONS:
        return f"game.host.{one.action}({_quote_value(one.options[0]) if one.options else player})"
    deed = ACTIONS[one.action]
    said = {
        name: _quote_value(value) for name, value in (deed.from_line(one.options[0]) if one.options else {}).items()
    }
    made = (
        said.get(name) or _call_argument(one, name, *field, numbered=numbered) for name, field in deed.fields.items()
    )
    return f"game.{one.action}({', '.join([player, *filter(None, made)])})"


def _call_argument(one: Decision, name: str, takes: FieldSpec, default: object, *, numbered: bool) -> str:
    """Return one argument of the line that answers a decision; empty where none is needed."""
    match takes.of:
        case "option" if one.options or default is Parameter.empty:
            return _quote_value(one.options[0]) if one.options else takes.python
        case "proposal" if one.proposal is not None:
            return _quote_value(one.proposal)
        case "rule" if one.rule is not None:
            return f"{name}={_quote_value(one.rule)}"
        case "id" if one.id is not None:
            return f"{name}={one.id}"
        case "assigned" if numbered:
            return f"{name}={takes.python}"
        case "" if default is Parameter.empty:
            return takes.python
    return ""


def _quote_value(value: int | str) -> str:
    return json.dumps(value, ensure_ascii=False)


# ----------------------------------------------------------------------------------------------- ledger


def draw_ledger(shown: Ledger) -> Element:
    """Return the changes of counters, the latest last."""
    if not len(shown):
        return build_element("p", "Nothing has been counted yet.")
    left_out = len(shown) - MOST_ENTRIES
    said = f"{count_phrase(left_out, 'earlier entry', 'earlier entries')} not shown; .frame has all."
    return build_element(
        "article",
        draw_entries("Ledger", shown[-MOST_ENTRIES:]),
        quiet_paragraph(said) if left_out > 0 else None,
        cls="ledger",
    )


def draw_entries(caption: str, shown: Iterable[LedgerEntry]) -> Element:
    """Return changes of counters, a row each."""
    rows: TableRows = [
        [
            str(one.turn),
            one.whose if one.player is None else player_name(one.player),
            [
                one.counter
                if one.amount is None
                else f"{signed_number(one.amount)} {counter_named(one.counter, one.amount)}",
                build_element("div", quiet_text(one.rounded)) if one.rounded else None,
            ],
            one.now if isinstance(one.now, str) else number_text(one.now),
            one.why or "–" if one.rule is None else [f"{one.rule} ", build_element("code", one.why)],
        ]
        for one in shown
    ]
    change, total = map(number_heading, ("Change", "Total"))
    return table_element(caption, [number_heading("Turn"), "Player", change, total, "Rule and clause"], rows)


# ----------------------------------------------------------------------------------------------------------- boards


def draw_boards(shown: BaseGame) -> Child:
    """Return the boards of a game; nothing where it has none."""
    position = shown.state.position
    if position is None:
        return []
    state = shown.state
    last = shown.last_move
    on_turn = {state.go.army} if state.go is not None and not state.over else set()
    rows: TableRows = []
    for name, army in position.armies.items():
        marks = [badge("to play", cls="on")] if name in on_turn else []
        marks += [badge("mated")] if name in state.mated else []
        marks += [] if state.players[army.controller].playing else [badge("left")]
        count = len([one for one in position.pieces.values() if one.army == name])
        hand = [describe_hand(state, name) or "–"] if state.hands else []
        rows.append([name, player_name(army.controller), str(count), *hand, [[one, " "] for one in marks]])
    in_hand = ["In hand"] if state.hands else []
    armies = table_element("Armies", ["Army", "Moved by", number_heading("Pieces"), *in_hand, ""], rows)
    return [
        build_element("h4", "Boards"),
        drawing_of_all_boards(position, last=last).element(),
        build_element("div", armies, build_element("div", _draw_pushed_boards(shown, last)), cls="side-by-side"),
    ]


def _draw_pushed_boards(shown: BaseGame, last: BoardMove | None) -> Child:
    """Return the boards that were pushed together last, as they stand now."""
    if last is None or len(last.push) != 2:
        return []
    said = f"Pushed together last: {' and '.join(last.push)}, for {last.army}: {last.text}."
    try:
        push = shown.pushed(*last.push, army=last.army)
    except NotThere as error:  # the law does not say how pieces move now, and so not who is in check
        return [build_element("p", said), build_element("p", f"They cannot be drawn so: {error}.")]
    return [build_element("p", said), draw_push(push, last=last).element()]


# ------------------------------------------------------------------------------------------------------------ polls


#: What ends a poll: no effect of the law calls one off.
VOTE_END_TEXT = "It ends once all who are asked have answered{}; whoever began it cannot call it off."


def draw_polls(state: State) -> list[Element]:
    """Return each poll that waits for answers, and what is due: nothing where there is nothing."""
    asked = [_draw_poll(state, one) for one in state.polls.values() if one.open and one.several]
    put_off = (
        full_sentence(
            f"{describe_deadline(state, one.due)}: {one.effect.words}{rule_citation(one.cause and one.cause.rule)}"
        )
        for one in state.later
        if not is_due(state, one.due)  # it is done as soon as play goes on
    )
    later = item_list(put_off, "waits")
    return asked if later is None else [*asked, build_element("h3", "Put off", cls="title"), later]


def _draw_poll(state: State, poll: Poll) -> Element:
    """Return a poll: what is asked, what can be answered, and a tile for everybody who is."""
    options = " · ".join(option_in_words(state, one) for one in poll.options) or poll.free
    close = describe_deadline(state, poll.due) if poll.due is not None else ""
    about = ", ".join(filter(None, [options, "in secret" if poll.secret else "", close])) + rule_citation(poll.rule)
    return build_element(
        "section",
        build_element("h3", poll.text or f"What is {poll.name}?", cls="title"),
        quiet_paragraph(about),
        build_element("ul", *(_draw_tile(state, poll, name) for name in poll.who), cls="tiles"),
        quiet_paragraph(VOTE_END_TEXT.format("" if poll.due is None else ", or at that time")),
    )


def _draw_tile(state: State, poll: Poll, name: str) -> Element:
    said = answer_in_words(state, poll, name) if name in poll.answers else "…" if name in state.present else "absent"
    return build_element(
        "li", build_element("bdi", name, cls="name"), build_element("span", said, cls="cast"), cls="tile"
    )


# ---------------------------------------------------------------------------------------------------- how one wins


#: The condition of winning; the event by which somebody is out; and what else ends a game, which the line leaves out.
WINNING, OUT, STUCK = "win.winners", "eliminated", "win.when_stuck"


def winning_rules(state: State) -> dict[str, tuple[Rule, ...]]:
    """Return the rules in force on winning, by the term that they settle, those that prevail first.

    Beside them stand those that put players out of the game, by the name of that event.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> found = winning_rules(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state)
    >>> {term: [rule.number for rule in rules] for term, rules in found.items()}
    {'win.winners': [112], 'win.points': [208], 'win.when_stuck': [213]}
    """
    about = (WINNING, *(key for key in state.law.dependence.behind(WINNING) if key.startswith("win.")), STUCK)
    found = {}
    for key in sorted(dict.fromkeys(about), key=lambda one: (one == STUCK, one != WINNING)):
        prevails = state.find(key).rule
        rules = {one.rule.id: one.rule for one in state.law.clauses_about(key) if one.rule.id not in state.rules.void}
        found[key] = tuple(sorted(rules.values(), key=lambda one: one.number != prevails))
        if key == WINNING:
            found[OUT] = tuple(rule for rule in state.rules.in_force if any(map(_eliminates, rule.clauses)))
    return {key: rules for key, rules in found.items() if rules}


def _eliminates(clause: Clause) -> bool:
    """Tell whether a clause puts somebody out of the game."""
    return OUT in clause.makes


def draw_winning_rules(state: State, found: dict[str, tuple[Rule, ...]]) -> Element:
    """Return how one wins, folded.

    Parameters
    ----------
    state : State
        As the game stands.
    found : dict of str to tuple of Rule
        What `winning_rules` found in it.
    """
    told = {rules[0]: key for key, rules in reversed(found.items()) if key != STUCK}  # of two keys the first
    line = [part for rule, key in reversed(told.items()) for part in _rule_in_short(state, rule, key)]
    if not state.find(WINNING).answered:
        line = [" The rules in force do not settle it."]
    every = dict.fromkeys(rule for rules in found.values() for rule in rules)
    body = [part for rule in every for part in _describe_winning_rule(state, rule, set(found))]
    return folded_section(
        [build_element("strong", "How one wins:"), *line], build_element("div", *body, cls="body"), cls="entry"
    )


def _rule_in_short(state: State, rule: Rule, key: str) -> list[Child]:
    """Return what a rule says in its first sentence; if something else is in force, that, and then the sentence."""
    first, found = _first_sentence(rule), state.find(key) if key != OUT else None
    if found is not None and found.answered and _may_word_differently(rule, first, found):
        said = " ".join(clause_sentence(one.rule, one.clause) for one in found.sources)
        if _is_plain_number(found.value) and str(found.value) not in said:  # it is reckoned out
            said += f" Now that is {found.value}."
        return [build_element("strong", f" {said} "), quiet_text(f"(rule {rule.number}; its wording says: “{first}”)")]
    return [f" {first} ", quiet_text(f"(rule {rule.number})")]


def _may_word_differently(rule: Rule, first: str, found: Finding) -> bool:
    """Tell whether the wording may name another number than is in force, or says less than the clause settles."""
    words = {one.clause.words for one in found.sources if one.rule.id == rule.id}
    if any(clause.words in words for clause, _ in changed_clauses(rule)):
        return True
    if not _is_plain_number(found.value):
        return False
    return found.value not in numbers_in_wording(rule.wording) or bool(
        (said := numbers_in_wording(first)) and found.value not in said
    )


def _is_plain_number(value: object) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _first_sentence(rule: Rule) -> str:
    """Return the first sentence of what a rule says."""
    said = " ".join(rule.wording.split()) or rule.title
    return full_sentence(re.split(r"(?<=[.!?])\s", said, maxsplit=1)[0])


def _describe_winning_rule(state: State, rule: Rule, keys: set[str]) -> Iterator[Element]:
    """Yield what a rule says of winning, and how the game understands its clauses on it."""
    yield build_element("h3", number_as_shown(rule), f" {rule.title}")
    if (otherwise := wording_remarks(notes_beside_wording(rule, state))) is not None:
        yield otherwise
    yield wording_section(rule.wording)
    about = (one for one in rule.clauses if getattr(one, "key", "") in keys or (OUT in keys and _eliminates(one)))
    words = {one.words for one in about}
    if (read := sentence_list(one for one in explain(rule).clauses if one.clause in words)) is not None:
        yield quiet_paragraph("The game keeps to this:")
        yield read
