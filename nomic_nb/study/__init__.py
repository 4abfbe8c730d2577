"""What can be learnt about a game: reviews before a vote, warnings, explanations, data frames."""

from nomic_nb.chess import extension as extension  # whatever is studied can have boards
from nomic_nb.study.audit import acts as acts  # hosts can replay records
