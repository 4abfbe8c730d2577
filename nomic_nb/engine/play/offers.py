"""What rules offer players to do: to whom each offer is open, how it is taken, and why one cannot be taken now."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NoReturn, cast

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law.changes import check_text_storable
from nomic_nb.engine.law.clauses import OfferClause
from nomic_nb.engine.law.confusables import confusable_form
from nomic_nb.engine.law.expressions import compile_with_memo
from nomic_nb.engine.law.nodes import Expression, Node, Undecided, View
from nomic_nb.engine.law.rules import Number, RuleBook, SourceClause
from nomic_nb.engine.law.values import TEXT, CaseNames, HeardText, ThingRef, Value, value_text
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.agenda_items import WaitingFor
from nomic_nb.engine.play.declarations import OfferField, OptionField, action, declare_event
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Cause
from nomic_nb.engine.play.permissions import (
    LONGEST_SPEECH,
    check_permission,
    check_undisturbed,
    find_rule_in_force,
    is_permitted,
    refuse,
)
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import PLAYER_CASE, RULE, player_names
from nomic_nb.engine.words import join_words, verb_phrase

#: Offers that one body of law may make.
MOST_OFFERS = 100
#: Values that are told of an offer that is not open; letters of what nobody offers.
MOST_TOLD, LONGEST_TOLD = 6, 60

declare_event(
    "taken",
    "a player takes up a rule's offer",
    PLAYER_CASE | {"text": TEXT, "rule": RULE},
    told="{actor} takes “{text}”, offered by rule {number}",
    traits="done",
)


def offer_words(source: SourceClause) -> str:
    """Return the words of an offer clause, which a player says to take what the rule offers."""
    return cast(OfferClause, source.clause).name


def check_offers(book: RuleBook) -> None:
    """Raise `LawError` if a book's rules make too many offers, or one rule makes two that look the same.

    Raises
    ------
    LawError
        It has such a rule, or too many offers.
    """
    count = 0
    for rule in book:
        offered = rule.by_subject.get(OfferClause, ())
        if not offered or rule.id in book.void:
            continue
        names = [confusable_form(HeardText(cast(OfferClause, source.clause).name).compared_form) for source in offered]
        count += len(names)
        if len(set(names)) < len(names):
            raise LawError(
                "offered-alike",
                "rule {rule} would offer two things that look the same",
                rule=rule.number,
                expected="other words",
            )
    if count > MOST_OFFERS:
        raise LawError(
            "too-many-offers",
            "the rules can offer at most {most} things",
            most=MOST_OFFERS,
            found=str(count),
            expected="fewer offers",
        )


def players_offered(state: State, source: SourceClause) -> tuple[str, ...]:
    """Return the names of the players to whom an offer is made, whether or not they can take it now.

    Raises
    ------
    Undecided
        Whom the rule means cannot be told.
    """
    who = source.clause.among if isinstance(source.clause, OfferClause) else None
    if who is None:
        return state.person_names
    names = player_names(state.law.evaluate(who, state, {"this": source.rule.ref}))
    return tuple(name for name in state.person_names if name in names)


def _offer_case(source: SourceClause, player: str) -> dict[str, Value]:
    """Return the names bound where an offer is judged for a player: “this” (its rule) and “player”."""
    return {"this": source.rule.ref, "player": ThingRef("player", player)}


def _is_offer_open(state: State, source: SourceClause, player: str) -> bool:
    """Tell whether an offer's condition holds for a player, and every choice it requires has options."""
    condition = cast(OfferClause, source.clause).condition
    open_now = condition is None or state.law.evaluate(condition, state, _offer_case(source, player)) is True
    return open_now and not _nothing_to_choose(state, source, player)


def _required_choices(clause: OfferClause) -> Iterator[Expression]:
    """Yield the options expression of each choice an offer requires, unless its own earlier effects change it."""
    done: set[str] = set()
    for effect in clause.effects:
        places: dict[str, Any] = dict(effect.places)
        options = places.get("options")
        asks = effect.form.name in ("let", "chance") and not places.get("optional")
        if asks and isinstance(options, Expression) and done.isdisjoint(options.words):
            yield options
        done |= {str(places[place_name]) for place_name in ("name", "counter") if place_name in places}


def _nothing_to_choose(state: State, source: SourceClause, player: str) -> bool:
    """Tell whether an offer requires a player to choose from an empty list; False if that is not known yet."""
    case = _offer_case(source, player)
    try:
        return any(
            state.law.evaluate(expression, state, case) == ()
            for expression in _required_choices(cast(OfferClause, source.clause))
        )
    except Undecided:  # where that depends on a roll, say; whoever takes it has the table asked
        return False


