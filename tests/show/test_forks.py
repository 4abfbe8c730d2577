"""The ways that a game went: as text, as a table, and drawn."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

import pytest
from refusals import refused
from show.games import all_vote, begun, pass_change
from show.reading import SVG, Page, read

import nomic_nb as nb
from nomic_nb.notebook.show.forks import MOST_DRAWN

EVIL = ["<script>alert(1)</script>", "'><img src=x>&]]>", "אנה"]


def with_forks(names: list[str] | None = None) -> tuple[nb.Game, nb.Game, nb.Game]:
    """Return a game, one that parted from it after its first turn, and one that parted from that at its end."""
    game = begun(names)
    pass_change(game, nb.enact("Hush.", title="Hush"))
    parted = game.state.seq
    pass_change(game, nb.enact("Hush again.", title="Hush again"))
    fork = game.fork(at=parted)
    pass_change(fork, nb.repeal(211))
    inner = fork.fork()
    pass_change(inner, nb.repeal(210))
    return game, fork, inner


def groups(page: Page) -> dict[str, Element]:
    """Return what is drawn of each way, by its name."""
    (drawing,) = page.images
    found = {}
    for group in drawing.iter(f"{SVG}g"):
        title = group.findtext(f"{SVG}title")
        assert title is not None
        found[title.split(" – ")[0]] = group
    return found


def texts(group: Element) -> list[str]:
    return [str(one.text) for one in group.iter(f"{SVG}text")]


def line(group: Element) -> tuple[list[float], list[float]]:
    """Return where the line of a way goes: all its x, and where it begins and ends in height."""
    path = group.find(f"{SVG}path")
    assert path is not None
    found = re.fullmatch(r"M([\d.]+) (\d+)(?:V(\d+)Q[\d.]+ (\d+) [\d.]+ \d+)?H([\d.]+)", path.attrib["d"])
    assert found, path.attrib["d"]
    begin, top, _, bottom, end = found.groups()
    return [float(begin), float(end)], [float(top), float(bottom or top)]


def test_a_game_that_never_parted_is_not_drawn() -> None:
    page = read(begun().forks)
    assert page.images == []
    assert "This game played now – 7 7 The game begins with Ann, Ben and Cleo game" in page.text


def test_each_way_says_where_it_parted_how_long_it_is_and_what_begins_it() -> None:
    game, fork, inner = with_forks()
    at, end = game.forks[0].at, fork.state.seq
    first = f"after event {at}, in turn 2, followed by {end - at} events: Ben proposes 302: repeal rule 211"
    second = f"after event {end}, in turn 3, followed by {inner.state.seq - end} events: Cleo proposes 303"
    page = read(game.forks)
    drawn = groups(page)
    assert list(drawn) == ["forks[1]", "forks[0]", "This game"]
    assert texts(drawn["This game"]) == ["This game – played now", f"{game.state.seq} events"]
    assert texts(drawn["forks[0]"]) == [str(at), "forks[0] – forked", f"leaves {first}"]
    assert f"leaves {second}" in texts(drawn["forks[1]"])[2]
    alt = page.images[0].findtext(f"{SVG}title")
    assert alt is not None
    assert first in alt
    assert second in alt
    assert f"– Forked After event {at}, in turn 2 {end - at} {end} Ben proposes 302: repeal rule 211" in page.text
    text = str(game.forks).splitlines()
    assert text[1].startswith("- Branch: This game played now; Leaves: –; ")
    assert text[2].startswith(
        f"- Branch: – Forked; Leaves: After event {at}, in turn 2; Own events: {end - at}; Events: {end}"
    )
    assert "Begins: Ben proposes 302: repeal rule 211; In Python: game.forks[0].game" in text[2]
    assert text[3].startswith(f"- Branch: – – Forked; Leaves: After event {end}, in turn 3;")


def test_the_lines_go_along_the_events() -> None:
    game, fork, inner = with_forks()
    drawn = groups(read(game.forks))
    own, first, second = line(drawn["This game"]), line(drawn["forks[0]"]), line(drawn["forks[1]"])
    longest = max(one.state.seq for one in (game, fork, inner))

    def along(event: int) -> float:
        return own[0][0] + event / longest * (720 - 24 - 30)

    assert own[0][1] == pytest.approx(along(game.state.seq), abs=0.01)
    assert first[0] == pytest.approx([along(game.forks[0].at), along(fork.state.seq)], abs=0.01)
    assert second[0] == pytest.approx([along(fork.state.seq), along(inner.state.seq)], abs=0.01)
    assert own[1][0] == first[1][0]  # it leaves the game
    assert first[1][1] == second[1][0]  # which this one leaves in turn
    assert own[1][0] < first[1][1] < second[1][1]


def test_a_way_leaves_the_line_on_which_its_moment_stands() -> None:
    game, fork, _ = with_forks()
    fork.fork(at=game.forks[0].at - 1)
    drawn = groups(read(game.forks))
    assert "nothing has happened there yet" in texts(drawn["forks[1]"])[2]
    assert line(drawn["forks[1]"])[1][0] == line(drawn["This game"])[1][0]


def test_what_is_played_now_is_told_by_form_and_words() -> None:
    game, fork, inner = with_forks()
    for one, others in ((game, (fork, inner)), (fork, (game, inner)), (inner, (game, fork))):
        page = read(one.forks)
        drawn = groups(page)
        dashed = {name: "stroke-dasharray" in path.attrib for name, g in drawn.items() for path in g.iter(f"{SVG}path")}
        here = "This game" if one is game else "Forked"
        assert dashed == {here: False, "forks[0]": True, "forks[1]": True}
        assert [text for g in drawn.values() for text in texts(g) if "played now" in text] == [f"{here} – played now"]
        assert [way.game.timeline for way in one.forks] == [other.timeline for other in others]
    assert str(fork.forks).splitlines()[1].startswith("- Branch: The game it branched from; ")


def test_hostile_names_are_text() -> None:
    game, *_ = with_forks(EVIL)
    page = read(game.forks)
    assert f"{EVIL[1]} proposes 302" in page.text
    assert f"{EVIL[1]} proposes 302: repeal rule 211" in texts(groups(page)["forks[0]"])[2]


def test_long_texts_stay_in_the_drawing() -> None:
    game = begun(["あ" * 40, "Ben", "Cleo"])
    pass_change(game, nb.enact("Hush."))
    other = game.fork(at=7)
    other.propose(other.players[0], nb.enact("Words.", title="Word upon word " * 8))
    for one in texts(groups(read(game.forks))["forks[0]"]):
        assert sum(1.0 if letter == "あ" else 0.56 for letter in one) * 11 <= 720 - 24 - 30
    assert texts(groups(read(game.forks))["forks[0]"])[2].endswith("…")


def test_very_many_ways_are_in_the_table() -> None:
    game = begun()
    for _ in range(MOST_DRAWN + 3):
        game.fork()
    page = read(game.forks)
    assert len(groups(page)) == MOST_DRAWN
    (drawing,) = page.images
    assert "4 more branches in the table below." in [one.text for one in drawing.iter(f"{SVG}text")]
    assert page.text.count("– Forked") == MOST_DRAWN + 3


def test_a_way_that_is_not_there() -> None:
    game, *_ = with_forks()
    with refused("no-such-fork", IndexError, fork=3, known="forks[0] to forks[1]"):
        game.forks[3]
    with refused("no-such-fork", IndexError, known="no forks yet. To make one, use game.fork()"):
        begun().forks[0]


def test_ways_that_parted_later_stay_with_the_way_they_parted_from() -> None:
    game, fork, _ = with_forks()
    late = game.fork()
    late.propose("Cleo", nb.repeal(206))
    old = list(game.timeline.moments)
    del game.timeline.moments[7:]
    game.propose("Ann", nb.repeal(211))
    game.timeline.remember_branch(old, 7, "before cell c2 was edited")
    ways = [(way.depth, way.at, way.why) for way in game.forks.all_branches()]
    assert ways == [
        (0, 0, "this game"),
        (1, 7, "before cell c2 was edited"),
        (2, next(one.at for one in game.forks if one.timeline is fork.timeline), "forked"),
        (3, fork.state.seq, "forked"),
        (2, len(old), "forked"),
    ]
    assert [way.here for way in late.forks.all_branches()] == [False] * 4 + [True]
    all_vote(game)
    assert game.proposals[301].change == nb.repeal(211)
