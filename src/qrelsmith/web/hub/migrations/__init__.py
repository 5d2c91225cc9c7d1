"""The migrations of the server's own tables."""
