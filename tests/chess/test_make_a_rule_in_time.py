"""Make-A-Rule Chess: what time, tables and names of a rule's own bring about for some, the others judge."""

import re
from dataclasses import replace
from itertools import islice

import pytest
from make_a_rule_helpers import asked, begun, make, multiverse, phase
from refusals import refused

import nomic_nb as nb
from nomic_nb.chess.fairplay import coming_turns
from nomic_nb.engine.law.nodes import View, limit_steps
from nomic_nb.engine.play.trial_adoption import TrialEngine
from nomic_nb.notebook.show.game import draw_polls

LEAD = "track lead per player from 1 if player == mover else 0\n"
DIVIDED = "4k3/ppppppp1/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"
TO_MOVE = "turn_begun: let player choose x from royals_of(next_player); let player choose s from empty_squares(x.board)"


def not_taken(game, law, match):
    """A rule is refused, and why."""
    with refused("not-proposable") as caught:
        game.propose(game.player, nb.enact("So be it.", law=law))
    assert re.search(match, caught.value.values["evidence"])
    assert not game.state.questions


def at(position):
    return multiverse(2, restricted=True, position=position)


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize(
    "law",
    [
        'set move.count to 4 while circuit == 2\nset move.on_push to "any" while circuit == 2',
        "set move.count to 0 while count(pieces_of(mover)) < 16",
        "set move.count to 2 while mover in highest(playing, [count(pieces_of(q)) for q in playing])",
    ],
)  # fmt: skip
def test_of_how_many_moves_some_have_the_others_judge(law):
    assert asked(begun(2, restricted=True), law, "unfair advantage") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R5", "R9")
def test_nobody_can_be_left_without_a_move_as_turns_are_counted():
    law = "track n per player from 0\non turn_ended: award 1 n to player\nset move.count to 0 while mover.n > 2"
    not_taken(begun(2, restricted=True), law, "after 6 turns")


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize(
    "law",
    [
        LEAD + "on moved when player.lead == 0: move piece to origin",
        LEAD + 'on moved when piece.kind == "P" and player.lead == 1: promote piece to "Q"',
        LEAD + 'instead of captured when captured_from.controller.lead == 1 and not piece.royal: announce "No."',
        (
            "track mark per player from 0\n"
            "on turn_ended when all(p.mark == 0 for p in playing): put mark of player at 1\n"
            "on moved when player.mark == 1: move piece to origin"
        ),
        (
            "track mark per player from 0\non part_ended when circuit == 1: put mark of player at 1\n"
            "on moved when player.mark == 1: move piece to origin"
        ),
        (
            "track first per game as player from none\n"
            "on part_ended when circuit == 1: put first at player\n"
            "on moved when game.first == player: move piece to origin"
        ),
    ],
)
def test_a_table_in_which_somebody_has_more_from_the_start_tells_players_apart(law):
    assert asked(begun(2, restricted=True), law, "unfair advantage") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize(
    "law",
    [
        (
            "on turn_begun when player in highest(playing, [count(pieces_of(q)) for q in playing]): each b in boards: "
            '(let player choose s from empty_squares(b); each a in armies_of(player): place "Q" of a at s)'
        ),
        f"on {TO_MOVE}; move x to s",
        f"on {TO_MOVE.replace(':', ' when circuit == 2:', 1)}; move x to s",
        "on turn_ended when all(b.pushed < 1 for b in boards): each x in pieces_of(player): shift [x] around by [1, 0]",
    ],
)
@pytest.mark.slow
def test_of_what_comes_by_how_some_stand_the_others_judge(law):
    assert asked(at(DIVIDED), law, "unfair advantage|get too much") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize(
    "law",
    [
        ("instead of captured when not piece.royal and piece.owner in "
        'highest(playing, [count(pieces_of(p)) for p in playing]): announce "No."'),
        'on moved when piece.kind == "P" and count(pieces_of(player)) > 12: promote piece to "Q"',
    ],
)  # fmt: skip
def test_of_what_is_for_those_who_have_more_the_others_judge(law):
    assert asked(begun(2, restricted=True), law, "unfair advantage|get too much") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R8")
