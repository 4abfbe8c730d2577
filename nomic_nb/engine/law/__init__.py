"""Rules, clauses, the law language, the resolver and rule-changes. Knows nothing of play or of chess."""
