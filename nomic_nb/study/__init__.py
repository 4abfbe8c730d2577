"""What can be learnt about a game: reviews before a vote, warnings, explanations, data frames."""

from nomic_nb.chess import extension as extension  # whatever is studied can have boards
