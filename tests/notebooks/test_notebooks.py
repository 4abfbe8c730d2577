"""Every notebook runs from top to bottom, is saved bare, and tells no more than its cells show."""

from __future__ import annotations

import ast
import os
import re
import time
from pathlib import Path

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from nbclient import NotebookClient
from nbconvert import HTMLExporter

import nomic_nb as nb

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
START = "00_start_here"
FIRST = "01_a_game_of_nomic"
LESSON = "02_lesson"
MOVES = "03_self_amendment"
CHESS = "05_nomic_chess"
RULES = "06_make_a_rule"
EXPLORE = "07_explore"
MACHINES = "08_machines"
STUDY = "09_study"

#: What the HTML export of a notebook must have in it, as cells show it.
EXPORTED = {
    START: ("Read without a kernel", "No vote is open.", "Moved by", "prevails"),
    FIRST: (
        "Law book",
        "No clauses: people apply this rule.",
        "Failed: 1 for, 2 against; 3 of 3 in favour are needed (rule 203).",
        "Passed: 2 for, 1 against; 2 of 3 in favour are needed (rule 303).",
        "Bruno wins (rule 308).",
    ),
    LESSON: (
        "Law book",
        "No clauses: people apply this rule.",
        "Failed: 1 for, 2 against; 2 of 3 in favour are needed (rule 302).",
        "Passed: 4 for, 0 against; 4 of 4 in favour are needed (rule 109).",
        "Ann wins (rule 213).",
        "<summary><b>1. Can a rule change the rule for changing rules?</b></summary>",
    ),
    MOVES: (
        "Cleo wins (rule 302).",
        "Passed without effect: 3 for, 0 against; 3 of 3 in favour are needed (rule 203).",
        "<summary><b>9. The price of transmuting</b></summary>",
    ),
    CHESS: (
        "Check when boards are pushed together",
        "Failed: 1 for, 2 against; 3 of 3 in favour are needed (rule 203).",
        "Moved by",
        "Cleo wins (rule 112).",
        "<summary><b>1. Was Bruno’s king in check before turn 7, on any pair of boards?</b></summary>",
    ),
    RULES: (
        "Ada wins (rule R13).",
        "Zaphod:3",
        "<summary><b>1. Could Bruno have saved his king in turn 4?</b></summary>",
    ),
    EXPLORE: ("Study of 20 games at 8 nodes", "too few games to tell", "67 % more squares"),
    MACHINES: ("Ben (machine)", "It seems harmless.", "player_with_model"),
    STUDY: ("5 of 6 outcomes alike", "Everyone must vote, but Bo has not voted yet.", "CITATION.cff"),
}

