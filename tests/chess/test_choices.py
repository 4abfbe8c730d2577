"""What a phase can be used for, said before anybody tries it: what is open, and by which rule the rest is not."""

import re

import pytest
from make_a_rule_helpers import begun, idle, make, moves, name_king, phase, without_restrictions
from panels.pages import Page
from play_helpers import refused, sit

import nomic_nb as nb
from nomic_nb.engine.play.choices import list_choices, proposable_kinds
from nomic_nb.notebook.panels.completion import complete_line

ONE, TWO, THREE = "Zaphod:1", "Zaphod:2", "Zaphod:3"
RULE, HERE = "make a rule", "make a rule for one universe"
REPEAL, REPEAL_HERE = "repeal a rule", "repeal a rule for one universe"
ALL = "repeal several earlier rules together"
ADD = "add to a rule"
SEVEN = {RULE, HERE, REPEAL, REPEAL_HERE, ALL, f"{ALL}, for one universe", "make a move on the boards"}


def open_now(game):
    return {one.what: one.where for one in list_choices(game.state) if not one.why}


@pytest.mark.rule("make-a-rule", "R1")
def test_all_seven_are_open_where_nothing_stands_against_them():
    game = begun(3)
    assert open_now(game).keys() == {RULE, HERE, "make a move on the boards"}, "there is no rule to be repealed"
    idle(game)
    assert ALL not in open_now(game), "all rules were made in the turn before this one"
    idle(game)
    found = open_now(game)
    assert found.keys() == {*SEVEN, ADD}, "and beside them one can presume how a rule is meant"
    assert found[HERE] == found[REPEAL_HERE] == (ONE, TWO, THREE)
    assert found["make a move on the boards"] == (ONE, TWO), "Ann has no piece in the third"


def test_what_is_owed_names_what_can_be_done_instead():
    game = begun(3)
    asked = {one.action: one.prompt for one in game.pending}
    assert asked["move"] == "make a move on the boards, or propose a rule change instead"
    assert asked["propose"] == "propose a rule change, or make a move on the boards instead"


def test_where_nothing_was_made_there_is_nothing_to_repeal():
    closed = {one.what: one.why for one in list_choices(begun(3).state) if one.why}
    assert closed[REPEAL].startswith("no rule has been made during play yet")
    assert closed[REPEAL_HERE].startswith("no rule has been made during play yet")


@pytest.mark.rule("make-a-rule", "R1")
def test_whoever_has_moved_is_told_why_no_rule_can_be_made():
    game = begun(3)
    game.move("Ann", moves(game, TWO)[0])
    closed = [one for one in list_choices(game.state) if one.why]
    assert open_now(game) == {"make a move on the boards": (ONE,)}
    assert {one.what: one.rule for one in closed} == {RULE: "R1", HERE: "R1", REPEAL: None, REPEAL_HERE: None}
    said = f"Ann can’t {RULE}: at least one board was pushed or used for a move this turn (rule R1)"
    assert said in str(game.pending).splitlines()
    with refused(game, "not-proposable", rule="R1"):
        game.propose("Ann", nb.enact("So be it."))


@pytest.mark.rule("make-a-rule", "R1.2", "R1.3", "R1.5")
def test_it_is_said_beforehand_that_what_is_for_one_universe_leaves_the_moves():
    game = begun(3)
    make(game)
    said = {one.what: str(one) for one in list_choices(game.state)}
    assert {what for what, told in said.items() if told.endswith("; after that, make a move on the boards")} == {
        HERE,
        REPEAL_HERE,
    }
    page = Page(game, "Ben").table["choices"]["Ben"]
    assert any(one["said"].startswith(f"Open: {HERE} ({ONE}") and "after that" in one["said"] for one in page)
    alone = begun(2)
    assert not any(one.then for one in list_choices(alone.state)), "there is no other universe"


@pytest.mark.rule("make-a-rule", "R1.3")
def test_after_a_rule_for_one_universe_the_moves_are_left():
    game = begun(3)
    make(game, universe=ONE)
    assert open_now(game) == {"make a move on the boards": (TWO,)}
    assert any(one.action == "propose" and "has to move now instead" in one.why for one in list_choices(game.state))


def test_a_rule_of_a_player_is_named_as_the_reason():
    game = begun(2)
    number = make(game, "forbid move when circuit < 9")
    closed = {one.what: one.rule for one in list_choices(game.state) if one.why}
    assert closed["make a move on the boards"] == number


BESIDES = "Also open, for rules of another tier; you still have to do this"


def test_what_can_never_be_is_not_listed_and_what_is_put_to_the_vote_stands_apart():
    game = begun(3, restricted=True)
    assert not any("transmute" in one.what for one in list_choices(game.state))
    assert {one.what for one in list_choices(game.state) if one.beside} == {"amend a rule", ADD, REPEAL}
    said = [row["said"] for row in Page(game, "Ann").table["choices"]["Ann"]]
    assert f"Not open: {REPEAL}; {REPEAL_HERE} – no rule has been made during play yet" in said
    assert said[-1] == f"{BESIDES}: amend a rule; {ADD}; {REPEAL}"
    assert "forbid" not in " ".join(said), "no clause is quoted to people"