def test_of_what_comes_at_once_to_some_the_others_judge():
    moved = "rnbqkbnr/pppppppp/8/8/P1P1P1P1/8/1P1P1P1P/RNBQKBNR w KQkq - 0 1"
    queens = (
        'on enacted each a in armies when rule == this: promote [x for x in a.pieces if x.kind == "P" and {}] to "Q"'
    )
    assert asked(at(moved), queens.format("x.square.rank > 2 or x.moved"), "unfair advantage") == ["Ben"]
    swap = "on enacted each a in armies when rule == this: give a to following(a.controller)"
    assert asked(begun(2, restricted=True), swap, "get too much") == ["Ben"]
    pawns = ("on enacted each x in squares when rule == this and x.piece != none and x.piece.kind == "
             '"P" and not x.piece.royal: promote x.piece to "N"')  # fmt: skip
    assert asked(at(DIVIDED), pawns, "other numbers of N") == ["Ben"]
    assert begun(2, restricted=True).propose("Ann", nb.enact("So be it.", pawns)).outcome == "adopted"


@pytest.mark.rule("make-a-rule", "R5")
@pytest.mark.parametrize(
    "law",
    [
        (
            "on turn_ended each k in royals when count(attackers(k)) > 0: each s in empty_squares(k.board) "
            "when count(covering(s)) == 0: move k to s"
        ),
        "on turn_ended each k in royals: shift attackers(k) around by [1, 0]",
        'instead of captured when piece.royal and piece.moved: announce "No."',
        'instead of captured when piece.royal and count(pieces_of(piece.owner)) < 16: announce "No."',
    ],
)
def test_of_kings_that_may_become_safe_the_others_judge(law):
    assert asked(begun(2, restricted=True), law, "") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R10")
def test_of_moves_that_come_before_a_rule_can_be_made_the_others_judge():
    forced = ("on turn_begun: let player choose x from [p for p in pieces_of(player) if count(moves_with(p)) > 0]; "
              "let player choose m from moves_with(x); make m for player")  # fmt: skip
    assert asked(begun(2, restricted=True), forced, "keeps anybody from making rules") == ["Ben"]


@pytest.mark.rule("make-a-rule", "R12")
def test_check_by_a_movement_that_comes_later_is_seen():
    later = 'piece R moves otherwise + "B" while circuit >= {}'
    for circuit in (2, 3):
        game = at("4k2r/8/8/8/R7/8/8/4K3 w - - 0 1")
        not_taken(game, later.format(circuit), "attacks")


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize("what", ["number", "text"])
def test_a_choice_of_any_number_or_text_is_read(what):
    law = f"on turn_begun: let player choose n from any {what}; each b in boards: shift b.pieces around by [1, 0]"
    assert asked(begun(2, restricted=True), law, "") == ["Ben"]


# --------------------------------------------------------------------------- names, and rules that end


@pytest.mark.rule("make-a-rule", "R8")
@pytest.mark.parametrize(
    "law",
    [
        (
            "on moved: (when count(playing) < 0: (let player choose k from demotable(player); remove k); "
            "let player choose k from [p for p in royals if p.owner != player] or none; remove k)"
        ),
        "on moved: (each k in [p for p in royals if p == piece]: remove k); each k in royals: remove k",
        (
            'on circuit_ended when circuit == 4: (roll 1 of count(playing) as n; announce "x"); each n in [1]: '
            "each a in armies_of(item(playing, n)): each s in [q for q in squares if q.piece == none and q.file == 1]: "
            'place "N" of a at s'
        ),
        (
            "on turn_begun when circuit == 3: roll 1 of 2 as n; "
            "remove [p for p in pieces_of(item(playing, 2 if circuit == 3 else 1)) if not p.royal]"
        ),
        (
            "on turn_begun when circuit == 0: roll 1 of 2 as n; "
            "remove [p for p in pieces_of(item(playing, 1)) if not p.royal]"
            "\non turn_begun when circuit == 3: roll 1 of 2 as n; "
            "remove [p for p in pieces_of(item(playing, 2)) if not p.royal]"
        ),
    ],
)
def test_a_name_that_is_bound_twice_is_taken_for_no_other(law):
    assert asked(begun(2, restricted=True), law, "") == ["Ben"]


def test_a_name_in_a_list_means_nothing_else():
    game = begun(2, restricted=True)
    with refused("means-something", name="piece"):
        game.propose("Ann", nb.enact("So be it.", "on moved: remove [piece for piece in royals if piece == piece]"))


@pytest.mark.rule("make-a-rule", "R5")
def test_a_draft_that_may_never_be_made_ends_no_rule():
    truce = "set capture.from to []\n"
    draft = 'draft x: "Soon."\n    on enacted when rule == this: after 1 turns: repeal this'
    not_taken(begun(2, restricted=True), truce + draft, "could ever capture the king")


