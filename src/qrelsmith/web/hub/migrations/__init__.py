"""The migrations of the server's tables."""
