"""Disagreement of Gold and Bronze, serious disagreements, and a second round of judging."""
