"""Blocks: lines that are indented below a colon, read as what they would be in brackets on one line."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from often import examples
from refusals import refused

from nomic_nb.engine.law.language import LONGEST_LINE, fold_blocks
from nomic_nb.engine.law.tables import TableShape
from nomic_nb.engine.law.values import NUMBER
from nomic_nb.engine.play.vocabulary import language

POINTS = {"points": TableShape(("player",), NUMBER)}
#: Blocks, and what each says on one line.
SAME = {
    "on adopted:\n    award 5 points to proponent\n    award 2 points to opponents":
        "on adopted: award 5 points to proponent; award 2 points to opponents",
    "on adopted when votes_against > 0:\n  when circuit > 2:\n    end turn\n    announce 'Soon:'\n  end part":
        "on adopted when votes_against > 0: when circuit > 2: (end turn; announce 'Soon:'); end part",
    "instead of won:\n\teach p in playing when p.points > 9:\n\t\tput points of p at 0\n\tend turn":
        "instead of won: each p in playing when p.points > 9: put points of p at 0; end turn",
    'offer "rest: a while" when player.points >\n        9:\n    award -5 points to player\n    after 2 turns:\n'
    "        end turn\n        announce 'Up.'":
        'offer "rest: a while" when player.points > 9: award -5 points to player; after 2 turns: (end turn; '
        "announce 'Up.')",
    "on turn_begun: let player choose n from [\n    1,\n    2]\n    or none;\n    when n == 2:\n        end turn":
        "on turn_begun: let player choose n from [ 1, 2] or none; when n == 2: end turn",
    "on turn_begun:\n\n    # A remark.\n    end part\n\n    end turn": "on turn_begun: end part; end turn",
    "on turn_begun:\n    when turn > 1: end part; end turn\n    when turn > 2:\n        end part; end turn":
        "on turn_begun: when turn > 1: end part; end turn; when turn > 2: (end part; end turn)",
    "on turn_begun:\n    when turn > 1:\n        end part;\n        end turn;\n    end play;":
        "on turn_begun: when turn > 1: (end part; end turn); end play",
    "on turn_begun:\n    end part;\n# A remark.\n    when turn > 1:\n  # Another.\n        end turn;":
        "on turn_begun: end part; when turn > 1: end turn",
    "whenever circuit > 2:\n    end part": "whenever circuit > 2: end part",
}  # fmt: skip


@pytest.mark.parametrize(("block", "flat"), SAME.items())
def test_a_block_is_the_same_clause_as_its_brackets(block, flat):
    (one,), (other,) = language().read_clauses(block), language().read_clauses(flat)
    language().check_clauses([one], POINTS)
    assert one.clause.words.split() == other.clause.words.split()
    assert [effect.form for effect in one.clause.all_effects()] == [
        effect.form for effect in other.clause.all_effects()
    ]
    assert one.clause.expressions == other.clause.expressions


@pytest.mark.parametrize(
    ("law", "line", "code"),
    [
        ("on adopted:\nend turn", 1, "misplaced"),
        ("on adopted:\n    when circuit > 2:\n    end turn", 3, "block-empty"),
        ("on adopted:\n    when circuit > 2:", 2, "block-empty"),
        ("on adopted:\n        end turn\n    end part", 3, "indent-unlike"),
        ("on adopted:\n    when circuit > 2:\n            end turn\n        end part", 4, "indent-unlike"),
        ("on adopted:\n    when circuit > 2:\n        end turn\n        end the_world", 4, "word-unknown"),
        ("on adopted:\n    end turn\n    award 5 points to nobody", 3, "name-unknown"),
        ("on adopted:\n    end turn #\n    end part", 2, "letter-unknown"),
    ],
)
def test_a_fault_in_a_block_is_shown_in_its_line(law, line, code):
    with refused(code) as caught:
        language().check_clauses(language().read_clauses(law), {})
    assert (caught.value.line, caught.value.text) == (line, law.splitlines()[line - 1])


def test_indentation_does_not_count_as_letters_of_a_clause():
    deep = "".join(f"{' ' * 4 * at}when turn > {at}:\n" for at in range(1, 40))
    law = f"on turn_begun:\n{deep}{' ' * 160}end turn"
    assert len(law) > LONGEST_LINE
    (line,) = language().read_clauses(law)
    assert len(line.clause.words) < LONGEST_LINE


def test_a_draft_keeps_the_blocks_of_its_clauses():
    law = (
        'draft gift: "A gift."\n    on adopted:\n        end part\n        end turn\n'
        "# A remark.\n  # Another one.\n    allow skip"
    )
    (line,) = language().read_clauses(law)
    assert line.clause.law == "on adopted:\n    end part\n    end turn\nallow skip"
    language().check_clauses([line], {})


EFFECTS = ("end turn", "award 1 points to player", "announce 'a; b: c'", "put points of player at 0")
TREES = st.recursive(
    st.sampled_from(EFFECTS),
    lambda inner: st.tuples(st.sampled_from(["when turn > 2", "each p in playing", "after 2 turns"]),
                            st.lists(inner, min_size=1, max_size=3)),
    max_leaves=8,
)  # fmt: skip


def written(tree, indent):
    """Return an effect as lines, and the same on one line."""
    if isinstance(tree, str):
        return [" " * indent + tree], tree
    head, inner = tree
    lines, flat = zip(*(written(one, indent + 3) for one in inner), strict=True)
    body = flat[0] if len(flat) == 1 and ";" not in flat[0] else f"({'; '.join(flat)})"
    return [f"{' ' * indent}{head}:", *(line for some in lines for line in some)], f"{head}: {body}"


@examples(60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TREES, min_size=1, max_size=3))
def test_any_block_reads_as_its_brackets_and_every_letter_has_its_place(trees):
    lines, flat = zip(*(written(tree, 2) for tree in trees), strict=True)
    source = "\n".join(["on turn_begun:", *(line for some in lines for line in some)])
    folded, places = fold_blocks(source)
    assert folded.split() == f"on turn_begun: {'; '.join(flat)}".split()
    assert all(source[place] == letter for letter, place in zip(folded, places, strict=False) if letter.isalpha())
    assert len(places) == len(folded) + 1
