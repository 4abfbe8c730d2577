"""Magics in a session as IPython has it: run, complete, fail shortly."""

from __future__ import annotations

import pytest
import refusals
from IPython.core.completer import provisionalcompleter
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from play_helpers import put, refused, sit

import nomic_nb as nb
from nomic_nb.notebook.panels import magics
from nomic_nb.notebook.panels.magic_input import read_ballots


@pytest.fixture(scope="module")
def shell():
    one = InteractiveShell()
    one.history_manager.enabled = False
    magics.load_magics(one)
    yield one
    one.history_manager.end_session()


@pytest.fixture
def session(shell):
    for name in ("first", "second"):
        shell.user_ns.pop(name, None)
    shell.user_ns["game"] = sit("Ann", "Ben", "Cleo Lee")
    return shell


@pytest.fixture
def game(session):
    return session.user_ns["game"]


def test_a_turn(session, game):
    body = "Thirty points\nare enough.\n\nlaw:\n  set win.points to 30\n"
    proposal = session.run_cell_magic("propose", 'Ann amend 208 title="Thirty\'s enough"', body)
    assert proposal.number == 301
    assert proposal.change == nb.amend(
        208, "Thirty points\nare enough.", "set win.points to 30", title="Thirty's enough"
    )
    assert session.run_line_magic("vote", "Ann for").ballots == {"Ann": "for"}
    session.run_line_magic("vote", "Ben for 301")
    assert session.run_line_magic("vote", "Cleo Lee for").outcome == "adopted"
    assert session.run_line_magic("roll", "Ann 4") == 4
    assert game.player == "Ben"
    assert session.run_line_magic("law", "").rules_by_tier()
    assert session.run_line_magic("law", "301").wording == "Thirty points\nare enough."
    assert session.run_line_magic("law", "win.points").value == 30
    assert session.run_line_magic("why", "vote.quota").rule == 203
    assert session.run_line_magic("why", "vote.quota transmute 112").rule == 109


def test_a_preview_proposes_nothing(session, game):
    before, body = game.state, "Thirty points are enough.\nlaw:\nset win.points to 30\n"
    shown = session.run_cell_magic("preview", "Ann amend 208", body)
    assert shown.proposed_rule.change == nb.amend(208, "Thirty points are enough.", "set win.points to 30")
    assert nb.explain(shown.proposed_rule.change).sentences[0] in str(shown)
    assert game.state is before
    with pytest.raises(UsageError, match="999"):
        session.run_line_magic("preview", "Ann repeal 999")
    with pytest.raises(UsageError, match="line 1, column 5"):
        session.run_cell_magic("preview", "Ann enact", "Tea.\nlaw:\nset tea to 1\n")


def test_a_preview_completes_like_a_proposal(session):
    for line in ("", "Ann ", "Ann amend ", "Ann enact "):
        assert offered(session, f"%%preview {line}") == offered(session, f"%%propose {line}") != []


def test_every_kind_of_change(session, game):
    read = magics.read_magic_change
    assert read("enact title=One", "A rule.").change == nb.enact("A rule.", title="One")
    assert read("enact", "A rule.\n---\nset win.points to 5").change == nb.enact("A rule.", "set win.points to 5")
    assert read("amend 203", "law:\nset vote.quota to 1").change == nb.amend(203, law="set vote.quota to 1")
    assert read("amend 203", "Only wording.").change == nb.amend(203, "Only wording.")
    assert read("amend 203", "Clauses go.\nlaw:\n").change == nb.amend(203, "Clauses go.", "")
    assert read("amend 203 part=2", "This.").change == nb.amend(203, "This.", part=2)
    assert read("amend 203 add debate", "This.").change == nb.amend(203, "This.", add=True)
    assert read("amend 203 add debate", "This.").debate
    assert read("repeal 204 part=1", "").change == nb.repeal(204, part=1)
    assert read("repeal R8", "").change == nb.repeal("R8")
    assert session.run_line_magic("propose", "Ann repeal 204 debate").outcome == "debate"


