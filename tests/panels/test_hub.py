"""The hub: acts come from seats, name the decision that they answer, and are done once."""

from __future__ import annotations

import ast
import gc
import json
import threading
import time
import weakref
from contextlib import contextmanager

import pytest
from panels.pages import Page
from play_helpers import adopt, sit

import nomic_nb as nb
from nomic_nb.notebook.documents.record import searches
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.live.python_source import python_event_call
from nomic_nb.notebook.panels import session
from nomic_nb.notebook.panels.session import hub_of_game
from nomic_nb.study.playouts import play_out
from nomic_nb.study.review.dry_run import HIDDEN_EFFECTS
from nomic_nb.study.review.remarks import is_searched
from nomic_nb.study.review.review import TAKES_LONG
from nomic_nb.study.search.opened import HIDDEN, search_apart, search_proposal

KIND = {"change": {"kind": "enact", "wording": "Be kind.", "law": "", "title": ""}}


@pytest.fixture
def pages(game):
    return {name: Page(game, name) for name in game.players}


def test_three_seats_play_a_turn(game, pages):
    ann, ben, cleo = pages.values()
    assert ann.act("propose", **KIND)["said"].startswith("Ann proposes 301: enact “Be kind”")
    assert [page.table["proposals"]["301"]["vote"]["cast"] for page in pages.values()] == ["0"] * 3
    for page, ballot in ((ann, "for"), (ben, "against"), (cleo, "for")):
        page.act("vote", ballot=ballot)
        assert all(one.table == page.table for one in pages.values())
    assert game.proposals[301].ballots == {"Ann": "for", "Ben": "against", "Cleo": "for"}
    ann.act("roll")
    assert game.player == "Ben"
    assert list(ben.asked) == ["propose:None:Ben"]
    assert ann.asked == {}
    assert ann.table["waits"] == {"propose:None:Ben": {"player": "Ben", "prompt": "Propose a rule change."}}


def test_what_is_done_in_a_view_is_painted_once_and_at_once(game, pages, monkeypatch):
    later = []
    monkeypatch.setattr(session, "start_timer", lambda what, seconds: later.append(what.__name__))
    pages["Ann"].act("propose", **KIND)
    assert "_send_changes_now" not in later
    game.vote("Ben", "for")
    assert "_send_changes_now" in later


def test_who_acts_is_whoever_sits_there(game, pages):
    ann, ben, _ = pages.values()
    ann.act("propose", **KIND)
    before = game.state
    key = ben.decision("vote")["key"]
    foreign = ann.send({"id": "x", "action": "vote", "key": key, "details": {"ballot": "for"}})
    assert foreign["code"] == "decided-meanwhile"
    named = ann.send({"id": "y", "action": "say", "player": "Ben", "details": {"text": "I am Ben."}})
    assert named["code"] == "acts-for-another-seat"
    in_details = ann.act("vote", ballot="for", who="Ben")
    assert in_details["code"] == "action-takes-no-such-details"
    assert "who" in in_details["why"]
    assert game.state is before


def test_a_stale_decision_is_refused_and_says_what_is_open(game, pages):
    ann, ben, _ = pages.values()
    ann.act("propose", **KIND)
    stale = ben.decision("vote")
    game.undo()
    game.propose("Ann", nb.enact("Be rude."))  # has the same number
    answer = ben.send({"id": "late", "action": "vote", "key": stale["key"], "details": {"ballot": "for"}})
    assert answer["code"] == "decided-meanwhile"
    assert "Ben: vote on 301 (for, against)" in answer["options"]
    assert game.proposals[301].ballots == {}


def test_a_message_that_comes_twice_is_done_once(game, pages):
    ann = pages["Ann"]
    said = {"id": "once", "action": "say", "details": {"text": "hello"}}
    first = ann.send(said)
    assert ann.send(said) == first
    assert (game.history["kind"] == "said").sum() == 1
    again = Page(game, "Ann", hand=ann.viewer.hand)  # the page was loaded again
    assert again.send(said)["done"] == "once"
    assert (game.history["kind"] == "said").sum() == 1
    other = pages["Ben"].send(said)  # the id of another hand is another message
    assert other["done"] == "once"
    assert (game.history["kind"] == "said").sum() == 2


