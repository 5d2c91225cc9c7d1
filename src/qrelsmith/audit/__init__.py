"""The audit of a campaign: its sections and findings, rendered by the package `report`."""
