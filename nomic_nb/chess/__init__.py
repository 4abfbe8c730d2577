"""Chess under law: boards, armies and moves, as an extension of the engine."""

import sys
from importlib.util import find_spec


def __getattr__(name: str) -> object:
    error = AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name.startswith("_") or find_spec(f"{__name__}.{name}"):  # which Python imports then
        raise error
    raise sys.modules["nomic_nb"].say_where(error, __name__, name)
