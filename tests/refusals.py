"""What a refusal says, asserted by its code and values: how it is worded is pinned once, in the golden sentences."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from nomic_nb.engine.messages import Message

#: What of an error is asserted by words in it; all else, as a whole.
IN_PART = ("found", "expected")
#: Values that are told in whole sentences, and asserted by words in them.
TOLD = ("why", "question", "how", "hint", "evidence", "limit")


@contextmanager
def refused(
    code: str, raised: type[BaseException] = Exception, *, opens: str | None = None, **values: object
) -> Iterator[pytest.ExceptionInfo]:
    """Expect a refusal with this code, and with these among its values.

    What is none of its values is an attribute of the error: its rule, line or column, or words of what was found or
    expected there. What it ``opens`` is in one of the options. A message within the sentence is named by its code.
    """
    with pytest.raises(raised) as caught:
        yield caught
    check(caught.value, code, **values)
    options = getattr(caught.value, "options", ())
    assert opens is None or any(opens in one for one in options), options


def check(refusal: BaseException | None, /, code: str, **values: object) -> None:
    """Check the code of an error, and what it says."""
    args = (getattr(refusal, "message", ""), *getattr(refusal, "args", ()))
    said = next((one for one in args if isinstance(one, Message)), None)
    assert said is not None, f"no code: {refusal!r}"
    assert said.code == code, f"{said.code}: {refusal}"
    for name, value in values.items():
        there = said.values[name] if name in said.values else getattr(refusal, name)
        told = getattr(there, "code", there)  # of a message, or an error, within the sentence
        in_part = name in (TOLD if name in said.values else IN_PART) and str(value) in str(there)
        assert in_part or told == value, f"{name}: {there!r}"