def open_offers(state: State) -> Iterator[tuple[str, SourceClause]]:
    """Yield the name of a player and an offer clause for each offer that the player could take now.

    None is yielded that is surely forbidden.

    Where the law is silent or torn about an offer, whoever takes it has the table asked.
    """
    for source in state.law.offers:
        try:
            names = players_offered(state, source)
        except Undecided as doubt:
            names = state.person_names if doubt.finding is not None else ()
        case: dict[str, Value] = {"text": HeardText(offer_words(source)), "rule": source.rule.ref}
        for name in names:
            try:
                held = _is_offer_open(state, source, name)
            except Undecided as doubt:
                held = doubt.finding is not None
            under_way = held and awaited_in_offer(state, source, name) is not None
            if held and not under_way and is_permitted(state, "take", name, **case):
                yield name, source


def awaited_in_offer(state: State, source: SourceClause, player: str) -> WaitingFor | None:
    """Return the roll or choice, due since an offer was taken, that bars a player from taking it; None if none.

    Who has taken it cannot; nor can the others, where what it has yet to do decides whether it is open.
    """
    clause, cause = cast(OfferClause, source.clause), Cause.from_clause(source)
    written = {getattr(effect, "counter", None) for effect in clause.all_effects()}
    for_all = clause.condition is not None and not clause.condition.words.isdisjoint(written)
    for waiting in state.waiting:
        own = (item for item in waiting.agenda if item.cause == cause)
        if not waiting.meanwhile and any(
            for_all or item.env.get("player") == ThingRef("player", player) for item in own
        ):
            return waiting
    return None


@action("taken", PLAYER_CASE | {"text": TEXT, "rule": RULE})
def take(engine: Engine, player: str, text: OptionField, rule: OfferField = None) -> None:
    """Take up a rule's offer.

    Parameters
    ----------
    player : str
        Player who takes up the offer.
    text : str
        Words of the offer. Case, spaces at either end and a final full stop do not matter.
    rule : int or str, optional
        Number of the rule that makes the offer, if several rules make the same one.
    """
    state = engine.state
    check_undisturbed(state)
    check_text_storable("text", text, LONGEST_SPEECH)
    source = _find_offer_meant(state, player, text, rule)
    words, case = offer_words(source), {"rule": source.rule.ref}
    check_permission(state, "take", player, f"to take “{words}”", text=HeardText(words), **case)
    engine.emit(
        "taken", player, env={"text": HeardText(words)}, rule=source.rule.id, number=source.rule.number, text=words
    )
    engine.start_clause(source, {"player": ThingRef("player", player)})


def _find_offer_meant(state: State, player: str, text: str, rule: Number | None) -> SourceClause:
    """Return the open offer that a player names by its words (and its rule); refuse if none or several match."""
    words, sentence = HeardText(text.strip()), text.strip()[:LONGEST_TOLD]
    alike = [source for source in state.law.offers if words.sounds_like(offer_words(source))]
    if rule is not None:
        number = find_rule_in_force(state, rule).number
        if alike and all(source.rule.number != number for source in alike):
            refuse(
                say(
                    "not-offered-by-rule",
                    "rule {rule} doesn’t offer “{offer}”; {who}",
                    rule=rule,
                    offer=sentence,
                    who=_which_rules_offer(alike),
                ),
                number,
            )
        alike = [source for source in alike if source.rule.number == number]
    if not alike:
        known = {HeardText(offer_words(source)).compared_form: offer_words(source) for source in state.law.offers}
        near = difflib.get_close_matches(words.compared_form, known, 1)
        none = say("not-offered", "no rule offers “{offer}”", offer=sentence)
        refuse(none.embed_in("{message}; did you mean “{near}”?", near=known[near[0]]) if near else none)
    clauses = [
        source for source in alike if player in players_offered(state, source) and _is_open_to(state, source, player)
    ]
    under_way = {
        source.rule.id: waiting
        for source in clauses
        if (waiting := awaited_in_offer(state, source, player)) is not None
    }
    if clauses and len(under_way) == len(clauses):
        waiting = under_way[clauses[0].rule.id]
        does = "rolls" if waiting.action == "roll" else "has answered"
        sentence = say(
            "offer-under-way",
            "“{offer}” has already been taken; it can be taken again once {player} {does}",
            offer=offer_words(clauses[0]),
            player=waiting.player or "somebody",
            does=does,
        )
        refuse(sentence, clauses[0].rule.number)
    clauses = [source for source in clauses if source.rule.id not in under_way]
    if len(clauses) > 1:
        refuse(
            say(
                "several-offer",
                "{who}; say which one you mean, e.g. rule {rule}",
                who=_which_rules_offer(clauses),
                rule=clauses[0].rule.number,
            ),
            clauses[0].rule.number,
        )
    return clauses[0] if clauses else _refuse_closed(state, alike[0], player)


