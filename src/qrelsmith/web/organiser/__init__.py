"""Results for the organiser's pages, from the events and assignments as they are now.

Nothing here has formulas of its own: the houses below compute, on the same judgments that an export
would hold.
"""
