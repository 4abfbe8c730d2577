import pytest
from documents import document_helpers as games


@pytest.fixture(scope="session")
def full():
    """A game in which everything happens that documents have to show."""
    return games.everything()


@pytest.fixture(scope="session")
def nasty():
    """A game in which every text that people write has markup in it."""
    return games.nasty()


@pytest.fixture(scope="session")
def odd():
    return games.odd_game()


@pytest.fixture
def sealed():
    """A game with an open vote in which ballots are sealed."""
    return games.sealed_game()
