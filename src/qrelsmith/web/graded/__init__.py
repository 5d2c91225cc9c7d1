"""Graded judgments: assigned docs, the judging page, and the acceptance of grades."""
