"""What rules can say of proposals and of the changes that are proposed."""

from __future__ import annotations

import hashlib
from typing import cast

from nomic_nb.law import clauses as c
from nomic_nb.law.changes import Change, find_target, find_targets
from nomic_nb.law.nodes import Expression
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import EVERYWHERE, Rule
from nomic_nb.law.values import NUMBER, TEXT, TRUTH, Ref, Value, list_of, maybe, worded
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import Fact, Field, Function, Record
from nomic_nb.play.cases import CHANGE, PLAYER, PROPOSAL, RULE, TEXTS
from nomic_nb.play.chess.keys import KEYS as OF_CHESS
from nomic_nb.play.declaring import fact, of_each
from nomic_nb.play.events import canonical
from nomic_nb.play.possible import SUPPOSED
from nomic_nb.play.state import state_of
from nomic_nb.play.values import Proposal

#: Terms that are about boards and moves.
ON_BOARDS = frozenset((*(one.name for one in OF_CHESS), "may.move"))


def proposal_at(view: View) -> Proposal:
    """Return the proposal that a view is about."""
    ref = view.env["proposal"]
    if not isinstance(ref, Ref):
        raise Undecided("there is no proposal here")
    return state_of(view).proposals[ref.id]


def _proposal(view: View, id: int | str) -> Proposal:
    return state_of(view).proposals[id]


def _change(view: View, id: int | str) -> Change:
    return _proposal(view, id).change


def _change_ref(view: View) -> Value:
    return Ref("change", proposal_at(view).number)


def _target(view: View, change: Change) -> Rule | None:
    if change.target is None:
        return None
    try:
        return find_target(state_of(view).rules, change)
    except LookupError:
        return None


def _targets(view: View) -> Value:
    try:
        found = find_targets(state_of(view).rules, proposal_at(view).change)
    except LookupError:
        return ()
    return tuple(rule.ref for rule in found)


def _target_ref(view: View, id: int | str) -> Value:
    rule = _target(view, _change(view, id))
    return None if rule is None else Ref("rule", rule.id)


def _change_tier(view: View, id: int | str) -> Value:
    rule = _target(view, _change(view, id))
    return view.key("enact.tier", proposal=Ref("proposal", id)) if rule is None else rule.tier


def _change_clauses(view: View, id: int | str) -> list[c.Clause]:
    """Return the clauses of a change, and of the drafts in it: what it lets rules put in force is its own doing."""
    clauses = [line.clause for line in cast(Law, view.law).language.read(_change(view, id).law or "")]
    return [one for clause in clauses for one in (clause, *(clause.body if isinstance(clause, c.Draft) else ()))]


def _wordings(view: View, id: int | str) -> list[str]:
    """Return the wording of a change, and of the drafts in it."""
    drafts = (one for one in _change_clauses(view, id) if isinstance(one, c.Draft))
    return [_change(view, id).wording or "", *(one.wording for one in drafts)]


def _change_keys(view: View, id: int | str) -> Value:
    return tuple(dict.fromkeys(one.key for one in _change_clauses(view, id) if isinstance(one, c.Set)))


def _concerned(view: View, id: int | str) -> list[c.Clause]:
    """Return the clauses that a change brings, or takes away: those of the rules that it repeals."""
    change = _change(view, id)
    if change.kind != "repeal":
        return _change_clauses(view, id)
    try:
        targets = find_targets(state_of(view).rules, change)
    except LookupError:
        return []
    found = [clause for rule in targets for clause in rule.clauses]
    return [one for clause in found for one in (clause, *(clause.body if isinstance(clause, c.Draft) else ()))]


def _change_on_boards(view: View, id: int | str) -> Value:
    """Tell whether clauses that come or go set terms of boards, or do something on them."""
    for one in _concerned(view, id):
        if isinstance(one, c.Incorporate) or (isinstance(one, c.Set) and one.key in ON_BOARDS):
            return True
        if isinstance(one, c.On):
            effects = [effect.form for effect in one.every_effect()]
            if any(form.perform.__module__.startswith("nomic_nb.play.chess") for form in effects):
                return True
    return False


def _about_itself(condition: Expression | None) -> bool:
    """Tell whether a condition asks that it be the clause's own rule that something happens to."""
    if condition is None:
        return False
    parts = condition.node.parts if condition.node.kind == "and" else (condition.node,)
    own = {"rule", "this"}
    return any(one.kind == "compare" and one.text == "==" and {two.text for two in one.parts} == own for one in parts)


def _change_events(view: View, id: int | str) -> Value:
    triggers = [one for one in _change_clauses(view, id) if isinstance(one, c.On)]
    return tuple(dict.fromkeys(one.event for one in triggers if not _about_itself(one.condition)))


def _change_replaces(view: View, id: int | str) -> Value:
    return tuple(dict.fromkeys(one.event for one in _change_clauses(view, id) if isinstance(one, c.Instead)))


