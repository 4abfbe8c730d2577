"""Clauses read back as plain English sentences: all that can be said can be read back, and reads well."""

import re
from pathlib import Path

import pytest
from refusals import refused
from study.library.playing import rules

import nomic_nb as nb
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.study.views.explanations import explain
from nomic_nb.study.views.phrases import reading_table

SYSTEMS = ("discordian-nomic", "cabinet-nomic", "github-nomic", "make-a-rule", "nomic-chess")
WORDS = language().vocabulary
#: Read aloud, and judged: what the clause means is what somebody hears who has never seen a clause.
LINES = Path(__file__).with_name("read_aloud.txt").read_text(encoding="utf-8").splitlines()
SENTENCES = dict(zip(LINES[::2], (line.strip() for line in LINES[1::2]), strict=True))
#: What is code and no English, where it does not stand in quotation marks.
CODE = re.compile(
    r"[a-z]_[a-z]|[a-z]\.[a-z]|==|!=|[<>\[\]{}]|\bNone\b|\x00|\bthe (the|a|an|who|what|its) |  | [,;.]|\.\.$|,,"
)


def reads_well(sentence):
    """Tell whether a sentence begins and ends like one, and has no code in it."""
    bare = re.sub("“[^”]*”", "“”", sentence)
    return sentence[:1].isupper() and sentence[-1] in ".”" and not CODE.search(bare)


def check(law):
    """Check that each clause of a law is read back as a sentence."""
    found = explain(law)
    assert len(found.clauses) == len(language().read_clauses(law))
    assert all(reads_well(line.strip()) for line in found.sentences), found.sentences


@pytest.mark.parametrize("clause", SENTENCES)
def test_sentences_that_were_read_aloud(clause):
    assert explain(clause).sentences == (SENTENCES[clause],)


def test_a_table_with_several_keys_rises_and_falls():
    lost = "track lost per army, text from 0\non captured: award {} lost(piece.army, piece.kind)"
    for amount, done in (("1", "rises by 1"), ("-turn", "falls by the number of turns begun so far")):
        assert explain(lost.format(amount)).sentences[-1].endswith(f"the piece’s kind {done}.")


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_clause_of_every_rule_set_is_read_back(system):
    for rule in nb.new_game(system, ["Ann", "Ben", "Cleo", "Dan"], seed=1).rules:
        if rule.law:
            check(rule.law)


@pytest.mark.parametrize("name", rules())
def test_every_ready_made_rule_is_read_back(name):
    assert explain(rules()[name]).sentences == explain(rules()[name].change()).sentences
    check(rules()[name].law)


@pytest.mark.parametrize("name", WORDS.effects)
def test_every_effect_is_read_back(name):
    check(f"on balloted: {WORDS.effects[name].example}")


@pytest.mark.parametrize("name", WORDS.keys)
def test_every_term_is_read_back_and_can_be_looked_up(name):
    key = WORDS.keys[name]
    value = {"truth": "true", "number": "3", "text": '"x"', "list": "[]"}.get(key.type.name, "none")
    law = f"set {name} to {value}" if not name.startswith("may.") else f"forbid {name.removeprefix('may.')}"
    check(f"{law}\nprevails over everything on {name}")
    if not name.startswith("may.") and not name.endswith(".from"):  # `from` ends an expression
        check(f"require [{name}] == [{name}]")


@pytest.mark.parametrize("name", [name for name in WORDS.events if name != "whenever"])
def test_every_event_is_read_back(name):
    event = WORDS.events[name]
    names = [*event.binds, *event.may_bind]
    check(f'on {name}: announce "x"')
    if names:
        check(f'on {name} when {" and ".join(f"{one} == none" for one in names)}: announce "x"')
    if event.usual:
        check(f'instead of {name}: announce "x"')


@pytest.mark.parametrize("name", WORDS.facts)
def test_every_fact_is_read_back(name):
    needs = WORDS.facts[name].needs
    event = next(one.name for one in WORDS.events.values() if set(needs) <= set(one.binds))
    check(f'on {event} when {name} == none: announce "x"')


