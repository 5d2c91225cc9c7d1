"""Graded judgments: assigned docs, the page, and the one place where a grade is accepted."""
