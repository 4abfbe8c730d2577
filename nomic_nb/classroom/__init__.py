"""A class at play: a page for every seat, served from the process that has the game."""
