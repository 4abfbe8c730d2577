"""The effects of a rule change, tried on states that nobody keeps."""
