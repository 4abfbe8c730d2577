"""The effect of a change at hand, and of play as it stands: what clauses can ask of what is yet to be."""
