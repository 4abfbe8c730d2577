"""A game at a glance, its boards, its decisions, its polls, its ledger."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
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
from nomic_nb.engine.play.values import Decision, list_options
from nomic_nb.engine.play.waiting import answer_in_words, deadline_in_words
from nomic_nb.engine.words import count_phrase, counter_named, full_sentence, number_text, rule_citation, signed_number
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.live.next_step import changes_in_words, find_next_step, name_of_game
from nomic_nb.notebook.markup.prose import wording_section
from nomic_nb.notebook.markup.tree import (
    Child,
    TableRows,
    badge,
    build_element,
    folded_section,
    item_list,
    join_children,
    number_heading,
    player_name,
    quiet_paragraph,
    quiet_text,
    strong_paragraph,
    subheading,
    table_element,
)
from nomic_nb.notebook.show import proposals
from nomic_nb.notebook.show.law import clause_sentence_list, rule_number_label
from nomic_nb.notebook.show.law import draw_remarks as wording_remarks
from nomic_nb.notebook.show.proposals import draw_tally, draw_warnings, stale_note
from nomic_nb.notebook.show.strip import draw_strip
from nomic_nb.study.review.warnings.consistency import numbers_in_wording
from nomic_nb.study.views import Ledger, LedgerEntry, PendingDecisions, describe_turn, make_tally, part_of_turn
from nomic_nb.study.views.course import WINNING
from nomic_nb.study.views.enforcement import (
    AGREED,
    changed_clauses,
    clause_sentence,
    hidden_tables_behind,
    notes_beside_wording,
)
from nomic_nb.study.views.explanations import explain
from nomic_nb.study.views.tables import displayed_value, game_tables_in_words, visible_scores

# ---------------------------------------------------------------------------------------------- a game at a glance


#: Entries of a ledger that are shown; the data frame has them all.
MOST_ENTRIES = 100


def draw_game(shown: BaseGame) -> Element:
    """Return an overview of a game: standings, open decisions, boards, judgments, votes, latest events."""
    state = shown.state
    return build_element(
        "article",
        _draw_opening(shown),
        build_element("h3", shown.ruleset.title),
        build_element("p", _turn_line(shown), cls="lede"),
        strong_paragraph(shown.result, cls="result") if shown.over else None,
        strong_paragraph("The game is paused.", cls="result") if state.paused and not shown.over else None,
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
        draw_strip(shown.strip) if shown.turn else None,
        cls="game",
    )


def _draw_opening(shown: BaseGame) -> Element | None:
    """Return what changed since the cell above and the line of Python that plays on; None if there is neither."""
    changes = changes_in_words(shown.timeline, CELL_WATCH.told_since(shown.timeline))
    step = find_next_step(shown)
    news = item_list((full_sentence(line) for line in changes), "latest")
    if step is None:
        return None if news is None else build_element("section", news, cls="opening")
    name = name_of_game(shown.timeline)
    line = build_element("pre", build_element("code", step.python(name), cls="line"))
    preview = None
    if step.action == "propose":
        has_magics = getattr(CELL_WATCH.shell, "find_cell_magic", lambda _: None)("preview")
        sentence = "To see first what a proposal would do: "
        first = f"%%preview {step.player} enact" if has_magics else step.python(name, "preview")
        preview = build_element("p", quiet_text(sentence), build_element("code", first, cls="line"))
    prompt = build_element("p", build_element("strong", "Next: "), full_sentence(step.prompt))
    return build_element("section", news, prompt, line, preview, cls="opening")


def draw_open_votes(shown: BaseGame, *, remarked: bool = True) -> list[Child]:
    """Return the proposal and tally of each open vote; if `remarked`, with the remarks on the proposal."""
    return [
        [
            build_element("h4", f"Proposal {tally.number}: {proposal.change.headline}"),
            stale_note(proposal),
            draw_warnings(shown.proposals[tally.number].remarks) if remarked else None,
            draw_tally(tally),
        ]
        for proposal in shown.state.open_proposals
        if proposal.status == "open" and (tally := make_tally(proposal, shown.timeline))
    ]


def _turn_line(shown: BaseGame) -> Child:
    """Return the line under a game's title: turn, player, seed, fingerprint, and where it is saved."""
    state = shown.state
    turns = shown.turns
    number = turns[0].number if len(turns) == 1 else state.turn
    line_parts: list[Child] = [f"Turn {number}, round {state.circuit}"]
    if len(turns) == 1:
        line_parts += [". ", build_element("strong", player_name(turns[0].player)), "’s turn"]
        line_parts.append(part_of_turn(turns[0]) or None)
    elif turns:
        line_parts = [
            f"{count_phrase(state.turn, 'turn')} begun, round {state.circuit}. {len(turns)} are in progress: "
        ]
        line_parts += join_children(
            ([build_element("strong", player_name(turn.player)), f", {describe_turn(turn)}"] for turn in turns), "; "
        )
    elif not shown.over:
        line_parts.append(". No turn is in progress")
    kept = f" {full_sentence(shown.kept)}" if shown.kept else ""
    return [*line_parts, ". ", quiet_text(f"Seed of the dice: {shown.seed}. Fingerprint: {shown.fingerprint}.{kept}")]


