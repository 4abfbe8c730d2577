"""Whether something may be done now, and the refusal where it may not."""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any, NoReturn, cast

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.changes import check_text_storable, parse_rule_number
from nomic_nb.engine.law.clauses import Effect
from nomic_nb.engine.law.findings import Finding, finding_behind_doubt, set_clause_of
from nomic_nb.engine.law.nodes import AbsentName, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number, Rule, SourceClause
from nomic_nb.engine.law.values import CaseNames, ThingRef, Value, value_as_expression
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.agenda_items import AgendaItem
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.events import Cause, Event
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import player_names
from nomic_nb.engine.words import verb_phrase

# ---------------------------------------------------------------------------------------- what the law leaves open


#: What is said while the game is paused.
PAUSED_MESSAGE = say("game-paused", "the game is paused")
#: What people say about what would be forbidden if nothing, one thing, or one of several were so: it is, and it is not.
PEOPLE_ANSWERS: tuple[tuple[str, ...], ...] = (
    (),
    ("Yes: it is refused", "No: it may be done"),
    ("Yes to one of these: it is refused", "No to all of these: it may be done"),
)


#: What is said of an act in doubt that others are not asked about.
UNLESS_CHALLENGED = "it stands unless it is challenged"


class QuestionMixin(ABC):
    """The part of an engine that asks questions; see `Engine` for its attributes."""

    state: State
    law: Law
    cause: Cause | None

    @abstractmethod
    def emit(self, kind: str, actor: str | None = None, /, **more: Any) -> Event:
        """Record an event of a kind, by or about `actor`, with `more` as its data, and return it."""

    @abstractmethod
    def view(self, env: CaseNames | None = None) -> View:
        """Return the view in which expressions are read: the state, the law of this step, and the names in `env`."""

    def ask_about(
        self, doubt: Undecided, item: AgendaItem | None = None, act: str = "", actor: str | None = None
    ) -> None:
        """Stop play with a question to the players about a doubt (`doubt`) that the law leaves open.

        If the law names players for a doubt about an act, they are asked; otherwise, all players.

        Parameters
        ----------
        doubt : Undecided
            What the law leaves open.
        item : AgendaItem, optional
            The agenda item that raised it.
        act : str
            The act that somebody tried, in words such as “Ann may vote”.
        actor : str, optional
            Player who tried it.
        """
        finding = finding_behind_doubt(doubt)
        if finding is not None:
            finding = deepest_open_finding(self.law, self.state, finding)
        cause = item.cause if item else None
        if finding is None:
            words = f" (“{cause.words}”)" if cause and cause.words else ""
            where = f"rule {cause.rule}{words}" if cause else "the law"
            self.ask(
                f"{where[0].upper()}{where[1:]} gives no answer, because {doubt.reason}. It is left out here. "
                "What do you all agree to do?",
                rule=cause.rule if cause else None,
                drops=item is not None,
            )
            return
        options = []
        for source in finding.sources if finding.outcome == "torn" else ():
            with suppress(Undecided):
                options.append(value_as_expression(set_clause_of(source).value.run(self.view({}))))
        declared = self.law.vocabulary.keys[finding.key]
        # To ask is no answer, and what the rules have said already has led here.
        offered = [f'"{value}"' for value in declared.values if value != finding.value]
        options = list(dict.fromkeys(options)) or list(doubt.options) or offered
        options = [option for option in options if option != f'"{declared.asks}"']
        kind = (declared.type.item or declared.type).name
        if not options and kind == "player":
            options = [*(["nobody"] if declared.type.item else []), *self.state.names_of_players]
        if not options:
            options = {"truth": ["true", "false"], "list": ["[]"]}.get(declared.type.name, [])
        first = str(finding).split("\n", 1)[0]
        itself = finding is doubt.finding
        reason, when = (doubt.reason, doubt.when) if itself else (first, finding.when)
        where = f" when {when}" if when and not itself else ""
        about = item.env.get("proposal") if item is not None and "proposal" in declared.case else None
        concerned = f" (proposal {about.id})" if isinstance(about, ThingRef) else ""
        meaning = declared.meaning
        if finding.key.startswith("may."):
            player = dict(finding.case).get("player")
            if act:
                meaning = f"whether {act}"
            elif isinstance(player, ThingRef):
                meaning = meaning.replace("a player", str(player.id), 1)
        if declared.apart:  # one answer is for all of them
            meaning += f"; your answer holds for every {' and '.join(declared.case)}, always without that one"
        text = f"{reason[0].upper()}{reason[1:]}{where}: {meaning}{concerned}."
        # No rule speaks, and it is no matter of the case or of the occasion: the answer holds until one does.
        plain = finding.outcome == "silent" and reason == first
        general = plain and not (declared.case or when or doubt.options)
        who = people_to_ask(self.law, self.state, actor) if actor else ()
        worded, asked = PEOPLE_ANSWERS[min(len(finding.bans), 2)] if who and act else (), who or None
        if worded:
            text = f"{act}. The question is {'; or '.join(finding.bans)}."
            options, asked = ["false", "true"], who
            if self.law.find("question.doubt", self.state, {"player": actor}).says("challenge"):
                worded, asked = (worded[0], UNLESS_CHALLENGED), ()
            else:
                text = f"Others decide if {text}"
        self.ask(
            text, rule=self._rule_in_doubt(finding, cause), key=finding.key, options=options, when=when,
            general=general, who=asked, turn=doubt.turn, by=actor if who else None, words=worded,
        )  # fmt: skip

    def _rule_in_doubt(self, finding: Finding, cause: Cause | None) -> Number | None:
        """Return the number of the rule to name in a question: the finding's, one that needs its key, or the cause's.

        None if none of them has one.
        """
        at_work = cause or self.cause
        reading = (rule.number for rule in self.law.book.in_force if finding.key in rule.looked_up_keys)
        rules = (finding.rule, next(reading, None), at_work.rule if at_work else None)
        return next((rule for rule in rules if rule is not None), None)

    def ask(
        self,
        text: str,
        *,
        rule: object = None,
        key: str = "",
        options: list[str] | None = None,
        drops: bool = False,
        who: tuple[str, ...] | None = None,
        when: str = "",
        set_aside: tuple[tuple[str, int, int], ...] = (),
        general: bool = False,
        turn: int = 0,
        by: str | None = None,
        words: tuple[str, ...] = (),
    ) -> None:
        """Stop play with a question, on whose answer the players in `who` (default: all present) must agree.

        Parameters
        ----------
        text : str
            The question.
        rule : int or str, optional
            The rule concerned.
        key : str
            The key of the law that the answer settles; empty if the answer is in words.
        options : list of str, optional
            Answers to suggest, as expressions of the law language or words.
        drops : bool
            Whether the act or effect that raised the question is dropped once it is answered.
        who : tuple of str, optional
            The players who must agree.
        when : str
            The case that the answer is for, as a condition of the law language.
        set_aside : tuple of (str, int, int)
            What was left out of a step: why, the rule's id, and the event that made this version of it.
        general : bool
            Whether the answer holds until a rule speaks, and not only for the turn.
        turn : int
            The turn for which the answer holds; 0 for the latest one.
        by : str, optional
            The player whose wish it is about, and who can give it up.
        words : tuple of str
            The options in words for people, where these are others.
        """
        case = {
            "when": when, "general": general, "set_aside": set_aside, "turn": turn, "by": by, "words": words,
        }  # fmt: skip
        self.emit(
            "asked", data=case, text=text, who=self.state.present_names if who is None else who, key=key,
            options=options or [], rule=rule, drops=drops,
        )  # fmt: skip


