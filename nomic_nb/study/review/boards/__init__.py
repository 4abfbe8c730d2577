"""The effects of a rule change on the boards: moves gained and lost, kings in check, pieces and boards that change."""
