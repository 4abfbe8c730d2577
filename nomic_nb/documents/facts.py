"""What a document says of a game besides its story: who, by which rules, how it stands, how rules came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomic_nb.law.rules import Rule
from nomic_nb.play.events import Event
from nomic_nb.show.law import KEPT_BY_THE_KIT, TIERS
from nomic_nb.show.markup import figure, full_sentence, plural, upper_first
from nomic_nb.views import where

if TYPE_CHECKING:
    from nomic_nb.live.base import BaseGame


def title(game: BaseGame) -> str:
    """Return the title of a document.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> title(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7))
    'A game of Discordian Nomic'
    """
    return f"A game of {game.ruleset.title}"


def outcome(game: BaseGame) -> str:
    """Return the result, or how the game stands.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> outcome(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7))
    'The game goes on. It is the turn of Ann.'
    """
    if game.over:
        return game.result
    turns = [f"{turn.player} ({where(turn)})" for turn in game.turns]
    whose = f" It is the turn of {game.turns[0].player}." if len(turns) == 1 else ""
    whose = f" Turns are under way: {'; '.join(turns)}." if len(turns) > 1 else whose
    return f"The game goes on.{whose}" + (" It is paused." if game.state.paused else "")


def facts(game: BaseGame) -> list[tuple[str, str]]:
    """Return what was agreed before play, and how long the game has gone on, as pairs of label and text.

    The terms that were agreed otherwise than the rule set has them are not among them; see `terms`.
    """
    setting, state = game.table.setting, game.state
    found = [
        ("Players", ", ".join(setting.players)),
        ("Rule set", setting.ruleset.title),
        ("Source", setting.ruleset.source),
        ("Seed of the dice", str(setting.seed)),
    ]
    turns, circuits = plural(state.turn, "turn"), plural(state.circuit, "circuit")
    found.append(("Length", f"{turns}, {circuits}, {plural(state.seq, 'event')}"))
    found.append(("Fingerprint", game.fingerprint))
    return found


def terms(game: BaseGame) -> list[tuple[str, str]]:
    """Return what was agreed beside the rule set, as pairs: terms it has otherwise, the order, the medium."""
    setting = game.table.setting
    found = [(key, str(value)) for key, value in setting.terms.items()]
    found += [("order", ", ".join(setting.order))] if setting.order else []
    return found + ([("medium", setting.medium)] if setting.medium else [])


@dataclass(frozen=True)
class Standing:
    """How a player stands.

    Parameters
    ----------
    name : str
        Of the player.
    counts : mapping of str to str
        What rules count of them.
    marks : tuple of str
        Such as ``won``, ``dummy`` and ``out``.
    """

    name: str
    counts: Mapping[str, str]
    marks: tuple[str, ...]


def standings(game: BaseGame) -> list[Standing]:
    """Return how every player stands, in seating order."""
    found = []
    for name, player in game.state.players.items():
        marks = [
            ("won", name in game.winners),
            ("on turn", any(turn.player == name for turn in game.turns)),
            ("dummy", not player.person),
            ("absent", player.absent),
            ("out", not player.playing),
        ]
        counts = {counter: figure(count) for counter, count in player.counters.items()}
        found.append(Standing(name, counts, tuple(word for word, is_so in marks if is_so)))
    return found


def counted_for_all(game: BaseGame) -> str:
    """Return what rules count for the game as a whole; empty where they count nothing."""
    return ", ".join(f"{counter}: {figure(count)}" for counter, count in game.state.counters.items())


# -------------------------------------------------------------------------------------------------- rules


def tier_heading(tier: str) -> tuple[str, str]:
    """Return the heading of a tier, and what is to be said of it."""
    return TIERS.get(tier, (f"{upper_first(tier)}: rules of this standing", ""))


def initial_rules(game: BaseGame) -> Mapping[int, Rule]:
    """Return the rules as play began, by id."""
    return game.table.before.rules.rules


def is_amended(rule: Rule) -> bool:
    """Tell whether a rule is not as it first was."""
    return rule.before is not None


def for_the_players(rule: Rule) -> bool:
    """Tell whether only people can apply a rule."""
    kept = len(rule.parts) == 1 and any(note.startswith(KEPT_BY_THE_KIT) for note in rule.notes)
    return not rule.law and not kept


def pedigree(rule: Rule) -> str:
    """Tell how a rule came to be what it is; empty for one that is as it was when play began.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> made = game.propose("Ann", nb.amend(206, "Minus three."))
    >>> game.vote("Ann", "for"), game.vote("Ben", "for")
    (None, None)
    >>> pedigree(game.rules[301])
    'Initial rule 206; amended by 301 (Ann, turn 1).'
    """
    versions = rule.history
    if len(versions) == 1 and rule.how == "initial":
        return ""
    return upper_first("; ".join(_version(one) for one in versions)) + "."


def _version(rule: Rule) -> str:
    if rule.how == "initial":
        return f"initial rule {rule.number}"
    when = ", ".join(filter(None, [rule.author or "", f"turn {rule.turn}" if rule.turn else ""]))
    by = "at the table" if rule.how == "settled" else "by a rule" if rule.proposal is None else f"by {rule.proposal}"
    how = {"settled": "agreed", "automatic": "amended automatically"}.get(rule.how, rule.how)
    into = f" and {rule.tier} since" if rule.how == "transmuted" else ""
    return f"{how} {by}{into}" + (f" ({when})" if when else "")


def repeal_of(game: BaseGame, rule: Rule) -> str:
    """Tell how a rule that is in force no more came to its end."""
    states = {event.seq: event for event in game.table.standing if event.kind == "repealed"}
    found: Event | None = next((one for one in states.values() if one.data.get("rule") == rule.id), None)
    if found is None:
        return "Repealed."
    by = "by a rule" if found.data["number"] is None else f"by {found.data['number']}"
    return full_sentence(f"Repealed {by} (turn {found.turn})")
