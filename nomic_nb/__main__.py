"""The command ``nomic-nb``, as ``python -m nomic_nb``."""

import sys

from nomic_nb.notebook.command import main

if __name__ == "__main__":
    sys.exit(main())
