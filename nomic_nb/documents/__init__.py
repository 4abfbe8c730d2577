"""Documents made from a game: a page, a text in Markdown, a notebook that plays it again, a printable law book."""

from nomic_nb.documents.lawbook import law_book_html
from nomic_nb.documents.notebook import to_notebook
from nomic_nb.documents.whole import to_html, to_markdown

__all__ = ["law_book_html", "to_html", "to_markdown", "to_notebook"]
