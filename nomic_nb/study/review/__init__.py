"""What a rule-change would do, tried on states that nobody keeps."""
