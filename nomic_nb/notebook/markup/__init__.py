"""Pages as trees of elements, made once and written as HTML, as Markdown and as plain text."""
