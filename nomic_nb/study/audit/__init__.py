"""Audits: a game recorded elsewhere as tables, replayed under its law, and where the two differ."""
