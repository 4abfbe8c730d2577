"""What rules can say of the changes that are proposed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import cast

from nomic_nb.law import clauses as c
from nomic_nb.law.changes import KINDS, PROPOSED, Change, as_number
from nomic_nb.law.making import find_target, find_targets
from nomic_nb.law.nodes import Expression
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import EVERYWHERE
from nomic_nb.law.values import NUMBER, TEXT, TRUTH, Ref, Value, list_of, maybe, worded
from nomic_nb.law.view import View
from nomic_nb.law.vocabulary import Field, Function, Record
from nomic_nb.play.cases import CHANGE, PROPOSAL, TEXTS
from nomic_nb.play.chess.keys import KEYS as OF_CHESS
from nomic_nb.play.declaring import of_each
from nomic_nb.play.events import canonical
from nomic_nb.play.letters import has_letters
from nomic_nb.play.proposed import proposal_of
from nomic_nb.play.state import state_of

#: What stands between the number of a proposal and that of one of its parts.
PART = "/"
#: Terms that are about boards and moves.
ON_BOARDS = frozenset((*(one.name for one in OF_CHESS), "may.move"))


def _change(view: View, id: int | str) -> Change:
    """Return a change: of a proposal, or one of several that it makes together."""
    if isinstance(id, str) and PART in id:
        number, _, at = id.rpartition(PART)
        return proposal_of(view, as_number(number)).change.parts[int(at) - 1]
    return proposal_of(view, id).change


def _proposal(id: int | str) -> Ref:
    """Return the proposal that a change is of."""
    return Ref("proposal", as_number(id.partition(PART)[0]) if isinstance(id, str) else id)


def _parts(view: View, id: int | str) -> Value:
    """Return the changes that a change consists of; itself, where it is a single one."""
    many = len(_change(view, id).parts)
    return tuple(Ref("change", f"{id}{PART}{at}") for at in range(1, many + 1)) or (Ref("change", id),)


def _tier(view: View, id: int | str) -> Value:
    """Return the standing of what a change is about; of several, the strongest."""
    found = [_tier_of(view, id, one) for one in _change(view, id).numbered]
    order = cast(Law, view.law).order.tiers
    return min(found, key=lambda tier: order.index(tier) if tier in order else len(order))


def _tier_of(view: View, id: int | str, change: Change) -> str:
    try:
        if change.target is not None:
            return find_target(state_of(view).rules, change).tier
    except LookupError:  # it is gone by now
        found = view.state.proposals.get(_proposal(id).id)
        tiers = [aim[1] for aim in (found.aims if found is not None else ()) if aim is not None]
        if tiers:
            return str(tiers[0])
    return str(view.key("enact.tier", proposal=_proposal(id)))


def _clauses(view: View, id: int | str) -> list[c.Clause]:
    """Return the clauses of a change, and of the drafts in it: what it lets rules put in force is its own doing."""
    read = cast(Law, view.law).language.read
    clauses = [line.clause for one in _change(view, id).numbered for line in read(one.law or "")]
    return [one for clause in clauses for one in clause.whole]


def _wordings(view: View, id: int | str) -> list[str]:
    """Return the wording of a change, and of the drafts in it."""
    drafts = (one for one in _clauses(view, id) if isinstance(one, c.Draft))
    return [*(one.wording or "" for one in _change(view, id).numbered), *(one.wording for one in drafts)]


def _once(found: Iterable[str]) -> Value:
    return tuple(dict.fromkeys(found))


def _keys(view: View, id: int | str) -> Value:
    return _once(one.key for one in _clauses(view, id) if isinstance(one, c.Set))


def _effects(view: View, id: int | str) -> Value:
    """Return the words with which the effects of a change begin, up to the first of their places."""
    triggers = (one for one in _clauses(view, id) if isinstance(one, c.On))
    forms = (effect.form for one in triggers for effect in one.every_effect() if effect.form.makes)
    return _once(word for form in forms for word in form.begins)


def _events(view: View, id: int | str) -> Value:
    return _once(one.event for one in _clauses(view, id) if isinstance(one, c.On))


def _own(condition: Expression | None) -> bool:
    """Tell whether a condition asks that it be the clause's own rule that something happens to."""
    if condition is None:
        return False
    parts = condition.node.parts if condition.node.kind == "and" else (condition.node,)
    named = ({two.text for two in one.parts} for one in parts if (one.kind, one.text) == ("compare", "=="))
    return any(one == {"rule", "this"} for one in named)


def _replaces(view: View, id: int | str) -> Value:
    return _once(one.event for one in _clauses(view, id) if isinstance(one, c.Instead))


def _set_off_by(view: View, id: int | str) -> Value:
    triggers = (one for one in _clauses(view, id) if isinstance(one, c.On))
    return _once(one.event for one in triggers if not _own(one.condition))