@pytest.mark.parametrize(
    "message",
    [
        "", "[]", "nonsense", '{"open": 1}', "{}", '{"id": "a"}', '{"id": "a", "action": "say", "action": "say"}',
        '{"id": "", "action": "say"}', '{"action": "say"}', f'{{"id": "{"x" * 41}", "action": "say"}}',
        '{"id": "a", "action": 1}', '{"id": "a", "action": "say", "more": 1}',
        '{"id": "a", "action": "say", "details": []}', '{"id": "a", "action": "say", "details": {"text": 1.5}}',
        '{"id": "a", "action": "say", "details": {"text": NaN}}', '{"id": "a", "action": "say", "details": {}}',
        '{"id": "a", "action": "say", "details": {"text": {}}}',
        '{"id": "a", "action": "say", "details": {"text": true}}',
        '{"id": "a", "action": "say", "details": {"text": "\\ud800"}}',
        '{"id": "a", "action": "say", "details": {"text": "a", "self": "b"}}',
        '{"id": "a", "action": "__init__", "details": {}}', '{"id": "a", "action": "undo", "details": {}}',
        '{"id": "a", "action": "save", "details": {"path": "x"}}', '{"id": "a", "action": "pause", "details": {}}',
        '{"id": "a", "action": "propose", "key": "00", "details": {}}', '{"id": "a", "ask": "passwords"}',
        json.dumps({"id": "a", "action": "say", "details": {"text": "x" * 33_000}}),
        '{"id":"a","action":"say","details":' + "[" * 500 + "]" * 500 + "}",
    ],
)  # fmt: skip
def test_what_is_no_proper_message_is_refused_and_nothing_happens(game, pages, message):
    before = game.state
    assert pages["Ann"].send(message)["why"]
    assert game.state is before
    assert pages["Ben"].freely("say", text="I was not disturbed")["said"]


def test_a_decision_takes_its_own_details_and_no_others(game, pages):
    ann = pages["Ann"]
    changes = ("x", {"kind": "enact"}, {**KIND["change"], "more": 1}, {"kind": "repeal", "target": 101, "law": "x"})
    for details in ({}, {**KIND, "number": 5, "proposal": 7}, *({"change": one} for one in changes)):
        key = ann.decision("propose")["key"]
        assert ann.send({"id": f"{details}"[:40], "action": "propose", "key": key, "details": details})["why"]
    assert game.proposals.frame.empty
    broken = ann.act("propose", change={"kind": "enact", "wording": "x", "law": "set vote.crowd to 2", "title": ""})
    assert (broken["law"]["line"], broken["law"]["column"]) == (1, 5)


def test_a_refusal_names_its_rule_and_what_is_open(game, pages):
    answer = pages["Ann"].act("propose", change={"kind": "amend", "target": 112, "wording": "Winning is being liked."})
    assert answer["rule"].startswith("Rule 103, “")
    assert answer["options"]


def test_a_fault_of_the_program_is_said_and_hurts_nobody(game, pages, monkeypatch, planted):
    monkeypatch.setattr(type(game), "say", lambda self, player, text: 1 / 0)
    answer = pages["Ann"].freely("say", text="boom")
    assert "went wrong in the program" in answer["why"]
    assert "ZeroDivisionError" not in json.dumps(answer)
    assert "ZeroDivisionError" in planted.text  # for whoever looks after it
    monkeypatch.undo()
    assert pages["Ann"].freely("say", text="again")["said"]


def test_the_whole_table_decides_on_one_panel_for_one_player_at_a_time(game):
    table = Page(game)
    table.act("propose", **KIND)
    for name in game.players:
        table.act("vote", player=name, ballot="for")
    assert game.proposals[301].outcome == "adopted"
    nobody = table.send({"id": "n", "action": "say", "details": {"text": "who?"}})
    assert nobody["options"] == ["Ann", "Ben", "Cleo"]
    table.send({"id": "b", "action": "say", "player": "Ben", "details": {"text": "me"}})
    assert game.latest(1) == ["Ben says “me”"]


def test_the_wall_sees_and_does_nothing(game):
    wall = Page(game, role="wall")
    before = game.state
    nothing = {key: {} for key in ("decisions", "ways", "free", "undo")}
    assert wall.mine == {"seat": None, "role": "wall", "secrets": [], **nothing}
    key = Page(game, "Ann").decision("propose")["key"]
    refused = wall.send({"id": "a", "action": "propose", "key": key, "details": KIND})
    assert refused["code"] == "page-only-looks-on"
    assert game.state is before


