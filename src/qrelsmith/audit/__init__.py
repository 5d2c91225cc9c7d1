"""The audit of a campaign: its sections and findings. The package `report` renders both."""
