"""What could stand next behind a magic."""

from __future__ import annotations

from textwrap import dedent

from nomic_nb.engine.law.changes import KINDS
from nomic_nb.engine.play.choices import kinds
from nomic_nb.engine.play.decisions import numbers_are_assigned
from nomic_nb.engine.play.values import BALLOTS
from nomic_nb.notebook.live.base import BaseGame
from nomic_nb.notebook.panels.asked import LAW_BEGINS, OPTIONS, PART_BEGINS, TOGETHER, take_player
from nomic_nb.notebook.panels.next_words import next_words


def complete(game: BaseGame, magic: str, line: str, symbol: str) -> list[str]:
    """Return what could stand where the cursor is.

    Parameters
    ----------
    game : BaseGame
        The game that the magic is about.
    magic : str
        ``propose``, ``vote``, ``roll``, ``law`` or ``why``.
    line : str
        What stands behind it, up to the cursor.
    symbol : str
        The word that is begun at its end; may be empty.

    Returns
    -------
    list of str
        The likeliest first.

    Examples
    --------
    >>> from nomic_nb.notebook.begin import new_game
    >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> complete(game, "propose", "Ann trans", "trans")
    ['transmute']
    """
    before = line.removesuffix(symbol).strip()
    found = _law(game, magic, before) if magic in ("law", "why") else _deed(game, magic, before)
    return [one for one in found if one.lower().startswith(symbol.lower())]


def in_cell(game: BaseGame, body: str) -> tuple[str, list[tuple[str, str]]]:
    r"""Return what could stand next in the body of a cell that proposes something.

    Parameters
    ----------
    game : BaseGame
        The game that it is about.
    body : str
        The body up to the cursor.

    Returns
    -------
    tuple of (str, list)
        What is begun there, and the words that go on with it, each with its meaning; none in a wording.

    Examples
    --------
    >>> from nomic_nb.notebook.begin import new_game
    >>> in_cell(new_game("discordian-nomic", ["Ann", "Ben"], seed=7), "Soon over.\nlaw:\nset win.po")
    ('win.po', [('win.points', 'the score that wins')])
    """
    lines = body.split("\n")
    if part := PART_BEGINS.match(lines[-1]):
        *words, begun = lines[-1][part.end() :].lstrip().split(" ")
        return begun, [(one, "") for one in _change(game, " ".join(words).split()) if one.startswith(begun)]
    begins = [at for at, line in enumerate(lines) if line.strip().lower() in LAW_BEGINS or PART_BEGINS.match(line)]
    if not begins or PART_BEGINS.match(lines[begins[-1]]):
        return "", []
    law = dedent("\n".join(lines[begins[-1] + 1 :]))
    found = next_words(game.state, law, len(law))
    return law[len(law) - found["begun"] :], [(word, meaning) for word, meaning in found["words"]]


def _law(game: BaseGame, magic: str, before: str) -> list[str]:
    if before:
        return _change(game, before.split()[1:]) if magic == "why" else []
    keys = list(game.state.law.vocabulary.terms)
    return keys if magic == "why" else [*_rules(game), *keys]


def _deed(game: BaseGame, magic: str, before: str) -> list[str]:
    asked = [one.player for one in game.pending if one.action == magic and one.player]
    if not before:
        return list(dict.fromkeys([*asked, *game.state.persons]))
    player, rest = take_player(game, before)
    words = rest.split()
    if player not in game.players:
        return []
    if magic == "vote":
        votes = {one.number: one.vote for one in game.state.open_proposals if one.status == "open" and one.vote}
        ballots = [one for one in BALLOTS if any(one in vote.choices for vote in votes.values())]
        return [ballots, list(map(str, votes)), []][min(len(words), 2)]
    return _change(game, words) if magic == "propose" else []


def _rules(game: BaseGame) -> list[str]:
    return [str(rule.number) for rule in game.rules]


def _change(game: BaseGame, words: list[str]) -> list[str]:
    if not words:
        return [*kinds(game.state), *(["reword"] if game.state.open_proposals else [])]
    if words[0] == "rename":
        return list(game.state.law.tables) if len(words) == 1 else []
    if words[0] == "reword" and len(words) == 1:
        return [str(one.number) for one in game.state.open_proposals]
    if words[0] not in ("enact", TOGETHER) and len(words) == 1:
        return _rules(game) if words[0] in KINDS else []
    taken = {word.split("=")[0] for word in words} | ({"number"} if not numbers_are_assigned(game.state) else set())
    return [one.removesuffix('"…"') for one in OPTIONS if one.split("=")[0] not in taken]
