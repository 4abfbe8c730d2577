"""What a panel says, as HTML: whatever players and rules bring with them is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from nomic_nb.errors import IllegalAction, LawError
from nomic_nb.live.base import BaseGame
from nomic_nb.markup.tree import written
from nomic_nb.markup.words import cited, figure, full_sentence, plural
from nomic_nb.play.decisions import Decision
from nomic_nb.show.proposals import remarks
from nomic_nb.views import Remarks, where

#: Options of a refusal that are listed; the rest is counted.
MOST_OPTIONS = 12
#: Headings stand close to what they head.
CLOSE = 'style="margin: .5em 0 .2em"'
IN_A_ROW = 'style="display: flex; flex-wrap: wrap; gap: 0 1.6em; list-style: none; margin: .2em 0; padding: 0"'


def status(text: str, *, more: str = "", bad: bool = False) -> str:
    """Return what has just happened, or why it did not; the place where it is put announces it.

    Parameters
    ----------
    text : str
        Plain text; it is escaped.
    more : str
        HTML that stands below it.
    bad : bool
        Whether something was refused.

    Examples
    --------
    >>> status("<b> votes for 301")
    '<div>&lt;b&gt; votes for 301</div>'
    """
    said = escape(text)
    if bad:
        said = f'<strong style="color: var(--jp-error-color1, #c62828)">{said}</strong>'
    return f"<div>{said}{more}</div>" if said or more else ""


def refused(error: Exception, game: BaseGame) -> str:
    """Return why something was not done: the rule that forbids it, and what is open instead.

    Parameters
    ----------
    error : Exception
        What was raised.
    game : BaseGame
        In which the rule is looked up.

    Examples
    --------
    >>> from nomic_nb.game import new_game
    >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> shown = refused(IllegalAction("it is Ann's turn", rule=201, options=["Ann: propose"]), game)
    >>> "Rule 201, “Taking turns”." in shown, "<li>Ann: propose</li>" in shown
    (True, True)
    """
    if isinstance(error, LawError):
        return status("Not done: the text cannot be read.", more=law_error(error), bad=True)
    if not isinstance(error, IllegalAction):
        return status(f"Not done, because of an error: {type(error).__name__}: {error}", bad=True)
    more = ""
    if error.rule is not None:
        rule = game.state.rules.by_number.get(error.rule)
        title = f", “{rule.title}”" if rule is not None and rule.title else ""
        more += f"<div>{escape(f'Rule {error.rule}{title}.')}</div>"
    if error.options:
        left = len(error.options) - MOST_OPTIONS
        items = [*error.options[:MOST_OPTIONS], *([f"and {left} more"] if left > 0 else [])]
        more += f"<div>Open now:</div><ul>{''.join(f'<li>{escape(one)}</li>' for one in items)}</ul>"
    return status("Refused: " + full_sentence(error.message), more=more, bad=True)


def law_error(error: LawError, field: str = "") -> str:
    """Return what is wrong in a text, where, and what could stand there.

    Parameters
    ----------
    error : LawError
        What was raised.
    field : str
        Where the text was written.

    Examples
    --------
    >>> print(law_error(LawError("no such key", line=2, column=5, found="vote.quorum", expected="vote.quota")))
    <div class="nnb-law-error">Line 2, column 5: no such key. Found: <code>vote.quorum</code>.
    Expected <code>vote.quota</code>.</div>
    """
    said = f"{field}{', l' if field else 'L'}ine {error.line}, column {error.column}: {error.message}."
    made = escape(said)
    if error.found:
        made += f" Found: <code>{escape(error.found)}</code>."
    if error.expected:
        made += f"\nExpected <code>{escape(error.expected)}</code>."
    if error.text:
        made += f"<pre {CLOSE}>{escape(error.text)}\n{' ' * (error.column - 1)}^</pre>"
    return f'<div class="nnb-law-error">{made}</div>'


def note(html: str) -> str:
    """Return a note under a field; empty for nothing."""
    return f'<div style="line-height: 1.4; white-space: normal">{html}</div>' if html else ""


def heading(game: BaseGame) -> str:
    """Return where the game stands: the turn, and what everybody has."""
    state = game.state
    lines = [f"<h3 {CLOSE}>{escape(game.ruleset.title)}</h3>"]
    if game.over:
        lines.append(f"<div><strong>{escape(game.result)}</strong></div>")
    elif state.paused:
        lines.append("<div><strong>The game is paused.</strong> It goes on with <code>game.host.resume()</code>.</div>")
    else:
        lines.append(f"<div>{_whose_turn(game)}.</div>")
    scores = []
    for name, player in state.players.items():
        marks = [f"{figure(value)} {counter}" for counter, value in player.counters.items()]
        marks += [] if player.person else ["dummy"]
        marks += [] if player.playing else ["out"]
        marks += ["absent"] if player.absent else []
        said = f": {escape(', '.join(marks))}" if marks else ""
        scores.append(f"<li><strong>{escape(name)}</strong>{said}</li>")
    return "".join(lines) + f"<ul {IN_A_ROW}>{''.join(scores)}</ul>"


def _whose_turn(game: BaseGame) -> str:
    """Say whose turn it is, or whose turns are under way."""
    state, turns = game.state, game.turns
    if len(turns) == 1:
        part = f": {escape(turns[0].part)}" if turns[0].part else ""
        whose = f"<strong>{escape(turns[0].player)}</strong>’s turn{part}"
        return f"Turn {turns[0].number}, circuit {state.circuit}. {whose}"
    said = [f"<strong>{escape(turn.player)}</strong>, {escape(where(turn))}" for turn in turns]
    if not said:
        return f"Turn {state.turn}, circuit {state.circuit}. No turn is under way"
    return f"{plural(state.turn, 'turn')} begun, circuit {state.circuit}. Under way: {'; '.join(said)}"


def asked(decision: Decision) -> str:
    """Return what a decision asks, by which rule."""
    rule = cited(decision.rule)
    like = "" if decision.must else " – if you like"
    return f"<div>{escape(full_sentence(decision.prompt).rstrip('.') + rule + like)}</div>"


def others(decisions: Iterable[Decision]) -> str:
    """Return what other players are to do, as text."""
    items = [f"<li>{escape(f'{one.player}: {one.prompt}')}</li>" for one in decisions]
    return f"<h4 {CLOSE}>Others</h4><ul {CLOSE}>{''.join(items)}</ul>" if items else ""


def listing(title: str, lines: Iterable[str]) -> str:
    """Return lines of plain text as a list with a heading."""
    return f"<h3>{escape(title)}</h3><ul>{''.join(f'<li>{escape(full_sentence(one))}</li>' for one in lines)}</ul>"


def odd(found: Remarks) -> str:
    """Return what is odd about a proposal, or a draft of one; empty where nothing is."""
    made = remarks(found)
    return "" if made is None else written(made)


def group(name: str) -> str:
    """Return the heading over the forms of one player."""
    return f"<h4 {CLOSE}>{escape(name)}</h4>"
