"""What refusals have in common: a code, values, and the sentence that they make."""

import pytest
from refusals import refused

from nomic_nb.engine.errors import IllegalAction, LawError, NotThere, RecordError
from nomic_nb.engine.messages import say

MESSAGE = say("no-such-rule", "there is no rule {rule}", rule=999)


@pytest.mark.parametrize(
    "error", [IllegalAction(MESSAGE), LawError(MESSAGE), NotThere(MESSAGE), RecordError(MESSAGE, line=3)]
)
def test_a_refusal_carries_the_code_and_the_values_of_its_message(error):
    with refused("no-such-rule", rule=999):
        raise error
    assert "there is no rule 999" in str(error)


def test_a_message_keeps_its_code_inside_a_longer_one():
    outer = MESSAGE.embed_in("part {part}: {message}", part=2)
    assert outer == "part 2: there is no rule 999"
    assert (outer.code, outer.template) == ("no-such-rule", "part {part}: there is no rule {rule}")
    assert outer.values == {"rule": 999, "part": 2}
