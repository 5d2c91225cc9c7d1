"""Disagreement of Gold and Bronze, its serious cases, and a second round of judging."""
