"""The future effects of a proposed change and of current play, as far as clauses can ask about them."""