def people_to_ask(law: Law, state: State, actor: str) -> tuple[str, ...]:
    """Return the present players whom the law has asked about an act of `actor`; empty if it names none."""
    finding = law.find("question.asked", state, {"player": actor})
    return (
        tuple(name for name in player_names(finding.value) if name in state.present_names) if finding.answered else ()
    )


def deepest_open_finding(law: Law, state: State, finding: Finding) -> Finding:
    """Return the finding to ask about: the root cause of a finding without an answer, or that finding itself.

    A chain into suppositions ends where the law already has an answer in the current state, because asking there would
    be pointless.
    """
    root = finding.root
    while root is not None and not law.find(root.key, state, dict(root.case)).answered:
        finding, root = root, root.root
    return finding


# ------------------------------------------------------------------------------- whether something may be done now


#: The fields by which things are told apart in a condition; others are by themselves.
DESCRIBING_FIELDS = {
    "proposal": "number", "change": "fingerprint", "rule": "number", "piece": "square", "judgment": "turn",
}  # fmt: skip
#: Characters that something said, done or asked may have.
LONGEST_SPEECH = 500


def find_permission(state: State, action: str, player: str, **case: Value) -> Finding:
    """Return what the law says, as a finding, on whether a player may do an action, with its details in `case`."""
    finding = state.find(f"may.{action}", player=player, **case)
    if finding.outcome != "silent":
        return finding
    deed = ACTIONS[action]
    allowed = Finding(f"may.{action}", True, "decided")
    if not deed.otherwise:
        return allowed  # what rules bring about, they allow
    finding = state.find(deed.otherwise)
    if finding.value == "allowed" or not deed.heard:
        return finding
    env = {**case, "player": ThingRef("player", player)}
    listening = any(can_trigger_fire(state, source, env) for source in state.law.triggers.get(deed.makes, ()))
    return allowed if listening else finding  # what a rule answers to is nothing that no rule mentions


