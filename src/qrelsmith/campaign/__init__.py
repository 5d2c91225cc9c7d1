"""The folder of a campaign and what its campaign.toml means."""
