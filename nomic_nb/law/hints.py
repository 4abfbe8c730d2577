"""What helps a writer whose clause is refused: the word that may be meant, and an example of a whole clause."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from nomic_nb.errors import LawError
from nomic_nb.law import clauses as c
from nomic_nb.law.vocabulary import Vocabulary

#: An example of a whole clause, by the word with which it begins.
EXAMPLES: Mapping[str, str] = {
    "set": c.Set.example, "allow": "allow say when player.in_turn", "forbid": "forbid propose when circuit < 2",
    "require": c.Require.example, "on": "on thrown when face == 6: award 1 points to player",
    "instead": c.Instead.example, "offer": c.Offer.example, "track": "track coins per player from 0",
    "piece": c.Piece.example, "incorporate": c.Incorporate.example, "draft": c.Draft.example,
    "prevails": "prevails over 203", "defers": "defers to 203",
}  # fmt: skip


def _by_word(said: Mapping[str, str]) -> Mapping[str, str]:
    return {word: meant for words, meant in said.items() for word in words.split()}


#: Everyday words, and how a clause begins that says it.
_BEGINS = _by_word(
    {
        "if when whenever once every each always after while at": "on",
        "nobody no never cannot players only": "forbid",
        "may can anyone anybody everyone everybody": "offer",
        "count keep define create": "track",
        "must": "require",
    }
)
#: The same for what is done: an effect that says it.
_DONE = _by_word(
    {
        "give gives get gets gain gains earn earns add reward receive receives": "award 5 points to player",
        "lose loses subtract take deduct fine penalise penalize": "award -5 points to player",
        "steal transfer": "pay 5 points from player to next_player",
        "if unless": "when player.points > 9: award 1 points to player",
        "set put make change": "put points of player at 5",
        "skip pass": "end turn",
        "wait later": "after 2 turns: award 1 points to player",
        "win wins": "put points of player at win.points",
        "say tell print write": 'announce "It rains."',
        "let choose pick select ask": "let player choose foe from players; award -1 points to foe",
        "throw": "roll 1 of 6 as total; award total points to player",
        "kick kill": "eliminate player",
    }
)
_NUMBERS = {
    word: meant
    for words, meant in (
        ("zero", "0"), ("one", "1"), ("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"), ("six", "6"),
        ("seven", "7"), ("eight", "8"), ("nine", "9"), ("ten", "10"), ("half", "1/2"), ("twice double", "2 *"),
    )
    for word in words.split()
}  # fmt: skip
_IDLE = ("the", "a", "an", "all", "every", "any")


def helped(error: LawError, vocabulary: Vocabulary, tables: Collection[str] = ()) -> LawError:
    """Add to an error what is probably meant, and an example of a whole clause; return it.

    Parameters
    ----------
    error : LawError
        With the line at fault as its text, and the column in it.
    vocabulary : Vocabulary
        What rules can speak of.
    tables : collection of str
        What is tracked.

    Examples
    --------
    >>> from nomic_nb.play.vocabulary import language
    >>> language().read("on adopted: proponent gets 5 points")
    Traceback (most recent call last):
    nomic_nb.errors.LawError: line 1, column 13: this does not belong here; found 'proponent'; expected ...
        on adopted: proponent gets 5 points
                    ^
        such as: on adopted: award 5 points to proponent
    """
    if error.text and not error.example:
        before, at = error.text[: error.column - 1], error.text[error.column - 1 :]
        found = re.match(r"[A-Za-z_][\w.]*|\d+", at)
        word = found[0] if found else ""
        error.expected = _meant(error, before, word, at, vocabulary, tables) or error.expected
        error.example = _example(before, word, at, vocabulary)
    return error


def _meant(error: LawError, before: str, word: str, at: str, vocabulary: Vocabulary, tables: Collection[str]) -> str:
    """Return what is probably meant; empty where that is not known."""
    last, said = (before.split() or [""])[-1], error.message
    counted = before.startswith("track ") or re.search(r"\b(award|pay) \S+ $", before)
    if word.lower() != word and (counted or word.lower() in _known(vocabulary, tables)):
        return f"{word.lower()}, in small letters"
    if at.strip() in (".", ";"):
        return "nothing: a clause ends without a stop"
    if said.startswith("nothing is called"):
        if word in _NUMBERS:
            return _NUMBERS[word]
        if word[:1].isupper():
            return f'"{word}", in quotation marks, for a name'
        if re.search(rf"\b(choose (some )?{word} from|as {word}\b|each {word} in)", before):
            return f"brackets around all effects that speak of {word}: (…; …)"
    if word.isdigit() and ("is a rule" in said or last == "rule") and "over" not in before:
        return f"rule_numbered({word})"
    if word == "if" and "when" in error.expected:
        return "when"
    if said == "this is not an expression" and last in _IDLE:
        return f"{word}, without “{last}” before it"
    joined = re.match(r"([\w.]+) and ([\w.]+)", at)
    if said.startswith("a truth is needed") and joined:
        return f"[{joined[1]}, {joined[2]}], a list"
    if before.startswith(("prevails over ", "defers to ")):
        return {"rule": "the number alone, such as 203", "all": "everything"}.get(word, "")
    return ""


def _known(vocabulary: Vocabulary, tables: Collection[str]) -> set[str]:
    forms = {word for form in vocabulary.effects.values() for word in form.words}
    bound = {name for event in vocabulary.events.values() for name in (*event.binds, *event.may_bind)}
    return {
        *vocabulary.keys, *vocabulary.events, *vocabulary.facts, *vocabulary.functions, *vocabulary.actions, *EXAMPLES,
        *forms, *bound, *tables, "to", "when", "while", "and", "or", "not", "in", "per", "from", "none", "true",
        "false",
    }  # fmt: skip


def _example(before: str, word: str, at: str, vocabulary: Vocabulary) -> str:
    """Return an example of a whole clause of the kind that is being written."""
    verb, _, rest = before.partition(" ")
    if verb not in EXAMPLES:
        first = (before + at).split()[0].lower() if (before + at).strip() else ""
        effects = [one.example for one in vocabulary.effects.values() if one.begins[:1] == (first,)]
        if effects:
            return f"on turn_ended: {effects[0]}"
        return EXAMPLES.get(first) or EXAMPLES[_BEGINS.get(first, "set")]
    if verb not in ("on", "instead", "offer") or ":" not in before:
        return EXAMPLES[verb]
    said = re.split(r"[:;]\s*\(?", before)[-1].strip()
    first = (said or word).split()[0] if said or word else ""
    known = next((one.example for one in vocabulary.effects.values() if one.begins[:1] == (first.lower(),)), "")
    words = [one for one in re.findall(r"[a-z]+", f"{said} {at}".lower()) if one in _DONE]
    effect = (
        _DONE[words[0]] if words and (first.lower() in _DONE or not known) else known
    ) or "award 5 points to player"
    event = vocabulary.events.get(rest.split()[0].rstrip(":")) if verb == "on" else None
    if event is not None and "player" not in event.binds and "proposal" in event.binds:
        effect = re.sub(r"\bplayer\b", "proponent", effect)
    known_then = event is not None and not {"player", "proposal"}.isdisjoint(event.binds)
    whole = f"on {event.name}" if event is not None and known_then else "on turn_ended"
    return f"{EXAMPLES['offer'].partition(':')[0] if verb == 'offer' else whole}: {effect}"
