"""The records of the gallery: short games that are played, annotated and written to pages while the site is built."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import nomic_nb as nb


def majority() -> nb.Game:
    """Play until one of three players wins, under a majority that they voted for."""
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    game.propose("Ann", nb.library.simple_majority().change(203))
    game.votes()
    game.annotate(
        "From now on two of three are enough. Cleo could have stopped it for the last time.", "!", proposal=301
    )
    game.roll("Ann")
    game.propose(
        "Ben", nb.enact("A six scores nothing.", law="set throw.points to 0 while face == 6", title="No sixes")
    )
    game.votes(against=["Cleo"])
    game.annotate("Outvoted, Cleo gets the ten points that rule 204 pays to those who were against.", proposal=302)
    game.roll("Ben")
    game.propose("Cleo", nb.library.points_to_win(points=20).change(208))
    game.votes()
    game.annotate("Everybody thinks that they will be first.", "?!", proposal=303)
    game.roll("Cleo")
    while not game.over and game.turn < 12:
        player = game.player or ""
        game.propose(player, nb.enact(f"{player} sings before turn {game.turn + 1}.", title=f"A song, {game.turn}"))
        game.votes(against=[next(name for name in game.players if name != player)])
        if not game.over:
            game.roll(player)
    return game


def stepping_knights() -> nb.Game:
    """Play some turns in which knights learn a step."""
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=5)
    knights = nb.enact("Knights may also step one square straight.", law='piece N moves "NW"', title="Stepping knights")
    game.propose("Ann", knights)
    game.votes()
    game.annotate("A law for both armies. The mover has the first use of it.", proposal=301)
    game.move("Ann", "white.e2-white.e4", push=("white", "yellow"))
    game.annotate("Room for the bishop, and for a knight that steps.", "!?", ply=1, arrows=["f1-b5"], squares=["e4"])
    game.propose("Ben", nb.library.no_double_step().change())
    game.votes()
    game.annotate("Ben closes the door through which Ann’s pawn came.", "!", proposal=302)
    game.move("Ben", "yellow.g1-yellow.f3", push=("white", "yellow"))
    game.propose("Ann", nb.enact("A player who captures says thank you.", title="Thanks"))
    game.votes()
    game.move("Ann", "white.d2-white.d3", push=("white", "yellow"))
    game.propose("Ben", nb.repeal(302))
    game.votes(others="against", in_favour=["Ben"])
    game.annotate("Ann likes Ben’s rule better than Ben does by now. He must demote a piece (rule 206).", proposal=304)
    game.choose("Ben", "bishop yellow.f1")
    game.move("Ben", "yellow.f3-yellow.f4", push=("white", "yellow"))
    game.annotate("The first knight to step.", "!", ply=4, squares=["f5"])
    return game


def making_a_rule() -> nb.Game:
    """Play Make-A-Rule Chess to the capture of a king."""
    game = nb.new_game("make-a-rule", ["Ann", "Ben"], seed=6)
    game.move("Ann", "Zaphod:1.e2-Zaphod:1.e4")
    crabs = nb.enact("A pawn may also step to the side.", law='piece P moves otherwise + "smW"', title="Crabs")
    game.propose("Ben", crabs)
    game.annotate("A fine rule, and a lost move.", "?", ply=1)
    game.move("Ann", "Zaphod:1.f1-Zaphod:1.c4")
    game.move("Ben", "Zaphod:1.e7-Zaphod:1.e5")
    game.move("Ann", "Zaphod:1.d1-Zaphod:1.h5")
    game.annotate("Queen and bishop look at f7.", arrows=["h5-f7", "c4-f7"], squares=["f7"])
    game.move("Ben", "Zaphod:1.a7-Zaphod:1.a6")
    game.move("Ann", "Zaphod:1.h5-Zaphod:1.f7")
    game.annotate("The oldest trap of all, under new law. The king has no way out.", "!!")
    game.move("Ben", "Zaphod:1.a6-Zaphod:1.a5")
    game.move("Ann", "Zaphod:1.f7-Zaphod:1.e8")
    return game


def from_anywhere() -> nb.Game:
    """Play two turns that overlap."""
    game = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=3)
    game.begin_turn("Ann")
    game.begin_turn("Ben")
    game.propose("Ben", nb.enact("A proposal has a title of at most five words.", title="Short titles"), number=1)
    game.propose("Ann", nb.enact("On Fridays nobody proposes anything.", title="Quiet Fridays"), number=2)
    for name in game.players:
        game.vote(name, "for", proposal=1)
    game.annotate("Liked by all three.", "!", proposal=1)
    for name in game.players:
        game.vote(name, "against" if name == "Cleo" else "for", proposal=2)
    game.annotate("Cleo works on Fridays.", proposal=2)
    return game


class Record(NamedTuple):
    """A record of the gallery: what its page and its entry say, and how it is played."""

    title: str
    about: str
    play: Callable[[], nb.Game]


#: The records, by the names of their files.
RECORDS = {
    "majority": Record(
        "A majority of two",
        "A majority becomes enough. The next vote already follows the new rule, and the outvoted player gains by it.",
        majority,
    ),
    "overlapping": Record(
        "From three desks",
        "Turns overlap, numbers come from outside, and a proposal scores more the more people like it.",
        from_anywhere,
    ),
    "stepping-knights": Record(
        "Stepping knights",
        "Knights may also step one square straight. Both armies gain by it; who uses it first?",
        stepping_knights,
    ),
    "making-a-rule": Record(
        "A rule or a move",
        "Making a rule takes the place of a move, and Ben misses the move.",
        making_a_rule,
    ),
}
INTRODUCTION = """# Gallery

Games with comments, each on a page of its own: step through the moves, read the law of each moment, print it.
The kit played them while this site was built. `nb.load` opens the record of each.
"""
ENTRY = """## {title}

*{system}, {players}.* {about}

{result} The fingerprint is `{fingerprint}`.

<p class="links"><a href="gallery/{slug}.html">Read the game</a>
<a href="gallery/{slug}.jsonl" download>Download the record</a></p>
"""


def write_gallery(folder: Path) -> str:
    """Write each record as a page and as a file that can be loaded, and return the Markdown page that leads to them."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [INTRODUCTION]
    for slug, (title, about, play) in RECORDS.items():
        game = play()
        game.to_html(str(folder / f"{slug}.html"), title=title)
        parts.append(
            ENTRY.format(
                slug=slug,
                title=title,
                about=about,
                system=game.ruleset.title,
                players=", ".join(game.players),
                result=game.result or f"The game goes on after turn {game.turn}.",
                fingerprint=game.save(str(folder / f"{slug}.jsonl")),
            )
        )
    return "\n".join(parts)
