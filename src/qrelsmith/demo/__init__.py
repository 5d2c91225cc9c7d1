"""A small test collection built locally: docstrings, topics, and runs of fictitious teams."""