def _change_words(view: View, id: int | str) -> Value:
    found = (one for clause in _change_clauses(view, id) for one in clause.expressions)
    return tuple(sorted({word for one in found for word in (*one.words, *one.keys)}))


def _change_effects(view: View, id: int | str) -> Value:
    found = [
        effect.words.split()[0]
        for one in _change_clauses(view, id)
        if isinstance(one, c.On)
        for effect in one.every_effect()
    ]
    return tuple(dict.fromkeys(found))


#: What a proposal can be.
STATUS = ("debate", "open", "ending", "adopted", "waiting", "without effect", "defeated", "lapsed")


def _judge_asked(view: View, id: int | str) -> Value:
    state = state_of(view)
    return any(state.judgments[one].proposal == id for one in state.docket)


def _proposal_number(_: View, id: int | str) -> Value:
    if isinstance(id, str):
        raise Undecided(f"{id} is a label and not a number")
    return id


def _mentions(view: View, change: Value, text: Value) -> Value:
    id = cast(Ref, change).id
    drafts = (one.title for one in _change_clauses(view, id) if isinstance(one, c.Draft))
    said = " ".join([_change(view, id).title, *drafts, *_wordings(view, id)])
    return str(text).casefold() in said.casefold()


FACTS = (
    fact("proposals", list_of(PROPOSAL), "everything that was proposed",
         lambda state: [number for number in state.proposals if number != SUPPOSED]),
    Fact("change", CHANGE, "what is proposed", ("proposals",), _change_ref, ("proposal",)),
    Fact("target", maybe(RULE), "the rule to be changed", ("proposals", "rules"),
         lambda view: _target_ref(view, proposal_at(view).number), ("proposal",)),
    Fact("targets", list_of(RULE), "the rules to be changed: several, where they are repealed together",
         ("proposals", "rules"), _targets, ("proposal",)),
    Fact("proponent", PLAYER, "who made the proposal", ("proposals",),
         lambda view: Ref("player", proposal_at(view).proponent), ("proposal",)),
)  # fmt: skip

RECORDS = (
    Record("proposal", "a proposal", (
        Field("number", NUMBER, "its number", (), _proposal_number),
        *of_each(_proposal, ("proposals",), ("turn", NUMBER, "the turn in which it was made")),
        Field("change", CHANGE, "what it proposes", (), lambda _, id: Ref("change", id)),
        Field("target", maybe(RULE), "the rule that it is to change", ("proposals", "rules"), _target_ref),
        *of_each(
            _proposal, ("proposals",),
            ("author", PLAYER, "who made it", lambda proposal: proposal.proponent),
            ("status", worded(TEXT, STATUS),
             "debate, open, ending, adopted, waiting, without effect, defeated or lapsed"),
        ),
        Field("judge_asked", TRUTH, "whether the Judge was asked to end its debate", ("docket", "judgments"),
              _judge_asked),
    )),
    Record("change", "a proposed rule-change", (
        *of_each(_change, ("proposals",), ("kind", worded(TEXT, ("enact", "amend", "repeal", "transmute")),
                 "enact, amend, repeal or transmute")),
        Field("tier", TEXT, "the standing of the rule concerned, or of the new one", ("proposals", "rules"),
              _change_tier, ("enact.tier",)),
        Field("keys", worded(TEXTS, "key"), "the keys that its clauses and drafts set", ("proposals",), _change_keys),
        Field("scope", TEXT, "everywhere, or the universe that it is for", ("proposals",),
              lambda view, id: _change(view, id).universe or EVERYWHERE),
        Field("effects", TEXTS, "the first words of the effects in it and its drafts", ("proposals",), _change_effects),
        Field("events", TEXTS, "the events that its clauses and drafts answer to, but for its own coming and going",
              ("proposals",), _change_events),
        Field("replaces", TEXTS, "the events in place of whose usual result its clauses and drafts put something else",
              ("proposals",), _change_replaces),
        Field("requires", TRUTH, "whether it or a draft in it has a requirement", ("proposals",),
              lambda view, id: any(isinstance(one, c.Require) for one in _change_clauses(view, id))),
        Field("words", TEXTS, "every name, field, function and key that its clauses and drafts use", ("proposals",),
              _change_words),
        Field("on_boards", TRUTH, "whether clauses that it brings, or those of the rules that it repeals, are about "
              "boards, pieces and moves", ("proposals", "rules"), _change_on_boards),
        Field("fingerprint", TEXT, "letters that tell it from every other change", ("proposals",),
              lambda view, id: hashlib.sha256(canonical(_change(view, id).to_json()).encode()).hexdigest()[:12]),
        Field("length", NUMBER, "how many words it and its drafts have", ("proposals",),
              lambda view, id: sum(len(one.split()) for one in _wordings(view, id))),
    )),
)  # fmt: skip

FUNCTIONS = (
    Function("mentions", (CHANGE, TEXT), TRUTH, "whether a change or a draft in it has these letters", _mentions,
             reads=("proposals",)),
)  # fmt: skip