def soon(true):
    deadline = time.monotonic() + 10
    while not true() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert true()


def test_what_cells_do_is_seen_on_pages_soon(game, pages):
    for at in range(50):
        game.say("Ann", f"cell {at}")
    soon(lambda: pages["Ben"].step == game.state.seq)
    assert "Ann says “cell 49”." in [one["text"] for one in pages["Ben"].table["news"].values()]
    assert len(pages["Ben"].got) < 30  # what came in between is left out


def test_a_cell_that_runs_again_is_not_seen_halfway(game, pages):
    CELL_WATCH.start_cell("cell-1", "one")
    game.say("Ann", "first")
    CELL_WATCH.finish_cell(failed=False)
    CELL_WATCH.start_cell("cell-2", "two")
    game.say("Ann", "second")
    CELL_WATCH.finish_cell(failed=False)
    ben = pages["Ben"]
    soon(lambda: ben.step == game.state.seq)
    seen = len(ben.got)
    CELL_WATCH.start_cell("cell-1", "one")
    answers = []
    other = threading.Thread(target=lambda: answers.append(ben.freely("say", text="meanwhile")))
    other.start()
    other.join(10)
    assert answers[0]["code"] == "cell-running-again"
    game.say("Ann", "first")
    time.sleep(0.1)
    CELL_WATCH.finish_cell(failed=False)
    soon(lambda: ben.hub.painted.state is game.state)
    assert [one for one in ben.got[seen:] if "diff" in one and one["diff"]["table"]] == []
    assert ben.freely("say", text="afterwards")["said"]


def test_seats_act_from_many_threads_at_once(game, pages):
    def babble(page, name):
        for at in range(15):
            assert page.freely("say", text=f"{name} {at}")["done"]

    threads = [threading.Thread(target=babble, args=(page, name)) for name, page in pages.items()]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    assert (game.history["kind"] == "said").sum() == 45
    for page in pages.values():
        page.send({"open": True})
    assert len({json.dumps(page.table) for page in pages.values()}) == 1


def test_a_game_that_nobody_looks_at_is_let_go(swept):
    game = sit("Ann", "Ben")
    page = Page(game)
    hub, table = weakref.ref(page.hub), weakref.ref(game.timeline)
    page.hub.remove_viewer(page.viewer)
    del page
    gc.collect()
    assert hub() is None
    game.say("Ann", "it goes on")
    assert hub_of_game(game) is hub_of_game(game)
    del game
    gc.collect()
    assert table() is None


def test_what_is_odd_is_found_when_nobody_waits(game, pages):
    ann = pages["Ann"]
    ann.act("propose", change={"kind": "amend", "target": 208, "wording": "Fifty points win."})
    soon(lambda: "Still looking" not in json.dumps(ann.table["proposals"]["301"]["odd"]))
    assert "Its wording says 50, but no clause does" in [line for line, _ in ann.table["proposals"]["301"]["odd"]]


def heard(page, id):
    soon(lambda: any(id in (one.get("answer"), one.get("refused")) for one in tuple(page.got)))
    return next(one for one in page.got if id in (one.get("answer"), one.get("refused")))


def review(id, change, **more):
    return {"id": id, "ask": "review", "details": {"change": change}, **more}


def test_a_review_comes_when_nobody_waits_and_only_for_what_was_asked_last(game, pages):
    ann, table, before = pages["Ann"], Page(game), game.state
    with game.timeline.lock:
        for id, quota in (("q1", 1), ("q2", 2)):
            ann.send(review(id, {"kind": "amend", "target": 203, "law": f"set vote.quota to {quota}"}))
        assert not [one for one in ann.got if "answer" in one]
    said = " ".join(heard(ann, "q2")["review"])
    assert "It can pass: it needs 3 of 3 in favour (rule 203)" in said
    assert "It takes effect as soon as the vote is complete." in said
    assert not [one for one in ann.got if one.get("answer") == "q1"]
    table.send(review("q3", {"kind": "amend", "target": 112, "wording": "To win is to be liked."}, player="Ben"))
    assert "It can’t be proposed now" in heard(table, "q3")["review"][0]
    table.send(review("q4", {"kind": "amend", "target": 112}, player="Zoe"))
    assert heard(table, "q4")["code"] == "proponent-missing"
    assert game.state is before


