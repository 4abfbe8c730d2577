"""A running game, to inspect, play, undo and fork, without panels, pages or full reviews."""
