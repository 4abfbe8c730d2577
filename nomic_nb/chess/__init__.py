"""Chess under law: boards, armies and moves, as an extension of the engine."""
