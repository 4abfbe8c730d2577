"""Games that machines play: at random, with wishes out of the library, one or many."""
