"""Everything that shows itself, at several moments of a game."""

from __future__ import annotations

import pytest
from show.games import all_vote, begun, everything, moments, pass_change, two_changes
from show.reading import read

import nomic_nb as nb
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.words import number_text, signed_number, upper_first
from nomic_nb.notebook.show import show_html
from nomic_nb.study.views import Tally

MOMENTS = dict(moments())


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.slow
def test_all_is_well_formed_and_small(moment: str) -> None:
    for shown in everything(MOMENTS[moment]):
        page = read(shown)
        assert page.text
        assert len(show_html(shown)) < 150_000


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_game(moment: str) -> None:
    game = MOMENTS[moment]
    text = read(game).text
    assert "Discordian Nomic" in text
    assert f"Turn {game.turn}, round {game.circuit}" in text
    assert "Seed of the dice: 7" in text
    for name, points in game.scores.items():
        assert f"{name} {number_text(points)}" in text
    if game.over:
        assert game.result in text
        assert "Ann 5 won" in text
        assert "To be decided" not in text
    else:
        turn = f"{game.player}’s turn: {'roll' if game.part == 'throw' else game.part}."
        assert (turn in text) if game.player else ("’s turn:" not in text)
    for one in game.pending:
        assert one.prompt in text
    for proposal in game.proposals:
        if proposal.outcome == "open":
            assert proposal.tally is not None
            assert proposal.tally.verdict in text
    for event in game.latest():
        assert event[1:] in text


def test_who_is_absent_who_is_out_and_a_pause() -> None:
    game = begun()
    game.host.absent("Cleo")
    game.forfeit("Ben")
    game.host.pause()
    text = read(game).text
    assert "Cleo 0 absent" in text
    assert "Ben 0 out" in text
    assert "The game is paused." in text


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.slow
def test_the_law_book(moment: str) -> None:
    game = MOMENTS[moment]
    page = read(game.rules)
    at = 0
    for rules in game.rules.rules_by_tier().values():
        for rule in rules:
            at = page.text.index(f"{rule.number} {rule.title}", at)
            assert " ".join(rule.wording.replace("- ", "").split()[-6:]) in page.text[at:]
            for line in rule.law.splitlines():
                assert line.strip() in page.text[at:]


def test_a_void_rule_says_why() -> None:
    book = MOMENTS["a void rule"].rules
    rule = next(one for one in book if one.title == "One vote each")
    assert book.void_reason(rule)
    assert f"{rule.number} One vote each {book.void_reason(rule)}" in read(book).text


def test_rules_without_clauses_are_for_the_players() -> None:
    game = begun()
    pass_change(game, nb.enact("Be kind.", title="Kindness"))
    assert "301 Kindness ○ people · enacted by 301 (Ann, turn 1)" in read(game.rules).text
    assert "people apply this rule" in read(game.rules[301]).text
    # The program keeps to this one by itself, and the last has clauses.
    assert "people apply" not in read(game.rules[106]).text
    assert "people apply" not in read(game.rules[104]).text


def test_a_rule_says_where_it_comes_from() -> None:
    game = MOMENTS["two changes"]
    text = read(game.rules[301]).text
    assert text.startswith("301 A simple majority adopts – mutable")
    assert (
        "Amended by 301 (Ann, turn 1); was 203, now 301; was “All must agree”, now “A simple majority adopts”." in text
    )
    assert "Initial rule 203." in text
    assert "Original and amendments" in text
    assert "Amendment 1, by 301 (in force)" in text
    assert "Initial rule 101." in read(game.rules[101]).text
    transmuted = MOMENTS["a question"].rules[301]
    assert (
        "Transmuted by 301 and mutable since (Ann, turn 1); was 110, now 301; was immutable, now mutable."
        in read(transmuted).text
    )


def test_amendments_beside_and_repealed() -> None:
    game = begun()
    pass_change(game, nb.amend(207, "And none on Sundays.", add=True))
    pass_change(game, nb.repeal(301, part=1))
    text = read(game.rules[302]).text
    assert "Amendment 1, by 301 (repealed, beside what was there)" in text
    assert "The original (in force)" in text


