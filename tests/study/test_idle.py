"""Rules that would do nothing, or after which nobody could win or move, are remarked upon before they are made."""

import pytest
from make_a_rule_helpers import begun
from play_helpers import sit

import nomic_nb as nb

ONE = "Zaphod:1"


def amended(law):
    """An amendment that says this."""
    return nb.enact("So be it.", law, standing="amendment")


def told(law, universe=""):
    """What a review says of a rule that makes no difference."""
    game = begun(3)
    found = game.review("Ann", nb.enact("So be it.", law, universe=universe))
    return [one.evidence for one in found.warnings if one.name == "no difference"]


@pytest.mark.parametrize("universe", ["", ONE])
@pytest.mark.parametrize(
    ("law", "why"),
    [
        ('piece N moves "N"', "change no term in any case that was looked at (piece.moves)"),
        ('piece N moves "N" while circuit > 3', "even where circuit > 3"),
        ("set capture.from to army.rivals", "change no term in any case that was looked at (capture.from)"),
        ('piece N moves "NK" while circuit < 1', "never applies: circuit < 1 is so in no circuit from now on"),
        ("set castling.on to false while turn == 0 and circuit > 0", "turn == 0 is so in no turn from now on"),
        ('on moved when turn % 2 == 3: promote piece to "N"', "(turn % 2) == 3 is so in no turn from now on"),
        ('on thrown when face == 7: promote army_named("white").pieces to "N"', "no rule has anybody throw"),
        ('on skipped: promote army_named("white").pieces to "N"', "no rule allows to pass over the rest of one's turn"),
        ('piece Z moves "Q"\nset castling.on to false', "speaks of pieces Z, and there are none"),
        ('forbid move when piece.kind == "Z"', "speaks of pieces Z, and there are none"),
        ('on captured when piece.kind == "Z": convert piece to army_named("white")', "speaks of pieces Z"),
    ],
)
def test_what_does_nothing(law, universe, why):
    assert any(why in one for one in told(law, universe))


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
    assert told(law, universe) == []


def destructive(change, look):
    """What is said to be wrecked by a change that Ann proposes, once it is proposed or in a review."""
    game = begun(3, restricted=True)
    if look == "review":
        return [one.evidence for one in game.review("Ann", change).warnings if one.name == "destructive"]
    return [": ".join(filter(None, (one.line, one.evidence))) for one in game.propose("Ann", change).remarks]


@pytest.mark.rule("make-a-rule", "R14")
@pytest.mark.parametrize("look", ["remarks", "review"])
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (nb.repeal("C1"), "things that play needs would be laid down by no rule: turn.sequence"),
        (nb.repeal("M4"), "no rule puts anybody out any more, and who wins depends on who is left (rule R13)"),
        (nb.repeal("R13"), "no rule says what win.winners is any more"),
        (amended("set win.winners to []"), "nobody wins any more, neither who is left alone nor who has most"),
        (amended("set win.winners to [] while circuit > 2"), "nobody wins any more where circuit > 2"),
        (amended('set royal.capture to "never"'), "no royal piece can be captured any more"),
        (amended("set capture.from to []"), "no royal piece can be captured any more"),
        (amended("forbid move"), "nobody may move any more"),
        (amended("set move.count to 0"), "nobody may move any more"),
        (amended('set turn.sequence to [player_named("Ann")]'), "Ben and Cleo would have no turn any more"),
        (amended('set turn.next to [player_named("Ann")]'), "whenever a turn ends, the next would be Ann’s again"),
        (amended('instead of eliminated: announce "Never."'), "no rule puts anybody out any more"),
        (amended("on turn_begun: end turn"), "nobody gets to do anything in a turn: “on turn_begun: end turn”"),
    ],
)
def test_that_nobody_could_win_or_move_any_more_is_said_before_the_vote(change, said, look):
    assert any(said in one for one in destructive(change, look))


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
def test_what_leaves_the_way_open_is_not_said_to_close_it(change, look):
    assert not any("any more" in one or "nobody" in one for one in destructive(change, look))


def test_whoever_has_most_can_win_where_points_are_counted():
    game = sit()
    rule = game.why("win.winners").rule
    for law, nobody in (
        ("set win.winners to []", True),
        ("set win.winners to [p for p in playing if p.points < 0 and p.points > 5]", True),
        ("set win.winners to [p for p in playing if p.points > 1000000]", False),
    ):
        found = game.review("Ann", nb.amend(rule, "Otherwise.", law)).warnings
        assert any("nobody wins any more" in one.evidence for one in found) is nobody, law


def test_more_moves_than_boards_are_none():
    assert any("gives no more moves than there are boards: as rule K1" in one for one in told("set move.count to 9"))
    for law in ("set move.count to 1", 'set move.count to 9\nset move.on_push to "any"', "set move.count to 2"):
        assert told(law) in ([], ["its clauses change no term in any case that was looked at (move.count)"])


@pytest.mark.rule("make-a-rule", "R3", "R14")
def test_where_rules_rank_otherwise_what_they_are_torn_about_is_said_before_the_vote():
    game = begun(3, restricted=True)
    found = [one.line for one in game.propose("Ann", nb.repeal("R3")).remarks]
    assert any(one.startswith("the law is torn about move.count (rule K1: ") for one in found)