def test_several_changes_together(session, game):
    read = magics.read_magic_change
    body = "change: repeal 204\n\nchange: Amend 208 title=Thirty\nThirty win.\nlaw:\nset win.points to 30\n"
    body += "CHANGE: enact\nBe kind.\n"
    parts = nb.repeal(204), nb.amend(208, "Thirty win.", "set win.points to 30", title="Thirty"), nb.enact("Be kind.")
    assert read("together", body).change == nb.together(*parts)
    assert read("together apart debate", body).change == nb.together(*parts, apart=True)
    assert read("together apart debate", body).debate
    assert read("reword 301 part=2", "Be kinder.").change == nb.reword(301, "Be kinder.", part=2)
    assert str(read("rename points stars", "").change) == str(nb.rename("points", "stars"))
    proposal = session.run_cell_magic("propose", "Ann together", body)
    for name in game.players:
        session.run_line_magic("vote", f"{name} for")
    assert game.proposals[proposal.number].outcome == "adopted"
    assert game.rules[302].law == "set win.points to 30"
    assert 204 not in game.rules
    assert game.rules[303].wording == "Be kind."


def test_what_is_counted_is_called_otherwise(session):
    game = session.user_ns["game"]
    put(game, nb.enact("All have three coins.", law="track coins per player from 3"))
    game.roll("Ann", 4)
    made = session.run_line_magic("propose", "Ben rename coins stars")
    assert made.change.renames == ("coins", "stars")


def test_magics_say_what_functions_say(session, game):
    other = sit("Ann", "Ben", "Cleo Lee")
    for name, line, body in (
        ("propose", "Ann enact", "A rule.\nlaw:\nset win.points to 40"), ("vote", "Ann for", None),
        ("vote", "Ben for", None), ("vote", "Cleo Lee against", None), ("roll", "Ann", None),
    ):  # fmt: skip
        function = getattr(magics, f"{name}_magic")
        if body is None:
            session.run_line_magic(name, line)
            function(other, line)
        else:
            session.run_cell_magic(name, line, body)
            function(other, line, body)
    assert game.state.digest() == other.state.digest()


