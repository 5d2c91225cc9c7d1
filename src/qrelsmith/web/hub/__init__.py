"""A server of several campaigns: its accounts, list of campaigns, and forwarding of requests."""
