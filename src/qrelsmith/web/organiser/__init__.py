"""Results for the organiser's pages, computed from the current events and assignments.

This package contains no formulas. Packages in lower layers compute the results from the judgments
that an export would contain.
"""