def can_trigger_fire(state: State, source: SourceClause, env: CaseNames, law: Law | None = None) -> bool:
    """Tell whether a trigger clause's condition holds for the names in `env`; also True if undecided."""
    law = law or state.law
    clause, bound = cast(c.TriggerClause, source.clause), {**env, "this": ThingRef("rule", source.rule.id)}
    condition, cases = clause.condition, [bound]
    if condition is None:
        return True
    try:
        if clause.among is not None:
            many = cast(tuple[Value, ...], clause.among.run(View(state, bound, law)))
            cases = [{**bound, str(clause.each): value} for value in many]
        return any(condition.run(View(state, case, law)) for case in cases)
    except Undecided:
        return True


def permission_or_undecided(state: State, finding: Finding) -> Any:
    """Return the value of a finding on a permission; if none, raise `Undecided`, with the finding's case as condition.

    Raises
    ------
    Undecided
        It does not say.
    """
    if finding.answered or deepest_open_finding(state.law, state, finding) is not finding:
        return state.law.value_or_undecided(finding)
    view = View(state, {}, state.law)
    sentences = (_value_as_condition(view, name, value) for name, value in finding.case)
    when = " and ".join(
        condition_text
        for condition_text in sentences
        if condition_text and _is_readable_condition(view, condition_text)
    )
    try:
        return state.law.value_or_undecided(finding)
    except AbsentName:
        raise
    except Undecided as doubt:
        raise Undecided(doubt.reason, finding=finding, when=when) from None


def _value_as_condition(view: View, name: str, value: Value) -> str:
    """Return, in the law language, the condition that `name` has this value; an empty text for a list."""
    if isinstance(value, ThingRef) and value.kind == "proposal" and isinstance(value.id, str):  # one that is to be made
        name, value = "change", ThingRef("change", value.id)
    if isinstance(value, ThingRef) and value.kind in DESCRIBING_FIELDS:
        field = DESCRIBING_FIELDS[value.kind]
        name, value = f"{name}.{field}", view.value_of_field(value, field)
    return "" if type(value) is tuple else f"{name} == {value_as_expression(value)}"


def _is_readable_condition(view: View, condition: str) -> bool:
    """Tell whether a text can be read as an expression of the law language."""
    try:
        cast(Law, view.law).language.expression(condition)
    except LawError:
        return False
    return True


def is_surely_forbidden(finding: Finding) -> bool:
    """Tell whether a finding on a permission refuses it, whatever is still unknown."""
    return (finding.answered or finding.outcome == "depends") and finding.value in (False, "forbidden")


def is_permitted(state: State, action: str, player: str, **case: Value) -> bool:
    """Tell whether no rule surely forbids a player an action, with its details in `case`; True if undecided."""
    return not is_surely_forbidden(find_permission(state, action, player, **case))


class Refusal(IllegalAction):
    """A refusal that lists the open decisions, once it knows the state of play.

    Parameters
    ----------
    message, rule
        As in `IllegalAction`.
    only : str, optional
        Player whose decisions are listed, if there are any; by default, everybody's.
    done : str, optional
        The kind of event to mention, if the player has already done this in the turn.
    """

    def __init__(self, message: str, rule: Number | None = None, *, only: str | None = None, done: str = "") -> None:
        super().__init__(message, rule=rule)
        self.only, self.done = only, done


def refuse(message: str, rule: Number | None = None, *, only: str | None = None) -> NoReturn:
    """Raise a refusal with a message, the number of its rule, and the player whose decisions it lists (`only`).

    Raises
    ------
    IllegalAction
        Always.
    """
    raise Refusal(message, rule, only=only)


def unknown_proposal_message(number: object) -> Message:
    """Return the message that no proposal has this number."""
    return say("proposal-unknown", "there is no proposal {proposal}", proposal=number)