def draw_standings(shown: BaseGame, caption: str, *, armies: bool = False) -> Child:
    """Return a table of players, scores and marks such as “to play” or, if `armies`, their armies; and game counters.

    Parameters
    ----------
    shown : BaseGame
        The game.
    caption : str
        What is above the table.
    armies : bool
        Whether to say whose army is whose, if there are boards.
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
        conditions = (("dummy", not player.person), ("absent", player.absent), ("out", not player.playing))
        marks += [badge(word) for word, is_so in conditions if is_so]
        marks += [badge(army.name) for army in standing if army.controller == name]
        counts = [displayed_value(state, held[name]) if name in held else "–" for held in kept.values()]
        rows.append([player_name(name), *counts, [[mark, " "] for mark in marks]])
    counted = ", ".join(f"{counter}: {value}" for counter, value in game_tables_in_words(state).items())
    element = table_element(caption, ["Player", *map(number_heading, kept), ""], rows)
    return [element, build_element("p", f"Counted for the game: {counted}.") if counted else None]


def _draw_answers(shown: BaseGame) -> Element | None:
    """Return a list of the answers given so far to the question now asked, or None."""
    asked = shown.state.questions[0] if shown.state.questions else None
    if asked is None or not asked.answers:
        return None
    element = item_list(
        [player_name(name), " says: ", asked.shown_answer(answer)] for name, answer in asked.answers.items()
    )
    return build_element("div", subheading("Answers so far"), element)


# ---------------------------------------------------------------------------------------------- pending


def draw_pending(shown: PendingDecisions) -> Element:
    """Return a table of who must or may decide what now, and the Python line for it."""
    game = name_of_game(shown.timeline) if shown.timeline is not None else "game"
    if not shown.visible_decisions:
        element = strong_paragraph(shown.ended or "Nothing is pending.")
    else:
        places = {f"{game}.pending[{shown.index(one)}]": one for one in shown.visible_decisions}
        element = _decision_table(places, game, numbered=shown.are_numbers_assigned)
    more = item_list(map(full_sentence, (*shown.hidden_offer_lines, *shown.choice_lines)), "soft")
    if more is not None:
        element = build_element("div", element, more)
    notes: list[Child] = [full_sentence(note) for note in (shown.listening_line, shown.moment_note) if note]
    votes = [decision for decision in shown.visible_decisions if decision.action == "vote"]
    if len(votes) > 1 == len({decision.proposal for decision in votes}) and not shown.moment_note:
        example = f"{game}.votes(against=[{_quote_value(str(votes[-1].player))}])"
        calls = build_element("code", f"{game}.votes()"), " or ", build_element("code", example)
        notes.append(["All ballots at once: ", *calls, "."])
    return build_element("div", element, *map(quiet_paragraph, notes)) if notes else element


def draw_decision(shown: Decision) -> Element:
    """Return a table with one open decision: who, what, and the Python line that answers it."""
    return _decision_table({"": shown})


def _decision_table(places: Mapping[str, Decision], game: str = "game", *, numbered: bool = False) -> Element:
    """Return a table of decisions in the game called `game`, keyed by the Python that returns them.

    It is `numbered` if a proposer must give a proposal's number.
    """
    rows: TableRows = [
        [
            [
                "anyone" if decision.player is None else player_name(decision.player),
                " ",
                badge("must" if decision.must else "may"),
            ],
            [decision.prompt, build_element("div", ". ".join(_decision_text(decision, place)), cls="soft")],
            build_element("code", decision_call(decision, game, numbered=numbered)),
        ]
        for place, decision in places.items()
    ]
    return table_element("To be decided", ["Who", "What", "In Python"], rows, cls="pending")


def _decision_text(decision: Decision, place: str) -> list[str]:
    """Return sentences to put below a decision at a `place` in Python: its options, a hint on dice, and its rule."""
    options = [f"Options: {list_options(decision.options, f'{place}.options')}"] if decision.options else []
    if decision.action == "roll":  # a decision does not say who makes the roll
        options.append("If you roll real dice, enter the result as well")
    return options if decision.rule is None else [*options, f"Rule {decision.rule}"]


def decision_call(decision: Decision, game: str = "game", *, numbered: bool = False) -> str:
    """Return the line of Python that answers a decision; `numbered` if it must give a proposal's number.

    Parameters
    ----------
    decision : Decision
        What is to be decided.
    game : str
        Name of the game in Python.
    numbered : bool
        Whether players say which number a proposal has.

    Examples
    --------
    >>> decision_call(Decision("Ben", "vote", "vote on 301", ("for", "against"), 105, 301))
    'game.vote("Ben", "for", 301)'
    """
    player = _quote_value(decision.player or "…")
    if decision.action in HOST_ACTIONS:
        return f"{game}.host.{decision.action}({_quote_value(decision.options[0]) if decision.options else player})"
    deed = ACTIONS[decision.action]
    option_values = {
        name: _quote_value(value)
        for name, value in (deed.parse_line(decision.options[0]) if decision.options else {}).items()
    }
    arguments = (
        option_values.get(name) or _call_argument(decision, name, *field, numbered=numbered)
        for name, field in deed.fields.items()
    )
    return f"{game}.{decision.action}({', '.join([player, *filter(None, arguments)])})"


def _call_argument(decision: Decision, name: str, spec: FieldSpec, default: object, *, numbered: bool) -> str:
    """Return the argument for field `name` in the Python line that answers a decision; empty if not needed.

    `spec` and `default` are those of the field; `numbered` if a proposer must give the proposal's number.
    """
    match spec.of:
        case "option" if decision.options or default is Parameter.empty:
            return _quote_value(decision.options[0]) if decision.options else spec.python
        case "proposal" if decision.proposal is not None:
            return _quote_value(decision.proposal)
        case "rule" if decision.rule is not None:
            return f"{name}={_quote_value(decision.rule)}"
        case "id" if decision.id is not None:
            return f"{name}={decision.id}"
        case "assigned" if numbered:
            return f"{name}={spec.python}"
        case "" if default is Parameter.empty:
            return spec.python
    return ""


def _quote_value(value: int | str) -> str:
    """Return a number or text as a Python literal, texts in double quotes."""
    return json.dumps(value, ensure_ascii=False)


# ----------------------------------------------------------------------------------------------- ledger


def draw_ledger(shown: Ledger) -> Element:
    """Return a table of the latest counter changes, the last one at the bottom."""
    if not len(shown):
        return build_element("p", "Nothing has been counted yet.")
    left_out = len(shown) - MOST_ENTRIES
    sentence = f"{count_phrase(left_out, 'earlier entry', 'earlier entries')} not shown; .frame has all."
    return build_element(
        "article",
        draw_ledger_entries("Ledger", shown[-MOST_ENTRIES:]),
        quiet_paragraph(sentence) if left_out > 0 else None,
        cls="ledger",
    )


def draw_ledger_entries(caption: str, shown: Iterable[LedgerEntry]) -> Element:
    """Return a table of counter changes with the given caption: turn, player, change, total, rule."""
    rows: TableRows = [
        [
            str(ledger_entry.turn),
            ledger_entry.owner_in_words if ledger_entry.player is None else player_name(ledger_entry.player),
            [
                ledger_entry.counter
                if ledger_entry.amount is None
                else f"{signed_number(ledger_entry.amount)} {counter_named(ledger_entry.counter, ledger_entry.amount)}",
                build_element("div", quiet_text(ledger_entry.rounding_note)) if ledger_entry.rounding_note else None,
            ],
            ledger_entry.now if isinstance(ledger_entry.now, str) else number_text(ledger_entry.now),
            ledger_entry.why or "–"
            if ledger_entry.rule is None
            else [f"{ledger_entry.rule} ", build_element("code", ledger_entry.why)],
        ]
        for ledger_entry in shown
    ]
    change, total = map(number_heading, ("Change", "Total"))
    return table_element(caption, [number_heading("Turn"), "Player", change, total, "Rule and clause"], rows)


# ----------------------------------------------------------------------------------------------------------- boards


def draw_boards(shown: BaseGame) -> Child:
    """Return drawings of all boards and of those joined last, and a table of armies; empty without boards."""
    position = shown.state.position
    if position is None:
        return []
    state = shown.state
    last = shown.last_move
    on_turn = {state.current_turn.army} if state.current_turn is not None and not state.over else set()
    rows: TableRows = []
    for name, army in position.armies.items():
        marks = [badge("to play", cls="on")] if name in on_turn else []
        marks += [badge("mated")] if name in state.mated else []
        marks += [] if state.players[army.controller].playing else [badge("left")]
        count = len([piece for piece in position.pieces.values() if piece.army == name])
        hand = [describe_hand(state, name) or "–"] if state.hands else []
        rows.append([name, player_name(army.controller), str(count), *hand, [[element, " "] for element in marks]])
    in_hand = ["In hand"] if state.hands else []
    armies = table_element("Armies", ["Army", "Moved by", number_heading("Pieces"), *in_hand, ""], rows)
    return [
        build_element("h4", "Boards"),
        drawing_of_all_boards(position, last=last).element(),
        build_element("div", armies, build_element("div", _draw_pushed_boards(shown, last)), cls="side-by-side"),
    ]


def _draw_pushed_boards(shown: BaseGame, last: BoardMove | None) -> Child:
    """Return the two boards joined for the last move, drawn as they are now; empty if it joined none."""
    if last is None or len(last.push) != 2:
        return []
    sentence = f"Last pushed together: {' and '.join(last.push)}, for {last.army} ({last.text})."
    try:
        push = shown.pushed(*last.push, army=last.army)
    except NotThere as error:  # the law does not say how pieces move now, and so not who is in check
        return [build_element("p", sentence), build_element("p", f"They can’t be drawn like this: {error}.")]
    return [build_element("p", sentence), draw_push(push, last=last).element()]


# ------------------------------------------------------------------------------------------------------------ polls


#: What ends a poll: no effect of the law calls one off.
VOTE_END_TEXT = "It ends when everyone asked has answered{}. The player who started it can’t cancel it."


def draw_polls(state: State) -> list[Element]:
    """Return the open polls, and below them a list of the effects that are put off until later."""
    asked = [_draw_poll(state, poll) for poll in state.polls.values() if poll.open and poll.several]
    put_off = (
        full_sentence(
            f"{deadline_in_words(state, postponed.due)}: {postponed.effect.words}"
            f"{rule_citation(postponed.cause and postponed.cause.rule)}"
        )
        for postponed in state.later
        if not is_due(state, postponed.due)  # it is done as soon as play continues
    )
    later = item_list(put_off, "waits")
    return asked if later is None else [*asked, build_element("h3", "Put off", cls="title"), later]


def _draw_poll(state: State, poll: Poll) -> Element:
    """Return a poll as a section: question, options, and a tile for each person asked."""
    options = " · ".join(option_in_words(state, option) for option in poll.options) or poll.free
    close = deadline_in_words(state, poll.due) if poll.due is not None else ""
    about = ", ".join(filter(None, [options, "in secret" if poll.secret else "", close])) + rule_citation(poll.rule)
    return build_element(
        "section",
        build_element("h3", poll.text or f"What is {poll.name}?", cls="title"),
        quiet_paragraph(about),
        build_element("ul", *(_poll_answer_tile(state, poll, name) for name in poll.who), cls="tiles"),
        quiet_paragraph(VOTE_END_TEXT.format("" if poll.due is None else ", or at that time")),
    )


def _poll_answer_tile(state: State, poll: Poll, name: str) -> Element:
    """Return a tile with a person's name and their answer to a poll, “…” if none yet, or “absent”."""
    sentence = (
        answer_in_words(state, poll, name) if name in poll.answers else "…" if name in state.present_names else "absent"
    )
    return build_element(
        "li",
        build_element("bdi", player_name(name).text, cls="name"),
        build_element("span", sentence, cls="cast"),
        cls="tile",
    )