@pytest.mark.parametrize("kind", WORDS.records)
def test_every_field_is_read_back(kind):
    words = {
        "player": "mover",
        "game": "game",
        "rule": "this",
        "proposal": "proposal",
        "change": "change",
        "time": "now",
    }
    many = {"army": "armies", "piece": "royals", "board": "boards", "square": "squares", "force": "forces",
            "move": "last_moves"}  # fmt: skip
    for field in WORDS.records[kind].fields:
        if kind in many:
            check(f"forbid propose when any(x.{field.name} == none for x in {many[kind]})")
            check(f"forbid propose when any(not x.{field.name} for x in {many[kind]})")
        else:
            act = "rule_on" if kind == "judgment" else "propose"
            check(f"forbid {act} when {words.get(kind, kind)}.{field.name} == none")


@pytest.mark.parametrize("name", WORDS.functions)
def test_every_function_is_read_back(name):
    given = {"number": "2", "text": '"x"', "list": "playing", "player": "mover", "rule": "this", "change": "change",
             "army": "item(armies, 1)", "piece": "item(royals, 1)", "board": "item(boards, 1)", "any": "mover",
             "square": "item(squares, 1)", "move": "item(last_moves, 1)"}  # fmt: skip
    call = f"{name}({', '.join(given[one.name] for one in WORDS.functions[name].parameters)})"
    check(f"forbid propose when {call} == none")
    check(f"forbid propose when not {call}")


@pytest.mark.parametrize("clause", [one for one in vars(c).values() if getattr(one, "example", None)])
def test_every_clause_of_the_grammar_is_read_back(clause):
    check(clause.example + ("\n    set win.points to 10" if clause is c.DraftClause else ""))


@pytest.mark.parametrize("said", ["a + b", "a - b", "a * b", "a / b", "a // b", "a % b", "-a", "(a if a > b else b)"])
def test_every_reckoning_is_read_back(said):
    number = {"a": "count(playing)", "b": "circuit"}
    check("set win.points to " + re.sub(r"\b[ab]\b", lambda found: number[found[0]], said))


@pytest.mark.parametrize("sign", ["==", "!=", "<", ">", "<=", ">=", "in", "not in"])
def test_every_comparison_and_its_opposite_are_read_back(sign):
    right = "[1, 2]" if "in" in sign else "2"
    plain, other = (explain(f"require {word}(circuit {sign} {right})").sentences[0] for word in ("", "not "))
    assert plain != other
    twice = explain(f"require not (not (circuit {sign} {right}))").sentences[0]
    assert plain == twice


def test_not_of_and_is_or_of_nots():
    said = explain("require not (circuit == 1 and turn > 2)").sentences[0]
    assert "the round number is not 1 or the number of turns begun so far is at most 2" in said


def test_what_names_nothing_is_refused_with_its_line():
    with refused("name-unknown", name="everyone") as caught:
        explain("set win.points to 3\nset throw.points to 0 while everyone == 2")
    assert caught.value.line == 2
    for law, code, name in (
        ("set vote.quotum to 2", "key-unknown", {"key": "vote.quotum"}),
        ("on adoptd: repeal this", "event-unknown-to-the-law", {"event": "adoptd"}),
        ("prevails over 3 on win.point", "key-unknown", {"key": "win.point"}),
    ):
        with refused(code, **name):
            explain(law)
    with refused("cannot-be-explained", TypeError):
        explain(3)


def test_what_has_no_clauses_says_nothing():
    assert explain("").sentences == explain(nb.enact("Be kind.")).sentences == explain(nb.repeal(204)).sentences == ()


def test_it_shows_itself_and_escapes_what_players_wrote():
    found = explain('offer "<b>x</b>": award 1 points to player')
    assert "<b>x</b>" not in found._repr_html_()
    assert "Every player may choose “&lt;b&gt;x&lt;/b&gt;”" in found._repr_html_()
    assert str(found).splitlines()[1] == "Every player may choose “<b>x</b>”: the player gains 1 point."


def test_the_law_book_and_the_review_show_it():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    assert "A player wins by reaching 100 points." in game.rules._repr_html_()
    review = game.review("Ann", nb.enact("A six brings nothing.", law="set throw.points to 0 while face == 6"))
    for shown in (review._repr_html_(), str(review)):
        assert "In plain English" in shown
        assert "A roll earns 0 points if the number rolled is 6." in shown
    assert "in plain words" not in str(game.review("Ann", nb.enact("Odd.", law="set throw.points to")))