def already_answered_message(player: str) -> Message:
    """Return the message that a player has answered already."""
    return say("answered-already", "{player} has already answered", player=player)


def not_your_turn_message(whose: str, player: str) -> Message:
    """Return the message that it is another player's turn."""
    return say("turn-of-another", "it’s {whose}’s turn, not {player}’s", whose=whose, player=player)


def others_first_message(who: str | None) -> Message:
    """Return the message that another player has to act first; None means somebody."""
    return say("somebody-first", "{who} has to act first", who=who or "somebody")


def refuse_not_owed(state: State, player: str, action: str) -> NoReturn:
    """Raise `IllegalAction`, because a player has no duty to do this action now; name the duties they have.

    Raises
    ------
    IllegalAction
        Always.
    """
    owed = [duty for go in state.turns if not go.over for duty in go.duties if duty.player == player]
    if owed:
        refuse(
            say(
                "owes-something-else",
                "{player} can’t {action} yet; they have to {owed} first",
                player=player,
                owed=" or ".join(owed[0].fulfilling_actions),
                action=action,
            ),
            owed[0].rule,
        )
    refuse(
        say("nothing-owed", "{player} can’t {action} at this point", player=player, action=action),
        state.find("turn.parts").rule,
    )


def check_permission(state: State, action: str, player: str, what: str, **case: Value) -> None:
    """Raise `IllegalAction` if the law forbids an action (`what` in words), `Undecided` if it does not say.

    Raises
    ------
    IllegalAction
        It does.
    Undecided
        It does not say.
    """
    finding = find_permission(state, action, player, **case)
    if not finding.answered:
        permission_or_undecided(state, finding)
    if is_surely_forbidden(finding):
        shown_by = f" ({'; '.join(finding.evidence)})" if finding.evidence else ""
        refuse(
            say(
                "not-allowed",
                "{player} isn’t allowed {what}: {clause}{evidence}",
                player=player,
                what=what,
                clause=finding.sources[0].clause.words,
                evidence=shown_by,
            ),
            finding.rule,
        )


def check_can_act(state: State, player: str, action: str = "") -> None:
    """Refuse a player who cannot act: unknown, gone, absent or a dummy, or the game is over or paused.

    The action “forfeit” stays open to players who are absent, and while the game is paused.

    Raises
    ------
    IllegalAction
        The game is over, or this is nobody who plays.
    """
    if state.over:
        winners = ", ".join(state.winners)
        raise IllegalAction(
            say("game-won", "the game is over; {winners} won", winners=winners)
            if winners
            else say("game-without-winner", "the game is over; nobody won")
        )
    check_player_name(state, player, state.players)
    who = state.players[player]
    if state.paused and action != "forfeit":
        raise IllegalAction(PAUSED_MESSAGE, options=["game.host.resume()"])
    if not who.playing:
        refuse(say("has-left", "{player} has left the game", player=player))
    if who.absent and action != "forfeit":  # which is open at any time
        raise IllegalAction(
            "is-absent", "{player} is marked as away", player=player, options=[f'game.host.present("{player}")']
        )
    if not who.person:
        refuse(say("is-dummy", "{player} is a dummy, so only rules can act for it", player=player))


def check_undisturbed(state: State, *, judging: bool = False) -> None:
    """Refuse an action while play waits for the answer to a question or, unless `judging`, for a judgment.

    Parameters
    ----------
    state : State
        The current state.
    judging : bool
        Whether the action is part of the Judge's work.
    """
    if state.questions:
        question = state.questions[0]
        refuse(say("question-open", "play is waiting for an answer: {question}", question=question.text), question.rule)
    judgment = None if judging else state.awaited_judgment
    if judgment is not None:
        refuse(
            say(
                "judgment-open",
                "play is waiting for judgment {judgment}: {question}",
                judgment=judgment.id,
                question=judgment.question,
            ),
            judgment.rule,
        )


def unorderable_effect_message(by: str, what: str) -> Message:
    """Return the message that `by` (“people”, “Judge” or “record”) cannot order an effect (`what` in words)."""
    if by == "people":
        return say("people-cannot", "you can’t {what} by applying a rule", what=what)
    if by == "Judge":
        return say("judge-cannot", "a Judge can’t order anyone to {what}", what=what)
    return say(
        "correction-cannot",
        "a correction can’t {what}; it can only change a value, end a turn or add a player",
        what=what,
    )