def test_an_answer_of_the_table_is_in_the_book() -> None:
    game = begun(["Ann", "Ben"], win__points=1)
    game.propose("Ann", nb.repeal(210))
    all_vote(game)
    game.forfeit("Ben")
    assert read(game).text
    assert read(game.rules).text


@pytest.mark.parametrize("moment", MOMENTS)
def test_proposals(moment: str) -> None:
    game = MOMENTS[moment]
    for proposal in game.proposals:
        text = read(proposal).text
        assert text.startswith(f"Proposal {proposal.number} – {proposal.outcome}")
        assert proposal.change.headline[1:] in text
        assert f"Proposed by {proposal.proponent} in turn" in text
        assert (proposal.tally.verdict if proposal.tally else "no vote is open yet") in text
        listed = read(game.proposals).text
        assert (
            f"{proposal.number} {proposal.proponent} {upper_first(proposal.change.headline)} {proposal.outcome}"
            in listed
        )


def test_a_transmutation_says_from_what_to_what() -> None:
    page = read(MOMENTS["a question"].proposals[301])
    assert "immutable mutable" in page.text
    assert "its standing: mutable" in page.without("del")
    assert "its standing: immutable" not in page.without("del")


def test_no_proposals_nothing_counted_nothing_pending() -> None:
    assert read(MOMENTS["begun"].proposals).text == "No proposals yet."
    assert read(MOMENTS["begun"].ledger).text == "Nothing has been counted yet."
    assert read(MOMENTS["won"].pending).text == MOMENTS["won"].result


def test_a_tally_under_way_and_closed() -> None:
    game = begun()
    proposal = game.propose("Ann", nb.library.simple_majority().change(203))
    game.vote("Ann", "for")
    text = read(proposal.tally).text
    assert "+ for 1 of 3 (33 %) Ann" in text
    assert "− against 0 of 3 (0 %) nobody" in text
    assert "· not voted yet 2 of 3 (67 %) Ben and Cleo" in text
    assert "+1 for 2 not voted yet needed: 3" in text
    assert "needed 3 of 3 (100 %) Rule 203. Counted against all 3 voters." in text
    game.vote("Ben", "against")
    game.vote("Cleo", "for")
    text = read(proposal.tally).text
    assert "Failed: 2 for, 1 against" in text
    assert "+ for 2 of 3 (67 %) Ann and Cleo" in text
    assert "not voted" not in text


@pytest.mark.parametrize(("eligible", "quota"), [(0, 0), (3, 5), (3, 0)])
def test_a_tally_with_odd_numbers(eligible: int, quota: int) -> None:
    tally = Tally(1, 0, 0, {}, ("Ann",) if eligible else (), eligible, quota, None, "open")
    assert tally.verdict in read(tally).text


def test_what_is_pending_names_the_call() -> None:
    text = read(MOMENTS["voting"].pending).text
    assert "Ben must vote on proposal 301: amend rule 203 Options: for, against. Rule 105" in text
    assert 'game.vote("Ben", "for", 301)' in text
    assert 'game.roll("Ann")' in read(MOMENTS["a throw"].pending).text
    assert 'game.call_vote("Ann", 301)' in read(MOMENTS["in debate"].pending).text
    assert "Ann may revise proposal 301" in read(MOMENTS["in debate"].pending).text
    question = read(MOMENTS["a question"]).text
    assert "Ann says: on Sundays" in question
    assert "May one yawn?" in question
    judged = MOMENTS["a question for the Judge"].pending
    assert "Cleo must decide as Judge: May one whistle?" in read(judged).text
    assert 'game.rule_on("Cleo", "…", judgment=1)' in read(judged).text
    assert 'game.overrule("Ben", "for", judgment=1)' in read(MOMENTS["a ruling"].pending).text
    assert 'game.consent("Cleo", "for", judgment=1)' in read(MOMENTS["going on after judgment"].pending).text


def test_the_calls_that_are_shown_can_be_made() -> None:
    from nomic_nb.notebook.show.game import decision_call

    for game in dict(moments()).values():
        while game.pending and game.turn < 3:
            decision = game.pending[0]
            line = decision_call(decision).replace('nb.enact("…")', 'nb.enact("Hush.")').replace('"…"', '"yes"')
            eval(line, {"game": game, "nb": nb})  # noqa: S307


