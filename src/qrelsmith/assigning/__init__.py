"""Assignments of work to assessors, and its order."""
