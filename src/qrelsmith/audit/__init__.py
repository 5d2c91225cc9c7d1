"""The audit of a campaign: its sections and findings. `report` renders them."""
