"""What a rule-change does on the boards: moves gained and lost, kings in check, pieces that change, boards too."""