#: What the text of a notebook relies on, by cell: these words stand in what the cell shows.
TOLD = {
    START: {
        "discordian-nomic": ["Panel of Discordian Nomic, turn 1", "Ann – propose a rule change"],
        "cabinet-nomic": ["Panel of Game Cabinet Nomic, turn 1", "Ann – propose a rule change"],
        "github-nomic": ["Ann – begin a turn", "Ben – begin a turn", "Cleo – begin a turn"],
        "nomic-chess": ["Panel of Nomic Chess, turn 1", "Ann – propose a rule change"],
        "make-a-rule": ["Panel of Make-A-Rule Chess, turn 1", "Ann – Which of your kings is the real one"],
        "ask": ["vote.quota is 0", "prevails: rule R1"],
        "history": ["Ann’s turn begins"],
    },
    FIRST: {
        "quota-before": ["vote.quota is 3", "rule 203", "could apply: rule 109"],
        "bruno-too-early": ["Ada’s turn", "rule 201", "Possible now: Ada: vote on 301"],
        "dice-sides": ["dice.sides is 20", "overridden: rule P4"],
        "preview-302": ["not proposed yet", "No clauses: people apply this rule."],
        "ballots-302": ["Failed: 1 for, 2 against; 3 of 3"],
        "roll-2": ["Bruno −10 points, now −10 (rule 206)"],
        "ballots-303": [
            "Law: rule 303 “A simple majority adopts” (was 203, amended).",
            "Score: Cleo 0 → 11 points.",
            "Next: Ada – propose a rule change",
        ],
        "quota-after": ["vote.quota is 2", "rule 303"],
        "ballots-304": ["Passed: 2 for, 1 against; 2 of 3"],
        "roll-4": ["Cleo +10 points, now 21 (rule 204)"],
        "laughter": ["Ada applies rule 305", "Bruno: +3 points"],
        "scores-6": ["Ada 13", "Bruno 39", "Cleo 41"],
        "amend-112": ["It can’t be proposed now: Rule 112 is immutable", "transmute rule 112"],
        "quota-transmute": ["vote.quota is 3", "prevails: rule 109", "overridden: rule 303"],
        "propose-307": ["Passed: 3 for", "(rule 109)"],
        "corner": ["Ada: 19", "Bruno: 37", "Cleo: 41"],
        "ballots-308": ["Passed: 2 for, 1 against"],
        "tail-308": ["Cleo: +10 points, now 51 204", "turn: throw"],
        "the-end": ["Bruno wins (rule 308)", "Bruno: 55", "Cleo: 51"],
        "story": ["2 Bruno enact “Red socks” defeated", "rule 307 is amended and is now rule 308"],
        "points-by-rule": ["202 19 54 21", "204 0 10 30"],
        "save-and-load": ["('Bruno', True)"],
    },
    LESSON: {
        "rules": ["immutable (16)", "mutable (13)"],
        "rule-208": ["100 points", "set win.points to 30"],
        "quota-before": ["vote.quota is 3", "rule 203", "could apply: rule 109"],
        "propose-301": ["loses 2 points", "Passed: 3 for, 0 against", "(rule 203)"],
        "report": ["Ann: 4 points", "Ben: −2 points"],
        "propose-302": ["amend rule 203", "Open: 0 for, 0 against", "3 of 3 in favour are needed (rule 203)"],
        "ballots-302": ["Law: rule 302 “A simple majority adopts” (was 203, amended).", "Next: Cleo"],
        "quota-after": ["vote.quota is 2", "prevails: rule 302"],
        "correction": [
            "+4 points, now 4 (rule 202)",
            "+2 points, now 4 (agreed by the players: It was Cleo who interrupted",
            "Cleo −2 points, now −2",
        ],
        "propose-303": ["gets 3 points"],
        "ballots-303": ["Open: 1 for, 1 against; Cleo has not voted"],
        "undo": ["Ben votes against proposal 303", "everything after event"],
        "ballots-again": ["Passed: 3 for, 0 against; 2 of 3"],
        "roll-3": ["4"],
        "rule-303": ["(mutable) ○ people"],
        "review-cursed": ["may.roll whether", "Rule 213 says who wins", "2 of 3 in favour (rule 302)"],
        "debate": ["Ben applies rule 303", "Cleo: +3 points, now 5"],
        "ballots-304": ["Failed: 1 for, 2 against; 2 of 3"],
        "roll-4": ["Ann: 0 points"],
        "fork": ["Ann wins (rule 213)", "Ann: 4 points", "Cleo: 15 points"],
        "review-202": [
            "pass without effect: rule 114 does not allow it",
            "no rule says what the steps of a turn are",
        ],
        "propose-305": ["Passed: 2 for, 1 against; 2 of 3", "− against", "void: it contradicts rule 112"],
        "winners-305": ["win.winners is []", "prevails: rule 112"],
        "absent": ["Ben is away"],
        "ballots-306": ["Open: 2 for, 0 against; Ben has not voted; 2 of 3"],
        "refused-absent": ["Ben is marked as away"],
        "pause": ["the game is paused"],
        "dora-joins": ["turn 7", "→ Dora: 0 points"],
        "amend-105": ["It can’t be proposed now: Rule 105 is immutable", "transmute rule 105"],
        "quota-transmute": ["vote.quota is 4", "prevails: rule 109", "overridden: rule 302", "(rule 110)"],
        "propose-307": ["Passed: 4 for, 0 against; 4 of 4", "(rule 109)"],
        "the-end": ["turn 8", "→ Ann: 10 points", "Ben: 19 points", "Cleo: 11 points", "Dora: 6 points"],
        "redline": [
            "307 ",
            "was 105, was immutable",
            "was 203, amended",
            "301 ",
            "303 ",
            "305 ",
            "306 Dora joins – new",
        ],
        "story": ["4 Ann enact “The cursed die” 1 2", "defeated"],
        "votes-table": ["306 for against for –", "307 for for for for"],
        "proposals-table": [
            "302 Ben amend adopted 3 0 3 203",
            "303 Cleo enact adopted 3 0 2 302",
            "304 Ann enact defeated 1 2 2 302",
            "307 Dora transmute adopted 4 0 4 109",
        ],
        "points-by-rule": [
            "202 10 9 10 6",
            "204 10 10 0 0",
            "206 -10 0 0 0",
            "301 0 -2 -2 0",
            "303 0 0 3 0",
        ],
        "host-table": ["Ann, Ben and Cleo agree", "is undone", "is away", "paused", "continues", "Ben is back"],
        "review-112": [
            "Before: none (rule 112); After: Ann, Ben, Cleo, Dora (rule 305)",
            "Rule 305 is no longer void",
            "(rule 211)",
            "play would stop to ask the players",
        ],
    },
    MOVES: {
        "one": ["Passed: 3 for, 0 against; 3 of 3 in favour are needed (rule 203)"],
        "one-why": ["vote.quota is 2", "prevails: rule 301"],
        "two-refused": ["Rule 112 is immutable", "transmute rule 112"],
        "two-play": ["Cleo wins (rule 302)", "Ann: 2 points, 1 medal", "Cleo: 1 point, 2 medals"],
        "two-why": ["win.winners is [Cleo]", "prevails: rule 302"],
        "three": ["turn 2: Cleo +10 points, now 10 (rule 204)"],
        "three-unpaid": ["turn 3: Cleo +1 point, now 11 (rule 202)"],
        "three-why": ["no rule says what dissent.points is"],
        "four": ["win.points is 100", "rule 208 has the lower number (rule 211)"],
        "four-turned": ["win.points is 50", "rule 301 has the higher number (rule 302)"],
        "five-refused": ["Passed without effect", "Rule 114 does not allow it"],
        "five": ["Proposal 304", "Passed: 3 for"],
        "five-after": ["turn 8", "→ Ben: 7 points"],
        "six": ["becomes rule 301, “This rule repeals itself”", "rule 301 is repealed"],
        "six-gone": ["rule 301 was repealed"],
        "seven": ["turn.sequence is [Cleo, Ben, Ann]", "rule 301 claims precedence"],
        "seven-game": ["→ Cleo"],
        "eight": ["Passed: 4 for, 0 against; 4 of 4"],
        "eight-vote": ["Open: 2 for, 0 against; Ann has not voted; 3 of 4"],
        "eight-why": ["Failed: 2 for, 2 against; 3 of 4"],
        "nine": ["Passed: 3 for", "Rule 301 is void: it contradicts rule 105 on vote.electorate"],
        "nine-transmuted": ["Open: 0 for, 0 against; Ben and Ann have not voted; 2 of 2"],
        "nine-why": ["prevails: rule 301", "overridden: rule 302", "rule 301 has the lower number (rule 211)"],
        "ten": ["turn 4: Ann +2 points", "turn 5: Ben +1 point"],
        "ten-history": ["4 rule 301 is repealed 301"],
        "hole-numbers": ["Found: Ann wins with 1 deed, others against", "Ann proposes 1001"],
        "hole-numbers-closed": ["Not decided.", "Only some numbers of proposals were tried"],
        "hole-judge-found": ["Found: Ann or Cleo wins with 1 deed, others for", "Cleo rules in judgment 1"],
        "hole-judge-closed": ["found: “stuck and win.when_stuck != []” is true", "not decided: "],
    },
    CHESS: {
        "join": ["white 16", "green 16"],
        "rule-221": ["mutable", 'check.enemy_on_push to "mate"'],
        "review-301": ["3 of 3 in favour (rule 203)", 'piece N moves "NW"'],
        "turn-1": ["Passed: 3 for"],
        "turn-2": ["Failed: 1 for, 2 against; 3 of 3"],
        "pending-2": ["pawn yellow.e2", "rule 206"],
        "demote": ["yellow 15"],
        "turns-3-4": ["304", "on army_taken"],
        "turn-6": ["turn 7, round 3", "→ Ada"],
        "review-307": ["2 of 3 in favour (rule 203)", "none (rule N1)", "files (rule 307)"],
        "vote-307": ["Passed: 2 for, 1 against; 2 of 3"],
        "why-307": ["prevails: rule 307", "overridden: rule N1"],
        "turn-7": ["yellow", "221", "white.f1", "202", "rook white.a1", "304", "222"],
        "turn-8": ["Failed: 1 for, 1 against; 2 of 2"],
        "move-8": ["turn 9", "Bruno: out", "→ Cleo"],
        "pairs": ["'white+green': 35", "'yellow+green': 7"],
        "turn-9": ["7 army yellow", "221", "202", "222", "9 army white"],
        "turn-10": ["Failed: 1 for, 1 against; 2 of 2"],
        "the-end": ["Cleo wins (rule 112)", "Ada: out", "Bruno: out"],
        "moves": [
            "7 7 3 Ada white B white.f1 white.g2",
            "8 8 3 Ada yellow P yellow.b2 yellow.b3",
            "9 9 3 Cleo green N green.g1 green.f3",
            "10 10 4 Cleo white N white.b1 white.c3",
            "7 yellow 8 green 9 white 10 yellow",
        ],
        "keep": ["1... Nf6 { ply 2", "2. g3 { ply 4", "ply 5: yellow.c3-yellow.c4", "('Cleo', True)"],
        "try": ["turn 10", "→ Ada"],
        "record": ["['game.html', 'game.pgn']"],
    },
    RULES: {
        "king": ["move", "propose"],
        "camels": ['piece.moves is "NC"', "adds to it: rule P1.1", "prevails: rule N8"],
        "local": ["P2.1. Crabs (rule, for Zaphod:3)"],
        "cleo": ["turn 4, round 2", "→ Ada"],
        "turn-2": ["P3.2. Repeal of P2.1"],
        "refused": ["turn.sequence is the same everywhere"],
        "bridge-asked": ["the players are asked", "(rule R8.3)"],
        "turn-3": ["'Zaphod:1': 'R', 'Zaphod:2': 'RF', 'Zaphod:3': 'R'"],
        "riders": ["the knight of white Zaphod:1.c4 attacks the king of green Zaphod:1.e8 (rule R12)"],
        "overlooked": ["the knight of white Zaphod:1.f5 attacks the king of green Zaphod:1.e8 (rule R7)"],
        "meter": [
            "pawns (Ada 16, Bruno 16, Cleo 15): ",
            "(rule R8)",
            "Fair play: what the pieces of Ada, Bruno and Cleo could do before the change and after it",
        ],
        "meter-moves": ["turn 13, round 5", "→ Ada"],
        "turn-5": ["['blue', 'red', 'white', 'yellow']", "['P2.2']"],
        "turn-6": ["Ada wins (rule R13)", "Bruno: army green (3), army orange (4), out"],
        "record": [
            '[White "white (Ada)"]',
            "1... e6 { ply 1: Zaphod:1.e7-Zaphod:1.e6; in force: P1.1 Camels.",
        ],
    },
    EXPLORE: {
        "piece": ["steps 1 square orthogonally"],
        "play": ["Panel of a position"],
        "reach": ["12.0 from c3"],
        "value": ["'n': 330", "'n': 551"],
        "study": [
            "Study of 20 games at 8 nodes a move, seed 1.",
            "White’s score: too few games to tell (20 of at least 100).",
        ],
        "compare": ["no difference seen", "67 % more squares"],
        "heat": ["goes most often to c3"],
        "openings": ["nodes"],
        "replace": ["too few games to tell anything"],
        "rule": ['piece.moves is "NW"'],
        "keep": ["opening"],
    },
    MACHINES: {
        "alone": ["Ben (machine): 0 points", "Ada – propose a rule change"],
        "turn-1": ["Ben (machine) votes for proposal 301.", "Ben (machine) proposes 302"],
        "their-turn": ["Proposal 302 by Ben", "Open: 2 for, 0 against"],
        "vote-302": ["Cleo (machine) proposes 303"],
        "take-over": ["Ben: sensible Ben: sensible Cleo: contrary"],
        "three": [
            "0 everybody must agree 25 turn 25 1 everybody must agree 25 turn 25 2 everybody must agree 25 turn 25",
            "3 two votes are enough 12 Ann over 4 two votes are enough 22 Ann over 5 two votes are enough 7 Ann over",
        ],
        "five-lines": ["Ended: turn 8"],
        "view": ["('propose', True, ['change'])"],
        "model": ["3 refused", "Ended: turn 6"],
        "statements": ["'by': 'Ann', 'text': 'It seems harmless.'"],
        "counts": ["Ann player_with_model 9 2"],
        "why": ["A reply must be a JSON object and nothing else", "Sure! {"],
    },
    STUDY: {
        "audit": ["17 of 18 scores alike; 2 differences, 0 problems in the tables", "the record says 9, the law 5"],
        "differences": ["305 points of Bo 9 5", "306 closing failed still open"],
        "why": ["points of Bo 9"],
        "summary": ["outcomes 6 5 1 0", "scores 18 17 1 0"],
        "problems": ["“ Bo”", "Ada votes twice on 301", "“dunno” is unknown; write for, against or"],
        "readings": ["votes_against == 0 4 6 False"],
        "game": ["the record says that proposal 306 fails"],
        "scores": ["4 Bo 4.0", "7 Ada 23.0"],
        "margins": ["1 301 True 0.0", "3 303 True 0.0 4 304 True 0.0 5 305 True 0.0"],
        "quota": ["3 3 303 1.000 203 4 4 304 0.667 303", "6 6 306 0.667 303"],
        "agreement": ["Ada Bo 0.400000 5"],
        "power": ["1 1 Bo power 1.000"],
        "page": ["'audit.py'"],
        "deposit": ["author = {A. Author}", "'CITATION.cff'", "East North 0.400000"],
    },
}