# ---------------------------------------------------------------------------------------------------- how one wins


#: The condition of winning; the event by which somebody is out; and what else ends a game, which the line leaves out.
OUT, STUCK = "eliminated", "win.when_stuck"


def rules_on_winning(state: State) -> dict[str, tuple[Rule, ...]]:
    """Return the rules in force on winning by law term, such as ``win.points``; the prevailing rule is first.

    If a hidden table decides which one prevails, they keep their order. Beside them stand those that put players out
    of the game, by the name of that event.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> found = rules_on_winning(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state)
    >>> {term: [rule.number for rule in rules] for term, rules in found.items()}
    {'win.winners': [112], 'win.points': [208], 'win.when_stuck': [213]}
    """
    about = (
        WINNING,
        *(key for key in state.law.dependence.clauses_behind_keys(WINNING) if key.startswith("win.")),
        STUCK,
    )
    rules_by_term = {}
    for key in sorted(dict.fromkeys(about), key=lambda one: (one == STUCK, one != WINNING)):
        prevails = None if _is_prevailing_rule_secret(state, key) else state.find(key).rule
        rules = {
            source.rule.id: source.rule
            for source in state.law.clauses_about(key)
            if source.rule.id not in state.rules.void
        }
        rules_by_term[key] = tuple(sorted(rules.values(), key=lambda rule: rule.number != prevails))
        if key == WINNING:
            rules_by_term[OUT] = tuple(
                rule for rule in state.rules.in_force if any(map(_is_elimination_clause, rule.clauses))
            )
    return {key: rules for key, rules in rules_by_term.items() if rules}


