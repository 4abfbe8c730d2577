"""Write what of the pages is made from the registry anew: ``python -m nomic_nb.docs``."""

from pathlib import Path

from nomic_nb.docs import vocabulary_page, writing_page

if __name__ == "__main__":
    for name, text in (("keys", vocabulary_page()), ("writing", writing_page())):
        Path(__file__).with_name(f"{name}.md").write_text(text, encoding="utf-8")
