"""The audit of a campaign: its sections and findings; `report` shows them."""