def test_a_page_has_them_for_whoever_is_on_turn():
    game = begun(3)
    idle(game)
    page = Page(game, "Ben")
    rows = page.table["choices"]
    assert list(rows) == ["Ann"]
    said = [row["said"] for row in rows["Ann"]]
    assert f"Open: {HERE} ({ONE}, {TWO}, {THREE}); after that, make a move on the boards" in said
    phase(game)
    page.hub.send_changes()
    assert list(page.table["choices"]) == ["Ben"]


def test_where_no_rule_leaves_a_choice_nothing_is_said():
    assert list_choices(sit().state) == ()


def test_a_page_lists_no_kind_of_change_that_nobody_can_ever_propose():
    assert Page(begun(3, restricted=True), "Ann").table["kinds"] == ["enact", "amend", "repeal"]
    assert Page(sit(), "Ann").table["kinds"] == ["enact", "amend", "repeal", "transmute", "rename", "together"]


def test_whoever_has_made_the_moves_is_done_though_a_rule_could_still_be_made(tmp_path):
    """What is owed is to move or to propose: the moves are that, whatever the law then lets one propose."""
    line = r"forbid propose when [^\n]*b.pushed >= 1 for b in boards[^\n]*\n[^\n]*\n"
    text = without_restrictions().read_text(encoding="utf-8")
    assert len(re.findall(line, text)) == 1
    (tmp_path / "rules.md").write_text(re.sub(line, "", text), encoding="utf-8")
    game = nb.new_game(tmp_path / "rules.md", ["Ann", "Ben"], seed=1)
    name_king(game)
    game.move("Ann", moves(game)[0])
    assert game.player == "Ben"


# what is told of it


def test_where_nobody_votes_no_ballots_are_counted_out():
    game = begun(3)
    make(game)
    proposal = list(game.proposals)[-1]
    assert proposal.tally.verdict == "Passed: nobody votes on it (rule R1)."
    told = game.latest(40)
    assert f"nobody votes on proposal {proposal.number}, and nobody needs to" in told
    assert f"proposal {proposal.number} passes, with no votes and none needed" in told


@pytest.mark.rule("make-a-rule", "R16")
def test_a_rule_that_can_be_chosen_is_shown_with_its_title():
    game = begun(3, kept=("R16",))
    game.propose(game.player, nb.enact("A rook may not capture.", title="Rooks rest"))
    number = list(game.proposals)[-1].number
    game.take("Cleo", "challenge a rule")
    field = next(one for one in Page(game, "Cleo").decision("choose")["fields"] if one["name"] == "option")
    assert field["options"] == [[f"rule {number}", f"rule {number} “Rooks rest”", ""], ["none", "none", ""]]


def test_rules_are_listed_as_people_count():
    found = [rule.number for rule in begun(3).rules if str(rule.number).startswith("N")]
    assert found == [f"N{at}" for at in range(1, len(found) + 1)]


@pytest.mark.rule("make-a-rule", "R14")
def test_the_page_knows_that_each_votes_in_a_turn_of_their_own():
    game = begun(3, kept=("R14",))
    game.propose("Ann", nb.repeal("R15"))
    number = list(game.proposals)[-1].number
    vote = Page(game, "Ben").table["proposals"][str(number)]["vote"]
    assert vote["own_turn"]
    assert not [one for one in Page(game, "Ben").mine["decisions"].values() if one["action"] == "vote"]


def test_only_kinds_of_change_that_can_ever_be_are_on_the_list():
    game = begun(2, restricted=True)
    assert proposable_kinds(game.state) == (
        "enact",
        "amend",
        "repeal",
    )  # nothing is transmuted, and nothing counted to be renamed
    offered = complete_line(game, "propose", "Ann ", "")  # before the ready-made rules, and never several at once
    assert offered[: offered.index("simple_majority")] == ["enact", "amend", "repeal"]
    make(game, "track coins per player from 0")
    assert proposable_kinds(game.state)[-1] == "rename"
    assert proposable_kinds(sit().state) == ("enact", "amend", "repeal", "transmute", "rename", "together")  # points


def test_a_ban_that_looks_at_the_universe_tells_them_apart(tmp_path):
    ban = 'forbid propose when change.kind == "enact" and change.scope == "Zaphod:2"'
    text = without_restrictions().read_text(encoding="utf-8")
    path = tmp_path / "make-a-rule.md"
    path.write_text(text.replace("\nset vote.duty to true\n", f"\nset vote.duty to true\n{ban}\n", 1), encoding="utf-8")
    game = nb.new_game(path, ["Ann", "Ben", "Cleo"], seed=1)
    name_king(game)
    assert open_now(game)[HERE] == (ONE, THREE)
    with refused(game, "not-proposable"):
        game.propose(game.player, nb.enact("So be it.", universe=TWO))
    make(game, universe=ONE)
