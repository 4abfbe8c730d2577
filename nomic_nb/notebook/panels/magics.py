"""Magics: short ways to propose, vote, roll and look up the law, each in a separate cell.

``%load_ext nomic_nb`` loads them. Each is a function here, with the same words, and represents one line
of `Game`: ``%vote Ben for 301`` is ``game.vote("Ben", "for", 301)``. The game is the one named ``game``, or
the only one there is, or the one named behind ``-g``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from nomic_nb.engine.errors import LawError, PlainRefusal
from nomic_nb.engine.law.changes import parse_rule_number
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.play.values import BALLOTS
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.player_actions import cast_ballots, read_change_argument
from nomic_nb.notebook.panels.completion import complete_in_cell, complete_line
from nomic_nb.notebook.panels.magic_input import (
    OPTION_NAMES,
    WordingError,
    error_in_cell,
    read_ballots,
    read_magic_change,
    split_line,
    split_off_player,
)
from nomic_nb.study.review.preview import ProposalPreview, preview_change
from nomic_nb.study.views import LawBook, Proposal, VotedProposal

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def propose_magic(game: BaseGame, line: str, body: str = "") -> Proposal:
    r"""Propose a rule change and return the proposal, as ``%%propose`` does.

    Parameters
    ----------
    game : BaseGame
        The game.
    line : str
        ``Ann`` or ``Ann enact`` for a new rule, ``Ann amend 203``, ``Ann repeal 204``, ``Ann transmute 112``; after
        it ``part=1``, ``add``, ``debate``, ``title="…"``, and ``number=7`` if proposals are numbered from outside.
        ``Ann together`` makes several changes, voted on one by one with ``apart``; ``Ann rename coins shells`` gives a
        counter another name, and ``Ann reword 301`` gives a proposal another form. A ready-made rule goes by its name:
        ``Ann another_die(20)``, ``Ann amend 203 simple_majority``.
    body : str
        The wording; below a line ``law:`` or ``---``, the clauses. Without a wording, a change does not need a body. An
        amendment without wording keeps the wording, and without a line ``law:`` it keeps the clauses; otherwise new
        clauses replace all of them. Of changes together, each begins with a line such as ``change: amend 203``.

    Returns
    -------
    Proposal

    Raises
    ------
    IllegalAction, LawError
        As `Game.propose`.
    WordingError
        A word that has no place there.

    Examples
    --------
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> propose_magic(game, "Ann amend 208", "Thirty points win.\nlaw:\nset win.points to 30").number
    301
    >>> bundle = "change: repeal 204\nchange: enact\nEverybody is kind."
    >>> propose_magic(new_game("discordian-nomic", ["Ann", "Ben"], seed=7), "Ann together", bundle).change.headline
    'make 2 changes together: repeal rule 204; enact “Everybody is kind”'
    """
    player, rest = split_off_player(game, line)
    asked = read_magic_change(rest, body)
    return game.propose(player, asked.change, asked.number, debate=asked.debate)


def preview_magic(game: BaseGame, line: str, body: str = "") -> ProposalPreview:
    """Return what voters would see of a change, as ``%%preview`` does; nothing is proposed.

    Parameters
    ----------
    game : BaseGame
        The game.
    line : str
        The player and the kind of change, as after ``%%propose``: ``Ann``, ``Ann amend 203``, ``Ann repeal 204``.
    body : str
        The wording; below a line ``law:``, the clauses.

    Returns
    -------
    ProposalPreview

    Raises
    ------
    IllegalAction, LawError
        The change cannot be made or read.
    WordingError
        A word that has no place there.

    Examples
    --------
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> print(preview_magic(game, "Ann amend 208", "Thirty points win.").remarks)
    Check before you vote: its wording says 30, but no clause does.
    """
    player, rest = split_off_player(game, line)
    asked = read_magic_change(rest, body)
    return preview_change(game.timeline, player, read_change_argument(asked.change, game.state), asked.number)


def vote_magic(game: BaseGame, line: str) -> Proposal | None:
    """Cast a ballot, as ``%vote`` does; return the proposal, or None if players are asked whether it counts.

    Parameters
    ----------
    game : BaseGame
        The game.
    line : str
        ``Ben for``, ``Ben against 301``.

    Returns
    -------
    Proposal or None
        As it is with this ballot; None where the law does not say whether it counts, and the table is asked.

    Raises
    ------
    IllegalAction
        As `Game.vote`.
    WordingError
        A word too few or too many.
    """
    player, rest = split_off_player(game, line)
    words = split_line(rest)
    if not 1 <= len(words) <= 2:
        raise WordingError(
            "vote-line-unreadable",
            "give a player, then for or against, and the proposal’s number if several votes are open; found “{found}”",
            found=line,
        )
    game.vote(player, words[0].lower(), parse_rule_number(words[1]) if words[1:] else None)
    done = next(event for event in reversed(game.timeline.events) if event.do == "vote" and event.actor == player)
    return game.proposals[done.data["number"]] if done.kind == "balloted" else None


def votes_magic(game: BaseGame, line: str) -> VotedProposal:
    """Cast several ballots at once, as ``%votes`` does; return the proposal.

    Parameters
    ----------
    game : BaseGame
        The game.
    line : str
        ``Cleo against, others for``, ``all for``, or ``Ann and Ben for, Cleo against 302``. Whoever is not named votes
        only if the line says how the others vote. If it says nothing of ballots, everybody votes for.

    Returns
    -------
    VotedProposal
        The proposal with its ballots, and notes on those that were not cast.

    Raises
    ------
    IllegalAction
        As `Game.votes`: no ballot is cast then.
    WordingError
        The line cannot be read.

    Examples
    --------
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> game = new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    >>> proposal = propose_magic(game, "Ann repeal 206")
    >>> votes_magic(game, "cleo against, others for").ballots
    {'Cleo': 'against', 'Ann': 'for', 'Ben': 'for'}
    """
    choices = {*BALLOTS, *(word for one in game.state.open_proposals if one.vote for word in one.vote.choices)}
    asked = read_ballots(game.players, line, choices)
    return cast_ballots(game.timeline, asked.named, asked.others, asked.proposal)


def roll_magic(game: BaseGame, line: str) -> int:
    """Roll the dice, as ``%roll`` does, and return what they show.

    Parameters
    ----------
    game : BaseGame
        The game.
    line : str
        ``Ann``, or ``Ann 4`` for a roll made by hand.

    Returns
    -------
    int
        What the roll shows.

    Raises
    ------
    IllegalAction
        As `Game.roll`.
    WordingError
        What a roll shows is a whole number.
    """
    player, rest = split_off_player(game, line)
    face = parse_rule_number(rest.rstrip(" ,")) or None
    if isinstance(face, str):
        raise WordingError("throw-line-unreadable", "a roll must be a whole number, not “{found}”", found=face)
    return game.roll(player, face)


def law_magic(game: BaseGame, line: str = "") -> LawBook | Rule | Finding:
    """Return the law book, or the rule or term that the line names, as ``%law`` does.

    Parameters
    ----------
    game : BaseGame
        The game.
    line : str
        Nothing, the number of a rule, or a term such as ``vote.quota``.

    Returns
    -------
    LawBook or Rule or Finding

    Raises
    ------
    KeyError
        There is no such rule or term.

    Examples
    --------
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> law_magic(new_game("discordian-nomic", ["Ann", "Ben"], seed=7), "win.points").value
    100
    """
    word = re.sub(r"(?i)^rule\s+", "", line.strip(" ,"))
    if not word:
        return game.rules
    number = parse_rule_number(word)
    return game.rules[number] if isinstance(number, int) or word in game.rules else game.law[word]


def why_magic(game: BaseGame, line: str, body: str = "") -> Finding:
    """Return the finding that explains a term, as ``%why`` does: its value and its rules.

    Parameters
    ----------
    game : BaseGame
        The game.
    line : str
        ``vote.quota``, or ``vote.quota transmute 112`` to ask as if that were proposed. If the answer depends on
        something, name it after the term: ``piece.moves kind=N``.
    body : str
        Wording and law of the change, as in `propose_magic`.

    Returns
    -------
    Finding

    Raises
    ------
    KeyError
        There is no such term.
    WordingError
        A word that has no place there.

    Examples
    --------
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> why_magic(new_game("discordian-nomic", ["Ann", "Ben"], seed=7), "vote.quota transmute 112").rule
    109
    """
    key, _, rest = line.strip().partition(" ")
    key = key.rstrip(",")
    if not key:
        raise WordingError("why-without-term", "why what? Add a setting, e.g. vote.quota")
    case: dict[str, object] = {}
    while (given := _CASE.match(rest)) and given[1] not in OPTION_NAMES:
        value = parse_rule_number(given[2])
        case[given[1]] = value.strip("\"'") if isinstance(value, str) else value
        rest = rest[given.end() :]
    asked = read_magic_change(rest, body).change if rest.strip() else None
    return game.why(key, None if asked is None else read_change_argument(asked, game.state), **case)


# ------------------------------------------------------------------------------------------ in a session

MAGICS: dict[str, Callable[..., object]] = {
    "propose": propose_magic,
    "preview": preview_magic,
    "vote": vote_magic,
    "votes": votes_magic,
    "roll": roll_magic,
    "law": law_magic,
    "why": why_magic,
}
#: Those that may have a body.
CELL_MAGICS = ("propose", "preview", "why")
#: The case of a setting, such as ``kind=N``.
_CASE = re.compile(r"""\s*(\w+)=("[^"]*"|'[^']*'|[^\s,]+),?""")
_GAME_OPTION = re.compile(r"(?:^|\s)-g\s+(\w+)\s*$|^\s*-g\s+(\w+)(?:\s|$)")