def test_findings_by_outcome() -> None:
    game = MOMENTS["two changes"]
    found: dict[str, Finding] = {}
    for key in game.law:
        found.setdefault(game.law[key].outcome, game.law[key])
    assert {"decided", "silent", "depends"} <= set(found)
    assert "no rule says" in read(found["silent"]).text
    assert "depends on" in read(found["depends"]).text
    for outcome, word in (
        ("torn", "no rule says which takes precedence"),
        ("undecided", "don’t decide this: so it is"),
    ):
        finding = Finding("vote.quota", None, outcome, found["decided"].sources, reason="so it is")
        assert word in read(finding).text
    for outcome, word in (("merged", "say the same"), ("ruled", "The players settled it")):
        assert word in read(Finding("vote.quota", 3, outcome, found["decided"].sources)).text


def test_a_finding_names_who_prevails_and_who_does_not() -> None:
    game = MOMENTS["two changes"]
    finding = game.why("vote.quota", nb.transmute(112))
    text = read(finding).text
    assert text.startswith("vote.quota How many votes in favour a proposal needs to pass, counted by weight. 3 ")
    assert "prevails 109 Unanimity to open up an immutable rule" in text
    assert "overridden 301 A simple majority adopts set vote.quota to majority(vote.electorate)" in text
    assert finding.defeated[0].reason in text
    assert "vote.electorate is Ann, Ben, Cleo" in text


def test_the_ledger() -> None:
    game = MOMENTS["two changes"]
    text = read(game.ledger).text
    for one in game.ledger:
        assert (
            f"{one.turn} {one.player} {signed_number(one.amount)} points {number_text(one.now)} {one.rule} {one.why}"
            in text
        )
    lost = MOMENTS["a throw"]
    assert "1 Ann −10 points −10 206" in read(lost.ledger).text


@pytest.mark.parametrize(
    "rule",
    [nb.library.simple_majority(), nb.library.dissent_bonus(), nb.library.penalty_for("yawning")],
)
def test_ready_made_rules_and_changes(rule: nb.library.LibraryRule) -> None:
    for shown in (rule, rule.change(), rule.change(203), rule.change(203, add=True)):
        text = read(shown).text
        assert rule.wording in text
        assert rule.law.splitlines()[0] in text


def test_changes_by_themselves() -> None:
    assert "Rule 204 is repealed." in read(nb.repeal(204)).text
    assert "Amendment 2 of rule 305 is repealed." in read(nb.repeal(305, part=2)).text
    assert "is transmuted: it changes from immutable to mutable" in read(nb.transmute(112)).text
    assert "The wording stays the same." in read(nb.amend(208, law="set win.points to 50")).text
    assert "The clauses are removed." in read(nb.amend(208, "Be nice.", law="")).text


def test_the_law_at_two_moments() -> None:
    game = two_changes(None)
    page = read(game.redline(1))
    assert "301 A simple majority adopts – was 203, amended" in page.text
    assert "majority(vote.electorate)" in page.without("del")
    assert "unanimity(vote.electorate)" in page.without("ins")
    assert read(game.redline(game.state.seq)).text == "The rules are the same."


def test_what_has_no_form_of_its_own_shows_its_text() -> None:
    class Other(Displayed):
        def __str__(self) -> str:
            return "one\n\n  <b>two</b>"

    assert read(Other()).text == "one <b>two</b>"


def test_there_is_no_way_to_show_just_anything() -> None:
    with pytest.raises(TypeError, match="no way to show int"):
        show_html(3)


def test_forty_rules_stay_small() -> None:
    game = begun(["Ann", "Ben"])
    for at in range(6):
        pass_change(game, nb.enact(f"Say {at} twice.\n\n" + "Word upon word. " * 20, title=f"No. {at}"))
    assert len(game.rules) > 40
    assert len(show_html(game.rules)) < 100_000


def test_every_shown_object_shows_itself() -> None:
    game = MOMENTS["voting"]
    for shown in (game, game.rules, game.rules[101], game.law, game.pending, game.ledger, game.proposals):
        assert shown._repr_html_() == show_html(shown)
