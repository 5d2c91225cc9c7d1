"""Maintenance of the app: backups, restoring them, forgetting persons."""