def _is_prevailing_rule_secret(state: State, key: str) -> bool:
    """Tell whether it may depend on a hidden table which rule prevails on a term, because clauses have conditions."""
    conditional = any(source.clause.asked for source in state.law.clauses_about(key))
    return conditional and bool(hidden_tables_behind(state.law, key))


def _is_elimination_clause(clause: Clause) -> bool:
    """Tell whether a clause has an effect that puts a player out of the game."""
    return OUT in clause.events_made


def draw_rules_on_winning(state: State, rules_by_term: dict[str, tuple[Rule, ...]]) -> Element:
    """Return a folded section “How to win” with the rules that `rules_on_winning` found.

    Parameters
    ----------
    state : State
        As the game stands.
    rules_by_term : dict of str to tuple of Rule
        What `rules_on_winning` found in it.
    """
    told = {  # of two keys the first
        rule: key
        for key, rules in reversed(rules_by_term.items())
        if key != STUCK
        for rule in (reversed(rules) if _is_prevailing_rule_secret(state, key) else rules[:1])
    }
    aims = [*reversed(told.items())]
    aims.sort(key=lambda one: not _is_agreed(*one))  # a number agreed on comes before what it is about
    line = [part for rule, key in aims for part in _rule_summary(state, rule, key)]
    if not state.find(WINNING).answered:
        line = [" The rules in force don’t settle this."]
    every = dict.fromkeys(rule for rules in rules_by_term.values() for rule in rules)
    body = [part for rule in every for part in _explain_winning_rule(state, rule, set(rules_by_term))]
    return folded_section(
        [build_element("strong", "How to win:"), *line], build_element("div", *body, cls="body"), cls="entry"
    )