def read_ordered_effect(state: State, text: str, by: str) -> Effect:
    """Parse the effect that `by` (“people”, “Judge” or “record”) orders; refuse one it cannot order."""
    language = state.law.language
    effect = language.effect(text.strip())
    if by not in effect.form.by:
        what = effect.words.split()[0] if effect.form.makes else "use an effect that contains others"
        known = ", ".join(form.name for form in language.vocabulary.effects.values() if by in form.by)
        raise IllegalAction(unorderable_effect_message(by, what), options=[known])
    language.check_effect(effect, state.law.tables)
    who = getattr(effect, "who", None)
    if who is not None and who.constant and who.run(View(state, {}, state.law)) not in state.players:
        refuse(
            say(
                "effect-on-nobody",
                "no player is called {who}; the players are {players}",
                who=who.text,
                players=", ".join(state.players),
            )
        )
    return effect


def check_law_says(state: State, key: str, answer: Value, message: Message, **case: Value) -> Finding:
    """Return the finding on a key of the law; refuse with a message unless its value is `answer`.

    Raises
    ------
    IllegalAction
        It says something else.
    Undecided
        It does not say.
    """
    finding = state.find(key, **case)
    if state.law.value_or_undecided(finding) != answer:
        refuse(message, finding.rule)
    return finding


def check_among_players_of(state: State, key: str, player: str, message: Message, **case: Value) -> None:
    """Refuse a player, with a message, unless the value of a key of the law includes them.

    Raises
    ------
    IllegalAction
        They are not.
    Undecided
        It does not say.
    """
    finding = state.find(key, **case)
    if player not in player_names(state.law.value_or_undecided(finding)):
        refuse(message, finding.rule)


def check_among_words(words: Sequence[str], word: object, what: str) -> str:
    """Return `word` if it is one of `words`; otherwise refuse it with a message that begins with `what`."""
    if not isinstance(word, str) or word not in words:
        raise IllegalAction("not-one-of", "{what}, not {found!r}", what=what, found=str(word)[:40], options=list(words))
    return word


def check_short_text(what: str, text: str, empty: Message, longest: int = LONGEST_SPEECH) -> str:
    """Return a text, stripped; refuse it, called `what`, if unfit or too long, or with the message `empty` if blank."""
    check_text_storable(what, text, longest)
    if not text.strip():
        raise IllegalAction(empty)
    return text.strip()


def find_rule_in_force(state: State, number: Number) -> Rule:
    """Return the rule in force with a number; refuse a number that no rule has."""
    rule = state.rules.by_number.get(parse_rule_number(number))
    if rule is None:
        refuse(state.rules.missing_rule_message(number))
    return rule


def not_a_player_message(who: str, players: Iterable[str]) -> Message:
    """Return the message that nobody called `who` plays here, with the names of those who do."""
    return say(
        "not-a-player", "nobody is called {player!r}; the players are {players}", player=who, players=", ".join(players)
    )


def check_player_name(state: State, who: object, known: Collection[str] = ()) -> None:
    """Refuse a name that is not among `known`, or, if that is empty, among the players in the game."""
    known = known or state.names_of_players
    if not isinstance(who, str) or who not in known:
        near = difflib.get_close_matches(str(who), known, 1)
        message = not_a_player_message(str(who)[:40], known)
        refuse(message.embed_in("{message}. Did you mean {near}?", near=near[0]) if near else message)


def check_unanimity(state: State, agreed: list[str], reason: str, what: str) -> tuple[list[str], str]:
    """Return the players who agree, without repeats, and the reason; refuse `what` unless everyone present agrees.

    In the replay of a record, nobody needs to.

    Raises
    ------
    IllegalAction
        Somebody does not, or there is no reason.
    """
    if not all(isinstance(name, str) for name in agreed):
        raise IllegalAction("agreed-not-names", "give a list of the names of the players who agree")
    asked = () if state.is_replay else state.person_names
    if asked and not any(name in asked for name in agreed):
        raise IllegalAction("nobody-agrees", "{what} needs everyone’s consent; list everyone who agrees", what=what)
    missing = [name for name in asked if name not in agreed and not state.players[name].absent]
    if missing:
        raise IllegalAction(
            "not-all-agree",
            "{what} needs everyone’s consent, but {who} not agreed yet",
            what=what,
            who=verb_phrase(missing, "has", "have"),
            players=missing,
        )
    for name in agreed:
        check_player_name(state, name)
    return list(dict.fromkeys(agreed)), check_short_text(
        "reason", reason, say("reason-needed", "{what} needs a reason", what=what)
    )
