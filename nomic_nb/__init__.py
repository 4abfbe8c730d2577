"""Play, teach and study Nomic in a notebook: the rules are data that run, and changing them is a move."""

__version__ = "0.1.0"
