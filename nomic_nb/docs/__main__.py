"""Write the table of terms anew: ``python -m nomic_nb.docs``."""

from pathlib import Path

from nomic_nb.docs import vocabulary_page

if __name__ == "__main__":
    Path(__file__).with_name("keys.md").write_text(vocabulary_page(), encoding="utf-8")
