"""Rules that would do nothing, or after which nobody could win or move, are remarked upon before they are made."""

import pytest
from make_a_rule_helpers import begun
from play_helpers import sit
from study.warned import told, warned

import nomic_nb as nb

ONE = "Zaphod:1"


def amended(law):
    """An amendment that says this."""
    return nb.enact("So be it.", law, standing="amendment")


def idle(law, universe=""):
    """What a review says of a rule that makes no difference."""
    game = begun(3)
    return told(game.review("Ann", nb.enact("So be it.", law, universe=universe)), "no-difference")


@pytest.mark.parametrize("universe", ["", ONE])
@pytest.mark.parametrize(
    ("law", "code", "values"),
    [
        ('piece N moves "N"', "no-term-changes", {"keys": "piece.moves"}),
        ('piece N moves "N" while circuit > 3', "changes-nothing", {"when": "circuit > 3"}),
        ("set capture.from to army.rivals", "no-term-changes", {"keys": "capture.from"}),
        ('piece N moves "NK" while circuit < 1', "time-past", {"condition": "circuit < 1", "field": "circuit"}),
        (
            "set castling.on to false while turn == 0 and circuit > 0",
            "time-past",
            {"condition": "turn == 0", "field": "turn"},
        ),
        ('on moved when turn % 2 == 3: promote piece to "N"', "time-past", {"condition": "(turn % 2) == 3"}),
        ('on thrown when face == 7: promote army_named("white").pieces to "N"', "nobody-rolls", {}),
        (
            'on skipped: promote army_named("white").pieces to "N"',
            "action-not-allowed",
            {"action": "skip the rest of the turn"},
        ),
        ('piece Z moves "Q"\nset castling.on to false', "piece-unknown", {"kind": "Z"}),
        ('forbid move when piece.kind == "Z"', "piece-unknown", {"kind": "Z"}),
        ('on captured when piece.kind == "Z": convert piece to army_named("white")', "piece-unknown", {"kind": "Z"}),
    ],
)
def test_what_does_nothing(law, universe, code, values):
    assert any(one == code and values.items() <= there.items() for one, there in idle(law, universe))


@pytest.mark.parametrize("universe", ["", ONE])
@pytest.mark.parametrize(
    "law",
    [
        'piece N moves "NK"',
        'piece N moves otherwise + "C"',
        'piece N moves "NK" while circuit == 150',
        'piece N moves "NK" while circuit % 5 == 0',
        'piece N moves "NK" while army.name == "green"',
        "set castling.on to false",
        "set capture.from to []",
        'forbid move when piece.kind == "N"',
        (
            'on moved when piece.kind == "P": roll 1 of 6 as luck; when luck == 6: promote piece to "N"\n'
            'on thrown when face == 6: promote army_named("white").pieces to "N"'
        ),
        f'on turn_ended: place "Z" of army_named("white") at square_named("{ONE}.e4")\npiece Z moves "Q"',
        'set promotion.kinds to ["Z", "Q"]\npiece Z moves "C"',
    ],
)
def test_what_does_something(law, universe):
    assert idle(law, universe) == []


def destructive(change, look):
    """What is said to be wrecked by a change that Ann proposes, once it is proposed or in a review."""
    game = begun(3, restricted=True)
    return told(game.review("Ann", change) if look == "review" else game.propose("Ann", change).remarks, "destructive")


@pytest.mark.rule("make-a-rule", "R14")
@pytest.mark.parametrize("look", ["remarks", "review"])
@pytest.mark.parametrize(
    ("change", "code", "values"),
    [
        (nb.repeal("C1"), "terms-missing", {}),
        (nb.repeal("M4"), "nobody-put-out", {"rule": "R13"}),
        (nb.repeal("R13"), "term-missing", {"term": "win.winners"}),
        (amended("set win.winners to []"), "nobody-wins", {}),
        (amended("set win.winners to [] while circuit > 2"), "nobody-wins-then", {"when": "circuit > 2"}),
        (amended('set royal.capture to "never"'), "no-royal-captured", {}),
        (amended("set capture.from to []"), "no-royal-captured", {}),
        (amended("forbid move"), "nobody-moves", {}),
        (amended("set move.count to 0"), "nobody-moves", {}),
        (amended('set turn.sequence to [player_named("Ann")]'), "turn-lost", {"players": "Ben and Cleo"}),
        (amended('set turn.next to [player_named("Ann")]'), "turn-taken-again", {"players": "Ann"}),
        (amended('instead of eliminated: announce "Never."'), "nobody-put-out", {}),
        (amended("on turn_begun: end turn"), "turn-ends-at-once", {"clause": "on turn_begun: end turn"}),
    ],
)
@pytest.mark.slow
def test_that_nobody_could_win_or_move_any_more_is_said_before_the_vote(change, code, values, look):
    assert any(one == code and values.items() <= there.items() for one, there in destructive(change, look))


@pytest.mark.parametrize("look", ["remarks", "review"])
@pytest.mark.parametrize(
    "change",
    [
        nb.repeal("K8"),
        amended("set win.winners to playing while count(playing) == 2"),
        amended("set win.winners to [p for p in playing if count(pieces_of(p)) > 40] while circuit > 9"),
        amended('set royal.capture to "capture"'),
        amended("forbid move when circuit == 3"),
        amended("on turn_begun when circuit == 3: end turn"),
        amended("set turn.sequence to reversed(seats)"),
    ],
)
@pytest.mark.slow
def test_what_leaves_the_way_open_is_not_said_to_close_it(change, look):
    assert {code for code, _ in destructive(change, look)} <= {"terms-missing"}


def test_whoever_has_most_can_win_where_points_are_counted():
    game = sit()
    rule = game.why("win.winners").rule
    for law, nobody in (
        ("set win.winners to []", True),
        ("set win.winners to [p for p in playing if p.points < 0 and p.points > 5]", True),
        ("set win.winners to [p for p in playing if p.points > 1000000]", False),
    ):
        assert warned(game.review("Ann", nb.amend(rule, "Otherwise.", law)), "nobody-wins") is nobody, law


def test_more_moves_than_boards_are_none():
    assert [(code, values["rule"]) for code, values in idle("set move.count to 9")] == [("moves-limited", "K1")]
    for law in ("set move.count to 1", 'set move.count to 9\nset move.on_push to "any"', "set move.count to 2"):
        assert idle(law) in ([], [("no-term-changes", {"keys": "move.count"})])


@pytest.mark.rule("make-a-rule", "R3", "R14")
def test_where_rules_rank_otherwise_what_they_are_torn_about_is_said_before_the_vote():
    game = begun(3, restricted=True)
    assert warned(game.propose("Ann", nb.repeal("R3")).remarks, "law-torn", where="move.count")