SECONDS = 20


def code(book):
    return [cell for cell in book.cells if cell.cell_type == "code"]


def tree(cell):
    """The code of a cell; magics are read as the calls that they stand for."""
    return ast.parse(TransformerManager().transform_cell(cell.source))


def said(cell):
    """Everything that a cell shows as plain text, with single spaces."""
    shown = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    return " ".join(" ".join(shown).split())


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture(scope="module")
def saved(path):
    return nbformat.read(path, as_version=4)


@pytest.fixture(scope="module")
def run(path, tmp_path_factory):
    """The notebook, executed in a fresh kernel, and the seconds that it took."""
    book = nbformat.read(path, as_version=4)
    home = tmp_path_factory.mktemp("home")
    places = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(places), "IPYTHONDIR": str(home)}
    client = NotebookClient(
        book,
        timeout=60,
        kernel_name="python3",
        store_widget_state=False,
        allow_errors=True,
        resources={"metadata": {"path": str(home)}},
    )
    began = time.monotonic()
    client.execute(env=env)
    seconds = time.monotonic() - began
    if folder := os.environ.get("RAN_NOTEBOOKS"):  # which the site shows
        nbformat.write(book, Path(folder) / path.name)
    return book, seconds


def test_there_are_notebooks():
    assert {START, FIRST, LESSON, MOVES, CHESS, RULES, EXPLORE, MACHINES, STUDY} <= {path.stem for path in NOTEBOOKS}


