"""Results for the organiser's pages, computed from the current events and assignments.

This package has no formulas. Packages in lower layers compute the results from the same judgments
that an export contains.
"""
