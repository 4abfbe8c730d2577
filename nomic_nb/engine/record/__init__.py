"""Records: the log, replay, data frames, what happened in words."""