def test_a_start_says_what_a_table_holds():
    said = [explain(f"track card per player from {start}").sentences[0] for start in ('""', "false", "0")]
    assert ["(text)" in said[0], "(yes or no)" in said[1]] == [True, True]
    assert said[2] == "The game keeps a number called “card” for each player, starting from 0."


@pytest.mark.parametrize(
    ("key", "option"), [(key.name, option) for key in WORDS.keys.values() for option in key.values]
)
def test_every_option_of_a_setting_reads_differently(key, option):
    if WORDS.keys[key].type.name == "list":
        return  # what can be in a list is listed
    (sentence,) = explain(f'set {key} to "{option}"').sentences
    others = [explain(f'set {key} to "{one}"').sentences[0] for one in WORDS.keys[key].values if one != option]
    assert sentence not in others
    assert f"“{option}”" not in sentence


def test_templates_name_what_is_declared():
    """A template for something that was renamed would be read by nobody."""
    declared = {
        "function_truths": WORDS.functions, "members": WORDS.functions,
        "sentences": WORDS.keys, "choices": WORDS.keys, "terms": WORDS.keys, "moments": WORDS.events,
        "acts": WORDS.actions, "functions": WORDS.functions, "most": WORDS.functions, "effects": WORDS.effects,
        "truths": {**WORDS.keys, **WORDS.facts}, "names": WORDS.facts,
    }  # fmt: skip
    unknown = {table: [name for name in reading_table(table) if name not in known] for table, known in declared.items()}
    assert not any(unknown.values()), unknown
    fields = {f"{kind}.{name}" for kind, name in WORDS.fields}
    assert {*reading_table("things"), *reading_table("relations"), *reading_table("values")} <= fields
    assert {*reading_table("field_truths")} <= fields
    assert {*reading_table("counted")} <= {*fields, *WORDS.functions, *WORDS.facts}
    assert not {*WORDS.events} - {*reading_table("moments")}
    assert not {*WORDS.actions} - {*reading_table("acts")}


def test_players_and_people_are_told_apart():
    everyone, people = (explain(f"set vote.electorate to {who}").sentences[0] for who in ("playing", "seats"))
    assert (everyone, people) == (
        "The voters are the players still in the game.", "The voters are the people still in the game.",
    )  # fmt: skip


def test_a_reason_is_no_condition():
    """It is always true, so it comes last, in brackets."""
    (sentence,) = explain('forbid propose when because("no", "wait") and change.together > 1').sentences
    assert sentence == (
        "Nobody may propose a rule change if at least 2 changes would be proposed together "
        "(reason given: “no”; instead: “wait”)."
    )


@pytest.mark.parametrize(
    ("law", "sentence"),
    [
        ("allow revise when player == proponent", "The proposer may revise a proposal before the vote."),
        (
            "forbid revise when player != proponent",
            "Nobody but the proposer may revise a proposal before the vote.",
        ),
        (
            "allow revise when player != proponent",
            "Players may revise a proposal before the vote if they are not the proposer.",
        ),
        (
            "forbid revise when player != proponent and circuit > 1",
            (
                "Nobody may revise a proposal before the vote "
                "if they are not the proposer and the round number is more than 1."
            ),
        ),
    ],
)
def test_the_acting_player_becomes_the_subject_if_no_condition_is_lost(law, sentence):
    assert explain(law).sentences == (sentence,)


@pytest.mark.parametrize(
    ("law", "sentence"),
    [
        # Not all who have the name voted against.
        (
            'on adopted: award 5 points to [p for p in opponents if p.name == "Ann"]',
            "Whenever a proposal passes, each of those who voted against who are named Ann gains 5 points.",
        ),
        # What a text is compared with is no text itself.
        (
            "on said when text == player.name: award 1 points to player",
            "Whenever a player says something and the text is the player’s name, the player gains 1 point.",
        ),
        # The rule is one of the loop.
        (
            "on enacted each rule in rules when rule == this: void rule",
            "Whenever a rule is enacted, suspend each rule in force that is this rule until it is revived.",
        ),
        # What the second condition belongs to is clear.
        (
            'set vote.when to ("own turn" if circuit > 2 else "at once") while change.kind == "repeal"',
            (
                "If the proposed change repeals a rule: if the round number is more than 2, each voter votes during "
                "their own turn, which does not end before that; otherwise, all voters vote at once, while the vote "
                "is open."
            ),
        ),
        ("forbid skip when player != none", "Nobody may skip the rest of their turn if there is a player."),
    ],
)
def test_a_shorter_sentence_keeps_all_that_the_clause_says(law, sentence):
    assert explain(law).sentences == (sentence,)


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        ("p.person", "who are people"),
        ("not p.person and p.points > 3", "who are not people and who have more than 3 points"),
        ("p.person or p.points > 3", "where that player is a person or that player has more than 3 points"),
        (
            "any(q.points > p.points for q in playing)",
            "where there is a player still in the game where the points of that player q are more ",
        ),
    ],
)
def test_a_list_says_who_is_in_it(condition, sentence):
    assert sentence in explain(f"set vote.electorate to [p for p in playing if {condition}]").sentences[0]


