"""The kit in a notebook: the public `Game`, displays, panels, documents, files and pages for a class."""
