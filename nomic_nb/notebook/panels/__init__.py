"""Live panels and magics: ways to play that use everything else, and that nothing else uses."""
