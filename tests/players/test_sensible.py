"""The kit's own player: how it votes, proposes, moves and answers, and that it sees no more than its seat may see."""

import json
from random import Random

import pytest
from play_helpers import law, sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.study import library
from nomic_nb.study.library.ready_made import Catalogue
from nomic_nb.study.players import ideas, kinds
from nomic_nb.study.players.ideas import changes_to_propose, subject_of
from nomic_nb.study.review.applicable_rules import ApplicableRules

NAMES = ["Ann", "Ben", "Cleo"]
SYSTEMS = [
    ("discordian-nomic", NAMES, 8), ("cabinet-nomic", NAMES, 8), ("github-nomic", NAMES, 8), ("nomic-chess", NAMES, 5),
    ("make-a-rule", ["Ann", "Ben"], 5),
]  # fmt: skip
ROUND, DRAWN = 3, 12


def begin(system="discordian-nomic", players=NAMES, **more):
    return nb.new_game(system, players, seed=7, anew=True, **more)


def sensible(names=NAMES, level="fair"):
    return {name: nb.players.sensible(at, level) for at, name in enumerate(names)}


def reply_of(game, player, level="fair", seed=5):
    return nb.players.sensible(seed, level)(game.seat(player).view(remarks=False))["details"]


def proposed(wording, law="", **more):
    game = begin(**more)
    game.propose("Ann", nb.enact(wording, law))
    return game


def test_players_of_the_kit_let_nobody_in_whom_nobody_would_play(monkeypatch):
    game, late_comer = begin(), [entry for entry in Catalogue() if entry.name == "late_comer"]
    monkeypatch.setattr(kinds, "_ready_made_changes", lambda: (late_comer[0].rule.change().to_json(),))
    monkeypatch.setattr(ideas, "Catalogue", lambda: late_comer)
    at_random = [nb.players.random(seed)(game.seat("Ann").view())["details"]["change"] for seed in range(9)]
    thought_of = [change.to_json() for change in changes_to_propose(game.state, "Ann", Random(1))]
    assert "enter player" in late_comer[0].rule.law
    assert not [change for change in (*at_random, *thought_of) if "enter player" in (change.get("law") or "")]


# -------------------------------------------------------------------------------------------------------- prospects


def view_of(points, *, over=False, winners=(), players=NAMES, target="100", strength=None):
    boards = None if strength is None else {"strength": strength}
    aim = None if target is None else {"counter": "points", "target": target}
    game = {"over": over, "winners": list(winners), "players": players}
    return {"game": game, "aim": aim, "score": {"points": points}, "boards": boards}


def test_prospects_are_1_for_a_winner_and_0_for_who_has_lost():
    over = view_of({}, over=True, winners=["Ann"])
    assert [nb.players.prospects(over, name) for name in NAMES] == [1, 0, 0]
    assert nb.players.prospects(view_of({}, over=True, winners=["Ann", "Ben"]), "Ben") == 0.5
    assert nb.players.prospects(view_of({}, over=True), "Ann") == 0.5
    assert nb.players.prospects(view_of({}, players=["Ann"]), "Ben") == 0


def test_prospects_rise_with_the_own_score_and_fall_with_that_of_the_best_other():
    found = [
        nb.players.prospects(view_of({"Ann": str(own), "Ben": "20", "Cleo": "10"}), "Ann") for own in range(-50, 99, 7)
    ]
    assert found == sorted(set(found))
    assert all(0 < value < 1 for value in found)
    ahead, behind = ({"Ann": "20", "Ben": ben, "Cleo": "0"} for ben in ("10", "90"))
    assert nb.players.prospects(view_of(ahead), "Ann") > nb.players.prospects(view_of(behind), "Ann")


def test_prospects_take_fractions_odd_targets_and_missing_numbers():
    assert nb.players.prospects(view_of({"Ann": "1/3"}, target="-5"), "Ann") > 0.5
    assert nb.players.prospects(view_of({}, target=None), "Ann") == 0.5
    assert nb.players.prospects(view_of({"Ann": "9" * 60}), "Ann") < 1


def test_prospects_rise_with_the_strength_of_the_own_pieces():
    strong = view_of({}, target=None, strength={"Ann": "90", "Ben": "60", "Cleo": "10"})
    assert [nb.players.prospects(strong, name) for name in NAMES] == pytest.approx([0.623636, 0.469231, 0.186486])


