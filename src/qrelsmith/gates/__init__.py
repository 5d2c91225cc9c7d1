"""The gate for a new judge, and drift of a judge over time."""
