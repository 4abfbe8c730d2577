"""The page on writing rules: all of its examples can be read and adopted, and its mistakes are told as it says."""

from __future__ import annotations

import re

import pytest
from corpus.corpus import corpus
from docs.guide import SYSTEM, blocks, is_clause, python, rows

import nomic_nb as nb
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.play.trial_adoption import adopt_without_effects
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.notebook.panels.magic_input import read_magic_change
from nomic_nb.study import reference as docs

#: Forms that examples of the page use and the language does not have yet, each with how it is known in an example.
WAITING = {
    "reveal": r"\breveal (card|hand)\(",
    "counter.value": r"\bcounter\.value\b",
}
#: What examples in tables take for granted: each is one line of what stands on a page.
KEPT = """
track coins per player from 0
track bidding per player from 0
track pot per game from 0
"""
#: The same, for those that wait for tables.
TABLES = """
track keeper per text as player from none
track office per text as player from none
track stock per text from 0
track owes per player, player from 0
track mud per square from 0
track card per player from 0 hidden
"""
BOARDS = re.compile(r"\bpiece|_named\(\"white|promotable|demotable|boards|\barmy\b|captured|may\.move")


def waits(law: str) -> list[str]:
    """Return the forms that an example waits for."""
    return [form for form, pattern in WAITING.items() if re.search(pattern, law, re.MULTILINE)]


def adopted(law: str, system: str = SYSTEM):
    """Have a rule with this law adopted in a new game; return the game and what was odd about it."""
    game = nb.new_game(system, players=["Ann", "Ben", "Cleo"], seed=7)
    player = game.player or "Ann"
    proposal = game.propose(player, nb.enact("As the page says.", law=law))
    remarks = [str(one) for one in proposal.remarks.shown_remarks]
    for name in game.players:
        game.vote(name, "for")
    assert proposal.outcome == "adopted"
    return game, remarks


def tried(law: str, system: str = SYSTEM):
    """The same; an example that waits for a form may still be refused."""
    try:
        return adopted(law, system)
    except LawError as error:
        forms = waits(law)
        if not forms:
            raise
        pytest.xfail(f"waits for {', '.join(forms)}: {str(error).splitlines()[0]}")


def within(example: str) -> str:
    """Return an example of a table as the law of a rule: an effect in a clause, with what it takes for granted."""
    name = re.match(r"track (\w+)", example)
    kept = [line for line in KEPT.strip().splitlines() if not name or f"track {name[1]} " not in line]
    if re.search(r"\b(keeper|stock|card|office|owes|mud)\b", example):
        kept += [line for line in TABLES.strip().splitlines() if not name or f"track {name[1]} " not in line]
    if re.search(r"\bsoon\b", example):
        kept += ['draft soon: "Soon."', "    set dice.sides to 8"]
    return "\n".join([*kept, example if is_clause(example) else f"on turn_begun: {example}"])


@pytest.mark.parametrize("block", blocks(), ids=lambda one: one.heading)
@pytest.mark.slow
def test_a_block_of_law_is_adopted_and_has_an_effect(block):
    _, remarks = tried(block.law, block.system)
    bad = [
        one
        for one in remarks
        if re.search(r"would have no effect|never has|void at once|too late|for ?ever|change no", one)
    ]
    assert bad == []


EXAMPLES = [code for row in rows("example") for code in row.code["example"]]


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.slow
def test_an_example_in_a_table_is_adopted(example):
    tried(within(example), "nomic-chess" if BOARDS.search(example) else SYSTEM)


