"""Rules that are suspended for a while; changes that wait until they are ready; rules that are entrenched."""

import refusals
from play_helpers import idle, law, open_up, put, refused, scores, sit

import nomic_nb as nb


def said(game, word, player="Ann"):
    game.say(player, word)


def test_a_rule_is_suspended_and_revived_by_another():
    game = sit()
    number = law(game, 'on said when text == "gold": award 5 points to player', "Say gold, get gold.")
    law(
        game,
        f'on said when text == "stop": void rule_numbered({number})\n'
        f'on said when text == "go": revive rule_numbered({number})\n'
        f'on said when text == "well?": award (1 if rule_numbered({number}).suspended else 2) points to player',
    )
    before = scores(game)["Ann"]
    said(game, "gold")
    said(game, "stop")
    said(game, "gold")
    assert scores(game)["Ann"] == before + 5
    said(game, "well?")
    assert scores(game)["Ann"] == before + 6
    assert "suspended until a rule revives it" in str(game.rules[number])
    assert bool(game.rules.frame.loc[number].void) is True
    assert f"rule {number} is suspended until it is revived" in list(game.history["what"])
    said(game, "go")
    said(game, "gold")
    assert scores(game)["Ann"] == before + 11
    assert f"rule {number} is in force again" in list(game.history["what"])


def test_a_rule_begins_later_and_ends_by_itself():
    game = sit("Ann", "Ben")
    number = law(game, "on enacted when rule == this: (void this; after 3 turns: revive this)\n"
                 "on turn_ended when turn > 5: void this\non turn_ended: award 40 points to player\n"
                 "set win.points to 900\nprevails over everything")  # fmt: skip
    gains = []
    for _ in range(6):
        before = sum(scores(game).values())
        idle(game, face=1)
        gains.append(sum(scores(game).values()) - before > 30)
    first = gains.index(True)
    assert first >= 1  # not at once
    assert gains == [False] * first + [True] * sum(gains) + [False] * (6 - first - sum(gains))
    assert not gains[-1]
    assert "suspended" in str(game.rules[number])


def test_no_weaker_rule_suspends_what_it_may_not_repeal():
    game = sit()
    law(game, 'on said when text == "down": void rule_numbered(104)')
    said(game, "down")
    assert "suspended" not in str(game.rules[104])
    assert any("does not happen: rule" in one for one in game.history["what"])


def test_what_is_suspended_makes_no_other_rule_void_and_a_record_plays_again(tmp_path):
    game = sit()
    opened = open_up(game, 110)
    law(
        game,
        "set change.automatic to true\nprevails over everything\n"
        'on said when text == "down": void rule_numbered(105)\non said when text == "up": revive rule_numbered(105)',
    )
    number = law(game, "set vote.duty to false\nset vote.ended_by to [proponent]")
    assert "void: it contradicts rule 105" in str(game.rules[number])
    said(game, "down")
    assert "void" not in str(game.rules[number])
    assert "suspended" in str(game.rules[105])
    said(game, "up")
    assert "void: it contradicts rule 105" in str(game.rules[number])
    assert opened in game.rules
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def test_a_rule_that_is_suspended_is_not_applied():
    game = sit()
    number = law(game, "", "Whoever hums loses 2 points.")
    law(game, f'on said when text == "stop": void rule_numbered({number})')
    said(game, "stop")
    with refused(game, "rule-not-of-people", kind="suspended", rule=number):
        game.apply("Ann", number, 'award -2 points to "Ben"')


def test_change_ready():
    game = sit()
    law(
        game,
        'set change.effective to "when ready"\nset change.ready to player_named("Ann").points >= 30\n'
        "prevails over everything",
    )
    made = put(game, nb.enact("Gold.", law='on said when text == "gold": award 5 points to player'))
    assert made.outcome == "waiting"
    assert "takes effect once it is ready" in " ".join(game.history["what"])
    said(game, "gold")
    while scores(game)["Ann"] < 30:
        game.roll(game.player, 6)
        made_now = put(game, nb.enact("Nothing."))
    assert made.outcome == "adopted"
    assert made_now is not None
    assert any(rule.wording == "Gold." for rule in game.rules)


def test_a_change_that_is_ready_takes_effect_at_once():
    game = sit()
    law(game, 'set change.effective to "when ready"\nset change.ready to true\nprevails over everything')
    assert put(game, nb.enact("Gold.")).outcome == "adopted"


RANKED = 'set precedence.by to ["highest weight", "claims", "newest"]\nprevails over everything'


def entrenched():
    """Four rules: what decides between rules is a number that each of them has."""
    game = sit()
    law(game, "track weight per rule from 0")
    law(game, RANKED)
    law(game, 'on said when text == "more": put weight(rule_numbered(304)) at weight(rule_numbered(304)) + 1\n'
        'on said when text == "less": put weight(rule_numbered(304)) at 0 - 1')  # fmt: skip
    assert law(game, "set win.points to 700") == 304
    assert law(game, "set win.points to 900") == 305
    return game


def test_precedence_by_what_rules_have():
    game = entrenched()
    assert game.law["win.points"].value == 900
    said(game, "more")
    finding = game.law["win.points"]
    assert (finding.value, finding.rule) == (700, 304)
    assert "rule 304 has more weight (rule 302)" in str(finding)
    said(game, "less")
    assert game.law["win.points"].value == 900


def test_what_rules_are_ranked_by_is_frozen_for_a_step(tmp_path):
    game = entrenched()
    law(game, 'on said when text == "both": put weight(rule_numbered(304)) at 5; '
        "award 1 points to [p for p in playing if win.points == 700]")  # fmt: skip
    before = scores(game)
    said(game, "both")
    assert scores(game) == before  # the order of its beginning judges a step
    assert game.law["win.points"].value == 700
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert again.state.digest() == game.state.digest()
    assert again.law["win.points"].value == 700


def test_precedence_by_what_is_not_tracked_per_rule_is_refused():
    game = sit()
    law(game, "track coins per player from 0")
    for name in ("highest weight", "lowest coins", "highest"):
        with refusals.refused("value-unknown", name="precedence.by"):
            game.propose(game.player, nb.enact("So.", law=f'set precedence.by to ["{name}"]'))
