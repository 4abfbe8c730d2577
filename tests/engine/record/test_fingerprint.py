"""Eight letters tell a record from any other, even from one that was rewritten by the rules."""

import json
from pathlib import Path

import pytest
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.play.events import canonical_json
from nomic_nb.engine.play.record_limits import hash_of_line
from nomic_nb.engine.record.log import FINGERPRINT_LETTERS, record_lines

SEALED = 'set vote.ballots to "sealed"'


def played(words: str = "hello", seed: int = 7) -> nb.Game:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=seed)
    game.say("Ann", words)
    game.propose("Ann", nb.enact("Anything."))
    return game


def test_it_is_of_the_last_line_that_is_an_event() -> None:
    game = played()
    end = json.loads(list(record_lines(game.timeline))[-1])
    bits = bin(int(end["prev"], 16))[2:].zfill(256)
    assert game.fingerprint == "".join(FINGERPRINT_LETTERS[int(bits[at : at + 5], 2)] for at in range(0, 40, 5))


def test_each_step_has_its_own_and_an_earlier_moment_has_that_of_then() -> None:
    game, seen = played(), []
    seen.append(game.fingerprint)
    at = game.state.seq
    game.vote("Ann", "for")
    seen.append(game.fingerprint)
    assert game.at(at).fingerprint == seen[0] != seen[1]
    assert game.fork(at).fingerprint == seen[0]
    game.undo()
    assert game.fingerprint not in seen
    assert played().fingerprint == seen[0]
    assert len({seen[0], played("hallo").fingerprint, played(seed=8).fingerprint}) == 3


def rewritten(path: Path, old: str, new: str) -> None:
    """Put other words into a record, and bind its lines anew."""
    lines = path.read_text().replace(old, new).splitlines()
    made = [lines[0]]
    for line in lines[1:]:
        made.append(canonical_json({**json.loads(line), "prev": hash_of_line(made[-1])}))
    path.write_text("".join(f"{line}\n" for line in made))


def test_a_record_that_was_rewritten_by_the_rules_is_told_from_the_true_one(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = played()
    letters = game.save(path)
    assert letters == game.fingerprint
    assert nb.load(path, fingerprint=f" {letters[:4].lower()}-{letters[4:]} ").fingerprint == letters
    rewritten(path, "hello", "hallo")
    other = nb.load(path).fingerprint
    with refused("fingerprint-differs", found=other, wanted=letters):
        nb.load(path, fingerprint=letters)


@pytest.mark.parametrize("said", ["", "ABC", "ABCDEFGHJ", "ABCDEFG0", "ABCDEFGI", "äBCDEFGH"])
def test_what_is_no_fingerprint_is_refused(tmp_path: Path, said: str) -> None:
    played().save(tmp_path / "game.jsonl")
    with refused("fingerprint-malformed", ValueError, length=8):
        nb.load(tmp_path / "game.jsonl", fingerprint=said)


def sealed(ballot: str) -> nb.Game:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.enact("Ballots are sealed.", law=SEALED))
    for name in game.players:
        game.vote(name, "for")
    game.roll("Ann", 1)
    game.propose("Ben", nb.enact("Secret."))
    game.vote("Ann", ballot)
    return game


def test_it_tells_no_sealed_ballot_until_the_vote_is_closed(tmp_path: Path) -> None:
    one, other = sealed("for"), sealed("against")
    assert one.fingerprint == other.fingerprint
    assert nb.load(tmp_path / "x", fingerprint=one.save(tmp_path / "x")).fingerprint == one.fingerprint
    one.say("Ben", "soon")
    other.say("Ben", "soon")
    assert one.fingerprint == other.fingerprint != sealed("for").fingerprint
    one.vote("Ben", "for")
    other.vote("Ben", "for")
    assert one.fingerprint != other.fingerprint
    one.undo()
    assert one.fingerprint != other.fingerprint
