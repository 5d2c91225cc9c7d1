"""Answers of systems: their nuggets, rubrics, citations and criteria, judged in the app."""
