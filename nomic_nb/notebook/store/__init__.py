"""Games on the disk: every step is kept before anybody sees it, and comes back when the game is opened."""
