"""A game under way: looked at, acted in, taken back and forked; it knows no panel, page or whole review."""