@pytest.mark.parametrize(
    ("column", "system"),
    [("rules 101 to 213", SYSTEM), ("GitHub Nomic", "github-nomic"), ("Nomic Chess", "nomic-chess")],
)
def test_bans_need_the_lines_that_the_page_names(column, system):
    state = nb.new_game(system, players=["Ann", "Ben", "Cleo"], seed=7).state

    def allowed(*bans, line=""):
        law = "\n".join([*(f"forbid {action} when player.turns >= 0" for action in bans), line])
        after = adopt_without_effects(state, nb.enact("As the page says.", law=law), "Ann", 900).after
        found = {action: after.law.find(f"may.{action}", after, {"player": "Ann"}) for action in bans}
        return {action for action, finding in found.items() if finding.value or finding.outcome == "silent"}

    others = {*state.law.vocabulary.actions}
    for row in rows("a ban on"):
        for action in row.code["a ban on"]:
            others.discard(action)
            assert allowed(action) == (set() if row.words[column] == "nothing" else {action})
            for line in row.code.get(column, ()):
                assert not allowed(action, line=line)
    assert not allowed(*others)


MISTAKES = rows("written")


def read_wrongly(written: str) -> str:
    """Return what is said of a mistake: the refusal, or what is odd about it."""
    try:
        _, remarks = adopted(written)
    except LawError as error:
        return str(error)
    return "\n".join(remarks)


@pytest.mark.parametrize("row", MISTAKES, ids=lambda row: row.code["written"][-1])
def test_a_mistake_is_told_as_the_page_says(row):
    written = "\n".join(row.code["written"])
    told = read_wrongly(written)
    if waits(written) and row.words["said"] not in told:
        pytest.xfail(f"waits for {', '.join(waits(written))}")
    assert row.words["said"] in told


@pytest.mark.parametrize("row", MISTAKES, ids=lambda row: row.code["written"][0])
def test_what_the_page_gives_instead_is_right(row):
    for right in row.code["right"]:
        if not right.startswith(("track", "prevails")):
            tried(within(right))
        elif right.startswith("track"):
            adopted(f"{right}\n{row.code['written'][0]}")
        else:
            _, remarks = adopted(f"{row.code['written'][0]}\n{right}")
            assert not any("would have no effect" in one for one in remarks)


MEANT = [
    code
    for row in rows("you write")
    for code in row.code["you write"]
    if not re.search(r"…|[A-Z]{3}", code) and not re.match(r"(when|while|within|in|after|otherwise)\b", code)
]


@pytest.mark.parametrize("code", MEANT)
def test_what_one_writes_for_what_one_means_can_be_read(code):
    verbs = {one.pattern.split()[0] for one in language().vocabulary.effects.values()}
    if is_clause(code) or code.split()[0] in verbs:
        tried(within(code))
    else:
        language().expression(code)


FIELDS = {
    "a player": "player", "a proposal": "proposal", "a change": "change", "a rule": "rule", "a piece": "piece",
    "a square": "square",
}  # fmt: skip


@pytest.mark.parametrize("row", rows("fields"), ids=lambda row: row.words["thing"])
def test_fields_in_the_table_of_things_are_those_of_the_language(row):
    record = language().vocabulary.records[FIELDS.get(row.words["thing"], "time")]
    named = {one for one in row.code["fields"] if not one.startswith('"')} - {"points"}
    assert named
    assert named <= {one.name for one in record.fields}


def test_the_python_of_the_page_runs():
    names: dict[str, object] = {}
    for block in python():
        exec(block, names)  # noqa: S102 - our own page


@pytest.mark.parametrize(("column", "kinds"), [("event", ("events",)), ("key", ("keys",))])
def test_words_in_the_tables_of_the_page_are_those_of_the_language(column, kinds):
    vocabulary = language().vocabulary
    known = {word for kind in kinds for word in getattr(vocabulary, kind)}
    soon = {"counter.value"}
    found = {word for row in rows(column) for word in row.code[column]}
    assert found
    assert found - known <= soon


@pytest.mark.parametrize(("column", "kinds"), [("event", "events"), ("key", "keys")])
def test_what_is_known_in_its_clauses_is_said(column, kinds):
    declared = getattr(language().vocabulary, kinds)
    for row in rows(column):
        for word in row.code[column]:
            if word in declared:
                one = declared[word]
                known = {**one.binds, **one.may_bind} if kinds == "events" else {**one.case, **one.may_know}
                assert set(row.code["known"]) <= set(known), word


