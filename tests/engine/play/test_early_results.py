"""What is decided early is proved: brute force over all that players can do agrees, or play leaves it open."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from often import examples
from play_helpers import adopt, evaluated, put, sit

import nomic_nb as nb

FLAGS = ("x", "y", "z")
FLAG = st.sampled_from(FLAGS)
BIT = st.integers(0, 1)
#: A condition: what each of some flags has to be.
CONDITION = st.dictionaries(FLAG, BIT, max_size=2)
#: What can be done, by an offer or by words: when, and which flag it sets to what.
ACT = st.tuples(st.booleans(), CONDITION, FLAG, BIT)
#: What rules do in turn when a flag has changed.
ANSWER = st.tuples(FLAG, CONDITION, FLAG, BIT)


def holds(flags, condition):
    return all(flags[name] == value for name, value in condition.items())


def written(condition):
    return " and ".join(f"game.{name} == {value}" for name, value in condition.items())


def law_of(acts, answers, ban):
    """The clauses of a law in which players set flags, rules answer, and nobody may roll while the flags are so."""
    lines = [f"track {name} per game from 0" for name in FLAGS]
    for at, (offered, condition, flag, value) in enumerate(acts):
        when = written(condition)
        if offered:
            lines.append(f'offer "act {at}"{f" when {when}" if when else ""}: put {flag} at {value}')
        else:
            said = f'text == "act {at}"'
            lines.append(f"on said when {said}{f' and {when}' if when else ''}: put {flag} at {value}")
    for heard, condition, flag, value in answers:
        when = f" and {written(condition)}" if condition else ""
        lines.append(f'on counted when counter == "{heard}"{when}: put {flag} at {value}')
    return "\n".join([*lines, f"forbid roll when {written(ban)}", "prevails over everything"])


def after(flags, flag, value, answers, depth=8):
    """The flags once one is set and rules have answered; None where they answer without end."""
    if flags[flag] == value:
        return flags
    if depth == 0:
        return None
    flags = {**flags, flag: value}
    for _heard, condition, other, its in [one for one in answers if one[0] == flag]:
        if holds(flags, condition):
            flags = after(flags, other, its, answers, depth - 1)
            if flags is None:
                return None
    return flags


def reached(flags, acts, answers):
    """All that the flags can become, by whatever players do in whatever order."""
    waiting, found = [flags], [flags]
    while waiting:
        now = waiting.pop()
        for _, condition, flag, value in acts:
            then = after(now, flag, value, answers) if holds(now, condition) else now
            if then is None:
                return None
            if then not in found:
                found.append(then)
                waiting.append(then)
    return found


@pytest.mark.rule("discordian-nomic", 213)
@examples(12)
@given(
    acts=st.lists(ACT, max_size=4),
    answers=st.lists(ANSWER, max_size=1),
    ban=st.dictionaries(FLAG, st.just(0), min_size=1, max_size=2),
)
@example(acts=[(True, {}, "x", 1), (True, {"x": 1}, "y", 1)], answers=[], ban={"y": 0})
@example(acts=[(False, {}, "x", 1), (False, {"x": 1}, "y", 1), (True, {"y": 1}, "z", 1)], answers=[], ban={"z": 0})
@example(acts=[(True, {}, "x", 1), (True, {}, "y", 1)], answers=[("y", {"x": 1}, "z", 1)], ban={"z": 0})
def test_play_is_stuck_only_where_nothing_that_players_do_lets_it_go_on(acts, answers, ban):
    start = dict.fromkeys(FLAGS, 0)
    ways = reached(start, acts, answers)
    if ways is None:
        return
    game = sit("Ann", "Ben")
    adopt(game, nb.enact("Flags.", law=law_of(acts, answers, ban)))
    lifted = any(not holds(flags, ban) for flags in ways)
    if game.over:
        assert not lifted
    elif not game.state.questions:  # play waits, and for something that lets it go on
        must = [one for one in game.pending if one.must]
        assert must
        assert lifted
        one = must[0]
        if one.action == "take":
            game.take(one.player, one.options[0])
        else:
            game.say(one.player, one.options[0])
        assert not holds({name: evaluated(game, f"game.{name}") for name in FLAGS}, ban)


@pytest.mark.parametrize(
    "clauses",
    [
        (
            'offer "a": award 1 x to game\non counted when counter == "x" and game.x == 2: put y at 1\n'
            "forbid roll when game.y == 0"
        ),
        (
            'offer "a" when game.x == 0: put x at 1\nset counter.value to was while counter == "y" and game.x == 0\n'
            'offer "b": award 1 y to game\nforbid roll when game.y == 0'
        ),
        'offer "a" when game.x == 0: put x at 1\noffer "b" when game.x == 1: repeal this\nforbid roll',
        'on said when text == "a": after 1 hours: put x at 1\nforbid roll when game.x == 0',
    ],
)
def test_an_act_that_opens_the_way_for_another_is_not_taken_for_nothing(clauses):
    game = sit()
    game.host.time("2026-11-22 18:00")
    tables = "track x per game from 0\ntrack y per game from 0\n"
    adopt(game, nb.enact("Step by step.", law=f"{tables}{clauses}\nprevails over everything"))
    assert not game.over


@pytest.mark.rule("discordian-nomic", 213)
@pytest.mark.parametrize(
    "clauses",
    [
        'offer "a": award 1 x to game\nforbid roll',
        'offer "a" when game.x < 3: award 1 x to game\nforbid roll when game.y == 0',
    ],
)
def test_an_act_on_which_nothing_hangs_does_not_keep_play_from_ending(clauses):
    game = sit()
    tables = "track x per game from 0\ntrack y per game from 0\n"
    adopt(game, nb.enact("In vain.", law=f"{tables}{clauses}\nprevails over everything"))
    assert game.winner == "Ann"


@pytest.mark.rule("discordian-nomic", 114)
@examples(5)
@given(period=st.integers(2, 900), rest=st.integers(0, 900), sign=st.sampled_from(["==", "!=", "<", ">"]))
@example(period=100, rest=77, sign="!=")
@example(period=700, rest=650, sign="<")
def test_rule_changes_are_impossible_only_if_no_turn_to_come_lets_one_be_proposed(period, rest, sign):
    game = sit()
    condition = f"turn % {period} {sign} {rest}"
    outcome = put(game, nb.enact("At times.", law=f"forbid propose when {condition}")).outcome
    barred = all(eval(condition, {}, {"turn": turn}) for turn in range(1_000, 1_000 + period))  # noqa: S307
    assert outcome == ("without effect" if barred else "adopted")
