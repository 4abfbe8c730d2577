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
from nomic_nb.study.library.phrase_book import phrase_book
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


#: What pupils write, slips and all, and the ready-made rules one of which the form is to suggest.
WRITTEN = {
    "every round the one with the fewest points goes first": "fewest_first",
    "if you roll a 1 you loose all your points": "unlucky_face happens/rolls_some/they/nobody/points/zero",
    "first player with 100 points wins the game": "points_to_win",
    "we vote in secret so nobody can see what the others voted": "secret_ballots",
    "a rule only passes if two thirds of us say yes": "two_thirds",
    "you need everybody to agree to change a rule": "quota_by_circuit",
    "when the vote is a draw the rule dosent pass": "simple_majority majority_of_votes_cast",
    "if you talk when its not your turn you pay 3 points": "penalty_for fine_for",
    "anyone who says a swear word looses 10 points": "penalty_for fine_for",
    "you can skip your turn if you dont want to go": "passing",
    "whoever looses a vote misses a go": "missed_turn",
    "we play in two teams and the teams share there points": "teams",
    "if you help someone else you get 2 bonus points": "reward_for",
    "you cant go below zero points": "no_points_below",
    "each player has one veto per game and can stop any rule": "veto veto_once",
    "if your proposal wins you get 10 points": "bonus_for_adopted adopted_bonus",
    "if your idea gets voted down you loose 10 points": "price_of_defeat",
    "people who voted against a rule that passed get 10 points": "dissent_earns dissent_bonus",
    "the turns go the other way round (anti clockwise)": "reverse_order",
    "you can give some of your points to your friend": "gifts giving_points",
    "new kids can join in the middle of the game with 0 points": "late_comer",
    "we pick a new leader every round and they get two votes": "offices/office-leader/elected/votes/points office",
    "the game ends after 10 rounds and who has most points wins": "last_circuit",
    "you have to say please before you sugest a rule": "ritual needed_word",
    "a rule that passed cant be changed for 3 turns": "cool_down",
    "richest player has to pay 5 points tax to the poorest": "first_pays_last",
    "votes are secrit": "secret_ballots",
    "a two thirds majoraty is needed": "two_thirds",
    "anonymus voting": "secret_ballots",
    "frist to 50 pionts wins": "points_to_win",
    "you can skipp your tern": "passing skip_allowed",
    "interupting costs 2 points": "penalty_for fine_for fine",
    "helping sombody gets you a piont": "reward_for helping",
    "everybody must aggree": "quota_by_circuit no_judge",
    "the game finnishes after 8 rounds": "last_circuit",
    "double pionts evry 3rd round": "double_points",
    "you may abstane": "abstention abstain",
    "money is calld gold": "currency",
}
WRITTEN_FOR_CHESS = {
    "the pawns can move backwards too": "moves/pawn/also/backwards/always piece_moves",
    "if you take a piece you get its points": "points_for_captures",
    "the knight can jump two times in a row": "knight_twice piece_moves moves_per_turn",
    "the king can be taken and then you loose": "kings_are_captured",
    "the board is round so pieces can go off one side and come back on the other": "round_boards",
}
#: What pupils write that the library does not have, and rules that are near enough not to mislead.
NOT_IN_THE_LIBRARY = {
    "every one gets 5 points at the start of there turn": "own_turn_wage",
    "you roll a dice on your turn and get that many points": "throw_or_take more_dice extra_die points_for_no_roll",
    "if its a tie then the youngest decides": "ties/tied/superlative-youngest",
    "nobody can have more than 50 points": "most_at_once ceiling gain_per_round",
    "the teacher is the judge and his word is final": "elected_judge no_judge teacher_decides",
    "if we argue about a rule we ask the judge": "elected_judge no_judge teacher_decides",
    "you can buy an extra turn for 20 points": "extra_turn points_for_money deals/price/points/turn",
    "you have to vote in one minute or your vote dosent count": (
        "late_ballots_cost silence_abstains_minutes silence_is_no_minutes silence_is_yes_minutes"
    ),
    "no one is alowed to not vote": (
        "abstention smaller_electorate late_votes_cost silence_is_yes silence_abstains_hours silence_is_yes_hours"
    ),
    "you can leave the game whenever you want but you cant come back": "",
    "you can only make one new rule each turn": "price_of_bundles several_proposals proposals_per_turn two_proposals",
    "rules cant be about a persons name or how they look": "",
    "if you forget its your turn for 2 mins the next person goes": "missed_turn passing slow_turn_ends",
    "everyone puts 1 point in a pot and the winner of the dice gets it": "lottery pot",
    "you have to stand up when you propose something": "",
    "the oldest player goes first": "firsts/first/superlative-oldest oldest_goes fewest_first most_first",
    "the loser buys ice cream for every one": "",
    "no homework on fridays": "",
    "every rule has to rhyme": "proposals_rhyme",
    "a player can swap seats with someone": "swap_seats",
    "we take a break every 20 minutes": "",
    "you must write rules in blue pen": "",
    "rules have to be read out loud": "",
    "blue eyed players vote first": "",
    "the shortest player keeps the score": "",
    "my dog is the best": "",
}
#: How many wrong rules the form suggests for them in all.
MOST_WRONG = 10
#: How many phrases of the phrase book it names for them in all, of which some do fit.
MOST_PHRASES = 26


