"""The table for Nomic Chess."""

from __future__ import annotations

from probes.dice import CAP, MORE, talk
from probes.everywhere import ALL, EVERYWHERE, MAJORITY, MUTABLE_MEANS_OPEN, TURN_BY_TURN
from probes.looks import (
    effective,
    first_judge,
    idle,
    insists,
    needs_consent,
    next_to_propose,
    outcome_of,
    over,
    prevailing,
    seen,
    skips,
    term,
    votes_weigh,
)
from probes.table import none, probe

ARMIES = ["white", "yellow", "green"]


def spoken(at):
    """Who has won once Ben has spoken."""
    at.game.say("Ben", "Out with them.")
    at.heed()
    return list(at.game.winners)


def last_one_left(at):
    at.game.forfeit("Cleo")
    at.heed()
    at.game.forfeit("Ben")
    at.heed()
    return list(at.game.winners)


def quota_after_two_circuits(at):
    at.idle(5)
    at.begin()
    return int(at.game.why("vote.quota", idle(at)).value)


def can_move(at):
    """Whether Ben can move a piece once his proposal was voted on."""
    at.put(idle(at), player="Ben")
    at.heed()
    return any(one.action == "move" and one.player == "Ben" for one in at.game.pending)


def moves_a_pawn(at):
    """Whether Ben, whose turn has its moves, can move a pawn too."""
    at.put(idle(at), player="Ben")
    at.heed()
    owed = next(one for one in at.game.pending if one.action == "move" and one.player == "Ben")
    return any("2-" in option for option in owed.options)  # all others stand on the first rank


def pieces(at, kind, army):
    return sum(piece.kind.upper() == kind for piece in at.game.state.position.pieces.values() if piece.army == army)


def army_of(at, who):
    return next(name for name, army in at.game.state.position.armies.items() if army.controller == who)


def promotes(at):
    """Whether Cleo, who was against it, can promote a pawn at once."""
    at.put(idle(at), ["Cleo"], "Ben")
    at.heed()
    offered = next((one for one in at.game.pending if one.action == "choose" and one.player == "Cleo"), None)
    return offered is not None and at.does(lambda: at.game.choose("Cleo", offered.options[0], offered.id))


def demotes(at):
    """Whether Ben has a pawn less, once his proposal was defeated and he chose one."""
    at.put(idle(at), ALL, "Ben")
    at.heed()
    owed = next((one for one in at.game.pending if one.action == "choose" and one.player == "Ben"), None)
    if owed is None:
        return False
    before = len(at.game.state.position.pieces)
    pawn = next(one for one in owed.options if ".a2" in one or "a2" in one)
    at.game.choose("Ben", pawn, owed.id)
    at.heed()
    return len(at.game.state.position.pieces) < before


def talks(at):
    """Whether Cleo can say something, in no debate."""
    at.begin("Ben")
    return at.does(lambda: at.game.say("Cleo", "An alliance, Ann?"))