def test_nothing_goes_wrong_when_it_runs(run):
    book, _ = run
    for cell in code(book):
        for output in cell.outputs:
            assert output.output_type != "error", f"{cell.id}: {output.get('evalue')}"
            assert output.get("name") != "stderr", f"{cell.id}: {output.get('text')}"


def test_it_does_not_take_long(run):
    assert run[1] < SECONDS


def test_no_widget_state_is_kept(saved, run):
    for book in (saved, run[0]):
        assert "widgets" not in book.metadata


def test_it_is_saved_bare(saved):
    nbformat.validate(saved)
    assert set(saved.metadata) <= {"kernelspec", "language_info"}
    assert saved.metadata.kernelspec.name == "python3"
    for cell in saved.cells:
        assert not cell.metadata, cell.id
    for cell in code(saved):
        assert cell.outputs == [], cell.id
        assert cell.execution_count is None, cell.id


def test_text_comes_before_code(saved):
    before = "code"
    for cell in saved.cells:
        assert cell.cell_type == "markdown" or before == "markdown", cell.id
        before = cell.cell_type


def test_it_uses_public_names_only(saved):
    for cell in code(saved):
        for node in ast.walk(tree(cell)):
            if isinstance(node, ast.Attribute):
                assert not node.attr.startswith("_"), cell.id
                if isinstance(node.value, ast.Name) and node.value.id == "nb":
                    assert node.attr in nb.__all__, f"{cell.id}: nb.{node.attr}"
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("nomic_nb"), cell.id


