"""A small test collection made on the spot: docstrings, topics, runs of fictitious teams."""