@pytest.mark.parametrize(
    ("name", "line", "body", "code", "values"),
    [
        ("vote", "Ben for", None, "no-vote-open", {}),
        ("roll", "Ann", None, "nothing-to-throw", {}),
        ("propose", "Ben repeal 204", None, "turn-of-another", {"whose": "Ann", "player": "Ben"}),
        ("propose", "Bem repeal 204", None, "not-a-player", {"near": "Ben"}),
        ("propose", "", None, "player-missing", {}),
        (
            "propose",
            "Ann destroy 204",
            None,
            "no-such-kind-of-change",
            {"known": "enact, amend, repeal, transmute, together, rename, reword"},
        ),
        ("propose", "Ann repeal", None, "number-of-rule-missing", {"kind": "repeal"}),
        ("propose", "Ann repeal 204 now", None, "option-out-of-place", {"found": "now"}),
        (
            "propose",
            "Ann repeal 204 title=x",
            None,
            "change-takes-no-such-option",
            {"kind": "repeal", "option": "title"},
        ),
        ("propose", "Ann amend 203 part=one", None, "part-not-a-place", {}),
        ("propose", "Ann amend 203 part=²", None, "part-not-a-place", {}),
        ("propose", f"Ann amend 203 part={'9' * 5000}", None, "part-not-a-place", {}),
        ("propose", 'Ann enact title="x', "A rule.", "quotation-mark-not-closed", {}),
        ("propose", "Ann transmute 112", "Words.", "change-said-in-one-line", {"kind": "transmute"}),
        ("propose", "Ann repeal 999", None, "rule-unknown", {"rule": 999}),
        (
            "propose",
            "Ann enact",
            "A rule.\nlaw:\n\nset win.points to 3\nset win.point to 3",
            "word-unknown",
            {"line": 2, "column": 5, "of_cell": 6, "what": "key"},
        ),
        ("propose", "Ann enact", "law:\nset win.points to 3", "wording-missing", {}),
        (
            "propose",
            "Ann together",
            "change: repeal 204\nchange: enact\nBe kind.\nlaw:\non adopted: end turn\nset win.point to 3",
            "word-unknown",
            {"line": 2, "column": 5, "of_cell": 7, "part": 2, "what": "key"},
        ),
        ("propose", "Ann together", "change: repeal 204\nchange: repeal 999", "rule-unknown", {"part": 2, "rule": 999}),
        (
            "propose",
            "Ann together",
            "change: repeal 204\nchange: repeal 101",
            "not-proposable",
            {"target": 101, "tier": "immutable"},
        ),
        ("propose", "Ann together", "change: repeal 204\nchange: enact", "wording-missing", {"part": 2}),
        ("propose", "Ann together", "change: repeal 204\nchange: remove 205", "no-such-kind-of-change", {"part": 2}),
        ("propose", "Ann together", "change: repeal 204\nchange: together", "parts-begin-with-change", {"part": 2}),
        (
            "propose",
            "Ann together",
            "change: repeal 204\nchange: repeal 205 debate",
            "debate-inside-a-part",
            {"part": 2},
        ),
        (
            "propose",
            "Ann together",
            "change: repeal 204\nchange: repeal 204",
            "rule-changed-twice",
            {"part": 2, "rule": 204},
        ),
        ("propose", "Ann together", "change: repeal 204", "parts-out-of-range", {"most": 50}),
        ("propose", "Ann together", "Be kind.\nchange: repeal 204", "parts-begin-with-change", {}),
        (
            "propose",
            "Ann together",
            "change: repeal 204\nchange: rename points stars",
            "part-of-unknown-kind",
            {"part": 2},
        ),
        ("propose", "Ann together", None, "parts-begin-with-change", {}),
        (
            "propose",
            "Ann together title=x",
            "change: repeal 204",
            "change-takes-no-such-option",
            {"kind": "together", "option": "title"},
        ),
        ("propose", "Ann rename points", None, "names-to-rename-missing", {}),
        ("propose", "Ann rename coins stars", None, "counter-unknown", {"counter": "coins"}),
        ("propose", "Ann reword", None, "number-of-proposal-missing", {}),
        ("vote", "Ann", None, "vote-line-unreadable", {}),
        ("roll", "Ann four", None, "throw-line-unreadable", {"found": "four"}),
        ("roll", "Ann ²", None, "throw-line-unreadable", {"found": "²"}),
        ("roll", f"Ann {'9' * 5000}", None, "throw-line-unreadable", {}),
        ("law", "999", None, "rule-unknown", {"rule": 999}),
        ("law", "Rule  999", None, "rule-unknown", {"rule": 999}),
        ("law", "win.point", None, "no-such-term", {"term": "win.point"}),
        ("why", "", None, "why-without-term", {}),
        ("why", "win.point", None, "no-such-term", {}),
        ("why", "vote.quota proposal=²", None, "nothing-called-so", {}),
        ("why", "vote.quota transmute 999", None, "rule-unknown", {"rule": 999}),
    ],
)
def test_what_goes_wrong_is_said_shortly(session, game, capsys, name, line, body, code, values):
    with refused(game, code, UsageError, **values):
        session.run_line_magic(name, line) if body is None else session.run_cell_magic(name, line, body)
    cell = f"%{name} {line}" if body is None else f"%%{name} {line}\n{body}"
    result = session.run_cell(cell)
    assert not result.success
    said = capsys.readouterr()
    assert "Traceback" not in said.out + said.err
    assert said.err.startswith("UsageError: ")