def suggested(page, sentence):
    """What the form suggests while a rule is written."""
    change = {"kind": "enact", "wording": sentence}
    answer = page.send({"id": "w", "ask": "change", "details": {"change": change}})
    return {*answer["ready"]}


@pytest.fixture(scope="module")
def pages():
    return {system: Page(sit(system=system)) for system in ("discordian-nomic", "nomic-chess")}


@pytest.mark.parametrize(
    ("system", "sentence", "meant"),
    [("discordian-nomic", *row) for row in WRITTEN.items()]
    + [("nomic-chess", *row) for row in WRITTEN_FOR_CHESS.items()],
)
def test_the_form_suggests_the_ready_made_rule_that_a_pupil_means(pages, system, sentence, meant):
    assert suggested(pages[system], sentence) & set(meant.split())


def test_the_form_suggests_few_rules_for_what_the_library_does_not_have(pages):
    page, phrases = pages["discordian-nomic"], {phrase.name for phrase in phrase_book()}
    found = {sentence: suggested(page, sentence) for sentence in NOT_IN_THE_LIBRARY}
    wrong = [found[sentence] - phrases - set(near.split()) for sentence, near in NOT_IN_THE_LIBRARY.items()]
    assert sum(map(len, wrong)) <= MOST_WRONG
    unlike = [(names & phrases) - set(NOT_IN_THE_LIBRARY[sentence].split()) for sentence, names in found.items()]
    assert sum(map(len, unlike)) <= MOST_PHRASES


def test_the_words_by_which_people_look_for_a_rule_say_something():
    table = {one.name: one.make.words.split() for one in nb.library.catalogue}
    assert {name: words for name, words in table.items() if len(words) != len(set(words))} == {}
    small = set(everyday_table("small"))
    assert {word for words in table.values() for word in words if word in small or not word.isalpha()} == set()


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
        stems = set(text_stems(f"{entry.name} {entry.rule.title} {entry.make.words} {entry.rule.wording}"))
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
    with refused("name-not-there", AttributeError) as caught:
        _ = nb.library.banana
    assert "search the library" in str(caught.value)


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
    found, every = [*game.library.search(words)], game.library
    few = len(tried)
    assert {*found} <= {*every}
    assert [*game.library.search(words)] == found
    assert 0 < few < len(tried) == len(set(tried))


@pytest.mark.parametrize("words", [None, {"words": ["dice"]}, ["dice"], True])
def test_a_page_searches_for_a_text_alone(words):
    page = Page(sit("Ann", "Ben"), "Ann")
    answer = page.send({"id": "s", "ask": "ready", "details": {"words": words}})
    assert (answer["why"], answer["code"]) == ("Say which words you mean.", "query-without-a-name")
    assert page.send({"id": "s", "ask": "ready", "details": {"words": "dice"}})["found"]