@pytest.mark.parametrize(
    ("clause", "sentence"),
    [
        ("set vote.quota to 2/3", "A proposal needs 2/3 of a single vote, not of all votes."),
        (
            "whenever each p in playing when p.points >= 30:\n    end turn",
            (
                "For each player still in the game, each time it becomes true that that player has at least 30 points, "
                "end the turn."
            ),
        ),
        (
            "whenever circuit > 3: end turn",
            "Each time it becomes true that the round number is more than 3, end the turn.",
        ),
        (
            "on turn_begun:\n    let half be player.points // 2\n    award half points to player",
            (
                "At the start of every turn: work out the half, which is the player’s points divided by 2, rounded "
                "down; the player gains points equal to the half."
            ),
        ),
        (
            'on said when begins(text, "please"): announce "Votes: " + letters(text)',
            (
                "Whenever a player says something and the text begins with “please”: announce “Votes: ” followed by "
                "the number of letters in the text."
            ),
        ),
    ],
)
def test_blocks_names_conditions_and_texts_read_like_sentences(clause, sentence):
    assert explain(clause).sentences == (sentence,)


@pytest.mark.parametrize(
    ("clause", "part"),
    [
        ("forbid give when any(p.points > player.points - 10 for p in playing)", "more than (their points minus 10)"),
        (
            "on turn_begun: when player.points > 5: award -3 points to player; when player.points < 3: end turn",
            "loses 3 points; then, if the player now has fewer than 3 points, end the turn.",
        ),
        (
            "on turn_begun: when player.points > 5: award -3 points to player; when circuit < 3: end turn",
            "loses 3 points; if the round number is less than 3, end the turn.",
        ),
        (
            "on skipped: let seats choose pick from seats; when count(most(pick)) == 1: award 2 points to most(pick)",
            "if exactly one answer came up most often, each of the players chosen most often gains 2 points.",
        ),
        (
            "on turn_ended: let seats choose pick from [1, 2]; award 2 points to who(pick, 1)",
            "each of the players who gave 1 as the chosen number gains 2 points.",
        ),
        (
            'forbid propose when any(q.kind == "Q" for q in pieces_of(player))',
            "at least one of their pieces on the boards",
        ),
        ("set win.points to 5 while game.backwards == 1", "if “backwards” is 1."),
        ("track backwards per game from 0\non turn_begun: put backwards at 1", "set “backwards” to 1."),
        (
            "forbid skip when (win.points > 3) == (circuit > 5)",
            "(the points needed to win are more than 3) and (the round number is more than 5) are both true or both",
        ),
        (
            "forbid skip when (win.points > 3) != (circuit > 5)",
            "if exactly one of (the points needed to win are more than 3) and (the",
        ),
        (
            "on turn_begun: each p in playing when p != player: pay 2 points from p to player",
            "each player still in the game other than the player pays 2 points (nothing, if they have less) to the",
        ),
        (
            "on turn_begun: each p in playing: when p != player: award 2 points to p",
            "for each player still in the game: if that player is somebody else, that player gains 2 points.",
        ),
        (
            "on turn_begun: pay 2 points from player to mover; pay 3 points from mover to player",
            "(nothing, if they have less) to the player whose turn it is and the player whose turn it is pays 3 points",
        ),
        (
            "on said: let player choose m from [p for p in seats if any(job(k) == p for k in keys(job))]; end turn",
            "let the player choose a player from (the people still in the game where",
        ),
    ],
)
def test_what_could_be_misread_is_said_plainly(clause, part):
    said = " ".join(explain(clause).sentences)
    assert part in said
    assert said.isprintable()
