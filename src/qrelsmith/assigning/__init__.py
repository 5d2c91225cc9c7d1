"""Assignments: who judges what, and in which order."""
