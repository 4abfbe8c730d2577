"""Scripts that stand outside the package, such as those for a release and for the site."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parent.parent


def load_script(name: str) -> ModuleType:
    """Return a script of the repository, such as ``.site/links.py``, as a module."""
    path = ROOT / name
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.path.insert(0, str(path.parent))  # where its neighbours are
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module