def _on_boards(view: View, id: int | str) -> Value:
    """Tell whether clauses that a change brings or takes away set terms of boards, or do something there."""
    change, clauses = _change(view, id), _clauses(view, id)
    if change.kind == "repeal":
        try:
            targets = find_targets(state_of(view).rules, change)
        except LookupError:
            targets = ()
        found = [clause for rule in targets for clause in rule.clauses]
        clauses = [one for clause in found for one in clause.whole]
    effects = (effect.form for one in clauses if isinstance(one, c.On) for effect in one.every_effect())
    events = cast(Law, view.law).language.vocabulary.events
    replaced = (events[one.event].binds.values() for one in clauses if isinstance(one, c.Instead))
    return (
        any(isinstance(one, c.Incorporate) or (isinstance(one, c.Set) and one.key in ON_BOARDS) for one in clauses)
        or any(not {"piece", "army"}.isdisjoint(one.name for one in bound) for bound in replaced)
        or any(one.perform.__module__.startswith("nomic_nb.play.chess") for one in effects)
    )  # fmt: skip


def _counters(view: View, id: int | str) -> Value:
    """Return the counters that the clauses of a change track, change or look at."""
    clauses = _clauses(view, id)
    own = [one.counter for one in clauses if isinstance(one, c.Track)]
    known = {*cast(Law, view.law).tables, *own}
    said = list(own)
    for one in clauses:
        if isinstance(one, c.On):
            said += [str(value) for effect in one.every_effect() for name, value in effect.places if name == "counter"]
        said += sorted(word for expression in one.expressions for word in expression.words)
        said += [str(part.value) for expression in one.expressions for part in expression.walk() if part.value]
    return _once(word for word in said if word in known)


def _mentions(view: View, change: Value, text: Value) -> Value:
    id = cast(Ref, change).id
    drafts = (one.title for one in _clauses(view, id) if isinstance(one, c.Draft))
    titles = (one.title for one in _change(view, id).numbered)
    said = " ".join([*titles, *drafts, *_wordings(view, id)])
    view.spend(0, len(said) // 8)
    return has_letters(said, str(text))


def _same(view: View, one: Value, other: Value) -> Value:
    first, second = (_change(view, cast(Ref, ref).id) for ref in (one, other))
    return first.says == second.says


def _revises(view: View, id: int | str) -> Value:
    found = state_of(view).proposal_numbered(_change(view, id).revises)
    return None if found is None else Ref("proposal", found.number)


RECORDS = (
    Record("change", "a proposed rule-change", (
        *of_each(_change, ("proposals",),
                 ("kind", worded(TEXT, PROPOSED),
                  f"{', '.join(KINDS)}; together, where it is several; revise, where it rewords a proposal"),
                 ("title", maybe(TEXT), "the title that was given to it; none, where it is its first words",
                  lambda change: change.given_title)),
        Field("tier", TEXT, "its standing: that of the rule concerned, or of the new one", ("proposals", "rules"),
              _tier, ("enact.tier",)),
        *of_each(_change, ("proposals",),
                 ("standing", TEXT, "the standing that is asked for, for a new rule; empty where none is"),
                 ("adds", TRUTH, "whether it adds to a rule, all of which stays as it is", lambda change: change.add)),
        Field("parts", list_of(CHANGE), "the changes that are made together; itself, where it is a single one",
              ("proposals",), _parts),
        Field("revises", maybe(PROPOSAL), "the proposal that it gives another form; none for every other change",
              ("proposals",), _revises),
        Field("keys", worded(TEXTS, "key"), "the keys that its clauses and drafts set", ("proposals",), _keys),
        Field("counters", worded(TEXTS, "counter"),
              "the counters that its clauses and drafts track, change or look at", ("proposals", "rules"), _counters),
        Field("events", TEXTS, "the kinds of event that its clauses and drafts answer to", ("proposals",), _events),
        Field("requires", TRUTH, "whether it requires something of the law", ("proposals",),
              lambda view, id: any(isinstance(one, c.Require) for one in _clauses(view, id))),
        Field("scope", TEXT, "everywhere, or the universe that it is for", ("proposals",),
              lambda view, id: _change(view, id).universe or EVERYWHERE),
        Field("effects", TEXTS, "the words with which effects in it and its drafts begin", ("proposals",), _effects),
        Field("set_off_by", TEXTS, "the same, but for its own coming and going", ("proposals",), _set_off_by),
        Field("replaces", TEXTS, "the events in place of whose usual result its clauses and drafts put something else",
              ("proposals",), _replaces),
        Field("words", TEXTS, "every name, field, function and key that its clauses and drafts use", ("proposals",),
              lambda view, id: _once(word for one in _clauses(view, id) for two in one.expressions
                                     for word in (*sorted(two.words), *two.keys))),
        Field("on_boards", TRUTH, "whether clauses that it brings, or those of the rules that it repeals, are about "
              "boards, pieces and moves", ("proposals", "rules"), _on_boards),
        Field("fingerprint", TEXT, "letters that tell it from every other change", ("proposals",),
              lambda view, id: hashlib.sha256(canonical(_change(view, id).to_json()).encode()).hexdigest()[:12]),
        Field("length", NUMBER, "how many words it and its drafts have", ("proposals",),
              lambda view, id: sum(len(one.split()) for one in _wordings(view, id))),
    )),
)  # fmt: skip

FUNCTIONS = (
    Function("mentions", (CHANGE, TEXT), TRUTH, "whether a change or a draft in it has these letters: ? is any letter, "
             "* any number of them, [a-m] one of these", _mentions, reads=("proposals",)),
    Function("same", (CHANGE, CHANGE), TRUTH, "whether two changes say the same, but for capitals, blanks and titles",
             _same, reads=("proposals",)),
)  # fmt: skip