def test_the_text_tells_what_the_cells_show(path, run):
    cells = {cell.id: cell for cell in code(run[0])}
    for id, words in TOLD.get(path.stem, {}).items():
        shown = said(cells[id])
        for one in words:
            assert " ".join(one.split()) in shown, f"{id}: {shown}"


def test_links_lead_to_notebooks_that_there_are(saved):
    for cell in saved.cells:
        for link in re.findall(r"\]\((?!https:)([^)]+)\)", cell.source):
            assert (ROOT / "notebooks" / link).is_file(), link


@pytest.mark.parametrize("name", nb.rulesets().index)
def test_every_system_is_ready_to_play_in_one_cell(name):
    start = nbformat.read(ROOT / "notebooks" / f"{START}.ipynb", as_version=4)
    (cell,) = (cell for cell in code(start) if f'"{name}"' in cell.source)
    *before, last = tree(cell).body
    names: dict[str, object] = {}
    exec(compile(ast.Module(before, []), cell.id, "exec"), names)  # noqa: S102 - our own page
    panel = eval(compile(ast.Expression(last.value), cell.id, "eval"), names)  # noqa: S307
    data, _ = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert panel.game.pending
    panel.close()


def test_the_lesson_takes_45_minutes():
    book = nbformat.read(ROOT / "notebooks" / f"{LESSON}.ipynb", as_version=4)
    text = "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")
    planned = re.findall(r"^\| (\d+)–(\d+) \| \*\*(.+?)\*\*", text, re.MULTILINE)
    headed = [
        (began, ended, title)
        for title, began, ended in re.findall(r"^## (.+) · minutes (\d+)–(\d+)$", text, re.MULTILINE)
    ]
    assert [(began, ended) for began, ended, _ in planned] == [(began, ended) for began, ended, _ in headed]
    assert all(title.startswith(one) for (*_, one), (*_, title) in zip(planned, headed, strict=True))
    times = [int(one) for began, ended, _ in planned for one in (began, ended)]
    assert times[0] == 0
    assert times[-1] == 45
    assert times[1:-1:2] == times[2::2]


def test_its_export_shows_the_game(path, run):
    html, _ = HTMLExporter().from_notebook_node(run[0])
    for one in EXPORTED.get(path.stem, ()):
        assert one in html