def test_other_errors_are_not_swallowed(session, game, monkeypatch):
    monkeypatch.setattr(type(game), "vote", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        session.run_line_magic("vote", "Ann for")


def test_the_cause_of_a_refusal_can_be_had(session):
    with pytest.raises(UsageError) as caught:
        session.run_line_magic("propose", "Ben repeal 204")
    assert caught.value.__cause__.rule == 201


def test_which_game(session, game):
    second = session.user_ns["second"] = sit("Dora", "Emil")
    assert session.run_line_magic("law", "").state is game.state
    assert session.run_line_magic("law", "-g second").state is second.state
    assert session.run_line_magic("propose", "-g second Dora repeal 204").proponent == "Dora"
    assert session.run_line_magic("vote", "Emil for 301 -g second").number == 301
    del session.user_ns["game"]
    assert session.run_line_magic("law", "").state is second.state
    session.user_ns["first"] = game
    with refusals.refused("several-games", known="first, second"):
        session.run_line_magic("law", "")
    with refusals.refused("name-of-no-game", name="third"):
        session.run_line_magic("law", "-g third")
    del session.user_ns["first"], session.user_ns["second"]
    with refusals.refused("no-game-yet"):
        session.run_line_magic("law", "")


def offered(session, text):
    with provisionalcompleter():
        return [one.text for one in session.Completer.completions(text, len(text))]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("%vote ", {"Ann", "Ben", "Cleo Lee"}),
        ("%vote B", {"Ben"}),
        ("%vote Cleo Lee ", {"for", "against"}),
        ("%vote Ben a", {"against"}),
        ("%vote Ben for ", {"301"}),
        ("%roll A", {"Ann"}),
        ("%law vote.qu", {"vote.quota"}),
        ("%law 20", {"201", "209"}),
        ("%why win.w", {"win.winners", "win.when_stuck"}),
        ("%why vote.quota t", {"transmute"}),
        ("%propose Ann ", {"enact", "amend", "repeal", "transmute"}),
        ("%%propose Ann am", {"amend"}),
        ("%%propose Ann amend 11", {"110", "112"}),
        ("%%propose Ann amend 203 de", {"debate"}),
        ("x = 1\n%vote B", {"Ben"}),
        ("%%propose Ann enact\nSoon.\nlaw:\nset win.po", {"win.points"}),
        ("%%propose Ann enact\nSoon.\n---\n  set win.points to 3\n  on adopted: award 5 points to prop", {"proponent"}),
        ("%%propose Ann to", {"together"}),
        ("%%propose Ann rename p", {"points"}),
        ("%%propose Ann reword ", {"301"}),
        ("%%propose Ann together\nchange: ", {"enact", "repeal"}),
        ("%%propose Ann together\nchange: amend 20", {"203"}),
        ("%%propose Ann together\nchange: repeal 204\nchange: amend 208\nlaw:\nset win.po", {"win.points"}),
        ("%%why vote.quota enact\nMore.\nlaw:\nset vote.quo", {"vote.quota"}),
    ],
)
def test_completion(session, game, text, wanted):
    game.propose("Ann", nb.repeal(204))
    assert wanted <= set(offered(session, text))


def test_tab_offers_only_what_fits_a_magic(session, game):
    game.propose("Ann", nb.repeal(204))
    assert offered(session, "%votes Ben ") == ["for", "against", "and"]
    assert offered(session, "%votes Ben against, A") == ["Ann"]


@pytest.mark.parametrize(
    "cell", ["%%propose Ann repeal 204", "\n%%Propose Ann repeal 204\n", "%propose Ann repeal 204"]
)
def test_a_change_without_wording_needs_no_line_below(session, game, cell):
    assert session.run_cell(cell).success
    assert game.proposals[301].change == nb.repeal(204)


def test_a_rule_needs_wording_below_a_magic_with_two_signs(session, game):
    with refused(game, "wording-missing", UsageError):
        session.run_cell("%%propose Ann").raise_error()


@pytest.mark.parametrize("line", ["", "302", "on 302,", "for 302"])
def test_votes_without_ballots_are_all_in_favour(session, line):
    game = session.user_ns["game"] = sit("Ann", "Ben")
    game.propose("Ann", nb.repeal(204))
    game.undo()
    session.run_line_magic("propose", "Ann repeal 204")
    assert session.run_line_magic("votes", line.replace("302", "301")).ballots == {"Ann": "for", "Ben": "for"}


def test_why_takes_what_a_term_depends_on(session):
    session.user_ns["game"] = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    assert session.run_line_magic("why", "piece.moves kind=N").value == "N"
    assert session.run_line_magic("why", 'piece.moves, kind="N", army=white').value == "N"
    assert session.run_line_magic("why", "piece.moves kind=N repeal 204").value == "N"
    with refusals.refused("no-such-kind-of-change", found="far"):
        session.run_line_magic("why", "piece.moves kind=N far")


def test_completion_without_a_game(session):
    del session.user_ns["game"]
    assert "Ann" not in offered(session, "%vote ")


# ------------------------------------------------------------------------------------- what people type, and bad input


