"""Statistics of scores: intervals, correlation, significance."""
