"""Settings of the site for Sphinx, with the lexers of its two languages."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from nomic_nb import __version__
from nomic_nb.engine.law.expressions import CONSTANT_WORDS
from nomic_nb.engine.play.vocabulary import language as law_language
from nomic_nb.engine.rulesets.literate import ABOUT_FIELDS

project = "nomic_nb"
author = "the authors of nomic_nb"
project_copyright = f"{author}; GPL-3.0-or-later"
version = release = __version__
language = "en"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]

# The notebooks have been run before Sphinx reads them, so Sphinx runs nothing.
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence"]
myst_heading_anchors = 4  # so that keys.md#functions leads to a heading, as it does where repositories are shown
nb_execution_mode = "off"
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # which would be fetched from other hosts

# NumPy docstrings say the types.
autodoc_typehints = "none"
autodoc_member_order = "bysource"
add_module_names = False
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False

html_theme = "furo"
html_title = "nomic_nb"
html_favicon = "_static/favicon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["theme.js"]
templates_path = ["_templates"]
html_copy_source = html_show_sourcelink = False
pygments_style, pygments_dark_style = "friendly", "github-dark"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
html_theme_options: dict[str, Any] = {
    "light_css_variables": {"color-brand-primary": "#7a3e00", "color-brand-content": "#7a3e00"},
    "dark_css_variables": {"color-brand-primary": "#f0b060", "color-brand-content": "#f0b060"},
}

#: The words of the grammar, and those that expressions share with Python.
KEYWORDS = {*re.findall(r"^_?[A-Z_]+\.\d+: /([a-z]+)", law_language().grammar, re.MULTILINE)}
KEYWORDS |= {"and", "or", "not", "if", "else", "for"}


class Law(RegexLexer):
    """The language of clauses."""

    name = "law"
    aliases = ("law",)
    tokens: ClassVar = {
        "root": [
            (r"#.*$", Comment),
            (r'"[^"\n]*"|\'[^\'\n]*\'', String),
            (rf"\b({'|'.join(sorted(KEYWORDS))})\b(?!\.)", Keyword),
            (rf"\b({'|'.join(CONSTANT_WORDS)}|otherwise)\b", Keyword.Constant),
            (r"\d+(\.\d+)?", Number),
            (r"\w+(\.\w+)+", Name.Attribute),
            (r"\w+", Name),
            (r"[<>=!+*/%-]+", Operator),
            (r"\s+", Whitespace),
            (r".", Punctuation),
        ]
    }


class About(RegexLexer):
    """The head of a rule file."""

    name = "about"
    aliases = ("about",)
    tokens: ClassVar = {"root": [(rf"^({'|'.join(ABOUT_FIELDS)}|option \w+)(?=:)", Name.Attribute), (r".+|\n", String)]}


#: Docstrings of properties, by name.
_of_properties: dict[str, list[str]] = {}


def _write_names_as_code(_app: Any, what: str, name: str, *given: Any) -> None:
    """Double the single backticks of docstrings, which reStructuredText would take for something else."""
    lines: list[str] = given[-1]
    lines[:] = [re.sub(r"(?<![`:\w])`([^`\n<>]+)`(?![`_\w])", r"``\1``", line) for line in lines]
    if what == "property":
        _of_properties[name] = [*lines]


def _give_back(_app: Any, what: str, name: str, *given: Any) -> None:
    """Undo what napoleon does to properties: it takes the words before a colon for a type."""
    if what == "property":
        given[-1][:] = _of_properties.pop(name)


def setup(app: Any) -> None:
    """Tell Sphinx of the lexers and of how docstrings are written."""
    app.add_lexer("law", Law)
    app.add_lexer("about", About)
    app.connect("autodoc-process-docstring", _write_names_as_code, priority=400)  # before napoleon
    app.connect("autodoc-process-docstring", _give_back, priority=600)
