"""What a refusal says, asserted by its code and values: how it is worded is pinned once, in the golden sentences."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from nomic_nb.engine.messages import Message

#: What of an error is asserted by words in it; all else, as a whole.
IN_PART = ("found", "expected")
#: Values that are told in whole sentences, and asserted by words in them.
TOLD = ("why", "question", "how")


@contextmanager
def refused(
    code: str, error: type[BaseException] = Exception, *, opens: str | None = None, **values: object
) -> Iterator[pytest.ExceptionInfo]:
    """Expect a refusal with this code, and with these among its values.

    What is none of its values is an attribute of the error: its rule, line or column, or words of what was found or
    expected there. What it ``opens`` is in one of the options. A message within the sentence is named by its code.
    """
    with pytest.raises(error) as caught:
        yield caught
    check(caught.value, code, **values)
    options = getattr(caught.value, "options", ())
    assert opens is None or any(opens in one for one in options), options


def check(error: BaseException | None, code: str, **values: object) -> None:
    """Check the code of an error, and what it says."""
    said = next((one for one in (getattr(error, "message", ""), *error.args) if isinstance(one, Message)), None)
    assert said is not None, f"no code: {error!r}"
    assert said.code == code, f"{said.code}: {error}"
    for name, value in values.items():
        there = said.values[name] if name in said.values else getattr(error, name)
        if name in (TOLD if name in said.values else IN_PART):
            assert value == getattr(there, "code", "") or str(value) in str(there), f"{name}: {there!r}"
        else:
            assert there == value, f"{name}: {there!r}"
