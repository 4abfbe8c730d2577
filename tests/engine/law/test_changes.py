"""Rule-changes: what each kind does to the book, and what can be had back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import changes
from nomic_nb.engine.law.changes import Change, amend, enact, repeal, transmute
from nomic_nb.engine.law.new_book import ChangeContext, book_after_change, find_target
from nomic_nb.engine.law.precedence import PrecedenceOrder
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number, Rule, RuleBook, RulePart
from nomic_nb.engine.play.trial_adoption import calm_state, try_adoption
from nomic_nb.engine.play.vocabulary import language


def first(*numbers: Number) -> RuleBook:
    rules = {}
    for id, number in enumerate(numbers, 1):
        law = f"set win.points to {id}"
        part = RulePart(f"Wording of {number}.", law, language().read_clauses(law), number)
        rules[id] = Rule(id, number, f"Title {number}", "mutable", (part,))
    return RuleBook(rules)


BOOK = first(201, 202, 203)


def do(book: RuleBook, change: Change, number: Number | None = 301, **more: object) -> tuple[RuleBook, Rule]:
    making = ChangeContext(number, **{"event": 9, "turn": 4, "author": "Ann", "tier": "mutable", **more})  # type: ignore[arg-type]
    return book_after_change(book, change, language().read_clauses(change.law or ""), making)


def words(rule: Rule) -> tuple[str, str, tuple[str, ...]]:
    return rule.wording, rule.law, tuple(clause.words for clause in rule.clauses)


def test_enact() -> None:
    book, rule = do(BOOK, enact("Fifty win.", "set win.points to 50", "Fifty"))
    assert (rule.id, rule.number, rule.title, rule.tier, rule.how) == (4, 301, "Fifty", "mutable", "enacted")
    assert (rule.proposal, rule.event, rule.turn, rule.author, rule.before) == (301, 9, 4, "Ann", None)
    assert words(rule) == ("Fifty win.", "set win.points to 50", ("set win.points to 50",))
    assert book.by_number[301] is rule
    assert list(book)[-1] is rule
    assert list(BOOK.rules) == [1, 2, 3]
    assert book.version == BOOK.version + 1


def test_a_title_is_made_of_the_first_words() -> None:
    assert enact("One two three four five six seven eight nine.").title == "One two three four five six…"
    assert enact("One two three four five six seven.").title == "One two three four five six seven"
    assert enact("a" * 500).title == "a" * (changes.LONGEST_TITLE - 1) + "…"
    assert enact(f"{'a' * 100} {'b' * 100}.").title == "a" * 100 + "…"


def test_an_answer_with_other_clauses_is_a_rule_like_others() -> None:
    answer = replace(BOOK.rules[2], answers="win.points")
    book = BOOK.with_rule(answer)
    assert do(book, amend(202, "In other words."))[1].answers == "win.points"
    changed, rule = do(book, amend(202, "It goes first.", "prevails over 201"))
    assert rule.answers == ""
    law = Law(changed, PrecedenceOrder(), language())
    assert [one.rule.number for one in law.rulings.get("win.points", ())] == []


def test_amend_in_place() -> None:
    book, rule = do(BOOK, amend(202, "New.", "set win.points to 9", title="Other"))
    assert (rule.id, rule.number, rule.title, rule.how) == (2, 301, "Other", "amended")
    assert words(rule) == ("New.", "set win.points to 9", ("set win.points to 9",))
    assert rule.before is BOOK.rules[2]
    assert [part.wording for part in rule.parts] == ["Wording of 202.", "New."]
    assert list(book.rules) == [1, 2, 3]
    assert 202 not in book.by_number


def test_amend_keeps_what_it_does_not_speak_of() -> None:
    _, rule = do(BOOK, amend(202, "New."))
    assert words(rule) == ("New.", "set win.points to 2", ("set win.points to 2",))
    _, rule = do(BOOK, amend(202, law="set win.points to 9"))
    assert words(rule) == ("Wording of 202.", "set win.points to 9", ("set win.points to 9",))
    _, rule = do(BOOK, amend(202, law=""))
    assert words(rule) == ("Wording of 202.", "", ())
    assert rule.title == "Title 202"
    _, rule = do(BOOK, amend(202, title="Only a name"))
    assert (rule.title, *words(rule)[:2]) == ("Only a name", "Wording of 202.", "set win.points to 2")


def test_amend_beside() -> None:
    book, rule = do(BOOK, amend(202, "More.", "set dice.sides to 8", add=True))
    assert words(rule) == (
        "Wording of 202.\n\nMore.",
        "set win.points to 2\nset dice.sides to 8",
        ("set win.points to 2", "set dice.sides to 8"),
    )
    _, rule = do(book, amend(301, "Third."), 302)
    assert words(rule)[0] == "Third."
    assert words(rule)[2] == ("set win.points to 2", "set dice.sides to 8")


def test_repeal() -> None:
    book, rule = do(BOOK, repeal(202))
    assert (rule.how, rule.id, rule.number) == ("repealed", 2, 202)
    assert list(book.rules) == [1, 3]
    assert [one.id for one in book.repealed] == [2]
    again, new = do(book, enact("Again."), 302)
    assert new.id == 4
    assert list(again.rules) == [1, 3, 4]


def test_repealing_the_newest_rule_does_not_free_its_id() -> None:
    book, _ = do(BOOK, repeal(203))
    assert book.next_id == 4
    _, rule = do(book, enact("New."), 302)
    assert rule.id == 4


def test_repeal_of_an_amendment_brings_back_what_it_hid() -> None:
    book, _ = do(BOOK, amend(202, "First.", "set win.points to 11"))
    book, _ = do(book, amend(301, "Second.", "set win.points to 12"), 302)
    one, rule = do(book, repeal(302, part=2), 303)
    assert words(rule) == ("First.", "set win.points to 11", ("set win.points to 11",))
    assert (rule.number, rule.how) == (303, "amendment repealed")
    _, rule = do(one, repeal(303, part=1), 304)
    assert words(rule) == words(BOOK.rules[2])
    _, rule = do(book, repeal(302, part=1), 303)
    assert words(rule)[0] == "Second."


def test_repeal_of_an_amendment_beside() -> None:
    book, _ = do(BOOK, amend(202, "More.", "set dice.sides to 8", add=True))
    _, rule = do(book, repeal(301, part=1), 302)
    assert words(rule) == words(BOOK.rules[2])


def test_amendments_keep_their_places() -> None:
    book = BOOK
    for target, text, number in ((202, "A.", 301), (301, "B.", 302), (302, "C.", 303)):
        book, rule = do(book, amend(target, text), number)
    book, rule = do(book, repeal(303, part=2), 304)
    assert {at: part.wording for at, part in rule.amendments.items() if not part.repealed} == {1: "A.", 3: "C."}
    with refused("amendment-unknown", LookupError, rule=304, amendment=2, known=[1, 3]):
        find_target(book, repeal(304, part=2))
    book, rule = do(book, repeal(304, part=3), 305)
    assert rule.wording == "A."


def test_amendment_of_an_amendment() -> None:
    book, _ = do(BOOK, amend(202, "First.", "set win.points to 11", add=True))
    book, _ = do(book, amend(301, "Second.", add=True), 302)
    _, rule = do(book, amend(302, "First, better.", part=1), 303)
    assert (rule.number, rule.how) == (303, "amended")
    assert rule.wording == "Wording of 202.\n\nFirst, better.\n\nSecond."
    assert [clause.words for clause in rule.clauses] == ["set win.points to 2", "set win.points to 11"]
    assert rule.parts[1].number == 303
    assert rule.parts[1].beside
    _, rule = do(book, amend(302, law="", part=1), 303)
    assert [clause.words for clause in rule.clauses] == ["set win.points to 2"]


def test_transmute() -> None:
    book, rule = do(BOOK, transmute(202), tier="immutable")
    assert (rule.tier, rule.number, rule.how, rule.id) == ("immutable", 301, "transmuted", 2)
    assert words(rule) == words(BOOK.rules[2])
    _, rule = do(book, transmute(301), 302, tier="mutable")
    assert [one.tier for one in rule.all_versions] == ["mutable", "immutable", "mutable"]


def test_numbers_change_only_where_the_law_says_so() -> None:
    for change in (amend(202, "New."), transmute(202), amend(202, "New.", add=True)):
        assert do(BOOK, change)[1].number == 301
        assert do(BOOK, change, takes_number=False)[1].number == 202
        assert do(BOOK, change, None)[1].number == 202
    assert do(BOOK, enact("New."), takes_number=False)[1].number == 301


def test_every_version_is_kept() -> None:
    book, _ = do(BOOK, amend(202, "First."))
    book, _ = do(book, transmute(301), 302, tier="immutable")
    _, rule = do(book, repeal(302))
    assert [(one.number, one.tier, one.wording, one.how) for one in book.rules[2].all_versions] == [
        (202, "mutable", "Wording of 202.", "initial"),
        (301, "mutable", "First.", "amended"),
        (302, "immutable", "First.", "transmuted"),
    ]
    assert len(rule.all_versions) == 4


@pytest.mark.parametrize(
    ("changes", "number", "said"),
    [
        ((), 999, "there is no rule 999; rules are numbered 201 to 203"),
        ((), "R8", "there is no rule R8; rules are numbered 201 to 203"),
        ((amend(202, "New."),), 202, "rule 202 has a new number: it is now rule 301"),
        ((amend(202, "A."), amend(301, "B.")), 202, "rule 202 has a new number: it is now rule 302"),
        ((amend(202, "A."), amend(301, "B.")), 301, "rule 301 has a new number: it is now rule 302"),
        ((repeal(202),), 202, "rule 202 was repealed"),
        ((amend(202, "A."), repeal(301)), 202, "rule 202 was repealed"),
        ((enact("New."), repeal(301)), 301, "rule 301 was repealed"),
    ],
)
def test_it_is_said_what_became_of_a_number(changes: tuple[Change, ...], number: Number, said: str) -> None:
    book = BOOK
    for at, change in enumerate(changes, 301):
        book, _ = do(book, change, at)
    for change in (repeal(number), transmute(number), amend(number, "X."), repeal(number, part=1)):
        with pytest.raises(LookupError) as caught:
            find_target(book, change)
        assert caught.value.args[0] == said
        with pytest.raises(LookupError):
            do(book, change, 400)


def test_it_is_said_which_amendments_there_are() -> None:
    with refused("amendment-unknown", LookupError, rule=202, amendment=1, known=[]):
        do(BOOK, repeal(202, part=1))
    book, _ = do(BOOK, amend(202, "New."))
    for part in (0, 2, -1, 99):
        with refused("amendment-unknown", LookupError, rule=301, known=[1], amendment=part):
            do(book, repeal(301, part=part), 302)


def test_an_amended_rule_whose_amendments_are_all_repealed_was_amended_all_the_same() -> None:
    book, _ = do(BOOK, amend(202, "New."))
    book, _ = do(book, repeal(301, part=1), 302)
    with refused("amendment-unknown", LookupError) as caught:
        find_target(book, repeal(302, part=1))
    assert caught.value.args[0].values["there"] != "it has never been amended"


@pytest.mark.parametrize(
    "make_it",
    [
        lambda: enact(""),
        lambda: enact("   \n "),
        lambda: enact("a" * (changes.LONGEST_WORDING + 1)),
        lambda: enact("a", "b" * (changes.LONGEST_LAW + 1)),
        lambda: enact("a", title="b" * (changes.LONGEST_TITLE + 1)),
        lambda: enact("a\u202eb"),
        lambda: enact("a", "set win.points to 5\u200b"),
        lambda: enact("a", title="x\x00"),
        lambda: enact("\ud800"),
        lambda: amend(203),
        lambda: amend(203, ""),
        lambda: amend(203, law="set win.points to 5", add=True),
        lambda: amend(203, "More.", part=1, add=True),
    ],
)
def test_what_is_no_change_is_refused(make_it: object) -> None:
    with pytest.raises(LawError):
        make_it()  # type: ignore[operator]


@pytest.mark.parametrize(
    "change",
    [
        enact("A.", "set win.points to 5", "T"), amend(203, "B."), amend("R8", law=""), amend(203, law="", part=2),
        amend(1, "C.", add=True), repeal(203), repeal("A1", part=3), transmute(-110), amend(5, title="Only"),
    ],
)  # fmt: skip
def test_a_change_comes_back_from_plain_data(change: Change) -> None:
    assert changes.change_from_json(change.to_json()) == change


@pytest.mark.parametrize(
    "data",
    [
        {}, {"kind": "abolish"}, {"kind": 5}, {"kind": "repeal", "target": 2.5}, {"kind": "repeal", "target": True},
        {"kind": "repeal", "target": [1]}, {"kind": "repeal", "target": None}, {"kind": "repeal", "part": "1"},
        {"kind": "amend", "add": 1}, {"kind": "amend", "wording": 5}, {"kind": "enact", "wording": "  "},
        {"kind": "enact", "wording": "a", "colour": "red"}, {"kind": "enact", "wording": "a" * 9000},
        {"kind": "enact", "wording": "a", "law": {}}, {"kind": "enact", "wording": "a\u202e"},
        {"kind": "enact"}, {"kind": "repeal"}, {"kind": "amend", "target": 203}, {"kind": "transmute", "wording": "a"},
        {"kind": "repeal", "target": 203, "law": "set win.points to 5"}, {"kind": "transmute",
        "target": 203, "part": 1},
    ],
)  # fmt: skip
def test_plain_data_that_are_no_change_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(LawError):
        changes.change_from_json(data)


# --------------------------------------------------------------------------------- whatever is done

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["enact", "amend", "law", "add", "repeal", "transmute", "amend part", "repeal part"]),
        st.integers(0, 30), st.integers(1, 4), st.booleans(),
    ),
    max_size=14,
)  # fmt: skip


def plain(book: RuleBook) -> object:
    return (
        [(rule.id, rule.number, rule.tier, rule.title, rule.how, words(rule), len(rule.all_versions)) for rule in book],
        [rule.id for rule in book.repealed],
        book.version,
    )


@given(STEPS)
@examples(50)
def test_whatever_is_changed_ids_stay_and_old_books_stay(steps: list[tuple[str, int, int, bool]]) -> None:
    books, seen = [BOOK], [plain(BOOK)]
    ever = set(BOOK.rules)
    for at, (what, which, part, takes) in enumerate(steps):
        book, number = books[-1], 301 + at
        rules = list(book)
        if not rules and what != "enact":
            continue
        old = rules[which % len(rules)] if rules else None
        target = old.number if old else 0
        law = f"set dice.sides to {number}"
        change = {
            "enact": lambda n=number, law=law: enact(f"Words {n}.", law),
            "amend": lambda n=number, t=target, law=law: amend(t, f"Words {n}.", law),
            "law": lambda t=target, law=law: amend(t, law=law),
            "add": lambda n=number, t=target, law=law: amend(t, f"Words {n}.", law, add=True),
            "repeal": lambda t=target: repeal(t),
            "transmute": lambda t=target: transmute(t),
            "amend part": lambda n=number, t=target, p=part: amend(t, f"Words {n}.", part=p),
            "repeal part": lambda t=target, p=part: repeal(t, part=p),
        }[what]()
        try:
            new, rule = do(book, change, number, takes_number=takes)
        except LookupError:
            assert "part" in what
            continue
        books.append(new)
        seen.append(plain(new))
        assert [plain(one) for one in books] == seen
        assert new.version == book.version + 1
        for one in rules:
            if old is not None and one.id == old.id:
                continue
            assert new.rules[one.id] is one
        if what == "enact":
            assert rule.id not in ever
            ever.add(rule.id)
            continue
        assert old is not None
        assert rule.id == old.id
        assert rule.before is old
        assert rule.all_versions[:-1] == old.all_versions
        if what == "repeal":
            assert rule.id not in new.rules
        if what in ("amend", "law", "add"):
            back, restored = do(new, repeal(rule.number, part=len(rule.parts) - 1), number + 1000)
            assert words(restored) == words(old)
            assert back.rules[old.id] is restored
    numbers = [rule.number for rule in books[-1]]
    assert len(set(numbers)) == len(numbers)
    assert {rule.id for rule in (*books[-1], *books[-1].repealed)} == ever


def test_in_play_the_book_follows_the_votes() -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)

    def adopt(change: Change) -> None:
        player = game.player
        assert player
        game.propose(player, change)
        for one in game.players:
            game.vote(one, "for")
        game.roll(player, 1)

    before = game.rules[206]
    adopt(amend(206, "Defeat is free.", "set defeat.points to 0"))
    assert game.law["defeat.points"].rule in (301, None) or game.rules[301].wording == "Defeat is free."
    adopt(repeal(301, part=1))
    assert words(game.rules[302]) == words(before)
    assert game.rules[302].id == before.id
    with refused("rule-renumbered", KeyError, now=302):
        game.rules[206]


def test_nothing_cannot_be_repealed() -> None:
    with refused("target-needed", kind="repeal"):
        repeal(None)  # type: ignore[arg-type]


def test_clauses_that_are_indented_together_are_lines_of_their_own():
    law = """
        set dice.sides to 8
        on turn_ended:
            award 1 points to player
    """
    assert enact("Dice.", law=law).law == "set dice.sides to 8\non turn_ended:\n    award 1 points to player"


LONG = ("All players keep what this says. " * 400)[:6_125]


def test_the_longest_wordings_of_real_games_are_taken_by_every_verb(tmp_path):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    assert nb.reword(303, wording=f"{LONG} Now.").wording.endswith("Now.")
    for change in (enact(LONG), amend(301, wording=f"{LONG} So be it.")):
        game.propose(game.player, change)
        for name in game.players:
            game.vote(name, "for")
        game.roll(game.player)
    assert nb.together(enact(LONG), enact(LONG[1:])).parts
    game.rule_file(tmp_path / "law.md")
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()
    assert any(len(rule.wording) > 6_000 for rule in nb.new_game(tmp_path / "law.md", ["Ann", "Ben"]).rules)


@pytest.mark.parametrize(
    ("wording", "title"),
    [
        ("All players must always obey.", "All players must always obey"),
        ("In every turn each player must, if they can, pay.", "In every turn each player must…"),
        ("Whoever says thank you gets 1 point.", "Whoever says thank you gets 1 point"),
        ("Whoever says thank you gets 1 point and a sweet.", "Whoever says thank you gets…"),
        ("Nobody may take a coin from the bank of another.", "Nobody may take a coin…"),
        ("A player who has all the coins of the bank wins.", "A player…"),
        ("# On coins\n\nCoins are counted.", "On coins"),
    ],
)
def test_a_title_that_is_made_does_not_end_in_the_middle_of_a_phrase(wording, title):
    assert enact(wording).title == title
    assert enact(wording).given_title is None


def test_a_book_and_a_law_meet_the_same_change_once():
    change = enact("Ten points win.", "set win.points to 10")
    book, rule = do(BOOK, change)
    again, same = do(BOOK, replace(change))
    assert again is book
    assert same is rule
    assert do(BOOK, change, 302)[1].number == 302
    law = Law(BOOK, PrecedenceOrder(), language())
    assert law.for_book(book) is law.for_book(book)
    assert law.for_book(again).book is again


def test_the_law_that_a_change_is_tried_under_is_the_law_that_comes_into_force():
    state = calm_state(nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7).state)
    adoption = try_adoption(state, enact("Coins.", "track coins per player from 0"), "Ann", 301)
    assert adoption.in_force
    assert adoption.written.law is adoption.after.law


def test_a_book_made_without_clauses_is_not_the_book_of_the_change():
    """A redline shows a rule as text alone; the change that is made later keeps its clauses."""
    book, change = first(101), enact("More.", "set win.points to 9")
    making = ChangeContext(301, 1, 1, "Ann", "mutable")
    _, as_text = book_after_change(book, change, (), making)
    _, made = book_after_change(book, change, language().read_clauses(change.law), making)
    assert (len(as_text.clauses), len(made.clauses)) == (0, 1)