def test_reviews_of_all_tables_are_made_one_at_a_time(game, pages, monkeypatch):
    at_work, most = [], []

    def slow(*given):
        at_work.append(1)
        most.append(len(at_work))
        time.sleep(0.02)
        at_work.pop()
        return {"review": []}

    monkeypatch.setattr("nomic_nb.notebook.panels.queries.review_query", slow)
    other = sit("Dan", "Eve")
    asking = {**pages, **{name: Page(other, name) for name in other.players}}
    for name, page in asking.items():
        page.send(review(name, {"kind": "enact", "wording": "Be kind."}))
    for name, page in asking.items():
        heard(page, name)
    assert set(most) == {1}


def test_who_acts_does_not_wait_for_a_review(game, pages, monkeypatch):
    ann, ben = pages["Ann"], pages["Ben"]
    begun, goes_on = threading.Event(), threading.Event()

    def long(table, player, change):
        begun.set()
        assert goes_on.wait(10)
        return [f"as of event {table.state.seq}"], None

    monkeypatch.setattr("nomic_nb.notebook.panels.queries.review_draft", long)
    stood = game.state.seq
    ann.send(review("q1", KIND["change"]))
    assert begun.wait(10)
    assert "done" in ben.freely("say", text="meanwhile")
    assert game.state.seq > stood
    goes_on.set()
    assert heard(ann, "q1")["review"] == [f"as of event {stood}"]


def test_a_review_that_takes_too_long_says_so(game, pages, monkeypatch):
    monkeypatch.setattr("nomic_nb.study.review.review.STEPS", 3)
    pages["Ann"].send(review("q", KIND["change"]))
    assert heard(pages["Ann"], "q")["review"] == ["It can be proposed.", TAKES_LONG]


def take_back(page, event, seen=None):
    details = {"event": event, "seen": page.step if seen is None else seen}
    return page.send({"id": f"u{len(page.got)}", "action": "undo", "details": details})


def act_of(page, text):
    return next(act for seq, act in page.mine["undo"].items() if text in page.table["news"][seq]["text"])


def test_the_whole_table_takes_back_any_act_that_stands_and_the_undoing_too(game):
    table = Page(game)
    table.act("propose", **KIND)
    table.act("vote", player="Ann", ballot="for")
    table.freely("say", text="hello")
    table.send({"id": "b", "action": "say", "player": "Ben", "details": {"text": "Too fast."}})
    assert take_back(table, act_of(table, "Ann votes for"))["done"]
    assert game.proposals[301].ballots == {}
    assert game.timeline.events[-1].do == "undo"
    assert not any("Too fast" in table.table["news"][seq]["text"] for seq in table.mine["undo"])
    assert take_back(table, table.mine["undo"][str(game.state.seq)])["done"]
    assert game.proposals[301].ballots == {"Ann": "for"}
    assert any("Too fast" in table.table["news"][seq]["text"] for seq in table.mine["undo"])
    take_back(table, act_of(table, "Ann proposes"))
    assert game.proposals.frame.empty


def test_nothing_is_taken_back_that_was_not_seen_or_by_a_seat(game, pages):
    table = Page(game)
    table.act("propose", **KIND)
    act = act_of(table, "Ann proposes")
    seen = table.step
    pages["Ben"].act("vote", ballot="for")
    before = game.state
    assert take_back(table, act, seen)["code"] == "undo-request-outdated"
    for event in (1, act + 1, 10_000, -1, "1", True, None, [act]):
        assert take_back(table, event)["code"] == "no-act-to-take-back"
    other = table.send({"id": "w", "action": "undo", "details": {"to": act}})
    assert other["code"] == "question-takes-other-details"
    assert "event, seen" in other["why"]
    for page in (pages["Ann"], Page(game, role="wall")):
        assert page.mine["undo"] == {}
        assert take_back(page, act)["why"]
    assert game.state is before


@contextmanager
def cell(name):
    """Run what is inside as a cell."""
    CELL_WATCH.start_cell(name)
    try:
        yield
    finally:
        CELL_WATCH.finish_cell(failed=False)


def calls(page):
    return page.send({"id": f"c{len(page.got)}", "ask": "calls"})["calls"]


