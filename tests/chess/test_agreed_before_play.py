"""What is agreed before play beside the rule set: the order of armies, the medium; and what a rule set is no game."""

import json

import pytest
from board_helpers import chess, controllers, law, nothing, turns
from play_helpers import ballot
from refusals import refused

import nomic_nb as nb

ORDER = ["Cleo", "Ann", "Ben"]


@pytest.mark.rule("nomic-chess", 216)
def test_the_batting_order_is_chosen_before_play():
    game = chess(order=ORDER)
    assert game.players == ("Ann", "Ben", "Cleo")
    assert controllers(game) == {"white": "Cleo", "yellow": "Ann", "green": "Ben"}
    seen = []
    for _ in range(4):
        seen.append(game.player)
        turns(game, 1)
    assert seen == ["Cleo", "Ann", "Ben", "Cleo"]


@pytest.mark.rule("nomic-chess", 216)
def test_the_order_is_on_record(tmp_path):
    game = chess(order=ORDER, medium="mail")
    turns(game, 2)
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert again.state.digest() == game.state.digest()
    assert controllers(again)["white"] == "Cleo"
    notebook = "".join("".join(cell["source"]) for cell in nb.to_notebook(game)["cells"])
    assert "order=['Cleo', 'Ann', 'Ben']" in notebook
    assert "medium='mail'" in notebook
    assert "order" in game.to_markdown()


@pytest.mark.parametrize("order", [["Ann", "Ben"], ["Ann", "Ben", "Ben"], ["Ann", "Ben", "Zoe"]])
def test_an_order_has_every_player_once(order):
    with refused("order-unfit", ValueError):
        chess(order=order)
    with refused("names-not-a-list", ValueError, argument="order", found="Ann"):
        chess(order="Ann")


@pytest.mark.rule("nomic-chess", 210)
@pytest.mark.parametrize(("medium", "said"), [("table", True), ("mail", False), ("computer", False), (None, False)])
def test_the_ban_on_plots_holds_at_a_table_only(medium, said):
    game = chess(medium=medium)
    announced = game.history[game.history["kind"] == "announced"]
    assert list(announced["rule"]) == ([210] if said else [])


@pytest.mark.parametrize(("medium", "ballots"), [("table", "open"), ("mail", "sealed"), (None, "sealed")])
def test_an_adopted_rule_looks_at_the_medium(medium, ballots):
    game = chess(medium=medium)
    law(game, 'set vote.ballots to ("open" if medium == "table" else "sealed")')
    turns(game, 1)
    game.propose(game.player, nb.enact("Nothing."))
    assert game.law["vote.ballots"].value == ballots
    assert game.state.proposals[302].vote.sealed is (ballots == "sealed")


def test_an_adopted_rule_looks_at_the_order():
    game = chess(order=ORDER)
    law(game, "set turn.sequence to chosen_order\nprevails over 201, 216")
    assert [one.id for one in game.law["turn.sequence"].value] == ORDER


def test_what_no_rule_looks_at_cannot_be_agreed():
    for more in ({"medium": "table"}, {"order": ["Ben", "Ann"]}):
        with refused("setting-without-effect", ValueError, ruleset="discordian-nomic"):
            nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1, **more)
    with refused("medium-unknown", ValueError, media="computer, mail, table"):
        chess(medium="radio")


def test_rules_that_are_only_brought_in_are_no_game():
    with refused("not-a-game", ValueError, ruleset="fide-chess"):
        nb.new_game("fide-chess", ["Ann", "Ben"], seed=1)
    assert "fide-chess" not in nb.rulesets().index


def rewritten(path, change):
    """Change the header of a record; the hash of the next line is that of the header as it was."""
    first, *rest = path.read_text().splitlines()
    head = json.loads(first)
    change(head)
    path.write_text("\n".join([json.dumps(head, sort_keys=True, separators=(",", ":")), *rest]) + "\n")


@pytest.mark.rule("nomic-chess", 214)
def test_a_record_is_not_played_under_other_rules_of_chess(tmp_path):
    path = tmp_path / "game.jsonl"
    game = chess()
    game.save(path)
    assert set(json.loads(path.read_text().splitlines()[0])["incorporated"]) == {"fide-chess"}
    rewritten(path, lambda head: head["incorporated"].update({"fide-chess": "0" * 64}))
    with refused("other-ruleset", ruleset="fide-chess"):
        nb.load(path)


def test_a_set_brought_in_later_is_on_record_with_its_digest(tmp_path):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    game.propose("Ann", nb.enact("Chess for the rest.", law="incorporate fide-chess"))
    ballot(game)
    (enacted,) = [event for event in game.timeline.events if event.kind == "enacted"]
    digest = chess().timeline.setting.digests_of_incorporated["fide-chess"]
    assert enacted.data["brings"] == {"fide-chess": digest}
    path = tmp_path / "game.jsonl"
    game.save(path)
    assert nb.load(path).state.digest() == game.state.digest()
    path.write_text(path.read_text().replace(digest, "0" * 64))
    with pytest.raises(nb.RecordError):
        nb.load(path)


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("order", "Ann", "header-kinds"),
        ("order", [1, 2, 3], "header-texts"),
        ("medium", 5, "header-texts"),
        ("incorporated", [], "header-kinds"),
        ("medium", "radio", "medium-unknown"),
    ],
)
def test_headers_that_are_refused(tmp_path, field, value, code):
    path = tmp_path / "game.jsonl"
    chess().save(path)
    rewritten(path, lambda head: head.update({field: value}))
    with refused(code, nb.RecordError, line=1):
        nb.load(path)


def test_nobody_is_offered_to_skip_what_is_begun():
    game = chess("Ann", "Ben")
    law(game, "allow skip\nprevails over 201")
    turns(game, 1)
    nothing(game)
    assert "skip" in [one.action for one in game.pending]
    game = chess("Ann", "Ben")
    law(game, "allow skip\nprevails over 201")
    turns(game, 1)
    game.propose(game.player, nb.enact("Nothing."))
    assert "skip" not in [one.action for one in game.pending]
