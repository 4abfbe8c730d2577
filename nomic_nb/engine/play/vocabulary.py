"""The vocabulary of play, put together, and the law language over it."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from operator import attrgetter, itemgetter
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from nomic_nb.engine.extension import Extension, installed_extension
from nomic_nb.engine.law.clauses import describe_function
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.traits import Trait, has_trait
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.play import (
    clock,
    effects,
    facts,
    lawmaking,
    ledger,
    numbering,
    offers,
    players,
    proposals,
    questions,
    questions_by_rules,
    standstill,
    tables,
    turns,
    vote_rules,
    winning,
)
from nomic_nb.engine.play.declarations import ACTIONS, EFFECTS, EVENT_KINDS, HOST_ACTIONS
from nomic_nb.engine.rulesets.literate import known_rulesets

#: What rules can be about in every game, since play itself needs it.
KERNEL_SUBJECTS = (
    winning, standstill, turns, players, numbering, proposals, vote_rules, lawmaking, effects, ledger,
    questions_by_rules, questions, offers, clock, facts,
)  # fmt: skip
#: The folder of the other subjects: every file in it is one.
SUBJECTS_PACKAGE = f"{__name__.removesuffix('.play.vocabulary')}.subjects"
#: The order in which pages have subjects, and actions are tried; those that are not in it come last.
ORDER = (
    "winning", "standstill", "turns", "players", "numbering", "proposals", "proposal_facts", "votes", "vote_rules",
    "lawmaking", "rule_effects", "effects", "ledger", "dice_rolls", "sealed_values", "questions_by_rules",
    "polls", "questions", "judgment", "speech", "offers", "host", "clock", "facts", "list_functions", "texts",
)  # fmt: skip


def subjects_of_play() -> list[ModuleType]:
    """Return the modules that declare what rules can be about, such as votes, in the order of their pages."""
    folder = import_module(SUBJECTS_PACKAGE)
    others = (import_module(f"{SUBJECTS_PACKAGE}.{module_info.name}") for module_info in iter_modules(folder.__path__))
    place = {name: at for at, name in enumerate(ORDER)}
    named = [
        (place.get(subject.__name__.rpartition(".")[2], len(place)), subject.__name__, subject)
        for subject in (*KERNEL_SUBJECTS, *others)
    ]
    return [subject for _, _, subject in sorted(named, key=itemgetter(0, 1))]


#: Who can order effects besides rules: whoever applies a rule, a Judge, whoever corrects the record.
ORDERING_ROLES = ("people", "Judge", "record")


def _collect_declarations(what: str, added: Extension) -> list[Any]:
    """Return all declarations in the lists named `what`, such as “KEYS”, of the kit and an extension."""
    declared = added.functions if what == "FUNCTIONS" else {}
    subjects = (*subjects_of_play(), *added.subjects)
    return [
        declaration for each in subjects for declaration in (*getattr(each, what, ()), *declared.get(each.__name__, ()))
    ]


def _declaration_errors(keys: Container[str], subjects: Container[str]) -> Iterator[str]:
    """Yield an error message for each event kind, role, key (not in `keys`) or module that nobody declares."""
    for form in EFFECTS:
        here = describe_function(form.perform)
        if form.perform.__module__ not in subjects:
            yield f"{here}: the file is not in the folder {SUBJECTS_PACKAGE}"
        yield from (
            f"{here} makes {kind}, and no event happens of that kind" for kind in form.makes if kind not in EVENT_KINDS
        )
        yield from (
            f"{here} is ordered by {who}, who is none of {ORDERING_ROLES}"
            for who in form.by
            if who not in ORDERING_ROLES
        )
    for deed in (*ACTIONS.values(), *HOST_ACTIONS.values()):
        here, kind = describe_function(deed.perform), EVENT_KINDS.get(deed.makes)
        if kind is None:
            yield f"{here} makes {deed.makes}, and no event happens of that kind"
        elif deed.heard and deed.heard not in kind.binds:
            yield f"{here}: rules cannot listen for {deed.heard}, since {kind.name} binds {', '.join(kind.binds)}"
        if deed.otherwise and deed.otherwise not in keys:
            yield f"{here}: no key is called {deed.otherwise}, which is to decide otherwise"


@cache
def language() -> Language:
    """Return the law language with the vocabulary of play, the same one for all games.

    Raises
    ------
    TypeError
        A declaration names what nobody declares.
    """
    added = installed_extension()
    keys, order = (
        _collect_declarations("KEYS", added),
        [subject.__name__ for subject in (*subjects_of_play(), *added.subjects)],
    )
    for missing in _declaration_errors([key.name for key in keys], order):
        raise TypeError(missing)
    fields = {"change": added.change_fields()}
    records = [
        replace(base_record, fields=(*base_record.fields, *fields.get(base_record.name, ())))
        for base_record in _collect_declarations("RECORDS", added)
    ]
    functions = _collect_declarations("FUNCTIONS", added)
    words = (*functions, *(field for record in records for field in record.fields))
    wording = [word.name for word in words if has_trait(word, Trait.WORDING)]
    # Wherever actions are tried one after the other, the order must not be that in which modules were imported.
    places = {module: place for place, module in enumerate(order)}
    for name in sorted(ACTIONS, key=lambda name: places.get(ACTIONS[name].perform.__module__, len(places))):
        ACTIONS[name] = ACTIONS.pop(name)
    return Language(
        Vocabulary.from_declarations(
            keys,
            _collect_declarations("FACTS", added),
            functions,
            records,
            sorted((event_kind for event_kind in EVENT_KINDS.values() if event_kind.meaning), key=attrgetter("name")),
            ACTIONS.values(),
            sorted(EFFECTS, key=lambda form: order.index(form.perform.__module__)),
            rulesets=known_rulesets(),
            where=added.place_of_case,
            afterwards=added.afterwards,
            entry=tables.read_entry,
            keys_of=tables.table_keys,
            wording=frozenset(f"{of}.{name}" for of in ("change", "proposal.change") for name in wording),
            wordless=proposals.has_proposed_change_no_wording,
        )
    )