def _rule_summary(state: State, rule: Rule, key: str) -> list[Child]:
    """Return a rule's first sentence or, if it may mislead on the term `key`, the clauses in force on that.

    If the term depends on a hidden table, the rule's own clauses on it follow instead, without their value.
    """
    first = _first_sentence(rule)
    if hidden_tables_behind(state.law, key):
        own = (clause_sentence(rule, clause) for clause in rule.clauses if getattr(clause, "key", "") == key)
        return [f" {first} ", quiet_text(" ".join([f"(rule {rule.number})", *own]))]
    finding = state.find(key) if key != OUT else None
    if finding is not None and finding.answered and _may_wording_mislead(rule, first, finding):
        sentence = " ".join(clause_sentence(source.rule, source.clause) for source in finding.sources)
        if _is_plain_number(finding.value) and str(finding.value) not in sentence:  # it is reckoned out
            sentence += f" At the moment that is {finding.value}."
        about, numbers = f"(rule {rule.number}; its wording says: “{first}”)", numbers_in_wording(first)
        if len(numbers) == 1 and _is_plain_number(finding.value) and _is_agreed(rule, key):
            about = f"Rule {rule.number} says {min(numbers)}; this table agreed on {finding.value}."
        return [build_element("strong", f" {sentence} "), quiet_text(about)]
    return [f" {first} ", quiet_text(f"(rule {rule.number})")]


