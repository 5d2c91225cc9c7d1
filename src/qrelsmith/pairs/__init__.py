"""Pairs of docs: preference tests, answers and current answers."""
