"""Probes of which something else comes today than must, by what is wrong; one that comes right is taken out here.

A name is that of a row, in all tables; with a set before it, in that one only.
"""

DISAGREES = {
    "a mutable permission to propose opens immutable rules": [
        "amending-the-immutable",
        "repealing-the-immutable",
        "all-changes-allowed",
        "adding-to-the-immutable",
    ],
    "a mutable limit on proposing is adopted and never works": [
        "short-changes-only",
        "ben-does-not-propose",
        "play-goes-on-without-ben",
        "limited-each-third-turn",
        "discordian-nomic/206-is-shut",
    ],
    "to forbid beats to allow among mutable rules, before the numbers are compared": [
        "cleo-insists-in-vain",
        "ben-never-begins",
        "votes-run-to-the-end",
    ],
    "a `forbid` of a later rule takes away what a published rule grants or asks for otherwise than by `allow`": [
        "nobody-revises",
        "no-call-by-proponents",
        "silence-in-debate",
        "cleo-is-silent",
        "ben-has-no-turn",
        "no-throw-for-ben",
        "ben-does-not-move",
        "no-promotion-for-cleo",
        "no-demotion-for-ben",
    ],
    "turns are ended or put in between by later rules, as if 201 had not the lower number": [
        "ann-again",
        "ben-is-passed-over",
    ],
    "a rule that clashes with a right of one player is not void with its other clauses": ["wholly-void-by-a-forbid"],
    "a ballot that weighs nothing is not asked for where a vote must be unanimous": ["a-vote-of-no-weight"],
    "a rule votes for a person, who can then not vote": ["a-vote-cast-for-her"],
    "a rule carries out what is proposed before the vote on it, and the table is asked about the proposal only": [
        "repealed-on-proposing",
    ],
    "the table is asked whether a mutable rule makes an immutable one void, which 110 answers": [
        "a-rule-voids-101",
        "a-rule-voids-105",
    ],
    "a dummy that is always against ends all rule-changes, and nothing stops it": ["a-dummy-that-is-always-against"],
    "to win by another number of points is void where it is said by who has won": ["another-n-in-full"],
    "a requirement goes on where a later one says that it prevails over its rule": ["a-higher-cap-it-says"],
    "a dummy never wins": ["discordian-nomic/a-dummy-scores"],
    "what a rule of the set says, and only a reading says in clauses, a later rule says otherwise": [
        "the-whole-share",
        "ended-before-anybody-is-against",
        "cleo-gets-every-army",
        "six-files",
        "another-order",
    ],
}


def reason(system, name):
    """Why a row comes out otherwise today; none where it comes out as it must."""
    return next((why for why, names in DISAGREES.items() if {name, f"{system}/{name}"} & set(names)), None)