#: What of the corpus cannot be said, and the words by which the page tells it in what one wants.
CANNOT = {
    "AC-17": "out of voting", "AG-2694": "nobody else ever knows", "BS3-14": "votes for somebody",
    "BS3-32": "connected",
    "BY-01": "set the rules back", "CUNY-14": "another form of a proposal",
    "CUNY-19": "transmute a rule and repeal it", "CUNY-72": "every number in all rules", "EC-04": "to turn a board",
    "EC-07": "nobody else ever knows", "FP-905": "to nobody", "JK-03": "votes on an older form",
    "JK-12": "to take back", "LT-01": "to slide a part", "MS-05": "on a condition", "OM-14": "half a player",
    "PC-01": "more than 16 files", "PC-07": "paths with a corner", "V-07": "to nobody", "V-11": "a certain position",
}  # fmt: skip


def test_what_cannot_be_said_of_real_rules_stands_on_the_page():
    wanted = [row.words["you want"] for row in rows("you want")]
    for id, words in CANNOT.items():
        assert [one for one in wanted if words in one], id
    missing = {one.id for one in corpus().values() if one.answer == "Cannot be said"} - set(CANNOT)
    assert not missing, "say on the page why not, and what is nearest"
    for row in rows("you want"):
        assert len(row.words["why not"]) > 10
        assert len(row.words["instead"]) > 5, row.words["you want"]


def test_the_grammar_on_the_page_is_that_of_the_language():
    grammar = re.search(r"^```text\n(CLAUSES.*?)^```", docs.read_page("writing"), re.S | re.M)[1]
    effects = re.search(r"^EFFECTS[^\n]*\n(.*?)^EXPRESSIONS", grammar, re.S | re.M)[1]
    said = [re.sub(r'"[^"]*"', " ", line) for line in re.split(r"\n|   +", effects)]
    for form in language().vocabulary.effects.values():
        words = list(form.leading_words)
        assert any(re.findall(r"[a-z]+", line)[: len(words)] == words or f" {' '.join(words)} " in f" {line} "
                   for line in said), form.readable_pattern  # fmt: skip
    known = {
        word for form in language().vocabulary.effects.values() for word in re.findall(r"[a-z]+", form.readable_pattern)
    }
    known |= {
        "any",
        "number",
        "text",
        "a",
        "list",
        "one",
        "several",
        "chance",
        "weighing",
        "game",
        "on",
        "boards",
        "army",
    }
    about = re.compile(
        r"(a value with a name.*|so many dice.*|several where one can stand|WHO: one, several, or:|OPTIONS:|UNIT:.*)"
    )
    strange = {word for line in said for word in re.findall(r"\b[a-z]{3,}\b", about.sub(" ", line))} - known
    assert not strange


def test_an_effect_that_is_new_on_the_page_stands_there_as_it_is_declared(monkeypatch):
    whole = docs.read_page("writing")
    assert docs.writing_page() == whole, "run nomic-nb docs"
    form = language().vocabulary.effects["roll"]
    line = next(one for one in whole.splitlines() if one.startswith("  roll "))
    bare = whole.replace(f"{line}\n", "")
    monkeypatch.setattr(docs, "read_page", lambda _: bare)
    added = [one for one in docs.writing_page().splitlines() if one not in bare.splitlines()]
    assert added == [f"  {form.readable_pattern}"]


def test_the_cell_on_the_page_proposes_what_it_says():
    line, _, body = re.search(r"^```text\n%%propose Ann (.*?)^```", docs.read_page("writing"), re.S | re.M)[
        1
    ].partition("\n")
    assert read_magic_change(line, body).change == nb.together(
        nb.repeal(204), nb.amend(208, "Fifty points are enough.", "set win.points to 50")
    )
