"""What a refusal says, asserted by its code and values: how it is worded is pinned once, in the golden sentences."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from nomic_nb.engine.errors import Plainly


@contextmanager
def refused(code: str, kind: type[BaseException] = Plainly, **values: object) -> Iterator[pytest.ExceptionInfo]:
    """Expect a refusal with this code, and with these among its values; ``rule`` is that of the refusal itself."""
    with pytest.raises(kind) as caught:
        yield caught
    error = caught.value
    assert error.code == code, f"{error.code or 'no code'}: {error}"
    if "rule" in values and "rule" not in error.values:
        assert getattr(error, "rule", None) == values.pop("rule")
    found = {name: error.values.get(name) for name in values}
    assert found == values