@pytest.mark.parametrize("kind", ["", "enact", "Enact,", "ENACT"])
@pytest.mark.parametrize("name", ["Cleo Lee", "cleo lee,", "Cleo", '"Cleo Lee"', "“Cleo Lee”:", "  CLEO   "])
def test_a_name_and_a_kind_as_people_type_them(session, kind, name):
    session.user_ns["game"] = sit("Cleo Lee", "Ann", "Ben")
    made = session.run_cell_magic("Propose", f"{name} {kind}", "Tea for all.")
    assert (made.proponent, made.change) == ("Cleo Lee", nb.enact("Tea for all."))


def test_a_name_with_quotation_marks_is_written_as_it_is(session):
    session.user_ns["game"] = game = sit("Zoë “Z” 🎲", "O'Brien")
    assert session.run_cell("%%propose zoë “Z” 🎲\nTea.").success
    assert session.run_cell("%vote O'Brien for").success
    assert session.run_cell('%votes Zoë "Z" 🎲 against').success
    assert game.proposals[301].ballots == {"O'Brien": "for", "Zoë “Z” 🎲": "against"}


@pytest.mark.parametrize("cell", ["%%propose Ann\nTea.", "%%Propose ann\nTea.", "%%PROPOSE Ann,\nTea."])
def test_capitals_in_the_name_of_a_magic(session, game, cell):
    assert session.run_cell(cell).success
    assert game.proposals[301].wording == "Tea."
    for line in ("%Vote ann For", "%VOTES all for,", "%Roll Ann,  4", "%Law rule 301", "%Why vote.quota"):
        assert session.run_cell(line).success, line
    assert game.player == "Ben"


def test_a_new_rule_or_several_changes_need_no_kind(session):
    read = magics.read_magic_change
    assert read("", "Tea.\nlaw: set win.points to 30").change == nb.enact("Tea.", "set win.points to 30")
    assert read("title=“Tea time” debate", "Tea.").change == nb.enact("Tea.", title="Tea time")
    assert read("", "change: repeal 204\nchange:\nTea.").change == nb.together(nb.repeal(204), nb.enact("Tea."))


def test_ready_made_rules_go_by_their_names(session, game):
    read = magics.read_magic_change
    library = nb.library
    assert read("amend 203, simple_majority", "").change == library.simple_majority().change(203)
    assert read("enact another_die(20)", "").change == library.another_die(20).change()
    assert read("nb.library.another_die(sides=20)", "").change == library.another_die(20).change()
    assert read("amend 203 simple_majority add debate", "").change == library.simple_majority().change(203, add=True)
    assert read("amend 203 simple_majority debate", "").debate
    made = session.run_line_magic("propose", "Ann Another_die(12)")
    assert made.change == library.another_die(12).change()


def test_two_names_that_differ_in_capitals_are_asked_about(session):
    game = session.user_ns["game"] = sit("Ann", "ann", "Cleo Lee", "Cleo Ray")
    with refused(game, "player-ambiguous", UsageError, players="Ann or ann", found="ANN"):
        session.run_line_magic("propose", "ANN repeal 204")
    with refused(game, "player-ambiguous", UsageError, players="Cleo Lee or Cleo Ray"):
        session.run_line_magic("propose", "cleo repeal 204")
    assert session.run_line_magic("propose", "Ann repeal 204").proponent == "Ann"
    assert session.run_line_magic("vote", "cleo ray for").ballots == {"Cleo Ray": "for"}
    assert session.run_line_magic("vote", "ann for").ballots == {"Cleo Ray": "for", "ann": "for"}


@pytest.mark.parametrize(
    ("line", "named", "others", "proposal"),
    [
        ("Cleo against, others for", {"Cleo Lee": "against"}, "for", None),
        ("all for", {}, "for", None),
        ("for", {}, "for", None),
        ("  Everybody   AGAINST , ", {}, "against", None),
        ("ann and ben for; cleo lee against on 301", {"Ann": "for", "Ben": "for", "Cleo Lee": "against"}, None, 301),
        ("Ann, Ben abstain, the rest against 301", {"Ann": "abstain", "Ben": "abstain"}, "against", 301),
        ("everyone else for, Ann votes against", {"Ann": "against"}, "for", None),
        ("ben against", {"Ben": "against"}, None, None),
        ("Ann, others for", {"Ann": "for"}, "for", None),
    ],
)
def test_ballots_in_a_line(line, named, others, proposal):
    asked = read_ballots(["Ann", "Ben", "Cleo Lee"], line)
    assert (dict(asked.named), asked.others, asked.proposal) == (named, others, proposal)


