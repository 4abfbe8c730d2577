"""Searches for loopholes and dead ends: every claim says what was found, what was not, or why it is not decided."""
