"""Search by everyday words: what people type, and what they find."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest
from panels.pages import Page
from play_helpers import sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import hints
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.notebook.panels.completion import next_words
from nomic_nb.study.library.ready_made import _ASIDE, find_rule_names
from nomic_nb.study.library.word_search import stems_alike, text_stems, word_stem
from nomic_nb.study.review import applicable_rules


@pytest.fixture(scope="module")
def game():
    return sit("Ann", "Ben")


#: What people type, and ready-made rules among the first five.
RULES = {
    "roll": ["throw_or_take"],
    "rolls": ["throw_or_take"],
    "rolling": ["another_die"],
    "throw": ["throw_or_take", "more_dice"],
    "toss a die": ["another_die"],
    "dice": ["committed_dice", "more_dice"],
    "rounds": ["last_circuit", "there_and_back"],
    "laps": ["last_circuit"],
    "circuit": ["last_circuit"],
    "scoring": ["unlucky_face"],
    "poll": ["secret_ballots"],
    "balloting": ["changeable_ballots"],
    "approve": ["simple_majority"],
    "rejected": ["price_of_defeat"],
    "failing": ["price_of_defeat"],
    "horses": ["piece_moves", "untouchable"],
    "towers": ["castling_with"],
    "castle": ["no_castling", "castling_with"],
    "cash": ["currency", "auction"],
    "gold coins": ["currency"],
    "delete a rule": ["cool_down", "sunset_for_new_rules"],
    "hidden votes": ["secret_ballots"],
    "anonymous": ["secret_ballots"],
    "sealed": ["committed_dice", "secret_ballots"],
    "quota": ["simple_majority"],
    "unanimous": ["quota_by_circuit"],
    "victory": ["points_to_win", "joint_win"],
    "goal": ["points_to_win"],
    "referee": ["elected_judge", "no_judge"],
    "umpires": ["elected_judge"],
    "pass over": ["passing"],
    "skipping": ["passing", "missed_turn"],
    "backwards": ["reverse_order"],
    "discussion": ["compulsory_debate"],
    "bot": ["dummy"],
    "punishment": ["penalty_for"],
    "bombs": ["explosions"],
    "temporary": ["sunset_for_new_rules"],
}

#: What pupils might write, and the ready-made rule for it; the library has the first ten.
PUPILS = {
    "Whoever rolls a six gets another go": "extra_turn",
    "You lose a point if you interrupt": "penalty_for",
    "knights can move like kings": "piece_moves",
    "everyone must agree": "quota_by_circuit",
    "the game ends after ten rounds": "last_circuit",
    "More than half of the votes are enough": "simple_majority",
    "If you are late you have to pay": "fee_for",
    "The first to get fifty points wins": "points_to_win",
    "Everybody has to say please": "needed_word",
    "We play in two teams": "teams",
    "Whoever tells a good joke gets two points": "reward_for",
    "You may not kill my horse": "untouchable",
}


@pytest.mark.parametrize("words", RULES)
def test_everyday_words_find_ready_made_rules(words):
    found = [entry.name for entry in nb.library.search(words)]
    assert set(RULES[words]) <= set(found[:5])


@pytest.mark.parametrize("sentence", PUPILS)
def test_a_pupils_rule_finds_the_ready_made_one(sentence):
    assert PUPILS[sentence] in find_rule_names(sentence)[:5]


@pytest.mark.parametrize("words", ["banana", "banana votes", "quitting", "undress", "my dog"])
def test_what_the_library_does_not_have_finds_nothing(words):
    assert find_rule_names(words) == []
    assert str(nb.library.search(words)) == "No ready-made rule found."
    assert "No ready-made rule found." in nb.library.search(words)._repr_html_()


@pytest.mark.parametrize("word", ["roll", "vote", "round", "judge", "horse", "goal", "lap", "poll", "delete", "bid"])
def test_every_rule_found_has_the_word_or_one_like_it_and_the_word_itself_goes_first(word):
    stem = word_stem(word)
    had = []
    for entry in nb.library.search(word):
        stems = set(text_stems(f"{entry.name} {entry.rule.title} {entry.rule.wording}"))
        assert stems & {stem, *stems_alike(stem)}
        had.append(stem in stems)
    assert had
    assert had == sorted(had, reverse=True)


def test_searching_ignores_claims_of_precedence():
    wordings = {entry.name: entry.rule.wording for entry in nb.library.catalogue}
    claiming = {name for name, wording in wordings.items() if "takes precedence over all others" in wording}
    assert claiming
    assert not [name for name in claiming if "all others" in _ASIDE.sub("", wordings[name])]
    about = {name for name, wording in wordings.items() if "precedence" in _ASIDE.sub("", wording)}
    assert set(find_rule_names("precedence")) == about == {"newest_prevails", "highest_number_prevails"}


def test_the_library_of_a_game_is_searched_for_what_has_an_effect_there(game):
    assert "last_circuit" in [one.entry.name for one in game.library.search("laps")]
    assert str(game.library.search("horse")) == "No ready-made rule found."
    shown = game.library.search("rolling")._repr_html_()
    assert shown.count("<table") == 1
    assert "rolling" in shown


@pytest.mark.parametrize("words", ["", "  ", 3])
def test_a_search_needs_words(game, words):
    for searched in (nb.library, game.library, game.law):
        with refused("search-without-words"):
            searched.search(words)
    with refused("no-such-term", KeyError):
        _ = game.law[" "]


def test_a_name_that_the_library_lacks_is_looked_up_by_its_words():
    with refused("name-not-there", AttributeError, near="piece_moves or castling_with or promotion_to"):
        _ = nb.library.horse
    with refused("name-not-there", AttributeError):
        _ = nb.library.banana


#: What people type, and the setting that they mean among the first three.
SETTINGS = {
    "roll": "throw.points", "rolling": "throw.points", "dice": "dice.sides", "score": "win.points",
    "victory": "win.winners", "goal": "win.points", "majority": "vote.quota", "majority needed": "vote.quota",
    "secret ballots": "vote.ballots", "hidden": "vote.ballots", "quit": "proposal.on_leaving",
    "referee": "judge.candidates", "failed": "defeat.points", "castling": "castling.on", "order of turns": "turn.next",
    "vote.qouta": "vote.quota", "how many votes": "vote.quota", "who can vote": "vote.electorate",
}  # fmt: skip


@pytest.mark.parametrize("words", SETTINGS)
def test_everyday_words_find_settings(game, words):
    assert SETTINGS[words] in game.law.search(words)[:3]


def test_an_unknown_setting_is_refused_with_the_one_that_is_meant(game):
    with refused("no-such-term", KeyError, hint="did you mean vote.quota or vote.quota_when or judge.overrule_quota?"):
        _ = game.law["majority"]
    with refused("no-such-term", KeyError) as caught:
        _ = game.law["banana"]
    assert "there are win.winners" in str(caught.value)


#: What people begin to write, and what completes it.
BEGUN = {
    "on roll": ["thrown"], "on rolle": ["thrown"], "on round": ["circuit_ended"], "on round_en": ["circuit_ended"],
    "on lap": ["circuit_ended"], "set roll": ["throw.points", "dice.sides"], "set roll.po": ["throw.points"],
    "set scor": ["win.points"], "set goal": ["win.points"], "set majo": ["vote.quota"], "set vote.maj": ["vote.quota"],
    "set secr": ["vote.ballots"], "set refer": ["judge.candidates"], "on pass": ["passed_over", "adopted", "skipped"],
    "on fail": ["defeated"], "on quit": ["forfeited"], "allow leav": ["forfeit"], "forbid throw": ["roll"],
    "on poll": ["balloted"], "on delet": ["repealed"], "on victo": ["won"], "set castl": ["castling.on"],
    "forbid propose when roun": ["circuit"], "forbid propose when player.sco": ["player.points"],
    "on turn_ended: thro": ["roll"], "on turn_ended: delet": ["repeal"], "on turn_ended: after 3 rou": ["circuits"],
    "on turn_ended: award 5 sco": ["points"],
}  # fmt: skip


@pytest.mark.parametrize("law", BEGUN)
def test_everyday_words_are_completed_by_words_of_the_language(game, law):
    found = [word for word, _ in next_words(game.state, law, len(law))["words"]]
    assert set(BEGUN[law]) <= set(found)


@pytest.mark.parametrize(("law", "first"), [("set dice", "dice.sides"), ("on pass", "passed_over"),
                                            ("set score", "score.half"), ("set vote", "vote.electorate")])  # fmt: skip
def test_words_that_begin_as_typed_come_before_those_that_mean_the_same(game, law, first):
    assert next_words(game.state, law, len(law))["words"][0][0] == first


@pytest.mark.parametrize("law", ["on turn_ended: roll", "on thrown", "set win.points", "on turn_ended: award 1 points"])
def test_a_word_of_the_language_is_left_as_it_is(game, law):
    begun = law.split()[-1]
    assert all(word.startswith(begun) for word, _ in next_words(game.state, law, len(law))["words"])


#: Clauses with an everyday word, and what is expected in its place.
CLAUSES = {
    "on rolled: award 1 points to player": "thrown",
    "on roll: award 1 points to player": "thrown",
    "on round_ended: award 1 points to players": "circuit_ended",
    "on failed: award 1 points to proponent": "defeated",
    "on passed: award 1 points to proponent": "adopted, skipped, passed_over",
    "on quit: award 1 points to players": "forfeited",
    "on deleted: award 1 points to players": "repealed",
    "on thrown if face == 6: award 1 points to player": "when",
    "on thrown when dice == 6: award 1 points to player": "face, dice.sides, dice.source, throw.points",
    "on thrown when player.score > 5: award 1 points to player": "points",
    "on turn_ended: throw 1 of 6 as x": "roll",
    "on turn_ended: delete rule_numbered(203)": "repeal",
    "on turn_ended: kick player": "eliminate",
    "on turn_ended: after 3 rounds: award 1 points to players": "circuits",
    "set roll.points to 3": "throw.points",
    "set win.score to 30": "win.points",
    "set majority to 2": "vote.quota",
    "set vote.majority to 2": "vote.quota",
    "set vote.secret to true": "vote.ballots, secret.kept_by",
    "forbid throw": "roll",
    "allow pass": "skip",
    "allow leave": "forfeit",
    "forbid propose when round < 3": "circuit",
    "track coins per person from 0": "player",
}


@pytest.mark.parametrize("law", CLAUSES)
def test_a_clause_with_an_everyday_word_is_refused_with_the_word_of_the_language(game, law):
    with pytest.raises(LawError) as caught:
        check_change(game.state, nb.enact("A rule.", law))
    assert caught.value.expected == CLAUSES[law]


@pytest.mark.parametrize("table", ["names", "alike"])
def test_no_everyday_word_stands_in_two_rows(table):
    told = tomllib.loads(Path(hints.__file__).with_name("everyday.toml").read_text(encoding="utf-8"))[table]
    words = Counter(word for row in told for word in row.split())
    assert [word for word, count in words.items() if count > 1] == []


def test_every_word_that_a_search_puts_in_is_one_of_the_library_or_the_language():
    vocabulary = language().vocabulary
    names = {*vocabulary.keys, *vocabulary.events, *vocabulary.actions, *vocabulary.facts}
    texts = [f"{one.name} {one.rule.title} {one.rule.wording}" for one in nb.library.catalogue]
    texts += [key.meaning for key in vocabulary.keys.values()]
    known = {stem for text in (*names, *texts) for stem in text_stems(text)}
    put_in = {word for row in everyday_table("alike").values() for word in row.split()}
    assert {word for word in put_in if word_stem(word) not in known} == set()


def test_each_ready_made_rule_is_tried_once_while_the_law_stays_the_same(monkeypatch):
    game, tried = sit("Ann", "Ben"), []

    def note(state, entry, find=applicable_rules.find_applicable_rule):
        tried.append(entry.name)
        return find(state, entry)

    monkeypatch.setattr(applicable_rules, "find_applicable_rule", note)
    words = "A simple majority is enough to adopt a proposal."
    near = applicable_rules.find_similar_rules(game.state, words)
    few = len(tried)
    found, every = game.library.search(words), game.library
    assert near[0] in list(found)
    assert {*near, *found} <= {*every}
    assert applicable_rules.find_similar_rules(game.state, words) == near
    assert 0 < few < len(tried) == len(set(tried))


@pytest.mark.parametrize("words", [None, {"words": ["dice"]}, ["dice"], True])
def test_a_page_searches_for_a_text_alone(words):
    page = Page(sit("Ann", "Ben"), "Ann")
    answer = page.send({"id": "s", "ask": "ready", "details": {"words": words}})
    assert (answer["why"], answer["code"]) == ("Say which words you mean.", "query-without-a-name")
    assert page.send({"id": "s", "ask": "ready", "details": {"words": "dice"}})["found"]