CHESS = [
    *EVERYWHERE,
    *MUTABLE_MEANS_OPEN,
    *TURN_BY_TURN,
    # 112: to win is to eliminate all others; how one is eliminated can be changed
    probe(112, "ann-wins", 'set win.winners to [player_named("Ann")]\nprevails over everything', "defeated",
          "to win is to eliminate all others, and nothing else", over([], ["Ann"])),
    probe(112, "points-win",
          "track points per player from 0\non said: award 1 points to player\n"
          "set win.winners to [p for p in playing if p.points >= 1]\nprevails over <208>",
          "defeated", "points are another state of affairs", seen(spoken, [], ["Ben"])),
    probe(112, "out-by-a-word", "on said: eliminate [p for p in playing if p != player]", "works",
          "how a player is eliminated may be changed", seen(spoken, [], ["Ben"])),
    # 201: turns of armies, a half-board of four by eight each
    probe(201, "backwards", "set turn.sequence to reversed(batting_order)", "defeated",
          "201 has the lower number (211)", term("turn.sequence", ARMIES, ARMIES[::-1])),
    probe(201, "passing", "allow skip", "defeated", "turns may not be passed; 201 has the lower number",
          seen(skips, False, True)),
    probe(201, "passing-it-says", "allow skip\nprevails over <201>", "works", "it goes before 201, and says so",
          seen(skips, False, True)),
    probe(201, "ann-again", 'set turn.next to [army_named("white")]', "defeated",
          "turns alternate; 201 has the lower number", seen(next_to_propose, "Ben", "Ann")),
    probe(201, "ben-is-passed-over", 'on turn_begun when player.name == "Ben": end turn', "defeated",
          "turns may not be skipped; 201 has the lower number", seen(next_to_propose, "Ben", "Cleo")),
    probe(201, "ben-is-passed-over-it-says",
          'on turn_begun when player.name == "Ben": end turn\nprevails over <201>', "works",
          "it goes before 201, and says so", seen(next_to_propose, "Ben", "Cleo")),
    probe(201, "ben-has-no-turn", 'forbid begin_turn when player.name == "Ben"', "defeated",
          "turns may not be skipped; 201 has the lower number", seen(next_to_propose, "Ben", "Cleo")),
    probe(201, "five-ranks", "set board.ranks to 5", "defeated", "a half-board has four rows; 201 has the lower number",
          term("board.ranks", 4, 5, army="white")),
    probe(201, "five-ranks-they-say", "set board.ranks to 5\nprevails over <201>, <215>", "works",
          "it goes before both, and says so", term("board.ranks", 4, 5, army="white")),
    # 202: proposal, moves, takeover
    probe(202, "no-moves", 'set turn.parts to ["proposal", "takeover"]', "defeated",
          "a turn has three parts; 202 has the lower number",
          term("turn.parts", ["proposal", "moves", "takeover"], ["proposal", "takeover"])),
    probe(202, "no-moves-it-says", 'set turn.parts to ["proposal", "takeover"]\nprevails over <202>', "works",
          "it goes before 202, and says so",
          term("turn.parts", ["proposal", "moves", "takeover"], ["proposal", "takeover"])),
    probe(202, "no-pawn-moves", 'forbid move when piece.kind == "P"', "works",
          "how pieces move is said by 214 and 217 to 219, and a limit on it leaves the part of the turn (with the knights)",
          seen(moves_a_pawn, True, False)),
    probe(202, "ben-does-not-move", 'forbid move when player.name == "Ben"', "defeated",
          "a turn has its moves, and parts may not be left out; 201 and 202 have lower numbers",
          seen(can_move, True, False)),
    # 203: unanimity, and a majority after two circuits
    probe(203, "one-vote", "set vote.quota to 1", "defeated", "203 has the lower number (211)",
          outcome_of(idle, "defeated", "adopted", ["Ann"])),
    probe(203, "one-vote-it-says", "set vote.quota to 1\nprevails over <203>", "works",
          "it goes before 203, and says so", outcome_of(idle, "defeated", "adopted", ["Ann"])),
    probe(203, "one-vote-by-amendment", "set vote.quota to 1", "works", "203 is mutable and can be amended",
          outcome_of(idle, "defeated", "adopted", ["Ann"]), amends=203),
    probe(203, "no-change-by-itself", "set change.automatic to false", "defeated",
          "it changes by itself after the second circuit; 203 has the lower number",
          seen(quota_after_two_circuits, 2, 3)),
    probe(203, "unanimity-for-ever", "set vote.quota to unanimity(vote.electorate)", "defeated",
          "the changed 203 has the lower number still", seen(quota_after_two_circuits, 2, 3)),
    # 204: who was against it may promote a piece
    probe(204, "no-promotion-for-cleo", 'forbid choose when player.name == "Cleo"', "defeated",
          "204 has the lower number (211)", seen(promotes, True, False), before=MAJORITY),
    probe(204, "another-ladder", 'set ladder.kinds to ["P", "Q"]', "defeated",
          "204 and 206 say the steps, and have lower numbers",
          term("ladder.kinds", ["P", "N", "B", "R", "Q"], ["P", "Q"])),
    probe(204, "another-ladder-it-says", 'set ladder.kinds to ["P", "Q"]\nprevails over <204>, <206>', "works",
          "it goes before both, and says so", term("ladder.kinds", ["P", "N", "B", "R", "Q"], ["P", "Q"])),
    probe(205, "effect-after-the-turn", 'set change.effective to "turn ended"', "defeated",
          "205 has the lower number (211)", seen(effective, True, False)),
    probe(205, "effect-after-the-turn-it-says", 'set change.effective to "turn ended"\nprevails over <205>', "works",
          "it goes before 205, and says so; 107 only forbids what is earlier", seen(effective, True, False)),
    # 206: defeat costs a step
    probe(206, "no-demotion-for-ben", 'forbid choose when player.name == "Ben"', "defeated",
          "the proponent must demote a piece; 206 has the lower number", seen(demotes, True, False)),
    probe(207, "two-votes-for-ann", 'set vote.weight to 2 while voter.name == "Ann"', "defeated",
          "207 has the lower number (211)", votes_weigh("Ann", 1, 2)),
    probe(207, "two-votes-for-ann-it-says", 'set vote.weight to 2 while voter.name == "Ann"\nprevails over <207>',
          "works", "it goes before 207, and says so", votes_weigh("Ann", 1, 2)),
    # 208, 222: the last one left
    probe(208, "nobody-ever-wins", "set win.winners to []\nprevails over everything", "defeated",
          "to eliminate all others is to win (112)", seen(last_one_left, ["Ann"], [])),
    probe(222, "the-last-does-not-win", "set win.winners to []\nprevails over <208>, <222>", "defeated",
          "the last player wins: 112 has it that elimination of all others is what winning is",
          seen(last_one_left, ["Ann"], [])),
    # 209: thirty-five mutable rules
    probe(209, "more-by-an-effect", MORE, "refused or defeated",
          "at no time are there more than 35, wherever they come from", seen(lambda at: talk(at, 20, 35), False, True)),
    probe(209, "a-higher-cap-it-says", f"{CAP}\nprevails over <209>\n{MORE}", "works",
          "it goes before 209, and says so", seen(lambda at: talk(at, 20, 35), False, True)),
    none(210, "binds people and their plans, and not in games by computer"),
    # 211: the lowest number, unless rules say otherwise of themselves
    probe(211, "highest-first", 'set precedence.by to ["claims", "highest number"]', "defeated",
          "211 itself has the lower number",
          term("precedence.by", ["claims", "lowest number"], ["claims", "highest number"])),
    probe(211, "highest-first-it-says", 'set precedence.by to ["claims", "highest number"]\nprevails over <211>',
          "works", "it goes before 211, and says so",
          term("precedence.by", ["claims", "lowest number"], ["claims", "highest number"])),
    probe(211, "both-claim", 'set win.when_stuck to [player_named("Cleo")]\nprevails over <213>', "defeated",
          "213 says that it goes first, and so does this rule: then numbers decide", prevailing("win.when_stuck", 213)),
    # 212: the player before the mover judges
    probe(212, "cleo-judges", 'set judge.candidates to [player_named("Cleo")]', "defeated",
          "212 has the lower number (211)", seen(first_judge, "Ann", "Cleo")),
    probe(212, "cleo-judges-it-says", 'set judge.candidates to [player_named("Cleo")]\nprevails over <212>', "works",
          "it goes before 212, and says so", seen(first_judge, "Ann", "Cleo")),
    probe(212, "cleo-insists-in-vain", 'forbid invoke_judgment when player.name == "Cleo"', "defeated",
          "any player's insistence is enough; 212 has the lower number", insists()),
    probe(212, "no-consent-needed", "set judge.consent to true", "defeated",
          "the next turn waits for the consent of a majority of the others; 212 has the lower number",
          seen(needs_consent, True, False)),
    probe(213, "cleo-wins-when-stuck", 'set win.when_stuck to [player_named("Cleo")]', "defeated",
          "213 goes before every other rule on the winner", prevailing("win.when_stuck", 213)),
    probe(213, "cleo-wins-by-amendment", 'set win.when_stuck to [player_named("Cleo")]', "works",
          "213 is mutable, and 112 lets such rules be amended", term("win.when_stuck", [None], ["Cleo"]), amends=213),
    # 214: the rules of FIDE, save where these rules provide otherwise
    probe(214, "knights-like-nightriders", 'piece N moves "NN"', "works", "214 gives way to whatever the rules provide",
          term("piece.moves", "N", "NN", kind="N", army="white")),
    probe(214, "no-castling", "set castling.on to false", "works", "214 gives way to whatever the rules provide",
          term("castling.on", True, False)),
    probe(215, "six-files", "set board.files to 6\nprevails over <201>", "defeated",
          "half a chessboard has eight files; 215 has the lower number", term("board.files", 8, 6, army="white")),
    # 216: the batting order is never changed
    probe(216, "another-order", "set turn.sequence to reversed(batting_order)\nprevails over <201>", "defeated",
          "it goes before 201 only; 216 has the lower number", term("turn.sequence", ARMIES, ARMIES[::-1])),
    probe(216, "another-order-it-says", "set turn.sequence to reversed(batting_order)\nprevails over <201>, <216>",
          "works", "it goes before both, and says so", term("turn.sequence", ARMIES, ARMIES[::-1])),
    # 217: two half-boards for every move
    probe(217, "one-half-board", "set move.boards_joined to [1]", "defeated",
          "two are pushed together; 217 has the lower number", term("move.boards_joined", [2], [1], army="white")),
    probe(217, "one-half-board-it-says", "set move.boards_joined to [1]\nprevails over <217>", "works",
          "it goes before 217, and says so", term("move.boards_joined", [2], [1], army="white")),
    # 218: talk
    probe(218, "cleo-is-silent", 'forbid say when player.name == "Cleo"', "defeated",
          "talk is allowed; 218 has the lower number", seen(talks, True, False)),
    probe(218, "cleo-is-silent-it-says", 'forbid say when player.name == "Cleo"\nprevails over <218>', "works",
          "it goes before 218, and says so", seen(talks, True, False)),
    # 219: a move for each half-board that pieces are on
    probe(219, "two-moves", "set move.count to 2", "defeated", "one half-board, one move; 219 has the lower number",
          term("move.count", 1, 2, army="white")),
    probe(219, "two-moves-it-says", "set move.count to 2\nprevails over <219>", "works",
          "it goes before 219, and says so", term("move.count", 1, 2, army="white")),
    # 220: whose army it is, and who checks whom
    probe(220, "all-give-check", "set check.from to armies", "defeated",
          "armies of one player do not check each other; 220 has the lower number",
          term("check.from", ARMIES[1:], ARMIES, army="white")),
    probe(220, "cleo-gets-every-army", 'set mate.captor to player_named("Cleo")', "defeated",
          "whoever mates a king gets the army; 220 has the lower number",
          term("mate.captor", "Ben", "Cleo", army="white", joiner="Ben", checkers=[])),
    # 221: check when boards are pushed together
    probe(221, "an-enemy-in-check", 'set check.enemy_on_push to "nothing"', "defeated",
          "it counts as mate; 221 has the lower number", term("check.enemy_on_push", "mate", "nothing", army="white")),
    probe(221, "an-enemy-in-check-it-says", 'set check.enemy_on_push to "nothing"\nprevails over <221>', "works",
          "it goes before 221, and says so", term("check.enemy_on_push", "mate", "nothing", army="white")),
    probe(221, "ones-own-check", 'set check.own_on_push to "may stay"', "defeated",
          "it must be parried; 221 has the lower number",
          term("check.own_on_push", "must parry", "may stay", army="white")),
]  # fmt: skip
