"""What should be thought of before a vote: a file a subject, and above each function the code of its warning."""
