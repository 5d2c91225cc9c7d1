"""The folder of a campaign and its campaign.toml."""
