"""What keeps the app alive: backups, restoring them, forgetting persons."""