def test_a_capture_helps_even_if_it_is_not_from_the_strongest():
    found = [
        nb.players.prospects(view_of({}, target=None, strength={"Ann": "60", "Ben": "60", "Cleo": cleo}), "Ann")
        for cleo in ("60", "50")
    ]
    assert found[0] < found[1]


def test_a_view_says_how_strong_the_pieces_of_each_player_are():
    game = begin("nomic-chess")
    strength = game.seat("Ann").view()["boards"]["strength"]
    assert set(strength) == set(NAMES)
    assert len(set(strength.values())) == 1
    assert begin().seat("Ann").view()["boards"] is None


# ------------------------------------------------------------------------------------------------------------ votes


@pytest.mark.parametrize("level", ["fair", "sharp"])
@pytest.mark.parametrize(
    "law", ['on enacted: award 1000 points to "Ann"', "on enacted when rule == this: award 200 points to players"]
)
def test_it_never_votes_for_what_lets_another_win_at_once(law, level):
    game = proposed("It is so.", law)
    assert reply_of(game, "Ben", level) == {"ballot": "against"}


def test_nor_while_ballots_are_sealed():
    game = proposed("Ann wins.", 'on enacted: award 1000 points to "Ann"', terms={"vote.ballots": "sealed"})
    game.vote("Ann", "for")
    view = game.seat("Ben").view(remarks=False)
    assert view.state is None
    assert nb.players.sensible()(view)["details"] == {"ballot": "against"}


def test_it_votes_for_what_helps_it_and_against_what_harms_it():
    assert reply_of(proposed("Ben gets 20 points.", 'on enacted: award 20 points to "Ben"'), "Ben") == {"ballot": "for"}
    assert reply_of(proposed("Ben pays 20.", 'on enacted: award -20 points to "Ben"'), "Ben") == {"ballot": "against"}


def test_a_fair_player_votes_for_what_does_no_harm_and_a_sharp_one_against_it():
    game = proposed("Everyone is to be kind.")  # by whose defeat Ann would lose 10 points
    assert reply_of(game, "Ben") == {"ballot": "for"}
    assert reply_of(game, "Ben", "sharp") == {"ballot": "against"}


def test_it_votes_for_its_own_proposal():
    game = proposed("Everyone is to be kind.")
    assert reply_of(game, "Ann") == {"ballot": "for"}


# -------------------------------------------------------------------------------------------------------- proposals


@pytest.mark.slow
def test_a_proposal_is_accepted_passes_among_its_like_and_is_not_made_twice():
    game = begin()
    nb.play(game, sensible(), until=6, remarks=False)
    proposals = list(game.state.proposals.values())
    changes = [json.dumps(one.change.to_json()) for one in proposals]
    assert len(set(changes)) == len(changes) >= 5 or game.state.over
    assert sum(one.status == "adopted" for one in proposals) >= len(proposals) / 2


def test_only_a_sharp_player_proposes_what_lets_it_win_at_once(monkeypatch):
    win = nb.enact("Ann wins.", 'on enacted when rule == this: award 1000 points to "Ann"', title="A win")
    kind = nb.enact("Everyone is to be kind to everyone.", title="Kindness")
    monkeypatch.setattr("nomic_nb.study.players.sensible_player.changes_to_propose", lambda *_: iter([kind, win]))
    assert reply_of(begin(), "Ann")["change"]["title"] == "Kindness"
    assert reply_of(begin(), "Ann", "sharp")["change"]["title"] == "A win"


def test_it_does_not_propose_what_would_be_defeated(monkeypatch):
    greedy = nb.enact("Ann gets 60 points.", 'on enacted when rule == this: award 60 points to "Ann"', title="Greed")
    kind = nb.enact("Everyone is to be kind to everyone.", title="Kindness")
    monkeypatch.setattr("nomic_nb.study.players.sensible_player.changes_to_propose", lambda *_: iter([greedy, kind]))
    assert reply_of(begin(), "Ann")["change"]["title"] == "Kindness"


