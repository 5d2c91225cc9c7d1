"""The gate for a new judge, and how a judge drifts over time."""