def _is_agreed(rule: Rule, key: str) -> bool:
    """Tell whether a rule's clause on a term was agreed before play, otherwise than its wording says."""
    return any(why == AGREED for clause, why in changed_clauses(rule) if getattr(clause, "key", "") == key)


def _may_wording_mislead(rule: Rule, first_sentence: str, finding: Finding) -> bool:
    """Tell whether a rule's first sentence may differ from what its clauses now say, as a finding shows."""
    words = {source.clause.words for source in finding.sources if source.rule.id == rule.id}
    if any(clause.words in words for clause, _ in changed_clauses(rule)):
        return True
    if not _is_plain_number(finding.value):
        return False
    return finding.value not in numbers_in_wording(rule.wording) or bool(
        (numbers := numbers_in_wording(first_sentence)) and finding.value not in numbers
    )


def _is_plain_number(value: object) -> bool:
    """Tell whether a value is a whole number or a fraction; a truth value is neither."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _first_sentence(rule: Rule) -> str:
    """Return the first sentence of a rule's wording; its title if the wording is empty."""
    sentence = " ".join(rule.wording.split()) or rule.title
    return full_sentence(re.split(r"(?<=[.!?])\s", sentence, maxsplit=1)[0])


def _explain_winning_rule(state: State, rule: Rule, keys: set[str]) -> Iterator[Element]:
    """Yield a rule's heading, remarks and wording, and its clauses on the terms `keys` in plain English."""
    yield build_element("h3", rule_number_label(rule), f" {rule.title}")
    if (otherwise := wording_remarks(notes_beside_wording(rule, state))) is not None:
        yield otherwise
    yield wording_section(rule.wording)
    about = (
        clause
        for clause in rule.clauses
        if getattr(clause, "key", "") in keys or (OUT in keys and _is_elimination_clause(clause))
    )
    words = {clause.words for clause in about}
    if (
        read := clause_sentence_list(explained for explained in explain(rule).clauses if explained.clause in words)
    ) is not None:
        yield quiet_paragraph("The game enforces this:")
        yield read