def test_after_two_refusals_for_the_same_reason_it_proposes_something_else():
    game = begin()
    view = dict(game.seat("Ann").view())  # as it comes over a network: nothing can be tried out
    player, seen = nb.players.sensible(3), []
    for _ in range(3):
        seen.append(player(view)["details"]["change"])
        view["refused"] = {"code": "forbidden", "why": "No.", "rule": None, "options": []}
    assert len({json.dumps(change) for change in seen}) == 3
    assert "law" not in seen[-1]


# ------------------------------------------------------------------------------- moves, questions, what is not seen


def test_it_captures_what_it_can():
    game = begin("make-a-rule", ["Ann", "Ben"])
    nb.play(game, sensible(["Ann", "Ben"]), until=2, remarks=False)
    pieces = {"white": "Ke1! Qd1 a2", "yellow": "Ke8! Rd7 h7"}
    game.host.set_up(pieces, agreed=game.players, reason="for the test")
    strength = {name: float(eval(text)) for name, text in game.seat("Ben").view()["boards"]["strength"].items()}  # noqa: S307
    assert strength["Ann"] > strength["Ben"]
    player = "Ann" if any(one["action"] == "move" for one in game.seat("Ann").view()["asked"]) else "Ben"
    options = game.seat(player).view()["moves"]
    captures = [move for move in options if move.endswith(".d7" if player == "Ann" else ".d1")]
    assert reply_of(game, player)["text"] in captures


def test_it_gives_the_answer_that_others_have_given():
    view = begin().seat("Ben").view()
    asked = {
        "key": "k", "action": "choose", "must": True, "proposal": None, "prompt": "Which? So far: Ann says two.",
        "fields": [{"name": "option", "type": "choice", "options": ["one", "two", "three"], "other": True}],
    }  # fmt: skip
    for options in (["one", "two", "three"], None):
        field = {"name": "option", "type": "choice" if options else "text"} | ({"options": options} if options else {})
        shown = dict(view) | {"asked": [asked | {"fields": [field]}]}
        assert nb.players.sensible()(shown)["details"] == {"option": "two"}


def test_it_tries_captures_first(monkeypatch):
    monkeypatch.setattr("nomic_nb.study.players.sensible_player.MOST_MOVES", 1)
    test_it_captures_what_it_can()


def test_a_fair_player_does_no_favour_to_somebody_far_ahead():
    game = begin()
    game.host.correct('award 60 points to player_named("Ann")', agreed=game.players, reason="as agreed")
    game.propose("Ann", nb.enact("Everyone is to be kind."))
    assert reply_of(game, "Ben") == {"ballot": "against"}


def test_of_equal_proposals_it_makes_one_on_another_subject(monkeypatch):
    titles = [rule().title for rule in (library.secret_ballots, library.changeable_ballots, library.another_die)]
    first, again, other = (nb.enact(f"Everyone is to like {title}.", title=title) for title in titles)
    game = begin()
    game.propose("Ann", first)
    nb.play(game, dict.fromkeys(NAMES, adopting(nb.enact("It is so."))), until=4, remarks=False)
    monkeypatch.setattr("nomic_nb.study.players.sensible_player.changes_to_propose", lambda *_: iter([again, other]))
    assert {reply_of(game, "Ann", seed=seed)["change"]["title"] for seed in range(6)} == {other.title}


def test_it_suspends_and_protects_only_rules_that_there_are(monkeypatch):
    named = [entry for entry in Catalogue() if entry.name in ("suspension", "protected_rule")]
    monkeypatch.setattr("nomic_nb.study.players.ideas.Catalogue", lambda: named)

    def titles(state):
        found = [change.title or "" for seed in range(5) for change in changes_to_propose(state, "Ann", Random(seed))]
        return [title.split() for title in found if title.startswith("Rule ")]

    state = begin().state
    told = titles(state)
    assert len(told) == 10
    assert {int(words[1]) for words in told} <= {rule.number for rule in state.rules}
    assert titles(begin("make-a-rule").state) == []  # no rule there has a number


def test_every_ready_made_rule_has_its_subject():
    assert [entry.name for entry in Catalogue() if subject_of(entry.rule.change()) != entry.subject] == []


@pytest.mark.parametrize("ballot", ["for", "against"])
def test_what_is_sealed_makes_no_difference_to_it(ballot):
    def replies(cast):
        game = proposed("Everyone is to be kind.", terms={"vote.ballots": "sealed"})
        game.vote("Ann", cast)
        return [nb.players.sensible(1)(game.seat(name).view()) for name in ("Ben", "Cleo")]

    assert replies(ballot) == replies("for")