def test_what_was_clicked_is_told_as_the_calls_that_do_it_again(game, pages):
    with cell("c1"):
        game.say("Cleo", "in a cell")
    ann, table = pages["Ann"], Page(game)
    assert calls(ann).startswith("# Everything so far was done in cells")
    ann.act("propose", **KIND)
    for page in pages.values():
        page.act("vote", ballot="for")
    take_back(table, act_of(table, "Cleo votes"))
    text = calls(ann)
    assert text.splitlines()[:2] == [
        "game.propose('Ann', nb.enact('Be kind.'))",
        "game.vote('Ann', 'for', proposal=301)",
    ]
    assert "in a cell" not in text
    again = sit("Ann", "Ben", "Cleo")
    again.say("Cleo", "in a cell")
    exec(text, {"game": again, "nb": nb})  # noqa: S102 - what a reader would paste
    assert again.state.digest() == game.state.digest()


def test_calls_include_acts_from_before_the_panel_but_none_of_cells():
    with cell("begin"):
        game = sit("Ann", "Ben", "Cleo")
    first = Page(game)
    first.act("propose", **KIND)
    first.hub.remove_viewer(first.viewer)
    del first
    gc.collect()
    with cell("votes"):
        game.vote("Ann", "for")
        Page(game, "Ben").act("vote", ballot="for")  # a page, while the cell runs
    game.host.absent("Cleo")  # by hand, in no cell
    assert calls(Page(game)).splitlines() == [
        "game.propose('Ann', nb.enact('Be kind.'))",
        "game.vote('Ben', 'for', proposal=301)",
        "game.host.absent('Cleo')",
    ]
    assert calls(Page(game.fork())) == calls(Page(game))


@pytest.mark.parametrize("system", ["discordian-nomic", "cabinet-nomic", "github-nomic", "nomic-chess", "make-a-rule"])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.slow
def test_the_calls_of_random_games_replay_them(system, seed):
    game = nb.Game(play_out(system, ["Ann", "Ben", "Cleo"][: 2 + seed], seed, turns=3).timeline)
    text = calls(Page(game))
    again = nb.new_game(system, list(game.players), seed=seed)
    for line in ast.parse(text).body:  # each runs by itself
        exec(ast.unparse(line), {"game": again, "nb": nb})  # noqa: S102 - what a reader would paste
    assert again.fingerprint == game.fingerprint


def test_a_press_does_the_next_line_only_while_it_is_current(game):
    def press(page, line):
        return page.send({"id": f"n{len(page.got)}", "action": "next", "details": {"line": line}})

    def due(page):
        return page.send({"id": f"c{len(page.got)}", "ask": "calls"})["next"]

    table, ben = Page(game), Page(game, "Ben")
    line = due(table)
    assert line.startswith("game.propose('Ann', nb.library.")
    assert due(ben) == ""
    assert press(ben, line)["code"] == "acts-for-another-seat"
    assert press(table, "game.roll('Ann')")["code"] == "decided-meanwhile"
    assert press(Page(game, role="wall"), line)["code"] == "page-only-looks-on"
    assert press(table, line)["said"].startswith("Ann proposes 301")
    assert press(table, line)["code"] == "decided-meanwhile"
    done = next(event for event in game.timeline.events if event.do == "propose")
    assert calls(table) == python_event_call(done)


def test_calls_tell_no_sealed_ballot():
    game = sit("Ann", "Ben", terms={"vote.ballots": '"sealed"'})
    table = Page(game)
    table.act("propose", **KIND)
    table.act("vote", player=game.player, ballot="against")
    assert calls(table).splitlines()[-1].startswith("# What comes next would reveal a sealed ballot")
    assert "against" not in calls(table)


def test_a_change_is_looked_at_while_it_is_written(game, pages):
    ann, before = pages["Ann"], game.state
    good = ann.send(
        {"id": "q1", "ask": "change", "details": {"change": {"kind": "amend", "target": 208, "wording": "Fifty win."}}}
    )
    assert "Fifty win." in json.dumps(good["what"])
    assert any("50" in line or "clauses" in line for line, _ in good["odd"])
    law = "set throw.points to 0 while face == 6"
    read = ann.send({"id": "q1", "ask": "change", "details": {"change": {"kind": "enact", "wording": "x", "law": law}}})
    assert read["said"] == ["A roll earns 0 points if the number rolled is 6."]
    bad = ann.send(
        {"id": "q2", "ask": "change", "details": {"change": {"kind": "enact", "wording": "x", "law": "set a to 1"}}}
    )
    assert bad["law"]["message"]
    none = ann.send({"id": "q3", "ask": "change", "details": {"change": {"kind": "repeal", "target": 999}}})
    assert none["code"] == "rule-unknown"
    assert "999" in none["why"]
    assert game.state is before