def test_a_player_called_like_a_ballot_or_like_all():
    assert read_ballots(["For", "All", "Ann"], "For against, All for, Ann for").named == (
        ("For", "against"), ("All", "for"), ("Ann", "for"),
    )  # fmt: skip


def test_votes_of_a_line_are_one_act(session, game):
    session.run_line_magic("propose", "Ann repeal 204")
    assert session.run_line_magic("votes", "cleo against, others for").outcome == "defeated"
    game.undo()
    assert game.proposals[301].ballots == {}


@pytest.mark.parametrize(
    ("name", "line", "body", "code", "values"),
    [
        ("votes", "", None, "no-vote-open", {}),
        ("votes", "Zed for", None, "ballots-unreadable", {"found": "Zed", "players": "Ann, Ben, Cleo Lee"}),
        ("votes", "Ann", None, "ballots-unreadable", {"found": "Ann"}),
        ("votes", "others", None, "ballots-unreadable", {"found": "the others"}),
        ("votes", "Ann for Ben", None, "ballots-unreadable", {"found": "Ben"}),
        ("votes", "all for", None, "no-vote-open", {}),
        ("votes", "Ann for, Ann against", None, "voter-named-twice", {"player": "Ann"}),
        ("propose", "Ann amned 203", "x", "no-such-kind-of-change", {"near": "amend"}),
        ("propose", "Ann", None, "wording-missing", {}),
        ("propose", "Ann", "law:\nset win.points to 3", "wording-missing", {}),
        ("propose", "Ann amend", "Half a proposal", "number-of-rule-missing", {"kind": "amend"}),
        ("propose", "Ann", "Tea.\nlaw:\nset win.points to", "misplaced", {"line": 1, "of_cell": 4}),
        ("propose", "Ann another_die(1)", None, "figure-out-of-range", {"least": 2}),
        ("propose", "Ann another_die(2, 3)", None, "wrong-arguments", {}),
        ("propose", "Ann another_die title=x", None, "change-takes-no-such-option", {"kind": "another_die"}),
        ("propose", "Ann another_die", "Twenty.", "ready-made-with-text", {"name": "another_die"}),
    ],
)
def test_bad_input_is_refused_in_a_sentence_and_the_next_cell_works(
    session, game, capsys, name, line, body, code, values
):
    with refused(game, code, UsageError, **values):
        session.run_line_magic(name, line) if body is None else session.run_cell_magic(name, line, body)
    session.run_cell(f"%{name} {line}" if body is None else f"%%{name} {line}\n{body}")
    said = capsys.readouterr()
    assert "Traceback" not in said.out + said.err
    assert said.err.startswith("UsageError: ")
    assert "column 1: a rule" not in said.err
    assert session.run_cell("%%propose Ann\nTea.").success
    assert game.proposals[301].wording == "Tea."


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("%vote Cleo L", {"Lee"}),
        ("%vote cl", {"Cleo Lee"}),
        ("%votes ", {"Ann", "Ben", "Cleo Lee", "others", "for"}),
        ("%votes Cleo Lee ", {"for", "against", "and"}),
        ("%votes Cleo Lee ag", {"against"}),
        ("%votes Cleo Lee against, ", {"Ann", "Ben", "others"}),
        ("%votes Ann for, Cleo L", {"Lee"}),
        ("%Votes Ann against, oth", {"others"}),
        ("%%Propose ann am", {"amend"}),
        ("%%propose Ann simp", {"simple_majority"}),
        ("%%propose Ann amend 203 simp", {"simple_majority"}),
        ("%%propose Ann Amend 11", {"110", "112"}),
        ("%%Propose Ann\nSoon.\nlaw:\nset win.po", {"win.points"}),
    ],
)
def test_completion_of_what_people_type(session, game, text, wanted):
    game.propose("Ann", nb.repeal(204))
    assert wanted <= set(offered(session, text))


def test_no_rule_for_boards_is_offered_in_a_game_without_boards(session, game):
    assert "reflected_boards" not in offered(session, "%%propose Ann ref")
    session.user_ns["game"] = sit("Ann", "Ben", system="nomic-chess")
    assert "reflected_boards" in offered(session, "%%propose Ann ref")
