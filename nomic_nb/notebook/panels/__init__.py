"""Live panels and magics: ways to play that stand on everything else, and on which nothing stands."""