# ------------------------------------------------------------------------------------------ loopholes for all voters

PLEASE = {"kind": "enact", "wording": "Please.", "law": 'on said when text == "please": award 100 points to player'}


@pytest.mark.slow
def test_all_voters_see_a_loophole_that_was_found_and_the_host_what_was_searched(game, pages):
    host = Page(game)
    pages["Ann"].act("propose", change=PLEASE)
    host.hub._run_search()
    line = ["Ann, Ben or Cleo could win even if all others vote against", "Ann says “please”"]
    assert [page.table["proposals"]["301"]["odd"][0] for page in pages.values()] == [line] * 3
    assert host.mine["bounds"]["301"][0].startswith("Ann could win even if all others vote against: Ann says “please”.")
    assert all("bounds" not in page.mine for page in pages.values())
    assert line[0] in str(game.proposals[301].remarks)
    looked = host.hub._unsearched_proposal
    game.say("Ann", "a word that changes no law")
    assert (looked, host.hub._unsearched_proposal) == (None, None)
    for page in pages.values():
        page.act("vote", ballot="against")
    assert "Proposal 301: Ann could win even if all" in "".join(searches(game).itertext())


def test_what_was_not_found_is_for_the_host_and_never_called_safe(game, pages, monkeypatch):
    monkeypatch.setattr(session, "SEARCH_SECONDS", 0.01)
    monkeypatch.setattr(session, "search_apart", search_proposal)
    host = Page(game)
    pages["Ann"].act("propose", **KIND)
    host.hub._run_search()
    told = host.mine["bounds"]["301"][0]
    assert told.startswith("Ann alone against all others: not decided: ")
    assert "time is up" in told
    assert not any("could win" in line for line, _ in pages["Ben"].table["proposals"]["301"]["odd"])
    assert "safe" not in json.dumps(host.mine["bounds"])


def test_a_search_stops_when_its_proposal_is_decided(game, pages, monkeypatch):
    def vote_meanwhile(timeline, number, seconds, stop):
        assert not stop()
        for page in pages.values():
            page.act("vote", ballot="against")
        assert stop()
        return search_apart(timeline, number, seconds, stop)

    monkeypatch.setattr(session, "search_apart", vote_meanwhile)
    host = Page(game)
    pages["Ann"].act("propose", **KIND)
    host.hub._run_search()
    assert host.mine["bounds"] == {}
    assert not is_searched(game.state, 301)


def test_an_act_that_is_taken_back_ends_a_search(game, pages, monkeypatch):
    def undo_meanwhile(timeline, number, seconds, stop):
        game.undo()
        assert stop()
        return search_proposal(timeline, number, 0.01)

    monkeypatch.setattr(session, "search_apart", undo_meanwhile)
    host = Page(game)
    pages["Ann"].act("propose", **KIND)
    host.hub._run_search()
    assert not game.state.proposals
    assert not host.hub._searching


def test_neither_a_search_nor_what_a_clause_does_next_tells_a_secret(game, pages):
    law = "track role per player from 0 hidden"
    adopt(game, nb.enact("Roles.", law))
    game.roll(game.player, 1)
    paying = 'on said when text == "please" and role(player) == 0: award 100 points to player'
    proposal = game.propose(game.player, nb.enact("Please.", paying))
    found = search_apart(game.timeline, proposal.number, 1.0, lambda: False)
    assert (found.who, found.bounds) == ((), (HIDDEN,))
    effects = game.review(game.player, nb.enact("Again.", paying)).next_effects
    assert effects == (HIDDEN_EFFECTS,)


def test_nobody_searches_when_nobody_looks_on(game, pages, monkeypatch):
    monkeypatch.setattr(session, "search_apart", lambda *_: pytest.fail("searched"))
    pages["Ann"].act("propose", **KIND)
    hub = pages["Ann"].hub
    for page in pages.values():
        hub.remove_viewer(page.viewer)
    hub._run_search()
    assert not is_searched(game.state, 301)
