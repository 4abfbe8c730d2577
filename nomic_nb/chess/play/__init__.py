"""Boards, armies and pieces in play: where the multiverse and the law meet."""
