"""The pages about the kit in a real JupyterLab: links lead to what they name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.lab import open_notebook, run_all, write_notebook

pytestmark = pytest.mark.browser

IN_VIEW = """(one) => {
    const box = one.getBoundingClientRect();
    return one.checkVisibility() && box.top >= -1 && box.top < window.innerHeight;
}"""


def test_links_lead_to_headings_and_to_other_pages_in_the_same_output(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    # The same page twice: a link stays in its own output.
    write_notebook(root / "help.ipynb", [("import nomic_nb as nb\nnb.help()", ""), ('nb.help("writing")', "")])
    open_notebook(page, url, "help.ipynb")
    run_all(page)
    first, second = (page.locator(".jp-Cell").nth(at).locator(".nnb") for at in (0, 1))
    second.wait_for()

    def follow(output: Any, link: str, heading: str) -> None:
        output.locator("a", has_text=link).first.click()
        found = output.locator("h3, h4, h5", has_text=heading).first
        page.wait_for_function(IN_VIEW, arg=found.element_handle())

    follow(second, "Common mistakes", "Common mistakes")
    follow(second, "what sees what, and when", "What sees what, and when")
    follow(first, "For explorers", "For explorers of chess variants")
    follow(first, "words that rules can use", "Keys: what set can set")
    follow(first, "All pages", "nomic_nb: what to read")
