"""The rule systems that come with the kit, as literate Markdown, and the library of ready-made clauses."""
