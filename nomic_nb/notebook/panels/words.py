"""What panels say, where a declaration says too little: the tables of ``words.toml``, each by the name over it."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

WORDS: dict[str, dict[str, Any]] = tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))