def _is_open_to(state: State, source: SourceClause, player: str) -> bool:
    """Tell whether a player can take an offer; refuse, or raise `Undecided`, if its condition cannot be judged."""
    try:
        return _is_offer_open(state, source, player)
    except Undecided as doubt:
        if doubt.finding is not None:  # the law can be asked, and the table answers
            raise
        message = say(
            "offer-undecided",
            "it’s not clear whether {player} can take “{offer}”, because {why}",
            offer=offer_words(source),
            player=player,
            why=doubt.reason,
        )
        refuse(message, source.rule.number)


def _which_rules_offer(sources: Iterable[SourceClause]) -> str:
    """Return which rules make an offer, in words, such as “rule 301 offers it”."""
    numbers = [str(source.rule.number) for source in sources]
    return f"{'rule' if len(numbers) == 1 else 'rules'} {verb_phrase(numbers, 'offers', 'offer')} it"


def _refuse_closed(state: State, source: SourceClause, player: str) -> NoReturn:
    """Raise `IllegalAction`, saying why an offer is not open to a player, such as the conditions not met."""
    words, number = offer_words(source), source.rule.number
    names = players_offered(state, source)
    if player not in names:
        refuse(
            say(
                "offered-to-others",
                "“{offer}” is open to {who}, not to {player}",
                offer=words,
                who=join_words(names) if names else "nobody now",
                player=player,
            ),
            number,
        )
    condition = cast(OfferClause, source.clause).condition
    node = condition.node if condition is not None else Node("constant", 0)
    case = _offer_case(source, player)
    if condition is None or _evaluate_node(state, node, case) is True:
        refuse(
            say(
                "offer-without-choice",
                "{player} can’t take “{offer}” now, because there is nothing to choose from",
                offer=words,
                player=player,
            ),
            number,
        )
    message = say("offer-needs", "{player} can’t take “{offer}” now", offer=words, player=player)
    refuse(with_what_is_needed(message, state, node, case), number)


def with_what_is_needed(message: Message, state: State, node: Node, case: CaseNames) -> Message:
    """Return a refusal with the parts of a condition (`node`) that are surely not met, and what they read."""
    missing = []
    for part in node.conjuncts:
        with suppress(Undecided):
            missing += [] if _evaluate_node(state, part, case) else [part]
    if not missing:
        return message
    needed = " and ".join(re.sub(r"^\((.*)\)$", r"\1", missing_part.canonical) for missing_part in missing)
    facts = dict.fromkeys(
        f"{name} is {value}" for missing_part in missing for name, value in _values_read(state, missing_part, case)
    )
    message = message.embed_in("{message}: it needs {needed}", needed=needed)
    return message.embed_in("{message}, but {facts}", facts=join_words(list(facts)[:MOST_TOLD])) if facts else message


def _evaluate_node(state: State, node: Node, case: CaseNames) -> Value:
    """Return the value of a part of an expression (`node`), with the names in `case` bound to their values."""
    return compile_with_memo(node, state.law.vocabulary)(View(state, case, state.law))


def depends_on_hidden_entries(state: State, source: SourceClause) -> bool:
    """Tell whether hidden entries of tables decide who can take the offer in a clause (`source`)."""
    clause, limits = cast(OfferClause, source.clause), state.law.dependence.tables_of_keys(("may.take",))
    own = any(_reads_hidden_table(state, expression.node) for expression in (*clause.asked, *_required_choices(clause)))
    return own or any(state.law.is_table_hidden(table) for table in limits)


def _reads_hidden_table(state: State, node: Node) -> bool:
    """Tell whether an expression's node, or a node inside it, reads a table with hidden entries."""
    return any(state.law.is_table_hidden(one.table) for one in node.walk())


def _values_read(state: State, node: Node, case: CaseNames) -> Iterator[tuple[str, str]]:
    """Yield (words, value as text) for each fact, key and field that a condition reads, except hidden ones."""

    def reads(one: Node) -> bool:
        return bool(one.key or one.field or one.function or one.name) and one.name not in case

    for one in node.walk(lambda one: () if reads(one) else one.parts):
        if reads(one) and not _reads_hidden_table(state, one):
            with suppress(Undecided):  # where it depends on a name that goes through a list
                yield one.canonical, value_text(_evaluate_node(state, one, case), 8)