def find_game(names: dict[str, Any], line: str) -> tuple[BaseGame, str]:
    """Return the game named by ``-g``, or the one called ``game``, or the only one; and the rest of the line.

    Parameters
    ----------
    names : dict
        The user's.
    line : str
        Of the magic.

    Raises
    ------
    WordingError
        There is none, or more than one.
    """
    named = _GAME_OPTION.search(line)
    if named is not None:
        name = named[1] or named[2]
        if not isinstance(names.get(name), BaseGame):
            raise WordingError("name-of-no-game", "“{name}” isn’t a game", name=name)
        return names[name], (line[: named.start()] + " " + line[named.end() :]).strip()
    if isinstance(names.get("game"), BaseGame):
        return names["game"], line
    games = {
        id(value.timeline): (name, value)
        for name, value in names.items()
        if isinstance(value, BaseGame) and not name.startswith("_")
    }
    if len(games) == 1:
        return next(iter(games.values()))[1], line
    if not games:
        raise WordingError("no-game-yet", "there is no game yet. Start one with game = nb.new_game(…)")
    known = ", ".join(sorted(name for name, _ in games.values()))
    raise WordingError(
        "several-games",
        "there are several games ({known}). Name one of them game, or add -g {first}",
        known=known,
        first=known.split(", ")[0],
    )


