"""Records of games on boards: their moves and PGN."""
