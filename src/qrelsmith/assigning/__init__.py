"""Assignments of work to assessors, and the order of the work."""
