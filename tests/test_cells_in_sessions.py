"""What becomes of a game when cells are run twice, out of order, edited, copied, split, deleted or broken off.

Each case is tried with cell ids as JupyterLab sends them and as VS Code does; `docs/cells.md` tells them in a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
import shells

import nomic_nb as nb
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.show.game import decision_call
from nomic_nb.study import reference

BEGIN = 'game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)'
PROPOSE = 'proposal = game.propose("Ann", nb.library.simple_majority().change(203))'
VOTES = "game.votes()"
ROLL = 'game.roll("Ann", 4)'
NEXT = 'tea = game.propose("Ben", nb.enact("Tea."))'
TURN = {"1": BEGIN, "2": PROPOSE, "3": VOTES, "4": ROLL, "5": NEXT}

IDS: dict[str, Callable[[str], str]] = {
    "JupyterLab": lambda name: f"5d1c0f7e-8d0b-4a40-9a4f-0c8c3a3b{name:0>8}",
    "VS Code": lambda name: f"vscode-notebook-cell:/home/ann/game.ipynb#W{name}sZmlsZQ%3D%3D",
}


class Page:
    """A notebook whose cells have names; the front end makes ids of them."""

    def __init__(self, session: shells.Session, id_of: Callable[[str], str]) -> None:
        self.session, self.id_of = session, id_of

    def run(self, name: str, code: str) -> object:
        return self.session.run(self.id_of(name), code)

    def run_all(self, cells: dict[str, str]) -> list[object]:
        return [self.run(name, code) for name, code in cells.items()]

    @property
    def game(self) -> nb.Game:
        return self.session.game


@pytest.fixture(params=IDS)
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    with shells.session() as session:
        yield Page(session, IDS[request.param])


def stands(page: Page) -> tuple[object, ...]:
    game = page.game
    return game.fingerprint, game.state.seq, game.part, len(game.forks)


def said(error: object, code: str, **values: object) -> None:
    """Check that a cell ended with a refusal of this code and these values."""
    refusal = error if hasattr(error, "code") else getattr(error, "__cause__", None)
    assert getattr(refusal, "code", None) == code, repr(error)
    assert {name: refusal.values[name] for name in values} == values  # type: ignore[union-attr]


# ------------------------------------------------------------------------------- run again, edited, out of order


def test_run_all_twice_changes_nothing(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    page.run_all(TURN)
    before = stands(page)
    for _ in range(2):
        page.run_all(TURN)
        assert stands(page) == before
    assert "cell" not in capsys.readouterr().out


def test_a_cell_that_is_run_again_by_itself_changes_nothing(page: Page) -> None:
    page.run_all(TURN)
    before = stands(page)
    for name in "34251":
        page.run(name, TURN[name])
        assert stands(page) == before


def test_an_edited_cell_says_which_cells_to_run_again(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    page.run_all(TURN)
    before = page.game.fingerprint
    capsys.readouterr()
    page.run("3", 'game.votes(against="Cleo")')
    assert "run the 2 cells below again" in capsys.readouterr().out
    assert (page.game.part, page.game.proposals[301].outcome) == ("throw", "defeated")
    assert [way.game.fingerprint for way in page.game.forks] == [before]
    page.run_all({name: TURN[name] for name in "45"})
    assert page.game.proposals[302].outcome == "open"
    assert "below again" not in capsys.readouterr().out


def test_the_last_cell_is_edited_without_a_word(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    page.run_all(TURN)
    capsys.readouterr()
    page.run("5", NEXT.replace("Tea", "Coffee"))
    assert page.game.proposals[302].wording == "Coffee."
    assert "below again" not in capsys.readouterr().out


def test_cells_out_of_order_are_refused_until_their_turn(page: Page) -> None:
    page.run("1", BEGIN)
    said(page.run("3", VOTES), "no-vote-open")
    said(page.run("4", ROLL), "nothing-to-throw")
    page.run_all({name: TURN[name] for name in "2345"})
    first = stands(page)
    page.run_all(TURN)
    assert stands(page) == first


def test_a_copied_cell_acts_at_the_end_of_the_game(page: Page) -> None:
    page.run_all({name: TURN[name] for name in "123"})
    before = stands(page)
    said(page.run("8", PROPOSE), "somebody-first")
    said(page.run("9", VOTES), "no-vote-open")
    assert stands(page) == before


def test_a_split_cell_gives_the_same_game(page: Page) -> None:
    page.run_all({"1": BEGIN, "2": f"{PROPOSE}\n{VOTES}", "4": ROLL})
    before = page.game.fingerprint
    page.run_all({"2": PROPOSE, "9": VOTES, "4": ROLL})
    assert page.game.fingerprint == before
    page.run_all({"1": BEGIN, "2": PROPOSE, "9": VOTES, "4": ROLL})
    assert page.game.fingerprint == before


def test_the_second_half_of_a_split_cell_may_keep_the_id(page: Page) -> None:
    page.run_all({"1": BEGIN, "2": f"{PROPOSE}\n{VOTES}", "4": ROLL})
    before = page.game.fingerprint
    said(page.run("9", PROPOSE), "turn-of-another")
    said(page.run("2", VOTES), "no-vote-open")  # without the first half there is nothing to vote on
    assert page.game.fingerprint == before


@pytest.mark.parametrize("code", [PROPOSE, f"{PROPOSE}\n\n{VOTES}\n\n{ROLL}"])
def test_a_refused_half_or_merged_cell_says_how_to_go_on(
    page: Page, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    hint = "If you have split or merged cells, restart the kernel and run all cells."
    page.run_all({"1": BEGIN, "2": f"{PROPOSE}\n\n{VOTES}", "4": ROLL})
    before = stands(page)
    capsys.readouterr()
    page.run("8", f"{PROPOSE}\n\n{VOTES}")  # a copy
    page.run("7", 'game.propose("Ann", nb.repeal(203))')
    assert hint not in capsys.readouterr().out
    said(page.run("9", code), "turn-of-another")
    assert hint in capsys.readouterr().out
    assert stands(page) == before


def test_merged_cells_give_the_same_game(page: Page) -> None:
    page.run_all(TURN)
    before = page.game.fingerprint
    page.run_all({"2": f"{PROPOSE}\n{VOTES}", "4": ROLL, "5": NEXT})
    assert page.game.fingerprint == before


def test_what_a_deleted_cell_did_stays_until_it_is_undone(page: Page) -> None:
    page.run_all(TURN)
    before = stands(page)
    page.run_all({name: TURN[name] for name in "1235"})  # without the roll
    assert stands(page) == before


def test_an_inserted_cell_acts_at_the_end_and_stays_there(page: Page) -> None:
    page.run_all({name: TURN[name] for name in "1234"})
    page.run("7", 'game.say("Cleo", "hello")')
    before = stands(page)
    page.run_all({"1": BEGIN, "2": PROPOSE, "7": 'game.say("Cleo", "hello")', "3": VOTES, "4": ROLL})
    assert stands(page) == before


def test_a_cell_that_only_looks_shows_its_own_moment(page: Page) -> None:
    page.run_all({"1": BEGIN, "2": PROPOSE})
    look = "game.state.seq"
    then = page.run("6", look)
    page.run_all({"3": VOTES, "4": ROLL})
    assert page.run("6", look) == then
    assert page.run("6", look + "  # now") == page.game.state.seq > then


def test_two_notebooks_in_one_session_play_one_game(page: Page) -> None:
    page.run_all({name: TURN[name] for name in "123"})
    other = Page(page.session, lambda name: f"other-{name}")
    other.run("1", ROLL)
    before = stands(page)
    page.run("3", VOTES)
    other.run("1", ROLL)
    assert stands(page) == before


# ------------------------------------------------------------------------------------------- broken off and undone


BREAKS = {
    "a name that is none": ('game.vote("Zed", "for")', "not-a-player"),
    "no such method": ("game.rol('Ann')", "name-not-there"),
    "an interrupt": ("raise KeyboardInterrupt", None),
    "an error of Python": ("1 / 0", None),
}


@pytest.mark.parametrize("broken", BREAKS)
def test_a_cell_that_breaks_off_halfway_leaves_nothing_and_can_be_corrected(
    page: Page, broken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page.run("1", BEGIN)
    before = stands(page)
    line, code = BREAKS[broken]
    error = page.run("2", f"{PROPOSE}\ngame.vote('Ann', 'for')\n{line}")
    assert isinstance(error, BaseException)
    assert code is None or error.code == code  # type: ignore[attr-defined]
    assert stands(page) == before
    assert "what it did before (2 actions) is taken back" in capsys.readouterr().out
    page.run("2", PROPOSE)
    page.run("3", VOTES)
    assert page.game.proposals[301].outcome == "adopted"
    assert len(page.game.forks) == 0


@pytest.mark.parametrize("broken", BREAKS)
def test_a_cell_that_breaks_off_when_it_runs_again_leaves_its_last_run(
    page: Page, broken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page.run_all(TURN)
    before = stands(page)
    page.run("3", f"game.vote('Ann', 'against')\n{BREAKS[broken][0]}")
    assert stands(page) == before
    assert "its previous run counts" in capsys.readouterr().out


def test_a_cell_that_cannot_be_read_changes_nothing(page: Page) -> None:
    page.run_all(TURN)
    before = stands(page)
    page.run("3", "game.votes(against=")
    page.run("8", "game.votes(against=")
    assert stands(page) == before


def test_an_interrupt_between_two_ballots_casts_none(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    page.run_all({name: TURN[name] for name in "12"})
    before = stands(page)
    count = iter(range(9))
    timeline = type(page.game.timeline)
    act = timeline.do

    def interrupted(self: object, *given: object) -> object:
        if next(count) == 2:
            raise KeyboardInterrupt
        return act(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(timeline, "do", interrupted)
    assert isinstance(page.run("3", VOTES), KeyboardInterrupt)
    monkeypatch.undo()
    assert stands(page) == before
    page.run("3", VOTES)
    assert page.game.proposals[301].outcome == "adopted"


def test_what_others_have_built_on_stands_when_a_cell_breaks_off(
    page: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    page.run("1", BEGIN)
    click = (
        "import threading\n"
        "one = threading.Thread(target=lambda: game.vote('Ben', 'for'))\none.start()\none.join()\n1 / 0"
    )
    page.run("2", f"{PROPOSE}\n{click}")
    assert page.game.proposals[301].ballots == {"Ben": "for"}
    assert "stands. To take it back, use game.undo(7)" in capsys.readouterr().out
    page.run("8", "game.undo(7)")
    assert len(page.game.proposals) == 0


def test_what_a_broken_cell_sealed_stands(page: Page) -> None:
    page.run("1", BEGIN.replace("seed=7", 'seed=7, dice="committed"'))
    page.run_all({"2": PROPOSE, "3": VOTES})
    page.run("4", "game.seal('Ann')\n1 / 0")
    assert [event.kind for event in page.game.timeline.events].count("committed") == 1


def test_a_fork_that_a_broken_cell_made_of_its_own_acts_keeps_them(page: Page) -> None:
    page.run("1", BEGIN)
    page.run("2", f"{PROPOSE}\nfork = game.fork()\n1 / 0")
    assert len(page.game.proposals) == len(page.game.forks) == 1


def test_votes_of_a_cell_are_one_act_also_when_the_cell_has_run_again(page: Page) -> None:
    page.run_all(TURN)
    page.run("3", VOTES)
    page.run("8", "fork = game.fork(at=11)\nfork.undo()")
    fork = page.session.shell.user_ns["fork"]
    assert fork.proposals[301].ballots == {}


# --------------------------------------------------------------------------- values and numbers of another moment


def test_a_number_that_is_made_in_another_cell_names_it(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    page.run_all(TURN)
    page.run("3", 'game.votes(against="Cleo")')
    capsys.readouterr()
    for code, missing in (("game.proposals[302]", "no-such-proposal"), ("game.rules[302]", "rule-unknown"),
                          ("%vote Ann for 302", "proposal-unknown"), ("%law 302", "rule-unknown")):  # fmt: skip
        said(page.run("8", code), missing)
        out = capsys.readouterr().out
        assert f"302 is proposed in cell [5] “{NEXT}”. Run that first." in out


def test_a_proposal_of_another_moment_says_which(page: Page) -> None:
    page.run_all(TURN)
    event = page.game.state.seq
    page.run("3", 'game.votes(against="Cleo")')
    for name in ("outcome", "tally", "ballots", "change", "score", "remarks", "rule", "proposed_rule", "wording"):
        said(page.run("8", f"tea.{name}"), "proposal-of-another-moment", proposal=302, event=event)
    shown = page.session.shell.user_ns["tea"]
    for text in (str(shown), shown._repr_html_()):
        assert f"from after event {event}" in text
    page.run("4", ROLL)
    page.run("5", NEXT.replace("tea", "coffee").replace("Tea", "Coffee"))
    said(page.run("8", "tea.outcome"), "proposal-of-another-moment")
    assert "another proposal 302: enact “Coffee”" in str(shown)
    page.run("5", NEXT.replace("tea", "again"))
    assert shown.outcome == "open"  # the same proposal was made again


def test_a_tally_and_a_list_of_decisions_say_from_when_they_are(page: Page) -> None:
    page.run_all({name: TURN[name] for name in "12"})
    page.run("6", "tally, pending = proposal.tally, game.pending")
    tally, pending = (page.session.shell.user_ns[name] for name in ("tally", "pending"))
    for value in (tally, pending):
        assert "This is from" not in str(value) + value._repr_html_()
    event = page.game.state.seq
    page.run("3", VOTES)
    for value in (tally, pending):
        for text in (str(value), value._repr_html_()):
            assert f"This is from after event {event}. The game is now at event {page.game.state.seq}." in text


def test_a_decision_of_another_moment_is_refused_where_it_is_used(page: Page) -> None:
    page.run_all({name: TURN[name] for name in "123"})
    page.run("6", "old = game.pending[0]")
    page.run("4", ROLL)
    said(page.run("8", "game.do(old.player, old.action)"), "nothing-to-throw")


@pytest.mark.parametrize(
    ("code", "missing"),
    [
        ("game.proposals[999]", "no-such-proposal"), ("game.rules[999]", "rule-unknown"),
        ("game.rules['x']", "rule-unknown"), ("game.law[219]", "rule-unknown"),
        ("game.why('203')", "rule-as-term"), ("game.law['vote.quot']", "no-such-term"),
        ("game.pending[99]", "no-such-decision"), ("game.judgments[3]", "no-such-judgment"),
        ("game.tables['x']", "no-such-table"), ("game.forks[3]", "no-such-fork"),
        ("game.ledger[3]", "no-such-decision"),
        ("game.at(999)", "event-unknown"), ("game.fork(at=999)", "event-unknown"),
        ("game.undo(999)", "nothing-to-undo"),
        ("game.redline(1, 999)", "event-unknown"), ("game.scores['Zed']", "name-not-here"),
        ("game.armies['white']", "name-not-here"), ("game.arrangement", "no-boards"), ("game.draw()", "no-boards"),
        ("game.history['whose']", "name-not-here"), ("game.counters['coins']", "name-not-here"),
        ("game.proposals[301].ballots['Zed']", "name-not-here"), ("game.vot", "name-not-there"),
        ("game.why('vote.quota', nb.repeal(999))", "rule-unknown"),
        ("game.vote('Ann', 'for', 999)", "proposal-unknown"),
    ],
)  # fmt: skip
def test_every_lookup_is_answered_in_a_sentence(page: Page, code: str, missing: str) -> None:
    page.run_all({name: TURN[name] for name in "12"})
    before = stands(page)
    said(page.run("8", code), missing)
    assert stands(page) == before


# --------------------------------------------------------------------------------------------------- without ids


@pytest.fixture
def plain() -> Iterator[Page]:
    with shells.session() as session:
        yield Page(session, lambda _: None)  # type: ignore[arg-type,return-value]


def test_without_ids_each_input_acts_and_one_that_breaks_off_leaves_nothing(
    plain: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    plain.run_all({name: TURN[name] for name in "123"})
    before = stands(plain)
    said(plain.run("", VOTES), "no-vote-open")
    said(plain.run("", f"{ROLL}\ngame.vote('Zed', 'for')"), "not-a-player")
    assert stands(plain) == before
    assert "is taken back" in capsys.readouterr().out
    plain.run("", ROLL)
    said(plain.run("", ROLL), "nothing-to-throw")
    plain.run("", "game.undo()")
    plain.run("", "game.undo()")
    assert plain.game.proposals[301].ballots == {}


def test_a_script_acts_without_any_of_this() -> None:
    CELL_WATCH.__init__()  # type: ignore[misc]
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.enact("Tea."))
    with pytest.raises(nb.IllegalAction):
        game.vote("Zed", "for")
    assert len(game.proposals) == 1
    assert not CELL_WATCH.uses


# ------------------------------------------------------------------------------------------ what newcomers are shown


def test_the_page_on_cells_runs_as_it_is_shown(page: Page) -> None:
    text = reference.read_page("cells")
    for at, block in enumerate(re.findall(r"```python\n(.*?)```", text, re.S)):
        shown = page.run(str(at), block)
        assert not isinstance(shown, BaseException), shown
    assert page.game.proposals[302].ballots == {"Ann": "against", "Cleo": "for"}
    page.run("8", "game.undo()")
    page.run("7", "game.votes()\ngame.roll('Ben')")
    magics = re.findall(r"^    (%.*(?:\n    [^%\n].*)*)", text, re.M)
    assert len(magics) == 3
    for at, cell in enumerate(magics):
        shown = page.run(f"{at}x", cell.replace("\n    ", "\n").replace("Ann", "Cleo"))
        assert not isinstance(shown, BaseException), shown
    assert page.game.proposals[303].outcome == "adopted"


@pytest.mark.parametrize("system", ["discordian-nomic", "cabinet-nomic", "nomic-chess"])
def test_five_turns_are_played_by_the_lines_that_the_game_shows(page: Page, system: str) -> None:
    page.run("0", f'game = nb.new_game("{system}", ["Ann", "Ben", "Cleo"], seed=7)')
    for at in range(60):
        if page.game.turn > 5:
            break
        decision = page.game.pending[0]
        line = "game.votes()" if decision.action == "vote" else decision_call(decision)
        shown = page.run(f"{at}x", line)
        assert not isinstance(shown, BaseException), line
    assert page.game.turn > 5


def test_a_list_of_several_voters_shows_the_one_line_for_all(page: Page) -> None:
    page.run_all({name: TURN[name] for name in "12"})
    shown = page.game.pending._repr_html_()
    assert "game.votes(against=[" in shown
    page.run("3", 'game.votes(None, against=["Ann", "Ben"])')
    assert "game.votes(" not in page.game.pending._repr_html_()