def test_what_is_hidden_makes_no_difference_to_it():
    def replies(amount):
        game = sit()
        law(game, "track gold per player from 0 hidden")
        game.host.correct(f'award {amount} gold to player_named("Ben")', agreed=game.players, reason="as agreed")
        assert game.seat("Ann").view().state is None
        return [nb.players.sensible(1)(game.seat(name).view()) for name in game.players]

    assert replies(5) == replies(73519)


def test_its_dice_are_not_those_of_the_game():
    """A player with the seed of the game must not know what the game will roll."""
    from nomic_nb.study.players import sensible_player as module

    seeds = []
    real = module._Outlook.__init__

    def noted(self, state, player, seed):
        seeds.append(seed)
        real(self, state, player, seed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module._Outlook, "__init__", noted)
        nb.play(begin(), {name: nb.players.sensible(7) for name in NAMES}, until=2, remarks=False)
    assert len(set(seeds)) == len(seeds) > 3
    assert 7 not in seeds


def test_a_level_that_there_is_not_is_refused():
    with refused("not-one-of-these"):
        nb.players.sensible(level="brilliant")
    assert repr(nb.players.sensible(3, "sharp")) == "nb.players.sensible(3, 'sharp')"


# ----------------------------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize(
    ("system", "players", "turns"),
    [(*who, turns // 2) for *who, turns in SYSTEMS] + [pytest.param(*one, marks=pytest.mark.fuzz) for one in SYSTEMS],
)
@pytest.mark.slow
def test_it_plays_every_system_and_leaves_no_trace(system, players, turns):
    game = begin(system, players)
    played = nb.play(game, sensible(players), until=turns, remarks=False)
    assert played.ended in (f"turn {turns}", "over")
    assert played.count("refused") == 0
    assert len(game.forks) == 0


@pytest.mark.slow
def test_the_same_seeds_play_the_same_game_and_another_game_is_played_otherwise():
    first, second, third = begin(), begin(), nb.new_game("discordian-nomic", NAMES, seed=8, anew=True)
    players = sensible()
    for game in (first, second, third):
        nb.play(game, players if game is third else sensible(), until=2, remarks=False)
    assert first.fingerprint == second.fingerprint
    made = [[one.change.headline for one in game.state.proposals.values()] for game in (first, third)]
    assert made[0] != made[1]


def adopting(change):
    """A player who proposes a change wherever it can, votes for everything, and does the rest at random."""
    plain = nb.players.random(seed=1)

    def decide(view):
        found = [one for one in view["asked"] if one["action"] in ("propose", "vote", "begin_turn") and one["must"]]
        if not found or view["refused"] is not None:
            return plain(view)
        asked = next((one for one in found if one["action"] == "propose"), found[0])
        own = {"change": change.to_json()} if asked["action"] == "propose" else {}
        details = {"ballot": "for"} if asked["action"] == "vote" else plain.plain_details(view, asked) | own
        return {"key": asked["key"], "details": details}

    return decide


@pytest.mark.fuzz
@pytest.mark.parametrize(("system", "players", "turns"), SYSTEMS)
def test_it_plays_under_ready_made_rules_that_fit(system, players, turns, monkeypatch):
    monkeypatch.setattr("nomic_nb.study.players.ideas.MOST_READY_MADE", 1)
    monkeypatch.setattr("nomic_nb.study.players.ideas.MOST_ON_THE_SCORE", 0)
    fitting, wrong, adopted = list(ApplicableRules(begin(system, players).state)), [], 0
    for one in Random(7).sample(fitting, DRAWN):
        game = begin(system, players)
        change = one.entry.rule.change(one.target)
        nb.play(game, dict.fromkeys(players, adopting(change)), until=2, remarks=False)
        adopted += any(made.change == change and made.status == "adopted" for made in game.state.proposals.values())
        new = set(game.players) - set(players)  # for whom people play
        played = nb.play(game, sensible(players), until=game.turn + ROUND, remarks=False)
        if not (played.ended.startswith(("turn", "over")) or any(name in played.ended for name in new)):
            wrong.append(f"{one.entry.name}: {played.ended}")
    assert wrong == []
    assert adopted > DRAWN / 4
