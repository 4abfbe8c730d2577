"""Documents made from a game: a page, a text in Markdown, a notebook that plays it again, a printable law book."""

from nomic_nb.notebook.documents.annotated import PictureFiles, to_html, to_markdown
from nomic_nb.notebook.documents.deposit import bibtex, with_pseudonyms, write_deposit
from nomic_nb.notebook.documents.edition import Edition
from nomic_nb.notebook.documents.lawbook import law_book_html
from nomic_nb.notebook.documents.notebook import to_notebook

__all__ = [
    "Edition", "PictureFiles", "bibtex", "law_book_html", "to_html", "to_markdown", "to_notebook", "with_pseudonyms",
    "write_deposit",
]  # fmt: skip