def load_magics(ipython: InteractiveShell) -> None:
    """Register the magics, and completion for them, in an IPython session.

    Parameters
    ----------
    ipython : InteractiveShell
        The session.
    """
    from IPython.core.error import UsageError

    names, session = cast(dict[str, Any], ipython.user_ns), cast(Any, ipython)

    def magic(name: str, does: Callable[..., object]) -> Callable[..., object]:
        def run(line: str, cell: str | None = None) -> object:
            try:
                game, rest = find_game(names, line)
                return does(game, rest, cell or "") if name in CELL_MAGICS else does(game, rest)
            except LawError as error:
                raise UsageError(error_in_cell(error, cell or "")) from error
            except PlainRefusal as error:
                raise UsageError(error.said) from error

        run.__name__, run.__doc__ = name, does.__doc__
        return run

    session.Completer.custom_matchers.append(_make_completer(names))
    session.input_transformers_cleanup.insert(0, _read_as_line_magic)
    for name, does in MAGICS.items():
        kind = "line_cell" if name in CELL_MAGICS else "line"
        for form in (name, name.title(), name.upper()):
            session.register_magic_function(magic(name, does), magic_kind=kind, magic_name=form)


def _read_as_line_magic(lines: list[str]) -> list[str]:
    """Return the lines of a cell; ``%%propose Ann repeal 206`` alone as a line magic, since IPython asks for a body."""
    text = [line.lstrip() for line in lines if line.strip()]
    alone = len(text) == 1 and re.match(rf"%%({'|'.join(CELL_MAGICS)})\s", text[0], re.IGNORECASE)
    return [text[0][1:]] if alone else lines


def _make_completer(names: dict[str, Any]) -> Callable[[Any], Any]:
    """Return an IPython matcher that completes magics and clauses in cells; `names` are the user's variables."""
    from IPython.core.completer import SimpleCompletion, context_matcher

    def words(context: Any) -> Any:
        head, inside, body = context.full_text[: _cursor_offset(context)].partition("\n")
        inside = inside if re.match(r"\s*%%", head) else ""
        match = re.match(r"\s*%%?(\w+)\s(.*)", f"{head} " if inside else context.text_until_cursor)
        magic = match[1].lower() if match is not None else ""
        if match is None or magic not in (CELL_MAGICS if inside else MAGICS):
            return {"completions": []}
        try:
            game, line = find_game(names, match[2])
            if inside:
                begun, found = complete_in_cell(game, body)
            else:
                begun = context.token
                found = [(word, "") for word in complete_line(game, magic, line, begun)]
        except WordingError:
            return {"completions": []}
        fitting = [SimpleCompletion(word, type=meaning) for word, meaning in found]
        return {"completions": fitting, "matched_fragment": begun, "ordered": True, "suppress": True}

    return cast(Callable[[Any], Any], context_matcher(identifier="nomic_nb.words")(words))


def _cursor_offset(context: Any) -> int:
    """Return the cursor's offset in a cell's text, in characters, from IPython's completion context."""
    lines = context.full_text.split("\n")
    return sum(len(line) + 1 for line in lines[: context.cursor_line]) + len(context.text_until_cursor)
