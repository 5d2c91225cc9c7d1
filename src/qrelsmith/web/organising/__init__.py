"""What the organiser's pages show, computed from the events and assignments as they are now.

Nothing here has formulas of its own: `analyses` computes, on the same judgments that an export
would hold.
"""
