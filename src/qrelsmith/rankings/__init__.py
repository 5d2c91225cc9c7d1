"""Rankings of systems: comparison, consistency, significance, fairness, topic set size."""