@pytest.mark.rule("make-a-rule", "R12")
def test_what_a_draft_would_do_much_later_the_others_judge():
    pawns = 'each b in boards: remove [p for p in b.pieces if p.kind == "P"]'
    law = f'on circuit_ended when circuit == 50: enact x\ndraft x: "Then."\n    on enacted when rule == this: {pawns}'
    assert asked(begun(2, restricted=True), law, "") == ["Ben"]


def test_what_sets_nothing_is_refused_without_words_of_nobody():
    game = begun(2, restricted=True)
    make(game, "")
    with refused("not-proposable") as refusal:
        game.propose(game.player, nb.amend("P1.1", "More."))
    assert "it sets" not in refusal.value.values["evidence"]


# --------------------------------------------------------------------------- what is refused, and what is not


ROW = 'set army.array to ["R..AK..R", "PPPPPPPP"]'
FRESH = """track fresh per game as text from "A"
on circuit_ended when circuit == 9: place game.fresh of army_named("white") at square_named("Zaphod:1.a4")
"""


@pytest.mark.parametrize("bringing", [ROW, FRESH])
def test_a_kind_that_a_rule_brings_can_be_said_how_it_moves(bringing):
    game = multiverse(2)
    make(game, bringing)
    assert game.propose(game.player, nb.enact("So be it.", 'piece A moves "N"')).outcome == "adopted"


@pytest.mark.rule("make-a-rule", "R6")
def test_a_fallen_rule_leaves_nothing_put_off():
    """A repeal that waited for the end of a guarantee is forgone once its rule has fallen, while the table is asked."""
    game = begun(3, kept=("R6", "R16"))
    game.propose("Ann", nb.enact("Ends.", "on turn_begun: repeal this"))
    phase(game)
    game.propose("Ben", nb.enact("Asks.", 'on repealed: roll 1 of (circuit - circuit) as n; announce "y"'))
    game.take("Ben", "challenge a rule")
    while not game.state.questions or game.state.later:
        one = next(one for one in game.pending if one.action == "choose")
        named = [option for option in one.options if option != "none"]
        game.choose(one.player, next((option for option in named if "breaks" in option), named[0]))
        if game.state.questions:
            break
    assert not game.state.later
    assert "forgone" in [event.kind for event in game.timeline.events]
    assert "Put off" not in "".join(str(one) for one in draw_polls(game.state))


@pytest.mark.parametrize(
    "law",
    [
        "",
        "track n per player from 0\non turn_ended: award 1 n to player",
        (
            "track n per player from 0\n"
            "on turn_begun each p in playing when p == player and p.n + 1 < circuit: award 1 n to p"
        ),
        'on turn_ended each k in pieces_of(player) when k.kind == "N" and turn > 6: remove k',
        (
            "track n per player from 0\non part_ended each p in playing when p.n < 2 and p.n < turn: award 1 n to p\n"
            'on counted each k in pieces_of(player) when k.kind == "P" and player.n == 2: remove k'
        ),
        "on turn_ended each r in rules when r.maker == player and r.guarded == (turn > 5): guard r",
    ],
)  # fmt: skip
def test_idle_turns_come_to_the_same_if_nothing_is_left_out_in_them(law, monkeypatch):
    game = begun(2)
    make(game, law)
    state = game.state

    def idle():
        with limit_steps(1_000_000):
            return [one.digest() for one in islice(coming_turns.pass_turns(View(state, {}, state.law), state), 12)]

    known = idle()
    monkeypatch.setattr(coming_turns, "_TurnPassingEngine", lambda state: TrialEngine(state, frozenset()))
    assert known == idle()
    assert len(set(known)) == 12


def test_a_rule_without_clauses_that_is_no_longer_guaranteed_leaves_the_index_of_the_law():
    game = begun(2, restricted=True)
    make(game)
    before = game.state
    guarded = next(rule for rule in before.rules if rule.guarded and not rule.sources)
    freed = before.law.for_book(before.rules.with_rule(replace(guarded, guarded=False)))
    assert freed.candidates is before.law.candidates
    assert not freed.book.rules[guarded.id].guarded
    assert before.law.for_book(before.rules.without_rules(guarded.id)).candidates is before.law.candidates
    spoken = next(rule for rule in before.rules if rule.sources)
    assert before.law.for_book(before.rules.with_rule(replace(spoken, guarded=True))).candidates is not freed.candidates
