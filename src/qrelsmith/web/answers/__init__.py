"""Answers of systems: judgment of their nuggets, rubrics, citations and criteria."""
